"""The confusion matrix of every judge, worst first."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.ensembles.matrices import Matrices, judge_matrices
from metrics.analyses.ensembles.readings_matrices import matrices_reading
from metrics.analyses.ensembles.readings_weighted import weighted_reading
from metrics.analyses.ensembles.weighted import weighted_agreement
from metrics.analyses.provenance import quoted
from metrics.analyses.raters.provenance import header
from metrics.figures import confusion
from metrics.measures.cost_matrices import Cost, cost_text
from metrics.results.words import UNDEFINED, bounds, count, estimate, number, plain, several
from pages.shared import asking as questions
from pages.shared import parts, sheets, state
from pages.shared.abstention import cost as costs
from pages.shared.ensemble import asking
from pages.shared.page_records import ABSTENTION
from pages.shared.plain import emphasis, short

MOST, ROOM, MOST_CLASSES = 12, 4, 4
"""Matrices in view at a time, and in the room; classes whose cells the table has."""
HIGH, MORE, CLASSES, WIDE = 200, 60, 6, 280
"""Px of a matrix of two classes, of each class more up to so many, and of the narrowest."""
ALPHA = "Krippendorff’s α of the judges with W as the distance between two answers; the mean of W and its mirror image counts."
KAPPA = "Of every two judges that share 10 decisions or more: κ in which each disagreement counts by its cost."
WHICH = {"abstention_show": "Cost matrix"}


def section(its: state.Dataset) -> None:
    cost = costs.held() if third(its) else None
    found = matrices(its, cost)
    named = f"rows: {asking.said_reference(its)} · columns: the judge"
    parts.headed("Where does each judge part from the reference?", f"smallest {found.symbol} first · {named}{asking.over(its)}")
    places = range(min(ROOM, len(found))) if state.in_room_view() else _part(found)
    with st.container(horizontal=True, gap="medium"):
        for slot, place in enumerate(places):
            _one(its, found, place, slot)
    parts.reading(matrices_reading(found, emphasis))
    if len(found) > MOST and not state.in_room_view():
        _table(found)
    if cost is not None:
        _cost(its, cost)
    if not state.in_room_view():
        sheets.download("All matrices (CSV)", found.columns, "matrices.csv", "ensemble.matrices_csv")


def _part(found: Matrices) -> range:
    """Return the judges whose matrices are in view, so many at a time; of more there is a table, too."""
    if len(found) <= MOST:
        return range(len(found))
    spans = [range(first, min(first + MOST, len(found))) for first in range(0, len(found), MOST)]
    names = {f"{span.start + 1}–{span.stop} of {count(len(found))}": span for span in spans}
    st.selectbox(f"Judges, smallest {found.symbol} first", list(names), key=asking.PART, width=240, **questions.BOUND)
    return names[questions.held(asking.PART, list(names))]


def _table(found: Matrices) -> None:
    """All judges at a glance: a row to each."""
    shown: dict[str, list[object]] = {
        "judge": [plain(name) for name in found.judges],
        found.symbol: [number(own.value) for own in found.kappa],
        "interval": [bounds(own.ends) for own in found.kappa],
        "decisions": [count(n) for n in found.n],
    }
    if len(found.classes) <= MOST_CLASSES:
        for row, reference in enumerate(found.classes):
            for column, judge in enumerate(found.classes):
                shown[f"{plain(reference)} → {plain(judge)}"] = [count(n) for n in found.tables[:, row, column]]
    with st.expander(f"All {count(len(found))} judges as a table: {found.symbol}, and reference → judge"):
        st.dataframe(
            shown, hide_index=True, key="ensemble.matrix_table", placeholder=UNDEFINED,
            alt=f"{found.symbol} of each of {count(len(found))} judges with the reference, and its matrix",
        )  # fmt: skip


def third(its: state.Dataset) -> bool:
    """Return whether no verdict is an answer of its own beside two labels, so that a cost matrix can be had."""
    return asking.mode(its) == "as_category" and its.ratings.scheme.scale == "binary"


def matrices(its: state.Dataset, cost: Cost | None) -> Matrices:
    return asking.once(
        its, "matrices", cost,
        lambda: judge_matrices(its.ratings, reference=asking.reference(), abstention=asking.mode(its), cost=cost),
    )  # fmt: skip


def _one(its: state.Dataset, found: Matrices, place: int, slot: int) -> None:
    table, name = found.tables[place], found.judges[place]
    silent = len(found.classes) - 1 if asking.mode(its) == "as_category" else None
    weighted = f"  \nweighted κ {estimate(found.weighted[place])}" if found.cost is not None else ""
    with st.container(key=f"third_ensemble_{slot}", gap="xsmall"):
        st.markdown(f"**{short(name)}**  \n{found.symbol} {estimate(found.kappa[place])} · n {count(found.n[place])}{weighted}")
        look = {"judge": "judge", "reference": "human", "abstention": silent}
        drawn = confusion.mosaic(
            table,
            found.classes,
            theme=parts.theme(),
            scale=parts.scale(),
            height=HIGH + MORE * (min(len(found.classes), CLASSES) - 2),
            width=WIDE,
            **look,
        )
        alt = f"{name}: {confusion.alt(table, found.classes, **look)}"
        parts.figure(drawn, f"ensemble.matrix_{slot}", alt)


def _cost(its: state.Dataset, cost: Cost) -> None:
    """With three answers a number says little without what each disagreement costs."""
    found = asking.once(
        its, "weighted", cost, lambda: weighted_agreement(its.ratings, cost, reference=asking.reference())
    )  # fmt: skip
    parts.headed(
        "What hangs on the cost of no verdict?",
        f"with three answers a number needs its cost matrix W · here, with the reference in rows: {cost_text(cost)}",
    )
    sheets.frame(
        {"reference": [plain(name) for name in found.classes]}
        | {f"judge: {plain(name)}": [f"{row[place]:g}" for row in cost] for place, name in enumerate(found.classes)},
        "The costs (CSV)", "costs.csv", "ensemble.cost", alt="Cost of each confusion, the reference in rows", width="content",
    )  # fmt: skip
    alpha, kappa = found.stated.alpha, found.stated.mean_kappa
    told = (f"costs, reference in rows: {cost_text(cost)}", *header(asking.report(its)).told())
    pairs = several(found.stated.n_pairs, "pairs")
    parts.headline(
        [
            parts.Headline(
                "α under W", number(alpha.value), bounds(alpha.ends, without="no interval"), ALPHA, alpha.undefined,
                copied=quoted("α under stated costs", estimate(alpha), told, reason=alpha.undefined),
            ),
            parts.Headline(
                "Mean weighted κ", number(kappa.value), bounds(kappa.ends, without="no interval"), KAPPA, third=pairs,
                copied=quoted("mean weighted κ", estimate(kappa), (pairs, *told), reason=kappa.undefined),
            ),
        ],
        "headline_cost",
    )  # fmt: skip
    parts.reading(weighted_reading(found, emphasis))
    if not state.in_room_view():
        st.page_link(ABSTENTION.path, label="Change the costs", icon=":material/tune:", query_params=WHICH)

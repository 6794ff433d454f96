"""The confusion matrix of every judge, worst first."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.ensembles.matrices import Matrices, judge_matrices
from metrics.analyses.ensembles.readings_matrices import matrices_reading, weighted_reading
from metrics.analyses.ensembles.weighted import weighted_agreement
from metrics.analyses.leading import in_order
from metrics.analyses.provenance import citation_line
from metrics.analyses.raters.provenance import header
from metrics.figures import error_table
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


def section(dataset: state.Dataset) -> None:
    cost = costs.held() if third(dataset) else None
    matrix_set = matrices(dataset, cost)
    named = f"rows: {asking.chosen_reference_phrase(dataset)} · columns: the judge"
    parts.headed(
        "Where does each judge disagree with the reference?",
        f"smallest {matrix_set.symbol} first · {named}{asking.over(dataset)}",
    )
    places = range(min(ROOM, len(matrix_set))) if state.in_room_view() else _part(matrix_set)
    with st.container(horizontal=True, gap="medium"):
        for slot, place in enumerate(places):
            _show_matrix(dataset, matrix_set, place, slot)
    parts.reading(matrices_reading(matrix_set, emphasis))
    if len(matrix_set) > MOST and not state.in_room_view():
        _table(matrix_set)
    if cost is not None:
        _cost(dataset, cost)
    if not state.in_room_view():
        sheets.download("All matrices (CSV)", matrix_set.columns, "matrices.csv", "ensemble.matrices_csv")


def _part(matrix_set: Matrices) -> range:
    """Return the judges whose matrices are in view, so many at a time; of more there is a table, too."""
    if len(matrix_set) <= MOST:
        return range(len(matrix_set))
    spans = [range(first, min(first + MOST, len(matrix_set))) for first in range(0, len(matrix_set), MOST)]
    names = {f"{span.start + 1}–{span.stop} of {count(len(matrix_set))}": span for span in spans}
    st.selectbox(f"Judges, smallest {matrix_set.symbol} first", list(names), key=asking.PART, width=240, **questions.BOUND)
    return names[questions.held(asking.PART, list(names))]


def _table(matrix_set: Matrices) -> None:
    """All judges at a glance: a row to each."""
    shown: dict[str, list[object]] = {
        "judge": [plain(name) for name in matrix_set.judges],
        matrix_set.symbol: [number(kappa.value) for kappa in matrix_set.kappa],
        "interval": [bounds(kappa.ends) for kappa in matrix_set.kappa],
        "decisions": [count(n) for n in matrix_set.n],
    }
    if len(matrix_set.classes) <= MOST_CLASSES:
        for row, reference in enumerate(matrix_set.classes):
            for column, judge in enumerate(matrix_set.classes):
                shown[f"{plain(reference)} → {plain(judge)}"] = [count(n) for n in matrix_set.tables[:, row, column]]
    with st.expander(f"All {count(len(matrix_set))} judges as a table: {matrix_set.symbol}, and reference → judge"):
        st.dataframe(
            shown, hide_index=True, key="ensemble.matrix_table", placeholder=UNDEFINED,
            alt=f"{matrix_set.symbol} of each of {count(len(matrix_set))} judges with the reference, and its matrix",
        )  # fmt: skip


def third(dataset: state.Dataset) -> bool:
    """Return whether no verdict is an answer of its own beside two labels, so that a cost matrix can be had."""
    return asking.mode(dataset) == "as_category" and dataset.ratings.scheme.scale == "binary"


def matrices(dataset: state.Dataset, cost: Cost | None) -> Matrices:
    return asking.memoised(
        dataset, "matrices", cost,
        lambda: judge_matrices(dataset.ratings, reference=asking.reference(), abstention=asking.mode(dataset), cost=cost),
    )  # fmt: skip


def _show_matrix(dataset: state.Dataset, matrix_set: Matrices, place: int, slot: int) -> None:
    table, name = matrix_set.tables[place], matrix_set.judges[place]
    silent = len(matrix_set.classes) - 1 if asking.mode(dataset) == "as_category" else None
    weighted = f"  \nweighted κ {estimate(matrix_set.weighted[place])}" if matrix_set.cost is not None else ""
    with st.container(key=f"third_ensemble_{slot}", gap="xsmall"):
        st.markdown(
            f"**{short(name)}**  \n{matrix_set.symbol} {estimate(matrix_set.kappa[place])} "
            f"· n {count(matrix_set.n[place])}{weighted}"
        )
        ordered = in_order(dataset.ratings, matrix_set.classes, asking.mode(dataset))
        look = {"judge": "judge", "reference": "human", "ordered": ordered, "abstention": silent}
        size = {"height": HIGH + MORE * (min(len(matrix_set.classes), CLASSES) - 2), "width": WIDE}
        data = error_table.error_table, error_table.alt, table, matrix_set.classes
        parts.drawing(f"ensemble.matrix_{slot}", *data, look=size, lead=f"{name}: ", **look)


def _cost(dataset: state.Dataset, cost: Cost) -> None:
    """With three answers a number says little without what each disagreement costs."""
    weighted = asking.memoised(
        dataset, "weighted", cost, lambda: weighted_agreement(dataset.ratings, cost, reference=asking.reference())
    )  # fmt: skip
    parts.headed(
        "How much does the cost of no verdict matter?",
        f"with three answers a number needs its cost matrix W · here, with the reference in rows: {cost_text(cost)}",
    )
    sheets.frame(
        {"reference": [plain(name) for name in weighted.classes]}
        | {f"judge: {plain(name)}": [f"{row[place]:g}" for row in cost] for place, name in enumerate(weighted.classes)},
        "The costs (CSV)", "costs.csv", "ensemble.cost", alt="Cost of each confusion, the reference in rows", width="content",
    )  # fmt: skip
    alpha, kappa = weighted.at_chosen_cost.alpha, weighted.at_chosen_cost.mean_kappa
    context = (f"costs, reference in rows: {cost_text(cost)}", *header(asking.report(dataset)).provenance())
    pairs = several(weighted.at_chosen_cost.n_pairs, "pairs")
    parts.headline(
        [
            parts.Headline(
                "α under W", number(alpha.value), bounds(alpha.ends, without="no interval"), ALPHA, alpha.undefined,
                citation=citation_line("α under stated costs", estimate(alpha), context, reason=alpha.undefined),
            ),
            parts.Headline(
                "Mean weighted κ", number(kappa.value), bounds(kappa.ends, without="no interval"), KAPPA, third=pairs,
                citation=citation_line("mean weighted κ", estimate(kappa), (pairs, *context), reason=kappa.undefined),
            ),
        ],
        "headline_cost",
    )  # fmt: skip
    parts.reading(weighted_reading(weighted, emphasis))
    if not state.in_room_view():
        st.page_link(ABSTENTION.path, label="Change the costs", icon=":material/tune:", query_params=WHICH)

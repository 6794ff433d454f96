"""All judges against one: a baseline that was chosen, or the best on these data."""

from __future__ import annotations

import streamlit as st

from metrics import InputError
from metrics.analyses.agreement.compute import Settings
from metrics.analyses.comparison.readings import CORRECTED, direction
from metrics.figures.forest import MANY_READ, UNEQUAL, alt, forest
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import UNDEFINED, percent, plain, shorten
from pages.shared import asking, parts, sheets, state
from pages.shared.compare import results, second, waiting
from pages.shared.plain import escape, sentence

BASELINE, FIGURE = "compare.baseline", "compare.forest"
BEST = ""
"""Option that takes the best on these data; no judge has an empty name."""


def section(its: state.Dataset, settings: Settings, asked: results.Asked) -> None:
    record = BY_KEY[asked.metric]
    confidence = percent(settings.confidence)
    with parts.heading(
        "All judges against a baseline",
        f"difference in {record.symbol} with its {confidence} interval · select a row to compare",
    ):
        if not state.in_room_view():
            chooser(its, asked.metric)
    baseline = _baseline(its, asked.metric)
    found = results.against(its, settings, asked, baseline)
    if isinstance(found, InputError):
        st.info(sentence(str(found)), icon=":material/info:")
        return
    key = results.against_key(its, settings, asked, baseline)
    if found.rows:
        _shown(its, asked, found)
    else:
        st.markdown("Stopped before the first judge was compared.")
    if found.stopped:
        st.button("Compare the others too", key="compare.others", on_click=waiting.again, args=(key,))
    if found.rows and not state.in_room_view():
        sheets.download("All judges against the baseline (CSV)", lambda: found.frame, "judges.csv", "compare.forest_csv")


def _shown(its: state.Dataset, asked: results.Asked, found: results.Against) -> None:
    record, head = BY_KEY[asked.metric], CORRECTED[found.best]
    named = f"**Baseline: {escape(shorten(found.baseline))}**{f', chosen {found.picked} on these data' if found.best else ''}. "
    how = "for the choice of the baseline" if found.best else "after Holm"
    coloured = f"In colour: told apart from it, p corrected {how}; the whiskers are not adjusted."
    st.markdown(named + coloured + _others(found))
    look = {"symbol": record.symbol, "unit": record.unit, "p_head": head}
    names = [row.name for row in found.rows]
    chosen = names.index(asked.b) if asked.a == found.baseline and asked.b in names else None
    drawn = forest(found.rows, theme=parts.theme(), selected=chosen, scale=parts.scale(), **look)
    said = alt(found.rows, found.baseline, **look)
    parts.figure(drawn, FIGURE, said, on_select=lambda: _clicked(found.baseline, names, (its.id, asked)))
    parts.reading(escape(found.reading))
    if found.beside and not state.in_room_view():
        st.dataframe(
            found.beside, hide_index=True, key="compare.readings", placeholder=UNDEFINED,
            alt=f"Every judge less {plain(found.baseline)}, in every reading",
        )  # fmt: skip


def _others(found: results.Against) -> str:
    """Return what the small rows of the figure are, or the sign in their place."""
    if not any(row.others for row in found.rows):
        return ""
    unequal = f" {UNEQUAL}: the readings disagree." if any(row.disagree for row in found.rows) else ""
    return unequal if len(found.rows) > MANY_READ else " Small rows: other readings of the same difference."


def _options(its: state.Dataset, metric: str) -> tuple[str, ...]:
    return ((BEST,) if direction(metric) else ()) + its.ratings.judges


def chooser(its: state.Dataset, metric: str) -> None:
    """Whom all judges are compared with."""
    st.selectbox(
        "Baseline",
        _options(its, metric),
        format_func=lambda name: name or "The best on these data",
        key=BASELINE,
        label_visibility="visible" if state.in_room_view() else "collapsed",
        width=240,
        **asking.BOUND,
    )


def _baseline(its: state.Dataset, metric: str) -> str | None:
    return asking.held(BASELINE, _options(its, metric)) or None


def _clicked(baseline: str, names: list[str], place: object) -> None:
    spot = parts.clicked(FIGURE, place)
    if spot is not None:
        st.session_state[second.A], st.session_state[second.B] = baseline, names[spot[0]]

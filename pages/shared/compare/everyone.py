"""All judges against one: a baseline that was chosen, or the best on these data."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.agreement.compute import Settings
from metrics.analyses.comparison.forest import corrected_head
from metrics.analyses.comparison.readings import direction
from metrics.figures.forest import MANY_READ, UNEQUAL, alt, forest
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import UNDEFINED, percent, plain, shorten
from pages.shared import asking, parts, sheets, state
from pages.shared.compare import results, second
from pages.shared.plain import escape, sentence

BASELINE, FIGURE = "compare.baseline", "compare.forest"
BEST = ""
"""Option that takes the best on these data; no judge has an empty name."""


def section(dataset: state.Dataset, settings: Settings, asked: results.ComparisonRequest) -> None:
    record = BY_KEY[asked.metric]
    confidence = percent(settings.confidence)
    with parts.heading(
        "All judges against a baseline",
        f"difference in {record.symbol} with its {confidence} interval · select a row to compare",
    ):
        if not state.in_room_view():
            chooser(dataset, asked.metric)
    baseline = _baseline(dataset, asked.metric)
    try:
        baseline_results = results.against(dataset, settings, asked, baseline)
    except InputError as error:
        st.info(sentence(str(error)), icon=":material/info:")
        return
    if baseline_results.rows:
        _show_forest(dataset, asked, baseline_results)
    else:
        st.markdown("Stopped before the first judge was compared.")
    if baseline_results.stopped:
        job = results.against_job(dataset, settings, asked, baseline)
        st.button("Compare the others too", key="compare.others", on_click=job.start)
    if baseline_results.rows and not state.in_room_view():
        sheets.download(
            "All judges against the baseline (CSV)", lambda: baseline_results.frame, "judges.csv", "compare.forest_csv"
        )


def _show_forest(dataset: state.Dataset, asked: results.ComparisonRequest, against: results.Against) -> None:
    record, head = BY_KEY[asked.metric], corrected_head(against.best, bool(against.weights))
    named = (
        f"**Baseline: {escape(shorten(against.baseline))}**{f', chosen {against.picked} on these data' if against.best else ''}. "
    )
    how = "for the choice of the baseline" if against.best else "after Holm"
    coloured = f"In colour: significantly different from it, p corrected {how}; the lines are not adjusted."
    by = f" Every item counts by its weight in ‘{escape(shorten(against.weights))}’." if against.weights else ""
    st.markdown(named + coloured + by + _others(against))
    facts = {"symbol": record.symbol, "unit": record.unit, "p_head": head}
    names = [row.name for row in against.rows]
    chosen = names.index(asked.b) if asked.a == against.baseline and asked.b in names else None
    choose, words = partial(_clicked, against.baseline, names, (dataset.id, asked)), partial(alt, baseline=against.baseline)
    parts.drawing(FIGURE, forest, words, against.rows, look={"selected": chosen}, on_select=choose, **facts)
    parts.reading(escape(against.reading))
    if against.readings_table and not state.in_room_view():
        st.dataframe(
            against.readings_table, hide_index=True, key="compare.readings", placeholder=UNDEFINED,
            alt=f"Each judge minus {plain(against.baseline)}, in every reading",
        )  # fmt: skip


def _others(against: results.Against) -> str:
    """Return what the small rows of the figure are, or the sign in their place."""
    if not any(row.others for row in against.rows):
        return ""
    unequal = f" {UNEQUAL}: the readings disagree." if any(row.disagree for row in against.rows) else ""
    return unequal if len(against.rows) > MANY_READ else " Small rows: other readings of the same difference."


def _options(dataset: state.Dataset, metric: str) -> tuple[str, ...]:
    return ((BEST,) if direction(metric) else ()) + dataset.ratings.judges


def chooser(dataset: state.Dataset, metric: str) -> None:
    """Whom all judges are compared with."""
    st.selectbox(
        "Baseline",
        _options(dataset, metric),
        format_func=lambda name: name or "The best on these data",
        key=BASELINE,
        label_visibility="visible" if state.in_room_view() else "collapsed",
        width=240,
        **asking.BOUND,
    )


def _baseline(dataset: state.Dataset, metric: str) -> str | None:
    return asking.held(BASELINE, _options(dataset, metric)) or None


def _clicked(baseline: str, names: list[str], place: object) -> None:
    spot = parts.clicked(FIGURE, place)
    if spot is not None:
        st.session_state[second.A], st.session_state[second.B] = baseline, names[spot[0]]

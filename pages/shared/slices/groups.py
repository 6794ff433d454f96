"""The groups of a column: their figure, what it says, their table, and the way to the decisions behind them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics import SliceReport
from metrics.analyses.slices import readings, tables
from metrics.analyses.slices.grouping import By, proposed
from metrics.analyses.slices.result import JudgeSlices, Search, Slice
from metrics.data.scales import scales_of
from metrics.figures import control_chart, dots
from metrics.figures.of_reports import batch_rows
from metrics.measures.catalogue import BY_KEY
from metrics.results.tables import as_text, in_full
from metrics.results.words import capital, count, plain
from pages.shared import parts, sheets, state
from pages.shared.disagreements import presets
from pages.shared.page_records import SLICES
from pages.shared.plain import escape, short
from pages.shared.slices import asking

MOST_DRAWN = 40
"""Rows of the figure; the table holds all groups."""
WHOLE, FIRST_RUNS = "Whole file", "First runs"


def figure(dataset: state.Dataset, report: SliceReport, judge: JudgeSlices) -> None:
    record = BY_KEY[judge.metric]
    shown = judge.in_time[:MOST_DRAWN]
    grey = " · grey: too small to be tested" if any(each.small[judge.metric] for each in shown) else ""
    parts.headed(
        f"{record.symbol} by {report.by}",
        f"value and interval · {_order(judge)}{grey} · {parts.counted_words(judge.whole.micro.labels)}",
    )
    rows = [_whole(judge), *(_row(each, judge.metric) for each in shown)]
    chosen = selected(judge)
    place = next((at for at, each in enumerate(shown, 1) if chosen is not None and each.value == chosen.value), None)
    names = [each.value for each in shown]
    choose, alt = partial(_clicked, names, (dataset.id, report.by)), partial(dots.alt, by=report.by)
    look = {"selected": place}
    parts.drawing("slices.groups", dots.criteria_dots, alt, rows, look=look, on_select=choose, symbol=record.symbol)
    if len(judge.slices) > MOST_DRAWN:
        st.markdown(f":small[The first {MOST_DRAWN} of {count(len(judge.slices))} groups; the table holds all.]")
    parts.reading(escape(readings.headline(report, judge)))


def _order(judge: JudgeSlices) -> str:
    return "worst first" if judge.chart is None else "in the order of time"


def _whole(judge: JudgeSlices) -> dots.DotRow:
    name, prevalence = FIRST_RUNS if judge.of_runs else WHOLE, judge.numbers["prevalence"].value
    return dots.DotRow(name, judge.numbers[judge.metric], judge.whole.micro.n or 0, prevalence)


def _row(each: Slice, metric: str) -> dots.DotRow:
    return dots.DotRow(
        each.value,
        each[metric],
        n=each.n,
        prevalence=each["prevalence"].value,
        degenerate=bool(each.small[metric]),
        muted=bool(each.small[metric]),
        reason=each.why or each.small[metric] or each[metric].undefined or None,
    )


def _clicked(names: list[str], place: object) -> None:
    """A click on a group selects it, and a second one takes that back; the first row stands for the whole file."""
    spot = parts.clicked("slices.groups", place)
    st.session_state[asking.GROUP] = None if spot is None or not spot[0] else names[spot[0] - 1]


def selected(judge: JudgeSlices) -> Slice | None:
    held = st.session_state.get(asking.GROUP)
    return next((each for each in judge.slices if each.value == held), None)


def sentences(report: SliceReport, judge: JudgeSlices) -> None:
    shown = [text for text in readings.sentences(report, judge) if text != readings.chart_reading(judge)]
    parts.folded(shown, "groups")


def decisions(report: SliceReport, judge: JudgeSlices, wanted: tuple[By, ...]) -> None:
    """The way to the decisions of the group that is selected, or of the one that lies lowest."""
    each = selected(judge) or next(iter(judge.below), None)
    # The disagreements are those of the first run of each decision.
    if len(wanted) > 1 or wanted[0].kind != "values" or wanted[0].cuts or judge.of_runs:
        return
    if each is None:
        st.markdown(":small[Select a group to read its decisions.]")
        return
    presets.link(f"Read the disagreements in {short(each.value)}", column=(wanted[0].column, each.value), judge=judge.judge)


def table(report: SliceReport, judge: JudgeSlices) -> None:
    made = tables.slice_table(report, judge)
    shown = as_text(made)
    with st.expander(f"Table of {count(len(judge.slices))} groups, {_order(judge)}", expanded=len(judge.slices) <= MOST_DRAWN):
        parts.rows(shown, len(judge.slices), "groups", "slices.table")
        within = "; p within: the same of κ within criteria" if "p within" in shown else ""
        st.markdown(
            ":small[Pooled: shrunk towards the mean of the groups as far as chance explains the distance. p: of the distance "
            f"from all other groups, corrected for their number{within}.]"
        )
        sheets.download("Table of groups (CSV)", lambda: in_full(made), "slices.csv", "slices.table_csv")


def over_time(report: SliceReport, judge: JudgeSlices) -> None:
    """Batches over time with their limits, where groups follow each other in time."""
    if judge.chart is None:
        return
    record, shown = BY_KEY[judge.metric], batch_rows(judge)
    parts.headed(
        f"{record.symbol} over time",
        "open: baseline, or no limits · band: limits · dashes: the baseline · triangle: outside · dotted: another column changes",
    )
    facts = {"centre": judge.chart.baseline, "symbol": record.symbol, "unit": record.unit}
    parts.drawing("slices.over_time", control_chart.control_chart, control_chart.alt, shown, **facts)
    parts.reading(escape(readings.chart_reading(judge)))


def steps(report: SliceReport, judge: JudgeSlices) -> None:
    """Every group beside the one before it, where groups follow each other; nothing where they do not."""
    if not judge.steps:
        return
    parts.headed(f"Each {plain(report.by)} against the one before", f"difference and interval · {readings.how_all_paired(judge)}")
    parts.reading(escape(readings.steps_reading(report, judge)))
    made = tables.step_table(report, judge)
    parts.rows(as_text(made), len(judge.steps), "comparisons", "slices.steps")
    sheets.download("Table of differences (CSV)", lambda: in_full(made), "slices-steps.csv", "slices.steps_csv")


def search_section(dataset: state.Dataset, search: Search) -> None:
    """What the search over all columns came to, in sentences."""
    parts.headed("Which group departs most, over all columns", "items permuted against all columns · corrected for the search")
    st.markdown(escape(capital(readings.search_reading(search))))
    for sentence, each in zip(readings.found_sentences(search), search.departing, strict=True):
        st.markdown(f"- {escape(sentence)}")
        by = proposed(dataset.ratings).get(each.by)
        if by is not None and by.kind == "values":
            presets.link(f"Read the disagreements in {short(each.value)}", column=(each.column, each.value), judge=search.judge)


def departing_line(dataset: state.Dataset, chosen: state.Choices | None) -> None:
    """The group that lies furthest below the others, in one line that leads to the slices; nothing where none does."""
    ratings = dataset.ratings
    scores_alone = scales_of(ratings).used == ("continuous",)
    if chosen is None or scores_alone or ratings.n_items > asking.SEARCHED_AT_ONCE or not proposed(ratings):
        return
    search = asking.search_of(dataset, chosen)
    sentence = next(
        (text for text, each in zip(readings.found_sentences(search), search.departing, strict=True) if each.z < 0), ""
    )
    if sentence:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(escape(sentence), width="stretch")
            st.page_link(SLICES.path, label="All slices", query_params={"judge": chosen.judge})

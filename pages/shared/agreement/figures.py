"""Figures of a judge's agreement: the table of errors, and its criteria."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.analyses.agreement import readings
from metrics.analyses.leading import in_order
from metrics.analyses.records import Block, JudgeReport
from metrics.data.scales import scales_of
from metrics.figures import dots, error_table
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA
from metrics.results.estimate import Estimate
from pages.shared import asking, drilldown, parts, sheets, state, to_lab
from pages.shared.plain import emphasis, escape

SORT = "agreement.sort"
SORTS = ("Lowest first", "As in the file", "Highest first", "Rarest positive first", "Most decisions first", "By name")


def mosaic(dataset: state.Dataset, chosen: state.Choices, judge: JudgeReport) -> None:
    block = judge.item if chosen.level == "item" else judge.micro
    unit = "items" if chosen.level == "item" else "decisions"
    area = f"area = {unit} · " if len(block.labels) == 2 else ""
    line = f"{area}row = human · {error_table.judge_place(block.labels)} = judge"
    parts.lone_heading("Where the judge and the reference disagree", line)
    if block.confusion is None or (chosen.level == "item" and not block.n):
        st.markdown(f"No table to draw: {escape(block.undefined.get('kappa', 'no decision is left'))}.")
        return
    third = len(block.labels) - 1 if chosen.mode == "as_category" else None
    facts = {"ordered": in_order(dataset.ratings, block.labels, chosen.mode, chosen.level), "abstention": third, "unit": unit}
    look = {"selected": drilldown.selected_cell(), "named": scales_of(dataset.ratings).named_errors}
    table = error_table.error_table, error_table.alt, block.confusion, block.labels
    choose = partial(drilldown.cell_clicked, (dataset.id, chosen))
    parts.drawing("agreement.mosaic", *table, look=look, on_select=choose, **facts)
    hint = " Select a cell to list what is in it." if dataset.ratings.has_items and not state.in_room_view() else ""
    parts.reading(readings.confusion_reading(block, unit=unit, name=emphasis) + hint)
    to_lab.open_choices(dataset, chosen)
    if chosen.level == "macro":
        st.markdown("Macro averages over the criteria and has no table of its own: this one pools the decisions of all criteria.")
    if not state.in_room_view():
        with sheets.unfolded("The same as a table: counts and row shares", "agreement.mosaic") as seen:
            if seen:
                parts.confusion_table(block, "agreement.mosaic_csv")


def cell_of(block: Block, metric: str) -> Estimate:
    if metric in block:
        return block[metric]
    if metric == QUADRATIC_KAPPA.key:
        return Estimate(math.nan, why="takes ordered labels alone")
    wanted = "two" if BY_KEY[metric].classes == "two" else "more than two"
    return Estimate(math.nan, why=f"needs {wanted} classes")


def criteria(dataset: state.Dataset, chosen: state.Choices, judge: JudgeReport, metric: str) -> None:
    with parts.heading(f"{BY_KEY[metric].symbol} by criterion", parts.counted_words(judge.micro.labels)):
        if len(judge.criteria) > 1:
            st.selectbox("Sort criteria", SORTS, key=SORT, label_visibility="collapsed", width=200, **asking.BOUND)
    rows = _sorted([_row(name, block, metric) for name, block in judge.criteria.items()])
    chosen_row = next((place for place, row in enumerate(rows) if row.name == st.session_state.get(drilldown.CRITERION)), None)
    choose = partial(drilldown.criterion_clicked, [row.name for row in rows], (dataset.id, chosen))
    look, symbol = {"selected": chosen_row}, BY_KEY[metric].symbol
    parts.drawing("agreement.criteria", dots.criteria_dots, dots.alt, rows, look=look, on_select=choose, symbol=symbol)
    if all(metric in block.values for block in judge.criteria.values()):
        parts.reading(readings.criteria_reading(judge.criteria, metric, name=emphasis))


def _row(name: str, block: Block, metric: str) -> dots.DotRow:
    cell = cell_of(block, metric)
    return dots.DotRow(
        name,
        cell,
        n=block.n or 0,
        prevalence=block.values.get("prevalence", math.nan),
        degenerate=block.degenerate,
        reason=cell.undefined or readings.one_sided_words(block) or None,
    )


def _sorted(rows: list[dots.DotRow]) -> list[dots.DotRow]:
    key: dict[str, Callable[[dots.DotRow], object]] = {
        "Lowest first": lambda row: (not row.estimate.defined, row.estimate.value),
        "Highest first": lambda row: (not row.estimate.defined, -row.estimate.value),
        "Rarest positive first": lambda row: (math.isnan(row.prevalence), row.prevalence),
        "Most decisions first": lambda row: -row.n,
        "By name": lambda row: row.name.casefold(),
    }
    order = st.session_state.get(SORT) or SORTS[0]
    return sorted(rows, key=key[order]) if order in key else rows  # type: ignore[arg-type]

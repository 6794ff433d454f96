"""How well does the judge agree with the reference, beyond chance?"""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import streamlit as st

from metrics.analyses.agreement import readings
from metrics.analyses.agreement.standing import CODES, standing
from metrics.analyses.agreement.tables import counted
from metrics.analyses.cautions import TUNING_ITEMS
from metrics.analyses.provenance import citation, header
from metrics.analyses.records import AgreementReport, JudgeReport
from metrics.data.abstention import MODE_NAMES, Mode
from metrics.data.aggregation import LEVEL_NAMES, LEVELS
from metrics.data.nonverdicts import modes_of
from metrics.data.pairs import reference_phrase
from metrics.figures import grid
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.tables import in_full
from metrics.results.words import percent
from pages.shared import (
    as_lines,
    asking,
    bootstrap_job,
    classes,
    drilldown,
    interval_notes,
    intervals,
    opening,
    parts,
    sheets,
    stage,
    state,
)
from pages.shared.agreement import figures, numbers
from pages.shared.plain import emphasis, escape, sentence, short

MOST_WARNINGS = 3


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    request = bootstrap_job.Request(dataset, chosen, intervals.chosen(dataset))
    reports, missing = bootstrap_job.reports(request, modes_of(dataset.ratings))
    _show(request, reports, missing)


def _show(request: bootstrap_job.Request, reports: dict[Mode, AgreementReport], missing: list[Mode]) -> None:
    dataset, chosen = request.dataset, request.chosen
    report = reports[chosen.mode]
    judge = report.judges[chosen.judge]
    metric = numbers.metric_of(dataset)
    parts.sample_note_at_desk(dataset)
    parts.declaration(header(report, chosen.judge, chosen.level, metric), citation(report, chosen.judge, chosen.level, metric))
    bar = bootstrap_job.status(request, missing) if missing else None
    drawings: list[Callable[[], None]] = [
        lambda: figures.mosaic(dataset, chosen, judge),
        lambda: _grid(request, reports, metric),
        lambda: figures.criteria(dataset, chosen, judge, metric),
    ]
    if state.in_room_view():
        stage.one_at_a_time([lambda: parts.headline(numbers.headline(report, chosen)), *drawings])
        bootstrap_job.go_on(request, missing, reports, bar)
        return
    parts.headline(numbers.headline(report, chosen))
    _first(report, judge)
    interval_notes.interval_notes(judge.level(chosen.level), numbers.headline_keys(judge.level(chosen.level), chosen))
    _empty(judge, chosen)
    parts.side_by_side({"wide_mosaic": drawings[0], "wide_grid": drawings[1]})
    drawings[2]()
    _warnings(report)
    interval_notes.undefined_replicates(judge)
    with sheets.unfolded("Table of criteria: counts, rates and coefficients", "agreement.table") as seen:
        if seen:
            _table(judge)
    if len(judge.micro.labels) > 2:
        _classes(dataset, chosen)
    drilldown.section(dataset, chosen, judge.level(chosen.level).labels)
    _downloads(request)
    as_lines.section(dataset, numbers.view(dataset, judge, chosen, request.settings(chosen.mode)))
    bootstrap_job.go_on(request, missing, reports, bar)


def _question(chosen: state.Choices | None) -> str:
    dataset = state.dataset()
    if chosen is None or dataset is None:
        return "How well does a judge agree with people, beyond chance?"
    reference_name = reference_phrase(dataset.ratings, chosen.reference, article=True)
    reference = f"**{short(chosen.reference)}**" if reference_name == chosen.reference else escape(reference_name)
    return f"How well does **{short(chosen.judge)}** agree with {reference}, beyond chance?"


def _empty(judge: JudgeReport, chosen: state.Choices) -> None:
    block = judge.item if chosen.level == "item" else judge.micro
    if block.n:
        return
    reason = block.undefined.get("kappa", "no decision is left")
    control = "*Average over*" if chosen.level == "item" else "*Abstentions*"
    st.warning(f"No decision is left: {escape(reason)}. Choose otherwise under {control}.", icon=":material/warning:")


def _grid(request: bootstrap_job.Request, reports: dict[Mode, AgreementReport], metric: str) -> None:
    record, chosen, wanted = BY_KEY[metric], request.chosen, request.wanted
    judges = [report.judges[chosen.judge] for report in reports.values()]
    cells = [[figures.cell_of(judge.level(level), metric) for level in LEVELS] for judge in judges]
    values, coverage = [[cell.value for cell in row] for row in cells], judges[0].coverage
    same = readings.same_everywhere(values, coverage)
    drawn = "number" if same else "dot"
    line = f"{drawn}: estimate"
    if wanted.method != "none":
        line = f"{drawn} and {'brackets' if same else 'line'}: estimate and {percent(wanted.confidence)} interval"
    with parts.heading(
        f"{record.symbol} by abstention handling and averaging", line + bootstrap_job.row_note(request, list(reports))
    ):
        st.selectbox(
            "Coefficient",
            numbers.metrics_of(request.dataset),
            format_func=lambda key: BY_KEY[key].name,
            key=numbers.METRIC,
            label_visibility="collapsed",
            width=200,
            **asking.BOUND,
        )
    if same:
        declared = judges[list(reports).index(chosen.mode)].level(chosen.level)
        blocks = [declared, *(judge.level(level) for judge in judges for level in LEVELS)]
        estimate = next(block[metric] for block in blocks if not math.isnan(block.values.get(metric, math.nan)))
        st.markdown(f"**{record.symbol} {escape(words.estimate(estimate, record.unit))}**")
    else:
        _nine(request, reports, cells, metric)
    parts.reading(readings.grid_reading(values, metric, coverage, emphasis(chosen.judge)))


def _nine(request: bootstrap_job.Request, reports: dict[Mode, AgreementReport], cells: list[list[Estimate]], metric: str) -> None:
    chosen, modes = request.chosen, list(reports)
    heads = [MODE_NAMES[mode] for mode in modes]
    heads[0] += f", coverage {percent(reports[modes[0]].judges[chosen.judge].coverage.coverage)}"
    facts = {
        "symbol": BY_KEY[metric].symbol,
        "declared": (modes.index(chosen.mode), LEVELS.index(chosen.level)),
        "row_heads": heads,
        "columns": [LEVEL_NAMES[level] for level in LEVELS],
    }
    parts.drawing("agreement.grid", grid.choice_grid, grid.alt, cells, on_select=lambda: _choose(chosen, modes), **facts)


def _choose(chosen: state.Choices, modes: list[Mode]) -> None:
    """A click on the grid is a choice of the sidebar."""
    spot = parts.clicked("agreement.grid", (chosen.mode, chosen.level))
    if spot is not None:
        st.session_state["mode"], st.session_state["level"] = modes[spot[0]], LEVELS[spot[1]]


def _first(report: AgreementReport, judge: JudgeReport) -> None:
    """What a reader must know before the numbers."""
    for warning in standing(judge, report.declaration.confidence):
        st.warning(sentence(warning.message), icon=":material/warning:")


def _warnings(report: AgreementReport) -> None:
    messages = [warning.message for warning in report.warnings if warning.code not in (*CODES, TUNING_ITEMS)]
    for message in messages[:MOST_WARNINGS]:
        st.warning(sentence(message), icon=":material/warning:")
    if len(messages) > MOST_WARNINGS:
        with st.expander(f"{len(messages) - MOST_WARNINGS} more notes on these numbers"):
            for message in messages[MOST_WARNINGS:]:
                st.markdown(f"- {sentence(message)}")


def _table(judge: JudgeReport) -> None:
    frame = in_full(counted(judge, keys_at("table of two" if len(judge.micro.labels) == 2 else "table of many")))
    st.dataframe(**sheets.numbers(frame), key="agreement.table", alt="Table of criteria")
    st.markdown("TP: both say the positive label. FN: the human alone. FP: the judge alone. TN: both say the negative label.")
    sheets.download("Table of criteria (CSV)", lambda: frame, "criteria.csv", "agreement.table_csv")


def _classes(dataset: state.Dataset, chosen: state.Choices) -> None:
    st.header("Each class against the rest", anchor=False)
    golden = classes.of_judge(dataset, chosen)
    st.markdown(f":small[pooled decisions of {short(chosen.judge)} · reference, judge: decisions in the class · J one-vs-rest]")
    classes.table(golden, "agreement.classes")
    classes.note(golden)


def _downloads(request: bootstrap_job.Request) -> None:
    whole = bootstrap_job.everyone(request)
    with st.container(horizontal=True):
        sheets.download("All numbers of all judges (CSV)", lambda: whole().to_frame(), "agreement.csv", "agreement.csv")
        text = lambda: json.dumps(whole().to_dict(), ensure_ascii=False, indent=1)  # noqa: E731
        parts.download("The same as JSON", text, "agreement.json", "agreement.json", "application/json")


opening.page(_question(state.choices()), answer)

"""How well does the judge agree with the reference, beyond chance?"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.analyses.agreement import readings
from metrics.analyses.agreement.standing import CODES, standing
from metrics.analyses.agreement.tables import counted
from metrics.analyses.leading import leading
from metrics.analyses.provenance import citation, header
from metrics.analyses.records import AgreementReport, Block, JudgeReport
from metrics.data.abstention import MODE_NAMES, Mode
from metrics.data.aggregation import LEVEL_NAMES, LEVELS
from metrics.data.nonverdicts import modes_of
from metrics.data.pairs import reference_phrase
from metrics.data.scales import scales_of
from metrics.figures import confusion, dots, grid
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA, keys_at
from metrics.results.tables import in_full
from metrics.results.words import p3, percent
from pages.shared import (
    asking,
    bootstrap_job,
    classes,
    drilldown,
    interval_notes,
    intervals,
    opening,
    parts,
    sheets,
    state,
    to_lab,
)
from pages.shared.abstention.price import kappa_headline
from pages.shared.plain import emphasis, escape, sentence, short

METRIC, SORT = "agreement.metric", "agreement.sort"
METRICS = keys_at("page")
SORTS = ("As in the file", "Lowest first", "Highest first", "Rarest positive first", "Most decisions first", "By name")
MOST_WARNINGS = 3


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    request = bootstrap_job.Request(dataset, chosen, intervals.chosen(dataset))
    reports, missing = bootstrap_job.reports(request, modes_of(dataset.ratings))
    _show(request, reports, missing)


def _show(request: bootstrap_job.Request, reports: dict[Mode, AgreementReport], missing: list[Mode]) -> None:
    dataset, chosen = request.dataset, request.chosen
    report = reports[chosen.mode]
    judge = report.judges[chosen.judge]
    room = state.in_room_view()
    metric = _metric(dataset)
    if not room:
        parts.sample_note(dataset)
    parts.declaration(header(report, chosen.judge, chosen.level, metric), citation(report, chosen.judge, chosen.level, metric))
    bar = bootstrap_job.status(request, missing) if missing else None
    drawings: list[Callable[[], None]] = [
        lambda: _mosaic(dataset, chosen, judge),
        lambda: _grid(request, reports, metric),
        lambda: _criteria(dataset, chosen, judge, metric),
    ]
    if room:
        parts.one_at_a_time([lambda: parts.headline(_headline(report, chosen)), *drawings])
        bootstrap_job.go_on(request, missing, reports, bar)
        return
    parts.headline(_headline(report, chosen))
    _first(report, judge)
    interval_notes.interval_notes(judge.level(chosen.level), _headline_keys(judge.level(chosen.level), chosen))
    _empty(judge, chosen)
    parts.side_by_side({"wide_mosaic": drawings[0], "wide_grid": drawings[1]})
    drawings[2]()
    _warnings(report)
    interval_notes.undefined_replicates(judge)
    with st.expander("Table of criteria: counts, rates and coefficients"):
        _table(judge)
    if len(judge.micro.labels) > 2:
        _classes(dataset, chosen)
    drilldown.section(dataset, chosen, judge.level(chosen.level).labels)
    _downloads(request)
    bootstrap_job.go_on(request, missing, reports, bar)


def _question(chosen: state.Choices | None) -> str:
    dataset = state.dataset()
    if chosen is None or dataset is None:
        return "How well does a judge agree with people, beyond chance?"
    reference_name = reference_phrase(dataset.ratings, chosen.reference, article=True)
    reference = f"**{short(chosen.reference)}**" if reference_name == chosen.reference else escape(reference_name)
    return f"How well does **{short(chosen.judge)}** agree with {reference}, beyond chance?"


def _metrics(dataset: state.Dataset) -> tuple[str, ...]:
    """Return metrics on offer, the scale's own first."""
    first = leading(dataset.ratings)
    return (first, *(key for key in METRICS if key != first))


def _metric(dataset: state.Dataset) -> str:
    known = _metrics(dataset)
    asked = asking.held_or_linked(METRIC, {key: BY_KEY[key].name for key in known})
    return asked if asked in known else known[0]


def _headline(report: AgreementReport, chosen: state.Choices) -> list[parts.Headline]:
    judge = report.judges[chosen.judge]
    block = judge.level(chosen.level)
    values, k = block.values, len(block.labels)
    seconds = {"kappa": _defined(block), "accuracy": f"baseline {percent(values['baseline_accuracy'])}"}
    if k == 2:
        seconds |= {"phi": f"κ/φ {p3(values['kappa_phi_ratio'])}", "drift": readings.drift_words(block, short(block.labels[0]))}
    else:
        seconds |= {"mcc_multiclass": "φ, many classes", "macro_f1": f"{k} classes", QUADRATIC_KAPPA.key: f"{k} labels in order"}
    quoted = partial(citation, report, chosen.judge, chosen.level)
    tiles = [parts.number_of(block, key, seconds[key], copied=quoted) for key in _headline_keys(block, chosen)]
    if k > 2 and chosen.mode == "as_category":
        tiles.append(kappa_headline(report, chosen.judge, f"coverage {percent(judge.coverage.coverage)}"))
    return tiles


def _headline_keys(block: Block, chosen: state.Choices) -> list[str]:
    """Return the metrics of the headline; macro-F1 stands for classes that have neither an order nor abstentions among them."""
    keys = [key for key in keys_at("headline", len(block.labels)) if key in block.values]
    classes = len(block.labels) > 2 and QUADRATIC_KAPPA.key not in keys and chosen.mode != "as_category"
    return keys if classes else [key for key in keys if key != "macro_f1"]


def _defined(block: Block) -> str:
    """Return in how many criteria κ is defined, where it is a mean over them and some are missing."""
    defined, of = block["kappa"].of or (0, 0)
    return "" if defined == of else f"{defined} of {of} criteria"


def _empty(judge: JudgeReport, chosen: state.Choices) -> None:
    block = judge.item if chosen.level == "item" else judge.micro
    if block.n:
        return
    reason = block.undefined.get("kappa", "no decision is left")
    control = "*Count by*" if chosen.level == "item" else "*When someone gives no verdict*"
    st.warning(f"No decision is left: {escape(reason)}. Loosen {control}.", icon=":material/warning:")


def _mosaic(dataset: state.Dataset, chosen: state.Choices, judge: JudgeReport) -> None:
    block = judge.item if chosen.level == "item" else judge.micro
    unit = "items" if chosen.level == "item" else "decisions"
    with parts.heading("Where do judge and human part?", f"area = {unit} · row = human · split = judge"):
        pass
    if block.confusion is None or (chosen.level == "item" and not block.n):
        st.markdown(f"No table to draw: {escape(block.undefined.get('kappa', 'no decision is left'))}.")
        return
    third = len(block.labels) - 1 if chosen.mode == "as_category" else None
    chart = confusion.mosaic(
        block.confusion,
        block.labels,
        theme=parts.theme(),
        abstention=third,
        selected=drilldown.selected_cell(),
        scale=parts.scale(),
        unit=unit,
        named=scales_of(dataset.ratings).named_errors,
    )
    alt = confusion.alt(block.confusion, block.labels, abstention=third, unit=unit)
    parts.figure(chart, "agreement.mosaic", alt, on_select=lambda: drilldown.cell_clicked((dataset.id, chosen)))
    hint = " Select a cell to list what is in it." if dataset.ratings.has_items and not state.in_room_view() else ""
    parts.reading(readings.confusion_reading(block, unit=unit, name=emphasis) + hint)
    to_lab.open_choices(dataset, chosen)
    if chosen.level == "macro":
        st.markdown("Macro averages over the criteria and has no table of its own: this one pools the decisions of all criteria.")
    if not state.in_room_view():
        with st.expander("The same as a table: counts and row shares"):
            parts.confusion_table(block, "agreement.mosaic_csv")


def _grid(request: bootstrap_job.Request, reports: dict[Mode, AgreementReport], metric: str) -> None:
    symbol, chosen, wanted = BY_KEY[metric].symbol, request.chosen, request.wanted
    line = f"dot and line: estimate and {percent(wanted.confidence)} interval" if wanted.method != "none" else "dot: estimate"
    line += bootstrap_job.row_note(request, list(reports))
    with parts.heading(f"{symbol} under every choice of mode and level", line):
        st.selectbox(
            "Coefficient",
            _metrics(request.dataset),
            format_func=lambda key: BY_KEY[key].name,
            key=METRIC,
            label_visibility="collapsed",
            width=200,
            **asking.BOUND,
        )
    modes = list(reports)
    judges = [reports[mode].judges[chosen.judge] for mode in modes]
    cells = [[_cell(judge.level(level), metric) for level in LEVELS] for judge in judges]
    coverage = judges[0].coverage
    heads = [MODE_NAMES[mode] for mode in modes]
    heads[0] += f", coverage {percent(coverage.coverage)}"
    look = {
        "symbol": symbol,
        "declared": (modes.index(chosen.mode), LEVELS.index(chosen.level)),
        "row_heads": heads,
        "columns": [LEVEL_NAMES[level] for level in LEVELS],
    }
    chart = grid.choice_grid(cells, theme=parts.theme(), scale=parts.scale(), **look)
    parts.figure(chart, "agreement.grid", grid.alt(cells, **look), on_select=lambda: _choose(chosen, modes))
    values = [[cell.value for cell in row] for row in cells]
    parts.reading(readings.grid_reading(values, metric, coverage, emphasis(chosen.judge)))


def _cell(block: Block, metric: str) -> grid.GridCell:
    if metric in block.values:
        low, high = block[metric].ends or (None, None)
        return grid.GridCell(block.values[metric], low, high, block.undefined.get(metric, ""))
    if metric == QUADRATIC_KAPPA.key:
        return grid.GridCell(math.nan, note="takes ordered labels alone")
    wanted = "two" if BY_KEY[metric].classes == "two" else "more than two"
    return grid.GridCell(math.nan, note=f"needs {wanted} classes")


def _choose(chosen: state.Choices, modes: list[Mode]) -> None:
    """A click on the grid is a choice of the sidebar."""
    spot = parts.clicked("agreement.grid", (chosen.mode, chosen.level))
    if spot is not None:
        st.session_state["mode"], st.session_state["level"] = modes[spot[0]], LEVELS[spot[1]]


def _criteria(dataset: state.Dataset, chosen: state.Choices, judge: JudgeReport, metric: str) -> None:
    two = len(judge.micro.labels) == 2
    with parts.heading(f"{BY_KEY[metric].symbol} by criterion", f"n decisions{', π share the human called positive' * two}"):
        if len(judge.criteria) > 1:
            st.selectbox("Sort criteria", SORTS, key=SORT, label_visibility="collapsed", width=200, **asking.BOUND)
    rows = _sorted([_row(name, block, metric) for name, block in judge.criteria.items()])
    chosen_row = next((place for place, row in enumerate(rows) if row.name == st.session_state.get(drilldown.CRITERION)), None)
    symbol = BY_KEY[metric].symbol
    chart = dots.criteria_dots(rows, theme=parts.theme(), symbol=symbol, selected=chosen_row, scale=parts.scale())
    parts.figure(
        chart,
        "agreement.criteria",
        dots.alt(rows, symbol=symbol),
        on_select=lambda: drilldown.criterion_clicked([row.name for row in rows], (dataset.id, chosen)),
    )
    if all(metric in block.values for block in judge.criteria.values()):
        parts.reading(readings.criteria_reading(judge.criteria, metric, name=emphasis))


def _row(name: str, block: Block, metric: str) -> dots.DotRow:
    cell = _cell(block, metric)
    return dots.DotRow(
        name,
        cell.value,
        cell.low,
        cell.high,
        n=block.n or 0,
        prevalence=block.values.get("prevalence", math.nan),
        degenerate=block.degenerate,
        reason=cell.note or readings.one_sided_words(block) or None,
    )


def _sorted(rows: list[dots.DotRow]) -> list[dots.DotRow]:
    key: dict[str, Callable[[dots.DotRow], object]] = {
        "Lowest first": lambda row: (math.isnan(row.value), row.value),
        "Highest first": lambda row: (math.isnan(row.value), -row.value),
        "Rarest positive first": lambda row: (math.isnan(row.prevalence), row.prevalence),
        "Most decisions first": lambda row: -row.n,
        "By name": lambda row: row.name.casefold(),
    }
    order = st.session_state.get(SORT)
    return sorted(rows, key=key[order]) if order in key else rows  # type: ignore[arg-type]


def _first(report: AgreementReport, judge: JudgeReport) -> None:
    """What a reader must know before the numbers."""
    for warning in standing(judge, float(str(report.declaration.interval["confidence"]))):
        st.warning(sentence(warning.message), icon=":material/warning:")


def _warnings(report: AgreementReport) -> None:
    messages = [warning.message for warning in report.warnings if warning.code not in CODES]
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


opening.page("Agreement", _question(state.choices()), answer)

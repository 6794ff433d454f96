"""Coverage and bounds: accuracy against coverage, and how far the number could have moved."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.analyses.abstention import provenance, readings, readings_tradeoff
from metrics.analyses.abstention.selective import Curve
from metrics.analyses.abstention.tables import Columns, bounds_table, curve_table, tradeoff_table
from metrics.analyses.records import AgreementReport, Block
from metrics.figures.bounds import BoundRow, bound_bands
from metrics.figures.bounds import alt as bounds_alt
from metrics.figures.tradeoff import TradeCurve, TradePoint, trade
from metrics.figures.tradeoff import alt as trade_alt
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.results.estimate import Estimate
from metrics.results.tables import Table, as_text, in_full, selected, with_interval_columns
from metrics.results.words import UNDEFINED, bounds, number, percent, several
from pages.shared import parts, sheets, state
from pages.shared.abstention.answers import ModeReports, bounds_of, curve_of, points_of, together_of
from pages.shared.plain import emphasis, escape, escaped

HEADS = {
    "metric": "metric", "value": "value", "worst_case": "worst case", "best_case": "best case", "reason": "why none",
}  # fmt: skip
DRAWN = keys_at("bounds drawn")
POINTS, BANDS = "abstention.trade", "abstention.bounds"
KAPPA_HELP = "κ of “gave a verdict”: do judge and reference leave the same decisions open? 1 is perfect, 0 is chance."
HANDLED = "Ties, invalid answers and failed calls count here as what they are: no verdict."
GAPS_HANDLED = "Ties, invalid answers and failed calls count here as chosen: one that is left out or given a label is not open."
TWO_CLASSES = "With more than two labels only accuracy has bounds: for the other numbers they are not worked out."


def drawings(asked: ModeReports) -> list[Callable[[], None]]:
    """Return the figures, one at a time in the room."""
    return [lambda: _trade(asked), lambda: _bounds(asked)]


def section(asked: ModeReports) -> None:
    _coverage(asked)
    parts.side_by_side(dict(zip(("wide_trade", "wide_bounds"), drawings(asked), strict=True)))
    if asked.level == "item":
        _items(asked)
    _tables(asked)


def _coverage(asked: ModeReports) -> None:
    """Joint, judge and human coverage, and why one is not the product of the others."""
    joint = together_of(asked)
    ends = bounds(joint.kappa.ends, without="no interval")
    where = asked.reports["exclude"], asked.judge
    kappa = kappa_headline(*where, ends, ends=joint.kappa.ends, confidence=asked.settings.confidence)
    card_by_side = {
        "joint": (percent(joint.joint), "both gave a verdict", "Exclude speaks only of these."),
        "judge": (percent(joint.judge), "the judge gave one", "Whatever the human did."),
        "human": (percent(joint.human), "the human gave one", "Whatever the judge did."),
    }
    shares = [
        parts.Headline(f"{side.capitalize()} coverage", *shown, citation=provenance.coverage(*where, joint, side))
        for side, shown in card_by_side.items()
    ]
    parts.headline([*shares, kappa])
    parts.reading(readings.coverage_reading(joint, asked.silent))
    _handled(asked)


def kappa_headline(
    report: AgreementReport, judge: str, second: str, *, ends: tuple[float, float] | None = None, confidence: float = 0.95
) -> parts.Headline:
    """Return κ of “gave a verdict”, with the reason where it tells nothing."""
    coverage = report.judges[judge].coverage
    value, why = coverage.abstention_kappa, coverage.abstention_kappa_reason
    reason, third = (why, "") if math.isnan(value) else ("", why)
    quote = provenance.abstention_kappa(report, judge, ends=ends, confidence=confidence)
    return parts.Headline("Abstention κ", number(value), second, KAPPA_HELP, reason, third, quote)


def _handled(asked: ModeReports, note: str = HANDLED) -> None:
    if asked.ratings.scheme.handling:
        st.markdown(note)


def _trade(asked: ModeReports) -> None:
    points, curve = points_of(asked), curve_of(asked)
    drawn_curve = None if isinstance(curve, str) else curve
    below = "every judge, all decisions" if len(points) > 1 else "all decisions"
    parts.lone_heading("Accuracy against coverage", f"accuracy where both answer · {below}")
    micro = asked.reported.micro
    places = [
        _point(traded.judge, traded.coverage, traded.accuracy, traded.n, micro if traded.judge == asked.judge else None)
        for traded in points
    ]
    judge_place = next(i for i, traded in enumerate(points) if traded.judge == asked.judge)
    line = None if drawn_curve is None else _line(asked.judge, drawn_curve)
    names = [traded.judge for traded in points]
    if len(names) > 1 or line is not None or points[judge_place].coverage < 1:
        # A click on a judge is a choice of the sidebar.
        choose = partial(parts.take_click, POINTS, (asked.request.dataset.id, asked.judge), names, "judge")
        select = choose if len(names) > 1 else None
        parts.drawing(POINTS, trade, trade_alt, places, judge_place, line, on_select=select)
    parts.reading(readings_tradeoff.tradeoff_reading(points, asked.judge, drawn_curve, level=asked.level, name=emphasis))
    _handled(asked)
    if state.in_room_view():
        return
    if drawn_curve is not None:
        st.markdown(f":small[{escape(readings_tradeoff.curve_note(drawn_curve, asked.ratings.scheme.classes[0]))}]")
    else:
        st.markdown(f":small[{escape(f'No curve: {curve}.')}]")


def _point(judge: str, coverage: float, accuracy: float, n: int, block: Block | None) -> TradePoint:
    interval = None if block is None or block.n != n else block["accuracy"].interval
    return TradePoint(judge, coverage, Estimate(accuracy, interval), n)


def _line(judge: str, curve: Curve) -> TradeCurve:
    return TradeCurve(judge, curve.coverage.tolist(), curve.accuracy.tolist())


def _bounds(asked: ModeReports) -> None:
    metric_bounds, block = bounds_of(asked), asked.blocks["exclude"]
    what = "grey: from worst to best case · dot and line: as measured" + _confidence(asked)
    parts.lone_heading("Worst and best case if abstentions were resolved", what)
    bounds_by_key = metric_bounds.by_metric
    rows = [BoundRow(BY_KEY[key].symbol, block[key], bounds_by_key[key]) for key in DRAWN if key in bounds_by_key]
    if metric_bounds.n_open:
        parts.drawing(BANDS, bound_bands, bounds_alt, rows, n_open=metric_bounds.n_open, unit=asked.unit)
    key = "kappa" if "kappa" in metric_bounds.by_metric else "accuracy"
    parts.reading(escape(readings.bounds_reading(metric_bounds, key, block, asked.unit)))
    _handled(asked, GAPS_HANDLED)
    if state.in_room_view():
        return
    if "kappa" not in metric_bounds.by_metric:
        st.markdown(TWO_CLASSES)
    if asked.level == "macro" and metric_bounds.n_open:
        st.markdown("Macro: the mean of the criteria’s own bounds.")


def _confidence(asked: ModeReports) -> str:
    wanted = asked.request.wanted
    return "" if wanted.method == "none" else f", {percent(wanted.confidence)}"


def _items(asked: ModeReports) -> None:
    """Why Exclude is biased at item level."""
    block = asked.blocks["exclude"]
    parts.lone_heading(
        "Which items have verdicts on both sides?", "share of items with a verdict on both sides, by the human’s item verdict"
    )
    coverage, complete = block.more["coverage"], block.more["complete"]
    if not coverage:
        st.markdown(f"Nothing to show: {escape(next(iter(block.undefined.values()), 'no item'))}.")
        return
    by = coverage["by_reference"]
    kappa = math.nan if complete["kappa"] is None else complete["kappa"]
    quote = partial(provenance.items, asked.reports["exclude"], asked.judge)
    heads = [_share(f"Human: {escape(label)}", "decided", "Item coverage.", share,
                    partial(quote, f"item coverage where the human says {label}")) for label, share in by.items()]  # fmt: skip
    help_text = "κ on the items where neither side left any criterion open: unbiased if abstention is random, but rests on few."
    every = "Share of items with a verdict of both sides."
    heads.insert(0, _share("Item coverage", "both decided", every, coverage["coverage"], partial(quote, "item coverage")))
    n = several(complete["n"], "items")
    text = quote("κ", number(kappa), f"the {n} on which neither side left a criterion open", reason=_why(kappa))
    heads.append(parts.Headline("κ, complete items", number(kappa), n, help_text, citation=text))
    parts.headline(heads, "headline_items")
    labels, n = asked.ratings.scheme.classes, len(asked.ratings.criteria)
    parts.reading(readings.item_reading(block.more, asked.request.chosen.rule.rule, labels, criteria=n, name=emphasis))


def _share(label: str, second: str, help_text: str, share: float | None, quote: Callable[..., str]) -> parts.Headline:
    shown = UNDEFINED if share is None else percent(share)
    text = quote(shown, reason="" if share is not None else "there is no such item")
    return parts.Headline(label, shown, second, help_text, citation=text)


def _why(kappa: float) -> str:
    return "a side gives these items one label only, or there are none" if math.isnan(kappa) else ""


def _tables(asked: ModeReports) -> None:
    metric_bounds, block = bounds_of(asked), asked.blocks["exclude"]
    table = bounds_table(metric_bounds, block)
    with st.expander("The same as tables: bounds of every metric, judges, curve"):
        if table.rows:
            st.table(escaped(as_text(with_interval_columns(selected(table, HEADS)))), hide_index=True)
        _downloads(asked, table)


def _downloads(asked: ModeReports, table: Table) -> None:
    files: dict[str, tuple[Columns, str, str]] = {
        "Bounds (CSV)": (in_full(table), "bounds.csv", "abstention.bounds_csv"),
        "Judges (CSV)": (tradeoff_table(points_of(asked)), "coverage.csv", "abstention.trade_csv"),
    }
    curve = curve_of(asked)
    if not isinstance(curve, str):
        files["Curve (CSV)"] = curve_table(curve), "risk_coverage.csv", "abstention.curve_csv"
    with st.container(horizontal=True):
        for label, (columns, name, key) in files.items():
            sheets.download(label, partial(dict, columns), name, key, extra_columns=asked.provenance)

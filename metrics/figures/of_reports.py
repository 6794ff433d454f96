"""The named figures of every report: what `report.plot()` returns and a notebook shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from metrics.analyses.agreement.readings import one_sided_words
from metrics.analyses.comparison.forest import Forest
from metrics.analyses.comparison.readings import direction
from metrics.analyses.comparison.result import Comparison
from metrics.analyses.leading import read_first
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.overview.result import Overview
from metrics.analyses.overview.tables import named_relation
from metrics.analyses.raters.result import RatersReport
from metrics.analyses.records import AgreementReport, JudgeReport
from metrics.analyses.roc.provenance import area_words, negative_of, positive_of
from metrics.analyses.roc.result import MOST_THIN, RocReport, drawn_curve
from metrics.analyses.scores.result import JudgeScores, ScoresReport
from metrics.analyses.slices.result import JudgeSlices, SliceReport
from metrics.figures import control_chart, difference, distance, dots, error_table, forest, levels, roc, svg
from metrics.figures.roc_curves import Other
from metrics.figures.shapes import PAGE
from metrics.figures.traces import Figure
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA
from metrics.results.estimate import Estimate
from metrics.results.words import plain

NARROWEST = 310
"""Px for which texts are measured: a notebook may be narrow, and has another typeface than the dashboard."""

WIDE = 0.9 * PAGE
"""Px for which texts are measured: a notebook has another typeface than the dashboard."""


@dataclass(frozen=True)
class NamedFigure:
    """A figure that is drawn in a theme by `draw(theme=)`, its title, and its text alternative.

    Attributes
    ----------
    flat : bool
        Whether it has one axis, so that it can be drawn as SVG too.
    """

    title: str
    draw: Callable[..., Figure]
    alt: str
    flat: bool = True


def figures_of(report: object, judge: str = "") -> dict[str, NamedFigure]:
    """Return the figures of a report by name, the headline first; none of reports that have tables alone.

    Parameters
    ----------
    report : Report
    judge : str
        Whose figures, in a report of several; the first one's by default.
    """
    made = next((make for kind, make in _MAKERS.items() if isinstance(report, kind)), None)
    return {} if made is None else made(report, judge)


def judge_rows(report: AgreementReport) -> list[dots.DotRow]:
    """Return every judge with the κ that its scale is read by first, over all decisions."""
    return [_dot(name, part.micro[read_first(part)], part.micro.n) for name, part in report.judges.items()]


def criteria_rows(judge: JudgeReport, key: str) -> list[dots.DotRow]:
    """Return every criterion of a judge with one of its numbers.

    Parameters
    ----------
    judge : JudgeReport
    key : str
        Of the number.
    """
    rows = []
    for name, block in judge.criteria.items():
        row, prevalence = _dot(name, block[key], block.n), block["prevalence"].value
        reason = row.reason or one_sided_words(block) or None
        rows.append(replace(row, prevalence=prevalence, degenerate=block.degenerate, reason=reason))
    return rows


def forest_rows(report: Forest) -> tuple[forest.ForestRow, ...]:
    """Return every judge less the baseline, with its other readings, by weight where items have weights."""
    different = set(report.different())
    return tuple(
        _forest_row(comparison, corrected, comparison.b.name in different)
        for comparison, corrected in zip(report.against, report.decisive_p, strict=True)
    )


def _forest_row(comparison: Comparison, p: float, differs: bool) -> forest.ForestRow:
    own = comparison.b.estimate if comparison.weighted is None else comparison.weighted.b
    return forest.ForestRow(
        comparison.b.name,
        comparison.decisive[0].difference,
        value=own.value,
        p=p,
        n=comparison.n_items,
        differs=differs,
        note=own.note,
        others={name: other.difference for name, other in comparison.decisive_others.items()},
        disagree=comparison.disagree,
    )


def difference_of(comparison: Comparison) -> difference.Difference:
    """Return how far judge B is from judge A, by weight where items have weights."""
    return difference.Difference(
        comparison.a.name,
        comparison.b.name,
        comparison.decisive[0].difference,
        better=direction(comparison.metric),
        margin=comparison.margin,
        far=None if comparison.held is None or math.isnan(comparison.held.end) else comparison.held.end,
    )


def _dot(name: str, estimate: Estimate, n: int | None) -> dots.DotRow:
    return dots.DotRow(name, estimate, n or 0, reason=estimate.undefined or None)


def _dots(title: str, rows: Iterable[dots.DotRow], symbol: str, by: str = "criterion") -> NamedFigure:
    shown = list(rows)
    drawn = partial(dots.criteria_dots, shown, symbol=symbol, limits=dots.limits_of(shown))
    return NamedFigure(title, drawn, dots.alt(shown, symbol=symbol, by=by))


def _agreement(report: AgreementReport, judge: str) -> dict[str, NamedFigure]:
    chosen = report.judges[judge] if judge else next(iter(report.judges.values()))
    key = read_first(chosen)
    figures = {}
    if len(report.judges) > 1 and not judge:
        figures["judges"] = _dots(f"{BY_KEY[key].symbol} by judge", judge_rows(report), BY_KEY[key].symbol, "judge")
    if len(chosen.criteria) > 1:
        figures["criteria"] = _dots(
            f"{BY_KEY[key].symbol} of {plain(chosen.name)} by criterion", criteria_rows(chosen, key), BY_KEY[key].symbol
        )
    return figures | _confusion(chosen.name, chosen.micro.labels, chosen.micro.confusion, report, key)


def _confusion(judge: str, labels: tuple[str, ...], counts: Any, report: AgreementReport, key: str) -> dict[str, NamedFigure]:
    if counts is None or not np.asarray(counts).sum():
        return {}
    third = len(labels) - 1 if report.declaration.abstention == "as_category" else None
    look: dict[str, Any] = {"judge": judge, "abstention": third, "ordered": key == QUADRATIC_KAPPA.key}
    draw = partial(error_table.error_table, counts, labels, **look)
    return {"confusion": NamedFigure(f"Confusion matrix of {plain(judge)}", draw, error_table.alt(counts, labels, **look))}


def _overview(report: Overview, judge: str) -> dict[str, NamedFigure]:
    symbol = report.criterion_symbol
    figures = {}
    if report.judges:
        rows = (_dot(named_relation(row), row.shown.estimate, row.n) for row in report.judges)
        figures["judges"] = _dots(f"{report.symbol} by judge", rows, symbol, "judge")
    if len(report.criteria) > 1:
        rows = (_dot(row.name, row.shown, row.n) for row in report.criteria)
        figures["criteria"] = _dots(f"{symbol} by criterion", rows, symbol)
    return figures


def _comparison(report: Comparison, judge: str) -> dict[str, NamedFigure]:
    record, row = BY_KEY[report.metric], difference_of(report)
    look: dict[str, Any] = {"symbol": record.symbol, "unit": record.unit}
    title = f"{record.symbol}: {plain(row.b)} less {plain(row.a)}"
    return {"difference": NamedFigure(title, partial(difference.difference_whisker, row, **look), difference.alt(row, **look))}


def _forest(report: Forest, judge: str) -> dict[str, NamedFigure]:
    record, rows = BY_KEY[report.metric], forest_rows(report)
    look: dict[str, Any] = {"symbol": record.symbol, "unit": record.unit}
    title = f"{record.symbol}: each judge minus {plain(report.baseline)}"
    return {"forest": NamedFigure(title, partial(forest.forest, rows, **look), forest.alt(rows, report.baseline, **look))}


def _scores(report: ScoresReport, judge: str) -> dict[str, NamedFigure]:
    chosen: JudgeScores = report.judges[judge] if judge else next(iter(report.judges.values()))
    record = RECORDS[next(key for key in chosen.pooled.values if key in RECORDS)]
    rows = [levels.LevelRow(name, block[record.key]) for name, block in chosen.criteria.items()]
    rows += [levels.LevelRow("all criteria", chosen.pooled[record.key])] if len(rows) > 1 else []
    look: dict[str, Any] = {"symbol": record.symbol, "unit": record.unit if record.unit == "%" else ""}
    title = f"{record.name} of {plain(chosen.name)} by criterion"
    figures = {"criteria": NamedFigure(title, partial(levels.levels_dots, rows, **look), levels.alt(rows, **look))}
    counts, labels = chosen.pooled.confusion, chosen.pooled.labels
    if counts is not None:
        title, draw = f"Confusion matrix of {plain(chosen.name)}", partial(distance.distance_matrix, counts, labels)
        figures["confusion"] = NamedFigure(title, draw, distance.alt(counts, labels))
    return figures


def _raters(report: RatersReport, judge: str) -> dict[str, NamedFigure]:
    rows = (_dot(name, block[block.judged], block.n_items) for name, block in report.criteria.items())
    title = f"{report.gate_symbol} among the {report.role}s by criterion"
    return {"criteria": _dots(title, rows, report.gate_symbol)}


def _roc(report: RocReport, judge: str) -> dict[str, NamedFigure]:
    chosen = judge or next(iter(report.judges))
    points, curves = [], []
    for name, part in report.judges.items():
        block = part.block(None)
        if block.verdict is not None:
            fpr_of, tpr_of, j = (block.verdict[key].value for key in ("fpr", "tpr", "youden_j"))
            points.append(roc.Verdicts(name, fpr_of, tpr_of, j, chosen=name == chosen))
        if block.curve is not None and block.curve.best is not None:
            fpr, tpr, _ = drawn_curve(block.curve.tally, MOST_THIN)
            curves.append(Other(name, fpr, tpr, area_words(report, name, None)))
    look: dict[str, Any] = {"positive": positive_of(report), "negative": negative_of(report)}
    draw = partial(roc.roc_space, points, None, curves, **look)
    return {"roc": NamedFigure("ROC space", draw, roc.alt(points, None, curves, **look), flat=False)}


def _slices(report: SliceReport, judge: str) -> dict[str, NamedFigure]:
    chosen = report.judges.get(judge) if judge else next(iter(report.judges.values()), None)
    if chosen is None:
        return {}
    symbol = BY_KEY[chosen.metric].symbol
    rows = (_dot(group.value, group[chosen.metric], group.n) for group in chosen.slices)
    title = f"{symbol} of {plain(chosen.judge)} by {plain(report.by)}"
    out = {"groups": _dots(title, rows, symbol, "group")}
    if chosen.chart is not None:
        shown, centre, unit = batch_rows(chosen), chosen.chart.baseline, BY_KEY[chosen.metric].unit
        draw = partial(control_chart.control_chart, shown, centre=centre, symbol=symbol, unit=unit, width=NARROWEST)
        said = control_chart.alt(shown, centre=centre, symbol=symbol, unit=unit)
        out["control_chart"] = NamedFigure(f"{title}, over time", draw, said, flat=False)
    return out


def batch_rows(judge: JudgeSlices) -> list[control_chart.BatchRow]:
    """Return groups in the order of time, each with its limits and with what else changed before it.

    Parameters
    ----------
    judge : JudgeSlices
        With a chart.
    """
    chart = judge.chart
    assert chart is not None
    changed: dict[str, list[str]] = {}
    for change in chart.changes:
        changed.setdefault(change.value, []).append(f"{change.column} {change.after}")
    return [
        control_chart.BatchRow(
            batch.value,
            judge[batch.value][judge.metric].value,
            batch.low,
            batch.high,
            batch.outside,
            judge[batch.value].n,
            baseline=not chart.why and at < chart.n_baseline,
            changed=", ".join(changed.get(batch.value, ())),
        )
        for at, batch in enumerate(chart.batches)
    ]


_MAKERS: Mapping[type, Callable[[Any, str], dict[str, NamedFigure]]] = {
    AgreementReport: _agreement,
    Overview: _overview,
    Comparison: _comparison,
    Forest: _forest,
    ScoresReport: _scores,
    RatersReport: _raters,
    RocReport: _roc,
    SliceReport: _slices,
}


def headline_of(report: object) -> tuple[str, str]:
    """Return title and SVG of the first figure of a report that can be one; empty of reports without."""
    named = next((figure for figure in figures_of(report).values() if figure.flat), None)
    return ("", "") if named is None else (named.title, svg.svg_of(named.draw(theme="light", width=WIDE), named.alt))

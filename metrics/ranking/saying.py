"""What a ROC curve says, in sentences and as a text for the terminal."""

from __future__ import annotations

import math

from metrics import words
from metrics.declaration import Header
from metrics.intervals.scale import Interval
from metrics.ranking.calibration import Calibration
from metrics.ranking.curves import JudgeRoc, RocBlock, RocReport
from metrics.ranking.cuts import Cut
from metrics.ranking.held_out import HeldOut

METHODS = {"delong": "DeLong", "jackknife": "item jackknife", "newcombe": "Newcombe", "dirichlet": "Dirichlet", "mover": "MOVER"}
NOT_CALIBRATED = 0.05
POINTS_ONLY = "These judges give verdicts, not scores, so each is one point. A score column draws the curve."


def header(report: RocReport, judge: str, criterion: str | None) -> Header:
    """What stands above the numbers of one judge."""
    d, its = report.declaration, report.judges[judge]
    block = its.block(criterion)
    many = f"on {words.shorten(criterion)}" if criterion else f"pooled over {words.count(len(d.criteria))} criteria"
    over = many if len(d.criteria) > 1 else ""
    what = f"{positive_of(report)} where score ≥ cut" if block.scored else "verdicts, no scores"
    bold = " · ".join(part for part in (d.scale.capitalize(), what, over) if part)
    reference = {"majority": "majority of the humans", "unanimous": "what all humans agree on"}.get(d.reference, d.reference)
    lost = f", {words.count(its.n_open)} without a verdict of the reference left out" if its.n_open and criterion is None else ""
    rest = f"Reference: {reference}. {words.count(block.n)} decisions{lost}. {_method(report, block)}"
    return Header(f"{bold}.", rest.strip(), d.file, d.sha256[:4])


def positive_of(report: RocReport) -> str:
    """The user's word for the positive label."""
    return next(iter(report.declaration.labels["positive"]), "positive")


def negative_of(report: RocReport) -> str:
    """The user's word for the negative label."""
    return next(iter(report.declaration.labels["negative"]), "negative")


def cut_words(threshold: float) -> str:
    """A cut in words: "score ≥ 0.25"; above every score it calls nothing positive."""
    return "a cut above every score" if math.isinf(threshold) else f"score ≥ {score_words(threshold)}"


def score_words(value: float) -> str:
    """A score with as many digits as tell it from its neighbours in practice."""
    return f"{value:.4g}".replace("-", words.MINUS)


def short_cut(threshold: float) -> str:
    """A cut as a number: 0.25, or ∞ where nothing is called positive."""
    return words.number(threshold) if math.isinf(threshold) else score_words(threshold)


def copied(report: RocReport, judge: str, criterion: str | None) -> str:
    """The number of the page with everything needed to quote it."""
    block, head = report.judges[judge].block(criterion), header(report, judge, criterion)
    told = f"{words.plain(judge)}: {head.bold.rstrip('.')}; {head.rest.rstrip('.')}; {head.file}"
    curve = block.curve
    if curve is None:
        point = block.verdict
        j = words.UNDEFINED if point is None else words.number(point.value("youden_j")) + _after(point.ends("youden_j"))
        return f"J = {j} ({told})"
    area = words.number(curve.area) + _after(None if curve.interval is None else curve.interval.ends)
    its = report.judges[judge].mean
    mean = f", mean over criteria {words.number(its.area)}" if criterion is None and its.defined[1] > 1 else ""
    return f"AUC = {area}{mean} ({told})"


def reading(report: RocReport, judge: str, criterion: str | None) -> str:
    """What one judge's point and curve say."""
    block, name = report.judges[judge].block(criterion), words.shorten(judge)
    parts = [_point(report, name, block.verdict)] if block.verdict is not None else []
    if block.curve is not None:
        parts.append(_held_out(block.curve.held_out, block.curve.best, block.curve.why_undefined))
    return " ".join(part for part in parts if part) or f"{name} has no decision here."


def cut_reading(report: RocReport, cut: Cut) -> str:
    """What happens at a cut."""
    tpr, fpr, j = cut.value("tpr"), cut.value("fpr"), cut.value("youden_j")
    if math.isnan(j):
        return f"at {cut_words(cut.threshold)} J is undefined: the reference lacks a class here."
    found, alarms = words.percent(tpr), words.percent(fpr)
    called = f" It calls nothing {positive_of(report)}." if tpr == fpr == 0 else ""
    what = f"finds {found} of {positive_of(report)} and raises {alarms} false alarms, J {words.number(j)}"
    return f"{cut_words(cut.threshold)} {what}.{called}"


def area_reading(report: RocReport, judge: str, criterion: str | None) -> str:
    """What the area says, with the mean over criteria beside a pooled one."""
    its = report.judges[judge]
    curve = its.block(criterion).curve
    if curve is None:
        return ""
    if math.isnan(curve.area):
        return f"AUC is undefined: {curve.why_undefined}."
    drawn = f"of one {positive_of(report)} and one {negative_of(report)} drawn at random"
    pair = f"{drawn} the first has the higher score in {words.percent(curve.area)} of cases"
    how = _against_chance(curve.interval)
    if criterion is not None or len(its.criteria) == 1:
        return f"{pair}{how}."
    defined, of = its.mean.defined
    mean = f"the mean over {defined} of {of} criteria is {words.number(its.mean.area)}"
    gap = curve.area - its.mean.area
    if abs(gap) < 0.005:
        return f"{pair}{how}; {mean}, so pooling changes nothing."
    why = "knowing which criterion is easy helps" if gap > 0 else "a score does not mean the same on every criterion"
    return f"{pair}{how}, pooled; {mean}: {why}."


def calibration_reading(report: RocReport, found: Calibration) -> str:
    """Whether scores may be read as probabilities."""
    gap = found.prevalence - found.mean_score
    promised, happened = words.percent(found.mean_score), words.percent(found.prevalence)
    promise = f"the scores promise {promised} {positive_of(report)}, the reference says {happened}"
    side = "too low on the whole" if gap > 0 else "too high on the whole"
    if math.isnan(found.p):
        why = (
            ""
            if math.isnan(found.kuiper_scaled)
            else f" Kuiper’s distance is {words.number(found.kuiper)}; no p value, because {found.why_no_p}."
        )
        return f"{promise}.{why}"
    test = f"Kuiper’s distance {words.number(found.kuiper)}, p {words.p3(found.p)}"
    if found.p > NOT_CALIBRATED:
        return f"{promise}; chance alone would often leave as much ({test})."
    off = f"the scores are {side}" if abs(gap) > found.kuiper / 2 else "they are too high in one place and too low in another"
    return f"{promise}: as probabilities {off} ({test})."


def summary(report: RocReport) -> str:
    """Every judge and criterion, and the warnings."""
    lines = [_text_of(report, its) for its in report.judges.values()]
    if report.warnings:
        lines.append("\n".join(["Note", *(f"  {warning.message}" for warning in report.warnings)]))
    return "\n\n".join(lines)


def _method(report: RocReport, block: RocBlock) -> str:
    interval = block.curve.interval if block.curve is not None else block.verdict and block.verdict.intervals.get("youden_j")
    if not interval:
        return "No intervals."
    first, _, second = interval.method.partition("+")
    kind = METHODS.get(first, first) + (f" widened by {METHODS.get(second, second)} (few items of a class)" if second else "")
    return f"Intervals {words.percent(report.settings.confidence)}, {kind}."


def _point(report: RocReport, name: str, cut: Cut | None) -> str:
    if cut is None:
        return ""
    j = cut.value("youden_j")
    if math.isnan(j):
        return f"J of {name} is undefined: the reference lacks a class here."
    ends = cut.ends("youden_j")
    chance = " It cannot be told from guessing." if ends is not None and ends[0] <= 0 <= ends[1] else ""
    worse = " That is worse than guessing." if ends is not None and ends[1] < 0 else ""
    found, alarms = words.percent(cut.value("tpr")), words.percent(cut.value("fpr"))
    return (
        f"{name} finds {found} of {positive_of(report)} and raises {alarms} false alarms, J {words.number(j)} "
        f"{words.interval(ends)}.{chance}{worse}"
    ).replace(f" {words.UNDEFINED}.", ".")


def _held_out(found: HeldOut | str, best: Cut | None, why: str) -> str:
    if best is None:
        return f"No cut can be judged: {why}."
    if isinstance(found, str):
        mine = words.number(best.value("youden_j"))
        return f"The best cut reaches J {mine} on the items that chose it; nothing is held out: {found}."
    mine, theirs = words.number(found.in_sample_j), words.number(found.cut.value("youden_j"))
    luck = "believe the second" if found.loss > 0.005 else "nothing was lost on items that did not choose it"
    return f"The best cut reaches J {mine} on the items that chose it and {theirs} on the others: {luck}."


def _against_chance(interval: Interval | None) -> str:
    ends = None if interval is None else interval.ends
    if ends is None:
        return ""
    if ends[0] <= 0.5 <= ends[1]:
        return ", which guessing could do"
    return ", less often than guessing" if ends[1] < 0.5 else ""


def _text_of(report: RocReport, its: JudgeRoc) -> str:
    columns = ("AUC", "best cut", "J there", "J held out", "J of verdicts")
    rows: list[tuple[str, tuple[str, ...]]] = [(f"{'':<28}{'n':>9}", columns)]
    for name, block in its.blocks():
        if block is not its.pooled or len(its.criteria) > 1:
            label = "pooled" if block is its.pooled else words.shorten(name, 27)
            rows.append((f"{label:<28}{words.count(block.n):>9}", _cells(block)))
    defined, of = its.mean.defined
    if of > 1 and defined:
        area = words.number(its.mean.area) + _after(None if its.mean.interval is None else its.mean.interval.ends)
        label = f"mean over {defined} of {of} criteria"
        rows.append((f"{label:<28}{'':>9}", (area, "", words.number(its.mean.youden_j), "", "")))
    table = [f"  {first}" + "".join(f"{cell:>22}" for cell in rest) for first, rest in rows]
    said = f"  Read this as: {reading(report, its.name, None)}"
    return "\n".join([its.name, f"  {header(report, its.name, None).text()}", "", *table, "", said])


def _cells(block: RocBlock) -> tuple[str, ...]:
    curve, point = block.curve, block.verdict
    own = words.UNDEFINED if point is None else words.number(point.value("youden_j")) + _after(point.ends("youden_j"))
    if curve is None:
        return (*[words.UNDEFINED] * 4, own)
    area = words.number(curve.area) + _after(None if curve.interval is None else curve.interval.ends)
    if curve.best is None:
        return (area, *[words.UNDEFINED] * 3, own)
    held = curve.held_out
    out = words.UNDEFINED
    if isinstance(held, HeldOut):
        out = words.number(held.cut.value("youden_j")) + _after(held.cut.ends("youden_j"))
    return area, short_cut(curve.best.threshold), words.number(curve.best.value("youden_j")), out, own


def _after(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f" {words.interval(ends)}"

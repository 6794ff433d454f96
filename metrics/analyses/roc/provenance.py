"""What stands above a ROC curve, and what is copied with a number of it."""

from __future__ import annotations

import math

import numpy as np

from metrics.analyses.provenance import Header, citation_line, columns_of, interval_words
from metrics.analyses.roc.held_out import HeldOut
from metrics.analyses.roc.result import RocBlock, RocReport
from metrics.analyses.roc.tallies import ScoreTally
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results import words

SMALLEST, LARGEST = 1e-6, 1e15
"""Between them a cut is written without an exponent."""
NONE_BETTER = "no threshold does better than chance on these decisions"


def header(report: RocReport, judge: str, criterion: str | None) -> Header:
    """Return what stands above the numbers of one judge.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all of them together.
    """
    d, block = report.declaration, report.judges[judge].block(criterion)
    many = f"on {words.shorten(criterion)}" if criterion else f"pooled over {words.count(len(d.criteria))} criteria"
    over = many if len(d.criteria) > 1 else ""
    bold = d.scale_words(criterion).capitalize(), _rests_on(report, block), over
    rest = f"Reference: {d.reference_words()}. {_extent(block)} {_method(report, block)} {_held_out(report, block)}"
    columns = columns_of(d, judge=judge, level="pooled" if criterion is None else f"on {criterion}", coverage=block.coverage)
    return Header.of(d, bold, rest, columns, judge)


def positive_of(report: RocReport) -> str:
    """Return the user's word for the positive label, or all of them."""
    return words.either(report.declaration.labels["positive"]) or "positive"


def negative_of(report: RocReport) -> str:
    """Return the user's word for the negative label, or all of them."""
    return words.either(report.declaration.labels["negative"]) or "negative"


def cut_words(threshold: float, tally: ScoreTally) -> str:
    """Return a cut in words: "score ≥ 0.25"; beyond every score it calls nothing positive."""
    if math.isinf(threshold):
        return f"a threshold {'above' if tally.direction == 'higher' else 'below'} every score"
    return f"score {'≥' if tally.direction == 'higher' else '≤'} {short_cut(threshold, tally)}"


def short_cut(threshold: float, tally: ScoreTally) -> str:
    """Return a cut as a number that calls the same scores positive: 0.25, or ∞ where nothing is called positive."""
    if math.isinf(threshold):
        return words.number(threshold)
    short = tally.written(threshold) + 0.0  # no minus before a zero
    plain = not short or SMALLEST <= abs(short) < LARGEST
    text = np.format_float_positional(short, trim="-") if plain else repr(short)
    return text.replace("-", words.MINUS)


def citation(report: RocReport, judge: str, criterion: str | None) -> str:
    """Return the number of the page with everything needed to quote it: AUC, or J of the verdicts where there are no scores.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all of them together.

    Returns
    -------
    str
        With the reason in the place of a number that is undefined.
    """
    block = report.judges[judge].block(criterion)
    if block.curve is None:
        return verdict_citation(report, judge, criterion, "youden_j")
    area, mean_curve = block.curve.area, report.judges[judge].mean
    mean = (
        f"mean over criteria {words.number(mean_curve.area.value)}"
        if criterion is None and len(report.judges[judge].criteria) > 1
        else ""
    )
    return citation_line(
        "AUC", words.estimate(area), declaration_parts(report, judge, criterion), reason=area.undefined, beside=mean
    )


def verdict_citation(report: RocReport, judge: str, criterion: str | None, key: str) -> str:
    """Return J, TPR or FPR of the verdicts, which stand beside scores or alone.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all of them together.
    key : "youden_j", "tpr" or "fpr"

    Returns
    -------
    str
        With the reason in the place of a number that is undefined.
    """
    block, record = report.judges[judge].block(criterion), BY_KEY[{"tpr": "recall"}.get(key, key)]
    point, parts = block.verdict, ("of the verdicts", *declaration_parts(report, judge, criterion))
    if point is None:
        return citation_line(record.symbol, "", parts, reason="there are no verdicts")
    reason = "" if point[key].defined else "the reference has one label only"
    return citation_line(record.symbol, words.estimate(point[key], record.unit), parts, reason=reason)


def held_out_citation(report: RocReport, judge: str, criterion: str | None) -> str:
    """Return J of the best cut on items that had no part in choosing it.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all of them together.

    Returns
    -------
    str
        With the reason where nothing was held out.
    """
    curve, parts = report.judges[judge].block(criterion).curve, declaration_parts(report, judge, criterion)
    held = None if curve is None else curve.held_out
    if not isinstance(held, HeldOut):
        return citation_line("held-out J", "", parts, reason=held or "there are no scores")
    shown = words.estimate(held.cut["youden_j"])
    return citation_line("held-out J", shown, parts, beside=f"{words.number(held.in_sample_j)} where the threshold was chosen")


def best_cut_citation(report: RocReport, judge: str, criterion: str | None) -> str:
    """Return the best cut, with J on the decisions that chose it.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all of them together.

    Returns
    -------
    str
        With the reason where no threshold has a J.
    """
    curve, parts = report.judges[judge].block(criterion).curve, declaration_parts(report, judge, criterion)
    if curve is None or curve.best is None:
        return citation_line("best threshold", "", parts, reason="no threshold has a J")
    if curve.best_spot is None:
        return citation_line("best threshold", "", parts, reason=NONE_BETTER)
    beside = f"J {words.number(curve.best['youden_j'].value)} on the decisions that chose it"
    return citation_line("best threshold", cut_words(curve.best.threshold, curve.tally), parts, beside=beside)


def declaration_parts(report: RocReport, judge: str, criterion: str | None) -> tuple[str, ...]:
    """Return what a number of the page rests on.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all of them together.
    """
    return (words.plain(judge), *header(report, judge, criterion).provenance())


def area_words(report: RocReport, judge: str, criterion: str | None) -> str:
    """Return AUC for a label: 0.79; a pooled one never without the mean over criteria: 0.95, mean 0.94.

    Parameters
    ----------
    report : RocReport
    judge : str
    criterion : str or None
        None for all of them together.

    Returns
    -------
    str
        A dash where the area is undefined, or there are no scores.
    """
    judge_roc = report.judges[judge]
    curve = judge_roc.block(criterion).curve
    if curve is None or math.isnan(curve.area.value):
        return words.UNDEFINED
    pooled = criterion is None and len(judge_roc.criteria) > 1
    return f"{words.number(curve.area.value)}{f', mean {words.number(judge_roc.mean.area.value)}' if pooled else ''}"


def _rests_on(report: RocReport, block: RocBlock) -> str:
    if block.scored:
        return f"{positive_of(report)} where score {report.sign} threshold"
    return f"verdicts, no scores · {_mode(block)}"


def _mode(block: RocBlock) -> str:
    whole = block.verdict is not None and block.verdict.n + block.n_split == block.n_total
    covered = "" if whole and not block.n_split else f"coverage {words.percent(block.coverage)}"
    handling = "no abstentions" if whole else "decisions without a verdict excluded"
    return ", ".join(part for part in (handling, _split(block), covered) if part)


def _split(block: RocBlock) -> str:
    return f"split votes left out ({words.count(block.n_split)})" if block.n_split else ""


def _extent(block: RocBlock) -> str:
    """Return on how many decisions the curve and the point rest, of how many."""
    start = "" if block.n == block.n_total else f"{words.count(block.n)} of "
    scored = f"{start}{words.several(block.n_total, 'decisions')}"
    if block.curve is None or block.verdict is None:
        return f"{scored}{f'; {_split(block)}' if block.n_split and block.scored else ''}."
    if block.verdict.n == block.n:
        return f"{scored}, scores and verdicts{f'; {_split(block)}' if block.n_split else ''}."
    return f"Scores on {scored}; verdicts on {words.count(block.verdict.n)}, {_mode(block)}."


def _method(report: RocReport, block: RocBlock) -> str:
    area = None if block.curve is None else block.curve.area.interval
    j = None if block.verdict is None else block.verdict.intervals.get("youden_j")
    kinds = {name: _interval_method(report, interval) for name, interval in (("AUC", area), ("J", j)) if interval is not None}
    if not kinds:
        return "No intervals."
    if len(set(kinds.values())) == 1:
        method = next(iter(kinds.values()))
    else:
        method = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    return f"Intervals {words.percent(report.settings.confidence)}, {method}."


def _interval_method(report: RocReport, interval: Interval) -> str:
    return interval_words(report.declaration, interval, "few items of a class")


def _held_out(report: RocReport, block: RocBlock) -> str:
    how, seed = report.holding_out["method"], report.holding_out["seed"]
    if how == "none" or not block.scored:
        return ""
    what = "one half of the items" if how == "split" else f"{report.holding_out['folds']} folds of the items in turn"
    return f"Held out: {what}, seed {seed}."

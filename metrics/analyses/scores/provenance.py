"""What stands above the numbers of an ordinal or continuous scale, and a number to quote."""

from __future__ import annotations

from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.provenance import Header, citation_line, columns_of, interval_words, items_behind, made_of, silent_words
from metrics.analyses.records import Block
from metrics.analyses.scores.result import JudgeScores, ScoresReport
from metrics.data.abstention import Coverage
from metrics.data.order import Order
from metrics.data.vocabulary import normalise
from metrics.measures.transforms import Interval
from metrics.results import words

SHORT = 6
"""Classes that are named one by one; of more only both ends are."""
HEADLINE = "weighted_kappa_quadratic"
SIGNED = ("bias", "bias_d", "loa_low", "loa_high")


def header(
    report: ScoresReport, judge: str, criterion: str | None = None, key: str | None = None, *, mean: bool = False
) -> Header:
    """Return what stands above the numbers of one judge.

    Parameters
    ----------
    report : ScoresReport
    judge : str
    criterion : str, optional
        Default: all criteria, pooled.
    key : str, optional
        Number whose interval is named. Default: quadratic κ of labels, Pearson of scores.
    mean : bool
        Of the mean over criteria, instead of all of them pooled.
    """
    d, scores = report.declaration, report.judges[judge]
    bold = scale_words(report), open_words(report, scores, criterion), over_words(report, criterion, mean=mean)
    key = key or (HEADLINE if report.on == "label" else "pearson")
    method = _method(report, scores.block(criterion), key)
    worth = f"{worth_words(report.order)}{turned_words(report)}"
    rest = f"Reference: {d.reference_words()}. {extent(scores, criterion)}. {worth}{method}"
    level = f"on {criterion}" if criterion is not None else "mean over criteria" if mean else "pooled"
    columns = columns_of(d, judge=judge, level=level, coverage=scores.covered(criterion).coverage)
    return Header.of(d, bold, rest, columns, judge)


def citation(report: ScoresReport, judge: str, key: str, criterion: str | None = None, *, mean: bool = False) -> str:
    """Return a number with everything needed to quote it; a pooled one never without the mean over the criteria.

    Parameters
    ----------
    report : ScoresReport
    judge : str
    key : str
        Of the number.
    criterion : str, optional
        Default: all criteria, pooled.
    mean : bool
        Whether it is the mean over the criteria.
    """
    d, scores = report.declaration, report.judges[judge]
    block = scores.mean if mean else scores.block(criterion)
    over = mean_over(scores, key) if mean else over_words(report, criterion)
    beside = ""
    if not mean and criterion is None and len(scores.criteria) > 1:
        beside = f"{mean_over(scores, key)} {estimate_text(scores.mean, key)}"
    interval = block[key].interval
    parts = [
        words.plain(judge), scale_words(report).lower(), open_words(report, scores, criterion), over,
        f"n = {extent(scores, None if mean else criterion)}", f"reference: {d.reference_words()}",
        worth_words(report.order).rstrip(". ").replace("Values", "values", 1) if RECORDS[key].takes == "values" else "",
        turned_words(report).rstrip(". "),
        f"{kind_words(report, interval)} {_confidence(report)}" if interval is not None and interval.ends is not None else "",
        *made_of(d, judge).strip().split("\n"),
    ]  # fmt: skip
    return citation_line(RECORDS[key].symbol, estimate_text(block, key), parts, reason=block[key].undefined, beside=beside)


def estimate_text(block: Block, key: str) -> str:
    """Return a number and, behind it, its interval: 0.54 [0.41, 0.66]."""
    unit, estimate = RECORDS[key].unit, block[key]
    if key in SIGNED or unit == "p":
        text = words.signed(estimate.value, 2) if key in SIGNED else words.p_value(estimate.value)
        return text + words.behind(estimate.ends)
    return words.estimate(estimate, "%" if unit == "%" else "")


def scale_words(report: ScoresReport) -> str:
    """Return the scale with its options: "Ordinal 1–4"."""
    return "Continuous" if report.order is None else f"Ordinal {order_words(report.order)}"


def order_words(order: Order) -> str:
    """Return options from low to high: "1–4", "low < mid < high", "A+ < … < F (13 options)"."""
    whole = order.source != "places" and all(
        normalise(name) == f"{value:g}" for name, value in zip(order.classes, order.values, strict=True)
    )
    steps = {high - low for low, high in zip(order.values, order.values[1:], strict=False)}
    ends = words.shorten(order.classes[0]), words.shorten(order.classes[-1])
    if whole and steps == {1.0}:
        return f"{ends[0]}–{ends[1]}"
    if order.k <= SHORT:
        return " < ".join(words.shorten_all(order.classes))
    return f"{ends[0]} < {words.ELLIPSIS} < {ends[1]} ({order.k} options)"


def worth_words(order: Order | None) -> str:
    """Return what the options are worth, where that is not what they are called."""
    if order is None or order.source == "labels":
        return ""
    if order.source == "places":
        return f"Values: places 1 to {order.k}. "
    pairs = [f"{words.shorten(name)} = {value:g}" for name, value in zip(order.classes, order.values, strict=True)]
    shown_pairs = pairs if order.k <= SHORT else [pairs[0], words.ELLIPSIS, pairs[-1]]
    return f"Values: {', '.join(shown_pairs).replace('-', words.MINUS)}. "


def turned_words(report: ScoresReport) -> str:
    """Return whose scale was turned round; nothing where nobody's was."""
    return f"Reversed: the scale of {words.listed([words.shorten(name) for name in report.turned])}. " if report.turned else ""


def open_words(report: ScoresReport, scores: JudgeScores, criterion: str | None) -> str:
    """Return what became of answers without an option, or of decisions without a number.

    Parameters
    ----------
    report : ScoresReport
    scores : JudgeScores
    criterion : str or None
        None: all criteria.

    Returns
    -------
    str
        Empty where every decision has numbers on both sides.
    """
    coverage = scores.covered(criterion)
    if coverage.n_total == coverage.n_covered:
        return "no abstentions" if isinstance(coverage, Coverage) else ""
    share = f"coverage {words.percent(coverage.coverage)}"
    if not isinstance(coverage, Coverage):
        return f"decisions without a number excluded, {share}"
    split = f"split votes left out ({words.count(coverage.n_split)})" if coverage.n_split else ""
    if coverage.n_total == coverage.n_covered + coverage.n_split:
        return f"no abstentions, {split}, {share}"
    what = silent_words(coverage)
    if report.declaration.abstention != "as_unmet" or report.order is None:
        return ", ".join(filter(None, [f"{what} excluded", split, share]))
    return f"{what} counted as {lowest_words(report, report.order, criterion)}"


def lowest_words(report: ScoresReport, order: Order, criterion: str | None) -> str:
    """Return the option an abstention counts as: "1, the lowest".

    Parameters
    ----------
    report : ScoresReport
    order : Order
    criterion : str or None
        None: all criteria, of which those of negative weight are counted.
    """
    low, high = (words.shorten(end) for end in (order.classes[0], order.classes[-1]))
    if criterion in report.reversed:
        return f"{high}, the highest, because the weight is negative"
    if criterion is not None or not report.reversed:
        return f"{low}, the lowest"
    where = words.several(len(report.reversed), "criteria")
    return f"{low}, the lowest, on {where} of negative weight as {high}, the highest"


def over_words(report: ScoresReport, criterion: str | None, *, mean: bool = False) -> str:
    """Return what a number is over; nothing where there is one criterion."""
    n = len(report.declaration.criteria)
    if criterion is not None:
        return f"on {words.shorten(criterion)}" if n > 1 else ""
    return f"{'mean' if mean else 'pooled'} over {words.count(n)} criteria" if n > 1 else ""


def mean_over(scores: JudgeScores, key: str) -> str:
    """Return the mean over criteria with how many it is over."""
    defined, of = scores.mean[key].of or (len(scores.criteria), len(scores.criteria))
    return f"mean over {of} criteria" if defined == of else f"mean over {defined} of {of} criteria"


def extent(scores: JudgeScores, criterion: str | None) -> str:
    """Return on how many decisions a number rests, of how many, on how many items."""
    n, total = scores.block(criterion).n, scores.covered(criterion).n_total
    return f"{words.out_of(n, total, 'decisions')}{items_behind(scores.n_used, scores.n_items) if criterion is None else ''}"


def kind_words(report: ScoresReport, interval: Interval) -> str:
    """Return how an interval was found."""
    small = "small cell"
    return interval_words(report.declaration, interval, small if interval.note.startswith(small) else "")


def _method(report: ScoresReport, block: Block, key: str) -> str:
    if report.settings.interval == "none":
        return "No intervals."
    interval = block[key].interval
    return (
        "" if interval is None or interval.ends is None else f"Intervals {_confidence(report)}, {kind_words(report, interval)}."
    )


def _confidence(report: ScoresReport) -> str:
    return words.percent(report.settings.confidence)

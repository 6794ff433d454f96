"""What the numbers of ordered labels say, in sentences and as a text for the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from metrics.analyses.agreement.readings import commonest_confusion, of_one_verdict
from metrics.analyses.agreement.standing import FOLLOWS, REVERSED
from metrics.analyses.agreement.tables import confusion_lines, criteria_lines
from metrics.analyses.directions import contradicting
from metrics.analyses.ordered_blocks import SPEARMAN_LESS_KAPPA
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.records import Block, notes_of
from metrics.analyses.scores import tables as scores_tables
from metrics.analyses.scores.provenance import HEADLINE, estimate_text, header, mean_over
from metrics.analyses.scores.readings_numbers import NEAR, concordance_reading, limits_reading, people_reading
from metrics.analyses.scores.readings_two import ON_DIAGONAL, errors_reading, rate_reading, step_of
from metrics.analyses.scores.result import JudgeScores, ScoresReport
from metrics.asker import flag, worded
from metrics.measures.catalogue import keys_at
from metrics.results import tables, words

WIDE = 40
ON_SCORES = keys_at("numbers terminal", records=RECORDS)
CORRELATIONS = ("spearman", "pearson", "kendall_tau_b")
"""Numbers that two units leave as they are."""
CLOSE = 0.02
"""Two numbers too close to say why they differ."""


def applies(key: str, scores: JudgeScores) -> bool:
    """Return whether a number says something on a scale of so many options; adjacent agreement of two does not."""
    return len(scores.pooled.labels) >= RECORDS[key].fewest


def near_reading(report: ScoresReport, judge: str, criterion: str | None = None) -> str:
    """Return how often both give the same option, or one beside it, and what a judge that never looks would reach.

    Parameters
    ----------
    report : ScoresReport
    judge : str
    criterion : str, optional
        Default: all criteria together.
    """
    block, name = report.judges[judge].block(criterion), words.shorten(judge)
    if report.on == "label" and report.judges[judge].has_two_units(criterion):
        who = report.declaration.the_reference()
        return f"The labels of {name} and {who} are in two units here, so exact agreement, κ and bias say nothing."
    if not block.n:
        return f"There is no decision on which both {name} and {report.declaration.the_reference()} give an option."
    if block.withheld:
        calls = f"{report.declaration.the_reference()} calls"
        return f"{words.capital(block.withheld)}. {of_one_verdict(block, name, calls, name=words.shorten)}."
    exact, near = block.values["exact_agreement"], block.values["adjacent_agreement"]
    who, tested = report.declaration.the_reference(), block.more["against_baseline"]
    first = f"{name} gives the option of {who} in {words.percent(exact)} of {words.several(block.n, 'decisions')}"
    if not math.isnan(near):
        first = f"{first} and one at most one away in {words.percent(near)}"
    if math.isnan(block.values["baseline_accuracy"]):
        return f"{first}."
    each = "" if criterion is not None or len(report.judges[judge].criteria) == 1 else " on each criterion"
    keys = [key for key in ("exact_agreement", "adjacent_agreement") if not math.isnan(block.values[key])]
    reached = " and ".join(words.percent(tested[key]["baseline"]) for key in keys)
    against = _against([_direction(block, key) for key in keys])
    return f"{first}. Always giving one option{each} would reach up to {reached}: {name} {against}."


def _direction(block: Block, key: str) -> int:
    """Return the direction of the test against the baseline; none where the interval beside the number holds the baseline."""
    tested = block.more["against_baseline"][key]
    return block.beyond(key, tested["baseline"], int(tested["sign"]))


def _against(signs: Sequence[int]) -> str:
    """Return better or worse than the baseline, by exact and adjacent agreement.

    A difference within the noise has no direction.
    """
    words_of = {1: "does better", -1: "does worse", 0: "is not shown to do better"}
    first, *others = signs
    if not others:
        return words_of[first]
    if others == [first]:
        return f"{words_of[first]} on {'both counts' if first else 'either count'}"
    return f"{words_of[first]} on the first count and {words_of[others[0]]} on the second"


def chance_reading(report: ScoresReport, judge: str, criterion: str | None = None, key: str = HEADLINE) -> str:
    """Return whether agreement lies beyond chance, with the mean over criteria beside a pooled number.

    Parameters
    ----------
    report, judge, criterion
        As in `near_reading`.
    key : str
        Of the number.
    """
    scores = report.judges[judge]
    block, symbol = scores.block(criterion), RECORDS[key].symbol
    if key not in CORRELATIONS and scores.has_two_units(criterion):
        return f"{symbol} says nothing here: the two sides are in two units."
    if key in block.undefined:
        many = criterion is None and len(scores.criteria) > 1 and not math.isnan(scores.mean.values[key])
        beside = f"; the {mean_over(scores, key)} is {estimate_text(scores.mean, key)}" if many else ""
        return f"{symbol} is undefined: {block.undefined[key]}{beside}."
    if key == "pearson" and (turned := reversed_words(report, judge, block, key)):
        return f"{turned} {symbol} is {estimate_text(block, key)}."
    clause, chance = f"{symbol} is {estimate_text(block, key)}", _beside_chance(block, key)
    if criterion is not None or len(scores.criteria) == 1:
        return f"{clause}{chance}."
    mean = scores.mean.values[key]
    if math.isnan(mean):
        return f"{clause}{chance}, pooled; no criterion has a value of its own."
    beside = f"the {mean_over(scores, key)} is {estimate_text(scores.mean, key)}"
    if _covers_0(block[key].ends) and _covers_0(scores.mean[key].ends):
        return f"{clause}, pooled; {beside}: chance could do either."
    clause, gap = f"{clause}{chance}", block.values[key] - mean
    if abs(gap) < NEAR:
        return f"{clause}, pooled; {beside}, so pooling changes nothing."
    if abs(gap) < CLOSE:
        return f"{clause}, pooled; {beside}, so pooling changes little."
    ends = scores.mean[key].ends
    if ends is not None and ends[0] <= block.values[key] <= ends[1]:
        return f"{clause}, pooled; {beside}, whose interval includes the pooled one."
    why = "knowing which criterion scores high helps" if gap > 0 else "pooling mixes criteria on which the two sides lie apart"
    return f"{clause}, pooled; {beside}: {why}."


def _beside_chance(block: Block, key: str) -> str:
    if block.values[key] == 0 and block.one_sided:
        return f", chance level by construction, because the {block.one_sided[0]} says only {words.shorten(block.one_sided[1])}"
    if block[key].ends is None:
        return ""
    return {0: ", which chance could do", 1: ", beyond chance", -1: ", worse than chance"}[block[key].sign]


def _covers_0(ends: tuple[float, float] | None) -> bool:
    return ends is not None and ends[0] <= 0 <= ends[1]


def bias_reading(report: ScoresReport, judge: str, criterion: str | None = None) -> str:
    """Return whether the judge is the more generous or the stricter, and how far off it typically is.

    Parameters
    ----------
    report, judge, criterion
        As in `near_reading`.
    """
    scores, name = report.judges[judge], words.shorten(judge)
    block = scores.block(criterion)
    if "bias" in block.undefined:
        return f"Bias is undefined: {block.undefined['bias']}."
    bias, ends, who = block.values["bias"], block["bias"].ends, report.declaration.the_reference()
    if scores.has_two_units(criterion):
        return f"{name} and {who} are in two units here, so no mean error is stated."
    if why := _no_direction(report, judge, criterion):
        first = f"{name} differs from {who} by {estimate_text(block, 'bias')} on average, but {why}"
        return f"{first}: that does not say which is the more generous."
    rmse = words.number(block.values["rmse"])
    verdict = f"the RMSE from the verdict of {who} counted as 0 or 1 is {rmse}."
    typical = verdict if criterion in scores.verdicts else f"typically the two differ by {rmse} (RMSE)."
    if bias == 0 and block.values["rmse"] == 0:
        return f"{name} and {who} never differ."
    if step_of(report, block):
        criteria = scores.criteria if criterion is None else {}
        return rate_reading(report, name, block, criteria)
    if not words.side_of_0(ends):
        side = "there is no significant direction"
        if ends is None:
            side = f"{side} without an interval" if bias else "neither side is the more generous"
        return f"{name} differs from {who} by {estimate_text(block, 'bias')} on average: {side}; {typical}"
    if (beside := scores.beside_upper(criterion)) is not None:
        return (
            f"{name} differs from {who} by {estimate_text(block, 'bias')} on average, and by {words.signed(beside, 2)} from the "
            f"upper of people’s two middle labels: that does not say which is the more generous; {typical}"
        )
    if criterion is None and (untold := not_of_each(scores, words.side_of_0(ends))):
        return (
            f"{name} differs from {who} by {estimate_text(block, 'bias')} on average, pooled. {untold} {words.capital(typical)}"
        )
    how, side = ("above", "more generous") if bias > 0 else ("below", "stricter")
    size = words.estimate(abs(block["bias"]))
    return f"{name} is {size} {how} {who} on average, so it is the {side}; {typical}"


def _no_direction(report: ScoresReport, judge: str, criterion: str | None) -> str:
    """Return why a mean difference is no direction of the judge, as a clause; empty where it may be one."""
    scores = report.judges[judge]
    if scores.may_be_two_scales(criterion):
        return "the two sides may use two scales"
    if reversed_words(report, judge, scores.block(criterion), "spearman"):
        return "one side may use the scale turned round"
    return FOLLOWS if scores.labelling is not None and scores.labelling.follows(criterion) else ""


def not_of_each(scores: JudgeScores, sign: int) -> str:
    """Return why a pooled bias is no direction of the judge: a criterion shows the other one, or the mean over them none.

    Else empty.
    """
    signs = {words.shorten(key): words.side_of_0(block["bias"].ends) for key, block in scores.criteria.items()}
    other = contradicting(sign, signs)
    if other:
        same = [key for key, side in signs.items() if side == sign]
        way = f"The bias is {_way(sign)} {'on ' + words.listed(same, 3) if same else 'pooled'}"
        return f"{way}, and {_way(-sign)} on {words.listed(other, 3)}: neither side is the more generous."
    ends = scores.mean["bias"].ends
    if len(scores.criteria) == 1 or ends is None or words.side_of_0(ends) == sign:
        return ""
    mean = f"{mean_over(scores, 'bias')} is {estimate_text(scores.mean, 'bias')}"
    return f"The {mean}: there is no significant direction."


def _way(sign: int) -> str:
    return "above 0" if sign > 0 else "below 0"


def rank_reading(report: ScoresReport, judge: str, criterion: str | None = None) -> str:
    """Return whether the order of the items is met better than the options; two options are met or not, and nothing is said.

    Parameters
    ----------
    report, judge, criterion
        As in `near_reading`.
    """
    if report.judges[judge].has_two_units(criterion):
        return chance_reading(report, judge, criterion, "spearman")
    block = report.judges[judge].block(criterion)
    two = bool(step_of(report, block))
    for key in ("spearman", HEADLINE):
        if key in block.undefined:
            return "" if two else f"{RECORDS[key].symbol} is undefined: {block.undefined[key]}."
    rho, kappa = block.values["spearman"], block.values[HEADLINE]
    clause = f"Spearman’s ρ is {estimate_text(block, 'spearman')}, κ quadratic {estimate_text(block, HEADLINE)}"
    many = criterion is None and len(report.judges[judge].criteria) > 1
    turned = reversed_words(report, judge, block, "spearman") or _reversed_on(report, judge, criterion)
    if turned or two:
        return f"{turned} {clause}{', pooled' if many else ''}." if turned else ""
    low = (block["spearman"].ends or (rho, rho))[0], (block[HEADLINE].ends or (kappa, kappa))[0]
    if max(low) <= 0 and many and (shown := _beyond_on(report.judges[judge])):
        return f"{clause}, pooled: neither is beyond chance, though on {words.named(shown)} one is."
    if max(low) <= 0:
        return f"{clause}: neither the order of the items nor the options are met beyond chance."
    paired = block.more.get(SPEARMAN_LESS_KAPPA)
    if not isinstance(paired, list):
        return f"{clause}."
    gap, beside = paired[0], f"the difference is {words.number(paired[0])} {words.bounds(paired[1:])}"
    if paired[1] <= 0 <= paired[2] or words.number(abs(gap)) == words.number(0.0):
        return f"{clause}. The two do not differ significantly: {beside}."
    if many:
        higher = "ρ" if gap > 0 else "κ"
        return (
            f"{clause}, pooled. {higher} is the higher one, {beside}: criteria on other parts of the scale can make that alone."
        )
    if gap > 0:
        # κ with quadratic weights is r less what the use of the scale costs; ρ beyond r is of ranks, which far items hardly move.
        far = block.values["pearson"] - kappa < gap / 2
        why = "a few items far apart cost the agreement" if far else "the judge uses the scale otherwise than the reference"
        return f"{clause}. ρ is the higher one, {beside}: {why}."
    return f"{clause}. κ is the higher one, {beside}: a few items far apart carry the agreement."


def _reversed_on(report: ScoresReport, judge: str, criterion: str | None) -> str:
    """Return on which single criteria a side's scale seems to be turned round; empty where it is on none."""
    criteria = report.judges[judge].criteria if criterion is None else {}
    names = [name for name, block in criteria.items() if reversed_words(report, judge, block, "spearman")]
    if not names:
        return ""
    return f"Reversed on {words.named(names)}? Check which end of the scale is the high one there for each side."


def _beyond_on(scores: JudgeScores) -> list[str]:
    """Return criteria on which the order of the items or the options are met beyond chance."""
    return [
        name
        for name, block in scores.criteria.items()
        if any(key in block.values and words.side_of_0(block[key].ends) > 0 for key in ("spearman", HEADLINE))
    ]


def reversed_words(report: ScoresReport, judge: str, block: Block, key: str) -> str:
    """Return the question whether a side's scale is turned round; empty unless the order is surely the opposite one.

    Parameters
    ----------
    report : ScoresReport
    judge : str
    block : Block
        Of the judge: a criterion, or all together.
    key : str
        Of a correlation in [-1, 1].
    """
    ends = block[key].ends
    value = block.values[key]
    if not value <= REVERSED or (ends is not None and ends[1] >= 0):
        return ""
    name, who = words.shorten(judge), report.declaration.the_reference()
    return f"Reversed? {name} ranks low what {who} ranks high. Check which end of the scale is the high one for each side."


def turnable(report: ScoresReport, judge: str, criterion: str | None = None) -> bool:
    """Return whether the judge's scale seems to run the other way, on labels, which can be turned.

    Parameters
    ----------
    report, judge, criterion
        As in `near_reading`.
    """
    block = report.judges[judge].block(criterion)
    return report.on == "label" and "spearman" not in block.undefined and bool(reversed_words(report, judge, block, "spearman"))


def matrix_reading(report: ScoresReport, judge: str, criterion: str | None = None) -> str:
    """Return how far the errors lie from the diagonal, and the commonest one.

    Parameters
    ----------
    report, judge, criterion
        As in `near_reading`.
    """
    block = report.judges[judge].block(criterion)
    if block.confusion is None or not block.n:
        return "No decision is left here."
    if report.judges[judge].has_two_units(criterion):
        return "The outlined cells say nothing here: the two sides are in two units."
    if block.withheld:
        return near_reading(report, judge, criterion)
    if step_of(report, block):
        return errors_reading(report, block)
    counts = np.asarray(block.confusion)
    apart = np.abs(np.subtract.outer(np.arange(len(counts)), np.arange(len(counts))))
    wrong = int(counts[apart > 0].sum())
    if not wrong:
        return ON_DIAGONAL
    far = int(counts[apart > 1].sum())
    row, column = np.unravel_index(int(np.where(apart > 0, counts, -1).argmax()), counts.shape)
    which = (
        f"{words.shorten(block.labels[column])} where {report.declaration.the_reference()} says "
        f"{words.shorten(block.labels[row])}"
    )
    if wrong == 1:
        return f"The only error is {which}, {words.several(int(apart[row, column]), 'options')} off."
    times = int(counts[row, column])
    if times == 1:
        commonest = "no two are alike"
    elif commonest_confusion(np.where(apart > 0, counts, 0)) is None:
        commonest = "no one of them is clearly the commonest"
    else:
        commonest = f"the commonest is {which} ({words.often(times)})"
    above = int(np.triu(counts, 1).sum())
    side = f"{words.percent(above / wrong)} lie above the reference’s option"
    how = "none is" if not far else f"{words.percent(far / wrong)} are"
    return f"Of {words.several(wrong, 'errors')} {how} more than one option off, {side}; {commonest}."


def summary(report: ScoresReport) -> str:
    """Return every judge and criterion, and the warnings."""
    parts = ["\n".join(_text_of(report, scores)) for scores in report.judges.values()]
    return "\n\n".join([*parts, *notes_of(report.warnings)])


def _text_of(report: ScoresReport, scores: JudgeScores) -> list[str]:
    matrix = [f"  {line}" for line in confusion_lines(scores.pooled, 12, 13)]
    lines = [scores.name, f"  {header(report, scores.name).text()}", "", *matrix, *([""] if matrix else []), *_numbers(scores)]
    if len(scores.criteria) > 1:
        lines += ["", *_criteria(report, scores)]
    lines += ["", *(f"  {text}" for text in readings(report, scores.name))]
    turn = worded(flag("--turn", scores.name), flag("--turn", [scores.name]), "") if turnable(report, scores.name) else ""
    return [*lines, f"  To turn the scale of {words.shorten(scores.name)} round: {turn}"] if turn else lines


def readings(report: ScoresReport, judge: str, criterion: str | None = None) -> list[str]:
    """Return every sentence about one judge.

    Parameters
    ----------
    report, judge, criterion
        As in `near_reading`.
    """
    if report.on == "score":
        return [
            chance_reading(report, judge, criterion, "pearson"),
            concordance_reading(report, judge, criterion),
            *([text] if (text := people_reading(report.judges[judge], criterion)) else []),
            bias_reading(report, judge, criterion),
            limits_reading(report, judge, criterion),
        ]
    scores = report.judges[judge]
    if not scores.block(criterion).n or scores.block(criterion).withheld:
        return [near_reading(report, judge, criterion)]
    kinds: tuple[Callable[[ScoresReport, str, str | None], str], ...] = (
        (near_reading, rank_reading)
        if scores.has_two_units(criterion)
        else (near_reading, chance_reading, rank_reading, bias_reading, matrix_reading)
    )
    return [text for reading in kinds if (text := reading(report, judge, criterion))]


def _numbers(scores: JudgeScores) -> list[str]:
    lines = tables.lines(scores_tables.numbers(scores), (-WIDE, 24, 36), corner="", whole=True)
    why = (f"{RECORDS[key].symbol} undefined: {why}" for key, why in scores.pooled.undefined.items())
    return [f"  {line}" for line in (*lines, *why)]


def _criteria(report: ScoresReport, scores: JudgeScores) -> list[str]:
    there = keys_at("scores terminal", records=RECORDS) if report.on == "label" else ON_SCORES
    keys = [key for key in there if key in scores.pooled.values and applies(key, scores)]
    table = scores_tables.by_criterion(scores, keys)
    return criteria_lines(table, scores.criteria.values(), (-WIDE, 8, *(22 for _ in keys)))

"""What only numbers say, in sentences: concordance, limits of agreement, and how a judge stands beside people."""

from __future__ import annotations

from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.records import Block
from metrics.analyses.scores.provenance import estimate_text
from metrics.analyses.scores.result import JudgeScores, ScoresReport
from metrics.results import words
from metrics.results.estimate import Estimate

NEAR = 0.005
"""Two numbers that read as equal in two decimals."""


def concordance_reading(report: ScoresReport, judge: str, criterion: str | None = None) -> str:
    """Return what a shift or another spread takes from the correlation of two sides' numbers.

    Parameters
    ----------
    report, judge, criterion
        As in `metrics.analyses.scores.readings.near_reading`.
    """
    scores = report.judges[judge]
    block, many = scores.block(criterion), criterion is None and len(scores.criteria) > 1
    mean = scores.mean if many and "pearson" not in scores.mean.undefined else None
    for key in ("ccc", "pearson"):
        if key in block.undefined:
            return f"{RECORDS[key].symbol} is undefined: {block.undefined[key]}."
    if scores.has_two_units(criterion):
        pooled = "Pooled over criteria, r" if many else "r"
        return f"{pooled} is {estimate_text(block, 'pearson')}. The two sides are in two units, so Lin’s CCC is not stated."
    clause = f"Lin’s CCC is {estimate_text(block, 'ccc')}, r {words.number(block.values['pearson'])}"
    if mean is not None:
        both = " and r ".join(words.number(mean.values[key]) for key in ("ccc", "pearson"))
        clause += f", pooled (on average over criteria CCC is {both})"
    return f"{clause}: {_what_costs(report, scores, block, mean)}."


def _what_costs(report: ScoresReport, scores: JudgeScores, block: Block, mean: Block | None) -> str:
    """Return which of a shift and another spread is shown to lower concordance; one that is not shown may lower it too."""
    r, ends = block.values["pearson"], block["pearson"].ends
    if r <= 0 or (ends is not None and words.side_of_0(ends) <= 0):
        return "without a correlation above chance there is no agreement that a shift or another spread could cost"
    if r - block.values["ccc"] < NEAR:
        return "neither a shift nor another spread costs agreement"
    if block["bias"].ends is None or block["sd_ratio"].ends is None:
        return "a shift between the two sides, or another spread, costs the rest"
    shift = ["a shift between the two sides"] if words.side_of_0(block["bias"].ends) else []
    causes = [*shift, *([spread] if (spread := _spread_words(report, scores, block["sd_ratio"], mean)) else [])]
    if not causes:
        return "no shift and no other spread is shown that would cost the rest"
    return f"{words.joined(causes)} {'cost the rest' if len(causes) > 1 else 'costs agreement'}"


def _spread_words(report: ScoresReport, scores: JudgeScores, ratio: Estimate, mean: Block | None) -> str:
    """Return that a judge's numbers spread more or less than the reference's; empty where the interval holds 1, or is none."""
    low, high = ratio.ends or (1.0, 1.0)
    if low <= 1 <= high:
        return ""
    how = "wider" if low > 1 else "narrower"
    whose = f"{words.estimate(ratio)} times that of {report.declaration.the_reference()}"
    beside = "" if mean is None else f", and {words.number(mean.values['sd_ratio'])} times on average over criteria"
    return f"a {how} spread of {words.shorten(scores.name)} ({whose}{beside})"


def limits_reading(report: ScoresReport, judge: str, criterion: str | None = None) -> str:
    """Return between what limits single differences lie, and whether the bias could be none.

    Parameters
    ----------
    report, judge, criterion
        As in `metrics.analyses.scores.readings.near_reading`.
    """
    block = report.judges[judge].block(criterion)
    if "loa_low" in block.undefined:
        return f"Limits of agreement are undefined: {block.undefined['loa_low']}."
    if report.judges[judge].has_two_units(criterion):
        return "Limits of agreement say nothing here: the two sides are in two units."
    low, high = estimate_text(block, "loa_low"), estimate_text(block, "loa_high")
    clause = f"Were the differences normal, 95{words.HARD_SPACE}% of them would lie between {low} and {high}"
    if "bias_p" in block.undefined or block["bias"].ends is None:
        return f"{clause}."
    p = estimate_text(block, "bias_p")
    sign = "" if p.startswith("<") else "= "
    return f"{clause}; a bias of 0 has p {sign}{p}, Cohen’s d {estimate_text(block, 'bias_d')}."


def people_reading(scores: JudgeScores, criterion: str | None = None) -> str:
    """Return how far people agree in their numbers, and whether the judge agrees with them as one of them does.

    Empty of one of several criteria, and where there are no people to agree.

    Parameters
    ----------
    scores : JudgeScores
    criterion : str, optional
        Default: all criteria.
    """
    people, many = scores.people, len(scores.criteria) > 1
    if people is None or (criterion is not None and many):
        return ""
    mean = f", on average over {words.several(people.alpha.of[0], 'criteria')}" if many and people.alpha.of else ""
    alpha = words.estimate(people.alpha) if people.alpha.defined else f"undefined: {people.alpha.why}"
    first = f"Krippendorff’s α among people is {alpha}{mean}."
    if not people.difference.defined:
        return (
            f"{first} Whether {words.shorten(scores.name)} agrees with them as one of them does is open: {people.difference.why}."
        )
    return f"{first} {beside_person(scores)}"


def beside_person(scores: JudgeScores) -> str:
    """Return r of the judge, and of a person left out, with the mean of the other people, and whether the two differ."""
    people, name = scores.people, words.shorten(scores.name)
    assert people is not None
    mean = "mean " if len(scores.criteria) > 1 else ""
    text = (
        f"A human left out reaches {mean}r {words.estimate(people.human)} with the mean of the others, and {name} "
        f"{words.estimate(people.judge)}."
    )
    difference = f"{words.signed(people.difference.value, 2)}{words.behind(people.difference.ends)}"
    if people.two_scales:
        return f"People may use two scales: {people.two_scales} Their mean is no number of either."
    if people.human.ends is not None and people.human.sign <= 0:
        return f"{text} The humans show no agreement beyond chance, so they are no yardstick."
    if people.difference.ends is None:
        return f"{text} The difference, {difference}, has no interval: {people.difference.why}."
    if not people.settled:
        return f"{text} The difference, {difference}, is not significant."
    way = "more" if people.difference.sign > 0 else "less"
    return f"{text} {name} agrees with them significantly {way} than a human does: difference {difference}."

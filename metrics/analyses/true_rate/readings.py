"""What a corrected rate says, in sentences to read and to quote.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from typing import Literal

from metrics.analyses.agreement.readings import Name, bias_sign, label_rates_words, plain_name
from metrics.analyses.prevalence.power import answers_needed, measured_rate, metric_at, whole
from metrics.analyses.prevalence.readings import answers_words
from metrics.analyses.true_rate.compute import Corrected, RateDifference
from metrics.analyses.true_rate.golden import Golden
from metrics.analyses.true_rate.measured import Measured, Powered
from metrics.results import words
from metrics.results.words import TENTHS, percent1

# Rates nearer than this are written alike.
SAME = 0.0005
# Distance from the line from which a reader sees that the square stands off it.
OFF_THE_LINE = 0.005
POINTS = "points"
REFUSED = "no true rate can be given"


def same_rows(estimate: Measured, name: Name = plain_name) -> str:
    """Return both shares of the golden set and their paired difference, where the rate was measured on the golden set itself."""
    block = estimate.block
    if block is None:
        return ""
    share, drift, ends = block.values["prevalence"], block.values["drift"], block["drift"].ends
    signed = "" if bias_sign(block) else f": {words.points(drift)}{words.behind(ends, POINTS)}"
    sentence = (
        f"on the {words.several(int(block.n or 0), 'decisions')} of the golden set "
        f"the reference says {name(estimate.labels[0])} in "
        f"{percent1(share)}, the judge in {percent1(share + drift)}{signed}. "
    )
    return f"{sentence}{label_rates_words(block, name=name)}".strip()


def reading(corrected: Corrected, positive: str, name: Name = plain_name, same: str = "") -> str:
    """Return the measured rate and the true one behind it, in both directions; or the refusal.

    Parameters
    ----------
    corrected : Corrected
    positive : str
        Positive label.
    name : callable
        Wraps words that come from the user's file.
    same : str
        What `same_rows` says where the golden set itself was measured; it stands in the place of a verdict, as the interval
        takes the answers for others than the golden set. Else empty.
    """
    if not corrected.defined:
        return f"{REFUSED}. {corrected.why}"
    raw, true = corrected.raw.value, words.estimate(corrected, TENTHS)
    if same:
        new = f"For as many new answers a measured {percent1(raw)} would stand for a true {true}"
        return f"{same} {new}.{_clipped(corrected)}{_off_the_line(corrected)}"
    stands = f"a measured {percent1(raw)} of decisions for {name(positive)} stands for a true {true}"
    apart = corrected.value - raw
    bias = float(measured_rate(corrected.golden.tpr, corrected.golden.fpr, corrected.value)) - corrected.value
    low, high = corrected.ends or (corrected.value, corrected.value)
    held = low <= raw <= high
    if abs(apart) < SAME and not corrected.golden.fn + corrected.golden.fp:
        which = "the judge makes no error in the golden set"
    elif abs(apart) < SAME:
        which = "here its false negatives and its false positives cancel"
    elif held:
        which = "the two do not differ significantly"
    elif apart * bias >= 0:
        which = "the judge’s own rates do not say so, only how few golden items there are"
    elif apart > 0:
        which = f"the judge says {name(positive)} {words.points(apart).lstrip('+')} too rarely"
    else:
        which = f"the judge says {name(positive)} {words.points(-apart).lstrip('+')} too often"
    where = "within" if held else "outside"
    beside = "" if abs(apart) < SAME else f" The raw rate lies {where} the interval of the true one."
    return f"{stands}: {which}.{beside}{_clipped(corrected)}{_off_the_line(corrected)}"


def _clipped(corrected: Corrected) -> str:
    if not corrected.clipped:
        return ""
    unclipped = corrected.unclipped
    estimate = f" The estimate was {percent1(unclipped.value)} and is moved into the range."
    if corrected.fits:
        moved = estimate if corrected.value != unclipped.value else ""
        return (
            f"{moved} The interval of Lang and Reiczigel,{words.behind(unclipped.ends, TENTHS)}, lies outside the range; the one "
            "given holds the true rates within the sampling error of the golden set and of these answers."
        )
    if corrected.value != unclipped.value:
        return estimate
    low, high = unclipped.ends or (math.nan, math.nan)
    if low < 0 and high > 1:
        return f" The ends were {percent1(low)} and {percent1(high)} and are moved into the range."
    which = "lower" if low < 0 else "upper"
    return f" The {which} end was {percent1(low if low < 0 else high)} and is moved into the range."


def _off_the_line(corrected: Corrected) -> str:
    """Return how far the rate lies off the line: with few golden items the rates that correct are not the plain ones of it."""
    rate_on_line = float(measured_rate(corrected.golden.tpr, corrected.golden.fpr, corrected.value))
    if corrected.clipped or abs(rate_on_line - corrected.raw.value) < OFF_THE_LINE:
        return ""
    gap = words.points(abs(rate_on_line - corrected.raw.value)).lstrip("+")
    return f" The square stands {gap} off the line: with few golden items the correction shrinks TPR and FPR towards one half."


def how_far(corrected: Corrected) -> str:
    """Return which interval the corrected rate has."""
    if not corrected.fits:
        return "the interval of Lang and Reiczigel (2014)"
    return "the rates that fit what was measured, put together from Wilson’s intervals as in Newcombe (1998)"


Origin = Literal["rest", "judge", "typed", "example"]
"""Where counts come from: answers of the file without human labels, all of the judge's verdicts there, typed, made up."""
BY_HAND = "This golden set is typed by hand and comes from no data."


def golden_origin(origin: Origin, file: str = "") -> str:
    """Return where a golden set comes from that is not the file in view."""
    if origin == "typed":
        return BY_HAND
    but = f", not {words.plain(file)}" if file else ""
    return f"Example: this golden set is judge A of Collot et al., Table 1{but}. Type your own."


def rate_origin(origin: Origin, corrected: Corrected, judge: str) -> str:
    """Return where the measured rate comes from; empty where it is typed.

    Parameters
    ----------
    origin : {"rest", "judge", "typed", "example"}
    corrected : Corrected
    judge : str
    """
    n = words.count(corrected.n)
    if origin == "rest":
        return f"Measured on the {n} answers of this file that carry no human label."
    if origin == "example":
        return f"Example: the measured rate, {words.count(corrected.judge_positive)} of {n}, comes from no data. Type your own."
    if origin == "typed":
        return ""
    g = corrected.golden
    share = percent1(g.n_positive / (g.n_positive + g.n_negative))
    return (
        f"The measured rate is that of {words.plain(judge)} on its "
        f"{words.several(corrected.n, 'verdicts')} in this file, golden set "
        "included. "
        f"The reference calls {share} of the golden set positive. For other answers, type the judge’s counts there."
    )


def rate_words(corrected: Corrected) -> str:
    """Return a measured rate and the true one: "measured 42.2 % [39.3, 45.1 %]: true 54.5 % [49.3, 59.9 %]"."""
    true = f"true {words.estimate(corrected, TENTHS)}" if corrected.defined else "no true rate fits it"
    return f"measured {words.estimate(corrected.raw, TENTHS)}: {true}"


def quote(
    corrected: Corrected, judge: str, positive: str, scope: str = "", *, example: bool = False, same: str = ""
) -> str:  # fmt: skip
    """Return the result as a sentence for a report.

    Parameters
    ----------
    corrected : Corrected
    judge : str
    positive : str
        Positive label.
    scope : str
        On which decisions, if not on all of one criterion.
    example : bool
        Marks numbers that come from no data.
    same : str
        What `same_rows` says where the golden set itself was measured; else empty.
    """
    if example:
        return f"Example, no data: {quote(corrected, judge, positive, scope)}"
    g = corrected.golden
    raw = (
        f"The judge {words.plain(judge)} says {words.plain(positive)} in {words.count(corrected.judge_positive)} of "
        f"{words.count(corrected.n)} decisions: {words.estimate(corrected.raw, TENTHS)} as measured"
    )
    golden = (
        f"golden set of {words.count(g.n_positive)} positive and {words.count(g.n_negative)} negative decisions, "
        f"TPR {percent1(g.tpr)}, FPR {percent1(g.fpr)}{f'; {scope}' if scope else ''}"
    )
    if not corrected.defined:
        return f"{raw}. No corrected rate is given. {corrected.why} {golden[0].upper()}{golden[1:]}."
    level = words.percent(corrected.confidence)
    moved = ", moved into the range 0–100\u00a0%" if corrected.clipped else ""
    method = "interval of the rates that fit, Newcombe" if corrected.fits else f"Lang–Reiczigel interval{moved}"
    value = words.estimate(corrected, TENTHS)
    how = f"corrected for the judge’s errors ({level} {method}; {golden})."
    if not same:
        return f"{raw}, {value} {how}"
    new = f"Of as many new answers measured alike {value} would be decisions for {words.plain(positive)}, {how}"
    return f"{raw}. {same[0].upper()}{same[1:]} {new}"


def powered_reading(powered: Powered, positive: str, name: Name = plain_name) -> str:
    """Return what the judge's verdicts add to the human labels.

    Parameters
    ----------
    powered : Powered
    positive : str
        Positive label.
    name : callable
        Wraps words that come from the user's file.
    """
    both = (
        f"{words.estimate(powered, TENTHS)} of decisions are for {name(positive)}; the "
        f"{words.count(powered.n_labelled)} human labels alone give {words.estimate(powered.labels_alone, TENTHS)}"
    )
    extra = powered.worth / powered.n_labelled - 1
    if powered.weight == 0 or extra < 0.02:
        return f"{both}. The judge’s verdicts on the other {words.count(powered.n_unlabelled)} answers add next to nothing."
    return (
        f"{both}. With the judge’s verdicts on {words.count(powered.n_unlabelled)} more answers they are worth about "
        f"{words.count(powered.worth)} labels."
    )


def difference_reading(rate_difference: RateDifference, first: str, second: str, name: Name = plain_name) -> str:
    """Return how far two models lie apart, and whether that is settled.

    Parameters
    ----------
    rate_difference : RateDifference
        Second model less the first.
    first, second : str
        Names of the models.
    name : callable
        Wraps words that come from the user.
    """
    who, apart = f"{name(second)} lies", rate_difference.difference
    raw = words.points(rate_difference.raw.value)
    if not apart.defined:
        return f"the measured rates differ by {raw}. {apart.why}"
    before = _moved(rate_difference, name(first), name(second))
    side = "above" if apart.value > 0 else "below"
    gap = words.points(abs(apart.value)).lstrip("+")
    where = f"{who} {gap} {side} {name(first)}" if apart.value else f"{who} level with {name(first)}"
    if apart.interval is None:
        return f"{before}{where}. {apart.no_interval}"
    if apart.value and not apart.sign:
        where = f"{name(second)} minus {name(first)} is {words.points(apart.value)}"
    where += f"{words.behind(apart.ends, POINTS)} in true rate ({raw} as measured)"
    moved = ", moved into the range" if rate_difference.clipped else ""
    return f"{before}{where}{moved}. {_test(rate_difference)}"


def _moved(rate_difference: RateDifference, *names: str) -> str:
    """Return which true rates were moved into the range, where they then are not as far apart as the difference says."""
    models, apart = rate_difference.models, rate_difference.difference.value
    moved = [who for who, model in zip(names, models, strict=True) if model.value != model.unclipped.value]
    if not moved or abs(models[1].value - models[0].value - apart) < SAME:
        return ""
    rates = "the true rate" if len(moved) == 1 else "the true rates"
    return (
        f"{rates} of {words.joined(moved)} {'is' if len(moved) == 1 else 'are'} moved into the range 0–100{words.HARD_SPACE}%, "
        "the difference is that of the estimates before: "
    )


def _test(rate_difference: RateDifference) -> str:
    """Return whether there is a difference, which the measured rates tell by themselves, and whether its size is known."""
    settled = rate_difference.p < 1 - rate_difference.confidence
    test = "exact McNemar test" if rate_difference.paired else "test of two shares"
    test_says = (
        f"The difference is {'' if settled else 'not '}significant: p {words.p3(rate_difference.p)} "
        f"({test} of the measured rates, which "
        "needs no correction)."
    )
    if settled and not rate_difference.difference.sign:
        return f"{test_says} How far is not: the golden set says too little about the judge’s errors."
    return test_says


def needed(golden: Golden, low: float, high: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return answers per model, with or without a verdict, of this judge and of one that never errs nor leaves an answer open.

    Parameters
    ----------
    golden : Golden
    low, high : float
        Prevalences of the two models, in [0, 1].
    confidence : float
        Of the test that tells them apart, in (0, 1).

    Returns
    -------
    (float, float)
        Not rounded; infinite where the judge is at chance, NaN where a rate is.
    """
    answers = answers_needed(golden.tpr, golden.fpr, low, high, confidence=confidence, answered=golden.answered)
    return float(answers), float(answers_needed(1.0, 0.0, low, high, confidence=confidence))


def needed_reading(golden: Golden, low: float, high: float, confidence: float = 0.95) -> str:
    """Return answers per model with this judge, beside those with a judge that never errs.

    Parameters
    ----------
    golden, low, high, confidence
        As in `needed`.
    """
    answers, perfect = needed(golden, low, high, confidence)
    what = f"to detect {percent1(low)} against {percent1(high)} with power {words.percent(0.8)}"
    if not math.isfinite(answers):
        return (
            f"{what} no number of answers is enough: the judge is at chance. One that never errs needs {answers_words(perfect)}."
        )
    needs = f"{what} this judge needs {answers_words(answers)} answers per model"
    given = f"{percent1(golden.answered)} of answers that get a verdict" if golden.answered < 1 else ""
    needs += f" ({answers_words(answers * golden.answered)} verdicts, over the {given})" if given else ""
    if whole(answers) == whole(perfect):
        return f"{needs}, as many as one that never errs."
    phi = float(metric_at("phi", golden.tpr, golden.fpr, (low + high) / 2))
    cost, slope = f"{1 / phi**2:.1f}", f"{1 / golden.youden_j.value**2:.1f}"
    instead = f", not 1/J² = {slope}" if slope != cost else ""
    return (
        f"{needs}, one that never errs {answers_words(perfect)}: {answers / perfect:.1f} times as many. "
        f"For a small difference the factor {'of verdicts ' if given else ''}is 1/φ² = {cost}{instead}."
    )

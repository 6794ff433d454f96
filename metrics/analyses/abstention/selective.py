"""What abstaining buys: accuracy where a verdict was given, against the share of decisions that got one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import digamma

from metrics.analyses.abstention.nonresponse import Decisions, decisions_of, texts_beside
from metrics.analyses.comparison.levels import Reading, disagree
from metrics.analyses.settings import Settings
from metrics.data.abstention import apply_mode, coverage_of
from metrics.data.pairs import cell_ratings, patterns_of
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import accuracy
from metrics.measures.transforms import Interval, student, transformed
from metrics.results.estimate import Estimate

FROM_SERIES = 1000.0
"""From here on three terms of a series give a difference of harmonic numbers to the last digit."""
NOTHING = 0.5
"""How often a right verdict is surer than a wrong one where scores tell nothing."""
DIGITS = 12
"""Decimals of a distance from the cut; beyond them lies rounding, which would break ties."""
NO_NUMBER = "no score and no confidence stands beside these verdicts"
NO_CUT = "no threshold of the scores separates the judge’s positive from its negative verdicts"
MANY_CLASSES = "of more than two labels no distance from a threshold tells how sure a verdict is; a column of confidence does"
NO_MEETING = "no verdict with a number meets a verdict of the human"


@dataclass(frozen=True)
class Traded:
    """One judge: the share of decisions both sides made, and the share of equal verdicts among those.

    Attributes
    ----------
    judge_open, human_open : int
        Decisions a side left open; those that both did are in each.
    n_split : int
        Decisions on which the people's votes split.
    """

    judge: str
    coverage: float
    accuracy: float
    n: int
    n_total: int
    judge_open: int
    human_open: int
    n_split: int = 0


@dataclass(frozen=True, eq=False)
class Curve:
    """Accuracy of the surest decisions, as more and more are answered.

    Attributes
    ----------
    coverage, accuracy : ndarray, shape (blocks,)
        After each block of equally sure decisions; coverage is a share of all pairs that both sides rated.
    confidence : str
        Name of the column that says how sure the judge is, or "score".
    threshold : float
        Cut in use, between the scores of negative and of positive verdicts; NaN with a confidence column alone.
    contradicted : int
        Verdicts that the cut would turn round.
    n, unscored, forced, n_open : int
        Decisions ranked; verdicts without a number, left out; the judge's abstentions that its score decides, ranked last;
        decisions the human left open, which cannot be right or wrong.
    aurc, random, oracle : float
        Mean risk over all cuts; the same when sure and unsure are shuffled; and when every error is the least sure.
    telling : Estimate
        How often a right verdict of the judge is surer than a wrong one on the same criterion, ties half; 0.5 tells nothing.
    pooled : Reading or None
        The same with criteria pooled, which also compares verdicts on different criteria; None with one criterion.
    """

    coverage: FloatArray
    accuracy: FloatArray
    confidence: str
    threshold: float
    contradicted: int
    n: int
    unscored: int
    forced: int
    n_open: int
    aurc: float
    random: float
    oracle: float
    telling: Estimate
    pooled: Reading | None = None

    @property
    def disagree(self) -> bool:
        """Whether criteria pooled tell another thing than each compared with itself."""
        if self.pooled is None or not self.telling.defined:
            return False
        return disagree((self.pooled, _reading(self.telling, self.pooled.n[0], self.pooled.confidence)))


def tradeoff(ratings: Ratings, settings: Settings) -> tuple[Traded, ...]:
    """Return every judge's coverage and selective accuracy, over all decisions; a tie or an invalid answer is no verdict here."""
    return tuple(_traded(ratings, name, settings) for name in ratings.judges)


def _traded(ratings: Ratings, judge: str, settings: Settings) -> Traded:
    raw, scheme = patterns_of(ratings, judge, settings.reference).raw.sum(0), replace(ratings.scheme, handling=())
    coverage = coverage_of(raw, scheme)
    value = float(accuracy(apply_mode(raw, scheme, "exclude")))
    k, split, end = scheme.n_classes, scheme.state("split"), scheme.end_of_rated
    judge_open, human_open = int(raw[:end, k:end].sum()), int(raw[k:split, :end].sum())
    n = coverage.n_covered, coverage.n_total
    return Traded(judge, coverage.coverage, value, *n, judge_open, human_open, coverage.n_split)


def risk_coverage(ratings: Ratings, judge: str, settings: Settings) -> Curve | str:
    """Return the curve of a judge with scores or a confidence column, or why there is none.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        Reference and confidence.

    Returns
    -------
    Curve or str
        The reason where no verdict has a number, scores have no cut, or no verdict with a number meets one of the human.
    """
    every = decisions_of(ratings, judge, settings.reference)
    decisions = every.unsplit()
    k, weight = decisions.k, decisions.weight
    score, sure, column = _numbers(ratings, judge, decisions)
    if np.isnan(score).all() and sure is None:
        return NO_NUMBER
    answered = decisions.judge < k
    threshold, contradicted = float("nan"), 0
    if k == 2:
        threshold, contradicted = threshold_in_use(score[answered], decisions.judge[answered] == 0, weight[answered])
    if sure is None and np.isnan(threshold):
        return NO_CUT if k == 2 else MANY_CLASSES
    confidence: FloatArray = np.abs(score - threshold).round(DIGITS) if sure is None else sure
    verdict = _verdicts_by_score(decisions.judge, score, threshold, k)
    judged = decisions.reference < k
    used = judged & (verdict < k) & (~np.isnan(confidence) | ~answered)
    if not used.any():
        return NO_MEETING
    wrong = verdict != decisions.reference
    ends, errors = _blocks(np.where(answered, confidence, -np.inf)[used], wrong[used], weight[used])
    aurc, random, oracle = _areas(ends, errors)
    mask = used & answered
    ranked = confidence[mask], ~wrong[mask], decisions.item[mask], settings.confidence, weight[mask]
    return Curve(
        coverage=ends / every.weight.sum(),
        accuracy=1 - errors / ends,
        confidence=column,
        threshold=threshold,
        contradicted=contradicted,
        n=int(weight[used].sum()),
        unscored=int(weight[judged & answered & ~used].sum()),
        forced=int(weight[used & ~answered].sum()),
        n_open=int(weight[~judged].sum()),
        aurc=aurc,
        random=random,
        oracle=oracle,
        telling=tells(*ranked, decisions.criterion[mask]),
        pooled=_reading(tells(*ranked), int(weight[mask].sum()), settings.confidence) if len(ratings.criteria) > 1 else None,
    )


def _reading(share: Estimate, n: int, confidence: float) -> Reading:
    difference = replace(share, value=share.value - NOTHING)
    return Reading("telling", NOTHING, share.value, (n, n), difference, None, confidence)


def _verdicts_by_score(verdict: NDArray[np.int64], score: FloatArray, threshold: float, k: int) -> NDArray[np.int64]:
    """Return the judge's verdicts, an abstention as its score decides it where there is a cut."""
    by_score = np.where(np.isnan(score) | np.isnan(threshold), k, np.where(score >= threshold, 0, 1))
    return np.where(verdict < k, verdict, by_score)


def _numbers(ratings: Ratings, judge: str, decisions: Decisions) -> tuple[FloatArray, FloatArray | None, str]:
    """Return score beside every decision, NaN where there is none, confidence where the file has it, and which of them counts."""
    rows = cell_ratings(ratings, judge, "judge")[decisions.cell]
    score = np.full(len(rows), np.nan) if ratings.score is None else ratings.score[rows]
    sure = _confidence(ratings, judge, decisions)
    return score, sure, "score" if sure is None else dict(ratings.columns)["confidence"]


def _confidence(ratings: Ratings, judge: str, decisions: Decisions) -> FloatArray | None:
    """Return confidence beside every decision, NaN where a cell holds no finite number; None where no cell does."""
    texts = texts_beside(ratings, judge, decisions.cell, "confidence")
    if texts is None:
        return None
    values, which = texts
    numbers = np.array([*(_number(value) for value in values), np.nan])[which]
    return None if np.isnan(numbers).all() else numbers


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return float("nan")
    return value if np.isfinite(value) else float("nan")


def threshold_in_use(
    score: FloatArray, positive: NDArray[np.bool_], weight: NDArray[np.int64] | None = None
) -> tuple[float, int]:
    """Return the cut t that agrees with the verdicts most often, positive where score >= t, and the verdicts it contradicts.

    Of equally good cuts 0.5 for scores from 0 to 1 and 0 for others, else the middle of the widest gap.

    Parameters
    ----------
    score : ndarray, shape (n,)
        NaN where a verdict has none; it is left out.
    positive : ndarray of bool, shape (n,)
        Verdicts that are positive.
    weight : ndarray of int64, shape (n,), optional
        How often each verdict counts; default: once.

    Returns
    -------
    (float, int)
        NaN and 0 where no cut beats giving one label only.
    """
    known = ~np.isnan(score)
    times = np.ones(len(score)) if weight is None else weight.astype(np.float64)
    values, which = np.unique(score[known], return_inverse=True)
    ups = np.bincount(which, weights=(times * positive)[known], minlength=len(values))
    downs = np.bincount(which, weights=(times * ~positive)[known], minlength=len(values))
    if len(values) < 2:
        return float("nan"), 0
    against = ups.sum() + np.cumsum(downs[::-1])[::-1] - np.cumsum(ups[::-1])[::-1]
    inner = against[1:]
    best = inner.min()
    if best >= min(ups.sum(), downs.sum()):
        return float("nan"), 0
    gaps = [(float(values[i]), float(values[i + 1])) for i in np.flatnonzero(inner == best)]
    home = 0.5 if values[0] >= 0 and values[-1] <= 1 else 0.0
    if any(low < home <= high for low, high in gaps):
        return home, int(best)
    low, high = max(gaps, key=lambda gap: gap[1] - gap[0])
    return (low + high) / 2, int(best)


def _blocks(rank: FloatArray, wrong: NDArray[np.bool_], weight: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
    """Return decisions and errors up to the end of each block of equal rank, surest first."""
    _, which = np.unique(-rank, return_inverse=True)
    return np.cumsum(np.bincount(which, weights=weight)), np.cumsum(np.bincount(which, weights=wrong * weight))


def _areas(ends: FloatArray, errors: FloatArray) -> tuple[float, float, float]:
    """Return mean risk over the first 1, 2, ... n decisions: as ranked (ties in random order), shuffled, and with errors last."""
    starts, before = (np.concatenate([[0.0], totals[:-1]]) for totals in (ends, errors))
    slope = (errors - before) / (ends - starts)
    # inside a block errors grow evenly, so what is divided by 1, 2, ... n is a constant and a multiple of the place
    ranked = ((before - slope * starts) * _reciprocals(starts, ends) + (errors - before)).sum()
    n, wrong = ends[-1], errors[-1]
    oracle = wrong - (n - wrong) * _reciprocals(n - wrong, n)
    return float(ranked / n), float(wrong / n), float(oracle / n)


def _reciprocals(start: ArrayLike, end: ArrayLike) -> FloatArray:
    """Return sum of the reciprocals of the whole numbers above `start` up to `end`."""
    first, last = np.asarray(start, np.float64), np.asarray(end, np.float64)
    x, y = first + 0.5, last + 0.5
    series = np.log1p((last - first) / x) + (y**-2 - x**-2) / 24 - 7 * (y**-4 - x**-4) / 960
    return np.where(first < FROM_SERIES, digamma(last + 1) - digamma(first + 1), series)


def tells(
    confidence: FloatArray,
    right: NDArray[np.bool_],
    item: NDArray[np.integer[Any]],
    level: float,
    weight: NDArray[np.int64] | None = None,
    criterion: NDArray[np.integer[Any]] | None = None,
) -> Estimate:
    """Return how often a right verdict is surer than a wrong one; the interval has whole items as units.

    Sums go through distinct values in order, so that the order of the items does not matter, to the last digit.

    Parameters
    ----------
    confidence : ndarray, shape (n,)
        How sure each verdict is; only their order counts.
    right : ndarray of bool, shape (n,)
        Verdicts that the reference shares.
    item : ndarray of int, shape (n,)
    level : float
        Confidence of the interval, in (0, 1).
    weight : ndarray of int64, shape (n,), optional
        How often the item of each verdict counts; default: once.
    criterion : ndarray of int, shape (n,), optional
        A verdict is compared with those on its own criterion alone, and every such pair counts alike; default: with all.

    Returns
    -------
    Estimate
        In [0, 1], equal ones count half; NaN where no right verdict meets a wrong one. No interval with a single item.

    References: Obuchowski (1997), doi:10.2307/2533958.
    """
    times = np.ones(len(item)) if weight is None else weight.astype(np.float64)
    above, others = np.zeros(len(item)), np.zeros(len(item))
    pairs = won = 0.0
    for stratum in _strata(np.zeros(len(item), np.int64) if criterion is None else criterion):
        share, above[stratum], others[stratum] = _compared(confidence[stratum], right[stratum], times[stratum])
        pairs += (here := float(times[stratum][right[stratum]] @ others[stratum][right[stratum]]))
        won += share * here
    if not pairs:
        return Estimate(float("nan"))
    value, used = won / pairs, others > 0
    _, first, which = np.unique(item[used], return_index=True, return_inverse=True)
    parts, kind = np.unique(np.bincount(which, weights=((above - value) * (others / pairs))[used]), return_inverse=True)
    items = np.bincount(kind, weights=times[used][first])
    n = int(items.sum())
    if n < 2:
        return Estimate(value)
    error = float(np.sqrt(n / (n - 1) * (items @ parts**2)))
    return Estimate(value, Interval(*transformed(value, error, "logit", student(n - 1, level)), "clustered DeLong"))


def _strata(criterion: NDArray[np.integer[Any]]) -> list[NDArray[np.int64]]:
    """Return places of each value."""
    order = np.argsort(criterion, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(criterion[order])) + 1)


def _compared(confidence: FloatArray, right: NDArray[np.bool_], times: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Return share of pairs in which the right verdict is surer, each verdict's share, and with how many it is compared."""
    n_right, n_wrong = times[right].sum(), times[~right].sum()
    if not n_right or not n_wrong:
        return 0.0, np.zeros(len(right)), np.zeros(len(right))
    levels, place = np.unique(confidence, return_inverse=True)
    sure, doubtful = (
        np.bincount(place[mask], weights=times[mask], minlength=len(levels)).astype(np.float64) for mask in (right, ~right)
    )
    above = np.where(right, _share_below(doubtful)[place], 1 - _share_below(sure)[place])
    return float(_share_below(doubtful) @ sure / n_right), above, np.where(right, n_wrong, n_right)


def _share_below(counts: FloatArray) -> FloatArray:
    """Return share of numbers below each distinct value, equal ones half, from how many there are of each value in order."""
    ends = np.cumsum(counts)
    shares: FloatArray = (2 * ends - counts) / (2 * ends[-1])
    return shares

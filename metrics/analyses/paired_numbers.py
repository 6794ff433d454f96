"""Two numbers for each decision, the reference's and the judge's: how they go together, and their difference.

Intervals leave out one unit (item) at a time. Correlations are symmetric on Fisher's z, distances on the logarithm, bias and
Cohen's d on their own scale, all with Student's t; limits of agreement combine the intervals of the bias and of the standard
deviation (Zou 2013, doi:10.1177/0962280211402548). Sums without a unit follow by subtraction. Spearman and tau-b are taken to
change without a unit by what they change without each of its pairs, which is exact where it has one.
What the intervals cover: `benchmarks/bench_scores.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from metrics.intervals.default import few_units
from metrics.measures import moments
from metrics.measures.arrays import FloatArray
from metrics.measures.moments import Moments, Sums
from metrics.measures.ranks import Ranked
from metrics.measures.transforms import Interval, Transform, covering, jackknife_error, least_error, student, transformed
from metrics.results.estimate import Estimate
from metrics.results.words import several

Ints = NDArray[np.int64]

KEYS = (
    "n", "pearson", "spearman", "kendall_tau_b", "rmse", "mae", "bias", "bias_sd", "bias_p", "bias_d", "sd_ratio", "ccc",
    "icc_2_1", "icc_3_1", "loa_low", "loa_high",
)  # fmt: skip
TRANSFORMS: dict[str, Transform] = {
    "pearson": "fisher", "spearman": "fisher", "kendall_tau_b": "fisher", "ccc": "fisher", "icc_2_1": "fisher",
    "icc_3_1": "fisher", "rmse": "root", "mae": "log", "bias_sd": "log", "bias": None, "bias_d": None,
    "sd_ratio": "log",
}  # fmt: skip
"""Numbers with a jackknife interval, and the scale on which it is symmetric."""
ROUNDING = 1e-12
"""A standard error at or below this share of the number, or of the standard deviation of the differences, is rounding."""
FEWEST_UNITS = 4
"""Below, an interval from leaving one out says nothing."""
RANKS: dict[str, tuple[Callable[[Ranked], float], Callable[[Ranked], FloatArray]]] = {
    "spearman": (Ranked.spearman, Ranked.spearman_without_each),
    "kendall_tau_b": (Ranked.kendall_tau_b, Ranked.kendall_tau_b_without_each),
}


@dataclass(frozen=True, eq=False)
class Paired:
    """Pairs of numbers; alike ones of alike units may be one row.

    Attributes
    ----------
    reference, judge : ndarray, shape (rows,)
        NaN where a side has no number; such pairs are left out and counted.
    unit : ndarray of int64, shape (rows,), optional
        What is left out as a whole, such as the item of each pair; by default every row is a unit of its own.
    word : str
        What units are called.
    times, copies : ndarray of int64, shape (rows,), optional
        Pairs that a row stands for in one unit, and units that are like it; by default one.
    """

    reference: FloatArray
    judge: FloatArray
    unit: Ints | None = None
    word: str = "items"
    times: Ints | None = None
    copies: Ints | None = None

    @cached_property
    def kept(self) -> NDArray[np.bool_]:
        """Rows with a finite number on both sides, shape (rows,)."""
        return np.isfinite(self.reference) & np.isfinite(self.judge)

    @cached_property
    def n(self) -> int:
        """Pairs that count."""
        return int(self.weight.sum())

    @cached_property
    def numbers(self) -> tuple[FloatArray, FloatArray]:
        """Reference and judge of the rows that count, shape (kept,) each."""
        reference, judge = (np.asarray(side, np.float64)[self.kept] for side in (self.reference, self.judge))
        return reference, judge

    @property
    def verdict(self) -> bool:
        """Whether the reference's numbers are 0 and 1 only: a verdict, from which no number has a distance."""
        reference = self.numbers[0]
        return len(reference) > 0 and bool(np.isin(reference, (0.0, 1.0)).all())

    @cached_property
    def each(self) -> Ints:
        """Pairs that the rows that count stand for in one unit, shape (kept,)."""
        return np.ones(int(self.kept.sum()), np.int64) if self.times is None else self.times[self.kept]

    @property
    def weight(self) -> Ints:
        """Pairs that the rows that count stand for, shape (kept,)."""
        return self.each if self.copies is None else self.each * self.copies[self.kept]

    @cached_property
    def units(self) -> Ints:
        """Unit of the rows that count, shape (kept,), from 0 without gaps; alike units are one."""
        if self.unit is None:
            return np.arange(int(self.kept.sum()))
        return np.unique(self.unit[self.kept], return_inverse=True)[1].astype(np.int64, copy=False)

    @cached_property
    def multiplicity(self) -> Ints:
        """Units that are like each of `units`, itself included, shape (kinds of units,)."""
        out = np.ones(int(self.units.max(initial=-1)) + 1, np.int64)
        if self.copies is not None:
            out[self.units] = self.copies[self.kept]
        return out

    @property
    def n_units(self) -> int:
        return int(self.multiplicity.sum())

    @cached_property
    def sums(self) -> Sums:
        """Where a pair counts."""
        return Sums.of(*self.numbers, self.units, self.multiplicity, self.each)

    @cached_property
    def ranked(self) -> Ranked:
        return Ranked.of(*self.numbers, self.weight)


def measures(paired: Paired, *, confidence: float | None = 0.95) -> dict[str, Estimate]:
    """Return everything that pairs of numbers tell.

    Parameters
    ----------
    confidence : float or None
        Level of the intervals; None for none.

    Returns
    -------
    dict
        `KEYS` to estimates. `bias` is the mean of judge minus reference, `bias_sd` the standard deviation of these differences
        (n - 1 below), `bias_d` Cohen's d, their quotient, and `bias_p` the two-sided p-value of the t-test that the mean is 0;
        where units have several pairs its standard error is that of leaving units out, which with as many pairs in each is the
        test of the units' means. `sd_ratio` is the standard deviation of the judge's numbers over that of the reference's.
        `loa_low` and `loa_high` are `bias` -/+ 1.96 `bias_sd`. `ccc` has variances of n below, as in Lin (1989). The two ICCs
        are those of two raters; a subject is a pair.
        Undefined with its reason: everything without a pair; all but `rmse`, `mae`, `bias` with one; correlations and `sd_ratio`
        where a side is constant; `ccc` and ICC where both are, `bias_d` and `bias_p` where all differences are equal.
        `n`, `bias_p` and what is undefined have no interval; others have none, with the reason, with fewer than four units, or
        where leaving a unit out leaves the number undefined or never moves it.
    """
    if not paired.n:
        return {"n": Estimate(0.0)} | {key: Estimate(float("nan"), why="no pair has two numbers") for key in KEYS[1:]}
    sums, ranked = paired.sums, paired.ranked
    whole = sums.all
    values = {key: float(function(whole)) for key, function in moments.FUNCTIONS.items()}
    values |= {key: value(ranked) for key, (value, _) in RANKS.items()}
    values |= {"n": float(paired.n), "bias_p": _p(paired, values["bias"])}
    undefined = {key: _why_not(key, paired, whole) for key in KEYS if np.isnan(values[key])}
    estimates = {key: Estimate(values[key], why=undefined.get(key, "")) for key in KEYS}
    return estimates if confidence is None else estimates | _with_intervals(paired, estimates, confidence)


def _p(paired: Paired, bias: float) -> float:
    error = float(jackknife_error(paired.sums.without_each.bias, paired.multiplicity.astype(np.float64)))
    spread = float(np.sqrt(paired.sums.all.dd / paired.n))
    if not (spread > 0 and error > ROUNDING * spread):
        return float("nan")
    return float(2 * stdtr(paired.n_units - 1, -abs(bias / error)))


def _with_intervals(paired: Paired, estimates: dict[str, Estimate], confidence: float) -> dict[str, Estimate]:
    defined = {key: estimates[key].value for key in TRANSFORMS if not estimates[key].undefined}
    if paired.n_units < FEWEST_UNITS:
        why = f"only {several(paired.n_units, paired.word)}: an interval from leaving one out needs {FEWEST_UNITS}"
        limits = [key for key in ("loa_low", "loa_high") if not estimates[key].undefined]
        return {key: Estimate(estimates[key].value, why=why) for key in (*defined, *limits)}
    errors = {key: _error(key, value, paired) for key, value in defined.items()}
    quantile = student(paired.n_units - 1, confidence)
    note = few_units(paired.n_units, paired.word)
    done = {}
    for key, value in defined.items():
        ends = transformed(value, least_error(value, errors[key], TRANSFORMS[key], paired.n), TRANSFORMS[key], quantile)
        if np.isnan(ends[0]):
            done[key] = Estimate(value, why=_why_no_interval(errors[key], paired.word))
        else:
            done[key] = Estimate(value, Interval(*covering(value, ends), "jackknife", note))
    return done | limits_of(estimates, done)


def changes(paired: Paired) -> dict[str, FloatArray]:
    """Return what leaving each unit out takes from a number, of those in `TRANSFORMS` that have a value; of alike units once.

    Scaled so that the standard error is that of a sum of independent changes: the squares about their mean, added up and
    times U / (U - 1). A mean of several such numbers has the mean of their changes, 0 for a unit that a number does not have.
    """
    if not paired.n:
        return {}
    sums, change_by_metric = paired.sums, {}
    for key in TRANSFORMS:
        if key in RANKS:
            value, change = RANKS[key][0](paired.ranked), _rank_changes(key, paired)
        else:
            value = float(moments.FUNCTIONS[key](sums.all))
            change = (value - moments.FUNCTIONS[key](sums.without_each)) * (paired.n_units - 1) / paired.n_units
        if not np.isnan(value):
            change_by_metric[key] = change
    return change_by_metric


def _rank_changes(key: str, paired: Paired) -> FloatArray:
    """Return what leaving each unit's pairs out takes from a rank correlation, pair by pair; of alike units once."""
    value, without = RANKS[key]
    change = value(paired.ranked) - without(paired.ranked)
    return np.bincount(paired.units, weights=change * paired.each) * (paired.n - 1) / paired.n


def error_of_changes(change: FloatArray, alike: Ints) -> float:
    """Return standard error of a sum of independent changes, each as often as there are alike units.

    Parameters
    ----------
    change : ndarray, shape (kinds of units,)
        What leaving each unit out takes from a number; see `changes`.
    alike : ndarray of int64, shape (kinds of units,)
        Units that are like each, two or more together.
    """
    n = int(alike.sum())
    centre = (change * alike).sum() / n
    return float(np.sqrt(n / (n - 1) * (alike * (change - centre) ** 2).sum()))


def _error(key: str, value: float, paired: Paired) -> float:
    """Return standard error of leaving units out one at a time."""
    if key in moments.FUNCTIONS:
        left = moments.FUNCTIONS[key](paired.sums.without_each)
        error = float(jackknife_error(left, paired.multiplicity.astype(np.float64)))
    else:
        error = error_of_changes(_rank_changes(key, paired), paired.multiplicity)
    return 0.0 if error <= ROUNDING * abs(value) else error


def limits_of(estimates: Mapping[str, Estimate], done: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return limits of agreement, the intervals of bias and standard deviation combined as of independent numbers."""
    if estimates["bias_sd"].undefined:
        return {}
    bias, spread = done["bias"], done["bias_sd"]
    if bias.interval is None or spread.interval is None:
        why = bias.no_interval or spread.no_interval
        return {key: Estimate(estimates[key].value, why=why) for key in ("loa_low", "loa_high")}
    down, up = bias.value - bias.interval.low, bias.interval.high - bias.value
    narrower, wider = (moments.WITHIN * abs(end - spread.value) for end in (spread.interval.low, spread.interval.high))
    ends = {
        "loa_low": (np.hypot(down, wider), np.hypot(up, narrower)),
        "loa_high": (np.hypot(down, narrower), np.hypot(up, wider)),
    }
    note = bias.interval.note
    return {
        key: Estimate(value, Interval(value - float(below), value + float(above), "mover", note))
        for key, (below, above) in ends.items()
        for value in [estimates[key].value]
    }


def _why_no_interval(error: float, word: str) -> str:
    if np.isnan(error):
        return f"without one of the {word} it is undefined"
    return f"it does not move when one of the {word} is left out" if not error else "it lies outside -1 to 1"


def _why_not(key: str, paired: Paired, whole: Moments) -> str:
    """Return why a number has no value; there is a pair."""
    if paired.n < 2:
        return "only one pair has two numbers"
    constant = [
        f"the {name} gives one number only, {side[0]:g}"
        for name, side, spread in zip(("reference", "judge"), paired.numbers, (whole.xx, whole.yy), strict=True)
        if not spread
    ]
    if key == "bias_p" and paired.n_units < 2:
        return f"only one of the {paired.word}"
    if key in ("bias_d", "bias_p"):
        return "all differences are equal" if not whole.dd else f"the mean difference is the same in all {paired.word}"
    return " and ".join(constant)

"""Which way a judge errs: label-rate bias, strict or lenient, and against the majority label, each tested by unit.

Three questions that are easily taken for one. Label-rate bias asks which label the judge gives too often; prevalence alone can
make it. Strict and lenient compare the two error rates, which hold no prevalence, and are said where the label rates lean the
same way: of a rare label, equally many errors of either kind are a high rate and a low one. The baseline is the judge that
always gives the reference's more common label; of ordered labels it gives the option that reaches most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.ordered_catalogue import ADJACENT, EXACT
from metrics.intervals.jackknife import Units
from metrics.measures.arrays import FloatArray
from metrics.measures.exact_tests import fisher, holm, sign_flip
from metrics.measures.transforms import Interval, jackknife_error, student
from metrics.results.estimate import Estimate
from metrics.results.words import MOST_NAMED, count, listed, several

LEAST_WITH_ERROR, LEAST_OF_LABEL, LEAST_EXPECTED = 6, 10, 5
"""Units with an error, units with each reference label and errors expected on each, below which strict or lenient is not told.

With equal error rates and up to ten decisions an item, strict or lenient is then said in 1 to 6 % of samples instead of 5 %.
"""
Sums = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True)
class LabelRates:
    """Whether the judge gives the positive label more often than the reference.

    Attributes
    ----------
    sign : int
        +1 more often, -1 less often, 0 where the data do not show which.
    p : float
        Exact two-sided p of the false positives less the false negatives of every unit, by flipping signs.
    n_uneven : int
        Units with more errors of one kind than of the other.
    needed : int
        Units of that kind from which p can reach the level at all.
    """

    sign: int
    p: float
    n_uneven: int
    needed: int


@dataclass(frozen=True)
class ErrorRates:
    """Whether the judge is strict or lenient: FNR against FPR.

    Attributes
    ----------
    sign : int
        +1 strict (FNR above FPR, and the positive label less often than the reference), -1 lenient, 0 where the data do not show
        which.
    c : Estimate
        ½ (logit FNR − logit FPR), half a decision added to every count, with its item jackknife; without an interval with one
        decision a unit, where Fisher's exact test decides.
    p : float
        Of Fisher's exact test; NaN where the jackknife decides.
    reason : str
        Why neither can be told; empty where the rates were compared and decide.
    """

    sign: int
    c: Estimate
    p: float
    reason: str

    def to_dict(self) -> dict[str, Any]:
        low, high = self.c.ends or (math.nan, math.nan)
        return {"sign": self.sign, "c": self.c.value, "low": low, "high": high, "p": self.p, "reason": self.reason}


@dataclass(frozen=True)
class Opposite:
    """Criteria on which the judge gives the positive label less often than the reference, and more often; pooled, they cancel."""

    less: tuple[str, ...]
    more: tuple[str, ...]

    def sentence(self, label: str, pooled: str, name: Callable[[str], str] = str) -> str:
        """Return that the pooled bias is none of the criteria.

        Parameters
        ----------
        label : str
            The positive label.
        pooled : str
            The pooled bias with its interval.
        name : callable
            Name of a criterion to how it is written.
        """
        less, more = (listed([name(criterion) for criterion in names], MOST_NAMED) for names in (self.less, self.more))
        return (
            f"Pooled, the share of {label} does not differ significantly ({pooled}), but {label} is given less often on {less} "
            f"and more often on {more}: the two cancel."
        )


@dataclass(frozen=True)
class Baseline:
    """Whether the judge is right less often than one that always gives the reference's more common label.

    Attributes
    ----------
    difference : float
        Accuracy less that of the baseline.
    sign : int
        -1 less often, +1 more often, 0 where the data do not show which.
    p : float
        Exact two-sided p by flipping the sign of every unit's difference; where the judge is behind, times half the number of
        labels, of which the commonest was picked (Bonferroni).
    """

    difference: float
    sign: int
    p: float


@dataclass(frozen=True)
class Directions:
    """The directions of one table; those of two classes are None on more.

    Attributes
    ----------
    word : str
        What the units are: items, decisions, groups by a column.
    binary : bool
        The labels are met and not met, so that a judge can be strict; false for two classes or two answers.
    """

    baseline: Baseline
    word: str
    binary: bool
    label_rates: LabelRates | None = None
    error_rates: ErrorRates | None = None
    opposite: Opposite | None = None

    @property
    def shown(self) -> bool:
        """Whether any direction is shown: of the label rates, of the error rates, or opposite ones of criteria."""
        return any(bool(part is not None and part.sign) for part in (self.label_rates, self.error_rates)) or bool(self.opposite)

    def untold(self, why: str) -> Directions:
        """Return the same without a direction, for a reason."""
        rates = self.error_rates and replace(self.error_rates, sign=0, reason=why)
        return replace(self, baseline=replace(self.baseline, sign=0), label_rates=None, error_rates=rates, opposite=None)

    def to_dict(self) -> dict[str, Any]:
        parts = {key: value for key, value in asdict(self).items() if value is not None}
        return parts | {"error_rates": self.error_rates.to_dict()} if self.error_rates else parts

    @staticmethod
    def from_dict(record: Mapping[str, Any]) -> Directions:
        """Return the record that `to_dict` gave, with null for what is undefined."""
        label_rates, error_rates, opposite = (record.get(key) for key in ("label_rates", "error_rates", "opposite"))
        return Directions(
            Baseline(**record["baseline"]),
            record["word"],
            record["binary"],
            LabelRates(**label_rates) if label_rates else None,
            _read_back(error_rates) if error_rates else None,
            Opposite(tuple(opposite["less"]), tuple(opposite["more"])) if opposite else None,
        )


def _read_back(record: Mapping[str, Any]) -> ErrorRates:
    c, low, high, p = (math.nan if record[key] is None else float(record[key]) for key in ("c", "low", "high", "p"))
    estimate = Estimate(c, None if math.isnan(low) else Interval(low, high, "jackknife"))
    return ErrorRates(int(record["sign"]), estimate, p, str(record["reason"]))


def contradicting(sign: int, signs: Mapping[str, int]) -> list[str]:
    """Return criteria that show the other direction than the pooled decisions, which then have none: label rates alone can make
    it.
    """
    return [name for name, criterion_sign in signs.items() if sign and criterion_sign == -sign]


def opposite_of(pooled: int, criteria: Mapping[str, tuple[int, float]], level: float) -> Opposite | None:
    """Return the label-rate biases of criteria that cancel in a pooled one of no direction; None where they do not.

    Parameters
    ----------
    criteria : mapping
        Sign and p of every criterion, which is corrected for their number.
    """
    corrected = holm([p for _, p in criteria.values()])
    signs = {name: sign * (p <= level) for (name, (sign, _)), p in zip(criteria.items(), corrected, strict=True)}
    less, more = (tuple(name for name, sign in signs.items() if sign == way) for way in (-1, 1))
    return Opposite(less, more) if not pooled and less and more else None


def directions_of(
    tables: FloatArray,
    units: FloatArray,
    *,
    word: str,
    binary: bool,
    confidence: float,
    drift: Estimate,
) -> Directions | None:
    """Return the directions of a table from those of its units; None where nothing counts.

    Parameters
    ----------
    tables : ndarray, shape (U, K, K)
        Distinct tables of one unit, reference in rows.
    units : ndarray, shape (U,)
        Units with each.
    drift : Estimate
        Label-rate bias in view; where its interval includes 0 no direction is said.
    """
    total = np.tensordot(units, tables, 1)
    if not total.sum():
        return None
    times, level = units.astype(np.int64), 1 - confidence
    baseline = _baseline(tables, times, total, level)
    if len(total) != 2:
        return Directions(baseline, word, binary)
    label_rates = _label_rates(tables, times, level, drift)
    error_rates = _with_label_rates(_error_rates(tables, times, total, word, confidence), label_rates.sign)
    return Directions(baseline, word, binary, label_rates, error_rates)


def _with_label_rates(rates: ErrorRates, more_often: int) -> ErrorRates:
    """Return strict or lenient only where the judge also gives the label less, or more, often than the reference."""
    if not rates.sign or rates.sign == -more_often:
        return rates
    against = "point one way, the two label rates the other" if more_often else "differ, the two label rates do not significantly"
    return replace(rates, sign=0, reason=f"the two error rates {against}")


def _label_rates(tables: FloatArray, times: NDArray[np.int64], level: float, drift: Estimate) -> LabelRates:
    net = (tables[:, 1, 0] - tables[:, 0, 1]).astype(np.int64)
    p, total = sign_flip(net, times), int(net @ times)
    shown = p <= level and (drift.ends is None or drift.sign != 0)
    return LabelRates(int(np.sign(total)) * shown, p, int(times[net != 0].sum()), 1 + math.ceil(-math.log2(level) - 1e-9))


def _baseline(tables: FloatArray, times: NDArray[np.int64], total: FloatArray, level: float) -> Baseline:
    common = int(total.sum(1).argmax())
    net = (np.trace(tables, axis1=1, axis2=2) - tables[:, common].sum(1)).astype(np.int64)
    gain, p = int(net @ times), sign_flip(net, times)
    if gain < 0:
        p = min(1.0, p * max(1.0, int((total.sum(1) > 0).sum()) / 2))
    return Baseline(gain / float(total.sum()), int(np.sign(gain) * (p <= level)), p)


def _error_rates(tables: FloatArray, times: NDArray[np.int64], total: FloatArray, word: str, confidence: float) -> ErrorRates:
    off = tables[:, 0, 1] + tables[:, 1, 0]
    with_error = int(times[off > 0].sum())
    of_label = [int(times[tables[:, row].sum(1) > 0].sum()) for row in (0, 1)]
    single = bool((tables.sum((1, 2)) == 1).all())
    expected = total.sum(1) * float(off @ times) / float(total.sum())
    reason = _undetermined(with_error, of_label, word) or ("" if single else _thin(expected))
    if reason:
        return ErrorRates(0, Estimate(math.nan, why=reason), math.nan, reason)
    c = float(_scale(total[None])[0])
    if single:
        p = fisher(np.array([total[0, ::-1], total[1]], np.int64))
        return ErrorRates(int(np.sign(c) * (p <= 1 - confidence)), Estimate(c), p, "")
    error = float(jackknife_error(_scale(total - tables), times.astype(np.float64)))
    wide = student(int(times.sum()) - 1, confidence) * error
    estimate = Estimate(c, None if math.isnan(wide) else Interval(c - wide, c + wide, "jackknife"))
    return ErrorRates(estimate.sign, estimate, math.nan, "")


def _undetermined(with_error: int, of_label: list[int], word: str) -> str:
    if with_error < LEAST_WITH_ERROR:
        few = f"{several(with_error, word)} {'has' if with_error == 1 else 'have'} an error"
        return f"{few}, {LEAST_WITH_ERROR} are needed"
    if min(of_label) < LEAST_OF_LABEL:
        return f"the rarer label is on {several(min(of_label), word)}, {LEAST_OF_LABEL} are needed"
    return ""


def _thin(expected: FloatArray) -> str:
    if expected.min() >= LEAST_EXPECTED:
        return ""
    return f"at one common rate {count(math.floor(expected.min()))} errors fall on the rarer label, {LEAST_EXPECTED} are needed"


def _scale(tables: FloatArray) -> FloatArray:
    """Return c of every table, shape (...)."""
    tp, fn, fp, tn = (tables[..., row, column] + 0.5 for row in (0, 1) for column in (0, 1))
    c_values: FloatArray = 0.5 * (np.log(fn / tp) - np.log(fp / tn))
    return c_values


def against_baseline(by_criterion: FloatArray, units: Units | None, level: float) -> dict[str, dict[str, float]]:
    """Return whether exact and adjacent agreement differ from those of always giving the option that reaches most.

    With several criteria that option is each criterion's own: one for all of them would credit knowing which criterion scores
    high.

    Parameters
    ----------
    by_criterion : ndarray, shape (C, K, K)
        Reference in rows.
    units : Units or None
        What changes sides as a whole; None for single decisions.

    Returns
    -------
    dict
        By number: the `baseline`, the `difference` from it, exact two-sided `p` by flipping the sign of every unit's difference,
        and `sign`, 0 where p is above the level; empty without a decision.
    """
    counts = np.asarray(by_criterion, np.float64)
    total = float(counts.sum())
    sums: Sums = _single(counts) if units is None else units.sums
    places = np.arange(counts.shape[-1])
    out = {}
    for key, reach in ((EXACT.key, 0), (ADJACENT.key, 1)) if total else ():
        near = (np.abs(np.subtract.outer(places, places)) <= reach).astype(np.float64)
        reached = counts.sum(2) @ near
        best = reached.argmax(1)
        net, times = sums((near[None] - near[:, best].T[:, :, None]).reshape(len(counts), -1))
        flipped, each = np.rint(net).astype(np.int64), times.astype(np.int64)
        gain, p = int(flipped @ each), sign_flip(flipped, each)
        sign = float(np.sign(gain) * (p <= level))
        out[key] = {"baseline": float(reached.max(1).sum()) / total, "difference": gain / total, "p": p, "sign": sign}
    return out


def label_rates(by_criterion: FloatArray, units: Units | None, level: float) -> dict[str, float]:
    """Return whether the judge gives the higher of two options more or less often than the reference, by flipping units' signs.

    Parameters
    ----------
    by_criterion : ndarray, shape (C, 2, 2)
        Reference in rows, judge in columns, the lower option first.
    units : Units or None
        What changes sides as a whole; None for single decisions.
    level : float
        Of the test, in (0, 1).

    Returns
    -------
    dict
        `p`, 1 where both sides give the options equally often, and `sign`, 0 where p is above the level: the test of
        `metrics.agreement` on the same decisions.
    """
    counts = np.asarray(by_criterion, np.float64)
    sums: Sums = _single(counts) if units is None else units.sums
    net, times = sums(np.tile([0.0, 1.0, -1.0, 0.0], (len(counts), 1)))
    flipped, each = np.rint(net).astype(np.int64), times.astype(np.int64)
    p = sign_flip(flipped, each)
    return {"p": p, "sign": float(np.sign(int(flipped @ each)) * (p <= level))}


def _single(counts: FloatArray) -> Sums:
    """Return single decisions as units."""
    there = np.flatnonzero(counts)
    return lambda worth: (worth.ravel()[there], counts.ravel()[there])

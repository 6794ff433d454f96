r"""How sure the mean correlation of the judges' errors is, items being left out whole.

The interval is on Fisher's z, from the jackknife over items, with two guards without which it is short where errors are few:
its standard error is at least that of independent judges, and Student's t has as many degrees of freedom as there are items
with an error, less one. At 95 % it covered, over six ways for 2 to 15 judges to err on 20 to 100 items, 95 to 96 % on average and
80 % at worst (5 judges, 20 items, one verdict in 13 wrong); without the guards 85 to 94 % and 47 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.ensembles.verdict_matrix import VerdictMatrix, item_error, merged
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.transforms import ROUNDING, Interval, interval_around, jackknife_error, student

WORK, BLOCK = 2 * 10**6, 2**19
"""Pairs of judges over all items up to which items are left out one by one, beyond it by the derivative; and of one step."""


@dataclass(frozen=True, eq=False)
class Shared:
    """What r is made of: shared decisions and errors of P pairs of judges.

    Attributes
    ----------
    n, a_errs, b_errs, both : ndarray, shape (..., P)
        Decisions that both gave a class, those of them on which the one errs, the other, and both.
    """

    n: FloatArray
    a_errs: FloatArray
    b_errs: FloatArray
    both: FloatArray

    @staticmethod
    def of(n: FloatArray, errs: FloatArray, both: FloatArray, counted: NDArray[np.bool_]) -> Shared:
        """Return the pairs that are counted.

        Parameters
        ----------
        n, errs, both : ndarray, shape (J, J)
            As `n`, `wrong` and `both` in `SharedErrors`.
        counted : ndarray of bool, shape (J, J)
            Symmetric; the pairs above the diagonal are read.
        """
        a, b = np.nonzero(np.triu(counted))
        return Shared(n[a, b], errs[a, b], errs[b, a], both[a, b])

    def less(self, other: Shared) -> Shared:
        """Return what is left without some of the decisions."""
        return Shared(self.n - other.n, self.a_errs - other.a_errs, self.b_errs - other.b_errs, self.both - other.both)

    @property
    def variance(self) -> FloatArray:
        """V: mean over the judges of e(1 − e), on the decisions of each pair."""
        a, b = safe_ratio(self.a_errs, self.n), safe_ratio(self.b_errs, self.n)
        return np.asarray((a * (1 - a) + b * (1 - b)).mean(-1) / 2)

    @property
    def correlation(self) -> FloatArray:
        """r = C / V; NaN where no judge errs, there is no pair, or a pair shares nothing."""
        if not self.n.shape[-1]:
            return np.full(self.n.shape[:-1], np.nan)
        with np.errstate(invalid="ignore"):
            covariance = ((self.both - self.a_errs * self.b_errs / self.n) / self.n).mean(-1)
        variance = self.variance
        # what is left of a variance of zero is rounding, and undefined all the same
        return safe_ratio(covariance, np.where(variance > 0, variance, 0.0))


def interval_of(verdict_matrix: VerdictMatrix, shared: Shared, counted: NDArray[np.bool_], confidence: float) -> Interval | None:
    """Return interval of r; None where it is undefined or ±1, and for fewer than two items.

    Parameters
    ----------
    verdict_matrix : VerdictMatrix
        The decisions with a reference.
    shared : Shared
        Their tallies over the pairs that count.
    counted : ndarray of bool, shape (J, J)
        The pairs that count.
    confidence : float
        In (0, 1).
    """
    _, item = np.unique(verdict_matrix.item, return_inverse=True)
    r = float(shared.correlation)
    # ±1 up to rounding is ±1
    if math.isnan(r) or 1 - abs(r) <= ROUNDING or verdict_matrix.n_items() < 2:
        return None
    answered, wrong = _marks(verdict_matrix)
    error = max(_left_out(answered, wrong, item, verdict_matrix.times, shared, counted), _if_independent(shared))
    erring = verdict_matrix.n_items(np.asarray(wrong.any(1)))
    return interval_around(r, error, "fisher", student(max(erring - 1, 1), confidence), "jackknife")


def items_wrong_together(verdict_matrix: VerdictMatrix) -> int:
    """Return items on which two judges or more err on one decision."""
    return verdict_matrix.n_items(np.asarray(_marks(verdict_matrix)[1].sum(1) > 1))


def _marks(verdict_matrix: VerdictMatrix) -> tuple[FloatArray, FloatArray]:
    """Return who answered, and who errs, as zeros and ones, shape (n, J)."""
    answered = (verdict_matrix.labels >= 0).astype(np.float64)
    return answered, answered * (verdict_matrix.labels != verdict_matrix.reference[:, None])


def _left_out(
    answered: FloatArray, wrong: FloatArray, item: NDArray[np.int64], often: NDArray[np.int64], shared: Shared,
    counted: NDArray[np.bool_],
) -> float:  # fmt: skip
    """Return standard error of r by leaving out one item at a time; by the derivative where that would take long."""
    times = np.zeros(int(item.max()) + 1)
    times[item] = often
    if len(times) == len(item):
        # one decision to an item: those alike are left out once
        example, which, _ = merged(np.column_stack([answered, wrong]).astype(np.int16))
        answered, wrong = answered[example], wrong[example]
        times, item = np.bincount(which, weights=often).astype(np.float64), np.arange(len(example))
    if len(item) * shared.n.shape[-1] > WORK:
        return _by_derivative(answered, wrong, item, times, shared, counted)
    pairs = np.nonzero(np.triu(counted))
    order = np.argsort(item, kind="stable")
    starts = np.searchsorted(item[order], np.arange(len(times) + 1))
    step = max(1, BLOCK // max(len(pairs[0]), 1))
    left = np.empty(len(times))
    for first in range(0, len(times), step):
        last = min(first + step, len(times))
        rows, offset = order[starts[first] : starts[last]], starts[first:last] - starts[first]
        left[first:last] = shared.less(_of_items(answered[rows], wrong[rows], offset, pairs)).correlation
    known = ~np.isnan(left)
    return float(jackknife_error(left[known], times[known]))


def _of_items(
    answered: FloatArray, wrong: FloatArray, offset: NDArray[np.int64], pairs: tuple[NDArray[np.int64], ...]
) -> Shared:  # fmt: skip
    """Return what each item adds, its decisions beginning at `offset`."""
    a, b = pairs
    parts = (
        answered[:, a] * answered[:, b], wrong[:, a] * answered[:, b], answered[:, a] * wrong[:, b], wrong[:, a] * wrong[:, b]
    )  # fmt: skip
    n, a_errs, b_errs, both = (part if len(offset) == len(part) else np.add.reduceat(part, offset, axis=0) for part in parts)
    return Shared(n, a_errs, b_errs, both)


def _by_derivative(
    answered: FloatArray, wrong: FloatArray, item: NDArray[np.int64], times: FloatArray, shared: Shared,
    counted: NDArray[np.bool_],
) -> float:  # fmt: skip
    """Return the same from what one more decision adds to r."""
    n, errs, both = (_square(part, counted) for part in ((shared.n,) * 2, (shared.a_errs, shared.b_errs), (shared.both,) * 2))
    take, safe = counted / counted.sum(), np.where(counted, n, 1.0)
    of_both, of_answered = take / safe, take * (-both / safe**2 + 2 * errs * errs.T / safe**3)
    of_errs = -2 * take * errs.T / safe**2
    added = ((wrong @ of_both) * wrong + (answered @ of_answered) * answered).sum(1) + ((wrong @ of_errs) * answered).sum(1)
    rate = errs / safe
    step = take * (1 - 2 * rate) / safe
    of_variance = ((wrong @ step - answered @ (step * rate)) * answered).sum(1)
    influence = (added - float(shared.correlation) * of_variance) / float(shared.variance)
    return item_error(influence, item.astype(np.int32), times.astype(np.int64)[item])


def _square(of_pairs: tuple[FloatArray, FloatArray], counted: NDArray[np.bool_]) -> FloatArray:
    a, b = np.nonzero(np.triu(counted))
    square = np.zeros(counted.shape)
    square[a, b], square[b, a] = of_pairs
    return square


def _if_independent(shared: Shared) -> float:
    """Return standard error of r around 0 where judges err independently at the rates they have."""
    variances = [rate * (1 - rate) for rate in (shared.a_errs / shared.n, shared.b_errs / shared.n)]
    return float(np.sqrt((variances[0] * variances[1] / shared.n).sum()) / shared.n.shape[-1] / shared.variance)

"""Agreement over time: does a batch lie outside what the baseline and chance allow?"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, stdtrit

from metrics.analyses.slices.group_sizes import FEWEST_ITEMS
from metrics.analyses.slices.heterogeneity import dersimonian_laird
from metrics.analyses.slices.parts import gauge_of, takes
from metrics.analyses.slices.studentised import Units
from metrics.measures.arrays import FloatArray

FAMILY = 0.05
"""Chance that any of the batches looked back on is flagged where nothing changed."""
BASELINE_BATCHES, BASELINE_UNITS = 8, 100
"""Batches of a baseline that tell how far batches differ without any change; with fewer it is one set of so many units."""
SMOOTHED, DRIFTED, FEWEST_SMOOTHED = 0.4, 0.025, 3
"""Weight of the newest batch in the running mean; chance that the mean is flagged where nothing changed; its fewest batches."""
DRAWS = 4000
"""Series of batches drawn to find how far the running mean goes by chance."""
ALIKE = 0.05
"""p of the correlation of neighbouring batches below which limits would give false alarms, and none are drawn."""


@dataclass(frozen=True)
class Batch:
    """One batch against the baseline.

    Attributes
    ----------
    value : str
    n : int
        Units of the batch that the metric takes.
    low, high : float
        Limits on the metric's own range; NaN for a batch of the baseline, a small one, and where there are none.
    z : float
        Distance from the baseline in standard errors; NaN where there are no limits.
    outside : int
        −1 below the limits, 1 above, else 0.
    """

    value: str
    n: int
    low: float
    high: float
    z: float
    outside: int


@dataclass(frozen=True)
class Drift:
    """A running mean of batches that left what chance allows.

    Attributes
    ----------
    value : str
        The first batch by which it had.
    side : int
        −1 below the baseline, 1 above.
    """

    value: str
    side: int


@dataclass(frozen=True)
class Change:
    """Another column of the file that has another value from a batch on.

    Attributes
    ----------
    value : str
        The first batch with it.
    column, before, after : str
    """

    value: str
    column: str
    before: str
    after: str


@dataclass(frozen=True)
class ControlChart:
    """Batches in the order of time, with limits around what the baseline has.

    Attributes
    ----------
    batches : tuple of Batch
    n_baseline : int
        Batches of the baseline, the first ones.
    centre : float
        The metric in the baseline, as it was measured, with what every batch gets beside its own units.
    tau2 : float
        Variance between batches of the baseline; 0 where they are one set.
    n_tested : int
        Batches with limits.
    why : str
        Why there are no limits; empty where there are.
    drift : Drift or None
        Where a running mean of the batches left what chance allows it, though none of them may have.
    changes : tuple of Change
        What else changed between batches.
    """

    batches: tuple[Batch, ...]
    n_baseline: int
    centre: float
    tau2: float
    n_tested: int
    why: str = ""
    drift: Drift | None = None
    changes: tuple[Change, ...] = ()

    @property
    def baseline(self) -> float:
        """The centre where there are limits around it, else NaN."""
        return math.nan if self.why else self.centre

    @property
    def outside(self) -> tuple[Batch, ...]:
        """Batches beyond their limits, in the order of time."""
        return tuple(batch for batch in self.batches if batch.outside)


def control_chart(
    units: Units,
    group: NDArray[np.int64],
    values: tuple[str, ...],
    metric: str,
    *,
    baseline: int | None = None,
    within: Callable[[int, NDArray[np.bool_]], FloatArray | None] = lambda first, tested: None,
) -> ControlChart:
    r"""Return a chart of batches of distinct units in the order of time.

    Limits are at :math:`g_0 \pm t \sqrt{s_t^2 + s_0^2 + \tau^2 (1 + 1/b)}` on the metric's scale, b batches in the baseline, with
    Šidák's level for the batches looked back on, so that a file in which nothing changed has a batch outside in at most 5 %.
    Where batches of the baseline differ by more than chance, t has b - 1 degrees of freedom: with as many as there are items,
    limits cried wolf in 8 to 12 % of such files.

    Beside them a running mean of the batches is held against what chance makes of it in as many draws (EWMA, weight 0.4). At the
    same false alarms it sees 5 points more errors, 24 batches of 40 items on four criteria, by the fourth batch in half of the
    files, single batches by the eighth; but one bad batch in 74 % of them against 96 %, so that both stand.

    Parameters
    ----------
    units : Units
    group : ndarray of int64, shape (n,)
        Batch of each row, -1 for none.
    values : tuple of str
        Names of the batches, earliest first.
    metric : str
    baseline : int, optional
        Batches of the baseline; default the first ones that hold 100 units together, or eight where they do.
    within : callable
        From the batches of the baseline, and those that are tested, to how far each lies from it within criteria; None of one
        criterion. A batch lies no further off than that, and its limits move by as much as other criteria make.

    References: Laney (2002), Quality Engineering 14, 531-537; Roberts (1959), doi:10.1080/00401706.1959.10489860.
    """
    taken = takes(units, metric)
    rows, group = Units(units.tables[taken], units.weight[taken]), group[taken]
    n_batches = len(values)
    sums = rows.sums(group, n_batches)
    n = sums[:, 0]
    first = _baseline(n) if baseline is None else baseline
    gauge = gauge_of(rows, metric)
    value, error = gauge.standing(sums)
    whole, spread = gauge.standing(sums[:first].sum(0))
    why, tau2 = _why_not(n, first), 0.0
    large = np.flatnonzero(n[:first] >= FEWEST_ITEMS)
    if not why and first >= BASELINE_BATCHES and len(large) >= BASELINE_BATCHES:
        _, tau2, _ = dersimonian_laird(value[large], error[large])
        scaled = (value[large] - whole) / np.sqrt(error[large] ** 2 + tau2)
        if correlated(scaled) < ALIKE:
            why = "neighbouring batches of the baseline are alike, so limits would give false alarms"
    tested = np.zeros(n_batches, bool) if why else (np.arange(n_batches) >= first) & (n >= FEWEST_ITEMS)
    # The variance between batches is known from as many batches as the baseline has, and its centre no better than they allow.
    wide = np.sqrt(error**2 + spread**2 + tau2 * (1 + 1 / first))
    known = np.minimum(n, n[:first].sum()) if tau2 == 0 else np.minimum(n, len(large))
    alpha = 1 - (1 - FAMILY) ** (1 / max(int(tested.sum()), 1))
    quantile = stdtrit(np.maximum(known - 1, 1), 1 - alpha / 2)
    pooled = np.where(tested, (value - whole) / wide, math.nan)
    z = _nearer(pooled, within(first, tested)) if tested.any() else pooled
    moved = whole + np.where(tested, (pooled - z) * wide, 0.0)
    ends = [gauge.back(moved + side * quantile * wide) for side in (-1, 1)]
    batches = tuple(
        Batch(
            name,
            int(n[at]),
            float(ends[0][at]) if tested[at] else math.nan,
            float(ends[1][at]) if tested[at] else math.nan,
            float(z[at]),
            int(np.sign(z[at])) if tested[at] and abs(z[at]) > quantile[at] else 0,
        )
        for at, name in enumerate(values)
    )
    at = np.flatnonzero(tested)
    common = float(np.sqrt(spread**2 + tau2 / first))
    smoothed = _drift(z[at], common / wide[at], known[at] - 1, whole=tau2 > 0)
    drift = None if smoothed is None else Drift(values[at[smoothed]], int(np.sign(running_mean(z[at])[smoothed])))
    return ControlChart(batches, first, float(gauge.back(whole)), tau2, int(tested.sum()), why, drift)


def _nearer(pooled: FloatArray, within: FloatArray | None) -> FloatArray:
    """Return the smaller of two distances on one side, 0 where they are not on one; the first alone without the other."""
    if within is None:
        return pooled
    return np.where(pooled * within > 0, np.sign(pooled) * np.minimum(np.abs(pooled), np.abs(within)), pooled * 0.0)


def running_mean(z: FloatArray) -> FloatArray:
    """Return the exponentially weighted mean of distances up to each batch, in its own standard errors, shape (..., n).

    Parameters
    ----------
    z : ndarray, shape (..., n)
        Earliest first.
    """
    out, mean = np.empty_like(z), np.zeros(z.shape[:-1])
    for at in range(z.shape[-1]):
        mean = SMOOTHED * z[..., at] + (1 - SMOOTHED) * mean
        out[..., at] = mean / math.sqrt(SMOOTHED / (2 - SMOOTHED) * (1 - (1 - SMOOTHED) ** (2 * (at + 1))))
    return out


def _drift(z: FloatArray, common: FloatArray, df: FloatArray, *, whole: bool) -> int | None:
    """Return the first batch by which the running mean is further out than chance takes it in most draws; None where it is not.

    Every batch lies off by the error of the baseline, the share `common` of its standard error, and by its own, which is known
    with `df` degrees of freedom; of `whole` limits by one spread of all batches together.
    """
    if len(z) < FEWEST_SMOOTHED:
        return None
    rng = np.random.default_rng(0)
    drawn = common * rng.standard_normal((DRAWS, 1)) + np.sqrt(1 - common**2) * rng.standard_normal((DRAWS, len(z)))
    freedom = np.maximum(df, 1)
    loose = rng.chisquare(freedom.min(), (DRAWS, 1)) / freedom.min() if whole else rng.chisquare(freedom, drawn.shape) / freedom
    limit = np.quantile(np.abs(running_mean(drawn / np.sqrt(loose))).max(1), 1 - DRIFTED)
    out = np.flatnonzero(np.abs(running_mean(z)) > limit)
    return int(out[0]) if len(out) else None


def _baseline(n: FloatArray) -> int:
    """Return the first batches that hold enough units: eight where there are twice as many, else as few as do."""
    enough = int(np.searchsorted(np.cumsum(n), BASELINE_UNITS)) + 1
    return max(enough, BASELINE_BATCHES) if len(n) >= 2 * BASELINE_BATCHES else enough


def _why_not(n: FloatArray, first: int) -> str:
    if n[:first].sum() < BASELINE_UNITS and first < BASELINE_BATCHES:
        return f"the baseline has fewer than {BASELINE_UNITS} items and fewer than {BASELINE_BATCHES} batches"
    if not (n[first:] >= FEWEST_ITEMS).any():
        return f"no batch after the baseline has {FEWEST_ITEMS} items"
    return ""


def correlated(z: FloatArray) -> float:
    """Return two-sided p of the correlation of neighbours, by Student's t; 1 of fewer than four or of equal numbers.

    Parameters
    ----------
    z : ndarray, shape (n,)
    """
    n = len(z) - 1
    if n < 3 or np.ptp(z[:-1]) == 0 or np.ptp(z[1:]) == 0:
        return 1.0
    r = float(np.corrcoef(z[:-1], z[1:])[0, 1])
    df = n - 2
    return float(betainc(df / 2, 0.5, max(1 - r * r, 0.0)))

"""One judge at every prevalence: TPR and FPR stay, and every metric of the catalogue is computed anew."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from metrics.analyses.prevalence.power import carried
from metrics.data.checks import checks_arguments
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY, applicable
from metrics.results.report import Short

# In steps of half a percent, without 0 and 1, at which one class is empty.
GRID = np.linspace(0.005, 0.995, 199)
# In steps of a hundredth of a percent, for the ends of the zones, which have one decimal.
FINE = np.linspace(0.0, 1.0, 10_001)
STILL = 1e-9
"""A metric whose values lie closer together than this does not move."""
# The paradox zone: accuracy is at least the first while κ is below the second.
HIGH_ACCURACY, LOW_KAPPA = 0.80, 0.60
ANY_JUDGES = ((0.83, 0.29), (0.41, 0.07), (0.96, 0.62))
"""Judges without symmetry: what stays for all of them stays for every judge."""
# A prevalence so near to 0 or 1 that κ has its limit there.
LIMIT = 1e-9
# Items of a golden set behind a drawn band.
FEWEST, MOST = 10, 10_000
# Prevalences of a band, evenly spread, and as many closer together at both ends.
POINTS = 30
# Counts are left out that are less likely than this share of the likeliest.
TAIL = 1e-6
MOST_COUNTS, LARGE = (60, 40), 1000
"""Counts of one class behind a drawn band, of golden sets up to 1 000 items and of larger ones; of more counts, neighbours are
taken together, which moves no end by 0.005."""


@dataclass(frozen=True, eq=False)
class Sweep(Short):
    """Every metric of a judge against prevalence.

    Attributes
    ----------
    prevalence : ndarray, shape (P,)
    values : mapping of key to ndarray, shape (P,)
        NaN where a metric is undefined.
    """

    tpr: float
    fpr: float
    prevalence: FloatArray
    values: Mapping[str, FloatArray]

    def at(self, prevalence: float) -> Mapping[str, float]:
        """Return every metric at one prevalence."""
        return values_at(self.tpr, self.fpr, prevalence)

    @cached_property
    def moving(self) -> tuple[str, ...]:
        """Metrics that change with prevalence alone, in catalogue order."""
        return tuple(key for key, values in self.values.items() if _moves(values))

    @cached_property
    def still(self) -> tuple[str, ...]:
        """Metrics that do not, for this judge."""
        return tuple(key for key in self.values if key not in self.moving and key not in self.undefined)

    @cached_property
    def undefined(self) -> tuple[str, ...]:
        """Metrics that this judge has at no prevalence."""
        return tuple(key for key, values in self.values.items() if np.isnan(values).all())

    @cached_property
    def zones(self) -> tuple[tuple[float, float], ...]:
        """Ranges of prevalence in which accuracy is at least .80 while κ is below .60."""
        tables = carried(self.tpr, self.fpr, FINE)
        accuracy, kappa = (BY_KEY[key].function(tables) for key in ("accuracy", "kappa"))
        return _runs(FINE, (accuracy >= HIGH_ACCURACY - STILL) & (kappa < LOW_KAPPA))


@checks_arguments
def sweep(tpr: float, fpr: float, prevalence: FloatArray = GRID) -> Sweep:
    """Return every metric of two classes at each prevalence.

    Parameters
    ----------
    tpr, fpr : float
        In [0, 1].
    prevalence : ndarray, shape (P,)
        In [0, 1].

    Raises
    ------
    InputError
        For a rate outside [0, 1].
    """
    for name, rate in (("TPR", tpr), ("FPR", fpr)):
        if not 0 <= rate <= 1:
            raise InputError(f"{name} must lie between 0 and 1, not {rate}.")
    return Sweep(float(tpr), float(fpr), prevalence, _values(carried(tpr, fpr, prevalence)))


@lru_cache(128)
def values_at(tpr: float, fpr: float, prevalence: float) -> Mapping[str, float]:
    """Return every metric of two classes at one prevalence.

    Parameters
    ----------
    tpr, fpr, prevalence : float
        In [0, 1].

    Returns
    -------
    mapping of key to float
        NaN where a metric is undefined.
    """
    return MappingProxyType({key: float(value) for key, value in _values(carried(tpr, fpr, prevalence)).items()})


def furthest_from_chance(tpr: float, fpr: float) -> tuple[float, float]:
    r"""Return the prevalence at which κ of a judge is furthest from 0, and κ there.

    :math:`\sqrt{FPR}/(\sqrt{FPR}+\sqrt{FNR})`; where that is 0 or 1, κ has its limit there.

    Parameters
    ----------
    tpr, fpr : float
        In [0, 1], and not both without error, for which κ is 1 everywhere.

    Returns
    -------
    prevalence, kappa : float
    """
    alarms, misses = math.sqrt(fpr), math.sqrt(1 - tpr)
    at = alarms / (alarms + misses)
    return at, float(BY_KEY["kappa"].function(carried(tpr, fpr, min(max(at, LIMIT), 1 - LIMIT))))


@cache
def never_move() -> tuple[str, ...]:
    """Return metrics that stay whatever the judge."""
    sweeps = [sweep(*rates) for rates in ANY_JUDGES]
    return tuple(key for key in sweeps[0].values if all(key in judge_sweep.still for judge_sweep in sweeps))


def _values(tables: FloatArray) -> dict[str, FloatArray]:
    return {metric.key: metric.function(tables) for metric in applicable(2, "table")}


def _moves(values: FloatArray) -> bool:
    defined = values[~np.isnan(values)]
    return bool(len(defined) and np.ptp(defined) > STILL)


def _runs(x: FloatArray, inside: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8)))
    return tuple((float(x[start]), float(x[end - 1])) for start, end in zip(edges[::2], edges[1::2], strict=True))


@dataclass(frozen=True, eq=False)
class Ribbon:
    """Where 95 % of golden sets of n items would put a metric, at each prevalence such a set can have.

    Attributes
    ----------
    prevalence : ndarray, shape (Q,)
        Whole numbers of positives over n.
    low, high : ndarray, shape (Q,)
    undefined : ndarray, shape (Q,)
        Probability that the golden set leaves the metric without a value.
    """

    key: str
    n: int
    prevalence: FloatArray
    low: FloatArray
    high: FloatArray
    undefined: FloatArray


def range_at(
    tpr: float, fpr: float, n: int, prevalence: float, key: str = "kappa", confidence: float = 0.95
) -> tuple[float, tuple[float, float]]:
    """Return exact sampling range at the nearest prevalence that a golden set of n items with both classes can have.

    Parameters
    ----------
    tpr, fpr : float
        In [0, 1].
    n : int
        Items of the golden set; at least 2.
    prevalence : float
    key : str
        Of a metric of two classes.
    confidence : float
        In (0, 1).

    Returns
    -------
    prevalence : float
    ends : (float, float)
        NaN where no such golden set gives the metric a value.
    """
    positives = min(max(round(prevalence * n), 1), n - 1)
    low, high, _ = _range((tpr, positives), (fpr, n - positives), key, confidence, n)
    return positives / n, (low, high)


def ribbon(tpr: float, fpr: float, n: int, key: str = "kappa", confidence: float = 0.95) -> Ribbon:
    """Return sampling range of a metric on a golden set with so many positives: two independent binomials, exact while these
    are small.

    Parameters
    ----------
    tpr, fpr : float
        In [0, 1].
    n : int
        Items of the golden set, of which prevalence · n are positive.
    key : str
        Of a metric of two classes.
    confidence : float
        In (0, 1).

    Raises
    ------
    InputError
        For fewer than `FEWEST` or more than `MOST` items.
    """
    if not FEWEST <= n <= MOST:
        raise InputError(f"The golden set must have between {FEWEST} and {MOST} items, not {n}.")
    wanted = np.concatenate([np.linspace(1 / n, 1 - 1 / n, POINTS), 0.5 - 0.5 * np.cos(np.linspace(0, np.pi, POINTS))])
    positives = np.unique(np.clip(np.round(wanted * n), 1, n - 1).astype(int))
    most = MOST_COUNTS[n > LARGE]
    ranges = np.array([_range((tpr, m), (fpr, n - m), key, confidence, most) for m in positives.tolist()])
    return Ribbon(key, n, positives / n, *ranges.T)


def _range(
    hit: tuple[float, int], alarm: tuple[float, int], key: str, confidence: float, most: int
) -> tuple[float, float, float]:
    """Return ends of the range, and the probability of no value, from the rate and the items of each class."""
    (hits, hit_weight), (alarms, alarm_weight) = (_merge_neighbours(*_binomial(n, p), most) for p, n in (hit, alarm))
    tp, fp = (grid.ravel() for grid in np.meshgrid(hits, alarms, indexing="ij"))
    tables = np.stack([tp, hit[1] - tp, fp, alarm[1] - fp], axis=-1).reshape(-1, 2, 2)
    values, weight = BY_KEY[key].function(tables), np.outer(hit_weight, alarm_weight).ravel()
    defined = ~np.isnan(values)
    lost = float(weight[~defined].sum() / weight.sum())
    if not defined.any():
        return math.nan, math.nan, 1.0
    order = np.argsort(values[defined], kind="stable")
    sorted_values, cumulated = values[defined][order], np.cumsum(weight[defined][order])
    tail = (1 - confidence) / 2 * cumulated[-1]
    low, high = np.searchsorted(cumulated, [tail, cumulated[-1] - tail])
    return float(sorted_values[low]), float(sorted_values[min(high, len(order) - 1)]), lost


def _binomial(n: int, p: float) -> tuple[FloatArray, FloatArray]:
    """Return counts that are likely at all, and their probabilities."""
    k = np.arange(n + 1, dtype=np.float64)
    if p in (0.0, 1.0):
        return np.array([n * p]), np.ones(1)
    reach = 6 * math.sqrt(n * p * (1 - p)) + 10
    k = k[np.abs(k - n * p) <= reach]
    logs = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + k * math.log(p) + (n - k) * math.log1p(-p)
    weight = np.exp(logs)
    kept = weight > TAIL * weight.max()
    return k[kept], weight[kept]


def _merge_neighbours(k: FloatArray, weight: FloatArray, most: int) -> tuple[FloatArray, FloatArray]:
    """Return at most so many counts: neighbours as one, at their mean."""
    each = -(-len(k) // most)
    if each == 1:
        return k, weight
    starts = np.arange(0, len(k), each)
    total = np.add.reduceat(weight, starts)
    return np.add.reduceat(k * weight, starts) / total, total

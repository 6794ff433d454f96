"""Is the new judge no worse than the old one by more than a margin that somebody stated?

The end of the interval on the worse side decides (Piaggio et al. 2012, doi:10.1001/jama.2012.87802). Student's end falls short
where few units differ: with 5 points of difference, 100 items and each that differs against the new judge, it called 11 % of
judges non-inferior that lay on the margin itself, in place of 2.5 %. So the standard error is that of a truth farther out: the
variance of a count grows with the count, and by how much is told by the third moment of what each unit contributes. With half of
that slope from the signed and half from the absolute third moment, at most 2.5 % are called so by mistake, by accuracy and κ, on
50 to 400 items (`tests/comparison/test_margin.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtr

from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.roots import root_between
from metrics.measures.transforms import ROUNDING, student
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none, or_none

Verdict = Literal["better", "non-inferior", "worse within the margin", "inferior", "undecided"]
UNCHANGED = "the same verdicts"
"""Method of an interval of judges that no shared decision tells apart."""
HOLDS: tuple[Verdict, ...] = ("better", "non-inferior", "worse within the margin")
"""Verdicts under which the judge is no worse than the margin allows."""
FINEST = 6
"""Decimals beyond which a number is not told from a margin any more."""


def checked_margin(margin: float, metric: str, better: int) -> float:
    """Return a margin as a number.

    Parameters
    ----------
    margin : float
        How much worse is still taken, on the metric's own scale.
    metric : str
        Key of the catalogue.
    better : int
        0 where the metric has no better side.

    Raises
    ------
    InputError
        For a margin that is not above 0, as large as the range of the metric, or of a metric that has no better side.
    """
    record = BY_KEY[metric]
    if not better:
        raise InputError(f"More {record.symbol} is neither better nor worse, so no judge is worse by a margin of it.")
    if not (math.isfinite(margin) and 0 < margin < record.high - record.low):
        raise InputError(f"The margin must lie above 0 and below {record.high - record.low:g}, not at {margin:g}.")
    return float(margin)


def checked_positive(margin: float) -> float:
    """Return a margin of a number without an upper end.

    Raises
    ------
    InputError
        Unless it is above 0.
    """
    if not (math.isfinite(margin) and margin > 0):
        raise InputError(f"The margin must lie above 0, not at {margin:g}.")
    return float(margin)


def growth(left_out: FloatArray, weight: NDArray[np.int64]) -> tuple[float, float]:
    """Return by how much the variance of a value grows where the truth lies below it, and above, by one.

    Parameters
    ----------
    left_out : ndarray, shape (U,)
        Value without one unit of each kind.
    weight : ndarray of int64, shape (U,)
        Units of each kind; two or more together.

    Returns
    -------
    (float, float)
        The first is 0 or below, the second 0 or above; NaN where a value is undefined, or none differs from another.
    """
    n = int(weight.sum())
    part = (n - 1) * ((weight * left_out).sum() / n - left_out)
    return growth_of_parts(part, weight, float((weight * part**2).sum()) / (n * (n - 1)), n)


def growth_of_parts(part: FloatArray, weight: NDArray[np.int64], variance: float, n: int = 1) -> tuple[float, float]:
    """Return the same from what each unit adds to a value.

    Parameters
    ----------
    part : ndarray, shape (U,)
        Of one unit of each kind, less the mean of all; times `n`.
    weight : ndarray of int64, shape (U,)
        Units of each kind.
    variance : float
        Of the value.
    n : int
    """
    if not variance > ROUNDING**2:
        return math.nan, math.nan
    signed, whole = (float((weight * third).sum()) / n**3 / variance for third in (part**3, np.abs(part) ** 3))
    return (min(signed, 0.0) - whole) / 2, (max(signed, 0.0) + whole) / 2


def end_far_out(value: float, error: float, slope: float, quantile: float) -> float:
    """Return the end of an interval on the side on which the variance grows by `slope`: below the value where that is below 0."""
    reach = quantile**2 * slope / 2
    return value + reach + math.copysign(math.sqrt(quantile**2 * error**2 + reach**2), slope)


@dataclass(frozen=True)
class Held:
    """Judge B held against judge A by a margin.

    Attributes
    ----------
    margin : float
    verdict : {"better", "non-inferior", "worse within the margin", "inferior", "undecided"}
    worst : float
        How far B lies on the worse side at most, below 0 where it is better anyway; NaN without an interval.
    end : float
        The same as an end of the interval of the difference, on which side is worse.
    p : float
        One-sided, that B is worse by the margin or more; NaN where it is not known.
    needed : int or None
        Units that would tell, if both are equally good.
    why : str
        Of a verdict that is undecided for another reason than the end of its interval.
    interval : (float, float) or None
        What decides, B less A: the interval of the difference, on the worse side to `end`.
    """

    margin: float
    verdict: Verdict
    worst: float
    end: float
    p: float
    needed: int | None = None
    why: str = ""
    interval: tuple[float, float] | None = None

    @property
    def holds(self) -> bool:
        """Whether B is no worse than the margin allows."""
        return self.verdict in HOLDS

    def to_dict(self) -> dict[str, Any]:
        return {
            "margin": self.margin, "verdict": self.verdict, "holds": self.holds, "worst": or_none(self.worst),
            "end": or_none(self.end), "p": or_none(self.p), "n_needed_if_equal": self.needed, "why": self.why or None,
            "interval": ends_or_none(self.interval),
        }  # fmt: skip


def held(
    margin: float,
    difference: Estimate,
    error: float,
    growth: tuple[float, float],
    *,
    better: int,
    units: int,
    confidence: float,
    ahead: bool,
    why: str = "",
) -> Held:
    """Return judge B held against judge A by a margin.

    Parameters
    ----------
    margin : float
        Above 0, on the metric's own scale.
    difference : Estimate
        B less A.
    error : float
        Its standard error; NaN where there is none.
    growth : (float, float)
        See `growth`.
    better : int
        1 where more is better, -1 where less is.
    units : int
        What was left out one at a time.
    confidence : float
        Of the interval of the difference.
    ahead : bool
        Whether B is shown to be the better judge.
    why : str
        Why the margin is not held everywhere, which leaves it undecided.
    """
    if difference.ends is None:
        return Held(margin, "undecided", math.nan, math.nan, math.nan, why=difference.no_interval or difference.why)
    low, high = difference.ends if better > 0 else (-difference.ends[1], -difference.ends[0])
    slope = growth[0] if better > 0 else -growth[1]
    p, far = math.nan, low
    if not math.isnan(slope):
        far = min(low, end_far_out(better * difference.value, error, slope, student(units - 1, confidence)))
        p = p_of_margin(better * difference.value, error, slope, margin, units - 1)
    verdict = verdict_of(far, high, margin, ahead=ahead)
    if verdict in HOLDS and why:
        verdict = "undecided"
    needed = units_for_margin(error, slope, units, margin, confidence=confidence) if verdict == "undecided" else None
    decides = (far, high) if better > 0 else (-high, -far)
    return Held(margin, verdict, -far, better * far, p, needed, why if verdict == "undecided" else "", decides)


def verdict_of(low: float, high: float, margin: float, *, ahead: bool) -> Verdict:
    """Return what the ends of a difference towards the better side say of a margin.

    Parameters
    ----------
    low, high : float
    margin : float
        Above 0.
    ahead : bool
        Whether the difference is shown to be above 0.
    """
    if low > -margin:
        return "better" if ahead else "worse within the margin" if high < 0 else "non-inferior"
    return "inferior" if high < -margin else "undecided"


def p_of_margin(difference: float, error: float, slope: float, margin: float, df: int) -> float:
    """Return one-sided p that a difference is the margin or more below 0; its end lies on the margin where p is the level."""
    distance = difference + margin
    variance = error**2 - slope * max(distance, 0.0)
    return float(stdtr(df, -distance / math.sqrt(variance)))


def units_for_margin(
    error: float, slope: float, units: int, margin: float, true: float = 0.0, *, confidence: float = 0.95, power: float = 0.8
) -> int | None:
    """Return units on which a judge would be shown to be no worse by a margin.

    Parameters
    ----------
    error, slope : float
        Of the difference on as many units as there are: its standard error, and the growth of its variance on the worse side.
    units : int
    margin : float
    true : float
        The true difference towards the better side; 0 where both are equally good.
    confidence, power : float
        In (0, 1).

    Returns
    -------
    int or None
        None where the truth lies beyond the margin, or there is no standard error.
    """
    distance = true + margin
    if math.isnan(slope) or not distance > 0 or not error > 0:
        return None
    level, shown = (float(ndtri(share)) for share in ((1 + confidence) / 2, power))
    return max(2, math.ceil(units * ((level * math.sqrt(error**2 - slope * distance) + shown * error) / distance) ** 2))


def unseen_change(table: ArrayLike, metric: str, n_units: float, confidence: float) -> tuple[float, float]:
    """Return how far a metric may have changed, down and up, where no shared decision of two judges differs.

    As many decisions as that would hide, 1 − α^(1/n) of them, change at once to the one error, or from it, that moves it most.

    Parameters
    ----------
    table : array_like, shape (K, K)
        Shared decisions, reference in rows.
    metric : str
        Key of the catalogue.
    n_units : float
        Items behind them; of items with weights, how many of equal weight they are worth.
    confidence : float

    References: Hanley & Lippman-Hand (1983), doi:10.1001/jama.1983.03330370053031.
    """
    hidden = 1 - ((1 - confidence) / 2) ** (1 / n_units)
    return _changes(np.asarray(table, np.float64), BY_KEY[metric].function, hidden)


def p_unseen(table: ArrayLike, metric: str, n_units: float, margin: float, better: int) -> float:
    """Return one-sided p that a metric changed by the margin or more to the worse where no shared decision of two judges differs.

    Parameters
    ----------
    table : array_like, shape (K, K)
    metric : str
    n_units : float
        As in `unseen_change`, whose end lies on the margin where p is the level.
    margin : float
        Above 0.
    better : int
        1 where more is better, -1 where less is.
    """
    counts, function = np.asarray(table, np.float64), BY_KEY[metric].function

    def beyond(hidden: float) -> float:
        down, up = _changes(counts, function, hidden)
        return margin - max(-down, 0.0) if better > 0 else margin - max(up, 0.0)

    return 0.0 if beyond(1.0) > 0 else float((1 - root_between(beyond, 0.0, 1.0)) ** n_units)


def _changes(counts: FloatArray, function: Callable[[FloatArray], FloatArray], hidden: float) -> tuple[float, float]:
    """Return how far a function of counts moves, down and up, where a share of the decisions changes at once to one error."""
    tables = []
    for row, start, end in product(range(len(counts)), repeat=3):
        moved = counts.copy()
        moved[row, [start, end]] += np.array([-1, 1]) * min(hidden * counts.sum(), counts[row, start])
        tables.append(moved)
    changes = function(np.stack(tables)) - function(counts)
    return float(np.nanmin(changes)), float(np.nanmax(changes))


def stated(margin: float, unit: str = "") -> str:
    """Return a margin as it was typed, in points where its metric is a share: 0.085, 7.25 points."""
    return f"{100 * margin:g}{words.HARD_SPACE}points" if unit else f"{margin:g}"


def told_from(size: float, margin: float, unit: str = "") -> str:
    """Return how far a judge may be worse, with as many decimals as tell it from the margin."""
    return f"{_decimals(_scaled(size, unit), decimals(size, margin, unit))}{f'{words.HARD_SPACE}points' if unit else ''}"


def decimals(size: float, margin: float, unit: str = "") -> int:
    """Return decimals with which a size, rounded, lies on the same side of a margin as it does unrounded."""
    far, line = _scaled(size, unit), _scaled(margin, unit)
    least = (1 if abs(far) < 9.95 else 0) if unit else 2
    return least if far == line else next((n for n in range(least, FINEST) if round(far, n) != round(line, n)), FINEST)


def interval_words(one: Held, unit: str = "") -> str:
    """Return the interval that decides on a margin: that of the difference, its end on the worse side farther out.

    Parameters
    ----------
    one : Held
        With an interval.
    unit : str
        Of the metric; empty for none.
    """
    assert one.interval is not None
    n, end = decimals(one.worst, one.margin, unit), f"{words.HARD_SPACE}points" if unit else ""
    low, high = (words.signed(_scaled(x, unit), n) if unit else _decimals(x, n) for x in one.interval)
    return f"the interval for a margin is [{low}, {high}{end}]"


def _scaled(size: float, unit: str) -> float:
    return 100 * size if unit else size


def _decimals(x: float, n: int) -> str:
    return words.signed(x, n).lstrip("+")

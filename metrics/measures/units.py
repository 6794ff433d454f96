"""Whether two sides' numbers are in one unit: a difference takes that for granted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

MARGIN = 0.3
"""How far outside, as a share of the wider range: a side that uses a part of the scale only is no unit of its own."""
FEWEST = 10
"""Pairs of numbers below which their ends are chance."""
CLOSER = 0.5
"""Share of the distance that is left, at most, where matching the ends of two sides shows that they may be two scales."""
SAME_SPAN = 0.1
"""Share of the wider range by which two ranges differ at most that are one range moved up or down."""
MOST_LEVELS = 10
"""Steps of a range up to which such a move is one of scale, as 0 to 9 beside 1 to 10; of more it is a mean error."""
FEWEST_OF_TWO = 30
"""Rows that two raters share, below which one who is lenient or keeps to the middle looks like another scale."""
MOST_RATERS = 12
"""Raters up to whom every two are compared."""
MIXED = "Bias, RMSE, MAE, spread and concordance mix them; correlations stand."
"""What two units do to numbers."""
_Ends = tuple[float, float, float, float]


def two_units(human: ArrayLike, judge: ArrayLike, weight: ArrayLike | None = None, mixed: str = MIXED) -> str:
    """Return why a difference of the two means nothing: half of one side lies well outside all the other says; empty otherwise.

    A mean difference, RMSE, MAE and exact agreement then mix two units; correlations do not.

    Parameters
    ----------
    human, judge : array_like, shape (n,) and (m,)
        Numbers of either side, NaN left out. Nothing is said with fewer than two on a side, nor where one side says only
        numbers that the other says too, or lies inside the other's range: it may use a part of the scale.
    weight : array_like of int, shape (n,), optional
        Pairs that each pair of numbers stands for; both sides then have one shape.
    mixed : str
        What the two units do, as a sentence.
    """
    given = (("human", np.asarray(human, float)), ("judge", np.asarray(judge, float)))
    times = {name: _weights(numbers, weight)[~np.isnan(numbers)] for name, numbers in given}
    sides = {name: numbers[~np.isnan(numbers)] for name, numbers in given}
    if min(counts.sum() for counts in times.values()) < 2:
        return ""
    both = (("human", "judge"), ("judge", "human"))
    if any(_uses_a_part(sides[name], sides[other]) for name, other in both):
        return ""
    for side, other in both:
        middle, low, high = _median(sides[side], times[side]), sides[other].min(), sides[other].max()
        beyond = MARGIN * max(np.ptp(numbers) for numbers in sides.values())
        if middle < low - beyond or middle > high + beyond:
            where = "below" if middle < low else "above"
            spans = "; ".join(f"{name} {numbers.min():.3g} to {numbers.max():.3g}" for name, numbers in sides.items())
            return (
                f"Half of the {side}'s numbers lie well {where} everything the {other} says ({spans}): they are in two units. "
                f"{mixed}"
            )
    return ""


def other_ends(human: ArrayLike, judge: ArrayLike, weight: ArrayLike | None = None) -> str:
    """Return that the two sides may use two scales, as 1 to 5 and 1 to 10; empty where nothing shows it.

    Their ends differ, by more than a move of one range of many steps, and matching them, lowest to lowest and highest to highest,
    leaves at most half of the distance, by the median of the absolute differences and by the root of their mean square. A judge
    that is far off on one scale looks alike: only who knows the scale can tell.

    Parameters
    ----------
    human, judge : array_like, shape (n,)
        Numbers of either side, NaN left out.
    weight : array_like of int, shape (n,), optional
        Pairs that each pair of numbers stands for.
    """
    ends = _other_ends(np.asarray(human, float), np.asarray(judge, float), weight)
    if ends is None:
        return ""
    return f"{_spans('the judge’s numbers', 'the human’s', ends)} Check first whether both use one scale."


def raters_of_other_ends(numbers: NDArray[np.float64], names: Sequence[str], weight: ArrayLike | None = None) -> str:
    """Return which raters may use another scale than others, as `other_ends` finds it for two; empty where nothing shows it.

    Parameters
    ----------
    numbers : ndarray, shape (n, R)
        Of each rater, NaN where there is none. Of more than `MOST_RATERS` nothing is said, nor where fewer than half of the
        others show it of one, or two share fewer than `FEWEST_OF_TWO` rows.
    names : sequence of str, length R
    weight : array_like of int, shape (n,), optional
        Decisions that each row stands for.
    """
    if len(names) > MOST_RATERS:
        return ""
    apart: dict[int, dict[int, _Ends]] = {}
    for place, other in combinations(range(len(names)), 2):
        for one, another in ((place, other), (other, place)):
            shared = np.isfinite(numbers[:, one] + numbers[:, another])
            enough = _weights(numbers, weight)[shared].sum() >= FEWEST_OF_TWO
            ends = _other_ends(numbers[:, one], numbers[:, another], weight) if enough else None
            if ends is not None:
                apart.setdefault(another, {})[one] = ends
                apart.setdefault(one, {})[another] = (*ends[2:], *ends[:2])
    furthest = max(apart, key=lambda place: len(apart[place]), default=None)
    if furthest is None or 2 * len(apart[furthest]) < len(names) - 1:
        return ""
    beside, ends = next(iter(apart[furthest].items()))
    more = "" if len(apart[furthest]) == 1 else f" So it is beside {len(apart[furthest]) - 1} more."
    return f"{_spans(f'the numbers of {names[furthest]}', f'those of {names[beside]}', ends)}{more}"


def _spans(judge: str, human: str, ends: _Ends) -> str:
    low, high, lowest, highest = ends
    return (
        f"{judge} go from {low:.4g} to {high:.4g}, {human} from {lowest:.4g} to {highest:.4g}. With the ends matched, at most "
        "half of the distance is left."
    )


def _other_ends(first: NDArray[np.float64], second: NDArray[np.float64], weight: ArrayLike | None) -> _Ends | None:
    """Return the ends of the second side and of the first where these may be two scales, as `other_ends` has it."""
    known = ~(np.isnan(first) | np.isnan(second))
    first, second, times = first[known], second[known], _weights(first, weight)[known]
    if times.sum() < FEWEST or min(np.ptp(first), np.ptp(second)) == 0:
        return None
    if _is_moved(first, second):
        return None
    matched = first.min() + (second - second.min()) * (np.ptp(first) / np.ptp(second))
    before, after = np.abs(first - second), np.abs(first - matched)
    middles = _median(before, times), _median(after, times)
    if not middles[0] > 0 or middles[1] > CLOSER * middles[0] or times @ after**2 > CLOSER**2 * (times @ before**2):
        return None
    return float(second.min()), float(second.max()), float(first.min()), float(first.max())


def _is_moved(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    """Return whether both sides have one range in many steps, moved up or down within it."""
    spans = np.ptp(first), np.ptp(second)
    moved = abs(first.min() - second.min()) + abs(first.max() - second.max())
    many = min(spans[0] / np.diff(np.unique(first)).min(), spans[1] / np.diff(np.unique(second)).min()) >= MOST_LEVELS
    return bool(many and abs(spans[0] - spans[1]) <= SAME_SPAN * max(spans) and moved <= max(spans))


def _weights(numbers: NDArray[np.float64], weight: ArrayLike | None) -> NDArray[np.int64]:
    return np.ones(len(numbers), np.int64) if weight is None else np.asarray(weight, np.int64)


def _median(values: NDArray[np.float64], times: NDArray[np.int64]) -> float:
    """Return median of values that occur several times."""
    order = np.argsort(values)
    upto = np.cumsum(times[order])
    middle = np.searchsorted(upto, [(upto[-1] - 1) // 2, upto[-1] // 2], "right")
    return float(values[order][middle].mean())


def _uses_a_part(numbers: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return bool(np.isin(np.unique(numbers), other).all()) or bool(numbers.min() > other.min() and numbers.max() < other.max())

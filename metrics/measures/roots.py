"""Where a function of one number is 0."""

from __future__ import annotations

from collections.abc import Callable

CLOSE = 1e-13
"""Ends so near each other count as one: a tenth of the last digit in which SciPy's `brentq` may err, from which results stay."""
HALVE_EVERY = 16
"""Steps after which one halves, however the function bends; more often than that, smooth functions would take longer."""


def root_between(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a continuous function is 0, by the false position with the Illinois rule.

    In place of `scipy.optimize.brentq`, with which most of SciPy is imported: that takes longer than pandas.

    Parameters
    ----------
    function : callable
        Of one sign at `low`, and of the other at `high`, or 0 at either.
    low, high : float
        In this order.

    Raises
    ------
    ValueError
        Where the signs are the same.

    References: Dowell & Jarratt (1971), doi:10.1007/BF01934364.
    """
    at_low, at_high = function(low), function(high)
    if at_low * at_high > 0:
        raise ValueError(f"the function has one sign at {low} and {high}")
    if at_low == 0 or at_high == 0:
        return low if at_low == 0 else high
    step, moved = 0, ""
    while high - low > CLOSE:
        step += 1
        middle = high - at_high * (high - low) / (at_high - at_low)
        if step % HALVE_EVERY == 0 or not low < middle < high:
            middle = (low + high) / 2
        value = function(middle)
        if value == 0 or not low < middle < high:
            return middle
        if value * at_high > 0:
            high, at_high, at_low = middle, value, at_low / 2 if moved == "high" else at_low
            moved = "high"
        else:
            low, at_low, at_high = middle, value, at_high / 2 if moved == "low" else at_high
            moved = "low"
    return (low + high) / 2

"""One to three cases say little about how rare they are: how much farther an end must then lie on their side.

Without this the intervals of a nearly perfect judge on one table cover as little as 72 to 84 %, because the upper end of a table
with a single disagreement lies below the truth too often; with it 87 % or more (benchmarks/README.md).
"""

from __future__ import annotations

from scipy.special import gammainc, gammaincinv

# The counts that Brown, Cai & DasGupta correct, see `rare_mean`.
MOST, MOST_OF_MANY, MANY = 2, 3, 50


def is_few(count: float, n: float) -> bool:
    """Return whether a count is small, but not none: up to 2, or up to 3 of more than 50."""
    return 1 <= count <= (MOST if n <= MANY else MOST_OF_MANY)


def rare_mean(count: float, confidence: float) -> float:
    """Return the Poisson mean under which so many events or more are seen with probability 1 - confidence.

    References: Brown, Cai & DasGupta (2001), doi:10.1214/ss/1009213286, section 4.1.1.
    """
    return float(gammaincinv(count, 1 - confidence))


def tail(count: float, n: float, confidence: float) -> float:
    """Return tail probability of a beta or Dirichlet posterior beyond its end on the side of `count` of `n`.

    It is never more than half of what the confidence leaves, which at 80 % the Poisson mean of two cases would be.

    Parameters
    ----------
    count : float
        Decisions on that side.
    n : float
        Decisions on both sides.
    confidence : float
    """
    plain = (1 - confidence) / 2
    return min(float(gammainc(count + 0.5, rare_mean(count, confidence))), plain) if is_few(count, n) else plain


def widened(low: float, high: float, count: float, n: float, confidence: float) -> tuple[float, float]:
    """Return the ends of an interval of count / n, farther out where the count or the rest is few.

    Parameters
    ----------
    low, high : float
        Ends of the share.
    count, n : float
    confidence : float
    """
    if is_few(count, n):
        low = min(low, rare_mean(count, confidence) / n)
    if is_few(n - count, n):
        high = max(high, 1 - rare_mean(n - count, confidence) / n)
    return low, high

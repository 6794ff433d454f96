"""As few digits as do: whoever works out what is printed gets the result that is printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from metrics.results import words

FEWEST, MOST = 3, 6
"""Decimals of a share in a formula; beyond the most, there is no such formula."""
HALF = Fraction(1, 200)
"""Of the last place of a result in two decimals."""
# What a float may add to the value of a fraction.
NOISE = Fraction(1, 10**9)

Printed = tuple[str, Fraction | None]
"""What is printed, and what it gives, None where it divides by 0."""


def fewest(
    printed: Callable[[int], Printed | None], right: Callable[[Fraction], bool], digits: Iterable[int]
) -> tuple[int, str] | None:
    """Return the first number of digits with which what is printed gives what is right, and it; None where none does.

    Parameters
    ----------
    printed : callable
        By digits; None where a number cannot be printed with so few.
    """
    for n in digits:
        printout = printed(n)
        if printout is not None and printout[1] is not None and right(printout[1]):
            return n, printout[0]
    return None


def gives(value: float) -> Callable[[Fraction], bool]:
    """Return a check whether a result is a value as it is printed, in two decimals; half-way may be rounded either way."""
    shown, exact = Fraction(words.number(value).replace(words.MINUS, "-")), Fraction(value)
    return lambda fraction: abs(fraction - shown) < HALF - NOISE or abs(fraction - exact) <= NOISE


def of_split(seen: float, chance: float, kappa: float, most: int = MOST) -> int | None:
    """Return decimals of the shares of an agreement with which what is earned, over what chance leaves, is κ.

    Parameters
    ----------
    seen, chance : float
        Observed and expected agreement, in [0, 1].
    kappa : float
        NaN where it is undefined.
    most : int
        Decimals that are tried at most.

    Returns
    -------
    int or None
        None where κ is undefined, or chance so near to all that even the most do not do.
    """
    if math.isnan(kappa):
        return None
    earned, left = seen - chance, 1 - chance

    def quotient(n: int) -> Printed | None:
        if any(says_other(x, n) for x in (earned, left, chance)):
            return None
        above, below = (Fraction(f"{x:.{n}f}") for x in (earned, left))
        return "", above / below if below else None

    digits_and_text = fewest(quotient, gives(kappa), range(FEWEST, most + 1))
    return None if digits_and_text is None else digits_and_text[0]


def says_other(x: float, digits: int) -> bool:
    """Return whether so few digits make 0 or 1 of what is neither."""
    shown = float(f"{x:.{digits}f}")
    return shown in (0.0, 1.0) and not math.isclose(x, shown, rel_tol=0, abs_tol=1e-12)

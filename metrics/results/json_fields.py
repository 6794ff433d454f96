"""What reports in JSON share: an undefined number is null, and the names beside `all`."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import chain, count

ALL = "all"


def or_none(value: float) -> float | None:
    """Return the number, None where it is undefined."""
    return float(value) if math.isfinite(value) else None


def ends_or_none(ends: Sequence[float] | None) -> list[float] | None:
    """Return both ends of an interval, None where there is none."""
    return None if ends is None else list(ends)


def name_beside_all(criterion: str, criteria: Collection[str] = ()) -> str:
    """Return a criterion as it is called where all criteria together are `all`: as in the file, only `all` itself is told
    apart.

    Parameters
    ----------
    criteria : collection of str
        Names of all criteria of the file, none of which it takes: "all (criterion)", else "all (criterion) 2" and so on.
    """
    if criterion != ALL:
        return criterion
    first = f"{ALL} (criterion)"
    return next(name for name in chain([first], (f"{first} {n}" for n in count(2))) if name not in criteria)

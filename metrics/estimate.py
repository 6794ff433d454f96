"""The one way to hold a number: its value, its interval, and why either is missing."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from metrics.intervals.scale import Interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; NaN with a reason where it is undefined.

    Attributes
    ----------
    value : float
        NaN where undefined.
    interval : Interval or None
        None where none was asked for, or there is none.
    why : str
        Why there is no value, or why a value has no interval although one was asked for; else empty.
    of : (int, int) or None
        For a mean: over how many of how many, "4 of 5 criteria".
    """

    value: float
    interval: Interval | None = None
    why: str = ""
    of: tuple[int, int] | None = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends of the interval; None where it has none."""
        return None if self.interval is None else self.interval.ends

    @property
    def method(self) -> str:
        """How the interval was found; empty where there is none."""
        return "" if self.interval is None else self.interval.method

    @property
    def note(self) -> str:
        """What a reader must know of the interval, such as a small cell; empty without one."""
        return "" if self.interval is None else self.interval.note

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @property
    def undefined(self) -> str:
        """Why there is no value; empty where there is one."""
        return "" if self.defined else self.why

    @property
    def no_interval(self) -> str:
        """Why a value has no interval; empty where it has one, and where there is no value."""
        return self.why if self.defined and self.interval is None else ""

    @property
    def sign(self) -> int:
        """1 where the interval lies above 0, −1 below it, 0 where it holds 0 or there is none."""
        low, high = self.ends or (0.0, 0.0)
        return int(low > 0) - int(high < 0)

    def __neg__(self) -> Estimate:
        """The same difference the other way round."""
        own = self.interval
        return replace(self, value=-self.value, interval=own and replace(own, low=-own.high, high=-own.low))

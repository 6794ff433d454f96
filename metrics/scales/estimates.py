"""A number with its interval, or the reason why it has none."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.intervals.scale import Interval


@dataclass(frozen=True)
class Estimate:
    """A number; NaN with a reason where it is undefined.

    Attributes
    ----------
    interval : Interval or None
        None where none was asked for, or there is none.
    undefined : str
        Why there is no value; empty where there is one.
    no_interval : str
        Why a value has no interval although one was asked for.
    """

    value: float
    interval: Interval | None = None
    undefined: str = ""
    no_interval: str = ""

    @property
    def ends(self) -> tuple[float, float] | None:
        return None if self.interval is None else self.interval.ends

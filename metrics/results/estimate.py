"""The one way to hold a number: its value, its interval, and why either is missing; and the numbers of one table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from metrics.measures.arrays import mean_where_defined
from metrics.measures.transforms import Interval

MOST_REASONS = 3
"""Different reasons that a mean names; criteria without a value have mostly one."""


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
    line : float or None
        What its interval is compared with; it is written with as many decimals as keep both ends on their sides.
    """

    value: float
    interval: Interval | None = None
    why: str = ""
    of: tuple[int, int] | None = None
    line: float | None = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends of the interval; None where it has none."""
        return None if self.interval is None else self.interval.ends

    @property
    def low(self) -> float | None:
        """The lower of them."""
        return None if self.ends is None else self.ends[0]

    @property
    def high(self) -> float | None:
        """The higher of them."""
        return None if self.ends is None else self.ends[1]

    @property
    def width(self) -> float:
        """Width of the interval; NaN where it has none."""
        low, high = self.ends or (math.nan, math.nan)
        return high - low

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

    def cells(self) -> dict[str, Any]:
        """Return its cells of a tidy table: value, both ends of the interval, how it was found, and why there is no value."""
        return {"value": self.value, "low": self.low, "high": self.high, "interval": self.method, "undefined": self.undefined}

    def __neg__(self) -> Estimate:
        """Return the same difference the other way round."""
        interval = self.interval
        return replace(self, value=-self.value, interval=interval and replace(interval, low=-interval.high, high=-interval.low))

    def __abs__(self) -> Estimate:
        """Return how large a difference is, with its interval turned alike."""
        return -self if self.value < 0 else self


NOT_HERE = Estimate(math.nan)
"""What a part says of a metric that its table does not have: no value, and no reason for that."""


def estimates_of(values: Mapping[str, float], undefined: Mapping[str, str]) -> dict[str, Estimate]:
    """Return estimates without intervals.

    Parameters
    ----------
    values : mapping
        Key to value, NaN where undefined.
    undefined : mapping
        Key of every undefined metric to the reason.
    """
    return {key: Estimate(value, why=undefined.get(key, "") if math.isnan(value) else "") for key, value in values.items()}


def with_intervals(
    estimates: Mapping[str, Estimate], intervals: Mapping[str, Interval], why: Mapping[str, str] | None = None
) -> dict[str, Estimate]:
    """Return the same numbers with these intervals.

    Parameters
    ----------
    estimates : mapping of str to Estimate
    intervals : mapping of str to Interval
        By the same keys; a number that is not among them has none.
    why : mapping of str to str, optional
        Why a value has no interval, where a reason is told.
    """
    reasons = why or {}
    return {
        key: Estimate(
            estimate.value, intervals.get(key), estimate.why or ("" if key in intervals else reasons.get(key, "")), estimate.of
        )
        for key, estimate in estimates.items()
    }


def means_of(parts: Sequence[Part], keys: Iterable[str]) -> dict[str, Estimate]:
    """Return the mean of each metric over the parts where it is defined, without intervals.

    Undefined where no part has a value; the reasons of the parts are then its reason.
    """
    names, n = tuple(keys), len(parts)
    table = np.array([[part[key].value for part in parts] for key in names]).reshape(len(names), n)
    whole = table.mean(1).tolist()
    estimates = {}
    for key, values, every in zip(names, table, whole, strict=True):
        if not math.isnan(every):
            estimates[key] = Estimate(every, None, "", (n, n))
            continue
        mean, count = mean_where_defined(values)
        reasons = "; ".join(sorted({part[key].undefined for part in parts})[:MOST_REASONS])
        estimates[key] = Estimate(mean, None, "" if count else f"undefined in every criterion: {reasons}", (count, n))
    return estimates


@dataclass(frozen=True, eq=False, kw_only=True)
class Part:
    """The numbers of one table, of one set of ratings, or of a mean over several.

    Attributes
    ----------
    estimates : mapping
        Key of every metric that is there to its estimate, in the order of the catalogue.
    """

    estimates: Mapping[str, Estimate]

    def __getitem__(self, key: str) -> Estimate:
        """Return a metric with its interval; NaN without a reason for one that is not here."""
        return self.estimates.get(key, NOT_HERE)

    def __contains__(self, key: str) -> bool:
        return key in self.estimates

    @cached_property
    def values(self) -> Mapping[str, float]:
        """Key of every metric to its value, NaN where undefined."""
        return {key: estimate.value for key, estimate in self.estimates.items()}

    @cached_property
    def undefined(self) -> Mapping[str, str]:
        """Key of every undefined metric to the reason."""
        return {key: estimate.why for key, estimate in self.estimates.items() if not estimate.defined}

    @cached_property
    def intervals(self) -> Mapping[str, Interval]:
        """Key to interval, for every metric that has one."""
        return {key: estimate.interval for key, estimate in self.estimates.items() if estimate.interval is not None}

    def with_intervals(self, intervals: Mapping[str, Interval], why: Mapping[str, str] | None = None) -> Self:
        """Return the same numbers with intervals, and with the reason of those that have none where one is given."""
        return replace(self, estimates=with_intervals(self.estimates, intervals, why))

    def interval_fields(self, *, asked: bool) -> dict[str, Any]:
        """Return the JSON fields of the intervals: both ends or null of every metric where intervals were asked for."""
        ends = {key: estimate.ends for key, estimate in self.estimates.items()} if asked else {}
        return {
            "intervals": {key: None if pair is None else list(pair) for key, pair in ends.items()},
            "interval_methods": {
                key: estimate.method for key, estimate in self.estimates.items() if estimate.interval is not None
            },
        }

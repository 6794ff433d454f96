"""Several readings of one comparison, and whether they agree on who is better."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from metrics.measures.transforms import ROUNDING, Interval, student
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none, or_none

LevelName = Literal["micro", "macro", "within"]
LEVEL_READINGS: tuple[LevelName, ...] = ("micro", "macro", "within")
SLACK = 1e-12
"""A difference up to this is that of equal numbers added in another order."""


@dataclass(frozen=True)
class Reading:
    """The difference of two judges, read in one way.

    Attributes
    ----------
    a, b : float
        Values of the two judges; NaN where undefined.
    n : (int, int)
        Decisions (items at item level) behind each value.
    difference : Estimate
        Value of B less that of A.
    p : float or None
        Of the permutation test; None where only the interval is taken.
    confidence : float
    """

    metric: str
    a: float
    b: float
    n: tuple[int, int]
    difference: Estimate
    p: float | None
    confidence: float

    @property
    def sign(self) -> int:
        """Of the difference itself, whatever its interval; 0 where there is none."""
        return int(self.difference.value > SLACK) - int(self.difference.value < -SLACK)

    @property
    def settled(self) -> bool:
        """Whether the interval, and the permutation test where it was made, tell the judges apart."""
        return bool(self.difference.sign) and (self.p is None or self.p <= 1 - self.confidence)

    def to_dict(self) -> dict[str, Any]:
        return {
            "metric": self.metric, "a": or_none(self.a), "b": or_none(self.b), "n_a": self.n[0], "n_b": self.n[1],
            "difference": or_none(self.difference.value), "interval": ends_or_none(self.difference.ends),
            "p": None if self.p is None else or_none(self.p), "settled": self.settled,
        }  # fmt: skip


@dataclass(frozen=True)
class Nonresponse:
    """What abstentions do to a comparison.

    Attributes
    ----------
    whole : Reading
        Each judge on all decisions that count for it.
    left_open : Estimate
        Difference of `whole` less that on the decisions both answered, paired.
    as_unmet : Reading or None
        Abstentions recoded as negative; None where the scale has no negative label.
    answered : Reading or None
        Where the mode counts abstentions: the decisions on which both gave a verdict.
    """

    whole: Reading
    left_open: Estimate
    as_unmet: Reading | None
    answered: Reading | None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings beside that of the decisions both answered."""
        return tuple(reading for reading in (self.whole, self.as_unmet, self.answered) if reading is not None)


def disagree(readings: Iterable[Reading]) -> bool:
    """Return whether signs differ, or one reading is settled and another is not.

    A reading without a value says nothing, one without an interval nothing on what is settled.
    """
    known = [reading for reading in readings if reading.difference.defined]
    signs = {reading.sign for reading in known} - {0}
    settled = {reading.settled for reading in known if reading.difference.interval is not None or not reading.sign}
    return len(signs) > 1 or len(settled) > 1


def difference_of(value: float, error: float, n_units: int, confidence: float, most: float = math.inf) -> Estimate:
    """Return a difference with its interval by Student's t.

    Parameters
    ----------
    value, error : float
        The difference and its standard error; no interval where either is undefined, or the error is mere rounding.
    n_units : int
        What was left out one at a time.
    confidence : float
        Of the interval, in (0, 1).
    most : float
        The largest difference there can be, beyond which no end lies.
    """
    if math.isnan(value) or not error > ROUNDING:
        return Estimate(value)
    reach = student(n_units - 1, confidence) * error
    return Estimate(value, Interval(max(value - reach, -most), min(value + reach, most), "paired jackknife"))

"""Several readings of one comparison, and whether they agree on who is better."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from metrics.as_json import or_none

LevelName = Literal["micro", "macro", "within"]
LEVEL_READINGS: tuple[LevelName, ...] = ("micro", "macro", "within")
SLACK = 1e-12
"""A difference up to this is that of equal numbers added in another order."""

Ends = tuple[float, float] | None


@dataclass(frozen=True)
class Reading:
    """The difference of two judges, read in one way.

    Attributes
    ----------
    a, b : float
        Values of the two judges; NaN where undefined.
    n : (int, int)
        Decisions (items at item level) behind each value.
    ends : (float, float) or None
        Interval of the difference; None where there is none.
    p : float or None
        Of the permutation test; None where only the interval is taken.
    confidence : float
    """

    metric: str
    a: float
    b: float
    n: tuple[int, int]
    ends: Ends
    p: float | None
    confidence: float

    @property
    def difference(self) -> float:
        return self.b - self.a

    @property
    def sign(self) -> int:
        """Of the difference; 0 where there is none."""
        return 0 if not abs(self.difference) > SLACK else 1 if self.difference > 0 else -1

    @property
    def excludes_zero(self) -> bool:
        return self.ends is not None and not self.ends[0] <= 0 <= self.ends[1]

    @property
    def settled(self) -> bool:
        """Whether the interval, and the permutation test where it was made, tell the judges apart."""
        return self.excludes_zero and (self.p is None or self.p <= 1 - self.confidence)

    def to_dict(self) -> dict[str, Any]:
        return {
            "metric": self.metric, "a": or_none(self.a), "b": or_none(self.b), "n_a": self.n[0], "n_b": self.n[1],
            "difference": or_none(self.difference), "interval": None if self.ends is None else list(self.ends),
            "p": None if self.p is None else or_none(self.p), "settled": self.settled,
        }  # fmt: skip


@dataclass(frozen=True)
class Silence:
    """What abstentions do to a comparison.

    Attributes
    ----------
    whole : Reading
        Each judge on all decisions that count for it.
    left_open : float
        Difference of `whole` less that on the decisions both answered.
    left_open_ends : (float, float) or None
        Paired interval of `left_open`.
    as_unmet : Reading or None
        Abstentions recoded as negative; None where the scale has no negative label.
    answered : Reading or None
        Where the mode counts abstentions: the decisions on which both gave a verdict.
    """

    whole: Reading
    left_open: float
    left_open_ends: Ends
    as_unmet: Reading | None
    answered: Reading | None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings beside that of the decisions both answered."""
        return tuple(one for one in (self.whole, self.as_unmet, self.answered) if one is not None)


def disagree(readings: Iterable[Reading]) -> bool:
    """Whether signs differ, or one reading is settled and another is not.

    A reading without a value says nothing, one without an interval nothing on what is settled.
    """
    known = [one for one in readings if not math.isnan(one.difference)]
    signs = {one.sign for one in known} - {0}
    settled = {one.settled for one in known if one.ends is not None or not one.sign}
    return len(signs) > 1 or len(settled) > 1

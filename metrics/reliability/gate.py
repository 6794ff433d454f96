"""The gate: do the raters agree well enough to go on, decided on the interval, not on the estimate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from metrics.errors import InputError
from metrics.intervals.scale import Interval
from metrics.planning import Needed, error_behind, items_needed

Verdict = Literal["passes", "fails", "undecided"]
On = Literal["alpha", "kappa"]
FLOORS: dict[On, float] = {"alpha": 0.667, "kappa": 0.6}
"""Floors of the IRR guide: of alpha, and of the mean kappa of pairs."""
GOLD_FLOOR = 0.8
"""Floor of alpha for labels that serve as a gold set or release gate."""
SETTLED = "these items settle it"


@dataclass(frozen=True)
class Bands:
    """What a team asks of agreement, and what it calls it.

    Attributes
    ----------
    on : {"alpha", "kappa"}
        What is judged: Krippendorff's alpha, or the mean of Cohen's kappa over pairs of raters.
    floor : float or None
        None: the guide's for that coefficient.
    edges : tuple of float
        Where one band ends and the next begins, rising.
    words : tuple of str
        Names of the bands, low to high, one more than edges.
    """

    on: On = "alpha"
    floor: float | None = None
    edges: tuple[float, ...] = (0.4, 0.6, 0.8)
    words: tuple[str, ...] = ("revise", "sharpen", "usable", "well specified")

    def __post_init__(self) -> None:
        if self.on not in get_args(On):
            raise InputError(f"The gate is on {' or '.join(get_args(On))}, not {self.on!r}.")
        if not -1 < self.line < 1:
            raise InputError(f"The floor must lie between −1 and 1, not {self.line}.")
        if not all(a < b for a, b in pairwise(self.edges)):
            raise InputError("Bands need edges that rise, each above the one before.")
        if len(self.words) != len(self.edges) + 1:
            raise InputError(f"{len(self.edges)} edges part {len(self.edges) + 1} bands, not {len(self.words)}: a word for each.")

    @property
    def line(self) -> float:
        """The floor in use."""
        return FLOORS[self.on] if self.floor is None else self.floor

    @property
    def value_key(self) -> str:
        """The statistic that is judged."""
        return "alpha" if self.on == "alpha" else "mean_pairwise_kappa"

    def touched(self, low: float, high: float) -> tuple[str, ...]:
        """Words of every band that the interval touches; a value on an edge belongs to the band above."""
        return tuple(
            word
            for word, start, end in zip(self.words, (-math.inf, *self.edges), (*self.edges, math.inf), strict=True)
            if low < end and high >= start
        )


@dataclass(frozen=True)
class Gate:
    """The verdict on one criterion.

    Attributes
    ----------
    verdict : {"passes", "fails", "undecided"}
        Passes where the interval's lower end is at the floor or above, fails where its upper end is below.
    bands : tuple of str
        Every band the interval touches; where there is none, the band of the value; empty where that is undefined.
    needed : Needed
        Items that would decide, the estimate staying where it is; without a number where they are decided, or none would.
    reason : str
        Why there is no verdict although there are raters; empty where the interval is the reason, or there is one.
    """

    verdict: Verdict
    bands: tuple[str, ...]
    needed: Needed
    line: float
    on: On
    reason: str = ""

    @property
    def band(self) -> str:
        """The bands in words: "sharpen or usable"."""
        return " or ".join(self.bands)

    def to_dict(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "verdict": self.verdict, "band": self.band or None, "bands": list(self.bands), "n_needed": self.needed.n,
            "why_not": self.needed.reason, "on": self.on, "floor": self.line, "reason": self.reason,
        }  # fmt: skip


def gate_of(
    value: float, interval: Interval | None, n_items: int, bands: Bands | None = None, *, why: str = "", confidence: float = 0.95
) -> Gate:
    """The verdict on a value with its interval.

    Parameters
    ----------
    value : float
        Of the coefficient that the bands are on; NaN where undefined.
    interval : Interval or None
    n_items : int
        Items the interval rests on.
    why : str
        Why the value is undefined, where it is.
    """
    asked = bands or Bands()
    ends = None if interval is None else interval.ends
    if math.isnan(value):
        return Gate("undecided", (), Needed(None, why or "the value is undefined"), asked.line, asked.on, why or "undefined")
    if interval is None or ends is None:
        there_is_none = "there is no interval"
        return Gate("undecided", asked.touched(value, value), Needed(None, there_is_none), asked.line, asked.on, there_is_none)
    touched = asked.touched(*ends)
    if ends[0] >= asked.line:
        return Gate("passes", touched, Needed(None, SETTLED), asked.line, asked.on)
    if ends[1] < asked.line:
        return Gate("fails", touched, Needed(None, SETTLED), asked.line, asked.on)
    return Gate("undecided", touched, _needed(value, interval, n_items, asked.line, confidence), asked.line, asked.on)


def _needed(value: float, interval: Interval, n_items: int, line: float, confidence: float) -> Needed:
    """Items at which the interval would lie on one side of the floor, on the side on which the estimate is."""
    error = error_behind(interval, value, "fisher", n_items, confidence)
    found = items_needed(value, error, line, n_items, "fisher", above=value > line, confidence=confidence)
    return found if found.n is None else Needed(max(found.n, n_items + 1))

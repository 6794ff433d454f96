"""The gate: do the raters agree well enough to go on, decided on the interval, not on the estimate.

The prevalence paradox is told apart: high agreement, low alpha, because nearly all labels are the same one. The rule: percent
agreement and AC1 are high over their whole intervals, and the labels other than the commonest are rare. Slips then outnumber the
labels that alpha rests on, and no rubric mends that: more items with the rare label do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from metrics.analyses.planning.sizes import POWER, Needed, about, error_behind, items_needed
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from metrics.results.report import or_none
from metrics.results.words import percent

Verdict = Literal["passes", "fails", "undecided"]
Side = Literal["passes", "fails", ""]
On = Literal["alpha", "kappa"]
FLOORS: dict[On, float] = {"alpha": 0.667, "kappa": 0.6}
"""Floors of the IRR guide: of alpha, and of the mean kappa of pairs."""
GOLD_FLOOR = 0.8
"""Floor of alpha for labels that serve as a gold set or release gate."""
GUIDE_EDGES = (0.4, 0.6, 0.8)
"""Where the bands of the IRR guide end, made for κ."""
SETTLED = "these items decide it"
RARE_BAND = "rare label"
"""In place of the band where it fails although the raters agree."""


RUBRIC_WORDS = ("revise", "sharpen", "usable", "well specified")
"""Bands of the IRR guide, low to high: what the agreement of people says of the rubric."""
JUDGE_WORDS = ("low", "moderate", "high", "very high")
"""The same bands among judges, whose agreement says nothing of it."""
AGREEMENT_FLOOR, AC1_FLOOR, RARE = 0.9, 0.8, 0.1
"""Lower ends of percent agreement and of AC1 from which agreement is high; share below which a label is rare.

Raters who agree on 0.9 of pairs reach an alpha of 0.8, the bar of a gold set, where two labels are equally common: then only the
rarity of a label can put them below the floor.
"""
LEAST_LOWERED = 0.05
"""How far alpha must lie below that at equal label rates for a rare label to be said to lower it."""


@dataclass(frozen=True)
class Bands:
    """What a team asks of agreement, and what it calls it.

    Attributes
    ----------
    on : {"alpha", "kappa"}
        What is judged: Krippendorff's alpha, or the mean of Cohen's kappa over pairs of raters; both at the level of the block,
        so kappa with quadratic weights of ordered labels.
    floor : float or None
        None: the guide's for that coefficient.
    edges : tuple of float
        Where one band ends and the next begins, rising. Default: three, the middle one the floor, so that no band's word
        contradicts the verdict; see `usual_edges`.
    words : tuple of str
        Names of the bands, low to high, one more than edges.
    """

    on: On = "alpha"
    floor: float | None = None
    edges: tuple[float, ...] = ()
    words: tuple[str, ...] = RUBRIC_WORDS

    def __post_init__(self) -> None:
        if self.on not in get_args(On):
            raise InputError(f"The gate is on {' or '.join(get_args(On))}, not {self.on!r}.")
        if not -1 < self.line < 1:
            raise InputError(f"The floor must lie between −1 and 1, not {self.line}.")
        if not self.edges:
            object.__setattr__(self, "edges", usual_edges(self.line))
        if not all(a < b for a, b in pairwise(self.edges)):
            raise InputError("Bands need edges that rise, each above the one before.")
        if len(self.words) != len(self.edges) + 1:
            raise InputError(f"{len(self.edges)} edges part {len(self.edges) + 1} bands, not {len(self.words)}: a word for each.")

    def among(self, role: str) -> Bands:
        """Return the bands under names that fit the raters, unless the team has its own."""
        return replace(self, words=JUDGE_WORDS) if role == "judge" and self.words == RUBRIC_WORDS else self

    @property
    def line(self) -> float:
        """The floor in use."""
        return FLOORS[self.on] if self.floor is None else self.floor

    def touched(self, low: float, high: float) -> tuple[str, ...]:
        """Return words of every band that the interval touches; a value on an edge belongs to the band above."""
        return tuple(
            word
            for word, start, end in zip(self.words, (-math.inf, *self.edges), (*self.edges, math.inf), strict=True)
            if low < end and high >= start
        )


def usual_edges(floor: float) -> tuple[float, float, float]:
    """Return the edges of the bands: those of the IRR guide, but the middle one is the floor.

    An outer edge of the guide that does not lie on its side of the floor goes halfway between the floor and -1 or 1. The guide
    has 0.4, 0.6 and 0.8 of κ, whose floor is 0.6. Of α, whose floor is 0.667, values from 0.6 to there are not usable.
    """
    low, _, high = GUIDE_EDGES
    return (low if low < floor else (floor - 1) / 2, floor, high if high > floor else (floor + 1) / 2)


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
    rare : RareLabel or None
        Where the value does not pass although the raters agree, because a label is rare: the rubric is not shown to be unclear.
    would : {"passes", "fails", ""}
        The verdict that the items needed would show; empty where none are known.
    """

    verdict: Verdict
    bands: tuple[str, ...]
    needed: Needed
    line: float
    on: On
    reason: str = ""
    rare: RareLabel | None = None
    would: Side = ""

    @property
    def band(self) -> str:
        """The bands in words: "sharpen or usable"; where a rare label is what fails, that, as the bands speak of the rubric."""
        return RARE_BAND if self.fails_on_rare else " or ".join(self.bands)

    @property
    def fails_on_rare(self) -> bool:
        """Whether it fails although the raters agree, because a label is rare."""
        return self.verdict == "fails" and self.rare is not None

    def to_dict(self) -> dict[str, object]:
        """Return JSON-ready."""
        return {
            "verdict": self.verdict, "band": self.band or None, "bands": list(self.bands), "n_needed": self.needed.n,
            "why_not": self.needed.reason, "on": self.on, "floor": self.line, "reason": self.reason,
            "rare_label": None if self.rare is None else self.rare.to_dict(),
        }  # fmt: skip


def gate_of(
    estimate: Estimate,
    n_items: int,
    bands: Bands | None = None,
    *,
    rare: RareLabel | None = None,
    confidence: float = 0.95,
) -> Gate:
    """Return the verdict on the coefficient that the bands are on.

    Parameters
    ----------
    n_items : int
        Items the interval rests on.
    rare : RareLabel, optional
        As `metrics.analyses.raters.gate.rare_label` finds it.
    """
    asked = bands or Bands()
    if not estimate.defined:
        return Gate("undecided", (), Needed(None, estimate.why), asked.line, asked.on, estimate.why)
    interval, ends = estimate.interval, estimate.ends
    if interval is None or ends is None:
        none, touched = "there is no interval", asked.touched(estimate.value, estimate.value)
        return Gate("undecided", touched, Needed(None, none), asked.line, asked.on, none)
    touched = asked.touched(*ends)
    if ends[0] >= asked.line:
        return Gate("passes", touched, Needed(None, SETTLED), asked.line, asked.on)
    if ends[1] < asked.line:
        return Gate("fails", touched, Needed(None, SETTLED), asked.line, asked.on, rare=rare)
    needed = _needed(estimate.value, interval, n_items, asked.line, confidence)
    would: Side = "" if needed.n is None else "passes" if estimate.value > asked.line else "fails"
    return Gate("undecided", touched, needed, asked.line, asked.on, rare=rare, would=would)


def needed_words(n: int, would: Side, what: str = "") -> str:
    """Return what so many items would show: "about 310 would show, with 80 % power, that agreement is below the floor".

    Parameters
    ----------
    n : int
    would : {"passes", "fails", ""}
        The verdict that they would show.
    what : str
        What is counted, where the sentence does not say it.
    """
    many = f"{about(n)} {what}".strip()
    side = "below" if would == "fails" else "above"
    return f"{many} would show, with {percent(POWER)} power, that agreement is {side} the floor"


def _needed(value: float, interval: Interval, n_items: int, line: float, confidence: float) -> Needed:
    """Return items at which the interval would lie on one side of the floor, on the side on which the estimate is."""
    error = error_behind(interval, value, "fisher", n_items, confidence)
    needed = items_needed(value, error, line, n_items, "fisher", above=value > line, confidence=confidence)
    return needed if needed.n is None else Needed(max(needed.n, n_items + 1))


@dataclass(frozen=True)
class RareLabel:
    """Labels that are too rare for alpha to speak of the rubric, although the raters agree.

    Attributes
    ----------
    labels : tuple of str
        Every label given but the commonest, the most frequent first.
    share : float
        Their share of the labels on units with two or more.
    agreement, ac1 : Estimate
    balanced : float
        Alpha at the nominal level that the same agreement gives where the labels in use are equally common.
    lowers : bool
        Whether alpha at the rates there are lies clearly below; else the rare labels are merely too few to tell.
    """

    labels: tuple[str, ...]
    share: float
    agreement: Estimate
    ac1: Estimate
    balanced: float
    lowers: bool

    def to_dict(self) -> dict[str, object]:
        """Return JSON-ready."""
        return {
            "labels": list(self.labels), "share": self.share, "percent_agreement": self.agreement.value,
            "gwet_ac1": or_none(self.ac1.value), "alpha_at_equal_rates": self.balanced,
            "lowers_alpha": self.lowers,
        }  # fmt: skip


def rare_label(classes: Sequence[str], counts: FloatArray, agreement: Estimate, ac1: Estimate) -> RareLabel | None:
    """Return the labels that are rare where the raters agree nevertheless; None where that is not so, or there is no interval.

    Parameters
    ----------
    counts : ndarray, shape (K,)
        Labels of each class on units with two or more.
    agreement, ac1 : Estimate
        Percent agreement and Gwet's AC1.
    """
    total = float(counts.sum())
    lowest = [-1.0 if estimate.ends is None else estimate.ends[0] for estimate in (agreement, ac1)]
    if lowest[0] < AGREEMENT_FLOOR or lowest[1] < AC1_FLOOR or not total:
        return None
    common = int(counts.argmax())
    order = [place for place in np.argsort(-counts, kind="stable").tolist() if place != common and counts[place] > 0]
    share = float(sum(counts[place] for place in order)) / total
    if not 0 < share < RARE:
        return None
    in_use = len(order) + 1
    balanced = 1 - (1 - agreement.value) * in_use / (in_use - 1)
    by_chance = float((counts * (total - counts)).sum()) / (total * (total - 1))
    lowers = (1 - agreement.value) / by_chance - (1 - balanced) >= LEAST_LOWERED
    return RareLabel(tuple(classes[place] for place in order), share, agreement, ac1, balanced, lowers)

"""Results of comparing two judges: frozen records with one way out to JSON, a table and a text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metrics.analyses.comparison import readings as comparison_readings
from metrics.analyses.comparison.levels import LevelName, Nonresponse, Reading, disagree
from metrics.analyses.comparison.margin import UNCHANGED, Held, held, p_unseen, unseen_change
from metrics.analyses.comparison.permutation import McNemar, OnCriterion, Permutation
from metrics.analyses.comparison.weighted import WeightedDifference
from metrics.analyses.planning.compute import FIRST_TIME, REPEAT, needed_for_difference, unit_words
from metrics.analyses.planning.sizes import Needed
from metrics.analyses.records import Block, Declaration
from metrics.analyses.settings import Settings
from metrics.data.aggregation import Level
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from metrics.results.report import Report, ends_or_none, or_none

Outcome = Literal["both", "only_a", "only_b", "neither", "open"]
OUTCOMES: tuple[Outcome, ...] = ("both", "only_a", "only_b", "neither", "open")


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two judges, on the decisions both answered.

    Attributes
    ----------
    estimate : Estimate
        Value of the metric, its interval by the default rules on the same items.
    coverage : float
        Share of the shared decisions (items at item level) that count for this judge in the mode.
    n_only : int
        Decisions that only this judge gave; they are left out.
    block : Block
        Pooled table on the decisions both answered.
    """

    name: str
    estimate: Estimate
    coverage: float
    n_only: int
    block: Block

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name, "value": or_none(self.estimate.value), **_interval_of(self.estimate),
            "n": self.block.n, "coverage": or_none(self.coverage), "n_only": self.n_only,
            "labels": list(self.block.labels), "confusion": np.asarray(self.block.confusion).tolist(),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Comparison(Report):
    """Judge B against judge A, on the decisions both answered.

    Attributes
    ----------
    difference : Estimate
        Value of B less that of A, its interval paired, on the difference's own scale; macro: over how many of the criteria, those
        where the metric is defined for both.
    error : float
        Standard error of the difference; NaN where there is none.
    n_items, n_shared : int
        Items with a decision that counts; decisions (items at item level) both judges gave where the reference has one.
    n_units : int
        What is left out one at a time and swapped as a whole: items, or groups of them.
    n_no_reference : int
        Decisions both judges gave that the reference lacks.
    mcnemar : McNemar or None
        None for the reason in `no_mcnemar`.
    outcomes : mapping
        Shared decisions by who agrees with the reference; `open` where somebody's verdict does not count in the mode.
    readings : mapping
        The comparison over decisions (micro), over criteria (macro) and with chance inside each criterion (within); None where
        the metric has no such reading, and at item level.
    silence : Nonresponse or None
        What abstentions do to the comparison; None where nobody abstained.
    growth : (float, float)
        By how much the variance of the difference grows where the truth lies below it, and above; see `margin.growth`.
    margin : float or None
        How much worse B may be; None where nobody stated it.
    weighted : WeightedDifference or None
        The difference by the weights of items; None where the file has none.
    on_criteria : tuple of OnCriterion
        Who is right on each of several criteria; none where groups of items are the units.
    places, outcome : ndarray, shape (n_shared,)
        Each shared decision (item at item level) and its place in `OUTCOMES`; see `metrics.analyses.comparison.discordant`.
    """

    TEXT, OF = "analyses.comparison.terminal", "a comparison of two judges"

    declaration: Declaration
    settings: Settings
    metric: str
    level: Level
    criterion: str | None
    a: Side
    b: Side
    difference: Estimate
    error: float
    n_items: int
    n_units: int
    n_shared: int
    n_no_reference: int
    permutation: Permutation
    mcnemar: McNemar | None
    no_mcnemar: str
    outcomes: Mapping[Outcome, int]
    places: NDArray[np.int64] = field(repr=False)
    outcome: NDArray[np.int8] = field(repr=False)
    readings: Mapping[LevelName, Reading | None]
    silence: Nonresponse | None
    on_criteria: tuple[OnCriterion, ...] = ()
    growth: tuple[float, float] = (math.nan, math.nan)
    margin: float | None = None
    weighted: WeightedDifference | None = None
    cautions: tuple[str, ...] = ()
    """What must be known of the file."""
    in_groups: str = ""
    """That differences are alike within groups of items, which test and interval take as independent; else empty."""

    @property
    def units(self) -> str:
        """What `n_units` counts, in words."""
        return unit_words(self.settings.unit)

    @property
    def no_interval(self) -> str:
        """Why there is no interval of the difference; empty where there is one."""
        return self.difference.no_interval if self.difference.defined else "the difference is undefined"

    @property
    def settled(self) -> bool:
        """Whether both the interval and the permutation test tell the judges apart, by weight where items have weights."""
        return self.decisive[0].settled

    @property
    def common(self) -> Reading:
        """The comparison itself: the decisions both answered, at the level asked for."""
        n, values = self.a.block.n or 0, (self.a.estimate.value, self.b.estimate.value)
        return Reading(self.metric, *values, (n, n), self.difference, self.permutation.p, self.settings.confidence)

    @property
    def levels(self) -> dict[LevelName, Reading]:
        """The readings at more than one level; empty where one is all there is."""
        known = {name: reading for name, reading in self.readings.items() if reading is not None}
        return known if len(self.declaration.criteria) > 1 and self.criterion is None else {}

    @cached_property
    def every_reading(self) -> tuple[Reading, ...]:
        """The comparison itself, at every level, and by what becomes of abstentions."""
        return self.common, *self.levels.values(), *(self.silence.readings if self.silence else ())

    @property
    def decisive(self) -> tuple[Reading, ...]:
        """The readings that name the better judge, the comparison itself first: those by weight where items have weights."""
        return self.every_reading if self.weighted is None else self.weighted.readings

    @cached_property
    def disagree(self) -> bool:
        """Whether signs of the readings that decide differ, or one is settled and another is not; some reading is settled."""
        return self.any_settled and disagree(self.decisive)

    @cached_property
    def any_settled(self) -> bool:
        """Whether any reading that decides tells the judges apart."""
        return any(reading.settled for reading in self.decisive)

    @property
    def _compared_level(self) -> str:
        return "within" if self.metric == "kappa_within" else self.level

    @property
    def others(self) -> dict[str, Reading]:
        """The readings beside the one compared, by the name that a figure has room for."""
        readings: dict[str, Reading] = {name: one for name, one in self.levels.items() if name != self._compared_level}
        if self.silence is not None:
            rest = self.silence
            readings |= {"all answered": rest.whole} if rest.answered is None else {"both answered": rest.answered}
            readings |= {} if rest.as_unmet is None else {"as negative": rest.as_unmet}
        return readings

    @property
    def decisive_levels(self) -> dict[str, Reading]:
        """The readings at more than one level that name the better judge, by weight where items have weights."""
        if self.weighted is None:
            return {str(name): reading for name, reading in self.levels.items()}
        first, *others = self.weighted.readings  # no others where both judged one criterion alone: then all levels are one
        rest = iter(others)
        return {name: first if name == self._compared_level else next(rest, first) for name in self.levels}

    @property
    def decisive_others(self) -> dict[str, Reading]:
        """The readings beside the one compared, as `others`; where items have weights those at other levels by weight alone."""
        if self.weighted is None:
            return self.others
        return {name: reading for name, reading in self.decisive_levels.items() if name != self._compared_level}

    @property
    def from_silence(self) -> bool:
        """Whether only what is left open tells the judges apart; where it is left out, by itself."""
        if self.silence is None or (self.silence.answered is None and not self.silence.left_open.sign):
            return False
        answered = self.silence.answered or self.common
        counted = self.common if self.silence.answered else self.silence.whole
        return bool(counted.difference.sign) and not answered.difference.sign

    @cached_property
    def ahead(self) -> str | None:
        """The judge with the higher value, where it is settled and every reading that decides agrees."""
        if not self.settled or self.disagree or not self.permutation.n_differ:
            return None
        return self.b.name if self.decisive[0].difference.value > 0 else self.a.name

    @property
    def winner(self) -> str | None:
        """The better judge; None where nothing settles it, readings disagree or the metric has no better side."""
        better, ahead = comparison_readings.direction(self.metric), self.ahead
        if ahead is None or not better:
            return None
        return ahead if better > 0 else self.a.name if ahead == self.b.name else self.b.name

    @property
    def unseen(self) -> Interval | None:
        """How far B may have gone from A where no shared decision differs; None where one does, or no table has the metric."""
        table = self.a.block.confusion
        if table is None or self.permutation.n_differ or not self.difference.defined or BY_KEY[self.metric].takes != "table":
            return None
        return Interval(*unseen_change(table, self.metric, self._n_unseen, self.settings.confidence), UNCHANGED)

    @property
    def held(self) -> Held | None:
        """B held against A by the margin, by weight where items have weights; None where nobody stated one."""
        if self.weighted is not None and self.unseen is None:
            return self.weighted.held
        better = comparison_readings.direction(self.metric)
        if self.margin is None or not better:
            return None
        difference = self.difference if self.unseen is None else replace(self.difference, interval=self.unseen)
        made = held(
            self.margin, difference, self.error, self.growth, better=better, units=self.n_units,
            confidence=self.settings.confidence, ahead=self.winner == self.b.name,
            why=comparison_readings.breaks_margin(self, self.margin, better),
        )  # fmt: skip
        table = self.a.block.confusion
        if self.unseen is None or table is None:
            return made
        return replace(made, p=p_unseen(table, self.metric, self._n_unseen, self.margin, better))

    @property
    def _n_unseen(self) -> float:
        """Items among which a change would have been seen; of items with weights, how many of equal weight they are worth."""
        return self.n_units if self.weighted is None else self.weighted.n_effective

    @property
    def needed(self) -> Needed:
        """Items, or groups of them, on which a difference as large as this one would be told from none."""
        return needed_for_difference(self)

    @property
    def reading(self) -> str:
        """The result in a sentence."""
        return comparison_readings.reading(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know beside the numbers, one sentence each."""
        return tuple(comparison_readings.notes(self))

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values: undefined numbers are None and have a reason."""
        declaration = self.declaration.to_dict() | {"level": self.level, "criterion": self.criterion, "metric": self.metric}
        return {
            "version": 1, "declaration": declaration, "metric": self.metric, "level": self.level, "criterion": self.criterion,
            "a": self.a.to_dict(), "b": self.b.to_dict(),
            "difference": or_none(self.difference.value), "undefined": self.difference.undefined or None,
            "standard_error": or_none(self.error), **_interval_of(self.difference),
            "no_interval": self.no_interval or None,
            "unit": self.settings.unit, "n_units": self.n_units, "n_items": self.n_items,
            "n_shared": self.n_shared, "n_no_reference": self.n_no_reference,
            "criteria_defined": ends_or_none(self.difference.of),
            "permutation": asdict(self.permutation) | {"p": or_none(self.permutation.p)},
            "mcnemar": None if self.mcnemar is None else asdict(self.mcnemar), "no_mcnemar": self.no_mcnemar or None,
            "outcomes": dict(self.outcomes), "settled": self.settled, "winner": self.winner,
            "readings": {name: None if reading is None else reading.to_dict() for name, reading in self.readings.items()},
            "readings_disagree": self.disagree, **self._of_silence(),
            "criteria": [asdict(on_criterion) for on_criterion in self.on_criteria],
            "n_needed": self.needed.n, "n_needed_for": REPEAT if self.settled else FIRST_TIME,
            "reading": self.reading, "notes": list(self.notes),
            **({} if self.held is None else {"margin": self.held.to_dict()}),
            **({} if self.weighted is None else {"weighted": self.weighted.to_dict()}),
        }  # fmt: skip

    def _of_silence(self) -> dict[str, Any]:
        """Return common part, what is left open and the whole: the first two add up to the third."""
        common, rest = self.common, self.silence
        if rest is None:
            nothing = {"difference": 0.0 if common.difference.defined else None, "interval": None}
            return {"common": common.to_dict(), "whole": common.to_dict(), "left_open": nothing, "as_unmet": None}
        open_ = {"difference": or_none(rest.left_open.value), "interval": ends_or_none(rest.left_open.ends)}
        return {
            "common": common.to_dict(), "whole": rest.whole.to_dict(), "left_open": open_,
            "as_unmet": None if rest.as_unmet is None else rest.as_unmet.to_dict(),
            "answered": None if rest.answered is None else rest.answered.to_dict(),
            "from_what_is_left_open": self.from_silence,
        }  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """Return one row."""
        return with_declaration(pd.DataFrame([row_of(self)]), self.declaration)


def row_of(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as the row of a table."""
    low, high = comparison.difference.ends or (math.nan, math.nan)
    return {
        "a": comparison.a.name, "b": comparison.b.name, "metric": comparison.metric,
        "level": comparison.level, "criterion": comparison.criterion or "",
        "value_a": comparison.a.estimate.value, "value_b": comparison.b.estimate.value,
        "difference": comparison.difference.value, "low": low, "high": high,
        "p": comparison.permutation.p, "n_items": comparison.n_items,
        "n_units": comparison.n_units, "n_shared": comparison.n_shared,
        "n_differ": comparison.permutation.n_differ, "n_only_a": comparison.a.n_only, "n_only_b": comparison.b.n_only,
        "coverage_a": comparison.a.coverage, "coverage_b": comparison.b.coverage,
        **{f"right_{key}": comparison.outcomes[key] for key in OUTCOMES},
        "interval_method": comparison.difference.method, "interval_note": comparison.difference.note,
        "interval_note_a": comparison.a.estimate.note, "interval_note_b": comparison.b.estimate.note, **_readings(comparison),
    }  # fmt: skip


def _readings(comparison: Comparison) -> dict[str, Any]:
    """Return difference and interval at every level, and on all that each judge answered."""
    out: dict[str, Any] = {"readings_disagree": comparison.disagree}
    whole = comparison.common if comparison.silence is None else comparison.silence.whole
    for name, reading in (*comparison.readings.items(), ("whole", whole)):
        difference = Estimate(math.nan) if reading is None else reading.difference
        low, high = difference.ends or (math.nan, math.nan)
        out |= {name: difference.value, f"{name}_low": low, f"{name}_high": high}
    return out


def with_declaration(frame: pd.DataFrame, d: Declaration) -> pd.DataFrame:
    """Return the choices behind the numbers, in every row."""
    method = frame["interval_method"]
    how: dict[str, Any] = {
        "interval": method.where(method != "", str(d.interval["method"])),
        "unit": d.interval["unit"], "confidence": d.interval["confidence"],
        "abstention": d.abstention, "reference": d.reference, **d.file_columns(),
    }  # fmt: skip
    return frame.assign(**how)


def _interval_of(estimate: Estimate) -> dict[str, Any]:
    """Return an interval as comparisons lay it out in JSON."""
    ends, method, note = ends_or_none(estimate.ends), estimate.method or None, estimate.note or None
    return {"interval": ends, "interval_method": method, "interval_note": note}

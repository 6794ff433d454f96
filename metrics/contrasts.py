"""Results of comparing judges: frozen records with one way out to JSON, a table and a text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metrics import words
from metrics.aggregation import Level
from metrics.catalogue import BY_KEY
from metrics.choices import Settings
from metrics.intervals.scale import Interval
from metrics.permutation import McNemar, Permutation
from metrics.planning import Needed, about, items_needed
from metrics.results import Block, Declaration

Outcome = Literal["both", "only_a", "only_b", "neither", "open"]
OUTCOMES: tuple[Outcome, ...] = ("both", "only_a", "only_b", "neither", "open")
SMALL = 0.01
LOWER_IS_BETTER = ("fpr", "fnr")


def direction(metric: str) -> int:
    """1 where higher is better, -1 where lower is, 0 where neither is."""
    if metric in LOWER_IS_BETTER:
        return -1
    return 0 if BY_KEY[metric].group == "shape" else 1


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two judges, on the shared decisions.

    Attributes
    ----------
    interval : Interval or None
        By the default rules, on the same items.
    coverage : float
        Share of the shared decisions (items at item level) that count for this judge in the mode.
    n_only : int
        Decisions that only this judge gave; they are left out.
    block : Block
        Pooled table on the shared decisions.
    """

    name: str
    value: float
    interval: Interval | None
    coverage: float
    n_only: int
    block: Block

    def to_dict(self) -> dict[str, Any]:
        ends = None if self.interval is None else self.interval.ends
        return {
            "name": self.name, "value": _or_none(self.value), "interval": None if ends is None else list(ends),
            "interval_method": None if self.interval is None else self.interval.method,
            "n": self.block.n, "coverage": _or_none(self.coverage), "n_only": self.n_only,
            "labels": list(self.block.labels), "confusion": np.asarray(self.block.confusion).tolist(),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Comparison:
    """Judge B against judge A.

    Attributes
    ----------
    difference : float
        Value of B less that of A; NaN where either is undefined, for the reason in `undefined`.
    error : float
        Standard error of the difference; NaN where there is none.
    interval : Interval or None
        Paired, on the difference's own scale; None for the reason in `no_interval`.
    n_items, n_shared : int
        Items with a decision that counts; decisions (items at item level) both judges gave where the reference has one.
    n_no_reference : int
        Decisions both judges gave that the reference lacks.
    criteria_defined : (int, int) or None
        Macro: criteria where the metric is defined for both, and criteria.
    mcnemar : McNemar or None
        None for the reason in `no_mcnemar`.
    outcomes : mapping
        Shared decisions by who agrees with the reference; `open` where somebody's verdict does not count in the mode.
    places, outcome : ndarray, shape (n_shared,)
        Each shared decision (item at item level) and its place in `OUTCOMES`; see `metrics.contests`.
    """

    declaration: Declaration
    settings: Settings
    metric: str
    level: Level
    criterion: str | None
    a: Side
    b: Side
    difference: float
    undefined: str
    error: float
    interval: Interval | None
    no_interval: str
    n_items: int
    n_shared: int
    n_no_reference: int
    criteria_defined: tuple[int, int] | None
    permutation: Permutation
    mcnemar: McNemar | None
    no_mcnemar: str
    outcomes: Mapping[Outcome, int]
    places: NDArray[np.int64] = field(repr=False)
    outcome: NDArray[np.int8] = field(repr=False)

    @property
    def ends(self) -> tuple[float, float] | None:
        """Interval of the difference."""
        return None if self.interval is None else self.interval.ends

    @property
    def interval_excludes_zero(self) -> bool:
        return self.ends is not None and not self.ends[0] <= 0 <= self.ends[1]

    @property
    def settled(self) -> bool:
        """Whether both the interval and the permutation test tell the judges apart."""
        return self.interval_excludes_zero and self.permutation.p <= 1 - self.settings.confidence

    @property
    def needed(self) -> Needed:
        """Items on which a difference as large as this one would be told from none."""
        above = self.difference > 0
        return items_needed(self.difference, self.error, 0.0, self.n_items, above=above, confidence=self.settings.confidence)

    @property
    def reading(self) -> str:
        """The result in a sentence."""
        return reading(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know beside the numbers, one sentence each."""
        return tuple(_notes(self))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: undefined numbers are None and have a reason."""
        declaration = self.declaration.to_dict() | {"level": self.level, "criterion": self.criterion, "metric": self.metric}
        return {
            "version": 1, "declaration": declaration, "metric": self.metric, "level": self.level, "criterion": self.criterion,
            "a": self.a.to_dict(), "b": self.b.to_dict(),
            "difference": _or_none(self.difference), "undefined": self.undefined or None,
            "standard_error": _or_none(self.error), "interval": None if self.ends is None else list(self.ends),
            "interval_method": None if self.interval is None else self.interval.method,
            "interval_note": None if self.interval is None else self.interval.note or None,
            "no_interval": self.no_interval or None,
            "n_items": self.n_items, "n_shared": self.n_shared, "n_no_reference": self.n_no_reference,
            "criteria_defined": None if self.criteria_defined is None else list(self.criteria_defined),
            "permutation": asdict(self.permutation) | {"p": _or_none(self.permutation.p)},
            "mcnemar": None if self.mcnemar is None else asdict(self.mcnemar), "no_mcnemar": self.no_mcnemar or None,
            "outcomes": dict(self.outcomes), "settled": self.settled,
            "n_needed": self.needed.n, "reading": self.reading, "notes": list(self.notes),
        }  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """One row."""
        return pd.DataFrame([_row(self)])

    def summary(self) -> str:
        """A readable text."""
        return "\n".join(_summary(self))


@dataclass(frozen=True, eq=False)
class Forest:
    """Every judge against one baseline.

    Attributes
    ----------
    best : bool
        Whether the baseline is the judge with the best value on these very data.
    against : tuple of Comparison
        Each judge (B) against the baseline (A), best difference first; undefined ones last.
    holm : tuple of float
        p of each comparison, corrected for their number.
    """

    declaration: Declaration
    metric: str
    level: Level
    baseline: str
    best: bool
    against: tuple[Comparison, ...]
    holm: tuple[float, ...]

    def different(self) -> tuple[str, ...]:
        """Judges told apart from the baseline; against the best of these data by the corrected p."""
        found = []
        for one, holm in zip(self.against, self.holm, strict=True):
            p = holm if self.best else one.permutation.p
            if one.interval_excludes_zero and p <= 1 - one.settings.confidence:
                found.append(one.b.name)
        return tuple(found)

    @property
    def reading(self) -> str:
        return _forest_reading(self)

    def to_dict(self) -> dict[str, Any]:
        rows = [
            _row(one) | {"p_holm": _or_none(holm), "undefined": one.undefined or None}
            for one, holm in zip(self.against, self.holm, strict=True)
        ]
        return {
            "version": 1, "declaration": self.declaration.to_dict() | {"level": self.level, "metric": self.metric},
            "metric": self.metric, "level": self.level, "baseline": self.baseline, "baseline_is_best_of_these_data": self.best,
            "judges": [{key: _or_none(value) for key, value in row.items()} for row in rows], "reading": self.reading,
        }  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """One row per judge."""
        rows = [_row(one) | {"p_holm": holm} for one, holm in zip(self.against, self.holm, strict=True)]
        return pd.DataFrame(rows)

    def summary(self) -> str:
        record, lines = BY_KEY[self.metric], [f"{self.baseline} is the baseline"]
        lines.append(f"  {'judge':<30}{'value':>10}{'difference':>14}{'interval':>24}{'p':>8}{'p Holm':>8}{'items':>8}")
        for one, holm in zip(self.against, self.holm, strict=True):
            ends = words.UNDEFINED if one.ends is None else words.bounds(one.ends, _apart_unit(record.unit))
            lines.append(
                f"  {words.shorten(one.b.name):<30}{words.value(one.b.value, record.unit):>10}{difference_words(one):>14}"
                f"{ends:>24}{words.p3(one.permutation.p):>8}{words.p3(holm):>8}{words.count(one.n_items):>8}"
            )
        return "\n".join([*lines, "", self.reading])


def reading(one: Comparison) -> str:
    """Who beats whom, by how much, and whether it is settled."""
    start = f"on {words.count(one.n_items)} shared items"
    symbol = BY_KEY[one.metric].symbol
    if math.isnan(one.difference):
        return f"{start} the difference in {symbol} is undefined: {one.undefined}."
    if not one.permutation.n_differ:
        return f"{start} no item separates {one.a.name} and {one.b.name}."
    sign = -1 if one.difference < 0 else 1
    winner, loser = (one.b.name, one.a.name) if one.difference >= 0 else (one.a.name, one.b.name)
    if direction(one.metric) < 0:
        winner, loser = loser, winner
    verb = "beats" if direction(one.metric) else "is above"
    if one.difference == 0:
        return f"{start} {one.a.name} and {one.b.name} are level in {symbol}{_with_interval(one, 1)}. {_settled(one)}"
    size = _magnitude(abs(one.difference), BY_KEY[one.metric].unit)
    return f"{start} {winner} {verb} {loser} by {size}{_with_interval(one, sign)} in {symbol}: {_settled(one)}"


def _settled(one: Comparison) -> str:
    p = p_words(one.permutation.p)
    if one.settled:
        return f"settled ({p})."
    if one.interval_excludes_zero:
        return f"not settled; the interval excludes 0, the permutation test does not agree ({p})."
    needed = one.needed
    if needed.n is None or one.difference == 0:
        return f"not settled ({p})."
    return f"not settled ({p}); {about(needed.n)} items would do."


def _notes(one: Comparison) -> list[str]:
    found = []
    if one.a.block.n != one.b.block.n or one.outcomes["open"]:
        what = "items" if one.level == "item" else "decisions"
        shares = f"{words.percent(one.a.coverage)} count for {one.a.name}, {words.percent(one.b.coverage)} for {one.b.name}"
        found.append(f"Of the {words.count(one.n_shared)} shared {what} {shares}; each value rests on its own.")
    if one.criteria_defined is not None and one.criteria_defined[0] < one.criteria_defined[1]:
        k, of = one.criteria_defined
        found.append(f"The mean is over the {k} of {of} criteria where {BY_KEY[one.metric].symbol} is defined for both.")
    if one.permutation.undefined:
        found.append(
            f"In {words.count(one.permutation.undefined)} of {words.count(one.permutation.replicates)} swaps the difference is "
            "undefined; p leaves them out."
        )
    if one.interval is not None and one.interval.note:
        found.append(f"Small numbers: {one.interval.note}.")
    return found


def p_words(p: float) -> str:
    """p = 0.031, or p < 0.001 where three decimals would be 0."""
    return "p < 0.001" if p < 0.0005 else f"p = {words.p3(p)}"


def _with_interval(one: Comparison, sign: int) -> str:
    if one.ends is None:
        return ""
    ends = one.ends if sign > 0 else (-one.ends[1], -one.ends[0])
    return f" {_bounds(one, ends)}"


def _bounds(one: Comparison, ends: tuple[float, float]) -> str:
    """Ends of the difference; with three decimals where two would hide it."""
    unit = BY_KEY[one.metric].unit
    if not unit and abs(one.difference) < SMALL:
        return f"[{words.p3(ends[0])}, {words.p3(ends[1])}]"
    return words.bounds(ends, _apart_unit(unit))


def difference_words(one: Comparison) -> str:
    """The difference with its sign, in its own unit."""
    unit = _apart_unit(BY_KEY[one.metric].unit)
    return words.value(one.difference, unit)


def _apart_unit(unit: str) -> str:
    return "points" if unit else ""


def _magnitude(size: float, unit: str) -> str:
    if unit:
        return words.points(size).lstrip("+")
    return words.p3(size) if size < SMALL else words.number(size)


def _row(one: Comparison) -> dict[str, Any]:
    low, high = one.ends or (math.nan, math.nan)
    return {
        "a": one.a.name, "b": one.b.name, "metric": one.metric, "level": one.level, "criterion": one.criterion or "",
        "value_a": one.a.value, "value_b": one.b.value, "difference": one.difference, "low": low, "high": high,
        "p": one.permutation.p, "n_items": one.n_items, "n_shared": one.n_shared, "n_differ": one.permutation.n_differ,
        "n_only_a": one.a.n_only, "n_only_b": one.b.n_only,
        "coverage_a": one.a.coverage, "coverage_b": one.b.coverage, **{f"right_{key}": one.outcomes[key] for key in OUTCOMES},
    }  # fmt: skip


def _summary(one: Comparison) -> list[str]:
    record, d = BY_KEY[one.metric], one.declaration
    lines = [
        f"{one.b.name} against {one.a.name}, {record.symbol}, {_where(one)} ({d.abstention}; reference: {d.reference}). {d.file}"
    ]
    for letter, side in (("A", one.a), ("B", one.b)):
        ends = "" if side.interval is None or side.interval.ends is None else words.bounds(side.interval.ends, record.unit)
        lines.append(
            f"  {letter}  {words.shorten(side.name):<30}{words.value(side.value, record.unit):>8} {ends:<20}"
            f"n = {words.count(side.block.n)}, coverage {words.percent(side.coverage)}"
        )
    ends = f"no interval: {one.no_interval}" if one.ends is None else words.bounds(one.ends, _apart_unit(record.unit))
    lines.append(f"  B − A {difference_words(one)} {ends}, permutation {p_words(one.permutation.p)} ({_replicates(one)})")
    if one.mcnemar is None:
        lines.append(f"  McNemar: {one.no_mcnemar}.")
    elif one.mcnemar.only_a + one.mcnemar.only_b:
        lines.append(f"  McNemar exact {p_words(one.mcnemar.p)}")
    else:
        lines.append("  McNemar: no item separates them.")
    lines.append(
        "  " + ", ".join(f"{_OUTCOME_WORDS[key]} {words.count(one.outcomes[key])}" for key in OUTCOMES if one.outcomes[key])
    )
    left = [f"{words.count(side.n_only)} only {side.name} judged" for side in (one.a, one.b) if side.n_only]
    left += [f"{words.count(one.n_no_reference)} without a reference"] if one.n_no_reference else []
    lines += [f"  left out: {', '.join(left)}"] if left else []
    return [*lines, *(f"  {note}" for note in one.notes), "", f"{one.reading[0].upper()}{one.reading[1:]}"]


def _where(one: Comparison) -> str:
    criteria = one.declaration.criteria
    if one.criterion or (len(criteria) == 1 and one.level != "item"):
        return f"on {one.criterion or criteria[0]}"
    if one.level == "item":
        return "item level"
    return f"{one.level} over {words.count(len(criteria))} criteria"


_OUTCOME_WORDS: dict[Outcome, str] = {
    "both": "both right", "only_a": "only A right", "only_b": "only B right", "neither": "neither right", "open": "left open",
}  # fmt: skip


def _replicates(one: Comparison) -> str:
    found = one.permutation
    if found.exact:
        return f"all swaps of {found.n_differ} items that differ"
    undefined = f", {words.count(found.undefined)} undefined" if found.undefined else ""
    return f"{words.count(found.replicates)} swaps of {words.count(found.n_differ)} items that differ{undefined}"


def _forest_reading(forest: Forest) -> str:
    found, total = forest.different(), len(forest.against)
    symbol = BY_KEY[forest.metric].symbol
    said = f"{words.count(len(found))} of {words.count(total)} judges differ from {forest.baseline} in {symbol}"
    if not forest.best:
        return f"{said} (each compared on its own; with Holm’s correction for {words.count(total)} comparisons see p Holm)."
    return (
        f"{said}, with Holm’s correction. {forest.baseline} was chosen as the best on these very data, "
        "so its lead is flattered; a baseline fixed beforehand is not."
    )


def _or_none(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value

"""What one metric gives under every defensible set of choices: sorted, with what moves it, in words and as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

from metrics.analyses.agreement.readings import WHOLE_RANGE
from metrics.analyses.multiverse.compute import NOT_ASKED, Analysis, Dimension, Levels, Space
from metrics.analyses.settings import Settings
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.estimate import Estimate

COLUMNS = {
    "mode": "abstention",
    "level": "level",
    "rule": "item_rule",
    "reference": "reference",
    "tie": "ties",
    "invalid": "invalid_answers",
}
"""What each choice is called in the table."""
# Reasons in a sentence.
MOST_REASONS = 3
LESS = "less than"
NOISE = 1e-9
"""What rounding in the last bits can make of equal values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Estimate):
    """One analysis and its number.

    Attributes
    ----------
    n : int or None
        Decisions or items behind the value; None for a mean over criteria.
    """

    analysis: Analysis
    names: Mapping[str, str]
    n: int | None = None


@dataclass(frozen=True)
class Spread:
    """How far one choice moves the number while all others stay.

    Attributes
    ----------
    largest, mean : float
        Largest and mean range over the answers to this choice, over every way to hold the others.
    n : int
        Ways to hold the others in which at least two answers give a value; those that mean the same count once.
    """

    dimension: Dimension
    largest: float
    mean: float
    n: int


@dataclass(frozen=True)
class Multiverse:
    """Every analysis that was computed, lowest value first and undefined ones last.

    Attributes
    ----------
    absent : int
        Analyses in which the metric does not exist, whatever the data.
    """

    metric: str
    space: Space
    columns: tuple[Column, ...]
    absent: int = 0
    n: int = 0
    """Analyses in which the metric exists, computed or not."""
    spreads: tuple[Spread, ...] = field(default=())

    @cached_property
    def defined(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.defined)

    @property
    def declared_place(self) -> int | None:
        """Place of the declared analysis; None where the metric does not exist for it."""
        return next((i for i, column in enumerate(self.columns) if column.analysis == self.space.declared_analysis), None)

    @property
    def most(self) -> Spread | None:
        """The choice that moves the number most; None where nothing moves it."""
        moving = [spread for spread in self.spreads if spread.largest > NOISE]
        return max(moving, key=lambda spread: (spread.largest, spread.mean), default=None)

    def undefined(self) -> dict[str, int]:
        """Return reason to the number of analyses that it leaves without a value."""
        reasons = sorted(column.why for column in self.columns if not column.defined)
        return {reason: len(list(group)) for reason, group in groupby(reasons)}

    def table(self) -> dict[str, list[Any]]:
        """Return one row per analysis with its choices, its number, and whether it is the declared one."""
        keys = [dimension.key for dimension in self.space.dimensions]
        out: dict[str, list[Any]] = {"analysis": list(range(1, len(self.columns) + 1))}
        out |= {COLUMNS[key]: [column.names.get(key, "") for column in self.columns] for key in keys}
        ends = [column.ends or (math.nan, math.nan) for column in self.columns]
        out |= {"metric": [self.metric] * len(self.columns), "value": [column.value for column in self.columns]}
        out |= {"low": [low for low, _ in ends], "high": [high for _, high in ends]}
        out["interval"] = [column.method if column.ends else "" for column in self.columns]
        out["n"] = [column.n for column in self.columns]
        out["undefined"] = [column.why for column in self.columns]
        out["declared"] = ["yes" if i == self.declared_place else "" for i in range(len(self.columns))]
        return out


def multiverse(space: Space, results: Mapping[Settings, Levels], metric: str) -> Multiverse:
    """Return one metric of every analysis for whose settings there is a result.

    Parameters
    ----------
    space : Space
    results : mapping of Settings to mapping of level to Block
        As far as they are computed.
    metric : str
        Key of the catalogue.
    """
    wanted = [analysis for analysis in space.analyses if space.has(analysis, metric)]
    unsorted_columns = [_column(space, analysis, results, metric) for analysis in wanted if space.settings(analysis) in results]
    columns = tuple(sorted(unsorted_columns, key=lambda column: (not column.defined, column.value if column.defined else 0.0)))
    absent = len(space.analyses) - len(wanted)
    return Multiverse(metric, space, columns, absent, len(wanted), _spreads(space, columns))


def _column(space: Space, analysis: Analysis, results: Mapping[Settings, Levels], metric: str) -> Column:
    block = results[space.settings(analysis)][space.level_of(analysis)]
    estimate = block[metric]
    return Column(
        estimate.value, estimate.interval, estimate.undefined, analysis=analysis, names=space.names(analysis), n=block.n
    )


def _spreads(space: Space, columns: Sequence[Column]) -> tuple[Spread, ...]:
    """Return the spread of every choice over every way to answer: where answers mean the same, analyses have one value."""
    value = {column.analysis: column.value for column in columns if column.defined}
    return tuple(
        _spread(place, dimension, space, value) for place, dimension in enumerate(space.dimensions) if dimension in space.varied
    )


def _spread(place: int, dimension: Dimension, space: Space, values: Mapping[Analysis, float]) -> Spread:
    """Return how far one choice moves the number; `values` are those of the analyses that stand for others.

    The item rule stays too while the level changes, though only items have one.
    """
    keys = [each.key for each in space.dimensions]
    rule = keys.index("rule")
    groups: dict[Analysis, list[Analysis]] = {}
    for analysis, stands in space.same.items():
        others = list(analysis)
        others[place] = NOT_ASKED
        spread_over = [analysis[rule]]
        if dimension.key == "level" and analysis[rule] == NOT_ASKED:
            spread_over = list(range(len(space.dimensions[rule].options)))
        for rule_place in spread_over if place != rule else [NOT_ASKED]:
            others[rule] = rule_place
            groups.setdefault(tuple(others), []).append(stands)
    distinct = {frozenset(group): [values[member] for member in group if member in values] for group in groups.values()}
    ranges = [max(group_values) - min(group_values) for group_values in distinct.values() if len(group_values) > 1]
    if not ranges:
        return Spread(dimension, 0.0, 0.0, 0)
    return Spread(dimension, max(ranges), math.fsum(ranges) / len(ranges), len(ranges))


def reading(analyses: Multiverse) -> str:
    """Return over how many analyses, over which range, where the declared one stands, and which choice moves it most."""
    record, n = BY_KEY[analyses.metric], len(analyses.columns)
    if not analyses.n:
        return f"{record.symbol} exists under none of these choices."
    if not n:
        return f"{record.symbol} is not computed yet."
    if analyses.n == 1:
        return _alone(analyses)
    many = (
        f"{words.count(n)} defensible analyses"
        if n == analyses.n
        else f"the first {words.count(n)} of {words.count(analyses.n)} analyses"
    )
    if not analyses.defined:
        return f"{record.symbol} is undefined under all {many}: {_reasons(analyses)}."
    low, high = (words.value(column.value, record.unit) for column in (analyses.defined[0], analyses.defined[-1]))
    gaps = f" {_gaps(analyses)}" if len(analyses.defined) < n else ""
    if low == high and gaps:
        return f"over {many} {record.symbol} is {low} wherever it is defined.{gaps}"
    if low == high:
        return f"over {many} {record.symbol} is {low} every time: these choices do not matter here."
    return f"over {many} {record.symbol} runs from {low} to {high}; {_standing(analyses)}. {_mover(analyses)}{gaps}"


def _alone(analyses: Multiverse) -> str:
    record, column = BY_KEY[analyses.metric], analyses.columns[0]
    value = words.value(column.value, record.unit) if column.defined else f"undefined ({column.why})"
    return f"there is one defensible analysis, and in it {record.symbol} is {value}. Nothing here is a matter of choice."


def _standing(analyses: Multiverse) -> str:
    """Return where the declared analysis stands."""
    symbol, place = BY_KEY[analyses.metric].symbol, analyses.declared_place
    if place is None:
        return f"under the declared choices there is no {symbol}"
    declared_column = analyses.columns[place]
    if not declared_column.defined:
        return f"the declared one is undefined ({declared_column.why})"
    values = [column.value for column in analyses.defined]
    if math.isclose(values[place], values[-1]):
        return "the declared one is the highest"
    if math.isclose(values[place], values[0]):
        return "the declared one is the lowest"
    return f"the declared one is number {words.count(1 + place)} from the lowest"


def _mover(analyses: Multiverse) -> str:
    most = analyses.most
    if most is None:
        return "No choice alone moves it."
    moves = "is the only choice and moves it" if len(analyses.spreads) == 1 else "moves it most,"
    by = how_far(analyses, most)
    moving = [spread for spread in analyses.spreads if spread.largest > NOISE]
    alike = [spread.dimension.name for spread in moving if how_far(analyses, spread) == by]
    if len(alike) > 1:
        return f"The {words.listed(alike)} each move it {by}."
    return f"The {most.dimension.name} {moves} {by}."


def _gaps(analyses: Multiverse) -> str:
    missing, n = len(analyses.columns) - len(analyses.defined), words.count(len(analyses.columns))
    return f"{words.count(missing)} of the {n} {words.are(missing)} undefined: {_reasons(analyses)}."


def _reasons(analyses: Multiverse) -> str:
    reasons = sorted(analyses.undefined().items(), key=lambda pair: -pair[1])
    text = "; ".join(reason for reason, _ in reasons[:MOST_REASONS])
    return f"{text}; and {len(reasons) - MOST_REASONS} reasons more" if len(reasons) > MOST_REASONS else text


def unsigned_difference(difference: float, metric: str) -> str:
    """Return how far two values of a metric lie apart, without a sign; what is not quite 0 does not read as 0."""
    unit = BY_KEY[metric].unit
    step = 0.001 if unit else 0.01
    shown = _size(difference, unit)
    if abs(difference) > NOISE and shown == _size(0.0, unit):
        return f"{LESS} {_size(step, unit)}"
    return shown


def how_far(analyses: Multiverse, spread: Spread) -> str:
    """Return how far a choice moves the metric at most."""
    if math.isclose(spread.largest, analyses.defined[-1].value - analyses.defined[0].value):
        return WHOLE_RANGE
    shown = unsigned_difference(spread.largest, analyses.metric)
    return f"by {shown}" if shown.startswith(LESS) else f"by up to {shown}"


def _size(difference: float, unit: str) -> str:
    return words.points(abs(difference)).lstrip("+") if unit else words.number(abs(difference))

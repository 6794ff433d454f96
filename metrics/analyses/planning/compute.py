"""How many labelled items would settle a question, and how wide intervals would then be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metrics.analyses.planning.sizes import (
    CONFIDENCE,
    POWER,
    TOO_CLOSE,
    Needed,
    about,
    error_behind,
    expected_interval,
    items_needed,
)
from metrics.data.aggregation import Level
from metrics.data.arguments import one_of
from metrics.data.checks import checks_arguments
from metrics.errors import InputError
from metrics.intervals.cluster import groups_by
from metrics.intervals.methods import PLACES
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Transform
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.report import Short, ends_or_none, or_none

if TYPE_CHECKING:
    from metrics.analyses.comparison.result import Comparison
    from metrics.analyses.records import Block, JudgeReport

REPEAT, FIRST_TIME = "a repeat study", "settling it"
"""What a number of items is needed for: the question is decided today, or is not."""
LEAST_DIFFER = 6
"""Units on which two judges must differ before a number is planned from them: fewer cannot reach p = .05 whatever they say."""
NO_TRACE = 0.5
"""p from which a difference could as well have the other sign, so that its size is nothing to plan with."""
# Even on a logarithmic axis.
SIZES: tuple[int, ...] = tuple(int(n) for n in np.unique(np.geomspace(25, 5000, 60).round()))
ROUND_SIZES: tuple[int, ...] = (25, 50, 100, 200, 500, 1000, 2000, 5000)


def unit_words(unit: str) -> str:
    """Return what a unit counts: items, or groups of them by a column."""
    return groups_by(unit) if unit not in PLACES else "items"


@dataclass(frozen=True)
class Plan(Short):
    """A question, what the data say today, and what more items would say.

    Attributes
    ----------
    line : float
        The value asked about: the floor of a metric, or the difference to be found.
    today : Estimate
        The value and its interval on the data at hand.
    error : float
        Standard error on the metric's own scale, NaN where there is none.
    sizes : tuple of int
        Numbers of items.
    low, high : tuple of float
        Expected ends of the interval at each of `sizes`, with the value where it is today.
    transform : {"logit", "fisher"} or None
        Scale on which the interval is symmetric; None for a difference.
    difference : bool
        The value is a difference of two judges, and `line` how far apart they would have to be.
    one_sided : bool
        `line` is a margin, on one side of 0 alone.
    counted : str
        What `n_now`, `sizes` and `needed` count: items, or groups of them.
    settled : bool
        Today's data settle the question (of two judges: tell them apart), so that `needed` is for a repeat study.
    by_construction : bool
        The value is 0 whatever the judge says, because the reference gives one label only: items with the other are needed.
    weights : str
        Column by which items are weighed; empty where every item counts once.
    """

    question: str
    metric: str
    today: Estimate
    error: float
    line: float
    n_now: int
    sizes: tuple[int, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    needed: Needed
    sentence: str
    transform: Transform = None
    confidence: float = CONFIDENCE
    difference: bool = False
    one_sided: bool = False
    counted: str = "items"
    settled: bool = False
    by_construction: bool = False
    weights: str = ""

    @property
    def in_place(self) -> str:
        """What there is in place of a number of items where none is named."""
        if self.by_construction:
            return "other label needed"
        if not self.settled or self.difference:
            return f"not shown by these {self.kind}"
        return f"decided today: {'above' if self.today.value > self.line else 'below'}"

    @property
    def needed_for(self) -> str:
        """What the number needed is a number for."""
        return REPEAT if self.settled else FIRST_TIME

    @property
    def kind(self) -> str:
        """What is counted, in a word."""
        return self.counted.split(" ")[0]

    @property
    def unit(self) -> str:
        """How the value and the ends are written: of a share in percent, a difference of shares in points."""
        unit = BY_KEY[self.metric].unit
        return "points" if unit and self.difference else unit

    def expected(self, sizes: Sequence[int] = ROUND_SIZES) -> dict[str, list[float]]:
        """Return columns of a table: items or groups, and the ends and the width of the interval that so many would give."""
        value, nothing = self.today.value, (math.nan, math.nan)
        ends = [
            expected_interval(value, self.error, self.n_now, n, self.transform, self.confidence) if self.n_now else nothing
            for n in sizes
        ]
        return {
            self.counted: list(sizes), "low": [low for low, _ in ends], "high": [high for _, high in ends],
            "width": [high - low for low, high in ends],
        }  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values; undefined numbers are None."""
        return {
            "question": self.question, "metric": self.metric, "value": or_none(self.today.value),
            "interval": ends_or_none(self.today.ends), "standard_error": or_none(self.error),
            **({"weights": self.weights} if self.weights else {}),
            "line": self.line, "counted": self.counted, "n_now": self.n_now,
            "settled": self.settled, "n_needed": self.needed.n, "n_needed_for": self.needed_for, "why_not": self.needed.reason,
            "power": POWER, "expected": [
                {"n": n, "low": or_none(low), "high": or_none(high)}
                for n, low, high in zip(self.sizes, self.low, self.high, strict=True)
            ], "sentence": self.sentence,
        }  # fmt: skip


def too_few_differ(comparison: Comparison) -> str:
    """Return why the spread of a difference is not known well enough to plan with; empty where it is."""
    n = comparison.permutation.n_differ
    if not 0 < n < LEAST_DIFFER:
        return ""
    return f"only {words.several(n, comparison.units)} {'differs' if n == 1 else 'differ'}, at least {LEAST_DIFFER} are needed"


def needed_for_difference(comparison: Comparison) -> Needed:
    """Return units on which a difference as large as that of a comparison would be told from none."""
    difference, error, p = comparison.difference.value, comparison.error, comparison.permutation.p
    few = too_few_differ(comparison)
    if few:
        return Needed(None, few)
    if abs(difference) <= TOO_CLOSE * error:
        return Needed(None, f"the difference is {'within a tenth of a standard error of 0' if difference else '0'}")
    if p >= NO_TRACE:
        return Needed(None, f"the data show no sign of a difference (p = {words.p3(p)})")
    confidence = comparison.settings.confidence
    return items_needed(difference, error, 0.0, comparison.n_units, above=difference > 0, confidence=confidence)


@checks_arguments
def plan_floor(
    report: JudgeReport,
    metric: str,
    line: float,
    *,
    level: Level = "micro",
    criterion: str | None = None,
    confidence: float = 0.95,
    groups: tuple[int, str] | None = None,
) -> Plan:
    """Return when it would be settled that a judge's metric lies above a line.

    A table of counts has decisions in place of items. Where items have weights, from the number and the error by them: items are
    then counted that are drawn as these were.

    Parameters
    ----------
    report : JudgeReport
        With intervals.
    criterion : str, optional
        Ask about one criterion in place of a level.
    groups : (int, str), optional
        Where the intervals leave out groups of items: how many there are, and what they are; see `groups_behind`.

    Raises
    ------
    InputError
        For a metric that is not computed there, or a line outside the metric's range.
    """
    if criterion is not None:
        one_of("criterion", criterion, tuple(report.criteria))
    block = report.level(level) if criterion is None else report.criteria[criterion]
    record = BY_KEY[one_of("metric", metric, tuple(BY_KEY))]
    if metric not in block.values:
        raise InputError(f"{record.name} is not computed here.")
    by_weight = report.weighted_at(level, criterion)
    weighted = metric in by_weight
    today = by_weight.get(metric, block[metric])
    value, interval = today.value, report.interval_to_plan_by(metric, level, criterion) if weighted else today.interval
    pooled, tally = criterion is None and level != "item", report.n_used is None
    n = block.n if not pooled else report.micro.n if tally else report.n_used
    n_now, counted = groups or (int(n or 0), "decisions" if tally else "items")
    rated = max(n_now, report.n_items or 0) if pooled and groups is None else n_now
    error = math.nan if interval is None else error_behind(interval, value, record.transform, n_now, confidence)
    built = _by_construction(report, metric, block, criterion is None and (level == "macro" or metric == "kappa_within"))
    if built:
        error = math.nan
    needed = items_needed(value, error, line, n_now, record.transform, confidence=confidence)
    if built:
        needed = Needed(None, f"{built}, so items with the other label are needed")
    if math.isnan(value):
        needed = Needed(None, block.undefined.get(metric, "the value is undefined"))
    low, high = _band(value, error, n_now, record.transform, confidence)
    question = f"Is {record.symbol} of {report.name} above {words.value(line, record.unit)}?"
    sentence = _floor_sentence(metric, today, line, (n_now, counted), needed, rated)
    if built:
        sentence = f"{record.symbol} is 0 by construction here: {built}. No number of {counted} like these helps; items with the "
        sentence += "other label are needed."
    if report.weighted is not None:
        sentence = f"{sentence} {weights_words(report.weighted.column, counted, weighted=weighted)}"
    return Plan(
        question, metric, today, error, line, n_now, SIZES, low, high, needed, sentence, record.transform, confidence,
        counted=counted, settled=not built and _side(today, line) != 0, by_construction=bool(built),
        weights=report.weighted.column if weighted and report.weighted is not None else "",
    )  # fmt: skip


def weights_words(column: str, counted: str, *, weighted: bool) -> str:
    """Return whether a plan goes by the weights of items; what it counts is items or groups of them."""
    name = f"‘{words.shorten(column)}’"
    if weighted:
        drawn = "items" if counted == "items" else "groups"
        return f"Each item has its weight in {name}, and the numbers of {drawn} are those of {drawn} drawn as these were."
    return f"Every item counts once here, whatever its weight in {name}."


def _by_construction(report: JudgeReport, metric: str, block: Block, each: bool) -> str:
    """Return why a coefficient beyond chance is 0 whatever the judge says: one label of the reference; empty where it is not."""
    counted = [block for block in report.criteria.values() if block.n] if each else [block]
    sides = [block.one_sided for block in counted]
    if block.values[metric] or BY_KEY[metric].group != "beyond chance" or not all(s and s[0] == "reference" for s in sides):
        return ""
    return f"the reference gives one label only{' on each criterion' if each and len(counted) > 1 else ''}"


@checks_arguments
def plan_difference(comparison: Comparison, margin: float = 0.05, *, confidence: float = 0.95) -> Plan:
    """Return how many items would tell a true difference from none.

    Parameters
    ----------
    comparison : Comparison
    margin : float
        The true difference, on the metric's own scale.
    confidence : float
        In (0, 1).

    Raises
    ------
    InputError
        For a margin that is not above 0, or as large as the range of the metric.
    """
    record = BY_KEY[comparison.metric]
    if not 0 < margin < record.high - record.low:
        raise InputError(f"The difference to be found must be above 0 and below {record.high - record.low:g}, not {margin:g}.")
    difference, error, n_now = comparison.difference, comparison.error, comparison.n_units
    by_weight, settled = comparison.weighted, comparison.settled
    if by_weight is not None and by_weight.difference.interval is not None:
        difference, settled = by_weight.difference, bool(by_weight.difference.sign)
        error = error_behind(by_weight.difference.interval, difference.value, None, n_now, comparison.settings.confidence)
    needed = items_needed(margin, error, 0.0, n_now, confidence=confidence)
    few = too_few_differ(comparison)
    if needed.n is None or few:
        needed = Needed(None, few or comparison.no_interval or needed.reason)
    low, high = _band(difference.value, error, n_now, None, confidence)
    question = (
        f"Do {comparison.a.name} and {comparison.b.name} differ by {_difference_text(margin, record.unit)} in {record.symbol}?"
    )
    sentence, column = _difference_sentence(comparison, margin, needed), ""
    if by_weight is not None:
        column = by_weight.column if difference is by_weight.difference else ""
        sentence = f"{sentence} {weights_words(by_weight.column, comparison.units, weighted=bool(column))}"
    return Plan(
        question, comparison.metric, difference, error, margin, n_now, SIZES, low, high, needed, sentence,
        confidence=confidence, difference=True, counted=comparison.units, settled=settled,
        weights=column,
    )  # fmt: skip


def _band(
    value: float, error: float, n_now: int, transform: Transform, confidence: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if n_now < 1:
        return (math.nan,) * len(SIZES), (math.nan,) * len(SIZES)
    ends = [expected_interval(value, error, n_now, n, transform, confidence) for n in SIZES]
    return tuple(low for low, _ in ends), tuple(high for _, high in ends)


def _side(today: Estimate, line: float) -> int:
    """Return 1 where the interval lies above the line, −1 below it, 0 where it holds it or there is none."""
    low, high = today.ends or (line, line)
    return int(low > line) - int(high < line)


def _floor_sentence(metric: str, today: Estimate, line: float, now: tuple[int, str], needed: Needed, rated: int) -> str:
    """Return whether a line is settled, and else how many items would settle it.

    `rated` is how many both sides rated; those that have no decision here are not counted.
    """
    record = BY_KEY[metric]
    floor, units = words.value(line, record.unit), now[1]
    if today.ends is None:
        return f"{record.symbol} has no interval on these {units}: {needed.reason}."
    behind, decided = words.out_of(now[0], rated, units), " with a decision" if now[0] < rated else ""
    clause = f"on {behind} {record.symbol} is {words.estimate(today, record.unit)}"
    left = f" The other {words.count(rated - now[0])} {units} have no decision, and may tell otherwise." if now[0] < rated else ""
    stays = f"if {record.symbol} stays at {words.value(today.value, record.unit)}"
    if _side(today, line) > 0:
        return (
            f"{clause}: it is above {floor}; these {units} are enough{_repeat(now[0], f'{units}{decided}', needed, stays)}.{left}"
        )
    if _side(today, line) < 0:
        return f"{clause}: it is below {floor}; these {units} are enough.{left}"
    if needed.n is not None:
        enough = f"{about(needed.n)} {units}{decided} are enough, {stays} (power {words.percent(POWER)})"
        return f"{clause}. Whether it is above {floor} is undecided; {enough}."
    if "below" in needed.reason:
        tell = f"these {units} do not show whether it is above {floor}"
        return (
            f"{clause}: {tell}. The estimate is below {floor}, so no number of {units} that would show it above follows from it."
        )
    return f"{clause}. No number of {units} can be named to place it above or below {floor}: {needed.reason}."


def _repeat(now: int, units: str, needed: Needed, stays: str) -> str:
    """Return that these items decide it today and, where more are needed than there are, what for."""
    if needed.n is None or needed.n <= now:
        return " today"
    power = words.percent(POWER)
    return f" today. {REPEAT.capitalize()} would need {about(needed.n)} {units} to show it again with power {power}, {stays}"


def _difference_sentence(comparison: Comparison, margin: float, needed: Needed) -> str:
    record = BY_KEY[comparison.metric]
    difference = f"a true difference of {_difference_text(margin, record.unit)} in {record.symbol}"
    now, units = words.count(comparison.n_units), comparison.units
    if needed.n is None:
        return f"how many {units} would show {difference} cannot be estimated from these {now}: {needed.reason}."
    enough = f"these {now} are enough for that" if needed.n <= comparison.n_units else f"there are {now} now"
    if comparison.settled and needed.n > comparison.n_units:
        enough += f". On these the difference is significant today: the number is for {REPEAT}"
    tell = f"{difference} would show on {about(needed.n)} {units} in {words.percent(POWER)} of studies; {enough}."
    tell = f"{tell} {spread_words(comparison)}"
    return f"{today_words(comparison)}{': significant' if comparison.settled else ''}. {words.capital(tell)}"


def today_words(comparison: Comparison) -> str:
    """Return the difference on the items that there are, which a plan of more items begins with; it ends without a stop."""
    difference = comparison.difference if comparison.weighted is None else comparison.weighted.difference
    record, less = BY_KEY[comparison.metric], f"{comparison.b.name} minus {comparison.a.name}"
    size = words.estimate(difference, words.unit_of_difference(record.unit))
    return f"on {words.several(comparison.n_units, comparison.units)} {less} in {record.symbol} is {size}"


def spread_words(comparison: Comparison) -> str:
    """Return what a number of items rests on: that differences vary on others as they do on these."""
    kind = "group to group" if comparison.settings.by_column else "item to item"
    return f"This takes the differences to vary from {kind} as they do on these {words.count(comparison.n_units)}."


def _difference_text(difference: float, unit: str) -> str:
    return words.points(difference).lstrip("+") if unit else words.number(difference)

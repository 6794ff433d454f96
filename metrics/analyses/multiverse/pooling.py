"""What pooling criteria does to a number: which criterion moves micro, and what micro κ owes to the criteria's label rates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.comparison.levels import pooled_j_of
from metrics.analyses.multiverse.result import unsigned_difference
from metrics.analyses.records import JudgeReport
from metrics.analyses.settings import Settings
from metrics.data.aggregation import LEVELS, Level
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.intervals.items import Coded
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import cohen_kappa, disagreements, kappa_within
from metrics.measures.metric import why_undefined
from metrics.measures.transforms import Interval, interval_around, jackknife_error, student
from metrics.results import words
from metrics.results.estimate import Estimate

Pooled = Literal["lifted", "lowered", "same", "undefined"]
ONCE: dict[Level, str] = {
    "micro": "counting every decision once",
    "macro": "counting every criterion once",
    "item": "counting every item once",
}
# Names of criteria in a sentence.
MOST_NAMES = 3


@dataclass(frozen=True)
class Influence:
    """Micro without one criterion.

    Attributes
    ----------
    without : float
        Value of the pooled table of the other criteria; NaN where it is undefined.
    prevalence : float
        Share of the criterion's decisions that the reference calls positive; NaN with more than two classes.
    """

    criterion: str
    without: float
    change: float
    n: int
    prevalence: float
    reason: str = ""


@dataclass(frozen=True)
class Pooling:
    r"""Micro κ taken apart: :math:`1-\kappa = (1-\kappa_{within})(1-\kappa_{between})`.

    Attributes
    ----------
    between : float
        κ of verdicts drawn at random at each criterion's own label rates: what knowing the criterion alone is worth.
    difference : Estimate
        Micro less κ within criteria; the interval by paired item jackknife.
    label : str
        The positive one, or of many the class whose rate differs most between criteria.
    rates : tuple of (criterion, reference rate, judge rate)
        Of that class, in the criteria where the reference gives it least and most.
    """

    micro: float
    within: float
    between: float
    macro: float
    difference: Estimate
    label: str
    rates: tuple[tuple[str, float, float], tuple[str, float, float]]

    @property
    def verdict(self) -> Pooled:
        """Micro differs from κ within criteria when the difference shows at two decimals and its interval leaves out 0."""
        if not self.difference.defined:
            return "undefined"
        shows = words.number(self.micro) != words.number(self.within)
        low, high = self.difference.ends or (self.difference.value,) * 2
        if not shows or low <= 0 <= high:
            return "same"
        return "lifted" if self.difference.value > 0 else "lowered"


def influences(report: JudgeReport, metric: str) -> tuple[Influence, ...]:
    """Return micro without each criterion in turn, lowest first and undefined ones last; nothing for a single criterion."""
    if len(report.criteria) < 2 or metric not in report.micro.values:
        return ()
    tables = _tables(report)
    record, pooled = BY_KEY[metric], report.micro.values[metric]
    criterion_influences = []
    for place, (name, block) in enumerate(report.criteria.items()):
        rest = np.delete(tables, place, axis=0)
        left = rest if record.takes == "criteria" else rest.sum(0)
        value = float(record.function(left))
        reason = _why(record.key, rest.sum(0), report.micro.labels) if math.isnan(value) else ""
        share = block.values.get("prevalence", math.nan)
        criterion_influences.append(Influence(name, value, value - pooled, int(block.n or 0), share, reason))
    return tuple(sorted(criterion_influences, key=lambda influence: (math.isnan(influence.without), influence.without)))


def most_moving(criterion_influences: Sequence[Influence], most: int) -> tuple[Influence, ...]:
    """Return the criteria without which micro changes most, in the order given; undefined ones count as the largest change."""
    ranked = sorted(criterion_influences, key=lambda influence: (not math.isnan(influence.change), -abs(influence.change)))[:most]
    return tuple(influence for influence in criterion_influences if influence in ranked)


def pooling(ratings: Ratings, judge: str, settings: Settings, report: JudgeReport) -> Pooling | None:
    """Return what micro κ owes to label rates that differ between criteria; None for a single criterion.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    report : JudgeReport
        Of the judge under these settings.

    Returns
    -------
    Pooling or None
        Without an interval where the ratings have no items. κ is NaN where no disagreement is left to chance.
    """
    if len(report.criteria) < 2:
        return None
    tables = _tables(report)
    pooled = tables.sum(0)
    micro, within = (report.micro.values[key] for key in ("kappa", "kappa_within"))
    chance = float(disagreements(pooled)[1])
    between = 1 - float(disagreements(tables)[1].sum()) / chance if chance else math.nan
    label, rates = _rates(report, tables)
    coded = Coded.of(patterns_of(ratings, judge, settings.reference), settings.on(ratings).scheme, settings.abstention)
    interval = _interval(coded, tables, settings.confidence) if ratings.has_items else None
    macro = report.macro.values["kappa"]
    return Pooling(micro, within, between, macro, Estimate(micro - within, interval), label, rates)


def rates_note(ratings: Ratings, judge: str, settings: Settings, report: JudgeReport) -> str:
    """Return the note that rates pooled over criteria credit a judge for knowing which criterion is common.

    Empty where that does not show, and where J within criteria contradicts pooled J, which says more.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    report : JudgeReport
        Of the judge under these settings.
    """
    pooling_effect, readings = pooling(ratings, judge, settings, report), pooled_j_of(report, settings.confidence)
    if pooling_effect is None or pooling_effect.verdict != "lifted" or (readings is not None and readings.disagree):
        return ""
    ends = report.micro["kappa_within"].ends
    within = f"{words.number(pooling_effect.within)}{words.behind(ends)}"
    return (
        "TPR, TNR, J and κ pooled over criteria credit the judge for knowing which criterion is common: κ is "
        f"{words.number(pooling_effect.micro)} pooled and {within} within criteria. A rate that holds on a criterion is one of "
        "that criterion alone."
    )


def _tables(report: JudgeReport) -> FloatArray:
    return np.stack([np.asarray(block.confusion, np.float64) for block in report.criteria.values()])


def _why(metric: str, table: FloatArray, labels: tuple[str, ...]) -> str:
    return why_undefined(BY_KEY[metric], table, labels) or "the other criteria have no agreement left to chance"


def _rates(report: JudgeReport, tables: FloatArray) -> tuple[str, tuple[tuple[str, float, float], tuple[str, float, float]]]:
    n = tables.sum((1, 2))
    used = np.flatnonzero(n)
    names = list(report.criteria)
    if not used.size:
        nothing = (names[0], math.nan, math.nan)
        return report.micro.labels[0], (nothing, nothing)
    reference, judge = (tables.sum(axis)[used] / n[used, None] for axis in (2, 1))
    label = 0 if reference.shape[1] == 2 else int(np.ptp(reference, axis=0).argmax())
    ends = [int(place(reference[:, label])) for place in (np.argmin, np.argmax)]
    low, high = ((names[used[i]], float(reference[i, label]), float(judge[i, label])) for i in ends)
    return report.micro.labels[label], (low, high)


def _interval(coded: Coded, tables: FloatArray, confidence: float) -> Interval | None:
    """Return the interval of micro κ less κ within, each item left out of both at once."""
    if coded.n_units < 2:
        return None
    pooled = tables.sum(0)
    left = pooled - coded.per_pattern()
    differences = cohen_kappa(left) - coded.within_left_out(tables)
    error = float(jackknife_error(differences, coded.weight.astype(np.float64)))
    value = float(cohen_kappa(pooled) - kappa_within(tables))
    return interval_around(value, error, None, student(coded.n_units - 1, confidence), "jackknife")


def pooling_reading(pooling_effect: Pooling, *, name: Name = plain_name) -> str:
    """Return what pooling did to κ, and why: in both directions, or that nothing shows."""
    if pooling_effect.verdict == "undefined":
        return "micro κ, or κ within criteria, is undefined here, so the effect of pooling cannot be separated from agreement."
    shown = {key: words.number(value) for key, value in (("micro", pooling_effect.micro), ("within", pooling_effect.within))}
    ends = words.behind(pooling_effect.difference.ends)
    if pooling_effect.verdict == "same":
        signed = f"{words.number(pooling_effect.difference.value)}{ends}"
        both = f"micro κ is {shown['micro']}, κ within criteria {shown['within']}"
        return f"pooling makes no difference that shows: {both} (difference {signed})."
    way = "higher" if pooling_effect.verdict == "lifted" else "lower"
    signed, far = (
        f"difference {words.number(pooling_effect.difference.value)}{ends}",
        unsigned_difference(pooling_effect.difference.value, "kappa"),
    )
    return (
        f"micro κ, {shown['micro']}, is {far} {way} than κ within criteria, {shown['within']} "
        f"({signed}). {_cause(pooling_effect, name)}"
    )


def _cause(pooling_effect: Pooling, name: Name) -> str:
    """Return where label rates differ between criteria, and what that alone is worth."""
    (low, low_rate, low_judge), (high, high_rate, high_judge) = pooling_effect.rates
    label = name(pooling_effect.label)
    rates = (
        f"The human says {label} on {words.percent(low_rate)} of {name(low)} and on {words.percent(high_rate)} of {name(high)}; "
        f"the judge on {words.percent(low_judge)} and {words.percent(high_judge)}."
    )
    worth = words.number(pooling_effect.between)
    if pooling_effect.verdict == "lowered":
        return f"{rates} The judge’s rates do not follow the human’s: random verdicts at these rates would have micro κ {worth}."
    return f"{rates} Pooling credits the judge for that: random verdicts at these rates would already have micro κ {worth}."


def influence_reading(criterion_influences: tuple[Influence, ...], metric: str, pooled: float, *, name: Name = plain_name) -> str:
    """Return which criterion moves micro most, and to which side.

    Parameters
    ----------
    criterion_influences : tuple of Influence
    metric : str
        Key of the catalogue.
    pooled : float
        Micro with all criteria.
    name : callable
        How names and labels are written.
    """
    record = BY_KEY[metric]
    defined = [influence for influence in criterion_influences if not math.isnan(influence.change)]
    if not defined:
        return f"{record.symbol} is undefined without any one of the criteria, so none can be said to move it."
    most = max(defined, key=lambda influence: abs(influence.change))
    before, after = words.value(pooled, record.unit), words.value(most.without, record.unit)
    missing = len(criterion_influences) - len(defined)
    gaps = f" Without {words.count(missing)} of the criteria it is undefined." if missing else ""
    if before == after:
        return f"no single criterion moves micro {record.symbol}: it stays {before} without any one of them.{gaps}"
    alike = [influence for influence in defined if words.value(influence.without, record.unit) == after]
    size = words.value(abs(most.change), record.unit)
    opposed = [
        influence
        for influence in defined
        if influence.change * most.change < 0 and words.value(abs(influence.change), record.unit) == size
    ]
    clause = f"without {_who(alike, len(criterion_influences), name)}, micro {record.symbol} is {after}"
    if opposed:
        other = words.value(opposed[0].without, record.unit)
        return f"{clause}, without {_who(opposed, len(criterion_influences), name)} {other}, instead of {before}.{gaps}"
    if len(alike) > 1:
        return f"{clause} instead of {before}.{gaps}"
    way = "holds micro up" if most.change < 0 else "holds micro down"
    return f"{name(most.criterion)} {way} most: without it, {record.symbol} is {after} instead of {before}.{gaps}"


def _who(alike: Sequence[Influence], of: int, name: Name) -> str:
    if len(alike) == of:
        return "any one of the criteria"
    names = [name(influence.criterion) for influence in alike[:MOST_NAMES]]
    more = len(alike) - len(names)
    return f"any one of {', '.join(names)} and {words.count(more)} more" if more else " or ".join(names)


def levels_reading(report: JudgeReport, metric: str) -> str:
    """Return how far the levels lie apart."""
    record = BY_KEY[metric]
    blocks = {level: report.level(level) for level in LEVELS if metric in report.level(level).values}
    value_by_level = {level: block.values[metric] for level, block in blocks.items() if not math.isnan(block.values[metric])}
    reasons = "".join(
        f" {level.capitalize()} is undefined: {block.undefined.get(metric, 'no decision is left')}."
        for level, block in blocks.items()
        if level not in value_by_level
    )
    if not value_by_level:
        return f"{record.symbol} is undefined at every level.{reasons}"
    values_text = ", ".join(f"{words.value(value, record.unit)} {ONCE[level]}" for level, value in value_by_level.items())
    if len(value_by_level) == 1:
        return f"{record.symbol} is {values_text}.{reasons}"
    if len({words.value(value, record.unit) for value in value_by_level.values()}) == 1:
        shown = words.value(next(iter(value_by_level.values())), record.unit)
        return f"{record.symbol} is {shown} at every level that has one: counting does not matter here.{reasons}"
    far = unsigned_difference(max(value_by_level.values()) - min(value_by_level.values()), metric)
    return f"{record.symbol} is {values_text}: {far} apart, each the answer to another question.{reasons}"

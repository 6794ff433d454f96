"""The difference of two judges with its interval, and why it has none."""

from __future__ import annotations

import math
from dataclasses import replace

from metrics.analyses.comparison.levels import difference_of, independent_difference
from metrics.analyses.comparison.paired import Paired, Statistic
from metrics.analyses.planning.compute import unit_words
from metrics.analyses.settings import Settings
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import ROUNDING
from metrics.results.estimate import Estimate
from metrics.results.words import several

# Units, and units on which the judges differ, below which the interval carries a note.
FEW_UNITS, FEW_DIFFER = 10, 5


def paired_difference(
    paired: Paired, statistic: Statistic, sides: tuple[Estimate, Estimate], n_differ: int, settings: Settings, metric: str
) -> tuple[float, Estimate]:
    """Return the standard error of the difference, and the difference on its own scale with why it has no interval.

    Parameters
    ----------
    paired : Paired
    statistic : Statistic
    sides : (Estimate, Estimate)
        Values of A and of B. Why their difference is undefined is left to the caller.
    n_differ : int
        Units on which the two differ.
    settings : Settings
        Unit and confidence.
    metric : str
        Key of the catalogue, whose range bounds the interval.

    Returns
    -------
    float
        NaN where the jackknife gives no interval.
    Estimate
        Where leaving units out tells nothing, its interval is put together from those of the two sides.
    """
    value = sides[1].value - sides[0].value
    if math.isnan(value):
        return math.nan, Estimate(value)
    if paired.n_units < 2:
        return math.nan, Estimate(value, why=_only_one(settings))
    if not n_differ:
        return math.nan, Estimate(value, why="no item separates them")
    unit = "group" if settings.by_column else "item"
    error = paired.error(statistic)
    if math.isnan(error):
        return math.nan, _mover(sides, metric, f"the difference is undefined when one {unit} is left out")
    if error <= ROUNDING:
        return math.nan, _mover(sides, metric, f"leaving out one {unit} never changes the difference")
    difference = difference_of(value, error, paired.n_units, settings.confidence, range_of(metric))
    units = unit_words(settings.unit)
    if paired.n_units < FEW_UNITS:
        note = f"only {several(paired.n_units, units)}"
    else:
        note = f"only {several(n_differ, units)} {'differs' if n_differ == 1 else 'differ'}" if n_differ < FEW_DIFFER else ""
    return error, replace(difference, interval=difference.interval and replace(difference.interval, note=note))


def _mover(sides: tuple[Estimate, Estimate], metric: str, why: str) -> Estimate:
    """Return the difference where the jackknife has no answer: from the judges' own intervals, taken as independent."""
    note = f"{why}, so the interval is put together from those of the two judges, taken as independent"
    made = independent_difference(*sides, range_of(metric), note)
    return made if made.width > ROUNDING else Estimate(made.value, why=why)


def _only_one(settings: Settings) -> str:
    if settings.by_column:
        return f"all shared items lie in one of the {unit_words(settings.unit)}"
    return "there is only one shared item"


def range_of(metric: str) -> float:
    """Return the largest difference that two values can have.

    Parameters
    ----------
    metric : str
        Key of the catalogue.
    """
    return BY_KEY[metric].high - BY_KEY[metric].low

"""The first judge against every other one: over decisions, over criteria and with chance inside each criterion; and against those
that answered other decisions, where the order may come from decisions that only one of them answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.comparison.joint import Everybody
from metrics.analyses.comparison.levels import LEVEL_READINGS, LevelName, Reading, difference_of, disagree
from metrics.analyses.comparison.paired import Statistic
from metrics.analyses.judge_selection.candidates import Benchmark, Candidate, function_of
from metrics.analyses.settings import Settings
from metrics.data.ratings import Ratings
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import jackknife_error

WITHIN = "kappa_within"


@dataclass(frozen=True)
class Against:
    """One judge against the first of a ranking, on the decisions both made; `a` of each reading is the first.

    Attributes
    ----------
    readings : mapping
        micro and macro of the metric judges are ranked by; within is κ within criteria. Under another metric than κ that decides
        only where it sets the two apart the other way round: otherwise how metrics differ is told elsewhere.
    """

    name: str
    readings: dict[LevelName, Reading]

    @property
    def disagree(self) -> bool:
        """Whether a reading tells the two apart and another does not, or tells the opposite."""
        metric = self.readings["micro"].metric
        readings = [reading for reading in self.readings.values() if metric in (reading.metric, "kappa")]
        opposite = len({reading.sign for reading in self.readings.values() if reading.settled}) > 1
        return opposite or (disagree(readings) and any(reading.settled for reading in readings))


def against_first(
    ratings: Ratings, usable: Sequence[Candidate], key: str, benchmark: Benchmark | None, settings: Settings
) -> tuple[Against, ...]:
    """Return every judge that has a value against the first of them, over decisions, over criteria and within criteria.

    Parameters
    ----------
    ratings : Ratings
    usable : sequence of Candidate
        Judges of these ratings that have a value, best first.
    key : str
        Metric they are ranked by.
    benchmark : Benchmark or None
        Its prevalence is read by SNR alone.
    settings : Settings

    Returns
    -------
    tuple of Against
        Empty with one criterion, fewer than two judges, or no items.
    """
    if not ratings.has_items or len(ratings.criteria) < 2 or len(usable) < 2:
        return ()
    names = tuple(candidate.name for candidate in usable)
    everybody = Everybody.of(ratings, replace(settings, judges=names), "micro", None)
    function, metrics = function_of(key, benchmark), (key, key, WITHIN)
    statistics = Statistic(function, "pooled"), Statistic(function, "mean"), Statistic(BY_KEY[WITHIN].function, "joint")
    out = []
    for place, name in enumerate(names[1:], 1):
        n, compared = everybody.compared(statistics, (0, place))
        readings = {
            level: Reading(
                metric, a, b, (n, n), difference_of(b - a, error, units, settings.confidence), None, settings.confidence
            )
            for level, metric, (a, b, error, units) in zip(LEVEL_READINGS, metrics, compared, strict=True)
        }
        out.append(Against(name, readings))
    return tuple(out)


@dataclass(frozen=True)
class LeftOpen:
    """One judge against the first of a ranking; `a` of the first two readings is the first.

    Attributes
    ----------
    common, whole : Reading
        On the decisions both answered, and on all that each answered, by which judges are ranked.
    rest : Reading
        The difference on all, `b`, less that on the decisions both answered, `a`: what is left open adds to it.
    """

    name: str
    common: Reading
    whole: Reading
    rest: Reading

    @property
    def decides(self) -> bool:
        """Whether what is left open adds to the lead of the first, and the decisions both answered do not show a lead."""
        shown = self.common.settled and self.common.sign == self.whole.sign
        return self.rest.settled and self.rest.sign == self.whole.sign and not shown


def left_open_first(
    ratings: Ratings, usable: Sequence[Candidate], key: str, benchmark: Benchmark | None, settings: Settings,
    criterion: str | None,
) -> tuple[LeftOpen, ...]:  # fmt: skip
    """Return judges that answered other decisions than the first did, against it.

    Parameters
    ----------
    ratings : Ratings
    usable : sequence of Candidate
        Judges of these ratings that have a value, best first.
    key : str
        Metric they are ranked by.
    benchmark : Benchmark or None
        Its prevalence is read by SNR alone.
    settings : Settings
    criterion : str or None
        Decisions of this criterion alone; None for all.

    Returns
    -------
    tuple of LeftOpen
        Empty where all answered the same decisions, there are fewer than two judges, or the file has no items.
    """
    if not ratings.has_items or len(usable) < 2:
        return ()
    names = tuple(candidate.name for candidate in usable)
    everybody = Everybody.of(ratings, replace(settings, judges=names), "micro", criterion)
    answered = everybody.cells < everybody.k**2
    other = [place for place in range(1, len(names)) if (answered[0] != answered[place]).any()]
    statistic = Statistic(function_of(key, benchmark), "pooled")
    return tuple(LeftOpen(names[place], *_readings(everybody, place, statistic, key, settings.confidence)) for place in other)


def _readings(everybody: Everybody, place: int, statistic: Statistic, key: str, confidence: float) -> tuple[Reading, ...]:
    """Return the first judge and another on what both answered, on all that each did, and what the second adds to the first."""
    masks = [everybody.cells[judge] < everybody.k**2 for judge in (0, place)]
    whole = [everybody.tables(judge, kept) for judge, kept in zip((0, place), masks, strict=True)]
    common = [everybody.tables(judge, masks[0] & masks[1]) for judge in (0, place)]
    there = (whole[0] + whole[1]).sum((1, 2, 3)) > 0
    times = everybody.times[there].astype(np.float64)
    out, left = [], []
    for tables in (common, whole):
        first, second = (np.tensordot(everybody.times, side, 1) for side in tables)
        left.append(statistic.difference(first - tables[0][there], second - tables[1][there]))
        a, b = (float(value) for value in statistic.both(first, second))
        difference = difference_of(b - a, float(jackknife_error(left[-1], times)), int(times.sum()), confidence)
        out.append(Reading(key, a, b, (int(first.sum()), int(second.sum())), difference, None, confidence))
    before, after = (reading.difference.value for reading in out)
    error = float(jackknife_error(left[1] - left[0], times))
    difference = difference_of(after - before, error, int(times.sum()), confidence)
    return *out, Reading(key, before, after, (out[0].n[0], out[1].n[0]), difference, None, confidence)

"""The first judge against every other one over decisions, over criteria and with chance inside each criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from metrics.analyses.comparison.joint import Everybody
from metrics.analyses.comparison.levels import LEVEL_READINGS, LevelName, Reading, difference_of, disagree
from metrics.analyses.comparison.paired import Statistic
from metrics.analyses.judge_selection.candidates import Benchmark, Candidate, function_of
from metrics.analyses.settings import Settings
from metrics.data.ratings import Ratings
from metrics.measures.catalogue import BY_KEY

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

"""How much wider the truth is than independent decisions suggest: the design effect of drawing whole items or clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrics.analyses.evaluation import catalogue_family
from metrics.analyses.leading import leading
from metrics.analyses.report_intervals import Tallied
from metrics.analyses.settings import Settings
from metrics.data.abstention import apply_mode, mode_labels
from metrics.data.aggregation import Level
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.intervals.cluster import Clustered, clusters_of
from metrics.intervals.default import Functions, Units
from metrics.intervals.jackknife import Coded
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.catalogue import BY_KEY, applicable


@dataclass(frozen=True)
class DesignEffect:
    """Standard errors of one metric with decisions as units, and with items or clusters as units; NaN where undefined."""

    flat: float
    clustered: float

    @property
    def ratio(self) -> float:
        """Variance with whole units over variance with independent decisions."""
        return float(safe_ratio(self.clustered**2, self.flat**2))


def design_effects(ratings: Ratings, judge: str, settings: Settings) -> dict[Level, dict[str, DesignEffect]]:
    """Return jackknife standard errors of every metric with an interval, flat and by the unit of the settings, micro and macro.

    One decision per item and items as units give a ratio of 1: then decisions are the items. With fewer than two decisions
    no metric is there; an error is NaN where there are fewer than two units, or one left out leaves the metric undefined.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings

    Returns
    -------
    dict
        Level to metric key to design effect.

    Raises
    ------
    InputError
        Where the unit is a column that does not group the items, see `clusters_of`.
    """
    ratings = settings.on(ratings)
    patterns = patterns_of(ratings, judge, settings.reference)
    by_criterion = apply_mode(patterns.raw, ratings.scheme, settings.abstention).astype(np.float64)
    clusters = clusters_of(ratings, settings.unit) if settings.by_column else None
    tallied = Tallied(patterns, ratings.scheme, settings.abstention, clusters=clusters, criteria=ratings.criteria)
    units: Units = Coded.of(patterns, ratings.scheme, settings.abstention)
    if tallied.above is not None:
        units = Clustered(tallied.frame().decisions_only(), settings.abstention, tallied.above.column)
    first = BY_KEY[leading(ratings, settings.abstention)]
    family = catalogue_family(mode_labels(ratings.scheme, settings.abstention), settings.cost)
    functions = {first.key: first.function, **family.bounded}
    flat, clustered = (_errors(units, by_criterion, functions) for units in (_decisions(by_criterion), units))
    return {
        level: {key: DesignEffect(error, clustered[level].get(key, np.nan)) for key, error in errors.items()}
        for level, errors in flat.items()
    }


def _decisions(by_criterion: FloatArray) -> Coded:
    """Return every decision as a unit of its own."""
    c, k = by_criterion.shape[:2]
    size = k * k
    mask = np.repeat(np.arange(c), size) == np.arange(c)[:, None]
    cell = np.where(mask, np.tile(np.arange(size), c), size).astype(np.int16)
    weight = by_criterion.ravel().astype(np.int64)
    return Coded(cell[:, weight > 0], weight[weight > 0], k)


def _errors(units: Units, by_criterion: FloatArray, functions: Functions) -> dict[Level, dict[str, float]]:
    if units.n_units < 2:
        return {"micro": {}, "macro": {}}
    micro = units.pooled(by_criterion.sum(0), functions)
    if any(metric.key == "kappa_within" for metric in applicable(units.k, "criteria")):
        micro = {**micro, "kappa_within": units.within(by_criterion)[0]}
    macro = units.macro(by_criterion, functions).errors().tolist()
    return {"micro": micro, "macro": dict(zip(functions, macro, strict=True))}

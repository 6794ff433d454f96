"""What an interval would be if the decisions on one item were independent, beside the one that keeps items whole.

How much wider the truth is than they suggest is the design effect of drawing items.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammaincinv

from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.evaluation import catalogue_family
from metrics.analyses.leading import leading
from metrics.analyses.report_intervals import Tallied
from metrics.analyses.settings import Settings
from metrics.data.abstention import apply_mode, mode_labels
from metrics.data.aggregation import Level
from metrics.data.memo import memoised
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.intervals.cluster import Clusters, clusters_of, groups_by
from metrics.intervals.default import Functions
from metrics.intervals.items import Coded
from metrics.intervals.jackknife import Units, level_errors
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.catalogue import BY_KEY, applicable, keys_at
from metrics.measures.transforms import interval_around, student
from metrics.results import words
from metrics.results.estimate import Estimate

SHOWN = keys_at("independence")
ALIKE = 0.05
"""How far from 1 the ratio of two widths still reads as “as wide”."""
ITEM_LEVEL = "At item level every item gives one verdict, so there is nothing to cluster."
ONE_EACH = "Every item carries one decision, so independent decisions and whole items are the same thing."
NOTHING_LEFT = "No decision is left to compare."
ONE_ITEM = "One item says nothing about how much items differ."
LEFT_OUT_ALIKE = "as its value is the same whichever item is left out"
LEFT_OUT_UNDEFINED = "as it is undefined where one of the items is left out"
NO_ITEMS = "A table of counts has no items, so its decisions can only be taken as independent."


@dataclass(frozen=True)
class Spread:
    """One metric with two jackknife intervals.

    Attributes
    ----------
    flat, clustered : Estimate
        The metric with decisions, and with whole items as units.
    effect : float
        Design effect: variance with whole items over variance with independent decisions; NaN where either has no interval.
    times : float
        Width of the flat interval over the width of the item interval.
    """

    metric: str
    flat: Estimate
    clustered: Estimate
    effect: float
    times: float
    n_decisions: int
    n_items: int
    undefined: str = ""
    """Why there is no ratio of the two; empty where there is one."""
    confidence: float = 0.95

    @property
    def significant_sign(self) -> int:
        """+1 where decisions on one item hang together beyond noise, -1 where they offset each other, 0 where neither shows.

        A variance of so many items is a chi-square over its degrees of freedom. With independent decisions one of the two is
        then said in 1 to 4 % of samples.
        """
        if math.isnan(self.effect):
            return 0
        tail, df = (1 - self.confidence) / 2, self.n_items - 1
        low, high = (2 * float(gammaincinv(df / 2, q)) / df for q in (tail, 1 - tail))
        return int(self.effect > high) - int(self.effect < low)


def spreads(ratings: Ratings, judge: str, settings: Settings, level: Level) -> tuple[Spread, ...]:
    """Return the metrics of `SHOWN` that are computed here; empty where items do not carry several decisions.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        Unit and kind of interval do not matter.
    level : Level
    """
    if why_alike(ratings, judge, settings, level):
        return ()
    settings = replace(settings, unit="item", interval="none")
    report = judge_report(ratings, judge, settings)
    block = report.level(level)
    n_items = _coded(ratings, judge, settings).n_units
    n_decisions = int(report.micro.n or 0)
    effects = design_effects(ratings, judge, settings)[level]
    metric_spreads = []
    for key in SHOWN:
        if key not in block.values or key not in effects or (key == "macro_f1" and len(block.labels) == 2):
            continue
        value, effect = block.values[key], effects[key]
        flat = _jackknifed(key, value, effect.flat, n_decisions, settings.confidence)
        clustered = _jackknifed(key, value, effect.clustered, n_items, settings.confidence)
        times = flat.width / clustered.width
        ratio, why = math.nan if math.isnan(times) else effect.ratio, _why_undefined(flat, clustered, effect)
        metric_spreads.append(Spread(key, flat, clustered, ratio, times, n_decisions, n_items, why, settings.confidence))
    return tuple(metric_spreads)


def _why_undefined(flat: Estimate, clustered: Estimate, effect: DesignEffect) -> str:
    """Return why one of the two has no interval; empty where both have one."""
    if flat.ends and clustered.ends:
        return ""
    if not flat.defined:
        return "it has no value"
    if not flat.ends:
        return "independent decisions give no interval" if clustered.ends else "neither has an interval"
    return f"whole items give no interval, {LEFT_OUT_UNDEFINED if math.isnan(effect.clustered) else LEFT_OUT_ALIKE}"


def why_alike(ratings: Ratings, judge: str, settings: Settings, level: Level) -> str:
    """Return why there is nothing to compare, as a sentence; empty where several items carry several decisions.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    level : Level
    """
    if not ratings.has_items:
        return NO_ITEMS
    if level == "item":
        return ITEM_LEVEL
    coded = _coded(ratings, judge, settings)
    if coded.n_units < 2:
        return ONE_ITEM if coded.n_units else NOTHING_LEFT
    return "" if (coded.cell < coded.k**2).sum(0).max() > 1 else ONE_EACH


def _coded(ratings: Ratings, judge: str, settings: Settings) -> Coded:
    return Coded.of(patterns_of(ratings, judge, settings.reference), settings.on(ratings).scheme, settings.abstention)


def _jackknifed(key: str, value: float, error: float, n: int, confidence: float) -> Estimate:
    quantile = student(max(n - 1, 1), confidence)
    return Estimate(value, interval_around(value, error, BY_KEY[key].transform, quantile, "jackknife"))


def spread_reading(metric_spreads: Sequence[Spread], metric: str = "kappa") -> str:
    """Return how the two intervals of one metric compare, in a sentence."""
    metric_spread = next((spread for spread in metric_spreads if spread.metric == metric), None)
    symbol = BY_KEY[metric].symbol
    if metric_spread is None:
        return f"for {symbol} the two cannot be compared here: {symbol} is undefined."
    if math.isnan(metric_spread.times):
        return f"for {symbol} the two cannot be compared here: {metric_spread.undefined}. The design effect is undefined."
    items, decisions = (words.count(n) for n in (metric_spread.n_items, metric_spread.n_decisions))
    treated = f"treating the {decisions} decisions as independent would make the interval of {symbol}"
    effect = f"design effect {words.number(metric_spread.effect)}"
    other = _furthest(metric_spreads, metric_spread)
    if abs(metric_spread.times - 1) <= ALIKE:
        return f"{treated} about as wide as it is ({words.number(metric_spread.times)} times, {effect}).{other}"
    wide = f"{treated} {words.number(metric_spread.times)} times as wide as it is ({effect})"
    if not metric_spread.significant_sign:
        which = f"{symbol} alone does" if other else "so few items do"
        return f"{wide}. {words.capital(which)} not show whether the decisions of one item depend on each other.{other}"
    if metric_spread.significant_sign > 0:
        return (
            f"{wide}: verdicts on one item are correlated: {items} items say less than {decisions} independent decisions.{other}"
        )
    return (
        f"{wide}: {items} items say more than {decisions} independent decisions. Each holds one decision of every criterion, or "
        f"its errors are negatively correlated.{other}"
    )


def _furthest(metric_spreads: Sequence[Spread], metric_spread: Spread) -> str:
    """Return the metric for which it matters most, where that is another one."""
    others = [spread for spread in metric_spreads if spread.significant_sign and abs(spread.times - 1) > ALIKE]
    most = max(others, key=lambda spread: abs(math.log(spread.times)), default=metric_spread)
    if most is metric_spread:
        return ""
    effect = f"{words.number(most.times)} times, design effect {words.number(most.effect)}"
    return f" Whole items matter most for {BY_KEY[most.metric].symbol}: {effect}."


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
    first = BY_KEY[leading(ratings, settings.abstention)]
    family = catalogue_family(mode_labels(ratings.scheme, settings.abstention), settings.cost)
    functions = {first.key: first.function, **family.bounded}
    flat, clustered = (
        _errors(units, by_criterion, functions)
        for units in (_decisions(by_criterion), Tallied.of(ratings, patterns, settings).units)
    )
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
    within = any(metric.key == "kappa_within" for metric in applicable(units.k, "criteria"))
    micro, macro = level_errors(units, by_criterion, functions, within=within)
    return {"micro": micro, "macro": macro}


def groups_behind(ratings: Ratings, judge: str, settings: Settings, level: Level = "micro") -> tuple[int, str] | None:
    """Return how many groups of items the intervals of a judge leave out one at a time, and what they are; None for items.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    level : Level
    """
    if not settings.by_column:
        return None
    ratings, clusters = settings.on(ratings), clusters_of(ratings, settings.unit)
    key = ("groups behind", judge, level, repr(settings), ratings.scheme.handling)
    return memoised(ratings, key, lambda: _n_groups(ratings, judge, settings, level, clusters)), groups_by(clusters.column)


def _n_groups(ratings: Ratings, judge: str, settings: Settings, level: Level, clusters: Clusters) -> int:
    """Return groups with a decision (at item level an item) that counts."""
    patterns, rule = patterns_of(ratings, judge, settings.reference), settings.item_rule if level == "item" else None
    frame = Tallied(patterns, ratings.scheme, settings.abstention, rule, clusters, ratings.criteria).frame()
    return (frame.item() if level == "item" else frame.decisions_only()).n_units

"""Intervals asked for by name: one rule for every number, instead of the default's choice between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from metrics.data.abstention import Mode
from metrics.intervals.bootstrap import (
    ITEM,
    METHODS,
    Drawn,
    Progress,
    Replicates,
    accelerations,
    evaluate,
    intervals_of,
    replicate,
)
from metrics.intervals.default import few_units
from metrics.intervals.jackknife import Units, flat_errors, level_errors
from metrics.intervals.resampling import Frame
from metrics.intervals.single_table import dirichlet_quantiles, share
from metrics.measures.arrays import FloatArray, Function
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval, covering, student, transformed

Functions = Mapping[str, Function]
Place = Literal["item", "decision", "criterion", "hierarchical"]
PLACES: tuple[Place, ...] = get_args(Place)
FLAT = "assumes independent decisions"
NO_SPREAD = "leaving one out changes nothing or leaves it undefined; the default interval has a width here"
UNDER = {"bootstrap": "bootstrap", "bca": "BCa bootstrap"}


@dataclass(frozen=True)
class Sampling:
    """A bootstrap: `bootstrap` (percentile) or `bca`, what is drawn, how often, and from which seed."""

    kind: str
    drawn: Drawn
    replicates: int
    seed: int | np.random.Generator
    confidence: float

    @property
    def method(self) -> str:
        return METHODS[self.drawn].replace("bootstrap", UNDER[self.kind])


@dataclass(frozen=True, eq=False)
class Drawing:
    """Intervals of micro, macro, item level and every criterion, and the replicates without a value beside them."""

    intervals: list[dict[str, Interval]]
    undefined: list[dict[str, int]]
    replicates: int


def jackknife_only(
    errors: Mapping[str, float], values: Mapping[str, float], n_units: int, confidence: float, word: str = "items"
) -> dict[str, Interval]:
    """Return rule 1 alone: NaN ends where it has no width, and nothing for a metric without a value or fewer than two units.

    Parameters
    ----------
    errors : mapping
        Metric key to standard error.
    values : mapping
        Metric key to value, NaN where undefined.
    n_units : int
    confidence : float
    word : str
        What the units are called.
    """
    quantile = student(max(n_units - 1, 1), confidence)
    out = {}
    for key, error in errors.items():
        if np.isnan(values[key]) or n_units < 2:
            continue
        ends = transformed(values[key], error, BY_KEY[key].transform, quantile)
        note = NO_SPREAD if np.isnan(ends[0]) else few_units(n_units, word)
        out[key] = Interval(*(ends if np.isnan(ends[0]) else covering(values[key], ends)), "jackknife", note)
    return out


def jackknife_levels(
    units: Units, by_criterion: FloatArray, functions: Functions, micro: Mapping[str, float], macro: Mapping[str, float],
    confidence: float,
) -> tuple[dict[str, Interval], dict[str, Interval]]:  # fmt: skip
    """Return rule 1 on the pooled table and on the mean over criteria; nothing for fewer than two units.

    Parameters
    ----------
    units : Units
    by_criterion : ndarray, shape (C, K, K)
        The tables of the same units.
    functions : mapping
        Metric key to function of counts.
    micro, macro : mapping
        Metric key to value on the pooled table and to the mean over criteria, NaN where undefined.
    confidence : float
    """
    if units.n_units < 2:
        return {}, {}
    errors, over = level_errors(units, by_criterion, functions, within="kappa_within" in micro)
    n, word = units.n_units, units.word
    return jackknife_only(errors, micro, n, confidence, word), jackknife_only(over, macro, n, confidence, word)


def jackknife_table(
    counts: FloatArray, functions: Functions, values: Mapping[str, float], confidence: float
) -> dict[str, Interval]:
    """Return rule 1 on a table of independent decisions; nothing for fewer than two.

    Parameters
    ----------
    counts : ndarray, shape (K, K)
    functions : mapping
        Metric key to function of counts.
    values : mapping
        Metric key to value on this table, NaN where undefined.
    confidence : float
    """
    return jackknife_only(flat_errors(counts, functions), values, int(counts.sum()), confidence) if counts.sum() else {}


def table_by_name(
    kind: str, counts: FloatArray, functions: Functions, values: Mapping[str, float], confidence: float, note: str = ""
) -> dict[str, Interval]:
    """Return Dirichlet quantiles of every metric with a value, or Wilson's interval of the shares; none of one decision.

    Parameters
    ----------
    kind : {"dirichlet", "wilson"}
    counts : ndarray, shape (K, K)
    functions : mapping
        Metric key to function of counts.
    values : mapping
        Metric key to value on this table, NaN where undefined.
    confidence : float
    note : str
        Stands beside every interval.
    """
    wanted = {key: function for key, function in functions.items() if not np.isnan(values[key])}
    if counts.sum() < 2:
        return {}
    if kind == "wilson":
        shares = {key: share(key, counts, confidence) for key in wanted if BY_KEY[key].small_table == "share"}
        return {key: Interval(*ends, "wilson", note) for key, ends in shares.items()}
    quantiles = dirichlet_quantiles(counts, wanted, confidence)
    return {key: Interval(*covering(values[key], ends), "dirichlet", note) for key, ends in quantiles.items()}


def bootstrap_levels(
    frame: Frame, mode: Mode, functions: Functions, sampling: Sampling, progress: Progress | None = None
) -> Drawing:
    """Return every level and criterion from one set of draws.

    Parameters
    ----------
    frame : Frame
    mode : Mode
    functions : mapping
        Metric key to function of counts.
    sampling : Sampling
    progress : callable, optional
        Called with the share done; returning True stops the draws and keeps those done.
    """
    rng = np.random.default_rng(sampling.seed)
    replicates_by_mode = replicate(
        frame, {mode: functions}, drawn=sampling.drawn, replicates=sampling.replicates, rng=rng, progress=progress
    )  # fmt: skip
    return drawing(frame, mode, functions, sampling, replicates_by_mode[mode])


def drawing(frame: Frame, mode: Mode, functions: Functions, sampling: Sampling, replicates: Replicates) -> Drawing:
    """Return intervals from replicates; NaN ends where the unit drawn does not reach a level, and nothing without a value.

    Parameters
    ----------
    frame : Frame
        The data that were drawn from.
    mode : Mode
    functions : mapping
        Metric key to function of counts.
    sampling : Sampling
    replicates : Replicates
        Of the same functions.
    """
    values = {key: estimates[:, 0] for key, estimates in evaluate(frame, mode, functions, frame.total[:, None]).items()}
    accelerated = accelerations(frame, mode, functions, sampling.drawn) if sampling.kind == "bca" else {}
    intervals = intervals_of(replicates, values, sampling.confidence, sampling.method, accelerated)
    drawn = intervals[:ITEM] if sampling.drawn == "criterion" else intervals
    undefined = [{key: int(replicates.undefined(key)[place]) for key in intervals} for place, intervals in enumerate(drawn)]
    undefined += [{}] * (len(intervals) - len(drawn))
    return Drawing(
        [
            {key: _as_drawn(interval, place, sampling) for key, interval in intervals.items()}
            for place, intervals in enumerate(intervals)
        ],
        [{key: n for key, n in counts.items() if n} for counts in undefined],
        replicates.n,
    )


def _as_drawn(interval: Interval, place: int, sampling: Sampling) -> Interval:
    """Return the interval as what was drawn where the unit does not reach.

    Item verdicts are whole, and a criterion alone has no criteria to draw.
    """
    if sampling.drawn == "criterion" and place >= ITEM:
        why = "drawing criteria says nothing about one criterion" if place > ITEM else "an item verdict needs the whole rubric"
        return Interval(float("nan"), float("nan"), sampling.method, f"{why}; draw items instead")
    if sampling.drawn in ("decision", "hierarchical") and place == ITEM:
        return replace(interval, method=replace(sampling, drawn="item").method)
    return interval

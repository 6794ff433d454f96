"""Bootstrap intervals: percentile and BCa, with items, decisions, criteria or a column above the item drawn.

One set of draws serves every metric, level and abstention mode, because all of them are functions of the same tallies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import ndtr, ndtri

from metrics.data.abstention import Mode
from metrics.intervals.resampling import MOST_CELLS, MOST_DRAWN, Drawer, Frame
from metrics.measures.arrays import FloatArray, Function
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval, covering

Functions = Mapping[str, Function]
Progress = Callable[[float], bool | None]
"""Called with the share done; returning True stops."""
Drawn = Literal["item", "cluster", "decision", "criterion", "hierarchical"]
METHODS: dict[Drawn, str] = {
    "item": "bootstrap",
    "cluster": "bootstrap",
    "decision": "bootstrap, assumes independent decisions",
    "criterion": "bootstrap, criteria drawn",
    "hierarchical": "bootstrap, items and criteria within them drawn",
}
MICRO, MACRO, ITEM, CRITERIA = 0, 1, 2, 3
"""Places on the level axis; every criterion follows."""


@dataclass(frozen=True, eq=False)
class Replicates:
    """Values of every metric in every replicate of one mode.

    Attributes
    ----------
    values : mapping
        Key to values, shape (3 + C, B): micro, macro, item, then the criteria.
    """

    values: Mapping[str, FloatArray]

    @property
    def n(self) -> int:
        return next((values.shape[1] for values in self.values.values()), 0)

    def undefined(self, key: str) -> NDArray[np.int64]:
        """Return replicates without a value, by level and criterion."""
        missing: NDArray[np.int64] = np.isnan(self.values[key]).sum(1)
        return missing


def replicate(
    frame: Frame,
    functions: Mapping[Mode, Functions],
    *,
    drawn: Drawn = "item",
    replicates: int = 2000,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> dict[Mode, Replicates]:
    """Return every metric of every mode on the same draws.

    Parameters
    ----------
    frame : Frame
        Units and what they add up to; see `Frame.pooled` and `Frame.criterion` for less than all levels.
    functions : mapping
        Mode to the functions wanted, by metric key.
    drawn : {"item", "cluster", "decision", "criterion", "hierarchical"}
        What is drawn; a cluster is drawn as an item is, from a frame by cluster.
    replicates : int
    rng : numpy.random.Generator
    progress : callable, optional
        When it stops the work, the replicates done so far are returned.
    """
    shape = (CRITERIA + frame.n_criteria, replicates)
    values = {mode: {key: np.empty(shape) for key in wanted} for mode, wanted in functions.items()}
    at_once = max(1, MOST_CELLS // (2 * max(1, frame.features.shape[0])))
    step = max(1, replicates // 20) if progress else replicates
    done = 0
    for tally, times in _tallies(frame, drawn, rng, replicates, at_once, step):
        until = done + tally.shape[1]
        for mode, wanted in functions.items():
            for key, estimates in evaluate(frame, mode, wanted, tally, times).items():
                values[mode][key][:, done:until] = estimates
        done = until
        if progress and progress(done / replicates):
            break
    return {mode: Replicates({key: column[:, :done] for key, column in columns.items()}) for mode, columns in values.items()}


def _tallies(
    frame: Frame, drawn: Drawn, rng: np.random.Generator, replicates: int, at_once: int, step: int
) -> Iterator[tuple[FloatArray, FloatArray | None]]:
    """Yield tallies of at most `step` replicates, the same draws whatever the step: it parts no block that is drawn together."""
    block = _drawn_together(frame, drawn, at_once)
    size, done = -(-step // block) * block, 0
    while done < replicates:
        tally, times = _tally(frame, drawn, rng, min(at_once - done % at_once, replicates - done, size))
        for start in range(0, tally.shape[1], step):
            part = slice(start, start + step)
            yield tally[:, part], None if times is None else times[:, part]
        done += tally.shape[1]


def _drawn_together(frame: Frame, drawn: Drawn, most: int) -> int:
    """Return how many replicates are drawn together, at most so many: with another number a seed would give other draws."""
    if drawn == "decision":
        return most
    if drawn == "criterion":
        return 1
    return min(most, max(1, MOST_DRAWN // (len(frame.weight) * (2 + frame.n_criteria if drawn == "hierarchical" else 1))))


def evaluate(
    frame: Frame, mode: Mode, functions: Functions, tally: FloatArray, times: FloatArray | None = None
) -> dict[str, FloatArray]:
    """Return each metric on each tally; NaN where it is undefined.

    Parameters
    ----------
    frame : Frame
    mode : Mode
    functions : mapping
        Metric key to function of counts.
    tally : ndarray, shape (C · U + J, B)
        Counts of the features of the frame in each replicate.
    times : ndarray, shape (C, B), optional
        How often each criterion was drawn.

    Returns
    -------
    dict
        Key to ndarray, shape (3 + C, B): micro, macro, item, then the criteria. A metric that takes the tables of all criteria
        has a value at micro alone.
    """
    k, c, size = frame.k[mode], frame.n_criteria, tally.shape[1]
    groups = c * frame.decisions.n_groups
    tables = np.empty((c + 2, k * k, size))
    tables[2:] = frame.decisions.mode_matrix(mode, k) @ tally[:groups].reshape(c, -1, size)
    tables[0] = tables[2:].sum(0)
    tables[1] = frame.items.mode_matrix(mode, k) @ tally[groups:]
    counts = np.moveaxis(tables.reshape(c + 2, k, k, size), -1, 1)
    out = {}
    for key, function in functions.items():
        values = np.full((CRITERIA + c, size), np.nan)
        if BY_KEY[key].takes == "criteria":
            values[MICRO] = function(np.moveaxis(counts[2:], 0, 1))
        else:
            table_values = function(counts)
            values[MICRO], values[ITEM], values[CRITERIA:] = table_values[0], table_values[1], table_values[2:]
            values[MACRO] = _mean(table_values[2:], times)
        out[key] = values
    return out


def _mean(values: FloatArray, times: FloatArray | None) -> FloatArray:
    """Return mean over the criteria with a value, each as often as it was drawn."""
    defined = ~np.isnan(values)
    weight = defined * (1.0 if times is None else times)
    total, count = (np.where(defined, values, 0.0) * weight).sum(0), weight.sum(0)
    return np.where(count > 0, total / np.where(count > 0, count, 1.0), np.nan)


def _tally(frame: Frame, drawn: Drawn, rng: np.random.Generator, size: int) -> tuple[FloatArray, FloatArray | None]:
    """Return tallies of `size` replicates, shape (C · U + J, size), and how often each criterion was drawn."""
    if drawn == "decision":
        return np.concatenate([_independent(part, rng, size) for part in _parts(frame)]), None
    if drawn == "criterion":
        c = frame.n_criteria
        times = rng.multinomial(c, np.full(c, 1 / c), size=size).T.astype(np.float64)
        groups, data = c * frame.decisions.n_groups, frame.total
        once = data[:groups].reshape(c, -1, 1)
        tally = (once * times[:, None]).reshape(groups, size)
        return np.concatenate([tally, np.repeat(data[groups:, None], size, 1)]), times
    drawer = Drawer.of(frame.weight)
    frame = replace(frame, features=csr_array(frame.features[:, drawer.order]), weight=frame.weight[drawer.order])
    out = np.empty((frame.features.shape[0], size))
    within = _within(frame) if drawn == "hierarchical" else None
    step = _drawn_together(frame, drawn, size)
    for first in range(0, size, step):
        counts = drawer.draw(rng, min(step, size - first))
        block = _whole(frame, counts) if within is None else _second_stage(frame, within, counts, rng)
        out[:, first : first + step] = block
    return out, None


def _whole(frame: Frame, counts: FloatArray) -> FloatArray:
    tally: FloatArray = frame.features @ np.ascontiguousarray(counts.T)
    return tally


def _parts(frame: Frame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the data as independent decisions, and as items by item verdict."""
    data, groups = frame.total.astype(np.int64), frame.n_criteria * frame.decisions.n_groups
    return data[:groups], data[groups:]


def _independent(data: NDArray[np.int64], rng: np.random.Generator, size: int) -> FloatArray:
    if not data.sum():
        return np.zeros((len(data), size))
    drawer = Drawer.of(data)
    out = np.empty((len(data), size))
    out[drawer.order] = drawer.draw(rng, size).T
    return out


@dataclass(frozen=True, eq=False)
class _Within:
    """Decisions of each row: which feature stands on each criterion, and the share of the row's decisions it is."""

    feature: tuple[csr_array, ...]
    share: FloatArray
    decisions: NDArray[np.int64]


def _within(frame: Frame) -> _Within:
    groups = frame.decisions.n_groups
    blocks = tuple(csr_array(frame.features[c * groups : (c + 1) * groups]) for c in range(frame.n_criteria))
    there = np.stack([np.asarray(block.sum(0)).ravel() for block in blocks], axis=1)
    many = there.sum(1)
    share = there / np.maximum(many, 1)[:, None]
    share[many == 0, 0] = 1.0
    return _Within(blocks, share, many.astype(np.int64))


def _second_stage(frame: Frame, within: _Within, counts: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return tallies in which every drawn item has as many of its decisions as it has, drawn with replacement.

    Item verdicts stay whole.
    """
    drawn = rng.multinomial(counts.astype(np.int64) * within.decisions, within.share)
    blocks = [block @ np.ascontiguousarray(drawn[:, :, c].T.astype(np.float64)) for c, block in enumerate(within.feature)]
    items = frame.features[frame.n_criteria * frame.decisions.n_groups :]
    return np.concatenate([*blocks, csr_array(items) @ np.ascontiguousarray(counts.T)])


def accelerations(frame: Frame, mode: Mode, functions: Functions, drawn: Drawn) -> dict[str, FloatArray]:
    """Return acceleration of BCa from leaving out one drawn unit at a time.

    Parameters
    ----------
    frame : Frame
    mode : Mode
    functions : mapping
        Metric key to function of counts.
    drawn : {"item", "cluster", "decision", "criterion", "hierarchical"}
        Of "hierarchical" the items are left out.

    Returns
    -------
    dict
        Key to ndarray, shape (3 + C,); NaN where a value without one unit is undefined, or all of them are equal.

    References: Efron (1987), doi:10.1080/01621459.1987.10478410.
    """
    value = {key: estimates[:, 0] for key, estimates in evaluate(frame, mode, functions, frame.total[:, None]).items()}
    second = {key: np.zeros_like(values) for key, values in value.items()}
    third = {key: np.zeros_like(values) for key, values in value.items()}
    for weight, blocks in _left_out(frame, drawn):
        moments = {key: np.zeros((4, len(values))) for key, values in value.items()}
        for multiplicity, tally, times in blocks:
            for key, left_out in evaluate(frame, mode, functions, tally, times).items():
                off = value[key][:, None] - left_out
                for power in range(1, 4):
                    moments[key][power] += (off**power) @ multiplicity
        for key, (_, total, two, three) in moments.items():
            mean = total / weight
            second[key] += (weight - 1) ** 2 * (two - weight * mean**2)
            third[key] += (weight - 1) ** 3 * (three - 3 * mean * two + 2 * weight * mean**3)
    with np.errstate(invalid="ignore", divide="ignore"):
        return {key: np.where(second[key] > 0, third[key] / (6 * second[key] ** 1.5), np.nan) for key in value}


Blocks = Iterator[tuple[FloatArray, FloatArray, FloatArray | None]]


def _left_out(frame: Frame, drawn: Drawn) -> Iterator[tuple[float, Blocks]]:
    """Yield kinds of unit: how many there are, and blocks of multiplicity, tally without one of them, and times of each
    criterion.
    """
    data, groups = frame.total[:, None], frame.decisions.n_groups
    if drawn == "criterion":
        without = 1.0 - np.eye(frame.n_criteria)
        tally = np.repeat(data, frame.n_criteria, 1)
        tally[: frame.n_criteria * groups] *= np.repeat(without, groups, 0)
        yield float(frame.n_criteria), iter([(np.ones(frame.n_criteria), tally, without)])
    elif drawn == "decision":
        first = 0
        for part in _parts(frame):
            present = np.flatnonzero(part)
            if len(present):
                tally = np.repeat(data, len(present), 1)
                tally[first + present, np.arange(len(present))] -= 1.0
                yield float(part.sum()), iter([(part[present].astype(np.float64), tally, None)])
            first += len(part)
    else:
        yield float(frame.n_units), _without_rows(frame, data)


def _without_rows(frame: Frame, data: FloatArray) -> Blocks:
    columns = frame.features.tocsc()
    step = max(1, MOST_CELLS // (2 * frame.features.shape[0]))
    for first in range(0, len(frame.weight), step):
        block = columns[:, first : first + step].toarray()
        yield frame.weight[first : first + step].astype(np.float64), data - block, None


def quantile_ends(values: FloatArray, tail: FloatArray) -> FloatArray:
    """Return quantiles of the defined values of each row.

    Parameters
    ----------
    values : ndarray, shape (n, B)
        NaN where a replicate is undefined.
    tail : ndarray, shape (n, 2)
        Levels of the lower and the upper end.

    Returns
    -------
    ndarray, shape (n, 2)
        NaN where a row has no value, or the level is NaN.
    """
    ordered = np.sort(values, axis=1)
    defined = (~np.isnan(values)).sum(1)
    place = np.clip(tail, 0.0, 1.0) * (np.maximum(defined, 1) - 1)[:, None]
    safe = np.nan_to_num(place)
    below = np.floor(safe).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(defined, 1)[:, None] - 1)
    low, high = (np.take_along_axis(ordered, at, 1) for at in (below, above))
    return np.where(np.isnan(place) | (defined == 0)[:, None], np.nan, low + (high - low) * (safe - below))


def percentile_tails(n: int, confidence: float) -> FloatArray:
    """Return quantile levels of the percentile method, the same in each of n rows, shape (n, 2)."""
    return np.tile([(1 - confidence) / 2, (1 + confidence) / 2], (n, 1))


def bca_tails(values: FloatArray, value: FloatArray, acceleration: FloatArray, confidence: float) -> FloatArray:
    """Return quantile levels of BCa.

    Parameters
    ----------
    values : ndarray, shape (n, B)
        Replicates; NaN where undefined.
    value : ndarray, shape (n,)
        Of the data.
    acceleration : ndarray, shape (n,)
    confidence : float

    Returns
    -------
    ndarray, shape (n, 2)
        NaN where all replicates lie on one side of the value, or the acceleration is NaN.
    """
    defined = (~np.isnan(values)).sum(1)
    less, equal = (values < value[:, None]).sum(1), (values == value[:, None]).sum(1)
    bias = ndtri((less + equal / 2) / np.maximum(defined, 1))[:, None]
    at = bias + ndtri(percentile_tails(len(values), confidence))
    with np.errstate(invalid="ignore", divide="ignore"):
        tails: FloatArray = ndtr(bias + at / (1 - acceleration[:, None] * at))
    return np.where(np.isfinite(bias), tails, np.nan)


def intervals_of(
    replicates: Replicates,
    values: Mapping[str, FloatArray],
    confidence: float,
    method: str,
    accelerated: Mapping[str, FloatArray],
) -> list[dict[str, Interval]]:
    """Return intervals at each place of the level axis; a metric without a value on the data has none there.

    Ends are NaN where the replicates do not differ from the value, or BCa cannot correct; the note says which.

    Parameters
    ----------
    replicates : Replicates
    values : mapping
        Metric key to ndarray, shape (3 + C,): the values of the data.
    confidence : float
    method : str
        Name of the method in every interval.
    accelerated : mapping
        Metric key to ndarray, shape (3 + C,), for BCa; empty for the percentile method.
    """
    out: list[dict[str, Interval]] = [{} for _ in next(iter(values.values()), ())]
    for key, column in replicates.values.items():
        tails = percentile_tails(len(column), confidence)
        if accelerated:
            tails = bca_tails(column, values[key], accelerated[key], confidence)
        ends, missing = quantile_ends(column, tails), replicates.undefined(key)
        for place, intervals in enumerate(out):
            if not np.isnan(values[key][place]):
                low, high = float(ends[place, 0]), float(ends[place, 1])
                intervals[key] = _interval(float(values[key][place]), low, high, method, int(missing[place]), replicates.n)
    return out


def _interval(value: float, low: float, high: float, method: str, missing: int, replicates: int) -> Interval:
    """Return ends moved to a value they would exclude; none where the replicates say nothing about the spread."""
    notes = [f"{missing} of {replicates} replicates undefined"] if missing else []
    nothing = Interval(float("nan"), float("nan"), method)
    if np.isnan(low) or np.isnan(high):
        why = "BCa cannot correct here: all replicates on one side of the value, or one left out leaves it undefined"
        return replace(nothing, note="; ".join([*notes, why]))
    if min(low, value) == max(high, value):
        why = "the replicates do not differ from the value; the default interval has a width here"
        return replace(nothing, note="; ".join([*notes, why]))
    return Interval(*covering(value, (low, high)), method, "; ".join(notes))

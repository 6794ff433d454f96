"""When each rating was given, and whether a rater agrees with the others less and less as the work goes on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from metrics.analyses.raters.units import LEAST, LEVEL, Units, rating_places
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.exact_tests import holm
from metrics.measures.ranks import midranks
from metrics.measures.transforms import ROUNDING, Interval, jackknife_error, student
from metrics.readers.repeats import parse_times
from metrics.results.estimate import Estimate

By = Literal["time", "row"]
NO_ORDER = "a tally has no order of rows"
SAME_ORDER = 0.9
"""Share of the variance of the positions that the units explain, from which all raters went the same way."""


@dataclass(frozen=True)
class Fatigue:
    """Agreement with the other raters, from a rater's first rating to the last.

    Attributes
    ----------
    by : {"time", "row"}
        Where the order comes from: a column of times, or the rows of the file, which need not stand in the order of work.
    column : str
        The column of times, or empty.
    change : Estimate
        Change in the share of the others who agree, from a rater's first rating of a criterion to the last, by a straight line
        common to all, each rater about an own level on each criterion; one item left out at a time.
    first, last : float
        Agreement at both ends of that line, at the mean level.
    same_order : float
        Share of the variance of the positions within criteria that lies between units. Near 1 all raters saw the units in the
        same order, and later units may simply be harder.
    weighted : bool
        Whether near labels agree in part.
    p, corrected : float
        Two-sided, of no change; and after Holm for the number of criteria. NaN without an interval.
    """

    by: By
    column: str
    n: int
    n_items: int
    n_raters: int
    change: Estimate
    first: float = math.nan
    last: float = math.nan
    same_order: float = math.nan
    weighted: bool = False
    p: float = math.nan
    corrected: float = math.nan

    @property
    def sign(self) -> int:
        """Direction of a change that holds among those of all criteria, else 0."""
        return self.change.sign if self.corrected <= LEVEL else 0

    @property
    def shows(self) -> bool:
        """Whether a fall speaks of the raters: they saw the units in different orders, so it is not the units that differ."""
        return self.sign < 0 and self.same_order < SAME_ORDER


def corrected(by_criterion: Sequence[Fatigue]) -> list[Fatigue]:
    """Return changes of several criteria with p corrected for their number."""
    return [replace(own, corrected=p) for own, p in zip(by_criterion, holm([own.p for own in by_criterion]), strict=True)]


def positions(ratings: Ratings, units: Units) -> tuple[FloatArray, By, str]:
    """Return place of each rating in its rater's own sequence over all units, 0 first and 1 last.

    Returns
    -------
    ndarray, shape (n_units, n_raters)
        NaN where there is no rating that counts, no time of it, or no other one by the same rater.
    {"time", "row"}
        What the order is by.
    str
        Column it was read from; empty for the rows of the file.
    """
    places = rating_places(ratings, units)
    there = (places >= 0) & (units.labels >= 0)
    column = dict(ratings.columns).get("timestamp", "") if ratings.source.shape == "raters" else ""
    when = _times(ratings, column) if column else None
    timed = when is not None and not np.isnan(when[places[there]]).all()
    moment = np.where(there, (when if when is not None and timed else ratings.row)[places], np.nan)
    progress = np.full(moment.shape, np.nan)
    for rater, rater_moments in enumerate(moment.T):
        known = np.flatnonzero(~np.isnan(rater_moments))
        if len(known) > 1:
            progress[known, rater] = (midranks(rater_moments[known]) - 1) / (len(known) - 1)
    return progress, "time" if timed else "row", column if timed else ""


def _times(ratings: Ratings, column: str) -> FloatArray | None:
    """Return time of each rating, shape (n_ratings,)."""
    if ratings.table is None or column not in ratings.table.column_names:
        return None
    texts = ratings.table.column(column).combine_chunks().dictionary_encode()
    known = tuple(text or "" for text in texts.dictionary.to_pylist())
    codes = np.asarray(texts.indices.fill_null(len(known)).to_numpy(zero_copy_only=False), np.int64)
    return np.append(parse_times(known), np.nan)[codes[ratings.row]]


def without_order(by: By, column: str) -> Fatigue:
    """Return what there is to say where nothing tells the order of the ratings."""
    return Fatigue(by, column, 0, 0, 0, Estimate(math.nan, why=NO_ORDER))


def fatigue(
    units: Units,
    position: FloatArray,
    by: By,
    column: str,
    *,
    partial: FloatArray | None = None,
    least: int = LEAST,
    confidence: float = 0.95,
) -> Fatigue:
    """Return whether agreement falls along the raters' own sequences.

    Parameters
    ----------
    units, position
        Units, for instance of one criterion, and the positions in them as `positions` gives them. A criterion that a rater met
        only late is read from the rater's first rating of it to the last: nothing is known of what came before.
    partial : ndarray, shape (K, K), optional
        Partial agreement of two labels, 1 for equal ones; default: none of others.
    least : int
        Raters with fewer ratings are left out.
    """
    votes = units.votes
    several = votes.sum(1) > 1
    usable = (units.labels >= 0) & several[:, None] & ~np.isnan(position)
    usable &= (usable.sum(0) >= least)[None, :]
    unit, rater = np.nonzero(usable)
    n_items, n_raters = len(np.unique(units.item[unit])), len(np.unique(rater))
    if n_items < least:
        why = f"fewer than {least} items with two labels by raters who gave {least} or more"
        return Fatigue(by, column, len(unit), n_items, n_raters, Estimate(math.nan, why=why))
    agreeing = votes if partial is None else votes @ partial
    like = (agreeing[unit, units.labels[unit, rater]] - 1) / (votes[unit].sum(1) - 1)
    # A rater's ratings of one criterion: another criterion may be easier, and may come later.
    _, run = np.unique(units.criterion[unit].astype(np.int64) * len(units.raters) + rater, return_inverse=True)
    x = _own_span(run, position[unit, rater])
    slope, without = _slopes(units.item[unit], run, x, like)
    same = _between(unit, x)
    if math.isnan(slope):
        why = "all labels of a rater have the same place in the order"
        return Fatigue(by, column, len(unit), n_items, n_raters, Estimate(math.nan, why=why), same_order=same)
    error = float(jackknife_error(without, np.ones(n_items)))
    reach = student(n_items - 1, confidence) * error
    known = not math.isnan(error) and error > ROUNDING
    interval = Interval(max(slope - reach, -1.0), min(slope + reach, 1.0), "jackknife") if known else None
    middle, centre = float(like.mean()), float(x.mean())
    first, last = (float(np.clip(middle + slope * (end - centre), 0, 1)) for end in (0.0, 1.0))
    p = float(2 * stdtr(n_items - 1, -abs(slope) / error)) if known else math.nan
    change, weighted = Estimate(slope, interval), partial is not None
    return Fatigue(by, column, len(unit), n_items, n_raters, change, first, last, same, weighted, p, p)


def _own_span(run: NDArray[np.int64], position: FloatArray) -> FloatArray:
    """Return positions with the first of each run at 0 and its last at 1; at 0 where all are one."""
    first, last = np.full(run.max() + 1, np.inf), np.full(run.max() + 1, -np.inf)
    np.minimum.at(first, run, position)
    np.maximum.at(last, run, position)
    span = last - first
    return (position - first[run]) / np.where(span > 0, span, 1)[run]


def _slopes(item: NDArray[np.int32], run: NDArray[np.int64], x: FloatArray, y: FloatArray) -> tuple[float, FloatArray]:
    """Return slope of y on x common to all runs, each about an own mean; and the slope without each item."""
    n_runs = int(run.max()) + 1
    key, group = np.unique(item.astype(np.int64) * n_runs + run, return_inverse=True)
    owner = key % n_runs
    _, of_item = np.unique(key // n_runs, return_inverse=True)
    parts = (np.ones(len(x)), x, y, x * y, x * x)
    small = [np.bincount(group, weights=part, minlength=len(key)) for part in parts]
    whole = [np.bincount(owner, weights=part, minlength=n_runs) for part in small]
    top, below = _crossed(whole)
    left = _crossed([full[owner] - part for full, part in zip(whole, small, strict=True)])
    n_items = int(of_item.max()) + 1
    changed = [
        full.sum() + np.bincount(of_item, weights=left_out - full[owner], minlength=n_items)
        for full, left_out in zip((top, below), left, strict=True)
    ]
    flat = below.sum() <= ROUNDING
    return (math.nan if flat else float(top.sum() / below.sum())), safe_ratio(changed[0], changed[1])


def _crossed(sums: Sequence[NDArray[Any]]) -> tuple[FloatArray, FloatArray]:
    """Return centred sums of products and of squares from n, Σx, Σy, Σxy, Σx²."""
    n, x, y, xy, xx = sums
    some = np.maximum(n, 1)
    return xy - x * y / some, xx - x * x / some


def _between(unit: NDArray[np.int64], x: FloatArray) -> float:
    """Return share of the variance of x that lies between units, of units with two or more ratings."""
    n = np.bincount(unit)
    keep = n[unit] > 1
    unit, x = unit[keep], x[keep]
    if not len(x):
        return math.nan
    means = np.bincount(unit, weights=x) / np.maximum(np.bincount(unit), 1)
    whole = float(((x - x.mean()) ** 2).sum())
    return math.nan if whole <= ROUNDING else 1 - float(((x - means[unit]) ** 2).sum()) / whole

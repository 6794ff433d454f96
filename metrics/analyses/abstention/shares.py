"""A share with its interval, where several decisions may belong to one item."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.intervals.single_table import wilson
from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import Interval, covering, jackknife_error, student, transformed, with_farther_ends
from metrics.results.estimate import Estimate

FEW = 10
"""Items with, or without, the event below which the jackknife alone is not trusted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share(Estimate):
    """A share of decisions, and what it rests on; without an interval where there is no decision, or a single item.

    Attributes
    ----------
    count, total : int
        Decisions with the event, and all.
    effect : float
        Design effect: variance with whole items over variance with independent decisions; at least 1.
    """

    count: int
    total: int
    n_items: int
    effect: float = 1.0


NO_SHARE = Share(math.nan, why="no decision", count=0, total=0, n_items=0)


def share_of(count: ArrayLike, of: ArrayLike, weight: ArrayLike, confidence: float = 0.95) -> Share:
    """Return share of decisions with an event; the order of the items does not matter, to the last digit.

    Wilson where every item has one decision; else the item jackknife on the logit scale, and where few items have the event,
    or few lack it, the wider of that and Wilson with the decisions that the design effect leaves.

    Parameters
    ----------
    count, of : array_like, shape (U,)
        Decisions with the event and all decisions of one item of each kind.
    weight : array_like, shape (U,)
        Items of each kind.
    confidence : float
        Of the interval, in (0, 1).

    Returns
    -------
    Share
        NaN where there is no decision; no interval with a single item.
    """
    events, decisions, items = _used(count, of, weight)
    hits, total, n_items = int(items @ events), int(items @ decisions), int(items.sum())
    if not total:
        return NO_SHARE
    if n_items > 1 and decisions.max() > 1:
        return _clustered(events, decisions, items, confidence)
    value = hits / total
    interval = Interval(*covering(value, wilson(hits, total, confidence)), "wilson") if n_items > 1 else None
    return Share(value, interval, count=hits, total=total, n_items=n_items)


def _used(count: ArrayLike, of: ArrayLike, weight: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    events, decisions, items = (np.asarray(part, np.float64) for part in (count, of, weight))
    used = (decisions > 0) & (items > 0)
    kinds, which = np.unique(decisions[used] + 1j * events[used], return_inverse=True)
    return kinds.imag, kinds.real, np.bincount(which, weights=items[used], minlength=len(kinds)).astype(np.float64)


def _clustered(events: FloatArray, decisions: FloatArray, items: FloatArray, confidence: float) -> Share:
    hits, total, n_items = float(items @ events), float(items @ decisions), float(items.sum())
    value = hits / total
    error = float(jackknife_error((hits - events) / (total - decisions), items))
    effect = _effect(error, value, total, n_items)
    first = transformed(value, error, "logit", student(int(n_items) - 1, confidence))
    few = min(items @ (events > 0), items @ (events < decisions)) < FEW
    interval = Interval(*covering(value, first), "jackknife")
    if few or interval.ends is None:
        left = n_items if value in (0.0, 1.0) else total / effect
        interval = with_farther_ends(value, interval, wilson(value * left, left, confidence), "wilson")
    return Share(value, interval, count=int(hits), total=int(total), n_items=int(n_items), effect=effect)


def _effect(error: float, value: float, total: float, n_items: float) -> float:
    independent = value * (1 - value) / total
    most = max(1.0, total / n_items)
    return float(np.clip(error**2 / independent, 1.0, most)) if independent > 0 else most


def shares_by(
    group: NDArray[np.int64],
    item: NDArray[np.integer[Any]],
    event: NDArray[np.bool_],
    weight: NDArray[np.int64],
    n_groups: int,
    confidence: float = 0.95,
) -> list[Share]:
    """Return the share of every group, from one row per decision.

    Parameters
    ----------
    group : ndarray of int64, shape (n,)
        -1 where a decision is in none.
    item : ndarray of int, shape (n,)
    event : ndarray of bool, shape (n,)
        Whether the decision has the event.
    weight : ndarray of int64, shape (n,)
        How often the decision's item counts.
    n_groups : int
    confidence : float
        Of the intervals, in (0, 1).

    Returns
    -------
    list of Share, length n_groups
    """
    kept = group >= 0
    group, item, event, weight = group[kept], item[kept], event[kept], weight[kept]
    n_items = int(item.max(initial=0)) + 1
    pairs, first, which = np.unique(group * n_items + item, return_index=True, return_inverse=True)
    events = np.bincount(which, weights=event, minlength=len(pairs))
    decisions = np.bincount(which, minlength=len(pairs))
    starts = np.searchsorted(pairs, np.arange(n_groups + 1) * n_items)
    return [share_of(events[a:b], decisions[a:b], weight[first[a:b]], confidence) for a, b in pairwise(starts.tolist())]

"""A share with its interval, where several decisions may belong to one item."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.arrays import FloatArray
from metrics.intervals.scale import covering, jackknife_error, student, transformed, wider
from metrics.intervals.single_table import wilson

FEW = 10
"""Items with, or without, the event below which the jackknife alone is not trusted."""


@dataclass(frozen=True)
class Share:
    """A share of decisions, its interval, and what it rests on.

    Attributes
    ----------
    low, high : float
        NaN where there is no interval: no decision, or a single item.
    effect : float
        Design effect: variance with whole items over variance with independent decisions; at least 1.
    """

    count: int
    of: int
    n_items: int
    low: float = float("nan")
    high: float = float("nan")
    method: str = ""
    effect: float = 1.0

    @property
    def value(self) -> float:
        return self.count / self.of if self.of else float("nan")

    @property
    def ends(self) -> tuple[float, float] | None:
        return None if np.isnan(self.low) else (self.low, self.high)


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
    """
    events, decisions, items = _used(count, of, weight)
    hits, total, n_items = int(items @ events), int(items @ decisions), int(items.sum())
    if n_items < 2:
        return Share(hits, total, n_items)
    if decisions.max() == 1:
        return Share(hits, total, n_items, *covering(hits / total, wilson(hits, total, confidence)), "wilson")
    return _clustered(events, decisions, items, confidence)


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
    ends, method = first, "jackknife"
    if few or np.isnan(first[0]):
        left = n_items if value in (0.0, 1.0) else total / effect
        ends = wider(first, wilson(value * left, left, confidence))
        method = "wilson" if np.isnan(first[0]) else "jackknife+wilson"
    return Share(int(hits), int(total), int(n_items), *covering(value, ends), method, effect)


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
    group : ndarray of int, shape (n,)
        -1 where a decision is in none.
    weight : ndarray of int, shape (n,)
        How often the decision's item counts.
    """
    kept = group >= 0
    group, item, event, weight = group[kept], item[kept], event[kept], weight[kept]
    n_items = int(item.max(initial=0)) + 1
    pairs, first, which = np.unique(group * n_items + item, return_index=True, return_inverse=True)
    events = np.bincount(which, weights=event, minlength=len(pairs))
    decisions = np.bincount(which, minlength=len(pairs))
    starts = np.searchsorted(pairs, np.arange(n_groups + 1) * n_items)
    return [share_of(events[a:b], decisions[a:b], weight[first[a:b]], confidence) for a, b in pairwise(starts.tolist())]

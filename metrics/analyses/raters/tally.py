"""Units merged by their votes, and values without one item at a time: cost grows with distinct votes, not with units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.analyses.raters.units import Units
from metrics.data.patterns import dense_rank
from metrics.measures.arrays import FloatArray

WORD = 2**62
"""Codes of votes below this fit a machine word."""


@dataclass(frozen=True, eq=False)
class VoteTally:
    """Votes of units; those with equal votes are one pattern.

    Attributes
    ----------
    votes : ndarray of float64, shape (P, K)
        Raters per class.
    times : ndarray of float64, shape (P,)
        Units of each pattern.
    of_unit : ndarray of int64, shape (n_units,)
        Pattern of each unit.
    group : ndarray of int64, shape (n_units,), or None
        Item of each unit, from 0; None where every unit is an item of its own.
    weight : ndarray of int64, shape (n_groups,), or None
        Items that each group stands for; None for one each.
    """

    votes: FloatArray
    times: FloatArray
    of_unit: NDArray[np.int64]
    group: NDArray[np.int64] | None = None
    weight: NDArray[np.int64] | None = None

    @cached_property
    def m(self) -> FloatArray:
        """Ratings of a unit of each pattern, shape (P,)."""
        return np.asarray(self.votes.sum(1))

    @cached_property
    def pairable(self) -> NDArray[np.bool_]:
        """Patterns with two ratings or more, shape (P,)."""
        return np.asarray(self.m >= 2)

    @cached_property
    def split(self) -> NDArray[np.bool_]:
        """Patterns whose raters differ, shape (P,)."""
        return np.asarray(self.votes.max(1, initial=0) < self.m)

    def n_units(self, patterns: NDArray[np.bool_]) -> int:
        """Return units of some patterns.

        Parameters
        ----------
        patterns : ndarray of bool, shape (P,)
            Which ones.
        """
        return int(self.times[patterns].sum())

    def n_items(self, patterns: NDArray[np.bool_]) -> int:
        """Return items with a unit of some patterns.

        Parameters
        ----------
        patterns : ndarray of bool, shape (P,)
            Which ones.
        """
        if self.group is None:
            return self.n_units(patterns)
        groups = np.unique(self.group[patterns[self.of_unit]])
        return len(groups) if self.weight is None else int(self.weight[groups].sum())

    def by_item(self, parts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return sums of an additive quantity over the units of an item.

        Parameters
        ----------
        parts : ndarray, shape (P, ...)
            What a unit of each pattern adds.

        Returns
        -------
        sums : ndarray, shape (G, ...)
            Of each kind of item; items to which nothing belongs are left out.
        weight : ndarray, shape (G,)
            Items of each kind.
        """
        if self.group is None:
            sums, weight = parts, self.times
        else:
            sums = summed(parts[self.of_unit], self.group)
            weight = np.ones(len(sums)) if self.weight is None else self.weight.astype(np.float64)
        there = (sums != 0).any(tuple(range(1, sums.ndim)))
        return sums[there], weight[there]

    def left_out(self, parts: FloatArray, value: Callable[[FloatArray], FloatArray]) -> tuple[FloatArray, FloatArray]:
        """Return a function of sums without one item of each kind, shape (G,), and the items of each kind, shape (G,).

        Parameters
        ----------
        parts : ndarray, shape (P, D)
            What a unit of each pattern adds.
        value : callable
            From sums of shape (..., D) to values of shape (...).
        """
        sums, weight = self.by_item(parts)
        return value(self.times @ parts - sums), weight


def tally_of(units: Units) -> VoteTally:
    """Return the units merged; an item that has several of them, one to a criterion, is a group."""
    n, k, base = len(units), len(units.classes), len(units.raters) + 1
    group: NDArray[np.int64] | None = None
    weight: NDArray[np.int64] | None = None
    if not (np.diff(units.item) > 0).all():
        items, first, places = np.unique(units.item, return_index=True, return_inverse=True)
        group, weight = (places, units.times[first]) if len(items) < n else (None, None)
    if base**k < WORD:
        steps = base ** np.arange(k)
        code = np.append(steps, 0)[units.labels].sum(1)
        distinct, of_unit = dense_rank(code, base**k)
        votes = distinct[:, None] // steps % base
    else:
        votes, of_unit = np.unique(units.votes, axis=0, return_inverse=True)
    times = np.bincount(of_unit, weights=units.weight, minlength=len(votes)).astype(np.float64)
    return VoteTally(votes.astype(np.float64), times, of_unit, group, weight)


def as_votes(votes: ArrayLike) -> FloatArray:
    """Return raters per class as float64.

    Parameters
    ----------
    votes : array_like, shape (..., U, K)

    Returns
    -------
    ndarray, shape (..., U, K)

    Raises
    ------
    ValueError
        When there are fewer than two axes or classes, or a count is negative or not finite.
    """
    counts = np.asarray(votes, np.float64)
    if counts.ndim < 2 or counts.shape[-1] < 2:
        raise ValueError(f"votes must have shape (..., n_units, K) with K >= 2, got {counts.shape}")
    if counts.size and not (counts.min() >= 0 and counts.max() < np.inf):
        raise ValueError("votes must be finite and not negative")
    return counts


def summed(values: FloatArray, group: NDArray[np.int64]) -> FloatArray:
    """Return sums over the rows of a group.

    Parameters
    ----------
    values : ndarray, shape (n, ...)
    group : ndarray of int64, shape (n,)
        Group of each row, from 0.

    Returns
    -------
    ndarray, shape (G, ...)
    """
    flat = values.reshape(len(values), int(np.prod(values.shape[1:])))
    n_groups = int(group.max(initial=-1)) + 1
    sums = np.empty((n_groups, flat.shape[1]))
    for place, column in enumerate(flat.T):
        sums[:, place] = np.bincount(group, weights=column, minlength=n_groups)
    return sums.reshape(n_groups, *values.shape[1:])

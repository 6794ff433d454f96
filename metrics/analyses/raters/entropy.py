"""Where raters disagree: units by the entropy of their labels, and the patterns of votes behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.raters.levels import levels_of_scales
from metrics.analyses.raters.units import Units, units_of
from metrics.data.abstention import Mode
from metrics.data.order import Measurement
from metrics.data.ratings import Ratings, Role
from metrics.measures.arrays import FloatArray, safe_ratio


def entropy_of(votes: NDArray[np.integer[Any]]) -> FloatArray:
    r"""Return Shannon entropy of the labels in bits, :math:`-\sum_k p_k \log_2 p_k`.

    Parameters
    ----------
    votes : ndarray of int, shape (..., K)
        Raters per class.

    Returns
    -------
    ndarray, shape (...)
        0 where all agree, at most log2 K; NaN where fewer than two rated.

    References: Shannon (1948), doi:10.1002/j.1538-7305.1948.tb01338.x.
    """
    n = votes.sum(-1)
    share = safe_ratio(votes, n[..., None])
    terms = np.where(share > 0, -share * np.log2(np.where(share > 0, share, 1.0)), 0.0)
    return np.where(n > 1, np.abs(terms.sum(-1)), np.nan)


@dataclass(frozen=True)
class Pattern:
    """Units with the same votes.

    Attributes
    ----------
    votes : tuple of int, length K
        Raters per class.
    entropy : float
        In bits; 0 where all agree.
    """

    votes: tuple[int, ...]
    entropy: float
    n_units: int

    @property
    def split(self) -> bool:
        return sum(vote > 0 for vote in self.votes) > 1


@dataclass(frozen=True, eq=False)
class Disagreements:
    """Units with two or more labels, most disputed first; in a tally, kinds of them.

    Attributes
    ----------
    units : Units
        In that order: by disagreement at the level of the criterion, then by entropy, by the number of labels, as in the file.
    entropy : ndarray, shape (n_units,)
        In bits.
    pattern : ndarray of int64, shape (n_units,)
        Place of each unit's votes in `patterns`.
    patterns : tuple of Pattern
        Disputed ones first, the most frequent first among them.
    n_single : int
        Units with one label only, whose entropy is undefined; they are in nothing here.
    weighted : bool
        Whether the labels of some criterion have an order, so that those far apart come first.
    """

    units: Units
    entropy: FloatArray
    pattern: NDArray[np.int64]
    patterns: tuple[Pattern, ...]
    n_single: int
    weighted: bool = False

    @property
    def n_units(self) -> int:
        """Units with two or more labels."""
        return self.units.n

    @property
    def n_split(self) -> int:
        """Units on which the raters differ."""
        return int(self.units.times @ (self.entropy > 0))

    @property
    def unit(self) -> str:
        """What the units are, in words."""
        return "items" if len(np.unique(self.units.item)) == len(self.units) else "decisions"

    def places(self, *, criterion: int | None = None, pattern: int | None = None, split: bool = True) -> NDArray[np.int64]:
        """Return places of units, most disputed first.

        Parameters
        ----------
        criterion : int, optional
            Code of the criterion they are of. Default: any.
        pattern : int, optional
            Place in `patterns` of the votes they have. Default: any.
        split : bool
            Whether units on which all agree are left out.

        Returns
        -------
        ndarray of int64, shape (n,)
        """
        keep = (self.entropy > 0) | (not split)
        if criterion is not None:
            keep &= self.units.criterion == criterion
        if pattern is not None:
            keep &= self.pattern == pattern
        return np.flatnonzero(keep)


def disagreements(
    ratings: Ratings, *, role: Role | None = None, level: Measurement | None = None, abstention: Mode = "exclude"
) -> Disagreements:
    """Return units by how far their labels lie apart: at the nominal level, where labels are equal or not, by their entropy.

    Parameters
    ----------
    role : {"human", "judge", None}
        Whose labels; None as in `metrics.analyses.raters.units.units_of`, which says what raises.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Default: what the confirmed scale of each criterion says.
    """
    units = units_of(ratings, role, mode=abstention)
    entropy = entropy_of(units.votes)
    several = np.flatnonzero(~np.isnan(entropy))
    levels = levels_of_scales(ratings, level, abstention)
    keys = [-units.votes[several].sum(1), -entropy[several]]
    if levels.weighted:
        keys.append(-levels.disagreement(units, ratings.criteria)[several])
    order = several[np.lexsort(keys)]
    chosen, entropies = units.at(order), entropy[order]
    pattern, patterns = _patterns(chosen, entropies)
    return Disagreements(chosen, entropies, pattern, patterns, units.n - chosen.n, levels.weighted)


def _patterns(units: Units, entropy: FloatArray) -> tuple[NDArray[np.int64], tuple[Pattern, ...]]:
    distinct, first, which = np.unique(units.votes, axis=0, return_index=True, return_inverse=True)
    n = np.bincount(which.ravel(), weights=units.times, minlength=len(distinct))
    agreed = entropy[first] == 0
    order = np.lexsort((-distinct.sum(1), -entropy[first], -n, agreed))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    patterns = tuple(Pattern(tuple(distinct[row].tolist()), float(entropy[first[row]]), int(n[row])) for row in order)
    return place[which.ravel()], patterns

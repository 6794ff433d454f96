"""One judge's ordered verdicts beside the reference: identical items merged, classes low to high."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.report_intervals import Tallied
from metrics.data.abstention import apply_mode
from metrics.data.arguments import one_of
from metrics.data.labels import AFTER_CLASSES, Scheme
from metrics.data.order import Order
from metrics.data.pairs import patterns_of
from metrics.data.patterns import NOT_ASKED, Patterns
from metrics.data.ratings import Ratings
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.intervals.cluster import Clustered, Clusters, clusters_of
from metrics.intervals.items import Coded
from metrics.intervals.jackknife import Units

Open = Literal["exclude", "as_unmet"]
NO_PLACE = "an abstention has no place in an order, so it cannot be an option of its own. Use exclude, or as_unmet for the lowest"


def open_of(abstention: str, scheme: Scheme) -> Open:
    """Return what becomes of an answer without an option, checked.

    Raises
    ------
    InputError
        For `as_category`, an unknown choice, and a handling of ties or invalid answers as a class.
    """
    if abstention == "as_category" or "as_category" in dict(scheme.handling).values():
        raise InputError(f"as_category: {NO_PLACE}.")
    mode: Open = one_of("abstention mode", abstention, get_args(Open), " of ordered labels")
    return mode


@dataclass(frozen=True, eq=False)
class Tables:
    """Items of one judge on an ordered axis, and what they add up to.

    Attributes
    ----------
    patterns : Patterns
        States on the axis of `scheme`, `missing` where a side gave no option.
    scheme : Scheme
        The classes low to high, and nothing else.
    clusters : Clusters or None
        The column above the item that is left out as a whole.
    labels : tuple of str
        The classes as `metrics.agreement` has them; none where its numbers are not those of this axis.
    """

    patterns: Patterns
    scheme: Scheme
    criteria: tuple[str, ...]
    clusters: Clusters | None = None
    labels: tuple[str, ...] = ()

    @cached_property
    def by_criterion(self) -> NDArray[np.int64]:
        """Counts of every criterion, shape (C, K, K)."""
        return apply_mode(self.patterns.raw, self.scheme, "exclude")

    @property
    def n_items(self) -> int:
        """Items with a decision that counts."""
        return self.patterns.n_rated(self.scheme.n_classes)

    @cached_property
    def whole_groups(self) -> Clustered | None:
        """Groups of items as units, where they hold more than one."""
        grouped = Tallied(self.patterns, self.scheme, "exclude", None, self.clusters, self.criteria).grouped
        return grouped and grouped[0]

    @cached_property
    def units(self) -> Units:
        """What is left out one at a time."""
        return self.whole_groups or Coded.of(self.patterns, self.scheme, "exclude")

    def cut(self, place: int) -> Tables:
        """Return two classes instead: first those from `place` on, then those below it."""
        two = Scheme((("at or above", "class"), ("below", "class")))
        lookup = np.full(self.scheme.n_states, two.state("missing"))
        lookup[: self.scheme.n_classes] = np.arange(self.scheme.n_classes) < place
        every = np.tile(lookup, (len(self.criteria), 1))
        return replace(self, patterns=_recoded(self.patterns, every, two), scheme=two, labels=())

    def unordered(self) -> Tables:
        """Return the same items with the classes as `metrics.agreement` has them: in the order of its axis, and no others."""
        axis = Scheme(tuple((name, "class") for name in self.labels), self.labels)
        place = {normalise(name): place for place, name in enumerate(axis.classes)}
        lookup = np.full(self.scheme.n_states, axis.state("missing"))
        lookup[: self.scheme.n_classes] = [place.get(normalise(name), axis.state("missing")) for name in self.scheme.classes]
        every = np.tile(lookup, (len(self.criteria), 1))
        return replace(self, patterns=_recoded(self.patterns, every, axis), scheme=axis)


def tables_of(
    ratings: Ratings,
    judge: str,
    reference: str,
    order: Order,
    mode: Open = "exclude",
    highest: Collection[str] = (),
    unit: str | None = None,
) -> Tables:
    """Return the judge's items, with an answer that gives no option left out or recoded.

    Parameters
    ----------
    mode : {"exclude", "as_unmet"}
        Recoded, it is the lowest option, on a criterion of negative weight the highest: what says the least for the item.
    highest : collection of str
        Those criteria.
    unit : str, optional
        A column of the file whose groups of items are left out as a whole.
    """
    axis, scheme = Scheme(tuple((name, "class") for name in order.classes), order.classes), ratings.scheme
    there = {normalise(name): place for place, name in enumerate(order.classes)}
    lookup = np.full((len(ratings.criteria), scheme.n_states), axis.state("missing"))
    lookup[:, : scheme.n_classes] = [there.get(normalise(name), axis.state("missing")) for name in scheme.classes]
    if mode == "as_unmet":
        silent = [scheme.state(kind) for kind in AFTER_CLASSES[:-1] if scheme.handled(kind) == "abstention"]
        lookup[:, silent] = np.array([order.k - 1 if name in highest else 0 for name in ratings.criteria])[:, None]
    clusters = None if unit is None else clusters_of(ratings, unit)
    patterns = _recoded(patterns_of(ratings, judge, reference), lookup, axis)
    return Tables(patterns, axis, ratings.criteria, clusters, scheme.classes)


def _recoded(patterns: Patterns, lookup: NDArray[np.int64], axis: Scheme) -> Patterns:
    """Return the same items on another axis: `lookup`, shape (C, R), has the new state of every old one on each criterion."""

    def recoded(states: NDArray[np.int8]) -> NDArray[np.int8]:
        new = np.take_along_axis(lookup, np.maximum(states, 0).astype(np.int64), axis=1)
        return np.where(states == NOT_ASKED, NOT_ASKED, new).astype(np.int8)

    reference, judge = recoded(patterns.reference), recoded(patterns.judge)
    return replace(patterns, slot_reference=reference, slot_judge=judge, slots=None, n_states=axis.n_states)

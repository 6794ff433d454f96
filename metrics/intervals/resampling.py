"""Units drawn with replacement: identical ones are one row with a multiplicity, so drawing costs little and stays exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from metrics.data.abstention import Mode, class_of_state, mode_labels
from metrics.data.aggregation import ItemRule, item_verdicts
from metrics.data.labels import Scheme
from metrics.data.patterns import NOT_ASKED, Patterns
from metrics.intervals.items import Coded
from metrics.measures.arrays import FloatArray

DRAWS_PER_CATEGORY = 20
"""A binomial draw for a row costs about as much as this many single draws."""
MOST_CELLS = 2_000_000
"""Numbers held at once."""
MOST_DRAWN = 500_000
"""Counts of rows drawn at once, few enough to stay in the cache."""
MOST_DRAWS = 20_000
"""Single draws handled together, few enough to stay in the cache."""
NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Drawer:
    """Draws how often each row occurs among as many units as there are: Multinomial(n, multiplicity / n).

    Rows of high multiplicity get a binomial count each; the units of the others are drawn one by one, because a binomial
    count costs as much as a dozen single draws.
    """

    order: NDArray[np.int64]
    """Rows in the order of the draws: those of high multiplicity first."""
    share: FloatArray
    source: NDArray[np.int64]
    n: int

    @staticmethod
    def of(weight: NDArray[np.int64]) -> Drawer:
        """Return the drawer of rows of identical units.

        Parameters
        ----------
        weight : ndarray of int64, shape (n_rows,)
            Units of each row, at least one in all.
        """
        frequent, rare = np.flatnonzero(weight >= DRAWS_PER_CATEGORY), np.flatnonzero(weight < DRAWS_PER_CATEGORY)
        left = weight[rare].sum()
        share = np.append(weight[frequent], [left] if left else []) / weight.sum()
        source = np.repeat(np.arange(len(rare)), weight[rare])
        return Drawer(np.concatenate([frequent, rare]), share, source, int(weight.sum()))

    def draw(self, rng: np.random.Generator, replicates: int) -> FloatArray:
        """Return counts by replicate and row in `order`, shape (replicates, n_rows)."""
        counts = rng.multinomial(self.n, self.share, size=replicates)
        if not len(self.source):
            out = np.zeros((replicates, len(self.order)))
            out[:, : counts.shape[1]] = counts
            return out
        n_frequent = len(self.share) - 1
        out = np.empty((replicates, len(self.order)))
        out[:, :n_frequent] = counts[:, :-1]
        at_once = max(1, MOST_DRAWS // len(self.source))
        for first in range(0, replicates, at_once):
            out[first : first + at_once, n_frequent:] = self._one_by_one(rng, counts[first : first + at_once, -1])
        return out

    def _one_by_one(self, rng: np.random.Generator, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
        drawn = self.source[rng.integers(0, len(self.source), size=int(sizes.sum()))]
        n_rare = len(self.order) - len(self.share) + 1
        if len(sizes) > 1:
            drawn += np.repeat(np.arange(len(sizes)) * n_rare, sizes)
        return np.bincount(drawn, minlength=len(sizes) * n_rare).reshape(len(sizes), -1)


@dataclass(frozen=True, eq=False)
class Cells:
    """Verdict pairs told apart only as far as some mode does, and the confusion cell of each in every mode.

    Attributes
    ----------
    of_mode : mapping
        Mode to the cell reference · K + judge of each group, `NOWHERE` where it does not count; shape (n_groups,).
    """

    of_mode: Mapping[Mode, NDArray[np.int64]]
    n_groups: int

    @staticmethod
    def of(places: Mapping[Mode, NDArray[np.int64]]) -> tuple[Cells, NDArray[np.int64]]:
        """Return the groups, and the group of each element, shape (n,), `NOWHERE` where no mode counts it.

        Parameters
        ----------
        places : mapping
            Mode to ndarray of int64, shape (n,): the cell of each element, `NOWHERE` where it does not count.
        """
        stacked = np.stack(list(places.values()))
        distinct, which = np.unique(stacked, axis=1, return_inverse=True)
        counted = (distinct != NOWHERE).any(0)
        number = np.where(counted, np.cumsum(counted) - 1, NOWHERE)
        groups = {mode: distinct[place, counted] for place, mode in enumerate(places)}
        return Cells(groups, int(counted.sum())), number[which.reshape(stacked.shape[1:])]

    def mode_matrix(self, mode: Mode, k: int) -> FloatArray:
        """Return 0/1 matrix from the groups to the K² cells of a mode."""
        matrix: FloatArray = (np.arange(k * k)[:, None] == self.of_mode[mode]).astype(np.float64)
        return matrix


@dataclass(frozen=True, eq=False)
class Frame:
    """What is drawn, and what a draw adds up to.

    Attributes
    ----------
    features : csr_array, shape (C · U + J, n_rows)
        Decisions of one unit of each row by criterion and group of verdict pairs, then items by group of item verdicts.
    weight : ndarray of int64, shape (n_rows,)
        Units of each row.
    decisions, items : Cells
        The U groups of verdict pairs and the J groups of item verdicts.
    k : mapping
        Mode to the number of classes.
    """

    features: csr_array
    weight: NDArray[np.int64]
    n_criteria: int
    decisions: Cells
    items: Cells
    k: Mapping[Mode, int]

    @staticmethod
    def of(patterns: Patterns, scheme: Scheme, modes: Sequence[Mode], rule: ItemRule | None, criteria: Sequence[str]) -> Frame:
        """Return every pattern a row, also those that count nowhere; see `used`.

        Parameters
        ----------
        patterns : Patterns
        scheme : Scheme
        modes : sequence of Mode
        rule : ItemRule or None
            Without one there is no item level.
        criteria : sequence of str
            Names of the C criteria, by which the rule weights them.

        Raises
        ------
        InputError
            Where the scheme handles a kind of answer in a way that a mode or the scale does not have.
        """
        n_criteria, n_patterns = patterns.reference.shape
        k = {mode: len(mode_labels(scheme, mode)) for mode in modes}
        decisions, pair_group = Cells.of({mode: _pair_cells(scheme, mode) for mode in modes})
        item_cells = {mode: _item_cells(patterns, scheme, mode, rule, criteria, k[mode]) for mode in modes}
        items, item_group = Cells.of(item_cells)
        blocks = [
            _rows_of(
                np.where(reference == NOT_ASKED, NOWHERE, pair_group[reference * np.int64(patterns.n_states) + judge]),
                decisions.n_groups,
            )
            for reference, judge in zip(patterns.reference, patterns.judge, strict=True)
        ]
        blocks.append(_rows_of(item_group, items.n_groups))
        starts = np.concatenate([[0], np.cumsum(np.concatenate([sizes for _, sizes in blocks]))])
        columns = np.concatenate([places for places, _ in blocks])
        features = csr_array((np.ones(len(columns)), columns, starts), shape=(len(starts) - 1, n_patterns))
        return Frame(features, patterns.multiplicity, n_criteria, decisions, items, k)

    @staticmethod
    def micro(patterns: Patterns, scheme: Scheme, mode: Mode) -> Frame:
        """Return the same as `Frame.of(...).pooled()` in one mode, without the joint patterns on the way.

        Parameters
        ----------
        patterns : Patterns
        scheme : Scheme
        mode : Mode

        Raises
        ------
        InputError
            Where the scheme handles a kind of answer in a way that the mode or the scale does not have.
        """
        coded = Coded.of(patterns, scheme, mode)
        tables, units = coded.tables()
        size = coded.k**2
        cells = Cells({mode: np.arange(size)}, size)
        features = csr_array(tables.reshape(-1, size).T)
        return Frame(features, units.astype(np.int64), 1, cells, _no_cells(cells), {mode: coded.k})

    @property
    def n_units(self) -> int:
        return int(self.weight.sum())

    @property
    def total(self) -> FloatArray:
        """The data themselves, shape (C · U + J,)."""
        tally: FloatArray = self.features @ self.weight.astype(np.float64)
        return tally

    def by_cluster(self, of_item: NDArray[np.int64], cluster: NDArray[np.int64], items: NDArray[np.int64]) -> Frame:
        """Return whole clusters as units, each in a row of its own.

        Parameters
        ----------
        of_item : ndarray of int64, shape (n_unique,)
            Row of each kind of item.
        cluster : ndarray of int64, shape (n_unique,)
            Cluster of each kind.
        items : ndarray of int64, shape (n_unique,)
            How many items each kind stands for.
        """
        belongs = csr_array((items.astype(np.float64), (of_item, cluster)), shape=(len(self.weight), int(cluster.max()) + 1))
        features = csr_array(self.features @ belongs)
        return replace(self, features=features, weight=np.ones(features.shape[1], np.int64))

    def pooled(self) -> Frame:
        """Return the smallest statistic of the micro level: units with equal tables over all criteria are one row."""
        groups = self.decisions.n_groups
        pooling = csr_array(np.tile(np.eye(groups), self.n_criteria))
        return self._alone(csr_array(pooling @ self.features[: self.n_criteria * groups]), self.decisions)

    def criterion(self, place: int) -> Frame:
        """Return the smallest statistic of one criterion: its cells."""
        groups = self.decisions.n_groups
        return self._alone(csr_array(self.features[place * groups : (place + 1) * groups]), self.decisions)

    def item(self) -> Frame:
        """Return the smallest statistic of the item level."""
        return self._alone(csr_array(self.features[self.n_criteria * self.decisions.n_groups :]), self.items)

    def decisions_only(self) -> Frame:
        """Return the frame without item verdicts, and without units that have no counted decision."""
        features = csr_array(self.features[: self.n_criteria * self.decisions.n_groups])
        return replace(self, features=features, items=_no_cells(self.items)).used()

    def _alone(self, features: csr_array, cells: Cells) -> Frame:
        return replace(self, features=features, n_criteria=1, decisions=cells, items=_no_cells(cells))._merged()

    def _merged(self) -> Frame:
        """Return units of equal features in one row."""
        if not min(self.features.shape):
            return self.used()
        base = self.features.max() + 1.0
        if base ** self.features.shape[0] > 2.0**53:
            distinct, first, which = np.unique(self.features.toarray(), axis=1, return_index=True, return_inverse=True)[:3]
            del distinct
        else:
            word = self.features.T @ base ** np.arange(self.features.shape[0])
            _, first, which = np.unique(word, return_index=True, return_inverse=True)
        weight = np.bincount(which.ravel(), weights=self.weight).astype(np.int64)
        return replace(self, features=csr_array(self.features[:, first]), weight=weight).used()

    def used(self) -> Frame:
        """Return the frame without units that count nowhere."""
        used = np.asarray(self.features.sum(0)).ravel() > 0
        if used.all():
            return self
        return replace(self, features=csr_array(self.features[:, np.flatnonzero(used)]), weight=self.weight[used])


def _rows_of(group: NDArray[np.int64], n_groups: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return places of the elements by group, one group after the other, and how many each group has."""
    there = np.flatnonzero(group != NOWHERE).astype(np.int32)
    groups = group[there].astype(np.int16)
    return there[np.argsort(groups, kind="stable")], np.bincount(groups, minlength=n_groups)


def _no_cells(like: Cells) -> Cells:
    return Cells({mode: np.empty(0, np.int64) for mode in like.of_mode}, 0)


def _pair_cells(scheme: Scheme, mode: Mode) -> NDArray[np.int64]:
    """Return confusion cell of every pair of raw states, shape (R²,)."""
    place = class_of_state(scheme, mode)
    row, column = place[:, None], place[None, :]
    return np.where((row >= 0) & (column >= 0), row * len(mode_labels(scheme, mode)) + column, NOWHERE).ravel()


def _item_cells(
    patterns: Patterns, scheme: Scheme, mode: Mode, rule: ItemRule | None, criteria: Sequence[str], k: int
) -> NDArray[np.int64]:
    """Return confusion cell of the item verdicts of each pattern, shape (n_patterns,)."""
    if rule is None:
        return np.full(len(patterns.multiplicity), NOWHERE)
    verdicts = item_verdicts(patterns, scheme, rule, criteria, as_unmet=mode == "as_unmet")
    counted = (verdicts.reference < k) & (verdicts.judge < k)
    return np.where(counted, verdicts.reference.astype(np.int64) * k + verdicts.judge, NOWHERE)

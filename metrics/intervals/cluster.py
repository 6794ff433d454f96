"""Clusters of items: a column of the file above the item, such as the prompt, whose whole groups are left out or drawn.

Which columns of a file there are for it stands at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from metrics.data.abstention import Mode
from metrics.data.item_columns import values_of_rows
from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.items import one_vs_rest_cells
from metrics.intervals.jackknife import correlation_of
from metrics.intervals.methods import PLACES
from metrics.intervals.resampling import MOST_CELLS, NOWHERE, Cells, Frame
from metrics.measures.arrays import FloatArray, Function, safe_ratio
from metrics.measures.coefficients import kappa_within
from metrics.measures.transforms import jackknife_error

ABOVE = frozenset(
    ("prompt", "question", "query", "conversation", "dialogue", "dialog", "document", "doc", "article", "passage", "session",
     "thread", "ticket", "user", "customer", "source", "task", "topic", "scene", "story", "group", "cluster",
     "batch"),
)  # fmt: skip
"""Words for what items come from."""
NUMBERING = frozenset(("id", "key", "no", "nr", "number", "name", "index", "uid", "uuid", "hash"))
GROUP_ROLES = ("", "prompt", "run", "timestamp")
"""Roles of columns that may group items; the others say what a verdict is."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """The cluster of every item.

    Attributes
    ----------
    column : str
        Name in the file.
    of_item : ndarray of int64, shape (n_unique,)
    weight : ndarray of int64, shape (n_unique,)
        How many items each stands for.
    """

    column: str
    of_item: NDArray[np.int64]
    weight: NDArray[np.int64]

    @property
    def n(self) -> int:
        return int(self.of_item.max()) + 1

    @property
    def single(self) -> bool:
        """Every cluster is one item."""
        return self.n == int(self.weight.sum())


def clusters_of(ratings: Ratings, column: str) -> Clusters:
    """Return clusters by the values of a column.

    Raises
    ------
    InputError
        When there is no such column, an item has no value or two of them, or all items have the same one.
    """
    if ratings.table is None:
        raise InputError(f"{ratings.source.name}: there is no column to group items by, so the unit {column!r} cannot be used.")
    name = _column(ratings.table.column_names, column, ratings)
    return memoised(ratings, ("clusters", name), lambda: _clusters(ratings, name))


def groups_by(column: str) -> str:
    """Return the clusters in words."""
    return f"groups by ‘{column}’"


def _column(names: list[str], wanted: str, ratings: Ratings) -> str:
    if wanted in names:
        return wanted
    alike = [name for name in names if name.strip().lower() == wanted.strip().lower()]
    if len(alike) == 1:
        return alike[0]
    known = ", ".join(names[:12])
    kept = " A tally has the columns that were kept when it was counted." if ratings.source.tallied else ""
    raise InputError(
        f"{ratings.source.name}: no column is called ‘{wanted}’. The unit is item, decision, criterion, hierarchical or one of: "
        f"{known}.{kept}"
    )


def _clusters(ratings: Ratings, name: str) -> Clusters:
    values, of_row = values_of_rows(ratings, name)
    of_rating = of_row[ratings.row]
    there = of_rating >= 0
    of_item = np.full(ratings.n_unique, -1, np.int64)
    of_item[ratings.item[there]] = of_rating[there]
    differs = np.flatnonzero(there & (of_rating != of_item[ratings.item]))
    file = ratings.source.name
    if len(differs):
        rating = differs[0]
        item = _called(ratings, int(ratings.item[rating]))
        both = values[of_rating[rating]], values[of_item[ratings.item[rating]]]
        raise InputError(
            f"{file}: {item} has two values in ‘{name}’, ‘{both[0]}’ and ‘{both[1]}’. Every item must lie in one.",
            row=int(ratings.record_numbers(ratings.row[[rating]])[0]) if ratings.has_rows else None,
            column=name,
        )
    if (of_item < 0).any():
        item = _called(ratings, int(np.flatnonzero(of_item < 0)[0]))
        raise InputError(f"{file}: {item} has no value in ‘{name}’. Every item must lie in one.", column=name)
    used, of_item = np.unique(of_item, return_inverse=True)
    if len(used) < 2:
        raise InputError(
            f"{file}: all items have the same value in ‘{name}’, ‘{values[used[0]]}’. A unit needs two or more.", column=name
        )
    return Clusters(name, of_item, ratings.weight)


def _called(ratings: Ratings, item: int) -> str:
    """Return an item by its id; in a tally it has none."""
    return f"item ‘{ratings.items[item]}’" if ratings.has_rows else "an item"


@dataclass(frozen=True, eq=False)
class Clustered:
    """Whole clusters as units of the jackknife in one mode; the counterpart of `Coded`."""

    frame: Frame
    mode: Mode
    column: str

    @property
    def k(self) -> int:
        return self.frame.k[self.mode]

    @property
    def n_units(self) -> int:
        return self.frame.n_units

    @property
    def word(self) -> str:
        return groups_by(self.column)

    def criterion(self, place: int) -> Clustered:
        """Return the units of one criterion alone."""
        return replace(self, frame=self.frame.criterion(place))

    def one_vs_rest(self, place: int) -> Clustered:
        """Return the same units with one class as the positive label and all others as the negative one."""
        group_cells = self.frame.decisions.of_mode[self.mode]
        cells = np.where(group_cells == NOWHERE, NOWHERE, one_vs_rest_cells(self.k, place)[group_cells])
        decisions = Cells({self.mode: cells}, self.frame.decisions.n_groups)
        return replace(self, frame=replace(self.frame, decisions=decisions, k={self.mode: 2}))

    def items(self) -> Clustered:
        """Return the units of the item verdicts."""
        return replace(self, frame=self.frame.item())

    def tables(self) -> tuple[FloatArray, FloatArray]:
        """Return distinct tables of one unit, shape (U, K, K), and the units with each, shape (U,)."""
        frame = self.frame.pooled()
        if not frame.decisions.n_groups or not frame.n_units:
            return np.zeros((0, self.k, self.k)), np.zeros(0)
        return self._tables(frame.features.toarray(), frame.decisions), frame.weight.astype(np.float64)

    def within_left_out(self, by_criterion: FloatArray) -> FloatArray:
        """Return `kappa_within` without one unit of each row, shape (n_rows,); NaN where one left out has no value.

        Parameters
        ----------
        by_criterion : ndarray, shape (C, K, K)
        """
        return np.concatenate([kappa_within(block) for block in self.left_out(by_criterion)])

    def macro(self, by_criterion: FloatArray, functions: Mapping[str, Function]) -> ClusteredMacro:
        """Return leave-one-out values of the mean over criteria.

        Parameters
        ----------
        by_criterion : ndarray, shape (C, K, K)
        functions : mapping
            Metric key to function of counts.
        """
        return ClusteredMacro(self, by_criterion, tuple(functions.values()))

    def units_with(self, cells: NDArray[np.bool_], criteria: NDArray[np.bool_] | None = None) -> int:
        """Return the number of units with a decision in one of the cells.

        Parameters
        ----------
        cells : ndarray of bool, shape (K²,)
            The cells asked for, row by row.
        criteria : ndarray of bool, shape (C,), optional
            The criteria asked for; all without it.
        """
        used = np.ones(self.frame.n_criteria, bool) if criteria is None else criteria
        asked = (used[:, None] & cells[self.frame.decisions.of_mode[self.mode]]).ravel()
        wanted = np.zeros(self.frame.features.shape[0])
        wanted[: len(asked)] = asked
        counts = self.frame.features.T @ wanted
        return int(self.frame.weight[counts > 0].sum())

    def sums(self, worth: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the worth of the decisions of each row, summed, and the units of each row, both of shape (n_rows,).

        Parameters
        ----------
        worth : ndarray, shape (C, K²)
            What a decision in each cell of each criterion is worth.
        """
        group_cells = self.frame.decisions.of_mode[self.mode]
        there = np.where(group_cells == NOWHERE, 0.0, worth[:, np.where(group_cells == NOWHERE, 0, group_cells)]).ravel()
        return np.asarray(there @ self.frame.features[: len(there)]), self.weight

    @property
    def weight(self) -> FloatArray:
        return self.frame.weight.astype(np.float64)

    def left_out(self, by_criterion: FloatArray) -> Iterator[FloatArray]:
        """Yield the criteria's tables without one unit of each row, a block at a time, shape (rows of the block, C, K, K).

        Parameters
        ----------
        by_criterion : ndarray, shape (C, K, K)
            With all units.
        """
        size = self.frame.n_criteria * self.frame.decisions.n_groups
        columns = csr_array(self.frame.features[:size]).tocsc()
        step = max(1, MOST_CELLS // (self.k**2 * self.frame.n_criteria))
        for first in range(0, columns.shape[1], step):
            yield by_criterion - self._tables(
                columns[:, first : first + step].toarray(), self.frame.decisions, by_criterion.shape
            )

    def _tables(self, features: FloatArray, cells: Cells, shape: tuple[int, ...] | None = None) -> FloatArray:
        folded = cells.mode_matrix(self.mode, self.k) @ features.reshape(-1, cells.n_groups, features.shape[1])
        return np.moveaxis(folded, -1, 0).reshape(-1, *(shape or (self.k, self.k)))


@dataclass(frozen=True, eq=False)
class ClusteredMacro:
    """The mean over criteria without one unit at a time."""

    units: Clustered
    by_criterion: FloatArray
    functions: tuple[Function, ...]

    def errors(self) -> FloatArray:
        """Return standard error of the mean over the criteria still defined, shape (M,); NaN where one left out leaves none."""
        means = [
            np.stack([_mean(function(left)) for function in self.functions], -1)
            for left in self.units.left_out(self.by_criterion)
        ]
        return jackknife_error(np.concatenate(means), self.units.weight)

    def correlations(self, metric: int, criteria: NDArray[np.bool_]) -> FloatArray:
        """Return correlation of the criteria's leave-one-out values of one metric; 0 where one does not vary.

        Parameters
        ----------
        metric : int
            Place among the functions.
        criteria : ndarray of bool, shape (C,)
            The criteria asked for, c of them, each with a value.

        Returns
        -------
        ndarray, shape (c, c)
        """
        function = self.functions[metric]
        values = np.concatenate([function(left)[:, criteria] for left in self.units.left_out(self.by_criterion)])
        return correlation_of(values.T, function(self.by_criterion)[criteria], self.units.weight)


def _mean(values: FloatArray) -> FloatArray:
    """Return mean over the criteria with a value, along the last axis."""
    defined = ~np.isnan(values)
    return safe_ratio(np.where(defined, values, 0.0).sum(-1), defined.sum(-1))


def grouping_columns(ratings: Ratings) -> dict[str, tuple[int, int]]:
    """Return column to (groups, items), of the columns with one value in each item and fewer values than items."""
    return memoised(ratings, ("grouping columns",), lambda: _grouping(ratings))


def _grouping(ratings: Ratings) -> dict[str, tuple[int, int]]:
    groups_by_name = {name: groups_of(ratings, name) for name in possible_groups(ratings)}
    return {name: (groups, ratings.n_items) for name, groups in groups_by_name.items() if groups}


def possible_groups(ratings: Ratings) -> list[str]:
    """Return the columns that may group items by their role; none of them was looked into."""
    if ratings.table is None or not ratings.has_items:
        return []
    roles = {name: role for role, name in ratings.columns}
    return [name for name in ratings.table.column_names if name not in PLACES and roles.get(name, "") in GROUP_ROLES]


def groups_of(ratings: Ratings, name: str) -> int:
    """Return groups that a column makes of the items; 0 where it makes none, or one of each."""
    return memoised(ratings, ("groups of", name), lambda: _groups_of(ratings, name))


def _groups_of(ratings: Ratings, name: str) -> int:
    if ratings.table is None or len(ratings.table[name].unique()) >= ratings.n_items:
        return 0
    try:
        clusters = clusters_of(ratings, name)
    except InputError:
        return 0
    return 0 if clusters.single else clusters.n


def is_above(column: str, but: frozenset[str] = frozenset()) -> bool:
    """Return whether a column is called like something that items come from: prompt, question_id, Document No.

    Parameters
    ----------
    column : str
    but : set of str
        Words for it that do not count.
    """
    parts = [part for part in re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", column).lower()) if part]
    kept = [part for part in parts if part not in NUMBERING]
    return len(kept) == 1 and kept[0] in ABOVE - but

"""Items as units of the jackknife, identical ones merged: leave-one-out tables are few, whatever the number of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.abstention import Mode, class_of_state, mode_labels
from metrics.data.labels import Scheme
from metrics.data.patterns import NOT_ASKED, Patterns, Slots, merge_codes
from metrics.intervals.jackknife import correlation_of, within_parts, without_each
from metrics.measures.arrays import FloatArray, Function, safe_ratio
from metrics.measures.transforms import jackknife_error

BITS_OF_A_WORD = 62  # codes below 2 to it are exact in an int64


@dataclass(frozen=True, eq=False)
class Coded:
    """Items in one abstention mode: the confusion cell of every criterion.

    Attributes
    ----------
    cell : ndarray of int16, shape (C, n_patterns) or (S, n_patterns)
        Reference · K + judge, or K² where the decision does not count, of every criterion or, where few of many are asked of
        an item, in each slot of `slots`.
    weight : ndarray of int64, shape (n_patterns,)
        Units of each pattern; patterns without a counted decision are dropped.
    k : int
    slots : Slots, optional
    """

    cell: NDArray[np.int16]
    weight: NDArray[np.int64]
    k: int
    slots: Slots | None = None

    @staticmethod
    def of(patterns: Patterns, scheme: Scheme, mode: Mode) -> Coded:
        """Return the patterns on the axis of a mode.

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
        return Coded.placed(patterns, class_of_state(scheme, mode), len(mode_labels(scheme, mode)))

    @staticmethod
    def placed(patterns: Patterns, place: NDArray[np.integer[Any]], k: int) -> Coded:
        """Return the patterns on an axis of k classes.

        Parameters
        ----------
        patterns : Patterns
        place : ndarray of int, shape (R,)
            Class of every raw state, -1 where it does not count.
        k : int
        """
        coded = Coded.every(patterns, place, k)
        counted = np.asarray((coded.cell < k * k).any(0))
        return Coded(coded.cell[:, counted], coded.weight[counted], k, coded.slots and coded.slots.of_patterns(counted))

    @staticmethod
    def every(patterns: Patterns, place: NDArray[np.integer[Any]], k: int) -> Coded:
        """Return the same with every pattern in its place, those without a counted decision among them."""
        asked, place = patterns.slot_reference != NOT_ASKED, place.astype(np.int32)
        row, column = place[patterns.slot_reference], place[patterns.slot_judge]
        cell = np.where(asked & (row >= 0) & (column >= 0), row * k + column, k * k).astype(np.int16)
        return Coded(cell, patterns.multiplicity, k, patterns.slots)

    @staticmethod
    def merged(
        item: NDArray[np.int32],
        criterion: NDArray[np.int64],
        cell: NDArray[np.int64],
        k: int,
        n_criteria: int,
        items: NDArray[np.int64] | None = None,
    ) -> Coded:
        """Return decisions of one judge, identical items merged.

        Parameters
        ----------
        item, criterion : ndarray of int, shape (n_decisions,)
            Places of the item and of the criterion of each decision.
        cell : ndarray of int, shape (n_decisions,)
            Reference · K + judge.
        k : int
        n_criteria : int
        items : ndarray of int64, shape (n_items,), optional
            How many items each stands for; one without it.
        """
        present, row = np.unique(item, return_inverse=True)
        of, size, sizes = (row.astype(np.int32), criterion.astype(np.int32)), k * k, (len(present), n_criteria)
        codes, weight, _ = merge_codes(
            *of, cell + 1, base=size + 1, n_items=sizes[0], n_criteria=sizes[1],
            multiplicity=None if items is None else items[present],
        )  # fmt: skip
        return Coded(np.where(codes == 0, size, codes - 1).astype(np.int16), weight, k)

    @property
    def n_units(self) -> int:
        return int(self.weight.sum())

    def criterion(self, place: int) -> Coded:
        """Return the items that count on one criterion."""
        cells = self.cells_of(place)
        there = cells < self.k * self.k
        return Coded(cells[None, there], self.weight[there], self.k)

    def cells_of(self, criterion: int) -> NDArray[np.int16]:
        """Return cell of one criterion in each pattern, shape (n_patterns,)."""
        if self.slots is None:
            row: NDArray[np.int16] = self.cell[criterion]
            return row
        slot, place = self.slots.where(criterion)
        there = self.cell[slot, place] < self.k * self.k
        cells = np.full(len(self.weight), self.k * self.k, np.int16)
        cells[place[there]] = self.cell[slot[there], place[there]]
        return cells

    def per_criterion(self) -> FloatArray:
        """Return table of every criterion, shape (C, K, K)."""
        size = self.k * self.k
        n_criteria = len(self.cell) if self.slots is None else self.slots.n_criteria
        tally = np.zeros(n_criteria * (size + 1))
        for criterion, cells in zip(self.criterion_of_cell, self.cell, strict=True):
            tally += np.bincount(criterion * (size + 1) + cells, weights=self.weight, minlength=len(tally))
        return tally.reshape(-1, size + 1)[:, :size].reshape(-1, self.k, self.k)

    @property
    def word(self) -> str:
        return "items"

    def one_vs_rest(self, place: int) -> Coded:
        """Return the same items with one class as the positive label and all others as the negative one."""
        cells = np.append(one_vs_rest_cells(self.k, place), 4).astype(np.int16)
        return Coded(cells[self.cell], self.weight, 2, self.slots)

    def within_left_out(self, by_criterion: FloatArray) -> FloatArray:
        """Return `kappa_within` without one unit of each pattern, shape (n_patterns,); NaN where no chance disagreement is left.

        Parameters
        ----------
        by_criterion : ndarray, shape (C, K, K)
            The tables of the same units.
        """
        left = [
            full + sum(changes[c, cells] for c, cells in zip(self.criterion_of_cell, self.cell, strict=True))
            for full, changes in zip(*within_parts(by_criterion), strict=True)
        ]
        return 1 - safe_ratio(left[0], left[1])

    def macro(self, by_criterion: FloatArray, functions: Mapping[str, Function]) -> MacroJackknife:
        """Return leave-one-out values of the mean over criteria.

        Parameters
        ----------
        by_criterion : ndarray, shape (C, K, K)
        functions : mapping
            Metric key to function of counts.
        """
        return MacroJackknife.of(self, by_criterion, functions)

    def units_with(self, cells: NDArray[np.bool_], criteria: NDArray[np.bool_] | None = None) -> int:
        """Return the number of units with a decision in one of the cells.

        Parameters
        ----------
        cells : ndarray of bool, shape (K²,)
            The cells asked for, row by row.
        criteria : ndarray of bool, shape (C,), optional
            The criteria asked for; all without it.
        """
        there = np.append(cells, False)[self.cell]
        if criteria is not None:
            there &= criteria[self.criterion_of_cell]
        return int(self.weight[there.any(0)].sum())

    def sums(self, worth: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the worth of the decisions of each pattern, summed, and the units of each, both of shape (n_patterns,).

        Parameters
        ----------
        worth : ndarray, shape (C, K²)
            What a decision in each cell of each criterion is worth.
        """
        padded_worth = np.column_stack([worth, np.zeros(len(worth))])
        return padded_worth[self.criterion_of_cell, self.cell].sum(0), self.weight.astype(np.float64)

    @property
    def criterion_of_cell(self) -> NDArray[np.integer[Any]]:
        """Criterion that each of `cell` is of, shape (C, 1) or (S, n_patterns)."""
        return np.arange(len(self.cell))[:, None] if self.slots is None else self.slots.criterion

    def per_pattern(self) -> FloatArray:
        """Return table of one unit of each pattern, shape (n_patterns, K, K)."""
        cells = np.stack([(self.cell == place).sum(0) for place in range(self.k * self.k)], axis=1)
        return cells.reshape(-1, self.k, self.k).astype(np.float64)

    def criterion_tables(self, place: int) -> FloatArray:
        """Return table of one unit of each pattern on one criterion, shape (n_patterns, K, K)."""
        size = self.k * self.k
        return np.eye(size + 1)[self.cells_of(place), :size].reshape(-1, self.k, self.k)

    def tables(self) -> tuple[FloatArray, FloatArray]:
        """Return distinct tables of one unit, shape (U, K, K), and the units with each, shape (U,)."""
        return self._tables

    @cached_property
    def _tables(self) -> tuple[FloatArray, FloatArray]:
        size = self.k * self.k
        which = self._table_codes()
        n_tables = int(which.max(initial=-1)) + 1
        units = np.bincount(which, weights=self.weight, minlength=n_tables).astype(np.float64)
        example = np.empty(n_tables, np.int64)
        example[which] = np.arange(len(which))
        place = np.arange(n_tables) * (size + 1) + self.cell[:, example]
        tables = np.bincount(place.ravel(), minlength=n_tables * (size + 1)).reshape(n_tables, size + 1)[:, :size]
        return tables.reshape(-1, self.k, self.k).astype(np.float64), units

    def _table_codes(self) -> NDArray[np.int64]:
        """Return the number of the table of each pattern, shape (n_patterns,)."""
        size = self.k * self.k
        if size * np.log2(len(self.cell) + 1) <= BITS_OF_A_WORD:
            word = sum((self.cell == place).sum(0) * (len(self.cell) + 1) ** place for place in range(size))
            return np.unique(np.asarray(word), return_inverse=True)[1]
        base, cells = size + 1, np.sort(self.cell, axis=0)
        at_once = max(1, int(BITS_OF_A_WORD / np.log2(base)))
        numbers = np.zeros(cells.shape[1], np.int64)
        for first in range(0, len(cells), at_once):
            word = np.zeros(cells.shape[1], np.int64)
            for row in cells[first : first + at_once]:
                word = word * base + row
            codes = np.unique(word, return_inverse=True)[1]
            numbers = np.unique(numbers * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
        return numbers


@dataclass(frozen=True, eq=False)
class MacroJackknife:
    """Leave-one-out values of the mean over criteria, for all metrics at once.

    Attributes
    ----------
    values : ndarray, shape (C, K² + 1, M)
        Metric on a criterion's table without one decision in a cell; the last row is the full table.
    """

    coded: Coded
    values: FloatArray

    @staticmethod
    def of(coded: Coded, counts: FloatArray, functions: Mapping[str, Function]) -> MacroJackknife:
        """Return the values of M metrics on the criteria's tables without one decision of each cell.

        Parameters
        ----------
        coded : Coded
        counts : ndarray, shape (C, K, K)
            The tables of the same units.
        functions : mapping
            Metric key to function of counts.
        """
        every = lambda tables: np.stack([function(tables) for function in functions.values()], axis=-1)  # noqa: E731
        return MacroJackknife(coded, without_each(counts, every))

    def errors(self) -> FloatArray:
        """Return standard error of the mean over the criteria still defined, shape (M,); NaN where one left out leaves none."""
        defined = ~np.isnan(self.values)
        filled = np.where(defined, self.values, 0.0)
        total = self._per_pattern(filled)
        always = defined == defined[:, -1:, :]
        count = defined[:, -1, :].sum(0) if always.all() else self._per_pattern(defined.astype(np.float64))
        mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
        return jackknife_error(mean, self.coded.weight.astype(np.float64))

    def correlations(self, metric: int, criteria: NDArray[np.bool_]) -> FloatArray:
        """Return correlation of the criteria's leave-one-out values of one metric, over the units.

        Parameters
        ----------
        metric : int
            Place among the M metrics.
        criteria : ndarray of bool, shape (C,)
            The criteria asked for, c of them, each with a value.

        Returns
        -------
        ndarray, shape (c, c)
            0 where one does not vary.
        """
        chosen = np.flatnonzero(criteria)
        values = np.stack([self.values[c, self.coded.cells_of(c), metric] for c in chosen.tolist()])
        return correlation_of(values, self.values[chosen, -1, metric], self.coded.weight.astype(np.float64))

    def _per_pattern(self, table: FloatArray) -> FloatArray:
        """Return sum over the criteria of what a table has for the cell of each, shape (n_patterns, M)."""
        total = np.zeros((len(self.coded.weight), table.shape[-1]))
        if self.coded.slots is not None:
            total += table[:, -1].sum(0)
            table = table - table[:, -1:]
        for criterion, cells in zip(self.coded.criterion_of_cell, self.coded.cell, strict=True):
            total += table[criterion, cells]
        return total


def pattern_tables(patterns: Patterns, scheme: Scheme, mode: Mode) -> FloatArray:
    """Return the table of one item of every pattern in a mode, shape (n_patterns, K, K); nothing where no decision counts."""
    return coded_in_mode(patterns, scheme, mode).per_pattern()


def coded_in_mode(patterns: Patterns, scheme: Scheme, mode: Mode) -> Coded:
    """Return every pattern in its place on the axis of a mode, those without a counted decision among them."""
    return Coded.every(patterns, class_of_state(scheme, mode), len(mode_labels(scheme, mode)))


def one_vs_rest_cells(k: int, place: int) -> NDArray[np.int64]:
    """Return cell of the 2 x 2 table of one class against the rest, for each cell of the K x K table, shape (K²,)."""
    row, column = np.divmod(np.arange(k * k), k)
    cells: NDArray[np.int64] = 2 * (row != place) + (column != place)
    return cells

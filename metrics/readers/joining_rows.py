"""Files of any shape as rows of one long table: a rating each, with the columns that ride along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.readers.formats.canonical import safe_name
from metrics.readers.joining_files import SIDES, FileLayout
from metrics.readers.repeats import first_rows, key_of
from metrics.readers.table import Coded, TextTable
from metrics.readers.wide import WideColumn, wide_columns

Rows = NDArray[np.int64]
RATED = ("criterion", "rater", "role", "label")
"""Columns whose cells are few names, in the order of the table, behind the item."""
BESIDE_RATING = ("score", "timestamp", "prompt", "run", "reason", "status")


@dataclass(frozen=True, eq=False)
class Block:
    """Ratings of one column of labels of a file.

    Attributes
    ----------
    rows : ndarray of int64, shape (n,), or None
        Rows of the file; None for all of them.
    rated : mapping of str to Coded
        Criterion, rater, role and label, each of length n.
    beside : mapping of str to str
        Other columns by the name they get.
    """

    file: FileLayout
    rows: Rows | None
    rated: Mapping[str, Coded]
    beside: Mapping[str, str]

    @property
    def n(self) -> int:
        return self.file.table.n_rows if self.rows is None else len(self.rows)

    def column(self, name: str) -> pa.ChunkedArray:
        """Return the cells of a column that is not among the rated ones; empty ones where the file has none."""
        if name not in self.beside:
            return pa.chunked_array([pa.repeat(pa.scalar("", pa.string()), self.n)])
        cells = self.file.table.data[self.beside[name]].cast(pa.string())
        return cells if self.rows is None else cells.take(pa.array(self.rows))


@dataclass(frozen=True, eq=False)
class Unfolder:
    """One file on its way to ratings.

    Attributes
    ----------
    file : FileLayout
    criterion : str
        Criterion of labels for which the file names none.
    stated : mapping of str to str
        Roles of raters that were stated.
    """

    file: FileLayout
    criterion: str
    stated: Mapping[str, str]
    names: dict[str, str] = field(default_factory=dict)
    """Name of the rater, by the role of the column of labels, where no column names raters."""

    @property
    def table(self) -> TextTable:
        return self.file.table

    @property
    def columns(self) -> dict[str, str]:
        return self.file.layout.columns

    def blocks(self) -> list[Block]:
        """Return the ratings of the file, those of one column of labels together."""
        if self.file.layout.shape == "wide":
            return [self._wide(column) for column in wide_columns(self.columns)]
        if self.file.layout.shape == "pairs":
            return [self._humans(), self._judges()]
        side = self.file.sides[0]
        rater = self._rater(side, "rater")
        return [self._block(self.columns[side], None, (self._criterion(), rater, self._role(rater)))]

    def _block(self, column: str, rows: Rows | None, who: tuple[Coded, Coded, Coded]) -> Block:
        """Return the ratings of a column of labels.

        Parameters
        ----------
        column : str
        rows : ndarray of int64, shape (n,), or None
            Rows that are ratings; None for all of them.
        who : (Coded, Coded, Coded)
            Criterion, rater and role of every row of the file.
        """
        rated = dict(zip(RATED, (*who, self.table.coded(column)), strict=True))
        if rows is not None:
            rated = {name: Coded(coded.codes[rows], coded.names) for name, coded in rated.items()}
        of_human = self.file.layout.shape == "pairs" and column == self.columns["human"]
        score = self.columns.get("human_score" if of_human or "human_score" in self.columns else "score")
        beside = {} if score is None or score == column else {"score": score}
        once = ("timestamp",) if of_human else ("timestamp", "prompt", "run")
        beside |= {name: self.columns[name] for name in (*once, "weight", "confidence") if name in self.columns}
        return Block(self.file, rows, rated, {**self._riding, **beside})

    @cached_property
    def _riding(self) -> dict[str, str]:
        """Columns that have no role, under names that no column of the ratings has."""
        taken, riding = set(self.columns.values()), {}
        for column in self.table.columns:
            if column not in taken:
                known = column == "reason" or (column == "status" and self.table.format)
                riding[column if known else safe_name(column)] = column
        return riding

    def _humans(self) -> Block:
        criterion, rater = self._criterion(), self._rater("human", "rater")
        label = self.table.coded(self.columns["human"])
        score = self.columns.get("human_score")
        item = self.table.raw(self.columns["item"])
        coded = [criterion, rater, label, *([self.table.coded(score)] if score else [])]
        codes = [item[0], *(column.codes + np.int32(1) for column in coded)]
        key, size = key_of(codes, [len(item[1]), *(len(column.names) + 1 for column in coded)])
        filled = label.codes >= 0 if score is None else (label.codes >= 0) | (self.table.coded(score).codes >= 0)
        rows = np.flatnonzero(filled & (first_rows(key, size) == np.arange(len(key))))
        return self._block(self.columns["human"], rows, (criterion, rater, self._same("human")))

    def _judges(self) -> Block:
        rater, score = self._rater("verdict", "judge"), self.columns.get("score")
        filled = self.table.coded(self.columns["verdict"]).codes >= 0
        if score is not None:
            filled |= self.table.coded(score).codes >= 0
        if "judge" in self.columns:
            filled |= rater.codes >= 0
        return self._block(self.columns["verdict"], np.flatnonzero(filled), (self._criterion(), rater, self._same("judge")))

    def _wide(self, column: WideColumn) -> Block:
        rows = np.flatnonzero(self.table.coded(column.column).codes >= 0)
        criterion = self._criterion() if column.criterion is None else self._same(column.criterion)
        role = self._role_of(column.rater, column.role)
        return self._block(column.column, rows, (criterion, self._same(column.rater), self._same(role)))

    def _criterion(self) -> Coded:
        if self.file.without_criterion:
            return self._same(self.criterion)
        return self.table.coded(self.columns["criterion"])

    def _rater(self, side: str, column: str) -> Coded:
        return self.table.coded(self.columns[column]) if column in self.columns else self._same(self.names[side])

    def _role(self, rater: Coded) -> Coded:
        """Return the role of each row; the rater's name where nobody said it."""
        column = self.columns.get("role")
        if column is not None:
            coded = self.table.coded(column)
            return Coded(coded.codes, tuple(self.file.roles.get(name, name) for name in coded.names))
        return Coded(rater.codes, tuple(self._role_of(name, self.file.role) for name in rater.names))

    def _role_of(self, rater: str, role: str | None) -> str:
        if rater in self.file.roles:
            return self.file.roles[rater]
        return rater if rater in self.stated or role is None else role

    def _same(self, name: str) -> Coded:
        return Coded(np.zeros(self.table.n_rows, np.int32), (name,))


def stacked(parts: Sequence[Coded]) -> pa.DictionaryArray:
    """Return cells of several parts, one below the other; an empty cell is ""."""
    place: dict[str, int] = {}
    codes = []
    for part in parts:
        lookup = [place.setdefault(name, len(place)) for name in part.names]
        lookup.append(place.setdefault("", len(place)) if (part.codes < 0).any() else -1)
        codes.append(np.array(lookup, np.int32)[part.codes])
    return pa.DictionaryArray.from_arrays(pa.array(np.concatenate(codes)), pa.array(list(place), pa.string()))


def _knows_roles(blocks: Sequence[Block]) -> bool:
    """Return whether any file says who is human and who a judge."""
    known = ("human", "judge")
    return any("role" in block.file.layout.columns or not {*known}.isdisjoint(block.rated["role"].names) for block in blocks)


def long_table(blocks: Sequence[Block], item: pa.DictionaryArray) -> pa.Table:
    """Return the ratings of all blocks as one table under canonical names; columns that no file fills are left out.

    Parameters
    ----------
    blocks : sequence of Block
    item : pa.DictionaryArray, length n_rows
    """
    rated = [name for name in RATED if name != "role" or _knows_roles(blocks)]
    columns: dict[str, pa.Array | pa.ChunkedArray] = {"item": item}
    columns |= {name: stacked([block.rated[name] for block in blocks]) for name in rated}
    there = dict.fromkeys(name for block in blocks for name in block.beside)
    for name in (*(name for name in BESIDE_RATING if name in there), *(name for name in there if name not in BESIDE_RATING)):
        columns[name] = pa.chunked_array([chunk for block in blocks for chunk in block.column(name).chunks], pa.string())
    return pa.table(columns)


def unnamed_sides(file: FileLayout) -> tuple[str, ...]:
    """Return the roles of the columns of labels of a file for which no column names the rater."""
    column = {"human": "rater", "verdict": "judge"} if file.layout.shape == "pairs" else dict.fromkeys(SIDES, "rater")
    return tuple(side for side in file.sides if column[side] not in file.layout.columns)

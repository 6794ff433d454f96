"""Codes of the labels of a table, and the numbers beside them."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metrics.data.labels import NUMBER, SCORE_ALONE
from metrics.data.ratings import Role
from metrics.data.vocabulary import NOT_A_NUMBER, token
from metrics.readers.measuring import numbers_in
from metrics.readers.messages import brief, times
from metrics.readers.proposal import Proposal
from metrics.readers.repeats import Cells
from metrics.readers.table import TextTable
from metrics.readers.unlabelled import LABELLED, NOTHING, NUMBER_ALONE, Empty

Ints = NDArray[np.int32]


class Labels:
    """Codes of the labels of a table, the same text in two columns being one label."""

    def __init__(self, proposal: Proposal) -> None:
        self.names = tuple(row.label for row in proposal.labels)
        self.places = {name: place for place, name in enumerate(self.names)}
        self._rows = proposal.labels
        self._numbered = proposal.numbered
        self.same: Ints = proposal.scheme.states(self.names).astype(np.int32)

    def of(self, table: TextTable, column: str, role: Role | None, criterion: str | None = None) -> Ints:
        """Return the label of each row.

        Parameters
        ----------
        table : Table
        column : str
            Holds the labels.
        role : "human", "judge" or None
            Who gave them; None where it is unknown. A human's `nan` is no label, unless its meaning was stated.
        criterion : str, optional
            Criterion of the whole column, where it has one of its own.

        Returns
        -------
        ndarray of int32, shape (n_rows,)
            Code of the label, -1 where there is none.
        """
        coded = self._numbered.labels(table, column, criterion)
        codes = np.array([self._code(name, role) for name in (*coded.names, "")], dtype=np.int32)
        return np.asarray(codes[coded.codes], dtype=np.int32)

    def scores(
        self, table: TextTable, column: str, given: str | None, notes: list[str], criterion: str | None = None
    ) -> NDArray[np.float64] | None:
        """Return the score of each row: that of the score column, else the number that the column of labels holds as a score.

        Parameters
        ----------
        table : Table
        column : str
            Holds the labels.
        given : str or None
            The score column; None where there is none.
        notes : list of str
            Takes a sentence about cells that are no number, and one about rows in which the two columns hold different numbers.
        criterion : str, optional
            Criterion of the whole column of labels, where it has one of its own.

        Returns
        -------
        ndarray of float64, shape (n_rows,), or None
            NaN where a row has no number; None without a score column where the labels hold no scores either.
        """
        given_scores, numbers = scores(table, given, notes), self._numbered.scores(table, column, criterion)
        if given_scores is None or numbers is None:
            return numbers if given_scores is None else given_scores
        differ = table.counted((given_scores != numbers) & ~np.isnan(given_scores) & ~np.isnan(numbers))
        if differ:
            rows = times(differ, "row", "rows")
            notes.append(
                f"‘{brief(column)}’ and ‘{brief(given)}’ hold different numbers in {rows}: those of ‘{brief(given)}’ count."
            )
        return np.where(np.isnan(given_scores), numbers, given_scores)

    def cells(self, column: str, codes: Ints, numbers: NDArray[np.float64] | None, score: str | None = None) -> list[Cells]:
        """Return what rows say by their label and its number, to be compared with each other.

        Parameters
        ----------
        column : str
            Holds the labels.
        codes : ndarray of int32, shape (n_rows,)
            Label of each row, -1 where there is none.
        numbers : ndarray of float64, shape (n_rows,), or None
            Score of each row, NaN where there is none.
        score : str, optional
            Column of the numbers; the column of the labels by default.

        Returns
        -------
        list of Cells
            One of the labels; a second one of the numbers where there are any.
        """
        names = (*self.names, "")
        columns = [Cells(column, np.append(self.same, -1)[codes], lambda row: names[codes[row]])]
        if numbers is not None:
            columns.append(Cells(score or column, numbers, lambda row: "" if np.isnan(numbers[row]) else f"{numbers[row]:g}"))
        return columns

    @cached_property
    def number(self) -> int:
        """Code of the label that stands for every number; -1 where there is none."""
        return self.places.get(NUMBER, -1)

    @cached_property
    def alone(self) -> int:
        """Code of the label of a number without one; -1 where it is no rating."""
        return self.places.get(SCORE_ALONE, -1)

    @cached_property
    def failed(self) -> int:
        """Code of a judge's row without anything; -1 where it is no failed call."""
        place = self.places.get("", -1)
        return place if place >= 0 and self._rows[place].kind == "error" else -1

    def of_rows(
        self, table: TextTable, columns: tuple[str, str | None], codes: Ints, judged: NDArray[np.bool_]
    ) -> tuple[Ints, NDArray[np.int8]]:
        """Return labels of the rows of a column, of those too whose cell is empty, and how much each says of its rating.

        Parameters
        ----------
        table : Table
        columns : (label, score or None)
        codes : ndarray of int32, shape (n_rows,)
            Label of each row as `of` returns it, -1 where there is none.
        judged : ndarray of bool, shape (n_rows,)
            Rows that name a judge, whose call failed where there is neither a label nor a number.

        Returns
        -------
        labels : ndarray of int32, shape (n_rows,)
        extent : ndarray of int8, shape (n_rows,)
            `LABELLED`, `NUMBER_ALONE` or `NOTHING`.
        """
        bare = (codes < 0) | (codes == self.failed) if self.failed >= 0 else codes < 0
        if not bare.any():
            return codes, np.full(len(codes), LABELLED, np.int8)
        empty = Empty.of(table, *columns)
        number, failed = bare & empty.number, bare & empty.nothing & judged
        measured = number & (self.number >= 0) & self._numbered.inside(table)
        alone = np.where(measured, self.number, self.alone)
        labels = np.where(number, alone, np.where(failed, self.failed, np.where(bare, -1, codes))).astype(np.int32)
        extent = np.where(bare & ~measured, np.where(number & (labels >= 0), NUMBER_ALONE, NOTHING), LABELLED)
        return labels, extent.astype(np.int8)

    def _code(self, name: str, role: Role | None) -> int:
        place = self.places.get(name, -1)
        if place < 0 or self._rows[place].kind == "missing":
            return -1
        row = self._rows[place]
        if row.kind == "error" and not row.given and (not name or (token(name) == NOT_A_NUMBER and role == "human")):
            return -1
        return place


def scores(table: TextTable, column: str | None, notes: list[str]) -> NDArray[np.float64] | None:
    """Return the numbers of a score column.

    Parameters
    ----------
    table : Table
    column : str or None
    notes : list of str
        Takes a sentence about cells that cannot be read as a number.

    Returns
    -------
    ndarray of float64, shape (n_rows,), or None
        NaN for an empty or unreadable cell; None without a column.
    """
    if column is None:
        return None
    coded = table.coded(column)
    read = numbers_in(table, column)[coded.codes]
    unreadable = table.counted(np.isnan(read) & (coded.codes >= 0))
    if unreadable:
        notes.append(f"{times(unreadable, 'cell', 'cells')} of ‘{brief(column)}’ could not be read as a number.")
    return read

"""Rows whose label is empty: a number in its place, a number alone, a judge's call that failed, or nothing at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.labels import SCORE_ALONE
from metrics.data.memo import memoised
from metrics.data.ratings import Shape
from metrics.data.vocabulary import Kind, means_nothing
from metrics.readers.measuring import Numbered, numbers_in
from metrics.readers.messages import brief, listed
from metrics.readers.proposal import LabelRow
from metrics.readers.repeats import Keys
from metrics.readers.table import TextTable, column_of

Bools = NDArray[np.bool_]
SCORED: dict[Shape, tuple[tuple[str, str], ...]] = {
    "pairs": (("human", "human_score"), ("verdict", "score")),
    "raters": (("label", "score"),),
}
"""Roles of the columns of labels, each with that of its numbers, of the shapes in which a row is a rating."""
NOTHING, NUMBER_ALONE, LABELLED = 0, 1, 2
"""How much a row says of a rating."""


@dataclass(frozen=True, eq=False)
class Empty:
    """Rows whose label is an empty cell: with a number, and with neither, shape (n_rows,) each."""

    number: Bools
    nothing: Bools

    @staticmethod
    def of(table: TextTable, label: str, score: str | None) -> Empty:
        """Return the rows of a column of labels whose cell is empty, by what the score column holds.

        Parameters
        ----------
        table : Table
        label : str
            Column of labels.
        score : str or None
            Column of scores; without one, an empty cell has nothing beside it.
        """
        empty = table.coded(label).codes < 0
        if score is None or not empty.any():
            return Empty(np.zeros(table.n_rows, bool), empty)
        codes, names = table.coded(score).codes, table.coded(score).names
        number = ~np.isnan(numbers_in(table, score))
        nothing = np.array([*(not number[place] and means_nothing(name) for place, name in enumerate(names)), True])
        return Empty(empty & number[codes], empty & nothing[codes])


def with_scores_as_labels(table: TextTable, shape: Shape, columns: Mapping[str, str]) -> tuple[TextTable, tuple[str, ...]]:
    """Return the table with the numbers in the place of the labels on every criterion where no row has a label.

    A number without a label gets the label that stands beside the same number in other rows of the criterion, where every number
    has one label only: a judge that writes 1 means what people call Pass, 1.

    Parameters
    ----------
    table : Table
    shape : "pairs", "raters", "wide" or "counts"
    columns : mapping of role to column

    Returns
    -------
    table : Table
        The same one where nothing changes.
    notes : tuple of str
        On which criteria that is so.
    """
    key = ("scores as labels", shape, tuple(columns.items()))
    kept, notes = memoised(table, key, lambda: _with_scores_as_labels(table, shape, columns))
    return (table if kept is None else kept), notes


def _with_scores_as_labels(
    table: TextTable, shape: Shape, columns: Mapping[str, str]
) -> tuple[TextTable | None, tuple[str, ...]]:
    """Return None where nothing changes: a table that kept itself would stay in memory until the next sweep."""
    both = [(columns[label], columns.get(score)) for label, score in SCORED.get(shape, ()) if label in columns]
    if all(score is None or not Empty.of(table, label, score).number.any() for label, score in both):
        return None, ()
    named = table.coded(columns["criterion"]) if "criterion" in columns else None
    which = np.zeros(table.n_rows, np.int32) if named is None else named.codes
    without = np.ones(1 if named is None else len(named.names), bool)
    for label, _ in both:
        without[which[_decided(table, label) & (which >= 0)]] = False
    unlabelled_rows, data, notes = np.append(without, False)[which], table.data, []
    for label, score in both:
        rows = unlabelled_rows & Empty.of(table, label, score).number
        if score is not None and rows.any():
            data = data.set_column(data.column_names.index(label), label, _filled(table, label, score, rows))
            where = "" if named is None else f" on {listed((named.names[code] for code in np.unique(which[rows])), 4)}"
            notes.append(f"‘{brief(label, 30)}’ is empty{where}: the numbers of ‘{brief(score, 30)}’ are the labels there.")
    numbered = table if data is table.data else replace(table, data=data, memo={})
    for label, score in both:
        if score is not None:
            numbered, more = _named_by_number(numbered, (label, score), which, ("",) if named is None else named.names)
            notes += more
    return (None, ()) if numbered is table else (numbered, tuple(notes))


def _named_by_number(
    table: TextTable, columns: tuple[str, str], which: NDArray[np.int32], criteria: Sequence[str]
) -> tuple[TextTable, list[str]]:
    """Return the table with the labels that its numbers stand for, and on which criteria that is so.

    Parameters
    ----------
    table : TextTable
    columns : (label, score)
    which : ndarray of int32, shape (n_rows,)
        Criterion of each row.
    criteria : sequence of str
    """
    label, score = columns
    labels, scores = table.coded(label), table.coded(score)
    numbers = numbers_in(table, score)[scores.codes]
    alone = Empty.of(table, label, score).number & (which >= 0)
    codes, names, notes = labels.codes.copy(), list(labels.names), []
    for criterion in np.unique(which[alone]):
        here = which == criterion
        beside = here & (labels.codes >= 0) & ~np.isnan(numbers)
        pair = np.unique(scores.codes[beside] * np.int64(len(names)) + labels.codes[beside])
        pairs = np.unique(np.column_stack([numbers_in(table, score)[pair // len(names)], pair % len(names)]), axis=0)
        values, times = np.unique(pairs[:, 0], return_counts=True)
        rows = here & alone
        if not len(values) or (times > 1).any() or not np.isin(numbers[rows], values).all():
            continue
        codes[rows] = pairs[np.searchsorted(values, numbers[rows]), 1].astype(np.int32)
        meanings = listed((f"{value:g} is {names[int(code)]}" for value, code in pairs), 4)
        where = f" on {brief(criteria[criterion], 40)}" if criteria[criterion] else ""
        notes.append(f"A number without a label{where} is taken for the label beside the same number: {meanings}.")
    if not notes:
        return table, []
    data = table.data.set_column(table.data.column_names.index(label), label, column_of(codes, names))
    return replace(table, data=data, memo={}), notes


def _decided(table: TextTable, label: str) -> Bools:
    """Return the rows with a label, those aside of which the file states that nobody decided."""
    coded, kinds = table.coded(label), dict(table.kinds)
    decides = [kinds.get(name) not in ("error", "abstention") for name in coded.names]
    return np.array([*decides, False])[coded.codes]


def _filled(table: TextTable, label: str, score: str, rows: Bools) -> pa.DictionaryArray:
    """Return the column of labels with the numbers of some rows, names in the order of both columns."""
    coded, numbers = table.coded(label), table.coded(score)
    names = list(dict.fromkeys([*coded.names, *(numbers.names[code] for code in np.unique(numbers.codes[rows]))]))
    place = {name: code for code, name in enumerate(names)}
    of_label, of_score = (np.array([place.get(name, -1) for name in (*coded.names, "")], np.int32) for coded in (coded, numbers))
    return column_of(np.where(rows, of_score[numbers.codes], of_label[coded.codes]), names)


def with_rows_of_meaning(
    rows: Sequence[LabelRow],
    table: TextTable,
    shape: Shape,
    columns: Mapping[str, str],
    judged: Mapping[str, Bools],
    numbered: Numbered,
    given: Mapping[str, Kind],
) -> tuple[LabelRow, ...]:
    """Return the rows of a proposal with what an empty label means where it is a rating.

    Parameters
    ----------
    rows : sequence of LabelRow
    table : Table
    shape : "pairs", "raters", "wide" or "counts"
    columns : mapping of role to column
    judged : mapping of role to ndarray of bool, shape (n_rows,)
        Rows of a judge, by the role of the column of its label.
    numbered : Numbered
    given : mapping of label to kind
        Meanings that were stated or follow from the scales.
    """
    number, failed = np.zeros(table.n_rows, bool), np.zeros(table.n_rows, bool)
    for label, score in SCORED.get(shape, ()):
        if label in columns:
            empty = Empty.of(table, columns[label], columns.get(score))
            number |= empty.number
            failed |= empty.nothing & judged.get(label, False)
    means: tuple[tuple[str, Kind, Bools], ...] = (
        (SCORE_ALONE, "missing", number & ~numbered.inside(table)), ("", "error", failed),
    )  # fmt: skip
    known, label_rows = {row.label for row in rows}, list(rows)
    for name, kind, which in means:
        if which.any() and name not in known and (name or "" not in given):
            first = table.number(int(which.argmax())) if table.merged is None and table.join is None else None
            label_rows.append(LabelRow(name, table.counted(which), first, given.get(name, kind), given=name in given))
    return tuple(label_rows)


def says_less(extent: NDArray[np.int8], keys: tuple[Keys, int], rows: NDArray[np.int64]) -> Bools:
    """Return which rows say less of a rating than another row of the same key.

    Parameters
    ----------
    extent : ndarray of int8, shape (n_rows,)
        How much each row says: `NOTHING`, `NUMBER_ALONE` or `LABELLED`.
    keys : (ndarray of int, shape (n,), int)
        Key of each of `rows`, and the upper end of the keys.
    rows : ndarray of int64, shape (n,)

    Returns
    -------
    ndarray of bool, shape (n_rows,)
        False for rows that are not in `rows`.
    """
    key, size = keys
    most = np.zeros(size, np.int8)
    np.maximum.at(most, key, extent[rows])
    mask = np.zeros(len(extent), bool)
    mask[rows] = extent[rows] < most[key]
    return mask

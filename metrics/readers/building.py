"""Table and confirmed proposal -> Ratings, with an account of every row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.asker import worded
from metrics.data.labels import NUMBER, SCORE_ALONE
from metrics.data.ratings import LeftOut, Rater, Ratings, Role, Runs, Source
from metrics.data.vocabulary import NOT_A_NUMBER, token
from metrics.readers.labelling import check_classes
from metrics.readers.measuring import numbers_of
from metrics.readers.messages import brief, refuse, times
from metrics.readers.proposal import Proposal
from metrics.readers.repeats import Cells, Keys, counting_rows
from metrics.readers.table import NO_LABEL, Merged, TextTable
from metrics.readers.unlabelled import LABELLED, NOTHING, NUMBER_ALONE, Empty

Ints = NDArray[np.int32]
BLANK, NO_ITEM = "blank row", "no item id"
REPEATED = "repeated: a later row gives the same item, criterion and rater"
REPEATED_EARLIER = "repeated: an earlier row gives the same item, criterion and rater"
NO_CRITERION, NO_JUDGE, NO_RATER, NO_ROLE = "no criterion", "no judge named", "no rater named", "no role"
CODE_ROW = "rated by code, neither human nor judge"
OTHER_ROLE = "role is neither human nor judge"
BESIDE_LABEL = "a score alone: another row gives the label of the same rating"
IN_ORDER = (
    BLANK, NO_ITEM, NO_CRITERION, NO_JUDGE, NO_RATER, NO_ROLE, CODE_ROW, OTHER_ROLE, NO_LABEL, REPEATED, REPEATED_EARLIER,
    BESIDE_LABEL,
)  # fmt: skip
"""Reasons as they are looked for."""


@dataclass
class Account:
    """Which rows are left out, and why; the first reason counts."""

    n_rows: int
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reason = np.full(self.n_rows, -1, dtype=np.int16)

    def leave(self, rows: NDArray[np.bool_], why: str) -> None:
        """Leave out rows; those that are left out already keep their reason.

        Parameters
        ----------
        rows : ndarray of bool, shape (n_rows,)
        why : str
            The reason.
        """
        if rows.any():
            if why not in self.names:
                self.names.append(why)
            self.reason[rows & (self.reason < 0)] = self.names.index(why)

    @property
    def kept(self) -> NDArray[np.bool_]:
        return self.reason < 0

    def left_out(self, table: TextTable) -> LeftOut:
        places = np.flatnonzero(~self.kept)
        if table.merged is not None:
            return self._of_merged(table, table.merged, places)
        names = list(dict.fromkeys([*self.names, *(why for _, why in table.skipped)]))
        numbers = table.numbers[places] if table.numbers is not None else places + table.first_row
        rows = np.concatenate([numbers, [number for number, _ in table.skipped]]).astype(np.int64)
        reasons = np.concatenate([self.reason[places], [names.index(why) for _, why in table.skipped]]).astype(np.int16)
        order = np.argsort(rows, kind="stable")
        return LeftOut(tuple(names), rows[order], reasons[order])

    def _of_merged(self, table: TextTable, merged: Merged, places: NDArray[np.int64]) -> LeftOut:
        """Return rows of the tally with the rows they stand for, and those that were left out of it."""
        names = sorted({*self.names, *(why for why, _ in merged.left_out)}, key=IN_ORDER.index)
        rows = np.concatenate([places + table.first_row, np.zeros(len(merged.left_out), np.int64)])
        row_reasons = np.array([names.index(why) for why in self.names], np.int16)[self.reason[places]]
        reasons = np.concatenate([row_reasons, [names.index(why) for why, _ in merged.left_out]]).astype(np.int16)
        times = np.concatenate([merged.times[places], [count for _, count in merged.left_out]]).astype(np.int64)
        return LeftOut(tuple(names), rows, reasons, times)


@dataclass(frozen=True)
class Part:
    """Ratings of one column: codes by rating, label -1 where there is none."""

    item: Ints
    criterion: Ints
    rater: Ints
    label: Ints
    row: NDArray[np.int64]
    score: NDArray[np.float64] | None = None

    def of(self, shift: int) -> Part:
        """Return the same ratings with their raters behind `shift` others."""
        return replace(self, rater=self.rater + np.int32(shift))

    def where(self, kept: NDArray[np.bool_]) -> Part:
        """Return some of the ratings.

        Parameters
        ----------
        kept : ndarray of bool, shape (n,)
            One entry per rating.
        """
        if kept.all():
            return self
        score = None if self.score is None else self.score[kept]
        return Part(self.item[kept], self.criterion[kept], self.rater[kept], self.label[kept], self.row[kept], score)


@dataclass(frozen=True)
class Repeated:
    """Ratings that differ in nothing but the run, with codes of it; codes otherwise as in a part."""

    part: Part
    run: Ints
    names: tuple[str, ...]


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


def leave_repeated(
    account: Account,
    table: TextTable,
    proposal: Proposal,
    keys: tuple[Keys, int],
    rows: NDArray[np.int64],
    cells: Sequence[Cells],
) -> str:
    """Leave out all rows of a key but the one that counts, and return a sentence where they contradict each other.

    Parameters
    ----------
    account : Account
        Takes the rows that are left out.
    table : Table
    proposal : Proposal
    keys : (ndarray of int, shape (n,), int)
        Key of each of `rows`, and the upper end of the keys.
    rows : ndarray of int64, shape (n,)
        Rows of the table that are compared.
    cells : sequence of Cells
        What the rows of the whole table say.

    Returns
    -------
    str
        Empty where no rows contradict each other.

    Raises
    ------
    InputError
        In a tally, where no row is later than another; else as `counting_rows`.
    """
    _refuse_repeats_of_kinds(table)
    chosen = counting_rows(table, proposal.column("timestamp"), proposal.how.repeats, keys, rows, cells)
    repeated = np.zeros(table.n_rows, dtype=bool)
    repeated[rows] = chosen.place != np.arange(len(rows))
    account.leave(repeated, REPEATED_EARLIER if proposal.how.repeats == "first" else REPEATED)
    return chosen.note


def _refuse_repeats_of_kinds(table: TextTable) -> None:
    """Refuse repeats in a tally: no row is later than another.

    A count finds what repeats, but only under its own columns and labels.
    """
    if table.merged is not None:
        refuse(
            f"Under these columns and labels, rows of {brief(table.name)} give the same item, criterion and rater again, and in "
            "a tally none of them is the later one. Count its source again with these columns, or leave them as they were."
        )


def blank_rows(table: TextTable, suspects: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which of the suspected rows have nothing in any column.

    Parameters
    ----------
    table : Table
    suspects : ndarray of bool, shape (n_rows,)

    Returns
    -------
    ndarray of bool, shape (n_rows,)
    """
    blank = suspects.copy()
    for column in table.columns:
        if not blank.any():
            break
        codes, values = table.raw(column)
        empty = np.array([not str(value).strip() for value in values.take(pa.array(codes[blank])).to_pylist()], dtype=bool)
        blank[np.flatnonzero(blank)[~empty]] = False
    return blank


def row_names(numbers: NDArray[np.int64]) -> pa.StringArray:
    """Return "row 7" and so on.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n,)
        Record numbers.
    """
    return pc.binary_join_element_wise("row", pa.array(numbers).cast(pa.string()), " ")


def item_codes(table: TextTable, column: str | None, account: Account) -> tuple[Ints, pa.StringArray]:
    """Return codes of the items, byte for byte; each row its own item where no column names them.

    Parameters
    ----------
    table : Table
    column : str or None
        Names the items.
    account : Account
        Takes the rows without an id: those that are blank, and the others.

    Returns
    -------
    codes : ndarray of int32, shape (n_rows,)
    names : pa.StringArray
        Name of the item of each code.
    """
    if column is None:
        numbers = table.numbers if table.numbers is not None else np.arange(table.n_rows) + table.first_row
        return np.arange(table.n_rows, dtype=np.int32), row_names(numbers)
    codes, values = table.raw(column)
    empty = [place for place, value in _short(values) if not value.strip()]
    if empty:
        nameless = np.isin(codes, empty)
        account.leave(blank_rows(table, nameless), BLANK)
        account.leave(nameless, NO_ITEM)
    return codes, values


def _short(values: pa.StringArray) -> list[tuple[int, str]]:
    """Return values that trimming may empty; looking at the short and the blank ones is enough."""
    hits = pc.equal(pc.utf8_trim_whitespace(values), "")
    return [(int(place), values[int(place)].as_py()) for place in np.flatnonzero(np.asarray(hits))]


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
    values = np.append(numbers_of(coded.names), np.nan)
    read = values[coded.codes]
    unreadable = table.counted(np.isnan(read) & (coded.codes >= 0))
    if unreadable:
        notes.append(f"{times(unreadable, 'cell', 'cells')} of ‘{brief(column)}’ could not be read as a number.")
    return read


@dataclass
class Draft:
    """Parts of the ratings before they are put together."""

    items: pa.StringArray
    criteria: tuple[str, ...]
    raters: tuple[Rater, ...]
    parts: list[Part]
    account: Account
    notes: list[str]
    repeated: Repeated | None = None
    """Ratings of decisions that have several runs; those of them that are the verdicts are in the parts too."""


def assemble(table: TextTable, proposal: Proposal, labels: Labels, draft: Draft) -> Ratings:
    """Return ratings of a draft, with the items and raters that have any.

    Parameters
    ----------
    table : Table
    proposal : Proposal
    labels : Labels
    draft : Draft

    Raises
    ------
    InputError
        Where no row can be used, all ratings come from one rater, human and judge share no item, or the only label is a class.
    """
    check_classes(table.name, proposal.scheme)
    parts = [part.where(part.label >= 0) for part in draft.parts]
    item, criterion, rater, label, row = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("item", "criterion", "rater", "label", "row")
    )
    left_out = draft.account.left_out(table)
    if not len(item):
        reasons = "; ".join(f"{count} × {why}" for why, count in left_out.counts().items())
        columns = ", ".join(f"{role}={brief(column, 30)}" for role, column in proposal.columns)
        refuse(f"No row of {brief(table.name)} can be used: {reasons}. Check the columns: {columns}.")
    before = item
    item, items = _only_used(item, draft.items)
    used = np.bincount(rater, minlength=len(draft.raters)) > 0
    to_rater = (np.cumsum(used) - 1).astype(np.int32)
    rater = to_rater[rater]
    raters = tuple(r for r, there in zip(draft.raters, used, strict=True) if there)
    if len(raters) == 1 or not _same_rows(parts):
        _check_overlap(table, item, items, rater, raters)
    source = Source(
        table.name,
        table.sha256,
        proposal.shape,
        table.n_read,
        table.columns,
        (*table.notes, *proposal.notes, *draft.notes),
        table.first_row,
        runs="" if draft.repeated is None else "first",
        rubric=table.rubric,
        how=proposal.how,
        tallied=table.merged is not None,
        join=table.join,
        format=table.format,
        kinds=table.kinds,
    )
    return Ratings(
        source,
        proposal.scheme,
        items,
        draft.criteria,
        raters,
        labels.names,
        item,
        criterion,
        rater,
        label,
        row,
        score=_scores(parts),
        multiplicity=None if table.merged is None else _items_of_kinds(table.merged, item, row),
        left_out=left_out,
        rows_used=source.rows - left_out.n,
        table=table.data,
        columns=proposal.columns,
        numbers=table.numbers,
        runs=None if draft.repeated is None else _runs(draft.repeated, before, item, to_rater),
    )


def _items_of_kinds(merged: Merged, item: Ints, row: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return items of each kind, which all its rows give alike."""
    counts = np.zeros(int(item.max()) + 1, np.int64)
    counts[item] = merged.times[row]
    return counts


def _runs(repeated: Repeated, before: Ints, item: Ints, to_rater: Ints) -> Runs:
    """Return repeated ratings under the codes of the finished ratings, which have all their items and raters."""
    part = repeated.part
    to_item = np.zeros(int(before.max()) + 1, np.int32)
    to_item[before] = item
    return Runs(repeated.names, to_item[part.item], part.criterion, to_rater[part.rater], part.label, repeated.run, part.row)


def _only_used(item: Ints, items: pa.StringArray) -> tuple[Ints, pa.StringArray]:
    used = np.zeros(len(items), dtype=bool)
    used[item] = True
    if used.all():
        return item, items
    return (np.cumsum(used) - 1).astype(np.int32)[item], items.filter(pa.array(used))


def _scores(parts: list[Part]) -> NDArray[np.float64] | None:
    if all(part.score is None for part in parts):
        return None
    return np.concatenate([np.full(len(part.item), np.nan) if part.score is None else part.score for part in parts])


def _same_rows(parts: list[Part]) -> bool:
    """Return whether every row gives both a human's label and a verdict: its item is then shared."""
    return len(parts) == 2 and parts[0].item is parts[1].item


def _check_overlap(table: TextTable, item: Ints, items: pa.StringArray, rater: Ints, raters: tuple[Rater, ...]) -> None:
    if len(raters) == 1:
        only = brief(raters[0].name)
        refuse(
            f"Every row of {brief(table.name)} comes from ‘{only}’. Agreement needs a human and a judge on the same items."
            + worded(
                " If another file holds the others, join it with --with FILE.",
                " If another file holds the others, read both: metrics.read([first, second]).",
                " If another file holds the others, drop in both: they are joined by the item’s id.",
            )
        )
    sides = {}
    for role in ("human", "judge"):
        sides[role] = np.zeros(len(items), dtype=bool)
        sides[role][item[np.array([r.role == role for r in raters])[rater]]] = True
    human, judge = sides["human"], sides["judge"]
    if human.any() and judge.any() and not (human & judge).any():
        first = [brief(items[int(side.argmax())].as_py(), 40) for side in (judge, human)]
        refuse(
            f"The judge's {judge.sum()} items and the human's {human.sum()} items share none in {brief(table.name)}. "
            f"First ids: ‘{first[0]}’ and ‘{first[1]}’. Give both the same ids."
        )

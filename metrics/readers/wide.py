"""Wide tables: one row per item, one column per rater, or per rater and criterion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from metrics.data.ratings import Rater, Ratings, Role
from metrics.readers.building import Draft, Part, assemble, criteria_of_rows, item_codes, leave_repeats, part_of
from metrics.readers.excluded_rows import Account
from metrics.readers.label_codes import Ints, Labels
from metrics.readers.messages import brief, refuse
from metrics.readers.names import EACH_ROW
from metrics.readers.proposal import Proposal
from metrics.readers.repeats import Cells
from metrics.readers.table import NO_LABEL, TextTable

BETWEEN = "::"
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class WideColumn:
    """A column of labels: whose, and on which criterion (None where the file has none, or a column of them)."""

    column: str
    rater: str
    role: Role | None
    criterion: str | None

    @property
    def key(self) -> str:
        head = f"{self.role or 'rater'}:{self.rater}"
        return head if self.criterion is None else f"{head}{BETWEEN}{self.criterion}"


def wide_columns(columns: Mapping[str, str]) -> tuple[WideColumn, ...]:
    """Return the label columns named by keys such as `human:ana` and `judge:gpt::tone`."""
    label_columns = []
    for key, column in columns.items():
        head, mark, tail = key.partition(":")
        if not mark or head not in ("human", "judge", "rater"):
            continue
        rater, _, criterion = tail.partition(BETWEEN)
        role: Role | None = "human" if head == "human" else "judge" if head == "judge" else None
        label_columns.append(WideColumn(column, rater.strip(), role, criterion.strip() or None))
    return tuple(label_columns)


def build_wide(table: TextTable, proposal: Proposal) -> Ratings:
    account, labels, notes = Account(table.n_rows), Labels(proposal), list[str]()
    column = proposal.column("item")
    item, items = item_codes(table, None if column == EACH_ROW else column, account)
    wide = wide_columns(dict(proposal.columns))
    row_criterion, row_criteria = np.zeros(table.n_rows, dtype=np.int32), tuple[str, ...]()
    if any(column.criterion is None for column in wide):
        row_criterion, row_criteria = criteria_of_rows(table, proposal, account)
    columns = [labels.of(table, column.column, column.role, column.criterion) for column in wide]
    scores = [labels.scores(table, column.column, None, notes, column.criterion) for column in wide]
    account.leave(np.all([codes < 0 for codes in columns], axis=0), NO_LABEL)
    cells = [labels.cells(column.column, codes, score) for column, codes, score in zip(wide, columns, scores, strict=True)]
    coded = (item, row_criterion), (len(items), max(len(row_criteria), 1))
    leave_repeats(account, table, proposal, coded, list(chain.from_iterable(cells)), notes)
    raters = tuple(dict.fromkeys(Rater(column.rater, column.role) for column in wide))
    criteria = tuple(dict.fromkeys([*(column.criterion for column in wide if column.criterion), *row_criteria]))
    of_rater, of_criterion = ({name: place for place, name in enumerate(names)} for names in (raters, criteria))
    on_rows = np.array([of_criterion[name] for name in row_criteria] or [0], dtype=np.int32)[row_criterion]
    parts = []
    for wide_column, codes, score, said in zip(wide, columns, scores, cells, strict=True):
        criterion, kept = on_rows, account.kept
        if wide_column.criterion:
            criterion = np.full(table.n_rows, of_criterion[wide_column.criterion], dtype=np.int32)
            if row_criteria:
                kept = _once_an_item(table, proposal, kept, ((item,), (len(items),)), said, notes)
        rater = np.full(table.n_rows, of_rater[Rater(wide_column.rater, wide_column.role)], dtype=np.int32)
        parts.append(part_of(item, criterion, rater, codes, score, np.flatnonzero(kept)))
    _refuse_given_twice(table, wide, parts)
    return assemble(table, proposal, labels, Draft(items, criteria, raters, parts, account, notes))


def _once_an_item(
    table: TextTable, proposal: Proposal, kept: Bools, coded: tuple[tuple[Ints], tuple[int]], cells: list[Cells], notes: list[str]
) -> Bools:
    """Return of the rows of an item, each on a criterion, the one that counts for a column with its own."""
    account = Account(table.n_rows)
    account.leave(~kept | (cells[0].values < 0), NO_LABEL)
    leave_repeats(account, table, proposal, coded, cells, notes)
    return account.kept


def _refuse_given_twice(table: TextTable, wide: tuple[WideColumn, ...], parts: list[Part]) -> None:
    """Refuse a rating that one column gives on its own criterion and another by a row on it."""
    by_rows = {(column.rater, column.role): place for place, column in enumerate(wide) if column.criterion is None}
    for column, part in zip(wide, parts, strict=True):
        place = by_rows.get((column.rater, column.role))
        if column.criterion is None or place is None or not len(part.item):
            continue
        other = parts[place]
        same = np.isin(other.item, part.item) & (other.criterion == part.criterion[0])
        if same.any():
            row = int(other.row[same.argmax()])
            names = f"‘{brief(column.column, 30)}’ and ‘{brief(wide[place].column, 30)}’"
            refuse(
                f"Row {table.number(row)} of {brief(table.name)}: {names} both hold the label of {brief(column.rater, 30)} on "
                f"‘{brief(column.criterion, 30)}’. Take one of the two columns, or give one of them another rater.",
                row=table.number(row), column=column.column,
            )  # fmt: skip

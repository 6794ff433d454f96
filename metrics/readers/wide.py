"""Wide tables: one row per item, one column per rater, or per rater and criterion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.data.ratings import Rater, Ratings, Role
from metrics.readers.building import Draft, assemble, criteria_of_rows, item_codes, leave_repeats, part_of
from metrics.readers.excluded_rows import Account
from metrics.readers.label_codes import Labels
from metrics.readers.names import EACH_ROW
from metrics.readers.proposal import Proposal
from metrics.readers.table import NO_LABEL, TextTable

BETWEEN = "::"


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
    triples = zip(wide, columns, scores, strict=True)
    cells = [cells for column, codes, score in triples for cells in labels.cells(column.column, codes, score)]
    coded = (item, row_criterion), (len(items), max(len(row_criteria), 1))
    leave_repeats(account, table, proposal, coded, cells, notes)
    rows = np.flatnonzero(account.kept)
    raters = tuple(dict.fromkeys(Rater(column.rater, column.role) for column in wide))
    criteria = tuple(dict.fromkeys([*(column.criterion for column in wide if column.criterion), *row_criteria]))
    of_rater, of_criterion = ({name: place for place, name in enumerate(names)} for names in (raters, criteria))
    parts = []
    for wide_column, codes, score in zip(wide, columns, scores, strict=True):
        criterion_code = of_criterion[wide_column.criterion] if wide_column.criterion else None
        criterion = row_criterion if criterion_code is None else np.full(table.n_rows, criterion_code, dtype=np.int32)
        shift = 0 if criterion_code is not None or not row_criteria else of_criterion[row_criteria[0]]
        rater = np.full(table.n_rows, of_rater[Rater(wide_column.rater, wide_column.role)], dtype=np.int32)
        parts.append(part_of(item, criterion + np.int32(shift), rater, codes, score, rows))
    return assemble(table, proposal, labels, Draft(items, criteria, raters, parts, account, notes))

"""Rubrics written for one item: criteria of which each stands on an item of its own, so that no criterion has numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.intervals.methods import PLACES
from metrics.readers.crossing import BETWEEN, with_joint
from metrics.readers.names import EACH_ROW
from metrics.readers.proposal import Proposal
from metrics.readers.table import TextTable
from metrics.results.words import count

FEWEST = 50
"""Criteria up to which each is read for itself, though it stands on one item."""
LEAST_OWN, LEAST_EACH = 0.9, 2
"""Share of criteria that stand on one item only, and criteria of an item on average: else the column may be an item's id."""
HEAD = 20_000
"""Rows that mostly tell that criteria stand on several items."""


@dataclass(frozen=True)
class OwnCriteria:
    """The columns of item and criterion of a table whose criteria are those of single items.

    Attributes
    ----------
    item, criterion : str
    made : str
        Column that names both, by which every decision is an item of its own.
    n : int
        Criteria.
    """

    item: str
    criterion: str
    made: str
    n: int

    @property
    def note(self) -> str:
        """What becomes of them, as a sentence."""
        return (
            f"{count(self.n)} criteria, most on one item only: every decision counts as an item of its own, no number is made by "
            f"criterion, and intervals of a judge leave out whole groups by ‘{self.together}’."
        )

    @property
    def together(self) -> str:
        """Column whose groups are the items of the file; one that is called as a unit is has another name."""
        return f"whole {self.item}" if self.item in PLACES else self.item

    def columns(self, columns: Mapping[str, str]) -> dict[str, str]:
        """Return the columns by their roles, the one that names both in the place of item and criterion."""
        return {role: self.made if role == "item" else name for role, name in columns.items() if role != "criterion"}

    def columns_of_file(self, columns: Mapping[str, str]) -> dict[str, str]:
        """Return the columns of the file by their roles, from those that `columns` returns."""
        return {
            "item": self.item,
            "criterion": self.criterion,
            **{role: name for role, name in columns.items() if role != "item"},
        }

    def table(self, table: TextTable) -> TextTable:
        """Return the table with the column that names both; an item without a criterion has its own name."""
        item, criterion = (_text(table, column) for column in (self.item, self.criterion))
        both = pc.binary_join_element_wise(item, criterion, BETWEEN)
        alone = pc.equal(pc.utf8_trim_whitespace(criterion), "")
        data = table.data.append_column(self.made, pc.if_else(alone, item, both))
        if self.together not in table.columns:
            data = data.append_column(self.together, item)
        return replace(table, data=data, memo={})


def own_criteria(table: TextTable, columns: Mapping[str, str]) -> OwnCriteria | None:
    """Return that criteria are those of single items; None where they are not, or are few.

    On a criterion of one item κ is undefined whatever the judge does, so that its numbers by criterion would say nothing.

    Parameters
    ----------
    table : TextTable
    columns : mapping of role to column
    """
    item, criterion = columns.get("item"), columns.get("criterion")
    if item is None or item == EACH_ROW or criterion is None or len(table.raw(criterion)[1]) <= FEWEST:
        return None
    return memoised(table, ("own criteria", item, criterion), lambda: _own(table, item, criterion))


def _own(table: TextTable, item: str, criterion: str) -> OwnCriteria | None:
    coded, items = table.coded(criterion), table.raw(item)[0].astype(np.int64)
    n = len(coded.names)
    for rows in (slice(HEAD), slice(None)):
        both = np.unique(items[rows] * (n + 1) + coded.codes[rows] + 1) % (n + 1) - 1
        if (np.bincount(both[both >= 0], minlength=n) > 1).mean() > 1 - LEAST_OWN:
            return None
    if len(both) < LEAST_EACH * len(np.unique(items)):
        return None
    made = f"{item} and {criterion}"
    while made in table.columns:
        made += "′"
    return OwnCriteria(item, criterion, made, n)


def with_own_criteria(table: TextTable, proposal: Proposal) -> tuple[TextTable, Proposal, OwnCriteria | None]:
    """Return the table and its proposal with the items as proposed: where the criteria are those of items, every decision."""
    table = with_joint(table, dict(proposal.columns))
    own = None if proposal.shape == "counts" else own_criteria(table, dict(proposal.columns))
    if own is None:
        return table, proposal, None
    return own.table(table), replace(proposal, columns=tuple(own.columns(dict(proposal.columns)).items())), own


def kept_together(ratings: Ratings, own: OwnCriteria | None, proposal: Proposal, inputs: str) -> Ratings:
    """Return the ratings, with the column whose groups intervals leave out, and the columns of the file as proposed.

    Parameters
    ----------
    ratings : Ratings
    own : OwnCriteria or None
    proposal : Proposal
    inputs : str
        Column of what several items are outputs of; empty where there is none.
    """
    if own is None:
        return replace(ratings, source=replace(ratings.source, together=inputs)) if inputs else ratings
    return replace(ratings, source=replace(ratings.source, together=own.together, columns_of_file=proposal.columns))


def _text(table: TextTable, column: str) -> pa.Array:
    codes, values = table.raw(column)
    return values.take(pa.array(codes))

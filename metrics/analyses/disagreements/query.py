"""A list of items as it is asked for: filtered, searched, sorted, and which filter leaves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.analyses.disagreements.listing import Ints, Listing, Mask, Rows
from metrics.data.item_columns import LONGEST
from metrics.data.item_texts import free_columns, item_texts
from metrics.data.memo import memoised, memoised_last
from metrics.data.pairs import cells_of
from metrics.data.ratings import Ratings
from metrics.data.reasons import cells_where

Sort = Literal["clearest", "file", "most"]
Filter = Literal["cell", "criterion", "column", "search"]
NOTHING: dict[Filter, dict[str, object]] = {
    "cell": {"cell": None}, "criterion": {"criterion": ""}, "column": {"column": "", "value": ""}, "search": {"search": ""},
}  # fmt: skip
"""What each filter is where it is not used."""
MOST_VALUES = 200
"""Different values of a column that can be chosen from."""


@dataclass(frozen=True)
class Query:
    """What is asked of a list; every filter counts.

    Attributes
    ----------
    rows : Rows
    cell : (int, int) or None
        Reference and judge on the axis of the mode.
    criterion, search : str
        Empty for all.
    column, value : str
        A column of the file and its value there; empty for all.
    sort : {"clearest", "file", "most"}
        Clearest disagreement first, as in the file, or most disputed criteria first.
    """

    rows: Rows
    cell: tuple[int, int] | None = None
    criterion: str = ""
    column: str = ""
    value: str = ""
    search: str = ""
    sort: Sort = "clearest"

    @property
    def filters(self) -> tuple[Filter, ...]:
        """Filters in use beside the rows."""
        used: dict[Filter, bool] = {
            "cell": self.cell is not None, "criterion": bool(self.criterion), "column": bool(self.column and self.value),
            "search": bool(self.search.strip()),
        }  # fmt: skip
        return tuple(name for name, is_used in used.items() if is_used)


@dataclass(frozen=True, eq=False)
class Matches:
    """The items of a list in their order, and the decisions for which each is on it.

    Attributes
    ----------
    items : ndarray of int64, shape (n,)
        Places in `Ratings.items`.
    decisions : ndarray of int64, shape (m,)
        Cells, by item in the order of the list, then the clearest first.
    starts : ndarray of int64, shape (n + 1,)
        Where the decisions of each item begin.
    disputed : ndarray of int64, shape (n,)
        Disputed criteria of each item, on the list or not.
    n : int
        Decisions; at the item level items.
    """

    items: Ints
    decisions: Ints
    starts: Ints
    disputed: Ints
    n: int

    def of(self, place: int) -> Ints:
        """Return the decisions for which one item of the list is on it."""
        return self.decisions[self.starts[place] : self.starts[place + 1]]


def find(listing: Listing, query: Query) -> Matches:
    """Return the list that is asked for.

    Parameters
    ----------
    listing : Listing
    query : Query
        Of rows that the listing has.
    """
    cells = listing.cells
    mask = _mask(listing, query)
    chosen = np.flatnonzero(mask)
    rank = listing.rank(query.rows)[chosen]
    chosen = chosen[np.argsort(rank, kind="stable")]
    items, first, group = np.unique(cells.item[chosen].astype(np.int64), return_index=True, return_inverse=True)
    of_item = cells.item[listing.disputed(query.rows)]
    disputed = np.bincount(of_item, minlength=listing.ratings.n_unique)[items]
    keys: dict[Sort, tuple[Ints, ...]] = {"clearest": (first,), "file": (items,), "most": (first, -disputed)}
    order = np.lexsort(keys[query.sort])
    place = np.empty(len(items), np.int64)
    place[order] = np.arange(len(items))
    decisions = chosen[np.argsort(place[group], kind="stable")]
    n_of_item = np.bincount(place[group], minlength=len(items))
    starts = np.concatenate([[0], np.cumsum(n_of_item)])
    return Matches(items[order], decisions, starts, disputed[order], listing.count(mask))


def position(listing: Listing, matches: Matches, item: str) -> int | None:
    """Return place of an item in a list, by its id; None where it is not there."""
    place = listing.ratings.items.index(item).as_py()
    there = np.flatnonzero(matches.items == place)
    return int(there[0]) if len(there) else None


def cells_in_use(listing: Listing) -> tuple[tuple[int, int], ...]:
    """Return cells of the table of both sides that have decisions: errors first, the commonest first; none of numbers."""
    if listing.judge is None or not listing.labels:
        return ()
    k = len(listing.labels)
    reference, judge = (side[listing.settled] for side in listing.judge.counted)
    table = np.bincount(reference * k + judge, minlength=k * k)
    row, column = np.divmod(np.flatnonzero(table), k)
    order = np.lexsort((-table[row * k + column], row == column))
    return tuple((int(row[at]), int(column[at])) for at in order)


def _mask(listing: Listing, query: Query) -> Mask:
    mask = listing.kinds[query.rows].copy()
    for own in _filters(listing, query):
        mask &= own
    return mask


def _filters(listing: Listing, query: Query) -> Iterator[NDArray[np.bool_]]:
    if query.cell is not None and listing.judge is not None:
        reference, judge = listing.judge.counted
        yield (reference == query.cell[0]) & (judge == query.cell[1])
    if query.criterion:
        names = listing.ratings.criteria
        yield listing.cells.criterion == (names.index(query.criterion) if query.criterion in names else -1)
    if query.column and query.value:
        yield with_value(listing.ratings, query.column, query.value)
    if query.search.strip():
        yield with_text(listing.ratings, query.search)


def loosened(listing: Listing, query: Query) -> dict[Filter, int]:
    """Return how many items there would be without each filter in use; that is which of them leaves nothing.

    Parameters
    ----------
    listing : Listing
    query : Query
    """
    without = {name: replace(query, **NOTHING[name]) for name in query.filters}  # type: ignore[arg-type]
    return {name: listing.n_items(_mask(listing, other)) for name, other in without.items()}


def with_text(ratings: Ratings, text: str) -> Mask:
    """Return decisions with a text in the id of their item, in a column of the file without a role, or in a reason.

    The text is taken as it stands, upper and lower case alike.

    Parameters
    ----------
    ratings : Ratings
    text : str
        Blanks around it do not count; without any letter every decision has it.

    Returns
    -------
    ndarray of bool, shape (n_cells,)
    """
    wanted = text.strip()
    if not wanted:
        return np.ones(len(cells_of(ratings)), bool)
    return memoised_last(ratings, ("found text",), (wanted,), lambda: _with_text(ratings, wanted))


def _with_text(ratings: Ratings, wanted: str) -> Mask:
    def has(texts: pa.Array) -> pa.Array:
        return pc.match_substring(texts, wanted, ignore_case=True)

    found = cells_where(pa.chunked_array([ratings.items]), has)[cells_of(ratings).item]
    if ratings.table is None:
        return found
    rows = np.zeros(ratings.table.num_rows, bool)
    for name in free_columns(ratings):
        rows |= cells_where(ratings.table[name], has)
    hits = rows[ratings.row]
    if ratings.reason_columns is not None:
        places = ratings.reason_columns.place[ratings.rater, ratings.criterion]
        for place, name in enumerate(ratings.reason_columns.names):
            hits |= (places == place) & cells_where(ratings.table[name], has)[ratings.row]
    found[cells_of(ratings).of_rating[hits]] = True
    return found


def with_value(ratings: Ratings, column: str, value: str) -> Mask:
    """Return decisions with a rating whose row has a value in a column of the file, shape (n_cells,).

    Parameters
    ----------
    ratings : Ratings
    column, value : str
        As they stand in the file; of a column that is not there, no decision.
    """
    found = np.zeros(len(cells_of(ratings)), bool)
    if ratings.table is None or column not in ratings.table.column_names:
        return found

    def same(texts: pa.Array) -> pa.Array:
        return pc.equal(texts, pa.scalar(value, texts.type))

    found[cells_of(ratings).of_rating[cells_where(ratings.table[column], same)[ratings.row]]] = True
    return found


def columns_with_values(ratings: Ratings) -> dict[str, list[str]]:
    """Return columns of the file without a role that group its rows, and their values, the commonest first.

    Left out are texts of the items, a column with one value only, one with a value of its own in every row, or with more than
    `MOST_VALUES`, and one with a sentence among its values.
    """
    return memoised(ratings, ("columns with values",), lambda: _columns_with_values(ratings))


def _columns_with_values(ratings: Ratings) -> dict[str, list[str]]:
    columns: dict[str, list[str]] = {}
    texts = item_texts(ratings)
    for name in free_columns(ratings):
        if name in texts or ratings.table is None:
            continue
        counted = pc.value_counts(ratings.table[name].cast(pa.string()))
        pairs = zip(counted.field("values").to_pylist(), counted.field("counts").to_pylist(), strict=True)
        times = {value: n for value, n in pairs if value is not None and value.strip()}
        if 1 < len(times) <= MOST_VALUES and max(times.values()) > 1 and max(map(len, times)) <= LONGEST:
            columns[name] = sorted(times, key=lambda value: (-times[value], value))
    return columns

"""Columns that ride along with ratings: what they hold, and the value of each rating and item there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.item_texts import LONG, LOOKED_AT, free_columns
from metrics.data.memo import memoised
from metrics.data.pairs import cells_of
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.results import words

Kind = Literal["values", "numbers", "times", "length"]
"""A few values, numbers, times, or texts of which the length says something."""
Within = Literal["item", "decision", "rating"]
Codes = NDArray[np.int64]
FEW_VALUES = 12
"""Different numbers up to which each is a group of its own; more are put into bins."""
MOST_VALUES = 40
"""Values up to which a column groups items: more have too few items each to be chosen from a list."""
LEAST_GIVEN, LONGEST = 0.5, 60
"""Share of ratings with a value, and letters of a value: what few rows say, or a sentence, is a remark and groups nothing."""
ROLES = ("prompt", "run", "timestamp")
"""Roles of columns that say something of the answer or of when it was judged, not who said what."""
SHOWN = 12
"""Names that a refusal lists."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")


@dataclass(frozen=True, eq=False)
class Spread:
    """The value of every rating, as a code into the values of a column; -1 where there is none.

    Attributes
    ----------
    of_rating : ndarray of int64, shape (n_ratings,)
        A rating without a value follows its item; where items have several, its decision.
    of_item : ndarray of int64, shape (n_unique,), or None
        None where an item has several values.
    within : {"item", "decision", "rating"}
        Within what the value is the same.
    clash : int
        Where raters of a decision have different values, a rating with another than its decision; else -1.
    of_clash : int
        The value that its decision has beside.
    """

    of_rating: Codes
    of_item: Codes | None
    within: Within
    clash: int = -1
    of_clash: int = -1


def columns_beside(ratings: Ratings) -> list[str]:
    """Return columns that say something of items: those without a role, and those of the prompt, the run and the time."""
    if ratings.table is None or not ratings.has_items:
        return []
    roles = {name: role for role, name in ratings.columns}
    free = set(free_columns(ratings))
    return [name for name in ratings.table.column_names if name in free or roles.get(name) in ROLES]


def named_column(ratings: Ratings, wanted: str, purpose: str) -> str:
    """Return the name of a column as the file has it, whatever its case and blanks.

    Parameters
    ----------
    ratings : Ratings
    wanted : str
    purpose : str
        What the column is asked for, as in "group by".

    Raises
    ------
    InputError
        For a table of counts and an unknown column.
    """
    file = ratings.source.name
    if ratings.table is None or not ratings.has_items:
        raise InputError(f"{file}: a table of counts has no column to {purpose}.")
    names = ratings.table.column_names
    alike = [wanted] if wanted in names else [each for each in names if each.strip().lower() == wanted.strip().lower()]
    if len(alike) == 1:
        return alike[0]
    there = [words.shorten(each) for each in columns_beside(ratings)]
    known = words.listed(there, SHOWN) if there else "none beside items, raters and labels"
    raise InputError(f"{file}: no column is called ‘{words.shorten(wanted)}’. Columns to {purpose}: {known}.", column=wanted)


def encoded_column(ratings: Ratings, column: str) -> tuple[Codes, list[str]]:
    """Return the values of a column.

    Returns
    -------
    codes : ndarray of int64, shape (n_rows,)
        Of every row of the table.
    values : list of str
        What the codes stand for, trimmed, in order; an empty one is no value.
    """
    return memoised(ratings, ("encoded column", column), lambda: _encoded(ratings, column))


def kind_of_column(ratings: Ratings, column: str) -> Kind:
    """Return what a column holds, found by its cells."""
    return memoised(ratings, ("kind of column", column), lambda: _kind(ratings, column))


def spread(ratings: Ratings, codes: Codes) -> Spread:
    """Return the value of every rating and item.

    Parameters
    ----------
    ratings : Ratings
    codes : ndarray of int64, shape (n_rows,)
        Value of every row of the table; -1 where it has none.
    """
    rows, item_of_row = memoised(ratings, ("rows with their items",), lambda: _rows_with_items(ratings))
    of_item, differs = common_value(item_of_row, codes[rows], ratings.n_unique)
    if not differs.size:
        return Spread(of_item[ratings.item], of_item, "item")
    given = codes[ratings.row]
    cells = cells_of(ratings)
    of_cell, differs = common_value(cells.of_rating, given, len(cells))
    if not differs.size:
        return Spread(of_cell[cells.of_rating], None, "decision")
    rating = int(differs[0])
    return Spread(given, None, "rating", rating, int(of_cell[cells.of_rating[rating]]))


def _rows_with_items(ratings: Ratings) -> tuple[Codes, Codes]:
    """Return the rows that hold ratings, each once for an item of it, and that item: fewer than there are ratings."""
    item = ratings.item.astype(np.int64)
    of_row = np.full(int(ratings.row.max(initial=-1)) + 1, -1, np.int64)
    of_row[ratings.row] = item
    if (of_row[ratings.row] != item).any():
        return ratings.row, item
    rows = np.flatnonzero(of_row >= 0)
    return rows, of_row[rows]


def common_value(place: Codes, given: Codes, size: int) -> tuple[Codes, Codes]:
    """Return the one value at every place, -1 without any, and the ratings that have another one.

    Parameters
    ----------
    place : ndarray of int64, shape (n,)
        Item or decision of every rating, below `size`.
    given : ndarray of int64, shape (n,)
        Value of every rating; -1 for none.
    size : int
    """
    common = np.full(size, -1, np.int64)
    if len(given) and given.min() >= 0:
        common[place] = given
        return common, np.flatnonzero(given != common[place])
    there = np.flatnonzero(given >= 0)
    common[place[there]] = given[there]
    return common, there[given[there] != common[place[there]]]


def values_by_item(ratings: Ratings, column: str) -> list[str | None]:
    """Return the value of a column for every item, shape (n_unique,); None where an item has none, or several.

    Raises
    ------
    InputError
        For an unknown column.
    """
    column = named_column(ratings, column, "take values of")
    values, made = column_spread(ratings, column)
    of_item = made.of_item
    if of_item is None:
        item = ratings.item.astype(np.int64)
        common, _ = common_value(item, made.of_rating, ratings.n_unique)
        several = np.unique(item[(made.of_rating >= 0) & (made.of_rating != common[item])])
        of_item = common
        of_item[several] = -1
    return [values[code] if code >= 0 else None for code in of_item.tolist()]


def column_spread(ratings: Ratings, column: str) -> tuple[list[str], Spread]:
    """Return the values of a column that are not empty, in order, and that of every rating and item.

    Parameters
    ----------
    ratings : Ratings
    column : str
        By its name in the file.
    """
    return memoised(ratings, ("column spread", column), lambda: _column_spread(ratings, column))


def is_of_items(ratings: Ratings, column: str) -> bool:
    """Return whether no item has two values in a column."""
    return column_spread(ratings, column)[1].within == "item"


def values_to_filter_by(ratings: Ratings) -> dict[str, tuple[str, ...]]:
    """Return columns with a few values that group items, each with its values in order: what a page offers to filter by.

    A column counts where it has two values or more, at most `MOST_VALUES`, and at most one for every two items; most ratings
    have one, and none of them is a sentence.
    """
    return memoised(ratings, ("values to filter by",), lambda: _values_to_filter_by(ratings))


def numbers_in(values: Sequence[str]) -> NDArray[np.float64] | None:
    """Return texts as numbers; None unless every one is a finite number."""
    try:
        numbers = np.array([float(value) for value in values])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def are_times(values: Sequence[str]) -> bool:
    """Return whether all texts are dates, or dates with times, that begin with the year."""
    return bool(values) and all(_DATE.fullmatch(value) for value in values)


def _column_spread(ratings: Ratings, column: str) -> tuple[list[str], Spread]:
    codes, distinct = encoded_column(ratings, column)
    there = np.array([value != "" for value in distinct], bool)
    return [value for value in distinct if value], spread(ratings, np.where(there, np.cumsum(there) - 1, -1)[codes])


def _encoded(ratings: Ratings, column: str) -> tuple[Codes, list[str]]:
    assert ratings.table is not None
    coded = ratings.table[column].cast(pa.string()).combine_chunks().dictionary_encode()
    trimmed = ["" if value is None else value.strip() for value in coded.dictionary.to_pylist()] + [""]
    distinct = sorted(set(trimmed))
    places = {value: place for place, value in enumerate(distinct)}
    lookup = np.array([places[value] for value in trimmed], np.int64)
    return lookup[np.asarray(coded.indices.fill_null(len(trimmed) - 1), np.int64)], distinct


def _kind(ratings: Ratings, column: str) -> Kind:
    values = [value for value in encoded_column(ratings, column)[1] if value]
    if len(values) <= FEW_VALUES:
        return "values"
    if numbers_in(values) is not None:
        return "numbers"
    if are_times(values):
        return "times"
    assert ratings.table is not None
    lengths = pc.utf8_length(ratings.table[column].slice(0, LOOKED_AT).cast(pa.string()))
    return "length" if (pc.approximate_median(lengths).as_py() or 0) >= LONG else "values"


def _values_to_filter_by(ratings: Ratings) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for column in columns_beside(ratings):
        if not _may_group(ratings, column):
            continue
        if kind_of_column(ratings, column) != "values":
            continue
        values, made = column_spread(ratings, column)
        used = np.unique(made.of_rating[made.of_rating >= 0])
        names = [values[code] for code in used.tolist()]
        mostly = np.count_nonzero(made.of_rating >= 0) >= LEAST_GIVEN * len(made.of_rating)
        if mostly and 1 < len(used) <= MOST_VALUES and len(used) * 2 <= ratings.n_items and max(map(len, names)) <= LONGEST:
            out[column] = _in_order(names)
    return out


def _may_group(ratings: Ratings, column: str) -> bool:
    """Return whether a column has few values, without making every text of a long one Python's own."""
    assert ratings.table is not None
    whole = ratings.table[column]
    for part in (whole.slice(0, LOOKED_AT), whole):
        if pc.count_distinct(part.cast(pa.string())).as_py() > 2 * MOST_VALUES:
            return False
    return True


def _in_order(values: Sequence[str]) -> tuple[str, ...]:
    """Return values by number where all are numbers, else as they are."""
    numbers = numbers_in(values)
    key: Callable[[int], float] = float if numbers is None else numbers.__getitem__
    return tuple(values[place] for place in sorted(range(len(values)), key=key))

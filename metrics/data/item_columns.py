"""Columns that ride along with ratings: what they hold, and the value of each rating and item there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

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
Codes = NDArray[np.integer[Any]]
FEW_VALUES = 12
"""Different numbers up to which each is a group of its own; more are put into bins."""
MOST_VALUES = 40
"""Values up to which a column groups items: more have too few items each to be chosen from a list."""
MOST_STORED = 2 * MOST_VALUES
"""Different cells up to which a column is looked at, for blanks around them make one value two."""
LEAST_GIVEN, LONGEST = 0.5, 60
"""Share of ratings with a value, and letters of a value: what few rows say, or a sentence, is a remark and groups nothing."""
ROLES = ("prompt", "run", "timestamp")
"""Roles of columns that say something of the answer or of when it was judged, not who said what."""
SHOWN = 12
"""Names that a refusal lists."""
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?")
_YEAR = "((?:19|20)[0-9]{2})"
"""Of a month, which an id as 1001-02 would otherwise be."""
_MONTH = re.compile(rf"(?:{_YEAR}[-/. ]?)?(0[1-9]|1[0-2]|q[1-4]|[a-z]{{3,9}})\.?(?:[-/. ]?{_YEAR})?")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Spread:
    """The value of every rating, as a code into the values of a column; -1 where there is none.

    Attributes
    ----------
    known : ndarray of int, shape (n,)
        The value of every item, decision or rating.
    place : ndarray of int, shape (n_ratings,), or None
        Where each rating stands among these; None where they are the ratings.
    within : {"item", "decision", "rating"}
        Within what the value is the same.
    clash : int
        Where raters of a decision have different values, a rating with another than its decision; else -1.
    of_clash : int
        The value that its decision has beside.
    """

    known: Codes
    place: Codes | None
    within: Within
    clash: int = -1
    of_clash: int = -1

    @property
    def of_item(self) -> Codes | None:
        """The value of every item, shape (n_unique,); None where an item has several."""
        return self.known if self.within == "item" else None

    @cached_property
    def _times(self) -> NDArray[np.int64]:
        return np.bincount(self.known + 1)

    def times(self, n: int) -> NDArray[np.int64]:
        """Return how many of those known have no value, and how many each of n values, shape (n + 1,)."""
        out = np.zeros(n + 1, np.int64)
        out[: len(self._times)] = self._times
        return out

    @cached_property
    def of_rating(self) -> Codes:
        """Of every rating, shape (n_ratings,): one without a value follows its item; where items have several, its decision."""
        return self.known if self.place is None else self.known[self.place]


@dataclass(frozen=True, eq=False)
class _Encoded:
    """A column as it is stored, and what its codes stand for once they are trimmed.

    Attributes
    ----------
    stored : ndarray of int, shape (n_rows,)
    places : ndarray of int32, shape (n_stored,)
        Place of each stored value among the trimmed ones.
    values : list of str
        Trimmed, in order; an empty one is no value.
    """

    stored: Codes
    places: NDArray[np.int32]
    values: list[str]

    @cached_property
    def given(self) -> NDArray[np.int32]:
        """Place of each stored value among those that are not empty; -1 for an empty one."""
        there = np.array([value != "" for value in self.values], bool)
        return np.where(there, np.cumsum(there) - 1, -1).astype(np.int32)[self.places]


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
    codes : ndarray of int32, shape (n_rows,)
        Of every row of the table.
    values : list of str
        What the codes stand for, trimmed, in order; an empty one is no value.
    """
    coded = _encoded(ratings, column)
    return coded.places[coded.stored], coded.values


def values_of_column(ratings: Ratings, column: str) -> list[str]:
    """Return the different values of a column that are not empty, trimmed, in order."""
    return [value for value in _encoded(ratings, column).values if value]


def values_of_rows(ratings: Ratings, column: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return the values of a column that are not empty, and the place of each row's among them, without keeping either.

    Returns
    -------
    list of str
        Trimmed, in order.
    ndarray of int64, shape (n_rows,)
        -1 where a cell is empty.
    """
    coded = _trimmed(*_of_store(ratings, column))
    return [value for value in coded.values if value], coded.given.astype(np.int64)[coded.stored]


def kind_of_column(ratings: Ratings, column: str) -> Kind:
    """Return what a column holds, found by its cells."""
    return memoised(ratings, ("kind of column", column), lambda: _kind(ratings, column))


def _spread(ratings: Ratings, coded: _Encoded) -> Spread:
    """Return the value of every rating and item."""
    rows, item = memoised(ratings, ("rows with their items",), lambda: _rows_with_items(ratings))
    given = coded.given.take(coded.stored)
    of_item, differs = common_value(item, given[rows], ratings.n_unique)
    if not differs.size:
        return Spread(of_item, ratings.item, "item")
    given = given[ratings.row]
    cells = cells_of(ratings)
    of_cell, differs = common_value(cells.of_rating, given, len(cells))
    if not differs.size:
        return Spread(of_cell, cells.of_rating, "decision")
    rating = int(differs[0])
    return Spread(given, None, "rating", rating, int(of_cell[cells.of_rating[rating]]))


def _rows_with_items(ratings: Ratings) -> tuple[Codes | slice, Codes]:
    """Return rows that hold ratings, and their items: each row once where all its ratings are of one item."""
    assert ratings.table is not None
    of_row = np.full(ratings.table.num_rows, -1, np.intp)  # of the type by which arrays are indexed without a copy
    of_row[ratings.row] = ratings.item
    if (of_row[ratings.row] != ratings.item).any():
        return ratings.row, ratings.item
    there = of_row >= 0
    return (slice(None), of_row) if there.all() else (np.flatnonzero(there), of_row[there])


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
    common = np.full(size, -1, given.dtype)
    if len(given) and given.min() >= 0:
        common[place] = given
        return common, np.flatnonzero(given != common.take(place))
    there = np.flatnonzero(given >= 0)
    common[place[there]] = given[there]
    return common, there[given[there] != common[place[there]]]


def column_spread(ratings: Ratings, column: str) -> tuple[list[str], Spread]:
    """Return the values of a column that are not empty, in order, and that of every rating and item.

    Parameters
    ----------
    ratings : Ratings
    column : str
        By its name in the file.
    """
    return memoised(ratings, ("column spread", column), lambda: _column_spread(ratings, column))


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
    """Return whether all texts are dates, or dates with times, that begin with the year, or all are months or quarters."""
    return bool(values) and all(map(day_of, values))


def day_of(value: str) -> str:
    """Return the day with which a date, a month (2026-01, 01/2026, Jan 2026) or a quarter (2026-Q1) begins; empty for others."""
    if _DATE.fullmatch(value):
        return value[:10] if _is_of_calendar(value[:10]) else ""
    found = _MONTH.fullmatch(value.lower())
    if found is None or bool(found[1]) == bool(found[3]):
        return ""
    part = found[2]
    months = [place for place, name in enumerate(_MONTHS, start=1) if name.startswith(part)]
    month = int(part) if part.isdigit() else 3 * int(part[1]) - 2 if part[1].isdigit() else sum(months)
    return f"{found[1] or found[3]}-{month:02}-01" if month else ""


def are_as_written(times: Sequence[str]) -> bool:
    """Return whether times are groups as they are written: a few, and months or quarters, however many."""
    return len(times) <= FEW_VALUES or not any(map(_DATE.fullmatch, times))


def _is_of_calendar(day: str) -> bool:
    try:
        np.datetime64(day)
    except ValueError:
        return False
    return True


def _column_spread(ratings: Ratings, column: str) -> tuple[list[str], Spread]:
    coded = _encoded(ratings, column)
    return [value for value in coded.values if value], _spread(ratings, coded)


def _stored(ratings: Ratings, column: str) -> tuple[pa.Array, Codes]:
    """Return different cells of a column as they are stored, each in use, and the place of each row's among them."""
    return memoised(ratings, ("stored column", column), lambda: _of_store(ratings, column))


def _of_store(ratings: Ratings, column: str) -> tuple[pa.Array, Codes]:
    assert ratings.table is not None
    whole = ratings.table[column]
    if not pa.types.is_dictionary(whole.type):
        whole = whole.cast(pa.string()).combine_chunks().dictionary_encode()
    elif whole.num_chunks == 1:
        whole = whole.chunk(0)
    else:
        whole = whole.unify_dictionaries().combine_chunks()
    cells, places = whole.dictionary.cast(pa.string()), whole.indices
    if places.null_count or cells.null_count:
        places = places.fill_null(len(cells))
        cells = pa.concat_arrays([cells.fill_null(""), pa.array([""], pa.string())])
    place, used = places.to_numpy(zero_copy_only=False), np.zeros(len(cells), bool)
    for part in (place[:LOOKED_AT], place):
        used[part] = True
        if used.all():
            return cells, place
    # Of a part of a file, the dictionary may name what the whole holds.
    return cells.filter(pa.array(used)), (np.cumsum(used) - 1).astype(np.int32)[place]


def _encoded(ratings: Ratings, column: str) -> _Encoded:
    return memoised(ratings, ("encoded column", column), lambda: _trimmed(*_stored(ratings, column)))


def _trimmed(cells: pa.Array, stored: Codes) -> _Encoded:
    trimmed = [value.strip() for value in cells.to_pylist()]
    values = sorted(set(trimmed))
    places = {value: place for place, value in enumerate(values)}
    return _Encoded(stored, np.array([places[value] for value in trimmed], np.int32), values)


def _kind(ratings: Ratings, column: str) -> Kind:
    values = values_of_column(ratings, column)
    if numbers_in(values) is not None:
        return "numbers" if len(values) > FEW_VALUES else "values"
    if are_times(values):
        return "times"
    if len(values) <= FEW_VALUES:
        return "values"
    assert ratings.table is not None
    if (pc.max(pc.utf8_length(_stored(ratings, column)[0])).as_py() or 0) < LONG:
        return "values"
    lengths = pc.utf8_length(ratings.table[column].slice(0, LOOKED_AT).cast(pa.string()))
    return "length" if (pc.approximate_median(lengths).as_py() or 0) >= LONG else "values"


def _values_to_filter_by(ratings: Ratings) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for column in columns_beside(ratings):
        if not _may_group(ratings, column):
            continue
        kind, written = kind_of_column(ratings, column), values_of_column(ratings, column)
        groups = kind == "values" or (kind == "times" and are_as_written(written))
        if not groups or len(written) > MOST_STORED:
            continue
        values, made = column_spread(ratings, column)
        times = made.times(len(values))
        if times[0]:
            times = np.bincount(made.of_rating + 1, minlength=len(values) + 1)
        used = np.flatnonzero(times[1:])
        names = [values[code] for code in used.tolist()]
        mostly = times[1:].sum() >= LEAST_GIVEN * times.sum()
        if mostly and 1 < len(used) <= MOST_VALUES and len(used) * 2 <= ratings.n_items and max(map(len, names)) <= LONGEST:
            out[column] = _in_order(names)
    return out


def _may_group(ratings: Ratings, column: str) -> bool:
    """Return whether a column has few values, without making every text of a long one Python's own."""
    assert ratings.table is not None
    whole = ratings.table[column]
    if (
        not pa.types.is_dictionary(whole.type)
        and pc.count_distinct(whole.slice(0, LOOKED_AT).cast(pa.string())).as_py() > MOST_STORED
    ):
        return False
    return len(_stored(ratings, column)[0]) <= MOST_STORED


def _in_order(values: Sequence[str]) -> tuple[str, ...]:
    """Return values by number where all are numbers, else as they are."""
    numbers = numbers_in(values)
    key: Callable[[int], float] = float if numbers is None else numbers.__getitem__
    return tuple(values[place] for place in sorted(range(len(values)), key=key))

"""Which decisions have a text somewhere, or a value in a column of the file."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.item_columns import LONGEST
from metrics.data.item_texts import free_columns, item_texts
from metrics.data.memo import memoised, memoised_last
from metrics.data.pairs import cells_of
from metrics.data.ratings import Ratings
from metrics.data.reasons import cells_where

Mask = NDArray[np.bool_]
MOST_VALUES = 200
"""Different values of a column that can be chosen from."""


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

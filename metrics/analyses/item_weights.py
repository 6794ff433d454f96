"""The weight of each item: one over the chance that it was drawn, in a column `weight`."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.readers.measuring import numbers_of
from metrics.readers.messages import brief


def item_weights(ratings: Ratings) -> FloatArray | None:
    """Return the weight of every item, shape (n_unique,); None where `why_unused` says why.

    Raises
    ------
    InputError
        For a weight of an item that is no number above 0, with its row.
    """
    weights = _weights(ratings)
    return None if isinstance(weights, str) else weights


def why_unused(ratings: Ratings) -> str:
    """Return why every decision counts once although a column is named weight; empty where it is used, or there is none."""
    if not column_of(ratings):
        return ""
    weights = _weights(ratings)
    return weights if isinstance(weights, str) else ""


def column_of(ratings: Ratings) -> str:
    """Return the column of weights; empty without one."""
    return dict(ratings.columns).get("weight", "")


def _weights(ratings: Ratings) -> FloatArray | str:
    return memoised(ratings, ("item weights",), lambda: _read_weights(ratings))


def _read_weights(ratings: Ratings) -> FloatArray | str:
    """Return the weights of items, or why there are none: those of criteria differ within an item."""
    column = column_of(ratings)
    if not column or ratings.table is None or not ratings.has_rows or column not in ratings.table.column_names:
        return "it is not a weight of items"
    encoded = ratings.table[column].cast(pa.string()).combine_chunks().dictionary_encode()
    codes = np.asarray(encoded.indices.fill_null(len(encoded.dictionary)))[ratings.row]
    of_item = np.zeros(ratings.n_unique, np.int64)
    of_item[ratings.item] = codes
    if (of_item[ratings.item] != codes).any():
        return "it differs within an item"
    if len(np.unique(codes)) < 2:
        return "all items weigh the same"
    values = np.append(numbers_of(encoded.dictionary.to_pylist()), np.nan)
    wrong = np.flatnonzero(~(np.isfinite(values[codes]) & (values[codes] > 0)))
    if len(wrong):
        row, name = int(ratings.record_numbers(ratings.row[wrong[:1]])[0]), brief(ratings.source.name)
        raise InputError(
            f"{name}, row {row}: a weight must be a number above 0, one over the chance that the item was drawn. "
            f"Mend column ‘{brief(column)}’."
        )
    return np.asarray(values[of_item])

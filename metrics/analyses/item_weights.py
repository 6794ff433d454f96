"""The weight of each item: one over the chance that it was drawn, in a column `weight`."""

from __future__ import annotations

import numpy as np

from metrics.data.item_columns import Codes, common_value, encoded_column
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


def without_weight(ratings: Ratings) -> int:
    """Return how many items that people labelled have no weight in any of several files, and so stand for themselves alone."""
    if item_weights(ratings) is None:
        return 0
    of_item, _ = _codes(ratings, column_of(ratings))
    humans = np.array([rater.role == "human" for rater in ratings.raters])[ratings.rater]
    labelled = np.unique(ratings.item[humans & (ratings.state != ratings.scheme.state("missing"))])
    return int(ratings.weight[labelled][of_item[labelled] < 0].sum())


def _read_weights(ratings: Ratings) -> FloatArray | str:
    """Return the weights of items, or why there are none: those of criteria differ within an item."""
    column = column_of(ratings)
    if not column or ratings.table is None or not ratings.has_rows or column not in ratings.table.column_names:
        return "it is not a weight of items"
    of_item, codes = _codes(ratings, column)
    if (of_item[ratings.item] != codes)[codes >= 0].any():
        return "it differs within an item"
    distinct = encoded_column(ratings, column)[1]
    values = np.append(numbers_of(distinct), 1.0 if ratings.source.join is not None else np.nan)
    if len(np.unique(of_item)) < 2 and of_item[0] >= 0:
        return "all items weigh the same"
    given = values[of_item[ratings.item]]
    wrong = np.flatnonzero(~(np.isfinite(given) & (given > 0)))
    if len(wrong):
        row, name = int(ratings.record_numbers(ratings.row[wrong[:1]])[0]), brief(ratings.source.name)
        raise InputError(
            f"{name}, row {row}: a weight must be a number above 0, one over the chance that the item was drawn. "
            f"Mend column ‘{brief(column)}’."
        )
    return np.asarray(values[of_item])


def _codes(ratings: Ratings, column: str) -> tuple[Codes, Codes]:
    """Return the weight of every item and of every rating, as places among the values of the column; -1 where there is none.

    Of several files one may hold the weights: a rating without one has that of its item.
    """
    codes, distinct = encoded_column(ratings, column)
    given = codes[ratings.row]
    if ratings.source.join is not None:
        given = np.where(np.array([value == "" for value in distinct])[given], -1, given)
    of_item, _ = common_value(ratings.item.astype(np.int64), given, ratings.n_unique)
    return of_item, given

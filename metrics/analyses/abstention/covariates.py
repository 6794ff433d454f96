"""What a column of the file says beside a judge's verdicts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.data.pairs import cell_ratings
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray


def texts_beside(ratings: Ratings, judge: str, cells: NDArray[np.int64], role: str) -> tuple[list[str], NDArray[np.int64]] | None:
    """Return the trimmed values of the column of a role in order, and the value of each cell.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    cells : ndarray of int64, shape (n,)
        (item, criterion) cells of the ratings that the judge rated.
    role : str
        Role of the column, such as `prompt` or `confidence`.

    Returns
    -------
    (list of str, ndarray of int64, shape (n,)) or None
        Distinct values, and the place of each cell's value among them, -1 where it is empty; None where no column has the role.
    """
    column = dict(ratings.columns).get(role)
    if column is None or ratings.table is None:
        return None
    coded = ratings.table[column].cast("string").combine_chunks().dictionary_encode()
    trimmed = ["" if value is None else value.strip() for value in coded.dictionary.to_pylist()]
    values = sorted(set(trimmed) - {""})
    number = {value: place for place, value in enumerate(values)}
    lookup = np.array([*(number.get(value, -1) for value in trimmed), -1], np.int64)
    of_row = lookup[np.asarray(coded.indices.fill_null(len(trimmed)), np.int64)]
    return values, of_row[ratings.row[cell_ratings(ratings, judge, "judge")[cells]]]


def numbers_beside(ratings: Ratings, judge: str, cells: NDArray[np.int64], role: str) -> FloatArray | None:
    """Return the values of the column of a role as numbers.

    Parameters
    ----------
    ratings, judge, cells, role
        As in `texts_beside`.

    Returns
    -------
    ndarray, shape (n,), or None
        NaN where a cell holds no finite number; None where no cell does.
    """
    texts = texts_beside(ratings, judge, cells, role)
    if texts is None:
        return None
    values, which = texts
    numbers = np.array([*(_number(value) for value in values), np.nan])[which]
    return None if np.isnan(numbers).all() else numbers


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return float("nan")
    return value if np.isfinite(value) else float("nan")

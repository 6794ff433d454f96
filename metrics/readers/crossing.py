"""Item and criterion found by what the columns hold: an id that stands once for each value of a second column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from metrics.readers.table import TextTable

MOST_CRITERIA = 30
"""Different values up to which a column is taken for that of the criterion."""
LEAST_CROSSED = 0.9
"""Share of all pairs of item and criterion that have a row of their own; less is a grid by chance."""


def repeats(table: TextTable, columns: Iterable[str]) -> bool:
    """Return whether two rows say the same in all these columns."""
    return len(np.unique(_keys(table, list(columns)))) < table.n_rows


def criterion_of(table: TextTable, keys: Sequence[str], free: Iterable[str]) -> str | None:
    """Return the column that tells apart rows which are alike in the columns of item and judge; None unless it is one only.

    Parameters
    ----------
    table : Table
    keys : sequence of str
        Columns of item, judge and rater, as far as there are any.
    free : iterable of str
        Columns without a role.
    """
    if not repeats(table, keys):
        return None
    found = [column for column in free if _is_few(table, column) and _is_crossed(table, keys, column)]
    return found[0] if len(found) == 1 else None


def item_and_criterion_of(table: TextTable, keys: Sequence[str], free: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of item and criterion; None unless exactly two columns can be they.

    Parameters
    ----------
    table : Table
    keys : sequence of str
        Columns of judge and rater, as far as there are any.
    free : sequence of str
        Columns without a role.
    """
    found = [
        (item, criterion)
        for item in free
        for criterion in free
        if item != criterion
        and _is_few(table, criterion)
        and _n_values(table, item) > _n_values(table, criterion)
        and _is_crossed(table, [item, *keys], criterion)
    ]
    return found[0] if len(found) == 1 else None


def _n_values(table: TextTable, column: str) -> int:
    return len(table.raw(column)[1])


def _is_few(table: TextTable, column: str) -> bool:
    return 2 <= _n_values(table, column) <= min(MOST_CRITERIA, table.n_rows // 2)


def _is_crossed(table: TextTable, keys: Sequence[str], criterion: str) -> bool:
    """Return whether every key has one row for each criterion, or nearly so."""
    full = len(np.unique(_keys(table, keys))) * _n_values(table, criterion)
    return not repeats(table, [*keys, criterion]) and table.n_rows >= LEAST_CROSSED * full


def _keys(table: TextTable, columns: Sequence[str]) -> np.ndarray:
    """Return one number per row, shape (n,), alike where two rows say the same in all columns."""
    keys = np.zeros(table.n_rows, np.int64)
    for column in columns:
        codes, values = table.raw(column)
        keys = np.unique(keys * len(values) + codes, return_inverse=True)[1]
    return keys

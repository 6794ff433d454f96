"""Repeated keys among many rows, without sorting where the keys are dense."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metrics.readers.table import Table

Keys = NDArray[np.int32] | NDArray[np.int64]
Rows = NDArray[np.int64]


def compact(keys: Keys, size: int) -> tuple[Keys, int]:
    """The keys as they are if a flat table of them is affordable, else renumbered."""
    if size <= max(16 * len(keys), 1 << 20):
        return keys, size
    distinct, inverse = np.unique(keys, return_inverse=True)
    return inverse.reshape(-1), len(distinct)


def is_unique(keys: Keys, size: int) -> bool:
    seen = np.zeros(size, dtype=bool)
    seen[keys] = True
    return int(np.count_nonzero(seen)) == len(keys)


def first_rows(keys: Keys, size: int) -> Rows:
    """For each place, the first place with the same key."""
    place = np.empty(size, dtype=np.int64)
    place[keys[::-1]] = np.arange(len(keys) - 1, -1, -1)
    return place[keys]


def last_rows(keys: Keys, size: int, times: NDArray[np.float64] | None = None) -> Rows:
    """For each place, the place with the same key that is latest in time, else last."""
    order = np.arange(len(keys)) if times is None else np.argsort(np.nan_to_num(times, nan=-np.inf), kind="stable")
    place = np.empty(size, dtype=np.int64)
    place[keys[order]] = order
    return place[keys]


def times_of(table: Table, column: str | None, rows: Rows) -> NDArray[np.float64] | None:
    """Times of rows by a column of time stamps, NaN where there is none; None without such a column."""
    if column is None:
        return None
    coded = table.coded(column)
    found: NDArray[np.float64] = np.append(parse_times(coded.names), np.nan)[coded.codes[rows]]
    return found


def parse_times(texts: tuple[str, ...]) -> NDArray[np.float64]:
    """Time stamps as seconds; NaN where unreadable."""
    series = pd.Series(texts, dtype="object").str.strip('"')
    numbers = pd.to_numeric(series, errors="coerce")
    stamps = pd.to_datetime(series.where(numbers.isna()), errors="coerce", utc=True, format="mixed")
    # in microseconds, for nanoseconds reach back to 1678 only
    seconds = (stamps.dt.as_unit("us") - pd.Timestamp(0, tz="UTC").as_unit("us")) / pd.Timedelta(seconds=1)
    return np.asarray(numbers.fillna(seconds), dtype=np.float64)

"""Repeated keys among many rows, without sorting where the keys are dense."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metrics.asker import flag, worded
from metrics.data.read_options import Repeats
from metrics.readers.dates import day_first
from metrics.readers.messages import brief, refuse, times
from metrics.readers.names import EACH_ROW
from metrics.readers.table import TextTable

Keys = NDArray[np.int32] | NDArray[np.int64]
Rows = NDArray[np.int64]
VERSIONS = re.compile(r"(.*[^a-z])?(version|prompt|run|epoch|trial|attempt|repeat|iteration|release|revision)s?", re.IGNORECASE)
"""What a column is called that tells versions of a judge apart."""
MOST_KEYS = 1 << 62
"""Beyond them a key of several codes would not fit into 64 bits."""


@dataclass(frozen=True, eq=False)
class Cells:
    """What the rows say in one column: equal values say the same, NaN or -1 where a row says nothing."""

    column: str
    values: NDArray[Any]
    text: Callable[[int], str]


@dataclass(frozen=True, eq=False)
class Counting:
    """Of rows with one key the one that counts, by place among `rows`, and a sentence where others contradict it."""

    place: Rows
    note: str


def check_repeats(given: str) -> Repeats:
    """Return the stated choice.

    Raises
    ------
    InputError
        For anything but refuse, last and first.
    """
    if given not in get_args(Repeats):
        refuse(f"‘{brief(given)}’ does not say which of repeated rows counts. Say {', '.join(get_args(Repeats))}.")
    return cast(Repeats, given)


def counting_rows(
    table: TextTable,
    stamp: str | None,
    repeats: str,
    keys: tuple[Keys, int],
    rows: Rows,
    cells: Sequence[Cells],
    *,
    of_both: bool = False,
) -> Counting:
    """Return which of the rows with one key counts: the latest by the clock, else the last or the first where that was said.

    Parameters
    ----------
    table : Table
    stamp : str or None
        Column of the times.
    repeats : str
        "last", "first", or empty where nobody said.
    keys : ndarray of int, shape (n,), and their upper end
    rows : ndarray of int64, shape (n,)
        Rows of the table that the keys belong to.
    cells : sequence of Cells
        What the rows of the whole table say.
    of_both : bool
        Whether a row holds all labels of its item, so that each may be an item of its own.

    Raises
    ------
    InputError
        Where rows contradict each other, no time tells which is later, and nobody said which counts.
    """
    key, size = keys
    when = times_of(table, stamp, rows)
    clock = None if when is None else np.nan_to_num(when, nan=-np.inf)
    place = (first_rows if repeats == "first" else last_rows)(key, size, clock)
    differs = np.zeros(len(rows), bool)
    for column_cells in cells:
        differs |= _differ(column_cells.values[rows], column_cells.values[rows[place]])
    if not differs.any():
        return Counting(place, "")
    if not repeats:
        open_rows = differs if clock is None else differs & (clock == clock[place])
        if open_rows.any():
            n_more = len(np.unique(key[open_rows])) - 1
            _refuse_contradiction(table, stamp, rows[place], rows, (int(open_rows.argmax()), n_more), cells, of_both)
    given = table.counted(np.isin(np.arange(table.n_rows), rows[differs]))
    if repeats:
        why = f"the {repeats} {'row' if clock is None else f'by ‘{brief(stamp, 30)}’'} counts, as stated"
    else:
        why = f"the latest by ‘{brief(stamp, 30)}’ counts"
    return Counting(place, f"{times(given, 'row contradicts', 'rows contradict')} another row for the same rating: {why}.")


def _differ(values: NDArray[Any], others: NDArray[Any]) -> NDArray[np.bool_]:
    differ: NDArray[np.bool_] = values != others
    return differ if values.dtype.kind != "f" else differ & ~(np.isnan(values) & np.isnan(others))


def _refuse_contradiction(
    table: TextTable,
    stamp: str | None,
    counting: Rows,
    rows: Rows,
    first_and_more: tuple[int, int],
    cells: Sequence[Cells],
    of_both: bool,
) -> None:
    here, n_more = first_and_more
    more = f" So do those of {times(n_more, 'rating', 'ratings')} more." if n_more else ""
    pair = np.sort([rows[here], counting[here]])
    column_cells = next(cells for cells in cells if _differ(cells.values[pair[:1]], cells.values[pair[1:]])[0])
    texts = [brief(column_cells.text(int(row)) or "nothing", 40) for row in pair]
    clock = worded("--columns timestamp=COLUMN", 'columns={"timestamp": "COLUMN"}', "")
    if stamp is not None:
        when = f"‘{brief(stamp, 30)}’ does not say which is later"
    else:
        when = f"Name a column of times ({clock}) and the latest counts" if clock else "No column ‘timestamp’ says which is later"
    say = worded(
        "Or say which row counts: --repeats last, or --repeats first.",
        'Or say which row counts: repeats="last", or repeats="first".',
        "Choose which row counts.",
    )
    each = flag("--columns", {"item": EACH_ROW}, "choose so at Item")
    own = f" Or, if each row is an item of its own: {each}." if of_both and each else ""
    refuse(
        f"{table.rows_words(int(pair[0]), int(pair[1]))} give the same rating twice, "
        f"and differ in ‘{brief(column_cells.column, 30)}’: "
        f"‘{texts[0]}’, then ‘{texts[1]}’.{more} {when}. {say}{_versions(table, pair)}{own} "
        "Or take out the row that no longer holds.",
        row=table.number(int(pair[1])),
        column=column_cells.column,
        about="repeats",
    )


def _versions(table: TextTable, pair: Rows) -> str:
    """Return which column may tell versions apart, by its name; empty where both rows have the same in every such one."""
    for column in table.columns:
        if VERSIONS.fullmatch(column.strip()) is None:
            continue
        first, second = (int(code) for code in table.coded(column).codes[pair])
        if first != second and min(first, second) >= 0:
            name = brief(column, 30)
            columns = flag("--columns", {"run": name})
            keeps = worded(
                f"{columns} keeps each, and --by {name} compares them", f"{columns} keeps each", "say that it holds the run"
            )
            return f" Or, where ‘{name}’ tells versions of the judge apart: {keeps}."
    return ""


def key_of(codes: Sequence[NDArray[np.int32]], sizes: Sequence[int]) -> tuple[Keys, int]:
    """Return one key of several codes, and the upper end of the keys.

    Parameters
    ----------
    codes : sequence of ndarray of int32, shape (n,)
        From 0, each below its size.
    sizes : sequence of int

    Returns
    -------
    keys : ndarray of int32 or int64, shape (n,)
    size : int
        Every key is below it.
    """
    whole = math.prod(sizes)
    key: NDArray[Any] = codes[0].astype(np.int32 if whole < 1 << 31 else np.int64)
    so_far = sizes[0]
    for code, size in zip(codes[1:], sizes[1:], strict=True):
        if size > 1:
            if so_far * size > MOST_KEYS:
                key, so_far = compact(key, so_far)
            key *= size
            key += code
            so_far *= size
    return compact(key, so_far)


def compact(keys: Keys, size: int) -> tuple[Keys, int]:
    """Return the keys as they are if a flat table of them is affordable, else renumbered.

    Parameters
    ----------
    keys : ndarray of int, shape (n,)
        From 0, below `size`.
    size : int

    Returns
    -------
    keys : ndarray of int, shape (n,)
    size : int
        Every key is below it.
    """
    if size <= max(16 * len(keys), 1 << 20):
        return keys, size
    distinct, inverse = np.unique(keys, return_inverse=True)
    return inverse.reshape(-1), len(distinct)


def is_unique(keys: Keys, size: int) -> bool:
    """Return whether no key stands twice.

    Parameters
    ----------
    keys : ndarray of int, shape (n,)
        From 0, below `size`.
    size : int
    """
    seen = np.zeros(size, dtype=bool)
    seen[keys] = True
    return int(np.count_nonzero(seen)) == len(keys)


def first_rows(keys: Keys, size: int, clock: NDArray[np.float64] | None = None) -> Rows:
    """Return for each place the place with the same key that is earliest by the clock, else first.

    Parameters
    ----------
    keys : ndarray of int, shape (n,)
        From 0, below `size`.
    size : int
    clock : ndarray of float64, shape (n,), optional
        Time at each place; NaN is the earliest. Of equal times the first place counts.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    return _last_in(_in_time(keys, clock)[::-1], keys, size)


def last_rows(keys: Keys, size: int, clock: NDArray[np.float64] | None = None) -> Rows:
    """Return for each place the place with the same key that is latest by the clock, else last.

    Parameters
    ----------
    keys : ndarray of int, shape (n,)
        From 0, below `size`.
    size : int
    clock : ndarray of float64, shape (n,), optional
        Time at each place; NaN is the earliest. Of equal times the last place counts.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    return _last_in(_in_time(keys, clock), keys, size)


def _in_time(keys: Keys, clock: NDArray[np.float64] | None) -> Rows:
    return np.arange(len(keys)) if clock is None else np.argsort(np.nan_to_num(clock, nan=-np.inf), kind="stable")


def _last_in(order: Rows, keys: Keys, size: int) -> Rows:
    place = np.empty(size, dtype=np.int64)
    place[keys[order]] = order
    return place[keys]


def times_of(table: TextTable, column: str | None, rows: Rows) -> NDArray[np.float64] | None:
    """Return times of rows by a column of time stamps.

    Parameters
    ----------
    table : Table
    column : str or None
    rows : ndarray of int64, shape (n,)
        Rows of the table.

    Returns
    -------
    ndarray of float64, shape (n,), or None
        In seconds, or as the numbers that the cells hold; NaN where there is none that can be read. None without a column.
    """
    if column is None:
        return None
    coded = table.coded(column)
    row_times: NDArray[np.float64] = np.append(parse_times(coded.names), np.nan)[coded.codes[rows]]
    return row_times


def parse_times(texts: tuple[str, ...]) -> NDArray[np.float64]:
    """Return time stamps as seconds, and numbers as they are; NaN where unreadable."""
    series = pd.Series(day_first([text.strip('"') for text in texts]), dtype="object")
    numbers = pd.to_numeric(series, errors="coerce")
    stamps = pd.to_datetime(series.where(numbers.isna()), errors="coerce", utc=True, format="mixed")
    # in microseconds, for nanoseconds reach back to 1678 only
    seconds = (stamps.dt.as_unit("us") - pd.Timestamp(0, tz="UTC").as_unit("us")) / pd.Timedelta(seconds=1)
    return np.asarray(numbers.fillna(seconds), dtype=np.float64)

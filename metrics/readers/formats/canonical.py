"""The table that every format becomes: one row per rating, with the columns that `metrics.read` takes without asking."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, repeat

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.vocabulary import Kind
from metrics.readers.dates import day_first
from metrics.readers.frames import storable, texts
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.messages import brief, refuse
from metrics.readers.names import ALSO, ROLES, fold_name
from metrics.readers.table import TextTable, encoded

COLUMNS = ("item", "criterion", "rater", "role", "label", "score", "timestamp", "prompt", "run", "reason", "status")
FAILED, SKIPPED = "judge call failed", "skipped"
"""Labels of a call that failed and of an item that a person skipped, where the file has an empty cell."""
_NOTHING: Mapping[str, str] = {}
REQUIRED = frozenset({"item", "criterion", "rater", "role", "label", "status"})
STATUSES = frozenset({"ok", "abstain", "error"})
WRITTEN = "a table of ratings with the status of each"
"""What a file in the long form is called."""
# Days that every month has; the few others are read one by one.
_UTC = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$"
_RESERVED = frozenset({*ROLES, *ALSO, *COLUMNS})


class Rows:
    """Ratings of nested records, one after the other, and what was left out of them."""

    def __init__(self, name: str, limits: Limits = LIMITS) -> None:
        self.name = name
        self.notes: list[str] = []
        self.order: tuple[str, ...] = ()
        self.kinds: dict[str, Kind] = {}
        self._limits = limits
        self._rows: list[tuple[str, ...]] = []
        self._riding: list[Mapping[str, str]] = []
        self._rides = array("q")
        self._left: list[tuple[int, str]] = []
        self._numbers: list[int] = []
        self._next = 1

    def add(
        self,
        item: str,
        criterion: str,
        rater: str,
        role: str,
        label: str = "",
        score: str = "",
        *,
        timestamp: str = "",
        prompt: str = "",
        run: str = "",
        reason: str = "",
        status: str = "ok",
        more: Mapping[str, str] | None = None,
    ) -> None:
        """Add one rating.

        Parameters
        ----------
        item, criterion, rater : str
        role : str
            human, judge, code, or the tool's own word where somebody must say which.
        label, score : str
            As in the file; either may be empty.
        timestamp : str
            As in the file; one that is no time is left empty.
        prompt, run, reason : str
        status : "ok", "abstain" or "error"
            What an empty label is.
        more : mapping of str to str, optional
            Columns that ride along; of one item the same mapping for all its ratings, which is kept once.
        """
        self._rows.append((item, criterion, rater, role, label, score, timestamp, prompt, run, reason, status))
        more = _NOTHING if more is None else more
        if not self._riding or more is not self._riding[-1]:
            self._riding.append(more)
        self._rides.append(len(self._riding) - 1)
        self._numbers.append(self._next)
        self._next += 1

    def leave(self, why: str) -> None:
        """Leave out one rating."""
        self._left.append((self._next, why))
        self._next += 1

    def note(self, sentence: str) -> None:
        """Say once what was assumed, or what the file lacks."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    @property
    def n(self) -> int:
        """Ratings so far."""
        return len(self._numbers)

    def table(self, sha256: str, notes: Sequence[str], skipped: Sequence[tuple[int, str]] = ()) -> TextTable:
        """Return the ratings as a table of text.

        Parameters
        ----------
        sha256 : str
        notes : sequence of str
            How the file was read.
        skipped : sequence of (line, reason)
            Lines that held no record.

        Raises
        ------
        InputError
            Where no rating is left, or more than the limits.
        """
        if not self.n:
            reasons = "; ".join(sorted({why for _, why in self._left}))
            refuse(f"{brief(self.name)} holds no rating{f': {reasons}' if reasons else ''}.")
        others = list(dict.fromkeys(chain.from_iterable(self._riding)))
        self._limits.check_size(self.n, len(COLUMNS) + len(others), self.name)
        cells = dict(zip(COLUMNS, zip(*self._rows, strict=True), strict=True))
        size = sum(sum(map(len, values)) for values in chain(cells.values(), (more.values() for more in self._riding)))
        self._limits.check_bytes(size, self.name)
        columns = {column: texts(values) for column, values in cells.items()}
        columns["timestamp"] = moments(columns["timestamp"])
        places = pa.array(self._rides)
        columns |= dict.fromkeys(map(safe_name, others))
        for name in reversed(others):  # of two names that became one, the first counts
            columns[safe_name(name)] = texts([more.get(name, "") for more in self._riding]).dictionary_encode().take(places)
        left = [*self._left, *((self._next + place, why) for place, (_, why) in enumerate(skipped))]
        table = TextTable(
            self.name,
            sha256,
            pa.table(columns),
            1,
            np.array(self._numbers, np.int64) if left else None,
            tuple(left),
            (*notes, *self.notes),
            corner="item",
            kinds=tuple(self.kinds.items()),
            order=self.order,
        )
        return with_status(table)


def is_canonical(table: TextTable) -> bool:
    """Return whether a table is in the long form already, as ratings are written, with a status in every row."""
    if table.merged is not None or not set(table.columns) >= REQUIRED:
        return False
    return set(table.coded("status").names) <= STATUSES


def as_canonical(table: TextTable) -> TextTable:
    """Return a table in the long form as one of a known format; a column of roles without any is none."""
    if not table.coded("role").names:
        table = replace(table, data=table.data.drop_columns(["role"]), memo={})
    return replace(with_status(table), format=WRITTEN)


@lru_cache(maxsize=4096)
def safe_name(column: str) -> str:
    """Return the name of a column that rides along, told apart from those of the ratings."""
    return storable(f"file.{column}" if fold_name(column) in _RESERVED else column)


def with_status(table: TextTable) -> TextTable:
    """Return a canonical table whose empty labels say what their status is, and whose labels mean it."""
    status, label, score = (text(table, column) for column in ("status", "label", "score"))
    bare = is_in(label, "") & is_in(score, "")
    for word, synthetic in (("error", FAILED), ("abstain", SKIPPED)):
        label = chosen(bare & is_in(status, word), synthetic, label)
    kinds = dict(table.kinds) | _stated_kinds(label, status)
    return replace(table, data=set_column(table.data, "label", compacted(label)), kinds=tuple(kinds.items()), memo={})


def _stated_kinds(label: pa.DictionaryArray, status: pa.DictionaryArray) -> dict[str, Kind]:
    """Return what labels mean whose every row has the same status, other than ok."""
    names, words = label.dictionary.to_pylist(), status.dictionary.to_pylist()
    statuses: dict[str, set[str]] = {}
    for pair in pc.unique(pa.array(np.asarray(label.indices, np.int64) * len(words) + status.indices)).to_pylist():
        statuses.setdefault(names[pair // len(words)], set()).add(words[pair % len(words)])
    means: dict[str, Kind] = {"error": "error", "abstain": "abstention"}
    return {
        name: means[next(iter(words))]
        for name, words in statuses.items()
        if name and len(words) == 1 and next(iter(words)) in means
    }


def text(table: TextTable, column: str) -> pa.DictionaryArray:
    """Return the cells of a column as codes into its texts, trimmed; empty ones where the table has no such column."""
    if column not in table.columns:
        return everywhere("", table.n_rows)
    cells = encoded(table.data[column]).combine_chunks()
    return changed(cells, pc.utf8_trim_whitespace(cells.dictionary))


def everywhere(word: str, rows: int) -> pa.DictionaryArray:
    """Return a column that says the same in every row."""
    return pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), pa.array([word], pa.string()))


def changed(cells: pa.DictionaryArray, values: pa.StringArray) -> pa.DictionaryArray:
    """Return cells with others in the place of their distinct values; those that became equal are one value.

    Parameters
    ----------
    cells : pa.DictionaryArray
    values : pa.StringArray
        One for each value of its dictionary.
    """
    if values.equals(cells.dictionary):
        return cells
    coded = values.dictionary_encode()
    return pa.DictionaryArray.from_arrays(coded.indices.take(cells.indices), coded.dictionary)


def compacted(cells: pa.Array) -> pa.DictionaryArray:
    """Return cells whose dictionary names their values alone, as they first appear."""
    coded = cells.dictionary_encode()
    codes = coded.indices.dictionary_encode()
    return pa.DictionaryArray.from_arrays(codes.indices, coded.dictionary.take(codes.dictionary))


def chosen(rows: NDArray[np.bool_], cells: pa.Array | str, others: pa.Array | str) -> pa.DictionaryArray:
    """Return the cells of these rows, and the others of all other rows; one word stands for a column of it.

    Parameters
    ----------
    rows : ndarray of bool, shape (n_rows,)
    cells, others : pa.Array, length n_rows, or str
    """
    first, second = (
        everywhere(side, len(rows)) if isinstance(side, str) else side.dictionary_encode() for side in (cells, others)
    )
    if rows.all() or not rows.any():
        return first if rows.any() else second
    values = pa.concat_arrays([first.dictionary, second.dictionary]).dictionary_encode()
    places = np.where(rows, first.indices, np.asarray(second.indices) + len(first.dictionary))
    return pa.DictionaryArray.from_arrays(values.indices.take(pa.array(places)), values.dictionary)


def beneath(rows: NDArray[np.bool_], outer: pa.Array, inner: pa.Array, others: pa.Array) -> pa.DictionaryArray:
    """Return `outer/inner` in these rows, and the others in all other rows.

    Parameters
    ----------
    rows : ndarray of bool, shape (n_rows,)
    outer, inner, others : pa.Array, length n_rows
    """
    return chosen(rows, joined("/", outer, inner), others) if rows.any() else others


def joined(between: str, *columns: pa.Array) -> pa.StringArray:
    """Return the cells of several columns as one text in each row."""
    return pc.binary_join_element_wise(*(cells.cast(pa.string()) for cells in columns), between)


def first_filled(*columns: pa.Array) -> pa.Array:
    """Return of each row the first cell that is not empty."""
    *others, last = columns
    for cells in reversed(others):
        last = chosen(is_in(cells, ""), last, cells)
    return last


def mapped(cells: pa.Array, function: Callable[[str], str]) -> pa.DictionaryArray:
    """Return cells changed by a function, which is called once for each distinct one."""
    coded = cells.dictionary_encode()
    return changed(coded, texts(function(value) for value in coded.dictionary.to_pylist()))


def iso(moment: str) -> str:
    """Return a time as UTC to the second; empty where it is none. Numbers are seconds, or milliseconds, since 1970."""
    plain = moment.strip().strip('"')
    if not plain:
        return ""
    if "." in plain[1:3]:
        plain = day_first([plain])[0]
    try:
        if plain.replace(".", "", 1).isdigit():
            seconds = float(plain)
            when = datetime.fromtimestamp(seconds / 1000 if seconds > 1e11 else seconds, UTC)
        else:
            when = datetime.fromisoformat(plain)
        when = when if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{when.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def moments(cells: pa.Array) -> pa.Array:
    """Return times as UTC to the second; those that are written so already are only cut."""
    coded = cells.dictionary_encode()
    values = coded.dictionary
    others = pc.invert(pc.match_substring_regex(values, _UTC))
    cut = pc.binary_join_element_wise(pc.utf8_slice_codeunits(values, 0, 19), "Z", "")
    return changed(coded, pc.replace_with_mask(cut, others, texts(map(iso, values.filter(others).to_pylist()))))


def set_column(data: pa.Table, column: str, cells: pa.Array) -> pa.Table:
    """Return a table with a column set or added."""
    place = data.schema.get_field_index(column)
    return data.append_column(column, cells) if place < 0 else data.set_column(place, column, cells)


def canonical(
    table: TextTable,
    columns: Mapping[str, pa.Array],
    left: Sequence[tuple[str, NDArray[np.bool_]]] = (),
    notes: Sequence[str] = (),
    *,
    ordered: bool = False,
) -> TextTable:
    """Return a flat table of ratings under canonical names, its own columns riding along behind them.

    Parameters
    ----------
    table : TextTable
    columns : mapping of canonical column to pa.Array, shape (n_rows,)
        Those of `COLUMNS` that are not named are empty; `status` is "ok".
    left : sequence of (reason, ndarray of bool, shape (n_rows,))
        Rows that are no ratings; the first reason counts.
    notes : sequence of str
    ordered : bool
        The values of a column keep the order in which its dictionary names them.

    Raises
    ------
    InputError
        Where no row is a rating.
    """
    blank, ok = (everywhere(word, table.n_rows) for word in ("", "ok"))
    cells = [columns.get(column, ok if column == "status" else blank).dictionary_encode() for column in COLUMNS]
    others = [name for name in table.columns if name not in COLUMNS]
    data = pa.table([*cells, *(table.data[name] for name in others)], names=[*COLUMNS, *map(safe_name, others)])
    kept, skipped = np.ones(table.n_rows, bool), list(table.skipped)
    numbers = table.record_numbers
    for why, rows in left:
        skipped += zip(numbers[rows & kept].tolist(), repeat(why), strict=False)
        kept &= ~rows
    if not kept.any():
        refuse(f"{brief(table.name)} holds no rating: {'; '.join(dict.fromkeys(why for _, why in skipped))}.")
    if not kept.all():
        data, numbers = data.filter(pa.array(kept)), numbers[kept]
    for place, column in enumerate(() if ordered else COLUMNS):
        data = data.set_column(place, column, compacted(data[column].combine_chunks()))
    skipped.sort()
    known = replace(
        table, data=data, numbers=numbers if skipped else None, skipped=tuple(skipped), notes=(*table.notes, *notes),
        corner="item", memo={},
    )  # fmt: skip
    return with_status(known)


def is_in(cells: pa.Array, *values: str) -> NDArray[np.bool_]:
    """Return the rows whose cell is one of these values."""
    return _of_values(cells, lambda distinct: pc.is_in(distinct, pa.array(values, pa.string())))


def matching(cells: pa.Array, pattern: str) -> NDArray[np.bool_]:
    """Return the rows whose cell holds a regular expression."""
    return _of_values(cells, lambda distinct: pc.match_substring_regex(distinct, pattern))


def _of_values(cells: pa.Array, holds: Callable[[pa.StringArray], pa.BooleanArray]) -> NDArray[np.bool_]:
    """Return the rows of whose value something holds; each distinct one is looked at once."""
    coded = cells.dictionary_encode()
    rows: NDArray[np.bool_] = np.asarray(holds(coded.dictionary), bool)[np.asarray(coded.indices)]
    return rows

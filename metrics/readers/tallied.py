"""Files of tallies -> Table.

A tally is a Parquet file. Its rows are those of one example item of every kind of items that are alike, in the columns of the
source (as text, trimmed, an empty cell ""), with the ids `kind 1`, `kind 2`, … in the column of the item, and a column of whole
numbers that says in every row how many items the kind stands for. The key `kappascope.tally` of its metadata holds JSON:

- `version`: 1
- `source`: name of what was counted
- `rows`, `items`: how many it had
- `times`: the column that says how many items a kind stands for
- `columns`: role to column, as `--columns` takes it; the order of its keys is that of the raters of a wide table
- `orders`: column to its names, without the empty one; no cell holds anything else. Names of the first 100,000 rows (of CSV at
  most the first 32 MB) keep their order; others follow by name
- `left_out`: pairs of a reason and the number of rows that were left out for it
- `grid`: column to the step its numbers were rounded to
- `kept`: columns above the item
- `without`: columns of the source that have a role and are not in the tally; may be missing
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.readers.excluded_rows import IN_ORDER, NO_JUDGE
from metrics.readers.json_records import parsed
from metrics.readers.limits import EXACT
from metrics.readers.messages import brief, refuse
from metrics.readers.names import fold_name
from metrics.readers.table import Merged, TextTable
from metrics.results.words import count, listed

KEY = b"kappascope.tally"
VERSION = 1
REASONS = frozenset(IN_ORDER) - {NO_JUDGE}


def is_tally(table: pa.Table) -> bool:
    return KEY in (table.schema.metadata or {})


class _Damaged(Exception):
    """Something in a tally contradicts the rest."""


def as_tally(table: pa.Table, name: str, sha256: str) -> TextTable:
    """Return the table of a tally.

    Parameters
    ----------
    table : pa.Table
        With `KEY` in the metadata of its schema.
    name, sha256 : str
        Name to show in messages, and digest of the file.

    Raises
    ------
    InputError
        For a version that is not known, or metadata that do not fit the rows.
    """
    try:
        metadata = _metadata(table)
        if metadata["version"] != VERSION:
            refuse(f"{brief(name)} is a tally of version {metadata['version']}; this is read: {VERSION}. Count its source again.")
        times = _times(table, metadata["times"])
        data = _columns(table, metadata)
        _check(data, metadata, times)
    except _Damaged as error:
        refuse(f"{brief(name)} is a damaged tally: {error}. Count its source again.")
    left_out = tuple((str(why), int(n)) for why, n in metadata["left_out"])
    merged = Merged(times, metadata["rows"], left_out, tuple(metadata["columns"].items()))
    return TextTable(name, sha256, data, notes=_notes(metadata, data), merged=merged)


def _metadata(table: pa.Table) -> dict[str, Any]:
    try:
        metadata = parsed(table.schema.metadata[KEY])
    except ValueError:
        raise _Damaged("its metadata are no JSON") from None
    if not isinstance(metadata, dict) or not _is_number(metadata.get("version")):
        raise _Damaged("its metadata state no version")
    if metadata["version"] != VERSION:
        return metadata
    kinds = {"source": str, "times": str, "columns": dict, "orders": dict, "left_out": list, "grid": dict, "kept": list}
    for key, kind in kinds.items():
        if not isinstance(metadata.get(key), kind):
            raise _Damaged(f"its metadata state no {key}")
    for key in ("rows", "items"):
        if not _is_number(metadata.get(key)) or not 0 < metadata[key] <= EXACT:
            raise _Damaged(f"the number of {key} is none that can be counted")
    _check_texts(metadata)
    if not isinstance(metadata.get("without", []), list):
        raise _Damaged("the columns that it does not hold are no list")
    texts = [*metadata["columns"].values(), *metadata["grid"].values(), *metadata["kept"], *metadata.get("without", [])]
    if not all(isinstance(value, str) for value in texts):
        raise _Damaged("its metadata name columns by something else than text")
    if {fold_name(role) for role in metadata["columns"]} & {"n", "rows"}:
        raise _Damaged("it says that its columns are those of a table of counts")
    if not all(_is_reason(pair) for pair in metadata["left_out"]):
        raise _Damaged("the rows that were left out are not counted by reason")
    return metadata


def _check_texts(metadata: dict[str, Any]) -> None:
    """Refuse texts of JSON: it may spell half characters, which no column can hold."""
    try:
        json.dumps(metadata, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise _Damaged("its metadata hold what is no text") from None


def _is_reason(pair: Any) -> bool:
    if not isinstance(pair, list) or len(pair) != 2:
        return False
    why, n = pair
    return isinstance(why, str) and why in REASONS and _is_number(n) and 0 < n <= EXACT


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _times(table: pa.Table, name: str) -> NDArray[np.int64]:
    if table.column_names.count(name) != 1 or not pa.types.is_integer(table[name].type) or table[name].null_count:
        raise _Damaged("the column that counts items is not there, or holds something else")
    try:
        counts: NDArray[np.int64] = table[name].cast(pa.int64()).to_numpy()
    except pa.ArrowInvalid:
        raise _Damaged("its kinds stand for numbers of items that cannot be") from None
    if not len(counts) or counts.min() <= 0 or float(counts.astype(float).sum()) > EXACT:
        raise _Damaged("its kinds stand for numbers of items that cannot be")
    return counts


def _columns(table: pa.Table, metadata: dict[str, Any]) -> pa.Table:
    """Return the columns as text, with their names in the order of the source."""
    data: dict[str, Any] = {}
    item = metadata["columns"].get("item")
    names = [name for name in table.column_names if name != metadata["times"]]
    if len(set(names)) != len(names) or item not in names or set(names) != {item, *metadata["orders"]}:
        raise _Damaged("its columns are not those that it states")
    for column in names:
        kind = table[column].type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not pa.types.is_string(kind) and not pa.types.is_large_string(kind):
            raise _Damaged(f"the column ‘{brief(column, 30)}’ holds no text")
        cells = table[column].cast(pa.string())
        if cells.null_count:
            raise _Damaged(f"cells of the column ‘{brief(column, 30)}’ are missing")
        data[column] = cells if column == item else _ordered(column, cells, metadata["orders"][column])
    return pa.table(data)


def _ordered(column: str, cells: pa.ChunkedArray, names: Any) -> pa.DictionaryArray:
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        raise _Damaged(f"the names of the column ‘{brief(column, 30)}’ are no list of different texts")
    order = pa.array([*names, ""], pa.string())
    codes = cells.combine_chunks().dictionary_encode()
    place = {name: code for code, name in enumerate(order.to_pylist())}
    move = [place.get(name, -1) for name in codes.dictionary.to_pylist()]
    if -1 in move:
        raise _Damaged(f"the column ‘{brief(column, 30)}’ holds what is none of its names")
    indices = np.array(move, np.int32)[codes.indices.to_numpy()]
    used = order if "" in codes.dictionary.to_pylist() else order.slice(0, len(names))
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), used)


def _check(data: pa.Table, metadata: dict[str, Any], times: NDArray[np.int64]) -> None:
    """Check whether the numbers of rows and items are those of the kinds."""
    kind = data[metadata["columns"]["item"]].combine_chunks().dictionary_encode()
    codes = kind.indices.to_numpy()
    items_by_kind = np.zeros(len(kind.dictionary), np.int64)
    items_by_kind[codes] = times
    if (items_by_kind[codes] != times).any() or not all(name.strip() for name in kind.dictionary.to_pylist()):
        raise _Damaged("rows of one kind stand for different numbers of items")
    if (
        int(items_by_kind.sum()) != metadata["items"]
        or int(times.sum()) + sum(n for _, n in metadata["left_out"]) != metadata["rows"]
    ):
        raise _Damaged("its rows and items do not add up to those it states")


def _notes(metadata: dict[str, Any], data: pa.Table) -> tuple[str, ...]:
    kinds = len(data[metadata["columns"]["item"]].unique())
    notes = [
        f"A tally of ‘{brief(metadata['source'])}’: its {count(metadata['rows'])} rows "
        f"were counted, and its {count(metadata['items'])} "
        f"items are of {count(kinds)} kinds. Items and their texts cannot be looked up in it."
    ]
    for column, step in metadata["grid"].items():
        notes.append(f"When it was counted, the numbers of ‘{brief(column)}’ were rounded to steps of {brief(step, 20)}.")
    if gone := metadata.get("without"):
        names = [f"‘{brief(column, 30)}’" for column in gone]
        notes.append(f"It does not hold {listed(names, 4)} of the source: what rests on that is told from the rows only.")
    return tuple(notes)

"""A file as a tally, merged row by row in plain Python: the oracle of counting, and what every number is compared on."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.data.ratings import Ratings
from metrics.readers import build, open_table, propose
from metrics.readers.table import Merged, TextTable

RIDE_ALONG = ("timestamp", "prompt", "weight", "confidence")


def merged_table(table: TextTable, columns: dict[str, str], keep: tuple[str, ...] = (), seed: int = 0) -> TextTable:
    """One example of every kind of item, in any order, names in the order of the file."""
    item = columns.pop("item", None)
    used = [*dict.fromkeys(name for role, name in columns.items() if role not in RIDE_ALONG and name in table.columns), *keep]
    cells = {name: table.data[name].cast("string").to_pylist() for name in table.columns}
    ids = cells[item] if item in cells else [str(n) for n in range(table.n_rows)]
    rows: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for place, name in enumerate(ids):
        rows[name].append(tuple(cells[column][place] for column in used))
    kinds: dict[tuple[tuple[str, ...], ...], int] = defaultdict(int)
    for own in rows.values():
        kinds[tuple(sorted(own))] += 1
    found = list(kinds.items())
    random.Random(seed).shuffle(found)
    names = [f"kind {n + 1}" for n, (own, _) in enumerate(found) for _ in own]
    times = np.array([times for own, times in found for _ in own], np.int64)
    data: dict[str, Any] = {item if item in cells else "item": pa.array(names, pa.string())}
    for place, column in enumerate(used):
        order = pa.array(dict.fromkeys(cells[column]), pa.string())
        codes = {value: code for code, value in enumerate(order.to_pylist())}
        texts = [codes[row[place]] for own, _ in found for row in own]
        data[column] = pa.DictionaryArray.from_arrays(pa.array(texts, pa.int32()), order)
    return replace(table, data=pa.table(data), numbers=None, merged=Merged(times, table.n_read), memo={})


def tally_of(source: Any, *, keep: tuple[str, ...] = (), **how: Any) -> Ratings:
    """What `metrics.read(source, **how)` gives, from a tally of the file."""
    table = open_table(source)
    proposal = propose(table, how.get("columns"), how.get("labels"), how.get("order"), how.get("scale"))
    columns = dict(proposal.columns)
    merged = merged_table(table, dict(columns), keep)
    columns.setdefault("item", "item")
    if columns["item"] not in merged.columns:
        columns["item"] = "item"
    stated = {role: name for role, name in columns.items() if name in merged.columns}
    again = propose(merged, stated, how.get("labels"), how.get("order"), how.get("scale"))
    return build(merged, again)


def text_of(found: Any) -> str:
    """What a result says, as text to compare: without the digest of the file, and without the words on its being a tally."""
    return json.dumps(_without(found), sort_keys=True, default=_name)


def _name(found: Any) -> str:
    """A function or a type by its name; anything else must be told apart, so it is refused."""
    return str(found.__qualname__)


def _without(found: Any) -> Any:
    if is_dataclass(found) and not isinstance(found, type):
        found = {own.name: getattr(found, own.name) for own in fields(found)}
    if isinstance(found, (np.ndarray, np.generic)):
        found = found.tolist()
    if isinstance(found, Mapping):
        return {str(key): _without(own) for key, own in found.items() if key not in ("sha256", "tally")}
    return [_without(own) for own in found] if isinstance(found, (list, tuple)) else found

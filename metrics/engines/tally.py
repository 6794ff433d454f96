"""A tally: one example of every kind of item with the number of its items, as a Parquet file that is the same from any engine."""

from __future__ import annotations

import io
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from metrics.asker import flag
from metrics.engines.planning import Plan
from metrics.engines.unique_items import Combinations, UniqueItems
from metrics.readers.limits import EXACT
from metrics.readers.messages import brief, refuse
from metrics.readers.tallied import KEY, VERSION
from metrics.results.words import count

MOST_ROWS = 20_000_000


@dataclass(frozen=True, eq=False)
class ItemTally:
    """What was counted; `metrics.readers.tallied` says what its file holds.

    Attributes
    ----------
    data : pa.Table
        Rows of one example item of each kind, with the items of the kind in every row.
    n_rows, n_items, n_unique : int
        Rows of the source, its items, and how many different ones these are.
    left_out : tuple of (reason, rows)
    grid : mapping of column to step
        Numbers that were rounded, and to what.
    without : tuple of str
        Columns of the source that have a role and are not in it.
    """

    data: pa.Table
    n_rows: int
    n_items: int
    n_unique: int
    left_out: tuple[tuple[str, int], ...]
    grid: dict[str, str]
    without: tuple[str, ...] = ()

    @staticmethod
    def of(
        plan: Plan, combinations: Combinations, kinds: UniqueItems, left_out: tuple[tuple[str, int], ...], grid: dict[str, str]
    ) -> ItemTally:
        """Return the tally of kinds that were counted.

        Parameters
        ----------
        plan : Plan
        combinations : Combinations
        kinds : UniqueItems
        left_out : tuple of (str, int)
            Reason and number of rows.
        grid : dict of column to step
            Numbers that were rounded, and to what.

        Raises
        ------
        InputError
            For more rows of the source than can be counted exactly, or more rows of the tally than `MOST_ROWS`.
        """
        if combinations.n_rows > EXACT:
            refuse(f"{brief(plan.name)} has more rows than can be counted exactly.")
        kind, slot, value = combinations.decoded(kinds)
        if len(kind) > MOST_ROWS:
            refuse(
                f"The {count(len(kinds.times))} kinds of items of {brief(plan.name)} have {count(len(kind))} rows, more than the "
                f"{count(MOST_ROWS)} of a tally. Count it on fewer criteria or raters, or round its numbers with "
                f"{flag('--grid')}."
            )
        item, times = _free(plan.item or "item", plan), _free("items_of_kind", plan)
        codes = {column: combinations.slots[slot, place] for place, column in enumerate(plan.keys)}
        codes |= {column: combinations.values[value, place] for place, column in enumerate(plan.values)}
        if plan.keep:
            above = kinds.kept[:, 0][kind]
            codes |= {column: combinations.above[above, place] for place, column in enumerate(plan.keep)}
        data: dict[str, Any] = {item: _named([f"kind {n + 1}" for n in range(len(kinds.times))], kind)}
        for column in plan.used:
            names = (*combinations.names[column], "")
            data[column] = _named(names, np.where(codes[column] < 0, len(names) - 1, codes[column]))
        data[times] = pa.array(kinds.times[kind], pa.int64())
        metadata = {
            "version": VERSION,
            "source": plan.name,
            "rows": combinations.n_rows,
            "items": kinds.n_items,
            "times": times,
            "columns": plan.kept_columns(item),
            "orders": {column: list(combinations.names[column]) for column in plan.used},
            "left_out": [list(pair) for pair in left_out],
            "grid": grid,
            "kept": list(plan.keep),
            "without": list(plan.without),
        }
        table = pa.table(data).replace_schema_metadata({KEY: json.dumps(metadata, ensure_ascii=False)})
        return ItemTally(table, combinations.n_rows, kinds.n_items, len(kinds.times), left_out, grid, plan.without)

    def to_bytes(self) -> bytes:
        """Return the file, byte for byte the same whatever engine counted."""
        buffer = io.BytesIO()
        metadata = self.data.schema.metadata
        with pq.ParquetWriter(buffer, self.data.schema, compression="zstd", store_schema=False) as file:
            file.write_table(self.data)
            file.add_key_value_metadata(metadata)
        return buffer.getvalue()

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the file.

        Raises
        ------
        InputError
            Where it cannot be written.
        """
        try:
            Path(path).write_bytes(self.to_bytes())
        except OSError as error:
            refuse(f"{brief(path, 200)} cannot be written: {brief(error.strerror or error, 200)}.")


def _free(name: str, plan: Plan) -> str:
    while name in plan.used:
        name += "_"
    return name


def _named(names: Any, codes: Any) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(list(names), pa.string()))

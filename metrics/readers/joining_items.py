"""Whether an id is the same item in several files: the number of a row is not, where what stands beside it says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.join import ENOUGH
from metrics.readers.columns import CheckedColumns
from metrics.readers.crossing import with_item
from metrics.readers.joining_files import FEWEST_IDS, FileLayout
from metrics.readers.messages import brief
from metrics.readers.unlikely import is_numeric
from metrics.readers.wide import wide_columns

COMPARED = 2000
"""Items of a file of which what stands beside them is compared."""
MOST_CONTRADICTED = 0.5
"""Share of items with the same text beside the same id up to which an id is another item in each file."""


def with_items_that_agree(files: Sequence[FileLayout], stated: Sequence[CheckedColumns]) -> list[FileLayout]:
    """Return files joined on a text that all have, where their ids say that other texts are one item.

    Of a column of one name most texts are in both files, one for each id, and stand there beside other ids: these number the
    rows of each file.

    Parameters
    ----------
    files : sequence of FileLayout
    stated : sequence of CheckedColumns
        What was said about each; items that are stated stay.
    """
    free = all("item" in file.layout.columns and not file.table.format for file in files)
    if len(files) < 2 or not free or any("item" in of.columns for of in stated):
        return list(files)
    names = [name for name in files[0].table.columns if all(_may_name(file, name) for file in files)]
    found = [name for name in names if all(_contradicts(files[0], other, name) for other in files[1:])]
    return [_by_text(file, found[0]) for file in files] if len(found) == 1 else list(files)


def _may_name(file: FileLayout, name: str) -> bool:
    """Return whether a column may name the items: it has no role, and is no number but a text for nearly each id."""
    table, layout = file.table, file.layout
    item = layout.columns["item"]
    taken = {item, *layout.columns.values(), *(wide.column for wide in wide_columns(layout.columns))}
    if name in taken or name not in table.columns or item not in table.columns or is_numeric(table, name):
        return False
    fewest = min(len(table.raw(of)[1]) for of in (name, item))
    return FEWEST_IDS <= fewest >= ENOUGH * len(table.raw(item)[1])


def _contradicts(file: FileLayout, other: FileLayout, name: str) -> bool:
    """Return whether most texts of a column are in both files, and mostly beside another id."""
    texts, ids = zip(*(_firsts(of, name) for of in (file, other)), strict=True)
    places = pc.index_in(texts[0][:COMPARED], value_set=texts[1])
    both = np.flatnonzero(places.is_valid().to_numpy(zero_copy_only=False))
    if len(both) < max(FEWEST_IDS, ENOUGH * min(COMPARED, *map(len, texts))):
        return False
    beside = ids[1].take(places.take(pa.array(both)))
    same = pc.equal(ids[0].take(pa.array(both)), beside)
    shared = pc.is_in(beside, value_set=ids[0])
    return bool(pc.sum(shared).as_py() >= FEWEST_IDS and (pc.sum(same).as_py() or 0) <= MOST_CONTRADICTED * len(both))


def _firsts(file: FileLayout, name: str) -> tuple[pa.Array, pa.Array]:
    """Return the texts of a column, each once, and the id in the first row of each."""
    table = file.table
    codes, texts = table.raw(name)
    item, ids = table.raw(file.layout.columns["item"])
    rows = np.zeros(len(texts), np.int64)
    rows[codes[::-1]] = np.arange(len(codes))[::-1]
    return pc.utf8_trim_whitespace(texts), pc.utf8_trim_whitespace(ids.take(pa.array(item[rows])))


def _by_text(file: FileLayout, name: str) -> FileLayout:
    layout = file.layout
    note = (
        f"‘{brief(layout.columns['item'], 30)}’ is another item in each file, by ‘{brief(name, 30)}’, on which they are joined."
    )
    guessed = list(dict.fromkeys([*layout.guessed, "item"]))
    changed = replace(layout, columns=layout.columns | {"item": name}, guessed=guessed, notes=[*layout.notes, note])
    return replace(file, layout=changed, table=with_item(file.table, changed.columns))

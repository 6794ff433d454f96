"""Which columns are the items of several files: those that are the same item in each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.join import BY_ROWS, ENOUGH
from metrics.readers.columns import CheckedColumns
from metrics.readers.crossing import AND, n_keys, parts_of, repeats, with_joint
from metrics.readers.joining_files import FileLayout, with_rows
from metrics.readers.joining_ids import FEWEST_COUNTED, first_number
from metrics.readers.messages import brief
from metrics.readers.names import EACH_ROW, ITEM, spaced
from metrics.readers.outputs import MODEL, MOST_CONDITIONS, make_item
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_numeric, is_unique
from metrics.readers.wide import wide_columns

FEWEST_IDS = 6
"""Ids of all items of a file that another column has to hold: more than a scale has steps."""
COMPARED = 2000
"""Items of a file of which what stands beside them is compared."""
MOST_CONTRADICTED = 0.5
"""Share of items with the same text beside the same id up to which an id is another item in each file."""
_PRODUCER = re.compile(rf"{MODEL.pattern}|\b(system|agent|assistant|bot|generator|variant)s?\b")
"""What a column is called that says by whom, or how, an item was made."""


def with_rows_as_items(files: Sequence[FileLayout]) -> list[FileLayout]:
    """Return files of which none names its items by their rows, where all have as many and contradict each other in none.

    Parameters
    ----------
    files : sequence of FileLayout
    """
    lengths = {file.table.n_rows for file in files}
    if any(file.layout.missing != ["item"] for file in files) or len(lengths) > 1 or not _alike_in_rows(files):
        return list(files)
    named = []
    for place, file in enumerate(files):
        layout = replace(file.layout, missing=[], columns=dict(file.layout.columns), guessed=list(file.layout.guessed), doubts=[])
        layout.columns["item"] = EACH_ROW
        if not place:  # one answer is for all files
            layout.guessed.append("item")
            layout.doubt(BY_ROWS)
        named.append(replace(file, layout=layout, table=with_rows(file.table)))
    return named


def with_rows_from_0(files: Sequence[FileLayout]) -> tuple[list[FileLayout], str]:
    """Return files whose rows are the items with the first row as 0, where the ids of all others count from 0, and that it is so.

    Returns
    -------
    files : list of FileLayout
    str
        A sentence; empty where nothing is counted from 0.
    """
    by_rows = [file.layout.columns["item"] == EACH_ROW for file in files]
    named = [file for file, rows in zip(files, by_rows, strict=True) if not rows]
    if all(by_rows) or not any(by_rows) or any(_first_id(file) != 0 for file in named):
        return list(files), ""
    item, name = named[0].layout.columns["item"], named[0].table.name
    counted = [
        replace(file, table=with_rows(file.table, first=0)) if rows else file for file, rows in zip(files, by_rows, strict=True)
    ]
    return counted, f"Rows are counted from 0, because ‘{brief(item, 30)}’ of {brief(name, 40)} begins at 0."


def _first_id(file: FileLayout) -> int | None:
    """Return the first of the ids of a file, where they are numbers without a gap."""
    values = file.table.raw(file.layout.columns["item"])[1]
    return first_number(values.filter(pc.not_equal(pc.utf8_trim_whitespace(values), "")))


def _alike_in_rows(files: Sequence[FileLayout]) -> bool:
    """Return whether nearly all rows of the files say the same in the columns without a role that all have."""
    first = files[0]
    taken = {column for file in files for column in file.layout.columns.values()}
    both = [name for name in first.table.columns if name not in taken and all(name in file.table.columns for file in files)]
    cells = [[file.table.data[name].cast(pa.string()) for file in files] for name in both]
    same = [pc.sum(pc.equal(of_first, other)).as_py() or 0 for of_first, *others in cells for other in others]
    return all(n >= ENOUGH * first.table.n_rows for n in same)


def with_items_alike(files: Sequence[FileLayout]) -> list[FileLayout]:
    """Return files whose items are made of the same columns, those that tell the rows apart in the files of people's labels.

    Parameters
    ----------
    files : sequence of FileLayout
        Each with a column of items.
    """
    made = {file: parts_of(file.layout.columns["item"], file.columns_of_file) for file in files}
    of_people = [parts for file, parts in made.items() if file.of_people]
    beside = dict.fromkeys(part for parts in (of_people or made.values()) for part in parts[1:])
    return [_with_item_of(file, (made[file] or (file.layout.columns["item"],))[0], beside) for file in files]


def _with_item_of(file: FileLayout, item: str, beside: Iterable[str]) -> FileLayout:
    """Return a file whose items are made of one column of its own and of those beside it that all files have."""
    name = AND.join([item, *(column for column in beside if column in file.table.columns and column != item)])
    if name == file.layout.columns["item"]:
        return file
    return _by_item(file, name)


def _by_item(file: FileLayout, name: str) -> FileLayout:
    guessed = dict.fromkeys([*file.layout.guessed, "item"])
    layout = replace(file.layout, columns=file.layout.columns | {"item": name}, guessed=list(guessed))
    return replace(file, layout=layout, table=with_joint(file.table, layout.columns))


def _may_turn(files: Sequence[FileLayout], stated: Sequence[CheckedColumns]) -> bool:
    """Return whether items of all files are guesses of tables of no tool, so that other columns may take their place."""
    return not any(file.table.format for file in files) and not any("item" in of.columns for of in stated)


def with_items_of_one_name(files: Sequence[FileLayout], stated: Sequence[CheckedColumns]) -> list[FileLayout]:
    """Return files whose items are the column of one file that the others have under the same name, and that tells their rows
    apart too, in place of an id of their own.

    A column of one name that says of some of these items that they are of another system in each file is part of the item.

    Parameters
    ----------
    files : sequence of FileLayout
    stated : sequence of CheckedColumns
        What was said about each; items that are stated stay.
    """
    if not _may_turn(files, stated):
        return list(files)
    names = list(dict.fromkeys(file.layout.columns["item"] for file in files))
    if len(names) > 1:  # else they are alike already, and ids of many rows need not be compared
        names = [name for name in names if all(_may_be_item(file, name) for file in files) and all(_shared(files, name))]
    if len(names) != 1:
        return list(files)
    item = names[0]
    found = [file if file.layout.columns["item"] == item else _by_item(file, item) for file in files]
    column = _producer(found, item)
    return [_by_output(file, item, column) for file in found] if column else found


def share_other_ids(files: Sequence[FileLayout]) -> bool:
    """Return whether two files share ids under one name that are not the items of both, and are no two times in one of them."""
    for one, other in combinations(files, 2):
        items = {file.layout.columns["item"] for file in (one, other)}
        names = [c for c in one.table.columns if c in other.table.columns and ITEM.search(spaced(c)) and {c} != items]
        keys = [name for name in names if is_unique(one.table, name) or is_unique(other.table, name)]
        if any(_meet(one.table.raw(name)[1], other.table.raw(name)[1]) for name in keys):
            return True
    return False


def _may_be_item(file: FileLayout, name: str) -> bool:
    """Return whether a file has a column, or those that make it, without another role, and no two rows are alike there."""
    parts = parts_of(name, file.columns_of_file) or (name,)
    others = {column for role, column in file.layout.columns.items() if role != "item"}
    return others.isdisjoint(parts) and set(parts) <= set(file.table.columns) - {EACH_ROW} and not repeats(file.table, parts)


def _shared(files: Sequence[FileLayout], name: str) -> list[int]:
    """Return how many cells of a column, which may be made of several, every two files share."""
    cells = [_values(with_joint(file.table, {"item": name}), name) for file in files]
    return [len(one & other) for one, other in combinations(cells, 2)]


def _producer(files: Sequence[FileLayout], item: str) -> str:
    """Return the column that says of some shared items who made them, otherwise in each file, and of others alike; else empty."""
    for column in files[0].table.columns if len(files) > 1 else ():
        if _PRODUCER.search(spaced(column)) and all(_is_of_item(file, item, column) for file in files):
            ids, outputs = _shared(files, item), _shared(files, AND.join([item, column]))
            if all(outputs) and ids != outputs:
                return column
    return ""


def _is_of_item(file: FileLayout, item: str, column: str) -> bool:
    """Return whether a column without a role says one thing of each item, and is called after no rater."""
    table = file.table
    taken = {*file.layout.columns.values(), *parts_of(item, file.columns_of_file)}
    if column in taken or not {item, column} <= set(table.columns) or role_of_column(column):
        return False
    return len(table.raw(column)[1]) <= MOST_CONDITIONS and n_keys(table, [item]) == n_keys(table, [item, column])


def _by_output(file: FileLayout, item: str, column: str) -> FileLayout:
    known = file.layout
    layout = replace(known, columns=dict(known.columns), guessed=list(known.guessed), notes=list(known.notes))
    make_item(layout, [*(parts_of(item, file.columns_of_file) or [item]), column])
    return replace(file, layout=layout, table=with_joint(file.table, layout.columns))


def with_items_that_match(files: Sequence[FileLayout], stated: Sequence[CheckedColumns]) -> list[FileLayout]:
    """Return files whose ids are in no other file by the one column that holds the ids of the others.

    An id of a tool tells the rows of its own export apart, and the items stand in a column beside it.

    Parameters
    ----------
    files : sequence of FileLayout
    stated : sequence of CheckedColumns
        What was said about each; the items that are stated stay.
    """
    held = [file.table.raw(file.layout.columns["item"])[1] for file in files]
    others = {place: [ids for ids in held if ids is not own] for place, own in enumerate(held)}
    free = [place for place, of in enumerate(stated) if "item" not in of.columns]
    alone = [place for place in free if not any(_meet(held[place], ids) for ids in others[place])]
    fitting = {
        place: _columns_that_meet(files[place], set().union(*(ids.to_pylist() for ids in others[place]))) for place in alone
    }
    if len(files) == 2 and sum(map(len, fitting.values())) > 1:
        return list(files)
    found = list(files)
    for place, columns in fitting.items():
        if len(columns) == 1:
            found[place] = _by_item(files[place], columns[0])
    return found


def _meet(ids: pa.StringArray, others: pa.StringArray) -> bool:
    """Return whether two files share an id, which the first of one show nearly always."""
    parts = (part for part in (ids[:COMPARED], ids[COMPARED:]) if len(part))
    return any(pc.any(pc.is_in(others, value_set=part)).as_py() for part in parts)


def _columns_that_meet(file: FileLayout, ids: set[str]) -> list[str]:
    """Return the columns without a role that hold ids of other files: nearly all of the fewer ones, and they are no scale."""
    free = {c: _values(file.table, c) for c in file.table.columns if c not in file.layout.columns.values()}
    fewest = {column: min(len(own), len(ids)) for column, own in free.items()}
    return [c for c, own in free.items() if fewest[c] >= FEWEST_IDS and len(own & ids) >= ENOUGH * fewest[c]]


def _values(table: TextTable, column: str) -> set[str]:
    return set(table.raw(column)[1].to_pylist()) if column != EACH_ROW and column in table.columns else set()


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
    if len(files) < 2 or not _may_turn(files, stated):
        return list(files)
    names = [name for name in files[0].table.columns if all(_may_name(file, name) for file in files)]
    found = [name for name in names if all(_contradicts(files[0], other, name) for other in files[1:])]
    return [_by_item(_noted(file, found[0]), found[0]) for file in files] if len(found) == 1 else list(files)


def _may_name(file: FileLayout, name: str) -> bool:
    """Return whether a column may name the items: it has no role, and is no number but a text for nearly each id."""
    table, layout = file.table, file.layout
    item = layout.columns["item"]
    taken = {item, *layout.columns.values(), *(wide.column for wide in wide_columns(layout.columns))}
    if name in taken or name not in table.columns or item not in table.columns or is_numeric(table, name):
        return False
    fewest = min(len(table.raw(of)[1]) for of in (name, item))
    return FEWEST_COUNTED <= fewest >= ENOUGH * len(table.raw(item)[1])


def _contradicts(file: FileLayout, other: FileLayout, name: str) -> bool:
    """Return whether most texts of a column are in both files, and mostly beside another id.

    Of few, all are in both, beside ids of which one file counts from 0 and the other from 1.
    """
    texts, ids = zip(*(_firsts(of, name) for of in (file, other)), strict=True)
    places = pc.index_in(texts[0][:COMPARED], value_set=texts[1])
    both = np.flatnonzero(places.is_valid().to_numpy(zero_copy_only=False))
    if len(both) < max(FEWEST_COUNTED, ENOUGH * min(COMPARED, *map(len, texts))):
        return False
    own, beside = ids[0].take(pa.array(both)), ids[1].take(places.take(pa.array(both)))
    if len(both) < FEWEST_IDS:
        return len(both) == len(texts[0]) == len(texts[1]) and _count_apart(own, beside)
    shared = pc.is_in(beside, value_set=ids[0])
    return bool(
        pc.sum(shared).as_py() >= FEWEST_IDS and (pc.sum(pc.equal(own, beside)).as_py() or 0) <= MOST_CONTRADICTED * len(both)
    )


def _count_apart(ids: pa.Array, others: pa.Array) -> bool:
    """Return whether one of two files counts from 0 what the other counts from 1, in any order."""
    counted = {first_number(ids), first_number(others)} == {0, 1}
    return counted and len(pc.unique(pc.subtract(*(pc.cast(of, pa.int64()) for of in (ids, others))))) == 1


def _firsts(file: FileLayout, name: str) -> tuple[pa.Array, pa.Array]:
    """Return the texts of a column, each once, and the id in the first row of each."""
    table = file.table
    codes, texts = table.raw(name)
    item, ids = table.raw(file.layout.columns["item"])
    rows = np.zeros(len(texts), np.int64)
    rows[codes[::-1]] = np.arange(len(codes))[::-1]
    return pc.utf8_trim_whitespace(texts), pc.utf8_trim_whitespace(ids.take(pa.array(item[rows])))


def _noted(file: FileLayout, text: str) -> FileLayout:
    """Return a file with the sentence that its items are a text and not its ids."""
    row, beside = (f"‘{brief(column, 30)}’" for column in (file.layout.columns["item"], text))
    note = f"{row} is another item in each file, by {beside}, on which they are joined."
    return replace(file, layout=replace(file.layout, notes=[*file.layout.notes, note]))

"""Several tables as one: joined on the item and, where they have it, the criterion."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.join import Join, JoinedFile, Match
from metrics.data.memo import memoised
from metrics.data.read_options import ReadOptions
from metrics.data.vocabulary import Kind
from metrics.errors import InputError
from metrics.readers.bundles import distinct_names
from metrics.readers.crossing import input_of
from metrics.readers.formats.canonical import COLUMNS, safe_name
from metrics.readers.frames import cells_sha256
from metrics.readers.joining_alike import how_alike, name_copies
from metrics.readers.joining_columns import columns_by_file
from metrics.readers.joining_criteria import criterion_of_others, with_columns_as_criteria
from metrics.readers.joining_doubts import answers_of, check_shared, doubts_of, match_doubts, missing_of
from metrics.readers.joining_files import FileLayout, file_layout, with_roles_told
from metrics.readers.joining_ids import Matched
from metrics.readers.joining_items import (
    share_other_ids,
    with_items_alike,
    with_items_of_one_name,
    with_items_that_agree,
    with_items_that_match,
    with_rows_as_items,
    with_rows_from_0,
)
from metrics.readers.joining_keys import with_keys
from metrics.readers.joining_rows import Block, Unfolder, long_table, unnamed_sides
from metrics.readers.messages import brief, refusal
from metrics.readers.names import EACH_ROW
from metrics.readers.proposal import Doubt
from metrics.readers.rater_roles import check_role, file_stem
from metrics.readers.role_doubts import give_roles
from metrics.readers.table import Origin, TextTable
from metrics.results.words import listed

MATCHES: tuple[Match, ...] = ("", "exact", "loose")


@dataclass(frozen=True, eq=False)
class Joined:
    """Several tables as one, as far as it is known what their columns are.

    Attributes
    ----------
    table : TextTable
        Without rows where a file has no column of items or of labels.
    columns : mapping of str to str
        What was said of the columns that concerns all files: the roles of raters.
    doubts : tuple of Doubt
    answers : tuple of (str, str)
        The `columns` that confirm what was guessed.
    missing : tuple of str
        Keys of `columns` that must be given.
    together : str
        Column of the table whose groups are the inputs, where several outputs of one are items; else empty.
    proposed_match : "loose" or ""
        How ids are compared, where nearly all of the smallest file are in another one only so.
    """

    table: TextTable
    columns: Mapping[str, str]
    doubts: tuple[Doubt, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    together: str = ""
    proposed_match: Match = ""


def check_match(given: str) -> Match:
    """Return how ids are compared, where that is a way to compare them."""
    for match in MATCHES:
        if given == match:
            return match
    raise refusal(f"‘{brief(given)}’ (match) is none of exact, loose.")


def join_tables(parts: Sequence[TextTable], name: str = "") -> TextTable:
    """Return several tables as one, joined as far as their column names alone make it plain.

    What is said of the columns of a file is taken up by `joined`.

    Parameters
    ----------
    parts : sequence of TextTable
        Those of one name are told apart by a number.
    name : str
        Of the whole; where empty, the names of all.
    """
    names = distinct_names(parts, [part.name for part in parts])
    parts = [replace(part, name=title) for part, title in zip(parts, names, strict=True)]
    name = name or " + ".join(names)
    digests = sorted(part.sha256 or cells_sha256(part.data) for part in parts)
    table = TextTable(
        name, hashlib.sha256("".join(digests).encode()).hexdigest(), _empty(), 1, corner="item", parts=tuple(parts)
    )  # fmt: skip
    try:
        known = joined(table, None, "").table
    except InputError:
        return table
    return replace(known, parts=table.parts, memo=table.memo)


def with_more(table: TextTable, how: ReadOptions, others: Sequence[TextTable]) -> tuple[TextTable, dict[str, str]]:
    """Return a table that was read already joined with further ones, and the `columns` that say of it what was said before.

    Parameters
    ----------
    table : TextTable
        Of one file, or joined.
    how : ReadOptions
        What was said about it.
    others : sequence of TextTable
    """
    before = table.parts or (table,)
    whole, columns = join_tables([*before, *others]), dict(how.columns)
    if not table.parts:
        first = whole.parts[0].name
        columns = {key if key.startswith("role:") else f"{first}:{key}": value for key, value in columns.items()}
    return whole, columns


def _empty() -> pa.Table:
    return pa.table({name: pa.array([], pa.string()) for name in COLUMNS})


def joined(table: TextTable, columns: Mapping[str, str] | None, match: Match) -> Joined:
    """Return the files of a table joined as was said; a table of one file as it is.

    Parameters
    ----------
    table : TextTable
        As `join_tables` returns it.
    columns : mapping of str to str, or None
        Role to column, of every file that has the column; ``gold.csv:item`` is the role in one file.
    match : "exact", "loose" or ""

    Raises
    ------
    InputError
        For a column that no file has, files without items, labels without a criterion beside several criteria, and a file
        that shares no item with another.
    """
    if not table.parts:
        return Joined(table, columns or {})
    key = ("joined", tuple((columns or {}).items()), match)
    return memoised(table, key, lambda: _joined(table, columns or {}, match))


def _joined(table: TextTable, columns: Mapping[str, str], match: Match) -> Joined:
    parts, keys = with_keys(table.parts, columns)
    stated, common = columns_by_file(parts, columns)
    layouts = [file_layout(part, checked) for part, checked in zip(parts, stated, strict=True)]
    files = with_rows_as_items(with_columns_as_criteria(layouts, stated))
    missing = missing_of(files)
    if missing:
        empty = replace(table, data=_empty(), parts=(), memo={})
        return Joined(empty, common, doubts_of(files), answers_of(files), missing)
    files = with_items_alike(with_items_of_one_name(files, stated))
    files, counted = with_rows_from_0(with_items_that_agree(with_items_that_match(files, stated), stated))
    alike = how_alike(files)
    criteria = (alike and alike.criteria) or (criterion_of_others(files),) * len(files)
    roles = {name.partition(":")[2].strip(): value for name, value in common.items()}
    for file in files:
        if file.layout.shape == "wide":
            give_roles(file.layout, {name: check_role(role, name) for name, role in roles.items()}, leave_out=False)
    files = with_roles_told(files)
    names = _rater_names(files, apart=alike is None)
    blocks = [Unfolder(file, of, roles, rater).blocks() for file, of, rater in zip(files, criteria, names, strict=True)]
    ids = [_ids(file) for file in files]
    exact = Matched.of([used for _, used in ids])
    by_number = match == "loose" or exact.is_enough or not share_other_ids(files)
    loose = exact if match == "exact" else exact.loose(by_number=by_number)
    matched = loose if match == "loose" else exact
    if matched.is_enough or alike is not None:
        files = [file.with_item_known() for file in files]
    doubts, answers = doubts_of(files), answers_of(files)
    if alike is None and match != "loose":
        doubts = (*match_doubts(files, exact, loose, match), *doubts)
    if alike is None and (loose is exact or match):
        check_shared(files, matched, [used for _, used in ids])
    more = loose.n - matched.n
    said = [*(_file(files, place, blocks[place], None if alike else matched, ids) for place in range(len(files)))]
    said += [of_keys.file for of_keys in keys]
    names_in_order = [part.name for part in table.parts]
    join = Join(
        tuple(sorted(said, key=lambda file: names_in_order.index(file.name))),
        matched.loosened,
        loose.loosened if more else (),
        more,
        by_rows=all(file.layout.columns["item"] == EACH_ROW for file in files),
        counted=counted,
    )
    whole = _long(table, files, blocks, matched, ids, join)
    whole = whole if alike is None else replace(whole, notes=(*whole.notes, alike.note))
    proposed: Match = "loose" if alike is None and loose.is_enough and not exact.is_enough else ""
    return Joined(whole, common, doubts, answers, together=_together(files, whole), proposed_match=proposed)


def _together(files: Sequence[FileLayout], table: TextTable) -> str:
    """Return the column of the inputs that all files have under one name; empty where an item is an input of its own."""
    inputs = {input_of(file.table, file.layout.columns) for file in files}
    name = safe_name(inputs.pop()) if len(inputs) == 1 else ""
    return name if name in table.columns else ""


def _long(
    table: TextTable,
    files: Sequence[FileLayout],
    blocks: Sequence[Sequence[Block]],
    matched: Matched,
    ids: Sequence[tuple[np.ndarray, pa.StringArray]],
    join: Join,
) -> TextTable:
    items = []
    for place, file in enumerate(files):
        lookup = np.append(matched.codes[place], np.int32(len(matched.names)))[ids[place][0]]
        codes = lookup[file.table.raw(file.layout.columns["item"])[0]]
        items += [codes if block.rows is None else codes[block.rows] for block in blocks[place]]
    item = np.concatenate(items)
    spelled = matched.names if (item < len(matched.names)).all() else pa.concat_arrays([matched.names, pa.array([""])])
    data = long_table([block for several in blocks for block in several], pa.DictionaryArray.from_arrays(item, spelled))
    origins = [_origin(block) for several in blocks for block in several]
    skipped = [why for file in files for _, why in file.table.skipped]
    said: dict[str, list[str]] = {}
    for file in files:
        for note in (*file.table.notes, *file.layout.notes):
            said.setdefault(note, []).append(file.table.name)
    notes = [f"{listed(names)}: {note}" for note, names in said.items()]
    orders = list(dict.fromkeys(file.table.order for file in files if file.table.order))
    return replace(
        table,
        data=data,
        skipped=tuple((data.num_rows + place, why) for place, why in enumerate(skipped, start=1)),
        notes=(*notes, *join.sentences()),
        kinds=_kinds(files),
        order=orders[0] if len(orders) == 1 else (),
        rubric=next((file.table.rubric for file in files if file.table.rubric), ()),
        join=join,
        origins=tuple(origins),
        parts=(),
        memo={},
    )


def _origin(block: Block) -> Origin:
    """Return which rows of which file the ratings of a block are."""
    table, numbers = block.file.table, block.file.table.record_numbers
    return Origin(table.name, numbers if block.rows is None else numbers[block.rows])


def _kinds(files: Sequence[FileLayout]) -> tuple[tuple[str, Kind], ...]:
    """Return what labels mean that files state; one with two meanings is left to the vocabulary."""
    kinds: dict[str, set[Kind]] = {}
    for file in files:
        for label, kind in file.table.kinds:
            kinds.setdefault(label, set()).add(kind)
    return tuple((label, next(iter(stated))) for label, stated in kinds.items() if len(stated) == 1)


def _rater_names(files: Sequence[FileLayout], *, apart: bool) -> list[dict[str, str]]:
    """Return names of the raters whom no column names: the file's where two files would give two raters one name.

    Files of other items, which are not apart, have the same raters.
    """
    names = [{side: file.raters[side] for side in unnamed_sides(file)} for file in files]
    if not apart:
        return names
    often = Counter((side == "human", name) for of_file in names for side, name in of_file.items())
    stems = Counter(file_stem(file.table.name) for file in files)
    for file, of_file in zip(files, names, strict=True):
        name = file.table.name
        for side in of_file:
            one_person = file.layout.shape == "pairs" and side == "human"
            if often[side == "human", of_file[side]] > 1 and not one_person:
                of_file[side] = file_stem(name) if stems[file_stem(name)] == 1 else name
    name_copies(files, names)
    return names


def _ids(file: FileLayout) -> tuple[np.ndarray, pa.StringArray]:
    """Return place of each distinct cell of the item's column among the ids of the file, -1 for a blank one, and these ids."""
    codes, values = file.table.raw(file.layout.columns["item"])
    there = np.bincount(codes[codes >= 0], minlength=len(values)) > 0
    there &= ~np.asarray(pc.equal(pc.utf8_trim_whitespace(values), ""), dtype=bool)
    place = np.where(there, np.cumsum(there) - 1, -1)
    return place, values if there.all() else values.filter(pa.array(there))


def _file(
    files: Sequence[FileLayout],
    place: int,
    blocks: Sequence[Block],
    matched: Matched | None,
    ids: Sequence[tuple[np.ndarray, pa.StringArray]],
) -> JoinedFile:
    table = files[place].table
    raters = dict.fromkeys(name for block in blocks for name in block.rated["rater"].names)
    _, used = ids[place]
    unmatched = () if matched is None else matched.unmatched(place, used)
    return JoinedFile(
        table.name, table.sha256 or cells_sha256(table.data), files[place].taken_for, tuple(raters), table.n_rows, len(used),
        unmatched,
    )  # fmt: skip

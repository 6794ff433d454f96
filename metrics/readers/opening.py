"""Any source -> Table."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import pandas as pd
import pyarrow as pa

from metrics.data.read_options import ReadOptions
from metrics.errors import InputError
from metrics.readers.autorubric import read_run
from metrics.readers.autorubric_parts import is_part, refuse_alone, run_of
from metrics.readers.bundles import (
    Member,
    archived,
    contents,
    distinct_names,
    is_archive,
    is_records,
    is_several,
    is_table,
    members_of,
)
from metrics.readers.composite_cells import split_cells
from metrics.readers.confusion_rows import decisions_of_confusion_rows
from metrics.readers.containers import Bytes, as_utf8, is_parquet, is_workbook, take
from metrics.readers.delimited import can_separate, read_delimited
from metrics.readers.foreign import refuse_binary, refuse_packed
from metrics.readers.formats import registry
from metrics.readers.formats.canonical import as_canonical, is_canonical
from metrics.readers.formats.inspect_ai import is_log, read_archive
from metrics.readers.frames import as_text, read_frame
from metrics.readers.joining import join_tables
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.messages import brief, refuse
from metrics.readers.names import ITEM, spaced
from metrics.readers.one_hot import decode_one_hot
from metrics.readers.parquet import read_parquet
from metrics.readers.qrels import is_qrels, read_qrels
from metrics.readers.raters_as_rows import ratings_by_criterion, ratings_by_row
from metrics.readers.records import looks_like_json, read_records, read_rows, unfenced
from metrics.readers.table import TextTable
from metrics.readers.total_rows import filled_down, without_totals
from metrics.readers.workbook import EVERY_SHEET, first_rows, read_workbook


def open_table(
    source: Any,
    name: str | None = None,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    skip_bad_rows: bool = False,
    limits: Limits = LIMITS,
) -> TextTable:
    """Parse a file into columns of text; nothing is said yet about what they mean.

    Parameters
    ----------
    source : path, bytes, file object, pandas, Polars or PyArrow table, list of dicts, or a list of files
        CSV, TSV, semicolon or bar separated text in any usual encoding, plain or gzip; Excel; Parquet; JSON records; a run of
        autorubric, with its dataset, as a folder, a zip archive or a list of these. Any other list of files is one table,
        joined on the item as far as the names of their columns make it plain; see `metrics.readers.joining.join_tables`.
    name : str, optional
        Name to show in messages; the file's own by default.
    delimiter, encoding, sheet : str, optional
        How to read, where the file does not make it plain.
    skip_bad_rows : bool
        List rows that cannot be read among those left out, instead of refusing the file.
    limits : Limits
        How large a file may be.

    Raises
    ------
    InputError
        With a sentence that names the file, the row where there is one, and the mend.
    """
    if delimiter and not can_separate(delimiter):
        refuse(f"‘{brief(delimiter)}’ cannot separate columns. Name one plain character, such as ; or |, or tab.")
    how = ReadOptions(delimiter or "", encoding or "", sheet or "", skip_bad_rows)
    try:
        with _SWEEPS.paused():
            table = _opened(source, name, how, limits)
    except MemoryError:
        refuse(f"{brief(name or 'The file')} needs more memory than there is. Split it, or send fewer columns.")
    return replace(table, how=how)


class _Sweeps:
    """Python's search for cycles, which finds none in what a reader makes, and looks through all of it again and again."""

    def __init__(self) -> None:
        self._lock, self._readers, self._on = Lock(), 0, True

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do without the search, until the last of several readers at a time is done."""
        with self._lock:
            if not self._readers:
                self._on = gc.isenabled()
                gc.disable()
            self._readers += 1
        try:
            yield
        finally:
            with self._lock:
                self._readers -= 1
                if self._on and not self._readers:
                    gc.enable()


_SWEEPS = _Sweeps()


def _as_ratings(table: TextTable) -> TextTable:
    """Return the ratings of a table that a known tool writes; any other table with its cells taken apart."""
    if not table.format and is_canonical(table):
        return as_canonical(table)
    if not table.format and (counted := decisions_of_confusion_rows(table)) is not table:
        return counted
    form = registry.of_table(table) if not table.format else None
    if form is None and not table.format:
        return ratings_by_criterion(split_cells(decode_one_hot(ratings_by_row(filled_down(without_totals(table))))))
    if form is None or form.read_table is None:
        return table
    return replace(form.read_table(table), format=form.what)


def _opened(source: Any, name: str | None, how: ReadOptions, limits: Limits) -> TextTable:
    if isinstance(source, list | tuple) and not is_records(source):
        return _of_list(source, name, how, limits)
    if how.sheet == EVERY_SHEET and not is_table(source) and not is_several(source):
        source = take(source, name, limits)
        if len(titles := [sheet.title for sheet in first_rows(source.data, source.name, limits) if sheet.may_be_table]) > 1:
            return _of_sheets(source, titles, how, limits)
        how = replace(how, sheet=titles[0] if titles else "")
    table = _read(source, name, how, limits)
    limits.check(table)
    return _as_ratings(table)


def _of_list(source: Sequence[Any], name: str | None, how: ReadOptions, limits: Limits) -> TextTable:
    """Return several files as one table: a run of autorubric, or tables that are joined."""
    if not source:
        refuse("The list holds no file. Name one or more.")
    loaded = [entry if is_several(entry) or is_table(entry) else take(entry, None, limits) for entry in source]
    if _is_run(loaded):
        source_name, members = members_of(loaded)
        return _combined_table(members, name or source_name, "holds", how.skip_bad_rows, limits)
    names = distinct_names(source, [_name(entry) for entry in loaded])
    parts = [_opened(entry, title, how, limits) for entry, title in zip(loaded, names, strict=True)]
    if len(parts) == 1:
        return parts[0]
    return _joined([sheet for part in parts for sheet in part.parts or (part,)], name or " + ".join(names), limits)


def _joined(parts: Sequence[TextTable], name: str, limits: Limits) -> TextTable:
    limits.check_size(sum(part.n_rows for part in parts), max(len(part.columns) for part in parts), name)
    return join_tables(parts, name)


def _of_sheets(workbook: Bytes, titles: Sequence[str], how: ReadOptions, limits: Limits) -> TextTable:
    """Return sheets of a workbook as one table, each as a file that is called like it."""
    parts = [_opened(workbook, None, replace(how, sheet=title), limits) for title in titles]
    parts = _belonging([replace(part, name=f"{title}.xlsx") for part, title in zip(parts, titles, strict=True)])
    if len(parts) == 1:
        return replace(parts[0], name=workbook.name)
    return _joined(parts, workbook.name, limits)


def _belonging(parts: Sequence[TextTable]) -> list[TextTable]:
    """Return sheets without those about something else: with other columns than any other sheet, and none of its ids."""
    ids = [{cell for name in _id_columns(part) for cell in part.coded(name).names} for part in parts]
    every = list(zip(parts, ids, strict=True))
    kept = [
        part
        for part, own in every
        if any(other is not part and (own & theirs or part.columns == other.columns) for other, theirs in every)
    ]
    return kept or list(parts)


def _id_columns(table: TextTable) -> list[str]:
    return [name for name in table.columns if ITEM.search(spaced(name))] or list(table.columns[:1])


def _is_run(entries: Sequence[Any]) -> bool:
    """Return whether files of a list are parts of one run of autorubric: a part is among them, or each is a folder or archive."""
    archives = [is_several(entry) or (isinstance(entry, Bytes) and is_archive(entry.data)) for entry in entries]
    return all(archives) or any(isinstance(entry, Bytes) and is_part(entry.data) for entry in entries)


def _name(entry: Any) -> str:
    if isinstance(entry, Bytes):
        return entry.name
    if is_table(entry):
        return "table" if isinstance(entry, pa.Table) else "list of dicts" if is_records(entry) else type(entry).__name__
    return "list" if isinstance(entry, list | tuple) else Path(entry).name


def _read(source: Any, name: str | None, how: ReadOptions, limits: Limits) -> TextTable:
    skip = how.skip_bad_rows
    if isinstance(source, pd.DataFrame):
        return read_frame(source, name or "DataFrame")
    if is_records(source):
        return read_rows(source, name or "list of dicts", limits)
    if is_table(source) and hasattr(source, "__arrow_c_stream__"):
        return replace(as_text(pa.table(source), name or _name(source), ""), first_row=0)
    if is_several(source):
        source_name, members = members_of(source)
        return _combined_table(members, name or source_name, "is a folder that holds", skip, limits)
    taken = take(source, name, limits)
    data, name, digest = taken.data, taken.name, taken.sha256
    if is_parquet(data):
        return read_parquet(data, name, digest, limits=limits)
    refuse_packed(data, name)
    if is_workbook(data):
        return read_workbook(data, name, digest, sheet=how.sheet or None, skip_bad_rows=skip, limits=limits)
    if is_archive(data) and is_log(data):
        return read_archive(data, name, digest, limits)
    if is_archive(data) and (members := archived(data, name)):
        return _combined_table(members, name, "holds", skip, limits, digest)
    refuse_binary(data, name)
    text, notes = as_utf8(data, name, how.encoding or None)
    if not text or text.isspace():
        refuse(f"{brief(name)} is empty.")
    text = text if how.delimiter else unfenced(text)
    if not how.delimiter and looks_like_json(text):
        refuse_alone(text, name)
        return read_records(text, name, digest, skip_bad_rows=skip, notes=notes, limits=limits)
    if not how.delimiter and is_qrels(text):
        return read_qrels(text, name, digest, notes)
    return read_delimited(text, name, digest, delimiter=how.delimiter or None, skip_bad_rows=skip, notes=notes, limits=limits)


def _combined_table(
    members: Sequence[Member], name: str, what: str, skip_bad_rows: bool, limits: Limits, sha256: str = ""
) -> TextTable:
    """Return several files as one table."""
    run = run_of(members, name)
    if run is None:
        refuse(f"{brief(name)} {what} no run of autorubric: a dataset's JSON file and the run's items.jsonl. Name one table.")
    return read_run(run, name, sha256 or contents(members), skip_bad_rows=skip_bad_rows, limits=limits)


Chosen = Sequence[Sequence[str]]
"""Sheets of each file that were chosen; none where the file makes it plain."""


def open_sheets(
    files: Sequence[tuple[str, bytes]],
    sheets: Chosen,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    skip_bad_rows: bool = False,
    limits: Limits = LIMITS,
) -> TextTable:
    """Return files, of which some are workbooks, as one table, each sheet that was chosen as a file that is called like it.

    A workbook keeps its own name where one of its sheets was chosen, and the option that names a sheet reads all files so.

    Parameters
    ----------
    files : sequence of (name, bytes)
    sheets : sequence of sequence of str
        Of each file; nothing of one that is no workbook.
    delimiter, encoding, skip_bad_rows, limits
        As in `metrics.readers.open_table`.

    Raises
    ------
    InputError
        As `metrics.readers.open_table`.
    """
    opened = partial(open_table, delimiter=delimiter, encoding=encoding, skip_bad_rows=skip_bad_rows, limits=limits)
    chosen = [tuple(sheets[place]) if place < len(sheets) and is_workbook(data) else () for place, (_, data) in enumerate(files)]
    only = _only_sheet({titles for titles, (_, data) in zip(chosen, files, strict=True) if is_workbook(data)})
    if len(files) == 1 and len(chosen[0]) > 1 and (every := _every_sheet(files[0], chosen[0], opened)) is not None:
        return every
    parts = []
    for titles, (name, data) in zip(chosen, files, strict=True):
        for sheet in titles or (None,):
            part = opened(data, name, sheet=sheet)
            parts.append(part if sheet is None or only else replace(part, name=f"{sheet}.xlsx", sha256=""))
    if len(parts) == 1:
        return parts[0]
    names = distinct_names(parts, [part.name for part in parts])
    table = _joined(parts, files[0][0] if len(files) == 1 else " + ".join(names), limits)
    return replace(table, how=ReadOptions(delimiter or "", encoding or "", only, skip_bad_rows))


def _every_sheet(file: tuple[str, bytes], titles: Sequence[str], opened: Callable[..., TextTable]) -> TextTable | None:
    """Return a workbook as the option for every sheet reads it, where that reads the sheets that were chosen; else None."""
    with contextlib.suppress(InputError):
        table = opened(file[1], file[0], sheet=EVERY_SHEET)
        if [part.name for part in table.parts] == [f"{title}.xlsx" for title in titles]:
            return table
    return None


def own_files(table: TextTable) -> tuple[TextTable, ...]:
    """Return the sheets that were read as files of their own, which nobody has until they are saved."""
    return tuple(part for part in table.parts if part.sheets and not part.sha256)


def _only_sheet(chosen: set[tuple[str, ...]]) -> str:
    """Return the sheet that alone was chosen of every workbook; empty where there is no such sheet."""
    titles = next(iter(chosen)) if len(chosen) == 1 else ()
    return titles[0] if len(titles) == 1 else ""

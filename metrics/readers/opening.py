"""Any source -> Table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import pyarrow as pa

from metrics.data.read_options import ReadOptions
from metrics.readers.autorubric import read_run
from metrics.readers.autorubric_parts import refuse_alone, run_of
from metrics.readers.bundles import Member, archived, contents, is_archive, is_several, members_of
from metrics.readers.containers import as_utf8, is_parquet, is_workbook, take
from metrics.readers.delimited import can_separate, read_delimited
from metrics.readers.foreign import refuse_binary, refuse_packed
from metrics.readers.formats import registry
from metrics.readers.formats.inspect_archive import is_log, read_archive
from metrics.readers.frames import as_text, read_frame
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.messages import brief, refuse
from metrics.readers.parquet import read_parquet
from metrics.readers.records import looks_like_json, read_records
from metrics.readers.table import TextTable
from metrics.readers.workbook import read_workbook


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
    source : path, bytes, file object, pandas.DataFrame or pyarrow.Table, or a list of files
        CSV, TSV, semicolon or bar separated text in any usual encoding, plain or gzip; Excel; Parquet; JSON records; a run of
        autorubric, with its dataset, as a folder, a zip archive or a list of these.
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
        table = _opened(source, name, how, limits)
    except MemoryError:
        refuse(f"{brief(name or 'The file')} needs more memory than there is. Split it, or send fewer columns.")
    limits.check(table)
    return replace(_as_ratings(table), how=how)


def _as_ratings(table: TextTable) -> TextTable:
    """Return the ratings of a table that a known tool writes; any other table as it is."""
    form = registry.of_table(table) if not table.format else None
    if form is None or form.read_table is None:
        return table
    return replace(form.read_table(table), format=form.what)


def _opened(source: Any, name: str | None, how: ReadOptions, limits: Limits) -> TextTable:
    skip = how.skip_bad_rows
    if isinstance(source, pd.DataFrame):
        return read_frame(source, name or "DataFrame")
    if isinstance(source, pa.Table):
        return as_text(source, name or "table", "")
    if is_several(source):
        source_name, members = members_of(source)
        what = "holds" if isinstance(source, list | tuple) else "is a folder that holds"
        return _combined_table(members, name or source_name, what, skip, limits)
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
    if not how.delimiter and looks_like_json(text):
        refuse_alone(text, name)
        return read_records(text, name, digest, skip_bad_rows=skip, notes=notes, limits=limits)
    return read_delimited(text, name, digest, delimiter=how.delimiter or None, skip_bad_rows=skip, notes=notes, limits=limits)


def _combined_table(
    members: Sequence[Member], name: str, what: str, skip_bad_rows: bool, limits: Limits, sha256: str = ""
) -> TextTable:
    """Return several files as one table."""
    run = run_of(members, name)
    if run is None:
        refuse(f"{brief(name)} {what} no run of autorubric: a dataset's JSON file and the run's items.jsonl. Name one table.")
    return read_run(run, name, sha256 or contents(members), skip_bad_rows=skip_bad_rows, limits=limits)

"""The sheets of a workbook that were chosen, as files of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from metrics.data.read_options import ReadOptions
from metrics.errors import InputError
from metrics.readers.bundles import distinct_names
from metrics.readers.containers import is_workbook
from metrics.readers.joining import join_tables
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.opening import open_table
from metrics.readers.table import TextTable
from metrics.readers.workbook import EVERY_SHEET

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
    parts = [replace(part, name=name) for part, name in zip(parts, names, strict=True)]
    title = files[0][0] if len(files) == 1 else " + ".join(names)
    limits.check_size(sum(part.n_rows for part in parts), max(len(part.columns) for part in parts), title)
    table = join_tables(parts, title)
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

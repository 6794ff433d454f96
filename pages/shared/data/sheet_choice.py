"""Which sheets of a workbook are read: each with its first rows, several joined like files."""

from __future__ import annotations

from dataclasses import replace
from string import ascii_uppercase

import streamlit as st

from metrics.readers import Proposal, TextTable
from metrics.readers.workbook import Sheet, first_rows
from pages.shared import session_cache, sheets, uploads
from pages.shared.data import pending
from pages.shared.data.reading import Files
from pages.shared.plain import short

KEPT, MOST_SHOWN, HEIGHT = "data.sheets", 20, 420
"""Sheets whose first rows are drawn, and pixels that the list of them takes before it scrolls."""


def ask() -> None:
    """Nothing while no file that was dropped in has several sheets."""
    reading = pending.reading()
    if reading is None:
        return
    files, how = reading
    every = _sheets(files)
    if not any(every):
        return
    mark = f"{hash(files) & 0xFFFFFFFF:x}"
    before, chosen = [], []
    for place, own in enumerate(every):
        before.append(_read_now(place, own, how.sheets))
        ticked = before[-1] if how.sheets else _proposed(own, several=len(files) == 1 and not _is_whole())
        chosen.append(_choose(files[place][0], own, ticked, f"data.sheet {mark} {place}") if own else ())
    if any(own and not picked for own, picked in zip(every, chosen, strict=True)):
        st.markdown("Choose a sheet.")
    elif chosen != before:
        pending.read(files, replace(how, sheets=tuple(chosen)))
        st.rerun()


def is_asked() -> bool:
    """Return whether a file that was dropped in has several sheets."""
    reading = pending.reading()
    return reading is not None and any(_sheets(reading[0]))


def _sheets(files: Files) -> list[tuple[Sheet, ...]]:
    """Return the sheets of each file that has several, found once for the files that wait."""
    draft = pending.current()
    tables: tuple[TextTable, ...] = () if draft is None else draft.table.parts or (draft.table,)
    if pending.refused() is None and not any(table.sheets for table in tables):
        return [() for _ in files]
    found = session_cache.memoised_last(KEPT, hash(files), lambda: _first_rows(files))
    return [own if len(own) > 1 else () for own in found]


def _first_rows(files: Files) -> list[tuple[Sheet, ...]]:
    with st.spinner("Looking at the sheets", show_time=True):
        return [first_rows(data, name, uploads.limits()) for name, data in files]


def _read_now(place: int, own: tuple[Sheet, ...], chosen: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Return the sheets of a file that were read by name, else the first: one behind it is read again under its name."""
    if not own:
        return ()
    return (chosen[place] if place < len(chosen) else ()) or (own[0].title,)


def _proposed(own: tuple[Sheet, ...], *, several: bool) -> tuple[str, ...]:
    """Return the first sheet that may be a table, with those that have one of its columns where it alone is not enough."""
    tables = [sheet for sheet in own if sheet.may_be_table] or list(own)
    names = {name for sheet in tables[:1] for name in sheet.rows[0] if name}
    return tuple(sheet.title for sheet in tables if sheet is tables[0] or (several and names & set(sheet.rows[0])))


def _is_whole() -> bool:
    """Return whether the sheet that was read first holds labels of both sides, as far as its columns tell."""
    draft = pending.current()
    start = None if draft is None else draft.start()
    if not isinstance(start, Proposal) or start.missing:
        return False
    proposed = {role for doubt in start.doubts for _, role in doubt.roles}
    return start.shape in ("pairs", "counts") or {"human", "judge"} <= {*(role for _, role in start.roles), *proposed}


def _choose(name: str, own: tuple[Sheet, ...], ticked: tuple[str, ...], key: str) -> tuple[str, ...]:
    st.markdown(f"**Which sheets of {short(name)}?** Several are joined on the item’s id.")
    with st.container(height=HEIGHT if len(own) > 2 else "content", key=f"sheets_{key[-1]}", border=len(own) > 2):
        return tuple(
            sheet.title
            for number, sheet in enumerate(own)
            if _one(sheet, sheet.title in ticked, f"{key} {sheet.title}", shown=number < MOST_SHOWN)
        )


def _one(sheet: Sheet, ticked: bool, key: str, *, shown: bool) -> bool:
    """Return whether a sheet is chosen."""
    with st.container(gap="xsmall"):
        chosen = st.checkbox(short(sheet.title), value=ticked, key=key, persist_state="session")
        if shown:
            width = max(len(row) for row in sheet.rows)
            cells = {
                letter: [row[place] if place < len(row) else "" for row in sheet.rows]
                for place, letter in enumerate(ascii_uppercase[:width])
            }
            st.dataframe(
                cells, hide_index=True, key=f"{key} rows", column_config=sheets.text_columns(cells), row_height=28,
                alt=f"The first rows of the sheet {sheet.title}",
            )  # fmt: skip
        return chosen

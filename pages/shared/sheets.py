"""Tables that can be taken away: each as a CSV file that carries what the page declares above it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from metrics.figures.rows import column_width
from metrics.results import words
from metrics.results.safe_csv import Table, safe_csv
from pages.shared import state
from pages.shared.plain import unescaped

HERE = "declared here"
"""What the page in view declares, by column."""
Columns = Mapping[str, Sequence[Any]]


def declare(columns: Mapping[str, object]) -> None:
    """What every table that follows on this page rests on; nothing where a page begins."""
    st.session_state[HERE] = dict(columns)


def button(label: str, make: Callable[[], str | bytes], name: str, key: str, mime: str = "text/csv") -> None:
    """A download that is made when it is clicked."""
    st.download_button(label, make, file_name=name, mime=mime, key=key, on_click="ignore", icon=":material/download:")


def download(
    label: str, make: Callable[[], Table], name: str, key: str, extra_columns: Mapping[str, object] | None = None
) -> None:
    """A table as a CSV file, with what it says of itself (`extra_columns`) and what the page declares in further columns."""
    declared: Mapping[str, object] = st.session_state.get(HERE, {})
    button(label, lambda: safe_csv(make(), {**(extra_columns or {}), **declared}), name, key)


def these(n: int, unit: str) -> str:
    """What the download of a list is called: These 12 decisions (CSV)."""
    return f"These {words.several(n, unit)} (CSV)" if n != 1 else f"This {unit.removesuffix('s')} (CSV)"


def show(columns: Columns, label: str, name: str, key: str, *, alt: str | None = None, plain: Columns | None = None) -> None:
    """A table of Markdown cells with its download; `plain` is what the file holds where that is not the cells as they read."""
    st.table(columns, hide_index=True, alt=alt)
    if not state.in_room_view():
        download(label, lambda: plain if plain is not None else as_read(columns), name, key)


def frame(table: Any, label: str, name: str, key: str, *, alt: str, of: Callable[[], Table] | None = None, **look: Any) -> None:
    """A table of plain text with its download; `of` makes what the file holds where that is more than is shown."""
    st.dataframe(table, hide_index=True, key=key, alt=alt, **look)
    if not state.in_room_view():
        download(label, of or (lambda: table), name, f"{key}_csv")


@contextmanager
def unfolded(label: str, key: str) -> Iterator[bool]:
    """What is made and sent once somebody opens it: whether it is open."""
    with st.expander(label, key=f"{key} unfolded", on_change="rerun") as fold:
        yield bool(fold.open)


def text_columns(columns: Columns) -> dict[str, Any]:
    """Return the `column_config` of the columns of texts, which the browser cuts by the first few and where a table is broad."""
    return {
        name: st.column_config.TextColumn(name, width=column_width([name, *cells]))
        for name, cells in columns.items()
        if all(isinstance(cell, str) for cell in cells)
    }


def numbers(columns: Columns, digits: int = 2) -> dict[str, Any]:
    """Return arguments of `st.dataframe` for a table with columns of decimals: as they read elsewhere, so without a minus
    before 0.
    """
    decimals = [name for name, cells in columns.items() if any(isinstance(cell, float) for cell in cells)]
    rounded = {name: [words.printed(cell, digits) for cell in columns[name]] for name in decimals}
    look = {name: st.column_config.NumberColumn(name, format=f"%.{digits}f") for name in decimals} | text_columns(columns)
    return {"data": {**columns, **rounded}, "column_config": look, "placeholder": words.UNDEFINED, "hide_index": True}


def as_read(columns: Columns) -> dict[str, list[Any]]:
    """Return cells and heads of a table of Markdown as they read."""
    return {_read(head): [_read(cell) for cell in cells] for head, cells in columns.items()}


def _read(cell: Any) -> Any:
    return unescaped(cell) if isinstance(cell, str) else cell

"""The left side of the page: drop a file, open a sample, type a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from metrics import InputError
from metrics.readers import combine_files, from_counts, is_part
from pages.shared import cached, parts, state
from pages.shared.data import own_files, pending
from pages.shared.plain import escape, sentence

TYPES = ["csv", "tsv", "txt", "gz", "xlsx", "xlsm", "parquet", "pq", "json", "jsonl", "ndjson", "zip", "eval"]
DELIMITERS = {"": "As the file says", ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Bar"}
ENCODINGS = {"": "As the file says", "utf-8": "UTF-8", "cp1252": "Windows-1252", "utf-16": "UTF-16", "latin-1": "Latin-1"}
TYPED = ("MET", "UNMET", "CANNOT_ASSESS", "label 4", "label 5", "label 6")


def column() -> None:
    st.header("Open", anchor=False)
    _upload()
    _error()
    _format()
    own_files.listed()
    _samples()
    _type()
    template = cached.template()
    parts.download("Template to fill in (CSV)", lambda: template, "template.csv", "data.template")


def _upload() -> None:
    files = st.file_uploader(
        "A file with one row per verdict",
        type=TYPES,
        key="data.upload",
        accept_multiple_files=True,
        help="CSV, TSV, Excel, Parquet or JSON records, also gzipped; of several you choose one. A run of autorubric: its "
        "dataset, items.jsonl and manifest.json together, or one zip. A larger file is counted first, with “python -m metrics "
        "count”; then send the tally. It stays on the machine that serves this page.",
    )
    if files:
        wanted = _chosen_file(files)
        pending.receive(" ".join([*(file.file_id for file in files), wanted.file_id]), lambda: _chosen(files, wanted))
        _sheet()


def _chosen_file(files: Sequence[Any]) -> Any:
    """Return the one of several files that is opened, the last one at first; a run of autorubric is all its parts."""
    if len(files) == 1 or is_part(files[-1].getvalue()):
        return files[-1]
    by_id = {file.file_id: file for file in reversed(files)}
    chosen = st.selectbox(
        f"Open one of {len(files)} files",
        list(by_id),
        format_func=lambda name: by_id[name].name,
        key=f"data.which {' '.join(by_id)}",
        help="One file is opened at a time; each stays open for this session.",
    )
    return by_id[chosen]


def _chosen(files: Sequence[Any], wanted: Any) -> tuple[str, bytes]:
    """Name and bytes of one file; where it is part of a run, of all parts together."""
    given = [(file.name, file.getvalue()) for file in files]
    named_file = wanted.name, wanted.getvalue()
    parts = [part for part in given if is_part(part[1])] if len(given) > 1 and is_part(named_file[1]) else [named_file]
    return " + ".join(name for name, _ in parts), combine_files(parts)


def _sheet() -> None:
    """The sheet of a workbook that has several; the first that holds anything until another is chosen."""
    draft = pending.current()
    if draft is None or len(draft.table.sheets) < 2 or not draft.data:
        return
    read, *_ = names = draft.table.sheets
    chosen = st.selectbox(f"Sheet of the workbook: one of {len(names)}", names, key=f"data.sheet {draft.id} {read}")
    if chosen != read:
        pending.read(draft.table.name, draft.data, replace(draft.how, sheet=chosen))
        st.rerun()


def _error() -> None:
    problem = pending.error()
    if not problem:
        return
    dataset = state.dataset()
    still = f" Still showing {escape(dataset.title)}." if dataset else ""
    st.error(f"{sentence(problem)}{still}", icon=":material/error:")
    failed = st.session_state.get("data.failed")
    if failed and st.session_state.get(pending.BAD_ROWS):
        st.button("Leave such rows out, and list them", key="data.skip", on_click=pending.read_again)


def _format() -> None:
    """Another way to read the file that was refused or waits for confirmation."""
    draft, failed = pending.current(), st.session_state.get("data.failed")
    if not failed and (draft is None or not draft.data):
        return
    name, data = failed or (draft.table.name, draft.data)  # type: ignore[union-attr]
    mark = pending.mark_of(data)[:8]
    with st.expander("How the file is read: delimiter, encoding, sheet"):
        with st.form(f"data.how {mark}", border=False):
            delimiter = st.selectbox("Delimiter", list(DELIMITERS), format_func=DELIMITERS.get)
            encoding = st.selectbox("Encoding", list(ENCODINGS), format_func=ENCODINGS.get)
            sheet = st.text_input("Sheet of a workbook", placeholder="the first")
            skip = st.checkbox("Leave out rows that cannot be read, and list them")
            again = st.form_submit_button("Read it that way")
        if again:
            pending.read(name, data, pending.How(delimiter or None, encoding or None, sheet.strip() or None, skip))
            st.rerun()


def _samples() -> None:
    with st.expander("Open a sample", expanded=pending.current() is None):
        for name, record in cached.samples().items():
            open_now = st.session_state.get("data") == name and not pending.waiting()
            st.button(
                escape(record["title"]),
                key=f"data.sample {name}",
                help=f"{escape(record['description'])} Source: {escape(record['source'])}.",
                on_click=_open_sample,
                args=(name,),
                disabled=open_now,
                width="stretch",
            )


def _open_sample(name: str) -> None:
    pending.forget()
    state.choose(name)


def _type() -> None:
    with st.expander("Type a table of counts"):
        size = st.segmented_control(
            "Labels", [2, 3, 4, 5, 6], default=2, required=True, key="data.typed_size", persist_state="session"
        )
        names = st.data_editor(
            {"label": list(TYPED[:size])}, key=f"data.typed_names {size}", hide_index=True, alt="Names of the labels"
        )["label"]
        labels = [str(name).strip() for name in names]
        st.markdown("Rows: what the human said. Columns: what the judge said.")
        start = [{"human": f"label {row + 1}"} | {f"judge: label {i + 1}": 0 for i in range(size)} for row in range(size)]
        counts = st.data_editor(
            start, key=f"data.typed {size}", disabled=["human"], alt="Counts, the human in rows and the judge in columns"
        )
        st.button("Use this table", on_click=_use_typed, args=(counts, labels), key="data.use_typed")


def _use_typed(rows: Sequence[dict[str, Any]], labels: list[str]) -> None:
    counts = [[int(cell or 0) for name, cell in row.items() if name != "human"] for row in rows]
    try:
        ratings = from_counts(counts, labels, name="typed table")
    except InputError as problem:
        st.session_state[pending.ERROR] = str(problem)
        return
    pending.forget()
    state.keep(state.Dataset(ratings.source.sha256[:8], "Typed table", "upload", ratings))

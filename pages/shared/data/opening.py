"""The left side of the page: drop a file, open a sample, type a table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import streamlit as st

from metrics import InputError
from metrics.readers import from_counts, is_part
from metrics.readers.formats.record import Format
from metrics.readers.formats.registry import FORMATS
from metrics.results.words import count
from pages.shared import cached, parts, quota, session_cache, state
from pages.shared.data import pending, same_shape, sheet_choice
from pages.shared.data.reading import How
from pages.shared.keeping import asking, device, work
from pages.shared.plain import escape, sentence, short

DELIMITERS = {"": "Detect automatically", ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Bar"}
ENCODINGS = {"": "Detect automatically", "utf-8": "UTF-8", "cp1252": "Windows-1252", "utf-16": "UTF-16", "latin-1": "Latin-1"}
TOGETHER, WHICH = "together", "data.which {}"
TYPED = ("MET", "UNMET", "CANNOT_ASSESS", "label 4", "label 5", "label 6")


def column() -> None:
    st.header("Open", anchor=False)
    _upload()
    _add()
    asking.section()
    _error()
    _format()
    _exports()
    _own_files()
    _samples()
    _type()
    template = cached.template()
    parts.download("Template to fill in (CSV)", lambda: template, "template.csv", "data.template")


def _upload() -> None:
    files = st.file_uploader(
        "One table, several to join, or an export of a tool",
        key="data.upload",
        accept_multiple_files=True,
        help="CSV, TSV, Excel, Parquet or JSON records, also gzipped. Several files are joined on the item’s id: human labels in "
        "one and a judge’s verdicts in another, or one file per rater. A run of autorubric: its dataset, items.jsonl and "
        "manifest.json together, or one zip. A larger file is counted first, with “python -m metrics count”; then send the "
        "tally. It stays on the machine that serves this page.",
    )
    if files:
        wanted = _wanted_files(files, together=_dropped_together(files))
        pending.receive(" ".join(file.file_id for file in (*files, *wanted)), lambda: pending.contents(device.noted(wanted)))
    sheet_choice.ask()


def _add() -> None:
    """A further file beside the one in view: a judge, a person, or labels; nothing where it has no items to join on."""
    dataset = state.dataset()
    if dataset is None or dataset.kind != "upload" or dataset.table is None or not dataset.ratings.has_items or pending.waiting():
        return
    files = st.file_uploader(
        f"Add a file to {short(dataset.title)}",
        key=f"data.add {dataset.id}",
        accept_multiple_files=True,
        help="Another judge, another person, or labels, joined on the item’s id. The open data set stays until you use the join.",
    )
    if files:
        mark = " ".join(file.file_id for file in files)
        pending.receive(
            mark, lambda: tuple((file.name, file.getvalue()) for file in device.noted(files)), pending.add, seen="data.added"
        )


def _wanted_files(files: Sequence[Any], *, together: bool) -> list[Any]:
    """Return the files that are opened: all together, or one of them; a run of autorubric is all its parts."""
    if len(files) == 1:
        return list(files)
    run = [file for file in files if is_part(file.getvalue())]
    if files[-1] in run:
        return run
    by_id = {TOGETHER: None, **{file.file_id: file for file in reversed(files)}}
    chosen = st.selectbox(
        f"Open {len(files)} files",
        list(by_id),
        index=0 if together else 1,
        format_func=lambda name: "joined on the item’s id" if name == TOGETHER else f"only {by_id[name].name}",
        key=WHICH.format(" ".join(by_id)),
        help="Each stays open for this session.",
    )
    if chosen != TOGETHER:
        return [by_id[chosen]]
    st.button(
        "Undo the join", key="data.unjoin", on_click=_unjoin, args=(WHICH.format(" ".join(by_id)), files[-1].file_id),
        help=f"Open {short(files[-1].name)} alone.", icon=":material/undo:",
    )  # fmt: skip
    return [file for file in files if file not in run]


def _dropped_together(files: Sequence[Any]) -> bool:
    """Return whether the last two files came at once: then they are meant as one; a file that comes later is another one."""
    known: dict[str, int] = st.session_state.setdefault("data.dropped", {})
    drop = 1 + max(known.values(), default=0)
    for file in files:
        known.setdefault(file.file_id, drop)
    return len({known[file.file_id] for file in files[-2:]}) == 1


def _unjoin(key: str, name: str) -> None:
    st.session_state[key] = name


def _error() -> None:
    problem = pending.error()
    if not problem:
        return
    dataset = state.dataset()
    still = f" Still showing {escape(dataset.title)}." if dataset else ""
    st.error(f"{sentence(problem)}{still}", icon=":material/error:")
    if pending.refused() and st.session_state.get(pending.BAD_ROWS):
        st.button("Leave such rows out, and list them", key="data.skip", on_click=pending.read_again)


def _format() -> None:
    """Another way to read the file that was refused or waits for confirmation."""
    reading = pending.reading()
    if reading is None:
        return
    files, how = reading
    mark = pending.mark_of(b"".join(data for _, data in files))[:8]
    with st.expander("How the file is read: delimiter, encoding"):
        with st.form(f"data.how {mark}", border=False):
            delimiter = st.selectbox("Delimiter", list(DELIMITERS), format_func=DELIMITERS.get)
            encoding = st.selectbox("Encoding", list(ENCODINGS), format_func=ENCODINGS.get)
            skip = st.checkbox("Leave out rows that cannot be read, and list them")
            again = st.form_submit_button("Read it that way")
        if again:
            pending.read(files, How(delimiter or None, encoding or None, skip, how.sheets))
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
        st.button("Analyse this table", on_click=_use_typed, args=(counts, labels), key="data.use_typed")


def _use_typed(rows: Sequence[dict[str, Any]], labels: list[str]) -> None:
    counts = [[int(cell or 0) for name, cell in row.items() if name != "human"] for row in rows]
    try:
        keep_typed(counts, labels)
    except InputError as problem:
        st.session_state[pending.ERROR] = str(problem)


def keep_typed(counts: Sequence[Sequence[int]], labels: Sequence[str]) -> None:
    """Open a table of counts.

    Raises
    ------
    InputError
        Where it is none.
    """
    ratings = from_counts(counts, labels, name="typed table")
    pending.forget()
    name = ratings.source.sha256[:8]
    session_cache.held(work.TYPED)[name] = counts, labels
    state.keep(state.Dataset(name, "Typed table", "upload", ratings))


def _exports() -> None:
    """One line for each export, with those that cannot be used and what to make instead."""
    with st.expander("Exports of tools that open as they are"):
        for tool, formats in groupby(sorted(FORMATS, key=lambda form: form.tool.casefold()), key=lambda form: form.tool):
            lines = [f"- {escape(_line_of_format(form))}" for form in sorted(formats, key=lambda form: not form.usable)]
            st.markdown(f"**{escape(tool)}**\n" + "\n".join(lines))


def _line_of_format(form: Format) -> str:
    what = f"{form.what[:1].upper()}{form.what[1:]}"
    return f"{what}. {form.how}" if form.usable else f"{what} cannot be used. {form.why} {form.how}"


def _own_files() -> None:
    """Nothing before the first file."""
    datasets = state.uploads()
    if not datasets:
        return
    with st.expander(f"Files of this session: {count(len(datasets))}"):
        for name, dataset in reversed(datasets.items()):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(short(dataset.title), width="stretch")
                st.button(
                    "Remove", key=f"data.remove {name}", help=f"Forget {short(dataset.title)}", on_click=_let_go, args=(name,)
                )
        if quota.most():
            st.markdown(f"Together {quota.held() / quota.MB:.1f} of {quota.most() // quota.MB} MB that a session may hold.")


def _let_go(name: str) -> None:
    dataset = state.uploads().pop(name, None)
    if dataset is not None:
        same_shape.forget_file(dataset.title)
    pending.drop(name)
    device.forget(name)
    if st.session_state.get("data") == name:
        state.choose(next(reversed(state.uploads()), state.default_id()))

"""A second file with the same items: read, joined to the one in view, and what found no partner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from metrics import InputError, Ratings
from metrics.analyses.comparison.joining import Joined, join, propose_second
from metrics.readers import Proposal, TextTable, build
from metrics.results.safe_csv import safe_csv
from metrics.results.words import NEEDS_ROWS, count
from pages.shared import parts, session_cache, state
from pages.shared.keeping import asking, device, work
from pages.shared.plain import emphasis, sentence
from pages.shared.watch import runs

UPLOAD, OPEN, ERROR, NOTES = "compare.second", "compare.open", "compare.error", "compare.joined"
A, B = "a", "b"
HELP = "Joined on item and criterion: it needs the ids of the first file, and its human labels or none of its own."


@dataclass(frozen=True, eq=False)
class Note:
    """What a join left without a partner."""

    counts: dict[str, int]
    unmatched: Any


def needed(dataset: state.Dataset) -> None:
    """The empty state of a page that compares judges, for a data set of one."""
    st.info("This file has one judge. Add a second file with the same items to compare them.", icon=":material/info:")
    chooser(dataset)


def chooser(dataset: state.Dataset) -> None:
    """Where a second file comes from: the disk, or the files open already."""
    if not dataset.ratings.has_rows:
        st.markdown(NEEDS_ROWS)
        return
    choose(
        dataset, "A second file with the same items", "Add it", (UPLOAD, OPEN, "compare.add"), HELP,
        lambda first, file: _name_judges(take_upload(first, file), first),
        lambda first, other: _name_judges(take_open(first, other), first),
    )  # fmt: skip
    if device.beside(dataset.id) is not None:
        asking.offer()
    problem = st.session_state.get(ERROR)
    if problem:
        st.error(sentence(problem), icon=":material/error:")


def choose(
    dataset: state.Dataset,
    label: str,
    button: str,
    keys: tuple[str, str, str],
    told: str,
    take_file: Callable[[state.Dataset, Any], object],
    take_other: Callable[[state.Dataset, state.Dataset], object],
) -> None:
    """A second file from the disk, or one of the files open already; each is taken up as soon as it is chosen.

    Parameters
    ----------
    dataset : Dataset
    label, button : str
        Of the file to upload, and to take the open one.
    keys : tuple of three str
        Of the upload, of the open files and of the button.
    told : str
        What the file must hold.
    take_file, take_other : callable
        What is done with the data set in view and the one chosen.
    """

    def taken(second: Any, take: Callable[[state.Dataset, Any], object]) -> None:
        whole = state.whole_dataset()
        if second is not None and whole is not None:
            take(whole, second)

    held = st.session_state
    st.file_uploader(label, key=keys[0], on_change=lambda: taken(held[keys[0]], take_file), help=told)
    others = [name for name, other in state.uploads().items() if name != dataset.id and other.ratings.has_rows]
    if others:
        titles = state.titles()
        st.selectbox("Or a file that is open already", others, format_func=lambda name: titles.get(name, name), key=keys[1])
        st.button(button, key=keys[2], on_click=lambda: taken(state.uploads().get(held[keys[1]]), take_other))


def note(dataset: state.Dataset) -> None:
    """Rows of a joined data set that have no partner, with a download."""
    join_note: Note | None = session_cache.held(NOTES).get(dataset.id)
    if join_note is None:
        return
    if not len(join_note.unmatched):
        st.markdown("Joined on item and criterion: every row of a judge has a partner in the other file.")
        return
    rows = " and ".join(f"{count(n)} of {emphasis(name)}" for name, n in join_note.counts.items() if n)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Joined on item and criterion. Rows of judges without a partner in the other file: {rows}.", width="content")
        parts.download(
            "Rows without a partner (CSV)", lambda: safe_csv(join_note.unmatched), "unmatched.csv", "compare.unmatched_csv"
        )


def take_upload(dataset: state.Dataset, file: Any) -> Joined | None:
    """Join an upload to a data set and open both as one, or say why not; return what was joined."""
    return _add(dataset, lambda: uploaded(dataset.ratings, file), beside_upload(device.COMPARE, file))


def take_open(dataset: state.Dataset, other: state.Dataset) -> Joined | None:
    """Join a data set that is open to another one, as `take_upload`."""
    return _add(dataset, lambda: other.ratings, beside_open(device.COMPARE, other))


def beside_upload(role: str, file: Any) -> device.Beside:
    """Return what a browser keeps of an upload as second file."""
    device.noted([file])
    return device.Beside(role, device.coming())


def beside_open(role: str, other: state.Dataset) -> device.Beside | None:
    """Return what a browser keeps of an open data set as second file; None where it was not read from files."""
    if other.table is None or not device.sent(other.id):
        return None
    return device.Beside(role, device.sent(other.id), {"id": other.id, **work.reading(other)})


def _add(dataset: state.Dataset, second: Callable[[], Ratings], its_file: device.Beside | None) -> Joined | None:
    st.session_state[ERROR] = ""
    try:
        joined = join(dataset.ratings, second())
    except InputError as problem:
        st.session_state[ERROR] = page_words(problem)
        return None
    name = joined.ratings.source.sha256[:8]
    if its_file is not None and dataset.table is not None:
        device.take_beside(name, replace(its_file, first={"id": dataset.id, **work.reading(dataset)}))
        device.came_from(name, dataset.id)
    state.keep(state.Dataset(name, joined.ratings.source.name, "upload", joined.ratings))
    session_cache.held(NOTES)[name] = Note(joined.unmatched_counts(), joined.unmatched)
    return joined


def page_words(problem: InputError) -> str:
    """Return a refusal with the way to the page that has the control for it."""
    return f"{problem}{' Do so on the Data page, then choose the file here.' if problem.about else ''}"


def uploaded(first: Ratings, file: Any) -> Ratings:
    """Return an upload as the second file."""
    return read(first, runs.opened([(file.name, file.getvalue())]))


def read(first: Ratings, table: TextTable) -> Ratings:
    """Return the second file, its labels and columns meaning what they mean in the first where it does not say so itself."""
    labels = {label: str(kind) for label, kind in first.scheme.kinds if label or kind != "error"}
    columns = dict(first.columns)
    proposals = propose_second(table, first, labels=labels)
    if proposals[1].blocking and set(columns.values()) <= set(table.columns):
        proposals = propose_second(table, first, columns=columns, labels=labels)
    if proposals[1].blocking:
        raise InputError(_doubts(proposals[1]))
    return build(*proposals)


def _doubts(proposal: Proposal) -> str:
    return f"{proposal.blocking[0].sentence} Open this file on the Data page, say so there, and then choose it here."


def _name_judges(joined: Joined | None, dataset: state.Dataset) -> None:
    """Choose the judge in view as A and the first of the second file as B."""
    if joined is None:
        return
    a = str(st.session_state.get(A) or dataset.ratings.judges[0])
    st.session_state[A] = joined.judge(a, 0) if a in joined.names[0] else next(iter(joined.names[0].values()))
    st.session_state[B] = next(iter(joined.names[1].values()))

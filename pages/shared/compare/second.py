"""A second file with the same items: read, joined to the one in view, and what found no partner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from metrics import InputError, Ratings
from metrics.analyses.comparison.joining import Joined, join, propose_second
from metrics.readers import Proposal, TextTable, build
from metrics.results.safe_csv import safe_csv
from metrics.results.words import NEEDS_ROWS, count
from pages.shared import parts, state
from pages.shared.plain import emphasis, sentence
from pages.shared.watch import runs

UPLOAD, OPEN, ERROR, NOTES = "compare.second", "compare.open", "compare.error", "compare.joined"
A, B = "a", "b"


@dataclass(frozen=True, eq=False)
class Note:
    """What a join left without a partner."""

    counts: dict[str, int]
    unmatched: Any


def chooser(dataset: state.Dataset) -> None:
    """Where a second file comes from: the disk, or the files open already."""
    if not dataset.ratings.has_rows:
        st.markdown(NEEDS_ROWS)
        return
    st.file_uploader(
        "A second file with the same items",
        key=UPLOAD,
        on_change=_uploaded,
        help="Joined on item and criterion: it needs the ids of the first file, and its human labels or none of its own.",
    )
    others = [name for name, other in state.uploads().items() if name != dataset.id and other.ratings.has_rows]
    if others:
        titles = state.titles()
        st.selectbox("Or a file that is open already", others, format_func=lambda name: titles.get(name, name), key=OPEN)
        st.button("Add it", key="compare.add", on_click=_chosen)
    problem = st.session_state.get(ERROR)
    if problem:
        st.error(sentence(problem), icon=":material/error:")


def note(dataset: state.Dataset) -> None:
    """Rows of a joined data set that have no partner, with a download."""
    join_note = _notes().get(dataset.id)
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


def _uploaded() -> None:
    file = st.session_state[UPLOAD]
    if file is not None:
        _add(lambda first: uploaded(first, file))


def _chosen() -> None:
    other = state.uploads().get(st.session_state[OPEN])
    if other is not None:
        _add(lambda first: other.ratings)


def _add(second: Callable[[Ratings], Ratings]) -> None:
    """Join the second file to the one in view, or say why not."""
    dataset = state.whole_dataset()
    st.session_state[ERROR] = ""
    if dataset is None:
        return
    try:
        _open(dataset, join(dataset.ratings, second(dataset.ratings)))
    except InputError as problem:
        st.session_state[ERROR] = page_words(problem)


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


def _open(dataset: state.Dataset, joined: Joined) -> None:
    """Show the joined data set, the judge in view as A and the first of the second file as B."""
    ratings = joined.ratings
    its_name = ratings.source.sha256[:8]
    a = str(st.session_state.get(A) or dataset.ratings.judges[0])
    state.keep(state.Dataset(its_name, ratings.source.name, "upload", ratings))
    _notes()[its_name] = Note(joined.unmatched_counts(), joined.unmatched)
    st.session_state[A] = joined.judge(a, 0) if a in joined.names[0] else next(iter(joined.names[0].values()))
    st.session_state[B] = next(iter(joined.names[1].values()))


def _notes() -> dict[str, Note]:
    notes: dict[str, Note] = st.session_state.setdefault(NOTES, {})
    return notes

"""The decisions as a file: saved, loaded, and shown all together."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics import InputError
from metrics.analyses.review.compute import Reviewed
from metrics.analyses.review.decisions import Review, read_review
from metrics.analyses.review.readings import loaded_words
from metrics.analyses.review.tables import decided, decisions_table
from metrics.results.tables import Column, as_text, in_full, selected, with_column
from pages.shared import kept, parts, sheets, state
from pages.shared.plain import escape, sentence
from pages.shared.review import held

LOAD, TOLD = "review.load", "review.told"


def section(its: state.Dataset, found: Sequence[Reviewed]) -> None:
    review = held.review_of(its)
    with st.expander("All decisions: save them, load them"):
        parts.rows(_shown(review, found), len(found), "criteria", "review.all", height="content")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            parts.download("Save the decisions (JSON)", review.to_json, "rubric_review.json", "review.save", "application/json")
            sheets.download("The table (CSV)", lambda: in_full(decisions_table(review, found)), "rubric_review.csv", "review.csv")
        st.file_uploader(
            "Load decisions that were saved", type=["json"], key=LOAD, on_change=_load,
            args=(tuple(one.criterion for one in found),),
            help="They take the place of those made here; Undo brings these back.",
        )  # fmt: skip
        _told(its)


def _shown(review: Review, found: Sequence[Reviewed]) -> dict[str, list[str]]:
    table = decided(((reviewed.criterion, review.of(reviewed.criterion)) for reviewed in found), "open")
    shown = selected(table, ("criterion", "decision", "owner", "note"))
    return as_text(with_column(shown, Column("κ", "number"), (reviewed.kappa for reviewed in found)))


def _load(criteria: tuple[str, ...]) -> None:
    file, its = st.session_state[LOAD], state.dataset_of_the_file()
    if file is None or its is None:
        return
    try:
        review = read_review(file.getvalue(), file.name)
    except InputError as problem:
        kept.held(TOLD)[its.id] = "error", str(problem)
        return
    held.put(its.id, {name: one for name, one in review.decisions.items() if name in criteria and not one.empty})
    kept.held(TOLD)[its.id] = "info", loaded_words(review, criteria, its.ratings.source.sha256)


def _told(its: state.Dataset) -> None:
    kind, text = kept.held(TOLD).get(its.id, ("", ""))
    if kind == "error":
        st.error(sentence(text), icon=":material/error:")
    elif text:
        st.info(escape(text), icon=":material/info:")

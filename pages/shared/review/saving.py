"""The decisions as a file: saved, loaded, and shown all together."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics import InputError
from metrics.analyses.review.compute import Reviewed
from metrics.analyses.review.decisions import Review, read_review
from metrics.analyses.review.readings import loaded_words
from metrics.analyses.review.tables import decision_table, decisions_table, meeting_json
from metrics.report.writing import today
from metrics.results.tables import Column, as_text, in_full, selected, with_column
from pages.shared import parts, session_cache, sheets, state
from pages.shared.plain import escape, sentence
from pages.shared.review import held

NAME = "rubric_review.json"
LOAD, TOLD = "review.load", "review.told"


def section(dataset: state.Dataset, reviews: Sequence[Reviewed]) -> None:
    review = held.review_of(dataset)
    with st.expander("All decisions: save them, load them"):
        parts.rows(_table_columns(review, reviews), len(reviews), "criteria", "review.all", height="content")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            parts.download(
                "Save the decisions (JSON)", lambda: meeting_json(review, reviews, today()), NAME, "review.save",
                "application/json",
            )  # fmt: skip
            sheets.download(
                "The table (CSV)", lambda: in_full(decisions_table(review, reviews, today())), "rubric_review.csv", "review.csv"
            )
        st.file_uploader(
            "Load decisions that were saved", type=["json"], key=LOAD, on_change=_load,
            args=(tuple(review.criterion for review in reviews),),
            help="They take the place of those made here; Undo brings these back.",
        )  # fmt: skip
        _show_message(dataset)


def _table_columns(review: Review, reviews: Sequence[Reviewed]) -> dict[str, list[str]]:
    table = decision_table(((reviewed.criterion, review.of(reviewed.criterion)) for reviewed in reviews), "open")
    shown = selected(table, tuple(head.name for head in table.columns if head.name != "definition"))
    return as_text(with_column(shown, Column("κ", "number"), (reviewed.kappa for reviewed in reviews)))


def _load(criteria: tuple[str, ...]) -> None:
    file, dataset = st.session_state[LOAD], state.dataset_of_the_file()
    if file is None or dataset is None:
        return
    try:
        review = read_review(file.getvalue(), file.name)
    except InputError as problem:
        session_cache.held(TOLD)[dataset.id] = "error", str(problem)
        return
    loaded = {name: decision for name, decision in review.decisions.items() if name in criteria and not decision.empty}
    held.HISTORY.put(dataset.id, loaded, "loaded decisions")
    session_cache.held(TOLD)[dataset.id] = "info", loaded_words(review, criteria, dataset.ratings.source.sha256)


def _show_message(dataset: state.Dataset) -> None:
    kind, text = session_cache.held(TOLD).get(dataset.id, ("", ""))
    if kind == "error":
        st.error(sentence(text), icon=":material/error:")
    elif text:
        st.info(escape(text), icon=":material/info:")

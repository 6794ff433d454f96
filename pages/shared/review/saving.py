"""The decisions as a file: saved, loaded, and shown all together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from metrics.analyses.review.compute import Reviewed
from metrics.analyses.review.decisions import Review, read_review
from metrics.analyses.review.readings import loaded_words
from metrics.analyses.review.tables import decision_table, decisions_table, meeting_json
from metrics.report.writing import today
from metrics.results.tables import Column, as_text, in_full, selected, with_column
from pages.shared import parts, saved, sheets, state
from pages.shared.review import held

NAME = "rubric_review.json"
LOAD = "review.load"


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
        saved.loader(
            dataset, "Load decisions that were saved", LOAD, "They take the place of those made here; Undo brings these back.",
            partial(_take, tuple(review.criterion for review in reviews)),
        )  # fmt: skip


def _table_columns(review: Review, reviews: Sequence[Reviewed]) -> dict[str, list[str]]:
    table = decision_table(((reviewed.criterion, review.of(reviewed.criterion)) for reviewed in reviews), "open")
    shown = selected(table, tuple(head.name for head in table.columns if head.name != "definition"))
    return as_text(with_column(shown, Column("κ", "number"), (reviewed.kappa for reviewed in reviews)))


def _take(criteria: tuple[str, ...], dataset: state.Dataset, content: bytes, name: str) -> str:
    review = read_review(content, name)
    loaded = {name: decision for name, decision in review.decisions.items() if name in criteria and not decision.empty}
    held.HISTORY.put(dataset.id, loaded, "loaded decisions")
    return loaded_words(review, criteria, dataset.ratings.source.sha256)

"""The decisions the judges split on: a queue for people."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.ensembles.readings import split_reading
from metrics.analyses.ensembles.split import Queue, with_reasons
from metrics.results.words import NEEDS_ROWS, UNDEFINED, percent, plain
from pages.shared import asking as questions
from pages.shared import parts, sheets, state, texts
from pages.shared.disagreements import presets
from pages.shared.ensemble import asking

MOST_ROWS = 200


def section(dataset: state.Dataset) -> None:
    queue = asking.queue(dataset)
    parts.headed(
        "Decisions the judges split on",
        "a queue for people, most divided first: by the chance that two judges who gave a verdict differ",
    )
    parts.reading(split_reading(queue))
    if not len(queue):
        return
    if not dataset.ratings.has_rows:
        st.info(NEEDS_ROWS, icon=":material/info:")
        return
    fresh = queue.without_reference()
    only = False
    if 0 < len(fresh) < len(queue):
        only = st.toggle("Only those without a reference", key=asking.FRESH, **questions.BOUND)
    asked = fresh if only else queue
    shown = _shown(dataset, asked.first(MOST_ROWS), texts.chosen(dataset))
    parts.rows(shown, len(asked), "decisions", "ensemble.queue")
    presets.link(rows="judges")
    label = sheets.these(len(asked), "decisions")
    sheets.download(label, lambda: with_reasons(dataset.ratings, asked), "split.csv", "ensemble.queue_csv")


def _shown(dataset: state.Dataset, queue: Queue, columns: list[str] | None) -> dict[str, list[object]]:
    """Return the votes, then how far they are apart, then who said what and why, then the texts of the file."""
    frame = with_reasons(dataset.ratings, queue, columns)
    left_out = {"apart", "no answer"}
    if len(dataset.ratings.criteria) == 1:
        left_out.add("criterion")
    if queue.verdict_matrix.mode == "as_category":
        left_out.add("no verdict")
    votes = {key: frame.pop(key) for key in queue.columns(dataset.ratings)}
    shown = {plain(key): values for key, values in votes.items() if key not in left_out}
    for key in ("item", "criterion", "majority", "reference"):
        if key in shown:
            shown[key] = [plain(value) or UNDEFINED for value in shown[key]]
    shown["two differ"] = [percent(value) for value in votes["apart"]]
    return shown | frame

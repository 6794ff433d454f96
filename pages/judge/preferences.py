"""Which of two answers is better: does the judge agree, and does the order decide?"""

from __future__ import annotations

import streamlit as st

from metrics.analyses.preferences.readings import citation, header
from pages.shared import as_lines, opening, parts, stage, state
from pages.shared.plain import escape
from pages.shared.preferences import asking, order, ties

ASKS = "Which of two answers is better: does the judge agree, and does their order decide?"


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    parts.sample_note_at_desk(dataset)
    if dataset.ratings.scheme.scale != "binary":
        _classes(dataset)
        return
    state.translate(asking.NAMES)
    with opening.choosers():
        asked = asking.preferences_view(dataset, chosen)
    where = asked.report, asked.convention, asked.criterion
    parts.declaration(header(*where), citation(*where))
    if not asked.preference:
        st.info(asking.NO_PREFERENCE, icon=":material/info:")
    if state.in_room_view():
        stage.one_at_a_time([*ties.drawings(asked), *order.drawings(asked)])
        return
    ties.section(asked)
    ties.winners(asked)
    order.section(asked)
    ties.table(asked)
    as_lines.section(dataset, ties.view(asked))


def _classes(dataset: state.Dataset) -> None:
    parts.lacking(
        f"A preference needs one label for the first answer and one for the second, and {escape(dataset.title)} has "
        f"{len(dataset.ratings.scheme.classes)} classes. Say on the Data page which label is which, and which one is a tie.",
        "Say what the labels mean",
    )


opening.page(ASKS, answer)

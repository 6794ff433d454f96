"""How good is the judge: the first answer, for whatever scale the data set is on."""

from __future__ import annotations

import streamlit as st

from metrics import InputError
from pages.shared import parts, stage, state
from pages.shared.data import pending
from pages.shared.overview import asking, body, landing, statements
from pages.shared.slices import groups

QUESTIONS = {
    "judge": "How good is the judge, how sure is that, and what should be read first?",
    "people": "Do the people agree well enough to serve as a reference for a judge?",
    "judges": "How far do the judges agree with each other?",
}


def page() -> None:
    dataset = state.dataset()
    if dataset is None:
        parts.title(QUESTIONS["judge"])
        landing.drop_zone()
        parts.nothing_open()
        return
    _show(dataset)
    # Not before: a run that is cut short is asked for again, from the page that led here.
    st.session_state.pop(pending.OPENED, None)


def _show(dataset: state.Dataset) -> None:
    if dataset.kind == "sample" and not state.in_room_view():
        landing.show(dataset)
    else:
        parts.title(QUESTIONS[asking.answers(dataset.ratings)])
    try:
        show(dataset)
    except InputError as error:
        parts.refused(error)


def show(dataset: state.Dataset) -> None:
    overview = asking.overview(dataset)
    drawings = body.drawings(dataset, overview)
    if state.in_room_view():
        stage.one_at_a_time([lambda: statements.verdict(overview), *drawings])
        return
    statements.declare(overview)
    statements.understood(dataset)
    body.show(dataset, overview)
    departing = st.container()
    statements.items(dataset, overview)
    statements.steps(dataset, overview)
    body.lines(dataset, overview)
    # The search takes longer than all else, so nothing waits for it.
    with departing:
        groups.departing_line(dataset, asking.chosen(overview))
    asking.hand_over(overview)


page()

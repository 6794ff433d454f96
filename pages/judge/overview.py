"""How good is the judge: the first answer, for whatever scale the data set is on."""

from __future__ import annotations

from metrics import InputError
from pages.shared import parts, state
from pages.shared.overview import asking, body, landing, saying

TITLE = "Overview"
QUESTIONS = {
    "judge": "How good is the judge, how sure is that, and what should be read first?",
    "people": "Do the people agree well enough to serve as a reference for a judge?",
    "judges": "How far do the judges agree with each other?",
}


def page() -> None:
    dataset = state.dataset()
    if dataset is None:
        parts.title(TITLE, QUESTIONS["judge"])
        landing.drop_zone()
        parts.nothing_open()
        return
    if dataset.kind == "sample" and not state.in_room_view():
        landing.show(dataset)
    else:
        parts.title(TITLE, QUESTIONS[asking.answers(dataset.ratings)])
    try:
        show(dataset)
    except InputError as error:
        parts.refused(error)


def show(dataset: state.Dataset) -> None:
    found = asking.overview(dataset)
    drawings = body.drawings(dataset, found)
    if state.in_room_view():
        parts.one_at_a_time([lambda: saying.verdict(found), *drawings])
        return
    saying.declare(found)
    saying.understood(dataset)
    body.show(dataset, found)
    saying.items(dataset, found)
    saying.steps(dataset, found)
    body.lines(dataset, found)


page()

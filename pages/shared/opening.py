"""How a page opens: its title and question, then its answer, or what is missing for one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import streamlit as st

from metrics import InputError
from pages.shared import parts, stage, state

SCORES = (
    "The criteria of this file are continuous: their values are scores, and this page counts labels. What follows is not from it."
)
Answer = Callable[[state.Dataset, Any], None]
"""Given the data set and its choices, which a page of one side may be without."""
Ask = Callable[[state.Dataset | None, state.Choices | None], None]


def page(question: str, answer: Answer, name: str = "", *, of_one_side: bool = False) -> None:
    """The answer for the data set in view; otherwise what to do to get one. Of one side there may be no choices."""
    dataset, chosen = state.dataset(), state.choices()
    parts.title(question, name)
    if dataset is None:
        parts.nothing_open()
    elif chosen is None and not of_one_side:
        parts.one_side_only(dataset)
    elif state.only_scores():
        parts.only_scores(dataset)
    else:
        try:
            answer(dataset, chosen)
        except InputError as error:
            parts.refused(error)


def show_questions(dataset: state.Dataset | None, chosen: state.Choices | None, ask: Ask, lacking: str) -> None:
    """The questions of a page that also answers without data; `lacking` says why the judge in view gives no answer, if so."""
    lacking = SCORES if state.only_scores() else lacking
    if dataset is not None and chosen is not None and lacking:
        st.info(lacking, icon=":material/info:")
    with choosers():
        ask(dataset, chosen)


def nothing_here(dataset: state.Dataset, chosen: state.Choices | None, why: str, example: str) -> None:
    """The empty state of a page that also answers without data: why this file gives none, and how to ask for an example."""
    if chosen is None:
        parts.one_side_only(dataset)
    elif state.only_scores():
        parts.only_scores(dataset)
    else:
        st.info(why, icon=":material/info:")
    st.markdown(example)


def choosers() -> AbstractContextManager[object]:
    """Where the questions of a page are asked: above its figures, in the room beside them behind a switch."""
    return stage.choosers() if state.in_room_view() else nullcontext()

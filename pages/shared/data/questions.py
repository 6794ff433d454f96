"""The questions that a file leaves open: one in view at a time, with the proposed answer chosen; an answered one goes."""

from __future__ import annotations

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.data import pending
from pages.shared.data.pending import Draft
from pages.shared.plain import sentence

Question = Literal["columns", "both", "names", "people", "scale", "labels"]
ANSWERED = "answered"
"""Mark in a draft's memo: the questions whose answer was taken."""
REST = "Change columns, labels or scales"
NEXT = "Next question"


def question(text: str) -> None:
    """Ask something of a file, before the controls that answer it."""
    with st.container(key=f"asked_{abs(hash(text))}"):
        st.markdown(f":material/help: {sentence(text)}")


class Questions:
    """Which question is in view: the first that is open.

    Parameters
    ----------
    draft : Draft
    asked : DeltaGenerator
        Where the question in view is drawn.
    rest : DeltaGenerator
        Where everything else that can be changed is drawn.
    """

    def __init__(self, draft: Draft, asked: DeltaGenerator, rest: DeltaGenerator) -> None:
        self.rest = rest
        self.more = 0
        self._asked = asked
        self._current: Question | None = None
        self._answered: list[Question] = draft.memo.setdefault(ANSWERED, [])

    def place(self, question: Question, *, is_open: bool) -> DeltaGenerator:
        """Return where the controls of a question are drawn; it is asked once its turn comes."""
        if not (is_open and pending.waiting()) or question in self._answered:
            return self.rest
        if self._current is None:
            self._current = question
        self.more += self._current != question
        return self._asked if self._current == question else self.rest

    def asks(self, question: Question) -> bool:
        return self._current == question

    def next(self) -> None:
        """Offer the question after this one, where one is open; the answer in view is taken."""
        if self.more and self._current is not None:
            with self._asked:
                st.button(NEXT, key="data.next", on_click=self._answered.append, args=(self._current,))

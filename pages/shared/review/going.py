"""From criterion to criterion: two buttons and the arrow keys, and a dot for each that says what is decided."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics.analyses.review.decisions import Review
from metrics.analyses.review.readings import place_words, progress_words
from metrics.results.words import shorten
from pages.shared import history, screen, session_cache, stage, state, turning
from pages.shared.plain import escape, short
from pages.shared.review import held

AT, DOTS = "review.at", "review.dots"
ADDRESS = "review_criterion"
AROUND = 6
"""Letters that the mark, the number and the edges of a dot take."""
NAMED, NAMED_NARROW = 240, 90
"""Letters of all names up to which the dots carry them, two lines of them or so; above it, numbers."""


def at(dataset: state.Dataset, names: Sequence[str]) -> int:
    """Place of the criterion in view: as a link names it, then as chosen; else the first."""
    linked = st.query_params.get(ADDRESS)
    if state.arriving() and linked in names:
        session_cache.held(AT)[dataset.id] = linked
    chosen = session_cache.held(AT).get(dataset.id)
    return names.index(chosen) if chosen in names else 0


def bar(dataset: state.Dataset, names: Sequence[str], review: Review, order: str) -> None:
    """Where in the rubric the review stands, what it is sorted by, and the way on."""
    place, last = at(dataset, names), len(names) - 1

    def go(to: int) -> None:
        session_cache.held(AT)[dataset.id] = names[to]

    room = state.in_room_view()
    bar = {"horizontal": True, "vertical_alignment": "center", "gap": "small", "key": "review_bar"}
    with stage.dock() if room else st.container(**bar):
        st.button("Back", key="review.back", disabled=place == 0, on_click=go, args=(place - 1,), **turning.LEFT)
        st.markdown(f"**{place + 1} of {len(names)}**{'' if room else f' :small[{order}]'}", width="content")
        st.button("Next", key="review.next", disabled=place == last, on_click=go, args=(place + 1,), **turning.RIGHT)
        turning.every_press_counts(("review.back", "review.next"), place, last, go, arrows=True)
        history.buttons(held.HISTORY, dataset.id, "review")
        if room:
            with stage.choosers():
                st.markdown(order)
                _dots(dataset, names, review, place)
            stage.leave()
            return
        # Behind the buttons, which else move while it grows.
        st.markdown(f":material/checklist: {escape(progress_words(review, tuple(names)))}", width="content")
    _dots(dataset, names, review, place)


def _dots(dataset: state.Dataset, names: Sequence[str], review: Review, place: int) -> None:
    if len(names) < 2:
        return
    # What is in view decides, also after a turn by a key and in another order.
    st.session_state[DOTS] = names[place]
    st.pills(
        "Criteria, sorted by κ: ✓ decided, ○ open",
        list(names),
        required=True,
        format_func=lambda name: _dot(names, review, name),
        key=DOTS,
        on_change=_choose,
        args=(dataset.id,),
        label_visibility="collapsed",
    )


def _dot(names: Sequence[str], review: Review, name: str) -> str:
    if name not in names:
        return name
    letters = sum(len(shorten(other)) + AROUND for other in names)
    called = short(name) if letters <= (NAMED_NARROW if screen.narrow() else NAMED) else ""
    return place_words(names.index(name), review.of(name), called)


def _choose(data: str) -> None:
    session_cache.held(AT)[data] = st.session_state[DOTS]

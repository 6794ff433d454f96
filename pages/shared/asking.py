"""Questions a page asks. Each answer is kept for the session and stands in the address, so that a link restores it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from metrics.figures.rows import column_width
from metrics.measures.catalogue import BY_KEY

Answer = TypeVar("Answer", bound=str)
BOUND: dict[str, Any] = {"bind": "query-params", "persist_state": "session"}
"""What makes a widget's answer a part of the address and keeps it from page to page."""
BESIDE, BROADEST = 50, 250
"""Px of a list beside the name in it, its arrow and its cross; and the most it has."""
WHILE_TYPING = "400ms"
"""Pause after which a field hands over what is typed. One that waits until it is left takes the button that is clicked then out
from under the mouse: a download asked for while the page is drawn anew fails."""


def width_of(names: Collection[object], least: int) -> int:
    """Return px of a list of names in which those that begin alike can be told apart."""
    return max(least, min(column_width([*names]) + BESIDE, BROADEST))


def one_of(
    label: str,
    names: Mapping[Answer, str],
    key: str,
    *,
    options: Collection[Answer] | None = None,
    bare: bool = False,
    **look: Any,
) -> Answer:
    """Return exactly one of a few answers, all in view, by their names on the page; the first until another is chosen."""
    answers = list(names if options is None else options)
    chosen: Answer = st.segmented_control(
        label,
        answers,
        default=answers[0],
        required=True,
        format_func=lambda answer: names.get(answer, answer),
        key=key,
        label_visibility="collapsed" if bare else "visible",
        **BOUND,
        **look,
    )
    return chosen


def metric(known: Sequence[str], key: str, width: int) -> None:
    """One metric of the catalogue."""
    st.selectbox("Metric", known, format_func=lambda metric: BY_KEY[metric].name, key=key, width=width, **BOUND)


def criterion(
    criteria: Sequence[str], key: str, width: int, *, every: str = "Every criterion", help_text: str | None = None
) -> None:
    """One criterion, or all of them while none is chosen; nothing to ask where there is one only."""
    if len(criteria) > 1:
        st.selectbox("Criterion", criteria, index=None, key=key, placeholder=every, help=help_text, width=width, **BOUND)


def chosen_criterion(criteria: Collection[str], key: str) -> str | None:
    """Return the criterion that is looked at by itself; None while all are, and where there is one only."""
    wanted = st.session_state.get(key)
    return wanted if wanted in criteria and len(criteria) > 1 else None


def linked_number(key: str, low: float, high: float) -> float | None:
    """Return the number that the address brought, if it lies between these ends.

    Of what no widget holds: a bound one would come back whenever another judge has other ends.
    """
    try:
        wanted = float(st.query_params.get(key, ""))
    except ValueError:
        return None
    return wanted if low <= wanted <= high else None


def write(key: str, answer: str | None) -> None:
    """An answer into the address; None takes it out."""
    if answer is None:
        if key in st.query_params:
            del st.query_params[key]
    elif st.query_params.get(key) != answer:
        st.query_params[key] = answer


def held(key: str, known: Sequence[Answer]) -> Answer:
    """Return the answer as chosen, the first of the known ones where it is not among them."""
    wanted = st.session_state.get(key)
    return wanted if wanted in known else known[0]


def held_or_linked(key: str, names: Mapping[Answer, str]) -> Answer | None:
    """Return the answer as chosen; before its widget has been drawn, as the address says."""
    chosen: Answer | None = st.session_state.get(key)
    if chosen is not None:
        return chosen
    shown = st.query_params.get(key)
    return next((answer for answer, name in names.items() if name == shown), None)

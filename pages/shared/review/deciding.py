"""One criterion: what it asks for, what the numbers suggest, and what the meeting decides."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from metrics.analyses.review.compute import Definition, Reviewed, definition_of
from metrics.analyses.review.decisions import ACTIONS, MOST, Decision
from metrics.analyses.review.suggesting import suggestion
from metrics.results.words import count, plain
from pages.shared import asking, state
from pages.shared.keeping import device
from pages.shared.plain import code, escape
from pages.shared.review import held

SHOWN = 320
"""Letters of a definition that stand on the screen; the rest is one click away."""
OWNER = 120


def section(dataset: state.Dataset, review: Reviewed, decision: Decision) -> None:
    _definition(dataset, review, decision)
    with st.container(key="review_choose", gap="xsmall"):
        _decide(dataset, review, decision)


def _definition(dataset: state.Dataset, review: Reviewed, decision: Decision) -> None:
    written = definition_of(review.ratings, review.criterion) if review.criterion in review.ratings.criteria else Definition()
    text = plain(decision.definition or written.text)
    with st.container(gap=None, key="review_definition"):
        shown = text if len(text) <= SHOWN else f"{text[: SHOWN - 1].rstrip()}…"
        st.markdown(
            f"**Definition.** {escape(shown) if text else 'None in the file. Type it, so that all decide on the same words.'}"
        )
        with st.popover("Change the wording" if text else "Type the definition", icon=":material/edit:", type="tertiary"):
            _typed(dataset, review, decision, written)


def _typed(dataset: state.Dataset, review: Reviewed, decision: Decision, written: Definition) -> None:
    key = _put(dataset, review, "definition", decision.definition or written.text)
    st.text_area(
        "Definition", key=key, max_chars=MOST, height=200, on_change=_keep, args=(dataset.id, review.criterion, "definition", key)
    )
    if written.text:
        where = f"column {code(written.column)}" if written.column else "the rubric of the file"
        others = f", where {count(written.n_others)} other wordings stand for it too" if written.n_others else ""
        st.markdown(f"From {where}{others}. What is typed here is kept with the decision, the file stays as it is.")
    device.save_button(key)


def suggested(review: Reviewed, coded: Mapping[str, int]) -> None:
    """What the numbers, and codes of disagreements, point to, in one sentence that nobody has decided on."""
    advice = suggestion(review, coded)
    action = f" → **{ACTIONS[advice.action]}**" if advice.action else ""
    st.markdown(f":material/lightbulb: **Suggestion from the numbers, not a decision.** {escape(advice.text)}{action}")


def _decide(dataset: state.Dataset, review: Reviewed, decision: Decision) -> None:
    key = _put(dataset, review, "action", decision.action or None)
    st.pills(
        "Decision", list(ACTIONS), format_func=lambda action: ACTIONS.get(action, action), key=key, on_change=_keep,
        args=(dataset.id, review.criterion, "action", key),
    )  # fmt: skip
    # The room has little height: there the three stand beside each other.
    places = st.columns((3, 3, 5), gap="small") if state.in_room_view() else (*st.columns(2, gap="small"), st.container())
    fields = ("owner", "Owner", OWNER), ("due", "Due", OWNER), ("note", "Note", MOST)
    for place, (name, label, most) in zip(places, fields, strict=True):
        key = _put(dataset, review, name, getattr(decision, name))
        place.text_input(
            label,
            key=key,
            max_chars=most,
            on_change=_keep,
            args=(dataset.id, review.criterion, name, key),
            live=asking.WHILE_TYPING,
        )


def _put(dataset: state.Dataset, review: Reviewed, what: str, value: str | None) -> str:
    """Return the key of a widget, which shows what is held: also after undo and after a file was loaded."""
    key = f"review.{what} {dataset.id} {review.criterion}"
    if st.session_state.get(key) != value:  # else what is being typed meanwhile would be taken back
        st.session_state[key] = value
    return key


def _keep(data: str, criterion: str, what: str, key: str) -> None:
    held.decide(data, criterion, **{what: st.session_state[key] or ""})

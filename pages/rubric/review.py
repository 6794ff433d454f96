"""Which criterion do we change, and who does it?"""

from __future__ import annotations

import streamlit as st

from metrics import InputError
from metrics.analyses.provenance import copied
from metrics.analyses.review import readings
from metrics.analyses.review.changes import Change
from metrics.analyses.review.compute import Reviewed
from metrics.analyses.review.decisions import Review
from metrics.analyses.review.tables import header_of
from metrics.analyses.scores import provenance as ordered
from metrics.data.scale_words import SCALE_NAMES
from metrics.results.words import number
from pages.shared import parts, state
from pages.shared.plain import escape
from pages.shared.review import again, deciding, going, held, numbers, saving, showing

TITLE, ASKS = "Rubric review", "Which criterion do we change, and who does it?"


def page() -> None:
    its, chosen = state.dataset(), state.choices()
    if its is None or chosen is None:
        parts.title(TITLE, ASKS)
        if its is None:
            parts.nothing_open()
        else:
            parts.one_side_only(its)
        return
    try:
        show(its, chosen)
    except InputError as error:
        parts.refused(error)


def show(its: state.Dataset, chosen: state.Choices) -> None:
    room, review = state.in_room_view(), held.review_of(its)
    with st.container(horizontal=True, gap="large", vertical_alignment="top", key="review_head"):
        if not room:
            with st.container(width=330):
                parts.title(TITLE, ASKS)
        bar = st.container(width="stretch", gap="xsmall", key="wide_review_bar")
    found = numbers.criteria(its, chosen)
    names, both = [one.criterion for one in found], again.found(its, chosen)
    with bar:
        going.bar(its, names, review, readings.order_words(found))
    own = found[going.at(its, names)]
    going.write_link(own.criterion)
    with st.container(key="review_screen", gap="xsmall"):
        _screen(its, own, review, again.change_of(both, own.criterion))
    _declaration(own)
    if room:
        return
    st.markdown(f":small[{escape(readings.order_reading(found))}]")
    parts.sample_note(its)
    again.section(its, chosen, both)
    saving.section(its, found)
    parts.report_link("Take the decisions into the report")


def _screen(its: state.Dataset, own: Reviewed, review: Review, change: Change | None) -> None:
    with st.container(key="lead_criterion"):
        st.markdown(f"## {escape(own.criterion)} :small[{escape(_facts(its, own))}]", anchors=False)
    deciding.suggested(own)
    with st.container(horizontal=True, gap="medium", key="review_row"):
        with st.container(key="third_review_decide", gap="small"):
            deciding.section(its, own, review.of(own.criterion))
            showing.silence(own)
        with st.container(key="wide_review_matrix", gap="xsmall"):
            showing.matrix(own)
        with st.container(key="third_review_numbers", gap="xsmall"):
            showing.numbers(own, change)
    showing.disagreements(own)


def _declaration(own: Reviewed) -> None:
    """What κ rests on, as the page says it that shows this scale."""
    head = header_of(own)
    if head is None:
        return
    if own.scores is not None:
        parts.declaration(head, ordered.copied(own.scores, own.judge, own.key))
    elif own.report is not None:
        parts.declaration(head, copied(own.report, own.judge, "micro", own.key))


def _facts(its: state.Dataset, own: Reviewed) -> str:
    """Return scale and weight."""
    weight = its.ratings.rubric_weights.get(own.criterion)
    return SCALE_NAMES[own.scale].lower() + (f" · weight {number(weight)}" if weight is not None else "")


page()

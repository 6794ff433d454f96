"""Which criterion do we change, and who does it?"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from metrics import InputError
from metrics.analyses.provenance import citation
from metrics.analyses.review import readings
from metrics.analyses.review.changes import Change
from metrics.analyses.review.compute import Reviewed
from metrics.analyses.review.decisions import Review
from metrics.analyses.review.tables import header_of
from metrics.analyses.scores import provenance as ordered
from metrics.data.scale_words import SCALE_NAMES
from metrics.results.words import number
from pages.shared import as_lines, asking, parts, stage, state
from pages.shared.disagreements import coding, matches
from pages.shared.plain import escape
from pages.shared.review import again, deciding, going, held, numbers, saving, showing

ASKS = "Which criterion do we change, and who does it?"


def page() -> None:
    dataset, chosen = state.dataset(), state.choices()
    if dataset is None or chosen is None:
        parts.title(ASKS)
        if dataset is None:
            parts.nothing_open()
        else:
            parts.one_side_only(dataset)
        return
    try:
        show(dataset, chosen)
    except InputError as error:
        parts.refused(error)


def show(dataset: state.Dataset, chosen: state.Choices) -> None:
    room, review = state.in_room_view(), held.review_of(dataset)
    with st.container(horizontal=True, gap="large", vertical_alignment="top", key="review_head"):
        if not room:
            with st.container(width=330):
                parts.title(ASKS)
        bar = st.container(width="stretch", gap="xsmall", key="wide_review_bar")
    reviews = numbers.criteria(dataset, chosen)
    names, both = [review.criterion for review in reviews], again.paired_files(dataset, chosen)
    with bar:
        going.bar(dataset, names, review, readings.order_words(reviews))
    place = going.at(dataset, names)
    criterion_review = reviews[place]
    asking.write(going.ADDRESS, criterion_review.criterion)
    change = again.change_of(both, criterion_review.criterion)
    if room:
        with stage.slide(place, headed=False):
            facts = f"{_facts(dataset, criterion_review)} · {readings.progress_words(review, tuple(names))}"
            _stage(dataset, chosen, criterion_review, review, change, facts)
        _declaration(criterion_review)
        return
    with st.container(key="review_screen", gap="xsmall"):
        _screen(dataset, chosen, criterion_review, review, change)
    _declaration(criterion_review)
    st.markdown(f":small[{escape(readings.order_reading(reviews))}]")
    parts.sample_note(dataset)
    again.section(dataset, chosen, both, criterion_review.criterion)
    saving.section(dataset, reviews)
    parts.report_link("Take the decisions into the report")
    if criterion_review.main is not None:
        as_lines.section(replace(dataset, ratings=criterion_review.ratings), numbers.view(dataset, criterion_review))


def _screen(
    dataset: state.Dataset, chosen: state.Choices, criterion_review: Reviewed, review: Review, change: Change | None
) -> None:
    _asked(dataset, chosen, criterion_review, _facts(dataset, criterion_review))
    with st.container(horizontal=True, gap="medium", key="review_row"):
        with st.container(key="third_review_decide", gap="small"):
            deciding.section(dataset, criterion_review, review.of(criterion_review.criterion))
            showing.nonresponse(criterion_review)
        with st.container(key="wide_review_matrix", gap="xsmall"):
            showing.matrix(criterion_review)
        with st.container(key="third_review_numbers", gap="xsmall"):
            showing.numbers(criterion_review, change)
    showing.disagreements(dataset, criterion_review)


def _stage(
    dataset: state.Dataset, chosen: state.Choices, criterion_review: Reviewed, review: Review, change: Change | None, facts: str
) -> None:
    """The same in the room: what is decided on beside its matrix, then κ with all numbers in words, then what to read."""
    with stage.part("decide"):
        _asked(dataset, chosen, criterion_review, facts)
        with st.container(horizontal=True, gap="medium", key="review_row"):
            with st.container(key="third_review_decide", gap="small"):
                deciding.section(dataset, criterion_review, review.of(criterion_review.criterion))
            with st.container(key="wide_review_matrix", gap="xsmall"):
                showing.matrix(criterion_review)
    with stage.part("numbers"):
        showing.numbers(criterion_review, change)
        showing.nonresponse(criterion_review)
    with stage.part("disagreements"):
        showing.disagreements(dataset, criterion_review)


def _asked(dataset: state.Dataset, chosen: state.Choices, criterion_review: Reviewed, facts: str) -> None:
    """Which criterion is in view, and what its numbers and its codes suggest."""
    with st.container(key="lead_criterion"):
        st.markdown(f"## {escape(criterion_review.criterion)} :small[{escape(facts)}]", anchors=False)
    coded = chosen.judge and dataset.ratings.has_rows and coding.HISTORY.of(dataset.id)
    listing = matches.listing(dataset, chosen, "") if coded else None
    codes = {} if listing is None else coding.codes_on(dataset, listing, criterion_review.criterion)
    deciding.suggested(criterion_review, codes)
    if listing is not None:
        coding.of_criterion(dataset, listing, criterion_review.criterion)


def _declaration(review: Reviewed) -> None:
    """What κ rests on, as the page says it that shows this scale."""
    head = header_of(review)
    if head is None:
        return
    if review.scores is not None:
        parts.declaration(head, ordered.citation(review.scores, review.judge, review.key))
    elif review.report is not None:
        parts.declaration(head, citation(review.report, review.judge, "micro", review.key))


def _facts(dataset: state.Dataset, review: Reviewed) -> str:
    """Return scale and weight."""
    weight = dataset.ratings.rubric_weights.get(review.criterion)
    return SCALE_NAMES[review.scale].lower() + (f" · weight {number(weight)}" if weight is not None else "")


page()

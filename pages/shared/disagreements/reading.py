"""One item in full, as plain text: what is judged, and what everybody said of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace

import streamlit as st

from metrics.analyses.disagreements.listing import Listing
from metrics.analyses.disagreements.query import Matches, Query
from metrics.analyses.disagreements.reading import Answer, CriterionRead, ItemRead, item_read
from metrics.analyses.review.compute import Definition, definition_of
from metrics.results.words import count, listed, number, several, shorten
from pages.shared import cached, state, texts
from pages.shared.disagreements import coding
from pages.shared.plain import escape, lines, short

SHORT = 120
"""Letters of a text that stands behind item_list name, in one line."""
LONGEST = 6_000
"""Letters of a text on the screen; the download has all."""
WORDING = 160
"""Letters of a criterion's definition that stand beside its labels in the room."""
MOST_VALUES = 3
"""Rows, and values of a column, that are named; of more it says how many."""
MOST_IN_VIEW = 12
"""Raters of a role that are shown one by one; more are behind a click."""


def section(dataset: state.Dataset, listing: Listing, item_list: Matches, query: Query, place: int) -> None:
    read = item_read(listing, int(item_list.items[place]), query.rows, item_list.of(place), texts.held(dataset))
    room = state.in_room_view()
    if room:
        worded = {_wording(dataset, criterion.criterion).column for criterion in read.criteria}
        said = replace(read, facts=tuple(fact for fact in read.facts if fact[0] not in worded))
        facts = _facts(said), coding.progress_words(dataset, listing, item_list)
    else:
        rows = listed([count(row) for row in read.rows], MOST_VALUES)
        facts = _facts(read), f"{'row' if len(read.rows) == 1 else 'rows'} {rows}"
    below = " · ".join(filter(None, facts))
    st.markdown(f"## {escape(read.item)}\n{f':small[{below}]' if below else ''}", anchors=False)
    unseen = {cell for cell in item_list.of(place).tolist() if coding.hidden(dataset, listing, cell)}
    if read.verdicts is not None and not unseen:
        reference, judge = (escape(verdict) or "none" for verdict in read.verdicts)
        st.markdown(f"Item verdicts: reference **{reference}**, judge **{judge}**")
    beside = room and bool(read.texts)
    with st.container(horizontal=True, gap="medium", vertical_alignment="top", key="room_desk") if beside else nullcontext():
        with st.container(key="room_texts", gap="small") if beside else nullcontext():
            for name, those in read.texts:
                st.markdown("\n\n".join(_text(name, text) for text in those))
        with st.container(key="room_codes", gap="small") if beside else nullcontext():
            _criteria(dataset, listing, item_list, read, place, unseen)


def _criteria(
    dataset: state.Dataset, listing: Listing, item_list: Matches, read: ItemRead, place: int, unseen: Collection[int]
) -> None:
    agreed = [criterion for criterion in read.criteria if not (criterion.listed or criterion.disputed)]
    apart = len(read.criteria) - len(agreed)
    listed_cells = {listing.ratings.criteria[listing.cells.criterion[cell]]: cell for cell in item_list.of(place).tolist()}
    for place_there, criterion in enumerate(read.criteria[: apart or None]):
        cell = listed_cells.get(criterion.criterion)
        if cell in unseen:
            _unseen(dataset, criterion)
            coding.own_section(dataset, listing, cell)
            continue
        _criterion(dataset, listing, criterion, place_there)
        if cell is not None and coding.is_possible(listing) and coding.keys_of(listing, cell):
            coding.section(dataset, listing, cell)
    if agreed and apart:
        with st.expander(f"{several(len(agreed), 'criteria')} without a disagreement"):
            for place_there, criterion in enumerate(agreed, apart):
                _criterion(dataset, listing, criterion, place_there)


def _facts(read: ItemRead) -> str:
    return " · ".join(f"{escape(name)}: {escape(listed(those, MOST_VALUES))}" for name, those in read.facts)


def _text(name: str, text: str) -> str:
    gap = " " if len(text) <= SHORT and "\n" not in text else "\n\n"
    return f"**{escape(name)}:**{gap}{_cut(text)}"


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return lines(text)
    return f"{lines(text[:LONGEST])}… *{count(len(text) - LONGEST)} more letters are in the download.*"


def _unseen(dataset: state.Dataset, criterion: CriterionRead) -> None:
    with st.container(border=True):
        st.markdown(f"**{escape(criterion.criterion)}**  \nWhat people and judge say is shown once you have given your label.")
        _defined(dataset, criterion)


@cached.of_file(max_entries=64)
def _wording(dataset: state.Dataset, criterion: str) -> Definition:
    return definition_of(dataset.ratings, criterion) if criterion in dataset.ratings.criteria else Definition()


def _defined(dataset: state.Dataset, criterion: CriterionRead) -> None:
    """In the room the definition stands where its criterion does."""
    text = _wording(dataset, criterion.criterion).text if state.in_room_view() else ""
    if text:
        st.markdown(escape(text if len(text) <= WORDING else f"{text[: WORDING - 1].rstrip()}…"))


def _criterion(dataset: state.Dataset, listing: Listing, criterion: CriterionRead, place: int) -> None:
    with st.container(border=True):
        says = " · ".join(filter(None, (criterion.reference and f"reference: {criterion.reference}", criterion.why)))
        st.markdown(f"**{escape(criterion.criterion)}**{f' :small[{escape(says)}]' if says else ''}")
        _defined(dataset, criterion)
        people = [answer for answer in criterion.answers if not answer.is_judge]
        judges = [answer for answer in criterion.answers if answer.is_judge]
        with st.container(horizontal=True, gap="medium", vertical_alignment="top"):
            for name, answers in (("People", people), ("Judges" if len(listing.ratings.judges) > 1 else "Judge", judges)):
                if answers:
                    with st.container(key=f"items_said_{name}_{place}", gap="xsmall"):
                        _side(name, answers)


def _side(name: str, answers: Sequence[Answer]) -> None:
    st.markdown(f":small[{name}]")
    if len(answers) <= MOST_IN_VIEW:
        st.markdown(_together(map(_said, answers)))
        return
    labels = dict.fromkeys(answer.label for answer in answers)
    raters = {label: [shorten(answer.rater) for answer in answers if answer.label == label] for label in labels}
    st.markdown(
        _together(
            f"**{escape(label)}** {count(len(names))}: {escape(listed(names, MOST_VALUES))}" for label, names in raters.items()
        )
    )
    with st.expander(f"What {count(len(answers))} raters said"):
        st.markdown(_together(map(_said, answers)))


def _together(texts: Iterable[str]) -> str:
    """Return texts below each other: as lines, or as paragraphs where one of them has several lines."""
    shown = list(texts)
    return ("\n\n" if any("\n" in text for text in shown) else "  \n").join(shown)


def _said(answer: Answer) -> str:
    score = "" if math.isnan(answer.score) or _is_number(answer.label) else f"score {number(answer.score)}"
    beside = "" if state.in_room_view() else " · ".join(filter(None, (score, "differs" if answer.differs else "")))
    reason = f"  \n{_cut(answer.reason)}" if answer.reason else ""
    return f"{short(answer.rater)}: **{escape(answer.label)}**{f' :small[{beside}]' if beside else ''}{reason}"


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True

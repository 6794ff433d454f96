"""One criterion: its matrix, its κ on the bands, drift, abstention, how the humans agree, and the disagreements."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import streamlit as st

from metrics.analyses.review import readings
from metrics.analyses.review.changes import Change
from metrics.analyses.review.compute import Reviewed
from metrics.analyses.review.informative import most_telling, ranked_words
from metrics.analyses.review.readings import SOURCE, change_words
from metrics.analyses.review.tables import telling_frame
from metrics.figures import error_table, kappa_bands
from metrics.results.estimate import Estimate
from metrics.results.words import NEEDS_ROWS, count, several, shorten
from pages.shared import parts, state, texts
from pages.shared.plain import escape

ROOM_WIDTH, ROOM_BAND, WIDTH = 290, 430, 280
READ = 160
"""Letters of a text that are read from afar."""
NO_ITEMS = "This is a table of counts: it has no items, so there are no disagreements to read."


def matrix(review: Reviewed) -> None:
    block = review.main
    if block is None or not block.n or block.confusion is None:
        st.markdown(f"**No matrix:** {escape(review.kappa.undefined or 'no decision is left')}.")
        if review.scale == "continuous":
            parts.scores_link()
        return
    beside = "" if state.in_room_view() else f" :small[{escape(readings.table_words(review, review.settings.reference))}]"
    st.markdown(f"**Disagreements**{beside}")
    ordered = review.ordered is not None
    third = len(block.labels) - 1 if review.settings.abstention == "as_category" and not ordered else None
    width = ROOM_WIDTH if state.in_room_view() else 340
    look = {"height": _height(), "width": width, "named": review.scale != "binary"}
    table = error_table.error_table, error_table.alt, block.confusion, block.labels
    parts.drawing("review.mosaic", *table, look=look, ordered=ordered, abstention=third)


def _height() -> float:
    return 235 if state.in_room_view() else 300


def numbers(review: Reviewed, change: Change | None) -> None:
    if review.report is None:
        st.markdown(f"**κ:** {escape(review.missing)}.")
        return
    kappas = {"": review.kappa} if change is None else _both(change)
    look = {"width": ROOM_BAND if state.in_room_view() else WIDTH}
    st.markdown(f"**{escape(review.symbol)} on its band** :small[{escape(SOURCE)}]")
    parts.drawing("review.bands", kappa_bands.kappa_bands, kappa_bands.alt, kappas, look=look)
    with st.container(gap="xsmall", key="review_numbers"):
        st.markdown(f"**Agreement:** {escape(readings.kappa_words(review))} {escape(readings.nominal_words(review))}")
        if change is not None:
            st.markdown(f"**Before → after:** {escape(change_words(change))}")
        st.markdown(f"**Label-rate bias:** {escape(readings.drift_words(review))}")
        st.markdown(f"**Humans:** {escape(readings.humans_words(review))}")


def nonresponse(review: Reviewed) -> None:
    """How often each side gives no verdict."""
    if review.report is not None:
        st.markdown(f"**No verdict:** {escape(readings.abstention_words(review))}")


def two_matrices(change: Change) -> None:
    """The matrix of each file, on the decisions that both answer."""
    with st.container(horizontal=True, gap="medium", key="review_two"):
        for when, side in (("Before", change.before), ("After", change.after)):
            with st.container(key=f"wide_review_{when.lower()}", gap="xsmall"):
                st.markdown(f"**{when}: {escape(change.criterion)}**")
                block, name = side.block, f"review.mosaic_{when.lower()}"
                if block.confusion is None or not block.n:
                    st.markdown("No table to draw: no decision is left.")
                    continue
                third = len(block.labels) - 1 if change.abstention == "as_category" else None
                look = {"height": _height(), "named": len(block.labels) > 2}
                table = error_table.error_table, error_table.alt, block.confusion, block.labels
                ordered = change.metric != "kappa"
                parts.drawing(name, *table, look=look, lead=f"{when}. ", ordered=ordered, abstention=third)


def _both(change: Change) -> dict[str, Estimate]:
    sides = {"before": change.before, "after": change.after}
    return {name: replace(side.estimate, why=change.difference.undefined) for name, side in sides.items()}


def disagreements(dataset: state.Dataset, review: Reviewed) -> None:
    if review.report is None:
        return
    if not review.ratings.has_items:
        st.markdown(NO_ITEMS)
        return
    tellings, n = most_telling(review)
    if not n:
        same = "**No disagreement:** judge and reference say the same wherever both gave a verdict."
        any_decision = review.block is not None and review.block.n
        st.markdown(same if any_decision else "**No decision** has a verdict of both sides, so none can differ.")
        return
    if not review.ratings.has_rows:
        st.markdown(f"**{several(n, 'disagreements')}.** {NEEDS_ROWS}")
        return
    every = "The only disagreement" if n == 1 else f"All {count(n)} disagreements"
    few = every if n == len(tellings) else f"{count(len(tellings))} of {count(n)} disagreements"
    st.markdown(f"**{few}**" if state.in_room_view() else f"**{few}** :small[{escape(ranked_words(tellings))}]")
    frame = telling_frame(review, tellings, texts.chosen(dataset))
    if not state.in_room_view():
        parts.rows(frame, len(tellings), "disagreements", "review.telling", height="content")
        return
    for said in frame.to_dict("records"):
        st.markdown(_read(said))


def _read(said: dict[Hashable, Any]) -> str:
    """Return one disagreement to be read from afar, where a table would cut what is said."""
    item, *others = ((str(name), shorten(text, READ)) for name, text in said.items() if isinstance(text, str) and text)
    return " · ".join([f"**{escape(item[1])}**", *(f"**{escape(name)}:** {escape(text)}" for name, text in others)])

"""What the page shows: one of two views, the metric, and which choices vary."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from metrics.analyses.multiverse.compute import Space, seldom_humans, space_of
from metrics.measures.catalogue import BY_KEY
from pages.shared import asking, intervals, state
from pages.shared.intervals import Intervals

View = Literal["every", "levels"]
SHOW, METRIC, VARY, EVERY_HUMAN = (f"choices.{name}" for name in ("show", "metric", "vary", "humans"))
VIEWS: dict[View, str] = {"every": "Every choice", "levels": "Aggregation"}
VARIED = {
    "mode": "Abstentions", "level": "Average over", "rule": "Item rule", "reference": "Reference",
    "tie": "Ties", "invalid": "Invalid answers",
}  # fmt: skip
"""Choices by the words of the sidebar."""
VARY_HELP = "What is switched off stays as it is declared in the sidebar."
SHOW_HELP = "Every choice: all defensible analyses at once. Aggregation: micro, macro and item, and which criterion moves micro."


def view() -> View:
    return asking.held_or_linked(SHOW, VIEWS) or "every"


def wanted(dataset: state.Dataset) -> Intervals:
    """Return a bootstrap of every analysis would keep people waiting: the default rules take its place."""
    return intervals.chosen(dataset).without_draws()


def space(dataset: state.Dataset, chosen: state.Choices) -> Space:
    """Return all choices these data leave open."""
    base = wanted(dataset).added_to(chosen.settings())
    return space_of(dataset.ratings, chosen.judge, base, chosen.level, every_human=bool(st.session_state.get(EVERY_HUMAN)))


def held(whole: Space) -> list[str]:
    """Return choices that are switched off; the only one there is cannot be."""
    if VARY in st.session_state:
        chosen = st.session_state[VARY]
    else:
        shown = st.query_params.get_all(VARY)
        chosen = [key for key, name in VARIED.items() if name in shown] if shown else None
    keys = [dimension.key for dimension in whole.varied]
    return [] if chosen is None or len(keys) < 2 else [key for key in keys if key not in chosen]


def metric(whole: Space) -> str:
    known = whole.metrics()
    asked = asking.held_or_linked(METRIC, {key: BY_KEY[key].name for key in known})
    return asked if asked in known else known[0]


def choosers(dataset: state.Dataset, chosen: state.Choices, whole: Space) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="choices_choices"):
        asking.one_of("Show", VIEWS, SHOW, help=SHOW_HELP)
        if METRIC in st.session_state and st.session_state[METRIC] not in whole.metrics():
            st.session_state[METRIC] = metric(whole)
        asking.metric(whole.metrics(), METRIC, 190)
        if view() == "every":
            _vary(dataset, chosen, whole)


def _vary(dataset: state.Dataset, chosen: state.Choices, whole: Space) -> None:
    keys = [dimension.key for dimension in whole.varied]
    if len(keys) > 1:
        st.pills(
            "Choices that vary",
            keys,
            selection_mode="multi",
            default=keys,
            format_func=lambda key: VARIED.get(key, key),
            key=VARY,
            help=VARY_HELP,
            **asking.BOUND,
        )
    if seldom_humans(dataset.ratings, chosen.judge, chosen.reference):
        st.toggle(
            "Every human alone as the reference",
            key=EVERY_HUMAN,
            help="Also those who labelled few of the judge’s decisions: each is a reference on those only.",
            **asking.BOUND,
        )

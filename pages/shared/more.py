"""The expander *More choices* of the sidebar: answers that are no verdict, and how intervals are found."""

from __future__ import annotations

import streamlit as st

from metrics.labels import Kind
from metrics.tallying import answers_of_kind
from metrics.words import count
from pages.shared import intervals, state
from pages.shared.plain import short

DATA_PAGE = "pages/data/data.py"
METHOD_HELP = (
    "The default rules are instant and choose what suits each number. A bootstrap draws the items anew, many times over; "
    "BCa also corrects for bias and skew."
)
UNIT_HELP = "What is drawn anew or left out as a whole. Verdicts that hang together belong in one unit."
UNIT_SAYS = {
    "decision": "Assumes independent decisions. Too narrow where verdicts on one item hang together.",
    "criterion": "For other criteria like these on the same items. One criterion, and the item level, get no interval.",
    "hierarchical": "Items are drawn, then criteria within each.",
}
NO_ITEMS = "A table of counts has no items to draw: every decision is a unit of its own."
ELSEWHERE = "Intervals by choice are shown on the Agreement page."
OPEN_KINDS: tuple[tuple[Kind, str, str], ...] = (("tie", "tie", "ties"), ("invalid", "invalid answer", "invalid answers"))


def no_verdict(its: state.Dataset) -> None:
    """How many answers are ties or invalid; nothing where there are none."""
    found = [(answers_of_kind(its.ratings, kind), one, many) for kind, one, many in OPEN_KINDS]
    said = [f"{count(n)} {one if n == 1 else many}" for n, one, many in found if n]
    if said:
        both = sum(n for n, _, _ in found)
        st.markdown(f"{' and '.join(said)} in this file {'counts' if both == 1 else 'count'} as no verdict.")
        st.page_link(DATA_PAGE, label="Change what a label means")


def widgets(its: state.Dataset, *, effect: bool) -> None:
    """Confidence, method, and what the method needs."""
    if not effect:
        st.markdown(ELSEWHERE)
    st.segmented_control(
        "Confidence, %",
        intervals.CONFIDENCES,
        default=95,
        required=True,
        key="confidence",
        disabled=not effect,
        bind="query-params",
        persist_state="session",
    )
    method = st.selectbox(
        "Intervals",
        tuple(intervals.METHODS),
        format_func=lambda name: intervals.METHODS.get(name, name),
        key="interval",
        help=METHOD_HELP,
        disabled=not effect,
        bind="query-params",
        persist_state="session",
    )
    _unit(its, method or "auto", effect=effect)
    if intervals.chosen(its).drawn:
        _draws(effect=effect)


def _unit(its: state.Dataset, method: str, *, effect: bool) -> None:
    units = intervals.units_for(its, method)
    if not its.ratings.has_items:
        if method != "none":
            st.markdown(NO_ITEMS)
        return
    if len(units) < 2:
        return
    unit = st.selectbox(
        "Drawn anew" if intervals.Intervals(method).drawn else "Left out one at a time",
        units,
        format_func=intervals.unit_name,
        key="unit",
        help=UNIT_HELP,
        disabled=not effect,
        bind="query-params",
        persist_state="session",
    )
    if unit in UNIT_SAYS:
        st.markdown(UNIT_SAYS[unit])
    elif unit not in intervals.UNITS:
        st.markdown(f"Items with the same *{short(unit)}* stay together.")


def _draws(*, effect: bool) -> None:
    st.selectbox(
        "Replicates",
        intervals.REPLICATES,
        index=intervals.REPLICATES.index(2000),
        format_func=count,
        key="replicates",
        disabled=not effect,
        bind="query-params",
        persist_state="session",
    )
    st.number_input(
        "Seed",
        min_value=0,
        max_value=intervals.MOST_SEED,
        value=0,
        step=1,
        key="seed",
        help="The same seed gives the same digits.",
        disabled=not effect,
        bind="query-params",
        persist_state="session",
    )

"""The expander *More choices* of the sidebar: answers that are no verdict, and how intervals are found."""

from __future__ import annotations

import streamlit as st

from metrics.data.nonverdicts import KIND_WORDS
from metrics.data.vocabulary import Kind
from metrics.results.words import count
from pages.shared import asking, intervals, nonverdicts, state
from pages.shared.page_records import DATA, Page
from pages.shared.plain import short

METHOD_HELP = (
    "The default rules are instant and choose what suits each number. A bootstrap draws the items anew, many times over; "
    "BCa also corrects for bias and skew."
)
UNIT_HELP = "What is drawn anew or left out as a whole. Verdicts that depend on each other belong in one unit."
UNIT_SAYS = {
    "decision": "Assumes independent decisions. Too narrow where verdicts on one item depend on each other.",
    "criterion": "For other criteria like these on the same items. One criterion, and the item level, get no interval.",
    "hierarchical": "Items are drawn, then criteria within each.",
}
NO_ITEMS = "A table of counts has no items to draw: every decision is a unit of its own."
ELSEWHERE = "Intervals by choice are shown on the Agreement page."
WHOLE_ITEMS = "On this page whole items are left out."
SINGLE: dict[Kind, str] = {"tie": "tie", "invalid": "invalid answer", "error": "failed call"}
KIND_HELP = (
    "Each can be treated in its own way; the declaration then says so. Left out: in no number, whatever becomes of abstentions. "
    "Coverage stays what it is."
)


def no_verdict(dataset: state.Dataset, no_effect: str = "") -> None:
    """How many answers are ties, invalid or failed calls, and what becomes of each; nothing where there are none."""
    there = nonverdicts.present(dataset.ratings)
    if not there:
        return
    phrases = [f"{count(n)} {SINGLE[kind] if n == 1 else KIND_WORDS[kind]}" for kind, n in there.items() if kind != "error"]
    if phrases:
        single = sum(n for kind, n in there.items() if kind != "error") == 1
        end = ", except as chosen here." if dataset.ratings.scheme.handling else "."
        st.markdown(f"{' and '.join(phrases)} in this file {'counts' if single else 'count'} as no verdict{end}")
    if "error" in there:
        st.markdown(f"{count(there['error'])} failed {'call' if there['error'] == 1 else 'calls'} of a judge in this file.")
    for kind in there:
        _kind_chooser(dataset, kind, no_effect)
    if dataset.ratings.scheme.handling:
        st.button("Treat them as usual", key="usual", on_click=nonverdicts.back, disabled=bool(no_effect))
    if phrases:
        st.page_link(DATA.path, label="Change what a label means")


def _kind_chooser(dataset: state.Dataset, kind: Kind, no_effect: str) -> None:
    st.selectbox(
        KIND_WORDS[kind].capitalize(),
        nonverdicts.options(dataset.ratings, kind),
        format_func=lambda how: nonverdicts.HOW.get(how, how),
        key=kind,
        help=no_effect or KIND_HELP,
        disabled=bool(no_effect),
        **asking.BOUND,
    )


def widgets(dataset: state.Dataset, page: Page) -> None:
    """Confidence, method, and what the method needs; greyed where they do not count on the page."""
    every, one_method = page.intervals == "chosen", page.one_method
    if not every and not one_method:
        st.markdown(ELSEWHERE)
    st.segmented_control(
        "Confidence, %",
        intervals.CONFIDENCES,
        default=95,
        required=True,
        key="confidence",
        disabled=not every and not one_method,
        **asking.BOUND,
    )
    method = st.selectbox(
        "Intervals",
        tuple(intervals.METHODS),
        format_func=lambda name: intervals.METHODS.get(name, name),
        key="interval",
        help=one_method or METHOD_HELP,
        disabled=not every,
        **asking.BOUND,
    )
    _unit(dataset, method or "auto", every=every, one_method=bool(one_method))
    if intervals.chosen(dataset).drawn:
        _draws(effect=every)


def _unit(dataset: state.Dataset, method: str, *, every: bool, one_method: bool) -> None:
    units = intervals.units_for(dataset, "auto" if one_method and method == "none" else method)
    if not dataset.ratings.has_items:
        if method != "none":
            st.markdown(NO_ITEMS)
        return
    if len(units) < 2:
        return
    unit = st.selectbox(
        "Resampling unit",
        units,
        format_func=intervals.unit_name,
        key="unit",
        help=UNIT_HELP,
        disabled=not every and not one_method,
        **asking.BOUND,
    )
    if unit in UNIT_SAYS:
        st.markdown(WHOLE_ITEMS if one_method else UNIT_SAYS[unit])
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
        **asking.BOUND,
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
        **asking.BOUND,
    )

"""What decisions are grouped by: a column proposed by what it holds, a second one to cross it with, and where bins end."""

from __future__ import annotations

import streamlit as st

from metrics import AgreementReport, InputError, Ratings, SliceReport
from metrics.analyses.settings import Settings
from metrics.analyses.slices.compute import slices_of
from metrics.analyses.slices.grouping import By, proposed
from metrics.analyses.slices.result import Search
from metrics.analyses.slices.searching import search
from pages.shared import asking, cached, intervals, state

BY, CROSS, CUTS, GROUP = (f"slices.{name}" for name in ("by", "cross", "cuts", "group"))
SEARCHED_AT_ONCE = 2_000
"""Items up to which the search runs without being asked for: of more it takes seconds."""
WIDTH = 190
CUTS_HELP = "Upper ends of the bins but the last, between commas. Empty: as many items in each of four bins."


def by(dataset: state.Dataset) -> tuple[By, ...]:
    """Return what is chosen: the first proposed column until another is."""
    known = proposed(dataset.ratings)
    titles = list(known)
    first = asking.held_or_linked(BY, dict(zip(titles, titles, strict=True)))
    first = first if first in known else titles[0]
    second = asking.held_or_linked(CROSS, dict(zip(titles, titles, strict=True)))
    one = known[first]
    cuts = _cuts() if one.kind in ("numbers", "length") else ()
    crossed = (known[second],) if second in known and second != first else ()
    return (By(one.column, one.kind, cuts), *crossed)


def choosers(dataset: state.Dataset) -> None:
    known = proposed(dataset.ratings)
    with st.container(horizontal=True, vertical_alignment="bottom", key="slices_choices"):
        if st.session_state.get(BY) not in known:
            st.session_state.pop(BY, None)
        st.selectbox("Group by", list(known), key=BY, width=WIDTH, **asking.BOUND)
        others = [title for title in known if title != st.session_state.get(BY)]
        if st.session_state.get(CROSS) not in others:
            st.session_state.pop(CROSS, None)
        if others:
            st.selectbox("Crossed with", others, index=None, key=CROSS, placeholder="Nothing", width=WIDTH, **asking.BOUND)
        if by(dataset)[0].kind in ("numbers", "length"):
            st.text_input("Bins end at", key=CUTS, help=CUTS_HELP, placeholder="four alike", width=WIDTH, **asking.BOUND)


def _cuts() -> tuple[float, ...]:
    text = str(st.session_state.get(CUTS) or "")
    try:
        return tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise InputError(f"The ends of bins must be numbers between commas, such as 100, 500, not ‘{text}’.") from None


def report(dataset: state.Dataset, chosen: state.Choices) -> SliceReport:
    asked, wanted = intervals.jackknife_settings(dataset, chosen), by(dataset)
    return _report(dataset, asked, wanted, cached.report(dataset, chosen, intervals=intervals.jackknifed(dataset)))


@cached.of_file(max_entries=4)
def _report(dataset: state.Dataset, asked: Settings, wanted: tuple[By, ...], _whole: AgreementReport) -> SliceReport:
    return slices_of(dataset.ratings, asked, wanted, report=_whole)


def search_of(dataset: state.Dataset, chosen: state.Choices) -> Search:
    asked = intervals.jackknife_settings(dataset, chosen)
    if cached.is_bundled(dataset):
        return cached.of_sample(dataset.id, asked, "search", _search)
    return _search_of_file(dataset, asked)


@cached.of_file(max_entries=4)
def _search_of_file(dataset: state.Dataset, asked: Settings) -> Search:
    return _search(dataset.ratings, asked)


def _search(ratings: Ratings, asked: Settings) -> Search:
    return search(ratings, asked, asked.judges[0])

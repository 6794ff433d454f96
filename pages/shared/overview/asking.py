"""What the overview rests on: the data set, the mode, the reference; and whose numbers stand below the verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st

import metrics
from metrics import Overview
from metrics.analyses.overview.compute import overview_of
from metrics.analyses.settings import Settings
from metrics.data.nonverdicts import modes_of
from metrics.results.words import shorten
from pages.shared import asking, cached, intervals, state

JUDGE = "overview.judge"
HANDED = "overview.judge handed over"
"""Under which the session keeps whose numbers the overview showed last: one chosen elsewhere since stays."""


def answers(ratings: metrics.Ratings) -> Literal["judge", "people", "judges"]:
    """Return what a verdict can be on."""
    if ratings.humans and ratings.judges:
        return "judge"
    return "judges" if ratings.judges else "people"


def overview(dataset: state.Dataset) -> Overview:
    """Return the verdict on all judges of the data set, under the choices of the sidebar.

    Raises
    ------
    InputError
        As `metrics.overview`.
    """
    asked = settings(dataset)
    if state.choices() is not None:
        if cached.is_bundled(dataset):
            return cached.of_sample(dataset.id, asked, "overview", overview_of)
        return _of_judges(dataset, asked)
    return cached.once(metrics.overview, dataset, abstention=asked.abstention, confidence=asked.confidence)


def settings(dataset: state.Dataset) -> Settings:
    """Return the choices of the sidebar: of all judges, or where there is none the mode and the confidence."""
    chosen, wanted = state.choices(), intervals.jackknifed(dataset)
    if chosen is not None:
        return wanted.added_to(replace(chosen.settings(), judges=dataset.ratings.judges))
    return Settings(asking.held("mode", modes_of(dataset.ratings)), confidence=wanted.confidence)


@cached.of_file(max_entries=16, show_spinner="Working out how good the judge is")
def _of_judges(dataset: state.Dataset, settings: Settings) -> Overview:
    return overview_of(dataset.ratings, settings)


def judge(overview: Overview) -> None:
    """Whose numbers stand below; nothing to ask where there is one judge."""
    names = [row.name for row in overview.judges]
    if len(names) > 1:
        st.selectbox("Show the numbers of", names, format_func=shorten, key=JUDGE, width=280, **asking.BOUND)


def chosen(overview: Overview) -> state.Choices | None:
    """Return the choices of the sidebar with the judge whose numbers stand below: the leader until another is chosen."""
    choices = state.choices()
    if choices is None:
        return None
    return replace(choices, judge=asking.held(JUDGE, [row.name for row in overview.judges]))


def hand_over(overview: Overview) -> None:
    """Make the judge whose numbers stand here that of the pages to come: the leader at first, and whoever is chosen here."""
    names = [row.name for row in overview.judges]
    if not names:
        return
    held, shown = st.session_state, asking.held(JUDGE, names)
    before = held.get(HANDED)
    if before != shown and (before in names or held.get(state.JUDGE_IN_VIEW) not in names):
        held[state.JUDGE_TO_COME] = shown
    held[HANDED] = shown

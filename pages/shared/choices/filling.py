"""Analyses computed while somebody looks: values at once, intervals as they come, kept for the session."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from metrics.analyses.multiverse.compute import Levels, Space, evaluated
from metrics.analyses.settings import Settings
from metrics.results.words import count
from pages.shared import session_cache, state

KEPT = "choices.kept"
MOST_KEPT = 3
"""Data sets and judges whose analyses stay."""
AT_ONCE, SLICE = 0.25, 0.7
"""Seconds before the figure is drawn, and between two drawings."""
MANY = 100
"""Sets of choices above which drawings are further apart."""
Results = dict[Settings, Levels]


@dataclass(frozen=True, eq=False)
class Filled:
    """What is there of a space, and the settings that still lack a value, or only its intervals, the declared ones first."""

    results: Results
    valueless: tuple[Settings, ...]
    missing: tuple[Settings, ...]
    total: int

    @property
    def ready(self) -> bool:
        return not self.missing


def filled(dataset: state.Dataset, space: Space) -> Filled:
    """Return what is known so far; values that take a moment are computed first."""
    known, wanted = _kept(dataset, space.judge), _wanted(space)
    end = time.monotonic() + AT_ONCE
    for settings in wanted:
        if settings not in known and _plain(settings) not in known and time.monotonic() < end:
            known[_plain(settings)] = evaluated(dataset.ratings, space.judge, _plain(settings))
    levels_by_settings = {settings: known.get(settings, known.get(_plain(settings))) for settings in wanted}
    results = {settings: levels for settings, levels in levels_by_settings.items() if levels is not None}
    valueless = tuple(settings for settings in wanted if settings not in results)
    return Filled(results, valueless, tuple(settings for settings in wanted if settings not in known), len(wanted))


def status(filled_results: Filled) -> Callable[[int], None]:
    """Return a bar that says how far it is; its place stays when all is there, so that nothing below moves.

    Returns what moves it.
    """
    bar = st.empty()
    if filled_results.ready:
        return lambda left: None
    what = "Values" if filled_results.valueless else "Intervals"

    def tell(left: int) -> None:
        done = filled_results.total - left
        bar.progress(done / filled_results.total, text=f"{what}: {count(done)} of {count(filled_results.total)} sets of choices")

    tell(len(filled_results.valueless or filled_results.missing))
    return tell


def go_on(dataset: state.Dataset, space: Space, filled_results: Filled, tell: Callable[[int], None]) -> None:
    """Some more at the end of the page, values before intervals; then the page is drawn again."""
    if filled_results.ready:
        return
    known, todo = _kept(dataset, space.judge), filled_results.valueless or filled_results.missing
    end = time.monotonic() + SLICE * (1 + len(todo) // MANY)
    for place, settings in enumerate(todo, start=1):
        now = _plain(settings) if filled_results.valueless else settings
        known[now] = evaluated(dataset.ratings, space.judge, now)
        tell(len(todo) - place)
        if time.monotonic() > end:
            break
    st.rerun()


def _wanted(space: Space) -> list[Settings]:
    every = dict.fromkeys(space.settings(analysis) for analysis in (space.declared_analysis, *space.analyses))
    return list(every)


def _plain(settings: Settings) -> Settings:
    """Return the same choices without intervals."""
    return replace(settings, interval="none", unit="item")


def _kept(dataset: state.Dataset, judge: str) -> Results:
    everything: dict[str, Results] = session_cache.held(KEPT)
    ratings = dataset.ratings
    source, scheme = ratings.source, ratings.scheme
    key = repr((source.sha256, ratings.columns, scheme.kinds, scheme.order, source.panels, judge))
    results = everything.get(key, {})
    session_cache.put(everything, key, results, MOST_KEPT)
    return results

"""Analyses computed while somebody looks: values at once, intervals as they come, kept for the session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from metrics import InputError
from metrics.analyses.multiverse.compute import Levels, Space, evaluated
from metrics.analyses.settings import Settings
from metrics.results.words import count
from pages.shared import state
from pages.shared.job import Bar, Job, Progress, Work

JOBS = "choices.jobs"
MOST_KEPT = 3
"""Data sets and judges whose analyses stay."""
AT_ONCE, SLICE = 0.25, 0.7
"""Seconds before the figure is drawn, and between two drawings."""
MANY = 100
"""Sets of choices above which drawings are further apart."""
VALUES, INTERVALS = "Values", "Intervals"
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

    @property
    def next_step(self) -> tuple[str, tuple[Settings, ...]]:
        """What is computed next, values before intervals, and under which settings."""
        return (VALUES, tuple(map(_plain, self.valueless))) if self.valueless else (INTERVALS, self.missing)


def filled(dataset: state.Dataset, space: Space) -> Filled:
    """Return what is known so far; values that take a moment are computed first."""
    job, wanted = _job(dataset, space.judge), _wanted(space)
    if job.failure:
        raise InputError(job.failure)
    known = job.part or {}
    valueless = [_plain(settings) for settings in wanted if settings not in known and _plain(settings) not in known]
    if valueless:
        job.start(more=True)
        job.run(_work(dataset, space.judge, VALUES, valueless, len(wanted)), seconds=AT_ONCE)
        known = job.part or {}
    levels_by_settings = {settings: known.get(settings, known.get(_plain(settings))) for settings in wanted}
    results = {settings: levels for settings, levels in levels_by_settings.items() if levels is not None}
    valueless = [settings for settings in wanted if settings not in results]
    missing = tuple(settings for settings in wanted if settings not in known)
    return Filled(results, tuple(valueless), missing, len(wanted))


def status(filled_results: Filled) -> Bar | None:
    """Return a bar that says how far it is; its place stays when all is there, so that nothing below moves."""
    bar = st.empty()
    if filled_results.ready:
        return None
    what, todo = filled_results.next_step
    share, text = _how_far(what, len(todo), filled_results.total)
    bar.progress(share, text=text)
    return bar.progress


def _how_far(what: str, left: int, total: int) -> tuple[float, str]:
    return (total - left) / total, f"{what}: {count(total - left)} of {count(total)} sets of choices"


def go_on(dataset: state.Dataset, space: Space, filled_results: Filled, bar: Bar | None) -> None:
    """Some more at the end of the page."""
    if filled_results.ready:
        return
    job, (what, todo) = _job(dataset, space.judge), filled_results.next_step
    job.start(more=True)
    job.go_on(_work(dataset, space.judge, what, todo, filled_results.total), bar, SLICE * (1 + len(todo) // MANY))


def _work(dataset: state.Dataset, judge: str, what: str, todo: Sequence[Settings], total: int) -> Work[Results]:
    def evaluate(so_far: Results | None, progress: Progress) -> Results:
        results = {} if so_far is None else so_far
        for place, settings in enumerate(todo, start=1):
            results[settings] = evaluated(dataset.ratings, judge, settings)
            if progress(*_how_far(what, len(todo) - place, total), results):
                break
        return results

    return evaluate


def _wanted(space: Space) -> list[Settings]:
    every = dict.fromkeys(space.settings(analysis) for analysis in (space.declared_analysis, *space.analyses))
    return list(every)


def _plain(settings: Settings) -> Settings:
    """Return the same choices without intervals."""
    return replace(settings, interval="none", unit="item")


def _job(dataset: state.Dataset, judge: str) -> Job[Results]:
    """Return the job of all analyses of a judge; those of one space serve the next."""
    ratings = dataset.ratings
    source, scheme = ratings.source, ratings.scheme
    key = repr((source.sha256, ratings.columns, scheme.kinds, scheme.order, source.panels, source.how.where, judge))
    return Job.of(JOBS, key, most=MOST_KEPT)

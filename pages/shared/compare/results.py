"""Comparisons of judges, kept for this session: what comes from an upload stays with the person who sent it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from metrics import Comparison, Forest, InputError
from metrics.analyses.agreement.compute import Settings
from metrics.analyses.comparison.compute import Contest, Question, comparison_of, contest_of
from metrics.analyses.comparison.permutation import Permutation
from metrics.analyses.comparison.readings import picked
from metrics.analyses.comparison.tables import readings
from metrics.data.aggregation import Level
from metrics.figures.forest import ForestRow, Other
from metrics.results.tables import as_text
from metrics.results.words import count
from pages.shared import state
from pages.shared.compare import waiting


@dataclass(frozen=True)
class Asked:
    """What is compared; with the data set and the settings, all that a comparison rests on."""

    a: str
    b: str
    metric: str
    level: Level
    criterion: str | None

    @property
    def question(self) -> Question:
        return Question(self.metric, self.level, self.criterion)


@dataclass(frozen=True, eq=False)
class Against:
    """All judges against a baseline, without the decisions behind them."""

    baseline: str
    best: bool
    picked: str
    """What the best on these data was chosen as."""
    reading: str
    rows: tuple[ForestRow, ...]
    beside: dict[str, list[str]]
    frame: Any
    confidence: float
    stopped: bool


def pair_key(its: state.Dataset, settings: Settings, asked: Asked) -> str:
    return repr(("pair", its.key, settings, asked))


def pair(its: state.Dataset, settings: Settings, asked: Asked) -> Comparison | InputError:
    """Return B against A; a permutation test that was stopped keeps the swaps it had done."""

    def work(job: waiting.Job) -> Comparison | InputError:
        kept: Permutation | None = job.part if job.stopped else None

        def told(so_far: Permutation) -> bool:
            if kept is None:
                text = f"{count(so_far.replicates)} of {count(so_far.asked)} swaps"
                job.tell(so_far, so_far.replicates / so_far.asked, text)
            return kept is not None

        both = replace(settings, judges=(asked.a, asked.b))
        try:
            found = comparison_of(its.ratings, both, asked.question, progress=told)
        except InputError as error:
            return error
        return found if kept is None else replace(found, permutation=kept)

    with st.spinner("Comparing the two judges", show_time=True):
        found: Comparison | InputError = waiting.once(pair_key(its, settings, asked), "The permutation test is running.", work)
    return found


def against_key(its: state.Dataset, settings: Settings, asked: Asked, baseline: str | None) -> str:
    return repr(("all", its.key, settings, asked.metric, asked.level, asked.criterion, baseline))


def against(its: state.Dataset, settings: Settings, asked: Asked, baseline: str | None) -> Against | InputError:
    """Return every judge against the baseline; None takes the best on these data. `asked` gives metric, level and criterion."""

    def work(job: waiting.Job) -> Against | InputError:
        try:
            contest = contest_of(its.ratings, baseline, asked.question, settings)
            found = _meetings(job, contest)
            return _shown(contest.forest(found, None if job.stopped else _corrected(job, contest, found)))
        except InputError as error:
            return error

    with st.spinner("Comparing all judges", show_time=True):
        found: Against | InputError = waiting.once(against_key(its, settings, asked, baseline), "Comparing all judges.", work)
    return found


def _meetings(job: waiting.Job, contest: Contest) -> list[Comparison]:
    """Return the judges against the baseline, one after the other; those done before a stop where there was one."""
    found: list[Comparison] = job.part or []
    if job.stopped:
        return found
    total, steps = len(contest.others), contest.steps

    def told(so_far: Permutation) -> None:
        job.tell(found, (len(found) + so_far.replicates / so_far.asked) / steps, f"{count(len(found))} of {count(total)} judges")

    for place in range(len(found), total):
        one = contest.meet(place, told)
        # Thousands of decisions behind each comparison are not needed for its row.
        found = [*found, replace(one, places=one.places[:0], outcome=one.outcome[:0])]
        job.tell(found, len(found) / steps, f"{count(len(found))} of {count(total)} judges")
    return found


def _corrected(job: waiting.Job, contest: Contest, found: list[Comparison]) -> Callable[[float], None]:
    """Return the bar of the last step: all pairs of judges at once."""
    text = "Correcting for a baseline picked on these data"
    return lambda share: job.tell(found, (len(contest.others) + share) / contest.steps, text)


def _shown(found: Forest) -> Against:
    different = set(found.different())
    rows = tuple(
        ForestRow(
            one.b.name,
            one.difference.value,
            *(one.difference.ends or (None, None)),
            value=one.b.estimate.value,
            p=corrected,
            n=one.n_items,
            apart=one.b.name in different,
            reason=one.difference.why,
            note=one.b.estimate.note,
            others=tuple(
                Other(name, own.difference.value, *(own.difference.ends or (None, None))) for name, own in one.others.items()
            ),
            disagree=one.disagree,
        )
        for one, corrected in zip(found.against, found.corrected, strict=True)
    )
    stopped = found.planned > len(rows)
    table, frame = readings(found), found.to_frame()
    beside = as_text(table) if table.rows else {}
    return Against(
        found.baseline, found.best, picked(found), found.reading, rows, beside, frame, found.confidence, stopped
    )  # fmt: skip

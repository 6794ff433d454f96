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
class ComparisonRequest:
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
    readings_table: dict[str, list[str]]
    frame: Any
    confidence: float
    stopped: bool


def pair_key(dataset: state.Dataset, settings: Settings, asked: ComparisonRequest) -> str:
    return repr(("pair", dataset.key, settings, asked))


def pair(dataset: state.Dataset, settings: Settings, asked: ComparisonRequest) -> Comparison | InputError:
    """Return B against A; a permutation test that was stopped keeps the swaps it had done."""

    def work(job: waiting.Job) -> Comparison | InputError:
        kept: Permutation | None = job.part if job.stopped else None

        def progress(so_far: Permutation) -> bool:
            if kept is None:
                text = f"{count(so_far.replicates)} of {count(so_far.asked)} swaps"
                job.tell(so_far, so_far.replicates / so_far.asked, text)
            return kept is not None

        both = replace(settings, judges=(asked.a, asked.b))
        try:
            comparison = comparison_of(dataset.ratings, both, asked.question, progress=progress)
        except InputError as error:
            return error
        return comparison if kept is None else replace(comparison, permutation=kept)

    with st.spinner("Comparing the two judges", show_time=True):
        outcome: Comparison | InputError = waiting.memoised(
            pair_key(dataset, settings, asked), "The permutation test is running.", work
        )
    return outcome


def against_key(dataset: state.Dataset, settings: Settings, asked: ComparisonRequest, baseline: str | None) -> str:
    return repr(("all", dataset.key, settings, asked.metric, asked.level, asked.criterion, baseline))


def against(dataset: state.Dataset, settings: Settings, asked: ComparisonRequest, baseline: str | None) -> Against | InputError:
    """Return every judge against the baseline; None takes the best on these data. `asked` gives metric, level and criterion."""

    def work(job: waiting.Job) -> Against | InputError:
        try:
            contest = contest_of(dataset.ratings, baseline, asked.question, settings)
            comparisons = _meetings(job, contest)
            return _against_of(contest.forest(comparisons, None if job.stopped else _corrected(job, contest, comparisons)))
        except InputError as error:
            return error

    with st.spinner("Comparing all judges", show_time=True):
        baseline_results: Against | InputError = waiting.memoised(
            against_key(dataset, settings, asked, baseline), "Comparing all judges.", work
        )
    return baseline_results


def _meetings(job: waiting.Job, contest: Contest) -> list[Comparison]:
    """Return the judges against the baseline, one after the other; those done before a stop where there was one."""
    comparisons: list[Comparison] = job.part or []
    if job.stopped:
        return comparisons
    total, steps = len(contest.others), contest.steps

    def progress(so_far: Permutation) -> None:
        job.tell(
            comparisons,
            (len(comparisons) + so_far.replicates / so_far.asked) / steps,
            f"{count(len(comparisons))} of {count(total)} judges",
        )

    for place in range(len(comparisons), total):
        comparison = contest.meet(place, progress)
        # Thousands of decisions behind each comparison are not needed for its row.
        comparisons = [*comparisons, replace(comparison, places=comparison.places[:0], outcome=comparison.outcome[:0])]
        job.tell(comparisons, len(comparisons) / steps, f"{count(len(comparisons))} of {count(total)} judges")
    return comparisons


def _corrected(job: waiting.Job, contest: Contest, comparisons: list[Comparison]) -> Callable[[float], None]:
    """Return the bar of the last step: all pairs of judges at once."""
    text = "Correcting for a baseline picked on these data"
    return lambda share: job.tell(comparisons, (len(contest.others) + share) / contest.steps, text)


def _against_of(forest: Forest) -> Against:
    different = set(forest.different())
    rows = tuple(
        ForestRow(
            comparison.b.name,
            comparison.difference.value,
            *(comparison.difference.ends or (None, None)),
            value=comparison.b.estimate.value,
            p=corrected,
            n=comparison.n_items,
            differs=comparison.b.name in different,
            reason=comparison.difference.why,
            note=comparison.b.estimate.note,
            others=tuple(
                Other(name, other.difference.value, *(other.difference.ends or (None, None)))
                for name, other in comparison.others.items()
            ),
            disagree=comparison.disagree,
        )
        for comparison, corrected in zip(forest.against, forest.corrected, strict=True)
    )
    stopped = forest.planned > len(rows)
    table, frame = readings(forest), forest.to_frame()
    beside = as_text(table) if table.rows else {}
    return Against(
        forest.baseline, forest.best, picked(forest), forest.reading, rows, beside, frame, forest.confidence, stopped
    )  # fmt: skip

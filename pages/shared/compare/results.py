"""Comparisons of judges, kept for this session: what comes from an upload stays with the person who sent it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from metrics import Comparison, Forest
from metrics.analyses.agreement.compute import Settings
from metrics.analyses.comparison.compute import Contest, Question, comparison_of, contest_of, question_of
from metrics.analyses.comparison.forest import picked
from metrics.analyses.comparison.permutation import Permutation
from metrics.analyses.comparison.tables import readings
from metrics.data.aggregation import Level
from metrics.figures.forest import ForestRow
from metrics.figures.of_reports import forest_rows
from metrics.results.tables import as_text
from metrics.results.words import count
from pages.shared import as_lines, session_cache, state
from pages.shared.job import Job, Progress

JOBS, STOPPED = "compare.jobs", "compare.stopped"


@dataclass(frozen=True)
class ComparisonRequest:
    """What is compared; with the data set and the settings, all that a comparison rests on."""

    a: str
    b: str
    metric: str
    level: Level
    criterion: str | None
    margin: float | None = None
    """How much worse B may be; no part of what is computed, so that typing it costs no second test."""

    @property
    def question(self) -> Question:
        return Question(self.metric, self.level, self.criterion)

    @property
    def without_margin(self) -> ComparisonRequest:
        return replace(self, margin=None)


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
    stopped: bool
    weights: str = ""
    """Column by whose weights items count; empty where each counts once."""


@dataclass(frozen=True, eq=False)
class Compared:
    """Judges compared with the baseline so far, without the decisions behind them; once all are, what they say together."""

    comparisons: tuple[Comparison, ...] = ()
    against: Against | None = None


def pair_job(dataset: state.Dataset, settings: Settings, asked: ComparisonRequest) -> Job[Comparison]:
    return Job.of(JOBS, repr(("pair", dataset.key, settings, asked.without_margin)))


def pair(dataset: state.Dataset, settings: Settings, asked: ComparisonRequest) -> Comparison:
    """Return B against A; a permutation test that was stopped rests on the swaps it had done."""
    job = pair_job(dataset, settings, asked)

    def compare(so_far: Comparison | None, progress: Progress) -> Comparison:
        def report_swaps(test: Permutation) -> bool:
            return progress(test.replicates / test.asked, f"{count(test.replicates)} of {count(test.asked)} swaps")

        both = replace(settings, judges=(asked.a, asked.b))
        return comparison_of(dataset.ratings, both, asked.question, progress=report_swaps)

    with st.spinner("Comparing the two judges", show_time=True):
        made = job.wait(compare, "The permutation test is running.", f"compare.stop {hash(job.key)}")
    return replace(made, margin=asked.margin)


def call(dataset: state.Dataset, settings: Settings, asked: ComparisonRequest) -> as_lines.Call:
    """Return the call that compares B with A; metric and level where they are not those taken by default."""
    usual = asked.question == question_of(dataset.ratings, None, None, asked.criterion, settings.abstention)
    own = {} if usual else {"metric": asked.metric, "level": asked.level}
    return as_lines.call(
        "compare", settings, dataset, a=asked.a, b=asked.b, criterion=asked.criterion, margin=asked.margin, **own
    )


def against_job(dataset: state.Dataset, settings: Settings, asked: ComparisonRequest, baseline: str | None) -> Job[Compared]:
    return Job.of(JOBS, repr(("all", dataset.key, settings, asked.metric, asked.level, asked.criterion, baseline)))


def against(dataset: state.Dataset, settings: Settings, asked: ComparisonRequest, baseline: str | None) -> Against:
    """Return every judge against the baseline; None takes the best on these data. `asked` gives metric, level and criterion."""
    job = against_job(dataset, settings, asked, baseline)

    def contest() -> Contest:
        return contest_of(dataset.ratings, baseline, asked.question, settings)

    with st.spinner("Comparing all judges", show_time=True):
        compared = job.wait(
            lambda so_far, progress: _compared(contest(), so_far or Compared(), progress),
            "Comparing all judges.",
            f"compare.stop {hash(job.key)}",
        )
        if compared.against is not None:
            return compared.against
        stopped_at = job.key, len(compared.comparisons)
        return session_cache.memoised_last(STOPPED, stopped_at, lambda: _against_of(contest().forest(compared.comparisons)))


def _compared(contest: Contest, so_far: Compared, progress: Progress) -> Compared:
    """Return the judges against the baseline, one after the other, and where none is left what they say together."""

    def report(share: float, text: str = "") -> bool:
        done, total = len(so_far.comparisons), len(contest.others)
        return progress((done + share) / contest.steps, text or f"{count(done)} of {count(total)} judges", so_far)

    for place in range(len(so_far.comparisons), len(contest.others)):
        comparison = contest.meet(place, lambda test: report(test.replicates / test.asked))
        if comparison.permutation.stopped:
            return so_far
        # Thousands of decisions behind each comparison are not needed for its row.
        comparison = replace(comparison, places=comparison.places[:0], outcome=comparison.outcome[:0])
        so_far = Compared((*so_far.comparisons, comparison))
        if report(0):
            return so_far
    last = "Correcting for a baseline picked on these data"
    return replace(so_far, against=_against_of(contest.forest(so_far.comparisons, lambda share: report(share, last))))


def _against_of(forest: Forest) -> Against:
    rows = forest_rows(forest)
    stopped = forest.planned > len(rows)
    table, frame = readings(forest), forest.to_frame()
    beside = as_text(table) if table.rows else {}
    return Against(
        forest.baseline, forest.best, picked(forest), forest.reading, rows, beside, frame, stopped, forest.declaration.weights
    )

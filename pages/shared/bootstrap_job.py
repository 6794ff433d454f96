"""A bootstrap while somebody waits: one job for each abstention mode, which starts by itself where that is quick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.records import AgreementReport
from metrics.analyses.settings import LEAST, Settings, weighted_declaration
from metrics.data.abstention import MODE_NAMES, Mode
from metrics.data.pairs import patterns_of
from metrics.results.words import count
from pages.shared import cached, intervals, state
from pages.shared.intervals import Intervals
from pages.shared.job import Bar, Job, Progress, Work, status_line

QUICK = 3_000_000
"""Rows times draws that take well under a second in three modes."""
JOBS = "bootstrap.jobs"
Reports = dict[Mode, AgreementReport]


@dataclass(frozen=True)
class Request:
    """A bootstrap of one judge; the abstention mode may change without asking again."""

    dataset: state.Dataset
    chosen: state.Choices
    wanted: Intervals

    def settings(self, mode: Mode) -> Settings:
        return self.wanted.added_to(self.chosen.settings(mode))

    def job(self, mode: Mode) -> Job[AgreementReport]:
        return Job.of(JOBS, repr((self.dataset.key, self.settings(mode))), going=self.quick)

    @property
    def quick(self) -> bool:
        ratings = self.dataset.ratings
        rows = len(patterns_of(ratings, self.chosen.judge, self.chosen.reference).multiplicity)
        each = 1 + len(ratings.criteria) if self.wanted.unit == "hierarchical" else 1
        return rows * each * self.wanted.replicates <= QUICK


def reports(request: Request, modes: Sequence[Mode]) -> tuple[Reports, list[Mode]]:
    """Return the report of every mode, and the modes whose bootstrap is still to come or was stopped half-way."""
    wanted = request.wanted
    plain = {mode: cached.report(request.dataset, request.chosen, mode, wanted.without_draws()) for mode in modes}
    if not wanted.drawn:
        return plain, []
    if request.quick:
        for mode in modes:
            request.job(mode).run(_work(request, mode, plain[mode]))
    first = sorted(modes, key=lambda mode: mode != request.chosen.mode)
    return plain | _drawn(request, modes), [mode for mode in first if not request.job(mode).ready]


def _drawn(request: Request, modes: Sequence[Mode]) -> Reports:
    """Return modes with a bootstrap; one that was stopped rests on the replicates done until then."""
    jobs = {mode: request.job(mode) for mode in modes}
    return {mode: report for mode, job in jobs.items() if not job.going and (report := job.part) is not None}


def status(request: Request, missing: list[Mode]) -> Bar | None:
    """Say which intervals the page shows, with the button that starts or stops; return the bar while it runs."""
    jobs = [request.job(mode) for mode in missing]
    ready = request.chosen.mode not in missing
    with st.container(border=True, key="bootstrap"):
        if jobs[0].going:
            now = "The outlined row is done" if ready else "Until it is done, the page shows the intervals of the default rules"
            text = f"Bootstrap, {count(request.wanted.replicates)} replicates. {now}."
        else:
            which = "Rows without a bootstrap show" if ready or _drawn(request, missing) else "The page shows"
            text = f"The bootstrap {_how_far(request, missing)}. {which} the intervals of the default rules."
        status_line(text, "Run the bootstrap", "bootstrap.button", *jobs)
        return st.progress(0.0).progress if jobs[0].going else None


def _how_far(request: Request, missing: list[Mode]) -> str:
    if not any(request.job(mode).stopped for mode in missing):
        return "has not run"
    asked = count(request.wanted.replicates)
    done = [
        f"{count(report.judges[request.chosen.judge].micro.more['replicates'])} of {asked} replicates in {MODE_NAMES[mode]}"
        for mode, report in _drawn(request, missing).items()
    ]
    return f"was stopped after {' and '.join(done)}, which are kept" if done else "was stopped"


def go_on(request: Request, missing: list[Mode], plain: Reports, bar: Bar | None) -> None:
    """Run the next mode, at the end of the page so that everything else is there meanwhile, and draw the page again."""
    if missing:
        request.job(missing[0]).go_on(_work(request, missing[0], plain[missing[0]]), bar)


def everyone(request: Request) -> Callable[[], AgreementReport]:
    """Return all judges for a download; the default rules where a bootstrap of all would keep people waiting."""
    # A download is made where no session can be asked any more.
    wanted = request.wanted if request.quick else request.wanted.without_draws()
    return lambda: cached.whole_report(request.dataset, request.chosen, wanted)


def _work(request: Request, mode: Mode, plain: AgreementReport) -> Work[AgreementReport]:
    """Return the bootstrap of one mode, drawn from the start each time; too few replicates change nothing."""
    ratings, settings = request.dataset.ratings, request.settings(mode)

    def draw(so_far: AgreementReport | None, progress: Progress) -> AgreementReport | None:
        judge = judge_report(ratings, request.chosen.judge, settings, None if request.quick else progress)
        done = int(judge.micro.more.get("replicates", settings.replicates))
        if done < min(LEAST, settings.replicates):
            return so_far
        declaration = weighted_declaration(ratings, replace(settings, replicates=done))
        return replace(plain, declaration=declaration, judges={judge.name: judge})

    return draw


def row_note(request: Request, modes: list[Mode]) -> str:
    """Return what the grid must say when its rows carry intervals of two kinds."""
    drawn = _drawn(request, modes) if request.wanted.drawn else {}
    if len(drawn) in (0, len(modes)):
        return ""
    method = intervals.METHODS[request.wanted.method].lower().replace("bca", "BCa")
    return f" · {', '.join(MODE_NAMES[mode] for mode in drawn)}: {method}; other rows: default rules"

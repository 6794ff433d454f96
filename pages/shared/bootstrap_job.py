"""A bootstrap while somebody waits: asked for, with a progress bar and a way to stop, kept for the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Event

import streamlit as st

from metrics.analyses.agreement.compute import declaration_of, judge_report
from metrics.analyses.records import AgreementReport
from metrics.analyses.settings import LEAST
from metrics.data.abstention import MODE_NAMES, Mode
from metrics.data.pairs import patterns_of
from metrics.results.words import count, percent
from pages.shared import cached, intervals, parts, session_cache, state
from pages.shared.intervals import Intervals
from pages.shared.throttle import Pace

QUICK = 3_000_000
"""Rows times draws that take well under a second in three modes."""
MOST_KEPT = 24
FINISHED, PARTIAL, ASKED, STOPPED, AT_WORK = (
    f"bootstrap.{name}" for name in ("finished", "partial", "asked", "stopped", "at work")
)
PATIENCE = 10
"""Seconds to wait for what a run that was stopped has to hand over."""
Reports = dict[Mode, AgreementReport]
Tell = Callable[[float], None]


@dataclass(frozen=True)
class Request:
    """A bootstrap of one judge; the abstention mode may change without asking again."""

    dataset: state.Dataset
    chosen: state.Choices
    wanted: Intervals

    @property
    def key(self) -> str:
        """What the visitor asked for, whatever the mode and the level."""
        return repr((self.dataset.key, replace(self.chosen, mode="exclude", level="micro"), self.wanted))

    def place(self, mode: Mode) -> str:
        return repr((self.dataset.key, self.wanted.added_to(self.chosen.settings(mode))))

    @property
    def quick(self) -> bool:
        ratings = self.dataset.ratings
        rows = len(patterns_of(ratings, self.chosen.judge, self.chosen.reference).multiplicity)
        each = 1 + len(ratings.criteria) if self.wanted.unit == "hierarchical" else 1
        return rows * each * self.wanted.replicates <= QUICK

    @property
    def stopped(self) -> bool:
        return bool(st.session_state.get(STOPPED) == self.key)

    @property
    def running(self) -> bool:
        if self.stopped:
            return False
        return self.quick or st.session_state.get(ASKED) == self.key


def reports(request: Request, modes: Sequence[Mode]) -> tuple[Reports, list[Mode]]:
    """Return the report of every mode, and the modes whose bootstrap is still to come or was stopped half-way."""
    wanted = request.wanted
    report_by_mode = {mode: cached.report(request.dataset, request.chosen, mode, wanted.without_draws()) for mode in modes}
    if not wanted.drawn:
        return report_by_mode, []
    if request.quick and request.running:
        for mode in modes:
            if request.place(mode) not in session_cache.held(FINISHED):
                _run(request, mode, report_by_mode[mode])
    done = {
        mode: session_cache.held(FINISHED)[request.place(mode)]
        for mode in modes
        if request.place(mode) in session_cache.held(FINISHED)
    }
    first = sorted(modes, key=lambda mode: mode != request.chosen.mode)
    return report_by_mode | _partial(request, modes) | done, [mode for mode in first if mode not in done]


def _partial(request: Request, modes: Sequence[Mode]) -> Reports:
    """Return modes whose bootstrap was stopped, on the replicates done until then."""
    if not request.stopped:
        return {}
    if AT_WORK in st.session_state:
        st.session_state[AT_WORK].wait(PATIENCE)
    done = session_cache.held(PARTIAL)
    return {mode: done[request.place(mode)] for mode in modes if request.place(mode) in done}


def status(request: Request, missing: list[Mode]) -> Tell:
    """Return says which intervals the page shows, with the button that starts or stops; returns what moves the bar."""
    ready = request.chosen.mode not in missing
    now = "The outlined row is done" if ready else "Until it is done, the page shows the intervals of the default rules"
    with st.container(border=True, key="bootstrap"):
        if request.running:
            text = f"Bootstrap, {count(request.wanted.replicates)} replicates. {now}."
            parts.line_with_button(text, "Stop", "bootstrap.button", _stop, request.key)
            bar = st.progress(0.0)
            return lambda share: bar.progress(share, text=percent(share))
        which = "Rows without a bootstrap show" if ready or _partial(request, missing) else "The page shows"
        text = f"The bootstrap {_how_far(request, missing)}. {which} the intervals of the default rules."
        parts.line_with_button(text, "Run the bootstrap", "bootstrap.button", _ask, request.key)
    return lambda share: None


def _how_far(request: Request, missing: list[Mode]) -> str:
    if not request.stopped:
        return "has not run"
    asked = count(request.wanted.replicates)
    done = [
        f"{count(report.judges[request.chosen.judge].micro.more['replicates'])} of {asked} replicates in {MODE_NAMES[mode]}"
        for mode, report in _partial(request, missing).items()
    ]
    return f"was stopped after {' and '.join(done)}, which are kept" if done else "was stopped"


def go_on(request: Request, missing: list[Mode], plain: Reports, tell: Tell | None) -> None:
    """Run the next mode, at the end of the page so that everything else is there meanwhile, and draw the page again."""
    if missing and request.running:
        _run(request, missing[0], plain[missing[0]], tell)
        st.rerun()


def everyone(request: Request) -> Callable[[], AgreementReport]:
    """Return all judges for a download; the default rules where a bootstrap of all would keep people waiting."""
    # A download is made where no session can be asked any more.
    wanted = request.wanted if request.quick and request.running else request.wanted.without_draws()
    return lambda: cached.whole_report(request.dataset, request.chosen, wanted)


def _run(request: Request, mode: Mode, plain: AgreementReport, tell: Tell | None = None) -> None:
    """Work out one mode. The page is drawn anew while an interrupted run still hands over what it has, so it says when it has."""
    at_work = st.session_state[AT_WORK] = Event()
    try:
        _work(request, mode, plain, tell)
    finally:
        at_work.set()


def _work(request: Request, mode: Mode, plain: AgreementReport, tell: Tell | None) -> None:
    ratings, settings = request.dataset.ratings, request.wanted.added_to(request.chosen.settings(mode))
    progress = ProgressReporter(tell) if tell else None
    # Once the script is interrupted, the session can no longer be asked for these.
    finished, partial, place = session_cache.held(FINISHED), session_cache.held(PARTIAL), request.place(mode)
    judge = judge_report(ratings, request.chosen.judge, settings, progress)
    done = int(judge.micro.more.get("replicates", settings.replicates))
    declaration = declaration_of(ratings, replace(settings, replicates=done))
    if done >= min(LEAST, settings.replicates):
        report = replace(plain, declaration=declaration, judges={judge.name: judge})
        session_cache.put(finished if done == settings.replicates else partial, place, report, MOST_KEPT)
    if progress and progress.interruption:
        raise progress.interruption


class ProgressReporter:
    """Moves the bar now and then. A click elsewhere interrupts the script there; the replicates done are kept first."""

    def __init__(self, tell: Tell) -> None:
        self.tell, self.pace = tell, Pace()
        self.interruption: BaseException | None = None

    def __call__(self, share: float) -> bool:
        if not self.pace.due():
            return False
        try:
            self.tell(min(share, 1.0))
        except BaseException as interruption:
            self.interruption = interruption
        return self.interruption is not None


def _ask(key: str) -> None:
    st.session_state[ASKED], st.session_state[STOPPED] = key, ""


def _stop(key: str) -> None:
    st.session_state[ASKED], st.session_state[STOPPED] = "", key


def row_note(request: Request, missing: list[Mode], modes: list[Mode]) -> str:
    """Return what the grid must say when its rows carry intervals of two kinds."""
    wanted, partial = request.wanted, _partial(request, missing)
    missing = [mode for mode in missing if mode not in partial]
    if not wanted.drawn or not missing or len(missing) == len(modes):
        return ""
    names = ", ".join(MODE_NAMES[mode] for mode in modes if mode not in missing)
    return f" · {names}: {intervals.METHODS[wanted.method].lower().replace('bca', 'BCa')}; other rows: default rules"

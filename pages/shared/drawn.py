"""A bootstrap while somebody waits: asked for, with a progress bar and a way to stop, kept for the session."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from metrics.abstention import Mode
from metrics.judging import declaration_of, judge_report
from metrics.pairs import patterns_of
from metrics.results import AgreementReport
from metrics.words import count, percent
from pages.shared import cached, intervals, state
from pages.shared.intervals import Intervals

QUICK = 3_000_000
"""Rows times draws that take well under a second in three modes."""
MOST_KEPT = 24
EVERY = 0.1
FINISHED, ASKED, STOPPED = "bootstrap.finished", "bootstrap.asked", "bootstrap.stopped"
Reports = dict[Mode, AgreementReport]
Tell = Callable[[float], None]


@dataclass(frozen=True)
class Request:
    """A bootstrap of one judge; the abstention mode may change without asking again."""

    its: state.Dataset
    chosen: state.Choices
    wanted: Intervals

    @property
    def key(self) -> str:
        """What the visitor asked for, whatever the mode and the level."""
        return repr((self.its.key, replace(self.chosen, mode="exclude", level="micro"), self.wanted))

    def place(self, mode: Mode) -> str:
        return repr((self.its.key, self.wanted.added_to(self.chosen.settings(mode))))

    @property
    def quick(self) -> bool:
        ratings = self.its.ratings
        rows = len(patterns_of(ratings, self.chosen.judge, self.chosen.reference).multiplicity)
        each = 1 + len(ratings.criteria) if self.wanted.unit == "hierarchical" else 1
        return rows * each * self.wanted.replicates <= QUICK

    @property
    def running(self) -> bool:
        if st.session_state.get(STOPPED) == self.key:
            return False
        return self.quick or st.session_state.get(ASKED) == self.key


def reports(request: Request, modes: list[Mode]) -> tuple[Reports, list[Mode]]:
    """The report of every mode, and the modes whose bootstrap is still to come."""
    wanted = request.wanted
    found = {mode: cached.report(request.its, request.chosen, mode, wanted.without_draws()) for mode in modes}
    if not wanted.drawn:
        return found, []
    if request.quick and request.running:
        for mode in modes:
            if request.place(mode) not in _finished():
                _run(request, mode, found[mode])
    done = {mode: _finished()[request.place(mode)] for mode in modes if request.place(mode) in _finished()}
    first = sorted(modes, key=lambda mode: mode != request.chosen.mode)
    return found | done, [mode for mode in first if mode not in done]


def status(request: Request, missing: list[Mode]) -> Tell:
    """Says which intervals the page shows, with the button that starts or stops; returns what moves the bar."""
    ready = request.chosen.mode not in missing
    now = "The outlined row is done" if ready else "Until it is done, the page shows the intervals of the default rules"
    with st.container(border=True, key="bootstrap"):
        if request.running:
            _line(f"Bootstrap, {count(request.wanted.replicates)} replicates. {now}.", "Stop", _stop, request.key)
            bar = st.progress(0.0)
            return lambda share: bar.progress(share, text=percent(share))
        stopped = st.session_state.get(STOPPED) == request.key
        which = "Rows without a bootstrap show" if ready else "The page shows"
        text = f"The bootstrap {'was stopped' if stopped else 'has not run'}. {which} the intervals of the default rules."
        _line(text, "Run the bootstrap", _ask, request.key)
    return lambda share: None


def _line(text: str, label: str, act: Callable[[str], None], key: str) -> None:
    """One button that changes its name: a second one would stay in view beside it while the page is being drawn."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(text)
        st.button(label, key="bootstrap.button", on_click=act, args=(key,))


def go_on(request: Request, missing: list[Mode], plain: Reports, tell: Tell | None) -> None:
    """Run the next mode, at the end of the page so that everything else is there meanwhile, and draw the page again."""
    if missing and request.running:
        _run(request, missing[0], plain[missing[0]], tell)
        st.rerun()


def everyone(its: state.Dataset, chosen: state.Choices, wanted: Intervals) -> AgreementReport:
    """All judges for a download; the default rules where a bootstrap of all would keep people waiting."""
    request = Request(its, chosen, wanted)
    return cached.whole_report(its, chosen, wanted if request.quick and request.running else wanted.without_draws())


def _run(request: Request, mode: Mode, plain: AgreementReport, tell: Tell | None = None) -> None:
    ratings, settings = request.its.ratings, request.wanted.added_to(request.chosen.settings(mode))
    judge = judge_report(ratings, request.chosen.judge, settings, _seldom(tell) if tell else None)
    kept = _finished()
    kept[request.place(mode)] = replace(plain, declaration=declaration_of(ratings, settings), judges={judge.name: judge})
    while len(kept) > MOST_KEPT:
        kept.pop(next(iter(kept)))


def _seldom(tell: Tell) -> Tell:
    last = [0.0]

    def heard(share: float) -> None:
        now = time.monotonic()
        if now - last[0] >= EVERY:
            last[0] = now
            tell(min(share, 1.0))

    return heard


def _finished() -> dict[str, AgreementReport]:
    kept: dict[str, AgreementReport] = st.session_state.setdefault(FINISHED, {})
    return kept


def _ask(key: str) -> None:
    st.session_state[ASKED], st.session_state[STOPPED] = key, ""


def _stop(key: str) -> None:
    st.session_state[ASKED], st.session_state[STOPPED] = "", key


def row_note(wanted: Intervals, missing: list[Mode], modes: list[Mode]) -> str:
    """What the grid must say when its rows carry intervals of two kinds."""
    if not wanted.drawn or not missing or len(missing) == len(modes):
        return ""
    names = ", ".join(state.MODE_NAMES[mode] for mode in modes if mode not in missing)
    return f" · {names}: {intervals.METHODS[wanted.method].lower().replace('bca', 'BCa')}; other rows: default rules"

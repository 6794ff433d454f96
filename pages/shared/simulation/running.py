"""A simulation while somebody waits: it grows on the page, can be stopped and gone on with, and is kept for the session."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Lock

import streamlit as st

from metrics.analyses.simulation.studies import Run, Study, preset_of, steps
from metrics.results.words import count, percent
from pages.shared import parts, session_cache, state
from pages.shared.throttle import Pace

QUICK = 4_000_000
"""Judgements of a model by a judge that are drawn in about a second."""
AT_ONCE, SLICE = 1.5, 1.0
"""Seconds before anything is drawn, and between two drawings of the page."""
MOST_KEPT = 24
KEPT, SHOWN = "simulation.kept", "simulation.shown"
Tell = Callable[[Run], None]


class Simulation:
    """A study that grows block by block.

    The page is drawn anew while an interrupted run of the script may still be at work on a block: the lock makes it wait.

    Attributes
    ----------
    going : bool
        Whether it is to be gone on with; a stopped one keeps what it has.
    """

    def __init__(self, study: Study, *, going: bool) -> None:
        self.study, self.going = study, going
        self._found: Run | None = None
        self._steps: Iterator[Run] = steps(study)
        self._lock = Lock()

    @property
    def run(self) -> Run | None:
        with self._lock:
            return self._found

    @property
    def ready(self) -> bool:
        run = self.run
        return run is not None and not run.stopped

    def go_on(self, seconds: float, tell: Tell) -> None:
        """Some more blocks, at least one."""
        end = time.monotonic() + seconds
        while self._block():
            if (run := self.run) is not None:
                tell(run)
            if time.monotonic() > end:
                break

    def _block(self) -> bool:
        with self._lock:
            if not self.going:
                return False
            self._found = next(self._steps, self._found)
            self.going = self._found is None or self._found.stopped
            return True

    def halt(self) -> None:
        with self._lock:
            self.going = False

    def start(self) -> None:
        with self._lock:
            self.going = self._found is None or self._found.stopped


def of(study: Study) -> Simulation:
    """Return the simulation of a study, as far as it is.

    Presets run at once, as does what a link opens with, where that is quick.
    """
    known: dict[str, Simulation] = session_cache.held(KEPT)
    key = repr((study.along, study.points))
    if key not in known:
        at_once = study.cells <= QUICK and (preset_of(study) is not None or SHOWN not in st.session_state)
        session_cache.put(known, key, Simulation(study, going=at_once), MOST_KEPT)
    simulation = known[key]
    if simulation.going and simulation.run is None:
        with st.spinner("Simulating", show_time=True):
            simulation.go_on(AT_ONCE, lambda run: None)
    return simulation


def shown_run(simulation: Simulation | None) -> Run | None:
    """Return what the page shows: this simulation, or while nothing is there of it the one shown before."""
    if simulation is not None and simulation.run is not None:
        st.session_state[SHOWN] = simulation
    last: Simulation | None = st.session_state.get(SHOWN)
    return None if last is None else last.run


def status(simulation: Simulation, says: str) -> Tell:
    """Return how far it is, with one button that starts or stops it, and a bar while it runs. Returns what moves the bar."""
    if simulation.ready and state.in_room_view():
        return lambda run: None
    label, act = (
        ("Stop", simulation.halt)
        if simulation.going
        else ("Go on" if simulation.run and not simulation.ready else "Run", simulation.start)
    )
    done = "The same seed gives the same digits." if simulation.ready else None
    with st.container(key="simulation_status"):
        parts.line_with_button(f"{says} {_how_far(simulation)}".strip(), label, "simulation.run", act, no_effect=done)
        bar = st.empty()
    return _ProgressReporter(bar) if simulation.going else lambda run: None


def _how_far(simulation: Simulation) -> str:
    run = simulation.run
    if run is None:
        before = " Still showing the run before, whose settings stand in the line below." if SHOWN in st.session_state else ""
        return f"**Not run yet.**{before}"
    if simulation.ready:
        return "" if preset_of(simulation.study) else "These settings have been run."
    far = f"{count(run.done)} of {count(simulation.study.setting.scenarios)} scenarios"
    at = f" at each of {count(len(run.selections))} points" if len(run.selections) > 1 else ""
    if simulation.going:
        return f"**Running:** {far}{at}."
    return f"**Stopped** after {far}{at}; these are kept and shown."


class _ProgressReporter:
    """Moves the bar now and then."""

    def __init__(self, place: st.delta_generator.DeltaGenerator) -> None:
        self.place, self.pace = place, Pace()

    def __call__(self, run: Run) -> None:
        if self.pace.due():
            self.place.progress(run.share, text=f"{count(run.done)} scenarios, {percent(run.share)}")


def go_on(simulation: Simulation, tell: Tell) -> None:
    """Some more at the end of the page, so that everything else is there meanwhile; then the page is drawn again."""
    if simulation.going:
        simulation.go_on(SLICE, tell)
        st.rerun()

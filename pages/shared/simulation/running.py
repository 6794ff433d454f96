"""A simulation while somebody waits: it grows on the page, can be stopped and gone on with, and is kept for the session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from metrics.analyses.simulation.studies import Run, Study, preset_of, steps
from metrics.results.words import count, percent
from pages.shared import state
from pages.shared.job import Bar, Job, Progress, Work, status_line

QUICK = 4_000_000
"""Judgements of a model by a judge that are drawn in about a second."""
AT_ONCE, SLICE = 1.5, 1.0
"""Seconds before anything is drawn, and between two drawings of the page."""
JOBS, SHOWN = "simulation.jobs", "simulation.shown"


@dataclass(frozen=True, eq=False)
class Simulation:
    """A study as far as it is, and the blocks that are still to come."""

    run: Run
    blocks: Iterator[Run]


def of(study: Study) -> Job[Simulation]:
    """Return the simulation of a study, as far as it is.

    Presets run at once, as does what a link opens with, where that is quick.
    """
    at_once = study.cells <= QUICK and (preset_of(study) is not None or SHOWN not in st.session_state)
    job: Job[Simulation] = Job.of(JOBS, repr((study.along, study.points)), going=at_once)
    if job.going and job.part is None:
        with st.spinner("Simulating", show_time=True):
            job.run(_work(study), seconds=AT_ONCE)
    return job


def _work(study: Study) -> Work[Simulation]:
    def simulate(so_far: Simulation | None, progress: Progress) -> Simulation | None:
        blocks = so_far.blocks if so_far else steps(study)
        for run in blocks:
            so_far = Simulation(run, blocks)
            if progress(run.share, f"{count(run.done)} scenarios, {percent(run.share)}", so_far):
                break
        return so_far

    return simulate


def shown_run(job: Job[Simulation] | None) -> Run | None:
    """Return what the page shows: this simulation, or while nothing is there of it the one shown before."""
    if job is not None and job.part is not None:
        st.session_state[SHOWN] = job
    last: Job[Simulation] | None = st.session_state.get(SHOWN)
    return last.part.run if last and last.part else None


def status(job: Job[Simulation], says: str) -> Bar | None:
    """Say how far it is, with one button that starts or stops it; return the bar while it runs."""
    if job.ready and state.in_room_view():
        return None
    label = "Go on" if job.part and not job.ready else "Run"
    done = "The same seed gives the same digits." if job.ready else None
    with st.container(key="simulation_status"):
        status_line(f"{says} {_how_far(job)}".strip(), label, "simulation.run", job, no_effect=done)
        bar = st.empty()
    return bar.progress if job.going else None


def _how_far(job: Job[Simulation]) -> str:
    if job.part is None:
        before = " Still showing the run before, whose settings stand in the line below." if SHOWN in st.session_state else ""
        return f"**Not run yet.**{before}"
    run = job.part.run
    if job.ready:
        return "" if preset_of(run.study) else "These settings have been run."
    far = f"{count(run.done)} of {count(run.study.setting.scenarios)} scenarios"
    at = f" at each of {count(len(run.selections))} points" if len(run.selections) > 1 else ""
    if job.going:
        return f"**Running:** {far}{at}."
    return f"**Stopped** after {far}{at}; these are kept and shown."


def go_on(study: Study, job: Job[Simulation], bar: Bar | None) -> None:
    """Some more at the end of the page."""
    job.go_on(_work(study), bar, SLICE)

"""Long work while somebody waits: it is started, says how far it is, is stopped, keeps what is done and goes on from there."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import RLock
from typing import Any, Generic, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from metrics import InputError
from metrics.results.words import percent
from pages.shared import parts, session_cache

MOST_KEPT = 24
"""Jobs of one kind that a session keeps with their results."""
SLOW, EVERY = 0.7, 0.1
"""Seconds until work is worth a bar, and between two moves of one."""
PATIENCE = 10
"""Seconds to wait for what stopped work has to hand over: longer than a step of it nearly always takes."""
Part = TypeVar("Part")
Bar = Callable[..., object]
"""Takes the share that is done and a `text`, as `progress` of an element does."""


class Job(Generic[Part]):
    """One piece of long work of a session, by what was asked for.

    A click interrupts the run of the script where the work moves its bar, and the page is drawn anew while that run still hands
    over what it has. So one run at a time does the work, and what a stopped job has is asked for once it is handed over.

    Attributes
    ----------
    state : {"new", "going", "stopped", "ready"}
        A job that is new waits for its button.
    failure : str
        Why the work could not be done, if so; it is stopped then.
    """

    def __init__(self, jobs: dict[str, Job[Part]], key: str, *, going: bool = True, most: int | None = None) -> None:
        self.key, self.failure = key, ""
        self.state: Literal["new", "going", "stopped", "ready"] = "going" if going else "new"
        # Once the script is interrupted, the session can no longer be asked for its jobs.
        self._jobs, self._most = jobs, most
        self._part: Part | None = None
        self._lock = RLock()

    @classmethod
    def of(cls, name: str, key: str, *, going: bool = True, most: int | None = None) -> Job[Part]:
        """Return the job that the session knows, or a new one, which it keeps from its start on.

        Parameters
        ----------
        name : str
            Under which the session keeps all jobs of a kind.
        key : str
            All that the result rests on.
        going : bool
            Whether a new one starts by itself.
        most : int, optional
            Jobs of this kind that the session keeps; default: `MOST_KEPT`.
        """
        jobs = session_cache.held(name)
        return jobs[key] if key in jobs else cls(jobs, key, going=going, most=most)

    @property
    def going(self) -> bool:
        return self.state == "going"

    @property
    def stopped(self) -> bool:
        return self.state == "stopped"

    @property
    def ready(self) -> bool:
        return self.state == "ready"

    @property
    def part(self) -> Part | None:
        """What is done so far."""
        if self.stopped and self._lock.acquire(timeout=PATIENCE):
            self._lock.release()
        return self._part

    def start(self, *, more: bool = False) -> None:
        """Let it go, or go on; a job that is ready only where there is `more` to do than there was."""
        if more or not self.ready:
            self.state, self.failure = "going", ""
            self._keep()

    def stop(self) -> None:
        if self.going:
            self.state = "stopped"

    def _keep(self) -> None:
        session_cache.put(self._jobs, self.key, self, self._most or MOST_KEPT)

    def run(self, work: Work[Part], bar: Bar | None = None, *, seconds: float | None = None, after: float = 0.0) -> None:
        """Do some of the work if it is going, from what is done on, and keep what it returns.

        Parameters
        ----------
        work : callable
            Given what is done, if anything, and its `Progress`; returns what is done then.
        bar : callable, optional
            What the work moves.
        seconds : float, optional
            After which it is told to return, to go on later; by default it goes through.
        after : float
            Seconds until the bar moves.
        """
        with self._lock:
            if not self.going:
                return
            self._keep()
            progress = Progress(self, bar, seconds, after)
            try:
                self._part = work(self._part, progress)
            except InputError as error:
                self.state, self.failure = "stopped", str(error)
            else:
                if not progress.ended:
                    self.state = "ready"
        if progress.interruption:
            raise progress.interruption

    def go_on(self, work: Work[Part], bar: Bar | None, seconds: float | None = None) -> None:
        """Do some more at the end of the page, so that everything else is there meanwhile; then the page is drawn again.

        Parameters
        ----------
        work, bar, seconds
            See `run`.
        """
        if self.going:
            self.run(work, bar, seconds=seconds)
            st.rerun()

    def wait(self, work: Work[Part], text: str = "", key: str = "") -> Part:
        """Do the work where its result is needed. Where it takes long, a bar shows how far it is.

        Parameters
        ----------
        work : callable
            See `run`.
        text : str, optional
            What stands above the bar, beside a button that stops the work; without it the bar stands alone.
        key : str, optional
            Of the button.

        Raises
        ------
        InputError
            Of the work, each time.
        """
        slot = st.empty()
        if self.part is None and not self.failure:
            self.start()
        if self.going:
            self.run(work, self._late_bar(slot, text, key), after=SLOW)
            slot.empty()
        if self.failure:
            raise InputError(self.failure)
        result = self.part
        assert result is not None
        return result

    def _late_bar(self, slot: DeltaGenerator, above: str, key: str) -> Bar:
        """Return a bar that is there from its first move on."""
        bar = None if above else slot

        def move(share: float, text: str) -> None:
            nonlocal bar
            if bar is None:
                with slot.container(border=True):
                    status_line(above, "", key, self)
                    bar = st.empty()
            bar.progress(share, text=text)

        return move


class Progress:
    """How far the work of a job is, which the work says now and then.

    Attributes
    ----------
    ended : bool
        Whether the work was told to return before it was done.
    interruption : exception or None
        Of the script by a click, held back until the work has handed over what it has.
    """

    def __init__(self, job: Job[Any], bar: Bar | None, seconds: float | None = None, after: float = 0.0) -> None:
        now = time.monotonic()
        self.ended = False
        self.interruption: BaseException | None = None
        self._job, self._bar, self._next_move = job, bar, now + after
        self._end = None if seconds is None else now + seconds

    def __call__(self, share: float, text: str = "", part: object = None) -> bool:
        """Keep what is done, move the bar, and return whether the work is to return.

        Parameters
        ----------
        share : float
            Of the whole that is done; at 1 there is nothing to stop any more.
        text : str, optional
            Beside the bar; by default the share.
        part : object, optional
            What is done, where the work has it before it returns.
        """
        if part is not None:
            self._job._part = part
        if self.ended and self.interruption:
            raise self.interruption
        now = time.monotonic()
        self._move(now, min(share, 1.0), text)
        late = self._end is not None and now > self._end
        self.ended = share < 1 and (self.interruption is not None or late or not self._job.going)
        return self.ended

    def _move(self, now: float, share: float, text: str) -> None:
        if self._bar is None or now < self._next_move:
            return
        self._next_move = now + EVERY
        try:
            self._bar(share, text=text or percent(share))
        except BaseException as interruption:
            self.interruption = interruption


Work = Callable[[Part | None, Progress], Part | None]


def status_line(text: str, label: str, key: str, *jobs: Job[Any], no_effect: str | None = None) -> None:
    """Say how far jobs are, beside one button that stops them while they are going and else, with this label, starts them.

    Parameters
    ----------
    text, label : str
    key : str
        Of the button.
    *jobs : Job
        All in the state of the first.
    no_effect : str, optional
        Why there is nothing to start.
    """
    label, act = ("Stop", Job.stop) if jobs[0].going else (label, Job.start)
    parts.line_with_button(text, label, key, _each, act, jobs, no_effect=no_effect)
    for failure in dict.fromkeys(job.failure for job in jobs if job.failure):
        parts.refused(InputError(failure))


def _each(act: Callable[[Job[Any]], None], jobs: tuple[Job[Any], ...]) -> None:
    for job in jobs:
        act(job)

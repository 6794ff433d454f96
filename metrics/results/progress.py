"""How far long work is, said while somebody waits: on the terminal of a command, and in a notebook."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TextIO

from metrics.asker import asker

Share = Callable[[], float]
Tell = Callable[[float], None]
QUIET, EVERY = 1.0, 0.5
"""Seconds after which something is said, and between two looks at how far it is."""
WIDEST = 72
CLEARED, BLANKED = "\r\x1b[K", f"\r{' ' * WIDEST}\r"
"""What takes the line back: on a terminal, and in a notebook, which knows no more than where a line begins."""


def in_notebook() -> bool:
    """Return whether Python runs behind a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


@contextmanager
def shown(doing: str, quiet: float = QUIET, every: float = EVERY) -> Iterator[Tell | None]:
    """Yield what takes the share of some work that is done, and show it; None where nobody looks on.

    A page of the dashboard has a bar of its own, and a script is left in peace.

    Parameters
    ----------
    doing : str
        The work, in a word or two: "Bootstrap".
    quiet, every : float
        Seconds until something is said, and between two looks.
    """
    stream = _looked_at()
    if stream is None:
        yield None
        return
    share = math.nan

    def take(done: float) -> None:
        nonlocal share
        share = done

    with Steps(doing, stream, quiet, every, of="") as steps:
        steps.watch(lambda: share)
        yield take


def part(tell: Tell, place: int, parts: int) -> Tell:
    """Return what takes the share of one part of some work in so many equal ones.

    Parameters
    ----------
    tell : callable
        Takes the share of the whole.
    place : int
        Of the part, from 0.
    parts : int
    """
    return lambda share: tell((place + share) / parts)


def _looked_at() -> TextIO | None:
    if asker() == "command":
        return sys.stderr if sys.stderr.isatty() else None
    return sys.stdout if asker() == "python" and in_notebook() else None


class Steps:
    """Steps that are done, a line each; where somebody looks on, one more line says how long it takes, and how far it is."""

    def __init__(
        self, doing: str, stream: TextIO | None = None, quiet: float = QUIET, every: float = EVERY, of: str = " of this step"
    ) -> None:
        self._doing, self._stream = doing, stream or sys.stderr
        self._cleared = CLEARED if self._stream.isatty() else BLANKED if in_notebook() else ""
        self._start, self._quiet, self._every, self._of = time.monotonic(), quiet, every, of
        self._said = False
        self._share: Share | None = None
        self._ended, self._writing = threading.Event(), threading.Lock()
        self._watch = threading.Thread(target=self._keep_saying, daemon=True) if self._cleared else None

    def __enter__(self) -> Steps:
        if self._watch is not None:
            self._watch.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        if self._watch is not None:
            self._watch.join()
            if self._said:
                self._write("")

    def watch(self, share: Share) -> None:
        """Take what says the share of the step at hand that is done; NaN or below 0 where it cannot tell."""
        self._share = share

    def write_step(self, line: str) -> None:
        """Write that a step is done."""
        if self._late:
            self._write(f"{line}\n")

    @property
    def _late(self) -> bool:
        return time.monotonic() - self._start > self._quiet

    def _keep_saying(self) -> None:
        while not self._ended.wait(self._every):
            if self._late:
                share = math.nan if self._share is None else self._share()
                done = f" · {share:.0%}{self._of}".replace("%", " %") if 0 <= share <= 1 else ""
                self._said = True
                self._write(f"{self._doing} · {time.monotonic() - self._start:.0f} s{done}")

    def _write(self, text: str) -> None:
        with self._writing:
            self._stream.write(self._cleared + text)
            self._stream.flush()

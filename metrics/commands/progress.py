"""What a long command says on stderr while it runs."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

Share = Callable[[], float]
QUIET, EVERY = 1.0, 0.5
"""Seconds after which something is said, and between two looks at how far it is."""
CLEARED = "\r\x1b[K"


class Steps:
    """Steps that are done, a line each; on a terminal one more line says how long it takes, and how far the step at hand is."""

    def __init__(self, doing: str, stream: TextIO | None = None, quiet: float = QUIET, every: float = EVERY) -> None:
        self._doing, self._stream = doing, stream or sys.stderr
        self._start, self._quiet, self._every = time.monotonic(), quiet, every
        self._share: Share | None = None
        self._ended, self._writing = threading.Event(), threading.Lock()
        self._watch = threading.Thread(target=self._keep_saying, daemon=True) if self._stream.isatty() else None

    def __enter__(self) -> Steps:
        if self._watch is not None:
            self._watch.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        if self._watch is not None:
            self._watch.join()
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
                done = f" · {share:.0%} of this step".replace("%", " %") if 0 <= share <= 1 else ""
                self._write(f"{self._doing} · {time.monotonic() - self._start:.0f} s{done}")

    def _write(self, text: str) -> None:
        with self._writing:
            self._stream.write(text if self._watch is None else CLEARED + text)
            self._stream.flush()

"""Servers that run while a test does."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def running(command: Sequence[str], *, end: signal.Signals = signal.SIGTERM, **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process that is asked to end, and made to when it does not."""
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.send_signal(end)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

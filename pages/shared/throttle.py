"""When a bar appears while somebody waits, and how often it moves."""

from __future__ import annotations

import time

SLOW, EVERY = 0.7, 0.1
"""Seconds until work is worth a bar, and between two moves of one."""


class Pace:
    """True now and then: not before `after` seconds, and not more often than a bar should move."""

    def __init__(self, after: float = 0.0) -> None:
        self._next = time.monotonic() + after

    def due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + EVERY
        return True

"""Classes that follow a teacher: where each is and what it bets, in the memory of this server alone, for some hours.

Nobody has a name: who opens the link of a class is a random token that stays with their session.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from metrics import InputError

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""What a code is made of: nothing that is read for another letter."""
LONG = 8
MOST_CLASSES, MOST_PEOPLE, MOST_BETS, MOST_OPTIONS, MOST_LETTERS = 200, 500, 60, 6, 4000
LASTS, IDLE = 4 * 3600.0, 3600.0
"""Seconds that a class lasts at most, and without a word from its teacher."""
FULL = "This server holds as many classes as it can. Try again in an hour, or teach without one."
GONE = "This class is over, or its code was mistyped. Ask your teacher for the link."


@dataclass
class Lesson:
    """A class: what opens it to its teacher, the address of its step, and what was bet."""

    key: str
    opened: float
    heard: float
    address: dict[str, str] = field(default_factory=dict)
    turn: int = 0
    bets: dict[str, dict[str, int]] = field(default_factory=dict)


class Classrooms:
    """All classes of a server. Every call is safe from many threads, and bounded in time and size."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now, self._lock = now, threading.Lock()
        self._classes: dict[str, Lesson] = {}

    def open(self) -> tuple[str, str]:
        """Open a class; return the code that its link names, and the key that only its teacher has.

        Raises
        ------
        InputError
            Where there are too many.
        """
        with self._lock:
            self._sweep()
            if len(self._classes) >= MOST_CLASSES:
                raise InputError(FULL)
            code, now = _random(), self._now()
            while code in self._classes:
                code = _random()
            self._classes[code] = Lesson(secrets.token_urlsafe(16), now, now)
            return code, self._classes[code].key

    def show(self, code: str, key: str, address: Mapping[str, str]) -> bool:
        """Put the teacher's step before the class; return whether it is theirs and still there."""
        with self._lock:
            lesson = self._of_teacher(code, key)
            if lesson is None or sum(map(len, (*address, *address.values()))) > MOST_LETTERS:
                return False
            lesson.heard = self._now()
            if lesson.address != dict(address):
                lesson.address, lesson.turn = dict(address), lesson.turn + 1
            return True

    def seen(self, code: str) -> tuple[int, dict[str, str]] | None:
        """Return how often the teacher has turned the page, and where the class is; None where there is no such class."""
        with self._lock:
            self._sweep()
            lesson = self._classes.get(code)
            return None if lesson is None else (lesson.turn, dict(lesson.address))

    def bet(self, code: str, question: str, person: str, option: int) -> bool:
        """Count a bet; the first of a person counts. Return whether there is such a class with room for it."""
        with self._lock:
            lesson = self._classes.get(code)
            if lesson is None or not 0 <= option < MOST_OPTIONS:
                return False
            if question not in lesson.bets and len(lesson.bets) >= MOST_BETS:
                return False
            placed = lesson.bets.setdefault(question[:100], {})
            if person not in placed and len(placed) >= MOST_PEOPLE:
                return False
            placed.setdefault(person, option)
            return True

    def tally(self, code: str, question: str, options: int) -> list[int]:
        """Return how many bet on each option."""
        with self._lock:
            lesson = self._classes.get(code)
            placed = [] if lesson is None else list(lesson.bets.get(question[:100], {}).values())
        return [placed.count(option) for option in range(options)]

    def close(self, code: str, key: str) -> None:
        """End a class, and forget all of it."""
        with self._lock:
            if self._of_teacher(code, key) is not None:
                del self._classes[code]

    def _of_teacher(self, code: str, key: str) -> Lesson | None:
        self._sweep()
        lesson = self._classes.get(code)
        return lesson if lesson is not None and secrets.compare_digest(lesson.key, key) else None

    def _sweep(self) -> None:
        now = self._now()
        for code, lesson in list(self._classes.items()):
            if now - lesson.opened > LASTS or now - lesson.heard > IDLE:
                del self._classes[code]


def _random() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LONG))

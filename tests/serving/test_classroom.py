"""Classes that follow a teacher: who may show, who is counted, and that everything ends."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from metrics import InputError
from pages.shared.teaching.classroom import (
    IDLE,
    LASTS,
    LETTERS,
    LONG,
    MOST_BETS,
    MOST_CLASSES,
    MOST_LETTERS,
    MOST_OPTIONS,
    MOST_PEOPLE,
    Classrooms,
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(clock: Clock) -> Classrooms:
    return Classrooms(clock)


def test_students_see_the_step_that_the_teacher_alone_may_turn(rooms: Classrooms) -> None:
    code, key = rooms.open()
    assert len(code) == LONG
    assert set(code) <= set(LETTERS)
    assert rooms.seen(code) == (0, {})
    assert rooms.show(code, key, {"lab_step": "1b"})
    assert rooms.seen(code) == (1, {"lab_step": "1b"})
    assert not rooms.show(code, "guessed", {"lab_step": "7d"})
    assert rooms.show(code, key, {"lab_step": "1b"})
    assert rooms.seen(code) == (1, {"lab_step": "1b"}), "the same step is no new turn"
    assert rooms.seen("nobody") is None


def test_a_class_ends_after_its_hours_after_silence_and_by_its_teacher(rooms: Classrooms, clock: Clock) -> None:
    silent, _ = rooms.open()
    long, key = rooms.open()
    while clock.now + IDLE / 2 <= LASTS:
        assert rooms.show(long, key, {"turn": str(clock.now)})
        clock.now += IDLE / 2
    assert rooms.seen(silent) is None
    assert rooms.seen(long) is not None
    clock.now = LASTS + 1
    assert rooms.seen(long) is None
    assert not rooms.show(long, key, {})
    code, key = rooms.open()
    rooms.close(code, "guessed")
    assert rooms.seen(code) is not None
    rooms.close(code, key)
    assert rooms.seen(code) is None


def test_the_first_bet_of_a_person_counts_and_nobody_is_named(rooms: Classrooms) -> None:
    code, _ = rooms.open()
    for person, option in (("a", 0), ("a", 1), ("b", 1), ("c", 1)):
        assert rooms.bet(code, "1a", person, option)
    assert rooms.tally(code, "1a", 2) == [1, 2]
    assert rooms.tally(code, "1b", 2) == [0, 0]
    assert not rooms.bet(code, "1a", "d", MOST_OPTIONS)
    assert not rooms.bet(code, "1a", "d", -1)
    assert not rooms.bet("nobody", "1a", "d", 0)


def test_everything_is_bounded(rooms: Classrooms) -> None:
    code, key = rooms.open()
    assert not rooms.show(code, key, {"lab_a": "1" * MOST_LETTERS})
    for place in range(MOST_PEOPLE):
        assert rooms.bet(code, "1a", str(place), 0)
    assert not rooms.bet(code, "1a", "one too many", 0)
    for place in range(MOST_BETS - 1):
        assert rooms.bet(code, f"q{place}", "a", 0)
    assert not rooms.bet(code, "one too many", "a", 0)
    for _ in range(MOST_CLASSES - 1):
        rooms.open()
    with pytest.raises(InputError, match="as many classes"):
        rooms.open()


def test_bets_of_a_whole_class_at_once_are_all_counted(rooms: Classrooms) -> None:
    code, _ = rooms.open()
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda place: rooms.bet(code, "1a", str(place), place % 3), range(300)))
    assert all(done)
    assert rooms.tally(code, "1a", 3) == [100, 100, 100]

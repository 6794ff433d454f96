"""While a file is read Python does not look for cycles, and does so again afterwards, whatever came of the file."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import suppress
from threading import Barrier, Thread

import pytest

from metrics import InputError
from metrics.readers import open_table, opening


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Yield whether the search was on, each time a table was looked at."""
    states: list[bool] = []
    before = opening._as_ratings
    monkeypatch.setattr(opening, "_as_ratings", lambda table: states.append(gc.isenabled()) or before(table))
    yield states
    gc.enable()


@pytest.mark.parametrize("data", [b"item,human,judge\na,yes,no\n", b"item,human\na,yes,no\n", b"", b'[{"a": 1}, 2]'])
def test_the_search_is_on_again_after_a_file_is_read_or_refused(data: bytes, seen: list[bool]) -> None:
    with suppress(InputError):
        open_table(data)
    assert gc.isenabled()
    assert not any(seen)


def test_a_search_that_was_off_stays_off(seen: list[bool]) -> None:
    gc.disable()
    open_table(b"item,human,judge\na,yes,no\n")
    assert seen == [False]
    assert not gc.isenabled()


def test_the_search_is_off_until_the_last_of_two_readers_is_done(seen: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    met, done, inner = Barrier(2), Barrier(2), opening._as_ratings

    def slow(table: object) -> object:
        met.wait(10)
        if table.name == "slow":  # type: ignore[attr-defined]
            done.wait(10)
            seen.append(gc.isenabled())
        return inner(table)  # type: ignore[arg-type]

    monkeypatch.setattr(opening, "_as_ratings", slow)
    threads = [Thread(target=open_table, args=(b"item,human,judge\na,yes,no\n", name)) for name in ("slow", "quick")]
    for thread in threads:
        thread.start()
    threads[1].join(10)
    assert not gc.isenabled()
    done.wait(10)
    threads[0].join(10)
    assert gc.isenabled()
    assert seen == [False] * 3

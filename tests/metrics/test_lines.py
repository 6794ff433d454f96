"""Tables as lines of a terminal: what stands beside each other can be told apart, however large it is."""

from __future__ import annotations

import pytest

from metrics.results.tables import Column, Table, lines
from metrics.results.words import count


@pytest.mark.parametrize("n", [1, 608_033, 9_160_765, 10**12])
def test_large_counts_do_not_touch(n: int) -> None:
    columns = Column("name", "text"), Column("n", "count"), Column("errors", "count")
    table = Table("own", "", columns, (("tone", n, n), ("facts", 2, 3)))
    head, first, second = lines(table, (-10, 7, 7))
    assert f" {count(n)} " in f"{first} "
    assert first.count(f" {count(n)}") == 2
    assert len({len(line) for line in (head, first, second)}) == 1


def test_small_counts_stand_where_they_stood() -> None:
    table = Table("own", "", (Column("name", "text"), Column("n", "count")), (("tone", 12),))
    assert lines(table, (-10, 7)) == ["name            n", "tone           12"]

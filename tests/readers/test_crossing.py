"""Item and criterion found by content: only where one pair of columns can be they."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics import InputError
from metrics.readers import propose
from metrics.readers.crossing import criterion_of, item_and_criterion_of
from metrics.readers.opening import open_table
from metrics.readers.settled import settled
from metrics.readers.table import TextTable


def table(head: str, rows: list[str]) -> TextTable:
    return open_table("\n".join([head, *rows]).encode(), "own.csv")


def crossed(n: int = 20, criteria: tuple[str, ...] = ("tone", "facts"), more: str = "") -> list[str]:
    return [
        f"k{i},{c}{more.format(i=i)},{'yes' if i % 3 else 'no'},{'yes' if (i + len(c)) % 4 else 'no'}"
        for i in range(n)
        for c in criteria
    ]


def test_an_id_with_a_row_for_each_value_of_another_column() -> None:
    found = table("key,part,mine,its", crossed())
    assert item_and_criterion_of(found, [], ["key", "part"], ["key", "part"]) == ("key", "part")
    assert criterion_of(found, ["key"], ["part"]) == "part"


def test_a_column_that_belongs_to_the_item_is_not_its_criterion() -> None:
    found = table("key,part,language,mine,its", crossed(more=",l{i}"))
    assert item_and_criterion_of(found, [], ["key", "part"], ["key", "part"]) == ("key", "part")
    assert criterion_of(found, ["key"], ["language"]) is None


@pytest.mark.parametrize("twice", [True, False])
def test_two_pairs_of_columns_leave_it_open(twice: bool) -> None:
    rows = [f"k{i},{c},{c * 2 if twice else c},yes,no" for i in range(9) for c in ("a", "b")]
    found, free = table("key,part,same,mine,its", rows), ["key", "part", "same"]
    assert item_and_criterion_of(found, [], free, free) is None
    assert item_and_criterion_of(found, [], free, ["part"]) == ("key", "part")


def test_ids_of_one_row_have_no_criterion() -> None:
    rows = [f"k{i},{'ab'[i % 2]},yes,no" for i in range(20)]
    found = table("key,part,mine,its", rows)
    assert criterion_of(found, ["key"], ["part"]) is None
    assert item_and_criterion_of(found, [], ["key", "part"], ["key", "part"]) is None


@pytest.mark.parametrize(("left_out", "is_found"), [(1, True), (4, True), (8, False)])
def test_a_few_rows_may_be_missing(left_out: int, is_found: bool) -> None:
    rows = crossed(n=20)
    kept = [row for place, row in enumerate(rows) if place not in set(np.arange(left_out) * 5)]
    assert (item_and_criterion_of(table("key,part,mine,its", kept), [], ["key", "part"], ["key", "part"]) is not None) == is_found


def test_a_guessed_item_that_repeats_is_asked_about() -> None:
    data = table("id,part,human,verdict", crossed())
    proposal = propose(data, None, None)
    assert dict(proposal.columns) == {"human": "human", "verdict": "verdict", "item": "id", "criterion": "part"}
    assert not settled(data, proposal)
    alike = table("id,human,verdict", [f"k{i // 2},{'yes' if i % 3 else 'no'},yes" for i in range(20)])
    assert not settled(alike, propose(alike, None, None))


def test_a_judge_on_every_item_is_no_criterion() -> None:
    rows = [f"k{i},{judge},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'}" for i in range(12) for judge in ("one", "two")]
    assert "criterion" not in dict(propose(table("item,judge,human,verdict", rows), None, None).columns)


def whole(head: str, rows: list[str]) -> bytes:
    return "\n".join([head, *rows]).encode()


def test_a_judge_that_says_what_was_judged_is_told_how_to_be_the_criterion() -> None:
    rows = [f"q{i},{judge},{'yes' if place else 'no'},yes" for i in range(9) for place, judge in enumerate(("toxic", "tone"))]
    data = whole("item,judge,human,verdict", rows)
    with pytest.raises(InputError, match="If ‘judge’ says what was judged, and not by whom: columns="):
        metrics.read(data)
    kept = metrics.read(data, columns={"criterion": "judge"}, labels={"yes": "positive", "no": "negative"})
    assert len(kept.criteria) == 2


@pytest.mark.parametrize("second", ["", "yes", "Yes"])
def test_people_s_label_stands_once_for_an_item_however_it_is_spelled(second: str) -> None:
    rows = [row for i in range(9) for row in (f"q{i},v1,yes,yes", f"q{i},v2,{second},no")] + ["r,v1,no,no", "r,v2,no,no"]
    assert len(metrics.read(whole("item,judge,human,verdict", rows)).judges) == 2

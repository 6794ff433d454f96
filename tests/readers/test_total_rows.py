"""Rows below the others that sum them up are left out and listed; an item called so stays where it is one of many."""

from __future__ import annotations

import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose


def file(*below: tuple[str, str, str], n: int = 20) -> bytes:
    rows = [f"q{k},{'yes' if k % 2 else 'no'},{'yes' if k % 3 else 'no'}" for k in range(n)]
    return "\n".join(["id,human,judge", *rows, *map(",".join, below)]).encode()


@pytest.mark.parametrize(
    "below",
    [
        [("Total", "10", "13")], [("Majority", "yes", "yes")], [("Mean", "0.5", "0.65"), ("SD", "0.5", "0.48")],
        [("Total yes", "10", "13"), ("% yes", "50 %", "65 %")], [("Summe:", "10", "13")], [("Median", "no", "yes")],
    ],
    ids=str,
)  # fmt: skip
def test_rows_that_sum_up_are_no_items_and_are_listed(below: list[tuple[str, str, str]]) -> None:
    ratings = metrics.read(file(*below), columns=propose(open_table(file(*below))).columns_answer)
    plain = metrics.read(file(), columns=propose(open_table(file())).columns_answer)
    assert ratings.n_items == 20
    assert ratings.left_out.counts() == {"a row that sums up the others": len(below)}
    assert ratings.source.rows == 20 + len(below)
    assert any(f"left out: ‘{below[0][0]}’" in note for note in ratings.source.notes)
    assert ratings.labels == plain.labels
    assert (ratings.label == plain.label).all()


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"id": ["total", *"abcdefghij"], "human": "yes", "judge": "no"}),
        pd.DataFrame({"id": [*"abcd", "total"], "human": "yes", "judge": "no"}),
        pd.DataFrame({"id": [f"{c}" for c in "abcdefgh"] + ["totally fine"], "human": "yes", "judge": "no"}),
        pd.DataFrame({"criterion": ["tone"] * 10 + ["overall"] * 10, "item": [*range(10)] * 2, "human": "yes", "verdict": "no"}),
    ],
    ids=["first", "of few", "another word", "a criterion of many rows"],
)
def test_other_rows_stay(frame: pd.DataFrame) -> None:
    assert open_table(frame).n_rows == len(frame)

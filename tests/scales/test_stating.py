"""A scale that was seen and taken is stated; what it was read with gives the same ratings again."""

from __future__ import annotations

import io

import numpy as np
import pytest

import metrics
from metrics.data.scales import scales_of, with_scales_stated
from metrics.readers import build, confirmed, open_table, propose, read_as
from tests.checklist.opened import ASSETS, REAL
from tests.shared_data import data


def file_of(judge: list[str], human: list[str]) -> str:
    """Twelve items, the labels of both sides in turn."""
    rows = [f"i{i},j,{human[i % len(human)]},{judge[i % len(judge)]}" for i in range(12)]
    return "\n".join(["item,judge,human,verdict", *rows])


FILES = {
    "preferences": file_of(["A", "B", "tie"], ["A", "B"]),
    "words": file_of(["red", "blue", "green"], ["red", "blue"]),
    "grades": file_of(["0", "1", "2"], ["0", "1", "2", "3"]),
}
CODES = ("item", "criterion", "rater", "label", "state")


def taken(source: object, name: str) -> metrics.Ratings:
    table = open_table(source, name)
    return with_scales_stated(build(table, confirmed(propose(table))))


def same(one: metrics.Ratings, other: metrics.Ratings) -> bool:
    codes = all(
        np.array_equal(getattr(one, key), getattr(other, key)) for key in ("item", "criterion", "rater", "label", "state")
    )
    return codes and one.labels == other.labels and one.scheme.classes == other.scheme.classes


@pytest.mark.parametrize("name", FILES)
def test_what_labels_leave_open_is_stated_and_read_again(name: str) -> None:
    data = FILES[name].encode()
    ratings = taken(io.BytesIO(data), f"{name}.csv")
    assert all(its.is_given for its in scales_of(ratings).criteria)
    assert dict(ratings.source.how.scale)
    again = read_as(io.BytesIO(data), ratings.source.how, f"{name}.csv")
    assert same(ratings, again)
    assert scales_of(again).criteria == scales_of(ratings).criteria


def test_what_labels_settle_is_left_alone() -> None:
    ratings = metrics.read(ASSETS / "support_answers.csv")
    assert with_scales_stated(ratings) is ratings


@pytest.mark.parametrize("name", REAL)
def test_real_files_are_read_again_as_they_were_taken(name: str) -> None:
    path = data(f"{name}.csv")
    ratings = taken(path, path.name)
    assert same(ratings, read_as(path, ratings.source.how))
    assert all(its.settled for its in scales_of(ratings).criteria)

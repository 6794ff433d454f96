"""Tables of counts: grids, pairs of labels with a number, typed tables."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.readers import from_counts, read

pytestmark = pytest.mark.usefixtures("as_command")


def accounted(ratings: Ratings) -> bool:
    return ratings.rows_used + len(ratings.left_out.rows) == ratings.source.rows


def counted(ratings: Ratings) -> dict[tuple[str, str], int]:
    half = len(ratings.item) // 2
    assert ratings.multiplicity is not None
    pairs = zip(ratings.label[:half], ratings.label[half:], ratings.multiplicity, strict=True)
    return {(ratings.labels[a], ratings.labels[b]): int(n) for a, b, n in pairs}


COUNTS = {("Pass", "Pass"): 41, ("Pass", "Fail"): 9, ("Fail", "Pass"): 6, ("Fail", "Fail"): 44}


@pytest.mark.parametrize(
    "text",
    [
        "human \\ judge,Pass,Fail\nPass,41,9\nFail,6,44\n",
        "judge \\ human,Pass,Fail\nPass,41,6\nFail,9,44\n",
        "human,Pass,Fail,Total\nPass,41,9,50\nFail,6,44,50\nTotal,47,53,100\n",
        "human,judge,n\nPass,Pass,41\nPass,Fail,9\nFail,Pass,6\nFail,Fail,44\n",
        ",judge: Pass,judge: Fail\nhuman: Pass,41,9\nhuman: Fail,6,44\n",
    ],
)
def test_counts(text: str) -> None:
    ratings = read(text.encode())
    assert counted(ratings) == COUNTS
    assert ratings.scheme.classes == ("Pass", "Fail")
    assert ratings.table is None
    assert not ratings.has_items
    assert accounted(ratings)


def test_counts_of_an_unnamed_corner_ask() -> None:
    text = b",Pass,Fail\nPass,41,9\nFail,6,44\n"
    with pytest.raises(InputError, match=r"whether its rows are the human or the judge.*--columns rows=human"):
        read(text)
    assert counted(read(text, columns={"rows": "human"})) == COUNTS
    assert counted(read(text, columns={"rows": "judge"}))["Fail", "Pass"] == 9


def test_counts_of_many_classes_with_abstention() -> None:
    ratings = read(b"human \\ judge,1,2,3,NA\n1,5,1,0,1\n2,2,6,1,0\n3,0,1,7,0\nNA,1,0,0,2\n")
    assert ratings.scheme.classes == ("1", "2", "3")
    assert ratings.scheme.of("abstention") == ("NA",)


@pytest.mark.parametrize(
    ("text", "message", "row"),
    [
        ("human \\ judge,Pass,Fail,Total\nPass,41,9,51\nFail,6,44,50\n", "says 51, but the cells add up to 50", 2),
        ("human,judge,n\nPass,Pass,41\nPass,Pass,9\nFail,Fail,44\n", "Add them up", 3),
        ("human,judge,n\nPass,Pass,41\nPass,Fail,-9\nFail,Fail,44\n", "no count", 3),
        ("human,judge,n\nPass,Pass,0\nPass,Fail,0\n", "add up to 0", None),
    ],
)
def test_counts_refused(text: str, message: str, row: int | None) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(text.encode())
    assert caught.value.row == row


def test_counts_of_one_class_are_refused_as_rows_of_one_are() -> None:
    for text in (b"human,judge,n\nyeno,yeno,7\n", b"item,human,verdict\n1,yeno,yeno\n2,yeno,yeno\n"):
        with pytest.raises(InputError, match="one label only, ‘yeno’, as a class of its own"):
            read(text, labels={"yeno": "class"})


def test_typed_counts() -> None:
    ratings = from_counts([[41, 9], [6, 44]], ["Pass", "Fail"], name="typed")
    assert counted(ratings) == COUNTS
    assert ratings.source.name == "typed"
    named = from_counts([[1, 2], [3, 4]], ["spam", "ham"])
    assert named.scheme.classes == ("spam", "ham")
    many = from_counts([[1, 2, 0], [3, 4, 0], [1, 0, 9]], ["low", "mid", "high"], order=["low", "mid", "high"])
    assert many.scheme.classes == ("low", "mid", "high")
    for bad in ([[1, 2]], [[1, -2], [3, 4]], [[1, 2.5], [3, 4]], [[1, np.nan], [3, 4]]):
        with pytest.raises(InputError):
            from_counts(bad, ["a", "b"])


@pytest.mark.parametrize("cell", [1 << 53, 1 << 61, 1 << 62, 1e30])
def test_counts_whose_sum_would_not_be_exact_are_refused(cell: float) -> None:
    with pytest.raises(InputError, match="which cannot be counted exactly"):
        from_counts([[cell, cell], [cell, cell]], ["MET", "UNMET"])


@pytest.mark.parametrize("index", ["", "index", "Unnamed: 0"])
def test_numbers_of_rows_beside_counts_are_no_items(index: str) -> None:
    data = f"{index},human,judge,count\n0,yes,yes,20\n1,yes,no,3\n2,no,no,7\n".encode()
    assert metrics.agreement(metrics.read(data, columns={"n": "count"})).judges["judge"].micro.n == 30

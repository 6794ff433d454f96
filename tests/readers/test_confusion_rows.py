"""Tables of TP, FP, FN and TN, one row for each criterion."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import metrics
from metrics import InputError
from metrics.readers import open_table

ROWS = {"tone": (40, 5, 3, 52), "facts": (30, 0, 8, 62)}


def table(head: str = "criterion,TP,FP,FN,TN", extra: str = "", **rows: tuple[int, ...]) -> bytes:
    lines = [f"{name},{','.join(map(str, counts))}{extra}" for name, counts in (rows or ROWS).items()]
    return "\n".join([head, *lines]).encode()


def kappa(counts: tuple[int, ...]) -> float:
    return float(cohen_kappa_score(np.repeat([1, 0, 1, 0], counts), np.repeat([1, 1, 0, 0], counts)))


@pytest.mark.parametrize(
    ("head", "extra"),
    [
        ("criterion,TP,FP,FN,TN", ""),
        ("Label,true_positives,false_positives,false_negatives,true_negatives", ""),
        ("metric,tp,fp,fn,tn,precision,F1", ",0.89,"),
    ],
)
def test_each_row_is_a_criterion(head: str, extra: str) -> None:
    ratings = metrics.read(table(head, extra))
    assert (ratings.criteria, ratings.n_items) == (tuple(ROWS), 200)
    report = metrics.agreement(ratings).judges["judge"]
    for name, counts in ROWS.items():
        assert report.criteria[name].estimates["kappa"].value == pytest.approx(kappa(counts))
    pooled = tuple(map(sum, zip(*ROWS.values(), strict=True)))
    assert report.level("micro").estimates["kappa"].value == pytest.approx(kappa(pooled))


def test_one_row_needs_no_criterion() -> None:
    ratings = metrics.read(b"fp,tp,tn,fn\n5,40,52,3\n")
    estimates = metrics.agreement(ratings).judges["judge"].level("micro").estimates
    assert estimates["kappa"].value == pytest.approx(kappa(ROWS["tone"]))


def test_a_last_row_of_sums_is_left_out() -> None:
    total = tuple(map(sum, zip(*ROWS.values(), strict=True)))
    ratings = metrics.read(table(**ROWS, total=total))
    assert (ratings.criteria, ratings.n_items) == (tuple(ROWS), 200)
    assert any("the sum of the others, is left out" in note for note in ratings.source.notes)


def test_several_judges_are_told_to_be_saved_apart() -> None:
    with pytest.raises(InputError, match="save the rows of each judge as a file of its own"):
        metrics.read(table("judge,TP,FP,FN,TN"))
    assert metrics.read(table("judge,TP,FP,FN,TN", gpt=ROWS["tone"])).judges == ("gpt",)


@pytest.mark.parametrize(
    "data",
    [
        b"threshold,TP,FP,FN,TN\n0.1,40,5,3,52\n0.5,30,9,8,53\n", b"criterion,TP,FP,FN,TN\ntone,40,5,3,52\ntone,30,9,8,53\n",
        b"criterion,TP,FP,FN,TN\ntone,.4,.1,.1,.4\n", b"criterion,TP,FP,FN\ntone,4,1,1\n",
        b"criterion,TP,FP,FN,TN\ntone,0,0,0,0\n",
    ],
)  # fmt: skip
def test_what_counts_no_decisions_of_criteria_stays_as_it_is(data: bytes) -> None:
    assert open_table(data).merged is None

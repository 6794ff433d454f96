"""Ordered labels cut in two: against the same file with yes and no written into it."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.analyses.scores.binarised import SWEPT, cut_sweep
from metrics.errors import InputError
from tests.made_files import JUDGE, graded, numbers
from tests.shared_data import data

FOUR = ("1", "2", "3", "4")


@pytest.fixture(scope="module", params=["made up", "llmrubric_real_ordinal.csv"])
def text(request) -> str:
    return graded() if request.param == "made up" else data(request.param).read_text("utf-8")


@pytest.fixture(scope="module")
def ratings(text) -> metrics.Ratings:
    return metrics.read(text.encode(), order=FOUR)


@pytest.fixture(scope="module")
def report(ratings) -> metrics.ScoresReport:
    return metrics.scores(ratings)


def written_as_yes_and_no(text: str, tmp_path: Path, cut: int) -> metrics.Ratings:
    def named(label: str) -> str:
        return label if label == "NA" else "MET" if int(label) >= cut else "UNMET"

    path = tmp_path / f"cut{cut}.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["item_id", "criterion", "judge", "human", "verdict"])
        for row in csv.DictReader(text.splitlines()):
            writer.writerow([row["item_id"], row["criterion"], row["judge"], named(row["human"]), named(row["verdict"])])
    return metrics.read(path)


@pytest.mark.slow("every cut in every mode")
def test_every_cut_is_what_agreement_says_of_yes_and_no(text, tmp_path, ratings, report) -> None:
    (judge,) = ratings.judges
    found = cut_sweep(ratings, report, judge)
    assert [(cut.place, cut.label) for cut in found.cuts] == [(1, "2"), (2, "3"), (3, "4")]
    for cut in found.cuts:
        its = metrics.agreement(written_as_yes_and_no(text, tmp_path, int(cut.label))).judges[judge]
        blocks = {None: its.micro, **its.criteria}
        for criterion, wanted in blocks.items():
            block = cut.block(criterion)
            assert block.confusion.tolist() == wanted.confusion.tolist()
            for key in SWEPT:
                assert block.values[key] == pytest.approx(wanted.values[key], nan_ok=True)
                assert (block[key].ends is None) == (wanted[key].ends is None)
                assert block[key].ends is None or block[key].ends == pytest.approx(wanted[key].ends, abs=1e-12)
        for key in SWEPT:
            assert cut.blocks.mean.values[key] == pytest.approx(its.macro.values[key], nan_ok=True)
            assert cut.blocks.mean[key].ends == pytest.approx(its.macro[key].ends, abs=1e-9)
        assert cut.blocks.mean["kappa"].of == its.macro["kappa"].of


def test_the_best_cut_is_the_lowest_of_equals_and_none_where_nothing_is_defined(build_of_tables) -> None:
    kinds = dict.fromkeys(("1", "2", "3"), "class")
    even = np.diag([5, 5, 5])
    silent = np.diag([0, 6, 0])
    ratings = build_of_tables(even, silent, kinds=kinds, labels=("1", "2", "3"))
    found = cut_sweep(ratings, metrics.scores(ratings), "j")
    assert found.best("kappa", "c0").label == "2"
    assert found.best("kappa", "c1") is None
    assert [cut.label for cut in found.largest("kappa", "c0")] == ["2", "3"]
    assert found.largest("kappa", "c1") == ()
    assert found.cuts[0].block("c1").undefined["kappa"] == "both sides give only 2 or above"
    assert found.at("3").place == 2
    with pytest.raises(InputError, match="No threshold is at '1'. Thresholds: 2, 3".replace(".", r"\.")):
        found.at("1")


def test_choices_of_the_report_hold_at_every_cut(build_paired) -> None:
    kinds = {"1": "class", "2": "class", "3": "class", "NA": "abstention"}
    ratings = build_paired([["1"], ["2"], ["NA"], ["3"]], [["1"], ["NA"], ["1"], ["3"]], kinds=kinds)
    excluded = cut_sweep(ratings, metrics.scores(ratings, interval="none"), "j")
    assert excluded.cuts[0].blocks.pooled.confusion.tolist() == [[1, 0], [0, 1]]
    assert excluded.cuts[0].blocks.pooled.intervals == {}
    lowest = cut_sweep(ratings, metrics.scores(ratings, abstention="as_unmet", interval="none"), "j")
    assert lowest.cuts[0].blocks.pooled.confusion.tolist() == [[1, 1], [0, 2]]


def test_what_cannot_be_cut(ratings, report) -> None:
    means = metrics.read(numbers().encode(), scale="continuous")
    with pytest.raises(InputError, match="Only ordered labels can be cut in two"):
        cut_sweep(means, metrics.scores(means, interval="none"), JUDGE)
    with pytest.raises(InputError, match="No judge is called 'x'"):
        cut_sweep(ratings, report, "x")

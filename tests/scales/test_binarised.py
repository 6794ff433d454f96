"""Ordered labels cut in two: against the same file with yes and no written into it."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.analyses.scores.binarised import SWEPT, binarised, cut_sweep
from metrics.analyses.scores.readings_two import cut_reading
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


def test_tables_add_up_at_every_cut() -> None:
    counts = np.random.default_rng(1).integers(0, 9, (2, 5, 4, 4)).astype(float)
    for place in (1, 2, 3):
        table = binarised(counts, place)
        assert table.shape == (2, 5, 2, 2)
        np.testing.assert_array_equal(table.sum((-2, -1)), counts.sum((-2, -1)))
        np.testing.assert_array_equal(table[..., 0, 0], counts[..., place:, place:].sum((-2, -1)))
        np.testing.assert_array_equal(table[..., 0, 1], counts[..., place:, :place].sum((-2, -1)))
    for place in (0, 4):
        with pytest.raises(ValueError, match="lies from 1 to 3"):
            binarised(counts, place)


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


def test_what_the_cuts_say_of_a_published_rubric() -> None:
    ratings = metrics.read(data("llmrubric_real_ordinal.csv"), order=FOUR)
    said = cut_reading(cut_sweep(ratings, metrics.scores(ratings), "gpt-3.5-turbo-16k"))
    assert said.startswith("Across thresholds, κ runs from −0.07 [−0.09, −0.04] (4 or above) to 0.04 [0.00, 0.08] (3 or above)")
    assert "the human says 3 or above in 70\u00a0% and the judge in 84\u00a0%" in said.replace("reference", "human")


def test_what_cuts_without_a_number_say(build_of_tables) -> None:
    none = build_of_tables(np.diag([0, 6, 0]), kinds=dict.fromkeys("123", "class"), labels=("1", "2", "3"))
    empty = cut_sweep(none, metrics.scores(none, order=("1", "2", "3")), "j")
    assert (
        cut_reading(empty) == "κ is undefined at every threshold: both sides give only 2 or above; both sides give only below 3."
    )

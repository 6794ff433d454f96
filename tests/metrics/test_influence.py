"""Pooling taken apart: published numbers, brute force without a criterion and without an item, and the words both ways."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.analyses.multiverse.pooling import (
    Influence,
    Pooling,
    influence_reading,
    influences,
    levels_reading,
    most_moving,
    pooling,
    pooling_reading,
)
from metrics.analyses.multiverse.tables import levels_table
from metrics.analyses.settings import settings_of
from metrics.measures.coefficients import cohen_kappa, kappa_within
from metrics.measures.transforms import Interval, student
from metrics.results.estimate import Estimate
from metrics.results.tables import in_full
from tests.conftest import of_tables, paired

ROOT = Path(__file__).resolve().parents[2]
TWO = st.lists(st.lists(st.integers(0, 12), min_size=4, max_size=4), min_size=2, max_size=4)


def taken_apart(ratings: metrics.Ratings, **choices) -> tuple[Pooling, metrics.JudgeReport]:
    its = settings_of(ratings, **choices)
    judge = its.judges[0]
    report = metrics.agreement(ratings, **choices).judges[judge]
    return pooling(ratings, judge, its, report), report


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


def test_two_criteria_of_the_paper_with_the_right_numbers(published):
    expected = published["rao.sec5.1.matched_tables"]["expected"]
    found, report = taken_apart(metrics.read(ROOT / "assets/rao_two_criteria.csv"))
    assert found.micro == pytest.approx(expected["micro_kappa"], abs=1e-12)
    assert found.macro == pytest.approx(expected["macro_kappa"], abs=1e-12)
    assert [block.values["kappa"] for block in report.criteria.values()] == pytest.approx(
        [expected["kappa_A"], expected["kappa_B"]]
    )
    assert report.micro.values["accuracy"] == pytest.approx(expected["micro_accuracy"], abs=1e-12)
    assert report.micro.values["expected_agreement"] == pytest.approx(expected["micro_p_e"], abs=1e-12)
    assert report.item.values["kappa"] == pytest.approx(expected["item_kappa_conjunction_independent"], abs=0.02)
    assert found.verdict == "lifted"


@pytest.mark.parametrize(("weights", "key"), [({"A": 0.7, "B": 0.3}, "0.7A_0.3B"), ({"A": 0.3, "B": 0.7}, "0.3A_0.7B")])
def test_the_items_of_the_paper_by_weight(published, weights, key):
    expected = published["rao.sec5.1.matched_tables"]["expected"][f"item_kappa_weighted_{key}_thr0.5"]
    ratings = metrics.read(ROOT / "assets/rao_two_criteria.csv")
    report = metrics.agreement(ratings, item_rule="threshold", threshold=0.5, weights=weights, interval="none")
    assert report.judges["judge"].item.values["kappa"] == pytest.approx(expected, abs=1e-12)


def test_two_criteria_at_chance_pool_to_agreement():
    found, report = taken_apart(metrics.read(ROOT / "assets/pooled_at_chance.csv"))
    assert [block.values["kappa"] for block in report.criteria.values()] == pytest.approx([0, 0], abs=1e-12)
    assert [block.values["prevalence"] for block in report.criteria.values()] == pytest.approx([0.8, 0.05])
    assert (round(found.micro, 3), found.within, found.macro) == (0.575, pytest.approx(0, abs=1e-12), pytest.approx(0, abs=1e-12))
    assert found.between == pytest.approx(found.micro)
    assert found.verdict == "lifted"
    said = pooling_reading(found)
    assert "micro κ, 0.58, is 0.58 higher than κ within criteria, 0.00" in said
    assert "MET on 5\u00a0% of B and on 80\u00a0% of A" in said


@given(TWO)
@settings(max_examples=60, deadline=None)
def test_micro_is_within_times_between(cells):
    tables = np.array(cells, float).reshape(-1, 2, 2)
    if not tables.sum() or any(not table.sum() for table in tables):
        return
    found, _ = taken_apart(of_tables(*tables.astype(int), labels=("MET", "UNMET")), interval="none")
    if not found.difference.defined:
        assert found.verdict == "undefined"
        return
    assert 1 - found.micro == pytest.approx((1 - found.within) * (1 - found.between), abs=1e-9)
    drawn = np.stack([np.outer(table.sum(1), table.sum(0)) / table.sum() for table in tables])
    assert found.between == pytest.approx(float(cohen_kappa(drawn.sum(0))), abs=1e-9)


def test_the_difference_has_the_interval_of_leaving_items_out(sample):
    found, _ = taken_apart(sample, judges=["cautious"])
    item, criterion, human, judge = decisions(sample, "cautious")
    names = np.unique(item)
    apart = []
    for left in names:
        kept = item != left
        tables = np.zeros((5, 2, 2))
        np.add.at(tables, (criterion[kept], human[kept], judge[kept]), 1)
        apart.append(float(cohen_kappa(tables.sum(0)) - kappa_within(tables)))
    n = len(names)
    error = math.sqrt((n - 1) / n * np.sum((np.array(apart) - np.mean(apart)) ** 2))
    half = student(n - 1, 0.95) * error
    assert found.difference.ends == pytest.approx((found.difference.value - half, found.difference.value + half), abs=1e-12)


def decisions(ratings: metrics.Ratings, judge: str):
    """Item, criterion and both verdicts of every decision that both made."""
    from metrics.data.pairs import cells_of, reference_states, verdicts

    cells, human, said = cells_of(ratings), reference_states(ratings, "majority"), verdicts(ratings, judge, "judge")
    both = (human < 2) & (said < 2)
    return cells.item[both], cells.criterion[both], human[both], said[both]


@pytest.mark.parametrize("metric", ["kappa", "accuracy", "kappa_within", "drift", "phi"])
def test_influence_is_the_report_without_the_criterion(sample, metric):
    report = metrics.agreement(sample, judges=["strict"], interval="none").judges["strict"]
    moved = influences(report, metric)
    assert [one.without for one in moved] == sorted(one.without for one in moved)
    assert {one.criterion for one in moved} == set(sample.criteria)
    _, criterion, human, judge = decisions(sample, "strict")
    for one in moved:
        place = sample.criteria.index(one.criterion)
        kept = criterion != place
        tables = np.zeros((5, 2, 2))
        np.add.at(tables, (criterion[kept], human[kept], judge[kept]), 1)
        record = metrics.BY_KEY[metric]
        value = record.function(np.delete(tables, place, axis=0) if record.takes == "criteria" else tables.sum(0))
        assert one.without == pytest.approx(float(value), abs=1e-12)
        assert one.change == pytest.approx(one.without - report.micro.values[metric], abs=1e-12)
        assert one.n == int((criterion == place).sum())


def test_one_criterion_has_no_influence_and_nothing_to_pool():
    ratings = metrics.read(ROOT / "assets/rao_balanced.csv")
    report = metrics.agreement(ratings).judges["judge"]
    assert influences(report, "kappa") == ()
    assert pooling(ratings, "judge", settings_of(ratings), report) is None


def lowered() -> metrics.Ratings:
    """The human says MET where the judge rarely does, and the other way round."""
    return of_tables([[40, 40], [2, 18]], [[18, 2], [40, 40]], labels=("MET", "UNMET"))


def alike() -> metrics.Ratings:
    return of_tables([[40, 10], [12, 38]], [[41, 9], [11, 39]], labels=("MET", "UNMET"))


def test_the_warning_speaks_in_both_directions_and_is_silent_without_a_difference():
    lifted, _ = taken_apart(of_tables([[64, 16], [16, 4]], [[1, 4], [4, 91]], labels=("MET", "UNMET")))
    below, _ = taken_apart(lowered())
    same, _ = taken_apart(alike())
    assert (lifted.verdict, below.verdict, same.verdict) == ("lifted", "lowered", "same")
    assert "higher than κ within" in pooling_reading(lifted)
    assert "Pooling credits the judge" in pooling_reading(lifted)
    assert "lower than κ within" in pooling_reading(below)
    assert "do not follow the human’s" in pooling_reading(below)
    assert pooling_reading(same).startswith("pooling makes no difference that shows")


def test_a_difference_that_does_not_show_or_may_be_noise_is_no_warning():
    lifted, _ = taken_apart(of_tables([[64, 16], [16, 4]], [[1, 4], [4, 91]], labels=("MET", "UNMET")))
    assert replace(lifted, difference=Estimate(lifted.difference.value, Interval(-0.01, 0.9, "jackknife"))).verdict == "same"
    assert replace(lifted, difference=Estimate(lifted.difference.value, Interval(0.01, 0.9, "jackknife"))).verdict == "lifted"
    assert replace(lifted, difference=Estimate(lifted.difference.value)).verdict == "lifted"
    assert (
        replace(lifted, micro=0.5004, within=0.4996, difference=Estimate(0.0008, Interval(0.0001, 0.001, "jackknife"))).verdict
        == "same"
    )
    assert replace(lifted, difference=Estimate(-0.2, Interval(-0.3, -0.1, "jackknife"))).verdict == "lowered"
    assert replace(lifted, difference=Estimate(math.nan)).verdict == "undefined"


def test_undefined_pooling_is_said():
    flat = paired([["MET", "MET"]] * 4, [["MET", "MET"]] * 4)
    found, report = taken_apart(flat)
    assert found.verdict == "undefined"
    assert "undefined" in pooling_reading(found)
    moved = influences(report, "kappa")
    assert all(math.isnan(one.without) and one.reason for one in moved)
    assert influence_reading(moved, "kappa", math.nan).startswith("κ is undefined without any one")


def test_nobody_decides():
    silent = paired([["CA", "CA"]] * 4, [["MET", "UNMET"]] * 4)
    found, report = taken_apart(silent)
    assert found.verdict == "undefined"
    assert "undefined at every level" in levels_reading(report, "kappa")


def test_influence_reading_both_ways(sample):
    ratings = metrics.read(ROOT / "assets/rao_two_criteria.csv")
    report = metrics.agreement(ratings, interval="none").judges["judge"]
    moved = influences(report, "kappa")
    assert influence_reading(moved, "kappa", report.micro.values["kappa"]) == (
        "A holds micro up most: without it, κ is 0.20 instead of 0.89."
    )
    down = of_tables([[45, 5], [5, 45]], [[5, 45], [45, 5]], labels=("MET", "UNMET"))
    report = metrics.agreement(down, interval="none").judges["j"]
    said = influence_reading(influences(report, "kappa")[1:], "kappa", report.micro.values["kappa"])
    assert said == "c1 holds micro down most: without it, κ is 0.80 instead of 0.00."
    both = influence_reading(influences(report, "kappa"), "kappa", report.micro.values["kappa"])
    assert both == "without c0, micro κ is −0.80, without c1 0.80, instead of 0.00."
    equal = of_tables([[40, 10], [10, 40]], [[40, 10], [10, 40]], labels=("MET", "UNMET"))
    report = metrics.agreement(equal, interval="none").judges["j"]
    said = influence_reading(influences(report, "kappa"), "kappa", report.micro.values["kappa"])
    assert said == "no single criterion moves micro κ: it stays 0.60 without any one of them."


def test_criteria_that_move_it_alike_are_named_together():
    report = metrics.agreement(metrics.read(ROOT / "assets/pooled_at_chance.csv"), interval="none").judges["judge"]
    said = influence_reading(influences(report, "kappa"), "kappa", report.micro.values["kappa"])
    assert said == "without any one of the criteria, micro κ is 0.00 instead of 0.58."


def test_most_moving_keeps_the_order(sample):
    report = metrics.agreement(sample, judges=["strict"], interval="none").judges["strict"]
    moved = influences(report, "kappa")
    two = most_moving(moved, 2)
    assert [one.criterion for one in moved if one in two] == [one.criterion for one in two]
    rest = [abs(one.change) for one in moved if one not in two]
    assert min(abs(one.change) for one in two) >= max(rest)
    assert most_moving(moved, 99) == moved


def test_levels_reading_says_how_far_apart(sample):
    report = metrics.agreement(sample, judges=["cautious"]).judges["cautious"]
    values = [report.level(level).values["kappa"] for level in ("micro", "macro", "item")]
    said = levels_reading(report, "kappa")
    assert all(f"{value:.2f} counting every" in said for value in values)
    assert f"{max(values) - min(values):.2f} apart" in said
    one = metrics.agreement(metrics.read(ROOT / "assets/rao_balanced.csv")).judges["judge"]
    assert "at every level that has one: counting does not matter here. Item is undefined" in levels_reading(one, "kappa")
    assert levels_reading(report, "kappa_within").count("counting every") == 1


def test_levels_table_has_every_number(sample):
    report = metrics.agreement(sample, judges=["cautious"]).judges["cautious"]
    moved = influences(report, "kappa")
    table = in_full(levels_table(report, "kappa", moved))
    assert table["what"][:4] == ["micro", "κ within criteria", "macro", "item"]
    assert table["value"][1] == report.micro.values["kappa_within"]
    assert (table["low"][0], table["high"][0]) == report.micro["kappa"].ends
    assert table["what"][4:] == [f"micro without {one.criterion}" for one in moved]
    assert {len(column) for column in table.values()} == {9}
    assert "κ within criteria" not in in_full(levels_table(report, "accuracy", moved))["what"]


@pytest.mark.parametrize(("tied", "who"), [(2, "c0 or c1"), (3, "c0 or c1 or c2"), (5, "any one of c0, c1, c2 and 2 more")])
def test_criteria_that_move_it_alike_are_all_counted(tied, who):
    moved = [Influence(f"c{i}", 0.5, -0.2, 10, 0.5) for i in range(tied)] + [Influence("last", 0.7, 0.0, 10, 0.5)]
    assert influence_reading(tuple(moved), "kappa", 0.7) == f"without {who}, micro κ is 0.50 instead of 0.70."


def test_levels_and_pooling_that_hardly_differ_do_not_lie_nothing_apart(sample):
    report = metrics.agreement(sample, judges=["cautious"], interval="none").judges["cautious"]
    near = {level: 0.474 + 0.001 * place for place, level in enumerate(("micro", "macro", "item"))}
    blocks = {level: replace(report.level(level), estimates={"kappa": Estimate(value)}) for level, value in near.items()}
    assert ": less than 0.01 apart, each the answer" in levels_reading(replace(report, **blocks), "kappa")
    lifted, _ = taken_apart(of_tables([[64, 16], [16, 4]], [[1, 4], [4, 91]], labels=("MET", "UNMET")))
    close = replace(lifted, micro=0.476, within=0.474, difference=Estimate(0.002, Interval(0.001, 0.003, "jackknife")))
    assert "micro κ, 0.48, is less than 0.01 higher than κ within criteria, 0.47" in pooling_reading(close)

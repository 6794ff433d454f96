"""J within criteria beside J pooled over them: when they disagree, and what the pages with pooled rates then refuse."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.comparison.levels import PooledJ, pooled_j, pooled_j_of, youden_within
from metrics.analyses.judge_selection import readings as judge_selection_readings
from metrics.analyses.judge_selection.golden import golden_tables
from metrics.analyses.judge_selection.ranking import rank_judges
from metrics.analyses.settings import settings_of
from metrics.analyses.true_rate.compute import compare_rates, correct_prevalence
from metrics.analyses.true_rate.measured import measured
from metrics.data.ratings import Ratings
from metrics.measures.coefficients import kappa_within
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

EASY, HARD = [[80, 20], [80, 20]], [[20, 80], [20, 80]]
GUESS = [[[81, 9], [9, 1]], [[1, 9], [9, 81]]]
SEES = [[[81, 9], [2, 8]], [[8, 2], [9, 81]]]
BACKWARDS = [[[81, 9], [10, 0]], [[0, 10], [9, 81]]]
SINGLE = [[[60, 3], [0, 0]], [[0, 0], [3, 60]]]


def of_tables(tables: list[list[list[int]]], judge: str = "j") -> pd.DataFrame:
    """One row per decision; an item has one decision on every criterion."""
    rows = []
    for place, table in enumerate(tables):
        cells = [(h, j) for h in range(2) for j in range(2) for _ in range(table[h][j])]
        order = np.random.default_rng(place).permutation(len(cells))
        label = ("MET", "UNMET")
        rows += [(f"i{i}", f"c{place}", judge, label[cells[at][0]], label[cells[at][1]]) for i, at in enumerate(order)]
    return pd.DataFrame(rows, columns=["item", "criterion", "judge", "human", "verdict"])


def read(tables: list[list[list[int]]]) -> Ratings:
    return metrics.read(of_tables(tables))


def readings(tables: list[list[list[int]]]) -> PooledJ:
    ratings = read(tables)
    found = pooled_j_of(judge_report(ratings, "j", settings_of(ratings)), 0.95)
    assert found is not None
    return found


def test_within_is_the_mean_of_the_criteria_weighted_by_how_far_both_labels_occur() -> None:
    assert float(youden_within([EASY, HARD])) == 0.0
    tables = np.array([[[30, 10], [5, 15]], [[4, 6], [2, 28]]], float)
    j = [table[0, 0] / table[0].sum() - table[1, 0] / table[1].sum() for table in tables]
    weight = [table.sum(1).prod() / table.sum() for table in tables]
    assert float(youden_within(tables)) == pytest.approx(np.average(j, weights=weight))
    assert np.isnan(youden_within(SINGLE))
    one_label = np.concatenate([tables, [[[9, 1], [0, 0]]]])
    assert float(youden_within(one_label)) == pytest.approx(float(youden_within(tables)))


def test_within_has_the_sign_of_kappa_within() -> None:
    rng = np.random.default_rng(5)
    for tables in rng.integers(0, 30, (200, 3, 2, 2)):
        assert np.sign(round(float(youden_within(tables)), 9)) == np.sign(round(float(kappa_within(tables)), 9))


@pytest.mark.parametrize(
    ("tables", "disagree"), [(GUESS, True), (BACKWARDS, True), (SINGLE, True), (SEES, False), ([EASY, EASY], False)]
)
def test_when_the_readings_disagree(tables: list[list[list[int]]], disagree: bool) -> None:
    found = readings(tables)
    assert found.disagree is disagree
    assert bool(found.why) is disagree


def test_the_sentence_gives_both() -> None:
    assert readings(GUESS).why.startswith("Pooled over criteria J is 0.64 [")
    assert ", within criteria 0.00 [" in readings(GUESS).why
    assert readings(SINGLE).why.endswith("within criteria J is undefined: on each criterion the reference gives one label only.")


def test_one_label_on_few_decisions_says_nothing_of_the_criterion() -> None:
    tables = np.array([[[3, 0], [0, 0]], [[0, 0], [0, 3]]] * 8, float)
    found = pooled_j(tables, Estimate(1.0, Interval(0.8, 1.0, "jackknife")), None, 0.95)
    assert found is not None
    assert not found.disagree


def test_one_criterion_and_three_classes_have_one_reading() -> None:
    assert pooled_j(np.array([EASY], float), Estimate(0.0), None, 0.95) is None
    assert pooled_j(np.array([EASY, np.zeros((2, 2))], float), Estimate(0.0), None, 0.95) is None
    assert pooled_j(np.ones((2, 3, 3)), Estimate(0.0), None, 0.95) is None


def test_the_golden_set_of_a_ranking_has_the_readings_of_the_report() -> None:
    for tables in (GUESS, SEES):
        ratings = read(tables)
        (golden,) = golden_tables(ratings, settings_of(ratings))
        assert golden.pooling is not None
        for own, other in ((golden.pooling.pooled, readings(tables).pooled), (golden.pooling.within, readings(tables).within)):
            assert (own.b, own.difference.ends) == (pytest.approx(other.b), pytest.approx(other.difference.ends))
    assert golden_tables(ratings, settings_of(ratings), "c0")[0].pooling is None


@pytest.mark.parametrize(("tables", "named"), [(GUESS, False), (BACKWARDS, False), (SINGLE, False), (SEES, True)])
def test_a_judge_contradicted_within_criteria_is_not_chosen(tables: list[list[list[int]]], named: bool) -> None:
    ranking = rank_judges(read(tables))
    (judge,) = ranking.order
    assert (ranking.named is not None) is named
    assert np.isfinite(judge.answers.value) is np.bool_(named)
    assert (judge.answers.ends is not None) is named
    assert ranking.to_dict()["best"] == ("j" if named else None)
    told = " ".join((judge_selection_readings.reading(ranking), *judge_selection_readings.warnings(ranking)))
    assert ("the readings of J disagree on j" in told) is not named
    assert bool(re.search(r"pooled over criteria J is 0\.\d\d \[.*\], within criteria", told)) is not named
    assert ("so no judge is named the best" in told) is not named
    assert "inverted" not in told
    assert ("answers per model" in told) is named


def test_one_criterion_of_a_contradicted_judge_is_judged_by_itself() -> None:
    ranking = rank_judges(read(GUESS), criterion="c0")
    assert ranking.named is not None
    assert "nterval of J includes 0" in " ".join(judge_selection_readings.warnings(ranking))


@pytest.mark.parametrize(("tables", "refused"), [(GUESS, True), (SINGLE, True), (SEES, False)])
def test_pooled_rates_correct_nothing_where_criteria_contradict_them(tables: list[list[list[int]]], refused: bool) -> None:
    ratings = read(tables)
    own = measured(ratings, "j", settings_of(ratings))
    found = correct_prevalence(60, 100, own.golden)
    assert bool(found.undefined) is refused
    assert ("Choose one criterion." in found.undefined) is (tables is GUESS)
    assert found.undefined.endswith("Label items with the other label on each criterion.") is (tables is SINGLE)
    assert bool(compare_rates((60, 100), (40, 100), own.golden).difference.undefined) is refused
    assert (
        "within criteria" not in correct_prevalence(60, 100, measured(ratings, "j", settings_of(ratings), "c0").golden).undefined
    )

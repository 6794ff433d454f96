"""Few cases in one table: how far an end reaches, and how often the intervals of a nearly perfect judge then cover the truth."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln
from statsmodels.stats.proportion import proportion_confint

import metrics
from metrics.intervals.rare_events import is_few, rare_mean, tail, widened
from metrics.intervals.single_table import dirichlet_quantiles, jeffreys, share, single_table, wilson
from metrics.measures.catalogue import applicable

KEYS = ("kappa", "phi", "accuracy", "f1", "balanced_accuracy", "precision")
FUNCTIONS = {metric.key: metric.function for metric in applicable(2, "table") if metric.key in KEYS}
N = 20


@pytest.mark.parametrize("count", [1, 2, 3])
def test_as_many_events_or_more_are_rare_under_the_mean(count: int) -> None:
    assert stats.poisson.sf(count - 1, rare_mean(count, 0.95)) == pytest.approx(0.05, abs=1e-12)
    assert stats.gamma(count + 0.5).cdf(rare_mean(count, 0.95)) == pytest.approx(tail(count, 100, 0.95), abs=1e-12)
    assert 0 < tail(count, 100, 0.95) < 0.025


@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_at_no_confidence_is_an_interval_of_few_narrower_than_a_plain_one(count: int, confidence: float) -> None:
    low, high = jeffreys(count, 97, confidence)
    plain = stats.beta(count + 0.5, 97.5).ppf([(1 - confidence) / 2, (1 + confidence) / 2])
    assert low <= plain[0] + 1e-12
    assert high >= plain[1] - 1e-12


def test_none_and_many_are_not_few() -> None:
    assert [is_few(count, 50) for count in range(5)] == [False, True, True, False, False]
    assert [is_few(count, 51) for count in range(5)] == [False, True, True, True, False]
    assert tail(0, 30, 0.95) == tail(9, 30, 0.95) == pytest.approx(0.025)


def test_only_the_end_on_the_side_of_the_few_moves() -> None:
    plain = wilson(29, 30, 0.95)
    low, high = widened(*plain, 29, 30, 0.95)
    assert low == plain[0]
    assert high == pytest.approx(1 + np.log(0.95) / 30)
    assert widened(*wilson(15, 30, 0.95), 15, 30, 0.95) == wilson(15, 30, 0.95)
    beta = stats.beta(29.5, 1.5)
    assert jeffreys(29, 1, 0.95)[0] == pytest.approx(beta.ppf(0.025))
    assert jeffreys(29, 1, 0.95)[1] > beta.ppf(0.975)


def test_wilson_asked_for_by_name_stays_plain() -> None:
    table = np.array([[10.0, 1.0], [0.0, 19.0]])
    assert share("accuracy", table, 0.95) == pytest.approx(proportion_confint(29, 30, method="wilson"))
    ratings = metrics.read(_file(table))
    own = metrics.agreement(ratings, interval="wilson").judges["judge"].criteria["overall"]
    default = metrics.agreement(ratings).judges["judge"].criteria["overall"]
    assert own["accuracy"].ends == pytest.approx(proportion_confint(29, 30, method="wilson"))
    assert default["accuracy"].ends[1] > own["accuracy"].ends[1]
    assert default.intervals["kappa"].note == "small cell: 1 of 30 in disagreement"


def test_a_class_without_an_error_does_not_draw_balanced_accuracy_down() -> None:
    found = single_table(
        np.array([[2.0, 0.0], [3.0, 45.0]]), FUNCTIONS, dict.fromkeys(KEYS, 0.9) | {"balanced_accuracy": 0.96875}, 0.95
    )
    specificity = jeffreys(45, 3, 0.95)[1]
    assert found["balanced_accuracy"].high == pytest.approx((1 + specificity) / 2)
    assert found["balanced_accuracy"].method == "dirichlet+mover"


def test_a_label_given_once_moves_the_lower_end_of_phi_alone() -> None:
    table = np.array([[1.0, 0.0], [2.0, 297.0]])
    found = single_table(table, FUNCTIONS, {key: float(function(table)) for key, function in FUNCTIONS.items()}, 0.95)
    plain = dirichlet_quantiles(table, FUNCTIONS, 0.95)
    assert found["phi"].low < plain["phi"][0]
    many = single_table(np.array([[1.0, 0.0], [9.0, 290.0]]), {"phi": metrics.phi}, {"phi": 0.3}, 0.95)
    assert many["phi"].note == "small cell: a label given 1 of 300 times"
    assert found["kappa"].low == plain["kappa"][0]


@cache
def likely_tables() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The 2 x 2 tables of N decisions with up to six disagreements, and both ends of every metric."""
    tables = [(a, b, c, N - a - b - c) for b, c in product(range(7), repeat=2) if b + c < 7 for a in range(N + 1 - b - c)]
    tables = np.array(tables, float)
    ends = {key: np.full((len(tables), 2), np.nan) for key in KEYS}
    for place, table in enumerate(tables.reshape(-1, 2, 2)):
        values = {key: float(function(table)) for key, function in FUNCTIONS.items()}
        for key, found in single_table(table, FUNCTIONS, values, 0.95).items():
            ends[key][place] = found.low, found.high
    return tables, ends


@pytest.mark.parametrize(("positive", "missed", "false_alarm"), list(product([0.1, 0.5], [0.003, 0.03], [0.003, 0.03])))
def test_exact_coverage_of_a_nearly_perfect_judge(positive: float, missed: float, false_alarm: float) -> None:
    """Summed over the tables that can come about, given that the value is defined; the others count as misses."""
    tables, ends = likely_tables()
    truth = np.array(
        [positive * (1 - missed), positive * missed, (1 - positive) * false_alarm, (1 - positive) * (1 - false_alarm)]
    )
    chance = np.exp(gammaln(N + 1) - gammaln(tables + 1).sum(1) + tables @ np.log(truth))
    for key, own in ends.items():
        target, defined = float(FUNCTIONS[key](truth.reshape(2, 2))), ~np.isnan(own[:, 0])
        held = defined & (own[:, 0] <= target) & (target <= own[:, 1])
        assert chance[held].sum() / (chance[defined].sum() + 1 - chance.sum()) >= 0.86, key


def _file(table: np.ndarray) -> bytes:
    pairs = [("MET", "MET"), ("MET", "UNMET"), ("UNMET", "MET"), ("UNMET", "UNMET")]
    rows = [pair for pair, count in zip(pairs, table.ravel().astype(int), strict=True) for _ in range(count)]
    return ("item,human,verdict\n" + "".join(f"{i},{human},{judge}\n" for i, (human, judge) in enumerate(rows))).encode()

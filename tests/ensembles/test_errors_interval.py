"""How sure the correlation of errors is: the jackknife done by hand, its guards, and how often the truth lies inside."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import t

from metrics.analyses.ensembles import errors_interval
from metrics.analyses.ensembles.errors import shared_errors
from metrics.analyses.ensembles.errors_interval import Shared, interval_of, items_wrong_together
from metrics.analyses.ensembles.verdict_matrix import VerdictMatrix, verdict_matrix_of


def by_hand(bench, places) -> float:
    own = bench.at(places)
    answered = own.labels >= 0
    wrong = (own.labels != own.reference[:, None]) & answered
    among = range(bench.n_judges)
    cov, var = [], []
    for a, b in itertools.combinations(among, 2):
        both = answered[:, a] & answered[:, b]
        x, y = wrong[both, a], wrong[both, b]
        cov.append((x & y).mean() - x.mean() * y.mean())
        var.append((x.var() + y.var()) / 2)
    return float(np.mean(cov) / np.mean(var))


def test_each_item_is_left_out_with_all_its_decisions(noisy) -> None:
    found, bench = shared_errors(noisy), verdict_matrix_of(noisy).judged()
    items = np.unique(bench.item)
    left = np.array([by_hand(bench, np.flatnonzero(bench.item != item)) for item in items])
    n = len(items)
    error = math.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    wrong = (bench.labels >= 0) & (bench.labels != bench.reference[:, None])
    erring = len(np.unique(bench.item[wrong.any(1)]))
    half = t.ppf(0.975, erring - 1) * error / (1 - found.correlation.value**2)
    centre = math.atanh(found.correlation.value)
    assert found.correlation.ends == pytest.approx((math.tanh(centre - half), math.tanh(centre + half)), rel=1e-9)


@pytest.mark.parametrize("criteria", [1, 2])
def test_the_derivative_is_near_what_leaving_out_gives(build_judged, monkeypatch, criteria) -> None:
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 2, 400)
    hard = rng.random((400 // criteria, 1)).repeat(criteria, 0) < 0.3
    wrong = rng.random((400, 4)) < np.where(hard, 0.4, 0.1)
    said = np.where(rng.random(wrong.shape) < 0.05, -1, np.where(wrong, 1 - truth[:, None], truth[:, None]))
    ratings = build_judged(truth.tolist(), said, criteria=criteria)
    exact = shared_errors(ratings).correlation.ends
    monkeypatch.setattr(errors_interval, "BLOCK", 1)
    assert shared_errors(ratings).correlation.ends == pytest.approx(exact, rel=1e-12)
    monkeypatch.setattr(errors_interval, "WORK", 0)
    short = shared_errors(ratings).correlation.ends
    assert short != exact
    assert short == pytest.approx(exact, abs=0.002)


def test_errors_that_never_meet_do_not_make_it_certain(build_judged) -> None:
    """Two judges with three errors each, on other items: without the guard ±0.05 around −0.11, which excludes 0."""
    truth = [0, 1] * 15
    said = np.array([truth, truth]).T.copy()
    said[:3, 0], said[3:6, 1] = 1 - said[:3, 0], 1 - said[3:6, 1]
    found = shared_errors(build_judged(truth, said))
    assert found.correlation.value == pytest.approx(-1 / 9)
    assert found.n_wrong_together == 0
    low, high = found.correlation.ends
    # one over the root of 30 items, and t with 6 items with an error
    half = t.ppf(0.975, 5) / math.sqrt(30) / (1 - found.correlation.value**2)
    assert (math.atanh(high) - math.atanh(low)) / 2 == pytest.approx(half)
    assert low < 0 < high


def test_no_interval_where_there_can_be_none(build_judged) -> None:
    truth = [0, 1] * 10
    same = np.array([truth, truth]).T.copy()
    same[:4] = 1 - same[:4]
    assert shared_errors(build_judged(truth, same)).correlation.ends is None
    one_item = shared_errors(build_judged(truth, np.array([truth, [1 - truth[0], *truth[1:]]]).T, criteria=20))
    assert (one_item.n_items, one_item.correlation.ends) == (1, None)
    bench = verdict_matrix_of(build_judged([0, 1], [[0, 1], [1, 1]])).judged()
    assert items_wrong_together(bench) == 0


@pytest.mark.parametrize(("judges", "n", "least"), [(2, 30, 0.93), (3, 30, 0.91), (5, 50, 0.91), (15, 50, 0.91)])
def test_it_covers_the_truth(judges, n, least) -> None:
    """Hard items for all: the truth is a covariance over a variance, known in closed form."""
    rng = np.random.default_rng(judges)
    share, rates = 0.25, np.array([0.45, 0.08])
    mean = share * rates[0] + (1 - share) * rates[1]
    truth = (share * rates[0] ** 2 + (1 - share) * rates[1] ** 2 - mean**2) / (mean * (1 - mean))
    hit = known = 0
    for _ in range(300):
        hard = rng.random(n) < share
        labels = (rng.random((n, judges)) < np.where(hard, *rates)[:, None]).astype(np.int16)
        nobody, item = np.zeros(n, np.int16), np.arange(n, dtype=np.int32)
        names = tuple(map(str, range(judges)))
        bench = VerdictMatrix(labels, labels, nobody, item, np.zeros(n, np.int32), names, ("right", "wrong"), "exclude")
        wrong, counted = labels.astype(float), ~np.eye(judges, dtype=bool)
        errs = np.repeat(wrong.sum(0)[:, None], judges, 1)
        shared = Shared.of(np.full((judges, judges), float(n)), errs, wrong.T @ wrong, counted)
        found = interval_of(bench, shared, counted, 0.95)
        if found is not None:
            known += 1
            hit += found.low <= truth <= found.high
    assert known > 280
    assert hit / known > least

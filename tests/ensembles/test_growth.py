"""How a panel grows: every size against panels made one by one, independence in closed form, draws and stops."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.analyses.ensembles.growth import panel_growth
from metrics.analyses.ensembles.panel import with_panel
from metrics.analyses.ensembles.verdict_matrix import kappa_slope
from metrics.measures.coefficients import cohen_kappa


@pytest.mark.parametrize("rule", ["majority", "unanimous", "any"])
@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_every_size_is_the_mean_over_panels_made_one_by_one(noisy, rule, mode) -> None:
    found = panel_growth(noisy, rule=rule, abstention=mode, sizes=[2, 3, 6])
    for size in found.sizes:
        assert size.exact
        assert size.n_panels == math.comb(6, size.size)
        kappa, coverage = [], []
        for members in itertools.combinations(noisy.judges, size.size):
            panel = with_panel(noisy, rule, members, name="p")
            micro = metrics.agreement(panel, judges=["p"], abstention=mode, interval="none").judges["p"].micro
            kappa.append(micro.values["kappa"])
            coverage.append(micro.n)
        assert size.kappa.value == pytest.approx(np.mean(kappa))
        assert size.coverage == pytest.approx(np.mean(coverage) / found.n_decisions)
        assert (size.low, size.high) == pytest.approx(tuple(np.quantile(kappa, [0.1, 0.9])))


def test_one_judge_is_a_panel_of_itself(noisy) -> None:
    found = panel_growth(noisy, sizes=[1])
    reports = metrics.agreement(noisy, interval="none").judges
    each = [reports[name].micro.values["kappa"] for name in found.judges]
    assert [own.value for own in found.alone] == pytest.approx(each)
    assert found.sizes[0].kappa.value == pytest.approx(np.mean(each))


def test_the_interval_is_the_jackknife_over_items(noisy) -> None:
    """The last size holds one panel: its interval is that of any judge, up to terms of order 1/n."""
    found = panel_growth(noisy, sizes=[6]).sizes[0]
    panel = with_panel(noisy, name="p")
    low, high = metrics.agreement(panel, judges=["p"], interval="jackknife").judges["p"].micro["kappa"].ends
    assert found.kappa.ends == pytest.approx((low, high), abs=0.02)


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_the_panel_of_all_has_the_interval_of_that_panel_as_a_judge(noisy, mode) -> None:
    last = panel_growth(noisy, abstention=mode).sizes[-1]
    name = "majority of 6 judges"
    own = metrics.agreement(metrics.with_panel(noisy), judges=[name], abstention=mode).judges[name].micro
    assert last.kappa.value == pytest.approx(own.values["kappa"])
    assert last.kappa.ends == pytest.approx(own.intervals["kappa"].ends)


@given(st.lists(st.integers(1, 9), min_size=9, max_size=9))
def test_slope_of_kappa_is_its_derivative(cells) -> None:
    table = np.array(cells, float).reshape(3, 3)
    slope, step = kappa_slope(table), 1e-6
    for row, column in itertools.product(range(3), range(3)):
        more, less = table.copy(), table.copy()
        more[row, column] += step
        less[row, column] -= step
        assert slope[row, column] == pytest.approx((cohen_kappa(more) - cohen_kappa(less)) / (2 * step), abs=1e-6)
    assert (slope * table).sum() == pytest.approx(0, abs=1e-9)


def test_independent_errors_grow_as_condorcet_says(build_judged) -> None:
    """Three judges right on 3 of 4 of each class: a majority of independent ones is right with 27/32."""
    truth = [0, 0, 0, 0, 1, 1, 1, 1]
    said = np.array([truth] * 3).T.copy()
    for judge, items in enumerate([(0, 4), (1, 5), (2, 6)]):
        for item in items:
            said[item, judge] = 1 - said[item, judge]
    found = panel_growth(build_judged(truth, said), sizes=[1, 3])
    one, three = found.sizes
    assert one.kappa.value == one.independent == pytest.approx(0.5)
    assert three.independent == pytest.approx(2 * 27 / 32 - 1)
    # they never err on the same item, so that the majority is always right: better than independent
    assert three.kappa.value == 1


def test_judges_that_are_one_judge_gain_nothing(build_judged) -> None:
    truth = [0, 0, 0, 1, 1, 1]
    same = [0, 0, 1, 1, 1, 0]
    found = panel_growth(build_judged(truth, np.array([same] * 5).T), sizes=[1, 3, 5])
    assert {size.kappa.value for size in found.sizes} == {found.sizes[0].kappa.value}
    assert found.sizes[2].independent > found.sizes[2].kappa.value + 0.2


def test_independence_against_all_outcomes(build_judged) -> None:
    """An even panel, judges of different rates: ties have no verdict, so rates are given that there is one."""
    truth = [0] * 6 + [1] * 6
    said = np.array([truth] * 4).T.copy()
    for judge, (missed, passed) in enumerate([(1, 2), (2, 1), (0, 3), (3, 0)]):
        said[:missed, judge], said[6 : 6 + passed, judge] = 1, 0
    tpr = [1 - missed / 6 for missed in (1, 2, 0, 3)]
    fpr = [passed / 6 for passed in (2, 1, 3, 0)]

    def positive(rates: list[float], yes, no) -> float:
        chance = {True: 0.0, False: 0.0}
        for outcome in itertools.product([0, 1], repeat=4):
            p = math.prod(rate if one else 1 - rate for rate, one in zip(rates, outcome, strict=True))
            if yes(sum(outcome)) or no(sum(outcome)):
                chance[yes(sum(outcome))] += p
        return chance[True] / (chance[True] + chance[False])

    rules = {
        "majority": (lambda n: n > 2, lambda n: n < 2),
        "unanimous": (lambda n: n == 4, lambda n: n == 0),
        "any": (lambda n: n > 0, lambda n: n == 0),
    }
    for rule, (yes, no) in rules.items():
        found = panel_growth(build_judged(truth, said), rule=rule, sizes=[4]).sizes[0]
        t, f = positive(tpr, yes, no), positive(fpr, yes, no)
        assert found.independent == pytest.approx(float(cohen_kappa([[6 * t, 6 * (1 - t)], [6 * f, 6 * (1 - f)]])))


def test_draws_are_seeded_and_near_the_whole(noisy) -> None:
    whole = panel_growth(noisy, sizes=[3]).sizes[0]
    drawn = [panel_growth(noisy, sizes=[3], subsets=15, rng=seed).sizes[0] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert not drawn[0].exact
    assert drawn[0].n_panels == 15
    assert abs(drawn[0].kappa.value - whole.kappa.value) < 4 * drawn[0].error
    assert whole.error == 0


def test_a_stop_keeps_the_finished_sizes(noisy) -> None:
    told: list[float] = []

    def stop(share: float) -> bool:
        told.append(share)
        return len(told) == 2

    found = panel_growth(noisy, sizes=[1, 3, 5], progress=stop)
    assert [size.size for size in found.sizes] == [1]
    assert found.stopped
    assert 0 < told[0] < told[1] < 1
    all_of_it: list[float] = []
    assert not panel_growth(noisy, sizes=[1, 3, 5], progress=all_of_it.append).stopped
    assert all_of_it[-1] == 1


def test_undefined_panels_are_counted_and_refusals(build_judged, noisy) -> None:
    constant = panel_growth(build_judged([0, 0, 0], np.zeros((3, 3), int)))
    assert all(
        math.isnan(size.kappa.value) and size.undefined == size.n_panels and size.kappa.ends is None for size in constant.sizes
    )
    for options, message in (
        ({"sizes": [7]}, "1 to 6 of them, not 7"),
        ({"sizes": []}, "not none"),
        ({"subsets": 0}, "1 or more"),
    ):
        with pytest.raises(metrics.InputError, match=message):
            panel_growth(noisy, **options)
    with pytest.raises(metrics.InputError, match="has a reference"):
        panel_growth(build_judged([-1, -1], np.zeros((2, 2), int)))


def test_65_real_judges(llmbar) -> None:
    found = panel_growth(llmbar, subsets=200)
    assert [size.size for size in found.sizes] == [1, 3, 5, 7, 9, 11, 15, 21, 31, 45, 65]
    assert found.sizes[0].kappa.value == pytest.approx(0.6129, abs=1e-4)
    assert found.sizes[-1].kappa.value == pytest.approx(0.7375, abs=1e-4)
    # far from what independent judges would reach, and below the best judge alone
    assert found.sizes[-1].independent > 0.99
    assert np.nanmax([own.value for own in found.alone]) > found.sizes[-1].kappa.value


def test_two_real_judges_and_ties(pandalm) -> None:
    found = panel_growth(pandalm)
    assert [size.size for size in found.sizes] == [1, 2]
    assert found.sizes[1].coverage < found.sizes[0].coverage
    panel = with_panel(pandalm, name="p")
    assert found.sizes[1].kappa.value == pytest.approx(metrics.agreement(panel, judges=["p"]).judges["p"].micro.values["kappa"])

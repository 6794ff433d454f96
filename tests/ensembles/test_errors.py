"""Shared errors: pairs counted one by one, the correlation against the closed form, its interval, independence."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import metrics
from metrics.analyses.ensembles.errors import NO_ERRORS, NO_PAIR, effective_judges, shared_errors
from metrics.analyses.ensembles.verdict_matrix import item_error, verdict_matrix_of


def test_pairs_are_counted_as_by_hand(noisy) -> None:
    found = shared_errors(noisy)
    bench = verdict_matrix_of(noisy).judged()
    for a, b in itertools.permutations(range(6), 2):
        shared = (bench.labels[:, a] >= 0) & (bench.labels[:, b] >= 0)
        wrong = [bench.labels[shared, j] != bench.reference[shared] for j in (a, b)]
        assert found.n[a, b] == shared.sum()
        assert found.wrong[a, b] == wrong[0].sum()
        assert found.both[a, b] == found.same_wrong_class[a, b] == (wrong[0] & wrong[1]).sum()
        assert found.phi[a, b] == pytest.approx(np.corrcoef(*wrong)[0, 1])
        given = [wrong[0][of].sum() * wrong[1][of].sum() / of.sum() for of in (bench.reference[shared] == k for k in (0, 1))]
        assert found.expected[a, b] == pytest.approx(sum(given))
    assert np.isnan(np.diagonal(found.phi)).all()
    assert found.mean_phi == pytest.approx(np.nanmean(found.phi))
    assert (found.n_pairs, found.n_phi) == (15, 15)


def test_three_classes_tell_equal_errors_from_different_ones(build_judged) -> None:
    found = shared_errors(build_judged([0, 0, 0, 0], [[1, 1], [1, 2], [2, 2], [0, 1]]), abstention="as_category")
    assert found.both[0, 1] == 3
    assert found.same_wrong_class[0, 1] == 2


def test_the_correlation_is_that_of_the_number_of_errors(build_judged) -> None:
    """Complete data: J_eff = J Σ e(1−e) / Var(number of judges wrong)."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 50)
    wrong = (rng.random((50, 5)) < 0.15) | (rng.random(50) < 0.2)[:, None]
    found = shared_errors(build_judged(truth.tolist(), np.where(wrong, 1 - truth[:, None], truth[:, None])))
    e = wrong.mean(0)
    assert found.effective.value == pytest.approx(5 * (e * (1 - e)).sum() / wrong.sum(1).var())
    assert found.joint_errors.tolist() == np.bincount(wrong.sum(1), minlength=6).tolist()
    assert found.by_chance.sum() == pytest.approx(50)
    # expectation keeps the number of errors
    assert found.by_chance @ np.arange(6) == pytest.approx(wrong.sum())


def test_the_interval_is_that_of_a_jackknife_over_items(noisy) -> None:
    found = shared_errors(noisy)
    bench = verdict_matrix_of(noisy).judged()

    def r(places) -> float:
        own = bench.at(places)
        answered, wrong = own.labels >= 0, (own.labels != own.reference[:, None]) & (own.labels >= 0)
        cov, var = [], []
        for a, b in itertools.combinations(range(6), 2):
            both = answered[:, a] & answered[:, b]
            x, y = wrong[both, a], wrong[both, b]
            cov.append((x & y).mean() - x.mean() * y.mean())
            var.append((x.var() + y.var()) / 2)
        return float(np.mean(cov) / np.mean(var))

    assert found.correlation.value == pytest.approx(r(np.arange(len(bench))))
    items = np.unique(bench.item)
    left = np.array([r(np.flatnonzero(bench.item != item)) for item in items])
    n = len(items)
    error = math.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    low, high = (math.atanh(end) for end in found.correlation.ends)
    from scipy.stats import t

    own = (high - low) / (2 * t.ppf(0.975, n - 1)) * (1 - found.correlation.value**2)
    assert own == pytest.approx(error, rel=0.05)


def test_independent_and_identical_judges(build_judged) -> None:
    rng = np.random.default_rng(9)
    truth = rng.integers(0, 2, 3000)
    wrong = rng.random((3000, 4)) < 0.2
    apart = shared_errors(build_judged(truth.tolist(), np.where(wrong, 1 - truth[:, None], truth[:, None])))
    assert apart.correlation.ends[0] < 0 < apart.correlation.ends[1]
    assert apart.effective.value == pytest.approx(4, rel=0.15)
    seen, chance = apart.at_least(2)
    assert seen == pytest.approx(chance, rel=0.15)
    one = wrong[:, :1] | np.zeros((1, 4), bool)
    same = shared_errors(build_judged(truth.tolist(), np.where(one, 1 - truth[:, None], truth[:, None])))
    assert same.correlation.value == pytest.approx(1)
    assert same.effective.value == pytest.approx(1)
    assert same.correlation.ends is None


def test_silence_is_not_the_absence_of_an_error(build_judged) -> None:
    """One judge makes the errors of the other and leaves 30 more of them open: on what both answered they are one judge."""
    truth = [0, 1] * 80
    said = np.array([truth] * 2).T.copy()
    said[:40] = 1 - said[:40]
    said[10:40, 1] = 2
    found = shared_errors(build_judged(truth, said))
    assert (found.n_decisions, found.n_together) == (160, 130)
    assert found.joint_errors.tolist() == [120, 0, 10]
    assert found.by_chance[2] == pytest.approx(found.expected[0, 1])
    assert found.correlation.value == pytest.approx(found.phi[0, 1]) == pytest.approx(1)
    assert found.effective.value == pytest.approx(1)
    assert [run.share for run in found.runs(14)] == pytest.approx([120 / 130, 0, 10 / 130])
    # with the silence counted as the answer no, the same 160 decisions are those both answered
    assert shared_errors(build_judged(truth, said), abstention="as_unmet").n_together == 160


def test_no_decision_of_all_judges(build_judged) -> None:
    truth = [0, 1] * 20
    said = np.array([truth] * 3).T.copy()
    said[:4, 0] = said[:4, 1] = 1 - said[:4, 0]
    for place in range(40):
        said[place, 2 if place < 20 else 0] = -1
    found = shared_errors(build_judged(truth, said))
    assert found.n_together == 0
    assert found.runs(14) == []
    assert found.correlation.value == pytest.approx(1)


def test_effective_number() -> None:
    assert effective_judges(0, 5) == 5
    assert effective_judges(1, 5) == 1
    assert effective_judges(0.25, 5) == 2.5
    assert effective_judges(-0.25, 5) == math.inf
    assert effective_judges(-0.1, 5) > 5
    assert math.isnan(effective_judges(math.nan, 5))


def test_degenerate_benches_are_undefined_with_a_reason(build_judged) -> None:
    truth = [0, 1] * 10
    right = shared_errors(build_judged(truth, np.array([truth] * 2).T))
    assert math.isnan(right.correlation.value)
    assert right.correlation.undefined == NO_ERRORS
    assert math.isnan(right.mean_phi)
    assert right.effective.ends is None
    few = shared_errors(build_judged(truth[:6], 1 - np.array([truth[:6]] * 2).T))
    assert few.correlation.undefined == NO_PAIR
    # one who never errs has no φ, and yet counts
    said = np.array([truth, truth]).T.copy()
    said[0, 1] = 1
    one = shared_errors(build_judged(truth, said))
    assert one.correlation.value == 0
    assert math.isnan(one.phi[0, 1])
    assert (one.n_pairs, one.n_phi) == (1, 0)
    with pytest.raises(metrics.InputError, match="has a reference"):
        shared_errors(build_judged([-1, -1], np.zeros((2, 2), int)))


def test_tables_of_the_bench_are_those_of_the_report(noisy) -> None:
    bench = verdict_matrix_of(noisy)
    reports = metrics.agreement(noisy, interval="none").judges
    for name, table in zip(bench.judges, bench.reference_tables(), strict=True):
        assert table.tolist() == reports[name].micro.confusion.tolist()


def test_65_real_judges(llmbar) -> None:
    found = shared_errors(llmbar)
    assert found.n_pairs == found.n_phi == 65 * 64 // 2
    assert found.effective.value == pytest.approx(3.46, abs=0.01)
    assert found.effective.ends[0] < found.effective.value < found.effective.ends[1]
    seen, chance = found.at_least(33)
    assert seen == 13
    assert chance < 0.001


def test_real_ties(pandalm) -> None:
    found = shared_errors(pandalm)
    assert found.n_pairs == 1
    assert 0 < found.correlation.value < 1
    third = shared_errors(pandalm, abstention="as_category")
    assert third.n[0, 1] > found.n[0, 1]
    assert third.same_wrong_class[0, 1] < third.both[0, 1]


def test_the_error_of_a_mean_of_items_is_the_usual_one() -> None:
    """Of a mean the derivative by one more decision is (x − mean) / n, and the error s / √n."""
    x = np.array([1.0, 4.0, 2.0, 7.0])
    assert item_error((x - x.mean()) / 4, np.arange(4, dtype=np.int32)) == pytest.approx(x.std(ddof=1) / 2)
    # decisions of one item are drawn together
    two = item_error((x - x.mean()) / 4, np.array([0, 0, 1, 1], np.int32))
    assert two == pytest.approx(np.array([2.5, 4.5]).std(ddof=1) / math.sqrt(2))
    assert math.isnan(item_error(x, np.zeros(4, np.int32)))

"""Curves, areas and cuts against scikit-learn, brute force and explicit formulas."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit, ndtri, stdtrit
from sklearn.metrics import roc_auc_score, roc_curve

import metrics
from metrics.analyses.roc.area import Scores, area_interval, auc, delong_error, left_out, newcombe
from metrics.analyses.roc.cuts import best_cut, cells_at, with_intervals
from metrics.analyses.roc.tallies import levels_of, tally_of

quick = settings(deadline=None, max_examples=50)
scored = st.lists(st.tuples(st.integers(-3, 6), st.booleans()), min_size=1, max_size=25)


def arrays(pairs) -> tuple[np.ndarray, np.ndarray]:
    return np.array([score for score, _ in pairs], float), np.array([is_up for _, is_up in pairs], bool)


def scores_of(score, positive, unit=None) -> Scores:
    level, which = np.unique(np.asarray(score, float), return_inverse=True)
    unit = np.arange(len(which)) if unit is None else np.asarray(unit)
    return Scores(unit, level, which, np.asarray(positive, bool), int(unit.max()) + 1)


def by_pairs(score, positive) -> float:
    """Share of pairs in which the positive scores higher, a tie counting one half."""
    ups, downs = score[positive], score[~positive]
    if not len(ups) or not len(downs):
        return float("nan")
    return float(((ups[:, None] > downs) + 0.5 * (ups[:, None] == downs)).mean())


def grid(n: int, levels: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.3
    return np.round(np.clip(rng.beta(2, 2, n) + 0.15 * positive, 0, 1) * (levels - 1)) / (levels - 1), positive


@quick
@given(scored)
def test_area_is_the_share_of_pairs_won(pairs) -> None:
    score, positive = arrays(pairs)
    assert auc(tally_of(score, positive)) == pytest.approx(by_pairs(score, positive), abs=1e-14, nan_ok=True)


@quick
@given(scored)
def test_curve_and_area_equal_scikit_learn(pairs) -> None:
    score, positive = arrays(pairs)
    tally = tally_of(score, positive)
    if tally.n_positive and tally.n_negative:
        fpr, tpr, thresholds = roc_curve(positive, score, drop_intermediate=False)
        np.testing.assert_allclose(tally.fpr, fpr, atol=1e-15)
        np.testing.assert_allclose(tally.tpr, tpr, atol=1e-15)
        np.testing.assert_array_equal(tally.thresholds, thresholds)
        assert auc(tally) == pytest.approx(roc_auc_score(positive, score), abs=1e-14)
    else:
        assert np.isnan(auc(tally))


@quick
@given(scored)
def test_a_turned_score_turns_the_area_and_nothing_turns_it_back(pairs) -> None:
    score, positive = arrays(pairs)
    assert auc(tally_of(-score, positive)) == pytest.approx(1 - auc(tally_of(score, positive)), abs=1e-14, nan_ok=True)
    assert auc(tally_of(score, ~positive)) == pytest.approx(1 - auc(tally_of(score, positive)), abs=1e-14, nan_ok=True)


@quick
@given(scored, st.integers(-4, 7))
def test_where_lower_scores_mean_positive_all_is_as_if_the_scores_were_turned(pairs, threshold) -> None:
    score, positive = arrays(pairs)
    lower, turned = tally_of(score, positive, "lower"), tally_of(-score, positive)
    np.testing.assert_array_equal(lower.thresholds, -turned.thresholds)
    assert auc(lower) == pytest.approx(auc(turned), nan_ok=True)
    assert delong_error(lower) == pytest.approx(delong_error(turned), nan_ok=True)
    assert lower.table(threshold).tolist() == turned.table(-threshold).tolist()
    assert lower.ends == (score.min(), score.max() if score.max() > score.min() else score.min() + 1)
    best, other = best_cut(lower), best_cut(turned)
    assert (best is None) == (other is None)
    if best is not None and other is not None:
        assert (best.threshold, best.n_optimal) == (-other.threshold, other.n_optimal)


@quick
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.booleans()), min_size=2, max_size=30))
def test_lower_scores_by_item_are_as_if_turned(rows) -> None:
    unit, score, positive = (np.array(column) for column in zip(*rows, strict=True))
    level, which = levels_of(score.astype(float), "lower")
    lower = Scores(unit, level, which, positive, int(unit.max()) + 1, direction="lower")
    turned = scores_of(-score, positive, unit)
    np.testing.assert_allclose(left_out(lower), left_out(turned))
    own, other = area_interval(lower, lower.tally(), 0.95), area_interval(turned, turned.tally(), 0.95)
    assert own == other or (own.method == other.method and own.ends == pytest.approx(other.ends))


@quick
@given(scored)
def test_best_cut_is_the_highest_threshold_of_the_largest_j(pairs) -> None:
    score, positive = arrays(pairs)
    best = best_cut(tally_of(score, positive))
    if positive.all() or not positive.any():
        assert best is None
        return
    cuts = [np.inf, *sorted(set(score), reverse=True)]
    ups, downs = score[positive], score[~positive]
    gains = [int((ups >= cut).sum() * len(downs) - (downs >= cut).sum() * len(ups)) for cut in cuts]
    assert best is not None
    assert best.threshold == cuts[gains.index(max(gains))]
    assert best.n_optimal == gains.count(max(gains))
    tally = tally_of(score, positive)
    assert (tally.tpr - tally.fpr).max() == pytest.approx(max(gains) / (positive.sum() * (~positive).sum()))


@quick
@given(scored, st.integers(-4, 7))
def test_the_table_of_a_cut_counts_decisions(pairs, threshold) -> None:
    score, positive = arrays(pairs)
    called = score >= threshold
    expected = [[int((kind & said).sum()) for said in (called, ~called)] for kind in (positive, ~positive)]
    assert tally_of(score, positive).table(threshold).tolist() == expected


def test_nothing_called_positive_is_a_cut_of_its_own() -> None:
    tally = tally_of([0.2, 0.9], [True, False])
    best = best_cut(tally)
    assert best is not None
    assert best.threshold == np.inf
    assert best.n_optimal == 2
    assert tally.table(np.inf).tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize("levels", [2, 11, 101, 251, 1001])
def test_many_scores_on_a_grid_are_tallied_alike(levels) -> None:
    score, positive = grid(12_288, levels)
    tally = tally_of(score, positive)
    level, counts = np.unique(score, return_counts=True)
    np.testing.assert_array_equal(tally.level, level[::-1])
    np.testing.assert_array_equal(tally.positive + tally.negative, counts[::-1])
    assert auc(tally) == pytest.approx(roc_auc_score(positive, score), abs=1e-13)
    known, which = levels_of(score)
    np.testing.assert_array_equal(known[which], score)
    np.testing.assert_array_equal(known, level)


def test_zero_is_one_level_whatever_its_sign() -> None:
    assert tally_of([0.0, -0.0, 1.0], [True, False, True]).level.tolist() == [1.0, 0.0]
    score = np.where(np.arange(6_144) % 2, 0.0, -0.0)
    assert tally_of(score, score > 1).level.tolist() == [0.0]
    assert len(levels_of(score)[0]) == 1


def test_large_counts_stay_integers() -> None:
    half = 2_000_000
    score, positive = np.repeat([1.0, 0.0], half), np.tile([True, False], half)
    assert auc(tally_of(score, positive)) == 0.5
    assert best_cut(tally_of(score, positive)).threshold == np.inf


def explicit_delong(score, positive) -> float:
    ups, downs = score[positive], score[~positive]
    psi = (ups[:, None] > downs) + 0.5 * (ups[:, None] == downs)
    m, n = psi.shape
    return float(np.sqrt(psi.mean(1).var(ddof=1) / m + psi.mean(0).var(ddof=1) / n))


@quick
@given(scored)
def test_delong_equals_the_explicit_variance_over_all_pairs(pairs) -> None:
    score, positive = arrays(pairs)
    found = delong_error(tally_of(score, positive))
    if min(positive.sum(), (~positive).sum()) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(explicit_delong(score, positive), abs=1e-12)


def test_interval_of_independent_decisions_is_delong_on_the_logit_scale() -> None:
    score, positive = grid(300, 101)
    scores = scores_of(score, positive)
    found = area_interval(scores, scores.tally(), 0.9)
    area, error = by_pairs(score, positive), explicit_delong(score, positive)
    ends = expit(logit(area) + np.array([-1, 1]) * ndtri(0.95) * error / (area * (1 - area)))
    assert found.method == "delong"
    assert (found.low, found.high) == pytest.approx(tuple(ends), abs=1e-12)


def newcombe_by_roots(area: float, m: int, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """Method 5 as the roots of its polynomial of degree four in the area."""
    x = np.polynomial.Polynomial([0, 1])
    half = (m + n) / 2 - 1
    spread = (2 - x) * (1 + x) + half * (1 - x) * (1 + x) + half * x * (2 - x)
    roots = ((area - x) ** 2 * (2 - x) * (1 + x) * m * n - z**2 * x * (1 - x) * spread).roots()
    inside = sorted(root.real for root in roots if abs(root.imag) < 1e-6 and -1e-9 <= root.real <= 1 + 1e-9)
    return inside[0], inside[-1]


@pytest.mark.parametrize(("area", "m", "n"), [(0.8931, 58, 51), (0.6, 5, 30), (0.5, 1, 12), (0.97, 9, 9)])
def test_newcombe_solves_its_equation(area, m, n) -> None:
    assert newcombe(area, m, n, 0.95) == pytest.approx(newcombe_by_roots(area, m, n), abs=1e-8)


def test_newcombe_mirrors_and_has_width_at_the_ends_of_the_range() -> None:
    low, high = newcombe(1.0, 10, 20, 0.95)
    assert high == 1.0
    assert 0.7 < low < 0.95
    assert newcombe(0.0, 20, 10, 0.95) == pytest.approx((0.0, 1 - low))
    assert newcombe(0.7, 20, 20, 0.95) == pytest.approx(tuple(1 - end for end in reversed(newcombe(0.3, 20, 20, 0.95))))


@pytest.mark.parametrize(
    ("score", "positive"),
    [([1, 2, 3, 4, 5], [0, 0, 1, 1, 1]), ([5, 4, 3, 2], [0, 0, 1, 1]), ([3, 1, 5, 4, 2], [1, 0, 0, 0, 0])],
)
def test_a_perfect_area_or_a_single_positive_gets_newcombe(score, positive) -> None:
    scores = scores_of(score, positive)
    found = area_interval(scores, scores.tally(), 0.95)
    area = auc(scores.tally())
    assert found.method == "newcombe"
    assert (found.low, found.high) == pytest.approx(newcombe(area, sum(positive), len(positive) - sum(positive), 0.95))
    assert found.low < found.high


def explicit_leave_one_out(score, positive, unit) -> list[float]:
    return [by_pairs(score[unit != one], positive[unit != one]) for one in np.unique(unit)]


@quick
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.booleans()), min_size=2, max_size=30))
def test_leaving_items_out_equals_doing_it_one_by_one(rows) -> None:
    unit, score, positive = (np.array(column) for column in zip(*rows, strict=True))
    found = left_out(scores_of(score, positive, unit))[np.unique(unit)]
    np.testing.assert_allclose(found, explicit_leave_one_out(score.astype(float), positive, unit), atol=1e-13)


def test_interval_with_several_decisions_an_item_leaves_items_out() -> None:
    rng = np.random.default_rng(5)
    unit = np.repeat(np.arange(40), 4)
    positive = rng.random(160) < 0.5
    score = rng.normal(size=160) + positive + rng.normal(size=40)[unit]
    scores = scores_of(score, positive, unit)
    found = area_interval(scores, scores.tally(), 0.95)
    left = np.array(explicit_leave_one_out(score, positive, unit))
    error = np.sqrt(39 / 40 * ((left - left.mean()) ** 2).sum())
    area = by_pairs(score, positive)
    ends = expit(logit(area) + np.array([-1, 1]) * stdtrit(39, 0.975) * error / (area * (1 - area)))
    assert found.method == "jackknife"
    assert (found.low, found.high) == pytest.approx(tuple(ends), abs=1e-10)


def test_a_class_on_one_item_falls_back_on_items_not_decisions() -> None:
    unit, positive = np.array([0, 0, 0, 1, 1, 2, 2, 3, 3]), np.array([1, 1, 0, 0, 0, 0, 0, 0, 0], bool)
    scores = scores_of([5, 1, 2, 3, 1, 4, 0, 2, 1], positive, unit)
    found = area_interval(scores, scores.tally(), 0.95)
    assert found.method == "newcombe"
    assert (found.low, found.high) == pytest.approx(newcombe(auc(scores.tally()), 1, 4, 0.95))
    assert found.note == "positives on only 1 of the items"


def test_few_items_of_a_class_get_the_wider_of_two_intervals() -> None:
    rng = np.random.default_rng(9)
    positive = np.arange(80) < 6
    score = np.round(rng.normal(size=80) + 1.2 * positive, 1)
    scores = scores_of(score, positive)
    found = area_interval(scores, scores.tally(), 0.95)
    area, error = by_pairs(score, positive), explicit_delong(score, positive)
    own = expit(logit(area) + np.array([-1, 1]) * ndtri(0.975) * error / (area * (1 - area)))
    other = newcombe(area, 6, 74, 0.95)
    assert found.method == "delong+newcombe"
    assert (found.low, found.high) == pytest.approx((min(own[0], other[0]), max(own[1], other[1])))
    assert found.note == "positives on only 6 of the items"


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("n_positive", "area"), [(49, 0.7), (49, 0.97), (50, 0.97), (12, 0.96)])
def test_below_fifty_of_a_class_the_wider_of_two_and_from_fifty_on_delong_alone(n_positive, area, turned) -> None:
    rng = np.random.default_rng(3)
    positive = np.arange(200) < n_positive
    score = rng.normal(size=200) + np.sqrt(2) * ndtri(area) * positive
    positive = positive ^ turned
    scores = scores_of(score, positive)
    found = area_interval(scores, scores.tally(), 0.95)
    own_area, error = by_pairs(score, positive), explicit_delong(score, positive)
    own = expit(logit(own_area) + np.array([-1, 1]) * ndtri(0.975) * error / (own_area * (1 - own_area)))
    if n_positive == 50:
        assert (found.method, found.note) == ("delong", "")
        assert (found.low, found.high) == pytest.approx(tuple(own))
        return
    other = newcombe_by_roots(own_area, int(positive.sum()), int((~positive).sum()))
    assert found.method == "delong+newcombe"
    assert found.note == f"{'negatives' if turned else 'positives'} on only {n_positive} of the items"
    assert (found.low, found.high) == pytest.approx((min(own[0], other[0]), max(own[1], other[1])), abs=1e-8)


def test_with_few_of_a_class_each_of_the_two_intervals_is_the_wider_one_now_and_then() -> None:
    rng, wider = np.random.default_rng(6), np.zeros(2, int)
    positive = np.arange(120) < 20
    for _ in range(20):
        score = rng.normal(size=120) + np.sqrt(2) * ndtri(0.95) * positive
        scores = scores_of(score, positive)
        found = area_interval(scores, scores.tally(), 0.95)
        low, high = newcombe(auc(scores.tally()), 20, 100, 0.95)
        wider += [found.low < low - 1e-9, found.low == low]
        assert found.low <= low <= high <= found.high
    assert wider.min() > 2


def test_one_item_has_no_interval() -> None:
    scores = scores_of([1, 2, 3], [False, True, True], [0, 0, 0])
    assert area_interval(scores, scores.tally(), 0.95) is None


@quick
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), min_size=4, max_size=40))
def test_a_cut_counts_its_cells_and_its_interval_holds_the_value(rows) -> None:
    unit, cell = (np.array(column) for column in zip(*rows, strict=True))
    cut = with_intervals(0.5, cell, unit, 0.95)
    assert cut.table.ravel().tolist() == [int((cell == place).sum()) for place in range(4)]
    for key, found in cut.intervals.items():
        assert found.low <= cut[key].value <= found.high
        assert found.low < found.high


@pytest.mark.parametrize(("item_of", "method"), [(1, "dirichlet"), (3, "jackknife")])
def test_the_intervals_of_a_point_are_those_of_the_agreement_report(item_of, method) -> None:
    rng = np.random.default_rng(8)
    positive = rng.random(360) < 0.5
    called = positive ^ (rng.random(360) < 0.2)
    names = np.where(positive, "MET", "UNMET"), np.where(called, "MET", "UNMET")
    unit = np.arange(360) // item_of
    rows = [f"i{unit[i]},c{i % item_of},j,{names[0][i]},{names[1][i]}" for i in range(360)]
    text = "item,criterion,judge,human,verdict\n" + "\n".join(rows)
    micro = metrics.agreement(metrics.read(text.encode())).judges["j"].micro
    cut = with_intervals(float("nan"), cells_at(positive, called), unit, 0.95)
    for name, key in (("youden_j", "youden_j"), ("tpr", "recall"), ("fpr", "fpr")):
        assert cut[name].value == pytest.approx(micro.values[key])
        assert cut[name].ends == pytest.approx(micro[key].ends)
    assert cut.intervals["youden_j"].method == method


def test_all_orders_of_a_small_list_have_the_same_curve() -> None:
    pairs = [(0.1, True), (0.4, False), (0.4, True), (0.9, True)]
    curves = {
        (auc(tally), *tally.hits.tolist()) for order in itertools.permutations(pairs) if (tally := tally_of(*arrays(order)))
    }
    assert len(curves) == 1

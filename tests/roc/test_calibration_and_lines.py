"""Calibration against direct definitions, and lines on which a number stays the same."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from metrics.analyses.roc.area import Scores
from metrics.analyses.roc.calibration import NO_SPREAD, NOT_INDEPENDENT, are_probabilities, calibration, kuiper, tail_of_range
from metrics.analyses.roc.cuts import iso_accuracy, iso_j
from metrics.analyses.roc.tallies import tally_of

quick = settings(deadline=None, max_examples=60)
probabilities = st.lists(st.tuples(st.sampled_from([0, 0.1, 0.25, 0.5, 0.8, 1]), st.booleans()), min_size=1, max_size=20)


def scores_of(score, positive, unit=None) -> Scores:
    level, which = np.unique(np.asarray(score, float), return_inverse=True)
    unit = np.arange(len(which)) if unit is None else np.asarray(unit)
    return Scores(unit, level, which, np.asarray(positive, bool), int(unit.max()) + 1)


def kuiper_by_hand(score, positive) -> tuple[float, float]:
    n, total, seen = len(score), 0.0, [0.0]
    for level in sorted(set(score)):
        total += sum(float(up) - s for s, up in zip(score, positive, strict=True) if s == level) / n
        seen.append(total)
    spread = np.sqrt(sum(s * (1 - s) for s in score)) / n
    return max(seen) - min(seen), (max(seen) - min(seen)) / spread if spread else float("nan")


@quick
@given(probabilities)
def test_kuiper_is_the_range_of_the_cumulative_differences(pairs) -> None:
    score, positive = zip(*pairs, strict=True)
    assert kuiper(tally_of(score, positive)) == pytest.approx(kuiper_by_hand(score, positive), abs=1e-12, nan_ok=True)


def test_perfect_promises_leave_no_distance() -> None:
    tally = tally_of([0.5, 0.5, 0.25, 0.25, 0.25, 0.25], [True, False, True, False, False, False])
    assert kuiper(tally) == pytest.approx((0.0, 0.0))


def range_density(r: float) -> float:
    """Feller's density of the range of Brownian motion on [0, 1]."""
    k = np.arange(1, 200)
    return float(8 * ((-1.0) ** (k - 1) * k**2 * norm.pdf(k * r)).sum())


@pytest.mark.parametrize("x", [1.0, 1.3, 1.4999, 1.5, 2.0, 3.0, 4.5])
def test_tail_of_the_range_integrates_fellers_density(x) -> None:
    assert tail_of_range(x) == pytest.approx(quad(range_density, x, 12)[0], abs=1e-8)


def test_tail_of_the_range_falls_from_one_to_nothing() -> None:
    tail = [tail_of_range(x) for x in np.linspace(0, 8, 400)]
    assert tail[0] == 1.0
    assert tail[-1] < 1e-12
    assert all(first >= second for first, second in pairwise(tail))


def test_p_is_that_of_a_simulation_of_calibrated_scores() -> None:
    rng = np.random.default_rng(2)
    score = rng.beta(2, 2, 400)
    drawn = [kuiper(tally_of(score, rng.random(400) < score))[1] for _ in range(1500)]
    assert np.mean([tail_of_range(x) < 0.1 for x in drawn]) == pytest.approx(0.1, abs=0.035)


def test_no_p_where_decisions_hang_together_or_chance_has_no_spread() -> None:
    clustered = scores_of([0.2, 0.4, 0.9], [False, True, True], [0, 0, 1])
    found = calibration(clustered, clustered.tally(), 0.95)
    assert np.isnan(found.p)
    assert found.why_no_p == NOT_INDEPENDENT
    certain = scores_of([0, 1, 1], [False, True, False])
    assert calibration(certain, certain.tally(), 0.95).why_no_p == NO_SPREAD


@quick
@given(probabilities, st.integers(1, 12))
def test_bins_share_out_all_decisions_and_keep_ties_together(pairs, bins) -> None:
    score, positive = (np.array(column, float) for column in zip(*pairs, strict=True))
    scores = scores_of(score, positive)
    found = calibration(scores, scores.tally(), None, bins).bins
    assert sum(one.n for one in found) == len(score)
    assert all(first.high < second.low for first, second in pairwise(found))
    for one in found:
        inside = (score >= one.low) & (score <= one.high)
        assert one.n == inside.sum()
        assert one.mean == pytest.approx(score[inside].mean())
        assert one.observed.value == pytest.approx(positive[inside].mean())


def test_bins_are_about_equally_full_and_their_intervals_hold_the_share() -> None:
    rng = np.random.default_rng(4)
    score = rng.random(1000)
    scores = scores_of(score, rng.random(1000) < score, np.arange(1000) // 2)
    found = calibration(scores, scores.tally(), 0.95).bins
    assert [one.n for one in found] == [100] * 10
    for one in found:
        assert one.observed.interval.low <= one.observed.value <= one.observed.interval.high


@pytest.mark.parametrize(
    ("score", "yes"), [([0, 0.4, 1], True), ([0, 1, 1], False), ([0.2, 1.1], False), ([-0.1, 0.5], False), ([3, 4], False)]
)
def test_what_may_be_a_probability(score, yes) -> None:
    assert are_probabilities(tally_of(score, [True] * len(score))) is yes


@pytest.mark.parametrize("j", [-0.5, 0.0, 0.3, 0.8])
def test_iso_j_runs_through_points_of_that_j(j) -> None:
    for fpr, tpr in iso_j(j):
        assert tpr - fpr == pytest.approx(j)
        assert 0 <= fpr <= 1
        assert 0 <= tpr <= 1
    assert iso_j(1.2) is None


@quick
@given(st.floats(0.01, 0.99), st.floats(0.02, 0.98))
def test_iso_accuracy_runs_through_points_of_that_accuracy_on_the_edge(accuracy, prevalence) -> None:
    for fpr, tpr in iso_accuracy(accuracy, prevalence):
        assert prevalence * tpr + (1 - prevalence) * (1 - fpr) == pytest.approx(accuracy)
        assert min(fpr, tpr, 1 - fpr, 1 - tpr) == pytest.approx(0, abs=1e-9)


def test_no_judge_is_right_more_often_than_always() -> None:
    assert iso_accuracy(1.1, 0.3) is None
    with pytest.raises(ValueError, match="prevalence"):
        iso_accuracy(0.8, 0.0)

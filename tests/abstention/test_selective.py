"""Coverage, selective accuracy and the risk-coverage curve."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import metrics
from metrics.analyses.abstention.selective import Curve, risk_coverage, tells, threshold_in_use, tradeoff
from metrics.analyses.settings import settings_of
from metrics.measures.transforms import student, transformed


def scored(rows: list[tuple[str, str, float | None]], **more: list) -> metrics.Ratings:
    frame = pd.DataFrame(rows, columns=["human", "verdict", "score"])
    frame = frame.assign(item=[f"i{i}" for i in range(len(rows))], criterion="c", judge="j", **more)
    return metrics.read(frame)


def curve_of(ratings: metrics.Ratings, judge: str = "j") -> Curve:
    found = risk_coverage(ratings, judge, settings_of(ratings, judges=[judge]))
    assert isinstance(found, Curve)
    return found


def test_points_are_those_of_the_report() -> None:
    ratings = metrics.read("assets/support_answers.csv")
    report = metrics.agreement(ratings, interval="none")
    for point in tradeoff(ratings, settings_of(ratings)):
        its = report.judges[point.judge]
        assert point.coverage == its.coverage.coverage
        assert point.accuracy == its.micro.values["accuracy"]
        assert (point.n, point.n_total) == (its.micro.n, its.coverage.n_total)


def test_the_curve_passes_through_the_judges_own_point() -> None:
    ratings = metrics.read("assets/support_answers.csv")
    chosen = settings_of(ratings, judges=["cautious"])
    curve = curve_of(ratings, "cautious")
    point = next(one for one in tradeoff(ratings, chosen) if one.judge == "cautious")
    place = int(np.flatnonzero(np.isclose(curve.coverage, point.coverage))[0])
    assert curve.accuracy[place] == pytest.approx(point.accuracy)
    assert curve.coverage[-1] == pytest.approx(metrics.agreement(ratings).judges["cautious"].coverage.human_coverage)
    assert place == len(curve.coverage) - 2


def test_a_small_curve_by_hand() -> None:
    ratings = scored(
        [("MET", "MET", 0.9), ("MET", "MET", 0.8), ("UNMET", "UNMET", 0.2), ("MET", "UNMET", 0.4), ("UNMET", "MET", 0.55)]
    )
    curve = curve_of(ratings)
    assert curve.threshold == 0.5
    assert curve.contradicted == 0
    assert curve.coverage == pytest.approx([0.2, 0.6, 0.8, 1.0])
    assert curve.accuracy == pytest.approx([1.0, 1.0, 0.75, 0.6])
    assert curve.aurc == pytest.approx((0 + 0 + 0 + 1 / 4 + 2 / 5) / 5)
    assert curve.random == pytest.approx(0.4)
    assert curve.oracle == pytest.approx((0 + 0 + 0 + 1 / 4 + 2 / 5) / 5)


def test_ties_are_one_block_in_random_order() -> None:
    ratings = scored([("MET", "MET", 0.9), ("UNMET", "MET", 0.9), ("MET", "MET", 0.9), ("UNMET", "UNMET", 0.1)])
    curve = curve_of(ratings)
    assert curve.coverage == pytest.approx([1.0])
    risks = []
    for order in permutations([0, 1, 0, 0]):
        errors = np.cumsum(order)
        risks.append((errors / np.arange(1, 5)).mean())
    assert curve.aurc == pytest.approx(np.mean(risks))
    assert curve.aurc == pytest.approx(curve.random)


def test_abstentions_come_last_and_are_decided_by_their_score() -> None:
    ratings = scored(
        [("MET", "MET", 0.6), ("UNMET", "UNMET", 0.4), ("MET", "CANNOT_ASSESS", 0.99), ("UNMET", "CANNOT_ASSESS", 0.7)]
    )
    curve = curve_of(ratings)
    assert curve.forced == 2
    assert curve.coverage == pytest.approx([0.5, 1.0])
    assert curve.accuracy == pytest.approx([1.0, 0.75])


def test_what_has_no_number_or_no_answer_is_left_out_and_counted() -> None:
    ratings = scored(
        [
            ("MET", "MET", 0.9),
            ("UNMET", "UNMET", 0.2),
            ("MET", "MET", None),
            ("CANNOT_ASSESS", "MET", 0.7),
            ("MET", "CANNOT_ASSESS", None),
        ]
    )
    curve = curve_of(ratings)
    assert (curve.n, curve.unscored, curve.forced, curve.n_open) == (2, 1, 0, 1)
    assert curve.coverage[-1] == pytest.approx(2 / 5)


def test_a_confidence_column_counts_before_the_score() -> None:
    rows = [("MET", "MET", 0.51), ("UNMET", "MET", 0.99), ("UNMET", "UNMET", 0.01), ("MET", "UNMET", 0.02)]
    curve = curve_of(scored(rows, confidence=["90", " 10 ", "80", "20"]))
    assert curve.confidence == "confidence"
    assert curve.accuracy == pytest.approx([1.0, 1.0, 2 / 3, 0.5])
    without = curve_of(scored(rows, confidence=["high", "low", "", ""]))
    assert without.confidence == "score"


def test_no_score_no_curve() -> None:
    ratings = metrics.read("assets/rao_abstention.csv")
    assert "no score" in risk_coverage(ratings, ratings.judges[0], settings_of(ratings))
    flat = scored([("MET", "MET", 0.5), ("UNMET", "UNMET", 0.5)])
    assert "no threshold" in risk_coverage(flat, "j", settings_of(flat))
    reversed_scores = scored([("MET", "MET", 0.1), ("UNMET", "UNMET", 0.9)])
    assert "no threshold" in risk_coverage(reversed_scores, "j", settings_of(reversed_scores))


def test_of_more_than_two_labels_no_curve_follows_from_a_threshold() -> None:
    rows = "\n".join(f"{i},j,{1 + i % 3},{1 + i % 2},0.{i}" for i in range(1, 10))
    ratings = metrics.read(f"item,judge,human,verdict,score\n{rows}".encode(), scale="ordinal")
    why = risk_coverage(ratings, "j", settings_of(ratings))
    assert why == "of more than two labels no distance from a threshold tells how sure a verdict is; a column of confidence does"


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(-4, 4), st.booleans()), min_size=1, max_size=25))
def test_the_cut_is_the_best_there_is(pairs: list[tuple[int, bool]]) -> None:
    score, positive = np.array([s for s, _ in pairs], float), np.array([p for _, p in pairs])
    cut, against = threshold_in_use(score, positive)
    options = [int(((score >= t) != positive).sum()) for t in np.unique(score)[1:]]
    if np.isnan(cut):
        assert not options or min(options) >= min(positive.sum(), (~positive).sum())
        return
    assert against == min(options) == ((score >= cut) != positive).sum()


@pytest.mark.parametrize(
    ("scores", "verdicts", "cut"),
    [
        ([0.1, 0.3, 0.7], [0, 0, 1], 0.5),
        ([-2, -1, 1], [0, 0, 1], 0.0),
        ([1, 2, 4], [0, 0, 1], 3.0),
        ([1, 2, 2, 3], [0, 0, 1, 1], 1.5),
    ],
)
def test_the_usual_cut_first_then_the_middle_of_the_gap(scores: list[float], verdicts: list[int], cut: float) -> None:
    assert threshold_in_use(np.array(scores, float), np.array(verdicts) == 1)[0] == cut


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=30))
def test_no_ranking_beats_the_oracle(pairs: list[tuple[float, bool]]) -> None:
    rows = [("MET" if right == (s >= 0.5) else "UNMET", "MET" if s >= 0.5 else "UNMET", s) for s, right in pairs]
    if len({verdict for _, verdict, _ in rows} | {human for human, _, _ in rows}) < 2 or len({v for _, v, _ in rows}) < 2:
        return
    curve = curve_of(scored(rows))
    assert curve.oracle - 1e-12 <= curve.aurc
    assert curve.random == pytest.approx(np.mean([not right for _, right in pairs]))
    assert curve.accuracy[-1] == pytest.approx(1 - curve.random)


def textbook(confidence: np.ndarray, right: np.ndarray, item: np.ndarray) -> tuple[float, float]:
    """Every pair counted, and the standard error from leaving out each item's part of the placements."""
    pairs = np.array([[(a > b) + 0.5 * (a == b) for b in confidence[~right]] for a in confidence[right]])
    value, n = pairs.mean(), len(set(item))
    rows, columns = pairs.mean(1) - value, pairs.mean(0) - value
    parts = [rows[item[right] == i].sum() / len(rows) + columns[item[~right] == i].sum() / len(columns) for i in set(item)]
    return float(value), float(np.sqrt(n / (n - 1) * np.sum(np.square(parts))))


def numbers(*given) -> tuple[float, float, float]:
    """Value and ends, NaN where there is none."""
    found = tells(*given)
    return found.value, *(found.ends or (np.nan, np.nan))


def test_telling_is_the_share_of_pairs_with_items_as_units() -> None:
    rng = np.random.default_rng(6)
    item, right = rng.integers(0, 30, 120), rng.random(120) < 0.7
    confidence = np.round(rng.random(120) + 0.2 * right, 1)
    value, low, high = numbers(confidence, right, item, 0.95)
    expected, error = textbook(confidence, right, item)
    assert value == pytest.approx(expected)
    assert value == pytest.approx(roc_auc_score(right, confidence))
    assert (low, high) == pytest.approx(transformed(expected, error, "logit", student(len(set(item)) - 1, 0.95)))


def test_items_that_repeat_themselves_tell_no_more() -> None:
    rng = np.random.default_rng(7)
    right = rng.random(80) < 0.7
    confidence = rng.random(80) + 0.3 * right
    once = numbers(confidence, right, np.arange(80), 0.95)
    five = numbers(np.tile(confidence, 5), np.tile(right, 5), np.tile(np.arange(80), 5), 0.95)
    assert five == pytest.approx(once)


def test_telling_within_criteria_compares_pairs_of_one_criterion() -> None:
    rng = np.random.default_rng(3)
    criterion, item = np.tile(np.arange(3), 40), np.repeat(np.arange(40), 3)
    confidence = rng.integers(0, 6, 120) + 3.0 * criterion
    right = rng.random(120) < 0.3 + 0.2 * criterion
    value, low, high = numbers(confidence, right, item, 0.95, None, criterion)
    won = pairs = 0.0
    for i, j in np.ndindex(120, 120):
        if right[i] and not right[j] and criterion[i] == criterion[j]:
            won, pairs = won + (confidence[i] > confidence[j]) + (confidence[i] == confidence[j]) / 2, pairs + 1
    assert value == pytest.approx(won / pairs)
    assert low < value < high
    assert numbers(confidence, right, item, 0.95)[0] > value + 0.05
    assert numbers(confidence, right, item, 0.95, None, np.zeros(120, int)) == numbers(confidence, right, item, 0.95)
    twice = numbers(*(np.concatenate([one, one]) for one in (confidence, right)), np.concatenate([item, item + 40]), 0.95,
                  None, np.concatenate([criterion, criterion]))  # fmt: skip
    assert numbers(confidence, right, item, 0.95, np.full(120, 2), criterion) == pytest.approx(twice)
    shuffled = rng.permutation(120)
    assert numbers(confidence[shuffled], right[shuffled], item[shuffled], 0.95, None, criterion[shuffled]) == (value, low, high)


def test_telling_within_criteria_covers() -> None:
    """Errors go with the item, scores with the criterion: nothing is told within criteria, and the interval holds it."""
    rng, hits = np.random.default_rng(8), 0
    criterion, item = np.tile(np.arange(4), 60), np.repeat(np.arange(60), 4)
    for _ in range(200):
        right = rng.random(240) < np.clip(0.3 + 0.15 * criterion + np.repeat(rng.uniform(-0.25, 0.25, 60), 4), 0, 1)
        confidence = criterion + rng.random(240) + np.repeat(rng.uniform(-0.4, 0.4, 60), 4)
        _, low, high = numbers(confidence, right, item, 0.95, None, criterion)
        hits += low <= 0.5 <= high
    assert 182 <= hits <= 199


def test_telling_needs_right_and_wrong_verdicts() -> None:
    assert np.isnan(numbers(np.array([0.1, 0.2]), np.array([True, True]), np.arange(2), 0.95)).all()
    value, low, _ = numbers(np.array([0.1, 0.2]), np.array([False, True]), np.zeros(2, int), 0.95)
    assert value == 1.0
    assert np.isnan(low)

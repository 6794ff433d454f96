"""Weights of items in ROC curves: against scikit-learn, repeated rows, a jackknife by hand, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t
from sklearn.metrics import roc_auc_score

import metrics
from metrics.analyses.item_weights import Behind
from metrics.analyses.roc.area import Scores
from metrics.analyses.roc.decisions import decisions_of
from metrics.analyses.roc.held_out import dealt
from metrics.analyses.roc.result import RocReport
from metrics.analyses.roc.tallies import levels_of
from metrics.analyses.roc.weighted import WeightedScores
from tests.conftest import jackknifed_by_weight

CRITERIA = ("a", "b")


def rows(human: np.ndarray, score: np.ndarray, weight: np.ndarray) -> bytes:
    """Write labels and scores of shape (n, C); a label of -1 is none."""
    lines = ["item,criterion,human,verdict,score,weight"]
    for i, (h, s, w) in enumerate(zip(human, score, weight, strict=True)):
        lines += [
            f"q{i},{c},{('UNMET', 'MET')[one]},{('UNMET', 'MET')[int(number > 0.5)]},{number:.3f},{w:.12g}"
            for c, one, number in zip(CRITERIA[: len(h)], h, s, strict=True)
            if one >= 0
        ]
    return "\n".join(lines).encode()


def drawn(seed: int, n: int = 70, *, gaps: bool = False, steps: int = 1000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    human = (rng.random((n, 2)) < [0.4, 0.6]).astype(int)
    score = np.clip(0.35 + 0.3 * human + rng.normal(0, 0.2, (n, 2)) + rng.normal(0, 0.1, (n, 1)), 0.001, 0.999)
    if gaps:
        human[: n // 4, 0], human[n // 4 : n // 2, 1] = -1, -1
    return human, np.round(score * steps) / steps, rng.choice([1.0, 2.0, 4.0], n)


def judge_of(content: bytes, **how):
    (judge,) = metrics.roc(metrics.read(content), **how).judges.values()
    return judge


def area_by_hand(human: np.ndarray, score: np.ndarray, weight: np.ndarray) -> float:
    kept = (human >= 0).ravel()
    each = np.repeat(weight, human.shape[1] if human.ndim > 1 else 1)[kept]
    return float(roc_auc_score(human.ravel()[kept], score.ravel()[kept], sample_weight=each))


@pytest.mark.parametrize("steps", [1000, 10])
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_areas_are_those_of_scikit_learn(seed: int, gaps: bool, steps: int) -> None:
    human, score, weight = drawn(seed, gaps=gaps, steps=steps)
    judge = judge_of(rows(human, score, weight))
    assert judge.pooled.weighted.area.value == pytest.approx(area_by_hand(human, score, weight), abs=1e-12)
    each = [area_by_hand(human[:, c], score[:, c], weight) for c in range(2)]
    for name, expected in zip(CRITERIA, each, strict=True):
        assert judge.criteria[name].weighted.area.value == pytest.approx(expected, abs=1e-12)
    assert judge.mean.weighted.value == pytest.approx(np.mean(each), abs=1e-12)
    assert judge.mean.weighted.of == (2, 2)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("seed", range(3))
def test_cuts_and_calibration_are_those_of_items_repeated_as_often(seed: int, direction: str) -> None:
    human, score, weight = drawn(seed, gaps=True, steps=20)
    score = score if direction == "higher" else 1 - score
    repeated = np.repeat(np.arange(len(human)), weight.astype(int))
    often = judge_of(rows(human[repeated], score[repeated], np.ones(len(repeated))), direction=direction, interval="none")
    judge = judge_of(rows(human, score, weight), direction=direction)
    for found, expected in ((judge.pooled, often.pooled), (judge.criteria["b"], often.criteria["b"])):
        numbers = found.weighted
        assert expected.curve is not None
        assert expected.curve.best is not None
        assert numbers.threshold == expected.curve.best.threshold
        assert numbers.youden_j == pytest.approx(expected.curve.best["youden_j"].value, abs=1e-12)
        for key in ("youden_j", "tpr", "fpr"):
            assert numbers.verdict[key].value == pytest.approx(expected.verdict[key].value, abs=1e-12)
        calibration = expected.curve.calibration
        for key in ("kuiper", "mean_score", "prevalence"):
            assert getattr(numbers.calibration, key) == pytest.approx(getattr(calibration, key), abs=1e-12)
        assert numbers.calibration.of == calibration.of
        assert np.isnan(numbers.calibration.p)


def test_bins_hold_the_decisions_that_they_hold_without_weights() -> None:
    human, score, weight = drawn(4, n=200)
    block = judge_of(rows(human, score, weight)).pooled
    for found, plain in zip(block.weighted.calibration.bins, block.curve.calibration.bins, strict=True):
        assert (found.low, found.high, found.n) == (plain.low, plain.high, plain.n)
        inside = ((score >= found.low - 1e-9) & (score <= found.high + 1e-9)).ravel()
        each = np.repeat(weight, 2)[inside]
        assert found.observed.value == pytest.approx(np.average(human.ravel()[inside], weights=each))
        assert found.mean == pytest.approx(np.average(score.ravel()[inside], weights=each))
        assert found.observed.ends is not None


@pytest.mark.parametrize("how", ["split", "cross"])
def test_a_held_out_cut_is_chosen_and_judged_by_weight(how: str) -> None:
    human, score, weight = drawn(2, n=120)
    apart = np.argsort(np.argsort(score[:, :1], axis=0), axis=0) / 120  # no two items alike, which would be one row
    ratings = metrics.read(rows(human[:, :1], apart, weight))
    found = metrics.roc(ratings, holding_out=how).judges[ratings.judges[0]].pooled.weighted.held_out
    decisions = decisions_of(ratings, ratings.judges[0], "auto", by_weight=True)
    assert len(decisions.worth) == 120

    def gain(part: np.ndarray, called: np.ndarray) -> float:
        rates = [
            np.average(called[part & side], weights=decisions.worth[part & side])
            for side in (decisions.positive, ~decisions.positive)
        ]
        return float(rates[0] - rates[1])

    def best(part: np.ndarray) -> float:
        cuts = [np.inf, *np.unique(decisions.score)[::-1]]
        return cuts[int(np.argmax([round(gain(part, decisions.score >= cut), 12) for cut in cuts]))]

    parts = dealt(decisions.scores()[0], 2 if how == "split" else 5, 0)[:, decisions.unit] > 0
    called = np.zeros(120, bool)
    for tested in parts:
        choosing = ~tested if how == "cross" else parts[0]
        called[tested] = decisions.score[tested] >= best(choosing)
    judged = parts[1] if how == "split" else np.ones(120, bool)
    assert found["youden_j"].value == pytest.approx(gain(judged, called), abs=1e-12)
    assert found["youden_j"].ends[0] < found["youden_j"].value < found["youden_j"].ends[1]


def test_nothing_is_held_out_where_nobody_asks() -> None:
    assert judge_of(rows(*drawn(2)), holding_out="none").pooled.weighted.held_out == {}


@pytest.mark.parametrize("which", ["pooled", "mean"])
def test_the_interval_is_that_of_a_jackknife_by_hand(which: str) -> None:
    human, score, weight = drawn(7, gaps=True)
    judge = judge_of(rows(human, score, weight))

    def value(own: np.ndarray) -> float:
        if which == "pooled":
            return area_by_hand(human, score, own)
        return float(np.mean([area_by_hand(human[:, c], score[:, c], own) for c in range(2)]))

    error = jackknifed_by_weight(weight, value) ** 0.5
    found = judge.pooled.weighted.area if which == "pooled" else judge.mean.weighted
    centre, reach = np.log(value(weight) / (1 - value(weight))), t.ppf(0.975, len(human) - 3) * error
    reach /= value(weight) * (1 - value(weight))
    assert found.ends == pytest.approx((1 / (1 + np.exp(-centre + reach)), 1 / (1 + np.exp(-centre - reach))), abs=1e-9)


def test_alike_items_are_left_out_as_if_they_were_apart() -> None:
    """Items that are alike but for their weight are one kind for each weight."""
    human, score, weight = drawn(3, n=30, steps=5)
    twice = [np.concatenate([side, side]) for side in (human, score)]
    weights = np.concatenate([weight, np.roll(weight, 1)])
    found = judge_of(rows(*twice, weights)).pooled.weighted

    error = jackknifed_by_weight(weights, lambda own: area_by_hand(*twice, own)) ** 0.5
    value = area_by_hand(*twice, weights)
    reach = t.ppf(0.975, len(weights) - 3) * error / (value * (1 - value))
    low = 1 / (1 + np.exp(-np.log(value / (1 - value)) + reach))
    assert found.area.ends[0] == pytest.approx(low, abs=1e-9)
    assert found.n_items == 60


@pytest.mark.parametrize("few", [3, 30])
def test_few_items_of_a_class_widen_an_interval(few: int) -> None:
    rng = np.random.default_rng(1)
    human = (np.arange(100) < few).astype(int)[:, None]
    score = np.clip(0.4 + 0.2 * human + rng.normal(0, 0.15, human.shape), 0, 1)
    found = judge_of(rows(human, score, rng.choice([1.0, 3.0], 100))).pooled.weighted.area
    assert found.interval.method == "weighted jackknife+newcombe"
    assert found.interval.note == f"positives on only {few} of the items"
    perfect = judge_of(rows(human, 0.2 + 0.5 * human, rng.choice([1.0, 3.0], 100))).pooled.weighted.area
    assert perfect.value == 1
    assert perfect.interval.method == "newcombe"
    assert perfect.ends[0] < 0.99


def test_what_has_no_number_says_why() -> None:
    human, score, weight = drawn(1)
    human[:, 0] = 1
    judge = judge_of(rows(human, score, weight))
    assert judge.criteria["a"].weighted.area.undefined == "the reference has no negative among the scored decisions"
    assert judge.mean.weighted.of == (1, 2)
    plain = rows(human, score, weight).decode().replace(",score,", ",note,").encode()
    verdicts = judge_of(plain).pooled.weighted
    assert verdicts.area.undefined == "no score stands beside these verdicts"
    assert verdicts.verdict["youden_j"].ends is not None
    assert judge_of(rows(human, score, weight), interval="none").pooled.weighted.area.ends is None


def test_it_is_written_and_read_back() -> None:
    report = metrics.roc(metrics.read(rows(*drawn(2))))
    document = report.to_dict()
    (judge,) = document["judges"].values()
    assert judge["criteria"]["all"]["weighted"]["auc"]["interval"] is not None
    assert document["declaration"]["weights"] == "weight"
    assert RocReport.from_json(report.to_json()).to_dict() == document
    assert "Weighted by ‘weight’: AUC" in " ".join(report.summary().split())


@pytest.mark.slow("simulates")
def test_areas_are_unbiased_and_covered_where_hard_items_are_drawn_more_often() -> None:
    rng = np.random.default_rng(8)
    n, each, runs = 4000, 60, 300
    hard = rng.random(n) < 0.25
    human = (rng.random(n) < np.where(hard, 0.3, 0.6)).astype(int)
    score = np.round(np.clip(0.5 + np.where(hard, 0.02, 0.3) * (human - 0.5) + rng.normal(0, 0.15, n), 0, 1), 3)
    true = float(roc_auc_score(human, score))
    values, plain, hits = [], [], 0
    for _ in range(runs):
        picked = np.concatenate([rng.choice(np.flatnonzero(part), each, False) for part in (hard, ~hard)])
        worth = np.where(hard[picked], hard.sum() / each, (~hard).sum() / each)
        level, which = levels_of(score[picked])
        scores = Scores(np.arange(2 * each), level, which, human[picked] > 0, 2 * each)
        found = WeightedScores(scores, Behind(scores.unit, worth)).area(0.95)
        values.append(found.value)
        plain.append(roc_auc_score(human[picked], score[picked]))
        hits += found.ends[0] <= true <= found.ends[1]
    assert abs(np.mean(values) - true) < 4 * np.std(values) / runs**0.5
    assert 0.92 <= hits / runs <= 0.985
    assert abs(np.mean(plain) - true) > 0.04


def two(seed: int, n: int = 90) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A label, a number of the reference, and the scores of two judges."""
    rng = np.random.default_rng(seed)
    known = np.round(rng.normal(0, 1, n), 2)
    a, b = (np.round(known + rng.normal(0, spread, n), 2) for spread in (1.5, 0.8))
    return known, a, b, rng.choice([1.0, 2.0, 4.0], n)


def both(known: np.ndarray, a: np.ndarray, b: np.ndarray, weight: np.ndarray, metric: str) -> metrics.Ratings:
    labels = np.where(known > 0, "MET", "UNMET") if metric == "auc" else known
    lines = [f"item,judge,human,{'verdict,score' if metric == 'auc' else 'verdict'},weight"]
    for i, (h, x, y, w) in enumerate(zip(labels, a, b, weight, strict=True)):
        lines += [f"q{i},{name},{h},{'MET,' if metric == 'auc' else ''}{one},{w:.12g}" for name, one in (("A", x), ("B", y))]
    return metrics.read("\n".join(lines).encode(), **({} if metric == "auc" else {"scale": "continuous"}))


def number(metric: str, known: np.ndarray, score: np.ndarray, weight: np.ndarray) -> float:
    if metric == "auc":
        return float(roc_auc_score(known > 0, score, sample_weight=weight))
    if metric == "mae":
        return float(np.average(np.abs(score - known), weights=weight))
    return float(
        np.cov(known, score, aweights=weight)[0, 1] / np.sqrt(np.cov(known, aweights=weight) * np.cov(score, aweights=weight))
    )


@pytest.mark.parametrize("metric", ["auc", "pearson", "mae"])
def test_two_judges_by_their_scores_differ_by_weight(metric: str) -> None:
    known, a, b, weight = two(1)

    def difference(own: np.ndarray) -> float:
        return number(metric, known, b, own) - number(metric, known, a, own)

    found = metrics.compare_scores(both(known, a, b, weight, metric), "A", "B", metric, margin=0.5)
    assert found.weighted.a.value == pytest.approx(number(metric, known, a, weight))
    assert found.weighted.difference.value == pytest.approx(difference(weight))
    by_hand = jackknifed_by_weight(weight, difference) ** 0.5
    near = 1e-6 if metric != "auc" else 0.02  # an area changes with a weight as fast as at the weights given
    assert found.weighted.error == pytest.approx(by_hand, rel=near)
    reach = t.ppf(0.975, len(known) - 3) * found.weighted.error
    assert found.weighted.difference.ends == pytest.approx((difference(weight) - reach, difference(weight) + reach))
    assert found.weighted.held.verdict in ("better", "non-inferior")
    assert any("With every item by ‘weight’ B less A is" in note for note in found.notes)
    assert type(found).from_json(found.to_json()).to_dict() == found.to_dict()
    assert "p" not in found.to_dict()["weighted"]


@pytest.mark.slow("simulates")
def test_the_difference_of_two_areas_is_covered_where_hard_items_are_drawn_more_often() -> None:
    rng = np.random.default_rng(3)
    n, each, runs = 4000, 60, 120
    hard = rng.random(n) < 0.2
    known = rng.normal(0, 1, n)
    a = np.round(known + rng.normal(0, 1, n), 3)
    b = np.round(np.where(hard, -0.5, 1) * known + rng.normal(0, 0.8, n), 3)
    ones = np.ones(n)
    true, values, hits = number("auc", known, b, ones) - number("auc", known, a, ones), [], 0
    for _ in range(runs):
        items = np.concatenate([rng.choice(np.flatnonzero(part), each, False) for part in (hard, ~hard)])
        weight = np.where(hard[items], hard.sum() / each, (~hard).sum() / each)
        found = metrics.compare_scores(both(known[items], a[items], b[items], weight, "auc"), "A", "B", "auc").weighted
        values.append(found.difference.value)
        hits += found.difference.ends[0] <= true <= found.difference.ends[1]
    assert abs(np.mean(values) - true) < 4 * np.std(values) / runs**0.5
    assert 0.89 <= hits / runs <= 0.99

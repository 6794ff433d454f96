"""Two judges by their scores: against leaving out one item literally, DeLong's covariance, and simulation."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import kendalltau, pearsonr, spearmanr, t

import metrics
from metrics.analyses.roc.swapping import swap_p
from metrics.commands.cli import commands
from metrics.errors import InputError
from metrics.measures.transforms import jackknife_error


def drawn(seed: int, n: int = 60, *, noise: tuple[float, float] = (1.0, 0.7), shared: float = 0.5):
    rng = np.random.default_rng(seed)
    human, common = rng.normal(size=n), rng.normal(size=n) * shared
    return human, human + common + rng.normal(size=n) * noise[0], human + common + rng.normal(size=n) * noise[1]


def numbers(human, a, b, *, each: int = 1) -> metrics.Ratings:
    criteria = [f"c{place % each}" for place in range(len(human))]
    lines = ["item,criterion,judge,human_score,score,human,verdict"]
    for place, (h, x, y, criterion) in enumerate(zip(human, a, b, criteria, strict=True)):
        label = "yes" if h > 0 else "no"
        lines += [
            f"q{place // each},{criterion},{name},{h!r},{v!r},{label},yes" for name, v in (("A", float(x)), ("B", float(y)))
        ]
    return metrics.read("\n".join(lines).replace("np.float64(", "").replace(")", "").encode())


def value(metric: str, human, score) -> float:
    if metric == "auc":
        up, down = score[human > 0], score[human <= 0]
        return float((up[:, None] > down).mean() + (up[:, None] == down).mean() / 2)
    return {
        "pearson": lambda: pearsonr(human, score)[0], "spearman": lambda: spearmanr(human, score)[0],
        "kendall_tau_b": lambda: kendalltau(human, score)[0], "mae": lambda: np.abs(human - score).mean(),
        "rmse": lambda: np.sqrt(((human - score) ** 2).mean()),
    }[metric]()  # fmt: skip


@pytest.mark.parametrize("metric", ["pearson", "mae", "rmse"])
@pytest.mark.parametrize("each", [1, 3])
def test_difference_and_error_are_those_of_leaving_out_one_item(metric: str, each: int) -> None:
    human, a, b = drawn(1, 60)
    found = metrics.compare_scores(numbers(human, a, b, each=each), "A", "B", metric)
    expected = value(metric, human, b) - value(metric, human, a)
    item = np.arange(60) // each
    left = [
        value(metric, human[item != i], b[item != i]) - value(metric, human[item != i], a[item != i]) for i in range(60 // each)
    ]
    error = float(jackknife_error(np.array(left), np.ones(60 // each)))
    assert found.difference.value == pytest.approx(expected)
    assert found.error == pytest.approx(error, rel=1e-6)
    reach = t.ppf(0.975, 60 // each - 1) * error
    assert found.difference.ends == pytest.approx((expected - reach, expected + reach), rel=1e-5)


def test_the_error_of_an_auc_is_that_of_delong() -> None:
    human, a, b = drawn(2, 80)
    found = metrics.compare_scores(numbers(human, a, b), "A", "B", "auc")
    assert found.difference.value == pytest.approx(value("auc", human, b) - value("auc", human, a))
    ups, downs = [], []
    for score in (a, b):
        wins = (score[human > 0][:, None] > score[human <= 0]).astype(float)
        ups.append(wins.mean(1))
        downs.append(wins.mean(0))
    m, n = len(ups[0]), len(downs[0])
    covariance = np.cov(ups) / m + np.cov(downs) / n
    expected = float(np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]))
    assert found.error == pytest.approx(expected, rel=0.02)


@pytest.mark.slow("long runs of each metric")
@pytest.mark.parametrize("metric", ["pearson", "spearman", "kendall_tau_b", "mae", "auc"])
def test_intervals_cover_the_difference_of_long_runs(metric: str) -> None:
    human, a, b = drawn(3, 40_000)
    part = slice(None, 4000) if metric in ("kendall_tau_b", "auc") else slice(None)
    true = value(metric, human[part], b[part]) - value(metric, human[part], a[part])
    hits, runs = 0, 100
    for seed in range(runs):
        found = metrics.compare_scores(numbers(*drawn(100 + seed, 70)), "A", "B", metric)
        assert found.difference.ends is not None
        hits += found.difference.ends[0] <= true <= found.difference.ends[1]
    assert 0.89 <= hits / runs <= 1.0


def test_less_distance_is_better_and_a_margin_is_held_on_that_side() -> None:
    human, a, b = drawn(4, 400, noise=(1.0, 0.3))
    found = metrics.compare_scores(numbers(human, a, b), "A", "B", "mae", margin=0.1)
    assert found.difference.value < 0
    assert found.winner == "B"
    assert found.held is not None
    assert found.held.holds
    turned = metrics.compare_scores(numbers(human, a, b), "B", "A", "mae", margin=0.01)
    assert turned.held is not None
    assert not turned.held.holds
    assert "B is better than A in" in found.reading
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["margin"]["holds"] is True
    assert type(found).from_json(found.to_json()).to_dict() == found.to_dict()


def test_equal_scores_are_not_separated() -> None:
    human, a, _ = drawn(5, 40)
    found = metrics.compare_scores(numbers(human, a, a), "A", "B")
    assert found.difference.value == 0
    assert "no item separates them" in found.summary()


def test_one_label_has_no_area_and_says_so() -> None:
    human, a, b = drawn(6, 40)
    found = metrics.compare_scores(numbers(np.abs(human) + 0.1, a, b), "A", "B", "auc")
    assert np.isnan(found.difference.value)
    assert "one label only" in found.reading


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ({"metric": "luck"}, "Scores are not compared by"), ({"b": "A"}, "cannot be compared with itself"),
        ({"criterion": "x"}, "no criterion is called"), ({"margin": 0.0}, "margin must lie above 0"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_refused(how: dict[str, object], text: str) -> None:
    with pytest.raises(InputError, match=text):
        metrics.compare_scores(numbers(*drawn(7, 30)), **{"a": "A", "b": "B", **how})


def test_the_command_takes_a_number_of_scores(tmp_path: Path) -> None:
    human, a, b = drawn(8, 50)
    file = tmp_path / "scores.csv"
    rows = ["item,judge,human,verdict"]
    for i, (h, x, y) in enumerate(zip(human, a, b, strict=True)):
        rows += [f"q{i},{name},{h:.6f},{v:.6f}" for name, v in (("A", x), ("B", y))]
    file.write_text("\n".join(rows))
    line = ["compare", str(file), "--scale", "continuous", "--a", "A", "--b", "B", "--metric", "pearson", "--json"]
    found = CliRunner().invoke(commands, line)
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["difference"] == pytest.approx(
        value("pearson", human, b) - value("pearson", human, a), abs=1e-4
    )
    refused = CliRunner().invoke(commands, [*line, "--level", "item"])
    assert isinstance(refused.exception, InputError)


@pytest.mark.parametrize("metric", ["pearson", "spearman", "mae", "auc"])
def test_a_mean_over_criteria_leaves_an_item_out_of_all_of_them(metric: str) -> None:
    human, a, b = drawn(3, 90)
    found = metrics.compare_scores(numbers(human, a, b, each=3), "A", "B", metric, level="macro")
    item, criterion = np.arange(90) // 3, np.arange(90) % 3

    def mean_difference(kept: np.ndarray) -> float:
        parts = [kept & (criterion == place) for place in range(3)]
        return float(np.mean([value(metric, human[part], b[part]) - value(metric, human[part], a[part]) for part in parts]))

    left = np.array([mean_difference(item != left_out) for left_out in range(30)])
    assert (found.n_criteria, found.n_items, found.n) == (3, 30, 90)
    assert found.difference.value == pytest.approx(mean_difference(item >= 0))
    tolerance = 1e-6 if metric in ("pearson", "mae") else 0.05
    assert found.error == pytest.approx(float(jackknife_error(left, np.ones(30))), rel=tolerance)
    assert "as the mean over 3 criteria" in found.reading
    assert found.to_dict()["level"] == "macro"


def test_a_criterion_without_a_value_is_in_neither_mean() -> None:
    human, a, b = drawn(4, 60)
    a[::2] = 1.0
    found = metrics.compare_scores(numbers(human, a, b, each=2), "A", "B", level="macro")
    assert found.n_criteria == 1
    assert found.difference.value == pytest.approx(
        value("pearson", human[1::2], b[1::2]) - value("pearson", human[1::2], a[1::2])
    )
    human[:] = 1.0
    assert not metrics.compare_scores(numbers(human, a, b, each=2), "A", "B", level="macro").difference.defined


def test_one_criterion_has_one_level() -> None:
    human, a, b = drawn(5)
    micro, macro = (metrics.compare_scores(numbers(human, a, b), "A", "B", level=level) for level in ("micro", "macro"))
    assert (macro.difference, macro.error, macro.n_criteria) == (micro.difference, micro.error, 0)


def test_among_many_judges_the_interval_is_wider() -> None:
    human, a, b = drawn(6, 200, noise=(1.0, 0.6))
    found = metrics.compare_scores(numbers(human, a, b), "A", "B")
    df = found.n_items - 1
    p = 2 * t.sf(abs(found.difference.value) / found.error, df)
    for n_judges in (2, 3, 10, 40):
        told = p < 0.05 / (n_judges * (n_judges - 1) / 2)
        assert bool(found.winner_among(n_judges)) == told
    assert found.winner_among(2) == found.winner == "B"
    assert found.winner_among(200) == ""


def ccc(x: np.ndarray, y: np.ndarray) -> float:
    return float(2 * np.cov(x, y, bias=True)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2))


DEFINITIONS = {
    "pearson": lambda x, y: float(np.corrcoef(x, y)[0, 1]),
    "ccc": ccc,
    "rmse": lambda x, y: float(np.sqrt(((x - y) ** 2).mean())),
}


@pytest.mark.parametrize("metric", DEFINITIONS)
@pytest.mark.parametrize("averaged", [False, True])
def test_the_swapping_of_judges_against_all_ways(metric: str, averaged: bool) -> None:
    rng = np.random.default_rng(17)
    item = np.repeat(np.arange(8), 2)
    on = np.tile([0, 1], 8) if averaged else np.zeros(16, np.int64)
    known = rng.normal(size=16)
    scores = known + rng.normal(size=16) * 0.4, known + rng.normal(size=16) * 0.9

    def difference(a: np.ndarray, b: np.ndarray) -> float:
        groups = [on == code for code in np.unique(on)]
        each = [DEFINITIONS[metric](known[here], b[here]) - DEFINITIONS[metric](known[here], a[here]) for here in groups]
        return float(np.mean(each))

    ways = []
    for swaps in itertools.product([False, True], repeat=8):
        swapped = np.array(swaps)[item]
        ways.append(difference(np.where(swapped, scores[1], scores[0]), np.where(swapped, scores[0], scores[1])))
    exact = np.mean(np.abs(ways) >= abs(difference(*scores)) - 1e-9)
    p = swap_p(metric, known, scores, item, on)
    assert p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 1_999) + 5e-4)
    in_other_units = scores[0] * 100 + 7, scores[1] * 0.01 - 3
    same = swap_p(metric, known, in_other_units, item, on) == pytest.approx(p, abs=0.15)
    assert same or metric != "pearson"


def test_a_few_items_far_off_make_no_winner() -> None:
    rng = np.random.default_rng(2)
    known = rng.normal(0, 3, 40)
    a, b = known + rng.normal(size=40), known + rng.normal(size=40)
    b[[3, 11, 30]] += (70, -55, 60)
    sides = (("h", "human", known), ("a", "judge", a), ("b", "judge", b))
    lines = [f"i{place},{rater},{role},{at}" for rater, role, of in sides for place, at in enumerate(of.tolist())]
    ratings = metrics.read("\n".join(["item,rater,role,label", *lines]).encode(), scale="continuous")
    found = metrics.compare_scores(ratings, "a", "b")
    assert found.difference.ends[1] < 0
    assert found.p_swap > 0.1
    assert (found.winner, found.winner_among(4)) == ("", "")
    assert "A few items carry it" in found.reading
    assert found.to_dict()["p_swap"] == found.p_swap
    overview = metrics.overview(ratings)
    assert "No significant difference shows from b." in overview.summary().replace("\n    ", " ")
    alone = metrics.overview(ratings, judges=["b"]).summary().replace("\n    ", " ")
    assert "a few numbers far off lower r." in alone
    assert "far off" not in metrics.overview(ratings, judges=["a"]).summary()
    assert math.isnan(metrics.compare_scores(ratings, "a", "b", "spearman").p_swap)


def test_a_judge_that_is_better_stays_better() -> None:
    rng = np.random.default_rng(4)
    known = rng.normal(0, 3, 60)
    scores = known + rng.normal(size=60), known + rng.normal(0, 6, 60)
    for metric in DEFINITIONS:
        assert swap_p(metric, known, scores, np.arange(60), np.zeros(60, np.int64)) <= 0.001

"""Weights of items in ordered labels and numbers: against repeated rows, a jackknife by hand, and simulation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score, mean_absolute_error

import metrics
from metrics.analyses.scores.result import ScoresReport
from metrics.measures.ranks import Ranked
from tests.conftest import jackknifed_by_weight

CRITERIA = ("a", "b")
STEPS = {"scale": "ordinal"}
NUMBERS = {"scale": "continuous"}


def rows(human: np.ndarray, judge: np.ndarray, weight: np.ndarray) -> bytes:
    """Write numbers of shape (n, C); NaN is none."""
    lines = ["item,criterion,human,verdict,weight"]
    for i, (h, j, w) in enumerate(zip(human, judge, weight, strict=True)):
        lines += [
            f"q{i},{c},{one:g},{other:g},{w:.12g}" for c, one, other in zip(CRITERIA, h, j, strict=True) if np.isfinite(one)
        ]
    return "\n".join(lines).encode()


def steps(seed: int, n: int = 80, *, gaps: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    human = np.clip(np.round(rng.normal([3, 3.5], 1.2, (n, 2))), 1, 5)
    judge = np.clip(human + rng.choice([-1, 0, 0, 0, 1, 2], (n, 2)), 1, 5)
    if gaps:
        human[: n // 4, 0], human[n // 4 : n // 2, 1] = np.nan, np.nan
    return human, judge, rng.choice([1.0, 2.0, 4.0], n)


def reals(seed: int, n: int = 60, *, gaps: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    human = np.round(rng.normal(0, 1, (n, 2)) + rng.normal(0, 0.5, (n, 1)), 2)
    judge = np.round(0.8 * human + 0.3 + rng.normal(0, 0.6, (n, 2)) ** 3, 2)
    if gaps:
        human[: n // 4, 0], human[n // 4 : n // 2, 1] = np.nan, np.nan
    return human, judge, rng.choice([1.0, 2.0, 4.0], n)


def judge_of(content: bytes, how: dict[str, str], **choices):
    (judge,) = metrics.scores(metrics.read(content, **how), **choices).judges.values()
    return judge


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("made", "how"), [(steps, STEPS), (reals, NUMBERS)], ids=["labels", "numbers"])
def test_every_number_is_that_of_items_repeated_as_often(
    made: Callable[..., tuple[np.ndarray, ...]], how: dict[str, str], seed: int, gaps: bool
) -> None:
    human, judge, weight = made(seed, gaps=gaps)
    repeated = np.repeat(np.arange(len(human)), weight.astype(int))
    often = judge_of(rows(human[repeated], judge[repeated], np.ones(len(repeated))), how, interval="none")
    numbers = judge_of(rows(human, judge, weight), how).weighted
    assert set(numbers.estimates) == set(often.pooled.values)
    by_n = {"bias_sd", "bias_d", "bias_p", "icc_2_1", "loa_low", "loa_high", "ccc"}
    for key in set(numbers.estimates) - by_n:
        assert numbers.estimates[key].value == pytest.approx(often.pooled.values[key], abs=1e-12), key
        assert numbers.macro[key].value == pytest.approx(often.mean.values[key], abs=1e-12), key
        for name in CRITERIA:
            expected = often.criteria[name].values[key]
            assert numbers.criteria[name].estimates[key].value == pytest.approx(expected, abs=1e-12), key
    for key in by_n & set(numbers.estimates) - {"bias_p"}:
        assert numbers.estimates[key].value == pytest.approx(often.pooled.values[key], rel=0.03), key


def test_labels_are_those_of_scikit_learn() -> None:
    human, judge, weight = steps(5)
    numbers = judge_of(rows(human, judge, weight), STEPS).weighted
    x, y, w = human.ravel(), judge.ravel(), np.repeat(weight, 2)
    for key, kind in (("weighted_kappa_quadratic", "quadratic"), ("weighted_kappa_linear", "linear"), ("kappa", None)):
        assert numbers.estimates[key].value == pytest.approx(cohen_kappa_score(x, y, weights=kind, sample_weight=w))
    assert numbers.estimates["mae"].value == pytest.approx(mean_absolute_error(x, y, sample_weight=w))
    assert numbers.estimates["bias"].value == pytest.approx(np.average(y - x, weights=w))


@pytest.mark.parametrize("scale", [1.0, 0.37])
def test_numbers_do_not_change_with_the_unit_of_weights(scale: float) -> None:
    human, judge, weight = reals(3)
    one, other = (judge_of(rows(human, judge, weight * by), NUMBERS).weighted for by in (1.0, scale))
    for key, expected in one.estimates.items():
        assert other.estimates[key].value == pytest.approx(expected.value, abs=1e-8), key
        assert other.estimates[key].ends == (expected.ends if expected.ends is None else pytest.approx(expected.ends, abs=1e-7))


def test_a_spread_takes_items_for_as_many_as_they_are_worth() -> None:
    human, judge, weight = reals(2)
    human[:, 1] = np.nan
    numbers = judge_of(rows(human, judge, weight), NUMBERS).weighted
    away = (judge - human)[:, 0]
    worth = weight.sum() ** 2 / (weight**2).sum()
    bias = np.average(away, weights=weight)
    assert numbers.n_effective == pytest.approx(worth)
    expected = np.sqrt(np.average((away - bias) ** 2, weights=weight) * worth / (worth - 1))
    assert numbers.estimates["bias_sd"].value == pytest.approx(expected)
    assert numbers.estimates["loa_low"].value == pytest.approx(bias - stats.norm.ppf(0.975) * expected)


def correlation(kind: str, x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> float:
    """Return a correlation in which every pair has a weight, from its definition."""
    if kind == "kendall_tau_b":
        sides = [np.sign(side[:, None] - side[None, :]) for side in (x, y)]
        both = weight[:, None] * weight[None, :]
        return float((both * sides[0] * sides[1]).sum() / np.sqrt((both * sides[0] ** 2).sum() * (both * sides[1] ** 2).sum()))
    if kind == "spearman":
        x, y = ((np.sign(side[:, None] - side[None, :]) * weight[None, :]).sum(1) for side in (x, y))
    return float(np.cov(x, y, aweights=weight)[0, 1] / np.sqrt(np.cov(x, aweights=weight) * np.cov(y, aweights=weight)))


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("kind", ["pearson", "spearman", "kendall_tau_b"])
def test_correlations_are_those_of_their_definitions(kind: str, whole: bool) -> None:
    human, judge, weight = reals(4)
    weight = weight if whole else weight * np.pi
    found = judge_of(rows(human, judge, weight), NUMBERS).weighted
    for place, name in enumerate(CRITERIA):
        expected = correlation(kind, human[:, place], judge[:, place], weight)
        assert found.criteria[name].estimates[kind].value == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("few", [4, 400])
@pytest.mark.parametrize("kind", ["spearman", "kendall_tau_b"])
def test_slopes_are_those_of_small_changes_of_a_weight(kind: str, few: int) -> None:
    rng = np.random.default_rng(0)
    x, y, weight = rng.integers(0, few, 50), rng.integers(0, few, 50), rng.integers(1, 6, 50)
    slopes = getattr(Ranked.of(x, y, weight), f"{kind}_slopes")()
    assert weight @ slopes == pytest.approx(0, abs=1e-9)
    for place in range(0, 50, 7):
        up, down = weight.astype(float), weight.astype(float)
        up[place] += 1e-4
        down[place] -= 1e-4
        change = (correlation(kind, x, y, up) - correlation(kind, x, y, down)) / 2e-4
        assert slopes[place] == pytest.approx(change, abs=1e-7)


@pytest.mark.parametrize("level", ["pooled", "mean"])
@pytest.mark.parametrize("kind", ["pearson", "spearman", "kendall_tau_b"])
def test_intervals_are_those_of_a_jackknife_by_hand(kind: str, level: str) -> None:
    human, judge, weight = reals(6, gaps=True, n=120)
    known = np.isfinite(human)

    def value(own: np.ndarray) -> float:
        every = np.repeat(own[:, None], 2, axis=1)
        if level == "pooled":
            return correlation(kind, human[known], judge[known], every[known])
        return float(np.mean([correlation(kind, *(side[known[:, c], c] for side in (human, judge, every))) for c in range(2)]))

    numbers = judge_of(rows(human, judge, weight), NUMBERS).weighted
    found = (numbers.estimates if level == "pooled" else numbers.macro)[kind]
    reach = stats.t.ppf(0.975, len(weight) - 3) * jackknifed_by_weight(weight, value) ** 0.5 / (1 - value(weight) ** 2)
    expected = np.tanh(np.arctanh(value(weight)) - reach), np.tanh(np.arctanh(value(weight)) + reach)
    near = 1e-8 if kind == "pearson" else 0.004  # rank correlations change with a weight as fast as at the weights given
    assert found.ends == pytest.approx(expected, abs=near)


def test_a_mean_of_labels_leaves_one_item_out_of_all_criteria() -> None:
    human, judge, weight = steps(7, n=90)
    numbers = judge_of(rows(human, judge, weight), STEPS).weighted

    def value(own: np.ndarray) -> float:
        kappas = [cohen_kappa_score(human[:, c], judge[:, c], weights="quadratic", sample_weight=own) for c in range(2)]
        return float(np.mean(kappas))

    reach = stats.t.ppf(0.975, len(weight) - 3) * jackknifed_by_weight(weight, value) ** 0.5 / (1 - value(weight) ** 2)
    expected = np.tanh(np.arctanh(value(weight)) - reach), np.tanh(np.arctanh(value(weight)) + reach)
    assert numbers.macro["weighted_kappa_quadratic"].ends == pytest.approx(expected, abs=1e-9)


def test_what_agreement_has_too_has_one_interval() -> None:
    content = rows(*steps(1))
    numbers = judge_of(content, STEPS).weighted
    (other,) = metrics.agreement(metrics.read(content, **STEPS)).judges.values()
    for mine, theirs in (("kappa", "kappa"), ("exact_agreement", "accuracy")):
        assert numbers.estimates[mine] == other.weighted.estimates[theirs]
        assert numbers.macro[mine] == other.weighted.macro[theirs]
        assert numbers.criteria["b"].estimates[mine] == other.weighted.criteria["b"].estimates[theirs]


@pytest.mark.parametrize("errors", [0, 2])
def test_few_errors_widen_an_interval_and_distances_stay_on_the_scale(errors: int) -> None:
    human = np.tile([[1.0, 5.0], [5.0, 1.0], [3.0, 3.0]], (20, 1))
    judge = human.copy()
    judge[:errors] = 3
    numbers = judge_of(rows(human, judge, np.repeat([1.0, 3.0], 30)), STEPS).weighted
    for key in ("exact_agreement", "weighted_kappa_quadratic"):
        assert "dirichlet" in numbers.estimates[key].interval.method
        assert numbers.estimates[key].ends[0] < 0.99
    assert numbers.estimates["mae"].ends[0] >= 0
    assert numbers.estimates["rmse"].ends[1] <= 4
    assert ("dirichlet" in numbers.estimates["mae"].interval.method) is (errors == 0)


def test_few_items_have_no_interval() -> None:
    numbers = judge_of(rows(*(side[:3] for side in reals(1)[:2]), np.array([1.0, 2.0, 2.0])), NUMBERS).weighted
    assert all(one.ends is None for one in numbers.estimates.values())
    constant = judge_of(rows(np.ones((20, 2)), np.ones((20, 2)) * 2, np.tile([1.0, 2.0], 10)), NUMBERS).weighted
    assert constant.estimates["bias"].value == 1
    assert constant.estimates["pearson"].undefined
    assert constant.estimates["bias_p"].undefined == "the mean difference is the same in all items"


@pytest.mark.parametrize(("made", "how"), [(steps, STEPS), (reals, NUMBERS)], ids=["labels", "numbers"])
def test_it_is_written_and_read_back(made: Callable[..., tuple[np.ndarray, ...]], how: dict[str, str]) -> None:
    report = metrics.scores(metrics.read(rows(*made(2)), **how))
    document = report.to_dict()
    (judge,) = document["judges"].values()
    assert judge["criteria"]["a"]["weighted"]["n_items"] == len(made(2)[0])
    assert judge["mean_over_criteria"]["weighted"]["intervals"]["rmse"][0] > 0
    assert ScoresReport.from_json(report.to_json()).to_dict() == document
    groups = metrics.scores(metrics.read(rows(*made(2)), **how), interval="none")
    (without,) = groups.judges.values()
    assert without.weighted.to_dict()["intervals"] == {}


@pytest.mark.slow("many samples of each kind")
@pytest.mark.parametrize("kind", ["labels", "numbers"])
def test_numbers_are_unbiased_and_covered_where_hard_items_are_drawn_more_often(kind: str) -> None:
    rng = np.random.default_rng(12)
    n, each, runs = 4000, 60, 150
    hard = rng.random(n) < 0.25
    human = rng.normal(3, 1, n)
    judge = human + rng.normal(0, 1, n) * np.where(hard, 1.5, 0.3) + 0.4 * hard
    how = NUMBERS if kind == "numbers" else STEPS
    human, judge = (np.clip(np.round(side), 1, 5) if kind == "labels" else np.round(side, 3) for side in (human, judge))
    keys = (
        ("weighted_kappa_quadratic", "spearman", "bias", "rmse")
        if kind == "labels"
        else ("pearson", "spearman", "kendall_tau_b", "ccc", "bias", "rmse")
    )

    def lines(items: np.ndarray, weight: np.ndarray) -> bytes:
        text = [f"q{i},{human[i]:g},{judge[i]:g},{w:.9g}" for i, w in zip(items, weight, strict=True)]
        return "\n".join(["item,human,verdict,weight", *text]).encode()

    whole = judge_of(lines(np.arange(n), np.ones(n)), how, interval="none").pooled.values
    values, hits, plain = {key: [] for key in keys}, dict.fromkeys(keys, 0), []
    for _ in range(runs):
        picked = np.concatenate([rng.choice(np.flatnonzero(part), each, False) for part in (hard, ~hard)])
        found = judge_of(lines(picked, np.where(hard[picked], hard.sum() / each, (~hard).sum() / each)), how)
        plain.append(found.pooled.values[keys[0]])
        for key in keys:
            one = found.weighted.estimates[key]
            values[key].append(one.value)
            hits[key] += one.ends[0] <= whole[key] <= one.ends[1]
    for key in keys:
        assert abs(np.mean(values[key]) - whole[key]) < 4 * np.std(values[key]) / runs**0.5 + 0.01, key
        assert 0.89 <= hits[key] / runs <= 0.993, (key, hits[key] / runs)
    assert abs(np.mean(plain) - whole[keys[0]]) > 0.05


def verdicts(seed: int, criteria: int = 3, n: int = 70) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    human = rng.random((n, criteria)) < 0.6
    return human, human ^ (rng.random((n, criteria)) < 0.2), rng.choice([1.0, 2.0, 4.0], n)


def said(human: np.ndarray, judge: np.ndarray, weight: np.ndarray) -> bytes:
    """Write verdicts, of which the judge leaves those of the first items on the last criterion open."""
    lines = ["item,criterion,human,verdict,weight"]
    for i, (h, j, w) in enumerate(zip(human, judge, weight, strict=True)):
        for c, (one, other) in enumerate(zip(h, j, strict=True)):
            left_open = c == 2 and one and other and i % 3 == 0
            verdict = "CANNOT_ASSESS" if left_open else ("UNMET", "MET")[int(other)]
            lines.append(f"q{i},c{c},{('UNMET', 'MET')[int(one)]},{verdict},{w:g}")
    return "\n".join(lines).encode()


@pytest.mark.parametrize("seed", range(3))
def test_item_scores_are_those_of_items_repeated_as_often(seed: int) -> None:
    human, judge, weight = verdicts(seed)
    # which verdicts are open is told by the place of an item, so that the repeated ones are three times as far apart
    repeated = np.concatenate([np.repeat(i, int(w)) for i, w in enumerate(weight)])
    content = said(human, judge, weight).decode().splitlines()
    often = [content[0]]
    for again, i in enumerate(repeated):
        often += [f"r{again},{line.partition(',')[2].rsplit(',', 1)[0]},1" for line in content[1 + 3 * i : 4 + 3 * i]]
    (expected,) = metrics.item_scores(metrics.read("\n".join(often).encode()), interval="none").judges.values()
    (found,) = metrics.item_scores(metrics.read("\n".join(content).encode())).judges.values()
    for level in ("all", "complete"):
        numbers, plain = getattr(found, level).weighted, getattr(expected, level)
        assert numbers.n_items == getattr(found, level).n
        for key in ("pearson", "spearman", "kendall_tau_b", "rmse", "mae", "bias", "icc_3_1"):
            assert numbers.estimates[key].value == pytest.approx(plain.measures[key].value, abs=1e-12), key
            assert numbers.estimates[key].ends is not None
    assert found.all.weighted.n_items > found.complete.weighted.n_items


def test_an_item_score_of_one_criterion_has_the_interval_of_its_labels() -> None:
    human, judge, weight = verdicts(2, criteria=1)
    ratings = metrics.read(said(human, judge, weight))
    (items,) = metrics.item_scores(ratings).judges.values()
    (labels,) = metrics.scores(ratings, order=["UNMET", "MET"], values={"UNMET": 0, "MET": 1}).judges.values()
    assert items.all.weighted.estimates["mae"].ends == labels.weighted.estimates["mae"].ends
    assert items.all.weighted.estimates["mae"].ends is not None


def test_item_scores_stay_between_0_and_1() -> None:
    human, _, weight = verdicts(3, criteria=2, n=20)
    human[:, 1] = human[:, 0]
    judge = ~human
    judge[:3, 0] ^= True
    (found,) = metrics.item_scores(metrics.read(said(human, judge, weight))).judges.values()
    assert 0.8 < found.all.weighted.estimates["rmse"].value < 1
    assert found.all.weighted.estimates["rmse"].ends[1] == 1
    assert found.all.weighted.estimates["mae"].ends[1] == 1

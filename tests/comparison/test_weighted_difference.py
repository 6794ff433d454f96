"""Two judges on items that stand for more or fewer others: against repeated items, and by simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import t
from sklearn.metrics import cohen_kappa_score

import metrics
from metrics.analyses.comparison.margin import growth, growth_of_parts
from metrics.analyses.comparison.tables import readings
from metrics.analyses.item_weights import Strata
from metrics.figures.of_reports import forest_rows
from metrics.measures.transforms import jackknife_error
from tests.conftest import jackknifed_by_weight
from tests.metrics.test_weights_of_groups import rows as groups_of_items


def ratings_of(human, a, b, weight, criteria: int = 1) -> metrics.Ratings:
    lines = ["item,criterion,human,judge,verdict,weight"]
    for place, (h, x, y, w) in enumerate(zip(human, a, b, weight, strict=True)):
        said = [("yes" if one else "no") for one in (h, x, y)]
        for name, verdict in (("A", said[1]), ("B", said[2])):
            lines.append(f"q{place // criteria},c{place % criteria},{said[0]},{name},{verdict},{w:g}")
    return metrics.read("\n".join(lines).encode())


def drawn(seed: int, n: int = 80):
    rng = np.random.default_rng(seed)
    human = rng.random(n) < 0.5
    return human, human ^ (rng.random(n) < 0.3), human ^ (rng.random(n) < 0.15)


@pytest.mark.parametrize(
    ("metric", "level"),
    [("accuracy", "item"), ("kappa", "item"), ("accuracy", "micro"), ("kappa", "macro"), ("kappa_within", "micro")],
)
def test_the_difference_is_that_of_items_repeated_as_often(metric: str, level: str) -> None:
    rng = np.random.default_rng(1)
    human, a, b = drawn(1)
    weight = np.repeat(rng.choice([1, 2, 4], 40), 2)
    found = metrics.compare(ratings_of(human, a, b, weight, 2), "A", "B", metric, level=level, replicates=9).weighted
    assert found is not None
    places = np.concatenate([np.tile([2 * i, 2 * i + 1], weight[2 * i]) for i in range(40)])
    repeated = ratings_of(human[places], a[places], b[places], np.ones(len(places)), 2)
    expected = metrics.compare(repeated, "A", "B", metric, level=level, replicates=9)
    assert found.difference.value == pytest.approx(expected.difference.value)
    assert (found.a.value, found.b.value) == pytest.approx((expected.a.estimate.value, expected.b.estimate.value))
    assert found.n_items == 40
    assert found.n_effective == pytest.approx(weight[::2].sum() ** 2 / (weight[::2] ** 2).sum())


def test_equal_weights_change_no_digit() -> None:
    human, a, b = drawn(2)
    alike = metrics.compare(ratings_of(human, a, b, np.full(80, 3.0)), "A", "B", replicates=9)
    assert alike.weighted is None
    other = metrics.compare(ratings_of(human, a, b, np.ones(80)), "A", "B", replicates=9)
    assert alike.to_dict()["difference"] == other.to_dict()["difference"]


def test_it_is_declared_said_and_written() -> None:
    human, a, b = drawn(3)
    found = metrics.compare(ratings_of(human, a, b, np.tile([1.0, 3.0], 40)), "A", "B", replicates=9)
    document = found.to_dict()
    assert document["declaration"]["weights"] == "weight"
    assert document["weighted"]["interval"] is not None
    assert any(note.startswith("With every item by ‘weight’") for note in found.notes)
    assert not any("is not used" in text for text in found.cautions)
    assert metrics.Comparison.from_json(found.to_json()).to_dict() == document


@pytest.mark.slow("many samples")
def test_the_interval_covers_where_items_on_which_judges_differ_are_drawn_more_often() -> None:
    rng = np.random.default_rng(4)
    n = 3000
    human = rng.random(n) < 0.5
    a, b = human ^ (rng.random(n) < 0.12), human ^ (rng.random(n) < 0.08)
    differ = a != b
    true = float((b == human).mean() - (a == human).mean())
    hits, values, runs = 0, [], 150
    for _ in range(runs):
        picked = np.concatenate([rng.choice(np.flatnonzero(differ), 60, False), rng.choice(np.flatnonzero(~differ), 60, False)])
        weight = np.where(differ[picked], differ.sum() / 60, (~differ).sum() / 60)
        found = metrics.compare(ratings_of(human[picked], a[picked], b[picked], weight), "A", "B", "accuracy", replicates=9)
        assert found.weighted is not None
        ends = found.weighted.difference.ends
        assert ends is not None
        values.append(found.weighted.difference.value)
        hits += ends[0] <= true <= ends[1]
    assert abs(np.mean(values) - true) < 4 * np.std(values) / runs**0.5
    assert 0.9 <= hits / runs <= 1.0


def few_apart(n: int = 30, apart: int = 8) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Judges that differ on a few items only, so that all swaps are tried."""
    rng = np.random.default_rng(5)
    human, weight = rng.random(n) < 0.5, rng.choice([1.0, 2.5, 6.0], n)
    a = human ^ (rng.random(n) < 0.2)
    b = a.copy()
    b[:apart] ^= True
    return human, a, b, weight


def test_all_swaps_are_those_of_signs_of_weighted_differences() -> None:
    human, a, b, weight = few_apart()
    found = metrics.compare(ratings_of(human, a, b, weight), "A", "B", "accuracy").weighted
    each = weight * ((b == human).astype(float) - (a == human))
    differ = each[each != 0]
    signs = np.array(list(product([1, -1], repeat=len(differ))))
    assert found.difference.value == pytest.approx(each.sum() / weight.sum())
    assert found.p == pytest.approx(np.mean(np.abs(signs @ differ) >= abs(differ.sum()) - 1e-9))
    kappa = metrics.compare(ratings_of(human, a, b, weight), "A", "B", "kappa").weighted
    swapped = []
    for sign in signs:
        turned = np.zeros(len(human), bool)
        turned[np.flatnonzero(each)] = sign < 0
        sides = np.where(turned, b, a), np.where(turned, a, b)
        one, other = (cohen_kappa_score(human, side, sample_weight=weight) for side in sides)
        swapped.append(other - one)
    assert kappa.p == pytest.approx(np.mean(np.abs(swapped) >= abs(kappa.difference.value) - 1e-9))


def test_a_t_test_of_accuracy_takes_the_place_of_mcnemars() -> None:
    human, a, b = drawn(6)
    weight = np.tile([1.0, 3.0, 3.0, 1.0], 20)
    found = metrics.compare(ratings_of(human, a, b, weight), "A", "B", "kappa", replicates=9)
    each = (b == human).astype(float) - (a == human)
    error = jackknifed_by_weight(weight, lambda own: float(own @ each / own.sum())) ** 0.5
    assert found.weighted.accuracy == pytest.approx(weight @ each / weight.sum())
    assert found.weighted.p_accuracy == pytest.approx(2 * t.sf(abs(found.weighted.accuracy / error), len(human) - 2))
    assert found.mcnemar is not None
    assert any("McNemar’s test takes no weights; a t test of accuracy by weight gives p" in note for note in found.notes)
    same = metrics.compare(ratings_of(human, a, a, weight), "A", "B", "kappa", replicates=9).weighted
    assert same.p == 1
    assert np.isnan(same.p_accuracy)


@pytest.mark.slow("many samples")
def test_neither_test_rejects_too_often() -> None:
    """Judges that are alike on every item, of which those of one weight are drawn more often, and are harder."""
    rng, low = np.random.default_rng(9), np.zeros(2)
    runs, n = 200, 80
    for _ in range(runs):
        hard = np.arange(n) < n // 2
        human = rng.random(n) < 0.5
        a, b = (human ^ (rng.random(n) < np.where(hard, 0.4, 0.1)) for _ in "AB")
        found = metrics.compare(ratings_of(human, a, b, np.where(hard, 1.0, 5.0)), "A", "B", "accuracy", replicates=199, rng=rng)
        low += [found.weighted.p <= 0.05, found.weighted.p_accuracy <= 0.05]
    assert (low / runs <= 0.09).all(), low
    assert (low / runs >= 0.015).all(), low


def test_a_margin_is_held_by_weight_too() -> None:
    rng = np.random.default_rng(2)
    n = 400
    hard = np.arange(n) % 2 == 0
    human = rng.random(n) < 0.5
    a = human ^ (rng.random(n) < 0.1)
    b = human ^ (rng.random(n) < np.where(hard, 0.6, 0.08))
    found = metrics.compare(ratings_of(human, a, b, np.where(hard, 1.0, 30.0)), "A", "B", "accuracy", margin=0.1, replicates=99)
    assert (
        metrics.compare(ratings_of(human, a, b, np.ones(n)), "A", "B", "accuracy", margin=0.1, replicates=99).held.verdict
        == "inferior"
    )
    assert found.held is found.weighted.held
    assert found.weighted.held.verdict in ("non-inferior", "worse within the margin")
    assert found.reading.split(". ")[-1].startswith(("B is non-inferior to A", "B is worse than A by less than"))
    assert found.to_dict()["weighted"]["margin"]["verdict"] == found.weighted.held.verdict
    assert metrics.compare(ratings_of(human, a, b, np.ones(n)), "A", "B", "accuracy", margin=0.1, replicates=9).weighted is None
    turned = metrics.compare(ratings_of(human, a, b, np.where(hard, 30.0, 1.0)), "A", "B", "fpr", margin=0.1, replicates=99)
    assert turned.weighted.held.verdict == "inferior"


def test_the_spread_of_a_margin_is_that_without_weights_where_all_weigh_the_same() -> None:
    rng = np.random.default_rng(3)
    left, times = rng.normal(size=20), rng.integers(1, 5, 20)
    n = times.sum()
    alike = Strata(weight=np.ones(20), times=times, stratum=np.zeros(20, np.int64))
    parts = ((left @ times) / n - left) / alike.up
    assert alike.error(left) == pytest.approx(float(jackknife_error(left, times.astype(float))))
    assert growth_of_parts(parts, times, alike.error(left) ** 2) == pytest.approx(growth(left, times))


def test_every_judge_has_a_p_by_weight_corrected_for_their_number() -> None:
    human, a, b = drawn(7)
    weight = np.tile([1.0, 3.0], 40)
    lines = ratings_of(human, a, b, weight)
    forest = metrics.compare_all(lines, "A", "accuracy", replicates=99)
    (row,) = forest.to_dict()["judges"]
    assert row["weighted"]["p_holm"] == row["weighted"]["p"]
    assert f"({'p = '}" in forest.summary()


@pytest.mark.slow("many samples")
def test_a_margin_is_not_held_too_often_where_few_heavy_items_separate_the_judges() -> None:
    """The truth lies on the margin, every item that separates the judges speaks against B, and the heavy ones are rarely seen."""
    rng = np.random.default_rng(21)
    n, each, runs = 20_000, 60, 100
    hard = rng.random(n) < 0.2
    human = rng.random(n) < 0.5
    wrong = rng.random(n) < np.where(hard, 0.3, 0.05)
    worse = wrong | (rng.random(n) < np.where(hard, 0.15, 0.02))
    margin, held = float(worse.mean() - wrong.mean()), 0
    for _ in range(runs):
        items = np.concatenate([rng.choice(np.flatnonzero(part), each, False) for part in (hard, ~hard)])
        weight = np.where(hard[items], hard.sum() / each, (~hard).sum() / each)
        sides = human[items], human[items] ^ wrong[items], human[items] ^ worse[items]
        found = metrics.compare(ratings_of(*sides, weight), "A", "B", "accuracy", margin=margin, replicates=9)
        held += found.weighted.held.holds
    assert held / runs <= 0.06


def enriched(seed: int, n: int, hard: tuple[float, float], easy: tuple[float, float]) -> tuple[np.ndarray, ...]:
    """Return labels of which the hard ones, a twentieth of the file, are half; A and B err there, and elsewhere, as told."""
    rng = np.random.default_rng(seed)
    is_hard, human = np.arange(n) % 2 == 0, rng.random(n) < 0.5
    a, b = (human ^ (rng.random(n) < np.where(is_hard, hard[judge], easy[judge])) for judge in (0, 1))
    return human, a, b, np.where(is_hard, 1.0, 19.0)


def test_the_winner_is_named_by_weight_also_where_items_that_count_once_name_the_other() -> None:
    """B is better on the hard items, A on the file: 95 of 100 items are easy."""
    *labels, weights = enriched(0, 400, (0.45, 0.1), (0.02, 0.12))
    once = metrics.compare(ratings_of(*labels, np.ones(400)), "A", "B")
    ratings = ratings_of(*labels, weights)
    by_weight = metrics.compare(ratings, "A", "B")
    assert (once.winner, by_weight.winner) == ("B", "A")
    assert by_weight.settled
    assert "A beats B by" in by_weight.reading
    assert "with every item by ‘weight’" in by_weight.reading
    assert by_weight.to_dict()["winner"] == "A"
    assert by_weight.weighted.difference.value < 0 < by_weight.difference.value
    forest = metrics.compare_all(ratings, baseline="B")
    assert forest.is_different("A")
    assert [row["winner"] for row in forest.to_dict()["judges"]] == ["A"]


def test_no_winner_by_weight_where_only_items_that_count_once_name_one() -> None:
    ratings = ratings_of(*enriched(1, 400, (0.4, 0.1), (0.1, 0.1)))
    comparison = metrics.compare(ratings, "A", "B", replicates=999)
    assert comparison.common.settled
    assert comparison.winner is None
    assert "there is no significant difference" in comparison.reading
    assert not metrics.compare_all(ratings, baseline="B").different()


@pytest.mark.slow("many samples")
def test_a_winner_by_weight_is_seldom_named_of_judges_alike() -> None:
    """The errors of both are alike in the file, though A errs more often among the hard items and B elsewhere."""
    files = [ratings_of(*enriched(seed, 120, (0.3, 0.11), (0.04, 0.05))) for seed in range(150)]
    named = sum(metrics.compare(file, "A", "B", replicates=199).winner is not None for file in files)
    assert named <= 0.05 * 150 + 3 * (0.05 * 0.95 * 150) ** 0.5


@pytest.mark.parametrize("unit", ["item", "prompt"])
@pytest.mark.parametrize(
    ("metric", "level"),
    [
        ("accuracy", "micro"),
        ("kappa", "micro"),
        ("kappa_within", "micro"),
        ("kappa", "macro"),
        ("f1", "macro"),
        ("kappa", "item"),
    ],
)
def test_a_judge_has_the_number_that_its_agreement_has(metric: str, level: str, unit: str) -> None:
    """Both judged every item, so that they share all decisions; intervals and their notes are the same too."""
    file = metrics.read(groups_of_items())
    found = metrics.compare(file, "A", "B", metric, level=level, unit=unit, replicates=9).weighted
    judges = metrics.agreement(file, unit=unit).judges
    for side, name in ((found.a, "A"), (found.b, "B")):
        expected = judges[name].weighted_at(level)[metric]
        assert (side.value, side.note) == (pytest.approx(expected.value), expected.note)
        assert side.ends == pytest.approx(expected.ends)


def test_the_mean_of_a_judge_leaves_out_criteria_that_the_other_has_no_value_on() -> None:
    human, a, b = drawn(3)
    weight, two = np.repeat(np.tile([1, 3], 20), 2), np.arange(80) % 2 == 1
    human, b = np.where(two, True, human), np.where(two, True, b)
    found = metrics.compare(ratings_of(human, a, b, weight, 2), "A", "B", "kappa", level="macro", replicates=9).weighted
    judge = metrics.agreement(ratings_of(human, a, b, weight, 2)).judges["A"].weighted
    assert judge.criteria["c1"].estimates["kappa"].value == 0
    assert found.a.value == pytest.approx(judge.criteria["c0"].estimates["kappa"].value)
    assert found.a.value - judge.macro["kappa"].value > 0.05
    assert found.difference.value == pytest.approx(found.b.value - found.a.value)


def test_values_of_both_sides_are_written() -> None:
    document = metrics.compare(metrics.read(groups_of_items()), "A", "B", "kappa", replicates=9)
    written = document.to_dict()["weighted"]
    assert written["interval_a"] == list(document.weighted.a.ends)
    assert written["interval_b"] == list(document.weighted.b.ends)


@pytest.mark.parametrize("level", [None, "macro"])
def test_a_forest_is_drawn_and_tabled_by_what_tells_judges_apart(level: str | None) -> None:
    forest = metrics.compare_all(metrics.read(groups_of_items()), baseline="A", level=level, replicates=99)
    (row,), (comparison,) = forest_rows(forest), forest.against
    difference = comparison.weighted.difference
    assert (row.difference.value, row.difference.low, row.difference.high) == (difference.value, *difference.ends)
    assert row.value == comparison.weighted.b.value
    assert row.p == forest.holm_by_weight[0]
    each = {
        name: metrics.compare(metrics.read(groups_of_items()), "A", "B", metric, level=at, replicates=9).weighted.difference.value
        for name, metric, at in (("micro", "kappa", "micro"), ("macro", "kappa", "macro"), ("within", "kappa_within", "micro"))
    }
    shown = {name: reading.difference.value for name, reading in comparison.decisive_levels.items()}
    assert shown == pytest.approx(each)
    compared = "within" if level is None else level
    assert {name: other.value for name, other in row.others.items()} == pytest.approx(
        {name: value for name, value in each.items() if name != compared}
    )
    table = dict(zip((column.name for column in readings(forest).columns), readings(forest).rows[0], strict=True))
    assert [table[head].value for head in ("micro", "macro", "within criteria")] == pytest.approx(list(each.values()))

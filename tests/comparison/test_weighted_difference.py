"""Two judges on items that stand for more or fewer others: against repeated items, and by simulation."""

from __future__ import annotations

import numpy as np
import pytest

import metrics


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


@pytest.mark.parametrize(("metric", "level"), [("accuracy", "micro"), ("kappa", "macro"), ("kappa_within", "micro")])
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
    assert (found.a, found.b) == pytest.approx((expected.a.estimate.value, expected.b.estimate.value))
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
    items = metrics.compare(ratings_of(human, a, b, np.tile([1.0, 3.0], 40)), "A", "B", level="item", replicates=9)
    assert items.weighted is None
    assert any("is not used" in text for text in items.cautions)


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

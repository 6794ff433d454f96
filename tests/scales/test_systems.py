"""Shares of wins by system, against the definition and a jackknife by hand."""

from __future__ import annotations

import io

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t

import metrics
from metrics import InputError
from metrics.analyses.preferences.readings import systems_reading
from metrics.analyses.preferences.systems import system_columns, systems
from metrics.analyses.preferences.tables import systems_table
from metrics.measures.exact_tests import holm

KINDS = {"A": "positive", "B": "negative", "tie": "tie"}
WORTH = {"A": 1.0, "B": 0.0, "tie": 0.5}
NAMES = ("red", "green", "blue")


def rows_of(seed: int, n: int = 60) -> list[tuple[str, str, str, str, str, str]]:
    rng = np.random.default_rng(seed)
    out = []
    for item in range(n):
        first, second = rng.choice(NAMES, 2, replace=False)
        for criterion in ("c0", "c1"):
            human, judge = rng.choice(["A", "B", "tie"], 2, p=[0.5, 0.3, 0.2])
            out.append((f"i{item}", criterion, first, second, human, judge))
    return out


def read(rows) -> metrics.Ratings:
    text = "\n".join(["item,criterion,model_a,Model B,human,verdict", *(",".join(row) for row in rows)])
    return metrics.read(io.StringIO(text), labels=KINDS)


def won(rows, name: str, side: int) -> float:
    own = [WORTH[row[side]] if row[2] == name else 1 - WORTH[row[side]] for row in rows if name in row[2:4]]
    return float(np.mean(own))


@pytest.mark.parametrize("seed", range(3))
def test_shares_and_intervals_against_their_definition(seed: int) -> None:
    rows = rows_of(seed)
    ratings = read(rows)
    assert system_columns(ratings) == ("model_a", "Model B")
    found = systems(ratings, "judge")
    assert sorted(one.name for one in found) == sorted(NAMES)
    assert [one.reference.value for one in found] == sorted((one.reference.value for one in found), reverse=True)
    for one in found:
        own = [row for row in rows if one.name in row[2:4]]
        assert one.n == len(own)
        assert one.reference.value == pytest.approx(won(rows, one.name, 4), abs=1e-12)
        assert one.judge.value == pytest.approx(won(rows, one.name, 5), abs=1e-12)
        assert one.difference.value == pytest.approx(one.judge.value - one.reference.value, abs=1e-12)
        items = sorted({row[0] for row in own})
        left = np.array([won([row for row in own if row[0] != item], one.name, 5) for item in items])
        error = np.sqrt((len(items) - 1) / len(items) * ((left - left.mean()) ** 2).sum())
        p = one.judge.value
        step = t.ppf(0.975, len(items) - 1) * error / (p * (1 - p))
        assert one.judge.ends == pytest.approx(tuple(expit(logit(p) + np.array([-step, step]))), abs=1e-9)


def test_the_answers_changing_places_change_nothing() -> None:
    rows = rows_of(7)
    turn = {"A": "B", "B": "A", "tie": "tie"}
    turned = [(i, c, b, a, turn[h], turn[j]) for i, c, a, b, h, j in rows]
    for one, other in zip(systems(read(rows), "judge"), systems(read(turned), "judge"), strict=True):
        assert one.name == other.name
        assert one.judge.value == pytest.approx(other.judge.value, abs=1e-12)
        assert one.difference.ends == pytest.approx(other.difference.ends, abs=1e-9)


def test_a_system_that_always_wins_has_an_interval_below_one() -> None:
    rows = [(f"i{n}", "c", "red", "blue", "A", "A") for n in range(20)]
    best = systems(read(rows), "judge")[0]
    assert (best.name, best.judge.value) == ("red", 1.0)
    assert best.judge.ends is not None
    assert 0.7 < best.judge.ends[0] < 1
    assert best.difference.ends is None


def test_who_is_favoured_is_said_both_ways() -> None:
    fixed = [(f"i{n}", "c", "red", "blue", "A" if n % 2 else "B", "A" if n % 5 else "B") for n in range(100)]
    turn = {"A": "B", "B": "A"}
    rows = [row if n % 4 < 2 else (*row[:2], "blue", "red", turn[row[4]], turn[row[5]]) for n, row in enumerate(fixed)]
    found = systems(read(rows), "judge")
    assert "favours red: it wins 80\u00a0% by the judge and 50\u00a0% by the reference, +30\u00a0points" in systems_reading(
        found, "judge"
    )
    even = systems(read([(*row[:5], row[4]) for row in rows]), "judge")
    assert "no system win more, or less, often" in systems_reading(even, "judge")
    assert systems_table(found)["System"] == [one.name for one in found]
    assert [one.first for one in found] == [0.5, 0.5]
    # The same systems always in the same place: that the judge prefers a place explains as much.
    placed = systems(read(fixed), "judge")
    assert [one.difference for one in placed] == [one.difference for one in found]
    assert "favours red or its place cannot be told: red wins 80" in systems_reading(placed, "judge")
    assert "gave the first answer in 100\u00a0% of decisions" in systems_reading(placed, "judge")


def test_of_many_systems_some_would_seem_favoured() -> None:
    found = systems(read(rows_of(5)), "judge")
    for one in found:
        error = (one.difference.ends[1] - one.difference.value) / t.ppf(0.975, one.n_items - 1)
        assert one.p == pytest.approx(2 * t.sf(abs(one.difference.value) / error, one.n_items - 1))
    assert [one.corrected for one in found] == pytest.approx(list(holm([one.p for one in found])))
    credit = [(WORTH[row[5]] - WORTH[row[4]]) for row in rows_of(5)]
    assert [one.for_first for one in found] == pytest.approx([np.mean(credit)] * 3)


def test_no_columns_are_said() -> None:
    text = "item,human,verdict\n1,A,B\n2,B,B\n"
    with pytest.raises(InputError, match="model_a and model_b"):
        systems(metrics.read(io.StringIO(text), labels=KINDS), "judge")

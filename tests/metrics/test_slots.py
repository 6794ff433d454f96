"""Few of many criteria asked of an item: held in slots, everything comes out as where every criterion has a row of its own."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

import metrics
from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.abstention.nonresponse import by_judge
from metrics.analyses.settings import settings_of
from metrics.data import patterns
from metrics.data.aggregation import LEVELS
from metrics.data.pairs import patterns_of

N_CRITERIA, N_ITEMS = 40, 90
FAR = 1 << 30
"""Criteria for each one asked that no table has."""
SCHEMES: dict[str, tuple[str, ...]] = {"binary": ("MET", "UNMET", "CANNOT_ASSESS"), "classes": ("red", "green", "blue")}


def rows_of(seed: int, labels: tuple[str, ...], most: int = 4) -> bytes:
    """Items with up to `most` of many criteria each, and one of them with none that both sides rated; in groups of three."""
    rng = np.random.default_rng(seed)
    lines = ["item,criterion,rater,role,label,group"]
    for item in range(N_ITEMS):
        for criterion in rng.choice(N_CRITERIA, rng.integers(1, most + 1), replace=False):
            human = int(rng.integers(len(labels)))
            others = (human if rng.random() < 0.7 else int(rng.integers(len(labels))) for _ in range(3))
            raters = (("ana", "human", human), *zip(("ben", "j", "k"), ("human", "judge", "judge"), others, strict=True))
            lines += [
                f"i{item},c{criterion},{name},{role},{labels[label]},g{item // 3}"
                for name, role, label in raters
                if rng.random() < 0.93
            ]
    return "\n".join(lines).encode()


def apart(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two reports differ by more than rounding."""
    if isinstance(one, dict):
        differ = [f"{path}: keys"] if list(one) != list(other) else []
        return differ + [text for key in one for text in apart(one[key], other.get(key), f"{path}/{key}")]
    if isinstance(one, list):
        differ = [f"{path}: length"] if len(one) != len(other) else []
        return differ + [
            text for place, pair in enumerate(zip(one, other, strict=False)) for text in apart(*pair, f"{path}/{place}")
        ]
    if isinstance(one, float) and isinstance(other, float):
        return [] if math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) else [f"{path}: {one} {other}"]
    return [] if one == other else [f"{path}: {one} {other}"]


def both_ways(monkeypatch: pytest.MonkeyPatch, compute: Callable[[], Any]) -> tuple[Any, Any]:
    made = []
    for fewer in (1, FAR):
        monkeypatch.setattr(patterns, "FEWER", fewer)
        made.append(compute())
    return made[0], made[1]


class Abstention:
    """What is worked out of silence, as plain values."""

    def __init__(self, ratings: metrics.Ratings) -> None:
        self.ratings, self.settings = ratings, settings_of(ratings, judges=["j"])

    def to_dict(self) -> Any:
        held = [bounds(self.ratings, "j", self.settings, level) for level in LEVELS]
        groups = by_judge(self.ratings, self.settings)
        return json.loads(json.dumps([asdict(each) for each in (*held, *groups)], default=str))


ASKED: dict[str, Callable[[metrics.Ratings], Any]] = {
    "agreement": metrics.agreement,
    "as unmet": lambda ratings: metrics.agreement(ratings, abstention="as_unmet"),
    "as a category": lambda ratings: metrics.agreement(ratings, abstention="as_category"),
    "one human": lambda ratings: metrics.agreement(ratings, reference="ana"),
    "groups of items": lambda ratings: metrics.agreement(ratings, unit="group"),
    "drawn": lambda ratings: metrics.agreement(ratings, interval="bootstrap", replicates=100, rng=4),
    "jackknife": lambda ratings: metrics.agreement(ratings, interval="jackknife"),
    "threshold and weights": lambda ratings: metrics.agreement(
        ratings, item_rule="threshold", threshold=0.6, weights={"c1": 3.0, "c2": -1.0, "c3": 0.0, "c4": 0.5}
    ),
    "all with negative weights": lambda ratings: metrics.agreement(ratings, weights={"c1": -2.0, "c5": 0.0}),
    "compare": lambda ratings: metrics.compare(ratings, "j", "k"),
    "overview": metrics.overview,
    "slices": lambda ratings: metrics.slices(ratings, by="group"),
    "abstention": Abstention,
}


@pytest.mark.slow("every report in two ways")
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("labels", SCHEMES)
def test_a_report_is_the_same_in_slots(monkeypatch: pytest.MonkeyPatch, labels: str, asked: str) -> None:
    if labels == "classes" and ("weights" in asked or asked in ("as unmet", "abstention")):
        pytest.skip("for a positive and a negative label")
    data = rows_of(7, SCHEMES[labels])
    scheme = {} if labels == "binary" else {"labels": dict.fromkeys(SCHEMES[labels], "class")}

    def compute() -> Any:
        return ASKED[asked](metrics.read(data, **scheme)).to_dict()

    one, other = both_ways(monkeypatch, compute)
    assert apart(one, other) == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("most", [1, 3, N_CRITERIA])
def test_patterns_are_the_same_and_in_the_same_order(monkeypatch: pytest.MonkeyPatch, seed: int, most: int) -> None:
    data = rows_of(seed, SCHEMES["binary"], most)
    one, other = both_ways(monkeypatch, lambda: patterns_of(metrics.read(data), "j", "majority"))
    assert one.slots is not None
    assert other.slots is None
    for name in ("reference", "judge", "multiplicity", "of_item", "raw"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    times = np.random.default_rng(seed).integers(0, 3, N_ITEMS)
    one, other = one.with_times(times), other.with_times(times)
    for name in ("reference", "judge", "multiplicity", "of_item", "raw"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_slots_are_taken_where_criteria_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    assert patterns_of(metrics.read(rows_of(1, SCHEMES["binary"], 4)), "j", "majority").slots is not None
    assert patterns_of(metrics.read(rows_of(1, SCHEMES["binary"], 6)), "j", "majority").slots is None


def test_what_is_held_grows_with_the_decisions() -> None:
    """Thirty times the criteria, as many decisions: no array of the merged items grows."""
    sizes = []
    for n_criteria in (60, 1800):
        lines = ["item,criterion,human,verdict"]
        for item in range(900):
            labels = ",".join("MET" if item % each else "UNMET" for each in (2, 3))
            lines += [f"i{item},c{(7 * item + k) % n_criteria},{labels}" for k in range(5)]
        patterns = patterns_of(metrics.read("\n".join(lines).encode()), "judge", "human")
        assert patterns.slots is not None
        sizes.append((patterns.slot_reference.shape[0], patterns.slots.criterion.shape[0]))
    assert sizes == [(5, 5), (5, 5)]

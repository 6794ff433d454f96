"""People on two scales are told to be, first of all; lenient people and those who keep to the middle are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.raters.advice import next_step
from metrics.analyses.raters.evidence import evidence
from metrics.measures.units import raters_of_other_ends

NAMES = ("ann", "bob", "cara", "dan")


def given(seed: int, n: int, kind: str, people: int = 2) -> np.ndarray:
    """Return labels of 1 to 5, shape (n, people); those of the first are of a kind of their own."""
    rng = np.random.default_rng(seed)
    quality = 3 + 0.9 * rng.normal(0, 1, n)
    labels = quality[:, None] + rng.normal(0, 0.7, (n, people))
    own = {"plain": 0, "lenient": 1.2}.get(kind, 0) + labels[:, 0]
    labels[:, 0] = {"two": 2 * own, "narrow": 3 + 0.4 * (own - 3)}.get(kind, own)
    highest = np.where((np.arange(people) == 0) & (kind == "two"), 10, 5)
    return np.clip(np.rint(labels), 1, highest)


@pytest.mark.parametrize("people", [2, 4])
@pytest.mark.parametrize(("kind", "most"), [("plain", 0), ("lenient", 4), ("narrow", 4)])
def test_one_scale_is_not_taken_for_two(kind: str, most: int, people: int) -> None:
    told = [raters_of_other_ends(given(seed, n, kind, people), NAMES[:people]) for seed in range(20) for n in (40, 80, 200)]
    assert sum(map(bool, told)) <= most


@pytest.mark.parametrize("people", [2, 4])
def test_two_scales_are_named_by_the_rater_who_is_apart(people: int) -> None:
    for seed in range(10):
        text = raters_of_other_ends(given(seed, 80, "two", people), NAMES[:people])
        assert "of ann " in text
        assert "half of the distance is left" in text


def test_few_shared_rows_and_many_raters_tell_nothing() -> None:
    labels = given(1, 80, "two")
    assert raters_of_other_ends(labels[:20], NAMES[:2]) == ""
    assert raters_of_other_ends(labels[:20], NAMES[:2], np.full(20, 4)) != ""
    assert raters_of_other_ends(np.tile(labels, 7), [f"r{place}" for place in range(14)]) == ""


def people_and_judge(kind: str) -> pd.DataFrame:
    labels, rows = given(3, 80, kind), []
    judge = given(4, 80, "plain")[:, 1]
    for i in range(80):
        for rater, role, label in (
            *((name, "human", labels[i, at]) for at, name in enumerate(NAMES[:2])),
            ("gpt", "judge", judge[i]),
        ):
            rows.append((f"i{i}", rater, role, int(label)))
    return pd.DataFrame(rows, columns=["item", "rater", "role", "label"])


def test_the_first_step_is_to_ask_and_no_rubric_is_blamed() -> None:
    ratings = metrics.read(people_and_judge("two"), scale="ordinal")
    record = evidence(ratings).criteria["overall"]
    assert record.causes[0] == "scales"
    assert next_step(record, "fails").startswith("Check first whether all use one scale: the numbers of ann go from")
    first = metrics.overview(ratings).next[0]
    assert first.text == "Check first whether all people use one scale."
    plain = metrics.read(people_and_judge("plain"), scale="ordinal")
    assert not evidence(plain).criteria["overall"].scales


def test_the_mean_of_numbers_on_two_scales_is_called_none() -> None:
    frame = people_and_judge("two").astype({"label": float})
    frame["label"] += np.random.default_rng(1).normal(0, 0.1, len(frame)).round(2)
    overview = metrics.overview(metrics.read(frame, scale="continuous"))
    assert any("Their mean is no number of either." in statement.text for statement in overview.verdict)
    assert "Check first whether all people use one scale." in [step.text for step in overview.next]

"""People who give numbers: α is that of `krippendorff`, the judge is held to a person left out, and chance tells nothing."""

from __future__ import annotations

import math

import krippendorff
import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.overview.result import Overview
from metrics.analyses.scores.people import among_people
from metrics.analyses.scores.readings_numbers import people_reading
from metrics.analyses.scores.result import AmongPeople

PEOPLE = ("ann", "bob", "cara")


def numbers(
    seed: int, n: int = 40, criteria: int = 1, spread: float = 0.8, missing: float = 0.0, people: tuple[str, ...] = PEOPLE
) -> pd.DataFrame:
    """Return one row per number of people and of a judge, who errs by `spread` where they err by 0.8."""
    rng = np.random.default_rng(seed)
    rows = []
    for c in range(criteria):
        quality = rng.normal(0, 1, n)
        for rater in (*people, "judge"):
            given = 50 + 10 * (1 + c) * (quality + rng.normal(0, spread if rater == "judge" else 0.8, n))
            role = "judge" if rater == "judge" else "human"
            there = rng.random(n) >= missing if role == "human" else np.ones(n, bool)
            rows += [(f"i{i}", f"c{c}", rater, role, round(float(given[i]), 2)) for i in np.flatnonzero(there)]
    return pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label"])


def found(frame: pd.DataFrame) -> AmongPeople:
    people = among_people(metrics.read(frame, scale="continuous"), "judge")
    assert people is not None
    return people


def with_others(wide: pd.DataFrame, person: str) -> tuple[float, float]:
    """Return r of the judge, and of the person, with the mean of the others, on the decisions of both."""
    others = wide[[name for name in PEOPLE if name != person]].mean(axis=1)
    kept = others.notna() & wide["judge"].notna() & wide[person].notna()
    judge, human = (np.corrcoef(wide[side][kept], others[kept])[0, 1] for side in ("judge", person))
    return float(judge), float(human)


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("criteria", [1, 3])
def test_alpha_and_correlations_are_those_of_others_packages(criteria: int, missing: float) -> None:
    frame = numbers(1, criteria=criteria, missing=missing)
    people = found(frame)
    wide = {c: part.pivot(index="item", columns="rater", values="label") for c, part in frame.groupby("criterion")}
    alphas = [krippendorff.alpha(part[list(PEOPLE)].to_numpy().T, level_of_measurement="interval") for part in wide.values()]
    assert people.alpha.value == pytest.approx(np.mean(alphas))
    sides = np.mean([with_others(part, person) for part in wide.values() for person in PEOPLE], axis=0)
    assert (people.judge.value, people.human.value) == pytest.approx(tuple(sides))
    assert people.difference.value == pytest.approx(sides[0] - sides[1])


def test_intervals_are_those_of_items_left_out() -> None:
    frame = numbers(3, n=25)
    people = found(frame)
    left = [found(frame[frame["item"] != f"i{i}"]) for i in range(25)]
    for name in ("alpha", "human", "judge"):
        whole, without = getattr(people, name), np.array([getattr(one, name).value for one in left])
        error = math.sqrt(24 / 25 * float(((without - without.mean()) ** 2).sum()))
        reach = 2.0638986 * error / (1 - whole.value**2)
        ends = [math.tanh(math.atanh(whole.value) + side * reach) for side in (-1, 1)]
        assert whole.ends == pytest.approx(ends, rel=1e-6)


@pytest.mark.slow("simulates")
def test_a_judge_like_the_people_is_not_told_from_them_and_a_worse_one_is() -> None:
    """At most 4 of 60 differences may be told of chance: P(more) < 0.2 at 5 %, and the interval is wider than that."""
    told = [found(numbers(seed, n=20 + seed % 3 * 15)).settled for seed in range(60)]
    assert sum(told) <= 4
    worse = [found(numbers(seed, n=100, spread=2.0)) for seed in range(20)]
    assert sum(one.settled and one.difference.sign < 0 for one in worse) >= 12


def test_units_of_the_judge_change_nothing_of_its_correlation() -> None:
    frame = numbers(5)
    judged = frame["role"] == "judge"
    scaled = frame.assign(label=frame["label"].where(~judged, frame["label"] / 10 + 3))
    first, second = found(frame), found(scaled)
    assert second.judge.value == pytest.approx(first.judge.value)
    assert second.alpha == first.alpha


def test_nobody_to_agree_with_and_constants_are_undefined() -> None:
    assert among_people(metrics.read(numbers(1, people=("ann",)), scale="continuous"), "judge") is None
    few = found(numbers(1, n=6))
    assert "nobody shares 10 decisions" in few.difference.undefined
    assert few.alpha.defined
    frame = numbers(1)
    same = found(frame.assign(label=frame["label"].where(frame["role"] == "judge", 7.0)))
    assert not same.alpha.defined
    assert not same.difference.defined
    assert same.to_dict()["alpha"] is None


def test_scores_and_overview_say_it_and_one_human_is_no_people() -> None:
    frame = numbers(2, spread=2.0, n=100)
    ratings = metrics.read(frame, scale="continuous")
    report = metrics.scores(ratings)
    people = report.judges["judge"].people
    assert people is not None
    assert people.settled
    text = people_reading(report.judges["judge"])
    assert "agrees with them significantly less than a human does" in text
    assert text in report.summary()
    assert report.to_dict()["judges"]["judge"]["people"]["n_people"] == 3
    overview: Overview = metrics.overview(ratings)
    assert "people" in {statement.kind for statement in overview.verdict}
    assert "is not measured" not in " ".join(statement.text for statement in overview.verdict)
    assert metrics.scores(ratings, reference="ann").judges["judge"].people is None
    alone = metrics.overview(metrics.read(numbers(2, people=("ann",)), scale="continuous"))
    assert "How far people agree with each other is not measured" in " ".join(statement.text for statement in alone.verdict)


def test_one_role_stated_by_column_name_is_a_rater() -> None:
    wide = numbers(2).pivot(index="item", columns="rater", values="label").reset_index()
    roles = {**dict.fromkeys(PEOPLE, "human"), "judge": "judge"}
    ratings = metrics.read(wide, roles=roles, scale="continuous")
    assert (ratings.humans, ratings.judges) == (PEOPLE, ("judge",))
    people, long = among_people(ratings, "judge"), found(numbers(2))
    assert people is not None
    assert people.alpha.ends == pytest.approx(long.alpha.ends)
    assert people.difference.ends == pytest.approx(long.difference.ends)


def test_items_that_are_alike_count_each() -> None:
    """Numbers of few steps make alike items, which are counted once with their number; exchanged they are single ones."""
    frame = numbers(2, spread=2.5, n=150)
    frame["label"] = (frame["label"] / 25).round()
    people = found(frame)
    wide = frame.pivot(index="item", columns="rater", values="label")
    assert len(wide.drop_duplicates()) < 150
    expected = krippendorff.alpha(wide[list(PEOPLE)].to_numpy().T, level_of_measurement="interval")
    assert people.alpha.value == pytest.approx(expected)
    assert people.n_items == 150
    assert people.difference.sign < 0
    assert people.p <= 0.05

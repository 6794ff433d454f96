"""The lowest of many criteria is low by luck too: only what lies below for all of them at once is told to be left alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.overview.readings_raters import by_verdict
from metrics.analyses.overview.result import Overview
from metrics.analyses.overview.steps import unclear


def overview(n_criteria: int, n: int, accuracy: float, seed: int, by_chance: str = "") -> Overview:
    rng, frames = np.random.default_rng(seed), []
    for place in range(n_criteria):
        name = f"c{place}"
        human = rng.random(n) < 0.5
        said = human == (rng.random(n) < (0.5 if name == by_chance else accuracy))
        label = {True: "MET", False: "UNMET"}
        frames.append(
            pd.DataFrame({"item": [f"i{at}" for at in range(n)], "criterion": name, "human": human, "verdict": said}).replace(
                label
            )
        )
    return metrics.overview(metrics.read(pd.concat(frames)))


def left_alone(found: Overview) -> bool:
    return any("as it is: read where it errs there" in step.text for step in found.next)


@pytest.mark.slow("simulates")
def test_no_criterion_of_many_equal_ones_is_told_to_be_left_alone() -> None:
    """In half of such files the lowest of thirty lay below the whole by its own interval."""
    assert sum(left_alone(overview(30, 25, 0.75, seed)) for seed in range(6)) <= 1


def test_a_criterion_that_is_at_chance_still_is() -> None:
    assert sum(left_alone(overview(8, 80, 0.85, seed, "c3")) for seed in range(4)) >= 3


def people(n_criteria: int, slips: float, seed: int, unlike: str = "") -> metrics.Ratings:
    """Three people who slip equally often, on one criterion more often if it is named."""
    rng, rows = np.random.default_rng(seed), []
    for name in (f"c{place}" for place in range(n_criteria)):
        truth = rng.random(60) < 0.5
        said = truth[:, None] != (rng.random((60, 3)) < (0.25 if name == unlike else slips))
        rows += [(f"i{i}", name, f"p{p}", "human", "MET" if said[i, p] else "UNMET") for i in range(60) for p in range(3)]
    return metrics.read(pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label"]))


@pytest.mark.slow("simulates")
def test_people_at_the_floor_on_thirty_criteria_are_not_said_to_disagree_on_one() -> None:
    """An alpha of 0.667 on each: in 12 of 20 such files one lay below by its own interval."""
    files = [metrics.raters(people(30, 0.0917, seed), role="human") for seed in range(6)]
    assert sum(bool(by_verdict(each)["fails"]) for each in files) >= 3
    assert sum(bool(unclear(each)) for each in files) <= 1
    told = metrics.overview(people(30, 0.0917, next(at for at, each in enumerate(files) if by_verdict(each)["fails"])))
    assert "Not corrected for all 30 criteria" in told.summary().replace("\n    ", " ")
    assert not any("larify" in step.text for step in told.next)


def test_people_who_disagree_on_one_of_many_criteria_still_are() -> None:
    assert all("c3" in unclear(metrics.raters(people(12, 0.05, seed, "c3"), role="human")) for seed in range(3))


def test_random_verdicts_are_at_the_rates_of_each_criterion() -> None:
    """At the pooled rates they have κ 0; at those of criteria that judge and people see the other way round, less."""
    rng = np.random.default_rng(3)
    rows = []
    for criterion, (people, judge) in enumerate([(0.8, 0.2), (0.2, 0.8)]):
        human = rng.random(200) < people
        verdict = np.where(rng.random(200) < 0.3, human, rng.random(200) < judge)
        rows += [(f"i{item}", f"c{criterion}", *pair) for item, pair in enumerate(zip(human, verdict, strict=True))]
    text = metrics.overview(metrics.read(pd.DataFrame(rows, columns=["item", "criterion", "human", "verdict"]))).summary()
    said = " ".join(text.split())
    assert "Random verdicts at the label rates of each criterion would have pooled κ −0.14." in said

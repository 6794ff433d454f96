"""The lowest of many criteria is low by luck too: only what lies below for all of them at once is told to be left alone."""

from __future__ import annotations

import numpy as np
import pandas as pd

import metrics
from metrics.analyses.overview.result import Overview


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


def test_no_criterion_of_many_equal_ones_is_told_to_be_left_alone() -> None:
    """In half of such files the lowest of thirty lay below the whole by its own interval."""
    assert sum(left_alone(overview(30, 25, 0.75, seed)) for seed in range(6)) <= 1


def test_a_criterion_that_is_at_chance_still_is() -> None:
    assert sum(left_alone(overview(8, 80, 0.85, seed, "c3")) for seed in range(4)) >= 3

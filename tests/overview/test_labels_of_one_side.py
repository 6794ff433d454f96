"""What the overview says of a label that one side alone gives, and of the highest of many judges that are not told apart."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.overview.grounds import end_for_all
from metrics.analyses.overview.result import Overview
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

Cells = dict[tuple[str, str], int]


def overview(cells: Cells) -> Overview:
    pairs = [pair for pair, times in cells.items() for _ in range(times)]
    rows = [{"item": f"i{place}", "human": human, "verdict": judge} for place, (human, judge) in enumerate(pairs)]
    return metrics.overview(metrics.read(rows, scale="nominal"))


AGREED: Cells = {("red", "red"): 30, ("blue", "blue"): 25, ("blue", "red"): 3}


def test_a_rare_label_that_a_judge_missed_is_counted_and_asks_for_no_other_prompt() -> None:
    """Of four items a judge that knows the label three times of four misses all in one file of 256."""
    for times, told in ((2, False), (5, True)):
        found = overview(AGREED | {("green", "red"): times})
        text = " ".join(statement.text for statement in found.verdict)
        assert f"judge never answers green, the label of the human on {times} decisions." in text
        assert ("but never answers green" in text) is told
        assert any("when to answer green" in step.text for step in found.next) is told


def test_a_label_that_a_judge_alone_often_gives_is_named_and_to_be_checked() -> None:
    for times, told in ((4, False), (9, True)):
        found = overview(AGREED | {("blue", "other"): times})
        errors = next(statement.text for statement in found.verdict if statement.kind == "errors")
        assert ("The human never says other." in errors) is told
        step = "Check what judge means by other, which the human never says."
        assert (step in [each.text for each in found.next]) is told


def equal_judges(n_judges: int, accuracy: float = 0.8, n: int = 60, seed: int = 1) -> str:
    rng = np.random.default_rng(seed)
    human = rng.random(n) < 0.5
    of_judge = [human == (rng.random(n) < accuracy) for _ in range(n_judges)]
    rows = [(item, f"j{at}", human[item], said[item]) for at, said in enumerate(of_judge) for item in range(n)]
    frame = pd.DataFrame(rows, columns=["item", "judge", "human", "verdict"])
    frame[["human", "verdict"]] = frame[["human", "verdict"]].replace({True: "yes", False: "no"})
    leader = metrics.overview(metrics.read(frame)).statement("leader")
    assert leader is not None
    return leader.text


def test_the_highest_of_many_equal_judges_is_said_to_be_so_by_luck() -> None:
    assert "The highest of 8 that are not told apart is likely too high: their mean κ is 0.6" in equal_judges(8)
    assert "likely too high" not in equal_judges(3)


@pytest.mark.slow("simulates")
def test_the_chosen_judge_of_many_has_at_least_what_the_choice_allows() -> None:
    """Of 20 judges with a true κ of 0.6 the interval of the highest left that out in a third of files."""
    ends = [float(equal_judges(20, seed=seed).split(" is at least ")[1].split(". ")[0].rstrip(".")) for seed in range(4)]
    assert all(0.2 < end <= 0.6 for end in ends)


def test_a_judge_that_leads_by_what_it_left_open_is_the_highest_on_what_each_answered() -> None:
    """Judge a leaves open most of what is hard, and is lower on what both answered."""
    rng, rows = np.random.default_rng(0), []
    for item in range(150):
        truth, hard = rng.integers(0, 3), rng.random() < 0.4
        for judge in "ab":
            said = truth if rng.random() < (0.5 if hard else 0.95) else (truth + rng.integers(1, 3)) % 3
            left = judge == "a" and hard and rng.random() < 0.8
            rows.append({"item": item, "judge": judge, "human": "abc"[truth], "verdict": "unsure" if left else "abc"[said]})
    ratings = metrics.read(pd.DataFrame(rows), labels={**dict.fromkeys("abc", "class"), "unsure": "abstention"})
    leader = metrics.overview(ratings).statement("leader")
    assert leader is not None
    assert leader.text.startswith("a has the highest Cohen’s κ among 2 judges, each on what it answered. No significant")


def test_ends_for_all_judges_are_undefined_at_one_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for ends in ((0.8, 1.0), None):
            interval = None if ends is None else Interval(*ends, "jackknife")
            assert math.isnan(end_for_all(Estimate(1.0, interval), 8, 0, 0.95))
        assert end_for_all(Estimate(0.5, Interval(0.3, 0.7, "jackknife")), 8, 0, 0.95) < 0.3

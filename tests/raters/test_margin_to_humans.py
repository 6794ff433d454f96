"""A judge held against people by a stated margin: the end that decides, by simulation, and the words."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.raters.ceiling import Ceiling, human_ceiling
from metrics.analyses.raters.readings_evidence import margin_reading
from metrics.errors import InputError


def ceiling(n: int, humans: int, human_errors: float, judge_errors: float, seed: int) -> Ceiling:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.5
    lines = ["item,rater,role,label"]
    for name, role, errors in (*((f"h{h}", "human", human_errors) for h in range(humans)), ("j", "judge", judge_errors)):
        said = truth ^ (rng.random(n) < errors)
        lines += [f"{i},{name},{role},{'yes' if one else 'no'}" for i, one in enumerate(said)]
    return human_ceiling(metrics.read("\n".join(lines).encode()), "j", "accuracy")


def test_a_judge_on_the_margin_is_seldom_called_non_inferior() -> None:
    margin = -ceiling(20_000, 3, 0.05, 0.15, 1).difference.value
    assert margin == pytest.approx(0.1, abs=0.01)
    readings = [margin_reading(ceiling(60, 3, 0.05, 0.15, seed), margin) for seed in range(150)]
    assert sum("non-inferior" in text for text in readings) <= 0.025 * 150 + 3 * (0.025 * 0.975 * 150) ** 0.5


def test_every_verdict_is_said() -> None:
    good, bad = ceiling(400, 4, 0.1, 0.1, 2), ceiling(400, 4, 0.05, 0.4, 3)
    assert "j is non-inferior to a human by the margin of 10" in margin_reading(good, 0.1)
    assert "is undecided: it may be" in margin_reading(good, 0.001)
    assert "j is inferior to a human" in margin_reading(bad, 0.1)
    assert "by less than that" in margin_reading(bad, 0.6)


def test_two_humans_are_too_few() -> None:
    assert "takes 3 humans; 2 count here" in margin_reading(ceiling(100, 2, 0.1, 0.1, 4), 0.1)


def test_a_margin_that_says_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="margin must lie above 0"):
        margin_reading(ceiling(100, 3, 0.1, 0.1, 5), 0.0)

"""A gate in a suite of tests: the judge is good enough, and the new prompt is no worse than the old one."""

from pathlib import Path

import pytest

import metrics

LABELS = Path(__file__).resolve().parent.parent / "assets" / "support_answers.csv"
FLOOR, MARGIN = 0.6, 0.05


@pytest.fixture(scope="module")
def ratings() -> metrics.Ratings:
    return metrics.read(LABELS)


def test_the_judge_reaches_the_floor(ratings: metrics.Ratings) -> None:
    kappa = metrics.agreement(ratings, judges=["cautious"]).judges["cautious"].micro["kappa"]
    assert kappa.ends is not None, kappa.why
    assert kappa.ends[0] >= FLOOR


def test_the_new_prompt_is_no_worse(ratings: metrics.Ratings) -> None:
    difference = metrics.compare(ratings, "strict", "cautious", "kappa").difference
    assert difference.ends is not None, difference.why
    assert difference.ends[0] > -MARGIN

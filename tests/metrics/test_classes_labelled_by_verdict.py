"""Labels of people that depend on the judge's verdict, of more than two classes: nominal ones, and ordered ones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics import Ratings
from metrics.analyses.agreement.standing import LABELS_BY_VERDICT

CLASSES, ORDER = ("art", "law", "sport"), ("1", "2", "3", "4", "5")


def nominal(shares: Mapping[str, float], *, n: int = 300, seed: int = 2) -> Ratings:
    """A judge that is right on four of five items, the others by lot; people label a share of its verdicts of each kind."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    said = np.where(rng.random(n) < 0.8, truth, (truth + rng.integers(1, 3, n)) % 3)
    return read(np.array(CLASSES)[truth], np.array(CLASSES)[said], shares, rng, labels=dict.fromkeys(CLASSES, "class"))


def ordered(shares: Mapping[str, float], *, n: int = 300, seed: int = 1) -> Ratings:
    """A judge that errs as often upwards as downwards, one option or two."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, n)
    said = np.clip(np.round(truth + rng.normal(0, 0.8, n)), 1, 5).astype(int)
    return read(truth.astype(str), said.astype(str), shares, rng, order=list(ORDER))


def read(
    truth: np.ndarray, said: np.ndarray, shares: Mapping[str, float], rng: np.random.Generator, **options: object
) -> Ratings:
    labelled = rng.random(len(said)) < [shares.get(verdict, 1.0) for verdict in said]
    human = np.where(labelled, truth, "")
    frame = pd.DataFrame({"item": [f"i{place}" for place in range(len(said))], "judge": "j", "human": human, "verdict": said})
    return metrics.read(frame, **options)  # type: ignore[arg-type]


def verdict(ratings: Ratings) -> str:
    return " ".join(statement.text for statement in metrics.overview(ratings).verdict)


def defined(ratings: Ratings) -> set[str]:
    judge = metrics.agreement(ratings).judges["j"]
    return {key for block in (judge.micro, judge.macro) for key, estimate in block.estimates.items() if estimate.defined}


NO_LAW, NO_HIGH = {"law": 0.0, "sport": 0.0}, dict.fromkeys(ORDER[1:], 0.0)


@pytest.mark.parametrize(("ratings", "given"), [(nominal(NO_LAW), "art"), (ordered(NO_HIGH), "‘1’")], ids=["nominal", "ordered"])
def test_where_one_verdict_alone_is_labelled_no_number_is_claimed(ratings: Ratings, given: str) -> None:
    assert not defined(ratings)
    assert "per_class" not in metrics.agreement(ratings).to_dict()["judges"]["j"]["micro"]
    text = verdict(ratings)
    assert text.startswith(f"No verdict on j can be given: people labelled only decisions that it calls {given} (")
    assert not [said for said in ("by construction", "never answers", "rates lower") if said in text]
    found = metrics.overview(ratings)
    assert [step.text for step in found.next] == [f"Label a random sample of the decisions that j does not call {given}."]


def test_where_one_verdict_is_labelled_more_often_it_is_said_first() -> None:
    ratings = nominal({"law": 0.2, "sport": 0.2})
    assert verdict(ratings).startswith("People labelled 100\u00a0% of the ")
    assert "that j calls art and " in verdict(ratings)
    assert "of the labelled decisions, not of the file." in verdict(ratings)
    assert metrics.agreement(ratings).warnings[0].code == LABELS_BY_VERDICT
    assert "kappa" in defined(ratings)


def test_a_verdict_of_which_nothing_is_labelled_leaves_numbers_of_the_others() -> None:
    ratings = nominal({"law": 0.0})
    assert "People labelled 0\u00a0% of the " in verdict(ratings)
    assert "kappa" in defined(ratings)


def test_a_mean_error_of_labels_that_follow_the_verdict_is_no_direction() -> None:
    ratings = ordered({"3": 0.15, "4": 0.15, "5": 0.15})
    text, told = verdict(ratings), metrics.scores(ratings).summary()
    assert "People labelled" in text
    assert "The mean error on what people labelled is −" in text
    assert "rates lower" not in text
    assert "People labelled" in told
    assert "which decisions people labelled depends on its verdict: that does not say which is the more generous." in told
    assert "so it is the stricter" not in told


def test_scores_of_one_verdict_alone_are_undefined() -> None:
    scores = metrics.scores(ordered(NO_HIGH)).judges["j"]
    assert not any(estimate.defined for block in (scores.pooled, scores.mean) for estimate in block.estimates.values())
    assert "people labelled only decisions that the judge calls ‘1’" in scores.pooled["bias"].why
    assert "lie above" not in metrics.scores(ordered(NO_HIGH)).summary()


@pytest.mark.slow("simulates")
def test_little_is_said_of_labels_by_lot() -> None:
    """At most 2 of 20 files: P(more) < 0.001 at 1 %."""
    told = 0
    for seed in range(10):
        for ratings in (nominal(dict.fromkeys(CLASSES, 0.4), seed=seed), ordered(dict.fromkeys(ORDER, 0.4), seed=seed)):
            told += any(warning.code == LABELS_BY_VERDICT for warning in metrics.agreement(ratings).warnings)
    assert told <= 2

"""Judges with known errors, and the real files with many judges."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from tests.shared_data import data


def judged(build_ratings, truth, said, *, criteria=1):
    """Ratings of one human and several judges from label codes (0 MET, 1 UNMET, 2 CA, 3 ERR, -1 none), shapes (n,), (n, J)."""
    names = ["MET", "UNMET", "CA", "ERR"]
    where = [(f"i{place // criteria}", f"c{place % criteria}") for place in range(len(truth))]
    rows = [(*at, "h", "human", names[code]) for at, code in zip(where, truth, strict=True) if code >= 0]
    for judge in range(np.shape(said)[1]):
        rows += [
            (*at, f"j{judge}", "judge", names[code])
            for at, code in zip(where, np.asarray(said)[:, judge].tolist(), strict=True)
            if code >= 0
        ]
    raters = [("h", "human"), *((f"j{judge}", "judge") for judge in range(np.shape(said)[1]))]
    return build_ratings(
        rows, items=list(dict.fromkeys(at[0] for at in where)), criteria=[f"c{c}" for c in range(criteria)], raters=raters
    )


@pytest.fixture(scope="session")
def build_judged(build_ratings):
    return lambda truth, said, **options: judged(build_ratings, truth, said, **options)


@pytest.fixture(scope="session")
def noisy(build_judged):
    """60 items on 2 criteria, 6 judges, some abstaining, some failing, some without a row."""
    rng = np.random.default_rng(5)
    truth = rng.choice([0, 1, 2], 120, p=[0.4, 0.5, 0.1])
    hard = rng.random(120) < 0.3
    said = np.stack([np.where(rng.random(120) < np.where(hard, 0.5, 0.1), 1 - truth % 2, truth % 2) for _ in range(6)], axis=1)
    blur = rng.random(said.shape)
    said = np.where(blur < 0.05, 2, np.where(blur < 0.08, 3, np.where(blur < 0.12, -1, said)))
    return build_judged(truth.tolist(), said, criteria=2)


@pytest.fixture(scope="session")
def llmbar():
    return metrics.read(data("llmbar_natural.csv"), labels={"output_1": "positive", "output_2": "negative"})


@pytest.fixture(scope="session")
def pandalm():
    labels = {"1": "positive", "2": "negative", "tie": "tie", "INVALID": "invalid"}
    return metrics.read(data("pandalm_pairwise.csv"), labels=labels)

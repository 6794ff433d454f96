"""Spaces of choices, their results and verdicts at random, for the tests of both."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

import metrics
from metrics.analyses.multiverse.compute import Levels, Space, evaluated, space_of
from metrics.analyses.multiverse.result import Multiverse, multiverse
from metrics.analyses.settings import Settings, settings_of
from tests.conftest import ratings_of

LABELS = ("MET", "UNMET", "CA", "TIE", "BAD")


def space(ratings: metrics.Ratings, level: str = "micro", *, judge: str = "", every_human: bool = False, **choices) -> Space:
    judge = judge or ratings.judges[0]
    base = settings_of(ratings, **({"interval": "none", "judges": [judge]} | choices))
    return space_of(ratings, judge, base, level, every_human=every_human)


def results(ratings: metrics.Ratings, its: Space) -> Mapping[Settings, Levels]:
    return {s: evaluated(ratings, its.judge, s) for s in {its.settings(analysis) for analysis in its.analyses}}


def found(ratings: metrics.Ratings, its: Space, metric: str = "kappa") -> Multiverse:
    return multiverse(its, results(ratings, its), metric)


def rated(n: int, criteria: int, humans: int, seed: int, labels: tuple[str, ...] = LABELS, share=(0.4, 0.3, 0.1, 0.1, 0.1)):
    """Random verdicts of some humans and one judge; the judge often follows the first human."""
    rng = np.random.default_rng(seed)
    p = np.array(share[: len(labels)]) / sum(share[: len(labels)])
    rows = []
    for i, c in itertools.product(range(n), range(criteria)):
        said = rng.choice(labels, size=humans + 1, p=p)
        if rng.random() < 0.6:
            said[-1] = said[0]
        rows += [(f"i{i}", f"c{c}", f"h{h}", "human", said[h]) for h in range(humans)]
        rows.append((f"i{i}", f"c{c}", "j", "judge", said[-1]))
    return ratings_of(rows)

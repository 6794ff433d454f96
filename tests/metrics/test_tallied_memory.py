"""A tally costs memory by its kinds of items, not by the items they stand for."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.abstention.selective import risk_coverage
from metrics.analyses.raters.alternative import alternative_annotator
from metrics.analyses.roc.decisions import decisions_of
from metrics.analyses.roc.held_out import MOST, SHUFFLED, dealt, held_out
from metrics.analyses.scores.density import plane_of_pairs
from metrics.analyses.scores.item_totals import totals_of, worth_of
from metrics.analyses.scores.scored import numbered_of
from metrics.analyses.settings import settings_of
from metrics.data.ratings import Ratings
from metrics.results.words import count
from tests.tallies import tally_of

KINDS, MANY, MOST_BYTES = 40, 2_500_000, 30_000_000


@cache
def small(n: int = KINDS) -> Ratings:
    """Two humans and a judge with scores on a grid, on two criteria, silent here and there; hardly two items alike."""
    rng = np.random.default_rng(3)
    rows = []
    for item in range(n):
        for criterion in ("c1", "c2"):
            truth = rng.random()
            for name, role in (("h1", "human"), ("h2", "human"), ("j", "judge")):
                score = round(float(np.clip(truth + rng.normal(0, 0.3), 0, 1)), 2)
                label = rng.choice(["yes" if score > 0.5 else "no", "N/A"], p=[0.9, 0.1])
                rows.append((f"i{item}", criterion, name, role, label, score, f"g{item % 7}"))
    frame = pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label", "score", "group"])
    labels = {"yes": "positive", "no": "negative", "N/A": "abstention"}
    return tally_of(frame, labels=labels, keep=("group",))


def times(ratings: Ratings, n: int) -> Ratings:
    assert ratings.multiplicity is not None
    return replace(ratings, multiplicity=ratings.multiplicity * n, memo={})


REPORTS: dict[str, Callable[[Ratings], object]] = {
    "roc": lambda r: metrics.roc(r).to_dict(),
    "roc, folds": lambda r: metrics.roc(r, holding_out="cross").to_dict(),
    "roc by group": lambda r: metrics.roc(r, unit="group").to_dict(),
    "numbers": lambda r: metrics.scores(r, on="score").to_dict(),
    "numbers by group": lambda r: metrics.scores(r, on="score", unit="group").to_dict(),
    "item scores": lambda r: metrics.item_scores(r).to_dict(),
    "plane": lambda r: plane_of_pairs(numbered_of(r, "j", "majority").paired),
    "alternative": lambda r: alternative_annotator(r, "j"),
    "curve": lambda r: risk_coverage(r, "j", settings_of(r)),
    "bounds": lambda r: bounds(r, "j", settings_of(r)),
}


@pytest.mark.slow("every report, traced")
@pytest.mark.parametrize("name", REPORTS)
def test_a_hundred_million_items_are_as_light_as_their_kinds(name: str) -> None:
    many = times(small(), MANY)
    assert many.n_items == KINDS * MANY == 10**8
    REPORTS[name](small())
    tracemalloc.start()
    REPORTS[name](many)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MOST_BYTES


def test_numbers_that_do_not_know_the_size_are_those_of_the_kinds() -> None:
    one, many = small(), times(small(), MANY)
    roc = [metrics.roc(r).judges["j"] for r in (one, many)]
    assert roc[0].mean.area.value == pytest.approx(roc[1].mean.area.value, abs=1e-12)
    curves = [own.pooled.curve for own in roc]
    assert curves[0].area.value == pytest.approx(curves[1].area.value, abs=1e-12)
    assert curves[0].tally.n * MANY == curves[1].tally.n
    values = [metrics.scores(r, on="score").judges["j"].pooled.values for r in (one, many)]
    for key in ("pearson", "spearman", "kendall_tau_b", "rmse", "mae", "bias"):
        assert values[0][key] == pytest.approx(values[1][key], abs=1e-12)
    totals = totals_of(many, "j", "majority", worth_of(many, None, None)).merged()
    assert int(totals.times.sum()) == many.n_items


def test_what_is_held_out_is_half_of_the_items_drawn_by_kind() -> None:
    ratings = times(small(), MANY)
    scores, _ = decisions_of(ratings, "j", "majority").scores()
    parts = dealt(scores, 2, 1)
    n = int(scores.multiplicity.sum())
    assert n > SHUFFLED
    assert parts.sum(0).tolist() == scores.multiplicity.tolist()
    assert abs(int(parts[0].sum()) - int(parts[1].sum())) <= 1
    # of m alike items the part has a hypergeometric number, whose spread is at most half the root of m
    assert np.abs(parts[0] - scores.multiplicity / 2).max() < 5 * np.sqrt(scores.multiplicity.max()) / 2
    assert (parts[0] != dealt(scores, 2, 2)[0]).any()
    found = held_out(scores, 1, 0.95)
    assert not isinstance(found, str)
    assert found.n_chosen_on + found.cut.n == scores.tally().n


def test_more_items_than_can_be_drawn_from_are_refused_in_a_sentence() -> None:
    scores, _ = decisions_of(times(small(), 10 * MANY * 2), "j", "majority").scores()
    assert int(scores.multiplicity.sum()) > MOST
    assert str(held_out(scores, 0, 0.95)).endswith(f"can be drawn from to hold some out: {count(MOST)} can")

"""Where a mark on a ROC curve stops: at the scores of the file, with the catalogue's numbers of the table there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.analyses.roc.cuts import Cut
from metrics.analyses.roc.provenance import cut_words
from metrics.analyses.roc.readings import stop_words
from metrics.analyses.roc.tallies import Direction, stop_of, stop_places, tally_of
from metrics.measures.coefficients import cohen_kappa
from metrics.results.words import number, percent

DIRECTIONS: tuple[Direction, ...] = ("higher", "lower")
DECISIONS = st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=40)


@given(DECISIONS, st.sampled_from(DIRECTIONS))
def test_every_score_is_a_stop_with_the_table_that_is_counted_there(
    decisions: list[tuple[int, bool]], direction: Direction
) -> None:
    score, positive = (np.array(column) for column in zip(*decisions, strict=True))
    tally = tally_of(score / 10, positive, direction)
    places = stop_places(tally)
    assert sorted(tally.thresholds[places]) == sorted(set(score / 10))
    for stop, table in enumerate(tally.tables(places)):
        threshold = tally.thresholds[places[stop]]
        called = score / 10 >= threshold if direction == "higher" else score / 10 <= threshold
        assert table.tolist() == [
            [int((positive & called).sum()), int((positive & ~called).sum())],
            [int((~positive & called).sum()), int((~positive & ~called).sum())],
        ]
        assert stop_of(tally, places, threshold) == stop
        assert stop_of(tally, places, tally.written(threshold)) == stop


@given(DECISIONS)
def test_what_is_said_at_a_stop_is_said_of_its_cut(decisions: list[tuple[int, bool]]) -> None:
    score, positive = (np.array(column) for column in zip(*decisions, strict=True))
    tally = tally_of(score / 10, positive)
    places = stop_places(tally)
    for place, said in zip(places, stop_words(tally, places), strict=True):
        cut = Cut(float(tally.thresholds[place]), tally.table(tally.thresholds[place]), {})
        with np.errstate(all="ignore"):
            kappa = float(cohen_kappa(cut.table.astype(float)))
        numbers = f"TPR {percent(cut['tpr'].value)}, FPR {percent(cut['fpr'].value)}, J {number(cut['youden_j'].value)}"
        assert said == f"{cut_words(cut.threshold, tally)}: {numbers}, κ {number(kappa)}"


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_of_many_scores_so_many_stops_lie_evenly_along_the_curve(direction: Direction) -> None:
    rng = np.random.default_rng(5)
    positive = rng.random(20_000) < 0.4
    tally = tally_of(rng.normal(positive, 1.0), positive, direction)
    places = stop_places(tally, 200)
    assert 150 <= len(places) <= 201
    along = (tally.fpr + tally.tpr)[places]
    assert np.diff(along).max() < 3 * 2 / 200
    assert (np.diff(places) > 0).all()
    assert along[-1] == 2  # everything called positive, so that no mark ends before the curve does
    between = tally.thresholds[(places[10] + places[11]) // 2]
    assert stop_of(tally, places, between) in (10, 11)

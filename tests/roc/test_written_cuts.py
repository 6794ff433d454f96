"""A cut as it is written calls the same scores positive when it is typed back."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import metrics
from metrics.analyses.roc.compute import cut_at
from metrics.analyses.roc.provenance import cut_words, short_cut
from metrics.analyses.roc.tallies import ScoreTally, tally_of
from metrics.results.safe_csv import safe_csv
from tests.roc.made import made_up, ratings_of, turned_round

finite = st.floats(-1e9, 1e9, allow_nan=False)
lists = st.lists(finite, min_size=1, max_size=12)


def tally(scores, direction="higher") -> ScoreTally:
    return tally_of(np.array(scores, float), np.arange(len(scores)) % 2 == 0, direction)


def typed(text: str) -> float:
    return float(text.replace("\u2212", "-"))


def called(scores, cut: float, direction: str) -> list[bool]:
    return [score >= cut if direction == "higher" else score <= cut for score in scores]


@pytest.mark.parametrize("direction", ["higher", "lower"])
@given(lists, finite)
@example([0.1 + 0.2, 0.3], 0.1 + 0.2)
@example([0.12345678, 0.12345679], 0.12345679)
@example([1e-9, 2e-9, -1e-9], 1e-9)
@example([123456789.123, 123456789.124], 123456789.124)
def test_typed_back_it_calls_the_same_scores_positive(direction, scores, between) -> None:
    its = tally(scores, direction)
    for cut in (*scores, between):
        text = short_cut(cut, its)
        assert called(scores, typed(text), direction) == called(scores, cut, direction)
        assert its.same(typed(text), cut)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_two_cuts_are_the_same_where_no_score_lies_between(direction) -> None:
    scores = [0.2, 0.5, 0.5, 0.9]
    its = tally(scores, direction)
    cuts = [-math.inf, 0.1, 0.2, 0.3, 0.5, 0.6, 0.9, 1.0, math.inf]
    for one in cuts:
        for other in cuts:
            assert its.same(one, other) == (called(scores, one, direction) == called(scores, other, direction))


@pytest.mark.parametrize(
    ("scores", "cut", "text"),
    [
        ([0.7795, 0.783906], 0.783906, "0.78"),  # two decimals where they do
        ([0.783, 0.783906], 0.783906, "0.7839"),  # 0.78 would call 0.783 positive, 0.784 not even the score itself
        ([0.05, 0.25], 0.25, "0.25"),
        ([3, 4], 4, "4"),
        ([12000, 12345.678], 12345.678, "12345.67"),  # 12345.68 would lie above
        ([-3.5101, -3.4728193], -3.4728193, "\u22123.48"),
        ([0.1 + 0.2, 0.3], 0.1 + 0.2, "0.30000000000000004"),
        ([0.00001234, 0.5], 0.00001234, "0.000012"),
        ([-0.0, 1], -0.0, "0"),
    ],
)  # fmt: skip
def test_as_few_digits_as_do(scores, cut, text) -> None:
    assert short_cut(cut, tally(scores)) == text


def test_infinity_is_said_in_words() -> None:
    its, lower = tally([1, 2]), tally([1, 2], "lower")
    assert short_cut(math.inf, its) == "∞"
    assert cut_words(math.inf, its) == "a threshold above every score"
    assert cut_words(-math.inf, lower) == "a threshold below every score"
    assert (cut_words(2, its), cut_words(2, lower)) == ("score ≥ 2", "score ≤ 2")


def test_what_is_exported_is_exact() -> None:
    rng = np.random.default_rng(3)
    rows = [f"i{i},c,j,{'MET' if i % 3 else 'UNMET'},MET,{rng.normal(i % 3, 2)!r}" for i in range(90)]
    ratings = ratings_of("item,criterion,judge,human,verdict,score\n" + "\n".join(rows) + "\n")
    report = metrics.roc(ratings)
    curve = report.judges["j"].pooled.curve
    told = json.loads(json.dumps(report.to_dict()))["judges"]["j"]["criteria"]["all"]
    assert told["threshold"] == curve.best.threshold
    assert told["held_out"]["threshold"] == curve.held_out.cut.threshold
    table = csv.DictReader(io.StringIO(safe_csv(report.to_frame())))
    cuts = [float(row["threshold"]) for row in table if (row["criterion"], row["of"]) == ("all", "score")]
    assert cuts == curve.tally.thresholds.tolist()
    again = cut_at(ratings, "j", report.settings, typed(short_cut(told["threshold"], curve.tally)))
    assert again.table.tolist() == curve.best.table.tolist()


def test_the_page_starts_at_the_cut_as_it_is_written() -> None:
    for direction, text in (("higher", made_up()), ("lower", turned_round(made_up()))):
        curve = metrics.roc(ratings_of(text), direction=direction).judges["j"].pooled.curve
        assert curve.tally.same(curve.start, curve.best.threshold)
        assert curve.tally.ends[0] <= curve.start <= curve.tally.ends[1]

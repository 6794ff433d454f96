"""What is claimed of a group holds within criteria too: pooled κ moves with the label rates of criteria."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.slices import readings, tables
from metrics.analyses.slices.grouping import By, grouping
from metrics.analyses.slices.parts import Judged
from metrics.analyses.slices.within_criteria import within_criteria
from metrics.measures.coefficients import kappa_within, weighted_kappa_quadratic

CRITERIA = ("a", "b", "c", "d")


def answered(rates: dict[str, tuple[float, ...]], right: dict[str, float], n: int = 150, seed: int = 1) -> pd.DataFrame:
    """Return items of several topics: people say yes at the rates of criteria, and so does a judge that knows these alone.

    `right` is how often the judge takes the label of the person instead.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for topic, of_criterion in rates.items():
        for criterion, rate in zip(CRITERIA, of_criterion, strict=True):
            human, guessed = np.where(rng.random((2, n)) < rate, "y", "n")
            said = np.where(rng.random(n) < right[topic], human, guessed)
            items = [f"{topic}{at}" for at in range(n)]
            rows.append(pd.DataFrame({"item": items, "criterion": criterion, "topic": topic, "human": human, "verdict": said}))
    return pd.concat(rows)


SPREAD, LEVEL = (0.05, 0.05, 0.95, 0.95), (0.5, 0.5, 0.5, 0.5)


def sliced(frame: pd.DataFrame) -> metrics.SliceReport:
    return metrics.slices(metrics.read(frame, labels={"y": "positive", "n": "negative"}), "topic", find=True)


@pytest.fixture(scope="module")
def mixture() -> metrics.SliceReport:
    """The judge agrees within no criterion of any topic; in one topic alone the criteria differ in their rates."""
    return sliced(answered({"x": SPREAD, "y": LEVEL, "z": LEVEL}, dict.fromkeys("xyz", 0.0)))


def test_a_group_that_pooling_alone_makes_is_not_claimed(mixture: metrics.SliceReport) -> None:
    judge = mixture.judges["judge"]
    x = judge["x"]
    assert x["kappa"].value > 0.6
    assert x.p["kappa"] < 0.01
    assert x.departs_pooled("kappa") == 1
    assert not judge.departing
    assert x.within["kappa"].value == pytest.approx(x["kappa_within"].value)
    headline = readings.headline(mixture, judge)
    assert headline.startswith("no group is shown to differ within criteria: over the pooled decisions κ is lower in")
    assert not any("is lower than the others: κ" in said for said in readings.sentences(mixture, judge))
    assert any("over the pooled decisions alone (p" in said for said in readings.sentences(mixture, judge))


def test_the_search_claims_no_group_that_pooling_alone_makes(mixture: metrics.SliceReport) -> None:
    search = mixture.searches["judge"]
    assert not search.departing
    assert search.n_apart_pooled == 3
    assert readings.search_reading(search).startswith("none departs within criteria: of 3 groups of 1 column 3 depart in κ")
    written: dict[str, Any] = json.loads(mixture.to_json())
    assert written["search"]["judge"]["n_apart_pooled"] == 3
    assert written["heterogeneity"]["judge"]["within_criteria"]["p"] > 0.05


def test_a_group_that_differs_within_criteria_is_claimed_with_both_numbers() -> None:
    report = sliced(answered(dict.fromkeys("xyz", LEVEL), {"x": 0.1, "y": 0.7, "z": 0.7}))
    judge = report.judges["judge"]
    assert [each.value for each in judge.below] == ["x"]
    beside = judge["x"].within["kappa"]
    said = readings.departing(judge, judge["x"])
    both = f"{beside.value:.2f} there and {beside.rest:.2f} in all others"
    assert f"Within criteria and within groups κ is {both} (p <0.001)." in said
    (first, *_) = report.searches["judge"].departing
    assert first.value == "x"
    assert first.within is not None
    table = tables.slice_table(report, judge)
    assert "p within" in [column.name for column in table.columns]


def test_one_criterion_has_no_second_test() -> None:
    frame = answered(dict.fromkeys("xyz", LEVEL), {"x": 0.1, "y": 0.7, "z": 0.7})
    judge = sliced(frame[frame.criterion == "a"]).judges["judge"]
    assert judge.within is None
    assert not any(each.within for each in judge.slices)


@pytest.mark.slow("leaves out items one at a time")
def test_errors_are_those_of_leaving_out_one_item_at_a_time() -> None:
    frame = answered({"x": (0.2, 0.4, 0.6, 0.8), "y": LEVEL}, {"x": 0.5, "y": 0.3}, n=120)
    ratings = metrics.read(frame, labels={"y": "positive", "n": "negative"})
    settings = metrics.slices(ratings, "topic").parts.judged["judge"].settings  # type: ignore[attr-defined]
    found = within_criteria(Judged("judge", settings, grouping(ratings, [By.of("topic")])), "kappa", [True, True])
    assert found is not None
    tables_of = {name: counts(frame[frame.topic == name]) for name in "xy"}
    values = {name: float(kappa_within(table)) for name, table in tables_of.items()}
    errors = {}
    for name, table in tables_of.items():
        own = frame[frame.topic == name]
        left = np.array([np.arctanh(float(kappa_within(table - counts(part)))) for _, part in own.groupby("item")])
        errors[name] = np.sqrt((len(left) - 1) * left.var())
    z = (np.arctanh(values["x"]) - np.arctanh(values["y"])) / np.hypot(*errors.values())
    beside = found[1][0]
    assert beside is not None
    assert beside.value == pytest.approx(values["x"])
    assert beside.rest == pytest.approx(values["y"])
    assert beside.z == pytest.approx(z, rel=0.06)
    assert found[0].q == pytest.approx(beside.z**2, rel=1e-6)


def counts(frame: pd.DataFrame) -> np.ndarray:
    return np.array(
        [
            [[((frame.criterion == name) & (frame.human == h) & (frame.verdict == v)).sum() for v in "yn"] for h in "yn"]
            for name in CRITERIA
        ],
        float,
    )


def test_penalties_count_within_criteria_as_they_do_in_one_table() -> None:
    table = np.random.default_rng(1).integers(0, 9, (1, 4, 4)).astype(float)
    assert float(kappa_within(table, weights="quadratic")) == pytest.approx(float(weighted_kappa_quadratic(table[0])))


@pytest.mark.slow("simulates")
def test_rare_differences_are_claimed_where_nothing_differs() -> None:
    """At most about one in twenty of files whose topics differ in nothing has a group that is claimed."""
    claimed = 0
    for seed in range(20):
        rates = dict.fromkeys("xyz", (0.1, 0.4, 0.6, 0.9))
        judge = sliced(answered(rates, dict.fromkeys("xyz", 0.4), n=40, seed=seed)).judges["judge"]
        claimed += bool(judge.departing)
    assert claimed <= 3

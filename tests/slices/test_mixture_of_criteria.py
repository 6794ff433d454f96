"""A group that is asked other criteria than the others is no outlier for that: each is held against its own criteria."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.settings import settings_of
from metrics.analyses.slices import readings
from metrics.analyses.slices.grouping import By, grouping
from metrics.analyses.slices.parts import Judged
from metrics.analyses.slices.result import JudgeSlices
from metrics.analyses.slices.within_criteria import batches_within

EASY, HARD = ("a", "b"), ("c", "d")
RIGHT = {"a": 0.97, "b": 0.95, "c": 0.7, "d": 0.65}
SEEDS = 6


def monthly(late: tuple[str, ...], less: float = 0.0, *, seed: int) -> metrics.Ratings:
    """Ten batches of 60 items; the last two are asked the criteria `late`, and the judge is right less often there."""
    rng, rows = np.random.default_rng(seed), []
    for month in range(1, 11):
        last = month > 8
        for at in range(60):
            for criterion in late if last else EASY + HARD:
                human = rng.random() < 0.5
                said = human == (rng.random() < RIGHT[criterion] - less * last)
                when = f"2026-{month:02}-{at % 27 + 1:02}"
                rows.append((f"{month}-{at}", criterion, "ny"[human], "ny"[said], when, "late" if last else "early"))
    frame = pd.DataFrame(rows, columns=["item", "criterion", "human", "verdict", "day", "phase"])
    return metrics.read(frame, labels={"y": "positive", "n": "negative"})


@cache
def judges(column: str, late: tuple[str, ...], less: float = 0.0) -> tuple[tuple[metrics.SliceReport, JudgeSlices], ...]:
    reports = [metrics.slices(monthly(late, less, seed=seed), column) for seed in range(SEEDS)]
    return tuple((report, report.judges["judge"]) for report in reports)


def outside(late: tuple[str, ...], less: float = 0.0) -> int:
    charts = [judge.chart for _, judge in judges("day", late, less)]
    return sum(chart is not None and bool(chart.outside or chart.drift) for chart in charts)


@pytest.mark.slow("simulates")
def test_a_batch_of_harder_criteria_stays_within_its_limits() -> None:
    assert outside(HARD) <= 1


@pytest.mark.slow("simulates")
def test_a_judge_that_gets_worse_is_seen_with_the_same_criteria_and_with_others() -> None:
    assert outside(EASY + HARD, 0.2) == SEEDS
    assert outside(HARD, 0.2) >= SEEDS - 1
    report, judge = judges("day", HARD, 0.2)[0]
    assert judge.chart is not None
    for batch in judge.chart.outside:
        assert not batch.low <= judge[batch.value]["kappa"].value <= batch.high
    assert "looked back on, and for a batch of other criteria." in " ".join(readings.sentences(report, judge))


@pytest.mark.slow("simulates")
def test_tpr_and_tnr_of_harder_criteria_are_told_apart_over_the_pooled_decisions_alone() -> None:
    found = [judge for _, judge in judges("phase", HARD)]
    assert sum(judge.tests["recall"].p <= 0.05 for judge in found) >= SEEDS - 1
    assert sum(judge.rates[key].p <= 0.05 for judge in found for key in ("recall", "specificity")) <= 2
    report, judge = next(each for each in judges("phase", HARD) if each[1].tests["recall"].p <= 0.05 < each[1].rates["recall"].p)
    assert "TPR differs over the pooled decisions alone (p 0.0" in " ".join(readings.sentences(report, judge))
    assert report.to_dict()["heterogeneity"]["judge"]["recall_within_criteria"]["p"] == judge.rates["recall"].p


@pytest.mark.slow("simulates")
def test_rates_that_differ_within_criteria_are_told() -> None:
    for report, judge in judges("phase", EASY + HARD, 0.2):
        assert judge.rates["recall"].p <= 0.05
        assert "Between the groups TPR differs (p 0.00" in " ".join(readings.sentences(report, judge))


@pytest.mark.slow("simulates")
def test_a_group_of_harder_criteria_is_not_named_lower() -> None:
    found = judges("phase", HARD)
    assert sum(bool(judge.departing) for _, judge in found) <= 1
    assert all(judge["late"].departs_pooled("kappa") < 0 for _, judge in found)
    report, judge = next(each for each in found if not each[1].departing)
    assert readings.headline(report, judge).startswith("no group is shown to differ within criteria")
    assert "It has no decision on 2 criteria of the file" in " ".join(readings.sentences(report, judge))
    assert all(judge.departing for _, judge in judges("phase", EASY + HARD, 0.2))


def test_what_groups_of_items_have_in_common_in_two_batches_is_no_error_of_their_distance() -> None:
    """The second batch repeats the first but for five verdicts: in the same groups chance explains less of that."""
    rows = [
        (str(at), f"g{at % 20}", criterion, "ny"[at % 2], "ny"[at % 2 ^ (at % 20 < 7)]) for at in range(120) for criterion in "ab"
    ]
    first = pd.DataFrame(rows, columns=["item", "source", "criterion", "human", "verdict"])
    second = first.assign(item="b" + first["item"])
    second.loc[second.index[:10:2], "verdict"] = "y"
    far = []
    for sources in (second["source"], "other " + second["source"]):
        frame = pd.concat([first.assign(day="1"), second.assign(source=sources, day="2")])
        ratings = metrics.read(frame, labels={"y": "positive", "n": "negative"})
        judged = Judged("judge", settings_of(ratings, unit="source"), grouping(ratings, [By("day")]))
        z = batches_within(judged, "kappa", 1, np.array([False, True]))
        assert z is not None
        far.append(abs(z[1]))
    assert far[0] > 1.5 * far[1]

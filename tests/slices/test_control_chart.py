"""Batches over time: limits that do not cry wolf, and that see a judge which changes."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

import metrics
from metrics.analyses.slices import readings, tables
from metrics.analyses.slices.control_chart import control_chart, correlated
from metrics.analyses.slices.studentised import Units


def batches(seed: int, n_batches: int = 12, n: int = 40, error: float = 0.12, last: float = 0.12) -> tuple[Units, np.ndarray]:
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n_batches), n)
    positive = rng.random(len(group)) < 0.6
    rate = np.where(group >= n_batches - 3, last, error)
    judge = positive ^ (rng.random(len(group)) < rate)
    tables = np.zeros((len(group), 2, 2))
    tables[np.arange(len(group)), 1 - positive.astype(int), 1 - judge.astype(int)] = 1
    return Units(tables, np.ones(len(group), np.int64)), group


def names(n: int) -> tuple[str, ...]:
    return tuple(f"week {place:02}" for place in range(n))


def test_a_judge_that_stays_as_it_is_leaves_its_limits_in_few_files() -> None:
    """At most 8 of 80 files: P(more) < 0.02 at 5 %."""
    flagged = sum(bool(control_chart(*batches(seed), names(12), "kappa").outside) for seed in range(80))
    assert flagged <= 8


def test_a_judge_that_gets_worse_leaves_its_limits_downwards() -> None:
    chart = control_chart(*batches(1, n=80, last=0.45), names(12), "kappa")
    assert chart.outside
    assert all(batch.outside == -1 for batch in chart.outside)
    assert {batch.value for batch in chart.outside} <= set(names(12)[-3:])
    for batch in chart.outside:
        assert batch.low < chart.centre < batch.high


def test_the_baseline_is_never_tested_and_holds_enough() -> None:
    chart = control_chart(*batches(2), names(12), "kappa")
    assert chart.n_baseline == 3
    assert all(math.isnan(batch.z) and not batch.outside for batch in chart.batches[:3])
    assert control_chart(*batches(2, 20), names(20), "kappa").n_baseline == 8
    assert control_chart(*batches(2), names(12), "kappa", baseline=5).n_baseline == 5


def test_too_little_says_why() -> None:
    small = control_chart(*batches(3, 3, 20), names(3), "kappa")
    assert small.why
    assert not small.outside
    assert all(math.isnan(batch.low) for batch in small.batches)
    one = control_chart(*batches(3, 1, 200), names(1), "kappa")
    assert "no batch after the baseline" in one.why


def test_the_correlation_of_neighbours_is_tested_as_scipy_does() -> None:
    z = np.random.default_rng(4).normal(size=15)
    assert correlated(z) == pytest.approx(pearsonr(z[:-1], z[1:]).pvalue)
    assert correlated(np.ones(9)) == 1
    assert correlated(z[:3]) == 1


def test_a_baseline_that_drifts_has_no_limits() -> None:
    rng = np.random.default_rng(5)
    group = np.repeat(np.arange(20), 60)
    rate = 0.05 + 0.4 * np.minimum(group, 7) / 7
    positive = rng.random(len(group)) < 0.5
    judge = positive ^ (rng.random(len(group)) < rate)
    tables = np.zeros((len(group), 2, 2))
    tables[np.arange(len(group)), 1 - positive.astype(int), 1 - judge.astype(int)] = 1
    chart = control_chart(Units(tables, np.ones(len(group), np.int64)), group, names(20), "kappa")
    assert "alike" in chart.why


def test_a_column_of_times_has_a_chart_in_the_report_its_table_and_its_json() -> None:
    rng = np.random.default_rng(6)
    n = 600
    month = np.sort(rng.integers(0, 10, n))
    positive = rng.random(n) < 0.6
    judge = positive ^ (rng.random(n) < np.where(month == 9, 0.5, 0.08))
    frame = pd.DataFrame(
        {
            "item": range(n), "human": np.where(positive, "yes", "no"), "verdict": np.where(judge, "yes", "no"),
            "day": [f"2026-{at + 1:02}-{day:02}" for at, day in zip(month, rng.integers(1, 28, n), strict=True)],
        }
    )  # fmt: skip
    report = metrics.slices(metrics.read(frame), "day")
    slices = report.judges["judge"]
    assert slices.chart is not None
    assert [batch.value for batch in slices.chart.outside] == ["2026-10"]
    assert [each.value for each in slices.in_time] == list(report.values)
    assert "left its limits in ‘2026-10’" in readings.chart_reading(slices)
    assert "Limits" in [column.name for column in tables.slice_table(report, slices).columns]
    assert report.to_dict()["control_chart"]["judge"]["batches"][-1]["outside"] == -1
    assert metrics.SliceReport.from_json(report.to_json()).to_dict() == report.to_dict()

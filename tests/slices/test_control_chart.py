"""Batches over time: limits that do not cry wolf, and that see a judge which changes."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

import metrics
from metrics.analyses.slices import readings, tables
from metrics.analyses.slices.control_chart import control_chart, correlated, running_mean
from metrics.analyses.slices.grouping import By, grouping
from metrics.analyses.slices.studentised import Units
from metrics.data.item_columns import are_times, values_to_filter_by
from metrics.figures.of_reports import batch_rows


def batches(
    seed: int, n_batches: int = 12, n: int = 40, error: float = 0.12, last: float = 0.12, changed: int = 3
) -> tuple[Units, np.ndarray]:
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n_batches), n)
    positive = rng.random(len(group)) < 0.6
    rate = np.where(group >= n_batches - changed, last, error)
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


@pytest.mark.parametrize(
    "months",
    [
        [f"2026-{at:02}" for at in range(1, 13)],
        [f"{at:02}/2026" for at in range(1, 13)],
        [f"2026-{at:02}-01" for at in range(1, 13)],
        [f"{name} 2026" for name in ("Jan Feb Mar Apr May June July Aug Sept Oct Nov December").split()],
        [f"{year}-Q{at}" for year in (2024, 2025, 2026) for at in range(1, 5)],
    ],
    ids=["ISO", "slash", "first day", "name", "quarter"],
)
def test_a_year_of_months_has_a_chart_in_their_order(months: list[str]) -> None:
    rng = np.random.default_rng(6)
    n = 720
    month = rng.integers(0, 12, n)
    positive = rng.random(n) < 0.6
    judge = positive ^ (rng.random(n) < np.where(month == 11, 0.5, 0.08))
    said = {"human": np.where(positive, "yes", "no"), "verdict": np.where(judge, "yes", "no")}
    ratings = metrics.read(pd.DataFrame({"item": range(n), **said, "when": np.array(months)[month]}))
    report = metrics.slices(ratings, "when")
    assert list(report.values) == months
    chart = report.judges["judge"].chart
    assert chart is not None
    assert [batch.value for batch in chart.outside] == months[-1:]
    assert values_to_filter_by(ratings)["when"] == tuple(sorted(months))


@pytest.mark.parametrize(
    "names",
    [
        ["2026-13", "2026-01"], ["version 2026", "May 2026"], ["2026-Q5", "2026-Q1"], ["May", "June"], ["1001-01", "1001-02"],
        ["0000-00-00", "2026-02-01"], ["2026-02-30", "2026-02-01"], ["٢٠٢٦-01", "٢٠٢٦-02"],
    ],
)  # fmt: skip
def test_names_that_are_not_all_months_are_no_times(names: list[str]) -> None:
    assert not are_times(names)


def test_more_months_than_a_year_are_groups_and_filters_as_they_are_written() -> None:
    quarters = [f"{year}-Q{at}" for year in (2023, 2024, 2025, 2026) for at in range(1, 5)]
    said = {"human": ["yes", "no"] * 80, "verdict": ["yes", "no"] * 80, "when": quarters * 10}
    ratings = metrics.read(pd.DataFrame({"item": range(160)} | said))
    assert list(grouping(ratings, [By("when")]).values) == quarters
    assert values_to_filter_by(ratings)["when"] == tuple(quarters)


def test_the_running_mean_is_that_of_pandas_in_its_standard_errors() -> None:
    z = np.random.default_rng(7).normal(size=9)
    before = pd.Series([0.0, *z]).ewm(alpha=0.4, adjust=False).mean().to_numpy()[1:]
    share = 0.4 / 1.6 * (1 - 0.6 ** (2 * np.arange(1, 10)))
    assert running_mean(z) == pytest.approx(before / np.sqrt(share))


def test_a_small_lasting_change_is_seen_by_the_running_mean_more_often_than_by_single_batches() -> None:
    charts = [control_chart(*batches(seed, 24, last=0.2, changed=12), names(24), "kappa") for seed in range(40)]
    drifted = [chart.drift for chart in charts if chart.drift is not None]
    assert len(drifted) > sum(bool(chart.outside) for chart in charts)
    assert sum(drift.side == -1 for drift in drifted) >= len(drifted) - 1


@pytest.mark.slow("simulates")
def test_either_of_both_cries_wolf_in_few_files() -> None:
    """At most 8 of 80 files: P(more) < 0.02 at 5 %."""
    charts = [control_chart(*batches(seed, 24), names(24), "kappa") for seed in range(100, 180)]
    assert sum(bool(chart.outside) or chart.drift is not None for chart in charts) <= 8


def test_what_else_changes_between_batches_is_named() -> None:
    n = 600
    rng = np.random.default_rng(5)
    positive, week = rng.random(n) < 0.5, np.repeat(np.arange(20), 30)
    frame = pd.DataFrame(
        {
            "item": range(n), "human": np.where(positive, "yes", "no"),
            "verdict": np.where(positive ^ (rng.random(n) < 0.1), "yes", "no"),
            "day": (pd.Timestamp("2026-01-05") + pd.to_timedelta(week * 7, "D")).strftime("%Y-%m-%d"),
            "prompt": np.where(week < 12, "v1", "v2"), "language": rng.choice(["de", "en"], n), "site": "north",
        }
    )  # fmt: skip
    report = metrics.slices(metrics.read(frame), "day")
    judge = report.judges["judge"]
    assert judge.chart is not None
    assert [(each.value, each.column, each.before, each.after) for each in judge.chart.changes] == [
        ("week of 2026-03-30", "prompt", "v1", "v2")
    ]
    assert "‘prompt’ changes from ‘v1’ to ‘v2’ with ‘week of 2026-03-30’." in readings.chart_reading(judge)
    assert report.to_dict()["control_chart"]["judge"]["changes"][0]["after"] == "v2"
    assert judge.steps == ()
    rows = batch_rows(judge)
    assert [row.changed for row in rows if row.changed] == ["prompt v2"]
    assert [row.value for row in rows] == [judge[row.name]["kappa"].value for row in rows]


def of_weeks(column: str, names: tuple[str, ...], fall: float = 0.3, seed: int = 0) -> metrics.SliceReport:
    """A judge whose accuracy falls week by week, 40 items in each."""
    rng, at = np.random.default_rng(seed), np.repeat(np.arange(len(names)), 40)
    met = rng.random(len(at)) < 0.5
    said = met ^ (rng.random(len(at)) >= 0.88 - fall * at / (len(names) - 1))
    words = np.array(["no", "yes"])
    frame = pd.DataFrame({"item": np.arange(len(at)), "human": words[met * 1], "verdict": words[said * 1]})
    frame[column] = np.array(names)[at]
    return metrics.slices(metrics.read(frame), column)


def test_weeks_by_their_number_have_a_chart_and_days_by_their_name_have_none() -> None:
    weeks = of_weeks("week", tuple(f"W{week}" for week in range(1, 13))).judges["judge"]
    assert weeks.chart is not None
    assert weeks.chart.drift is not None
    assert not weeks.steps
    few = of_weeks("week", ("W1", "W2")).judges["judge"]
    assert few.chart is None
    assert len(few.steps) == 1
    days = of_weeks("day", ("Mon", "Tue", "Wed", "Thu", "Fri")).judges["judge"]
    assert (days.chart, days.steps) == (None, ())


@pytest.mark.parametrize(
    "names",
    [("05.01.2026", "02.02.2026", "01.03.2026"), ("1/5/2026", "10/5/2026"), ("Jan 24", "Feb 24"), ("W51 2025", "W1 2026")],
)
@pytest.mark.parametrize("column", ["day", "timestamp"])
def test_days_whose_order_is_not_that_of_their_numbers_are_not_held_against_each_other(
    names: tuple[str, ...], column: str
) -> None:
    judge = of_weeks(column, names).judges["judge"]
    assert (judge.chart, judge.steps) == (None, ())


def test_weeks_of_a_year_first_are_in_order() -> None:
    weeks = tuple(f"2025-W{week}" for week in range(45, 53)) + tuple(f"2026-W{week}" for week in range(1, 5))
    judge = of_weeks("week", weeks).judges["judge"]
    assert judge.chart is not None
    assert judge.chart.drift is not None


def test_the_first_sentence_does_not_deny_a_change_that_the_chart_shows() -> None:
    told = []
    for seed in range(12):
        report = of_weeks("week", tuple(f"W{week}" for week in range(1, 13)), 0.2, seed)
        judge = report.judges["judge"]
        first = readings.headline(report, judge)
        shown = bool(judge.chart.outside) or judge.chart.drift is not None
        assert not (shown and first.startswith("no group differs"))
        told.append("changes over time" in first)
    assert any(told)


def test_criteria_are_not_blamed_for_a_change_that_limits_with_their_criteria_show() -> None:
    """A judge that gets worse from the ninth week, while an easy criterion is asked less often from the seventh."""
    rng, rows = np.random.default_rng(2), []
    for item in range(480):
        for criterion, right in (("easy", 0.92), ("hard", 0.75)):
            if criterion == "easy" and item >= 240 and rng.random() < 0.7:
                continue
            human, wrong = rng.random() < 0.5, rng.random() > right - 0.12 * (item >= 320)
            rows.append((item, criterion, "ny"[human], "ny"[human ^ wrong], f"W{item // 40 + 1}"))
    frame = pd.DataFrame(rows, columns=["item", "criterion", "human", "verdict", "week"])
    report = metrics.slices(metrics.read(frame, labels={"y": "positive", "n": "negative"}), "week")
    judge = report.judges["judge"]
    assert judge.within.p > 0.05
    assert judge.apart_pooled
    assert judge.chart.outside
    first = readings.headline(report, judge)
    assert first.startswith("κ changes over time, though no group is shown to differ within criteria: ")
    assert "the criteria asked" not in first

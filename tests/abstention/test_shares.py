"""Rates of giving no verdict: counts, intervals, and the groups they are taken over."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

import metrics
from metrics.analyses.abstention.nonresponse import NO_VERDICT, by_criterion, by_judge, by_label, by_prompt, decisions_of
from metrics.analyses.abstention.shares import FEW, share_of, shares_by
from metrics.analyses.settings import settings_of
from metrics.data.pairs import patterns_of
from metrics.intervals.items import Coded
from metrics.intervals.jackknife import pooled_errors
from metrics.measures.rates import predicted_prevalence
from metrics.measures.transforms import student, transformed

ITEMS = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3)), min_size=2, max_size=40).map(
    lambda found: [(min(k, n), n) for k, n in found]
)


def one_by_one(count: np.ndarray, of: np.ndarray) -> float:
    """The textbook jackknife, every item left out in turn."""
    n = len(count)
    left = np.array([(count.sum() - k) / (of.sum() - m) for k, m in zip(count, of, strict=True)])
    return float(np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum()))


def test_one_decision_an_item_is_wilson() -> None:
    found = share_of([1, 0], [1, 1], [7, 33])
    assert (found.count, found.total, found.n_items, found.method) == (7, 40, 40, "wilson")
    assert found.ends == pytest.approx(proportion_confint(7, 40, method="wilson"), abs=1e-9)


def test_many_items_are_the_jackknife_on_the_logit_scale() -> None:
    rng = np.random.default_rng(1)
    of = rng.integers(1, 6, 90)
    count = rng.binomial(of, 0.3)
    found = share_of(count, of, np.ones(90))
    ends = transformed(count.sum() / of.sum(), one_by_one(count, of), "logit", student(89, 0.95))
    assert found.method == "jackknife"
    assert found.ends == pytest.approx(ends, abs=1e-12)


def test_the_jackknife_is_that_of_the_agreement_report() -> None:
    ratings = metrics.read("assets/support_answers.csv")
    patterns = patterns_of(ratings, "cautious", settings_of(ratings).reference)
    decisions = decisions_of(ratings, "cautious", settings_of(ratings).reference)
    table = np.array([[0.0, 0.0], [0.0, 0.0]])
    silent = decisions.judge == 2
    table[1, 0], table[1, 1] = silent.sum(), (~silent).sum()
    states = patterns.judge
    counted = (patterns.reference >= 0) & (states >= 0) & (patterns.reference < 6) & (states < 5)
    cell = np.where(counted, np.where(states >= 2, 2, 3), 4).astype(np.int16)
    error = pooled_errors(Coded(cell, patterns.multiplicity, 2), table, {"rate": predicted_prevalence})["rate"]
    found = next(group.judge for group in by_judge(ratings, settings_of(ratings)) if group.name == "cautious")
    assert found.value == pytest.approx(silent.mean())
    assert found.ends == pytest.approx(transformed(found.value, error, "logit", student(found.n_items - 1, 0.95)), abs=1e-10)


@settings(max_examples=150, deadline=None)
@given(ITEMS)
def test_an_interval_holds_the_share_and_lies_in_range(items: list[tuple[int, int]]) -> None:
    count, of = (np.array(part) for part in zip(*items, strict=True))
    found = share_of(count, of, np.ones(len(items)))
    assert found.value == count.sum() / of.sum()
    low, high = found.ends
    assert 0 <= low <= found.value <= high <= 1
    assert low < high
    assert 1 <= found.effect <= max(1.0, of.mean())


@settings(max_examples=60, deadline=None)
@given(ITEMS)
def test_merged_items_give_the_same_digits(items: list[tuple[int, int]]) -> None:
    kinds = sorted(set(items))
    weight = [items.count(kind) for kind in kinds]
    merged = share_of([k for k, _ in kinds], [n for _, n in kinds], weight)
    apart = share_of([k for k, _ in items], [n for _, n in items], np.ones(len(items)))
    assert (*merged.ends, merged.value) == pytest.approx((*apart.ends, apart.value), abs=1e-12)


def test_few_events_are_made_wide_enough() -> None:
    count, of = np.zeros(60), np.full(60, 3)
    count[:2] = 3
    found = share_of(count, of, np.ones(60))
    assert FEW > 2
    assert found.method == "jackknife+wilson"
    flat = proportion_confint(6, 180, method="wilson")
    assert found.ends[1] > flat[1]
    none = share_of(np.zeros(60), of, np.ones(60))
    assert none.method == "wilson"
    assert none.ends == pytest.approx(proportion_confint(0, 60, method="wilson"), abs=1e-9)


def test_one_item_or_none_has_no_interval() -> None:
    assert share_of([1], [3], [1]).ends is None
    empty = share_of([], [], [])
    assert np.isnan(empty.value)
    assert empty.ends is None


def test_groups_are_taken_apart() -> None:
    rng = np.random.default_rng(4)
    group, item = rng.integers(-1, 4, 500), rng.integers(0, 80, 500)
    event, weight = rng.random(500) < 0.3, np.ones(500, np.int64)
    found = shares_by(group, item, event, weight, 5)
    for place, share in enumerate(found):
        own = group == place
        ks = [int(event[own & (item == i)].sum()) for i in range(80)]
        ns = [int((own & (item == i)).sum()) for i in range(80)]
        assert share == share_of(ks, ns, np.ones(80))
    assert found[4].total == 0


def told(ratings: metrics.Ratings, judge: str):
    chosen = settings_of(ratings, judges=[judge])
    return decisions_of(ratings, judge, chosen.reference), chosen


def test_rates_are_those_of_the_report(build_of_tables) -> None:
    ratings = build_of_tables([[30, 10, 5], [10, 20, 5], [5, 5, 10]], [[40, 2, 8], [3, 30, 7], [1, 4, 5]])
    decisions, chosen = told(ratings, "j")
    report = metrics.agreement(ratings, interval="none").judges["j"]
    for group in by_criterion(ratings, decisions):
        coverage = report.criterion_coverage[group.name]
        assert group.judge.value == pytest.approx(coverage.judge_abstention_rate)
        assert group.human.value == pytest.approx(coverage.human_abstention_rate)
        assert group.judge.method == "wilson"
    whole = by_judge(ratings, chosen)[0]
    assert whole.judge.value == pytest.approx(report.coverage.judge_abstention_rate)
    assert whole.human.value == pytest.approx(report.coverage.human_abstention_rate)
    judge, human = by_label(ratings.scheme, decisions)
    assert [(group.name, group.judge.count, group.judge.total) for group in judge] == [
        ("MET", 13, 95), ("UNMET", 12, 75), (NO_VERDICT, 15, 30),
    ]  # fmt: skip
    assert [(group.name, group.human.count, group.human.total) for group in human] == [
        ("MET", 6, 89), ("UNMET", 9, 71), (NO_VERDICT, 15, 40),
    ]  # fmt: skip


def test_failed_calls_are_no_abstentions(build_paired) -> None:
    ratings = build_paired([["MET"]] * 4, [["MET"], ["CA"], ["ERR"], [None]])
    decisions, _ = told(ratings, "j")
    assert len(decisions.item) == 2
    (group,) = by_criterion(ratings, decisions)
    assert (group.judge.count, group.judge.total) == (1, 2)


def test_counts_weigh_as_often_as_they_stand() -> None:
    ratings = metrics.read("assets/rao_abstention.csv")
    decisions, _ = told(ratings, ratings.judges[0])
    judge, _ = by_label(ratings.scheme, decisions)
    assert [(group.judge.count, group.judge.total) for group in judge] == [(5, 45), (5, 35), (10, 20)]
    assert judge[0].judge.ends == pytest.approx(proportion_confint(5, 45, method="wilson"), abs=1e-9)


def test_prompts_are_read_beside_the_judges_verdict() -> None:
    rows = [
        {"item": f"i{i}", "criterion": "c", "judge": "j", "human": "MET", "verdict": "CANNOT_ASSESS" if i < 6 else "UNMET",
         "prompt": " short " if i % 2 else "long"}
        for i in range(40)
    ]  # fmt: skip
    ratings = metrics.read(pd.DataFrame(rows))
    decisions, _ = told(ratings, "j")
    found = {group.name: (group.judge.count, group.judge.total) for group in by_prompt(ratings, "j", decisions)}
    assert found == {"long": (3, 20), "short": (3, 20)}
    bare = metrics.read(pd.DataFrame(rows).drop(columns="prompt"))
    assert by_prompt(bare, "j", told(bare, "j")[0]) == []

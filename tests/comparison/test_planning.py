"""Items needed and widths to expect, against the formula by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

import metrics
from metrics.analyses.comparison.compute import compare
from metrics.analyses.planning.compute import SIZES, plan_difference, plan_floor
from metrics.analyses.planning.sizes import about, error_behind, expected_interval, expected_width, items_needed
from metrics.analyses.provenance import citation, header
from metrics.analyses.scores.provenance import header as scores_header
from metrics.figures.widths import alt, interval_widths
from metrics.measures.transforms import Interval
from metrics.results import words

Z = norm.ppf(0.975) + norm.ppf(0.8)


def ratings(n_items: int = 100, wrong: float = 0.15, n_criteria: int = 3, seed: int = 1) -> metrics.Ratings:
    rng = np.random.default_rng(seed)
    human = rng.random((n_items, n_criteria)) < 0.5
    rows = []
    for judge, rate in (("a", wrong), ("b", wrong / 2)):
        other = human ^ (rng.random(human.shape) < rate)
        rows += [
            {"item": i, "criterion": f"c{c}", "judge": judge, "human": "MET" if human[i, c] else "UNMET",
             "verdict": "MET" if other[i, c] else "UNMET"}
            for i, c in np.ndindex(*human.shape)
        ]  # fmt: skip
    return metrics.read(pd.DataFrame(rows))


def test_items_needed_by_hand() -> None:
    assert items_needed(0.05, 0.03, 0.0, 214).n == math.ceil(214 * (Z * 0.03 / 0.05) ** 2)
    on_fisher = (Z * (0.06 / (1 - 0.7**2)) / (math.atanh(0.7) - math.atanh(0.6))) ** 2
    assert items_needed(0.7, 0.06, 0.6, 100, "fisher").n == math.ceil(100 * on_fisher)
    on_logit = (Z * (0.03 / (0.85 * 0.15)) / (math.log(0.85 / 0.15) - math.log(0.8 / 0.2))) ** 2
    assert items_needed(0.85, 0.03, 0.8, 50, "logit").n == math.ceil(50 * on_logit)
    assert items_needed(0.15, 0.03, 0.2, 50, "logit", above=False).n == math.ceil(50 * on_logit)


@pytest.mark.parametrize(
    ("value", "error", "line", "transform", "reason"),
    [
        (math.nan, 0.1, 0.5, None, "undefined"),
        (0.7, math.nan, 0.6, "fisher", "no standard error"),
        (0.7, 0.0, 0.6, "fisher", "no standard error"),
        (0.5, 0.1, 0.6, "fisher", "below the line"),
        (0.6005, 0.1, 0.6, "fisher", "on the line"),
        (0.5995, 0.1, 0.6, "fisher", "on the line"),
        (1.0, 0.1, 0.6, "fisher", "end of its range"),
        (1.0, 0.1, 0.6, "logit", "end of its range"),
    ],
)
def test_where_no_number_can_be_named_the_reason_is(value, error, line, transform, reason) -> None:
    needed = items_needed(value, error, line, 100, transform)
    assert needed.n is None
    assert reason in needed.reason


def test_a_line_outside_the_range_is_refused() -> None:
    with pytest.raises(metrics.InputError, match="outside the range"):
        items_needed(0.7, 0.1, 1.2, 100, "fisher")


@settings(deadline=None, max_examples=60)
@given(
    value=st.floats(0.05, 0.95), error=st.floats(0.005, 0.2), line=st.floats(0.05, 0.95), n=st.integers(10, 500),
    transform=st.sampled_from(["logit", "fisher", None]),
)  # fmt: skip
def test_with_that_many_items_the_interval_would_clear_the_line(value, error, line, n, transform) -> None:
    needed = items_needed(value, error, line, n, transform)
    if needed.n is not None and needed.n > 30:
        assert expected_interval(value, error, n, needed.n, transform)[0] > line


def test_expected_interval_is_todays_at_todays_number() -> None:
    low, high = expected_interval(0.7, 0.06, 100, 100)
    assert (low, high) == pytest.approx((0.7 - t.ppf(0.975, 99) * 0.06, 0.7 + t.ppf(0.975, 99) * 0.06))
    widths = expected_width(0.7, 0.06, 100, SIZES, "fisher")
    assert (np.diff(widths) < 0).all()
    assert expected_width(0.7, 0.06, 100, 100) == pytest.approx(high - low)
    assert expected_width(0.7, 0.06, 100, 400) * 2 == pytest.approx(high - low, rel=0.02)
    assert (SIZES[0], SIZES[-1]) == (25, 5000)


@pytest.mark.parametrize("metric", ["kappa", "accuracy", "f1"])
def test_the_error_behind_a_jackknife_interval_is_the_jackknife_error(metric) -> None:
    data = ratings()
    judge = metrics.agreement(data).judges["a"]
    found = judge.micro.intervals[metric]
    assert found.method == "jackknife"
    record = metrics.BY_KEY[metric]
    rows = pd.DataFrame({"item": np.repeat(np.arange(100), 3), "code": _codes(data)})
    values = []
    for item in range(100):
        kept = rows.loc[rows["item"] != item, "code"]
        values.append(float(record.function(np.bincount(kept, minlength=4).reshape(2, 2).astype(float))))
    left = np.array(values)
    error = np.sqrt(99 / 100 * ((left - left.mean()) ** 2).sum())
    assert error_behind(found, judge.micro.values[metric], record.transform, 100) == pytest.approx(error, rel=1e-9)


def _codes(data: metrics.Ratings) -> np.ndarray:
    from metrics.data.pairs import reference_states, verdicts

    return reference_states(data, "human").astype(int) * 2 + verdicts(data, "a", "judge")


def test_an_end_on_the_boundary_says_nothing() -> None:
    error = error_behind(Interval(0.5, 1.0, "dirichlet"), 0.8, "fisher", 20)
    assert error == pytest.approx((math.atanh(0.8) - math.atanh(0.5)) / norm.ppf(0.975) * (1 - 0.64))
    assert math.isnan(error_behind(Interval(0.9, 1.0, "dirichlet"), 1.0, "fisher", 20))
    assert math.isnan(error_behind(Interval(math.nan, math.nan, "none"), 0.5, "fisher", 20))


def test_is_kappa_above_a_floor() -> None:
    judge = metrics.agreement(ratings()).judges["a"]
    value, ends = judge.micro.values["kappa"], judge.micro["kappa"].ends
    between = (ends[0] + value) / 2
    plan = plan_floor(judge, "kappa", between)
    assert plan.needed == items_needed(value, plan.error, between, 100, "fisher")
    assert plan.needed.n > 100
    assert f"is undecided; {about(plan.needed.n)} items are enough" in plan.sentence
    assert "these items are enough" in plan_floor(judge, "kappa", ends[0] - 0.01).sentence
    assert "is below" in plan_floor(judge, "kappa", ends[1] + 0.01).sentence
    below = plan_floor(judge, "kappa", (ends[1] + value) / 2)
    assert "these items do not show whether it is above" in below.sentence
    assert (below.in_place, below.settled) == ("not shown by these items", False)
    far = plan_floor(judge, "kappa", ends[1] + 0.01)
    assert "these items are enough." in far.sentence
    assert "do not tell" not in far.sentence
    assert (far.in_place, far.needed.n) == ("decided today: below", None)
    assert "No number of items" in plan_floor(judge, "kappa", value - plan.error / 100).sentence
    assert len(plan.low) == len(plan.sizes) == len(plan.high)
    json.dumps(plan.to_dict(), allow_nan=False)


def test_without_a_standard_error_no_number_is_named_and_the_line_is_told_in_words() -> None:
    rows = [("i0", "MET"), ("i1", "UNMET")]
    data = metrics.read(
        pd.DataFrame(
            [(i, "c", r, k, v) for i, v in rows for r, k in (("h", "human"), ("j", "judge"))],
            columns=["item", "criterion", "rater", "role", "label"],
        )
    )
    said = plan_floor(metrics.agreement(data).judges["j"], "kappa", 0.6).sentence
    assert said.endswith("No number of items can be named to place it above or below 0.60: there is no standard error.")
    assert "can be named" not in plan_floor(metrics.agreement(ratings()).judges["a"], "kappa", 0.6).sentence


@pytest.mark.parametrize(("level", "criterion"), [("micro", None), ("macro", None), ("item", None), ("micro", "c1")])
def test_the_band_at_todays_number_is_about_todays_interval(level, criterion) -> None:
    judge = metrics.agreement(ratings()).judges["a"]
    plan = plan_floor(judge, "kappa", 0.5, level=level, criterion=criterion)
    now = expected_interval(plan.today.value, plan.error, plan.n_now, plan.n_now, "fisher")
    assert plan.n_now == 100
    assert now == pytest.approx(plan.today.ends, abs=0.02)


def test_a_perfect_judge_and_an_undefined_metric_have_a_reason() -> None:
    perfect = metrics.agreement(ratings(40, wrong=0.0, n_criteria=1)).judges["a"]
    plan = plan_floor(perfect, "kappa", 0.6)
    assert plan.needed.n is None
    assert "these items are enough" in plan.sentence
    rows = [{"item": i, "judge": "j", "human": "MET", "verdict": "MET"} for i in range(9)]
    undefined = metrics.agreement(metrics.read(pd.DataFrame(rows), labels={"UNMET": "negative"})).judges["j"]
    plan = plan_floor(undefined, "kappa", 0.6)
    assert "both sides give only MET" in plan.sentence
    assert plan.to_dict()["value"] is None
    with pytest.raises(metrics.InputError, match="not computed"):
        plan_floor(undefined, "weighted_kappa", 0.6)


@pytest.mark.parametrize("silent", [0, 30])
@pytest.mark.parametrize("level", ["micro", "macro"])
def test_items_that_a_number_rests_on_are_those_with_a_decision(silent: int, level) -> None:
    """Items that somebody left open on every criterion were counted with the others."""
    rng = np.random.default_rng(4)
    rows = []
    for item in range(100):
        for criterion in ("c0", "c1"):
            human = rng.choice(["MET", "UNMET"])
            wrong = rng.random() < 0.2
            verdict = "CANNOT_ASSESS" if item < silent else {"MET": "UNMET", "UNMET": "MET"}[human] if wrong else human
            rows.append((f"i{item}", criterion, "j", human, verdict))
    data = metrics.read(pd.DataFrame(rows, columns=["item", "criterion", "judge", "human", "verdict"]))
    report = metrics.agreement(data)
    judge = report.judges["j"]
    assert (judge.n_items, judge.n_used) == (100, 100 - silent)
    on = "on 70 of 100 items" if silent else "on 100 items"
    assert on in header(report, "j", level).text()
    assert on in citation(report, "j", level, "kappa")
    low, _ = judge.level(level)["kappa"].ends
    value = judge.level(level).values["kappa"]
    plan = plan_floor(judge, "kappa", (low + value) / 2, level=level)
    assert plan.n_now == 100 - silent
    assert plan.sentence.startswith(f"{on} κ is ")
    assert (" items with a decision are enough" in plan.sentence) == bool(silent)
    again = plan_floor(judge, "kappa", low - 0.002, level=level).sentence
    assert (" with a decision to show it again" in again) == bool(silent)
    third = metrics.agreement(data, abstention="as_category")
    assert third.judges["j"].n_used == 100
    assert "decisions on 100 items" in header(third, "j", level).text()
    text = scores_header(metrics.scores(data, order=["UNMET", "MET"]), "j").text()
    assert f"decisions {on}" in text


def test_do_two_judges_differ_by_so_much() -> None:
    one = compare(ratings(), "a", "b", replicates=100)
    plan = plan_difference(one, 0.05)
    assert plan.needed.n == math.ceil(one.n_items * (Z * one.error / 0.05) ** 2)
    assert plan.question == "Do a and b differ by 0.05 in κ within?"
    assert f"would show on {about(plan.needed.n)} items" in plan.sentence
    assert plan.sentence.startswith(f"on {one.n_items} items b minus a in κ within is {words.estimate(one.difference)}")
    assert ": significant." in plan_difference(compare(ratings(wrong=0.4), "a", "b", replicates=100)).sentence
    assert plan.sentence.endswith(" This takes the differences to vary from item to item as they do on these 100.")
    assert plan_difference(one, 0.1).needed.n == pytest.approx(plan.needed.n / 4, abs=1)
    twin = compare(ratings(20, wrong=0.0), "a", "b", replicates=100)
    assert "no item separates them" in plan_difference(twin).sentence
    with pytest.raises(metrics.InputError, match="above 0"):
        plan_difference(one, 0.0)
    assert "5.0\u00a0points" in plan_difference(compare(ratings(), "a", "b", "accuracy", replicates=100)).question


def test_what_is_settled_today_names_the_number_for_a_repeat_study() -> None:
    judge = metrics.agreement(ratings()).judges["a"]
    low = judge.micro["kappa"].ends[0]
    plan = plan_floor(judge, "kappa", low - 0.002)
    assert plan.settled
    assert plan.needed.n > plan.n_now
    assert "these items are enough today. A repeat study would need about" in plan.sentence
    assert "with power 80\u00a0%" in plan.sentence
    assert plan.to_dict()["n_needed_for"] == "a repeat study"
    assert f"{about(plan.needed.n)} items for a repeat study" in alt(plan)
    shown = [note.text for note in interval_widths(plan, theme="light").layout.annotations]
    assert f"{about(plan.needed.n)} for a repeat study" in shown
    far = plan_floor(judge, "kappa", low - 0.3).sentence
    assert far.endswith("these items are enough today.")
    assert f", if κ stays at {judge.micro['kappa'].value:.2f}" in plan.sentence
    open_ = plan_floor(judge, "kappa", low + 0.01)
    assert f"are enough, if κ stays at {judge.micro['kappa'].value:.2f} (power 80\u00a0%)" in open_.sentence
    assert (open_.settled, open_.needed_for) == (False, "settling it")


def test_judges_told_apart_today_need_the_number_for_a_repeat_study() -> None:
    one = compare(ratings(), "a", "b", replicates=500)
    apart = replace(
        one,
        difference=replace(one.difference, interval=Interval(0.01, 0.2, "paired jackknife")),
        permutation=replace(one.permutation, p=0.001),
    )
    plan = plan_difference(apart, one.error)
    assert plan.settled
    assert "the difference is significant today: the number is for a repeat study. This takes the differences" in plan.sentence
    assert apart.to_dict()["n_needed_for"] == "a repeat study"


def test_the_reading_of_a_comparison_names_the_same_number() -> None:
    one = compare(ratings(30, wrong=0.2, seed=2), "a", "b", replicates=500)
    assert not one.settled
    n = math.ceil(30 * (Z * one.error / abs(one.difference.value)) ** 2)
    assert one.needed.n == n == one.to_dict()["n_needed"]
    assert one.disagree or f"Detecting it would take {about(n)} items." in one.reading


def two_judges(only_a: int, only_b: int, n: int = 40) -> metrics.Ratings:
    """One criterion; a alone is right on the first items, b alone on the next, both on the rest."""
    rows = []
    for i in range(n):
        human = "MET" if i % 2 else "UNMET"
        other = "UNMET" if i % 2 else "MET"
        rows += [
            {"item": i, "judge": "a", "human": human, "verdict": other if only_a <= i < only_a + only_b else human},
            {"item": i, "judge": "b", "human": human, "verdict": other if i < only_a else human},
        ]
    return metrics.read(pd.DataFrame(rows))


@pytest.mark.parametrize(
    ("only_a", "only_b", "reason"),
    [
        (1, 0, "only 1 item differs, at least 6 are needed"),
        (3, 2, "only 5 items differ, at least 6 are needed"),
        (4, 3, "the data show no sign of a difference (p = 1.000)"),
        (4, 4, "the difference is 0"),
        (5, 1, ""),
    ],
)
def test_items_are_planned_only_from_a_difference_that_shows(only_a, only_b, reason) -> None:
    one = compare(two_judges(only_a, only_b), "a", "b", "accuracy", replicates=200)
    assert one.needed.reason == reason
    assert (one.needed.n is None) == bool(reason)
    assert one.to_dict()["n_needed"] == one.needed.n


def test_a_margin_needs_items_that_differ_to_know_the_spread() -> None:
    few = plan_difference(compare(two_judges(1, 0), "a", "b", "accuracy", replicates=200), 0.05)
    assert few.needed.n is None
    assert few.sentence.endswith("only 1 item differs, at least 6 are needed.")
    assert plan_difference(compare(two_judges(4, 3), "a", "b", "accuracy", replicates=200), 0.05).needed.n


@pytest.mark.parametrize(("n", "said"), [(7, "about 7"), (99, "about 99"), (957, "about 960"), (1501, "about 1\u202f600")])
def test_about_rounds_up_to_two_digits(n, said) -> None:
    assert about(n) == said


def one_label(other: bool) -> metrics.Ratings:
    """20 items on two criteria; the reference gives one label on each criterion, or a second one on one of them."""
    rows = [
        {"item": i, "criterion": c, "judge": "j", "human": label, "verdict": "MET" if (i == 3) != (label == "MET") else "UNMET"}
        for i in range(20) for c, label in (("a", "MET"), ("b", "UNMET"))
    ]  # fmt: skip
    if other:
        for row in rows[:8:2]:
            row["human"] = "UNMET"
    return metrics.read(pd.DataFrame(rows))


@pytest.mark.parametrize(("metric", "level"), [("kappa_within", "micro"), ("kappa", "macro")])
def test_no_number_of_items_of_one_label_helps(metric, level) -> None:
    plan = plan_floor(metrics.agreement(one_label(False)).judges["j"], metric, 0.6, level=level)
    assert (plan.by_construction, plan.settled, plan.needed.n, plan.in_place) == (True, False, None, "other label needed")
    assert "is 0 by construction here: the reference gives one label only on each criterion." in plan.sentence
    assert "items with the other label are needed" in plan.sentence
    # nothing is promised at any number of them
    assert not np.isfinite(plan.low).any()
    some = plan_floor(metrics.agreement(one_label(True)).judges["j"], metric, 0.6, level=level)
    assert not some.by_construction
    assert "by construction" not in some.sentence


def test_a_judge_of_one_label_is_not_the_fault_of_the_items() -> None:
    """κ is 0 because the judge does not vary: items with the other label are there already."""
    rows = [{"item": i, "judge": "j", "human": ("MET", "UNMET")[i % 2], "verdict": "MET"} for i in range(40)]
    plan = plan_floor(metrics.agreement(metrics.read(pd.DataFrame(rows))).judges["j"], "kappa", 0.6)
    assert (plan.today.value, plan.by_construction) == (0.0, False)
    whole = plan_floor(metrics.agreement(one_label(False)).judges["j"], "kappa", 0.6)
    # pooled, the reference gives both labels
    assert not whole.by_construction
    assert plan_floor(metrics.agreement(one_label(False)).judges["j"], "kappa", 0.6, criterion="a").by_construction


def test_a_value_at_the_end_of_its_range_is_settled() -> None:
    rows = [{"item": i, "judge": "j", "human": ("MET", "UNMET")[i % 2], "verdict": ("MET", "UNMET")[i % 2]} for i in range(60)]
    plan = plan_floor(metrics.agreement(metrics.read(pd.DataFrame(rows))).judges["j"], "kappa", 0.6)
    assert (plan.needed.n, plan.settled, plan.in_place) == (None, True, "decided today: above")


@pytest.mark.parametrize("without", [0, 3])
def test_items_of_numbers_are_those_with_a_number_of_both_sides(without: int) -> None:
    rows = [(f"i{n}", "c", "MET", "MET", n % 5 + n / 7, "" if n < without else n / 3) for n in range(20)]
    data = metrics.read(pd.DataFrame(rows, columns=["item", "criterion", "human", "verdict", "human_score", "score"]))
    report = metrics.scores(data, on="score")
    (judge,) = report.judges
    assert (" on 17 of 20 items" in scores_header(report, judge).text()) == bool(without)
    assert (" on 20 items" in scores_header(report, judge).text()) == (not without)


@pytest.mark.parametrize("choice", [{}, {"level": "macro"}, {"criterion": "overall"}])
def test_a_floor_is_planned_from_the_decisions_of_a_table_of_counts(choice: dict[str, Any]) -> None:
    counted = metrics.agreement(metrics.read(b"human \\ judge,yes,no\nyes,40,10\nno,10,40\n")).judges
    (judge,) = counted.values()
    plan = plan_floor(judge, "kappa", 0.5, **choice)
    assert (plan.n_now, plan.counted) == (100, "decisions")
    assert plan.sentence.startswith("on 100 decisions κ is 0.60 [")
    assert plan.needed.n > 100

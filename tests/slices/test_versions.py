"""Versions in one file: paired where items repeat, as two judges are compared, or by the unit; else independent."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.analyses.comparison.levels import independent_difference
from metrics.analyses.slices import readings
from metrics.analyses.slices.grouping import By
from metrics.analyses.slices.sliced import sliced
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.transforms import student
from tests.slices.made import VERSIONS, versions

LABELS = {"yes": "positive", "no": "negative", "?": "abstention"}


def by_prompt(frame: pd.DataFrame, **choices: Any) -> metrics.SliceReport:
    ratings = metrics.read(frame, labels=LABELS, columns={"run": "prompt"})
    return metrics.slices(ratings, "prompt", **choices)


@pytest.mark.parametrize("criteria", [("c",), ("c", "d")])
def test_versions_of_the_same_items_are_compared_as_two_judges_are(criteria: tuple[str, ...]) -> None:
    frame = versions(criteria=criteria)
    judges = metrics.read(frame.rename(columns={"prompt": "judge"}), labels=LABELS)
    steps = by_prompt(frame).judges["judge"].steps
    assert [(step.before, step.after) for step in steps] == [("v1", "v2"), ("v2", "v10")]
    for step in steps:
        alone = metrics.compare(judges, step.before, step.after, "kappa", level="micro", replicates=1)
        assert step.paired == "decisions"
        assert step.n_shared == 120 * len(criteria)
        assert (step.a, step.b) == (alone.a.estimate.value, alone.b.estimate.value)
        assert step.difference.value == alone.difference.value
        assert step.difference.ends == pytest.approx(alone.difference.ends)


def test_only_decisions_of_both_count_where_a_version_lacks_some() -> None:
    frame = versions()
    frame = frame[~((frame["prompt"] == "v2") & frame["item"].isin([f"i{place}" for place in range(50)]))]
    step = by_prompt(frame).judges["judge"].steps[0]
    alone = metrics.compare(metrics.read(frame.rename(columns={"prompt": "judge"})), "v1", "v2", "kappa", replicates=1)
    assert step.n_shared == 70
    assert step.a == alone.a.estimate.value
    assert step.difference.ends == pytest.approx(alone.difference.ends)


@given(st.lists(st.tuples(*[st.sampled_from(["yes", "no", "?", ""])] * 4), min_size=4, max_size=30), st.booleans())
@settings(max_examples=40, deadline=None)
def test_a_run_has_the_numbers_of_the_file_filtered_to_it(drawn: list[tuple[str, ...]], long: bool) -> None:
    rows = [
        {"item": f"i{place}", "human": human or "no", "verdict": verdict, "run": f"v{run}"}
        for place, (human, *answers) in enumerate(drawn)
        for run, verdict in enumerate(answers)
        if verdict
    ]
    frame = pd.DataFrame([{"item": "z", "human": "yes", "verdict": "no", "run": run} for run in ("v0", "v1")] + rows)
    given_frame = _long(frame) if long else frame
    report = metrics.slices(metrics.read(given_frame, labels=LABELS), "run")
    for value in sorted(set(frame["run"])):
        alone = metrics.agreement(metrics.read(frame[frame["run"] == value].drop(columns="run"), labels=LABELS)).judges["judge"]
        found = report.parts[value]["judge"]
        assert json.dumps(found.micro.to_dict()) == json.dumps(alone.micro.to_dict())
        assert json.dumps(found.to_dict()["coverage"]) == json.dumps(alone.to_dict()["coverage"])


def _long(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row a rating, where people have no run."""
    people = frame.drop_duplicates("item").assign(rater="ann", role="human", label=lambda rows: rows["human"], run="")
    judge = frame.assign(rater="judge", role="judge", label=frame["verdict"])
    return pd.concat([people, judge])[["item", "rater", "role", "label", "run"]]


def test_versions_of_other_items_are_independent() -> None:
    frame = versions()
    frame = pd.concat([frame[frame["prompt"] == name].iloc[at * 40 : at * 40 + 40] for at, name in enumerate(VERSIONS)])
    report = metrics.slices(metrics.read(frame), "prompt")
    judge = report.judges["judge"]
    for step in judge.steps:
        assert (step.paired, step.n_shared) == ("", 0)
        expected = independent_difference(judge[step.before]["kappa"], judge[step.after]["kappa"], 2.0)
        assert step.difference == expected
    assert "independent: no item repeats" in readings.steps_reading(report, judge)


def test_groups_of_the_unit_that_repeat_are_left_out_together() -> None:
    frame = versions(60)
    frame["case"] = frame["item"]
    frame["item"] = frame["item"] + "/" + frame["prompt"]
    step = metrics.slices(metrics.read(frame), "prompt", unit="case").judges["judge"].steps[0]
    assert (step.paired, step.n_shared) == ("units", 60)

    def kappas(kept: pd.DataFrame) -> float:
        v1, v2 = (
            float(cohen_kappa(pd.crosstab(part["human"], part["verdict"]).to_numpy()))
            for part in (kept[kept["prompt"] == "v1"], kept[kept["prompt"] == "v2"])
        )
        return v2 - v1

    left = np.array([kappas(frame[frame["case"] != case]) for case in frame["case"].unique()])
    error = float(np.sqrt(59 / 60 * ((left - left.mean()) ** 2).sum()))
    assert step.difference.value == pytest.approx(kappas(frame))
    assert step.difference.width == pytest.approx(2 * student(59, 0.95) * error)


def test_values_without_an_order_have_no_steps() -> None:
    frame = versions().assign(run=lambda rows: rows["prompt"]).drop(columns="prompt")
    assert metrics.slices(metrics.read(frame), "topic").judges["judge"].steps == ()
    assert len(metrics.slices(metrics.read(frame), "run").judges["judge"].steps) == 2


def test_runs_are_tested_within_items_and_said_everywhere() -> None:
    report = by_prompt(versions())
    judge = report.judges["judge"]
    assert judge.of_runs
    assert judge.test.method == "permutation"
    text = readings.steps_reading(report, judge)
    assert "rose from ‘v1’ to ‘v2’ by" in text
    assert "paired on 120 decisions" in text
    assert text in report.summary()
    assert "whole file" not in " ".join(readings.sentences(report, judge))
    steps = json.loads(json.dumps(report.to_dict(), allow_nan=False))["steps"]["judge"]
    assert steps[0]["paired"] == "decisions"
    assert steps[0]["interval"][0] > 0
    assert metrics.SliceReport.from_json(report.to_json()).to_dict() == report.to_dict()


def test_no_direction_where_nothing_changed() -> None:
    frame = versions(60)
    frame["verdict"] = np.where(frame["prompt"] == "v1", frame["verdict"], frame["human"])
    same = frame[frame["prompt"] != "v1"]
    report = by_prompt(same)
    judge = report.judges["judge"]
    assert judge.steps[0].difference.value == 0
    assert "rose" not in readings.steps_reading(report, judge)
    assert "fell" not in readings.steps_reading(report, judge)


def test_two_judges_are_compared_in_every_run() -> None:
    frame = pd.concat([versions(seed=1).assign(judge="a"), versions(seed=1).assign(judge="b")])
    frame["verdict"] = np.where(frame["judge"] == "b", frame["human"], frame["verdict"])
    ratings = metrics.read(frame, columns={"run": "prompt"})
    report = sliced(ratings, [By("prompt")], lambda part: metrics.compare(part, "a", "b", replicates=99))
    for value in VERSIONS:
        alone = metrics.compare(metrics.read(frame[frame["prompt"] == value]), "a", "b", replicates=99)
        part: Any = report.parts[value]
        assert part.difference == alone.difference
    assert "share items" in report.tests["difference"].why


def test_a_refusal_of_repeats_names_the_column_that_tells_versions_apart() -> None:
    with pytest.raises(metrics.InputError) as refused:
        metrics.read(versions().rename(columns={"prompt": "release"}))
    assert 'columns={"run": "release"}' in str(refused.value)
    with pytest.raises(metrics.InputError, match="judge is ‘prompt_version’"):
        metrics.read(versions().rename(columns={"prompt": "prompt_version"}))
    with pytest.raises(metrics.InputError) as refused:
        metrics.read(versions().rename(columns={"prompt": "colour"}))
    assert "versions" not in str(refused.value)


def test_each_of_many_runs_is_a_group_whatever_they_are_called() -> None:
    frame = pd.concat([versions(30, seed=day)[:30].assign(run=f"2026-01-{day + 1:02d}") for day in range(20)]).drop(
        columns="prompt"
    )
    frame["human"] = frame.groupby("item")["human"].transform("first")
    ratings = metrics.read(frame)
    report = metrics.slices(ratings, "run")
    assert report.values == tuple(f"2026-01-{day + 1:02d}" for day in range(20))
    judge = report.judges["judge"]
    assert {each.n_items for each in judge.slices} == {30}
    assert {(step.paired, step.n_shared) for step in judge.steps} == {("decisions", 30)}
    with pytest.raises(metrics.InputError, match="Leave out bins"):
        metrics.slices(ratings, "run", cuts=[3])


@pytest.mark.slow("simulates")
def test_steps_that_differ_in_nothing_are_seldom_said_to_differ() -> None:
    """By their own intervals one of eleven steps was told in two files of five."""
    told, rng = 0, np.random.default_rng(3)
    for _ in range(20):
        met = rng.random(240) < 0.5
        said = met ^ (rng.random(240) > 0.85)
        words = np.array(["no", "yes"])
        frame = pd.DataFrame(
            {
                "item": np.arange(240),
                "human": words[met.astype(int)],
                "verdict": words[said.astype(int)],
                "batch": np.arange(240) // 20,
            }
        )
        report = metrics.slices(metrics.read(frame), "batch")
        text = readings.steps_reading(report, report.judges["judge"])
        assert text.endswith(" Each interval shown stands alone.")
        told += "rose" in text or "fell" in text
    assert told <= 2

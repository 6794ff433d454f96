"""Rows of one item that differ in what the judge was asked with: each setting is a judge of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import build as build_ratings
from metrics.readers import confirmed, open_table, propose

MODELS, PROMPTS, RUNS = ("gpt-4o", "claude"), ("v1", "v2"), (1, 2)
N = 40


def rows(*keys: str) -> pd.DataFrame:
    """Return a file with one label of people for each item and a verdict for each of its settings."""
    rng = np.random.default_rng(11)
    human = rng.random(N) < 0.6
    values = {"model": MODELS, "prompt_version": PROMPTS, "temperature": ("0", "0.7"), "prompt": ("short", "long"), "run": RUNS}
    frame = pd.DataFrame({"id": np.arange(N), "human_label": np.where(human, "pass", "fail")})
    for key in keys:
        frame = frame.merge(pd.DataFrame({key: values[key]}), how="cross")
    wrong = rng.random(len(frame)) < 0.2
    frame["judge_label"] = np.where((frame["human_label"] == "pass") ^ wrong, "pass", "fail")
    return frame


def accuracies(path: Path) -> dict[str, float]:
    table = open_table(path)
    report = metrics.agreement(build_ratings(table, confirmed(propose(table))))
    return {name: judge.level("micro").estimates["accuracy"].value for name, judge in report.judges.items()}


@pytest.mark.parametrize(
    "keys", [("model", "prompt_version"), ("model", "temperature"), ("model", "prompt"), ("prompt_version",), ("prompt",)]
)
def test_each_setting_is_a_judge(tmp_path: Path, keys: tuple[str, ...]) -> None:
    frame, path = rows(*keys), tmp_path / "verdicts.csv"
    frame.to_csv(path, index=False)
    named = frame[list(keys)].agg(" · ".join, axis=1)
    right = (frame["human_label"] == frame["judge_label"]).groupby(named).mean()
    assert accuracies(path) == pytest.approx(right.to_dict())


def test_runs_of_each_setting_stay_runs(tmp_path: Path) -> None:
    frame, path = rows("model", "temperature", "run"), tmp_path / "verdicts.csv"
    frame.rename(columns={"run": "seed"}).to_csv(path, index=False)
    columns = dict(propose(open_table(path)).columns)
    assert (columns["judge"], columns["run"]) == ("model and temperature", "seed")


def test_labels_of_people_that_differ_by_setting_are_of_outputs(tmp_path: Path) -> None:
    frame, path = rows("model", "prompt_version"), tmp_path / "outputs.csv"
    frame["human_label"] = np.where(np.arange(len(frame)) % 3 > 0, "pass", "fail")
    frame.to_csv(path, index=False)
    columns = dict(propose(open_table(path)).columns)
    assert columns["item"] == "id and model and prompt_version"
    assert "judge" not in columns


def test_rows_of_raters_whose_people_have_no_setting(tmp_path: Path) -> None:
    frame = rows("model", "prompt_version")
    people = frame.drop_duplicates("id")[["id", "human_label"]].rename(columns={"human_label": "label"}).assign(rater="human")
    judges = frame.drop(columns="human_label").rename(columns={"model": "rater", "judge_label": "label"})
    path = tmp_path / "ratings.csv"
    pd.concat([people, judges]).to_csv(path, index=False)
    proposal = propose(open_table(path))
    assert proposal.column("rater") == "rater and prompt_version"
    raters = {rater.name for rater in build_ratings(open_table(path), confirmed(proposal)).raters}
    assert raters == {"human"} | {f"{model} · {prompt}" for model in MODELS for prompt in PROMPTS}


def test_settings_of_a_joined_file_of_judges(tmp_path: Path) -> None:
    frame = rows("model", "temperature")
    gold, runs = tmp_path / "gold.csv", tmp_path / "runs.csv"
    frame.drop_duplicates("id")[["id", "human_label"]].to_csv(gold, index=False)
    frame.drop(columns="human_label").to_csv(runs, index=False)
    table = open_table([gold, runs])
    ratings = build_ratings(table, confirmed(propose(table)))
    names = {rater.name for rater in ratings.raters if rater.role == "judge"}
    assert names == {f"{model} · {temperature}" for model in MODELS for temperature in ("0", "0.7")}


def test_what_was_written_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    rows("model", "prompt_version").to_csv(path, index=False)
    table = open_table(path)
    ratings = build_ratings(table, confirmed(propose(table)))
    again = metrics.read(metrics.ratings_table(ratings))
    first, second = (metrics.agreement(one).to_dict()["judges"] for one in (ratings, again))
    assert first == second


def test_it_is_stated_like_a_column_and_its_spellings_are_merged(tmp_path: Path) -> None:
    frame = rows("model", "prompt_version")
    frame.loc[::3, "model"] = frame.loc[::3, "model"].str.upper()
    path = tmp_path / "verdicts.csv"
    frame.to_csv(path, index=False)
    columns = {"human": "human_label", "verdict": "judge_label", "item": "id", "judge": "model and prompt_version"}
    ratings = metrics.read(path, columns=columns, merge_spellings=True)
    assert {name.casefold() for name in ratings.judges} == {f"{model} · {prompt}" for model in MODELS for prompt in PROMPTS}
    assert "model and prompt_version" in metrics.import_report(ratings).command


def test_columns_that_both_files_have_tell_outputs_apart(tmp_path: Path) -> None:
    frame = rows("model", "prompt")
    rng = np.random.default_rng(2)
    gold, judged = tmp_path / "manual_labels.csv", tmp_path / "judged.csv"
    people = np.where(rng.random(len(frame)) < 0.5, "pass", "fail")
    frame[["model", "prompt", "id"]].assign(label=people).to_csv(gold, index=False)
    said = np.where(rng.random(len(frame)) < 0.2, "fail", people)
    frame[["model", "prompt", "id"]].assign(answer="a text of the model", judge_label=said).to_csv(judged, index=False)
    table = open_table([gold, judged])
    ratings = build_ratings(table, confirmed(propose(table)))
    assert (ratings.n_items, len(ratings.raters)) == (len(frame), 2)
    labels = pd.DataFrame({"item": ratings.item, "rater": ratings.rater, "label": ratings.label}).pivot(
        columns="rater", index="item"
    )
    assert (labels.iloc[:, 0] == labels.iloc[:, 1]).mean() == pytest.approx((people == said).mean())

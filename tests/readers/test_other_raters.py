"""Columns of one more rater beside those that carry the names of roles, and scores of people beside those of judges."""

from __future__ import annotations

from ast import literal_eval
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose

N = 40


def labels(*names: str, seed: int = 1, words: tuple[object, ...] = ("yes", "no")) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"item": [f"q{k}" for k in range(N)], **{name: rng.choice(words, N) for name in names}})


@pytest.mark.parametrize("more", ["gpt4", "annotator_2", "human_b", "claude_verdict", "verdict_v2"])
def test_a_further_rater_beside_a_human_and_a_verdict_is_named_with_how_it_is_read(more: str) -> None:
    proposal = propose(open_table(labels("human", "verdict", more)))
    assert (proposal.shape, proposal.guessed) == ("pairs", ()), "names of roles are taken as they are"
    (note,) = proposal.notes
    assert note.startswith(f"‘{more}’ holds labels too, and is not read")
    columns = literal_eval(note.partition("columns=")[2].rstrip("."))
    ratings = metrics.read(labels("human", "verdict", more), columns=columns)
    assert {rater.name for rater in ratings.raters} == {"human", "verdict", more}


@pytest.mark.parametrize("other", ["difficulty", "gpt4_reason", "human_confidence", "verdict_raw"])
def test_what_is_no_label_leaves_a_table_of_pairs(other: str) -> None:
    frame = labels("human", "verdict")
    frame[other] = frame["verdict"] if other == "verdict_raw" else [str(k % 3) for k in range(N)]
    proposal = propose(open_table(frame))
    assert (proposal.shape, proposal.guessed) == ("pairs", ())


def test_a_judge_beside_rows_of_raters_is_named_as_not_read() -> None:
    frame = labels("label", "gpt4").assign(rater="ana", role="human")
    (note,) = propose(open_table(frame)).notes
    assert note.startswith("‘gpt4’ holds labels too, and is not read")


def test_a_judge_beside_people_in_one_of_two_files_is_read(tmp_path: Path) -> None:
    labels("human", "gpt4").to_csv(tmp_path / "first.csv", index=False)
    labels("claude", seed=2).to_csv(tmp_path / "second.csv", index=False)
    paths = [tmp_path / "first.csv", tmp_path / "second.csv"]
    ratings = metrics.read(paths, columns=propose(open_table(paths)).columns_answer, roles={"second": "judge"})
    assert (ratings.humans, set(ratings.judges)) == (("human",), {"judge", "second"})


@pytest.mark.parametrize("names", [("gpt4_score", "claude_score"), ("human_2_score", "gpt4_score")])
def test_scores_of_people_beside_those_of_several_raters_are_labels(names: tuple[str, ...]) -> None:
    proposal = propose(open_table(labels("human_score", *names, words=(1, 2, 3, 4))))
    assert set(dict(proposal.columns).values()) == {"item", "human_score", *names}


def test_scores_and_labels_of_both_sides_are_two_questions() -> None:
    frame = labels("human_label", "llm_label").merge(labels("human_score", "llm_score", words=(1, 2, 3, 4)), on="item")
    proposal = propose(open_table(frame))
    assert {dict(proposal.columns)[role] for role in ("human", "verdict")} in (
        {"human_label", "llm_label"},
        {"human_score", "llm_score"},
    )
    assert proposal.notes[0].startswith("Labels of another question are not read")


@pytest.mark.parametrize("name", ["command-r", "phi-3", "nova-pro", "yi-34b", "PandaLM", "kimi-k2", "glm-4", "llm1", "judge2"])
def test_a_model_is_proposed_as_a_judge(name: str) -> None:
    columns = dict(propose(open_table(labels("human1", name, "gpt-4o"))).columns)
    assert f"judge:{name.removeprefix('judge')}" in columns or f"judge:{name}" in columns


@pytest.mark.parametrize("mean", ["avg", "mean score", "moyenne"])
def test_the_mean_of_a_person_and_a_judge_is_no_rater(tmp_path, mean: str) -> None:
    rows = [(k % 5 + 1, (k * 7 + k // 5) % 5 + 1) for k in range(30)]
    path = tmp_path / "ratings.csv"
    lines = [f"{k},{human},{judge},{(human + judge) / 2}" for k, (human, judge) in enumerate(rows)]
    path.write_text(f"id,human,gpt4,{mean}\n" + "\n".join(lines), "utf-8")
    proposal = propose(open_table(path))
    assert mean not in dict(proposal.columns).values()
    assert any("is worked out from the others" in note for note in proposal.notes)

"""Files of one side alone: columns called by what was asked are the criteria of one rater, and no raters of one question."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import build, confirmed, open_table, propose

CRITERIA = {
    "sheet.csv": ("human", {"faithful": "faithful", "correct": "correct"}),
    "judge_scores.csv": ("judge", {"accuracy": "accuracy", "clarity": "clarity", "safety": "safety"}),
    "labels.csv": ("human", {"h_grounded": "grounded", "h_helpful": "helpful", "h_polite": "polite"}),
    "human.csv": ("human", {"label_relevance": "relevance", "label_style": "style", "label_scope": "scope"}),
    "a.csv": ("human", {"human_tone": "tone", "human_accuracy": "accuracy"}),
    "b.csv": ("judge", {"judge_correct": "correct", "judge_faithfulness": "faithfulness"}),
    "c.csv": ("gold", {"gold_manage": "manage", "gold_visit": "visit", "gold_resource": "resource"}),
    "d.csv": ("human", {"voice_human": "voice", "risk_human": "risk"}),
    "human_scores.csv": ("human", {"risk": "risk", "quality": "quality", "scope": "scope", "clarity": "clarity"}),
    "expert_ratings.csv": ("human", {"edu": "edu", "exp": "exp", "skill": "skill"}),
    "flags.csv": ("human", {"has_unsafe": "has_unsafe", "err_grammar": "err_grammar", "feat_ending": "feat_ending"}),
    "form.csv": (
        "human",
        {
            name: name
            for name in (
                "Labels (if any) stand at their lines",
                "The diagram is fully in frame",
                "Applicable - all angles are right",
            )
        },
    ),
}
RATERS = [
    ("human_ana", "human_ben"), ("judge_gpt4", "judge_claude"), ("quality_ana", "quality_ben"), ("quality_1", "quality_2"),
    ("expert_1", "expert_2"), ("correct_first", "correct_second"), ("ana", "ben", "overall"), ("gold", "gpt4", "accuracy"),
    ("accuracy", "gpt4_accuracy", "claude_accuracy"), ("a_depth", "b_depth", "consensus_depth", "a_tone"), ("ana", "quality"),
]  # fmt: skip


def sheet(columns: tuple[str, ...], n: int = 30) -> bytes:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"id": [f"q{k}" for k in range(n)], **{column: rng.choice(["no", "yes"], n) for column in columns}})
    return frame.to_csv(index=False).encode()


@pytest.mark.parametrize("name", CRITERIA)
def test_columns_called_by_what_was_asked_are_criteria_of_one_rater(name: str) -> None:
    rater, criterion_of = CRITERIA[name]
    table = open_table(sheet(tuple(criterion_of)), name)
    proposal = propose(table)
    who = "judge" if rater == "judge" else "human"
    assert proposal.columns_answer == {f"{who}:{rater}::{criterion}": c for c, criterion in criterion_of.items()} | {"item": "id"}
    assert "are both people?" not in " ".join(doubt.sentence for doubt in proposal.doubts)
    with pytest.raises(metrics.InputError, match=f"comes from ‘{rater}’. Agreement needs a human and a judge"):
        metrics.overview(build(table, confirmed(proposal)))


@pytest.mark.parametrize("columns", RATERS)
def test_columns_called_by_raters_are_not(columns: tuple[str, ...]) -> None:
    criteria = propose(open_table(sheet(columns))).criteria
    assert len(criteria) < 2, criteria


def test_people_may_stand_in_a_file_called_after_their_scores(tmp_path) -> None:
    path = tmp_path / "human_scores.csv"
    for columns in (("Ana", "Ben", "Cem"), ("ana", "ben", "expert"), ("winner1", "winner2", "winner3")):
        path.write_bytes(sheet(columns))
        assert len(propose(open_table(path)).criteria) < 2


def test_joined_with_the_other_side_they_are_its_criteria(tmp_path) -> None:
    for name in ("human", "judge"):
        (tmp_path / f"{name}.csv").write_bytes(sheet(("faithful", "correct")))
    paths = [tmp_path / "human.csv", tmp_path / "judge.csv"]
    ratings = metrics.read(paths, columns=propose(open_table(paths)).columns_answer)
    assert (ratings.humans, ratings.judges, ratings.criteria) == (("human",), ("judge",), ("faithful", "correct"))


def test_a_rater_who_says_the_same_everywhere_on_one_criterion_is_on_it_all_the_same() -> None:
    rng = np.random.default_rng(5)
    names = ["a_depth", "b_depth", "consensus_depth", "a_tone", "b_tone", "consensus_tone"]
    frame = pd.DataFrame({"id": range(30), **{name: rng.choice(["1", "2", "3"], 30) for name in names}})
    frame["b_tone"] = frame["consensus_tone"] = "3"
    proposal = propose(open_table(frame.to_csv(index=False).encode()))
    assert proposal.criteria == ("depth", "tone")
    assert {rater for rater, _ in proposal.roles} == {"a", "b", "consensus"}
    other = frame.rename(columns={"b_tone": "version", "consensus_tone": "batch"})
    assert not {"version", "batch"} & set(dict(propose(open_table(other.to_csv(index=False).encode())).columns).values())


SHEET = {"Sens du texte": list("ABC"), "Voix passive": list("ABC"), "L'effet": [1, 2, 3, 4], "La fin": [2, 3, 4, 5]}


@pytest.mark.parametrize(("file", "role"), [("expert_sheet", "human"), ("judge_sheet", "judge"), ("sheet", None)])
def test_columns_of_several_questions_by_their_labels_are_criteria_of_one_rater(
    tmp_path: Path, file: str, role: str | None
) -> None:
    rng = np.random.default_rng(5)
    path = tmp_path / f"{file}.csv"
    frame = pd.DataFrame({"ID": [f"t{k}" for k in range(30)], **{name: rng.choice(words, 30) for name, words in SHEET.items()}})
    frame.to_csv(path, index=False)
    proposal = propose(open_table(path))
    assert (proposal.criteria, dict(proposal.roles)) == (tuple(SHEET), {role or file: role})
    assert set(dict(proposal.labels_answer).values()) == {"class"}


def test_columns_that_people_are_called_by_stay_raters_whatever_others_hold(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    path = tmp_path / "sheet.csv"
    columns = {"Ana": ["yes", "no"], "Ben": ["yes", "no"], "mean pace": [1, 2, 3, 4], "mean depth": [1, 2, 3, 4]}
    pd.DataFrame({"ID": range(30), **{name: rng.choice(words, 30) for name, words in columns.items()}}).to_csv(path, index=False)
    assert {"rater:Ana", "rater:Ben"} <= set(propose(open_table(path)).columns_answer)


def test_outputs_by_criteria_in_columns_are_of_one_rater_and_no_criterion_is_a_rater(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    names = [f"text_{k}_{name}" for k in (1, 2, 3) for name in ("Fluency", "Coherence", "Novelty")]
    path = tmp_path / "human_grades.csv"
    pd.DataFrame({"id": range(30), **{name: rng.integers(1, 6, 30) for name in names}}).to_csv(path, index=False)
    proposal = propose(open_table(path))
    assert (proposal.criteria, dict(proposal.roles)) == (tuple(names), {"human": "human"})
    people = [name.replace("Fluency", "Ana").replace("Coherence", "Ben").replace("Novelty", "Eva") for name in names]
    pd.DataFrame({"id": range(30), **{name: rng.integers(1, 6, 30) for name in people}}).to_csv(path, index=False)
    assert set(dict(propose(open_table(path)).roles)) == {"Ana", "Ben", "Eva"}

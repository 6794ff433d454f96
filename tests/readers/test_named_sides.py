"""Whose a column is by its whole name: a label beside what only mentions it, what is expected, who judged, initials."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import Proposal, open_table, propose

N = 40


def some(words: Sequence[object], seed: int = 1) -> list[object]:
    return [words[k] for k in np.random.default_rng(seed).integers(0, len(words), N)]


def proposed(path: Path, columns: dict[str, Sequence[object]]) -> Proposal:
    pd.DataFrame({"id": [f"q{k}" for k in range(len(next(iter(columns.values()))))], **columns}).to_csv(path, index=False)
    return propose(open_table(path))


def test_a_label_in_unknown_words_goes_before_a_column_that_mentions_gold(tmp_path: Path) -> None:
    columns = {
        "in_gold": some((True, False)),
        "error_score": np.random.default_rng(2).random(N).tolist(),
        "human_label": some(("correct", "genuinely-wrong"), 3),
    }
    assert proposed(tmp_path / "validation.csv", columns).column("human") == "human_label"


def test_what_is_expected_is_the_reference_of_every_method(tmp_path: Path) -> None:
    rows = [(f"s{k}", who, k % 3 > 0, (k + at) % 2 > 0) for k in range(12) for at, who in enumerate(("schema", "linter"))]
    path = tmp_path / "judgments.csv"
    pd.DataFrame(rows, columns=["scenario_id", "method", "expected_violation", "detected"]).to_csv(path, index=False)
    found = {"human": "expected_violation", "verdict": "detected", "item": "scenario_id", "judge": "method"}
    assert dict(propose(open_table(path)).columns) == found


def test_expected_classes_alone_are_the_human_side(tmp_path: Path) -> None:
    found = proposed(tmp_path / "golden.csv", {"expected_theme": some(("pricing", "sync", "sharing"))})
    assert found.column("human") == "expected_theme"


def test_models_that_guess_models_are_judges_and_no_labels(tmp_path: Path) -> None:
    models = ("Claude", "GPT", "Gemini", "DeepSeek")
    columns = {"judge": some(models), "true_author": some(models, 2), "guessed_model": some(models, 3)}
    found = dict(proposed(tmp_path / "judgments.csv", columns).columns)
    assert {role: found.get(role) for role in ("judge", "human", "verdict")} == {
        "judge": "judge", "human": "true_author", "verdict": "guessed_model",
    }  # fmt: skip


@pytest.mark.parametrize("labels", [("gpt-4", "vicuna"), ("gpt-4", "claude-3", "tie")])
def test_the_answer_that_a_judge_prefers_is_its_verdict_though_a_model_gave_it(tmp_path: Path, labels: tuple[str, ...]) -> None:
    human = some(labels)
    columns = {"human_choice": human, "judge": [*human[:30], *some(labels, 2)[30:]], "judge_rerun": some(labels, 3)}
    assert proposed(tmp_path / "win.csv", columns).column("judge:judge") == "judge"


def test_why_a_judge_failed_an_answer_names_no_rater(tmp_path: Path) -> None:
    verdict = ["CORRECT"] * 32 + ["INCORRECT"] * 8
    rows = {"case_id": [f"c{k // 2}" for k in range(N)], "judge_verdict": verdict, "run": [1, 2] * 20}
    rows["judge_failure_mode"] = [""] * 32 + ["other", "wrong_value"] * 4
    path = tmp_path / "full.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    assert "judge_failure_mode" not in dict(propose(open_table(path)).columns).values()


@pytest.mark.parametrize(
    ("others", "role"), [(("MB", "KH"), "rater"), (("Ana", "Ben"), "judge"), (("ID", "NR", "Humano"), "judge")]
)
def test_initials_beside_initials_are_no_model(tmp_path: Path, others: tuple[str, ...], role: str) -> None:
    found = proposed(tmp_path / "ratings.csv", {name: some((1, 2, 3), at) for at, name in enumerate(("IA", *others))})
    assert f"{role}:IA" in dict(found.columns)


def test_initials_of_raters_in_rows_are_no_model(tmp_path: Path) -> None:
    rows = [(f"q{k}", who, ("yes", "no")[(k + at) % 2]) for k in range(10) for at, who in enumerate(("IA", "MB", "KH"))]
    path = tmp_path / "long.csv"
    pd.DataFrame(rows, columns=["item", "rater", "label"]).to_csv(path, index=False)
    with pytest.raises(metrics.InputError, match='"IA": "human"'):
        metrics.agreement(path)


@pytest.mark.parametrize(("name", "told"), [("labels.csv", True), ("judge_labels.csv", False)])
def test_verdicts_alone_may_be_a_persons(tmp_path: Path, name: str, told: bool) -> None:
    found = proposed(tmp_path / name, {"verdict": some(("pass", "reject"))})
    assert any("If a person gave ‘verdict’, choose that one." in doubt.sentence for doubt in found.doubts) is told

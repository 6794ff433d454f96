"""Several outputs of one input: items of several columns, by what the rows hold, and what only looks like them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.data.item_texts import free_columns
from metrics.readers import open_table, propose

Rows = list[dict[str, object]]
MODELS, WORDS = ("gpt", "claude", "llama"), ("no", "yes")


def of(rows: Rows, tmp_path: Path, name: str = "outputs.csv") -> Path:
    header = list(rows[0])
    lines = [",".join(header), *(",".join(str(row[column]) for column in header) for row in rows)]
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def prompts_by_models(n: int = 30, *, share: float = 1.0, prompt: str = "prompt_id") -> Rows:
    rng = np.random.default_rng(4)
    rows = [
        {prompt: f"p{k:02d}", "model": model, "human_label": WORDS[h], "judge_label": WORDS[h ^ int(rng.random() < 0.2)]}
        for k in range(n)
        for model in MODELS
        for h in [int(rng.integers(2))]
    ]
    return [row for row in rows if rng.random() < share]


def columns(path: Path) -> dict[str, str]:
    return dict(propose(open_table(path)).columns)


@pytest.mark.parametrize("share", [1.0, 0.7])
@pytest.mark.parametrize("prompt", ["prompt_id", "item_id"])
def test_answers_of_several_models_are_items_and_models_no_criteria(tmp_path: Path, share: float, prompt: str) -> None:
    rows = prompts_by_models(share=share, prompt=prompt)
    path = of(rows, tmp_path)
    assert columns(path) == {"item": f"{prompt} and model", "human": "human_label", "verdict": "judge_label"}
    ratings = metrics.read(path, columns={"human": "human_label", "verdict": "judge_label", "item": f"{prompt} and model"})
    assert ratings.items.to_pylist() == [f"{row[prompt]} · {row['model']}" for row in rows]
    assert ratings.criteria == ("overall",)
    assert free_columns(ratings) == [prompt, "model"]
    block = metrics.agreement(ratings).judges["judge"].level("micro")
    alike = [row["human_label"] == row["judge_label"] for row in rows]
    assert block.n == len(rows)
    assert block["accuracy"].value == pytest.approx(np.mean(alike))


def test_intervals_leave_out_whole_inputs_also_after_writing_and_reading_back(tmp_path: Path) -> None:
    path = of(prompts_by_models(), tmp_path)
    ratings = metrics.read(path, columns={"human": "human_label", "verdict": "judge_label", "item": "prompt_id and model"})
    again = metrics.read(metrics.ratings_table(ratings))
    first, second, by_item = (
        metrics.agreement(one, **how).judges["judge"].level("micro").estimates["kappa"]
        for one, how in ((ratings, {}), (again, {}), (ratings, {"unit": "prompt_id"}))
    )
    assert first.ends == second.ends == by_item.ends
    alone = metrics.agreement(ratings, interval="dirichlet").judges["judge"].level("micro").estimates["kappa"]
    assert first.ends != alone.ends


def test_one_label_of_people_in_all_rows_makes_models_the_judges(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    human = rng.integers(0, 2, 30)
    rows: Rows = [
        {"id": f"p{k}", "model": model, "human": WORDS[human[k]], "verdict": WORDS[human[k] ^ int(rng.random() < 0.3)]}
        for k in range(30)
        for model in MODELS
    ]
    path = of(rows, tmp_path)
    assert columns(path) == {"item": "id", "human": "human", "verdict": "verdict", "judge": "model"}
    runs = of([{**row, "trial": row["model"]} | {"model": "x"} for row in rows], tmp_path, "runs.csv")
    assert columns(runs)["run"] == "trial"


def test_an_id_of_the_output_is_enough(tmp_path: Path) -> None:
    rows = [{"run_id": f"r{place:03d}", **row, "seed": place % 7} for place, row in enumerate(prompts_by_models())]
    assert columns(of(rows, tmp_path))["item"] in ("run_id", "prompt_id and run_id")


def test_as_few_columns_as_tell_outputs_apart(tmp_path: Path) -> None:
    rows = [{**row, "turn": turn, "version": f"v{turn % 1}"} for row in prompts_by_models() for turn in (1, 2)]
    for row in rows:
        row["human_label"] = WORDS[len(str(row)) * 7 % 3 % 2]
    assert columns(of(rows, tmp_path))["item"] == "prompt_id and model and turn"


def test_rows_pasted_twice_are_no_outputs(tmp_path: Path) -> None:
    rows = prompts_by_models()
    alone = [row for row in rows if row["model"] == "gpt"]
    assert columns(of([*alone, alone[3]], tmp_path))["item"] == "prompt_id"
    assert columns(of([*rows, rows[3]], tmp_path))["item"] == "prompt_id and model"


def test_runs_of_a_judge_in_a_long_table_are_no_outputs(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    rows: Rows = []
    for k in range(20):
        rows.append({"item": f"q{k}", "rater": "ana", "role": "human", "label": WORDS[rng.integers(2)], "run": 1})
        rows += [
            {"item": f"q{k}", "rater": "gpt", "role": "judge", "label": WORDS[rng.integers(2)], "run": run} for run in (1, 2, 3)
        ]
    path = of(rows, tmp_path)
    assert columns(path)["item"] == "item"
    assert metrics.read(path).runs is not None


def test_a_long_table_of_outputs(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    rows: Rows = [
        {"doc_id": f"d{k}", "system": model, "annotator": who, "label": WORDS[rng.integers(2)]}
        for k in range(20)
        for model in MODELS
        for who in ("ana", "ben", "gpt-4")
    ]
    assert columns(of(rows, tmp_path))["item"] == "doc_id and system"


@pytest.fixture
def two_files(tmp_path: Path) -> Callable[..., list[Path]]:
    def written(*, beside: str = "model") -> list[Path]:
        rows = [{beside if key == "model" else key: value for key, value in row.items()} for row in prompts_by_models()]
        people = [{key: row[key] for key in ("prompt_id", beside, "human_label")} for row in rows]
        judges = [{key: row[key] for key in ("prompt_id", beside, "judge_label")} for row in reversed(rows)]
        return [of(people, tmp_path, "people.csv"), of(judges, tmp_path, "judges.csv")]

    return written


def test_joined_files_are_joined_on_the_same_columns(two_files: Callable[..., list[Path]]) -> None:
    ratings = metrics.read(two_files(), columns={"human": "human_label", "verdict": "judge_label"})
    assert ratings.source.join is not None
    assert [file.share for file in ratings.source.join.files] == [1, 1]
    assert len(ratings.items) == 90
    assert ratings.source.together == "prompt_id"


def test_a_name_with_and_in_it_is_a_column_of_its_own(tmp_path: Path) -> None:
    rows = [{"pros and cons": row["model"], "pros": 1, "cons": 2, **row} for row in prompts_by_models()]
    path = of(rows, tmp_path)
    stated = {"human": "human_label", "verdict": "judge_label"}
    ratings = metrics.read(path, columns={**stated, "item": "prompt_id and pros and cons"})
    assert len(ratings.items) == 90
    with pytest.raises(metrics.InputError, match="has no column ‘prompt_id and nothing’"):
        metrics.read(path, columns={**stated, "item": "prompt_id and nothing"})

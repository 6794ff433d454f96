"""Several outputs of one input: items of several columns, by what the rows hold, and what only looks like them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.data.item_texts import free_columns
from metrics.readers import open_table, propose
from metrics.readers.import_text import understood_line

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


@pytest.mark.parametrize("dialog", ["dialog", "conversation_id", "thread"])
def test_turns_of_a_conversation_are_no_criteria(tmp_path: Path, dialog: str) -> None:
    rng = np.random.default_rng(3)
    rows: Rows = [
        {dialog: f"c{k}", "turn": turn, "human_label": WORDS[rng.integers(2)], "judge_label": WORDS[rng.integers(2)]}
        for k in range(12)
        for turn in range(5)
    ]
    assert columns(of(rows, tmp_path)) == {"item": f"{dialog} and turn", "human": "human_label", "verdict": "judge_label"}


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
    assert "each output of one ‘prompt_id’ is an item" in understood_line(ratings)


def test_a_name_with_and_in_it_is_a_column_of_its_own(tmp_path: Path) -> None:
    rows = [{"pros and cons": row["model"], "pros": 1, "cons": 2, **row} for row in prompts_by_models()]
    path = of(rows, tmp_path)
    stated = {"human": "human_label", "verdict": "judge_label"}
    ratings = metrics.read(path, columns={**stated, "item": "prompt_id and pros and cons"})
    assert len(ratings.items) == 90
    with pytest.raises(metrics.InputError, match="has no column ‘prompt_id and nothing’"):
        metrics.read(path, columns={**stated, "item": "prompt_id and nothing"})


def test_where_criteria_are_columns_any_few_cells_tell_outputs_apart(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    sides = [f"{side}_{criterion}" for criterion in ("tone", "depth") for side in ("human", "judge")]
    rows: Rows = [
        {"question_id": k, "intent": "ab"[k % 2], "style": style, **{side: int(rng.integers(1, 6)) for side in sides}}
        for k in range(20)
        for style in ("terse", "eager", "formal")
    ]
    assert columns(of(rows, tmp_path))["item"] == "question_id and style"
    head = ("question_id", "style")
    files = [
        of([{name: row[name] for name in (*head, *sides[place::2])} for row in rows], tmp_path, f"{side}.csv")
        for place, side in enumerate(("human", "judge"))
    ]
    proposal = propose(open_table(files))
    assert proposal.columns_answer == {"role:human": "human", "role:judge": "judge"}
    ratings = metrics.read(files, columns=proposal.columns_answer, scale="ordinal")
    assert (len(ratings.items), ratings.criteria) == (60, ("tone", "depth"))


def test_two_criteria_of_each_side_in_a_file_of_its_own_are_both_read(tmp_path: Path) -> None:
    rows = [{"id": row["prompt_id"] + row["model"], **row} for row in prompts_by_models()]
    files = [
        of(
            [
                {"id": row["id"], f"{side}_correct": row[f"{side}_label"], f"{side}_faithful": "yes" if k % 3 else "no"}
                for k, row in enumerate(rows)
            ],
            tmp_path,
            f"{side}.csv",
        )
        for side in ("human", "judge")
    ]
    ratings = metrics.read(files, columns=propose(open_table(files)).columns_answer)
    assert ratings.criteria == ("correct", "faithful")
    assert metrics.agreement(ratings).judges["judge"].criteria["faithful"]["accuracy"].value == 1


def test_scores_of_criteria_and_outputs_beside_a_flag_of_one_of_them(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    rows: Rows = [
        {"scenario_id": f"h{k}", "system_name": system, "metric": metric, "score": int(rng.integers(1, 6)), "unsafe_flag": ""}
        for k in range(12)
        for system in ("base", "rag")
        for metric in ("safety", "tone", "depth")
    ]
    for row in rows[::3]:
        row["unsafe_flag"] = "False"
    people = [{**{key: row[key] for key in list(row)[:4]}, "annotator": who} for row in rows for who in ("A1", "A2")]
    files = [of(people, tmp_path, "people.csv"), of(rows, tmp_path, "judge.csv")]
    ratings = metrics.read(
        files, columns={"rater": "annotator", "criterion": "metric"}, roles={"A1": "human", "A2": "human"}, scale="ordinal"
    )
    assert (len(ratings.items), len(ratings.criteria), ratings.humans, ratings.judges) == (24, 3, ("A1", "A2"), ("judge",))


@pytest.mark.parametrize(("whole", "part"), [("dialog", "turn_idx"), ("doc", "sentence_idx"), ("file", "claim nr")])
def test_parts_that_are_numbered_within_a_whole_are_its_items(whole: str, part: str) -> None:
    rows = [f"d{k // 4},{k % 4},{('yes', 'no')[k % 3 > 0]},{('yes', 'no')[k % 5 > 1]}" for k in range(48)]
    proposal = propose(open_table("\n".join([f"{whole},{part},human,judge", *rows]).encode()))
    assert (proposal.column("item"), proposal.criteria) == (f"{whole} and {part}", ("overall",))


def test_what_is_searched_for_is_no_criterion() -> None:
    rows = [f"how to {k // 8},u{k % 8},{k % 4},{k % 3}" for k in range(48)]
    proposal = propose(open_table("\n".join(["query,url,human_relevance,llm_relevance", *rows]).encode()))
    assert (proposal.column("item"), proposal.criteria) == ("query and url", ("overall",))


def traces(judges: tuple[str, ...] = ("gpt-4o", "claude")) -> Rows:
    """Return verdicts of judges on several traces of each task, whose versions no column tells in every row."""
    rng = np.random.default_rng(4)
    return [
        {"trace_file": f"t{k}-{fault or 'clean'}.json", "task_id": f"t{k}", "fault": fault, "judge_id": judge,
         "verdict": WORDS[int(rng.integers(2))]}
        for judge in judges
        for k in range(12)
        for fault in ("F1", "F2", "")
    ]  # fmt: skip


def test_what_several_judges_rated_once_each_is_an_output_of_its_task(tmp_path: Path) -> None:
    path = of(traces(), tmp_path)
    assert columns(path)["item"] == "task_id and trace_file"
    roles = {"gpt-4o": "judge", "claude": "judge"}
    ratings = metrics.read(path, columns={"rater": "judge_id", "item": "task_id and trace_file"}, roles=roles)
    assert ratings.n_items == 36
    assert columns(of(traces(("gpt-4o",)), tmp_path))["item"] != "task_id and trace_file", "that nobody else rated"


@pytest.mark.parametrize("each", [True, False])
def test_a_prompt_of_its_own_in_each_row_is_the_item(tmp_path: Path, *, each: bool) -> None:
    rows: Rows = [
        {"prompt": f"ask {k if each else k % 2}", "response_a": f"a{k}", "response_b": f"b{k}", "human_label": WORDS[k % 2],
         "judge_label": WORDS[k % 3 > 0]}
        for k in range(20)
    ]  # fmt: skip
    assert (columns(of(rows, tmp_path))["item"] == "prompt") is each

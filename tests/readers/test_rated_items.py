"""What several people were asked of, where no column is called after items: a text that stands once for each of them."""

from __future__ import annotations

import io
import json
from typing import Any

import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose
from metrics.readers.table import TextTable

TASKS = [
    f"Explain how {thing} works, and why it matters" for thing in "a boiler, a lock, a sail, a kiln, a lens, a mill".split(", ")
] * 4


def crossed_annotations(people: int = 4) -> list[dict[str, Any]]:
    """People's preferences between two outputs, as a list of records without any id."""
    return [
        {
            "annotator_index": (3 * item + person) % 11, "dataset": "abc"[item % 3], "generator": "base",
            "instruction": f"{task} ({item})",
            "output_1": f"First answer to {item}.", "output_2": f"Second answer to {item}.",
            "preference": 1 + (item % 2 if person < 3 else item % 3 % 2), "time_per_example": 3.5 * item + person,
        }
        for item, task in enumerate(TASKS)
        for person in range(people)
    ]  # fmt: skip


def machine_annotations() -> list[dict[str, Any]]:
    return [
        {
            "instruction": f"{task} ({item})", "output_1": f"First answer to {item}.", "generator_1": "base",
            "output_2": f"Second answer to {item}.", "generator_2": "new", "annotator": "llm_annotator",
            "preference": 1 + (item % 2 if item % 5 else 0), "raw_completion": "Output (a)",
        }
        for item, task in enumerate(TASKS)
    ]  # fmt: skip


def named(records: list[dict[str, Any]], name: str) -> io.BytesIO:
    held = io.BytesIO(json.dumps(records).encode())
    held.name = name
    return held


def opened(records: list[dict[str, Any]]) -> TextTable:
    return open_table(json.dumps(records).encode(), "own.json")


def test_the_text_that_several_annotators_were_asked_of_is_the_item() -> None:
    columns = dict(propose(opened(crossed_annotations())).columns)
    assert {role: columns[role] for role in ("item", "rater", "label")} == {
        "item": "instruction", "rater": "annotator_index", "label": "preference",
    }  # fmt: skip


def test_people_in_rows_and_a_model_in_another_file() -> None:
    files = [named(crossed_annotations(), "people.json"), named(machine_annotations(), "machine.json")]
    ratings = metrics.read(
        files, columns={"rater": "annotator_index", "label": "preference"}, labels={"1": "positive", "2": "negative"}
    )
    assert ratings.judges == ("llm_annotator",)
    assert len(ratings.humans) == 11
    assert ratings.n_items == len(TASKS)
    assert ratings.source.join is not None


def test_remarks_that_happen_to_be_alike_are_no_item() -> None:
    rows = [(f"w{k % 5}", "yes" if k % 3 else "no", "fine" if k in (0, 6) else f"remark {k}", f"part {k}") for k in range(30)]
    table = open_table(pd.DataFrame(rows, columns=["annotator", "label", "remark", "piece"]))
    assert dict(propose(table).columns)["item"] == "piece"


def test_a_text_that_one_person_rates_twice_is_no_item() -> None:
    rows = [(f"w{k % 3}", "yes" if k % 4 else "no", f"text {k % 6}", f"part {k}") for k in range(36)]
    table = open_table(pd.DataFrame(rows, columns=["annotator", "label", "passage", "piece"]))
    assert dict(propose(table).columns)["item"] == "piece"


@pytest.mark.parametrize(("name", "read"), [("majority_vote", False), ("aggregated_label", False), ("dora", True)])
def test_what_most_of_the_people_say_is_no_person(name: str, read: bool) -> None:
    votes = [[("yes", "no")[(item + place) % (2 + place) == 0] for place in range(3)] for item in range(40)]
    rows = [(f"q{item}", *said, max(set(said), key=said.count), said[item % 3]) for item, said in enumerate(votes)]
    table = open_table(pd.DataFrame(rows, columns=["item", "annotator_1", "annotator_2", "annotator_3", name, "gpt-4"]))
    columns = dict(propose(table).columns).values()
    assert (name in columns) == read
    assert {"annotator_1", "annotator_2", "annotator_3", "gpt-4"} <= set(columns)


def test_a_majority_that_says_something_else_is_kept() -> None:
    rows = [(f"q{k}", "yes", "yes" if k % 2 else "no", "yes" if k % 5 else "no", "no" if k == 7 else "yes") for k in range(40)]
    table = open_table(pd.DataFrame(rows, columns=["item", "human_a", "human_b", "gpt-4", "majority"]))
    assert "majority" in dict(propose(table).columns).values()


def lists(rubric: bool, varying: bool) -> list[dict[str, Any]]:
    """Verdicts on three parts of each item, or on one to three."""
    records = []
    for k in range(30):
        n = 1 + k % 3 if varying else 3
        record = {"task_id": f"t{k}", "human": [k % 2, k % 5 % 2, k % 7 % 2][:n], "judge": [k % 2, int(k % 4 > 1), k % 5 % 2][:n]}
        records.append(record | ({"rubric": ["names it", "explains it", "cites it"][:n]} if rubric else {}))
    return records


@pytest.mark.parametrize(("rubric", "varying"), [(False, True), (True, True)])
def test_verdicts_of_both_sides_in_lists_are_on_the_parts_of_an_item(rubric: bool, varying: bool) -> None:
    records = lists(rubric, varying)
    ratings = metrics.read(io.BytesIO(json.dumps(records).encode()), columns=propose(opened(records)).columns_answer)
    named = ("names it", "explains it", "cites it") if rubric else ("1", "2", "3")
    assert (ratings.humans, ratings.judges, ratings.criteria) == (("human",), ("judge",), named)
    assert ratings.n_items == 30


def test_lists_of_one_length_may_be_people_and_answers_of_a_judge() -> None:
    roles = dict(propose(opened(lists(rubric=False, varying=False))).roles)
    assert roles == {f"{who} {place}": who for who in ("human", "judge") for place in (1, 2, 3)}


def test_numbered_columns_are_people_and_judges() -> None:
    rows = [(f"t{k}", *(("no", "yes")[k % each > 0] for each in (2, 3, 4, 5))) for k in range(30)]
    table = open_table(pd.DataFrame(rows, columns=["item", "human 1", "human 2", "judge 1", "judge 2"]))
    assert dict(propose(table).roles) == {"human 1": "human", "human 2": "human", "judge 1": "judge", "judge 2": "judge"}


def test_people_in_a_list_beside_one_judge_stay_people() -> None:
    records = [
        {"task_id": f"t{k}", "human": ["yes", "no" if k % 3 else "yes"], "judge": "yes" if k % 2 else "no"} for k in range(30)
    ]
    roles = dict(propose(opened(records)).roles)
    assert sorted(role or "" for role in roles.values()) == ["human", "human", "judge"]


NUMBERS = [round(((37 * k) % 97) / 97, 3) for k in range(60)]


@pytest.mark.parametrize(
    ("human", "judge"), [("Human Label", "GPT-judge"), ("target", "prob"), ("label", "probability"), ("label", "prediction")]
)
def test_numbers_of_a_judge_beside_words_of_people(human: str, judge: str) -> None:
    said = ["True" if number > 0.4 else "False" for number in NUMBERS]
    table = open_table(pd.DataFrame({"id": [f"q{k}" for k in range(60)], human: said, judge: NUMBERS}))
    columns = dict(propose(table).columns)
    assert (columns["human"], columns["verdict"]) == (human, judge)


@pytest.mark.parametrize("beside", ["llm_tokens", "llm_cost", "gpt_temperature", "judge_index", "confidence"])
def test_numbers_beside_an_answer_are_no_verdict(beside: str) -> None:
    said = ["yes" if number > 0.4 else "no" for number in NUMBERS]
    table = open_table(
        pd.DataFrame({"id": [f"q{k}" for k in range(60)], "human": said, beside: range(60) if "index" in beside else NUMBERS})
    )
    assert "verdict" not in dict(propose(table).columns)


OUTPUTS = [f"The answer names {k} of the facts.\n\n**Verdict: {('PASS', 'FAIL')[k % 3 == 0]}**" for k in range(40)]


def test_a_text_that_ends_in_its_verdict_is_a_judges() -> None:
    table = open_table(pd.DataFrame({"id": range(40), "human_label": ["PASS", "FAIL"] * 20, "judge_output": OUTPUTS}))
    assert dict(propose(table).columns)["verdict"] == "judge_output"
    assert set(table.coded("judge_output").names) == {"PASS", "FAIL"}
    assert table.cell(0, "judge_output reason") == OUTPUTS[0]


@pytest.mark.parametrize("column", ["answer", "response", "question"])
def test_a_text_of_an_item_keeps_its_words(column: str) -> None:
    table = open_table(pd.DataFrame({"id": range(40), "human_label": ["PASS", "FAIL"] * 20, column: OUTPUTS}))
    assert table.cell(0, column) == OUTPUTS[0]


def test_an_output_with_an_answer_of_its_own_each_time_is_no_verdict() -> None:
    outputs = [f"We add both.\nFinal answer: {3 * k}" for k in range(40)]
    table = open_table(pd.DataFrame({"id": range(40), "human_label": ["PASS", "FAIL"] * 20, "judge_output": outputs}))
    assert table.cell(0, "judge_output") == outputs[0]


@pytest.mark.parametrize(
    ("beside", "numbers"),
    [
        ("model_size", [7, 13, 70] * 20),
        ("prediction", range(1960, 2020)),
        ("pred", range(60)),
        ("gpt", [7.5 * k for k in range(60)]),
    ],
)
def test_numbers_that_no_scale_has_are_no_verdict(beside: str, numbers: Any) -> None:
    said = ["yes" if number > 0.4 else "no" for number in NUMBERS]
    table = open_table(pd.DataFrame({"id": [f"q{k}" for k in range(60)], "human": said, beside: numbers}))
    assert "verdict" not in dict(propose(table).columns)


def test_an_audience_is_no_label_of_a_person() -> None:
    table = open_table(
        pd.DataFrame({"id": [f"q{k}" for k in range(60)], "target": ["kids", "adults"] * 30, "llm_score": NUMBERS})
    )
    assert "human" not in dict(propose(table).columns)


@pytest.mark.parametrize("column", ["date", "batch"])
def test_what_each_annotator_had_once_a_day_is_no_item(column: str) -> None:
    rows = [
        (f"w{k % 6}", "yes" if k % 4 else "no", f"2024-01-{k // 6 + 1:02}", f"A passage of its own, number {k}")
        for k in range(60)
    ]
    table = open_table(pd.DataFrame(rows, columns=["annotator", "label", column, "passage"]))
    assert dict(propose(table).columns)["item"] == "passage"


def test_a_choice_that_a_model_ends_with_stays_its_answer() -> None:
    outputs = [f"We look at each.\nAnswer: {'ABCD'[k % 4]}" for k in range(40)]
    table = pd.DataFrame(
        {"id": range(40), "human": ["yes", "no"] * 20, "judge": ["yes", "no", "no", "yes"] * 10, "model_output": outputs}
    )
    columns = dict(propose(open_table(table)).columns)
    assert (columns["human"], columns["verdict"]) == ("human", "judge")


def test_two_tables_side_by_side_are_asked_about(tmp_path) -> None:
    n = 20
    rows = [f"{k},{'yes' if k % 3 else 'no'},{7 * k % n},{'yes' if 7 * k % n % 3 else 'no'}" for k in range(n)]
    path = tmp_path / "both.csv"
    for second in ("id2", "judge_id", "id_2"):
        path.write_text(f"id,human,{second},judge\n" + "\n".join(rows), "utf-8")
        with pytest.raises(metrics.InputError, match="hold the same ids in other rows: two tables side by side"):
            metrics.read(path)
    path.write_text("id,human,id,judge\n" + "\n".join(rows), "utf-8")
    with pytest.raises(metrics.InputError, match="Of two tables side by side, save each as a file of its own, and open both"):
        metrics.read(path)


@pytest.mark.parametrize("second", [lambda k: k, lambda k: k + 1, lambda k: f"r{7 * k % 20}"])
def test_a_second_id_of_the_same_rows_is_no_second_table(tmp_path, second) -> None:
    path = tmp_path / "one.csv"
    path.write_text("id,human,verdict,id2\n" + "\n".join(f"{k},yes,no,{second(k)}" for k in range(20)), "utf-8")
    assert all("side by side" not in doubt.sentence for doubt in propose(open_table(path)).doubts)

"""HealthBench: lists of physicians' labels, and a grader's answers."""

from __future__ import annotations

import json

import pytest

from metrics.readers import open_table, propose
from metrics.readers.formats import healthbench
from tests.readers.formats import assert_expected, examples, rated
from tests.shared_data import shared

COLUMNS = ("item", "criterion", "rater", "role", "label", "reason", "status")
LINE = {
    "prompt_id": "p1",
    "completion_id": "c1",
    "prompt": [{"role": "user", "content": "it hurts"}],
    "completion": "See a doctor.",
    "rubric": "Tells the user to seek care",
    "category": "cluster:emergency",
    "binary_labels": [True, False],
    "anonymized_physician_ids": ["00aa", "01bb"],
    "canary": "c",
}
META = "\n".join(
    map(json.dumps, [LINE, {**LINE, "completion_id": "c2", "binary_labels": [True], "anonymized_physician_ids": ["00aa"]}])
)
GRADED = "\n".join(
    json.dumps(
        {"completion_id": f"c{n}", "rubric": "Tells the user to seek care", "criteria_met": met, "explanation": f"why {n}"}
    )
    for n, met in enumerate([True, False, None, "false"])
)
RESULTS = json.dumps({
    "score": 0.5,
    "metadata": {
        "example_level_metadata": [
            {
                "prompt_id": "p1", "completion_id": "c1", "completion": [{"role": "assistant", "content": "See a doctor."}],
                "rubric_items": [
                    {"criterion": "seeks care", "points": 5, "tags": ["level:x"], "criteria_met": True, "explanation": "it does"},
                    {"criterion": "too long", "points": -2, "tags": [], "criteria_met": None, "explanation": ""},
                ],
            }
        ]
    },
})  # fmt: skip
SAMPLES = {"meta_eval.jsonl": META.encode(), "grader.jsonl": GRADED.encode(), "allresults.json": RESULTS.encode()}


def test_each_label_of_a_list_is_a_physicians() -> None:
    table = open_table(META.encode(), "meta_eval.jsonl")
    assert rated(table, COLUMNS) == [
        ("c1", LINE["rubric"], "00aa", "human", "true", "", "ok"),
        ("c1", LINE["rubric"], "01bb", "human", "false", "", "ok"),
        ("c2", LINE["rubric"], "00aa", "human", "true", "", "ok"),
    ]
    assert table.data["category"].to_pylist() == ["cluster:emergency"] * 3
    assert "canary" not in table.columns


def test_lists_of_other_lengths_and_empty_labels() -> None:
    line = {**LINE, "binary_labels": [True, None, "false"], "anonymized_physician_ids": ["00aa", "01bb"]}
    table = open_table((json.dumps(line) + "\n" + json.dumps(LINE)).encode())
    assert rated(table, ("rater", "label"))[:2] == [("00aa", "true"), ("physician 3", "false")]
    assert [why for _, why in table.skipped] == [healthbench.NO_LABEL]


def test_a_graders_answers() -> None:
    table = open_table(GRADED.encode(), "grader.jsonl")
    assert rated(table, COLUMNS) == [
        ("c0", LINE["rubric"], "judge", "judge", "true", "why 0", "ok"),
        ("c1", LINE["rubric"], "judge", "judge", "false", "why 1", "ok"),
        ("c2", LINE["rubric"], "judge", "judge", "judge call failed", "why 2", "error"),
        ("c3", LINE["rubric"], "judge", "judge", "false", "why 3", "ok"),
    ]


def test_a_graders_answers_as_csv_and_under_its_name() -> None:
    data = b"completion_id,rubric,criteria_met,model\nc1,seeks care,true,gpt-x\nc1,is short,,gpt-x\n"
    assert rated(open_table(data), ("rater", "label", "status")) == [
        ("gpt-x", "true", "ok"),
        ("gpt-x", "judge call failed", "error"),
    ]


def test_all_results_of_an_evaluation() -> None:
    table = open_table(RESULTS.encode(), "allresults.json")
    assert rated(table, COLUMNS) == [
        ("c1", "seeks care", "judge", "judge", "true", "it does", "ok"),
        ("c1", "too long", "judge", "judge", "judge call failed", "", "error"),
    ]
    assert table.data["points"].to_pylist() == ["5", "-2"]


def test_the_examples_are_read() -> None:
    people = open_table(shared("formats/examples/healthbench/meta_eval.jsonl"))
    grader = open_table(shared("formats/examples/healthbench/grader_results.jsonl"))
    assert {row[3] for row in rated(people)} == {"human"}
    assert set(people.data["item"].to_pylist()) == set(grader.data["item"].to_pylist()), "they join"
    assert [doubt.sentence for doubt in propose(people).doubts] == [
        "Every rater is a human. Agreement needs a judge on the same items."
    ]


@pytest.mark.parametrize("path", examples("healthbench"))
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)

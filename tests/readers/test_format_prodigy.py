"""Prodigy: yes or no to one label, and choices among options."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metrics.readers import open_table, propose
from tests.readers.formats import EXAMPLES, rated


def answered(item: int, who: str | None, answer: str, **more: Any) -> dict[str, Any]:
    return {
        "text": f"Text {item}", "meta": {"item": f"a{item}"}, "_input_hash": item, "_task_hash": -item,
        "_view_id": "classification", "answer": answer, "_timestamp": 1769936460 + item, "_annotator_id": who, "_session_id": who,
    } | more  # fmt: skip


BINARY = "\n".join(map(json.dumps, [
    answered(1, "db-ana", "accept", label="CORRECT", reason="Fine."),
    answered(1, "db-judge", "reject", label="CORRECT"),
    answered(2, "db-ana", "ignore", label="CORRECT"),
    answered(2, None, "accept"),
    answered(3, "db-ana", "accept", _view_id="ner_manual", spans=[{"start": 0, "end": 4, "label": "NAME"}]),
])).encode()  # fmt: skip
CHOICE = "\n".join(map(json.dumps, [
    answered(1, "db-ana", "accept", options=[{"id": 1, "text": "Pass"}], accept=[1], _view_id="choice"),
    answered(2, "db-ana", "accept", options=[], accept=["pass"], _view_id="choice"),
    answered(3, "db-ana", "accept", options=[], accept=["unsure"], _view_id="choice"),
    answered(4, "db-ana", "accept", options=[], accept=[], _view_id="choice"),
    answered(5, "db-ana", "accept", options=[], accept=["pass", "fail"], _view_id="choice"),
    answered(6, "db-ana", "reject", options=[], accept=["pass"], _view_id="choice"),
    answered(7, "db-ana", "ignore", options=[], accept=["pass"], _view_id="choice"),
])).encode()  # fmt: skip
SAMPLES = {"binary.jsonl": BINARY, "choice.jsonl": CHOICE}


def test_accept_and_reject_are_the_labels_of_what_was_asked() -> None:
    table = open_table(BINARY, "binary.jsonl")
    assert rated(table) == [
        ("1", "CORRECT", "db-ana", "db-ana", "accept", "", "2026-02-01T09:01:01Z", "Fine.", "ok"),
        ("1", "CORRECT", "db-judge", "db-judge", "reject", "", "2026-02-01T09:01:01Z", "", "ok"),
        ("2", "CORRECT", "db-ana", "db-ana", "ignore", "", "2026-02-01T09:01:02Z", "", "abstain"),
        ("2", "overall", "session", "session", "accept", "", "2026-02-01T09:01:02Z", "", "ok"),
    ]
    assert [why for _, why in table.skipped] == ["marks in a text or an image, no label"]
    assert table.data["meta.item"].to_pylist()[0] == "a1", "what the task says of itself rides along"


def test_somebody_must_say_which_sessions_are_judges() -> None:
    table = open_table(BINARY, "binary.jsonl")
    asked = propose(table).blocking
    assert [doubt.about for doubt in asked] == ["roles"]
    assert "‘db-ana’" in asked[0].sentence
    assert not propose(table, {"role:db-judge": "judge", "role:*": "human"}).blocking


def test_of_choices_one_is_a_label_and_the_answer_is_about_the_task() -> None:
    table = open_table(CHOICE, "choice.jsonl")
    assert [(row[0], row[4], row[8]) for row in rated(table)] == [
        ("1", "1", "ok"), ("2", "pass", "ok"), ("3", "unsure", "abstain"), ("7", "skipped", "abstain"),
    ]  # fmt: skip
    assert [why for _, why in table.skipped] == [
        "nothing was chosen", "several choices are a set, no label", "the task was rejected, not answered",
    ]  # fmt: skip
    assert "‘reject’ of a choice is about the task" in table.notes[0]


@pytest.mark.parametrize(("name", "n", "left"), [("binary.jsonl", 16, 0), ("choice_messy.jsonl", 6, 3)])
def test_examples_are_read(name: str, n: int, left: int) -> None:
    path = EXAMPLES / "prodigy" / name
    if path.exists():
        table = open_table(str(path))
        assert (table.n_rows, len(table.skipped)) == (n, left)

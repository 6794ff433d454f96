"""Batches of requests to OpenAI and Anthropic: the verdicts in the replies, joined with people's labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose
from metrics.readers.composite_cells import UNREAD
from metrics.readers.formats.batches import verdicts_in
from metrics.readers.formats.canonical import FAILED
from tests.readers.formats import rated

CRITERIA = ("tone", "depth")


def openai(name: str, reply: str | None, *, responses: bool = False) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply, "refusal": None}
    chat = {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    output = {"object": "response", "output": [{"type": "message", "content": [{"type": "output_text", "text": reply}]}]}
    body = {"id": "x", "model": "gpt-4o-mini-2024-07-18", **(output if responses else chat)}
    response = None if reply is None else {"status_code": 200, "request_id": "r", "body": body}
    return {
        "id": f"batch_req_{name}", "custom_id": name, "response": response,
        "error": None if reply is not None else {"code": "batch_expired", "message": "This request could not be executed."},
    }  # fmt: skip


def anthropic(name: str, reply: str | None) -> dict[str, Any]:
    message = {"id": "m", "type": "message", "model": "claude-sonnet-4", "content": [{"type": "text", "text": reply}]}
    return {
        "custom_id": name,
        "result": {"type": "errored" if reply is None else "succeeded", "message": message if reply else None},
    }


def lines(*records: dict[str, Any]) -> bytes:
    return "\n".join(map(json.dumps, records)).encode()


JSON = json.dumps({"tone": "yes", "depth": "no", "reasoning": "it is short"})
SAMPLES = {
    "batch_output.jsonl": lines(openai("q1", JSON), openai("q2", f"Here you are:\n```json\n{JSON}\n```"), openai("q3", None)),
    "responses.jsonl": lines(openai("q1", "PASS", responses=True), openai("q2", "FAIL", responses=True)),
    "results.jsonl": lines(anthropic("q1", "yes"), anthropic("q2", None), anthropic("q3", "no")),
}


def test_a_reply_has_a_rating_for_each_criterion_and_a_failed_request_is_an_error() -> None:
    table = open_table(SAMPLES["batch_output.jsonl"], "batch_output.jsonl")
    judge = "gpt-4o-mini-2024-07-18"
    assert rated(table, ("item", "criterion", "rater", "role", "label", "reason", "status")) == [
        *(
            (item, c, judge, "judge", label, "it is short", "ok")
            for item in ("q1", "q2")
            for c, label in zip(CRITERIA, ("yes", "no"), strict=True)
        ),
        *(("q3", c, judge, "judge", FAILED, "", "error") for c in CRITERIA),
    ]
    assert rated(open_table(SAMPLES["results.jsonl"]), ("item", "rater", "label", "status")) == [
        ("q1", "claude-sonnet-4", "yes", "ok"), ("q2", "claude-sonnet-4", FAILED, "error"), ("q3", "claude-sonnet-4", "no", "ok"),
    ]  # fmt: skip
    assert rated(open_table(SAMPLES["responses.jsonl"]), ("item", "label")) == [("q1", "PASS"), ("q2", "FAIL")]


@pytest.mark.parametrize(
    ("reply", "verdicts"),
    [
        ("yes", [("overall", "yes", "")]),
        (" 4 ", [("overall", "4", "")]),
        ('{"score": 4, "reason": "fine"}', [("overall", "4", "fine")]),
        ('{"verdict": true}', [("overall", "true", "")]),
        ('{"tone": {"score": 2, "reason": "rude"}, "depth": {"score": 5}}', [("tone", "2", "rude"), ("depth", "5", "")]),
        ('{"criteria": [{"name": "tone", "met": false, "explanation": "no"}]}', [("tone", "false", "no")]),
        ('[{"criterion": "tone", "verdict": "MET"}]', [("tone", "MET", "")]),
        (f"{'The answer is long. ' * 9}\nVerdict: **FAIL**", [("overall", "FAIL", "long")]),
        (f"{'It reads well. ' * 9} Final verdict: [[A]]", [("overall", "A", "long")]),
        ("{broken", [("overall", "{broken", "")]),
        (f"{'I would rather not say. ' * 9}", []),
        ("", []),
        ("{}", []),
    ],
)
def test_the_verdict_is_found_in_json_and_in_words(reply: str, verdicts: list[tuple[str, str, str]]) -> None:
    expected = [(name, label, reply.strip() if why == "long" else why) for name, label, why in verdicts]
    assert verdicts_in(reply) == expected


def test_a_reply_without_a_verdict_is_invalid_and_kept() -> None:
    table = open_table(lines(openai("q1", "yes"), openai("q2", "I would rather not say what I think of it. " * 5)))
    assert table.coded("label").names == ("yes", UNREAD)
    assert next(row.kind for row in propose(table).labels if row.label == UNREAD) == "invalid"
    assert "rather not say" in table.data["reason"][1].as_py()


def test_joined_with_a_column_for_each_criterion(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    people, judge = (pd.DataFrame({name: rng.choice(["yes", "no"], 40) for name in CRITERIA}) for _ in range(2))
    people.insert(0, "id", [f"q{k}" for k in range(40)])
    people.to_csv(tmp_path / "gold.csv", index=False)
    replies = [openai(f"q{k}", json.dumps(judge.loc[k].to_dict())) for k in range(40)]
    (tmp_path / "batch.jsonl").write_bytes(lines(*replies))
    paths = [tmp_path / "gold.csv", tmp_path / "batch.jsonl"]
    ratings = metrics.read(paths, columns=propose(open_table(paths)).columns_answer)
    blocks = metrics.agreement(ratings).judges["gpt-4o-mini-2024-07-18"].criteria
    by_hand = {name: float(np.mean(people[name] == judge[name])) for name in CRITERIA}
    assert {name: block["accuracy"].value for name, block in blocks.items()} == pytest.approx(by_hand)


def test_texts_beside_a_label_are_its_reason_and_no_criteria() -> None:
    replies = [
        openai(f"q{k}", json.dumps({"analysis": f"it says {k}", "why": f"since {k}", "label": ("yes", "no")[k % 2]}))
        for k in range(30)
    ]
    table = open_table(lines(*replies, openai("q30", "yes")))
    assert table.coded("criterion").names == ("overall",)
    assert table.coded("label").names == ("yes", "no")
    assert table.data["reason"][3].as_py() == "since 3" or "it says 3" in table.data["reason"][3].as_py()

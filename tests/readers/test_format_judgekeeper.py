"""Records of judgekeeper."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import metrics
from metrics.readers import open_table
from tests.readers.formats import rated


def record(kind: str | None, name: str | None = "ok", item: str | None = "q1", **fields: object) -> dict[str, object]:
    return {
        "target_id": item, "name": name, "annotator_kind": kind, "label": None, "score": None, "explanation": None, "run": None,
        "input": "a", "output": "b", "evaluator": {}, "created_at": None,
    } | fields  # fmt: skip


MODEL = {"model": "gpt-x", "version": "v2", "prompt_hash": "abc"}
RECORDS = [
    record("HUMAN", "gold", label="pass"),
    record("LLM", label="fail", explanation="too short", run=1, evaluator=MODEL, created_at="2026-02-01T09:07:00Z"),
    record("LLM", run=2, evaluator={"model": "gpt-x", "prompt_hash": "abc"}),
    record(None, score=0.5, run=3, label=None),
    record("CODE", "length", label=True),
    record("HUMAN", "gold", item="q2", label="can't tell"),
    record("HUMAN", "gold", item="q3"),
    record("LLM", item=None, label="pass"),
]
JSONL = "\n".join(map(json.dumps, RECORDS)).encode()
SAMPLES = {"records.jsonl": JSONL, "records.csv": pd.DataFrame(RECORDS).to_csv(index=False).encode()}
COLUMNS = ("item", "criterion", "rater", "role", "label", "score", "timestamp", "prompt", "run", "reason", "status")


@pytest.mark.parametrize("name", SAMPLES)
def test_records_are_ratings_with_run_prompt_and_reason(name: str) -> None:
    table = open_table(SAMPLES[name], name)
    ratings = [(*row[:4], row[4].lower(), *row[5:]) for row in rated(table, COLUMNS)]
    assert ratings == [
        ("q1", "ok", "human", "human", "pass", "", "", "", "", "", "ok"),
        ("q1", "ok", "gpt-x", "judge", "fail", "", "2026-02-01T09:07:00Z", "v2", "1", "too short", "ok"),
        ("q1", "ok", "gpt-x", "judge", "judge call failed", "", "", "abc", "2", "", "error"),
        ("q1", "ok", "judge", "judge", "", "0.5", "", "", "3", "", "ok"),
        ("q1", "length", "code", "code", "true", "", "", "", "", "", "ok"),
        ("q2", "ok", "human", "human", "can't tell", "", "", "", "", "", "abstain"),
    ]
    assert [why for _, why in table.skipped] == ["neither label nor score", "a record without target_id"]
    assert table.notes == ("Labels of people named ‘gold’ are of the only metric, ‘ok’.",)
    assert {"input", "output"} <= set(table.columns)


def test_of_two_metrics_the_labels_of_people_keep_their_name() -> None:
    data = [record("HUMAN", "gold", label="pass"), record("LLM", label="pass"), record("LLM", "kind", label="pass")]
    table = open_table("\n".join(map(json.dumps, data)).encode())
    assert table.data["criterion"].to_pylist() == ["gold", "ok", "kind"]
    assert not table.notes


def test_records_are_compared_without_a_question() -> None:
    data = [record(kind, item=f"q{n}", label="pass" if n else "fail") for n in range(3) for kind in ("HUMAN", "LLM")]
    assert metrics.read("\n".join(map(json.dumps, data)).encode()).n_items == 3

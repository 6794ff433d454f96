"""Argilla: nested and flat records, as its client writes them."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from metrics import InputError
from metrics.readers import open_table
from tests.readers.formats import EXAMPLES, rated

ONE, TWO = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"
FLAT_RECORDS = [
    {
        "id": "a1", "status": "pending", "_server_id": None, "question": "Where?", "topic": "help",
        "ok.responses": ["Pass", "Fail", "Pass"], "ok.responses.users": [ONE, TWO, "u3"],
        "ok.responses.status": ["submitted", "draft", "discarded"],
        "issues.responses": [["tone", "facts"], ["tone"]], "issues.responses.users": [ONE, TWO],
        "issues.responses.status": ["submitted", "submitted"],
        "comment.responses": ["Fine."], "comment.responses.users": [ONE], "comment.responses.status": ["submitted"],
        "ok.suggestion": "Pass", "ok.suggestion.score": 0.8, "ok.suggestion.agent": "judge-a",
        "comment.suggestion": "Too short.", "comment.suggestion.score": None, "comment.suggestion.agent": "judge-a",
        "vector": [0.5] * 40,
    },
    {"id": "a2", "status": "pending", "_server_id": None, "question": "When?", "topic": "help"},
    {
        "id": "a3", "status": "completed", "_server_id": None, "question": "Why?", "topic": "help",
        "clarity.responses": [4], "clarity.responses.users": [ONE], "clarity.responses.status": ["submitted"],
        "ok.suggestion": "Unsure", "ok.suggestion.score": None, "ok.suggestion.agent": None,
        "rewrite.responses": ["So " * 30], "rewrite.responses.users": [ONE], "rewrite.responses.status": ["submitted"],
    },
]  # fmt: skip
FLAT = "\n".join(map(json.dumps, FLAT_RECORDS)).encode()
CELLS = pd.DataFrame(FLAT_RECORDS).to_csv(index=False).encode()
NESTED = json.dumps([{
    "id": "a1", "fields": {"question": "Where?"}, "metadata": {"topic": "help"},
    "suggestions": {"ok": {"value": "Pass", "score": 0.8, "agent": "judge-a"}},
    "responses": {"ok": [{"value": "Fail", "user_id": ONE}], "issues": [{"value": ["tone", "facts"], "user_id": ONE}],
                  "clarity": [{"value": 4, "user_id": TWO}], "reason": [{"value": "Too short.", "user_id": ONE}]},
    "vectors": {"v": [0.1]}, "status": "pending", "_server_id": None,
}]).encode()  # fmt: skip
SAMPLES = {"flat.jsonl": FLAT, "flat.csv": CELLS, "nested.json": NESTED}


@pytest.mark.parametrize("name", ["flat.jsonl", "flat.csv"])
def test_responses_are_peoples_and_suggestions_the_judges(name: str) -> None:
    table = open_table(SAMPLES[name], name)
    assert sorted(rated(table)) == sorted([
        ("a1", "ok", ONE, "human", "Pass", "", "", "Fine.", "ok"),
        ("a1", "ok", "u3", "human", "skipped", "", "", "", "abstain"),
        ("a1", "issues", TWO, "human", "tone", "", "", "", "ok"),
        ("a1", "ok", "judge-a", "judge", "Pass", "", "", "Too short.", "ok"),
        ("a3", "clarity", ONE, "human", "", "4", "", "", "ok"),
        ("a3", "ok", "suggestion", "judge", "Unsure", "", "", "", "abstain"),
    ])  # fmt: skip
    assert sorted(why for _, why in table.skipped) == [
        "a draft, not submitted", "a text, no label", "several choices are a set, no label",
    ]  # fmt: skip
    assert table.data["topic"].to_pylist() == ["help"] * 6
    assert set(table.data["suggestion.score"].to_pylist()) == {"0.8", ""}, "how sure an agent is, is no rating"
    assert "vector" not in table.columns or name == "flat.csv"


def test_nested_records_are_ratings_without_the_status_of_responses() -> None:
    table = open_table(NESTED, "nested.json")
    assert rated(table) == [
        ("a1", "ok", ONE, "human", "Fail", "", "", "Too short.", "ok"),
        ("a1", "clarity", TWO, "human", "", "4", "", "", "ok"),
        ("a1", "ok", "judge-a", "judge", "Pass", "", "", "", "ok"),
    ]
    assert "drafts and discarded ones count as submitted" in table.notes[0]
    assert [why for _, why in table.skipped] == ["several choices are a set, no label"]


def test_records_that_nobody_answered_are_refused() -> None:
    with pytest.raises(InputError, match="holds no rating"):
        open_table(json.dumps(FLAT_RECORDS[1:2] * 3).encode(), "flat.json")


@pytest.mark.parametrize(("name", "n", "left"), [("to_json.json", 32, 0), ("to_list_flat.jsonl", 31, 1)])
def test_examples_are_read(name: str, n: int, left: int) -> None:
    path = EXAMPLES / "argilla" / name
    if path.exists():
        table = open_table(str(path))
        assert (table.n_rows, len(table.skipped)) == (n, left)
        assert set(table.data["role"].to_pylist()) == {"human", "judge"}

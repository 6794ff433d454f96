"""Feedback of LangSmith, and its tables of experiments."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose
from tests.readers.formats import assert_expected, examples, rated


def feedback(key: str = "ok", kind: str = "app", **fields: object) -> dict[str, object]:
    source = {"type": kind, "metadata": fields.pop("metadata", {}), "user_id": fields.pop("user", None),
              "user_name": fields.pop("name", None)}  # fmt: skip
    return {
        "id": "f", "created_at": "2026-02-01T09:07:00.5Z", "modified_at": "2026-02-02T09:07:00Z", "run_id": "r1",
        "trace_id": "r1", "key": key, "score": None, "value": None, "comment": None, "correction": None,
        "feedback_source": source, "session_id": "x1", "start_time": None, "feedback_group_id": None,
        "comparative_experiment_id": None, "extra": None,
    } | fields  # fmt: skip


FEEDBACK = [
    feedback(score=1.0, value="Pass", user="u1", name="ana@x.org", comment="good"),
    feedback(score=True, user="u2"),
    feedback(value="N/A", user="u1", run_id="r2"),
    feedback(
        kind="model", score=0, metadata={"evaluator": "it's", "__run": {"run_id": "q"}}, comment="why", correction={"score": 1}
    ),
    feedback(kind="auto_eval", score=0.5, correction="Fail"),
    feedback(kind="evaluator", value="Fail", error=True, run_id="r2"),
    feedback(kind="evaluator", comment="nothing", run_id="r3"),
    feedback(kind="api", score=1.0),
    feedback(user="u1", comment="only words"),
    feedback("note", user="u1", comment="nice"),
    feedback(score=1.0, feedback_group_id="g"),
    feedback(value={"a": 1}, user="u1"),
    feedback(score=1.0, run_id=None, user="u1"),
    feedback(score=1.0, run_id="r4"),
]
JSONL = "\n".join(map(json.dumps, FEEDBACK)).encode()
CSV = pd.DataFrame(FEEDBACK).to_csv(index=False).encode()
SAMPLES = {"feedback.jsonl": JSONL, "feedback.json": json.dumps(FEEDBACK[:5]).encode(), "feedback.csv": CSV}
EXPECTED = [
    ("r1", "ok", "ana@x.org", "human", "Pass", "1", "2026-02-01T09:07:00Z", "good", "ok"),
    ("r1", "ok", "u2", "human", "true", "", "2026-02-01T09:07:00Z", "", "ok"),
    ("r2", "ok", "ana@x.org", "human", "N/A", "", "2026-02-01T09:07:00Z", "", "abstain"),
    ("r1", "ok", "it's", "judge", "", "0", "2026-02-01T09:07:00Z", "why", "ok"),
    ("r1", "ok", "judge", "judge", "", "0.5", "2026-02-01T09:07:00Z", "", "ok"),
    ("r2", "ok", "judge", "judge", "judge call failed", "", "2026-02-01T09:07:00Z", "", "error"),
    ("r3", "ok", "judge", "judge", "judge call failed", "", "2026-02-01T09:07:00Z", "nothing", "error"),
    ("r1", "ok", "api", "api", "", "1", "2026-02-01T09:07:00Z", "", "ok"),
    ("r4", "ok", "human", "human", "", "1", "2026-02-01T09:07:00Z", "", "ok"),
    ("r1", "ok", "human", "human", "", "1", "2026-02-01T09:07:00Z", "", "ok"),
    ("r1", "ok", "human", "human", "Fail", "", "2026-02-01T09:07:00Z", "", "ok"),
]
LEFT = [
    "a comment without score or value", "a note, no rating", "a comparison of two runs, no rating of one",
    "several categories, no single label", "feedback on no run",
]  # fmt: skip


@pytest.mark.parametrize("data", [JSONL, CSV], ids=["JSONL", "CSV"])
def test_feedback_is_ratings_with_their_reasons(data: bytes) -> None:
    table = open_table(data, "feedback")
    assert [(*row[:5], row[5].removesuffix(".0"), *row[6:]) for row in rated(table)] == EXPECTED
    assert [why for _, why in table.skipped] == LEFT
    assert set(table.data["run"].to_pylist()) == {"x1"}
    assert table.notes == (
        "A correction of a judge’s feedback is a rating of its own, by ‘human’: the file does not say by whom.",
        "The file does not say who annotated: all people are one rater, ‘human’.",
    )


def test_a_frame_is_read_as_its_csv_is() -> None:
    assert rated(open_table(pd.DataFrame(FEEDBACK)))[:3] == EXPECTED[:3]


def test_who_gave_feedback_by_the_interface_is_asked() -> None:
    doubts = propose(open_table(JSONL, "feedback.jsonl")).doubts
    assert any("‘api’ in row 8, column ‘role’, is neither human nor judge" in doubt.sentence for doubt in doubts)
    unknown = [feedback(score=1), feedback(score=1) | {"feedback_source": None}]
    assert open_table(json.dumps(unknown).encode()).data["role"].to_pylist() == ["human", "unknown"]


def test_a_person_named_once_is_one_rater() -> None:
    data = [feedback(score=1, user="u1"), feedback(score=0, user="u1", name="Ana", run_id="r2")]
    assert open_table(json.dumps(data).encode()).data["rater"].to_pylist() == ["Ana", "Ana"]


AVERAGED = b"""example_id,reference.answer,input.q,outputs.answer,execution_time,error,id,feedback.ok
e1,a,b,c,0.5,,r1,0.5
e2,a,b,c,0.5,,r2,1
"""


def test_averages_over_raters_are_refused_and_a_table_of_one_run_is_asked_about() -> None:
    with pytest.raises(metrics.InputError, match=r"is LangSmith’s table of test results\. Its feedback is the average over all"):
        metrics.read(AVERAGED)
    single = AVERAGED.replace(b"input.q", b"inputs.q")
    doubts = [doubt.sentence for doubt in propose(open_table(single)).doubts]
    assert any("feedback.ok" in doubt for doubt in doubts)


@pytest.mark.parametrize("path", examples("langsmith"))
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)

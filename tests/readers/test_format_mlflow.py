"""Assessments of MLflow's traces, in every shape in which traces are saved."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from metrics import InputError
from metrics.readers import open_table
from tests.readers.formats import assert_expected, examples, rated


def assessment(name: str, kind: str, who: str | None, number: int, **fields: Any) -> dict[str, Any]:
    value = fields.pop("value", None)
    return {
        "assessment_id": f"a{number}", "assessment_name": name, "trace_id": "t1",
        "source": {"source_type": kind, "source_id": who}, "create_time": "2026-02-01T09:07:00.25Z",
        "last_update_time": "2026-02-03T09:07:00Z", "feedback": {"value": value}, "valid": True,
    } | fields  # fmt: skip


SCORER = {
    f"mlflow.assessment.{key}": cell for key, cell in (("sourceRunId", "run1"), ("scorerName", "Ok"), ("scorerVersion", "3"))
}
FAILED = {"value": None, "error": {"error_code": "E", "error_message": "rate limit"}}
ASSESSMENTS = [
    assessment("ok", "LLM_JUDGE", "judge-a", 1, value="yes", rationale='It\'s "so"', metadata=SCORER, valid=False),
    assessment("ok", "HUMAN", "ana@x.org", 2, value=False, rationale="read it", overrides="a1"),
    assessment("ok", "HUMAN", "ben@x.org", 3, value=True, valid=False),
    assessment("ok", "HUMAN", "ben@x.org", 4, value="n/a", overrides="a3"),
    assessment("tone", "AI_JUDGE", "default", 5, value=3.0),
    assessment("tone", "HUMAN", "default", 6, value=4),
    assessment("rubric", "LLM_JUDGE", "judge-a", 7, value={"polite": "yes", "right": True, "tags": ["x"]}),
    assessment("tags", "HUMAN", "ana@x.org", 8, value=["x"]),
    assessment("ok", "LLM_JUDGE", "judge-b", 9, feedback=FAILED),
    assessment("ok", "LLM_JUDGE", "judge-c", 10, feedback={}),
    assessment("ok", "HUMAN", "cem", 11),
    assessment("short", "CODE", "default", 12, value=True),
    assessment("ok", "HUMAN", "ana@x.org", 13, value=True, span_id="s1"),
    {key: cell for key, cell in assessment("best", "HUMAN", "ana", 14).items() if key != "feedback"}
    | {"expectation": {"value": "x"}},
]
INFO = {
    "trace_id": "t1", "state": "OK", "request_preview": "q", "tags": {"item": "i1"}, "assessments": ASSESSMENTS,
    "trace_location": {"type": "MLFLOW_EXPERIMENT"},
}  # fmt: skip
TRACE = {"info": INFO, "data": {"spans": [{"name": "long"}]}}
ROW = {
    "trace_id": "t1", "trace": json.dumps(TRACE), "client_request_id": None, "state": "OK", "request_time": 1770000060000,
    "request": {"question": "it's"}, "response": "r", "tags": {"item": "i1"}, "spans": [], "assessments": ASSESSMENTS,
}  # fmt: skip
OTHER = json.loads(json.dumps(ROW).replace("t1", "t2"))
FRAME = pd.DataFrame([ROW, OTHER])
SAMPLES = {
    "traces.csv": FRAME.to_csv(index=False).encode(),
    "traces.json": json.dumps([ROW, OTHER]).encode(),
    "one.json": json.dumps(TRACE).encode(),
    "trace.jsonl": b"\n".join(json.dumps(trace).encode() for trace in (TRACE, TRACE | {"info": INFO | {"trace_id": "t2"}})),
    "page.json": json.dumps({"traces": [INFO], "next_page_token": "x"}).encode(),
}
SAME = {
    **SAMPLES,
    "without the trace.csv": FRAME.drop(columns="trace").to_csv(index=False).encode(),
    "line.jsonl": json.dumps(ROW).encode(),
}
WHEN = "2026-02-01T09:07:00Z"
COLUMNS = ("item", "criterion", "rater", "role", "label", "score", "timestamp", "prompt", "run", "reason", "status")
EXPECTED = [
    ("t1", "ok", "judge-a", "judge", "yes", "", WHEN, "Ok@3", "run1", 'It\'s "so"', "ok"),
    ("t1", "ok", "ana@x.org", "human", "false", "", WHEN, "", "", "read it", "ok"),
    ("t1", "ok", "ben@x.org", "human", "n/a", "", WHEN, "", "", "", "abstain"),
    ("t1", "tone", "judge", "judge", "", "3", WHEN, "", "", "", "ok"),
    ("t1", "tone", "human", "human", "", "4", WHEN, "", "", "", "ok"),
    ("t1", "rubric.polite", "judge-a", "judge", "yes", "", WHEN, "", "", "", "ok"),
    ("t1", "rubric.right", "judge-a", "judge", "true", "", WHEN, "", "", "", "ok"),
    ("t1", "ok", "judge-b", "judge", "judge call failed", "", WHEN, "", "", "rate limit", "error"),
    ("t1", "ok", "judge-c", "judge", "judge call failed", "", WHEN, "", "", "", "error"),
    ("t1", "short", "code", "code", "true", "", WHEN, "", "", "", "ok"),
    ("t1/s1", "ok", "ana@x.org", "human", "true", "", WHEN, "", "", "", "ok"),
]
LEFT = [
    "overridden by its own rater", "a list, no single label", "a list, no single label", "neither label nor number",
    "an expectation or an issue, no rating",
]  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_assessments_are_ratings_in_every_shape(name: str) -> None:
    table = open_table(SAME[name], name)
    assert rated(table, COLUMNS)[: len(EXPECTED)] == EXPECTED
    assert [why for _, why in table.skipped][: len(LEFT)] == LEFT
    assert table.notes == (
        "Ratings that somebody else overrode stay: they are the disagreement.",
        "The file does not say who annotated: all people are one rater, ‘human’.",
    )
    assert table.data["tags.item"][0].as_py() == "i1"
    assert not {"trace", "spans", "assessments", "data"} & set(table.columns)


def test_inputs_ride_along() -> None:
    for name in ("traces.csv", "traces.json"):
        assert open_table(SAMPLES[name], name).data["request.question"][0].as_py() == "it's"


def test_a_frame_is_read_as_its_csv_is() -> None:
    assert rated(open_table(FRAME), COLUMNS) == rated(open_table(SAMPLES["traces.csv"], "traces.csv"), COLUMNS)


def test_a_trace_that_cannot_be_read_is_counted() -> None:
    broken = FRAME.astype(object)
    broken.loc[1, ["trace", "assessments"]] = ["{cut", "[{'assessment_id': "]
    table = open_table(broken.to_csv(index=False).encode(), "traces.csv")
    assert [why for _, why in table.skipped] == [*LEFT, "a trace that cannot be read"]


def test_traces_without_feedback_are_refused_with_what_they_hold() -> None:
    data = json.dumps({"info": INFO | {"assessments": ASSESSMENTS[-1:]}, "data": {}}).encode()
    with pytest.raises(InputError, match=r"one\.json holds no rating: an expectation or an issue"):
        open_table(data, "one.json")


def test_code_in_a_cell_is_never_run() -> None:
    cell = "[{'assessment_name': __import__('os').getpid(), 'source': {}, 'feedback': {'value': 1}}]"
    with pytest.raises(InputError, match="cannot be read"):
        open_table(pd.DataFrame([{"trace_id": "t", "assessments": cell}]).to_csv(index=False).encode(), "a.csv")


@pytest.mark.parametrize("path", examples("mlflow"))
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)

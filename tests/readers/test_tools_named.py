"""A file of a known tool that holds no decision is named, with what to export or to make instead; others are read."""

from __future__ import annotations

import json

import pytest

import metrics
from metrics.readers import open_table, propose
from tests.shared_data import shared

RECORDS = [{"name": "tone", "value": "yes"}, {"name": "tone", "value": "no"}]
TRACE = {"id": "t1", "timestamp": "2026-01-01", "name": "chat", "userId": "u", "sessionId": "s", "release": None, "version": None}
STEP = {"id": "o1", "traceId": "t1", "startTime": "2026-01-01", "endTime": "2026-01-01", "completionStartTime": None}
TASK = {"id": 1, "data": {"text": "a"}, "annotations": [{"result": RECORDS}], "total_annotations": 1}
TOOLS = {
    "Langfuse’s export of traces": ([{**TRACE, "bookmarked": False, "tone": ["1"]}], "Export the table Scores"),
    "Langfuse’s export of observations": ([{**STEP, "tone": ["1"]}], "Export the table Scores"),
    "Label Studio’s export as JSON": ([TASK, {**TASK, "id": 2}], "Export JSON there, or CSV"),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_known_tool_is_named_with_what_to_make_instead(tool: str) -> None:
    written, instead = TOOLS[tool]
    with pytest.raises(metrics.InputError) as refused:
        metrics.read(json.dumps(written).encode())
    assert f" is {tool}. " in str(refused.value)
    assert instead in str(refused.value)


def test_as_csv_the_lists_are_known_too() -> None:
    head, cells = (
        "id,data,annotations,predictions",
        """1,{'text': 'a'},"[{'result': 1}]",[]\n2,{'text': 'b'},"[{'result': 2}]",[]""",
    )
    with pytest.raises(metrics.InputError, match="Label Studio"):
        metrics.read(f"{head}\n{cells}\n".encode())


PROMPTFOO = """question,[m] {{question}},Status,Score,Named Scores,Metric: tone,Grader Reason,Comment
a,x,PASS,1.00,"{""tone"": 1.0}",1.00,All assertions passed,
b,y,FAIL,0.00,"{""tone"": 0.0}",0.00,Manual result,
c,z,ERROR,0.00,{},,,
"""


def test_the_table_of_promptfoo_holds_one_verdict_of_two() -> None:
    with pytest.raises(metrics.InputError, match="is promptfoo’s result as CSV") as refused:
        propose(open_table(PROMPTFOO.encode()))
    assert "human and judge cannot be told apart. Export JSON instead" in str(refused.value)
    with_people = PROMPTFOO.replace("Comment\n", "human\n").replace(",\n", ",PASS\n")
    assert ("human", "human") in propose(open_table(with_people.encode()), {"verdict": "Status"}).columns
    assert "Status" in [column for _, column in propose(open_table(with_people.encode())).columns]
    columns = {"item": "question", "human": "Comment", "verdict": "Status"}
    said = PROMPTFOO.replace("passed,", "passed,PASS").replace("Manual result,", "Manual result,PASS")
    assert metrics.read(said.encode(), columns=columns).n_items == 3


@pytest.mark.parametrize(
    "text",
    [
        "id,data,annotations\nq1,a,yes\nq2,b,no\nq3,c,yes\n",
        "trace_id,assessments,judge_label\nq1,yes,yes\nq2,no,no\nq3,yes,no\n",
        "id,traceId,timestamp,source,name,dataType,value,stringValue\n1,t1,2026,EVAL,tone,CATEGORICAL,0,yes\n"
        "2,t1,2026,ANNOTATION,tone,CATEGORICAL,0,no\n",
    ],
    ids=["columns of these names", "labels in the column", "the table of scores"],
)
def test_a_table_of_decisions_is_read_whatever_its_columns_are_called(text: str) -> None:
    assert propose(open_table(text.encode())).columns


def test_stated_columns_are_taken_as_stated() -> None:
    written = [{**TRACE, "id": f"t{n}", "bookmarked": False, "mine": "yes", "its": "no" if n else "yes"} for n in range(3)]
    ratings = metrics.read(json.dumps(written).encode(), columns={"item": "id", "human": "mine", "verdict": "its"})
    assert ratings.n_items == 3


ASSESSED = [{"assessment_name": "tone", "source": {"source_type": "HUMAN", "source_id": "ana"}, "feedback": {"value": "yes"}}]
READ = {
    "MLflow’s records of traces": [{"trace_id": "t1", "trace": "{}", "assessments": ASSESSED}],
    "a trace of MLflow": {"info": {"trace_id": "t1", "assessments": ASSESSED}, "data": {"spans": []}},
    "Opik’s records of traces or spans": [{"id": "t1", "feedback_scores": RECORDS}],
}


@pytest.mark.parametrize("what", READ)
def test_verdicts_inside_records_are_read(what: str) -> None:
    table = open_table(json.dumps(READ[what]).encode())
    assert table.format == what
    assert set(table.data["criterion"].to_pylist()) == {"tone"}


def test_the_table_of_mlflow_is_read() -> None:
    assert open_table(shared("formats/examples/mlflow/search_traces.csv")).format == "MLflow’s table of traces"

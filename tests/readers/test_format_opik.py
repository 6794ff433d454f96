"""Annotation queues, traces and spans of Opik."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from metrics.readers import open_table, propose
from tests.readers.formats import rated

WHEN = "2026-02-01T09:07:00Z"
QUEUE_CSV = b"""id,input,output,metadata,ana.b@x.org.tone,ana.b@x.org.tone.reason,ana.b@x.org.comment,metadata.a.b,ben.tone,\
ben.v1.ok,ben.comment
t1,q,undefined,{},1,fine,seen,null,null,null,null
t2,"q,x",y,"{""a"":{""b"":1}}",null,null,null,1,0.5,0,so so
t3,z,y,{},null,null,null,null,null,null,only words
"""
QUEUE = [
    {"id": "t1", "input": {"q": "a"}, "output": "b", "metadata": {}, "ana.b@x.org": {"tone": 1, "tone.reason": "fine",
                                                                                  "comment": "seen"}},
    {"id": "t2", "input": {"q": "a"}, "output": "b", "metadata": {"m": 1}, "ben": {"tone": 0.5, "v1.ok": 0, "comment": "so so"}},
    {"id": "t3", "input": {"q": "a"}, "output": "b", "metadata": {}, "ben": {"comment": "only words"}},
]  # fmt: skip
THREADS = [{"id": "h1", "first_message": "a", "last_message": "b", "ana": {"tone": 1}}]
SCORES: list[dict[str, Any]] = [
    {
        "name": "ok", "value": 0.666, "source": "ui", "reason": "fine, <no reason>", "category_name": "Pass, Fail",
        "value_by_author": {
            "ana": {"value": 1, "category_name": "Pass", "reason": "fine", "source": "ui", "last_updated_at": WHEN},
            "admin": {"value": 0, "reason": "<no reason>", "source": "online_scoring", "evaluator_revision": "r3"},
            "ben_s7": {"value": 1, "source": "ui", "span_id": "s7"},
            "key": {"value": 1, "source": "sdk"},
            "cem": {"source": "ui"},
        },
    },
    {"name": "tone", "value": 0.8, "source": "sdk", "created_by": "key"},
    {"name": "tone", "value": 0.9, "source": "ui", "last_updated_by": "ana"},
]  # fmt: skip
TRACE = {"id": "t1", "name": "chat", "input": {"q": "a"}, "tags": ["x"], "comments": [], "feedback_scores": SCORES}
BARE = {"id": "t2", "name": "chat", "input": {"q": "b"}, "tags": [], "comments": None, "feedback_scores": None}
INNER = TRACE | {"span_feedback_scores": SCORES[:1]}
SAMPLES = {
    "queue.csv": QUEUE_CSV,
    "queue.json": json.dumps(QUEUE).encode(),
    "threads.json": json.dumps(THREADS).encode(),
    "traces.json": json.dumps([TRACE, BARE]).encode(),
    "page.json": json.dumps({"page": 1, "size": 2, "content": [TRACE, BARE]}).encode(),
    "traces.csv": pd.DataFrame([TRACE, BARE]).to_csv(index=False).encode(),
}
RATINGS = [
    ("t1", "ok", "ana", "human", "Pass", "1", "2026-02-01T09:07:00Z", "", "fine", "ok"),
    ("t1", "ok", "judge", "judge", "", "0", "", "r3", "", "ok"),
    ("t1", "ok", "ben", "human", "", "1", "", "", "", "ok"),
    ("t1", "ok", "sdk", "sdk", "", "1", "", "", "", "ok"),
    ("t1", "tone", "sdk", "sdk", "", "0.8", "", "", "", "ok"),
    ("t1", "tone", "ana", "human", "", "0.9", "", "", "", "ok"),
]
COLUMNS = ("item", "criterion", "rater", "role", "label", "score", "timestamp", "prompt", "reason", "status")


@pytest.mark.parametrize("name", ["queue.csv", "queue.json"])
def test_a_queue_has_a_column_for_each_reviewer_and_score(name: str) -> None:
    table = open_table(SAMPLES[name], name)
    assert rated(table, COLUMNS) == [
        ("t1", "tone", "ana.b@x.org", "human", "", "1", "", "", "fine", "ok"),
        ("t2", "tone", "ben", "human", "", "0.5", "", "", "so so", "ok"),
        ("t2", "v1.ok", "ben", "human", "", "0", "", "", "so so", "ok"),
    ]
    assert [why for _, why in table.skipped] == ["a comment without a score"]
    assert any(column.startswith("input") for column in table.columns)


def test_a_queue_of_threads_is_one_too() -> None:
    assert rated(open_table(SAMPLES["threads.json"], "threads.json"), COLUMNS[:6]) == [("h1", "tone", "ana", "human", "", "1")]


@pytest.mark.parametrize(
    "data",
    [
        b"id,input,output,metadata,model.name\n1,a,b,{},gpt\n2,a,b,{},gpt\n",
        b"id,input,output,metadata,scores.ok\n1,a,b,{},1\n2,a,b,{},0\n",
        b"id,input,output,metadata,ana.ok,label\n1,a,b,{},1,x\n2,a,b,{},0,y\n",
        b"id,input,output,metadata,ana.ok\n1,a,b,{},yes\n2,a,b,{},no\n",
    ],
    ids=["a record of no person", "scores", "another column", "words"],
)
def test_logs_of_other_tools_are_no_queue(data: bytes) -> None:
    assert not open_table(data).format


@pytest.mark.parametrize("name", ["traces.json", "page.json", "traces.csv"])
def test_every_author_is_a_rater_and_the_mean_is_never_read(name: str) -> None:
    table = open_table(SAMPLES[name], name)
    assert rated(table, COLUMNS) == RATINGS
    assert [why for _, why in table.skipped] == ["neither category nor value"]
    assert any("‘sdk’" in doubt.sentence for doubt in propose(table).doubts)


def test_a_trace_is_read_with_its_spans() -> None:
    whole = {"trace": INNER, "spans": [TRACE | {"id": "s1"}], "downloaded_at": "2026"}
    table = open_table(json.dumps(whole).encode(), "trace.json")
    assert rated(table, COLUMNS) == RATINGS + [("s1", *row[1:]) for row in RATINGS]
    alone = open_table(json.dumps([INNER]).encode(), "traces.json")
    assert [why for _, why in alone.skipped] == ["a score of a span: the export of spans holds it", "neither category nor value"]


def test_items_of_an_experiment_are_their_traces() -> None:
    whole = {"experiment": {"id": "e"}, "items": [{"id": "i1", "trace_id": "t1", "feedback_scores": SCORES}]}
    assert rated(open_table(json.dumps(whole).encode(), "experiment.json"), COLUMNS) == RATINGS


def test_times_in_python_s_spelling_are_times() -> None:
    scores = str(SCORES[:1]).replace(f"'{WHEN}'", "datetime.datetime(2026, 2, 1, 9, 7, tzinfo=TzInfo(UTC))")
    data = pd.DataFrame([{"id": "t1", "feedback_scores": scores}]).to_csv(index=False).encode()
    assert rated(open_table(data, "traces.csv"), COLUMNS) == RATINGS[:4]

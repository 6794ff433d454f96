"""Langfuse's table of scores."""

from __future__ import annotations

import pytest

from metrics import InputError
from metrics.readers import open_table
from tests.readers.formats import assert_expected, examples, rated

CSV = b'''"id","traceId","sessionId","datasetRunId","timestamp","source","name","dataType","value","stringValue","comment",\
"metadata","observationId","traceName","userId","traceTags","environment","authorUserName"
"1","t1","","","""2026-02-01T09:07:00.000Z""","ANNOTATION","ok","BOOLEAN","1","","fine","{}","","","u9","[]","","Ana"
"2","t1","","","""2026-02-01T09:08:00.000Z""","EVAL","ok","BOOLEAN","0","False","too short","{}","","","u9","[]","",""
"3","t1","","","","API","ok","BOOLEAN","1","True","","{}","","","u9","[]","",""
"4","t1","","","","EVAL","tone","CATEGORICAL","0","warm","","{}","o7","","u9","[]","",""
"5","t1","","","","EVAL","length","NUMERIC","0.5","","","{}","","","u9","[]","",""
"6","t1","","","","ANNOTATION","fix","CORRECTION","","Better so","","{}","","","u9","[]","","Ana"
'''
V3 = b"""{"data": [
{"id": "1", "name": "ok", "dataType": "BOOLEAN", "source": "EVAL", "value": true, "timestamp": "2026-02-01T09:07:00.000Z",
 "subject": {"kind": "observation", "id": "o1", "traceId": "t1"}},
{"id": "2", "name": "ok", "dataType": "BOOLEAN", "source": "ANNOTATION", "value": false, "authorUserId": "u1",
 "subject": {"kind": "trace", "id": "t1"}}], "meta": {"page": 1}}"""
SAMPLES = {"scores.csv": CSV, "scores_v3.json": V3}


def test_scores_are_ratings_with_their_reasons() -> None:
    table = open_table(CSV, "scores.csv")
    assert rated(table) == [
        ("t1", "ok", "Ana", "human", "True", "1", "2026-02-01T09:07:00Z", "fine", "ok"),
        ("t1", "ok", "judge", "judge", "False", "0", "2026-02-01T09:08:00Z", "too short", "ok"),
        ("t1", "ok", "api", "api", "True", "1", "", "", "ok"),
        ("t1/o7", "tone", "judge", "judge", "warm", "", "", "", "ok"),
        ("t1", "length", "judge", "judge", "", "0.5", "", "", "ok"),
    ]
    assert [why for _, why in table.skipped] == ["a text or a correction, no rating"]
    assert "userId" in table.columns, "columns of the tool ride along"


def test_the_newest_interface_names_what_was_scored() -> None:
    assert rated(open_table(V3, "scores.json")) == [
        ("t1/o1", "ok", "judge", "judge", "true", "", "2026-02-01T09:07:00Z", "", "ok"),
        ("t1", "ok", "u1", "human", "false", "", "", "", "ok"),
    ]


def test_categories_without_names_are_refused() -> None:
    data = b'[{"id": "1", "traceId": "t", "name": "tone", "source": "EVAL", "dataType": "CATEGORICAL", "value": 0}]'
    with pytest.raises(InputError, match="Export the table Scores"):
        open_table(data, "trace.json")


@pytest.mark.parametrize("path", examples("langfuse"))
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)

"""Annotations and experiments of Arize Phoenix."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose
from tests.readers.formats import assert_expected, examples, rated

CSV = b"""span_id,annotation_name,annotator_kind,metadata,identifier,id,created_at,updated_at,source,user_id,result.label,\
result.score,result.explanation
s1,tone,HUMAN,{},px-app:u1,a1,2026-02-01T09:00:00+00:00,2026-02-01T09:07:00+01:00,APP,u1,warm,1.0,
s1,tone,HUMAN,{},px-app:u2,a2,2026-02-01T09:00:00+00:00,2026-02-01T09:00:00+00:00,APP,,N/A,,no text
s1,tone,LLM,"{'model': 'm', 'prompt_version': 'v3', 'note': \\"it's\\"}",judge-a,a3,,2026-02-01T09:00:00+00:00,API,,cold,0.0,"one
two"
s1,tone,CODE,{},regex,a4,,,API,,warm,1.0,
s2,tone,LLM,{'prompt_version': None},,a5,,,API,,,,
s2,tone,LLM,{},judge-a,a6,,,API,,NOT_PARSABLE,,
s2,tone,HUMAN,{},,a7,,,APP,,,4.0,
s2,tone,HUMAN,{},,a8,,,APP,,,,only words
s2,note,HUMAN,{},,a9,,,APP,,remember,,
""".replace(b'\\"', b'""')
REST = b"""{"data": [
{"span_id": "s1", "name": "tone", "annotator_kind": "LLM", "result": {"label": "cold", "score": 0.5, "explanation": "why"},
 "metadata": {"prompt_version": "v3"}, "identifier": "judge-a", "id": "a", "created_at": "2026-02-01T09:00:00+00:00",
 "updated_at": "2026-02-01T09:07:00+00:00", "source": "API", "user_id": null},
{"span_id": "s1", "name": "tone", "annotator_kind": "HUMAN", "result": {"label": "warm", "score": null, "explanation": null},
 "metadata": {}, "identifier": "", "id": "b", "created_at": "", "updated_at": "", "source": "APP", "user_id": "u1"}],
"next_cursor": null}"""
UPLOADED = b"""span_id,name,annotator_kind,label,score,explanation
s1,tone,HUMAN,warm,1,because
s1,tone,LLM,cold,0,
"""
HEAD = "label score explanation metadata annotator_kind trace_id error start_time end_time".split()
EXPERIMENT_CSV = "\n".join([
    ",".join(["example_id,repetition_number,input,output,error", *(f"annotation_is_{who}_{part}" for who in ("ok_human", "ok_llm")
                                                                   for part in HEAD)]),
    'e1,1,"{""q"": ""a""}",x,,yes,1.0,sure,{},HUMAN,,,2026-02-01T09:00:00+00:00,2026-02-01T09:00:01+00:00,no,0.0,,'
    '"{""prompt_version"": ""v2""}",LLM,,,,2026-02-01T09:00:02+00:00',
    "e1,2,{},y,,,,,,,,,,,,,,{},LLM,,rate limit,,",
]).encode()  # fmt: skip
RUN = {"example_id": "e1", "repetition_number": 1, "input": {"q": "a"}, "output": "x", "error": None}
ANNOTATION = {
    "name": "ok", "annotator_kind": "LLM", "label": "no", "score": 0.0, "explanation": "why", "trace_id": None, "error": None,
    "metadata": {"prompt_version": "v2"}, "start_time": "2026-02-01T09:00:00+00:00", "end_time": "2026-02-01T09:00:01+00:00",
}  # fmt: skip
PERSON = ANNOTATION | {"annotator_kind": "HUMAN", "label": None, "score": None}
RUNS = [
    RUN | {"annotations": [ANNOTATION, PERSON, PERSON | {"score": 1}]},
    RUN | {"repetition_number": 2, "annotations": [ANNOTATION | {"error": "rate limit", "explanation": None}]},
]
EXPERIMENT_JSON = json.dumps(RUNS).encode()
SAMPLES = {
    "annotations.csv": CSV, "rest.json": REST, "uploaded.csv": UPLOADED, "experiment.csv": EXPERIMENT_CSV,
    "experiment.json": EXPERIMENT_JSON,
}  # fmt: skip
COLUMNS = ("item", "criterion", "rater", "role", "label", "score", "timestamp", "prompt", "reason", "status")


def test_annotations_are_ratings_with_their_reasons() -> None:
    table = open_table(CSV, "annotations.csv")
    assert rated(table, COLUMNS) == [
        ("s1", "tone", "u1", "human", "warm", "1.0", "2026-02-01T08:07:00Z", "", "", "ok"),
        ("s1", "tone", "u2", "human", "N/A", "", "2026-02-01T09:00:00Z", "", "no text", "abstain"),
        ("s1", "tone", "judge-a", "judge", "cold", "0.0", "2026-02-01T09:00:00Z", "v3", "one\ntwo", "ok"),
        ("s1", "tone", "regex", "code", "warm", "1.0", "", "", "", "ok"),
        ("s2", "tone", "llm", "judge", "judge call failed", "", "", "", "", "error"),
        ("s2", "tone", "judge-a", "judge", "NOT_PARSABLE", "", "", "", "", "error"),
        ("s2", "tone", "human", "human", "", "4.0", "", "", "", "ok"),
    ]
    assert [why for _, why in table.skipped] == ["neither label nor score", "a note, no rating"]
    assert table.notes == ("The file does not say who annotated: all people are one rater, ‘human’.",)
    assert {"identifier", "metadata"} <= set(table.columns)


def test_the_list_of_the_interface_is_the_same_table() -> None:
    assert rated(open_table(REST, "rest.json"), COLUMNS) == [
        ("s1", "tone", "judge-a", "judge", "cold", "0.5", "2026-02-01T09:07:00Z", "v3", "why", "ok"),
        ("s1", "tone", "u1", "human", "warm", "", "", "", "", "ok"),
    ]


def test_the_frame_is_read_with_its_index() -> None:
    frame = pd.DataFrame(json.loads(REST)["data"]).rename(columns={"name": "annotation_name"})
    nested = frame.pop("result")
    frame[["result.label", "result.score", "result.explanation"]] = pd.DataFrame(nested.tolist())
    assert rated(open_table(frame.set_index("span_id")), COLUMNS) == rated(open_table(REST, "rest.json"), COLUMNS)


def test_annotations_as_uploaded_may_lack_name_or_kind() -> None:
    assert rated(open_table(UPLOADED)) == [
        ("s1", "tone", "human", "human", "warm", "1", "", "because", "ok"),
        ("s1", "tone", "llm", "judge", "cold", "0", "", "", "ok"),
    ]
    nameless = open_table(b"span_id,annotator_kind,label\ns1,HUMAN,yes\ns1,LLM,no\n")
    assert set(nameless.data["criterion"].to_pylist()) == {"overall"}
    unkind = open_table(b"span_id,name,label,score,explanation\ns1,tone,yes,1,\ns2,tone,no,0,\n")
    assert set(unkind.data["role"].to_pylist()) == {"unknown"}
    assert "‘unknown’" in propose(unkind).doubts[0].sentence


def test_documents_and_traces_are_items_too() -> None:
    table = open_table(b"span_id,document_position,name,annotator_kind,label\ns1,0,ok,LLM,yes\ns1,,ok,LLM,no\n")
    assert table.data["item"].to_pylist() == ["s1/0", "s1"]
    assert open_table(b"trace_id,name,annotator_kind,label\nt1,ok,LLM,yes\n").data["item"].to_pylist() == ["t1"]


def test_an_experiment_has_names_that_hold_underscores_and_say_who_annotated() -> None:
    table = open_table(EXPERIMENT_CSV, "experiment.csv")
    assert rated(table, COLUMNS) == [
        ("e1/1", "is_ok", "human", "human", "yes", "1.0", "2026-02-01T09:00:01Z", "", "sure", "ok"),
        ("e1/1", "is_ok", "llm", "judge", "no", "0.0", "2026-02-01T09:00:02Z", "v2", "", "ok"),
        ("e1/2", "is_ok", "llm", "judge", "judge call failed", "", "", "", "rate limit", "error"),
    ]
    assert table.notes == ("‘is_ok_human’ and ‘is_ok_llm’ are one criterion, ‘is_ok’.",)
    assert table.columns[-5:] == ("example_id", "repetition_number", "input", "output", "error")
    assert metrics.read(EXPERIMENT_CSV).n_items == 2


def test_the_runs_of_an_experiment_are_read_from_json_too() -> None:
    table = open_table(EXPERIMENT_JSON, "experiment.json")
    assert rated(table, COLUMNS) == [
        ("e1/1", "ok", "llm", "judge", "no", "0", "2026-02-01T09:00:01Z", "v2", "why", "ok"),
        ("e1/1", "ok", "human", "human", "", "1", "2026-02-01T09:00:01Z", "v2", "why", "ok"),
        ("e1/2", "ok", "llm", "judge", "judge call failed", "", "2026-02-01T09:00:01Z", "v2", "rate limit", "error"),
    ]
    assert [why for _, why in table.skipped] == ["neither label nor score"]
    assert table.data["input.q"].to_pylist() == ["a"] * 3


def test_names_of_one_role_stay_apart() -> None:
    runs = [RUN | {"annotations": [ANNOTATION | {"name": "ok_llm"}, PERSON | {"name": "kind_human", "score": 1}]}]
    table = open_table(json.dumps(runs).encode())
    assert table.data["criterion"].to_pylist() == ["ok_llm", "kind_human"]
    assert not table.notes


@pytest.mark.parametrize("path", examples("phoenix"))
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)

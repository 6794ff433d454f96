"""Tables with columns for each reviewer: Datadog, Open Chat Studio, Arize AX."""

from __future__ import annotations

import json

import pytest

from metrics import InputError
from metrics.readers import open_table, propose
from metrics.readers.formats.reviewers import split_names
from tests.readers.formats import rated

DATADOG = b"""Content ID,Type,Input,Output,Alice_Johnson_quality,Alice_Johnson_quality_assessment,\
Alice_Johnson_quality_reasoning,Alice_Johnson_failure_type,Bob_Smith_quality,Bob_Smith_quality_assessment,Bob_Smith_quality_reasoning,Bob_Smith_failure_type
t1,trace,Where?,There.,4,pass,Fine.,"[""refusal""]",2,fail,"Too
short.","[""refusal"",""format""]"
t2,trace,When?,Now.,5,pass,,,,,,
"""
STUDIO = b"""item_id,item_type,session_id,flagged,flags,field,authoritative_annotator,annotated_at,ana@example.org,ben@example.org
7,session,s1,False,[],tone,ana@example.org,2026-07-15T13:17:02+00:00,friendly,n/a
7,session,s1,False,[],score,ana@example.org,2026-07-15T13:17:02+00:00,4,'-1
7,session,s1,False,[],notes,ana@example.org,2026-07-15T13:17:02+00:00,"Well, done.",
8,session,s2,True,[],,,,,
9,session,s3,False,[],tone,,2026-07-15T13:17:02+00:00,,cold
"""
STUDIO_LINES = b"""{"item_id": 7, "item_type": "session", "session_id": "s1", "flagged": false, "flags": [], \
"authoritative_annotator": "", "annotated_at": "2026-07-15T13:17:02Z", "fields": {"tone": {"ana@example.org": "friendly", \
"ben@example.org": null}, "score": {"ana@example.org": 4}, "notes": {"ana@example.org": "Well."}}}
{"item_id": 8, "item_type": "session", "session_id": "s2", "flagged": true, "flags": [], "authoritative_annotator": "", \
"annotated_at": "", "fields": {"tone": {"ana@example.org": "cold"}}}
"""
ARIZE = b"""context.span_id,attributes.input.value,annotation.quality.label,annotation.quality.score,annotation.quality.text,\
annotation.quality.updated_by,annotation.quality.updated_at,eval.quality.label,eval.quality.score,eval.quality.explanation
s1,Where?,good,1,Fine.,ana@example.org,2026-02-01T10:00:00Z,bad,0,Too short.
s2,When?,bad,,,,,good,1,
s3,Why?,,,,,,,,
"""
SAMPLES = {"datadog.csv": DATADOG, "studio.csv": STUDIO, "studio.jsonl": STUDIO_LINES, "arize.csv": ARIZE}


def test_datadog_names_reviewer_and_label_in_one_column() -> None:
    table = open_table(DATADOG, "datadog.csv")
    assert rated(table) == [
        ("t1", "quality", "Alice Johnson", "human", "", "4", "", "Fine.", "ok"),
        ("t1", "quality_assessment", "Alice Johnson", "human", "pass", "", "", "Fine.", "ok"),
        ("t1", "failure_type", "Alice Johnson", "human", "refusal", "", "", "", "ok"),
        ("t1", "quality", "Bob Smith", "human", "", "2", "", "Too\nshort.", "ok"),
        ("t1", "quality_assessment", "Bob Smith", "human", "fail", "", "", "Too\nshort.", "ok"),
        ("t2", "quality", "Alice Johnson", "human", "", "5", "", "", "ok"),
        ("t2", "quality_assessment", "Alice Johnson", "human", "pass", "", "", "", "ok"),
    ]
    assert [why for _, why in table.skipped] == ["several choices are a set, no label"]
    assert "reviewers Alice Johnson, Bob Smith, as labels quality, failure_type" in table.notes[0]
    assert "Input" in table.columns


@pytest.mark.parametrize(
    ("columns", "splits"),
    [
        ("Ana_Li_ok Ana_Li_tone_of Bob_ok Bob_tone_of", ["Ana Li:ok", "Ana Li:tone_of", "Bob:ok", "Bob:tone_of"]),
        ("Ana_is_ok Ana_is_kind Bob_is_ok Bob_is_kind", ["Ana:is_ok", "Ana:is_kind", "Bob:is_ok", "Bob:is_kind"]),
        ("Ana_Li_failure_type Bob_failure_type", ["Ana Li:failure_type", "Bob:failure_type"]),
        ("Ana_Li_ok Ana_Li_failure_type", ["Ana Li:ok", "Ana Li:failure_type"]),
        ("Ana_Li_failure_type", ["Ana Li:failure_type"]),
        ("Ana_ok", ["Ana:ok"]),
        ("ana@x.org_failure_type", ["ana@x.org:failure_type"]),
        ("Ana_ok Bob_tone Cleo_x", ["Ana:ok", "Bob:tone", "Cleo:x"]),
        ("plain Ana_ok", ["human:plain", "Ana:ok"]),
    ],
)
def test_reviewers_have_the_same_labels(columns: str, splits: list[str]) -> None:
    assert [":".join(split) for split in split_names(columns.split()).values()] == splits


def test_open_chat_studio_has_a_column_for_each_address() -> None:
    table = open_table(STUDIO, "studio.csv")
    assert rated(table) == [
        ("7", "tone", "ana@example.org", "human", "friendly", "", "", "Well, done.", "ok"),
        ("7", "tone", "ben@example.org", "human", "n/a", "", "", "", "abstain"),
        ("7", "score", "ana@example.org", "human", "", "4", "", "Well, done.", "ok"),
        ("7", "score", "ben@example.org", "human", "", "-1", "", "", "ok"),
        ("9", "tone", "ben@example.org", "human", "cold", "", "", "", "ok"),
    ]
    assert table.data["authoritative_annotator"].to_pylist()[0] == "ana@example.org"
    assert rated(open_table(STUDIO_LINES, "studio.jsonl")) == [
        ("7", "tone", "ana@example.org", "human", "friendly", "", "", "Well.", "ok"),
        ("7", "score", "ana@example.org", "human", "", "4", "", "Well.", "ok"),
        ("8", "tone", "ana@example.org", "human", "cold", "", "", "", "ok"),
    ]


def test_arize_has_people_and_evaluators_beside_each_other() -> None:
    table = open_table(ARIZE, "arize.csv")
    assert rated(table) == [
        ("s1", "quality", "ana@example.org", "human", "good", "1", "2026-02-01T10:00:00Z", "Fine.", "ok"),
        ("s1", "quality", "judge", "judge", "bad", "0", "", "Too short.", "ok"),
        ("s2", "quality", "human", "human", "bad", "", "", "", "ok"),
        ("s2", "quality", "judge", "judge", "good", "1", "", "", "ok"),
    ]
    assert table.data["attributes.input.value"].to_pylist()[0] == "Where?"
    assert not propose(table).blocking


def test_flat_json_of_spans_is_the_same() -> None:
    records = [{"context.span_id": "s1", "annotation.ok.label": "yes", "eval.ok.label": "no"}] * 2
    assert {row[3] for row in rated(open_table(json.dumps(records).encode(), "spans.json"))} == {"human", "judge"}


def test_a_queue_that_nobody_answered_is_refused() -> None:
    with pytest.raises(InputError, match="holds no rating"):
        open_table(STUDIO.splitlines()[0] + b"\n8,session,s2,True,[],,,,,\n", "studio.csv")

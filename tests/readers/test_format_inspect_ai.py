"""Inspect's logs: scorers are judges, edits of scores people, epochs runs; as JSON and as its archive."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from typing import Any

import pyarrow as pa
import pytest

from metrics import InputError, read
from metrics.readers import open_table, propose
from metrics.readers.formats import inspect_ai
from tests.readers.formats import assert_expected, examples, rated
from tests.shared_data import shared

GRADED = {"value": "I", "answer": "20 kg", "explanation": "GRADE: I", "metadata": {"grading": []}}
EDIT = {
    "value": "C",
    "answer": "UNCHANGED",
    "explanation": "it is on the page",
    "reason": "UNCHANGED",
    "metadata": "UNCHANGED",
    "provenance": {"timestamp": "2026-02-03T09:00:00Z", "author": "ana", "reason": "misread", "metadata": {}},
}


def sample(name: str, scores: Any, epoch: int = 1, **more: Any) -> dict[str, Any]:
    """Return a sample, as Inspect writes it."""
    output = {"model": "m", "choices": [{"message": {"role": "assistant", "content": f"answer to {name}"}}]}
    return {"id": name, "epoch": epoch, "input": f"question {name}", "target": "x", "output": output, "scores": scores} | more


def log(*samples: dict[str, Any], **of_eval: Any) -> dict[str, Any]:
    created = {"created": "2026-02-01T10:00:00+00:00", "task": "t", "model": "openai/answerer"}
    return {"version": 2, "status": "success", "eval": created | of_eval, "samples": [*samples]}


def rows(*samples: dict[str, Any], **of_eval: Any) -> list[tuple[str, ...]]:
    """Return item, criterion, rater, role, label, score, run and status."""
    columns = ("item", "criterion", "rater", "role", "label", "score", "run", "status")
    return rated(open_table(json.dumps(log(*samples, **of_eval)).encode(), "log.json"), columns)


WHOLE = log(
    sample(
        "a", {"model_graded_qa": {"value": "C", "explanation": "GRADE: C"}, "clarity": {"value": 4}}, metadata={"topic": "fees"}
    ),
    sample("b", {"model_graded_qa": {**GRADED, "value": "C", "history": [GRADED, EDIT]}, "clarity": {"value": float("nan")}}),
    sample("c", {"model_graded_qa": {"value": "N", "explanation": "no grade"}, "match": {"value": "I"}}),
    sample("d", {}, error={"message": "out of time"}),
)


def archive(whole: dict[str, Any], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a log as the archive that Inspect writes."""
    packed = io.BytesIO()
    header = {key: value for key, value in whole.items() if key != "samples"}
    with zipfile.ZipFile(packed, "w", method) as out:
        out.writestr("_journal/start.json", json.dumps(header))
        for each in whole["samples"]:
            out.writestr(f"samples/{each['id']}_epoch_{each['epoch']}.json", json.dumps(each))
        out.writestr("summaries.json", "[]")
        out.writestr("header.json", json.dumps(header))
    return packed.getvalue()


def zstandard(files: dict[str, bytes]) -> bytes:
    """Return an archive packed with Zstandard (method 93), which zipfile cannot write before Python 3.14."""
    body, directory = b"", b""
    for name, content in files.items():
        packed = pa.compress(content, codec="zstd", asbytes=True)
        fields = (0, 93, 0, 0x21, zlib.crc32(content), len(packed), len(content), len(name), 0)
        start = len(body)
        body += struct.pack("<IHHHHHIIIHH", 0x04034B50, 63, *fields) + name.encode() + packed
        entry = (0x02014B50, 63, 63, *fields, 0, 0, 0, 0, start)
        directory += struct.pack("<IHHHHHHIIIHHHHHII", *entry) + name.encode()
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(files), len(files), len(directory), len(body), 0)
    return body + directory + end


def packed_as_inspect_does(whole: dict[str, Any]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive(whole))) as plain:
        return zstandard({name: plain.read(name) for name in plain.namelist()})


SAMPLES = {"log.json": json.dumps(WHOLE).encode(), "log.eval": packed_as_inspect_does(WHOLE)}


def test_scores_and_edits_are_ratings() -> None:
    table = open_table(SAMPLES["log.json"], "log.json")
    when = "2026-02-01T10:00:00Z"
    assert rated(table) == [
        ("a", "model_graded_qa", "judge", "judge", "C", "", when, "GRADE: C", "ok"),
        ("a", "clarity", "judge", "judge", "", "4", when, "", "ok"),
        ("b", "model_graded_qa", "judge", "judge", "I", "", when, "GRADE: I", "ok"),
        ("b", "model_graded_qa", "ana", "human", "C", "", "2026-02-03T09:00:00Z", "it is on the page", "ok"),
        ("b", "clarity", "judge", "judge", "skipped", "", when, "", "abstain"),
        ("c", "model_graded_qa", "judge", "judge", "N", "", when, "no grade", "abstain"),
        ("c", "match", "match", "code", "I", "", when, "", "ok"),
    ]
    assert [why for _, why in table.skipped] == [inspect_ai.NOT_SCORED]
    assert table.data["metadata.topic"].to_pylist()[:3] == ["fees", "fees", ""]
    assert table.data["edit reason"][3].as_py() == "misread"
    assert dict(table.kinds) == {"C": "positive", "I": "negative", "N": "abstention", "skipped": "abstention"}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93])
def test_the_archive_holds_the_same_ratings(method: int) -> None:
    data = packed_as_inspect_does(WHOLE) if method == 93 else archive(WHOLE, method)
    table = open_table(data, "log.eval")
    assert table.data.equals(open_table(SAMPLES["log.json"], "log.json").data)
    assert table.format == inspect_ai.LOG.what


def test_a_log_that_is_still_written_has_no_header_yet() -> None:
    whole = packed_as_inspect_does(WHOLE).replace(b"header.json", b"header.tmp_")
    assert open_table(whole, "log.eval").n_rows == 7


def test_an_archive_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect_ai, "LARGEST", 1 << 20)
    big = log(sample("a", {"s": {"value": "C"}}, store={"x": "y" * (1 << 21)}))
    for data in (archive(big), packed_as_inspect_does(big)):
        assert len(data) < 1 << 16
        with pytest.raises(InputError, match="unpacks to more than 1 MB"):
            open_table(data, "log.eval")


@pytest.mark.parametrize("data", [archive(WHOLE), packed_as_inspect_does(WHOLE)])
def test_a_damaged_archive_is_refused(data: bytes) -> None:
    middle = data.index(b"samples/") + 40
    with pytest.raises(InputError, match=r"log\.eval is a log of Inspect that cannot be unpacked.*inspect log convert --to json"):
        open_table(data[:middle] + b"\0" * 40 + data[middle + 40 :], "log.eval")


def test_grades_with_part_marks_are_in_order() -> None:
    table = open_table(json.dumps(log(*(sample(grade, {"s": {"value": grade}}) for grade in "CIPN"))).encode(), "log.json")
    assert table.order == ("I", "P", "C")
    assert table.kinds == (("N", "abstention"),)


def test_letters_of_another_kind_are_left_to_be_asked() -> None:
    table = open_table(json.dumps(log(*(sample(label, {"s": {"value": label}}) for label in "YN"))).encode(), "log.json")
    assert table.kinds == ()
    assert rated(table, ("status",)) == [("ok",), ("ok",)]


def test_values_of_every_type() -> None:
    scores = {
        "truth": {"value": True},
        "half": {"value": 0.5},
        "parts": {"value": {"tone": 1, "kind": "C", "none": None, "list": [1]}},
        "several": {"value": [1, 2]},
        "none": {"value": None},
    }
    table = open_table(json.dumps(log(sample("a", scores))).encode(), "log.json")
    assert rated(table, ("criterion", "label", "score")) == [
        ("truth", "true", ""),
        ("half", "", "0.5"),
        ("parts.tone", "", "1"),
        ("parts.kind", "C", ""),
    ]
    assert sorted(why for _, why in table.skipped) == sorted([inspect_ai.NO_VALUE, inspect_ai.SEVERAL_VALUES] * 2)


@pytest.mark.parametrize(
    "failed",
    [
        {"value": "I", "explanation": "Grade not found in model output: nothing"},
        {"value": float("nan"), "reason": "grader_failed"},
        {"value": float("nan"), "metadata": {"unscored_reason": "grader_failed"}},
        {"value": "I", "reason": "scoring_failed"},
    ],
)
def test_a_grader_that_failed_gave_no_verdict(failed: dict[str, Any]) -> None:
    assert [(row[4], row[7]) for row in rows(sample("a", {"model_graded_qa": failed}), sample("b", {"x": {"value": "C"}}))] == [
        ("judge call failed", "error"),
        ("C", "ok"),
    ]


def test_the_judge_is_the_model_that_grades() -> None:
    scorers = [{"name": "inspect_ai/model_graded_qa", "options": {"model": "openai/grader"}}]
    scores = {"model_graded_qa": {"value": "C"}, "mine": {"value": 3}}
    assert [row[2] for row in rows(sample("a", scores), scorers=scorers)] == ["openai/grader", "judge"]
    roles = {"grader": {"model": "openai/role"}}
    assert [row[2] for row in rows(sample("a", scores), scorers=scorers, model_roles=roles)] == ["openai/grader", "openai/role"]


def test_epochs_are_runs() -> None:
    scored = [sample("a", {"s": {"value": label}}, epoch) for epoch, label in ((1, "C"), (2, "I"))]
    assert [(row[0], row[6], row[4]) for row in rows(*scored)] == [("a", "1", "C"), ("a", "2", "I")]


def test_a_person_edited_the_score_of_one_of_several_answers() -> None:
    edited = {"s": {**GRADED, "value": "C", "history": [GRADED, EDIT]}}
    other = {"output": {"choices": [{"message": {"content": "another"}}]}}
    both = rows(sample("a", {"s": {"value": "C"}}), sample("a", edited, 2, **other))
    assert [(row[0], row[3]) for row in both] == [("a", "judge"), ("a/2", "judge"), ("a/2", "human")]


def test_edits_that_are_no_ratings_are_counted() -> None:
    history = [GRADED, EDIT | {"value": "UNCHANGED"}, EDIT | {"value": "I"}, EDIT, EDIT | {"value": "P", "provenance": None}]
    table = open_table(json.dumps(log(sample("a", {"s": {**GRADED, "history": history}}))).encode(), "log.json")
    assert rated(table, ("rater", "label")) == [("judge", "I"), ("ana", "C")]
    assert [why for _, why in table.skipped] == [inspect_ai.SAME_VALUE, inspect_ai.SAME_VALUE, inspect_ai.NOBODY]


def test_a_score_that_a_person_added_has_no_judge() -> None:
    added = {"value": "C", "history": [EDIT]}
    assert [row[1:5] for row in rows(sample("a", {"human_rubric": added}))] == [("human_rubric", "ana", "human", "C")]


def test_long_texts_stand_among_attachments() -> None:
    attached = sample("a", {"s": {"value": "C"}}, input="attachment://k1", attachments={"k1": "a long question"})
    assert open_table(json.dumps(log(attached)).encode(), "log.json").data["input"].to_pylist() == ["a long question"]


def test_the_example_is_read() -> None:
    table = open_table(shared("formats/examples/inspect/log.json"))
    assert [doubt.labels for doubt in propose(table).doubts] == [("5", "4")], "what numbers mean is asked, and nothing else"
    assert {rater.name for rater in read(shared("formats/examples/inspect/log.json"), scale={"clarity": "ordinal"}).raters} == {
        "judge",
        "ana",
    }


@pytest.mark.parametrize("path", examples("inspect"))
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)


def test_an_archive_without_a_header_is_no_log() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        out.writestr("samples/a.json", "{}")
        out.writestr("notes.json", "{}")
    with pytest.raises(InputError) as other:
        open_table(packed.getvalue())
    assert "Inspect" not in str(other.value)

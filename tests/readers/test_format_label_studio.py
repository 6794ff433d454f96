"""Label Studio: tasks as JSON, as a table with lists in its cells, and annotations as CSV and JSON-MIN."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import metrics
from metrics import InputError
from metrics.readers import open_table, propose
from metrics.readers.table import TextTable
from tests.readers.formats import EXPECTED, assert_expected, examples, rated


def result(name: str, **value: Any) -> dict[str, Any]:
    return {"from_name": name, "to_name": "answer", "type": next(iter(value)), "value": value}


def choice(*labels: str, name: str = "correct") -> dict[str, Any]:
    return result(name, choices=list(labels))


def annotation(who: Any, *results: dict[str, Any], at: str = "2026-02-01T10:00:00.000000Z", **more: Any) -> dict[str, Any]:
    return {"id": 9, "completed_by": who, "result": list(results), "was_cancelled": False, "created_at": at, **more}


def prediction(model: str | None, *results: dict[str, Any]) -> dict[str, Any]:
    return {"id": 5, "model_version": model, "result": list(results), "score": 0.9, "created_at": "2026-01-31T10:00:00Z"}


ANA = {"id": 1, "email": "ana@example.org", "first_name": "Ana"}
TASKS = [
    {
        "id": 101,
        "data": {"question": "Where?", "meta": {"topic": "help"}},
        "annotations": [
            annotation(ANA, choice("Pass"), result("clarity", rating=4), result("correct_reason", text=["It is", "right."])),
            annotation(2, choice("Pass", "Fail"), result("comment", text=["Both."]), result("points", number=7)),
        ],
        "predictions": [prediction("judge-a", choice("Fail"), result("reason", text=["Too short."])), 501],
        "total_annotations": 2,
    },
    {
        "id": 102,
        "data": {"question": "When?"},
        "annotations": [
            annotation(1, choice("Unsure"), result("rewrite", text=["Better so"]), ground_truth=True),
            annotation(2, was_cancelled=True, at="2026-02-02T10:00:00+01:00"),
            annotation(3),
            annotation(3, result("spans", start=0, end=3, text="Whe", labels=["Name"])),
        ],
        "predictions": [prediction(None, choice("Pass"))],
        "total_annotations": 4,
    },
]
JSON = json.dumps(TASKS).encode()
LISTS = pd.DataFrame(TASKS).to_csv(index=False).encode()
"""Cells as Python writes lists and records."""
OLD = json.dumps([{"id": 1, "data": {"q": "a"}, "completions": [annotation("ben", choice("Pass"))]}]).encode()
CSV = b"""annotation_id,annotator,clarity,"correct","correct_reason","created_at","id","issues","judge","lead_time","question"
1,"1","[{""rating"":5}]","Pass","It is.","2026-02-01T09:07:00.000000Z",101,"tone","Pass",4.2,"Where?"
2,"2","[{""rating"":4}]","Fail","","2026-02-01T09:08:00.000000Z",101,"{""choices"":[""tone"",""facts""]}","Pass",3,"Where?"
4,"1","[{""rating"":3}]","Unsure","","2026-02-02T09:14:00.000000Z",102,"facts","Fail",4.2,"When?"
5,"2","","Fail","No.","2026-02-02T09:15:00.000000Z",102,"","Fail",4.2,"When?"
"""
MINIMAL = json.dumps([
    {
        "question": "Where?", "judge": "Pass", "id": 101, "correct": "Pass", "clarity": [{"rating": 5}], "annotator": 1,
        "annotation_id": 1, "created_at": "2026-02-01T09:07:00.000000Z", "updated_at": "", "lead_time": 4.2,
    },
    {
        "question": "When?", "judge": "Fail", "id": 102, "correct": {"choices": ["Pass", "Fail"]}, "clarity": [{"rating": 3}],
        "annotator": "ben@example.org", "annotation_id": 2, "created_at": "2026-02-01T09:08:00.000000Z", "updated_at": "",
        "lead_time": 4.2,
    },
    {
        "question": "Why?", "judge": "Fail", "id": 103, "correct": "Fail", "note": "See there", "annotator": 1,
        "annotation_id": 3, "created_at": "", "updated_at": "", "lead_time": 4.2,
    },
]).encode()  # fmt: skip
SAMPLES = {
    "export.json": JSON, "lists.csv": LISTS, "export.csv": CSV, "min.json": MINIMAL, "old.json": OLD,
    "one.json": json.dumps(TASKS[0]).encode(),
}  # fmt: skip
NOON, LATER, JUDGED = "2026-02-01T10:00:00Z", "2026-02-02T09:00:00Z", "2026-01-31T10:00:00Z"
RATED = [
    ("101", "correct", "ana@example.org", "human", "Pass", "", NOON, "It is\nright.", "ok"),
    ("101", "clarity", "ana@example.org", "human", "", "4", NOON, "", "ok"),
    ("101", "points", "2", "human", "", "7", NOON, "Both.", "ok"),
    ("101", "correct", "judge-a", "judge", "Fail", "", JUDGED, "Too short.", "ok"),
    ("102", "correct", "1", "human", "Unsure", "", NOON, "", "abstain"),
    ("102", "correct", "undefined", "judge", "Pass", "", JUDGED, "", "ok"),
    ("102", "correct", "2", "human", "skipped", "", LATER, "", "abstain"),
    ("102", "clarity", "2", "human", "skipped", "", LATER, "", "abstain"),
    ("102", "points", "2", "human", "skipped", "", LATER, "", "abstain"),
]
LEFT = [
    "several choices are a set, no label", "a prediction given by its id alone", "an annotation without an answer",
    "a mark in the text or the image, no label",
]  # fmt: skip


def column(table: TextTable, name: str) -> list[str]:
    return [str(cell) for cell in table.data[name].to_pylist()]


@pytest.mark.parametrize("name", ["export.json", "lists.csv"])
def test_annotations_and_predictions_are_ratings_with_their_reasons(name: str) -> None:
    table = open_table(SAMPLES[name], name)
    assert rated(table) == RATED
    assert [why for _, why in table.skipped] == LEFT
    assert column(table, "question") == ["Where?"] * 4 + ["When?"] * 5
    assert column(table, "meta.topic")[0] == "help"
    assert column(table, "prediction.score")[3:5] == ["0.9", ""]
    assert column(table, "rewrite")[4] == "Better so", "words of a person that are no reason ride along"
    assert column(table, "ground_truth")[4:6] == ["true", ""]


def test_what_was_assumed_is_said() -> None:
    notes = " ".join(open_table(JSON, "export.json").notes)
    assert "1 prediction is left out: the file gives them by id alone" in notes
    assert '{"predictions": {"only_id": false}}' in notes
    assert "Predictions without a model version are one judge, ‘undefined’." in notes
    assert "1 annotation is marked as ground truth" in notes
    assert "counts as two raters: 1 is ana@example.org." in notes


def test_predictions_by_id_alone_are_refused_with_how_to_get_them() -> None:
    tasks = [{"id": n, "data": {"q": "a"}, "annotations": [], "predictions": [500 + n]} for n in range(3)]
    with pytest.raises(InputError, match=r"Label Studio’s export as JSON.*by id alone.*only_id"):
        open_table(json.dumps(tasks).encode(), "export.json")


def test_the_numbers_of_a_question_are_its_labels_though_somebody_skipped_it() -> None:
    ratings = metrics.read(JSON, scale={"clarity": "ordinal", "points": "ordinal"})
    assert {"4", "7", "Pass", "Fail"} <= set(ratings.labels)
    assert not propose(open_table(OLD, "old.json")).blocking


def test_a_task_without_an_id_is_named_by_its_place() -> None:
    table = open_table(json.dumps([{key: TASKS[0][key] for key in ("data", "annotations")}] * 2).encode(), "import.json")
    assert set(column(table, "item")) == {"1", "2"}
    assert "their place in the file" in " ".join(table.notes)


def test_without_predictions_a_field_with_labels_of_a_question_is_asked_about() -> None:
    tasks = [
        {"id": n, "data": {"llm": label, "topic": "a"}, "annotations": [annotation(1, choice(said))]}
        for n, (label, said) in enumerate([("pass", "Pass"), ("Fail", "Pass"), ("Fail", "Fail")])
    ]
    named = json.dumps(tasks).replace("llm", "auto_label").encode()
    table = open_table(named, "export.json")
    assert rated(table)[3:] == [
        ("0", "correct", "auto_label", "auto_label", "pass", "", "", "", "ok"),
        ("1", "correct", "auto_label", "auto_label", "Fail", "", "", "", "ok"),
        ("2", "correct", "auto_label", "auto_label", "Fail", "", "", "", "ok"),
    ]
    assert "‘auto_label’" in propose(table).blocking[0].sentence
    assert not propose(table, {"role:auto_label": "judge"}).blocking
    assert not propose(open_table(json.dumps(tasks).encode(), "export.json")).blocking, "‘llm’ says it"
    tasks.insert(2, {**tasks[2], "data": {"llm": "Fail " * 30}})
    assert "llm" not in column(open_table(json.dumps(tasks).encode(), "export.json"), "rater"), "a text in one task of two"


def test_rows_of_annotations_are_ratings() -> None:
    table = open_table(CSV, "export.csv")
    first, second = "2026-02-01T09:07:00Z", "2026-02-01T09:08:00Z"
    third, fourth = "2026-02-02T09:14:00Z", "2026-02-02T09:15:00Z"
    assert rated(table) == [
        ("101", "clarity", "1", "human", "", "5", first, "", "ok"),
        ("101", "correct", "1", "human", "Pass", "", first, "It is.", "ok"),
        ("101", "issues", "1", "human", "tone", "", first, "", "ok"),
        ("101", "correct", "judge", "judge", "Pass", "", "", "", "ok"),
        ("101", "clarity", "2", "human", "", "4", second, "", "ok"),
        ("101", "correct", "2", "human", "Fail", "", second, "", "ok"),
        ("102", "clarity", "1", "human", "", "3", third, "", "ok"),
        ("102", "correct", "1", "human", "Unsure", "", third, "", "abstain"),
        ("102", "issues", "1", "human", "facts", "", third, "", "ok"),
        ("102", "correct", "judge", "judge", "Fail", "", "", "", "ok"),
        ("102", "correct", "2", "human", "Fail", "", fourth, "No.", "ok"),
    ]
    assert table.skipped == ((3, "several choices are a set, no label"),)
    assert (table.number(0), table.number(4)) == (2, 3), "rows are those of the file"
    assert "leaves skipped tasks out of CSV" in table.notes[-1]
    assert column(table, "question")[0] == "Where?"


def test_records_of_annotations_are_ratings() -> None:
    table = open_table(MINIMAL, "min.json")
    assert [row[:6] for row in rated(table)] == [
        ("101", "correct", "1", "human", "Pass", ""),
        ("101", "clarity", "1", "human", "", "5"),
        ("101", "correct", "judge", "judge", "Pass", ""),
        ("102", "clarity", "ben@example.org", "human", "", "3"),
        ("102", "correct", "judge", "judge", "Fail", ""),
        ("103", "correct", "1", "human", "Fail", ""),
        ("103", "correct", "judge", "judge", "Fail", ""),
    ]
    assert [why for _, why in table.skipped] == ["several choices are a set, no label"]
    assert [row[7] for row in rated(table) if row[0] == "103"] == ["See there", ""]


def test_of_one_annotator_answers_are_told_by_their_words() -> None:
    rows = [(n, ("Pass", "Fail")[n % 2], ("tone", "facts")[n % 2], f"Question {n}") for n in range(6)]
    lines = [f"{n},1,{label},2026-02-01T09:07:00Z,{n},4.2,{question},{topic}" for n, label, topic, question in rows]
    table = open_table("\n".join(["annotation_id,annotator,correct,created_at,id,lead_time,question,topic", *lines]).encode())
    assert {row[1] for row in rated(table)} == {"correct"}
    assert "Taken as answers: correct; as fields: topic." in table.notes[0]
    with pytest.raises(InputError, match="None of its columns holds answers"):
        open_table(b"annotation_id,annotator,created_at,id,lead_time\n1,1,2026,7,4\n2,1,2026,8,4\n")


REAL = [path for path in examples("label_studio") if path.endswith(".json")]


def latest(table: TextTable) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return ratings by item, criterion and rater: of several the latest, as the reader counts them."""
    rows = sorted(rated(table, EXPECTED), key=lambda row: row[6])
    return {row[:3]: (*row[3:4], row[4] if row[4] != "skipped" else "", *row[5:]) for row in rows}


@pytest.mark.parametrize("path", [path for path in REAL if "messy" not in path])
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)


@pytest.mark.parametrize("path", REAL)
def test_the_latest_of_several_annotations_of_one_person_counts(path: str) -> None:
    with Path(path.replace(".json", ".expected.csv")).open(encoding="utf-8", newline="") as file:
        wanted = {tuple(row[:3]): tuple(row[3:]) for row in list(csv.reader(file))[1:]}
    assert latest(open_table(path)) == wanted


@pytest.mark.parametrize("path", [path for path in REAL if "messy" not in path])
@pytest.mark.parametrize("other", ["export_min.json", "export.csv"])
def test_other_exports_hold_the_same_answers_of_people(path: str, other: str) -> None:
    people = {key: rest for key, rest in latest(open_table(path)).items() if (rest[0], rest[-1]) == ("human", "ok")}
    assert latest(open_table(str(Path(path).with_name(other)))) == people

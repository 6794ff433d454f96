"""RAGAS: the judge's outputs, accepted or corrected by a person."""

from __future__ import annotations

import csv
import json
from typing import Any

import metrics
from metrics.readers import open_table, propose
from tests.readers.formats import EXAMPLES, rated
from tests.shared_data import data


def sample(output: Any, accepted: Any, target: Any = None, edited: Any = None) -> dict[str, Any]:
    prompts = {"p": {"prompt_input": {}, "prompt_output": {"reason": "So it is.", "verdict": 1}, "edited_output": edited}}
    inputs = {"user_input": "Where?", "response": "There."}
    return {"metric_input": inputs, "metric_output": output, "prompts": prompts, "is_accepted": accepted, "target": target}


ANNOTATED = json.dumps({
    "correctness": [
        sample(1.0, True), sample(0.0, False, 1.0, {"reason": "It is not.", "verdict": 1}), sample(1, False), sample(0, None),
        sample(None, False),
    ],
    "tone": [sample(0.75, False), sample(0.5, False, 0.25), sample("warm", True)],
}).encode()  # fmt: skip
SAMPLES = {"annotated.json": ANNOTATED}


def test_a_person_accepts_an_output_or_says_another() -> None:
    table = open_table(ANNOTATED, "annotated.json")
    judge, person, why = ("judge", "judge"), ("human", "human"), "So it is."
    assert rated(table) == [
        ("1", "correctness", *judge, "", "1", "", why, "ok"),
        ("1", "correctness", *person, "", "1", "", "", "ok"),
        ("2", "correctness", *judge, "", "0", "", why, "ok"),
        ("2", "correctness", *person, "", "1", "", "It is not.", "ok"),
        ("3", "correctness", *judge, "", "1", "", why, "ok"),
        ("3", "correctness", *person, "", "0", "", "", "ok"),
        ("4", "correctness", *judge, "", "0", "", why, "ok"),
        ("5", "correctness", *judge, "judge call failed", "", "", why, "error"),
        ("1", "tone", *judge, "", "0.75", "", why, "ok"),
        ("2", "tone", *judge, "", "0.5", "", why, "ok"),
        ("2", "tone", *person, "", "0.25", "", "", "ok"),
        ("3", "tone", *judge, "warm", "", "", why, "ok"),
        ("3", "tone", *person, "warm", "", "", "", "ok"),
    ]
    unknown = "rejected without a target, so the person’s own answer is unknown"
    assert [why for _, why in table.skipped] == ["neither accepted nor rejected", unknown, unknown]
    assert table.data["user_input"].to_pylist() == ["Where?"] * 13


def test_that_the_person_saw_the_judge_is_said() -> None:
    notes = " ".join(open_table(ANNOTATED, "annotated.json").notes)
    assert "saw the judge’s output first" in notes
    assert "stands for the opposite" in notes
    assert "names no items" in notes


def test_the_example_is_read_without_a_question() -> None:
    path = EXAMPLES / "ragas" / "annotated.json"
    if path.exists():
        table = open_table(str(path))
        assert (table.n_rows, len(table.skipped)) == (14, 0)
        assert not propose(table).blocking


def test_a_real_file_says_what_its_table_says() -> None:
    """Verdicts of the table that somebody made of this file and of others, in the order of the file."""
    ratings = metrics.read(data("raw/ragas_annotated_data.json"))
    with data("ragas_annotated.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["criterion"] == "helpfulness"]
    by_rater: dict[str, list[str]] = {"human": [], "judge": []}
    for item, _, rater, _, _, score, *_ in rated(open_table(data("raw/ragas_annotated_data.json"))):
        by_rater[rater].append({"1": "MET", "0": "UNMET"}[score])
        assert int(item) == len(by_rater[rater])
    assert by_rater == {"human": [row["human"] for row in rows], "judge": [row["verdict"] for row in rows]}
    assert ratings.n_items == len(rows) == 21

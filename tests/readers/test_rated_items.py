"""What several people were asked of, where no column is called after items: a text that stands once for each of them."""

from __future__ import annotations

import io
import json
from typing import Any

import pandas as pd

import metrics
from metrics.readers import open_table, propose
from metrics.readers.table import TextTable

TASKS = [
    f"Explain how {thing} works, and why it matters" for thing in "a boiler, a lock, a sail, a kiln, a lens, a mill".split(", ")
] * 4


def crossed_annotations(people: int = 4) -> list[dict[str, Any]]:
    """People's preferences between two outputs, as a list of records without any id."""
    return [
        {
            "annotator_index": (3 * item + person) % 11, "dataset": "abc"[item % 3], "generator": "base",
            "instruction": f"{task} ({item})",
            "output_1": f"First answer to {item}.", "output_2": f"Second answer to {item}.",
            "preference": 1 + (item % 2 if person < 3 else item % 3 % 2), "time_per_example": 3.5 * item + person,
        }
        for item, task in enumerate(TASKS)
        for person in range(people)
    ]  # fmt: skip


def machine_annotations() -> list[dict[str, Any]]:
    return [
        {
            "instruction": f"{task} ({item})", "output_1": f"First answer to {item}.", "generator_1": "base",
            "output_2": f"Second answer to {item}.", "generator_2": "new", "annotator": "llm_annotator",
            "preference": 1 + (item % 2 if item % 5 else 0), "raw_completion": "Output (a)",
        }
        for item, task in enumerate(TASKS)
    ]  # fmt: skip


def named(records: list[dict[str, Any]], name: str) -> io.BytesIO:
    held = io.BytesIO(json.dumps(records).encode())
    held.name = name
    return held


def opened(records: list[dict[str, Any]]) -> TextTable:
    return open_table(json.dumps(records).encode(), "own.json")


def test_the_text_that_several_annotators_were_asked_of_is_the_item() -> None:
    columns = dict(propose(opened(crossed_annotations())).columns)
    assert {role: columns[role] for role in ("item", "rater", "label")} == {
        "item": "instruction", "rater": "annotator_index", "label": "preference",
    }  # fmt: skip


def test_people_in_rows_and_a_model_in_another_file() -> None:
    files = [named(crossed_annotations(), "people.json"), named(machine_annotations(), "machine.json")]
    ratings = metrics.read(
        files, columns={"rater": "annotator_index", "label": "preference"}, labels={"1": "positive", "2": "negative"}
    )
    assert ratings.judges == ("llm_annotator",)
    assert len(ratings.humans) == 11
    assert ratings.n_items == len(TASKS)
    assert ratings.source.join is not None


def test_remarks_that_happen_to_be_alike_are_no_item() -> None:
    rows = [(f"w{k % 5}", "yes" if k % 3 else "no", "fine" if k in (0, 6) else f"remark {k}", f"part {k}") for k in range(30)]
    table = open_table(pd.DataFrame(rows, columns=["annotator", "label", "remark", "piece"]))
    assert dict(propose(table).columns)["item"] == "piece"


def test_a_text_that_one_person_rates_twice_is_no_item() -> None:
    rows = [(f"w{k % 3}", "yes" if k % 4 else "no", f"text {k % 6}", f"part {k}") for k in range(36)]
    table = open_table(pd.DataFrame(rows, columns=["annotator", "label", "passage", "piece"]))
    assert dict(propose(table).columns)["item"] == "piece"

"""Azure AI Evaluation: a judge for each metric, once; people's labels among the inputs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metrics.readers import open_table, propose
from metrics.readers.formats.canonical import FAILED
from tests.readers.formats import rated


def row(n: int, person: Any, score: float | None, **more: Any) -> dict[str, Any]:
    result = None if score is None else "pass" if score >= 3 else "fail"
    return {
        "inputs.case_id": f"c{n}", "inputs.query": f"What is {n}?", "inputs.ground_truth": f"A text about {n}",
        "inputs.human_label": person, "outputs.grounded.groundedness": score, "outputs.grounded.gpt_groundedness": score,
        "outputs.grounded.groundedness_reason": "It says so.", "outputs.grounded.groundedness_result": result,
        "outputs.grounded.groundedness_threshold": 3, "line_number": n,
    } | more  # fmt: skip


WORDS = [row(0, "pass", 4.0), row(1, "fail", 2.0), row(2, "fail", 5.0), row(3, "pass", None), row(4, "pass", 3.0)]
SEVERAL = [
    row(n, None, 4.0) | {
        "inputs.human_groundedness": person, "inputs.human_relevance": 6 - person,
        "outputs.relevance.relevance": 2.0, "outputs.relevance.relevance_result": "fail",
        "outputs.relevance.relevance_model": "gpt-4.1", "outputs.f1_score.f1_score": 0.5,
        "outputs.violence.violence": "Very low", "outputs.violence.violence_score": 0,
        "outputs.protected_material.protected_material_label": False,
    }
    for n, person in enumerate([4, 5, 1, 2, 3, 4, 4, 1])
]  # fmt: skip
SAMPLES = {
    "words.jsonl": "\n".join(map(json.dumps, WORDS)).encode(),
    "results.json": json.dumps({"metrics": {"grounded.groundedness": 4.0}, "rows": SEVERAL, "studio_url": None}).encode(),
}


def test_a_metric_is_one_judge_whose_label_is_whether_it_passed() -> None:
    table = open_table(SAMPLES["words.jsonl"], "words.jsonl")
    assert table.format == "a table of results of Azure AI Evaluation"
    assert [line[:6] for line in rated(table)][:4] == [
        ("c0", "groundedness", "judge", "judge", "pass", "4"),
        ("c0", "groundedness", "human_label", "human", "pass", ""),
        ("c1", "groundedness", "judge", "judge", "fail", "2"),
        ("c1", "groundedness", "human_label", "human", "fail", ""),
    ]
    assert dict(zip(table.data["status"].to_pylist(), table.data["label"].to_pylist(), strict=True))["error"] == FAILED
    assert table.data["reason"].to_pylist()[0] == "It says so."
    assert not propose(table).blocking


def test_where_people_grade_the_judge_does_too() -> None:
    table = open_table(SAMPLES["results.json"], "results.json")
    first = [line[1:6] for line in rated(table) if line[0] == "c0"]
    assert first == [
        ("groundedness", "judge", "judge", "4", ""),
        ("relevance", "gpt-4.1", "judge", "2", ""),
        ("f1_score", "judge", "code", "0.5", ""),
        ("violence", "judge", "judge", "Very low", "0"),
        ("protected_material", "judge", "judge", "false", ""),
        ("groundedness", "human_groundedness", "human", "4", ""),
        ("relevance", "human_relevance", "human", "2", ""),
    ]
    assert "People gave steps of a scale on ‘groundedness’" in " ".join(table.notes)


@pytest.mark.parametrize("extra", ["outputs.custom.length", "outputs.grounded.sample_input"])
def test_a_number_of_another_kind_is_no_metric(extra: str) -> None:
    rows = "\n".join(json.dumps(one | {extra: 7}) for one in WORDS).encode()
    assert {line[1] for line in rated(open_table(rows, "rows.jsonl"))} == {"groundedness"}


def test_inputs_and_outputs_of_anybody_else_are_no_results() -> None:
    rows = "\n".join(json.dumps({"inputs.q": f"q{n}", "outputs.answer": "a", "human": "yes", "judge": "no"}) for n in range(4))
    assert open_table(rows.encode(), "rows.jsonl").format == ""

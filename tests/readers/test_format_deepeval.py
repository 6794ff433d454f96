"""DeepEval's test runs: metrics are judges, the item is a hash where names are positions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metrics.readers import open_table, propose
from metrics.readers.formats import deepeval
from tests.readers.formats import assert_expected, examples, rated
from tests.shared_data import shared


def metric(name: str, success: bool | None = None, score: float | None = None, **more: Any) -> dict[str, Any]:
    """Return what a metric found, as DeepEval writes it: what is missing is left out."""
    whole = {
        "name": name,
        "threshold": 0.5,
        "success": success,
        "score": score,
        "strictMode": False,
        "evaluationModel": "judge-a",
    }
    return {key: value for key, value in (whole | more).items() if value is not None}


def case(place: int, *metrics: dict[str, Any], **more: Any) -> dict[str, Any]:
    texts = {"name": f"test_case_{place}", "input": f"question {place}", "actualOutput": f"answer {place}"}
    return {**texts, "success": True, "metricsData": [*metrics], "order": place} | more


def run(*cases: dict[str, Any], **more: Any) -> bytes:
    return json.dumps(
        {"testFile": "t.py", "testCases": [*cases], "conversationalTestCases": [], "metricsScores": []} | more
    ).encode()


CORRECT = metric("Correctness [GEval]", True, 0.9, reason="fine")
WHOLE = run(
    case(0, CORRECT, metric("Bias", error="Invalid JSON")),
    case(1, metric("Correctness [GEval]", False, 0.2, reason="wrong"), metadata={"topic": "fees"}, tags=["a"]),
)
RESULT = json.dumps({
    "test_results": [{
        "name": "alpha", "success": True, "conversational": False, "input": "q", "actual_output": "a",
        "metrics_data": [{"name": "Tone", "success": True, "score": 1.0, "evaluationModel": None, "evaluation_model": "judge-b"}],
        "classifications": [
            {"name": "intent", "label": "refund", "expected_label": "billing", "reason": "money", "evaluation_model": "judge-b"},
            {"name": "mood", "label": None, "expected_label": "calm", "error": "timeout", "evaluation_model": "judge-b"},
        ],
    }],
    "confident_link": None,
}).encode()  # fmt: skip
SAMPLES = {"test_run.json": WHOLE, "result.json": RESULT}


def test_metrics_are_judges() -> None:
    table = open_table(WHOLE, "test_run.json")
    first, *_, last = table.data["item"].to_pylist()
    assert rated(table) == [
        (first, "Correctness [GEval]", "judge-a", "judge", "true", "0.9", "", "fine", "ok"),
        (first, "Bias", "judge-a", "judge", "judge call failed", "", "", "Invalid JSON", "error"),
        (last, "Correctness [GEval]", "judge-a", "judge", "false", "0.2", "", "wrong", "ok"),
    ]
    assert table.data["metadata.topic"].to_pylist() == ["", "", "fees"]
    assert table.data["actualOutput"][2].as_py() == "answer 1"
    assert set(table.notes) == {deepeval._BY_HASH, deepeval._THRESHOLD}


def test_an_item_is_the_same_wherever_its_case_stands() -> None:
    moved = run(case(0, CORRECT), case(5, CORRECT, input="question 0", actualOutput="another answer"))
    items = open_table(moved).data["item"].to_pylist()
    assert items[0] == open_table(WHOLE).data["item"][0].as_py()
    assert items[1] != items[0]


def test_names_that_tell_cases_apart_are_the_items() -> None:
    assert open_table(run(case(0, CORRECT, name="fees"), case(1, CORRECT, name="hours"))).data["item"].to_pylist() == [
        "fees",
        "hours",
    ]
    same = open_table(run(case(0, CORRECT, name="fees"), case(1, CORRECT, name="fees")))
    assert "fees" not in same.data["item"].to_pylist()


def test_the_same_case_again_is_another_run() -> None:
    table = open_table(run(case(0, CORRECT), case(0, CORRECT), case(1, CORRECT)))
    assert table.data["run"].to_pylist() == ["1", "2", "1"]
    assert table.data["item"][0] == table.data["item"][1]


def test_a_score_that_checked_nothing_is_noted() -> None:
    empty = metric("Faithfulness", True, 1.0, verboseLogs="Claims:\n[] \n \nVerdicts:\n[]")
    some = metric("Faithfulness", True, 1.0, verboseLogs='Verdicts:\n[\n    {"verdict": "yes"}\n]')
    table = open_table(run(case(0, empty), case(1, some)))
    assert table.notes[-1] == "1 score rests on no verdict at all (‘Verdicts: []’): nothing was there to check."
    assert [row[4] for row in rated(table)] == ["true", "true"], "the rating is kept as it stands"


def test_what_is_neither_verdict_nor_score_is_a_failed_call() -> None:
    table = open_table(run(case(0, CORRECT, metric("Bias"))))
    assert rated(table, ("label", "status"))[1] == ("judge call failed", "error")


def test_metrics_that_ask_no_model_are_code() -> None:
    table = open_table(run(case(0, CORRECT, metric("Exact Match", False, 0.0, evaluationModel=None))))
    assert [row[3] for row in rated(table)] == ["judge", "code"]


def test_a_classifier_and_what_it_should_have_said() -> None:
    table = open_table(RESULT, "result.json")
    assert rated(table, ("item", "criterion", "rater", "role", "label", "reason", "status")) == [
        ("alpha", "Tone", "judge", "judge", "true", "", "ok"),
        ("alpha", "intent", "judge-b", "judge", "refund", "money", "ok"),
        ("alpha", "intent", "expected", "human", "billing", "", "ok"),
        ("alpha", "mood", "judge-b", "judge", "judge call failed", "timeout", "error"),
        ("alpha", "mood", "expected", "human", "calm", "", "ok"),
    ]
    assert deepeval._EXPECTED in table.notes


def test_conversations_and_the_latest_run() -> None:
    said = [[{"role": "user", "content": text}] for text in ("hi", "ho")]
    talks = [{"name": f"conversational_test_case_{n}", "turns": said[n], "metricsData": [CORRECT]} for n in range(2)]
    whole = json.loads(run(case(0, CORRECT), conversationalTestCases=talks))
    table = open_table(json.dumps({"testRunData": whole, "testRunLink": None}).encode())
    assert len(set(table.data["item"].to_pylist())) == 3


def test_cases_without_metrics_are_counted() -> None:
    table = open_table(run(case(0, CORRECT), case(1)))
    assert [why for _, why in table.skipped] == [deepeval.NO_METRIC]


def test_the_example_has_no_person() -> None:
    table = open_table(shared("formats/examples/deepeval/test_run.json"))
    assert [doubt.sentence for doubt in propose(table).doubts] == [
        "Every rater is a judge. Agreement needs a human on the same items."
    ]


@pytest.mark.parametrize("path", examples("deepeval"))
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)

"""Logs of OpenAI evals: the judge's choices, and the person's where a meta-evaluation has two."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metrics import InputError
from metrics.readers import open_table, propose
from metrics.readers.formats import openai_evals
from tests.readers.formats import assert_expected, examples, rated
from tests.shared_data import shared

COLUMNS = ("item", "criterion", "rater", "role", "label", "score", "status")
SPEC: dict[str, Any] = {"completion_fns": ["answerer"], "eval_name": "fact.dev.v0", "base_eval": "fact", "run_id": "r1"}


def event(sample: str, kind: str, data: Any) -> dict[str, Any]:
    """Return one event, as evals records it."""
    when = "2026-02-01 10:00:01.000000+00:00"
    return {"run_id": "r1", "event_id": 1, "sample_id": sample, "type": kind, "data": data, "created_by": "", "created_at": when}


def chosen(sample: str, choice: str, score: float | None = None, same: bool | None = None) -> dict[str, Any]:
    data = {"choice": choice, "score": score} | ({} if same is None else {"metascore": same})
    return event(sample, "metrics", data)


def log(*events: dict[str, Any], spec: dict[str, Any] = SPEC, report: dict[str, Any] | None = None) -> bytes:
    lines = [{"spec": spec}, *events, {"final_report": report or {}, "run_id": "r1"}]
    return "\n".join(map(json.dumps, lines)).encode()


META = log(
    event("s.0", "sampling", {"prompt": [{"role": "user", "content": "open?"}], "sampled": ["on Sunday"]}),
    chosen("s.0", "Y", 1.0, True),
    chosen("s.1", "N", 0.0, False),
    chosen("s.2", "__invalid__", 0.0, False),
)
SAMPLES = {"run.jsonl": META}


def test_choices_are_the_judges_and_metascore_tells_the_persons() -> None:
    table = open_table(META, "run.jsonl")
    assert rated(table, COLUMNS) == [
        ("s.0", "overall", "judge", "judge", "Y", "1", "ok"),
        ("s.0", "overall", "human", "human", "Y", "", "ok"),
        ("s.1", "overall", "judge", "judge", "N", "0", "ok"),
        ("s.1", "overall", "human", "human", "Y", "", "ok"),
        ("s.2", "overall", "judge", "judge", "__invalid__", "", "error"),
    ]
    assert [why for _, why in table.skipped] == [openai_evals.UNKNOWN]
    assert table.data["timestamp"][0].as_py() == "2026-02-01T10:00:01Z"
    assert table.data["sampled"][0].as_py() == '["on Sunday"]'
    assert dict(table.kinds) == {"Y": "positive", "N": "negative", "__invalid__": "error"}
    assert "there being two: ‘Y’ and ‘N’" in table.notes[0]
    assert not propose(table).doubts


def test_of_more_than_two_choices_the_persons_is_not_known() -> None:
    table = open_table(log(*(chosen(f"s.{n}", choice, None, n > 0) for n, choice in enumerate("ABC"))))
    assert {row[3] for row in rated(table)} == {"judge"}, "those that agree would be a selection"
    assert [why for _, why in table.skipped] == [openai_evals.UNKNOWN] * 3
    assert "With 3 choices" in table.notes[0]


def test_a_choice_that_only_the_report_counts_is_one() -> None:
    events = [chosen("s.0", "Y", 1.0, True), chosen("s.1", "Y", 1.0, False)]
    assert [row[3] for row in rated(open_table(log(*events)))] == ["judge", "judge"]
    counted = open_table(log(*events, report={"counts/Y": 2, "counts/N": 0, "counts/__invalid__": 0, "score": 1.0}))
    assert [row[4] for row in rated(counted) if row[3] == "human"] == ["Y", "N"]


def test_several_criteria_have_names() -> None:
    events = [event(f"s.{n}", "metrics", {"tone": label, "tone_metascore": True}) for n, label in enumerate("YN")]
    assert [row[1:5] for row in rated(open_table(log(*events)), COLUMNS)] == [
        ("tone", "judge", "judge", "Y"),
        ("tone", "human", "human", "Y"),
        ("tone", "judge", "judge", "N"),
        ("tone", "human", "human", "N"),
    ]


def test_without_a_meta_evaluation_there_is_a_judge_alone() -> None:
    spec = {**SPEC, "completion_fns": ["answerer", "grader"]}
    samplings = [event("s.0", "sampling", {"prompt": "q", "sampled": [text]}) for text in ("an answer", "It is so.\nY")]
    table = open_table(log(*samplings, chosen("s.0", "Y", 1.0), chosen("s.1", "N", 0.0), spec=spec))
    assert rated(table, ("rater", "label", "reason")) == [("grader", "Y", "It is so.\nY"), ("grader", "N", "")]


def test_matches_are_code_and_numbers_no_verdicts() -> None:
    match = event("s.0", "match", {"correct": True, "expected": "a", "picked": "a"})
    table = open_table(log(match, event("s.1", "metrics", {"f1": 0.5}), chosen("s.2", "Y")))
    assert rated(table, ("criterion", "role", "label")) == [("match", "code", "true"), ("overall", "judge", "Y")]
    assert [why for _, why in table.skipped] == [openai_evals.NO_CHOICE]
    with pytest.raises(InputError, match=r"run\.jsonl holds no rating"):
        open_table(log(event("s.0", "sampling", {"sampled": []})), "run.jsonl")


def test_the_example_is_read() -> None:
    assert not propose(open_table(shared("formats/examples/openai_evals/run.jsonl"))).doubts


@pytest.mark.parametrize("path", examples("openai_evals"))
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)

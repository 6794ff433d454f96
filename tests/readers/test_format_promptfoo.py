"""promptfoo's results: model-graded checks are the judge, ratings by hand the person."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metrics import InputError, read
from metrics.readers import open_table, propose
from metrics.readers.formats import promptfoo
from tests.readers.formats import assert_expected, examples, rated
from tests.shared_data import shared

MANUAL = "Manual result (overrides all other grading results)"


def check(kind: str, passed: bool, reason: str = "as asked", **more: Any) -> dict[str, Any]:
    """Return a component of a result, as promptfoo writes it."""
    assertion = {"type": kind} | {key: more.pop(key) for key in ("metric", "value", "provider") if key in more}
    return {"pass": passed, "score": float(passed), "reason": reason, "assertion": assertion, **more}


def by_hand(passed: bool, **more: Any) -> dict[str, Any]:
    return check("human", passed, MANUAL, **more)


def result(question: str, *components: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return one result; a rating by hand overwrites its top level."""
    hand = [component for component in components if component["assertion"]["type"] == "human"]
    passed = hand[0]["pass"] if hand else all(component["pass"] for component in components)
    whole = {
        "testIdx": 0,
        "promptIdx": 0,
        "promptId": "p",
        "vars": {"question": question},
        "success": passed,
        "score": float(passed),
        "failureReason": 0 if passed else 1,
        "gradingResult": {
            "pass": passed,
            "score": float(passed),
            "reason": MANUAL if hand else "",
            "componentResults": [*components],
        },
        "provider": {"id": "answerer", "label": ""},
        "prompt": {"raw": question, "label": "{{question}}"},
        "response": {"output": f"answer to {question}"},
        "testCase": {"assert": [{"type": "llm-rubric", "metric": "correct", "provider": "judge-a"}]},
    }
    return whole | more


def judged(passed: bool, **more: Any) -> dict[str, Any]:
    return check("llm-rubric", passed, **{"metric": "correct", "provider": "judge-a"} | more)


def file(*results: dict[str, Any], **more: Any) -> bytes:
    whole = {"evalId": "eval-1", "results": {"version": 3, "timestamp": "2026-02-01T10:00:00.000Z", "results": [*results]}}
    return json.dumps(whole | {"config": {}, "shareableUrl": None} | more).encode()


def ratings(*results: dict[str, Any], **more: Any) -> list[tuple[str, ...]]:
    """Return item, criterion, rater, role, label, run and status."""
    return rated(open_table(file(*results, **more), "r.json"), ("item", "criterion", "rater", "role", "label", "run", "status"))


WHOLE = file(result("a", judged(True), check("contains", True), by_hand(False, comment="too rude")), result("b", judged(False)))
LINES = "\n".join(json.dumps(result(question, judged(True))) for question in "abc").encode()
SAMPLES = {"results.json": WHOLE, "results.jsonl": LINES}


def test_judge_and_person_stand_side_by_side() -> None:
    table = open_table(WHOLE, "results.json")
    first = table.data["item"][0].as_py()
    when = "2026-02-01T10:00:00Z"
    assert rated(table)[:3] == [
        (first, "correct", "judge-a", "judge", "true", "1", when, "as asked", "ok"),
        (first, "contains", "contains", "code", "true", "1", when, "as asked", "ok"),
        (first, "correct", "human", "human", "false", "0", "", "too rude", "ok"),
    ]
    assert table.data["question"].to_pylist() == ["a", "a", "a", "b"]
    assert table.data["output"][3].as_py() == "answer to b"
    assert table.data["file.prompt"][0].as_py() == "{{question}}", "the prompt of the answer is not that of the judge"
    assert not propose(table).doubts


def test_the_verdict_that_was_overwritten_is_not_read_from_the_top() -> None:
    assert [row[4] for row in ratings(result("a", judged(True), by_hand(False))) if row[3] == "judge"] == ["true"]


@pytest.mark.parametrize(
    "name", ["llm-rubric", "not-llm-rubric", "g-eval", "factuality", "model-graded-closedqa", "context-recall"]
)
def test_checks_that_ask_a_model_are_the_judge(name: str) -> None:
    assert ratings(result("a", check(name, True)))[0][1:4] == (name, "judge", "judge")


@pytest.mark.parametrize("name", ["contains", "javascript", "similar", "is-json", "python", "not-contains"])
def test_checks_that_ask_none_are_code(name: str) -> None:
    assert [row[3] for row in ratings(result("a", judged(True), check(name, True)))] == ["judge", "code"]


def test_the_judge_is_named_by_its_check_else_by_the_test_else_by_the_configuration() -> None:
    default = {"config": {"defaultTest": {"options": {"provider": {"id": "judge-c"}}}}}
    test = {"testCase": {"options": {"provider": "judge-b"}}}
    bare = check("llm-rubric", True)
    rows = ratings(result("a", judged(True)), result("b", bare, **test), result("c", bare), **default)
    assert [row[2] for row in rows] == ["judge-a", "judge-b", "judge-c"]


@pytest.mark.parametrize(
    "failed",
    [
        {"metadata": {"graderError": True}, "reason": "HTTP 503"},
        {"reason": "Could not extract JSON from llm-rubric response"},
        {"reason": "llm-rubric produced malformed response: no"},
    ],
)
def test_a_grader_that_failed_gave_no_verdict(failed: dict[str, Any]) -> None:
    table = open_table(file(result("a", judged(False) | failed), result("b", judged(True))), "r.json")
    assert rated(table, ("label", "score", "reason", "status"))[0] == ("judge call failed", "", failed["reason"], "error")
    assert ("judge call failed", "error") in table.kinds


def test_a_result_that_broke_off_is_a_failed_call_or_no_answer() -> None:
    broken = {"gradingResult": None, "failureReason": 2, "error": "no reply", "success": False}
    table = open_table(file(result("a", **broken), result("b", **broken, response={}), result("c", judged(True))), "r.json")
    assert rated(table, ("criterion", "rater", "label", "reason", "status"))[0] == (
        "correct", "judge-a", "judge call failed", "no reply", "error",
    )  # fmt: skip
    assert [why for _, why in table.skipped] == [promptfoo.NO_ANSWER]


def test_the_item_is_an_id_then_a_description_then_a_hash() -> None:
    def items(*more: dict[str, Any]) -> list[str]:
        return [row[0] for row in ratings(*(result("x", judged(True), **each) for each in more))]

    assert items({"vars": {"id": "q7", "n": 1}}, {"vars": {"id": "q8", "n": 1}}) == ["q7", "q8"]
    assert items({"vars": {"case_id": 7, "n": 1}}, {"vars": {"case_id": 8, "n": 1}}) == ["7", "8"]
    told = [{"vars": {"id": "same", "n": n}, "testCase": {"description": f"case {n}"}} for n in (1, 2)]
    assert items(*told) == ["case 1", "case 2"], "an id that does not tell tests apart is none"
    hashed = items({"vars": {"n": 1, "sessionId": "s1"}}, {"vars": {"n": 2, "sessionId": "s2"}})
    assert len(set(hashed)) == 2
    assert hashed[0] == items({"vars": {"n": 1, "sessionId": "s9"}})[0], "the same test in another file has the same item"
    assert items({"vars": {}, "testIdx": 0}, {"vars": {}, "testIdx": 1})[0] != items({"vars": {}, "testIdx": 1})[0]


def test_prompts_make_items_and_repeats_are_runs() -> None:
    vars_of = {"vars": {"id": "q1"}}
    two = [result("x", judged(True), **vars_of, promptIdx=place) for place in (0, 1)]
    assert [row[0] for row in ratings(*two)] == ["q1/0", "q1/1"]
    again = [result("x", judged(n > 0), **vars_of, testIdx=n) for n in range(3)]
    rows = ratings(*again)
    assert [(row[0], row[5], row[4]) for row in rows] == [("q1", "1", "false"), ("q1", "2", "true"), ("q1", "3", "true")]


def test_a_person_rated_one_of_several_answers() -> None:
    vars_of = {"vars": {"id": "q1"}}
    first = result("x", judged(True), **vars_of)
    second = result("x", judged(False), by_hand(False), **vars_of, response={"output": "another answer"})
    assert [(row[0], row[3]) for row in ratings(first, second)] == [("q1", "judge"), ("q1/2", "judge"), ("q1/2", "human")]
    assert promptfoo._REPEATED in open_table(file(first, second), "r.json").notes


def test_rubrics_without_a_name_are_told_apart() -> None:
    asked = [check("llm-rubric", True, value="is kind"), check("llm-rubric", False, value="is brief")]
    rows = ratings(result("a", *asked, by_hand(True)), result("b", judged(True), by_hand(True)))
    assert [row[1] for row in rows] == ["llm-rubric: is kind", "llm-rubric: is brief", "overall", "correct", "correct"]
    notes = open_table(file(result("a", *asked, by_hand(True))), "r.json").notes
    assert "and under ‘overall’ where a result has several." in notes[-1]


def test_what_holds_no_verdict_is_counted() -> None:
    summary = {"pass": True, "score": 1, "reason": "All assertions passed", "componentResults": [judged(True)]}
    graded = {"pass": True, "score": 0.5, "reason": MANUAL, "componentResults": [summary, judged(True)]}
    table = open_table(file(result("a", gradingResult=graded), result("b", gradingResult=None)), "r.json")
    assert rated(table, ("criterion", "rater")) == [("correct", "judge-a")]
    assert [why for _, why in table.skipped] == [promptfoo.SUMMARY, promptfoo.NO_VERDICT, promptfoo.NO_CHECK]


def test_lines_are_results_too() -> None:
    assert [row[3] for row in rated(open_table(LINES, "results.jsonl"))] == ["judge"] * 3


def test_the_example_gives_six_pairs() -> None:
    ratings_read = read(shared("formats/examples/promptfoo/results.json"))
    assert {(rater.name, rater.role) for rater in ratings_read.raters} == {("judge-a", "judge"), ("human", "human")}
    with pytest.raises(InputError, match="Export JSON instead"):
        propose(open_table(shared("formats/examples/promptfoo/results.csv")))


@pytest.mark.parametrize("path", examples("promptfoo"))
def test_examples_become_the_expected_table(path: str) -> None:
    assert_expected(path)

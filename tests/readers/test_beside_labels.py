"""Columns beside the labels that are none: whether two labels are alike, and what nobody has filled in."""

from __future__ import annotations

import pytest

from metrics.readers import open_table, propose

GOLD, ANSWER = "ABABABAABB", "ABBBABAABA"


def table(name: str, *, swapped: bool = False, words: tuple[str, str] = ("False", "True")) -> bytes:
    rows = [f"q{k},{a},{b},{words[(a == b) != swapped]}" for k, (a, b) in enumerate(zip(GOLD, ANSWER, strict=True))]
    return "\n".join([f"id,correct_choice,judge_choice,{name}", *rows]).encode()


@pytest.mark.parametrize(("name", "swapped"), [("is_correct", False), ("match", False), ("mismatch", True), ("isEqual", False)])
@pytest.mark.parametrize("words", [("False", "True"), ("0", "1"), ("no", "yes")])
def test_whether_two_labels_are_alike_is_no_label(name: str, swapped: bool, words: tuple[str, str]) -> None:
    proposal = propose(open_table(table(name, swapped=swapped, words=words)))
    assert dict(proposal.columns) == {"human": "correct_choice", "verdict": "judge_choice", "item": "id"}
    assert {row.label: row.kind for row in proposal.labels} == {"A": "positive", "B": "negative"}


def test_a_judge_who_says_what_is_correct_is_a_judge() -> None:
    data = table("is_correct").replace(b"q0,A,A,True", b"q0,A,A,False")
    assert "is_correct" in dict(propose(open_table(data)).columns).values()


def test_columns_that_nobody_filled_in_are_named() -> None:
    proposal = propose(open_table(b"id,split,annotator,label_source,note\n" + b"".join(b"%d,dev,,,\n" % k for k in range(9))))
    assert proposal.missing == ("human", "verdict")
    first, second = (doubt.sentence for doubt in proposal.doubts[:2])
    assert "‘annotator’, ‘label_source’, ‘note’ are empty in every row." in first
    assert "empty" not in second


def test_numbered_models_are_sides_of_a_preference() -> None:
    rows = [f"q{k},{a},{b}" for k, (a, b) in enumerate(zip(GOLD, ANSWER, strict=True))]
    data = "\n".join(["id,human_winner,judge_winner", *rows, "q,tie,tie"]).replace("A", "model_1").replace("B", "model_2")
    proposal = propose(open_table(data.encode()))
    assert {row.label: row.kind for row in proposal.labels} == {"model_1": "positive", "model_2": "negative", "tie": "tie"}


def test_differences_of_scores_are_no_raters() -> None:
    head = "id,llm_tone,human_tone,diff_tone,llm_depth,human_depth,diff_depth,mean_abs_diff"
    rows = [f"q{k},{k % 4},{k % 3},{abs(k % 4 - k % 3)},{k % 5},{k % 4},{abs(k % 5 - k % 4)},0.{k % 4}" for k in range(30)]
    assert dict(propose(open_table("\n".join([head, *rows]).encode())).columns) == {
        "judge:llm::tone": "llm_tone", "human:human::tone": "human_tone",
        "judge:llm::depth": "llm_depth", "human:human::depth": "human_depth", "item": "id",
    }  # fmt: skip

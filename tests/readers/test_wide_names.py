"""Columns of labels by their names: a criterion behind the rater or before it, and what only looks like one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import metrics
from metrics.readers.wide_names import split_names


def keys(*columns: str) -> list[str]:
    return [column.key for column in split_names(columns)]


@pytest.mark.parametrize("mark", ["_", ".", " ", "__", ": ", "-"])
def test_a_criterion_behind_each_rater(mark: str) -> None:
    columns = [f"{rater}{mark}{criterion}" for rater in ("human", "gpt-4") for criterion in ("tone", "depth")]
    assert keys(*columns) == ["human:human::tone", "human:human::depth", "judge:gpt-4::tone", "judge:gpt-4::depth"]
    assert keys(*columns[::-1]) == ["judge:gpt-4::depth", "judge:gpt-4::tone", "human:human::depth", "human:human::tone"]


def test_several_people_and_names_of_two_words() -> None:
    columns = [
        f"{rater}_{criterion}" for rater in ("human_ana", "human_ben", "judge") for criterion in ("tone_of_voice", "depth")
    ]
    assert keys(*columns) == [
        "human:human_ana::tone_of_voice", "human:human_ana::depth", "human:human_ben::tone_of_voice", "human:human_ben::depth",
        "judge:judge::tone_of_voice", "judge:judge::depth",
    ]  # fmt: skip
    assert keys("human_tone_score", "human_depth_score", "llm_tone_score", "llm_depth_score")[0] == "human:human::tone_score"


@pytest.mark.parametrize(
    "columns",
    [
        ("human_1", "human_2", "judge_1", "judge_2"),
        ("human_a", "human_b", "judge_a", "judge_b"),
        ("human_r1", "human_r2", "judge_r1", "judge_r2"),
        ("human_label", "human_rating", "judge_label", "judge_rating"),
        ("human_gpt", "human_claude", "judge_gpt", "judge_claude"),
        ("human_ana", "human_ben", "judge_gpt", "judge_claude"),
        ("human_tone", "judge_tone"),
    ],
)
def test_what_is_no_cross_of_raters_and_criteria_has_no_criterion(columns: tuple[str, ...]) -> None:
    assert all(
        column.criterion is None or column.criterion in ("human", "judge", "gpt", "claude") for column in split_names(columns)
    )


SIDES = [
    ("gt", "pred"), ("pred", "gt"), ("manual", "auto"), ("reviewer", "system"), ("ref", "hyp"), ("ana", "gpt"), ("doctor", "ai"),
    ("claude", "gpt"), ("person", "machine"), ("expected", "actual"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), SIDES)
@pytest.mark.parametrize("behind", [True, False])
def test_raters_are_the_side_of_a_grid_that_is_called_like_some(first: str, second: str, *, behind: bool) -> None:
    columns = [f"{who}_{c}" if not behind else f"{c}_{who}" for who in (first, second) for c in ("tone", "depth", "facts")]
    split = split_names(columns)
    assert {wide.rater for wide in split} == {first, second}
    assert [wide.criterion for wide in split] == ["tone", "depth", "facts"] * 2


@pytest.mark.parametrize("end", ["_llm", " GPT-4", ".judge", "_human", "_pred"])
def test_one_side_may_have_no_word_of_its_own_before_that_of_the_other(end: str) -> None:
    split = split_names([f"{criterion}{tail}" for tail in ("", end) for criterion in ("tone", "depth", "facts")])
    assert [wide.criterion for wide in split] == ["tone", "depth", "facts"] * 2
    assert {wide.role for wide in split} == {"human", "judge"}
    assert {wide.rater for wide in split} - {"human", "judge"} <= {end[1:]}


@pytest.mark.parametrize("other", ["other", "gold", "is_adversarial", "difficult"])
@pytest.mark.parametrize("bare", [True, False])
def test_a_column_that_is_no_side_of_a_grid_leaves_it_a_grid(other: str, *, bare: bool) -> None:
    columns = [f"{who}{criterion}" for who in ("human_", "" if bare else "judge_") for criterion in ("tone", "depth")]
    split = split_names([other, *columns])
    assert {wide.column: wide.criterion for wide in split} == dict(zip(columns, ["tone", "depth"] * 2, strict=True))


@pytest.mark.parametrize("alone", [("human_depth",), ("judge_depth", "judge_facts"), ("human_depth", "judge_facts")])
def test_one_criterion_of_both_sides_is_read_beside_those_of_one(alone: tuple[str, ...]) -> None:
    assert keys("human_tone", "judge_tone", *alone) == ["human:human::tone", "judge:judge::tone"]


def test_one_side_may_have_a_longer_name_of_a_criterion() -> None:
    assert keys("hand_label", "judge_label", "hand_discloses", "judge_discloses_conflict", "hand_notes") == [
        "human:hand::label", "judge:judge::label", "human:hand::discloses", "judge:judge::discloses",
    ]  # fmt: skip
    assert keys("judge_tone_of_voice", "human_tone", "judge_depth", "human_depth") == [
        "judge:judge::tone", "human:human::tone", "judge:judge::depth", "human:human::depth",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "columns",
    [
        ("hand_label", "judge_label", "hand_discloses", "judge_pass"),
        ("hand_label", "judge_label", "hand_tone", "judge_tone_first", "judge_tone_second"),
        ("human_1", "judge_1", "human_2", "judge_2_again"),
    ],
)
def test_names_that_begin_alike_are_paired_where_just_two_do(columns: tuple[str, ...]) -> None:
    assert all(column.criterion is None for column in split_names(columns))


def test_a_criterion_of_one_rater_is_no_further_rater_of_the_one_that_several_have() -> None:
    assert keys("a_depth", "b_depth", "consensus_depth", "a_tone") == [
        "rater:a::depth", "rater:b::depth", "rater:consensus::depth",
    ]  # fmt: skip
    assert all(column.criterion is None for column in split_names(["a_depth", "b_depth", "tone", "c_tone"]))


def test_words_of_one_name_begin_with_capitals() -> None:
    names = [f"{who}{criterion}" for who in ("human", "gpt4") for criterion in ("Clarity", "Length")]
    assert [wide.criterion for wide in split_names(names)] == ["Clarity", "Length"] * 2


def test_a_column_that_says_but_that_it_holds_a_label_is_no_side_of_its_own() -> None:
    assert all(wide.criterion is None for wide in split_names(["tone", "tone_label", "depth", "depth_label"]))


def test_the_numbers_are_those_of_each_criterion() -> None:
    rng = np.random.default_rng(1)
    human = rng.integers(0, 2, (60, 2))
    judge = np.column_stack([human[:, 0], 1 - human[:, 1]])
    words = np.array(["no", "yes"])
    rows = ["id,human_tone,human_depth,judge_tone,judge_depth"]
    rows += [f"{i},{','.join(words[human[i]])},{','.join(words[judge[i]])}" for i in range(60)]
    with pytest.raises(metrics.InputError) as refused:
        metrics.read("\n".join(rows).encode())
    assert "human:human::tone" in str(refused.value)
    columns = {f"{who}:{who}::{on}": f"{who}_{on}" for who in ("human", "judge") for on in ("tone", "depth")}
    report = metrics.agreement(metrics.read("\n".join(rows).encode(), columns={"item": "id", **columns})).judges["judge"]
    assert report.criteria["tone"]["accuracy"].value == 1
    assert report.criteria["depth"]["accuracy"].value == 0


def test_a_part_that_columns_begin_with_is_a_criterion_only_where_the_rest_names_raters() -> None:
    assert keys("err_tone", "err_fact_data", "err_depth") == ["rater:err_tone", "rater:err_fact_data", "rater:err_depth"]
    assert keys("tone_ana", "tone_ben", "depth_ana", "depth_ben")[0] == "rater:ana::tone"
    names = ("context_relevance", "answer_relevance", "answer_correctness")
    assert keys(*names) == [f"rater:{name}" for name in names]
    assert keys("tone_human", "tone_judge") == ["human:human::tone", "judge:judge::tone"]


@pytest.mark.parametrize("end", ["verdict", "label", "score"])
def test_a_record_of_verdicts_by_criterion_is_that_of_one_judge(end: str) -> None:
    columns = [f"verdicts.{criterion}.{end}" for criterion in ("faithful", "relevant")]
    assert keys(*columns) == ["judge:judge::faithful", "judge:judge::relevant"]
    assert [column.column for column in split_names(columns)] == columns


def test_records_of_both_sides_by_criterion() -> None:
    human = [f"human.labels.{criterion}" for criterion in ("faithful", "relevant")]
    judge = [f"judge.{criterion}.verdict" for criterion in ("faithful", "relevant")]
    split = split_names([*human, *judge])
    assert [column.key for column in split] == [
        "human:human::faithful", "human:human::relevant", "judge:judge::faithful", "judge:judge::relevant"
    ]  # fmt: skip
    assert [column.column for column in split] == [*human, *judge]


def test_raters_by_letters_stand_before_criteria_of_several_words() -> None:
    columns = [f"{rater}_{criterion}" for rater in ("a", "b", "consensus") for criterion in ("tone", "non_fabrication")]
    assert keys(*columns)[:2] == ["rater:a::tone", "rater:a::non_fabrication"]
    assert keys(*columns)[-1] == "rater:consensus::non_fabrication"


@pytest.mark.parametrize("case", [str.upper, str.lower])
def test_models_in_capitals_are_the_judges_that_they_are_in_small_letters(case: Callable[[str], str]) -> None:
    raters = [case(name) for name in ("human", "gpt-4o-mini", "claude-3.5-sonnet", "llama_3_70b")]
    split = split_names([f"{rater}_{case(name)}" for rater in raters for name in ("accuracy", "tone")])
    assert list(dict.fromkeys(wide.rater for wide in split)) == raters
    assert {wide.role for wide in split if wide.rater != raters[0]} == {"judge"}

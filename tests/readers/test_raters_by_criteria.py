"""Tables with a row for each item and rater and a column for each criterion, alone and joined with a judge's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose

CRITERIA = ("tone", "depth", "facts")
PEOPLE, JUDGES = ("ana", "ben"), ("gpt-4o", "claude")


def sheet(
    raters: tuple[str, ...], column: str, seed: int = 1, n: int = 20, words: tuple[str, ...] = ("no", "yes")
) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        {"item_id": f"q{k}", column: rater, **{name: str(rng.choice(words)) for name in CRITERIA}, "comment": f"c{k}"}
        for k in range(n)
        for rater in raters
    ]
    return pd.DataFrame(rows)


def table(frame: pd.DataFrame) -> Any:
    return open_table(frame.to_csv(index=False).encode())


CALLED = ("annotator", "annotator_id", "rater", "evaluator", "labeled_by", "reviewer", "Rated by", "who", "by", "created_by",
          "évaluateur", "anotador", "评审", "PROLIFIC_PID", "assessor")  # fmt: skip


@pytest.mark.parametrize("column", CALLED)
def test_each_cell_is_a_rating_of_the_rater_of_its_row(column: str) -> None:
    frame = sheet(PEOPLE, column)
    opened = table(frame)
    assert opened.n_rows == 20 * 2 * 3
    proposal = propose(opened)
    assert proposal.shape == "raters"
    assert proposal.criteria == CRITERIA
    ratings = metrics.read(frame, columns=proposal.columns_answer, roles={"ana": "human", "ben": "judge"})
    by_hand = np.mean(frame[frame[column] == "ana"]["depth"].to_numpy() == frame[frame[column] == "ben"]["depth"].to_numpy())
    assert metrics.agreement(ratings).judges["ben"].criteria["depth"]["accuracy"].value == pytest.approx(by_hand)
    assert ratings.reasons(np.array([0]))[0] == "c0"


@pytest.mark.parametrize("column", [*CALLED, "name", "Email Address", "initials"])
@pytest.mark.parametrize("long", [True, False])
def test_a_judge_between_people_is_a_rater_whatever_the_column_is_called(column: str, *, long: bool) -> None:
    frame = sheet(("ana", "ben", "gpt-4o"), column).drop(columns="comment")
    frame = frame.melt(id_vars=["item_id", column], var_name="criterion", value_name="label") if long else frame
    proposal = propose(table(frame))
    assert (proposal.shape, proposal.column("rater"), set(proposal.criteria)) == ("raters", column, set(CRITERIA))
    assert "rater" in proposal.guessed or column == "rater"


@pytest.mark.parametrize(("column", "raters"), [("model", ("ana", "gpt-4o")), ("topic", ("AI", "law")), ("system", ("a", "b"))])
def test_who_wrote_an_output_and_what_an_item_is_about_are_no_raters(column: str, raters: tuple[str, ...]) -> None:
    frame = sheet(raters, column)
    if column == "topic":
        frame["item_id"] = range(len(frame))
    assert propose(table(frame)).column("rater") != column


def test_an_empty_cell_is_no_rating_and_every_row_keeps_its_number() -> None:
    frame = sheet(PEOPLE, "annotator")
    frame.loc[3, "tone"] = ""
    opened = table(frame)
    assert opened.n_rows == 119
    assert [opened.number(place) for place in (0, 3, 118)] == [2, 3, 41]


def test_a_row_without_any_label_is_counted() -> None:
    frame = sheet(PEOPLE, "annotator")
    frame.loc[5, list(CRITERIA)] = ""
    ratings = metrics.read(frame, columns={"rater": "annotator", "item": "item_id"}, roles={"ana": "human", "ben": "judge"})
    assert ratings.source.rows == 118  # 39 rows of three ratings, and one of none
    assert metrics.agreement(ratings).judges["ben"].criteria["depth"].n == 19


def test_who_is_human_may_stand_in_the_place_of_the_rater() -> None:
    frame = sheet(("human", "llm"), "who_said_it")
    assert metrics.read(frame, columns={"item": "item_id"}).judges == ("llm",)


@pytest.mark.parametrize(
    "frame",
    [
        sheet(("ana",), "annotator").rename(columns={"tone": "first tone", "depth": "second tone"}),
        sheet(PEOPLE, "annotator").assign(item_id=range(40)).rename(columns={"tone": "Ana", "depth": "ben"}),
        sheet(PEOPLE, "annotator").assign(item_id=range(40)).rename(columns={"tone": "gpt-4o", "depth": "claude"}),
        sheet(PEOPLE, "annotator", n=1).assign(item_id=range(2)),
        sheet(PEOPLE, "annotator").rename(columns={"tone": "label"}),
        sheet(PEOPLE, "annotator").rename(columns={"tone": "human_tone", "depth": "judge_tone"}),
        sheet(PEOPLE, "annotator")[["item_id", "annotator", "tone", "comment"]],
    ],
    ids=[
        "labelled twice",
        "raters behind a rater",
        "judges behind a rater",
        "few items of one rater each",
        "a column of labels",
        "sides in the names",
        "one criterion",
    ],
)
def test_other_tables_stay_as_they_are(frame: pd.DataFrame) -> None:
    assert table(frame).n_rows == len(frame)


@pytest.mark.parametrize("people", [("ana",), PEOPLE])
def test_people_who_share_items_out_label_them_on_the_criteria(people: tuple[str, ...]) -> None:
    frame = sheet(people, "annotator")
    opened = table(frame.assign(item_id=range(len(frame))))
    assert (opened.n_rows, opened.coded("criterion").names) == (3 * len(frame), CRITERIA)
    assert propose(opened).column("criterion") == "criterion"


@pytest.mark.parametrize(("source", "roles"), [({}, {"CB": None}), ({"label_source": "human"}, {})])
def test_one_person_who_is_named_in_every_row_gave_all_labels(source: dict[str, str], roles: dict[str, None]) -> None:
    frame = sheet(("CB",), "annotator").rename(columns={"item_id": "review_id"}).assign(**source)
    found = propose(table(frame))
    assert (found.shape, found.missing, found.criteria) == ("raters", (), CRITERIA)
    assert (found.column("rater"), found.column("item"), dict(found.roles)) == ("annotator", "review_id", roles)
    with pytest.raises(metrics.InputError, match=r"comes from ‘CB’\. Agreement needs a human and a judge"):
        metrics.agreement(metrics.read(frame, columns=found.columns_answer))


def test_without_an_item_of_two_people_nothing_is_said_of_them() -> None:
    frame = sheet(PEOPLE, "annotator").assign(item_id=range(40))
    overview = repr(metrics.overview(metrics.read(frame, columns=propose(table(frame)).columns_answer)))
    assert "no item has labels of two people. Have two people label 10 items or more." in " ".join(overview.split())


@pytest.mark.parametrize("column", ["model", "judge_model"])
def test_joined_with_the_columns_of_judges(tmp_path: Path, column: str) -> None:
    people, judges = sheet(PEOPLE, "annotator"), sheet(JUDGES, column, seed=2)
    paths = [tmp_path / "people.csv", tmp_path / "judges.csv"]
    for path, frame in zip(paths, (people, judges), strict=True):
        frame.to_csv(path, index=False)
    proposal = propose(open_table(paths))
    ratings = metrics.read(paths, columns=proposal.columns_answer, roles=dict.fromkeys(JUDGES, "judge"))
    assert (ratings.humans, ratings.judges, ratings.criteria) == (PEOPLE, JUDGES, CRITERIA)
    by_hand = np.mean(
        people[people.annotator == "ana"]["tone"].to_numpy() == judges[judges[column] == "claude"]["tone"].to_numpy()
    )
    block = metrics.agreement(ratings, reference="ana").judges["claude"].criteria["tone"]
    assert block["accuracy"].value == pytest.approx(by_hand)
    one = judges[judges[column] == "claude"]
    one.to_csv(paths[1], index=False)
    alone = metrics.read(paths, columns=propose(open_table(paths)).columns_answer)
    name = "judges" if column == "model" else "claude"
    assert metrics.agreement(alone, reference="ana").judges[name].criteria["tone"]["accuracy"].value == pytest.approx(by_hand)


@pytest.mark.parametrize("name", ["correct_next_step", "answer_quality", "reasoning", "source_quality"])
@pytest.mark.parametrize("words", [("fail", "pass"), ("no", "yes"), ("false", "true")])
def test_a_criterion_is_one_whatever_its_name_where_its_cells_are_verdicts(name: str, words: tuple[str, ...]) -> None:
    frame = sheet(PEOPLE, "annotator", words=words).rename(columns={"depth": name})
    assert set(propose(table(frame)).criteria) == {"tone", name, "facts"}


@pytest.mark.parametrize(("name", "criterion"), [("answer_quality", True), ("turn", False), ("prompt_version", False)])
def test_numbers_are_ratings_unless_the_name_ends_with_what_rows_are_numbered_by(name: str, *, criterion: bool) -> None:
    frame = sheet(PEOPLE, "annotator", words=("1", "2", "3")).rename(columns={"depth": name})
    assert (name in propose(table(frame)).criteria) is criterion


@pytest.mark.parametrize("words", [("1", "2", "3"), ("no", "yes")])
@pytest.mark.parametrize("name", ["explanation_quality", "comment_tone", "length"])
def test_what_is_rated_as_other_criteria_are_is_one_too(name: str, words: tuple[str, ...]) -> None:
    frame = sheet(PEOPLE, "annotator", words=words).rename(columns={"depth": name})
    assert set(propose(table(frame)).criteria) == {"tone", name, "facts"}


@pytest.mark.parametrize(
    ("of", "criterion"), [(("item_id", "annotator"), True), (("item_id",), False), (("annotator",), False)], ids=str
)
def test_words_of_its_own_make_a_criterion_where_raters_of_an_item_differ(of: tuple[str, ...], *, criterion: bool) -> None:
    frame = sheet(PEOPLE, "annotator")
    said = frame.groupby(list(of)).ngroup().map(lambda at: ("formal", "casual", "rude")[at % 3])
    proposal = propose(table(frame.assign(style=said)))
    assert ("style" in proposal.criteria) is criterion


@pytest.mark.parametrize(
    ("name", "criterion"), [("overall", True), ("fluency", True), ("position", False), ("confidence", False)]
)
def test_grades_beside_yes_and_no_make_a_criterion(name: str, *, criterion: bool) -> None:
    frame = sheet(PEOPLE, "rater")
    frame[name] = np.random.default_rng(5).integers(1, 6, len(frame))
    assert set(propose(table(frame)).criteria) == {*CRITERIA, *([name] if criterion else [])}
    by_person = frame["rater"].map({"ana": 31, "ben": 42})
    assert "age_in_years" not in propose(table(frame.assign(age_in_years=by_person))).criteria


@pytest.mark.parametrize("name", ["confidence", "shift_source", "annotator_role", "comment"])
def test_words_that_stand_beside_an_answer_are_no_criterion(name: str) -> None:
    frame = sheet(PEOPLE, "annotator")
    frame[name] = np.random.default_rng(5).choice(["morning", "noon", "night"], len(frame))
    assert set(propose(table(frame)).criteria) == set(CRITERIA)


def test_files_of_two_raters_share_a_criterion_with_words_of_its_own(tmp_path: Path) -> None:
    rng, paths = np.random.default_rng(6), [tmp_path / "people.csv", tmp_path / "judge.csv"]
    topic = rng.choice(["billing", "shipping"], 20)
    frames = [sheet(("x",), "of", seed=seed).assign(style=rng.choice(["formal", "rude"], 20), topic=topic) for seed in (1, 2)]
    for path, frame in zip(paths, frames, strict=True):
        frame.drop(columns=["of", "comment"]).to_csv(path, index=False)
    proposal = propose(open_table(paths))
    assert set(proposal.criteria) == {*CRITERIA, "style"}
    ratings = metrics.read(
        paths, columns={**proposal.columns_answer, "role:people": "human"}, labels={"formal": "class", "rude": "class"}
    )
    block = metrics.agreement(ratings).judges["judge"].criteria["style"]
    assert block["accuracy"].value == pytest.approx(np.mean(frames[0]["style"] == frames[1]["style"]))


@pytest.mark.parametrize("names", ["human_{}", "{}_human"])
def test_a_table_of_columns_has_a_criterion_with_words_of_its_own(names: str) -> None:
    rng = np.random.default_rng(7)
    frame = pd.DataFrame({"id": [f"q{k}" for k in range(30)]})
    for side in (names, names.replace("human", "gpt4")):
        for name, words in (("tone", ("no", "yes")), ("facts", ("no", "yes")), ("style", ("formal", "casual", "rude"))):
            frame[side.format(name)] = rng.choice(words, 30)
    assert set(propose(table(frame)).criteria) == {"tone", "facts", "style"}


OTHERS = [
    "human_likeness", "human_tone", "model_fit", "gold_match", "expert_level", "ai_disclosure", "reference", "reference_use",
    "judge_alignment", "rater_guidance", "verdict_clarity", "label_consistency", "duration", "safety_reason", "explanation",
]  # fmt: skip
"""Criteria that are called after people, judges, times or reasons."""


@pytest.mark.parametrize("name", [*OTHERS, "score"])
def test_beside_people_and_judges_in_rows_a_criterion_may_be_called_after_either(name: str) -> None:
    frame = sheet(("expert", "gpt-4o"), "rater").rename(columns={"depth": name})
    assert set(propose(table(frame)).criteria) == {"tone", name, "facts"}


@pytest.mark.parametrize("order", ["{side}_{name}", "{name}_{side}", "{side}: {name}"])
@pytest.mark.parametrize("name", [*OTHERS[:11], "comment_tone"])
def test_behind_or_before_a_rater_a_criterion_may_be_called_after_either(name: str, order: str) -> None:
    rng, names = np.random.default_rng(8), ("tone", "depth", name)
    columns = {order.format(side=side, name=one): rng.choice(("no", "yes"), 30) for one in names for side in ("human", "gpt-4o")}
    frame = pd.DataFrame({"id": [f"q{k}" for k in range(30)]} | columns)
    proposal = propose(table(frame))
    ratings = metrics.read(frame, columns=proposal.columns_answer)
    assert (set(ratings.criteria), ratings.humans, ratings.judges) == (set(names), ("human",), ("gpt-4o",))
    for one in names:
        by_hand = np.mean(frame[order.format(side="human", name=one)] == frame[order.format(side="gpt-4o", name=one)])
        assert metrics.agreement(ratings).judges["gpt-4o"].criteria[one]["accuracy"].value == pytest.approx(by_hand)


def test_a_score_beside_labels_of_another_kind_makes_no_criterion() -> None:
    frame = sheet(PEOPLE, "annotator").assign(score=np.random.default_rng(9).choice(["0.2", "0.7", "0.9"], 40))
    assert table(frame).n_rows == len(frame)


def test_what_is_alike_in_all_ratings_of_an_item_is_known_of_it_and_named() -> None:
    frame = sheet(("expert", "gpt-4o"), "rater", n=40)
    frame["adversarial"] = [("yes", "no")[k // 2 % 2] for k in range(len(frame))]
    frame["safe"] = "yes"
    read = table(frame)
    assert set(propose(read).criteria) == set(CRITERIA)
    assert any("all raters of an item say the same: ‘adversarial’" in note for note in read.notes)
    assert any("every row says the same: ‘safe’" in note for note in read.notes)
    frame["json"] = [("no", "yes")[k >= 10] for k in range(len(frame))]  # five items of which all say no are no property
    assert "json" in propose(table(frame)).criteria
    few = sheet(("expert", "gpt-4o"), "rater", n=12)  # so few may agree by themselves
    few["facts"] = [("yes", "no")[k // 2 % 2] for k in range(len(few))]
    assert set(propose(table(few)).criteria) == set(CRITERIA)


def test_a_column_of_evaluators_that_are_criteria_makes_no_raters() -> None:
    rng = np.random.default_rng(10)
    rows = [{"log_id": f"q{k}", "evaluator": name} for k in range(20) for name in ("correctness", "conciseness")]
    frame = pd.DataFrame(rows).assign(evaluator_pass=rng.choice(["True", "False"], 40))
    frame["user_feedback_pass"] = rng.choice(["True", "False"], 40)
    columns = dict(propose(table(frame)).columns)
    assert (columns["criterion"], columns["verdict"], columns["human"]) == ("evaluator", "evaluator_pass", "user_feedback_pass")


def test_a_judge_s_column_beside_answers_of_workers_is_no_criterion() -> None:
    rng = np.random.default_rng(11)
    frame = pd.DataFrame([{"HITId": f"q{k}", "WorkerId": f"w{w}"} for k in range(20) for w in range(2)])
    frame["Answer.accuracy"] = rng.choice(["yes", "no"], 40)
    frame["Input.gpt4_accuracy"] = np.repeat(rng.choice(["yes", "no"], 20), 2)
    assert table(frame).n_rows == len(frame)


def of_outputs(who: str = "evaluator", part: str = "summary") -> pd.DataFrame:
    """Return two people's grades of two outputs of each sample on three criteria, a column for each output on each."""
    rng = np.random.default_rng(7)
    rows = [
        {"sample_id": k, who: rater, **{f"{part}_{j}_{name}": rng.integers(1, 6) for j in (1, 2) for name in CRITERIA}}
        for k in range(20)
        for rater in PEOPLE
    ]
    return pd.DataFrame(rows)


def test_numbered_outputs_on_each_criterion_are_items_and_no_criteria_of_raters_called_like_criteria() -> None:
    frame = of_outputs()
    opened = table(frame)
    proposal = propose(opened)
    assert (proposal.criteria, opened.n_rows) == (CRITERIA, 20 * 2 * 2 * 3)
    ratings = metrics.read(frame, columns=proposal.columns_answer, scale="ordinal", roles={"ana": "human", "ben": "judge"})
    assert ratings.n_items == 40
    ana, ben = (frame[frame["evaluator"] == rater].filter(like="_depth").to_numpy() for rater in PEOPLE)
    by_hand = pytest.approx((ana == ben).mean())
    assert metrics.agreement(ratings).judges["ben"].criteria["depth"]["accuracy"].value == by_hand


@pytest.mark.parametrize("part", ["coder", "round", "judge"])
def test_numbered_raters_and_turns_on_each_criterion_are_no_outputs(part: str) -> None:
    assert "output" not in table(of_outputs(part=part)).columns

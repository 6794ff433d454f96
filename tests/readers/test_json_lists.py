"""Records with a list of records inside: each entry is a row, with the fields around it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import metrics
from metrics.readers import open_table, propose
from metrics.readers.json_lists import levels, listed_records

LABELS = ("no", "yes")


def ratings_of(place: int, **others: Any) -> dict[str, Any]:
    people = [{"rater": who, "role": "human", "label": LABELS[(place + step) % 3 > 0]} for step, who in enumerate("ab")]
    return {
        "item": f"i{place}",
        "ratings": [*people, {"rater": "gpt", "role": "judge", "label": LABELS[place % 4 > 0]}],
        **others,
    }


RECORDS = [ratings_of(place) for place in range(40)]
FLAT = [{"item": record["item"], **one} for record in RECORDS for one in record["ratings"]]


@pytest.mark.parametrize("lines", [True, False])
def test_entries_are_rows(lines: bool) -> None:
    data = "\n".join(map(json.dumps, RECORDS)) if lines else json.dumps(RECORDS)
    ratings, flat = metrics.read(data.encode()), metrics.read(json.dumps(FLAT).encode())
    assert metrics.agreement(ratings).to_dict()["judges"] == metrics.agreement(flat).to_dict()["judges"]
    assert ratings.source.notes[0] == "Each entry of ‘ratings’ is a row; the other fields of its record are repeated."
    assert ratings.record_numbers(ratings.row[:4]).tolist() == [1, 1, 1, 2]


def test_names_that_stand_around_too_keep_their_list() -> None:
    records = [{"label": "kept", **record} for record in RECORDS]
    found = listed_records(records)
    assert found is not None
    assert found.before == "ratings."
    row = next(found.rows(records[0]))
    assert row == {"label": "kept", "item": "i0", "ratings.rater": "a", "ratings.role": "human", "ratings.label": LABELS[0]}


def test_a_record_without_a_list_is_one_row_and_a_line_that_is_none_keeps_the_numbers() -> None:
    lines = [*map(json.dumps, RECORDS[:20]), "{broken", *map(json.dumps, RECORDS[20:]), json.dumps({"item": "last"})]
    ratings = metrics.read("\n".join(lines).encode(), skip_bad_rows=True)
    assert ratings.left_out.rows.tolist() == [21, 42]
    assert ratings.record_numbers(ratings.row[[59, 60, -1]]).tolist() == [20, 22, 41]


@pytest.mark.parametrize(
    "records",
    [
        [{"item": "a", "tags": ["x", "y"]}],
        [{"item": "a", "one": [{"rater": "r", "label": 1}], "two": [{"rater": "r", "label": 1}]}],
        [{"item": "a", "one": [{"rater": "r", "label": 1}]}, {"item": "b"}],
        [{"item": "a", "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}],
        [{"item": "a", "contexts": [{"source": "wiki", "score": 0.8}, {"source": "web", "score": 0.1}]}],
        [{"item": "a", "choices": [{"label": "A", "text": "x"}, {"label": "B", "text": "y"}]}],
        [{"item": "a", "rating": [{"rating": 5}]}],
        [{"item": "a", "rubrics": [{"criterion": "polite", "points": 5}, {"criterion": "short", "points": -2}]}],
        [{"item": "a", "verdict": "yes", "scores": [{"metric": "tone", "result": 1}]}],
        [{"item": "a", "in": {"one": [{"rater": "r", "label": 1}]}, "two": [{"rater": "r", "label": 1}]}],
        [{"item": "a", "one": []}],
        [{"item": "a", "one": [{"rater": "r", "label": 1}, 2]}],
        [],
    ],
)
def test_other_lists_stay_as_they_are(records: list[dict[str, Any]]) -> None:
    assert listed_records(records) is None


def test_people_in_a_list_beside_one_verdict() -> None:
    people = [
        [{"annotator": who, "label": LABELS[(place + step) % 3 > 0]} for step, who in enumerate("ab")] for place in range(40)
    ]
    records = [{"id": place, "annotations": own, "llm_label": LABELS[place % 4 > 0]} for place, own in enumerate(people)]
    with pytest.raises(metrics.InputError) as refused:
        metrics.read(json.dumps(records).encode())
    assert '"rater": "annotator"' in str(refused.value)
    assert "criterion" not in str(refused.value)
    columns = {"human": "label", "verdict": "llm_label", "item": "id", "rater": "annotator"}
    ratings = metrics.read(json.dumps(records).encode(), columns=columns)
    assert [(rater.name, rater.role) for rater in ratings.raters] == [("a", "human"), ("b", "human"), ("judge", "judge")]
    assert len(ratings.items) == 40


def test_a_list_within_records_is_found_and_what_led_to_it_alone_goes_with_it() -> None:
    """The calls of Weave, with what people said of them among its own fields."""
    records = [
        {
            "id": f"call {place}",
            "output": {"scores": {"judge": {"passed": place % 4 > 0, "reasoning": "as asked"}}},
            "summary": {
                "latency_ms": 900 + place,
                "weave": {
                    "feedback": [{"feedback_type": "annotation.Correct", "creator": "mia", "payload": {"value": place % 3 > 0}}]
                },
            },
        }
        for place in range(40)
    ]
    with pytest.raises(metrics.InputError) as refused:
        metrics.read(json.dumps(records).encode())
    columns = {"human": "summary.weave.feedback.payload.value", "verdict": "output.scores.judge.passed", "item": "id"}
    assert all(f"{role} is" in str(refused.value) for role in columns)
    found = listed_records(records)
    assert found is not None
    assert next(found.rows(records[0])) == {
        "id": "call 0", "output": records[0]["output"], "summary": {"latency_ms": 900},
        "feedback_type": "annotation.Correct", "creator": "mia", "payload": {"value": False},
    }  # fmt: skip
    ratings = metrics.read(json.dumps(records).encode(), columns={**columns, "human": "payload.value", "rater": "creator"})
    assert [(rater.name, rater.role) for rater in ratings.raters] == [("mia", "human"), ("judge", "judge")]
    assert metrics.agreement(ratings).judges["judge"].to_dict()["micro"]["confusion"] == [[20, 6], [10, 4]]


def test_verdicts_by_criterion_without_a_rater_are_rows_and_lists_within_lists_are_too() -> None:
    """The scores of Bedrock's judge, and reviews that hold ratings by criterion."""
    scored = [{"id": n, "outcome": {"scores": [{"metricName": name, "result": n % 2} for name in "ab"]}} for n in range(4)]
    assert [row["metricName"] for record in scored for row in levels(scored)[0].rows(record)] == list("ab" * 4)
    parts = [{"criterion": name, "score": 1} for name in "ab"]
    reviews = [{"id": n, "reviews": [{"reviewer": who, "parts": parts} for who in "yz"]} for n in range(4)]
    outer, inner = levels(reviews)
    assert [outer.field, inner.field] == ["reviews", "parts"]
    rows = [deep for record in reviews for row in outer.rows(record) for deep in inner.rows(row)]
    assert len(rows) == 16
    assert rows[3] == {"id": 0, "reviewer": "z", "criterion": "b", "score": 1}


def test_entries_with_the_labels_of_both_sides_are_criteria() -> None:
    names = ("tone", "depth")
    records = [
        {
            "id": f"q{k}",
            "rubric": [{"name": name, "human": k % 3 > 0, "judge": (k + at) % 4 > 0} for at, name in enumerate(names)],
        }
        for k in range(24)
    ]
    ratings = metrics.read(json.dumps(records).encode(), columns={"item": "id", "criterion": "name", "verdict": "judge"})
    assert ratings.criteria == names
    blocks = metrics.agreement(ratings).judges["judge"].criteria
    assert [blocks[name].confusion.sum() for name in names] == [24, 24]


@pytest.mark.parametrize(
    ("keys", "called"), [(("human", "judge"), "rater"), (("tone", "depth"), "criterion"), (("a", "b"), "part")]
)
def test_lists_by_name_are_told_apart_by_it(keys: tuple[str, str], called: str) -> None:
    ids = [[f"q{k}" for k in range(9)]] * 2 if called != "part" else [[f"{key}{k}" for k in range(9)] for key in keys]
    whole = {
        key: [{"id": name, "label": LABELS[(k + at) % 2]} for k, name in enumerate(own)]
        for at, (key, own) in enumerate(zip(keys, ids, strict=True))
    }
    table = open_table(json.dumps(whole).encode())
    assert table.columns == (called, "id", "label")
    assert table.coded(called).names == keys
    assert f"the name is the column ‘{called}’" in table.notes[0]


def people_and_judges(k: int) -> dict[str, Any]:
    return {
        "input": {"id": k},
        "annotations": [{"annotator": "ana", "label": k % 3 > 0}, {"annotator": "ben", "label": k % 4 > 0}],
        "judgments": [{"model": "gpt-4o", "verdict": "PASS" if k % 5 else "FAIL", "why": f"w{k}"}],
    }


@pytest.mark.parametrize("within", [None, {"config": {"prompts": ["a", "b"]}, "metadata": {"n": 24}}])
def test_lists_of_both_sides_are_rows_in_one_form(within: dict[str, Any] | None) -> None:
    records = [people_and_judges(k) for k in range(24)]
    data = json.dumps(records if within is None else {**within, "results": records}).encode()
    ratings = metrics.read(data, columns={"item": "input.id"})
    assert (ratings.humans, ratings.judges, ratings.n_items) == (("ana", "ben"), ("gpt-4o",), 24)
    assert any(note == "Each entry of ‘annotations’ and ‘judgments’ is a row; the other fields of its record are repeated."
               for note in ratings.source.notes)  # fmt: skip


def test_two_lists_of_one_side_stay_as_they_are() -> None:
    records = [{"id": k, "first": [{"rater": "a", "label": 1}], "second": [{"rater": "b", "label": 1}]} for k in range(9)]
    assert listed_records(records) is None


def test_requirements_that_are_met_are_rows() -> None:
    records = [
        {"task_id": f"t{k}", "rubric_items": [{"id": f"R{n}", "text": "x", "met": True} for n in range(2)]} for k in range(9)
    ]
    found = listed_records(records)
    assert found is not None
    assert found.field == "rubric_items"
    passages = [{"q": "x", "contexts": [{"id": f"d{n}", "score": 0.5} for n in range(2)]} for _ in range(9)]
    assert listed_records(passages) is None


def test_records_by_id_of_each_side() -> None:
    whole = {side: {f"t{k}": {"c1": k % 3 > 0, "c2": k % 4 > at} for k in range(24)} for at, side in enumerate(("human", "llm"))}
    ratings = metrics.read(json.dumps(whole).encode(), columns={"item": "id"})
    assert (ratings.criteria, ratings.humans, ratings.judges) == (("c1", "c2"), ("human",), ("llm",))
    turned = [{"id": name, **{side: whole[side][name] for side in whole}} for name in whole["human"]]
    proposal = propose(open_table(json.dumps(turned).encode()))
    assert dict(proposal.columns)["human:human::c1"] == "human.c1"


SHUFFLED = [
    {"id": k, "human_label": LABELS[k % 2], "evaluations": [{"model": m, "label": LABELS[(k + (m == "o3")) % 2]} for m in models]}
    for k in range(24)
    for models in [("gpt-4", "o3")[:: 1 if k % 3 else -1]]
]


@pytest.mark.parametrize("field", ["model", "judge", "name", "grader", "evaluator", "judge_model", "llm", "id"])
def test_judges_in_lists_are_told_apart_by_name_and_not_by_place(field: str) -> None:
    records = [
        {**record, "evaluations": [{field: one["model"], "label": one["label"]} for one in record["evaluations"]]}
        for record in SHUFFLED
    ]
    ratings = metrics.read(json.dumps(records).encode(), columns={"item": "id"})
    report = metrics.agreement(ratings)
    assert {name: report.judges[name].micro["accuracy"].value for name in ("gpt-4", "o3")} == {"gpt-4": 1.0, "o3": 0.0}


@pytest.mark.parametrize("field", ["human_label", "label"])
def test_lists_of_judges_stand_in_records_of_one_criterion(field: str) -> None:
    records = [
        {"criterion": name, field: record["human_label"], **{key: record[key] for key in ("id", "evaluations")}}
        for record in SHUFFLED
        for name in ("tone", "depth")
    ]
    ratings = metrics.read(json.dumps(records).encode(), columns={"item": "id"})
    assert (set(ratings.criteria), ratings.n_items) == ({"tone", "depth"}, 24)
    judges = metrics.agreement(ratings).judges
    assert {name: judge.criteria["tone"]["accuracy"].value for name, judge in judges.items()} == {"gpt-4": 1.0, "o3": 0.0}


def test_a_label_beside_two_lists_is_not_hidden_by_theirs() -> None:
    rated = [{"annotator": who, "label": "MET"} for who in ("ana", "ben")]
    records = [{**record, "annotations": rated, "label": "UNMET"} for record in SHUFFLED]
    table = open_table(json.dumps(records).encode())
    assert table.coded("label").names == ("UNMET",)


@pytest.mark.parametrize("field", ["user", "name", "email", "by", "who"])
def test_people_in_lists_are_told_apart_by_name_too(field: str) -> None:
    records = [
        {
            "id": k,
            "judge_label": LABELS[k % 2],
            "human_annotations": [{field: who, "label": LABELS[k % 2]} for who in ("ana", "ben")],
        }
        for k in range(24)
    ]
    ratings = metrics.read(json.dumps(records).encode(), columns={"item": "id"})
    assert (set(ratings.humans), ratings.judges) == ({"ana", "ben"}, ("judge",))


@pytest.mark.parametrize("field", ["criterion", "metric", "id", "name", "question", "text"])
@pytest.mark.parametrize("sides", [("human", "judge"), ("human_scores", "llm_scores")])
def test_lists_of_both_sides_name_their_criteria(field: str, sides: tuple[str, str]) -> None:
    records = [
        {
            "item": f"q{k}",
            sides[0]: [{field: name, "score": k % 5} for name in ("help", "safe")],
            sides[1]: [{field: name, "score": (k + (name == "safe")) % 5, "reason": "x"} for name in ("safe", "help")],
        }
        for k in range(25)
    ]
    ratings = metrics.read(json.dumps(records).encode(), scale="ordinal")
    assert set(ratings.criteria) == {"help", "safe"}
    blocks = metrics.agreement(ratings).judges[ratings.judges[0]].criteria
    assert (blocks["help"]["accuracy"].value, blocks["safe"]["accuracy"].value) == (1.0, 0.0)


def test_lists_of_one_length_are_on_the_criteria_that_one_of_them_names() -> None:
    records = [{"item": k, "criteria": ["help", "safe"], "human": [k % 2, 1], "judge": [k % 2, k % 3 > 0]} for k in range(24)]
    ratings = metrics.read(json.dumps(records).encode(), columns={"verdict": "judge"})
    assert (ratings.criteria, ratings.n_items) == (("help", "safe"), 24)


def test_claims_without_a_name_are_numbered() -> None:
    claims = [{"text": "x", "human_label": "yes", "judge_label": "no"}, {"text": "x", "human_label": "no", "judge_label": "no"}]
    records = [{"id": f"q{k}", "claims": claims[: 1 + k % 2]} for k in range(24)]
    table = open_table(json.dumps(records).encode())
    assert table.coded("claim").names == ("1", "2")
    assert len(propose(table).criteria) == 1


@pytest.mark.parametrize("flat", [True, False])
def test_people_by_the_names_of_criteria_beside_a_judge_s_list(flat: bool) -> None:
    records = []
    for k in range(24):
        human = {"human_help": k % 5, "human_safe": k % 4} if flat else {"human": {"help": k % 5, "safe": k % 4}}
        judge = [{"criterion": "help", "score": k % 5}, {"criterion": "safe", "score": 0}]
        records.append({"item": f"q{k}", **human, "judge": judge})
    ratings = metrics.read(json.dumps(records).encode(), scale="ordinal")
    assert (set(ratings.criteria), ratings.humans, ratings.judges) == ({"help", "safe"}, ("human",), ("judge",))
    assert metrics.agreement(ratings).judges["judge"].criteria["help"]["accuracy"].value == 1.0


def test_several_guesses_of_one_judge_are_no_ratings() -> None:
    guesses = [{"label": "yes", "score": 0.7}, {"label": "no", "score": 0.3}]
    records = [{"id": k, "human_label": LABELS[k % 2], "predictions": guesses} for k in range(24)]
    assert "rater" not in open_table(json.dumps(records).encode()).columns

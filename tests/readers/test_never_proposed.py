"""What is proposed for columns that nobody named, and what never is."""

from __future__ import annotations

import json

import pytest

import metrics
from metrics.asker import answering
from metrics.readers import Proposal, open_table, propose


def proposed(text: str | bytes) -> Proposal:
    return propose(open_table(text.encode() if isinstance(text, str) else text))


def table(header: str, *rows: str) -> Proposal:
    return proposed("\n".join([header, *rows]))


ROWS = ("q1,yes,no", "q2,no,no", "q3,yes,yes")


@pytest.mark.parametrize(
    "header",
    ["item,ana,ben", "item,ana@lab.org,ben@example.ai", "id,Rater 1,Rater 2", "item,annotator1,annotator2", "item,x,y"],
)
def test_two_people_are_asked_about_as_two_people(header: str) -> None:
    found = table(header, *ROWS)
    assert [role.split(":")[0] for role, _ in found.columns if ":" in role] == ["human", "human"]
    assert not {"human", "verdict"} & {role for role, _ in found.columns}
    first, second = header.split(",")[1:]
    assert found.blocking[0].sentence == (
        f"‘{first}’ and ‘{second}’: are both people? If one of them is a judge, write judge: before its name."
    )
    with answering("page"):
        assert table(header, *ROWS).blocking[0].sentence.endswith("If one of them is a judge, choose which.")


@pytest.mark.parametrize(
    ("header", "human", "verdict"),
    [
        ("item,ana,gpt-4", "ana", "gpt-4"), ("item,label,prediction", "label", "prediction"), ("id,gold,ours", "gold", "ours"),
        ("item,gpt_llm_label,ana", "ana", "gpt_llm_label"), ("item,llm_label,human_label", "human_label", "llm_label"),
        ("item,judge_label,gold_label", "gold_label", "judge_label"),
    ],
)  # fmt: skip
def test_a_human_and_a_judge_are_still_proposed(header: str, human: str, verdict: str) -> None:
    columns = dict(table(header, *ROWS).columns)
    assert (columns["human"], columns["verdict"]) == (human, verdict)


def test_a_judges_label_is_never_the_humans() -> None:
    names = ("annotation_tone_llm_label", "annotation_tone_human_label", "annotation_fit_llm_label")
    found = table(f"id,{','.join(names)}", "a,yes,yes,no", "b,no,yes,yes", "c,no,no,no")
    roles = {column: role.split(":")[0] for role, column in found.columns}
    assert [roles[name] for name in names[:2]] == ["judge", "human"]
    assert any(names[2] in note for note in found.notes), "people have no label on it"


def test_e_mails_are_people() -> None:
    found = table("item,ana@lab.ai,ben@lab.ai,gpt-4", *(f"{row},yes" for row in ROWS))
    assert [role for role, _ in found.columns if ":" in role] == ["human:ana@lab.ai", "human:ben@lab.ai", "judge:gpt-4"]
    text = "item,rater,label\na,ana@model.ai,yes\na,gpt-4,no\n"
    assert proposed(text).doubts[0].sentence.endswith('roles={"ana@model.ai": "human", "gpt-4": "judge"}')


TASK = {
    "total_annotations": 2, "cancelled_annotations": 0, "total_predictions": 1, "comment_count": 0, "updated_by": 1,
    "allow_skip": True, "project": 5,
}  # fmt: skip


def test_counters_of_an_export_are_no_raters() -> None:
    tasks = [{"id": n, "annotations": [{"id": n, "result": []}], **TASK, "total_annotations": n % 3} for n in range(6)]
    found = proposed(json.dumps(tasks).encode())
    assert not set(TASK) & {column for _, column in found.columns}
    with pytest.raises(metrics.InputError) as caught:
        metrics.read(json.dumps(tasks).encode())
    assert "total_annotations=" not in str(caught.value)
    assert "If this is right" not in str(caught.value)


def test_counts_and_numbers_that_people_gave_are_still_proposed() -> None:
    found = table("id,human_score,judge_score", "a,1,2", "b,3,3", "c,2,1")
    assert {"judge_score"} <= {column for _, column in found.columns}
    grades = table("id,helpfulness_human,helpfulness_judge", "a,1,2", "b,3,3", "c,2,1")
    assert {"helpfulness_human", "helpfulness_judge"} <= {column for _, column in grades.columns}


def test_the_id_of_a_rating_is_no_item() -> None:
    rows = ("1,t1,ana,yes", "2,t1,gpt,no", "3,t2,ana,no", "4,t2,gpt,no")
    for name in ("id", "rating_id", "uuid"):
        assert table(f"{name},trace_id,annotator,value", *rows).column("item") == "trace_id"
    assert table("annotation_id,text,annotator,value", *rows).column("item") != "annotation_id"


def test_the_one_id_of_a_table_of_pairs_is_the_item() -> None:
    assert table("id,human_label,judge_label", *ROWS).column("item") == "id"


def test_a_constant_is_no_item_and_no_rater() -> None:
    found = table("project_id,id,human_label,judge_label,done", *(f"7,{row},true" for row in ROWS))
    assert found.column("item") == "id"
    assert "done" not in {column for _, column in found.columns}
    always = table("id,ana,gpt-4", "a,yes,yes", "b,no,yes", "c,yes,yes")
    assert always.column("verdict") == "gpt-4"


def test_nested_records_are_no_raters() -> None:
    rows = [
        {"id": n, "run_id": n // 2, "feedback_source": {"type": ("app", "model")[n % 2]}, "value": ("yes", "no")[n % 3 % 2]}
        for n in range(8)
    ]
    found = proposed(json.dumps(rows).encode())
    assert "feedback_source" not in {column for _, column in found.columns}
    named = [row | {"feedback_source": ("ana", "gpt")[row["id"] % 2]} for row in rows]
    assert proposed(json.dumps(named).encode()).column("rater") == "feedback_source"


@pytest.mark.parametrize("name", ["consensus", "final_label", "adjudicated"])
def test_what_people_agreed_on_is_said_to_count_as_one_more(name: str) -> None:
    labels = ["yes,no,yes,no", "no,no,no,yes", "yes,yes,yes,yes"]
    head = f"id,ann1,ann2,{name},gpt4\n"
    rows = [f"q{k},{labels[k % 3]}" for k in range(12)]
    notes = propose(open_table((head + "\n".join(rows)).encode())).notes
    assert [f"‘{name}’ reads like what people agreed on" in note for note in notes] == [True]
    two = "\n".join(row.rpartition(",")[0] for row in rows)
    assert not propose(open_table((f"id,ann1,{name},gpt4\n" + two).encode())).notes


def test_a_label_beside_its_own_words_counts_once() -> None:
    rows = [f"q{k},{a},{('fail', 'pass')[a]},{b},{('fail', 'pass')[b]}" for k, (a, b) in enumerate([(0, 1), (1, 1), (0, 0)] * 4)]
    proposal = propose(open_table(("id,label,label_text,gpt4_label,gpt4_label_text\n" + "\n".join(rows)).encode()))
    columns = dict(proposal.columns)
    assert (columns["human"], columns["verdict"], proposal.criteria) == ("label", "gpt4_label", ("overall",))
    assert proposal.notes[0] == "‘label_text’ says what ‘label’ says, and is not read."


def test_whether_a_judge_is_right_is_no_judge() -> None:
    sides = [("Pass", "Pass"), ("Fail", "Pass"), ("Fail", "Fail")] * 4
    rows = [f"q{k},{a},{b},{a == b}" for k, (a, b) in enumerate(sides)]
    columns = dict(propose(open_table(("id,human,judge_gpt4,judge_correct\n" + "\n".join(rows)).encode())).columns)
    assert (columns["human"], columns["verdict"]) == ("human", "judge_gpt4")


@pytest.mark.parametrize("name", ["Abweichung", "difference", "écart"])
def test_how_far_two_numbers_are_apart_is_nobody_s(name: str) -> None:
    rows = [f"q{k},{a},{b},{abs(a - b)}" for k, (a, b) in enumerate([(1, 2), (3, 3), (2, 1)] * 4)]
    columns = dict(propose(open_table((f"id,human,gpt,{name}\n" + "\n".join(rows)).encode())).columns)
    assert (columns["human"], columns["verdict"]) == ("human", "gpt")


@pytest.mark.parametrize(("name", "derived"), [("human_rating_avg", True), ("human_rating_3", False)])
def test_a_mean_of_the_others_is_no_further_person(name: str, *, derived: bool) -> None:
    pairs = [(1, 2), (3, 3), (2, 5), (4, 4)] * 4
    rows = [f"q{k},{a},{b},{(a + b) / 2},{a}" for k, (a, b) in enumerate(pairs)]
    data = f"id,human_rating_1,human_rating_2,{name},gpt4_rating\n" + "\n".join(rows)
    assert (name not in dict(propose(open_table(data.encode())).columns).values()) is derived


def test_what_most_runs_of_a_judge_say_is_no_further_run() -> None:
    sides = [("yes", "yes", "yes"), ("no", "yes", "no"), ("yes", "no", "yes")] * 4
    rows = [f"q{k},{one},{two},{three}" for k, (two, three, one) in enumerate(sides)]
    data = "id,gpt4_majority,gpt4_run1,gpt4_run2,human\n" + "\n".join(
        f"{row},{('yes', 'no')[k % 2]}" for k, row in enumerate(rows)
    )
    assert "gpt4_majority" not in dict(propose(open_table(data.encode())).columns).values()


NAMED = ["total", "explanation", "agreement", "length", "count", "feedback"]


@pytest.mark.parametrize("name", NAMED)
def test_a_criterion_of_both_sides_is_one_whatever_it_is_called(name: str) -> None:
    rows = [f"q{k},{k % 5},{k % 4},{k % 5},{k % 3}" for k in range(30)]
    data = f"id,human_clarity,human_{name},gpt4_clarity,gpt4_{name}\n" + "\n".join(rows)
    assert set(propose(open_table(data.encode())).criteria) == {"clarity", name}


@pytest.mark.parametrize("name", ["confidence", "latency_ms"])
def test_what_stands_beside_the_labels_of_both_sides_is_none(name: str) -> None:
    rows = [f"q{k},{k % 5},{k % 4},{k % 5},{k % 3}" for k in range(30)]
    data = f"id,human_clarity,human_{name},gpt4_clarity,gpt4_{name}\n" + "\n".join(rows)
    columns = dict(propose(open_table(data.encode())).columns)
    assert (columns["human"], columns["verdict"]) == ("human_clarity", "gpt4_clarity")


@pytest.mark.parametrize("name", ["year", "rank", "attention_check", "consent", "Δ", "is_match"])
def test_what_is_known_of_an_item_is_nobody_s_beside_both_sides(name: str) -> None:
    said = [(k % 2, k % 3 > 0) for k in range(24)]
    rows = [f"q{k},{a},{int(b)},{int(a == b) if name in ('is_match', 'Δ') else k % 2}" for k, (a, b) in enumerate(said)]
    columns = dict(propose(open_table((f"id,human,gpt4,{name}\n" + "\n".join(rows)).encode())).columns)
    assert (columns["human"], columns["verdict"]) == ("human", "gpt4")


def test_the_top_of_a_scale_is_nobody_s_label() -> None:
    rows = [
        f"s{n},R{r},{c},{('thesis', 'sources')[c]},{4 + 2 * c},{(n + r) % 4}" for n in range(6) for r in (1, 2) for c in (0, 1)
    ]
    found = dict(table("submission,rater_id,criterion_index,criterion_name,max_score,score", *rows).columns)
    assert found == {"rater": "rater_id", "criterion": "criterion_name", "label": "score", "item": "submission"}


def test_who_wins_is_no_rater() -> None:
    rows = [f"p{n},{'AB'[n % 2]},{'AB'[n % 3 > 0]}" for n in (*range(6), 0, 1)]
    found = dict(table("prompt_id,human_winner,judge_winner", *rows).columns)
    assert (found["human"], found["verdict"]) == ("human_winner", "judge_winner")
    rows = [f"p{n},{word},ann{r}" for n in range(6) for r, word in enumerate(("A", "B" if n % 3 else "tie"))]
    found = dict(table("pair_id,preferred,annotator_id", *rows).columns)
    assert found == {"rater": "annotator_id", "label": "preferred", "item": "pair_id"}


def test_lists_of_tags_beside_criteria_are_no_raters() -> None:
    tags = ("risk;cost", "cost", "tax;risk")
    rows = [f"a{n},ann{r},{(n + r) % 5},{(n * r) % 5},{tags[n % 3]},{tags[(n + r) % 3]}" for n in range(12) for r in (1, 2)]
    found = table("answer_id,annotator,M1,M2,mentioned,missing", *rows)
    assert (found.shape, found.column("rater"), found.criteria) == ("raters", "annotator", ("M1", "M2"))


def test_a_text_to_translate_is_no_rater() -> None:
    texts = ("The red house stands on the hill.", "He walked all the way home.", "It has rained all day long.")
    rows = [f"{texts[n % 3]},Satz {n},{n % 5 + 1}" for n in range(12)]
    assert "source" not in dict(table("source,output,rating", *rows).columns).values()


def test_rows_of_one_id_on_which_people_differ_are_items() -> None:
    words = ("A", "B", "tie")
    rows = [f"p{n % 4},{words[n % 3]},{words[n % 2]}" for n in range(12)]
    found = table("prompt_id,human_winner,judge_winner", *rows)
    assert found.column("item") == "#row"
    assert any("‘prompt_id’ stands in several rows on which people’s labels differ" in doubt.sentence for doubt in found.blocking)
    assert metrics.read("\n".join(["prompt_id,human_winner,judge_winner", *rows]).encode(), columns=found.columns_answer, labels={
        "A": "positive", "B": "negative", "tie": "abstention",
    }).n_items == 12  # fmt: skip
    runs = [f"p{n % 4},{words[n % 4 % 3]},{words[n % 2]}" for n in range(12)]
    assert table("prompt_id,human_winner,judge_winner", *runs).column("item") == "prompt_id", "a person’s one label: runs"
    pasted = [f"p{n},{words[n % 3]},{words[n % 2]}" for n in range(12)]
    assert table("prompt_id,human_winner,judge_winner", *pasted, "p0,tie,A").column("item") == "prompt_id", "one row pasted anew"


@pytest.mark.parametrize(("name", "human"), [("human_labels.csv", True), ("manual_scores.csv", True), ("run_3.csv", False)])
def test_a_score_in_a_file_of_people_is_theirs(name: str, *, human: bool) -> None:
    data = "\n".join(["id,score,note", *(f"q{n},{n % 5},fine" for n in range(12))])
    found = dict(propose(open_table(data.encode(), name)).columns)
    assert found.get("human" if human else "verdict") == "score"


def test_a_score_of_a_person_is_no_pair_of_words_on_another_scale() -> None:
    rows = [f"q{n},{n % 3 > 0},{n % 5 + 1}" for n in range(12)]
    found = table("case,is_correct,human_score", *rows)
    assert (dict(found.columns).get("human"), found.missing) == ("human_score", ("verdict",))


def test_a_label_of_people_and_a_score_of_a_model_go_before_what_is_known_of_items() -> None:
    fields = ("it", "health", "trade")
    rows = [f"{fields[n % 3]},{fields[n % 2]},{n % 3 / 2},{n * 7 % 12 / 12:.3f}" for n in range(24)]
    found = dict(table("offer_field,candidate_field,human_label,model_score", *rows).columns)
    assert (found["human"], found["verdict"]) == ("human_label", "model_score")

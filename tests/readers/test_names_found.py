"""Names of columns as they stand in people's own files: which are the labels of whom, and which are beside them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import confirmed, open_table, propose
from metrics.readers.scaling import proposed_scales

N = 60
LABELS = {
    "step": ("1", "2", "3", "4", "5"), "flag": ("True", "False"), "word": ("supported", "contradicted", "unsupported"),
    "yes": ("yes", "no"), "Y": ("Y", "N"), "bit": ("0", "1"), "act": ("refuse", "hedge", "answer"), "part": ("0.25", "0.5", "1"),
}  # fmt: skip


def frame(**columns: str) -> pd.DataFrame:
    """Columns of labels of a kind, `n` counts rows, `=x` is always x, `in 12` stands in groups of rows, `one of` a text."""
    rng = np.random.default_rng(7)
    made: dict[str, list[str]] = {}
    for name, kind in columns.items():
        if kind == "n":
            made[name] = [f"q{k}" for k in range(N)]
        elif kind.startswith("="):
            made[name] = [kind[1:]] * N
        elif kind.startswith("in "):
            made[name] = [f"g{k % int(kind[3:])}" for k in range(N)]
        elif kind == "text":
            made[name] = [f"The answer of {k} says that nothing of this kind is known." for k in range(N)]
        else:
            made[name] = [str(label) for label in rng.choice(LABELS[kind], N)]
    return pd.DataFrame(made)


PAIR = {"human": "human_score", "verdict": "judge_score", "item": "id"}
TABLES = {
    "a count of tests is nobody's score": (
        {"id": "n", "human_score": "step", "judge_score": "step", "tests_passed": "step"}, PAIR,
    ),
    "a turn is nobody's score": ({"id": "n", "turn": "step", "human_score": "step", "judge_score": "step"}, PAIR),
    "a flag in other words": (
        {"reply": "n", "human_total": "step", "llm_total": "step", "within_margin": "flag"},
        {"human": "human_total", "verdict": "llm_total", "item": "reply"},
    ),
    "a second question in other words": (
        {"id": "n", "hand_label": "act", "judge_label": "act", "hand_discloses": "yes", "judge_tells": "yes"},
        {"human": "hand_label", "verdict": "judge_label", "item": "id"},
    ),
    "a second question in words of which one side has more": (
        {"id": "n", "hand_label": "act", "judge_label": "act", "hand_discloses": "yes", "judge_discloses_conflict": "yes"},
        {
            "human:hand::label": "hand_label", "judge:judge::label": "judge_label", "human:hand::discloses": "hand_discloses",
            "judge:judge::discloses": "judge_discloses_conflict", "item": "id",
        },
    ),
    "labels of a judge are no raters": (
        {"scenario_id": "in 12", "claim_text": "text", "judge_label": "word", "human_label": "word"},
        {"human": "human_label", "verdict": "judge_label", "item": "scenario_id and claim_text"},
    ),
    "one's own": (
        {"id": "n", "judge_verdict": "yes", "my_verdict": "yes"},
        {"human": "my_verdict", "verdict": "judge_verdict", "item": "id"},
    ),
    "a machine": (
        {"id": "n", "human_label": "word", "machine_label": "word"},
        {"human": "human_label", "verdict": "machine_label", "item": "id"},
    ),
    "Portuguese": (
        {"id": "n", "nota_atribuida": "step", "nota_humana": "step"},
        {"human": "nota_humana", "verdict": "nota_atribuida", "item": "id"},
    ),
    "what a person found is a person's": (
        {"id": "n", "human_eval": "yes", "judge_verdict": "yes"},
        {"human": "human_eval", "verdict": "judge_verdict", "item": "id"},
    ),
    "a person's number beside what the judge found": (
        {"id": "n", "is_correct": "flag", "human_score": "bit"}, {"human": "human_score", "verdict": "is_correct", "item": "id"},
    ),
    "the model's name is no label": (
        {"id": "n", "human_score": "step", "score": "step", "model": "=gpt-4o"},
        {"human": "human_score", "verdict": "score", "item": "id"},
    ),
    "a criterion of one rater alone": (
        {"id": "n", "human_tone": "step", "human_depth": "step", "llm_tone": "step", "llm_depth": "step", "llm_overall": "step"},
        {
            "human:human::tone": "human_tone", "human:human::depth": "human_depth",
            "judge:llm::tone": "llm_tone", "judge:llm::depth": "llm_depth", "item": "id",
        },
    ),
    "a judge whose columns are the criteria": (
        {"id": "n", "tone": "step", "depth": "step", "human_tone": "step", "human_depth": "step"},
        {
            "judge:judge::tone": "tone", "judge:judge::depth": "depth",
            "human:human::tone": "human_tone", "human:human::depth": "human_depth", "item": "id",
        },
    ),
    "people whose columns are the criteria": (
        {"id": "n", "tone": "step", "depth": "step", "gpt_tone": "step", "gpt_depth": "step"},
        {
            "human:human::tone": "tone", "human:human::depth": "depth",
            "judge:gpt::tone": "gpt_tone", "judge:gpt::depth": "gpt_depth", "item": "id",
        },
    ),
    "a third judge without one of the criteria": (
        {
            "id": "n", "human_tone": "step", "human_depth": "step", "human_style": "step",
            "gpt_tone": "step", "gpt_depth": "step", "gpt_style": "step", "claude_tone": "step", "claude_depth": "step",
        },
        {
            f"{role}:{who}::{criterion}": f"{who}_{criterion}"
            for role, who in (("human", "human"), ("judge", "gpt"), ("judge", "claude"))
            for criterion in ("tone", "depth", "style")
            if (who, criterion) != ("claude", "style")
        } | {"item": "id"},
    ),
    "answers beside what was said of them": (
        {"id": "n", "reference_answer": "word", "model_answer": "word", "human_ok": "yes", "judge_ok": "yes"},
        {"human": "human_ok", "verdict": "judge_ok", "item": "id"},
    ),
    "a rater in other words for the same": (
        {"id": "n", "human_1": "yes", "gpt4": "yes", "nurse": "Y"},
        {"human:1": "human_1", "judge:gpt4": "gpt4", "human:nurse": "nurse", "item": "id"},
    ),
    "a verdict beside a score": (
        {"id": "n", "gold": "yes", "decision": "yes", "score": "part"},
        {"human": "gold", "verdict": "decision", "item": "id", "score": "score"},
    ),
    "a judge who always says the same": (
        {"id": "n", "human": "word", "gpt4": "=supported"}, {"human": "human", "verdict": "gpt4", "item": "id"},
    ),
    "passes of people": (
        {"id": "n", "Annotator 1 pass 1": "yes", "Annotator 1 pass 2": "yes", "Annotator 2 pass 1": "yes",
         "Annotator 2 pass 2": "yes", "Judge": "yes"},
        {
            **{f"human:Annotator {a} pass {k}": f"Annotator {a} pass {k}" for a in (1, 2) for k in (1, 2)},
            "judge:Judge": "Judge", "item": "id",
        },
    ),
    "one's own model": (
        {"id": "n", "true_label": "yes", "my_classifier": "yes"},
        {"human": "true_label", "verdict": "my_classifier", "item": "id"},
    ),
    "numbers of labels": (
        {"id": "n", "label_idx": "step", "pred_idx": "step"}, {"human": "label_idx", "verdict": "pred_idx", "item": "id"},
    ),
    "a rater, a trait and a score": (
        {"Feedback ID": "in 20", "Rater": "in 3", "Trait": "in 1", "Score": "step"},
        {"item": "Feedback ID", "criterion": "Trait", "rater": "Rater", "label": "Score"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLES)
def test_columns_are_taken_for_what_they_are(case: str) -> None:
    columns, expected = TABLES[case]
    if case == "a rater, a trait and a score":
        labels = np.random.default_rng(1).choice(LABELS["step"], N)
        whole = pd.DataFrame({
            "Feedback ID": np.repeat([f"f{k}" for k in range(20)], 3), "Rater": ["AS", "YT", "AI"] * 20, "Trait": "tone",
            "Score": labels,
        })  # fmt: skip
        whole.loc[::2, "Trait"] = "depth"
    else:
        whole = frame(**columns)
    assert dict(propose(open_table(whole)).columns) == expected


def test_what_one_rater_alone_has_is_named() -> None:
    proposal = propose(open_table(frame(**TABLES["a criterion of one rater alone"][0])))
    assert "Labels of another question are not read: ‘llm_overall’." in proposal.notes


def test_what_a_second_question_holds_is_named() -> None:
    proposal = propose(open_table(frame(**TABLES["a second question in other words"][0])))
    assert "Labels of another question are not read: ‘hand_discloses’, ‘judge_tells’." in proposal.notes


def test_a_flag_beside_words_nobody_knows_says_whether_they_are_alike() -> None:
    whole = frame(id="n", hand_label="act", judge_label="act")
    whole["label_match"] = whole["hand_label"] == whole["judge_label"]
    assert dict(propose(open_table(whole)).columns) == {"human": "hand_label", "verdict": "judge_label", "item": "id"}


def test_a_text_is_nobody() -> None:
    whole = frame(id="in 12", source="text", overall="step")
    proposal = propose(open_table(whole))
    assert "source" not in dict(proposal.columns).values()
    assert "human" in proposal.missing


def test_raters_of_many_columns_are_answered_by_name() -> None:
    criteria = ("tone", "depth", "style")
    columns = {f"{who}_{criterion}": "step" for who in ("human", "gpt") for criterion in criteria}
    whole = frame(id="n", **columns)
    proposal = propose(open_table(whole))
    assert proposal.columns_answer == {"role:human": "human", "role:gpt": "judge", "item": "id"}
    ratings = metrics.read(whole, columns=proposal.columns_answer, scale="ordinal")
    assert (ratings.humans, ratings.judges, ratings.criteria) == (("human",), ("gpt",), criteria)
    report = metrics.agreement(ratings)
    for criterion in criteria:
        by_hand = (whole[f"human_{criterion}"] == whole[f"gpt_{criterion}"]).mean()
        assert report.judges["gpt"].criteria[criterion]["accuracy"].value == pytest.approx(by_hand)


@pytest.mark.parametrize("field", ["entries", "results", "items", "instances"])
def test_records_under_any_one_name(field: str) -> None:
    records = frame(id="n", human_verdict="yes", judge_verdict="yes").to_dict("records")
    whole = {"judge_model": "gpt", "provisional": True, field: records}
    table = open_table(json.dumps(whole).encode(), "run.json")
    assert table.n_rows == N
    assert f"The file holds its records under ‘{field}’." in table.notes
    assert dict(propose(table).columns) == {"human": "human_verdict", "verdict": "judge_verdict", "item": "id"}


@pytest.mark.parametrize(
    "whole",
    [
        {"a": [{"x": 1}], "b": [{"y": 2}]},
        {"a": [{"x": 1}, 2]},
        {"a": []},
        {"id": "q", "human": "yes", "judge": "no", "spans": [{"start": 1}]},
        {"rubric": [{"name": "tone"}], "results": {"q1": {"tone": "yes"}}},
        {"labels": [{"id": 0, "name": "no"}], "human": ["no"], "judge": ["no"]},
    ],
)
def test_two_lists_of_records_or_none_are_not_chosen_from(whole: dict[str, object]) -> None:
    with pytest.raises(metrics.InputError, match="is one JSON object"):
        open_table(json.dumps(whole).encode(), "run.json")


NESTED = {
    "scores with reasons": lambda record: {
        "scores": {name: {"score": int(value), "reason": "so"} for name, value in record.items()}
    },
    "plain": lambda record: {name: int(value) for name, value in record.items()},
    "beside an overall score": lambda record: {
        **{name: {"score": int(value), "reason": "so"} for name, value in record.items()}, "overall_score": 3 + len(record) % 2,
    },
    "of a judge": lambda record: {"judge": {name: int(value) for name, value in record.items()}},
}  # fmt: skip


@pytest.mark.parametrize("shape", NESTED)
@pytest.mark.parametrize("people", ["human_label", "annotation", ""])
def test_criteria_meet_whatever_holds_them_in_two_files(tmp_path: Path, shape: str, people: str) -> None:
    human, judge = (frame(tone="step", depth="step", style="step").iloc[::turn].reset_index(drop=True) for turn in (1, -1))
    records = [
        {"id": f"q{k}", **({people: row} if people else row)} for k, row in enumerate(human.astype(int).to_dict("records"))
    ]
    of_judge = [{"id": f"q{k}", "judge_model": "gpt", **NESTED[shape](row)} for k, row in enumerate(judge.to_dict("records"))]
    paths = [tmp_path / "human_labels.jsonl", tmp_path / "judge_results.jsonl"]
    for path, lines in zip(paths, (records, of_judge), strict=True):
        path.write_text("\n".join(map(json.dumps, lines)))
    proposal = propose(open_table(paths))
    assert set(proposal.criteria) == {"tone", "depth", "style"}
    ratings = metrics.read(paths, columns=proposal.columns_answer, scale="ordinal")
    assert ratings.judges == ("gpt",)
    report = metrics.agreement(ratings)
    for criterion in human:
        by_hand = (human[criterion] == judge[criterion]).mean()
        assert report.judges["gpt"].criteria[criterion]["accuracy"].value == pytest.approx(by_hand)


def test_a_file_for_each_person_and_one_of_a_judge(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.csv" for name in ("E1", "E2", "llm_judge")]
    for path in paths:
        frame(id="n", tone="step", depth="step").to_csv(path, index=False)
    proposal = propose(open_table(paths))
    assert dict(proposal.of_files) == {"role:E1": "human", "role:E2": "human", "role:llm_judge": "judge"}


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (("GROUNDED", "HALLUCINATED"), {"GROUNDED": "positive"}),
        (("correct", "myth"), {"myth": "negative"}),
        (("REFUSED", "COMPLIED", "DODGED"), dict.fromkeys(("REFUSED", "COMPLIED", "DODGED"), "class")),
        (("yes", "no", "refused"), {"refused": "abstention"}),
        (("-1", "0", "1"), dict.fromkeys(("-1", "0", "1"), "class")),
        (("-1", "1", "2"), {"-1": "missing"}),
        (("correct", "partly"), {"partly": "class"}),
    ],
)
def test_what_words_mean_beside_each_other(words: tuple[str, ...], kinds: dict[str, str]) -> None:
    rng = np.random.default_rng(3)
    whole = pd.DataFrame({"item": range(N), "human": rng.choice(words, N), "verdict": rng.choice(words, N)})
    rows = {row.label: row for row in propose(open_table(whole)).labels}
    assert {label: rows[label].kind for label in kinds} == kinds
    assert all(rows[label].in_doubt for label in kinds)


def test_many_fractions_are_scores_and_a_few_people_s_means_are_steps() -> None:
    rng = np.random.default_rng(5)
    scores, means = np.round(rng.random((2, N)), 2), np.round(rng.integers(3, 16, (2, N)) / 3, 2)
    for values, scale in ((scores, "continuous"), (means, None)):
        whole = pd.DataFrame({"item": range(N), "human": values[0], "verdict": values[1]})
        assert propose(open_table(whole)).scale_answer == (scale or {})


@pytest.mark.parametrize(
    ("one", "other", "scale", "held"),
    [
        (range(11), range(11), {}, ""),
        (range(12), range(3), "continuous", "‘human’ holds 12 different numbers"),
        (range(9), range(3, 12), "continuous", "‘human’, ‘verdict’ hold 12 different numbers"),
        (np.arange(2, 21) / 2, np.arange(2, 21) / 2, {}, ""),
        (range(0, 100, 5), range(0, 100, 5), "continuous", "‘human’ holds 20 different numbers"),
    ],
)
def test_more_whole_numbers_of_both_sides_than_steps_are_scores(
    one: Sequence[float], other: Sequence[float], scale: str, held: str
) -> None:
    whole = pd.DataFrame({"item": range(N), "human": np.resize(one, N), "verdict": np.resize(other, N)})
    proposal = propose(open_table(whole))
    assert proposal.scale_answer == scale
    assert held in "".join(doubt.sentence for doubt in proposal.doubts if doubt.about == "scale")


def test_the_page_and_a_command_take_numbers_for_the_same_scale() -> None:
    for most in range(3, 30):
        values = np.resize(np.arange(most), N)
        whole = pd.DataFrame({"item": range(N), "human": values, "verdict": values})
        table = open_table(whole)
        proposal = propose(table)
        (scale,) = proposed_scales(table, proposal).criteria
        assert scale.scale == (proposal.scale_answer or "ordinal")


@pytest.mark.slow("intervals of many classes")
def test_many_classes_have_their_intervals() -> None:
    rng = np.random.default_rng(4)
    whole = pd.DataFrame({"item": np.repeat(range(30), 2), "criterion": ["a", "b"] * 30, "human": rng.integers(0, 46, N)})
    whole["verdict"] = whole["human"]
    whole.loc[:45, "human"] = np.arange(46)
    ratings = metrics.read(whole, labels={str(k): "class" for k in range(46)})
    assert metrics.agreement(ratings).judges["judge"].micro["accuracy"].value == pytest.approx(
        (whole.human == whole.verdict).mean()
    )
    assert confirmed(propose(open_table(whole))).blocking == ()


@pytest.mark.parametrize("apart", [False, True])
def test_a_list_of_people_s_scores_for_each_criterion(tmp_path: Path, apart: bool) -> None:
    rng = np.random.default_rng(9)
    people, judge = rng.integers(1, 6, (N, 3, 2)), rng.integers(1, 6, (N, 2))
    names = ("tone", "depth")
    lists = [
        {
            "id": f"q{k}",
            "human_scores": {name: {"mean": 3, "annotators": people[k, :, c].tolist()} for c, name in enumerate(names)},
        }
        for k in range(N)
    ]
    of_judge = [{"judge": {name: {"score": int(judge[k, c]), "why": "so"} for c, name in enumerate(names)}} for k in range(N)]
    if apart:
        paths = [tmp_path / "people.jsonl", tmp_path / "llm_judge.jsonl"]
        paths[0].write_text("\n".join(map(json.dumps, lists)))
        paths[1].write_text("\n".join(json.dumps({"id": f"q{k}", **record}) for k, record in enumerate(of_judge)))
        source: object = paths
    else:
        source = json.dumps([one | other for one, other in zip(lists, of_judge, strict=True)]).encode()
    proposal = propose(open_table(source))
    ratings = metrics.read(source, columns=proposal.columns_answer, scale="ordinal")
    assert len(ratings.humans) == 3
    report = metrics.agreement(ratings)
    low_median = np.sort(people, axis=1)[:, 1]
    for c, name in enumerate(names):
        accuracy = next(iter(report.judges.values())).criteria[name]["accuracy"].value
        assert accuracy == pytest.approx((low_median[:, c] == judge[:, c]).mean())


def test_raters_of_criteria_beside_others_are_answered_by_column() -> None:
    columns = {f"{criterion}_{who}": "step" for criterion in ("tone", "depth", "style") for who in ("human", "gpt")}
    whole = frame(id="n", **columns, human_overall="step", gpt_overall="step")
    proposal = propose(open_table(whole))
    again = propose(open_table(whole), proposal.columns_answer)
    assert dict(again.columns) == dict(proposal.columns)
    assert len(proposal.columns) == 9


def test_two_sheets_that_share_some_raters_have_raters(tmp_path: Path) -> None:
    paths = [tmp_path / "people.csv", tmp_path / "b.csv"]
    frame(id="n", human_1="yes", human_2="yes", gpt="yes").to_csv(paths[0], index=False)
    frame(id="n", human_1="yes", human_2="yes", claude="yes").to_csv(paths[1], index=False)
    keys = {key for key, _ in propose(open_table(paths)).of_files}
    assert not any(key.startswith("role:") for key in keys)
    assert {"people.csv:judge:gpt", "b.csv:judge:claude"} <= keys or {"judge:gpt", "judge:claude"} <= keys


def test_systems_called_like_models_are_criteria_of_who_judged_them(tmp_path: Path) -> None:
    paths = [tmp_path / "human.csv", tmp_path / "judge.csv"]
    for path in paths:
        frame(id="n", gpt="yes", opus="yes").to_csv(path, index=False)
    assert dict(propose(open_table(paths)).of_files) == {"role:human": "human", "role:judge": "judge"}


def test_failed_calls_of_a_judge_are_missing() -> None:
    rng = np.random.default_rng(8)
    whole = pd.DataFrame({"item": range(N), "human": rng.choice(["0", "1"], N), "verdict": rng.choice(["0", "1", "-1"], N)})
    assert {row.label: row.kind for row in propose(open_table(whole)).labels}["-1"] == "missing"
    whole["verdict"] = rng.choice(["pass", "content_filter"], N)
    whole["human"] = "pass"
    assert {row.label: row.kind for row in propose(open_table(whole)).labels}["content_filter"] == "invalid"


def test_fractions_that_were_said_to_be_classes_stay_classes() -> None:
    values = [f"{k / 10:.1f}" for k in range(10, 40)] * 2
    whole = pd.DataFrame({"item": range(N), "human": values, "verdict": values})
    ratings = metrics.read(whole, labels=dict.fromkeys(values, "class"))
    assert len(ratings.scheme.classes) == 30
    assert metrics.read(whole, order=sorted(set(values))).scheme.order[0] == "1.0"


def test_long_names_of_raters_are_raters() -> None:
    people = ["Annotator 1 (medical student, year 4)", "Annotator 2 (medical student, year 5)"]
    whole = pd.DataFrame({"item_id": np.repeat([f"q{k}" for k in range(30)], 2), "annotator": people * 30})
    whole["label"] = np.random.default_rng(2).choice(["yes", "no"], N)
    assert dict(propose(open_table(whole)).columns)["rater"] == "annotator"


def test_whether_a_score_reaches_its_threshold_is_the_judge_s_and_a_reason_no_item() -> None:
    rng = np.random.default_rng(3)
    whole = pd.DataFrame({
        "input": [f"what is {k // 2}?" for k in range(N)], "actual_output": [f"it is {k // 2} then" for k in range(N)],
        "metric": ["Correctness", "Tone"] * (N // 2), "score": rng.random(N).round(2),
        "success": rng.choice(["True", "False"], N), "reason": [f"because of {k}" for k in range(N)],
    })  # fmt: skip
    proposal = propose(open_table(whole))
    wanted = {"verdict": "success", "score": "score", "criterion": "metric", "item": "input"}
    assert dict(proposal.columns) == wanted
    assert any("No column holds the human" in doubt.sentence for doubt in proposal.doubts)
    whole["human"] = rng.choice(["True", "False"], N)
    assert dict(propose(open_table(whole)).columns) == wanted | {"human": "human"}


def test_criteria_that_are_written_for_each_item_are_its_words() -> None:
    whole = frame(id="n", human_label="yes", llm_label="yes")
    whole["criteria"] = [f"names the {k}th thing and is kind" for k in range(len(whole))]
    assert dict(propose(open_table(whole)).columns) == {"human": "human_label", "verdict": "llm_label", "item": "id"}
    whole["criteria"] = ["kind", "short"] * (len(whole) // 2)
    assert dict(propose(open_table(whole)).columns)["criterion"] == "criteria"


def test_a_comment_that_was_judged_is_the_item() -> None:
    whole = frame(human_toxic="yes", gpt_toxic="yes")
    whole.insert(0, "comment_text", [f"comment {k} of somebody" for k in range(len(whole))])
    assert dict(propose(open_table(whole)).columns)["item"] == "comment_text"
    whole.insert(0, "source", ["web", "mail"] * (len(whole) // 2))
    assert dict(propose(open_table(whole)).columns)["item"] == "comment_text"


@pytest.mark.parametrize("judge", ["llm_label", "judge_verdict", "gpt_passed"])
def test_a_pass_beside_a_judge_s_label_is_the_person_s(judge: str) -> None:
    whole = frame(id="n", passed="yes", **{judge: "yes"})
    whole["score"] = np.random.default_rng(1).random(len(whole)).round(2)
    columns = dict(propose(open_table(whole)).columns)
    assert (columns["human"], columns["verdict"]) == ("passed", judge)


def test_a_pass_beside_scores_of_both_sides_is_neither_s_label() -> None:
    whole = frame(id="n", human_score="step", score="step", passed="yes")
    columns = dict(propose(open_table(whole)).columns)
    assert (columns["human"], columns["verdict"]) == ("human_score", "score")
    assert "passed" not in columns.values()
    named = frame(id="n", reviewer="in 3", passed="yes")
    named["score"] = np.random.default_rng(1).random(len(named)).round(2)
    assert dict(propose(open_table(named)).columns)["human"] == "passed"


def test_an_explanation_that_was_judged_is_the_item(tmp_path: Path) -> None:
    texts = [f"because of {k} and no other" for k in range(20)]
    runs = pd.DataFrame({"explanation": np.repeat(texts, 2), "run": [1, 2] * 20, "human": np.repeat(["yes", "no"] * 10, 2)})
    runs["verdict"] = np.random.default_rng(4).choice(["yes", "no"], 40)
    assert dict(propose(open_table(runs)).columns)["item"] == "explanation"
    paths = [tmp_path / "human.csv", tmp_path / "judge.csv"]
    for path in paths:
        pd.DataFrame({"explanation": texts, f"{path.stem}_label": ["yes", "no"] * 10}).to_csv(path, index=False)
    answer = propose(open_table(paths)).columns_answer
    assert answer == {"human": "human_label", "verdict": "judge_label"}
    assert len(metrics.read(paths, columns=answer).items) == 20


@pytest.mark.parametrize("human", ["human_rating", "expert_score", "gold_points"])
@pytest.mark.parametrize("beside", [(), ("success",)])
def test_people_s_numbers_beside_a_score_are_found(human: str, beside: tuple[str, ...]) -> None:
    whole = frame(id="n", **{human: "step"}, **dict.fromkeys(beside, "yes"))
    whole["score"] = np.random.default_rng(1).random(len(whole)).round(2)
    assert dict(propose(open_table(whole)).columns) == {"human": human, "verdict": "score", "item": "id"}


@pytest.mark.parametrize("name", ["label", "gold", "ground_truth"])
@pytest.mark.parametrize("kind", [int, float])
def test_zero_and_one_beside_a_score_between_have_a_threshold(name: str, kind: type) -> None:
    rng = np.random.default_rng(1)
    whole = pd.DataFrame({"id": [f"q{k}" for k in range(N)], name: rng.integers(0, 2, N).astype(kind), "score": rng.random(N)})
    proposal = propose(open_table(whole))
    assert dict(proposal.columns) == {"human": name, "verdict": "score", "item": "id"}
    assert proposal.labels_answer == {">=0.5": "positive"}
    scores = propose(open_table(whole.assign(**{name: rng.random(N)})))
    assert dict(scores.scales) == {"overall": "continuous"}


def test_a_rater_who_always_says_the_same_stands_between_the_others() -> None:
    rng = np.random.default_rng(12)
    frame = pd.DataFrame({"id": range(20), **{name: rng.choice(["yes", "no"], 20) for name in ("ana", "ben")}})
    frame = frame.assign(cem="yes", gpt4=rng.choice(["yes", "no"], 20), checked="yes")
    columns = dict(propose(open_table(frame)).columns).values()
    assert {"ana", "ben", "cem", "gpt4"} <= set(columns)
    assert "checked" not in columns

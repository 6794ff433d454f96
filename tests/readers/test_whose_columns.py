"""Whose a column of labels is where few names say it: orders of one judge, scores of answers, copies, raters without a role."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import Proposal, open_table, propose

N = 40


def frame(**columns: Sequence[object]) -> pd.DataFrame:
    """Return a table of items with columns of labels, drawn from the words of each."""
    rng = np.random.default_rng(3)
    return pd.DataFrame({"id": [f"q{k}" for k in range(N)], **{name: rng.choice(words, N) for name, words in columns.items()}})


def raters(proposal: Proposal) -> dict[str, str]:
    return {key: column for key, column in proposal.columns if key != "item"}


SIDES = ("A", "B", "TIE")
PAIR = {"human": "human_preference", "verdict": "judge_final_winner"}


@pytest.mark.parametrize("backward", ["backward_winner", "backward_winner_raw"])
def test_the_orders_in_which_a_judge_is_asked_are_no_raters(backward: str) -> None:
    table = frame(human_preference=SIDES, judge_final_winner=SIDES, forward_winner=SIDES, **{backward: SIDES})
    proposal = propose(open_table(table))
    assert raters(proposal) == PAIR
    assert any("the answers in either order" in note and f"‘{backward}’" in note for note in proposal.notes)


@pytest.mark.parametrize("backward", ["backward_winner", "backward_winner_raw"])
def test_a_judge_in_two_orders_is_read_in_the_first(backward: str) -> None:
    proposal = propose(open_table(frame(human_preference=SIDES, forward_winner=SIDES, **{backward: SIDES})))
    assert raters(proposal) == {"human": "human_preference", "verdict": "forward_winner"}
    assert any(f"‘{backward}’" in note for note in proposal.notes)


def test_what_runs_in_both_orders_come_to_is_the_verdict_of_their_judge(tmp_path: Path) -> None:
    runs = frame(run1_winner=SIDES, run2_winner=SIDES, winner_after_swap=SIDES)
    assert propose(open_table(runs)).columns_answer["verdict"] == "winner_after_swap"
    paths = [tmp_path / "people.csv", tmp_path / "pairs.csv"]
    for path, table in zip(paths, (frame(human_winner=SIDES), runs), strict=True):
        table.to_csv(path, index=False)
    proposal = propose(open_table(paths))
    assert proposal.columns_answer == {"human": "human_winner", "verdict": "winner_after_swap"}


def test_runs_are_of_a_judge() -> None:
    assert dict(propose(open_table(frame(run1_winner=SIDES, run2_winner=SIDES))).roles) == dict.fromkeys(
        ("run1_winner", "run2_winner"), "judge"
    )


def test_one_order_alone_is_a_label_of_its_own() -> None:
    table = frame(human_preference=SIDES, judge_final_winner=SIDES, forward_winner=SIDES)
    assert "forward_winner" in raters(propose(open_table(table))).values()


@pytest.mark.parametrize("first", [True, False])
def test_scores_of_two_answers_are_no_verdicts_on_which_is_better(*, first: bool) -> None:
    scores = {f"judge_score_{side}": (0.25, 0.5, 0.75, 1) for side in "ab"}
    winner = {"judge_final_winner": SIDES}
    table = frame(human_preference=SIDES, **(scores | winner if first else winner | scores))
    proposal = propose(open_table(table))
    assert raters(proposal) == PAIR
    assert any("‘judge_score_a’" in note for note in proposal.notes)


def test_scores_of_two_answers_beside_no_preference_may_be_labels() -> None:
    table = frame(human_score=(1, 2, 3, 4), judge_score_a=(1, 2, 3, 4), judge_score_b=(1, 2, 3, 4))
    assert {"judge_score_a", "judge_score_b"} <= set(raters(propose(open_table(table))).values())


def read(folder: Path, **files: pd.DataFrame) -> metrics.Ratings:
    paths = [folder / f"{name}.csv" for name in files]
    for path, table in zip(paths, files.values(), strict=True):
        table.to_csv(path, index=False)
    return metrics.read(paths, columns=propose(open_table(paths)).columns_answer)


@pytest.mark.parametrize("judges", [("judge_verdict",), ("judge_verdict", "gpt4_verdict")])
def test_the_labels_of_a_person_that_a_report_repeats_are_one_persons(tmp_path: Path, judges: tuple[str, ...]) -> None:
    report = frame(human_label=("yes", "no"), **dict.fromkeys(judges, ("yes", "no")))
    ratings = read(tmp_path, labels=report[["id", "human_label"]], report=report)
    assert (len(ratings.humans), len(ratings.judges), ratings.n_items) == (1, len(judges), N)


def test_labels_that_differ_once_are_those_of_two_people(tmp_path: Path) -> None:
    report = frame(human_label=("yes", "no"), judge_verdict=("yes", "no"))
    own = report[["id", "human_label"]].copy()
    own.loc[0, "human_label"] = "yes" if own["human_label"][0] == "no" else "no"
    assert len(read(tmp_path, labels=own, report=report).humans) == 2


YES = ("yes", "no")


@pytest.mark.parametrize("reference", ["human", "gold", "Ground Truth"])
def test_raters_without_a_name_beside_one_human_are_proposed_as_judges(reference: str) -> None:
    proposal = propose(open_table(frame(xy=YES, yx=YES, **{reference: YES})))
    assert raters(proposal) == {"judge:xy": "xy", "judge:yx": "yx", f"human:{reference}": reference}
    assert any("‘xy’, ‘yx’: human or judge?" in doubt.sentence for doubt in proposal.doubts)


@pytest.mark.parametrize("names", [("Ana", "Ben"), ("a", "b"), ("ann 1", "ann 2"), ("원익", "수민")])
def test_raters_who_are_called_as_people_are_beside_gold_are_no_judges(names: tuple[str, str]) -> None:
    assert "judge" not in {
        key.partition(":")[0] for key in raters(propose(open_table(frame(gold=YES, **dict.fromkeys(names, YES)))))
    }


@pytest.mark.parametrize(("other", "role"), [("second_look", "judge"), ("Ana", "human")])
def test_a_rater_without_a_role_beside_a_person_and_a_judge_is_hardly_a_second_person(other: str, role: str) -> None:
    proposal = propose(open_table(frame(human_label=YES, judge_label=YES, **{other: YES})))
    assert raters(proposal)[f"{role}:{other}"] == other
    assert any(f"‘{other}’: human or judge?" in doubt.sentence for doubt in proposal.doubts)


CITIES, DAYS, FLAGS = ("Rome", "Oslo", "Lima"), (30, 60, 90), (True, False)
WORDS = [("gold", "pred"), ("true", "predicted"), ("expected", "prediction"), ("ground_truth", "pred")]


def extracted(true: str, predicted: str) -> pd.DataFrame:
    """Return fields of texts as they are and as a model read them, with its raw answer and whether each is right."""
    table = frame(**{f"{true}_city": CITIES, f"{true}_days": DAYS, f"{true}_renewed": FLAGS})
    wrong = frame(city=CITIES, days=DAYS, renewed=FLAGS, swap=range(5))
    for name in ("city", "days", "renewed"):
        read_so = table[f"{true}_{name}"].where(wrong["swap"] > 0, wrong[name])
        table[f"{predicted}_{name}"] = table[f"answer.{name}"] = table[name] = read_so
        table[f"correct_{name}"] = table[f"{true}_{name}"] == read_so
    return table


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("start", ["", "norm_"])
def test_what_is_so_and_what_was_predicted_go_before_the_answers_they_were_made_of(words: tuple[str, str], start: str) -> None:
    true, predicted = (f"{start}{word}" for word in words)
    proposal = propose(open_table(extracted(true, predicted)))
    wanted = {f"human:human::{name}": f"{true}_{name}" for name in ("city", "days", "renewed")}
    wanted |= {f"judge:judge::{name}": f"{predicted}_{name}" for name in ("city", "days", "renewed")}
    assert raters(proposal) == wanted


def routed(**more: Sequence[object]) -> Proposal:
    kinds, ways = ("billing", "login", "other"), ("answer", "escalate")
    sides = {"true_intent": kinds, "predicted_intent": kinds, "true_routing": ways, "routing_decision": ways}
    return propose(open_table(frame(is_redirect=FLAGS, **sides, **more)))


PREDICTED = {
    "human:human::intent": "true_intent", "judge:judge::intent": "predicted_intent",
    "human:human::routing": "true_routing", "judge:judge::routing": "routing_decision",
}  # fmt: skip
SCORED = {"judge_relevance": range(1, 6), "judge_tone": range(1, 6)}


@pytest.mark.parametrize("more", [{}, SCORED])
def test_what_was_predicted_goes_before_a_flag_and_scores_that_nobody_else_gave(more: dict[str, Sequence[object]]) -> None:
    proposal = routed(**more)
    assert raters(proposal) == PREDICTED
    assert any(all(f"‘{name}’" in note for name in ("is_redirect", *more)) for note in proposal.notes)


def test_beside_what_was_predicted_a_column_called_but_after_the_criterion_is_what_is_so() -> None:
    reasons = {"hold_reason": ("fraud", "limit", "age"), "hold_reason_predicted": ("fraud", "limit", "age")}
    wanted = {"human:human::hold_reason": "hold_reason", "judge:judge::hold_reason": "hold_reason_predicted"}
    assert raters(routed(**reasons)) == PREDICTED | wanted
    other_words = {"hold_reason": ("fraud", "limit", "age"), "hold_reason_predicted": ("x", "y", "z")}
    assert raters(routed(**other_words)) == PREDICTED


def test_labels_of_people_go_before_what_was_predicted() -> None:
    assert "human_relevance" in raters(routed(human_relevance=range(1, 6), **SCORED)).values()


def test_a_further_judge_of_the_same_labels_is_read_too() -> None:
    kinds = ("billing", "login", "other")
    table = frame(true_intent=kinds, predicted_intent=kinds, gpt4_intent=kinds, is_redirect=FLAGS)
    assert "gpt4_intent" in raters(propose(open_table(table))).values()


def test_what_is_said_of_each_item_in_words_of_its_own_is_no_label() -> None:
    texts = [f"answer {k}" for k in range(N)]
    table = frame(human_label=YES, judge_label=YES).assign(gold_answer=texts, pred_answer=texts)
    assert raters(propose(open_table(table))) == {"human": "human_label", "verdict": "judge_label"}


def test_a_flag_is_no_person_on_the_criteria_of_a_judge() -> None:
    proposal = propose(open_table(frame(is_redirect=FLAGS, judge_relevance=range(1, 6), judge_tone=range(1, 6))))
    assert "is_redirect" not in raters(proposal).values()
    assert {"judge_relevance", "judge_tone"} <= set(raters(proposal).values())


def test_a_flag_may_be_what_is_right_beside_scores_of_two_judges() -> None:
    proposal = propose(open_table(frame(is_safe=FLAGS, gpt4_score=range(1, 6), claude_score=range(1, 6))))
    assert "is_safe" in raters(proposal).values()


PROGRAMS = ["exact_match", "Exact Match", "EM", "em_score", "token_f1", "f1", "bleu", "BLEU-4", "rougeL", "rouge1", "BERTScore"]
RATED = {"answer_correct": (0, 1), "answer_grounded": (0, 1), "tone_quality": range(1, 6)}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_program_works_out_is_no_criterion_of_a_person(program: str) -> None:
    table = frame(**{program: (0, 1)}, **RATED)
    proposal = propose(open_table(table.to_csv(index=False).encode(), "human_eval.csv"))
    assert {key: column for key, column in proposal.columns if key != "item"} == {f"human:human::{name}": name for name in RATED}
    assert any(f"‘{program}’ is worked out by a program" in note for note in proposal.notes)


def test_what_a_program_works_out_is_no_criterion_of_two_files(tmp_path: Path) -> None:
    asked = dict.fromkeys(("helpful", "grounded"), YES)
    people, judge = frame(exact_match=YES, **asked), frame(exact_match=YES, **asked)
    judge[[*asked]] = judge[[*asked]].sample(frac=1, random_state=1).to_numpy()
    assert read(tmp_path, human_scores=people, judge_scores=judge).criteria == tuple(asked)


def test_what_a_program_works_out_may_be_held_against_a_person() -> None:
    assert set(raters(propose(open_table(frame(human_label=(0, 1), exact_match=(0, 1)))))) == {"human", "verdict"}


def test_people_on_each_of_several_criteria_have_all_of_them_whatever_words_one_has() -> None:
    kinds = ("source", "agent", "patient")
    sides = {f"{name}_coder{at}": words for name, words in (("moral", YES), ("role", kinds), ("blame", YES)) for at in (1, 2)}
    proposal = propose(open_table(frame(**sides)))
    assert raters(proposal) == {f"human:coder{name[-1]}::{name[:-7]}": name for name in sides}
    alone = {name: words for name, words in sides.items() if name != "role_coder2"}
    assert "role_coder1" not in raters(propose(open_table(frame(**alone)))).values()


@pytest.mark.parametrize("column", ["participant", "Respondent", "worker"])
def test_people_who_are_few_numbers_are_raters(column: str) -> None:
    rng = np.random.default_rng(4)
    rows = [(f"p{item}", person, int(rng.integers(1, 6))) for person in range(3) for item in range(N)]
    proposal = propose(open_table(pd.DataFrame(rows, columns=["image", column, "value"])))
    assert (proposal.column("rater"), proposal.column("label")) == (column, "value")


def test_an_item_in_the_outputs_of_several_systems_is_known_by_a_short_name_of_its_id() -> None:
    rng = np.random.default_rng(5)
    rows = [(f"g{item}", system, *rng.integers(1, 6, 3)) for item in range(N) for system in ("simple", "agent")]
    proposal = propose(open_table(pd.DataFrame(rows, columns=["gid", "system", "grounded", "helpful", "tone"])))
    assert proposal.column("item") == "gid and system"

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

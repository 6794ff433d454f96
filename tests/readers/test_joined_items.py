"""Several files of which each has ids of its own beside those that it shares: on which columns they are joined."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose

N = 24
SYSTEMS = ("agent", "lookup", "canned")
SCORES = np.random.default_rng(7).integers(1, 6, N)
ROLES_STATED = {"machine.csv:item": "example_id", "human": "human_score", "verdict": "judge_score"}
CLASSES = {str(score): "class" for score in range(1, 6)}


def write(folder: Path, **frames: pd.DataFrame) -> list[Path]:
    paths = [folder / f"{name}.csv" for name in frames]
    for path, frame in zip(paths, frames.values(), strict=True):
        frame.to_csv(path, index=False)
    return paths


def sheet(system: str = "agent") -> pd.DataFrame:
    """Return what people scored in an order of their own: row k, called H00k, is example 5 k modulo the number of them."""
    order = [5 * k % N for k in range(N)]
    names = [f"H{k:03d}" for k in range(1, N + 1)]
    return pd.DataFrame({"sheet_id": names, "example_id": order, "system": system, "human_score": SCORES[order]})


def judged(first: int = 0) -> pd.DataFrame:
    numbers = range(first, first + N)
    return pd.DataFrame({"example_id": numbers, "system": "agent", "judge_score": [SCORES[k % N] for k in numbers]})


@pytest.mark.parametrize("first", [0, N // 2])
@pytest.mark.parametrize("turned", [False, True])
def test_an_id_that_both_files_have_goes_before_one_of_its_own(tmp_path: Path, first: int, *, turned: bool) -> None:
    paths = write(tmp_path, people=sheet(), machine=judged(first))[:: -1 if turned else 1]
    proposal = propose(open_table(paths))
    assert proposal.columns_answer.get("item") in ("example_id", None)
    assert not any("their number" in doubt.sentence for doubt in proposal.doubts), "no number is taken out of an id"
    ratings = metrics.read(paths, columns=proposal.columns_answer, labels=CLASSES, match="exact")
    assert ratings.n_items == N + first
    assert metrics.agreement(ratings).judges["machine"].level("micro").estimates["accuracy"].value == 1


def test_an_id_of_its_own_that_is_stated_stays(tmp_path: Path) -> None:
    paths = write(tmp_path, people=sheet(), machine=judged())
    ratings = metrics.read(paths, columns={**ROLES_STATED, "people.csv:item": "sheet_id"}, labels=CLASSES, match="loose")
    assert ratings.items.to_pylist()[0] == "H001"
    assert ratings.source.join.loosened == ("what stands around their number",)


@pytest.mark.parametrize(("shift", "offered"), [(0, False), (1000, True)])
def test_numbers_are_not_taken_out_of_ids_where_files_share_others(tmp_path: Path, shift: int, *, offered: bool) -> None:
    people = sheet().assign(example_id=[shift + k // 2 for k in range(N)])
    machine = judged().assign(run_id=range(1, N + 1))[["run_id", "example_id", "judge_score"]]
    stated = {"people.csv:item": "sheet_id", "machine.csv:item": "run_id"}
    table = open_table(write(tmp_path, people=people, machine=machine))
    if offered:
        assert any("what stands around their number" in doubt.sentence for doubt in propose(table, stated).doubts)
    else:
        with pytest.raises(metrics.InputError, match="name the columns that hold them"):
            propose(table, stated)
    assert not [doubt for doubt in propose(table, stated, match="loose").doubts if doubt.about == "match"]


@pytest.mark.parametrize("own", [["sheet_id"], []])
def test_an_id_with_another_system_in_each_file_is_another_item(tmp_path: Path, own: list[str]) -> None:
    people = sheet()[[*own, "example_id", "system", "human_score"]].assign(system=[SYSTEMS[k % 3] for k in range(N)])
    paths = write(tmp_path, people=people, machine=judged())
    proposal = propose(open_table(paths))
    assert proposal.columns_answer["item"] == "example_id and system"
    assert any(f"Only {N // 3} of the {N} ids" in doubt.sentence for doubt in proposal.doubts)
    ratings = metrics.read(paths, columns=proposal.columns_answer, labels=CLASSES, match="exact")
    report = metrics.agreement(ratings).judges["machine"]
    assert report.level("micro").n == N // 3, "eight were scored by both"
    assert report.level("micro").estimates["accuracy"].value == 1


@pytest.mark.parametrize("name", ["topic", "judge_model"])
def test_what_else_is_said_of_an_item_is_no_part_of_it(tmp_path: Path, name: str) -> None:
    people = sheet().assign(system=[SYSTEMS[k % 3] for k in range(N)]).rename(columns={"system": name})
    paths = write(tmp_path, people=people, machine=judged().rename(columns={"system": name}))
    assert " and " not in str(propose(open_table(paths)).columns_answer)
    every = sheet().assign(system="lookup")
    paths = write(tmp_path, people=every, machine=judged())
    assert " and " not in str(propose(open_table(paths)).columns_answer), "no item would be left"


TEXTS = ["The tap drips.", "The lamp flickers.", "The door creaks.", "The heater is cold.", "The sink is clogged."]


def few(first: int, order: list[int], **columns: list[object]) -> pd.DataFrame:
    frame = pd.DataFrame({f"number_from_{first}": range(first, first + len(TEXTS)), "summary": TEXTS, **columns})
    return frame.iloc[order]


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [3, 1, 4, 0, 2]])
def test_a_few_ids_from_0_and_from_1_are_joined_on_the_text_beside_them(tmp_path: Path, order: list[int]) -> None:
    scores = [1, 5, 2, 4, 3]
    people, machine = few(1, [0, 1, 2, 3, 4], human_score=scores), few(0, order, judge_score=scores)
    paths = write(tmp_path, people=people, machine=machine)
    proposal = propose(open_table(paths))
    assert not [doubt for doubt in proposal.doubts if doubt.about == "match"]
    ratings = metrics.read(paths, columns=proposal.columns_answer, labels=CLASSES)
    assert ratings.n_items == len(TEXTS)
    assert metrics.agreement(ratings).judges["machine"].level("micro").estimates["accuracy"].value == 1


@pytest.mark.parametrize("texts", [None, TEXTS[1:] + TEXTS[:1], [*TEXTS[:4], "Another one."]])
def test_a_few_ids_from_0_and_from_1_are_asked_about(tmp_path: Path, texts: list[str] | None) -> None:
    people, machine = few(1, [0, 1, 2, 3, 4], human_score=[1, 5, 2, 4, 3]), few(0, [0, 1, 2, 3, 4], judge_score=[1, 5, 2, 4, 3])
    machine = machine.drop(columns="summary") if texts is None else machine.assign(summary=texts)
    proposal = propose(open_table(write(tmp_path, people=people, machine=machine)))
    assert "machine.csv numbers its items from 0 and people.csv from 1, 5 each" in str(proposal.doubts)


def by_rows(first: int, *, gap: bool = False) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return labels beside the numbers of questions, and a file of a judge of more questions without any numbers."""
    winners = ["A", "tie", "B", "B", "A", "tie", "A", "B"]
    numbers = [first + k + (gap and k > 4) for k in range(len(winners))]
    people = pd.DataFrame({"question_number": numbers, "human_winner": winners})
    return people, pd.DataFrame({"after_swap": [*winners, *winners[::-1]], "text": [f"Text {k}" for k in range(16)]})


ROLES = {"people.csv:item": "question_number", "machine.csv:item": "#row", "human": "human_winner", "verdict": "after_swap"}
WINNERS = dict.fromkeys(("A", "B", "tie"), "class")


@pytest.mark.parametrize("first", [0, 1])
def test_rows_are_counted_from_where_the_ids_of_the_other_file_begin(tmp_path: Path, first: int) -> None:
    people, machine = by_rows(first)
    ratings = metrics.read(write(tmp_path, people=people, machine=machine), columns=ROLES, labels=WINNERS)
    report = metrics.agreement(ratings)
    estimates = report.judges["machine"].level("micro")
    assert (estimates.n, estimates.estimates["accuracy"].value) == (8, 1)
    said = "Rows are counted from 0, because ‘question_number’ of people.csv begins at 0."
    assert (said in report.summary()) == (first == 0)


def test_rows_are_counted_from_1_beside_ids_with_a_gap(tmp_path: Path) -> None:
    people, machine = by_rows(0, gap=True)
    ratings = metrics.read(write(tmp_path, people=people, machine=machine), columns=ROLES, labels=WINNERS, match="exact")
    assert "counted from 0" not in str(ratings.source.notes)

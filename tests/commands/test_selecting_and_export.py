"""The rows behind a number, and CSV that no spreadsheet runs."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.agreement.compute import Settings
from metrics.analyses.agreement.decisions import decision_frame, decisions_behind, decisions_of_items, items_behind
from metrics.data.abstention import MODES
from metrics.data.aggregation import ItemRule
from metrics.results.safe_csv import guard, safe_csv

STATES = ["MET", "UNMET", "CANNOT_ASSESS"]


def some_ratings(seed: int = 0):
    rng = np.random.default_rng(seed)
    rows = [
        f"{i},{c},{j},{STATES[rng.choice(3, p=[0.5, 0.4, 0.1])]},{'x' if j == 'a' else 'y'} {i}/{c}"
        for i in range(30) for c in ("c1", "c2") for j in ("a", "b") if rng.random() < 0.95
    ]  # fmt: skip
    human = {(i, c): STATES[rng.choice(3, p=[0.5, 0.4, 0.1])] for i in range(30) for c in ("c1", "c2")}
    lines = ["item,criterion,judge,verdict,why,human"]
    lines += [f"{row},{human[int(row.split(',')[0]), row.split(',')[1]]}" for row in rows]
    return metrics.read("\n".join(lines).encode())


@pytest.mark.parametrize("mode", MODES)
def test_every_cell_lists_as_many_decisions_as_it_counts(mode) -> None:
    ratings = some_ratings()
    block = metrics.agreement(ratings, abstention=mode).judges["a"].micro
    settings = Settings(abstention=mode, reference="human")
    for (row, column), count in np.ndenumerate(block.confusion):
        places = decisions_behind(ratings, "a", settings, cell=(row, column))
        assert len(places) == count
        frame = decision_frame(ratings, "a", settings, places)
        assert len(frame) == count
        if mode != "as_unmet":
            assert set(frame["reference"]) <= {block.labels[row]}
            assert set(frame["judge: a"]) <= {block.labels[column]}
    assert len(decisions_behind(ratings, "a", settings)) == block.n


def test_a_criterion_lists_its_own_decisions_with_the_text_of_the_judges_row() -> None:
    ratings = some_ratings()
    settings = Settings(reference="human")
    places = decisions_behind(ratings, "b", settings, criterion="c2")
    frame = decision_frame(ratings, "b", settings, places)
    assert len(frame) == metrics.agreement(ratings).judges["b"].criteria["c2"].n
    assert (frame["criterion"] == "c2").all()
    assert (frame["why"] == "y " + frame["item"] + "/c2").all()


def test_row_numbers_point_into_the_file() -> None:
    ratings = some_ratings()
    settings = Settings(reference="human")
    frame = decision_frame(ratings, "a", settings, decisions_behind(ratings, "a", settings))
    texts = ratings.table.column("why").to_pylist()
    assert [texts[row - 2] for row in frame["row"]] == list(frame["why"])


def test_a_decision_the_judge_skipped_shows_the_row_of_somebody_else() -> None:
    text = "item,criterion,judge,human,verdict,why\n1,c1,a,MET,MET,first\n1,c2,b,MET,UNMET,second\n"
    ratings = metrics.read(text.encode())
    frame = decision_frame(ratings, "a", Settings(reference="human"), decisions_of_items(ratings, np.array([0])))
    assert list(frame["why"]) == ["first", "second"]
    assert list(frame["row"]) == [2, 3]
    assert list(frame["judge: a"]) == ["MET", ""]


@pytest.mark.parametrize("mode", MODES)
def test_every_item_cell_lists_as_many_items_as_it_counts(mode) -> None:
    ratings = some_ratings(3)
    block = metrics.agreement(ratings, abstention=mode).judges["a"].item
    settings = Settings(abstention=mode, reference="human", item_rule=ItemRule())
    for cell, count in np.ndenumerate(block.confusion):
        items = items_behind(ratings, "a", settings, cell=cell)
        assert len(items) == count
        assert len(decisions_of_items(ratings, items)) == 2 * count


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "+1", "-1+2", "@sum", "\tx", "\rx"])
def test_formulas_are_neutralised(text) -> None:
    frame = pd.DataFrame({text: [text, "plain"]})
    rows = list(csv.reader(io.StringIO(safe_csv(frame), newline="")))
    assert rows[0] == [f"'{text}"]
    assert rows[1] == [f"'{text}"]
    assert rows[2] == ["plain"]


def test_numbers_stay_numbers() -> None:
    assert safe_csv(pd.DataFrame({"drift": [-0.5, np.nan]})) == 'drift\r\n-0.5\r\n""\r\n'
    assert guard(-1.5) == -1.5


def test_a_guarded_file_reads_back_as_it_was() -> None:
    frame = pd.DataFrame({"item": ["=1", "-2", "3"], "human": ["MET", "UNMET", "MET"], "verdict": ["MET", "MET", "UNMET"]})
    ratings = metrics.read(safe_csv(frame).encode())
    assert ratings.items.to_pylist() == ["=1", "-2", "3"]

"""Tables in which only the first row of an item names it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose

N = 20
CRITERIA = ("tone", "depth", "facts")


def rows(seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame([{"id": f"q{k}", "question": f"What is {k}?", "criterion": c} for k in range(N) for c in CRITERIA])
    return frame.assign(human=rng.choice(["yes", "no"], len(frame)), verdict=rng.choice(["yes", "no"], len(frame)))


def below_the_first(frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
    frame = frame.copy()
    frame.loc[frame["id"].duplicated(), list(columns)] = ""
    return frame


@pytest.mark.parametrize("columns", [("id",), ("id", "question")])
def test_each_row_is_of_the_item_above_it(columns: tuple[str, ...]) -> None:
    whole, blank = rows(), below_the_first(rows(), *columns)
    read = [metrics.read(frame.to_csv(index=False).encode(), columns={"item": "id"}) for frame in (whole, blank)]
    first, second = (metrics.agreement(ratings).to_dict()["judges"] for ratings in read)
    assert first == second
    assert any("have no ‘id’" in note for note in read[1].source.notes)
    assert read[1].table is not None
    assert list(read[1].table.column("question").to_pylist()[:3]) == (
        ["What is 0?"] * 3 if "question" in columns else list(whole["question"][:3])
    )


def test_rows_of_raters_too() -> None:
    frame = rows().rename(columns={"criterion": "rater"}).replace({"tone": "ana", "depth": "ben", "facts": "gpt-4o"})
    frame = frame.drop(columns=["question", "verdict"]).rename(columns={"human": "label"})
    table = open_table(below_the_first(frame, "id").to_csv(index=False).encode())
    assert len(table.coded("id").names) == N
    assert (table.coded("id").codes >= 0).all()
    assert propose(table).column("rater") == "rater"


def gaps(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(id=np.where(np.arange(len(frame)) % 7 == 3, "", frame["id"]))


def repeated(frame: pd.DataFrame) -> pd.DataFrame:
    return below_the_first(frame, "id").replace({"q5": "q4"})


def unknown_first(frame: pd.DataFrame) -> pd.DataFrame:
    return below_the_first(frame, "id").assign(id=lambda found: ["", *found["id"][1:]])


def nothing_tells_apart(frame: pd.DataFrame) -> pd.DataFrame:
    return below_the_first(frame, "id").assign(criterion="tone")


@pytest.mark.parametrize("change", [gaps, repeated, unknown_first, nothing_tells_apart])
def test_rows_without_an_item_stay_without_one(change) -> None:
    frame = change(rows())
    table = open_table(frame.to_csv(index=False).encode())
    assert (table.coded("id").codes < 0).sum() == (frame["id"] == "").sum()
    assert not table.notes


def test_texts_of_an_index_are_the_items() -> None:
    frame = rows().query("criterion == 'tone'").set_index("id").rename_axis(None)[["human", "verdict"]]
    assert metrics.read(frame).items[:2].tolist() == ["q0", "q1"]
    assert propose(open_table(frame.reset_index(drop=True))).column("item") == "#row"
    levels = pd.DataFrame({("human", "tone"): frame["human"], ("judge", "tone"): frame["verdict"]})
    levels[("human", "depth")], levels[("judge", "depth")] = frame["verdict"], frame["human"]
    assert set(open_table(levels).columns) == {"item", "human tone", "judge tone", "human depth", "judge depth"}

"""Two files, and one, in which a guesser or a silent judge would win: text, JSON, forest and report name nobody; else they do."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import metrics
from metrics.commands.cli import main
from metrics.figures.forest import ForestRow, alt, forest
from metrics.report.making import report_of
from metrics.report.writing import write
from tests.comparison.test_readings import read
from tests.made_files import better, by_judge, guesser_and_seer, silent

DISPUTED = "The readings disagree, so no judge is named the better one."
ABSTENTION = "MET=positive,UNMET=negative,CANNOT_ASSESS=abstention"
CASES = {
    "a guesser": (guesser_and_seer, None, f"{DISPUTED} sees minus guesses in κ: micro −0."),
    "better in every reading": (better, "sees", "sees beats guesses by "),
    "silence alone": (silent, None, "The difference comes from decisions that only one of them answered."),
    "better on what both answered": (lambda: silent(open_=5, worse=40), "B", "B beats A by "),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[pd.DataFrame, str | None, str]:
    make, winner, said = CASES[request.param]
    return make(), winner, said


def saved(folder: Path, frame: pd.DataFrame) -> list[Path]:
    paths = []
    for name, data in by_judge(frame).items():
        paths.append(folder / name)
        paths[-1].write_bytes(data)
    return paths


def run(capsys, *args: object) -> str:
    with pytest.raises(SystemExit):
        main([str(arg) for arg in ("compare", *args, "--labels", ABSTENTION, "--replicates", 500)])
    out: str = capsys.readouterr().out
    return out


def test_two_files_name_a_winner_only_where_the_readings_agree(case, tmp_path, capsys) -> None:
    frame, winner, said = case
    files = saved(tmp_path, frame)
    text, found = run(capsys, *files), json.loads(run(capsys, *files, "--json"))
    assert said in text
    assert ("beats" in text) == (winner is not None)
    assert found["winner"] == winner
    first, second = frame["judge"].unique()
    one = metrics.compare(read(frame), first, second, replicates=500)
    assert found["reading"] == one.reading
    assert [own and own["difference"] for own in found["readings"].values()] == [
        own and pytest.approx(own.difference.value) for own in one.readings.values()
    ]


def test_a_forest_tells_apart_only_where_the_readings_agree(case, tmp_path, capsys) -> None:
    frame, winner, _ = case
    path = tmp_path / "both.csv"
    frame.to_csv(path, index=False)
    text, found = run(capsys, path, "--baseline", "best"), json.loads(run(capsys, path, "--baseline", "best", "--json"))
    (row,) = found["judges"]
    assert row["winner"] == winner
    assert ("1 of 1 judge differs significantly from " in text) == (winner is not None)
    assert ("0 of 1 judge differs significantly from " in text) == (winner is None and not row["readings_disagree"])
    assert ("no better judge is named there. " in text) == row["readings_disagree"]
    assert ("chosen as the best on the same data" in text) == (not row["readings_disagree"])
    if "criterion" in frame:
        assert text.count("micro ") == 1
        assert "within criteria " in text
    else:
        assert "all that each answered " in text
        assert "abstentions as negative " in text


def test_the_figure_shows_every_reading_and_says_where_they_disagree() -> None:
    one = metrics.compare(read(guesser_and_seer()), "guesses", "sees", replicates=100)
    assert list(one.others) == ["micro", "macro"]
    assert one.others["micro"].difference.value < 0 < one.others["macro"].difference.value
    others = {name: own.difference for name, own in one.others.items()}
    row = ForestRow(
        "sees",
        one.difference,
        value=one.b.estimate.value,
        p=0.0,
        n=200,
        others=others,
        disagree=one.disagree,
    )
    figure = forest([row], theme="light", symbol="κ within")
    assert list(figure.data[-1].x) == [own.difference.value for own in one.others.values()]
    said = " ".join(note.text for note in figure.layout.annotations)
    assert f"micro −{abs(one.others['micro'].difference.value):.2f}" in said
    assert "readings<br>disagree" in said
    assert ", readings disagree." in alt([row], "guesses")
    agree = metrics.compare(read(better()), "guesses", "sees", replicates=100)
    assert not agree.disagree
    assert set(agree.others) == {"micro", "macro"}


def test_what_is_left_open_is_a_reading_of_its_own() -> None:
    ratings = read(silent())
    assert list(metrics.compare(ratings, "A", "B", replicates=50).others) == ["all answered", "as negative"]
    unmet = metrics.compare(ratings, "A", "B", abstention="as_unmet", replicates=50).others
    assert (list(unmet), unmet["both answered"].difference.value) == (["both answered"], 0)
    assert metrics.compare(read(silent(open_=0, worse=40)), "A", "B", replicates=50).others == {}
    assert list(metrics.compare(read(better()), "guesses", "sees", "accuracy", replicates=50).others) == ["macro"]


@pytest.mark.parametrize("ending", [".md", ".html"])
def test_a_report_names_no_better_judge_and_shows_kappa_within_beside_the_pooled_one(case, ending) -> None:
    frame, _, _ = case
    text = write(report_of(read(frame)), ending).decode()
    assert "beats" not in text
    assert "better judge" not in text
    many = "criterion" in frame
    for said in (
        "κ micro low",
        "κ macro low",
        "κ within criteria low",
        "κ micro also credits knowing which",
    ):
        assert (said in text) == many
    assert ("Each row counts the decisions that this judge answered." in text) == (not many)

"""Answers and labels of another kind than is taken: a refusal that says what is, and never a silent other reading."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import metrics
from metrics.commands.cli import main

FRAME = pd.DataFrame({"item": range(8), "human": ["MET", "UNMET"] * 4, "verdict": ["MET", "UNMET", "UNMET", "MET"] * 2})


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ({"order": "UNMET,MET"}, 'order= takes a list such as ["low", "high"], not one text'),
        ({"criteria": "overall"}, "criteria= takes a list"),
        ({"columns": "item=id"}, "columns= takes a dict such as"),
        ({"labels": "MET=positive"}, "labels= takes a dict such as"),
        ({"roles": "gpt=judge"}, "roles= takes a dict such as"),
        ({"order": ["UNMT", "MET"]}, "no label is ‘UNMT’, which the order names; ‘UNMET’ is"),
        ({"roles": {"judge": "foo"}}, "is neither human nor judge. Say which, or out"),
        ({"roles": {"judge": "out"}}, "Its columns say who is human and who is judge."),
    ],
)
def test_an_answer_of_another_kind_is_refused(stated: dict[str, Any], says: str) -> None:
    with pytest.raises(metrics.InputError) as refused:
        metrics.read(FRAME, **stated)
    assert says in str(refused.value)


def test_an_array_is_an_order_and_labels_that_do_not_occur_may_stand_in_it() -> None:
    steps = FRAME.assign(human=[1, 2] * 4, verdict=[1, 2, 2, 1] * 2)
    assert metrics.read(steps, order=np.array(["1", "2", "3"])).labels == metrics.read(steps, order=["1", "2", "3"]).labels


NO_CLASS = "‘zz’ occurs in no row: it makes no class."
NUMBERS = FRAME.assign(human=[1, 2, 3, 5] * 2, verdict=[1, 2, 2, 5] * 2)
WORDS = FRAME.assign(human=["low", "high"] * 4, verdict=["low", "high", "high", "low"] * 2)


@pytest.mark.parametrize(
    "stated", [{"order": ["UNMET", "MET", "zz"]}, {"order": ["UNMET", "zz", "MET"]}, {"labels": {"zz": "class"}}]
)
def test_a_label_that_occurs_nowhere_makes_no_class_beside_two_sides(stated: dict[str, Any]) -> None:
    ratings = metrics.read(FRAME, **stated)
    assert metrics.agreement(ratings).to_dict()["judges"] == metrics.agreement(metrics.read(FRAME)).to_dict()["judges"]
    assert (ratings.scheme.scale, ratings.scheme.classes) == ("binary", ("MET", "UNMET"))
    assert NO_CLASS in metrics.import_report(ratings).assumptions


def test_a_word_that_occurs_nowhere_makes_no_class_among_numbers() -> None:
    ratings = metrics.read(NUMBERS, order=[1, 2, 3, 5, "zz"])
    assert ratings.scheme.order == ratings.scheme.classes == ("1", "2", "3", "5")
    assert NO_CLASS in ratings.source.notes


@pytest.mark.parametrize(
    ("frame", "stated"),
    [
        (NUMBERS, {"order": ["1", "2", "3", "4", "5"]}), (WORDS, {"order": ["low", "medium", "high"]}),
        (FRAME, {"order": ["UNMET", "PARTLY", "MET"], "scale": "ordinal"}),
        (FRAME.replace({"MET": 1, "UNMET": 0}), {"order": ["0", "1", "2"]}),
    ],
)  # fmt: skip
def test_a_step_that_nobody_gave_keeps_its_place(frame: pd.DataFrame, stated: dict[str, Any]) -> None:
    ratings = metrics.read(frame, **stated)
    assert ratings.scheme.order == tuple(stated["order"])
    assert len(ratings.scheme.classes) == len(stated["order"])
    assert ratings.source.notes == metrics.read(frame, order=[*stated["order"]], scale="ordinal").source.notes


def test_a_side_that_nobody_gave_is_one_of_two() -> None:
    for stated in ({"order": ["UNMET", "MET"]}, {"labels": {"UNMET": "negative"}}):
        scheme = metrics.read(FRAME.assign(human="MET", verdict="MET"), **stated).scheme
        assert (scheme.scale, scheme.classes) == ("binary", ("MET", "UNMET"))


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ({"order": ["zz"]}, "no label is in the order. Write the labels as the file has them: ‘MET’, ‘UNMET’"),
        (
            {"labels": {"METT": "positive"}},
            "no label is ‘METT’, whose meaning is stated; ‘MET’ is, and its meaning is not stated",
        ),
        ({"labels": {"UNMEET": "positive"}}, "no label is ‘UNMEET’"),
    ],
)
def test_a_slip_is_refused(stated: dict[str, Any], says: str) -> None:
    with pytest.raises(metrics.InputError) as refused:
        metrics.read(FRAME, **stated)
    assert says in str(refused.value)


def test_a_mapping_for_many_files_names_labels_that_this_one_lacks() -> None:
    labels = {"MET": "positive", "UNMET": "negative", "pass": "positive", "unsure": "abstention", "PARTLY_MET": "tie"}
    ratings = metrics.read(FRAME, labels=labels)
    assert metrics.agreement(ratings).to_dict()["judges"] == metrics.agreement(metrics.read(FRAME)).to_dict()["judges"]
    assert "‘pass’, ‘unsure’, ‘PARTLY_MET’ occur in no row." in ratings.source.notes


@pytest.mark.parametrize("column", [FRAME["human"], pl.Series(["MET"]), pa.chunked_array([["MET"]])])
def test_a_column_alone_is_no_table(column: Any) -> None:
    for read in (metrics.read, metrics.agreement):
        with pytest.raises(metrics.InputError):
            read(column)


def test_masked_labels_are_missing() -> None:
    masked = np.ma.masked_array([1, 0, 1, 0, 1, 1], mask=[0, 0, 0, 0, 1, 1])
    block = next(iter(metrics.agreement(masked, np.array([1, 0, 1, 0, 0, 0])).judges.values())).micro
    assert (block.n, block["kappa"].value) == (4, 1.0)


def test_bytes_are_the_text_that_they_spell() -> None:
    frame = pa.table({"item": range(4), "human": [b"MET", b"UNMET"] * 2, "verdict": ["MET", "UNMET", "UNMET", "UNMET"]})
    assert (
        metrics.read(frame).labels
        == metrics.read(frame.to_pandas().map(lambda v: v.decode() if isinstance(v, bytes) else v)).labels
    )
    y = np.array(["MET", "UNMET", "MET"])
    assert metrics.cohen_kappa(y.astype("S"), y[::-1]) == metrics.cohen_kappa(y, y[::-1])


def test_numbers_longer_than_those_of_python_are_read() -> None:
    y = np.array([0, 1, 1], np.longdouble)
    assert metrics.cohen_kappa(y, y[::-1]) == metrics.cohen_kappa([0, 1, 1], [1, 1, 0])


@pytest.mark.parametrize(
    "labels",
    [list("ABCD"), ["entailment", "neutral", "contradiction"], ["positive", "neutral", "negative"], ["x", "y"], ["n", "y"]],
)
def test_classes_need_no_word(labels: list[str]) -> None:
    true, pred = labels * 5, (labels[1:] + labels[:1]) * 2 + labels * 3
    codes = {label: place for place, label in enumerate(sorted(labels))}
    table = np.zeros((len(labels), len(labels)))
    for one, other in zip(true, pred, strict=True):
        table[codes[one], codes[other]] += 1
    assert metrics.cohen_kappa(true, pred) == pytest.approx(float(metrics.cohen_kappa(table)), abs=1e-12)


def test_functions_of_two_classes_say_what_takes_more() -> None:
    with pytest.raises(metrics.InputError, match=r"f1: this metric is defined for 2 classes, got 3 classes.*take macro_f1"):
        metrics.f1(["red", "green", "blue"] * 3, ["red", "green", "green"] * 3)
    with pytest.raises(metrics.InputError, match="positive= names no label"):
        metrics.f1([0, 1], [1, 1], positive=[])


def test_functions_of_counts_can_be_pickled() -> None:
    for function in (metrics.cohen_kappa, metrics.f1, metrics.phi):
        assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize(
    "line",
    [
        ["label-next", "lab.csv", "-n", "1", "--out", "lab.csv"], ["report", "lab.csv", "--out", "lab.csv"],
        ["agreement", "lab.csv", "--summary", "lab.csv"], ["ratings", "lab.csv", "--out", "lab.csv"],
        ["agreement", "other.csv", "--with", "lab.csv", "--summary", "./lab.csv"],
    ],
)  # fmt: skip
def test_no_command_writes_to_a_file_that_it_reads(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("lab.csv", "other.csv"):
        FRAME.to_csv(name, index=False)
    before = Path("lab.csv").read_bytes()
    with pytest.raises(SystemExit) as stop:
        main(line)
    assert stop.value.code == 2
    assert "is read itself. Write to another file" in capsys.readouterr().err
    assert Path("lab.csv").read_bytes() == before


def test_a_name_that_no_file_can_have_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["agreement", "x" * 300 + ".csv"])
    assert stop.value.code == 2
    assert "File name too long" in capsys.readouterr().err


def test_a_summary_without_a_gate_says_so(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "lab.csv", index=False)
    with pytest.raises(SystemExit) as stop:
        main(["agreement", str(tmp_path / "lab.csv"), "--summary", str(tmp_path / "out.md")])
    assert not stop.value.code
    assert (tmp_path / "out.md").read_text().startswith("# No gate was stated")


def test_judges_called_by_numbers_are_named_by_numbers() -> None:
    rows = [{"item": i, "judge": j, "human": i % 2, "verdict": int(i % (j + 2) > 0)} for i in range(30) for j in (1, 2)]
    ratings = metrics.read(rows)
    assert list(metrics.agreement(ratings, judges=[2]).judges) == ["2"]
    assert list(metrics.agreement(ratings, judges=np.array([1, 2])).judges) == ["1", "2"]
    assert metrics.compare(ratings, a=1, b=2).to_dict() == metrics.compare(ratings, a="1", b="2").to_dict()
    for unknown in (3, 1.5, [1]):
        with pytest.raises(metrics.InputError, match=r"no judge is called .*\. Judges: 1, 2\.$"):
            metrics.compare(ratings, a=unknown, b=2)

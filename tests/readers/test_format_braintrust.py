"""Braintrust: a wide table of scores whose raters somebody must name."""

from __future__ import annotations

import json

import pytest

from metrics import InputError
from metrics.readers import open_table, propose
from tests.readers.formats import EXAMPLES, rated

CSV = b"""id,created,input,output,expected,tags,metadata,scores
e1,2026-02-01T09:07:00Z,Where?,There.,,"[""support""]","{""model"": ""m""}","{""Factuality"": 1.0, ""Correct (human)"": 1}"
e2,2026-02-01T09:08:00.250Z,When?,Now.,,[],{},"{""Factuality"": 0, ""Correct (human)"": 0.5}"
e3,,Why?,So.,,[],{},"{""Factuality"": null, ""Correct (human)"": 1}"
e4,,How?,Thus.,,[],{},
"""
JSON = json.dumps([
    {"id": f"e{n}", "created": "2026-02-01T09:07:00Z", "input": {"q": "a"}, "output": "b", "expected": None, "scores": scores}
    for n, scores in enumerate([{"Factuality": 1, "Human": 1}, {"Factuality": 0, "Human": None}])
]).encode()  # fmt: skip
SAMPLES = {"experiment.csv": CSV, "experiment.json": JSON}


def test_each_score_is_a_rater_on_one_criterion() -> None:
    table = open_table(CSV, "experiment.csv")
    assert [row[:7] for row in rated(table)] == [
        ("e1", "overall", "Factuality", "Factuality", "", "1", "2026-02-01T09:07:00Z"),
        ("e1", "overall", "Correct (human)", "Correct (human)", "", "1", "2026-02-01T09:07:00Z"),
        ("e2", "overall", "Factuality", "Factuality", "", "0", "2026-02-01T09:08:00Z"),
        ("e2", "overall", "Correct (human)", "Correct (human)", "", "0.5", "2026-02-01T09:08:00Z"),
        ("e3", "overall", "Correct (human)", "Correct (human)", "", "1", ""),
    ]
    assert table.data["input"].to_pylist()[0] == "Where?"
    assert [row[:6] for row in rated(open_table(JSON, "experiment.json"))] == [
        ("e0", "overall", "Factuality", "Factuality", "", "1"),
        ("e0", "overall", "Human", "Human", "", "1"),
        ("e1", "overall", "Factuality", "Factuality", "", "0"),
    ]


def test_who_gave_a_score_is_asked_and_averages_are_named() -> None:
    table = open_table(CSV, "experiment.csv")
    assert "somebody must say" in table.notes[0]
    assert "where people gave Correct (human), values between 0 and 1" in table.notes[1]
    assert "roles" in [doubt.about for doubt in propose(table).blocking]
    answers = {"role:Factuality": "judge", "role:Correct (human)": "human"}
    assert "roles" not in [doubt.about for doubt in propose(table, answers).blocking]
    assert len(open_table(JSON, "experiment.json").notes) == 1


def test_rows_without_scores_are_refused() -> None:
    with pytest.raises(InputError, match="None of its rows has a score"):
        open_table(b"id,created,input,output,scores\n1,2026,a,b,{}\n2,2026,a,b,{}\n")


def test_the_example_is_read() -> None:
    path = EXAMPLES / "braintrust" / "experiment_inferred.csv"
    if path.exists():
        assert open_table(str(path)).n_rows == 15

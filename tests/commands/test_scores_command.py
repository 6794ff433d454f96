"""The command `scores`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import metrics
from metrics.commands.cli import main
from tests.made_files import JUDGE, graded
from tests.shared_data import data

TABLE = "item,criterion,human,verdict\n" + "".join(
    f"i{i},c{c},{'low mid high'.split()[(i + c) % 3]},{'low mid high'.split()[(i * i + c) % 3]}\n"
    for i in range(40)
    for c in range(2)
)


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.fixture
def words_csv(tmp_path: Path) -> Path:
    path = tmp_path / "words.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def rubric_csv(tmp_path: Path) -> Path:
    path = tmp_path / "rubric.csv"
    path.write_text(graded())
    return path


def test_the_command_prints_what_python_returns(capsys, rubric_csv) -> None:
    code, out, err = call(capsys, "scores", rubric_csv, "--order", "1,2,3,4", "--json", "--interval", "none")
    assert (code, err) == (0, "")
    report = metrics.scores(metrics.read(rubric_csv, order=("1", "2", "3", "4")), interval="none")
    assert json.loads(out) == json.loads(json.dumps(report.to_dict()))


def test_every_choice_reaches_python(capsys, words_csv) -> None:
    code, out, _ = call(
        capsys, "scores", words_csv, "--order", "low,mid,high", "--values", "low=0,mid=2", "--values", "high=10",
        "--abstention", "as_unmet", "--weights", "c1=-1", "--cost", "0,1,4;1,0,1;4,1,0", "--confidence", "0.8", "--json",
    )  # fmt: skip
    assert code == 0
    report = metrics.scores(
        metrics.read(words_csv, order=("low", "mid", "high")), values={"low": 0, "mid": 2, "high": 10}, abstention="as_unmet",
        weights={"c1": -1}, cost=[[0, 1, 4], [1, 0, 1], [4, 1, 0]], confidence=0.8,
    )  # fmt: skip
    assert json.loads(out) == json.loads(json.dumps(report.to_dict()))
    assert json.loads(out)["declaration"]["values"] == {"low": 0, "mid": 2, "high": 10}


def test_the_summary_has_its_numbers(capsys, rubric_csv) -> None:
    report = metrics.scores(metrics.read(rubric_csv, order=("1", "2", "3", "4")))
    code, out, _ = call(capsys, "scores", rubric_csv, "--order", "1,2,3,4")
    assert code == 0
    covered = report.judges[JUDGE].coverage
    assert "Ordinal 1–4 · abstentions excluded, coverage 91\u00a0% · pooled over 6 criteria." in out
    assert f"{covered.n_covered} of {covered.n_total} decisions on 60 items." in out
    assert "on Q4 the judge says only 3; κ is then 0 by construction, chance level, and correlations are undefined." in out
    row = next(line for line in out.splitlines() if line.strip().startswith("Spearman’s ρ "))
    assert row.endswith("(5 of 6)")


def test_the_summary_of_a_published_rubric_has_its_numbers(capsys) -> None:
    code, out, _ = call(capsys, "scores", data("llmrubric_real_ordinal.csv"), "--order", "1,2,3,4")
    assert code == 0
    for line in (
        "Ordinal 1–4 · abstentions excluded, coverage 85\u00a0% · pooled over 9 criteria.",
        "1\u202f701 of 2\u202f007 decisions on 223 items.",
        "Always giving one option on each criterion would reach up to 53\u00a0% and 94\u00a0%: gpt-3.5-turbo-16k does worse",
        "on Q4 and Q5 the judge says only 3; κ is then 0 by construction, chance level, and correlations are undefined.",
    ):
        assert line in out
    row = next(line for line in out.splitlines() if line.strip().startswith("Spearman’s ρ "))
    assert row.endswith("(7 of 9)")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "have no order. Give it with --order"),
        (("--order", "low,mid"), "lacks ‘high’"),
        (("--order", "low,mid,high", "--values", "low=0,mid=x,high=2"), "--values: every value must be a number"),
        (("--order", "low,mid,high", "--values", "low=0"), "lack ‘mid’, ‘high’"),
        (("--order", "low,mid,high", "--cost", "0,1;1"), "--cost: '0,1;1' is no table of numbers"),
        (("--order", "low,mid,high", "--cost", "0,1;1,0"), "must be 3 x 3"),
        (("--order", "low,mid,high", "--abstention", "as_category"), "has no place in an order"),
    ],
)
def test_a_mistake_is_one_sentence(capsys, words_csv, options, said) -> None:
    code, out, err = call(capsys, "scores", words_csv, "--labels", "low=class,mid=class,high=class", *options, "--json")
    assert (code, out) == (2, "")
    assert said in err
    assert len(err) <= 1000

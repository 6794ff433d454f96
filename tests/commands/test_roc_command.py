"""The command `roc`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import metrics
from metrics.commands.cli import main
from metrics.results.words import number
from tests.roc.made import made_up

ROOT = Path(__file__).resolve().parents[2]


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.fixture
def scores_csv(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text(made_up())
    return path


def test_the_command_prints_what_python_returns(capsys, scores_csv) -> None:
    code, out, err = call(
        capsys, "roc", scores_csv, "--json", "--seed", "4", "--holding-out", "cross", "--folds", "3", "--direction", "lower"
    )
    assert (code, err) == (0, "")
    report = metrics.roc(metrics.read(scores_csv), rng=4, holding_out="cross", folds=3, direction="lower")
    assert json.loads(out) == json.loads(json.dumps(report.to_dict()))


@pytest.mark.slow("starts a process")
def test_the_command_as_a_process(scores_csv) -> None:
    command = [sys.executable, "-m", "metrics", "roc", str(scores_csv), "--json", "--interval", "none"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["judges"]["j"]["criteria"]["all"]["intervals"] == {}


def test_the_summary_of_one_criterion_has_its_numbers(capsys, tmp_path) -> None:
    path = tmp_path / "one.csv"
    path.write_text(made_up(criteria=1))
    block = metrics.roc(metrics.read(path)).judges["j"].pooled
    _, out, _ = call(capsys, "roc", path)
    row = next(line for line in out.splitlines() if line.strip().startswith("c0"))
    assert number(block.curve.area.value) in row
    assert number(block.curve.held_out.cut["youden_j"].value) in row
    assert "on the decisions that chose it, hence too good; held-out J is not." in out


def test_the_summary_shows_the_mean_beside_the_pooled_area(capsys, scores_csv) -> None:
    code, out, _ = call(capsys, "roc", scores_csv)
    assert code == 0
    assert "pooled over 2 criteria" in out
    assert "mean over 2 of 2 criteria" in out
    assert "the second is the fair one" in out
    assert "hence too good, and so is its mean; held-out J is not." in out
    assert "scores.csv" in out


@pytest.mark.parametrize(
    "options",
    [
        ["--judges", "nobody"],
        ["--interval", "wilson"],
        ["--holding-out", "x"],
        ["--direction", "up"],
        ["--seed", "-1"],
        ["--fold", "3"],
    ],
)
def test_a_mistake_is_one_message_and_exit_code_two(capsys, scores_csv, options) -> None:
    code, out, err = call(capsys, "roc", scores_csv, "--json", *options)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert len(err) <= 1000

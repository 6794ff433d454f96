"""The command line as a user types it: what stands on stdout and stderr, and the exit code."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import metrics
from metrics.commands.cli import main
from metrics.commands.options import pairs_of, split

ROOT = Path(__file__).resolve().parents[2]
APP_B = {("MET", "MET"): 30, ("MET", "UNMET"): 10, ("MET", "CANNOT_ASSESS"): 5, ("UNMET", "MET"): 10, ("UNMET", "UNMET"): 20,
         ("UNMET", "CANNOT_ASSESS"): 5, ("CANNOT_ASSESS", "MET"): 5, ("CANNOT_ASSESS", "UNMET"): 5,
         ("CANNOT_ASSESS", "CANNOT_ASSESS"): 10}  # fmt: skip


@pytest.fixture
def labels_csv(tmp_path: Path) -> Path:
    """P1's Appendix B, one decision a row."""
    verdicts = [pair for pair, count in APP_B.items() for _ in range(count)]
    rows = [f"{i},c1,j1,{human},{judge}" for i, (human, judge) in enumerate(verdicts)]
    path = tmp_path / "labels.csv"
    path.write_text("item,criterion,judge,human,verdict\n" + "\n".join(rows) + "\n")
    return path


def run(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "metrics", *map(str, args)], capture_output=True, text=True, cwd=ROOT, check=False
    )


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.mark.parametrize(
    ("mode", "n", "accuracy", "kappa"),
    [("exclude", 70, 5 / 7, 5 / 12), ("as_unmet", 100, 0.7, 13 / 33), ("as_category", 100, 0.6, 47 / 127)],
)
def test_json_holds_the_three_answers(capsys, labels_csv, mode, n, accuracy, kappa) -> None:
    code, out, err = call(capsys, "agreement", labels_csv, "--abstention", mode, "--json")
    assert (code, err) == (0, "")
    micro = json.loads(out)["judges"]["j1"]["micro"]
    assert micro["n"] == n
    assert micro["accuracy"] == pytest.approx(accuracy, abs=1e-12)
    assert micro["kappa"] == pytest.approx(kappa, abs=1e-12)


def test_json_equals_python(capsys, labels_csv) -> None:
    _, out, _ = call(capsys, "agreement", labels_csv, "--json", "--abstention", "as_category", "--cost", "0,1,1;1,0,1;1,1,0")
    report = metrics.agreement(metrics.read(labels_csv), abstention="as_category", cost="nominal")
    assert json.loads(out) == json.loads(json.dumps(report.to_dict()))


def test_as_a_process_it_prints_one_object_and_nothing_else(labels_csv) -> None:
    done = run("agreement", labels_csv, "--json", "--interval", "none")
    assert done.returncode == 0
    assert done.stderr == ""
    judge = json.loads(done.stdout)["judges"]["j1"]
    assert judge["micro"]["intervals"] == {}
    assert judge["coverage"]["coverage"] == 0.7


def test_as_a_process_a_mistake_is_one_message_and_exit_code_two(tmp_path) -> None:
    done = run("agreement", tmp_path / "none.csv", "--json")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "none.csv" in done.stderr
    assert "Traceback" not in done.stderr


def test_summary_names_mode_level_and_file(capsys, labels_csv) -> None:
    code, out, _ = call(capsys, "agreement", labels_csv)
    assert code == 0
    assert "abstentions excluded, coverage 70\u00a0%" in out
    assert "70 of 100 decisions on 70 of 100 items" in out
    assert "0.42" in out
    assert "labels.csv" in out


def test_the_full_interface_of_weights_and_threshold(capsys, tmp_path) -> None:
    path = tmp_path / "two.csv"
    path.write_text(
        'item,criterion,judge,human,verdict\n1,"a, b",j,MET,MET\n1,c=d,j,UNMET,MET\n2,"a, b",j,MET,UNMET\n2,c=d,j,MET,MET\n'
    )
    code, out, err = call(
        capsys,
        "agreement",
        path,
        "--item-rule",
        "threshold",
        "--threshold",
        "0.5",
        "--weights",
        '"a, b"=3',
        "--weights",
        '"c=d"=-1',
        "--json",
    )
    assert (code, err) == (0, "")
    found = json.loads(out)["declaration"]["item_rule"]
    assert found == {"rule": "threshold", "threshold": 0.5, "weights": {"a, b": 3.0, "c=d": -1.0}}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--abstention", "drop"], "drop"),
        (["--judges", "nobody"], "nobody"),
        (["--reference", "anna"], "anna"),
        (["--item-rule", "threshold"], "threshold"),
        (["--item-rule", "some"], "some"),
        (["--threshold", "0.5"], "threshold"),
        (["--item-rule", "threshold", "--threshold", "1.5"], "1.5"),
        (["--weights", "c1=heavy"], "--weights"),
        (["--weights", "c9=1"], "c9"),
        (["--weights", "c1=-1"], "above 0"),
        (["--cost", "cheap", "--abstention", "as_category"], "cheap"),
        (["--cost", "0,x;1,0", "--abstention", "as_category"], "--cost"),
        (["--cost", "0,1;1,0", "--abstention", "as_category"], "3 x 3"),
        (["--cost", "nominal"], "as_category"),
        (["--interval", "wide"], "wide"),
        (["--labels", "MET"], "--labels"),
        (["--labels", "MET=good"], "good"),
        (["--columns", "item=nothing"], "nothing"),
        (["--colour", "red"], "--colour"),
    ],
)
def test_unknown_options_and_values_are_refused(capsys, labels_csv, options, says) -> None:
    code, out, err = call(capsys, "agreement", labels_csv, "--json", *options)
    assert code == 2
    assert out == ""
    assert says in err
    assert len(err) <= 1001


def test_an_unknown_command_is_refused(capsys) -> None:
    code, out, err = call(capsys, "agrement", "x.csv")
    assert (code, out) == (2, "")
    assert "agrement" in err


@pytest.mark.parametrize(
    ("text", "parts"),
    [("a,b", ["a", "b"]), ('"a,b",c', ["a,b", "c"]), (" a , ,b", ["a", "b"]), ("", [])],
)
def test_split(text, parts) -> None:
    assert split(text) == parts


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("item=id,human=gold", {"item": "id", "human": "gold"}),
        ("a=b=positive", {"a=b": "positive"}),
        ('"x=y"=positive,"p,q"=negative', {"x=y": "positive", "p,q": "negative"}),
        ('item="the, id"', {"item": "the, id"}),
    ],
)
def test_pairs(text, pairs) -> None:
    assert pairs_of([text], "--columns") == pairs


def test_the_help_of_select_shows_every_default(capsys) -> None:
    """Each default is the one that the function takes."""
    code, out, _ = call(capsys, "select", "--help")
    assert code == 0
    shown = dict(re.findall(r"--([a-z-]+) .*?\[default: (.*?)(?:; x>=0)?\]", " ".join(out.split())))
    known = inspect.signature(metrics.select_judge).parameters
    asked = {name.replace("-", "_"): text for name, text in shown.items()}
    assert asked.pop("benchmark_prevalence") == "(middle of --p-model)"
    assert {"p_golden", "p_model", "tpr", "fpr", "scenarios", "seed"} <= set(asked)
    for name, text in asked.items():
        default = known[name].default
        numbers = [float(part) for part in text.split(",")]
        assert numbers == list(default) if isinstance(default, tuple) else numbers == [default]


def test_a_run_of_autorubric_is_read_with_its_dataset(capsys, tmp_path) -> None:
    rubric = [{"name": "right", "weight": 1.0, "requirement": "r"}]
    truths = ["MET", "UNMET", "MET"]
    items = [{"submission": "s", "description": "d", "ground_truth": [truth]} for truth in truths]
    (tmp_path / "dataset.json").write_text(json.dumps({"rubric": rubric, "items": items}))
    (tmp_path / "run").mkdir()
    lines = [
        {"item_idx": i, "report": {"report_type": "single", "criterion_reports": [{**rubric[0], "verdict": said}]}}
        for i, said in enumerate(["MET", "UNMET", "UNMET"])
    ]
    (tmp_path / "run" / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    code, out, err = call(capsys, "agreement", tmp_path / "dataset.json", "--with", tmp_path / "run", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["judges"]["judge"]["micro"]["confusion"] == [[1, 1], [0, 1]]
    assert call(capsys, "agreement", tmp_path, "--json")[0] == 0
    code, out, err = call(capsys, "agreement", tmp_path / "run")
    assert (code, out) == (2, "")
    assert "Send it together with the dataset's JSON file" in err


MIXED = "item,criterion,human,verdict\nq1,a,MET,MET\nq2,a,UNMET,MET\nq3,a,UNMET,UNMET\nq1,b,0.25,0.5\nq2,b,0.75,0.1\n"


def test_the_scale_of_a_criterion_and_the_criteria_can_be_said(capsys, tmp_path: Path) -> None:
    path = tmp_path / "mixed.csv"
    path.write_text(MIXED)
    code, out, error = call(capsys, "agreement", path, "--scale", "b=continuous", "--json")
    assert (code, out) == (2, "")
    assert "b: on a continuous scale" in error
    assert "--criteria a" in error
    code, out, _ = call(capsys, "agreement", path, "--scale", "b=continuous", "--criteria", "a", "--json")
    assert code == 0
    assert json.loads(out)["judges"]["judge"]["micro"]["confusion"] == [[1, 0], [1, 1]]
    code, out, error = call(capsys, "agreement", path, "--scale", "likert")
    assert (code, out) == (2, "")
    assert "is no scale. Scales: binary, pairwise" in error


def test_item_scores_are_weighted_and_printed(capsys, tmp_path) -> None:
    path = tmp_path / "labels.csv"
    rows = [("q1", "a", "MET", "MET"), ("q1", "b", "UNMET", "MET"), ("q2", "a", "MET", "UNMET"), ("q2", "b", "MET", "MET")]
    path.write_text("item,criterion,human,verdict\n" + "\n".join(map(",".join, rows)) + "\n")
    code, out, err = call(capsys, "item-scores", path, "--weights", "a=3,b=-1", "--interval", "none", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)["judges"]["judge"]["all"]
    assert found["n"] == 2
    assert found["mae"] == pytest.approx((1 - 2 / 3 + 2 / 3) / 2)
    code, out, _ = call(capsys, "item-scores", path, "--weights", "a=3,b=-1")
    assert code == 0
    assert "Weights: a 3, b −1." in out
    assert call(capsys, "item-scores", path, "--weights", "c=1")[0] == 2


def test_a_file_that_does_not_make_itself_plain_is_read_as_said(capsys, tmp_path) -> None:
    """A mark that no file is guessed to have, in an encoding without a mark of its own."""
    rows = "\n".join(f"i{n}~{('ü', 'ß')[n % 2]}~{('ü', 'ß')[n % 3 % 2]}" for n in range(12))
    path = tmp_path / "odd.txt"
    path.write_bytes(f"item~human~verdict\n{rows}\n".encode("utf-16-be"))
    say = ("--labels", "ü=positive,ß=negative", "--interval", "none", "--json")
    code, out, err = call(capsys, "agreement", path, "--delimiter", "~", "--encoding", "utf-16-be", *say)
    assert (code, err) == (0, "")
    assert json.loads(out)["judges"]["judge"]["micro"]["n"] == 12
    assert call(capsys, "agreement", path, *say)[0] == 2


@pytest.mark.parametrize("command", ["agreement", "overview", "raters", "scores", "roc", "item-scores", "compare", "report"])
def test_a_confidence_out_of_range_is_refused_by_the_name_of_its_option(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "any.csv", "--confidence", "95"])
    assert stop.value.code == 2
    assert "--confidence" in capsys.readouterr().err


@pytest.mark.parametrize(("given", "said"), [("abc", "is not a valid float"), ("nan", "is not between"), ("1", "is not between")])
def test_a_confidence_that_is_no_share_is_refused(capsys: pytest.CaptureFixture[str], given: str, said: str) -> None:
    with pytest.raises(SystemExit):
        main(["agreement", "any.csv", "--confidence", given])
    told = " ".join(capsys.readouterr().err.split())
    assert "'--confidence'" in told
    assert said in told

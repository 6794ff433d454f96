"""`report`: every option reaches the report, every format is written, an older report is checked, mistakes are one sentence."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import pytest

import metrics
from metrics.analyses.review.decisions import Decision, Review
from metrics.commands.cli import main
from metrics.report.checklist.contents import Contents
from metrics.report.making import report_of
from metrics.report.writing import FORMATS, file_name, format_of, write
from tests.report.conftest import ASSETS, SAMPLES

FILE = ASSETS / "support_answers.csv"


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["report", *map(str, args)])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def made(**options: Any) -> str:
    return report_of(metrics.read(FILE), **options).to_json()


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_report_on_every_sample_is_that_of_python_and_can_be_verified(capsys, tmp_path, sample) -> None:
    out = tmp_path / "report.json"
    assert call(capsys, ASSETS / sample, "--out", out) == (0, "", "")
    assert out.read_text("utf-8") == report_of(metrics.read(ASSETS / sample)).to_json()
    code, said, err = call(capsys, ASSETS / sample, "--from", out)
    assert (code, err) == (0, "")
    assert said.startswith("Same numbers to the last digit")


CHOSEN: list[tuple[list[str], dict[str, Any]]] = [
    (["--abstention", "as_category", "--cost", "halfway"], {"abstention": "as_category", "cost": "halfway"}),
    (["--judge", "cautious", "--level", "item"], {"contents": Contents("cautious", "item")}),
    (["--without", "silence,raters", "--without", "kappa"],
     {"contents": Contents(without=frozenset({"silence", "raters", "kappa"}))}),
    (["--association", "phi,mcc", "--inter-judge", "fleiss_kappa"],
     {"contents": Contents("", "micro", ("phi", "mcc"), ("fleiss_kappa",))}),
    (["--association", "none"], {"contents": Contents(associations=())}),
    (["--tell", "annotators=Two, = and “more”", "--tell", "prompt=v7"],
     {"answers": {"annotators": "Two, = and “more”", "prompt": "v7"}}),
    (["--reference", "ana", "--judges", "lenient,strict"], {"reference": "ana", "judges": ["lenient", "strict"]}),
    (["--interval", "bootstrap", "--replicates", "100", "--seed", "3", "--confidence", "0.9"],
     {"interval": "bootstrap", "replicates": 100, "rng": 3, "confidence": 0.9}),
    (["--item-rule", "threshold", "--threshold", "0.5", "--weights", "Polite tone=2"],
     {"item_rule": "threshold", "threshold": 0.5, "weights": {"Polite tone": 2.0}}),
    (["--handling", "error=as_unmet"], {"handling": {"error": "as_unmet"}}),
]  # fmt: skip


@pytest.mark.slow("a report for each option")
@pytest.mark.parametrize(("said", "options"), CHOSEN)
def test_every_option_reaches_the_report(capsys, tmp_path, said, options) -> None:
    out = tmp_path / "report.json"
    assert call(capsys, FILE, *said, "--out", out) == (0, "", "")
    assert out.read_text("utf-8") == made(**options)
    assert call(capsys, FILE, "--from", out)[0] == 0


def test_reading_options_are_kept(capsys, tmp_path) -> None:
    path, out = tmp_path / "odd.txt", tmp_path / "report.json"
    rows = "\n".join(f"i{n}~{('ü', 'ß')[n % 2]}~{('ü', 'ß')[n % 3 % 2]}" for n in range(12))
    path.write_bytes(f"Fall~Mensch~Urteil\n{rows}\nx~y\n".encode("utf-16-be"))
    said = ["--columns", "item=Fall,human=Mensch,verdict=Urteil", "--labels", "ü=positive,ß=negative", "--skip-bad-rows"]
    assert call(capsys, path, "--delimiter", "~", "--encoding", "utf-16-be", *said, "--out", out) == (0, "", "")
    assert call(capsys, path, "--from", out)[0] == 0


def test_decisions_of_a_review_go_into_the_report(capsys, tmp_path) -> None:
    review = Review("support_answers.csv", "", {"Polite tone": Decision("sharpen", "Ana", "say when")})
    (tmp_path / "review.json").write_text(review.to_json(), "utf-8")
    out = tmp_path / "report.json"
    assert call(capsys, FILE, "--review", tmp_path / "review.json", "--interval", "none", "--out", out)[0] == 0
    assert json.loads(out.read_text("utf-8"))["review"] == review.to_dict()


def test_the_sheet_of_all_numbers_has_each_with_its_declaration(capsys, tmp_path) -> None:
    out = tmp_path / "numbers.csv"
    assert call(capsys, FILE, "--out", out) == (0, "", "")
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8"), newline="")))
    report = metrics.agreement(metrics.read(FILE))
    own = {(r["judge"], r["level"], r["criterion"], r["number"]): r for r in rows if r["part"] == "agreement"}
    assert len(own) == sum(len(block.values) for judge in report.judges.values() for _, _, block in judge.blocks())
    for judge in report.judges.values():
        for level, criterion, block in judge.blocks():
            for key, value in block.values.items():
                row = own[judge.name, level, criterion, key]
                assert (row["value"] == "") == (key in block.undefined)
                assert row["undefined"] == block.undefined.get(key, "")
                assert key in block.undefined or float(row["value"]) == value
    assert {r["part"] for r in rows} == {"overview", "agreement", "humans", "judges"}
    assert {r["sha256"] for r in rows} == {report.declaration.sha256}
    assert {r["reference"] for r in rows if r["part"] == "agreement"} == {"majority"}


def test_several_files_are_written_at_once_and_again_alike(capsys, tmp_path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        outs = [tmp_path / folder / f"report{suffix}" for suffix in (".json", ".csv")]
        assert call(capsys, FILE, *(part for out in outs for part in ("--out", out))) == (0, "", "")
    assert (tmp_path / "a/report.csv").read_bytes() == (tmp_path / "b/report.csv").read_bytes()


def test_from_writes_the_report_anew_where_asked(capsys, tmp_path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    call(capsys, FILE, "--level", "macro", "--interval", "none", "--out", first)
    assert call(capsys, FILE, "--from", first, "--out", second)[0] == 0
    assert first.read_bytes() == second.read_bytes()


def test_a_changed_number_is_exit_one(capsys, tmp_path) -> None:
    out = tmp_path / "report.json"
    call(capsys, FILE, "--interval", "none", "--out", out)
    found = json.loads(out.read_text("utf-8"))
    kappa = found["agreement"]["judges"]["strict"]["micro"]["kappa"]
    changed = math.nextafter(kappa, 1)
    found["agreement"]["judges"]["strict"]["micro"]["kappa"] = changed
    out.write_text(json.dumps(found), "utf-8")
    code, said, err = call(capsys, FILE, "--from", out)
    assert (code, err) == (1, "")
    assert "Not the same: 1 difference among" in said
    assert f"agreement.judges.strict.micro.kappa: the report says {changed}, the file gives {kappa}" in said


def test_another_file_is_exit_one(capsys, tmp_path) -> None:
    out = tmp_path / "report.json"
    call(capsys, FILE, "--interval", "none", "--out", out)
    code, said, _ = call(capsys, ASSETS / "rao_abstention.csv", "--from", out)
    assert code == 1
    assert "another file" in said


@pytest.mark.parametrize(
    ("said", "match"),
    [
        ([], "Say where to write"), (["--out", "report"], "no suffix"), (["--out", "report.docx"], "not a format of a report"),
        (["--out", "r.json", "--judge", "nobody"], "no judge is called"), (["--out", "r.json", "--level", "mega"], "level"),
        (["--out", "r.json", "--without", "everything"], "part of a report"), (["--out", "r.json", "--tell", "x"], "has no “=”"),
        (["--out", "r.json", "--tell", "mood=good"], "Nothing is asked"),
        (["--out", "r.json", "--association", "rho"], "association"),
        (["--out", "r.json", "--review", "none.json"], "cannot be read"), (["--out", "nowhere/r.json"], "cannot be written"),
        (["--from", "none.json"], "cannot be read"), (["--from", str(FILE)], "is not JSON"),
        (["--from", "x.json", "--level", "macro"], "Leave out --level"),
        (["--from", "x.json", "--columns", "item=a"], "Leave out --columns"),
        (["--out", "r.json", "--abstention", "drop"], "Unknown abstention mode"),
    ],
)  # fmt: skip
def test_mistakes_are_exit_two_with_one_sentence(capsys, tmp_path, monkeypatch, said, match) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, FILE, *said)
    assert (code, out) == (2, "")
    assert match in err
    assert len(err) <= 1001
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("path", "suffix"), [("a.HTML", ".html"), ("a.htm", ".html"), ("x/y.b.pdf", ".pdf"), ("r.json", ".json")]
)
def test_the_suffix_is_the_format(path, suffix) -> None:
    assert format_of(path) == suffix
    assert suffix in FORMATS


def test_the_name_of_a_report_is_that_of_its_file() -> None:
    report = report_of(metrics.read(ASSETS / "rao_balanced.csv"))
    assert file_name(report, ".pdf") == "rao_balanced-report.pdf"
    assert write(report, ".json").decode() == report.to_json()

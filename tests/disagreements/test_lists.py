"""The command `disagreements`, and the lines of an overview that lead to it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.disagreements.lists import MOST, DisagreementReport, disagreement_lists
from metrics.commands.cli import MODULE, commands, main
from tests.disagreements.made import drawn, read

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = ROOT / "assets" / "support_answers.csv"


def call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    return int(stop.value.code or 0), *capsys.readouterr()


@pytest.mark.parametrize("abstention", ["exclude", "as_unmet", "as_category"])
def test_a_list_holds_the_disagreements_that_the_table_of_both_sides_counts(abstention: str) -> None:
    ratings = read(drawn(1))
    report = disagreement_lists(ratings, abstention=abstention)
    blocks = {name: judge.micro for name, judge in metrics.agreement(ratings, abstention=abstention).judges.items()}
    assert {name: len(one.decisions) for name, one in report.judges.items()} == {
        name: int(block.confusion.sum() - block.confusion.trace()) for name, block in blocks.items()
    }
    wrong = report.to_frame().groupby(["item", "criterion"])
    assert (wrong["judges wrong"].first() == wrong["judge"].nunique()).all()


def test_a_decision_has_labels_and_reasons_of_both_sides() -> None:
    frame = drawn(3)
    report = disagreement_lists(read(frame), judges=["j1"])
    given = {(row.item, row.criterion, row.rater): (row.label, row.reason) for row in frame.itertuples()}
    text = report.summary()
    for place, row in enumerate(report.judges["j1"].decisions):
        for who, name in (("h0", "human: h0"), ("h1", "human: h1"), ("j1", "judge: j1"), ("j2", "judge: j2")):
            label, reason = given.get((row["item"], row["criterion"], who), ("", ""))
            assert (row[name], row[f"{name} reason"]) == (label, reason)
            assert not reason or who == "j2" or place >= MOST or f"    {who}: {reason}" in text


def test_a_long_list_shows_its_clearest_decisions_and_says_where_the_others_are(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "n.csv").write_text(
        "item,human,verdict\n" + "".join(f"q{k},yes,{'no' if k < 45 else 'yes'}\n" for k in range(60))
    )
    code, out, _ = call(capsys, "disagreements", tmp_path / "n.csv")
    assert (code, len([line for line in out.splitlines() if line.startswith("  q")])) == (0, 20)
    assert out.rstrip().endswith("25 more after these 20: --out list.csv writes all of them.")
    report = disagreement_lists(metrics.read(tmp_path / "n.csv"))
    assert "25 more after these 20: to_frame() has all of them." in report.summary()
    assert len(report.to_frame()) == len(report.to_dict()["judges"]["judge"]["decisions"]) == 45


@pytest.mark.parametrize("rows", ["no_verdict", "most", "people", "judges", "all"])
def test_other_rows_are_listed_by_their_name(capsys: pytest.CaptureFixture[str], tmp_path: Path, rows: str) -> None:
    drawn(2).to_csv(tmp_path / "drawn.csv", index=False)
    words = ("disagreements", tmp_path / "drawn.csv", "--labels", "CA=abstention", "--judges", "j0", "--rows", rows)
    found = json.loads(call(capsys, *words, "--json")[1])["judges"]["j0"]
    assert found["rows"] == rows
    assert found["n"] == len(found["decisions"]) > 0
    code, out, _ = call(capsys, *words)
    assert code == 0
    assert f"{found['n']} decisions.\n" in out


def test_a_judge_without_a_verdict_is_shown_and_only_judges_that_answered_are_counted() -> None:
    """A column of the file that is called as the count is no count."""
    labels = {"ann": "yes", "a": "no", "b": "CA", "c": "yes"}
    frame = pd.DataFrame([(item, who, label, "many") for item in "pq" for who, label in labels.items()])
    frame.columns = pd.Index(["item", "rater", "label", "judges wrong"])
    frame["role"] = np.where(frame["rater"] == "ann", "human", "judge")
    of_a, of_b, empty = (("a",), ""), (("b",), "no_verdict"), frame.replace({"label": {"CA": ""}})
    for kept, (judges, rows), shown in (
        (frame, of_a, "a no"),
        (frame, of_b, "b CA"),
        (empty, of_b, "b no verdict"),
    ):
        ratings = metrics.read(kept, labels={"CA": "abstention"})
        assert (
            f"  p\n    reference yes · {shown} · 1 of 2 judges wrong"
            in disagreement_lists(ratings, rows, judges=judges).summary()
        )


def test_numbers_stand_as_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("item,human,verdict\n" + "".join(f"q{k},{k}.5,{k + k % 3}\n" for k in range(30)))
    code, out, _ = call(capsys, "disagreements", tmp_path / "n.csv", "--scale", "continuous", "--json")
    first = json.loads(out)["judges"]["judge"]["decisions"][0]
    assert (code, first["reference"], first["judge: judge"]) == (0, 2.5, 4.0)
    assert "reference 2.5 · judge 4.0" in call(capsys, "disagreements", tmp_path / "n.csv", "--scale", "continuous")[1]


@pytest.mark.parametrize(("role", "option"), [("judge", "--judges gpt"), ("human", "--reference bob")])
def test_a_choice_that_says_nothing_of_raters_among_each_other_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, role: str, option: str
) -> None:
    lines = [f"{item},{who},{role},{label}" for item in "pq" for who, label in (("gpt", "yes"), ("bob", "no"))]
    (tmp_path / "one.csv").write_text("\n".join(["item,rater,role,label", *lines, ""]), "utf-8")
    assert call(capsys, "disagreements", tmp_path / "one.csv")[0] == 0
    code, out, err = call(capsys, "disagreements", tmp_path / "one.csv", *option.split())
    assert (code, out) == (2, "")
    assert f"Leave {option} out" in err


def test_people_without_a_judge_are_listed_among_each_other(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    frame = drawn(4)
    frame[frame["role"] == "human"].to_csv(tmp_path / "people.csv", index=False)
    found = json.loads(call(capsys, "disagreements", tmp_path / "people.csv", "--labels", "CA=abstention", "--json")[1])
    assert (found["judges"], found["raters"]["rows"]) == ({}, "people")
    for row in found["raters"]["decisions"]:
        assert len({row["human: h0"], row["human: h1"]} - {"", "CA"}) == 2


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_the_list_is_written_with_every_text(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"a list{suffix}"
    assert call(capsys, "disagreements", SAMPLE, "--judges", "cautious", "--out", target)[0] == 0
    readers: dict[str, Any] = {".csv": pd.read_csv, ".parquet": pd.read_parquet}
    frame = pd.read_json(target, lines=True) if suffix == ".jsonl" else readers[suffix](target)
    assert len(frame) == 97
    assert set(frame["judge"]) == {"cautious"}
    assert {"item", "criterion", "judges wrong", "judge: strict", "question", "answer"} <= set(frame)


def test_a_list_without_a_decision_keeps_its_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "same.csv").write_text("item,human,verdict\na,yes,yes\nb,no,no\n")
    code, out, _ = call(capsys, "disagreements", tmp_path / "same.csv", "--out", tmp_path / "none.csv")
    assert (code, "0 decisions" in out) == (0, True)
    assert (tmp_path / "none.csv").read_text().startswith("judge,item,criterion,")


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("human,judge,n\nyes,yes,9\nno,yes,3\nno,no,8\n", (), "there are no items behind its cells"),
        ("item,human,verdict\na,yes,no\nb,no,no\n", ("--rows", "people"), "Use one of: disagreements"),
        ("item,human,verdict\na,yes,no\nb,no,no\n", ("--out", "list.txt"), "must end in one of"),
        ("item,human,verdict\na,yes,no\nb,no,no\n", ("--judges", "gpt"), "gpt"),
    ],
)
def test_what_cannot_be_listed_is_exit_code_two(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, options: tuple[str, ...], said: str
) -> None:
    (tmp_path / "file.csv").write_text(text)
    code, out, err = call(capsys, "disagreements", tmp_path / "file.csv", *options)
    assert (code, out) == (2, "")
    assert said in err


def test_a_report_comes_back_from_json() -> None:
    report = disagreement_lists(read(drawn(5)), judges=["j0"])
    assert DisagreementReport.from_json(report.to_json()).to_dict() == report.to_dict()


def next_lines(text: str) -> list[list[str]]:
    lines = text.partition("\nNext\n")[2].splitlines()
    return [shlex.split(line.strip().removeprefix(MODULE)) for line in lines if line.strip().startswith(MODULE)]


def test_what_an_overview_says_next_can_be_typed_as_it_stands(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The line has the file, with blanks, and the options of the overview; its list is the one that the sentence counts."""
    file = tmp_path / "my labels.csv"
    file.write_bytes(SAMPLE.read_bytes())
    for options in (
        (),
        ("--abstention", "as_unmet"),
        ("--judges", "strict,lenient", "--criteria", "Polite tone", "--confidence", ".9"),
    ):
        out = call(capsys, file, *options)[1]
        lines = next_lines(out)
        assert [line[:2] for line in lines][-1] == ["disagreements", str(file)]
        for line in lines:
            code, shown, err = call(capsys, *line)
            assert (code, err) == (0, "")
        for count in [words.split(" disagreements")[0] for words in out.split("Read the ")[1:]]:
            assert f"Disagreements: {count} decisions.\n" in shown
        told = json.loads(call(capsys, "overview", file, *options, "--json")[1])["next"]
        assert [step["command"].split()[0] for step in told] == [line[0] for line in lines]
        assert all(step["command"].split()[1] == "FILE" for step in told), "JSON is that of the report, wherever the file lies"


def test_a_line_leaves_out_options_that_its_command_does_not_have(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(
        "item,rater,role,label\n"
        + "".join(
            f"q{i},{who},human,{('yes', 'no')[(i * k) % 3 == 0]}\n"
            for i in range(40)
            for k, who in ((1, "a"), (2, "b"), (5, "c"))
        )
    )
    out = call(capsys, tmp_path / "people.csv", "--seed", "3", "--skip-bad-rows")[1]
    for line in next_lines(out):
        assert "--skip-bad-rows" in line
        assert ("--seed" in line) == any(parameter.name == "rng" for parameter in commands.commands[line[0]].params)
        assert call(capsys, *line)[0] == 0


def test_a_file_that_begins_like_an_option_is_named_as_a_path(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-answers.csv").write_bytes(SAMPLE.read_bytes())
    for line in next_lines(call(capsys, "overview", "--", "-answers.csv")[1]):
        assert line[1] == "./-answers.csv"
        assert call(capsys, *line)[0] == 0


@pytest.mark.parametrize("abstention", ["exclude", "as_unmet", "as_category"])
def test_decisions_without_a_verdict_are_listed_whatever_abstentions_count_as(
    capsys: pytest.CaptureFixture[str], abstention: str
) -> None:
    lines = next_lines(call(capsys, SAMPLE, "--abstention", abstention)[1])
    line = next(line for line in lines if "no_verdict" in line)
    assert "No verdict: 175 decisions." in call(capsys, *line)[1]


def test_a_tally_is_told_to_read_no_list(tmp_path: Path) -> None:
    """It has items, and none that can be listed."""
    tally = tmp_path / "tally.parquet"
    metrics.engines.count(SAMPLE, engine="polars").to_parquet(tally)
    steps = metrics.overview(metrics.read(tally)).next
    assert not [step for step in steps if "disagreements" in step.command or step.key == "disagreements"]


def test_decisions_on_which_most_judges_err_are_printed_once_with_the_labels_of_all() -> None:
    report = disagreement_lists(read(drawn(2)), "most")
    text, n = report.summary(), len(next(iter(report.judges.values())).decisions)
    assert len(report.judges) > 1
    assert text.count("Most judges wrong: ") == text.count(f"\n\nMost judges wrong: {n} decisions.\n") == 1
    first = text.splitlines()[4]
    assert all(f" {name} " in first for name in report.judges if name in first)
    assert sum(f" {name} " in first for name in report.judges) > 1

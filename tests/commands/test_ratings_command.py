"""The command `ratings`: what was read, written in the long form, and what became of the file."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import InputError, Ratings, engines
from metrics.commands.cli import main
from metrics.readers.formats.canonical import COLUMNS
from metrics.readers.import_report import ImportReport, import_report
from metrics.readers.long_form import SUFFIXES, moment, ratings_table, write_ratings
from metrics.readers.read_lines import of_the_long_form
from tests.golden import sources

PAIRS = """item,judge,human,verdict,human_reason,judge_reason,score,topic,label
a,g,MET,UNMET,kind,cold,0.25,x,1
b,g,UNMET,UNMET,,,0.5,x,2
c,g,MET,error: timeout,,,,y,3
d,g,N/A,MET,"two
lines","=SUM(1)",1,y,4
,g,MET,MET,,,1,y,5
"""
WIDE = """id,ana,ana.comment,ben,gpt,answer
007,yes,kind,no,no,Hello
008,no,,unsure,no,"=1+1"
009,yes,,,yes,Bye
"""
WIDE_SAYS = {"columns": {"item": "id"}, "roles": {"ana": "human", "ben": "human", "gpt": "judge"}}
LONG = """item,criterion,rater,role,label,score,timestamp,run,note
a,tone,ana,HUMAN,ok,,2026-01-02T10:00:00+02:00,,fine
a,tone,k,api,bad,0.2,1767348000,r1,
a,tone,k,api,ok,0.7,later,r2,why
b,tone,ana,HUMAN,bad,,7,,
b,tone,k,api,,,,r1,
"""
LONG_SAYS = {"roles": {"api": "judge"}, "labels": {"ok": "positive", "bad": "negative"}}
BLANKS = "item,judge,human,verdict\na,g,yes,\nb,g,,\nc,g,yes,yes\n"


def judges(ratings: Ratings) -> dict[str, Any]:
    kinds = ratings.scheme.kinds
    if all(kind == "number" for _, kind in kinds if kind in ("positive", "negative", "class", "number")):
        return metrics.scores(ratings).to_dict()["judges"]  # type: ignore[no-any-return]
    return metrics.agreement(ratings, interval="none").to_dict()["judges"]  # type: ignore[no-any-return]


def again(ratings: Ratings, path: Path) -> Ratings:
    """Write ratings, and read them with what the report of the import says has to be said."""
    write_ratings(ratings, str(path))
    how = of_the_long_form(ratings)
    assert not how.columns
    scale = dict(how.scale)
    return metrics.read(
        path,
        labels=dict(how.labels) or None,
        order=how.order or None,
        scale=scale.get("all", scale) or None,  # type: ignore[arg-type]
    )


def assert_same(ratings: Ratings, path: Path) -> None:
    back = again(ratings, path)
    assert judges(back) == judges(ratings)
    assert set(back.humans) == set(ratings.humans)
    assert back.left_out.n == 0
    first, second = ratings_table(ratings), ratings_table(back)
    pd.testing.assert_frame_equal(first, second[list(first)])


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Ratings]:
    """Each sample is read once for all formats that it is written in."""
    folder = tmp_path_factory.mktemp("samples")
    return cache(lambda name: metrics.read(sources.path_of(name, folder), **sources.keywords_of(name)))


@pytest.mark.slow("every sample written and read three times")
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", sources.FILES)
def test_samples_read_back_to_the_same_numbers(name: str, suffix: str, sample: Callable[[str], Ratings], tmp_path: Path) -> None:
    ratings = sample(name)
    if ratings.has_items:
        assert_same(ratings, tmp_path / f"again{suffix}")
    else:
        with pytest.raises(InputError, match="is a table of counts, so it holds no single ratings to write"):
            write_ratings(ratings, str(tmp_path / f"again{suffix}"))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PAIRS, {}),
        (WIDE, WIDE_SAYS),
        (LONG, LONG_SAYS),
        (BLANKS, {"labels": {"": "negative"}}),
        (BLANKS, {"labels": {"": "abstention"}}),
    ],
)
def test_every_shape_reads_back_to_the_same_numbers(text: str, said: dict[str, Any], suffix: str, tmp_path: Path) -> None:
    assert_same(metrics.read(text.encode(), **said), tmp_path / f"again{suffix}")


LABELS = st.sampled_from(["yes", "no", "Yes", "unsure", "error", "timeout", "", "invalid", "maybe so"])


@pytest.mark.slow("made-up tables written and read")
@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.sampled_from("abcdef"), LABELS, LABELS, st.sampled_from(["", "0.5", "-1", "1e-3"])), min_size=4),
    suffix=st.sampled_from(SUFFIXES),
    wide=st.booleans(),
)
def test_any_rows_read_back_to_the_same_numbers(
    rows: list[tuple[str, str, str, str]], suffix: str, wide: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    head = "item,ana,gpt,score" if wide else "item,human,verdict,score"
    lines = [head, *(f"{item}{place},{human},{judge},{score}" for place, (item, human, judge, score) in enumerate(rows))]
    said: dict[str, Any] = {"labels": {"maybe so": "class" if wide else "abstention", "": "missing"}}
    if wide:
        said["columns"] = {"item": "item", "human:ana": "ana", "judge:gpt": "gpt"}
    try:
        ratings = metrics.read("\n".join(lines).encode(), **said)
        numbers = judges(ratings)
    except InputError:
        return
    path = tmp_path_factory.mktemp("any") / f"again{suffix}"
    assert judges(again(ratings, path)) == numbers


def test_the_columns_are_those_of_every_reader(tmp_path: Path) -> None:
    table = ratings_table(metrics.read(PAIRS.encode()))
    assert tuple(table.columns) == (*COLUMNS, "topic", "file.label")
    assert table["item"].tolist() == list("aabbccdd")
    assert table["role"].tolist() == ["human", "judge"] * 4
    assert table["status"].tolist() == ["ok", "ok", "ok", "ok", "ok", "error", "abstain", "ok"]
    assert table["label"].tolist() == ["MET", "UNMET", "UNMET", "UNMET", "MET", "error: timeout", "N/A", "MET"]
    assert table["reason"].tolist() == ["kind", "cold", "", "", "", "", "two\nlines", "=SUM(1)"]
    np.testing.assert_array_equal(table["score"], [np.nan, 0.25, np.nan, 0.5, np.nan, np.nan, np.nan, 1])
    assert table["file.label"].tolist() == list("11223344")
    text = tmp_path / "out.csv"
    write_ratings(metrics.read(PAIRS.encode()), str(text))
    assert "'=SUM(1)" in text.read_text(encoding="utf-8"), "no spreadsheet computes a reason"


def test_every_run_has_its_row_and_times_are_utc() -> None:
    table = ratings_table(metrics.read(LONG.encode(), **LONG_SAYS))
    assert table["run"].tolist() == ["", "r1", "r2", "", "r1"]
    assert table["score"].tolist()[1:3] == [0.2, 0.7]
    assert table["timestamp"].tolist() == ["2026-01-02T08:00:00Z", "2026-01-02T10:00:00Z", "later", "7", ""]
    assert table["status"].tolist()[-1] == "error", "a judge's row without anything is a failed call"
    assert table["label"].tolist()[-1] == ""
    assert [moment(text) for text in ("3", "2026", "1767348000")] == ["3", "2026", "2026-01-02T10:00:00Z"]


def test_a_number_on_a_continuous_scale_is_a_score() -> None:
    table = ratings_table(metrics.read(b"item,human,verdict\na,1.5,2\nb,n/a,3\nc,2,2.5\n", scale="continuous"))
    assert table["label"].tolist() == ["", "", "n/a", "", "", ""]
    np.testing.assert_array_equal(table["score"], [1.5, 2, np.nan, 3, 2, 2.5])


def test_words_of_one_meaning_keep_their_spelling() -> None:
    kinds = dict.fromkeys(("accept", "approved", "reject", "other"), "class")
    text = b"item,human,verdict\na,accept,approved\nb,reject,other\nc,approved,reject\n"
    assert ratings_table(metrics.read(text, labels=kinds))["label"].tolist() == [
        "accept", "approved", "reject", "other", "approved", "reject",
    ]  # fmt: skip


def test_a_tally_holds_no_single_ratings(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(PAIRS, encoding="utf-8")
    engines.count(str(tmp_path / "rows.csv")).to_parquet(tmp_path / "tally.parquet")
    with pytest.raises(InputError, match="is a tally: items that are alike were merged"):
        ratings_table(metrics.read(tmp_path / "tally.parquet"))


def test_status_is_honoured_in_a_file_of_ones_own() -> None:
    text = b"item,criterion,rater,role,label,status\n" + b"".join(
        f"{item},tone,{who},{role},{label},{status}\n".encode()
        for item, who, role, label, status in (
            ("a", "ana", "human", "yes", "ok"),
            ("a", "g", "judge", "", "error"),
            ("b", "ana", "human", "", "abstain"),
            ("b", "g", "judge", "pass me by", "abstain"),
            ("c", "ana", "human", "no", ""),
            ("c", "g", "judge", "no", "ok"),
        )
    )
    report = metrics.agreement(metrics.read(text), interval="none")
    coverage = report.judges["g"].coverage
    assert (coverage.n_errors, coverage.n_covered) == (1, 1)
    assert report.declaration.to_dict()["labels"]["abstention"] == ["skipped", "pass me by"]
    other = text.replace(b"abstain", b"submitted")
    with pytest.raises(InputError, match="pass me by"):
        metrics.read(other)


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(args))
    return int(stop.value.code or 0)


def test_the_report_says_what_became_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "my pairs.csv", tmp_path / "out.parquet"
    path.write_text(PAIRS, encoding="utf-8")
    assert run("ratings", str(path), "--out", str(out), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["rows"] == {
        "read": 5, "used": 4, "left_out": [{"reason": "no item id", "count": 1, "examples": [{"row": 6, "item": ""}]}],
    }  # fmt: skip
    assert report["raters"] == [
        {"rater": "human", "role": "human", "ratings": 4, "abstentions": 1, "errors": 0},
        {"rater": "g", "role": "judge", "ratings": 4, "abstentions": 0, "errors": 1},
    ]
    assert report["items"] == {"human": 4, "judge": 4, "both": 4}
    assert {"label": "MET", "kind": "positive", "human": 2, "judge": 1} in report["labels"]
    assert {"question": "column of reasons", "answer": "human_reason", "by": "file"} in report["answers"]
    assert {"question": "label MET", "answer": "positive", "by": "vocabulary"} in report["answers"]
    assert report["written"]["ratings"] == 8 == pq.read_table(out).num_rows
    assert shlex.split(report["again"]["command"])[3:] == ["overview", str(path)]
    assert run(*shlex.split(report["written"]["again"]["command"])[3:], "--interval", "none") == 0


def test_what_somebody_said_is_told_apart_and_said_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "long.csv", tmp_path / "out.csv"
    path.write_text(LONG, encoding="utf-8")
    assert run("ratings", str(path), "--roles", "api=judge", "--labels", "ok=positive,bad=negative", "--out", str(out)) == 0
    text = capsys.readouterr().out
    assert "long.csv is a long table, one rating in each row." in text
    assert "Said by you: role of k is judge; label bad is negative; label ok is positive." in text
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("python -m metrics")]
    assert lines[0].endswith("--roles api=judge --labels ok=positive,bad=negative")
    for line in lines:
        assert run(*shlex.split(line)[3:], "--interval", "none") == 0
    python = [line.strip() for line in text.splitlines() if line.strip().startswith("metrics.read(")]
    assert all(eval(line, {"metrics": metrics}).judges == ("k",) for line in python)


def test_the_report_comes_back_from_json() -> None:
    report = import_report(metrics.read(WIDE.encode(), **WIDE_SAYS))
    assert ImportReport.from_json(report.to_json()) == report
    assert "unsure is abstention: 1 by people" in report.summary()
    report = import_report(metrics.read(PAIRS.encode()))
    assert report.left_out[0].examples
    assert report.to_dict() == json.loads(json.dumps(report.to_dict()))


@pytest.mark.parametrize("out", ["out.txt", "out", "no/such/folder/out.csv"])
def test_a_file_that_cannot_be_written_is_refused(out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS, encoding="utf-8")
    assert run("ratings", str(path), "--out", str(tmp_path / out)) == 2
    told = capsys.readouterr()
    assert not told.out
    assert "must end in one of .csv, .parquet, .jsonl" in told.err or "cannot be written" in told.err


def test_the_file_itself_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS, encoding="utf-8")
    assert run("ratings", str(path), "--out", str(path)) == 2
    assert "is read itself" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == PAIRS


def test_an_export_of_a_tool_is_named_and_its_own_columns_ride_along(tmp_path: Path) -> None:
    head = "id,traceId,timestamp,source,name,dataType,value,stringValue,comment,observationId,authorUserName"
    lines = [head]
    for n, (human, judge) in enumerate((("Pass", "Pass"), ("Fail", "Pass"), ("Pass", "Fail"))):
        lines.append(f"h{n},t{n},2026-02-01T09:07:0{n}.000Z,ANNOTATION,ok,CATEGORICAL,0,{human},because {n},,Ana")
        lines.append(f"j{n},t{n},2026-02-01T09:08:0{n}.000Z,API,ok,CATEGORICAL,0,{judge},,,")
    ratings = metrics.read("\n".join(lines).encode(), roles={"api": "judge"})
    report = import_report(ratings)
    assert "Langfuse" in report.what
    assert {answer.answer for answer in report.answers if answer.by == "user"} == {"judge"}
    assert_same(ratings, tmp_path / "again.csv")
    table = ratings_table(metrics.read(tmp_path / "again.csv"))
    assert {"traceId", "dataType", "source"} <= set(table.columns)
    assert table["reason"].tolist()[0] == "because 0"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("item,human,verdict\n" + "".join(f"q{k},{k}.5,{k + k % 3}\n" for k in range(30)), ("--scale", "continuous")),
        (
            "item,rater,role,label\n"
            + "".join(f"q{k},{who},human,yes\nq{k}b,{who},human,no\n" for k in range(9) for who in "ab"),
            (),
        ),
    ],
    ids=["numbers", "people alone"],
)
def test_the_line_that_reads_a_file_again_runs_on_every_kind_of_file(capsys, tmp_path, text, options) -> None:
    file, target = tmp_path / "labels.csv", tmp_path / "ratings.csv"
    file.write_text(text)

    def typed(*words: str) -> str:
        with pytest.raises(SystemExit) as stop:
            main(list(words))
        out, err = capsys.readouterr()
        assert (int(stop.value.code or 0), err) == (0, "")
        return str(out)

    told = json.loads(typed("ratings", str(file), *options, "--out", str(target), "--json"))
    for line in (told["written"]["again"]["command"], told["again"]["command"]):
        assert typed(*shlex.split(line)[3:])

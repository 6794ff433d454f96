"""Roles that are stated of raters, of sources and of either on one criterion, in files of every shape."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics import InputError, Rater
from metrics.asker import answering
from metrics.commands.cli import main
from metrics.readers import open_table, propose

SOURCES = b"""item,criterion,rater,role,label
a,tone,ana,human,yes
a,tone,k,api,no
a,facts,ana,human,no
a,facts,k,api,no
"""
NAMES = b"item,criterion,rater,label\na,tone,ana,yes\na,tone,k,no\na,facts,ana,yes\na,facts,k,no\n"
WIDE = b"item,ana,ben,gpt\na,yes,no,no\nb,no,yes,no\nc,yes,yes,yes\n"
PAIRS = b"item,judge,human,verdict\na,g,yes,no\nb,g,no,no\na,h,yes,no\nb,h,no,no\nc,h,,no\n"


def raters(data: bytes, **said: object) -> list[tuple[str, str | None]]:
    return [(rater.name, rater.role) for rater in metrics.read(data, **said).raters]  # type: ignore[arg-type]


def test_a_source_is_a_judge_or_left_out_on_a_criterion() -> None:
    assert raters(SOURCES, roles={"api": "judge"}) == [("ana", "human"), ("k", "judge")]
    part = metrics.read(SOURCES, roles={"api/tone": "judge", "api": "out"})
    assert part.judges == ("k",)
    assert part.left_out.counts() == {"role is neither human nor judge": 1}
    assert part.left_out.rows.tolist() == [5]


def test_a_source_that_is_stated_on_one_criterion_only_is_asked_on_the_others() -> None:
    with pytest.raises(InputError, match=r"‘api’ in row 5.*roles=\{\"api\": \"human\"\}"):
        metrics.read(SOURCES, roles={"api/tone": "judge"})


def test_a_rater_counts_before_its_source() -> None:
    assert raters(SOURCES, roles={"api": "human", "k": "judge"}) == [("ana", "human"), ("k", "judge")]
    both = metrics.read(SOURCES, roles={"api": "human", "k/facts": "judge"})
    assert both.raters == (Rater("ana", "human"), Rater("k", "human"), Rater("k", "judge"))


def test_raters_without_a_role_column() -> None:
    assert raters(NAMES, roles={"k": "judge", "*": "human"}) == [("ana", "human"), ("k", "judge")]
    assert raters(NAMES, roles={"k/tone": "judge", "k": "human", "ana": "human"}) == [
        ("ana", "human"), ("k", "human"), ("k", "judge"),
    ]  # fmt: skip
    assert raters(NAMES, roles={"k/tone": "judge"}) == [("ana", None), ("k", "judge"), ("k", None)]


def test_a_name_with_a_slash_is_a_name() -> None:
    text = b"item,rater,label\na,ana,yes\na,openai/gpt,no\n"
    assert raters(text, roles={"openai/gpt": "judge", "ana": "human"}) == [("ana", "human"), ("openai/gpt", "judge")]
    text = b"item,criterion,rater,label\na,tone,ana,yes\na,tone,openai/gpt,no\n"
    assert raters(text, roles={"openai/gpt/tone": "judge", "ana": "human"}) == [("ana", "human"), ("openai/gpt", "judge")]


def test_it_is_the_same_as_a_role_among_the_columns() -> None:
    stated = [
        metrics.read(SOURCES, roles={"api": "judge"}), metrics.read(SOURCES, columns={"role:api": "judge"}),
        metrics.readers.read_as(SOURCES, metrics.read(SOURCES, roles={"api": "judge"}).source.how),
    ]  # fmt: skip
    assert len({str(metrics.agreement(ratings, interval="none").to_dict()) for ratings in stated}) == 1
    assert stated[0].source.how == stated[1].source.how


def test_columns_of_labels_have_the_roles_of_their_raters() -> None:
    assert raters(WIDE, roles={"ana": "human", "ben": "human", "gpt": "judge"}) == [
        ("ana", "human"), ("ben", "human"), ("gpt", "judge"),
    ]  # fmt: skip
    assert raters(WIDE, roles={"ana": "human", "ben": "out", "gpt": "judge"}) == [("ana", "human"), ("gpt", "judge")]
    two = b"item,ana,ben\na,yes,no\nb,no,yes\nc,yes,yes\n"
    assert raters(two, roles={"ana": "human", "ben": "judge"}) == [("ana", "human"), ("ben", "judge")]
    stated = {"human:ana": "ana", "rater:ben": "ben", "judge:gpt": "gpt"}
    assert raters(WIDE, columns=stated, roles={"ben": "judge"}) == [("ana", "human"), ("ben", "judge"), ("gpt", "judge")]


def test_what_is_left_open_is_answered_for_all_columns_of_labels() -> None:
    proposal = propose(open_table(WIDE), roles={"ben": "judge"})
    assert proposal.columns_answer == {"human:ana": "ana", "judge:ben": "ben", "judge:gpt": "gpt"}


def test_a_judge_of_pairs_can_be_left_out_but_is_no_human() -> None:
    ratings = metrics.read(PAIRS, roles={"h": "out"})
    assert raters(PAIRS, roles={"h": "out"}) == [("human", "human"), ("g", "judge")]
    assert ratings.left_out.counts() == {"role is neither human nor judge": 1}
    with pytest.raises(InputError, match="‘h’ stands in column ‘judge’ of data, so it is a judge"):
        metrics.read(PAIRS, roles={"h": "human"})


@pytest.mark.parametrize("data", [SOURCES, NAMES, WIDE, PAIRS])
def test_a_name_of_nobody_is_refused_with_the_names_there_are(data: bytes) -> None:
    with pytest.raises(InputError, match=r"nobody is called ‘carl’, for whom a role is given\. There are "):
        metrics.read(data, roles={"carl": "human"})
    with pytest.raises(InputError, match=r"‘boss’ .*is neither human nor judge"):
        metrics.read(data, roles={"carl": "boss"})


def test_the_command_line_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sources.csv"
    path.write_bytes(SOURCES)
    with pytest.raises(SystemExit, match="2"):
        main(["agreement", str(path), "--interval", "none"])
    assert "--roles api=human" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="0"):
        main(["agreement", str(path), "--interval", "none", "--roles", "api/tone=judge", "--roles", "api=out,ana=human"])
    assert "k" in capsys.readouterr().out


def test_a_page_names_no_option() -> None:
    with answering("page"), pytest.raises(InputError) as refused:
        metrics.read(SOURCES)
    assert "roles" not in str(refused.value)


def test_a_label_can_be_stated_to_be_a_failed_call() -> None:
    text = b"item,judge,human,verdict\na,g,yes,oops\nb,g,no,no\nc,g,yes,yes\n"
    report = metrics.agreement(metrics.read(text, labels={"oops": "error"}), interval="none")
    assert report.judges["g"].coverage.n_errors == 1
    assert report.declaration.to_dict()["labels"]["error"] == ["oops"]


def test_numbers_under_names_that_say_no_role_are_read_as_the_error_says(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    names = ("ann", "ben", "gpt4")
    rows = [f"q{k}," + ",".join(str(value) for value in rng.integers(0, 100, 3)) for k in range(30)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join((f"id,{','.join(names)}", *rows)))
    with pytest.raises(InputError) as caught:
        metrics.read(path)
    assert "‘ann’, ‘ben’, ‘gpt4’ hold numbers. If each column is a rater’s, say so: " in str(caught.value)
    columns = json.loads(re.search(r"say so: columns=(\{.*?\})", str(caught.value))[1])
    ratings = metrics.read(path, columns=columns | {"item": "id"}, scale="continuous")
    assert (ratings.judges, ratings.humans) == (("gpt4",), ("ann", "ben"))

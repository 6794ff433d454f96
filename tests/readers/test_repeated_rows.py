"""A rating that is given twice: once where the rows agree, else by time, by what was said, or refused."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.asker import answering
from metrics.commands.cli import main
from metrics.engines.count import count_frame
from metrics.readers import open_table, read_as
from metrics.readers.excluded_rows import REPEATED, REPEATED_EARLIER
from metrics.readers.frames import read_frame
from metrics.report.recipe import Recipe, recipe_of

HEAD = "item,criterion,judge,human,verdict\n"
ROWS = ("a,c,j,MET,MET\n", "b,c,j,UNMET,UNMET\n", "c,c,j,UNMET,MET\n", "d,c,j,MET,UNMET\n")
SAME, OTHER = "a,c,j,met,Met.\n", "a,c,j,MET,UNMET\n"


def kappa(text: str, **how: object) -> float:
    report = metrics.agreement(metrics.read(text.encode(), **how), interval="none")  # type: ignore[arg-type]
    return float(report.to_dict()["judges"]["j"]["micro"]["kappa"])


def test_rows_that_agree_count_once_and_nothing_is_asked() -> None:
    ratings = metrics.read((HEAD + "".join(ROWS) + SAME).encode())
    assert ratings.left_out.counts() == {REPEATED: 1}
    assert ratings.source.notes == ()
    assert kappa(HEAD + "".join(ROWS) + SAME) == kappa(HEAD + "".join(ROWS))


def test_rows_that_contradict_are_refused_wherever_they_stand() -> None:
    for order in itertools.permutations((*ROWS, OTHER)):
        with pytest.raises(metrics.InputError, match="give the same rating twice, and differ in ‘verdict’") as caught:
            metrics.read((HEAD + "".join(order)).encode())
        assert caught.value.about == "repeats"
        assert caught.value.row == max(order.index(ROWS[0]), order.index(OTHER)) + 2
        assert caught.value.column == "verdict"


def test_how_many_ratings_contradict_is_said_before_one_is_chosen() -> None:
    more = "b,c,j,UNMET,MET\n" + "c,c,j,UNMET,UNMET\n" + "c,c,j,UNMET,MET\n"
    with pytest.raises(metrics.InputError, match=r"‘UNMET’\. So do those of 2 ratings more\. Name a column of times"):
        metrics.read((HEAD + "".join(ROWS) + OTHER + more).encode())
    with pytest.raises(metrics.InputError, match=r"‘UNMET’\. Name a column of times"):
        metrics.read((HEAD + "".join(ROWS) + OTHER).encode())


def test_what_was_said_decides_and_is_told() -> None:
    text = HEAD + "".join(ROWS) + OTHER
    assert kappa(text, repeats="first") == kappa(HEAD + "".join(ROWS))
    assert kappa(text, repeats="last") == kappa(HEAD + OTHER + "".join(ROWS[1:]))
    for choice, reason in (("first", REPEATED_EARLIER), ("last", REPEATED)):
        ratings = metrics.read(text.encode(), repeats=choice)  # type: ignore[arg-type]
        assert ratings.left_out.counts() == {reason: 1}
        assert ratings.source.notes == (
            f"1 row contradicts another row for the same rating: the {choice} row counts, as stated.",
        )
    with pytest.raises(metrics.InputError, match=r"Unknown repeats 'latest'. Use one of: refuse, last, first"):
        metrics.read(text.encode(), repeats="latest")  # type: ignore[arg-type]


TIMED = """item,rater,role,label,timestamp
a,ana,human,pass,{}
a,ana,human,fail,{}
a,j,judge,pass,
b,ana,human,fail,
b,j,judge,fail,
"""


@pytest.mark.parametrize(
    ("first", "second", "label"),
    [
        ("2026-01-02", "2026-01-01", "pass"), ("2026-01-01", "2026-01-02", "fail"), ("", "2026-01-02", "fail"),
        ("2026-01-02", "", "pass"),
    ],
)  # fmt: skip
def test_the_later_row_counts_and_is_told(first: str, second: str, label: str) -> None:
    ratings = metrics.read(TIMED.format(first, second).encode())
    place = (ratings.rater == ratings.code("ana", "human")).argmax()
    assert ratings.labels[ratings.label[place]] == label
    assert ratings.source.notes == ("1 row contradicts another row for the same rating: the latest by ‘timestamp’ counts.",)


@pytest.mark.parametrize("stamp", ["", "2026-01-02T10:00:00Z"])
def test_equal_times_tell_nothing(stamp: str) -> None:
    text = TIMED.format(stamp, stamp).encode()
    with pytest.raises(metrics.InputError, match="‘timestamp’ does not say which is later"):
        metrics.read(text)
    assert metrics.read(text, repeats="first").n_items == 2


def test_two_numbers_contradict_and_one_number_does_not() -> None:
    text = "item,rater,role,label,score\na,ana,human,pass,1\na,j,judge,pass,0.5\na,j,judge,pass,{}\n"
    with pytest.raises(metrics.InputError, match=r"differ in ‘score’: ‘0.5’, then ‘0.75’"):
        metrics.read(text.format("0.75").encode())
    assert metrics.read(text.format(".50").encode()).left_out.counts() == {REPEATED: 1}


def test_rows_of_a_wide_table() -> None:
    columns = {"human:ana": "ana", "judge:gpt": "gpt", "item": "id"}
    text = "id,ana,gpt,timestamp\na,yes,no,{}\nb,no,no,\na,yes,{},{}\n"
    assert metrics.read(text.format("", "no", "").encode(), columns=columns).left_out.counts() == {REPEATED: 1}
    with pytest.raises(metrics.InputError, match=r"Rows 2 and 4 of .* differ in ‘gpt’: ‘no’, then ‘yes’"):
        metrics.read(text.format("", "yes", "").encode(), columns=columns)
    later = metrics.read(text.format("2026-01-02", "yes", "2026-01-01").encode(), columns=columns)
    assert later.left_out.rows.tolist() == [4]


def test_a_count_refuses_the_same_tables() -> None:
    for rows, refused in (((*ROWS, ROWS[0]), False), ((*ROWS, OTHER), True)):
        table = read_frame(metrics.read((HEAD + "".join(rows)).encode(), repeats="last").table.to_pandas(), "rows").data
        if refused:
            with pytest.raises(metrics.InputError, match="none of them is the last"):
                count_frame(table)
        else:
            assert dict(count_frame(table).left_out) == {REPEATED: 1}


def test_the_mend_is_in_the_words_of_who_asks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "twice.csv"
    path.write_text(HEAD + "".join(ROWS) + OTHER)
    with pytest.raises(metrics.InputError, match='repeats="last"') as python:
        metrics.read(path)
    assert "--" not in str(python.value)
    with answering("page"), pytest.raises(metrics.InputError, match="Choose which row counts") as page:
        metrics.read(path)
    assert "--" not in str(page.value)
    assert "repeats=" not in str(page.value)
    command = ["agreement", str(path), "--interval", "none"]
    with pytest.raises(SystemExit) as refused:
        main(command)
    assert refused.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Or say which row counts: --repeats last, or --repeats first." in printed.err
    with pytest.raises(SystemExit) as done:
        main([*command, "--repeats", "first"])
    assert done.value.code == 0
    assert "an earlier row gives the same" in capsys.readouterr().out


def test_a_report_is_read_again_the_same_way() -> None:
    data = (HEAD + "".join(ROWS) + OTHER).encode()
    ratings = metrics.read(data, repeats="first")
    recipe = Recipe.from_dict(recipe_of(ratings).to_dict())
    assert recipe.reading.repeats == "first"
    assert read_as(data, recipe.reading).left_out.counts() == ratings.left_out.counts()
    plain = recipe_of(metrics.read((HEAD + "".join(ROWS)).encode())).to_dict()
    assert "repeats" not in plain["reading"]
    assert open_table(data).how.repeats == ""


def test_rows_that_hold_both_sides_may_be_items_of_their_own(tmp_path) -> None:
    rows = [("p1", "yes", "no"), ("p1", "no", "no"), ("p2", "yes", "yes"), ("p3", "no", "yes")]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["item,human,verdict", *map(",".join, rows)]))
    with pytest.raises(metrics.InputError, match="Or, if each row is an item of its own: columns=") as caught:
        metrics.read(path)
    assert 'columns={"item": "#row"}' in str(caught.value)
    assert metrics.read(path, columns={"item": "#row"}).n_items == 4
    long = [f"{item},{rater},{label}" for item, *labels in rows for rater, label in zip(("human", "judge"), labels, strict=True)]
    path.write_text("\n".join(["item,rater,label", *long]))
    with pytest.raises(metrics.InputError) as caught:
        metrics.read(path)
    assert "item of its own" not in str(caught.value), "a row is one label"


ON_ROWS = {"item": "item", "criterion": "criterion", "human:ana": "human", "judge:gpt::len": "gpt_len"}
ON_BOTH = "item,criterion,human,gpt,gpt_len\na,tone,MET,MET,UNMET\na,len,MET,{},UNMET\nb,tone,UNMET,MET,MET\nb,len,UNMET,,{}\n"


def test_a_column_with_its_own_criterion_counts_once_for_all_rows_of_an_item() -> None:
    ratings = metrics.read(ON_BOTH.format("", "MET").encode(), columns=ON_ROWS)
    judged = ratings.rater == 1
    assert [ratings.items[int(item)].as_py() for item in ratings.item[judged]] == ["a", "b"]
    assert [ratings.criteria[code] for code in ratings.criterion[judged]] == ["len", "len"]
    assert [ratings.labels[code] for code in ratings.label[judged]] == ["UNMET", "MET"]
    assert np.bincount(ratings.criterion[~judged]).tolist() == [2, 2]
    contradicting = ON_BOTH.format("", "UNMET").encode()
    with pytest.raises(metrics.InputError, match="Rows 4 and 5 of data give the same rating twice, and differ in ‘gpt_len’"):
        metrics.read(contradicting, columns=ON_ROWS)
    last = metrics.read(contradicting, columns=ON_ROWS, repeats="last")
    assert [last.labels[code] for code in last.label[last.rater == 1]] == ["UNMET", "UNMET"]


def test_a_rating_in_a_column_of_its_own_criterion_and_in_a_row_on_it_is_refused() -> None:
    both = ON_ROWS | {"judge:gpt": "gpt"}
    assert len(metrics.read(ON_BOTH.format("", "MET").encode(), columns=both).item) == 8
    with pytest.raises(metrics.InputError, match="Row 3 of data: ‘gpt_len’ and ‘gpt’ both hold the label of gpt on ‘len’"):
        metrics.read(ON_BOTH.format("MET", "MET").encode(), columns=both)

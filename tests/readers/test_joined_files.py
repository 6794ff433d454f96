"""Several tables as one: joined on the item and, where they have it, the criterion."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import InputError
from metrics.commands.cli import main
from metrics.readers import open_table, propose
from tests.readers.test_format_langfuse import CSV as LANGFUSE

SCHEMA = json.loads((Path(metrics.__file__).parent / "report" / "schema.json").read_text("utf-8"))
Write = Callable[..., list[Path]]
GOLD = "item,human\na,yes\nb,no\nc,yes\nd,no\ne,yes\n"
JUDGE = "item,verdict\na,yes\nb,no\nc,no\nd,no\ne,yes\n"
LONG = "item,rater,role,label\n" + "".join(
    f"{item},{rater},{role},{label}\n"
    for rater, role, labels in (("gold", "human", "ynyny"), ("judge", "judge", "ynnny"))
    for item, label in zip("abcde", ({"y": "yes", "n": "no"}[letter] for letter in labels), strict=True)
)


SIDES_CUT = (("human", "ab"), ("verdict", ""))
"""Sides of two files, and what stands behind each id."""


@pytest.fixture
def write(tmp_path) -> Write:
    def written(**texts: str) -> list[Path]:
        paths = [tmp_path / f"{name}.csv" for name in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_text(text, encoding="utf-8")
        return paths

    return written


def refused(source: Any, **how: Any) -> str:
    with pytest.raises(InputError) as caught:
        metrics.read(source, **how)
    assert len(str(caught.value)) <= 1000
    return str(caught.value)


def rated(ratings: metrics.Ratings) -> list[tuple[str, str, str, str]]:
    """Return item, criterion, rater and label of every rating."""
    columns = (ratings.item, ratings.criterion, ratings.rater, ratings.label)
    items = ratings.items.to_pylist()
    return sorted(
        (items[item], ratings.criteria[criterion], ratings.raters[rater].name, ratings.labels[label])
        for item, criterion, rater, label in zip(*columns, strict=True)
    )


def digits(ratings: metrics.Ratings) -> Any:
    """Return the numbers of a report, without the names of files."""
    report = metrics.agreement(ratings).to_dict()
    return report["judges"]


def test_gold_and_judge_give_the_digits_of_one_table(write: Write) -> None:
    ratings = metrics.read(write(gold=GOLD, judge=JUDGE))
    whole = metrics.read(LONG.encode())
    assert rated(ratings) == rated(whole)
    assert {rater.name: rater.role for rater in ratings.raters} == {"gold": "human", "judge": "judge"}
    assert digits(ratings) == digits(whole)
    assert ratings.source.name == "gold.csv + judge.csv"
    assert ratings.source.rows == ratings.rows_used == 10


def test_how_files_were_joined_is_kept_and_said(write: Write) -> None:
    more = "".join(f"x{place},yes\n" for place in range(20))
    ratings = metrics.read(write(gold=GOLD, judge=JUDGE + more))
    join = ratings.source.join
    assert join is not None
    gold, judge = join.files
    assert (gold.name, gold.taken_for, gold.raters, gold.n_rows, gold.n_ids) == ("gold.csv", "one rater", ("gold",), 5, 5)
    assert gold.sha256 == open_table(write(gold=GOLD)[0]).sha256
    assert gold.unmatched == ()
    assert judge.unmatched == tuple(f"x{place}" for place in range(20)), "all of them are kept"
    said = (
        "Joined: gold.csv: 5 of 5 ids used; judge.csv: 5 of 25 ids used, not found elsewhere: x0, x1, x2 and 17 more. "
        "Ids were matched byte for byte."
    )
    assert said in ratings.source.notes
    report = metrics.agreement(ratings)
    assert said in report.summary()
    assert report.declaration.joined["text"] == list(join.sentences())
    assert report.to_dict()["declaration"]["joined"]["files"][1]["unmatched"] == ["x0", "x1", "x2"]
    again = type(report).from_json(report.to_json())
    assert again.declaration.joined == report.declaration.joined
    assert "joined" not in metrics.agreement(metrics.read(LONG.encode())).to_dict()["declaration"]


def test_the_digest_hangs_on_every_file_and_not_on_their_order(write: Write) -> None:
    gold, judge, other = write(gold=GOLD, judge=JUDGE, other=JUDGE.replace("c,no", "c,yes"))
    digest = metrics.read([gold, judge]).source.sha256
    assert digest == metrics.read([judge, gold]).source.sha256
    assert digest != metrics.read([gold, other]).source.sha256
    tables = [pd.read_csv(gold), pa.table(pd.read_csv(judge))]
    assert metrics.read(tables).source.sha256 != metrics.read([tables[0], pa.table(pd.read_csv(other))]).source.sha256


def test_a_file_for_each_rater(write: Write) -> None:
    paths = write(
        ana="item,label\na,yes\nb,no\nc,no\n", ben="item,label\na,yes\nb,yes\nc,no\n", gpt="item,label\na,yes\nb,no\nc,no\n"
    )
    assert "No file says whether ana, ben are human or judge" in refused(paths)
    assert 'roles={"ana": "human", "ben": "human"}' in refused(paths)
    ratings = metrics.read(paths, columns={"role:ana": "human", "role:ben": "human"})
    assert (ratings.humans, ratings.judges) == (("ana", "ben"), ("gpt",))
    assert metrics.read(paths, columns={"role:*": "human"}).humans == ("ana", "ben")
    people = metrics.read(paths[:2])
    assert [rater.role for rater in people.raters] == [None, None], "among people alone nobody must say who is a judge"
    assert metrics.raters(people).pooled["percent_agreement"].value == pytest.approx(2 / 3)


def test_a_further_file_joins_data_that_is_open(write: Write) -> None:
    gold, judge, second = write(gold=GOLD, judge=JUDGE, second_judge=JUDGE.replace("a,yes", "a,no"))
    assert metrics.read([gold, judge]).judges == ("judge",)
    ratings = metrics.read([gold, judge, second])
    assert ratings.judges == ("judge", "second_judge")
    assert digits(ratings)["judge"]["micro"] == digits(metrics.read([gold, judge]))["judge"]["micro"]


def test_wide_and_long_pairs_and_one_rater(write: Write) -> None:
    paths = write(
        people="item,ana,ben\na,yes,yes\nb,no,\nc,yes,no\n",
        judges="item,rater,role,label\na,gpt,judge,yes\nb,gpt,judge,no\nc,gpt,judge,no\n",
        both="item,judge,human,verdict\na,claude,yes,yes\na,llama,yes,no\nb,claude,no,no\nb,llama,no,\n",
        gold="item,human\na,yes\nb,no\n",
    )
    ratings = metrics.read(paths, columns={"human:ana": "ana", "human:ben": "ben"})
    assert [file.taken_for for file in ratings.source.join.files] == [
        "one column per rater", "one rating per row", "a column of the human and one of the judge", "one rater",
    ]  # fmt: skip
    assert set(ratings.humans) == {"ana", "ben", "human", "gold"}
    assert set(ratings.judges) == {"gpt", "claude", "llama"}
    assert [row for row in rated(ratings) if row[2] == "human"] == [
        ("a", "overall", "human", "yes"),
        ("b", "overall", "human", "no"),
    ]
    assert [row for row in rated(ratings) if row[2] == "ben"] == [("a", "overall", "ben", "yes"), ("c", "overall", "ben", "no")]
    assert ratings.left_out.n == 0


def test_pairs_without_a_name_of_the_judge_are_judges_called_like_their_files(write: Write) -> None:
    pairs = "item,human,verdict\na,yes,yes\nb,no,no\nc,yes,no\n"
    ratings = metrics.read(write(old=pairs, new=pairs.replace("c,yes,no", "c,yes,yes")))
    assert (ratings.humans, ratings.judges) == (("human",), ("old", "new"))
    assert metrics.agreement(ratings).judges["new"].micro["accuracy"].value == 1
    assert "differ in ‘label’" in refused(write(old=pairs, new=pairs.replace("c,yes,no", "c,no,no")))


def test_the_export_of_a_tool_with_a_table_of_people(write: Write, tmp_path) -> None:
    scores = tmp_path / "scores.csv"
    lines = LANGFUSE.replace(b'"2","t1"', b'"2","t2"').splitlines(keepends=True)
    scores.write_bytes(b"".join(line for line in lines if not line.startswith((b'"3"', b'"4"', b'"5"'))))
    (people,) = write(people="id,criterion,human,team\nt1,ok,True,x\nt2,ok,True,y\n")
    ratings = metrics.read([scores, people], columns={"item": "id"})
    assert ratings.source.join.files[0].taken_for == "Langfuse’s table of scores"
    assert ratings.source.columns[:5] == ("item", "criterion", "rater", "role", "label")
    assert ("t1", "ok", "people", "True") in rated(ratings)
    assert metrics.agreement(ratings).judges["judge"].criteria["ok"].confusion.sum() == 1, "t2 alone: on t1 no judge spoke"
    assert "a text or a correction, no rating" in ratings.left_out.counts()
    assert "team" in ratings.source.columns, "columns that ride along stay"


@pytest.mark.parametrize(
    ("ids", "differ"),
    [
        ((" a ", "b ", " c"), "blanks"),
        (("A", "B", "C"), "case"),
        (("A ", "b", " C"), "blanks and case"),
    ],
)
def test_ids_that_nearly_match_are_asked_about(write: Write, ids: tuple[str, ...], differ: str) -> None:
    paths = write(gold="item,human\na,yes\nb,no\nc,yes\n", judge=f"item,verdict\n{ids[0]},yes\n{ids[1]},no\n{ids[2]},no\n")
    said = refused(paths)
    assert f"if {differ} may differ" in said
    assert 'match="loose"' in said
    assert 'match="exact"' in said
    loose = metrics.read(paths, match="loose")
    assert loose.n_items == 3
    assert loose.items.to_pylist() == ["a", "b", "c"], "in the spelling of the first file"
    assert loose.source.join.loosened == tuple(differ.split(" and "))
    assert loose.source.how.match == "loose"
    assert "are one." in loose.source.notes[0]


def test_leading_zeros(write: Write) -> None:
    paths = write(gold="item,human\n007,yes\n008,no\n010,yes\n", judge="item,verdict\n7,yes\n8,no\n10,no\n")
    assert "leading zeros may differ (‘007’ and ‘7’)" in refused(paths)
    assert metrics.read(paths, match="loose").items.to_pylist() == ["007", "008", "010"]
    assert "No item of gold.csv is in the other file" in refused(paths, match="exact")


@pytest.mark.parametrize(
    ("ours", "theirs", "differ"),
    [
        ("Case {}", "{}", "what stands around their number"),
        ("CASE-{:03d}", "case_{}", "what stands around their number"),
        ("/data/run3/conv_{:03d}.txt", "conv_{:03d}", "folders and the ending of a file"),
        ("img_{}.PNG", "img_{}", "the ending of a file"),
        ("https://x.org/a/{}", "http://www.x.org/a/{}/", "how an address is written"),
        ("{:02d}9f3c2ae81b", "{:02d}9f3c2a", "what is cut off their end"),
    ],
)
def test_ids_in_two_ways_of_writing(write: Write, ours: str, theirs: str, differ: str) -> None:
    labels = [(place, ("no", "yes")[place % 3 > 0]) for place in range(12)]
    gold = "item,human\n" + "".join(f"{ours.format(place)},{label}\n" for place, label in labels)
    judge = "item,verdict\n" + "".join(f"{theirs.format(place)},{label}\n" for place, label in reversed(labels))
    paths = write(gold=gold, judge=judge)
    said = refused(paths)
    assert f"None of the 12 ids of gold.csv is in another file to the letter, and 12 if {differ} may differ" in said
    loose = metrics.read(paths, match="loose")
    assert loose.n_items == 12
    assert metrics.agreement(loose).judges["judge"].level("micro").estimates["accuracy"].value == 1


def test_short_ids_are_no_longer_ones_cut_off(write: Write) -> None:
    gold, judge = (f"item,{side}\n" + "".join(f"q{k:02d}{end},yes\n" for k in range(12)) for side, end in SIDES_CUT)
    assert "No item of gold.csv is in the other file" in refused(write(gold=gold, judge=judge))


WITHOUT_IDS = [("no", "yes")[place % 3 > 0] for place in range(12)]


@pytest.mark.parametrize("beside", [False, True])
def test_files_without_ids_are_joined_row_by_row_where_that_is_confirmed(write: Write, *, beside: bool) -> None:
    judged = [*WITHOUT_IDS[:-2], "no", "no"]
    text = [f",text {place // 2}" if beside else "" for place in range(12)]
    head = ",topic" if beside else ""
    gold, judge = (
        "\n".join([of + head, *map(str.__add__, labels, text)]) for of, labels in (("label", WITHOUT_IDS), ("label", judged))
    )
    paths = write(human=gold, judge=judge)
    said = refused(paths)
    assert "No file has a column of ids: the first rows of all are taken for one item" in said
    assert 'If this is right: columns={"item": "#row"}' in said
    ratings = metrics.read(paths, columns=propose(open_table(paths)).columns_answer)
    assert ratings.items.to_pylist() == [str(place) for place in range(1, 13)]
    assert "If the orders differ, add a column of ids to each." in ratings.source.notes[0]
    by_hand = np.mean(np.array(WITHOUT_IDS) == np.array(judged))
    assert metrics.agreement(ratings).judges["judge"].level("micro").estimates["accuracy"].value == by_hand
    paths[1].write_text("\n".join(judge.splitlines()[:-1]))
    assert "No column holds the item's id" in refused(paths), "one row less"
    if beside:
        paths[1].write_text("\n".join([judge.splitlines()[0], *judge.splitlines()[:0:-1]]))
        assert "No column holds the item's id" in refused(paths), "the topics of the rows contradict each other"


def test_lists_of_labels_are_files_without_ids(tmp_path: Path) -> None:
    paths = [tmp_path / "human.json", tmp_path / "judge.json"]
    for path in paths:
        path.write_text(json.dumps([int(label == "yes") for label in WITHOUT_IDS]))
    ratings = metrics.read(paths, columns={"item": "#row"})
    assert (ratings.n_items, ratings.humans, ratings.judges) == (12, ("human",), ("judge",))
    assert metrics.agreement(ratings).judges["judge"].level("micro").estimates["accuracy"].value == 1
    paths[0].write_text('["yes", {"label": "no"}]')
    assert "Record 1 of human.json is no JSON object" in refused(paths)


def test_texts_with_a_number_are_no_numbers(write: Write) -> None:
    texts = ("Call {} now", "Is {} prime?", "{} apples are left", "Route {}", "Room {} is free", "Ring {} times")
    gold = "item,human\n" + "".join(f"{text.format(place)},yes\n" for place, text in enumerate(texts))
    judge = "item,verdict\n" + "".join(f"{place},yes\n" for place in range(6))
    assert "No item of gold.csv is in the other file" in refused(write(gold=gold, judge=judge))


def test_ids_that_count_from_0_and_from_1_are_asked_about(write: Write) -> None:
    def of(side: str, first: int, n: int = 12) -> str:
        return f"item,{side}\n" + "".join(f"{place},{'yes' if place % 3 else 'no'}\n" for place in range(first, first + n))

    paths = write(gold=of("human", 0), judge=of("verdict", 1))
    said = refused(paths)
    assert "gold.csv numbers its items from 0 and judge.csv from 1, 12 each" in said
    assert 'If equal numbers are the same item: match="exact".' in said
    assert metrics.read(paths, match="exact").n_items == 13
    assert metrics.read(write(gold=of("human", 1), judge=of("verdict", 1))).n_items == 12
    assert metrics.read(write(gold=of("human", 0), judge=of("verdict", 1, 11))).n_items == 12, "the first was not judged"


def test_a_looser_match_never_makes_two_ids_of_a_file_one(write: Write) -> None:
    paths = write(gold="item,human\na,yes\nA,no\nb ,yes\n", judge="item,verdict\na,yes\nb,no\nB2,no\n")
    ratings = metrics.read(paths, match="loose")
    assert ratings.source.join.loosened == ("blanks",)
    assert set(ratings.items.to_pylist()) == {"a", "A", "b ", "B2"}


def test_where_most_ids_match_nothing_is_asked(write: Write) -> None:
    ids = [f"q{place}" for place in range(20)]
    gold = "item,human\n" + "".join(f"{item},{'yes' if place % 2 else 'no'}\n" for place, item in enumerate(ids))
    paths = write(gold=gold, judge=gold.replace("human", "verdict").replace("q7,", "Q7,"))
    ratings = metrics.read(paths)
    assert ratings.n_items == 21
    assert "Another 2 would be found if case might differ." in ratings.source.notes[0]
    assert metrics.read(paths, match="loose").n_items == 20


def test_repeats_within_a_file_are_repeats(write: Write) -> None:
    twice = JUDGE + "b,yes\n"
    gold, judge = write(gold=GOLD, judge=twice)
    assert "Rows 3 and 7 of judge.csv give the same rating twice" in refused([gold, judge])
    assert metrics.read([gold, judge], repeats="last").left_out.n == 1
    assert metrics.read(write(gold=GOLD, judge=JUDGE + "b,no\n")).left_out.n == 1, "that agree count once"


def test_labels_without_a_criterion_are_on_the_only_one(write: Write) -> None:
    judge = "item,criterion,verdict\na,tone,yes\nb,tone,no\nc,tone,no\nd,tone,no\n"
    ratings = metrics.read(write(gold=GOLD, judge=judge))
    assert ratings.criteria == ("tone",)
    said = refused(write(gold=GOLD, judge=judge + "a,depth,yes\n"))
    assert said.startswith("gold.csv names no criterion, judge.csv has 2: tone, depth.")
    assert '"gold.csv:criterion": "COLUMN"' in said


def test_criteria_join_too(write: Write) -> None:
    gold = "item,criterion,human\na,tone,yes\na,depth,no\nb,tone,no\nb,depth,yes\n"
    ratings = metrics.read(write(gold=gold, judge=gold.replace("human", "verdict").replace("b,depth,yes", "b,depth,no")))
    report = metrics.agreement(ratings).judges["judge"]
    assert report.criteria["tone"]["accuracy"].value == 1
    assert report.criteria["depth"]["accuracy"].value == 0.5


def test_a_column_for_each_criterion_in_a_file_for_each_rater(write: Write) -> None:
    sheet = "item,tone,depth\na,yes,no\nb,no,yes\nc,yes,yes\n"
    paths = write(ana=sheet, gpt=sheet.replace("c,yes,yes", "c,yes,no"))
    proposal = propose(open_table(paths))
    assert proposal.columns_answer == {"role:ana": "human", "role:gpt": "judge"}
    ratings = metrics.read(paths, columns=proposal.columns_answer | {"role:ana": "human"})
    assert (ratings.criteria, ratings.humans, ratings.judges) == (("tone", "depth"), ("ana",), ("gpt",))
    long = "item,criterion,verdict\na,tone,yes\na,depth,no\nb,tone,no\nb,depth,yes\n"
    assert "the criteria of the human ‘gold’ are ‘tone’ and ‘depth’ in gold.csv" in refused(write(gold=sheet, judge=long))


def test_a_column_that_says_who_gave_all_labels_names_the_rater(write: Write) -> None:
    sheet = "item,labeled_by,tone,depth\n" + "".join(
        f"q{k},human,{'yes' if k % 3 else 'no'},{'yes' if k % 2 else 'no'}\n" for k in range(6)
    )
    judged = sheet.replace("labeled_by", "judge_model").replace("human", "gpt-4o")
    proposal = propose(open_table(write(first=sheet, second=judged)))
    assert proposal.columns_answer == {"role:human": "human", "role:gpt-4o": "judge"}
    ratings = metrics.read(write(first=sheet, second=judged), columns=proposal.columns_answer)
    assert (ratings.criteria, ratings.humans, ratings.judges) == (("tone", "depth"), ("human",), ("gpt-4o",))
    both = propose(open_table(write(first=sheet, second=sheet)))
    assert both.columns_answer == {"role:first": "human", "role:second": "human"}


@pytest.mark.parametrize("met", [("tone",), ("tone", "depth"), ("tone", "depth", "facts")])
def test_a_criterion_that_a_person_always_calls_met_is_kept(write: Write, met: tuple[str, ...]) -> None:
    names = ("tone", "depth", "facts")
    cells = [["pass" if (k + place) % (3 + place) else "fail" for place in range(3)] for k in range(24)]
    people = [["pass" if name in met else cell for name, cell in zip(names, row, strict=True)] for row in cells]
    sheets = [
        "\n".join([",".join(("item", *names)), *(f"q{k}," + ",".join(row) for k, row in enumerate(side))])
        for side in (people, cells)
    ]
    proposal = propose(open_table(write(gold=sheets[0], judge=sheets[1])))
    assert proposal.columns_answer == {"role:gold": "human", "role:judge": "judge"}
    ratings = metrics.read(write(gold=sheets[0], judge=sheets[1]), columns=proposal.columns_answer)
    assert ratings.criteria == names
    tone = metrics.agreement(ratings).judges["judge"].criteria["tone"]
    assert tone.n == 24
    assert tone["accuracy"].value == pytest.approx(np.mean([row[0] == "pass" for row in cells]))


def test_beside_people_another_file_is_proposed_as_that_of_a_judge(write: Write) -> None:
    people = "item,human_score\n" + "".join(f"q{k},0.{k}{k}\n" for k in range(1, 10))
    said = refused(write(first=people, second=people.replace("human_score", "score")))
    assert 'roles={"second": "judge"}' in said


def test_nothing_shared_is_refused_with_ids_of_each(write: Write) -> None:
    said = refused(write(gold=GOLD, judge="item,verdict\nx1,yes\nx2,no\nx3,no\nx4,no\n"))
    assert "gold.csv has ‘a’, ‘b’, ‘c’ in ‘item’, judge.csv has ‘x1’, ‘x2’, ‘x3’ in ‘item’" in said
    assert "No item of third.csv is in another file" in refused(
        write(gold=GOLD, judge=JUDGE, third="item,verdict\nx1,yes\nx2,no\n")
    )


def test_files_of_one_name_are_told_apart(tmp_path) -> None:
    paths = [tmp_path / person / "labels.csv" for person in ("ana", "ben")]
    for path, text in zip(paths, (GOLD, GOLD.replace("b,no", "b,yes")), strict=True):
        path.parent.mkdir()
        path.write_text(text)
    ratings = metrics.read(paths)
    assert [file.name for file in ratings.source.join.files] == ["ana/labels.csv", "ben/labels.csv"]
    assert ratings.humans == ("ana/labels", "ben/labels")
    assert {rater.name for rater in metrics.read([GOLD.encode(), JUDGE.encode()]).raters} == {"human", "judge"}


def test_one_stem_is_not_one_rater(tmp_path) -> None:
    for name, text in (("r.csv", GOLD), ("r.tsv", GOLD.replace(",", "\t").replace("b\tno", "b\tyes"))):
        (tmp_path / name).write_text(text)
    assert metrics.read([tmp_path / "r.csv", tmp_path / "r.tsv"]).humans == ("r.csv", "r.tsv")


def test_bytes_open_files_and_tables_can_be_in_the_list() -> None:
    gold, judge = (pd.read_csv(io.StringIO(text)) for text in (GOLD, JUDGE))
    wanted = digits(metrics.read([GOLD.encode(), JUDGE.encode()]))
    file = io.BytesIO(GOLD.encode())
    for source in ([file, judge], [gold, judge], [gold, JUDGE.encode()], [pa.table(gold), io.StringIO(JUDGE)], (gold, judge)):
        assert digits(metrics.read(source)) == wanted
    assert rated(metrics.read([LONG.encode()])) == rated(metrics.read(LONG.encode())), "a list of one file is that file"
    assert "no file" in refused([])


def test_columns_are_said_for_all_files_or_for_one(write: Write) -> None:
    paths = write(g="id,gold_label\na,yes\nb,no\nc,yes\n", p="trace,id,pred\na,x,yes\nb,y,no\nc,z,no\n")
    assert "or name the columns that hold them: columns={" in refused(paths), "the ids of p.csv are those of its traces"
    columns = {"g.csv:item": "id", "p.csv:item": "trace", "human": "gold_label", "verdict": "pred"}
    ratings = metrics.read(paths, columns=columns)
    assert (ratings.humans, ratings.judges, ratings.n_items) == (("g",), ("p",), 3)
    assert dict(ratings.source.how.columns) == columns
    assert "No file has a column ‘nowhere’" in refused(paths, columns={"item": "nowhere"})
    assert "is neither human nor judge" in refused(paths, columns=columns | {"role:g": "person"})


def test_what_a_refusal_says_to_type_is_right(write: Write) -> None:
    paths = write(g="id,gold_label\na,yes\nb,no\nc,yes\n", p="id,pred\na,yes\nb,no\nc,no\n")
    proposal = propose(open_table(paths))
    assert proposal.columns_answer == {"human": "gold_label", "verdict": "pred"}, "ids that match are those of the items"
    assert metrics.read(paths, columns=proposal.columns_answer).judges == ("p",)


def test_what_cannot_be_joined_is_refused(write: Write) -> None:
    counts = "human,judge,n\nyes,yes,3\nyes,no,1\nno,no,4\n"
    assert "has no items to join on" in refused(write(gold=GOLD, counts=counts))
    assert "No column holds the label" in refused(
        write(gold=GOLD, notes="item,text,more\na,long,1 x\nb,longer,2 x\nc,yet longer,3 x\n")
    )
    said = refused(write(gold=GOLD, blank="label\nyes\nno\nyes\n"))
    assert "blank.csv: No column holds the item's id" in said


def test_empty_cells_are_what_they_are_in_one_table(write: Write) -> None:
    ratings = metrics.read(write(gold=GOLD.replace("e,yes", "e,"), judge=JUDGE.replace("a,yes", "a,")))
    assert ratings.left_out.counts() == {"no label": 1}, "a person's empty cell is no rating"
    report = metrics.agreement(ratings)
    assert report.judges["judge"].coverage.n_errors == 1, "a judge's is a call that failed"


def test_scores_become_scores(write: Write) -> None:
    judge = "item,verdict,score\na,yes,0.9\nb,no,0.1\nc,no,0.4\nd,no,0.2\ne,yes,0.8\n"
    ratings = metrics.read(write(gold=GOLD, judge=judge))
    assert metrics.agreement(ratings).judges["judge"].micro.n == 5
    assert sorted(ratings.score[ratings.score > 0]) == [0.1, 0.2, 0.4, 0.8, 0.9]


def test_a_report_is_made_again_from_the_same_files(write: Write) -> None:
    from metrics.readers import read_as

    paths = write(gold=GOLD, judge=JUDGE.upper().replace("ITEM,VERDICT", "item,verdict"))
    ratings = metrics.read(paths, match="loose")
    assert rated(read_as(paths, ratings.source.how)) == rated(ratings)


ROWS = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(("tone", "depth")), st.sampled_from(("yes", "no"))),
    min_size=4, max_size=16, unique_by=lambda row: row[:2],
)  # fmt: skip


@pytest.mark.slow("reports on made-up tables")
@given(rows=st.tuples(ROWS, ROWS, ROWS), seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_a_table_split_by_rater_gives_the_same_report(rows: tuple[Sequence[tuple[str, str, str]], ...], seed: int) -> None:
    raters = {"ana": "human", "ben": "human", "gpt": "judge"}
    lines = [
        (item, criterion, rater, role, label)
        for (rater, role), ratings in zip(raters.items(), rows, strict=True)
        for item, criterion, label in ratings
    ]
    head = "item,criterion,rater,role,label"
    random.Random(seed).shuffle(lines)
    files = [[line for line in lines if line[2] == rater] for rater in raters]
    whole = [line for file in files for line in file]
    outcomes = [_outcome(_text(head, whole)), _outcome([_text(head, file) for file in files])]
    if "No item" not in str(outcomes[1]):
        assert outcomes[0] == outcomes[1]


def _text(head: str, lines: Sequence[tuple[str, ...]]) -> bytes:
    return "\n".join([head, *(",".join(line) for line in lines)]).encode()


def _outcome(source: Any) -> Any:
    """Return the numbers of a report, or that it was refused."""
    try:
        return digits(metrics.read(source, match="exact"))
    except InputError as error:
        return str(error).partition(":")[2]


def call(capsys, *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert len(err) <= 1001
    return int(stopped.value.code or 0), out, err


def test_the_command_line_joins(capsys, write: Write, tmp_path) -> None:
    gold, judge = write(gold=GOLD, judge=JUDGE)
    code, out, err = call(capsys, "agreement", gold, "--with", judge, "--json")
    assert (code, err) == (0, "")
    report: Mapping[str, Any] = json.loads(out)
    assert report["judges"] == digits(metrics.read(LONG.encode()))
    assert [file["ids"] for file in report["declaration"]["joined"]["files"]] == [5, 5]
    code, out, _ = call(capsys, "agreement", gold, "--with", judge)
    assert code == 0
    assert "Joined: gold.csv: 5 of 5 ids used" in out
    assert call(capsys, "agreement", gold, "--with", judge, "--fail-under", "kappa=0.99")[0] == 1
    path = tmp_path / "report.json"
    assert call(capsys, "report", gold, "--with", judge, "--match", "exact", "--out", path)[0] == 0
    report = json.loads(path.read_text())
    assert any("Joined: " in note for note in report["notes"])
    assert report["recipe"]["reading"]["match"] == "exact"
    jsonschema.validate(report, SCHEMA)
    assert call(capsys, "report", gold, "--with", judge, "--from", path)[0] == 0


def test_the_command_line_compares_raters_of_several_files(capsys, write: Write) -> None:
    paths = write(ana=GOLD, ben=GOLD.replace("a,yes", "a,no"), cem=GOLD)
    code, out, _ = call(capsys, "raters", paths[0], "--with", paths[1], "--with", paths[2], "--json")
    assert code == 0
    report = json.loads(out)
    assert report["declaration"]["raters"] == ["ana", "ben", "cem"]
    assert len(report["declaration"]["joined"]["files"]) == 3


def test_the_command_line_asks_and_refuses(capsys, write: Write) -> None:
    gold, upper, other = write(
        gold=GOLD, upper=JUDGE.upper().replace("ITEM,VERDICT", "item,verdict"), other="item,verdict\nx,yes\n"
    )
    code, out, err = call(capsys, "agreement", gold, "--with", upper, "--json")
    assert (code, out) == (2, "")
    assert "--match loose" in err
    assert call(capsys, "agreement", gold, "--with", upper, "--match", "loose", "--json")[0] == 0
    assert call(capsys, "agreement", gold, "--with", upper, "--match", "nearly")[0] == 2
    code, _, err = call(capsys, "agreement", gold, "--with", other)
    assert code == 2
    assert "‘a’, ‘b’, ‘c’" in err
    code, _, err = call(capsys, "agreement", gold, "--with", "nowhere.csv")
    assert code == 2
    assert "There is no file nowhere.csv" in err
    many = [argument for _ in range(40) for argument in ("--with", other)]
    assert call(capsys, "agreement", gold, *many)[0] == 2

"""Two files joined on item and criterion, and the lists of what one judge gets right and the other wrong."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import metrics
from metrics.analyses.comparison.compute import compare
from metrics.analyses.comparison.discordant import contest_frame, outcome_words
from metrics.analyses.comparison.joining import join, read_second
from metrics.data.pairs import verdicts

HUMAN = ["MET", "UNMET", "MET", "UNMET", "MET", "UNMET", "MET", "MET"]
ONE = ["MET", "UNMET", "UNMET", "UNMET", "MET", "MET", "MET", "MET"]
TWO = ["MET", "UNMET", "MET", "MET", "MET", "UNMET", "UNMET", "MET"]


def rows(verdicts: list[str], judge: str = "gpt", first: int = 0, **more: object) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"item": f"i{i}", "criterion": "tone", "judge": judge, "human": HUMAN[i], "verdict": verdict, "text": f"{judge} {i}"}
            for i, verdict in enumerate(verdicts)
            if i >= first
        ]
    ).assign(**more)


def written(folder: Path, name: str, frame: pd.DataFrame) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path, "v1.csv", rows(ONE)), written(tmp_path, "v2.csv", rows(TWO).sample(frac=1, random_state=2))


def joined_of(files: tuple[Path, Path]):
    return join(*map(metrics.read, files))


def test_two_versions_of_one_judge_need_no_options(two) -> None:
    joined = joined_of(two)
    assert joined.pair(None, None) == ("v1", "v2")
    assert joined.ratings.judges == ("v1", "v2")
    assert joined.ratings.humans == ("human",)
    one = compare(joined.ratings, *joined.pair(None, None))
    report = {name: metrics.agreement(metrics.read(path)).judges["gpt"].micro for name, path in zip("ab", two, strict=True)}
    assert (one.a.estimate.value, one.b.estimate.value) == (report["a"].values["kappa"], report["b"].values["kappa"])
    assert (one.n_items, one.a.n_only, one.b.n_only) == (8, 0, 0)
    assert joined.unmatched.empty
    assert joined.ratings.source.name == "v1.csv + v2.csv"
    assert (joined.ratings.rows_used, joined.ratings.source.rows) == (16, 16)


def test_joined_files_are_the_one_file_that_holds_both(two) -> None:
    both = pd.concat([rows(ONE, "v1"), rows(TWO, "v2")])
    from_one, joined = metrics.read(both), joined_of(two)
    assert compare(from_one, "v1", "v2").difference.value == compare(joined.ratings, "v1", "v2").difference.value
    for level in ("micro", "item"):
        a = metrics.agreement(from_one).judges["v2"].level(level)
        b = metrics.agreement(joined.ratings).judges["v2"].level(level)
        assert a.to_dict() == b.to_dict()


def test_order_of_rows_and_files_does_not_matter(two) -> None:
    there, back = joined_of(two), joined_of(two[::-1])
    assert compare(there.ratings, "v1", "v2").difference.value == -compare(back.ratings, "v2", "v1").difference.value
    assert there.ratings.scheme.classes == back.ratings.scheme.classes


def test_files_of_one_name_are_numbered(tmp_path) -> None:
    files = written(tmp_path / "a", "run.csv", rows(ONE)), written(tmp_path / "b", "run.csv", rows(TWO))
    joined = joined_of(files)
    assert joined.pair(None, None) == ("run (1)", "run (2)")
    assert joined.ratings.source.name == "run.csv (1) + run.csv (2)"


def test_judges_of_different_names_keep_them(tmp_path) -> None:
    joined = joined_of((written(tmp_path, "x.csv", rows(ONE, "one")), written(tmp_path, "y.csv", rows(TWO, "two"))))
    assert joined.pair(None, None) == ("one", "two")
    assert joined.pair("two", "one") == ("two", "one")


def test_a_name_both_files_use_is_that_of_the_side(tmp_path) -> None:
    first = pd.concat([rows(ONE, "gpt"), rows(TWO, "claude")])
    second = pd.concat([rows(TWO, "gpt"), rows(ONE, "llama")])
    joined = joined_of((written(tmp_path, "x.csv", first), written(tmp_path, "y.csv", second)))
    assert joined.ratings.judges == ("gpt (x)", "claude", "gpt (y)", "llama")
    assert joined.pair("gpt", "gpt") == ("gpt (x)", "gpt (y)")
    assert joined.pair("llama", "claude") == ("llama", "claude")
    with pytest.raises(metrics.InputError, match="Name one as a="):
        joined.pair(None, "gpt")


def test_unmatched_rows_are_listed_by_file(tmp_path) -> None:
    joined = joined_of((written(tmp_path, "x.csv", rows(ONE)), written(tmp_path, "y.csv", rows(TWO, first=2))))
    assert joined.unmatched_counts() == {"x.csv": 2}
    assert joined.unmatched.to_dict("records") == [
        {"file": "x.csv", "row": 2, "item": "i0", "criterion": "tone", "judge": "x"},
        {"file": "x.csv", "row": 3, "item": "i1", "criterion": "tone", "judge": "x"},
    ]
    one = compare(joined.ratings, "x", "y")
    assert (one.n_items, one.a.n_only, one.b.n_only) == (6, 2, 0)


def test_files_that_share_nothing_are_refused(tmp_path) -> None:
    other = rows(TWO).assign(item=lambda frame: "other " + frame["item"])
    with pytest.raises(metrics.InputError, match=r"‘i0’.*‘other i0’"):
        joined_of((written(tmp_path, "x.csv", rows(ONE)), written(tmp_path, "y.csv", other)))


def test_humans_who_differ_are_refused_and_the_first_is_named(tmp_path) -> None:
    other = rows(TWO)
    other.loc[[3, 5], "human"] = "MET"
    files = written(tmp_path, "x.csv", rows(ONE)), written(tmp_path, "y.csv", other)
    with pytest.raises(metrics.InputError) as refused:
        joined_of(files)
    said = str(refused.value)
    assert "‘UNMET’ in row 5 of x.csv, but ‘MET’ in row 5 of y.csv" in said
    assert "item ‘i3’" in said
    assert "1 more differ" in said
    assert refused.value.row == 5


def test_spellings_of_one_label_agree(tmp_path) -> None:
    spelled = rows(TWO).replace({"MET": "yes", "UNMET": "no"})
    joined = joined_of((written(tmp_path, "x.csv", rows(ONE)), written(tmp_path, "y.csv", spelled)))
    assert compare(joined.ratings, "x", "y").n_items == 8
    assert joined.ratings.scheme.classes == ("MET", "UNMET")


def test_a_label_with_two_meanings_is_refused(tmp_path) -> None:
    first = metrics.read(rows(ONE).replace("UNMET", "unclear"), labels={"unclear": "negative"})
    second = metrics.read(rows(TWO).replace({"UNMET": "unclear"}), labels={"unclear": "abstention"})
    with pytest.raises(metrics.InputError, match="unclear"):
        join(first, second)


@pytest.mark.parametrize(
    ("own", "agree"), [(["fair", "good"], True), (["good", "fair"], False), (["fair", "good", "superb"], False)]
)
def test_files_agree_on_the_order_where_one_names_a_part_of_it(own: list[str], agree: bool) -> None:
    order, words = ["poor", "fair", "good"], {"MET": "good", "UNMET": "fair"}
    first, second = metrics.read(rows(ONE).replace(words), order=order), metrics.read(rows(TWO).replace(words), order=own)
    for both in ((first, second), (second, first)):
        if agree:
            assert join(*both).ratings.scheme.order == tuple(order)
            continue
        with pytest.raises(metrics.InputError, match="order the labels differently"):
            join(*both)


def test_two_humans_of_different_names_are_two_people(tmp_path) -> None:
    first, second = (metrics.read(rows(own, rater=name)) for own, name in ((ONE, "ana"), (TWO, "bo")))
    joined = join(first, second)
    assert joined.ratings.humans == ("ana", "bo")


def test_more_criteria_in_one_file(tmp_path) -> None:
    second = pd.concat([rows(TWO), rows(TWO, criterion="length")])
    joined = joined_of((written(tmp_path, "x.csv", rows(ONE)), written(tmp_path, "y.csv", second)))
    assert joined.ratings.criteria == ("tone", "length")
    assert joined.unmatched_counts() == {"y.csv": 8}
    assert compare(joined.ratings, "x", "y").n_shared == 8


def test_left_out_rows_name_their_file(tmp_path) -> None:
    holed = rows(TWO)
    holed.loc[0, "item"] = ""
    joined = joined_of((written(tmp_path, "x.csv", rows(ONE)), written(tmp_path, "y.csv", holed)))
    assert joined.ratings.left_out.counts() == {"no item id (y.csv)": 1}
    assert joined.unmatched_counts() == {"x.csv": 1}


def test_counts_cannot_be_joined() -> None:
    counts = pd.DataFrame({"human": ["MET", "UNMET"], "judge": ["MET", "MET"], "n": [5, 6]})
    with pytest.raises(metrics.InputError, match="no items to join on"):
        join(metrics.read(rows(ONE)), metrics.read(counts))


def test_lost_and_won_lists_show_both_verdicts_with_their_rows(two) -> None:
    joined = joined_of(two)
    one = compare(joined.ratings, "v1", "v2")
    frame = contest_frame(joined.ratings, one)
    assert list(frame["outcome"]) == ["only v1 right"] * 2 + ["only v2 right"] * 2
    assert list(frame["item"]) == ["i3", "i6", "i2", "i5"]
    assert list(frame["judge: v1"]) == ["UNMET", "MET", "UNMET", "MET"]
    assert list(frame["judge: v2"]) == ["MET", "UNMET", "MET", "UNMET"]
    assert list(frame["row"]) == [5, 8, 4, 7]
    second = pd.read_csv(two[1])
    assert [second["item"][row - 2] for row in frame["row of B"]] == list(frame["item"])
    assert len(contest_frame(joined.ratings, one, ("both",))) == one.outcomes["both"] == 4
    assert outcome_words(one)["only_b"] == "only v2 right"


def test_lost_and_won_items(two) -> None:
    joined = joined_of(two)
    frame = contest_frame(joined.ratings, compare(joined.ratings, "v1", "v2", level="item"))
    assert list(frame["item"]) == ["i3", "i6", "i2", "i5"]
    assert list(frame["reference"]) == [HUMAN[int(item[1])] for item in frame["item"]]
    assert list(frame["judge: v2"]) == [TWO[int(item[1])] for item in frame["item"]]


def test_verdicts_of_joined_judges_are_those_of_the_files(two) -> None:
    joined = joined_of(two).ratings
    assert verdicts(joined, "v1", "judge").tolist() == [int(v == "UNMET") for v in ONE]
    assert verdicts(joined, "v2", "judge").tolist() == [int(v == "UNMET") for v in TWO]


@pytest.mark.parametrize("people", [{}, {"rater": "ana"}])
def test_a_second_file_of_verdicts_alone_takes_the_humans_of_the_first(tmp_path, people) -> None:
    first = metrics.read(written(tmp_path, "x.csv", rows(ONE, **people)))
    whole = join(first, metrics.read(written(tmp_path, "y.csv", rows(TWO, **people))))
    alone = written(tmp_path / "alone", "y.csv", rows(TWO).drop(columns="human"))
    joined = join(first, read_second(alone, first))
    assert joined.ratings.humans == first.humans
    one, same = (compare(own.ratings, "x", "y") for own in (joined, whole))
    assert one.to_dict() | {"declaration": 0} == same.to_dict() | {"declaration": 0}
    assert contest_frame(joined.ratings, one)["row of B"].tolist() == [5, 8, 4, 7]


def test_a_second_file_without_criteria_humans_and_judge_names(tmp_path) -> None:
    bare = [rows(own).drop(columns=["criterion", "judge"]) for own in (ONE, TWO)]
    first = metrics.read(written(tmp_path, "v1.csv", bare[0]))
    joined = join(first, read_second(written(tmp_path, "v2.csv", bare[1].drop(columns="human")), first))
    assert joined.pair(None, None) == ("v1", "v2")
    assert compare(joined.ratings, "v1", "v2").n_items == 8


def test_verdicts_on_other_items_find_no_humans(tmp_path) -> None:
    first = metrics.read(rows(ONE))
    other = rows(TWO).drop(columns="human").assign(item="other")
    with pytest.raises(metrics.InputError, match="has no human labels"):
        read_second(written(tmp_path, "y.csv", other), first)
    assert read_second(written(tmp_path, "z.csv", rows(TWO)), first).humans == ("human",)

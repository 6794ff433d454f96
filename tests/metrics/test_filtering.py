"""A filter gives the numbers of the file filtered by hand, and refuses what filters nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import InputError
from metrics.commands.cli import main
from metrics.data.filtering import Where, conditions, conditions_words, only_where
from metrics.readers import from_counts, read_as
from metrics.readers.import_report import import_report
from metrics.report.recipe import reading_dict, reading_of

LABELS = {"yes": "positive", "no": "negative", "unsure": "abstention"}
WIDE = {"item": "item", "criterion": "criterion", "human:ann": "human", "judge:gpt": "gpt", "judge:old": "old"}
ANSWERS = ["yes", "no", "unsure", ""]
Rows = Callable[[pd.DataFrame], "pd.Series[bool]"]
CASES: list[tuple[Where, Rows]] = [
    ("language=de", lambda f: f["language"] == "de"),
    ({"language": ["de", "fr"]}, lambda f: f["language"].isin(["de", "fr"])),
    ("language!=de|fr", lambda f: ~f["language"].isin(["de", "fr"])),
    ("language=", lambda f: f["language"] == ""),
    ("tokens>=10", lambda f: f["tokens"] >= 10),
    (["tokens<10", "language!=en"], lambda f: (f["tokens"] < 10) & (f["language"] != "en")),
    ("day>2026-01-31", lambda f: f["day"].str[:10] > "2026-01-31"),
    ("day<=2026-01-31", lambda f: f["day"].str[:10] <= "2026-01-31"),
    ("part=first", lambda f: f["part"] == "first"),
]


@st.composite
def decisions(draw: st.DrawFn) -> pd.DataFrame:
    """Return a row for each item and criterion: a human's label and two judges' verdicts, columns of the item and of the row."""
    rows = []
    criteria = draw(st.integers(1, 2))
    for item in range(draw(st.integers(3, 12))):
        of_item = {
            "language": draw(st.sampled_from(["de", "en", "fr", ""])),
            "tokens": draw(st.sampled_from([2, 9, 10, 100])),
            "day": draw(st.sampled_from(["2026-01-31", "2026-01-31 23:00", "2026-02-01"])),
        }
        rows += [
            {
                "item": f"i{item}", "criterion": f"c{criterion}", "human": draw(st.sampled_from(ANSWERS)),
                "gpt": draw(st.sampled_from(ANSWERS)), "old": draw(st.sampled_from(ANSWERS)), **of_item,
                "part": draw(st.sampled_from(["first", "second"])),
            }
            for criterion in range(criteria)
        ]  # fmt: skip
    return pd.DataFrame(rows).sort_values(["criterion", "item"], kind="stable")


def pairs(frame: pd.DataFrame) -> pd.DataFrame:
    melted = frame.melt([name for name in frame if name not in ("gpt", "old")], ["gpt", "old"], "judge", "verdict")
    return melted.sort_values(["criterion", "item", "judge"], kind="stable")


def raters(frame: pd.DataFrame) -> pd.DataFrame:
    melted = frame.melt(
        [name for name in frame if name not in ("human", "gpt", "old")], ["human", "gpt", "old"], "rater", "label"
    )
    return melted.assign(role=["human" if name == "human" else "judge" for name in melted["rater"]])


LAYOUTS: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], dict[str, str] | None]] = {
    "pairs": (pairs, None), "raters": (raters, None), "wide": (lambda frame: frame, WIDE),
}  # fmt: skip


def numbers(make: Callable[[], metrics.Ratings]) -> dict[str, Any] | None:
    """Return what is said of every judge; None where the ratings give nothing to say."""
    try:
        ratings = make()
        judges = metrics.agreement(ratings).judges
    except InputError:
        return None
    return {name: json.loads(json.dumps(report.to_dict())) for name, report in judges.items()}


@pytest.mark.slow("forty made-up files of each layout")
@pytest.mark.parametrize("layout", list(LAYOUTS))
@given(frame=decisions(), case=st.sampled_from(CASES))
@settings(max_examples=40, deadline=None)
def test_numbers_are_those_of_the_file_filtered_by_hand(layout: str, frame: pd.DataFrame, case: tuple[Where, Rows]) -> None:
    make, columns = LAYOUTS[layout]
    where, holds = case
    table = make(frame)
    found = numbers(lambda: metrics.read(table, labels=LABELS, columns=columns, where=where))
    expected = numbers(lambda: metrics.read(table[holds(table)], labels=LABELS, columns=columns))
    if found is None and expected is not None:
        with pytest.raises(InputError, match="no row has"):  # a value that nothing has is refused, whatever is left
            metrics.read(table, labels=LABELS, columns=columns, where=where)
        return
    assert found == expected


@given(frame=decisions())
@settings(max_examples=40, deadline=None)
def test_rows_and_items_add_up_to_those_of_the_whole(frame: pd.DataFrame) -> None:
    table = frame.assign(human="yes", gpt="no", old="yes")
    whole = metrics.read(raters(table), labels=LABELS)
    try:
        part = only_where(whole, "tokens>=10")
    except InputError:
        assert not (frame["tokens"] >= 10).any()
        return
    assert part.rows_used + part.left_out.counts().get("filtered", 0) == whole.rows_used
    assert part.n_items == frame.loc[frame["tokens"] >= 10, "item"].nunique()
    assert only_where(part, "tokens>=10").left_out.counts() == part.left_out.counts()


def long_table(rows: list[tuple[str, str, str, str, str]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["item", "rater", "role", "label", "group"])


def test_a_rating_without_a_value_goes_with_its_item() -> None:
    frame = long_table(
        [
            ("a", "ann", "human", "yes", "x"), ("a", "gpt", "judge", "no", ""),
            ("b", "ann", "human", "no", "y"), ("b", "gpt", "judge", "no", ""),
        ]
    )  # fmt: skip
    part = only_where(metrics.read(frame), "group=x")
    assert part.items.to_pylist() == ["a"]
    assert len(part.item) == 2


def test_where_raters_of_a_decision_differ_those_whose_value_holds_stay_and_the_judge_with_them() -> None:
    frame = long_table(
        [
            ("a", "ann", "human", "yes", "expert"), ("a", "bob", "human", "no", "crowd"), ("a", "gpt", "judge", "no", ""),
            ("b", "bob", "human", "no", "crowd"), ("b", "gpt", "judge", "no", ""),
        ]
    )  # fmt: skip
    part = only_where(metrics.read(frame), "group=expert")
    assert part.humans == ("ann",)
    assert part.judges == ("gpt",)
    assert part.items.to_pylist() == ["a"]


def test_in_a_table_of_pairs_the_human_label_goes_with_each_verdict_beside_it() -> None:
    frame = pd.DataFrame(
        {
            "item": list("aabb"), "judge": ["j1", "j2"] * 2, "human": ["yes", "yes", "no", "no"],
            "verdict": ["no", "yes", "yes", "no"], "version": ["v1", "v2"] * 2,
        }
    )  # fmt: skip
    found = metrics.agreement(metrics.read(frame, where="version=v2"))
    assert list(found.judges) == ["j2"]
    assert found.judges["j2"].micro.confusion is not None
    assert found.judges["j2"].micro.confusion.sum() == 2


def test_the_scale_stays_that_of_the_whole_file() -> None:
    frame = pd.DataFrame(
        {"item": list("abcdef"), "human": list("012301"), "verdict": list("012310"), "topic": ["x", "x", "y", "y", "x", "x"]}
    )
    whole = metrics.read(frame, scale="ordinal", labels=dict.fromkeys("0123", "class"))
    part = only_where(whole, "topic=x")
    assert metrics.agreement(part).declaration.scale == metrics.agreement(whole).declaration.scale


def table() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "item": list("abcdef"), "human": ["yes", "no"] * 3, "verdict": ["yes", "no", "no"] * 2,
            "language": ["de", "de", "de", "en", "en", "en"], "tokens": range(6), "a=b": ["x|y", "z"] * 3,
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("langauge=de", r"no column is called ‘langauge’\. Columns to filter by: language, tokens and a=b"),
        ("language=es", r"no row has ‘es’ in ‘language’\. Values: de and en"),
        ("language!=es", "no row has ‘es’"),
        ("language=", "no row has no value"),
        (
            "language<de",
            r"cannot be compared with ‘de’: both have to be numbers, or times such as 2026-01-31, 2026-01 or 2026-Q1",
        ),
        ("tokens>100", "no item has tokens > 100, so nothing is left"),
        (["language=de", "tokens>4"], "nothing is left"),
        ("human=yes", "says who rated what"),
        ("language", "is no condition"),
        ("=de", "is no condition"),
        ("tokens>1|2", "is no condition"),
    ],
)
def test_refusals_say_what_there_is(where: Where, message: str) -> None:
    with pytest.raises(InputError, match=message):
        metrics.read(table(), where=where)


@pytest.mark.parametrize(
    ("times", "where", "kept"),
    [
        (["2026-01", "2026-02", "2026-10"], "when<2026-10", "ab"),
        (["2026-01", "2026-02", "2026-10"], "when>2026-01-15", "bc"),
        (["Sep 2025", "Jan 2026", "Oct 2025"], "when>=Oct 2025", "bc"),
        (["2025-Q4", "2026-Q1", "2026-Q2"], "when>2025-Q4", "bc"),
        (["2026-01-31", "2026-02-28 23:00", "2026-03-01"], "when<=2026-02", "ab"),
        (["2026-01-31", "2026-02-28", "2026-04-01"], "when>2026-Q1", "c"),
        (["2026-02-01T09:00", "2026-02-01T11:00", "2026-02-02T00:00"], "when<=2026-02-01T10:00", "a"),
    ],
)
def test_months_and_quarters_compare_as_slices_order_them(times: list[str], where: str, kept: str) -> None:
    """A limit that is a month or a quarter holds all of its days."""
    whole = pd.DataFrame({"item": list("abc"), "human": ["yes", "no", "yes"], "verdict": ["yes", "no", "no"], "when": times})
    part = metrics.read(whole, labels=LABELS, where=where)
    assert [str(part.items[place]) for place in sorted(set(part.item.tolist()))] == list(kept)


def test_a_table_of_counts_has_nothing_to_filter_by() -> None:
    with pytest.raises(InputError, match="table of counts"):
        only_where(from_counts([[3, 1], [2, 4]], ["no", "yes"]), "language=de")


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).map(str.strip).filter(bool),
    st.lists(st.text().map(str.strip), min_size=1, unique=True),
)
def test_a_condition_reads_back_from_its_text(column: str, values: list[str]) -> None:
    (condition,) = conditions({column: values})
    assert conditions(condition.text) == (condition,)


def test_words_name_column_and_values() -> None:
    assert conditions_words(["language=de|fr", "tokens>=3"]) == "only items where language = de or fr and tokens ≥ 3"
    assert conditions_words([]) == ""


def test_it_is_declared_everywhere_and_comes_back() -> None:
    ratings = metrics.read(table(), where={"a=b": "x|y", "language": "de"})
    texts = ['"a=b"="x|y"', "language=de"]
    assert list(ratings.source.how.where) == texts
    report = metrics.agreement(ratings)
    assert report.to_dict()["declaration"]["where"] == texts
    assert "only items where a=b = x|y and language = de" in " ".join(report.summary().lower().split())
    assert set(report.to_frame()["where"]) == {"only items where a=b = x|y and language = de"}
    assert metrics.AgreementReport.from_json(report.to_json()).declaration.where == tuple(texts)
    how = reading_of(json.loads(json.dumps(reading_dict(ratings.source.how))))
    again = read_as(table(), how)
    assert again.items.to_pylist() == ratings.items.to_pylist()
    assert "where" not in metrics.agreement(metrics.read(table())).to_dict()["declaration"]
    assert "where" not in reading_dict(metrics.read(table()).source.how)


def test_lines_that_read_it_again_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "labels.csv"
    table().to_csv(path, index=False)
    ratings = metrics.read(str(path), where=["language=de", '"a=b"="x|y"'])
    report = import_report(ratings, [str(path)])
    assert report.python == f"""metrics.read("{path}", where=["language=de", "\\"a=b\\"=\\"x|y\\""])"""
    assert eval(report.python, {"metrics": metrics}).n_items == ratings.n_items == 2
    assert "4 × filtered" in report.summary()
    with pytest.raises(SystemExit) as stop:
        main(["agreement", str(path), "--where", "language=de", "--where", '"a=b"="x|y"', "--json"])
    assert stop.value.code == 0
    declaration = json.loads(capsys.readouterr().out)["declaration"]
    assert declaration["n_items"] == 2
    assert declaration["rows"]["left_out"] == [{"reason": "filtered", "count": 4}]


def test_a_comparison_of_two_files_filters_both_by_a_column_of_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table().to_csv(tmp_path / "one.csv", index=False)
    table().drop(columns=["language", "tokens", "a=b"]).to_csv(tmp_path / "two.csv", index=False)
    with pytest.raises(SystemExit) as stop:
        main(["compare", str(tmp_path / "one.csv"), str(tmp_path / "two.csv"), "--where", "language=de", "--json"])
    assert stop.value.code == 0
    document = json.loads(capsys.readouterr().out)
    assert document["declaration"]["where"] == ["language=de"]
    assert document["declaration"]["n_items"] == 3


def test_an_unknown_value_ends_the_command_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table().to_csv(tmp_path / "one.csv", index=False)
    with pytest.raises(SystemExit) as stop:
        main(["overview", str(tmp_path / "one.csv"), "--where", "language=es"])
    assert stop.value.code == 2
    assert "Values: de and en" in capsys.readouterr().err

"""What a tally keeps, what it refuses, and that any table gives the numbers of its rows."""

import json
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.data.read_options import ReadOptions
from metrics.engines import count, count_frame
from metrics.engines.bit_packing import packed
from metrics.engines.sources import _to_line_end
from metrics.engines.unique_items import Combinations
from metrics.readers import read_as
from metrics.readers.tallied import KEY
from tests.tallies import text_of

PAIRS = ("item", "criterion", "judge", "human", "verdict")


def frame(rows: list[tuple[Any, ...]], columns: tuple[str, ...] = PAIRS) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(columns))


def told(source: Any) -> str:
    """Every number of the ratings, or why there is none, without the names of files."""
    try:
        report = metrics.agreement(read_as(source, ReadOptions()), interval="none").to_dict()
    except metrics.InputError:
        return "refused"
    report["declaration"].pop("file")
    return text_of(report)


LABELS = ("MET", "UNMET", " met", "CANNOT_ASSESS", "", None)
ROW = st.tuples(
    st.sampled_from(["a", "b", "c", "d", "e"]), st.sampled_from(["tone", "depth", " tone", "facts"]),
    st.sampled_from(["j1", "j2"]), st.sampled_from(LABELS), st.sampled_from(LABELS),
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=40, unique_by=lambda row: (row[0], row[1].strip(), row[2])))
def test_any_table_gives_the_numbers_of_its_rows(rows: list[tuple[Any, ...]]) -> None:
    table = frame(rows)
    tally = count_frame(table, name="rows")
    assert told(tally.to_bytes()) == told(table)
    # a judge's row without anything is a failed call, and stays
    assert tally.left_out == ()


def test_more_slots_than_a_word_has_bits() -> None:
    rows = [
        (f"i{item}", f"c{criterion}", judge, "MET" if (item + criterion) % 3 else "UNMET", "MET" if criterion % 2 else "UNMET")
        for item in range(12) for criterion in range(70) for judge in ("j1", "j2")
    ]  # fmt: skip
    tally = count_frame(frame(rows), name="rows")
    assert (tally.n_items, tally.n_unique) == (12, 3)
    assert told(tally.to_bytes()) == told(frame(rows))


@pytest.mark.parametrize("n_rows", [60, 1000, 10**9])
def test_words_hold_their_slots_apart(n_rows: int) -> None:
    import numpy as np

    sizes = np.array([2, 9, 1, 1000, 3] * 9, np.int64)
    words = packed(sizes, n_rows)
    assert [word.first for word in words[1:]] == [word.stop for word in words[:-1]]
    unit, place = Combinations._parts(SimpleNamespace(words=words), np.arange(len(sizes)))  # type: ignore[arg-type]
    summands = unit + place * (sizes - 1)
    for word in words:
        own = summands[word.first : word.stop]
        total = own.sum(keepdims=True)
        assert word.digits(total).ravel().tolist() == (word.sizes - 1).tolist()
        assert not word.repeated(total).any()
        assert word.repeated(total + own[:1]).all()
        assert word.row * (n_rows + 1) <= 1 << 61


def test_repeated_rows_are_one_where_they_agree_and_refused_where_not() -> None:
    rows = [("a", "c", "j", "MET", "MET"), ("a", "c", "j", "MET", "MET"), ("b", "c", "j", "UNMET", "MET")]
    tally = count_frame(frame(rows), name="rows")
    assert dict(tally.left_out) == {"repeated: a later row gives the same item, criterion and rater": 1}
    assert told(tally.to_bytes()) == told(frame(rows))
    with pytest.raises(metrics.InputError, match="Item ‘b’ of rows, criterion ‘c’, judge ‘j’: ‘verdict’ is ‘MET’ in one"):
        count_frame(frame([*rows, ("b", "c", "j", "UNMET", "UNMET")]), name="rows")


def test_the_latest_of_repeated_rows_counts() -> None:
    rows = [
        ("a", "c", "j", "MET", "UNMET", "2026-01-02T10:00:00Z"), ("a", "c", "j", "MET", "MET", "2026-01-02T10:00:00.5Z"),
        ("b", "c", "j", "UNMET", "MET", "2026-01-01"), ("a", "c", "j", "MET", "UNMET", ""),
    ]  # fmt: skip
    columns = (*PAIRS, "timestamp")
    for table in (frame(rows, columns), frame(rows, columns).assign(timestamp=pd.to_datetime([3, 4, 1, None], unit="s"))):
        tally = count_frame(table, name="rows")
        assert told(tally.to_bytes()) == told(table)
    early = [("a", "c", "j", "MET", "MET", f"2026-01-01T0{hour}:30") for hour in (0, 9)]
    day = [("a", "c", "j", "MET", "UNMET", "2026-01-01"), ("b", "c", "j", "UNMET", "MET", "2026-01-01")]
    assert told(count_frame(frame([*early, *day], columns), name="rows").to_bytes()) == told(frame([*early, *day], columns))
    again = [*rows, ("a", "c", "j", "MET", "UNMET", "2026-01-02T10:00:00.5Z")]
    with pytest.raises(metrics.InputError, match="both latest at the same ‘timestamp’"):
        count_frame(frame(again, columns), name="rows")
    with pytest.raises(metrics.InputError, match="‘yesterday’ in ‘timestamp’ is no time"):
        count_frame(frame([*rows, ("a", "c", "j", "MET", "UNMET", "yesterday")], columns), name="rows")


def test_rows_without_an_item_are_counted_by_reason() -> None:
    rows = [
        ("a", "c", "j", "MET", "MET"), (None, "c", "j", "MET", "MET"), (" \u00a0", None, "", " ", None),
        ("b", "", "j", "MET", "MET"),
    ]  # fmt: skip
    tally = count_frame(frame(rows), name="rows")
    assert dict(tally.left_out) == {"blank row": 1, "no item id": 1, "no criterion": 1}
    assert metrics.read(tally.to_bytes()).left_out.counts() == metrics.read(frame(rows)).left_out.counts()


def test_kept_columns_lie_above_the_item() -> None:
    rows = [(f"i{n}", c, "j", "MET" if n % 3 else "UNMET", "MET", f"t{n % 4}") for n in range(20) for c in ("x", "y")]
    table = frame(rows, (*PAIRS, "topic"))
    tally = count_frame(table, name="rows", keep=["topic"])
    found = [metrics.agreement(metrics.read(source), unit="topic").to_dict() for source in (table, tally.to_bytes())]
    for own in found:
        own["declaration"].pop("file")
    assert text_of(found[0]) == text_of(found[1])
    rows[0] = (*rows[0][:5], "t9")
    with pytest.raises(metrics.InputError, match="‘topic’ cannot be kept: item ‘i0’ has ‘t9’ in one row and ‘t0’ in another"):
        count_frame(frame(rows, (*PAIRS, "topic")), name="rows", keep=["topic"])


def test_numbers_of_many_levels_are_rounded_and_it_is_said() -> None:
    rows = [(f"i{n}", "c", "j", "MET" if n % 2 else "UNMET", "MET", n / 1999) for n in range(2000)]
    columns = (*PAIRS, "score")
    tally = count_frame(frame(rows, columns), name="rows")
    assert tally.grid == {"score": "0.002"}
    ratings = metrics.read(tally.to_bytes())
    assert "rounded to steps of 0.002" in " ".join(ratings.source.notes)
    by_hand = count_frame(frame([(*row[:5], f"{row[5]:.6f}") for row in rows], columns), name="rows", grid={"score": "0.1"})
    assert set(by_hand.data["score"].to_pylist()) == {"0", "1", *(f"0.{n}" for n in range(1, 10))}
    few = count_frame(frame([(*row[:5], round(row[5], 2)) for row in rows], columns), name="rows")
    assert not few.grid
    assert len(few.data["score"].unique()) == 101


def test_columns_that_a_tally_does_not_hold_are_named() -> None:
    columns = (*PAIRS, "confidence", "prompt", "timestamp", "text")
    rows = [(f"i{n}", "c", "j", "MET" if n % 2 else "UNMET", "MET", "0.5", "p", "2026-01-01", "?") for n in range(4)]
    tally = count_frame(frame(rows, columns), name="rows")
    assert tally.without == ("prompt", "confidence")
    assert "It does not hold ‘prompt’ and ‘confidence’ of the source" in metrics.read(tally.to_bytes()).source.notes[-1]
    kept = count_frame(frame(rows, columns), name="rows", keep=["prompt", "confidence"])
    assert not kept.without
    assert len(metrics.read(kept.to_bytes()).source.notes) == 1


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_files_of_a_folder_are_one_table(tmp_path: Path, kind: str) -> None:
    rows = [(f"i{n}", c, "j", "MET" if n % 3 else "UNMET", "MET") for n in range(20) for c in ("x", "y")]
    whole, parts = frame(rows), [frame(rows[:15]), frame(rows[15:])]
    for place, part in enumerate(parts):
        path = tmp_path / f"part [{place}].{kind}"
        part.to_csv(path, index=False, sep=";") if kind == "csv" else part.to_parquet(path, index=False)
    wanted = count_frame(whole, name=tmp_path.name).to_bytes()
    for engine in ("duckdb", "polars"):
        assert count(tmp_path, engine=engine).to_bytes() == wanted
    assert count(f"{tmp_path}/*.{kind}").data.equals(count(tmp_path).data)


def damaged() -> list[tuple[str, Any]]:
    return [
        ("rows", 1 << 60), ("rows", 7), ("items", True), ("items", -1), ("times", "human"), ("columns", {"item": "nix"}),
        ("columns", []), ("orders", {"criterion": ["c", "c"]}), ("left_out", [["<b>", 1]]), ("left_out", [["no label", -1]]),
        ("grid", {"score": 1}), ("version", "1"), ("left_out", [[[], 1]]), ("left_out", [[{}, 1]]),
        ("left_out", [["no label", 1 << 70]]),
        ("source", "\ud800"), ("orders", {"\ud800": []}), ("columns", {"item": "item", "human": "\udfff"}), ("times", "\ud800"),
        ("columns", {"item": "item", "N": "human"}), ("columns", {"item": "item", "rows": "human"}), ("kept", [[]]),
        ("orders", {"criterion": [[]]}), ("columns", {"item": []}), ("without", {}), ("without", [7]),
    ]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), damaged())
def test_a_damaged_tally_is_refused(key: str, value: Any, tmp_path: Path) -> None:
    data = count_frame(frame([("a", "c", "j", "MET", "MET"), ("b", "c", "j", "UNMET", "MET")]), name="rows").data
    said = json.loads(data.schema.metadata[KEY]) | {key: value}
    path = tmp_path / "tally.parquet"
    pq.write_table(data.replace_schema_metadata({KEY: json.dumps(said)}), path)
    with pytest.raises(metrics.InputError, match="damaged tally"):
        metrics.read(path)


@pytest.mark.parametrize("times", [[0, 1], [-5, 1], [1 << 53, 1 << 53], [1 << 62, 1 << 62]])
def test_numbers_of_items_that_cannot_be_are_refused(times: list[int], tmp_path: Path) -> None:
    data = count_frame(frame([("a", "c", "j", "MET", "MET"), ("b", "c", "j", "UNMET", "MET")]), name="rows").data
    path = tmp_path / "tally.parquet"
    pq.write_table(data.set_column(data.num_columns - 1, data.column_names[-1], [times]), path)
    with pytest.raises(metrics.InputError, match="damaged tally"):
        metrics.read(path)


def test_another_version_is_refused(tmp_path: Path) -> None:
    data = count_frame(frame([("a", "c", "j", "MET", "MET"), ("b", "c", "j", "UNMET", "MET")]), name="rows").data
    path = tmp_path / "tally.parquet"
    pq.write_table(data.replace_schema_metadata({KEY: b'{"version": 2}'}), path)
    with pytest.raises(metrics.InputError, match="a tally of version 2; this is read: 1"):
        metrics.read(path)


def test_numbers_that_no_machine_word_holds_stand_in_other_columns(tmp_path: Path) -> None:
    rows = [("a", "c", "j", "MET", "MET"), ("b", "c", "j", "UNMET", "MET"), ("b", "c", "j", "UNMET", "MET")]
    table = pa.Table.from_pandas(frame(rows), preserve_index=False)
    table = table.append_column("cost", pa.array([Decimal("0.25"), Decimal("1.50"), None], pa.decimal128(20, 2)))
    table = table.append_column("digest", pa.array([(1 << 64) - 1, 1, 2], pa.uint64()))
    pq.write_table(table, tmp_path / "rows.parquet")
    wanted = count_frame(frame(rows), name="rows.parquet").to_bytes()
    assert count_frame(table, name="rows.parquet").to_bytes() == wanted
    for engine in ("duckdb", "polars"):
        assert count(tmp_path / "rows.parquet", engine=engine).to_bytes() == wanted


def test_a_tally_is_not_counted_again(tmp_path: Path) -> None:
    rows = frame([("a", "c", "j", "MET", "MET"), ("b", "c", "j", "UNMET", "MET")])
    rows.to_parquet(tmp_path / "rows.parquet", index=False)
    count(f"{tmp_path}/*.parquet").to_parquet(tmp_path / "tally.parquet")
    for source in (tmp_path / "tally.parquet", tmp_path, f"{tmp_path}/*.parquet"):
        with pytest.raises(metrics.InputError, match=r"tally\.parquet is a tally already\. Read it"):
            count(source)


@pytest.mark.parametrize("item", ["topic", "#row", ""])
def test_no_other_column_of_a_tally_names_its_items(item: str) -> None:
    rows = [(f"i{n}", "c", "j", "MET" if n % 3 else "UNMET", "MET", f"t{n % 4}") for n in range(20)]
    tally = count_frame(frame(rows, (*PAIRS, "topic")), name="rows", keep=["topic"]).to_bytes()
    assert metrics.read(tally, columns={"item": "item"}).n_items == 20
    with pytest.raises(metrics.InputError, match="is a tally of the items in ‘item’; no other column names them"):
        metrics.read(tally, columns={"item": item})


def test_a_category_of_blanks_is_blank() -> None:
    rows = [
        ("a", "c", "j", "MET", "MET"),
        (" ", "c", "j", "MET", "MET"),
        ("", "c", "j", "MET", "UNMET"),
        ("", " ", "", " ", None),
    ]
    text = pa.Table.from_pandas(frame(rows), preserve_index=False)
    coded = pa.table({name: text[name].dictionary_encode() for name in PAIRS})
    wanted = count_frame(text, name="rows")
    assert dict(wanted.left_out) == {"blank row": 1, "no item id": 2}
    own = polars.from_arrow(text)
    listed = own.select(polars.col(name).cast(polars.Enum(own[name].drop_nulls().unique(maintain_order=True))) for name in PAIRS)
    for table in (
        coded,
        frame(rows).astype("category"),
        own.cast(polars.Categorical),
        own.cast(polars.Categorical).lazy(),
        listed,
    ):
        assert count_frame(table, name="rows").to_bytes() == wanted.to_bytes()


@pytest.mark.parametrize("word", ["null", "NaN", " NULL "])
def test_a_later_word_for_nothing_takes_no_rating_back(word: str) -> None:
    columns = (*PAIRS, "timestamp")
    rows = [("a", "c", "j", "MET", "MET", "2026-01-01"), ("b", "c", "j", "UNMET", word, "2026-01-01")]
    twice = [*rows, ("b", "c", "j", "UNMET", "MET", "2026-01-02"), ("b", "d", "j", "UNMET", word, "2026-01-02")]
    with pytest.raises(metrics.InputError, match=r"which means that there is none\. Leave such cells"):
        count_frame(frame(twice, columns), name="rows")
    empty = [tuple("" if cell == word else cell for cell in row) for row in twice]
    alone = [*rows, ("a", "c", "j", "MET", "UNMET", "2026-01-02")]
    for own in (empty, alone):
        assert told(count_frame(frame(own, columns), name="rows").to_bytes()) == told(frame(own, columns))


WIDE = {"item": "item", "human:ana": "ana", "judge:j": "j", "timestamp": "when"}


def wide_told(rows: pd.DataFrame, columns: dict[str, str]) -> list[str]:
    found = []
    for ratings in (
        metrics.read(rows, columns=columns),
        metrics.read(count_frame(rows, columns=columns, name="table").to_bytes()),
    ):
        report = metrics.agreement(ratings, interval="none").to_dict()
        report["declaration"].pop("file")
        found.append(text_of(report))
    return found


def test_the_latest_row_of_a_wide_table_counts() -> None:
    rows = [
        ("a", "MET", "MET", "2026-01-03"), ("a", "MET", "UNMET", "2026-01-01T08:00"), ("b", "UNMET", "MET", "2026-01-01"),
        ("c", "UNMET", "UNMET", ""),
    ]  # fmt: skip
    table = frame(rows, ("item", "ana", "j", "when"))
    whole, tally = wide_told(table, WIDE)
    assert whole == tally
    ratings = metrics.read(table, columns=WIDE)
    assert ratings.labels[ratings.label[(ratings.item == 0) & (ratings.row == 0)][-1]] == "MET"
    assert not (ratings.row == 1).any()


def test_columns_that_name_their_criterion_need_no_other() -> None:
    rows = [("a", "x", "MET", "MET"), ("b", "", "UNMET", "MET"), ("c", None, "UNMET", "UNMET")]
    columns = {"item": "item", "human:ana::tone": "ana", "judge:j::tone": "j"}
    table = frame(rows, ("item", "criterion", "ana", "j"))
    whole, tally = wide_told(table, columns)
    assert whole == tally


def test_a_file_is_cut_at_a_line_break_outside_quotes() -> None:
    whole = b'a,b\n1,"x\n""y"\n2,"z\n'
    assert _to_line_end(whole) == b'a,b\n1,"x\n""y"\n'
    assert _to_line_end(whole[:9]) == b"a,b\n"
    assert _to_line_end(b"a,b") == b"a,b"
    stray = b'a,b\n"' + b"1,2\n" * 300_000
    assert _to_line_end(stray) == b"a,b\n"


def test_a_step_for_what_is_no_number_is_refused() -> None:
    table = frame([("a", "c", "j", "MET", "MET"), ("b", "c", "j", "UNMET", "MET")])
    text = pa.Table.from_pandas(table, preserve_index=False)
    for source in (table, text, polars.from_arrow(text), polars.from_arrow(text).lazy()):
        with pytest.raises(metrics.InputError, match="‘verdict’ holds values that are no numbers"):
            count_frame(source, name="rows", grid={"verdict": "0.1"})


def test_every_file_of_a_folder_needs_the_same_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "topic=x"
    folder.mkdir()
    rows = frame([(f"i{n}", "c", "j", "MET" if n % 3 else "UNMET", "MET") for n in range(30)])
    for place in range(3):
        rows[place * 10 : place * 10 + 10].to_csv(folder / f"{place}.csv", index=False)
    monkeypatch.setattr("metrics.engines.sources.HEAD", 5)
    tallies = {count(folder, engine=engine).to_bytes() for engine in ("duckdb", "polars")}
    assert tallies == {count_frame(rows, name="topic=x").to_bytes()}
    rows[["item", "judge", "criterion", "human", "verdict"]].to_csv(folder / "2.csv", index=False)
    with pytest.raises(metrics.InputError, match=r"2\.csv has the columns item, judge"):
        count(folder)
    (folder / "2.csv").write_text("sep=,\n" + rows.to_csv(index=False), encoding="utf-8")
    with pytest.raises(metrics.InputError, match=r"The first line of 2\.csv is ‘sep=’"):
        count(folder)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2026-01-01T10:00:00", "2026-01-01T10:00"), ("2026-01-01 00:00Z", "2026-01-01"),
        ("2026-01-01T10:00:00.50", "2026-01-01T10:00:00.5"),
    ],
)  # fmt: skip
def test_two_spellings_of_one_time_tell_nothing_apart(first: str, second: str) -> None:
    rows = [("a", "c", "j", "MET", "UNMET", first), ("a", "c", "j", "MET", "MET", second), ("b", "c", "j", "UNMET", "MET", "")]
    for table in (frame(rows, (*PAIRS, "timestamp")), polars.from_pandas(frame(rows, (*PAIRS, "timestamp"))).lazy()):
        with pytest.raises(metrics.InputError, match="both latest at the same ‘timestamp’"):
            count_frame(table, name="rows")


def test_the_hour_that_comes_twice_is_told_apart() -> None:
    hours = pd.to_datetime(["2026-10-25T00:30Z", "2026-10-25T01:10Z", "2026-10-25T01:20Z"]).tz_convert("Europe/Berlin")
    rows = [("a", "c", "j", "MET", "UNMET"), ("a", "c", "j", "MET", "MET"), ("b", "c", "j", "UNMET", "MET")]
    table = frame(rows).assign(timestamp=hours)
    for source in (table, pa.Table.from_pandas(table, preserve_index=False), polars.from_pandas(table)):
        assert told(count_frame(source, name="rows").to_bytes()) == told(table)


def test_times_that_are_none_need_a_sentence_only_where_they_are_asked() -> None:
    rows = [("a", "c", "j", "MET", "UNMET"), ("a", "c", "j", "MET", "UNMET"), ("b", "c", "j", "UNMET", "MET")]
    empty = frame(rows).assign(timestamp=[float("nan")] * 3)
    assert told(count_frame(empty, name="rows").to_bytes()) == told(empty)
    spans = polars.from_pandas(frame(rows).assign(timestamp=pd.to_timedelta([1, 2, 3], unit="h")))
    with pytest.raises(metrics.InputError, match="is no time that can be put in order"):
        count_frame(spans, name="rows")


def test_a_blank_before_a_quotation_mark_is_read_in_two_ways(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text('item,criterion,judge,human,verdict\na,c,j,MET,MET\nb, "c",j,UNMET,MET\n', encoding="utf-8")
    with pytest.raises(metrics.InputError, match=r'‘ "c"’ in ‘criterion’ of labels\.csv has a blank before its quotation'):
        count(path)
    assert told(count(path, engine="polars").to_bytes()) == told(path)

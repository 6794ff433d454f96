"""Sources in which engines would see other values than the reader of rows: each is counted alike, or refused."""

from __future__ import annotations

import gzip
import itertools
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import metrics
from metrics.data.read_options import ReadOptions
from metrics.engines import count, count_frame
from metrics.readers import read_as
from tests.tallies import text_of

PAIRS = ("item", "criterion", "judge", "human", "verdict")


def pairs(n: int = 24, **columns: Any) -> pa.Table:
    said = {
        "item": [f"i{place // 2}" for place in range(n)],
        "criterion": ["tone", "depth"] * (n // 2),
        "judge": ["j"] * n,
        "human": ["yes" if place % 3 else "no" for place in range(n)],
        "verdict": ["yes" if place % 4 else "no" for place in range(n)],
    }
    return pa.table(said | columns)


def told(source: Any, columns: dict[str, str] | None = None) -> str:
    """What is said of a source's judges, and of several as raters, without the name of the file."""
    ratings = read_as(source, ReadOptions(columns=tuple((columns or {}).items())))
    found = [metrics.agreement(ratings).to_dict()]
    found += [metrics.raters(ratings).to_dict()] if len(ratings.raters) > 2 else []
    for report in found:
        report["declaration"].pop("file", None)
    return text_of(found)


OTHER = {
    "numbers that are no longer whole": (
        pairs(human=pa.array([1] * 24), verdict=pa.array([0, 1] * 12)),
        pairs(human=pa.array([1.0] * 24), verdict=pa.array([0.5, 1.0] * 12)),
        "‘human’ holds double in 1.parquet, and int64 in 0.parquet",
    ),
    "a column that is missing": (pairs(), pairs().drop_columns("judge"), "1.parquet has the columns item, criterion, human"),
    "a column more": (pairs().drop_columns("judge"), pairs(), "and 0.parquet item, criterion, human, verdict"),
    "another order": (pairs(), pairs().select(PAIRS[::-1]), "1.parquet has the columns verdict, human"),
}


@pytest.mark.parametrize("what", OTHER)
@pytest.mark.parametrize("head", [5, 1000])
def test_parquet_files_that_are_not_one_table_are_refused(
    what: str, head: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metrics.engines.sources.HEAD", head)
    first, second, why = OTHER[what]
    for place, table in enumerate((first, second)):
        pq.write_table(table, tmp_path / f"{place}.parquet")
    with pytest.raises(metrics.InputError, match="counted together need the same columns, of the same types") as refused:
        count(tmp_path)
    assert why in str(refused.value)


def test_raters_of_a_wide_table_keep_their_order() -> None:
    names = [f"r{place}" for place in (12, 2, 30, 1, 7, 11)]
    table = pa.table({"id": [f"i{n}" for n in range(40)]} | {
        name: ["yes" if (n * (place + 3)) % 7 > 2 else "no" for n in range(40)] for place, name in enumerate(names)
    })  # fmt: skip
    columns = {"item": "id"} | {f"{'judge' if n % 2 else 'human'}:{name}": name for n, name in enumerate(names)}
    tally = count_frame(table, columns=columns, name="table").to_bytes()
    assert [rater.name for rater in metrics.read(tally).raters] == names
    assert told(tally) == told(table, columns)


def test_reasons_stand_in_the_order_of_the_rows() -> None:
    left = [
        ("", "tone", "j", "yes", "no"),
        ("x", "", "j", "yes", "no"),
        ("y", "tone", "", "no", "yes"),
        ("z", "tone", "", "", ""),
    ]
    table = pa.concat_tables([pairs(), pa.table(dict(zip(PAIRS, map(list, zip(*left, strict=True)), strict=True)))])
    tally = count_frame(table, name="table").to_bytes()
    reasons = ["no item id", "no criterion", "no judge named", "no label"]
    assert [list(metrics.read(source).left_out.counts()) for source in (table, tally)] == [reasons, reasons]
    assert told(tally) == told(table)


def test_decimals_are_spelled_alike(tmp_path: Path) -> None:
    bits = [[Decimal(place % own == 0) for place in range(24)] for own in (3, 4)]
    kinds = pa.decimal128(10, 2), pa.decimal128(38, 9)
    human, verdict = (pa.array(own, kind) for own, kind in zip(bits, kinds, strict=True))
    pq.write_table(pairs(human=human, verdict=verdict), tmp_path / "rows.parquet")
    assert set(metrics.read(tmp_path / "rows.parquet").labels) == {"0.00", "1.00", "0.000000000", "1.000000000"}
    for engine in ("duckdb", "polars"):
        tally = count(tmp_path / "rows.parquet", engine=engine).to_bytes()
        assert told(tally) == told(tmp_path / "rows.parquet")


def again(times: list[str]) -> pd.DataFrame:
    rows = pairs().to_pandas().assign(timestamp=times[0])
    later = rows[:2].assign(verdict=["yes" if own == "no" else "no" for own in rows["verdict"][:2]], timestamp=times[1])
    return pd.concat([rows, later], ignore_index=True)


@pytest.mark.parametrize(
    "none", ["2026-02-30", "2025-02-29", "2026-01-01 23:59:60", "2026-13-01", "2026-01-01T24:00", "0000-01-01"]
)
def test_what_is_no_time_of_the_calendar_is_refused(none: str) -> None:
    for times in ([none, "2026-01-01"], ["2026-01-01", none]):
        with pytest.raises(metrics.InputError, match=f"‘{none}’ in ‘timestamp’ is no time"):
            count_frame(again(times), name="table")


def test_every_day_of_the_calendar_is_a_time() -> None:
    from metrics.engines.repeats import ISO

    days = [
        f"{year}-{month:02d}-{day:02d}" for year, month, day in itertools.product((1900, 2000, 2023, 2024), range(14), range(33))
    ]
    known = pd.to_datetime(pd.Series(days), format="%Y-%m-%d", errors="coerce").notna()
    assert (pd.Series(days).str.match(ISO) == known).all()


def test_times_that_are_categories_are_put_in_order() -> None:
    table = again(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z"])
    wanted = count_frame(table, name="table").to_bytes()
    assert told(wanted) == told(pa.Table.from_pandas(table, preserve_index=False))
    coded = polars.from_pandas(table).with_columns(polars.col("timestamp").cast(polars.Categorical))
    for source in (coded, coded.lazy(), table.astype({"timestamp": "category"})):
        assert count_frame(source, name="table").to_bytes() == wanted


def test_two_numbers_with_one_label_have_no_first_in_a_tally() -> None:
    judges = [judge for place in range(1, 13) for judge in (("j1", "j2") if place % 3 else ("j2", "j1"))]
    table = pairs(judge=judges, criterion=["tone"] * 24, human=["yes", "yes", "no", "no"] * 6)
    alike = table.append_column("human_score", pa.array([place // 2 for place in range(24)]))
    alike = alike.append_column("score", pa.array([place % 5 for place in range(24)]))
    found = [metrics.scores(metrics.read(own), on="score").to_dict() for own in (alike, count_frame(alike).to_bytes())]
    for report in found:
        report["declaration"].pop("file")
    assert text_of(found[0]) == text_of(found[1])
    for other in (7, None):
        two = alike.set_column(5, "human_score", pa.array([*range(1, 24), other]))
        with pytest.raises(metrics.InputError, match=r"comes with two numbers .* none of its rows is the first"):
            metrics.read(count_frame(two).to_bytes())


def test_a_label_in_two_spellings_is_the_same_from_a_tally() -> None:
    names = ["Red", "Green", "Blue", "red", "green", "blue"]
    rows = [
        (f"i{n}", "tone", judge, spelling, names[(n * 7 + (judge == "j1") * n) % 6])
        for n in range(60)
        for judge, spelling in zip(["j1", "j2"] if n % 2 else ["j2", "j1"], names[n % 3 :: 3], strict=True)
    ]
    table = pa.table(dict(zip(PAIRS, map(list, zip(*rows, strict=True)), strict=True)))
    found = [read_as(own, ReadOptions()) for own in (table, count_frame(table, name="table").to_bytes())]
    humans = [{own.labels[code] for code in own.label[own.rater == 0]} for own in found]
    assert humans == [set(names[:3])] * 2
    assert told(table) == told(count_frame(table, name="table").to_bytes())


ROWS = "item,criterion,judge,human,verdict\n" + "".join(
    f'i{n},"to\n\nne",j,{"yes" if n % 3 else "no"},{"yes" if n % 2 else "no"}\n' for n in range(40)
)


@pytest.mark.parametrize(
    ("more", "why"), [("z,tone,j,yes\n", "Expected 5 columns, got 4: z,tone,j,yes"), ("\n", "has 80 rows, and Polars finds 81")]
)
def test_polars_fills_up_no_row_and_takes_no_empty_line_for_one(
    more: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metrics.engines.sources.HEAD_BYTES", 400)
    monkeypatch.setattr("metrics.engines.sources.HEADER_BYTES", 400)
    path = tmp_path / "rows.csv"
    for name, data in (("rows.csv", ROWS.encode()), ("rows.csv.gz", gzip.compress(ROWS.encode()))):
        (tmp_path / name).write_bytes(data)
        assert count(tmp_path / name, engine="polars").n_rows == 40
    path.write_text(ROWS + more + ROWS.partition("\n")[2].replace("i", "k"), encoding="utf-8")
    with pytest.raises(metrics.InputError, match=why):
        count(path, engine="polars")


def test_a_word_for_no_number_is_refused_by_every_engine() -> None:
    table = pairs().append_column("score", pa.array([*("0.1",) * 23, " NaN"]))
    for source in (table, table.to_pandas(), polars.from_arrow(table), polars.from_arrow(table).lazy()):
        with pytest.raises(metrics.InputError, match=r"‘score’ holds values that are no numbers.* Leave such cells empty"):
            count_frame(source, columns={"score": "score"}, grid={"score": "0.01"})


def test_what_only_clusters_know_is_refused_elsewhere(tmp_path: Path) -> None:
    pq.write_table(pairs(), tmp_path / "rows.parquet")
    for engine, how in (("duckdb", {"reader": "orc"}), ("dask", {"options": {"a": "b"}}), ("polars", {"cluster": "yarn"})):
        with pytest.raises(metrics.InputError, match=r"Count with engine=.spark"):
            count(tmp_path, engine=engine, **how)


@pytest.mark.parametrize("source", ["rows.parquet", "", "*.parquet"])
def test_a_tally_is_not_written_over_what_is_counted(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from metrics.commands.cli import main

    pq.write_table(pairs(), tmp_path / "rows.parquet")
    before = (tmp_path / "rows.parquet").read_bytes()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(["count", str(tmp_path / source), "--out", "rows.parquet"])
    assert "rows.parquet is counted itself" in capsys.readouterr().err
    assert (tmp_path / "rows.parquet").read_bytes() == before


def test_a_tally_beside_what_is_counted_is_written_anew(tmp_path: Path) -> None:
    from metrics.commands.cli import main

    pq.write_table(pairs(), tmp_path / "rows.parquet")
    out = tmp_path / "_tally.parquet"
    for _ in range(2):
        with pytest.raises(SystemExit, match="0"):
            main(["count", str(tmp_path), "--out", str(out)])
    assert metrics.read(out).n_items == 12


def test_a_rater_of_neither_role_is_left_out_for_that_with_and_without_a_label() -> None:
    rows = [
        (f"i{n}", rater, ["yes", "no", ""][n * place % 3])
        for n in range(30)
        for place, rater in enumerate(("ann", "gpt", "x"), 1)
    ]
    table = pa.table(dict(zip(("item", "rater", "label"), map(list, zip(*rows, strict=True)), strict=True)))
    columns = {"role:ann": "human", "role:gpt": "judge", "role:x": "none"}
    found = [metrics.read(table, columns=columns), metrics.read(count_frame(table, columns=columns).to_bytes())]
    assert found[0].left_out.counts() == {"role is neither human nor judge": 30, "no label": 10}
    assert [metrics.agreement(its, interval="none").judges["gpt"].coverage.n_errors for its in found] == [10, 10]
    assert found[1].left_out.counts() == found[0].left_out.counts()

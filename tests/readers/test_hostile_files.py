"""Files made to fill the memory or never to end: refused in a sentence, before they cost anything."""

from __future__ import annotations

import gzip
import io
import json
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import InputError
from metrics.analyses.agreement.decisions import free_texts
from metrics.analyses.review.decisions import Review, read_review
from metrics.readers import build, json_records, open_table, propose
from metrics.readers.frames import as_text
from metrics.readers.label_columns import _sharing
from metrics.readers.limits import CELL, COLUMNS, LIMITS, RATERS, Limits
from metrics.readers.measuring import numbers_of
from metrics.readers.parquet import _survived
from metrics.readers.table import TextTable, words
from metrics.readers.tallied import KEY

HEAD = b"item,human,verdict\n"
SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
TYPES = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DOCUMENT = "application/vnd.openxmlformats-officedocument.spreadsheetml"


CONTRADICTED = Path(__file__).parents[1] / "fuzz" / "corpus" / "table" / "histogram.parquet"


@pytest.fixture(autouse=True)
def usual_depth() -> Iterator[None]:
    """How deep calls may nest in a program of its own: tests of laws that ran before in this process may have raised it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)


def refused(source: object, limits: Limits = LIMITS, **how: object) -> str:
    with pytest.raises(InputError) as caught:
        propose(open_table(source, "labels.x", limits=limits, **how))  # type: ignore[arg-type]
    said = str(caught.value).replace("\u202f", " ").replace("\u00a0", " ")
    assert "labels.x" in said
    assert len(said) <= 1000
    assert said.isprintable()
    return said


def workbook(sheet: str, strings: str = f"<sst {SHEET}/>", **more: str) -> bytes:
    """A workbook of one sheet, with nothing but what a reader needs."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{TYPES}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{DOCUMENT}.sheet.main+xml"/>'
        f'<Override PartName="/xl/s.xml" ContentType="{DOCUMENT}.worksheet+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{DOCUMENT}.sharedStrings+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{TYPES}/relationships"><Relationship Id="a" Type="{OFFICE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {SHEET} xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="s" sheetId="1" r:id="a"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{TYPES}/relationships"><Relationship Id="a" '
        f'Type="{OFFICE}/worksheet" Target="s.xml"/></Relationships>',
        "xl/s.xml": sheet,
        "xl/sharedStrings.xml": strings,
    } | more
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return packed.getvalue()


def sheet(*rows: str, before: str = "", size: str = "") -> str:
    return f"{before}<worksheet {SHEET}>{size}<sheetData>{''.join(rows)}</sheetData></worksheet>"


def row(number: int, *cells: str) -> str:
    places = zip("ABC", cells, strict=False)
    inside = "".join(f'<c r="{letter}{number}" t="inlineStr"><is><t>{cell}</t></is></c>' for letter, cell in places)
    return f'<row r="{number}">{inside}</row>'


NAMES = row(1, "item", "human", "verdict")
GOOD = (NAMES, row(2, "a", "MET", "MET"), row(3, "b", "UNMET", "MET"))
CORNER = '<dimension ref="A1:XFD1048576"/>'
LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefghi", "bcdefghij", strict=True)
) + "]>"  # fmt: skip
PASSWORDS = '<!DOCTYPE l [<!ENTITY j SYSTEM "file:///etc/passwd">]>'


def test_a_workbook_that_states_a_huge_size_is_as_large_as_its_cells() -> None:
    assert open_table(workbook(sheet(*GOOD, size=CORNER))).n_rows == 2


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (sheet(*GOOD, '<row r="9999999999"><c r="A9999999999"><v>1</v></c></row>'), "more than 1 000 rows"),
        (sheet(NAMES, *(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(2, 70))), "more than 1 000 000 cells"),
        (sheet(row(1, "&j;", "human", "verdict"), before=LAUGHS), "cannot be read"),
        (sheet(row(1, "item", "human", "verdict"), row(2, "&j;", "MET", "MET"), before=PASSWORDS), "cannot be read"),
        ("<row>" * 100_000, "cannot be read"),
        (" " * (1 << 23), "of a workbook 4 MB can be read"),
    ],
    ids=["far row", "far cells", "laughs", "password file", "deep", "spaces"],
)
def test_workbooks(monkeypatch: pytest.MonkeyPatch, content: str, says: str) -> None:
    for name, most in {"ROWS": 1000, "CELLS": 1_000_000, "BYTES": 1 << 22}.items():
        monkeypatch.setattr(f"metrics.readers.workbook.SHEET_{name}", most)
    assert says in refused(workbook(content))


def test_every_part_of_a_workbook_counts_whatever_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.readers.workbook.SHEET_BYTES", 1 << 16)
    monkeypatch.setattr("metrics.readers.workbook.SHEET_TAGS", 1000)
    monkeypatch.setattr("metrics.readers.workbook._CHUNK", 100)
    assert open_table(workbook(sheet(*GOOD), picture="<a></a>" * 900)).n_rows == 2
    assert "of a workbook 0 MB can be read" in refused(workbook(sheet(*GOOD), picture=" " * (1 << 17)))
    assert "more than 1 000 elements" in refused(workbook(sheet(*GOOD), picture="<a></a>" * 1000))
    entity = '<!DOCTYPE l [<!ENTITY a "<b/><b/>">]>'
    assert "it defines entities" in refused(workbook(sheet(*GOOD), picture=" " * 61 + entity))
    assert "it defines entities" in refused(workbook(sheet(*GOOD), picture="\0".join(entity)))


def test_one_text_in_many_cells_of_a_workbook_is_counted_in_each() -> None:
    strings = f"<sst {SHEET}><si><t>{'long ' * 1000}</t></si></sst>"
    many = (f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(2, 300))
    data = workbook(sheet(NAMES, *many), strings)
    assert open_table(data).n_rows == 298
    assert "unpacks to more than 1 MB" in refused(data, Limits(unpacked=1 << 20))


def test_rows_and_cells_of_text_are_counted_before_they_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = HEAD + b"a,MET,MET\n" * 1000
    assert open_table(rows, limits=Limits(rows=1000, cells=3000)).n_rows == 1000
    assert open_table(rows.replace(b"\n", b"\r\n"), limits=Limits(rows=1000, cells=3000)).n_rows == 1000
    quoted = HEAD + b'a,MET,"MET\n\n"\n' * 500
    assert open_table(quoted, limits=Limits(rows=500, cells=3000)).n_rows == 500

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("metrics.readers.delimited._parse", never)
    for end in (b"\n", b"\r", b"\r\n"):
        assert "more than 998 rows" in refused(rows.replace(b"\n", end), Limits(rows=998))
    assert "more than 1 000 cells" in refused(rows, Limits(rows=1000, cells=1000))
    assert "more than 1 000 cells" in refused(rows.replace(b"MET", b'"MET"'), Limits(rows=1000, cells=1000))
    assert "send the tally" in refused(rows.replace(b",", b";"), Limits(rows=1000, cells=1000))


def test_json_that_is_parsed_as_a_whole_is_counted_first(monkeypatch: pytest.MonkeyPatch) -> None:
    review = Review("labels\u201c.csv").to_json()
    assert read_review(review) == read_review(review.encode()) == Review("labels\u201c.csv")
    monkeypatch.setattr(json_records, "MOST_BRACKETS", 100)
    said = {KEY: json.dumps({"version": 1, "left_out": [[]] * 100})}
    assert "its metadata are no JSON" in refused(parquet(pa.table({"item": ["a"]}).replace_schema_metadata(said)))
    with pytest.raises(InputError, match="is not JSON"):
        read_review("[" + "{}," * 100 + "{}]")


def of_a_run(dataset: dict[str, object], *items: dict[str, object]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("labels.x.json", json.dumps(dataset))
        archive.writestr("labels.x.jsonl", "\n".join(map(json.dumps, items)))
    return packed.getvalue()


def test_texts_and_votes_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    rubric = [{"name": f"c{n}", "weight": 1.0, "requirement": f"It is {n}."} for n in range(300)]
    item = {"submission": "long " * 1000, "description": "", "ground_truth": ["MET"] * 300}
    votes = [{"criterion": criterion, "verdict": "MET"} for criterion in rubric]
    data = of_a_run({"name": "d", "rubric": rubric, "items": [item]}, {"item_idx": 0, "report": {"criterion_reports": votes}})
    assert open_table(data).n_rows == 600
    assert "unpacks to more than 1 MB" in refused(data, Limits(unpacked=1 << 20))
    assert "600 rows; 599 can be read" in refused(data, Limits(rows=599))
    monkeypatch.setattr("metrics.readers.autorubric.MOST_BRACKETS", 500)
    assert "holds more than 500 lists and objects" in refused(data)


def parquet(table: pa.Table, **how: object) -> bytes:
    found = io.BytesIO()
    pq.write_table(table, found, **how)
    return found.getvalue()


def test_rows_of_a_parquet_file_are_counted_before_they_are_read() -> None:
    same = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1_000_000, np.int32)), pa.array(["MET"]))
    data = parquet(pa.table({"item": same, "human": same, "verdict": same}))
    assert len(data) < 10_000
    assert "1 000 000 rows; 999 999 can be read" in refused(data, Limits(rows=999_999))
    assert "3 cells; 2 999 999 cells can be read" in refused(data, Limits(cells=2_999_999))
    assert open_table(data).n_rows == 1_000_000


def test_a_dictionary_is_not_written_out() -> None:
    long = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1_000_000, np.int32)), pa.array(["z" * 3000]))
    data = parquet(pa.table({"item": long, "human": long, "verdict": long}))
    assert "unpacks to more than 2 048 MB" in refused(data)


def test_parts_of_a_parquet_file_keep_no_copy_of_its_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.readers.parquet._BATCH", 2000)
    items = pa.array([f"item {n:09}" for n in range(100_000)]).dictionary_encode()
    data = parquet(pa.table({"item": items}), dictionary_pagesize_limit=1 << 30)
    taken = []
    monkeypatch.setattr("metrics.readers.parquet.as_text", lambda table, *how: taken.append(table) or as_text(table, *how))
    assert open_table(data).data["item"][-1].as_py() == "item 000099999"
    assert taken[0].get_total_buffer_size() < 10 << 20


def test_parts_of_a_column_are_joined_once() -> None:
    cells = pa.array([f"item {n}" for n in range(200_000)])
    parts = pa.chunked_array([cells[start : start + 500] for start in range(0, len(cells), 500)])
    start = time.process_time()
    codes, values = TextTable("x", "", pa.table({"item": parts})).raw("item")
    assert time.process_time() - start < 1
    assert values.equals(cells)
    assert np.array_equal(codes, np.arange(len(cells)))


@pytest.mark.slow("large files")
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view()], ids=str)
@pytest.mark.parametrize("within", ["nothing", "list", "record", "map"])
def test_no_text_is_written_out_before_it_is_counted(kind: pa.DataType, within: str) -> None:
    long = pa.repeat(pa.scalar("z" * 3_000, pa.string()).cast(kind), 1000)
    offsets = pa.array(range(0, 1001, 10), pa.int32())
    column = {
        "nothing": lambda: long,
        "list": lambda: pa.ListArray.from_arrays(offsets, long),
        "record": lambda: pa.StructArray.from_arrays([long], ["text"]),
        "map": lambda: pa.MapArray.from_arrays(offsets, pa.array(range(1000)), long),
    }[within]()
    data = parquet(pa.table({"item": column, "human": ["MET"] * len(column), "verdict": ["MET"] * len(column)}))
    assert len(data) < 20_000
    assert "unpacks to more than 1 MB" in refused(data, Limits(unpacked=1 << 20))
    assert open_table(data).n_rows == len(column)


def test_bytes_of_a_fixed_length_are_counted_before_they_are_read() -> None:
    long = pa.repeat(pa.scalar(b"z" * 3_000, pa.binary(3_000)), 1000)
    assert "unpacks to more than 1 MB" in refused(parquet(pa.table({"item": long})), Limits(unpacked=1 << 20))


@pytest.mark.parametrize("column", [["a", "ab"], [["a"], ["ab"]]])
def test_texts_that_say_how_they_differ_are_not_read(column: list[object]) -> None:
    table = pa.table({"item": column, "human": ["MET"] * 2})
    data = parquet(table, use_dictionary=False, column_encoding=dict.fromkeys(("item", "item.list.element"), "DELTA_BYTE_ARRAY"))
    assert "is encoded as DELTA_BYTE_ARRAY" in refused(data)


@pytest.mark.slow("large files")
@pytest.mark.parametrize(
    "odd",
    [
        pa.array([2**62, -(2**62)], pa.timestamp("us")),
        pa.array([2**31 - 1, -(2**31)], pa.date32()),
        pa.array([b"\xff\xfe", b"MET"], pa.binary()),
        pa.array([[[1, None], []], None]),
        pa.array([{"a": [1]}, None]),
        pa.array([float("nan"), -0.0]),
        pa.array([2**64 - 1, 0], pa.uint64()),
        pa.array([None, None]),
    ],
    ids=lambda odd: str(odd.type),
)
def test_odd_columns_become_text(odd: pa.Array) -> None:
    table = open_table(parquet(pa.table({"item": ["a", "b"], "human": ["MET"] * 2, "verdict": ["MET", "UNMET"], "odd": odd})))
    assert any(name.startswith("odd") for name in table.columns)
    assert all(isinstance(cell, str) for column in table.data.columns for cell in column.to_pylist())


def test_text_that_is_none_is_refused() -> None:
    broken = pa.array([b"\xff\xfe", b"MET"], pa.binary()).view(pa.string())
    assert "cannot be read" in refused(parquet(pa.table({"item": broken, "human": broken, "verdict": broken})))


def test_values_in_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.readers.parquet.NESTED", 100)
    lists = pa.array([[1] * 60, [1] * 60])
    assert "120 values in lists; 100 can be read" in refused(parquet(pa.table({"item": ["a", "b"], "list": lists})))


@pytest.mark.parametrize("made", [gzip.compress, lambda data: workbook(data.decode())], ids=["gzip", "Excel"])
def test_what_is_unpacked_has_an_end(made) -> None:
    packed = made(HEAD + b"a,MET,MET\n" * 300_000)
    assert len(packed) < 20_000
    assert "unpacks to more than 1 MB" in refused(packed, Limits(unpacked=1 << 20))


def test_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert COLUMNS == 16_384
    for module in ("limits", "delimited"):
        monkeypatch.setattr(f"metrics.readers.{module}.COLUMNS", 1000)
    header = b",".join(b"c%d" % place for place in range(1001))
    assert "1 001 columns; 1 000 can be read" in refused(header + b"\n" + b"," * 1001)
    assert "columns" in refused(parquet(pa.table([pa.array(["a"])] * 1001, names=[str(n) for n in range(1001)])))
    assert "columns" in refused("".join(f'{{"k{place}": 1}}\n' for place in range(1001)).encode())
    assert "longer than 4 MB" in refused(b"c" * (5 << 20) + b"\n1\n")


@pytest.mark.slow("a thousand columns")
def test_a_wide_header_is_read_whole() -> None:
    header = ",".join(f"a column with a rather long name {place}" for place in range(9_000))
    assert len(open_table(f"{header}\n{'x,' * 8_999}x\n".encode()).columns) == 9_000


def test_cells() -> None:
    long = b"x" * (CELL + 1)
    said = refused(HEAD + b"a,MET,MET\n" * 3 + b"b," + long + b",MET\n")
    assert said.startswith("Row 5, column ‘human’ of labels.x holds a cell of 8 MB")
    assert "column ‘item’" in refused(
        parquet(pa.table({"item": ["a", long.decode()], "human": ["MET"] * 2, "verdict": ["MET"] * 2}))
    )
    assert "Record 2 of labels.x is longer than 8 MB" in refused(b'[{"item": "a"}, {"item": "' + long + b'"}]')
    assert "Line 2 of labels.x is longer than 8 MB" in refused(b'{"item": "a"}\n{"item": "' + long + b'"}')


def test_names_that_are_texts() -> None:
    text = b"x" * 10_001
    assert "holds a name of 10 001 characters" in refused(HEAD + b"a," + text + b",MET\nb,MET,MET\n")
    assert "has a name of 10 001 characters" in refused(text + b",human\na,b\n")


def test_raters() -> None:
    rows = b"".join(b"a%d,gpt %d,MET,MET\n" % (n, n) for n in range(RATERS + 1))
    assert "‘judge’ names 10 001 raters. Is it an item id?" in refused(b"item,judge,human,verdict\n" + rows).replace(
        "\u202f", " "
    )


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 5_000_000,
        b'{"a":' * 1_000_000,
        b'[{"item": ' + b"[" * 100_000,
        (b'{"a": ' + b"[" * 3000 + b"]" * 3000 + b"}\n") * 20,
        b'[{"item": ' + b"9" * 100_000 + b"}]",
        b"[" + b"1," * 2_000_000 + b"1]",
        b"[" + b" " * 20_000_000,
        b'[{"item": "a"}' + b" " * 20_000_000 + b'{"item": "b"}]',
        b'[{"item": "a"}] x',
        b'{"data": [' + b"[]," * 5_000_000 + b"[]]}",
        b'{"a": 1}\n' + b"1\n" * 1_000_000,
    ],
    ids=lambda data: data[:9].decode().strip(),
)
def test_json(data: bytes) -> None:
    tracemalloc.start()
    try:
        refused(data)
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [70, 71, 83, 97, 1000])
def test_records_at_every_edge_of_a_window(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(json_records, "CELL", size)
    records = [{"item": f"é{'a' * (n % 9)}“", "human": n % 3 == 0, "n": n} for n in range(60)]
    for indent in (None, 1):
        table = open_table(json.dumps(records, ensure_ascii=False, indent=indent).encode())
        assert table.data["item"].to_pylist() == [record["item"] for record in records]
        assert table.data["n"].to_pylist() == [str(n) for n in range(60)]


def test_plain_records_are_not_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    closely = []
    look = json_records._record
    monkeypatch.setattr(json_records, "_record", lambda *how: closely.append(1) or look(*how))
    record = {"item": "a", "notes": [{"why": "},{"}, {}], "n": 7}
    for gap in ((", ", ": "), (" \n,\r\n\t", ":")):
        table = open_table(json.dumps([record] * 1000, separators=gap).encode())
        assert table.data["n"].to_pylist() == ["7"] * 1000
    assert len(closely) == 2


def test_rows_that_do_not_fit_are_not_listed_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.readers.delimited.LEFT_OUT", 50)
    monkeypatch.setattr("metrics.readers.json_records.LEFT_OUT", 50)
    assert "more than 50 rows" in refused(HEAD + b"a,b\n" * 60, skip_bad_rows=True)
    assert "More than 50 lines" in refused(b'{"item": "a"}\n' + b"[]\n" * 60, skip_bad_rows=True)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "C:\\x\\y.csv", "a\nb.csv", "\u202evsc.exe", "=cmd()", "<b>x</b>", "x" * 5000], ids=ascii
)
def test_names_of_files_are_names(name: str) -> None:
    with pytest.raises(InputError) as caught:
        open_table(b"", name)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 100


def test_archives_are_unpacked_in_memory_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("../../up.json", "/abs.json", "C:\\x.json", "a\n\u202eb.jsonl"):
            archive.writestr(name, "[]")
    refused(packed.getvalue())
    assert not list(tmp_path.iterdir())


def test_keys_of_many_raters_and_runs_stay_apart() -> None:
    """Codes of items, criteria, raters and runs multiply beyond 64 bits; no two rows may be taken for one."""
    from metrics.readers.repeats import key_of

    codes = tuple(np.array([place, 0, place], np.int32) for place in (1, 7, 11, 13, 17))
    key, _ = key_of(codes, (50_000_000, 2_000, 10_000, 10_000, 10_000))
    assert key[0] == key[2] != key[1]
    last = (*codes[:-1], np.array([17, 0, 18], np.int32))
    assert len(set(key_of(last, (50_000_000, 2_000, 10_000, 10_000, 10_000))[0].tolist())) == 3


def test_a_server_takes_what_its_uploads_promise() -> None:
    served = Limits.served(300 << 20)
    assert served.rows >= 5_000_000
    assert served.cells >= 5_000_000 * 8
    assert 300 << 20 <= served.unpacked < LIMITS.unpacked
    assert Limits.served(1 << 40) == LIMITS


@pytest.mark.parametrize("spaces", [" " * 9000, " -" * 4500, "(" * 9000, " (" * 4500, "a|" * 4000])
def test_long_names_take_no_longer_than_they_are_long(spaces: str) -> None:
    name = f"a{spaces}b"
    start = time.process_time()
    table = open_table(f"{name},x{name},y{name}\na,MET,MET\nb,MET,UNMET\nc,UNMET,MET\n".encode())
    with suppress(InputError):
        build(table, propose(table))
    assert time.process_time() - start < 3


def test_a_table_of_counts_has_few_labels() -> None:
    """Every label takes a cell for every other: a file of one megabyte would fill the memory."""
    rows = b"".join(b"a%d,b%d,1\n" % (n, n) for n in range(20_000))
    assert "counts 20 000 labels on one side; 200 can be read" in refused(b"human,judge,n\n" + rows)
    with pytest.raises(InputError, match="20\u202f000 labels"):
        propose(open_table(b"human,judge,n\n" + rows, "labels.x"), {"rows": "human"})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.sampled_from("0 1 2 yes no a b c".split()), max_size=4), max_size=6))
def test_columns_that_share_names(sets: list[set[str]]) -> None:
    def alike(a: set[str], b: set[str]) -> bool:
        numbers = all(map(str.isdigit, a | b))
        return len(a & b) >= (1 if numbers or min(len(a), len(b)) == 1 else 2)

    others = [sets[:place] + sets[place + 1 :] for place in range(len(sets))]
    assert _sharing(sets) == [any(alike(own, other) for other in rest) for own, rest in zip(sets, others, strict=True)]


def test_a_few_rows_are_shown_without_the_values_of_all() -> None:
    """On every page that shows rows, and every time it is drawn."""
    texts = b"".join(b"%d,MET,MET,word %d\n" % (n, n % 5000) for n in range(10_000))
    table = open_table(b"item,human,verdict,note\n" + texts)
    ratings = build(table, propose(table))
    found = free_texts(ratings, np.array([1, 0]))
    assert found.to_dict("list") == {"note": ["word 1", "word 0"]}
    assert found.memory_usage(deep=True).sum() < 1000


def test_values_are_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.readers.table._PART", 3)
    monkeypatch.setattr("metrics.readers.measuring._PART", 3)
    cells = [f"{n},5" for n in range(10)]
    assert words(pa.array(cells)) == cells
    assert numbers_of(cells).tolist() == [n + 0.5 for n in range(10)]
    assert numbers_of([]).shape == (0,)


def test_a_damaged_byte_far_into_a_file_is_no_other_encoding() -> None:
    start = HEAD + b"a,MET,MET\n" * 60_000
    assert "Row 60002 of labels.x holds bytes that are no text" in refused(start + "ä,ö,ü,é".encode() + b"\xff,MET,MET\n")
    assert open_table(start + "ä,MET,MET\n".encode("cp1252")).data["item"][-1].as_py() == "ä"


def test_times_beyond_the_calendar() -> None:
    from metrics.readers.repeats import parse_times

    found = parse_times(("2024-01-01", "1-01-01 00:00:02", "99999999999999999999", "-1e308", "9999-99-99", "1e999", "0001-01-01"))
    assert found[0] == 1704067200
    assert np.isnan(found[4])


def test_a_footer_that_would_end_the_process_is_refused() -> None:
    """One byte of a sound file is another: it now says that a column without levels has a histogram of them."""
    told = refused(CONTRADICTED.read_bytes())
    assert "whose footer contradicts itself" in told
    assert "whose footer contradicts itself" in refused(CONTRADICTED.read_bytes())


def test_each_of_many_footers_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bytes] = []
    monkeypatch.setattr("metrics.readers.parquet._TRIED", {})
    monkeypatch.setattr("metrics.readers.parquet._trial", lambda footer: not tried.append(footer))
    footers = [b"%d" % n for n in range(9)]
    assert all(map(_survived, footers * 2))
    assert tried == footers


def test_an_object_too_large_to_be_parsed_at_once_names_two_ways_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_records, "OBJECT", 1 << 20)
    message = refused(b'{"content": [' + b", ".join([b'{"id": "t", "feedback_scores": []}'] * 50_000) + b"]}")
    assert "too large to be parsed as one JSON object: 1 MB, 1 MB can be." in message
    assert message.endswith("Export a part of it at a time, or write one record per line.")

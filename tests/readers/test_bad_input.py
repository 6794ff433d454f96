"""Every bad file ends in one sentence that says what, where and how to mend it."""

from __future__ import annotations

import gzip
import io
import random

import pandas as pd
import pytest

from metrics.errors import InputError
from metrics.readers import open_table, read

pytestmark = pytest.mark.usefixtures("as_command")

HEAD = "item,criterion,judge,human,verdict\n"
ROW = "a,c,j,MET,UNMET\n"


def refused(source: object, **options: object) -> InputError:
    with pytest.raises(InputError) as caught:
        read(source, **options)  # type: ignore[arg-type]
    message = str(caught.value)
    assert len(message) <= 1000
    assert "\n" not in message
    assert "\0" not in message
    return caught.value


@pytest.mark.parametrize("content", [b"", b"\n\n", b"   ", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0), b"\xff\xfe"])
def test_empty(content: bytes, tmp_path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(content)
    assert str(refused(path)) == "labels.csv is empty."


def test_header_only(tmp_path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(HEAD)
    assert str(refused(path)) == "labels.csv has column names but no rows."
    excel, parquet = io.BytesIO(), io.BytesIO()
    frame = pd.DataFrame({"item": [], "human": [], "verdict": []})
    frame.to_excel(excel, index=False)
    frame.to_parquet(parquet)
    for source in (frame, excel.getvalue(), parquet.getvalue()):
        assert "has column names but no rows" in str(refused(source))


@pytest.mark.parametrize(
    ("start", "what", "way"),
    [
        (b"\x89PNG\r\n\x1a\n", "a PNG image", "Send CSV, TSV, Excel, Parquet or JSONL."),
        (b"%PDF-1.7\n", "a PDF document", "Copy its table into a spreadsheet, and save that as CSV."),
        (b"PK\x03\x04abc", "a ZIP archive", "Send CSV, TSV, Excel, Parquet or JSONL."),
        (b"\xff\xd8\xff\xe0", "a JPEG image", "Send CSV, TSV, Excel, Parquet or JSONL."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Excel file", "Save it in Excel as .xlsx, or as CSV."),
        (b"SQLite format 3\0", "a SQLite database", "Send CSV, TSV, Excel, Parquet or JSONL."),
        (random.Random(1).randbytes(300), "binary data", "Send CSV, TSV, Excel, Parquet or JSONL."),
    ],
)
def test_binary(start: bytes, what: str, way: str) -> None:
    message = str(refused(start + random.Random(0).randbytes(5000)))
    assert f"is not a table: it starts like {what}" in message
    assert message.endswith(way)


def test_one_long_line() -> None:
    assert "is one line of 30 MB. Is the line break missing?" in str(refused(b"a,b" * 10_000_000))
    assert refused(b"x" * 30_000_000)


def test_long_row_among_others() -> None:
    note = "n" * 3_000_000
    assert read(f"item,human,verdict,note\na,MET,MET,{note}\nb,UNMET,MET,\n".encode()).n_items == 2


def test_delimiter() -> None:
    text = (HEAD + ROW).replace(",", ";").encode()
    with pytest.raises(InputError, match=r"Row 1 of data reads as one column\. It looks separated by ‘;’"):
        open_table(text, delimiter=",")
    assert open_table(text).columns == ("item", "criterion", "judge", "human", "verdict")
    assert open_table(text, delimiter=";").n_rows == 1


def test_commas_in_semicolon_files() -> None:
    table = open_table(b"item;human;verdict;score\na, b;MET;MET;0,5\nc, d;MET;UNMET;1,5\n")
    assert table.columns == ("item", "human", "verdict", "score")


def test_duplicate_header() -> None:
    error = refused(b"item,label,human,verdict,label\na,x,MET,MET,y\n")
    assert "Column ‘label’ appears twice" in str(error)
    assert "(2 and 5). Rename one." in str(error)
    assert error.column == "label"
    assert "appears twice" in str(refused(pd.DataFrame([[1, 2]], columns=["item", "item"])))


def test_columns_alike_are_asked() -> None:
    assert "could each be the item" in str(refused(b"item,item_id,human,verdict\na,1,MET,MET\nb,2,MET,UNMET\n"))
    assert read(b"item,item_id,human,verdict\na,1,MET,MET\nb,2,MET,UNMET\n", columns={"item": "item_id"}).items.to_pylist() == [
        "1",
        "2",
    ]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("item,criterion,judge,verdict", r"No column holds the human's verdict\. Name it ‘human’"),
        ("item,criterion,human,other", r"No column holds the judge's verdict\. Name it ‘verdict’"),
        ("item,criterion,rater,other", "No column holds the"),
        ("id,x,y,z", "No column holds the human's verdict"),
    ],
)
def test_missing_column(header: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(f"{header}\na,tone,p,q\nb,tone,r,s\nc,tone,t,u\nd,tone,v,w\n".encode())


def test_no_item_column() -> None:
    error = refused(b"criterion,human,verdict\nc,MET,MET\nc,MET,UNMET\n")
    assert "No column holds the item's id" in str(error)
    assert '--columns "item=#row"' in str(error)
    assert read(b"criterion,human,verdict\nc,MET,MET\nc,MET,UNMET\n", columns={"item": "#row"}).n_items == 2


def test_one_rater() -> None:
    message = "Every row of data comes from ‘ana’. Agreement needs a human and a judge on the same items. "
    message += "If another file holds the others, join it with --with FILE."
    assert str(refused(b"item,rater,role,label\na,ana,human,MET\nb,ana,human,UNMET\n")) == message
    assert "comes from ‘human’" in str(refused(b"item,human,verdict\na,MET,\nb,UNMET,\n"))


def test_no_overlap() -> None:
    message = str(refused(b"item,rater,role,label\n007,ana,human,MET\n008,ana,human,MET\n7,gpt,judge,UNMET\n"))
    assert "The judge's 1 items and the human's 2 items share none" in message
    assert "First ids: ‘7’ and ‘007’" in message


def test_unknown_label() -> None:
    rows = "".join(f"i{n},c,j,MET,{'maybe so' if n > 11 else 'UNMET'}\n" for n in range(16))
    error = refused((HEAD + rows).encode())
    asked = "‘maybe so’ in row 14 (and 3 more) has no meaning yet. Say whether it is "
    assert f"{asked}MET, UNMET, a class of its own, no verdict or invalid." in str(error)
    assert '--labels "maybe so=invalid"' in str(error)
    assert error.row == 14


def test_free_text_as_label() -> None:
    rows = "".join(f"i{n},c,j,MET,reason {n}\n" for n in range(400))
    error = refused((HEAD + rows).encode())
    assert "‘verdict’ holds 400 different values. Is it free text, or a score?" in str(error)
    assert error.column == "verdict"


def test_mixed_words() -> None:
    error = refused((HEAD + "a,c,j,MET,1\nb,c,j,MET,yes\nc,c,j,UNMET,no\nd,c,j,UNMET,0\n").encode())
    assert "‘verdict’ mixes 1/0 and yes/no. Confirm what each means." in str(error)
    assert "--labels yes=positive,1=positive" in str(error) or "--labels 1=positive,yes=positive" in str(error)


def test_nul_bytes() -> None:
    text = (HEAD + ROW + "b,c,j,ME\0T,MET\n" + ROW.replace("a,", "d,")).encode()
    error = refused(text)
    assert "Row 3 of data holds a NUL byte. Remove it, or leave the row out" in str(error)
    assert error.row == 3
    ratings = read(text, skip_bad_rows=True)
    assert ratings.n_items == 2
    assert ratings.left_out.counts() == {"holds a NUL byte": 1}
    assert ratings.left_out.rows.tolist() == [3]
    assert ratings.record_numbers(ratings.row).tolist() == [2, 4, 2, 4]


def test_undecodable() -> None:
    broken = (HEAD + "ärger,c,j,MET,MET\nößü,c,j,MET,UNMET\n").encode() + b"b\xff\xfe,c,j,MET,MET\n"
    error = refused(broken)
    assert "Row 4" in str(error)
    assert "Save the file as UTF-8" in str(error)
    assert error.row == 4
    assert refused(b"\xef\xbb\xbf" + HEAD.encode() + b"b\xff,c,j,MET,MET\n").row == 2
    assert refused(b"\xff\xfe" + (HEAD + ROW).encode("utf-16-le") + b"\x00\xd8a")


def test_formulas_and_html_are_text() -> None:
    text = (
        "item,criterion,human,verdict\n=cmd|' /C calc'!A0,<b>tone</b>,MET,UNMET\n'=1+1,'quoted,MET,MET\n"
        "<script>alert(1)</script>,<b>tone</b>,MET,UNMET\n"
    )
    ratings = read(text.encode())
    assert ratings.items.to_pylist() == ["=cmd|' /C calc'!A0", "=1+1", "<script>alert(1)</script>"]
    assert ratings.criteria == ("<b>tone</b>", "'quoted")
    message = str(refused(b"item,human,verdict\na,MET,<img src=x onerror=alert(1)>\nb,MET,=HYPERLINK(1)\n"))
    assert "<img src=x onerror=alert(1)>" in message


def test_ten_thousand_criteria() -> None:
    rows = "".join(f"i{n},c{n},j,MET,UNMET\n" for n in range(10_000))
    error = refused((HEAD + rows).encode())
    assert "10\u202f000 criteria found. Is ‘criterion’ an item id?" in str(error)
    assert error.column == "criterion"


@pytest.mark.parametrize(("bad", "cells"), [("b,c,j,MET\n", "4 cells"), ("b,c,j,MET,MET,x\n", "6 cells"), ("b\n", "1 cell")])
def test_ragged_rows(bad: str, cells: str) -> None:
    text = (HEAD + ROW + bad + ROW.replace("a,", "e,") + bad).encode()
    error = refused(text)
    assert f"Row 3 of data has {cells}, the header has 5 (1 more row like it)" in str(error)
    assert "--skip-bad-rows" in str(error)
    assert error.row == 3
    ratings = read(text, skip_bad_rows=True)
    assert ratings.left_out.counts() == {"more or fewer cells than the header": 2}
    assert ratings.left_out.rows.tolist() == [3, 5]
    assert ratings.source.rows == 4
    assert ratings.rows_used == 2


def test_record_numbers_count_records_not_lines() -> None:
    text = 'item,human,verdict,note\n\na,MET,MET,"two\nlines, here"\n\nb,MET,what,\n'
    assert refused(text.encode()).row == 3


def test_open_quote() -> None:
    error = refused((HEAD + ROW + '"b,c,j,MET,MET\nd,c,j,MET,MET\n').encode())
    assert "quotation mark opened in row 3" in str(error)
    assert error.row == 3
    assert refused(b'item,human,verdict\na,MET,MET\nb,MET,"MET\nc,MET,MET\n').row == 3
    assert read(b'item,human,verdict\n5" screen,MET,MET\nb,MET,UNMET\n').items.to_pylist() == ['5" screen', "b"]


def test_broken_json_lines() -> None:
    good = '{"item":"a","human":"MET","verdict":"MET"}\n'
    error = refused((good + '{"item": oops}\n' + good.replace('"a"', '"b"')).encode())
    assert "Line 2 of data is not a valid JSON record" in str(error)
    assert error.row == 2
    text = (good + good.replace('"a"', '"b"') + '{"item":"c","hum').encode()
    ratings = read(text)
    assert ratings.left_out.counts() == {"the last line is cut off": 1}
    assert ratings.left_out.rows.tolist() == [3]
    assert ratings.rows_used + 1 == ratings.source.rows
    skipped = read((good + "[]\n" + good.replace('"a"', '"b"')).encode(), skip_bad_rows=True)
    assert skipped.left_out.rows.tolist() == [2]


@pytest.mark.parametrize("text", ["[1, 2]", '{"a": {"b": 1}}', "[{", "[]", "{}", "[[1]]", '{"x": [1]}', "[" * 100_000])
def test_json_that_is_no_list_of_records(text: str) -> None:
    refused(text.encode())


@pytest.mark.parametrize(
    "damage", [lambda b: b[: len(b) // 2], lambda b: b[: len(b) // 3] + b"\0" * (len(b) // 3) + b[len(b) // 3 * 2 :]]
)
def test_damaged_containers(damage) -> None:
    frame = pd.DataFrame({"item": list("abcdefgh") * 50, "human": "MET", "verdict": "MET"})
    parquet, excel = io.BytesIO(), io.BytesIO()
    frame.to_parquet(parquet)
    frame.to_excel(excel, index=False)
    noise = random.Random(0).randbytes(4000)
    for whole in (parquet.getvalue(), excel.getvalue(), gzip.compress(noise)):
        refused(damage(whole))


def test_missing_file_and_folder(tmp_path) -> None:
    assert "There is no file" in str(refused(tmp_path / "nothing.csv"))
    assert "is a folder" in str(refused(tmp_path))
    assert "no table" in str(refused(3))


def test_columns_and_labels_that_do_not_exist() -> None:
    text = (HEAD + ROW).encode()
    assert "no column ‘gold’. It has: item, criterion" in str(refused(text, columns={"human": "gold"}))
    assert "‘person’ is no role of a column" in str(refused(text, columns={"person": "human"}))
    assert "‘bad’ (for the label ‘MET’) is no kind of label" in str(refused(text, labels={"MET": "bad"}))


def test_nothing_usable() -> None:
    message = str(refused(b"item,human,verdict\na,,\n,MET,MET\n,,\n"))
    assert "No row of data can be used" in message
    assert "1 × no item id" in message
    assert "1 × blank row" in message


def test_long_names_are_cut() -> None:
    text = f"item,human,verdict\n{'i' * 5000},MET,{'v' * 5000}\nb,MET,{'w' * 5000}\n"
    assert len(str(refused(text.encode()))) <= 1000
    labels = "".join(f"i{n},MET,{'long label ' * 8}{n}\n" for n in range(45))
    assert "--labels" in str(refused(("item,human,verdict\n" + labels).encode()))
    columns = ",".join(f"{'column' * 20}{n}" for n in range(60))
    assert refused(f"{columns}\n{','.join(['zz'] * 60)}\n".encode())


@pytest.mark.parametrize("mark", ["||", '"', "\n", "½"])
def test_what_cannot_separate_columns_is_refused(mark: str) -> None:
    with pytest.raises(InputError, match="cannot separate columns"):
        read(b"item,human,verdict\n1,a,b\n", delimiter=mark)

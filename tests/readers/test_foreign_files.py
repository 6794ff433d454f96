"""Files that are no table: each is named for what it is, with the way out, and none is opened."""

from __future__ import annotations

import io
import pickle
import random
import zipfile

import pandas as pd
import pytest

from metrics import InputError, read
from metrics.readers import open_table

NOISE = random.Random(0).randbytes(3000)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
TABLE = b"item,human,verdict\na,MET,MET\nb,UNMET,MET\n"


def packed(*names: str, **contents: bytes) -> bytes:
    """Return a zip archive of files of these names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in {**dict.fromkeys(names, b"x"), **contents}.items():
            archive.writestr(name, content)
    return out.getvalue()


def in_office(name: str) -> bytes:
    return OLE + NOISE + name.encode("utf-16-le") + NOISE


OFFICE = "[Content_Types].xml"
SHEET, TEXT = (b"application/vnd.oasis.opendocument." + kind for kind in (b"spreadsheet", b"text"))
FILES = {
    "labels.numbers": (packed("Index/Document.iwa", "Index/Tables/Tile.iwa", "preview.jpg"), "Apple Numbers", "CSV in Numbers"),
    "text.pages": (packed("Index/Document.iwa"), "Apple Pages or Keynote", "Copy its table"),
    "report.docx": (packed(OFFICE, "word/document.xml"), "a Word document", "Copy its table"),
    "talk.pptx": (packed(OFFICE, "ppt/presentation.xml"), "a PowerPoint presentation", "Copy its table"),
    "labels.xlsb": (packed(OFFICE, "xl/workbook.bin"), "a binary Excel workbook", "Save it as .xlsx"),
    "labels.ods": (packed("content.xml", mimetype=SHEET), "an OpenDocument spreadsheet", "Save it as Excel (.xlsx) or CSV"),
    "report.odt": (packed("content.xml", mimetype=TEXT), "an OpenDocument text", "Copy its table"),
    "arrays.npz": (packed("a.npy", "b.npy"), "an archive of NumPy arrays", "Parquet or CSV"),
    "one.zip": (packed("labels.csv"), "a ZIP archive that holds labels.csv", "send that file"),
    "two.zip": (packed("a.csv", "b.xlsx", "__MACOSX/a.csv"), "a ZIP archive that holds a.csv, b.xlsx", "Unpack it"),
    "report.doc": (in_office("WordDocument"), "an old Word document", "Copy its table"),
    "locked.xlsx": (in_office("EncryptedPackage"), "locked with a password", "without the password"),
    "old.xls": (in_office("Workbook"), "an old Excel file", "Save it in Excel as .xlsx"),
    "scan.pdf": (b"%PDF-1.7\n" + NOISE, "a PDF document", "Copy its table"),
    "photo.heic": (b"\0\0\0\x18ftypheic" + NOISE, "a HEIC image", "Send CSV"),
    "photo.webp": (b"RIFF\0\0\0\0WEBPVP8 " + NOISE, "a WebP image", "Send CSV"),
    "photo.tiff": (b"II*\0" + NOISE, "a TIFF image", "Send CSV"),
    "labels.tar": (b"labels.csv" + b"\0" * 247 + b"ustar\x0000" + NOISE, "a tar archive", "Unpack it"),
    "labels.rar": (b"Rar!\x1a\x07\x01\0" + NOISE, "a RAR archive", "Unpack it"),
    "labels.7z": (b"7z\xbc\xaf\x27\x1c" + NOISE, "a 7z archive", "Unpack it"),
    "labels.csv.xz": (b"\xfd7zXZ" + NOISE, "a xz archive", "Unpack it"),
    "labels.npy": (b"\x93NUMPY\x01\0" + NOISE, "a NumPy array", "Parquet or CSV"),
    "labels.rds": (b"X\n\0\0\0\x02" + NOISE, "an R data file", "write.csv"),
    "labels.sav": (b"$FL2@(#) SPSS DATA FILE" + NOISE, "an SPSS data file", "CSV or Excel"),
    "labels.h5": (b"\x89HDF\r\n\x1a\n" + NOISE, "an HDF5 file", "Parquet or CSV"),
    "labels.rtf": (b"{\\rtf1\\ansi hello}", "an RTF document", "Copy its table"),
    "page.html": (b"\n<!DOCTYPE html><html><table><tr><td>a</td></tr></table></html>", "a web page", "Open it in a spreadsheet"),
    "labels.xml": (b"<?xml version='1.0'?><rows><row a='1'/></rows>", "an XML file", "Open it in a spreadsheet"),
    "plot.svg": (b"<svg xmlns='x'></svg>", "a picture", "Send CSV"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_table_says_what_it_is(name: str) -> None:
    data, what, way = FILES[name]
    with pytest.raises(InputError) as refused:
        open_table(data, name)
    message = str(refused.value)
    assert message.startswith(f"{name} is not a table: it ")
    assert what in message
    assert way in message
    assert len(message) <= 250


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pytest.fail, ("a pickle was opened",)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_pickle_is_named_and_never_opened(protocol: int) -> None:
    for written in (Bomb(), pd.DataFrame({"a": [1]})):
        with pytest.raises(InputError, match=r"a Python pickle\. It is never opened here.*to_parquet"):
            open_table(pickle.dumps(written, protocol), "labels.pkl")


@pytest.mark.parametrize("start", ["RDX", "ustar", "RIFF", "ftyp", "Obj", "II*", "X", "MM", "BM"])
def test_a_table_that_begins_with_such_letters_is_read(start: str) -> None:
    assert open_table(TABLE.replace(b"item", start.encode(), 1)).n_rows == 2


def test_a_damaged_document_is_an_archive() -> None:
    with pytest.raises(InputError, match="it starts like a ZIP archive"):
        open_table(packed(OFFICE, "word/document.xml")[:60], "report.docx")


def test_an_excel_file_is_still_read() -> None:
    excel = io.BytesIO()
    pd.read_csv(io.BytesIO(TABLE)).to_excel(excel, index=False)
    assert read(excel.getvalue()).n_items == 2

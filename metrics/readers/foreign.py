"""Files that are no table: what they are, and the way out."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection

from metrics.readers.containers import BOMS
from metrics.readers.messages import brief, listed, refuse

MEND = "Send CSV, TSV, Excel, Parquet or JSONL."
_UNPACK = "Unpack it, and send the table in it."
_SAVE = "Open it in a spreadsheet, and save it as Excel (.xlsx) or CSV."
_WRITE = "Read it where it was written, and write it as Parquet or CSV."
_COPY = "Copy its table into a spreadsheet, and save that as CSV."
MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG", "a PNG image", ""),
    (b"\xff\xd8\xff", "a JPEG image", ""),
    (b"GIF8", "a GIF image", ""),
    (b"II*\0", "a TIFF image", ""),
    (b"MM\0*", "a TIFF image", ""),
    (b"%PDF", "a PDF document", _COPY),
    (b"{\\rtf", "an RTF document", _COPY),
    (b"PK\x03\x04", "a ZIP archive", ""),
    (b"PK\x05\x06", "a ZIP archive", ""),
    (b"7z\xbc\xaf", "a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ", "a xz archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK),
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls)", "Save it in Excel as .xlsx, or as CSV."),
    (b"SQLite format 3", "a SQLite database", ""),
    (b"\x7fELF", "a program", ""),
    (b"MZ\x90", "a program", ""),
    (b"ARROW1", "an Arrow file", _WRITE),
    (b"\x89HDF\r\n", "an HDF5 file", _WRITE),
    (b"\x93NUMPY", "a NumPy array", _WRITE),
    (b"Obj\x01", "an Avro file", _WRITE),
    (b"RDX2\n", "an R data file", "Write the table in R with write.csv."),
    (b"RDX3\n", "an R data file", "Write the table in R with write.csv."),
    (b"X\n\0\0\0", "an R data file", "Write the table in R with write.csv."),
    (b"$FL2@(#)", "an SPSS data file", "Save it in SPSS as CSV or Excel."),
    (b"<stata_dta>", "a Stata data file", "Write it in Stata with export delimited."),
    *(
        (
            bytes((0x80, protocol)),
            "a Python pickle",
            "It is never opened here, for it can run code: write df.to_parquet or df.to_csv.",
        )
        for protocol in range(2, 6)
    ),
)
"""First bytes, what such a file is, and the way out where it is another than `MEND`."""
OLE: tuple[tuple[str, str, str], ...] = (
    ("EncryptedPackage", "an Excel or Word file that is locked with a password", "Save it without the password."),
    ("WordDocument", "an old Word document (.doc)", _COPY),
    ("PowerPoint Document", "an old PowerPoint presentation (.ppt)", _COPY),
)
"""Names within an old Office file that tell it from an old Excel file, which begins alike."""
_CONTROL = bytes(byte for byte in (*range(32), 127) if byte not in b"\t\n\r\f\x1a\0")
_MARKUP = re.compile(rb"\s*(<!doctype html|<html|<\?xml|<svg)", re.IGNORECASE)
_TABLES = (".csv", ".tsv", ".txt", ".xlsx", ".xls", ".parquet", ".json", ".jsonl", ".ndjson")


def refuse_binary(data: bytes, name: str) -> None:
    """Refuse what is no text, saying what it starts like, and text that is markup."""
    for magic, what, way in MAGIC:
        if data.startswith(magic):
            _refuse(name, *_old_office(data, what, way))
    if data[:3] == b"\0\0\0" and data[4:8] == b"ftyp":
        _refuse(name, "a HEIC image" if data[8:12] in (b"heic", b"heix", b"mif1", b"avif") else "a video", "")
    if data.startswith(b"RIFF") and data[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        _refuse(name, {b"WEBP": "a WebP image", b"WAVE": "a sound file", b"AVI ": "a video"}[data[8:12]], "")
    if data[257:262] == b"ustar" and b"\0" in data[:257]:
        _refuse(name, "a tar archive", _UNPACK)
    head = data[:4096]
    odd = len(head) - len(head.translate(None, _CONTROL))
    if odd > len(head) / 20 and not head.startswith(tuple(bom for bom, _ in BOMS)):
        refuse(f"{brief(name)} is not a table: it starts like binary data. {MEND}")
    markup = _MARKUP.match(head.removeprefix(BOMS[0][0]))
    if markup:
        tag = markup[1].lower()
        _refuse(
            name, *(("a web page", _SAVE) if b"html" in tag else ("a picture", "") if tag == b"<svg" else ("an XML file", _SAVE))
        )


def _refuse(name: str, what: str, way: str) -> None:
    refuse(f"{brief(name)} is not a table: it starts like {what}. {way or MEND}")


def _old_office(data: bytes, what: str, way: str) -> tuple[str, str]:
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        for inside, other, other_way in OLE:
            if inside.encode("utf-16-le") in data:
                return other, other_way
    return what, way


def refuse_packed(data: bytes, name: str) -> None:
    """Refuse a document that is packed as a zip archive, and an archive of tables, by the names of what is in it."""
    if not data.startswith(b"PK"):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [info.filename for info in archive.infolist() if not info.is_dir()]
            kind = archive.read("mimetype")[:80].decode("ascii", "replace") if _is_small(archive, "mimetype") else ""
    except Exception:  # zipfile lets many kinds of exception out of a damaged archive
        return
    what, way = _document(members, kind, name)
    if what:
        refuse(f"{brief(name)} is not a table: it is {what}. {way}")
    tables = [member for member in members if member.lower().endswith(_TABLES) and "__MACOSX" not in member]
    if tables and not any(member.lower().endswith((".json", ".jsonl", ".ndjson")) for member in tables):
        rest = _UNPACK if len(tables) > 1 else "Unpack it, and send that file."
        refuse(f"{brief(name)} is not a table: it starts like a ZIP archive that holds {listed(tables, 3)}. {rest}")


def _is_small(archive: zipfile.ZipFile, member: str) -> bool:
    return member in archive.namelist() and archive.getinfo(member).file_size < 1000


def _document(members: Collection[str], kind: str, name: str) -> tuple[str, str]:
    """Return what a document in an archive is, and the way out; empty texts where it is none."""
    if any(member.endswith(".iwa") for member in members):
        if name.lower().endswith((".pages", ".key")):
            return "a document of Apple Pages or Keynote", _COPY
        return "a spreadsheet of Apple Numbers", "Choose File, Export To, CSV in Numbers."
    if "[Content_Types].xml" in members:
        if "xl/workbook.bin" in members:
            return "a binary Excel workbook (.xlsb)", "Save it as .xlsx in Excel."
        for folder, what in (("word/", "a Word document"), ("ppt/", "a PowerPoint presentation")):
            if any(member.startswith(folder) for member in members):
                return what, _COPY
    if "opendocument.spreadsheet" in kind:
        return "an OpenDocument spreadsheet (.ods)", "Save it as Excel (.xlsx) or CSV."
    if "opendocument" in kind:
        return "an OpenDocument text or presentation", _COPY
    if members and all(member.endswith(".npy") for member in members):
        return "an archive of NumPy arrays", _WRITE
    return "", ""

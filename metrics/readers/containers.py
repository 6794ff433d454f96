"""What a file is, before it is a table: where the bytes come from, compression, encoding."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import os
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from metrics.data.checks import named
from metrics.errors import InputError
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.messages import brief, refusal, refuse
from metrics.results.words import capital

BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Bytes that are decoded at once; others get their turn in between.
_CHUNK = 1 << 20
_SAMPLE = 1 << 18
"""Bytes by which an encoding is guessed."""
_WITHIN = bytes(range(0x80, 0xC0))
"""Bytes that stand within a character of UTF-8."""


@dataclass(frozen=True)
class Bytes:
    data: bytes
    name: str
    sha256: str


def take(source: Any, name: str | None, limits: Limits = LIMITS) -> Bytes:
    """Return bytes of a path, a file object or bytes, unpacked if they are gzip.

    Parameters
    ----------
    source : path, bytes or file object
        Or what was taken before, which is given back.
    name : str or None
        Name to show in messages; the source's own by default.
    limits : Limits

    Raises
    ------
    InputError
        For what cannot be read, is empty, or unpacks to more than the limits.
    """
    if isinstance(source, Bytes):
        return replace(source, name=name or source.name)
    data, source_name = _bytes_of(source)
    name = name or source_name
    digest = hashlib.sha256(data).hexdigest()
    if not data:
        refuse(f"{brief(name)} is empty.")
    return Bytes(_unpacked(data, name, limits), name, digest)


def _bytes_of(source: Any) -> tuple[bytes, str]:
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source), "data"
    if isinstance(source, str | os.PathLike):
        return _contents(Path(source)), Path(source).name
    if hasattr(source, "read"):
        return _drained(source), Path(str(getattr(source, "name", "data"))).name
    raise refusal(
        f"{capital(named(source))} is no table. Give a path, bytes, a file object, a pandas, Polars or PyArrow table, "
        "or a list of dicts."
    )


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        refuse(f"There is no file {brief(path, 200)}. Check the path.")
    except IsADirectoryError:
        refuse(f"{brief(path, 200)} is a folder. Name the file in it.")
    except (OSError, ValueError) as error:
        refuse(f"{brief(path, 200)} cannot be read: {brief(getattr(error, 'strerror', None) or error, 200)}.")


def _drained(file: IO[Any]) -> bytes:
    content = file.read()
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else bytes(content)


def _unpacked(data: bytes, name: str, limits: Limits) -> bytes:
    if not is_gzip(data):
        return data
    try:
        unpacked = gzip.GzipFile(fileobj=io.BytesIO(data)).read(limits.unpacked + 1)
    except (OSError, EOFError, zlib.error):
        refuse(f"{brief(name)} is a gzip file that cannot be unpacked: it is cut off or damaged. Pack it again.")
    if not unpacked:
        refuse(f"{brief(name)} is empty.")
    limits.check_bytes(len(unpacked), name)
    return unpacked


def is_gzip(data: bytes) -> bool:
    return data.startswith(b"\x1f\x8b")


def is_parquet(data: bytes) -> bool:
    return data.startswith(b"PAR1")


def is_workbook(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04") and b"[Content_Types].xml" in data and b"xl/" in data


def as_utf8(data: bytes, name: str, encoding: str | None) -> tuple[bytes, tuple[str, ...]]:
    """Return the text as UTF-8 without a byte order mark, and what was assumed about its encoding.

    Parameters
    ----------
    data : bytes
    name : str
        Name to show in messages.
    encoding : str or None
        None where it must be found.

    Returns
    -------
    data : bytes
    notes : tuple of str
        A sentence where the encoding is not plain UTF-8.

    Raises
    ------
    InputError
        For an encoding that does not exist, and for bytes that are no text in it.
    """
    if encoding is not None:
        return _recoded(data, encoding, name), (f"Read as {encoding}.",)
    for bom, bom_encoding in BOMS:
        if data.startswith(bom):
            body = data[len(bom) :]
            if bom_encoding == "utf-8":
                _check_utf8(body, name)
                return body, ()
            return _recoded(body, bom_encoding, name), (f"Read as {bom_encoding[:-3].upper()}.",)
    wide = _unmarked_utf16(data)
    if wide:
        return _recoded(data, wide, name), ("Read as UTF-16.",)
    if data.isascii() or _first_invalid(data) is None:
        return data, ()
    return _guessed(data, name)


def _recoded(data: bytes, encoding: str, name: str) -> bytes:
    """Return the text as UTF-8, a part at a time, so that others get their turn in between."""
    try:
        b"".decode(encoding)
        decoder = codecs.getincrementaldecoder(encoding)()
    except (LookupError, ValueError):
        refuse(f"‘{brief(encoding)}’ is no known encoding. Common ones: utf-8, utf-16, windows-1252.")
    parts, row = list[bytes](), 1
    for start in range(0, max(len(data), 1), _CHUNK):
        part = data[start : start + _CHUNK]
        try:
            text = decoder.decode(part, final=start + _CHUNK >= len(data))
            parts.append(text.encode("utf-8"))
        except UnicodeError as error:
            before = getattr(error, "object", b"")[: getattr(error, "start", 0)]
            row += before.count(b"\n") if isinstance(before, bytes) else before.count("\n")
            refuse(f"Row {row} of {brief(name)} cannot be read as {encoding}. Save the file as UTF-8.", row=row)
        row += text.count("\n")
    return b"".join(parts)


def _first_invalid(data: bytes) -> int | None:
    """Return offset of the first byte that is not UTF-8, without a copy of the whole."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    for start in range(0, len(data), _CHUNK):
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(view[start : start + _CHUNK], final=start + _CHUNK >= len(data))
        except UnicodeDecodeError as error:
            return start - pending + error.start
    return None


def _check_utf8(data: bytes, name: str) -> None:
    bad = None if data.isascii() else _first_invalid(data)
    if bad is not None:
        _refuse_undecodable(data, bad, name)


def _refuse_undecodable(data: bytes, place: int, name: str) -> None:
    row = data.count(b"\n", 0, place) + 1
    position = f"0x{data[place]:02x}, byte {place + 1}"
    refuse(
        f"Row {row} of {brief(name)} holds bytes that are no text ({position}). Save the file as UTF-8.",
        row=row,
    )


def _unmarked_utf16(data: bytes) -> str | None:
    head = data[:4096]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.6 * len(head) / 2 and even < odd / 10:
        return "utf-16-le"
    return "utf-16-be" if even > 0.6 * len(head) / 2 and odd < even / 10 else None


def _guessed(data: bytes, name: str) -> tuple[bytes, tuple[str, ...]]:
    """Return text that is not UTF-8: Windows-1252 where it reads like a western language, else the best guess."""
    bad = _first_invalid(data) or 0
    if _has_utf8_letters(data, bad):
        _refuse_undecodable(data, bad, name)
    if not _in_runs(data):
        try:
            return _recoded(data, "cp1252", name), ("Read as Windows-1252: the file is not UTF-8.",)
        except InputError:
            pass
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE], threshold=0.15).best()
    if best is None:
        _refuse_undecodable(data, bad, name)
    assert best is not None
    try:
        return _recoded(data, best.encoding, name), (f"Read as {best.encoding}: a guess, the file is not UTF-8.",)
    except InputError:
        _refuse_undecodable(data, bad, name)
    raise AssertionError


def _has_utf8_letters(data: bytes, bad: int) -> bool:
    """Return whether most of the text beyond ASCII is UTF-8: then single bytes are damage, not another encoding.

    As far as the first such byte everything is UTF-8, so it is looked at around it.
    """
    start = max(0, bad - _SAMPLE // 2)
    text = data[start : start + _SAMPLE].lstrip(_WITHIN).decode("utf-8", "replace")
    broken = text.count("�")
    return sum(not c.isascii() for c in text) - broken > 2 * broken


def _in_runs(data: bytes) -> bool:
    """Return whether bytes beyond ASCII stand in runs, as in Cyrillic, Greek or Asian text; in western text they stand alone."""
    sample = data[:_SAMPLE]
    high = [byte > 127 for byte in sample]
    inner = sum(a and b and c for a, b, c in zip(high, high[1:], high[2:], strict=False))
    return inner > sum(high) / 5

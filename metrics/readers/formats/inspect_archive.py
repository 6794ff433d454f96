"""The archive that Inspect writes (`.eval`): a zip of one JSON file for each sample, packed as zipfile cannot always read."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa

from metrics.errors import InputError
from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.inspect_ai import LOG, read_log
from metrics.readers.formats.record import Record
from metrics.readers.json_records import TooMuch, parsed
from metrics.readers.limits import Limits
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable

LARGEST = 1 << 30
"""Bytes that the samples of a log may unpack to. One is unpacked at a time, so they take time rather than memory."""
ZSTD = 93
"""Method of packing that Inspect chooses; zipfile knows it from Python 3.14 on."""
HEADER = struct.Struct("<26xHH")
"""Of the header before each file, the lengths of its name and of what follows the name."""
SAID = ("id", "epoch", "input", "target", "output", "scores", "metadata", "completed_at", "attachments")
"""Fields of a sample that are read; events and messages are let go at once."""


def is_log(data: bytes) -> bool:
    """Return whether an archive is that of a log."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except Exception:  # zipfile lets many kinds of exception out of a damaged archive
        return False
    return bool({"header.json", "_journal/start.json"} & set(names)) and any(name.startswith("samples/") for name in names)


def read_archive(data: bytes, name: str, sha256: str, limits: Limits) -> TextTable:
    """Return the ratings of a log.

    Parameters
    ----------
    data : bytes
    name, sha256 : str
        Name to show in messages, and digest of the file.
    limits : Limits

    Raises
    ------
    InputError
        For an archive that is damaged or locked, unpacks to too much, or holds no rating.
    """
    rows = Rows(name, limits)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            contents = _contents(archive, data, name)
            header = next((content for member, content in contents if not member.startswith("samples/")), {})
            read_log({**header, "samples": [content for _, content in contents]}, rows)
    except InputError:
        raise
    except TooMuch as why:
        refuse(f"A sample of {brief(name)} {why}. Send a log with fewer messages.")
    except Exception:  # zipfile and Arrow let many kinds of exception out of a damaged archive
        refuse(f"{brief(name)} is {LOG.what} that cannot be unpacked: it is cut off or damaged. {LOG.how}")
    return replace(rows.table(sha256, ()), format=LOG.what)


def _contents(archive: zipfile.ZipFile, data: bytes, name: str) -> Iterator[tuple[str, Record]]:
    """Yield the header first, then the samples in the order of their names, each with the fields that are read."""
    infos = {info.filename: info for info in archive.infolist()}
    header = next((infos[member] for member in ("header.json", "_journal/start.json") if member in infos), None)
    samples = sorted(member for member in infos if member.startswith("samples/") and member.endswith(".json"))
    room = LARGEST
    for info in ([header] if header else []) + [infos[member] for member in samples]:
        if info.flag_bits & 1:
            refuse(f"{brief(name)} is {LOG.what} that cannot be unpacked: it is locked with a password. {LOG.how}")
        text = _unpacked(archive, info, data, room + 1)
        room -= len(text)
        if room < 0:
            refuse(f"{brief(name)} unpacks to more than {LARGEST >> 20} MB. Send a log of fewer samples.")
        content = parsed(text)
        if isinstance(content, dict):
            yield info.filename, content if info is header else {field: content[field] for field in SAID if field in content}


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, data: bytes, most: int) -> bytes:
    """Return so many bytes of a file at most; an archive may state its sizes wrong."""
    if info.compress_type != ZSTD:
        with archive.open(info) as file:
            return file.read(most)
    start = info.header_offset + HEADER.size + sum(HEADER.unpack_from(data, info.header_offset))
    packed: Any = pa.BufferReader(memoryview(data)[start : start + info.compress_size])
    with pa.CompressedInputStream(packed, "zstd") as stream:
        return bytes(stream.read(most))

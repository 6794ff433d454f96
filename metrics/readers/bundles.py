"""Several files that are one: a folder, a zip archive, or a list of files."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd
import pyarrow as pa

from metrics.errors import InputError
from metrics.readers.containers import is_workbook, take
from metrics.readers.messages import brief, refuse

SUFFIXES = (".json", ".jsonl", ".ndjson")
# JSON files of a folder or an archive; more are not those of one run.
MOST_FILES = 200
LARGEST_ARCHIVE = 1 << 28
"""Bytes that an archive may unpack to."""
ENCRYPTED = 1
"""Flag of a member that is locked with a password."""
# The earliest time that a zip archive can hold, for every member: the same files make the same bytes.
_STAMP = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Member:
    """One file of several.

    Attributes
    ----------
    name : str
        As shown in messages, with the folders it stands in.
    named : bool
        Whether it was named itself, and not found in a folder or an archive.
    """

    name: str
    data: bytes
    named: bool = False

    @property
    def folder(self) -> str:
        return str(PurePosixPath(self.name).parent)


def is_archive(data: bytes) -> bool:
    return data.startswith(b"PK") and zipfile.is_zipfile(io.BytesIO(data)) and not is_workbook(data)


def is_several(source: Any) -> bool:
    """Return whether a source stands for several files: a list of them, or a folder."""
    if isinstance(source, list | tuple):
        return not is_records(source)
    try:
        return isinstance(source, str | os.PathLike) and Path(source).is_dir()
    except (OSError, ValueError):  # a name that no file can have, or a folder that may not be looked into
        return False


def is_table(source: Any) -> bool:
    """Return whether a source is a table already, and no file."""
    column = isinstance(source, pa.ChunkedArray) or len(getattr(source, "shape", (0, 0))) == 1
    return (
        isinstance(source, pd.DataFrame | pa.Table)
        or is_records(source)
        or (hasattr(source, "__arrow_c_stream__") and not column)
    )


def is_records(source: Any) -> bool:
    """Return whether a source is a list of dicts, a row each."""
    return isinstance(source, list | tuple) and bool(source) and all(isinstance(row, Mapping) for row in source)


def distinct_names(sources: Sequence[Any], names: Sequence[str]) -> list[str]:
    """Return names of the files of a list, those of one name told apart by the folders they lie in, else by a number.

    Parameters
    ----------
    sources : sequence
        Paths, and whatever else a list may hold.
    names : sequence of str
        Name of each.
    """
    distinct, taken = [], Counter(names)
    for source, name in zip(sources, names, strict=True):
        path = Path(source) if isinstance(source, str | os.PathLike) else None
        in_folder = name if path is None or taken[name] == 1 else f"{path.resolve().parent.name}/{name}"
        unique = (in_folder, *(f"{in_folder} ({number})" for number in range(2, len(names) + 1)))
        distinct.append(next(title for title in unique if title not in distinct))
    return distinct


def members_of(source: Any) -> tuple[str, list[Member]]:
    """Return name and JSON files of a folder, or of a list of files, folders and archives.

    Raises
    ------
    InputError
        For what cannot be read, and for more files or bytes than anybody means to send.
    """
    if not isinstance(source, list | tuple):
        path = Path(source)
        return path.name or str(path.resolve().name), list(_of_folder(path))
    all_members, names = list[Member](), list[str]()
    for entry in source:
        if is_several(entry):
            name, members = members_of(entry)
        else:
            taken = take(entry, None)
            name = taken.name
            members = archived(taken.data, name) if is_archive(taken.data) else [Member(name, taken.data, named=True)]
        names.append(name)
        all_members += members
    return " + ".join(names), all_members


def _of_folder(path: Path) -> Iterator[Member]:
    room = LARGEST_ARCHIVE
    files = sorted(file for file in _walk(path) if file.suffix.lower() in SUFFIXES)
    if len(files) > MOST_FILES:
        refuse(f"{brief(path, 200)} holds {len(files)} JSON files. Name the folder of one run.")
    for file in files:
        try:
            room -= file.stat().st_size
            if room < 0:
                refuse(f"{brief(path, 200)} holds more than {LARGEST_ARCHIVE >> 20} MB of JSON. Name the folder of one run.")
            data = file.read_bytes()
        except OSError as error:
            refuse(f"{brief(file, 200)} cannot be read: {brief(error.strerror or error, 200)}.")
        yield Member(str(PurePosixPath(path.name, *file.relative_to(path).parts)), data)


def _walk(path: Path, depth: int = 3) -> Iterator[Path]:
    """Yield files in a folder and those within it, hidden ones left alone."""
    try:
        entries = [entry for entry in path.iterdir() if not entry.name.startswith(".")]
    except OSError as error:
        refuse(f"{brief(path, 200)} cannot be read: {brief(error.strerror or error, 200)}.")
    for entry in entries:
        if entry.is_file():
            yield entry
        elif depth and entry.is_dir() and not entry.is_symlink():
            yield from _walk(entry, depth - 1)


def archived(data: bytes, name: str) -> list[Member]:
    """Return JSON files of a zip archive, unpacked in memory.

    Raises
    ------
    InputError
        For an archive that is damaged, locked, or unpacks to too much.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = [info for info in archive.infolist() if _is_json(info)]
            if len(infos) > MOST_FILES:
                refuse(f"{brief(name)} holds {len(infos)} JSON files. Send one run.")
            if any(info.flag_bits & ENCRYPTED for info in infos):
                refuse(f"{brief(name)} is a ZIP archive that cannot be unpacked: it is locked with a password. Pack it again.")
            return list(_unpacked(archive, infos, name))
    except InputError:
        raise
    except Exception:
        # zipfile lets many kinds of exception out of a damaged archive
        refuse(f"{brief(name)} is a ZIP archive that cannot be unpacked: it is cut off or damaged. Pack it again.")


def _is_json(info: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(info.filename).parts
    hidden = any(part.startswith((".", "__MACOSX")) and part != ".." for part in parts)
    return not info.is_dir() and not hidden and info.filename.lower().endswith(SUFFIXES)


def _unpacked(archive: zipfile.ZipFile, infos: Sequence[zipfile.ZipInfo], name: str) -> Iterator[Member]:
    """Yield the members unpacked; reading stops where there is no room left, for an archive may state its sizes wrong."""
    room = LARGEST_ARCHIVE
    for info in infos:
        with archive.open(info) as file:
            data = file.read(room + 1)
        room -= len(data)
        if room < 0:
            refuse(f"{brief(name)} unpacks to more than {LARGEST_ARCHIVE >> 20} MB. Send one run.")
        yield Member(info.filename, data)


def combine_files(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Return bytes of the only file; of several an archive, the same for the same files."""
    if len(files) == 1:
        return files[0][1]
    out, names = io.BytesIO(), set[str]()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for place, (name, data) in enumerate(files, start=1):
            unique = name if name not in names else f"{place}/{name}"
            names.add(unique)
            archive.writestr(zipfile.ZipInfo(unique, _STAMP), data)
    return out.getvalue()


def contents(members: Sequence[Member]) -> str:
    """Return a checksum of the contents, in any order, whatever the files are called."""
    each = sorted(hashlib.sha256(member.data).hexdigest() for member in members)
    return hashlib.sha256("".join(each).encode()).hexdigest()

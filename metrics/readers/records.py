"""JSON lines and JSON arrays of records -> Table."""

from __future__ import annotations

import json
import math
from typing import Any

import pyarrow as pa

from metrics.readers.delimited import check_header
from metrics.readers.frames import storable, text, texts
from metrics.readers.sentences import brief, listed, refuse
from metrics.readers.table import BAD_ROW, CUT_OFF, Table


def looks_like_json(data: bytes) -> bool:
    start = data[:1024].lstrip() or data.lstrip()
    return start[:1] in (b"{", b"[")


def read_records(data: bytes, name: str, sha256: str, *, skip_bad_rows: bool, notes: tuple[str, ...]) -> Table:
    """Records from a JSON array, from `{"data": [...]}`, or one per line. The first record is row 1."""
    whole = _whole(data, name)
    numbers: list[int] = []
    skipped: tuple[tuple[int, str], ...] = ()
    if whole is not None:
        records = _of_array(whole, name)
    else:
        records, numbers, skipped = of_lines(data, name, skip_bad_rows)
    if not records:
        refuse(f"{brief(name)} holds no records.")
    import numpy as np

    columns = list(dict.fromkeys(key for record in records for key in record))
    if not columns:
        refuse(f"{brief(name)} holds no records with values.")
    arrays = [texts(_cell(record.get(column)) for record in records) for column in columns]
    columns = check_header([storable(column) for column in columns], name)
    kept = np.array(numbers, dtype=np.int64) if skipped else None
    data_table = pa.table(arrays, names=columns)
    return Table(name, sha256, data_table, 1, kept, tuple(skipped), notes, corner=columns[0])


def _cell(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return text(value)


def _whole(data: bytes, name: str) -> Any:
    """The file as one JSON value, or None if it is one value per line."""
    first, _, rest = data.strip().partition(b"\n")
    if rest and _is_record(first):
        return None
    try:
        return json.loads(data)
    except RecursionError:
        refuse(f"{brief(name)} is nested too deeply to be a table.")
    except ValueError as error:
        if data.lstrip().startswith(b"{"):
            return None
        row = getattr(error, "lineno", None)
        refuse(f"{brief(name)} is no valid JSON: {brief(error, 120)}. Mend it, or send CSV.", row=row)


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _of_array(whole: Any, name: str) -> list[dict[str, Any]]:
    if isinstance(whole, dict) and isinstance(whole.get("data"), list):
        whole = whole["data"]
    if isinstance(whole, dict) and not any(isinstance(value, list | dict) for value in whole.values()):
        whole = [whole]
    if isinstance(whole, dict):
        refuse(f"{brief(name)} is one JSON object ({listed(whole)}), not a list of records. Send one record per verdict.")
    if not isinstance(whole, list):
        refuse(f"{brief(name)} is no list of JSON records.")
    for number, record in enumerate(whole, start=1):
        if not isinstance(record, dict):
            refuse(f"Record {number} of {brief(name)} is no JSON object. Every record needs the same named fields.", row=number)
    return whole


def of_lines(data: bytes, name: str, skip: bool) -> tuple[list[dict[str, Any]], list[int], tuple[tuple[int, str], ...]]:
    """Records of one line each, their line numbers, and the lines that hold none; a last line that is cut off is such a line."""
    records: list[dict[str, Any]] = []
    numbers: list[int] = []
    skipped: list[tuple[int, str]] = []
    lines = [(number, line) for number, line in enumerate(data.splitlines(), start=1) if line.strip()]
    for number, line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            records.append(record)
            numbers.append(number)
        elif number == lines[-1][0] and len(lines) > 1:
            skipped.append((number, CUT_OFF))
        elif skip:
            skipped.append((number, BAD_ROW))
        else:
            refuse(
                f"Line {number} of {brief(name)} is no valid JSON record. "
                "Mend the line, or leave such lines out with --skip-bad-rows.",
                row=number,
            )
    return records, numbers, tuple(skipped)

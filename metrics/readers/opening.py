"""Any source -> Table."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa

from metrics.readers.containers import as_utf8, is_parquet, is_workbook, refuse_binary, take
from metrics.readers.delimited import read_delimited
from metrics.readers.frames import as_text, read_frame, read_parquet, read_workbook
from metrics.readers.records import looks_like_json, read_records
from metrics.readers.sentences import brief, refuse
from metrics.readers.table import Table


def open_table(
    source: Any,
    name: str | None = None,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    skip_bad_rows: bool = False,
) -> Table:
    """Parse a file into columns of text; nothing is said yet about what they mean.

    Parameters
    ----------
    source : path, bytes, file object, pandas.DataFrame or pyarrow.Table
        CSV, TSV, semicolon or bar separated text in any usual encoding, plain or gzip; Excel; Parquet; JSON records.
    name : str, optional
        Name to show in messages; the file's own by default.
    delimiter, encoding, sheet : str, optional
        How to read, where the file does not make it plain.
    skip_bad_rows : bool
        List rows that cannot be read among those left out, instead of refusing the file.

    Raises
    ------
    InputError
        With a sentence that names the file, the row where there is one, and the mend.
    """
    if isinstance(source, pd.DataFrame):
        return read_frame(source, name or "DataFrame")
    if isinstance(source, pa.Table):
        return as_text(source, name or "table", "")
    taken = take(source, name)
    data, name, digest = taken.data, taken.name, taken.sha256
    if is_parquet(data):
        return read_parquet(data, name, digest)
    if is_workbook(data):
        return read_workbook(data, name, digest, sheet=sheet, skip_bad_rows=skip_bad_rows)
    refuse_binary(data, name)
    text, notes = as_utf8(data, name, encoding)
    if not text or text.isspace():
        refuse(f"{brief(name)} is empty.")
    if delimiter is None and looks_like_json(text):
        return read_records(text, name, digest, skip_bad_rows=skip_bad_rows, notes=notes)
    return read_delimited(text, name, digest, delimiter=delimiter, skip_bad_rows=skip_bad_rows, notes=notes)

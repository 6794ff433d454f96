"""Parquet -> Table. What the footer says of sizes is checked before anything is read, and again while it is read."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from metrics.errors import InputError
from metrics.readers.frames import as_text
from metrics.readers.limits import LIMITS, NESTED, Limits
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable
from metrics.readers.tallied import as_tally, is_tally
from metrics.results.words import count

_BATCH = 1 << 20
"""Rows read at once: few parts, for each is given the whole dictionary of its row group."""
# Cells that are read at once, and bytes of their values of fixed length.
_BATCH_CELLS = 1 << 22
_BATCH_BYTES = 1 << 26
_DELTA = "DELTA_BYTE_ARRAY"
_MARK, _END = b"PAR1", 8
"""What a file begins and ends with; bytes behind its footer, which say how long that is."""
_TRIAL = Path(__file__).with_name("footer_trial.py")
# Seconds after which the trial of a footer has failed.
_PATIENCE = 60
_HUGGING_FACE = b"huggingface"
"""Under what name datasets describe their columns."""
_TRIED: dict[bytes, bool] = {}
"""What became of the last footers that were tried, by their digest: a file is opened more than once."""
_MOST_TRIED = 64
_LONG = (pa.types.is_string, pa.types.is_binary, pa.types.is_large_string, pa.types.is_large_binary)


def read_parquet(data: bytes, name: str, sha256: str, *, limits: Limits = LIMITS) -> TextTable:
    """Return a table of a Parquet file, text columns by their distinct values until it is known how much they hold.

    Parameters
    ----------
    data : bytes
    name, sha256 : str
        Name to show in messages, and digest of the file.
    limits : Limits

    Raises
    ------
    InputError
        For a damaged file, and for one that is larger than the limits.
    """
    try:
        file = pq.ParquetFile(pa.BufferReader(data), thrift_string_size_limit=64 << 20, thrift_container_size_limit=4_000_000)
        _check_trial(data, name)
        _check_footer(file, name, limits)
        _check_encodings(file, name)
        table = _read(data, file, name, limits)
        return as_tally(table, name, sha256) if is_tally(table) else as_text(_with_names(table), name, sha256)
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, LookupError, OverflowError, NotImplementedError) as error:
        refuse(f"{brief(name)} is a Parquet file that cannot be read: {brief(error, 200)}. Write it again.")


def _with_names(table: pa.Table) -> pa.Table:
    """Return a table with the names of its classes where it holds their numbers, as Hugging Face’s datasets keep both.

    A number without a name, such as -1 for a missing label, is an empty cell.
    """
    try:
        features = json.loads((table.schema.metadata or {}).get(_HUGGING_FACE, b"{}"))["info"]["features"]
        named = {name: feature["names"] for name, feature in features.items() if feature.get("_type") == "ClassLabel"}
    except (ValueError, LookupError, AttributeError, TypeError):
        return table
    for name, classes in named.items():
        known = isinstance(classes, list) and all(isinstance(one, str) for one in classes) and name in table.column_names
        if known and pa.types.is_integer(table[name].type):
            place = table[name].cast(pa.int64())
            there = pc.and_(pc.greater_equal(place, 0), pc.less(place, len(classes)))
            cells = pa.array(classes, pa.string()).take(pc.if_else(there, place, pa.scalar(None, pa.int64())).combine_chunks())
            table = table.set_column(table.column_names.index(name), name, cells)
    return table


def _check_trial(data: bytes, name: str) -> None:
    """Refuse a footer whose parts contradict each other, before pyarrow ends this process over it."""
    length = int.from_bytes(data[-_END : -len(_MARK)], "little")
    if not _survived(data[-_END - length :]):
        refuse(f"{brief(name)} is a Parquet file whose footer contradicts itself. Write it again.")


def _survived(footer: bytes) -> bool:
    digest = hashlib.sha256(footer).digest()
    if digest not in _TRIED:
        while len(_TRIED) >= _MOST_TRIED:
            _TRIED.pop(next(iter(_TRIED)), None)
        _TRIED[digest] = _trial(footer)
    return _TRIED[digest]


def _trial(footer: bytes) -> bool:
    command = [sys.executable, "-P", str(_TRIAL)]
    try:
        tried = subprocess.run(command, input=_MARK + footer, capture_output=True, timeout=_PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return False
    return tried.returncode == 0


def _check_footer(file: pq.ParquetFile, name: str, limits: Limits) -> None:
    footer = file.metadata
    limits.check_size(footer.num_rows, len(file.schema_arrow.names), name)
    limits.check_size(0, footer.num_columns, name)
    nested = {place for place in range(footer.num_columns) if footer.schema.column(place).max_repetition_level}
    size, values = 0, 0
    for group in range(footer.num_row_groups):
        for place in range(footer.num_columns):
            chunk = footer.row_group(group).column(place)
            size += max(chunk.total_uncompressed_size, _width(footer.schema.column(place)) * chunk.num_values)
            values += chunk.num_values if place in nested else 0
    limits.check_bytes(size, name)
    if values > NESTED:
        refuse(f"{brief(name)} holds {count(values)} values in lists; {count(NESTED)} can be read. Leave out the column.")


def _check_encodings(file: pq.ParquetFile, name: str) -> None:
    """Refuse texts that state only how they differ from the one before: written out, they may be of any length."""
    footer = file.metadata
    for group in range(footer.num_row_groups):
        for place in _texts(footer):
            chunk = footer.row_group(group).column(place)
            if _DELTA in chunk.encodings:
                refuse(
                    f"Column ‘{brief(chunk.path_in_schema)}’ of {brief(name)} is encoded as {_DELTA}, which is not read. "
                    "Write the file with dictionaries or as plain text."
                )


def _texts(footer: pq.FileMetaData) -> list[int]:
    """Return columns of text or bytes of any length, those within lists and records too."""
    return [place for place in range(footer.num_columns) if footer.schema.column(place).physical_type == "BYTE_ARRAY"]


def _read(data: bytes, file: pq.ParquetFile, name: str, limits: Limits) -> pa.Table:
    texts = _texts(file.metadata)
    coded = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts) if texts else file
    schema = _written_out(coded.schema_arrow)
    parts, rows, size = [], 0, 0
    for batch in coded.iter_batches(batch_size=_batch_size(file)):
        batch.validate(full=True)
        rows += batch.num_rows
        size += sum(_decoded(column) for column in batch.columns)
        limits.check_size(rows, batch.num_columns, name)
        limits.check_bytes(size, name)
        parts.append(batch.cast(schema))
    return pa.Table.from_batches(parts, schema)


def _written_out(schema: pa.Schema) -> pa.Schema:
    """Return the schema without dictionaries, of which every part would keep a copy."""
    for place, field in enumerate(schema):
        if pa.types.is_dictionary(field.type):
            schema = schema.set(place, field.with_type(field.type.value_type))
    return schema


def _batch_size(file: pq.ParquetFile) -> int:
    schema = file.metadata.schema
    widths = sum(_width(schema.column(place)) for place in range(file.metadata.num_columns))
    return max(1, min(_BATCH, _BATCH_CELLS // max(len(file.schema_arrow), 1), _BATCH_BYTES // max(widths, 1)))


def _width(column: pq.ColumnSchema) -> int:
    """Return bytes of each value, where it is written out at a fixed length."""
    return max(int(column.length), 0) if column.physical_type == "FIXED_LEN_BYTE_ARRAY" else 0


def _decoded(column: pa.Array) -> int:
    """Return the bytes of a column once every value is written out."""
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _decoded(column.storage)
    if pa.types.is_struct(kind):
        return sum(_decoded(field) for field in column.flatten())
    if pa.types.is_map(kind):
        return sum(_decoded(part) for part in (column.keys, column.items)) + 4 * len(column)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return _decoded(column.flatten()) + 4 * len(column)
    if not pa.types.is_dictionary(kind):
        return int(column.nbytes)
    values = column.dictionary
    if not any(same(values.type) for same in _LONG):
        return int(column.nbytes)
    lengths = pc.binary_length(values)
    return int(pc.sum(lengths.take(column.indices)).as_py() or 0) + 4 * len(column)

"""Rows of CSV that Polars would fill up, and lines that it would take for rows."""

from __future__ import annotations

from pathlib import Path

from metrics.asker import flag
from metrics.readers.containers import is_gzip
from metrics.readers.messages import brief, refuse
from metrics.results.words import count

_BLOCK = 1 << 24


def refuse_ragged(path: str, delimiter: str) -> None:
    """Refuse a file in which Polars sees other rows than every other reader; no setting keeps it from that.

    Raises
    ------
    InputError
        Where a row has more or fewer cells than the first, or a line is empty.
    """
    import polars
    import pyarrow as pa

    name = brief(Path(path).name)
    try:
        n_rows = _rows(path, delimiter)
    except pa.ArrowInvalid as error:
        refuse(f"{name} cannot be counted with polars: {brief(error, 200)}. Mend the row.")
    first = polars.nth(0)
    frame = polars.scan_csv(path, infer_schema=False, separator=delimiter, glob=False)
    seen = frame.select(first.count() + first.null_count()).collect().item()
    if seen != n_rows:
        refuse(
            f"{name} has {count(n_rows)} rows, and Polars finds {count(seen)}: it takes empty lines for rows, and a single CR "
            f"for no line break. Mend these, or count with {flag('--engine', 'duckdb')}."
        )


def _rows(path: str, delimiter: str) -> int:
    """Return rows below the header, of as many cells each."""
    import pyarrow as pa
    import pyarrow.csv

    with Path(path).open("rb") as file:
        packed = is_gzip(file.read(2))
    reading = pa.csv.ReadOptions(block_size=_BLOCK, autogenerate_column_names=True)
    parsing = pa.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    converting = pa.csv.ConvertOptions(include_columns=["f0"], column_types={"f0": pa.binary()})
    with (
        pa.input_stream(path, compression="gzip" if packed else None) as stream,
        pa.csv.open_csv(stream, reading, parsing, converting) as batches,
    ):
        return sum(int(batch.num_rows) for batch in batches) - 1

"""The few things that Narwhals leaves to the engine: a small table beside a large one, and rows out of it.

Cells are made as every engine spells them alike: text, or a number that is never missing and never minus zero. Rows of CSV that
Polars would fill up, and lines that it would take for rows, are refused.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import narwhals as nw
import pyarrow as pa

from metrics.asker import flag
from metrics.readers import frames
from metrics.readers.containers import is_gzip
from metrics.readers.messages import brief, refusal, refuse
from metrics.results.words import count

Frame = nw.LazyFrame[Any]
NOTHING = 1.7976931348623157e308
"""Stands for an empty cell in a column of floating-point numbers; the largest of them."""
BLANKS = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())
"""Everything that trimming takes off, so that no engine goes by a list of its own."""
_BLOCK = 1 << 24


def lazily(source: Any) -> Frame:
    """Return any frame that Narwhals knows, as one that waits to be asked.

    Raises
    ------
    InputError
        For anything else.
    """
    try:
        frame = nw.from_native(source)
    except TypeError:
        refuse(
            f"A {type(source).__name__} cannot be counted. Give a frame of pandas, Polars, PyArrow, DuckDB, Dask or PySpark, "
            "or the path of CSV or Parquet files."
        )
    if isinstance(frame, nw.DataFrame) and frame.implementation.is_pandas():
        frame = nw.from_native(_plain(frame.to_native()))
    lazy_frame: Frame = frame.lazy()
    return lazy_frame


def _plain(frame: Any) -> Any:
    """Return a pandas frame whose columns of mixed objects are text, and whose names are."""
    if any(label is not None for label in frame.index.names):
        frame = frame.reset_index()
    frame = frame.set_axis([str(column) for column in frame.columns], axis=1)
    mixed = [column for column, kind in frame.dtypes.items() if kind == "object"]
    return frame.assign(**{column: frame[column].map(frames.text) for column in mixed}) if mixed else frame


def collected(frame: Frame) -> pa.Table:
    """Return a small result as an Arrow table."""
    if frame.implementation.is_dask():
        # left alone it makes a task of every step on every part, and whole columns of rows go from worker to worker between them
        frame = nw.from_native(frame.to_native().optimize()).lazy()
    table = frame.collect("pyarrow").to_arrow()
    return table.cast(pa.schema([(field.name, _usual(field.type)) for field in table.schema]))


def _usual(kind: Any) -> Any:
    return pa.string() if pa.types.is_large_string(kind) or pa.types.is_string_view(kind) else kind


def typed_as(table: pa.Table, frame: Frame) -> pa.Table:
    """Return the columns of a small table in the types of a frame: Arrow joins no text to large text."""
    if not frame.implementation.is_pyarrow():
        return table
    kinds = frame.to_native().schema
    fields = (field.with_type(kinds.field(field.name).type) if field.name in kinds.names else field for field in table.schema)
    return table.cast(pa.schema(list(fields)))


def table_as_frame(frame: Frame, table: pa.Table) -> Frame:
    """Return a small table as a frame of the same engine."""
    native = frame.to_native()
    engine = frame.implementation
    if engine.is_duckdb():
        # a relation joins only what its own connection made; `query` runs on that, and finds the Arrow table by its name here
        small = table
        made = native.query("counted", "select * from small")
        del small
    elif engine.is_polars():
        import polars

        made = polars.from_arrow(table)
    elif engine.is_pyarrow():
        made = table
    elif engine.is_dask():
        import dask.dataframe

        made = dask.dataframe.from_pandas(table.to_pandas(), npartitions=1)
    elif engine.is_spark_like():
        from pyspark.sql.functions import broadcast

        # Spark does not know how small it is, and would send every row across the cluster to meet it
        made = broadcast(native.sparkSession.createDataFrame(table))
    else:
        made = table.to_pandas()
    lazy_frame: Frame = nw.from_native(made).lazy()
    return lazy_frame


def cell(column: str, kind: Any) -> nw.Expr:
    """Return a cell of a column, empty ones as "" or `NOTHING`: group-bys and joins of some engines drop what is missing.

    Raises
    ------
    InputError
        For a type that no label, name or number has.
    """
    expr = nw.col(column)
    if kind == nw.String:
        return expr.fill_null("")
    if is_coded(kind) or kind in (nw.Date, nw.Decimal):
        return expr.cast(nw.String).fill_null("")
    if kind == nw.Boolean:
        return (
            nw.when(expr)
            .then(nw.lit("true"))
            .otherwise(nw.when(expr == nw.lit(False)).then(nw.lit("false")).otherwise(nw.lit("")))
        )
    if kind.is_integer():
        return expr.cast(nw.String).fill_null("")
    if kind.is_float():
        there = nw.when(_is_nothing(expr)).then(nw.lit(NOTHING)).otherwise(expr.cast(nw.Float64))
        return nw.when(expr == 0).then(nw.lit(0.0)).otherwise(there)
    if kind == nw.Unknown:
        return expr.cast(nw.String).fill_null("")
    raise refusal(
        f"The column ‘{brief(column)}’ holds values of the type {brief(kind, 40)}, which are no labels, names or numbers. "
        "Write them as text.",
        column=column,
    )


def is_coded(kind: Any) -> bool:
    """Return whether cells are codes of texts."""
    return isinstance(kind, nw.Categorical | nw.Enum) or kind in (nw.Categorical, nw.Enum)


def _is_nothing(expr: nw.Expr) -> nw.Expr:
    return expr.is_null() | expr.is_nan()


def is_blank(column: str, kind: Any) -> nw.Expr:
    """Return whether a cell holds nothing but blanks, never missing itself."""
    expr = nw.col(column)
    if kind.is_float():
        return _is_nothing(expr)
    if kind in (nw.String, nw.Unknown) or is_coded(kind):
        text = expr.cast(nw.String).fill_null("")
        # trimming every cell takes longer than all the counting: hardly any starts with what sorts like a blank
        maybe = (text < nw.lit("!")) | (text > nw.lit("~"))
        return nw.when(maybe).then(text.str.strip_chars(BLANKS) == nw.lit("")).otherwise(nw.lit(False))
    return expr.is_null()


def texts_of(column: pa.ChunkedArray, kind: Any) -> list[str]:
    """Return what `cell` made of a column, as the reader of tables spells it.

    Parameters
    ----------
    column : pa.ChunkedArray, length n
    kind : type of Narwhals
        Of the column in the source.

    Returns
    -------
    list of str, length n
        Empty for an empty cell.
    """
    texts = ["" if value is None or value == NOTHING else frames.text(value) for value in column.to_pylist()]
    # Dask spells a decimal 0 with its places as 0E-9
    return [frames.text(Decimal(text)) if text else "" for text in texts] if kind == nw.Decimal else texts


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
        refuse(f"{name} cannot be counted with polars: {brief(error, 200)}. Correct the row.")
    first = polars.nth(0)
    frame = polars.scan_csv(path, infer_schema=False, separator=delimiter, glob=False)
    seen = frame.select(first.count() + first.null_count()).collect().item()
    if seen != n_rows:
        refuse(
            f"{name} has {count(n_rows)} rows, and Polars finds {count(seen)}: it takes empty lines for rows, and a single CR "
            f"for no line break. Correct these, or count with {flag('--engine', 'duckdb')}."
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

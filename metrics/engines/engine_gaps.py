"""The few things that Narwhals leaves to the engine: a small table beside a large one, and rows out of it."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import pyarrow as pa

from metrics.readers.messages import refuse

Frame = nw.LazyFrame[Any]


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
    from metrics.readers.frames import text

    if any(label is not None for label in frame.index.names):
        frame = frame.reset_index()
    frame = frame.set_axis([str(column) for column in frame.columns], axis=1)
    mixed = [column for column, kind in frame.dtypes.items() if kind == "object"]
    return frame.assign(**{column: frame[column].map(text) for column in mixed}) if mixed else frame


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

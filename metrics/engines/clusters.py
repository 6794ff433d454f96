"""Sessions of Spark and Dask, on this machine or at an address, and files as frames of theirs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from metrics.readers.messages import refuse
from metrics.readers.table import TextTable

MADE = {"spark.app.name": "kappascope count", "spark.ui.enabled": "false", "spark.sql.session.timeZone": "UTC"}
LOOPBACK = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}


@contextmanager
def spark_session(session: Any = None, address: str | None = None) -> Iterator[Any]:
    """Yield the session that is given or at hand, else a new one that is stopped afterwards.

    Without an address Spark runs in this process, on all cores, and listens to nothing but this machine.
    """
    from pyspark.sql import SparkSession

    active = session or SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    _needs_java()
    here = address is None or address.startswith("local")
    builder = SparkSession.builder.master(address or "local[*]")
    for name, value in {**MADE, **(LOOPBACK if here else {})}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    try:
        yield made
    finally:
        made.stop()


def _needs_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if not (Path(home) / "bin" / "java").exists() if home else shutil.which("java") is None:
        refuse(
            "Spark needs Java 17 or newer, and none was found. Install one, such as openjdk-17-jre-headless, "
            "or set JAVA_HOME to the folder of one."
        )


def spark_files(spark: Any, paths: Sequence[str], delimiter: str) -> Any:
    """Return Parquet files, or CSV files where a delimiter is given, as a frame of Spark.

    Cells of CSV are text.

    Parameters
    ----------
    spark : SparkSession
    paths : sequence of str
    delimiter : str
        Empty for Parquet.
    """
    if not delimiter:
        return spark.read.parquet(*paths)
    options = {"header": True, "sep": delimiter, "quote": '"', "escape": '"', "multiLine": True, "inferSchema": False}
    # by itself Spark reads past the headers of all files but one, and fills up a row that is too short
    return spark.read.options(**options, enforceSchema=False, mode="FAILFAST").csv(list(paths))


def spark_loaded(spark: Any, source: str, reader: str | None, options: Mapping[str, str] | None) -> Any:
    """Return whatever Spark can read: a table by its name, or a path in a format of its own.

    Parameters
    ----------
    spark : SparkSession
    source : str
        A path, or a table's name where `reader` is "table".
    reader : str or None
        Spark's name of the format; by default CSV or Parquet, by the ending.
    options : mapping of str to str, or None
        Of that format, as Spark takes them.
    """
    if reader == "table":
        return spark.read.table(source)
    kind = reader or ("csv" if source.lower().endswith((".csv", ".csv.gz")) else "parquet")
    whole = {"header": "true", "escape": '"', "multiLine": "true", "enforceSchema": "false", "mode": "FAILFAST"}
    given = whole if kind == "csv" else {}
    return spark.read.format(kind).options(**given, **dict(options or {})).load(source)


@contextmanager
def dask_client(address: str | None = None) -> Iterator[None]:
    """Send work to the scheduler at an address; without one it stays with the client at hand, or in this process."""
    import dask.config

    address = address or dask.config.get("scheduler-address", None)
    if address is None:
        yield
        return
    from distributed import Client

    with Client(address):
        yield


def dask_files(paths: Sequence[str], head: TextTable, delimiter: str) -> Any:
    """Return Parquet files, or CSV files where a delimiter is given, as a frame of Dask.

    Cells of CSV are text.

    Parameters
    ----------
    paths : sequence of str
    head : Table
        First rows of the files, whose columns CSV files are read with.
    delimiter : str
        Empty for Parquet.
    """
    import dask.dataframe as dd

    if not delimiter:
        # whole numbers with gaps stay whole; a folder called topic=x is no column
        return dd.read_parquet(list(paths), dtype_backend="pyarrow", dataset={"partitioning": None})
    import pyarrow as pa
    import pyarrow.csv

    columns = {name: pa.string() for name in head.columns}
    reading = pa.csv.ReadOptions(column_names=list(columns))
    parsing = pa.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    converting = pa.csv.ConvertOptions(column_types=columns)

    # Dask's own reader cuts a file at any line break, also within quotes, and fills up a row that is too short.
    # A function within a function travels whole: the workers need not have this package.
    def rows(path: str) -> Any:
        # the header is the first row: it may have line breaks of its own, and empty lines before it
        return pyarrow.csv.read_csv(path, reading, parsing, converting).slice(1).to_pandas()

    return dd.from_map(rows, list(paths), meta=pa.schema(columns).empty_table().to_pandas())

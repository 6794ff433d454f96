"""Files, globs, folders and tables -> frames of an engine, all cells of CSV as text."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from metrics.asker import flag
from metrics.engines.clusters import dask_client, dask_files, spark_files, spark_loaded, spark_session
from metrics.engines.count import HEAD, Told, count_frame
from metrics.engines.engine_gaps import refuse_ragged
from metrics.engines.tally import ItemTally
from metrics.errors import InputError
from metrics.extras import EXTRAS, missing
from metrics.readers.containers import as_utf8, is_gzip, is_parquet
from metrics.readers.delimited import read_delimited
from metrics.readers.frames import as_text
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.table import TextTable
from metrics.readers.tallied import KEY

ENGINES = ("duckdb", "polars", "dask", "spark")
PACKAGES = {"duckdb": "duckdb", "polars": "polars", "dask": "dask[dataframe,distributed]", "spark": "pyspark"}
PARQUET, CSV = (".parquet", ".pq", ".parq"), (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")
HEAD_BYTES = 32 << 20
"""What is parsed to see how a CSV file is written, and in which order its names come."""
HEADER_BYTES = 256 << 10
"""What is parsed of every further file to see its header."""
MEMORY = "3GB"
Watched = Callable[[Callable[[], float]], None]


@dataclass(frozen=True)
class Files:
    """Files of one kind, in the order of their paths, with their first rows."""

    paths: tuple[str, ...]
    parquet: bool
    head: TextTable
    delimiter: str = ","


def count(
    source: str | os.PathLike[str],
    *,
    engine: str = "duckdb",
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    grid: Mapping[str, float | str] | None = None,
    memory: str = MEMORY,
    reader: str | None = None,
    options: Mapping[str, str] | None = None,
    session: Any = None,
    cluster: str | None = None,
    progress: Told | None = None,
    watched: Watched | None = None,
) -> ItemTally:
    """Return the tally of files of ratings, counted by an engine.

    Parameters
    ----------
    source : path
        A CSV or Parquet file, a folder of such, or a glob; for Spark also whatever it can read.
    engine : "duckdb", "polars", "dask" or "spark"
    columns, keep, grid
        As `count_frame` takes them.
    memory : str
        What DuckDB may hold in memory before it goes on in a private folder on disk.
    reader, options : optional
        How Spark reads what is no local file: ``reader="delta"``, ``reader="table"`` with the name of a table as the source.
    session : optional
        A Spark session of your own.
    cluster : str, optional
        Where Spark's master or Dask's scheduler is: ``"spark://host:7077"``, ``"yarn"``, ``"tcp://host:8786"``. Without it
        Spark runs on this machine, and Dask with the client at hand, at the address of its configuration, or on this machine.
    progress : callable, optional
        Gets a line after each step.
    watched : callable, optional
        Gets, from DuckDB only, what tells the share of the step at hand that is done, from 0 to 1; below 0 where nobody knows.

    Raises
    ------
    InputError
        Where nothing can be read, the engine is not there, or the table cannot be counted; the message says what to do.
    """
    if engine not in ENGINES:
        refuse(f"‘{brief(engine)}’ is no engine. Engines: {', '.join(ENGINES)}.")
    if engine != "spark" and (reader is not None or options or (cluster is not None and engine != "dask")):
        way = flag("--engine", "spark")
        refuse(f"A format and its options are Spark's, a cluster Spark's or Dask's. Count with {way}, or without these.")
    name = Path(str(source).rstrip("/*")).name or str(source)
    asked: dict[str, Any] = {"columns": columns, "keep": keep, "grid": grid, "progress": progress}
    try:
        if engine == "spark" and (reader is not None or "://" in str(source)):
            with spark_session(session, cluster) as spark:
                return count_frame(spark_loaded(spark, str(source), reader, options), name=name, **asked)
        files = find_files(source)
        with _opened(engine, files, memory, session, cluster, watched) as frame:
            return count_frame(frame, name=name, head=files.head, **asked)
    except InputError:
        raise
    except ImportError as error:
        library = str(error.name or "").partition(".")[0]
        if library in EXTRAS:
            raise missing(error) from error
        if library not in ("polars", "dask", "distributed", "pyspark"):
            raise
        refuse(f'The engine {engine} is not installed. Install it with: pip install "{PACKAGES[engine]}"')
    except (AssertionError, KeyboardInterrupt):
        raise
    except Exception as error:
        # every engine lets exceptions of its own out of a file it cannot read
        refuse(f"{brief(name)} cannot be counted with {engine}: {brief(_cause(error), 300)}.")


def _cause(error: Exception) -> str:
    """Return what was wrong; Spark tells the whole way down to it first."""
    message = str(error)
    return message.rpartition("Caused by: ")[2].partition("\tat ")[0].strip()


def find_files(source: str | os.PathLike[str]) -> Files:
    """Return the files that a path, a folder or a glob names.

    Raises
    ------
    InputError
        Where there are none, or CSV and Parquet both.
    """
    paths = _paths(str(source))
    kinds = {_is_parquet(path) for path in paths}
    if len(kinds) > 1:
        refuse(f"{brief(source, 200)} holds CSV and Parquet files both. Name one kind: {brief(source, 150)}/*.parquet")
    parquet = kinds.pop()
    if parquet:
        _check_footers(paths)
    head, delimiter = (_parquet_head(paths), "") if parquet else _csv_head(paths)
    return Files(tuple(paths), parquet, head, delimiter)


def _paths(source: str) -> list[str]:
    path = Path(source)
    if path.is_dir():
        inside = sorted(str(entry) for entry in path.rglob("*") if entry.is_file() and not _hidden(entry.relative_to(path)))
        paths = [file for file in inside if file.lower().endswith((*PARQUET, *CSV))]
        if not paths:
            refuse(f"{brief(source, 200)} holds no CSV or Parquet file. Name the files with a glob.")
        return paths
    paths = [source] if path.is_file() else _matching(source)
    if not paths:
        refuse(f"There is no file {brief(source, 200)}. Check the path.")
    return paths


def is_source(path: str, source: str) -> bool:
    """Return whether a file is one of those that are counted."""
    with suppress(InputError, OSError):
        return Path(path).is_file() and any(Path(file).samefile(path) for file in _paths(source))
    return False


def _matching(pattern: str) -> list[str]:
    path = Path(pattern)
    start = Path(path.anchor) if path.anchor else Path()
    try:
        return sorted(str(path) for path in start.glob(str(path.relative_to(start))) if path.is_file())
    except (OSError, ValueError, NotImplementedError):
        return []


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


def _is_parquet(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            start = file.read(4)
    except OSError as error:
        refuse(f"{brief(path, 200)} cannot be read: {brief(error.strerror or error, 200)}.")
    return is_parquet(start)


def _check_footers(paths: Sequence[str]) -> None:
    """Refuse the tally of an earlier count, in which a kind of items is no item, and files that no engine reads as one table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    first: pa.Schema | None = None
    for path in paths:
        name = brief(Path(path).name)
        try:
            footer = pq.read_metadata(path)
            schema = footer.schema.to_arrow_schema()
        except (pa.ArrowException, OSError, ValueError) as error:
            refuse(f"{name} is a Parquet file that cannot be read: {brief(error, 200)}. Write it again.")
        if KEY in (footer.metadata or {}):
            refuse(f"{name} is a tally already. Read it as it is, and leave it out of what is counted.")
        first = first or schema
        if [(field.name, field.type) for field in schema] != [(field.name, field.type) for field in first]:
            _refuse_schemas(name, schema, brief(Path(paths[0]).name), first)


def _refuse_schemas(name: str, schema: Any, other: str, first: Any) -> None:
    """Refuse files of unlike columns.

    Some engines fill up a missing one, or round numbers to the whole ones of the first file.
    """
    differ = f"{name} has the columns {listed(schema.names)}, and {other} {listed(first.names)}. "
    if schema.names == first.names:
        field, first_field = next(
            (column, first_column) for column, first_column in zip(schema, first, strict=True) if column.type != first_column.type
        )
        differ = f"‘{brief(field.name)}’ holds {brief(field.type, 40)} in {name}, and {brief(first_field.type, 40)} in {other}. "
    refuse(f"{differ}Files that are counted together need the same columns, of the same types, in the same order.")


def _parquet_head(paths: Sequence[str]) -> TextTable:
    import pyarrow as pa
    import pyarrow.parquet as pq

    batches: list[Any] = []
    rows = 0
    try:
        for path in paths:
            with pq.ParquetFile(path) as file:
                batches += [] if batches or file.metadata.num_rows else [file.schema_arrow.empty_table()]
                for batch in file.iter_batches(HEAD - rows):
                    batches.append(pa.Table.from_batches([batch]).slice(0, HEAD - rows))
                    rows += batches[-1].num_rows
                    if rows >= HEAD:
                        break
            if rows >= HEAD:
                break
        table = pa.concat_tables(batches)
    except (pa.ArrowException, OSError, ValueError) as error:
        refuse(f"{brief(Path(paths[0]).name)} is a Parquet file that cannot be read: {brief(error, 200)}. Write it again.")
    return as_text(table, Path(paths[0]).name, "")


def _csv_head(paths: Sequence[str]) -> tuple[TextTable, str]:
    """Return the first rows of CSV files, and what separates their columns; of every file at least its header is read."""
    import pyarrow as pa

    first: TextTable | None = None
    delimiter, parts, rows, room = ",", [], 0, HEAD_BYTES
    for path in paths:
        enough = rows >= HEAD or room <= 0
        data, whole = _start(path, HEADER_BYTES if enough else max(room, HEADER_BYTES))
        table = _csv_table(data, whole, Path(path).name, None if first is None else delimiter)
        if first is None:
            first = table
            delimiter = _delimiter_of(table)
        elif table.columns != first.columns:
            refuse(
                f"{brief(Path(path).name)} has the columns {listed(table.columns)}, and {brief(first.name)} "
                f"{listed(first.columns)}. "
                "Files that are counted together need the same columns in the same order."
            )
        if enough:
            continue
        parts.append(table.data.cast(pa.schema([(name, pa.string()) for name in table.columns])).slice(0, HEAD - rows))
        rows, room = rows + parts[-1].num_rows, room - len(data)
    assert first is not None
    return TextTable(first.name, "", pa.concat_tables(parts), corner=first.corner), delimiter


def _start(path: str, most: int) -> tuple[bytes, bool]:
    """Return the first bytes of a file, unpacked, and whether they are all of it."""
    try:
        with Path(path).open("rb") as file:
            packed = is_gzip(file.read(2))
        with gzip.open(path, "rb") if packed else Path(path).open("rb") as file:
            data = file.read(most + 1)
    except (OSError, EOFError) as error:
        refuse(f"{brief(path, 200)} cannot be read: {brief(getattr(error, 'strerror', None) or error, 200)}.")
    return data[:most], len(data) <= most


def _csv_table(data: bytes, whole: bool, name: str, delimiter: str | None) -> TextTable:
    if not data.strip():
        refuse(f"{brief(name)} is empty.")
    if not whole:
        data = _to_line_end(data)
    text, notes = as_utf8(data, name, None)
    if notes:
        refuse(f"{brief(name)} is not UTF-8. Save it as UTF-8 before it is counted.")
    if text.lstrip(b"\r\n")[:4].lower() == b"sep=":
        refuse(f"The first line of {brief(name)} is ‘sep=’, which only Excel understands. Remove it before the file is counted.")
    return read_delimited(text, name, "", delimiter=delimiter, skip_bad_rows=False, notes=())


def _to_line_end(data: bytes) -> bytes:
    """Return what stands up to the last line break outside quotes."""
    end, quotes = len(data), data.count(b'"')
    while (place := data.rfind(b"\n", 0, end)) > 0:
        quotes -= data.count(b'"', place, end)
        if quotes % 2 == 0:
            return data[: place + 1]
        end = place
    return data


def _delimiter_of(table: TextTable) -> str:
    words = {"semicolon": ";", "tab": "\t", "vertical bar": "|"}
    return next((mark for note in table.notes for word, mark in words.items() if note.endswith(f"{word}.")), ",")


@contextmanager
def _opened(engine: str, files: Files, memory: str, session: Any, cluster: str | None, watched: Watched | None) -> Iterator[Any]:
    if engine == "duckdb":
        with _duckdb(files, memory, watched) as relation:
            yield relation
    elif engine == "spark":
        with spark_session(session, cluster) as spark:
            yield spark_files(spark, files.paths, files.delimiter)
    elif engine == "polars":
        yield _polars(files)
    else:
        with dask_client(cluster):
            yield dask_files(files.paths, files.head, files.delimiter)


def _share_done(connection: Any) -> float:
    import duckdb

    try:
        return float(connection.query_progress()) / 100
    except duckdb.Error:
        return -1.0


@contextmanager
def _duckdb(files: Files, memory: str, watched: Watched | None) -> Iterator[Any]:
    """Yield a relation of a new connection, which reads nothing but the files and goes on in a folder that is then removed."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="kappascope-") as folder:
        settings: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": folder,
            "memory_limit": memory,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "preserve_insertion_order": False,
        }
        connection = duckdb.connect(config=settings)
        try:
            connection.execute("set TimeZone='UTC'")
            if watched is not None:
                connection.execute("set enable_progress_bar=true; set enable_progress_bar_print=false")
                watched(partial(_share_done, connection))
            paths: Any = [_literally(path) for path in files.paths]
            if files.parquet:
                yield connection.read_parquet(paths, hive_partitioning=False)
            else:
                _refuse_blank_before_quote(files.head)
                yield connection.read_csv(
                    paths,
                    all_varchar=True,
                    header=True,
                    sep=files.delimiter,
                    quotechar='"',
                    escapechar='"',
                    na_values=[""],
                    hive_partitioning=False,
                )
        finally:
            connection.close()


def _refuse_blank_before_quote(head: TextTable) -> None:
    """Refuse a blank before a quotation mark.

    DuckDB takes the mark for that of a cell, and no setting keeps it from that; every other reader takes it for text.
    """
    import pyarrow.compute as pc

    for column in head.columns:
        _, values = head.raw(column)
        odd = values.filter(pc.match_substring_regex(values, r'^\s+"'))
        if len(odd):
            refuse(
                f"‘{brief(odd[0].as_py(), 40)}’ in ‘{brief(column)}’ of {brief(head.name)} has a blank before its quotation "
                "mark, and DuckDB would read another text than the dashboard. Remove such blanks, or count with "
                f"{flag('--engine', 'polars')}.",
                column=column,
            )


def _literally(path: str) -> str:
    """Return a path in which nothing is a wildcard."""
    return "".join(f"[{mark}]" if mark in "*?[" else mark for mark in path)


def _polars(files: Files) -> Any:
    import polars

    if files.parquet:
        return polars.scan_parquet(list(files.paths), glob=False, hive_partitioning=False)
    for path in files.paths:
        refuse_ragged(path, files.delimiter)
    return polars.scan_csv(list(files.paths), infer_schema=False, separator=files.delimiter, glob=False)

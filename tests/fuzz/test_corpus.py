"""What fuzzing found interesting is replayed, and small cousins of it are made anew each time."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.readers import open_table
from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).resolve().parent / "corpus"
QUICK = settings(max_examples=40, deadline=None)
WORDS = [*"item human verdict judge criterion rater role label MET no 1 0,5 a { [1]".split(), "", '"', "\r"]
CELLS = st.sampled_from(WORDS) | st.text(max_size=8)
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | CELLS | st.lists(st.integers(), max_size=3)
ODD = st.sampled_from(["1e999", "-" * 5000, "9" * 5000, "1;" * 2000, "\u202e,=\0"])


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus(target: str) -> None:
    kept = sorted((CORPUS / target).iterdir())
    assert kept
    for path in kept:
        TARGETS[target](path.read_bytes())


def test_the_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()) < 1 << 20


@QUICK
@given(st.sampled_from([b"", b"PK\x03\x04", b"PAR1", b"\x1f\x8b", b"{", b"[", b"sep=", b"\xff\xfe"]), st.binary(max_size=300))
def test_any_bytes(head: bytes, rest: bytes) -> None:
    TARGETS["table"](head + rest)


@QUICK
@given(st.lists(st.lists(CELLS, min_size=1, max_size=6), min_size=1, max_size=6), st.sampled_from(",;\t|"), st.booleans())
def test_any_table_of_words(rows: list[list[str]], mark: str, skip: bool) -> None:
    TARGETS["table"]("\n".join(mark.join(row) for row in rows).encode("utf-8", "replace") + (b"\n" if skip else b""))


@QUICK
@given(st.lists(st.dictionaries(CELLS, VALUES, max_size=6), max_size=5))
def test_any_records(records: list[dict[str, object]]) -> None:
    TARGETS["table"](json.dumps(records).encode())
    TARGETS["table"]("\n".join(map(json.dumps, records)).encode())


@QUICK
@given(st.text(max_size=200) | st.lists(CELLS, max_size=12).map("\n".join) | ODD)
def test_any_address(text: str) -> None:
    TARGETS["address"](text.encode("utf-8", "replace"))
    TARGETS["results"](text.encode("utf-8", "replace"))


PLAIN = st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t"), max_size=12)


@QUICK
@given(st.lists(st.tuples(PLAIN, PLAIN, PLAIN), min_size=1, max_size=8))
def test_the_same_cells_from_every_format(rows: list[tuple[str, str, str]]) -> None:
    columns = {name: [row[place] for row in rows] for place, name in enumerate(("item", "human", "verdict"))}
    parquet = io.BytesIO()
    pq.write_table(pa.table(columns), parquet)
    records = [dict(zip(columns, row, strict=True)) for row in rows]
    quoted = ["item,human,verdict", *(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)]
    sources = {
        "parquet": parquet.getvalue(),
        "array": json.dumps(records).encode(),
        "lines": "\n".join(map(json.dumps, records)).encode(),
        "csv": "\n".join(quoted).encode(),
        "frame": pd.DataFrame(columns, dtype=object),
    }
    for name, source in sources.items():
        read = open_table(source).data
        assert {column: read[column].to_pylist() for column in columns} == columns, name

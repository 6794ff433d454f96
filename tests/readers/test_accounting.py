"""Every data row is used, or left out with exactly one reason."""

from __future__ import annotations

import csv
import io

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.readers import build, open_table, propose, read
from metrics.readers.repeats import compact, first_rows, is_unique, last_rows, parse_times

pytestmark = pytest.mark.slow("hundreds of made-up files")
HUMAN = st.sampled_from(["MET", "UNMET", "met.", "NA", "", " ", "null", "nan"])
VERDICT = st.sampled_from(["MET", "UNMET", "N/A", "INVALID", "error: x", "", "nan"])
ITEM = st.sampled_from(["007", "7", " 7", "a,b", 'q"x', "line\nbreak", "é", ""])
CRITERION = st.sampled_from(["tone", " tone ", "Länge", ""])
PERSON = st.sampled_from(["ana", "ben ", "gpt", ""])
ROLE = st.sampled_from(["human", "LLM", "expert", "code", ""])
TIME = st.sampled_from(["2026-01-02T00:00:00Z", "2026-01-03", "", "soon"])


def written(header: list[str], rows: list[tuple[str, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([header, *rows])
    return text.getvalue().encode()


def check_message(error: InputError) -> None:
    assert 0 < len(str(error)) <= 1000


def check(ratings: Ratings, n_rows: int) -> None:
    assert ratings.source.rows == n_rows
    assert ratings.rows_used + len(ratings.left_out.rows) == n_rows
    assert sum(ratings.left_out.counts().values()) == len(ratings.left_out.rows)
    left = ratings.left_out.rows - ratings.source.first_row
    assert len(set(left)) == len(left)
    assert set(ratings.row) <= set(range(n_rows)) - set(left)
    keys = list(zip(ratings.item, ratings.criterion, ratings.rater, strict=True))
    assert len(set(keys)) == len(keys)
    assert set(ratings.item) == set(range(ratings.n_items))
    assert set(ratings.rater) == set(range(len(ratings.raters)))
    assert len(ratings.state) == len(ratings.label)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(ITEM, CRITERION, PERSON, HUMAN, VERDICT), min_size=1, max_size=12))
def test_pairs(rows: list[tuple[str, ...]]) -> None:
    data = written(["item", "criterion", "judge", "human", "verdict"], rows)
    try:
        ratings = read(data)
    except InputError as error:
        check_message(error)
        return
    check(ratings, len(rows))
    for item, criterion, rater, label, row in zip(
        ratings.item, ratings.criterion, ratings.rater, ratings.label, ratings.row, strict=True
    ):
        cells = rows[row]
        who = ratings.raters[rater]
        assert ratings.items[int(item)].as_py() == cells[0]
        assert ratings.criteria[criterion] == cells[1].strip()
        assert ratings.labels[label] == cells[3 if who.role == "human" else 4].strip()
        assert who.role == "human" or who.name == cells[2].strip()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(ITEM, CRITERION, PERSON, ROLE, VERDICT, TIME), min_size=1, max_size=12))
def test_raters(rows: list[tuple[str, ...]]) -> None:
    data = written(["item", "criterion", "rater", "role", "label", "timestamp"], rows)
    try:
        ratings = read(data)
    except InputError as error:
        check_message(error)
        return
    check(ratings, len(rows))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(ITEM, HUMAN, HUMAN, VERDICT), min_size=1, max_size=10))
def test_wide(rows: list[tuple[str, ...]]) -> None:
    table = open_table(written(["item", "x", "y", "z"], rows))
    try:
        ratings = build(table, propose(table, {"human:x": "x", "human:y": "y", "judge:z": "z"}))
    except InputError as error:
        check_message(error)
        return
    check(ratings, len(rows))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.sampled_from(["a", "MET", "UNMET", "\0", ""]), min_size=1, max_size=5), min_size=1, max_size=10))
def test_bad_rows_are_listed(rows: list[list[str]]) -> None:
    data = ("item,human,verdict\n" + "".join(",".join(row) + "\n" for row in rows)).encode()
    n_rows = sum(row != [""] for row in rows)
    try:
        ratings = read(data, labels={"a": "abstention"}, skip_bad_rows=True)
    except InputError as error:
        check_message(error)
        return
    assert ratings.rows_used + len(ratings.left_out.rows) == ratings.source.rows == n_rows
    assert len(set(ratings.left_out.rows)) == len(ratings.left_out.rows)
    assert not set(ratings.left_out.rows) & set(ratings.record_numbers(ratings.row))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_end_in_a_sentence(data: bytes) -> None:
    try:
        read(data)
    except InputError as error:
        check_message(error)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="item,human verdct\n\"; \tMETUN1é='", max_size=120))
def test_any_text_ends_in_a_sentence(text: str) -> None:
    for head in ("", "item,human,verdict\n", "human \\ judge,Pass,Fail\n", '[{"item":1}]\n'):
        try:
            read((head + text).encode())
        except InputError as error:
            check_message(error)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=30), st.sampled_from([10, 10_000_000]))
def test_repeated_keys(keys: list[int], size: int) -> None:
    key, compacted = compact(np.array(keys, dtype=np.int64), size)
    assert is_unique(key, compacted) == (len(set(keys)) == len(keys))
    assert first_rows(key, compacted).tolist() == [keys.index(k) for k in keys]
    assert last_rows(key, compacted).tolist() == [len(keys) - 1 - keys[::-1].index(k) for k in keys]


def test_latest_in_time() -> None:
    times = parse_times(("2026-01-02", "2026-01-01T00:00:00Z", "", '"2026-01-03T00:00:00.000Z"', "nonsense"))
    key = np.zeros(5, dtype=np.int64)
    assert set(last_rows(key, 1, times)) == {3}
    assert set(last_rows(key[:3], 1, times[:3])) == {0}
    assert set(last_rows(key[:2], 1, np.array([np.nan, np.nan]))) == {1}


def test_used_rows_have_no_reason() -> None:
    ratings = read(b"item,human,verdict\na,MET,\nb,,MET\nc,,\na,,MET\n")
    assert ratings.left_out.counts() == {"no label": 1}
    assert len(ratings.item) == 3


def test_repeats_in_pairs_take_the_latest() -> None:
    ratings = read(b"item,human,verdict,timestamp\na,MET,UNMET,2026-02-01\na,MET,MET,2026-01-01\n")
    assert ratings.left_out.rows.tolist() == [3]


def test_rows_of_failed_calls_are_used() -> None:
    ratings = read(b"item,human,verdict\na,MET,error: timeout\nb,MET,MET\n")
    assert ratings.rows_used == 2
    assert ratings.scheme.of("error") == ("error: timeout",)


@pytest.mark.parametrize("n_rows", [1, 3000])
def test_sparse_keys(n_rows: int) -> None:
    rows = [(f"i{n}", f"c{n % 1500}", f"j{n % 700}", "MET", "UNMET") for n in range(n_rows)]
    ratings = read(written(["item", "criterion", "judge", "human", "verdict"], rows))
    check(ratings, n_rows)
    assert len(ratings.item) == 2 * n_rows

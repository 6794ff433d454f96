"""Spark, on this machine and as a cluster of two executors, counts what DuckDB counts, to the last byte of the tally."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.conftest import Case, Counted, ran

SAME = ("parquet", "orc", "table", "long patterns", "rounded", "later text", "later time")


@pytest.fixture(scope="module")
def counted(cases: dict[str, Case], tmp_path_factory: pytest.TempPathFactory) -> Counted:
    return ran("spark", cases, [*SAME, "twice", "swapped"], tmp_path_factory.mktemp("spark"))


@pytest.mark.parametrize("name", SAME)
def test_the_tally_is_that_of_duckdb(counted: Counted, by_duckdb: Any, name: str) -> None:
    assert isinstance(counted.said[name], int), counted.said[name]
    assert counted.tally(name) == by_duckdb(name)


def test_it_counts_under_the_rules_of_ansi(counted: Counted) -> None:
    assert counted.said["ansi"] == "true"


def test_the_command_starts_a_session_of_its_own(counted: Counted, by_duckdb: Any) -> None:
    status, output = counted.said["by command"]
    assert status == 0, output
    assert counted.tally("by command.parquet") == by_duckdb("csv folder")


def test_a_rating_given_twice_is_refused(counted: Counted) -> None:
    assert "‘can't say’ in one row and ‘never’ in another" in counted.said["twice"]


def test_files_whose_columns_stand_in_another_order_are_refused(counted: Counted) -> None:
    assert "cannot be counted with spark" in str(counted.said["swapped"])
    assert "Header: item, criterion, judge, verdict, human" in str(counted.said["swapped"])


def test_an_executor_killed_on_the_way_changes_nothing(counted: Counted, by_duckdb: Any) -> None:
    assert counted.said["parts"] > 2
    assert counted.said["killed: died"]
    assert counted.tally("killed") == by_duckdb("parquet folder")

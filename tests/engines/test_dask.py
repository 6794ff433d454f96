"""Dask with two worker processes counts what DuckDB counts, to the last byte of the tally."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.conftest import Case, Counted, ran

SAME = ("csv", "header of two lines", "parquet", "named folder", "long patterns", "rounded", "later text", "later time")


@pytest.fixture(scope="module")
def counted(cases: dict[str, Case], tmp_path_factory: pytest.TempPathFactory) -> Counted:
    return ran("dask", cases, [*SAME, "twice"], tmp_path_factory.mktemp("dask"))


@pytest.mark.parametrize("name", SAME)
def test_the_tally_is_that_of_duckdb(counted: Counted, by_duckdb: Any, name: str) -> None:
    assert isinstance(counted.said[name], int), counted.said[name]
    assert counted.tally(name) == by_duckdb(name)


def test_the_command_finds_its_scheduler(counted: Counted, by_duckdb: Any) -> None:
    status, output = counted.said["by command"]
    assert status == 0, output
    assert counted.tally("by command.parquet") == by_duckdb("csv folder")


def test_a_rating_given_twice_is_refused(counted: Counted) -> None:
    assert "‘can't say’ in one row and ‘never’ in another" in counted.said["twice"]


def test_a_time_is_the_same_in_every_part(counted: Counted) -> None:
    assert "both latest at the same ‘timestamp’" in str(counted.said["midnight"])


def test_the_steps_on_a_part_are_one_task(counted: Counted) -> None:
    assert counted.said["tasks"] < 1500, "3,700 where every step is a task of its own, and its columns wander between workers"


def test_a_worker_killed_on_the_way_changes_nothing(counted: Counted, by_duckdb: Any) -> None:
    assert len(counted.said["workers"]) == 2
    assert counted.said["parts"] > 2
    assert int(counted.said["killed: died"]) in counted.said["workers"]
    assert counted.tally("killed") == by_duckdb("parquet folder")

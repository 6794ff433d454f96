"""A file counted by any engine is one tally, byte for byte, and its numbers are those of the rows."""

import json
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pytest

import metrics
from metrics.data.read_options import ReadOptions
from metrics.engines import count, count_frame
from metrics.readers import open_table, read_as
from tests.shared_data import data

ROOT = Path(__file__).parents[2]
SAMPLES = ("pooled_at_chance", "rao_two_criteria", "support_answers", "template")
REAL = ("dices350_expert_vs_crowd", "llmrubric_real_binary", "mtbench_gpt4_votes", "pandalm_pairwise", "topicalchat_unieval")

KEPT = {"pandalm_pairwise": ("prompt_id",)}
"""Columns that reports speak of without being asked, and that a tally must keep for that."""


@pytest.fixture(params=SAMPLES + REAL, name="path")
def path_fixture(request: pytest.FixtureRequest) -> Path:
    return ROOT / "assets" / f"{request.param}.csv" if request.param in SAMPLES else data(f"{request.param}.csv")


def opened(path: Path) -> list[Any]:
    """The ratings of a file and of its tally, with every doubt taken as proposed."""
    return [read_as(source, ReadOptions()) for source in (path, count(path, keep=KEPT.get(path.stem, ())).to_bytes())]


def test_numbers_from_a_tally_are_those_of_the_rows(path: Path) -> None:
    whole, tally = opened(path)
    assert tally.scheme == whole.scheme
    assert tally.criteria == whole.criteria
    assert tally.raters == whole.raters
    assert tally.n_items == whole.n_items
    assert tally.left_out.counts() == whole.left_out.counts()
    told = []
    for ratings in (whole, tally):
        try:
            told.append(metrics.agreement(ratings).to_dict())
        except metrics.InputError as error:
            told.append({"declaration": {}, "refused": str(error).replace(ratings.source.name, "")})
        for name in ("sha256", "file", "tally"):
            told[-1]["declaration"].pop(name, None)
    assert json.dumps(told[0], sort_keys=True) == json.dumps(told[1], sort_keys=True)


def test_every_engine_writes_the_same_bytes(path: Path) -> None:
    text = open_table(path).data
    arrow = pa.table({name: text[name].cast(pa.string()) for name in text.column_names})
    frames = [arrow, arrow.to_pandas(), polars.from_arrow(arrow), polars.from_arrow(arrow).lazy()]
    written = {count_frame(frame, name=path.name).to_bytes() for frame in frames}
    written |= {count(path, engine=engine).to_bytes() for engine in ("duckdb", "polars")}
    assert len(written) == 1

"""Builders shared by the tests: ratings made of labels, without any reader in between."""

from __future__ import annotations

import gc
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, settings

from metrics import Rater, Ratings, Scheme
from metrics.asker import usually
from metrics.data.ratings import Source

# A failure is told in full: what is tested here is nobody's secret.
os.environ.setdefault("KAPPASCOPE_LOGS", "whole")

# A slow machine is no defect (what takes how long is measured in benchmarks/), and the same examples everywhere make a
# failure one that everybody sees. `--hypothesis-profile=search` looks for new ones.
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("search", settings.default, derandomize=False, **PATIENT)
settings.register_profile("alike", settings.default, derandomize=True, database=None, **PATIENT)
settings.load_profile("alike")


QUICK_WITHOUT = {
    "browser": "journeys in Chromium",
    "checklist": "checklists of every kind of data",
    "engines": "Spark and Dask",
    "figures": "pictures",
    "fuzz": "readers against made-up input",
    "lab": "the lessons",
    "one_number": "every command on every made-up file",
    "pages": "pages run by Streamlit",
    "report": "documents and their writers",
    "serving": "servers",
    "simulation": "simulations",
}
"""Folders that `make quick` does not even import, and what is in them; single tests outside are marked `slow`."""
QUICK_EXAMPLES = 10
"""Of a test with more examples `make quick` runs these, spread over all: most of its time went into examples alike. Of those
that Hypothesis makes up it makes as many."""
OWN_SETTINGS = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps the settings of a test, whose decorator takes no second ones."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="skip what takes long: tests marked slow, and folders of QUICK_WITHOUT")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    left_out = collection_path.parent == Path(__file__).parent and collection_path.name in QUICK_WITHOUT
    return True if config.option.quick and left_out else None


def pytest_itemcollected(item: pytest.Item) -> None:
    if not item.config.option.quick:
        return
    if mark := item.get_closest_marker("slow"):
        item.add_marker(pytest.mark.skip(reason=f"slow: {mark.args[0]}"))
    test = getattr(item, "function", None)
    if made_up := getattr(test, OWN_SETTINGS, None):
        setattr(test, OWN_SETTINGS, settings(made_up, max_examples=min(made_up.max_examples, QUICK_EXAMPLES)))


def spread(items: Sequence[pytest.Item], most: int) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The items without those beyond so many examples of one test, and these; the first example of each always stays."""
    places: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(item.nodeid.partition("[")[0], []).append(place)
    kept = {examples[at * len(examples) // most] for examples in places.values() for at in range(most)}
    return [items[place] for place in sorted(kept)], [item for place, item in enumerate(items) if place not in kept]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.option.quick:
        folders = ", ".join(f"tests/{name} ({what})" for name, what in QUICK_WITHOUT.items())
        examples = f"of each test all but {QUICK_EXAMPLES} examples"
        terminalreporter.write_line(f"Left out beside what was skipped: {folders}; {examples}. `make test` runs all.")


DEAR = tuple(f"tests/{name}/" for name in "browser engines golden intervals one_number fuzz serving pages comparison".split())
"""Folders with the files that take longest, the longest first: some have few tests, and would be among the last."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Workers take the dear files first: what is taken last must be small, or the others wait for it.

    Journeys stand together, so that every worker starts one Chromium at most.
    """
    if config.option.quick:
        items[:], left_out = spread(items, QUICK_EXAMPLES)
        config.hook.pytest_deselected(items=left_out)
    if not hasattr(config, "workerinput"):
        return
    files = [item.nodeid.partition("::")[0] for item in items]
    sizes = Counter(files)
    ranks = {name: [not name.startswith(folder) for folder in DEAR] for name in sizes}
    order = sorted(range(len(items)), key=lambda place: (ranks[files[place]], -sizes[files[place]], files[place]))
    items[:] = [items[place] for place in order]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: a worker waits for its browser, which is a process of its own, a quarter of the time."""
    return (os.cpu_count() or 1) + (not config.option.quick)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config) -> None:
    # Sorted by how many tests a file has, as xdist would, the journeys are among the last.
    config.option.loadscopereorder = False


@pytest.fixture(autouse=True)
def nobody_asked() -> Iterator[None]:
    """The dashboard words every refusal of its process for pages; the next test is answered as Python again."""
    yield
    usually("python")


def pytest_collection_finish() -> None:
    # What the imports made is never garbage; without this every full collection walks through all of it.
    gc.collect()
    gc.freeze()
    # A page or a report makes more than the usual 700 objects before it lets go of any.
    gc.set_threshold(50_000)


KINDS = {
    "MET": "positive", "UNMET": "negative", "CA": "abstention", "TIE": "tie", "BAD": "invalid", "ERR": "error", "GONE": "missing",
}  # fmt: skip
THREE = ("MET", "UNMET", "CA")
Row = tuple[str, str, str, str, str]
"""(item, criterion, rater, role, label)"""


def ratings_of(
    rows: Iterable[Row],
    *,
    kinds: Mapping[str, str] = KINDS,
    criteria: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
    raters: Sequence[tuple[str, str]] | None = None,
    order: Sequence[str] = (),
    multiplicity: Sequence[int] | None = None,
) -> Ratings:
    """Ratings of these rows; items, criteria and raters in the order of their first row unless given."""
    rows = list(rows)
    items = list(items or dict.fromkeys(row[0] for row in rows))
    criteria = list(criteria or dict.fromkeys(row[1] for row in rows))
    raters = list(raters or dict.fromkeys((row[2], row[3]) for row in rows))
    labels = list(kinds)
    places = [{name: i for i, name in enumerate(names)} for names in (items, criteria, raters, labels)]
    codes = np.array(
        [[places[0][i], places[1][c], places[2][r, role], places[3][label]] for i, c, r, role, label in rows], np.int32
    ).reshape(-1, 4)
    return Ratings(
        source=Source("made up", "0" * 64, "raters" if multiplicity is None else "counts", len(rows), ()),
        scheme=Scheme(tuple(kinds.items()), tuple(order)),
        items=pa.array(items, pa.string()),
        criteria=tuple(criteria),
        raters=tuple(Rater(*rater) for rater in raters),
        labels=tuple(labels),
        item=codes[:, 0],
        criterion=codes[:, 1],
        rater=codes[:, 2],
        label=codes[:, 3],
        row=np.arange(len(rows), dtype=np.int64),
        multiplicity=None if multiplicity is None else np.asarray(multiplicity, np.int64),
        rows_used=len(rows),
    )


def paired(human: Sequence[Sequence[str | None]], judge: Sequence[Sequence[str | None]], **options: Any) -> Ratings:
    """One human and one judge, a list of labels per item; None where there is no row."""
    width = max(len(row) for row in human)
    rows = [
        (f"i{i}", f"c{c}", who, role, label)
        for who, role, sides in (("h", "human", human), ("j", "judge", judge))
        for i, labels in enumerate(sides)
        for c, label in enumerate(labels)
        if label is not None
    ]
    named = {"criteria": [f"c{c}" for c in range(width)], "raters": [("h", "human"), ("j", "judge")]}
    return ratings_of(rows, **{"items": [f"i{i}" for i in range(len(human))]} | named | options)


def of_tables(*tables: Any, labels: Sequence[str] = THREE, **options: Any) -> Ratings:
    """One criterion per table of counts, item by item in the order of the cells; item i is rated on every criterion."""
    columns = []
    for table in tables:
        counts = np.asarray(table)
        columns.append(
            [(labels[r], labels[c]) for r in range(len(counts)) for c in range(len(counts)) for _ in range(int(counts[r, c]))]
        )
    n = max(len(column) for column in columns)
    sides = [[[column[i][side] if i < len(column) else None for column in columns] for i in range(n)] for side in (0, 1)]
    return paired(sides[0], sides[1], **options)


@pytest.fixture(scope="session")
def build_ratings() -> Callable[..., Ratings]:
    return ratings_of


@pytest.fixture(scope="session")
def build_paired() -> Callable[..., Ratings]:
    return paired


@pytest.fixture(scope="session")
def build_of_tables() -> Callable[..., Ratings]:
    return of_tables


@pytest.fixture(scope="session")
def published() -> dict[str, dict[str, Any]]:
    """Published and recomputed values by id: inputs, expected values (null is undefined), tolerance, source."""
    entries = json.loads((Path(__file__).parent / "reference_values.json").read_text())
    return {entry["id"]: entry for entry in entries}


@pytest.fixture
def unprepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit as it comes: what `prepare` of `deploy/serve.py` changes in it is changed for one test."""
    from starlette.formparsers import MultiPartParser
    from streamlit import net_util
    from streamlit.runtime.pages_manager import PagesManager
    from streamlit.runtime.state.safe_session_state import SafeSessionState
    from streamlit.web.server.starlette import starlette_app

    for own, name in (
        (starlette_app, "create_streamlit_routes"),
        (net_util, "get_external_ip"),
        (PagesManager, "uses_pages_directory"),
        (MultiPartParser, "spool_max_size"),
        (SafeSessionState, "filtered_state"),
    ):
        monkeypatch.setattr(own, name, getattr(own, name))
    monkeypatch.setenv("KAPPASCOPE_DOCS", "")
    monkeypatch.chdir(Path(__file__).parents[1])


def jackknifed_by_weight(weight: np.ndarray, value: Callable[[np.ndarray], float]) -> float:
    """The variance of a number of weights when each item is left out once, and the others of its weight stand in for it."""
    variance = 0.0
    for stratum in np.unique(weight):
        inside = np.flatnonzero(weight == stratum)
        left_out = []
        for place in inside:
            own = weight.copy()
            own[inside] *= len(inside) / (len(inside) - 1)
            own[place] = 0
            left_out.append(value(own))
        variance += (len(inside) - 1) / len(inside) * float(((np.array(left_out) - np.mean(left_out)) ** 2).sum())
    return variance

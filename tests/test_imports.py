"""Who may import whom, read from the syntax trees."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse.csgraph

import metrics

ROOT = Path(__file__).resolve().parent.parent

# Longest matching prefix counts. Modules of the standard library are free for all.
ALLOWED = {
    "app": {"streamlit", "pages.shared"},
    "pages": {"streamlit", "pages.shared", "metrics"},
    "pages.shared": {"streamlit", "pages.shared", "metrics"},
    "pages.shared.teaching.links": {"streamlit", "segno", "pages.shared"},
    "metrics": {"numpy", "scipy", "metrics"},
    "metrics.figures": {"plotly", "numpy", "metrics"},
    "metrics.readers": {"pandas", "pyarrow", "openpyxl", "charset_normalizer", "numpy", "metrics"},
    "metrics.results.report": {"cattrs", "numpy", "metrics"},
    "metrics.analyses.records": {"pandas", "narwhals", "numpy", "metrics"},
    "metrics.data.ratings": {"pandas", "narwhals", "numpy", "pyarrow", "metrics"},
    "metrics.data.pairs": {"pandas", "narwhals", "numpy", "metrics"},
    "metrics.data.patterns": {"pandas", "narwhals", "numpy", "metrics"},
    "metrics.analyses.raters.adjudicating": {"pandas", "numpy", "metrics"},
    "metrics.analyses.scores.item_scores": {"pandas", "numpy", "metrics"},
    "metrics.data.item_columns": {"numpy", "pyarrow", "metrics"},
    "metrics.data.filtering": {"numpy", "metrics"},
    "metrics.data.item_texts": {"numpy", "pyarrow", "metrics"},
    "metrics.data.part": {"numpy", "pyarrow", "metrics"},
    "metrics.data.reasons": {"numpy", "pyarrow", "metrics"},
    "metrics.analyses.agreement.decisions": {"pandas", "numpy", "pyarrow", "metrics"},
    "metrics.analyses.comparison.forest": {"pandas", "metrics"},
    "metrics.analyses.comparison.result": {"pandas", "numpy", "scipy", "metrics"},
    "metrics.analyses.comparison.discordant": {"pandas", "numpy", "pyarrow", "metrics"},
    "metrics.analyses.comparison.joining": {"pandas", "numpy", "pyarrow", "metrics"},
    "metrics.results.safe_csv": {"pandas", "metrics"},
    "metrics.report": {"pandas", "numpy", "jinja2", "markupsafe", "plotly", "xlsxwriter", "typst", "metrics"},
    "metrics.engines": {"narwhals", "numpy", "pyarrow", "metrics"},
    "metrics.engines.clusters": {"pyarrow", "dask", "distributed", "pyspark", "metrics"},
    "metrics.engines.engine_gaps": {"narwhals", "pyarrow", "polars", "dask", "pyspark", "metrics"},
    "metrics.engines.sources": {"pyarrow", "duckdb", "polars", "metrics"},
    "metrics.commands.cli": {"click", "metrics"},
    "metrics.commands": {"click", "metrics"},
    "metrics.report.checklist": {"numpy", "scipy", "metrics"},
    "metrics.report.checklist.compute": {"pandas", "metrics"},
    "metrics.analyses.roc.result": {"pandas", "numpy", "metrics"},
    "metrics.analyses.raters.result": {"pandas", "numpy", "metrics"},
    "metrics.analyses.review.before_after": {"numpy", "pyarrow", "metrics"},
    "metrics.analyses.review.changes": {"pandas", "numpy", "metrics"},
    "metrics.analyses.review.compute": {"numpy", "pyarrow", "metrics"},
    "metrics.analyses.review.tables": {"pandas", "numpy", "metrics"},
    "metrics.analyses.disagreements.query": {"numpy", "pyarrow", "metrics"},
    "metrics.analyses.coding.tables": {"pandas", "numpy", "metrics"},
    "metrics.analyses.disagreements.tables": {"pandas", "numpy", "metrics"},
    "metrics.analyses.disagreements.lists": {"pandas", "metrics"},
    "metrics.analyses.sampling.result": {"pandas", "metrics"},
    "metrics.analyses.scores.result": {"pandas", "numpy", "metrics"},
    "metrics.analyses.slices.grouping": {"numpy", "metrics"},
    "metrics.analyses.slices.result": {"pandas", "metrics"},
    "metrics.analyses.simulation.compute": {"pandas", "numpy", "metrics"},
    "metrics.analyses.simulation.studies": {"pandas", "metrics"},
    "metrics.__main__": {"click", "metrics"},
}
DRAWS = ("metrics.figures", "metrics.report", "pages", "app")
QUESTIONS = (
    "agreement", "scores", "planning", "comparison", "sampling", "prevalence", "multiverse", "true_rate", "roc", "abstention",
    "kappa_phi", "preferences", "raters", "ensembles", "judge_selection", "review", "simulation", "slices", "biases",
    "overview", "disagreements", "coding",
)  # fmt: skip
FLOORS = (
    ("metrics.errors", "metrics.asker", "metrics.extras", "metrics.loading", "metrics.version"),
    ("metrics.measures",), ("metrics.results",), ("metrics.data",),
    ("metrics.readers", "metrics.engines", "metrics.intervals"), ("metrics.analyses",),
    tuple(f"metrics.analyses.{name}" for name in QUESTIONS), ("metrics.report.checklist", "metrics.content"),
    ("metrics.figures",),
    ("metrics.report",), ("metrics.commands",),
)  # fmt: skip
"""Rooms from the ground up: none imports from a higher one. Questions are in order too: each may ask those before it."""
FOR_A_TYPE = {("metrics.analyses.planning.compute", "metrics.analyses.comparison.result")}
"""A plan takes a comparison, which says what it still needs: one of the two circles that are left."""


def sources() -> list[Path]:
    found = [*(ROOT / "metrics").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]
    return [path for path in found if path.exists()]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


@cache
def statements(path: Path) -> list[ast.AST]:
    """What the laws are about in a file; every file is parsed once for all of them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.keyword)]


@cache
def imported(path: Path) -> list[str]:
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    names: list[str] = []
    for node in statements(path):
        if isinstance(node, ast.Import):
            names += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            names += [".".join([*base, *filter(None, [node.module]), name.name]) for name in node.names]
    return names


def circles() -> list[set[str]]:
    """Return sets of modules that import each other, imports inside functions and for types alone counted."""
    paths = {module_name(path): path for path in sources() if path.name != "__init__.py"}
    known = {name: place for place, name in enumerate(paths)}
    edges = [
        (place, known[other])
        for name, place in known.items()
        for full in imported(paths[name])
        for other in (full, full.rpartition(".")[0])
        if other in known
    ]
    graph = scipy.sparse.coo_array((np.ones(len(edges)), np.transpose(edges)), shape=(len(known),) * 2)
    n, part = scipy.sparse.csgraph.connected_components(graph, connection="strong")
    found = [{name for name, place in known.items() if part[place] == one} for one in range(n)]
    return [names for names in found if len(names) > 1]


@pytest.mark.slow("reads all code")
def test_two_circles_of_imports_and_no_more() -> None:
    found = circles()
    assert sorted(map(len, found)) == [3, 3]
    assert {"metrics.data.ratings", "metrics.analyses.comparison.result"} <= set().union(*found)


def floor_of(module: str) -> tuple[int, int] | None:
    """Return floor of a module and its place there; None of the package itself."""
    rooms = [(floor, place, room) for floor, own in enumerate(FLOORS) for place, room in enumerate(own) if within(module, room)]
    if not rooms:
        return None
    floor, place, _ = max(rooms, key=lambda found: len(found[2]))
    return floor, place if FLOORS[floor][0].startswith("metrics.analyses.") else 0


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_no_room_imports_from_a_higher_one(path: Path) -> None:
    module = module_name(path)
    own = floor_of(module)
    if own is None or not module.startswith("metrics."):
        return
    higher = {name for name in imported(path) if within(name, "metrics") and (floor_of(name) or own) > own}
    assert not {name for name in higher if (module, name.rpartition(".")[0]) not in FOR_A_TYPE}


def within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def allowed_for(module: str) -> set[str]:
    if module == "metrics":  # its names, each loaded where it is first used
        return {"lazy_loader", "metrics.loading"}
    return ALLOWED[max((prefix for prefix in ALLOWED if within(module, prefix)), key=len)]


def is_free(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_imports_only_what_its_place_allows(path: Path) -> None:
    allowed = allowed_for(module_name(path))
    outside = {name for name in imported(path) if not is_free(name) and not any(within(name, prefix) for prefix in allowed)}
    assert not outside


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_figures_are_drawn_only_by_pages_and_reports(path: Path) -> None:
    module = module_name(path)
    if not any(within(module, prefix) for prefix in DRAWS):
        assert not [name for name in imported(path) if within(name, "metrics.figures")]


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_no_global_statement_and_no_raw_html(path: Path) -> None:
    assert not [node for node in statements(path) if isinstance(node, ast.Global)]
    assert not [node for node in statements(path) if isinstance(node, ast.keyword) and node.arg == "unsafe_allow_" + "html"]


def test_the_package_loads_without_plotly_streamlit_or_engines() -> None:
    code = "import sys; from metrics import *; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"plotly", "streamlit", "jinja2", "polars", "duckdb", "xlsxwriter"} & set(shown.stdout.split())


def test_the_package_is_loaded_with_what_is_first_asked_of_it() -> None:
    code = "import metrics, sys; print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"numpy", "pandas", "scipy"} & set(shown.stdout.split())


def test_no_module_shares_a_public_functions_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(metrics.__path__)}
    assert not modules & set(metrics.__all__)

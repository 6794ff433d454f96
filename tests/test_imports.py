"""Who may import whom, read from the syntax trees."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
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
    "metrics": {"numpy", "scipy", "metrics"},
    "metrics.figures": {"plotly", "numpy", "metrics"},
    "metrics.readers": {"pandas", "pyarrow", "openpyxl", "charset_normalizer", "numpy", "metrics"},
    "metrics.reports": {"cattrs", "numpy", "metrics"},
    "metrics.results": {"pandas", "narwhals", "numpy", "metrics"},
    "metrics.ratings": {"pandas", "narwhals", "numpy", "pyarrow", "metrics"},
    "metrics.pairs": {"pandas", "narwhals", "numpy", "metrics"},
    "metrics.patterns": {"pandas", "narwhals", "numpy", "metrics"},
    "metrics.reliability.adjudicating": {"pandas", "numpy", "metrics"},
    "metrics.scales.autorubric": {"pandas", "metrics"},
    "metrics.scales.item_scores": {"pandas", "numpy", "metrics"},
    "metrics.scales.part": {"numpy", "pyarrow", "metrics"},
    "metrics.selecting": {"pandas", "numpy", "pyarrow", "metrics"},
    "metrics.comparison.contrasts": {"pandas", "numpy", "scipy", "metrics"},
    "metrics.comparison.contests": {"pandas", "numpy", "pyarrow", "metrics"},
    "metrics.comparison.joining": {"pandas", "numpy", "pyarrow", "metrics"},
    "metrics.export": {"pandas", "metrics"},
    "metrics.report": {"pandas", "numpy", "jinja2", "markupsafe", "plotly", "xlsxwriter", "typst", "metrics"},
    "metrics.engines": {"narwhals", "numpy", "pyarrow", "metrics"},
    "metrics.engines.clusters": {"pyarrow", "dask", "distributed", "pyspark", "metrics"},
    "metrics.engines.native": {"narwhals", "pyarrow", "polars", "dask", "pyspark", "metrics"},
    "metrics.engines.ragged": {"pyarrow", "polars", "metrics"},
    "metrics.engines.sources": {"pyarrow", "duckdb", "polars", "metrics"},
    "metrics.cli": {"click", "metrics"},
    "metrics.commands": {"click", "metrics"},
    "metrics.practices.checklist": {"pandas", "metrics"},
    "metrics.ranking.curves": {"pandas", "numpy", "metrics"},
    "metrics.reliability.report": {"pandas", "numpy", "metrics"},
    "metrics.reviewing.before_after": {"numpy", "pyarrow", "metrics"},
    "metrics.reviewing.changes": {"pandas", "numpy", "metrics"},
    "metrics.reviewing.definitions": {"numpy", "pyarrow", "metrics"},
    "metrics.reviewing.tables": {"pandas", "numpy", "metrics"},
    "metrics.scales.report": {"pandas", "numpy", "metrics"},
    "metrics.simulating.selection": {"pandas", "numpy", "metrics"},
    "metrics.simulating.studies": {"pandas", "metrics"},
    "metrics.__main__": {"click", "metrics"},
}
DRAWS = ("metrics.figures", "metrics.report", "pages", "app")


def sources() -> list[Path]:
    found = [*(ROOT / "metrics").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]
    return [path for path in found if path.exists()]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imported(path: Path) -> Iterator[str]:
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield from (".".join([*base, *filter(None, [node.module]), name.name]) for name in node.names)


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


def test_two_circles_of_imports_and_no_more() -> None:
    found = circles()
    assert sorted(map(len, found)) == [3, 4]
    assert {"metrics.ratings", "metrics.comparison.contrasts"} <= set().union(*found)


def within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def allowed_for(module: str) -> set[str]:
    if module == "metrics":  # its names, each loaded where it is first used
        return {"lazy_loader"}
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
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global)]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "unsafe_allow_" + "html"]


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

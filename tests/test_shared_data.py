"""Files that are not part of this repository are looked for in one place, and whoever lacks them is told so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import shared_data

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = {"tests/shared_data.py", "tests/test_shared_data.py"}
OUTSIDE = re.compile(r"\bROOT\.parent\b|parents\[2\]\.parent|parents\[3\]")


def named(tree: ast.AST) -> Iterator[int]:
    """Lines with a path through a folder called so; `pages/shared` is a package of this repository, and a key is no path."""
    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and "pages" not in ast.unparse(node.left):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Call):
            parts = node.args
        yield from (part.lineno for part in parts if isinstance(part, ast.Constant) and part.value == "shared")
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "/" in node.value:
            before, found, _ = f"/{node.value}/".partition("/shared/")
            if found and "pages" not in before:
                yield node.lineno


def looked_for(text: str) -> list[int]:
    """Lines of a source that look for the folder, or for anything beside the checkout."""
    lines = [place for place, line in enumerate(text.splitlines(), 1) if OUTSIDE.search(line)]
    return sorted({*named(ast.parse(text)), *lines})


@pytest.mark.slow("reads all code")
def test_no_other_place_looks_for_the_folder() -> None:
    sources = [path for folder in ("tests", "benchmarks", "assets", "deploy") for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(sources) > 100
    found = {str(path.relative_to(ROOT)): looked_for(path.read_text("utf-8")) for path in sources}
    assert {name: lines for name, lines in found.items() if lines and name not in ALLOWED} == {}


@pytest.mark.parametrize(
    "text",
    ['DATA = HERE / "shared" / "data"', 'DATA = HERE / "shared/data"', 'open("../shared/data/a.csv")', 'HERE.joinpath("shared")',
     'f"{HERE}/shared/data/{name}"', "DATA = Path(__file__).resolve().parents[3]", 'X = ROOT.parent / "data"'],
)  # fmt: skip
def test_every_way_to_look_for_it_is_seen(text: str) -> None:
    assert looked_for(text) == [1]


@pytest.mark.parametrize(
    "text",
    ['PAGES = ROOT / "pages" / "shared"', '{"shared": 1}["shared"]', 'open("pages/shared/plain.py")', '"shared by all tests"'],
)
def test_what_is_called_alike_is_not_taken_for_it(text: str) -> None:
    assert looked_for(text) == []


def test_a_file_that_is_not_here_ends_the_test_with_the_reason(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(shared_data, "FOLDER", tmp_path / "shared")
    with pytest.raises(pytest.skip.Exception, match=r"data/a\.csv is a real file that this repository does not hold"):
        shared_data.data("a.csv")
    assert shared_data.files("data/*.csv") == []
    (tmp_path / "shared" / "data").mkdir(parents=True)
    (tmp_path / "shared" / "data" / "a.csv").touch()
    assert shared_data.data("a.csv") == tmp_path / "shared" / "data" / "a.csv"
    assert shared_data.files("data/*.csv") == [shared_data.data("a.csv")]

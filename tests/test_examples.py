"""The notebooks run from top to bottom, as a kernel runs them, and what their cells show can be shown."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def cells(path: Path, kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == kind]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell and return what its last line is, as a kernel shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_there_is_one_for_each_use() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["check_a_judge", "compare_two_prompts", "teach_the_paradox"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = [run(source, names) for source in cells(path, "code")]
    assert sum(value is not None for value in shown) >= 4
    for value in shown:
        assert value is None or repr(value)
        if hasattr(value, "_repr_html_"):
            assert "<" in value._repr_html_()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_what_it_showed(path: Path) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    assert notebook["nbformat"] == 4
    assert all(cell.get("outputs", []) == [] and cell.get("execution_count") is None for cell in notebook["cells"])
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert cells(path, "markdown")[0].startswith("# ")

"""The notebooks run from top to bottom, as a kernel runs them, and what their cells show can be shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from docs import notebooks
from docs.notebooks import run

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def cells(path: Path, kind: str) -> list[str]:
    return [source for known, source in notebooks.cells(path) if known == kind]


def test_the_lines_of_the_readme_run_as_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = (ROOT / "README.md").read_text("utf-8").split("## Python\n")[1].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert len(blocks) >= 2
    labels = (ROOT / "assets" / "support_answers.csv").read_text("utf-8")
    (tmp_path / "labels.csv").write_text(labels.replace("strict", "judge-1").replace("lenient", "judge-2"), "utf-8")
    monkeypatch.chdir(tmp_path)
    y_true, y_pred = ["yes", "no", "yes", "no"], ["yes", "no", "no", "no"]
    names = {"y_true": y_true, "y_pred": y_pred, "df": pd.DataFrame({"gold": y_true, "pred": y_pred})}
    for block in blocks:
        run(block, names)


def test_there_is_one_for_each_use() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["check_a_judge", "compare_two_prompts", "review_a_rubric", "teach_the_paradox"]


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

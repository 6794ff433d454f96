"""The notebooks run from top to bottom, as a kernel runs them, and what their cells show can be shown."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
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


WRITTEN = [ROOT / "README.md", ROOT / "SKILL.md", *sorted((ROOT / "docs").glob("*.md"))]
DOTTED = re.compile(r"(?<![\w.])metrics(?:\.[A-Za-z_]\w*){2,}(?=\()")
NAMED = sorted({name for path in WRITTEN for name in DOTTED.findall(path.read_text("utf-8"))})
"""What texts call by the module that it is in."""
PACKAGES = ("metrics", "kappascope")


FORKED = """
import json, os, sys
import numpy, pandas, pyarrow, scipy  # not ours: loaded once for all
sys.path[:0], codes = json.load(sys.stdin)
said = {}
for code in codes:
    out, into = os.pipe()
    if not os.fork():
        os.dup2(into, 2)
        exec(code, {})
        os._exit(0)
    os.close(into)
    said[code] = open(out).read()
print(json.dumps(said))
"""
NEITHER = ("kappascope.nothing", "kappascope.readers.nothing")
BOTH = (
    "import kappascope.readers.formats.registry as one, metrics.readers.formats.registry as other; assert one is other; "
    "from kappascope.errors import InputError; import kappascope, metrics; assert InputError is metrics.InputError; "
    "assert kappascope.readers is metrics.readers; assert kappascope.__version__ == metrics.__version__"
)


def called(name: str, package: str) -> str:
    return f"import {package}; {name.replace('metrics', package, 1)}"


@cache
def alone() -> dict[str, str]:
    """What a process that ran nothing else of the package says on stderr of each line: one may load what the next needs."""
    codes = [*(called(name, package) for name in NAMED for package in PACKAGES), BOTH, *(f"import {name}" for name in NEITHER)]
    asked = json.dumps([[str(ROOT), str(ROOT / "deploy")], codes])
    done = subprocess.run([sys.executable, "-c", FORKED], input=asked, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("name", NAMED)
def test_a_name_that_is_written_with_its_module_is_there_after_one_import(name: str, package: str) -> None:
    assert not alone()[called(name, package)]


def test_texts_name_what_lies_in_modules() -> None:
    assert {"metrics.report.writing.write", "metrics.report.making.report_of", "metrics.engines.count"} <= set(NAMED)


def test_a_module_under_both_names_is_one() -> None:
    assert not alone()[BOTH]


@pytest.mark.parametrize("name", NEITHER)
def test_what_neither_has_is_said_to_be_missing(name: str) -> None:
    assert f"No module named '{name}'" in alone()[f"import {name}"]


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

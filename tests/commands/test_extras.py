"""Without an extra a command ends with exit code 2 and the line that installs it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import metrics
from metrics import extras
from metrics.commands import app as command
from metrics.commands.cli import main
from metrics.report.writing import FORMATS

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "assets" / "support_answers.csv"
CASES = [
    ("streamlit", ("app", str(SAMPLE)), "app"),
    ("starlette", ("app",), "app"),
    ("jinja2", ("report", str(SAMPLE), "--out", "a.html"), "report"),
    ("plotly", ("report", str(SAMPLE), "--out", "a.md"), "report"),
    ("typst", ("report", str(SAMPLE), "--out", "a.pdf"), "report"),
    ("xlsxwriter", ("report", str(SAMPLE), "--out", "a.xlsx"), "report"),
    ("narwhals", ("count", str(SAMPLE), "--out", "a.csv"), "engines"),
    ("duckdb", ("count", str(SAMPLE), "--out", "a.csv"), "engines"),
]


def run(library: str, words: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as if the library were not installed."""
    code = f"import sys; sys.modules[{library!r}] = None; from metrics.commands.cli import main; main()"
    where = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=folder, env=where, capture_output=True, text=True, check=False
    )


@pytest.mark.slow("runs commands")
@pytest.mark.parametrize(("library", "words", "extra"), CASES, ids=[case[0] for case in CASES])
def test_what_is_not_installed_is_named_with_the_line_to_type(library: str, words: tuple[str, ...], extra: str, tmp_path) -> None:
    done = run(library, words, tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stderr.strip() == f"Error: This needs {library}, which is not installed. Type: pip install 'kappascope[{extra}]'"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("suffix", "library"), [(name, own) for name, kind in FORMATS.items() for own in kind.needs])
def test_a_report_is_refused_before_it_is_worked_out(monkeypatch, capsys, tmp_path, suffix: str, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr(import_module("metrics.commands.report"), "_made", lambda *_: pytest.fail("it was worked out"))
    with pytest.raises(SystemExit) as stop:
        main(["report", str(SAMPLE), "--out", str(tmp_path / "a.json"), "--out", str(tmp_path / f"a{suffix}")])
    assert stop.value.code == 2
    assert f"This needs {library}, which is not installed." in capsys.readouterr().err


NEEDING_NONE = (
    ("agreement", SAMPLE),
    ("compare", SAMPLE, "--a", "strict", "--b", "lenient"),
    ("raters", SAMPLE),
    ("selftest",),
)
EVERY = """
import sys
sys.modules |= dict.fromkeys({extras}, None)
from metrics.commands.cli import main
for words in {lines}:
    try:
        main(words)
    except SystemExit as stop:
        assert not stop.code, (words, stop.code)
    else:
        raise AssertionError(words)
"""


@pytest.mark.slow("runs commands")
def test_numbers_need_no_extra(tmp_path) -> None:
    code = EVERY.format(extras=list(extras.EXTRAS), lines=[[str(word) for word in words] for words in NEEDING_NONE])
    where = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=where, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_libraries_of_extras_are_those_of_the_package() -> None:
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = {extra: " ".join(needs) for extra, needs in offered.items()}
    for library, extra in extras.EXTRAS.items():
        assert library in named[extra] or library in ("starlette", "markupsafe")


def test_an_error_that_is_no_extra_stays_itself() -> None:
    error = ModuleNotFoundError("No module named 'nothing'", name="nothing")
    assert extras.missing(error) is error
    with pytest.raises(ModuleNotFoundError):
        extras.load("nothing_at_all")


def test_a_figure_without_plotly_says_so_and_the_notebook_shows_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    report = metrics.agreement([1, 0, 1], [1, 0, 0])
    monkeypatch.setitem(sys.modules, "metrics.figures.of_reports", None)
    monkeypatch.setattr(extras, "EXTRAS", extras.EXTRAS | {"metrics": "report"})
    with pytest.raises(metrics.InputError, match=r"kappascope\[report\]"):
        report.plot()
    assert "<table" in report._repr_html_()


def test_where_no_dashboard_is_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr(command, "CHECKOUT", tmp_path / "serve.py")
    monkeypatch.setattr(command, "LAUNCHER", "kappascope_that_is_not_here")
    with pytest.raises(metrics.InputError, match=r"pip install 'kappascope\[app\]'"):
        command.launcher()

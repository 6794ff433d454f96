"""The repository is configured as promised: privacy, pins, layout, targets."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import metrics

ROOT = Path(__file__).resolve().parent.parent
TOP_LEVEL = {
    ".ci",
    ".github",
    ".gitignore",
    ".streamlit",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SKILL.md",
    "app.py",
    "assets",
    "benchmarks",
    "deploy",
    "docs",
    "examples",
    "metrics",
    "pages",
    "pyproject.toml",
    "requirements-dev.txt",
    "requirements-docs.txt",
    "requirements-engines.txt",
    "requirements-fuzz.txt",
    "requirements.txt",
    "tests",
}


def toml(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


def pins(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").split("\n")
    return dict(line.split("==") for line in lines if line and not line.startswith("-r "))


def tracked() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listing.stdout.splitlines()


def test_the_server_stays_on_this_machine_and_sends_no_statistics() -> None:
    config = toml(".streamlit/config.toml")
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["maxUploadSize"] == 300
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"] == {"toolbarMode": "viewer", "showErrorLinks": False, "disableDataExport": True}


def test_streamlit_reads_the_hidden_option_from_the_file() -> None:
    code = (
        "from streamlit import config; config.get_config_options(force_reparse=True);"
        "print(config.get_option('runner.postScriptGC'), config.get_option('server.address'))"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "127.0.0.1"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_theme_has_ten_series_colours(theme: str) -> None:
    colours = toml(".streamlit/config.toml")["theme"][theme]["chartCategoricalColors"]
    assert len(set(colours)) == 10
    assert all(re.fullmatch(r"#[0-9A-F]{6}", colour) for colour in colours)


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", "requirements-docs.txt"])
def test_every_requirement_is_pinned(name: str) -> None:
    lines = [line for line in (ROOT / name).read_text(encoding="utf-8").split("\n") if line]
    for line in lines:
        assert line == "-r requirements.txt" or re.fullmatch(r"[a-z0-9-]+==[0-9][0-9.]*", line), line


def test_engines_are_tested_with_the_pins_of_the_dashboard() -> None:
    lines = (ROOT / "requirements-engines.txt").read_text(encoding="utf-8").split("\n")
    assert "-c requirements.txt" in lines
    for line in lines:
        if line and not line.startswith(("#", "-c ")):
            assert line in pins("requirements.txt") or re.fullmatch(r"[a-z0-9-]+(\[[a-z,]+\])?==[0-9][0-9.]*", line), line


def test_what_the_package_needs_is_pinned_for_the_dashboard_too() -> None:
    project = toml("pyproject.toml")["project"]
    extras = project["optional-dependencies"]
    assert "kappascope[report]" in extras["app"]
    wanted = {re.split(r"[<>=]", name)[0] for name in (*project["dependencies"], *extras["app"], *extras["report"])}
    assert wanted - {"kappascope[report]"} == set(pins("requirements.txt"))


def test_engines_are_no_part_of_the_dashboard_and_are_pinned_for_the_tests() -> None:
    engines = {re.split(r"[<>=]", name)[0] for name in toml("pyproject.toml")["project"]["optional-dependencies"]["engines"]}
    assert not engines & set(pins("requirements.txt"))
    assert engines <= set(pins("requirements-dev.txt"))


def test_one_version_everywhere() -> None:
    pyproject = toml("pyproject.toml")
    assert pyproject["project"]["name"] == "kappascope"
    assert pyproject["project"]["requires-python"] == ">=3.11"
    assert pyproject["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "metrics.version.__version__"}
    assert f"## {metrics.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_continuous_integration_runs_the_tests_and_nothing_else() -> None:
    run = ROOT / ".ci" / "run"
    assert os.access(run, os.X_OK)
    assert run.read_text(encoding="utf-8").splitlines()[1:] == ['cd "$(dirname "$0")/.." && exec make test']


def test_top_level_holds_only_what_the_layout_names() -> None:
    assert {name.split("/")[0] for name in tracked()} <= TOP_LEVEL


def test_no_script_lies_directly_in_pages_and_no_test_folder_is_a_package() -> None:
    """Streamlit runs `pages/*.py` on its own; `tests/metrics/__init__.py` would hide the package."""
    assert not list((ROOT / "pages").glob("*.py"))
    assert not list((ROOT / "tests").rglob("__init__.py"))


def test_the_package_is_typed_and_ships_its_schema() -> None:
    found = toml("pyproject.toml")["tool"]["setuptools"]
    assert (ROOT / "metrics" / "py.typed").exists()
    assert found["packages"]["find"]["include"] == ["metrics", "metrics.*", "kappascope"]
    assert found["package-data"]["metrics"] == ["py.typed", "__init__.pyi", "report/schema.json", "report/templates/*"]


def test_readme_gives_the_two_commands_and_the_way_without_make() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for line in ("make app", "make test", "pip install -r requirements.txt && streamlit run app.py", "assets/screenshot.png"):
        assert line in readme


def test_readme_quotes_what_the_overview_prints() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command, *quoted = readme.partition("## One example\n\n```\n")[2].partition("```")[0].splitlines()
    assert command == "$ python -m metrics assets/support_answers.csv"
    overview = metrics.overview(metrics.read(ROOT / "assets" / "support_answers.csv"))
    printed = overview.summary().replace("\u202f", " ").splitlines()
    assert len(quoted) > 10
    assert [line for line in quoted if line and line not in printed] == []


@pytest.mark.usefixtures("unprepared")
def test_serve_turns_off_the_old_pages_folder_before_the_server_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlit.runtime.pages_manager import PagesManager
    from streamlit.web import cli

    assert hasattr(PagesManager, "uses_pages_directory")
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    calls: list[tuple[list[str], object]] = []
    monkeypatch.setattr(cli, "main", lambda arguments, **_: calls.append((arguments, PagesManager.uses_pages_directory)))
    runpy.run_path(str(ROOT / "deploy" / "serve.py"))["serve"](["--server.port", "8600"])
    assert calls == [(["run", str(ROOT / "app.py"), "--server.port", "8600"], False)]

"""The wheel holds the package and the dashboard, and works where no checkout is; `make wheel` tries it in empty environments."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import metrics

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("pyproject.toml", "README.md", "LICENSE", "app.py", "metrics", "pages", "assets", "deploy", ".streamlit")
SAMPLE = ROOT / "assets" / "support_answers.csv"
FEWEST = 77
"""The setuptools that builds it."""

pytestmark = pytest.mark.slow("builds the wheel")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the wheel unpacks to; built with what is here, for tests ask no index."""
    if int(version("setuptools").split(".")[0]) < FEWEST:
        pytest.skip(f"setuptools {FEWEST} or newer builds the wheel, and {version('setuptools')} is here")
    folder = tmp_path_factory.mktemp("wheel")
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / "source" / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (folder / "source").mkdir(exist_ok=True)
            shutil.copy(ROOT / name, folder / "source")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-index", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*pip, str(folder / "source")], check=True, cwd=folder)
    (wheel,) = folder.glob("kappascope-*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "installed")
    return folder / "installed"


def python(installed: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python where nothing of the checkout is in reach."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STREAMLIT", "KAPPASCOPE"))}
    where = {"PYTHONPATH": str(installed)} | environment
    return subprocess.run(
        [sys.executable, *words], cwd=installed.parent, env=plain | where, capture_output=True, text=True, check=False
    )


def files(folder: Path) -> set[str]:
    return {
        file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts
    }


def test_it_installs_two_packages_and_no_other(installed: Path) -> None:
    names = {path.name for path in installed.iterdir()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"metrics", "kappascope"}


def test_every_file_of_the_package_and_of_the_dashboard_is_in_it(installed: Path) -> None:
    assert files(installed / "metrics") == files(ROOT / "metrics")
    assert files(installed / "kappascope" / "pages") == files(ROOT / "pages")
    assert files(installed / "kappascope" / "assets") == {
        name for name in files(ROOT / "assets") if name.endswith((".csv", ".json"))
    }
    for name in ("app.py", ".streamlit/config.toml"):
        assert (installed / "kappascope" / name).read_bytes() == (ROOT / name).read_bytes()


def test_what_it_needs_is_what_numbers_need(installed: Path) -> None:
    (info,) = installed.glob("*.dist-info")
    needs = re.findall(r"^Requires-Dist: (.*)$", (info / "METADATA").read_text("utf-8"), re.MULTILINE)
    always = {re.split(r"[<>= ;]", need)[0] for need in needs if "extra ==" not in need}
    assert {"numpy", "pandas", "pyarrow", "scipy", "click"} <= always
    assert not {"streamlit", "plotly", "jinja2", "typst", "xlsxwriter", "duckdb", "narwhals"} & always
    for extra in ("app", "report", "engines"):
        assert any(f"extra == '{extra}'" in need.replace('"', "'") for need in needs)
    assert "kappascope = metrics.commands.cli:main" in (info / "entry_points.txt").read_text("utf-8")


def test_both_names_offer_the_same(installed: Path) -> None:
    code = (
        "import kappascope, metrics, sys; assert 'pandas' not in sys.modules; "
        "assert set(dir(kappascope)) == set(kappascope.__all__) == set(metrics.__all__); "
        "assert all(getattr(kappascope, name) is getattr(metrics, name) for name in metrics.__all__); "
        "from kappascope import agreement; print(kappascope.__file__, agreement([1, 0], [1, 0]).judges['judge'].micro.n)"
    )
    done = python(installed, "-c", code)
    assert done.stdout.split() == [str(installed / "kappascope" / "__init__.py"), "2"], done.stderr
    assert "no attribute 'nothing'" in python(installed, "-c", "import kappascope; kappascope.nothing").stderr


@pytest.mark.parametrize("words", [("agreement", str(SAMPLE)), ("--version",), ("report", str(SAMPLE), "--out", "a.md")])
def test_commands_say_what_they_say_in_a_checkout(installed: Path, words: tuple[str, ...]) -> None:
    done = python(installed, "-m", "kappascope", *words)
    here = python(installed, "-m", "metrics", *words, PYTHONPATH=str(ROOT))
    assert done.returncode == here.returncode == 0, done.stderr
    assert done.stdout == here.stdout


def test_the_command_opens_the_dashboard_with_the_file(installed: Path) -> None:
    code = (
        "from streamlit.testing.v1 import AppTest; import os; import kappascope.serve as serve; serve.prepare(); "
        "app = AppTest.from_file(str(serve.ROOT / 'app.py'), default_timeout=90).run(); "
        "print([str(e.value) for e in app.exception], app.selectbox(key='data').value, app.title[0].value, os.getcwd())"
    )
    where = f"{installed}{os.pathsep}{installed / 'kappascope'}"
    done = python(installed, "-c", code, PYTHONPATH=where, KAPPASCOPE_FILE=str(SAMPLE))
    sha = metrics.read(SAMPLE).source.sha256[:8]
    assert done.stdout.split() == ["[]", sha, "Overview", str(installed / "kappascope")], done.stderr[-2000:]


def test_the_command_serves_the_page(installed: Path) -> None:
    words = [sys.executable, "-m", "kappascope", "app", str(SAMPLE), "--port", "0"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STREAMLIT"))}
    where = plain | {"PYTHONPATH": str(installed), "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(words, cwd=installed.parent, env=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert server.stdout is not None
        deadline, address = time.monotonic() + 60, None
        while address is None and time.monotonic() < deadline:
            line = server.stdout.readline()
            assert line or server.poll() is None
            address = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert address is not None
        with urllib.request.urlopen(f"{address.group()}/_stcore/health", timeout=20) as answer:
            assert answer.read() == b"ok"
        with urllib.request.urlopen(address.group(), timeout=20) as answer:
            assert b"Streamlit" in answer.read()
    finally:
        server.terminate()
        server.wait(timeout=20)

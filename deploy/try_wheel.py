"""Try the package as a stranger gets it: `python deploy/try_wheel.py` builds the wheel and types lines in empty environments.

Nothing of the checkout is in reach there. Needs the package index, for what the package depends on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = "support_answers.csv"
PORT = 8597
PATIENCE = 60
"""Seconds until the dashboard must answer."""
IN_PYTHON = "import kappascope; print(kappascope.agreement([1, 0, 1], [1, 0, 0]))"
LIGHT = (
    ("kappascope", "--help"), ("kappascope", SAMPLE), ("kappascope", "agreement", SAMPLE),
    ("kappascope", "compare", SAMPLE, "--a", "strict", "--b", "lenient"), ("kappascope", "selftest"), ("python", "-c", IN_PYTHON),
)  # fmt: skip
LACKING = {
    "app": ("kappascope", "app", SAMPLE),
    "report": ("kappascope", "report", SAMPLE, "--out", "report.html"),
    "engines": ("kappascope", "count", SAMPLE, "--out", "tally.csv"),
}
"""Command that ends with exit code 2 and the line to type, without its extra."""


class Environment:
    """An environment of its own in a folder of its own, with the package and some of its extras."""

    def __init__(self, folder: Path, wheel: Path, extras: str = "") -> None:
        self.folder = folder
        venv.create(folder / "venv", with_pip=True)
        shutil.copy(ROOT / "assets" / SAMPLE, folder)
        started = time.monotonic()
        self.run("python", "-m", "pip", "install", "-q", "--disable-pip-version-check", f"kappascope{extras} @ {wheel.as_uri()}")
        size = sum(file.stat().st_size for file in (folder / "venv").rglob("*") if file.is_file()) / 1e6
        print(f"kappascope{extras}: installed in {time.monotonic() - started:.0f} s, {size:.0f} MB")

    def command(self, words: tuple[str, ...]) -> list[str]:
        return [str(self.folder / "venv" / "bin" / words[0]), *words[1:]]

    def run(self, *words: str, code: int = 0) -> str:
        """Type a line, and return what it says.

        Raises
        ------
        SystemExit
            Where it ends with another exit code.
        """
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        environment |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "HTTP"))}
        done = subprocess.run(self.command(words), cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != code:
            sys.exit(f"{' '.join(words)}: exit {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def serve(self) -> None:
        """Open the dashboard, and ask it for its page until it answers."""
        words = ("kappascope", "app", SAMPLE, "--port", str(PORT))
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        server = subprocess.Popen(self.command(words), cwd=self.folder, env=environment)
        try:
            for _ in range(PATIENCE):
                time.sleep(1)
                if server.poll() is not None:
                    sys.exit(f"{' '.join(words)}: ended with {server.returncode}")
                if "Streamlit" in _answer("/") and _answer("/_stcore/health") == "ok":
                    if "Cohen" not in _answer("/docs/metrics/kappa.html"):
                        sys.exit("The documentation is not in the wheel, or not given out.")
                    return
            sys.exit(f"{' '.join(words)}: no page in {PATIENCE} s")
        finally:
            server.terminate()
            server.wait()


def _answer(path: str) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=5) as answer:
            return str(answer.read().decode())
    except (urllib.error.URLError, OSError):
        return ""


def build(folder: Path) -> Path:
    """Build the wheel in a copy of the checkout, for what an earlier build left would be packed too."""
    copy = folder / "source"
    shutil.copytree(
        ROOT,
        copy,
        ignore=shutil.ignore_patterns(".venv*", ".git", "build", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis"),
    )
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--disable-pip-version-check", "-w", str(folder), str(copy)]
    subprocess.run(pip, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder)
        (folder / "light").mkdir()
        light = Environment(folder / "light", wheel)
        for words in LIGHT:
            print(f"$ {' '.join(words)}\n{light.run(*words).strip().splitlines()[0]}")
        for extra, words in LACKING.items():
            said = light.run(*words, code=2)
            assert f"pip install 'kappascope[{extra}]'" in said, said
            print(f"$ {' '.join(words)}\n{said.strip()}")
        (folder / "whole").mkdir()
        whole = Environment(folder / "whole", wheel, "[app,engines]")
        for extra in ("report", "engines"):
            print(f"$ {' '.join(LACKING[extra])}\n{whole.run(*LACKING[extra]).strip()}")
        whole.serve()
        print("The dashboard answers.")


if __name__ == "__main__":
    main()

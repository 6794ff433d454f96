"""Where the parts of the dashboard lie in the wheel: inside `kappascope`, from the folders that hold them in a checkout."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent.parent
PARTS = {
    "app.py": "app.py",
    "deploy/serve.py": "serve.py",
    ".streamlit/config.toml": ".streamlit/config.toml",
    "pages/**/*.py": "",
    "pages/**/*.js": "",
    "assets/*.csv": "",
    "assets/samples.json": "",
    "docs/site/**/*.*": "",
}
"""Files of the checkout to their place in `kappascope`; those of a pattern lie as they do in the checkout."""


def files() -> Iterator[tuple[Path, str]]:
    """Every file of the dashboard, and its place in `kappascope`."""
    for pattern, place in PARTS.items():
        for file in sorted(ROOT.glob(pattern)):
            yield file, place or file.relative_to(ROOT).as_posix()


class Build(build_py):
    """Builds the packages, and puts the dashboard into one of them."""

    def run(self) -> None:
        super().run()
        if not getattr(self, "editable_mode", False):
            for file, place in files():
                target = Path(self.build_lib) / "kappascope" / place
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)

    def get_source_files(self) -> list[str]:
        """What an archive of the source has to hold, so that a wheel can be built from it."""
        return [*super().get_source_files(), *(file.relative_to(ROOT).as_posix() for file, _ in files()), "deploy/building.py"]

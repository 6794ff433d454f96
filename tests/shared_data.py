"""Real files that may lie beside a checkout: the one place that looks for them.

Every test of the product runs on what the repository holds. A test that tries further real files asks here for each of them,
and is skipped with the reason where the file is not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared"


def shared(path: str) -> Path:
    """The file or folder of this place among the real files, or the end of the test that asked for it."""
    found = FOLDER / path
    if not found.exists():
        pytest.skip(f"{path} is a real file that this repository does not hold")
    return found


def data(name: str) -> Path:
    """A table of real labels, `llmbar_natural.csv` for instance, or the end of the test that asked for it."""
    return shared(f"data/{name}")


def files(pattern: str) -> list[Path]:
    """Those that are here, sorted; a test with one case for each is skipped where there are none."""
    return sorted(path for path in FOLDER.glob(pattern) if path.is_file())

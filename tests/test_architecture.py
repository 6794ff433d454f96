"""The one page about how the project is built names files that are there, and names in them that they have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PATHS = sorted({name for name in re.findall(r"`((?:metrics|pages|tests)/[\w/.]+|app\.py)`", TEXT) if "<" not in name})
NAMED = re.findall(r"`([\w/.]+\.py)`: `(\w+)", TEXT)


@pytest.mark.parametrize("name", PATHS)
def test_a_path_it_names_is_there(name: str) -> None:
    assert (ROOT / name).exists()


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_name_it_gives_to_a_file_is_defined_there(path: str, name: str) -> None:
    assert re.search(rf"^(def {name}\(|class {name}\b|{name}\b.* = )", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_room_is_in_its_table() -> None:
    rooms = {path.parent.name for path in (ROOT / "metrics").glob("*/__init__.py")}
    table = TEXT.split("## The rooms")[1].split("## ")[0]
    assert rooms <= set(re.findall(r"`(\w+)", table))


def test_it_is_found() -> None:
    assert PATHS
    assert NAMED

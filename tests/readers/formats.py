"""What tests of the readers of tools' exports share: tables as tuples, and the example files where they are at hand."""

from __future__ import annotations

import csv
from pathlib import Path

from metrics.readers import open_table
from metrics.readers.formats.canonical import FAILED, SKIPPED
from metrics.readers.table import TextTable
from tests.shared_data import FOLDER

EXAMPLES = FOLDER / "formats" / "examples"
SHOWN = ("item", "criterion", "rater", "role", "label", "score", "timestamp", "reason", "status")
EXPECTED = ("item", "criterion", "rater", "role", "label", "score", "timestamp", "prompt", "status")


def rated(table: TextTable, columns: tuple[str, ...] = SHOWN) -> list[tuple[str, ...]]:
    """Return ratings as tuples in the order of the file."""
    return [tuple(row[name] for name in columns) for row in table.data.select(list(columns)).to_pylist()]


def examples(tool: str) -> list[str]:
    """Return the example files of a tool that have an expected table beside them; none where there are no examples."""
    folder = EXAMPLES / tool
    return [str(path) for path in sorted(folder.glob("*")) if _expected(path).exists()] if folder.is_dir() else []


def _expected(path: Path) -> Path:
    return path.with_name(f"{path.name.rsplit('.', 1)[0]}.expected.csv") if ".expected." not in path.name else path / "none"


def assert_expected(path: str) -> None:
    """Assert that a file becomes the table that stands beside it: without checks by code, the last of repeats alone."""
    with _expected(Path(path)).open(encoding="utf-8", newline="") as file:
        wanted = sorted(map(_plain, list(csv.reader(file))[1:]))
    ratings = sorted((list(row) for row in rated(open_table(path), EXPECTED) if row[3] != "code"), key=lambda row: row[6])
    assert sorted(map(_plain, {tuple(row[:3]): row for row in ratings}.values())) == wanted


def _plain(row: list[str]) -> tuple[str, ...]:
    """Return a rating with its number in one spelling, and an empty label where the file has none."""
    item, criterion, rater, role, label, score, *rest = row
    return (
        item,
        criterion,
        rater,
        role,
        "" if label in (FAILED, SKIPPED) else label,
        f"{float(score):g}" if score else "",
        *rest,
    )

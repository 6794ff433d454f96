"""Every format of a report can be written, and the same report gives the same bytes."""

from __future__ import annotations

import pytest

from metrics import InputError
from metrics.report.making import report_of
from metrics.report.writing import ALIKE, FORMATS, file_name, format_of, write
from tests.report.conftest import plain_report, ratings_named

STARTS = {
    ".html": b"<!DOCTYPE html>",
    ".pdf": b"%PDF-",
    ".md": b"#",
    ".tex": b"%",
    ".xlsx": b"PK",
    ".csv": b"part,",
    ".json": b"{",
}


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_is_written_and_twice_alike(suffix: str) -> None:
    data = write(plain_report("rao_balanced.csv"), suffix)
    assert data.lstrip()[: len(STARTS[suffix])].lower() == STARTS[suffix].lower()
    assert data == write(report_of(ratings_named("rao_balanced.csv")), suffix)


def test_suffixes_are_told_apart_without_their_case() -> None:
    assert {format_of(f"a{suffix.upper()}") for suffix in (*FORMATS, *ALIKE)} == set(FORMATS)
    for path in ("report", "report.doc", ".html/report", ""):
        with pytest.raises(InputError, match="format of a report"):
            format_of(path)


def test_a_report_is_called_after_its_file() -> None:
    assert file_name(plain_report("mixed"), ".md") == "data-report.md"

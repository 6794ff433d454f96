"""Coded disagreements in the report: the counts are those of the desk, by Python, command line and page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from click.testing import CliRunner

import metrics
from metrics.analyses.coding.codes import Coded, Coding
from metrics.analyses.coding.compute import coding_report, key_of
from metrics.analyses.coding.readings import report_reading
from metrics.analyses.disagreements.listing import listing_of
from metrics.analyses.settings import settings_of
from metrics.commands.cli import commands
from metrics.report.making import report_of, with_other_contents
from metrics.results.tables import Table
from tests.review.made import drawn


def section_of(report):
    return next((section for section in report.document().sections if section.key == "codes"), None)


def coded(ratings) -> tuple[Coding, object]:
    listing = listing_of(ratings, settings_of(ratings, judges=("bot",)))
    cells = np.flatnonzero(listing.differs)[:4].tolist()
    codes = {key_of(listing, cell): Coded("judge" if place % 2 else "human") for place, cell in enumerate(cells)}
    return Coding("a.csv", "", codes), coding_report(listing, Coding("a.csv", "", codes))


def test_the_report_holds_the_counts_of_the_desk() -> None:
    ratings = metrics.read(drawn(1))
    coding, expected = coded(ratings)
    section = section_of(report_of(ratings, codes=coding))
    assert section is not None
    text, table = section.parts
    assert text.text == report_reading(expected)
    assert isinstance(table, Table)
    assert [row[2] for row in table.rows][-1] == expected.overall.n_coded == 4


def test_without_codes_there_is_no_such_section_and_they_can_be_added() -> None:
    ratings = metrics.read(drawn(2))
    plain, expected = report_of(ratings), coded(ratings)[1]
    assert section_of(plain) is None
    assert section_of(report_of(ratings, codes=Coding())) is None
    assert section_of(with_other_contents(plain, coding=expected)) is not None


def test_the_command_takes_saved_codes(tmp_path: Path) -> None:
    drawn(3).to_csv(tmp_path / "labels.csv", index=False)
    coding, _ = coded(metrics.read(tmp_path / "labels.csv"))
    (tmp_path / "codes.json").write_text(coding.to_json())
    out = tmp_path / "report.md"
    line = ["report", str(tmp_path / "labels.csv"), "--codes", str(tmp_path / "codes.json"), "--out", str(out)]
    found = CliRunner().invoke(commands, line)
    assert found.exit_code == 0, found.output
    assert "Why judge and reference differ" in out.read_text()

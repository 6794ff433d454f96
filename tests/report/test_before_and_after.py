"""A second file in the report: the numbers are those of the review, and without one nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import metrics
from metrics.analyses.review.before_after import before_after
from metrics.analyses.settings import Settings
from metrics.commands.cli import commands
from metrics.errors import InputError
from metrics.report.making import report_of, with_other_contents
from metrics.results.tables import Table
from tests.review.made import drawn


def section_of(report):
    return next((section for section in report.document().sections if section.key == "before_after"), None)


def test_the_report_holds_the_changes_of_the_review() -> None:
    first, second = metrics.read(drawn(1)), metrics.read(drawn(101, wrong=0.1))
    report = report_of(first, after=second, interval="auto")
    section = section_of(report)
    assert section is not None
    (table,) = [part for part in section.parts if isinstance(part, Table)]
    expected = before_after(first, second, "bot", Settings("exclude", judges=("bot",)))
    names = [column.name for column in table.columns]
    assert [row[names.index("criterion")] for row in table.rows] == [change.criterion for change in expected.changes]
    assert [row[names.index("labels changed")] for row in table.rows] == [len(change.relabelled) for change in expected.changes]
    assert [row[names.index("p (Holm)")] for row in table.rows] == pytest.approx([one.p_holm for one in expected.changes])


def test_without_a_second_file_there_is_no_such_section_and_it_can_be_added_and_taken_away() -> None:
    first = metrics.read(drawn(2))
    plain = report_of(first)
    assert section_of(plain) is None
    both = before_after(first, metrics.read(drawn(102)), "bot", Settings("exclude", judges=("bot",)))
    assert section_of(with_other_contents(plain, changes=both)) is not None
    assert plain.to_dict() == with_other_contents(plain, changes=both).to_dict()


def test_a_file_that_cannot_be_paired_is_refused() -> None:
    other = drawn(3)
    other["item"] = ["x" + str(item) for item in other["item"]]
    with pytest.raises(InputError, match="share no item"):
        report_of(metrics.read(drawn(3)), after=metrics.read(other))


def test_the_command_takes_the_second_file(tmp_path: Path) -> None:
    for name, seed in (("before.csv", 4), ("after.csv", 104)):
        drawn(seed).to_csv(tmp_path / name, index=False)
    out = tmp_path / "report.md"
    line = ["report", str(tmp_path / "before.csv"), "--after", str(tmp_path / "after.csv"), "--out", str(out)]
    found = CliRunner().invoke(commands, line)
    assert found.exit_code == 0, found.output
    assert "Before and after" in out.read_text()

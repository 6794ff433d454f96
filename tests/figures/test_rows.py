"""What figures and tables with a row per thing share."""

from __future__ import annotations

import pytest

from metrics.figures import rows
from metrics.figures.rows import WIDEST, column_width
from metrics.figures.theme import TEXT, text_width


def test_a_column_of_names_is_as_wide_as_the_longest_up_to_a_limit() -> None:
    assert column_width(["criterion", "Mean over criteria"]) > text_width("Mean over criteria", TEXT) + 16
    assert column_width(["Criterion", "Q1"]) < 110
    assert column_width(["A name that goes on and on " * 9]) == WIDEST


def test_a_text_that_stands_in_many_rows_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []
    monkeypatch.setattr(rows, "text_width", lambda text, size: measured.append(text) or text_width(text, size))
    assert column_width(["label", *["MET", "UNMET"] * 100]) == column_width(["label", "MET", "UNMET"])
    assert len(measured) == 6

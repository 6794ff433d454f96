"""Numbers with a decimal comma, and dates that begin with the day, are read as what they are."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from metrics import read
from metrics.readers.formats.canonical import iso
from metrics.readers.measuring import numbers_of
from metrics.readers.repeats import parse_times


def moments(*texts: str) -> list[str]:
    """Return times as ISO texts; "" where a text is none."""
    return [
        "" if np.isnan(seconds) else dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%d %H:%M:%S")
        for seconds in parse_times(texts).tolist()
    ]


def test_numbers_with_a_decimal_comma() -> None:
    texts = ("0,5", "-0,25", "+1,5", "1.234,5", "1.234.567,25", "0.5", "1.234")
    assert numbers_of(texts).tolist() == [0.5, -0.25, 1.5, 1234.5, 1234567.25, 0.5, 1.234]
    assert np.isnan(numbers_of(("1,234.5", "1.23,5", "a,5", "1,5,5", ""))).all(), "what is not plain is no number"


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (("1,234", "0.5"), (1234, 0.5)),
        (("1,234.5", "12"), (1234.5, 12)),
        (("1,234,567", "8"), (1234567, 8)),
        (("1,234", "950"), (1234, 950)),
        (("1,234", "2"), (1.234, 2)),
        (("1,234", "0,95"), (1.234, 0.95)),
        (("0,850", "950"), (0.85, 950)),
        (("1,234", "1.234,5"), (1.234, 1234.5)),
    ],
)
def test_a_comma_parts_thousands_where_the_other_numbers_show_it(texts: tuple[str, ...], numbers: tuple[float, ...]) -> None:
    assert numbers_of(texts).tolist() == pytest.approx(numbers)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("01.02.2026 10:07", "2026-02-01 10:07:00"),
        ("1.2.2026", "2026-02-01 00:00:00"),
        ("1.2.26", "2026-02-01 00:00:00"),
        ("01.02.2026, 9:07 Uhr", "2026-02-01 09:07:00"),
        ("13.02.2026 10:07:33", "2026-02-13 10:07:33"),
        ("2026-02-01 10:07", "2026-02-01 10:07:00"),
        ("31.02.2026", ""),
    ],
)
def test_a_date_with_points_begins_with_the_day(text: str, moment: str) -> None:
    assert moments(text) == [moment]
    assert iso(text) == (f"{moment.replace(' ', 'T')}Z" if moment else "")


def test_a_column_is_read_one_way() -> None:
    assert moments("01.02.2026", "13.01.2026") == ["2026-02-01 00:00:00", "2026-01-13 00:00:00"]
    assert moments("02/01/2026", "13/02/2026") == ["2026-01-02 00:00:00", "2026-02-13 00:00:00"], "one cannot begin with a month"
    assert moments("02/01/2026", "02/13/2026") == ["2026-02-01 00:00:00", "2026-02-13 00:00:00"]


def test_the_later_of_two_german_times_counts() -> None:
    rows = ["item;criterion;rater;role;label;score;timestamp", "a;tone;ana;human;MET;0,5;12.01.2026 09:00"]
    rows += ["a;tone;ana;human;UNMET;1,5;01.02.2026 10:07", "a;tone;gpt;judge;UNMET;0,25;01.02.2026 10:08"]
    rows += ["b;tone;ana;human;MET;2,0;01.02.2026 10:07", "b;tone;gpt;judge;MET;1.000,5;01.02.2026 10:08"]
    ratings = read("\n".join(rows).encode())
    assert ratings.n_items == 2
    assert ratings.score is not None
    assert sorted(ratings.score.tolist()) == [0.25, 1.5, 2.0, 1000.5]
    assert any("the latest by ‘timestamp’ counts" in note for note in ratings.source.notes)

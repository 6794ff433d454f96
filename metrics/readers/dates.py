"""Dates that begin with the day, as ISO dates."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DATE = re.compile(r"(\d{1,2})([./])(\d{1,2})\2(\d{4}|\d{2})(?:(?:,\s*|\s+)(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(?:\s*Uhr)?)?")


def day_first(texts: Sequence[str]) -> list[str]:
    """Return dates that begin with the day as ISO dates, other texts as they are.

    A date with points begins with the day (01.02.2026 is in February). One with slashes begins with the month, as in America,
    unless one of the texts cannot.

    Parameters
    ----------
    texts : sequence of str
        Dates, or dates with times, of one column.
    """
    dates = [_DATE.fullmatch(text.strip()) if text[:1].isdigit() and not text.isdigit() else None for text in texts]
    by_day = any(date is not None and date[2] == "/" and int(date[1]) > 12 for date in dates)
    return [
        text if date is None or int(date[3]) > 12 or (date[2] == "/" and not by_day) else _iso(date)
        for text, date in zip(texts, dates, strict=True)
    ]


def _iso(date: re.Match[str]) -> str:
    day, month, year = int(date[1]), int(date[3]), date[4] if len(date[4]) == 4 else f"20{date[4]}"
    time = f" {date[5].replace(',', '.').zfill(5)}" if date[5] else ""
    return f"{year}-{month:02}-{day:02}{time}"

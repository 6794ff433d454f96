"""Sentences and lists that stand beside tables, before they have a format: plain text, which every writer escapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from metrics.results.tables import Table


@dataclass(frozen=True)
class Paragraph:
    """One paragraph.

    Attributes
    ----------
    kind : str
        “verdict” is the sentence that answers, “declaration” the line that gives the numbers their meaning, “methods” the
        paragraph to paste.
    """

    text: str
    kind: Literal["plain", "verdict", "declaration", "methods", "note", "warning"] = "plain"


@dataclass(frozen=True)
class Listing:
    """Sentences one below the other."""

    points: tuple[str, ...]


Passage = Paragraph | Listing | Table
"""What a result shows of itself, in reading order, on paper and in a notebook."""


def is_row(line: str) -> bool:
    """Return whether a line of a text for a terminal is a row of a table, which cannot be broken as a sentence is."""
    return "  " in line.strip()

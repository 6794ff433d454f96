"""A report before it has a format: headings, sentences, tables and figures, all as plain text and numbers.

Texts may hold anything a file holds. Every writer escapes all of them; none of them cuts one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from metrics.results.prose import Paragraph, Passage
from metrics.results.tables import Table

Mark = Literal["met", "missed", "none"]


@dataclass(frozen=True)
class Figure:
    """A figure that can be drawn: the values it shows, not the drawing.

    Attributes
    ----------
    kind : {"confusion", "criteria", "bands"}
        `confusion`: the mosaic of a table; `criteria`: a dot and a whisker per row; `bands`: the same on the bands of κ.
    alt : str
        The same in words, with its numbers.
    shows : mapping
        What the drawing needs: for `confusion` `counts` (K, K) and `labels`, `abstention` (place of a third class or None);
        for `criteria` `symbol` and `rows` of (name, value, low, high, n, prevalence, degenerate, reason); for `bands` `rows` of
        (name, value, low, high, reason).
    """

    key: str
    kind: Literal["confusion", "criteria", "bands"]
    title: str
    alt: str
    shows: dict[str, Any]


@dataclass(frozen=True)
class Verdict:
    """A practice of the checklist as a report shows it."""

    number: int
    name: str
    mark: Mark
    state: str
    evidence: tuple[str, ...]
    action: str


@dataclass(frozen=True)
class Verdicts:
    """The checklist."""

    rows: tuple[Verdict, ...]


Part = Passage | Figure | Verdicts


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it; on paper with a page of its own where it asks for one."""

    key: str
    title: str
    parts: tuple[Part, ...]
    own_page: bool = False


@dataclass(frozen=True)
class Document:
    """A whole report.

    Attributes
    ----------
    title : str
    lead : tuple of Paragraph
        Above the first section: who made the report and when, the file, the declaration.
    made_with : str
        Name and version of the program.
    """

    title: str
    lead: tuple[Paragraph, ...]
    sections: tuple[Section, ...]
    made_with: str

    def tables(self) -> Iterator[Table]:
        """Return every table, in reading order."""
        return (part for section in self.sections for part in section.parts if isinstance(part, Table))

    def figures(self) -> Iterator[Figure]:
        return (part for section in self.sections for part in section.parts if isinstance(part, Figure))

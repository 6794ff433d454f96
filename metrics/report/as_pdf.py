"""The report as PDF: set by typst, which is handed texts and numbers as data, never as its own language."""

from __future__ import annotations

import json
import re
from pathlib import Path
from threading import Event
from typing import Any

from metrics.figures.theme import LIGHT
from metrics.report import document as model
from metrics.report import drawn, texts
from metrics.report.document import Document, Figure, Part
from metrics.results import tables
from metrics.results.prose import Listing, Paragraph
from metrics.results.tables import Table

TEMPLATE = Path(__file__).parent / "templates" / "report.typ"
LONGEST = 24
"""Letters without a space that stand on one line; longer words may be broken where a line ends."""
WHOLE, LONG = 16, 200
"""Rows, and letters of a cell, up to which a table stays on one page."""
COLOURS = ("text", "muted", "grid", "axis", "judge", "correct", "false_positive", "warning", "warning_fill", "sidebar")
_BREAK = re.compile(r"(\w)(?=\w)|([_\-/.,:;=&])")
_OWN_LETTERS = re.compile(
    "[\\s!-~\u00a0-\u03ff\u0400-\u04ff\u2010-\u2027\u202f-\u205e\u2190-\u21ff\u2200-\u22ff\u25a0-\u25ff✓✕�]*"
)
"""What typst's own typefaces have."""
KEPT_FOR = 11
"""Documents after which typst lets go of what it kept of one."""
_MADE = Event()


def write(document: Document) -> bytes:
    """Return the report as PDF on A4, in typst's own typefaces; others of this machine help out for letters those lack.

    The same bytes for the same document on the same machine.
    """
    import typst

    document_json = json.dumps(_document(document), ensure_ascii=False)
    try:
        return bytes(
            typst.compile(
                TEMPLATE,
                root=TEMPLATE.parent,
                ignore_system_fonts=_OWN_LETTERS.fullmatch(document_json) is not None,
                format="pdf",
                sys_inputs={"document": document_json},
                timestamp=0,
            )
        )
    finally:
        _MADE.set()


def forget() -> None:
    """Let go of the documents that were made: typst keeps what it worked out of the last ones, with their texts."""
    if not _MADE.is_set():
        return
    import typst

    _MADE.clear()
    for _ in range(KEPT_FOR):
        typst.compile(b"", ignore_system_fonts=True)


def pieces(text: str) -> list[str]:
    """Return a text on one line, in pieces after which a line may end beside its spaces; joined they are the text."""
    # Not within a letter of several signs, as accents and most emoji are.
    words = [_BREAK.sub(r"\g<0>\n", word) if len(word) > LONGEST else word for word in texts.line(text).split(" ")]
    return " ".join(words).split("\n")


def _document(document: Document) -> dict[str, Any]:
    return {
        "name": texts.line(document.title),
        "title": pieces(document.title),
        "made_with": pieces(document.made_with),
        "colours": {name: getattr(LIGHT, name) for name in COLOURS},
        "lead": [_part(part) for part in document.lead],
        "sections": [
            {
                "title": pieces(section.title),
                "parts": [_part(part) for part in section.parts],
                "own_page": section.own_page,
            }
            for section in document.sections
        ],
    }


def _part(part: Part) -> dict[str, Any]:
    match part:
        case Paragraph():
            return {"is": part.kind, "text": pieces(part.text)}
        case Listing():
            return {"is": "listing", "points": [pieces(point) for point in part.points]}
        case Table():
            return _table(part)
        case Figure():
            drawings = drawn.on_paper(part)
            return {"is": "figure", "title": pieces(part.title), "alt": texts.line(part.alt), "drawings": drawings}
    return {"is": "checklist", "rows": [_verdict(row) for row in part.rows]}


def _table(table: Table) -> dict[str, Any]:
    rows = tables.texts(table)
    return {
        "is": "table",
        "caption": pieces(table.caption),
        "heads": [pieces(column.name) for column in table.columns],
        "numbers": [column.format != "text" for column in table.columns],
        "widths": texts.widths(table),
        "rows": [[pieces(cell) for cell in row] for row in rows],
        "long": len(rows) > WHOLE or max((len(cell) for row in rows for cell in row), default=0) > LONG,
        "notes": [pieces(note) for note in table.notes],
    }


def _verdict(row: model.Verdict) -> dict[str, Any]:
    return {
        "number": str(row.number),
        "mark": texts.MARKS[row.mark],
        "kind": row.mark,
        "name": pieces(row.name),
        "state": pieces(row.state),
        "evidence": [pieces(line) for line in row.evidence],
        "action": pieces(row.action),
    }

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
ALSO_HERE = "\u200b"
"""A place without width where a line may end."""
COLOURS = ("text", "muted", "grid", "axis", "judge", "correct", "false_positive", "warning", "warning_fill", "sidebar")
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


def breakable_text(text: str) -> str:
    """Return a text on one line that can be broken into lines."""
    return " ".join(map(_word, texts.line(text).split(" ")))


def _word(word: str) -> str:
    if len(word) <= LONGEST:
        return word
    # Not within a letter of several signs, as accents and most emoji are.
    return re.sub(r"(\w)(?=\w)|([_\-/.,:;=&])", lambda match: match.group() + ALSO_HERE, word)


def _document(document: Document) -> dict[str, Any]:
    return {
        "title": breakable_text(document.title),
        "made_with": breakable_text(document.made_with),
        "colours": {name: getattr(LIGHT, name) for name in COLOURS},
        "lead": [_part(part) for part in document.lead],
        "sections": [
            {"title": breakable_text(section.title), "parts": [_part(part) for part in section.parts]}
            for section in document.sections
        ],
    }


def _part(part: Part) -> dict[str, Any]:
    match part:
        case Paragraph():
            return {"is": part.kind, "text": breakable_text(part.text)}
        case Listing():
            return {"is": "listing", "points": [breakable_text(point) for point in part.points]}
        case Table():
            return _table(part)
        case Figure():
            drawings = drawn.on_paper(part)
            return {"is": "figure", "title": breakable_text(part.title), "alt": texts.line(part.alt), "drawings": drawings}
    return {"is": "checklist", "rows": [_verdict(row) for row in part.rows]}


def _table(table: Table) -> dict[str, Any]:
    rows = tables.texts(table)
    return {
        "is": "table",
        "caption": breakable_text(table.caption),
        "heads": [breakable_text(column.name) for column in table.columns],
        "numbers": [column.format != "text" for column in table.columns],
        "widths": texts.widths(table),
        "rows": [[breakable_text(cell) for cell in row] for row in rows],
        "long": len(rows) > WHOLE or max((len(cell) for row in rows for cell in row), default=0) > LONG,
        "notes": [breakable_text(note) for note in table.notes],
    }


def _verdict(row: model.Verdict) -> dict[str, Any]:
    return {
        "number": str(row.number),
        "mark": texts.MARKS[row.mark],
        "kind": row.mark,
        "name": breakable_text(row.name),
        "state": breakable_text(row.state),
        "evidence": [breakable_text(line) for line in row.evidence],
        "action": breakable_text(row.action),
    }

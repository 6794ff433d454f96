"""A result as a notebook shows it: sentences and tables in the colours of the page around them, no script, every text escaped.

Styles stand at each element, for a notebook that is not trusted keeps no style sheet; without them it still reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from metrics.results import words
from metrics.results.prose import Listing, Paragraph, Passage, is_row
from metrics.results.tables import Table, texts

LINE = "1px solid rgba(128, 128, 128, 0.4)"
PARAGRAPHS = {
    "verdict": "margin: 0 0 0.5em; font-size: 1.2em;",
    "declaration": f"margin: 0 0 0.75em; padding-left: 0.6em; border-left: {LINE};",
    "note": "margin: 0 0 0.5em; opacity: 0.8;",
    "warning": "margin: 0 0 0.5em; font-weight: bold;",
}
PLAIN = "margin: 0 0 0.5em;"
PLACE = "background: transparent; color: inherit;"
CELL = f"padding: 0.2em 0.8em 0.2em 0; border: 0; border-bottom: {LINE}; vertical-align: top; {PLACE}"
TABLE = f"margin: 0 0 0.75em; border-collapse: collapse; {PLACE}"
BROKEN, ROW = "white-space: pre-wrap; ", 100
"""Of a text whose lines may be broken, and the most letters of a row of a table in it."""
WHOLE = "white-space: nowrap; "
"""Of a number, so that its interval stands on one line."""
WIDE = "max-width: 100%; overflow-x: auto;"
_SURROGATE = re.compile("[\ud800-\udfff]")


def html_of(passages: Iterable[Passage]) -> str:
    """Return sentences, lists and tables as HTML."""
    return f'<div style="color: inherit;">{"".join(map(_written, passages))}</div>'


def html_of_text(text: str) -> str:
    """Return a text for a terminal as HTML, in its lines: they are broken where they are too long, unless rows of tables are."""
    lines = text.split("\n")
    broken = BROKEN if all(len(line) <= ROW or not is_row(line) for line in lines) else ""
    shown = "\n".join(map(_escaped, lines))
    return f'<pre style="{broken}{PLACE} {WIDE} font-family: monospace;">{shown}</pre>'


def _escaped(text: str) -> str:
    """Return text no letter of which is markup or turns the reading direction; half a pair of surrogates cannot be sent."""
    blanks = len(text) - len(text.lstrip(" "))
    return escape(" " * blanks + _SURROGATE.sub("\ufffd", words.plain(text)))


def _written(passage: Passage) -> str:
    match passage:
        case Paragraph():
            return f'<p dir="auto" style="{PARAGRAPHS.get(passage.kind, PLAIN)}">{_escaped(passage.text)}</p>'
        case Listing():
            points = "".join(f'<li dir="auto">{_escaped(point)}</li>' for point in passage.points)
            return f'<ul style="{PLAIN}">{points}</ul>'
    return _table(passage)


def _table(table: Table) -> str:
    sides = ["left" if column.format == "text" else "right" for column in table.columns]
    head = _row("th", [column.name for column in table.columns], sides)
    body = "".join(_row("td", row, sides) for row in texts(table))
    caption = f'<caption style="caption-side: top; text-align: left; color: inherit;">{_escaped(table.caption)}</caption>'
    notes = "".join(_written(Paragraph(note, "note")) for note in table.notes)
    shown = f'<table style="{TABLE}">{caption if table.caption else ""}<thead>{head}</thead><tbody>{body}</tbody></table>'
    return f'<div style="{WIDE}">{shown}</div>{notes}'


def _row(tag: str, cells: Sequence[str], sides: Sequence[str]) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    styles = [f"{WHOLE if (tag, side) == ('td', 'right') else ''}{CELL}" for side in sides]
    shown = (
        f'<{tag}{scope} dir="auto" style="text-align: {side}; {style}">{_escaped(cell)}</{tag}>'
        for cell, side, style in zip(cells, sides, styles, strict=True)
    )
    return f'<tr style="background: transparent;">{"".join(shown)}</tr>'

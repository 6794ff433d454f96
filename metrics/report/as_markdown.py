"""The report as Markdown the way GitHub reads it: every text is shown letter by letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from metrics.report import document as model
from metrics.report import texts
from metrics.report.document import Document, Figure, Part, Verdicts
from metrics.results import tables
from metrics.results.prose import Listing, Paragraph
from metrics.results.tables import Table

ISOLATED = "\u2068{}\u2069"
"""What is read from the right, kept from turning what stands beside it."""
SIGNS = {"warning": "▲ ", "declaration": "> "}
_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$]")
_LINK = re.compile(r"(?i)(?<=https)(?=:)|(?<=http)(?=:)|(?<=ftp)(?=:)|(?<=www)(?=\.)")
_NUMBERED = re.compile(r"^(\d+)([.)])")


def write(document: Document) -> bytes:
    """Return the report as GitHub-flavoured Markdown; figures are there in words.

    UTF-8, the same for the same document.
    """
    blocks = [f"# {escaped(document.title)}"]
    blocks += [block for part in document.lead for block in written(part)]
    for section in document.sections:
        blocks.append(f"## {escaped(section.title)}")
        blocks += [block for part in section.parts for block in written(part)]
    blocks.append(escaped(document.made_with))
    return ("\n\n".join(block for block in blocks if block) + "\n").encode("utf-8")


def escaped(text: str) -> str:
    """Return a text on one line of which no letter is markup, wherever the line stands."""
    shown = _MARKUP.sub(r"\\\g<0>", texts.line(text))
    shown = _LINK.sub(r"\\", shown)
    shown = _NUMBERED.sub(r"\1\\\2", shown)
    if shown.startswith(("#", "+", "=", "-")):
        shown = f"\\{shown}"
    return texts.FROM_RIGHT.sub(lambda match: ISOLATED.format(match.group()), shown)


def written(part: Part) -> Iterator[str]:
    """Yield the blocks of a part, which stand with a blank line between them."""
    match part:
        case Paragraph(kind="verdict"):
            yield _bold(part.text)
        case Paragraph():
            yield SIGNS.get(part.kind, "") + escaped(part.text)
        case Listing():
            yield "\n".join(_points(part.points))
        case Table():
            yield from _table(part)
        case Figure():
            yield f"Figure: {escaped(part.title)}"
            yield escaped(part.alt)
        case Verdicts():
            yield "\n".join(line for row in part.rows for line in _verdict(row))


def _points(lines: Sequence[str]) -> Iterator[str]:
    """Return a list; a point without a word would underline the line above it as a heading."""
    return (f"- {shown}" for shown in map(escaped, lines) if shown)


def _table(table: Table) -> Iterator[str]:
    yield f"Table: {escaped(table.caption)}"
    rules = ["---" if column.format == "text" else "--:" for column in table.columns]
    heads = [escaped(column.name) for column in table.columns]
    yield "\n".join([_row(heads), _row(rules), *(_row([escaped(cell) for cell in row]) for row in tables.texts(table))])
    yield from (escaped(note) for note in table.notes)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _verdict(row: model.Verdict) -> Iterator[str]:
    head = f"{row.number}."
    inside = " " * (len(head) + 1)
    yield f"{head} {texts.MARKS[row.mark]} {_bold(row.name)} – {escaped(row.state)}"
    yield from (f"{inside}{point}" for point in _points(row.evidence))
    if row.action:
        yield f"{inside}- To do: {escaped(row.action)}"


def _bold(text: str) -> str:
    shown = escaped(text)
    return f"**{shown}**" if shown else ""

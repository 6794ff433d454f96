"""What every writer does to a text and to a name before it brings either into its own format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from metrics.report.document import Document, Mark, Verdict, Verdicts
from metrics.results import tables, words
from metrics.results.prose import Paragraph
from metrics.results.tables import Table

MARKS: dict[Mark, str] = {"met": "✓", "missed": "✕", "none": "–"}
"""The state of a practice; its words stand beside it."""
CHECKLIST = ("Practice", "State", "Evidence", "What would meet it")
LETTER, GAP, LINE = 1.05, 2.0, 92
"""Widths of a letter of a table, of the gap between its columns and of a line of a page, in letters."""
NARROW, FEWEST = 4, 9
"""Letters for which a column of numbers, and one of words, has room at least."""
REPLACEMENT = "\ufffd"
_PLANES = "".join(chr(plane + 0xFFFE) + chr(plane + 0xFFFF) for plane in range(0, 0x110000, 0x10000))
_NOT_TEXT = re.compile(f"[\ud800-\udfff\ufdd0-\ufdef{_PLANES}]")
_FROM_RIGHT = "\u0590-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
FROM_RIGHT = re.compile(f"([{_FROM_RIGHT}](?:[{_FROM_RIGHT} \u200c\u200d]*[{_FROM_RIGHT}])?)")
"""A stretch of text that is read from right to left."""

_NOT_NAME = re.compile("[^A-Za-z0-9-]+")


def encodable(text: str) -> str:
    """Return the text as every file can hold it: half a pair of surrogates and what is no character are shown as �."""
    return _NOT_TEXT.sub(REPLACEMENT, text)


def line(text: str) -> str:
    """Return the text on one line, without control characters and marks that turn the reading direction."""
    return words.plain(encodable(text))


def runs(text: str) -> list[tuple[str, bool]]:
    """Return the text on one line in pieces, each with whether it is read from right to left."""
    return [(piece, place % 2 == 1) for place, piece in enumerate(FROM_RIGHT.split(line(text)))]


def unique(names: Sequence[str], longest: int | None = None) -> list[str]:
    """Return the names, those that another already has with a number behind them; letter case makes no difference."""
    taken: set[str] = set()
    result = []
    for name in names:
        tail, candidate = 1, name[:longest]
        while candidate.casefold() in taken:
            tail += 1
            mark = f" {tail}"
            candidate = (name if longest is None else name[: longest - len(mark)]) + mark
        taken.add(candidate.casefold())
        result.append(candidate)
    return result


def chunks(text: str, limit: int) -> list[str]:
    """Return the text in pieces of at most so many letters, none lost; at a space where there is one in the last fifth."""
    pieces = []
    while len(text) > limit:
        space = text.rfind(" ", limit - limit // 5, limit)
        cut = space + 1 if space >= 0 else limit
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text]


def verdicts(document: Document) -> list[Verdict]:
    """Return the checklist, empty where the report has none."""
    parts = (part for section in document.sections for part in section.parts if isinstance(part, Verdicts))
    return [row for part in parts for row in part.rows]


def paragraphs(document: Document, kind: str) -> list[str]:
    """Return the texts of all paragraphs of a kind."""
    inside = (part for section in document.sections for part in section.parts if isinstance(part, Paragraph))
    return [paragraph.text for paragraph in (*document.lead, *inside) if paragraph.kind == kind]


def named_tables(document: Document, longest: int | None = None, before: Sequence[str] = ()) -> Iterator[tuple[str, Table]]:
    """Return every table with a name of letters, digits and hyphens that no other has, nor one of `before`.

    Parameters
    ----------
    document : Document
    longest : int, optional
        Letters of a name at most.
    before : sequence of str
        Names that are taken.
    """
    tables = list(document.tables())
    keys = [_NOT_NAME.sub("-", table.key).strip("-") or "table" for table in tables]
    names = unique([*before, *keys], longest)[len(before) :]
    return zip(names, tables, strict=True)


def widths(table: Table) -> list[float]:
    """Return the share of a page's width for each column: of numbers what they need, of texts by what they hold."""
    rows = tables.texts(table)
    cells = [[line(row[place]) for row in rows] for place in range(len(table.columns))]
    numbers = [column.format != "text" for column in table.columns]
    needs = [_need(line(column.name), held, number) for column, held, number in zip(table.columns, cells, numbers, strict=True)]
    fixed = sum(need for need, number in zip(needs, numbers, strict=True) if number)
    room, wanted = max(LINE - fixed, 0.4 * LINE), sum(needs) - fixed
    scale = min(1.0, room / wanted) if wanted else 1.0
    heads = [_longest_word(line(column.name)) * LETTER + GAP for column in table.columns]
    columns = zip(needs, heads, numbers, strict=True)
    given = [need if number else max(need * scale, min(need, head)) for need, head, number in columns]
    whole = max(sum(given), LINE)
    return [width / whole for width in given]


def _longest_word(name: str) -> int:
    """Return letters of the longest word of a heading, which would run into the next one where there is less room."""
    return max(map(len, name.split()[:12]), default=0)


def _need(name: str, cells: Sequence[str], number: bool) -> float:
    """Return letters that a column needs: of numbers as many as the widest number or the longest word above them."""
    if number:
        longest = max([NARROW, *map(len, cells), _longest_word(name)])
        return min(longest, LINE / 4) * LETTER + GAP
    return min(max([FEWEST, len(name), *map(len, cells)]), LINE) * LETTER + GAP

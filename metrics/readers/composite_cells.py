"""Cells that hold more than one thing: an answer as JSON, a verdict in brackets, a list of ratings, a number with its unit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.data.reasons import names_reasons
from metrics.data.vocabulary import is_number, meaning
from metrics.readers.formats.cells import LONGEST_LABEL, parsed, unfenced
from metrics.readers.frames import text, texts
from metrics.readers.json_records import flat
from metrics.readers.messages import brief, times
from metrics.readers.names import ITEM, JUDGES, TIME, spaced
from metrics.readers.rater_roles import called_after, role_of_column
from metrics.readers.table import TextTable, words

MOSTLY = 0.9
"""Share of the filled cells of a column that are of one kind, from which all are read so."""
SAMPLE = 200
"""Rows that show whether a column is looked at closely."""
MOST_FIELDS, MOST_LISTED = 40, 12
"""Fields of a record, and ratings of a list, that become columns; more is a document, or a series."""
OFTEN_ALIKE = 0.2
"""Share of lists of words with one word twice, from which they are of several raters; the choices of one rater differ."""
LONGEST_LAST = 200
"""Letters of a text among which its last line is looked for."""
UNREAD = "parse error"
"""Label of a text that holds no verdict where the others do."""
BRACKETED = re.compile(r"\[\[([^\[\]]{1,60})\]\]")
_PERCENT = re.compile(r"([+-]?\d{1,9}(?:[.,]\d{1,9})?)\s*%")
_VERDICT_LINE = (
    r"\W{0,3}(?:final |overall |my )?(?:rating|score|grade|verdict|answer|label|decision|judge?ment)"
    r"\W{0,3}[:=]\W{0,3}(\w[^:\n]{0,40}?)[.*\s]{0,3}"
)
_NAMED = re.compile(_VERDICT_LINE, re.IGNORECASE)
LAST = re.compile(rf"(?:^|\n){_VERDICT_LINE}\Z", re.IGNORECASE)
"""The last line of a text."""
_FIRST = re.compile(r"\W{0,3}([^\W\d_]{1,20}(?: [^\W\d_]{1,20})?)\W{0,3}(?=\s*[:.,;(–—-]|\s*\n)\s*[:.,;(–—-]*\s*\S")
"""The verdict with which a text begins, before a mark or a line of its own."""
_TAG = re.compile(r"<(?:verdict|label|score|rating|answer|decision|judge?ment)>\s*([^<>]{1,40}?)\s*</", re.IGNORECASE)
_LINE = re.compile(rf"^{_VERDICT_LINE}(?:\s*/\s*\d+)?[.*\s]{{0,3}}$", re.IGNORECASE | re.MULTILINE)
_END = re.compile(rf"[.!?]\s+{_VERDICT_LINE}\Z", re.IGNORECASE)
_PLACE = re.compile(r" \d+")
_OUT_OF = re.compile(
    r"(?!(?:0[1-9]|1[0-2])/(?:19|20)\d\d$)([+-]?\d{1,9}(?:[.,]\d{1,9})?)\s*(?:/|out of)\s*(\d{1,9})", re.IGNORECASE
)
_STARS = frozenset("★☆⭐\ufe0f")

Parts = tuple[dict[str, list[str]], str]
"""What is added to the name of a column, with the text of each distinct cell; and how that was read, as a sentence."""


def split_cells(table: TextTable) -> TextTable:
    """Return the table with a column for each thing that the cells of one hold; any other column as it is.

    Parameters
    ----------
    table : TextTable
        Of no known tool.
    """
    columns, notes, lists = dict[str, Any](), list(table.notes), list(table.lists)
    names = dict.fromkeys(table.columns)
    for name in names:
        parts = _parts(table, name, names) if table.merged is None else None
        new = [] if parts is None else [name + end for end in parts[0]]
        if parts is None or any(column in columns or (column in names and column != name) for column in new):
            columns[name] = table.data[name]
            continue
        codes = pa.array(table.raw(name)[0])
        columns |= {column: texts(cells).take(codes) for column, cells in zip(new, parts[0].values(), strict=True)}
        notes.append(parts[1])
        lists += [column for column in new if _PLACE.fullmatch(column.removeprefix(name))]
    if len(notes) == len(table.notes):
        return table
    return replace(table, data=pa.table(columns), notes=tuple(notes), lists=tuple(lists), memo={})


@dataclass(frozen=True)
class _Cells:
    """Distinct cells of a column, how many rows hold each, and the other columns of the table."""

    texts: list[str]
    times: list[int]
    others: list[str]

    def mostly(self, values: Sequence[object]) -> bool:
        """Return whether nearly all rows that are filled have a value, of those read from the cells."""
        return self._count(value is not None for value in values) >= MOSTLY * max(self._count(map(str.strip, self.texts)), 1)

    def lost(self, values: Sequence[object]) -> int:
        """Return how many rows are filled and have no value."""
        return self._count(value is None and bool(cell.strip()) for value, cell in zip(values, self.texts, strict=True))

    def _count(self, which: Iterable[object]) -> int:
        return sum(n for n, counts in zip(self.times, which, strict=True) if counts)


def _parts(table: TextTable, name: str, names: Iterable[str]) -> Parts | None:
    """Return the parts of a column's cells, each distinct one looked at once; None for plain cells."""
    first = {cell: n for cell, n in Counter(table.data[name].slice(0, SAMPLE).to_pylist()).items() if cell.strip()}
    held = set().union(*first)
    readers = [reads for reads, signs in _READERS if held.intersection(signs)]
    others = [column for column in names if column != name] if readers else []
    sample = _Cells(list(first), list(first.values()), others)
    for reads in readers:
        if reads(name, sample) is not None:
            codes, values = table.raw(name)
            return reads(name, _Cells(words(values), np.bincount(codes, minlength=len(values)).tolist(), others))
    return None


def _records(name: str, cells: _Cells) -> Parts | None:
    """Read records, alone or in a fence between other words; what holds none gives no field."""
    if not any("{" in cell for cell in cells.texts[:SAMPLE]):
        return None
    records = [_record(cell) for cell in cells.texts]
    fields = dict.fromkeys(field for record in records if record is not None for field in record)
    if not cells.mostly(records) or not 0 < len(fields) <= MOST_FIELDS:
        return None
    lost = cells.lost(records)
    note = f"Cells of ‘{brief(name)}’ hold records: each of their fields is a column."
    without = f" {times(lost, 'cell holds', 'cells hold')} none." if lost else ""
    columns = {f".{field}": [text((record or {}).get(field, "")) for record in records] for field in fields}
    return ({**columns, **({"": cells.texts} if lost else {})}, note + without)


def _record(cell: str) -> dict[str, Any] | None:
    value = parsed(unfenced(cell))
    return flat(value) if isinstance(value, dict) and value else None


def _bracketed(name: str, cells: _Cells) -> Parts | None:
    """Read a judge's texts that end in a verdict, such as `[[A]]`; the text is the reason."""
    verdicts = [_in_brackets(cell) for cell in cells.texts]
    if not any(verdicts) or not cells.mostly(verdicts):
        return None
    return _with_reasons(name, cells, verdicts, "hold a verdict in [[ ]]", ("holds", "hold", "none"))


def _ending(name: str, cells: _Cells) -> Parts | None:
    """Read a judge's texts whose last line is its verdict, such as `Verdict: PASS`; the text is the reason.

    A model that answers `Answer: B` may be what is judged, so that the column must be called after judges, and words be known;
    beside a judge's own label a text is what it wrote, or what was judged.
    """
    if any(role_of_column(column) == "judge" for column in cells.others):
        return None
    if not JUDGES.search(spaced(name)) or not any("\n" in cell.strip() for cell in cells.texts[:SAMPLE]):
        return None
    matches = [LAST.search(cell[-LONGEST_LAST:].rstrip()) for cell in cells.texts]
    labels = {match[1] for match in matches if match}
    known = all(meaning(label) is not None or is_number(label) for label in labels)
    if not cells.mostly(matches) or not known or len(labels) > MOST_LISTED:
        return None
    verdicts = [match[1] if match else None for match in matches]
    return _with_reasons(name, cells, verdicts, "end in a verdict", ("ends", "end", "otherwise"))


def _beginning(name: str, cells: _Cells) -> Parts | None:
    """Read a rater's texts that begin with the verdict, such as `PASS: because …`; the text is the reason."""
    if called_after(name) is None or len(cells.texts) <= MOST_LISTED or names_reasons(name):
        return None
    labels = [_FIRST.match(cell.strip()) for cell in cells.texts]
    known = [match[1] if match and meaning(match[1]) and not is_number(match[1]) else None for match in labels]
    if not cells.mostly(known) or len(set(known)) > MOST_LISTED:
        return None
    return _with_reasons(name, cells, known, "begin with a verdict", ("begins", "begin", "otherwise"))


def _tagged(name: str, cells: _Cells) -> Parts | None:
    """Read a judge's texts with the verdict between tags, `<verdict>PASS</verdict>`, or in a line, `**Score:** 5/5`."""
    if role_of_column(name) != "judge" or any(role_of_column(column) == "judge" for column in cells.others):
        return None
    verdicts = [_named_verdict(cell) for cell in cells.texts]
    if not cells.mostly(verdicts) or len(set(verdicts)) > MOST_LISTED:
        return None
    return _with_reasons(name, cells, verdicts, "name their verdict", ("names", "name", "none"))


def _named_verdict(cell: str) -> str | None:
    found: list[str] = _TAG.findall(cell) or _LINE.findall(cell) or _END.findall(cell[-LONGEST_LAST:].rstrip())
    return found[-1].strip() if found else None


def _in_brackets(cell: str) -> str | None:
    verdicts = [] if "[[" not in cell or parsed(cell) is not None else BRACKETED.findall(cell)
    return verdicts[-1].strip() or None if verdicts else None


def _with_reasons(name: str, cells: _Cells, verdicts: Sequence[str | None], how: str, otherwise: tuple[str, str, str]) -> Parts:
    """Return texts as the reasons of their verdicts; one without a verdict may be a label itself, and else is none."""
    labels = [_without_verdict(cell) if label is None else label for label, cell in zip(verdicts, cells.texts, strict=True)]
    one, several, what = otherwise
    lost = cells.lost([None if label == UNREAD else label for label in labels])
    without = f" {times(lost, f'text {one}', f'texts {several}')} {what}: {UNREAD}." if lost else ""
    return {"": labels, " reason": cells.texts}, f"Texts of ‘{brief(name)}’ {how}: it is the label, the text its reason.{without}"


def _without_verdict(cell: str) -> str:
    return cell if not cell.strip() or meaning(cell) is not None or is_number(cell) else UNREAD


def _listed(name: str, cells: _Cells) -> Parts | None:
    """Read lists of one label, and lists of several raters' ratings where the name says whose they are."""
    lists = [_list(cell) for cell in cells.texts]
    longest = max((len(entries) for entries in lists if entries is not None), default=0)
    if not 0 < longest <= MOST_LISTED or not cells.mostly(lists) or cells.lost(lists):
        return None
    if longest == 1:
        note = f"Cells of ‘{brief(name)}’ are lists of one: each is its entry."
        return {"": [entries[0] if entries else "" for entries in lists]}, note
    if role_of_column(name) is None or not _are_ratings([entries for entries in lists if entries and len(entries) > 1]):
        return None
    columns = {
        f" {place + 1}": [entries[place] if entries and place < len(entries) else "" for entries in lists]
        for place in range(longest)
    }
    return columns, f"Cells of ‘{brief(name)}’ are lists of {longest} ratings: each place is a column."


def _list(cell: str) -> list[str] | None:
    value = parsed(cell.strip())
    if not isinstance(value, list) or any(isinstance(entry, dict | list) for entry in value):
        return None
    entries = ["" if entry is None else text(entry).strip() for entry in value]
    return entries if all(len(entry) <= LONGEST_LABEL for entry in entries) else None


def _are_ratings(lists: Sequence[list[str]]) -> bool:
    if all(not entry or is_number(entry) for entries in lists for entry in entries):
        return True
    return sum(len(set(entries)) < len(entries) for entries in lists) >= OFTEN_ALIKE * len(lists)


def _panels(name: str, cells: _Cells) -> Parts | None:
    """Read lists of records, each of a rater without a name: what the raters said on the same criteria."""
    if role_of_column(name) is None:
        return None
    panels = [_panel(cell) for cell in cells.texts]
    longest = max((len(panel) for panel in panels if panel is not None), default=0)
    fields = dict.fromkeys(field for panel in panels if panel is not None for rating in panel for field in rating)
    if not 0 < longest <= MOST_LISTED or not 1 < len(fields) <= MOST_FIELDS or not cells.mostly(panels) or cells.lost(panels):
        return None
    columns = {
        f" {place + 1}.{field}": [text(panel[place].get(field, "")) if panel and place < len(panel) else "" for panel in panels]
        for place in range(longest)
        for field in fields
    }
    return columns, f"Cells of ‘{brief(name)}’ are lists of {longest} records: each place is a rater, each field a criterion."


def _panel(cell: str) -> list[dict[str, Any]] | None:
    value = parsed(cell.strip())
    records = isinstance(value, list) and bool(value) and all(isinstance(rating, dict) and rating for rating in value)
    return value if records and not any(isinstance(part, dict | list) for rating in value for part in rating.values()) else None


def _bare(name: str, cells: _Cells) -> Parts | None:
    """Read a label without what stands around it: `85 %`, `Rating: 4`, `3/5` where all are out of the same; stars as a number."""
    if ITEM.search(spaced(name)) or TIME.search(spaced(name)):
        return None
    stars = [str(sum(map(cell.count, "★⭐"))) if cell.strip() and set(cell.strip()) <= _STARS else None for cell in cells.texts]
    if cells.mostly(stars) and any(stars):
        labels = [cell if number is None else number for number, cell in zip(stars, cells.texts, strict=True)]
        return {"": labels}, f"Cells of ‘{brief(name)}’ are stars: each is their number."
    for pattern, what in ((_PERCENT, "percentages"), (_NAMED, "labels behind a name"), (_OUT_OF, "out of the same number")):
        matches = [pattern.fullmatch(cell.strip()) for cell in cells.texts]
        if not cells.mostly(matches) or (pattern is _OUT_OF and len({match[2] for match in matches if match}) > 1):
            continue
        shown = next(match[0] for match in matches if match)
        labels = [match[1] if match else cell for match, cell in zip(matches, cells.texts, strict=True)]
        return {"": labels}, f"Cells of ‘{brief(name)}’ are {what}, as “{brief(shown, 30)}”: what stands around is left out."
    return None


_READERS = (
    (_records, "{"), (_bracketed, "["), (_panels, "["), (_listed, "["), (_ending, ":="), (_tagged, "<:"),
    (_beginning, ":-–—.,;(\n"), (_bare, "%:=/oO★⭐"),
)  # fmt: skip
"""What reads cells, the first that can; and the signs of which its cells hold one at least."""

"""Cells that hold more than one thing: an answer as JSON, a verdict in brackets, a list of ratings, a number with its unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.data.vocabulary import is_number, meaning
from metrics.readers.formats.cells import LONGEST_LABEL, parsed
from metrics.readers.frames import text, texts
from metrics.readers.messages import brief, times
from metrics.readers.names import ITEM, TIME, spaced
from metrics.readers.rater_roles import role_of_column
from metrics.readers.records import flat
from metrics.readers.table import TextTable, words

MOSTLY = 0.9
"""Share of the filled cells of a column that are of one kind, from which all are read so."""
SAMPLE = 200
"""Rows that show whether a column is looked at closely."""
MOST_FIELDS, MOST_LISTED = 40, 12
"""Fields of a record, and ratings of a list, that become columns; more is a document, or a series."""
OFTEN_ALIKE = 0.2
"""Share of lists of words with one word twice, from which they are of several raters; the choices of one rater differ."""
UNREAD = "parse error"
"""Label of a text that holds no verdict where the others do."""
FENCE = "```"
_BRACKETS = re.compile(r"\[\[([^\[\]]{1,60})\]\]")
_PERCENT = re.compile(r"([+-]?\d{1,9}(?:[.,]\d{1,9})?)\s*%")
_NAMED = re.compile(
    r"\W{0,3}(?:final |overall |my )?(?:rating|score|grade|verdict|answer|label|decision|judge?ment)"
    r"\W{0,3}[:=]\W{0,3}(\w[^:\n]{0,40}?)[.*\s]{0,3}",
    re.IGNORECASE,
)
_OUT_OF = re.compile(r"([+-]?\d{1,9}(?:[.,]\d{1,9})?)\s*/\s*(\d{1,9})")

Parts = tuple[dict[str, list[str]], str]
"""What is added to the name of a column, with the text of each distinct cell; and how that was read, as a sentence."""


def apart(table: TextTable) -> TextTable:
    """Return the table with a column for each thing that the cells of one hold; any other column as it is.

    Parameters
    ----------
    table : TextTable
        Of no known tool.
    """
    columns, notes = dict[str, Any](), list(table.notes)
    for name in table.columns:
        made = _parts(table, name) if table.merged is None else None
        new = [] if made is None else [name + end for end in made[0]]
        if made is None or any(column in columns or (column in table.columns and column != name) for column in new):
            columns[name] = table.data[name]
            continue
        codes = pa.array(table.raw(name)[0])
        columns |= {column: texts(cells).take(codes) for column, cells in zip(new, made[0].values(), strict=True)}
        notes.append(made[1])
    if len(notes) == len(table.notes):
        return table
    return replace(table, data=pa.table(columns), notes=tuple(notes), memo={})


@dataclass(frozen=True)
class _Cells:
    """Distinct cells of a column, and how many rows hold each."""

    texts: list[str]
    times: list[int]

    def mostly(self, found: Sequence[object]) -> bool:
        """Return whether nearly all rows that hold anything are among those for which something was found."""
        return self._count(one is not None for one in found) >= MOSTLY * max(self._count(map(str.strip, self.texts)), 1)

    def lost(self, found: Sequence[object]) -> int:
        """Return how many rows hold something for which nothing was found."""
        return self._count(one is None and bool(cell.strip()) for one, cell in zip(found, self.texts, strict=True))

    def _count(self, which: Iterable[object]) -> int:
        return sum(n for n, here in zip(self.times, which, strict=True) if here)


def _parts(table: TextTable, name: str) -> Parts | None:
    """Return the parts of a column's cells, each distinct one looked at once; None for plain cells."""
    first = [cell for cell in table.data[name].slice(0, SAMPLE).to_pylist() if cell.strip()]
    sample = _Cells(first, [1] * len(first))
    for reads in (_records, _bracketed, _panels, _listed, _bare):
        if first and reads(name, sample) is not None:
            codes, values = table.raw(name)
            return reads(name, _Cells(words(values), np.bincount(codes, minlength=len(values)).tolist()))
    return None


def _records(name: str, cells: _Cells) -> Parts | None:
    """Read records, alone or in a fence between other words; what holds none gives no field."""
    if not any("{" in cell for cell in cells.texts[:SAMPLE]):
        return None
    found = [_record(cell) for cell in cells.texts]
    fields = dict.fromkeys(field for record in found if record is not None for field in record)
    if not cells.mostly(found) or not 0 < len(fields) <= MOST_FIELDS:
        return None
    lost = cells.lost(found)
    note = f"Cells of ‘{brief(name)}’ hold records: each of their fields is a column."
    without = f" {times(lost, 'cell holds', 'cells hold')} none." if lost else ""
    columns = {f".{field}": [text((record or {}).get(field, "")) for record in found] for field in fields}
    return ({**columns, **({"": cells.texts} if lost else {})}, note + without)


def _record(cell: str) -> dict[str, Any] | None:
    start, end = cell.find(FENCE), cell.rfind(FENCE)
    inner = cell[start + len(FENCE) : end].removeprefix("json") if start < end else cell
    value = parsed(inner.strip())
    return flat(value) if isinstance(value, dict) and value else None


def _bracketed(name: str, cells: _Cells) -> Parts | None:
    """Read a judge's texts that end in a verdict, such as `[[A]]`; the text is the reason."""
    found = [_in_brackets(cell) for cell in cells.texts]
    if not any(found) or not cells.mostly(found):
        return None
    labels = [_without_brackets(cell) if label is None else label for label, cell in zip(found, cells.texts, strict=True)]
    lost = cells.lost([None if label == UNREAD else label for label in labels])
    note = f"Texts of ‘{brief(name)}’ hold a verdict in [[ ]]: it is the label, the text its reason."
    without = f" {times(lost, 'text holds', 'texts hold')} none: {UNREAD}." if lost else ""
    return {"": labels, " reason": cells.texts}, note + without


def _in_brackets(cell: str) -> str | None:
    found = [] if "[[" not in cell or parsed(cell) is not None else _BRACKETS.findall(cell)
    return found[-1].strip() or None if found else None


def _without_brackets(cell: str) -> str:
    return cell if not cell.strip() or meaning(cell) is not None or is_number(cell) else UNREAD


def _listed(name: str, cells: _Cells) -> Parts | None:
    """Read lists of one label, and lists of several raters' ratings where the name says whose they are."""
    found = [_list(cell) for cell in cells.texts]
    longest = max((len(one) for one in found if one is not None), default=0)
    if not 0 < longest <= MOST_LISTED or not cells.mostly(found) or cells.lost(found):
        return None
    if longest == 1:
        return {"": [one[0] if one else "" for one in found]}, f"Cells of ‘{brief(name)}’ are lists of one: each is its entry."
    if role_of_column(name) is None or not _are_ratings([one for one in found if one and len(one) > 1]):
        return None
    note = f"Cells of ‘{brief(name)}’ are lists of {longest} ratings: each place is a rater."
    return {f" {place + 1}": [one[place] if one and place < len(one) else "" for one in found] for place in range(longest)}, note


def _panels(name: str, cells: _Cells) -> Parts | None:
    """Read lists of records, each of a rater without a name: what the raters said on the same criteria."""
    if role_of_column(name) is None:
        return None
    found = [_panel(cell) for cell in cells.texts]
    longest = max((len(one) for one in found if one is not None), default=0)
    fields = dict.fromkeys(field for one in found if one is not None for record in one for field in record)
    if not 0 < longest <= MOST_LISTED or not 1 < len(fields) <= MOST_FIELDS or not cells.mostly(found) or cells.lost(found):
        return None
    columns = {
        f" {place + 1}.{field}": [text(one[place].get(field, "")) if one and place < len(one) else "" for one in found]
        for place in range(longest)
        for field in fields
    }
    return columns, f"Cells of ‘{brief(name)}’ are lists of {longest} records: each place is a rater, each field a criterion."


def _panel(cell: str) -> list[dict[str, Any]] | None:
    value = parsed(cell.strip())
    records = isinstance(value, list) and bool(value) and all(isinstance(one, dict) and one for one in value)
    return value if records and not any(isinstance(part, dict | list) for one in value for part in one.values()) else None


def _list(cell: str) -> list[str] | None:
    value = parsed(cell.strip())
    if not isinstance(value, list) or any(isinstance(one, dict | list) for one in value):
        return None
    found = ["" if one is None else text(one).strip() for one in value]
    return found if all(len(one) <= LONGEST_LABEL for one in found) else None


def _are_ratings(lists: Sequence[list[str]]) -> bool:
    if all(not one or is_number(one) for found in lists for one in found):
        return True
    return sum(len(set(found)) < len(found) for found in lists) >= OFTEN_ALIKE * len(lists)


def _bare(name: str, cells: _Cells) -> Parts | None:
    """Read a label without what stands around it: `85 %`, `3/5` where all are out of the same, `Rating: 4`."""
    if ITEM.search(spaced(name)) or TIME.search(spaced(name)):
        return None
    percent = [_PERCENT.fullmatch(cell.strip()) for cell in cells.texts]
    out_of = [_OUT_OF.fullmatch(cell.strip()) for cell in cells.texts]
    wholes = {match[2] for match in out_of if match}
    if cells.mostly(percent):
        found, note = percent, f"Numbers of ‘{brief(name)}’ are percentages."
    elif cells.mostly(named := [_NAMED.fullmatch(cell.strip()) for cell in cells.texts]):
        found, note = (
            named,
            f"Cells of ‘{brief(name)}’ name what they hold, as in “{brief(cells.texts[0].strip(), 30)}”: that is left out.",
        )
    elif len(wholes) == 1 and cells.mostly(out_of):
        found, note = out_of, f"Numbers of ‘{brief(name)}’ are out of {wholes.pop()}."
    else:
        return None
    return {"": [match[1] if match else cell for match, cell in zip(found, cells.texts, strict=True)]}, note

"""Headers of more than one row, and what stands above a header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from metrics.data.vocabulary import is_number, meaning, normalise
from metrics.readers.names import CRITERION, RATER, known, spaced

ROWS = 500
"""Rows that are looked at."""
MOST_ABOVE = 10
"""Lines that may stand above the header: a title, a date, what is blank."""
_IMPORTED = '{"ImportId":'
"""How the cells of Qualtrics' third row begin; its second row holds the questions as they were asked."""
FEWEST_ROWS = 3
"""Rows below a first one from which it may be known as none of names."""
MOST_STEPS = 10
"""Labels of a column in which a name would hardly be one of them."""
NUMBERED = re.compile(r"column \d+")
"""A column of a table whose first row holds no names."""
BLANKS_OF_TEXT = 3
"""Blanks from which a cell is a text."""
_DIGITS = re.compile(r"\d+")
_COMMENT = re.compile(r"#+(\s|$)")
FEWEST_COUNTED = 5
"""Columns from which rising numbers with gaps are their names, and no labels."""
_RULE = re.compile(r":?-{2,}:?")
"""A cell of the line under the names of a table in Markdown."""


def rows_above(records: Sequence[Sequence[str]]) -> int:
    """Return how many rows stand above the header, such as the title of an export; 0 where the first row is the header.

    Each of them has one filled cell at most, or begins as a comment does. The header has two or more, different ones, no number,
    and a name that a column of ours could have.
    """
    for place, record in enumerate(records[: MOST_ABOVE + 1]):
        filled = [cell.strip() for cell in record if cell.strip()]
        if len(filled) < 2 or is_comment(filled[0]):
            continue
        header = len(set(filled)) == len(filled) and not any(map(is_number, filled)) and any(map(known, filled))
        return place if header else 0
    return 0


def is_comment(cell: str) -> bool:
    """Return whether a line that begins so is a remark on the file: `# ids are shuffled, see below`."""
    return _COMMENT.match(cell) is not None


def title_note(above: int) -> str:
    """Return what became of the rows above the header, as a sentence."""
    return f"{'1 row above the header is' if above == 1 else f'{above} rows above the header are'} left out."


def header_of(records: Sequence[Sequence[str]]) -> tuple[list[str], int, str]:
    """Return names of columns, how many rows after the first belong to the header, and what they are, as a sentence.

    Where the first row is one of labels none belongs to it, and not even the first.

    Parameters
    ----------
    records : sequence of sequences of str
        First rows of a table, none above its header.
    """
    first = list(records[0]) if records else [""]
    if _is_no_header(first, records[1:]):
        names = [f"column {place}" for place in range(1, len(first) + 1)]
        return names, -1, "The first row holds labels and no names of columns: the columns are numbered."
    third = [cell for cell in records[2] if cell.strip()] if len(records) > 3 else []
    if third and all(cell.lstrip().startswith(_IMPORTED) for cell in third):
        return first, 2, "Rows 2 and 3 hold the questions and their ids, as Qualtrics writes them: both are left out."
    second = [cell.strip() for cell in records[1] if cell.strip()] if len(records) > 2 else []
    if second and all(map(_RULE.fullmatch, second)):
        return first, 1, "The line under the names is left out, as tables in Markdown have it."
    if len(records) > 3 and (ids := _ids_alone(records[2])):
        marked = [ids[: len(row)] + list(row)[len(ids) :] for row in records[:2]]
        if both := _joined([*[""] * len(ids), *marked[0][len(ids) :]], marked[1], records[3:]):
            return both, 2, "The header has three rows: the names of the first two are joined, the third names the items."
    both = _joined(first, records[1], records[2:]) if len(records) > 2 else None
    blank = len(records) > 2 and not any(cell.strip() for cell in records[2])
    return (first, 0, "") if both is None else (both, 1 + blank, "The header has two rows: their names are joined.")


def _is_no_header(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a first row is one of labels: each of its cells is a label of its column again, or an id like those below.

    Numbers that count the columns are names, and so are labels above counts of them, or above one mark in each row.
    """
    cells, width = [cell.strip() for cell in first], len(first)
    rows = [row for row in rows if len(row) == width]
    named = any(map(known, cells))
    if len(rows) < FEWEST_ROWS or not all(cells) or (named and not any(map(_is_text, cells))):
        return False
    below = [[row[place].strip() for row in rows] for place in range(width)]
    if named:
        return _is_row_of_texts(cells, below)
    labels = [_is_label_again(cell, column) for cell, column in zip(cells, below, strict=True)]
    ids = [_is_like(cell, column) for cell, column in zip(cells, below, strict=True)]
    if not any(labels) or not all(map(max, labels, ids)):
        return _is_row_of_texts(cells, below)
    if not all(map(is_number, cells)):
        return True
    sums = {sum(float(cell) for cell in row if cell.strip().isdigit()) for row in rows}
    return width == 1 or (len(sums) > 1 and (width == 2 or not _count_columns(cells)))


def _is_row_of_texts(cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether a first row holds a text above texts, a label or a number, and nothing that no later row could."""
    texts = [_is_text(cell) and 2 * sum(map(_is_text, column)) > len(column) for cell, column in zip(cells, below, strict=True)]
    numbers = [is_number(cell) and all(map(is_number, filter(None, column))) for cell, column in zip(cells, below, strict=True)]
    again = [cell in column and len(set(column)) <= MOST_STEPS for cell, column in zip(cells, below, strict=True)]
    return any(texts) and any(map(max, numbers, again)) and all(map(max, texts, numbers, again))


def _is_text(cell: str) -> bool:
    return cell.count(" ") >= BLANKS_OF_TEXT


def _count_columns(cells: Sequence[str]) -> bool:
    """Return whether whole numbers count columns from 0 or 1 on, also where some columns were taken out."""
    if not all(map(str.isdigit, cells)):
        return False
    numbers = list(map(int, cells))
    rising = all(one < other for one, other in pairwise(numbers))
    whole = numbers[-1] - numbers[0] == len(numbers) - 1
    return rising and numbers[0] in (0, 1) and (whole or len(numbers) >= FEWEST_COUNTED)


def _is_label_again(cell: str, below: Sequence[str]) -> bool:
    """Return whether a cell is a word or number of a verdict that stands in its column again, in which few others do."""
    said = set(map(normalise, filter(None, below)))
    verdict = meaning(cell) is not None or cell in ("0", "1")
    return verdict and normalise(cell) in said and len(said) <= MOST_STEPS


def _is_like(cell: str, below: Sequence[str]) -> bool:
    """Return whether a cell is an id with a number, as all below it are but for the number."""
    forms = {_DIGITS.sub("0", text) for text in (cell, *below)}
    return any(map(str.isdigit, cell)) and len(forms) == 1


def _ids_alone(row: Sequence[str]) -> list[str]:
    """Return the first cells of a row of which no other is filled, as pandas writes names of rows below those of columns."""
    cells = [cell.strip() for cell in row]
    n_filled = next((place for place, cell in enumerate(cells) if not cell), len(cells))
    return cells[:n_filled] if n_filled > 0 and not any(cells[n_filled:]) else []


def _joined(first: Sequence[str], second: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Return two rows of names as one, `human` above `tone` and `facts`; None where the second row is none of names.

    A name of the first row stands above several columns: it is repeated, or the cells right of it are blank. What stands below
    it is filled, no number, and in no later row; nor a known label, unless both rows together name the other columns once.
    """
    above, below = [cell.strip() for cell in first], [cell.strip() for cell in second]
    above += [""] * (len(below) - len(above))
    if above and below and RATER.search(spaced(above[0])) and CRITERION.search(spaced(below[0])):
        above[0] = below[0] = ""  # names of the two rows, not of a column
    if len(above) != len(below) or not any(above):
        return None
    for place, name in enumerate(above):
        if not name and place and below[place]:
            above[place] = above[place - 1]
    spans = [bool(name) and above.count(name) > 1 for name in above]
    if not any(spans):
        return None
    once = all(bool(group) != bool(name) for group, name, span in zip(above, below, spans, strict=True) if not span)
    later = [{row[place].strip() for row in rows if place < len(row)} for place in range(len(below))]
    for name, span, values in zip(below, spans, later, strict=True):
        if span and (not name or is_number(name) or (meaning(name) is not None and not once) or name in values):
            return None
    names = [f"{group} {name}" if span else group or name for group, name, span in zip(above, below, spans, strict=True)]
    plain = [name for group, name, span in zip(above, below, spans, strict=True) if group and name and not span]
    return names if not plain and all(names[1:]) and len(set(names)) == len(names) else None

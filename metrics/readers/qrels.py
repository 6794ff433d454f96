"""TREC's judgements of relevance (qrels): topic, iteration, document, grade on each line, between blanks and without a header."""

from __future__ import annotations

import re
from dataclasses import replace

from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable
from metrics.readers.workbook import from_rows

SAMPLE = 1 << 14
"""Bytes that show what a file is."""
FORMAT = "judgements of relevance as TREC keeps them (qrels)"
_LINE = re.compile(r"(\S+)[ \t]+(?:0|1|Q0)[ \t]+(\S+)[ \t]+(-?\d+)[ \t]*")
_COLUMNS = ["item", "topic_id", "document_id", "label"]


def is_qrels(data: bytes) -> bool:
    """Return whether the first lines of a text in UTF-8 are judgements of relevance."""
    lines = data[:SAMPLE].decode("utf-8", "replace").splitlines()
    lines = [line for line in (lines[:-1] if len(data) > SAMPLE else lines) if line.strip()]
    return len(lines) > 1 and all(map(_LINE.fullmatch, lines))


def read_qrels(data: bytes, name: str, sha256: str, notes: tuple[str, ...]) -> TextTable:
    """Return judgements of relevance as one row each; an item is a document on a topic.

    Raises
    ------
    InputError
        For the first line that is none.
    """
    rows = [_COLUMNS]
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        judged = _LINE.fullmatch(line)
        if judged is None and line.strip():
            refuse(
                f"Line {number} of {brief(name)} holds no topic, iteration, document and grade. Correct or remove it.", row=number
            )
        if judged is not None:
            topic, document, grade = judged.groups()
            rows.append([f"{topic} {document}", topic, document, grade])
    return replace(from_rows(rows, name, sha256, notes=notes), first_row=1, format=FORMAT)

"""Text from a file inside Streamlit's Markdown: shown as typed, whatever it looks like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from metrics.results.words import plain, shorten

_JOINER = "\u2060"
# A point between two digits is no Markdown: a number in a table reads as it is.
_PUNCTUATION = re.compile(r"([!\"#$%&'()*+,\-/:;<=>?@\[\\\]^_`{|}~]|(?<!\d)\.|\.(?!\d))")
_ESCAPED = re.compile(r"\\" + _PUNCTUATION.pattern)
# Streamlit turns these into emoji, colours, icons, arrows and links after Markdown's own escapes are undone.
_LATE = re.compile(r"(?<=[:@<\-~=])(?=\S)|(?<=www)(?=\.)", re.IGNORECASE)


def escape(text: object) -> str:
    """Return any text as Markdown that shows it unchanged, on one line."""
    return _PUNCTUATION.sub(r"\\\1", _LATE.sub(_JOINER, plain(text)))


def lines(text: object) -> str:
    """Return any text as Markdown that shows it unchanged, with its lines and paragraphs."""
    paragraphs = re.split(r"\n\s*\n", str(text).replace("\r\n", "\n").replace("\r", "\n").strip())
    return "\n\n".join("  \n".join(filter(None, map(escape, paragraph.split("\n")))) for paragraph in paragraphs)


def unescaped(text: str) -> str:
    """Return the text behind `escape`, for what shows no Markdown."""
    return _ESCAPED.sub(r"\1", text).replace(_JOINER, "")


def escaped(columns: Mapping[str, Iterable[object]]) -> dict[str, list[str]]:
    """Return a table for `st.table`, which renders Markdown: heads and cells as typed."""
    return {escape(head): [escape(cell) for cell in cells] for head, cells in columns.items()}


def short(text: object) -> str:
    """As `escape`, shortened in the middle."""
    return escape(shorten(text))


def emphasis(text: object) -> str:
    """Return a name from a file, set apart in a sentence."""
    return f"*{short(text)}*" if plain(text) else "–"


def code(text: object) -> str:
    """Return text in code type."""
    inside = plain(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", inside)), default=0))
    return f"{fence} {inside} {fence}" if "`" in inside else f"`{inside}`" if inside else ""


def sentence(text: str) -> str:
    """Return a message of the package, which sets names apart by quotes; shown as typed."""
    return escape(text)

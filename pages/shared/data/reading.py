"""How a file is read where it does not make it plain itself."""

from __future__ import annotations

from dataclasses import dataclass

Files = tuple[tuple[str, bytes], ...]
"""Name and bytes of each file that is opened; several are joined."""


@dataclass(frozen=True)
class How:
    """What was said about reading; nothing where the files make it plain.

    Attributes
    ----------
    sheets : tuple of tuple of str
        Those that were chosen of each file, where some are workbooks.
    """

    delimiter: str | None = None
    encoding: str | None = None
    skip_bad_rows: bool = False
    sheets: tuple[tuple[str, ...], ...] = ()


PLAIN = How()

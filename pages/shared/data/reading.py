"""How a file is read where it does not make it plain itself."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.data.read_options import ReadOptions

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

    @classmethod
    def of(cls, said: ReadOptions, sheets: tuple[tuple[str, ...], ...], n_files: int) -> How:
        """Return how files were read whose ratings say so: a sheet that was named alone is that of all of them."""
        named = sheets or (((said.sheet,),) * n_files if said.sheet else ())
        return cls(said.delimiter or None, said.encoding or None, said.skip_bad_rows, named)


PLAIN = How()

"""How several files became one table: what each was taken for, and which of its ids another file has too."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from metrics.results.words import count, listed, plain, shorten

Match = Literal["", "exact", "loose"]
"""How ids are compared: byte for byte, or whatever case, blanks, leading zeros and the like; empty where nobody said."""
ENOUGH = 0.9
"""Share of the ids of the smallest file from which its column of ids is taken for that of the items; fewer are asked about."""
BY_ROWS = (
    "No file has a column of ids: the first rows of all are taken for one item, the second rows for the next, and so on. "
    "If the orders differ, add a column of ids to each."
)
SHOWN, MOST_FILES = 3, 6
"""Unmatched ids of a file, and files, that a sentence names."""


@dataclass(frozen=True)
class JoinedFile:
    """One of the files.

    Attributes
    ----------
    name, sha256 : str
    taken_for : str
        Its shape or the tool that wrote it: "one rater", "one row per rating", "Langfuse’s table of scores", "keys".
    raters : tuple of str
        None of a table of keys.
    n_rows : int
    n_ids : int
        Different ids of items.
    unmatched : tuple of str
        Those that no other file has.
    """

    name: str
    sha256: str
    taken_for: str
    raters: tuple[str, ...]
    n_rows: int
    n_ids: int
    unmatched: tuple[str, ...]

    @property
    def n_matched(self) -> int:
        """Ids that another file has too."""
        return self.n_ids - len(self.unmatched)

    @property
    def share(self) -> float:
        """Share of its ids that another file has too; undefined without any."""
        return self.n_matched / self.n_ids if self.n_ids else math.nan

    def ids_words(self) -> str:
        """Return how many of its ids another file has, and the first of the others."""
        named = [shorten(name) for name in self.unmatched[:SHOWN]]
        more = len(self.unmatched) - len(named)
        others = f", not found elsewhere: {', '.join(named)}{f' and {count(more)} more' if more else ''}" if named else ""
        return f"{plain(self.name)}: {count(self.n_matched)} of {count(self.n_ids)} ids used{others}"


@dataclass(frozen=True)
class Join:
    """Several files as one table, joined on the id of the item.

    Attributes
    ----------
    files : tuple of JoinedFile
    loosened : tuple of str
        What did not tell ids apart, such as "case"; empty where they were compared byte for byte.
    could_loosen : tuple of str
        What tells ids apart that would else be found in another file.
    n_more : int
        How many of all files these are.
    by_rows : bool
        Whether the places of the rows are the ids, because no file has others.
    counted : str
        How the rows are counted, where they are the ids of one file and another settles it, as a sentence; else empty.
    """

    files: tuple[JoinedFile, ...]
    loosened: tuple[str, ...] = ()
    could_loosen: tuple[str, ...] = ()
    n_more: int = 0
    by_rows: bool = False
    counted: str = ""

    @property
    def is_enough(self) -> bool:
        """Whether another file has nearly all ids of the file with the fewest."""
        return min(self.files, key=lambda file: (file.n_ids, file.n_matched)).share >= ENOUGH

    def sentences(self) -> tuple[str, ...]:
        """Return what was joined and how, for people."""
        more = f"; {count(len(self.files) - MOST_FILES)} more files" if len(self.files) > MOST_FILES else ""
        shown = self.files[:MOST_FILES]
        ids = "; ".join(file.ids_words() for file in shown)
        taken = "; ".join(
            f"{plain(file.name)} for {file.taken_for}" + (f" ({listed(file.raters, 4)})" if file.raters else "") for file in shown
        )
        how = f"Ids that differ in {listed(self.loosened)} alone are one." if self.loosened else "Ids were matched byte for byte."
        if self.by_rows:
            how = BY_ROWS
        how += f" {self.counted}" if self.counted else ""
        if self.n_more:
            how += f" Another {count(self.n_more)} would be found if {listed(self.could_loosen)} might differ."
        return (f"Joined: {ids}{more}. {how}", f"Taken: {taken}{more}.")

    def to_dict(self) -> dict[str, object]:
        """Return JSON-ready, with all unmatched ids counted and the first of them named, and the same in words."""
        files = [
            {
                "file": file.name, "sha256": file.sha256, "taken_for": file.taken_for, "raters": list(file.raters),
                "rows": file.n_rows, "ids": file.n_ids, "matched": file.n_matched, "unmatched": list(file.unmatched[:SHOWN]),
            }
            for file in self.files
        ]  # fmt: skip
        return {"files": files, "loosened": list(self.loosened), "text": list(self.sentences())}

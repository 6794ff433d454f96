"""Where a table of the lab came from: which judge of which file, as plain text, for as long as nobody has touched it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2s

from metrics.content.lab.tables import ConfusionTable
from metrics.data.abstention import Mode
from metrics.data.pairs import reference_phrase
from metrics.data.ratings import Ratings
from metrics.results.words import count, plain, shorten

# Eight letters in an address.
KEY_BYTES = 4
Told = tuple[tuple[str, str], ...]
"""What a table says of itself, in parts of a word and a name from the file, either of which may be empty."""


@dataclass(frozen=True)
class Source:
    """What a table was before anybody touched it.

    Attributes
    ----------
    page, data : str
        The page it stood on, by its address, and the id of the data set that was open there.
    provenance : tuple of (str, str)
        What it says of itself: ("Judge", "gpt-4"), ("from", "upload.csv").
    table, mode
        As it came.
    """

    page: str
    data: str
    provenance: Told
    table: ConfusionTable
    mode: Mode

    @cached_property
    def key(self) -> str:
        """What stands for it in an address, in which no name of a file may stand."""
        whole = repr((self.page, self.data, self.provenance, self.table.text(), self.mode))
        return blake2s(whole.encode(), digest_size=KEY_BYTES).hexdigest()

    def text(self, *, whole: bool = False) -> str:
        """Return it in words: Judge gpt-4, criterion Clarity, from upload.csv, abstentions excluded.

        Names shortened unless asked for whole.
        """
        name = plain if whole else shorten
        return ", ".join(" ".join(part for part in (word, name(value)) if part) for word, value in self.provenance)

    @property
    def whose(self) -> str:
        """Whose table it is, in short: judge gpt-4, criterion Clarity."""
        return ", ".join(" ".join(part for part in (word, shorten(value)) if part) for word, value in self.provenance[:2])

    def is_of(self, table: ConfusionTable, mode: Mode) -> bool:
        """Return whether a table is this one still; what drives it does not matter."""
        if mode != self.mode or table.on_average != self.table.on_average:
            return False
        count_table, other = table.driven_by_counts(), self.table.driven_by_counts()
        return (count_table.confusion_counts, count_table.silent) == (other.confusion_counts, other.silent)


def source_lines(
    ratings: Ratings,
    judge: str,
    reference: str,
    became: str,
    *,
    item: bool = False,
    criterion: str | None = None,
    more: tuple[str, str] | None = None,
) -> Told:
    """Return what a table of one judge says of itself.

    Parameters
    ----------
    became : str
        What became of the abstentions; empty where the table does not say.
    more : tuple of (str, str), optional
        What only its page knows, such as a cut.
    """
    parts = [("Judge", judge)]
    if criterion is not None:
        parts.append(("criterion", criterion))
    elif item:
        parts.append(("verdicts on whole items", ""))
    elif len(ratings.criteria) > 1:
        parts.append((f"{count(len(ratings.criteria))} criteria pooled", ""))
    if more is not None:
        parts.append(more)
    if len(ratings.humans) > 1:
        parts.append(("reference", reference_phrase(ratings, reference)))
    parts.append(("from", ratings.source.name))
    return (*parts, *([(became, "")] if became else []))

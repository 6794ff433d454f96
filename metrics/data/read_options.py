"""How a file was read, as far as somebody said so: kept with its ratings, so that it can be read the same way again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from metrics.data.join import Match
from metrics.data.threshold import threshold_in

Pairs = tuple[tuple[str, str], ...]
Repeats = Literal["refuse", "last", "first"]
"""Which row counts where a rating is given twice, differently, and no time tells which is later."""


@dataclass(frozen=True)
class ReadOptions:
    """What was said about a file; all that is empty was left to what the file itself makes plain.

    Attributes
    ----------
    delimiter, encoding, sheet : str
    skip_bad_rows : bool
    columns, labels, scale : tuple of pairs
        As `metrics.read` takes them; a scale of all criteria stands under `all`.
    order : tuple of str
    criteria : tuple of str
        Those that were taken, where it was not all.
    repeats : str
        `last` or `first`, where it was said which of contradicting rows counts.
    merge_spellings : str
        `names`, where criteria and raters whose names differ in case or blanks alone are one.
    match : str
        `exact` or `loose`, where it was said how the ids of several files are compared.
    where : tuple of str
        Conditions on columns that items have to meet, as on the command line; see `metrics.data.filtering`.
    """

    delimiter: str = ""
    encoding: str = ""
    sheet: str = ""
    skip_bad_rows: bool = False
    columns: Pairs = ()
    labels: Pairs = ()
    order: tuple[str, ...] = ()
    scale: Pairs = ()
    criteria: tuple[str, ...] = ()
    repeats: str = ""
    merge_spellings: str = ""
    match: Match = ""
    where: tuple[str, ...] = ()

    @property
    def threshold_words(self) -> str:
        """From which number on a judge's answer is positive, "3 or more"; empty where nobody said it."""
        threshold = threshold_in(dict(self.labels))[0]
        return "" if threshold is None else threshold.words

    def stating(
        self,
        columns: Mapping[str, str] | None,
        labels: Mapping[str, str] | None,
        order: Sequence[str] | None,
        scale: str | Mapping[str, str] | None,
        repeats: Repeats = "refuse",
        merge_spellings: bool = False,
        match: Match = "",
    ) -> ReadOptions:
        """Return the same with what was said about columns, labels, repeated rows and names.

        Parameters
        ----------
        columns, labels : mapping of str to str, or None
        order : sequence of str, or None
            Labels low to high.
        scale : str, or mapping of criterion to scale, or None
            One scale stands for all criteria.
        repeats : Repeats
            What becomes of repeated rows.
        merge_spellings : bool
            Names that differ in case or blanks alone are one.
        match : Match
            How the ids of several files are compared.
        """
        scales = {"all": scale} if isinstance(scale, str) else scale
        return replace(
            self,
            columns=_pairs(columns),
            labels=_pairs(labels),
            order=tuple(map(str, order or ())),
            scale=_pairs(scales),
            repeats="" if repeats == "refuse" else repeats,
            merge_spellings="names" if merge_spellings else "",
            match=match,
        )


def _pairs(given: Mapping[str, str] | None) -> Pairs:
    return tuple((str(key), str(value)) for key, value in (given or {}).items())


DEFAULT = ReadOptions()
"""Nothing was said."""
PAIRED = ("columns", "labels", "scale")
LISTED = ("order", "criteria")
OPTIONAL = ("repeats", "merge_spellings", "match")
OPTIONAL_LISTED = ("where",)
"""Parts that a recipe leaves out where nothing was said: texts, and lists of texts."""

"""What the five views of one table are drawn from, and where the table came from.

That is which judge of which file, as plain text, for as long as nobody has touched the table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2s
from types import MappingProxyType
from typing import Any

import numpy as np

from metrics.analyses.prevalence.compute import GRID as SWEPT
from metrics.analyses.prevalence.power import metric_at, rates_of
from metrics.content.lab.tables import WORDS, ConfusionTable, labels_of
from metrics.data.abstention import Mode
from metrics.data.pairs import reference_phrase
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.measures.metric import why_undefined
from metrics.results.words import count, plain, shorten

BARS, BARS_OF_THREE, RATES = keys_at("lab"), keys_at("lab of three"), keys_at("lab rates")
LINES = ("kappa", "phi")
UNITS = ("decisions", "items")
# Rates that differ by less are the same judge's.
SAME = 1e-10
WHOLE = 12
"""Digits after which a share has no more to say."""
GRID = 0.5 - 0.5 * np.cos(np.linspace(0, np.pi, 121))
"""Prevalences at which the lines are drawn, closer together at both ends, where they bend."""

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


@dataclass(frozen=True, eq=False)
class Picture:
    """One table under one abstention mode.

    Attributes
    ----------
    name : str
        How the table is called beside another: A, B, step 1a; empty when it stands alone.
    labels : tuple of str
        Positive, negative, and the name of "no verdict" where that is a class of its own.
    unit : str
        What is counted: one of `UNITS`.
    left : int
        How many of them were left out before and are in no cell.
    beside_third : bool
        Whether the table beside it has "no verdict" as a class of its own, so that this one has it too, be it empty.
    source : Source or None
        Where it came from, if it came from a page; `touched` is whether it has been changed since.
    """

    table: ConfusionTable
    mode: Mode = "exclude"
    name: str = ""
    words: Sequence[str] = WORDS
    unit: str = UNITS[0]
    left: int = 0
    beside_third: bool = False
    source: Source | None = None
    touched: bool = False
    memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)
    """Values of `memoised`: they hold names of a file, which go when the picture goes."""

    @property
    def third(self) -> bool:
        """Whether "no verdict" is a class of its own."""
        return self.mode == "as_category" and (self.table.abstains or self.beside_third)

    @cached_property
    def counts(self) -> FloatArray:
        return self.table.counts(self.mode, third=self.third)

    @property
    def n(self) -> float:
        """Decisions that the numbers count."""
        return float(self.counts.sum())

    @property
    def two(self) -> bool:
        """Whether there are two labels, so that the judge has a TPR."""
        return not self.third

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.words[:3]) if self.third else labels_of(self.table, self.mode, self.words)

    @property
    def bars(self) -> tuple[str, ...]:
        return BARS if self.two else BARS_OF_THREE

    @cached_property
    def values(self) -> Mapping[str, float]:
        """The metrics of the bars, chance agreement and, of two labels, the rates; NaN where undefined."""
        return _values(self.table, self.mode, self.third)

    def why(self, key: str) -> str:
        """Return why a metric has no value; empty when it has one."""
        return why_undefined(BY_KEY[key], self.counts, self.labels, "the human")

    @property
    def rates(self) -> tuple[float, float]:
        """TPR and FPR: those that drive the table, else those of its counts; NaN where undefined."""
        driven = self.table.rates
        if not self.two:
            return math.nan, math.nan
        if driven is not None and (self.mode == "exclude" or not self.table.abstains):
            return driven.tpr, 1 - driven.tnr
        tpr, fpr = rates_of(self.counts)
        return float(tpr), float(fpr)

    @property
    def in_percent(self) -> tuple[str, str, str]:
        """TPR, TNR and prevalence as the sweep takes them, whole; the prevalence no nearer to 0 and 1 than a sweep goes."""
        (tpr, fpr), at = self.rates, np.clip(self.values["prevalence"], SWEPT[0], SWEPT[-1])
        return f"{100 * tpr:.{WHOLE}g}", f"{100 * (1 - fpr):.{WHOLE}g}", f"{100 * at:.{WHOLE}g}"

    @property
    def without_rates(self) -> str:
        """Why there is no judge to carry to another mix of items; empty where there is one."""
        if not self.n:
            return "no decision is left"
        if not self.two:
            return f"TPR and FPR need two labels, and {plain(self.labels[-1])} is a class of its own here"
        missing = ((key, BY_KEY[key].symbol) for key, rate in zip(("recall", "fpr"), self.rates, strict=True) if math.isnan(rate))
        return next((f"{self.why(key)}, so there is no {symbol}" for key, symbol in missing), "")

    def is_judge(self, tpr: float, fpr: float) -> bool:
        """Return whether these are its rates, as `in_percent` gives them."""
        return not self.without_rates and bool(np.allclose((tpr, fpr), self.rates, rtol=0, atol=SAME))

    @cached_property
    def lines(self) -> Mapping[str, FloatArray]:
        """κ and φ of the same judge at every prevalence of `GRID`; all NaN where it has no TPR or FPR."""
        return _lines(*self.rates)


@lru_cache(maxsize=16)
def _values(table: ConfusionTable, mode: Mode, third: bool) -> Mapping[str, float]:
    keys = BARS_OF_THREE if third else (*BARS, *RATES)
    counts = table.counts(mode, third=third)
    return MappingProxyType({key: float(BY_KEY[key].function(counts)) for key in (*keys, "expected_agreement")})


@lru_cache(maxsize=16)
def _lines(tpr: float, fpr: float) -> Mapping[str, FloatArray]:
    line_by_metric = {key: metric_at(key, tpr, fpr, GRID) for key in LINES}
    for line in line_by_metric.values():
        line.setflags(write=False)
    return MappingProxyType(line_by_metric)

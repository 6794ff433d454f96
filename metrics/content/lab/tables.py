"""A table made by hand: given by its counts, or by a judge's rates and a prevalence; short enough to stand in an address."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.prevalence.power import carried, rates_of
from metrics.data.abstention import Mode, apply_mode, mode_labels
from metrics.data.labels import DEFAULT_ABSTENTION, DEFAULT_NEGATIVE, DEFAULT_POSITIVE, Scheme
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, as_confusion
from metrics.measures.rates import prevalence
from metrics.results.words import HARD_SPACE, MINUS, THIN_SPACE, count

MOST = 1_000_000_000
"""Decisions in a cell, and items in a table that is driven by rates."""
WORDS = (DEFAULT_POSITIVE, DEFAULT_NEGATIVE, DEFAULT_ABSTENTION)
UNKNOWN = 0.5
"""Where a rate starts that the counts leave undefined."""
DIGITS = 9
"""Decimals of a count that comes from rates; what lies beyond is noise of the arithmetic."""
MOVED = 2e-6
"""Share of a row by which six digits of the rates may move a count of it."""
BETWEEN, BY_RATES = "_", "r"
TWO, THREE, GIVEN = 4, 9, 4
SILENT = ((0, 2), (1, 2), (2, 0), (2, 1), (2, 2))
"""Cells (reference, judge) in which a side gives no verdict, in the order of `Table.silent`."""
NONE = (0.0,) * len(SILENT)
CELLS = ("TP", "FN", "FP", "TN")
RATE_WORDS = {"prevalence": "prevalence", "tpr": "TPR", "tnr": "TNR"}
HOW_COUNTS = "write whole numbers TP_FN_FP_TN, such as 45_5_95_855."
HOW_RATES = "write prevalence, TPR and TNR in percent and how many, such as r5_90_90_1000."
FULL_SCALE = 100
"""The least that a slider for a count reaches to."""
LONGEST = 40
"""Letters of a text that are shown where it cannot be read."""
LEGIBLE = 1e15
"""A number from which on its digits say nothing."""


@dataclass(frozen=True)
class Rates:
    """A judge as two rates, the mix of items, and how many there are.

    Attributes
    ----------
    prevalence, tpr, tnr : float
        Shares of 1, kept to six digits of their percentage, so that an address holds them whole.
    n : int
    """

    prevalence: float
    tpr: float
    tnr: float
    n: int

    def __post_init__(self) -> None:
        for name in ("prevalence", "tpr", "tnr"):
            rate = getattr(self, name)
            if not 0 <= rate <= 1:
                raise InputError(out_of_range(RATE_WORDS[name], 100 * rate, 100, f"{HARD_SPACE}%"))
            object.__setattr__(self, name, float(f"{100 * rate:.6g}") / 100)
        if not 0 <= self.n <= MOST or self.n != round(self.n):
            raise InputError(out_of_range("N", self.n))

    @property
    def in_percent(self) -> dict[str, float]:
        """The three rates as they are asked for."""
        return {name: float(f"{100 * getattr(self, name):.6g}") for name in ("prevalence", "tpr", "tnr")}

    def with_percent(self, name: str, percent: float) -> Rates:
        """Return one of the three made another."""
        return replace(self, **{name: percent / 100})  # type: ignore[arg-type]


@dataclass(frozen=True)
class ConfusionTable:
    """Decisions of a judge beside a reference.

    Attributes
    ----------
    confusion_counts : tuple of 4 floats
        TP, FN, FP, TN; not whole where they follow from rates: what such a judge gives on average.
    silent : tuple of 5 floats
        Decisions in which a side gives no verdict, in the order of `SILENT`.
    rates : Rates or None
        What drives the table; None where its counts do.
    """

    confusion_counts: tuple[float, ...]
    silent: tuple[float, ...] = NONE
    rates: Rates | None = None

    def __post_init__(self) -> None:
        for place, n in enumerate((*self.confusion_counts, *self.silent)):
            if not 0 <= n <= MOST:
                raise InputError(out_of_range(CELLS[place] if place < len(CELLS) else "a count without a verdict", n))

    @classmethod
    def of_counts(cls, counts: ArrayLike) -> ConfusionTable:
        """Make a table from a 2 x 2 table, or a 3 x 3 one whose last row and column are "no verdict", in whole decisions.

        Parameters
        ----------
        counts : array_like, shape (2, 2) or (3, 3)
            Reference in rows; rounded.

        Raises
        ------
        InputError
            For more labels, and for a cell above `MOST`.
        ValueError
            For a table that is not square, and for a cell that is below 0 or not finite.
        """
        given = np.round(as_confusion(counts))
        if given.shape not in ((2, 2), (3, 3)):
            raise InputError(f"The lab draws tables of two labels, not of shape {given.shape}.")
        silent = tuple(float(given[place]) for place in SILENT) if len(given) == 3 else NONE
        return cls(tuple(given[:2, :2].ravel().tolist()), silent)

    @classmethod
    def of_rates(cls, rates: Rates, silent: tuple[float, ...] = NONE) -> ConfusionTable:
        """Return what a judge of these rates gives on average."""
        cells = carried(rates.tpr, 1 - rates.tnr, rates.prevalence) * rates.n
        return cls(tuple(np.round(cells, DIGITS).ravel().tolist()), silent, rates)

    @property
    def on_average(self) -> bool:
        """Whether its counts are what a judge of given rates gives on average, and not whole."""
        counts = self.raw[:2, :2]
        return bool((np.abs(counts - np.round(counts)) > MOVED * counts.sum(-1, keepdims=True)).any())

    @property
    def n(self) -> float:
        """All decisions, those without a verdict too."""
        return math.fsum((*self.confusion_counts, *self.silent))

    @property
    def abstains(self) -> bool:
        return any(self.silent)

    @property
    def coverage(self) -> float:
        """Share of the decisions in which both gave a verdict; NaN without decisions."""
        return math.fsum(self.confusion_counts) / self.n if self.n else math.nan

    @cached_property
    def raw(self) -> FloatArray:
        """All decisions with "no verdict" as the last row and column, shape (3, 3)."""
        cells = np.zeros((3, 3))
        cells[:2, :2] = np.reshape(self.confusion_counts, (2, 2))
        for place, n in zip(SILENT, self.silent, strict=True):
            cells[place] = n
        return cells

    def counts(self, mode: Mode = "exclude", *, third: bool = False) -> FloatArray:
        """Return the table under an abstention mode, shape (2, 2), or (3, 3) as a third class; with `third` also where that is
        empty.
        """
        if third:
            return self.raw
        if not self.abstains:
            return self.raw[:2, :2]
        scheme = scheme_of(WORDS)
        whole = np.zeros((scheme.n_states, scheme.n_states))
        places = [0, 1, scheme.state("abstention")]
        whole[np.ix_(places, places)] = self.raw
        return apply_mode(whole, scheme, mode)  # type: ignore[arg-type, return-value]

    def driven_by_rates(self) -> ConfusionTable:
        """Return the same decisions, driven by rates: to six digits, `MOST` at most; an undefined rate starts in the middle."""
        if self.rates is not None:
            return self
        given = self.raw[:2, :2]
        tpr, fpr = rates_of(given)
        at, n = _known(prevalence(given)), round(min(math.fsum(self.confusion_counts), MOST))
        return ConfusionTable.of_rates(Rates(at, _known(tpr), 1 - _known(fpr), n), self.silent)

    def driven_by_counts(self) -> ConfusionTable:
        """Return the same decisions in whole numbers, as many as there were."""
        return self if self.rates is None else ConfusionTable(_whole(self.confusion_counts, self.rates.n), self.silent)

    def turned(self) -> ConfusionTable:
        """Return the table with misses and false alarms exchanged, and who gives no verdict on what; in whole decisions."""
        table = self.driven_by_counts()
        return ConfusionTable.of_counts(table.raw.T if table.abstains else table.raw[:2, :2].T)

    def text(self) -> str:
        """Return the table as it stands in an address; `read` takes it back."""
        rates = self.rates
        if rates is not None:
            given = [*(f"{100 * rate:.6g}" for rate in (rates.prevalence, rates.tpr, rates.tnr)), str(rates.n)]
        else:
            given = [str(round(n)) for n in self.confusion_counts]
        silent = [str(round(n)) for n in self.silent] if self.abstains else []
        return (BY_RATES if rates else "") + BETWEEN.join([*given, *silent])


def read(text: str, called: str = "a table") -> ConfusionTable:
    """Return a table from an address; what it gives back as text may be shorter.

    Raises
    ------
    InputError
        For anything but four or nine numbers that a table can hold, counts in whole decisions; `called` says of which table.
    """
    try:
        return _table(text)
    except InputError as error:
        shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        raise InputError(f"‘{shown}’ cannot be {called}: {error}") from None


def _table(text: str) -> ConfusionTable:
    by_rates = text.startswith(BY_RATES)
    how = HOW_RATES if by_rates else HOW_COUNTS
    try:
        given = [float(part) for part in text.removeprefix(BY_RATES).split(BETWEEN)]
    except ValueError:
        raise InputError(how) from None
    counts = given[GIVEN - 1 :] if by_rates else given
    if len(given) not in (TWO, THREE) or not all(map(math.isfinite, given)) or any(n != round(n) for n in counts):
        raise InputError(how)
    silent = tuple(given[GIVEN:]) or NONE
    if not by_rates:
        return ConfusionTable(tuple(given[:GIVEN]), silent)
    at, tpr, tnr = (number / 100 for number in given[:3])
    return ConfusionTable.of_rates(Rates(at, tpr, tnr, round(given[3])), silent)


def out_of_range(name: str, x: float, most: float = MOST, unit: str = "") -> str:
    """Return a sentence: a number lies outside of 0 to `most`, in the units it was given in.

    Parameters
    ----------
    name : str
        What the number is.
    x : float
        May be NaN, or infinite.
    most : float
    unit : str
        With the space before it.
    """
    shown = f"{abs(x):,.6f}".rstrip("0").rstrip(".").replace(",", THIN_SPACE) if abs(x) < LEGIBLE else ""
    if shown in ("", "0", count(most)):
        value_text = "undefined" if math.isnan(x) else "less" if x < 0 else "more"
    else:
        value_text = f"{MINUS if x < 0 else ''}{shown}{unit}"
    return f"{name} lies between 0{unit} and {count(most)}{unit}, not {value_text}."


def scheme_of(labels: Sequence[str] = WORDS) -> Scheme:
    """Return two labels and "no verdict" as a scheme."""
    return Scheme(tuple(zip(labels, ("positive", "negative", "abstention"), strict=True)))


def labels_of(table: ConfusionTable, mode: Mode, labels: Sequence[str] = WORDS) -> tuple[str, ...]:
    """Return names of the rows and columns of `Table.counts`.

    Parameters
    ----------
    table : Table
    mode : Mode
    labels : sequence of str, length 3
        Positive, negative and "no verdict".

    Returns
    -------
    tuple of str, length 2 or 3
    """
    return mode_labels(scheme_of(labels), mode) if table.abstains else tuple(labels[:2])


def full_scale(n: float) -> int:
    """Return the upper end of a slider for a count: the next of 100, 200, 500, 1 000, … that leaves room to move."""
    top = FULL_SCALE
    while top < 1.25 * n and top < MOST:
        top = next(step for step in (2 * top, 5 * top // 2) if _round_number(step))
    return min(top, MOST)


def slider_step(top: int) -> int:
    """Return by how much a slider with that end moves."""
    return max(top // 200, 1)


def step_of(n: float) -> int:
    """Return by how much a count of that size is moved: a hundredth, as a round number."""
    return int(10 ** max(len(str(round(n))) - 3, 0))


def _round_number(n: int) -> bool:
    return str(n).rstrip("0") in ("1", "2", "5")


def _whole(cells: Sequence[float], n: int) -> tuple[float, ...]:
    """Return whole numbers that add up to n; what is missing goes to the cells that lost most."""
    whole_cells = [math.floor(cell) for cell in cells]
    by_loss = sorted(range(len(cells)), key=lambda place: whole_cells[place] - cells[place])
    for place in by_loss[: n - sum(whole_cells)]:
        whole_cells[place] += 1
    return tuple(map(float, whole_cells))


def _known(rate: ArrayLike) -> float:
    number = float(np.asarray(rate))
    return UNKNOWN if math.isnan(number) else number

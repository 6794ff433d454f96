"""Columns of numbers that are scores, not labels; and what a stated scale says about labels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metrics.data.labels import AFTER_CLASSES, NO_NUMBER, NUMBER, Scale
from metrics.data.memo import memoised
from metrics.data.vocabulary import FIRST, SECOND, SENTINELS, TIES, Kind, is_number, meaning, normalise, preference, token
from metrics.readers.messages import brief, listed, times
from metrics.readers.names import OVERALL
from metrics.readers.table import Coded, TextTable

_PART = 1 << 16
"""Texts that are read at once; others get their turn in between."""
DIGITS = 3
"""Digits between two marks of thousands."""
_DECIMAL_COMMA = re.compile(r"[+-]?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+),[0-9]+")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")


def numbers_of(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return the number each text spells, with a point or a decimal comma (also 1.234,5); NaN where it spells none.

    Commas part thousands (1,234) where the other texts show it: see `_in_thousands`.
    """
    thousands = _in_thousands(texts)
    parts = [_numbers_of(texts[start : start + _PART], thousands=thousands) for start in range(0, len(texts), _PART)]
    return np.concatenate([np.empty(0), *parts])


def numbers_in(table: TextTable, column: str) -> NDArray[np.float64]:
    """Return the number that each distinct value of a column spells, and NaN for an empty cell."""
    return memoised(table, ("numbers", column), lambda: np.append(numbers_of(table.coded(column).names), np.nan))


def _in_thousands(texts: Sequence[str]) -> bool:
    """Return whether every comma stands before three digits, and the rest has decimal points, or numbers from 100 without any."""
    commas = [text for text in texts if "," in text]
    if not commas or not all(_THOUSANDS.fullmatch(text) for text in commas):
        return False
    others = [text for text in texts if "," not in text]
    pointed = any("." in text for text in (*commas, *others)) or any(text.count(",") > 1 for text in commas)
    return pointed or any(text.isdecimal() and len(text) == DIGITS for text in others)


def _numbers_of(texts: Sequence[str], *, thousands: bool) -> NDArray[np.float64]:
    cells = [text.replace(",", "") if thousands else text for text in map(str, texts)]
    for place, cell in enumerate(cells):
        if "," in cell and _DECIMAL_COMMA.fullmatch(cell):
            cells[place] = cell.replace(".", "").replace(",", ".")
    values = np.asarray(pd.to_numeric(np.array(cells, dtype=object), errors="coerce"), np.float64)
    return np.where(np.isfinite(values), values, np.nan)


@dataclass(frozen=True)
class Numbered:
    """The criteria of a file whose numbers are scores on a continuous scale.

    Attributes
    ----------
    criteria : frozenset of str
    column : str or None
        Column that names the criterion of a row.
    words : frozenset of str
        Labels, normalised, that mean no verdict, a number that does so (such as 99) among them.
    """

    criteria: frozenset[str] = frozenset()
    column: str | None = None
    words: frozenset[str] = frozenset()

    def labels(self, table: TextTable, column: str, criterion: str | None = None) -> Coded:
        """Return labels of a column, every number of these criteria as the one label `NUMBER`.

        Cells of these criteria that hold neither a number nor a word that says why there is none have no label.

        Parameters
        ----------
        table : Table
        column : str
        criterion : str, optional
            Criterion of the whole column, where it has one of its own.
        """
        if not self.criteria:
            return table.coded(column)
        return memoised(table, ("measured", column, criterion, self), lambda: self._labels(table, column, criterion))

    def scores(self, table: TextTable, column: str, criterion: str | None = None) -> NDArray[np.float64] | None:
        """Return the numbers of these criteria in a column.

        Parameters
        ----------
        table : Table
        column : str
        criterion : str, optional
            Criterion of the whole column, where it has one of its own.

        Returns
        -------
        ndarray of float64, shape (n_rows,), or None
            NaN in rows without such a number; None where no row has one.
        """
        if not self.criteria:
            return None
        coded, measured = table.coded(column), self.labels(table, column, criterion)
        if NUMBER not in measured.names:
            return None
        values = numbers_in(table, column)[coded.codes]
        return np.where(measured.codes == measured.names.index(NUMBER), values, np.nan)

    def left_out(self, table: TextTable, column: str, criterion: str | None = None) -> str:
        """Return a sentence about the cells that hold neither a number nor a known word; empty where there are none.

        Parameters
        ----------
        table : Table
        column : str
        criterion : str, optional
            Criterion of the whole column, where it has one of its own.
        """
        coded, measured = table.coded(column), self.labels(table, column, criterion)
        lost = (coded.codes >= 0) & (measured.codes < 0)
        if not lost.any():
            return ""
        words = [coded.names[code] for code in np.unique(coded.codes[lost])]
        shown = listed((f"‘{brief(word, 30)}’" for word in words), 3)
        n_lost = table.counted(lost)
        held = "hold" if n_lost > 1 else "holds"
        return f"{times(n_lost, 'cell', 'cells')} of ‘{brief(column)}’ {held} {NO_NUMBER} ({shown}): left out."

    def _labels(self, table: TextTable, column: str, criterion: str | None) -> Coded:
        coded = table.coded(column)
        known = np.array([self._stays(name) for name in coded.names], dtype=bool)
        numeric = ~np.isnan(numbers_in(table, column)[:-1]) & ~known
        inside = self.inside(table, criterion)
        number = np.append(numeric, False)[coded.codes] & inside
        lost = ~np.append(numeric | known, True)[coded.codes] & inside
        kept = np.where(number | lost, -1, coded.codes)
        there = np.bincount(kept + 1, minlength=len(coded.names) + 1)[1:] > 0
        place = np.append(np.cumsum(there) - 1, -1)[kept]
        names = [name for name, used in zip(coded.names, there, strict=True) if used]
        if not number.any():
            return Coded(place.astype(np.int32), tuple(names))
        return Coded(np.where(number, len(names), place).astype(np.int32), (*names, NUMBER))

    def _stays(self, name: str) -> bool:
        if normalise(name) in self.words:
            return True
        known = None if is_number(name) else meaning(name)
        return known is not None and known.kind in AFTER_CLASSES

    def inside(self, table: TextTable, criterion: str | None = None) -> NDArray[np.bool_]:
        """Return whether the criterion of a row is one of these."""
        if criterion is not None or self.column is None:
            return np.full(table.n_rows, (criterion or OVERALL) in self.criteria)
        coded = table.coded(self.column)
        return np.array([*(name in self.criteria for name in coded.names), False])[coded.codes]


def distinct_numbers(table: TextTable, column: str, criteria: Coded | None) -> list[NDArray[np.float64]]:
    """Return the different numbers of a column, by criterion.

    Parameters
    ----------
    table : Table
    column : str
    criteria : Coded or None
        Criterion of each row; None where rows name none, or all the same.

    Returns
    -------
    list of ndarray of float64
        One of each criterion; one in all where rows name none.
    """
    numbers = numbers_in(table, column)
    values, codes = np.unique(numbers[~np.isnan(numbers)], return_inverse=True)
    if criteria is None or not len(values):
        return [values for _ in range(1 if criteria is None else len(criteria.names))]
    place = np.full(len(numbers), -1, np.int64)
    place[~np.isnan(numbers)] = codes
    number_codes, which = place[table.coded(column).codes], criteria.codes.astype(np.int64)
    there = (number_codes >= 0) & (which >= 0)
    pairs = np.unique(which[there] * len(values) + number_codes[there])
    ends = np.searchsorted(pairs, np.arange(1, len(criteria.names)) * len(values))
    return [values[part % len(values)] for part in np.split(pairs, ends)]


def kinds_by_scale(labels: Mapping[str, frozenset[str]], scales: Mapping[str, Scale], settled: frozenset[str]) -> dict[str, Kind]:
    """Return what stated scales say about labels.

    A label is a class where an ordinal or nominal criterion uses it. Elsewhere a preference has its side, and of the numbers
    1 is positive and 0 negative. Words for no verdict keep their meaning, and a number that often stands for it is asked.

    Parameters
    ----------
    labels : mapping of label to the criteria that use it
    scales : mapping of criterion to scale
        Those that were stated.
    settled : frozenset of str
        Labels, normalised, whose meaning was stated or whose order was given.
    """
    kinds: dict[str, Kind] = {}
    for label, criteria in labels.items():
        label_scales = {scales.get(criterion) for criterion in criteria}
        if label == NUMBER:
            kinds[label] = "number"
        elif normalise(label) in settled or _no_verdict(label):
            continue
        elif label_scales & {"ordinal", "nominal"} and normalise(label) not in SENTINELS:
            kinds[label] = "class"
        elif label_scales == {"pairwise"} and token(label) in FIRST | SECOND | TIES:
            kinds[label] = preference(label)
        elif label_scales == {"binary"} and normalise(label) in ("0", "1"):
            kinds[label] = "positive" if normalise(label) == "1" else "negative"
    return kinds


def _no_verdict(label: str) -> bool:
    known = None if is_number(label) else meaning(label)
    return known is not None and known.kind in AFTER_CLASSES and known.kind != "tie"


def without_order(labels: Mapping[str, frozenset[str]], scales: Mapping[str, Scale], settled: frozenset[str]) -> list[str]:
    """Return labels of ordinal criteria that are neither numbers nor in a given order, and no word for no verdict.

    Parameters
    ----------
    labels : mapping of label to the criteria that use it
    scales : mapping of criterion to scale
        Those that were stated.
    settled : frozenset of str
        Labels, normalised, that need no place in the order or have one.
    """
    ordinal = {criterion for criterion, scale in scales.items() if scale == "ordinal"}
    return [
        label
        for label, criteria in labels.items()
        if criteria & ordinal and not is_number(label) and normalise(label) not in settled and not _no_verdict(label)
    ]

"""The groups that a column of the file makes of the decisions: its values, bins of its numbers, or how long its texts are."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.slices.group_sizes import FEWEST_ITEMS
from metrics.data.item_columns import (
    Codes,
    Kind,
    Spread,
    are_as_written,
    column_spread,
    columns_beside,
    common_value,
    day_of,
    kind_of_column,
    named_column,
    numbers_in,
    values_of_column,
)
from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.data.vocabulary import is_number, normalise
from metrics.errors import InputError
from metrics.readers.long_form import run_column, runs_apart
from metrics.results import words

MOST_GROUPS = 200
"""Groups that are made of a column: of more, none has enough items to say anything."""
BINS = 4
"""Bins of as many items each, of numbers and lengths."""
MOST_PROPOSED = 40
"""Values up to which a column is proposed: a group is worth a look with ten items or more, and a table with fewer rows."""
SHORT, LONG_SPAN = 31, 183
"""Days that times span, up to which they are taken by day, and up to which by week; longer ones by month."""
CROSS = " × "
_LIKELY: tuple[str, ...] = ("values", "times", "length", "numbers")
"""Kinds of columns, those that people cut a file by first."""
_IN_TIME = re.compile(r"(.*[^a-z])?(week|month|day|date)s?", re.IGNORECASE)
_IN_ORDER = re.compile(r"(.*[^a-z])?(version|run|batch|release|revision|iteration)s?", re.IGNORECASE)
_LENGTH = re.compile(r"length\s*\(\s*(.+?)\s*\)", re.IGNORECASE)


@dataclass(frozen=True)
class By:
    """What decisions are grouped by.

    Attributes
    ----------
    column : str
        Of the file.
    kind : {"values", "numbers", "times", "length"} or ""
        Each value, bins of numbers, days, weeks or months, or bins of the length of texts; empty for what the column holds.
    cuts : tuple of float
        Upper ends of the bins but the last; empty for quantiles of the items.
    """

    column: str
    kind: Kind | Literal[""] = ""
    cuts: tuple[float, ...] = ()

    @classmethod
    def of(cls, text: str, cuts: Sequence[float] = ()) -> By:
        """Return what a name says: a column, or `length(column)`."""
        length = _LENGTH.fullmatch(text.strip())
        return cls(length[1], "length", tuple(cuts)) if length else cls(text.strip(), "", tuple(cuts))


@dataclass(frozen=True, eq=False)
class Grouping:
    """The group of every rating.

    Attributes
    ----------
    by : tuple of By
        One, or two that are crossed; each with its column by its name in the file, and its kind.
    values : tuple of str
        Names of the groups, in their order.
    ratings : Ratings
        Those that are grouped: of repeated runs, with an item for every run.
    known : ndarray of int, shape (n,)
        The group of every item, decision or rating, from 0; -1 where the file has no value.
    place : ndarray of int, shape (n_ratings,), or None
        Where each rating stands among these; None where they are the ratings.
    of_item : ndarray of int, shape (n_unique,), or None
        The group of every item; None where an item lies in several.
    in_file : ndarray of int64, shape (n_unique,), or None
        Where runs are items of their own, the item of the file that each is a run of.
    """

    by: tuple[By, ...]
    values: tuple[str, ...]
    ratings: Ratings
    known: Codes
    place: Codes | None
    of_item: Codes | None
    in_file: NDArray[np.int64] | None = None

    @cached_property
    def of_rating(self) -> Codes:
        """The group of every rating, shape (n_ratings,)."""
        return self.known if self.place is None else self.known[self.place]

    @property
    def name(self) -> str:
        """What the groups are groups of, as it stands above them."""
        return CROSS.join(_title(by) for by in self.by)

    @cached_property
    def ratings_of(self) -> tuple[NDArray[np.int64], ...]:
        """Places of the ratings of each group, in order."""
        order = np.argsort(self.of_rating.astype(np.int16), kind="stable")
        return tuple(np.split(order, np.searchsorted(self.of_rating[order], np.arange(len(self.values))))[1:])

    @property
    def in_order(self) -> bool:
        """Whether each group comes after the one before: times, runs, prompts, and what is called a version or a batch."""
        if len(self.by) > 1 or self.by[0].kind not in ("times", "values"):
            return False
        numbered = self._role in ("prompt", "run") or _IN_ORDER.fullmatch(self.by[0].column) is not None
        return self.in_time or numbered

    @property
    def in_time(self) -> bool:
        """Whether each group is a time: of a column of times, or of numbered weeks, months or days; their names have no order."""
        kind, column = (self.by[0].kind if len(self.by) == 1 else ""), self.by[0].column
        named = kind == "values" and (self._role == "timestamp" or _IN_TIME.fullmatch(column) is not None)
        return kind == "times" or (named and _are_numbered(self.values))

    @property
    def _role(self) -> str:
        """The role of the first column; empty for one that rides along."""
        return next((role for role, name in self.ratings.columns if name == self.by[0].column), "")


def grouping(ratings: Ratings, by: Sequence[By], *, apart: bool = False) -> Grouping:
    """Return the groups that one column, or two crossed, make of the decisions.

    A rating without a value follows the others of its item, or of its decision where items have several values.

    Parameters
    ----------
    ratings : Ratings
    by : sequence of By
        One or two.
    apart : bool
        Whether each rating goes with its own value where the raters of a decision have different ones.

    Raises
    ------
    InputError
        For an unknown column, one with too many values, and unless `apart` one whose values differ between the raters of a
        decision.
    """
    if not 1 <= len(by) <= 2:
        raise InputError(f"{ratings.source.name}: slices take one column, or two that are crossed, not {len(by)}.")
    columns = [named_column(ratings, each.column, "group by") for each in by]
    by = [By(column, each.kind, each.cuts) for column, each in zip(columns, by, strict=True)]
    if (column := run_column(ratings)) in columns and column is not None:
        told, by = runs_apart(ratings), [_by_run(ratings, each) if each.column == column else each for each in by]
        return replace(_made(told.ratings, by, apart=apart), in_file=told.item)
    return _made(ratings, by, apart=apart)


def _by_run(ratings: Ratings, by: By) -> By:
    """Return each run as a group of its own: a bin of several would hold an item more than once, as if it were several."""
    if by.cuts or by.kind == "length":
        raise InputError(
            f"{ratings.source.name}: ‘{by.column}’ tells runs apart, and each is a group. Leave out bins.", column=by.column
        )
    return By(by.column, "values")


def _made(ratings: Ratings, by: Sequence[By], *, apart: bool) -> Grouping:
    first, *rest = (_single(ratings, each, apart=apart) for each in by)
    return _crossed(ratings, first, rest[0]) if rest else first


def sizes(ratings: Ratings, by: By) -> NDArray[np.float64]:
    """Return the number behind every rating, or how long its text is, shape (n_ratings,); 0 where the file has none.

    Parameters
    ----------
    ratings : Ratings
    by : By
        Of kind `numbers` or `length`.

    Raises
    ------
    InputError
        For an unknown column, one that holds more than numbers, and one whose values differ between the raters of a decision.
    """
    values, made = column_spread(ratings, named_column(ratings, by.column, "measure"))
    if made.within == "rating":
        _refuse_clash(ratings, by, values, made)
    known = _sizes(ratings, by, values)
    return np.where(made.of_rating >= 0, known[made.of_rating], 0.0)


def _sizes(ratings: Ratings, by: By, values: Sequence[str]) -> NDArray[np.float64]:
    numbers = np.array([len(value) for value in values], np.float64) if by.kind == "length" else numbers_in(values)
    if numbers is None:
        raise InputError(
            f"{ratings.source.name}: ‘{by.column}’ holds more than numbers, so that it has no bins.", column=by.column
        )
    return numbers


def proposed(ratings: Ratings) -> dict[str, By]:
    """Return columns that are worth a look, by their titles, each by what it holds: few values, times, long texts or numbers.

    Columns of numbers that say what a rater answered, as counts of votes do, come last, and before them those whose groups are
    mostly too small to be tested.
    """
    return memoised(ratings, ("proposed slices",), lambda: _proposed(ratings))


def _title(by: By) -> str:
    return f"length of {by.column}" if by.kind == "length" else by.column


def _proposed(ratings: Ratings) -> dict[str, By]:
    out: dict[str, tuple[tuple[bool, bool, int], By]] = {}
    if not ratings.has_items:
        return {}
    for column in columns_beside(ratings):
        kind = kind_of_column(ratings, column)
        if kind == "values" and _holds_labels(ratings, column):
            continue
        try:
            made = grouping(ratings, [By(column, kind)])
        except InputError:
            continue
        if 1 < len(made.values) <= MOST_PROPOSED and len(made.values) * 2 <= ratings.n_items:
            by, small = made.by[0], len(made.values) * FEWEST_ITEMS > ratings.n_items
            out[_title(by)] = (_says_answers(ratings, by), small, _LIKELY.index(by.kind)), by
    return {title: by for title, (_, by) in sorted(out.items(), key=lambda each: each[1][0])}


def _holds_labels(ratings: Ratings, column: str) -> bool:
    """Return whether most values of a column are labels, all where they are numbers: it says what was said, and not of what."""
    values = values_of_column(ratings, column)
    labels = {normalise(label) for label in ratings.labels}
    known = [normalise(value) in labels for value in values]
    return all(known) if all(map(is_number, values)) else 2 * sum(known) > len(values)


def _says_answers(ratings: Ratings, by: By) -> bool:
    """Return whether some rater gives one label in each group of a column of numbers but one, and not one throughout."""
    if by.kind != "numbers":
        return False
    made = grouping(ratings, [by])
    n_groups, n_labels = len(made.values), len(ratings.labels)
    if made.in_file is not None or n_groups <= 2:
        return False
    rated = np.flatnonzero(made.of_rating >= 0)
    key = (ratings.rater[rated].astype(np.int64) * n_groups + made.of_rating[rated]) * n_labels + ratings.label[rated]
    shape = (len(ratings.raters), n_groups, n_labels)
    said = np.bincount(key, minlength=math.prod(shape)).reshape(shape) > 0
    constant = (said.sum(2) == 1).sum(1) >= n_groups - 1
    return bool((constant & (said.any(1).sum(1) > 1)).any())


def _single(ratings: Ratings, by: By, *, apart: bool) -> Grouping:
    settled = By(by.column, by.kind or kind_of_column(ratings, by.column), by.cuts)
    return memoised(ratings, ("grouping", settled, apart), lambda: _grouped(ratings, settled, apart=apart))


def _grouped(ratings: Ratings, by: By, *, apart: bool) -> Grouping:
    values, spread = column_spread(ratings, by.column)
    if not values:
        raise InputError(f"{ratings.source.name}: the column ‘{by.column}’ is empty.", column=by.column)
    if spread.within == "rating" and not apart:
        _refuse_clash(ratings, by, values, spread)
    # What is weighed are items, and where one has several values its ratings.
    if spread.within == "item":
        counted, times = spread.known, spread.times(len(values))
    else:
        counted, times = spread.of_rating, np.bincount(spread.of_rating + 1, minlength=len(values) + 1)
    names, groups = _binned(ratings, by, values, counted)
    n = times[1:]
    used = np.flatnonzero(np.bincount(groups, weights=n, minlength=len(names)))
    place = np.full(len(names), -1, np.int64)
    place[used] = np.arange(len(used))
    group = place[groups].astype(np.int32)
    shown = tuple(names[at] for at in used)
    if len(shown) > MOST_GROUPS:
        raise InputError(
            f"{ratings.source.name}: ‘{by.column}’ has {words.count(len(shown))} values, and slices take at most {MOST_GROUPS}. "
            "Choose a column with fewer.",
            column=by.column,
        )
    known = _apply(group, spread.known)
    return Grouping((by,), shown, ratings, known, spread.place, known if spread.within == "item" else None)


def _apply(lookup: Codes, codes: Codes) -> Codes:
    if (lookup == np.arange(len(lookup))).all():
        return codes
    # Of -1 the last one.
    return np.append(lookup, np.int32(-1))[codes]


def _refuse_clash(ratings: Ratings, by: By, values: Sequence[str], spread: Spread) -> NoReturn:
    both = values[spread.of_rating[spread.clash]], values[spread.of_clash]
    raise InputError(
        f"{ratings.source.name}: the raters of one decision have different values in ‘{by.column}’, ‘{both[0]}’ and "
        f"‘{both[1]}’. A slice takes whole decisions; choose a column that says something of the item.",
        column=by.column,
    )


def _binned(ratings: Ratings, by: By, values: Sequence[str], counted: Codes) -> tuple[list[str], Codes]:
    """Return names of groups, and the group of each value; what raters said plays no part."""
    if by.kind == "values" and not by.cuts:
        numbers = numbers_in(values)
        by_name = sorted(range(len(values)), key=lambda at: _natural(values[at]))
        order = np.array(by_name, np.int64) if numbers is None else np.argsort(numbers, kind="stable")
        group = np.empty(len(values), np.int64)
        group[order] = np.arange(len(values))
        return [values[place] for place in order], group
    if by.kind == "times":
        return _times(values)
    numbers = _sizes(ratings, by, values)
    cuts = np.array(sorted(by.cuts)) if by.cuts else _quantiles(numbers[counted[counted >= 0]], whole=by.kind == "length")
    return _bin_names(cuts), np.searchsorted(cuts, numbers, side="left")


def _natural(text: str) -> list[str | int]:
    """Return what names are sorted by: v9 before v10."""
    return [int(part) if at % 2 else part for at, part in enumerate(re.split("([0-9]+)", text))]


def _are_numbered(names: Sequence[str]) -> bool:
    """Return whether numbers alone tell names apart, one in each or a year first: 05.01.2026 and Jan 24 have another order."""
    beside = {re.sub("[0-9]+", "0", name) for name in names}
    one = len(beside) == 1 and max(beside).count("0") == 1
    return one or (len(beside) == 1 and all(re.match("[^0-9]*[0-9]{4}(?![0-9])", name) for name in names))


def _quantiles(numbers: NDArray[np.float64], *, whole: bool) -> NDArray[np.float64]:
    """Return inner ends of bins of about as many items each; fewer where values repeat, none of them empty."""
    cuts = np.quantile(numbers, np.arange(1, BINS) / BINS, method="lower" if whole else "inverted_cdf")
    return np.unique(cuts[cuts < numbers.max(initial=-math.inf)])


def _bin_names(cuts: NDArray[np.float64]) -> list[str]:
    """Return bins in words: "up to 3", "3 to 8", "above 8"."""
    texts = [f"{cut:g}" for cut in cuts]
    if not texts:
        return ["all"]
    between = [f"above {low} to {high}" for low, high in pairwise(texts)]
    return [f"up to {texts[0]}", *between, f"above {texts[-1]}"]


def _times(values: Sequence[str]) -> tuple[list[str], Codes]:
    """Return days, weeks or months in order, and that of each value; a few times, and months, as they are written."""
    days = np.array(list(map(day_of, values)), "datetime64[D]")
    if are_as_written(values):
        order = np.argsort(days, kind="stable")
        return [values[place] for place in order], np.argsort(order)
    span = int((days.max() - days.min()).astype(np.int64))
    name: Callable[[np.datetime64], str] = str
    if span > LONG_SPAN:
        days = days.astype("datetime64[M]")
    elif span > SHORT:
        # 1970-01-01 was a Thursday: weeks begin on Mondays.
        days = days - (days.astype(np.int64) + 3) % 7
        name = lambda day: f"week of {day}"  # noqa: E731
    distinct, place = np.unique(days, return_inverse=True)
    return [name(day) for day in distinct], place.astype(np.int64)


def _crossed(ratings: Ratings, first: Grouping, second: Grouping) -> Grouping:
    width = len(second.values)
    pair = np.where((first.of_rating >= 0) & (second.of_rating >= 0), first.of_rating * width + second.of_rating, -1)
    used = np.unique(pair[pair >= 0])
    if len(used) > MOST_GROUPS:
        raise InputError(
            f"{ratings.source.name}: the two columns make {words.count(len(used))} groups, and slices take at most {MOST_GROUPS}."
        )
    place = np.full(len(first.values) * width, -1, np.int64)
    place[used] = np.arange(len(used))
    names = tuple(f"{first.values[at // width]}{CROSS}{second.values[at % width]}" for at in used)
    of_rating = _apply(place, pair)
    of_item, differs = common_value(ratings.item.astype(np.int64), of_rating, ratings.n_unique)
    return Grouping((*first.by, *second.by), names, ratings, of_rating, None, None if differs.size else of_item)

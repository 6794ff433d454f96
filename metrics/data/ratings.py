"""The canonical table: one rating per (item, criterion, rater), with every row that was left out and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.join import Join
from metrics.data.labels import RubricCriterion, Scheme
from metrics.data.read_options import DEFAULT, ReadOptions
from metrics.data.reasons import Naming, ReasonColumns, reason_columns
from metrics.data.vocabulary import Kind, normalise
from metrics.errors import InputError
from metrics.results import words

Role = Literal["human", "judge"]
Shape = Literal["pairs", "raters", "wide", "counts"]
PanelRule = Literal["majority", "unanimous", "any"]
RunChoice = Literal["", "first", "majority"]
MOST_NAMED = 6
"""Raters and labels that a line names."""


def written_out(table: pa.Table) -> pa.Table:
    """Return rows of a file as plain text: with a dictionary, pandas would take along every value that the whole file holds."""
    return table.cast(pa.schema([(name, pa.string()) for name in table.column_names]))


@dataclass(frozen=True)
class Panel:
    """A judge that is no judge of the file, but what several of them say together.

    Attributes
    ----------
    judges : tuple of str
    quorum : int
        Judges that must have answered for the panel to have a verdict.
    n_decisions : int
        Decisions on which it has one.
    n_incomplete : int
        Those of them on which not every judge answered.
    n_below_quorum : int
        Decisions that some judge rated, or failed on, where too few answered.
    n_failed : int
        Failed calls of its judges.
    """

    name: str
    rule: PanelRule
    judges: tuple[str, ...]
    quorum: int
    n_decisions: int
    n_incomplete: int
    n_below_quorum: int
    n_failed: int

    def declaration(self) -> dict[str, object]:
        """Return the panel as a declaration carries it."""
        return {"rule": self.rule, "judges": list(self.judges), "quorum": self.quorum}


@dataclass(frozen=True)
class Source:
    """Where the ratings came from, and how the file was read."""

    name: str
    sha256: str
    shape: Shape
    rows: int
    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """Assumptions made while reading, one plain sentence each."""
    first_row: int = 2
    """Record number of the first data row: 2 below a header, 1 in a file of JSON records, 0 in a table in memory, as there."""
    panels: tuple[Panel, ...] = ()
    """Judges that were put together from others."""
    runs: RunChoice = ""
    """Where a rater gave several runs of a decision: which of them its verdict is."""
    rubric: tuple[RubricCriterion, ...] = ()
    """What the file says of its criteria, where it holds a rubric."""
    how: ReadOptions = DEFAULT
    """What was said about the file, so that it can be read the same way again."""
    set_aside: tuple[str, ...] = ()
    """Criteria of the file that were not asked for."""
    tallied: bool = False
    """The file is a tally: identical items of another table, merged."""
    join: Join | None = None
    """Where the ratings come from several files, how they were joined."""
    format: str = ""
    """The export of a known tool that the file is, in words that follow "is"; empty for a table of no tool."""
    kinds: tuple[tuple[str, Kind], ...] = ()
    """Meanings of labels that the file itself states."""
    together: str = ""
    """Column whose groups are the items of the file, where every decision is an item of its own; else empty."""
    columns_of_file: tuple[tuple[str, str], ...] = ()
    """There, the columns by their roles as the file has them."""
    both: tuple[tuple[str, ReadOptions], ...] = ()
    """Where a second file was put beside the first: the name of each, and what has to be said to read it."""


@dataclass(frozen=True)
class Rater:
    name: str
    role: Role | None


@dataclass(frozen=True)
class LeftOut:
    """Rows of the file that carry no rating, with one reason each.

    `rows` holds record numbers (header = row 1), `reasons` an index into `names` for each of them. In a tally a row stands
    for as many as `times` says.
    """

    names: tuple[str, ...] = ()
    rows: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    reasons: NDArray[np.int16] = field(default_factory=lambda: np.empty(0, np.int16))
    times: NDArray[np.int64] | None = None

    @property
    def n(self) -> int:
        """Rows that were left out."""
        return len(self.rows) if self.times is None else int(self.times.sum())

    def counts(self) -> dict[str, int]:
        """Return reason -> number of rows, in the order of `names`; reasons without rows are dropped."""
        tally = np.bincount(self.reasons, weights=self.times, minlength=len(self.names))
        return {name: int(count) for name, count in zip(self.names, tally, strict=True) if count}


@dataclass(frozen=True, eq=False)
class Runs:
    """Every rating of the decisions that a rater was asked for more than once, the first run among them.

    Attributes
    ----------
    names : tuple of str
        As the column `run` has them, in order: numbers by value, else by their first row. Empty for rows without a name.
    item, criterion, rater, label, run : ndarray of int32, shape (n,)
        Codes into the items, criteria, raters and labels of the ratings, and into `names`; no run of a decision twice.
    row : ndarray of int64, shape (n,)
        Index of the data row.
    """

    names: tuple[str, ...]
    item: NDArray[np.int32]
    criterion: NDArray[np.int32]
    rater: NDArray[np.int32]
    label: NDArray[np.int32]
    run: NDArray[np.int32]
    row: NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Ratings:
    """Ratings as sorted-out codes; each (item, criterion, rater) at most once, none without a label.

    Attributes
    ----------
    items : pa.StringArray, length n_unique
        Item ids byte for byte as in the file; in a tally a name for each kind of item.
    criteria, labels : tuple of str
        Trimmed. `labels` are the distinct raw labels.
    raters : tuple of Rater
    item, criterion, rater : ndarray of int32, shape (n,)
        Codes into the above.
    label : ndarray of int32, shape (n,)
    row : ndarray of int64, shape (n,)
        Index of the data row (0-based, header not counted) the rating was read from.
    score : ndarray of float64, shape (n,), or None
        NaN where the row has no score. On a continuous scale the number in the place of a label.
    multiplicity : ndarray of int64, shape (n_unique,), or None
        For a tally: how many identical items each of `items` stands for. For a table of counts: how many decisions; such data
        have no items of their own.
    table : pa.Table or None
        The whole file as text, for showing the rows behind a number. None for counts.
    """

    source: Source
    scheme: Scheme
    items: pa.StringArray
    criteria: tuple[str, ...]
    raters: tuple[Rater, ...]
    labels: tuple[str, ...]
    item: NDArray[np.int32]
    criterion: NDArray[np.int32]
    rater: NDArray[np.int32]
    label: NDArray[np.int32]
    row: NDArray[np.int64]
    score: NDArray[np.float64] | None = None
    multiplicity: NDArray[np.int64] | None = None
    left_out: LeftOut = LeftOut()
    rows_used: int = 0
    table: pa.Table | None = None
    columns: tuple[tuple[str, str], ...] = ()
    """(role of the column, name in the file), for example ("item", "id")."""
    numbers: NDArray[np.int64] | None = None
    """Record number of each row of `table` where rows were skipped; see `record_numbers`."""
    runs: Runs | None = None
    """The repeated runs, where a column `run` tells them apart; of each decision the ratings hold one verdict."""
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)
    """Derived tallies of this very object; see `metrics.data.pairs`."""

    def __post_init__(self) -> None:
        there = np.flatnonzero(np.bincount(self.label, minlength=len(self.labels)))
        if self.scheme.scale == "nominal":
            there = self._settle_spellings(there)
        used = {normalise(self.labels[place]) for place in there}
        unused = tuple(label for label, _ in self.scheme.kinds if normalise(label) not in used)
        if unused != self.scheme.unused:
            object.__setattr__(self, "scheme", replace(self.scheme, unused=unused))

    def _settle_spellings(self, there: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give a label the word of the class that it shares with its synonyms; gives the labels then in use.

        Spellings that differ in case or blanks alone stay as they are.
        """
        names, codes = list(self.labels), np.arange(len(self.labels), dtype=self.label.dtype)
        plain = {normalise(names[place]): place for place in reversed(there.tolist())}
        for place in there.tolist():
            name = self.scheme.class_of(names[place])
            codes[place] = place if normalise(name) == normalise(names[place]) else plain.setdefault(normalise(name), place)
            if codes[place] == place and normalise(name) != normalise(names[place]):
                names[place] = name
        if (codes[there] == there).all() and tuple(names) == self.labels:
            return there
        object.__setattr__(self, "labels", tuple(names))
        object.__setattr__(self, "label", codes[self.label])
        if self.runs is not None:
            object.__setattr__(self, "runs", replace(self.runs, label=codes[self.runs.label]))
        return np.unique(codes[there])

    def __repr__(self) -> str:
        """Return how many ratings of what, and by whom."""
        raters = ", ".join(f"{words.shorten(rater.name)} ({rater.role or 'role unknown'})" for rater in self.raters[:MOST_NAMED])
        more = f" and {words.count(len(self.raters) - MOST_NAMED)} more" if len(self.raters) > MOST_NAMED else ""
        items = words.several(self.n_items, "items" if self.has_items else "decisions")
        what = f"{words.several(len(self.label), 'ratings')} of {items}" if self.has_items else items
        labels = words.named(self.labels, MOST_NAMED)
        used = f"{words.count(self.rows_used)} of {words.several(self.source.rows, 'rows')} used"
        return (
            f"Ratings of {words.shorten(self.source.name, 60)}: {what} on {words.several(len(self.criteria), 'criteria')}, "
            f"labels {labels}\n  by {raters}{more}\n  {used}, {words.count(self.left_out.n)} left out"
        )

    @cached_property
    def humans(self) -> tuple[str, ...]:
        return tuple(r.name for r in self.raters if r.role == "human")

    @cached_property
    def judges(self) -> tuple[str, ...]:
        return tuple(r.name for r in self.raters if r.role == "judge")

    def by_role(self, role: Role) -> NDArray[np.bool_]:
        """Return whether a rater of a role gave each rating, shape (n,)."""
        return np.array([rater.role == role for rater in self.raters], bool)[self.rater]

    def record_numbers(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return record numbers, as messages name them, of rows of the table.

        Parameters
        ----------
        rows : ndarray of int64, shape (n,)
            From 0.

        Returns
        -------
        ndarray of int64, shape (n,)
        """
        return self.numbers[rows] if self.numbers is not None else np.asarray(rows) + self.source.first_row

    @property
    def n_unique(self) -> int:
        """Length of `items`: one for each item, or in a tally one for each kind of identical items."""
        return len(self.items)

    @cached_property
    def weight(self) -> NDArray[np.int64]:
        """Items, or decisions of a table of counts, that each of `items` stands for, shape (n_unique,)."""
        return np.ones(self.n_unique, np.int64) if self.multiplicity is None else self.multiplicity

    @cached_property
    def n_items(self) -> int:
        """Items; in a table of counts, decisions."""
        return int(self.weight.sum())

    @property
    def has_items(self) -> bool:
        """False for a table of counts."""
        return self.source.shape != "counts"

    @property
    def has_rows(self) -> bool:
        """Whether an item can be looked up in the file: not in a table of counts, nor in a tally."""
        return self.multiplicity is None

    def code(self, name: str, role: Role | None) -> int:
        """Return index of a rater by name and role."""
        return self._codes[Rater(name, role)]

    @cached_property
    def _codes(self) -> dict[Rater, int]:
        return {rater: code for code, rater in enumerate(self.raters)}

    def on_criteria(self, names: Sequence[str]) -> Ratings:
        """Return the ratings of some criteria, with the labels in use there; see `metrics.data.part`."""
        from metrics.data.part import on_criteria

        return on_criteria(self, names)

    @property
    def columns_of_file(self) -> tuple[tuple[str, str], ...]:
        """Columns by their roles as the file has them, for whoever reads it again."""
        return self.source.columns_of_file or self.columns

    @cached_property
    def naming(self) -> Naming:
        """What the columns of the file are called."""
        names = () if self.table is None else tuple(self.table.column_names)
        return Naming(self.source.shape, dict(self.columns), names)

    @cached_property
    def reason_columns(self) -> ReasonColumns | None:
        """Where the file holds what raters wrote beside their labels; None where it holds nothing of the kind."""
        if self.table is None or not self.has_rows:
            return None
        return reason_columns(self.naming, [(rater.name, rater.role) for rater in self.raters], self.criteria)

    def reasons(self, places: NDArray[np.int64]) -> list[str | None]:
        """Return what raters wrote beside their labels, as it stands in the file; None where there is nothing.

        Parameters
        ----------
        places : ndarray of int64, shape (n,)
            Ratings; -1 is none of them.

        Returns
        -------
        list of n texts
        """
        if self.reason_columns is None or self.table is None:
            return [None] * len(places)
        given = np.flatnonzero(places >= 0)
        of = places[given]
        texts = self.reason_columns.texts(self.table, self.rater[of], self.criterion[of], self.row[of])
        reasons: list[str | None] = [None] * len(places)
        for place, text in zip(given.tolist(), texts, strict=True):
            reasons[place] = text
        return reasons

    @cached_property
    def reasoning(self) -> frozenset[int]:
        """Raters, by their place in `raters`, that give a reason for any rating."""
        if self.reason_columns is None or self.table is None:
            return frozenset()
        return frozenset(self.reason_columns.filled(self.table, self.rater, self.criterion, self.row))

    @cached_property
    def rubric_weights(self) -> dict[str, float]:
        """Weights of the criteria as the rubric of the file has them, where it has one for every item."""
        stated = {criterion.name: criterion.weight for criterion in self.source.rubric if not np.isnan(criterion.weight)}
        return {name: stated[name] for name in self.criteria if name in stated}

    @cached_property
    def state(self) -> NDArray[np.int8]:
        """State of each rating on the raw verdict axis of the scheme, shape (n,)."""
        states: NDArray[np.int8] = self.scheme.states(self.labels)[self.label]
        return states


def one_or_several(names: object) -> tuple[Any, ...]:
    """Return names as a tuple, of one as well; empty for None."""
    if names is None:
        return ()
    return tuple(names) if isinstance(names, Iterable) and not isinstance(names, str) else (names,)


def named_judges(ratings: Ratings, names: object) -> tuple[str, ...]:
    """Return judges of the ratings by name, one or several; a whole number names the judge that is called so.

    Raises
    ------
    InputError
        Where no judge is called so; it names those there are.
    """
    chosen: list[str] = []
    there = frozenset(ratings.judges)
    for name in one_or_several(names):
        text = str(name) if isinstance(name, (str, int, np.integer)) else None
        if text not in there:
            known = ", ".join(ratings.judges[:12]) or "there are none"
            raise InputError(f"{ratings.source.name}: no judge is called {name!r}. Judges: {known}.")
        chosen.append(text)
    return tuple(chosen)

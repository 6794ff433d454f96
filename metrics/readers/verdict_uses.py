"""Which labels a table holds, who gives which, and on which criteria."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from metrics.data.ratings import Role
from metrics.readers.columns import Layout
from metrics.readers.counting import counts_verdicts
from metrics.readers.label_kinds import Use, Verdicts
from metrics.readers.labelling import check_number_of_labels
from metrics.readers.measuring import Numbered
from metrics.readers.messages import brief, refuse
from metrics.readers.names import spaced
from metrics.readers.rater_roles import KINDS, in_several_roles, rater_roles, roles_of_rows
from metrics.readers.scaling import Source, sources_of
from metrics.readers.table import Coded, TextTable
from metrics.readers.wide import wide_columns
from metrics.results.words import count

_BETTER = re.compile(r"\b(prefer\w*|winners?|wins|won|better|best|choice|chosen|choose|pick\w*|compar\w*|versus|vs|pairwise)\b")
"""What labels are called that say which of two answers is better."""
_SIDE = re.compile(r"(.+) [ab12]")
# More names of criteria are ids of items.
MOST_CRITERIA = 2000


def verdicts_of(table: TextTable, layout: Layout, numbered: Numbered) -> Verdicts:
    """Return the labels of a table, and what each column and each rater uses them for.

    Parameters
    ----------
    table : Table
    layout : Layout
        With every column that its shape needs.
    numbered : Numbered
        Tells labels from numbers.

    Raises
    ------
    InputError
        Where a column holds so many labels that they are free text.
    """
    if layout.shape == "counts":
        return counts_verdicts(table, layout.columns)
    criteria = criteria_of(table, layout)
    sources = sources_of(layout.shape, layout.columns)
    measured = [numbered.labels(table, column, criterion) for column, _, criterion in sources]
    for (column, _, _), coded in zip(sources, measured, strict=True):
        check_number_of_labels(table.name, column, coded.names)
    names = tuple(dict.fromkeys(name for coded in measured for name in coded.names))
    places = {name: place for place, name in enumerate(names)}
    firsts = _first_rows(table, measured, names)
    uses: list[Use] = []
    for (column, role, _), coded in zip(sources, measured, strict=True):
        move = np.array([places[name] for name in coded.names], dtype=np.int64)
        uses += _uses(table, layout, coded, move, len(names), (column, role))
    return Verdicts(names, firsts, tuple(uses), criteria, graded=len(criteria) > 1 and not _compares(table, criteria, sources))


def _compares(table: TextTable, criteria: Sequence[str], sources: Sequence[Source]) -> bool:
    """Return whether a criterion or a column of labels is called after what is better, or two columns hold the answers."""
    titles = {column for column, _, _ in sources}
    sides = [match for column in table.columns if column not in titles and (match := _SIDE.fullmatch(spaced(column)))]
    return len({match[1] for match in sides}) < len(sides) or any(_BETTER.search(spaced(name)) for name in (*criteria, *titles))


def criteria_of(table: TextTable, layout: Layout) -> tuple[str, ...]:
    """Return the names of the criteria; none where no column names them.

    Parameters
    ----------
    table : Table
    layout : Layout
        Of any shape but counts.

    Raises
    ------
    InputError
        Where there are so many that they are ids of items.
    """
    if layout.shape == "wide":
        names: tuple[str, ...] = tuple(dict.fromkeys(w.criterion for w in wide_columns(layout.columns) if w.criterion))
        return names or (table.coded(layout.columns["criterion"]).names if "criterion" in layout.columns else ())
    column = layout.columns.get("criterion")
    if column is None:
        return ()
    if len(table.raw(column)[1]) > MOST_CRITERIA:
        number = len(table.coded(column).names)
        if number > MOST_CRITERIA:
            refuse(f"{brief(table.name)}: {count(number)} criteria found. Is ‘{brief(column)}’ an item id?", column=column)
    return table.coded(column).names


def _first_rows(table: TextTable, columns: Sequence[Coded], names: Sequence[str]) -> tuple[int | None, ...]:
    if table.merged is not None or table.join is not None:
        return (None,) * len(names)
    first_by_name: dict[str, int] = {}
    for coded in columns:
        rows = np.full(len(coded.names) + 1, table.n_rows)  # the last is of empty cells, whose code is -1
        rows[coded.codes[::-1]] = np.arange(table.n_rows)[::-1]  # the first row of each is written last
        for name, first in zip(coded.names, rows[:-1].tolist(), strict=True):
            if first < table.n_rows:
                first_by_name[name] = min(first_by_name.get(name, first), first)
    return tuple(table.number(first_by_name[name]) if name in first_by_name else None for name in names)


def _uses(
    table: TextTable, layout: Layout, coded: Coded, move: NDArray[np.int64], n_labels: int, who: tuple[str, Role | None]
) -> list[Use]:
    """Return uses of one column: one, or one per rater of a long file."""
    column, role = who
    if layout.shape == "raters":
        group, roles = _groups(table, layout)
    else:
        group, roles = np.zeros(table.n_rows, dtype=np.int32), [role]
    counts = np.zeros((len(roles), n_labels), dtype=np.int64)
    times = None if table.merged is None else table.merged.times
    counts[:, move] = _cross(group, coded.codes, len(roles), len(coded.names), times)
    blanks = 0 if layout.shape == "raters" else table.counted(coded.codes < 0) + table.left_blank
    together = _LabelsByCriterion(table, layout, coded, group, move, n_labels)
    return [Use(column, group_role, counts[place], blanks, partial(together.of, place)) for place, group_role in enumerate(roles)]


@dataclass(eq=False)
class _LabelsByCriterion:
    """Which labels each rater gives on the same criterion, found once and only where somebody mixes words."""

    table: TextTable
    layout: Layout
    coded: Coded
    group: NDArray[np.int32]
    move: NDArray[np.int64]
    n_labels: int

    @cached_property
    def criterion(self) -> Coded | None:
        return self.table.coded(self.layout.columns["criterion"]) if "criterion" in self.layout.columns else None

    @property
    def span(self) -> int:
        return (1 if self.criterion is None else len(self.criterion.names)) * self.n_labels

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """Distinct (rater, criterion, label), sorted."""
        used = (self.coded.codes >= 0) & (self.group >= 0)
        key = self.group.astype(np.int64) * self.span + np.append(self.move, 0)[self.coded.codes]
        if self.criterion is not None:
            used &= self.criterion.codes >= 0
            key += self.criterion.codes.astype(np.int64) * self.n_labels
        return np.unique(key[used])

    def of(self, place: int) -> NDArray[np.int64]:
        """Return one row of 0 and 1 per criterion that the rater judged, one column per label."""
        start, stop = np.searchsorted(self.keys, [place * self.span, (place + 1) * self.span])
        criteria, labels = np.divmod(self.keys[start:stop] - place * self.span, self.n_labels)
        distinct, rows = np.unique(criteria, return_inverse=True)
        indicators = np.zeros((len(distinct), self.n_labels), dtype=np.int64)
        indicators[rows, labels] = 1
        return indicators


def _cross(
    groups: NDArray[np.int32], codes: NDArray[np.int32], n_groups: int, n_codes: int, times: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """Return the number of rows by group and code, in a tally each as often as it stands for.

    Rows without either are not counted.
    """
    if n_groups == 1 and not (groups < 0).any():
        return np.bincount(codes + 1, weights=times, minlength=n_codes + 1)[None, 1:].astype(np.int64)
    key = (groups + 1) * np.int64(n_codes + 1) + codes + 1
    counts = np.bincount(key, weights=times, minlength=(n_groups + 1) * (n_codes + 1)).astype(np.int64)
    return counts.reshape(n_groups + 1, n_codes + 1)[1:, 1:]


def _groups(table: TextTable, layout: Layout) -> tuple[NDArray[np.int32], list[Role | None]]:
    """Return rater of each row for the check of mixed words, with the rater's role."""
    names = table.coded(layout.columns.get("rater") or layout.columns["role"])
    if not in_several_roles(table, layout.columns, layout.roles):
        stated: list[Role | None] = ["judge" if role == "judge" else None for role in rater_roles(names.names, layout.roles)]
        return names.codes, stated
    judged = roles_of_rows(table, layout.columns, layout.roles) == KINDS.index("judge")
    both: list[Role | None] = ["human", "judge"]
    group = np.where(names.codes < 0, -1, names.codes * 2 + judged).astype(np.int32)
    return group, both * len(names.names)


def judged_rows(table: TextTable, layout: Layout) -> dict[str, NDArray[np.bool_]]:
    """Return rows that name a judge, by the role of the column that holds its label.

    Parameters
    ----------
    table : Table
    layout : Layout

    Returns
    -------
    dict of role to ndarray of bool, shape (n_rows,)
    """
    if layout.shape == "pairs" and "judge" in layout.columns:
        return {"verdict": table.coded(layout.columns["judge"]).codes >= 0}
    if layout.shape != "raters":
        return {}
    group, roles = _groups(table, layout)
    return {"label": np.array([*(role == "judge" for role in roles), False])[group]}

"""The scales of the criteria of a table, as stated or as too many numbers for labels suggest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.asker import worded
from metrics.data.labels import AFTER_CLASSES, NUMBER, Scale
from metrics.data.ratings import Role, Shape
from metrics.data.scales import Scales, are_scores, scale_by_rubric
from metrics.data.vocabulary import Kind, is_number, meaning, normalise
from metrics.measures.units import two_units
from metrics.readers.labelling import MOST_LABELS
from metrics.readers.measuring import Numbered, distinct_numbers, kinds_by_scale, numbers_in, numbers_of, without_order
from metrics.readers.messages import brief, listed
from metrics.readers.names import OVERALL
from metrics.readers.own_criteria import with_own_criteria
from metrics.readers.proposal import Doubt, Proposal
from metrics.readers.table import TextTable
from metrics.readers.threshold import thresholded
from metrics.readers.unlabelled import with_scores_as_labels
from metrics.readers.wide import wide_columns
from metrics.results.words import count

LEAST = 10
"""Numbers on either side below which their range says nothing of a unit."""

Source = tuple[str, Role | None, str | None]
"""(column, role, criterion) of a column that holds labels; the criterion where the column has one of its own."""


@dataclass(frozen=True)
class Scaled:
    """What is known about the scales of a table before its labels are looked up.

    Attributes
    ----------
    stated_scales : mapping of criterion to scale
    in_doubt : tuple of str
        Criteria with more different numbers than labels could be, or numbers in two units; continuous until somebody says
        otherwise.
    columns : tuple of str
        The first column that holds so many, or those that do together.
    n_numbers : int
        Different numbers there.
    units_apart : str
        Where few numbers are in doubt: that people and judges use different units, as a sentence.
    numbered : Numbered
    """

    stated_scales: Mapping[str, Scale]
    in_doubt: tuple[str, ...]
    columns: tuple[str, ...]
    n_numbers: int
    numbered: Numbered
    criteria: tuple[str, ...]
    units_apart: str = ""

    @classmethod
    def of(
        cls,
        table: TextTable,
        sources: Sequence[Source],
        criterion: str | None,
        criteria: tuple[str, ...],
        stated: Mapping[str, Scale],
        given: Mapping[str, Kind],
        order: Sequence[str] | None = None,
    ) -> Scaled:
        """Return the scales as the stated ones and the columns of labels have it.

        Parameters
        ----------
        table : Table
        sources : sequence of (column, role, criterion)
            Columns of labels.
        criterion : str or None
            Column that names the criterion of a row.
        criteria : tuple of str
            All criteria of the table.
        stated : mapping of criterion to scale
        given : mapping of label to kind
            Stated meanings.
        order : sequence of str, optional
            Classes, as they were given; numbers with an order are labels, whatever the units.
        """
        labelled = any(_says_yes_or_no(table, column) for column, _, _ in sources)
        settled = bool(order) or any(is_number(label) for label in given)
        many = {} if labelled else _many(table, sources, criterion, MOST_LABELS if settled else None)
        apart = "" if labelled or settled else _units_apart(table, sources)
        candidates = criteria if apart else tuple(many)
        unsure = tuple(name for name in candidates if name not in stated)
        continuous = {name for name, scale in stated.items() if scale == "continuous"} | set(unsure)
        words = frozenset(normalise(label) for label, kind in given.items() if kind in AFTER_CLASSES)
        columns, n_numbers = next(iter(() if apart else many.values()), (("",), 0))
        return cls(stated, unsure, columns, n_numbers, Numbered(frozenset(continuous), criterion, words), criteria, apart)

    @property
    def scales(self) -> tuple[tuple[str, Scale], ...]:
        """Criterion and scale of those stated or found."""
        known: dict[str, Scale] = dict(self.stated_scales) | dict.fromkeys(self.in_doubt, "continuous")
        return tuple((name, known[name]) for name in self.criteria if name in known)

    def doubts(self) -> tuple[Doubt, ...]:
        """Return the question whether numbers are scores: a command asks it, a form says what it took them for."""
        if not self.in_doubt:
            return ()
        which = "Confirm" if len(self.in_doubt) == len(self.criteria) else f"Confirm for {listed(self.in_doubt, 4)}"
        shown = listed((f"‘{brief(column)}’" for column in self.columns), 4)
        verb = "holds" if len(self.columns) == 1 else "hold"
        held = self.units_apart or f"{shown} {verb} {count(self.n_numbers)} different numbers, more than labels would have."
        return (Doubt(f"{held} {which} that they are scores on a continuous scale.", "scale", column=self.columns[0], told=True),)

    def kinds(
        self, table: TextTable, sources: Sequence[Source], given: Mapping[str, Kind], order: Sequence[str]
    ) -> dict[str, Kind]:
        """Return meanings that follow from the scales, beside those given.

        Parameters
        ----------
        table : Table
        sources : sequence of (column, role, criterion)
            Columns of labels.
        given : mapping of label to kind
            Stated meanings.
        order : sequence of str
            Classes, low to high, as they were given.
        """
        if not self.scales:
            return {}
        return kinds_by_scale(self.labels(table, sources), dict(self.scales), _settled(given, order))

    def unordered(
        self, table: TextTable, sources: Sequence[Source], given: Mapping[str, Kind], order: Sequence[str]
    ) -> tuple[Doubt, ...]:
        """Return a doubt about the labels of ordinal criteria that have no place in an order; empty where there are none.

        Parameters
        ----------
        table : Table
        sources : sequence of (column, role, criterion)
            Columns of labels.
        given : mapping of label to kind
            Meanings that were stated or follow from the scales.
        order : sequence of str
            Classes, low to high, as far as they are known.
        """
        if "ordinal" not in self.stated_scales.values():
            return ()
        words = without_order(
            self.labels(table, sources), self.stated_scales, _settled(given, ()) - _classes(given) | _named(order)
        )
        if not words:
            return ()
        shown = listed((f"‘{brief(word, 30)}’" for word in words), 4)
        how = worded(", with --order", ", with order=", "")
        predicate = "has no place" if len(words) == 1 else "have no place"
        return (
            Doubt(
                f"On an ordinal scale {shown} {predicate} yet. Give the order of all labels, low to high{how}.",
                "labels",
            ),
        )

    def labels(self, table: TextTable, sources: Sequence[Source]) -> dict[str, frozenset[str]]:
        """Return label to the criteria that use it."""
        return labels_by_criterion(table, sources, self.numbered)

    def notes(self, table: TextTable, sources: Sequence[Source]) -> tuple[str, ...]:
        """Return what the scales leave out."""
        if not self.numbered.criteria:
            return ()
        columns = dict.fromkeys((column, criterion) for column, _, criterion in sources)
        return tuple(filter(None, (self.numbered.left_out(table, column, criterion) for column, criterion in columns)))


def sources_of(shape: Shape, columns: Mapping[str, str]) -> list[Source]:
    """Return every column that is known to hold labels, by the roles of the columns of a table."""
    if shape == "pairs":
        roles: tuple[tuple[str, Role], ...] = (("human", "human"), ("verdict", "judge"))
        return [(columns[name], role, None) for name, role in roles if name in columns]
    if shape == "wide":
        return [(wide.column, wide.role, wide.criterion) for wide in wide_columns(columns)]
    return [] if shape == "counts" or "label" not in columns else [(columns["label"], None, None)]


def proposed_scales(table: TextTable, proposal: Proposal) -> Scales:
    """Return the scale of every criterion of a table as it stands in a proposal."""
    table, proposal, _ = with_own_criteria(table, proposal)
    table, proposal = thresholded(table, proposal)
    table, _ = with_scores_as_labels(table, proposal.shape, dict(proposal.columns))
    sources = sources_of(proposal.shape, dict(proposal.columns))
    kinds = {row.label: row.kind for row in proposal.labels}
    used = labels_by_criterion(table, sources, proposal.numbered)
    stated, rubric, scales = dict(proposal.scales), {criterion.name: criterion for criterion in table.rubric}, []
    for name in proposal.criteria:
        criterion_labels = [(label, kind) for label, kind in kinds.items() if not sources or name in used.get(label, frozenset())]
        numbers = _numbers(table, sources, proposal.numbered, name) if (NUMBER, "number") in criterion_labels else None
        scale = None if name in proposal.scales_in_doubt else stated.get(name)
        by = rubric.get(name)
        scales.append(scale_by_rubric(name, criterion_labels, proposal.order, by, stated=scale, numbers=numbers, read=False))
    return Scales(tuple(scales))


def _numbers(table: TextTable, sources: Sequence[Source], numbered: Numbered, name: str) -> NDArray[np.float64]:
    """Return the numbers of one continuous criterion in all columns of labels."""
    only = replace(numbered, criteria=frozenset({name}))
    parts = [only.scores(table, column, criterion) for column, _, criterion in sources if criterion is None or criterion == name]
    return np.concatenate([np.empty(0), *(part for part in parts if part is not None)])


def labels_by_criterion(table: TextTable, sources: Sequence[Source], numbered: Numbered) -> dict[str, frozenset[str]]:
    """Return every label with the criteria on which it occurs.

    Parameters
    ----------
    table : Table
    sources : sequence of (column, role, criterion)
        Columns of labels.
    numbered : Numbered
    """
    criteria_by_label: dict[str, set[str]] = {}
    for column, _, criterion in sources:
        coded = numbered.labels(table, column, criterion)
        if criterion is not None or numbered.column is None:
            for name in coded.names:
                criteria_by_label.setdefault(name, set()).add(criterion or OVERALL)
            continue
        which = table.coded(numbered.column)
        there = (coded.codes >= 0) & (which.codes >= 0)
        size = max(len(coded.names), 1)
        for pair in np.unique(which.codes[there].astype(np.int64) * size + coded.codes[there]).tolist():
            criteria_by_label.setdefault(coded.names[pair % size], set()).add(which.names[pair // size])
    return {label: frozenset(label_criteria) for label, label_criteria in criteria_by_label.items()}


def _settled(given: Mapping[str, Kind], order: Sequence[str]) -> frozenset[str]:
    return frozenset(normalise(label) for label in given) | _named(order)


def _classes(given: Mapping[str, Kind]) -> frozenset[str]:
    return frozenset(normalise(label) for label, kind in given.items() if kind not in AFTER_CLASSES)


def _named(order: Sequence[str]) -> frozenset[str]:
    return frozenset(normalise(label) for label in order)


def _says_yes_or_no(table: TextTable, column: str) -> bool:
    """Return whether a column holds labels with a side and no number: numbers beside it belong in a score column."""
    names = table.coded(column).names
    if len(names) > MOST_LABELS or any(is_number(name) for name in names):
        return False
    known = [meaning(name) for name in names]
    return any(entry is not None and entry.kind in ("positive", "negative") for entry in known)


def _units_apart(table: TextTable, sources: Sequence[Source]) -> str:
    """Return that the numbers of people and of judges are in two units, which no order of labels joins; empty otherwise."""
    sides: dict[Role, list[NDArray[np.float64]]] = {"human": [], "judge": []}
    for column, role, _ in sources:
        coded = table.coded(column)
        if role not in sides or len(coded.names) > MOST_LABELS:
            return ""
        numbers = numbers_of(coded.names)
        sides[role].append(np.repeat(numbers, np.bincount(coded.codes[coded.codes >= 0], minlength=len(numbers))))
    given = {role: np.concatenate([np.empty(0), *parts]) for role, parts in sides.items()}
    known = {role: numbers[~np.isnan(numbers)] for role, numbers in given.items()}
    few = min(len(numbers) for numbers in known.values()) < LEAST or min(len(np.unique(x)) for x in known.values()) < 2
    if few or not two_units(known["human"], known["judge"]):
        return ""
    spans = " and ".join(f"those of the {role} from {x.min():.3g} to {x.max():.3g}" for role, x in known.items())
    return f"The labels are numbers in two units: {spans}."


def _many(
    table: TextTable, sources: Sequence[Source], criterion: str | None, most: int | None
) -> dict[str, tuple[tuple[str, ...], int]]:
    """Return criteria whose columns together hold more different numbers than labels would be, or than `most`.

    Each with the first column that holds so many by itself, of whatever criteria, or else with all of its columns; and how many.
    """

    def too_many(numbers: NDArray[np.float64]) -> bool:
        return are_scores(numbers) if most is None else len(numbers) > most

    in_columns = {column: distinct_numbers(table, column, None)[0] for column, _, _ in sources if _are_numbers(table, column)}
    if not too_many(_once(in_columns.values())):
        return {}
    held: dict[str, dict[str, NDArray[np.float64]]] = {}
    for column, _, own in sources:
        if column in in_columns:
            rows = None if own is not None or criterion is None else table.coded(criterion)
            names = (own or OVERALL,) if rows is None else rows.names
            for name, numbers in zip(names, distinct_numbers(table, column, rows), strict=True):
                held.setdefault(name, {})[column] = numbers
    found = {}
    for name, parts in held.items():
        numbers = _once(parts.values())
        if too_many(numbers):
            alone = next((column for column in parts if too_many(in_columns[column])), None)
            found[name] = (tuple(parts), len(numbers)) if alone is None else ((alone,), len(in_columns[alone]))
    return found


def _are_numbers(table: TextTable, column: str) -> bool:
    """Return whether a column holds numbers, beside few words that may say why there is none."""
    return int(np.isnan(numbers_in(table, column)[:-1]).sum()) <= MOST_LABELS


def _once(parts: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.unique(np.concatenate([np.empty(0), *parts]))

"""The scales of the criteria of a table, as stated or as too many numbers for labels suggest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.asker import worded
from metrics.data.labels import AFTER_CLASSES, NUMBER, Scale
from metrics.data.ratings import Role, Shape
from metrics.data.scales import MOST_STEPS, Scales, scale_by_rubric
from metrics.data.vocabulary import Kind, is_number, meaning, normalise
from metrics.measures.units import two_units
from metrics.readers.labelling import MOST_LABELS
from metrics.readers.measuring import Numbered, distinct_numbers, kinds_by_scale, numbers_of, without_order
from metrics.readers.messages import brief, listed
from metrics.readers.names import OVERALL
from metrics.readers.own_criteria import with_own_criteria
from metrics.readers.proposal import Doubt, Proposal
from metrics.readers.table import TextTable
from metrics.readers.threshold import thresholded
from metrics.readers.unlabelled import with_scores_as_labels
from metrics.readers.wide import wide_columns
from metrics.results.words import count

MOST_FRACTIONS = 20
"""Different numbers, most of them fractions, beyond which they are scores: thirds from 1 to 5 are 13, quarters 17."""
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
    column : str
        The first column that holds them.
    units_apart : str
        Where few numbers are in doubt: that people and judges use different units, as a sentence.
    numbered : Numbered
    """

    stated_scales: Mapping[str, Scale]
    in_doubt: tuple[str, ...]
    column: str
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
        candidates: dict[str, None] = {}
        first, most = "", 0
        labelled = any(_says_yes_or_no(table, column) for column, _, _ in sources)
        settled = bool(order) or any(is_number(label) for label in given)
        for column, _, source_criterion in () if labelled else sources:
            n_numbers = _too_many(table, column, MOST_LABELS if settled else MOST_FRACTIONS)
            if n_numbers:
                first, most = first or column, most or n_numbers
                candidates |= dict.fromkeys(_many(table, column, source_criterion, criterion))
        apart = "" if candidates or labelled or settled else _units_apart(table, sources)
        if apart:
            candidates = dict.fromkeys(criteria)
        unsure = tuple(name for name in candidates if name not in stated)
        continuous = {name for name, scale in stated.items() if scale == "continuous"} | set(unsure)
        words = frozenset(normalise(label) for label, kind in given.items() if kind in AFTER_CLASSES)
        return cls(stated, unsure, first, most, Numbered(frozenset(continuous), criterion, words), criteria, apart)

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
        held = (
            self.units_apart
            or f"‘{brief(self.column)}’ holds {count(self.n_numbers)} different numbers, more than labels would have."
        )
        return (Doubt(f"{held} {which} that they are scores on a continuous scale.", "scale", column=self.column, told=True),)

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


def _too_many(table: TextTable, column: str, most_fractions: int) -> int:
    """Return different numbers of a column that holds too many labels, all but few of them numbers; else 0.

    Fractions are too many sooner: means of a few people's grades are fewer.
    """
    names = table.coded(column).names
    if len(names) <= most_fractions:
        return 0
    numbers = numbers_of(names)
    distinct = np.unique(numbers[~np.isnan(numbers)])
    fractions = 2 * np.count_nonzero(distinct % 1) > len(distinct)
    too_many = len(distinct) > (most_fractions if fractions else MOST_LABELS)
    return len(distinct) if too_many and np.isnan(numbers).sum() <= MOST_LABELS else 0


def _many(table: TextTable, column: str, source_criterion: str | None, criterion: str | None) -> list[str]:
    """Return criteria on which a column holds more different numbers than an ordinal scale has steps."""
    rows = None if source_criterion is not None or criterion is None else table.coded(criterion)
    many = np.flatnonzero(distinct_numbers(table, column, rows) > MOST_STEPS)
    return [source_criterion or OVERALL for _ in many] if rows is None else [rows.names[place] for place in many]

"""A rubric before and after it was changed: κ of every criterion in two files of the same items, and the difference.

κ before, κ after and their difference rest on the decisions that have a verdict of both sides in both files; κ on all that each
file answers stands beside them. The items are paired: each is left out of both files at once, with whatever its labels became.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import refuse_tally
from metrics.analyses.comparison.difference import paired_difference
from metrics.analyses.comparison.paired import Paired, Statistic
from metrics.analyses.comparison.permutation import permutation_tests
from metrics.analyses.comparison.result import Side
from metrics.analyses.comparison.shared_decisions import OwnInterval, Shared
from metrics.analyses.records import Block
from metrics.analyses.review.changes import BeforeAfter, Change, Relabelled
from metrics.analyses.review.compute import KAPPA, WEIGHTED
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_labels, on_axis
from metrics.data.nonverdicts import modes_of
from metrics.data.order import Order, order_of
from metrics.data.pairs import cells_of, one_human_each, reference_name, reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.intervals.cluster import clusters_of
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.exact_tests import holm
from metrics.measures.metric import why_undefined
from metrics.results.estimate import Estimate

Ints = NDArray[np.int64]
NO_VERDICT = "no verdict"
REPLICATES = 9_999
"""Swaps of the permutation test where not all are tried: p in steps of 1/10 000 serves Holm over hundreds of criteria."""


def before_after(first: Ratings, second: Ratings, judge: str, settings: Settings, judge_after: str | None = None) -> BeforeAfter:
    """Return κ of every criterion of the first file, beside the same of the second.

    Labels are the same where they are spelled alike, and items where their ids are, byte for byte. The reference is that of the
    settings in each file; where the second file lacks that human, its majority.

    Parameters
    ----------
    judge : str
        Of the first file.
    settings : Settings
        Abstention, reference, unit (an item, or a column of the first file) and confidence.
    judge_after : str, optional
        Of the second file; default: the one of the same name, else its only judge.

    Raises
    ------
    InputError
        For counts, a tally, a file without a human or a judge, several judges of which none has the name, and files without a
        common criterion or item.
    """
    for ratings in (first, second):
        _check(ratings)
    after = judge_after or _judge_of(second, judge)
    reference = _reference_of(second, settings.reference)
    shared = tuple(name for name in first.criteria if name in second.criteria)
    if not shared:
        names = f"‘{first.criteria[0]}’ and ‘{second.criteria[0]}’"
        raise InputError(
            f"{first.source.name} and {second.source.name} share no criterion: first ones {names}. Make names equal."
        )
    _check_items(first, second)
    both = Both(first, second, (judge, after), (settings.reference, reference), settings)
    changes, refused = [], {}
    for name in shared:
        try:
            changes.append(_change(both, name))
        except InputError as error:
            refused[name] = str(error).rstrip(".")
    references = reference_name(first, settings.reference), reference_name(second, reference)
    return BeforeAfter(
        _corrected(changes, settings.confidence), refused,
        tuple(name for name in first.criteria if name not in shared),
        tuple(name for name in second.criteria if name not in shared),
        (first.source.name, second.source.name), both.judges, references, settings,
        (one_human_each(first, references[0]), one_human_each(second, references[1])),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Both:
    """Two files and what is asked of each."""

    first: Ratings
    second: Ratings
    judges: tuple[str, str]
    references: tuple[str, str]
    settings: Settings


@dataclass(frozen=True, eq=False)
class _Axis:
    """The labels both files are counted on, and the statistic of their tables."""

    labels: tuple[str, ...]
    places: tuple[Ints, Ints]
    """New place of every place on the axis of each file."""
    order: Order | None = None

    @property
    def metric(self) -> str:
        return KAPPA if self.order is None else WEIGHTED

    @property
    def statistic(self) -> Statistic:
        return Statistic(cohen_kappa if self.order is None else partial(cohen_kappa, weights="quadratic"), "pooled")


def _check(ratings: Ratings) -> None:
    name = ratings.source.name
    if not ratings.has_items:
        raise InputError(f"{name} is a table of counts: it has no items to pair.")
    refuse_tally(ratings)
    for who, there in (("human", ratings.humans), ("judge", ratings.judges)):
        if not there:
            raise InputError(f"{name}: no {who} is among the raters. Before and after need a human and a judge in each file.")


def _judge_of(second: Ratings, judge: str) -> str:
    if judge in second.judges:
        return judge
    if len(second.judges) > 1:
        known = ", ".join(second.judges[:12])
        raise InputError(f"{second.source.name} has no judge {judge!r}. Choose one of its judges: {known}.")
    return second.judges[0]


def _reference_of(second: Ratings, reference: str) -> str:
    try:
        return reference_name(second, reference)
    except InputError:
        return reference_name(second, "auto")


def _check_items(first: Ratings, second: Ratings) -> None:
    if not (_item_codes(first, second) >= 0).any():
        ids = f"‘{first.items[0]}’ and ‘{second.items[0]}’"
        raise InputError(f"{first.source.name} and {second.source.name} share no item: first ids {ids}. Make ids equal.")


def _change(both: Both, criterion: str) -> Change:
    parts = [ratings.on_criteria((criterion,)) for ratings in (both.first, both.second)]
    for part, name, ratings in zip(parts, both.judges, (both.first, both.second), strict=True):
        if name not in part.judges:
            raise InputError(f"{name} has no verdict on it in {ratings.source.name}")
    mode = both.settings.abstention
    mode = mode if all(mode in modes_of(part) for part in parts) else "exclude"
    asked = replace(both.settings, abstention=mode)
    axis = _axis(parts, criterion, asked)
    shared, n_changed = _aligned(both, parts, axis, asked)
    k = len(axis.labels)
    references, judges = shared.references, shared.judges
    answered = [np.where((r >= 0) & (j >= 0), r * k + j, k * k) for r, j in zip(references, judges, strict=True)]
    in_both = (answered[0] < k * k) & (answered[1] < k * k)
    cells = [np.where(in_both, cell, k * k) for cell in answered]
    zeros = np.zeros(len(shared.item), np.int32)
    clusters = clusters_of(both.first, asked.unit) if asked.by_column else None
    paired = Paired.of(
        shared.item, zeros, cells[0], cells[1], k=k, n_items=both.first.n_unique, n_criteria=1, apart=False,
        cluster=None if clusters is None else clusters.of_item,
    )  # fmt: skip
    values = paired.values(axis.statistic)
    frame = Shared(
        places=shared.places, item=shared.item, weight=np.ones(len(shared.item), np.int64), criterion=zeros,
        reference=references[0], verdicts=(judges[0], judges[1]),
        n_only=shared.n_only, n_no_reference=0, criteria=(criterion,),
    )  # fmt: skip
    tables = [_table(cell, k) for cell in cells]
    intervals = OwnInterval(frame, axis.metric, axis.statistic, asked, np.ones(1, bool), clusters)
    sides = tuple(
        Side(
            name=both.judges[side],
            estimate=intervals.estimate(cells[side], tables[side][None], values[side]),
            coverage=float(np.mean(answered[side] < k * k)),
            n_only=shared.n_only[side],
            block=Block(
                int(tables[side].sum()),
                axis.labels,
                tables[side].astype(np.int64),
                estimates={axis.metric: Estimate(values[side])},
            ),
        )
        for side in (0, 1)
    )
    (permutation,) = permutation_tests(paired, [axis.statistic], REPLICATES, np.random.default_rng(asked.seed))
    n_differ = permutation.n_differ
    estimates = sides[0].estimate, sides[1].estimate
    _, difference = paired_difference(paired, axis.statistic, estimates, n_differ, asked, "kappa")
    why = _why(tables, axis.labels) if not difference.defined else difference.why if n_differ else "no label changed"
    alone = [_table(cell, k) for cell in answered]
    kappas = [float(axis.statistic.function(table)) for table in alone]
    return Change(
        criterion, axis.metric, mode, sides[0], sides[1], replace(difference, why=why), permutation.p,
        len(shared.item), paired.n_items, n_differ, n_changed[0], n_changed[1], shared.n_only, (kappas[0], kappas[1]),
        (int(alone[0].sum()), int(alone[1].sum())), relabelled=_relabelled(both.first, shared, axis.labels),
    )  # fmt: skip


def _relabelled(first: Ratings, shared: _Aligned, labels: tuple[str, ...]) -> tuple[Relabelled, ...]:
    """Return the decisions on which the answer of a side is another, in the order of the first file."""
    sides = (*shared.references, *shared.judges)
    other = np.flatnonzero((sides[0] != sides[1]) | (sides[2] != sides[3]))
    names = np.array([*labels, NO_VERDICT], dtype=object)
    answers = (names[side[other]].tolist() for side in sides)
    items = first.items.take(pa.array(shared.item[other])).to_pylist() if len(other) else []
    return tuple(Relabelled(str(item), *said) for item, *said in zip(items, *answers, strict=True))


def _table(cell: Ints, k: int) -> FloatArray:
    return np.bincount(cell, minlength=k * k + 1)[:-1].reshape(k, k).astype(np.float64)


def _corrected(changes: Sequence[Change], confidence: float) -> tuple[Change, ...]:
    """Return the changes with their p corrected for the number of criteria tested, and the direction that is left."""
    p = [change.p for change in changes]
    tested = sum(not math.isnan(value) for value in p)
    return tuple(
        replace(change, p_holm=value, n_tested=tested, direction=_direction(change, value, confidence))
        for change, value in zip(changes, holm(p), strict=True)
    )


def _direction(change: Change, p: float, confidence: float) -> int:
    """Return 1 or −1 where the interval excludes 0 and the corrected p is small enough, else 0."""
    return change.difference.sign if p <= 1 - confidence else 0


@dataclass(frozen=True, eq=False)
class _Aligned:
    """Decisions that judge and reference rated in both files."""

    places: Ints
    item: NDArray[np.int32]
    references: tuple[Ints, Ints]
    judges: tuple[Ints, Ints]
    n_only: tuple[int, int]


def _aligned(both: Both, parts: Sequence[Ratings], axis: _Axis, asked: Settings) -> tuple[_Aligned, tuple[int, int]]:
    """Return the shared decisions on the common axis; and on how many the judge, and the reference, say another thing."""
    tables = []
    for side, part in enumerate(parts):
        scheme, cells = part.scheme, cells_of(part)
        reference = reference_states(part, both.references[side])
        judge = verdicts(part, both.judges[side], "judge")
        rated = (reference < scheme.end_of_rated) & (judge < scheme.end_of_rated)
        lookup = np.append(axis.places[side], -1)
        item = _item_codes(both.first, part)[cells.item[rated]]
        labels = [lookup[on_axis(states[rated], scheme, asked.abstention)] for states in (reference, judge)]
        tables.append((item, labels[0], labels[1]))
    known, before, after = np.intersect1d(
        tables[0][0][tables[0][0] >= 0], tables[1][0][tables[1][0] >= 0], assume_unique=True, return_indices=True
    )
    kept = [np.flatnonzero(table[0] >= 0)[rows] for table, rows in zip(tables, (before, after), strict=True)]
    if not len(known):
        raise InputError("no item was rated by judge and reference in both files")
    references = tables[0][1][kept[0]], tables[1][1][kept[1]]
    judges = tables[0][2][kept[0]], tables[1][2][kept[1]]
    n_only = len(tables[0][0]) - len(known), len(tables[1][0]) - len(known)
    changed = int((judges[0] != judges[1]).sum()), int((references[0] != references[1]).sum())
    return _Aligned(known, known.astype(np.int32), references, judges, n_only), changed


def _item_codes(whole: Ratings, part: Ratings) -> Ints:
    """Return place in one file of every item of another, or of a part of it; −1 where that file does not have it."""
    codes = pc.index_in(part.items.cast(pa.string()), value_set=whole.items.cast(pa.string()))
    return np.asarray(codes.fill_null(-1), np.int64)


def _axis(parts: Sequence[Ratings], criterion: str, asked: Settings) -> _Axis:
    """Return the labels of both files on one axis: by order on an ordinal criterion, else by spelling."""
    schemes = [part.scheme for part in parts]
    if schemes[0].scale != schemes[1].scale:
        raise InputError("its labels are positive and negative in one file, classes in the other")
    if any(scales_of(part).on(criterion).scale == "continuous" for part in parts):
        raise InputError("its values are scores, which have no κ")
    names = [mode_labels(scheme, asked.abstention) for scheme in schemes]
    if schemes[0].scale == "binary":
        k = len(names[0])
        return _Axis(names[0], (np.arange(k), np.arange(k)))
    ordinal = all(scales_of(part).on(criterion).scale == "ordinal" for part in parts) and asked.abstention == "exclude"
    order = _order(parts) if ordinal else None
    if order is not None:
        labels: tuple[str, ...] = order.classes
    else:
        silent = asked.abstention == "as_category"
        classes = dict.fromkeys(
            normalise(name) for file_labels in names for name in (file_labels[:-1] if silent else file_labels)
        )
        spelled = {normalise(name): name for file_labels in reversed(names) for name in file_labels}
        labels = (*(spelled[name] for name in classes), *([names[0][-1]] if silent else []))
    there = {normalise(name): place for place, name in enumerate(labels)}
    last = len(labels) - 1
    places = tuple(
        np.array([last if asked.abstention == "as_category" and i == len(file_labels) - 1 else there[normalise(name)]
                  for i, name in enumerate(file_labels)])
        for file_labels in names
    )  # fmt: skip
    return _Axis(labels, (places[0], places[1]), order)


def _order(parts: Sequence[Ratings]) -> Order | None:
    """Return one order of the labels of both files; None where they have none in common."""
    first, second = (part.scheme for part in parts)
    kinds = dict(second.kinds) | dict(first.kinds)
    used = {normalise(name) for scheme in (first, second) for name in scheme.classes if name not in scheme.unused}
    unused = tuple(name for name in kinds if normalise(name) not in used)
    try:
        return order_of(replace(first, kinds=tuple(kinds.items()), order=first.order or second.order, unused=unused))
    except InputError:
        return None


def _why(tables: Sequence[NDArray[np.float64]], labels: tuple[str, ...]) -> str:
    for when, table in zip(("before", "after"), tables, strict=True):
        reason = why_undefined(BY_KEY["kappa"], table, labels)
        if reason:
            return f"{when}: {reason}"
    return "a value is undefined"

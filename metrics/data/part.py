"""Some of the ratings, or those of some of the criteria; mostly as if the file held no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.labels import AFTER_CLASSES, Scheme, missing_side
from metrics.data.memo import memoised
from metrics.data.ratings import LeftOut, Ratings, Runs, Source
from metrics.data.scales import TWO_SIDED, scales_of
from metrics.data.vocabulary import Kind, meaning, normalise
from metrics.errors import InputError
from metrics.results.words import shorten

ELSEWHERE = "on a criterion that is not counted here"
OTHER_LABEL = "(any other label)"
"""Stands beside the only label in use, as an axis has two; nobody gives it."""
Codes = NDArray[np.int32]
Given = TypeVar("Given", Ratings, Runs)
OF_EACH = ("item", "criterion", "rater", "label", "row", "score", "run")
"""What ratings, and repeated runs, hold of each of them."""


def taken(given: Given, places: NDArray[np.bool_] | NDArray[np.integer[Any]], **changed: Any) -> Given:
    """Return some of the ratings, or of the runs, in the order of their places, with what else changes."""
    arrays = {name: getattr(given, name, None) for name in OF_EACH}
    return replace(given, **({name: array[places] for name, array in arrays.items() if array is not None} | changed))


def criterion_place(ratings: Ratings, criterion: str) -> int:
    """Return code of a criterion by its name.

    Raises
    ------
    InputError
        Where no criterion is called so.
    """
    if criterion not in ratings.criteria:
        known = ", ".join(ratings.criteria[:12])
        raise InputError(f"{ratings.source.name}: no criterion is called {criterion!r}. Criteria: {known}.")
    return ratings.criteria.index(criterion)


def of_criterion(ratings: Ratings, criterion: str) -> Ratings:
    """Return the same data set with one criterion only; items, raters and labels stay, also those without a rating on it.

    Raises
    ------
    InputError
        For an unknown criterion.
    """
    place = criterion_place(ratings, criterion)
    of, runs = ratings.criterion == place, ratings.runs
    if runs is not None:
        of_runs = runs.criterion == place
        runs = taken(runs, of_runs, criterion=np.zeros(of_runs.sum(), np.int32))
    return taken(ratings, of, criteria=(criterion,), criterion=np.zeros(of.sum(), np.int32), runs=runs, memo={})


def on_criteria(ratings: Ratings, names: Sequence[str]) -> Ratings:
    """Return ratings of some criteria, with the items, raters and labels in use there.

    On criteria with a positive and a negative side (binary, pairwise) the labels are positive and negative, on all others
    they are classes. Rows of other criteria are among those left out.

    Parameters
    ----------
    names : sequence of str
        In any order; the ratings keep theirs.

    Raises
    ------
    InputError
        For a name that is no criterion, no name at all, and criteria nobody rated.
    """
    known_names, asked = set(ratings.criteria), set(names)
    unknown = [name for name in names if name not in known_names]
    if unknown or not names:
        wrong = f"no criterion is called ‘{shorten(unknown[0])}’" if unknown else "name at least one criterion"
        known = ", ".join(shorten(name) for name in ratings.criteria[:12])
        raise InputError(f"{ratings.source.name}: {wrong}. Criteria: {known}.")
    wanted = tuple(name for name in ratings.criteria if name in asked)
    if wanted == ratings.criteria:
        return ratings
    return memoised(ratings, ("on criteria", wanted), lambda: _part(ratings, wanted))


def on_ratings(
    ratings: Ratings, kept: NDArray[np.bool_] | NDArray[np.int64], runs_kept: NDArray[np.bool_] | None, reason: str
) -> Ratings:
    """Return some of the ratings, with the items, criteria, raters and labels in use there, as if the file held no others.

    What labels mean, and the order of classes, stay as the whole file has them.

    Parameters
    ----------
    ratings : Ratings
    kept : ndarray of bool, shape (n_ratings,), or of int64
        At least one of them; or their places, in order.
    runs_kept : ndarray of bool, shape (n_runs,), or None
        Of the repeated runs, where there are some.
    reason : str
        Why the rows of the others are left out; where empty, they are not counted among those.
    """
    used = np.zeros(len(ratings.criteria), bool)
    used[ratings.criterion[kept]] = True
    wanted = tuple(name for name, is_used in zip(ratings.criteria, used, strict=True) if is_used)
    runs_kept = runs_kept if ratings.runs is None or runs_kept is not None else used[ratings.runs.criterion]
    return _narrowed(ratings, kept, runs_kept, wanted, reason)


def _part(ratings: Ratings, wanted: tuple[str, ...]) -> Ratings:
    inside = set(wanted)
    places = np.array([name in inside for name in ratings.criteria])
    kept = places[ratings.criterion]
    if not kept.any():
        raise InputError(f"{ratings.source.name}: nobody rated {', '.join(shorten(name) for name in wanted[:6])}.")
    runs_kept = None if ratings.runs is None else places[ratings.runs.criterion]
    part = _narrowed(ratings, kept, runs_kept, wanted, ELSEWHERE)
    return replace(part, source=_source(ratings, wanted), scheme=_scheme(ratings, wanted, part.labels), memo={})


def _narrowed(
    ratings: Ratings,
    kept: NDArray[np.bool_] | NDArray[np.int64],
    runs_kept: NDArray[np.bool_] | None,
    wanted: tuple[str, ...],
    reason: str,
) -> Ratings:
    """Return the ratings that are kept, on the criteria wanted, with what labels mean as it was."""
    places = np.array([name in set(wanted) for name in ratings.criteria])
    item, items = _renumbered(ratings.item[kept], ratings.n_unique)
    rater, raters = _renumbered(ratings.rater[kept], len(ratings.raters))
    criterion = (np.cumsum(places) - 1).astype(np.int32)
    runs = ratings.runs
    label_codes = ratings.label[kept] if runs is None else np.concatenate([ratings.label[kept], runs.label[runs_kept]])
    label, labels = _renumbered(label_codes, len(ratings.labels))
    again = None if runs is None or runs_kept is None else _runs(runs, runs_kept, (items, raters, labels), criterion)
    left_out = _left_out(ratings, kept, runs, runs_kept, reason) if reason else ratings.left_out
    return taken(
        ratings,
        kept,
        items=ratings.items.take(pa.array(items)),
        criteria=wanted,
        raters=tuple(ratings.raters[place] for place in raters),
        labels=tuple(ratings.labels[place] for place in labels),
        item=item,
        criterion=criterion[ratings.criterion[kept]],
        rater=rater,
        label=label[: len(item)],
        multiplicity=None if ratings.multiplicity is None else ratings.multiplicity[items],
        left_out=left_out,
        rows_used=ratings.rows_used - (left_out.n - ratings.left_out.n),
        runs=again,
        memo={},
    )


def _source(ratings: Ratings, wanted: tuple[str, ...]) -> Source:
    """Return where the ratings came from, and that they are a part."""
    source = ratings.source
    rubric = tuple(criterion for criterion in source.rubric if criterion.name in wanted)
    others = (*source.set_aside, *(name for name in ratings.criteria if name not in wanted))
    return replace(source, rubric=rubric, set_aside=others, how=replace(source.how, criteria=wanted))


def _renumbered(codes: Codes, size: int) -> tuple[Codes, NDArray[np.int64]]:
    """Return codes without gaps, and the old code of each new one."""
    used = np.zeros(size, bool)
    used[codes] = True
    return (np.cumsum(used) - 1).astype(np.int32)[codes], np.flatnonzero(used)


def _runs(runs: Runs, kept: NDArray[np.bool_], used: tuple[NDArray[np.int64], ...], criterion: NDArray[np.int32]) -> Runs | None:
    """Return repeated ratings that are kept; None where there are none."""
    if not kept.any():
        return None
    item, rater, label = (
        np.searchsorted(old, codes[kept]).astype(np.int32)
        for old, codes in zip(used, (runs.item, runs.rater, runs.label), strict=True)
    )
    return taken(runs, kept, item=item, criterion=criterion[runs.criterion[kept]], rater=rater, label=label)


def _left_out(
    ratings: Ratings,
    kept: NDArray[np.bool_] | NDArray[np.int64],
    runs: Runs | None,
    runs_kept: NDArray[np.bool_] | None,
    reason: str,
) -> LeftOut:
    """Return the rows left out, those that are not kept among them."""
    if not ratings.has_items:
        return ratings.left_out
    rows = [ratings.row] if runs is None else [ratings.row, runs.row]
    inside = [ratings.row[kept]] if runs is None or runs_kept is None else [ratings.row[kept], runs.row[runs_kept]]
    only = _only_in(np.concatenate(rows), np.concatenate(inside))
    others, before = ratings.record_numbers(only), ratings.left_out
    numbers = np.concatenate([before.rows, others])
    reasons = np.concatenate([before.reasons, np.full(len(others), len(before.names), np.int16)])
    order = np.argsort(numbers, kind="stable")
    times = None if ratings.has_rows else _rows_behind(ratings, rows, runs, only)[order]
    return LeftOut((*before.names, reason), numbers[order].astype(np.int64), reasons[order].astype(np.int16), times)


def _rows_behind(
    ratings: Ratings, rows: list[NDArray[np.int64]], runs: Runs | None, only: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return rows that each row of a tally stands for: those that were left out before, then the `only` ones."""
    items = np.concatenate([ratings.item] if runs is None else [ratings.item, runs.item])
    times = np.zeros(int(max(row_numbers.max(initial=-1) for row_numbers in rows)) + 1, np.int64)
    times[np.concatenate(rows)] = ratings.weight[items]
    before = ratings.left_out
    earlier = np.ones(len(before.rows), np.int64) if before.times is None else before.times
    return np.concatenate([earlier, times[only]])


def _only_in(rows: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return row numbers that are not among others, sorted, each once."""
    mask = np.zeros(int(rows.max(initial=-1)) + 1, bool)
    mask[rows] = True
    mask[others] = False
    return np.flatnonzero(mask)


def _scheme(ratings: Ratings, wanted: tuple[str, ...], labels: Sequence[str]) -> Scheme:
    """Return what the labels in use mean on these criteria."""
    scales, scheme = [scales_of(ratings).on(name) for name in wanted], ratings.scheme
    used = {normalise(label) for label in labels}
    two_sided = all(scale.scale in TWO_SIDED for scale in scales)
    sides = {label: side for scale in scales for label, side in _sides(scale.classes).items()}
    kinds: list[tuple[str, Kind]] = []
    for label, kind in scheme.kinds:
        if kind in AFTER_CLASSES:
            kinds.append((label, kind))
        elif normalise(label) in used:
            settled = kind if kind == "number" or (two_sided and kind != "class") else "class"
            kinds.append((label, sides[normalise(label)] if two_sided and settled == "class" else settled))
    stated = tuple((name, scale) for name, scale in scheme.scales if name in wanted)
    if two_sided:
        return replace(scheme, kinds=(*kinds, *missing_side(kinds, scheme.kinds)), order=(), unused=(), scales=stated)
    offered = {
        normalise(label) for criterion in ratings.source.rubric if criterion.name in wanted for label, _ in criterion.options
    }
    order = tuple(label for label in scheme.order if normalise(label) in used | offered)
    named = scheme.scale != "binary" and all(scale.scale == "nominal" for scale in scales)
    axes = [scheme.classes] if named else [scale.classes for scale in scales]
    ranks = {normalise(label): place for axis in axes for place, label in enumerate(axis)}
    kinds.sort(key=lambda pair: (pair[1] == "class", ranks.get(normalise(pair[0]), 0) if pair[1] == "class" else 0))
    if [kind for _, kind in kinds if kind not in AFTER_CLASSES] == ["class"] and len(order) < 2:
        kinds.append((OTHER_LABEL, "class"))
    return replace(scheme, kinds=tuple(kinds), order=order, unused=(), scales=stated)


def _sides(classes: tuple[str, ...]) -> dict[str, Kind]:
    """Return sides of labels that stand as classes elsewhere: as the vocabulary has it, else the higher of two is positive."""
    kind_by_label: dict[str, Kind] = {}
    for label in classes:
        known = meaning(label)
        sure = known is not None and known.certain and known.kind in ("positive", "negative")
        kind_by_label[normalise(label)] = (
            known.kind if known is not None and sure else "positive" if label == classes[-1] else "negative"
        )
    return kind_by_label


def counted(ratings: Ratings) -> Ratings | None:
    """Return the ratings of the criteria that one table can hold.

    None where every criterion is a score, or only one side rated them.

    Of criteria on different scales those with a positive and a negative side; without any, all that have labels.
    """
    scales = scales_of(ratings)
    labels = tuple(name for name in ratings.criteria if name not in scales.of("continuous"))
    names = (scales.two_sided if scales.mixed else ()) or labels
    part = ratings.on_criteria(names) if names else None
    return part if part is not None and part.humans and part.judges else None

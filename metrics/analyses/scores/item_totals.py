"""The score of an item on each side: what its answers are worth, weighted by criterion.

The sum of weight times value over the answered criteria, as a share of the most that those could reach, cut off at 0 and 1; a
criterion without a verdict is left out above and below the line. Where no answered criterion has a positive weight, 1 plus the
sum as a share of the negative weights. So autorubric 1.6.1 scores a report that skips what cannot be assessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.paired_numbers import Paired
from metrics.asker import by
from metrics.data.aggregation import checked_weights
from metrics.data.labels import Scheme
from metrics.data.order import numbers_of
from metrics.data.pairs import patterns_of
from metrics.data.patterns import NOT_ASKED
from metrics.data.ratings import Ratings
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, safe_ratio

Values = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Worth:
    """What answers are worth.

    Attributes
    ----------
    criteria : tuple of str
    weights : ndarray, shape (C,)
        NaN for a criterion that does not count, because its labels stand for no numbers.
    values : ndarray, shape (C, K)
        Worth of every class, NaN for a class that is none of the criterion's.
    """

    criteria: tuple[str, ...]
    classes: tuple[str, ...]
    weights: FloatArray
    values: FloatArray

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Which criteria count, shape (C,)."""
        return ~np.isnan(self.weights)

    def without_values(self) -> tuple[str, ...]:
        """Return criteria that do not count."""
        return tuple(name for name, counts in zip(self.criteria, self.counted, strict=True) if not counts)

    def scoring_by_criterion(self) -> dict[str, dict[str, Any]]:
        """Return weight and values of each criterion that counts."""
        out = {}
        for place in np.flatnonzero(self.counted):
            pairs = zip(self.classes, self.values[place].tolist(), strict=True)
            entry = {
                "weight": float(self.weights[place]),
                "values": {name: value for name, value in pairs if not np.isnan(value)},
            }
            out[self.criteria[place]] = entry
        return out


@dataclass(frozen=True, eq=False)
class Totals:
    """Scores of the items of one judge, each of shape (n_items,); NaN where an item has none. In a tally, of its kinds.

    Attributes
    ----------
    lacking : ndarray of bool
        A side has no row, or a failed call, on a criterion of the item.
    silent : ndarray of bool
        A side gave no verdict on a criterion of the item.
    clamped : ndarray of bool
        The score of a side was cut off at 0 or 1.
    of_item : ndarray of int64
        Items with the same answers have the same number.
    times : ndarray of int64
        Items that each stands for.
    worth : ndarray of float64
        Weight of each item; nothing where every item counts once. Items with the same answers and another weight are then apart.
    """

    reference: FloatArray
    judge: FloatArray
    lacking: NDArray[np.bool_]
    silent: NDArray[np.bool_]
    clamped: NDArray[np.bool_]
    of_item: NDArray[np.int64]
    times: NDArray[np.int64]
    worth: FloatArray = field(default_factory=lambda: np.empty(0))

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Items with a score on both sides."""
        return ~np.isnan(self.reference) & ~np.isnan(self.judge)

    def n_of(self, mask: NDArray[np.bool_]) -> int:
        """Return items that some of them stand for.

        Parameters
        ----------
        mask : ndarray of bool, shape (n_items,)
            Which ones.
        """
        return int(self.times[mask].sum())

    def merged(self) -> Totals:
        """Return items with the same answers as one, so that their order in the file is of no matter."""
        _, first, kind = np.unique(self.of_item, return_index=True, return_inverse=True)
        times = np.bincount(kind, weights=self.times).astype(np.int64)
        return Totals(
            self.reference[first], self.judge[first], self.lacking[first], self.silent[first], self.clamped[first],
            self.of_item[first], times,
        )  # fmt: skip

    def by_weight(self, weights: FloatArray) -> Totals:
        """Return the same with the weight of each item, shape (n_items,); items that are alike in it too are one."""
        values, place = np.unique(weights, return_inverse=True)
        apart = replace(self, of_item=self.of_item * len(values) + place)
        first = np.unique(apart.of_item, return_index=True)[1]
        return replace(apart.merged(), worth=weights[first])

    def paired(self, kept: NDArray[np.bool_] | None = None) -> Paired:
        """Return the scores of both sides, of all items or of some.

        Parameters
        ----------
        kept : ndarray of bool, shape (n_items,), optional
            Which ones. Default: all.
        """
        mask = np.ones(len(self.times), bool) if kept is None else kept
        return Paired(self.reference[mask], self.judge[mask], copies=self.times[mask])


def worth_of(ratings: Ratings, weights: Mapping[str, float] | None, values: Values | None) -> Worth:
    """Return weights and values as given, else as the file's rubric has them, else 1 and the places of the labels from 0 to 1.

    Parameters
    ----------
    weights : mapping of criterion to weight, optional
    values : mapping, optional
        Label to value for all criteria, or criterion to such a mapping.

    Raises
    ------
    InputError
        For a criterion or label that does not exist, a weight or value that is no number, a weight that differs between items
        and is not given, values that lack a label in use, and where no criterion counts.
    """
    given = checked_weights(weights or {}, ratings.criteria)
    rubric = {criterion.name: criterion for criterion in ratings.source.rubric}
    used = _used(ratings)
    table = np.full(used.shape, np.nan)
    criterion_weights = np.full(len(ratings.criteria), np.nan)
    shared, by_criterion = _split(values or {}, ratings)
    for place, name in enumerate(ratings.criteria):
        stated = by_criterion.get(name, shared)
        options = dict(rubric[name].options) if name in rubric else {}
        table[place] = _worth(ratings, used[place], stated, options, name)
        if not np.isnan(table[place]).all():
            criterion_weights[place] = given[name] if name in given else rubric[name].weight if name in rubric else 1.0
            if np.isnan(criterion_weights[place]):
                raise InputError(f"The weight of ‘{name}’ is not the same on every item. Give it with weights.")
    if np.isnan(criterion_weights).all():
        raise InputError(f"{ratings.source.name}: no label stands for a number. Say what each is worth {by('--values')}.")
    return Worth(ratings.criteria, ratings.scheme.classes, criterion_weights, table)


def _used(ratings: Ratings) -> NDArray[np.bool_]:
    """Return which classes occur on which criterion, shape (C, K)."""
    n_criteria, n_states = len(ratings.criteria), ratings.scheme.n_states
    place = ratings.criterion * n_states + ratings.state
    counts = np.bincount(place, minlength=n_criteria * n_states).reshape(-1, n_states)
    return np.asarray(counts[:, : ratings.scheme.n_classes] > 0)


def _split(values: Values, ratings: Ratings) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Return values for all criteria, and for single ones, by normalised label."""
    shared: dict[str, float] = {}
    single: dict[str, dict[str, float]] = {}
    known = {normalise(name) for name in ratings.scheme.classes}
    for name, value in values.items():
        if isinstance(value, Mapping):
            if name not in ratings.criteria:
                raise InputError(f"No criterion is called {name!r}. Criteria: {', '.join(ratings.criteria[:12])}.")
            single[name] = {normalise(label): _number(number, label) for label, number in value.items()}
        else:
            shared[normalise(name)] = _number(value, name)
    unknown = ({*shared} | {label for value_by_label in single.values() for label in value_by_label}) - known
    if unknown:
        labels = ", ".join(ratings.scheme.classes[:12])
        raise InputError(f"No label is called {sorted(unknown)[0]!r}. Values can be given to: {labels}.")
    return shared, {name: shared | value_by_label for name, value_by_label in single.items()}


def _number(value: Any, label: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise InputError(f"The value of ‘{label}’ must be a finite number, not {value!r}.")
    return number


def _worth(
    ratings: Ratings, used: NDArray[np.bool_], stated: Mapping[str, float], options: Mapping[str, float], name: str
) -> FloatArray:
    """Return worth of each class on one criterion, shape (K,); all NaN where its labels stand for no numbers."""
    classes = ratings.scheme.classes
    labels = {label for label, is_used in zip(classes, used, strict=True) if is_used}
    binary = _binary(ratings)
    known = {normalise(label): value for label, value in options.items()} | dict(stated)
    lacking = [label for label in classes if label in labels and normalise(label) not in known]
    if lacking and set(lacking) <= set(binary):
        known = {normalise(label): value for label, value in binary.items()} | known
        labels |= set(binary)
    elif lacking and any(normalise(label) in stated for label in labels):
        raise InputError(f"The values say nothing of {', '.join(lacking[:6])}, which ‘{name}’ uses. Give one for each label.")
    elif lacking:
        return _places(ratings, labels)
    named = {*map(normalise, options)} | ({*stated} if any(normalise(label) in stated for label in labels) else set())
    labels |= {label for label in classes if normalise(label) in named}
    return np.array([known[normalise(label)] if label in labels else np.nan for label in classes])


def _binary(ratings: Ratings) -> dict[str, float]:
    """Return 1 for classes that say an item meets the criterion, 0 for those that say it does not."""
    scheme = ratings.scheme
    if scheme.scale == "binary":
        return {scheme.classes[0]: 1.0, scheme.classes[1]: 0.0}
    kinds = {normalise(label): kind for label, kind in scheme.kinds if kind in ("positive", "negative")}
    return {label: float(kinds[normalise(label)] == "positive") for label in scheme.classes if normalise(label) in kinds}


def _places(ratings: Ratings, used: set[str]) -> FloatArray:
    """Return labels that are numbers, or have a stated order, from 0 for the lowest to 1 for the highest; else NaN."""
    classes = ratings.scheme.classes
    ordered = {normalise(label) for label in ratings.scheme.order}
    for scale in (
        tuple(label for label in classes if numbers_of((label,)) is not None),
        tuple(label for label in classes if normalise(label) in ordered),
    ):
        numbers = numbers_of(scale) if scale and numbers_of(scale) is not None else np.arange(len(scale), dtype=np.float64)
        if numbers is not None and len(scale) > 1 and used and used <= set(scale) and np.ptp(numbers) > 0:
            worth = dict(zip(scale, ((numbers - numbers.min()) / np.ptp(numbers)).tolist(), strict=True))
            return np.array([worth.get(label, np.nan) for label in classes])
    return np.full(len(classes), np.nan)


def totals_of(ratings: Ratings, judge: str, reference: str, worth: Worth) -> Totals:
    """Return scores of every item on both sides, computed once for items with the same answers.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    reference : str
        As in `metrics.item_scores`.
    worth : Worth
        As `worth_of` gives it for these ratings.

    Returns
    -------
    Totals
        Scores in [0, 1]. NaN on both sides where either has no row, or a failed call, on a criterion that counts; NaN on the
        side that gave no verdict on any.
    """
    patterns = patterns_of(ratings, judge, reference)
    asked = patterns.reference != NOT_ASKED
    reference_side, judge_side = (_side(states, asked, worth, ratings.scheme) for states in (patterns.reference, patterns.judge))
    lacking = reference_side.lacking | judge_side.lacking
    scores = [np.where(lacking, np.nan, side.score)[patterns.of_item] for side in (reference_side, judge_side)]
    clamped = ~lacking & (reference_side.clamped | judge_side.clamped)
    silent = reference_side.silent | judge_side.silent
    of_item = patterns.of_item
    return Totals(scores[0], scores[1], lacking[of_item], silent[of_item], clamped[of_item], of_item, ratings.weight)


@dataclass(frozen=True, eq=False)
class _Side:
    """One side of the patterns, each of shape (n_patterns,)."""

    score: FloatArray
    lacking: NDArray[np.bool_]
    silent: NDArray[np.bool_]
    clamped: NDArray[np.bool_]


def _side(states: NDArray[np.int8], asked: NDArray[np.bool_], worth: Worth, scheme: Scheme) -> _Side:
    n, k, error = states.shape[1], scheme.n_classes, scheme.state("error")
    reached, gains, losses = np.zeros(n), np.zeros(n), np.zeros(n)
    answered, lacking, silent = np.zeros(n, bool), np.zeros(n, bool), np.zeros(n, bool)
    anything = np.zeros(n, bool)
    for place in np.flatnonzero(worth.counted):
        weight = float(worth.weights[place])
        value = np.append(worth.values[place], np.full(scheme.n_states - k, np.nan))[states[place]]
        scored = asked[place] & ~np.isnan(value)
        quiet = asked[place] & (states[place] >= k) & (states[place] < error)
        reached += np.where(scored, weight * value, 0.0)
        gains += max(weight, 0.0) * scored
        losses += max(-weight, 0.0) * scored
        answered |= scored
        silent |= quiet
        lacking |= asked[place] & ~scored & ~quiet
        anything |= asked[place]
    raw = np.where(gains > 0, safe_ratio(reached, gains), np.where(losses > 0, 1 + safe_ratio(reached, losses), 0.0))
    score: FloatArray = np.where(answered, np.clip(raw, 0, 1), np.nan)
    return _Side(score, lacking | ~anything, silent, answered & (raw != score))

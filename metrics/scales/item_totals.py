"""The score of an item on each side: what its answers are worth, weighted by criterion.

The sum of weight times value over the answered criteria, as a share of the most that those could reach, cut off at 0 and 1; a
criterion without a verdict is left out above and below the line. Where no answered criterion has a positive weight, 1 plus the
sum as a share of the negative weights. So autorubric 1.6.1 scores a report that skips what cannot be assessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.arrays import FloatArray, safe_ratio
from metrics.errors import InputError
from metrics.labels import normalise
from metrics.pairs import cells_of, reference_states, verdicts
from metrics.ratings import Ratings
from metrics.scales.order import numbers_of

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
        """Criteria that do not count."""
        return tuple(name for name, counts in zip(self.criteria, self.counted, strict=True) if not counts)

    def declared(self) -> dict[str, dict[str, Any]]:
        """Weight and values of each criterion that counts."""
        out = {}
        for place in np.flatnonzero(self.counted):
            own = zip(self.classes, self.values[place].tolist(), strict=True)
            its = {"weight": float(self.weights[place]), "values": {name: value for name, value in own if not np.isnan(value)}}
            out[self.criteria[place]] = its
        return out


@dataclass(frozen=True, eq=False)
class Totals:
    """Scores of the items of one judge, each of shape (n_items,); NaN where an item has none.

    Attributes
    ----------
    lacking : ndarray of bool
        A side has no row, or a failed call, on a criterion of the item.
    silent : ndarray of bool
        A side gave no verdict on a criterion of the item.
    clamped : ndarray of bool
        The score of a side was cut off at 0 or 1.
    """

    reference: FloatArray
    judge: FloatArray
    lacking: NDArray[np.bool_]
    silent: NDArray[np.bool_]
    clamped: NDArray[np.bool_]

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Items with a score on both sides."""
        return ~np.isnan(self.reference) & ~np.isnan(self.judge)


def worth_of(ratings: Ratings, weights: Mapping[str, float] | None, values: Values | None) -> Worth:
    """Weights and values as given, else as the file's rubric has them, else 1 and the places of the labels from 0 to 1.

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
    given = _checked(weights or {}, ratings.criteria)
    rubric = {its.name: its for its in ratings.source.rubric}
    k = ratings.scheme.n_classes
    used = np.zeros((len(ratings.criteria), k), bool)
    answered = ratings.state < k
    used[ratings.criterion[answered], ratings.state[answered]] = True
    table = np.full((len(ratings.criteria), k), np.nan)
    own = np.full(len(ratings.criteria), np.nan)
    shared, by_criterion = _split(values or {}, ratings)
    for place, name in enumerate(ratings.criteria):
        stated = by_criterion.get(name, shared)
        options = dict(rubric[name].options) if name in rubric else {}
        table[place] = _worth(ratings, used[place], stated, options, name)
        if not np.isnan(table[place]).all():
            own[place] = given[name] if name in given else rubric[name].weight if name in rubric else 1.0
            if np.isnan(own[place]):
                raise InputError(f"The weight of ‘{name}’ is not the same on every item. Give it with weights.")
    if np.isnan(own).all():
        raise InputError(f"{ratings.source.name}: no label stands for a number. Say what each is worth with values.")
    return Worth(ratings.criteria, ratings.scheme.classes, own, table)


def _checked(weights: Mapping[str, float], criteria: tuple[str, ...]) -> dict[str, float]:
    unknown = [name for name in weights if name not in criteria]
    if unknown:
        raise InputError(f"No criterion is called {unknown[0]!r}. Weights can be given to: {', '.join(criteria[:12])}.")
    if not all(np.isfinite(weight) for weight in weights.values()):
        raise InputError("Every criterion weight must be a finite number.")
    return {name: float(weight) for name, weight in weights.items()}


def _split(values: Values, ratings: Ratings) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Values for all criteria, and for single ones, by normalised label."""
    shared: dict[str, float] = {}
    single: dict[str, dict[str, float]] = {}
    known = {normalise(name) for name in ratings.scheme.classes}
    for name, value in values.items():
        if isinstance(value, Mapping):
            if name not in ratings.criteria:
                raise InputError(f"No criterion is called {name!r}. Criteria: {', '.join(ratings.criteria[:12])}.")
            single[name] = {normalise(label): _number(own, label) for label, own in value.items()}
        else:
            shared[normalise(name)] = _number(value, name)
    unknown = ({*shared} | {label for own in single.values() for label in own}) - known
    if unknown:
        labels = ", ".join(ratings.scheme.classes[:12])
        raise InputError(f"No label is called {sorted(unknown)[0]!r}. Values can be given to: {labels}.")
    return shared, {name: shared | own for name, own in single.items()}


def _number(value: Any, label: str) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = np.nan
    if not np.isfinite(found):
        raise InputError(f"The value of ‘{label}’ must be a finite number, not {value!r}.")
    return found


def _worth(
    ratings: Ratings, used: NDArray[np.bool_], stated: Mapping[str, float], options: Mapping[str, float], name: str
) -> FloatArray:
    """Worth of each class on one criterion, shape (K,); all NaN where its labels stand for no numbers."""
    classes = ratings.scheme.classes
    own = {label for label, its in zip(classes, used, strict=True) if its}
    binary = _binary(ratings)
    known = {normalise(label): value for label, value in options.items()} | dict(stated)
    lacking = [label for label in classes if label in own and normalise(label) not in known]
    if lacking and set(lacking) <= set(binary):
        known = {normalise(label): value for label, value in binary.items()} | known
        own |= set(binary)
    elif lacking and any(normalise(label) in stated for label in own):
        raise InputError(f"The values say nothing of {', '.join(lacking[:6])}, which ‘{name}’ uses. Give one for each label.")
    elif lacking:
        return _places(ratings, own)
    named = {*map(normalise, options)} | ({*stated} if any(normalise(label) in stated for label in own) else set())
    own |= {label for label in classes if normalise(label) in named}
    return np.array([known[normalise(label)] if label in own else np.nan for label in classes])


def _binary(ratings: Ratings) -> dict[str, float]:
    """1 for classes that say an item meets the criterion, 0 for those that say it does not."""
    scheme = ratings.scheme
    if scheme.scale == "binary":
        return {scheme.classes[0]: 1.0, scheme.classes[1]: 0.0}
    kinds = {normalise(label): kind for label, kind in scheme.kinds if kind in ("positive", "negative")}
    return {label: float(kinds[normalise(label)] == "positive") for label in scheme.classes if normalise(label) in kinds}


def _places(ratings: Ratings, used: set[str]) -> FloatArray:
    """Labels that are numbers, or have a stated order, from 0 for the lowest to 1 for the highest; else NaN."""
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
    """Scores of every item on both sides."""
    cells = cells_of(ratings)
    counted = worth.counted[cells.criterion]
    item, criterion = cells.item[counted], cells.criterion[counted]
    sides = [
        _side(ratings, states[counted], item, criterion, worth)
        for states in (reference_states(ratings, reference), verdicts(ratings, judge, "judge"))
    ]
    lacking = sides[0].lacking | sides[1].lacking
    scores = [np.where(lacking, np.nan, side.score) for side in sides]
    clamped = ~lacking & (sides[0].clamped | sides[1].clamped)
    return Totals(scores[0], scores[1], lacking, sides[0].silent | sides[1].silent, clamped)


@dataclass(frozen=True, eq=False)
class _Side:
    score: FloatArray
    lacking: NDArray[np.bool_]
    silent: NDArray[np.bool_]
    clamped: NDArray[np.bool_]


def _side(
    ratings: Ratings, states: NDArray[np.int8], item: NDArray[np.int32], criterion: NDArray[np.int32], worth: Worth
) -> _Side:
    k, n = ratings.scheme.n_classes, ratings.n_items
    of_state = np.concatenate([worth.values, np.full((len(worth.criteria), ratings.scheme.n_states - k), np.nan)], axis=1)
    value, weight = of_state[criterion, states], worth.weights[criterion]
    scored = ~np.isnan(value)
    silent = ~scored & (states >= k) & (states < ratings.scheme.state("error"))

    def per_item(amount: NDArray[Any]) -> FloatArray:
        return np.bincount(item, weights=amount, minlength=n).astype(np.float64)

    reached = per_item(np.where(scored, weight * value, 0.0))
    gains, losses = (per_item(np.where(scored, np.maximum(sign * weight, 0), 0.0)) for sign in (1, -1))
    raw = np.where(gains > 0, safe_ratio(reached, gains), np.where(losses > 0, 1 + safe_ratio(reached, losses), 0.0))
    score: FloatArray = np.where(per_item(scored) > 0, np.clip(raw, 0, 1), np.nan)
    lacking = (per_item(~scored & ~silent) > 0) | (np.bincount(item, minlength=n) == 0)
    return _Side(score, lacking, per_item(silent) > 0, ~np.isnan(score) & (raw != score))

"""Micro, macro and item level: which axes are summed before a metric, and what is averaged after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.data.abstention import Mode
from metrics.data.labels import AFTER_CLASSES, Scheme
from metrics.data.patterns import NOT_ASKED, Patterns
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray

Level = Literal["micro", "macro", "item"]
LEVELS: tuple[Level, ...] = ("micro", "macro", "item")
LEVEL_NAMES: dict[Level, str] = {"micro": "Micro", "macro": "Macro", "item": "Item"}
AVERAGED_OVER: dict[Level, str] = {"micro": "Decisions (micro)", "macro": "Criteria (macro)", "item": "Items"}
YES, NO, UNDECIDED, ABSENT, OPEN = 0, 1, 2, 3, 4
SLACK = 1e-9
"""Relative slack of the threshold, so that a sum of weights that equals it on paper also does in floating point."""


def checked_weights(weights: Mapping[str, float] | Sequence[tuple[str, float]], criteria: Sequence[str]) -> dict[str, float]:
    """Return the weights of criteria; refused where one is of no criterion or no finite number."""
    given = dict(weights)
    unknown = [name for name in given if name not in criteria]
    if unknown:
        raise InputError(f"No criterion is called {unknown[0]!r}. Weights can be given to: {', '.join(criteria[:12])}.")
    if not all(np.isfinite(weight) for weight in given.values()):
        raise InputError("Every criterion weight must be a finite number.")
    return given


@dataclass(frozen=True)
class ItemRule:
    """How the verdicts on an item become one.

    Attributes
    ----------
    rule : {"all", "threshold"}
        Every criterion of positive weight met and none of negative weight; or a weighted share of at least `threshold`.
    threshold : float or None
        In (0, 1].
    weights : tuple of (criterion, weight)
        Criteria that are not named weigh 1.
    """

    rule: Literal["all", "threshold"] = "all"
    threshold: float | None = None
    weights: tuple[tuple[str, float], ...] = ()

    @staticmethod
    def of(
        rule: str,
        threshold: float | None,
        weights: Mapping[str, float] | Sequence[tuple[str, float]] | None,
        criteria: Sequence[str],
    ) -> ItemRule:
        """Return a checked rule.

        Parameters
        ----------
        rule : str
            `all` or `threshold`.
        threshold : float or None
            Share of the weight, in (0, 1]; None for the rule `all`.
        weights : mapping, or sequence of (criterion, weight), or None
            Criteria that are not named weigh 1.
        criteria : sequence of str
            Names that can have a weight.

        Raises
        ------
        InputError
            For an unknown rule or criterion, a threshold that is missing, superfluous or not in (0, 1], a weight that is not
            a number, or weights that are nowhere positive.
        """
        if rule not in ("all", "threshold"):
            raise InputError(f"Unknown item rule {rule!r}. Use all or threshold.")
        if (threshold is None) == (rule == "threshold"):
            raise InputError("The item rule threshold needs a threshold above 0 and at most 1, and the rule all takes none.")
        if threshold is not None and not 0 < threshold <= 1:
            raise InputError(f"The threshold must be above 0 and at most 1, not {threshold}.")
        given = checked_weights(weights or {}, criteria)
        if criteria and not any(given.get(name, 1.0) > 0 for name in criteria):
            raise InputError("At least one criterion needs a weight above 0.")
        return ItemRule("all" if rule == "all" else "threshold", threshold, tuple(given.items()))

    def vector(self, criteria: Sequence[str]) -> FloatArray:
        """Return weight of each criterion, shape (C,)."""
        given = dict(self.weights)
        return np.array([given.get(name, 1.0) for name in criteria], dtype=np.float64)

    def to_dict(self) -> dict[str, object]:
        out: dict[str, object] = {"rule": self.rule}
        if self.threshold is not None:
            out["threshold"] = self.threshold
        if self.weights:
            out["weights"] = dict(self.weights)
        return out


@dataclass(frozen=True, eq=False)
class ItemVerdicts:
    """Item verdicts of each pattern on both sides.

    `YES`, `NO`, `UNDECIDED` because of an abstention, `OPEN` where the verdict hangs on an answer that is left out, or `ABSENT`
    where a side lacks a criterion.

    Attributes
    ----------
    reference, judge : ndarray of int8, shape (n_patterns,)
    complete : ndarray of bool, shape (n_patterns,)
        Both sides gave every criterion of the item a verdict: no abstention, also where it is recoded, and no split vote, without
        which a verdict survives only where it is negative, as with an abstention.
    split : ndarray of bool, shape (n_patterns,)
        The people's votes split on a criterion of the item, and no side lacks one.
    """

    reference: NDArray[np.int8]
    judge: NDArray[np.int8]
    complete: NDArray[np.bool_]
    split: NDArray[np.bool_]

    @property
    def open(self) -> NDArray[np.bool_]:
        """The verdict of a side hangs on an answer that is left out, shape (n_patterns,)."""
        mask: NDArray[np.bool_] = (self.reference == OPEN) | (self.judge == OPEN)
        return mask


def item_verdicts(patterns: Patterns, scheme: Scheme, rule: ItemRule, criteria: Sequence[str], *, as_unmet: bool) -> ItemVerdicts:
    """Return one verdict per item and side in strong Kleene logic, so that abstention is carried and not guessed.

    Parameters
    ----------
    as_unmet : bool
        Recode every abstention as negative before the rule is applied; what is handled otherwise in the scheme is not.
    """
    weights = patterns.by_slot(rule.vector(criteria))
    asked = patterns.slot_reference != NOT_ASKED
    sides = [_Side.of(states, scheme, as_unmet=as_unmet) for states in (patterns.slot_reference, patterns.slot_judge)]
    lacking = sides[0].missing | sides[1].missing | (_total(np.maximum(weights, 0), asked) <= 0)
    complete = ~lacking & ~np.any([side.quiet | side.left for side in sides], axis=(0, 1))
    decided = [np.where(lacking, ABSENT, _carried(side, asked, rule, weights)).astype(np.int8) for side in sides]
    split = ~lacking & (patterns.slot_reference == scheme.state("split")).any(0)
    return ItemVerdicts(decided[0], decided[1], complete, split)


def item_table(verdicts: ItemVerdicts, weight: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return items by item verdict: positive, negative, undecided for any reason; none that lacks a criterion.

    Parameters
    ----------
    verdicts : ItemVerdicts
    weight : ndarray of int64, shape (n_patterns,)
        Items of each pattern that count.

    Returns
    -------
    ndarray of int64, shape (3, 3)
        Reference in rows, judge in columns.
    """
    both = (verdicts.reference != ABSENT) & (verdicts.judge != ABSENT)
    reference, judge = (np.where(codes == OPEN, UNDECIDED, codes)[both] for codes in (verdicts.reference, verdicts.judge))
    place = reference.astype(np.int64) * 3 + judge
    return np.bincount(place, weights=weight[both], minlength=9).astype(np.int64).reshape(3, 3)


def tables_of_items(verdicts: ItemVerdicts) -> NDArray[np.int64]:
    """Return the table of one item of each pattern whose verdicts count, shape (n_patterns, 3, 3); 0 of the others."""
    counted = (verdicts.reference != ABSENT) & (verdicts.judge != ABSENT) & ~verdicts.open
    place = np.where(counted, verdicts.reference.astype(np.int64) * 3 + verdicts.judge, 9)
    return np.eye(10, dtype=np.int64)[place, :9].reshape(-1, 3, 3)


def fold_items(table: NDArray[np.int64], mode: Mode) -> NDArray[np.int64]:
    """Return the table of item verdicts in a mode. In `as_unmet` no item is undecided, because recoding came first.

    Parameters
    ----------
    table : ndarray of int64, shape (..., 3, 3)
        As `item_table` and `tables_of_items` return it.
    mode : Mode

    Returns
    -------
    ndarray of int64, shape (..., 3, 3) or (..., 2, 2)
        With the undecided items in `as_category`, without them in the other modes.
    """
    return table if mode == "as_category" else table[..., :2, :2]


@dataclass(frozen=True, eq=False)
class _Side:
    """What one side says in each slot, shape (S, n_patterns); whether it lacks a criterion, shape (n_patterns,).

    `quiet` is every abstention, `silent` those that are not recoded.
    """

    met: NDArray[np.bool_]
    quiet: NDArray[np.bool_]
    silent: NDArray[np.bool_]
    left: NDArray[np.bool_]
    missing: NDArray[np.bool_]

    @staticmethod
    def of(states: NDArray[np.int8], scheme: Scheme, *, as_unmet: bool) -> _Side:
        end = scheme.end_of_rated
        kinds = [kind for kind in AFTER_CLASSES if scheme.state(kind) < end]
        left_out = [scheme.state(kind) for kind in kinds if scheme.handled(kind) == "exclude"]
        carried = [scheme.state(kind) for kind in kinds if scheme.handled(kind) in ("abstention", "as_category")]
        quiet = _among(states, carried)
        silent = np.zeros_like(quiet) if as_unmet else quiet
        return _Side(states == 0, quiet, silent, _among(states, left_out), np.asarray((states >= end).any(0)))


def _among(states: NDArray[np.int8], wanted: Sequence[int]) -> NDArray[np.bool_]:
    mask = np.zeros(states.shape, bool)
    for state in wanted:
        mask |= states == state
    return mask


def _carried(side: _Side, asked: NDArray[np.bool_], rule: ItemRule, weights: FloatArray) -> NDArray[np.int64]:
    """Return verdict with the abstentions carried; open where answers that are left out would change it."""
    if not side.left.any():
        return _decide(side.met, side.silent, asked, rule, weights)
    positive = weights > 0
    worst = _decide(side.met | (side.left & ~positive), side.silent, asked, rule, weights)
    best = _decide(side.met | (side.left & positive), side.silent, asked, rule, weights)
    return np.where(worst == best, worst, OPEN)


def _decide(
    met: NDArray[np.bool_], silent: NDArray[np.bool_], asked: NDArray[np.bool_], rule: ItemRule, weights: FloatArray
) -> NDArray[np.int64]:
    """Return verdict when every silence were at its worst and at its best: equal, or undecided."""
    positive = weights > 0
    worst = _holds(met | (silent & ~positive), asked, rule, weights)
    best = _holds(met | (silent & positive), asked, rule, weights)
    return np.where(worst == best, np.where(best, YES, NO), UNDECIDED)


def _holds(met: NDArray[np.bool_], asked: NDArray[np.bool_], rule: ItemRule, weights: FloatArray) -> NDArray[np.bool_]:
    """Return whether the rule is met, shape (n_patterns,), when every criterion is either met or not."""
    if rule.rule == "all" or rule.threshold is None:
        return ~np.asarray((asked & ~met & (weights > 0)).any(0) | (met & (weights < 0)).any(0))
    most = _total(np.maximum(weights, 0), asked)
    needed = rule.threshold * most
    held: NDArray[np.bool_] = _total(weights, met) >= needed - SLACK * most
    return held


def _total(weights: FloatArray, mask: NDArray[np.bool_]) -> FloatArray:
    """Return sum of the weights where the mask holds, shape (n_patterns,); the weights have its shape, or one column for all."""
    total: FloatArray = weights[:, 0] @ mask if weights.shape[1] == 1 else np.where(mask, weights, 0.0).sum(0)
    return total

"""Two judges on single criteria: where each of them is right significantly more often than the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.comparison.permutation import mcnemar
from metrics.analyses.comparison.shared_decisions import Shared
from metrics.measures.exact_tests import holm
from metrics.results import words

# Criteria named in one sentence; of more, the rest are counted.
MOST_NAMED = 3
# Places in `OUTCOMES` of the two outcomes that separate the judges.
ONLY_A, ONLY_B = 1, 2


@dataclass(frozen=True)
class OnCriterion:
    """One criterion.

    Attributes
    ----------
    n, right_a, right_b : int
        Decisions on which both judges and the reference gave a verdict, and those on which a judge agrees with it.
    p : float
        McNemar's exact test, corrected by Holm for the criteria.
    """

    criterion: str
    n: int
    right_a: int
    right_b: int
    p: float


def on_criteria(shared: Shared, outcome: NDArray[np.int8]) -> tuple[OnCriterion, ...]:
    """Return both judges on every criterion, each item one decision of it.

    Parameters
    ----------
    shared : Shared
        D decisions.
    outcome : ndarray of int8, shape (D,)
        Place of each decision in `OUTCOMES`.

    Returns
    -------
    tuple of OnCriterion
        In the order of `shared.criteria`; p is 1 where no decision separates the judges.
    """
    n = len(shared.criteria)
    counts = np.bincount(shared.criterion * 5 + outcome, weights=shared.weight, minlength=n * 5).reshape(n, 5).astype(np.int64)
    corrected = holm([mcnemar(int(row[ONLY_A]), int(row[ONLY_B])).p for row in counts])
    return tuple(
        OnCriterion(name, int(row[:4].sum()), int(row[0] + row[ONLY_A]), int(row[0] + row[ONLY_B]), p)
        for name, row, p in zip(shared.criteria, counts, corrected, strict=True)
    )


def both_ways(criterion_results: Iterable[OnCriterion], names: tuple[str, str], level: float) -> str:
    """Return on which criteria each judge is right more often; empty unless both are, each significantly on some criterion.

    Parameters
    ----------
    criterion_results : iterable of OnCriterion
    names : (str, str)
        Of A and of B.
    level : float
        Corrected p up to which a difference is significant, in (0, 1).
    """
    tested = tuple(criterion_results)
    sentences = [
        on_criterion for on_criterion in tested if on_criterion.p <= level and on_criterion.right_a != on_criterion.right_b
    ]
    for_a, for_b = (
        [on_criterion for on_criterion in sentences if (on_criterion.right_b > on_criterion.right_a) is ahead]
        for ahead in (False, True)
    )
    if not for_a or not for_b:
        return ""
    first = _named((on_criterion, on_criterion.right_a, on_criterion.right_b) for on_criterion in for_a)
    second = _named((on_criterion, on_criterion.right_b, on_criterion.right_a) for on_criterion in for_b)
    corrected = words.corrected(len(tested), "criteria")
    return f"The criteria differ: {names[0]} is right significantly more often on {first}, {names[1]} on {second}{corrected}."


def _named(rows: Iterable[tuple[OnCriterion, int, int]]) -> str:
    shares = [
        f"{words.shorten(on_criterion.criterion)} ({words.percent(count / on_criterion.n)} "
        f"against {words.percent(other / on_criterion.n)})"
        for on_criterion, count, other in rows
    ]
    return words.listed(shares, MOST_NAMED)

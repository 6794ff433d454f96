"""More than two classes: each class against the rest, and how far balanced accuracy and macro J say the same.

Collot et al. (2025, section 5.1) state BA = ((n−1)/n) · macro J + 1/n for n classes. That holds for two classes, for classes of
equal size, and where a class's false-alarm rate gives the other classes equal weight; otherwise the two need not even put judges
in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.judge_selection.golden import GoldenTable
from metrics.measures.arrays import as_confusion, safe_ratio
from metrics.measures.rates import balanced_accuracy, macro_j
from metrics.results.estimate import Estimate

CLASSES = ("class 1", "class 2", "class 3")
COUNTEREXAMPLE = ((80, 10, 10), (2, 6, 2), (1, 1, 8))
"""Classes of 100, 10 and 10 decisions on which the stated relation is off."""
REVERSAL = {"Judge A": ((52, 42, 6), (0, 10, 0), (0, 1, 9)), "Judge B": ((99, 0, 1), (0, 6, 4), (0, 3, 7))}
"""Two judges on classes of that size: balanced accuracy prefers A, macro J prefers B."""
# Off by less than this is rounding.
EXACT = 1e-9


@dataclass(frozen=True)
class Relation:
    """The stated relation on one table; values NaN where the reference uses fewer than two classes.

    Attributes
    ----------
    n : int
        Classes the reference uses.
    implied_balanced_accuracy : float
        Balanced accuracy as the relation gives it from `macro_j`.
    balanced_j : float
        Macro J with false-alarm rates that give the other classes equal weight; from it the relation is exact as long as the
        judge keeps to the classes the reference uses.
    """

    n: int
    sizes: tuple[int, ...]
    balanced_accuracy: float
    macro_j: float
    implied_balanced_accuracy: float
    balanced_j: float

    @property
    def off(self) -> float:
        """Balanced accuracy less what the relation gives."""
        return self.balanced_accuracy - self.implied_balanced_accuracy

    @property
    def exact(self) -> bool:
        return abs(self.off) < EXACT

    @property
    def even(self) -> bool:
        """Whether all classes in use have the same size."""
        return len({size for size in self.sizes if size}) == 1


@dataclass(frozen=True)
class ClassScore:
    """One class against the rest.

    Attributes
    ----------
    n, judged : int
        Decisions that the reference and the judge put into the class.
    recall, fpr : float
        NaN where the reference never uses the class, or no other.
    youden_j : Estimate
    """

    label: str
    n: int
    judged: int
    recall: float
    fpr: float
    youden_j: Estimate


def relation_of(counts: ArrayLike) -> Relation:
    """Return the stated relation on a table.

    Parameters
    ----------
    counts : array_like, shape (K, K)
        Reference in rows.

    Returns
    -------
    Relation
        Values are NaN where the reference uses fewer than two classes.
    """
    table = as_confusion(counts)
    used = table.sum(1) > 0
    n, j_value = int(used.sum()), float(macro_j(table))
    shares = safe_ratio(table, table.sum(1, keepdims=True) + np.zeros_like(table))[used][:, used]
    hits = np.diagonal(shares)
    alarms = safe_ratio(shares.sum(0) - hits, n - 1)
    return Relation(
        n, tuple(int(size) for size in table.sum(1)), float(balanced_accuracy(table)), j_value,
        float(safe_ratio((n - 1) * j_value + 1, n)), float(safe_ratio((hits - alarms).sum(), n)),
    )  # fmt: skip


def class_scores_of(golden: GoldenTable) -> tuple[ClassScore, ...]:
    """Return every class against the rest, in the order of the labels."""
    return tuple(_score(golden, place) for place in range(len(golden.labels)))


def _score(golden: GoldenTable, place: int) -> ClassScore:
    golden_table = golden.one_vs_rest(place)
    (tp, fn), (fp, tn) = golden_table.counts.tolist()
    rates = float(safe_ratio(tp, tp + fn)), float(safe_ratio(fp, fp + tn))
    return ClassScore(golden.labels[place], int(tp + fn), int(tp + fp), *rates, golden_table["youden_j"])

"""The table of every judge beside the reference, side by side, worst first; under a cost matrix where one is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.ensembles.verdict_matrix import (
    VerdictMatrix,
    judged_matrix_of,
    weighted_with_reference,
    with_reference,
)
from metrics.data.abstention import Mode
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import kappa_within
from metrics.measures.cost_matrices import Cost
from metrics.measures.exact_tests import sign_flip
from metrics.results.estimate import NOT_HERE, Estimate


@dataclass(frozen=True, eq=False)
class Matrices:
    """Tables of judges, the smallest κ first, undefined ones last.

    Attributes
    ----------
    judges : tuple of str, length J
    classes : tuple of str, length K
    tables : ndarray, shape (J, K, K)
        Decisions, the reference in rows.
    kappa : tuple of Estimate, length J
        Cohen's κ, all disagreements alike but of ordered labels, where it has quadratic weights.
    weighted : tuple of Estimate, length J
        Cohen's κ in which each disagreement counts by its cost; NaN without a cost matrix.
    cost : tuple of tuple, shape (K, K), or None
        What each disagreement costs, the reference in rows.
    metric : str
        Key of the κ that `kappa` is.
    more_p : ndarray, shape (J,)
        Exact two-sided p of `more_positive`, by flipping the sign of every item's surplus of the first class.
    within : ndarray, shape (J,)
        κ within criteria; NaN where undefined, with one criterion, and of ordered labels.
    more_on, more_on_p : ndarray, shape (J, C)
        Surplus of the first class on each criterion, and its p; with one criterion that of all.
    """

    judges: tuple[str, ...]
    classes: tuple[str, ...]
    tables: FloatArray
    kappa: tuple[Estimate, ...]
    weighted: tuple[Estimate, ...]
    cost: Cost | None
    metric: str
    more_p: FloatArray
    within: FloatArray
    more_on: FloatArray
    more_on_p: FloatArray

    @property
    def symbol(self) -> str:
        """That κ in a word."""
        return BY_KEY[self.metric].symbol

    def __len__(self) -> int:
        return len(self.judges)

    @property
    def n(self) -> FloatArray:
        """Decisions of each, shape (J,)."""
        return np.asarray(self.tables.sum((1, 2)))

    @property
    def more_positive(self) -> FloatArray:
        """How much more often each gives the first class than the reference, of the decisions both gave one, shape (J,)."""
        over = self.tables[:, :, 0].sum(1) - self.tables[:, 0, :].sum(1)
        return safe_ratio(over, self.n)

    def columns(self) -> dict[str, list[Any]]:
        """Return one row to a cell."""
        j, k = len(self.judges), len(self.classes)
        cells: dict[str, list[Any]] = {
            "judge": np.repeat(np.array(self.judges, object), k * k).tolist(),
            "reference label": [*np.repeat(np.array(self.classes, object), k).tolist()] * j,
            "judge label": [*self.classes] * (j * k),
            "n": self.tables.reshape(-1).astype(np.int64).tolist(),
            **_columns(self.metric, self.kappa, k * k),
        }
        if self.cost is not None:
            cells |= {"cost": [cell for row in self.cost for cell in row] * j}
            cells |= _columns("weighted kappa", self.weighted, k * k)
        return cells


def _columns(name: str, estimates: Sequence[Estimate], times: int) -> dict[str, list[Any]]:
    """Return the columns of a number and both ends of its interval, every row so many times; NaN where there is none."""
    rows = [(estimate.value, *(estimate.ends or (np.nan, np.nan))) for estimate in estimates for _ in range(times)]
    return {f"{name} {end}".strip(): [row[at] for row in rows] for at, end in enumerate(("", "low", "high"))}


def judge_matrices(
    ratings: Ratings,
    *,
    judges: Sequence[str] | None = None,
    reference: str = "auto",
    abstention: Mode = "exclude",
    cost: Cost | None = None,
) -> Matrices:
    """Return every judge beside the reference on the decisions that both gave a class.

    Parameters
    ----------
    cost : (K, K) tuple of tuples, optional
        What each disagreement costs; see `metrics.weighted_kappa`.

    Raises
    ------
    InputError
        As `verdict_matrix_of`; where no decision has a reference, and for a cost matrix that does not fit the classes.
    """
    verdict_matrix = judged_matrix_of(ratings, judges, reference, abstention)
    k = len(verdict_matrix.classes)
    if cost is not None and np.shape(cost) != (k, k):
        raise InputError(f"The cost matrix must be {k} x {k}, one row for each of {', '.join(verdict_matrix.classes)}.")
    beside = with_reference(verdict_matrix)
    tables, kappa = beside.tables, beside.kappa
    weighted = (NOT_HERE,) * len(kappa) if cost is None else weighted_with_reference(verdict_matrix, tables, np.asarray(cost))
    order: NDArray[np.int64] = np.argsort([estimate.value for estimate in kappa], kind="stable")
    names = tuple(verdict_matrix.judges[place] for place in order)
    whole = verdict_matrix.judged()
    each = [whole.at(np.flatnonzero(whole.criterion == criterion)) for criterion in np.unique(whole.criterion)]
    return Matrices(
        names, verdict_matrix.classes, tables[order], beside.at(order.tolist()).kappa,
        tuple(weighted[place] for place in order), cost,
        verdict_matrix.kappa.key, _more_p(whole)[order], _within(each, verdict_matrix)[order],
        np.stack([_surplus(part) for part in each], 1)[order], np.stack([_more_p(part) for part in each], 1)[order],
    )  # fmt: skip


def _within(each: Sequence[VerdictMatrix], verdict_matrix: VerdictMatrix) -> FloatArray:
    """Return κ within criteria of every judge, shape (J,)."""
    if len(each) < 2 or verdict_matrix.penalty is not None:
        return np.full(verdict_matrix.n_judges, np.nan)
    tables = np.stack([part.reference_tables() for part in each], 1)
    return np.array([kappa_within(judge_tables) for judge_tables in tables], np.float64)


def _surplus(judged: VerdictMatrix) -> FloatArray:
    """Return decisions with the first class by each judge, less those by the reference, shape (J,)."""
    tables = judged.reference_tables()
    return np.asarray(tables[:, :, 0].sum(1) - tables[:, 0, :].sum(1))


def _more_p(judged: VerdictMatrix) -> FloatArray:
    """Return whether each judge gives the first class more or less often than the reference: p by item, shape (J,)."""
    items, p_values = judged.of_each_item, []
    for labels in judged.labels.T:
        over = np.where(labels >= 0, (labels == 0).astype(np.int64) - (judged.reference == 0), 0)
        net = np.bincount(judged.item, weights=over, minlength=len(items)).astype(np.int64)
        p_values.append(sign_flip(net, items))
    return np.array(p_values, np.float64)

"""What the judges of a file said beside the reference, a row to a decision; every judge's κ there with its interval.

The interval follows the rules of the default intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.ensembles.panel import panel_judges
from metrics.analyses.leading import leading
from metrics.analyses.ordered_blocks import rules_for
from metrics.analyses.raters.pairwise import quadratic
from metrics.data.abstention import Mode, class_of_state, mode_labels
from metrics.data.pairs import cells_of, reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.data.unique_items import Multiset, kinds_of
from metrics.errors import InputError
from metrics.intervals.default import Unit, micro_intervals
from metrics.intervals.items import Coded
from metrics.measures.arrays import FloatArray, Function, safe_ratio
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA, WEIGHTED_KAPPA
from metrics.measures.metric import Metric
from metrics.measures.transforms import Transform, interval_around, jackknife_error, student
from metrics.results.estimate import Estimate

NONE = -1


@dataclass(frozen=True, eq=False)
class VerdictMatrix(Multiset):
    """Judges side by side on the decisions that one of them, or the reference, has.

    Attributes
    ----------
    options : ndarray of int16, shape (n, J)
        Answer of each judge: its class on the verdict axis, K for one without a verdict, `NONE` for a failed call or no row.
    labels : ndarray of int16, shape (n, J)
        The same in the abstention mode: a class of `classes`, `NONE` where nothing counts.
    reference : ndarray of int16, shape (n,)
        Class of the reference in the mode, `NONE` where it has none.
    item, criterion : ndarray of int32, shape (n,)
    judges, classes : tuple of str
    mode : str
    weight : ndarray of int64, shape (n,), optional
        Decisions that each row stands for, as many as there are items of its kind; default 1.
    penalty : ndarray, shape (K, K), optional
        How far two classes are apart where their order is what κ is read by (`metrics.analyses.leading`).
    """

    options: NDArray[np.int16]
    labels: NDArray[np.int16]
    reference: NDArray[np.int16]
    item: NDArray[np.int32]
    criterion: NDArray[np.int32]
    judges: tuple[str, ...]
    classes: tuple[str, ...]
    mode: Mode
    weight: NDArray[np.int64] | None = None
    penalty: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.reference)

    @property
    def of_each_item(self) -> NDArray[np.int64]:
        """Items of its kind, by the code of the item."""
        items = np.zeros(int(self.item.max(initial=-1)) + 1, np.int64)
        items[self.item] = self.times
        return items

    def n_items(self, rows: NDArray[np.bool_] | slice = slice(None)) -> int:
        """Return how many items some of the rows hold.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,), or slice
            Default: all.
        """
        _, first = np.unique(self.item[rows], return_index=True)
        return int(self.times[rows][first].sum())

    @property
    def n_judges(self) -> int:
        return len(self.judges)

    def judged(self) -> VerdictMatrix:
        """Return the decisions on which the reference has a class."""
        return self.at(np.flatnonzero(self.reference >= 0))

    def at(self, places: NDArray[np.int64]) -> VerdictMatrix:
        """Return some of the decisions.

        Parameters
        ----------
        places : ndarray of int64, shape (m,)
            Of the rows, in their new order.
        """
        return replace(
            self, options=self.options[places], labels=self.labels[places], reference=self.reference[places],
            item=self.item[places], criterion=self.criterion[places],
            weight=None if self.weight is None else self.weight[places],
        )  # fmt: skip

    @property
    def kappa(self) -> Metric:
        """The κ that the labels are read by."""
        return BY_KEY["kappa"] if self.penalty is None else QUADRATIC_KAPPA

    @cached_property
    def distinct(self) -> tuple[VerdictMatrix, FloatArray]:
        """One decision of each kind, kinds differing in what the judges or the reference say; and how many there are of each."""
        example, which, _ = merged(np.column_stack([self.options, self.labels, self.reference]))
        times = np.bincount(which, weights=self.times, minlength=len(example))
        return replace(self.at(example), weight=None), times.astype(np.float64)

    @property
    def hot(self) -> FloatArray:
        """Labels as zeros and ones, shape (n, J, K)."""
        hot: FloatArray = (self.labels[:, :, None] == np.arange(len(self.classes))).astype(np.float64)
        return hot

    def reference_tables(self) -> FloatArray:
        """Return table of every judge beside the reference, shape (J, K, K), the reference in rows."""
        kinds, times = self.distinct
        truth = times[:, None] * (kinds.reference[:, None] == np.arange(len(self.classes)))
        j, k = self.n_judges, len(self.classes)
        tables: FloatArray = (truth.T @ kinds.hot.reshape(len(kinds), j * k)).reshape(k, j, k).transpose(1, 0, 2)
        return tables


def verdict_matrix_of(
    ratings: Ratings,
    *,
    judges: Sequence[str] | None = None,
    reference: str = "auto",
    abstention: Mode = "exclude",
    by_kind: bool = True,
) -> VerdictMatrix:
    """Return the judges of a file side by side; panels sit out. Without humans the reference has no class anywhere.

    Parameters
    ----------
    ratings : Ratings
    judges : sequence of str, optional
        Default: all that are no panel.
    reference : str
        A human, or the rule by which several become one, as in `metrics.agreement`.
    abstention : str
        Abstention mode.
    by_kind : bool
        Items that are alike in everything are one; else the decisions stand in the order of the file.

    Raises
    ------
    InputError
        For fewer than two judges, an unknown one, a panel among them, an unknown reference, scores, and a table of counts.
    """
    chosen = panel_judges(ratings, judges)
    ratings = kinds_of(ratings) if by_kind else ratings
    scheme = ratings.scheme
    in_mode = class_of_state(scheme, abstention).astype(np.int16)
    option = np.minimum(np.arange(scheme.n_states), scheme.n_classes).astype(np.int16)
    option[scheme.state("error") :] = NONE
    states = np.stack([verdicts(ratings, name, "judge") for name in chosen], axis=1)
    truth = np.full(len(states), NONE, np.int16)
    if ratings.humans:
        truth = in_mode[reference_states(ratings, reference)]
    there = np.flatnonzero((option[states] >= 0).any(1) | (truth >= 0))
    cells = cells_of(ratings)
    labels = mode_labels(scheme, abstention)
    ordered = leading(ratings, abstention) == QUADRATIC_KAPPA.key
    return VerdictMatrix(
        option[states[there]], in_mode[states[there]], truth[there], cells.item[there], cells.criterion[there],
        chosen, labels, abstention, ratings.weight[cells.item[there]], quadratic(np.arange(len(labels))) if ordered else None,
    )  # fmt: skip


def judged_matrix_of(ratings: Ratings, judges: Sequence[str] | None, reference: str, abstention: Mode) -> VerdictMatrix:
    """Return the same on the decisions with a reference.

    Raises
    ------
    InputError
        As `verdict_matrix_of`, and where no decision has one.
    """
    judged = verdict_matrix_of(ratings, judges=judges, reference=reference, abstention=abstention).judged()
    if not len(judged):
        raise InputError(f"{ratings.source.name}: no decision of these judges has a reference. Errors need labels of humans.")
    return judged


def merged(rows: NDArray[np.int16]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return distinct rows.

    Parameters
    ----------
    rows : ndarray of int16, shape (n, m)

    Returns
    -------
    example : ndarray of int64, shape (d,)
        Place of one row of each kind.
    which : ndarray of int64, shape (n,)
        Kind of each row.
    times : ndarray of int64, shape (d,)
        How many rows are alike.
    """
    words = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, example, which, times = np.unique(words, return_index=True, return_inverse=True, return_counts=True)
    return example, which.reshape(-1), times


def kappa_slope(tables: FloatArray, penalty: FloatArray | None = None) -> FloatArray:
    """Return derivative of Cohen's κ by one more decision in each cell.

    With the penalty W, by default 1 off the diagonal, D = Σ W_ij t_ij and E = Σ r_i W_ij c_j, κ = 1 − nD/E.

    Parameters
    ----------
    tables : ndarray, shape (..., K, K)
        Decisions.
    penalty : ndarray, shape (K, K), optional
        W.

    Returns
    -------
    ndarray, shape (..., K, K)
        Change of κ per decision; NaN where κ is undefined.
    """
    n = tables.sum((-2, -1))[..., None, None]
    rows, columns = tables.sum(-1)[..., None], tables.sum(-2)[..., None]
    apart = 1 - np.eye(tables.shape[-1]) if penalty is None else penalty
    off = (apart * tables).sum((-2, -1))[..., None, None]
    of_row, of_column = apart @ columns, (apart.T @ rows).swapaxes(-2, -1)
    by_chance = (rows * of_row).sum(-2)[..., None]
    return -safe_ratio((off + n * apart) * by_chance - n * off * (of_row + of_column), by_chance**2)


def without_one(value: float, left: FloatArray, weight: FloatArray, transform: Transform, confidence: float) -> Estimate:
    """Return a number with the interval of leaving one item out; of one item it has none.

    Parameters
    ----------
    value : float
    left : ndarray, shape (G,)
        What it is without one item of each kind.
    weight : ndarray, shape (G,)
        Items of each kind.
    transform : {"logit", "fisher", ...} or None
    confidence : float
    """
    n = int(weight.sum())
    if n < 2:
        return Estimate(value)
    error = float(jackknife_error(left, weight))
    return Estimate(value, interval_around(value, error, transform, student(n - 1, confidence), "jackknife"))


def item_error(influence: FloatArray, item: NDArray[np.int32], times: NDArray[np.int64] | None = None) -> float:
    """Return standard error of a number whose derivative by one more decision is given, items being drawn whole.

    The infinitesimal jackknife: √(n/(n−1) Σ_items (Σ_decisions influence)²).

    Parameters
    ----------
    influence : ndarray, shape (n,)
        Derivative by one more decision like each row.
    item : ndarray of int32, shape (n,)
        Item of each row.
    times : ndarray of int64, shape (n,), optional
        How often an item counts, the same in all of its rows; default once.

    Returns
    -------
    float
        In the unit of the number; NaN with fewer than two items.
    """
    _, first, code = np.unique(item, return_index=True, return_inverse=True)
    item_sums = np.bincount(code, weights=influence)
    often = np.ones(len(item_sums), np.int64) if times is None else times[first]
    n = int(often.sum())
    return float(np.sqrt(n / (n - 1) * (often @ item_sums**2))) if n > 1 else float("nan")


@dataclass(frozen=True, eq=False)
class WithReference:
    """Judges beside the reference, on the decisions that both gave a class, pooled over criteria.

    Attributes
    ----------
    tables : ndarray, shape (J, K, K)
        Decisions, the reference in rows.
    kappa : tuple of Estimate, length J
        Cohen's κ, of ordered labels with quadratic weights, with its interval by the rules of `metrics.agreement`.
    """

    tables: FloatArray
    kappa: tuple[Estimate, ...]

    @property
    def n(self) -> FloatArray:
        """Decisions of each judge, shape (J,)."""
        return np.asarray(self.tables.sum((1, 2)))

    def at(self, places: Sequence[int]) -> WithReference:
        """Return some of the judges, by their places."""
        chosen = np.asarray(places, np.int64)
        return WithReference(self.tables[chosen], tuple(self.kappa[place] for place in places))


def with_reference(verdict_matrix: VerdictMatrix, confidence: float = 0.95) -> WithReference:
    """Return κ of every judge of a bench with its reference."""
    tables, metric = verdict_matrix.judged().reference_tables(), verdict_matrix.kappa
    return WithReference(tables, _of_every_judge(verdict_matrix, tables, metric.key, metric.function, confidence))


def weighted_with_reference(verdict_matrix: VerdictMatrix, tables: FloatArray, cost: FloatArray) -> tuple[Estimate, ...]:
    """Return the weighted κ of every judge with the reference.

    Parameters
    ----------
    tables : ndarray, shape (J, K, K)
        Of the bench.
    cost : ndarray, shape (K, K)
        What each disagreement costs, the reference in rows.
    """
    return _of_every_judge(verdict_matrix, tables, WEIGHTED_KAPPA.key, partial(WEIGHTED_KAPPA.function, weights=cost), 0.95)


def _of_every_judge(
    verdict_matrix: VerdictMatrix, tables: FloatArray, key: str, function: Function, confidence: float
) -> tuple[Estimate, ...]:  # fmt: skip
    """Return a coefficient of every judge with its interval by the default rules; `key` is its name in the catalogue."""
    judged, values, estimates = verdict_matrix.judged(), function(tables), []
    _, criterion = np.unique(judged.criterion, return_inverse=True)
    many = int(criterion.max(initial=0)) + 1
    for place, value in enumerate(values.tolist()):
        if np.isnan(value):
            estimates.append(Estimate(value))
            continue
        unit = replace(_unit(judged, place, criterion.astype(np.int64), many, confidence), rules=rules_for(key))
        estimates.append(Estimate(value, micro_intervals(unit, {key: function}, {key: value}).get(key)))
    return tuple(estimates)


def _unit(
    judged: VerdictMatrix, judge: int, criterion: np.ndarray[tuple[int], np.dtype[np.int64]], many: int, confidence: float
) -> Unit:
    """Return the items of one judge, for the rules that leave out one at a time."""
    k = len(judged.classes)
    counted = np.flatnonzero(judged.labels[:, judge] >= 0)
    cell = judged.reference[counted].astype(np.int64) * k + judged.labels[counted, judge]
    times = judged.times[counted]
    counts = np.bincount(criterion[counted] * k * k + cell, weights=times, minlength=many * k * k)
    tables = counts.astype(np.float64).reshape(many, k, k)
    return Unit(Coded.merged(judged.item[counted], criterion[counted], cell, k, many, judged.of_each_item), tables, confidence)

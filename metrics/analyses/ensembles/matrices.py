"""The table of every judge beside the reference, worst first, and agreement of three answers under a stated cost matrix."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.analyses.ensembles.verdict_matrix import (
    VerdictMatrix,
    item_error,
    judged_matrix_of,
    kappa_slope,
    verdict_matrix_of,
    weighted_with_reference,
    with_reference,
    without_one,
)
from metrics.analyses.raters.pairwise import Pairs, pairs_of, through
from metrics.data.abstention import Mode
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import cohen_kappa, kappa_within
from metrics.measures.cost_matrices import Cost, as_cost, cost_of, slide_cost
from metrics.measures.exact_tests import sign_flip
from metrics.measures.transforms import Interval, interval_around, student
from metrics.results.estimate import NOT_HERE, Estimate

STEPS = 20
# κ apart by rounding alone are ties.
SAME = 1e-9
NO_PAIR, NO_COST = "no decision has two answers", "all answers are alike, or W puts no cost on those in use"
NO_KAPPA = "no pair of judges shares enough decisions"


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


@dataclass(frozen=True, eq=False)
class UnderCost:
    """A panel's agreement under one W.

    Attributes
    ----------
    cost : tuple, 3 x 3
        Positive, negative, no verdict; reference in rows, judge in columns.
    alpha : Estimate
        Among the judges; of the stated W with an interval, one item left out at a time, Fisher z.
    mean_kappa : Estimate
        Mean weighted κ of the pairs of judges that share ten decisions or more, where defined; of the stated W with an interval,
        by infinitesimal jackknife over items, Fisher z.
    n_pairs : int
        Pairs in that mean.
    with_reference : ndarray, shape (J,)
        Weighted κ of each judge with the reference; NaN where undefined.
    """

    cost: Cost
    alpha: Estimate
    mean_kappa: Estimate
    n_pairs: int
    with_reference: FloatArray

    @property
    def best(self) -> tuple[int, ...]:
        """Places of the judges that agree most with the reference; several where they tie, none where all are undefined."""
        if np.isnan(self.with_reference).all():
            return ()
        top = np.nanmax(self.with_reference)
        return tuple(int(place) for place in np.flatnonzero(self.with_reference >= top - SAME))


@dataclass(frozen=True, eq=False)
class Weighted:
    """Three answers of several judges.

    Attributes
    ----------
    judges, classes : tuple of str
    tables : ndarray, shape (J, 3, 3)
        Every judge beside the reference, from which a reader can find κ under any W.
    at_chosen_cost : UnderCost
        Under the W asked for.
    along : tuple of (float, UnderCost)
        From "no verdict is as good as negative" (0) to "as good as positive" (1).
    """

    judges: tuple[str, ...]
    classes: tuple[str, ...]
    tables: FloatArray
    at_chosen_cost: UnderCost
    along: tuple[tuple[float, UnderCost], ...]

    def leads(self) -> tuple[tuple[float, float, tuple[int, ...]], ...]:
        """Return stretches of the line with the same best judges: from, to, their places."""
        stretches: list[tuple[float, float, tuple[int, ...]]] = []
        for s, under in self.along:
            if stretches and stretches[-1][2] == under.best:
                stretches[-1] = (stretches[-1][0], s, under.best)
            else:
                stretches.append((s, s, under.best))
        return tuple(stretches)


def weighted_agreement(
    ratings: Ratings,
    cost: str | ArrayLike = "nominal",
    *,
    judges: Sequence[str] | None = None,
    reference: str = "auto",
    confidence: float = 0.95,
) -> Weighted:
    """Return agreement of several judges with "no verdict" as a third answer, under a stated cost matrix and along a line of
    them.

    Parameters
    ----------
    cost : {"nominal", "halfway", "as-negative", "as-positive"}, text or array_like, shape (3, 3)
        As in `metrics.agreement`.

    Raises
    ------
    InputError
        As `verdict_matrix_of`; for a nominal scale, and a cost matrix that cannot be used.
    """
    if ratings.scheme.scale != "binary":
        raise InputError("A cost matrix weighs positive, negative and no verdict. These labels are classes.")
    verdict_matrix = verdict_matrix_of(ratings, judges=judges, reference=reference, abstention="as_category")
    chosen = cost_of(cost)
    tables, pairs = verdict_matrix.judged().reference_tables(), pairs_of(verdict_matrix.labels, 3, verdict_matrix.times)
    votes = np.stack([(verdict_matrix.labels == place).sum(1) for place in range(3)], axis=1).astype(np.float64)
    parts, weight = _by_item(votes, verdict_matrix)
    whole = np.tensordot(weight, parts, 1)
    under = _under(chosen, whole, pairs, tables)
    line = [place / STEPS for place in range(STEPS + 1)]
    along = tuple((s, _under(as_cost(slide_cost(s)), whole, pairs, tables)) for s in line)
    alpha = replace(under.alpha, interval=_of_alpha(under, parts, weight, confidence))
    mean = replace(under.mean_kappa, interval=_of_kappa(under, verdict_matrix, pairs, confidence))
    return Weighted(verdict_matrix.judges, verdict_matrix.classes, tables, replace(under, alpha=alpha, mean_kappa=mean), along)


def _under(cost: Cost, whole: FloatArray, pairs: Pairs, tables: FloatArray) -> UnderCost:
    among = _evenly(cost)
    of_pairs = cohen_kappa(pairs.tables[pairs.counted], weights=among)
    defined = of_pairs[~np.isnan(of_pairs)]
    alpha = float(_alpha(whole, among))
    why = "" if not math.isnan(alpha) else NO_COST if whole.sum() else NO_PAIR
    mean = Estimate(float(defined.mean())) if len(defined) else Estimate(math.nan, why=why or NO_KAPPA)
    return UnderCost(cost, Estimate(alpha, why=why), mean, len(defined), cohen_kappa(tables, weights=np.asarray(cost)))


def _evenly(cost: Cost) -> FloatArray:
    matrix = np.asarray(cost, np.float64)
    return np.asarray((matrix + matrix.T) / 2)


def _by_item(votes: FloatArray, verdict_matrix: VerdictMatrix) -> tuple[FloatArray, FloatArray]:
    """Return coincidences of every kind of item with a pair of answers, shape (G, 3, 3), and its items, shape (G,)."""
    m = votes.sum(1)
    pairable = m > 1
    pairable_votes, m = votes[pairable], m[pairable]
    each = (pairable_votes[:, :, None] * pairable_votes[:, None, :] - pairable_votes[:, :, None] * np.eye(3)) / (m - 1)[
        :, None, None
    ]
    _, first, item = np.unique(verdict_matrix.item[pairable], return_index=True, return_inverse=True)
    summed: FloatArray = np.zeros((int(item.max(initial=-1)) + 1, 3, 3))
    np.add.at(summed, item, each)
    return summed, verdict_matrix.times[pairable][first].astype(np.float64)


def _alpha(pairs: FloatArray, apart: FloatArray) -> FloatArray:
    """Return alpha from coincidences, shape (..., 3, 3), and a symmetric cost."""
    margin = pairs.sum(-1)
    by_chance = ((margin @ apart) * margin).sum(-1)
    return 1 - safe_ratio((pairs * apart).sum((-2, -1)) * (margin.sum(-1) - 1), by_chance)


def _of_alpha(under: UnderCost, parts: FloatArray, weight: FloatArray, confidence: float) -> Interval | None:
    if not under.alpha.defined:
        return None
    left = _alpha(np.maximum(np.tensordot(weight, parts, 1) - parts, 0.0), _evenly(under.cost))
    return without_one(under.alpha.value, left, weight, "fisher", confidence).interval


def _of_kappa(under: UnderCost, verdict_matrix: VerdictMatrix, pairs: Pairs, confidence: float) -> Interval | None:
    """Return interval of the mean over pairs, from what one more decision adds to the κ of each."""
    n = verdict_matrix.n_items()
    if not under.mean_kappa.defined or n < 2:
        return None
    slopes = np.zeros((len(pairs), 9))
    slopes[pairs.counted] = np.nan_to_num(kappa_slope(pairs.tables[pairs.counted], _evenly(under.cost))).reshape(-1, 9)
    influence = through(verdict_matrix.labels, pairs, slopes[None])[:, 0] / under.n_pairs
    error = item_error(influence, verdict_matrix.item, verdict_matrix.times)
    return interval_around(under.mean_kappa.value, error, "fisher", student(n - 1, confidence), "jackknife")

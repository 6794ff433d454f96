r"""Several judges and three answers: agreement under a stated cost W of each confusion, and how much hangs on W.

With "no verdict" as a third answer no single number is canonical (Rao & Callison-Burch, section 7.2): each rests on what it costs
to confuse it with the other two. So a number comes with its W, with every judge's 3 x 3 table, and with its value under other W.

.. math:: \alpha_W = 1 - (n - 1) \frac{\sum_{ck} o_{ck} W_{ck}}{\sum_{ck} n_c n_k W_{ck}}

is Krippendorff's alpha with W as the distance: nominal W gives the nominal alpha, W = (x − y)² of numbers the interval alpha.
Judges among themselves have no order, so only :math:`(W + W^T)/2` counts for them; beside the reference W counts as it stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.ensembles.verdict_matrix import VerdictMatrix, item_error, kappa_slope, verdict_matrix_of, without_one
from metrics.analyses.raters.pairwise import Pairs, pairs_of, through
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.cost_matrices import Cost, as_cost, cost_of, slide_cost
from metrics.measures.transforms import Interval, interval_around, student
from metrics.results.estimate import Estimate

STEPS = 20
# κ apart by rounding alone are ties.
SAME = 1e-9
NO_PAIR, NO_COST = "no decision has two answers", "all answers are alike, or W puts no cost on those in use"
NO_KAPPA = "no pair of judges shares enough decisions"


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

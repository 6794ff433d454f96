"""Judges that think alike, side by side: average linkage on the distance 1 − κ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.ensembles.verdict_matrix import WithReference, verdict_matrix_of, with_reference, without_one
from metrics.analyses.raters.pairwise import means_over_pairs, pairs_of, weighted_kappa_of_sums
from metrics.data.abstention import Mode
from metrics.data.checks import takes_ratings
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA
from metrics.results.estimate import NOT_HERE, Estimate
from metrics.results.report import Short

ALIKE = 0.65
"""Least mean κ between two parts of a group."""
LEAST = 3
"""Judges that make a group worth a frame."""
CONFIDENCE = 0.95
_Items = tuple[NDArray[np.int32], NDArray[np.int64]]
"""Item of each row, and how often the row counts."""
_PARTS = re.compile(r"(?:(?<!\s)\s+)?[/|:·]\s*|(?<!\s)\s+[-–—]\s+")


@dataclass(frozen=True)
class Group:
    """Judges side by side in the order that agree with each other.

    Attributes
    ----------
    start, stop : int
        Places in the order, from `start` to before `stop`.
    judges : tuple of str
    mean_kappa : Estimate
        Mean κ of their pairs that share ten decisions or more, where defined, with its interval, one item left out at a time,
        Fisher z; none where the mean is ±1.
    shared : tuple of (str, int)
        What their names begin with, and how many begin so, the most frequent first; empty where names have no parts.
    """

    start: int
    stop: int
    judges: tuple[str, ...]
    mean_kappa: Estimate
    shared: tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class JudgeClusters(Short):
    """Judges in an order in which similar ones are neighbours.

    Attributes
    ----------
    judges : tuple of str, length J
        In that order, as everything else here.
    kappa : ndarray, shape (J, J)
        κ of every pair, NaN where undefined, and on the diagonal.
    n : ndarray of int64, shape (J, J)
        Decisions both gave a class.
    with_reference : tuple of Estimate, length J
        κ with the reference.
    groups : tuple of Group
    least : float
        Mean κ above which parts were joined into groups.
    undefined : int
        Pairs without a κ; for the order they count as κ 0.
    few : int
        Pairs with a κ that rests on fewer than ten decisions; they count as κ 0 too, and in no mean.
    mean_kappa : float
        Over all pairs that share ten decisions or more, where it is defined.
    metric : str
        Key of the κ that every number is: of ordered labels the one with quadratic weights.
    """

    judges: tuple[str, ...]
    kappa: FloatArray
    n: NDArray[np.int64]
    with_reference: tuple[Estimate, ...]
    groups: tuple[Group, ...]
    least: float
    undefined: int
    few: int
    mean_kappa: float
    metric: str = "kappa"

    @property
    def symbol(self) -> str:
        """κ in a word."""
        return BY_KEY[self.metric].symbol


@takes_ratings
def think_alike(
    ratings: Ratings,
    *,
    judges: Sequence[str] | None = None,
    reference: str = "auto",
    abstention: Mode = "exclude",
    least: float = ALIKE,
    smallest: int = LEAST,
) -> JudgeClusters:
    """Return judges ordered by how much they agree with each other, and groups of them.

    Average linkage joins parts by the mean of 1 − κ over the pairs between them; leaves are ordered so that neighbours are as
    alike as the tree allows. A group is a part joined at a mean κ of `least` or more, of `smallest` judges or more. A pair that
    shares fewer than ten decisions joins nobody. Of ordered labels every κ has quadratic weights.

    Parameters
    ----------
    ratings, judges, reference, abstention
        As in `metrics.analyses.ensembles.verdict_matrix.verdict_matrix_of`.
    least : float
        Mean κ in [-1, 1].
    smallest : int
        Judges; 2 where it is less.

    Raises
    ------
    InputError
        As `verdict_matrix_of`.
    """
    verdict_matrix = verdict_matrix_of(ratings, judges=judges, reference=reference, abstention=abstention)
    beside = with_reference(verdict_matrix) if (verdict_matrix.reference >= 0).any() else None
    return alike_of(
        verdict_matrix.judges, verdict_matrix.labels, len(verdict_matrix.classes), verdict_matrix.item,
        beside, times=verdict_matrix.times, penalty=verdict_matrix.penalty,
        least=least, smallest=smallest,
    )  # fmt: skip


def alike_of(
    names: Sequence[str],
    labels: NDArray[np.int16],
    k: int,
    item: NDArray[np.int32],
    beside: WithReference | None = None,
    *,
    times: NDArray[np.int64] | None = None,
    penalty: FloatArray | None = None,
    least: float = ALIKE,
    smallest: int = LEAST,
) -> JudgeClusters:
    """Return the same for raters of any role.

    Parameters
    ----------
    names : sequence of str, length J
    labels : ndarray of int16, shape (n, J)
        Class of each rating, -1 where there is none.
    k : int
        Number of classes.
    item : ndarray of int32, shape (n,)
        Item of each row.
    beside : WithReference, optional
        Each of them beside a reference.
    times : ndarray of int64, shape (n,), optional
        How often each row counts, the same for all rows of an item.
    penalty : ndarray, shape (K, K), optional
        How far two labels are apart where they have an order; see `metrics.analyses.raters.pairwise.quadratic`.
    least, smallest
        As in `think_alike`.
    """
    often = np.ones(len(labels), np.int64) if times is None else times
    pairs = pairs_of(labels, k, often, penalty)
    kappa = pairs.square(pairs.weighted_kappa)
    counted = pairs.square(pairs.counted.astype(np.float64)) == 1
    shared = np.nan_to_num(pairs.square(pairs.n.astype(np.float64)))
    np.fill_diagonal(shared, often @ (labels >= 0))
    order, part = order_by_kappa(np.where(counted, kappa, np.nan), least)
    places = np.ix_(order, order)
    estimates = (NOT_HERE,) * len(order) if beside is None else beside.at(order.tolist()).kappa
    above = np.triu_indices(len(kappa), 1)
    enough = kappa[above][counted[above]]
    groups = tuple(_groups([names[place] for place in order], labels[:, order], k, (item, often), part[order], smallest, penalty))
    undefined = int(np.isnan(kappa[above]).sum())
    few = len(above[0]) - undefined - int((~np.isnan(enough)).sum())
    return JudgeClusters(
        tuple(names[place] for place in order), kappa[places],
        shared[places].astype(np.int64), estimates, groups, least, undefined,
        few, _mean(enough), "kappa" if penalty is None else QUADRATIC_KAPPA.key,
    )  # fmt: skip


def order_by_kappa(kappa: FloatArray, least: float = ALIKE) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return an order with similar judges side by side, and the part each judge is in when joined down to a mean κ of `least`.

    Parameters
    ----------
    kappa : ndarray, shape (J, J)
        Symmetric; the diagonal is not read. NaN counts as 0.
    least : float
        Mean κ in [-1, 1].

    Returns
    -------
    order, part : ndarray of int64, shape (J,)
        `part` by judge, not by place in the order.
    """
    j = len(kappa)
    if j < 2:
        return np.arange(j), np.zeros(j, np.int64)
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
    from scipy.spatial.distance import squareform

    distance = 1 - np.nan_to_num(kappa)
    np.fill_diagonal(distance, 0)
    tree = linkage(squareform(distance, checks=False), "average", optimal_ordering=True)
    return leaves_list(tree).astype(np.int64), fcluster(tree, 1 - least, "distance").astype(np.int64)


def shared_names(names: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Return first parts of names such as `GPT-4/CoT` or `GPT-4 · CoT`, with counts; empty where no name has parts."""
    parts = [_PARTS.split(name.strip(), maxsplit=1) for name in names]
    if all(len(part) == 1 for part in parts):
        return ()
    return tuple(Counter(part[0] for part in parts).most_common())


def _groups(
    names: Sequence[str],
    labels: NDArray[np.int16],
    k: int,
    item: _Items,
    part: NDArray[np.int64],
    smallest: int,
    penalty: FloatArray | None,
) -> list[Group]:
    starts = np.flatnonzero(np.diff(part, prepend=part[:1] - 1))
    groups = []
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(part)], strict=True):
        if stop - start >= max(2, smallest):
            inside = tuple(names[start:stop])
            mean = _mean_kappa(labels[:, start:stop], k, item, penalty)
            groups.append(Group(start, stop, inside, mean, shared_names(inside)))
    return groups


def _mean_kappa(labels: NDArray[np.int16], k: int, item: _Items, penalty: FloatArray | None) -> Estimate:
    """Return mean κ of the pairs that share enough, and its interval."""
    of, times = item
    _, first, group = np.unique(of, return_index=True, return_inverse=True)
    pairs = pairs_of(labels, k, times, penalty)
    (mean,) = means_over_pairs(labels, pairs, [weighted_kappa_of_sums], group, times[first])
    return without_one(mean.value, mean.left_out, mean.weight, "fisher", CONFIDENCE)


def _mean(values: FloatArray) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")

"""Every pair of raters at once: their tables by one product of labels, and the means over pairs without one item at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from metrics.analyses.raters.tally import summed
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.coefficients import accuracy, cohen_kappa, mcc_multiclass

Codes = NDArray[np.int64]
MIN_SHARED = 10
"""Units two raters must share for their pair to count in a mean."""
SPARSE = 0.2
"""Share of the cells that are rated below which the products are sparse."""
# Dense, the products have its square in cells.
WIDEST = 4096
"""Raters times classes above which the products are sparse whatever is rated."""
STEP = 2**19
"""Cells of one-hot labels held at once."""


@dataclass(frozen=True, eq=False)
class Sums:
    r"""What κ and :math:`R_K` need of a table with margins r and c: each is a whole number, so nothing is rounded.

    Attributes
    ----------
    n, agreed : ndarray, shape (...)
        Units, and those with equal labels.
    rc, rr, cc : ndarray, shape (...)
        :math:`\sum_k r_k c_k`, :math:`\sum_k r_k^2` and :math:`\sum_k c_k^2`.
    lost, by_chance : ndarray, shape (...)
        :math:`\sum_{ij} w_{ij} t_{ij}` and :math:`\sum_{ij} r_i w_{ij} c_j` of the penalty w of two labels.
    """

    n: FloatArray
    agreed: FloatArray
    rc: FloatArray
    rr: FloatArray
    cc: FloatArray
    lost: FloatArray
    by_chance: FloatArray


Function = Callable[[Sums], FloatArray]


def places_of(values: FloatArray) -> Codes:
    """Return place of each class in the order of their values, 0 the lowest.

    Parameters
    ----------
    values : ndarray, shape (K,)
        Number each class stands for.

    Returns
    -------
    ndarray of int64, shape (K,)
    """
    return np.argsort(np.argsort(values, kind="stable"), kind="stable").astype(np.int64)


def quadratic(places: Codes) -> FloatArray:
    """Return square of the places between two classes, shape (K, K).

    The penalty of κ with quadratic weights, in whole numbers.

    Parameters
    ----------
    places : ndarray of int64, shape (K,)
        As `places_of` gives them.
    """
    return np.subtract.outer(places, places).astype(np.float64) ** 2


def sums_of(tables: FloatArray, penalty: FloatArray | None = None) -> Sums:
    """Return what κ and R_K need of each table.

    Parameters
    ----------
    tables : ndarray, shape (..., K, K)
        Units by the labels of two raters.
    penalty : ndarray, shape (K, K), optional
        How far two labels are apart. Default: all equally.

    Returns
    -------
    Sums
        Of shape (...).
    """
    r, c = tables.sum(-1), tables.sum(-2)
    n, agreed, rc = r.sum(-1), np.trace(tables, axis1=-2, axis2=-1), (r * c).sum(-1)
    lost, by_chance = n - agreed, n * n - rc
    if penalty is not None:
        lost, by_chance = (tables * penalty).sum((-2, -1)), ((r @ penalty) * c).sum(-1)
    return Sums(n, agreed, rc, (r * r).sum(-1), (c * c).sum(-1), lost, by_chance)


def sums_left_out(tables: FloatArray, penalty: FloatArray | None = None) -> Sums:
    """Return sums of each table without one unit of each of its cells.

    Parameters
    ----------
    tables : ndarray, shape (P, K, K)
        Units by the labels of two raters.
    penalty : ndarray, shape (K, K), optional
        How far two labels are apart. Default: all equally.

    Returns
    -------
    Sums
        Of shapes that broadcast to (P, K, K); of an empty cell they mean nothing.
    """
    whole, same = sums_of(tables, penalty), np.eye(tables.shape[-1])
    r, c = tables.sum(-1)[:, :, None], tables.sum(-2)[:, None, :]
    n, agreed, rc, rr, cc, lost, by_chance = (sums[:, None, None] for sums in vars(whole).values())
    # Row i is r_i, column j is c_j: in the product the unit is part of c_i and of r_j.
    shared = rc - c.swapaxes(1, 2) - r.swapaxes(1, 2) + same
    disagreement = 1 - same if penalty is None else penalty
    less = by_chance - disagreement @ c.swapaxes(1, 2) - r.swapaxes(1, 2) @ disagreement + disagreement
    return Sums(n - 1, agreed - same, shared, rr - 2 * r + 1, cc - 2 * c + 1, lost - disagreement, less)


def kappa_of_sums(sums: Sums) -> FloatArray:
    """Return Cohen's kappa of each table; as `metrics.measures.coefficients.cohen_kappa`, also where it is undefined."""
    return 1 - safe_ratio(sums.n * (sums.n - sums.agreed), sums.n**2 - sums.rc)


def weighted_kappa_of_sums(sums: Sums) -> FloatArray:
    """Return kappa under the penalty of the sums.

    As `metrics.measures.coefficients.cohen_kappa` with it as weights, also where undefined.
    """
    return 1 - safe_ratio(sums.n * sums.lost, sums.by_chance)


def phi_of_sums(sums: Sums) -> FloatArray:
    """Return R_K of each table; as `metrics.measures.coefficients.mcc_multiclass`, also where it is undefined."""
    spread = np.sqrt((sums.n**2 - sums.rr) * (sums.n**2 - sums.cc))
    return np.clip(safe_ratio(sums.n * sums.agreed - sums.rc, spread), -1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of raters that share a unit.

    Attributes
    ----------
    a, b : ndarray of int64, shape (P,)
        Codes of the raters, a < b.
    tables : ndarray of float64, shape (P, K, K)
        Units by the labels of a (rows) and b (columns).
    n_raters : int
    penalty : ndarray, shape (K, K), optional
        How far two labels are apart where they have an order, see `quadratic`.
    """

    a: Codes
    b: Codes
    tables: FloatArray
    n_raters: int
    penalty: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def n(self) -> NDArray[np.int64]:
        """Units shared, shape (P,)."""
        return np.asarray(self.tables.sum((1, 2)), np.int64)

    @cached_property
    def kappa(self) -> FloatArray:
        """Cohen's kappa, shape (P,); NaN where both give one and the same label only."""
        return cohen_kappa(self.tables)

    @cached_property
    def weighted_kappa(self) -> FloatArray:
        """Kappa with the penalty as weights, shape (P,); the plain one without a penalty."""
        return cohen_kappa(self.tables, weights=self.penalty)

    @cached_property
    def phi(self) -> FloatArray:
        """Phi, with more than two classes the correlation R_K, shape (P,); NaN where either gives one label only."""
        return mcc_multiclass(self.tables)

    @cached_property
    def agreement(self) -> FloatArray:
        """Share of the shared units with equal labels, shape (P,)."""
        return accuracy(self.tables)

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """Pairs that share enough units to count in a mean, shape (P,)."""
        return np.asarray(self.n >= MIN_SHARED)

    def square(self, values: FloatArray, diagonal: float = np.nan) -> FloatArray:
        """Return values of pairs as a symmetric matrix.

        Parameters
        ----------
        values : ndarray, shape (P,)
        diagonal : float
            Value of a rater with itself.

        Returns
        -------
        ndarray, shape (n_raters, n_raters)
            NaN where two raters share nothing.
        """
        full = np.full((self.n_raters, self.n_raters), np.nan)
        full[self.a, self.b] = full[self.b, self.a] = values
        np.fill_diagonal(full, diagonal)
        return full


@dataclass(frozen=True, eq=False)
class Mean:
    """Unweighted mean of a coefficient over pairs.

    Attributes
    ----------
    value : float
        NaN where no counted pair has one.
    n_pairs : int
        Pairs it is the mean of.
    left_out : ndarray, shape (G,)
        Value without one item of each kind. Of an item with several units the changes that each alone makes are added up.
    weight : ndarray, shape (G,)
        Items of each kind.
    """

    value: float
    n_pairs: int
    left_out: FloatArray
    weight: FloatArray


def pairs_of(labels: NDArray[np.int16], k: int, times: Codes | None = None, penalty: FloatArray | None = None) -> Pairs:
    """Return tables of all pairs of raters that share a unit.

    Parameters
    ----------
    labels : ndarray of int16, shape (U, R)
        Class of each rating, -1 where there is none.
    k : int
        Number of classes.
    times : ndarray of int64, shape (U,), optional
        How often each unit counts.
    penalty : ndarray, shape (K, K), optional
        Kept with the pairs, see `Pairs`.
    """
    n_raters = labels.shape[1]
    a, b = np.triu_indices(n_raters, 1)
    if _is_sparse(labels, k):
        indicators = _sparse(labels, k)
        product = (indicators.T @ (indicators if times is None else indicators.multiply(times[:, None]).tocsr())).tocoo()
        keep = product.coords[0] % n_raters < product.coords[1] % n_raters
        row, column = (side[keep] for side in product.coords)
        place, which = np.unique((row % n_raters) * n_raters + column % n_raters, return_inverse=True)
        tables = np.zeros((len(place), k, k))
        tables[which, row // n_raters, column // n_raters] = product.data[keep]
        return Pairs(*np.divmod(place, n_raters), tables, n_raters, penalty)
    blocks = _counted(labels, k, times).reshape(k, n_raters, k, n_raters)
    tables = blocks.transpose(1, 3, 0, 2)[a, b]
    shared = tables.any((1, 2))
    return Pairs(a[shared], b[shared], tables[shared], n_raters, penalty)


def means_over_pairs(
    labels: NDArray[np.int16],
    pairs: Pairs,
    functions: Sequence[Function],
    group: Codes | None = None,
    weight: Codes | None = None,
) -> tuple[Mean, ...]:
    """Return mean of each coefficient over the counted pairs where it is defined, and its values without one item.

    Parameters
    ----------
    labels : ndarray of int16, shape (U, R)
    pairs : Pairs
        Of these labels.
    functions : sequence of callables
        From the sums of tables to values: `kappa_of_sums`, `phi_of_sums`, and under the penalty of the pairs
        `weighted_kappa_of_sums`.
    group : ndarray of int64, shape (U,), optional
        Item of each unit, from 0, where items have several units.
    weight : ndarray of int64, shape (G,), optional
        How often each item, or unit where no items are given, counts.
    """
    k = pairs.tables.shape[-1]
    changes = [_changes(pairs, function) for function in functions]
    weights = [*(matrix for _, *both in changes for matrix in both), np.repeat(pairs.counted[:, None], k * k, 1).astype(float)]
    moved = through(labels, pairs, np.stack(weights))
    if group is not None:
        moved = summed(moved, group)
    there = moved[:, -1] > 0
    times = np.ones(int(there.sum())) if weight is None else weight[there].astype(np.float64)
    out = []
    for place, (values, _, _) in enumerate(changes):
        defined = values[~np.isnan(values)]
        total, count = defined.sum() + moved[there, 2 * place], len(defined) + np.round(moved[there, 2 * place + 1])
        left = np.where(count > 0, total / np.maximum(count, 1), np.nan)
        value = float(defined.mean()) if len(defined) else float("nan")
        out.append(Mean(value, len(defined), left, times))
    return tuple(out)


def _changes(pairs: Pairs, function: Function) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return values of the counted pairs, and what leaving out one unit adds to their sum and to their number.

    The values are of shape (counted pairs,), the changes of shape (P, K²) each, 0 for a pair that is not counted.
    """
    size = pairs.tables.shape[-1] ** 2
    tables = pairs.tables[pairs.counted]
    values = function(sums_of(tables, pairs.penalty))
    present = tables.reshape(-1, size) > 0
    with np.errstate(invalid="ignore"):
        left = function(sums_left_out(tables, pairs.penalty)).reshape(-1, size)
    change, fewer = np.zeros((2, len(pairs), size))
    change[pairs.counted] = np.where(present, np.nan_to_num(left) - np.nan_to_num(values)[:, None], 0.0)
    fewer[pairs.counted] = np.where(present, ~np.isnan(left) * 1.0 - ~np.isnan(values)[:, None] * 1.0, 0.0)
    return values, change, fewer


def through(labels: NDArray[np.int16], pairs: Pairs, weights: FloatArray) -> FloatArray:
    """Return the sum over the pairs of a unit of the weight of its cell.

    Parameters
    ----------
    labels : ndarray of int16, shape (U, R)
        Class of each rating, -1 where there is none.
    pairs : Pairs
        Of these raters.
    weights : ndarray, shape (W, P, K²)
        Of each cell, label of a · K + label of b.

    Returns
    -------
    ndarray, shape (U, W)
    """
    k, size = pairs.tables.shape[-1], pairs.n_raters * pairs.tables.shape[-1]
    row, column = np.divmod(np.arange(k * k), k)
    places = (row * pairs.n_raters + pairs.a[:, None]).ravel(), (column * pairs.n_raters + pairs.b[:, None]).ravel()
    used = [np.flatnonzero(weight.ravel()) for weight in weights]
    matrices = [
        coo_array((weight.ravel()[at], (places[0][at], places[1][at])), (size, size)).tocsr()
        for weight, at in zip(weights, used, strict=True)
    ]
    out = np.zeros((len(labels), len(weights)))
    if _is_sparse(labels, k):
        indicators = _sparse(labels, k)
        for place, matrix in enumerate(matrices):
            out[:, place] = np.asarray((indicators @ matrix).multiply(indicators).sum(1)).ravel() if matrix.nnz else 0.0
        return out
    dense = {place: matrix.toarray() for place, matrix in enumerate(matrices) if matrix.nnz}
    for rows, hot in _one_hot(labels, k):
        for place, full in dense.items():
            out[rows, place] = np.einsum("ui,ui->u", hot @ full, hot)
    return out


def _is_sparse(labels: NDArray[np.int16], k: int) -> bool:
    return labels.shape[1] * k > WIDEST or (labels.size > 0 and bool((labels >= 0).mean() < SPARSE))


def _sparse(labels: NDArray[np.int16], k: int) -> csr_array:
    units, raters = np.nonzero(labels >= 0)
    columns = labels[units, raters].astype(np.int64) * labels.shape[1] + raters
    return coo_array((np.ones(len(units)), (units, columns)), (len(labels), labels.shape[1] * k)).tocsr()


def _counted(labels: NDArray[np.int16], k: int, times: Codes | None) -> FloatArray:
    """Return units with each two labels, shape (K R, K R), each as often as it counts.

    Bit by bit of these numbers, so that every bit is a plain count.
    """
    if times is None:
        return _shared(labels, k)
    size = k * labels.shape[1]
    total = np.zeros((size, size))
    for bit in range(int(times.max(initial=0)).bit_length()):
        mask = (times >> bit) & 1 == 1
        total += float(2**bit) * _shared(labels if mask.all() else labels[mask], k)
    return total


def _shared(labels: NDArray[np.int16], k: int) -> FloatArray:
    """Return units with each two labels, shape (K R, K R), class by class.

    It is the product of the labels as 0 and 1 with themselves. Each 0 or 1 is a bit: unlike a product of floats it needs one
    core, and does not wait for others where these are busy.
    """
    rater_labels = np.ascontiguousarray(labels.T)
    bits = np.concatenate([np.packbits(rater_labels == place, axis=1) for place in range(k)])
    words = np.zeros((len(bits), -(-bits.shape[1] // 8) * 8), np.uint8)
    words[:, : bits.shape[1]] = bits
    rows = words.view(np.uint64)
    total = np.zeros((len(rows), len(rows)))
    for place, row in enumerate(rows):
        total[place, place:] = total[place:, place] = np.bitwise_count(row & rows[place:]).sum(1, dtype=np.int64)
    return total


def _one_hot(labels: NDArray[np.int16], k: int) -> Iterator[tuple[slice, FloatArray]]:
    """Yield labels as 0 and 1, class by class, shape (units, K R), some units at a time."""
    n_raters = labels.shape[1]
    step = max(1, STEP // max(n_raters * k, 1))
    hot = np.empty((min(step, len(labels)), k * n_raters))
    for first in range(0, len(labels), step):
        rows = slice(first, min(first + step, len(labels)))
        block = hot[: rows.stop - first]
        for place in range(k):
            block[:, place * n_raters : (place + 1) * n_raters] = labels[rows] == place
        yield rows, block

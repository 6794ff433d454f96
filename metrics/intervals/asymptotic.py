"""Large-sample variances of kappa and phi under multinomial sampling of independent decisions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metrics.measures.arrays import FloatArray, as_confusion, cells, safe_ratio
from metrics.measures.coefficients import cohen_kappa, expected_agreement, phi


def kappa_variance(counts: ArrayLike) -> FloatArray:
    r"""Return variance of Cohen's kappa in closed form.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        Of the estimate, that is already divided by N; NaN where kappa is undefined.

    References: Fleiss, Cohen & Everitt (1969), doi:10.1037/h0028106.
    """
    counts = as_confusion(counts)
    n = counts.sum((-2, -1))
    p = safe_ratio(counts, n[..., None, None])
    rows, columns, diagonal = p.sum(-1), p.sum(-2), np.diagonal(p, axis1=-2, axis2=-1)
    kappa, chance = cohen_kappa(counts), expected_agreement(counts)
    less = (1 - kappa)[..., None]
    agreed = (diagonal * (1 - (rows + columns) * less) ** 2).sum(-1)
    crossed = p * (columns[..., :, None] + rows[..., None, :]) ** 2
    differ = (1 - kappa) ** 2 * (crossed.sum((-2, -1)) - np.diagonal(crossed, axis1=-2, axis2=-1).sum(-1))
    return safe_ratio(agreed + differ - (kappa - chance * (1 - kappa)) ** 2, n * (1 - chance) ** 2)


def phi_variance(counts: ArrayLike) -> FloatArray:
    r"""Return variance of phi by the delta method, :math:`(\sum p g^2 - (\sum p g)^2)/N` with g the gradient in the cells.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)

    Returns
    -------
    ndarray, shape (...)
        Of the estimate, that is already divided by N; NaN where phi is undefined. Equal to that of kappa to leading order
        when the label rates agree; the gap grows with the square of the drift.
    """
    tp, fn, fp, tn = cells(counts)
    n = tp + fn + fp + tn
    a, b, c, d = (safe_ratio(cell, n) for cell in (tp, fn, fp, tn))
    r1, r0, c1, c0 = a + b, c + d, a + c, b + d
    scale, value = np.sqrt(r1 * r0 * c1 * c0), phi(counts)

    def slope(opposite: FloatArray, row: FloatArray, column: FloatArray) -> FloatArray:
        return safe_ratio(opposite, scale) - value / 2 * (safe_ratio(1, row) + safe_ratio(1, column))

    p = np.stack([a, b, c, d])
    g = np.stack([slope(d, r1, c1), slope(-c, r1, c0), slope(-b, r0, c1), slope(a, r0, c0)])
    return safe_ratio((p * g * g).sum(0) - (p * g).sum(0) ** 2, n)

"""Large-sample standard errors of κ and φ beside the intervals shown elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from metrics.analyses.kappa_phi.rows import GapRow, declaration_columns
from metrics.analyses.records import Declaration
from metrics.measures.arrays import FloatArray, as_confusion, cells, safe_ratio
from metrics.measures.coefficients import cohen_kappa, expected_agreement, phi
from metrics.measures.transforms import interval_around
from metrics.results.estimate import Estimate

ALIKE = 0.05
"""How far from 1 the ratio of two widths still reads as equally wide."""
DRIFTS = (0.0, 0.02, 0.05, 0.1, 0.2)


@dataclass(frozen=True)
class Error:
    """One coefficient on one table: its asymptotic standard error, and two intervals.

    Attributes
    ----------
    times_n : float
        N times the asymptotic variance.
    flat : Estimate
        Value ± z standard errors, for independent decisions; without an interval where the standard error is undefined or 0.
    shown : Estimate
        With the interval of the default rules, as elsewhere.
    """

    error: float
    times_n: float
    flat: Estimate
    shown: Estimate

    @property
    def times(self) -> float:
        """Width of `shown` over width of `flat`; NaN without either."""
        return self.shown.width / self.flat.width


@dataclass(frozen=True)
class Variances:
    """Both coefficients of one row."""

    name: str
    n: int
    drift: float
    kappa: Error
    phi: Error
    reason: str

    @property
    def gap(self) -> float:
        """N (Var φ − Var κ)."""
        return self.phi.times_n - self.kappa.times_n


@dataclass(frozen=True)
class Check:
    """A table of the source paper's Appendix C: what it states and what is computed here."""

    shares: tuple[float, ...]
    published: tuple[Fraction, Fraction]
    computed: tuple[float, float]


STATED = (
    ((0.4, 0.1, 0.1, 0.4), (Fraction(16, 25), Fraction(16, 25))),
    ((0.4, 0.1, 0.2, 0.3), (Fraction(504, 625), Fraction(13, 16))),
)


def variances_of(row: GapRow, confidence: float) -> Variances:
    """Return the standard errors of a row with a table; NaN where the coefficient is undefined."""
    counts = np.asarray(row.block.confusion, np.float64)
    variance_by_key = {"kappa": kappa_variance(counts), "phi": phi_variance(counts)}
    kappa, phi = (_error(row, key, float(variance), confidence) for key, variance in variance_by_key.items())
    return Variances(row.name, row.n, row.drift, kappa, phi, row.reason)


def of_rows(rows: Sequence[GapRow], confidence: float) -> tuple[Variances, ...]:
    """Return the standard errors of every row that has a table."""
    return tuple(variances_of(row, confidence) for row in rows if row.has_table)


def _error(row: GapRow, key: str, variance: float, confidence: float) -> Error:
    shown, error = row.block[key], float(np.sqrt(np.maximum(variance, 0.0)))
    interval = interval_around(shown.value, error, None, float(ndtri((1 + confidence) / 2)), "delta")
    return Error(error, variance * row.n, replace(shown, interval=interval), shown)


def frame(decompositions: Sequence[Variances], declaration: Declaration, what: str) -> dict[str, list[object]]:
    """Return columns of a table of the rows with what gives them their meaning; undefined numbers are NaN.

    Parameters
    ----------
    decompositions : sequence of Variances
    declaration : Declaration
    what : str
        Head of the column of names.
    """
    columns: dict[str, list[object]] = {
        what: [variances.name for variances in decompositions],
        "n": [variances.n for variances in decompositions],
    }
    for key in ("kappa", "phi"):
        errors: list[Error] = [getattr(variances, key) for variances in decompositions]
        columns |= {key: [error.shown.value for error in errors], f"{key}_se": [error.error for error in errors]}
        columns[f"{key}_n_var"] = [error.times_n for error in errors]
        for name in ("flat", "shown"):
            for end, word in enumerate(("low", "high")):
                columns[f"{key}_{name}_{word}"] = [(getattr(error, name).ends or (np.nan, np.nan))[end] for error in errors]
    columns |= {
        "n_var_gap": [variances.gap for variances in decompositions],
        "drift": [variances.drift for variances in decompositions],
    }
    return columns | declaration_columns(declaration, len(decompositions))


def checks() -> tuple[Check, ...]:
    """Return the variances of Appendix C beside those computed here."""
    return tuple(Check(shares, stated, _times_n(np.reshape(shares, (2, 2)))) for shares, stated in STATED)


def _times_n(shares: ArrayLike) -> tuple[float, float]:
    counts = as_confusion(shares, classes=2)
    n = counts.sum()
    return float(kappa_variance(counts) * n), float(phi_variance(counts) * n)


def variance_gap(counts: ArrayLike, drifts: ArrayLike) -> FloatArray:
    """Return N (Var φ − Var κ) with the same agreed decisions and as many errors, split so that the drift is as given.

    Parameters
    ----------
    counts : array_like, shape (2, 2)
        At least one decision.
    drifts : array_like
        False alarms less misses, as a share of all decisions.

    Returns
    -------
    ndarray, shape of `drifts`
        NaN where there are too few errors for so much drift, or a coefficient is undefined.
    """
    (tp, fn), (fp, tn) = as_confusion(counts, classes=2) / np.sum(counts)
    wanted = np.asarray(drifts, np.float64)
    errors = fn + fp
    possible = np.abs(wanted) <= errors * (1 + 1e-9)
    half = np.where(possible, wanted, 0.0) / 2
    tables = np.empty((*wanted.shape, 2, 2))
    tables[..., 0, 0], tables[..., 1, 1] = tp, tn
    tables[..., 0, 1], tables[..., 1, 0] = np.maximum(errors / 2 - half, 0), np.maximum(errors / 2 + half, 0)
    gap: FloatArray = np.where(possible, phi_variance(tables) - kappa_variance(tables), np.nan)
    return gap


def second_order(drifts: Sequence[float] = DRIFTS) -> dict[str, list[float]]:
    """Return the gap of the variances around the off-matched table of Appendix C, alone and over the squared drift.

    The quotient settles at a constant as the drift goes to 0: the gap is of second order.
    """
    (tp, fn, fp, tn), _ = STATED[1]
    gaps = variance_gap([[tp, fn], [fp, tn]], drifts)
    over = [gap / drift**2 if drift else float("nan") for gap, drift in zip(gaps.tolist(), drifts, strict=True)]
    return {"drift": list(drifts), "gap": gaps.tolist(), "over": over}


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

"""Tests of a judge of ordered labels: against always giving one option, and of two options which it gives more often."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metrics.analyses.ordered_catalogue import ADJACENT, EXACT
from metrics.intervals.default import Units
from metrics.measures.arrays import FloatArray
from metrics.measures.exact_tests import sign_flip

Sums = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def against_baseline(by_criterion: FloatArray, units: Units | None, level: float) -> dict[str, dict[str, float]]:
    """Return whether exact and adjacent agreement differ from those of always giving the option that reaches most.

    With several criteria that option is each criterion's own: one for all of them would credit knowing which criterion scores
    high.

    Parameters
    ----------
    by_criterion : ndarray, shape (C, K, K)
        Reference in rows.
    units : Units or None
        What changes sides as a whole; None for single decisions.

    Returns
    -------
    dict
        By number: the `baseline`, the `difference` from it, exact two-sided `p` by flipping the sign of every unit's difference,
        and `sign`, 0 where p is above the level; empty without a decision.
    """
    counts = np.asarray(by_criterion, np.float64)
    total = float(counts.sum())
    sums: Sums = _single(counts) if units is None else units.sums
    places = np.arange(counts.shape[-1])
    out = {}
    for key, reach in ((EXACT.key, 0), (ADJACENT.key, 1)) if total else ():
        near = (np.abs(np.subtract.outer(places, places)) <= reach).astype(np.float64)
        reached = counts.sum(2) @ near
        best = reached.argmax(1)
        net, times = sums((near[None] - near[:, best].T[:, :, None]).reshape(len(counts), -1))
        flipped, each = np.rint(net).astype(np.int64), times.astype(np.int64)
        gain, p = int(flipped @ each), sign_flip(flipped, each)
        sign = float(np.sign(gain) * (p <= level))
        out[key] = {"baseline": float(reached.max(1).sum()) / total, "difference": gain / total, "p": p, "sign": sign}
    return out


def label_rates(by_criterion: FloatArray, units: Units | None, level: float) -> dict[str, float]:
    """Return whether the judge gives the higher of two options more or less often than the reference, by flipping units' signs.

    Parameters
    ----------
    by_criterion : ndarray, shape (C, 2, 2)
        Reference in rows, judge in columns, the lower option first.
    units : Units or None
        What changes sides as a whole; None for single decisions.
    level : float
        Of the test, in (0, 1).

    Returns
    -------
    dict
        `p`, 1 where both sides give the options equally often, and `sign`, 0 where p is above the level: the test of
        `metrics.agreement` on the same decisions.
    """
    counts = np.asarray(by_criterion, np.float64)
    sums: Sums = _single(counts) if units is None else units.sums
    net, times = sums(np.tile([0.0, 1.0, -1.0, 0.0], (len(counts), 1)))
    flipped, each = np.rint(net).astype(np.int64), times.astype(np.int64)
    p = sign_flip(flipped, each)
    return {"p": p, "sign": float(np.sign(int(flipped @ each)) * (p <= level))}


def _single(counts: FloatArray) -> Sums:
    """Return single decisions as units."""
    there = np.flatnonzero(counts)
    return lambda worth: (worth.ravel()[there], counts.ravel()[there])

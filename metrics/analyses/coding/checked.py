"""Agreement with people's errors corrected, from disagreements and a random part of the agreements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.coding.codes import ALL
from metrics.analyses.disagreements.listing import Listing
from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

METHOD = "posterior of corrected labels"
DRAWS = 4000
"""Ends of an interval move by less than 0.01 between seeds."""
OF_DISAGREEMENTS, OF_AGREEMENTS = (0.5, 0.5), (1 / 3, 1.0)
"""Beta priors of the share in which people are wrong. Where both agree that is rare; Jeffreys' prior takes it for common, and
intervals with it hold the true value in 90 to 94 % only."""


@dataclass(frozen=True)
class Checked:
    """Coded agreements of one criterion, and what follows from them.

    Attributes
    ----------
    criterion : str
    n_agreements, n_coded, n_wrong : int
        Agreements of judge and reference, how many are coded, and how many of these are wrong on both sides.
    metric : str
        Key of the estimated number: κ of two labels, accuracy of more, where a wrong agreement does not say what is right.
    estimate : Estimate
    """

    criterion: str
    n_agreements: int
    n_coded: int
    n_wrong: int
    metric: str
    estimate: Estimate


def checked_of(listing: Listing, codes: NDArray[np.int64]) -> dict[str, Checked]:
    """Return what coded agreements say, of every criterion that has one.

    Parameters
    ----------
    listing : Listing
        Of labels, with a judge.
    codes : ndarray of int64, shape (n_cells,)
        Places in `ALL`; -1 where there is none.
    """
    return {found.criterion: found for found in _each(listing, codes)}


def _each(listing: Listing, codes: NDArray[np.int64]) -> Iterator[Checked]:
    if listing.judge is None or not listing.checked.any():
        return
    places, k = {code: place for place, code in enumerate(ALL)}, len(listing.labels)
    coded_wrong, coded_right = codes == places["wrong"], codes == places["right"]
    agreed = listing.checked & (coded_wrong | coded_right)
    for at in np.unique(listing.cells.criterion[agreed]).tolist():
        of_criterion = (listing.cells.criterion == at) & listing.settled & (listing.reference >= 0)
        coded = of_criterion & np.where(listing.differs, (codes >= 0) & (codes < places["right"]), agreed)
        wrong = coded & np.where(listing.differs, codes == places["human"], coded_wrong)
        counts, n_coded, n_wrong = (_table(listing, of, k) for of in (of_criterion, coded, wrong))
        metric = "kappa" if k == 2 else "accuracy"
        n, n_looked_at, n_both = (int(np.trace(table)) for table in (counts, n_coded, n_wrong))
        estimate = estimated(counts, n_coded, n_wrong, listing.settings.confidence)
        yield Checked(listing.ratings.criteria[at], n, n_looked_at, n_both, metric, estimate)


def _table(listing: Listing, of: NDArray[np.bool_], k: int) -> NDArray[np.int64]:
    assert listing.judge is not None
    pairs = listing.reference[of] * k + listing.judge.verdict[of]
    return np.bincount(pairs, minlength=k * k).reshape(k, k).astype(np.int64)


def estimated(
    counts: NDArray[np.int64], n_coded: NDArray[np.int64], n_wrong: NDArray[np.int64], confidence: float = 0.95
) -> Estimate:
    """Return agreement of a judge with corrected labels: κ of two labels, else accuracy.

    Each cell of the table is a stratum, of which some decisions were looked at again: the share in which people were wrong there
    carries over to the rest of the cell. The interval is that of draws from the posterior of the table and of these shares.

    Parameters
    ----------
    counts : ndarray of int64, shape (K, K)
        Reference in rows, judge in columns.
    n_coded, n_wrong : ndarray of int64, shape (K, K)
        How many of each cell were looked at, and in how many people were wrong: off the diagonal the judge is right then, on it
        both are wrong.
    confidence : float

    Returns
    -------
    Estimate
        Undefined where a cell with decisions has none that was looked at.
    """
    empty = int(counts[(counts > 0) & (n_coded == 0)].sum())
    if empty:
        return Estimate(float("nan"), None, f"of some kinds of decisions, {empty} in all, none is coded")
    shares = np.divide(n_wrong, n_coded, where=n_coded > 0, out=np.zeros(counts.shape))
    value = float(_agreement(counts.astype(np.float64), shares))
    if np.isnan(value):
        return Estimate(value, None, "a side gives one label only")
    rng, diagonal = np.random.default_rng(0), np.eye(len(counts), dtype=bool)
    a, b = (np.where(diagonal, agreed, other) for agreed, other in zip(OF_AGREEMENTS, OF_DISAGREEMENTS, strict=True))
    used = counts > 0
    tables = np.zeros((DRAWS, *counts.shape))
    tables[:, used] = rng.dirichlet(counts[used], DRAWS)
    values = _agreement(tables, rng.beta(n_wrong + a, n_coded - n_wrong + b, (DRAWS, *counts.shape)))
    tail = (1 - confidence) / 2
    low, high = (float(end) for end in np.nanquantile(values, [tail, 1 - tail]))
    return Estimate(value, Interval(min(low, value), max(high, value), METHOD))


def _agreement(tables: FloatArray, wrong: FloatArray) -> FloatArray:
    """Return the agreement of tables of shape (…, K, K) in which people are wrong in a share of each cell."""
    stays = tables * (1 - wrong)
    diagonal = np.eye(tables.shape[-1], dtype=bool)
    if tables.shape[-1] != 2:
        right = np.where(diagonal, stays, tables * wrong).sum((-2, -1))
        return np.asarray(right / tables.sum((-2, -1)))
    return np.asarray(cohen_kappa(stays + (tables * wrong)[..., ::-1, :]))

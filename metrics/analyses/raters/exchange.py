"""Is the judge one of the raters? On every item the judge's place goes to one of them, drawn at random."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from metrics.analyses.raters.left_out import Answers, Trials
from metrics.measures.arrays import FloatArray, Function

Codes = NDArray[np.int64]
ALL_WAYS = 4096
"""Up to so many ways of choosing who plays the judge on the items that differ, all of them are tried."""
MOST_DRAWS, FEWEST_DRAWS, WORK = 1999, 199, 20_000_000
"""Draws otherwise, fewer where many items differ: at 199 a p of .025 or less still means that at most 4 drawn were as far."""
# Two differences that lie nearer are one number computed in two ways.
SLACK = 1e-12
# Fixed, so that the same ratings give the same p.
SEED = 20240501


@dataclass(frozen=True)
class Exchange:
    """How often a rater drawn at random in the judge's place is as far above, or below, the others as the judge is.

    Attributes
    ----------
    above, below : float
        One-sided p; NaN where the difference is undefined or there is no judge.
    ways : int
        Choices tried; all of them where `exact`.
    """

    above: float = math.nan
    below: float = math.nan
    ways: int = 0
    exact: bool = False


def exchange_test(answers: Answers, trials: Trials, function: Function, counted: NDArray[np.bool_], observed: float) -> Exchange:
    """Test whether judge and humans are exchangeable; whole items are exchanged, so verdicts on one may hang together.

    Parameters
    ----------
    function : callable
        Metric of tables of shape (..., K, K).
    counted : ndarray of bool, shape (n_humans,)
        Humans in the means.
    observed : float
        Mean over the humans of the judge's value less that of the human left out.

    References: Pitman (1938), Biometrika 29, 322-335.
    """
    if answers.judge is None or math.isnan(observed):
        return Exchange()
    options = _options(answers)
    whole = trials.tables(trials.human, trials.n_humans, trials.times).ravel()
    fixed = whole - options.times @ options.tables[options.first]
    drawn, exact = options.draws()
    differences = np.concatenate(
        [_difference(fixed + (part @ options.tables).toarray(), trials, function, counted) for part in drawn]
    )
    differences = differences[~np.isnan(differences)]
    more, n = (0, len(differences)) if exact else (1, len(differences) + 1)
    above, below = (int((sign * (differences - observed) >= -SLACK).sum()) for sign in (1, -1))
    return Exchange((above + more) / n, (below + more) / n, len(differences), exact)


def _difference(tables: FloatArray, trials: Trials, function: Function, counted: NDArray[np.bool_]) -> FloatArray:
    """Return mean of judge less human over the humans counted that have a value, of every draw, shape (B,)."""
    size = trials.k
    values = function(tables.reshape(len(tables), trials.n_humans, 2, size, size)[:, counted])
    difference = values[..., 0] - values[..., 1]
    defined = ~np.isnan(difference)
    total = np.where(defined, difference, 0.0).sum(-1)
    return np.where(defined.any(-1), total / np.maximum(defined.sum(-1), 1), np.nan)


@dataclass(frozen=True, eq=False)
class _Options:
    """Who may play the judge on each kind of item where that matters.

    Attributes
    ----------
    tables : csr_array, shape (options, n_humans · 2 · K²)
        Tables of one item under each option.
    first, count : ndarray of int64, shape (kinds,)
        Place of the first option of a kind, which is the judge itself, and how many there are.
    times : ndarray of int64, shape (kinds,)
        Items of each kind.
    """

    tables: csr_array
    first: Codes
    count: Codes
    times: Codes

    def draws(self) -> tuple[list[csr_array], bool]:
        """Return items under each option by draw, shape (draws, options), in parts.

        And whether these are all the ways there are.
        """
        if self.times.sum() <= np.log2(ALL_WAYS) and np.prod(self.count.astype(float) ** self.times) <= ALL_WAYS:
            each = np.repeat(np.arange(len(self.first)), self.times)
            ways = [range(self.first[kind], self.first[kind] + self.count[kind]) for kind in each]
            return [self._chosen(np.array(list(product(*ways)), np.int64))], True
        rng = np.random.default_rng(SEED)
        n = int(np.clip(WORK // max(1, len(self.first)), FEWEST_DRAWS, MOST_DRAWS))
        single = np.flatnonzero(self.times == 1)
        step = max(1, WORK // 10 // max(1, len(single)))
        parts = []
        for start in range(0, n, step):
            size = min(step, n - start)
            options = self.first[single] + (rng.random((size, len(single))) * self.count[single]).astype(np.int64)
            parts.append(self._chosen(options) + self._of_many(rng, size))
        return parts, False

    def _chosen(self, options: Codes) -> csr_array:
        """Return one option of each item by draw, shape (draws, items)."""
        draws = np.repeat(np.arange(len(options)), options.shape[1])
        return coo_array((np.ones(options.size), (draws, options.ravel())), (len(options), self.tables.shape[0])).tocsr()

    def _of_many(self, rng: np.random.Generator, size: int) -> csr_array:
        """Return items of kinds that stand for several, each drawn by itself."""
        counts = np.zeros((size, 0))
        places: list[int] = []
        for kind in np.flatnonzero(self.times > 1):
            n = int(self.count[kind])
            counts = np.hstack([counts, rng.multinomial(int(self.times[kind]), np.full(n, 1 / n), size)])
            places += range(int(self.first[kind]), int(self.first[kind]) + n)
        columns = np.tile(np.array(places, np.int64), size)
        rows = np.repeat(np.arange(size), len(places))
        return coo_array((counts.ravel(), (rows, columns)), (size, self.tables.shape[0])).tocsr()


def _options(answers: Answers) -> _Options:
    """Return every way of filling the judge's place on the kinds of items where raters differ.

    Only raters present on an item may.
    """
    assert answers.judge is not None
    missing, n_humans = answers.ratings.scheme.state("missing"), answers.states.shape[1]
    items, of_item = np.unique(answers.item, return_inverse=True)
    present = np.zeros((len(items), n_humans + 1), bool)
    everybody = np.column_stack([answers.judge, answers.states])
    np.logical_or.at(present, of_item, everybody != missing)
    differ = np.zeros(len(items), bool)
    np.logical_or.at(differ, of_item, (present[of_item] & (everybody != answers.judge[:, None])).any(1))
    differ &= present[:, 0]
    kind = np.where(differ, np.cumsum(differ) - 1, -1)
    count = present[differ].sum(1)
    first = np.concatenate([[0], np.cumsum(count)])[:-1].astype(np.int64)
    place = first[:, None] + np.cumsum(present[differ], axis=1) - 1
    parts = []
    for who in range(n_humans + 1):
        rows = np.flatnonzero(differ[of_item] & present[of_item, who])
        row_answers = answers.at(rows)
        trials = (row_answers if who == 0 else row_answers.exchanged(who - 1)).trials()
        option = place[kind[of_item[rows[trials.unit]]], who]
        size = trials.k**2
        parts += [(option, (trials.human * 2 + side) * size + cell) for side, cell in enumerate(trials.cell)]
    rows, columns = (np.concatenate(side) for side in zip(*parts, strict=True))
    shape = (int(count.sum()), n_humans * 2 * answers.k**2)
    times = np.zeros(len(items), np.int64)
    times[of_item] = answers.times
    return _Options(coo_array((np.ones(len(rows)), (rows, columns)), shape).tocsr(), first, count.astype(np.int64), times[differ])

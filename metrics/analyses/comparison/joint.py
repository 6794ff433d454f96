"""p of every judge against a baseline that was picked on the same data: all pairs of judges at once.

The signs of whole units are flipped for all pairs together, and the largest studentised difference of any pair is the measure. Of
many judges the vectors of verdicts on a unit are permuted among the judges too, and the larger p counts.
References: Westfall & Young (1993), Resampling-based multiple testing; Romano & Wolf (2005), doi:10.1198/016214504000000539.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.comparison.paired import BLOCK, Statistic
from metrics.analyses.comparison.permutation import ALL_SWAPS, SLACK, all_swaps, random_swaps
from metrics.analyses.comparison.shared_decisions import decision_cells, item_cells
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_labels
from metrics.data.aggregation import Level
from metrics.data.patterns import dense_rank_of_rows, merge_codes
from metrics.data.ratings import Ratings
from metrics.intervals.cluster import clusters_of
from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import ROUNDING, jackknife_error

Ints = NDArray[np.int64]
Share = Callable[[float], object]
MANY = 10
"""Above so many judges sign flips alone reject too often on 100 items (7.5 % of samples of 20 equal judges)."""
WORK = 4e9
"""Products that the sign flips may cost; fewer flips where there are many judges and units."""
MANY_KINDS, LIGHT = 2_000, 1e-3
"""Kinds of units above which normal sums stand for flipped signs, where no unit weighs more than one of a thousand alike."""
DRAWS = 1.5e8
"""Verdicts that the permutations among judges may move."""
FEWEST, MOST_PERMUTED, MOST_UNITS = 199, 999, 2_000
"""Replicates at the least; permutations among judges at the most; units above which these are left out, as
sign flips then reject no more than they should (5.5 % of samples of 20 equal judges on 1,000 items)."""


@dataclass(frozen=True, eq=False)
class Everybody:
    """The confusion cells of all judges, identical units merged.

    Attributes
    ----------
    cells : ndarray, shape (J, D)
        Reference · K + judge of every decision, K² where it does not count for the judge.
    unit, criterion, weight : ndarray, shape (D,)
        Kind of unit and criterion of each decision, and how often it occurs in the unit.
    times : ndarray, shape (U,)
        Units of each kind.
    """

    cells: Ints
    unit: Ints
    criterion: Ints
    weight: Ints
    times: Ints
    k: int
    n_criteria: int

    @staticmethod
    def of(ratings: Ratings, settings: Settings, level: Level, criterion: str | None) -> Everybody:
        """Return the cells of all judges of the settings, identical units merged; groups of items stay one each.

        Parameters
        ----------
        ratings : Ratings
        settings : Settings
            Judges, reference, abstention mode and unit.
        level : {"micro", "macro", "item"}
            Item for one verdict an item; micro and macro take the same decisions.
        criterion : str or None
            Decisions of this criterion alone; None for all.
        """
        k = len(mode_labels(settings.on(ratings).scheme, settings.abstention))
        if level == "item":
            item, of_criterion, cells = item_cells(ratings, settings, k)
        else:
            item, of_criterion, cells = decision_cells(ratings, settings, criterion, k)
        n_criteria = int(of_criterion.max(initial=0)) + 1
        if settings.by_column:
            units = clusters_of(ratings, settings.unit).of_item[item]
            times = np.ones(int(units.max(initial=-1)) + 1, np.int64)
            return Everybody(cells, units.astype(np.int64), of_criterion, ratings.weight[item], times, k, n_criteria)
        rank = dense_rank_of_rows(cells.T, k * k + 1)
        example = np.empty(int(rank.max(initial=-1)) + 1, np.int64)
        example[rank] = np.arange(len(rank))
        codes, times, _ = merge_codes(
            item.astype(np.int32), of_criterion.astype(np.int32), rank + 1, base=len(example) + 1, n_items=ratings.n_unique,
            n_criteria=n_criteria, multiplicity=ratings.multiplicity,
        )  # fmt: skip
        unit, place = np.nonzero(codes.T)
        merged = cells[:, example[codes[place, unit] - 1]]
        return Everybody(merged, unit, place, np.ones(len(unit), np.int64), times, k, n_criteria)

    @cached_property
    def same_decisions(self) -> bool:
        """Whether every decision counts for all judges or for none."""
        counted = self.cells < self.k**2
        return bool((counted.all(0) | ~counted.any(0)).all())

    def tables(self, judge: int, kept: NDArray[np.bool_]) -> FloatArray:
        """Return table of a judge on one unit of each kind.

        Parameters
        ----------
        judge : int
            Row of `cells`.
        kept : ndarray of bool, shape (D,)
            Decisions that are counted; all must count for the judge.

        Returns
        -------
        ndarray, shape (U, G, K, K)
            G criteria.
        """
        size, n = self.k**2, len(self.times)
        place = (self.unit * self.n_criteria + self.criterion) * size + self.cells[judge]
        counts = np.bincount(place[kept], weights=self.weight[kept], minlength=n * self.n_criteria * size)
        return counts.astype(np.float64).reshape(n, self.n_criteria, self.k, self.k)

    def influence(self, statistic: Statistic, pair: tuple[int, int]) -> FloatArray:
        """Return pseudo-value of every unit for the difference of two judges on what both answered, shape (U,).

        0 where the unit has no such decision; NaN where leaving one out makes the difference undefined.
        """
        kept = self._counted(list(pair))
        a, b = (self.tables(judge, kept) for judge in pair)
        return self._pseudo(statistic, a, b)

    def compared(
        self, statistics: Sequence[Statistic], pair: tuple[int, int]
    ) -> tuple[int, list[tuple[float, float, float, int]]]:
        """Return decisions both judges answered; of each statistic both values, the difference's standard error, and units."""
        kept = self._counted(list(pair))
        a, b = (self.tables(judge, kept) for judge in pair)
        there = a.sum((1, 2, 3)) > 0
        times = self.times[there].astype(np.float64)
        first, second = (np.tensordot(self.times, tables, 1) for tables in (a, b))
        out = []
        for statistic in statistics:
            values = (float(value) for value in statistic.both(first, second))
            error = jackknife_error(statistic.difference(first - a[there], second - b[there]), times)
            out.append((*values, float(error), int(times.sum())))
        return int(first.sum()), out  # type: ignore[return-value]

    def _counted(self, judges: Sequence[int]) -> NDArray[np.bool_]:
        """Return decisions that count for all these judges, shape (D,)."""
        return np.asarray((self.cells[judges] < self.k**2).all(0))

    def _pseudo(self, statistic: Statistic, a: FloatArray, b: FloatArray) -> FloatArray:
        there = a.sum((1, 2, 3)) > 0
        if not there.any():  # no decision that both answered
            return np.full(len(self.times), np.nan)
        times = self.times[there]
        n, sides = int(times.sum()), (a[there], b[there])
        whole, left = (
            statistic.joined(*both) for both in zip(*(_parts(statistic, tables, times) for tables in sides), strict=True)
        )
        out = np.zeros(len(self.times))
        out[there] = n * float(whole[1] - whole[0]) - (n - 1) * (left[1] - left[0])
        return out

    def own_influence(self, statistic: Statistic) -> FloatArray | None:
        """Return pseudo-values of each judge's own value, shape (U, J); None where a pair's difference is not theirs."""
        if not self.same_decisions:
            return None
        kept = self._counted(list(range(len(self.cells))))
        if not kept.any():
            return None
        influence = np.zeros((len(self.times), len(self.cells)))
        for judge in range(len(self.cells)):
            tables = self.tables(judge, kept)
            there = tables.sum((1, 2, 3)) > 0
            whole, left = _parts(statistic, tables[there], self.times[there])
            if statistic.form == "mean" and (np.isnan(whole).any() or np.isnan(left).any()):
                return None
            n = int(self.times[there].sum())
            influence[there, judge] = n * float(statistic.joined(whole, whole)[0]) - (n - 1) * statistic.joined(left, left)[0]
        return influence


def _parts(statistic: Statistic, unit_tables: FloatArray, times: Ints) -> tuple[FloatArray, FloatArray]:
    """Return parts of a statistic on all units, and without one unit of each kind.

    `unit_tables` are their tables, shape (U, G, K, K).
    """
    total = np.tensordot(times, unit_tables, 1)
    if statistic.form == "mean":
        left = np.stack([_without_each(statistic, total[[c]], unit_tables[:, [c]])[:, 0] for c in range(len(total))], -1)
    elif statistic.form == "pooled":
        left = _without_each(statistic, total.sum(0)[None], unit_tables.sum(1)[:, None])
    else:
        left = _without_each(statistic, total, unit_tables)
    return statistic.parts(total), left


def _without_each(statistic: Statistic, total: FloatArray, unit_tables: FloatArray) -> FloatArray:
    """Return parts of a statistic without each unit; units with the same tables are computed once."""
    rows = unit_tables.reshape(len(unit_tables), -1).astype(np.int64)
    rank = dense_rank_of_rows(rows, int(rows.max(initial=0)) + 1)
    example = np.empty(int(rank.max(initial=-1)) + 1, np.int64)
    example[rank] = np.arange(len(rank))
    return statistic.parts(total - unit_tables[example])[rank]


def joint_p(
    everybody: Everybody,
    statistic: Statistic,
    baseline: int,
    others: Sequence[int],
    replicates: int,
    rng: np.random.Generator,
    progress: Share | None = None,
) -> tuple[float, ...]:
    """Return two-sided p of each of the others against the baseline, corrected for picking the baseline.

    Parameters
    ----------
    everybody : Everybody
    statistic : Statistic
    baseline : int
        Place of the baseline among the judges, a row of `everybody.cells`.
    others : sequence of int
        Places of the judges that are set against it.
    replicates : int
        Sign flips at most: all of them are tried where few units move, and many judges and units get fewer.
    rng : Generator
    progress : callable, optional
        Hears which share is done, in [0, 1].

    Returns
    -------
    tuple of float
        In the order of `others`; NaN where the difference of the pair is undefined.
    """
    exchange = len(everybody.cells) > MANY and everybody.times.sum() <= MOST_UNITS
    p_values = _Flips.of(everybody, statistic).p(baseline, others, replicates, rng, _step(progress, 0, 1 + exchange))
    if exchange:
        exchanged = _exchanged(everybody, statistic, baseline, others, rng, _step(progress, 1, 2))
        p_values = np.where(np.isnan(p_values), np.nan, np.fmax(p_values, exchanged))
    return tuple(p_values.tolist())


def _step(progress: Share | None, done: int, steps: int) -> Share | None:
    return progress and (lambda share: progress((done + share) / steps))


@dataclass(frozen=True, eq=False)
class _Flips:
    """What is flipped: pseudo-values of each judge, or of each pair where the judges answered different decisions.

    Attributes
    ----------
    values : ndarray, shape (U, J) or (U, P)
    times : ndarray, shape (U,)
        Units of each kind.
    spread : ndarray, shape (P,)
        Standard error of the sum of a pair under random signs; NaN where the pair is undefined, 0 where nothing separates it.
    heaviest : float
        Of any pair, the sum of fourth powers over the square of that of squares: 1/n where n units count alike.
    pairs : (ndarray, ndarray), each of shape (P,)
    """

    values: FloatArray
    times: Ints
    spread: FloatArray
    heaviest: float
    pairs: tuple[Ints, Ints]
    by_judge: bool

    @staticmethod
    def of(everybody: Everybody, statistic: Statistic) -> _Flips:
        judges, times = len(everybody.cells), everybody.times
        first, second = np.triu_indices(judges, 1)
        influence = everybody.own_influence(statistic)
        if influence is not None:
            squares: Iterator[FloatArray] = (
                (influence[:, [judge]] - influence[:, judge + 1 :]) ** 2 for judge in range(judges - 1)
            )
            values = influence
        else:
            pairs = zip(first.tolist(), second.tolist(), strict=True)
            values = np.stack([everybody.influence(statistic, pair) for pair in pairs], axis=1)
            squares = (values[:, [place]] ** 2 for place in range(len(first)))
        second_power, fourth = np.concatenate([[times @ part, times @ part**2] for part in squares], axis=1)
        apart = second_power > ROUNDING**2
        heaviest = float((fourth[apart] / second_power[apart] ** 2).max(initial=0.0))
        return _Flips(values, times, np.sqrt(second_power), heaviest, (first, second), by_judge=influence is not None)

    def p(
        self, baseline: int, others: Sequence[int], replicates: int, rng: np.random.Generator, progress: Share | None = None
    ) -> FloatArray:
        observed = self._studentised((self.times @ self.values)[None])[0]
        rivals = np.array(others, np.int64)
        low, high = np.minimum(baseline, rivals), np.maximum(baseline, rivals)
        asked = observed[np.searchsorted(self.pairs[0], low) + high - low - 1]
        tried, extreme = 0, np.zeros(len(asked), np.int64)
        exact, replicates, draws = self._draws(replicates, rng)
        for sums in draws:
            largest = np.nanmax(self._studentised(sums), axis=1, initial=0.0)
            tried += len(largest)
            extreme += (largest[:, None] >= asked - SLACK).sum(0)
            if progress:
                progress(tried / replicates)
        more = 0 if exact else 1
        return np.where(np.isnan(asked), np.nan, (extreme + more) / (tried + more))

    def _draws(self, replicates: int, rng: np.random.Generator) -> tuple[bool, int, Iterator[FloatArray]]:
        """Return whether all signs are tried, how many are, and blocks of the sums of `values` under them, shape (n, J) or (n,
        P).

        Many units of which none counts for much have sums like normal numbers: those are drawn, at a cost that does not hang on
        the units.
        """
        moving = self._moving
        units, values = self.times[moving], self.values[moving]
        n, columns = int(units.sum()), values.shape[1] + len(self.spread)
        rows = max(1, BLOCK // max(len(units), columns, 1))
        if n <= ALL_SWAPS:
            return True, 2**n, ((units - 2 * swapped) @ values for swapped in all_swaps(units, rows))
        if len(units) > MANY_KINDS and self.heaviest <= LIGHT:
            root, rows = _root(np.nan_to_num(values.T @ (units[:, None] * values))), max(1, BLOCK // columns)
            sizes = (min(rows, replicates - start) for start in range(0, replicates, rows))
            return False, replicates, (rng.standard_normal((size, len(root))) @ root.T for size in sizes)
        replicates = min(replicates, max(FEWEST, int(WORK / (len(units) * columns))))
        return False, replicates, ((units - 2 * swapped) @ values for swapped in random_swaps(units, replicates, rows, rng))

    @property
    def _moving(self) -> NDArray[np.bool_]:
        """Units on which some pair differs."""
        values = np.nan_to_num(self.values)
        reach = values.max(1) - values.min(1) if self.by_judge else np.abs(values).max(1)
        moving: NDArray[np.bool_] = reach > ROUNDING
        return moving

    def _studentised(self, sums: FloatArray) -> FloatArray:
        """Return size of every pair's sum over its spread, shape (n, P); 0 where nothing separates the pair."""
        if self.by_judge:
            sums = sums[:, self.pairs[0]] - sums[:, self.pairs[1]]
        return np.asarray(np.abs(sums) / self._scale)

    @cached_property
    def _scale(self) -> FloatArray:
        """Spread of every pair, shape (P,); infinite where nothing separates the pair."""
        return np.where(self.spread <= ROUNDING, np.inf, self.spread)


def _root(products: FloatArray) -> FloatArray:
    """Return a lower triangular root of sums of products, which may be of less than full rank (Cholesky), shape (J, J)."""
    rest, root = products.copy(), np.zeros_like(products)
    for place, size in enumerate(np.diagonal(products).tolist()):
        if rest[place, place] > ROUNDING * size:
            root[:, place] = rest[:, place] / np.sqrt(rest[place, place])
            rest -= np.outer(root[:, place], root[:, place])
    return root


def _exchanged(
    everybody: Everybody,
    statistic: Statistic,
    baseline: int,
    others: Sequence[int],
    rng: np.random.Generator,
    progress: Share | None = None,
) -> FloatArray:
    """Return how often judges whose verdicts on a unit are exchanged at random reach so far: the range of all judges is the
    measure.
    """
    judges, size = everybody.cells.shape[0], everybody.n_criteria * (everybody.k**2 + 1)
    code = everybody.criterion * (everybody.k**2 + 1) + everybody.cells
    differs = np.zeros(len(everybody.times), bool)
    differs[everybody.unit[(everybody.cells != everybody.cells[0]).any(0)]] = True
    apart = differs[everybody.unit]
    fixed = _sums(code[:, ~apart], (everybody.weight * everybody.times[everybody.unit])[~apart], judges, size)
    number, entry, weight = _expanded(everybody, differs, apart)
    moved = code[:, entry]

    def values(tables: FloatArray) -> FloatArray:
        shape = (judges, everybody.n_criteria, everybody.k**2 + 1)
        confusions = tables.reshape(shape)[..., :-1].reshape(*shape[:2], everybody.k, everybody.k)
        return statistic.both(confusions, confusions)[0]

    start = values(fixed + _sums(moved, weight, judges, size))
    observed = np.abs(start[baseline] - start[list(others)])
    n_units = int(number.max(initial=-1)) + 1
    replicates = int(np.clip(DRAWS / max(moved.size + n_units * judges, 1), FEWEST, MOST_PERMUTED))
    extreme = np.zeros(len(observed), np.int64)
    for done in range(replicates):
        if progress:
            progress(done / replicates)
        to = rng.random((n_units, judges)).argsort(1)
        drawn_values = values(fixed + _sums(to[number].T * size + moved, weight, judges, size, coded=True))
        extreme += np.nanmax(drawn_values, initial=-np.inf) - np.nanmin(drawn_values, initial=np.inf) >= observed - SLACK
    return (extreme + 1.0) / (replicates + 1)


def _expanded(everybody: Everybody, differs: NDArray[np.bool_], apart: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """Return every single unit on which judges differ: its number, decision and weight, for each of its decisions."""
    order = np.flatnonzero(apart)
    order = order[np.argsort(everybody.unit[order], kind="stable")]
    times = everybody.times[everybody.unit[order]]
    entry = np.repeat(order, times)
    copy = np.arange(len(entry)) - np.repeat(np.cumsum(times) - times, times)
    first = np.cumsum(np.where(differs, everybody.times, 0)) - np.where(differs, everybody.times, 0)
    return first[everybody.unit[entry]] + copy, entry, everybody.weight[entry]


def _sums(code: Ints, weight: Ints, judges: int, size: int, *, coded: bool = False) -> FloatArray:
    """Return counts of each judge's codes, shape (J, size)."""
    place = code if coded else code + size * np.arange(judges)[:, None]
    counts = np.bincount(place.ravel(), weights=np.broadcast_to(weight, code.shape).ravel(), minlength=judges * size)
    return counts.astype(np.float64).reshape(judges, size)

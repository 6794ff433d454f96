"""What two judges are asked, what reference and judges say on the decisions they share, and the interval of one judge there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from metrics.analyses.agreement.decisions import item_verdicts_of
from metrics.analyses.comparison.paired import Paired, Statistic
from metrics.analyses.ordered_blocks import rules_for
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_labels, on_axis
from metrics.data.aggregation import ABSENT, UNDECIDED, Level
from metrics.data.pairs import cells_of, patterns_of, reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.data.similar_names import alike_sentences
from metrics.errors import NothingShared
from metrics.intervals.cluster import Clustered, Clusters, clusters_of
from metrics.intervals.default import Unit, macro_intervals, micro_intervals
from metrics.intervals.items import Coded
from metrics.intervals.resampling import Cells, Frame
from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

Functions = Mapping[str, Callable[[FloatArray], FloatArray]]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Shared:
    """What both judges and the reference say, on the axis of the mode; -1 where that does not count.

    `weight` is how often each decision counts: as often as there are items of its kind.
    """

    places: NDArray[np.int64]
    item: NDArray[np.int32]
    weight: NDArray[np.int64]
    criterion: NDArray[np.int32]
    reference: NDArray[np.int64]
    verdicts: tuple[NDArray[np.int64], NDArray[np.int64]]
    n_only: tuple[int, int]
    n_no_reference: int
    criteria: tuple[str, ...]

    @property
    def n(self) -> int:
        """Shared decisions, or items."""
        return int(self.weight.sum())


def shared_decisions(ratings: Ratings, settings: Settings, criterion: str | None) -> Shared:
    """Return cells where the reference and both judges have a row that counts as an answer.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        With two judges.
    criterion : str or None
        Cells of this criterion alone; None for all.
    """
    cells, scheme = cells_of(ratings), settings.on(ratings).scheme
    states = [reference_states(ratings, settings.reference), *(verdicts(ratings, name, "judge") for name in settings.judges)]
    asked = np.ones(len(cells), bool) if criterion is None else cells.criterion == ratings.criteria.index(criterion)
    reference, a, b = ((state < scheme.end_of_rated) & asked for state in states)
    places = np.flatnonzero(reference & a & b)
    sides = [on_axis(state[places], scheme, settings.abstention) for state in states]
    of_cell = ratings.weight[cells.item]
    return Shared(
        places=places,
        item=cells.item[places],
        weight=of_cell[places],
        criterion=cells.criterion[places] if criterion is None else np.zeros(len(places), np.int32),
        reference=sides[0],
        verdicts=(sides[1], sides[2]),
        n_only=(int(of_cell[reference & a & ~b].sum()), int(of_cell[reference & b & ~a].sum())),
        n_no_reference=int(of_cell[a & b & ~reference].sum()),
        criteria=ratings.criteria if criterion is None else (criterion,),
    )


def shared_items(ratings: Ratings, settings: Settings) -> Shared:
    """Return items with an item verdict of the reference and of both judges."""
    sides = []
    for name in settings.judges:
        decided, of_item = item_verdicts_of(ratings, name, settings), patterns_of(ratings, name, settings.reference).of_item
        sides.append((decided.reference[of_item].astype(np.int64), decided.judge[of_item].astype(np.int64)))
    (reference, a), (reference_b, b) = sides
    there = [reference != ABSENT, reference_b != ABSENT]
    places = np.flatnonzero(there[0] & there[1])
    last = UNDECIDED if settings.abstention == "as_category" else UNDECIDED - 1
    on_axis = [np.where(side[places] <= last, side[places], -1) for side in (reference, a, b)]
    return Shared(
        places=places,
        item=places.astype(np.int32),
        weight=ratings.weight[places],
        criterion=np.zeros(len(places), np.int32),
        reference=on_axis[0],
        verdicts=(on_axis[1], on_axis[2]),
        n_only=(int(ratings.weight[there[0] & ~there[1]].sum()), int(ratings.weight[there[1] & ~there[0]].sum())),
        n_no_reference=0,
        criteria=("item verdict",),
    )


def refuse_if_none(ratings: Ratings, settings: Settings, shared: Shared, level: Level) -> None:
    """Raise where the judges have nothing in common.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        With two judges.
    shared : Shared
    level : {"micro", "macro", "item"}
        Which the message is worded for.

    Raises
    ------
    NothingShared
        Where no decision is shared; names how many each judge has alone.
    """
    if len(shared.places):
        return
    a, b = settings.judges
    what = "item with every criterion judged" if level == "item" else "item and criterion"
    raise NothingShared(
        f"{ratings.source.name}: {a!r} and {b!r} share no {what} that the reference has too "
        f"({shared.n_only[0]} only {a!r}, {shared.n_only[1]} only {b!r}). "
        + next(iter(alike_sentences(ratings)), "Make ids and criterion names equal.")
    )


def by_criterion(shared: Shared, cells: Sequence[NDArray[np.int64]], k: int) -> FloatArray:
    """Return tables of both judges.

    Parameters
    ----------
    shared : Shared
        D decisions on C criteria.
    cells : two ndarrays of int64, each of shape (D,)
        Of A and of B: reference · K + judge, K² where the decision does not count for that judge.
    k : int
        Classes K.

    Returns
    -------
    ndarray, shape (2, C, K, K)
    """
    size, n = k * k + 1, len(shared.criteria)
    tallies = [np.bincount(shared.criterion * size + codes, weights=shared.weight, minlength=n * size) for codes in cells]
    return np.stack([tally.reshape(n, size)[:, :-1] for tally in tallies]).reshape(2, n, k, k).astype(np.float64)


def outcomes_of(shared: Shared) -> NDArray[np.int8]:
    """Return who agrees with the reference on each shared decision, as a place in `OUTCOMES`."""
    a, b = shared.verdicts
    right = [verdict == shared.reference for verdict in (a, b)]
    settled = (shared.reference >= 0) & (a >= 0) & (b >= 0)
    return np.where(settled, 3 - 2 * right[0] - right[1], 4).astype(np.int8)


@dataclass(frozen=True, eq=False)
class OwnInterval:
    """What the rules need beside the judge's own cells.

    Attributes
    ----------
    used : ndarray of bool, shape (C,)
        Criteria that count.
    clusters : Clusters or None
        The column above the item that is the unit.
    """

    shared: Shared
    metric: str
    statistic: Statistic
    settings: Settings
    used: NDArray[np.bool_]
    clusters: Clusters | None

    def estimate(self, cell: Ints, tables: FloatArray, value: float) -> Estimate:
        """Return a judge's value with its interval.

        Parameters
        ----------
        cell : ndarray of int64, shape (D,)
            Reference · K + judge of every shared decision, K² where it does not count.
        tables : ndarray, shape (C, K, K)
            Tables of the judge by criterion, of the same decisions.
        value : float
            Value of the judge; where it is NaN there is no interval.
        """
        return Estimate(value, None if math.isnan(value) else self._interval(cell, tables, value))

    def _interval(self, cell: Ints, tables: FloatArray, value: float) -> Interval | None:
        joint = self.statistic.form == "joint"
        functions: Functions = {"kappa": cohen_kappa} if joint else {self.metric: self.statistic.function}
        if self.statistic.form == "mean":
            # A criterion without a value of this judge is no part of its mean, but its items are among those left out.
            used = self.used | np.isnan(self.statistic.function(tables))
            unit = self.unit(cell, tables, functions, used)
            criterion_values = {self.metric: self.statistic.function(unit.by_criterion)}
            return macro_intervals(unit, functions, {self.metric: value}, criterion_values).get(self.metric)
        unit = self.unit(cell, tables, functions, self.used)
        if len(tables) == 1:
            key = next(iter(functions))
            return micro_intervals(unit, functions, {key: value}).get(key)
        beside = {"kappa": float(cohen_kappa(tables.sum(0)))} if joint else {}
        return micro_intervals(unit, functions, {self.metric: value} | beside).get(self.metric)

    def unit(self, cell: Ints, tables: FloatArray, functions: Functions, used: NDArray[np.bool_]) -> Unit:
        """Return what is left out one at a time, on the criteria used.

        Parameters
        ----------
        cell, tables
            As in `estimate`.
        functions : mapping
            Key of each metric to its function of a table; for intervals by criterion where groups of items are the units.
        used : ndarray of bool, shape (C,)
            Criteria that count.
        """
        shared, k, rules = self.shared, tables.shape[-1], rules_for(self.metric)
        counted = (cell < k * k) & used[shared.criterion]
        item, cell, weight = shared.item[counted], cell[counted], shared.weight[counted]
        criterion = (np.cumsum(used) - 1)[shared.criterion[counted]]
        tables, confidence = tables[used], self.settings.confidence
        if self.clusters is None:
            coded = Coded.merged(item, criterion, cell, k, len(tables), _of_items(item, weight))
            return Unit(coded, tables, confidence, rules=rules)
        units = self._clustered(self.clusters, item, criterion * (k * k) + cell, weight, k, len(tables))

        def alone(place: int) -> Mapping[str, Interval]:
            values = {key: float(function(tables[place])) for key, function in functions.items()}
            return micro_intervals(Unit(units.criterion(place), tables[place][None], confidence, rules=rules), functions, values)

        return Unit(units, tables, confidence, alone, rules)

    def _clustered(
        self, clusters: Clusters, item: NDArray[np.int32], row: Ints, weight: Ints, k: int, n_criteria: int
    ) -> Clustered:
        mode, size = self.settings.abstention, k * k
        features = csr_array((weight.astype(np.float64), (row, clusters.of_item[item])), shape=(n_criteria * size, clusters.n))
        cells, no_items = Cells({mode: np.arange(size)}, size), Cells({mode: np.empty(0, np.int64)}, 0)
        frame = Frame(features, np.ones(clusters.n, np.int64), n_criteria, cells, no_items, {mode: k})
        return Clustered(frame.used(), mode, clusters.column)


def _of_items(item: NDArray[np.int32], weight: Ints) -> Ints:
    """Return what each item weighs, from its decisions."""
    item_weights = np.zeros(int(item.max(initial=-1)) + 1, np.int64)
    item_weights[item] = weight
    return item_weights


def decision_cells(ratings: Ratings, settings: Settings, criterion: str | None, k: int) -> tuple[Ints, Ints, Ints]:
    """Return item and criterion of every decision with a reference, and the cells of all judges."""
    cells, scheme = cells_of(ratings), settings.on(ratings).scheme
    reference = on_axis(reference_states(ratings, settings.reference), scheme, settings.abstention)
    asked = reference >= 0
    if criterion is not None:
        asked &= cells.criterion == ratings.criteria.index(criterion)
    judge_labels = np.stack(
        [on_axis(verdicts(ratings, name, "judge")[asked], scheme, settings.abstention) for name in settings.judges]
    )
    of_criterion = cells.criterion[asked] if criterion is None else np.zeros(int(asked.sum()))
    return cells.item[asked].astype(np.int64), of_criterion.astype(np.int64), _coded(reference[asked], judge_labels, k)


def item_cells(ratings: Ratings, settings: Settings, k: int) -> tuple[Ints, Ints, Ints]:
    """Return the same of item verdicts."""
    last = UNDECIDED if settings.abstention == "as_category" else UNDECIDED - 1
    rows = []
    for name in settings.judges:
        decided, of_item = item_verdicts_of(ratings, name, settings), patterns_of(ratings, name, settings.reference).of_item
        sides = (verdict[of_item].astype(np.int64) for verdict in (decided.reference, decided.judge))
        reference, judge = (np.where(side <= last, side, -1) for side in sides)
        rows.append(_coded(reference, judge[None], k)[0])
    codes = np.stack(rows)
    kept = (codes < k * k).any(0)
    item = np.flatnonzero(kept)
    return item, np.zeros(len(item), np.int64), codes[:, kept]


def _coded(reference: Ints, judges: Ints, k: int) -> Ints:
    return np.where((reference >= 0) & (judges >= 0), reference * k + judges, k * k)


@dataclass(frozen=True)
class Question:
    """What is compared, and by how much the second judge may be worse where somebody stated it."""

    metric: str
    level: Level = "micro"
    criterion: str | None = None
    margin: float | None = None


@dataclass(frozen=True, eq=False)
class Sheet:
    """What reference and judges say on the shared decisions, on the axis of the mode.

    Attributes
    ----------
    cells : (ndarray, ndarray)
        Reference · K + judge, K² where the decision does not count for that judge.
    """

    shared: Shared
    labels: tuple[str, ...]
    cells: tuple[Ints, Ints]
    clusters: Clusters | None
    n_unique: int
    multiplicity: Ints | None

    @staticmethod
    def of(ratings: Ratings, settings: Settings, asked: Question) -> Sheet:
        item = asked.level == "item"
        shared = shared_items(ratings, settings) if item else shared_decisions(ratings, settings, asked.criterion)
        labels = mode_labels(settings.on(ratings).scheme, settings.abstention)
        k = len(labels)
        a, b = (
            np.where((shared.reference >= 0) & (verdict >= 0), shared.reference * k + verdict, k * k)
            for verdict in shared.verdicts
        )
        clusters = clusters_of(ratings, settings.unit) if settings.by_column else None
        return Sheet(shared, labels, (a, b), clusters, ratings.n_unique, ratings.multiplicity)

    @property
    def k(self) -> int:
        return len(self.labels)

    @property
    def common(self) -> tuple[Ints, Ints]:
        """The cells of the decisions that count for both judges."""
        both = (self.cells[0] < self.k**2) & (self.cells[1] < self.k**2)
        a, b = (np.where(both, side, self.k**2) for side in self.cells)
        return a, b

    def paired(self, cells: tuple[Ints, Ints]) -> Paired:
        n = len(self.shared.criteria)
        return Paired.of(
            self.shared.item, self.shared.criterion, *cells, k=self.k, n_items=self.n_unique, n_criteria=n, apart=n > 1,
            cluster=None if self.clusters is None else self.clusters.of_item, multiplicity=self.multiplicity,
        )  # fmt: skip

"""One judge against another: the difference, its interval and its tests, on the decisions both made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.compute import declaration_of
from metrics.analyses.cautions import cautions
from metrics.analyses.comparison.levels import (
    LEVEL_READINGS,
    LevelName,
    Nonresponse,
    Reading,
    difference_of,
    independent_difference,
)
from metrics.analyses.comparison.margin import growth
from metrics.analyses.comparison.paired import Paired, Statistic, statistic_of
from metrics.analyses.comparison.permutation import Permutation, Told, mcnemar, on_criteria, permutation_tests
from metrics.analyses.comparison.readings import direction
from metrics.analyses.comparison.result import OUTCOMES, Comparison, Side
from metrics.analyses.comparison.shared_decisions import (
    OwnInterval,
    Shared,
    by_criterion,
    outcomes_of,
    refuse_if_none,
    shared_decisions,
    shared_items,
)
from metrics.analyses.comparison.weighted import WeightedDifference, weighted_difference
from metrics.analyses.evaluation import catalogue_family
from metrics.analyses.leading import leading
from metrics.analyses.planning.compute import unit_words
from metrics.analyses.records import Block, Declaration
from metrics.analyses.settings import Settings
from metrics.analyses.two_units import labels_in_two_units
from metrics.analyses.weighing import Together
from metrics.data.abstention import Mode, mode_labels
from metrics.data.aggregation import Level
from metrics.data.nonverdicts import modes_of
from metrics.data.ratings import Ratings
from metrics.intervals.cluster import Clusters, clusters_of
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY, applicable, why_undefined
from metrics.measures.transforms import ROUNDING
from metrics.results.estimate import Estimate
from metrics.results.words import several

Ints = NDArray[np.int64]
# Units, and units on which the judges differ, below which the interval carries a note.
FEW_UNITS, FEW_DIFFER = 10, 5
KAPPAS = ("kappa", "kappa_within")
"""Metrics that have a reading within criteria."""
POOLED = "not on decisions pooled over criteria, where it rejects too often; choose one criterion"
GROUPED = "not where items lie in groups, because it takes every item as independent"


@dataclass(frozen=True)
class Question:
    """What is compared, and by how much the second judge may be worse where somebody stated it."""

    metric: str
    level: Level = "micro"
    criterion: str | None = None
    margin: float | None = None


@dataclass(frozen=True, eq=False)
class _Sheet:
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
    def of(ratings: Ratings, settings: Settings, asked: Question) -> _Sheet:
        item = asked.level == "item"
        shared = shared_items(ratings, settings) if item else shared_decisions(ratings, settings, asked.criterion)
        labels = mode_labels(settings.on(ratings).scheme, settings.abstention)
        k = len(labels)
        a, b = (
            np.where((shared.reference >= 0) & (verdict >= 0), shared.reference * k + verdict, k * k)
            for verdict in shared.verdicts
        )
        clusters = clusters_of(ratings, settings.unit) if settings.by_column else None
        return _Sheet(shared, labels, (a, b), clusters, ratings.n_unique, ratings.multiplicity)

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


def compare_pair(
    ratings: Ratings,
    settings: Settings,
    asked: Question,
    replicates: int,
    rng: np.random.Generator,
    progress: Told | None = None,
    *,
    of_first: dict[bytes, Estimate] | None = None,
) -> Comparison:
    """Return the second judge of the settings against the first; everything is checked already.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        With two judges, A and B.
    asked : Question
    replicates : int
        Random swaps of the permutation test; few units that differ are swapped in all ways.
    rng : Generator
        Source of the random swaps.
    progress : callable, optional
        Told now and then what the permutation test has found so far; stops it by returning True.
    of_first : dict, optional
        The first judge's own value on decisions that it shared with others; what is found here is added.

    Raises
    ------
    InputError
        Where the judges share no decision that the reference has too.
    """
    metric, level, criterion = asked.metric, asked.level, asked.criterion
    sheet = _Sheet.of(ratings, settings, asked)
    shared, k = sheet.shared, sheet.k
    refuse_if_none(ratings, settings, shared, level)
    many = len(shared.criteria) > 1
    statistic = statistic_of(metric, level, settings, many=many)
    cells = sheet.common
    paired = sheet.paired(cells)
    levels = _levels(asked, statistic, many=many)
    values = paired.values(statistic)
    tables = by_criterion(shared, cells, k)
    used = ~np.isnan(statistic.function(tables).sum(0)) if statistic.form == "mean" else np.ones(len(shared.criteria), bool)
    permutations = permutation_tests(
        paired, [statistic, *(statistic for _, statistic in levels.values())], replicates, rng, progress
    )
    permutation = permutations[0]
    intervals = OwnInterval(shared, metric, statistic, settings, used, sheet.clusters)
    clusters = sheet.clusters
    no_mcnemar = POOLED if many else GROUPED if clusters is not None and not clusters.single else ""
    outcome = outcomes_of(shared)
    counts = np.bincount(outcome, weights=shared.weight, minlength=len(OUTCOMES)).astype(np.int64).tolist()
    a, b = (
        Side(
            name=name,
            estimate=_own(intervals, cells[place], tables[place], values[place], {} if place or of_first is None else of_first),
            coverage=float(shared.weight[sheet.cells[place] < k * k].sum() / shared.n),
            n_only=shared.n_only[place],
            block=Block(
                int(tables[place].sum()),
                sheet.labels,
                tables[place].sum(0).astype(np.int64),
                estimates={metric: Estimate(values[place])},
            ),
        )
        for place, name in enumerate(settings.judges)
    )
    sides = a.estimate, b.estimate
    error, difference = paired_difference(paired, statistic, sides, permutation.n_differ, settings, metric)
    difference = replace(
        difference,
        why=difference.why if difference.defined else _why(metric, tables, settings.judges, sheet.labels, statistic),
        of=(int(used.sum()), len(used)) if statistic.form == "mean" else None,
    )
    swaps = permutation.replicates if permutation.stopped else replicates, rng
    others, together = list(levels.values()), Together.of(ratings, settings)
    keys = {"kappa_within": ["kappa"], "weighted_kappa": []}.get(metric, [metric])
    family = catalogue_family(sheet.labels, settings.cost, keys)
    weighted = weighted_difference(
        ratings, shared, cells, k, metric, statistic, others, settings.confidence, swaps, family, together
    )
    weighted = weighted and weighted.held_by(asked.margin, direction(metric), settings.confidence)
    common = Reading(metric, *values, _counted(sheet, cells), difference, permutation.p, settings.confidence)
    return Comparison(
        declaration=declared_by_weights(declaration(ratings, settings, replicates, difference.method), weighted),
        settings=settings,
        metric=metric,
        level=level,
        criterion=criterion,
        a=a,
        b=b,
        difference=difference,
        error=error,
        n_items=paired.n_items,
        n_units=paired.n_units,
        n_shared=shared.n,
        n_no_reference=shared.n_no_reference,
        permutation=permutation,
        mcnemar=None if no_mcnemar else mcnemar(counts[1], counts[2]),
        no_mcnemar=no_mcnemar,
        outcomes=dict(zip(OUTCOMES, counts, strict=True)),
        places=shared.places,
        outcome=outcome,
        readings=_readings(common, asked, levels, paired, permutations[1:], settings, many=many),
        silence=_nonresponse(ratings, settings, asked, sheet, statistic),
        growth=(math.nan, math.nan) if math.isnan(error) else growth(paired.without_one([statistic])[:, 0], paired.weight),
        margin=asked.margin,
        on_criteria=on_criteria(shared, outcome) if many and (clusters is None or clusters.single) else (),
        weighted=weighted,
        cautions=(
            *(f"{side.name}: {why}" for side in (a, b) if (why := labels_in_two_units(side.block))),
            *(warning.message for warning in cautions(ratings, mode=settings.abstention, weighted=weighted is not None)),
        ),
    )


def _own(intervals: OwnInterval, cell: Ints, tables: FloatArray, value: float, known: dict[bytes, Estimate]) -> Estimate:
    """Return a judge's value with its interval, once for the same decisions."""
    shared = intervals.shared
    key = b"".join(array.tobytes() for array in (shared.item, shared.criterion, cell, intervals.used))
    if key not in known:
        known[key] = intervals.estimate(cell, tables, value)
    return known[key]


def declared_by_weights(declared: Declaration, weighted: WeightedDifference | None) -> Declaration:
    """Return a declaration that names the column of weights as used, where a difference by them stands beside the others."""
    return declared if weighted is None else replace(declared, weights=weighted.column, weights_unused="")


def _readings(
    common: Reading,
    asked: Question,
    levels: Mapping[LevelName, tuple[str, Statistic]],
    paired: Paired,
    tests: Sequence[Permutation],
    settings: Settings,
    *,
    many: bool,
) -> dict[LevelName, Reading | None]:
    """Return the comparison at every level, that of the question as it stands."""
    if asked.level == "item":
        return dict.fromkeys(LEVEL_READINGS)
    if not many:
        return {name: common if name != "within" or asked.metric in KAPPAS else None for name in LEVEL_READINGS}
    out: dict[LevelName, Reading | None] = dict.fromkeys(LEVEL_READINGS) | {_of_question(asked): common}
    errors = paired.errors([statistic for _, statistic in levels.values()])
    for (name, (metric, statistic)), test, error in zip(levels.items(), tests, errors, strict=True):
        out[name] = _reading(paired, statistic, float(error), metric, common.n, settings, test.p)
    return out


def _of_question(asked: Question) -> LevelName:
    """Return the reading that was asked for."""
    if BY_KEY[asked.metric].takes == "criteria":
        return "within"
    return "macro" if asked.level == "macro" else "micro"


def _levels(asked: Question, statistic: Statistic, *, many: bool) -> dict[LevelName, tuple[str, Statistic]]:
    """Return the readings beside the one that was asked for."""
    if not many or asked.level == "item":
        return {}
    kappa = asked.metric in KAPPAS
    function = BY_KEY["kappa"].function if kappa else statistic.function
    metric = "kappa" if kappa else asked.metric
    known: dict[LevelName, tuple[str, Statistic]] = {
        "micro": (metric, Statistic(function, "pooled")), "macro": (metric, Statistic(function, "mean")),
    }  # fmt: skip
    if kappa:
        known["within"] = ("kappa_within", Statistic(BY_KEY["kappa_within"].function, "joint"))
    return {name: statistics for name, statistics in known.items() if name != _of_question(asked)}


def _nonresponse(
    ratings: Ratings, settings: Settings, asked: Question, sheet: _Sheet, statistic: Statistic
) -> Nonresponse | None:
    """Return what abstentions do to the comparison; None where nobody abstained on a shared decision."""
    plain = sheet if settings.abstention == "exclude" else _treated(ratings, settings, asked, "exclude")
    if plain is None or not any((side == plain.k**2).any() for side in plain.cells):
        return None
    paired = sheet.paired(sheet.cells)
    n = _counted(sheet, sheet.cells)
    recoded = None if settings.abstention == "as_unmet" else _treated(ratings, settings, asked, "as_unmet")
    return Nonresponse(
        whole=_reading(paired, statistic, paired.error(statistic), asked.metric, n, settings),
        left_open=difference_of(*paired.left_open(statistic), paired.n_units, settings.confidence, 2 * _range(asked.metric)),
        as_unmet=None if recoded is None else _reading_on_cells(recoded, recoded.cells, asked, statistic, settings),
        answered=None if plain is sheet else _reading_on_cells(plain, plain.common, asked, statistic, settings),
    )


def _treated(ratings: Ratings, settings: Settings, asked: Question, mode: Mode) -> _Sheet | None:
    """Return the same decisions with abstentions in another mode; None where the scale, the handling or the metric forbids."""
    scheme = settings.on(ratings).scheme
    other = replace(settings, abstention=mode)
    becomes_class = any(how == "as_category" for _, how in scheme.handling)
    if mode not in modes_of(ratings) or becomes_class or asked.metric not in comparable(ratings, mode):
        return None
    return _Sheet.of(ratings, other, asked)


def _reading_on_cells(
    sheet: _Sheet, cells: tuple[Ints, Ints], asked: Question, statistic: Statistic, settings: Settings
) -> Reading:
    paired = sheet.paired(cells)
    return _reading(paired, statistic, paired.error(statistic), asked.metric, _counted(sheet, cells), settings)


def _reading(
    paired: Paired,
    statistic: Statistic,
    error: float,
    metric: str,
    n: tuple[int, int],
    settings: Settings,
    p: float | None = None,
) -> Reading:
    a, b = paired.values(statistic)
    difference = difference_of(b - a, error, paired.n_units, settings.confidence, _range(metric))
    return Reading(metric, a, b, n, difference, p, settings.confidence)


def _counted(sheet: _Sheet, cells: tuple[Ints, Ints]) -> tuple[int, int]:
    a, b = (int(sheet.shared.weight[side < sheet.k**2].sum()) for side in cells)
    return a, b


def _range(metric: str) -> float:
    """Return the largest difference that two values can have."""
    return BY_KEY[metric].high - BY_KEY[metric].low


def comparable(ratings: Ratings, mode: Mode, cost: bool = False) -> tuple[str, ...]:
    """Return metrics that a judge can change and whose difference has an interval, the scale's own first.

    Parameters
    ----------
    ratings : Ratings
    mode : {"exclude", "as_unmet", "as_category"}
        Abstention mode.
    cost : bool
        Whether there is a cost matrix; κ weighted by it is then the last metric.

    Returns
    -------
    tuple of str
        Keys of the catalogue.
    """
    k, first = len(mode_labels(ratings.scheme, mode)), leading(ratings, mode)
    keys = tuple(record.key for record in applicable(k) if record.has_interval and record.key not in ("prevalence", first))
    return (first, *keys, *(("weighted_kappa",) if cost else ()))


def declaration(ratings: Ratings, settings: Settings, replicates: int, method: str = "") -> Declaration:
    """Return the choices behind a comparison.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
    replicates : int
        Swaps of the permutation test that were asked for.
    method : str
        Of the interval of the difference; empty for the paired jackknife.
    """
    how = {
        "method": method or "paired jackknife", "unit": settings.unit, "confidence": settings.confidence, "test": "permutation",
        "replicates": replicates,
    }  # fmt: skip
    return replace(declaration_of(ratings, settings), interval=how)


def paired_difference(
    paired: Paired, statistic: Statistic, sides: tuple[Estimate, Estimate], n_differ: int, settings: Settings, metric: str
) -> tuple[float, Estimate]:
    """Return the standard error of the difference, and the difference on its own scale with why it has no interval.

    Parameters
    ----------
    paired : Paired
    statistic : Statistic
    sides : (Estimate, Estimate)
        Values of A and of B. Why their difference is undefined is left to the caller.
    n_differ : int
        Units on which the two differ.
    settings : Settings
        Unit and confidence.
    metric : str
        Key of the catalogue, whose range bounds the interval.

    Returns
    -------
    float
        NaN where the jackknife gives no interval.
    Estimate
        Where leaving units out tells nothing, its interval is put together from those of the two sides.
    """
    value = sides[1].value - sides[0].value
    if math.isnan(value):
        return math.nan, Estimate(value)
    if paired.n_units < 2:
        return math.nan, Estimate(value, why=_only_one(settings))
    if not n_differ:
        return math.nan, Estimate(value, why="no item separates them")
    unit = "group" if settings.by_column else "item"
    error = paired.error(statistic)
    if math.isnan(error):
        return math.nan, _mover(sides, metric, f"the difference is undefined when one {unit} is left out")
    if error <= ROUNDING:
        return math.nan, _mover(sides, metric, f"leaving out one {unit} never changes the difference")
    difference = difference_of(value, error, paired.n_units, settings.confidence, _range(metric))
    units = unit_words(settings.unit)
    if paired.n_units < FEW_UNITS:
        note = f"only {several(paired.n_units, units)}"
    else:
        note = f"only {several(n_differ, units)} {'differs' if n_differ == 1 else 'differ'}" if n_differ < FEW_DIFFER else ""
    return error, replace(difference, interval=difference.interval and replace(difference.interval, note=note))


def _mover(sides: tuple[Estimate, Estimate], metric: str, why: str) -> Estimate:
    """Return the difference where the jackknife has no answer: from the judges' own intervals, taken as independent."""
    note = f"{why}, so the interval is put together from those of the two judges, taken as independent"
    made = independent_difference(*sides, _range(metric), note)
    return made if made.width > ROUNDING else Estimate(made.value, why=why)


def _only_one(settings: Settings) -> str:
    if settings.by_column:
        return f"all shared items lie in one of the {unit_words(settings.unit)}"
    return "there is only one shared item"


def _why(metric: str, tables: FloatArray, judges: Sequence[str], labels: Sequence[str], statistic: Statistic) -> str:
    if statistic.form == "mean":
        return "no criterion has a value for both judges"
    for name, table in zip(judges, tables, strict=True):
        reason = why_undefined(BY_KEY[metric], table.sum(0), labels)
        if reason:
            return f"{name}: {reason}"
    return "a value is undefined"

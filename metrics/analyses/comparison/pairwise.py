"""One judge against another: the difference, its interval and its tests, on the decisions both made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.cautions import cautions, labels_in_two_units
from metrics.analyses.comparison.difference import paired_difference, range_of
from metrics.analyses.comparison.levels import (
    LEVEL_READINGS,
    LevelName,
    Nonresponse,
    Reading,
    difference_of,
)
from metrics.analyses.comparison.margin import growth
from metrics.analyses.comparison.paired import Paired, Statistic, statistic_of
from metrics.analyses.comparison.permutation import Permutation, Told, mcnemar, on_criteria, permutation_tests
from metrics.analyses.comparison.readings import direction
from metrics.analyses.comparison.result import OUTCOMES, Comparison, Side
from metrics.analyses.comparison.shared_decisions import (
    OwnInterval,
    Question,
    Sheet,
    by_criterion,
    outcomes_of,
    refuse_if_none,
)
from metrics.analyses.comparison.weighted import WeightedDifference, weighted_difference
from metrics.analyses.evaluation import catalogue_family
from metrics.analyses.grouped_items import differences_alike
from metrics.analyses.leading import leading
from metrics.analyses.records import Block, Declaration
from metrics.analyses.settings import Settings, declaration_of
from metrics.analyses.verification import labelling_of
from metrics.analyses.weighing import Together
from metrics.data.abstention import Mode, mode_labels
from metrics.data.nonverdicts import modes_of
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY, applicable
from metrics.measures.metric import why_undefined
from metrics.results.estimate import Estimate

Ints = NDArray[np.int64]
KAPPAS = ("kappa", "kappa_within")
"""Metrics that have a reading within criteria."""
POOLED = "not on decisions pooled over criteria, where it rejects too often; choose one criterion"
GROUPED = "not where items lie in groups, because it takes every item as independent"


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
    sheet = Sheet.of(ratings, settings, asked)
    shared, cells, clusters, many = sheet.shared, sheet.common, sheet.clusters, len(sheet.shared.criteria) > 1
    refuse_if_none(ratings, settings, shared, asked.level)
    statistic = statistic_of(asked.metric, asked.level, settings, many=many)
    paired, levels, tables = sheet.paired(cells), _levels(asked, statistic, many=many), by_criterion(shared, cells, sheet.k)
    statistics = [statistic, *(other for _, other in levels.values())]
    permutation, *of_levels = permutation_tests(paired, statistics, replicates, rng, progress)
    values = paired.values(statistic)
    used = _in_mean(statistic, tables)
    intervals = OwnInterval(shared, asked.metric, statistic, settings, used, clusters)
    a, b = _sides(sheet, intervals, tables, values, {} if of_first is None else of_first)
    error, difference = paired_difference(
        paired, statistic, (a.estimate, b.estimate), permutation.n_differ, settings, asked.metric
    )
    difference = replace(
        difference,
        why=difference.why if difference.defined else _why(asked.metric, tables, settings.judges, sheet.labels, statistic),
        of=(int(used.sum()), len(used)) if statistic.form == "mean" else None,
    )
    swaps = permutation.replicates if permutation.stopped else replicates
    weighted = _by_weights(ratings, settings, asked, sheet, statistic, list(levels.values()), (swaps, rng))
    common = Reading(asked.metric, *values, _counted(sheet, cells), difference, permutation.p, settings.confidence)
    outcome = outcomes_of(shared)
    counts = np.bincount(outcome, weights=shared.weight, minlength=len(OUTCOMES)).astype(np.int64).tolist()
    alone = clusters is None or clusters.single
    no_mcnemar = POOLED if many else "" if alone else GROUPED
    made = Comparison(
        declaration=declared_by_weights(declaration(ratings, settings, replicates, difference.method), weighted),
        settings=settings,
        metric=asked.metric,
        level=asked.level,
        criterion=asked.criterion,
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
        readings=_readings(common, asked, levels, paired, of_levels, settings, many=many),
        silence=_nonresponse(ratings, settings, asked, sheet, statistic),
        growth=(math.nan, math.nan) if math.isnan(error) else growth(paired.without_one([statistic])[:, 0], paired.weight),
        margin=asked.margin,
        on_criteria=on_criteria(shared, outcome) if many and alone else (),
        weighted=weighted,
        cautions=(
            *(f"{side.name}: {why}" for side in (a, b) if (why := labels_in_two_units(side.block))),
            *(warning.message for warning in cautions(ratings, mode=settings.abstention, weighted=weighted is not None)),
        ),
        in_groups=next((warning.message for warning in differences_alike(ratings, settings)), ""),
    )
    return by_labelling(made, ratings)


def _in_mean(statistic: Statistic, tables: FloatArray) -> NDArray[np.bool_]:
    """Return which criteria a mean takes: those with a value for both judges; every one where there is no mean."""
    return ~np.isnan(statistic.function(tables).sum(0)) if statistic.form == "mean" else np.ones(tables.shape[1], bool)


def _sides(
    sheet: Sheet, intervals: OwnInterval, tables: FloatArray, values: tuple[float, float], of_first: dict[bytes, Estimate]
) -> tuple[Side, Side]:
    """Return both judges on the decisions that count for both."""
    shared, metric = sheet.shared, intervals.metric

    def side(place: int) -> Side:
        table, known = tables[place], {} if place else of_first
        return Side(
            name=intervals.settings.judges[place],
            estimate=_own(intervals, sheet.common[place], table, values[place], known),
            coverage=float(shared.weight[sheet.cells[place] < sheet.k**2].sum() / shared.n),
            n_only=shared.n_only[place],
            block=Block(
                int(table.sum()), sheet.labels, table.sum(0).astype(np.int64), estimates={metric: Estimate(values[place])}
            ),
        )

    return side(0), side(1)


def _by_weights(
    ratings: Ratings,
    settings: Settings,
    asked: Question,
    sheet: Sheet,
    statistic: Statistic,
    others: Sequence[tuple[str, Statistic]],
    swaps: tuple[int, np.random.Generator],
) -> WeightedDifference | None:
    """Return the difference by the weights of items, held against the margin; None where there are no weights."""
    keys = {"kappa_within": ["kappa"], "weighted_kappa": []}.get(asked.metric, [asked.metric])
    weighted = weighted_difference(
        ratings, sheet.shared, sheet.common, sheet.k, asked.metric, statistic, list(others), settings.confidence, swaps,
        catalogue_family(sheet.labels, settings.cost, keys), Together.of(ratings, settings),
    )  # fmt: skip
    return weighted and weighted.held_by(asked.margin, direction(asked.metric), settings.confidence)


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


def _nonresponse(ratings: Ratings, settings: Settings, asked: Question, sheet: Sheet, statistic: Statistic) -> Nonresponse | None:
    """Return what abstentions do to the comparison; None where nobody abstained on a shared decision."""
    plain = sheet if settings.abstention == "exclude" else _treated(ratings, settings, asked, "exclude")
    if plain is None or not any((side == plain.k**2).any() for side in plain.cells):
        return None
    paired = sheet.paired(sheet.cells)
    n = _counted(sheet, sheet.cells)
    recoded = None if settings.abstention == "as_unmet" else _treated(ratings, settings, asked, "as_unmet")
    return Nonresponse(
        whole=_reading(paired, statistic, paired.error(statistic), asked.metric, n, settings),
        left_open=difference_of(*paired.left_open(statistic), paired.n_units, settings.confidence, 2 * range_of(asked.metric)),
        as_unmet=None if recoded is None else _reading_on_cells(recoded, recoded.cells, asked, statistic, settings),
        answered=None if plain is sheet else _reading_on_cells(plain, plain.common, asked, statistic, settings),
    )


def _treated(ratings: Ratings, settings: Settings, asked: Question, mode: Mode) -> Sheet | None:
    """Return the same decisions with abstentions in another mode; None where the scale, the handling or the metric forbids."""
    scheme = settings.on(ratings).scheme
    other = replace(settings, abstention=mode)
    becomes_class = any(how == "as_category" for _, how in scheme.handling)
    if mode not in modes_of(ratings) or becomes_class or asked.metric not in comparable(ratings, mode):
        return None
    return Sheet.of(ratings, other, asked)


def _reading_on_cells(
    sheet: Sheet, cells: tuple[Ints, Ints], asked: Question, statistic: Statistic, settings: Settings
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
    difference = difference_of(b - a, error, paired.n_units, settings.confidence, range_of(metric))
    return Reading(metric, a, b, n, difference, p, settings.confidence)


def _counted(sheet: Sheet, cells: tuple[Ints, Ints]) -> tuple[int, int]:
    a, b = (int(sheet.shared.weight[side < sheet.k**2].sum()) for side in cells)
    return a, b


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


def _why(metric: str, tables: FloatArray, judges: Sequence[str], labels: Sequence[str], statistic: Statistic) -> str:
    if statistic.form == "mean":
        return "no criterion has a value for both judges"
    for name, table in zip(judges, tables, strict=True):
        reason = why_undefined(BY_KEY[metric], table.sum(0), labels)
        if reason:
            return f"{name}: {reason}"
    return "a value is undefined"


def by_labelling(comparison: Comparison, ratings: Ratings) -> Comparison:
    """Return a comparison with what must be known of its labels, and undefined where they cannot tell the judges apart.

    That is where people labelled decisions of one verdict of a judge only: they then are no sample for the other judge either.

    Parameters
    ----------
    comparison : Comparison
    ratings : Ratings
        Those that it was made of.
    """
    found = {name: labelling_of(ratings, name, comparison.settings) for name in comparison.settings.judges}
    told = {name: one for name, one in found.items() if one is not None}
    unknown = {name: why for name, one in told.items() if (why := one.why_unknown(comparison.criterion))}
    notes = tuple(f"{name}: {text}" for name, one in told.items() if (text := one.sentence()))
    comparison = replace(comparison, cautions=(*notes, *comparison.cautions))
    if not unknown:
        return comparison
    name, why = next(iter(unknown.items()))
    nothing = Estimate(math.nan, why=f"{name}: {why}")
    return replace(
        comparison,
        a=_unknown(comparison.a, nothing),
        b=_unknown(comparison.b, nothing),
        difference=nothing,
        error=math.nan,
        permutation=replace(comparison.permutation, p=math.nan),
        mcnemar=None,
        no_mcnemar=nothing.why,
        readings=dict.fromkeys(comparison.readings),
        silence=None,
        growth=(math.nan, math.nan),
        on_criteria=(),
        weighted=None,
    )


def _unknown(side: Side, nothing: Estimate) -> Side:
    block = replace(side.block, estimates=dict.fromkeys(side.block.estimates, nothing))
    return replace(side, estimate=nothing, block=block)

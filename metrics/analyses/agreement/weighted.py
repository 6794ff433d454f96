"""Numbers of items that stand for more or fewer others, by a column `weight`: one over the chance that an item was drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from metrics.analyses.directions import Baseline, Directions, LabelRates
from metrics.analyses.evaluation import Family
from metrics.analyses.item_weights import WeightedItems, column_of, item_weights
from metrics.analyses.records import AgreementReport, Block, JudgeReport, Weighted
from metrics.analyses.settings import Settings
from metrics.analyses.weighing import Drawn, Together, Weighing, over_criteria, small_cells
from metrics.data.aggregation import fold_items, item_verdicts, tables_of_items
from metrics.data.pairs import patterns_of
from metrics.data.patterns import Patterns
from metrics.data.ratings import Ratings
from metrics.intervals.items import coded_in_mode
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import disagreements
from metrics.results import words
from metrics.results.estimate import Estimate

WITHIN = "kappa_within"


def weighted(ratings: Ratings, judge: str, settings: Settings, family: Family) -> Weighted | None:
    """Return the numbers of a judge at every level, every item by its weight; None where no item weighs more than another.

    Ratios of weighted counts (Hájek). Intervals are those of Student's t with n − H degrees of freedom, from a jackknife that
    leaves out one item of a stratum and weighs the others of it up; a stratum is one weight, and one of a single item goes
    with the next. Where the units are groups of items, whole groups are left out, all in one stratum. Where few items disagree,
    or show a label, the wider end of it and of a Dirichlet over as many items of equal weight as they are worth.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    family : Family
        What is computed on the weighted tables.

    Raises
    ------
    InputError
        As `item_weights`.

    References: Korn & Graubard (1998); Rust & Rao (1996), doi:10.1177/096228029600500305.
    """
    weights = item_weights(ratings)
    if weights is None:
        return None
    patterns = patterns_of(ratings, judge, settings.reference)
    coded = coded_in_mode(patterns, ratings.scheme, settings.abstention)
    together = Together.of(ratings, settings)
    asked = Weighing(column_of(ratings), family, settings.asked_confidence, small_cells)
    found = over_criteria(asked, ratings, patterns, weights, coded, ratings.criteria, together)
    if found is None:
        return None
    made, items, by_criterion = found
    tables = _item_tables(ratings, patterns, settings)
    item = None if tables is None else asked.numbers(Drawn.of(ratings, patterns, weights, tables, together).items)
    within = {WITHIN: within_criteria(asked, items, by_criterion)}
    return replace(made, estimates={**made.estimates, **within}, item=item)


def within_criteria(asked: Weighing, items: WeightedItems, by_criterion: Sequence[FloatArray]) -> Estimate:
    """Return kappa within criteria; every replicate leaves the same item out of all of them.

    Parameters
    ----------
    asked : Weighing
    items : WeightedItems
        Of all criteria together.
    by_criterion : sequence of ndarray, shape (G, K, K)
        Of one item of each kind on each criterion.
    """
    every = [items.of_tables(tables) for tables in by_criterion]
    value = float(1 - safe_ratio(*np.sum([disagreements(one.sums.sum(0)) for one in every], axis=0)))
    if np.isnan(value):
        return Estimate(value, None, "no criterion has agreement left to chance")
    if asked.confidence is None:
        return Estimate(value)
    left_out = 1 - safe_ratio(*np.sum([disagreements(one.replicates()) for one in every], axis=0))
    return Estimate(value, asked.around(WITHIN, value, items, left_out))


def weighted_words(report: JudgeReport, said: str = "") -> str:
    """Return the weighted numbers of a judge in a sentence, beside which every decision counts once.

    Parameters
    ----------
    report : JudgeReport
        With weights.
    said : str
        Key of a number over all decisions that was said before.
    """
    numbers = report.weighted
    assert numbers is not None
    keys = [key for key in ("kappa", "accuracy", WITHIN) if key != said and (key != WITHIN or len(numbers.criteria) > 1)]
    shown = list(_said(numbers.estimates, keys))
    if len(numbers.criteria) > 1:
        shown += [
            *(f"mean over criteria of {one}" for one in _said(numbers.macro, ("kappa",))),
        ]
    return (
        f"{words.shorten(report.name)}: weighted by ‘{words.shorten(numbers.column)}’, {words.listed(shown)}, on "
        f"{words.several(numbers.n_items, 'items')} worth {words.count(int(numbers.n_effective))} of equal weight. "
        f"What does not name ‘{words.shorten(numbers.column)}’ counts every decision once."
    )


def _said(estimates: Mapping[str, Estimate], keys: Sequence[str]) -> Iterator[str]:
    for key in keys:
        if key in estimates:
            yield f"{BY_KEY[key].symbol} {words.estimate(estimates[key], BY_KEY[key].unit)}"


def _item_tables(ratings: Ratings, patterns: Patterns, settings: Settings) -> FloatArray | None:
    """Return the table of the item verdicts of each pattern; None where no rule makes any."""
    if not ratings.has_items or ratings.scheme.scale != "binary":
        return None
    mode = settings.abstention
    verdicts = item_verdicts(patterns, ratings.scheme, settings.item_rule, ratings.criteria, as_unmet=mode == "as_unmet")
    return fold_items(tables_of_items(verdicts), mode).astype(np.float64)


def report_by_weight(report: AgreementReport) -> AgreementReport:
    """Return a report with every judge as `by_weight` has it."""
    return replace(report, judges={name: by_weight(judge) for name, judge in report.judges.items()})


def by_weight(judge: JudgeReport) -> JudgeReport:
    """Return a judge whose numbers count every item by its weight; as it is where the file has no weights.

    Tables keep their counts. A direction is told where the weighted interval tells it; strict or lenient is not, for that has no
    weighted test.
    """
    if judge.weighted is None:
        return judge
    return replace(
        judge,
        micro=_weighed(judge.micro, judge.weighted_at("micro")),
        macro=_weighed(judge.macro, judge.weighted_at("macro")),
        item=_weighed(judge.item, judge.weighted_at("item")),
        criteria={name: _weighed(block, judge.weighted_at("micro", name)) for name, block in judge.criteria.items()},
    )


def of_weight(judge: JudgeReport) -> str:
    """Return " by ‘weight’", behind what is weighted; empty where the file has no weights."""
    return "" if judge.weighted is None else f" by ‘{words.shorten(judge.weighted.column)}’"


def _weighed(block: Block, estimates: Mapping[str, Estimate]) -> Block:
    if not estimates:
        return block
    directions = None if block.directions is None else _directions(block.directions, estimates)
    return replace(block, estimates={**block.estimates, **estimates}, directions=directions)


def _directions(known: Directions, estimates: Mapping[str, Estimate]) -> Directions:
    gain = estimates["accuracy"].value - estimates["baseline_accuracy"].value
    sign = known.baseline.sign if np.sign(gain) == known.baseline.sign else 0
    rates = known.label_rates
    if rates is not None:
        shown = rates.n_uneven >= rates.needed
        rates = LabelRates(estimates["drift"].sign * shown, math.nan, rates.n_uneven, rates.needed)
    return Directions(Baseline(gain, sign, math.nan), known.word, known.binary, rates)

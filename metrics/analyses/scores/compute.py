"""Scores of judges against the reference: ordered labels, or the numbers beside them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.agreement.compute import check_overlap
from metrics.analyses.agreement.coverage import coverages
from metrics.analyses.agreement.standing import labelled_block, labelled_numbers
from metrics.analyses.cautions import cautions, labels_in_two_units, labels_of_other_ends
from metrics.analyses.evaluation import Family, per_class
from metrics.analyses.labelling import Labelling
from metrics.analyses.ordered_blocks import blocks_of, not_pooled, rules_of
from metrics.analyses.ordered_catalogue import RECORDS, functions_of, ordered_measures, why_undefined
from metrics.analyses.ordered_coding import Tables, open_of, tables_of
from metrics.analyses.records import Declaration, Warn
from metrics.analyses.scores.people import among_people
from metrics.analyses.scores.result import JudgeScores, On, Pairs, ScoresReport
from metrics.analyses.scores.scored import judge_numbers, number_name, scored_part
from metrics.analyses.scores.warnings import (
    negative_criteria,
    of_own_options,
    rubric_values,
    warnings_of_labels,
    warnings_of_numbers,
    warnings_of_other_scales,
)
from metrics.analyses.scores.weighted import labels_by_weight, numbers_by_weight, weighted_words
from metrics.analyses.settings import Settings, checked, declaration_of, settings_of, weighted_declaration
from metrics.analyses.verification import labelling_of
from metrics.asker import flag
from metrics.data.abstention import Coverage
from metrics.data.arguments import one_of
from metrics.data.checks import takes_ratings
from metrics.data.order import Order, order_of, worth_of_states
from metrics.data.pairs import cells_of, patterns_of, reference_name, reference_states, verdicts, voted
from metrics.data.ratings import Ratings
from metrics.data.references import human_of
from metrics.data.reversed_raters import turned
from metrics.data.scales import scales_of
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.coefficients import penalties
from metrics.measures.metric import Place

INTERVALS = ("auto", "none")


@takes_ratings
def scores(
    ratings: Ratings,
    *,
    reference: str = "auto",
    judges: Sequence[str] | None = None,
    abstention: str = "exclude",
    order: Sequence[str] | None = None,
    values: Mapping[str, float] | None = None,
    on: str | None = None,
    cost: ArrayLike | None = None,
    weights: Mapping[str, float] | None = None,
    interval: str = "auto",
    unit: str = "item",
    confidence: float = 0.95,
    turn: Sequence[str] = (),
) -> ScoresReport:
    """Return how near each judge's options lie to the reference's on ordered labels, or its numbers on a continuous scale.

    On labels: exact and adjacent agreement with their baselines, weighted kappa, rank and linear correlations, and distances in
    what the options are worth. One order holds for all criteria; an option that a criterion lacks stays without a count. Two
    labels are an order as well, the negative one lower. Where some criteria have an order and others do not, those with one
    are counted. On numbers: `metrics.analyses.paired_numbers.measures`. Where the file has a column of weights of items, the
    same by weight stands beside (`weighted`); where `unit` is a column, its intervals leave out whole groups.

    Parameters
    ----------
    ratings : Ratings
        As `metrics.read` returns them.
    reference : str
        `majority` (a tie is an abstention) or `unanimous` of the humans, or one human's name.
    judges : sequence of str, optional
        Default: all.
    abstention : {"exclude", "as_unmet"}
        Drop decisions that a side left open; or count an abstention as the lowest option, on criteria of negative weight as the
        highest. `as_category` is refused: an abstention has no place in an order.
    order : sequence of str, optional
        Labels from low to high; default: the order of the ratings, else the numbers that the labels are.
    values : mapping of label to number, optional
        What options are worth, for the correlation of Pearson and all distances; default: the numbers that the labels are,
        else their places from 1.
    on : {"label", "score"}, optional
        The labels, or the numbers in the columns `human_score` and `score`, of several humans their mean. Default: labels,
        where a criterion has some.
    cost : array_like, shape (K, K), optional
        Cost of every confusion in that order, for one more weighted kappa.
    weights : mapping of criterion to number, optional
        Only their sign counts, with `as_unmet`. Default: those of the rubric in the file.
    interval : {"auto", "none"}
        One decision per item: Wilson for exact and adjacent agreement, the jackknife for distances, the wider of it and the
        quantiles of a Dirichlet for kappa and correlations. Several: the jackknife over items, widened where few items leave
        the commonest option.
    unit : str
        "item", or a column of the file that groups items: what is left out as a whole.
    confidence : float
        In (0, 1).
    turn : sequence of str
        Raters whose scale runs the other way: their lowest option counts as the highest. Labels only.

    Returns
    -------
    ScoresReport

    Raises
    ------
    InputError
        For an unknown choice, labels without an order, and ratings that lack a human, a judge or a shared item.
    """
    wanted = _on(ratings, on)
    one_of("interval", interval, INTERVALS, " of scores")
    settings = settings_of(
        scored_part(ratings, wanted, order),
        reference=reference,
        judges=judges,
        interval=interval,
        unit=unit,
        confidence=confidence,
        scores=wanted == "score",
    )
    settings = replace(settings, abstention=abstention)  # type: ignore[arg-type]
    return scores_of(ratings, settings, on=wanted, order=order, values=values, cost=cost, weights=weights, turn=turn)


def scores_of(
    ratings: Ratings,
    settings: Settings,
    *,
    on: On | None = None,
    order: Sequence[str] | None = None,
    values: Mapping[str, float] | None = None,
    cost: ArrayLike | None = None,
    weights: Mapping[str, float] | None = None,
    turn: Sequence[str] = (),
) -> ScoresReport:
    """Return the distances and correlations of the judges under settings that are made already, as `scores` does.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        Of the reference, the judges, the abstentions and the intervals.
    on, order, values, cost, weights, turn
        See `scores`.

    Raises
    ------
    InputError
        As `scores`.
    """
    wanted = _on(ratings, on)
    part = scored_part(ratings, wanted, order)
    asked = settings.abstention, order, values, cost
    if turn and wanted == "score":
        raise InputError("Numbers have no lowest and highest option, so only labels can be turned. Turn the numbers in the file.")
    if turn:
        part = turned(part, turn, order_of(part.scheme, order, values or rubric_values(part), part.source.name))
    one_of("interval", settings.interval, INTERVALS, " of scores")
    settings = checked(part, replace(settings, abstention="exclude"), scores=wanted == "score")
    negative = negative_criteria(ratings, weights)
    place: Place = "numbers headline" if wanted == "score" else "scores headline"
    report = _of_numbers(part, settings, asked) if wanted == "score" else _of_labels(part, settings, negative, *asked)
    return replace(
        report,
        warnings=(
            *warnings_of_other_scales(ratings, part, wanted),
            *cautions(
                part, of_labels=wanted == "label", mode=report.settings.abstention, weighted=bool(report.declaration.weights)
            ),
            *report.warnings,
            *(
                Warn("weighted", text)
                for judge in report.judges.values()
                for text in weighted_words(judge.name, judge.weighted, place)
            ),
        ),
        turned=tuple(turn),
    )


def _of_labels(
    ratings: Ratings,
    settings: Settings,
    negative: Collection[str],
    abstention: str,
    order: Sequence[str] | None,
    values: Mapping[str, float] | None,
    cost: ArrayLike | None,
) -> ScoresReport:
    mode = open_of(abstention, ratings.scheme)
    settings = replace(settings, abstention=mode)
    ranked = order_of(ratings.scheme, order, values or rubric_values(ratings), ratings.source.name)
    costs = None if cost is None else _cost(cost, ranked)
    turned = tuple(name for name in ratings.criteria if name in negative) if mode == "as_unmet" else ()
    judges = {
        name: _by_labelling(
            judge_scores(ratings, name, settings, ranked, costs, turned),
            labelling_of(ratings, name, replace(settings, abstention="exclude")),
        )
        for name in settings.judges
    }
    _check_overlap(ratings, judges)
    declaration = replace(_declared(ratings, settings, judges), scale="ordinal", scales={})
    warned = warnings_of_labels(ratings, judges, ranked)
    return ScoresReport(declaration, settings, "label", ranked, judges, warned, costs, turned)


def _of_numbers(ratings: Ratings, settings: Settings, asked: tuple[object, ...]) -> ScoresReport:
    if asked[0] != "exclude":
        raise InputError("Only labels can be recoded: an abstention has no number. Use the abstention mode exclude with scores.")
    for name, given in zip(("order", "values", "cost"), asked[1:], strict=True):
        if given is not None:
            raise InputError(f"{name}: scores are numbers already. Leave it out, or compare labels.")
    confidence = settings.asked_confidence
    of_several = human_of(reference_name(ratings, settings.reference), ratings.humans) is None
    judges = {
        name: replace(
            judge_numbers(ratings, name, settings.reference, settings.unit, confidence),
            weighted=numbers_by_weight(ratings, name, settings),
            people=among_people(ratings, name, settings.unit, confidence) if of_several else None,
        )
        for name in settings.judges
    }
    _check_overlap(ratings, judges)
    if not any(judge.coverage.n_covered for judge in judges.values()):
        total = sum(judge.coverage.n_total for judge in judges.values())
        lacks = [who for who, n in (("reference", _lost(judges, 0)), ("judge", _lost(judges, 1))) if n == total]
        who = f"the {lacks[0]} has no numbers" if lacks else "no decision has a number on both sides"
        raise InputError(
            f"{ratings.source.name}: {who}. Name the columns score (of the judge) and human_score (of the human): "
            + flag("--columns", {"score": "COLUMN", "human_score": "COLUMN"}, "on the Data page")
        )
    called = number_name(ratings, settings.reference)
    declaration = replace(_declared(ratings, settings, judges), scale="continuous", scales={}, reference=called)
    return ScoresReport(declaration, settings, "score", None, judges, warnings_of_numbers(judges))


def _declared(ratings: Ratings, settings: Settings, judges: Mapping[str, JudgeScores]) -> Declaration:
    weighted = any(judge.weighted is not None for judge in judges.values())
    return (weighted_declaration if weighted else declaration_of)(ratings, settings)


def _lost(judges: Mapping[str, JudgeScores], side: int) -> int:
    """Return decisions without a number of the reference, or of the judge."""
    pair_counts = [judge.coverage for judge in judges.values() if isinstance(judge.coverage, Pairs)]
    return sum((pairs.n_no_reference, pairs.n_no_judge)[side] for pairs in pair_counts)


def _on(ratings: Ratings, on: str | None) -> On:
    """Return what is compared: as asked, else labels, or numbers where they stand in the place of all labels."""
    if on is None:
        return "score" if not scales_of(ratings).of("binary", "pairwise", "ordinal", "nominal") else "label"
    for known in get_args(On):
        if on == known:
            return known  # type: ignore[no-any-return]
    raise InputError(f"Unknown choice {on!r} of what is compared. Use label or score.")


def _check_overlap(ratings: Ratings, judges: Mapping[str, JudgeScores]) -> None:
    """Raise the error of `agreement` where no item is shared."""
    coverages = [judge.coverage for judge in judges.values()]
    n_errors = sum(coverage.n_errors for coverage in coverages if isinstance(coverage, Coverage))
    check_overlap(ratings, sum(coverage.n_total for coverage in coverages), n_errors)


def judge_scores(
    ratings: Ratings,
    judge: str,
    settings: Settings,
    order: Order,
    cost: FloatArray | None = None,
    highest: Collection[str] = (),
) -> JudgeScores:
    """Return all blocks of one judge; cost grows with the number of distinct items, not with rows.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        With the abstention mode "exclude" or "as_unmet".
    order : Order
    cost : ndarray, shape (K, K), optional
        Cost of every confusion in that order, for one more weighted kappa.
    highest : collection of str
        Criteria on which a recoded abstention is the highest option.
    """
    tables = judge_tables(ratings, judge, settings, order, highest)
    blocks = blocks_of(tables, family_of(order, cost), settings.asked_confidence)
    weighted = labels_by_weight(ratings, tables, family_of(order, cost), settings)
    apart = of_own_options(ratings)
    if apart is not None:
        pooled = replace(blocks.pooled, estimates=not_pooled(blocks.pooled.estimates, order, *apart))
        blocks = replace(blocks, pooled=pooled)
        weighted = weighted and replace(weighted, estimates=not_pooled(weighted.estimates, order, *apart))
    apart_in = {name: labels_in_two_units(block) for name, block in blocks.criteria.items()}
    patterns, scheme = patterns_of(ratings, judge, settings.reference), ratings.scheme
    coverage, criterion_coverage = coverages(ratings, judge, settings.reference)
    return JudgeScores(
        name=judge,
        pooled=blocks.pooled,
        mean=blocks.mean,
        criteria=blocks.criteria,
        coverage=coverage,
        criterion_coverage=criterion_coverage,
        n_items=patterns.n_rated(scheme.end_of_rated) if ratings.has_items else None,
        n_used=tables.n_items if ratings.has_items else None,
        two_units={name: why for name, why in apart_in.items() if why},
        weighted=weighted,
        other_ends={name: why for name, block in blocks.criteria.items() if (why := labels_of_other_ends(block))},
        upper_less_lower=_upper_less_lower(ratings, judge, settings.reference, order),
    )


def _by_labelling(scores: JudgeScores, labelling: Labelling | None) -> JudgeScores:
    """Return the numbers of one judge without those that its labels cannot tell."""
    scores = replace(scores, labelling=labelling)
    if labelling is None or not labelling.chosen_by_verdict:
        return scores
    return replace(
        scores,
        pooled=labelled_block(scores.pooled, labelling),
        mean=labelled_block(scores.mean, labelling),
        criteria={name: labelled_block(block, labelling, name) for name, block in scores.criteria.items()},
        weighted=scores.weighted and labelled_numbers(scores.weighted, labelling),
        other_ends={} if labelling.only is not None else scores.other_ends,
    )


def _upper_less_lower(ratings: Ratings, judge: str, reference: str, order: Order) -> dict[str | None, float]:
    """Return how far the upper of two middle labels of people lies above the lower one; see `JudgeScores`."""
    people = voted(ratings, reference)
    if not people.between_labels.any():
        return {}
    cells, value = cells_of(ratings), worth_of_states(ratings.scheme, order)
    lower, of_judge = value[reference_states(ratings, reference)], value[verdicts(ratings, judge, "judge")]
    counted = ~np.isnan(lower) & ~np.isnan(of_judge)
    weight = ratings.weight[cells.item] * counted
    gap = np.where(people.between_labels & counted, value[people.upper] - lower, 0.0) * weight
    n, sums = (np.bincount(cells.criterion, weights=of, minlength=len(ratings.criteria)) for of in (weight, gap))
    gaps: dict[str | None, float] = {None: float(safe_ratio(sums.sum(), n.sum()))}
    gaps.update(zip(ratings.criteria, safe_ratio(sums, n).tolist(), strict=True))
    return gaps


def judge_tables(ratings: Ratings, judge: str, settings: Settings, order: Order, highest: Collection[str] = ()) -> Tables:
    """Return the items behind one judge's blocks.

    Parameters
    ----------
    ratings, judge, settings, order, highest
        As in `judge_scores`.
    """
    return tables_of(
        ratings,
        judge,
        settings.reference,
        order,
        "as_unmet" if settings.abstention == "as_unmet" else "exclude",
        highest,
        settings.unit if settings.by_column else None,
    )


def family_of(order: Order, cost: FloatArray | None = None) -> Family:
    """Return every number of ordered classes.

    Parameters
    ----------
    order : Order
    cost : ndarray, shape (K, K), optional
        Cost of every confusion, for one more weighted kappa.
    """
    measures = ordered_measures(with_cost=cost is not None)
    return Family(
        functions=functions_of(order, cost),
        with_interval=tuple(measure.key for measure in measures if measure.has_interval),
        why=lambda key, counts: why_undefined(RECORDS[key], counts, order, cost),
        labels=order.classes,
        rules=rules_of(order),
        more=lambda counts: per_class(counts, order.classes),
    )


def _cost(cost: ArrayLike, order: Order) -> FloatArray:
    try:
        return penalties(order.k, np.asarray(cost, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise InputError(f"The cost matrix of {' < '.join(order.classes)}: {error}.") from None

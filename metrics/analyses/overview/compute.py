"""The first answer to how good a judge is: from ratings to the verdict, by the numbers of the other analyses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.abstention.relation import relation
from metrics.analyses.agreement.compute import agreement_of
from metrics.analyses.agreement.standing import in_two_units
from metrics.analyses.agreement.weighted import report_by_weight
from metrics.analyses.biases.compute import biases_of
from metrics.analyses.biases.result import BiasReport
from metrics.analyses.comparison.compute import contest_of, question_of
from metrics.analyses.comparison.forest import Forest
from metrics.analyses.comparison.result import Comparison
from metrics.analyses.comparison.shared_decisions import Question
from metrics.analyses.ensembles.runs import SelfAgreement, raters_with_runs, run_votes, self_agreement_of
from metrics.analyses.multiverse.pooling import pooling
from metrics.analyses.overview.grounds import Grounds, no_verdict, relation_to_leader
from metrics.analyses.overview.items import TWO_UNITS, Chosen, disputed_items, far_items, wrong_items
from metrics.analyses.overview.readings import verdict_of
from metrics.analyses.overview.readings_numbers import LEADING, NEARNESS, NumberGrounds, headline_of, order_of_judges
from metrics.analyses.overview.readings_numbers import no_verdict as no_verdict_on_numbers
from metrics.analyses.overview.readings_numbers import verdict_of as verdict_on_numbers
from metrics.analyses.overview.readings_raters import verdict_of as verdict_on_raters
from metrics.analyses.overview.result import CriterionRow, JudgeRow, Overview, Relation
from metrics.analyses.overview.steps import in_doubt, steps_of, steps_of_numbers, steps_of_raters
from metrics.analyses.preferences.compute import Preferences, preferences
from metrics.analyses.raters.ceiling import Ceiling, human_ceiling, rule_for
from metrics.analyses.raters.compute import raters
from metrics.analyses.raters.evidence import Evidence, evidence
from metrics.analyses.raters.result import STATISTICS, RatersReport
from metrics.analyses.raters.units import units_of
from metrics.analyses.records import AgreementReport, JudgeReport
from metrics.analyses.roc.two_judges import ScoreComparison, compare_scores
from metrics.analyses.scores.compute import scores
from metrics.analyses.scores.result import JudgeScores, On, ScoresReport
from metrics.analyses.settings import Settings, settings_of
from metrics.data.checks import takes_ratings
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.errors import InputError, NothingShared
from metrics.intervals.methods import PLACES
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.results import words
from metrics.results.estimate import Estimate

NOT_HERE = Estimate(math.nan)
MOST_LABELS = 200_000
"""Labels up to which a first look asks what sways the judge: beyond, that alone takes as long as all else."""
MOST_MET = 50
"""Judges above which they are not compared with each other: each takes as long as its own numbers."""


@takes_ratings
def overview(
    ratings: Ratings,
    *,
    abstention: str = "exclude",
    reference: str = "auto",
    judges: Sequence[str] | None = None,
    cost: str | ArrayLike | None = None,
    item_rule: str = "all",
    threshold: float | None = None,
    weights: Mapping[str, float] | None = None,
    interval: str = "auto",
    unit: str = "item",
    replicates: int = 2000,
    confidence: float = 0.95,
    rng: int | np.random.Generator | None = None,
    handling: Mapping[str, str] | None = None,
) -> Overview:
    """Return how good the judge is in a few statements, the leaderboard, the weakest criteria, items to read and what to do next.

    No number is computed here: each is that of the analysis which the statement speaks of. Numbers are read by their correlation,
    ordered labels by κ with quadratic weights, other labels by κ, over several criteria within each of them. Without a judge the
    answer is whether the people agree well enough to serve as a reference.

    Parameters
    ----------
    ratings : Ratings
        As `metrics.read` returns them.
    abstention, reference, judges, cost, item_rule, threshold, weights, interval, unit, replicates, confidence, rng, handling
        As in `metrics.agreement`. Of numbers and of raters those count that they have.

    Returns
    -------
    Overview

    Raises
    ------
    InputError
        As `metrics.agreement`; without a judge as `metrics.raters`.
    """
    alone = len(ratings.raters) > 1 and ratings.has_items and not (ratings.humans and ratings.judges)
    if alone and (not ratings.judges or not ratings.humans):
        return _of_raters(ratings, abstention, interval, confidence, handling)
    settings = settings_of(
        ratings, abstention=abstention, reference=reference, judges=judges, cost=cost, item_rule=item_rule, threshold=threshold,
        weights=weights, interval=interval, unit=unit, replicates=replicates, confidence=confidence, rng=rng, handling=handling,
        scores=True,
    )  # fmt: skip
    return overview_of(ratings, settings)


def overview_of(ratings: Ratings, settings: Settings, report: AgreementReport | None = None) -> Overview:
    """Return the overview of judges under settings that are made already, as `overview` does.

    Parameters
    ----------
    ratings : Ratings
        With a human and a judge.
    settings : Settings
    report : AgreementReport, optional
        Of these ratings under these settings, where it was made already.

    Raises
    ------
    InputError
        As `overview`.
    """
    if scales_of(ratings).used == ("continuous",):
        return _of_numbers(ratings, settings, "score")
    report = report or agreement_of(ratings, settings)
    if scales_of(ratings).used == ("ordinal",) and any(in_two_units(judge) for judge in report.judges.values()):
        return _of_numbers(ratings, settings, "label")
    return _of_labels(ratings, settings, report)


def _of_labels(ratings: Ratings, settings: Settings, report: AgreementReport) -> Overview:
    settings = replace(settings, judges=tuple(report.judges))
    asked = _question(ratings, settings, report)
    forest, not_compared = _forest(ratings, settings, report, asked)
    weighed = report_by_weight(report)
    leader = _leader(weighed, asked, forest)
    grounds = _grounds(ratings, settings, (report, weighed), leader, asked, forest, not_compared)
    verdict = verdict_of(grounds)
    key = grounds.pooled_key
    rows = _worst_first([_criterion_row(name, grounds, key) for name in grounds.judge.criteria])
    chosen = wrong_items(ratings, settings, [row.name for row in rows])
    return Overview(
        declaration=report.declaration,
        scale=_scale(ratings),
        answers="judge",
        metric=asked.metric,
        level=asked.level,
        criterion_metric=key,
        symbol=grounds.symbol,
        criterion_symbol=grounds.pooled_symbol,
        leader=leader,
        ceiling=NOT_HERE if grounds.ceiling is None else grounds.ceiling.human,
        verdict=verdict,
        judges=_judge_rows((report, weighed), asked, forest, leader),
        criteria=rows,
        items=chosen.rows,
        n_items_wrong=chosen.n,
        next=steps_of(grounds, verdict, *_people_why(ratings, settings)),
        items_alike=chosen.alike,
        no_items=chosen.why_none,
        confusion=tuple(tuple(row) for row in np.asarray(grounds.pooled.confusion).tolist()),
    )


def _question(ratings: Ratings, settings: Settings, report: AgreementReport) -> Question:
    """Return the number by which judges are read: that of a comparison, where the report has it."""
    asked = question_of(ratings, None, None, None, settings.abstention)
    first = next(iter(report.judges.values()))
    return asked if asked.metric in first.level(asked.level) else Question("kappa", "micro", None)


def _forest(ratings: Ratings, settings: Settings, report: AgreementReport, asked: Question) -> tuple[Forest | None, str]:
    """Return every judge of which a verdict can be given against the best of them, or why they are not compared."""
    names = tuple(name for name, judge in report.judges.items() if not no_verdict(judge))
    if len(names) < 2:
        return None, ""
    if not ratings.has_items:
        return None, "a table of counts does not say which items both saw"
    if settings.interval == "none" or settings.unit in PLACES[1:]:
        return None, "that takes an interval by items"
    contest = contest_of(ratings, None, asked, replace(settings, judges=names, interval="auto"), report=report)
    met: list[Comparison] = []
    for place in range(len(contest.others)):
        with suppress(NothingShared):
            met.append(contest.meet(place))
    if not met:
        return None, f"no other judge answered what {words.shorten(contest.baseline)} answered"
    return contest.forest(met), ""


def _leader(report: AgreementReport, asked: Question, forest: Forest | None) -> str:
    """Return the first judge: the one that the others are compared with, else the one with the highest value."""
    if forest is not None:
        return forest.baseline

    def rank(name: str) -> tuple[bool, float]:
        value = report.judges[name].level(asked.level)[asked.metric].value
        return not no_verdict(report.judges[name]), -math.inf if math.isnan(value) else value

    return max(report.judges, key=rank)


def _grounds(
    ratings: Ratings,
    settings: Settings,
    reports: tuple[AgreementReport, AgreementReport],
    leader: str,
    asked: Question,
    forest: Forest | None,
    not_compared: str,
) -> Grounds:
    (counted, report), scales = reports, scales_of(ratings)
    once, judge = counted.judges[leader], report.judges[leader]
    two = len(judge.micro.labels) == 2 or "kappa_within" in judge.micro
    ordered = QUADRATIC_KAPPA.key in judge.micro
    return Grounds(
        report=report,
        judge=judge,
        once=once,
        metric=asked.metric,
        level=asked.level,
        bounds=bounds(ratings, leader, settings),
        silence=None if settings.interval == "none" or settings.by_column else relation(ratings, leader, settings),
        named_errors=scales.named_errors,
        ceiling=_ceiling(ratings, leader, settings),
        pooling=pooling(ratings, leader, settings, once) if two and not ordered else None,
        preferences=_preferences(ratings, leader, settings) if scales.used == ("pairwise",) else None,
        scores=_scores(ratings, settings, "label") if ordered else None,
        forest=forest,
        not_compared=not_compared,
        runs=_runs(ratings, leader, settings),
        biases=_biases(ratings, leader, settings),
    )


def _biases(ratings: Ratings, judge: str, settings: Settings) -> BiasReport | None:
    if settings.interval == "none" or not ratings.has_rows or len(ratings.label) > MOST_LABELS:
        return None
    return biases_of(ratings, replace(settings, judges=(judge,)))


def _runs(ratings: Ratings, judge: str, settings: Settings) -> SelfAgreement | None:
    if judge not in raters_with_runs(ratings):
        return None
    runs = run_votes(ratings, judge, mode=settings.abstention, reference=settings.reference)
    return self_agreement_of(runs, judge, confidence=settings.confidence)


def _ceiling(ratings: Ratings, judge: str, settings: Settings) -> Ceiling | None:
    # What a human left out reaches has its interval by single items, too narrow where several of them may err together.
    if len(ratings.humans) < 2 or not ratings.has_items or settings.interval == "none" or settings.by_column:
        return None
    handled, rule = settings.on(ratings), rule_for(ratings, settings.reference)
    return human_ceiling(handled, judge, abstention=settings.abstention, reference=rule, confidence=settings.confidence)


def _preferences(ratings: Ratings, judge: str, settings: Settings) -> Preferences | None:
    if settings.abstention != "exclude":
        return None
    interval = "none" if settings.interval == "none" else "auto"
    try:
        return preferences(ratings, judge, reference=settings.reference, interval=interval, confidence=settings.confidence)
    except InputError:
        return None


def _scores(ratings: Ratings, settings: Settings, on: On) -> ScoresReport:
    unit = settings.unit if settings.by_column else "item"
    return scores(
        ratings, reference=settings.reference, judges=settings.judges, unit=unit, confidence=settings.confidence,
        interval="none" if settings.interval == "none" else "auto", on=on,
    )  # fmt: skip


def _people_why(ratings: Ratings, settings: Settings) -> tuple[RatersReport | None, Evidence | None]:
    """Return how people agree, and what their labels show of why they do not where they fail the gate."""
    if len(ratings.humans) < 2 or not ratings.has_items or settings.interval == "none":
        return None, None
    handled, mode, confidence = settings.on(ratings), settings.abstention, settings.confidence
    people = raters(handled, role="human", abstention=mode, confidence=confidence)
    why = evidence(handled, role="human", abstention=mode, confidence=confidence) if in_doubt(people) else None
    return people, why


def _scale(ratings: Ratings) -> str:
    used = scales_of(ratings).used
    return used[0] if len(used) == 1 else "mixed"


def _judge_rows(
    reports: tuple[AgreementReport, AgreementReport], asked: Question, forest: Forest | None, leader: str
) -> tuple[JudgeRow, ...]:
    """Return every judge, each decision counted once, and behind it the same by weight where the file has weights."""

    def row(judge: JudgeReport, relation: Relation, difference: Estimate, p: float | None) -> JudgeRow:
        estimate, agreement = judge.level(asked.level)[asked.metric], judge.micro["accuracy"]
        return JudgeRow(
            judge.name, judge.micro.n or 0, estimate, agreement, judge.coverage.coverage, relation, difference,
            None if p is None or math.isnan(p) else p,
        )  # fmt: skip

    def both(name: str) -> JudgeRow:
        counted, weighed = (report.judges[name] for report in reports)
        relation, comparison, p = relation_to_leader(forest, name, leader)
        if comparison is None or forest is None:
            once, by_weight = (row(judge, relation, NOT_HERE, None) for judge in (counted, weighed))
        else:
            once = row(counted, relation, comparison.difference, forest.met[name][1])
            by_weight = row(weighed, relation, comparison.decisive[0].difference, p)
        return once if counted.weighted is None else replace(once, weighted=by_weight)

    return _best_first([both(name) for name in reports[0].judges])


def _best_first(rows: Sequence[JudgeRow]) -> tuple[JudgeRow, ...]:
    return tuple(
        sorted(
            rows,
            key=lambda row: (
                row.relation != "leader",
                not row.shown.estimate.defined,
                -row.shown.estimate.value if row.shown.estimate.defined else 0.0,
            ),
        )
    )


def _criterion_row(name: str, grounds: Grounds, key: str) -> CriterionRow:
    block = grounds.once.criteria[name]
    table = np.asarray(block.confusion)
    note = "{}: only {}".format(*block.one_sided) if block.one_sided else ""
    weighted = grounds.judge.criteria[name][key] if grounds.of_weight else None
    return CriterionRow(name, block.n or 0, block[key], int(table.sum() - np.trace(table)), note, weighted)


def _worst_first(rows: Sequence[CriterionRow]) -> tuple[CriterionRow, ...]:
    return tuple(
        sorted(rows, key=lambda row: (bool(row.note), not row.shown.defined, row.shown.value if row.shown.defined else 0.0))
    )


def _of_numbers(ratings: Ratings, settings: Settings, on: On) -> Overview:
    """Return the overview by correlations alone: of numbers, and of labels that are numbers in two units."""
    report = _scores(ratings, settings, on)
    ordered = order_of_judges(report)
    met = _met(ratings, report, ordered[0], LEADING[on])
    nearness = {} if ordered[0].own_unit else _met(ratings, report, ordered[0], NEARNESS)
    grounds = NumberGrounds(report, ordered[0], met, nearness)
    settings = replace(settings, judges=tuple(report.judges), reference=report.declaration.reference)
    verdict = verdict_on_numbers(grounds)
    chosen = far_items(ratings, settings, list(grounds.judge.two_units)) if on == "score" else Chosen((), 0, TWO_UNITS)
    rows = tuple(
        JudgeRow(
            judge.name, judge.pooled.n or 0, headline_of(judge, grounds.key), NOT_HERE, judge.coverage.coverage,
            "leader" if judge is ordered[0] else grounds.relations.get(judge.name, "not compared"),
            grounds.against[judge.name].difference if judge.name in grounds.against else NOT_HERE,
        )
        for judge in ordered
    )  # fmt: skip
    criteria = [
        CriterionRow(name, block.n or 0, block[grounds.key], note="two units" if name in grounds.judge.two_units else "")
        for name, block in grounds.judge.criteria.items()
    ]
    return Overview(
        declaration=report.declaration,
        scale=_scale(ratings),
        answers="judge",
        metric=grounds.key,
        level="macro" if grounds.many else "micro",
        criterion_metric=grounds.key,
        symbol=grounds.symbol,
        criterion_symbol=grounds.short,
        leader=grounds.judge.name,
        ceiling=NOT_HERE if grounds.judge.people is None else grounds.judge.people.human,
        verdict=verdict,
        judges=rows,
        criteria=_worst_first(criteria),
        items=chosen.rows,
        n_items_wrong=chosen.n,
        next=steps_of_numbers(grounds, {statement.kind for statement in verdict}, any_items=bool(chosen.rows)),
        items_alike=chosen.alike,
        no_items=chosen.why_none,
    )


def _met(ratings: Ratings, report: ScoresReport, judge: JudgeScores, key: str) -> Mapping[str, ScoreComparison]:
    """Return every other judge of numbers against one, by a number; labels, groups and many are not compared."""
    settings = report.settings
    others = [
        name
        for name, other in report.judges.items()
        if name != judge.name and not no_verdict_on_numbers(other, key) and not (key == NEARNESS and other.own_unit)
    ]
    if report.on != "score" or settings.unit != "item" or settings.interval == "none" or not 0 < len(others) < MOST_MET:
        return {}
    level = "macro" if len(judge.criteria) > 1 else "micro"
    met = {}
    for name in others:
        with suppress(NothingShared):
            met[name] = compare_scores(
                ratings, judge.name, name, key, level=level, reference=settings.reference, confidence=settings.confidence
            )
    return met


def _of_raters(
    ratings: Ratings, abstention: str, interval: str, confidence: float, handling: Mapping[str, str] | None
) -> Overview:
    kind = "none" if interval == "none" else "auto"
    report = raters(ratings, abstention=abstention, interval=kind, confidence=confidence, handling=handling)
    mode = report.declaration.abstention
    shown = evidence(ratings, role=None, abstention=mode, confidence=confidence)
    units = units_of(ratings, mode=mode)
    chosen: Chosen = disputed_items(ratings, units)
    rows = [
        CriterionRow(name, block.n_pairable, block[block.judged], note=block.gate.reason)
        for name, block in ((name, report.criteria[name]) for name in report.by_need())
    ]
    key = report.pooled.judged
    return Overview(
        declaration=report.declaration,
        scale=_scale(ratings),
        answers="judges" if report.role == "judge" else "people",
        metric=key,
        level="micro",
        criterion_metric=key,
        symbol=STATISTICS[key].symbol,
        criterion_symbol=STATISTICS[key].symbol,
        leader="",
        ceiling=NOT_HERE,
        verdict=verdict_on_raters(report),
        judges=(),
        criteria=tuple(rows),
        items=chosen.rows,
        n_items_wrong=chosen.n,
        next=steps_of_raters(report, shown),
        items_alike=chosen.alike,
        no_items=chosen.why_none,
    )

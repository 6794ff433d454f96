"""Floors under a metric: does the lower end of every judge's interval reach them?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from metrics.analyses.abstention.bounds import Bounds
from metrics.analyses.agreement.weighted import by_weight, of_weight
from metrics.analyses.comparison.readings import direction
from metrics.analyses.planning.compute import plan_floor
from metrics.analyses.planning.sizes import POWER, about
from metrics.analyses.records import AgreementReport, Block, JudgeReport
from metrics.data.aggregation import LEVELS, Level
from metrics.errors import InputError
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

OPTION, WARNING = "--fail-under", "Warning:"
BoundsOf = Callable[[str, Level], Bounds]
GroupsOf = Callable[[str, Level], tuple[int, str] | None]
COMPLEMENT = {"fpr": "specificity", "fnr": "recall"}
"""Rates of errors, and the metric that a floor can be put under in their place."""


@dataclass(frozen=True)
class Threshold:
    """The least that the lower end of an interval may be."""

    level: Level
    metric: str
    line: float


def floor_of(text: str, option: str = OPTION) -> Threshold:
    """Return `kappa=0.6` (micro) or `macro.kappa=0.6` as a floor, or as what another option takes.

    Raises
    ------
    InputError
        For an unknown level or metric, or a line that is no number.
    """
    name, equals, number = text.rpartition("=")
    if not equals:
        raise InputError(f"{option}: {text!r} has no “=”. Write it as kappa=0.6 or macro.kappa=0.6.")
    level, dot, metric = name.strip().rpartition(".")
    level = level if dot else "micro"
    known_level = next((known for known in get_args(Level) if known == level), None)
    if known_level is None:
        raise InputError(f"{option}: unknown level {level!r}. Use one of: {', '.join(LEVELS)}.")
    if metric not in BY_KEY:
        raise InputError(f"{option}: unknown metric {metric!r}. Use one of: {', '.join(BY_KEY)}.")
    try:
        line = float(number)
    except ValueError:
        line = float("nan")
    if not math.isfinite(line):
        raise InputError(f"{option}: {number!r} is no number. Write it as kappa=0.6.")
    return Threshold(known_level, metric, line)


def failures(report: AgreementReport, floors: Sequence[Threshold], groups_of: GroupsOf) -> list[str]:
    """Return what is below each floor, for every judge whose lower end is, or that has none; empty where all hold.

    The numbers are those by weight where the file has weights. Where more items would show that the floor is reached, it is said
    how many.

    Parameters
    ----------
    report : AgreementReport
    floors : sequence of Threshold
    groups_of : callable
        As `metrics.analyses.planning.independence.groups_behind`, of a judge at a level.

    Raises
    ------
    InputError
        For a report without intervals, a rate of errors, or a metric that is not computed at the level.
    """
    if floors and report.declaration.interval["method"] == "none":
        raise InputError(f"{OPTION} looks at the lower end of the interval. Leave out --interval none.")
    for floor in floors:
        if other := COMPLEMENT.get(floor.metric):
            raise InputError(f"{OPTION}: less {floor.metric} is better. State the least {other} instead, 1 less it: {other}=0.9.")
        record = BY_KEY[floor.metric]
        if direction(floor.metric) <= 0:
            raise InputError(f"{OPTION}: more {floor.metric} is not better, so a floor under it says nothing of the judge.")
        if floor.line > record.high:
            raise InputError(f"{OPTION}: {floor.metric} is at most {record.high:g}, so no judge reaches {floor.line:g}.")
    sentences = []
    for floor in floors:
        for judge in report.judges.values():
            block = by_weight(judge).level(floor.level)
            if floor.metric not in block.values:
                known = ", ".join(key for key in block.values if BY_KEY[key].has_interval)
                raise InputError(
                    f"{OPTION}: {floor.metric} is not computed at the {floor.level} level here. Use one of: {known}."
                )
            failed = _failures(f"{judge.name}: {floor.level} {floor.metric}{of_weight(judge)}", floor, block)
            sentences += [f"{text}{_enough(report, judge, floor, groups_of)}" for text in failed]
    return sentences


def _enough(report: AgreementReport, judge: JudgeReport, floor: Threshold, groups_of: GroupsOf) -> str:
    """Return how many items would show that a judge reaches a floor; empty where no number can be named."""
    groups, confidence = groups_of(judge.name, floor.level), report.declaration.confidence
    try:
        plan = plan_floor(judge, floor.metric, floor.line, level=floor.level, confidence=confidence, groups=groups)
    except InputError:  # the floor is the end of the range
        return ""
    if plan.needed.n is None or plan.needed.n <= plan.n_now:
        return ""
    many, reaches = words.capital(about(plan.needed.n)), f"{floor.metric} reaches {floor.line:g}"
    stays = f"if {floor.metric} stays {words.p3(plan.today.value)}; there are {words.count(plan.n_now)} now"
    return f" {many} {plan.counted} in all would show that {reaches}, with {words.percent(POWER)} power, {stays}."


def labels_in_doubt(report: AgreementReport) -> list[str]:
    """Return a sentence for every judge whose numbers are those of decisions that people chose by its verdict."""
    labellings = {name: judge.labelling for name, judge in report.judges.items() if judge.labelling is not None}
    return [f"{WARNING} {name}: {text}" for name, one in labellings.items() if one.only is None and (text := one.sentence())]


def reached_by_silence(report: AgreementReport, floors: Sequence[Threshold], bounds_of: BoundsOf) -> list[str]:
    """Return a sentence for every judge that reaches a floor, and would not if what is left open counted as errors.

    Parameters
    ----------
    report : AgreementReport
    floors : sequence of Threshold
    bounds_of : callable
        Bounds of a judge at a level over all completions of what is left open.
    """
    if report.declaration.abstention != "exclude":
        return []
    sentences = []
    for floor in floors:
        for judge in report.judges.values():
            ends = judge.level(floor.level)[floor.metric].ends
            if ends is None or ends[0] < floor.line or judge.coverage.coverage == 1:
                continue
            bound = bounds_of(judge.name, floor.level).by_metric.get(floor.metric)
            if bound is not None and bound.ends is not None and bound.ends[0] < floor.line:
                name, share = f"{judge.name}: {floor.level} {floor.metric}", words.percent(judge.coverage.coverage)
                sentences.append(
                    f"{WARNING} {name} reaches {floor.line:g} on the {share} of decisions that both answer. With what is left "
                    f"open as errors it would be {words.on_its_side(bound.ends[0], floor.line, 3)}."
                )
    return sentences


def decided_by_weight(report: AgreementReport, floors: Sequence[Threshold]) -> list[str]:
    """Return a sentence for every judge and floor on which the numbers that count every decision once would decide otherwise."""
    sentences = []
    for floor in floors:
        for judge in report.judges.values():
            name = f"{judge.name}: {floor.level} {floor.metric}"
            weighed, once = (_failures(name, floor, one.level(floor.level)) for one in (by_weight(judge), judge))
            if bool(weighed) != bool(once):
                reaches = "does not reach" if weighed else "reaches"
                other = "would" if weighed else "would not"
                sentences.append(
                    f"{name}{of_weight(judge)} {reaches} {floor.line:g}; with every decision counted once it {other}."
                )
    return sentences


def _failures(name: str, floor: Threshold, block: Block) -> list[str]:
    ends = block[floor.metric].ends
    if ends is None:
        reason = block.undefined.get(floor.metric, "")
        return [
            f"{name} {f'is undefined ({reason})' if reason else 'has no interval'}, so it is not known to reach {floor.line:g}."
        ]
    if ends[0] >= floor.line:
        return []
    value, end = words.p3(block.values[floor.metric]), words.on_its_side(ends[0], floor.line, 3)
    return [f"{name} is {value}, the lower end of its interval {end}: below {floor.line:g}."]

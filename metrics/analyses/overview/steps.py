"""What to do next, tied to what the verdict rests on: two steps at most, each with the page and the command that does it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

import numpy as np

from metrics.analyses.overview.grounds import Grounds, relation_to_leader
from metrics.analyses.overview.readings import at_chance_on, what_to_label
from metrics.analyses.overview.readings_errors import asked_twice, given_alone, mostly_missed, never_given, silent_on, swayed_by
from metrics.analyses.overview.readings_judges import better_on
from metrics.analyses.overview.readings_numbers import NumberGrounds, beside_ranks
from metrics.analyses.overview.readings_raters import by_chance, by_verdict, no_verdict, vote_serves
from metrics.analyses.overview.readings_raters import what_to_label as what_people_label
from metrics.analyses.overview.readings_standing import (
    commoner,
    opposed,
    ranks_reversed,
    tells_apart,
    turned_round,
    worse_than_baseline,
)
from metrics.analyses.overview.readings_unlabelled import labels_chosen, many_unlabelled
from metrics.analyses.overview.result import Statement, Step
from metrics.analyses.planning.compute import NO_TRACE, plan_floor
from metrics.analyses.planning.sizes import about
from metrics.analyses.raters.advice import short_step
from metrics.analyses.raters.evidence import CriterionEvidence, Evidence
from metrics.analyses.raters.readings import add_rare_words
from metrics.analyses.raters.readings_evidence import apart_words, leaning_reading
from metrics.analyses.raters.result import RatersReport
from metrics.asker import answering, flag
from metrics.results import words
from metrics.results.report import name_beside_all

MOST = 2
MOST_TIMES = 10
"""Times the items there are above which more of them are no advice."""


def steps_of(
    grounds: Grounds, verdict: tuple[Statement, ...], people: RatersReport | None, evidence: Evidence | None = None
) -> tuple[Step, ...]:
    """Return what to do next about a judge of labels.

    Parameters
    ----------
    grounds : Grounds
    verdict : tuple of Statement
        Of these grounds.
    people : RatersReport or None
        How the humans agree; None where there are no two.
    evidence : Evidence or None
        What their labels show of why they do not; needed where they fail the gate.
    """
    kinds = {statement.kind for statement in verdict}
    return tuple(islice(_steps(grounds, kinds, people, evidence), MOST))


def _steps(grounds: Grounds, kinds: set[str], people: RatersReport | None, evidence: Evidence | None) -> Iterator[Step]:
    if grounds.no_verdict:
        yield Step("data", what_to_label(grounds.judge))
        return
    for name, labelling in islice(labels_chosen(grounds).items(), 1):
        yield Step("data", labelling.mend(words.shorten(name)))
    yield from _of_reference(grounds, people, evidence)
    if many := many_unlabelled(grounds):
        yield Step("data", f"Find out why {words.named(list(many))} gave no label there, and have it answer, before you compare.")
    yield from _before_use(grounds, kinds)
    if grounds.runs is not None and grounds.runs.never and grounds.report.declaration.runs == "first":
        yield Step("ensemble", f"Compare the runs of {grounds.name}, or count the majority of them.")
    if threshold := grounds.report.declaration.threshold:
        text = f"See how {grounds.name} does at other thresholds: {threshold} is a choice, not an answer of the judge."
        yield Step("roc", text, "roc FILE")
    n_wrong = int(np.asarray(grounds.pooled.confusion).sum() - np.trace(np.asarray(grounds.pooled.confusion)))
    if "other_ends" not in kinds:
        yield from _labels_never_given(grounds)
    yield from _single_matters(grounds)
    if tied := _tied(grounds):
        yield tied
    if "left_open" in kinds:
        yield Step("abstention", "See which decisions lack a verdict, and whose.", _line_of_list(grounds, rows="no_verdict"))
    if "ties" in kinds:
        text = "Decide what a tie counts for before you quote κ, which depends on it."
        yield Step("preferences", text, "agreement FILE --abstention as_category")
    if n_wrong and _has_list(grounds):
        what = words.several(n_wrong, "disagreements")
        # Of several judges the items named are those on which most of them err.
        first = ", the items named here first" if len(grounds.report.judges) == 1 else ""
        yield Step("disagreements", f"Read the {what} of {grounds.name}{first}.", _line_of_list(grounds))


def _of_reference(grounds: Grounds, people: RatersReport | None, evidence: Evidence | None) -> Iterator[Step]:
    """Yield what comes before the judge where people disagree."""
    if people is not None and (failing := [*unclear(people), *_one_apart(people, evidence)]):
        yield Step("raters", _disagreeing(grounds, people, failing, evidence), "raters FILE --role human")
    if evidence is not None:
        yield from _two_apart(evidence)


def _two_apart(evidence: Evidence) -> Iterator[Step]:
    """Yield that one of two people gives a label more often, which more items would not mend."""
    if leans := leaning_reading(next(iter(evidence.criteria.values())), words.shorten):
        yield Step("raters", f"{leans.removesuffix('.')}: agree first on when to give it.", "raters FILE --role human")


def _has_list(grounds: Grounds) -> bool:
    """Return whether there are single decisions to list: a table of counts and a tally have none."""
    return grounds.report.declaration.n_items is not None and not grounds.report.declaration.tally


def _line_of_list(grounds: Grounds, criteria: Collection[str] = (), rows: str = "") -> str:
    """Return the command that lists the judge's disagreements, or other rows; that for all numbers where there is no list."""
    declared, listed = grounds.report.declaration.abstention, _has_list(grounds)
    mode: str = declared
    if rows == "no_verdict":  # where an abstention is a verdict nothing lacks one
        mode = "exclude" if listed else "as_category"
    return _line(
        "disagreements FILE" if listed else "agreement FILE",
        judges=_of_several(grounds) if listed else "",
        criteria=list(criteria),
        abstention="" if mode == declared == "exclude" else mode,
        rows=rows if listed else "",
    )


def _of_several(grounds: Grounds) -> str:
    """Return the judge as an option names it; empty where there is no other."""
    return grounds.judge.name if len(grounds.report.judges) > 1 else ""


def _line(command: str, **options: str | list[str]) -> str:
    """Return a command with those options that have a value."""
    with answering("command"):
        return " ".join([command, *(flag(f"--{option}", value) for option, value in options.items() if value)])


def _labels_never_given(grounds: Grounds) -> Iterator[Step]:
    """Yield what to do about labels that one side never gives."""
    if labels := never_given(grounds):
        yield Step("review", f"Say in the prompt of {grounds.name} when to answer {labels}: it never does.", "agreement FILE")
    for label, (missed, n) in mostly_missed(grounds).items():
        name, of = words.marked(words.shorten(label)), words.count(n)
        text = f"Say in the prompt of {grounds.name} when to answer {name}: it misses {words.count(missed)} of {of}."
        yield Step("review", text, "agreement FILE")
    if alone := given_alone(grounds):
        yield Step("data", f"Check what {grounds.name} means by {alone}, which {grounds.the_reference} never says.")


def _single_matters(grounds: Grounds) -> Iterator[Step]:
    """Yield what concerns single criteria, or single kinds of answers."""
    if silent := silent_on(grounds):
        text = f"Find out why {grounds.name} gives no verdict on {words.named(list(silent))}."
        yield Step("abstention", text, _line_of_list(grounds, silent, "no_verdict"))
    apart = [*better_on(grounds).items(), *better_on(grounds, leader=True).items()]
    for name, criteria in apart[:1]:
        text = f"Compare {grounds.name} and {words.shorten(name)} on single criteria before you choose one."
        yield Step("compare", text, _line("compare FILE", a=grounds.judge.name, b=name, criterion=criteria[0]))
    if (positions := asked_twice(grounds)) is not None and positions.place_decides:
        text = f"Count an answer of {grounds.name} that changes with the order as a tie before you compare systems by it."
        yield Step("preferences", text, "biases FILE")
    if found := swayed_by(grounds):
        sides = "long answers with short ones" if found[0].kind == "length" else "answers of its own family with others"
        yield Step("slices", f"See what sways {grounds.name} before you compare {sides} by it.", "biases FILE")


def _before_use(grounds: Grounds, kinds: set[str]) -> Iterator[Step]:
    """Yield what comes before anybody uses a judge whose answers are often wrong, or too few to tell."""
    turned = turned_round(grounds) if "below_chance" in kinds else "no_agreement_shown" in kinds and ranks_reversed(grounds)
    if "other_ends" in kinds:
        yield Step("scores", f"Check whether {grounds.name} and {grounds.the_reference} use one scale.", "scores FILE")
        return
    if turned or "criteria_opposed" in kinds:
        criteria = [] if turned else opposed(grounds)[0]
        on = f" on {words.named(criteria)}" if criteria else ""
        text = f"Check first which way round {grounds.name} and the reference use the labels{on}."
        yield Step("review", text, _line("agreement FILE", judges=_of_several(grounds), criteria=criteria))
        return
    if worse_than_baseline(grounds.judge):
        text = f"Do not use {grounds.name} as it is: change it or its prompt, and read where it errs."
        page, command = "review", _line_of_list(grounds)
        if tells_apart(grounds.pooled):
            label = words.marked(words.shorten(commoner(grounds.pooled)))
            text = f"Decide what each error of {grounds.name} costs: always answering {label} is right more often."
            page, command = "roc", "roc FILE"
        yield Step(page, text, command)
    elif found := at_chance_on(grounds):
        text = f"Do not use {grounds.name} on {words.named(list(found))} as it is: read where it errs there."
        yield Step("review", text, _line_of_list(grounds, found))
    elif kinds & {"no_agreement_shown", "readings_disagree"} and (more := _more_items(grounds)):
        yield Step("labels", more)
    if kinds & {"below_chance", "constant_judge"} and not worse_than_baseline(grounds.judge):
        yield Step(
            "review", f"Change {grounds.name} or its prompt before you use it: read where it errs.", _line_of_list(grounds)
        )


def _one_apart(people: RatersReport, evidence: Evidence | None) -> list[str]:
    """Return criteria on which the gate is open and one of the people stands apart: more labels would not tell why."""
    if evidence is None:
        return []
    names = [*by_verdict(people)["undecided"], *by_chance(people)]
    shown = {name: evidence.criteria[name_beside_all(name, people.criteria)] for name in names}
    return [name for name, own in shown.items() if _stands_apart(own)]


def _stands_apart(evidence: CriterionEvidence) -> bool:
    """Return whether what explains the disagreement first is one rater, by training or by another scale."""
    return evidence.causes[:1] in (("training",), ("scales",))


def _disagreeing(grounds: Grounds, people: RatersReport, failing: list[str], evidence: Evidence | None) -> str:
    """Return on which criteria people disagree: whether one of them stands apart, or the rubric must be read."""
    outliers: dict[str, list[str]] = {}
    two_scales = []
    for name in failing:
        shown = None if evidence is None else evidence.criteria[name_beside_all(name, people.criteria)]
        if shown is not None and shown.causes[:1] == ("training",):
            outliers[name] = [rater.name for rater in shown.training.outliers]
        if shown is not None and shown.scales:
            two_scales.append(name)
    if two_scales:
        return f"Check first whether all people use one scale{f' on {words.named(two_scales)}' if grounds.many else ''}."
    unexplained = [name for name in failing if name not in outliers]
    parts = []
    if unexplained:
        parts.append(f"People disagree{f' on {words.named(unexplained)}' if grounds.many else ''}: read the rubric first.")
    if outliers:
        who = list(dict.fromkeys(words.shorten(name) for names in outliers.values() for name in names))
        on = f" on {words.named(list(outliers))}" if grounds.many else ""
        verb = "differs" if len(who) == 1 else "differ"
        parts.append(f"{words.listed(who, 3)} {verb} from the other people{on}: find out why{'' if parts else ' first'}.")
    return " ".join(parts)


def unclear(people: RatersReport) -> list[str]:
    """Return criteria on which people fail the gate, also for all criteria at once, and not because a label is rare."""
    alone = by_chance(people)
    return [name for name in by_verdict(people)["fails"] if name not in alone and not people.criteria[name].gate.fails_on_rare]


def in_doubt(people: RatersReport) -> bool:
    """Return whether it matters why people disagree: on some criterion they fail the gate, or may."""
    return bool(unclear(people) or by_chance(people) or by_verdict(people)["undecided"])


def _more_items(grounds: Grounds) -> str:
    """Return how many items would settle whether the judge is beyond chance; empty where no number would.

    Of items in groups more of the same groups tell little, so that a number of items is no advice.
    """
    if grounds.report.declaration.interval.get("unit", "item") != "item":
        return ""
    plan = plan_floor(grounds.judge, grounds.metric, 0.0, level=grounds.level, confidence=grounds.confidence)
    if plan.needed.n is None or not plan.n_now < plan.needed.n <= MOST_TIMES * plan.n_now:
        return ""
    return (
        f"Label {about(plan.needed.n)} items in all, of which you have {words.count(plan.n_now)}, to test whether "
        f"{grounds.name} agrees beyond chance, if {grounds.symbol} stays {words.number(grounds.headline.value)}."
    )


def _tied(grounds: Grounds) -> Step | None:
    """Return how many items would tell the leader from the nearest judge tied with it; None where no number can be named.

    Nor of a difference that picking the highest of equal judges makes as large as that.
    """
    for comparison, p in () if grounds.forest is None else grounds.forest.met.values():
        if relation_to_leader(grounds.forest, comparison.b.name, grounds.judge.name)[0] != "tied":
            continue
        n, now = comparison.needed.n, comparison.n_units
        if n is None or p >= NO_TRACE or not now < n <= MOST_TIMES * now:
            return None
        text = (
            f"Label {about(n)} {comparison.units} in all to show a difference between {grounds.name} and "
            f"{words.shorten(comparison.b.name)}, if it stays as large."
        )
        return Step("compare", text, "compare FILE --baseline best")
    return None


def steps_of_numbers(grounds: NumberGrounds, kinds: set[str], *, any_items: bool) -> tuple[Step, ...]:
    """Return what to do next about a judge of numbers.

    Parameters
    ----------
    grounds : NumberGrounds
    kinds : set of str
        Of the statements of its verdict.
    any_items : bool
        Whether there are items to read.
    """
    if grounds.no_verdict:
        return (Step("data", "Label more items, of differing quality."),)
    return tuple(islice(_of_numbers(grounds, kinds, any_items=any_items), MOST))


def _of_numbers(grounds: NumberGrounds, kinds: set[str], *, any_items: bool) -> Iterator[Step]:
    if grounds.judge.two_units:
        yield Step("scores", "Bring both sides to one unit, or read the correlation alone.", "scores FILE")
    if "other_ends" in kinds:
        yield Step("scores", "Check whether both sides use one scale.", "scores FILE")
    if grounds.judge.people is not None and grounds.judge.people.two_scales:
        yield Step("scores", "Check first whether all people use one scale.", "scores FILE")
    if "below_chance" in kinds:
        yield Step("scores", "Check which way round each side uses the scale.", "scores FILE")
    if "no_agreement_shown" in kinds and not beside_ranks(grounds):
        yield Step("labels", f"Label more items: the interval of {grounds.short} includes 0.")
    if any_items:
        yield Step("disagreements", "Read the items that differ most, those named here first.", "disagreements FILE")


def steps_of_raters(report: RatersReport, evidence: Evidence) -> tuple[Step, ...]:
    """Return what to do next about raters without a judge.

    Parameters
    ----------
    report : RatersReport
    evidence : Evidence
        Of the same raters.
    """
    if report.role == "judge":
        return (Step("data", "Label some of these items by hand and read the file again."),)
    if no_verdict(report):
        return (Step("data", what_people_label(report)),)
    return tuple(islice(_of_people(report, evidence), MOST))


def _of_people(report: RatersReport, evidence: Evidence) -> Iterator[Step]:
    if vote_serves(report):
        yield Step("data", "Add a judge’s verdicts: the majority of the raters is its reference, except for votes near even.")
    if in_doubt(report):
        yield from _two_apart(evidence)
    alone = by_chance(report)
    others = len(report.criteria) > len(alone)
    for name in report.by_need():
        gate = report.criteria[name].gate
        on = f" ({words.shorten(name)})" if len(report.criteria) > 1 else ""
        if gate.verdict == "passes":
            yield Step("data", "Add a judge’s verdicts on the same items and read the file again.")
            return
        shown = evidence.criteria[name_beside_all(name, report.criteria)]
        if others and name in alone and not _stands_apart(shown):
            continue
        if gate.fails_on_rare and gate.rare is not None:
            text = f"{add_rare_words(gate.rare)}."
        elif gate.reason:
            text = short_step(shown, gate.verdict, undefined=gate.reason)
        elif shown.scales or (gate.verdict == "undecided" and "training" in shown.causes):
            text = short_step(shown, gate.verdict)
        elif gate.verdict == "undecided" and (n := gate.needed.n) and n <= MOST_TIMES * report.criteria[name].n_pairable:
            text = f"Label {about(n)} items in all."
        elif gate.verdict == "undecided" or not shown.causes:
            text = "Go through the items named here with the raters, and write down how each is to be decided."
        else:
            text = short_step(shown, gate.verdict)
            if shown.causes[0] == "training":
                text = f"{text.removesuffix('.')}: {apart_words(shown.training)}"
        yield Step("raters", f"{text.removesuffix('.')}{on}.", "raters FILE --role human")

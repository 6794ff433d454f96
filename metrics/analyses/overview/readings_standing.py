"""What must be known of a judge before its numbers: worse than a constant, below chance, turned round, or always the same."""

from __future__ import annotations

import numpy as np

from metrics.analyses.agreement.standing import (
    BELOW_CHANCE,
    REVERSED,
    against_baseline,
    criteria_below,
    one_label,
    standing,
)
from metrics.analyses.overview.grounds import Grounds, headline_numbers, no_verdict, statement_of
from metrics.analyses.overview.result import Statement, numbers_of
from metrics.analyses.records import Block, JudgeReport
from metrics.analyses.scores.readings import reversed_words
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.results import words
from metrics.results.report import or_none


def worse_than_baseline(judge: JudgeReport) -> bool:
    """Return whether always answering the reference's more common label is significantly more often right, pooled."""
    return against_baseline(judge.micro) < 0 and not one_label(judge.micro)


def below_baseline(grounds: Grounds) -> Statement | None:
    """Return that always answering the more common label is more often right, and what a judge is worth all the same."""
    judges = grounds.report.judges
    worse = [judge for judge in judges.values() if worse_than_baseline(judge) and not no_verdict(judge)]
    if not worse:
        return None
    pairs = {judge.name: [judge.micro["accuracy"], judge.micro["baseline_accuracy"]] for judge in worse}
    numbers = {
        name: {"accuracy": numbers_of(accuracy), "baseline_accuracy": or_none(baseline.value)}
        for name, (accuracy, baseline) in pairs.items()
    }
    label = words.marked(words.shorten(commoner(worse[0].micro)))
    if len(worse) > 1:
        how_many = f"{words.count(len(worse))} of {words.count(len(judges))} judges"
        rest = f"{how_many} are right less often than a judge that always answers {label}"
        return statement_of("below_baseline", f"{rest}: {words.named(list(numbers))}.", grounds, {"judges": numbers})
    accuracy, baseline = pairs[worse[0].name]
    block, name, constant = worse[0].micro, words.shorten(worse[0].name), f"a judge that always answers {label}"
    rates = f"{words.estimate(accuracy, '%')} of decisions{grounds.of_weight}, against {words.percent(baseline.value)}."
    text = f"{name} is worse than {constant}: right on {rates}"
    if tells_apart(block):
        text = f"{name} is right less often than {constant}: on {rates}{_all_the_same(block)}"
    return statement_of("below_baseline", text, grounds, {"judges": numbers})


def _all_the_same(block: Block) -> str:
    """Return what a judge that tells two labels apart does with the rare one: always answering the other finds none of it."""
    counts = np.asarray(block.confusion)
    rare = int(counts.sum(1).argmin())
    label, other = (words.marked(words.shorten(block.labels[place])) for place in (rare, 1 - rare))
    found = block[("recall", "specificity")[rare]]
    false = block[("fpr", "fnr")[rare]]
    return (
        f" Yet it finds {words.estimate(found, '%')} of {label}, with {words.percent(false.value)} false alarms. "
        f"Always answering {other} finds none."
    )


def tells_apart(block: Block) -> bool:
    """Return whether a judge tells two labels apart beyond chance, by Youden’s J, which no rare label drags down."""
    return len(block.labels) == 2 and "youden_j" in block.estimates and words.side_of_0(block["youden_j"].ends) > 0


def commoner(block: Block) -> str:
    """Return the label that the reference gives most."""
    return block.labels[int(np.asarray(block.confusion).sum(1).argmax())]


def below_chance(grounds: Grounds) -> Statement | None:
    """Return that a judge agrees less than chance, and whether a side seems to use the labels the other way round."""
    if grounds.sign >= 0 or grounds.readings_disagree:
        return None
    number = f"{grounds.symbol} {words.estimate(grounds.headline)}{grounds.counted_once}"
    text = f"{grounds.name} agrees with {grounds.the_reference} less than chance: {number}."
    if turned_round(grounds):
        what = "scale" if grounds.pooled_key == QUADRATIC_KAPPA.key else "two labels"
        text += f" One side may use the {what} the other way round."
    return statement_of("below_chance", text, grounds, headline_numbers(grounds))


def ranks_reversed(grounds: Grounds) -> str:
    """Return that ordered labels seem to be used the other way round, by their ranks; empty where they do not."""
    judge = grounds.scores and grounds.scores.judges.get(grounds.judge.name)
    if grounds.scores is None or not judge or "spearman" not in judge.pooled.values or judge.pooled["spearman"].ends is None:
        return ""
    return reversed_words(grounds.scores, grounds.judge.name, judge.pooled, "spearman")


def opposed(grounds: Grounds) -> tuple[list[str], list[str]]:
    """Return criteria on which a judge is far below chance where it is above on others, and these; both empty else."""
    known = {name: block[grounds.pooled_key] for name, block in grounds.judge.criteria.items() if not block.one_sided}
    below = [name for name, estimate in known.items() if words.side_of_0(estimate.ends) < 0 and estimate.value < REVERSED]
    above = [name for name, estimate in known.items() if words.side_of_0(estimate.ends) > 0]
    return (below, above) if below and above else ([], [])


def criteria_opposed(grounds: Grounds) -> Statement | None:
    """Return that criteria lie on both sides of chance, so that a number over all of them says little."""
    below, above = opposed(grounds)
    if not below:
        return None
    symbol, judge = grounds.pooled_symbol, grounds.judge
    worst, best = (min(below, key=lambda name: judge.criteria[name][grounds.pooled_key].value), above[0])
    values = {name: words.estimate(judge.criteria[name][grounds.pooled_key]) for name in (worst, best)}
    text = (
        f"{grounds.name} agrees with {grounds.the_reference} less than chance on {words.named(below)}: {symbol} {values[worst]}. "
        f"On {words.shorten(best)} it is {values[best]}, so a number over all criteria says little."
    )
    return statement_of("criteria_opposed", text, grounds, {"below": below, "above": above, **headline_numbers(grounds)})


def turned_round(grounds: Grounds) -> bool:
    """Return whether one side seems to use the labels the other way round."""
    return any(warning.code == BELOW_CHANCE for warning in standing(grounds.judge, grounds.confidence))


def constant_judge(grounds: Grounds) -> Statement | None:
    """Return that a judge gives one label only."""
    block = grounds.pooled
    if block.one_sided is None:
        return None
    label = words.marked(words.shorten(block.one_sided[1]))
    text = f"{grounds.name} answers {label} on all {words.several(block.n or 0, 'decisions')}, so κ is 0 by construction."
    return statement_of("constant_judge", text, grounds, {"label": block.one_sided[1], "n": block.n})


def criteria_below_baseline(grounds: Grounds) -> Statement | None:
    """Return criteria on which always answering the majority label is more often right."""
    names, n_tested = criteria_below(grounds.judge, 1 - grounds.confidence)
    if not names or grounds.pooled.one_sided:
        return None
    text = (
        f"{grounds.name} is worse than always answering the majority label on {words.count(len(names))} of "
        f"{words.count(len(grounds.judge.criteria))} criteria: {words.named(names)}{words.corrected(n_tested, 'criteria')}."
    )
    return statement_of("criteria_below_baseline", text, grounds, {"criteria": names})

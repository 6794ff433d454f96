"""What must be known of a judge before its numbers: no better than a rule, turned round, always the same, or labelled in part."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from metrics.analyses.agreement.standing import (
    BELOW_CHANCE,
    REVERSED,
    against_baseline,
    criteria_below,
    one_label,
    standing,
)
from metrics.analyses.labelling import Labelling
from metrics.analyses.overview.grounds import Grounds, headline_numbers, no_verdict, statement_of
from metrics.analyses.overview.result import Statement, numbers_of
from metrics.analyses.records import Block, JudgeReport
from metrics.analyses.scores.readings import reversed_words
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.results import words
from metrics.results.report import or_none

MANY_UNLABELLED = 0.1
"""Share of the decisions that people labelled from which what a judge did not label may be another matter than the rest."""
MOST_UNLABELLED = 0.5
"""Share above which a judge was meant to label a part alone, so that nothing is worked out for the rest."""
MOST_NAMED = 2


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


@dataclass(frozen=True)
class Unlabelled:
    """One judge beside the labels of people.

    Attributes
    ----------
    n : int
        Decisions without a label of the judge: failed calls, empty cells, rows that are not there.
    n_total : int
        Decisions that people labelled.
    accuracy, as_wrong : float
        Of those that count, and with all that the judge did not label as wrong.
    """

    n: int
    n_total: int
    accuracy: float
    as_wrong: float

    @property
    def share(self) -> float:
        return self.n / self.n_total if self.n_total else 0.0


def unlabelled_of(grounds: Grounds) -> dict[str, Unlabelled]:
    """Return every judge with the decisions that it did not label."""
    out = {}
    for name, judge in grounds.report.judges.items():
        n, counted = judge.coverage.n_errors + judge.coverage.n_human_only, judge.micro.n or 0
        accuracy = judge.micro.values.get("accuracy", float("nan"))
        as_wrong = accuracy * counted / (counted + n) if counted + n else float("nan")
        out[name] = Unlabelled(n, judge.coverage.n_total + n, accuracy, as_wrong)
    return out


def many_unlabelled(grounds: Grounds) -> dict[str, Unlabelled]:
    """Return the judges with many such decisions, failed ones being left out of all numbers; the most first."""
    if grounds.report.declaration.handling.get("error", "exclude") != "exclude":
        return {}
    found = {name: one for name, one in unlabelled_of(grounds).items() if one.share > MANY_UNLABELLED}
    return dict(sorted(found.items(), key=lambda each: -each[1].share))


def leads_by_silence(grounds: Grounds) -> str:
    """Return a judge that would be ahead of the leader if what either did not label were wrong; empty where none would."""
    many, every = many_unlabelled(grounds), unlabelled_of(grounds)
    own = every[grounds.judge.name]
    if grounds.judge.name not in many or own.share > MOST_UNLABELLED:
        return ""
    ahead = {name: one.as_wrong for name, one in every.items() if one.as_wrong > own.as_wrong}
    return max(ahead, key=lambda name: ahead[name], default="")


def labels_chosen(grounds: Grounds) -> dict[str, Labelling]:
    """Return judges by whose verdicts people seem to have chosen what to label: those of one verdict alone, then the leader."""
    found = {name: judge.labelling for name, judge in grounds.report.judges.items() if judge.labelling is not None}
    chosen = {name: one for name, one in found.items() if one.bent or one.only is not None}
    return dict(sorted(chosen.items(), key=lambda each: (each[1].only is None, each[0] != grounds.judge.name)))


def labels_by_verdict(grounds: Grounds) -> Statement | None:
    """Return that whether people labelled a decision depends on what a judge said of it, the judge that is read first."""
    bent = {name: one for name, one in labels_chosen(grounds).items() if one.only is None}
    if not bent:
        return None
    first = next(iter(bent))
    text = bent[first].sentence(words.shorten(first))
    if others := [name for name in bent if name != first]:
        text += f" It depends on the verdict of {words.named(others)} too."
    numbers = {name: {each: asdict(of) for each, of in one.bent.items()} for name, one in bent.items()}
    return statement_of("labels_by_verdict", text, grounds, {"labelled": numbers})


def unlabelled(grounds: Grounds) -> Statement | None:
    """Return which judges have no label on many decisions, and what their accuracy would be with these as wrong."""
    many = many_unlabelled(grounds)
    if not many:
        return None
    listed = words.listed([f"{words.shorten(name)} has no label on {_share(one)}" for name, one in many.items()], MOST_NAMED)
    text = f"{listed} that people labelled; they are in no number."
    name = grounds.judge.name if grounds.judge.name in many else next(iter(many))
    one, other = many[name], leads_by_silence(grounds)
    if one.share <= MOST_UNLABELLED:
        beside = ""
        if other:
            beside = f", below that of {words.shorten(other)} ({words.percent(unlabelled_of(grounds)[other].as_wrong)})"
        text += f" Counted as wrong, accuracy of {words.shorten(name)} would be {words.percent(one.as_wrong)}{beside}."
    numbers = {
        name: {"n": one.n, "n_total": one.n_total, "accuracy_as_wrong": or_none(one.as_wrong)} for name, one in many.items()
    }
    return statement_of("unlabelled", text, grounds, numbers)


def _share(one: Unlabelled) -> str:
    return f"{words.count(one.n)} of {words.several(one.n_total, 'decisions')} ({words.percent(one.share)})"

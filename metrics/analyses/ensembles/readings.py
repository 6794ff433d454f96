"""What the judges of a file say together, and one says again, in sentences computed from the numbers shown.

`name` wraps names that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.ensembles.cluster_judges import LEAST, Group, JudgeClusters
from metrics.analyses.ensembles.errors import SharedErrors
from metrics.analyses.ensembles.growth import Growth, Size
from metrics.analyses.ensembles.runs import SelfAgreement
from metrics.analyses.ensembles.split import Queue
from metrics.analyses.raters.pairwise import MIN_SHARED
from metrics.data.ratings import Panel
from metrics.results import words

NEARLY_ONE = 0.8
"""Mean κ from which a group of judges reads as nearly one judge."""
# Share of the decisions by which coverage may differ without a word.
OTHER_COVERAGE = 0.02
SAME, LOST = 0.005, 0.02
"""Differences of κ below which they read as none, and from which the largest panel is not the highest."""
MANY_STRANGE = 0.05
"""Share of answers that the reference never gives from which it is said."""
FEW_TOGETHER = 10
"""Items on which two judges err below which the interval of their correlation is said to be too short, perhaps."""
RULES = {
    "majority": "the answer most of them gave",
    "unanimous": "the answer all of them gave",
    "any": "positive where one of them says so",
}


def panel_reading(panel: Panel, name: Name = plain_name) -> str:
    """Return what a panel is, and where it has no verdict."""
    n = len(panel.judges)
    text = f"{name(panel.name)} is a panel of {words.count(n)} judges: {RULES[panel.rule]}."
    text += f" It has an answer on {_decisions(panel.n_decisions)}, where {words.count(panel.quorum)} or more of them answered"
    text += f"; on {words.count(panel.n_incomplete)} of these not all did." if panel.n_incomplete else ", all of them."
    if panel.n_below_quorum:
        text += f" On {words.count(panel.n_below_quorum)} more too few answered, and the panel is silent."
    return text


def growth_reading(growth: Growth, name: Name = plain_name, *, errors: SharedErrors | None = None) -> str:
    """Return what more judges bring, against what independent ones would, and against the best one alone.

    Parameters
    ----------
    errors : SharedErrors or None
        Of the same judges: whether they err together beyond noise, which alone can be the cause of what is lost.
    """
    known = [size for size in growth.sizes if size.kappa.defined]
    if not known:
        return f"{growth.symbol} with the reference is undefined for every panel."
    first, last = known[0], known[-1]
    if first is last:
        start = f"{_alone(first)} {growth.symbol} {words.estimate(first.kappa)} with the reference on average"
        larger = sum(size.size > first.size for size in growth.sizes)
        return f"{start}; for larger panels {growth.symbol} is undefined." if larger else f"{start}."
    parts = [_from_to(growth.symbol, first, last), *_covers(first, last), *_best_size(growth.symbol, known)]
    return " ".join([*parts, *_if_independent(last, errors), *_best_alone(growth, last, name)])


def _judges(n: int) -> str:
    return "one judge" if n == 1 else f"{words.count(n)} judges"


def _alone(size: Size) -> str:
    return "one judge alone has" if size.size == 1 else f"a panel of {words.count(size.size)} has"


def _from_to(symbol: str, first: Size, last: Size) -> str:
    """Return the values of the smallest and the largest panel.

    Their difference has no interval, so that no direction is said.
    """
    more = f"with {words.count(last.size)} it is {words.estimate(last.kappa)}"
    return f"in this sample {_alone(first)} {symbol} {words.estimate(first.kappa)} with the reference on average; {more}."


def _covers(first: Size, last: Size) -> list[str]:
    """Return that the panel speaks on another share of the decisions, where it does."""
    if abs(last.coverage - first.coverage) < OTHER_COVERAGE:
        return []
    ease = "fewer" if last.coverage < first.coverage else "more"
    shares = f"{words.percent(last.coverage)} against {words.percent(first.coverage)}"
    return [f"It also has a verdict on {ease} decisions: {shares}."]


def _best_size(symbol: str, known: Sequence[Size]) -> list[str]:
    """Return the size from which nothing is gained, where it is not the largest."""
    last, top = known[-1], max(size.kappa.value for size in known)
    enough = next(size for size in known if size.kappa.value >= top - SAME)
    if enough is last or enough is known[0]:
        return []
    if last.kappa.value <= top - LOST:
        best = next(size for size in known if size.kappa.value == top)
        return [f"In this sample it is highest with {words.count(best.size)} ({symbol} {words.number(top)})."]
    return [f"In this sample more than {words.count(enough.size)} ({symbol} {words.number(enough.kappa.value)}) add nothing."]


def _if_independent(last: Size, errors: SharedErrors | None) -> list[str]:
    """Return what independent judges would reach; the cause of the difference only where the errors show it."""
    if math.isnan(last.independent):
        return []
    gap = last.independent - last.kappa.value
    reach = f"{_judges(last.size)} who erred independently of each other would reach {words.number(last.independent)}"
    if abs(gap) <= SAME:
        return [f"{reach}, as these do."]
    along = 0 if errors is None else errors.sign
    if gap > 0 and along > 0:
        return [f"{reach}: the rest is lost because these err on the same items."]
    if gap < 0 and along < 0:
        return [f"{reach}: these make up for each other's errors."]
    untold = errors is not None and errors.correlation.ends is not None and not along
    return [f"{reach}{': the errors of these judges do not differ significantly from independent ones' if untold else ''}."]


def _best_alone(growth: Growth, last: Size, name: Name) -> list[str]:
    if last.size == 1 or growth.best_alone is None:
        return []
    best, kappa = growth.best_alone
    who = f"The best judge alone, {name(best)}, has {words.estimate(kappa)}"
    worse = ", it may do worse on others" if kappa.value > last.kappa.value - SAME else ""
    return [f"{who}; chosen as the best on the same items{worse}. Only a comparison of the two says which is better."]


def errors_reading(errors: SharedErrors) -> str:
    """Return whether the judges are wrong on the same items, and what the panel is worth."""
    n = len(errors.judges)
    if not errors.correlation.defined:
        return f"whether the judges err together is undefined: {errors.correlation.why}."
    if not errors.n_phi and errors.correlation.value == 0:
        return (
            "in no pair are both judges sometimes right and sometimes wrong, so shared mistakes do not show: their "
            f"correlation is 0 by construction. {together_reading(errors)}{_strange(errors)}"
        )
    r = words.estimate(errors.correlation)
    start = f"the errors of two judges go together with a correlation of {r}"
    if errors.correlation.ends is None:
        verdict = "it has no interval"
    elif not errors.sign:
        verdict = "they do not differ significantly from independent ones"
    elif errors.sign > 0:
        verdict = "they tend to err on the same items"
    else:
        verdict = "they tend to err on different items"
    return f"{start}: {verdict}. {_worth(errors, n)} {together_reading(errors)}{_few_errors(errors)}{_strange(errors)}"


def _strange(errors: SharedErrors) -> str:
    """Return that many answers can only be wrong, where they are: on another scale than the reference, say."""
    if errors.never_given < MANY_STRANGE:
        return ""
    share = words.percent(errors.never_given)
    return f" {share} of the judges’ answers are labels that the reference never gives; each counts as an error."


def _few_errors(errors: SharedErrors) -> str:
    """Return that the interval rests on few items, where it does."""
    if errors.correlation.ends is None or errors.n_wrong_together >= FEW_TOGETHER:
        return ""
    if not errors.n_wrong_together:
        return " No two judges err on one item, so the interval says little."
    return f" Two judges err together on only {words.several(errors.n_wrong_together, 'items')}: the interval may be too short."


def _worth(errors: SharedErrors, n: int) -> str:
    effective, between = worth_words(errors)
    endless = math.isinf(errors.effective.value)
    worth = f"{effective} independent {'one' if effective == '1.0' else 'ones'}"
    if endless:
        worth = "more than any number of independent ones"
    between = f" {between}" if between else ""
    more = ""
    if endless or (errors.effective.value > n and effective != _amount(n)):
        shown = "" if errors.sign or errors.correlation.ends is None else " in this sample, not significantly"
        more = f"{'' if endless else ', more than there are'} because the correlation is below 0{shown}"
    return f"The {words.count(n)} judges are worth {worth}{between}{more}."


def worth_words(errors: SharedErrors) -> tuple[str, str]:
    """Return the effective number of judges to one decimal, and its interval, empty where there is none."""
    ends = errors.effective.ends
    return _amount(errors.effective.value), f"[{_amount(ends[0])}, {_amount(ends[1])}]" if ends else ""


def _amount(x: float) -> str:
    if math.isnan(x):
        return words.UNDEFINED
    return "∞" if math.isinf(x) else f"{x:.1f}"


def together_reading(errors: SharedErrors) -> str:
    """Return decisions on which most judges err, against independence."""
    half = len(errors.judges) // 2 + 1
    seen, chance = errors.at_least(half)
    most = "both" if len(errors.judges) == 2 else "more than half of them"
    if not errors.n_together:
        return "No decision has an answer of all of them, so how many err at once is undefined."
    of = words.count(errors.n_together) if seen else _decisions(errors.n_together)
    answered = (
        "" if errors.n_together == errors.n_decisions else f" that {'both' if len(errors.judges) == 2 else 'all'} answered,"
    )
    where = f"On {_decisions(seen) if seen else 'none'} of {of}{answered}"
    return f"{where} {most} are wrong; independent errors, at the rates of each label, would make that {words.amount(chance)}."


def alike_reading(alike: JudgeClusters, name: Name = plain_name) -> str:
    """Return who thinks alike, and what that makes of a panel of them."""
    if math.isnan(alike.mean_kappa):
        few = f"no two judges share {MIN_SHARED} decisions, too few to say which agree."
        return few if alike.few else f"{alike.symbol} is undefined for every pair of judges."
    if len(alike.judges) == 2:
        return f"the two judges agree with {alike.symbol} {words.number(alike.mean_kappa)}."
    mean = f"{alike.symbol} {words.number(alike.mean_kappa)} on average"
    start = f"any two of the {words.count(len(alike.judges))} judges agree with {mean}"
    if not alike.groups:
        return f"{start}; {_closest(alike, name)}.{_gaps(alike)}"
    best = max(alike.groups, key=lambda group: group.mean_kappa.value)
    says = f"{group_words(best, name)} agree with a mean {alike.symbol} of {words.estimate(best.mean_kappa)}"
    if best.mean_kappa.value >= NEARLY_ONE:
        return f"{start}. {words.capital(says)}: nearly one judge, so that a panel of them adds little.{_gaps(alike)}"
    return f"{start}. {words.capital(says)}: alike, but not one judge.{_gaps(alike)}"


def _closest(alike: JudgeClusters, name: Name) -> str:
    """Return the two judges that are nearly one, where no three are; else that no group agrees much more."""
    kappa = np.where((alike.n >= MIN_SHARED) & ~np.eye(len(alike.judges), dtype=bool), alike.kappa, math.nan)
    first, second = np.unravel_index(int(np.nanargmax(kappa)), kappa.shape)
    closest, every = float(kappa[first, second]), len(alike.judges) == LEAST
    if closest < NEARLY_ONE:
        return "no two of them are nearly one judge" if every else f"no group of {LEAST} or more agrees much more"
    both = f"{name(alike.judges[first])} and {name(alike.judges[second])}"
    rest = f"and the {words.count(LEAST)} together are not" if every else f"and no {LEAST} or more do"
    return f"{both} agree with {words.number(closest)}, nearly one judge, {rest}"


def _gaps(alike: JudgeClusters) -> str:
    """Return pairs that say nothing of who thinks alike."""
    clauses = []
    if alike.undefined:
        clauses.append(f"{words.several(alike.undefined, 'pairs')} ha{'s' if alike.undefined == 1 else 've'} no κ")
    if alike.few:
        clauses.append(
            f"{words.several(alike.few, 'pairs')} share{'s' if alike.few == 1 else ''} fewer than {MIN_SHARED} decisions"
        )
    if not clauses:
        return ""
    single = alike.undefined + alike.few == 1
    return f" {', and '.join(clauses)}: {'it counts' if single else 'these count'} as 0 in the order, and in no mean."


def group_words(group: Group, name: Name = plain_name) -> str:
    """Return a group by what its names share: "the 15 GPT-4 and 2 PaLM2 judges"; else by its size."""
    if not group.shared or len(group.shared) > 3:
        return f"{words.count(len(group.judges))} judges from {name(group.judges[0])} to {name(group.judges[-1])}"
    return f"the {words.joined([f'{words.count(n)} {name(shared)}' for shared, n in group.shared])} judges"


def split_reading(queue: Queue) -> str:
    """Return how many decisions the judges split on, and what a person's label there would tell."""
    total = queue.n + queue.n_agreed + queue.n_alone
    alone = f" On {_decisions(queue.n_alone)} fewer than two judges gave a verdict." if queue.n_alone else ""
    if not len(queue):
        if not queue.n_agreed:
            return f"whether the judges split is undefined: no decision has two verdicts.{alone}"
        return (
            f"on all {_decisions(queue.n_agreed)} with two verdicts or more the judges agree. There is nothing to look at.{alone}"
        )
    text = f"the judges split on {words.count(queue.n)} of {_decisions(total)}."
    undecided = queue.without_reference()
    known = queue.n - undecided.n
    fresh, tied = undecided.n_unlabelled, undecided.n - undecided.n_unlabelled
    more = f" On {words.count(tied)} the human labels give no reference." if tied else ""
    if not known and not tied:
        return f"{text} None of these has a human label yet; a label helps most where the judges are most divided.{alone}"
    more += f" {words.count(fresh)} {'has' if fresh == 1 else 'have'} no human label yet." if fresh else ""
    return f"{text}{_known_words(queue, known)}{more}{alone}"


def _known_words(queue: Queue, known: int) -> str:
    """Return how many decisions of the queue have a reference, and on how many of these most judges are against it."""
    if not known:
        return ""
    wrong = queue.n_wrong
    against = f"on {words.count(wrong)} of them" if wrong else "on none of them"
    have = "All of these have" if known == queue.n else f"{words.count(known)} of these {'has' if known == 1 else 'have'}"
    if queue.n == known == 1:
        have, against = "It has", "there" if wrong else "nowhere"
    return f" {have} a reference, and most judges are against it {against}."


def runs_reading(self_agreement: SelfAgreement, name: Name = plain_name) -> str:
    """Return whether a judge agrees with itself, and how much of its disagreement is its own noise."""
    who = name(self_agreement.name)
    if self_agreement.agreement.undefined:
        return f"how far {who} agrees with itself is undefined: {self_agreement.agreement.undefined}."
    text = f"asked again, {who} gives the same answer {words.estimate(self_agreement.agreement, words.TENTHS)} of the time"
    text += f" ({_decisions(self_agreement.n_decisions)} asked up to {words.count(self_agreement.n_runs)} times, "
    text += f"{words.count(self_agreement.never) if self_agreement.never else 'none'} answered in more than one way)."
    return f"{text} {_noise(self_agreement)}" if self_agreement.role == "judge" else text


def _noise(self_agreement: SelfAgreement) -> str:
    if self_agreement.disagreement.undefined:
        return "How much of its disagreement with the reference is noise is undefined: no decision asked twice has a reference."
    if self_agreement.share.undefined:
        return "It never differs from the reference there, so there is no disagreement to be noise."
    text = f"It differs from the reference {words.estimate(self_agreement.disagreement, words.TENTHS)} of the time. "
    if self_agreement.share.value == 0:
        return f"{text}None of that shows as its own noise in these runs."
    share = words.estimate(self_agreement.share, words.TENTHS)
    text += f"{share} of that is its own noise: what would go if its answers to each item were averaged over many runs. "
    rest = "The rest is" if self_agreement.share.value < 1 else "Nothing is left that is"
    return f"{text}{rest} systematic: what the judge means, and the humans' own noise. {_by_majority(self_agreement)}"


def _by_majority(self_agreement: SelfAgreement) -> str:
    """Return how often the majority of the runs differs from the reference.

    Whether that is more or less often than single runs is not said, because the difference has no interval.
    """
    return f"In this sample the majority of its runs differs {words.percent1(self_agreement.by_majority)} of the time."


def _decisions(n: float) -> str:
    return words.several(int(n), "decisions")

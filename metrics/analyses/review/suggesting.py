"""What the labels of one criterion point to: a suggestion with its evidence, for people to take or to leave.

People come before the judge: where nothing says how far they agree, nothing says whether the wording or the judge is at fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.agreement.readings import error_rates_words, label_rates_words, leaning
from metrics.analyses.agreement.standing import BELOW_CHANCE, TWO_UNITS, standing
from metrics.analyses.planning.sizes import about, error_behind, items_needed
from metrics.analyses.raters.advice import next_step
from metrics.analyses.raters.ceiling import Ceiling, human_ceiling
from metrics.analyses.raters.evidence import CriterionEvidence, evidence
from metrics.analyses.raters.result import STATISTICS, RaterBlock, estimate_text
from metrics.analyses.records import Block
from metrics.analyses.review.compute import Reviewed
from metrics.analyses.review.decisions import Action
from metrics.analyses.review.informative import disagreeing
from metrics.data.abstention import SILENT, Coverage
from metrics.data.memo import memoised
from metrics.errors import InputError
from metrics.intervals.single_table import wilson
from metrics.measures.arrays import safe_ratio
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

OFTEN_OPEN = 0.2
"""Share of decisions left open from which people find a criterion hard, and what a judge answers may be another matter."""
HALF = 0.5
"""Share of coded disagreements above which one cause is that of most."""
UNREAD = "Read the disagreements first: no number shows whether the judge or the people are wrong there."
LEAST = 10
"""Items with a reference label below which nothing is said of the wording."""
ANSWERED = 0.95
"""Share of decisions with a verdict of both from which the items to label are those that count."""
TWICE, WIDE = 50, 18
"""Items that a second person labels first, and points that the interval of an agreement of 90 % of them is wide."""


@dataclass(frozen=True)
class Suggestion:
    """One sentence or two, evidence first.

    Attributes
    ----------
    action : Action
        Empty where the labels call for more items before any decision.
    """

    action: Action
    text: str


Rule = Callable[[Reviewed], Suggestion | None]


def suggestion(review: Reviewed, coded: Mapping[str, int] | None = None) -> Suggestion:
    """Return the first that applies: nothing to compare, labels turned round, one label, one person an item, people, then the
    judge.

    Parameters
    ----------
    review : Reviewed
    coded : mapping of code to int, optional
        How many disagreements of the criterion readers put down to whom; they say more than the numbers on whose the errors are.
    """
    rules: tuple[Rule, ...] = (
        _nothing, _opposite, _one_label, _labelled_once, _rare, _open, _people, _silent, _shifted, _keep, _below_people,
    )  # fmt: skip
    found = next((proposal for proposal in (rule(review) for rule in rules) if proposal is not None), None) or _undecided(review)
    return _by_codes(found, coded or {}, review.settings.confidence) if found.action == "judge" else found


def _by_codes(found: Suggestion, coded: Mapping[str, int], confidence: float) -> Suggestion:
    """Return a suggestion to change the judge with what readers who coded the disagreements contradict in it, or that none did.

    People who agree may share an error: that they do not, no number shows.
    """
    n, unclear = sum(coded.values()), coded.get("rubric", 0) + coded.get("both", 0)
    people, judge = coded.get("human", 0), coded.get("judge", 0)
    if n < LEAST:
        return replace(found, text=f"{found.text} {UNREAD}")
    if wilson(judge, n, confidence)[0] > HALF:
        return found
    evidence = found.text.partition(": change the judge")[0]
    of = f"{evidence}. But of {words.several(n, 'coded disagreements')}"
    if wilson(unclear, n, confidence)[0] > HALF:
        return Suggestion("sharpen", f"{of} {words.count(unclear)} are put down to an unclear rubric: sharpen the wording first.")
    if wilson(people, n, confidence)[0] > HALF:
        return Suggestion("relabel", f"{of} {words.count(people)} are put down to people: correct their labels first.")
    return Suggestion(
        "", f"{of} only {words.count(judge)} are put down to the judge: settle the others before the judge is changed."
    )


def often_silent(coverage: Coverage, confidence: float, least: float = OFTEN_OPEN) -> float:
    """Return share of decisions without a verdict of the judge, where its interval lies above a share; else 0. Ties are answers.

    Parameters
    ----------
    coverage : Coverage
        Of some decision at least.
    confidence : float
    least : float
        By default `OFTEN_OPEN`.
    """
    share = coverage.judge_abstention_rate - coverage.tie_rate["judge"]
    return share if wilson(share * coverage.n_total, coverage.n_total, confidence)[0] > least else 0.0


def _silent(review: Reviewed) -> Suggestion | None:
    """Return a judge that often gives no verdict: what it answers says nothing of the rest."""
    coverage = review.coverage
    if coverage is None or not coverage.n_total:
        return None
    share = often_silent(coverage, review.settings.confidence)
    if not share:
        return None
    return Suggestion(
        "",
        f"The judge gives no verdict on {words.percent(share)} of {words.several(coverage.n_total, 'decisions')}; where it does, "
        f"{review.symbol} is {_value(review)}. Find out why it does not before the wording or the judge is judged by the rest.",
    )


def _shifted(review: Reviewed) -> Suggestion | None:
    """Return ordered labels of a judge that lie half a step or more to one side: ranks agree, and κ by distance hides it."""
    if review.scores is None or review.scores.order is None:
        return None
    scores = review.scores.judges[review.judge]
    bias, worth = scores.pooled["bias"], review.scores.order.array
    if bias.ends is None or scores.may_be_two_scales(None) or len(worth) < 2:
        return None
    half_a_step = float(np.abs(np.diff(worth)).min()) / 2
    if not bias.sign or min(map(abs, bias.ends)) < half_a_step:
        return None
    size = f"{words.signed(bias.value, 2)}{words.behind(bias.ends)}"
    return Suggestion(
        "judge",
        f"People agree, {_agreement(_humans(review))}, and the mean error of the judge is {size}: change the judge or its "
        f"prompt, not the wording. It rates {'higher' if bias.sign > 0 else 'lower'} by half a step or more.",
    )


def _nothing(review: Reviewed) -> Suggestion | None:
    if review.scale == "continuous":
        return Suggestion("", "Its values are scores, which have no κ: the page Scores says how near the judge’s come.")
    coverage = review.coverage
    if coverage is not None and coverage.n_total and coverage.judge_abstention_rate == 1:
        decisions = f"all {words.several(coverage.n_total, 'decisions')}" if coverage.n_total > 1 else "the one decision"
        return Suggestion(
            "", f"The judge gives no verdict on {decisions}. Find out why before anything is labelled again or reworded."
        )
    if review.block is None or not review.block.n:
        why = review.missing or review.kappa.undefined
        return Suggestion("relabel", f"No decision can be counted ({why}): have both sides label some of the same items.")
    return None


def _opposite(review: Reviewed) -> Suggestion | None:
    """Return labels that one side seems to use the other way round, or in another unit.

    Until that is mended no number says anything of the wording.
    """
    if review.report is None:
        return None
    warns = standing(review.report.judges[review.judge], review.settings.confidence)
    for warning in warns:
        if warning.code == BELOW_CHANCE:
            return Suggestion("", f"{warning.message} Find that out before anything else.")
        if warning.code == TWO_UNITS:
            return Suggestion("", f"{warning.message} Bring both sides to one unit before anything else.")
    return None


def _one_label(review: Reviewed) -> Suggestion | None:
    """Return a reference of one label: more labels of the same items would say nothing of the wording."""
    block = _block(review)
    given = np.asarray(block.confusion).sum(1)
    if not review.ratings.has_items or (given > 0).sum() > 1:
        return None
    only, n = words.shorten(block.labels[int(given.argmax())]), block.n or 0
    where = "the one item" if n == 1 else f"all {words.several(n, 'items')}"
    if review.coverage is not None and review.coverage.n_labels_open:
        silent = "where it gives another label the judge gives no verdict. Find out why before anything else."
        return Suggestion("", f"Where both answer, the reference says {only} on {where}; {silent}")
    return Suggestion("", f"The reference says {only} on {where}: add items that should get another label.")


def _labelled_once(review: Reviewed) -> Suggestion | None:
    """Return what to label twice where no item was, because nothing then says how far people agree."""
    if review.humans is not None and review.humans.n_pairable:
        return None
    block = _block(review)
    if not review.ratings.has_items:
        return Suggestion("", "A table of counts does not show how far people agree, so it says nothing of the wording.")
    n = min(TWICE, block.n or 0)
    if n < LEAST:
        few = f"{words.several(n, 'items')} with labels of both sides say nothing of the wording."
        return Suggestion("", f"{few} Have two people label {TWICE} items first.")
    lean = f" {error_rates_words(block)}" if leaning(block) else ""
    why = f": an agreement of 90 % then has an interval some {WIDE} points wide" if n == TWICE else ""
    return Suggestion(
        "",
        f"No item has labels of two people, so the labels cannot separate errors of the judge from unclear wording.{lean} "
        f"Have a second person label {words.several(n, 'items')} first{why}.",
    )


def _rare(review: Reviewed) -> Suggestion | None:
    """Return a label that the reference hardly gives: nothing can be said of the wording until there is more of it."""
    block = _block(review)
    given = np.asarray(block.confusion).sum(1)
    rare = int(np.where(given > 0, given, given.max() + 1).argmin())
    if given[rare] >= LEAST or len(given) > 2:
        return None
    few = [(words.shorten(label), words.count(n)) for label, n in zip(block.labels, given, strict=True) if 0 < n < LEAST]
    said = words.listed([f"{label} on only {n}" for label, n in few])
    labels = words.either([label for label, _ in few])
    more = f"{LEAST} or more" if len(few) == 1 else f"{LEAST} or more of each"
    return Suggestion(
        "",
        f"The reference says {said} of {words.several(block.n or 0, 'items')}: add items that should get {labels}, to {more}. So "
        "few say nothing of the wording.",
    )


def _open(review: Reviewed) -> Suggestion | None:
    """Return people below the floor who often give no verdict."""
    share, n = _nonresponse(review)
    if _humans(review).gate.verdict != "fails" or not n or wilson(share * n, n, review.settings.confidence)[0] <= OFTEN_OPEN:
        return None
    often = words.percent(share)
    if review.scale == "pairwise":
        return Suggestion("sharpen", f"People prefer neither answer in {often} of labels: add a rule for when two answers tie.")
    return Suggestion("sharpen", f"People give no verdict in {often} of labels: add a rule for answers that cannot be assessed.")


def _nonresponse(review: Reviewed) -> tuple[float, int]:
    """Return share of people's ratings without a verdict, and the items they are on."""
    ratings = review.ratings
    scheme = ratings.scheme
    people = ratings.by_role("human") & (ratings.state < scheme.end_of_rated)
    silent = people & np.isin(ratings.state, [scheme.state(kind) for kind in SILENT])
    times = ratings.weight[ratings.item]
    return float(safe_ratio(times[silent].sum(), times[people].sum())), int(ratings.weight[np.unique(ratings.item[people])].sum())


def _people(review: Reviewed) -> Suggestion | None:
    """Return people who are not shown to agree well enough; what follows is what the page of the raters says."""
    humans = _humans(review)
    gate = humans.gate
    if gate.verdict == "passes":
        return None
    labels = _evidence(review)
    step = next_step(
        labels, gate.verdict, gate.needed.n, would=gate.would, undefined=gate.reason, why_not=gate.needed.reason, rare=gate.rare
    )
    sharpen = gate.verdict == "fails" and gate.rare is None and "ambiguity" in labels.causes and not labels.scales
    if gate.reason:
        return Suggestion("", step)
    where = "below" if gate.verdict == "fails" else "not significantly above or below"
    start = f"The agreement of people, {_agreement(humans)}, is {where} the floor of {words.three(gate.line)}."
    return Suggestion("sharpen" if sharpen else "", f"{start} {step}")


def _keep(review: Reviewed) -> Suggestion | None:
    """Return people agree, and so does the judge with them."""
    line = _humans(review).gate.line
    if review.kappa.ends is None or review.kappa.ends[0] < line:
        return None
    block = _block(review)
    lean = f" But note: {words.uncapital(error_rates_words(block))}" if leaning(block) else ""
    ceiling = _ceiling(review)
    if ceiling is not None and ceiling.settled and ceiling.difference.value < 0:
        lean += f" {words.capital(_below(review, ceiling))}."
    return Suggestion(
        "keep",
        f"People agree, {_agreement(_humans(review))}, and {review.symbol} of the judge is {_value(review)}, above the floor of "
        f"{words.three(line)}: keep the wording.{lean}",
    )


def _below_people(review: Reviewed) -> Suggestion | None:
    """Return people agree, and the judge agrees with them less than they do among themselves."""
    ceiling = _ceiling(review)
    if ceiling is None or not ceiling.settled or ceiling.difference.value >= 0:
        return None
    if same := _said_by_others(review):
        return Suggestion("", f"People agree, and {_below(review, ceiling)}. But {same}")
    block = _block(review)
    which = " ".join(filter(None, (label_rates_words(block), error_rates_words(block))))
    return Suggestion(
        "judge",
        f"People agree, and {_below(review, ceiling)}: change the judge or its prompt, not the wording. {which}".rstrip(),
    )


def _said_by_others(review: Reviewed) -> str:
    """Return that the other judges mostly say what the judge does where it is wrong: then the reference may be; empty else."""
    speaks, _ = disagreeing(review)
    if speaks is None:
        return ""
    of_reference, of_judge = speaks.judges
    n, same = int((of_reference + of_judge > 0).sum()), int((of_judge > of_reference).sum())
    if n < LEAST or wilson(same, n, review.settings.confidence)[0] <= HALF:
        return ""
    return (
        f"on {words.count(same)} of {words.count(n)} disagreements most other judges say what this one says. Read these first: "
        "the labels of people may be wrong there, or the judges share an error."
    )


def _below(review: Reviewed, ceiling: Ceiling) -> str:
    """Return how far a judge lies below a person."""
    symbol, apart = BY_KEY[ceiling.metric].symbol, words.estimate(abs(ceiling.difference))
    return f"{symbol} of the judge lies {apart} below that of a person against the others{_at_once(review)}"


def _undecided(review: Reviewed) -> Suggestion:
    if not review.kappa.defined:
        return Suggestion("", f"{review.symbol} is undefined ({review.kappa.undefined}): label more items before deciding.")
    read = "Read the disagreements first. " if review.ratings.has_rows else ""
    return Suggestion(
        "", f"{review.symbol} of the judge is {_value(review)}: nothing is decided. {read}{_items(review)}".rstrip()
    )


def _items(review: Reviewed) -> str:
    """Return how many items would say on which side of the floor the judge lies."""
    interval = None if review.main is None else review.main[review.key].interval
    n = None if review.main is None else review.main.n
    if interval is None or not n:
        return ""
    line, confidence = _humans(review).gate.line, review.settings.confidence
    error = error_behind(interval, review.kappa.value, "fisher", n, confidence)
    needed = items_needed(review.kappa.value, error, line, n, "fisher", above=review.kappa.value > line, confidence=confidence).n
    if needed is None or needed <= n:
        return ""
    coverage = review.coverage
    answered = coverage.coverage if coverage is not None and coverage.n_total else 1.0
    would = f"would say whether it reaches {words.three(line)}"
    if answered >= ANSWERED:
        return f"{words.capital(about(needed))} items {would}."
    items = about(math.ceil(needed / answered))
    return f"{words.capital(items)} items, of which both answer {words.percent(answered)}, {would}."


def _evidence(review: Reviewed) -> CriterionEvidence:
    """Return what the labels of people show on this criterion; kept with the ratings."""
    made = memoised(
        review.ratings,
        ("evidence of people", review.settings.abstention),
        lambda: evidence(review.ratings, role="human", abstention=review.settings.abstention),
    )
    return list(made.criteria.values())[-1]


def _ceiling(review: Reviewed) -> Ceiling | None:
    """Return the judge against what a person reaches, in the number that the scale is read by; None where it is undefined.

    Over all criteria under review (Bonferroni).
    """
    confidence = 1 - (1 - review.settings.confidence) / review.n_criteria
    mode, ratings = review.settings.abstention, review.ratings
    key = ("ceiling", review.judge, mode, confidence)
    try:
        return memoised(ratings, key, lambda: human_ceiling(ratings, review.judge, abstention=mode, confidence=confidence))
    except InputError:
        return None


def _at_once(review: Reviewed) -> str:
    return f" (for all {words.count(review.n_criteria)} criteria at once)" if review.n_criteria > 1 else ""


def _agreement(humans: RaterBlock) -> str:
    return f"{STATISTICS[humans.judged].symbol} {estimate_text(humans, humans.judged)}"


def _humans(review: Reviewed) -> RaterBlock:
    assert review.humans is not None
    return review.humans


def _value(review: Reviewed) -> str:
    return f"{words.estimate(review.kappa)}{'' if review.kappa.ends else ', without an interval'}"


def _block(review: Reviewed) -> Block:
    assert review.block is not None
    return review.block

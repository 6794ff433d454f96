"""The verdict on raters without a judge: do the people agree well enough to serve as a reference?"""

from __future__ import annotations

from metrics.analyses.agreement.standing import LEAST
from metrics.analyses.cautions import LABELS_UNREAD, told_of
from metrics.analyses.overview.grounds import end_for_all
from metrics.analyses.overview.readings import with_long_symbol
from metrics.analyses.overview.result import Statement, numbers_of
from metrics.analyses.raters.alpha import of_mean_rating
from metrics.analyses.raters.compute import DECISIONS_TOGETHER
from metrics.analyses.raters.gate import needed_words
from metrics.analyses.raters.readings import MANY_EACH, rare_label_words, ratings_each, single_people
from metrics.analyses.raters.result import STATISTICS, RaterBlock, RatersReport, estimate_text
from metrics.measures.transforms import Interval
from metrics.results import words
from metrics.results.estimate import Estimate

TWO = 2


def verdict_of(report: RatersReport) -> tuple[Statement, ...]:
    """Return the statements that apply, in the order in which they are read; of judges nothing on a reference."""
    unread = (Statement(LABELS_UNREAD, text, {}),) if (text := told_of(LABELS_UNREAD, report.warnings)) else ()
    if report.role == "judge":
        return with_long_symbol((_no_reference(report), _of_judges(report), *unread), "α", "Krippendorff’s α")
    if why := no_verdict(report):
        text = f"No verdict on the people can be given: {why}. {what_to_label(report)}"
        return (Statement("no_verdict", text, {"n_items": report.pooled.n_pairable}), *unread)
    several = (_counted(report),) if len(report.criteria) > 1 else ()
    stated = (*several, _worst(report), *_votes(report), *_rare(report), *_together(report), *unread)
    return with_long_symbol(stated, "α", "Krippendorff’s α")


def no_verdict(report: RatersReport) -> str:
    """Return why the labels allow no verdict on the people, as a clause; empty where they do."""
    n = max(block.n_pairable for block in report.criteria.values())
    if not n:
        return "no item has labels of two people"
    if n < LEAST:
        return f"only {words.several(n, 'items')} {'has' if n == 1 else 'have'} labels of two people, and {LEAST} are the least"
    gates = [block.gate for block in report.criteria.values()]
    reasons = list(dict.fromkeys(gate.reason for gate in gates))
    return reasons[0] if all(reasons) and len(reasons) == 1 else ""


def what_to_label(report: RatersReport) -> str:
    """Return what would allow a verdict on the people."""
    n = max(block.n_pairable for block in report.criteria.values())
    return f"Have two people label {LEAST} items or more." if n < LEAST else "Label items that should get another label."


def by_verdict(report: RatersReport) -> dict[str, list[str]]:
    """Return criteria by the verdict of the gate; those of which it has none are undecided."""
    criteria: dict[str, list[str]] = {"passes": [], "fails": [], "undecided": []}
    for name, block in report.criteria.items():
        criteria[block.gate.verdict].append(name)
    return criteria


def by_chance(report: RatersReport) -> list[str]:
    """Return criteria below the floor by their own intervals, and not for all criteria at once: of thirty at it one is."""
    n, confidence = len(report.criteria), report.declaration.confidence
    shown = {name: report.criteria[name][report.criteria[name].judged] for name in by_verdict(report)["fails"]}
    return [name for name, one in shown.items() if end_for_all(one, n, 1, confidence) >= report.bands.line]


def _counted(report: RatersReport) -> Statement:
    criteria, of = by_verdict(report), words.count(len(report.criteria))
    text = f"The people agree well enough to serve as a reference on {words.count(len(criteria['passes']))} of {of} criteria."
    alone = by_chance(report)
    if shown := [name for name in criteria["fails"] if name not in alone]:
        text += f" Agreement is below the floor on {words.named(shown)}."
    if alone:
        text += (
            f" Not corrected for all {of} criteria it is below also on {words.named(alone)}."
            if shown
            else (f" Not corrected for all {of} criteria, agreement is below the floor on {words.named(alone)}.")
        )
    if criteria["undecided"]:
        text += f" The items do not decide it on {words.named(criteria['undecided'])}."
    return Statement("people", text, {"floor": report.bands.line, "statistic": report.bands.on, **criteria})


def _worst(report: RatersReport) -> Statement:
    """Return the criterion that needs attention most; of a single one the verdict."""
    name = report.by_need()[0]
    block, line = report.criteria[name], words.three(report.bands.line)
    gate = block.gate
    number = f"{STATISTICS[block.judged].symbol} {estimate_text(block, block.judged)}"
    if len(report.criteria) > 1:
        text = f"The criterion that needs attention most is {words.shorten(name)}: {number}."
    elif gate.reason:
        text = f"No verdict on the people can be given: {gate.reason}."
    elif gate.fails_on_rare:
        text = f"Whether the people agree well enough to serve as a reference is undecided: {number}, and a label is rare."
    else:
        single = "Single people" if single_people(report) else "The people"
        whether = "Whether the people agree well enough to serve as a reference is undecided"
        text = {
            "passes": f"The people agree well enough to serve as a reference: {number}, above the floor of {line}.",
            "fails": f"{single} do not agree well enough to serve as a reference: {number}, below the floor of {line}.",
            "undecided": f"{whether}: {number}, the floor is {line}.",
        }[gate.verdict]
    if gate.needed.n is not None:
        text += f" {words.capital(needed_words(gate.needed.n, gate.would, 'items'))}, if the value stays."
    numbers = {"criterion": name, "statistic": block.judged, "gate": gate.verdict, "n_needed": gate.needed.n}
    return Statement(
        "weakest" if len(report.criteria) > 1 else "people",
        text,
        numbers | numbers_of(block[block.judged]) | {"floor": gate.line},
    )


def _votes(report: RatersReport) -> tuple[Statement, ...]:
    """Return what the vote of many raters is worth, where single raters agree beyond chance and do not pass."""
    block, each, passes = report.pooled, ratings_each(report), by_verdict(report)["passes"]
    if len(passes) == len(report.criteria) or each < MANY_EACH or words.side_of_0(block[block.judged].ends) <= 0:
        return ()
    mean, of = _reliability(report), words.count(round(each))
    if mean is None or mean.ends is None:
        text = f"That is the agreement of single raters. The vote of the {of} raters of an item is usually more reliable."
        return (Statement("vote_of_many", text, {"ratings_each": each}),)
    label, number = words.marked(words.shorten(block.classes[0])), words.estimate(mean)
    share = f"The share of an item’s raters, {of} on average, who say {label}"
    text = f"{share} has a reliability of {number} (Spearman–Brown)."
    if vote_serves(report):
        text += " It can serve as a reference, except for votes near even."
    return (Statement("vote_of_many", text, {"ratings_each": each, "reliability": numbers_of(mean)}),)


def vote_serves(report: RatersReport) -> bool:
    """Return whether the share of an item's raters who give a label is reliable enough for a reference, where a single rater is
    not.
    """
    mean = _reliability(report) if single_people(report) and by_verdict(report)["fails"] else None
    return mean is not None and mean.ends is not None and mean.ends[0] > report.bands.line


def _reliability(report: RatersReport) -> Estimate | None:
    """Return the reliability of the share of an item's raters who give a label; None of more than two labels."""
    block, each = report.pooled, ratings_each(report)
    alpha = block[block.judged]
    if len(block.classes) != TWO or block.judged != "alpha" or alpha.ends is None or alpha.interval is None:
        return None
    low, high = (of_mean_rating(end, each) for end in alpha.ends)
    return Estimate(of_mean_rating(alpha.value, each), Interval(low, high, alpha.interval.method))


def _rare(report: RatersReport) -> tuple[Statement, ...]:
    """Return criteria that do not pass because a label is rare, which does not speak against the rubric."""
    rare = {name: block.gate.rare for name, block in report.criteria.items() if block.gate.rare is not None}
    if not rare:
        return ()
    name, label = next(iter(rare.items()))
    lowered = [each.lowers for each in rare.values()]
    if len(rare) > 1:
        effect = "A rare label lowers α" if all(lowered) else "A label is rare, which lowers α or leaves it open,"
        text = f"{effect} on {words.named(list(rare))}, so these values do not show an unclear rubric."
    else:
        on = f" on {words.shorten(name)}" if len(report.criteria) > 1 else ""
        effect = "That lowers α" if label.lowers else "That is too few to tell how far α reaches"
        text = f"{rare_label_words(label)}{on}. {effect}, so the value does not show an unclear rubric."
    return (Statement("rare_label", text, {"criteria": list(rare)}),)


def _together(report: RatersReport) -> tuple[Statement, ...]:
    """Return that decisions which may err together count as if each did alone."""
    return tuple(Statement(one.code, one.message, {}) for one in report.warnings if one.code == DECISIONS_TOGETHER)


def _no_reference(report: RatersReport) -> Statement:
    text = "No verdict on a judge can be given: the file has no labels of people. Label the items that the judges rated by hand."
    return Statement("no_verdict", text, {"n_judges": len(report.raters)})


def _of_judges(report: RatersReport) -> Statement:
    block: RaterBlock = report.pooled
    symbol, who = STATISTICS[block.judged].symbol, words.several(len(report.raters), "judges")
    over = " pooled over criteria" if len(report.criteria) > 1 else ""
    reached = f"Among themselves the {who} reach {symbol} {estimate_text(block, block.judged)}{over}."
    undefined = f"Among the {who} {symbol}{over} is undefined."
    text = f"{reached if block[block.judged].defined else undefined} Judges can agree and be wrong alike."
    return Statement("judges_alike", text, {"statistic": block.judged, **numbers_of(block[block.judged])})

"""Rankings of judges of more than two classes, and what balanced accuracy and macro J have to do with each other, in sentences.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.judge_selection.candidates import SYMBOLS, Candidate
from metrics.analyses.judge_selection.classes import CLASSES, COUNTEREXAMPLE, REVERSAL, Relation, relation_of
from metrics.analyses.judge_selection.golden import BA, GoldenTable
from metrics.analyses.judge_selection.ranking import Ranking, rank_tables
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.rates import class_scores
from metrics.results import words

MACRO_J, R_K = "macro_j", "mcc_multiclass"
MOST_CLASSES = 6
"""Classes whose sizes are said one by one."""
STATED = "BA = ((n − 1)/n) · macro J + 1/n".replace(" ", words.HARD_SPACE)
HOLDS = (
    "it holds for two classes, for classes of equal size, or where a class’s false positive rate gives the others equal "
    "weight. Otherwise BA and macro J need not rank judges alike."
)


def relation(golden: GoldenTable, name: Name = plain_name) -> str:
    """Return class sizes of the user's table, and how far the stated relation is off there."""
    stated_relation = relation_of(golden.counts)
    sizes = f"on this data: class sizes {_sizes(golden, stated_relation, name)}"
    if math.isnan(stated_relation.macro_j):
        return f"{sizes}. The reference uses fewer than two classes, so macro J is undefined."
    text = (
        f"{sizes}; for {name(golden.name)} BA is {words.three(stated_relation.balanced_accuracy)} "
        f"and macro J {words.three(stated_relation.macro_j)}"
    )
    if stated_relation.exact:
        return f"{text}. {STATED} is exact here{': the classes are of equal size' if stated_relation.even else ''}."
    return (
        f"{text}. {STATED} with n = {stated_relation.n} would give BA {words.three(stated_relation.implied_balanced_accuracy)}: "
        f"off by {words.three(stated_relation.off)}."
    )


def _sizes(golden: GoldenTable, stated_relation: Relation, name: Name) -> str:
    pairs = sorted(zip(golden.labels, stated_relation.sizes, strict=True), key=lambda pair: -pair[1])[: stated_relation.n]
    shown = [f"{name(label)}: {words.count(size)}" for label, size in pairs[:MOST_CLASSES]]
    left = pairs[MOST_CLASSES:]
    if left:
        shown.append(f"{words.count(len(left))} more of {words.count(left[-1][1])} to {words.count(left[0][1])}")
    unused = (
        ""
        if stated_relation.n == len(golden.labels)
        else f" (the reference uses {stated_relation.n} of {len(golden.labels)} classes)"
    )
    return ", ".join(shown) + unused


def ranking_agreement(ranking: Ranking, name: Name = plain_name) -> str:
    """Return whether balanced accuracy and macro J put the judges in one order; empty for fewer than two judges with both."""
    both = [candidate for candidate in ranking.order if not math.isnan(candidate.values[BA] + candidate.values[MACRO_J])]
    if len(both) < 2:
        return ""
    orders = [[ranking.ranks_of(candidate.name)[ranking.keys.index(key)] for candidate in both] for key in (BA, MACRO_J)]
    if orders[0] == orders[1]:
        return f"BA and macro J rank these {words.count(len(both))} judges alike."
    pair = _turned(both)
    if pair is None:
        return "BA and macro J do not rank these judges alike: one of them ties where the other does not."
    a, b = pair
    return (
        f"BA and macro J do not rank these judges alike: BA prefers {name(a.name)} to {name(b.name)} "
        f"({words.three(a.values[BA])} against {words.three(b.values[BA])}), "
        f"macro J {name(b.name)} ({words.three(b.values[MACRO_J])} against {words.three(a.values[MACRO_J])})."
    )


def _turned(judges: list[Candidate]) -> tuple[Candidate, Candidate] | None:
    """Return the two judges on whose order the metrics differ most: the one BA prefers, then the one macro J prefers."""
    reversals = [
        (min(a.values[BA] - b.values[BA], b.values[MACRO_J] - a.values[MACRO_J]), a, b)
        for a in judges
        for b in judges
        if a is not b
    ]
    best = max(reversals, key=lambda candidates: candidates[0])
    return best[1:] if best[0] > 0 else None


@cache
def published() -> tuple[str, str]:
    """Return the counterexample and the reversal of ranks, with their numbers."""
    stated_relation = relation_of(COUNTEREXAMPLE)
    sizes, ba = ", ".join(str(size) for size in stated_relation.sizes), words.three(stated_relation.balanced_accuracy)
    counter = (
        f"counterexample, classes of {sizes}: BA is {ba}, macro J {words.three(stated_relation.macro_j)}, and the relation gives "
        f"{words.three(stated_relation.implied_balanced_accuracy)}. With false positive "
        "rates that give the classes equal weight macro J is "
        f"{words.three(stated_relation.balanced_j)}, from which it is exact."
    )
    return counter, f"reversal, classes of the same sizes: {ranking_agreement(rank_tables(REVERSAL, labels=CLASSES))}"


def disagreements(ranking: Ranking, top: Mapping[str, Candidate], name: Name = plain_name) -> list[str]:
    """Return what makes metrics of many classes prefer different judges.

    Parameters
    ----------
    ranking : Ranking
    top : mapping of str to Candidate
        The judge each metric puts first.
    name : callable
        Wraps words that come from the user's file.
    """
    base = top.get(BA)
    if base is None:
        return []
    out = []
    if top.get("accuracy", base) is not base:
        out.append(_sizes_weigh(ranking, top["accuracy"], base, name))
    if top.get(MACRO_J, base) is not base:
        out.append(_alarms(top[MACRO_J], base, name))
    if top.get("macro_f1", base) is not base:
        out.append(_precision(ranking, top["macro_f1"], base, name))
    chance = [key for key in ("kappa", R_K) if top.get(key, base) is not base]
    if chance:
        symbols = " and ".join(SYMBOLS[key] for key in chance)
        rests = "rest" if len(chance) > 1 else "rests"
        out.append(f"{symbols} {rests} on accuracy beyond the label rates: large classes weigh more than in BA.")
    return [*out, *_kept(top, name)]


def _kept(top: Mapping[str, Candidate], name: Name) -> list[str]:
    """Return why κ prefers another judge than R_K: κ is at most R_K, and less the more the two sides' label rates differ."""
    if (
        "kappa" not in top
        or R_K not in top
        or top["kappa"] is top[R_K]
        or not (top["kappa"].values[R_K] and top[R_K].values[R_K])
    ):
        return []
    kept = [words.three(candidate.values["kappa"] / candidate.values[R_K]) for candidate in (top["kappa"], top[R_K])]
    return [
        f"κ is R_K less what unequal label rates take: κ/R_K is {kept[0]} for {name(top['kappa'].name)} and {kept[1]} for "
        f"{name(top[R_K].name)}."
    ]


def _sizes_weigh(ranking: Ranking, best: Candidate, base: Candidate, name: Name) -> str:
    """Return the class that tips accuracy, and the class that tips balanced accuracy."""
    recalls = [class_scores(candidate.counts)["recall"] for candidate in (best, base)]
    gain = np.nan_to_num(recalls[0] - recalls[1])
    share = safe_ratio(best.counts.sum(1), best.counts.sum())
    large, small = int(np.argmax(gain * share)), int(np.argmin(gain))
    text = f"Accuracy weighs a class by its size: {_rates(ranking, best, recalls, large, share, name)}"
    if gain[small] >= 0:
        return f"{text}."
    return f"{text}; BA counts the classes alike: {_rates(ranking, base, recalls[::-1], small, share, name)}."


def _rates(ranking: Ranking, who: Candidate, recalls: list[FloatArray], place: int, share: FloatArray, name: Name) -> str:
    rate, other = (words.percent(recall[place]) for recall in recalls)
    label = name(ranking.labels[place])
    return f"{name(who.name)} finds {rate} of {label} ({words.percent(share[place])} of the decisions) against {other}"


def _alarms(best: Candidate, base: Candidate, name: Name) -> str:
    """Return the mean false-alarm rates of two judges, which are mean recall less macro J."""
    rates = [words.percent(candidate.values[BA] - candidate.values[MACRO_J]) for candidate in (best, base)]
    return (
        f"Macro J subtracts each class’s false positives as a share of all other decisions: {rates[0]} on average for "
        f"{name(best.name)} against {rates[1]} for {name(base.name)}."
    )


def _precision(ranking: Ranking, best: Candidate, base: Candidate, name: Name) -> str:
    precisions = [class_scores(candidate.counts)["precision"] for candidate in (best, base)]
    gain = np.nan_to_num(precisions[0] - precisions[1])
    place = int(np.argmax(gain))
    if gain[place] <= 0:
        return "Macro-F1 counts precision beside recall."
    rate, other = (words.percent(value[place]) for value in precisions)
    return (
        f"Macro-F1 counts precision beside recall: of what {name(best.name)} calls "
        f"{name(ranking.labels[place])} {rate} is right, "
        f"against {other}."
    )

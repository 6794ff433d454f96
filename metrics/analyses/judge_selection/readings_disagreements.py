"""Which metrics put which judge first, and what makes them differ, in sentences computed from the numbers shown.

`name` wraps names that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.judge_selection import readings_classes
from metrics.analyses.judge_selection.candidates import AT, SNR, SYMBOLS, Benchmark, Candidate
from metrics.analyses.judge_selection.golden import BA
from metrics.analyses.judge_selection.ranking import Ranking
from metrics.analyses.judge_selection.readings import judge_names
from metrics.analyses.prevalence.power import measured_rate
from metrics.measures.rates import f1, f1_negative, precision
from metrics.results import words

ELSEWHERE = 0.01
"""Prevalences closer than this read as the same."""


def disagreements(ranking: Ranking, name: Name = plain_name) -> tuple[str, ...]:
    """Return which metrics put whom first, and what makes them differ; one sentence each."""
    if len(ranking.order) < 2:
        return ()
    base = next(iter(ranking.firsts(BA)), None)
    firsts = {key: ranking.firsts(key) for key in ranking.keys if ranking.firsts(key)}
    if not firsts:
        return ("No metric has a value for any judge.",)
    by_first: dict[tuple[str, ...], list[str]] = {}
    for key, candidates in firsts.items():
        by_first.setdefault(tuple(candidate.name for candidate in candidates), []).append(key)
    if len(by_first) == 1:
        every = "every metric" if len(firsts) == len(ranking.keys) else "every metric that has a value"
        return (
            f"In this sample {every} puts {judge_names(next(iter(by_first)), name)} first.{_that_is(ranking)}",
            *_below(ranking, name),
        )
    whom = [
        f"{_symbols(keys)} put{'s' if len(keys) == 1 else ''} {judge_names(who, name)} first" for who, keys in by_first.items()
    ]
    top = {key: base if base is not None and base in leaders else leaders[0] for key, leaders in firsts.items()}
    start = "In this sample " + "; ".join(whom) + ("." if ranking.named or not ranking.over else ", pooled over criteria.")
    if ranking.benchmark is None:
        return (start, *readings_classes.disagreements(ranking, top, name))
    mark = ranking.benchmark
    return (start, *_slope_and_noise(mark, top, name), *_mix(top, name), *_chance(top, name), *_elsewhere(mark, top, name))


def _that_is(ranking: Ranking) -> str:
    """Return what the order is taken over, where another reading contradicts it."""
    if ranking.disputed or ranking.first.unlike_within:
        return " Pooled over criteria, that is: the readings disagree."
    left = ranking.from_left_open
    return " On all that each answered, that is: the order comes from decisions that only one of them answered." if left else ""


def _below(ranking: Ranking, name: Name) -> list[str]:
    """Return who moves most from metric to metric, where the first stays the same."""
    ranks = {candidate.name: [rank or 0 for rank in ranking.ranks_of(candidate.name)] for candidate in ranking.usable}
    moved = {who: max(judge_ranks) - min(judge_ranks) for who, judge_ranks in ranks.items() if all(judge_ranks)}
    most = max(moved, key=lambda who: moved[who], default="")
    if not most or not moved[most]:
        return []
    mover_ranks, n = ranks[most], sum(by > 0 for by in moved.values())
    best, worst = mover_ranks.index(min(mover_ranks)), mover_ranks.index(max(mover_ranks))
    alone = list(moved.values()).count(moved[most]) == 1
    return [
        f"Below, {words.count(n)} of {words.count(len(ranking.order))} judges change rank with the metric, "
        f"{name(most)} {'most' if alone else 'as far as any'}: "
        f"{mover_ranks[best]} under {SYMBOLS[ranking.keys[best]]}, {mover_ranks[worst]} under {SYMBOLS[ranking.keys[worst]]}."
    ]


def _slope_and_noise(mark: Benchmark, top: dict[str, Candidate], name: Name) -> list[str]:
    """Return why SNR prefers another judge than BA: BA and J look at the slope alone, SNR also at how much the rate varies."""
    if BA not in top or SNR not in top or top[BA] is top[SNR]:
        return []
    steep, calm = top[BA], top[SNR]
    noise = [_noise(candidate, mark.prevalence) for candidate in (steep, calm)]
    j = [candidate.values["youden_j"] for candidate in (steep, calm)]
    if min(j) <= 0 or not all(noise):
        return [f"J is the slope of the measured rate alone; SNR also counts how much that rate varies: {name(calm.name)} less."]
    return [
        f"J of {name(steep.name)} is {_times(j[0] / j[1])} that of {name(calm.name)} "
        f"({words.p3(j[0])} against {words.p3(j[1])}), but the rate it reports varies {_times(noise[0] / noise[1])} as much "
        f"(FPR {words.percent(steep.fpr)} against {words.percent(calm.fpr)}): slope over noise favours {name(calm.name)}."
    ]


def _noise(candidate: Candidate, prevalence: float) -> float:
    y = float(measured_rate(candidate.tpr, candidate.fpr, prevalence))
    return math.sqrt(y * (1 - y))


def _times(ratio: float) -> str:
    return f"{ratio:.2f} times" if ratio < 2 else f"{ratio:.1f} times"


def _mix(top: dict[str, Candidate], name: Name) -> list[str]:
    """Return what the golden set's own mix does to accuracy, F1 and macro-F1."""
    base = top.get(BA)
    if base is None:
        return []
    out = []
    if top.get("accuracy", base) is not base:
        out.append(_accuracy(top["accuracy"], base, name))
    if top.get("f1", base) is not base:
        out.append(_f1(top["f1"], base, name))
    if top.get("macro_f1", base) is not base:
        best = top["macro_f1"]
        best_scores, other = (
            [words.number(function(candidate.counts)) for function in (f1, f1_negative)] for candidate in (best, base)
        )
        out.append(
            f"Macro-F1 is the mean of F1 and of F1 of the other label: {best_scores[0]} "
            f"and {best_scores[1]} for {name(best.name)} against "
            f"{other[0]} and {other[1]} for {name(base.name)}."
        )
    return out


def _accuracy(best: Candidate, base: Candidate, name: Name) -> str:
    share = best.sizes[0] / max(sum(best.sizes), 1)
    if share in (0, 1):
        only, alone, rate = ("positives", "TPR", best.tpr) if share else ("negatives", "TNR", 1 - best.fpr)
        return (
            f"{name(best.name)} was rated on {only} only, where accuracy is {alone} alone ({words.percent(rate)}); "
            f"{name(base.name)} on both labels."
        )
    heavy, light = ("TNR", "TPR") if share < 0.5 else ("TPR", "TNR")
    ratio = (1 - share) / share if share < 0.5 else share / (1 - share)
    rates = [(1 - candidate.fpr if heavy == "TNR" else candidate.tpr) for candidate in (best, base)]
    return (
        f"With {words.percent(share)} positives in the golden set accuracy counts {heavy} {_times(ratio)} as much as {light}, "
        f"and {name(best.name)} has the higher {heavy} ({words.percent(rates[0])} against {words.percent(rates[1])})."
    )


def _f1(best: Candidate, base: Candidate, name: Name) -> str:
    precisions = [float(precision(candidate.counts)) for candidate in (best, base)]
    if not precisions[0] > precisions[1]:
        return (
            f"F1 leaves out true negatives: {name(best.name)} finds {words.percent(best.tpr)} against {words.percent(base.tpr)}."
        )
    alarms = [
        f"{words.count(candidate.counts[1, 0])} of {words.count(candidate.counts[:, 0].sum())}" for candidate in (best, base)
    ]
    return (
        "F1 leaves out true negatives and weighs precision, which moves with prevalence: false positives are "
        f"{alarms[0]} positive verdicts of {name(best.name)}, {alarms[1]} of {name(base.name)} "
        f"(precision {words.percent(precisions[0])} against {words.percent(precisions[1])})."
    )


def _chance(top: dict[str, Candidate], name: Name) -> list[str]:
    """Return why κ prefers another judge than φ: κ is φ times κ/φ, which falls as the label rates of the two sides part."""
    if "kappa" not in top or "phi" not in top or top["kappa"] is top["phi"]:
        return []
    best, other = top["kappa"], top["phi"]
    if not all(candidate.values["phi"] for candidate in (best, other)):
        return []
    kept = [candidate.values["kappa"] / candidate.values["phi"] for candidate in (best, other)]
    rates = [words.percent(candidate.counts[:, 0].sum() / candidate.counts.sum()) for candidate in (best, other)]
    if not kept[0] > kept[1]:
        return []
    return [
        f"κ falls below φ as the label rates differ: {name(other.name)} says positive in {rates[1]}, {name(best.name)} in "
        f"{rates[0]}, "
        f"the reference in {words.percent(best.sizes[0] / sum(best.sizes))}, so that κ keeps {words.three(kept[1])} of φ for "
        f"{name(other.name)} and {words.three(kept[0])} for {name(best.name)}."
    ]


def _elsewhere(mark: Benchmark, top: dict[str, Candidate], name: Name) -> list[str]:
    """Return why φ of the golden set prefers another judge than SNR: φ of the benchmark need not agree with it."""
    if "phi" not in top or SNR not in top or top["phi"] is top[SNR]:
        return []
    a, b = top["phi"], top[SNR]
    golden = a.sizes[0] / sum(a.sizes)
    if abs(golden - mark.prevalence) < ELSEWHERE:
        return []
    there = [words.number(candidate.values[AT]) for candidate in (b, a)]
    if there[0] == there[1]:
        return []
    return [
        f"φ and κ are taken at the golden set’s {words.percent(golden)}; carried to {words.percent(mark.prevalence)}, φ is "
        f"{there[0]} for {name(b.name)} and {there[1]} for {name(a.name)}."
    ]


def _symbols(keys: Sequence[str]) -> str:
    return words.joined([SYMBOLS[key] for key in keys])

"""Why rankings disagree, in sentences computed from the numbers shown.

`name` wraps names that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics import words
from metrics.choosing.candidates import AT, BA, RANKED, SNR, SYMBOLS, Candidate
from metrics.choosing.ranking import Ranking
from metrics.readings import Name, plain_name
from metrics.sweeping.power import FEW, measured_rate, whole

ELSEWHERE = 0.01
"""Prevalences closer than this read as the same."""


def answers_words(answers: float) -> str:
    """Answers per model, rounded up: 1 506; a dash where no number of them is enough."""
    rounded = whole(answers)
    return words.UNDEFINED if rounded is None else words.count(rounded)


def _needs(one: Candidate, name: Name) -> str:
    if whole(one.answers) is None:
        return f"{name(one.name)} is at chance, so that no number of answers would do"
    return f"{name(one.name)} needs {answers_words(one.answers)} answers per model"


def reading(ranking: Ranking, name: Name = plain_name) -> str:
    """Who is first, what it costs, and who cannot be told apart."""
    usable = [one for one in ranking.order if not math.isnan(one.values[ranking.by])]
    if not usable:
        return f"{SYMBOLS[ranking.by]} is undefined for every judge."
    first = usable[0]
    at = words.percent(ranking.benchmark.prevalence)
    if len(usable) == 1:
        return f"at a benchmark prevalence of {at} {_needs(first, name)}."
    parts = [_cost(ranking, usable, name), _tied(ranking, first, name)]
    return " ".join(part for part in parts if part)


def _cost(ranking: Ranking, usable: Sequence[Candidate], name: Name) -> str:
    first, second = usable[0], usable[1]
    other = f"{name(second.name)} {answers_words(second.answers)}" if whole(second.answers) else _needs(second, name)
    text = f"at a benchmark prevalence of {words.percent(ranking.benchmark.prevalence)} {_needs(first, name)}, {other}"
    higher = second.values["youden_j"] > first.values["youden_j"]
    if higher and first.answers < second.answers:
        return f"{text}, although {name(second.name)} has the higher J."
    if first.answers > second.answers:
        return f"{text}: the first under {SYMBOLS[ranking.by]} is not the cheaper one."
    return f"{text}."


def _tied(ranking: Ranking, first: Candidate, name: Name) -> str:
    others = ranking.inseparable(first.name)
    if not ranking.pairs:
        return ""
    if not others:
        return f"Under {SYMBOLS[ranking.by]} {name(first.name)} is told apart from every other judge."
    return f"Under {SYMBOLS[ranking.by]} {name(first.name)} cannot be told apart from {_names(others, name)}."


def disagreements(ranking: Ranking, name: Name = plain_name) -> tuple[str, ...]:
    """Which metrics put whom first, and what makes them differ; one sentence each."""
    by_first: dict[str, list[str]] = {}
    for key in RANKED:
        for one in ranking.firsts(key)[:1]:
            by_first.setdefault(one.name, []).append(key)
    if not by_first:
        return ("No metric has a value for any judge.",)
    if len(by_first) == 1:
        only = next(iter(by_first))
        return (f"Every metric puts {name(only)} first.",) if len(ranking.order) > 1 else ()
    whom = [f"{_symbols(keys)} put{'s' if len(keys) == 1 else ''} {name(who)} first" for who, keys in by_first.items()]
    found = ["; ".join(whom) + "."]
    by = {one.name: one for one in ranking.order}
    top = {key: by[who] for who, keys in by_first.items() for key in keys}
    return (*found, *_slope_and_noise(ranking, top, name), *_mix(ranking, top, name), *_elsewhere(ranking, top, name))


def _slope_and_noise(ranking: Ranking, top: dict[str, Candidate], name: Name) -> list[str]:
    """BA and J look at the slope alone, SNR also at how much the reported rate varies."""
    if BA not in top or SNR not in top or top[BA] is top[SNR]:
        return []
    steep, calm = top[BA], top[SNR]
    noise = [_noise(one, ranking.benchmark.prevalence) for one in (steep, calm)]
    j = [one.values["youden_j"] for one in (steep, calm)]
    if min(j) <= 0 or not all(noise):
        return [f"J is the slope of the measured rate alone; SNR also counts how much that rate varies: {name(calm.name)} less."]
    return [
        f"J of {name(steep.name)} is {_times(j[0] / j[1])} that of {name(calm.name)} "
        f"({words.p3(j[0])} against {words.p3(j[1])}), but the rate it reports varies {_times(noise[0] / noise[1])} as much "
        f"(FPR {words.percent(steep.fpr)} against {words.percent(calm.fpr)}): slope over noise favours {name(calm.name)}."
    ]


def _noise(one: Candidate, prevalence: float) -> float:
    y = float(measured_rate(one.tpr, one.fpr, prevalence))
    return math.sqrt(y * (1 - y))


def _times(ratio: float) -> str:
    return f"{ratio:.2f} times" if ratio < 2 else f"{ratio:.1f} times"


def _mix(ranking: Ranking, top: dict[str, Candidate], name: Name) -> list[str]:
    """What the golden set's own mix does to accuracy, and what F1 leaves out."""
    out: list[str] = []
    base = top.get(BA)
    if base is None:
        return out
    other = top.get("accuracy", base)
    if other is not base:
        share = other.n_positive / max(other.counts.sum(), 1)
        heavy, light = ("TNR", "TPR") if share < 0.5 else ("TPR", "TNR")
        ratio = (1 - share) / share if share < 0.5 else share / (1 - share)
        rates = [(1 - one.fpr if heavy == "TNR" else one.tpr) for one in (other, base)]
        weight = f"counts {heavy} {_times(ratio)} as much as {light}"
        out.append(
            f"With {words.percent(share)} positives in the golden set accuracy {weight}, and {name(other.name)} has the higher "
            f"{heavy} ({words.percent(rates[0])} against {words.percent(rates[1])})."
        )
    if top.get("f1", base) is not base:
        best = top["f1"]
        precision = [_precision(one) for one in (best, base)]
        out.append(
            f"F1 leaves out true negatives and weighs precision, which moves with prevalence: here {name(best.name)} has "
            f"{words.percent(precision[0])} against {words.percent(precision[1])}."
        )
    return out


def _precision(one: Candidate) -> float:
    judged = float(one.counts[:, 0].sum())
    return float(one.counts[0, 0]) / judged if judged else math.nan


def _elsewhere(ranking: Ranking, top: dict[str, Candidate], name: Name) -> list[str]:
    """φ of the golden set and φ of the benchmark need not agree."""
    if "phi" not in top or SNR not in top or top["phi"] is top[SNR]:
        return []
    golden, x = top["phi"].n_positive / top["phi"].counts.sum(), ranking.benchmark.prevalence
    if abs(golden - x) < ELSEWHERE:
        return []
    a, b = top["phi"], top[SNR]
    return [
        f"φ and κ are taken at the golden set’s {words.percent(golden)}; carried to {words.percent(x)}, φ is "
        f"{words.number(b.values[AT])} for {name(b.name)} and {words.number(a.values[AT])} for {name(a.name)}."
    ]


def warnings(ranking: Ranking, name: Name = plain_name) -> tuple[str, ...]:
    """What a reader must know before choosing."""
    out = []
    thin = [one for one in ranking.order if one.thin]
    if thin:
        least = min(min(one.n_positive, one.n_negative) for one in thin)
        out.append(
            f"Fewer than {FEW} golden decisions of one label for {_names([one.name for one in thin], name)} "
            f"(the fewest: {least}); its rates, and with them every ranking, are shaky."
        )
    backwards = [one.name for one in ranking.order if one.values["youden_j"] < 0]
    if backwards:
        out.append(f"J is below 0 for {_names(backwards, name)}: turned round, the judge would rank models better.")
    if not ranking.paired and len(ranking.order) > 1:
        out.append("These tables do not say which items the judges share, so the judges are taken as independent.")
    coverage = [one.coverage for one in ranking.order if not math.isnan(one.coverage)]
    if coverage and max(coverage) - min(coverage) > 0.05:
        out.append(
            f"The judges give a verdict on different shares of the decisions ({words.percent(min(coverage))} to "
            f"{words.percent(max(coverage))}); each value is on its own decisions, each pair on the shared ones."
        )
    return tuple(out)


def _symbols(keys: Sequence[str]) -> str:
    return _and([SYMBOLS[key] for key in keys])


def _names(names: Sequence[str], name: Name) -> str:
    shown = [name(one) for one in names[:3]]
    return _and([*shown, f"{words.count(len(names) - 3)} more"] if len(names) > 3 else shown)


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

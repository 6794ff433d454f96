"""Why rankings disagree, in sentences computed from the numbers shown.

`name` wraps names that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.comparison.readings import LEVEL_WORDS, reading_words
from metrics.analyses.judge_selection import readings_classes
from metrics.analyses.judge_selection.candidates import AT, SNR, SYMBOLS, Benchmark, Candidate, unit_of
from metrics.analyses.judge_selection.first_judge import Against, LeftOpen
from metrics.analyses.judge_selection.golden import BA
from metrics.analyses.judge_selection.ranking import Ranking
from metrics.analyses.prevalence.power import FEW, measured_rate, whole
from metrics.analyses.prevalence.readings import answers_words
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.measures.rates import f1, f1_negative, precision
from metrics.results import words

ELSEWHERE = 0.01
"""Prevalences closer than this read as the same."""
# Judges, or pairs of them, that are told one by one.
MOST_TURNED = 3
# Difference of coverage, and of the decisions left out, above which the judges are said to answer different shares.
DIFFERENT_COVERAGE = 0.05


def example_origin(table: str, file: str = "") -> str:
    """Return where the judges of an example come from: `classes`, or a published table; `file` is the one in view."""
    but = f", not from {words.plain(file)}" if file else ""
    if table == "classes":
        return (
            f"Example{but}: two made-up judges on three classes of 100, 10 and 10 decisions. Balanced accuracy and macro J "
            "disagree about them."
        )
    number = table.removeprefix("table")
    return (
        f"Example{but}: Collot et al., Balanced Accuracy: The Right Metric for Evaluating LLM Judges, Table {number}. Each judge "
        "on 1\u202f000 answers."
    )


def reading(ranking: Ranking, name: Name = plain_name) -> str:
    """Return who is first, what it costs, and who cannot be told apart."""
    if not ranking.usable:
        return f"{SYMBOLS[ranking.by]} is undefined for every judge."
    first, mark = ranking.usable[0], ranking.benchmark
    if ranking.named is None:
        # What a judge needs rests on the order that is in doubt; where there is no cost the values stand side by side.
        over = "Pooled over criteria" if ranking.over else "On all that each judge answered"
        values = [f"{over}: {_first(ranking, name)}"] if mark is None else []
        return " ".join([*_unnamed(ranking, first, name), *values])
    parts = [_first(ranking, name) if mark is None else _cost(ranking, mark, name), _tied(ranking, first, name)]
    return " ".join(part for part in parts if part)


def _unnamed(ranking: Ranking, first: Candidate, name: Name) -> list[str]:
    """Return why no judge is named, before anything else is said."""
    if ranking.disputed:
        return _disputed(ranking, first, name)
    if first.unlike_within:
        return [f"the readings of J disagree on {name(first.name)}, so no judge is named the best."]
    shown = [left_open for left_open in ranking.left_open if left_open.decides]
    whom = _names([first.name, *ranking.from_left_open], name)
    start = f"the order of {whom} comes from decisions that only one of them answered, so no judge is named the best."
    return [start, *(f"{_left_open(left_open, first.name, name)}." for left_open in shown[:MOST_TURNED])]


def _left_open(left_open: LeftOpen, first: str, name: Name) -> str:
    """Return one judge less the first on what both answered, and on all."""
    common, whole = (reading_words(one_reading) for one_reading in (left_open.common, left_open.whole))
    return (
        f"{name(left_open.name)} minus {name(first)} in {SYMBOLS[left_open.whole.metric]}: {common} on the "
        f"{words.several(left_open.common.n[0], 'decisions')} that both answered, {whole} on all that each answered"
    )


def _disputed(ranking: Ranking, first: Candidate, name: Name) -> list[str]:
    """Return readings that disagree on the first judge, before anything else is said."""
    shown = [against for against in ranking.against if against.disagree]
    start = f"the readings disagree on {_names(ranking.disputed, name)}, so no judge is named the best."
    return [start, *(f"{reading_of(against, first.name, name)}." for against in shown[:MOST_TURNED])]


def reading_of(against: Against, first: str, name: Name = plain_name) -> str:
    """Return one judge less the first in every reading.

    Parameters
    ----------
    against : Against
    first : str
        Name of the first judge.
    name : callable
        Wraps words that come from the user's file.
    """
    shown = [f"{LEVEL_WORDS[level]} {reading_words(level_reading)}" for level, level_reading in against.readings.items()]
    symbol = SYMBOLS[against.readings["micro"].metric]
    link = ", " if symbol == SYMBOLS["kappa"] else "; in κ: "
    return f"{name(against.name)} minus {name(first)} in {symbol}: {shown[0]}, {shown[1]}{link}{shown[2]}"


def _first(ranking: Ranking, name: Name) -> str:
    """Return, where there is no cost, the value of the first, and of the next one."""
    shown = [
        f"{name(candidate.name)} has {SYMBOLS[ranking.by]} {_value(candidate, ranking.by)}" for candidate in ranking.usable[:2]
    ]
    return f"{shown[0]}{f', {shown[1]}' if len(shown) > 1 else ''}."


def _value(candidate: Candidate, key: str) -> str:
    return words.value(candidate.values[key], unit_of(key))


def _needs(candidate: Candidate, name: Name) -> str:
    if candidate.no_answers and math.isnan(candidate.answers.value):
        return f"what {name(candidate.name)} needs is undefined, for {candidate.no_answers}"
    if candidate.no_answers:
        return f"{name(candidate.name)} is at chance, so that no number of answers is enough"
    turned = ", inverted," if candidate.values["youden_j"] < 0 and not candidate.by_chance else ""
    text = f"{name(candidate.name)}{turned} needs {answers_words(candidate.answers.value)} answers per model"
    return (
        f"{text}, if it is any better than chance (J {words.bounds(candidate['youden_j'].ends)})" if candidate.by_chance else text
    )


def _cost(ranking: Ranking, mark: Benchmark, name: Name) -> str:
    """Return what the first needs, beside the cheapest of the others where that is cheaper, else beside the next."""
    first, rest = ranking.usable[0], ranking.usable[1:]
    text = f"at a benchmark prevalence of {words.percent(mark.prevalence)} {_needs(first, name)}"
    if not rest:
        return f"{text}."
    cheapest = min(rest, key=lambda candidate: math.inf if math.isnan(candidate.answers.value) else candidate.answers.value)
    dearer = cheapest.answers.value < first.answers.value
    other = cheapest if dearer else rest[0]
    plain = whole(first.answers.value) and whole(other.answers.value) and not other.by_chance
    text += f", {name(other.name)} {answers_words(other.answers.value)}" if plain else f"; {_needs(other, name)}"
    j = [candidate.values["youden_j"] for candidate in (first, other)]
    if not dearer:
        return f"{text}, although {name(other.name)} has the higher J." if j[1] > j[0] else f"{text}."
    lower = f"{name(other.name)} is the cheaper one{' with the lower J' if j[1] < j[0] else ''}"
    return f"{text}: {lower}, so the first under {SYMBOLS[ranking.by]} is not the cheapest."


def _tied(ranking: Ranking, first: Candidate, name: Name) -> str:
    others = ranking.inseparable(first.name)
    if not ranking.pairs:
        return ""
    under = f"Under {SYMBOLS[ranking.by]}{f', {ranking.over},' if ranking.over else ''}"
    that_has = "" if len(ranking.usable) == len(ranking.order) else " that has a value"
    if not others:
        return f"{under} {name(first.name)} differs significantly from every other judge{that_has}."
    return f"{under} {name(first.name)} is tied with {_names(others, name)}."


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
            f"In this sample {every} puts {_names(next(iter(by_first)), name)} first.{_that_is(ranking)}",
            *_below(ranking, name),
        )
    whom = [f"{_symbols(keys)} put{'s' if len(keys) == 1 else ''} {_names(who, name)} first" for who, keys in by_first.items()]
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


def dashes(ranking: Ranking, keys: Sequence[str], name: Name = plain_name) -> tuple[str, ...]:
    """Return why the table of all judges has dashes under these keys, one sentence to a reason.

    Parameters
    ----------
    ranking : Ranking
    keys : sequence of str
        Metrics of the table; `answers` for the answers needed.
    name : callable
        Wraps words that come from the user's file.
    """
    gaps_by_reason: dict[str, tuple[list[str], list[str]]] = {}
    for candidate in ranking.order:
        for key in keys:
            why = candidate.no_answers if key == "answers" else candidate[key].undefined
            if why:
                names, symbols = gaps_by_reason.setdefault(why, ([], []))
                names.append(name(candidate.name))
                symbols.append(SYMBOLS.get(key, key))
    return tuple(
        f"Undefined for {words.listed([*dict.fromkeys(names)], MOST_TURNED)}: {why} ({', '.join(dict.fromkeys(symbols))})."
        for why, (names, symbols) in gaps_by_reason.items()
    )


def warnings(ranking: Ranking, name: Name = plain_name) -> tuple[str, ...]:
    """Return what a reader must know before choosing."""
    refused = [f"{name(candidate.name)}: {candidate.golden.refused}" for candidate in ranking.order if candidate.golden.refused]
    pooled = [
        f"{name(candidate.name)}: {candidate.unlike_within[0].lower()}{candidate.unlike_within[1:]}"
        for candidate in ranking.order
        if candidate.unlike_within
    ]
    out = [*refused, *pooled, *_thin(ranking, name), *_backwards(ranking, name), *_turned(ranking, name)]
    if not ranking.paired and len(ranking.order) > 1:
        out.append("These tables do not say which items the judges share, so the judges are taken as independent.")
    coverage = [candidate.coverage for candidate in ranking.order if not math.isnan(candidate.coverage)]
    n = [sum(candidate.sizes) for candidate in ranking.order]
    # Recoded, or as a class, what was left open counts for every judge alike.
    left_out = max(n) - min(n) > DIFFERENT_COVERAGE * max(n)
    if coverage and left_out and max(coverage) - min(coverage) > DIFFERENT_COVERAGE:
        out.append(
            f"The judges give a verdict on different shares of the decisions ({words.percent(min(coverage))} to "
            f"{words.percent(max(coverage))}); each value is on its own decisions, each pair on those both made."
        )
    return tuple(out)


def _turned(ranking: Ranking, name: Name) -> list[str]:
    """Return pairs whose order is the other way round once both are judged on the same decisions."""
    turned = [pair for pair in ranking.pairs if pair.separable and pair.difference.value < 0]
    more = len(turned) - MOST_TURNED
    sentences = [
        f"On the {words.count(pair.n_shared)} decisions both made {name(pair.second)} is ahead of {name(pair.first)}, not "
        "behind: the order here comes from decisions that only one of them made."
        for pair in turned[:MOST_TURNED]
    ]
    return [*sentences, *([f"The same holds for {words.count(more)} more pair{'s' if more > 1 else ''}."] if more > 0 else [])]


def _thin(ranking: Ranking, name: Name) -> list[str]:
    thin = [candidate for candidate in ranking.order if candidate.thin]
    if not thin:
        return []
    least = min(n for candidate in thin for n in candidate.sizes if n or len(candidate.sizes) == 2)
    what = "label" if ranking.benchmark else "class"
    rates_text = "its rates" if len(thin) == 1 else "their rates"
    return [
        f"Fewer than {FEW} golden decisions of one {what} for {_names([candidate.name for candidate in thin], name)} "
        f"(the fewest: {least}); {rates_text}, and with them every ranking, are shaky."
    ]


def _backwards(ranking: Ranking, name: Name) -> list[str]:
    if ranking.benchmark is None:
        return _below_chance(ranking, name)
    out = []
    agreed = [candidate for candidate in ranking.order if not candidate.unlike_within]
    chance = [candidate.name for candidate in agreed if candidate.by_chance]
    if chance:
        out.append(
            f"The interval of J includes 0 for {_names(chance, name)}: no significant difference from chance, and "
            "no number of answers is sure to be enough."
        )
    back = [candidate.name for candidate in agreed if candidate.values["youden_j"] < 0 and not candidate.by_chance]
    if back:
        turned, below = "the judge" if len(back) == 1 else "they", f"J is below 0 for {_names(back, name)}"
        if ranking.several:
            why = "criteria that differ in their label rates can make it so. Choose one criterion before verdicts are inverted"
            return [*out, f"{below}, pooled over criteria: {why}."]
        out.append(f"{below}: inverting the verdicts of {turned} would rank models better.")
    return out


def _below_chance(ranking: Ranking, name: Name) -> list[str]:
    """Return judges of several classes whose κ, of ordered labels the weighted one, lies below 0 beyond noise."""
    key = QUADRATIC_KAPPA.key if QUADRATIC_KAPPA.key in ranking.keys else "kappa"
    below = [candidate.name for candidate in ranking.order if (ends := candidate[key].ends) is not None and ends[1] < 0]
    if not below:
        return []
    ordered = key == QUADRATIC_KAPPA.key
    ask = "Does one side use the scale the other way round?" if ordered else "Do both sides mean the same by the labels?"
    return [f"{SYMBOLS[key]} is below 0 for {_names(below, name)}. {ask}"]


def _symbols(keys: Sequence[str]) -> str:
    return words.joined([SYMBOLS[key] for key in keys])


def _names(names: Sequence[str], name: Name) -> str:
    shown = [name(judge) for judge in names[:3]]
    return words.joined([*shown, f"{words.count(len(names) - 3)} more"] if len(names) > 3 else shown)

"""What a ranking of judges says, in sentences computed from the numbers shown.

`name` wraps names that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.comparison.readings import LEVEL_WORDS, reading_words
from metrics.analyses.judge_selection.candidates import SYMBOLS, Benchmark, Candidate, unit_of
from metrics.analyses.judge_selection.first_judge import Against, LeftOpen
from metrics.analyses.judge_selection.ranking import Ranking
from metrics.analyses.prevalence.power import FEW, whole
from metrics.analyses.prevalence.readings import answers_words
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.results import words

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
    whom = judge_names([first.name, *ranking.from_left_open], name)
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
    start = f"the readings disagree on {judge_names(ranking.disputed, name)}, so no judge is named the best."
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
        f"{name(candidate.name)} has {SYMBOLS[ranking.by]} {words.value(candidate.values[ranking.by], unit_of(ranking.by))}"
        for candidate in ranking.usable[:2]
    ]
    return f"{shown[0]}{f', {shown[1]}' if len(shown) > 1 else ''}."


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
    return f"{under} {name(first.name)} is not told apart from {judge_names(others, name)}."


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
        f"Fewer than {FEW} golden decisions of one {what} for {judge_names([candidate.name for candidate in thin], name)} "
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
            f"The interval of J includes 0 for {judge_names(chance, name)}: no significant difference from chance, and "
            "no number of answers is sure to be enough."
        )
    back = [candidate.name for candidate in agreed if candidate.values["youden_j"] < 0 and not candidate.by_chance]
    if back:
        turned, below = "the judge" if len(back) == 1 else "they", f"J is below 0 for {judge_names(back, name)}"
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
    return [f"{SYMBOLS[key]} is below 0 for {judge_names(below, name)}. {ask}"]


def judge_names(names: Sequence[str], name: Name) -> str:
    """Return judges in a sentence: three by name, and how many more."""
    shown = [name(judge) for judge in names[:3]]
    return words.joined([*shown, f"{words.count(len(names) - 3)} more"] if len(names) > 3 else shown)

"""What a sweep over prevalence shows, in sentences computed from the numbers drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.prevalence.compute import HIGH_ACCURACY, LOW_KAPPA, STILL, Sweep, furthest_from_chance, never_move
from metrics.analyses.prevalence.power import whole
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

SAME = 0.005
"""Values closer than this read as the same number."""
# A prevalence between them, or as near to 1, has a decimal; an end of a range lies no nearer to 0 or 1 than `LEAST`.
RARE, LEAST = 0.01, 0.001
# Halves of a percent, or percentages, that differ by less are equal.
DECIMALS = 1e-6
MOST_DECIMALS = 8
ONE_LABEL = "the judge gives one label only"


def answers_words(answers: float) -> str:
    """Return answers per model, rounded up: 1 506; a dash where no number of them is enough."""
    rounded = whole(answers)
    return words.UNDEFINED if rounded is None else words.count(rounded)


def share(prevalence: float) -> str:
    """Return a prevalence: in whole percent, with a decimal where it is rare or was given with one: 34 %, 0.5 %."""
    halves = 200 * prevalence
    given = abs(halves - round(halves)) < DECIMALS and round(halves) % 2
    return words.percent1(prevalence) if given else _rounded(prevalence)


def stop_words(sweep: Sweep, keys: Sequence[str]) -> list[str]:
    """Return the numbers at every prevalence of a sweep: "at 5 %: κ 0.52, accuracy 94 %", shape (P,)."""
    columns = [
        [f"{BY_KEY[key].symbol} {words.value(value, BY_KEY[key].unit)}" for value in sweep.values[key].tolist()] for key in keys
    ]
    heads = [f"at {share(at)}" for at in sweep.prevalence.tolist()]
    return [f"{head}: {', '.join(numbers)}" if numbers else head for head, *numbers in zip(heads, *columns, strict=True)]


def typed(rate: float) -> str:
    """Return a rate in percent with two decimals at most, 90 %, 88.4 %, 88.89 %.

    With more where fewer would make 0 or 100 of it.
    """
    percent = 100 * rate
    for digits in range(2, MOST_DECIMALS):
        shown = f"{percent:.{digits}f}".rstrip("0").rstrip(".")
        if shown not in ("0", "100") or abs(percent - float(shown)) < DECIMALS:
            break
    return f"{shown}{words.HARD_SPACE}%"


def _rounded(prevalence: float) -> str:
    rare = LEAST <= prevalence < RARE or 1 - RARE < prevalence <= 1 - LEAST
    return words.percent1(prevalence) if rare else words.percent(prevalence)


def span(low: float, high: float) -> str:
    """Return a range of prevalence: 23 % to 40 %, below 10 %, above 93.5 %."""
    if low == high:
        return _edge(low)
    from_0, to_1 = low < LEAST, high > 1 - LEAST
    if from_0 and to_1:
        return "every prevalence"
    if from_0:
        return f"below {_edge(max(high, LEAST))}"
    return f"above {_edge(min(low, 1 - LEAST))}" if to_1 else f"{_edge(low)} to {_edge(high)}"


def _edge(prevalence: float) -> str:
    """Return an end of a range, with a decimal where whole percent would shift it."""
    whole = abs(1000 * prevalence - 10 * round(100 * prevalence)) < 0.5
    return _rounded(prevalence) if whole else words.percent1(prevalence)


def pooled_reading(why: str) -> str:
    """Return what the curve is of, where J within criteria contradicts J pooled over them; `why` says both."""
    return f"The curve is that of decisions pooled over criteria. {why} At the prevalence of one criterion κ is another one."


def reading(
    sweep: Sweep, deployed: float, here: float | None, key: str = "kappa", *, pooled: bool = False, typed: bool = False
) -> str:  # fmt: skip
    """Return what the metric is at the two prevalences, and that the judge is the same at both.

    Parameters
    ----------
    sweep : Sweep
    deployed : float
        Prevalence where the judge will be used.
    here : float or None
        Prevalence of the data; None without data.
    key : str
        Of a metric of the catalogue.
    pooled : bool
        Whether the rates hold for pooled decisions only, see `pooled_reading`.
    typed : bool
        Whether the rates are not those of the data, so that the data's judge has another value at the data's prevalence.
    """
    symbol, unit = BY_KEY[key].symbol, BY_KEY[key].unit
    there = sweep.at(deployed)[key]
    if here is None:
        shown = f"{words.value(there, unit)} at {share(deployed)}"
        return f"a judge with these rates would have {symbol} {shown}{_elsewhere(sweep, key, shown)}."
    value = sweep.at(here)[key]
    if math.isnan(value) or math.isnan(there):
        where = here if math.isnan(value) else deployed
        return f"{symbol} is undefined at {share(where)}: one of the two sides would give one label only."
    whose = "a judge with these rates has" if typed else "the pooled decisions have" if pooled else "the same judge has"
    at = f"{whose} {symbol} {words.value(value, unit)} at your {share(here)}"
    if abs(value - there) < SAME:
        return f"{at} and at {share(deployed)} alike."
    verb = "" if min(value, there) < 0 else " only" if there < value else " as much as"
    changed = "" if pooled else " Nothing about the judge changed, only the mix of items."
    return f"{at} and would have{verb} {words.value(there, unit)} at {share(deployed)}.{changed}"


def _elsewhere(sweep: Sweep, key: str, shown: str) -> str:
    """Return how a metric goes on behind its value and prevalence, which are `shown`."""
    if key in sweep.still:
        return ", and the same at every other prevalence"
    if key != "kappa":
        return ""
    extreme = extreme_words(sweep.tpr, sweep.fpr)
    return extreme.removeprefix(shown) if extreme.startswith(f"{shown},") else f", and {extreme}"


def extreme_words(tpr: float, fpr: float, positive: str = "prevalence") -> str:
    """Return κ where it is furthest from 0: "0.80 at 50 %, where it is highest", "0.18 as prevalence nears 0 %, where …".

    Parameters
    ----------
    tpr, fpr : float
        In [0, 1]; a judge who errs.
    positive : str
        What nears 0 or 1.
    """
    at, kappa = furthest_from_chance(tpr, fpr)
    where = f"at {share(at)}" if LEAST <= at <= 1 - LEAST else f"as {positive} nears {words.percent(round(at))}"
    return f"{words.number(kappa)} {where}, where it is {'highest' if kappa > 0 else 'lowest'}"


def zone_reading(sweep: Sweep, deployed: float) -> str:
    """Return where accuracy looks fine while κ does not, and whether the deployment lies there."""
    if not sweep.zones:
        return f"At no prevalence is accuracy at least {words.number(HIGH_ACCURACY)} while κ is below {words.number(LOW_KAPPA)}."
    values = sweep.at(deployed)
    ranges = " and ".join(span(low, high) for low, high in sweep.zones)
    inside = values["accuracy"] >= HIGH_ACCURACY - STILL and values["kappa"] < LOW_KAPPA
    pair = f"accuracy {words.percent(values['accuracy'])}, κ {words.number(values['kappa'])}"
    edges = {_edge(end) for zone in sweep.zones for end in zone}
    outside = "at the edge of" if share(deployed) in edges else "outside"
    verdict = f"{share(deployed)} lies {'inside' if inside else outside} it"
    return (
        f"The paradox zone (accuracy at least {words.number(HIGH_ACCURACY)}, κ below {words.number(LOW_KAPPA)}) is {ranges}; "
        f"{verdict}: {pair}."
    )


def still_reading(sweep: Sweep) -> str:
    """Return what moves, what stays for every judge, what stays for this one because of its rates, and what is undefined."""
    never = never_move()
    lucky = [key for key in sweep.still if key not in never]
    text = f"{len(sweep.moving)} metrics move. {_symbols(never)} stay for every judge."
    if lucky:
        text += f" {_symbols(lucky)} stay{'s' if len(lucky) == 1 else ''} here because {_why(sweep)}."
    if sweep.undefined:
        verb = words.are(len(sweep.undefined))
        text += f" {_symbols(sweep.undefined)} {verb} undefined at every prevalence: {ONE_LABEL}."
    return text


def _why(sweep: Sweep) -> str:
    """Return which of its rates keep some metrics of this judge where they are."""
    if sweep.undefined:
        return ONE_LABEL
    rates = {"TPR": sweep.tpr, "TNR": 1 - sweep.fpr}
    ends = [name for name, rate in rates.items() if rate in (0.0, 1.0)]
    if ends:
        return f"{words.joined(ends)} {words.are(len(ends))} {rates[ends[0]]:.0f}"
    equal = {"FPR": abs(sweep.tpr - sweep.fpr) < STILL, "TNR": abs(sweep.tpr + sweep.fpr - 1) < STILL}
    return " = ".join(["TPR", *(name for name, same in equal.items() if same)])


def zone_note() -> str:
    """Return what is shaded."""
    return f"shaded: accuracy ≥ {words.number(HIGH_ACCURACY)} but κ < {words.number(LOW_KAPPA)}"


def ribbon_note(key: str, n: int, confidence: float = 0.95) -> str:
    """Return what the band is.

    Parameters
    ----------
    key : str
        Of a metric of the catalogue.
    n : int
        Items of the golden set.
    confidence : float
        In (0, 1).
    """
    return f"band: {BY_KEY[key].symbol} in {words.percent(confidence)} of golden sets of {words.count(n)}"


def _symbols(keys: Sequence[str]) -> str:
    return words.joined([BY_KEY[key].symbol for key in keys])

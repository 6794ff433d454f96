"""What a sweep over prevalence shows, in sentences computed from the numbers drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics import words
from metrics.catalogue import BY_KEY
from metrics.sweeping.sweeps import HIGH_ACCURACY, LOW_KAPPA, Sweep, never_move

SAME = 0.005
"""Values closer than this read as the same number."""


def reading(sweep: Sweep, deployed: float, here: float | None, key: str = "kappa") -> str:
    """What the metric is at the two prevalences, and that the judge is the same at both."""
    symbol, unit = BY_KEY[key].symbol, BY_KEY[key].unit
    there = sweep.at(deployed)[key]
    if here is None:
        start = f"this judge would have {symbol} {words.value(there, unit)} at {words.percent(deployed)}"
        best = _highest(sweep, key)
        return f"{start}{best}."
    own = sweep.at(here)[key]
    if math.isnan(own) or math.isnan(there):
        where = here if math.isnan(own) else deployed
        return f"{symbol} is undefined at {words.percent(where)}: one of the two sides would give one label only."
    at = f"the same judge has {symbol} {words.value(own, unit)} at your {words.percent(here)}"
    if abs(own - there) < SAME:
        return f"{at} and at {words.percent(deployed)} alike."
    verb = "only" if there < own else "as much as"
    return (
        f"{at} and would have {verb} {words.value(there, unit)} at {words.percent(deployed)}. "
        "Nothing about the judge changed, only the mix of items."
    )


def _highest(sweep: Sweep, key: str) -> str:
    values = sweep.values[key]
    if all(math.isnan(value) for value in values):
        return ""
    place = max(range(len(values)), key=lambda i: -math.inf if math.isnan(values[i]) else values[i])
    if key not in sweep.moving:
        return ", and the same at every other prevalence"
    return f", and {words.number(values[place])} at {words.percent(sweep.prevalence[place])}, where it is highest"


def zone_reading(sweep: Sweep, deployed: float) -> str:
    """Where accuracy looks fine while κ does not, and whether the deployment lies there."""
    if not sweep.zones:
        return "At no prevalence is accuracy at least .80 while κ is below .60."
    own = sweep.at(deployed)
    ranges = " and ".join(f"{words.percent(low)}–{words.percent(high)}" for low, high in sweep.zones)
    inside = any(low <= deployed <= high for low, high in sweep.zones)
    pair = f"accuracy {words.percent(own['accuracy'])}, κ {words.number(own['kappa'])}"
    verdict = f"{words.percent(deployed)} lies inside it" if inside else f"{words.percent(deployed)} lies outside it"
    return (
        f"The paradox zone (accuracy at least {words.tick(HIGH_ACCURACY)}, κ below {words.tick(LOW_KAPPA)}) is {ranges}; "
        f"{verdict}: {pair}."
    )


def still_reading(sweep: Sweep) -> str:
    """What moves, what stays for every judge, and what stays for this one by luck of its rates."""
    never = never_move()
    lucky = [key for key in sweep.still if key not in never]
    text = f"{len(sweep.moving)} metrics move. {_symbols(never)} stay for every judge."
    if lucky:
        why = "because TPR = TNR" if abs(sweep.tpr + sweep.fpr - 1) < 1e-9 else "because this judge’s rates make it so"
        return f"{text} {_symbols(lucky)} stay{'s' if len(lucky) == 1 else ''} here {why}."
    return text


def ribbon_note(key: str, n: int, confidence: float = 0.95) -> str:
    """What the band is."""
    return f"band: {BY_KEY[key].symbol} in {words.percent(confidence)} of golden sets of {words.count(n)} (exact)"


def _symbols(keys: Sequence[str]) -> str:
    names = [BY_KEY[key].symbol for key in keys]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

"""What hangs on the cost of "no verdict" where several judges give three answers, in a sentence."""

from __future__ import annotations

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.ensembles.weighted import Weighted
from metrics.measures.cost_matrices import cost_text, preset_of
from metrics.results import words

# A smaller difference does not show in two decimals.
MOVES = 0.005
MOST_NAMED = 3


def weighted_reading(weighted: Weighted, name: Name = plain_name) -> str:
    """Return α under the stated W, its range along the line, and whether the best judge changes with W."""
    stated = weighted.at_chosen_cost
    w = preset_of(stated.cost) or cost_text(stated.cost)
    if not stated.alpha.defined:
        return f"under W {w} α of the judges is undefined: {stated.alpha.why}."
    text = f"under W {w} the judges agree with α {words.estimate(stated.alpha)}. "
    return text + _moves(weighted, name) + _leaders(weighted, name)


def _moves(weighted: Weighted, name: Name) -> str:
    alphas = [under.alpha.value for _, under in weighted.along if under.alpha.defined]
    positive, negative = (name(label) for label in weighted.classes[:2])
    if not alphas:
        return "It is undefined under every other W. "
    low, high = min(alphas), max(alphas)
    if high - low < MOVES:
        return f"It hardly moves as no verdict goes from as good as {negative} to as good as {positive}. "
    return (
        f"As no verdict goes from as good as {negative} to as good as {positive} it goes from {words.number(alphas[0])} to "
        f"{words.number(alphas[-1])}, and lies between {words.number(low)} and {words.number(high)}. "
    )


def _leaders(weighted: Weighted, name: Name) -> str:
    leads = [lead for lead in weighted.leads() if lead[2]]
    if not leads:
        return "No judge has a weighted κ with the reference."
    if len(leads) == 1:
        places = leads[0][2]
        if len(places) == len(weighted.judges):
            return "Under all of them all judges have the same weighted κ with the reference in this sample."
        have = "has" if len(places) == 1 else "alike have"
        whom = f"{_who(weighted, places, name)} {have} the highest weighted κ with the reference"
        better = "it is" if len(places) == 1 else "they are"
        return f"In this sample {whom} under all of them; whether {better} better is not tested."
    parts = [
        f"{_who(weighted, best, name)} ({'at' if start == stop else 'from'} {_span(start, stop)})" for start, stop, best in leads
    ]
    return (
        "In this sample it hangs on W which judge has the highest weighted κ with the reference, 0 being the first and 1 the "
        "second: "
        + (
            ", then ".join(parts[:MOST_NAMED])
            + (f", and {len(parts) - MOST_NAMED} more changes" if len(parts) > MOST_NAMED else "")
        )
        + "."
    )


def _span(start: float, stop: float) -> str:
    return words.number(start) if start == stop else f"{words.number(start)} to {words.number(stop)}"


def _who(weighted: Weighted, places: tuple[int, ...], name: Name) -> str:
    shown = ", ".join(name(weighted.judges[place]) for place in places[:MOST_NAMED])
    return shown if len(places) <= MOST_NAMED else f"{shown} and {len(places) - MOST_NAMED} more"

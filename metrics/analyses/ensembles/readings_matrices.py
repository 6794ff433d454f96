"""What the tables of several judges say, in sentences computed from the numbers shown; `name` wraps names from the file.

What hangs on the cost of "no verdict", where judges give three answers, is among them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.ensembles.matrices import Matrices
from metrics.analyses.ensembles.weighted import Weighted
from metrics.measures.cost_matrices import cost_text, preset_of
from metrics.measures.exact_tests import holm
from metrics.results import words

LEVEL = 0.05
"""Corrected p up to which a direction is said."""
OTHER_DECISIONS = 0.05
"""Share of the most decisions by which the judges' numbers of them may differ without a word."""
# A smaller difference does not show in two decimals.
MOVES = 0.005


def matrices_reading(matrices: Matrices, name: Name = plain_name) -> str:
    """Return the numbers from the worst judge to the best, and which way their errors go."""
    ends = _from_to(matrices, name)
    return f"{ends}{_decisions(matrices)} {_drift(matrices, name)}".strip()


def _decisions(matrices: Matrices) -> str:
    """Return that the judges answer different decisions, where their numbers of them differ."""
    least, most = int(matrices.n.min()), int(matrices.n.max())
    if most - least <= OTHER_DECISIONS * most:
        return ""
    return f" The judges answer {words.count(least)} to {words.count(most)} decisions: what is left open counts against nobody."


def _from_to(matrices: Matrices, name: Name) -> str:
    symbol, values = matrices.symbol, np.array([estimate.value for estimate in matrices.kappa])
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return f"{symbol} with the reference is undefined for every judge."
    low, high = (int(known[place(values[known])]) for place in (np.argmin, np.argmax))
    gone = len(values) - len(known)
    missing = f", and undefined for {words.several(gone, 'judges')}" if gone else ""
    if values[low] == values[high]:
        every = "every judge that has one" if gone else "every judge"
        return f"{symbol} with the reference is {words.number(values[low])} for {every}{missing}."
    best, worst = (f"{words.estimate(matrices.kappa[at])} ({name(matrices.judges[at])})" for at in (high, low))
    if matrices.within[high] < matrices.within[low]:
        turned = "κ within criteria has the two the other way round."
        return f"{symbol} with the reference, pooled over criteria, goes from {worst} to {best}{missing}. {turned}"
    return f"{symbol} with the reference goes from {worst} to {best}{missing}."


def _drift(matrices: Matrices, name: Name) -> str:
    """Return how many judges give the first label significantly more often than the reference, and less often; p by Holm."""
    shown = np.asarray(holm(matrices.more_p.tolist())) <= LEVEL
    more, less = (int((shown & (sign * matrices.more_positive > 0)).sum()) for sign in (1, -1))
    label, n, signs = name(matrices.classes[0]), len(matrices), _by_criterion(matrices)
    if not more + less and signs.any():
        does = (
            f"{words.count(int(signs.any(1).sum()))} of {words.several(n, 'judges')} "
            f"{'does' if signs.any(1).sum() == 1 else 'do'}"
        )
        pooled = f"over all criteria together no judge gives {label} significantly more or less often than the reference"
        return f"{words.capital(pooled)}; on a criterion {does}{words.corrected(signs.size, 'tests')}.{_both_ways(signs, label)}"
    corrected = words.corrected(n, "judges")
    if not more + less:
        return f"No judge gives {label} significantly more or less often than the reference{corrected}."
    first, second = ("more", "less") if more else ("less", "more")
    who = f"{words.count(more or less)} of {words.several(n, 'judges')} {'gives' if (more or less) == 1 else 'give'}"
    rest = f", {words.count(less)} {second} often" if more and less else ""
    return f"{who} {label} significantly {first} often than the reference{rest}{corrected}.{_both_ways(signs, label)}"


def _by_criterion(matrices: Matrices) -> NDArray[np.int64]:
    """Return +1 and -1 where a judge gives the first label more, and less, often on a criterion, shape (J, C).

    P by Holm over all.
    """
    p = np.asarray(holm(matrices.more_on_p.ravel().tolist())).reshape(matrices.more_on_p.shape)
    return np.asarray(np.sign(matrices.more_on) * (p <= LEVEL), np.int64)


def _both_ways(signs: NDArray[np.int64], label: str) -> str:
    """Return that pooled criteria hide what a judge does on each, where it leans both ways on different ones."""
    n = int(((signs > 0).any(1) & (signs < 0).any(1)).sum())
    if not n:
        return ""
    who = f"{words.several(n, 'judges')} {'gives' if n == 1 else 'give'}"
    return f" {who} {label} more often on one criterion and less often on another."


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
        f"{words.number(alphas[-1])}, and is between {words.number(low)} and {words.number(high)}. "
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
        "In this sample the judge with the highest weighted κ with the reference depends on W, 0 being the first and 1 the "
        "second: "
        + (
            ", then ".join(parts[: words.MOST_NAMED])
            + (f", and {len(parts) - words.MOST_NAMED} more changes" if len(parts) > words.MOST_NAMED else "")
        )
        + "."
    )


def _span(start: float, stop: float) -> str:
    return words.number(start) if start == stop else f"{words.number(start)} to {words.number(stop)}"


def _who(weighted: Weighted, places: tuple[int, ...], name: Name) -> str:
    shown = ", ".join(name(weighted.judges[place]) for place in places[: words.MOST_NAMED])
    return shown if len(places) <= words.MOST_NAMED else f"{shown} and {len(places) - words.MOST_NAMED} more"

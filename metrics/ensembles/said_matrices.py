"""What the tables of several judges say, in sentences computed from the numbers shown; `name` wraps names from the file."""

from __future__ import annotations

import numpy as np

from metrics import words
from metrics.ensembles.matrices import Matrices
from metrics.readings import Name, plain_name

SAME = 0.005
"""Differences of rates below this read as none."""


def matrices_reading(found: Matrices, name: Name = plain_name) -> str:
    """From the worst judge to the best, and which way their errors go."""
    ends = _from_to(found, name)
    return f"{ends} {_drift(found, name)}".strip()


def _kappa(found: Matrices, place: int) -> str:
    ends = found.ends_of(place)
    return words.number(found.kappa[place]) + (f" {words.interval(ends)}" if ends else "")


def _from_to(found: Matrices, name: Name) -> str:
    symbol, values = "κ", found.kappa
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return f"{symbol} with the reference is undefined for every judge."
    low, high = (int(known[place(values[known])]) for place in (np.argmin, np.argmax))
    gone = len(values) - len(known)
    missing = f", and undefined for {words.several(gone, 'judges')}" if gone else ""
    if values[low] == values[high]:
        every = "every judge that has one" if gone else "every judge"
        return f"{symbol} with the reference is {words.number(values[low])} for {every}{missing}."
    best, worst = (f"{_kappa(found, at)} ({name(found.judges[at])})" for at in (high, low))
    return f"{symbol} with the reference goes from {worst} to {best}{missing}."


def _drift(found: Matrices, name: Name) -> str:
    """How many judges give the first label more often than the reference, and less often."""
    over = found.more_positive
    more, less = int((over > SAME).sum()), int((over < -SAME).sum())
    label = name(found.classes[0])
    if not more and not less:
        return f"All give {label} about as often as the reference."
    all_of, some = f"All {words.count(len(found))} judges give", f"of {words.several(len(found), 'judges')}"
    if not less or not more:
        way, n = ("more", more) if more else ("less", less)
        who = all_of if n == len(found) else f"{words.count(n)} {some} {'gives' if n == 1 else 'give'}"
        return f"{who} {label} {way} often than the reference."
    gives = "gives" if more == 1 else "give"
    return f"{words.count(more)} {some} {gives} {label} more often than the reference, {words.count(less)} less often."

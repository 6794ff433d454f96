"""What the tables of several judges say, in sentences computed from the numbers shown; `name` wraps names from the file."""

from __future__ import annotations

import numpy as np

from metrics import words
from metrics.arrays import FloatArray
from metrics.ensembles.matrices import Matrices
from metrics.readings import Name, plain_name

SAME = 0.005
"""Differences of rates below this read as none."""


def matrices_reading(found: Matrices, name: Name = plain_name) -> str:
    """From the worst judge to the best, and which way their errors go."""
    ends = _from_to(found, found.kappa, "κ", name)
    return f"{ends} {_drift(found, name)}".strip()


def _from_to(found: Matrices, values: FloatArray, symbol: str, name: Name) -> str:
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return f"{symbol} with the reference is undefined for every judge."
    low, high = (int(known[place(values[known])]) for place in (np.argmin, np.argmax))
    gone = len(values) - len(known)
    missing = f", and undefined for {words.several(gone, 'judges')}" if gone else ""
    if values[low] == values[high]:
        return f"{symbol} with the reference is {words.number(values[low])} for every judge that has one{missing}."
    best, worst = (f"{words.number(values[at])} ({name(found.judges[at])})" for at in (high, low))
    return f"{symbol} with the reference goes from {worst} to {best}{missing}."


def _drift(found: Matrices, name: Name) -> str:
    """How many judges give the first label more often than the reference, and less often."""
    over = found.more_positive
    more, less = int((over > SAME).sum()), int((over < -SAME).sum())
    label = name(found.classes[0])
    if not more and not less:
        return f"All give {label} about as often as the reference."
    gives = "gives" if more == 1 else "give"
    return (
        f"{words.count(more)} of {words.several(len(found), 'judges')} {gives} {label} more often than the reference, "
        f"{words.count(less)} less often."
    )

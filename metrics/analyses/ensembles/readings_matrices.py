"""What the tables of several judges say, in sentences computed from the numbers shown; `name` wraps names from the file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.ensembles.matrices import Matrices
from metrics.measures.exact_tests import holm
from metrics.results import words

LEVEL = 0.05
"""Corrected p up to which a direction is said."""
OTHER_DECISIONS = 0.05
"""Share of the most decisions by which the judges' numbers of them may differ without a word."""


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

"""What groups are made of: their numbers if they were made up as the file is, and columns that may be made of answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.prevalence.power import carried
from metrics.analyses.records import JudgeReport
from metrics.analyses.slices.group_sizes import FEWEST_OF_LABEL
from metrics.analyses.slices.parts import Judged
from metrics.analyses.slices.result import JudgeSlices, Slice, pooled_numbers
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import cohen_kappa
from metrics.results import words
from metrics.results.words import MOST_NAMED, quoted

LEAST_APART = 0.05
"""How far the share of a criterion must lie from that in the file for the mix of criteria to be named."""
ALL_OR_NONE = "in each group of {} the verdicts are all right or all wrong, so it may be made of the answers"


@dataclass(frozen=True, eq=False)
class Mix:
    """Groups whose decisions are on the criteria in other shares than those of the file.

    Attributes
    ----------
    value : ndarray, shape (G,)
        A metric at the shares of the file; NaN where a group has about the same, lacks a criterion, or there is one criterion.
    lacking : ndarray of int64, shape (G,)
        Criteria on which a group has no decision.
    """

    value: FloatArray
    lacking: NDArray[np.int64]


def mix_of(judged: Judged, metric: str) -> Mix:
    """Return a metric of every group with its decisions on the criteria in the shares of the file (direct standardisation).

    Parameters
    ----------
    judged : Judged
    metric : str
        Key of the catalogue.
    """
    ratings, n_groups = judged.handled, judged.n_groups
    n_criteria, nothing = len(ratings.criteria), Mix(np.full(n_groups, math.nan), np.zeros(n_groups, np.int64))
    if n_criteria < 2 or judged.weights is not None or ratings.multiplicity is not None:
        return nothing
    cells = judged.cells()
    if not len(cells.cell):
        return nothing
    shape = (n_groups + 1, n_criteria, cells.k, cells.k)
    place = ((cells.group + 1) * n_criteria + cells.criterion) * cells.k**2 + cells.cell
    tables = np.bincount(place, minlength=math.prod(shape)).reshape(shape)
    in_file = tables.sum((0, 2, 3))
    own, used = tables[1:, in_file > 0], in_file[in_file > 0]
    n = own.sum((2, 3))
    lacking = (n == 0).sum(1) * (n.sum(1) > 0)
    share = n / np.maximum(n.sum(1, keepdims=True), 1)
    apart = np.abs(share - used / used.sum()).max(1)
    standard = (own * (used / np.maximum(n, 1))[..., None, None]).sum(1)
    value = np.asarray(BY_KEY[metric].function(standard), np.float64)
    return Mix(np.where((lacking == 0) & (apart >= LEAST_APART), value, math.nan), lacking)


def kappa_at(report: JudgeReport, weights: str, prevalence: float) -> float:
    """Return κ that TPR and TNR of a report give at another prevalence; NaN where one of them is undefined.

    Parameters
    ----------
    report : JudgeReport
    weights : str
        Column of the weights; empty where every item counts once.
    prevalence : float
        In [0, 1].
    """
    if len(report.micro.labels) != 2:
        return math.nan
    numbers = pooled_numbers(report, weights)
    table = carried(numbers["recall"].value, 1 - numbers["specificity"].value, prevalence)
    return float(cohen_kappa(table)) if np.isfinite(table).all() else math.nan


def all_or_none(by: str, judge: JudgeSlices) -> str:
    """Return in which groups every verdict is wrong where all are right in the others; empty where they are not, or few."""
    shown = [each for each in judge.slices if each.n and "accuracy" in each.estimates]
    large = sum(each.n for each in shown) >= FEWEST_OF_LABEL * len(shown)
    if not large or {each["accuracy"].value for each in shown} != {0.0, 1.0}:
        return ""
    wrong = words.listed([quoted(each.value) for each in shown if each["accuracy"].value == 0], MOST_NAMED)
    return (
        f"every verdict is wrong in {wrong} and right in the other groups by {quoted(by)}: the labels there may be turned round, "
        f"or {quoted(by)} may be made of the answers"
    )


def one_label_there(by: str, named: Sequence[Slice]) -> str:
    """Return that a side gives one label in all groups that depart, so that κ says nothing of its errors there; else empty."""
    sides = {each.only for each in named}
    only = sides.pop() if len(sides) == 1 else None
    if only is None:
        return ""
    side, label = only
    return (
        f"; but the {side} answers only {words.marked(words.shorten(label))} there, so κ is 0 by construction, and "
        f"{quoted(by)} may be made of the answers"
    )

"""Two raters are a table: what they share with a judge and its reference has the interval that `metrics.agreement` gives."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.ordered_blocks import rules_for
from metrics.analyses.ordered_catalogue import QUADRATIC
from metrics.analyses.raters.pairwise import Codes
from metrics.analyses.raters.result import WEIGHTED
from metrics.analyses.raters.units import Units
from metrics.intervals.default import Functions, Unit, micro_intervals
from metrics.intervals.items import Coded
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import weighted_kappa_quadratic
from metrics.measures.transforms import Interval

SAME = 1e-9
"""Two computations of one number differ by less; where labels are missing, AC1 of raters is another number."""


def pair_intervals(
    units: Units, values: Mapping[str, float], confidence: float, places: Codes | None = None
) -> dict[str, Interval]:
    """Return intervals of the statistics of two raters that are numbers of their table; none for more raters.

    Parameters
    ----------
    values : mapping
        Statistics of the raters by their keys.
    places : ndarray of int64, shape (K,), optional
        Of the classes in their order, where κ with quadratic weights is among the statistics: its interval is that of
        `metrics.scores`.
    """
    both = np.flatnonzero((units.labels >= 0).all(1))
    if units.labels.shape[1] != 2 or not len(both):
        return {}
    k = len(units.classes)
    names = {
        "mean_pairwise_kappa": "kappa",
        "mean_pairwise_phi": "phi" if k == 2 else "mcc_multiclass",
        "gwet_ac1": "gwet_ac1",
        "percent_agreement": "accuracy",
    }
    functions: Functions = {name: BY_KEY[name].function for name in names.values()}
    theirs, intervals = _of_table(units, units.labels[both].astype(np.int64), both, functions, confidence)
    if places is not None:
        names |= {WEIGHTED: QUADRATIC.key}
        ordered_functions: Functions = {QUADRATIC.key: weighted_kappa_quadratic}
        ordered = _of_table(units, places[units.labels[both]], both, ordered_functions, confidence)
        theirs, intervals = theirs | ordered[0], intervals | ordered[1]
    return {key: intervals[name] for key, name in names.items() if name in intervals and abs(values[key] - theirs[name]) < SAME}


def _of_table(
    units: Units, labels: NDArray[np.int64], both: NDArray[np.int64], functions: Functions, confidence: float
) -> tuple[dict[str, float], dict[str, Interval]]:
    """Return values and intervals from the labels, shape (n, 2), of the units that both raters labelled."""
    k = len(units.classes)
    items, item = np.unique(units.item[both], return_inverse=True)
    criteria, criterion = np.unique(units.criterion[both], return_inverse=True)
    weight = np.zeros(len(items), np.int64)
    weight[item] = units.times[both]
    coded = Coded.merged(item.astype(np.int32), criterion, labels[:, 0] * k + labels[:, 1], k, len(criteria), weight)
    tables = coded.per_criterion()
    values = {name: float(function(tables.sum(0))) for name, function in functions.items()}
    unit = Unit(coded, tables, confidence, rules=rules_for(next(iter(functions))))
    return values, micro_intervals(unit, functions, values)

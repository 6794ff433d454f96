"""Two raters are a table: what they share with a judge and its reference has the interval that `metrics.agreement` gives."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from metrics.catalogue import BY_KEY
from metrics.intervals.default import Functions, Unit, micro_intervals, table_intervals
from metrics.intervals.jackknife import Coded
from metrics.intervals.scale import Interval
from metrics.reliability.units import Units

SAME = 1e-9
"""Two computations of one number differ by less; where labels are missing, AC1 of raters is another number."""


def pair_intervals(units: Units, values: Mapping[str, float], confidence: float) -> dict[str, Interval]:
    """Intervals of the statistics of two raters that are numbers of their table; none for more raters.

    Parameters
    ----------
    values : mapping
        Statistics of the raters by their keys.
    """
    if units.labels.shape[1] != 2:
        return {}
    both = np.flatnonzero((units.labels >= 0).all(1))
    k = len(units.classes)
    names = {
        "mean_pairwise_kappa": "kappa",
        "mean_pairwise_phi": "phi" if k == 2 else "mcc_multiclass",
        "gwet_ac1": "gwet_ac1",
        "percent_agreement": "accuracy",
    }
    functions: Functions = {name: BY_KEY[name].function for name in names.values()}
    cell = (units.labels[both, 0] * k + units.labels[both, 1]).astype(np.int64)
    items, item = np.unique(units.item[both], return_inverse=True)
    criteria, criterion = np.unique(units.criterion[both], return_inverse=True)
    if not len(items):
        return {}
    weight = np.zeros(len(items), np.int64)
    weight[item] = units.times[both]
    coded = Coded.merged(item.astype(np.int32), criterion, cell, k, len(criteria), weight)
    tables = coded.per_criterion()
    theirs = {name: float(function(tables.sum(0))) for name, function in functions.items()}
    if len(criteria) == 1:
        found = table_intervals(tables[0], functions, theirs, confidence)
    else:
        found = micro_intervals(Unit(coded, tables, confidence), functions, theirs)
    return {key: found[name] for key, name in names.items() if name in found and abs(values[key] - theirs[name]) < SAME}

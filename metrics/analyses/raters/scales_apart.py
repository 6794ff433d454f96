"""Raters of ordered labels who may use two scales, as 1 to 5 and 1 to 10: then no label of one says what it does of another."""

from __future__ import annotations

import numpy as np

from metrics.analyses.raters.levels import Measured
from metrics.analyses.raters.units import Units
from metrics.analyses.two_units import FEWEST_OPTIONS
from metrics.data.order import numbers_of
from metrics.measures.units import raters_of_other_ends
from metrics.results import words


def scales_apart(units: Units, how: Measured) -> str:
    """Return why raters may use two scales on these units; empty of labels that are no numbers or have no order.

    Parameters
    ----------
    units : Units
    how : Measured
        How their labels are taken.
    """
    worth = numbers_of(how.classes)
    if worth is None or how.level == "nominal" or len(worth) < FEWEST_OPTIONS:
        return ""
    labels = units.on_classes(how.classes).labels
    return raters_of_other_ends(np.append(worth, np.nan)[labels], [words.shorten(name) for name in units.raters], units.times)

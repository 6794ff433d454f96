"""Ordered labels that are numbers in another unit than the reference's: an exact match and κ take one unit for granted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.records import Block
from metrics.data.order import numbers_of
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.measures.units import MIXED, other_ends, two_units
from metrics.results import words

MIXED_LABELS = "κ, exact agreement, bias, RMSE and MAE mix them; correlations stand."
"""What they do to labels that are numbers."""
FEWEST_OPTIONS = 3
"""Labels that are numbers from which they can be two scales; two are two answers."""


def labels_in_two_units(block: Block) -> str:
    """Return why κ of ordered labels that are numbers means nothing, as `two_units` does; empty otherwise.

    Parameters
    ----------
    block : Block
        With a table of labels. Labels in no order, or that are no numbers, are not asked, nor a side that gives one label only.
    """
    numbers = _numbers(block)
    return "" if numbers is None else two_units(*numbers, MIXED_LABELS)


def labels_of_other_ends(block: Block) -> str:
    """Return that ordered labels that are numbers may be on two scales, as `other_ends` does; empty otherwise.

    Parameters
    ----------
    block : Block
        As in `labels_in_two_units`.
    """
    numbers = _numbers(block)
    return "" if numbers is None else other_ends(*numbers)


def _numbers(block: Block) -> tuple[FloatArray, FloatArray, NDArray[np.int64]] | None:
    """Return pairs of numbers and how often each occurs; None of other labels, and where a side gives one only."""
    if QUADRATIC_KAPPA.key not in block.values or block.confusion is None:
        return None
    table = np.asarray(block.confusion)
    places = [place for place, label in enumerate(block.labels) if numbers_of((label,)) is not None]
    numbers = numbers_of(tuple(block.labels[place] for place in places))
    if len(places) < FEWEST_OPTIONS or numbers is None:
        return None
    worth, counts = np.array(numbers), table[np.ix_(places, places)]
    if min((counts.sum(axis) > 0).sum() for axis in (0, 1)) < 2:
        return None
    human, judge = np.nonzero(counts)
    return worth[human], worth[judge], counts[human, judge]


def two_units_words(apart: Mapping[str, str], n_criteria: int, mixed: str = MIXED) -> str:
    """Return one sentence on the criteria whose sides are in two units, however many there are.

    Parameters
    ----------
    apart : mapping
        Criterion to the reason, as `two_units` returns it; one at least.
    n_criteria : int
        Of the judge.
    mixed : str
        As in `two_units`.
    """
    (criterion, why), *more = apart.items()
    if not more:
        return f"{words.shorten(criterion)}: {why}" if n_criteria > 1 else why
    named = words.named(list(apart))
    where = "every criterion" if len(apart) == n_criteria else named
    return f"on {where} half of one side's numbers lie well outside all that the other says, so they are in two units. {mixed}"


def on_criterion(apart: Mapping[str, str], n_criteria: int) -> str:
    """Return the first of the reasons, with its criterion where there are several; empty without one."""
    if not apart:
        return ""
    criterion, why = next(iter(apart.items()))
    more = f" The same shows on {words.count(len(apart) - 1)} more." if len(apart) > 1 else ""
    return f"on {words.shorten(criterion)}, {why}{more}" if n_criteria > 1 else why

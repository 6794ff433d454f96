"""Items that come several from one conversation or document, and err alike there: an interval by item is then too narrow."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from metrics.analyses.records import Warn
from metrics.analyses.settings import Settings
from metrics.asker import shell, worded
from metrics.data.item_texts import item_texts, repeats_a_text
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.intervals.cluster import clusters_of, groups_of, is_above, possible_groups
from metrics.intervals.items import pattern_tables
from metrics.measures.arrays import FloatArray
from metrics.results import words

ITEMS_IN_GROUPS = "items_in_groups"
"""Code of the warning."""
STRATA = frozenset(("source", "task", "topic", "scene"))
"""Names of kinds of items: all kinds that matter are in the file, so that none is left out by chance."""
FEWEST = 10
"""Groups that are enough to leave out one at a time."""
WIDER, LEVEL = 1.25, 0.01
"""How many times the interval must be too narrow, and how surely errors must be alike, for a file to be warned of."""
AS_INDEPENDENT = "That takes items as independent, which they are not."
"""What a claim by an interval rests on that is too narrow."""


def errors_alike(ratings: Ratings, settings: Settings) -> list[Warn]:
    """Warn of a column named after what items come from, within whose groups a judge's errors are alike."""
    return _warned(ratings, settings, lambda: {judge: _right(ratings, judge, settings) for judge in settings.judges}, "errors")


def differences_alike(ratings: Ratings, settings: Settings) -> list[Warn]:
    """Warn of the same where it is the difference of two judges that is alike within groups."""
    a, b = settings.judges
    return _warned(ratings, settings, lambda: {"": _right(ratings, b, settings) - _right(ratings, a, settings)}, "differences")


def _warned(ratings: Ratings, settings: Settings, values: Callable[[], Mapping[str, FloatArray]], what: str) -> list[Warn]:
    """Return the warning of the column by which intervals are the most too narrow, with the judges it is of unless it is of all.

    None where their unit is a column.
    """
    if settings.by_column or settings.interval == "none":
        return []
    if not (groups := _columns(ratings)):
        return []
    told = values()
    narrow = {name: {judge: _too_narrow(ratings, name, value) for judge, value in told.items()} for name in groups}
    column = max(groups, key=lambda name: (max(narrow[name].values()), name))
    judges = [judge for judge, times in narrow[column].items() if times]
    if not judges:
        return []
    times = f"{max(narrow[column].values()):.1f}".removesuffix(".0")
    whose = f" of {words.named(judges)}" if len(judges) < len(told) else ""
    unit = worded(f"--unit {shell(column)}", f"unit={column!r}", f"‘{words.shorten(column)}’ under More choices, in the sidebar")
    return [
        Warn(
            ITEMS_IN_GROUPS,
            f"Items lie in {words.count(groups[column])} groups by ‘{words.shorten(column)}’, and {what}{whose} are alike within "
            f"them. Intervals{whose} by item are about {times} times too narrow. Leave whole groups out: {unit}.",
        )
    ]


def _columns(ratings: Ratings) -> dict[str, int]:
    """Return columns that are named after what items come from, or repeat a text, to how many groups they make."""
    copied = [name for name in item_texts(ratings) if repeats_a_text(ratings, name)]
    named = [name for name in possible_groups(ratings) if is_above(name, STRATA) or name in copied]
    return {name: n for name in named if (n := groups_of(ratings, name)) >= FEWEST}


def _right(ratings: Ratings, judge: str, settings: Settings) -> FloatArray:
    """Return the share of decisions of every item on which the judge is right; NaN where none counts."""
    handled = settings.on(ratings)
    patterns = patterns_of(handled, judge, settings.reference)
    tables = pattern_tables(patterns, handled.scheme, settings.abstention)
    total = tables.sum((1, 2))
    share = np.divide(np.trace(tables, axis1=1, axis2=2), total, out=np.full(len(total), math.nan), where=total > 0)
    return np.asarray(share[patterns.of_item], np.float64)


def _too_narrow(ratings: Ratings, column: str, value: FloatArray) -> float:
    """Return how many times an interval by item is too narrow; 0 where that is not told, or small."""
    known = ~np.isnan(value)
    deff, p = design_effect(value[known], clusters_of(ratings, column).of_item[known], ratings.weight[known])
    return math.sqrt(deff) if deff >= WIDER**2 and p <= LEVEL else 0.0


def design_effect(value: FloatArray, group: NDArray[np.int64], times: NDArray[np.int64] | None = None) -> tuple[float, float]:
    """Return by how much the variance of a mean grows as values of a group are alike, and p of its F test; NaN where undefined.

    The intraclass correlation is that of a one-way analysis of variance with groups of unequal size.

    Parameters
    ----------
    value : ndarray, shape (n,)
    group : ndarray of int64, shape (n,)
        Numbers from 0; some may be of no value.
    times : ndarray of int64, shape (n,), optional
        How often each value stands; default once.

    References: Donner (1986), International Statistical Review 54; Kish (1965), Survey Sampling.
    """
    times = np.ones(len(value), np.int64) if times is None else times
    size = np.bincount(group, weights=times)
    n, k = int(size.sum()), int((size > 0).sum())
    if k < 2 or n == k:
        return math.nan, math.nan
    mean = np.bincount(group, weights=times * value) / np.maximum(size, 1)
    between = float(size @ (mean - float(times @ value) / n) ** 2) / (k - 1)
    within = float(times @ (value - mean[group]) ** 2) / (n - k)
    mean_size = float((size**2).sum()) / n
    if not within > 0:
        return (mean_size, 0.0) if between > 0 else (math.nan, math.nan)
    common = (n - mean_size) / (k - 1)
    alike = (between - within) / (between + (common - 1) * within)
    return 1 + (mean_size - 1) * alike, float(fdtrc(k - 1, n - k, between / within))

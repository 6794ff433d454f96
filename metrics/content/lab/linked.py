"""From a table of a file to the same table in the lab, with what is in none of its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import item_verdicts_of
from metrics.analyses.comparison.result import OUTCOMES, Comparison, Side
from metrics.analyses.settings import Settings
from metrics.content.lab.scenes import Scene, words_of
from metrics.content.lab.tables import WORDS, ConfusionTable
from metrics.data.abstention import Mode, mode_map
from metrics.data.aggregation import OPEN, UNDECIDED, fold_items, item_table
from metrics.data.labels import Scheme
from metrics.data.memo import memoised
from metrics.data.pairs import cells_of, patterns_of, reference_name, reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.results.words import shorten_all

Counts = NDArray[np.int64]


def of_judge(
    ratings: Ratings, judge: str, settings: Settings, level: Literal["micro", "item"] = "micro", criterion: str | None = None
) -> Scene | None:
    """Return one judge beside the reference, on all criteria or on one.

    The lab folds decisions in the mode of the settings to the table of `metrics.agreement`. Item verdicts of recoded decisions
    cannot be recoded again, so their table comes as it is.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    level : "micro" or "item"
    criterion : str, optional
        All criteria by default; the item level always takes all.

    Returns
    -------
    Scene or None
        None for labels that are not two, a table without decisions, and one beyond the range of the lab.
    """
    scheme, mode = settings.on(ratings).scheme, settings.abstention
    if scheme.n_classes != 2:
        return None
    raw = patterns_of(ratings, judge, settings.reference).raw
    if level == "item":
        return _items(ratings, judge, settings, raw.sum(0))
    counts = raw.sum(0) if criterion is None else raw[ratings.criteria.index(criterion)]
    end = scheme.end_of_rated
    return of_table(_with_silence(counts, scheme, mode), _words(scheme), mode, total=int(counts[:end, :end].sum()))


def of_side(ratings: Ratings, comparison: Comparison, side: Side) -> Scene | None:
    """Return one of two judges, on the decisions both answered.

    Parameters
    ----------
    ratings : Ratings
    comparison : Comparison
    side : Side
        One of the two of the comparison.

    Returns
    -------
    Scene or None
        None as in `of_judge`.
    """
    settings, scheme = comparison.settings, comparison.settings.on(ratings).scheme
    mode, table = settings.abstention, side.block.confusion
    if scheme.n_classes != 2 or table is None:
        return None
    places = comparison.places[comparison.outcome != OUTCOMES.index("open")]
    total = int(table.sum())
    if comparison.level != "item":
        states = [reference_states(ratings, settings.reference), verdicts(ratings, side.name, "judge")]
        weight = ratings.weight[cells_of(ratings).item[places]]
        raw = _counted([side_states[places] for side_states in states], scheme.n_states, weight)
        return of_table(_with_silence(raw, scheme, mode), _words(scheme), mode, total=total)
    patterns = patterns_of(ratings, side.name, settings.reference)
    if mode == "exclude":
        decided = item_verdicts_of(ratings, side.name, settings)
        states = [side_states[patterns.of_item][places] for side_states in (decided.reference, decided.judge)]
        table = _counted(
            [np.where(side_states == OPEN, UNDECIDED, side_states) for side_states in states],
            UNDECIDED + 1,
            ratings.weight[places],
        )
    mode = _recoded(mode, patterns.raw.sum(0), scheme)
    return of_table(table, _words(scheme), mode, total=total, unit="items")


def of_table(
    confusion: Any, labels: Sequence[str] = WORDS, mode: Mode = "exclude", *, total: int | None = None, unit: str = "decisions"
) -> Scene | None:
    """Return a table as it is.

    Parameters
    ----------
    confusion : array_like or None
        Counts, reference in rows; 2 x 2, or 3 x 3 with "no verdict" last.
    labels : sequence of str
        Positive, negative and, where it is known, "no verdict".
    mode : str
        What the lab makes of "no verdict"; of a 2 x 2 table, what has been made of it.
    total : int, optional
        All there is of the unit; those that are in no cell were left out before.
    unit : str
        What is counted: one of `metrics.content.lab.pictures.UNITS`.
    """
    if confusion is None or len(confusion) not in (2, 3):
        return None
    try:
        table = ConfusionTable.of_counts(confusion)
    except InputError:
        return None
    if not table.abstains and (len(confusion) == 3 or mode == "as_category"):
        mode = "exclude"
    if not table.counts(mode).sum():
        return None
    # Shortened here, so that labels which differ in their middle stay apart.
    left = 0 if total is None else total - round(table.n)
    return Scene("", table, mode=mode, words=words_of(shorten_all(labels)), unit=unit, left=left)


def _items(ratings: Ratings, judge: str, settings: Settings, raw: Counts) -> Scene | None:
    scheme, mode = settings.on(ratings).scheme, settings.abstention
    if not ratings.has_items or scheme.scale != "binary":
        return None
    key = ("lab items", judge, reference_name(ratings, settings.reference), scheme.handling, settings.item_rule, mode)
    table = memoised(ratings, key, lambda: _item_table(ratings, judge, settings))
    shown = fold_items(table, mode) if mode == "as_unmet" else table
    return of_table(shown, _words(scheme), _recoded(mode, raw, scheme), total=ratings.n_items, unit="items")


def _item_table(ratings: Ratings, judge: str, settings: Settings) -> Counts:
    """Return item verdicts, shape (3, 3); under Exclude an item that hangs on an answer which is left out has no verdict
    either.
    """
    decided = item_verdicts_of(ratings, judge, settings)
    weight = patterns_of(ratings, judge, settings.reference).multiplicity
    return item_table(decided, weight if settings.abstention == "exclude" else np.where(decided.open, 0, weight))


def _with_silence(raw: Counts, scheme: Scheme, mode: Mode) -> Counts:
    """Return counts on the raw axis with "no verdict" last, shape (3, 3), such that the lab folds them as `mode` does.

    What a handling makes negative is negative; what it leaves out is silent under Exclude, as the rest is, and else in no cell.
    """
    to_three = mode_map(scheme, "as_category")
    if mode == "exclude":
        end = scheme.end_of_rated
        to_three[-1, :end] |= ~to_three[:, :end].any(0)
        # people's split votes are in no mode, and so in no cell of the lab
        to_three[-1, scheme.state("split")] = 0
    return to_three @ raw @ to_three.T


def _recoded(mode: Mode, raw: Counts, scheme: Scheme) -> Mode:
    """Return the mode of item verdicts; Exclude where there was nothing to recode."""
    k, end = scheme.n_classes, scheme.end_of_rated
    return "exclude" if mode == "as_unmet" and raw[:end, :end].sum() == raw[:k, :k].sum() else mode


def _counted(states: Sequence[NDArray[Any]], size: int, weight: Counts) -> Counts:
    reference, judge = (side_states.astype(np.int64) for side_states in states)
    tally = np.bincount(reference * size + judge, weights=weight, minlength=size * size)
    return tally.astype(np.int64).reshape(size, size)


def _words(scheme: Scheme) -> tuple[str, ...]:
    return (*scheme.classes, scheme.abstention_name)

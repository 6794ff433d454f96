"""One judge's numbers beside the reference's: every criterion, all of them pooled, and the mean over them.

Which criteria have numbers, and whether both sides count in the same unit, stands with them: a difference of the numbers takes
that for granted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.item_weights import column_of, item_weights
from metrics.analyses.paired_numbers import FEWEST_UNITS, KEYS, TRANSFORMS, Paired, changes, error_of_changes, measures
from metrics.analyses.records import Block
from metrics.analyses.scores.result import JudgeScores, On, Pairs
from metrics.asker import flag, worded
from metrics.data.labels import NUMBER
from metrics.data.memo import memoised
from metrics.data.pairs import cell_ratings, cells_of, reference_name, usual_rule
from metrics.data.part import on_criteria
from metrics.data.ratings import Ratings
from metrics.data.references import MEAN, MEDIAN, UNANIMOUS, WITHOUT, human_of, left_out, rule_in, with_article
from metrics.data.scales import scales_of
from metrics.data.unique_items import kinds_of, multiples
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.intervals.cluster import clusters_of, groups_by
from metrics.intervals.default import few_units
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.transforms import Interval, interval_around, student
from metrics.measures.units import other_ends, two_units

NOT_AVERAGED = ("n", "bias_p", "loa_low", "loa_high")
"""Numbers whose mean over criteria says nothing."""


@dataclass(frozen=True, eq=False)
class Numbered:
    """Decisions that both sides rated, with a number or without; of each kind of item once.

    Attributes
    ----------
    reference, judge : ndarray, shape (n,)
        NaN where there is none.
    criterion : ndarray of int32, shape (n,)
    item : ndarray of int64, shape (n,)
        Kind of item.
    unit : ndarray of int64, shape (n,)
        Kind of item, or group of items.
    times, copies : ndarray of int64, shape (n,)
        Decisions that each stands for in one unit, and units that are like it.
    worth : ndarray, shape (n,)
        Weight of the item of each; nothing where every item counts once.
    """

    reference: FloatArray
    judge: FloatArray
    criterion: NDArray[np.int32]
    item: NDArray[np.int64]
    unit: NDArray[np.int64]
    times: NDArray[np.int64]
    copies: NDArray[np.int64]
    word: str
    worth: FloatArray = field(default_factory=lambda: np.empty(0))

    def on(self, criterion: int) -> Numbered:
        """Return the decisions of one criterion."""
        mask = self.criterion == criterion
        sides, multiples = (self.reference[mask], self.judge[mask]), (self.times[mask], self.copies[mask])
        worth = self.worth[mask] if len(self.worth) else self.worth
        return Numbered(*sides, self.criterion[mask], self.item[mask], self.unit[mask], *multiples, self.word, worth)

    @cached_property
    def paired(self) -> Paired:
        return Paired(self.reference, self.judge, self.unit, self.word, self.times, self.copies)

    def n_items(self, counts: NDArray[np.bool_] | slice = slice(None)) -> int:
        """Return items, or those with a pair that counts.

        Parameters
        ----------
        counts : ndarray of bool, shape (n,), or slice
            Decisions whose items are counted. Default: all.
        """
        times, copies = self.times[counts], self.copies[counts]
        first = np.unique(self.item[counts], return_index=True)[1]
        return int(times[first] @ copies[first])

    @property
    def extent(self) -> Pairs:
        weight = self.times * self.copies
        lacking = [int(weight[np.isnan(side)].sum()) for side in (self.reference, self.judge)]
        return Pairs(int(weight.sum()), self.paired.n, *lacking)


def numbered_of(ratings: Ratings, judge: str, reference: str, unit: str = "item", *, by_weight: bool = False) -> Numbered:
    """Return decisions of a judge that the reference rated; failed calls are none.

    The reference's number is that of the one human, or the mean of those of several, or their low median where that is asked for
    and the numbers stand in the place of labels.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    reference : str
        As in `metrics.scores`.
    unit : str
        "item", or a column of the file that groups items.
    by_weight : bool
        Whether alike items are of one weight too.

    Raises
    ------
    InputError
        Where no column holds numbers, and for the reference `unanimous`, which numbers do not have.
    """
    name = reference_name(ratings, reference)
    if ratings.score is None:
        raise InputError(
            f"{ratings.source.name}: no column holds numbers. Name them score (of the judge) and human_score (of the human)."
        )
    if name == UNANIMOUS:
        raise InputError("Numbers of several humans are hardly ever equal. Use the reference mean, median, or one human.")
    key = ("numbers", judge, name, unit, by_weight)
    return memoised(ratings, key, lambda: _numbered(ratings, judge, name, unit, by_weight=by_weight))


def numbers_of_cells(ratings: Ratings, judge: str, reference: str) -> tuple[FloatArray, FloatArray]:
    """Return the numbers of the reference and of a judge on every cell of the ratings, shape (n_cells,); NaN where none is.

    Parameters
    ----------
    ratings : Ratings
        With numbers.
    judge : str
    reference : str
        As in the declaration of `metrics.scores`.
    """
    return _reference(ratings, reference)[1], _side(ratings, cell_ratings(ratings, judge, "judge"))[1]


def numbers_by_rater(ratings: Ratings, judge: str) -> tuple[FloatArray, NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of a judge and of every human on every cell, shape (n_cells, 1 + n_humans), NaN where none is.

    And the item and criterion of the cells.

    Parameters
    ----------
    ratings : Ratings
        With numbers.
    judge : str
    """
    places = [cell_ratings(ratings, judge, "judge"), *(cell_ratings(ratings, human, "human") for human in ratings.humans)]
    given = np.column_stack([_side(ratings, of)[1] for of in places])
    cells = cells_of(ratings)
    return given, cells.item.astype(np.int64), cells.criterion.astype(np.int64)


def _numbered(ratings: Ratings, judge: str, reference: str, unit: str, *, by_weight: bool) -> Numbered:
    columns = [] if unit == "item" else [clusters_of(ratings, unit).column]
    ratings = kinds_of(ratings, *columns, *([column_of(ratings)] if by_weight else []))
    weights = item_weights(ratings) if by_weight else None
    cells = cells_of(ratings)
    asked, number = _side(ratings, cell_ratings(ratings, judge, "judge"))
    known, mean = _reference(ratings, reference)
    both = np.flatnonzero(asked & known)
    item = cells.item[both].astype(np.int64)
    of_unit, word = item, "items"
    if unit != "item":
        clusters = clusters_of(ratings, unit)
        of_unit, word = clusters.of_item[item], groups_by(clusters.column)
    times, copies = multiples(ratings, item, grouped=unit != "item")
    worth = np.empty(0) if weights is None else weights[item]
    return Numbered(mean[both], number[both], cells.criterion[both], item, of_unit, times, copies, word, worth)


def _side(ratings: Ratings, places: NDArray[np.int64]) -> tuple[NDArray[np.bool_], FloatArray]:
    """Return where a rater gave an answer, and the number with it, shape (n_cells,) each."""
    answer_mask = places >= 0
    answer_mask[answer_mask] = ratings.state[places[answer_mask]] != ratings.scheme.state("error")
    score = np.zeros(0) if ratings.score is None else ratings.score
    return answer_mask, np.where(answer_mask, np.append(score, np.nan)[places], np.nan)


def _reference(ratings: Ratings, name: str) -> tuple[NDArray[np.bool_], FloatArray]:
    human_name = human_of(name, ratings.humans)
    if human_name is not None:
        return _side(ratings, cell_ratings(ratings, human_name, "human"))
    humans = [human for human in ratings.humans if human != left_out(name, ratings.humans)]
    sides = [_side(ratings, cell_ratings(ratings, human, "human")) for human in humans]
    known = np.any([answer_mask for answer_mask, _ in sides], axis=0)
    given = np.sum([np.isfinite(number) for _, number in sides], axis=0)
    if number_rule(ratings, name) == MEDIAN:
        ranked = np.sort([number for _, number in sides], axis=0)
        return known, ranked[np.maximum(given - 1, 0) // 2, np.arange(len(given))]
    return known, safe_ratio(np.sum([np.nan_to_num(number) for _, number in sides], axis=0), given)


def number_rule(ratings: Ratings, name: str) -> str:
    """Return how the numbers of several humans become one: their mean, unless the median of numbers is asked for."""
    asked = rule_in(name, ratings.humans) == MEDIAN and usual_rule(ratings) == MEAN
    return MEDIAN if asked else MEAN


def number_name(ratings: Ratings, reference: str) -> str:
    """Return what a reference is called where it is a number: one human, or the mean of several."""
    humans = ratings.humans
    if human_of(reference, humans) is not None:
        return reference
    without, rule = left_out(reference, humans), number_rule(ratings, reference)
    return with_article(f"{rule}{WITHOUT}{without}" if without else rule)


def judge_numbers(ratings: Ratings, judge: str, reference: str, unit: str, confidence: float | None) -> JudgeScores:
    """Return all blocks of one judge.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    reference, unit : str
        As in `numbered_of`.
    confidence : float or None
        In (0, 1); None for no intervals.

    Raises
    ------
    InputError
        As `numbered_of`.
    """
    numbered = numbered_of(ratings, judge, reference, unit)
    parts = [numbered.on(place) for place in range(len(ratings.criteria))]
    criteria = {name: _block(part, confidence) for name, part in zip(ratings.criteria, parts, strict=True)}
    alone = len(parts) == 1
    pooled = next(iter(criteria.values())) if alone else _block(numbered, confidence)
    sides = {name: part.paired for name, part in zip(ratings.criteria, parts, strict=True)}
    apart = {name: two_units(*paired.numbers, paired.weight) for name, paired in sides.items()}
    return JudgeScores(
        name=judge,
        pooled=pooled,
        mean=_mean(numbered, parts, list(criteria.values()), confidence),
        criteria=criteria,
        coverage=numbered.extent,
        criterion_coverage={name: part.extent for name, part in zip(ratings.criteria, parts, strict=True)},
        n_items=numbered.n_items(),
        n_used=numbered.n_items(numbered.paired.kept),
        two_units={name: why for name, why in apart.items() if why},
        other_ends={name: why for name, of in sides.items() if (why := other_ends(*of.numbers, of.weight))},
        verdicts=frozenset(name for name, paired in (*sides.items(), (None, numbered.paired)) if paired.verdict),
    )


def _block(numbered: Numbered, confidence: float | None) -> Block:
    paired = numbered.paired
    estimates = {key: estimate for key, estimate in measures(paired, confidence=confidence).items() if key != "n"}
    return Block(paired.n, (), None, more={"n": paired.n, "n_units": paired.n_units}, estimates=estimates)


def _mean(numbered: Numbered, parts: list[Numbered], blocks: list[Block], confidence: float | None) -> Block:
    keys = [key for key in KEYS if key not in NOT_AVERAGED]
    mean = Block.mean_over(blocks, keys)
    intervals: dict[str, Interval] = {}
    if confidence is not None and len(blocks) == 1:
        intervals = {key: interval for key, interval in blocks[0].intervals.items() if key in keys}
    elif confidence is not None:
        intervals = _mean_intervals(numbered, parts, mean.values, confidence)
    alone = f"leaving out one of the {numbered.word} leaves it undefined or does not move it"
    why = {} if confidence is None else {key: alone for key in keys if key not in intervals and mean[key].defined}
    return mean.with_intervals(intervals, why)


def _mean_intervals(
    numbered: Numbered, parts: list[Numbered], values: Mapping[str, float], confidence: float
) -> dict[str, Interval]:
    """Return whole units left out of all criteria at once."""
    names, alike, n = np.unique(numbered.unit[numbered.paired.kept]), numbered.paired.multiplicity, numbered.paired.n_units
    if n < FEWEST_UNITS:
        return {}
    moved = {key: np.zeros(len(names)) for key in TRANSFORMS}
    count = dict.fromkeys(TRANSFORMS, 0)
    for part in parts:
        unit_places = np.searchsorted(names, np.unique(part.unit[part.paired.kept]))
        for key, change in changes(part.paired).items():
            moved[key][unit_places] += change
            count[key] += 1
    out = {}
    for key, total in moved.items():
        error = error_of_changes(total / max(count[key], 1), alike)
        interval = interval_around(values[key], error, TRANSFORMS[key], student(n - 1, confidence), "jackknife")
        if interval is not None:
            out[key] = replace(interval, note=few_units(n, numbered.word))
    return out


def scored_part(ratings: Ratings, on: On, order: Sequence[str] | None = None) -> Ratings:
    """Return the ratings of the criteria that can be compared so: with numbers on both sides, or with labels.

    Of the criteria with labels only those in order, where some are. Where none has numbers, the ratings as they are.

    Parameters
    ----------
    ratings : Ratings
    on : {"label", "score"}
        What is compared.
    order : sequence of str, optional
        Labels from low to high: criteria whose labels are all among them are in order too.

    Raises
    ------
    InputError
        For labels, where every criterion holds numbers.
    """
    stated = {normalise(str(name)) for name in order or ()}
    scales = scales_of(ratings)
    if on == "score":
        kept = [name for place, name in enumerate(ratings.criteria) if _has_numbers(ratings, place)]
    else:
        labelled = [name for name in ratings.criteria if NUMBER not in scales.on(name).classes]
        ordered = [
            name
            for name in labelled
            if scales.on(name).scale in ("ordinal", "continuous")
            or {normalise(label) for label in scales.on(name).classes} <= stated
        ]
        kept = ordered or labelled
        if not kept:
            way = worded(f" with {flag('--on', 'score')}", f" with {flag('--on', 'score')}", " as numbers")
            raise InputError(f"{ratings.source.name}: every criterion holds numbers, not labels. Compare them{way}.")
    return on_criteria(ratings, kept) if kept else ratings


def has_numbers(ratings: Ratings) -> bool:
    """Return whether humans and judges have a number on some criterion."""
    return any(_has_numbers(ratings, place) for place in range(len(ratings.criteria)))


def _has_numbers(ratings: Ratings, criterion: int) -> bool:
    """Return whether humans and judges have a number on a criterion."""
    if ratings.score is None:
        return False
    there = (ratings.criterion == criterion) & np.isfinite(ratings.score)
    human = ratings.by_role("human")[there]
    return bool(human.any() and not human.all())

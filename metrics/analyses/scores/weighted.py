"""Ordered labels, or numbers, with every item by its weight, one over the chance that it was drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import stdtr

from metrics.analyses.evaluation import Family, catalogue_family
from metrics.analyses.item_weights import Behind, Strata, column_of, item_weights
from metrics.analyses.ordered_blocks import DISTANCES, small_by_weight
from metrics.analyses.ordered_catalogue import EXACT, RECORDS, UNWEIGHTED
from metrics.analyses.ordered_coding import Tables
from metrics.analyses.paired_numbers import FEWEST_UNITS, KEYS, RANKS, TRANSFORMS, Ints, Paired, limits_of
from metrics.analyses.records import Block, Weighted
from metrics.analyses.scores.provenance import estimate_text
from metrics.analyses.scores.scored import NOT_AVERAGED, numbered_of
from metrics.analyses.settings import Settings
from metrics.analyses.weighing import Together, Weighing, around, mean_of, over_criteria, small_cells
from metrics.data.ratings import Ratings
from metrics.intervals.default import few_units
from metrics.intervals.items import coded_in_mode
from metrics.measures import moments
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import keys_at
from metrics.measures.metric import Place
from metrics.measures.moments import Sums
from metrics.measures.ranks import Ranked
from metrics.results import words
from metrics.results.estimate import Estimate

OF_AGREEMENT = {EXACT.key: "accuracy", UNWEIGHTED.key: "kappa"}
"""Numbers that agreement has as well, with one interval."""
LARGEST = 2.0**40
"""What weights that are not whole add up to where ranks count pairs in whole numbers."""
SLOPES = {"spearman": Ranked.spearman_slopes, "kendall_tau_b": Ranked.kendall_tau_b_slopes}


def labels_by_weight(ratings: Ratings, tables: Tables, family: Family, settings: Settings) -> Weighted | None:
    """Return the numbers of a judge's ordered labels; None where no item weighs more than another.

    Parameters
    ----------
    ratings : Ratings
    tables : Tables
        Of the judge, patterns without a decision that counts among them.
    family : Family
        Of ordered classes.
    settings : Settings

    Raises
    ------
    InputError
        As `item_weights`.
    """
    weights, together = item_weights(ratings), Together.of(ratings, settings)
    if weights is None:
        return None
    confidence = settings.asked_confidence
    asked = Weighing(column_of(ratings), family, confidence, small_by_weight, DISTANCES, heavy=False)
    made = _of_tables(asked, ratings, tables, weights, together)
    if made is None or not tables.labels:
        return made
    names = tuple(OF_AGREEMENT.values())
    of_agreement = Weighing(asked.column, catalogue_family(tables.labels, keys=names), confidence, small_cells)
    other = _of_tables(of_agreement, ratings, tables.unordered(), weights, together)
    return made if other is None else _shared(made, other)


def _of_tables(
    asked: Weighing, ratings: Ratings, tables: Tables, weights: FloatArray, together: Together | None
) -> Weighted | None:
    coded = coded_in_mode(tables.patterns, tables.scheme, "exclude")
    found = over_criteria(asked, ratings, tables.patterns, weights, coded, tables.criteria, together)
    return found and found[0]


def _shared(made: Weighted, other: Weighted) -> Weighted:
    """Return the numbers, those that agreement has too as it has them."""

    def taken(own: Mapping[str, Estimate], theirs: Mapping[str, Estimate]) -> dict[str, Estimate]:
        return {**own, **{key: theirs[name] for key, name in OF_AGREEMENT.items() if key in own and theirs[name].defined}}

    criteria = {
        name: replace(one, estimates=taken(one.estimates, other.criteria[name].estimates)) for name, one in made.criteria.items()
    }
    return replace(
        made, estimates=taken(made.estimates, other.estimates), macro=taken(made.macro, other.macro), criteria=criteria
    )


def numbers_by_weight(ratings: Ratings, judge: str, settings: Settings) -> Weighted | None:
    """Return the numbers of a judge's scores; None where no item weighs more than another.

    Sums over pairs become sums of weights. What has the number of pairs in it, as a standard deviation, takes them for as many
    as they are worth: :math:`(\\sum w)^2 / \\sum w^2`. Rank correlations are taken to change with an item's weight as fast as at
    the weights given.

    Parameters
    ----------
    ratings, judge, settings
        As in `metrics.analyses.scores.compute.scores_of`.

    Raises
    ------
    InputError
        As `item_weights`.
    """
    if item_weights(ratings) is None:
        return None
    together = Together.of(ratings, settings)
    unit, groups = ("item", "") if together is None else (settings.unit, together.groups)
    numbered = numbered_of(ratings, judge, settings.reference, unit, by_weight=True)
    if not numbered.paired.n:
        return None
    column, confidence = column_of(ratings), settings.asked_confidence
    whole, *parts = (
        WeightedPairs(one.paired, Behind(one.item, one.worth, groups))
        for one in (numbered, *(numbered.on(place) for place in range(len(ratings.criteria))))
    )
    criteria = {name: part.numbers(column, confidence) for name, part in zip(ratings.criteria, parts, strict=True)}
    macro = {key: _mean(key, whole, parts, list(criteria.values()), confidence) for key in KEYS if key not in NOT_AVERAGED}
    return replace(whole.numbers(column, confidence), macro=macro, criteria=criteria)


def _mean(
    key: str, whole: WeightedPairs, parts: list[WeightedPairs], criteria: list[Weighted], confidence: float | None
) -> Estimate:
    """Return the mean of a number over the criteria where it is defined; every replicate leaves an item out of all of them."""
    known = [one.estimates[key] for one in criteria]
    mean, strata = mean_of([one.value for one in known]), whole.strata
    if not mean.defined or key not in TRANSFORMS:
        return mean
    if len(criteria) == 1:
        return replace(known[0], of=mean.of)
    if confidence is None or strata.times.sum() < FEWEST_UNITS:
        return mean
    used = [part for part, one in zip(parts, known, strict=True) if one.defined]
    left = [part.left_out(key, strata, np.searchsorted(whole.used, part.used)) for part in used]
    return replace(mean, interval=around(mean.value, strata, np.mean(left, axis=0), TRANSFORMS[key], confidence))


@dataclass(frozen=True, eq=False)
class WeightedPairs:
    """Pairs of numbers, and the weight of the item of each.

    Attributes
    ----------
    paired : Paired
    of_row : Behind
        The item of each row.
    """

    paired: Paired
    of_row: Behind

    @cached_property
    def behind(self) -> Behind:
        """The item of each pair that counts, shape (kept,)."""
        return self.of_row.at(self.paired.kept)

    @property
    def worth(self) -> FloatArray:
        """Weight of the item of each pair that counts, shape (kept,)."""
        return self.behind.weight

    @cached_property
    def used(self) -> Ints:
        """Kinds of items, or groups, with a pair that counts."""
        unit = self.of_row.item if self.paired.unit is None else self.paired.unit
        kinds: Ints = np.unique(unit[self.paired.kept])
        return kinds

    @cached_property
    def strata(self) -> Strata:
        return self.behind.strata(self.paired.units, self.paired.weight)

    @cached_property
    def sums(self) -> Sums:
        """Where all pairs together count for as many as they are worth."""
        total, each = self.worth * self.paired.weight, self.worth * self.paired.each
        scale = total.sum() / (total @ self.worth)
        return Sums.of(*self.paired.numbers, self.paired.units, self.paired.multiplicity, each * scale)

    @cached_property
    def whole(self) -> Ints:
        """What each row counts for in whole numbers, in proportion to its weight, shape (kept,)."""
        total = self.worth * self.paired.weight
        if (total == np.round(total)).all() and total.sum() < LARGEST:
            return np.asarray(total, np.int64)
        return np.asarray(np.maximum(1, np.round(total * (LARGEST / total.sum()))), np.int64)

    @cached_property
    def ranked(self) -> Ranked:
        return Ranked.of(*self.paired.numbers, self.whole)

    def numbers(self, column: str, confidence: float | None) -> Weighted:
        """Return every number that pairs tell."""
        nothing = np.empty((0, 0))
        if not self.paired.n:
            undefined = Estimate(float("nan"), why="no pair has two numbers")
            return Weighted(column, 0, 0.0, nothing, dict.fromkeys(KEYS[1:], undefined))
        strata = self.strata
        values = {key: float(function(self.sums.all)) for key, function in moments.FUNCTIONS.items()}
        values |= {key: value(self.ranked) for key, (value, _) in RANKS.items()}
        known = {
            key: Estimate(values[key], why="" if np.isfinite(values[key]) else self._why()) for key in KEYS[1:] if key in values
        }
        units = int(strata.times.sum())
        if units >= FEWEST_UNITS:
            known["bias_p"] = self._p(values["bias"])
        else:
            known["bias_p"] = Estimate(float("nan"), why=f"only {words.several(units, strata.word)}")
        if confidence is not None and units >= FEWEST_UNITS:
            known |= self._with_intervals(known, confidence)
        return Weighted(column, strata.n_items, strata.n_effective, nothing, {key: known[key] for key in KEYS[1:]})

    def _with_intervals(self, known: Mapping[str, Estimate], confidence: float) -> dict[str, Estimate]:
        note = few_units(int(self.strata.times.sum()), self.strata.word)
        done = {}
        for key, transform in TRANSFORMS.items():
            one = known[key]
            if not one.defined:
                continue
            made = around(
                one.value, self.strata, self.left_out(key, self.strata, np.arange(len(self.used))), transform, confidence
            )
            why = "" if made is not None else f"it does not move when one of the {self.strata.word} is left out"
            done[key] = Estimate(one.value, made and replace(made, note=note), why)
        return done | limits_of(known, done)

    def _p(self, bias: float) -> Estimate:
        error = self.strata.error(self.left_out("bias", self.strata, np.arange(len(self.used))))
        if not error > 0 or self.strata.df < 1:
            return Estimate(float("nan"), why=f"the mean difference is the same in all {self.strata.word}")
        return Estimate(float(2 * stdtr(self.strata.df, -abs(bias / error))))

    def _why(self) -> str:
        return (
            "all differences are equal, or a side gives one number only" if self.paired.n > 1 else "only one pair has two numbers"
        )

    def left_out(self, key: str, strata: Strata, place: Ints) -> FloatArray:
        """Return a number without one item of each kind, or one group, the others of its stratum weighed up, shape (G,).

        Parameters
        ----------
        key : str
        strata : Strata
            Of G kinds of items, those without a pair here among them.
        place : ndarray of int64, shape (kinds here,)
            Place of each kind here among them.
        """
        n, up = len(strata.times), strata.up
        if key in RANKS:
            slopes = SLOPES[key](self.ranked) * self.whole / self.paired.multiplicity[self.paired.units]
            moved = np.zeros(n)
            np.add.at(moved, place[self.paired.units], slopes)
            return RANKS[key][0](self.ranked) - up * moved
        rows = np.zeros((len(self.sums.rows), n))
        rows[:, place] = self.sums.rows
        of_stratum = np.stack([np.bincount(strata.stratum, row * strata.times) for row in rows])[:, strata.stratum]
        left = self.sums.total[:, None] + of_stratum * (up - 1) - rows * up
        return moments.FUNCTIONS[key](self.sums.moments(left))


def weighted_words(name: str, numbers: Weighted | None, place: Place) -> list[str]:
    """Return the weighted numbers of a judge in a sentence; nothing without weights.

    Parameters
    ----------
    name : str
        Of the judge.
    numbers : Weighted or None
    place : str
        Where numbers stand of which the sentence names the same: "scores headline", "numbers headline".
    """
    if numbers is None:
        return []
    whole, mean = (Block(None, (), None, estimates=part) for part in (numbers.estimates, numbers.macro))
    shown = []
    for key in (key for key in keys_at(place, records=RECORDS) if key in numbers.estimates):
        many = len(numbers.criteria) > 1 and key in mean.values and mean[key].defined
        beside = f" (mean over criteria {estimate_text(mean, key)})" if many else ""
        shown += [f"{RECORDS[key].symbol} {estimate_text(whole, key)}{beside}"] if whole[key].defined or many else []
    on = f"on {words.several(numbers.n_items, 'items')} worth {words.count(int(numbers.n_effective))} of equal weight"
    by = f"{words.shorten(name)}, weighted by ‘{words.shorten(numbers.column)}’"
    return [f"{by}: {', '.join([*([words.listed(shown)] if shown else []), on])}. The other numbers count every item once."]

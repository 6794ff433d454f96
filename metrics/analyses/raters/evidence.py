"""Why raters disagree, as far as the labels can show it: an ambiguous rubric, one rater apart, tired or wavering raters.

Disagreement is taken at the level of measurement of the criterion: at the nominal one two labels are equal or not, above it they
agree in part, as in AC2.

Each criterion has one record of each kind. A record says what was measured and, where the data cannot tell, why not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from metrics.analyses.raters.adjudicating import entropy_of
from metrics.analyses.raters.fatigue import Fatigue, corrected, fatigue, positions, without_order
from metrics.analyses.raters.intra_rater import Repeats, further_labels, repeats
from metrics.analyses.raters.label_rates import LabelRate, Means, means_by_rater, rates_of
from metrics.analyses.raters.levels import Measured, levels_of_scales, pair_disagreement, scales_apart
from metrics.analyses.raters.units import LEAST, LEVEL, MATTERS, Units, units_of
from metrics.data.abstention import Mode
from metrics.data.order import Measurement
from metrics.data.ratings import Ratings, Role
from metrics.data.unique_items import kinds_of
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.catalogue import TURNED
from metrics.measures.exact_tests import holm
from metrics.measures.transforms import ROUNDING, Interval, student
from metrics.results.estimate import Estimate
from metrics.results.report import ALL, name_beside_all

Cause = Literal["scales", "training", "fatigue", "self-agreement", "ambiguity"]
FEWEST = 3
"""Raters from which one can stand apart: of two, both disagree equally often."""
REMAINS = 0.5
"""Share of the disagreement that is left without the raters apart, from which the rubric is at issue too."""


@dataclass(frozen=True)
class RaterDeviation:
    """How far one rater stands from the others, on units that two or more others rated.

    Attributes
    ----------
    disagreement : float
        Share of the others who gave another label, mean over the units.
    others : float
        Disagreement of pairs of the others among themselves, on the same units.
    excess : Estimate
        The first less the second: 0 on average for a rater like the others, positive for one apart; one item left out at a time.
    p, corrected : float
        One-sided, of no excess; and after Holm for the number of raters, on single criteria for that of all of them.
    beyond_chance : float
        One less the disagreement with the others over that of random labels at the shares of both; NaN where that is 0.
    """

    name: str
    n: int
    n_items: int
    disagreement: float
    others: float
    excess: Estimate
    p: float
    corrected: float
    beyond_chance: float

    @property
    def is_outlier(self) -> bool:
        """Whether the corrected p is at most `LEVEL`, and the excess at least `MATTERS`."""
        return self.corrected <= LEVEL and self.excess.value >= MATTERS

    @property
    def is_reversed(self) -> bool:
        """Whether an outlier may use the scale the other way round: it agrees with the others far less than chance."""
        return self.is_outlier and self.beyond_chance <= TURNED


@dataclass(frozen=True)
class Training:
    """Whether one rater stands apart.

    Attributes
    ----------
    raters : tuple of RaterDeviation
        Those with enough units, the one farthest from the others first; empty for the reason in `undefined`.
    weighted : bool
        Whether near labels disagree less, because the labels have an order.
    """

    raters: tuple[RaterDeviation, ...]
    undefined: str = ""
    weighted: bool = False

    @property
    def outliers(self) -> tuple[RaterDeviation, ...]:
        return tuple(rater for rater in self.raters if rater.is_outlier)

    @property
    def shows(self) -> bool:
        """Some raters stand apart, and fewer than half: more would be two camps, not raters to train."""
        return 0 < 2 * len(self.outliers) < len(self.raters)


@dataclass(frozen=True, eq=False)
class Ambiguity:
    """How much the raters disagree, and whether all of them do.

    Attributes
    ----------
    n_units, n_items, n_split : int
        Units with two labels or more, their items, and the units on which the raters differ.
    disagreement : float
        Share of the pairs of labels of a unit that differ, mean over the units; NaN without a unit. Near labels count in part
        where `weighted`.
    without : float
        The same among the raters who do not stand apart; NaN where nobody does.
    spread : bool or None
        Whether it is not the matter of a few raters: nobody stands apart, or at least `REMAINS` of it is left without those who
        do. None where that cannot be told, for the reason in `undefined`.
    units : ndarray of int64, shape (n_split,)
        Places of the disputed units among the units of all criteria, most disputed first; in a tally, of their kinds.
    """

    n_units: int
    n_items: int
    n_split: int
    disagreement: float
    without: float
    spread: bool | None
    units: NDArray[np.int64] = field(repr=False)
    undefined: str = ""
    weighted: bool = False

    @property
    def unit(self) -> str:
        """What the units are, in words."""
        return "items" if self.n_units == self.n_items else "decisions"

    @property
    def shows(self) -> bool:
        return self.n_split > 0 and self.spread is True


@dataclass(frozen=True, eq=False)
class CriterionEvidence:
    """What the labels of one criterion, or of all together, show."""

    criterion: str
    n_raters: int
    ambiguity: Ambiguity
    training: Training
    fatigue: Fatigue
    repeats: Repeats
    scales: str = ""
    """Why raters may use two scales; empty where nothing shows it."""
    rates: tuple[LabelRate, ...] = ()
    """How often each of two raters gives each of two labels, where that differs, and does over all criteria; else empty."""

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Causes the data show, the one to act on first in front."""
        shown: dict[Cause, bool] = {
            "scales": bool(self.scales),
            "training": self.training.shows,
            "fatigue": self.fatigue.shows,
            "self-agreement": self.repeats.shows,
            "ambiguity": self.ambiguity.shows,
        }
        return tuple(cause for cause, there in shown.items() if there)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Records of all criteria together, under `all`, and of each.

    Attributes
    ----------
    units : Units
        What the places in the records point into.
    criteria : mapping of str to CriterionEvidence
        A criterion that is itself called `all` is `all (criterion)`.
    """

    units: Units
    criteria: Mapping[str, CriterionEvidence]


def evidence(
    ratings: Ratings,
    *,
    role: Role | None = None,
    level: Measurement | None = None,
    abstention: Mode = "exclude",
    least: int = LEAST,
    confidence: float = 0.95,
) -> Evidence:
    """Return what the labels show about the causes of disagreement, for all criteria together and for each.

    Parameters
    ----------
    role : {"human", "judge", None}
        As in `metrics.analyses.raters.units.units_of`, which says what raises.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Default: what the confirmed scale of each criterion says.
    least : int
        Raters with fewer units, or items, are not judged.
    """
    units = units_of(ratings, role, mode=abstention)
    kinds = units_of(kinds_of(ratings), role, mode=abstention)
    levels = levels_of_scales(ratings, level, abstention)
    leaning = _leaning(kinds, confidence)
    position, by, column = positions(ratings, units)
    unit_of, same = further_labels(ratings, units, abstention)

    def fatigue_of(places: NDArray[np.int64], how: Measured) -> Fatigue:
        if not ratings.has_rows:
            return without_order(by, column)
        own, partial = units.at(places).on_classes(how.classes), how.partial if how.weighted else None
        return fatigue(own, position[places], by, column, partial=partial, least=least, confidence=confidence)

    def record(name: str, part: Part, training: Training, tiring: Fatigue) -> CriterionEvidence:
        own, chosen = units.at(part.places).on_classes(part.how.classes), np.zeros(len(units), bool)
        chosen[part.places] = True
        n_raters = int((own.labels >= 0).any(0).sum())
        ambiguity = _ambiguity(part.alike, part.how, part.places[_most_disputed(own)], training)
        again = repeats(unit_of, same, chosen, units.times, confidence)
        scales = scales_apart(part.alike, part.how)
        rates = _leaning(part.alike, confidence) if leaning else ()
        rates = rates if rates and rates[0].drift.sign == leaning[0].drift.sign else ()
        return CriterionEvidence(name, n_raters, ambiguity, training, tiring, again, scales, rates)

    parts = [Part(np.arange(len(units)), kinds.on_classes(levels.pooled.classes), levels.pooled)]
    for code, name in enumerate(ratings.criteria):
        how = levels.criteria[name]
        parts.append(Part(np.flatnonzero(units.criterion == code), kinds.of_criterion(code).on_classes(how.classes), how))
    training, *trainings = [_training(part.alike, part.how, least, confidence) for part in parts]
    tiring, *tirings = [fatigue_of(part.places, part.how) for part in parts]
    names = [ALL, *(name_beside_all(name, ratings.criteria) for name in ratings.criteria)]
    rows = zip(names, parts, [training, *_over_criteria(trainings)], [tiring, *corrected(tirings)], strict=True)
    return Evidence(units, {name: record(name, part, own, tired) for name, part, own, tired in rows})


def _leaning(units: Units, confidence: float) -> tuple[LabelRate, ...]:
    """Return how often each of two raters gives each of two labels; empty where that does not differ, and of more."""
    rates = rates_of(units, confidence) if len(units.raters) == len(units.classes) == FEWEST - 1 else ()
    return rates if rates and rates[0].differs else ()


def raters_apart(
    ratings: Ratings, role: Role, criterion: str | None = None, *, abstention: Mode = "exclude", confidence: float = 0.95
) -> tuple[str, ...]:
    """Return raters who differ from the others on a criterion or on all together, where they are fewer than half of them."""
    levels = levels_of_scales(ratings, None, abstention)
    units = units_of(kinds_of(ratings), role, mode=abstention, criterion=criterion)
    how = levels.pooled if criterion is None else levels.criteria[criterion]
    training = _training(units.on_classes(how.classes), how, LEAST, confidence)
    return tuple(rater.name for rater in training.outliers) if training.shows else ()


@dataclass(frozen=True, eq=False)
class Part:
    """The places of the units of one criterion, or of all; the same units merged where items are alike; how they disagree."""

    places: NDArray[np.int64]
    alike: Units
    how: Measured


def _over_criteria(trainings: Sequence[Training]) -> list[Training]:
    """Return the same with p corrected for the raters of all criteria: of many, one would seem to stand apart by chance."""
    p = iter(holm([rater.p for training in trainings for rater in training.raters]))
    return [
        replace(training, raters=tuple(replace(rater, corrected=next(p)) for rater in training.raters)) for training in trainings
    ]


def _most_disputed(units: Units) -> NDArray[np.int64]:
    """Return places of the units on which the raters differ, the most disputed first."""
    votes = units.votes
    entropy = entropy_of(votes)
    split = np.flatnonzero(entropy > 0)
    return split[np.lexsort((-votes[split].sum(1), -entropy[split]))]


def _ambiguity(units: Units, how: Measured, split: NDArray[np.int64], training: Training) -> Ambiguity:
    """Return how much raters disagree, from units merged where items are alike and the places of those in dispute."""
    several = units.votes.sum(1) > 1
    whole, without = _mean_disagreement(units, how), math.nan
    why = "no unit has two labels" if not several.any() else training.undefined
    spread = None if why else not training.shows
    if training.shows:
        names = [rater.name for rater in training.outliers]
        like = np.array([name not in names for name in units.raters])
        without = _mean_disagreement(units.by(np.flatnonzero(like)), how)
        spread = without >= REMAINS * whole
    _, first = np.unique(units.item[several], return_index=True)
    times = units.times[several]
    n_split = int(units.times @ (entropy_of(units.votes) > 0))
    return Ambiguity(int(times.sum()), int(times[first].sum()), n_split, whole, without, spread, split, why, how.weighted)


def _mean_disagreement(units: Units, how: Measured) -> float:
    disagreements = pair_disagreement(units.votes, how.partial)
    known = ~np.isnan(disagreements)
    return float(units.times[known] @ disagreements[known] / units.times[known].sum()) if known.any() else math.nan


def _training(units: Units, how: Measured, least: int, confidence: float) -> Training:
    """Return one rater against the others, on units with at least two others."""
    if (units.labels >= 0).any(0).sum() < FEWEST:
        return Training((), f"with fewer than {FEWEST} raters nobody can be called an outlier")
    votes = units.votes
    unit, rater = np.nonzero((units.labels >= 0) & (votes.sum(1) >= FEWEST)[:, None])
    rest = votes[unit].copy()
    label = units.labels[unit, rater]
    rest[np.arange(len(unit)), label] -= 1
    disagreement = 1 - (rest @ how.partial)[np.arange(len(unit)), label] / np.maximum(rest.sum(1), 1)
    others = pair_disagreement(rest, how.partial)
    n_raters, item, times = len(units.raters), units.item[unit], units.times[unit]
    excess = means_by_rater(item, rater, disagreement - others, n_raters, times)
    enough = np.flatnonzero(excess.n_items >= max(least, 2))
    if len(enough) < FEWEST:
        return Training((), f"fewer than {FEWEST} raters share {max(least, 2)} items with two others")
    sides = [means_by_rater(item, rater, part, n_raters, times).mean for part in (disagreement, others)]
    beyond = 1 - safe_ratio(sides[0], _by_chance(rater, label, rest, times, how.partial, n_raters))
    p = [_p_above(excess, place) for place in enough.tolist()]
    deviations = [
        _rater_deviation(units.raters[place], excess, place, (sides[0][place], sides[1][place], beyond[place]), both, confidence)
        for place, both in zip(enough.tolist(), zip(p, holm(p), strict=True), strict=True)
    ]
    return Training(tuple(sorted(deviations, key=lambda rater: -rater.excess.value)), weighted=how.weighted)


def _by_chance(
    rater: NDArray[np.int64],
    label: NDArray[np.int16],
    rest: NDArray[np.int64],
    times: NDArray[np.int64],
    partial: FloatArray,
    n_raters: int,
) -> FloatArray:
    """Return disagreement of each rater with the others by the shares of labels alone, shape (n_raters,)."""
    k, others = len(partial), rest / np.maximum(rest.sum(1, keepdims=True), 1)
    n = np.bincount(rater, weights=times, minlength=n_raters)
    own = np.bincount(rater * k + label, weights=times, minlength=n_raters * k).reshape(-1, k)
    theirs = np.stack([np.bincount(rater, weights=times * share, minlength=n_raters) for share in others.T], axis=1)
    return safe_ratio(((own @ (1 - partial)) * theirs).sum(1), n * n)


def _p_above(excess: Means, place: int) -> float:
    mean, error = float(excess.mean[place]), float(excess.error[place])
    if error <= ROUNDING:
        return 0.0 if mean > ROUNDING else 1.0
    return float(stdtr(int(excess.n_items[place]) - 1, -mean / error))


def _rater_deviation(
    name: str, excess: Means, place: int, levels: tuple[float, float, float], p: tuple[float, float], confidence: float
) -> RaterDeviation:
    """Return one rater; the levels are its disagreement, that of the others, and its agreement beyond chance."""
    n, n_items, mean = int(excess.n[place]), int(excess.n_items[place]), float(excess.mean[place])
    error = float(excess.error[place])
    reach = student(n_items - 1, confidence) * error
    interval = Interval(max(mean - reach, -1.0), min(mean + reach, 1.0), "jackknife") if error > ROUNDING else None
    own, others, beyond = map(float, levels)
    return RaterDeviation(name, n, n_items, own, others, Estimate(mean, interval), *p, beyond)

"""The area under a ROC curve, cuts and calibration with every item by its weight, one over the chance that it was drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from metrics.analyses.evaluation import catalogue_family
from metrics.analyses.item_weights import Behind, Strata, WeightedItems, column_of, item_weights
from metrics.analyses.roc.area import FEW_IN_CLASS, FEW_UNITS, Scores, few_of_a_class, newcombe, placed
from metrics.analyses.roc.calibration import Bin, Calibration, are_probabilities, bins_of
from metrics.analyses.roc.cuts import POINT, cells_at
from metrics.analyses.roc.decisions import POSITIVE, decisions_of
from metrics.analyses.roc.held_out import FEWEST, MOST, Method, dealt
from metrics.analyses.roc.tallies import Bools, Direction, Ints, reaches
from metrics.analyses.settings import Settings
from metrics.analyses.weighing import Together, Weighing, around, grouped, mean_of, small_cells
from metrics.data.patterns import dense_rank_of_rows
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.transforms import with_farther_ends
from metrics.results.estimate import Estimate

ROUNDING = 1e-12
"""Share of a mass, or of J, below which a difference is one of rounding."""
NO_TEST = "items weigh unlike"
NOTHING = Estimate(float("nan"), why="no score stands beside these verdicts")


@dataclass(frozen=True, eq=False)
class WeightedRoc:
    """One judge on one criterion or on all, with every item by its weight.

    Attributes
    ----------
    column : str
    n_items : int
        With a decision that counts, scored where there are scores.
    n_effective : float
        Items of equal weight that would say as much (Kish).
    area : Estimate
    threshold, youden_j : float
        The strictest cut at which the weighted J is largest, and J there; NaN where there is none.
    held_out : mapping
        `youden_j`, `tpr`, `fpr` of a cut on items that had no part in choosing it; empty where nothing is held out.
    verdict : mapping
        The same of the judge's own verdicts; empty where it gave none.
    calibration : Calibration or None
        Without a test.
    """

    column: str
    n_items: int
    n_effective: float
    area: Estimate
    threshold: float
    youden_j: float
    held_out: Mapping[str, Estimate]
    verdict: Mapping[str, Estimate]
    calibration: Calibration | None


class RocByWeight:
    """The decisions of one judge by the weights of their items."""

    def __init__(self, ratings: Ratings, judge: str, settings: Settings, method: Method | None, folds: int, towards: Direction):
        together = Together.of(ratings, settings)
        unit, groups = ("item", "") if together is None else (settings.unit, together.groups)
        self.decisions = decisions_of(ratings, judge, settings.reference, unit, by_weight=True)
        self.behind = Behind(self.decisions.item, self.decisions.worth, groups)
        self.scores, self.criterion = self.decisions.scores(towards)
        self.confidence = settings.asked_confidence
        self.seed = settings.seed if isinstance(settings.seed, int) else 0
        self.n_parts = 0 if method is None else 2 if method == "split" else folds
        self.crossed = method == "cross"
        family = catalogue_family(ratings.scheme.classes, keys=(*POINT.values(), "prevalence"))
        self.weighing = Weighing(column_of(ratings), family, self.confidence, small_cells)

    def block(self, place: int | None) -> WeightedRoc:
        """Return the numbers of a criterion by its place, or of all of them together."""
        every = self.decisions
        answered = every.answered if place is None else every.answered & (every.criterion == place)
        verdict: Mapping[str, Estimate] = {}
        items = Strata.of(np.ones(0), np.zeros(0, np.int64))
        if answered.any():
            cell = cells_at(every.positive[answered], every.verdict[answered] == POSITIVE)
            alike = every.times[answered] * every.copies[answered]
            tables = _tables(cell, every.unit[answered], alike, self.behind.at(answered))
            items, verdict = tables, self._points(tables)
        scored = self._part(place)
        if scored.n:
            items = scored.strata
        n, worth = items.n_items, items.n_effective if len(items.times) else 0.0
        column = self.weighing.column
        if not scored.n:
            return WeightedRoc(column, n, worth, NOTHING, float("nan"), float("nan"), {}, verdict, None)
        threshold, gain = scored.best()
        held = {} if np.isnan(gain) else self._held_out(scored)
        return WeightedRoc(
            column, n, worth, scored.area(self.confidence), threshold, gain, held, verdict, self._calibration(scored)
        )

    def mean(self, n_criteria: int) -> Estimate:
        """Return the mean of the areas over the criteria that have one; every replicate leaves an item out of all of them."""
        every = [self._part(place) for place in range(n_criteria)]
        mean = mean_of([part.value for part in every])
        if not mean.defined or self.confidence is None:
            return mean
        if n_criteria == 1:
            return replace(every[0].area(self.confidence), of=mean.of)
        parts = [part for part in every if not np.isnan(part.value)]
        unit, alike = (np.concatenate([getattr(part.scores, name) for part in parts]) for name in ("unit", "weight"))
        used, strata = np.unique(unit), _joined([part.behind for part in parts]).strata(unit, alike)
        left = np.stack([part.left_out(strata, np.searchsorted(used, part.scores.unit)) for part in parts])
        means = safe_ratio(np.nan_to_num(left).sum(0), np.isfinite(left).sum(0))
        return replace(mean, interval=around(mean.value, strata, means, "logit", self.confidence))

    def _part(self, place: int | None) -> WeightedScores:
        kept = np.ones(len(self.criterion), bool) if place is None else self.criterion == place
        return WeightedScores(self.scores.part(kept), self.behind.at(self.decisions.scored).at(kept))

    def _points(self, tables: WeightedItems) -> dict[str, Estimate]:
        numbers = self.weighing.numbers(tables).estimates
        return {name: numbers[key] for name, key in POINT.items()}

    def _held_out(self, scored: WeightedScores) -> dict[str, Estimate]:
        """Return what a cut chosen by weights is worth on items that had no part in choosing it, parted as without weights."""
        scores, n = scored.scores, int(scored.scores.multiplicity.sum())
        if not self.n_parts or not max(FEWEST, self.n_parts) <= n <= MOST:
            return {}
        parts = dealt(scores, self.n_parts, self.seed)
        judging = [(scores.multiplicity - part, part) for part in parts] if self.crossed else [(parts[0], parts[1])]
        judged: list[tuple[Ints, ...]] = []
        behind: list[Behind] = []
        for place, (choosing, tested) in enumerate(judging):
            threshold, gain = scored.with_copies(choosing).best()
            if np.isnan(gain):
                return {}
            part = scored.with_copies(tested)
            called = reaches(part.scores.level, threshold, part.scores.direction)[part.scores.level_index]
            unit = part.scores.unit + place * scores.n_units
            judged.append((cells_at(part.scores.positive, called), unit, part.scores.weight))
            behind.append(replace(part.behind, item=part.behind.item * len(judging) + place))
        cell, unit, alike = (np.concatenate(each) for each in zip(*judged, strict=True))
        return self._points(_tables(cell, unit, alike, _joined(behind)))

    def _calibration(self, scored: WeightedScores) -> Calibration | None:
        towards = scored.scores.direction
        turned = replace(scored, scores=scored.scores.of_higher_label())
        scores, tally = turned.scores, turned.scores.tally()
        if not are_probabilities(tally):
            return None
        level = scores.level[scores.level_index]
        bins = []
        for place in bins_of(scores, tally):
            cell, mass = np.where(scores.positive[place], 0, 2), turned.mass[place]
            tables = _tables(cell, scores.unit[place], scores.weight[place], turned.behind.at(place))
            observed = self.weighing.numbers(tables).estimates["prevalence"]
            ends, n = level[place], int(scores.weight[place].sum())
            bins.append(Bin(float(ends.min()), float(ends.max()), n, float(mass @ ends / mass.sum()), observed))
        sums = turned.sums
        walk = np.concatenate([[0.0], np.cumsum(sums[:, 1] - sums.sum(1) * scores.level)]) / turned.mass.sum()
        return Calibration(
            bins=tuple(bins),
            n=tally.n,
            kuiper=float(walk.max() - walk.min()),
            kuiper_scaled=float("nan"),
            p=float("nan"),
            why_no_p=NO_TEST,
            mean_score=float(turned.mass @ level / turned.mass.sum()),
            prevalence=float(turned.mass[scores.positive].sum() / turned.mass.sum()),
            of="positive" if towards == "higher" else "negative",
        )


@dataclass(frozen=True, eq=False)
class WeightedScores:
    """Scored decisions, and the weight of the item of each.

    Attributes
    ----------
    scores : Scores
    behind : Behind
        The item of each.
    """

    scores: Scores
    behind: Behind

    @property
    def n(self) -> int:
        return len(self.behind.item)

    @property
    def mass(self) -> FloatArray:
        """What each row counts for, shape (n,)."""
        return self.scores.weight * self.behind.weight

    @property
    def sums(self) -> FloatArray:
        """Mass of the negatives and of the positives at every level, shape (L, 2)."""
        place = self.scores.level_index * 2 + self.scores.positive
        return np.bincount(place, weights=self.mass, minlength=2 * len(self.scores.level)).reshape(-1, 2).astype(np.float64)

    def with_copies(self, copies: Ints) -> WeightedScores:
        """Return the same decisions of other numbers of alike units, shape (n_units,)."""
        kept = copies[self.scores.unit] > 0
        return WeightedScores(self.scores.with_copies(copies), self.behind.at(kept))

    def best(self) -> tuple[float, float]:
        """Return the strictest cut at which J is largest, and J there; NaN where a class is empty."""
        used = self.sums.any(1)
        sums, level = self.sums[used][::-1], self.scores.level[used][::-1]
        if not self.scores.positive.any() or self.scores.positive.all():
            return float("nan"), float("nan")
        alarms, hits = np.concatenate([np.zeros((1, 2)), np.cumsum(sums, axis=0)]).T
        gain = hits / hits[-1] - alarms / alarms[-1]
        first = int(np.flatnonzero(gain >= gain.max() - ROUNDING)[0])
        strictest = np.inf if self.scores.direction == "higher" else -np.inf
        return (float(level[first - 1]) + 0.0 if first else strictest), float(gain[first])

    @property
    def value(self) -> float:
        """Area by the trapezoid rule; NaN where a class is empty."""
        ups, mass = self.scores.positive, self.mass
        if not ups.any() or ups.all():
            return float("nan")
        everybody = placed(np.zeros(len(mass), np.int64), self.scores.level_index, ups, mass)
        return float(mass[ups] @ everybody[ups] / (mass[ups].sum() * mass[~ups].sum()))

    @cached_property
    def strata(self) -> Strata:
        """Units with a decision."""
        return self.behind.strata(self.scores.unit, self.scores.weight)

    def area(self, confidence: float | None) -> Estimate:
        """Return the area and its interval on the logit scale, widened as without weights by Newcombe's.

        The latter takes the units of a class for as many as they are worth.
        """
        value, scores = self.value, self.scores
        if np.isnan(value):
            lacking = "negative" if scores.positive.any() else "positive"
            return Estimate(value, why=f"the reference has no {lacking} among the scored decisions")
        strata = self.strata
        if confidence is None or strata.times.sum() < 2:
            return Estimate(value)
        left = self.left_out(strata, np.unique(scores.unit, return_inverse=True)[1])
        known = around(value, strata, left, "logit", confidence)
        units = [scores.units_with(side) for side in (scores.positive, ~scores.positive)]
        few = FEW_IN_CLASS if scores.independent else FEW_UNITS
        if known is not None and min(units) >= few:
            return Estimate(value, known)
        by_score = newcombe(value, self._worth_of(scores.positive), self._worth_of(~scores.positive), confidence)
        note = few_of_a_class(units, few, scores.word)
        return Estimate(value, with_farther_ends(value, known, by_score, "newcombe", note))

    def _worth_of(self, wanted: Bools) -> float:
        """Return how many units of equal weight those with one of the wanted decisions are worth.

        A group weighs as much as its wanted decisions.
        """
        if self.behind.groups:
            mass = np.bincount(self.scores.unit[wanted], weights=self.mass[wanted])
            return float(mass.sum() ** 2 / (mass**2).sum())
        used, first = np.unique(self.scores.unit[wanted], return_index=True)
        weight, times = self.behind.weight[wanted][first], self.scores.multiplicity[used]
        return float((weight @ times) ** 2 / (weight**2 @ times))

    def left_out(self, strata: Strata, unit: Ints) -> FloatArray:
        """Return the area without one unit of each, the others of its stratum weighed up; NaN where a class becomes empty.

        Parameters
        ----------
        strata : Strata
            Of G units, those without a decision here among them.
        unit : ndarray of int64, shape (n,)
            Place of the unit of each row among them.

        Returns
        -------
        ndarray, shape (G,)
        """
        ups, own, mass, level = self.scores.positive, self.scores.each * self.behind.weight, self.mass, self.scores.level_index
        stratum, up = strata.stratum[unit], strata.up
        among_all = placed(np.zeros(len(mass), np.int64), level, ups, mass)
        among_stratum, among_unit = placed(stratum, level, ups, mass), placed(unit, level, ups, own)
        n, more = len(strata.times), up - 1

        def of_strata(values: FloatArray, rows: Bools) -> FloatArray:
            sums = np.bincount(stratum[rows], weights=values[rows], minlength=len(strata.n))
            return np.asarray(sums[strata.stratum], np.float64)

        def of_units(values: FloatArray, rows: Bools) -> FloatArray:
            return np.bincount(unit[rows], weights=values[rows], minlength=n).astype(np.float64)

        every = np.ones(len(mass), bool)
        won = mass[ups] @ among_all[ups] + more * of_strata(mass * among_all, every)
        won = won + more**2 * of_strata(mass * among_stratum, ups)
        won = won - up * of_units(own * (among_all + more[unit] * among_stratum), every) + up**2 * of_units(own * among_unit, ups)
        sides = [
            np.where((left := mass[side].sum() + more * of_strata(mass, side) - up * of_units(own, side))
                     > ROUNDING * mass[side].sum(), left, 0.0)
            for side in (ups, ~ups)
        ]  # fmt: skip
        return safe_ratio(won, sides[0] * sides[1])


def _tables(cell: Ints, unit: Ints, alike: Ints, behind: Behind) -> WeightedItems:
    """Return the tables of items, or of groups of them, from the cell of each decision and the items that are like its item."""
    _, first, at = np.unique(behind.item, return_index=True, return_inverse=True)
    flat = np.bincount(at * 4 + cell, minlength=4 * len(first)).reshape(-1, 4)
    kind = dense_rank_of_rows(flat, int(flat.max(initial=0)) + 1)
    tables = flat[np.unique(kind, return_index=True)[1]].astype(np.float64)
    together = Together(unit[first], behind.groups) if behind.groups else None
    return grouped(tables.reshape(-1, 2, 2), kind, behind.weight[first], alike[first], together).items


def _joined(parts: Sequence[Behind]) -> Behind:
    item, weight = np.concatenate([part.item for part in parts]), np.concatenate([part.weight for part in parts])
    return Behind(item, weight, parts[0].groups)


def roc_by_weight(
    ratings: Ratings, judge: str, settings: Settings, method: Method | None, folds: int, direction: Direction
) -> RocByWeight | None:
    """Return what makes the weighted numbers of a judge; None where no item weighs more than another.

    Weighted counts take the place of counts. Intervals leave out one item of a stratum, or a group of items, as in
    `metrics.analyses.agreement.weighted.weighted`.

    Parameters
    ----------
    ratings, judge, settings, method, folds, direction
        As in `metrics.analyses.roc.compute.judge_roc`.

    Raises
    ------
    InputError
        As `item_weights`.
    """
    if item_weights(ratings) is None:
        return None
    return RocByWeight(ratings, judge, settings, method, folds, direction)

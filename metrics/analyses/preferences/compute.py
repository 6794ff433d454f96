r"""Which of two answers is better: a judge's preferences beside the reference's, under every way of counting ties.

One table of three answers (the first is better, the second is better, a tie) carries all three conventions, so that they
differ in nothing but how a tie counts:

- ties left out: the 2 x 2 table of decisions in which neither side said tie;
- a tie is a third answer: right only where both sides say it;
- a tie is half a win: each side's answer is 1, ½ or 0, a tie beside a win is half right, and kappa weighs confusions alike.

With ties left out the table is binary, and Pearson, Spearman, Kendall's tau-b and phi are one number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.records import Declaration
from metrics.analyses.settings import Settings, declaration_of, settings_of
from metrics.asker import flag
from metrics.data.pairs import patterns_of
from metrics.data.patterns import Patterns
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.default import Unit, macro_intervals, micro_intervals
from metrics.intervals.items import Coded
from metrics.intervals.jackknife import pooled_errors
from metrics.intervals.single_table import wilson
from metrics.measures import coefficients
from metrics.measures.arrays import FloatArray, Function, as_confusion, mean_where_defined, safe_ratio
from metrics.measures.catalogue import BY_KEY, record_of
from metrics.measures.cost_matrices import slide_cost
from metrics.measures.metric import why_undefined
from metrics.measures.transforms import Interval, interval_around, jackknife_error, student
from metrics.results.estimate import Estimate

Convention = Literal["exclude", "class", "half"]
CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
HALF = slide_cost(0.5)
"""First, second and tie: a tie lies halfway between the two."""
# How much of a win each answer is for the first one: first, second, tie.
CODES = np.array([1.0, 0.0, 0.5])
NO_DECISION = "no decision is left"
RATES = {"reference": "prevalence", "judge": "predicted_prevalence", "difference": "drift"}
"""What the share of wins of a side is called of two labels."""
# Place of a tie, behind first and second.
TIE = 2


def _halfway(counts: FloatArray) -> FloatArray:
    """Return mean credit: 1 for equal answers, ½ for a tie beside a win, 0 for opposite ones."""
    counts = as_confusion(counts)
    return safe_ratio((counts * (1 - HALF)).sum((-2, -1)), counts.sum((-2, -1)))


FUNCTIONS: Mapping[Convention, Mapping[str, Function]] = {
    "exclude": {"accuracy": coefficients.accuracy, "kappa": coefficients.cohen_kappa, "phi": coefficients.phi},
    "class": {
        "accuracy": coefficients.accuracy,
        "kappa": coefficients.cohen_kappa,
        "mcc_multiclass": coefficients.mcc_multiclass,
    },
    "half": {"accuracy:half": _halfway, "weighted_kappa:half": partial(coefficients.weighted_kappa, weights=HALF)},
}
"""What each convention shows, by catalogue key; a variant of one stands after a colon."""


@dataclass(frozen=True)
class Wins:
    """How often the first answer wins.

    Attributes
    ----------
    reference, judge : Estimate
        Share of decisions, a tie counting as the convention says: not at all, as no win, or as half a win.
    difference : Estimate
        Judge less reference, on the same decisions.
    """

    reference: Estimate
    judge: Estimate
    difference: Estimate


@dataclass(frozen=True, eq=False)
class Preference:
    """One convention on some decisions.

    Attributes
    ----------
    n, n_items : int
        Decisions that count, and the items they are on.
    counts : ndarray of int64, shape (2, 2) or (3, 3)
        Reference in rows, judge in columns: first, second and, unless left out, tie.
    values : mapping
        Catalogue key to estimate.
    """

    n: int
    n_items: int
    counts: NDArray[np.int64]
    values: Mapping[str, Estimate]
    wins: Wins


@dataclass(frozen=True, eq=False)
class Preferences:
    """One judge.

    Attributes
    ----------
    declaration : Declaration
    labels : tuple of str
        First, second and tie, as the file names them.
    counts : ndarray of int64, shape (C, 3, 3)
        Reference in rows, judge in columns, in that order.
    rated : ndarray of int64, shape (C,)
        Decisions that both sides rated, answers or not: an abstention and an invalid answer count here alone.
    n_items : int or None
        Items they are on; None for a table of counts.
    pooled : mapping
        Convention to its numbers over all criteria.
    means : mapping
        Convention to the mean over the criteria in which a number is defined; empty for a single criterion.
    criteria : mapping
        Criterion to its numbers by convention.
    """

    judge: str
    declaration: Declaration
    labels: tuple[str, str, str]
    counts: NDArray[np.int64]
    rated: NDArray[np.int64]
    n_items: int | None
    pooled: Mapping[Convention, Preference]
    means: Mapping[Convention, Mapping[str, Estimate]]
    criteria: Mapping[str, Mapping[Convention, Preference]]

    def on(self, convention: Convention, criterion: str | None = None) -> Preference:
        """Return the numbers of one criterion, or over all of them."""
        return self.pooled[convention] if criterion is None else self.criteria[criterion][convention]

    def total(self, criterion: str | None = None) -> int:
        """Return decisions that both sides rated."""
        return int(self.rated.sum() if criterion is None else self.rated[list(self.criteria).index(criterion)])

    @property
    def n_left_out(self) -> int:
        """Decisions on which a side abstained, or gave an invalid answer."""
        return int(self.rated.sum() - self.counts.sum())

    @property
    def n_ties(self) -> int:
        """Decisions on which a side said tie."""
        return int(self.counts.sum() - self.counts[:, :TIE, :TIE].sum())


def preferences(
    ratings: Ratings, judge: str, *, reference: str = "auto", interval: str = "auto", confidence: float = 0.95
) -> Preferences:
    """Return a judge's preferences beside the reference's, under every convention of ties.

    Parameters
    ----------
    ratings : Ratings
        With one label for the first answer (positive), one for the second (negative), and ties or none.
    interval : {"auto", "none"}
        As in `metrics.agreement`; the shares of wins and their difference by the item jackknife.

    Raises
    ------
    InputError
        For labels that are not two answers, an unknown choice, and where no decision has an answer of both sides.
    """
    settings = settings_of(ratings, reference=reference, judges=[judge], interval=interval, confidence=confidence)
    if ratings.scheme.scale != "binary":
        raise InputError(
            f"{ratings.source.name}: preferences need one label for the first answer and one for the second: "
            + flag("--labels", {"A": "positive", "B": "negative", "tie": "tie"}, "say so on the Data page")
        )
    patterns = patterns_of(ratings, judge, settings.reference)
    answered = _answered(ratings, patterns)
    tables = answered.per_criterion()
    if not tables.sum():
        raise InputError(f"{ratings.source.name}: no decision has an answer of the reference and of ‘{judge}’.")
    whole = _Whole(ratings, patterns, settings)
    end = ratings.scheme.end_of_rated
    return Preferences(
        judge=judge,
        declaration=replace(declaration_of(ratings, settings), scale="pairwise"),
        labels=labels_of(ratings),
        counts=tables.astype(np.int64),
        rated=patterns.raw[:, :end, :end].sum((1, 2)),
        n_items=patterns.n_rated(end) if ratings.has_items else None,
        pooled={name: whole.pooled(name) for name in CONVENTIONS},
        means={name: whole.mean(name) for name in CONVENTIONS} if len(ratings.criteria) > 1 else {},
        criteria={
            criterion: {name: whole.criterion(name, place) for name in CONVENTIONS}
            for place, criterion in enumerate(ratings.criteria)
        },
    )


def labels_of(ratings: Ratings) -> tuple[str, str, str]:
    """Return first, second and tie as the file names them."""
    first, second = ratings.scheme.classes
    return first, second, next(iter(ratings.scheme.of("tie")), "tie")


def _answered(ratings: Ratings, patterns: Patterns, *, ties: bool = True) -> Coded:
    """Return the items by the pair of answers on every criterion; without `ties` on two answers."""
    scheme = ratings.scheme
    place = np.full(scheme.n_states, -1)
    place[:2] = 0, 1
    if ties:
        place[scheme.state("tie")] = TIE
    return Coded.placed(patterns, place, 2 + ties)


@dataclass(frozen=True, eq=False)
class _Whole:
    """One judge's items, and the numbers of any convention on them."""

    ratings: Ratings
    patterns: Patterns
    settings: Settings

    def _coded(self, convention: Convention) -> Coded:
        return _answered(self.ratings, self.patterns, ties=convention != "exclude")

    def pooled(self, convention: Convention) -> Preference:
        coded = self._coded(convention)
        return self._preference(convention, coded, coded.per_criterion())

    def criterion(self, convention: Convention, place: int) -> Preference:
        coded = self._coded(convention).criterion(place)
        return self._preference(convention, coded, coded.per_criterion())

    def _preference(self, convention: Convention, coded: Coded, tables: FloatArray) -> Preference:
        counts, functions = tables.sum(0), FUNCTIONS[convention]
        values = {key: float(function(counts)) for key, function in functions.items()}
        intervals = self._intervals(convention, coded, tables, values) if counts.sum() > 1 and self.drawn else {}
        labels = labels_of(self.ratings)[: 2 if convention == "exclude" else 3]
        estimates = {
            key: Estimate(value, intervals.get(key), _why(key, counts, labels) if np.isnan(value) else "")
            for key, value in values.items()
        }
        wins = self._wins(convention, coded, counts)
        return Preference(int(counts.sum()), coded.n_units, counts.astype(np.int64), estimates, wins)

    @property
    def drawn(self) -> bool:
        return self.settings.interval != "none"

    def _intervals(
        self, convention: Convention, coded: Coded, tables: FloatArray, values: Mapping[str, float]
    ) -> dict[str, Interval]:
        counts = tables.sum(0)
        intervals = micro_intervals(Unit(coded, tables, self.settings.confidence), FUNCTIONS[convention], values)
        if convention == "half" and coded.n_units == counts.sum():
            intervals |= self._mean_interval(coded, counts, "accuracy:half", values["accuracy:half"])
        return intervals

    def _mean_interval(self, coded: Coded, counts: FloatArray, key: str, value: float) -> dict[str, Interval]:
        """Return the interval of a mean that is no share of decisions, so that neither Wilson nor Dirichlet stands for it."""
        function = FUNCTIONS["half"][key]
        error = pooled_errors(coded, counts, {key: function})[key]
        return {key: self._interval_of_share(coded, value, error)}

    def _interval_of_share(self, coded: Coded, value: float, error: float) -> Interval:
        """Return the interval of the jackknife; where leaving one out never moves the share, Wilson's."""
        quantile = student(max(coded.n_units - 1, 1), self.settings.confidence)
        wide = interval_around(value, error, "logit", quantile, "jackknife")
        return wide or Interval(*wilson(value * coded.n_units, coded.n_units, self.settings.confidence), "wilson")

    def mean(self, convention: Convention) -> dict[str, Estimate]:
        coded, functions = self._coded(convention), FUNCTIONS[convention]
        tables = coded.per_criterion()
        columns = {key: function(tables) for key, function in functions.items()}
        values = {key: mean_where_defined(column)[0] for key, column in columns.items()}

        def alone(place: int) -> Mapping[str, Interval]:
            criterion_values = {key: float(column[place]) for key, column in columns.items()}
            return (
                self._intervals(convention, coded.criterion(place), tables[[place]], criterion_values)
                if tables[place].sum() > 1
                else {}
            )

        unit = Unit(coded, tables, self.settings.confidence, alone)
        intervals = macro_intervals(unit, functions, values, columns) if self.drawn else {}
        why = "undefined in every criterion"
        return {key: Estimate(value, intervals.get(key), why if np.isnan(value) else "") for key, value in values.items()}

    def _wins(self, convention: Convention, coded: Coded, counts: FloatArray) -> Wins:
        if convention == "half":
            return Wins(*(self._share(coded, counts, side) for side in RATES))
        # The first answer against the second, or against all else: the label rates and their bias, as everywhere.
        own = coded if convention == "exclude" else coded.one_vs_rest(0)
        tables = own.per_criterion()
        functions = {key: BY_KEY[key].function for key in RATES.values()}
        values = {key: float(function(tables.sum(0))) for key, function in functions.items()}
        drawn = self.drawn and tables.sum() > 1
        intervals = micro_intervals(Unit(own, tables, self.settings.confidence), functions, values) if drawn else {}
        shares = (
            Estimate(values[key], intervals.get(key), NO_DECISION if np.isnan(values[key]) else "") for key in RATES.values()
        )
        return Wins(*shares)

    def _share(self, coded: Coded, counts: FloatArray, side: str) -> Estimate:
        function = partial(_won, side=side)
        value = float(function(counts))
        if np.isnan(value):
            return Estimate(value, None, NO_DECISION)
        if not self.drawn or coded.n_units < 2:
            return Estimate(value, None, "")
        tables, units = coded.tables()
        error = float(jackknife_error(function(counts - tables), units))
        if side == "difference":
            quantile = student(coded.n_units - 1, self.settings.confidence)
            return Estimate(value, interval_around(value, error, None, quantile, "jackknife"))
        return Estimate(value, self._interval_of_share(coded, value, error))


def _won(counts: FloatArray, *, side: str) -> FloatArray:
    """Return share of decisions that the first answer wins, a tie being half a win, from (..., K, K)."""
    codes = CODES[: counts.shape[-1]]
    n = counts.sum((-2, -1))
    reference, judge = safe_ratio(counts.sum(-1) @ codes, n), safe_ratio(counts.sum(-2) @ codes, n)
    return {"reference": reference, "judge": judge, "difference": judge - reference}[side]


def _why(key: str, counts: FloatArray, labels: tuple[str, ...]) -> str:
    return why_undefined(record_of(key), counts, labels) or NO_DECISION

"""The level of measurement of every criterion: the one asked for, else what its confirmed scale says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.cautions import FEWEST_OPTIONS
from metrics.analyses.raters.coefficients import agreement_weights
from metrics.analyses.raters.units import Units
from metrics.data.abstention import Mode, mode_labels
from metrics.data.order import MEASUREMENTS, Measurement, levels_of, numbers_of, values_of
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.measures.units import raters_of_other_ends
from metrics.results import words


@dataclass(frozen=True, eq=False)
class Measured:
    """How the labels of some units are taken.

    Attributes
    ----------
    values : ndarray, shape (K,)
        Number each class stands for; see `metrics.data.order.values_of`.
    classes : tuple of str, length K
        Those of the file; of a criterion whose labels alone have an order, its own.
    """

    level: Measurement
    values: FloatArray
    classes: tuple[str, ...]

    @property
    def weighted(self) -> bool:
        """Whether near labels disagree less than those far apart."""
        return self.level != "nominal" and len(self.classes) > 2

    @cached_property
    def partial(self) -> FloatArray:
        """Partial agreement of two labels, shape (K, K), as in AC2: 1 for equal ones, and at the nominal level 0 for others."""
        return agreement_weights(self.values, self.level)


@dataclass(frozen=True, eq=False)
class Levels:
    """Of every criterion, and of all of them together.

    Attributes
    ----------
    pooled : Measured
        Ordinal where every criterion is, on one order of the labels; else nominal.
    """

    pooled: Measured
    criteria: Mapping[str, Measured]

    @property
    def weighted(self) -> bool:
        """Whether near labels disagree less on some criterion."""
        return any(how.weighted for how in self.criteria.values())

    def disagreement(self, units: Units, names: tuple[str, ...]) -> FloatArray:
        """Return disagreement of each unit, shape (n_units,), at the level of its criterion; NaN below two labels.

        Parameters
        ----------
        names : tuple of str
            Criteria by their codes in the units.
        """
        disagreements = np.full(len(units), np.nan)
        for code, name in enumerate(names):
            places, how = np.flatnonzero(units.criterion == code), self.criteria[name]
            disagreements[places] = pair_disagreement(units.at(places).on_classes(how.classes).votes, how.partial)
        return disagreements


def pair_disagreement(votes: NDArray[np.integer[Any]], partial: FloatArray | None = None) -> FloatArray:
    """Return share of the pairs of labels that differ, from votes of shape (..., K); NaN below two votes.

    Parameters
    ----------
    partial : ndarray, shape (K, K), optional
        Partial agreement of two labels, see `Measured.partial`; default: none but of equal ones.
    """
    n = votes.sum(-1).astype(np.float64)
    pairs = np.where(n > 1, n * (n - 1), np.nan)
    agreed = votes * (votes - 1) if partial is None else votes * (votes @ partial - 1)
    return np.asarray(1 - agreed.sum(-1) / pairs, np.float64)


def levels_of_scales(ratings: Ratings, level: Measurement | None = None, mode: Mode = "exclude") -> Levels:
    """Return the level asked for on every criterion.

    Where none is, ordinal on an ordinal scale of three labels or more, else nominal.

    Two labels need no order: every level gives the same number. Answers without a verdict as a class of their own have no place
    in an order, so that mode is nominal.

    Parameters
    ----------
    ratings : Ratings
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Default: what the confirmed scale of each criterion says.
    mode : {"exclude", "as_unmet", "as_category"}
        What an answer without a verdict is.

    Raises
    ------
    InputError
        As `metrics.data.order.values_of`, for a level that was asked for.
    """
    classes, ordered = mode_labels(ratings.scheme, mode), bool(ratings.scheme.order)
    if level is not None:
        asked = Measured(level, _values(ratings, classes, level, ordered), classes)
        return Levels(asked, dict.fromkeys(ratings.criteria, asked))
    nominal = Measured("nominal", values_of(classes, "nominal"), classes)
    if len(classes) < 3 or mode == "as_category":
        return Levels(nominal, dict.fromkeys(ratings.criteria, nominal))
    whole = None
    if "ordinal" in levels_of(classes, ordered=ordered):
        whole = Measured("ordinal", values_of(classes, "ordinal", ordered=ordered), classes)
    ordinal = {name: whole or _by_itself(ratings, name, classes) for name in scales_of(ratings).of("ordinal")}
    every = whole is not None and set(ordinal) == set(ratings.criteria)
    return Levels(
        whole if whole is not None and every else nominal,
        {name: ordinal.get(name) or nominal for name in ratings.criteria},
    )


def confirmed_words(ratings: Ratings, mode: Mode = "exclude") -> str:
    """Return the levels that the confirmed scales say, in a word: "ordinal", "nominal and ordinal"."""
    used = {how.level for how in levels_of_scales(ratings, None, mode).criteria.values()}
    return words.listed([level for level in MEASUREMENTS if level in used])


def _by_itself(ratings: Ratings, name: str, classes: tuple[str, ...]) -> Measured | None:
    """Return the order of the labels of one criterion where all of the file have none.

    None where these have none, or are one.
    """
    rubric = {criterion.name: criterion for criterion in ratings.source.rubric}
    in_use = scales_of(ratings).on(name).classes
    listed = tuple(label for label, _ in rubric[name].options) if name in rubric else in_use
    try:
        values = values_of(listed, "ordinal", ordered=name in rubric)
    except InputError:
        return None
    worth = dict(zip(map(normalise, listed), values.tolist(), strict=True))
    if not {normalise(label) for label in in_use} <= set(worth):
        return None
    kept = tuple(label for label in classes if normalise(label) in worth)
    if len(kept) < 2:
        return None
    return Measured("ordinal", np.array([worth[normalise(label)] for label in kept]), kept)


def _values(ratings: Ratings, classes: tuple[str, ...], level: Measurement, ordered: bool) -> FloatArray:
    try:
        return values_of(classes, level, ordered=ordered)
    except InputError as error:
        raise InputError(f"{ratings.source.name}: {error}") from None


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

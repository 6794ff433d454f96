"""The judgment scale of every criterion: what its labels say, unless somebody stated it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from metrics.asker import answer, worded
from metrics.data.labels import NUMBER, RubricCriterion, Scale
from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.data.vocabulary import Kind, is_number, is_preference, meaning, normalise
from metrics.errors import InputError
from metrics.results.words import count, shorten

__all__ = ["SCALES", "CriterionScale", "Scale", "Scales", "are_scores", "possible_scales", "scale_of_labels", "scales_of"]

SCALES: tuple[Scale, ...] = get_args(Scale)
ALL = "all"
"""Stands for every criterion where a scale is stated."""
TWO_SIDED: tuple[Scale, ...] = ("binary", "pairwise")
"""Scales with a positive and a negative side."""
MOST_STEPS, MOST_FRACTIONS = 11, 20
"""Different numbers of an ordinal scale, as from 0 to 10; of fractions more: quarters from 1 to 5 are 17, halves to 10 are 19."""


@dataclass(frozen=True)
class CriterionScale:
    """The scale of one criterion.

    Attributes
    ----------
    classes : tuple of str
        Labels in use, low to high: negative before positive, in the given order or by their number. On a continuous scale
        the one label that stands for every number.
    why : str
        What in the data speaks for it, or that it was stated: one sentence.
    possible : tuple of Scale
        Scales that the labels allow.
    is_given : bool
        Whether somebody said so.
    ordered : bool
        Whether the labels have an order that was given.
    """

    criterion: str
    scale: Scale
    classes: tuple[str, ...]
    why: str
    possible: tuple[Scale, ...]
    is_given: bool = False
    ordered: bool = False

    @property
    def settled(self) -> bool:
        """Whether somebody stated it or the order, or the labels leave no doubt: two of them, a positive and a negative one."""
        if self.is_given or self.ordered or not self.classes:
            return True
        return self.scale == "binary" and len(self.classes) <= 2 and "pairwise" not in self.possible


@dataclass(frozen=True)
class Scales:
    """The scales of all criteria, in the order of the ratings."""

    criteria: tuple[CriterionScale, ...]

    def of(self, *scales: Scale) -> tuple[str, ...]:
        """Return names of the criteria on any of these scales."""
        return tuple(scale.criterion for scale in self.criteria if scale.scale in scales)

    def on(self, criterion: str) -> CriterionScale:
        """Return the scale of one criterion."""
        return self._by_name[criterion]

    @cached_property
    def _by_name(self) -> dict[str, CriterionScale]:
        return {scale.criterion: scale for scale in self.criteria}

    @cached_property
    def used(self) -> tuple[Scale, ...]:
        """Scales in use, each once, by their first criterion."""
        return tuple(dict.fromkeys(scale.scale for scale in self.criteria))

    @property
    def mixed(self) -> bool:
        """Whether the criteria are on different scales."""
        return len(self.used) > 1

    @property
    def two_sided(self) -> tuple[str, ...]:
        """Criteria with a positive and a negative side: yes/no criteria and preferences."""
        return self.of(*TWO_SIDED)

    @property
    def named_errors(self) -> bool:
        """Whether errors are named by the label given: no criterion asks yes or no, so nothing can be missed."""
        return "binary" not in self.used

    def mixed_words(self) -> str:
        """Return what one table of all criteria does to different scales."""
        scale_texts = "; ".join(f"{scale}: {', '.join(self.of(scale)[:6])}" for scale in self.used)
        return (
            f"The criteria are on different scales ({scale_texts}). Micro and macro "
            "take all labels as classes without an order: read "
            "the criteria one by one, or take those of one scale."
        )

    def declaration(self) -> dict[str, str]:
        """Return criterion to scale, as a declaration carries it."""
        return {scale.criterion: scale.scale for scale in self.criteria}


def scales_of(ratings: Ratings, given: str | Mapping[str, str] | None = None) -> Scales:
    """Return the scale of every criterion: as given here, else as stated when the file was read, else as its labels propose it.

    Parameters
    ----------
    given : str or mapping of criterion to scale, optional
        binary, pairwise, ordinal, continuous or nominal, for all criteria or by name; `all` stands for those not named.

    Raises
    ------
    InputError
        For an unknown scale or criterion, and for a scale that the labels of a criterion do not allow.
    """
    if given is None:
        return memoised(ratings, ("scales",), lambda: _scales(ratings, dict(ratings.scheme.scales)))
    stated = dict(ratings.scheme.scales) | stated_scales(given, ratings.criteria, ratings.source.name)
    return _scales(ratings, stated)


def refuse_scores(ratings: Ratings) -> None:
    """Stop what counts labels where the ratings hold scores in their place.

    Raises
    ------
    InputError
        That names the criteria, and what takes them.
    """
    if not ratings.scheme.of("number") or ratings.scheme.of("number") == ratings.scheme.unused:
        return
    scales = scales_of(ratings)
    scores = scales.of("continuous")
    who = "every criterion is" if len(scores) == len(scales.criteria) else f"{', '.join(map(shorten, scores[:6]))}:"
    others = [name for name in ratings.criteria if name not in scores]
    way = worded("use the command scores", "use metrics.scores", "open the page Scores")
    if others:
        way += ", or take the others" + worded(" with ", " with ", "") + answer("--criteria", others)
    raise InputError(f"{ratings.source.name}: {who} on a continuous scale. This counts labels, and scores are none: {way}.")


def stated_scales(given: str | Mapping[str, str] | None, criteria: Sequence[str], file: str) -> dict[str, Scale]:
    """Return criterion to scale, of those that were stated.

    Parameters
    ----------
    given : str or mapping of criterion to scale, or None
        As in `scales_of`.
    criteria : sequence of str
        All criteria of the ratings.
    file : str
        Name of the file, for an error.

    Raises
    ------
    InputError
        For an unknown scale or criterion.
    """
    wanted = {ALL: given} if isinstance(given, str) else dict(given or {})
    for name, scale in wanted.items():
        if scale not in SCALES:
            raise InputError(f"‘{shorten(scale)}’ (for {shorten(name)}) is no scale. Scales: {', '.join(SCALES)}.")
        if name not in criteria and name != ALL:
            known = ", ".join(shorten(criterion) for criterion in criteria[:12])
            raise InputError(f"{file}: no criterion is called ‘{shorten(name)}’. Criteria: {known}.")
    scale_by_criterion = {name: wanted.get(name, wanted.get(ALL)) for name in criteria}
    return {name: scale for name, scale in scale_by_criterion.items() if scale in SCALES}


def scale_of_labels(
    criterion: str,
    kinds: Sequence[tuple[str, Kind]],
    order: Sequence[str] = (),
    *,
    stated: Scale | None = None,
    numbers: NDArray[np.float64] | None = None,
    read: bool = True,
) -> CriterionScale:
    """Return the scale of a criterion by the labels in use there.

    Parameters
    ----------
    criterion : str
    kinds : sequence of (label, kind)
        Labels in use, those without a verdict too.
    order : sequence of str
        Classes low to high, where given.
    stated : Scale, optional
        What somebody said; whether the labels allow it is not checked here.
    numbers : ndarray, shape (n,), optional
        Numbers that stand behind the label of a continuous scale, NaN where there is none.
    read : bool
        Whether the numbers among the labels were read as labels, which they then are, however many.
    """
    verdict_kinds = [(label, kind) for label, kind in kinds if kind in ("positive", "negative", "class", "number")]
    classes = _low_to_high(verdict_kinds, order)
    possible = possible_scales(kinds, order)
    proposed, why = _proposed(verdict_kinds, kinds, classes, order, numbers, read)
    if stated is None:
        ordered = proposed == "ordinal" and _covered(classes, order)
        return CriterionScale(criterion, proposed, classes, why, possible, ordered=ordered)
    return CriterionScale(criterion, stated, classes, f"Stated. {why}", possible, is_given=True)


def scale_by_rubric(
    criterion: str,
    kinds: Sequence[tuple[str, Kind]],
    order: Sequence[str],
    rubric: RubricCriterion | None,
    *,
    stated: Scale | None,
    numbers: NDArray[np.float64] | None,
    read: bool = True,
) -> CriterionScale:
    """Return the scale of a criterion as stated, else as the rubric in the file has it, else by its labels.

    Parameters
    ----------
    criterion, kinds, order, stated, numbers, read
        As in `scale_of_labels`; an ordinal criterion of the rubric has the order of its options there.
    rubric : RubricCriterion or None
        The criterion in the rubric of the file.
    """
    if rubric is None:
        return scale_of_labels(criterion, kinds, order, stated=stated, numbers=numbers, read=read)
    listed = [label for label, _ in rubric.options] if rubric.scale == "ordinal" else order
    scale = scale_of_labels(criterion, kinds, listed, stated=stated or rubric.scale, numbers=numbers, read=read)
    return scale if stated is not None else replace(scale, why="The rubric in the file says so.")


def possible_scales(kinds: Sequence[tuple[str, Kind]], order: Sequence[str] = ()) -> tuple[Scale, ...]:
    """Return scales that labels allow.

    Ordinal needs numbers, an order of all labels, or more than two of them; continuous needs numbers only. Binary needs that
    every label has a side, or that there are no more than two; pairwise also ties or words of preference. Nominal needs
    nothing.
    """
    verdict_kinds = [(label, kind) for label, kind in kinds if kind in ("positive", "negative", "class", "number")]
    if any(kind == "number" for _, kind in verdict_kinds):
        return ("continuous", "ordinal")
    labels = [label for label, _ in verdict_kinds]
    two = {normalise(label) for label in labels}
    numeric = all(is_number(label) for label in labels)
    sides = all(kind != "class" or _side(label) is not None for label, kind in verdict_kinds) or len(two) <= 2
    ties = [label for label, kind in kinds if kind == "tie"]
    allowed: dict[Scale, bool] = {
        "binary": sides,
        "pairwise": sides and (is_preference([*labels, *ties]) or bool(ties) or not labels),
        "ordinal": numeric or _covered(labels, order) or len(two) > 2,
        "continuous": numeric and bool(labels),
        "nominal": True,
    }
    return tuple(scale for scale in SCALES if allowed[scale])


def _side(label: str) -> Kind | None:
    """Return the side that the vocabulary gives a label that stands as a class among others."""
    known = meaning(label)
    return known.kind if known is not None and known.certain and known.kind in ("positive", "negative") else None


def _covered(labels: Sequence[str], order: Sequence[str]) -> bool:
    """Return whether a given order names all labels."""
    return bool(order) and {normalise(label) for label in labels} <= {normalise(label) for label in order}


def _low_to_high(verdict_kinds: Sequence[tuple[str, Kind]], order: Sequence[str]) -> tuple[str, ...]:
    """Return labels in use, each spelling once."""
    places = {normalise(label): place for place, label in enumerate(order)}
    sides: dict[Kind, int] = {"negative": 0, "positive": 1, "class": 2, "number": 3}
    two_sided = not any(kind == "class" for _, kind in verdict_kinds)

    def rank(pair: tuple[str, Kind]) -> tuple[float, float, float]:
        label, kind = pair
        if normalise(label) in places:
            return (0, places[normalise(label)], 0)
        if two_sided:
            return (1, sides[kind], 0)
        return (2, 0, number_of(label)) if is_number(label) else (3, sides[kind], 0)

    by_spelling: dict[str, str] = {}
    for label, _ in sorted(verdict_kinds, key=rank):
        by_spelling.setdefault(normalise(label), label)
    return tuple(by_spelling.values())


def number_of(label: str) -> float:
    """Return the number that a label spells, with a point or a decimal comma."""
    return float(label.strip().replace(",", "."))


def are_scores(numbers: NDArray[np.float64]) -> bool:
    """Return whether different numbers are more than an ordinal scale has, so that they are proposed as continuous.

    Parameters
    ----------
    numbers : ndarray of float64, shape (n,)
        Each once.
    """
    fractions = 3 * np.count_nonzero(numbers % 1) > len(numbers)
    return len(numbers) > (MOST_FRACTIONS if fractions else MOST_STEPS)


def _proposed(
    verdict_kinds: Sequence[tuple[str, Kind]],
    kinds: Sequence[tuple[str, Kind]],
    classes: tuple[str, ...],
    order: Sequence[str],
    numbers: NDArray[np.float64] | None,
    read: bool,
) -> tuple[Scale, str]:
    """Return scale and reason."""
    if not verdict_kinds:
        return "binary", "It has no verdict."
    if any(kind == "number" for _, kind in verdict_kinds):
        return "continuous", _numbers_text(numbers)
    shown = ", ".join(shorten(label) for label in classes[:6]) + (f" and {len(classes) - 6} more" if len(classes) > 6 else "")
    if not any(kind == "class" for _, kind in verdict_kinds):
        ties = [label for label, kind in kinds if kind == "tie"]
        if is_preference([*classes, *ties]):
            return "pairwise", f"The labels say which of two is better: {', '.join(map(shorten, (*classes, *ties)))}."
        return "binary", f"Its labels are positive or negative: {shown}."
    if {normalise(label) for label in classes} <= {"0", "1"}:
        return "binary", "The only labels are 0 and 1."
    if _covered(classes, order):
        return "ordinal", f"The labels have an order: {shown}."
    if all(is_number(label) for label in classes):
        many = not read and are_scores(np.unique([number_of(label) for label in classes]))
        what = "The only label is a number" if len(classes) == 1 else f"The labels are {len(classes)} different numbers"
        return ("continuous" if many else "ordinal"), f"{what}: {shown}."
    return "nominal", f"The labels are words without an order: {shown}."


def _numbers_text(numbers: NDArray[np.float64] | None) -> str:
    there = np.empty(0) if numbers is None else numbers[~np.isnan(numbers)]
    if not len(there):
        return "It holds numbers."
    return f"It holds {count(len(np.unique(there)))} different numbers from {there.min():.3g} to {there.max():.3g}."


def _scales(ratings: Ratings, stated: Mapping[str, Scale]) -> Scales:
    used, rubric = _in_use(ratings), {criterion.name: criterion for criterion in ratings.source.rubric}
    kinds = [(label, ratings.scheme.kind_of(label)) for label in ratings.labels]
    scales = []
    for place, name in enumerate(ratings.criteria):
        labels = [kinds[code] for code in np.flatnonzero(used[place])]
        numbers = None
        if ratings.score is not None and any(kind == "number" for _, kind in labels):
            numbers = ratings.score[(ratings.criterion == place) & (ratings.label == ratings.labels.index(NUMBER))]
        scale = scale_by_rubric(name, labels, ratings.scheme.order, rubric.get(name), stated=stated.get(name), numbers=numbers)
        if scale.scale not in scale.possible and scale.classes:
            shown = ", ".join(f"‘{shorten(label)}’" for label in scale.classes[:6])
            raise InputError(
                f"{ratings.source.name}: criterion ‘{shorten(name)}’ cannot be {scale.scale}; its labels are {shown}. "
                f"Possible: {', '.join(scale.possible)}."
            )
        scales.append(scale)
    return Scales(tuple(scales))


def _in_use(ratings: Ratings) -> NDArray[np.bool_]:
    """Return which labels occur on which criterion, shape (C, number of labels)."""
    n = len(ratings.labels)
    few = len(ratings.criteria) * n < 1 << 31
    place = (ratings.criterion if few else ratings.criterion.astype(np.int64)) * n + ratings.label
    return np.bincount(place, minlength=len(ratings.criteria) * n).reshape(-1, n) > 0


def with_scales_stated(ratings: Ratings) -> Ratings:
    """Return the ratings with every scale stated that their labels alone leave open.

    Raises
    ------
    InputError
        For a scale that the labels of a criterion do not allow.
    """
    scale_by_criterion = {scale.criterion: scale.scale for scale in scales_of(ratings).criteria if not scale.settled}
    if not scale_by_criterion:
        return ratings
    scheme, source = ratings.scheme, ratings.source
    how = replace(source.how, scale=tuple((dict(source.how.scale) | scale_by_criterion).items()))
    return replace(
        ratings,
        scheme=replace(scheme, scales=tuple((dict(scheme.scales) | scale_by_criterion).items())),
        source=replace(source, how=how),
        memo={},
    )

"""The choices a number rests on, checked against the ratings they are made for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from metrics.abstention import Mode
from metrics.aggregation import ItemRule
from metrics.arrays import FloatArray
from metrics.coefficients import penalties
from metrics.errors import InputError
from metrics.pairs import reference_name
from metrics.ratings import Ratings
from metrics.version import __version__

COSTS = ("nominal", "halfway", "as-negative", "as-positive")
INTERVALS = ("auto", "jackknife", "dirichlet", "wilson", "bootstrap", "bca", "none")


@dataclass(frozen=True)
class Settings:
    """Every choice a number rests on, checked. Hashable, so that it can key a cache."""

    abstention: Mode = "exclude"
    reference: str = "majority"
    judges: tuple[str, ...] = ()
    item_rule: ItemRule = field(default_factory=ItemRule)
    cost: tuple[tuple[float, ...], ...] | None = None
    interval: str = "auto"
    confidence: float = 0.95


def settings_of(
    ratings: Ratings,
    *,
    abstention: str = "exclude",
    reference: str = "majority",
    judges: Sequence[str] | None = None,
    cost: str | ArrayLike | None = None,
    item_rule: str = "all",
    threshold: float | None = None,
    weights: Mapping[str, float] | None = None,
    interval: str = "auto",
    confidence: float = 0.95,
) -> Settings:
    """The choices of `agreement`, checked against the ratings.

    Raises
    ------
    InputError
        See `agreement`.
    """
    if interval not in INTERVALS:
        raise InputError(f"Unknown interval {interval!r}. Use one of: {', '.join(INTERVALS)}.")
    if interval not in ("auto", "none"):
        raise InputError(f"Intervals of the kind {interval!r} are not in version {__version__}. Use auto or none.")
    if not 0 < confidence < 1:
        raise InputError(f"The confidence must lie between 0 and 1, not {confidence}.")
    _check_roles(ratings)
    return Settings(
        abstention=_mode(abstention, ratings),
        reference=reference_name(ratings, reference),
        judges=_judges(judges, ratings),
        item_rule=ItemRule.of(item_rule, threshold, weights, ratings.criteria),
        cost=_cost(cost, abstention, ratings),
        interval=interval,
        confidence=confidence,
    )


def _mode(abstention: str, ratings: Ratings) -> Mode:
    for mode in get_args(Mode):
        if abstention == mode:
            if mode == "as_unmet" and ratings.scheme.scale != "binary":
                raise InputError("as_unmet needs a negative label; these labels are classes. Use exclude or as_category.")
            return mode  # type: ignore[no-any-return]
    raise InputError(f"Unknown abstention mode {abstention!r}. Use one of: {', '.join(get_args(Mode))}.")


def _judges(judges: Sequence[str] | None, ratings: Ratings) -> tuple[str, ...]:
    chosen = tuple([judges] if isinstance(judges, str) else judges or ratings.judges)
    unknown = [name for name in chosen if name not in ratings.judges]
    if unknown:
        raise InputError(f"{ratings.source.name}: no judge is called {unknown[0]!r}. Judges: {', '.join(ratings.judges[:12])}.")
    return chosen


def _cost(cost: str | ArrayLike | None, abstention: str, ratings: Ratings) -> tuple[tuple[float, ...], ...] | None:
    """The cost matrix in the order positive, negative, abstention."""
    if cost is None:
        return None
    if abstention != "as_category" or ratings.scheme.scale != "binary":
        raise InputError("A cost matrix weighs three classes. Use it with the abstention mode as_category on a binary scale.")
    if isinstance(cost, str):
        if cost not in COSTS:
            raise InputError(f"Unknown cost {cost!r}. Use one of {', '.join(COSTS)}, or nine numbers such as 0,1,1;1,0,1;1,1,0.")
        slide = {"halfway": 0.5, "as-negative": 0.0, "as-positive": 1.0}
        matrix = penalties(3, None) if cost == "nominal" else slide_cost(slide[cost])
    else:
        try:
            matrix = penalties(3, cost)
        except ValueError as error:
            raise InputError(f"The cost matrix cannot be used: {error}.") from None
    return tuple(tuple(float(cell) for cell in row) for row in matrix)


def slide_cost(s: float) -> FloatArray:
    """Cost with an abstention s of the way from "as good as negative" (0) to "as good as positive" (1), shape (3, 3)."""
    return np.array([[0.0, 1.0, 1 - s], [1.0, 0.0, s], [1 - s, s, 0.0]])


def _check_roles(ratings: Ratings) -> None:
    name = ratings.source.name
    unknown = [rater.name for rater in ratings.raters if rater.role is None]
    if unknown and not (ratings.humans and ratings.judges):
        raise InputError(
            f"{name}: whether ‘{unknown[0]}’ is a human or a judge is not known. Add a column role with human or judge, "
            f'or say it: --columns "role:{unknown[0]}=human"'
        )
    for role, found, other in (("human", ratings.humans, ratings.judges), ("judge", ratings.judges, ratings.humans)):
        if not found:
            who = other[0] if other else "nobody"
            raise InputError(
                f"{name}: no {role} is among the raters; rows come from {who!r}. Agreement needs a human and a judge."
            )

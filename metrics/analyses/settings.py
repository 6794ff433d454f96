"""The choices a number rests on, checked against the ratings they are made for, and declared with the data in every export."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.cautions import tuned_items
from metrics.analyses.item_weights import column_of, item_weights
from metrics.analyses.records import Declaration
from metrics.asker import worded
from metrics.data.abstention import MODES, Mode
from metrics.data.aggregation import ItemRule
from metrics.data.arguments import checked_arguments, one_of
from metrics.data.nonverdicts import Handlings, handled, handling_of, refuse_recoding
from metrics.data.pairs import one_human_each, reference_name
from metrics.data.ratings import Ratings, named_judges, one_or_several
from metrics.data.scales import refuse_scores, scales_of
from metrics.errors import InputError
from metrics.intervals.bootstrap import Drawn
from metrics.intervals.cluster import clusters_of
from metrics.intervals.methods import PLACES, Sampling
from metrics.measures.cost_matrices import Cost, cost_of
from metrics.readers.role_doubts import nobody_says
from metrics.results import words
from metrics.version import __version__

INTERVALS = ("auto", "jackknife", "dirichlet", "wilson", "bootstrap", "bca", "none")
DRAWN = ("bootstrap", "bca")
LEAST, MOST = 100, 100_000
"""Replicates of a bootstrap."""
# Names that a sentence lists.
MOST_NAMED = 6


@dataclass(frozen=True)
class Settings:
    """Every choice a number rests on, checked. Hashable, so that it can key a cache.

    Attributes
    ----------
    handling : tuple of (kind, handling) or None
        None: as in the scheme of the ratings.
    """

    abstention: Mode = "exclude"
    reference: str = "auto"
    judges: tuple[str, ...] = ()
    item_rule: ItemRule = field(default_factory=ItemRule)
    cost: Cost | None = None
    interval: str = "auto"
    confidence: float = 0.95
    unit: str = "item"
    replicates: int = 2000
    seed: int | np.random.Generator = 0
    handling: Handlings | None = None

    def on(self, ratings: Ratings) -> Ratings:
        """Return the ratings with the handling of these choices."""
        return handled(ratings, self.handling)

    @property
    def by_column(self) -> bool:
        """The unit is a column of the file."""
        return self.unit not in PLACES

    @property
    def asked_confidence(self) -> float | None:
        """Confidence of the intervals; None where none were asked for."""
        return None if self.interval == "none" else self.confidence

    @property
    def sampling(self) -> Sampling | None:
        """The bootstrap asked for, if any."""
        if self.interval not in DRAWN:
            return None
        drawn: Drawn = next((place for place in PLACES if place == self.unit), "cluster")
        return Sampling(self.interval, drawn, self.replicates, self.seed, self.confidence)

    def keywords(self) -> dict[str, Any]:
        """Return the choices by the names under which `settings_of` takes them."""
        rule = self.item_rule
        return {
            "abstention": self.abstention, "reference": self.reference, "judges": self.judges, "item_rule": rule.rule,
            "threshold": rule.threshold, "weights": dict(rule.weights), "cost": self.cost, "interval": self.interval,
            "unit": self.unit, "replicates": self.replicates, "confidence": self.confidence, "rng": self.seed,
            "handling": {str(kind): str(how) for kind, how in self.handling or ()},
        }  # fmt: skip

    def interval_record(self, ratings: Ratings) -> dict[str, object]:
        """Return what the declaration says about the intervals."""
        out: dict[str, object] = {"method": self.interval, "unit": self.unit, "confidence": self.confidence, "seed": None}
        if not ratings.has_items and self.unit == "item":
            out["unit"] = "decision"
        if self.interval in DRAWN:
            out |= {"seed": self.seed if isinstance(self.seed, int) else str(self.seed), "replicates": self.replicates}
        return out


def settings_of(
    ratings: Ratings,
    *,
    abstention: str = "exclude",
    reference: str = "auto",
    judges: Sequence[str] | None = None,
    cost: str | ArrayLike | None = None,
    item_rule: str = "all",
    threshold: float | None = None,
    weights: Mapping[str, float] | None = None,
    interval: str = "auto",
    unit: str = "item",
    replicates: int = 2000,
    confidence: float = 0.95,
    rng: int | np.random.Generator | None = None,
    handling: Mapping[str, str] | None = None,
    scores: bool = False,
) -> Settings:
    """Return the choices of `agreement`, checked against the ratings.

    Parameters
    ----------
    scores : bool
        Whether numbers may stand in the place of labels.

    Raises
    ------
    InputError
        See `agreement`.
    """
    mode = one_of("abstention mode", abstention, MODES)
    asked = Settings(
        abstention=mode,
        reference=reference,
        judges=one_or_several(judges),
        interval=interval,
        confidence=confidence,
        unit=unit,
        replicates=replicates,
        handling=None if handling is None else tuple(handling.items()),  # type: ignore[arg-type]
    )
    return replace(
        checked(ratings, asked, scores=scores),
        item_rule=ItemRule.of(item_rule, threshold, _weights(weights, ratings), ratings.criteria),
        cost=_cost(cost, abstention, ratings),
        replicates=int(replicates),
        seed=_seed(rng),
    )


def chosen(ratings: Ratings, function: str, choices: Mapping[str, Any]) -> Settings:
    """Return the choices of `agreement` that a function takes beside its own arguments, checked as they are there.

    Parameters
    ----------
    ratings : Ratings
    function : str
        Whose they are.
    choices : mapping of str to Any

    Raises
    ------
    TypeError
        For a name that `agreement` does not have either.
    InputError
        See `agreement`.
    """
    unknown = [name for name in choices if name not in CHOICES]
    if unknown:
        raise TypeError(f"{function}() got an unexpected keyword argument {unknown[0]!r}")
    _, taken = checked_arguments(settings_of, (), choices)
    return settings_of(ratings, **taken)


CHOICES = frozenset(inspect.signature(settings_of).parameters) - {"ratings", "scores"}


def checked(ratings: Ratings, settings: Settings, *, scores: bool = False) -> Settings:
    """Return settings checked against the ratings, with reference, judges and unit by their names there.

    Parameters
    ----------
    scores : bool
        Whether numbers may stand in the place of labels.

    Raises
    ------
    InputError
        See `metrics.agreement`.
    """
    _check_interval(settings.interval, settings.unit, settings.replicates, settings.confidence)
    _check_roles(ratings)
    if not scores:
        refuse_scores(ratings)
    unit = _unit(ratings, settings.interval, settings.unit)
    refuse_recoding(ratings, settings.abstention)
    reference = reference_name(ratings, settings.reference)
    handling = handling_of(None if settings.handling is None else dict(settings.handling), ratings.scheme, settings.abstention)
    return replace(
        settings,
        unit=unit,
        reference=reference,
        judges=named_judges(ratings, settings.judges or ratings.judges),
        handling=handling,
    )


def _weights(given: Mapping[str, float] | None, ratings: Ratings) -> Mapping[str, float] | None:
    """Return the weights as given, else as the file's rubric has them, where they make a rule."""
    rubric_weights = ratings.rubric_weights
    return rubric_weights if given is None and max(rubric_weights.values(), default=0.0) > 0 else given


def _check_interval(interval: str, unit: str, replicates: int, confidence: float) -> None:
    one_of("interval", interval, INTERVALS)
    if not 0 < confidence < 1:
        raise InputError(f"The confidence must lie between 0 and 1, not {confidence}.")
    if unit in PLACES[1:] and interval not in (*DRAWN, "none"):
        raise InputError(f"The unit {unit} is one for draws. Use it with the interval bootstrap or bca, not {interval}.")
    if unit != "item" and interval in ("dirichlet", "wilson"):
        raise InputError(f"The interval {interval} takes every decision on its own. Use it with the unit item, not {unit}.")
    if interval in DRAWN and not (isinstance(replicates, (int, np.integer)) and LEAST <= replicates <= MOST):
        raise InputError(f"The number of replicates must be between {LEAST} and {MOST}, not {replicates}.")


def _unit(ratings: Ratings, interval: str, unit: str) -> str:
    """Return the unit, a column by its name in the file."""
    name = ratings.source.name
    if interval == "none":
        return unit
    if unit == "criterion" and len(ratings.criteria) < 2:
        raise InputError(f"{name}: criteria can be drawn only where there are two or more. Use the unit item.")
    if unit == "item" and interval not in ("dirichlet", "wilson"):
        unit = ratings.source.together or unit
    return unit if unit in PLACES else clusters_of(ratings, unit).column


def _seed(rng: int | np.random.Generator | None) -> int | np.random.Generator:
    if rng is None or isinstance(rng, np.random.Generator):
        return 0 if rng is None else rng
    if isinstance(rng, bool) or not isinstance(rng, (int, np.integer)) or rng < 0:
        raise InputError(f"The seed must be a whole number from 0, or a numpy Generator, not {rng!r}.")
    return int(rng)


def _cost(cost: str | ArrayLike | None, abstention: str, ratings: Ratings) -> Cost | None:
    """Return the cost matrix in the order positive, negative, abstention."""
    if cost is None:
        return None
    if abstention != "as_category" or ratings.scheme.scale != "binary":
        raise InputError("A cost matrix weighs three classes. Use it with the abstention mode as_category on a binary scale.")
    return cost_of(cost)


def _raters() -> str:
    """Return where raters of one role are compared."""
    return worded("use the command raters", "use metrics.raters", "open the page “Do the people agree?”")


def _check_roles(ratings: Ratings) -> None:
    name = ratings.source.name
    unknown = [rater.name for rater in ratings.raters if rater.role is None]
    if unknown and not (ratings.humans and ratings.judges):
        raise InputError(f"{name}: {nobody_says(unknown, a_judge=not ratings.judges)}")
    for role, raters, other in (("human", ratings.humans, ratings.judges), ("judge", ratings.judges, ratings.humans)):
        if not raters:
            who = words.named(other, MOST_NAMED) if other else "nobody"
            alone = f" For their agreement with each other {_raters()}." if len(other) > 1 else ""
            raise InputError(
                f"{name}: no {role} is among the raters; rows come from {who}. Agreement needs a human and a judge.{alone}"
            )


def weighted_declaration(ratings: Ratings, settings: Settings) -> Declaration:
    """Return the declaration of numbers beside which those by the weights of items stand, where the file has any."""
    used = "" if item_weights(ratings) is None else column_of(ratings)
    declared = declaration_of(ratings, settings)
    return replace(declared, weights=used, weights_unused="" if used else declared.weights_unused)


def declaration_of(ratings: Ratings, settings: Settings) -> Declaration:
    """Return the choices and the data behind every number of a report in which every decision counts once."""
    ratings = settings.on(ratings)
    scales, tuned = scales_of(ratings).declaration(), tuned_items(ratings)
    return Declaration(
        file=ratings.source.name,
        sha256=ratings.source.sha256,
        metrics_version=__version__,
        scale=ratings.scheme.scale,
        abstention=settings.abstention,
        labels=ratings.scheme.to_dict(),
        n_items=ratings.n_items if ratings.has_items else None,
        criteria=ratings.criteria,
        judges=settings.judges,
        reference=settings.reference,
        item_rule=settings.item_rule.to_dict(),
        interval=settings.interval_record(ratings),
        rows_read=ratings.source.rows,
        rows_used=ratings.rows_used,
        left_out=ratings.left_out.counts(),
        handling=dict(ratings.scheme.handling),
        panels={panel.name: panel.declaration() for panel in ratings.source.panels if panel.name in settings.judges},
        runs=ratings.source.runs,
        tally={"kinds": ratings.n_unique, "items": ratings.n_items} if ratings.source.tallied else {},
        one_human_each=one_human_each(ratings, settings.reference),
        joined={} if ratings.source.join is None else ratings.source.join.to_dict(),
        weights_unused=column_of(ratings),
        tuning={} if tuned is None else tuned.to_dict(),
        where=ratings.source.how.where,
        threshold=ratings.source.how.threshold_words,
        scales={} if set(scales.values()) <= {ratings.scheme.scale} else scales,
    )

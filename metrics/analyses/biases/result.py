"""Results of biases: each an effect with its interval, what it may be confounded with, and the items that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from metrics.analyses.biases.within_labels import Effect
from metrics.analyses.preferences.positions import Positions
from metrics.analyses.records import Declaration
from metrics.measures.exact_tests import holm
from metrics.results.report import Json, Report, ends_or_none, or_none

Kind = Literal["length", "source", "kinship"]
LEVEL = 0.05
"""Corrected p up to which an effect is told."""


@dataclass(frozen=True)
class Bias:
    """One property of answers that may pull a judge.

    Attributes
    ----------
    kind : {"length", "source", "kinship"}
    column : str
        Of the file.
    value : str
        Of the source that is compared with all others, or the family that judge and answers share; empty of a length.
    effect : Effect
        Change of the share of positive verdicts, or of the mean label, at the same human label: for each doubling of the length,
        or against all other answers.
    errors : Effect
        The same of the share of errors.
    n_tested : int
        Sources among which this one lies furthest from the others; p of the effect is corrected for them.
    confounded : tuple of (str, float)
        Columns that go with the property, and the share of its variance that they explain.
    held : Effect or None
        The effect where the first of them is held as well; None where there is none.
    items : tuple of str
        Items that show it: errors in the direction of the effect, the furthest first.
    pairwise : bool
        Whether the judge chose between two answers, and the property is that of one against the other.
    people : Effect or None
        Of two answers, how people themselves prefer by the property.
    beyond : Effect or None
        How much more the judge's share changes with the property than that of people; None of two answers, of which `effect` is
        that.
    weighted, weighted_beyond : Effect or None
        `effect` and `beyond` with every item by its weight; None where the file has no weights.
    on : tuple of (str, Effect)
        Of several criteria those that show an effect by themselves that way (Holm), the largest first; empty of one, and of two
        answers.
    n_criteria : int
        Criteria it is over.
    """

    kind: Kind
    column: str
    value: str
    effect: Effect
    errors: Effect
    n_tested: int = 1
    confounded: tuple[tuple[str, float], ...] = ()
    held: Effect | None = None
    items: tuple[str, ...] = ()
    pairwise: bool = False
    people: Effect | None = None
    beyond: Effect | None = None
    weighted: Effect | None = None
    weighted_beyond: Effect | None = None
    on: tuple[tuple[str, Effect], ...] = ()
    n_criteria: int = 1

    @property
    def significant(self) -> bool:
        """Whether interval and p, corrected for the sources, exclude that there is no effect."""
        return bool(self.effect.estimate.sign) and self.effect.p <= LEVEL

    @property
    def told(self) -> bool:
        """Whether there is an effect, and errors in people's labels alone do not make it."""
        return self.significant and (self.beyond is None or self.beyond.estimate.sign == self.effect.estimate.sign)

    def to_dict(self) -> Json:
        return {
            "kind": self.kind, "column": self.column, "value": self.value or None, **_of(self.effect),
            "errors": _of(self.errors), "n_tested": self.n_tested,
            "confounded": [{"column": column, "explains": share} for column, share in self.confounded],
            "held": None if self.held is None else _of(self.held), "items": list(self.items),
            **({} if self.people is None else {"people": _of(self.people)}),
            **({} if self.beyond is None else {"beyond_people": _of(self.beyond)}),
            **({} if self.weighted is None else {"weighted": _of(self.weighted)}),
            **({} if self.weighted_beyond is None else {"weighted_beyond_people": _of(self.weighted_beyond)}),
            **({"on": {criterion: _of(effect) for criterion, effect in self.on}} if self.on else {}),
        }  # fmt: skip


def told_together(biases: Sequence[Bias]) -> tuple[Bias, ...]:
    """Return the biases of a judge that are told with p corrected for all properties looked at (Holm): those to be named."""
    corrected = holm([bias.effect.p for bias in biases])
    return tuple(bias for bias, p in zip(biases, corrected, strict=True) if bias.told and p <= LEVEL)


def _of(effect: Effect) -> Json:
    estimate = effect.estimate
    return {
        "effect": or_none(estimate.value), "interval": ends_or_none(estimate.ends), "p": or_none(effect.p),
        "n_items": effect.n_items, "undefined": estimate.why or None,
    }  # fmt: skip


@dataclass(frozen=True, eq=False)
class BiasReport(Report):
    """What sways each judge.

    Attributes
    ----------
    declaration : Declaration
    positive : str
        The label whose share is looked at.
    judges : mapping of str to tuple of Bias
    why : str
        Why nothing could be looked at; empty where something could.
    positions : mapping of str to Positions
        What the order of two answers does to each judge; empty where the file has the verdicts of one order alone.
    scale : str
        The scale that mean labels are on, in words; empty where effects are shares.
    two_scales : mapping of str to str
        Judges who may use another scale than the reference, and why: nothing is measured of them.
    """

    TEXT, OF = "analyses.biases.readings", "biases"

    declaration: Declaration
    positive: str
    judges: Mapping[str, tuple[Bias, ...]]
    why: str = ""
    positions: Mapping[str, Positions] = field(default_factory=dict)
    scale: str = ""
    two_scales: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> Json:
        """Return the JSON object of the command `biases`."""
        orders = {
            name: {
                "n": one.n, "consistent": one.consistent.count, "changed": one.first_place.total, "first": one.first_place.count,
            }
            for name, one in self.positions.items()
        }  # fmt: skip
        return {
            "version": 1,
            "declaration": self.declaration.to_dict(),
            "positive": None if self.scale else self.positive,
            **({"scale": self.scale.strip()} if self.scale else {}),
            **({"two_scales": dict(self.two_scales)} if self.two_scales else {}),
            "judges": {name: [bias.to_dict() for bias in biases] for name, biases in self.judges.items()},
            "undefined": self.why or None,
            **({"positions": orders} if orders else {}),
        }

"""Results of `metrics.raters`: a block per criterion and one over all, with one way out to JSON, a table and a text."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from metrics.analyses.comparison.margin import Held
from metrics.analyses.raters.ceiling import Ceiling
from metrics.analyses.raters.gate import Bands, Gate, On
from metrics.analyses.raters.pairwise import MIN_SHARED, Pairs
from metrics.analyses.records import Declaration, Warn, plain_numbers
from metrics.data.order import Measurement
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.measures.metric import Metric, Place, not_of_counts
from metrics.results import words
from metrics.results.estimate import Estimate, Part, means_of
from metrics.results.report import OverCriteria, Report, or_none

Json = dict[str, Any]


WEIGHTED = "mean_pairwise_weighted_kappa"
NOWHERE: Mapping[Place, int] = {}


def _of_votes(
    key: str,
    name: str,
    symbol: str,
    answers: str,
    source: str,
    low: float = -1.0,
    places: Mapping[Place, int] = NOWHERE,
    formula: str = "",
) -> Metric:
    look: dict[str, Any] = {"transform": "fisher", "places": places, "formula": formula}
    return Metric(key, name, symbol, not_of_counts, answers, source, "beyond chance", "any", "votes", low, **look)


STATISTICS: dict[str, Metric] = {
    record.key: record
    for record in (
        _of_votes(
            "alpha", "Krippendorff's α", "α",
            "Agreement of any number of raters beyond chance, at the level of the labels; missing labels are allowed.",
            "Krippendorff (2011), https://repository.upenn.edu/asc_papers/43", -np.inf, {"raters headline": 10},
            formula="1 − D_o / D_e, distances of labels on one item and of any two labels",
        ),
        _of_votes(
            "fleiss_kappa", "Fleiss' κ", "Fleiss’ κ",
            "Agreement beyond chance of equally many raters of every item, who need not be the same people.",
            "Fleiss (1971), doi:10.1037/h0031619",
            formula="(P̄ − P_e) / (1 − P_e), P̄ the equal pairs of an item, P_e = Σ p², p the share of a label",
        ),
        _of_votes(
            WEIGHTED, "Mean of κ with quadratic weights over pairs of raters", "mean κ quadratic",
            "How well two raters agree on ordered labels, on average over the pairs who share enough items.",
            "Light (1971), doi:10.1037/h0031643; Cohen (1968), doi:10.1037/h0026256", places={"raters headline": 20},
            formula="mean over pairs of raters of κ with quadratic weights",
        ),
        _of_votes(
            "mean_pairwise_kappa", "Mean of Cohen's κ over pairs of raters", "mean κ",
            "How well two raters agree beyond chance, on average over the pairs who share enough items.",
            "Light (1971), doi:10.1037/h0031643", places={"raters headline": 30},
            formula="mean over pairs of raters of κ",
        ),
        _of_votes(
            "mean_pairwise_phi", "Mean over pairs of raters of φ, with more than two labels of R_K", "mean φ",
            "How well the labels of one rater go with those of another, on average over the pairs who share enough items.",
            "Matthews (1975), doi:10.1016/0005-2795(75)90109-9",
            formula="mean over pairs of raters of φ, with more than two labels of R_K",
        ),
        _of_votes(
            "gwet_ac1", "Gwet's AC1", "AC1", "Agreement beyond a chance that shrinks as one label gets rare.",
            "Gwet (2008), doi:10.1348/000711006X126600", places={"raters headline": 50},
            formula="(P̄ − P_e) / (1 − P_e), P_e = Σ p · (1 − p) / (K − 1), p the share of a label",
        ),
        _of_votes(
            "gwet_ac2", "Gwet's AC2", "AC2", "As AC1, where near labels count as part of an agreement.",
            "Gwet (2014), ISBN 978-0-9708062-8-4", places={"raters headline": 40},
            formula="(P̄ − P_e) / (1 − P_e), pairs by their weight w, P_e = Σ w · Σ p · (1 − p) / (K · (K − 1))",
        ),
        Metric(
            "percent_agreement", "Percent agreement", "agreement", not_of_counts,
            "Share of the pairs of labels on one item that are equal.", "share of equal pairs",
            "agreement", "any", "votes", transform="logit", unit="%", small_table="share", places={"raters headline": 60},
            formula="equal pairs of labels on one item / pairs",
        ),
    )
}  # fmt: skip
MEAN_KAPPAS = {WEIGHTED: "Mean κ quadratic of pairs", "mean_pairwise_kappa": "Mean κ of pairs"}
"""Short names of the two."""

AT_LEVEL = ("alpha", WEIGHTED, "gwet_ac2")
"""Statistics that take labels at the level of the block; the others take them as nominal."""


@dataclass(frozen=True, eq=False)
class WeightedRaters:
    """Agreement in which every item counts by its weight.

    Attributes
    ----------
    column : str
    n_items : int
        With a unit that has two labels or more.
    n_effective : float
        Items of equal weight that would say as much (Kish).
    estimates : mapping of str to Estimate
        By the keys of the block.
    gate : Gate
        On these numbers.
    """

    column: str
    n_items: int
    n_effective: float
    estimates: Mapping[str, Estimate]
    gate: Gate

    def to_dict(self) -> Json:
        """Return it JSON-ready, undefined numbers null."""
        return {
            "column": self.column, "n_items": self.n_items, "n_effective": self.n_effective,
            **plain_numbers(self.estimates), "gate": self.gate.to_dict(),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class RaterBlock(Part):
    """Agreement among raters on one criterion or on all; a unit is one criterion of one item.

    Attributes
    ----------
    classes : tuple of str
        Labels that count, in the order of the verdict axis.
    raters : tuple of str
        All of the role; `pairs` names them by their place here.
    n_raters, n_items, n_ratings : int
        Raters with a label here, units with one, and the labels.
    n_pairable : int
        Units with two labels or more.
    level : str
        Of alpha and AC2.
    unit : {"items", "decisions"}
        What the units are, in words: decisions where criteria are pooled.
    asked : bool
        Whether intervals were asked for; a value without one then has the reason.
    fleiss_n_items, fleiss_n_ratings : int
        Units on which Fleiss' kappa rests, and how many ratings each of them has.
    mean_of : mapping
        Key of a mean to the number of pairs it is the mean of.
    complete : bool
        Every rater labelled every unit.
    rates : tuple of mapping
        Per rater the share of each label among what that rater gave; NaN where nothing.
    weighted : WeightedRaters or None
        The same with every item by its weight; None where the file has no weights, or no unit has two labels.
    """

    classes: tuple[str, ...]
    raters: tuple[str, ...]
    n_raters: int
    n_items: int
    n_ratings: int
    n_pairable: int
    level: Measurement
    unit: Literal["items", "decisions"]
    asked: bool
    fleiss_n_items: int
    fleiss_n_ratings: int
    mean_of: Mapping[str, int]
    pairs: Pairs
    complete: bool
    rates: tuple[Mapping[str, float], ...]
    gate: Gate
    weighted: WeightedRaters | None = None

    def __getitem__(self, key: str) -> Estimate:
        """Return a statistic with its interval, and with the floor that it is compared with."""
        estimate = super().__getitem__(key)
        return replace(estimate, line=self.gate.line) if key == self.judged else estimate

    @property
    def judged(self) -> str:
        """Key of the statistic that the gate is on."""
        return judged_of(self.gate.on, self.values)

    @property
    def mean_kappa(self) -> str:
        """Key of the mean κ of pairs that fits the level."""
        return judged_of("kappa", self.values)

    @property
    def pair_kappa(self) -> FloatArray:
        """That κ of every pair of raters, shape (P,)."""
        return self.pairs.weighted_kappa if self.mean_kappa == WEIGHTED else self.pairs.kappa

    @property
    def kappa_symbol(self) -> str:
        """That κ in a word: "κ", "κ quadratic"."""
        return STATISTICS[self.mean_kappa].symbol.removeprefix("mean ")

    def level_of(self, key: str) -> Measurement:
        """Return the level at which a statistic takes labels; quadratic weights count places in the order."""
        return "ordinal" if key == WEIGHTED else self.level if key in AT_LEVEL else "nominal"

    def symbol(self, key: str) -> str:
        """Return a statistic in a word; with more than two labels the correlation of two raters is R_K, which φ is with two."""
        return "mean R_K" if key == "mean_pairwise_phi" and len(self.classes) > 2 else STATISTICS[key].symbol

    def to_dict(self) -> Json:
        notes = {key: interval.note for key, interval in self.intervals.items() if interval.note}
        notes |= {
            key: f"no interval: {estimate.no_interval}"
            for key, estimate in sorted(self.estimates.items())
            if estimate.no_interval
        }
        return {
            "n_items": self.n_items, "n_raters": self.n_raters, "n_ratings": self.n_ratings, "n_pairable": self.n_pairable,
            "labels": list(self.classes), "complete": self.complete, "level": self.level,
            **{key: or_none(value) for key, value in self.values.items()},
            "fleiss_n_items": self.fleiss_n_items, "fleiss_n_ratings": self.fleiss_n_ratings,
            "mean_of_pairs": dict(self.mean_of),
            **self.interval_fields(asked=self.asked),
            **({"interval_notes": notes} if notes else {}),
            "undefined": dict(self.undefined),
            "pairs": list(self.pair_rows()),
            "gate": {**self.gate.to_dict(), "statistic": self.judged},
            **({} if self.weighted is None else {"weighted": self.weighted.to_dict()}),
        }  # fmt: skip

    def pair_rows(self) -> Iterator[Json]:
        """Yield one record per pair of raters that share a unit; undefined numbers are None."""
        pairs = self.pairs
        numbers = {} if pairs.penalty is None else {QUADRATIC_KAPPA.key: pairs.weighted_kappa}
        numbers |= {"kappa": pairs.kappa, "phi": pairs.phi, "percent_agreement": pairs.agreement}
        for place, (a, b, n) in enumerate(zip(pairs.a.tolist(), pairs.b.tolist(), pairs.n.tolist(), strict=True)):
            values = {key: or_none(float(column[place])) for key, column in numbers.items()}
            yield {"a": self.raters[a], "b": self.raters[b], "n": n, **values}


@dataclass(frozen=True, eq=False)
class AgainstPeople:
    """A judge against what a human left out reaches, held to a margin.

    Attributes
    ----------
    ceiling : Ceiling
    held : Held
    p_holm : float
        That it is worse by the margin, with Holm's correction for the judges held to it; NaN where that cannot be told.
    """

    ceiling: Ceiling
    held: Held
    p_holm: float = math.nan

    @property
    def non_inferior(self) -> bool:
        """Whether it holds the margin after the correction."""
        return self.held.holds and self.p_holm <= (1 - self.ceiling.confidence) / 2

    def to_dict(self) -> Json:
        """Return it JSON-ready."""
        return self.ceiling.to_dict() | {"margin": self.held.to_dict() | {"p_holm": or_none(self.p_holm)}}


@dataclass(frozen=True, eq=False)
class RatersReport(OverCriteria[RaterBlock], Report):
    """How far raters of one role agree with each other, on every criterion and on all.

    Attributes
    ----------
    pooled : RaterBlock
        All criteria together, each of its units a criterion of an item; with several criteria never shown without `mean`.
    criteria : mapping
        Criterion to block, in the order of the file.
    level : str
        Of `pooled`; each criterion has its own.
    margins : tuple of AgainstPeople
        Each judge on all decisions; empty where no margin was stated.
    """

    TEXT, OF = "analyses.raters.tables", "raters"

    declaration: Declaration
    role: str
    raters: tuple[str, ...]
    level: Measurement
    bands: Bands
    pooled: RaterBlock
    criteria: Mapping[str, RaterBlock]
    warnings: tuple[Warn, ...] = ()
    margins: tuple[AgainstPeople, ...] = ()

    def only(self, criterion: str | None) -> RatersReport:
        """Return the report as of a file with this criterion alone; unchanged for None."""
        if criterion is None:
            return self
        block = self.criteria[criterion]
        return replace(self, pooled=block, criteria={criterion: block}, warnings=())

    @property
    def levels(self) -> tuple[Measurement, ...]:
        """Levels of the criteria, each once."""
        return tuple(dict.fromkeys(block.level for block in self.criteria.values()))

    @property
    def gate_symbol(self) -> str:
        """What the gate is on, in a word for all criteria: "α", "mean κ quadratic"."""
        symbols = dict.fromkeys(STATISTICS[block.judged].symbol for block in self.criteria.values())
        return next(iter(symbols)) if len(symbols) == 1 else "mean κ, quadratic where labels are ordered"

    def level_words(self, criterion: str | None = None) -> str:
        """Return the level of α: "α at the ordinal level".

        Where criteria are at several levels, which are at another than the whole.
        """
        level = self.block(criterion).level
        others = [name for name, block in self.criteria.items() if block.level != level] if criterion is None else []
        start = f"α at the {level} level"
        if not others:
            return start
        names = words.named(others)
        return f"{start}, on {names} alone at the {self.criteria[others[0]].level} level"

    def mean(self, key: str) -> Estimate:
        """Return mean of a statistic over the criteria where it is defined, NaN where nowhere."""
        return means_of(tuple(self.criteria.values()), (key,))[key]

    def by_need(self) -> list[str]:
        """Return criteria by their need for attention: failing, in doubt, passing; in each the weakest first."""
        rank = {"fails": 0, "undecided": 1, "passes": 2}

        def need(name: str) -> tuple[int, float]:
            block = self.criteria[name]
            value = block.values[block.judged]
            return rank[block.gate.verdict], math.inf if math.isnan(value) else value

        return sorted(self.criteria, key=need)

    def to_dict(self) -> Json:
        """Return the JSON object of the command line: no NaN, undefined numbers null with a reason."""
        declared = {
            key: value for key, value in self.declaration.to_dict().items() if key not in ("reference", "item_rule", "judges")
        }
        declared |= {"role": self.role, "raters": list(self.raters), "level": self.level, "gate": asdict(self.bands)}
        declared["gate"] |= {"floor": self.bands.line, "edges": list(self.bands.edges), "words": list(self.bands.words)}
        means = means_of(tuple(self.criteria.values()), self.pooled.values)
        return {
            "version": 1,
            "declaration": declared,
            "criteria": {name: block.to_dict() for name, block in self.blocks()},
            "mean_over_criteria": {key: or_none(estimate.value) for key, estimate in means.items()}
            | {"defined": {key: list(estimate.of or ()) for key, estimate in means.items()}},
            "warnings": [asdict(warning) for warning in self.warnings],
            **({"margins": [one.to_dict() for one in self.margins]} if self.margins else {}),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per criterion and statistic, each with its declaration."""
        rows = [
            {
                "criterion": name, "statistic": key, **estimate.cells(), "level": block.level_of(key),
                "n_items": block.fleiss_n_items if key == "fleiss_kappa" else block.n_items, "n_raters": block.n_raters,
                "n_ratings": block.n_ratings, "pairs": block.mean_of.get(key), "gate": block.gate.verdict,
            }
            for name, block in self.blocks()
            for key, estimate in block.estimates.items()
        ]  # fmt: skip
        d = self.declaration
        return pd.DataFrame(rows).assign(role=self.role, abstention=d.abstention, **d.file_columns())


def judged_of(on: On, values: Collection[str]) -> str:
    """Return key of the statistic that the gate is on: of ordered labels the mean κ is the one with quadratic weights."""
    return "alpha" if on == "alpha" else WEIGHTED if WEIGHTED in values else "mean_pairwise_kappa"


def of_pairs(block: RaterBlock, key: str) -> str:
    """Return what a mean is over: "3 pairs", and where some have no value or share too few units "2 of 3 pairs"."""
    shared, used = len(block.pairs), block.mean_of[key]
    return f"{words.count(used)} of {words.several(shared, 'pairs')}" if used < shared else words.several(used, "pairs")


def pairs_rule(block: RaterBlock) -> str:
    """Return which pairs the means are over, behind "pairs"; empty where every pair shares enough."""
    return "" if block.pairs.counted.all() else f"that share {MIN_SHARED} decisions or more"


def estimate_text(block: RaterBlock, key: str) -> str:
    """Return a statistic and, behind it, its interval: 0.81 [0.77, 0.84]."""
    return words.estimate(block[key], STATISTICS[key].unit)

"""Every judge against one baseline: the record, and its sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from metrics.analyses.comparison.levels import SLACK
from metrics.analyses.comparison.margin import Held, stated
from metrics.analyses.comparison.readings import by_weight_words, direction, symbol_of
from metrics.analyses.comparison.result import Comparison, row_of, with_declaration
from metrics.analyses.comparison.weighted import WeightedDifference
from metrics.analyses.records import Declaration
from metrics.data.aggregation import Level
from metrics.measures.catalogue import BY_KEY
from metrics.measures.exact_tests import holm
from metrics.results import words
from metrics.results.report import Report, or_none
from metrics.results.words import several

NOT_ADJUSTED = "The correction is one of p: the intervals are not adjusted for the number of comparisons."
CORRECTED = {False: "p Holm", True: "p joint"}
"""Head of the corrected p: for a fixed baseline, and for one that was picked on the data."""
MOST_NAMED = 5
"""Judges named one by one: more would bury what is said of them."""


@dataclass(frozen=True, eq=False)
class Forest(Report):
    """Every judge against one baseline.

    Attributes
    ----------
    best : bool
        Whether the baseline is the judge with the best value on the same data.
    against : tuple of Comparison
        Each judge (B) against the baseline (A), best difference first; undefined ones last.
    holm : tuple of float
        p of each comparison, corrected for the number planned.
    planned : int
        Comparisons asked for; more than there are in `against` where the work was stopped.
    joint : tuple of float, or None
        p of each comparison, corrected for picking the baseline on these data; None for a baseline that was fixed.
    """

    TEXT, OF = "analyses.comparison.tables:summary", "a comparison of judges with a baseline"

    declaration: Declaration
    metric: str
    level: Level
    baseline: str
    best: bool
    against: tuple[Comparison, ...]
    holm: tuple[float, ...]
    planned: int
    joint: tuple[float, ...] | None = None

    @property
    def cautions(self) -> tuple[str, ...]:
        """What must be known of the file."""
        told = self.against[0].cautions if self.against else ()
        told += tuple(sorted({one.in_groups for one in self.against} - {""})[:1])
        by_weight = next((comparison.weighted for comparison in self.against if comparison.weighted is not None), None)
        return told if by_weight is None else (*told, weighted_note(self, by_weight))

    @property
    def corrected(self) -> tuple[float, ...]:
        """p of each comparison after the correction that applies: for the choice of the baseline, else Holm's."""
        return self.holm if self.joint is None else self.joint

    @cached_property
    def met(self) -> Mapping[str, tuple[Comparison, float]]:
        """Every judge's comparison by its name, with the corrected p."""
        return {one.b.name: (one, p) for one, p in zip(self.against, self.corrected, strict=True)}

    @property
    def holm_by_weight(self) -> tuple[float, ...]:
        """p of each comparison by the weights of items, corrected for the number planned; NaN without weights."""
        each = [math.nan if comparison.weighted is None else comparison.weighted.p for comparison in self.against]
        return holm(each, self.planned - len(self.against))

    @cached_property
    def decisive_p(self) -> tuple[float, ...]:
        """The corrected p by which judges are told apart: by weight where items have weights.

        Then with Holm's correction; for a baseline that was picked on these data with Bonferroni's, for all pairs of judges:
        whichever was picked, its comparisons are among them.
        """
        every = zip(self.against, self.corrected, self.holm_by_weight, strict=True)
        pairs = math.comb(self.planned + 1, 2)
        return tuple(
            p if one.weighted is None else by_weight if self.joint is None else min(pairs * one.weighted.p, 1.0)
            for one, p, by_weight in every
        )

    @cached_property
    def p_by_name(self) -> Mapping[str, float]:
        """The corrected p that decides on each judge, by its name."""
        return dict(zip(self.met, self.decisive_p, strict=True))

    def different(self) -> tuple[str, ...]:
        """Return judges told apart from the baseline by interval and corrected p, where all readings agree."""
        return tuple(name for name in self.met if self.is_different(name))

    def is_different(self, name: str) -> bool:
        """Return whether one judge is told apart from the baseline by interval and corrected p, and all readings agree.

        Where items have weights, both are by weight.
        """
        comparison, p = self.met[name][0], self.p_by_name[name]
        most, first = 1 - comparison.settings.confidence, comparison.decisive[0]
        return bool(first.difference.sign and p <= most and not comparison.disagree)

    def is_disputed(self, name: str) -> bool:
        """Return whether the readings disagree on one judge."""
        return self.met[name][0].disagree

    @property
    def disputed(self) -> tuple[str, ...]:
        """Judges on whom the readings disagree."""
        return tuple(name for name in self.met if self.is_disputed(name))

    @property
    def undefined(self) -> tuple[str, ...]:
        """Judges without a difference from the baseline, and on whom no readings disagree."""
        return tuple(name for name, (one, _) in self.met.items() if not one.difference.defined and not self.is_disputed(name))

    @property
    def unit(self) -> str:
        """What is left out and swapped: `item` or a column that groups items."""
        return str(self.declaration.interval["unit"])

    @property
    def confidence(self) -> float:
        return self.declaration.confidence

    @property
    def reading(self) -> str:
        return forest_reading(self)

    def to_dict(self) -> dict[str, Any]:
        rows = [
            row_of(comparison)
            | extra
            | {
                "winner": comparison.winner if self.is_different(comparison.b.name) else None,
                "undefined": comparison.difference.undefined or None,
            }
            | margin
            | (
                {}
                if comparison.weighted is None
                else {"weighted": comparison.weighted.to_dict() | {"p_holm": or_none(by_weight)}}
            )
            for comparison, extra, margin, by_weight in zip(
                self.against, self._corrections(), self._margin_rows(), self.holm_by_weight, strict=True
            )
        ]
        return {
            "version": 1, "declaration": self.declaration.to_dict() | {"level": self.level, "metric": self.metric},
            "metric": self.metric, "level": self.level, "baseline": self.baseline, "baseline_is_best_of_these_data": self.best,
            "planned": self.planned,
            "judges": [{key: or_none(x) if isinstance(x, float) else x for key, x in row.items()} for row in rows],
            "reading": self.reading,
            "notes": list(self.cautions),
        }  # fmt: skip

    @cached_property
    def margins(self) -> tuple[tuple[Held, float], ...]:
        """Every judge held against the baseline by the margin, and Holm's p that it is worse by that; empty without a margin."""
        all_held = [comparison.held for comparison in self.against]
        p = holm([math.nan if one is None else one.p for one in all_held], self.planned - len(self.against))
        return tuple((one, corrected) for one, corrected in zip(all_held, p, strict=True) if one is not None)

    def non_inferior(self) -> tuple[str, ...]:
        """Return judges that are no worse than the baseline by the margin, after Holm's correction for their number."""
        level = (1 - self.confidence) / 2
        judges = (comparison.b.name for comparison in self.against)
        return tuple(name for name, (one, p) in zip(judges, self.margins, strict=False) if one.holds and p <= level)

    @property
    def holds(self) -> bool:
        """Whether every judge asked for is shown to be no worse than the baseline by the margin; without a margin all are."""
        return not self.margins or len(self.non_inferior()) == self.planned

    def _margin_rows(self) -> list[dict[str, Any]]:
        rows = [{"margin": one.to_dict() | {"p_holm": or_none(p)}} for one, p in self.margins]
        return rows or [{} for _ in self.against]

    def _corrections(self) -> list[dict[str, float]]:
        joint = self.joint or (math.nan,) * len(self.holm)
        return [{"p_holm": holm, "p_joint": joint_p} for holm, joint_p in zip(self.holm, joint, strict=True)]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per judge."""
        rows = [row_of(comparison) | extra for comparison, extra in zip(self.against, self._corrections(), strict=True)]
        return with_declaration(pd.DataFrame(rows), self.declaration)


def forest_reading(forest: Forest) -> str:
    """Return on whom readings disagree, how many differ from the baseline, the correction for their number, and margins."""
    return " ".join(filter(None, (_forest_reading(forest), margins_words(forest))))


def margins_words(forest: Forest) -> str:
    """Return which judges hold the margin; empty where none was stated."""
    if not forest.margins:
        return ""
    margin, names = forest.margins[0][0].margin, forest.non_inferior()
    size = stated(margin, BY_KEY[forest.metric].unit)
    who = _named(names) if names else "No judge"
    verb = "is" if len(names) < 2 else "are"
    return f"{who} {verb} non-inferior to {forest.baseline} by the margin of {size}, with Holm’s correction of that."


def _forest_reading(forest: Forest) -> str:
    """Return the same without a margin."""
    rest, planned = forest.planned - len(forest.against), several(forest.planned, "comparisons")
    left = "the last judge" if rest == 1 else f"the other {words.count(rest)} judges"
    stopped = f" Stopped before {left}." if rest else ""
    sentence = _distinguished(forest)
    if not forest.best:
        sentence = f"{sentence}, with Holm’s correction for {planned}." if sentence else f"p has Holm’s correction for {planned}."
        return f"{_disputed(forest)}{_undefined(forest)}{sentence} {NOT_ADJUSTED}{stopped}"
    lead = ", so its lead is optimistic" if _leads(forest) else ""
    return (
        f"{_disputed(forest)}{_undefined(forest)}{f'{sentence}. ' if sentence else ''}"
        f"{forest.baseline} was chosen {picked(forest)} on the same data{lead}: "
        f"p is corrected for that choice. {NOT_ADJUSTED}{stopped}"
    )


def _leads(forest: Forest) -> bool:
    """Return whether the baseline is ahead of another judge on the decisions that both answered, be it by chance.

    Picked on all that each judge answered, it need not be; what is no more than rounding is no lead.
    """
    better = direction(forest.metric)
    return any(better * comparison.decisive[0].difference.value < -SLACK for comparison in forest.against)


def _distinguished(forest: Forest) -> str:
    """Return how many judges are told apart, of those with a difference on which readings agree; empty where there is none."""
    n_different, apart = len(forest.different()), len(forest.disputed) + len(forest.undefined)
    total, where = len(forest.against) - apart, f"significantly from {forest.baseline} in {_symbol(forest)}"
    if not apart:
        return f"{words.count(n_different)} of {words.count(total)} {'judge differs' if total == 1 else 'judges differ'} {where}"
    if total == 1:
        return f"The other judge {'differs' if n_different else 'does not differ'} {where}"
    return f"{words.count(n_different)} of the other {words.count(total)} judges differ {where}" if total else ""


def _symbol(forest: Forest) -> str:
    """Return the metric with what names the weight by which judges are told apart, where the file has one."""
    by_weight = next((one.weighted for one in forest.against if one.weighted is not None), None)
    return f"{symbol_of(forest.metric)}{'' if by_weight is None else f' {by_weight_words(by_weight)}'}"


def picked(forest: Forest) -> str:
    """Return what a baseline was chosen as on the data; not the best where readings disagree on it."""
    return f"for its {symbol_of(forest.metric)}" if any(comparison.disagree for comparison in forest.against) else "as the best"


def _disputed(forest: Forest) -> str:
    names = forest.disputed
    return f"The readings disagree on {_named(names)}: no better judge is named there. " if names else ""


def _undefined(forest: Forest) -> str:
    names = forest.undefined
    return f"The difference is undefined for {_named(names)}. " if names else ""


def _named(names: Sequence[str]) -> str:
    more = f" and {words.count(len(names) - MOST_NAMED)} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def corrected_head(best: bool, weighted: bool) -> str:
    """Return the head of the corrected p that decides: by weight, of a picked baseline, it is Bonferroni's for all pairs."""
    return "p pairs" if best and weighted else CORRECTED[best]


def weighted_note(forest: Forest, by_weight: WeightedDifference) -> str:
    """Return which numbers of a forest count items by their weights, and which correction their p has."""
    pairs = " p pairs has Bonferroni’s correction for all pairs of judges." if forest.best else ""
    return (
        f"Values, differences and p count every item {by_weight_words(by_weight)}, and tell judges apart; what stands as counted "
        f"once does not.{pairs}"
    )

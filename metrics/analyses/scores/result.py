"""Results of `metrics.scores`: a block per criterion, one over all and the mean, with one way out to JSON, a table and a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import pandas as pd

from metrics.analyses.labelling import Labelling
from metrics.analyses.paired_numbers import TRANSFORMS
from metrics.analyses.records import Block, Declaration, Warn, Weighted, beside
from metrics.analyses.settings import Settings
from metrics.data.abstention import NOT_IN_JSON, Coverage
from metrics.data.order import Order
from metrics.measures.arrays import FloatArray
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.report import OfJudges, OverCriteria, Report, ends_or_none, or_none

Json = dict[str, Any]
On = Literal["label", "score"]
MEAN = "mean over criteria"


@dataclass(frozen=True)
class Pairs:
    """How many decisions have a number on both sides, of those that both sides rated.

    Attributes
    ----------
    n_no_reference, n_no_judge : int
        Decisions without a number of that side.
    """

    n_total: int
    n_covered: int
    n_no_reference: int
    n_no_judge: int

    @property
    def coverage(self) -> float:
        return self.n_covered / self.n_total if self.n_total else float("nan")

    def lacking_words(self, name: str) -> str:
        """Return how many decisions do not count for want of a number of a side; empty where all count.

        Parameters
        ----------
        name : str
            Of the judge, in a sentence.
        """
        if self.n_covered == self.n_total:
            return ""
        lacking = f"{words.count(self.n_total - self.n_covered)} of {words.several(self.n_total, 'decisions')} lack a number"
        sides = words.count(self.n_no_reference), words.count(self.n_no_judge)
        return f"{lacking}: the reference’s on {sides[0]}, that of {name} on {sides[1]}."


@dataclass(frozen=True)
class AmongPeople:
    """How far people agree in their numbers, and a judge with them.

    Attributes
    ----------
    alpha : Estimate
        Krippendorff's α of people, at the level of intervals; its mean over the criteria where it is defined.
    judge, human, difference : Estimate
        Pearson's r with the mean of the other people: of the judge, and of the person left out, on the same decisions, and the
        first less the second; means over criteria and the people counted there.
    p : float
        Two-sided: how often a rater drawn by item in the judge's place is as far from the others; NaN where nobody is exchanged,
        as where the interval of the difference includes 0.
    n_people : int
        People who are counted on some criterion.
    n_items : int
        Items, or groups of items, with a decision in the means.
    confidence : float
    two_scales : str
        Why people may use two scales on some criterion, so that their mean is no number of either; empty where nothing shows it.
    """

    alpha: Estimate
    judge: Estimate
    human: Estimate
    difference: Estimate
    p: float
    n_people: int
    n_items: int
    confidence: float
    two_scales: str = ""

    @property
    def settled(self) -> bool:
        """Whether the interval of the difference leaves out 0, and exchanging the judge with people does not make as much."""
        return bool(self.difference.sign) and not self.p > 1 - self.confidence

    def to_dict(self) -> Json:
        numbers = {"alpha": self.alpha, "judge": self.judge, "human": self.human, "difference": self.difference}
        return {
            **{name: or_none(number.value) for name, number in numbers.items()},
            "intervals": {name: ends_or_none(number.ends) for name, number in numbers.items()},
            "undefined": {name: number.undefined for name, number in numbers.items() if number.undefined},
            "p": or_none(self.p), "settled": self.settled, "n_people": self.n_people, "n_items": self.n_items,
            **({"two_scales": self.two_scales} if self.two_scales else {}),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class JudgeScores(OverCriteria[Block]):
    """Everything about one judge.

    Attributes
    ----------
    pooled : Block
        All criteria together; with several never shown without `mean`.
    mean : Block
        Mean over the criteria where a number is defined; `defined` says over how many.
    criteria : mapping
        Criterion to block, in the order of the file.
    coverage : Coverage or Pairs
        `n_total`, `n_covered` and `coverage` of all criteria; `criterion_coverage` by criterion.
    n_items, n_used : int or None
        Items that both sides rated on some criterion, and those with a decision in the numbers; None for a table of counts.
    two_units : mapping
        Criteria on which the numbers of the two sides are in two units, to the reason; see `metrics.analyses.scores.scored`.
    weighted : Weighted or None
        The numbers with every item by its weight; None where the file has no weights.
    verdicts : set
        Criteria on which every number of the reference is 0 or 1; None stands for all of them together.
    other_ends : mapping
        Criteria on which the two sides may use two scales, to the reason; see `metrics.measures.units.other_ends`.
    upper_less_lower : mapping
        By criterion, None for all together: where an even number of people makes the reference, how far the upper of their two
        middle labels lies above the lower one, which counts, on average over the decisions. Empty where no two differ.
    people : AmongPeople or None
        How far people agree in their numbers, and this judge with them; None where the reference is no rule over several.
    labelling : Labelling or None
        Which decisions people labelled, by its verdicts; None of numbers.
    """

    name: str
    pooled: Block
    mean: Block
    criteria: Mapping[str, Block]
    coverage: Coverage | Pairs
    criterion_coverage: Mapping[str, Coverage | Pairs]
    n_items: int | None
    n_used: int | None
    two_units: Mapping[str, str] = field(default_factory=dict)
    verdicts: frozenset[str | None] = frozenset()
    weighted: Weighted | None = None
    other_ends: Mapping[str, str] = field(default_factory=dict)
    upper_less_lower: Mapping[str | None, float] = field(default_factory=dict)
    people: AmongPeople | None = None
    labelling: Labelling | None = None

    def beside_upper(self, criterion: str | None) -> float | None:
        """Return the bias beside the upper of people's two middle labels where it undoes a bias above 0 beside the lower one.

        None where the direction of the bias is the same beside either.
        """
        bias, gap = self.block(criterion)["bias"], self.upper_less_lower.get(criterion, 0.0)
        if bias.ends is None or bias.sign <= 0 or bias.ends[0] - gap > 0:
            return None
        return bias.value - gap

    def may_be_two_scales(self, criterion: str | None) -> bool:
        """Return whether the two sides may use two scales on a criterion, or on any."""
        return criterion in self.other_ends or (criterion is None and bool(self.other_ends))

    def has_two_units(self, criterion: str | None) -> bool:
        """Return whether the two sides' numbers on a criterion, or on any, are in two units."""
        return criterion in self.two_units or (criterion is None and bool(self.two_units))

    @property
    def own_unit(self) -> bool:
        """Whether the judge's numbers are, or may be, in another unit than the reference's, so that they lie near to none."""
        return self.has_two_units(None) or self.may_be_two_scales(None)

    def covered(self, criterion: str | None) -> Coverage | Pairs:
        """Return coverage of a criterion, or of all of them."""
        return self.coverage if criterion is None else self.criterion_coverage[criterion]

    def to_dict(self) -> Json:
        coverage = {key: value for key, value in asdict(self.coverage).items() if key not in NOT_IN_JSON}
        coverage["coverage"] = self.coverage.coverage
        mean = self.mean.to_dict()
        if not self.mean.labels:  # of numbers, in the order in which the file format has had them from its first version
            methods = mean["interval_methods"]
            mean["interval_methods"] = {key: methods[key] for key in TRANSFORMS if key in methods}
        criteria = {} if self.weighted is None else self.weighted.criteria
        weighted = [self.weighted, *map(criteria.get, self.criteria)]
        return {
            "criteria": {
                name: block.to_dict() | beside(numbers) for (name, block), numbers in zip(self.blocks(), weighted, strict=True)
            },
            "mean_over_criteria": mean | ({} if self.weighted is None else {"weighted": self.weighted.macro_dict()}),
            "coverage": {key: or_none(value) if isinstance(value, float) else value for key, value in coverage.items()},
            **({} if self.people is None else {"people": self.people.to_dict()}),
        }


@dataclass(frozen=True, eq=False)
class ScoresReport(OfJudges, Report):
    """How near every judge's options, or numbers, lie to the reference's.

    Attributes
    ----------
    on : {"label", "score"}
        Whether labels were compared, as ordered classes, or the numbers beside them.
    order : Order or None
        Of the classes; None on scores.
    cost : ndarray, shape (K, K), or None
        Behind the κ of own weights.
    reversed : tuple of str
        With `as_unmet`: criteria on which an abstention counts as the highest option, because their weight is negative.
    turned : tuple of str
        Raters whose labels were turned round, low to high.
    """

    TEXT, OF = "analyses.scores.readings", "scores"

    declaration: Declaration
    settings: Settings
    on: On
    order: Order | None
    judges: Mapping[str, JudgeScores]
    warnings: tuple[Warn, ...] = ()
    cost: FloatArray | None = None
    reversed: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Numbers computed, in the order in which they are shown."""
        return tuple(next(iter(self.judges.values())).pooled.values)

    def declared(self) -> Json:
        """Return the declaration with what an ordered or continuous scale adds."""
        out = self.declaration.to_dict() | {"on": self.on}
        if self.order is not None:
            worth = dict(zip(self.order.classes, self.order.values, strict=True))
            out |= {"order": list(self.order.classes), "values": worth, "values_from": self.order.source}
        if self.cost is not None:
            out |= {"cost": self.cost.tolist()}
        if self.declaration.abstention == "as_unmet":
            out |= {"abstention_is_highest_on": list(self.reversed)}
        if self.turned:
            out |= {"turned": list(self.turned)}
        return out

    def to_frame(self) -> pd.DataFrame:
        """Return one row per judge, level, criterion and number, each with its declaration."""
        rows = [
            {"judge": judge.name, "level": level, "criterion": criterion} | row
            for judge in self.judges.values()
            for level, criterion, block, coverage in _levels(judge)
            for row in _rows(block, coverage)
        ]
        d, order = self.declaration, self.order
        shared_columns = {
            "scale": d.scale, "on": self.on, "order": "" if order is None else " < ".join(order.classes),
            "values": "" if order is None else ", ".join(f"{value:g}" for value in order.values),
            "abstention": d.abstention, "reference": d.reference, **d.file_columns(),
        }  # fmt: skip
        return pd.DataFrame(rows).assign(**shared_columns)


def _levels(judge: JudgeScores) -> Iterator[tuple[str, str, Block, float]]:
    """Yield level, criterion (empty above the criteria), block and coverage, in reading order."""
    yield "pooled", "", judge.pooled, judge.coverage.coverage
    yield "mean", "", judge.mean, judge.coverage.coverage
    for name, block in judge.criteria.items():
        yield "criterion", name, block, judge.criterion_coverage[name].coverage


def _rows(block: Block, coverage: float) -> Iterator[Json]:
    for key, estimate in block.estimates.items():
        of = "of".join(map(str, estimate.of or ()))
        yield {"metric": key, **estimate.cells(), "n": block.n, "criteria_defined": of, "coverage": coverage}

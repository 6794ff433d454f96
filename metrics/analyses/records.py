"""Results: frozen records with plain attributes and one way out to JSON, a tidy table and a text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metrics.analyses.directions import Directions
from metrics.analyses.labelling import Labelling
from metrics.data.abstention import NOT_IN_JSON, Coverage, Mode
from metrics.data.aggregation import Level
from metrics.data.filtering import conditions_words
from metrics.data.labels import Handling
from metrics.data.references import reference_words, with_article
from metrics.data.vocabulary import Kind
from metrics.measures.arrays import safe_ratio
from metrics.measures.transforms import Interval
from metrics.results import words
from metrics.results.estimate import Estimate, Part, means_of
from metrics.results.report import OfJudges, Report, Short
from metrics.results.words import count, joined

Json = dict[str, Any]


@dataclass(frozen=True)
class Warn:
    """Something a reader of the numbers must know."""

    code: str
    message: str


@dataclass(frozen=True, eq=False)
class Block(Part, Short):
    """The metrics of one table: a level, or a criterion; of a mean over criteria each with how many have a value.

    Attributes
    ----------
    n : int or None
        Decisions (items at item level) in the table; None for a mean over criteria, which has no table.
    labels : tuple of str
        Names on the verdict axis.
    confusion : ndarray of int64, shape (K, K), or None
        Reference in rows, judge in columns.
    directions : Directions or None
        Which way the judge errs, tested by unit; None for a mean over criteria, without a decision, or without intervals.
    more : mapping
        JSON-ready facts of this block only, such as the coverage of the item level.
    withheld : str
        Why its numbers are not known though decisions are counted, as a clause; empty where they are.
    """

    n: int | None
    labels: tuple[str, ...]
    confusion: NDArray[np.int64] | None
    more: Mapping[str, Any] = field(default_factory=dict)
    directions: Directions | None = None
    withheld: str = ""

    @classmethod
    def mean_over(cls, criteria: Sequence[Block], keys: Iterable[str]) -> Block:
        """Average each metric over the criteria where it is defined, without intervals."""
        return cls(None, criteria[0].labels, None, estimates=means_of(criteria, keys))

    def beyond(self, key: str, against: float, sign: int) -> int:
        """Return the direction of a test of a metric against a value.

        0 where the interval shown beside the metric holds the value.

        Parameters
        ----------
        key : str
        against : float
            On the metric's own scale.
        sign : int
            Direction that the test found: +1, -1 or 0.
        """
        ends = self[key].ends
        return 0 if ends is not None and ends[0] <= against <= ends[1] else sign

    @property
    def row_shares(self) -> NDArray[np.float64]:
        """Counts as shares of their row, shape (K, K); NaN in a row without decisions."""
        counts = np.asarray(self.confusion, np.float64)
        return safe_ratio(counts, counts.sum(1, keepdims=True) + np.zeros_like(counts))

    @property
    def degenerate(self) -> bool:
        """No decision, or a side that gives one label only."""
        return self.confusion is not None and (not self.n or self.one_sided is not None)

    @property
    def one_sided(self) -> tuple[str, str] | None:
        """The side that gives one label only, and that label; None where both vary or there is no decision.

        A judge is none of whose answers people labelled those with one label alone.
        """
        if self.confusion is None or not self.n:
            return None
        for side, axis in (("reference", 1), ("judge", 0)):
            margin = self.confusion.sum(axis)
            if (margin > 0).sum() < 2 and not (self.withheld and side == "judge"):
                return side, self.labels[int(margin.argmax())]
        return None

    def to_dict(self) -> Json:
        out: Json = {}
        if self.confusion is not None:
            out |= {"n": self.n, "labels": list(self.labels), "confusion": self.confusion.tolist()}
        out |= {key: _or_null(value) for key, value in self.values.items()}
        of = {key: list(estimate.of) for key, estimate in self.estimates.items() if estimate.of is not None}
        out |= {"defined": of} if of else {}
        out |= self.interval_fields(asked=bool(self.intervals))
        notes = {key: interval.note for key, interval in self.intervals.items() if interval.note}
        out |= {"interval_notes": notes} if notes else {}
        out |= {"directions": _or_null(self.directions.to_dict())} if self.directions else {}
        lacking = {key: estimate.no_interval for key, estimate in self.estimates.items() if estimate.no_interval}
        return out | {"undefined": dict(self.undefined)} | dict(self.more) | ({"no_interval": lacking} if lacking else {})


@dataclass(frozen=True, eq=False)
class Weighted:
    """Numbers of one judge in which every item counts by its weight.

    Attributes
    ----------
    column : str
    n_items : int
        With a decision that counts.
    n_effective : float
        Items of equal weight that would say as much (Kish).
    counts : ndarray of float64, shape (K, K)
        Sums of weights, reference in rows; empty of numbers, which have no table.
    estimates : mapping of str to Estimate
    macro : mapping of str to Estimate
        Means over the criteria; of the numbers of all decisions together alone, as what follows.
    item : Weighted or None
        Of one verdict an item; None where no rule makes any.
    criteria : mapping of str to Weighted
    jackknife : mapping of str to Interval
        Where few of the heavier items are in error, the intervals before they were widened for that: plans of more items go by
        them. Not part of the JSON.
    """

    column: str
    n_items: int
    n_effective: float
    counts: NDArray[np.float64]
    estimates: Mapping[str, Estimate]
    macro: Mapping[str, Estimate] = field(default_factory=dict)
    item: Weighted | None = None
    criteria: Mapping[str, Weighted] = field(default_factory=dict)
    jackknife: Mapping[str, Interval] = field(default_factory=dict)

    def to_dict(self) -> Json:
        """Return the numbers of its own table JSON-ready, undefined numbers null."""
        return {
            "column": self.column,
            "n_items": self.n_items,
            "n_effective": self.n_effective,
            **({"confusion": self.counts.tolist()} if self.counts.size else {}),
            **plain_numbers(self.estimates),
        }

    def macro_dict(self) -> Json:
        """Return the means over the criteria alike."""
        return {"column": self.column, "n_items": self.n_items, "n_effective": self.n_effective, **plain_numbers(self.macro)}


def plain_numbers(estimates: Mapping[str, Estimate]) -> Json:
    """Return numbers by name JSON-ready, undefined ones null, with the intervals there are and why those are undefined."""
    return {
        **{key: _or_null(one.value) for key, one in estimates.items()},
        "intervals": {key: list(one.ends) for key, one in estimates.items() if one.ends is not None},
        "undefined": {key: one.why for key, one in estimates.items() if math.isnan(one.value)},
    }


def beside(numbers: Weighted | None) -> Json:
    """Return weighted numbers JSON-ready, to stand among those in which every decision counts once; nothing without any."""
    return {} if numbers is None else {"weighted": numbers.to_dict()}


@dataclass(frozen=True, eq=False, repr=False)
class JudgeReport:
    """Everything about one judge."""

    name: str
    micro: Block
    macro: Block
    item: Block
    criteria: Mapping[str, Block]
    coverage: Coverage
    criterion_coverage: Mapping[str, Coverage]
    n_items: int | None
    """Items with a criterion that both sides rated; None for a table of counts."""
    n_used: int | None
    """Those with a decision in the pooled numbers: where a side abstained a mode may leave none."""
    weighted: Weighted | None = None
    """The numbers with every item by its weight; None where the file has no weights."""
    labelling: Labelling | None = None
    """Which decisions people labelled, by its verdicts; None of labels that are no classes."""

    def __repr__(self) -> str:
        """Return the judge with its κ, and what else is here."""
        kappa, n = words.estimate(self.micro["kappa"]), words.several(self.micro.n or 0, "decisions")
        return f"JudgeReport of {words.shorten(self.name)}: κ {kappa} on {n}; see micro, macro, item, criteria, coverage"

    def level(self, level: Level) -> Block:
        return {"micro": self.micro, "macro": self.macro, "item": self.item}[level]

    def blocks(self) -> Iterator[tuple[str, str, Block]]:
        """Yield level, criterion (empty above the criteria) and block, in reading order."""
        yield "micro", "", self.micro
        yield "macro", "", self.macro
        yield "item", "", self.item
        for name, block in self.criteria.items():
            yield "criterion", name, block

    def weighted_on(self, criterion: str) -> Weighted | None:
        """Return the weighted numbers of a criterion; of all of them together where none is named."""
        return self.weighted if self.weighted is None or not criterion else self.weighted.criteria.get(criterion)

    def weighted_at(self, level: Level, criterion: str | None = None) -> Mapping[str, Estimate]:
        """Return the weighted numbers of a level, or of a criterion; none where there are no weights, or not at this level."""
        numbers = self._weighted_of(level, criterion)
        return {} if numbers is None else numbers.macro if level == "macro" and criterion is None else numbers.estimates

    def interval_to_plan_by(self, metric: str, level: Level, criterion: str | None = None) -> Interval | None:
        """Return the weighted interval that more items would narrow: before it was widened for few heavier items in error."""
        numbers = None if level == "macro" and criterion is None else self._weighted_of(level, criterion)
        plain = None if numbers is None else numbers.jackknife.get(metric)
        return plain or self.weighted_at(level, criterion)[metric].interval

    def _weighted_of(self, level: Level, criterion: str | None) -> Weighted | None:
        if criterion is not None:
            return self.weighted_on(criterion)
        return self.weighted.item if self.weighted is not None and level == "item" else self.weighted

    def coverage_of(self, criterion: str) -> Coverage:
        """Return coverage of a criterion; of all of them together where none is named."""
        return self.criterion_coverage[criterion] if criterion else self.coverage

    def to_dict(self) -> Json:
        return {
            "micro": self.micro.to_dict() | beside(self.weighted),
            "macro": self.macro.to_dict() | ({} if self.weighted is None else {"weighted": self.weighted.macro_dict()}),
            "item": self.item.to_dict() | beside(None if self.weighted is None else self.weighted.item),
            "criteria": {
                name: block.to_dict() | {"degenerate": block.degenerate} | beside(self.weighted_on(name))
                for name, block in self.criteria.items()
            },
            "coverage": {key: _or_null(value) for key, value in asdict(self.coverage).items() if key not in NOT_IN_JSON},
        }


@dataclass(frozen=True)
class Declaration:
    """What gives the numbers their meaning; carried by every export."""

    file: str
    sha256: str
    metrics_version: str
    scale: str
    abstention: Mode
    labels: Mapping[str, list[str]]
    n_items: int | None
    criteria: tuple[str, ...]
    judges: tuple[str, ...]
    reference: str
    item_rule: Mapping[str, object]
    interval: Mapping[str, object]
    rows_read: int
    rows_used: int
    left_out: Mapping[str, int]
    handling: Mapping[Kind, Handling] = field(default_factory=dict)
    panels: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Of the judges that are panels: their rule, judges and quorum."""
    runs: str = ""
    """Which of several runs a verdict is: `first`, `majority`, or empty where there are none."""
    scales: Mapping[str, str] = field(default_factory=dict)
    """Criterion to judgment scale; empty where every criterion is on `scale`, the scale of the tables."""
    tally: Mapping[str, int] = field(default_factory=dict)
    """Where the file is a tally: kinds of identical items, and the items they stand for. Empty where it has a row per rating."""
    one_human_each: bool = False
    """Whether the reference is a rule for several humans, of whom no decision has more than one."""
    joined: Mapping[str, object] = field(default_factory=dict)
    """Of several files, how they were joined, in numbers and in words (`text`); see `metrics.data.join`."""
    weights: str = ""
    """Column by whose weights some numbers count the items; empty where every decision counts once."""
    weights_unused: str = ""
    """Column of weights by which no number counts; empty where there is none, or some number does."""
    tuning: Mapping[str, object] = field(default_factory=dict)
    """Items that count though a judge may have been tuned on them; see `metrics.analyses.cautions.tuned_items`."""
    where: tuple[str, ...] = ()
    """Conditions that items had to meet, as they are typed; see `metrics.data.filtering`."""
    threshold: str = ""
    """From which number on a judge's answer is positive, "3 or more"; empty where its labels are no numbers."""

    @property
    def confidence(self) -> float:
        """Of the intervals."""
        return float(str(self.interval["confidence"]))

    @property
    def taken(self) -> str:
        """Which items, and which numbers of a judge are positive; empty where nothing was said."""
        threshold = self.threshold and f"a judge’s number is positive at {self.threshold}"
        return ", ".join(filter(None, (threshold, conditions_words(self.where))))

    @property
    def file_words(self) -> str:
        """The file, and which of its items: labels.csv, only items where language = de."""
        return ", ".join(filter(None, (self.file, self.taken)))

    @property
    def rows_words(self) -> str:
        """How many rows are used, and why the others are left out, as a sentence."""
        left = "".join(f"; {count(number)} left out: {reason}" for reason, number in self.left_out.items())
        return f"Rows: {count(self.rows_used)} of {count(self.rows_read)} used{left}."

    def file_columns(self) -> dict[str, str]:
        """Return what a table says of the file in every row."""
        return {"file": self.file, "sha256": self.sha256} | ({"where": conditions_words(self.where)} if self.where else {})

    def reference_words(self) -> str:
        """Return the reference in a sentence, see `metrics.data.references.reference_words`."""
        return reference_words(self.reference, one_each=self.one_human_each)

    def the_reference(self) -> str:
        """Return the same where a sentence asks for an article."""
        return with_article(self.reference, one_each=self.one_human_each)

    def scale_words(self, criterion: str | None = None) -> str:
        """Return the judgment scale of one criterion or of all: "ordinal", "3 binary and 2 ordinal criteria"."""
        names = self.criteria if criterion is None else (criterion,)
        scales = [self.scales.get(name, self.scale) for name in names]
        kinds = tuple(dict.fromkeys(scales)) or (self.scale,)
        if len(kinds) == 1:
            return kinds[0]
        counted = [f"{count(scales.count(kind))} {kind}" for kind in kinds]
        return f"{joined(counted)} criteria"

    def to_dict(self) -> Json:
        optional = (
            "panels",
            "runs",
            "scales",
            "tally",
            "one_human_each",
            "joined",
            "weights",
            "weights_unused",
            "tuning",
            "where",
            "threshold",
        )
        empty = [key for key in optional if not getattr(self, key)]
        elsewhere = ("rows_read", "rows_used", "left_out", *empty)
        out = {key: value for key, value in asdict(self).items() if key not in elsewhere}
        left_out = [{"reason": reason, "count": count} for reason, count in self.left_out.items()]
        out |= {"criteria": list(self.criteria), "judges": list(self.judges)}
        out |= {"where": list(self.where)} if self.where else {}
        return out | {"rows": {"read": self.rows_read, "used": self.rows_used, "left_out": left_out}}


@dataclass(frozen=True, eq=False)
class AgreementReport(OfJudges, Report):
    """Agreement of every judge with the reference, with the choices it rests on."""

    TEXT, OF = "analyses.agreement.tables", "agreement"

    declaration: Declaration
    judges: Mapping[str, JudgeReport]
    warnings: tuple[Warn, ...] = ()

    def on_one(self, judge: str, criterion: str) -> AgreementReport:
        """Return one judge as if the criterion were the only one: each item then stands for one decision."""
        report = self.judges[judge]
        block = report.criteria[criterion]
        n_items = None if report.n_items is None else block.n
        only = replace(report, coverage=report.criterion_coverage[criterion], micro=block, n_items=n_items, n_used=n_items)
        return replace(self, declaration=replace(self.declaration, criteria=(criterion,)), judges={judge: only})

    def to_frame(self) -> pd.DataFrame:
        """Return one row per judge, level, criterion and metric, each with its declaration."""
        rows = [
            {
                "judge": judge.name, "level": level, "criterion": criterion, "metric": key, **estimate.cells(), "n": block.n,
                "criteria_defined": "of".join(map(str, estimate.of or ())), "coverage": judge.coverage_of(criterion).coverage,
            }
            for judge in self.judges.values()
            for level, criterion, block in judge.blocks()
            for key, estimate in block.estimates.items()
        ]  # fmt: skip
        d = self.declaration
        handling = ", ".join(f"{kind}={how}" for kind, how in d.handling.items())
        frame = pd.DataFrame(rows)
        return frame.assign(scale=d.scale, abstention=d.abstention, handling=handling, reference=d.reference, **d.file_columns())


def _or_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _or_null(inner) for key, inner in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def notes_of(warnings: Sequence[Warn]) -> list[str]:
    """Return the warnings as the last paragraph of a text; no paragraph without any."""
    return ["\n".join(["Note", *(f"  {warning.message}" for warning in warnings)])] if warnings else []

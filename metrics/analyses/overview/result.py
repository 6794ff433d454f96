"""Results of `metrics.overview`: the verdict, and what a reader looks at next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from metrics.analyses.records import Declaration
from metrics.analyses.scores.result import On
from metrics.data.aggregation import Level
from metrics.results.estimate import Estimate
from metrics.results.report import Report, ends_or_none, or_none

Json = dict[str, Any]
Relation = Literal["leader", "tied", "behind", "ahead", "disputed", "undefined", "not compared"]
"""A judge beside the leader: by the paired comparison, on the decisions both answered."""


@dataclass(frozen=True)
class Statement:
    """A statement of the verdict.

    Attributes
    ----------
    kind : str
        Which rule made it; see `metrics.analyses.overview.readings`.
    text : str
        One sentence or more.
    numbers : mapping
        JSON-ready: the numbers it rests on, as the analyses have them.
    """

    kind: str
    text: str
    numbers: Mapping[str, Any]


MOST_WORDS = 70
"""Words of a first look at a verdict: a quarter of a minute of reading, beside which the numbers below are taken in."""
FIRST_LOOK = frozenset(
    (
        "agreement below_baseline below_chance chance_on constant_judge errors no_agreement_shown no_verdict order_of_answers "
        "readings_disagree repeated_runs swayed ties unlabelled"
    ).split()
)
"""Kinds that say how good a judge is and where it fails; what ties count for, or another run, makes it another number."""


def in_first_look(statements: Sequence[Statement]) -> list[bool]:
    """Return of each statement whether a first look holds it: the first, how good, where it fails, and what else is short enough.

    Parameters
    ----------
    statements : sequence of Statement
        In the order of the verdict.
    """
    n_words = [len(statement.text.split()) for statement in statements]
    chosen = [not place or statement.kind in FIRST_LOOK for place, statement in enumerate(statements)]
    left = MOST_WORDS - sum(n for n, held in zip(n_words, chosen, strict=True) if held)
    for place, n in enumerate(n_words):
        if not chosen[place] and n <= left:
            chosen[place], left = True, left - n
    return chosen


@dataclass(frozen=True)
class JudgeRow:
    """A judge on the leaderboard.

    Attributes
    ----------
    estimate : Estimate
        Of the metric that the judges are compared by, on all decisions that count for this judge.
    agreement : Estimate
        Share of decisions on which it gives the reference's label; undefined of numbers.
    coverage : float
        Share of the decisions that both sides rated, on which both gave a verdict.
    relation : Relation
    difference : Estimate
        This judge less the leader, on the decisions both answered; undefined where they are not compared.
    p : float or None
        Of that difference, corrected for picking the leader on these data.
    weighted : JudgeRow or None
        The same with every item by its weight, which ranks the judges and decides how they stand; None without weights.
    """

    name: str
    n: int
    estimate: Estimate
    agreement: Estimate
    coverage: float
    relation: Relation
    difference: Estimate
    p: float | None = None
    weighted: JudgeRow | None = None

    @property
    def shown(self) -> JudgeRow:
        """The row that is read: by weight where the file has weights."""
        return self.weighted or self

    def to_dict(self) -> Json:
        weighted = {} if self.weighted is None else {"weighted": self.weighted._value() | self.weighted._apart()}
        how = {"coverage": or_none(self.coverage), "relation": self.relation}
        return {"judge": self.name, "n": self.n, **self._value(), **how, **self._apart(), **weighted}

    def _value(self) -> Json:
        return {**numbers_of(self.estimate), "agreement": numbers_of(self.agreement)}

    def _apart(self) -> Json:
        return {"difference": numbers_of(self.difference), "p": self.p}


@dataclass(frozen=True)
class CriterionRow:
    """A criterion under the judge in view, or among the raters.

    Attributes
    ----------
    estimate : Estimate
        Of the metric that the criteria are sorted by.
    n_wrong : int or None
        Decisions on which judge and reference differ; None of numbers and of raters.
    note : str
        What keeps it from being read as low or high agreement; empty without one.
    weighted : Estimate or None
        The same by weight, by which they are then sorted; None without weights.
    """

    name: str
    n: int
    estimate: Estimate
    n_wrong: int | None = None
    note: str = ""
    weighted: Estimate | None = None

    @property
    def shown(self) -> Estimate:
        """The number that is read: by weight where the file has weights."""
        return self.weighted or self.estimate

    def to_dict(self) -> Json:
        weighted = {} if self.weighted is None else {"weighted": numbers_of(self.weighted)}
        numbers = {**numbers_of(self.estimate), "n_wrong": self.n_wrong, "note": self.note}
        return {"criterion": self.name, "n": self.n, **numbers, **weighted}


@dataclass(frozen=True)
class Decision:
    """What each side says on one criterion of an item; of raters there is no reference."""

    criterion: str
    reference: str
    labels: Mapping[str, str]


@dataclass(frozen=True)
class ItemRow:
    """An item to read.

    Attributes
    ----------
    place : int
        In `Ratings.items`.
    decisions : tuple of Decision
        On which the judge, or most judges, differ from the reference; of raters, on which they differ from each other.
    why : str
        Why it was chosen.
    """

    item: str
    place: int
    decisions: tuple[Decision, ...]
    why: str

    def to_dict(self) -> Json:
        decisions = [asdict(decision) for decision in self.decisions]
        return {"item": self.item, "why": self.why, "decisions": decisions}


@dataclass(frozen=True)
class Step:
    """What to do next.

    Attributes
    ----------
    key : str
        Address of the page that does it.
    command : str
        Command that does it, behind `python -m metrics`, with FILE for the file; empty where only a page does. The command line
        writes the file in its place, with what it was read with.
    """

    key: str
    text: str
    command: str = ""


@dataclass(frozen=True, eq=False)
class Overview(Report):
    """The first answer to how good a judge is; of raters without a judge, whether they agree well enough.

    Attributes
    ----------
    scale : str
        Of the decisions in view: binary, pairwise, ordinal, nominal, continuous, or mixed.
    answers : {"judge", "people", "judges"}
        What the verdict is on: a judge, the agreement of people, or that of judges without a reference.
    metric, level : str
        What judges are sorted by: a key of the catalogue, or of the statistics of raters, and what it is over.
    criterion_metric : str
        What criteria are sorted by.
    symbol, criterion_symbol : str
        The metric in a sentence, and that of a single criterion.
    leader : str
        The judge that the verdict, the criteria and the errors are on: the only one, or the first; empty without a judge.
    ceiling : Estimate
        What a human left out reaches against the other humans, in the metric of the scale; undefined where none overlap.
    judges : tuple of JudgeRow
        Best first.
    criteria : tuple of CriterionRow
        Worst first; those without a value last.
    items : tuple of ItemRow
        Worst first; none for the reason in `no_items`.
    n_items_wrong : int
        Items of which they are the first.
    items_alike : bool
        Whether others are as bad as the last of them, so that the order of the file chose.
    next : tuple of Step
        Two at most.
    """

    TEXT, OF = "analyses.overview.tables", "an overview"

    declaration: Declaration
    scale: str
    answers: Literal["judge", "people", "judges"]
    metric: str
    level: Level
    criterion_metric: str
    symbol: str
    criterion_symbol: str
    leader: str
    ceiling: Estimate
    verdict: tuple[Statement, ...]
    judges: tuple[JudgeRow, ...]
    criteria: tuple[CriterionRow, ...]
    items: tuple[ItemRow, ...]
    n_items_wrong: int
    next: tuple[Step, ...]
    items_alike: bool = False
    no_items: str = ""
    confusion: tuple[tuple[int, ...], ...] = field(default=())
    """Of the leader in the mode, reference in rows; empty without labels."""

    @property
    def correlated(self) -> On | None:
        """Whose correlation is read: of numbers, or of labels that are numbers in two units; None where labels are counted."""
        return {"pearson": "score", "spearman": "label"}.get(self.metric)  # type: ignore[return-value]

    @property
    def in_file_order(self) -> bool:
        """Whether the items to read first are all alike, so that nothing but the file orders them."""
        return self.items_alike and len({row.why for row in self.items}) == 1

    def statement(self, kind: str) -> Statement | None:
        """Return the statement of a kind; None where the verdict has none."""
        return next((statement for statement in self.verdict if statement.kind == kind), None)

    def to_dict(self) -> Json:
        """Return the JSON object of the command line: no NaN, undefined numbers null with a reason."""
        return {
            "version": 1,
            "declaration": self.declaration.to_dict() | {"metric": self.metric, "level": self.level, "answers": self.answers},
            "verdict": [asdict(statement) for statement in self.verdict],
            "judges": [row.to_dict() for row in self.judges],
            "ceiling": numbers_of(self.ceiling),
            "criteria": [row.to_dict() for row in self.criteria],
            "items": [row.to_dict() for row in self.items],
            "n_items_wrong": self.n_items_wrong,
            "items_alike": self.items_alike,
            "no_items": self.no_items or None,
            "next": [asdict(step) for step in self.next],
        }


def numbers_of(estimate: Estimate) -> Json:
    """Return a number with its interval, JSON-ready; the reason where it is undefined."""
    return {
        "value": or_none(estimate.value), "interval": ends_or_none(estimate.ends), "undefined": estimate.undefined or None
    }  # fmt: skip

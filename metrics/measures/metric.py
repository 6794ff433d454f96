"""The record of a metric: what it is called and answers, its function, what it needs, and why it has no value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import Transform

Classes = Literal["two", "any", "many"]
Group = Literal["beyond chance", "agreement", "rates", "shape"]
Need = Literal[
    "two labels", "reference varies", "judge varies", "reference has both",
    "reference positive", "reference negative", "judge positive", "judge negative", "some positive", "some negative",
]  # fmt: skip
Takes = Literal["table", "criteria", "values", "cost", "pairs", "votes"]
Unit = Literal["", "%", "points", "values", "p"]
Place = Literal[
    "terminal", "terminal criteria", "report", "page", "bounds", "choose", "independence", "cuts", "lab", "lab of three",
    "lab rates", "lab compared", "sweep", "gap", "gap headline", "table of two", "table of many", "ceiling", "headline",
    "bounds drawn", "simulation", "scores headline", "scores terminal", "scores methods", "numbers headline",
    "numbers terminal", "numbers methods", "item scores headline", "raters headline",
]  # fmt: skip


def not_of_counts(*_: object) -> FloatArray:
    """Stand for the function of a metric of pairs of numbers, or of votes, and raise: other modules compute it."""
    raise TypeError("This metric is not a function of counts.")


@dataclass(frozen=True)
class Metric:
    """A metric: of a table of counts, of ordered labels, of pairs of numbers, or of the votes of several raters.

    Attributes
    ----------
    key : str
        Name in JSON, tables and `--fail-under`.
    classes : {"two", "any", "many"}
        Defined for two classes only, for any number, or shown only for more than two.
    takes : {"table", "criteria", "values", "cost", "pairs", "votes"}
        What `function` takes: counts (..., K, K); counts of every criterion (..., C, K, K); counts and what the classes are
        worth, (K,); counts and the cost of every confusion, (K, K). "pairs" (of numbers) and "votes" (of raters) have no
        function of counts.
    low, high : float
        Range of the values.
    needs : tuple of Need
        Undefined exactly when there is no decision, one of these does not hold, or `varies` does not.
    transposed, flipped : str
        Key of the metric it becomes when reference and judge, or positive and negative, change places; a leading `-`
        for the opposite sign; empty when it becomes none of these.
    transform : {"logit", "fisher", "log", "root"} or None
        Scale on which its interval is symmetric; None: its own.
    unit : {"", "%", "points", "values", "p"}
        How a value is written; "values" is in the unit of the options or scores, "p" a p-value.
    has_interval : bool
    small_table : {"share", "rate", "overlap", "points"} or None
        Which interval a small table takes: of a share of all decisions, of a rate of some of them, of the overlap of what two
        sides call the same (F1), or of a difference of two shares; None: the quantiles of a Dirichlet.
    phrase : str
        Its name within a sentence of the report's methods, which leave out a metric without one.
    places : mapping of place to int
        Where it appears, and its rank there.
    varies : bool
        Whether the values of both sides must vary.
    fewest : int
        Classes below which it is undefined, because it would say nothing.
    best : float
        Its value where judge and reference are equal.
    formula : str
        In symbols, of two classes where it can be: TP, FN, FP, TN their cells, `agreement` and `chance` the shares seen and by
        chance, q = (π + π̂) / 2. Of more classes r and c are the sums of rows and columns; x is a number of the reference, y one
        of the judge.
    """

    key: str
    name: str
    symbol: str
    function: Callable[..., FloatArray]
    answers: str
    source: str
    group: Group = "rates"
    classes: Classes = "two"
    takes: Takes = "table"
    low: float = 0.0
    high: float = 1.0
    needs: tuple[Need, ...] = ()
    transposed: str = ""
    flipped: str = ""
    transform: Transform = None
    unit: Unit = ""
    has_interval: bool = True
    small_table: Literal["share", "rate", "overlap", "points"] | None = None
    phrase: str = ""
    places: Mapping[Place, int] = field(default_factory=dict)
    varies: bool = False
    fewest: int = 0
    best: float = 1.0
    formula: str = ""


def why_undefined(metric: Metric, counts: FloatArray, labels: Sequence[str], reference: str = "the reference") -> str:
    """Return why a metric has no value on one table; empty when it has one.

    Parameters
    ----------
    metric : Metric
    counts : ndarray, shape (K, K)
    labels : sequence of str
        Names on both axes.
    reference : str
        What the rows are called.
    """
    return why_not(metric.needs, counts, labels, reference)


def why_not(needs: Sequence[Need], counts: FloatArray, labels: Sequence[str], reference: str = "the reference") -> str:
    """Return the first of some needs that a table does not meet, or that it is empty, as a reason; empty when it meets them.

    Parameters
    ----------
    needs : sequence of Need
    counts : ndarray, shape (K, K)
    labels : sequence of str
        Names on both axes.
    reference : str
        What the rows are called.
    """
    if not counts.sum():
        return "no decision is left"
    for need in needs:
        if not holds(need, counts):
            return _sentence(need, counts, labels, reference)
    return ""


def holds(need: Need, counts: FloatArray) -> bool:
    """Return whether a table meets a need. Needs that speak of positives hold for every table of more than two classes.

    Parameters
    ----------
    need : Need
    counts : ndarray, shape (K, K)
    """
    reference, judge = counts.sum(-1) > 0, counts.sum(-2) > 0
    if need == "two labels":
        return bool((reference | judge).sum() > 1)
    if need == "reference varies":
        return bool(reference.sum() > 1)
    if need == "judge varies":
        return bool(judge.sum() > 1)
    if len(reference) > 2:
        return True
    place = 0 if need.endswith("positive") else 1
    if need == "reference has both":
        return bool(reference.all())
    if need.startswith("some"):
        return bool(reference[place] or judge[place])
    return bool((reference if need.startswith("reference") else judge)[place])


def _sentence(need: Need, counts: FloatArray, labels: Sequence[str], who: str) -> str:
    reference, judge = counts.sum(-1), counts.sum(-2)
    if need == "two labels":
        return f"both sides give only {labels[int(reference.argmax())]}"
    if need == "reference varies":
        return f"{who} gives one label only, {labels[int(reference.argmax())]}"
    if need == "judge varies":
        return f"the judge gives one label only, {labels[int(judge.argmax())]}"
    if need == "reference has both":
        return f"{who} never says {labels[int(reference.argmin())]}"
    side = {"some": "nobody says", "reference": f"{who} never says", "judge": "the judge never says"}[need.split()[0]]
    return f"{side} {labels[0 if need.endswith('positive') else 1]}"

"""Any report for every group of a column beside the whole: of raters, of scores, of two judges."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from metrics.analyses.comparison.forest import Forest
from metrics.analyses.comparison.result import Comparison
from metrics.analyses.raters.result import STATISTICS, RatersReport
from metrics.analyses.scores.result import ScoresReport
from metrics.analyses.slices.grouping import By, Grouping, grouping
from metrics.analyses.slices.heterogeneity import FEWEST_NORMAL, Heterogeneity, dersimonian_laird
from metrics.analyses.slices.parts import part_of
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.catalogue import QUADRATIC_KAPPA, record_of
from metrics.measures.transforms import Transform, off_scale, on_scale
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.report import Json, Report, or_none
from metrics.results.words import quoted

NORMAL = 1.959963984540054
"""Half the width of a 95 % interval in standard errors."""


@dataclass(frozen=True)
class Number:
    """The number by which groups are compared.

    Attributes
    ----------
    symbol, unit : str
    estimate : Estimate
    transform : {"logit", "fisher"} or None
        The scale on which its interval is symmetric.
    n : int
        Items or units behind it.
    """

    symbol: str
    unit: str
    estimate: Estimate
    transform: Transform
    n: int


@dataclass(frozen=True, eq=False)
class Sliced:
    """A report beside the same of every group.

    Attributes
    ----------
    by : str
        What the groups are groups of.
    columns : tuple of str
    whole : Report
    parts : mapping of str to Report or str
        Value to its report, or to why it has none.
    numbers : mapping of str to mapping of str to Number
        What is compared, such as a judge, to the number of every group that has one.
    tests : mapping of str to Heterogeneity
        By the same names: Cochran's Q from the intervals shown.
    """

    by: str
    columns: tuple[str, ...]
    whole: Report
    parts: Mapping[str, Report | str]
    numbers: Mapping[str, Mapping[str, Number]]
    tests: Mapping[str, Heterogeneity]

    def to_dict(self) -> Json:
        """Return the JSON object of the whole, with that of every group and the tests beside it."""
        whole = self.whole.to_dict()
        return whole | {
            "by": list(self.columns),
            "slices": {
                value: {"undefined": part} if isinstance(part, str) else _own(part.to_dict())
                for value, part in self.parts.items()
            },
            "heterogeneity": {name: _plain(asdict(test)) for name, test in self.tests.items()},
        }

    def summary(self) -> str:
        """Return the whole as text, then the number of every group and whether they differ."""
        return "\n\n".join([self.whole.summary(), *("\n".join(self._lines(name)) for name in self.tests)])

    def _lines(self, name: str) -> list[str]:
        numbers, test = self.numbers[name], self.tests[name]
        lines = [f"{name} by {words.plain(self.by)}", f"  {words.capital(_reading(self.by, numbers, test))}"]
        for value, part in self.parts.items():
            found = numbers.get(value)
            told = words.estimate(found.estimate, found.unit) if found is not None else words.UNDEFINED
            why = part if isinstance(part, str) else "" if found is None else found.estimate.why
            n = "" if found is None else f"n {words.count(found.n)}"
            lines.append(f"  {words.shorten(value):<28}{told:>26}  {n:<10}{why}".rstrip())
        return lines


def sliced(ratings: Ratings, by: Sequence[By], make: Callable[[Ratings], Any]) -> Sliced:
    """Return a report of the whole beside the same of every group, each as of a file with the rows of the group alone.

    Where raters of one decision have different values, each rating goes with its own: groups of people are then compared.

    Parameters
    ----------
    ratings : Ratings
    by : sequence of By
        One or two.
    make : callable
        From ratings to a report of raters, of scores or of two judges.

    Raises
    ------
    InputError
        For an unknown column, and as `make` for the whole.
    """
    whole = make(ratings)
    groups = grouping(ratings, by, apart=True)
    parts: dict[str, Report | str] = {}
    for place, value in enumerate(groups.values):
        try:
            parts[value] = make(part_of(groups, place))
        except InputError as error:
            parts[value] = str(error)
    found = {value: _numbers(part) for value, part in parts.items() if not isinstance(part, str)}
    names = dict.fromkeys(name for part in found.values() for name in part)
    numbers = {name: {value: part[name] for value, part in found.items() if name in part} for name in names}
    tests = {name: from_intervals(list(own.values()), groups) for name, own in numbers.items()}
    columns = tuple(dict.fromkeys(each.column for each in groups.by))
    return Sliced(groups.name, columns, whole, parts, numbers, tests)


def from_intervals(numbers: Sequence[Number], groups: Grouping) -> Heterogeneity:
    """Return whether numbers of different items differ, each with the standard error that its 95 % interval stands for.

    Parameters
    ----------
    numbers : sequence of Number
    groups : Grouping
        Of the numbers; there is no test where an item lies in several.
    """
    if groups.of_item is None or groups.in_file is not None:
        return Heterogeneity.untested("the slices share items")
    known = [each for each in numbers if each.estimate.ends is not None and each.n >= FEWEST_NORMAL]
    low, high = (np.array([each.estimate.ends[at] for each in known if each.estimate.ends]) for at in (0, 1))
    transform = known[0].transform if known else None
    value = on_scale(np.array([each.estimate.value for each in known]), transform)[0]
    error = (on_scale(high, transform)[0] - on_scale(low, transform)[0]) / (2 * NORMAL)
    there = np.isfinite(value) & np.isfinite(error) & (error > 0)
    if there.sum() < 2:
        return Heterogeneity.untested(f"fewer than two groups have an interval and {FEWEST_NORMAL} units")
    q, tau2, centre = dersimonian_laird(value[there], error[there])
    df = int(there.sum()) - 1
    return Heterogeneity.by_chi_square(q, df, tau2, float(off_scale(np.array(centre), transform)))


def _numbers(report: Report) -> dict[str, Number]:
    """Return the number by which a report is read first, by what it is of; that by the weights of items where it has one."""
    if isinstance(report, Comparison):
        unit = record_of(report.metric).unit
        symbol = f"difference in {record_of(report.metric).symbol}"
        difference = report.decisive[0].difference
        return {"difference": Number(symbol, words.unit_of_difference(unit), difference, None, report.n_units)}
    if isinstance(report, Forest):
        return {}
    if isinstance(report, RatersReport):
        record, block = STATISTICS["alpha"], report.pooled
        alpha = block["alpha"] if block.weighted is None else block.weighted.estimates["alpha"]
        return {"alpha": Number(record.symbol, record.unit, alpha, _scale(record.transform), block.n_items)}
    assert isinstance(report, ScoresReport)
    out = {}
    for name, judge in report.judges.items():
        key = QUADRATIC_KAPPA.key if QUADRATIC_KAPPA.key in judge.pooled else "pearson"
        if key in judge.pooled:
            estimate = judge.pooled[key] if judge.weighted is None else judge.weighted.estimates[key]
            out[name] = Number(record_of(key).symbol, "", estimate, "fisher", judge.n_used or 0)
    return out


def _scale(transform: Transform) -> Transform:
    return transform if transform in ("logit", "fisher") else None


def _reading(by: str, numbers: Mapping[str, Number], test: Heterogeneity) -> str:
    symbol = next((each.symbol for each in numbers.values()), "the number")
    groups = f"groups by {quoted(by)}"
    if math.isnan(test.p):
        return f"whether {symbol} differs between {groups} is not tested: {test.why}."
    told = f"Q {words.number(test.q)} on {test.df}, p {words.p_value(test.p)}, chi-square"
    if test.p <= 0.05:
        return f"{symbol} differs between {groups} ({told})."
    return f"{symbol} is not seen to differ between {groups} ({told})."


def _own(part: Json) -> Json:
    """Return the object of a group without what it shares with the whole."""
    return {key: value for key, value in part.items() if key not in ("version", "declaration", "settings")}


def _plain(value: Mapping[str, Any]) -> Json:
    return {key: or_none(each) if isinstance(each, float) else each for key, each in value.items()}

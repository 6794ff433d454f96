"""Columns that are worked out of others beside them, and nobody's label of their own: a majority, a mean, a total, an outcome."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.data.vocabulary import meaning
from metrics.readers.columns import Layout
from metrics.readers.label_columns import FEWEST_MATCHED
from metrics.readers.measuring import numbers_in
from metrics.readers.names import OUTCOME, PERSON, spaced
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_empty, is_numeric

_MAJORITY = re.compile(r"\b(majority|aggregated?)\b")
_MEAN = re.compile(r"\b(avg|average|mean|median|mittelwert|durchschnitt|moyenne|promedio|média|media)\b")
_TOTAL = re.compile(rf"\b(total|sum|overall|composite|gesamt\w*|summe|globale?)\b|{_MEAN.pattern}")
_ROUNDED = 0.06
"""How far a mean that is written with one decimal place may be from what it was."""
_LEAST_ROWS = 6
"""Rows in all of which a column is what others give, from which that is no accident."""
_LEAST_VOTES = 2
"""Votes of others from which there is a majority."""
Numbers = NDArray[np.float64]


def is_majority(table: TextTable, column: str, others: Sequence[str]) -> bool:
    """Return whether a column is called a majority, and is what most of the others say wherever most say the same, or a mean, and
    is the mean, or the median, of their numbers. One that is called after nobody is, where it has numbers between theirs.

    Parameters
    ----------
    table : TextTable
    column : str
    others : sequence of str
        Columns of labels of single people, or of single judges.
    """
    if len(others) >= _LEAST_VOTES and (_MEAN.search(spaced(column)) or _is_between(table, column, others)):
        return _is_mean(table, column, others)
    if len(others) < _LEAST_VOTES or not _MAJORITY.search(spaced(column)):
        return False
    sides = [table.coded(name) for name in (column, *others)]
    names = list(dict.fromkeys(name for side in sides for name in side.names))
    place = [np.append([names.index(name) for name in side.names], -1).astype(int)[side.codes] for side in sides]
    votes = np.sum([vote[:, None] == np.arange(len(names)) for vote in place[1:]], axis=0)
    settled = 2 * votes.max(1, initial=0) > votes.sum(1)
    return bool(settled.any() and (votes.argmax(1) == place[0])[settled].all())


def _is_between(table: TextTable, column: str, others: Sequence[str]) -> bool:
    """Return whether a column that is called after nobody has other numbers than whole ones, and all others have those alone."""
    if role_of_column(column) or not all(is_numeric(table, name) for name in (column, *others)):
        return False
    whole = [not (numbers_in(table, name)[:-1] % 1).any() for name in (column, *others)]
    return not whole[0] and all(whole[1:])


def _is_mean(table: TextTable, column: str, others: Sequence[str]) -> bool:
    if not all(is_numeric(table, name) and not is_empty(table, name) for name in (column, *others)):
        return False
    numbers = _numbers(table, [column, *others])
    middles = np.array([numbers[1:].mean(0), np.median(numbers[1:], axis=0)])
    near = (np.abs(middles - numbers[0]) <= _ROUNDED).all(1)
    return numbers.shape[1] >= _LEAST_ROWS and bool(near.any())


def _numbers(table: TextTable, columns: Sequence[str]) -> Numbers:
    """Return the numbers of columns, a row for each, where all of them have one."""
    numbers = np.array([numbers_in(table, name)[table.coded(name).codes] for name in columns])
    return numbers[:, ~np.isnan(numbers).any(0)]


def totals(table: TextTable, criteria: Sequence[str]) -> list[str]:
    """Return columns of one rater that are, in every row, the sum or the mean of those before or behind them, or of all others.

    Parameters
    ----------
    table : TextTable
    criteria : sequence of str
        Columns of one rater, one for each criterion.
    """
    columns = [column for column in criteria if is_numeric(table, column) and not is_empty(table, column)]
    if len(columns) <= _LEAST_VOTES:
        return []
    numbers = _numbers(table, columns)
    if numbers.shape[1] < _LEAST_ROWS:
        return []
    return [column for place, column in enumerate(columns) if _is_total(column, numbers, place)]


def _is_total(column: str, numbers: Numbers, place: int) -> bool:
    own, named = numbers[place], _TOTAL.search(spaced(column)) is not None
    return any(
        len(parts) >= _LEAST_VOTES and (_is_sum(own, parts, named=named) or _is_mean_of(own, parts, named=named))
        for parts in (numbers[:place], numbers[place + 1 :], np.delete(numbers, place, 0))
    )


def _is_sum(own: Numbers, parts: Numbers, *, named: bool) -> bool:
    """Return whether numbers are sums, of which the greatest is beyond the scale of the parts, or that are called so."""
    alone = (own == parts).all(1).any()
    return not alone and (named or own.max() > parts.max()) and bool(np.allclose(own, parts.sum(0), rtol=0, atol=1e-9))


def _is_mean_of(own: Numbers, parts: Numbers, *, named: bool) -> bool:
    """Return whether numbers are means of parts that differ, and are called so, or lie between the numbers that parts have."""
    between = not np.isin(own, parts).all() and not (parts % 1).any()
    return (named or between) and bool((parts != parts[0]).any()) and bool((np.abs(own - parts.mean(0)) <= _ROUNDED).all())


_OF_METRIC = re.compile(rf"(?:(?P<metric>.+) )?{OUTCOME.pattern}")
_SCORE = re.compile(r"(?:(?P<metric>.+) )?(?:score|score raw|raw score|score value)")


def outcomes_of_scores(table: TextTable, columns: Sequence[str]) -> list[str]:
    """Return columns that are called after an outcome, beside a score of the same name that tells their two words apart.

    Parameters
    ----------
    table : TextTable
    columns : sequence of str
        Of labels.
    """
    return [column for column in columns if any(_splits(table, score, column) for score in _scores_of(table, column))]


def _scores_of(table: TextTable, column: str) -> list[str]:
    called = _OF_METRIC.fullmatch(spaced(column))
    if called is None or role_of_column(column) == "human":
        return []
    scores = [(other, _SCORE.fullmatch(spaced(other))) for other in table.columns if other != column]
    return [score for score, match in scores if match and match["metric"] == called["metric"] and is_numeric(table, score)]


def _splits(table: TextTable, score: str, column: str) -> bool:
    """Return whether all rows of one word have higher scores than all of the other, in enough rows that it is no accident."""
    coded = table.coded(column)
    kinds = [known.kind if (known := meaning(name)) else "" for name in coded.names]
    if sorted(kinds) != ["negative", "positive"]:
        return False
    numbers = numbers_in(table, score)[table.coded(score).codes]
    yes, no = (numbers[(coded.codes == kinds.index(kind)) & ~np.isnan(numbers)] for kind in ("positive", "negative"))
    if not len(yes) or not len(no) or len(yes) + len(no) < FEWEST_MATCHED:
        return False
    return bool(yes.min() > no.max() or yes.max() < no.min())


def outcomes_of_judge(table: TextTable, layout: Layout, shared: Sequence[str]) -> list[str]:
    """Return columns that say whether the judge’s score is high enough.

    By the name alone none where a person or a judge may have said it.

    Parameters
    ----------
    table : TextTable
    layout : Layout
    shared : sequence of str
        Columns of labels.
    """
    proved = outcomes_of_scores(table, shared)
    score = layout.columns.get("score")
    if score is None or "verdict" in layout.columns or not table.coded(score).names or not is_numeric(table, score):
        return proved
    named = any(PERSON.search(spaced(column)) for column in table.columns)
    if named or any(role_of_column(column) == "judge" for column in shared):
        return proved
    return [column for column in shared if column in proved or OUTCOME.fullmatch(spaced(column))]

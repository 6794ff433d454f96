"""Columns that say whether a score beside them is high enough: the same evaluator once more, and nobody else's label."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from metrics.data.vocabulary import meaning
from metrics.readers.columns import Layout
from metrics.readers.label_columns import FEWEST_MATCHED
from metrics.readers.measuring import numbers_of
from metrics.readers.names import OUTCOME, PERSON, spaced
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_numeric

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
    coded, measured = table.coded(column), table.coded(score)
    kinds = [known.kind if (known := meaning(name)) else "" for name in coded.names]
    if sorted(kinds) != ["negative", "positive"]:
        return False
    numbers = np.append(numbers_of(measured.names), np.nan)[measured.codes]
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

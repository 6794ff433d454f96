"""What a criterion asks for, in the words of the file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from metrics.data.ratings import Ratings
from metrics.data.vocabulary import normalise

COLUMNS = (
    "definition", "criterion definition", "criterion text", "criterion description", "requirement", "description", "rubric",
)  # fmt: skip
"""Columns that hold it, the likeliest first; their names compare as labels do."""


@dataclass(frozen=True)
class Definition:
    """A wording, and where it stands.

    Attributes
    ----------
    text : str
        Empty where the file has none.
    column : str
        Of the file; empty where it is the rubric of the file.
    n_others : int
        Other wordings of the same criterion in that column.
    """

    text: str = ""
    column: str = ""
    n_others: int = 0


def definition_of(ratings: Ratings, criterion: str) -> Definition:
    """Return the wording of a criterion: from the rubric in the file, else its commonest one in a column that holds such."""
    stated = next(
        (rubric_criterion.definition for rubric_criterion in ratings.source.rubric if rubric_criterion.name == criterion), ""
    )
    if stated:
        return Definition(stated)
    column = _column(ratings)
    if ratings.table is None or column is None:
        return Definition()
    places = np.flatnonzero(ratings.criterion == ratings.criteria.index(criterion))
    rows, first = np.unique(ratings.row[places], return_index=True)
    wordings: Counter[str] = Counter()
    texts = ratings.table[column].take(pa.array(rows)).to_pylist()
    for text, times in zip(texts, ratings.weight[ratings.item[places[first]]].tolist(), strict=True):
        if text and text.strip():
            wordings[text.strip()] += times
    commonest, n = next(iter(wordings.most_common(1)), ("", 0))
    # What is another text on most rows says something of the items.
    if not commonest or 2 * n < wordings.total():
        return Definition()
    return Definition(commonest, column, len(wordings) - 1)


def _column(ratings: Ratings) -> str | None:
    """Return the column that holds the wordings, among those without a role."""
    if ratings.table is None:
        return None
    roles = {name for _, name in ratings.columns}
    free = {normalise(name): name for name in reversed(ratings.table.column_names) if name not in roles}
    return next((free[name] for name in COLUMNS if name in free), None)

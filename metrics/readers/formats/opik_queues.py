"""Opik's annotation queues: a column for each reviewer and score."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.vocabulary import is_number
from metrics.readers.formats.canonical import canonical, everywhere, first_filled, is_in, mapped, text
from metrics.readers.table import TextTable

ALONE = "a comment without a score"
NO_REASON = "<no reason>"
_BASE = ("id", "input", "output", "metadata", "first_message", "last_message")
_EMPTY = frozenset({"", "null", "undefined", NO_REASON})
"""Cells that Opik's CSV writes where there is nothing."""
_NO_REVIEWERS = frozenset(
    "scores score results result feedback eval evals evaluation annotations usage metrics labels expected model judge llm".split()
)
"""Records in a log of any tool that are no reviewer's."""
_SAMPLE = 200
"""Distinct cells that show what a column holds."""


def _field_of(column: str) -> str:
    """Return the field of a queue's item that a column belongs to; empty for a reviewer's."""
    return next((name for name in _BASE if column == name or column.startswith(f"{name}.")), "")


def _is_reviewers(column: str) -> bool:
    return not _field_of(column)


def fits(names: Set[str]) -> bool:
    """Return whether columns are those of an item, and all others somebody's `reviewer.score`."""
    base = set(map(_field_of, names))
    others = [name for name in names if not _field_of(name)]
    item = "id" in names and ({"input", "output", "metadata"} <= base or {"first_message", "last_message"} <= base)
    return item and bool(others) and all("." in name and name.partition(".")[0] not in _NO_REVIEWERS for name in others)


def holds(table: TextTable) -> bool:
    """Return whether the scores of a queue are numbers, as all of Opik’s are."""
    columns = [column for scores in _scores_of(list(filter(_is_reviewers, table.columns))).values() for column in scores.values()]
    cells = {name for column in columns for name in table.head(column, _SAMPLE)}
    return bool(columns) and all(name in _EMPTY or is_number(name) for name in cells)


def read(table: TextTable) -> TextTable:
    """Return the ratings of an annotation queue: a row for each reviewer and score of an item."""
    blank, blocks = everywhere("", table.n_rows), list[pa.Table]()
    for reviewer, columns in _scores_of(list(filter(_is_reviewers, table.columns))).items():
        comment, silent = _cells(table, f"{reviewer}.comment"), np.ones(table.n_rows, bool)
        for name, column in columns.items():
            score, reason = _cells(table, column), first_filled(_cells(table, f"{column}.reason"), comment)
            silent &= is_in(score, "")
            blocks.append(_block(~is_in(score, ""), reviewer, name.strip(), score, reason))
        blocks.append(_block(~is_in(comment, "") & silent, reviewer, "", blank, comment))
    ratings = pa.concat_tables(blocks).sort_by("place").combine_chunks()
    places = ratings["place"].to_numpy()
    numbers = table.numbers if table.numbers is not None else np.arange(table.n_rows) + table.first_row
    base = table.data.select([column for column in table.columns if not _is_reviewers(column)]).take(ratings["place"])
    long = replace(table, data=base, numbers=numbers[places], memo={})
    columns = {name: ratings[name].combine_chunks() for name in ("criterion", "rater", "role", "score", "reason")}
    return canonical(long, columns | {"item": text(long, "id")}, [(ALONE, is_in(columns["criterion"], ""))])


def _block(rows: NDArray[np.bool_], reviewer: str, name: str, score: pa.Array, reason: pa.Array) -> pa.Table:
    """Return what one reviewer said under one name.

    Parameters
    ----------
    rows : ndarray of bool, shape (n,)
        Items that the reviewer said something of.
    reviewer, name : str
    score, reason : pa.Array, length n
    """
    place = pa.array(np.flatnonzero(rows))
    words = {"rater": reviewer, "criterion": name, "role": "human"}
    constant = {column: pa.repeat(pa.scalar(cell), len(place)) for column, cell in words.items()}
    return pa.table({"place": place, **constant, "score": score.take(place), "reason": reason.take(place)})


def _cells(table: TextTable, column: str) -> pa.Array:
    """Return the cells of a column, empty where Opik writes that there is nothing."""
    return mapped(text(table, column), lambda cell: "" if cell in _EMPTY else cell)


def _scores_of(columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return of each reviewer the names of scores and their columns; names of people may have full stops in them."""
    known = sorted((name.removesuffix(".comment") for name in columns if name.endswith(".comment")), key=len, reverse=True)
    scores: dict[str, dict[str, str]] = {name: {} for name in known}
    for column in columns:
        if column.endswith(".comment") or (column.endswith(".reason") and column.removesuffix(".reason") in columns):
            continue
        reviewer = next((name for name in known if column.startswith(f"{name}.")), column.rpartition(".")[0])
        scores.setdefault(reviewer, {})[column[len(reviewer) + 1 :]] = column
    return scores

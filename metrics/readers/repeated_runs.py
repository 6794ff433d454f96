"""Several runs of one rater on one decision, told apart by a column: one is its verdict, all are kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metrics.readers.building import Part, Repeated
from metrics.readers.label_codes import Ints
from metrics.readers.messages import brief, times
from metrics.readers.repeats import Keys, compact, is_unique
from metrics.readers.table import TextTable

UNNAMED = ""
"""Name of the run of rows whose cell is empty; it comes last."""


@dataclass(frozen=True)
class RunColumn:
    """Run of every row, codes in the order of the runs: numbers by value, other names by their first row."""

    column: str
    codes: Ints
    names: tuple[str, ...]
    times: NDArray[np.int64] | None = None
    """In a tally, how many rows each stands for."""

    def n_rows(self, part: Part) -> int:
        """Return rows of ratings."""
        return len(part.row) if self.times is None else int(self.times[part.row].sum())


def run_column(table: TextTable, column: str | None) -> RunColumn:
    """Return the runs of a table; one of them where no column tells runs apart."""
    times = None if table.merged is None else table.merged.times
    if column is None:
        return RunColumn("", np.zeros(table.n_rows, np.int32), (UNNAMED,), times)
    coded = table.coded(column)
    names = (*coded.names, UNNAMED)
    numbers = pd.to_numeric(pd.Series(coded.names, dtype="object"), errors="coerce").to_numpy(np.float64)
    order = np.arange(len(numbers)) if np.isnan(numbers).any() else np.argsort(numbers, kind="stable")
    order = np.append(order, len(numbers))
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    return RunColumn(column, rank[coded.codes], tuple(names[place] for place in order), times)


def first_runs(part: Part, runs: RunColumn, keys: Keys, size: int) -> tuple[Part, Repeated | None]:
    """Return the first run of every decision, and all runs of the decisions that have several.

    Parameters
    ----------
    part : Part
        No decision twice in one run.
    runs : RunColumn
    keys : ndarray of int, shape (n,)
        Decision and rater of each rating, below `size`.
    size : int

    Returns
    -------
    part : Part
    repeated : Repeated or None
        None where no decision has several runs.
    """
    keys, size = compact(keys, size)
    if len(runs.names) == 1 or is_unique(keys, size):
        return part, None
    run = runs.codes[part.row]
    by_run = np.argsort(run, kind="stable")
    first = np.empty(size, np.int64)
    first[keys[by_run[::-1]]] = by_run[::-1]
    several = np.bincount(keys, minlength=size)[keys] > 1
    return part.where(first[keys] == np.arange(len(keys))), Repeated(part.where(several), run[several], runs.names)


def run_note(kept: Part, repeated: Repeated, runs: RunColumn, decisions: int) -> str:
    """Return how runs were read, one sentence to a choice.

    Parameters
    ----------
    kept : Part
        One run of every decision.
    repeated : Repeated
    runs : RunColumn
    decisions : int
        How many have several runs; in a tally, of the table that was counted.
    """
    used = np.flatnonzero(np.bincount(repeated.run, minlength=len(runs.names)))
    first = next((brief(runs.names[place], 30) for place in used if runs.names[place]), "")
    later = runs.n_rows(kept.where(_is_later(kept, repeated, runs)))
    stand_in = f" On {times(later, 'decision', 'decisions')} the first run has no label: a later one counts." if later else ""
    return (
        f"‘{brief(runs.column)}’ tells repeated runs apart: {times(runs.n_rows(repeated.part), 'rating', 'ratings')} of "
        f"{times(decisions, 'decision', 'decisions')} that one rater gave more than once. Its verdict on each is that of the "
        f"first run there (‘{first}’ where it is there); the other runs are kept, to see how far it agrees with itself.{stand_in}"
    )


def _is_later(kept: Part, repeated: Repeated, runs: RunColumn) -> NDArray[np.bool_]:
    """Return which decisions count with another run than the first that their rater has anywhere."""
    first = np.full(int(max(kept.rater.max(), repeated.part.rater.max())) + 1, len(runs.names))
    np.minimum.at(first, repeated.part.rater, repeated.run)
    own = runs.codes[kept.row]
    return np.asarray((first[kept.rater] < len(runs.names)) & (own > first[kept.rater]))

"""Tables of an agreement report: the levels side by side, and every criterion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from metrics.analyses.records import Block, JudgeReport
from metrics.data.aggregation import LEVEL_NAMES, LEVELS
from metrics.measures.catalogue import BY_KEY
from metrics.results.tables import Cell, Column, Format, Table, by_metric, by_part, cell, form_of, with_column, with_ends

Numbers = Iterable[tuple[str, str, Format]]
"""Name, key and format of each metric."""

CELLS = ("TP", "FN", "FP", "TN")


def levels(judge: JudgeReport, numbers: Numbers, caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return every metric on all decisions together, as the mean over the criteria, and of one verdict an item.

    Behind them stands over how many of the criteria the mean goes.

    Parameters
    ----------
    judge : JudgeReport
    numbers : iterable of (str, str, Format)
        Name, key and format of each metric.
    caption : str
    notes : iterable of str
        Lines below the table.
    """
    shown = tuple(numbers)
    parts = [(with_ends(LEVEL_NAMES[level].lower()), judge.level(level)) for level in LEVELS]
    table = by_metric("levels", caption, Column("metric"), shown, parts, notes)
    return with_column(table, Column("criteria with a value"), (mean_of(judge.macro, key) for _, key, _ in shown))


def criteria(judge: JudgeReport, metrics: Sequence[tuple[Column, str]], caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return every criterion with its decisions and how far the judge agrees on it.

    Parameters
    ----------
    judge : JudgeReport
    metrics : sequence of (Column, str)
        Column and key of each metric.
    caption : str
    notes : iterable of str
        Lines below the table.
    """
    rows: list[tuple[Sequence[Cell], Block]] = [((name, block.n), block) for name, block in judge.criteria.items()]
    return by_part("criteria-agreement", caption, (Column("criterion"), Column("n", "count")), rows, metrics, notes)


def counted(judge: JudgeReport, keys: Sequence[str]) -> Table:
    """Return every criterion with what was counted, some metrics, the ends of κ where it is among them, and coverage."""
    two, ends = len(judge.micro.labels) == 2, ("κ low", "κ high") if "kappa" in keys else ()
    head = (
        Column("criterion"), Column("n", "count"), *(Column(name, "count") for name in (CELLS if two else ())),
        *(Column(BY_KEY[key].symbol, form_of(BY_KEY[key])) for key in keys), *(Column(name, "number") for name in ends),
        Column("coverage", "percent"), Column("one label only"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for name, block in judge.criteria.items():
        cells = np.asarray(block.confusion).ravel().tolist() if two else []
        numbers = (*(block.values[key] for key in keys), *((block["kappa"].ends or (None, None)) if ends else ()))
        coverage = judge.criterion_coverage[name].coverage
        rows.append((name, block.n, *cells, *map(cell, numbers), cell(coverage), "yes" if block.degenerate else ""))
    return Table("criteria", "", head, tuple(rows))


def mean_of(block: Block, key: str) -> str:
    """Return over how many of how many criteria a mean goes: "4 of 5"; empty where it is none."""
    return " of ".join(map(str, block[key].of or ()))

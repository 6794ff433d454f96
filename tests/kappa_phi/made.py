"""Tables and rows that the tests of κ and φ share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

import metrics
from metrics.analyses.kappa_phi.rows import GapRow, by_criterion, in_order
from metrics.analyses.records import Block
from metrics.results.estimate import estimates_of
from metrics.results.words import HARD_SPACE
from tests.conftest import of_tables

STRICT, LENIENT, EVEN = [[20, 30], [5, 45]], [[45, 5], [30, 20]], [[40, 10], [10, 40]]
ZERO, NEGATIVE, CONSTANT = [[10, 10], [40, 40]], [[10, 40], [20, 30]], [[20, 0], [80, 0]]
cells = st.one_of(st.integers(0, 6), st.integers(0, 5000))
tables = st.tuples(cells, cells, cells, cells).map(lambda c: np.reshape(c, (2, 2)))


def report(*counts, names=None, interval="auto", labels=("MET", "UNMET"), **options):
    ratings = of_tables(*counts, labels=labels, **options)
    ratings = replace(ratings, criteria=tuple(names)) if names else ratings
    return metrics.agreement(ratings, interval=interval)


def rows(*counts, **options) -> tuple[GapRow, ...]:
    return by_criterion(report(*counts, **options).judges["j"])


def told(text: str) -> str:
    """With plain spaces."""
    return text.replace(HARD_SPACE, " ")


def row(counts, **options) -> GapRow:
    return rows(counts, **options)[0]


def bare(counts) -> GapRow:
    """A row with nothing but what the counts say."""
    table = np.asarray(counts, np.int64)
    two = metrics.measures.catalogue.applicable(2, "table")
    values = {metric.key: float(metric.function(table)) for metric in two}
    reasons = {metric.key: metrics.measures.metric.why_undefined(metric, table, ("MET", "UNMET")) for metric in two}
    undefined = {key: why for key, why in reasons.items() if why}
    return GapRow("c", Block(int(table.sum()), ("MET", "UNMET"), table, estimates=estimates_of(values, undefined)))


def of_judges(tables: dict[str, list], *, level: str = "macro", **options) -> tuple[GapRow, ...]:
    """One row per judge, each with a table per criterion."""
    return in_order(GapRow(name, report(*counts, **options).judges["j"].level(level)) for name, counts in tables.items())

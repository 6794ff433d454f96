"""Table of preferences by criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics.analyses.preferences.compute import Convention, Preferences
from metrics.analyses.preferences.readings import symbol_of
from metrics.measures.catalogue import record_of
from metrics.results.estimate import Estimate
from metrics.results.tables import Cell, Column, Table, by_part, form_of


def by_criterion(preferences: Preferences, convention: Convention) -> Table:
    """Return one way of counting ties by criterion, pooled above and the mean over the criteria below."""
    pooled = preferences.pooled[convention]
    blocks = [("All, pooled", pooled), *((name, block[convention]) for name, block in preferences.criteria.items())]
    rows: list[tuple[Sequence[Cell], Mapping[str, Estimate]]] = [((name, block.n), block.values) for name, block in blocks]
    if preferences.means:
        rows.append((("Mean over criteria", None), preferences.means[convention]))
    metrics = [(Column(symbol_of(key), form_of(record_of(key))), key) for key in pooled.values]
    return by_part("preferences", "", (Column("Criterion"), Column("Decisions", "count")), rows, metrics)

"""Tables of preferences: by criterion, of both orders, of systems, and every number for a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metrics.analyses.preferences.compute import CONVENTIONS, Convention, Preference, Preferences
from metrics.analyses.preferences.positions import Positions
from metrics.analyses.preferences.readings import estimate_text, symbol_of
from metrics.analyses.preferences.systems import System
from metrics.measures.catalogue import record_of
from metrics.results import words
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


def order_table(positions: Positions) -> dict[str, list[str]]:
    """Return how often each way of taking the two orders agrees with the reference."""
    names = {
        "file": "Order of the file",
        "swapped": "Swapped order",
        "consistent": "Same winner in both orders only",
    }
    rows = [(names[key], share) for key, share in positions.right.items()]
    return {
        "Taken as the answer": [name for name, _ in rows],
        "Agrees with the reference": [words.estimate(share, "%") if share.total else words.UNDEFINED for _, share in rows],
        "Decisions": [words.count(share.total) for _, share in rows],
    }


def systems_table(systems: Sequence[System]) -> dict[str, list[str]]:
    """Return how often each system wins by either side, and the difference."""
    return {
        "System": [system.name for system in systems],
        "Decisions": [words.count(system.n) for system in systems],
        "Wins by the reference": [estimate_text(system.reference, "%") for system in systems],
        "Wins by the judge": [estimate_text(system.judge, "%") for system in systems],
        "Judge less reference": [estimate_text(system.difference, "points") for system in systems],
    }


def frame(preferences: Preferences) -> list[dict[str, Any]]:
    """Return every number with what it rests on, one row each, for a download."""
    d = preferences.declaration
    shared_columns = {**d.file_columns(), "scale": d.scale, "reference": d.reference, "judge": preferences.judge}
    rows = []
    for convention in CONVENTIONS:
        for criterion, preference in [
            ("", preferences.pooled[convention]),
            *((name, by_convention[convention]) for name, by_convention in preferences.criteria.items()),
        ]:
            rows += [
                {**shared_columns, **_row(convention, criterion, preference, key, value)}
                for key, value in _numbers(preference).items()
            ]
        for key, value in preferences.means.get(convention, {}).items():
            preference = preferences.pooled[convention]
            rows.append({**shared_columns, **_row(convention, "mean over criteria", preference, key, value)})
    return rows


def _numbers(preference: Preference) -> dict[str, Estimate]:
    wins = {
        "wins_reference": preference.wins.reference,
        "wins_judge": preference.wins.judge,
        "wins_difference": preference.wins.difference,
    }
    return {**preference.values, **wins}


def _row(convention: Convention, criterion: str, preference: Preference, key: str, value: Estimate) -> dict[str, Any]:
    return {"ties": convention, "criterion": criterion, "n": preference.n, "metric": key, **value.cells()}

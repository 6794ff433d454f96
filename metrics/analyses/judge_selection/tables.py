"""Tables of judges to choose from: what each reaches, and every one less the first in every reading."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.analyses.comparison.readings import LEVEL_WORDS
from metrics.analyses.judge_selection.candidates import AT, SYMBOLS, unit_of
from metrics.analyses.judge_selection.ranking import Ranking
from metrics.results import words
from metrics.results.tables import UNITS, Cell, Column, Table


def ranked(ranking: Ranking) -> Table:
    """Return every judge with its numbers, their intervals and ranks, and what the benchmark asks of it."""
    order, mark = ranking.order, ranking.benchmark
    keys = (*ranking.keys, *((AT,) if mark else ()))
    columns: list[tuple[Column, Sequence[Cell]]] = [
        (Column("judge"), [candidate.name for candidate in order]),
        (Column("ranked_by"), [ranking.by] * len(order)),
        *((_ended(key), [candidate[key] for candidate in order]) for key in keys),
        *((Column(f"{key}_rank", "count"), ranking.ranks[key]) for key in ranking.keys),
        *(
            (Column(f"n_{name}", "count"), [candidate.sizes[place] for candidate in order])
            for place, name in enumerate(ranking.labels)
        ),
        (Column("coverage", "percent"), [candidate.coverage for candidate in order]),
    ]
    constants: dict[str, Cell] = {"confidence": ranking.confidence}
    if mark is not None:
        columns += [
            (_ended("answers"), [candidate.answers for candidate in order]),
            (Column("tpr", "percent"), [candidate.tpr for candidate in order]),
            (Column("fpr", "percent"), [candidate.fpr for candidate in order]),
        ]
        constants |= {"benchmark_prevalence": mark.prevalence, "stated": mark.is_given, "difference": mark.difference}
    columns += [(Column(name, "number"), [what] * len(order)) for name, what in constants.items()]
    return Table("judges", "", tuple(column for column, _ in columns), tuple(zip(*(cells for _, cells in columns), strict=True)))


def readings(ranking: Ranking) -> Table:
    """Return every other judge less the first in every reading; no rows where there is one reading."""
    by = {level: ranking.by if level != "within" else "kappa" for level in LEVEL_WORDS}
    unit = {level: words.unit_of_difference(unit_of(key)) for level, key in by.items()}
    shown = (Column(f"{SYMBOLS[by[level]]} {name}", UNITS.get(unit[level], "number")) for level, name in LEVEL_WORDS.items())
    columns = (Column("judge"), *shown, Column("readings"))
    rows = tuple(
        (
            words.plain(against.name),
            *(against.readings[level].difference for level in LEVEL_WORDS),
            "disagree" if against.disagree else "agree",
        )
        for against in ranking.against
    )
    return Table("readings", "", columns, rows)


def _ended(key: str) -> Column:
    """Return a column whose ends stand in a file as “key_low” and “key_high”."""
    return Column(key, UNITS.get(unit_of(key), "number"), (f"{key}_low", f"{key}_high"))

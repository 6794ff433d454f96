"""Tables of several judges against a baseline, and their terminal text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from metrics.analyses.comparison.readings import CORRECTED, LEVEL_WORDS, SILENCE_WORDS, beside_words, unit_apart, unit_of
from metrics.analyses.planning.compute import unit_words
from metrics.measures.catalogue import BY_KEY
from metrics.results import tables, words
from metrics.results.tables import UNITS, Cell, Column, Table, form_of

if TYPE_CHECKING:
    from metrics.analyses.comparison.result import Forest

WIDTHS = (-30, 10, 14, 24, 8, 8, 8)
"""Letters of the columns on a terminal."""


def against(forest: Forest) -> Table:
    """Return every judge: its value, the difference from the baseline with its interval, p and p corrected, and shared items."""
    columns = (
        Column("judge"), Column("value", form_of(BY_KEY[forest.metric])), Column("difference"), Column("interval"),
        Column("p", "three"), Column(CORRECTED[forest.best], "three"), Column("items", "count"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for one, corrected in zip(forest.against, forest.corrected, strict=True):
        difference = words.value(one.difference.value, unit_of(one)), words.bounds(one.difference.ends, unit_apart(one.metric))
        rows.append((one.b.name, one.b.estimate.value, *difference, one.permutation.p, corrected, one.n_items))
    return Table("judges", "", columns, tuple(rows))


def readings(forest: Forest) -> Table:
    """Return every judge less the baseline in every reading; no rows where there is one reading."""
    judges = forest.against if any(map(beside_words, forest.against)) else ()
    levels = {head: [one.levels.get(name) for one in judges] for name, head in LEVEL_WORDS.items()}
    silence = {
        head: [one.others.get(name, one.common) for one in judges]
        for name, head in SILENCE_WORDS.items()
        if any(name in one.others for one in judges)
    }
    shown = {head: own for head, own in (levels | silence).items() if any(own)}
    metrics = {head: next(one.metric for one in own if one) for head, own in shown.items()}
    columns = (Column(head, UNITS.get(unit_apart(metric), "number")) for head, metric in metrics.items())
    cells = ([one and one.difference for one in own] for own in shown.values())
    names, agree = [words.plain(one.b.name) for one in judges], ["disagree" if one.disagree else "agree" for one in judges]
    rows = tuple(zip(names, *cells, agree, strict=True))
    return Table("readings", "", (Column("judge"), *columns, Column("readings")), rows)


def summary(forest: Forest) -> str:
    """Return a forest as text."""
    head, *rows = tables.lines(against(forest), WIDTHS)
    lines = [f"{forest.baseline} is the baseline", f"  {head}"]
    for row, one in zip(rows, forest.against, strict=True):
        lines += [f"  {row}", *(f"    {text}" for text in beside_words(one))]
    lines.append(f"  Intervals {words.percent(forest.confidence)}, paired jackknife, {unit_words(forest.unit)} left out.")
    return "\n".join([*lines, *_notes(forest), "", forest.reading])


def _notes(forest: Forest) -> Iterator[str]:
    """Yield what must be known of the intervals, by judge."""
    for one in forest.against:
        said = [one.difference.note, one.b.estimate.note and f"own value: {one.b.estimate.note}"]
        if any(said):
            yield f"  {words.shorten(one.b.name)}: {'; '.join(filter(None, said))}."
    yield from (f"  {text}" for text in forest.cautions)

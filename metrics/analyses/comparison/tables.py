"""Tables of several judges against a baseline, and their terminal text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from metrics.analyses.comparison.forest import Forest, corrected_head
from metrics.analyses.comparison.readings import (
    LEVEL_WORDS,
    SILENCE_WORDS,
    beside_words,
    p_words,
    reading_words,
    unit_apart,
    unit_of,
)
from metrics.analyses.planning.compute import unit_words
from metrics.measures.catalogue import BY_KEY
from metrics.results import tables, words
from metrics.results.prose import Paragraph, Passage
from metrics.results.tables import UNITS, Cell, Column, Table, form_of

if TYPE_CHECKING:
    from metrics.analyses.comparison.result import Comparison

WIDTHS = (-30, 10, 14, 24, 8, 8, 8)
"""Letters of the columns on a terminal."""


def against(forest: Forest) -> Table:
    """Return every judge: its value, the difference from the baseline with its interval, p and p corrected, and shared items.

    By weight where items have weights, as judges are then told apart.
    """
    weighted = any(comparison.weighted is not None for comparison in forest.against)
    columns = (
        Column("judge"), Column("value", form_of(BY_KEY[forest.metric])), Column("difference"), Column("interval"),
        Column("p", "three"), Column(corrected_head(forest.best, weighted), "three"), Column("items", "count"),
        *((Column("margin"),) if forest.margins else ()),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for comparison, corrected in zip(forest.against, forest.decisive_p, strict=True):
        decides = comparison.decisive[0]
        difference = (
            words.value(decides.difference.value, unit_of(comparison)),
            words.bounds(decides.difference.ends, unit_apart(comparison.metric)),
        )
        margin = _margin_cell(comparison, forest)
        p = math.nan if decides.p is None else decides.p, corrected
        rows.append((comparison.b.name, decides.b, *difference, *p, comparison.n_items, *margin))
    return Table("judges", "", columns, tuple(rows))


def _margin_cell(comparison: Comparison, forest: Forest) -> tuple[str, ...]:
    """Return what the margin says of a judge, after the corrections for their number; no cell without a margin."""
    one, name = comparison.held, comparison.b.name
    if one is None:
        return ()
    if one.holds and name not in forest.non_inferior():
        return ("undecided",)
    return ("non-inferior" if one.verdict == "better" and not forest.is_different(name) else one.verdict,)


def readings(forest: Forest) -> Table:
    """Return every judge less the baseline in every reading; no rows where there is one reading."""
    judges = forest.against if any(map(beside_words, forest.against)) else ()
    levels = {head: [comparison.decisive_levels.get(name) for comparison in judges] for name, head in LEVEL_WORDS.items()}
    nonresponse = {
        head: [comparison.decisive_others.get(name, comparison.common) for comparison in judges]
        for name, head in SILENCE_WORDS.items()
        if any(name in comparison.decisive_others for comparison in judges)
    }
    shown = {head: column for head, column in (levels | nonresponse).items() if any(column)}
    metrics = {head: next(reading.metric for reading in column if reading) for head, column in shown.items()}
    columns = (Column(head, UNITS.get(unit_apart(metric), "number")) for head, metric in metrics.items())
    cells = ([reading and reading.difference for reading in column] for column in shown.values())
    names, agree = (
        [words.plain(comparison.b.name) for comparison in judges],
        ["disagree" if comparison.disagree else "agree" for comparison in judges],
    )
    rows = tuple(zip(names, *cells, agree, strict=True))
    return Table("readings", "", (Column("judge"), *columns, Column("readings")), rows)


def passages(forest: Forest) -> tuple[Passage, ...]:
    """Return what a notebook shows: the answer, then every judge beside the baseline."""
    table = replace(against(forest), caption=f"{forest.baseline} is the baseline. {_intervals(forest)}")
    return Paragraph(forest.reading, "verdict"), table, *(Paragraph(text.strip(), "note") for text in _notes(forest))


def _beside(comparison: Comparison) -> list[str]:
    """Return the other readings below a row; of weights, beside which the row stands, that with every item counted once."""
    if comparison.weighted is None:
        return beside_words(comparison)
    once = f"every item counted once {reading_words(comparison.common)} ({p_words(comparison.permutation.p)})"
    levels = [f"{LEVEL_WORDS[name]} {reading_words(one)}" for name, one in comparison.levels.items()]
    return [", ".join([once, *levels])]


def _intervals(forest: Forest) -> str:
    return f"Intervals {words.percent(forest.confidence)}, paired jackknife, {unit_words(forest.unit)} left out."


def summary(forest: Forest) -> str:
    """Return a forest as text."""
    head, *rows = tables.lines(against(forest), (*WIDTHS, *((24,) if forest.margins else ())))
    lines = [f"{forest.baseline} is the baseline", f"  {head}"]
    for row, comparison in zip(rows, forest.against, strict=True):
        lines += [f"  {row}", *(f"    {text}" for text in _beside(comparison))]
    lines.append(f"  {_intervals(forest)}")
    return "\n".join([*lines, *_notes(forest), "", forest.reading])


def _notes(forest: Forest) -> Iterator[str]:
    """Yield what must be known of the intervals, by judge."""
    for comparison in forest.against:
        remarks = [comparison.difference.note, comparison.b.estimate.note and f"own value: {comparison.b.estimate.note}"]
        if any(remarks):
            yield f"  {words.shorten(comparison.b.name)}: {'; '.join(filter(None, remarks))}."
    yield from (f"  {text}" for text in forest.cautions)

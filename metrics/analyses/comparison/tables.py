"""Tables of several judges against a baseline, with their terminal text, and of decisions that one judge alone gets right."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import decision_frame, item_verdicts_of, refuse_tally
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
from metrics.analyses.comparison.result import OUTCOMES, Comparison, Outcome
from metrics.analyses.planning.compute import unit_words
from metrics.data.abstention import mode_labels
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.measures.catalogue import BY_KEY
from metrics.results import tables, words
from metrics.results.tables import UNITS, Cell, Column, Paragraph, Passage, Table, form_of

if TYPE_CHECKING:
    from metrics.analyses.comparison.result import Comparison

WIDTHS = (-30, 10, 14, 24, 8, 8, 8)
"""Letters of the columns on a terminal."""
LOST_AND_WON: tuple[Outcome, ...] = ("only_a", "only_b")


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


def outcome_words(comparison: Comparison) -> dict[Outcome, str]:
    """Return each outcome with the judges' names."""
    a, b = comparison.a.name, comparison.b.name
    return {
        "both": "both right", "only_a": f"only {a} right", "only_b": f"only {b} right", "neither": "neither right",
        "open": "left open",
    }  # fmt: skip


def contest_frame(
    ratings: Ratings,
    comparison: Comparison,
    outcomes: tuple[Outcome, ...] = LOST_AND_WON,
    texts: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return one row per decision (item at item level) with one of the outcomes.

    Decisions carry ids, the reference, labels and reasons of each human and both judges, and the file's other columns at A's row;
    `row` and `row of B` count the header as row 1. Items carry the three item verdicts.

    Parameters
    ----------
    ratings : Ratings
    comparison : Comparison
        Of two judges of these ratings.
    outcomes : tuple of {"both", "only_a", "only_b", "neither", "open"}
        Outcomes that have rows; default: one judge right, the other wrong.
    texts : sequence of str, optional
        Which of the file's other columns, in their order; default all.

    Returns
    -------
    DataFrame
        In the order of the outcomes' words.

    Raises
    ------
    InputError
        For a tally.
    """
    refuse_tally(ratings)
    chosen = np.isin(comparison.outcome, [OUTCOMES.index(key) for key in outcomes])
    places = comparison.places[chosen]
    names = np.array([outcome_words(comparison)[key] for key in OUTCOMES], dtype=object)
    by_item = comparison.level == "item"
    frame = _items(ratings, comparison, places) if by_item else _decisions(ratings, comparison, places, texts)
    frame.insert(0, "outcome", names[comparison.outcome[chosen]])
    return frame.sort_values("outcome", kind="stable", ignore_index=True)


def _decisions(ratings: Ratings, comparison: Comparison, places: NDArray[np.int64], texts: Sequence[str] | None) -> pd.DataFrame:
    frame = decision_frame(ratings, comparison.a.name, comparison.settings, places, texts, (comparison.b.name,))
    rows = decision_frame(ratings, comparison.b.name, comparison.settings, places, ())["row"]
    frame.insert(list(frame.columns).index("row") + 1, "row of B", rows)
    return frame


def _items(ratings: Ratings, comparison: Comparison, places: NDArray[np.int64]) -> pd.DataFrame:
    settings = comparison.settings
    labels = mode_labels(ratings.scheme, "as_category")
    verdicts = np.array([*labels, "", ""], dtype=object)
    frame = pd.DataFrame({"item": ratings.items.take(pa.array(places)).to_pylist()})
    for name in (comparison.a.name, comparison.b.name):
        decided, of_item = item_verdicts_of(ratings, name, settings), patterns_of(ratings, name, settings.reference).of_item
        frame["reference"] = verdicts[decided.reference[of_item[places]]]
        frame[f"judge: {name}"] = verdicts[decided.judge[of_item[places]]]
    return frame

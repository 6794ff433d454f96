"""Ordered and continuous criteria, and preferences: distances, correlations, tables of all options, ties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.preferences import readings
from metrics.analyses.preferences.compute import CONVENTIONS, Preferences
from metrics.analyses.records import Block
from metrics.analyses.scores.provenance import extent, header, kind_words
from metrics.analyses.scores.result import JudgeScores, ScoresReport
from metrics.measures.catalogue import record_of
from metrics.report.document import Part, Section
from metrics.report.material import Material
from metrics.report.parts import NUMBER, PERCENT, lettered, row_name
from metrics.results import words
from metrics.results.tables import ENDS, UNITS, Cell, Column, Format, Table, cell, counts_table, form_of

T = TypeVar("T")
MOST_OPTIONS = 15
"""Options up to which the whole table is printed."""


def scores(material: Material) -> Section | None:
    """Return the numbers of every judge, on all criteria together, as the mean, and on each."""
    if not material.scored:
        return None
    parts: list[Part] = []
    for report in material.scored:
        kind = "ordered" if report.on == "label" else "continuous"
        for place, judge_scores in enumerate(_in_order(material, report.judges)):
            key = f"{kind}-{lettered(place)}"
            parts.append(_table(report, judge_scores, key))
            parts += _counts(material, report, judge_scores, key)
    return Section("scores", "Ordered and continuous criteria", tuple(parts))


def _in_order(material: Material, by_judge: Mapping[str, T]) -> list[T]:
    """Return what the headline's judge has first; what the others have where every judge is shown."""
    headline = [part for name, part in by_judge.items() if name == material.contents.judge]
    others = [part for name, part in by_judge.items() if name != material.contents.judge]
    return headline + (others if material.contents.has("judges") or not headline else [])


def _table(report: ScoresReport, judge_scores: JudgeScores, key: str) -> Table:
    head = (
        Column("number"), Column("criterion"), Column("value", NUMBER, ENDS), Column("interval"), Column("n", "count"),
        Column("coverage", PERCENT),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    forms: list[Format] = []
    notes: dict[str, None] = {}
    for name in report.keys:
        if RECORDS[name].unit == "p":
            notes |= dict.fromkeys(_tests(judge_scores, name))
            continue
        for where, block, share in _blocks(judge_scores):
            estimate = block[name]
            how = "" if estimate.interval is None or estimate.ends is None else kind_words(report, estimate.interval)
            over = where if estimate.of is None else "mean over {} of {}".format(*estimate.of)
            rows.append((RECORDS[name].name, over, estimate, how, block.n, share))
            forms.append(form_of(RECORDS[name]))
            if estimate.undefined:
                notes[f"Undefined, {words.plain(over)}: {estimate.undefined} ({RECORDS[name].symbol})."] = None
    notes |= dict.fromkeys(f"{words.plain(name)}: {reason.rstrip('.')}." for name, reason in judge_scores.two_units.items())
    declaration = header(report, judge_scores.name)
    return Table(
        key,
        f"{words.plain(judge_scores.name)} and the reference. {declaration.bold} {declaration.rest}",
        head,
        tuple(rows),
        tuple(notes),
        tuple(forms),
    )


def _tests(judge_scores: JudgeScores, key: str) -> Iterator[str]:
    """Yield p-values, which are written otherwise than the numbers of a table."""
    for where, block, _ in _blocks(judge_scores):
        if block[key].defined and block.n is not None:
            p = words.p_value(block.values[key])
            yield f"{RECORDS[key].name}, {words.plain(where)}: p {p if p.startswith('<') else f'= {p}'}."


def _blocks(judge_scores: JudgeScores) -> Iterator[tuple[str, Block, float | None]]:
    many = len(judge_scores.criteria) > 1
    if many:
        yield "all together", judge_scores.pooled, cell(judge_scores.coverage.coverage)
        yield "mean", judge_scores.mean, cell(judge_scores.coverage.coverage)
    for name, block in judge_scores.criteria.items():
        yield name, block, cell(judge_scores.criterion_coverage[name].coverage)


def _counts(material: Material, report: ScoresReport, judge_scores: JudgeScores, key: str) -> list[Table]:
    """Return tables of all options, where there are few."""
    if report.order is None or not material.contents.has("confusion") or report.order.k > MOST_OPTIONS:
        return []
    tables = []
    for place, (name, block) in enumerate(judge_scores.criteria.items()):
        if block.confusion is not None:
            caption = (
                f"{words.plain(judge_scores.name)} on {words.plain(name)}: {extent(judge_scores, name)}, options low to high."
            )
            tables.append(counts_table(f"{key}-counts-{lettered(place)}", caption, block.labels, block.confusion.tolist()))
    return tables


def preferences(material: Material) -> Section | None:
    """Return which of two answers is better, under every way of counting ties."""
    if not material.preferences:
        return None
    shown = _in_order(material, material.preferences)
    return Section("preferences", "Preferences", tuple(_ties(preferences, place) for place, preferences in enumerate(shown)))


def _ties(judge_preferences: Preferences, place: int) -> Table:
    head = (
        Column("ties"), Column("number"), Column("value", NUMBER, ENDS), Column("n", "count"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    forms: list[Format] = []
    notes: dict[str, None] = {}
    for convention in CONVENTIONS:
        preference, called = judge_preferences.on(convention, None), readings.NAMES[convention]
        shown = [(readings.symbol_of(key), estimate, record_of(key).unit) for key, estimate in preference.values.items()]
        shown += [("wins, reference", preference.wins.reference, "%"), ("wins, judge", preference.wins.judge, "%")]
        shown += [("difference of wins", preference.wins.difference, "points")]
        for name, estimate, unit in shown:
            forms.append(UNITS.get(unit, NUMBER))
            rows.append((called, row_name(name, forms[-1]), estimate, preference.n))
            if cell(estimate.value) is None:
                notes[f"Undefined, ties {called.lower()}: {estimate.undefined} ({name})."] = None
    declaration = readings.header(judge_preferences, "exclude", None)
    first, second, tie = map(words.plain, judge_preferences.labels)
    caption = (
        f"{words.plain(judge_preferences.judge)}: {first}, {second} and {tie} under "
        f"every way of counting ties. {declaration.rest}"
    )
    return Table(f"preferences-{lettered(place)}", caption, head, tuple(rows), tuple(notes), tuple(forms))

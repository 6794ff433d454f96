"""Ordered and continuous criteria, and preferences: distances, correlations, tables of all options, ties."""

from __future__ import annotations

from collections.abc import Iterator

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

MOST_OPTIONS = 15
"""Options up to which the whole table is printed."""


def scores(material: Material) -> Section | None:
    """Return the numbers of every judge, on all criteria together, as the mean, and on each."""
    if not material.scored:
        return None
    parts: list[Part] = []
    for report in material.scored:
        kind = "ordered" if report.on == "label" else "continuous"
        for place, its in enumerate(_judges(material, report)):
            key = f"{kind}-{lettered(place)}"
            parts.append(_table(report, its, key))
            parts += _counts(material, report, its, key)
    return Section("scores", "Ordered and continuous criteria", tuple(parts))


def _judges(material: Material, report: ScoresReport) -> tuple[JudgeScores, ...]:
    """Return the headline's judge first; the others where every judge is shown."""
    own = [its for name, its in report.judges.items() if name == material.contents.judge]
    others = [its for name, its in report.judges.items() if name != material.contents.judge]
    return (*own, *(others if material.contents.has("judges") or not own else []))


def _table(report: ScoresReport, its: JudgeScores, key: str) -> Table:
    head = (
        Column("number"), Column("criterion"), Column("value", NUMBER, ENDS), Column("interval"), Column("n", "count"),
        Column("coverage", PERCENT),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    forms: list[Format] = []
    notes: dict[str, None] = {}
    for name in report.keys:
        if RECORDS[name].unit == "p":
            notes |= dict.fromkeys(_tests(its, name))
            continue
        for where, block, share in _blocks(its):
            own = block[name]
            how = "" if own.interval is None or own.ends is None else kind_words(report, own.interval)
            over = where if own.of is None else "mean over {} of {}".format(*own.of)
            rows.append((RECORDS[name].name, over, own, how, block.n, share))
            forms.append(form_of(RECORDS[name]))
            if own.undefined:
                notes[f"Undefined, {words.plain(over)}: {own.undefined} ({RECORDS[name].symbol})."] = None
    notes |= dict.fromkeys(f"{words.plain(name)}: {reason.rstrip('.')}." for name, reason in its.two_units.items())
    said = header(report, its.name)
    return Table(
        key, f"{words.plain(its.name)} and the reference. {said.bold} {said.rest}", head, tuple(rows), tuple(notes), tuple(forms)
    )


def _tests(its: JudgeScores, key: str) -> Iterator[str]:
    """Yield p-values, which are written otherwise than the numbers of a table."""
    for where, block, _ in _blocks(its):
        if block[key].defined and block.n is not None:
            p = words.p_value(block.values[key])
            yield f"{RECORDS[key].name}, {words.plain(where)}: p {p if p.startswith('<') else f'= {p}'}."


def _blocks(its: JudgeScores) -> Iterator[tuple[str, Block, float | None]]:
    many = len(its.criteria) > 1
    if many:
        yield "all together", its.pooled, cell(its.coverage.coverage)
        yield "mean", its.mean, cell(its.coverage.coverage)
    for name, block in its.criteria.items():
        yield name, block, cell(its.criterion_coverage[name].coverage)


def _counts(material: Material, report: ScoresReport, its: JudgeScores, key: str) -> list[Table]:
    """Return tables of all options, where there are few."""
    if report.order is None or not material.contents.has("confusion") or report.order.k > MOST_OPTIONS:
        return []
    found = []
    for place, (name, block) in enumerate(its.criteria.items()):
        if block.confusion is not None:
            caption = f"{words.plain(its.name)} on {words.plain(name)}: {extent(its, name)}, options low to high."
            found.append(counts_table(f"{key}-counts-{lettered(place)}", caption, block.labels, block.confusion.tolist()))
    return found


def preferences(material: Material) -> Section | None:
    """Return which of two answers is better, under every way of counting ties."""
    if not material.preferences:
        return None
    own = [its for name, its in material.preferences.items() if name == material.contents.judge]
    others = [its for name, its in material.preferences.items() if name != material.contents.judge]
    shown = [*own, *(others if material.contents.has("judges") or not own else [])]
    return Section("preferences", "Preferences", tuple(_ties(its, place) for place, its in enumerate(shown)))


def _ties(its: Preferences, place: int) -> Table:
    head = (
        Column("ties"), Column("number"), Column("value", NUMBER, ENDS), Column("n", "count"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    forms: list[Format] = []
    notes: dict[str, None] = {}
    for convention in CONVENTIONS:
        own, called = its.on(convention, None), readings.NAMES[convention]
        shown = [(readings.symbol_of(key), one, record_of(key).unit) for key, one in own.values.items()]
        shown += [("wins, reference", own.wins.reference, "%"), ("wins, judge", own.wins.judge, "%")]
        shown += [("difference of wins", own.wins.difference, "points")]
        for name, found, unit in shown:
            forms.append(UNITS.get(unit, NUMBER))
            rows.append((called, row_name(name, forms[-1]), found, own.n))
            if cell(found.value) is None:
                notes[f"Undefined, ties {called.lower()}: {found.undefined} ({name})."] = None
    said = readings.header(its, "exclude", None)
    first, second, tie = map(words.plain, its.labels)
    caption = f"{words.plain(its.judge)}: {first}, {second} and {tie} under every way of counting ties. {said.rest}"
    return Table(f"preferences-{lettered(place)}", caption, head, tuple(rows), tuple(notes), tuple(forms))

"""The document of a report: what stands above it, and its sections in reading order."""

from __future__ import annotations

from dataclasses import replace

from metrics.analyses.provenance import Header, header
from metrics.analyses.raters.provenance import header as raters_header
from metrics.analyses.scores.provenance import header as scores_header
from metrics.data.aggregation import Level
from metrics.report import (
    sections_abstention,
    sections_numbers,
    sections_overview,
    sections_raters,
    sections_review,
    sections_scales,
)
from metrics.report.document import Document, Part, Section
from metrics.report.material import Material
from metrics.report.sections_review import made_with
from metrics.results import words
from metrics.results.prose import Paragraph
from metrics.results.tables import Table, flat

ENDS = ("low", "high", "interval")


def document_of(material: Material, methods: str, date: str = "") -> Document:
    """Return the whole report; what does not exist for these data, or was left out, has no section.

    Parameters
    ----------
    material : Material
    methods : str
        The paragraph to paste.
    date : str
        On which the report is made; empty for none.
    """
    possible_sections = (
        sections_overview.summary(material),
        sections_overview.overview(material),
        sections_review.review(material),
        sections_review.before_after(material),
        sections_review.codes(material),
        sections_numbers.headline(material),
        sections_numbers.confusion(material),
        sections_numbers.levels(material),
        sections_numbers.criteria(material),
        sections_abstention.mode(material),
        sections_abstention.coverage(material),
        sections_abstention.nonresponse(material),
        sections_abstention.cost(material),
        sections_raters.judges(material),
        sections_raters.raters(material),
        sections_scales.scores(material),
        sections_scales.preferences(material),
        sections_review.checklist(material),
        sections_review.answers(material),
        sections_review.methods(methods),
        sections_review.settings(material),
        sections_review.rows(material),
    )
    title = f"Agreement report: {words.plain(material.recipe.file)}"
    sections = tuple(_written(section, material) for section in possible_sections if section is not None)
    return Document(title, _lead(material, date), sections, made_with())


def _written(section: Section, material: Material) -> Section:
    """Return a section without empty tables; where each number has a cell of its own, intervals nobody asked for have none.

    A page of its own has no room for that: there an interval stands behind its value.
    """
    parts = tuple(part for part in section.parts if not isinstance(part, Table) or part.rows)
    if section.own_page:
        return replace(section, parts=parts)
    flat_parts = tuple(flat(part) if isinstance(part, Table) else part for part in parts)
    asked = material.declaration.interval["method"] != "none"
    return replace(section, parts=flat_parts if asked else tuple(map(_without_ends, flat_parts)))


def _without_ends(part: Part) -> Part:
    """Return a table without the columns of intervals, where none were asked for."""
    if not isinstance(part, Table):
        return part
    kept = [
        place
        for place, column in enumerate(part.columns)
        if column.name.split(" ")[-1] not in ENDS or any(row[place] not in (None, "") for row in part.rows)
    ]
    rows = tuple(tuple(row[place] for place in kept) for row in part.rows)
    return replace(part, columns=tuple(part.columns[place] for place in kept), rows=rows)


def _lead(material: Material, date: str) -> tuple[Paragraph, ...]:
    """Return who made the report and when, of which file, and what the numbers on the first page rest on."""
    d, rows = material.declaration, material.rows
    made = " · ".join(part for part in (date, words.plain(material.answers.get("author", ""))) if part)
    used = f"{words.count(rows.used)} of {words.several(rows.read, 'rows')} used"
    file = f"File {words.plain(d.file_words)}, SHA-256 {d.sha256}; {used}."
    first = material.overview if material.contents.has("overview") else None
    judge = first.leader if first is not None and first.leader else material.contents.judge
    level, metric = (material.contents.level, "kappa") if first is None else (first.level, first.metric)
    headers = _headers(material, judge, level, metric)
    declared = [Paragraph(f"{declaration.bold} {declaration.rest}".strip(), "declaration") for declaration in headers]
    who = [Paragraph(f"Judge of the headline: {words.plain(judge)}.")] if judge and len(d.judges) > 1 and first is None else []
    return (*([Paragraph(made)] if made else []), Paragraph(file), *declared, *who)


def _headers(material: Material, judge: str, level: Level, metric: str) -> list[Header]:
    """Return the declarations of the labels counted, the scores, and, where there is neither, the raters.

    Parameters
    ----------
    material : Material
    judge : str
    level : Level
    metric : str
        Whose interval is described.
    """
    headers: list[Header] = []
    if material.agreement is not None and judge in material.agreement.judges:
        headers.append(header(material.agreement, judge, level, metric))
    for report in material.scored:
        headers.append(scores_header(report, judge if judge in report.judges else next(iter(report.judges))))
    others = [material.findings.humans, material.findings.between] if not headers else []
    return headers + [raters_header(report) for report in others if report is not None]

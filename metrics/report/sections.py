"""The document of a report: what stands above it, and its sections in reading order."""

from __future__ import annotations

from dataclasses import replace

from metrics.analyses.provenance import Header, header
from metrics.analyses.raters.provenance import header as raters_header
from metrics.analyses.scores.provenance import header as scores_header
from metrics.report import sections_abstention, sections_numbers, sections_raters, sections_review, sections_scales
from metrics.report.document import Document, Part
from metrics.report.material import Material
from metrics.report.sections_review import made_with
from metrics.results import words
from metrics.results.prose import Paragraph
from metrics.results.tables import Table, flat

ENDS = ("low", "high", "interval")


def document_of(material: Material, methods: str) -> Document:
    """Return the whole report; what does not exist for these data, or was left out, has no section."""
    possible_sections = (
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
        sections_review.review(material),
        sections_review.checklist(material),
        sections_review.answers(material),
        sections_review.methods(methods),
        sections_review.settings(material),
        sections_review.rows(material),
    )
    title = f"Agreement report: {words.plain(material.recipe.file)}"
    sections = tuple(
        replace(section, parts=tuple(map(_flat, section.parts))) for section in possible_sections if section is not None
    )
    if material.declaration.interval["method"] == "none":
        sections = tuple(replace(section, parts=tuple(map(_without_ends, section.parts))) for section in sections)
    return Document(title, _lead(material), sections, made_with())


def _flat(part: Part) -> Part:
    return flat(part) if isinstance(part, Table) else part


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


def _lead(material: Material) -> tuple[Paragraph, ...]:
    d, rows = material.declaration, material.rows
    file = f"File {words.plain(d.file)}, SHA-256 {d.sha256}; {words.count(rows.used)} of {words.several(rows.read, 'rows')} used."
    above = [
        Paragraph(f"{report_header.bold} {report_header.rest}".strip(), "declaration") for report_header in _headers(material)
    ]
    judge = material.contents.judge
    who = [Paragraph(f"Judge of the headline: {words.plain(judge)}.")] if judge and len(d.judges) > 1 else []
    return (*above, *who, Paragraph(file))


def _headers(material: Material) -> list[Header]:
    """Return the declarations of the labels counted, the scores, and, where there is neither, the raters."""
    headers: list[Header] = []
    if material.agreement is not None and material.headline is not None:
        headers.append(header(material.agreement, material.contents.judge, material.contents.level))
    for report in material.scored:
        judge = material.contents.judge if material.contents.judge in report.judges else next(iter(report.judges))
        headers.append(scores_header(report, judge))
    others = [material.findings.humans, material.findings.between] if not headers else []
    return headers + [raters_header(report) for report in others if report is not None]

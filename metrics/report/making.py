"""From ratings and choices to a report: numbers, checklist, a paragraph of methods, and a document to write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from metrics.analyses.coding.codes import Coding
from metrics.analyses.coding.compute import CodingReport, coding_report
from metrics.analyses.disagreements.listing import listing_of
from metrics.analyses.overview.compute import overview, overview_of
from metrics.analyses.overview.result import Overview
from metrics.analyses.preferences.compute import Preferences, preferences
from metrics.analyses.records import Declaration
from metrics.analyses.review.before_after import before_after
from metrics.analyses.review.changes import BeforeAfter
from metrics.analyses.review.decisions import Review
from metrics.analyses.settings import Settings, settings_of
from metrics.data.part import counted
from metrics.data.ratings import Ratings, named_judges
from metrics.data.scales import scales_of
from metrics.errors import InputError
from metrics.report.as_json import report_dict
from metrics.report.checklist.case import Findings
from metrics.report.checklist.compute import checklist
from metrics.report.checklist.contents import Answers, Contents, check_answers
from metrics.report.checklist.gathering import findings
from metrics.report.document import Document
from metrics.report.material import Material, Rows
from metrics.report.methods import methods
from metrics.report.recipe import Recipe, recipe_of
from metrics.report.sections import document_of

AS_IT_IS = Contents()


@dataclass(frozen=True, eq=False)
class Report:
    """A report before it has a format. The same file and the same settings give the same bytes, but for the date.

    Attributes
    ----------
    material : Material
        The numbers and what stands behind them.
    methods : str
        A paragraph to paste that is true for exactly this run.
    """

    material: Material
    methods: str

    def document(self, date: str = "") -> Document:
        """Return headings, sentences, tables and figures; above them the date on which it is made, where one is given."""
        return document_of(self.material, self.methods, date)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready: no NaN, undefined numbers null with a reason. `metrics/report/schema.json` describes it."""
        return report_dict(self.material, self.methods)

    def to_json(self) -> str:
        """Return `to_dict` as strict JSON, the same letters for the same report."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)


def report_of(
    ratings: Ratings,
    *,
    recipe: Recipe | None = None,
    contents: Contents = AS_IT_IS,
    answers: Answers | None = None,
    review: Review | None = None,
    after: Ratings | None = None,
    codes: Coding | None = None,
    **choices: Any,
) -> Report:
    """Return a report on some ratings.

    Parameters
    ----------
    recipe : Recipe, optional
        Whose choices are taken; else those in `choices`, as `metrics.agreement` takes them.
    contents : Contents
    answers : mapping of question to answer, optional
        What no file of labels can tell; see `metrics.report.checklist.contents`.
    review : Review, optional
        Decisions of a rubric review.
    after : Ratings, optional
        The same items labelled or judged again: κ of every criterion stands before and after.
    codes : Coding, optional
        Codes of the disagreements of the headline's judge.

    Raises
    ------
    InputError
        As `metrics.agreement`, where the second file cannot be paired with the first, and for a judge of the headline, a question
        or a decision that does not exist.
    """
    recipe = recipe or recipe_of(ratings, **choices)
    checked_answers = check_answers(answers or {})
    all_findings = findings(ratings, contents, **recipe.choices())
    contents = replace(contents, judge=_headline(ratings, all_findings, contents.judge))
    material = Material(
        recipe=recipe,
        contents=contents,
        answers=checked_answers,
        review=review,
        findings=all_findings,
        checklist=checklist(all_findings, contents=contents, answers=checked_answers),
        declaration=_declaration(ratings, all_findings),
        notes=ratings.source.notes,
        rows=Rows(ratings.source.rows, ratings.rows_used, tuple(ratings.left_out.counts().items())),
        n_items=ratings.n_items if ratings.has_items else None,
        preferences=_preferences(ratings, all_findings, recipe),
        humans=ratings.humans,
        overview=_overview(ratings, all_findings, recipe),
        before_after=None
        if after is None
        else before_after(ratings, after, contents.judge, _of_headline(ratings, contents, recipe)),
        coding=None if codes is None else coding_report(listing_of(ratings, _of_headline(ratings, contents, recipe)), codes),
    )
    return Report(material, methods(material))


def with_other_contents(
    report: Report,
    *,
    contents: Contents = AS_IT_IS,
    answers: Answers | None = None,
    review: Review | None = None,
    changes: BeforeAfter | None = None,
    coding: CodingReport | None = None,
) -> Report:
    """Return the report on the same numbers with other contents, answers and decisions, none of which is computed again.

    Parameters
    ----------
    report : Report
    contents : Contents
        Of the same level; without a judge the headline keeps its judge.
    answers : mapping of question to answer, optional
    review : Review, optional
    changes : BeforeAfter, optional
        κ of every criterion beside the same of a second file.
    coding : CodingReport, optional
        What the codes of a judge's disagreements count up to.

    Raises
    ------
    InputError
        As `report_of`, and for another level: bounds are those of a level.
    """
    before = report.material
    if contents.level != before.contents.level:
        raise InputError(
            f"The numbers are those of the level {before.contents.level}. Make the report anew for {contents.level}."
        )
    checked_answers = check_answers(answers or {})
    judged = checklist(before.findings, contents=contents, answers=checked_answers)
    contents = replace(contents, judge=contents.judge or before.contents.judge)
    material = replace(
        before, contents=contents, answers=checked_answers, review=review, checklist=judged, before_after=changes, coding=coding
    )
    return Report(material, methods(material))


def _headline(ratings: Ratings, all_findings: Findings, asked: str) -> str:
    """Return the judge that was asked for, else the first of those compared."""
    asked = named_judges(ratings, asked)[0] if asked else ""
    report = all_findings.agreement or all_findings.scores
    judges = tuple(report.judges) if report is not None else ratings.judges
    if asked and asked not in judges and report is not None:
        raise InputError(f"The judge {asked!r} is not among those compared: {', '.join(judges[:12])}.")
    return asked or next(iter(judges), "")


def _declaration(ratings: Ratings, all_findings: Findings) -> Declaration:
    """Return the declaration of the labels that were counted; else of the scores; else of the raters."""
    report = all_findings.agreement or all_findings.scores or all_findings.humans or all_findings.between
    if report is not None:
        return report.declaration
    raise InputError(
        f"{ratings.source.name}: there is nothing to report. A report needs a human and a judge, or two raters of one role, "
        "on the same items."
    )


def _of_headline(ratings: Ratings, contents: Contents, recipe: Recipe) -> Settings:
    """Return the choices of the report for the judge of the headline alone, with intervals of the default rules."""
    return settings_of(
        ratings, abstention=recipe.abstention, reference=recipe.reference, judges=(contents.judge,), handling=recipe.handling,
        unit=recipe.unit, confidence=recipe.confidence, interval="none" if recipe.interval == "none" else "auto",
    )  # fmt: skip


def _overview(ratings: Ratings, all_findings: Findings, recipe: Recipe) -> Overview | None:
    """Return the verdict on what one table counts, else on the numbers or the raters; None where these data have none."""
    part = counted(ratings)
    try:
        if part is None or all_findings.settings is None:
            return overview(ratings, **recipe.choices())
        return overview_of(part, all_findings.settings, all_findings.agreement)
    except InputError:
        return None


def _preferences(ratings: Ratings, all_findings: Findings, recipe: Recipe) -> Mapping[str, Preferences]:
    """Return the preferences of every judge, where the labels say which of two answers is better."""
    names = scales_of(ratings).of("pairwise")
    if not names or all_findings.agreement is None:
        return {}
    part, made = ratings.on_criteria(names), {}
    for judge in all_findings.agreement.judges:
        try:
            made[judge] = preferences(
                part, judge, reference=recipe.reference, interval="none" if recipe.interval == "none" else "auto",
                confidence=recipe.confidence,
            )  # fmt: skip
        except InputError:
            continue
    return made

"""What people said and chose: the review, the checklist, the answers, the settings, and what became of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metrics.analyses.coding.readings import report_reading
from metrics.analyses.coding.tables import counts_table
from metrics.analyses.review.readings import declared_words, reads, whole_words
from metrics.analyses.review.tables import decision_table
from metrics.analyses.settings import DRAWN
from metrics.report.checklist.contents import QUESTION_BY_KEY, SWITCHES
from metrics.report.document import Mark, Part, Section, Verdict, Verdicts
from metrics.report.material import Material
from metrics.report.parts import beside_decisions
from metrics.results import words
from metrics.results.prose import Listing, Paragraph
from metrics.results.tables import Cell, Column, Table, with_column, with_ends, without_empty
from metrics.version import __version__

MARKS: Mapping[str, Mark] = {"met": "met", "not met": "missed", "not applicable": "none"}
READING = {
    "delimiter": "Columns separated by", "encoding": "Encoding", "sheet": "Sheet", "columns": "Columns", "labels": "Labels",
    "order": "Order of the labels", "scale": "Scales", "criteria": "Criteria taken", "where": "Only items where",
}  # fmt: skip
CHOICES = {
    "abstention": "Abstentions", "handling": "Ties, invalid answers, failed calls", "reference": "Reference", "judges": "Judges",
    "item_rule": "Item rule", "threshold": "Threshold", "weights": "Weights of criteria", "cost": "Cost matrix",
    "interval": "Intervals", "unit": "Unit of the intervals", "confidence": "Confidence", "replicates": "Replicates",
    "seed": "Seed",
}  # fmt: skip


def review(material: Material) -> Section | None:
    """Return what was decided on every criterion, beside how far the judge of the headline agrees on it."""
    rubric_review = material.review
    if rubric_review is None or not material.contents.has("review"):
        return None
    decisions = [(name, decision) for name, decision in rubric_review.decisions.items() if not decision.empty]
    if not decisions:
        return None
    many = sum(bool(decision.action) for _, decision in decisions)
    of = len(material.declaration.criteria)
    notes = []
    if rubric_review.sha256 and rubric_review.sha256 != material.recipe.sha256:
        notes.append(
            f"The decisions were made on another file: {words.plain(rubric_review.file)}, SHA-256 {rubric_review.sha256[:12]}."
        )
    gone = [words.plain(name) for name, _ in decisions if name not in material.declaration.criteria]
    if gone:
        notes.append(f"Not among the criteria counted here: {', '.join(gone)}.")
    caption = f"Decisions of the rubric review: {words.count(many)} made, {words.several(of, 'criteria')} in the rubric."
    table, judge = without_empty(decision_table(decisions, "undecided")), material.headline
    if judge is not None and material.contents.has("kappa"):
        table, agreeing = beside_decisions(material, judge, table, [name for name, _ in decisions])
        blocks = [judge.criteria.get(name) for name, _ in decisions]
        table = with_column(table, Column("n", "count"), (None if block is None else block.n for block in blocks))
        caption += agreeing
    return Section("review", "Rubric review", (replace(table, caption=caption, notes=tuple(notes)),))


def codes(material: Material) -> Section | None:
    """Return whose errors the disagreements of the headline's judge are, as people coded them."""
    report = material.coding
    if report is None or not (report.overall.n_coded or report.checked):
        return None
    table = replace(
        counts_table(report), caption=f"Disagreements of {words.plain(report.judge)} and the reference, by their code."
    )
    return Section("codes", "Why judge and reference differ", (Paragraph(report_reading(report)), table))


def before_after(material: Material) -> Section | None:
    """Return κ of every criterion before and after the rubric, the labels or the judge were changed."""
    both = material.before_after
    if both is None or not both.changes:
        return None
    head = (
        Column("criterion"), with_ends("before"), with_ends("after"), with_ends("difference", "signed"), Column("p (Holm)", "p"),
        Column("reads as"), Column("answered in both", "count"), Column("labels changed", "count"),
    )  # fmt: skip
    moved = [change for change in both.changes if change.difference.value or change.n_judge or change.n_reference]
    same = [words.plain(change.criterion) for change in both.changes if change not in moved]
    notes = (f"Nothing changed on {words.listed(same)}: no label, and no number.",) if same else ()
    rows: list[tuple[Cell, ...]] = [
        (
            change.criterion, change.before.estimate, change.after.estimate, change.difference, change.p_holm, reads(change),
            change.n, len(change.relabelled),
        )
        for change in moved
    ]  # fmt: skip
    parts: list[Part] = [Paragraph(whole_words(both), "verdict")]
    if rows:
        parts.append(Table("before_after", declared_words(both), head, tuple(rows), notes))
    else:
        parts += map(Paragraph, notes)
    return Section("before_after", "Before and after", tuple(parts))


def checklist(material: Material) -> Section | None:
    """Return the practices, each with its state and evidence."""
    if not material.contents.has("checklist"):
        return None
    rows = tuple(
        Verdict(practice.number, practice.name, MARKS[practice.state], practice.state, practice.evidence, practice.action)
        for practice in material.checklist.practices
    )
    return Section("checklist", "Checklist", (Verdicts(rows),))


def answers(material: Material) -> Section | None:
    """Return what no file of labels can tell, as it was told."""
    if not material.answers:
        return None
    rows = tuple((QUESTION_BY_KEY[key].label, text) for key, text in material.answers.items())
    table = Table(
        "answers", "Stated by the author of this report. No file of labels contains it.", (Column("what"), Column("answer")), rows
    )
    return Section("answers", "Stated by the author", (table,))


def methods(text: str) -> Section:
    """Return the paragraph to paste."""
    return Section("methods", "Methods, ready to paste", (Paragraph(text, "methods"),))


def settings(material: Material) -> Section:
    """Return everything needed to get the same numbers from the same file."""
    recipe, contents = material.recipe, material.contents
    recipe_dict = recipe.to_dict()
    rows: list[tuple[Cell, ...]] = [("File", recipe.file), ("SHA-256", recipe.sha256)]
    rows += [(name, _value_text(recipe_dict["reading"][key])) for key, name in READING.items() if recipe_dict["reading"].get(key)]
    rows += [("Rows that could not be read", "listed and left out")] if recipe.reading.skip_bad_rows else []
    rows += [("Verdict of repeated runs", "the majority of the runs")] if recipe.runs else []
    rows += [
        (f"Panel {panel.name}", f"{panel.rule} of {', '.join(panel.judges)}, at least {panel.quorum} of them answering")
        for panel in recipe.panels
    ]
    shown = [key for key in CHOICES if _matters(material, key)]
    rows += [(CHOICES[key], _choice(key, recipe_dict["choices"][key])) for key in shown]
    rows += [("Judge of the headline", contents.judge), ("Level of the headline", contents.level)]
    rows += [("Left out of this report", "; ".join(SWITCHES[key] for key in SWITCHES if not contents.has(key)) or "nothing")]
    rows += [("Software", made_with())]
    caption = "The same file and these settings give the same numbers to the last digit."
    return Section(
        "settings", "File and settings", (Table("settings", caption, (Column("setting"), Column("value")), tuple(rows)),)
    )


def _matters(material: Material, key: str) -> bool:
    """Return whether a choice has an effect here."""
    recipe = material.recipe
    if key in ("replicates", "seed"):
        return recipe.interval in DRAWN
    if key in ("threshold", "cost"):
        return getattr(recipe, key) is not None
    return key not in ("unit", "confidence") or recipe.interval != "none"


def made_with() -> str:
    """Return name and version of the program."""
    return f"Kappascope {__version__}"


def _choice(key: str, value: Any) -> str:
    if key == "cost" and value is not None:
        return "; ".join(", ".join(f"{cell:g}" for cell in row) for row in value)
    if key in ("confidence", "threshold") and value is not None:
        return f"{value:g}"
    return _value_text(value) or {"handling": "as abstentions; failed calls are not ratings", "weights": "all 1"}.get(
        key, words.UNDEFINED
    )


def _value_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} = {inner:g}" if isinstance(inner, float) else f"{key} = {inner}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if value == "\t":
        return "tab"
    return "" if value is None else str(value)


def rows(material: Material) -> Section:
    """Return what became of the rows of the file, how it was read, and what a reader of the numbers must know."""
    row_counts = material.rows
    used, read, out = words.count(row_counts.used), words.several(row_counts.read, "rows"), words.count(row_counts.gone)
    parts: list[Part] = [
        Paragraph(f"{used} of {read} of the file {'was' if row_counts.used == 1 else 'were'} used, {out} left out.")
    ]
    if row_counts.left_out:
        head = (Column("reason"), Column("rows", "count"))
        parts.append(Table("rows", "Rows not counted in any number.", head, row_counts.left_out))
    gone = material.findings.left_out_criteria
    if gone:
        names = ", ".join(map(words.plain, gone))
        parts.append(Paragraph(f"{words.several(len(gone), 'criteria')} of the file in none of the numbers: {names}."))
    if material.notes:
        parts.append(Listing(tuple(material.notes)))
    parts += [Paragraph(warning.message, "warning") for warning in material.warnings()]
    return Section("rows", "Rows and warnings", tuple(parts))

"""The first page, to be forwarded alone, and the overview: verdict, leaderboard, lowest criteria, items to read, what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from metrics.analyses.agreement.weighted import by_weight, of_weight
from metrics.analyses.leading import read_first
from metrics.analyses.overview.tables import CRITERIA, JUDGES, passages
from metrics.analyses.records import JudgeReport
from metrics.analyses.review.readings import SOURCE, reads, whole_words
from metrics.analyses.review.tables import decision_table
from metrics.figures import kappa_bands
from metrics.measures.catalogue import BY_KEY
from metrics.report.document import Figure, Part, Section
from metrics.report.material import Material
from metrics.report.parts import KAPPAS, beside_decisions, drawn_cells
from metrics.results import words
from metrics.results.prose import Paragraph, Passage
from metrics.results.tables import Cell, Column, Table, selected, with_ends, without_empty

SWITCH_OF = {JUDGES: "judges", CRITERIA: "criteria"}
"""Table to the part of the report that it goes with."""


MOST_CHANGED = 12
"""Criteria that changed from one file to another which stand on the first page."""
APPENDIX = "All that follows is the appendix: what these numbers rest on, and how to get them again."


def summary(material: Material) -> Section | None:
    """Return the first page: the verdict with its number, what follows from it, κ on its band, decisions, before and after.

    What follows it is an appendix; nothing on the page is worked out for it alone.
    """
    if material.overview is None or not material.contents.has("overview"):
        return None
    overview = material.overview
    first, *others = overview.verdict
    number = next((statement.text for statement in others if statement.kind == "agreement"), "")
    parts: list[Part] = [Paragraph(f"{first.text} {number}".rstrip(), "verdict")]
    parts += [Paragraph(f"What follows: {overview.next[0].text}")] if overview.next else []
    parts += [*_band(material), *_to_change(material), *_changed(material)]
    return Section("summary", "Summary", (*parts, Paragraph(APPENDIX, "note")), own_page=True)


def _band(material: Material) -> Iterator[Part]:
    """Yield κ at every level on the bands of its source, where the overview is on labels that were counted."""
    counted = _leader(material)
    if counted is None or not material.contents.has("kappa") or not counted.micro.n:
        return
    judge = by_weight(counted)
    key, many = read_first(judge), len(judge.criteria) > 1
    if key not in KAPPAS:
        return
    shown = {"Pooled" if many else "": judge.micro[key]}
    if many:
        shown["Criterion mean"] = judge.macro[key]
        shown |= {"Within criteria": judge.micro["kappa_within"]} if key == "kappa" else {}
    title = f"{BY_KEY[key].symbol}{of_weight(judge)} of {words.plain(judge.name)} on the bands of {SOURCE}"
    cells = [(name, *drawn_cells(kappa), kappa.undefined) for name, kappa in shown.items()]
    yield Figure("band", "bands", title, kappa_bands.alt(shown), {"rows": cells})


def _leader(material: Material) -> JudgeReport | None:
    overview = material.overview
    assert overview is not None
    return None if material.agreement is None else material.agreement.judges.get(overview.leader, material.headline)


def _to_change(material: Material) -> Iterator[Part]:
    """Yield the criteria that a review decided to change, with whose task it is and until when."""
    if material.review is None or not material.contents.has("review"):
        return
    every = [(name, one) for name, one in material.review.decisions.items() if one.action]
    changing = [(name, one) for name, one in every if one.action != "keep"]
    if not changing:
        yield from [Paragraph("The rubric review keeps every criterion that it decided on.")] if every else []
        return
    table = selected(decision_table(changing), ("criterion", "decision", "owner", "due"))
    judge, caption = material.headline, f"To change: {words.several(len(changing), 'criteria')}, as the rubric review decided."
    if judge is not None and material.contents.has("kappa"):
        table, agreeing = beside_decisions(material, judge, table, [name for name, _ in changing])
        caption += agreeing
    yield without_empty(replace(table, key="to_change", caption=caption))


def _changed(material: Material) -> Iterator[Part]:
    """Yield how the criteria moved that moved at all from the first file to the second."""
    both = material.before_after
    if both is None or not both.changes:
        return
    yield Paragraph(f"Before and after: {whole_words(both)}")
    moved = [change for change in both.changes if change.difference.value]
    rows: list[tuple[Cell, ...]] = [
        (change.criterion, change.before.estimate, change.after.estimate, change.difference, reads(change))
        for change in moved[:MOST_CHANGED]
    ]
    head = (Column("criterion"), with_ends("before"), with_ends("after"), with_ends("difference", "signed"), Column("reads as"))
    more = len(moved) - len(rows)
    notes = (f"{words.several(more, 'criteria')} more changed: see the appendix.",) if more else ()
    if rows:
        yield Table("changed", "Criteria that changed, on decisions answered in both files.", head, tuple(rows), notes)


def overview(material: Material) -> Section | None:
    """Return the answer to how good the judge is, or how far the raters agree, as the page Overview gives it."""
    if material.overview is None or not material.contents.has("overview"):
        return None
    parts = [part for part in passages(material.overview) if _shown(material, part)]
    return Section("overview", "Overview", (*parts, *_beside(material)), own_page=True)


def _shown(material: Material, part: Passage) -> bool:
    """Return whether a part belongs on the first page, above which the declaration stands already."""
    if isinstance(part, Paragraph):
        return part.kind != "declaration"
    return not isinstance(part, Table) or part.key not in SWITCH_OF or material.contents.has(SWITCH_OF[part.key])


def _beside(material: Material) -> Iterator[Paragraph]:
    """Yield what the verdict is not on: criteria on other scales; and whose numbers follow, where they are another judge's."""
    overview = material.overview
    assert overview is not None
    on = overview.declaration.criteria
    others = [name for report in material.scored for name in report.declaration.criteria if name not in on]
    if others:
        names = words.listed([words.shorten(name) for name in on])
        apart = words.listed([words.shorten(name) for name in others])
        yield Paragraph(f"The verdict is on {names}. Numbers on {apart} follow below.", "note")
    if whose := whose_follow(material):
        yield Paragraph(whose, "note")


def whose_follow(material: Material) -> str:
    """Return whose numbers follow the verdict, where they are not those of the judge that leads; else nothing."""
    judge, leader = material.contents.judge, "" if material.overview is None else material.overview.leader
    return f"The numbers that follow are those of {words.plain(judge)}." if judge and leader and judge != leader else ""

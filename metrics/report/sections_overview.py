"""The first page: the verdict, the leaderboard, the lowest criteria, items to read first, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.analyses.overview.tables import CRITERIA, JUDGES, passages
from metrics.report.document import Section
from metrics.report.material import Material
from metrics.results import words
from metrics.results.prose import Paragraph, Passage
from metrics.results.tables import Table

SWITCH_OF = {JUDGES: "judges", CRITERIA: "criteria"}
"""Table to the part of the report that it goes with."""


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
    overview, judge = material.overview, material.contents.judge
    assert overview is not None
    on = overview.declaration.criteria
    others = [name for report in material.scored for name in report.declaration.criteria if name not in on]
    if others:
        names = words.listed([words.shorten(name) for name in on])
        apart = words.listed([words.shorten(name) for name in others])
        yield Paragraph(f"The verdict is on {names}. Numbers on {apart} follow below.", "note")
    if judge and overview.leader and judge != overview.leader:
        yield Paragraph(f"The numbers that follow are those of {words.plain(judge)}.", "note")

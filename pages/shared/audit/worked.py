"""One system worked from its labels: a κ that pooling makes, and the eleven practices with the numbers that meet them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from metrics.content.audit import llm_rubric, worked
from metrics.figures import dots
from metrics.report.checklist.compute import MARKS
from metrics.results.estimate import Estimate
from metrics.results.words import count
from pages.shared import parts, state, to_lab
from pages.shared.plain import escape

LIMITS = (-0.2, 0.2)
ALL = "All pooled"


def drawings() -> list[Callable[[], None]]:
    """Return room view: the paradox, then the practices."""
    return [pooled, practices]


def section() -> None:
    """Both side by side, with where the counts are from."""
    parts.side_by_side({"wide_worked_pooled": pooled, "wide_worked_practices": practices})
    st.markdown(f":small[{escape(worked.CAVEAT)} {escape(llm_rubric.SOURCE)}]")


def pooled() -> None:
    """κ of every question, and below all of them that of all together."""
    shown = worked.pooled()
    blocks = {**shown.by_question, ALL: shown.whole}
    rows = [
        dots.DotRow(name, Estimate(block.values["kappa"]), block.n or 0, block.values["prevalence"])
        for name, block in blocks.items()
    ]
    rows.sort(key=lambda row: (row.name == ALL, -row.estimate.value))
    parts.headed(
        f"{llm_rubric.NAME}: pooled below every question", "dot: κ, grades 3 and 4 as MET · n: decisions · π: people say MET"
    )
    look = {"limits": LIMITS, "selected": len(rows) - 1}
    parts.drawing("audit.pooled", dots.criteria_dots, dots.alt, rows, look=look)
    parts.reading(escape(worked.pooled_reading(shown)))
    if not state.in_room_view():
        with st.container(horizontal=True, gap="small"):
            to_lab.open_in_lab(shown.scene(), told("all questions pooled"), "all decisions")
            to_lab.open_in_lab(shown.scene(shown.odd), told(shown.odd), shown.odd)


def told(which: str) -> tuple[tuple[str, str], ...]:
    """What a table says of itself in the lab."""
    return (("Judge", llm_rubric.JUDGE), (f"{llm_rubric.NAME}, {which}, licence MIT", ""))


def practices() -> None:
    """A line for each practice; its sentences behind a click, all but the first."""
    checklist = worked.practices()
    parts.headed(f"{llm_rubric.NAME} and the eleven practices", checklist.count_words)
    if not state.in_room_view():
        st.markdown(escape(worked.practices_reading()))
    for practice in checklist.practices:
        head = f"**{MARKS[practice.state]} {practice.number} {escape(practice.name)}**"
        first, *rest = practice.evidence or (practice.action,)
        st.markdown(f"{head}  \n{escape(first)}")
        if rest and not state.in_room_view():
            with st.expander(f"{count(len(rest))} more of practice {practice.number}"):
                st.markdown("  \n".join(escape(text) for text in rest))

"""κ and φ of every row, with the share that κ keeps and the drift that takes the rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from metrics.analyses.kappa_phi import readings
from metrics.analyses.kappa_phi.readings_habit import habit_reading
from metrics.analyses.kappa_phi.rows import GapRow
from metrics.figures import dumbbell
from metrics.results.words import count, shorten
from pages.shared import parts, screen, state
from pages.shared.kappa_phi import asking
from pages.shared.plain import emphasis, escape

REST = "kappa_phi.rest"
MOST = 30
"""Rows in view; those with less drift stand in an expander."""
FOOTNOTE = (
    "Rao and Callison-Burch (Agreement Metrics for LLM-as-Judge Evaluation) say that the gap of φ and κ measures the label-rate "
    "bias, and that κ is the lower one. Only the ratio κ/φ does: the difference is also 0 where φ is 0, whatever the bias; "
    "and where φ is below 0, κ is the higher one, nearer to 0."
)


def section(asked: asking.GapView) -> None:
    of = "κ · ◆ φ · κ/φ the share of φ that κ keeps · label-rate bias: judge minus human, with its interval"
    title = f"One agreement, scaled twice: κ and φ differ only where the two rates of {shorten(asked.positive)} differ"
    with parts.heading(title, f"● {of}"):
        if not state.in_room_view():
            asking.rows_chooser(asked.dataset)
    subject = asked.subject.name if asked.subject else None
    _both(asked, asked.rows[:MOST], asked.pooled, subject, "first")
    reading = readings.gap_reading(asked.rows, asked.positive, asked.what, pooled=asked.pooled, name=emphasis, why=escape)
    habit = habit_reading(
        asked.rows, asked.positive, asked.what, confidence=asked.report.declaration.confidence, pooled=asked.pooled, name=emphasis
    )
    means = readings.means_reading(asked.every, name=emphasis)
    parts.reading(" ".join(part for part in (reading, habit, means) if part))
    if state.in_room_view():
        return
    rest = asked.rows[MOST:]
    if rest:
        kind = {"criterion": "criteria", "judge": "judges"}[asked.what]
        # Drawn when it is open: a figure in a closed one does not follow the width of the window.
        with st.expander(f"{count(len(rest))} more {kind}, with less label-rate bias", key=REST, on_change="rerun") as others:
            if others.open:
                _both(asked, rest, None, subject, "rest")
    st.markdown(f":small[{FOOTNOTE}]")


def _both(asked: asking.GapView, rows: Sequence[GapRow], pooled: GapRow | None, subject: str | None, part: str) -> None:
    """Bars on a wide screen, words on a narrow one."""
    alt = partial(dumbbell.alt, positive=asked.positive)
    names = [row.name for row in ((pooled,) if pooled else ())] + [row.name for row in rows]
    narrow = screen.narrow()
    key = f"kappa_phi.dumbbell_{part}_{'narrow' if narrow else 'broad'}"
    choose, look = partial(clicked, key, names, (asked.dataset.id, asked.chosen)), {"narrow": narrow, "selected": subject}
    parts.drawing(key, dumbbell.dumbbells, alt, rows, look=look, on_select=choose, pooled=pooled)


def clicked(key: str, names: Sequence[str], place: object) -> None:
    """A click on a row or a point is a choice of what to look at."""
    parts.take_click(key, place, names, asking.SUBJECT)

"""The views behind *Show*: where a row lies, which rate puts it there, and two things to know before citing κ or φ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics.analyses.kappa_phi import readings
from metrics.analyses.kappa_phi.rows import GapRow, cause_of, written_out
from metrics.data.scales import scales_of
from metrics.figures import surface
from pages.shared import parts, screen, state, to_lab
from pages.shared.kappa_phi import asking, dumbbells, numbers
from pages.shared.plain import emphasis, escape

CLOSED_FORM = r"\frac{\kappa}{\varphi} = \operatorname{sech}\frac{\operatorname{logit}\pi - \operatorname{logit}\hat\pi}{2}"
IN_ROOM = 310
"""Width of the surface in px before scaling, so that it stands on a projector whole."""
EQUALITY = (
    "Rao and Callison-Burch (Eq. 12) give π = π̂ as the only case in which κ = φ. There is a second one: TP·TN = FP·FN. "
    "Then both are 0 at any two rates, as in 10, 10, 40, 40 with π 20 % and π̂ 50 %."
)


def every(asked: asking.GapView) -> list[Callable[[], None]]:
    """Return all views, for the room."""
    return [partial(draw, asked) for draw in _DRAWN.values()]


def chosen_one(asked: asking.GapView) -> None:
    _DRAWN[asking.show_chooser()](asked)


def surface_view(asked: asking.GapView) -> None:
    rows = list(asked.rows)
    parts.lone_heading("How much does label-rate bias lower κ below φ?", "lines of equal κ/φ over the two rates")
    room = state.in_room_view()
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="room_square" if room else "wide_surface"):
            _square(asked, rows)
        with st.container(key="room_words" if room else "wide_surface_words"):
            st.latex(CLOSED_FORM)
            parts.reading(readings.surface_reading(rows, name=emphasis, why=escape))
            if not room:
                st.markdown(f":small[{EQUALITY}]")


def _square(asked: asking.GapView, rows: list[GapRow]) -> None:
    names = [row.name for row in rows]
    subject = asked.subject.name if asked.subject else None
    place = (asked.dataset.id, asked.chosen)
    narrow = screen.narrow()
    px = surface.NARROW if narrow else IN_ROOM if state.in_room_view() else surface.BROAD
    key = f"kappa_phi.surface_{'narrow' if narrow else 'broad'}"
    alt, look = partial(surface.alt, small=narrow), {"selected": subject, "width": px}
    choose = partial(dumbbells.clicked, key, names, place)
    parts.drawing(key, surface.gap_surface, alt, rows, look=look, on_select=choose, positive=asked.positive)


def about_one(asked: asking.GapView, title: str, below: str, draw: Callable[[asking.GapView, GapRow], None]) -> None:
    """A view of one row, which is chosen beside its heading."""
    with parts.heading(title, below):
        if not state.in_room_view() and asked.subject is not None:
            asking.subject_chooser(asked)
    if asked.subject is None:
        st.info(asking.NO_TABLE, icon=":material/info:")
        return
    draw(asked, asked.subject)
    _in_lab(asked, asked.subject)


def _in_lab(asked: asking.GapView, row: GapRow) -> None:
    whole = row.pooled or asked.what == "judge"
    chosen = replace(asked.chosen, judge=asked.judge_of(row), level=asked.chosen.level if whole else "micro")
    to_lab.open_choices(asked.dataset, chosen, None if whole else row.name)


def _cause(asked: asking.GapView, row: GapRow) -> None:
    cause = cause_of(row)
    if cause.state == "undefined":
        st.markdown(f"**{escape(row.name)}** has no ratio.")
    else:
        st.latex(written_out(cause))
    parts.reading(
        readings.cause_reading(
            cause, asked.unit_of(row), named=scales_of(asked.dataset.ratings).named_errors, name=emphasis, why=escape
        )
    )


_DRAWN: dict[asking.Show, Callable[[asking.GapView], None]] = {
    "surface": surface_view,
    "cause": partial(
        about_one,
        title="The ratio written out",
        below="π: how often the human says it · π̂: how often the judge does",
        draw=_cause,
    ),
    "names": partial(
        about_one,
        title="Five names, one number",
        below="five coefficients of the same 2 × 2 table, each computed by a route of its own",
        draw=numbers.five,
    ),
    "variance": partial(
        about_one,
        title="How sure the textbook is of κ and of φ",
        below="standard errors for independent decisions beside the intervals shown elsewhere",
        draw=numbers.variance,
    ),
}

"""One published system worked from its labels; then what one table says of how 24 of them report agreement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from metrics.content.audit import readings
from metrics.content.audit.counting import Wanted, by_practice, crosstab, left
from metrics.content.audit.systems import System
from metrics.figures.audit import Part, alt, practice_dots
from metrics.report.checklist.practice import NAMES
from metrics.results.words import count
from pages.shared import opening, parts, sheets, stage, state
from pages.shared.audit import asking, details, worked
from pages.shared.plain import escape

ASKS = "What does a full report say of one system’s labels, and what do 24 of them state?"
PARTS = (
    Part("said", "says met", "met"),
    Part("otherwise", "says not met", "missed"),
    Part("not said", "does not say", "open"),
    Part("not asked", "not asked of it", "none"),
)
ROW, MOST = 35, 430  # height of a row of the table, and of the whole at most, in px
ROOM = 640


def page() -> None:
    asking.translate()
    parts.title(ASKS)
    room = state.in_room_view()
    if not room:
        worked.section()
        st.header("What one table says of 24 systems", anchor=False)
        st.markdown(escape(readings.CAVEAT))
    with opening.choosers():
        wanted = asking.wanted()
    systems = left(wanted)
    if not systems:
        _nothing(wanted)
    elif room:
        table = [partial(show, systems) for show in (_counted, _show_categories, _systems, _show_system)]
        stage.one_at_a_time([*worked.drawings(), *table])
    else:
        st.markdown(escape(readings.headline(systems)))
        parts.reading(readings.reading(systems))
        _systems(systems)
        _details(asking.opened(systems))
        with st.container(horizontal=True, gap="large"):
            with st.container(key="wide_audit_practices"):
                _counted(systems)
            with st.container(key="wide_audit_kinds"):
                _show_categories(systems)
    if not room:
        parts.report_link("Put your own data to the checklist")
        st.markdown(f":small[{escape(readings.ORIGIN)}]")


def _nothing(wanted: Wanted) -> None:
    chosen = [asking.CATEGORIES.get(wanted.category), asking.SCALES.get(wanted.scale), asking.REPORTED.get(wanted.measure)]
    text = f"“{wanted.text}”" if wanted.text else None
    st.info(escape(readings.NOTHING.format(" and ".join(filter(None, [*chosen, text])))), icon=":material/info:")
    st.button("Show all", on_click=asking.loosen, type="primary")


def _systems(systems: Sequence[System]) -> None:
    """The table; a row that is chosen is opened below."""
    keys = [system.key for system in systems]
    table = f"audit.table {' '.join(keys)}"
    st.dataframe(
        readings.rows(systems),
        hide_index=True,
        key=table,
        height=min(ROW * (len(systems) + 1) + 3, MOST),
        row_height=ROW,
        on_select=partial(asking.open_row, table, keys),
        selection_mode="single-row",
        alt=f"{count(len(systems))} systems",
        column_config={
            "System": st.column_config.TextColumn(width=190),
            "Would be added": st.column_config.NumberColumn(help=readings.ADDED_HELP),
        },
    )
    sheets.download("Table as CSV", lambda: readings.sheet(systems), "reporting-audit.csv", "audit.csv")


def _details(system: System) -> None:
    with st.container(border=True, key="audit_details"):
        with st.container(horizontal=True, gap="large"):
            with st.container(key="wide_audit_facts"):
                details.facts(system)
            with st.container(key="wide_audit_data"):
                details.data(system)
        details.added(system)


def _show_system(systems: Sequence[System]) -> None:
    """One system on a projector, without where its labels lie."""
    system = asking.opened(systems)
    details.facts(system)
    details.added(system)


def _counted(systems: Sequence[System]) -> None:
    """What the table says of each practice."""
    parts.headed(
        "Reported practices",
        f"a dot: one of {count(len(systems))} systems · right: how many of those asked meet it, by the table",
    )
    rows = [(f"{number} {NAMES[number]}", named) for number, named in by_practice(systems).items()]
    room = state.in_room_view()
    drawn = practice_dots(rows, PARTS, theme=parts.theme(), scale=parts.scale(), beside=room, width=ROOM if room else 340)
    parts.figure(drawn, "audit.practices", alt(rows, PARTS), broadest=None if room else 640)
    if room:
        st.markdown(escape(readings.headline(systems)))


def _show_categories(systems: Sequence[System]) -> None:
    """Category by what is reported."""
    parts.headed("What each category reports", "a system counts once for each of its measures")
    counts_by_category = crosstab(systems)
    used = [measure for measure in asking.REPORTED if any(counts[measure] for counts in counts_by_category.values())]
    cells = {
        readings.CATEGORY_NAMES[category]: [count(counts[measure]) for measure in used]
        for category, counts in counts_by_category.items()
    }
    table = {"reported": [escape(asking.REPORTED[measure]) for measure in used]} | cells
    sheets.show(table, "By category (CSV)", "reporting-by-category.csv", "audit.kinds_csv", alt="What each category reports")


page()

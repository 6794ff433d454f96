"""The decisions and items behind a number, chosen in a figure or by hand."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.agreement.decisions import decision_frame, decisions_behind, decisions_of_items, items_behind, n_behind
from metrics.results.words import NEEDS_ROWS, several, shorten
from pages.shared import parts, sheets, state, texts
from pages.shared.disagreements import presets

CELL, CRITERION = "agreement.cell", "agreement.criterion"
MOST_ROWS = 200


def selected_cell() -> tuple[int, int] | None:
    cell = st.session_state.get(CELL)
    return tuple(cell) if isinstance(cell, tuple | list) else None


def cell_clicked(place: object) -> None:
    spot = parts.clicked("agreement.mosaic", place)
    st.session_state[CELL] = (spot[0], spot[1]) if spot else None


def criterion_clicked(names: list[str], place: object) -> None:
    spot = parts.clicked("agreement.criteria", place)
    st.session_state[CRITERION] = names[spot[0]] if spot else None


def section(dataset: state.Dataset, chosen: state.Choices, labels: tuple[str, ...]) -> None:
    """Two choices, also set by the figures, and the rows they lead to."""
    ratings = dataset.ratings
    if not ratings.has_items:
        st.markdown("This is a table of counts: there are no items behind its cells.")
        return
    by_item = chosen.level == "item"
    unit = "items" if by_item else "decisions"
    parts.lone_heading(unit.capitalize(), "choose here, or select a cell or a criterion in the figures")
    cell, criterion = _choosers(ratings.criteria, labels)
    if cell is None and criterion is None:
        return
    settings = chosen.settings()
    if by_item and cell is not None:
        items = items_behind(ratings, chosen.judge, settings, cell=cell)
        places = decisions_of_items(ratings, items)
        behind = several(n_behind(ratings, places), "decisions")
        st.markdown(f"**{several(int(ratings.weight[items].sum()), 'items')}**, {behind} on them.")
    else:
        places = decisions_behind(ratings, chosen.judge, settings, cell=cell, criterion=criterion)
        st.markdown(f"**{several(n_behind(ratings, places), 'decisions')}.**")
    if not ratings.has_rows:
        st.markdown(NEEDS_ROWS)
        return
    if not len(places):
        return
    presets.link(cell=None if cell is None else (labels[cell[0]], labels[cell[1]]), criterion=criterion or "")
    shown = decision_frame(ratings, chosen.judge, settings, places[:MOST_ROWS], texts.chosen(dataset))
    parts.rows(shown, len(places), "decisions", "agreement.rows")
    sheets.download(
        sheets.these(len(places), "decisions"),
        lambda: decision_frame(ratings, chosen.judge, settings, places),
        "decisions.csv",
        "agreement.rows_csv",
    )


def _choosers(criteria: tuple[str, ...], labels: tuple[str, ...]) -> tuple[tuple[int, int] | None, str | None]:
    cells = [(row, column) for row in range(len(labels)) for column in range(len(labels))]
    names = {(r, c): f"human {shorten(labels[r])} · judge {shorten(labels[c])}" for r, c in cells}
    with st.container(horizontal=True):
        cell = st.selectbox(
            "Outcome",
            cells,
            index=None,
            format_func=lambda cell: names.get(tuple(cell), ""),
            key=CELL,
            placeholder="Any cell",
            persist_state="session",
        )
        criterion = st.selectbox(
            "Criterion", criteria, index=None, key=CRITERION, placeholder="Every criterion", persist_state="session"
        )
    return cell, criterion

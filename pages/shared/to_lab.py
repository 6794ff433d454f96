"""From a confusion table of the dashboard to the same table in the paradox lab, and back to the page it stood on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import streamlit as st

from metrics.content.lab.linked import of_judge
from metrics.content.lab.pictures import Source, Told, source_lines
from metrics.content.lab.scenes import Scene, treated
from metrics.data.nonverdicts import modes_of
from pages.shared import session_cache, state
from pages.shared.page_records import LAB, page_of

SOURCES, MOST = "lab sources", 500
"""Where a table came from stays in the session: an address has a key alone, and no name of a file."""


def open_in_lab(scene: Scene | None, facts: Told, name: str = "") -> None:
    """A link to the lab with this table; nothing where the lab cannot draw it, and in the room.

    Parameters
    ----------
    facts : tuple of (str, str)
        What the table says of itself there.
    name : str
        Which of several tables on the page: A, B.
    """
    if scene is not None and not state.in_room_view():
        label = f"Open {name} in the lab" if name else "Open in the lab"
        table_source = _from(scene, facts, st.session_state.get(state.PAGE, ""))
        session_cache.put(session_cache.held(SOURCES), table_source.key, table_source, MOST)
        address = replace(scene, source=table_source).address()
        st.page_link(LAB.path, label=label, icon=":material/science:", query_params=address)


def open_choices(
    dataset: state.Dataset,
    chosen: state.Choices,
    criterion: str | None = None,
    more: tuple[str, str] | None = None,
    name: str = "",
) -> None:
    """A link to the lab with the table of these choices; `more` is what only its page knows of it."""
    scene = of_choices(dataset, chosen, criterion)
    if scene is not None:
        open_in_lab(scene, _provenance(dataset, chosen, scene, criterion, more), name)


def of_choices(dataset: state.Dataset, chosen: state.Choices, criterion: str | None = None) -> Scene | None:
    """Return the table of these choices; macro has none of its own and shows the pooled one."""
    level: Literal["micro", "item"] = "item" if chosen.level == "item" else "micro"
    return of_judge(dataset.ratings, chosen.judge, chosen.settings(), level, criterion)


def _provenance(
    dataset: state.Dataset, chosen: state.Choices, scene: Scene, criterion: str | None, more: tuple[str, str] | None = None
) -> Told:
    item = chosen.level == "item"
    return source_lines(
        dataset.ratings, chosen.judge, chosen.reference, treated(scene), item=item, criterion=criterion, more=more
    )


def _from(scene: Scene, facts: Told, page: str) -> Source:
    return Source(page, str(st.session_state.get("data")), facts, scene.a, scene.mode)


def source(key: str) -> Source | None:
    """Where the table of a link came from: one that this session has seen, or that the data set in view gives again."""
    known_source: Source | None = session_cache.held(SOURCES).get(key)
    if known_source is not None or not key:
        return known_source
    return next((table_source for table_source in _given_again() if table_source.key == key), None)


def _given_again() -> Iterator[Source]:
    """Yield sources of the tables that follow from the data set and the sidebar's choices alone."""
    dataset, chosen = state.dataset(), state.choices()
    if dataset is None or chosen is None:
        return
    asked = [("agreement", chosen, None)]
    asked += [("", replace(chosen, judge=judge), None) for judge in dataset.ratings.judges]
    asked += [("abstention", replace(chosen, mode=mode), None) for mode in modes_of(dataset.ratings)]
    asked += [("kappa-phi", replace(chosen, level="micro"), criterion) for criterion in (None, *dataset.ratings.criteria)]
    for page, choices, criterion in asked:
        scene = of_choices(dataset, choices, criterion)
        if scene is not None:
            yield _from(scene, _provenance(dataset, choices, scene, criterion), page)


def back(table_source: Source | None) -> None:
    """A link to the page a table came from, while its data set is in view."""
    if (
        table_source is not None
        and table_source.data == str(st.session_state.get("data"))
        and page_of(table_source.page).opens_lab
    ):
        page = page_of(table_source.page)
        st.page_link(page.path, label=f"Back to {page.title}", icon=":material/arrow_back:")

"""From a confusion table of the dashboard to the same table in the paradox lab, and back to the page it stood on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import streamlit as st

from metrics.content.lab.linked import of_judge
from metrics.content.lab.scenes import Scene, treated
from metrics.content.lab.sources import Source, Told, told_of
from metrics.data.nonverdicts import modes_of
from pages.shared import kept, state
from pages.shared.page_records import LAB, page_of

SOURCES, MOST = "lab sources", 500
"""Where a table came from stays in the session: an address has a key alone, and no name of a file."""


def open_in_lab(scene: Scene | None, told: Told, name: str = "") -> None:
    """A link to the lab with this table; nothing where the lab cannot draw it, and in the room.

    Parameters
    ----------
    told : tuple of (str, str)
        What the table says of itself there.
    name : str
        Which of several tables on the page: A, B.
    """
    if scene is not None and not state.in_room_view():
        label = f"Open {name} in the lab" if name else "Open in the lab"
        own = _from(scene, told, st.session_state.get(state.PAGE, ""))
        kept.put(kept.held(SOURCES), own.key, own, MOST)
        address = replace(scene, source=own).address()
        st.page_link(LAB.path, label=label, icon=":material/science:", query_params=address)


def open_choices(
    its: state.Dataset, chosen: state.Choices, criterion: str | None = None, more: tuple[str, str] | None = None, name: str = ""
) -> None:
    """A link to the lab with the table of these choices; `more` is what only its page knows of it."""
    scene = of_choices(its, chosen, criterion)
    if scene is not None:
        open_in_lab(scene, _told(its, chosen, scene, criterion, more), name)


def of_choices(its: state.Dataset, chosen: state.Choices, criterion: str | None = None) -> Scene | None:
    """Return the table of these choices; macro has none of its own and shows the pooled one."""
    level: Literal["micro", "item"] = "item" if chosen.level == "item" else "micro"
    return of_judge(its.ratings, chosen.judge, chosen.settings(), level, criterion)


def _told(
    its: state.Dataset, chosen: state.Choices, scene: Scene, criterion: str | None, more: tuple[str, str] | None = None
) -> Told:
    item = chosen.level == "item"
    return told_of(its.ratings, chosen.judge, chosen.reference, treated(scene), item=item, criterion=criterion, more=more)


def _from(scene: Scene, told: Told, page: str) -> Source:
    return Source(page, str(st.session_state.get("data")), told, scene.a, scene.mode)


def source(key: str) -> Source | None:
    """Where the table of a link came from: one that this session has seen, or that the data set in view gives again."""
    found: Source | None = kept.held(SOURCES).get(key)
    if found is not None or not key:
        return found
    return next((own for own in _given_again() if own.key == key), None)


def _given_again() -> Iterator[Source]:
    """Yield sources of the tables that follow from the data set and the sidebar's choices alone."""
    its, chosen = state.dataset(), state.choices()
    if its is None or chosen is None:
        return
    asked = [("", chosen, None)]
    asked += [("abstention", replace(chosen, mode=mode), None) for mode in modes_of(its.ratings)]
    asked += [("kappa-phi", replace(chosen, level="micro"), criterion) for criterion in (None, *its.ratings.criteria)]
    for page, own, criterion in asked:
        scene = of_choices(its, own, criterion)
        if scene is not None:
            yield _from(scene, _told(its, own, scene, criterion), page)


def back(own: Source | None) -> None:
    """A link to the page a table came from, while its data set is in view."""
    if own is not None and own.data == str(st.session_state.get("data")) and page_of(own.page).opens_lab:
        page = page_of(own.page)
        st.page_link(page.path, label=f"Back to {page.title}", icon=":material/arrow_back:")

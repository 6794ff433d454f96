"""From a confusion table of the dashboard to the same table in the paradox lab."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from metrics.lab.linked import of_judge
from metrics.lab.scenes import Scene
from pages.shared import state

PAGE = "pages/learn/lab.py"


def open_in_lab(scene: Scene | None, name: str = "") -> None:
    """A link to the lab with this table; nothing where the lab cannot draw it, and in the room.

    `name` says which of several tables on the page: A, B.
    """
    if scene is not None and not state.in_room_view():
        label = f"Open {name} in the lab" if name else "Open in the lab"
        st.page_link(PAGE, label=label, icon=":material/science:", query_params=scene.address())


def of_choices(its: state.Dataset, chosen: state.Choices, criterion: str | None = None) -> Scene | None:
    """The table of these choices; macro has none of its own and shows the pooled one."""
    level: Literal["micro", "item"] = "item" if chosen.level == "item" else "micro"
    return of_judge(its.ratings, chosen.judge, chosen.settings(), level, criterion)

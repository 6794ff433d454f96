"""A mark of a figure under the hand: mouse, finger and keys take it from stop to stop, and the page follows when it is let go."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import streamlit as st

from metrics.figures import theme as figure_theme
from metrics.figures.stops import HELD, Stops
from pages.shared import component, parts

JS = Path(__file__).with_suffix(".js")
HOLDING = JS.with_name("holding.js")
"""How an element is held, and how what the hand does comes to the page: every held figure begins with it."""
HTML = '<div class="mark"><p></p></div>'
CSS = """
p {
  margin: 0; min-height: 1.5em; font-family: var(--st-font); font-size: var(--letters, 1rem); line-height: 1.5;
  color: var(--st-text-color); font-weight: 600; font-variant-numeric: tabular-nums;
}
p::first-letter {text-transform: uppercase}
"""


def held_mark(
    chart: str,
    stops: Stops,
    at: int,
    put: Callable[[int], None],
    *,
    label: str,
    colour: str,
    place: object,
    address: Mapping[str, Sequence[str | None]],
) -> None:
    """Below a figure of plotly: its mark is held, and the numbers of the stop where it is stand in a line.

    Parameters
    ----------
    chart : str
        Key of the figure, whose own parts of the mark bear the name or the meta `metrics.figures.stops.HELD`.
    at : int
        The stop where the page has it.
    put : callable
        Takes the stop where the hand let go, before the page runs.
    label : str
        What the mark is, for people who do not see it.
    colour : str
        One of the theme's.
    place : object
        What the stops belong to: where it differs, they are others.
    address : mapping of str to sequence of str
        What each stop is called in the address, by its parameters; None where it leaves one out. Put there in the place of the
        one before: a way back leads past it, as past all answers.
    """
    key = f"{chart}.mark"
    colours = figure_theme.tokens(parts.theme())
    stated = st.session_state.get(key, {}).get("placed") or (0, "", 0)
    identity = repr(place)

    def take() -> None:
        _, of, stop = st.session_state[key]["placed"]
        if of == identity and 0 <= int(stop) < len(stops.spots):
            put(int(stop))

    data = {
        **stops.to_dict(),
        "chart": re.sub(r"[^a-zA-Z0-9_-]", "-", chart),
        "id": identity,
        "at": at,
        "heard": stated[0],
        "label": label,
        "held": HELD,
        "address": {name: list(values) for name, values in address.items()},
        "colours": {"page": colours.page, "text": colours.text, "selected": colours.selected, "tint": colour},
    }
    component.mount("held_mark", HOLDING, JS, key=key, data=data, html=HTML, css=CSS, on_placed_change=take)

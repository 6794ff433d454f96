"""The view of a page as Python and as a command, in one quiet place at its end."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from metrics.analyses.settings import Settings
from metrics.commands import view_lines
from metrics.commands.view_lines import Call, Name, View, path
from pages.shared import cached, state

__all__ = ["Call", "Name", "View", "call", "named", "path", "section", "weights"]
OPEN = "lines.open"
TITLES = ("This view as Python", "This view as Python and as a command")


def call(function: str, settings: Settings | None, dataset: state.Dataset, **own: object) -> Call:
    """Return the call of a function under the choices of the page; see `metrics.commands.view_lines.chosen`."""
    return view_lines.chosen(function, settings, dataset.ratings, **own)


def named(function: Callable[..., object]) -> str:
    """Return a function or a class that `metrics` does not offer itself, as a call takes it."""
    return f"{function.__module__}.{function.__name__}"


def weights(dataset: state.Dataset) -> dict[str, float] | None:
    """Return the weights of criteria where they are others than those of the file."""
    return view_lines.weights_to_say(state.weights_of(dataset), dataset.ratings)


def section(dataset: state.Dataset | None, *views: View) -> None:
    """The lines that make these views of the data set; nothing in room view."""
    if state.in_room_view():
        return
    reading = None if dataset is None else _reading(dataset)
    command = view_lines.command_text(views, reading)
    # Sent when it is open: what colours code is the largest script of a page.
    with st.expander(TITLES[bool(command)], key=OPEN, on_change="rerun") as lines:
        if lines.open:
            st.code(view_lines.python_text(views, reading), language="python", wrap_lines=True)
            if command:
                st.code(command, language="shell", wrap_lines=True)


def _reading(dataset: state.Dataset) -> view_lines.Reading:
    """Return where the ratings in view come from; a bundled sample lies with the program."""
    file = state.dataset_of_the_file() or dataset
    files = (f"{cached.ASSETS.name}/{cached.samples()[file.id]['file']}",) if file.kind == "sample" else ()
    return view_lines.Reading(file.ratings, dataset.ratings, files)

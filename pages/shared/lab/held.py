"""The picture in view: kept for the session, taken from the address on arrival, and written back to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from metrics import InputError
from metrics.content.lab.lessons import STEPS, Step
from metrics.content.lab.pictures import Picture
from metrics.content.lab.scenes import FIRST, FROM, KEYS, TOPS, Scene, at_step, from_address, read_tops
from metrics.content.lab.tables import ConfusionTable, full_scale
from metrics.content.lab.tasks import Task
from pages.shared import state, to_lab

SCENE, PAST, TOP = "lab scene", "lab past", "lab top"
IN_HAND = "lab in hand"
"""The scene as the hand last left it, while the hand still holds it: on its way, so neither in the address nor to be undone."""
BESIDE, TAKEN = "lab_beside", "lab taken"
FIGURE = "figure"
"""What stands in the room before somebody chooses one of the views."""
VIEW, FULL = "lab_view", "lab full"
"""In the address, and in the session: whether the whole laboratory is open, and not a lesson alone."""
ADDRESS = (*KEYS, TOPS, VIEW)
WRITTEN, VERSIONS, UNSENT, REACHES = "lab written", "lab versions", "lab unsent", "lab reaches"
MOST_PAST = 50
MOUNTED = 2.0
"""Seconds after which the browser shows a new widget: before, two answers may reach it at once, and the later one counts."""


def arrive() -> InputError | None:
    """Take the picture of a link when the page is opened; why it could not be read, if so."""
    link_params = {key: st.query_params[key] for key in ADDRESS if key in st.query_params}
    # The run in which the page was opened may have been cut short before it came here.
    if not link_params or not (state.arriving() or SCENE not in st.session_state):
        return None
    try:
        _take(link_params)
    except InputError as error:
        return error
    return None


def turn_back(address: dict[str, str]) -> None:
    """Take the picture of an address that the browser's own way back led to; one that nobody can read is none of ours."""
    with suppress(InputError):
        _take({key: address[key] for key in ADDRESS if key in address})


def _take(link_params: dict[str, str]) -> None:
    came = from_address(link_params)
    tops = read_tops(link_params.get(TOPS, ""))
    st.session_state[FULL] = link_params.get(VIEW) == "full" or not came.step or bool(came.task)
    source = to_lab.source(link_params.get(FROM, ""))
    start(replace(came, source=source if source is not None and not came.step else None))
    st.session_state.update({f"{TOP} {side}": top for side, top in zip("ab", tops, strict=False)})


def is_full() -> bool:
    """Return whether the whole laboratory is open."""
    return bool(st.session_state.get(FULL))


def open_full(wanted: bool) -> None:
    """Open the whole laboratory, or the lesson alone; for callbacks."""
    st.session_state[FULL] = wanted
    if not wanted and (scene().origin is None or scene().task):
        to_step(scene().step or FIRST)


def scene() -> Scene:
    current_scene: Scene = st.session_state.setdefault(SCENE, at_step(FIRST))
    return current_scene


def kept() -> Picture | None:
    """Return the table that the lab holds, for other pages; None before anybody has been there."""
    return st.session_state[SCENE].picture if SCENE in st.session_state else None


def keep(new: Scene) -> None:
    """Show a picture, and remember the one before it."""
    past: list[Scene] = st.session_state.setdefault(PAST, [])
    if SCENE in st.session_state and st.session_state[SCENE] != new:
        past.append(st.session_state[SCENE])
        del past[:-MOST_PAST]
    st.session_state[SCENE] = new


def key(name: str, value: object, reach: object = None) -> str:
    """Return key of a widget that shows a value which other widgets change too; a slider of another reach is another widget.

    While somebody drags, the browser asks with what the other widgets showed before the last answer reached it; taken for
    answers, these would undo the move. So a widget is never made to show another value: it gives way to a new one.
    """
    versions: dict[str, int] = st.session_state.setdefault(VERSIONS, {})
    widget_key = f"{name} {versions.setdefault(name, 0)}"
    reaches: dict[str, object] = st.session_state.setdefault(REACHES, {})
    if st.session_state.get(widget_key, value) != value or reaches.get(name, reach) != reach:
        versions[name] += 1
        widget_key = f"{name} {versions[name]}"
    reaches[name] = reach
    unsent: dict[str, float] = st.session_state.setdefault(UNSENT, {})
    if widget_key not in st.session_state or widget_key in unsent:
        # Written for ever, it would be sent for ever, and move the widget back under a finger that has gone on.
        st.session_state[widget_key] = value
        unsent.setdefault(widget_key, time.monotonic())
    return widget_key


def drawn() -> None:
    """The page has been drawn to its end, so the browser has what older widgets show; a newer question may cut it short."""
    now, unsent = time.monotonic(), st.session_state.get(UNSENT, {})
    st.session_state[UNSENT] = {widget_key: when for widget_key, when in unsent.items() if now - when < MOUNTED}


def answer(key: str, act: Callable[..., None], *more: Any) -> None:
    """Act on what a widget says, unless it has given way to a new one since."""
    name, _, version = key.rpartition(" ")
    st.session_state.get(UNSENT, {}).pop(key, None)  # what is touched is shown
    if st.session_state[VERSIONS].get(name) == int(version):
        act(st.session_state[key], *more)


def undo() -> None:
    if st.session_state.get(PAST):
        st.session_state[SCENE] = st.session_state[PAST].pop()
        fit_sliders()


def fit_sliders() -> None:
    """Let the sliders of counts reach as far as the tables need, and no farther."""
    for side in "ab":
        st.session_state.pop(f"{TOP} {side}", None)


def undoable() -> bool:
    return bool(st.session_state.get(PAST))


def start(new: Scene) -> None:
    """Show a picture that is not made from the one in view; in the room, as the figure that is held."""
    keep(new)
    fit_sliders()
    if new.origin is not None and BESIDE in st.session_state:
        st.session_state[BESIDE] = FIGURE


def begin_task(task: Task) -> None:
    """The table a task begins with, in the place of the picture it is taken from."""
    now = scene()
    if not now.task:
        st.session_state[TAKEN] = now
    start(Scene(now.step, task.start, task.second_table, task=task.key))


def leave_task() -> None:
    """The picture a task was taken from; its step where the task came by a link."""
    now, before = scene(), st.session_state.pop(TAKEN, None)
    start(before if before is not None and before.step == now.step else at_step(now.step or FIRST))


def to_step(key: str) -> None:
    """A step as it begins."""
    start(at_step(key))


def to_place(place: int) -> None:
    """As `to_step`, by its place in the order of all."""
    to_step(list(STEPS)[place])


def go(step: Step | None) -> None:
    if step is not None:
        to_step(step.key)


def change(**what: object) -> None:
    keep(replace(scene(), **what))  # type: ignore[arg-type]


def change_table(make: Callable[[ConfusionTable], ConfusionTable], *, second: bool) -> None:
    """Make one of the two tables anew, where it is there."""
    now = scene()
    table = now.b if second else now.a
    if table is not None:
        keep(now.with_table(make(table), second=second))


def place(cells: tuple[int, ...], *, second: bool) -> None:
    """Take a table from under the hand; the step's own where the counts are its, so that nothing counts as touched."""
    now = scene()
    table, step = (now.b if second else now.a), now.origin
    if table is None or (table.abstains and now.mode != "exclude") or cells == table.driven_by_counts().confusion_counts:
        return
    own = None if step is None else step.second_table if second else step.table
    if own is None or own.silent != table.silent or cells != tuple(map(round, own.confusion_counts)):
        own = ConfusionTable(tuple(map(float, cells)), table.silent)
    if _in_hand():
        st.session_state[SCENE] = now.with_table(own, second=second)
    else:
        keep(now.with_table(own, second=second))


def hand(holding: bool) -> None:
    """The hand still holds the scene in view, or has let go of it."""
    st.session_state[IN_HAND] = scene() if holding else None


def _in_hand() -> bool:
    return st.session_state.get(IN_HAND) is scene()


def write_link() -> None:
    """Put the picture into the address, once: where the browser then asks with another, it has not come so far, or goes back."""
    if _in_hand():
        return
    link_params = scene().address() | _stretched(scene())
    if is_full() and scene().step and not scene().task:
        link_params[VIEW] = "full"
    if st.session_state.get(WRITTEN) == link_params and not state.arriving():
        return
    st.session_state[WRITTEN] = link_params
    # Each word to the browser is a place that its way back leads to: none may have a new step beside an old table.
    if link_params.get(VIEW) and VIEW not in st.query_params:
        st.query_params[VIEW] = link_params[VIEW]
    for key in reversed(ADDRESS):
        if key not in link_params and key in st.query_params:
            del st.query_params[key]
    if any(st.query_params.get(key) != value for key, value in link_params.items()):
        st.query_params.update(link_params)


def _stretched(now: Scene) -> dict[str, str]:
    """Return how far the sliders of counts reach, where that is farther than the tables need: they grow, but do not shrink
    again.
    """
    tables = {"a": now.a} if now.b is None else {"a": now.a, "b": now.b}
    needed = {side: full_scale(max(table.confusion_counts)) for side, table in tables.items()}
    reach = {side: max(st.session_state.get(f"{TOP} {side}", 0), need) for side, need in needed.items()}
    counted = any(table.rates is None and reach[side] > needed[side] for side, table in tables.items())
    return {TOPS: "_".join(map(str, reach.values()))} if counted else {}

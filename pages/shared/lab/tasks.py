"""Something to bring about by hand: chosen below the views, told and judged where the lessons' sentence stands."""

from __future__ import annotations

import streamlit as st

from metrics.content.lab.scenes import Scene
from metrics.content.lab.tasks import TASKS_BY_KEY, Task, next_task
from pages.shared import parts, style
from pages.shared.lab import held
from pages.shared.plain import escape


def chooser(scene: Scene) -> None:
    parts.headed("Try it yourself", "choose a task and move the table until it is solved; the task then stands at the top")
    key = held.key("lab task", scene.task or None)
    st.pills(
        "Task", list(TASKS_BY_KEY), format_func=lambda name: TASKS_BY_KEY[name].title, key=key, label_visibility="collapsed",
        on_change=held.answer, args=(key, _take),
    )  # fmt: skip


def in_hand(scene: Scene) -> None:
    """The task in hand: what it asks, how far it is, and the way to a hint."""
    task = TASKS_BY_KEY.get(scene.task)
    if task is None:
        return
    st.markdown(f"**{escape(task.text)}**")
    _progress(task, scene)
    with st.container(horizontal=True):
        for label, hint in zip(("Hint", "Second hint"), task.hints, strict=True):
            with st.popover(label, icon=":material/lightbulb:"):
                st.markdown(escape(hint))
        st.button("Reset", key="lab.begin", on_click=held.begin_task, args=(task,))
        st.button("Leave the task", key="lab.leave", on_click=held.leave_task)
    style.bring_into_view(task.key)


def _take(wanted: str | None) -> None:
    task = TASKS_BY_KEY.get(wanted or "")
    if task is None:
        held.leave_task()
    else:
        held.begin_task(task)


def _progress(task: Task, scene: Scene) -> None:
    second = scene.other if scene.b is not None else None
    if task.solved(scene.picture, second):
        st.success(f"Solved: {escape(task.state(scene.picture, second))}. {escape(task.why)}", icon=":material/check:")
        following = next_task(task.key)
        if following is not None:
            label = f"Next task: {following.title}"
            st.button(label, key="lab.next_task", type="primary", on_click=held.begin_task, args=(following,))
    else:
        st.markdown(f"Now: {escape(task.state(scene.picture, second))}.")

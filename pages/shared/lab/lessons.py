"""The lessons: which step is in view, its sentence, and the way on."""

from __future__ import annotations

import streamlit as st

from metrics.content.lab import provenance
from metrics.content.lab.lessons import LESSONS, STEPS, Lesson, following, lesson_of, preceding, step_name
from metrics.content.lab.scenes import FIRST, Scene
from metrics.content.lab.tasks import TASKS_BY_KEY
from pages.shared import asking, opening, stage, state, turning
from pages.shared.lab import controls, held, tasks
from pages.shared.plain import escape

CUSTOM = "custom"
LESSON = "lab lesson"
CHOOSER_WIDTH = 340
"""Px in which the longest name of a lesson stands nearly whole, beside its steps."""
SHOWN = {"figure": "Figure", "bars": "Coefficients", "lines": "Along prevalence", "split": "Chance", "space": "ROC space"}


def steps(scene: Scene) -> None:
    """Which lesson, its step, and on to the next."""
    lesson = lesson_of(scene.step) if scene.origin is not None else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lab_steps"):
        _lessons(scene, lesson)
        if lesson is not None:
            st.markdown(dots(scene, lesson), width="content")
        _way(scene)
        if held.is_full():
            st.button("Back to the lesson", key="lab.alone", on_click=held.open_full, args=(False,), icon=":material/school:")
    _show_heading(scene, lesson)


def dots(scene: Scene, lesson: Lesson) -> str:
    """Return one dot a step, the one in view filled, and its place in numbers."""
    place = [step.key for step in lesson.steps].index(scene.step)
    row = " ".join("●" if at == place else "○" for at in range(len(lesson.steps)))
    return f":small[{row} {place + 1}/{len(lesson.steps)}]"


def _lessons(scene: Scene, lesson: Lesson | None) -> None:
    """The lessons by name; a table that is of none says so, in the whole laboratory."""
    names = {str(lesson.number): f"{lesson.number} · {lesson.title}" for lesson in LESSONS}
    is_custom = lesson is None or (held.is_full() and _is_modified(scene))
    names |= {CUSTOM: "Custom"} if is_custom else {}
    key = held.key(LESSON, CUSTOM if is_custom or lesson is None else str(lesson.number))
    st.selectbox(
        "Lesson", list(names), format_func=lambda name: names.get(name, name), key=key, on_change=held.answer,
        args=(key, _choose), width=CHOOSER_WIDTH, label_visibility="collapsed",
    )  # fmt: skip


def _is_modified(scene: Scene) -> bool:
    """Return whether what is in view is not its step as it begins."""
    return scene.custom or bool(scene.task)


def _choose(wanted: str) -> None:
    if wanted != CUSTOM:
        held.to_step(next(lesson for lesson in LESSONS if str(lesson.number) == wanted).steps[0].key)


def _way(scene: Scene) -> None:
    """Back and on, and out of what was changed; a lesson alone has that below its figure, where it moves nothing."""
    room = state.in_room_view()
    step = scene.origin
    back, on = (preceding(step.key), following(step.key)) if step is not None else (None, STEPS[FIRST])
    left, right = (turning.LEFT, turning.RIGHT) if room else ({}, {})
    st.button("Previous", key="lab.previous", disabled=back is None, on_click=held.go, args=(back,), **left)
    st.button("Next", key="lab.next", type="primary", disabled=on is None, on_click=held.go, args=(on,), **right)
    place = list(STEPS).index(step.key) if step is not None else -1
    turning.every_press_counts(
        ("lab.previous", "lab.next"), place, len(STEPS) - 1, held.to_place, arrows=room, back=held.turn_back
    )
    start = step or STEPS[FIRST]
    label = "Back to the step" if step is not None else "To the first step"
    if not (held.is_full() or room):
        return
    st.button(label, key="lab.back", disabled=not _is_modified(scene), on_click=held.go, args=(start,))
    if not room:
        st.button("Undo", key="lab.undo", icon=":material/undo:", disabled=not held.undoable(), on_click=held.undo)


def _show_heading(scene: Scene, lesson: Lesson | None) -> None:
    """What is in view, and where in the lessons that is.

    In a container of its own: what follows a changed number of elements is sent anew, and may be drawn once while it is still
    empty; a slider in it loses the focus.
    """
    title, sentence = (escape(text) for text in words(scene))
    room = state.in_room_view()
    with st.container(key="lab_said"):
        (st.title if room else st.header)(title, anchor=False)
        if scene.task:
            tasks.in_hand(scene)
        if lesson is None or not sentence:
            return
        st.markdown(f"## {sentence}" if room else sentence, anchors=False)
        place = f"Lesson {lesson.number} of {len(LESSONS)}, {lesson.title} · {step_name(scene.step)}"
        if room or held.is_full():
            place += " · your table, the step’s numbers" if room and scene.custom else ""
            st.markdown(f":small[{escape(place)}]", help=escape(lesson.source) or None)


def words(scene: Scene) -> tuple[str, str]:
    """Return the step's title and sentence, in the laboratory only while its table is in view; of a task or a table of one's own,
    what it is.
    """
    step = scene.origin
    if step is not None and not scene.task and (state.in_room_view() or not held.is_full()):
        picture = step.picture(scene.words)
        return step.title(picture), step.sentence(picture)
    if scene.task:
        return f"Task: {TASKS_BY_KEY[scene.task].title}", ""
    if step is None or scene.custom:
        start = f", started from {step_name(step.key)}" if step is not None else ""
        return f"{provenance.title(scene.picture)}{start}", ""
    return step.title(scene.picture, scene.other), step.sentence(scene.picture, scene.other)


def on_a_projector(scene: Scene) -> None:
    """Room view: the way, the sentence, and what stands beside the table."""
    lesson = lesson_of(scene.step) if scene.origin is not None else None
    with stage.dock():
        _way(scene)
        with opening.choosers():
            asking.one_of("In view", SHOWN, held.BESIDE)
            controls.drive(scene.a, second=False)
        if st.button("Leave room view", key="room.leave", on_click=state.leave_room, icon=":material/close_fullscreen:"):
            st.rerun()
    _show_heading(scene, lesson)


def shown_beside() -> str:
    return asking.held(held.BESIDE, tuple(SHOWN))

"""Other sights of a lesson than the page: `?show=figure` for slides and course sites, `?show=print` for paper."""

from __future__ import annotations

from html import escape
from itertools import starmap

import streamlit as st

from metrics.content.lab.formulas import worked
from metrics.content.lab.lessons import Lesson, Step, lesson_of, step_name
from metrics.content.lab.pictures import Picture
from metrics.content.lab.scenes import FIRST, Scene
from metrics.content.lab.tables import CELLS
from metrics.content.lab.tasks import TASKS_BY_KEY, Task
from metrics.figures import confusion, error_table
from metrics.figures.svg import svg_of
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import value
from pages.shared import plain
from pages.shared.lab import figure as held_figure
from pages.shared.lab import held, lessons, views
from pages.shared.teaching import links

SHOW, FIGURE, PRINT = "show", "figure", "print"
BARE = """<style>
:is([data-testid="stHeader"], [data-testid="stSidebar"], [data-testid="stSidebarCollapsedControl"],
[data-testid="stExpandSidebarButton"]) {display: none !important;}
[data-testid="stMainBlockContainer"] {max-width: none;}
</style>"""
ALONE = """<style>
html:has(.st-key-show_figure) {font-size: 16px;}
[data-testid="stMainBlockContainer"]:has(.st-key-show_figure) {padding: 10px 16px 10px !important;}
.st-key-show_figure, .st-key-show_figure > * {gap: 4px;}
.st-key-show_figure h1 {font-size: 22px; padding: 0; line-height: 1.25;}
.st-key-show_figure > [data-testid="stElementContainer"] {flex: none;}
.st-key-show_figure [data-testid="stMarkdownContainer"] {margin-bottom: 0;}
.st-key-show_one .st-key-lab-figure {zoom: .76;}
.st-key-show_two .st-key-lab-figure {zoom: .66;}
.st-key-show_figure .st-key-show_said p {font-size: 16px; line-height: 1.3; margin: 0;}
</style>"""
PAPER = """<style>
.paper {background: #fff; color: #111; max-width: 180mm; margin: 0 auto; font: 10pt/1.3 "Source Sans", sans-serif;}
.paper :is(h1, h2, h3) {color: #111; padding: 0; margin: 0 0 1.5mm; break-after: avoid;}
.paper h1 {font-size: 17pt;} .paper h2 {font-size: 13pt;} .paper .step h2 {font-size: 11pt;} .paper h3 {font-size: 11pt;}
.paper section {break-after: page; padding: 4mm 0;} .paper section:last-child {break-after: auto;}
.paper .steps {display: grid; grid-template-columns: 1fr 1fr; gap: 4mm 8mm;}
.paper .two {grid-column: 1 / -1;} .paper .pair {display: grid; grid-template-columns: 1fr 1fr; gap: 0 8mm;}
.paper .pair img {max-height: 20mm;}
.paper p {font-size: inherit;} .paper .step {break-inside: avoid;} .paper img {max-width: 100%; max-height: 24mm;}
.paper p {margin: 0 0 1.5mm;} .paper .small {font-size: 8.5pt; color: #444;}
.paper .lines {height: 14mm; background: repeating-linear-gradient(#fff 0 6.6mm, #bbb 6.6mm 7mm);}
@page {size: A4; margin: 14mm;}
@media print {
  [data-testid="stMainBlockContainer"] {padding: 0 !important;}
  :is([data-testid="stApp"], [data-testid="stMain"], [data-testid="stAppViewContainer"]) {
    position: static !important; overflow: visible !important; height: auto !important; background: #fff !important;
  }
  .st-key-print_how {display: none;}
}
</style>"""


def taken_over() -> bool:
    """Draw another sight of the lesson where the address asks for one; return whether it did."""
    wanted = st.query_params.get(SHOW, "")
    if wanted == FIGURE:
        figure(held.scene())
    elif wanted == PRINT:
        printed(lesson_of(held.scene().step or FIRST))
    else:
        return False
    return True


def figure(scene: Scene) -> None:
    """Sentence and figure alone, for a frame of 720 × 480 px; larger frames have a larger figure."""
    st.html(BARE + ALONE)
    title, sentence = lessons.words(scene)
    with st.container(key="show_figure"):
        st.title(plain.escape(title), anchor=False)
        with st.container(key="show_said"):
            st.markdown(plain.escape(sentence))
        with st.container(key="show_one" if scene.b is None else "show_two"):
            held_figure.held_figure(scene)


def printed(lesson: Lesson) -> None:
    """A lesson on two pages, the tasks among them, and what solves them on a third."""
    st.html(BARE + PAPER)
    with st.container(key="print_how"):
        st.markdown("Print this page (Ctrl+P, or ⌘P). The third sheet has what solves the tasks.")
    st.html(f'<div class="paper">{_front(lesson)}{_tasks()}{_solutions()}</div>')


def _front(lesson: Lesson) -> str:
    source = f'<p class="small">Source: {escape(lesson.source)}</p>' if lesson.source else ""
    steps = "".join(_step(step) for step in lesson.steps)
    return f'<section><h1>{escape(lesson.title)}</h1>{source}<div class="steps">{steps}</div></section>'


def _step(step: Step) -> str:
    scene = Scene(step.key, step.table, step.second_table, step.mode, step.lit)
    now, other = scene.picture, scene.other
    words = f"<h2>{escape(step_name(step.key))} · {escape(step.title(now, other))}</h2><p>{escape(step.sentence(now, other))}</p>"
    tables = f"<div>{_table(scene, now)}{_numbers(now)}</div>"
    if scene.b is None or other is None:
        return f'<div class="step">{words}{tables}</div>'
    beside = f"<div>{_table(scene, other)}{_numbers(other)}</div>"
    return f'<div class="step two">{words}<div class="pair">{tables}{beside}</div></div>'


def _table(scene: Scene, now: Picture) -> str:
    """The table as a mosaic, as the lab draws it."""
    third = None if now.two else 2
    drawn = error_table.error_table(
        now.counts, now.labels, theme="light", abstention=third, lit=worked(views.lit(scene, now), now).cells, scale=1.0,
        height=170, unit=now.unit, true=True,
    )  # fmt: skip
    alt = confusion.alt(now.counts, now.labels, abstention=third, unit=now.unit, true=True)
    return links.image(svg_of(drawn, alt), alt)


def _numbers(now: Picture) -> str:
    """The numbers that the lab shows as bars, in a line, with whose they are where there are two."""
    shown = (f"{BY_KEY[key].symbol} {value(now.values[key], BY_KEY[key].unit)}" for key in now.bars)
    return f'<p class="small">{escape(f"{now.name}: " if now.name else "")}{escape(" · ".join(shown))}</p>'


def _tasks() -> str:
    tasks = "".join(_task(place, task) for place, task in enumerate(TASKS_BY_KEY.values(), 1))
    return f"<section><h2>Tasks</h2>{tasks}</section>"


def _task(place: int, task: Task) -> str:
    tables = {"": task.start} if task.second_table is None else {"A ": task.start, "B ": task.second_table}
    start = "; ".join(
        name + ", ".join(f"{cell} {n:g}" for cell, n in zip(CELLS, table.confusion_counts, strict=True))
        for name, table in tables.items()
    )
    words = f"<h3>{place}. {escape(task.title)}</h3><p>{escape(task.text)}</p><p class='small'>Start: {start}</p>"
    return f'<div class="step">{words}<div class="lines"></div></div>'


def _solutions() -> str:
    return f"<section><h2>What solves the tasks</h2>{''.join(starmap(_solution, enumerate(TASKS_BY_KEY.values(), 1)))}</section>"


def _solution(place: int, task: Task) -> str:
    return f"<h3>{place}. {escape(task.title)}</h3><p>{escape(' '.join(task.hints))}</p>"

"""The five views of one table, drawn anew with every move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from metrics.content.lab import readings
from metrics.content.lab.formulas import Worked, worked
from metrics.content.lab.lessons import first_needs
from metrics.content.lab.pictures import Picture
from metrics.content.lab.scenes import Scene
from metrics.content.lab.tables import ConfusionTable
from metrics.figures import confusion, error_table, lab_bars, lab_lines, lab_space, lab_split
from metrics.measures.catalogue import BY_KEY
from pages.shared import as_lines, asking, parts, screen, state
from pages.shared.lab import controls, held
from pages.shared.plain import escape

Later = list[tuple[DeltaGenerator, Callable[[], None]]]
_LATER: ContextVar[Later | None] = ContextVar("later", default=None)
SIZES = {"broad": (600, 32), "narrow": (340, 42)}
"""Px the bars have at least, beside other views and on a telephone, and px of one of them, for a mouse and for a finger."""


def everything(scene: Scene, below: Callable[[Scene], None]) -> None:
    """All five and what drives them, and what stands below the bars.

    On a telephone the view that the step is about follows the table, and two of the others stay behind a button.
    """
    drawn = drawings(scene)
    origin_view = scene.origin.view if scene.origin is not None else ""
    with st.container(key="lab_views"):
        if scene.b is not None:
            _pair(scene, scene.b, drawn["split"])
        with st.container(horizontal=True, gap="medium"):
            with st.container(key="most_lab"):
                if scene.b is None:
                    _alone(scene)
                drawn["bars"]()
                with st.container(key="lab_below"):
                    below(scene)
            with st.container(key="wide_lab_beside"):
                for name in ("lines", "space") if scene.b is not None else ("split", "lines", "space"):
                    with st.container(key=f"lab_own_{name}" if name == origin_view else f"lab_{name}"):
                        drawn[name]()
                with st.container(key="only_narrow_lab"):
                    st.toggle("More views", key="lab_more", **asking.BOUND)


def tables(scene: Scene) -> None:
    """Room view: the table, over B where there is one."""
    height = 320.0 if scene.b is None else 160.0
    mosaic(scene, scene.picture, "a", height)
    if scene.b is not None and scene.other is not None:
        mosaic(scene, scene.other, "b", height)


def _alone(scene: Scene) -> None:
    with st.container(horizontal=True, gap="medium", key="lab_table"):
        with st.container(key="third_lab_drive"):
            controls.drive(scene.a, second=False)
            controls.second(scene)
        with st.container(key="wide_lab_mosaic"):
            mosaic(scene, scene.picture, "a")


def _pair(scene: Scene, b: ConfusionTable, split: Callable[[], None]) -> None:
    """A and B side by side, what chance makes of both beneath, then the controls of each."""
    with st.container(horizontal=True, gap="medium"):
        for side, picture in (("a", scene.picture), ("b", scene.other)):
            with st.container(key=f"wide_lab_{side}"):
                if picture is not None:
                    mosaic(scene, picture, side)
    with st.container(key="lab_pair_split"):
        split()
    with st.container(horizontal=True, gap="medium"):
        for second, table in ((False, scene.a), (True, b)):
            with st.container(key=f"wide_lab_drive_{'b' if second else 'a'}"):
                controls.drive(table, second=second)
                if second:
                    controls.both(scene)
                else:
                    controls.second(scene)


@contextmanager
def figures_last() -> Iterator[None]:
    """Leave places for the figures and send them at the end, together: what comes after one waits until the browser drew it."""
    later: Later = []
    token = _LATER.set(later)
    try:
        yield
    finally:
        _LATER.reset(token)
    for place, draw in later:
        with place:
            draw()


def _figure(*what: Any, **how: Any) -> None:
    draw = partial(parts.figure, *what, **how)
    later = _LATER.get()
    if later is None:
        draw()
    else:
        later.append((st.container(), draw))


def drawings(scene: Scene) -> dict[str, Callable[[], None]]:
    """Return the views beside the mosaic, by name."""
    now, other = scene.picture, scene.other
    formulas = {key: worked(key, now) for key in now.bars}
    return {
        "bars": lambda: bars(scene, now, other, formulas),
        "lines": lambda: lines(now, other),
        "split": lambda: split(now, other),
        "space": lambda: space(now, other),
    }


def lit(scene: Scene, picture: Picture) -> str:
    """Return the metric whose cells are lit; of a third class, another one where it has none."""
    return scene.lit if scene.lit in picture.bars else picture.bars[-1]


def calls(scene: Scene) -> list[as_lines.View]:
    """Return the call that gives the number that is lit, of both tables where there are two."""
    pictures = (scene.picture, scene.other if scene.b is not None else None)
    return [_call(picture, lit(scene, picture)) for picture in pictures if picture is not None]


def _call(picture: Picture, key: str) -> as_lines.View:
    function = BY_KEY[key].function.__name__
    return as_lines.View(as_lines.Call(function, {}, (picture.counts.tolist(),)), estimate=False)


def mosaic(scene: Scene, picture: Picture, key: str, height: float = 320) -> None:
    chosen = lit(scene, picture)
    if key == "b" and state.in_room_view():
        st.markdown(f"## {escape(readings.mosaic_heading(picture))}", anchors=False)
    else:
        brief = state.in_room_view() and scene.b is not None
        parts.headed(readings.mosaic_heading(picture), readings.mosaic_note(picture, chosen, brief=brief))
    third = None if picture.two else 2
    cells = worked(chosen, picture).cells
    drawn = error_table.error_table(
        picture.counts, picture.labels, theme=parts.theme(), abstention=third, lit=cells, scale=parts.scale(), height=height,
        unit=picture.unit, true=True,
    )  # fmt: skip
    named = f"{picture.name}. " if picture.name else ""
    alt = confusion.alt(picture.counts, picture.labels, abstention=third, unit=picture.unit, true=True)
    _figure(drawn, f"lab.mosaic_{key}", f"{named}{alt} Outlined: {readings.lit_cells(chosen, picture)}")
    if not state.in_room_view():
        parts.reading(escape(readings.mosaic_reading(picture)))


def split(now: Picture, other: Picture | None) -> None:
    parts.headed("Where the agreement comes from", readings.split_note())
    _figure(
        lab_split.agreement_split(now, other, theme=parts.theme(), scale=parts.scale()), "lab.split", lab_split.alt(now, other)
    )
    parts.reading(escape(readings.of_both(readings.split_reading, now, other)))


def bars(scene: Scene, now: Picture, other: Picture | None, formulas: dict[str, Worked]) -> None:
    parts.headed("The same table in other numbers", readings.bars_note(now, other, () if scene.task else first_needs(scene.step)))
    chosen = lit(scene, now)
    alt = lab_bars.alt(now, other, formulas, chosen)
    where = "narrow" if screen.narrow() else "broad"
    key, (width, row) = f"lab.bars_{where}", SIZES[where]
    look = {"theme": parts.theme(), "scale": parts.scale(), "width": width / parts.scale(), "row": row}
    drawn = lab_bars.coefficient_bars(now, other, formulas, chosen, **look)
    _figure(drawn, key, alt, on_select=lambda: _chosen(key, now))
    _formula(scene, chosen, now, formulas[chosen])
    if not state.in_room_view():
        parts.reading(escape(readings.bars_reading(now, other)))


def _chosen(key: str, now: Picture) -> None:
    spot = parts.clicked(key, held.scene().lit)
    if spot is not None:
        held.change(lit=now.bars[spot[0]])


def _formula(scene: Scene, chosen: str, now: Picture, worked_formula: Worked) -> None:
    key = held.key("lab lit", chosen)
    st.segmented_control(
        f"{'A · ' if scene.b is not None else ''}Formula of (or select its bar)", now.bars,
        format_func=lambda name: BY_KEY[name].symbol, required=True, key=key,
        on_change=held.answer, args=(key, lambda metric: held.change(lit=metric)),
    )  # fmt: skip
    record = BY_KEY[chosen]
    given = f" = {escape(worked_formula.substituted)}" if worked_formula.substituted else ""
    result = worked_formula.result if not worked_formula.reason else f"undefined: {worked_formula.reason}"
    st.markdown(f"**{escape(record.symbol)}** = {escape(worked_formula.general)}{given} = **{escape(result)}**", anchors=False)
    where = f"{escape(worked_formula.where)}. " if worked_formula.where else ""
    st.markdown(f":small[{where}{escape(record.answers)}]")


def lines(now: Picture, other: Picture | None) -> None:
    parts.headed("κ and φ along prevalence", readings.of_both(readings.lines_note, now, other, " · "))
    shown = readings.with_rates(now, other)
    if shown is not None:
        drawn = lab_lines.prevalence_lines(*shown, theme=parts.theme(), scale=parts.scale())
        _figure(drawn, "lab.lines", lab_lines.alt(*shown))
    parts.reading(escape(readings.of_both(readings.lines_reading, now, other)))


def space(now: Picture, other: Picture | None) -> None:
    shown = readings.with_rates(now, other)
    below = "vertical line: Youden’s J (distance above chance)" if shown is not None else "TPR against FPR"
    parts.headed(readings.space_heading(now, other), below)
    if shown is not None:
        drawn = lab_space.roc_point(*shown, theme=parts.theme(), scale=parts.scale())
        _figure(drawn, "lab.space", lab_space.alt(*shown))
    parts.reading(escape(readings.space_reading(now, other)))

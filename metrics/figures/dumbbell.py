"""κ and φ on one row, with the share of φ that κ keeps and the drift beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from metrics.analyses.kappa_phi.rows import GapRow
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import inner_ticks, tick_words
from metrics.figures.dumbbell_parts import (
    APART,
    AXIS,
    BAR,
    BROAD,
    COEFFICIENTS,
    DRIFT,
    JOINING,
    KAPPA,
    NARROW,
    PHI,
    RATIO,
    RATIO_COLUMN,
    TICK_ROOM,
    Drawing,
    coefficient_ends,
    drift_ends,
    drift_text,
    reach,
)
from metrics.figures.marks import annotation, stacked
from metrics.figures.theme import Theme, escape, fit, wrap
from metrics.figures.traces import Figure, Trace, bar, drawn, scatter
from metrics.results import words
from metrics.results.words import HARD_SPACE, UNDEFINED, number, p3, plain, points

NOTHING = "No criterion to show"


def dumbbells(
    rows: Sequence[GapRow],
    *,
    pooled: GapRow | None = None,
    theme: Theme,
    narrow: bool = False,
    selected: str | None = None,
    scale: float = 1.0,
    width: float | None = None,
) -> Figure:
    """Return one row per criterion or judge in the order given, all of them together on top.

    A clicked row returns `customdata`.

    Parameters
    ----------
    narrow : bool
        The drift as text under its row instead of a bar beside it.
    selected : str or None
        Name of the outlined row.
    width : float or None
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    every = [*([pooled] if pooled else []), *rows]
    chosen = next((i for i, row in enumerate(every) if row.name == selected), None)
    drawing = Drawing(style.tokens(theme), scale, every, chosen, narrow, scale * (width or (NARROW if narrow else BROAD)))
    if not drawing.rows:
        return marks.empty(NOTHING, drawing.colours, scale)
    drift = [] if narrow else [_areas(drawing, "x2"), _bars(drawing), _drifts(drawing)]
    traces = [_areas(drawing, "x"), *_coefficients(drawing), *drift]
    reasons = [_reason(drawing, i, row) for i, row in enumerate(drawing.rows) if math.isnan(row.phi)]
    texts = [*_heads(drawing), *_names(drawing), *_ratios(drawing), *reasons]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=_lines(drawing))


def alt(rows: Sequence[GapRow], *, pooled: GapRow | None = None, positive: str = "the positive label") -> str:
    """Return the figure in a sentence, for people who do not see it."""
    every = [*([pooled] if pooled else []), *rows]
    if not every:
        return f"{NOTHING}."
    head = f"κ, φ, κ/φ and how much more often the judge says {plain(positive)} than the human"
    return f"{head}. " + "; ".join(_row_text(row) for row in every) + "."


def _row_text(row: GapRow) -> str:
    values = f"κ {_number_text(row.kappa)}, φ {_number_text(row.phi)}"
    if row.reason:
        values += f" ({plain(row.reason)})"
    return f"{plain(row.name)}: {values}, κ/φ {p3(row.ratio)}, label-rate bias {points(row.drift)}{_ends(row)}"


def _number_text(value: float) -> str:
    return "undefined" if math.isnan(value) else number(value)


def _ends(row: GapRow) -> str:
    return words.behind(row.drift_ends, "points")


def _layout(drawing: Drawing) -> dict[str, Any]:
    low, high = coefficient_ends(drawing)
    ticks = [step / 5 for step in range(-5, 6) if low <= step / 5 <= high]
    axis = drawing.axis(low, high, ticks[:: 2 if len(ticks) > 6 else 1])
    axis |= {} if drawing.narrow else {"domain": COEFFICIENTS}
    look: dict[str, Any] = {"barmode": "overlay"} | ({} if drawing.narrow else {"xaxis2": _drift_axis(drawing)})
    sides = {"left": drawing.left, "right": drawing.right}
    return drawing.list_layout(drawing.foot, axis, **sides, bottom=drawing.px(AXIS), **look)


def _drift_axis(drawing: Drawing) -> dict[str, Any]:
    low, high = drift_ends(drawing)
    ticks = inner_ticks(low, high, drawing.drift_room / drawing.px(TICK_ROOM))
    axis = drawing.axis(low, high, ticks, [tick_words(at, "points") for at in ticks])
    return axis | {"domain": DRIFT, "anchor": "y"}


def _areas(drawing: Drawing, axis: str) -> Trace:
    ends = coefficient_ends(drawing) if axis == "x" else drift_ends(drawing)
    spans = [(drawing.centre(row), drawing.step - 2) for row in range(len(drawing.rows))]
    return marks.areas(spans, across=ends, hovers=[_hover(row) for row in drawing.rows], colours=drawing.colours, xaxis=axis)


def _hover(row: GapRow) -> str:
    lines = [f"<b>{escape(row.name)}</b>", f"κ {number(row.kappa)}, φ {number(row.phi)}, κ/φ {escape(p3(row.ratio))}"]
    lines += [escape(row.reason)] if row.reason else []
    lines.append(f"label-rate bias {points(row.drift)}{_ends(row)}")
    rates = f"judge {words.percent(row.predicted)}, human {words.percent(row.prevalence)}"
    return "<br>".join([*lines, escape(rates if row.block.n is None else f"{rates}, n {words.count(row.n)}")])


def _coefficients(drawing: Drawing) -> list[Trace]:
    """Return φ first, so that κ lies on top where they meet; the smaller of the two is written at the left."""
    colours, drawn = drawing.colours, [(i, row) for i, row in enumerate(drawing.rows) if not math.isnan(row.phi)]
    looks = (("phi", "φ", "diamond", colours.phi, PHI), ("kappa", "κ", "circle", colours.kappa, KAPPA))
    traces, shrunk = [], 0.75 if drawing.close else 1
    for key, letter, symbol, colour, size in looks:
        at_left = [(row.kappa <= row.phi) == (key == "kappa") for _, row in drawn]
        values = [row.block.values[key] for _, row in drawn]
        names = [letter if i == drawing.first else "" for i, _ in drawn]
        traces.append(
            scatter(
                x=values,
                y=[drawing.middle(i) for i, _ in drawn],
                mode="markers+text",
                text=[_named(value, name, left) for value, name, left in zip(values, names, at_left, strict=True)],
                textposition=["middle left" if left else "middle right" for left in at_left],
                textfont={"size": drawing.size, "color": colour},
                customdata=[[i] for i, _ in drawn],
                hovertext=[_hover(row) for _, row in drawn],
                cliponaxis=False,
                marker={
                    "symbol": symbol,
                    "color": colour,
                    "size": drawing.px(size) * shrunk,
                    "opacity": 1,
                },
                **marks.undimmed(),
            )
        )
    return traces


def _named(value: float, name: str, left: bool) -> str:
    """Return a value, a little away from its mark, with the letter of its coefficient on the far side."""
    inner = f"{number(value)}{HARD_SPACE}" if left else f"{HARD_SPACE}{number(value)}"
    if not name:
        return inner
    return f"<b>{name}</b> {inner}" if left else f"{inner} <b>{name}</b>"


def _bars(drawing: Drawing) -> Trace:
    drawn = [(i, row) for i, row in enumerate(drawing.rows) if not math.isnan(row.drift)]
    values, ends = [row.drift for _, row in drawn], [row.drift_ends for _, row in drawn]
    return bar(
        x=values,
        y=[drawing.middle(i) for i, _ in drawn],
        width=[BAR * drawing.step for _ in drawn],
        orientation="h",
        xaxis="x2",
        customdata=[[i] for i, _ in drawn],
        hovertext=[_hover(row) for _, row in drawn],
        marker={"color": style.blend(drawing.colours.page, drawing.colours.judge, BAR), "line": {"width": 0}},
        error_x=marks.whiskers(values, ends, colour=drawing.colours.judge, thickness=drawing.px(style.WHISKER)),
        **marks.undimmed(),
    )


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    y, size = drawing.head - drawing.px(drawing.HEAD / 2), drawing.px(style.TEXT)
    if drawing.narrow:
        place = {"xref": "paper", "xanchor": "right", "xshift": drawing.px(RATIO_COLUMN) - 2}
        return [annotation("<b>κ/φ</b>", 1, y, size=size, colour=drawing.colours.text, **place)]
    ratio = annotation("<b>κ/φ</b>", RATIO, y, size=size, colour=drawing.colours.text, xref="paper")
    drift = annotation("<b>Label-rate bias</b>, points", sum(DRIFT) / 2, y, size=size, colour=drawing.colours.judge, xref="paper")
    return [ratio, drift]


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the names; in a narrow figure with the drift in words beneath."""
    names = []
    for i, (row, lines) in enumerate(zip(drawing.rows, drawing.names, strict=True)):
        text = stacked(lines)
        text = f"<b>{text}</b>" if row.pooled or i == drawing.selected else text
        whole = None if lines == [plain(row.name)] else escape(row.name)
        place: dict[str, Any] = {"xref": "paper", "xanchor": "right", "xshift": -12, "hovertext": whole}
        y = drawing.middle(i)
        if drawing.narrow:
            text += f'<br><span style="color:{drawing.colours.judge}">{_in_words(row)}</span>'
            place |= {"xanchor": "left", "xshift": -drawing.left}
            y += 0.65 * drawing.size
        names.append(annotation(text, 0, y, size=drawing.size, colour=drawing.colours.text, **place))
    return names


def _in_words(row: GapRow) -> str:
    return f"{points(row.drift)}{_ends(row).replace(f'{HARD_SPACE}points', '')}"


def _reason(drawing: Drawing, i: int, row: GapRow) -> dict[str, Any]:
    """In words where φ is undefined."""
    lead = f"κ, φ {UNDEFINED}" if math.isnan(row.kappa) else f"κ {number(row.kappa)}, φ {UNDEFINED}"
    size, room = drawing.px(style.SMALL), drawing.room - 4
    text = f"{lead} {plain(row.reason)}"
    lines = [fit(text, room, size)] if drawing.close else wrap(text, room, size)
    return annotation(
        stacked(lines),
        coefficient_ends(drawing)[0],
        drawing.middle(i),
        size=size,
        colour=drawing.colours.muted,
        xanchor="left",
        hovertext=_hover(row),
    )


def _ratios(drawing: Drawing) -> list[dict[str, Any]]:
    place: dict[str, Any] = {"xref": "paper"}
    if drawing.narrow:
        place |= {"xanchor": "right", "xshift": drawing.px(RATIO_COLUMN) - 2}
    at = 1 if drawing.narrow else RATIO
    return [
        annotation(escape(p3(row.ratio)), at, drawing.middle(i), size=drawing.size, colour=drawing.colours.text, **place)
        for i, row in enumerate(drawing.rows)
    ]


def _drifts(drawing: Drawing) -> Trace:
    """Return what the drift is, at the outer end of its whisker."""
    left = [row.drift < 0 for row in drawing.rows]
    texts = [drift_text(row, i) for i, row in enumerate(drawing.rows)]
    gap = 2 * HARD_SPACE
    return scatter(
        x=[0.0 if math.isnan(row.drift) else reach(row)[not to_left] for row, to_left in zip(drawing.rows, left, strict=True)],
        y=[drawing.middle(i) for i in range(len(drawing.rows))],
        mode="text",
        xaxis="x2",
        text=[f"{text}{gap}" if to_left else f"{gap}{text}" for text, to_left in zip(texts, left, strict=True)],
        textposition=["middle left" if to_left else "middle right" for to_left in left],
        textfont={"size": drawing.size, "color": drawing.colours.judge},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _lines(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the selected row, what joins κ and φ, the zero of the drift, and what sets the pooled row apart."""
    shapes = _band(drawing, drawing.selected) if drawing.selected is not None else []
    shapes += [_joining(drawing, i, row) for i, row in enumerate(drawing.rows) if not math.isnan(row.phi)]
    if drawing.rows[0].pooled and len(drawing.rows) > 1:
        y = drawing.head + drawing.step + drawing.px(APART / 2)
        shapes.append(marks.across(y, {"color": drawing.colours.grid, "width": 1}))
    if not drawing.narrow:
        line = {"color": drawing.colours.text, "width": 1.5}
        shapes.append(marks.upright(0, (drawing.head - 4, drawing.foot), line, xref="x2"))
    return shapes


def _joining(drawing: Drawing, i: int, row: GapRow) -> dict[str, Any]:
    """Return the line from κ to φ, whose length is what they differ by."""
    ends = {"x0": row.kappa, "x1": row.phi, "y0": drawing.middle(i), "y1": drawing.middle(i)}
    line = {"color": drawing.colours.neutral, "width": drawing.px(JOINING)}
    return {"type": "line", "xref": "x", "layer": "below", "line": line} | ends


def _band(drawing: Drawing, row: int) -> list[dict[str, Any]]:
    """Return the ground of a row from edge to edge: its name, the plot, and the margin at the right."""
    y0, y1 = drawing.top(row) + 1, drawing.top(row) + drawing.step - 1
    look = {"type": "rect", "xref": "paper", "y0": y0, "y1": y1, "line": {"width": 0}, "layer": "below"}
    look["fillcolor"] = drawing.colours.selected
    beside = look | {"xsizemode": "pixel"}
    return [
        beside | {"xanchor": 0, "x0": -drawing.left, "x1": 0},
        look | {"x0": 0, "x1": 1},
        beside | {"xanchor": 1, "x0": 0, "x1": drawing.right},
    ]

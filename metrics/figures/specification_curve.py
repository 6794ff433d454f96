"""One metric under every defensible set of choices: a column each, sorted, its choices beneath; turned for narrow screens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.multiverse.result import Column, Multiverse
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import axis_ticks, tick_words
from metrics.figures.marks import Sheet, annotation
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.words import UNDEFINED, plain, shorten_all

MOST = 80
"""Columns that still have squares beneath."""
LINE, PLOT, LOW_PLOT, GAP, ROW, BETWEEN, FOOT = 20, 250, 360, 26, 21, 12, 8
NAMES, LEAST = 200, 40
"""Widest and narrowest place in px for the names of the choices."""
NARROWEST = 560
"""Px of the narrowest screen on which the columns stand upright."""
ROOM = 0.04
FEWEST = 10
"""Columns for which there is room at least, so that a few do not become broad."""
CLOSE = 0.3
"""Share of the columns below which the lowest and the highest value have one label."""
DASH = 8
"""Px of a column that has a dash of its own where its value is undefined."""
NOTHING = "No analysis to show"
TABLE = "every analysis, its choices and its value"
"""The table on the page that has what the sentence beside the figure leaves out."""


@dataclass(frozen=True)
class Choices(Sheet):
    """Analyses on an axis of their metric, upright or turned."""

    multiverse: Multiverse

    @property
    def unit(self) -> str:
        return BY_KEY[self.multiverse.metric].unit

    @cached_property
    def ticks(self) -> list[float]:
        return axis_ticks(marks.reached(self.multiverse.defined), self.unit)

    @cached_property
    def look(self) -> tuple[str, str]:
        """Colour and marker."""
        return style.coefficient(BY_KEY[self.multiverse.metric].symbol, self.colours)


@dataclass(frozen=True)
class Drawing(Choices):
    bare: bool = False

    @property
    def n(self) -> int:
        return len(self.multiverse.columns)

    @property
    def column(self) -> float:
        """Width of a column in px where the screen is narrow."""
        return (NARROWEST - self.left / self.scale) / max(self.n, FEWEST)

    @property
    def outline(self) -> float:
        """Width of the outlined column in columns: a hair's breadth could not be seen."""
        return max(0.96, 8 / self.column)

    @property
    def head(self) -> float:
        """Px above the values: the download button, then two lines of words."""
        return style.TOP + 2 * self.px(LINE)

    @property
    def foot(self) -> float:
        """Px at which the values end."""
        return self.head + self.px(PLOT if self.rows else LOW_PLOT)

    @cached_property
    def rows(self) -> list[tuple[str, str, int, float]]:
        """Choice, name and place of every answer, and the px at which its row of squares stands."""
        if self.bare or not 1 < self.n <= MOST:
            return []
        y, rows = self.head + self.px(PLOT + GAP), []
        for dimension in self.multiverse.space.varied:
            names = shorten_all([option.name for option in dimension.options])
            for place, name in enumerate(names):
                rows.append((dimension.key, name, place, y))
                y += self.px(ROW)
            y += self.px(BETWEEN)
        return rows

    @property
    def height(self) -> float:
        return (self.rows[-1][3] + self.px(ROW / 2) if self.rows else self.foot) + self.px(FOOT)

    @cached_property
    def left(self) -> float:
        size = self.px(style.TEXT)
        widest = max((text_width(name, size) for _, name, _, _ in self.rows), default=0.0)
        return min(max(widest, self.px(LEAST)), self.px(NAMES)) + self.px(18)

    def value_at(self, y: float) -> float:
        """Return the value that stands at a place in px from the top."""
        pad = ROOM * (self.ticks[-1] - self.ticks[0])
        low, high = self.ticks[0] - pad, self.ticks[-1] + pad
        return high - (y - self.head) / (self.foot - self.head) * (high - low)

    def place(self, column: Column, key: str) -> int:
        keys = [dimension.key for dimension in self.multiverse.space.dimensions]
        return column.analysis[keys.index(key)]


def every_choice(multiverse: Multiverse, *, theme: Theme, scale: float = 1.0, bare: bool = False) -> Figure:
    """Return a column per analysis, lowest first, undefined ones last; a clicked column returns `customdata` [index].

    Its answers stand beneath as squares while there are at most `MOST` columns, and it is not `bare`.
    """
    drawing = Drawing(style.tokens(theme), scale, multiverse, bare)
    if not drawing.n:
        return marks.empty(NOTHING, drawing.colours, scale)
    traces = [_areas(drawing), *(_squares(drawing) if drawing.rows else []), *_dots(drawing)]
    named = _each(drawing) if drawing.n <= FEWEST else _ends(drawing)
    texts = [*_ticks(drawing), *named, *_names(drawing), *_undefined(drawing)]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=_guides(drawing))


def alt(multiverse: Multiverse) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not multiverse.columns:
        return f"{NOTHING}."
    symbol, unit = BY_KEY[multiverse.metric].symbol, BY_KEY[multiverse.metric].unit
    sentences = [f"{symbol} under {words.several(len(multiverse.columns), 'sets of choices')}"]
    if multiverse.defined:
        sentences += [f"{name}: {column_text(multiverse, column)}" for name, column in _corners(multiverse)]
    if len(multiverse.defined) <= MOST:
        sentences.append("Sorted: " + (", ".join(words.estimate(column, unit) for column in multiverse.defined) or "none"))
    if len(multiverse.defined) < len(multiverse.columns):
        sentences.append(f"Undefined: {words.count(len(multiverse.columns) - len(multiverse.defined))}")
    if len(multiverse.columns) > 1:
        value = "" if len(multiverse.defined) <= MOST else ", and its value,"
        sentences.append(f"The choices behind each{value} are in the table “{TABLE}”")
    return ". ".join(sentences) + "."


def column_text(multiverse: Multiverse, column: Column) -> str:
    """Return a number with its interval and the choices behind it."""
    unit = BY_KEY[multiverse.metric].unit
    value = words.estimate(column, unit) if column.defined else "undefined"
    return f"{value}, {', '.join(plain(name) for name in choices(multiverse, column)) or 'no choice'}"


def choices(multiverse: Multiverse, column: Column) -> list[str]:
    """Return names of the answers of one analysis, of the choices that vary."""
    varied = {dimension.key for dimension in multiverse.space.varied}
    return [name for key, name in column.names.items() if key in varied]


def hover(multiverse: Multiverse, index: int) -> str:
    """Return what is said of one analysis where the pointer stands."""
    column, record = multiverse.columns[index], BY_KEY[multiverse.metric]
    shown, ends = (escape(text) for text in words.apart(column, record.unit, ""))
    first = f"<b>{escape(record.symbol)} {shown}</b>{f' {ends}' if ends else ''}"
    lines = [first, *(escape(name) for name in choices(multiverse, column))]
    lines += [escape(column.why)] if column.why else []
    return "<br>".join([*lines, *(["declared"] if index == multiverse.declared_place else [])])


def _corners(multiverse: Multiverse) -> list[tuple[str, Column]]:
    """Return the analyses that are named: the lowest, the highest, the declared one."""
    named = [("Lowest", multiverse.defined[0])] + ([("Highest", multiverse.defined[-1])] if len(multiverse.defined) > 1 else [])
    return named + (
        [("Declared", multiverse.columns[multiverse.declared_place])] if multiverse.declared_place is not None else []
    )


def _layout(drawing: Drawing) -> dict[str, Any]:
    height = drawing.height
    # An axis laid over another one takes its place; so it reaches past the values, down to where the squares end.
    whole = [drawing.value_at(height), drawing.value_at(0)]
    return style.layout(
        drawing.colours,
        height=height,
        scale=drawing.scale,
        margin=style.margin(math.ceil(drawing.left), 4, 0),
        xaxis=style.hidden_axis(-0.5, max(drawing.n, FEWEST) - 0.5),
        yaxis=style.hidden_axis(height, 0),
        yaxis2=style.hidden_axis(*whole, overlaying="y", anchor="x"),
        barmode="overlay",
    )


def _areas(drawing: Drawing) -> Trace:
    """Return the columns that take the click; the declared one is painted."""
    columns, declared = range(drawing.n), drawing.multiverse.declared_place
    return marks.areas(
        [(i, drawing.outline if i == declared else 1.0) for i in columns],
        across=(style.TOP + drawing.px(LINE), drawing.height - 2),
        hovers=[hover(drawing.multiverse, i) for i in columns],
        colours=drawing.colours,
        selected=declared,
        turned=True,
    )


def _squares(drawing: Drawing) -> list[Trace]:
    columns, places = drawing.multiverse.columns, [(i, row) for i in range(drawing.n) for row in drawing.rows]
    taken = [(i, row) for i, row in places if drawing.place(columns[i], row[0]) == row[2]]
    rest = [(i, row) for i, row in places if drawing.place(columns[i], row[0]) != row[2]]
    size = drawing.px(min(11.0, 0.8 * drawing.column))
    inks = [drawing.colours.judge if i == drawing.multiverse.declared_place else drawing.colours.text for i, _ in taken]
    return [
        _marks(rest, [drawing.colours.grid] * len(rest), 0.55 * size),
        _marks(taken, inks, size),
    ]


def _marks(places: Sequence[tuple[int, Any]], inks: Sequence[str], size: float) -> Trace:
    return scatter(
        x=[i for i, _ in places],
        y=[row[3] for _, row in places],
        mode="markers",
        marker={"symbol": "square", "size": size, "color": list(inks), "opacity": 1, "line": {"width": 0}},
        customdata=[[i] for i, _ in places],
        hoverinfo="skip",
        cliponaxis=False,
        **marks.undimmed(),
    )


def _dots(drawing: Drawing) -> list[Trace]:
    """Let the declared analysis stand out by size and by the colour of its whisker."""
    declared = drawing.multiverse.declared_place
    others = [i for i, column in enumerate(drawing.multiverse.columns) if column.defined and i != declared]
    declared_places = [declared] if declared is not None and drawing.multiverse.columns[declared].defined else []
    small = min(9.0, max(3.0, 0.8 * drawing.column))
    thin = style.WHISKER if drawing.column > 9 else 1.5 if drawing.column > 5 else 1.0
    return [
        _values(drawing, others, drawing.colours.neutral, small, thin),
        _values(drawing, declared_places, drawing.look[0], 14.0, 4.0),
    ]


def _values(drawing: Drawing, places: Sequence[int], whisker: str, size: float, thick: float) -> Trace:
    columns = [drawing.multiverse.columns[i] for i in places]
    values, ends = [column.value for column in columns], [column.ends for column in columns]
    return scatter(
        x=list(places),
        y=values,
        yaxis="y2",
        mode="markers",
        customdata=[[i] for i in places],
        hovertext=[hover(drawing.multiverse, i) for i in places],
        cliponaxis=False,
        marker={"color": drawing.look[0], "symbol": drawing.look[1], "size": drawing.px(size), "opacity": 1},
        error_y=marks.whiskers(values, ends, colour=whisker, thickness=drawing.px(thick)),
        **marks.undimmed(),
    )


def _ticks(drawing: Drawing) -> list[dict[str, Any]]:
    place = {"xref": "paper", "yref": "y2", "xanchor": "right", "xshift": -8}
    size, colour = drawing.px(style.TICK), drawing.colours.muted
    return [annotation(tick_words(at, drawing.unit), 0, at, size=size, colour=colour, **place) for at in drawing.ticks]


def _each(drawing: Drawing) -> list[dict[str, Any]]:
    """Of a few columns, every value above its whisker, and over the declared one its name."""
    declared, size = drawing.multiverse.declared_place, drawing.px(style.TEXT)
    texts = []
    for i, column in enumerate(drawing.multiverse.defined):
        text = escape(words.value(column.value, drawing.unit).removesuffix("\u00a0points"))
        top = column.ends[1] if column.ends else column.value
        place = {"yref": "y2", "yanchor": "bottom", "yshift": drawing.px(8)}
        text = f"<b>{text}</b>" if i == declared else text
        texts.append(annotation(text, i, top, size=size, colour=drawing.look[0], **place))
    if declared is not None:
        texts.append(annotation("<b>declared</b>", declared, _line(drawing, 0), size=size, colour=drawing.look[0]))
    return texts


def _ends(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the lowest and the highest value on the first line, the declared one below; one that is both is said once."""
    multiverse = drawing.multiverse
    last, declared = len(multiverse.defined) - 1, multiverse.declared_place
    ends = {0: "lowest", last: "highest"} if last > 0 else {}
    labels = [_end(drawing, i, name) for i, name in ends.items() if i != declared]
    if last >= 0 and last < CLOSE * drawing.n:
        labels = [_both_ends(drawing, last)]
    if declared is not None:
        labels.append(_declared_label(drawing, declared))
    return labels


def _line(drawing: Drawing, line: int) -> float:
    return style.TOP + drawing.px((line + 0.5) * LINE)


def _end(drawing: Drawing, i: int, name: str) -> dict[str, Any]:
    """Over its column, written towards the side with more room."""
    value = escape(words.value(drawing.multiverse.columns[i].value, drawing.unit))
    right = i > (drawing.n - 1) / 2
    x, anchor = (i + 0.5, "right") if right else (i - 0.5, "left")
    size, colour = drawing.px(style.TEXT), drawing.look[0]
    return annotation(f"{name} <b>{value}</b>", x, _line(drawing, 0), size=size, colour=colour, xanchor=anchor)


def _both_ends(drawing: Drawing, last: int) -> dict[str, Any]:
    """Where most analyses are undefined, the two stand too close for a label each."""
    low, high = (escape(words.value(drawing.multiverse.columns[i].value, drawing.unit)) for i in (0, last))
    size, colour = drawing.px(style.TEXT), drawing.look[0]
    text = f"<b>{low}</b>" if low == high else f"<b>{low}</b> to <b>{high}</b>"
    return annotation(text, -0.5, _line(drawing, 0), size=size, colour=colour, xanchor="left")


def _declared_label(drawing: Drawing, i: int) -> dict[str, Any]:
    """Beside the outlined column."""
    value = escape(words.value(drawing.multiverse.columns[i].value, drawing.unit))
    right, wide = i > (drawing.n - 1) / 2, drawing.outline / 2
    x, anchor, shift = (i - wide, "right", -6) if right else (i + wide, "left", 6)
    size, colour = drawing.px(style.TEXT), drawing.look[0]
    return annotation(f"<b>declared {value}</b>", x, _line(drawing, 1), size=size, colour=colour, xanchor=anchor, xshift=shift)


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    size, place = drawing.px(style.TEXT), {"xref": "paper", "xanchor": "right", "xshift": -8}
    texts = []
    for _, name, _, y in drawing.rows:
        short = fit(name, drawing.left - drawing.px(12), size)
        texts.append(annotation(escape(short), 0, y, size=size, colour=drawing.colours.text, **place))
    return texts


def _undefined(drawing: Drawing) -> list[dict[str, Any]]:
    """Return a dash for each analysis without a value where there is room; in any case how many they are."""
    first, middle = len(drawing.multiverse.defined), (drawing.head + drawing.foot) / 2
    missing = drawing.n - first
    size, colour = drawing.px(style.TEXT), drawing.colours.muted
    if not missing:
        return []
    dashes = range(first, drawing.n) if drawing.column > DASH else []
    texts = [annotation(UNDEFINED, i, middle, size=size, colour=colour) for i in dashes]
    text, at, y = f"{words.count(missing)} undefined", max(drawing.n, FEWEST) - 0.5, drawing.foot - drawing.px(8)
    chip = {"xanchor": "right", "bgcolor": drawing.colours.page}
    return [*texts, annotation(text, at, y, size=size, colour=colour, **chip)]


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the axis, and a line at 0 where there are values on both sides."""
    line = {"type": "line", "xref": "paper", "layer": "below"}
    axis = {**line, "x0": 0, "x1": 0, "yref": "y", "y0": drawing.head, "y1": drawing.foot}
    zero = {**line, "x0": 0, "x1": 1, "yref": "y2", "y0": 0, "y1": 0, "line": {"color": drawing.colours.grid, "width": 1}}
    return [axis | {"line": {"color": drawing.colours.axis, "width": 1.5}}, *([zero] if drawing.ticks[0] < 0 else [])]

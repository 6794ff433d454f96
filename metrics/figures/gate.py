"""The gate: how far the raters of each criterion agree, on bands, against the floor, with what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from metrics.analyses.raters.gate import Bands, Verdict
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import fifths
from metrics.figures.fitting import inward
from metrics.figures.marks import Point, annotation, stacked
from metrics.figures.rows import AxisRows, name_width, reason_in_place, row_areas, row_name, rows_layout, rule_behind
from metrics.figures.theme import Theme, escape, fit, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.words import UNDEFINED, plain, shorten_all

SYMBOLS: dict[Verdict, str] = {"passes": "✓", "fails": "✕", "undecided": "?"}
TALL, CLOSE, MANY = 74, 50, 12
"""Height of a row in px, of close rows, and the number of rows above which they stand close."""
LINE, SMALL_LINE, GAP = 17, 15, 16
NAMES, VERDICTS = 0.26, 0.3
"""Widest columns of names and of verdicts, as shares of the figure."""
PAD = 0.05
"""Room at both ends of the axis, as a share of it."""
TIGHT = 24
"""Px from tick to tick at least."""
NOTHING = "No criterion to show"


@dataclass(frozen=True)
class GateRow:
    name: str
    estimate: Estimate
    verdict: Verdict = "undecided"
    items: int = 0
    raters: int = 0
    step: str = ""
    """What to do next, in a sentence."""
    reason: str = ""
    """Why there is no value, or no interval."""
    word: str = ""
    """What the verdict is called where nothing passes or fails, as among judges."""


@dataclass(frozen=True)
class Sheet(AxisRows):
    """Rows on one axis with the bands behind them."""

    rows: Sequence[GateRow]
    bands: Bands
    symbol: str

    @cached_property
    def shorts(self) -> list[str]:
        return shorten_all([row.name for row in self.rows])

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Of the axis, from 0 or below to 1."""
        low = min([0.0, self.bands.line, *self.bands.edges, *marks.reached(row.estimate for row in self.rows)])
        pad = PAD * (1 - low)
        return low - pad, 1 + pad

    def px_of(self, value: float) -> float:
        """Return px from the left end of the axis."""
        return self.share(value) * self.plot

    @property
    def limits(self) -> list[float]:
        """Of the bands, the ends of the axis among them."""
        return [self.ends[0], *self.bands.edges, self.ends[1]]

    @cached_property
    def band_words(self) -> list[tuple[list[str], int, float]]:
        """Lines and middle of each band's name, and which of two rows it stands in; one row where all have room."""
        names, limits, size = self.bands.words, self.limits, self.px(style.SMALL)
        flat = [
            wrap(name, self.px_of(high) - self.px_of(low) - 4, size)
            for name, (low, high) in zip(names, pairwise(limits), strict=True)
        ]
        if all(" ".join(lines) == plain(name) for lines, name in zip(flat, names, strict=True)):
            return [(lines, 0, (low + high) / 2) for lines, (low, high) in zip(flat, pairwise(limits), strict=True)]
        halves = [limits[0], *((low + high) / 2 for low, high in pairwise(limits)), limits[-1]]
        spans = zip(halves, halves[2:], strict=False)
        return [
            (wrap(name, self.px_of(high) - self.px_of(low) - 4, size), i % 2, (low + high) / 2)
            for i, (name, (low, high)) in enumerate(zip(names, spans, strict=True))
        ]

    @property
    def words_high(self) -> float:
        """Px of the names of the bands."""
        lines = [max((len(name_lines) for name_lines, place, _ in self.band_words if place == row), default=0) for row in (0, 1)]
        return sum(lines) * self.px(SMALL_LINE)

    @property
    def head(self) -> float:
        return style.TOP + self.words_high + self.px(LINE + 8)


@dataclass(frozen=True)
class Drawing(Sheet):
    """Name and n left of the axis, verdict and next step right of it."""

    @property
    def close(self) -> bool:
        return len(self.rows) > MANY

    @property
    def step(self) -> float:
        return self.px(CLOSE if self.close else TALL)

    @cached_property
    def left(self) -> float:
        counts = [counted(row) for row in self.rows]
        size = max((text_width(text, self.px(style.SMALL)) for text in counts), default=0.0) + GAP
        names = name_width(self.shorts, self.px(style.TEXT), self.scale, NAMES * self.width)
        return min(max(names, size), NAMES * self.width)

    @property
    def right(self) -> float:
        return VERDICTS * self.width

    def middle(self, row: int) -> float:
        """Return lower than the middle of the row: value and interval stand above the dot."""
        return self.centre(row) + self.px(10)


def gate_rows(
    rows: Sequence[GateRow],
    *,
    theme: Theme,
    asked: Bands | None = None,
    symbol: str = "α",
    selected: int | None = None,
    scale: float = 1.0,
    width: float = 640,
) -> Figure:
    """Return one row per criterion in the order given; a clicked row returns `customdata` [index].

    Parameters
    ----------
    asked : Bands or None
        Floor and bands; None: those of the guide.
    symbol : str
        Of the coefficient.
    selected : int or None
        The outlined row.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet; below 560 see `gate_cards`.
    """
    drawing = Drawing(style.tokens(theme), scale, rows, selected, width * scale, asked or Bands(), symbol)
    if not rows:
        return marks.empty(NOTHING, drawing.colours, scale)
    values = [_value(drawing, i, row) for i, row in enumerate(rows)]
    texts = [*heads(drawing), *_names(drawing), *values, *_verdicts(drawing)]
    line = {"color": drawing.colours.reference, "width": drawing.px(2)}
    shapes = [*bands(drawing, [(drawing.head, drawing.foot)]), *rule_behind(drawing, drawing.bands.line, line)]
    traces = [row_areas(drawing, drawing.ends, [hover(drawing, row) for row in rows]), dots(drawing)]
    return drawn(rows_layout(drawing, axis(drawing)), traces, annotations=texts, shapes=shapes)


def alt(rows: Sequence[GateRow], *, asked: Bands | None = None, symbol: str = "α") -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    sentence = "; ".join(_row_text(row) for row in rows)
    bands = asked or Bands()
    ends = [
        *(f"{plain(name)} below {floor_words(edge)}" for name, edge in zip(bands.words, bands.edges, strict=False)),
        bands.words[-1],
    ]
    return f"{symbol} by criterion against the floor of {floor_words(bands.line)}. {sentence}. Bands: {', '.join(ends)} above."


def _row_text(row: GateRow) -> str:
    value = value_words(row) if row.estimate.defined else f"undefined: {plain(row.reason)}".removesuffix(": ")
    step = f", {plain(row.step).rstrip('.')}" if row.step else ""
    return f"{plain(row.name)} {value}, {verdict_word(row)}, {counted(row)}{step}"


def verdict_word(row: GateRow) -> str:
    """Return what the verdict is called: an interval over the floor decides nothing, without one nothing can be said."""
    if row.verdict != "undecided":
        return row.word or row.verdict
    return "undecided" if row.estimate.ends else "no verdict"


def verdict_text(row: GateRow) -> str:
    if row.word and row.verdict != "undecided":
        return row.word
    return f"{SYMBOLS[row.verdict] if row.estimate.defined else UNDEFINED} {verdict_word(row)}"


def verdict_colour(row: GateRow, sheet: Sheet) -> str:
    colours = sheet.colours
    if row.word and row.verdict != "undecided":
        return colours.text
    return {"fails": colours.warning, "passes": colours.text, "undecided": colours.muted}[row.verdict]


def floor_words(floor: float) -> str:
    """At least two decimals, as many as it has up to three: 0.667, 0.60."""
    return words.three(floor).removesuffix("0")


def value_words(row: GateRow) -> str:
    """Return value and interval, or why there is none."""
    if not row.estimate.defined:
        return f"{UNDEFINED} {plain(row.reason)}".strip()
    value = words.estimate(row.estimate)
    return f"{value}, {plain(row.reason)}" if row.reason and row.estimate.ends is None else value


def counted(row: GateRow) -> str:
    return f"{words.several(row.items, 'items')}, {words.several(row.raters, 'raters')}"


def hover(sheet: Sheet, row: GateRow) -> str:
    lines = [f"<b>{escape(row.name)}</b>", f"{escape(sheet.symbol)} {escape(value_words(row))}: {escape(verdict_word(row))}"]
    return "<br>".join([*lines, *(escape(text) for text in (counted(row), row.step) if text)])


def axis(sheet: Sheet) -> dict[str, Any]:
    """Return an axis with as many ticks as have room."""
    return sheet.axis(*sheet.ends, fifths(*sheet.ends, sheet.plot / sheet.px(TIGHT)))


def heads(sheet: Sheet) -> list[dict[str, Any]]:
    """Return the names of the bands, and under them that of the floor."""
    texts, line = [], sheet.px(SMALL_LINE)
    first = max((len(lines) for lines, row, _ in sheet.band_words if row == 0), default=0)
    for lines, row, x in sheet.band_words:
        rows = first if row == 0 else sheet.words_high / line - first
        y = style.TOP + line * ((0 if row == 0 else first) + rows / 2)
        texts.append(annotation(stacked(lines), x, y, size=sheet.px(style.SMALL), colour=sheet.colours.muted))
    text, size = f"floor {floor_words(sheet.bands.line)}", sheet.px(style.TICK)
    shift = inward(sheet.px_of(sheet.bands.line), text_width(text, size, bold=True) + 4, sheet.plot)
    y, colour = sheet.head - sheet.px(6 + LINE / 2), sheet.colours.reference
    return [*texts, annotation(f"<b>{text}</b>", sheet.bands.line, y, size=size, colour=colour, xshift=shift)]


def bands(sheet: Sheet, spans: Sequence[tuple[float, float]]) -> list[dict[str, Any]]:
    """Return the lower the darker, in grey: what a band means is its name."""
    shapes, last = [], len(sheet.bands.edges)
    for top, foot in spans:
        for i, (low, high) in enumerate(pairwise(sheet.limits)):
            fill = style.blend(sheet.colours.page, sheet.colours.grid, 1 - i / max(last, 1))
            box = {"x0": low, "x1": high, "y0": top, "y1": foot, "fillcolor": fill, "line": {"width": 0}, "layer": "below"}
            shapes.append({"type": "rect", **box})
        line = {"color": sheet.colours.axis, "width": 1}
        shapes += [marks.upright(at, (top, foot), line) for at in sheet.bands.edges]
    return shapes


def dots(sheet: Sheet) -> Trace:
    """Open where there is no interval."""
    colour, symbol = style.coefficient(sheet.symbol, sheet.colours)
    points = [
        Point(row.estimate, sheet.middle(i), hover(sheet, row), [i], row.estimate.ends is None)
        for i, row in enumerate(sheet.rows)
        if row.estimate.defined
    ]
    return marks.dots(points, colour=colour, symbol=symbol, scale=sheet.scale)


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the name in one line or two, under it the numbers of items and raters."""
    texts, room, high = [], drawing.left - 14, drawing.px(LINE)
    for i, (row, short) in enumerate(zip(drawing.rows, drawing.shorts, strict=True)):
        lines = wrap(short, room, drawing.px(style.TEXT), lines=1 if drawing.close else 2)
        top = drawing.centre(i) - (len(lines) * high + drawing.px(SMALL_LINE)) / 2
        texts.append(row_name(drawing, row.name, lines, top + len(lines) * high / 2, size=drawing.px(style.TEXT)))
        text, size = fit(counted(row), room, drawing.px(style.SMALL)), drawing.px(style.SMALL)
        y, place = top + len(lines) * high + drawing.px(SMALL_LINE / 2), {"xref": "paper", "xanchor": "right", "xshift": -12}
        texts.append(annotation(escape(text), 0, y, size=size, colour=drawing.colours.muted, **place))
    return texts


def _value(drawing: Drawing, i: int, row: GateRow) -> dict[str, Any]:
    """Above the dot; where the value is undefined its reason in the place of both."""
    look: dict[str, Any] = {"bgcolor": drawing.colours.selected if i == drawing.selected else drawing.colours.page}
    if not row.estimate.defined:
        return reason_in_place(drawing, i, value_words(row), hover(drawing, row))
    size = drawing.px(style.TEXT)
    text = fit(value_words(row), drawing.plot - 8, size)
    look["xshift"] = inward(drawing.px_of(row.estimate.value), text_width(text, size) + 4, drawing.plot)
    y, colour = drawing.middle(i) - drawing.px(18), style.coefficient(drawing.symbol, drawing.colours)[0]
    return annotation(escape(text), row.estimate.value, y, size=size, colour=colour, **look)


def _verdicts(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the verdict right of the axis, under it the next step, whole under the pointer."""
    texts, room, line = [], drawing.right - GAP - 2, drawing.px(SMALL_LINE)
    place = {"xref": "paper", "xanchor": "left", "xshift": GAP}
    for i, row in enumerate(drawing.rows):
        lines = wrap(row.step, room, drawing.px(style.SMALL), lines=1 if drawing.close else 3) if row.step else []
        top = drawing.centre(i) - (drawing.px(LINE) + len(lines) * line) / 2
        text, size = f"<b>{escape(verdict_text(row))}</b>", drawing.px(style.TEXT)
        y, colour = top + drawing.px(LINE / 2), verdict_colour(row, drawing)
        texts.append(annotation(text, 1, y, size=size, colour=colour, **place))
        if lines:
            y, look = top + drawing.px(LINE) + len(lines) * line / 2, place | {"hovertext": escape(row.step)}
            texts.append(annotation(stacked(lines), 1, y, size=drawing.px(style.SMALL), colour=drawing.colours.text, **look))
    return texts

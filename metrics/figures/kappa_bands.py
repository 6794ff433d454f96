"""A κ with its interval on the bands of Landis & Koch, alone or before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from metrics.analyses.review.readings import BANDS, SOURCE, Band, band_of, band_words, touched
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import inward
from metrics.figures.marks import Point, annotation
from metrics.figures.rows import AxisRows, rows_layout
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, drawn
from metrics.results import words
from metrics.results.estimate import Estimate

LINE, LINES, AXIS, MARGIN, ABOVE = 15, 2, 26, 14, 15
LOWEST = -0.12
"""Where the axis begins unless something lies lower."""
ROOM = 0.06
TICKS = (-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
WORDS = 11
"""Px of the names of bands."""


@dataclass(frozen=True)
class _Drawing(AxisRows):
    ROW: ClassVar = 44
    low: float
    value_band: Band | None
    over: tuple[Band, ...]

    @property
    def left(self) -> float:
        return MARGIN

    @property
    def right(self) -> float:
        return MARGIN

    @property
    def head(self) -> float:
        return style.TOP + self.px(LINE * max(LINES, 1 + max(line for _, line, _ in self.names)) + 4)

    @property
    def ends(self) -> tuple[float, float]:
        return self.low, 1 + ROOM / 2

    def middle(self, row: int) -> float:
        """Return lower than the middle of the row: the value stands above the dot."""
        return self.centre(row) + self.px(ABOVE) / 2

    def across(self, value: float) -> float:
        """Return px of a value from the left end."""
        return self.share(value) * self.plot

    @cached_property
    def names(self) -> list[tuple[Band, int, float]]:
        """Every band with the line of its name, counted from below, and the px of its left end.

        Neighbours stand one up and one down; one without room there goes higher, the last those the interval does not touch.
        """
        taken: dict[int, list[tuple[float, float]]] = {}
        labels = []
        for band in sorted(BANDS, key=lambda band: (band != self.value_band, band not in self.over)):
            wide = text_width(band.word, self.px(WORDS), bold=band == self.value_band)
            middle = self.across((max(band.low, self.low) + band.high) / 2)
            left = min(max(0.0, middle - wide / 2), self.plot - wide)
            line = (BANDS.index(band) + 1) % LINES
            while any(left < end + 4 and start < left + wide + 4 for start, end in taken.get(line, [])):
                line = max(line + 1, LINES)
            taken.setdefault(line, []).append((left, left + wide))
            labels.append((band, line, left))
        return labels


def kappa_bands(kappas: Mapping[str, Estimate], *, theme: Theme, scale: float = 1.0, width: float = 340) -> Figure:
    """Return one row for each κ; the bands it touches are marked, its own band bold.

    Parameters
    ----------
    kappas : mapping of name to Estimate
        The name is empty where it is the only one.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    colours = style.tokens(theme)
    low = min([LOWEST, *(max(-1.0, end) - ROOM for end in marks.reached(kappas.values()) if end < 0)])
    last = next((kappa for kappa in reversed([*kappas.values()]) if kappa.defined), None)
    kappa_band = None if last is None else band_of(last.value)
    over = () if last is None or last.ends is None else touched(last.ends)
    drawing = _Drawing(colours, scale, [*kappas], None, width * scale, low, kappa_band, over)
    points = [
        Point(kappa, drawing.middle(place), _hover(name, kappa), [place], open=kappa.ends is None)
        for place, (name, kappa) in enumerate(kappas.items())
        if kappa.defined
    ]
    texts = [*_names(drawing), *(text for place, row in enumerate(kappas.items()) for text in _texts(drawing, place, *row))]
    dots = [marks.dots(points, colour=colours.kappa, symbol="circle", scale=scale)] if points else []
    return drawn(_layout(drawing), dots, annotations=texts, shapes=_strips(drawing))


def alt(kappas: Mapping[str, Estimate]) -> str:
    """Return the figure in words, for people who do not see it."""
    clauses = []
    for name, kappa in kappas.items():
        lead = f"{words.plain(name)}: " if name else ""
        if kappa.defined:
            clauses.append(f"{lead}κ {words.estimate(kappa)}, {band_words(kappa.value, kappa.ends)}")
        else:
            clauses.append(f"{lead}κ is undefined, {words.plain(kappa.why)}")
    return f"κ on the bands of {SOURCE}. {'; '.join(clauses)}."


def _hover(name: str, kappa: Estimate) -> str:
    lead = f"{escape(name)}: " if name else ""
    return f"{lead}<b>{words.number(kappa.value)}</b>{words.behind(kappa.ends)}<br>{escape(band_words(kappa.value, kappa.ends))}"


def _layout(drawing: _Drawing) -> dict[str, Any]:
    axis = drawing.axis(*drawing.ends, [tick for tick in TICKS if tick >= drawing.low])
    return rows_layout(drawing, axis, AXIS)


def _strips(drawing: _Drawing) -> list[dict[str, Any]]:
    colours, kappa_band, over, out = drawing.colours, drawing.value_band, drawing.over, []
    for place, band in enumerate(BANDS):
        fill = colours.selected if band in over or band == kappa_band else colours.sidebar if place % 2 else colours.page
        edge = {"color": colours.axis, "width": 1}
        place_of = {"x0": max(band.low, drawing.low), "x1": band.high, "y0": drawing.head, "y1": drawing.foot}
        out.append({"type": "rect", "fillcolor": fill, "line": edge, "layer": "below"} | place_of)
    return out


def _names(drawing: _Drawing) -> list[dict[str, Any]]:
    """Return names above their bands; those the interval touches stand out."""
    size, out = drawing.px(WORDS), []
    for band, line, left in drawing.names:
        bold = band == drawing.value_band
        text = f"<b>{band.word}</b>" if bold else band.word
        colour = drawing.colours.text if bold or band in drawing.over else drawing.colours.muted
        at = drawing.head - drawing.px(9 + LINE * line)
        low, high = drawing.ends
        x = low + left / drawing.plot * (high - low)
        out.append(annotation(text, x, at, size=size, colour=colour, xanchor="left"))
    return out


def _texts(drawing: _Drawing, place: int, name: str, kappa: Estimate) -> list[dict[str, Any]]:
    """Return the value above its mark, and the row's name at the left edge."""
    colours, size = drawing.colours, drawing.px(style.TICK)
    out = []
    if name:
        shown = escape(fit(name, drawing.plot / 3, size))
        chip = {"xanchor": "left", "xshift": 4, "bgcolor": colours.page}
        side = chip if not kappa.defined or kappa.value > (1 + drawing.low) / 2 else _right(chip)
        at = drawing.low if side["xanchor"] == "left" else 1 + ROOM / 2
        out.append(annotation(shown, at, drawing.middle(place), size=size, colour=colours.muted, **side))
    if not kappa.defined:
        text = fit(f"undefined: {words.plain(kappa.why)}", drawing.plot - drawing.px(70), size)
        out.append(
            annotation(escape(text), 0.5, drawing.middle(place), size=size, colour=colours.text, hovertext=escape(kappa.why))
        )
        return out
    shift = inward(drawing.across(kappa.value), text_width(words.estimate(kappa), size, bold=True), drawing.plot)
    up = drawing.middle(place) - drawing.px(ABOVE)
    text = f"<b>{words.number(kappa.value)}</b>{words.behind(kappa.ends)}"
    out.append(annotation(text, kappa.value, up, size=size, colour=colours.text, xshift=shift))
    return out


def _right(chip: dict[str, Any]) -> dict[str, Any]:
    return chip | {"xanchor": "right", "xshift": -4}

"""How a panel's agreement with the reference grows with its size, beside single judges and independent ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.ensembles.growth import Size
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import annotation
from metrics.figures.plots import GAP, LINE, EndName, PlotSheet
from metrics.figures.theme import Theme, escape, fit, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.results.words import UNDEFINED, bounds, count, estimate, number, plain, several

PLOT, FOOT, HEAD = 250, 50, 12
PAD, LABELS = 0.08, 0.36
"""Room above and below what is drawn, as a share of it; widest place for names, as a share of the figure."""
SHADE = 0.18
FEW = 6
"""Sizes up to which every value is written."""
SIDE = 0.05
"""Room left and right of the first and the last size, as a share of the axis."""
NOTHING = "No panel to show"


@dataclass(frozen=True)
class Rule:
    """A level to compare with: "best single judge", and who that is."""

    name: str
    value: float
    who: str = ""


@dataclass(frozen=True)
class Drawing(PlotSheet):
    points: Sequence[Size]
    given: Sequence[Rule]
    symbol: str

    @property
    def colour(self) -> str:
        return style.coefficient(self.symbol, self.colours)[0]

    @cached_property
    def there(self) -> list[Size]:
        return [point for point in self.points if point.kappa.defined]

    @cached_property
    def rules(self) -> list[Rule]:
        return [rule for rule in self.given if math.isfinite(rule.value)]

    @cached_property
    def alone(self) -> list[Size]:
        """Sizes for which it is known what independent judges would reach."""
        return [point for point in self.points if math.isfinite(point.independent)]

    @cached_property
    def across(self) -> tuple[float, float]:
        """Of the sizes, by their logarithm."""
        low, high = (math.log10(size) for size in (self.points[0].size, self.points[-1].size))
        wide = (high - low) or 1.0
        return low - SIDE * wide, high + SIDE * wide

    @cached_property
    def ends(self) -> tuple[float, float]:
        values = [rule.value for rule in self.rules] + [point.independent for point in self.alone]
        for point in self.there:
            values += _drawn(point)
        low, high = min(values, default=0.0), max(values, default=1.0)
        pad = PAD * ((high - low) or 0.5)
        return low - pad, high + 2 * pad

    @cached_property
    def names(self) -> list[EndName]:
        room, size = LABELS * self.width - self.px(GAP), self.px(style.TEXT)
        labels = [self._named(rule, room, size) for rule in self.rules]
        if self.there:
            last = self.there[-1]
            who = f"{count(last.size)} together" if last.size > 1 else "1 judge"
            text = fit(f"{who} {number(last.kappa.value)}", room, size, bold=True)
            labels.append(EndName(last.kappa.value, [text], self.colour, bold=1))
        if self.alone:
            value = self.alone[-1].independent
            labels.append(EndName(value, wrap(f"if independent {number(value)}", room, size), self.colours.muted))
        return sorted(labels, key=lambda label: label.at)

    def _named(self, rule: Rule, room: float, size: float) -> EndName:
        lines = wrap(f"{rule.name} {number(rule.value)}", room, size)
        return EndName(rule.value, [*lines, fit(rule.who, room, size)] if rule.who else lines, self.colours.text)

    @property
    def head(self) -> float:
        return style.TOP + self.px(HEAD)

    @property
    def tall(self) -> float:
        """Px of the plot; more where the names at the right need them."""
        return max(self.px(PLOT), self.px(LINE) * (1 + sum(len(name.lines) for name in self.names)))


def panel_growth(
    points: Sequence[Size],
    rules: Sequence[Rule] = (),
    *,
    theme: Theme,
    symbol: str = "κ",
    scale: float = 1.0,
    width: float = 340,
) -> Figure:
    """Return the mean over panels of each size, rising sizes, with band and whisker.

    A clicked dot returns `customdata` [index].

    Parameters
    ----------
    rules : sequence of Rule
        Levels drawn across, named at their right end; one that is undefined is left out, and said so in `alt`.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    colours = style.tokens(theme)
    if not points:
        return marks.empty(NOTHING, colours, scale)
    drawing = Drawing(colours, scale, width * scale, points, rules, symbol)
    traces = [*_band(drawing), *_independent(drawing), _dots(drawing)]
    texts = [
        *drawing.end_names(),
        *_values(drawing),
        *_gaps(drawing),
        marks.below(drawing, "judges in the panel", FOOT),
    ]
    shapes = [*drawing.levels_behind(), *_rules(drawing)]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=shapes)


def alt(points: Sequence[Size], rules: Sequence[Rule] = (), *, symbol: str = "κ", band: str = "") -> str:
    """Return the figure in a sentence, for people who do not see it; `band` says what the band holds."""
    if not points:
        return f"{NOTHING}."
    sentence = "; ".join(_point_text(point, symbol) for point in points)
    levels = "; ".join(f"{plain(rule.name)}{' ' + plain(rule.who) if rule.who else ''} {_value(rule.value)}" for rule in rules)
    parts = [f"{symbol} of a panel with the reference by its size", sentence, levels, plain(band)]
    return ". ".join(part for part in parts if part) + "."


def _note(point: Size, symbol: str) -> str:
    """Return how many of the panels have no value."""
    return f"{symbol} is undefined in {count(point.undefined)} of {count(point.n_panels)} panels" if point.undefined else ""


def _band_ends(point: Size) -> tuple[float, float] | None:
    """Return where most of the panels lie."""
    return (point.low, point.high) if math.isfinite(point.low) and math.isfinite(point.high) else None


def _drawn(point: Size) -> list[float]:
    """Return the heights of a dot, its whisker and the band there."""
    return [*marks.reached([point.kappa]), *(_band_ends(point) or ())]


def _value(value: float) -> str:
    return "undefined" if math.isnan(value) else number(value)


def _point_text(point: Size, symbol: str) -> str:
    if not point.kappa.defined:
        note = _note(point, symbol)
        return f"{count(point.size)} undefined{': ' + plain(note) if note else ''}"
    text = f"{count(point.size)} {estimate(point.kappa)}"
    text += f", panels {bounds(_band_ends(point))}" if _band_ends(point) else ""
    return text + (f", if independent {number(point.independent)}" if math.isfinite(point.independent) else "")


def _layout(drawing: Drawing) -> dict[str, Any]:
    sizes = _size_ticks(drawing)
    across = drawing.axis(*drawing.across, [math.log10(size) for size in sizes], [count(size) for size in sizes])
    return drawing.plot_layout(drawing.px(FOOT), across)


def _px(drawing: Drawing, size: int) -> float:
    return drawing.at(math.log10(size), 0)[0]


def _size_ticks(drawing: Drawing) -> list[int]:
    """Return sizes from the largest down, as many as have room for their number."""
    sizes: list[int] = []
    for point in reversed(drawing.points):
        wide = text_width(count(point.size), drawing.px(style.TICK)) + drawing.px(8)
        if not sizes or _px(drawing, sizes[-1]) - _px(drawing, point.size) >= wide:
            sizes.append(point.size)
    return sizes[::-1]


def _hover(drawing: Drawing, point: Size) -> str:
    lines = [f"<b>{escape(several(point.size, 'judges'))}</b>", f"{escape(drawing.symbol)} {estimate(point.kappa)}"]
    if _band_ends(point):
        lines.append(f"panels {bounds(_band_ends(point))}")
    if math.isfinite(point.independent):
        lines.append(f"if independent {number(point.independent)}")
    lines += [escape(several(point.n_panels, "panels"))] if point.n_panels else []
    note = _note(point, drawing.symbol)
    return "<br>".join([*lines, escape(note)] if note else lines)


def _band(drawing: Drawing) -> list[Trace]:
    points = [point for point in drawing.there if _band_ends(point)]
    if not points:
        return []
    x = [math.log10(point.size) for point in points]
    low, high = ([getattr(point, end) for point in points] for end in ("low", "high"))
    look = {"fillcolor": style.see_through(drawing.colour, SHADE), "hoverinfo": "skip"}
    return marks.band(x, low, high, line={"color": drawing.colour, "width": 0}, **look)


def _independent(drawing: Drawing) -> list[Trace]:
    if not drawing.alone:
        return []
    line = {"color": drawing.colours.muted, "width": drawing.px(1.5), "dash": "dot"}
    x, y = [math.log10(point.size) for point in drawing.alone], [point.independent for point in drawing.alone]
    return [scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip")]


def _dots(drawing: Drawing) -> Trace:
    values, ends = [point.kappa.value for point in drawing.there], [point.kappa.ends for point in drawing.there]
    _, shape = style.coefficient(drawing.symbol, drawing.colours)
    return scatter(
        x=[math.log10(point.size) for point in drawing.there],
        y=values,
        mode="lines+markers",
        line={"color": drawing.colour, "width": drawing.px(2)},
        marker={"symbol": shape, "color": drawing.colour, "size": drawing.px(9), "opacity": 1},
        error_y=marks.whiskers(values, ends, colour=drawing.colour, thickness=drawing.px(style.WHISKER)),
        customdata=[[i] for i, point in enumerate(drawing.points) if point.kappa.defined],
        hovertext=[_hover(drawing, point) for point in drawing.there],
        cliponaxis=False,
        **marks.undimmed(),
    )


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    """Of a few sizes every value, above all that is drawn there; the last one stands at the right."""
    if len(drawing.there) > FEW:
        return []
    texts, size = [], drawing.px(style.TICK)
    for point, after in zip(drawing.there[:-1], drawing.there[1:], strict=True):
        if _px(drawing, after.size) - _px(drawing, point.size) < text_width("0.00", size) + 2:
            continue
        place, text = {"yshift": drawing.px(11), "bgcolor": drawing.colours.page}, number(point.kappa.value)
        top = max(_drawn(point))
        texts.append(annotation(text, math.log10(point.size), top, size=size, colour=drawing.colour, **place))
    return texts


def _gaps(drawing: Drawing) -> list[dict[str, Any]]:
    """Return a dash where a size has no value."""
    place = {"yref": "paper", "yshift": drawing.px(9)}
    return [
        annotation(
            UNDEFINED, math.log10(point.size), 0, size=drawing.px(style.TEXT), colour=drawing.colours.muted,
            hovertext=_hover(drawing, point), **place,
        )
        for point in drawing.points
        if not point.kappa.defined
    ]  # fmt: skip


def _rules(drawing: Drawing) -> list[dict[str, Any]]:
    look = {"color": drawing.colours.text, "width": drawing.px(1.5), "dash": "dash"}
    return [marks.across(rule.value, look) for rule in drawing.rules]

"""How wide the interval would be at every number of items, with today's number and the one that would settle a question."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.planning.compute import REPEAT, Plan
from metrics.analyses.planning.sizes import POWER, about
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import Point
from metrics.figures.plots import EndName, PlotSheet, Upright
from metrics.figures.theme import Theme, escape, fit
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.estimate import Estimate

FIRST, LAST = 25, 5000
"""Numbers of items at the ends of the axis; of fewer items today, it begins at those."""
TICKS = (25, 100, 500, 2000, 5000)
FOOT = 50
PAD, SHADE = 0.06, 0.18
"""Room above and below what is drawn, as a share of it, and how far the band covers the rules behind it."""
NO_INTERVAL = "No interval to expect: "


@dataclass(frozen=True)
class Drawing(PlotSheet):
    plan: Plan

    @property
    def colour(self) -> str:
        return style.coefficient(self.symbol, self.colours)[0]

    @property
    def symbol(self) -> str:
        return BY_KEY[self.plan.metric].symbol

    @property
    def across(self) -> tuple[float, float]:
        return math.log10(_first(self.plan)), math.log10(LAST)

    @cached_property
    def uprights(self) -> list[Upright]:
        """Of today's number of items and of the number needed; one beyond the axis stands at its end, with an arrow."""
        plan = self.plan
        rules: list[tuple[int, str, str, str | None]] = [(plan.n_now, f"{words.count(plan.n_now)} today", "solid", None)]
        if plan.needed.n is not None:
            rules.append((plan.needed.n, f"{about(plan.needed.n)} {_for(plan)}", "dash", _power(plan)))
        first, uprights = _first(plan), []
        for n, text, dash, hover in reversed(rules):
            shown = f"{text} ▸" if n > LAST else f"◂ {text}" if n < first else text
            at = math.log10(min(max(n, first), LAST))
            uprights.append(Upright(at, shown, dash=dash, hover=hover, line=first <= n <= LAST))
        return uprights

    @property
    def unit(self) -> str:
        return self.plan.unit

    @cached_property
    def ends(self) -> tuple[float, float]:
        plan = self.plan
        lines = (0.0, plan.line, -plan.line) if plan.difference else (plan.line,)
        today = plan.today.ends if plan.today.ends is not None and plan.n_now <= LAST else ()
        values = [value for value in (*plan.low, *plan.high, plan.today.value, *today, *lines) if math.isfinite(value)]
        low, high = min(values), max(values)
        pad = PAD * ((high - low) or 1.0)
        return low - pad, high + pad

    @cached_property
    def names(self) -> list[EndName]:
        """Of the horizontal lines; the estimate is the bold one."""
        plan = self.plan
        lines = [(plan.line, f"{words.value(plan.line, plan.unit)} asked")]
        if plan.difference:
            sides = [side * plan.line for side in ((1,) if plan.one_sided else (1, -1))]
            lines = [(0.0, "0 equal"), *((side, _signed(side, plan)) for side in sides)]
        names = [EndName(at, [text], self.colours.text) for at, text in lines]
        names.append(EndName(plan.today.value, [words.value(plan.today.value, plan.unit)], self.colour, bold=1))
        return sorted(names, key=lambda name: name.at)


def interval_widths(plan: Plan, *, theme: Theme, scale: float = 1.0) -> Figure:
    """Return the expected interval as a band over the number of items, which stands on a logarithmic axis.

    The estimate is a line through the band, today's interval a whisker on it; upright rules are today's number of items
    and the number needed, a dotted line the value asked about.
    """
    if not drawable(plan):
        return marks.empty("No interval to draw", style.tokens(theme), scale)
    drawing = Drawing(style.tokens(theme), scale, style.NARROWEST * scale, plan)
    today = _today(drawing)
    traces = [*_band(drawing), _estimate(drawing), *([] if today is None else [today])]
    texts = [*drawing.end_names(), *drawing.upright_words(), _below(drawing)]
    shapes = [*drawing.levels_behind(), *_levels(drawing), *drawing.upright_lines()]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=shapes)


def alt(plan: Plan) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not drawable(plan):
        return f"{NO_INTERVAL}{words.plain(plan.needed.reason) or 'there is none today'}."
    table, counted = plan.expected(), words.plain(plan.counted)
    ends = zip(table[plan.counted], table["low"], table["high"], strict=True)
    band = "; ".join(f"{words.count(n)} {counted} {words.bounds((low, high), plan.unit)}" for n, low, high in ends)
    needed = f"no number of {counted} needed can be named"
    if plan.needed.n is not None:
        needed = f"{about(plan.needed.n)} {counted} {_for(plan)}"
    return (
        f"{words.plain(plan.question)} {words.count(plan.n_now)} {counted} today: "
        f"{words.estimate(plan.today, plan.unit)}; {needed}. Expected interval: {band}."
    )


def drawable(plan: Plan) -> bool:
    """Return whether an interval can be expected at any number of items."""
    return math.isfinite(plan.today.value) and any(math.isfinite(end) for end in plan.low)


def _first(plan: Plan) -> int:
    return min(FIRST, max(plan.n_now, 1))


def _at(plan: Plan) -> list[int]:
    """Return numbers of items under the axis; today's where the axis begins with it."""
    first = _first(plan)
    return [*([first] if first < FIRST else []), *(n for n in TICKS if n >= 2 * first or first == FIRST)]


def _signed(value: float, plan: Plan) -> str:
    if plan.unit:
        return words.points(value)
    return f"{'+' if value > 0 else ''}{words.number(value)}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    at = _at(drawing.plan)
    places, counts = [math.log10(n) for n in at], [words.count(n) for n in at]
    across = drawing.axis(*drawing.across, places, counts)
    return drawing.plot_layout(drawing.px(FOOT), across)


def _places(plan: Plan) -> list[int]:
    return [i for i, end in enumerate(plan.low) if math.isfinite(end)]


def _band(drawing: Drawing) -> list[Trace]:
    plan, places = drawing.plan, _places(drawing.plan)
    return marks.band(
        [math.log10(plan.sizes[i]) for i in places],
        [plan.low[i] for i in places],
        [plan.high[i] for i in places],
        line={"color": drawing.colour, "width": 1.5 * drawing.scale},
        fillcolor=style.see_through(drawing.colour, SHADE),
        customdata=[plan.sizes[i] for i in places],
        hovertext=[_hover(plan, i) for i in places],
        hoveron="points",
    )


def _hover(plan: Plan, i: int) -> str:
    return f"<b>{words.count(plan.sizes[i])} {escape(plan.counted)}</b><br>{words.bounds((plan.low[i], plan.high[i]), plan.unit)}"


def _estimate(drawing: Drawing) -> Trace:
    plan, places = drawing.plan, _places(drawing.plan)
    return scatter(
        x=[math.log10(plan.sizes[i]) for i in places],
        y=[plan.today.value for _ in places],
        mode="lines",
        line={"color": drawing.colour, "width": 2 * drawing.scale},
        hovertext=[_hover(plan, i) for i in places],
    )


def _today(drawing: Drawing) -> Trace | None:
    """Return today's own interval, which by the rules for small cells may be wider than the band."""
    plan = drawing.plan
    if plan.today.ends is None or plan.n_now > LAST:
        return None
    today = words.estimate(plan.today, plan.unit)
    hover = f"<b>{words.count(plan.n_now)} {escape(plan.counted)}, today</b><br>{today}"
    _, shape = style.coefficient(drawing.symbol, drawing.colours)
    point = Point(Estimate(math.log10(plan.n_now)), plan.today.value, hover, [0])
    dot = marks.dots([point], colour=drawing.colour, symbol=shape, scale=drawing.scale)
    ends = marks.whiskers([plan.today.value], [plan.today.ends], colour=drawing.colour, thickness=drawing.px(style.WHISKER))
    return dot | {"error_y": ends | {"width": drawing.px(5)}}


def _for(plan: Plan) -> str:
    return f"for {REPEAT}" if plan.settled else "needed"


def _power(plan: Plan) -> str:
    again = f"{REPEAT} of " if plan.settled else ""
    answer = "answers it" if plan.settled else "answer it"
    return f"{again}{words.count(plan.needed.n)} {escape(plan.counted)} {answer} with power {words.percent(POWER)}"


def _levels(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the lines asked about; the line of no difference is drawn through."""
    line = {"color": drawing.colours.text, "width": 1.5 * drawing.scale}
    return [marks.across(name.at, line | {"dash": "solid" if name.at == 0 else "dot"}) for name in drawing.names if not name.bold]


def _below(drawing: Drawing) -> dict[str, Any]:
    text = fit(f"labelled {drawing.plan.counted}, log scale", drawing.plot, drawing.px(style.TICK))
    return marks.below(drawing, text, FOOT)

"""Wrong on the same items: how many judges err at once, against how many would if their errors were independent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.ensembles.errors import Run
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import inner_ticks
from metrics.figures.marks import annotation
from metrics.figures.rows import AxisRows, EdgeColumn, edge_columns, row_areas, row_name, rows_layout
from metrics.figures.theme import Theme, escape, text_width
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.results.words import UNDEFINED, count, percent, several

TALL, DENSE, MANY = 30, 16, 12
"""Height of a row in px, of close rows, and the number of rows above which they stand close."""
AXIS, SMALLEST = 48, 11
MOST_TICKS, TICK_WIDE = 6, 46
PAD = 0.04
OBSERVED, EXPECTED = "■ observed", "┃ independent"
"""What the two marks of a row are."""
NOTHING = "No item that all judges answered"


@dataclass(frozen=True)
class Drawing(AxisRows):
    rows: Sequence[Run]
    judges: int
    units: str

    @property
    def dense(self) -> bool:
        return len(self.rows) > MANY

    @property
    def step(self) -> float:
        return self.px(DENSE if self.dense else TALL)

    @property
    def size(self) -> float:
        return self.px(SMALLEST if self.dense else style.TEXT)

    @cached_property
    def names(self) -> list[str]:
        return [name_of(row, self.judges) for row in self.rows]

    @property
    def left(self) -> float:
        texts = [(name, self.size) for name in self.names] + [("wrong", self.px(style.TICK))]
        return max(text_width(text, size) for text, size in texts) + 16

    @property
    def head_size(self) -> float:
        return self.px(style.SMALL)

    @cached_property
    def columns(self) -> list[EdgeColumn]:
        observed, expected = ([_share(share) for share in column] for column in zip(*map(_shares, self.rows), strict=True))
        shown = [self.colours.text] * len(self.rows)
        return [
            EdgeColumn(OBSERVED, observed, self.colours.judge, shown),
            EdgeColumn(EXPECTED, expected, self.colours.reference),
        ]

    @cached_property
    def ends(self) -> tuple[float, float]:
        shares = [share for row in self.rows for share in (row.share, row.by_chance) if math.isfinite(share)]
        high = max(shares, default=1.0) or 1.0
        return -PAD * high, high * (1 + PAD)


def name_of(row: Run, judges: int) -> str:
    """Return how many judges, and when it is none or all of them."""
    if row.last > row.first:
        return f"{count(row.first)}–{count(row.last)}"
    return {0: "none", judges: f"all {count(judges)}"}.get(row.first, count(row.first))


def wrong_together(
    rows: Sequence[Run],
    judges: int,
    *,
    theme: Theme,
    units: str = "items",
    selected: int | None = None,
    scale: float = 1.0,
    width: float = 340,
) -> Figure:
    """Return one row per number of judges that are wrong, two marks in each; a clicked row returns `customdata` [index].

    Parameters
    ----------
    judges : int
        How many there are.
    units : str
        What is counted, "decisions" where criteria are pooled.
    selected : int or None
        The outlined row.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    colours = style.tokens(theme)
    if not rows:
        return marks.empty(NOTHING, colours, scale)
    drawing = Drawing(colours, scale, rows, selected, width * scale, judges, units)
    areas = row_areas(drawing, drawing.ends, [_hover(drawing, row) for row in rows])
    traces = [areas, _between(drawing), _expected(drawing), _observed(drawing)]
    names = [row_name(drawing, name, [name], drawing.middle(i), size=drawing.size) for i, name in enumerate(drawing.names)]
    texts = [_head(drawing), *names, *edge_columns(drawing), marks.below(drawing, f"share of {units}", AXIS)]
    return drawn(rows_layout(drawing, _axis(drawing), AXIS), traces, annotations=texts, shapes=_zero(drawing))


def alt(rows: Sequence[Run], judges: int, *, units: str = "items") -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    sentence = "; ".join(_row_text(row, judges, units) for row in rows)
    return (
        f"Share of {units} by how many of {several(judges, 'judges')} are wrong, "
        f"observed and if errors were independent. {sentence}."
    )


def _row_text(row: Run, judges: int, units: str) -> str:
    observed, expected = ("undefined" if math.isnan(share) else percent(share) for share in (row.share, row.by_chance))
    return f"{name_of(row, judges)} wrong {observed} ({several(row.n, units)}), if independent {expected}"


def _hover(drawing: Drawing, row: Run) -> str:
    lines = [f"<b>{escape(name_of(row, drawing.judges))} wrong</b>"]
    lines.append(f"observed {escape(percent(row.share))}, {escape(several(row.n, drawing.units))}")
    return "<br>".join([*lines, f"if errors were independent {escape(percent(row.by_chance))}"])


def _axis(drawing: Drawing) -> dict[str, Any]:
    low, high = drawing.ends
    ticks = inner_ticks(0.0, high, min(MOST_TICKS, drawing.plot / drawing.px(TICK_WIDE)))
    return drawing.axis(low, high, ticks, ["0" if at == 0 else percent(at) for at in ticks])


def _observed(drawing: Drawing) -> Trace:
    size, colour = 7 if drawing.dense else 11, drawing.colours.judge
    look = {"symbol": "square", "size": drawing.px(size), "color": colour, "opacity": 1}
    return _marks(drawing, [row.share for row in drawing.rows], look)


def _expected(drawing: Drawing) -> Trace:
    """Return an upright stroke, which still shows where it lies under a square."""
    size, line = 12 if drawing.dense else 20, {"width": drawing.px(2.5), "color": drawing.colours.reference}
    look = {"symbol": "line-ns-open", "size": drawing.px(size), "color": drawing.colours.reference, "opacity": 1, "line": line}
    return _marks(drawing, [row.by_chance for row in drawing.rows], look)


def _marks(drawing: Drawing, shares: Sequence[float], look: dict[str, Any]) -> Trace:
    places = [(i, share) for i, share in enumerate(shares) if math.isfinite(share)]
    return scatter(
        x=[value for _, value in places],
        y=[drawing.middle(i) for i, _ in places],
        mode="markers",
        marker=look,
        customdata=[[i] for i, _ in places],
        hovertext=[_hover(drawing, drawing.rows[i]) for i, _ in places],
        cliponaxis=False,
        **marks.undimmed(),
    )


def _between(drawing: Drawing) -> Trace:
    """Return how far the two are from each other."""
    both = [i for i, row in enumerate(drawing.rows) if math.isfinite(row.share) and math.isfinite(row.by_chance)]
    x = [end for i in both for end in (drawing.rows[i].share, drawing.rows[i].by_chance, math.nan)]
    y = [end for i in both for end in (drawing.middle(i), drawing.middle(i), math.nan)]
    line = {"color": drawing.colours.neutral, "width": drawing.px(2)}
    return scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", connectgaps=False)


def _head(drawing: Drawing) -> dict[str, Any]:
    y, place = drawing.head - drawing.px(drawing.HEAD / 2), {"xref": "paper", "xanchor": "right", "xshift": -12}
    return annotation("wrong", 0, y, size=drawing.px(style.TICK), colour=drawing.colours.muted, **place)


def _shares(row: Run) -> tuple[float, float]:
    return row.share, row.by_chance


def _share(share: float) -> str:
    return UNDEFINED if math.isnan(share) else percent(share)


def _zero(drawing: Drawing) -> list[dict[str, Any]]:
    line = {"color": drawing.colours.axis, "width": 1}
    return [marks.upright(0, (drawing.head - drawing.px(4), drawing.foot), line)]

"""Judges in order: value and interval with brackets over what cannot be told apart, and ranks from metric to metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from metrics import words
from metrics.choosing.candidates import RANKED, SYMBOLS, Candidate
from metrics.choosing.ranking import Ranking
from metrics.choosing.said import answers_words
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import axis_ticks
from metrics.figures.marks import Point, annotation
from metrics.figures.theme import Theme, Tokens, escape, fit, text_width

MOST = 15
"""Judges drawn; the table below holds all."""
ROW, HEAD, FOOT, NAME, GAP, STEP, LINE = 38, 30, 34, 120, 8, 9, 18
SYMBOLS_OF_JUDGES = ("square", "diamond", "triangle-up", "circle", "cross", "triangle-down")
NOTHING = "No judge has a value under this metric"


@dataclass(frozen=True, eq=False)
class Drawing:
    ranking: Ranking
    colours: Tokens
    scale: float
    narrowest: float

    def px(self, size: float) -> float:
        return size * self.scale

    @property
    def shown(self) -> tuple[Candidate, ...]:
        by = self.ranking.by
        return tuple(one for one in self.ranking.order if not math.isnan(one.values[by]))[:MOST]

    @property
    def names(self) -> list[str]:
        return [fit(one.name, self.px(NAME), self.px(style.TEXT)) for one in self.shown]

    @property
    def left(self) -> float:
        widest = max((text_width(name, self.px(style.TEXT), bold=True) for name in self.names), default=0.0)
        return min(widest, self.px(NAME)) + self.px(GAP)

    @property
    def brackets(self) -> list[tuple[int, int]]:
        """First and last row of each bracket."""
        place = {one.name: i for i, one in enumerate(self.shown)}
        found = []
        for bracket in self.ranking.brackets:
            rows = [place[name] for name in bracket if name in place]
            if len(rows) > 1:
                found.append((min(rows), max(rows)))
        return found

    @property
    def costs(self) -> list[str]:
        return [answers_words(one.answers) for one in self.shown]

    @property
    def right(self) -> float:
        head = text_width("answers", self.px(style.TICK))
        widest = max([head, *(text_width(text, self.px(style.TEXT), bold=True) for text in self.costs)])
        return self.px(STEP) * len(self.brackets) + self.px(2 * GAP) + widest

    def ends(self, one: Candidate) -> tuple[float, float] | None:
        return one.ends.get(self.ranking.by)


def ranked_dots(ranking: Ranking, *, theme: Theme, scale: float = 1.0, width: float = 340) -> go.Figure:
    """One row per judge, best first; brackets at the right join judges that cannot be told apart, then answers needed.

    Parameters
    ----------
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    drawing = Drawing(ranking, style.tokens(theme), scale, width)
    figure = go.Figure(layout=_layout(drawing))
    if not drawing.shown:
        figure.layout.annotations = [marks.sentence(NOTHING, drawing.colours, scale)]
        return figure
    figure.add_trace(marks.dots(_points(drawing), colour=drawing.colours.judge, symbol="square", scale=scale))
    figure.layout.annotations = [*_row_names(drawing), *_values(drawing), *_costs(drawing), _axis_name(drawing)]
    figure.layout.shapes = [shape for place, rows in enumerate(drawing.brackets) for shape in _bracket(drawing, place, rows)]
    return figure


def alt(ranking: Ranking) -> str:
    """The figure in a sentence, for people who do not see it."""
    by = ranking.by
    rows = [
        f"{words.plain(one.name)} {words.number(one.values[by])} {words.interval(one.ends.get(by))}, "
        f"{answers_words(one.answers)} answers per model"
        for one in ranking.order[:MOST]
        if not math.isnan(one.values[by])
    ]
    joined = [" and ".join(words.plain(name) for name in bracket) for bracket in ranking.brackets]
    apart = f" Cannot be told apart: {'; '.join(joined)}." if joined else ""
    return f"Judges by {SYMBOLS[by]}: {'; '.join(rows) or 'none has a value'}.{apart}"


def _span(drawing: Drawing) -> tuple[float, float]:
    by = drawing.ranking.by
    shown = [value for one in drawing.shown for value in (one.values[by], *(drawing.ends(one) or ()))]
    low, high = min(shown, default=0.0), max(shown, default=1.0)
    pad = 0.06 * (high - low or 1.0)
    return low - pad, high + pad


def _layout(drawing: Drawing) -> dict[str, Any]:
    rows = max(len(drawing.shown), 1)
    low, high = _span(drawing)
    ticks = [tick for tick in axis_ticks([low, high], "", close=True) if low <= tick <= high]
    across = style.value_axis(drawing.colours, low, high, ticks, drawing.scale)
    head, foot = style.TOP + drawing.px(HEAD), drawing.px(FOOT + 10)
    margin = style.margin(math.ceil(drawing.left), math.ceil(drawing.right), foot, head)
    return style.layout(
        drawing.colours,
        height=style.TOP + drawing.px(HEAD + ROW * rows + FOOT + 10),
        scale=drawing.scale,
        margin=margin,
        xaxis=across,
        yaxis=style.hidden_axis(-rows + 0.5, 0.5),
    )


def _points(drawing: Drawing) -> list[Point]:
    by, found = drawing.ranking.by, []
    for row, one in enumerate(drawing.shown):
        low, high = drawing.ends(one) or (None, None)
        hover = (
            f"<b>{escape(one.name)}</b><br>{SYMBOLS[by]} {words.number(one.values[by])} {words.interval((low, high))}<br>"
            f"{one.n_positive} positive, {one.n_negative} negative golden decisions"
        )
        found.append(Point(one.values[by], -row, low, high, hover, [row]))
    return found


def _row_names(drawing: Drawing) -> list[dict[str, Any]]:
    return [
        annotation(
            escape(name), 0, -row, size=drawing.px(style.TEXT), colour=drawing.colours.text, xref="paper", xanchor="right",
            xshift=-drawing.px(GAP),
        )
        for row, name in enumerate(drawing.names)
    ]  # fmt: skip


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    by = drawing.ranking.by
    return [
        annotation(
            f"<b>{words.number(one.values[by])}</b>", one.values[by], -row, size=drawing.px(style.TICK),
            colour=drawing.colours.judge, yshift=drawing.px(14),
        )
        for row, one in enumerate(drawing.shown)
    ]  # fmt: skip


def _costs(drawing: Drawing) -> list[dict[str, Any]]:
    look: dict[str, Any] = {"xref": "paper", "xanchor": "right", "xshift": drawing.right - 2}
    head = annotation(
        "answers", 1, 1, yref="paper", size=drawing.px(style.TICK), colour=drawing.colours.muted, yshift=drawing.px(14), **look
    )  # fmt: skip
    rows = [
        annotation(f"<b>{text}</b>", 1, -row, size=drawing.px(style.TEXT), colour=drawing.colours.text, **look)
        for row, text in enumerate(drawing.costs)
    ]
    return [head, *rows]


def _axis_name(drawing: Drawing) -> dict[str, Any]:
    by = drawing.ranking.by
    text = f"{SYMBOLS[by]} at {words.percent(drawing.ranking.benchmark.prevalence)}" if by == "snr" else SYMBOLS[by]
    return annotation(
        text, 0.5, 0, size=drawing.px(style.TICK), colour=drawing.colours.muted, xref="paper", yref="paper",
        yshift=-drawing.px(FOOT),
    )  # fmt: skip


def _bracket(drawing: Drawing, place: int, rows: tuple[int, int]) -> list[dict[str, Any]]:
    at = drawing.px(GAP + STEP * place)
    line = {"color": drawing.colours.text, "width": 2 * drawing.scale}
    base = {"type": "line", "xref": "paper", "xsizemode": "pixel", "xanchor": 1, "line": line}
    top, bottom = -rows[0] + 0.28, -rows[1] - 0.28
    foot = drawing.px(4)
    return [
        base | {"x0": at, "x1": at, "y0": top, "y1": bottom},
        base | {"x0": at - foot, "x1": at, "y0": top, "y1": top},
        base | {"x0": at - foot, "x1": at, "y0": bottom, "y1": bottom},
    ]


def rank_slopes(ranking: Ranking, *, theme: Theme, scale: float = 1.0, width: float = 340) -> go.Figure:
    """Rank of each judge from metric to metric; judges whose rank changes stand out."""
    drawing = Drawing(ranking, style.tokens(theme), scale, width)
    figure = go.Figure(layout=_slopes_layout(drawing))
    if not drawing.shown:
        figure.layout.annotations = [marks.sentence(NOTHING, drawing.colours, scale)]
        return figure
    moving = [one.name for one in drawing.shown if changes(ranking, one.name)]
    for one in sorted(drawing.shown, key=lambda one: one.name in moving):
        figure.add_trace(_slope(drawing, one, moving))
    figure.layout.annotations = [*_metric_names(drawing), *_slope_names(drawing, moving)]
    return figure


def changes(ranking: Ranking, name: str) -> bool:
    """Whether a judge's rank differs between metrics."""
    return len(set(_ranks_of(ranking, name))) > 1


def slopes_alt(ranking: Ranking) -> str:
    """The ranks in words."""
    rows = []
    for one in ranking.order[:MOST]:
        ranks = ", ".join(
            f"{SYMBOLS[key]} {rank or words.UNDEFINED}" for key, rank in zip(RANKED, _ranks_of(ranking, one.name), strict=True)
        )
        rows.append(f"{words.plain(one.name)}: {ranks}")
    return f"Ranks by metric. {'; '.join(rows)}."


def _ranks_of(ranking: Ranking, name: str) -> list[int | None]:
    place = next(i for i, one in enumerate(ranking.order) if one.name == name)
    return [ranking.ranks[key][place] for key in RANKED]


def _slopes_layout(drawing: Drawing) -> dict[str, Any]:
    lowest = max((rank or 0 for one in drawing.shown for rank in _ranks_of(drawing.ranking, one.name)), default=1)
    rows = max(lowest, 1)
    right = max((text_width(name, drawing.px(style.TEXT), bold=True) for name in drawing.names), default=0.0) + drawing.px(
        2 * GAP
    )
    margin = style.margin(drawing.px(26), math.ceil(right), drawing.px(8), style.TOP + drawing.px(68))
    upright = style.value_axis(drawing.colours, -rows - 0.5, -0.5, [-rank for rank in range(1, rows + 1)], drawing.scale)
    return style.layout(
        drawing.colours,
        height=style.TOP + drawing.px(76 + 30 * rows),
        scale=drawing.scale,
        margin=margin,
        xaxis=style.hidden_axis(-0.3, len(RANKED) - 0.7),
        yaxis=upright | {"ticktext": [str(rank) for rank in range(1, rows + 1)], "showline": False, "ticklen": 0},
    )


def _colour(drawing: Drawing, name: str, moving: Sequence[str]) -> str:
    if name not in moving:
        return drawing.colours.neutral
    return drawing.colours.series[moving.index(name) % len(drawing.colours.series)]


def _slope(drawing: Drawing, one: Candidate, moving: Sequence[str]) -> go.Scatter:
    ranks, colour = _ranks_of(drawing.ranking, one.name), _colour(drawing, one.name, moving)
    place = [shown.name for shown in drawing.shown].index(one.name)
    return go.Scatter(
        x=list(range(len(RANKED))), y=[None if rank is None else -rank for rank in ranks], mode="lines+markers",
        line={"color": colour, "width": (2.5 if one.name in moving else 1.5) * drawing.scale},
        marker={"symbol": SYMBOLS_OF_JUDGES[place % len(SYMBOLS_OF_JUDGES)], "size": 10 * drawing.scale, "opacity": 1},
        hovertext=[
            f"<b>{escape(one.name)}</b><br>{SYMBOLS[key]} {words.number(one.values[key])}, rank {rank or words.UNDEFINED}"
            for key, rank in zip(RANKED, ranks, strict=True)
        ],
        hovertemplate=marks.HOVER, cliponaxis=False,
    )  # fmt: skip


def _metric_names(drawing: Drawing) -> list[dict[str, Any]]:
    """Upright, because eight of them stand side by side on a phone."""
    return [
        annotation(
            f"<b>{SYMBOLS[key]}</b>" if key == drawing.ranking.by else SYMBOLS[key], place, 1, size=drawing.px(style.TICK),
            colour=drawing.colours.text, yref="paper", yanchor="bottom", textangle=-90, yshift=drawing.px(4),
        )
        for place, key in enumerate(RANKED)
    ]  # fmt: skip


def _slope_names(drawing: Drawing, moving: Sequence[str]) -> list[dict[str, Any]]:
    """At the right end of each line; of judges with one rank there, the first."""
    found, taken = [], set()
    for one, name in zip(drawing.shown, drawing.names, strict=True):
        last = _ranks_of(drawing.ranking, one.name)[-1]
        if last is None or last in taken:
            continue
        taken.add(last)
        colour = _colour(drawing, one.name, moving)
        strong = one.name in moving and style.contrast(colour, drawing.colours.page) >= 4.5
        found.append(
            annotation(
                f"<b>{escape(name)}</b>" if one.name in moving else escape(name), len(RANKED) - 1, -last,
                size=drawing.px(style.TEXT), colour=colour if strong else drawing.colours.text, xanchor="left",
                xshift=drawing.px(GAP + 4),
            )
        )  # fmt: skip
    return found

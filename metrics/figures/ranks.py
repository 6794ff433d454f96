"""Judges in order: value and interval with brackets over what cannot be told apart, and ranks from metric to metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.judge_selection.candidates import SNR, SYMBOLS, Candidate, unit_of
from metrics.analyses.judge_selection.ranking import Ranking
from metrics.analyses.prevalence.readings import answers_words
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import axis_ticks, tick_words
from metrics.figures.marks import Point, annotation
from metrics.figures.rows import RowSheet, edge_text, name_width, row_names, rows_layout
from metrics.figures.theme import Theme, escape, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.results import words
from metrics.results.words import shorten_all

MOST = 15
"""Judges drawn; the table below holds all."""
ROW, FOOT, NAME, GAP = 40, 44, 134, 8
WIDE_STEP, CLOSE_STEP, MOST_WIDE = 9, 6, 4
"""Px from bracket to bracket, and with more than so many side by side."""
MOST_NAMED = 3
"""Judges of a bracket that are named one by one; a longer run by its first and last."""
MOST_PERCENTS, MOST_SIZES = 5, 6
"""Ticks in percent that fit on a phone; classes named under the pointer."""
RANK, RANK_HEAD, RANK_LEFT = 38, 70, 26
SYMBOLS_OF_JUDGES = ("square", "diamond", "triangle-up", "circle", "cross", "triangle-down")
NOTHING = "No judge has a value under this metric"


@dataclass(frozen=True)
class Bracket:
    """Rows that cannot be told apart.

    Attributes
    ----------
    lane : int
        Place across, so that brackets that share a row stand side by side.
    goes_on : bool
        Whether judges that are not drawn belong to it.
    """

    first: int
    last: int
    lane: int
    goes_on: bool


def drawn_brackets(ranking: Ranking) -> tuple[Bracket, ...]:
    """Return brackets over the judges that are drawn; none that says no more than another."""
    place = {candidate.name: i for i, candidate in enumerate(ranking.usable[:MOST])}
    ends: list[int] = []
    brackets: list[Bracket] = []
    for names in ranking.brackets:
        rows = [place[name] for name in names if name in place]
        if len(rows) < 2 or (brackets and brackets[-1].last >= rows[-1]):
            continue
        lane = next((i for i, end in enumerate(ends) if end < rows[0]), len(ends))
        ends[lane : lane + 1] = [rows[-1]]
        brackets.append(Bracket(rows[0], rows[-1], lane, goes_on=len(rows) < len(names)))
    return tuple(brackets)


@dataclass(frozen=True)
class Ranked(RowSheet):
    """One row per judge, best first."""

    rows: Sequence[Candidate]
    ranking: Ranking

    @property
    def step(self) -> float:
        return self.px(ROW)

    @property
    def left(self) -> float:
        return name_width(
            shorten_all([candidate.name for candidate in self.rows]), self.px(style.TEXT), self.scale, self.px(NAME)
        )

    @cached_property
    def brackets(self) -> tuple[Bracket, ...]:
        return drawn_brackets(self.ranking)

    @property
    def lane(self) -> float:
        """Px from bracket to bracket."""
        return self.px(WIDE_STEP if self.lanes <= MOST_WIDE else CLOSE_STEP)

    @property
    def lanes(self) -> int:
        return 1 + max((bracket.lane for bracket in self.brackets), default=-1)

    @property
    def costs(self) -> list[str]:
        """Answers needed; none with more than two classes."""
        return [answers_words(candidate.answers.value) for candidate in self.rows] if self.ranking.benchmark else []

    @property
    def right(self) -> float:
        widths = [
            text_width("answers", self.px(style.TICK)),
            *(text_width(text, self.px(style.TEXT), bold=True) for text in self.costs),
        ]
        return self.lane * self.lanes + self.px(2 * GAP) + (max(widths) if self.costs else 0.0)

    @property
    def unit(self) -> str:
        return unit_of(self.ranking.by)

    def value(self, candidate: Candidate) -> float:
        return candidate.values[self.ranking.by]

    def ends(self, candidate: Candidate) -> tuple[float, float] | None:
        return candidate[self.ranking.by].ends


def ranked_dots(ranking: Ranking, *, theme: Theme, scale: float = 1.0) -> Figure:
    """Return one row per judge, best first.

    Brackets at the right join judges that cannot be told apart, then answers needed.
    """
    colours, shown = style.tokens(theme), ranking.usable[:MOST]
    if not shown:
        return marks.empty(NOTHING, colours, scale)
    sheet = Ranked(colours, scale, shown, None, ranking)
    dots = marks.dots(_points(sheet), colour=colours.judge, symbol="square", scale=scale)
    return drawn(
        rows_layout(sheet, _axis(sheet), sheet.px(FOOT)),
        [dots],
        annotations=[*row_names(sheet), *_values(sheet), *_costs(sheet), marks.below(sheet, _axis_name(ranking), FOOT)],
        shapes=[shape for bracket in sheet.brackets for shape in _bracket(sheet, bracket)],
    )


def alt(ranking: Ranking) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    rows = [_candidate_text(ranking, candidate) for candidate in ranking.usable[:MOST]]
    joined = [_joined(ranking, bracket) for bracket in drawn_brackets(ranking)]
    apart = f" Tied: {'; '.join(joined)}." if joined else ""
    return f"Judges by {SYMBOLS[ranking.by]}: {'; '.join(rows) or 'none has a value'}.{apart}"


def _candidate_text(ranking: Ranking, candidate: Candidate) -> str:
    unit, ends = unit_of(ranking.by), candidate[ranking.by].ends
    reach = words.bounds(ends, unit, without="no interval")
    text = f"{words.plain(candidate.name)} {words.value(candidate.values[ranking.by], unit)} {reach}"
    return f"{text}, {answers_words(candidate.answers.value)} answers per model" if ranking.benchmark else text


def _joined(ranking: Ranking, bracket: Bracket) -> str:
    """Return the judges of a bracket in words."""
    names = [words.plain(candidate.name) for candidate in ranking.usable[bracket.first : bracket.last + 1]]
    run = " and ".join(names) if len(names) <= MOST_NAMED else f"{names[0]} to {names[-1]}, {words.count(len(names))} in order"
    return f"{run}, and more below" if bracket.goes_on else run


def _axis(sheet: Ranked) -> dict[str, Any]:
    shown = [end for candidate in sheet.rows for end in (sheet.value(candidate), *(sheet.ends(candidate) or ()))]
    pad = 0.06 * (max(shown) - min(shown) or 1.0)
    low, high = min(shown) - pad, max(shown) + pad
    ticks = [tick for tick in axis_ticks([low, high], sheet.unit, close=True) if low <= tick <= high]
    ticks = ticks[:: 2 if sheet.unit == "%" and len(ticks) > MOST_PERCENTS else 1]
    axis = style.value_axis(sheet.colours, low, high, ticks, sheet.scale)
    return axis | {"ticktext": [tick_words(tick, sheet.unit) for tick in ticks]}


def _axis_name(ranking: Ranking) -> str:
    mark = ranking.benchmark
    return f"SNR at {words.percent(mark.prevalence)}" if mark and ranking.by == SNR else SYMBOLS[ranking.by]


def _points(sheet: Ranked) -> list[Point]:
    points = []
    for row, candidate in enumerate(sheet.rows):
        low, high = sheet.ends(candidate) or (None, None)
        sizes = [f"{words.count(n)} {escape(label)}" for n, label in zip(candidate.sizes, sheet.ranking.labels, strict=True)]
        hover = (
            f"<b>{escape(candidate.name)}</b><br>{escape(_candidate_text(sheet.ranking, candidate))}<br>golden: "
            f"{', '.join(sizes[:MOST_SIZES])}"
        )
        points.append(Point(sheet.value(candidate), sheet.middle(row), low, high, hover, [row]))
    return points


def _values(sheet: Ranked) -> list[dict[str, Any]]:
    return [
        annotation(
            f"<b>{words.value(sheet.value(candidate), sheet.unit)}</b>",
            sheet.value(candidate), sheet.middle(row), size=sheet.px(style.TICK),
            colour=sheet.colours.judge, yshift=sheet.px(14),
        )
        for row, candidate in enumerate(sheet.rows)
    ]  # fmt: skip


def _costs(sheet: Ranked) -> list[dict[str, Any]]:
    if not sheet.costs:
        return []
    look: dict[str, Any] = {"shift": sheet.right - 2, "size": sheet.px(style.TEXT), "colour": sheet.colours.text}
    head = look | {"size": sheet.px(style.TICK), "colour": sheet.colours.muted}
    return [
        edge_text("answers", sheet.head - sheet.px(8), **head),
        *(edge_text(text, sheet.middle(row), **look) for row, text in enumerate(sheet.costs)),
    ]


def _bracket(sheet: Ranked, bracket: Bracket) -> list[dict[str, Any]]:
    """Open at the foot where it goes on."""
    at, foot = sheet.px(GAP) + sheet.lane * bracket.lane, sheet.px(4)
    base = {
        "type": "line", "xref": "paper", "xsizemode": "pixel", "xanchor": 1,
        "line": {"color": sheet.colours.text, "width": 2 * sheet.scale},
    }  # fmt: skip
    top = sheet.middle(bracket.first) - sheet.px(11)
    bottom = sheet.middle(bracket.last) + sheet.px(ROW / 2 if bracket.goes_on else 11)
    ends = [top] if bracket.goes_on else [top, bottom]
    return [
        base | {"x0": at, "x1": at, "y0": top, "y1": bottom},
        *(base | {"x0": at - foot, "x1": at, "y0": end, "y1": end} for end in ends),
    ]


@dataclass(frozen=True)
class Slopes(RowSheet):
    """One row per rank, one place across per metric."""

    ranking: Ranking
    candidates: tuple[Candidate, ...]

    @property
    def step(self) -> float:
        return self.px(RANK)

    @property
    def head(self) -> float:
        return style.TOP + self.px(RANK_HEAD)

    @property
    def left(self) -> float:
        return self.px(RANK_LEFT)

    @property
    def right(self) -> float:
        lines = [line for lines in self.names.values() for line in lines]
        return max(text_width(line, self.px(style.TEXT), bold=True) for line in lines) + self.px(2 * GAP + 4)

    @property
    def names(self) -> dict[str, list[str]]:
        """Name of the first of those at each last rank there is, with how many share it, in at most two lines."""
        last: dict[int, list[str]] = {}
        for candidate, short in zip(self.candidates, shorten_all([candidate.name for candidate in self.candidates]), strict=True):
            last.setdefault(self.last(candidate.name), []).extend([candidate.name, short])
        return {
            names[0]: wrap(
                names[1] + (f" +{len(names) // 2 - 1}" if len(names) > 2 else ""), self.px(NAME), self.px(style.TEXT), bold=True
            )
            for names in last.values()
        }

    def last(self, name: str) -> int:
        return next(rank for rank in reversed(self.ranking.ranks_of(name)) if rank is not None)

    @property
    def moving(self) -> list[str]:
        return [candidate.name for candidate in self.candidates if changes(self.ranking, candidate.name)]

    def colour(self, name: str) -> str:
        moving = self.moving
        return self.colours.series[moving.index(name) % len(self.colours.series)] if name in moving else self.colours.neutral


def rank_slopes(ranking: Ranking, *, theme: Theme, scale: float = 1.0) -> Figure:
    """Return rank of each judge from metric to metric; judges whose rank changes stand out."""
    colours, shown = style.tokens(theme), ranking.usable[:MOST]
    if not shown:
        return marks.empty(NOTHING, colours, scale)
    lowest = max(rank or 1 for candidate in shown for rank in ranking.ranks_of(candidate.name))
    sheet = Slopes(colours, scale, range(lowest), None, ranking, shown)
    layout = rows_layout(sheet, style.hidden_axis(-0.3, len(ranking.keys) - 0.7), sheet.px(8))
    moving = sheet.moving
    slopes = [_slope(sheet, candidate, moving) for candidate in sorted(shown, key=lambda candidate: candidate.name in moving)]
    texts = [*_ranks(sheet), *_metric_names(sheet), *_slope_names(sheet, moving)]
    return drawn(layout | {"xaxis": layout["xaxis"] | {"visible": False}}, slopes, annotations=texts)


def changes(ranking: Ranking, name: str) -> bool:
    """Return whether a judge's rank differs between metrics."""
    return len(set(ranking.ranks_of(name))) > 1


def slopes_alt(ranking: Ranking) -> str:
    """Return the ranks in words."""
    rows = []
    for candidate in ranking.order[:MOST]:
        pairs = zip(ranking.keys, ranking.ranks_of(candidate.name), strict=True)
        rows.append(
            f"{words.plain(candidate.name)}: {', '.join(f'{SYMBOLS[key]} {rank or words.UNDEFINED}' for key, rank in pairs)}"
        )
    return f"Ranks by metric. {'; '.join(rows)}."


def _slope(sheet: Slopes, candidate: Candidate, moving: Sequence[str]) -> Trace:
    ranking = sheet.ranking
    ranks, colour = ranking.ranks_of(candidate.name), sheet.colour(candidate.name)
    place = [shown.name for shown in sheet.candidates].index(candidate.name)
    return scatter(
        x=list(range(len(ranks))), y=[None if rank is None else sheet.middle(rank - 1) for rank in ranks], mode="lines+markers",
        line={"color": colour, "width": (2.5 if candidate.name in moving else 1.5) * sheet.scale},
        marker={"symbol": SYMBOLS_OF_JUDGES[place % len(SYMBOLS_OF_JUDGES)], "size": 10 * sheet.scale, "opacity": 1},
        hovertext=[
            f"<b>{escape(candidate.name)}</b><br>{SYMBOLS[key]} {words.value(candidate.values[key], unit_of(key))}, "
            f"rank {rank or words.UNDEFINED}"
            for key, rank in zip(ranking.keys, ranks, strict=True)
        ],
        hovertemplate=marks.HOVER, cliponaxis=False,
    )  # fmt: skip


def _ranks(sheet: Slopes) -> list[dict[str, Any]]:
    look: dict[str, Any] = {"xref": "paper", "xanchor": "right", "size": sheet.px(style.TICK), "colour": sheet.colours.muted}
    return [annotation(str(row + 1), 0, sheet.middle(row), **look) for row in sheet.rows]


def _metric_names(sheet: Slopes) -> list[dict[str, Any]]:
    """Return upright, because eight of them stand side by side on a phone."""
    by = sheet.ranking.by
    return [
        annotation(
            f"<b>{SYMBOLS[key]}</b>" if key == by else SYMBOLS[key], place, sheet.head - sheet.px(4), size=sheet.px(style.TICK),
            colour=sheet.colours.text, yanchor="bottom", textangle=-90,
        )
        for place, key in enumerate(sheet.ranking.keys)
    ]  # fmt: skip


def _slope_names(sheet: Slopes, moving: Sequence[str]) -> list[dict[str, Any]]:
    """At the right end of each line."""
    texts = []
    for name, lines in sheet.names.items():
        rank, text, colour = sheet.last(name), marks.stacked(lines), sheet.colour(name)
        strong = name in moving and style.contrast(colour, sheet.colours.page) >= 4.5
        texts.append(
            annotation(
                f"<b>{text}</b>" if name in moving else text, len(sheet.ranking.keys) - 1, sheet.middle(rank - 1),
                size=sheet.px(style.TEXT), colour=colour if strong else sheet.colours.text, xanchor="left",
                hovertext=escape(name), xshift=sheet.px(GAP + 4),
            )
        )  # fmt: skip
    return texts

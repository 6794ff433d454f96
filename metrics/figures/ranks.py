"""Judges in order: value and interval, with brackets over those without a significant difference; and their ranks by metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from metrics.analyses.judge_selection.candidates import SNR, SYMBOLS, Candidate, unit_of
from metrics.analyses.judge_selection.ranking import Ranking
from metrics.analyses.prevalence.readings import answers_words
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import axis_ticks, tick_words
from metrics.figures.marks import Point, annotation
from metrics.figures.rows import EdgeColumn, RowSheet, edge_columns, name_width, row_names, rows_layout
from metrics.figures.theme import Theme, blend, escape, readable, text_width
from metrics.figures.traces import Figure, Trace, drawn, heatmap
from metrics.results import words
from metrics.results.words import shorten_all

MOST = 15
"""Judges drawn; the table below holds all."""
FOOT, NAME, GAP = 44, 120, 8
WIDE_STEP, CLOSE_STEP, MOST_WIDE = 9, 6, 4
"""Px from bracket to bracket, and with more than so many side by side."""
MOST_PERCENTS, MOST_SIZES = 5, 6
"""Ticks in percent that fit on a phone; classes named under the pointer."""
NOTHING = "No judge has a value under this metric"
LINE, EDGE = 18, 4
STRONG, WEAK = 0.85, 0.06
"""How much of the colour the first and the last rank have."""


@dataclass(frozen=True)
class Bracket:
    """Rows without a significant difference.

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
class Judges(RowSheet):
    """One row per judge, best first."""

    rows: Sequence[Candidate]
    ranking: Ranking

    @cached_property
    def left(self) -> float:
        names = shorten_all([candidate.name for candidate in self.rows])
        return name_width(names, self.px(style.TEXT), self.scale, self.px(NAME))


@dataclass(frozen=True)
class Ranked(Judges):
    """Each with its value, and brackets at the right."""

    ROW: ClassVar = 40

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
    def lead(self) -> float:
        return self.lane * self.lanes + self.px(GAP)

    @cached_property
    def columns(self) -> list[EdgeColumn]:
        """Answers needed; none with more than two classes."""
        costs = [answers_words(candidate.answers.value) for candidate in self.rows]
        colours = [self.colours.text] * len(costs)
        return [EdgeColumn("answers", costs, colours=colours)] if self.ranking.benchmark else []

    @property
    def unit(self) -> str:
        return unit_of(self.ranking.by)

    def value(self, candidate: Candidate) -> float:
        return candidate.values[self.ranking.by]


def ranked_dots(ranking: Ranking, *, theme: Theme, scale: float = 1.0) -> Figure:
    """Return one row per judge, best first.

    Brackets at the right join judges without a significant difference, then answers needed.
    """
    colours, shown = style.tokens(theme), ranking.usable[:MOST]
    if not shown:
        return marks.empty(NOTHING, colours, scale)
    sheet = Ranked(colours, scale, shown, None, ranking)
    dots = marks.dots(_points(sheet), colour=colours.judge, symbol="square", scale=scale)
    return drawn(
        rows_layout(sheet, _axis(sheet), FOOT),
        [dots],
        annotations=[*row_names(sheet), *_values(sheet), *edge_columns(sheet), marks.below(sheet, _axis_name(ranking), FOOT)],
        shapes=[shape for bracket in sheet.brackets for shape in _bracket(sheet, bracket)],
    )


def alt(ranking: Ranking) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    rows = [_candidate_text(ranking, candidate) for candidate in ranking.usable[:MOST]]
    joined = [_joined(ranking, bracket) for bracket in drawn_brackets(ranking)]
    apart = f" Tied: {'; '.join(joined)}." if joined else ""
    return f"Judges by {SYMBOLS[ranking.by]}: {'; '.join(rows) or 'none has a value'}.{apart}"


def _candidate_text(ranking: Ranking, candidate: Candidate) -> str:
    estimate = candidate[ranking.by]
    shown, reach = words.apart(estimate, unit_of(ranking.by), "no interval")
    text = f"{words.plain(candidate.name)} {shown} {reach}"
    return f"{text}, {answers_words(candidate.answers.value)} answers per model" if ranking.benchmark else text


def _joined(ranking: Ranking, bracket: Bracket) -> str:
    """Return the judges of a bracket in words."""
    names = [words.plain(candidate.name) for candidate in ranking.usable[bracket.first : bracket.last + 1]]
    few = len(names) <= words.MOST_NAMED
    run = " and ".join(names) if few else f"{names[0]} to {names[-1]}, {words.count(len(names))} in order"
    return f"{run}, and more below" if bracket.goes_on else run


def _axis(sheet: Ranked) -> dict[str, Any]:
    shown = marks.reached(candidate[sheet.ranking.by] for candidate in sheet.rows)
    pad = 0.06 * (max(shown) - min(shown) or 1.0)
    low, high = min(shown) - pad, max(shown) + pad
    ticks = [tick for tick in axis_ticks([low, high], sheet.unit, close=True) if low <= tick <= high]
    ticks = ticks[:: 2 if sheet.unit == "%" and len(ticks) > MOST_PERCENTS else 1]
    return sheet.axis(low, high, ticks, [tick_words(tick, sheet.unit) for tick in ticks])


def _axis_name(ranking: Ranking) -> str:
    mark = ranking.benchmark
    return f"SNR at {words.percent(mark.prevalence)}" if mark and ranking.by == SNR else SYMBOLS[ranking.by]


def _points(sheet: Ranked) -> list[Point]:
    points = []
    for row, candidate in enumerate(sheet.rows):
        sizes = [f"{words.count(n)} {escape(label)}" for n, label in zip(candidate.sizes, sheet.ranking.labels, strict=True)]
        hover = (
            f"<b>{escape(candidate.name)}</b><br>{escape(_candidate_text(sheet.ranking, candidate))}<br>golden: "
            f"{', '.join(sizes[:MOST_SIZES])}"
        )
        points.append(Point(candidate[sheet.ranking.by], sheet.middle(row), hover, [row]))
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


def _bracket(sheet: Ranked, bracket: Bracket) -> list[dict[str, Any]]:
    """Open at the foot where it goes on."""
    at, foot = sheet.px(GAP) + sheet.lane * bracket.lane, sheet.px(4)
    base = {
        "type": "line", "xref": "paper", "xsizemode": "pixel", "xanchor": 1,
        "line": {"color": sheet.colours.text, "width": 2 * sheet.scale},
    }  # fmt: skip
    top = sheet.middle(bracket.first) - sheet.px(11)
    bottom = sheet.middle(bracket.last) + sheet.px(sheet.ROW / 2 if bracket.goes_on else 11)
    ends = [top] if bracket.goes_on else [top, bottom]
    return [
        base | {"x0": at, "x1": at, "y0": top, "y1": bottom},
        *(base | {"x0": at - foot, "x1": at, "y0": end, "y1": end} for end in ends),
    ]


@dataclass(frozen=True)
class RankTable(Judges):
    """One column per metric."""

    ROW: ClassVar = 34
    width: float

    @property
    def head(self) -> float:
        return style.TOP + self.px(LINE * (2 if self.staggered else 1) + 4)

    @property
    def right(self) -> float:
        return self.px(EDGE)

    @cached_property
    def symbols(self) -> list[str]:
        return [SYMBOLS[key] for key in self.ranking.keys]

    @cached_property
    def staggered(self) -> bool:
        """Whether the names of the metrics stand in two lines by turns, for want of room in one."""
        cell = (self.width - self.left - self.right) / len(self.symbols)
        return any(text_width(symbol, self.px(style.SMALL), bold=True) > cell - 4 for symbol in self.symbols)

    @cached_property
    def ranks(self) -> list[tuple[int | None, ...]]:
        return [self.ranking.ranks_of(candidate.name) for candidate in self.rows]

    @cached_property
    def lowest(self) -> int:
        return max((rank for ranks in self.ranks for rank in ranks if rank is not None), default=1)

    def fill(self, rank: int) -> str:
        along = (rank - 1) / max(self.lowest - 1, 1)
        return blend(self.colours.page, self.colours.judge, STRONG + (WEAK - STRONG) * along)


def rank_table(ranking: Ranking, *, theme: Theme, scale: float = 1.0, width: float = 340) -> Figure:
    """Return the rank of each judge under each metric in a cell, the first judges from the top down.

    Parameters
    ----------
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    colours, shown = style.tokens(theme), ranking.usable[:MOST]
    if not shown:
        return marks.empty(NOTHING, colours, scale)
    sheet = RankTable(colours, scale, shown, None, ranking, width * scale)
    layout = rows_layout(sheet, style.hidden_axis(-0.5, len(ranking.keys) - 0.5), 4)
    texts = [*row_names(sheet), *_heads(sheet), *_numbers(sheet)]
    return drawn(layout, [_cells(sheet)], annotations=texts)


def table_alt(ranking: Ranking) -> str:
    """Return the ranks in words, for people who do not see them."""
    rows = []
    for candidate in ranking.usable[:MOST]:
        pairs = zip(ranking.keys, ranking.ranks_of(candidate.name), strict=True)
        rows.append(
            f"{words.plain(candidate.name)}: {', '.join(f'{SYMBOLS[key]} {rank or words.UNDEFINED}' for key, rank in pairs)}"
        )
    return f"Ranks by metric. {'; '.join(rows)}." if rows else f"{NOTHING}."


def _cells(sheet: RankTable) -> Trace:
    hovers = [
        [
            f"<b>{escape(candidate.name)}</b><br>{SYMBOLS[key]} {words.value(candidate.values[key], unit_of(key))}, "
            f"rank {rank or words.UNDEFINED}"
            for key, rank in zip(sheet.ranking.keys, ranks, strict=True)
        ]
        for candidate, ranks in zip(sheet.rows, sheet.ranks, strict=True)
    ]
    colours = [[0, sheet.fill(1)], [1, sheet.fill(max(sheet.lowest, 2))]]
    return heatmap(
        z=[list(ranks) for ranks in sheet.ranks], x0=0, dx=1, y0=sheet.middle(0), dy=sheet.step, xgap=2, ygap=2,
        colorscale=colours, zmin=1, zmax=max(sheet.lowest, 2), showscale=False, hovertext=hovers,
    )  # fmt: skip


def _heads(sheet: RankTable) -> list[dict[str, Any]]:
    size, colour = sheet.px(style.SMALL), sheet.colours.text
    texts = []
    for place, (key, symbol) in enumerate(zip(sheet.ranking.keys, sheet.symbols, strict=True)):
        y = sheet.head - sheet.px(LINE * (1.5 if sheet.staggered and place % 2 == 0 else 0.5) + 2)
        text = f"<b>{escape(symbol)}</b>" if key == sheet.ranking.by else escape(symbol)
        texts.append(annotation(text, place, y, size=size, colour=colour))
    return texts


def _numbers(sheet: RankTable) -> list[dict[str, Any]]:
    texts = []
    for row, ranks in enumerate(sheet.ranks):
        for place, rank in enumerate(ranks):
            text = words.UNDEFINED if rank is None else str(rank)
            colour = sheet.colours.muted if rank is None else readable(sheet.fill(rank), sheet.colours)
            texts.append(annotation(text, place, sheet.middle(row), size=sheet.px(style.TEXT), colour=colour))
    return texts

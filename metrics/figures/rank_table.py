"""Ranks of judges from metric to metric, as a table of cells whose colour fades with the rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.judge_selection.candidates import SYMBOLS, Candidate, unit_of
from metrics.analyses.judge_selection.ranking import Ranking
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import annotation
from metrics.figures.ranks import MOST, NOTHING
from metrics.figures.rows import RowSheet, name_width, row_names, rows_layout
from metrics.figures.theme import Theme, blend, escape, readable, text_width
from metrics.figures.traces import Figure, Trace, drawn, heatmap
from metrics.results import words
from metrics.results.words import shorten_all

ROW, LINE, NAME, EDGE = 34, 18, 120, 4
STRONG, WEAK = 0.85, 0.06
"""How much of the colour the first and the last rank have."""


@dataclass(frozen=True)
class RankTable(RowSheet):
    """One row per judge, one column per metric."""

    rows: Sequence[Candidate]
    ranking: Ranking
    width: float

    @property
    def step(self) -> float:
        return self.px(ROW)

    @property
    def head(self) -> float:
        return style.TOP + self.px(LINE * (2 if self.staggered else 1) + 4)

    @cached_property
    def left(self) -> float:
        names = shorten_all([candidate.name for candidate in self.rows])
        return name_width(names, self.px(style.TEXT), self.scale, self.px(NAME))

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
    layout = rows_layout(sheet, style.hidden_axis(-0.5, len(ranking.keys) - 0.5), sheet.px(4))
    texts = [*row_names(sheet), *_heads(sheet), *_numbers(sheet)]
    return drawn(layout | {"xaxis": layout["xaxis"] | {"visible": False}}, [_cells(sheet)], annotations=texts)


def alt(ranking: Ranking) -> str:
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

"""The gate on a narrow screen: name and verdict, value and n, the whisker, and the next step underneath."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.raters.gate import Bands
from metrics.figures import gate, marks
from metrics.figures import theme as style
from metrics.figures.gate import LINE, SMALL_LINE, GateRow
from metrics.figures.marks import annotation, stacked
from metrics.figures.rows import row_areas, rows_layout
from metrics.figures.theme import Theme, escape, fit, text_width, wrap
from metrics.figures.traces import Figure, drawn

STRIP, BETWEEN, SIDE, INDENT, MOST_LINES = 26, 18, 4, 4, 4
"""Px of the whisker's strip and between two cards; px free beside the axis and beside texts; lines of a next step."""


@dataclass(frozen=True)
class Cards(gate.Sheet):
    @property
    def left(self) -> float:
        return SIDE

    @property
    def right(self) -> float:
        return SIDE

    @cached_property
    def texts(self) -> list[tuple[str, list[str], list[str]]]:
        """Of every row: name, lines of value and n, lines of the next step."""
        return [self._texts(row, short) for row, short in zip(self.rows, self.shorts, strict=True)]

    def _texts(self, row: GateRow, short: str) -> tuple[str, list[str], list[str]]:
        bold, small = self.px(style.TEXT), self.px(style.SMALL)
        name = fit(
            short, self.plot - text_width(gate.verdict_text(row), bold, bold=True) - self.px(20) - 2 * INDENT, bold, bold=True
        )
        facts = wrap(f"{gate.value_words(row)} · {gate.counted(row)}", self.plot - 2 * INDENT, small)
        return name, facts, wrap(row.step, self.plot - 2 * INDENT, small, lines=MOST_LINES) if row.step else []

    @cached_property
    def step(self) -> float:
        return self.px(BETWEEN) + max(self.under_facts(i) + self.px(SMALL_LINE) * len(step) for i, (*_, step) in self.numbered)

    @property
    def numbered(self) -> list[tuple[int, tuple[str, list[str], list[str]]]]:
        return list(enumerate(self.texts))

    def under_facts(self, row: int) -> float:
        """Return px from the top of a card to its next step."""
        strip = STRIP if self.rows[row].estimate.defined else 0
        return self.px(LINE + len(self.texts[row][1]) * SMALL_LINE + strip)

    def top(self, row: int) -> float:
        return self.head + row * self.step + self.px(BETWEEN / 2)

    def strip(self, row: int) -> tuple[float, float]:
        """Return upper and lower edge of the whisker's bands."""
        foot = self.top(row) + self.under_facts(row) - self.px(2)
        return foot - self.px(STRIP - 4), foot

    def middle(self, row: int) -> float:
        return sum(self.strip(row)) / 2


def gate_cards(
    rows: Sequence[GateRow],
    *,
    theme: Theme,
    asked: Bands | None = None,
    symbol: str = "α",
    selected: int | None = None,
    scale: float = 1.0,
    width: float = 340,
) -> Figure:
    """Return `gate.gate_rows` for narrow screens, with the same arguments and clicks; `gate.alt` describes both."""
    cards = Cards(style.tokens(theme), scale, rows, selected, width * scale, asked or Bands(), symbol)
    if not rows:
        return marks.empty(gate.NOTHING, cards.colours, scale)
    spans = [cards.strip(i) for i, row in enumerate(rows) if row.estimate.defined]
    areas = row_areas(cards, cards.ends, [gate.hover(cards, row) for row in rows])
    texts = [*gate.heads(cards), *(text for i in range(len(rows)) for text in _card(cards, i))]
    shapes = [*gate.bands(cards, spans), *_threshold_lines(cards, spans)]
    layout = rows_layout(cards, gate.axis(cards))
    return drawn(layout, [areas, gate.dots(cards)], annotations=texts, shapes=shapes)


def _threshold_lines(cards: Cards, spans: Sequence[tuple[float, float]]) -> list[dict[str, Any]]:
    line = {"color": cards.colours.reference, "width": cards.px(2)}
    return [marks.upright(cards.bands.line, (top - 2, foot + 2), line, layer="above") for top, foot in spans]


def _card(cards: Cards, i: int) -> list[dict[str, Any]]:
    row, (name, facts, step) = cards.rows[i], cards.texts[i]
    bold, small, first = cards.px(style.TEXT), cards.px(style.SMALL), cards.top(i) + cards.px(LINE / 2)
    left = {"xref": "paper", "xanchor": "left", "xshift": INDENT}
    right = {"xref": "paper", "xanchor": "right", "xshift": -INDENT}
    verdict = f"<b>{escape(gate.verdict_text(row))}</b>"
    y = cards.top(i) + cards.px(LINE) + len(facts) * cards.px(SMALL_LINE) / 2
    texts = [
        annotation(f"<b>{escape(name)}</b>", 0, first, size=bold, colour=cards.colours.text, **left, hovertext=escape(row.name)),
        annotation(verdict, 1, first, size=bold, colour=gate.verdict_colour(row, cards), **right),
        annotation(stacked(facts), 0, y, size=small, colour=cards.colours.muted, **left),
    ]
    if step:
        top = cards.top(i) + cards.under_facts(i)
        y, look = top + len(step) * cards.px(SMALL_LINE) / 2, left | {"hovertext": escape(row.step)}
        texts.append(annotation(stacked(step), 0, y, size=small, colour=cards.colours.text, **look))
    return texts

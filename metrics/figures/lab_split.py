"""Observed agreement of one table or two, split into what the label rates alone would give and what the judge adds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from metrics.analyses.prevalence.readings import share
from metrics.content.lab.pictures import Picture
from metrics.content.lab.terms import FEWEST, MOST, of_split, says_other
from metrics.figures import theme as style
from metrics.figures.lab_parts import called, decimals, in_order
from metrics.figures.marks import Sheet, annotation
from metrics.figures.theme import Theme, blend, escape, fit, text_width, wrap
from metrics.figures.traces import Figure, Trace, bar, drawn, scatter
from metrics.results.words import HARD_SPACE, number, plain

NAME, ABOVE, BAR, BELOW, LINE, GAP, PAD, EDGE, TIP = 22, 20, 36, 24, 18, 12, 8, 5, 8
FILL = 0.42
"""How much of the neutral colour agreement by chance has."""


@dataclass(frozen=True, eq=False)
class Split:
    """One table's agreement."""

    picture: Picture

    @property
    def observed(self) -> float:
        return self.picture.values["accuracy"]

    @property
    def chance(self) -> float:
        return self.picture.values["expected_agreement"]

    @property
    def kappa(self) -> float:
        return self.picture.values["kappa"]

    @property
    def lacking(self) -> bool:
        """Whether the agreement stops short of chance."""
        return self.observed < self.chance

    @cached_property
    def digits(self) -> int | None:
        """Decimals with which the printed quotient gives the printed κ; None where even the most do not."""
        return of_split(self.observed, self.chance, self.kappa)

    @property
    def chance_text(self) -> str:
        """What chance alone would give, as in `quotient`."""
        digits = self.digits or MOST
        return f"chance {decimals(self.chance, digits)}" if not says_other(self.chance, digits) else "chance nearly all"

    @property
    def quotient(self) -> str:
        """Everything of κ = .076 / .176 = 0.43 but its value."""
        if math.isnan(self.kappa):
            return "κ = 0 / 0, undefined: "
        if self.digits is None:
            return "κ = "
        earned, left = (decimals(x, self.digits) for x in (self.observed - self.chance, 1 - self.chance))
        return f"κ = {earned} / {left} = "

    @property
    def result(self) -> str:
        return plain(self.picture.why("kappa")) if math.isnan(self.kappa) else number(self.kappa)


@dataclass(frozen=True)
class Drawing(Sheet):
    splits: tuple[Split, ...]
    width: float

    @property
    def span(self) -> float:
        return self.width - 2 * EDGE

    @cached_property
    def grey(self) -> str:
        """Of what chance alone gives."""
        return blend(self.colours.page, self.colours.neutral, FILL)

    def lines(self, split: Split) -> list[str]:
        """Return what stands below a bar."""
        return wrap(split.quotient + split.result, self.span, self.px(style.TICK))

    @cached_property
    def tops(self) -> list[float]:
        """Where each table begins, and last where all end."""
        head = NAME + ABOVE + BAR + BELOW
        tall = [self.px(head + GAP + LINE * (len(self.lines(split)) - 1)) for split in self.splits]
        return list(accumulate(tall, initial=0.0))

    def top(self, place: int) -> float:
        """Return upper edge of a bar."""
        return self.tops[place] + self.px(NAME + ABOVE)


def agreement_split(now: Picture, other: Picture | None, *, theme: Theme, scale: float = 1.0, width: float = 340) -> Figure:
    """Return one bar from 0 to 1, or two: chance, what is earned beyond it, and what remains of the room beyond chance.

    Agreement below chance stops short of it, and what it lacks is hatched.

    Parameters
    ----------
    other : Picture or None
        The step before, or the table beside this one.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    splits = tuple(Split(picture) for picture in in_order(now, other))
    drawing = Drawing(style.tokens(theme), scale, splits, width * scale)
    foot = drawing.tops[-1] - drawing.px(GAP)
    layout = drawing.list_layout(foot, style.hidden_axis(0, 1), left=EDGE, right=EDGE, barmode="overlay")
    texts = [note for place, split in enumerate(splits) for note in _texts(drawing, place, split, split.picture is now)]
    frames = [_frame(drawing, place, split) for place, split in enumerate(splits)]
    return drawn(layout, [_bars(drawing), _tips(drawing)], annotations=texts, shapes=frames)


def alt(now: Picture, other: Picture | None) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    clauses = []
    for split in map(Split, in_order(now, other)):
        name = f"{plain(split.picture.name)}: " if split.picture.name else ""
        if not split.picture.n:
            clauses.append(f"{name}{style.NOTHING.lower()}")
            continue
        picture = split.picture
        mix = f"{share(picture.values['prevalence'])} {plain(picture.labels[0])}, " if picture.two else ""
        clauses.append(f"{name}{mix}agreement {number(split.observed)}, {split.chance_text}, {split.quotient}{split.result}")
    return f"Agreement split into chance and what the judge adds. {'; '.join(clauses)}."


def _bars(drawing: Drawing) -> Trace:
    """Return chance, then what is earned beyond it or what is lacking."""
    colours = drawing.colours
    parts = [
        (place, *part)
        for place, split in enumerate(drawing.splits)
        if split.picture.n
        for part in (
            (0.0, split.chance, "", drawing.grey),
            (split.chance, split.observed, "\\" if split.lacking else "", drawing.grey if split.lacking else colours.kappa),
        )
    ]
    middles = [drawing.top(place) + drawing.px(BAR / 2) for place, *_ in parts]
    return bar(
        orientation="h",
        base=[min(start, end) for _, start, end, *_ in parts],
        x=[abs(end - start) for _, start, end, *_ in parts],
        y=middles,
        width=[drawing.px(BAR)] * len(parts),
        hoverinfo="skip",
        marker={
            "color": [colour for *_, colour in parts],
            "line": {"color": colours.kappa, "width": [1.5 if shape else 0 for *_, shape, _ in parts]},
            "pattern": {
                "shape": [shape for *_, shape, _ in parts],
                "fgopacity": 1,
                "solidity": 0.2,
                "size": drawing.px(9),
                "fillmode": "overlay",
            },
        },
    )


def _frame(drawing: Drawing, place: int, split: Split) -> dict[str, Any]:
    """Return the room beyond chance; without decisions, the whole bar."""
    top, there = drawing.top(place), bool(split.picture.n)
    return {
        "type": "rect",
        "x0": split.chance if there else 0,
        "x1": 1,
        "y0": top,
        "y1": top + drawing.px(BAR),
        "line": {"color": drawing.colours.text if there else drawing.colours.axis, "width": 1.5},
        "layer": "above",
    }


def _texts(drawing: Drawing, place: int, split: Split, bold: bool) -> list[dict[str, Any]]:
    middle = drawing.top(place) + drawing.px(BAR / 2)
    notes = _head(drawing, place, split, bold)
    if not split.picture.n:
        size = drawing.px(style.TEXT)
        return [*notes, annotation(style.NOTHING, 0.5, middle, size=size, colour=drawing.colours.muted)]
    return [*notes, _observed(drawing, place, split), _chance(drawing, place, split), _below(drawing, place, split)]


def _head(drawing: Drawing, place: int, split: Split, bold: bool) -> list[dict[str, Any]]:
    """Return whose agreement it is, where there are two, and the prevalence that drives chance."""
    size, picture = drawing.px(style.TEXT), split.picture
    name = called(picture, size, "this table") if len(drawing.splits) > 1 else ""
    mix = f"{share(picture.values['prevalence'])} " if picture.two and picture.n else ""
    room = drawing.span - text_width(f"{name} · {mix}", size, bold=True)
    mix += fit(picture.labels[0], room, size) if mix else ""
    text = " · ".join(part for part in (f"<b>{escape(name)}</b>" if name and bold else escape(name), escape(mix)) if part)
    y = drawing.tops[place] + drawing.px(NAME / 2)
    return [annotation(text, 0, y, size=size, colour=drawing.colours.text, xanchor="left")] if text else []


def _tip(drawing: Drawing, place: int) -> float:
    return drawing.top(place) - drawing.px(TIP / 2 + 1)


def _tips(drawing: Drawing) -> Trace:
    """Return a triangle where each agreement ends."""
    there = [(split.observed, _tip(drawing, place)) for place, split in enumerate(drawing.splits) if split.picture.n]
    marker = {"symbol": "triangle-down", "size": drawing.px(TIP), "color": drawing.colours.text}
    look = {"mode": "markers", "cliponaxis": False, "hoverinfo": "skip"}
    return scatter(x=[x for x, _ in there], y=[y for _, y in there], marker=marker, **look)


def _observed(drawing: Drawing, place: int, split: Split) -> dict[str, Any]:
    """Beside its triangle."""
    size, gap = drawing.px(style.TICK), drawing.px(TIP)
    digits = split.digits or FEWEST
    nearly = "nearly all" if split.observed > 0.5 else "nearly none"
    text = f"agreement {nearly if says_other(split.observed, digits) else decimals(split.observed, digits)}"
    before = text_width(text, size) + gap <= split.observed * drawing.span
    side = {"xanchor": "right", "xshift": -gap} if before else {"xanchor": "left", "xshift": gap}
    y = drawing.top(place) - drawing.px(ABOVE / 2)
    return annotation(text, split.observed, y, size=size, colour=drawing.colours.text, **side)


def _chance(drawing: Drawing, place: int, split: Split) -> dict[str, Any]:
    """Inside its bar where it fits; else below, or, where something is lacking, in the empty room beside it."""
    size, colours, pad = drawing.px(style.TICK), drawing.colours, drawing.px(PAD)
    wide = text_width(split.chance_text, size) + 2 * pad
    clear, fits = (wide <= end * drawing.span for end in (min(split.chance, split.observed), split.chance))
    y = drawing.top(place) + drawing.px(BAR / 2)
    if clear:
        return annotation(split.chance_text, 0, y, size=size, colour=colours.text, xanchor="left", xshift=pad)
    if fits:
        chip = {"bgcolor": drawing.grey, "borderpad": 2}
        return annotation(
            split.chance_text, split.chance, y, size=size, colour=colours.text, xanchor="right", xshift=-pad, **chip
        )
    if split.lacking:
        return annotation(split.chance_text, split.chance, y, size=size, colour=colours.muted, xanchor="left", xshift=pad)
    y += drawing.px(BAR / 2 + BELOW / 2)
    return annotation(f"▴ {split.chance_text}", 0, y, size=size, colour=colours.muted, xanchor="left")


def _below(drawing: Drawing, place: int, split: Split) -> dict[str, Any]:
    size, lines = drawing.px(style.TICK), drawing.lines(split)
    y = drawing.top(place) + drawing.px(BAR + BELOW / 2 + LINE / 2 * (len(lines) - 1))
    whole = "<br>".join(escape(line) for line in lines)
    if not math.isnan(split.kappa):
        whole = f"{escape(split.quotient)}{HARD_SPACE}<b>{split.result}</b>"
    return annotation(whole, 1, y, size=size, colour=drawing.colours.kappa, xanchor="right")

"""ROC space: verdicts as points, scores as a curve, Youden's J as the upright between a mark and the diagonal of chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from metrics.analyses.roc.cuts import iso_accuracy, iso_j
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import around
from metrics.figures.marks import annotation
from metrics.figures.roc_curves import Other, Scored, chosen, room, thin_curves
from metrics.figures.roc_parts import (
    BOTTOM,
    BROAD,
    LEFT,
    RIGHT,
    TOP,
    Drawing,
    Texts,
    distinct_names,
    guessing,
    path,
    placed,
    scatter,
    upright,
)
from metrics.figures.theme import Theme, escape, fit
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results.words import HARD_SPACE, number, percent, plain, tick

LEVELS = (0.2, 0.4, 0.6, 0.8)
ACCURACIES = (0.5, 0.6, 0.7, 0.8, 0.9)
UPRIGHTS, NAMED = 4, 8
"""Points that all get an upright, and that get a name where there is room."""
SYMBOLS = ("square", "diamond", "triangle-up", "triangle-down")
Lines = Literal["j", "accuracy"]
NOTHING = "No point and no curve to draw"


@dataclass(frozen=True)
class Verdicts:
    """Where the verdicts of a judge stand."""

    name: str
    fpr: float
    tpr: float
    j: float
    chosen: bool


def roc_space(
    verdicts: Sequence[Verdicts],
    scored: Scored | None,
    others: Sequence[Other] = (),
    *,
    positive: str,
    negative: str,
    theme: Theme,
    lines: Lines = "j",
    prevalence: float = 0.5,
    scale: float = 1.0,
    width: float = BROAD,
) -> Figure:
    """Return the square; a clicked point returns `customdata` [index in `verdicts`].

    Parameters
    ----------
    scored, others
        The curve of the chosen judge, drawn on top, and those of the other judges that give scores.
    positive, negative : str
        The user's words for the labels.
    lines : {"j", "accuracy"}
        What the grey lines keep equal; accuracy at `prevalence`.
    width : float
        Width in px (before scaling) in which texts must not meet; the square keeps its shape in a wider place.
    """
    drawing = Drawing(style.tokens(theme), scale, positive, negative, width * scale)
    shown = [judge_verdicts for judge_verdicts in verdicts if not math.isnan(judge_verdicts.j)]
    texts = room(drawing, scored, others)
    for point in shown:
        texts.add(around(drawing.at((point.fpr, point.tpr)), drawing.px(6)))
    grey, notes = _iso(drawing, lines, prevalence)
    notes += _names(drawing, shown, texts)
    on_top, words = ([], []) if scored is None else chosen(drawing, scored, texts)
    notes += [*words, guessing(drawing, texts)]
    below, names, unnamed = thin_curves(drawing, scored, others, texts)
    notes += names
    if not shown and scored is None and not others:
        notes.append(marks.sentence(NOTHING, drawing.colours, scale) | {"bgcolor": drawing.colours.page})
    diagonal = path(drawing, [0, 1], [0, 1], drawing.colours.muted, 1.5, dash="dot")
    traces = [grey, diagonal, *below, *on_top, *_points(drawing, shown, [verdicts.index(shown_point) for shown_point in shown])]
    return drawn(_layout(drawing) | {"meta": {"unnamed": unnamed}}, traces, annotations=notes)


def unnamed_curves(figure: Figure) -> int:
    """Return curves for whose names a figure of this module had no room, though they are few."""
    return int(figure.noted["unnamed"])


def alt(
    verdicts: Sequence[Verdicts], scored: Scored | None, others: Sequence[Other] = (), *, positive: str, negative: str
) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    head = f"ROC space: how much {plain(positive)} is found against how much {plain(negative)} is called {plain(positive)}"
    clauses = [
        f"{plain(judge_verdicts.name)}: true positives {percent(judge_verdicts.tpr)}, false positives "
        f"{percent(judge_verdicts.fpr)}, J {number(judge_verdicts.j)}"
        for judge_verdicts in verdicts
        if not math.isnan(judge_verdicts.j)
    ]
    if scored is not None:
        clauses.append(f"curve of {plain(scored.name)}: AUC {scored.area}")
        if scored.best is not None:
            clauses.append(
                f"best threshold {scored.best_cut}: J {number(scored.j_here)}, on held-out items {number(scored.j_held_out)}"
            )
        if scored.cut is not None:
            clauses.append(
                f"chosen {scored.cut_words}: true positives {percent(scored.cut[1])}, false positives {percent(scored.cut[0])}"
            )
    clauses += [f"curve of {plain(other.name)}: AUC {other.area}" for other in others]
    return f"{head}. {'; '.join(clauses) or NOTHING}."


def _layout(drawing: Drawing) -> dict[str, Any]:
    margin = {"l": LEFT, "r": RIGHT, "t": TOP, "b": BOTTOM}
    words = escape(fit(drawing.positive, 0.3 * drawing.side, drawing.size))
    others = escape(fit(drawing.negative, 0.3 * drawing.side, drawing.size))
    axes = {
        "xaxis": _axis(drawing, f"{others} called {words}, FPR") | {"constrain": "domain", "constraintoward": "left"},
        "yaxis": _axis(drawing, f"{words} found, TPR") | {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"},
    }
    height = drawing.side + drawing.px(TOP + BOTTOM)
    edges = {side: round(drawing.px(wide)) for side, wide in margin.items()} | {"pad": 0, "autoexpand": False}
    return style.layout(drawing.colours, height=height, scale=drawing.scale, margin=edges, **axes)


def _axis(drawing: Drawing, title: str) -> dict[str, Any]:
    ticks = [0, 0.5, 1] if drawing.small else [0, 0.25, 0.5, 0.75, 1]
    axis = style.value_axis(drawing.colours, 0, 1, ticks, drawing.scale)
    return axis | {
        "ticktext": ["0" if at == 0 else percent(at) for at in ticks],
        "ticklabeloverflow": "allow",
        "title": {"text": title, "font": {"size": drawing.size, "color": drawing.colours.muted}, "standoff": 6},
    }


def _iso(drawing: Drawing, lines: Lines, prevalence: float) -> tuple[Trace, list[dict[str, Any]]]:
    """Return grey lines and their values where they leave the square."""
    wanted = LEVELS if lines == "j" else ACCURACIES
    segments = [(level, iso_j(level) if lines == "j" else iso_accuracy(level, prevalence)) for level in wanted]
    notes, x, y = [], [], []
    for level, ends in segments:
        if ends is None:
            continue
        x += [ends[0][0], ends[1][0], None]
        y += [ends[0][1], ends[1][1], None]
        above = ends[1][1] >= 1 - 1e-9
        text = f"J {tick(level)}" if lines == "j" else percent(level)
        place = {"xanchor": "center", "yanchor": "bottom", "yshift": drawing.px(4)} if above else {"xanchor": "left", "xshift": 4}
        size, colour = drawing.px(style.SMALL), drawing.colours.muted
        notes.append(annotation(text, ends[1][0], ends[1][1], size=size, colour=colour, **place))
    if lines == "accuracy":
        head = f"equal accuracy at {percent(prevalence)} {escape(fit(drawing.positive, 0.3 * drawing.side, drawing.size))}"
        size, colour = drawing.px(style.SMALL), drawing.colours.muted
        shift = {"yref": "paper", "xref": "paper", "yanchor": "bottom", "yshift": drawing.px(24), "xanchor": "left"}
        notes.append(annotation(head, 0, 1, size=size, colour=colour, **shift))
    return scatter(x, y, "lines", line={"color": drawing.colours.axis, "width": 1}, hoverinfo="skip"), notes


def _order(shown: Sequence[Verdicts]) -> list[int]:
    """Return the chosen judge first, then by J."""
    return sorted(range(len(shown)), key=lambda i: (not shown[i].chosen, -shown[i].j))


def _names(drawing: Drawing, shown: Sequence[Verdicts], texts: Texts) -> list[dict[str, Any]]:
    """Return names of a few points, or of the chosen one and of the best among many, where there is room."""
    few, notes = len(shown) <= UPRIGHTS, []
    order = _order(shown)[: max(NAMED, UPRIGHTS)]
    names = {share: distinct_names(drawing, [shown[i].name for i in order], share) for share in (0.4, 0.3, 0.2)}
    for place, judge_verdicts in enumerate(shown[i] for i in order):
        colour = drawing.colours.judge if few or judge_verdicts.chosen else drawing.colours.muted
        for share in names if few or judge_verdicts.chosen else (0.4,):
            name = names[share][place]
            labels = placed(
                drawing,
                texts,
                (judge_verdicts.fpr, judge_verdicts.tpr),
                [f"{name} J{HARD_SPACE}{number(judge_verdicts.j)}"],
                colour,
                inline=name,
            )
            if labels:
                notes += labels
                break
    return notes


def _points(drawing: Drawing, shown: Sequence[Verdicts], indices: Sequence[int]) -> list[Trace]:
    """Return points of verdicts, the chosen one on top; few have their own symbols and uprights, among many only that one."""
    few, colours = len(shown) <= UPRIGHTS, drawing.colours
    last = sorted(range(len(shown)), key=lambda i: shown[i].chosen)
    symbols = _symbols(shown)
    shown, indices, symbols = [shown[i] for i in last], [indices[i] for i in last], [symbols[i] for i in last]
    uprights = [
        upright(drawing, (judge_verdicts.fpr, judge_verdicts.tpr), colours.judge)
        for judge_verdicts in shown
        if few or judge_verdicts.chosen
    ]
    marker = {
        "symbol": symbols,
        "opacity": 1,
        "size": [drawing.px(12 if few or judge_verdicts.chosen else 8) for judge_verdicts in shown],
        "color": [colours.judge if few or judge_verdicts.chosen else colours.neutral for judge_verdicts in shown],
        "line": {"width": drawing.px(1), "color": colours.page},
    }
    hover = {"hovertemplate": marks.HOVER, "hovertext": [_hover(judge_verdicts) for judge_verdicts in shown]}
    x, y, clicks = (
        [judge_verdicts.fpr for judge_verdicts in shown],
        [judge_verdicts.tpr for judge_verdicts in shown],
        [[place] for place in indices],
    )
    return [*uprights, scatter(x, y, "markers", customdata=clicks, marker=marker, **hover, **marks.undimmed())]


def _symbols(shown: Sequence[Verdicts]) -> list[str]:
    few = len(shown) <= UPRIGHTS
    ranked = {i: SYMBOLS[rank % len(SYMBOLS)] if few else "circle" for rank, i in enumerate(_order(shown))}
    return ["square" if judge_verdicts.chosen else ranked[i] for i, judge_verdicts in enumerate(shown)]


def _hover(judge_verdicts: Verdicts) -> str:
    return (
        f"<b>{escape(judge_verdicts.name)}</b><br>true positives {percent(judge_verdicts.tpr)} · false positives "
        f"{percent(judge_verdicts.fpr)}<br>J {number(judge_verdicts.j)}"
    )

"""The K × K matrix: equal on the diagonal, of ordered options the judge higher right above it, lower left below it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.distance_parts import ALL, LINE, SIDE, SMALLEST, Drawing
from metrics.figures.marks import annotation
from metrics.figures.theme import Theme, escape, fit, text_width, wrap
from metrics.figures.traces import Figure, Trace, bar, drawn
from metrics.results.words import HARD_SPACE, UNDEFINED, amount, percent, plain, several, signed

Annotation = dict[str, Any]
FOOT = 20
APART = 2
"""Options apart from which on a cell lies outside the stepped lines."""
OUTSIDE = "two or more apart"


def distance_matrix(
    counts: ArrayLike,
    labels: Sequence[str],
    *,
    theme: Theme,
    reference: str = "human",
    judge: str = "judge",
    ordered: bool = True,
    abstention: int | None = None,
    selected: tuple[int, int] | None = None,
    lit: Collection[tuple[int, int]] = (),
    scale: float = 1.0,
    height: float = ALL,
    width: float = 340,
    unit: str = "decisions",
) -> Figure:
    """Return the matrix; a clicked cell returns `customdata` [reference index, judge index].

    Colours deepen with the share of the row; of ordered options stepped lines part what is one off from what is further off.

    Parameters
    ----------
    counts : array_like, shape (K, K)
        Reference in rows, judge in columns.
    labels : sequence of K str
        The options, from low to high where they are ordered.
    ordered : bool
        Whether options have an order; else errors have one colour, and none is higher or lower.
    abstention : int or None
        The class that stands for "no verdict", which has no place in an order.
    selected : (reference index, judge index) or None
        The outlined cell.
    lit : cells as (reference index, judge index)
        Outlined too, where they hold anything.
    scale : float
        1.4 in room view; height and type grow with it.
    height : float
        Px that the rows share (before scaling), within what a row needs at least and at most.
    width : float
        The narrowest width in px (before scaling) at which no text may leave its cell.
    unit : str
        What is counted.
    """
    table, colours = np.asarray(counts, dtype=np.float64), style.tokens(theme)
    if not table.sum():
        return marks.empty(style.NOTHING, colours, scale)
    drawing = Drawing(colours, scale, table, tuple(labels), reference, judge, width * scale, unit, ordered, abstention, height)
    lines = _summary(drawing)
    steps = _steps(drawing) if ordered else []
    framed = [place for place in lit if table[place]] + ([] if selected is None else [selected])
    shapes = [*steps, *(_frame(drawing, *place) for place in framed)]
    texts = [*_header(drawing), *_row_labels(drawing), *_cell_texts(drawing), *_below(drawing, lines)]
    return drawn(_layout(drawing, len(lines)), [_cells(drawing)], annotations=texts, shapes=shapes)


def alt(
    counts: ArrayLike,
    labels: Sequence[str],
    *,
    reference: str = "human",
    judge: str = "judge",
    unit: str = "decisions",
) -> str:
    """Return the matrix in words, for people who do not see it: how far apart the two are, then each of the reference's
    options.
    """
    table = np.asarray(counts, dtype=np.float64)
    if not table.sum():
        return f"{style.NOTHING}."
    names = [plain(label) for label in labels]
    rows = [_row_clause(row, name, names, reference, judge, table.sum()) for row, name in zip(table, names, strict=True)]
    ends = f", from {names[0]} (low) to {names[-1]} (high)" if len(names) > 1 else ""
    summary = ", ".join(f"{word} {percent(share)}" for word, share in distances(table))
    n = several(1, unit) if table.sum() == 1 else f"{amount(table.sum())} {unit}"
    return f"Confusion matrix of {n}{ends}: {summary}. {'; '.join(rows)}."


def distances(counts: NDArray[np.float64]) -> list[tuple[str, float]]:
    """Return shares of all decisions by how far apart the two sides are; the last, of K > 2, is part of the two before it."""
    apart, n = np.subtract.outer(np.arange(len(counts)), np.arange(len(counts))), counts.sum()
    masks = [("equal", apart == 0), ("judge higher", apart < 0), ("judge lower", apart > 0)]
    masks += [(OUTSIDE, np.abs(apart) >= APART)] if len(counts) > APART else []
    return [(word, float(counts[where].sum() / n)) for word, where in masks]


def _row_clause(row: NDArray[np.float64], name: str, names: list[str], reference: str, judge: str, n: float) -> str:
    if not row.sum():
        return f"{plain(reference)} {name} never given"
    given = ", ".join(f"{other} {amount(k)} ({percent(k / row.sum())})" for other, k in zip(names, row, strict=True) if k)
    return f"{plain(reference)} {name} {amount(row.sum())} ({percent(row.sum() / n)}), of these {plain(judge)} {given}"


def _layout(drawing: Drawing, lines: int) -> dict[str, Any]:
    foot, across = drawing.foot + drawing.px(FOOT) * lines + drawing.px(8), style.hidden_axis(0, drawing.size)
    return drawing.list_layout(foot, across, left=drawing.margin, right=SIDE, barmode="overlay")


def _places(drawing: Drawing) -> list[tuple[int, int]]:
    """Return cells in the order in which they cover: the diagonal last, for its border."""
    places = [(row, column) for row in range(drawing.size) for column in range(drawing.size)]
    return sorted(places, key=lambda place: place[0] == place[1])


def _cells(drawing: Drawing) -> Trace:
    places, colours = _places(drawing), drawing.colours
    return bar(
        x=[column + 0.5 for _, column in places],
        width=[1.0] * len(places),
        base=[drawing.top(row) for row, _ in places],
        y=[drawing.tall] * len(places),
        customdata=[[row, column] for row, column in places],
        hovertext=[_hover(drawing, row, column) for row, column in places],
        cliponaxis=False,
        marker={
            "color": [drawing.fill(row, column) for row, column in places],
            "line": {
                "color": [colours.correct if row == column else colours.grid for row, column in places],
                "width": [2 if row == column else 1 for row, column in places],
            },
        },
        **marks.undimmed(),
    )


def _hover(drawing: Drawing, row: int, column: int) -> str:
    n, of = drawing.counts[row, column], drawing.rows[row]
    who, label = escape(drawing.reference), escape(drawing.labels[row])
    share = f"{escape(percent(n / of))} of {amount(of)}" if of else f"{UNDEFINED} {who} never gave {label}"
    judged = f"{escape(drawing.judge)}: {escape(drawing.labels[column])}"
    steps = [_steps_text(column - row)] if drawing.ordered else []
    return "<br>".join([f"<b>{amount(n)}</b> {drawing.unit}", f"{who}: {label}", judged, *steps, share])


def _steps_text(steps: int) -> str:
    return f"judge {several(abs(steps), 'options')} {'higher' if steps > 0 else 'lower'}" if steps else "equal"


def _steps(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the two lines between what is one option off and what is further off."""
    if drawing.size <= APART:
        return []
    last, look = drawing.size - APART, {"type": "path", "layer": "above", "line": {"color": drawing.colours.text, "width": 2}}
    upper = [(row + APART, drawing.top(row + down)) for row in range(last) for down in (0, 1)]
    lower = [(column + right, drawing.top(column + APART)) for column in range(last) for right in (0, 1)]
    ends = (drawing.size, drawing.top(last)), (last, drawing.foot)
    paths = ([*line, end] for line, end in zip((upper, lower), ends, strict=True))
    return [look | {"path": "M" + "L".join(f"{x} {y:g}" for x, y in path)} for path in paths]


def _frame(drawing: Drawing, row: int, column: int) -> dict[str, Any]:
    ends = {"x0": column, "x1": column + 1, "y0": drawing.top(row), "y1": drawing.top(row + 1)}
    return {"type": "rect", "layer": "above", "line": {"color": drawing.colours.judge, "width": 3}} | ends


def _header(drawing: Drawing) -> Iterator[Annotation]:
    """Yield whose options stand where: the judge's over the columns, the reference's beside the rows."""
    size, colours = drawing.px(style.TEXT), drawing.colours
    y = style.TOP + drawing.px(LINE) / 2
    name, who = fit(drawing.judge, drawing.cell * drawing.size, size), fit(drawing.reference, drawing.margin - 10, size)
    whole = _whole(name, drawing.judge)
    yield annotation(escape(name), 0, y, size=size, colour=colours.judge, xanchor="left", hovertext=whole)
    y = drawing.head - drawing.px(4 + LINE / 2)
    look: dict[str, Any] = {"xanchor": "right", "xshift": -8, "hovertext": _whole(who, drawing.reference)}
    yield annotation(escape(who), 0, y, size=size, colour=colours.reference, **look)
    heads, small = drawing.heads
    for column, lines in enumerate(heads):
        text, y = f"<b>{marks.stacked(lines)}</b>", drawing.head - drawing.px(4 + LINE * len(lines) / 2)
        whole = _whole(" ".join(lines), drawing.labels[column])
        yield annotation(text, column + 0.5, y, size=small, colour=colours.judge, hovertext=whole)


def _whole(short: str, label: str) -> str | None:
    return None if short == plain(label) else escape(label)


def _row_labels(drawing: Drawing) -> Iterator[Annotation]:
    """Yield the reference's options with their share of all decisions, under them where they are long and the row has the
    height.
    """
    size, room = drawing.px(style.TICK), drawing.margin - 12
    for row, label in enumerate(drawing.labels):
        option, beside = drawing.option(row), f" {drawing.rate_label(row)}"
        long = text_width(option, size, bold=True) + text_width(beside, size) > room
        if long and drawing.tall >= drawing.px(2 * LINE):
            names = wrap(option, room, size, bold=True, lines=1 + (drawing.tall >= drawing.px(3 * LINE)))
            text = "<br>".join(f"<b>{escape(name)}</b>" for name in names) + f"<br>{escape(drawing.rate(row))}"
        else:
            names = [fit(option, room - text_width(beside, size), size, bold=True)]
            text = f"<b>{escape(names[0])}</b> {escape(beside)}"
        place: dict[str, Any] = {"xanchor": "right", "xshift": -8, "hovertext": _whole(" ".join(names), label)}
        y = drawing.top(row) + drawing.tall / 2
        yield annotation(text, 0, y, size=size, colour=drawing.colours.reference, **place)


def _cell_texts(drawing: Drawing) -> Iterator[Annotation]:
    for row, column in _places(drawing):
        n, ink = float(drawing.counts[row, column]), drawing.ink(row, column)
        x, top = column + 0.5, drawing.top(row)
        text, size = amount(n) if drawing.rows[row] else UNDEFINED, drawing.count_size
        if not drawing.fits(text, size):
            continue
        html = f"<b>{text}</b>" if n else text
        if n and drawing.share_size:
            share = escape(percent(drawing.shares[row, column]))
            html, size = f"<span style='font-size:{size:g}px'>{html}</span><br>{share}", drawing.share_size
        yield annotation(html, x, top + drawing.tall / 2, size=size, colour=ink)
        if n and row != column and drawing.signs:
            look: dict[str, Any] = {"size": drawing.px(SMALLEST), "colour": ink, "xanchor": "left", "xshift": drawing.px(5)}
            yield annotation(signed(column - row, 0), column, top + drawing.px(SMALLEST - 1), **look)


def _summary(drawing: Drawing) -> list[str]:
    """Return Lines of the figure's words under the cells, each with its mark."""
    parts = []
    for mark, colour, word, share in _by_distance(drawing) if drawing.ordered else _by_colour(drawing):
        text = f"{mark}{HARD_SPACE if mark else ''}{word} {percent(share)}"
        html = escape(text).replace(mark, f"<span style='color:{colour}'>{mark}</span>", 1) if mark else escape(text)
        parts.append((text, html))
    if not drawing.complete:
        parts.append(("larger counts under the pointer",) * 2)
    size = drawing.px(style.TICK)
    return _packed(parts, drawing.width - 2 * SIDE, lambda text: text_width(text, size))


def _by_distance(drawing: Drawing) -> Iterator[tuple[str, str, str, float]]:
    """Yield mark, its colour, word and share of all decisions, by how far apart the two are."""
    colours = drawing.colours
    looks = {
        "equal": ("■", colours.correct),
        "judge higher": ("◥", colours.false_positive),
        "judge lower": ("◣", colours.false_negative),
    }
    for word, share in distances(drawing.counts):
        yield *looks.get(word, ("", "")), f"{word} (outside the steps)" if word == OUTSIDE else word, share


def _by_colour(drawing: Drawing) -> Iterator[tuple[str, str, str, float]]:
    """Yield the same by whether the two gave one answer, or one of them no verdict."""
    colours, counts, silent = drawing.colours, drawing.counts, drawing.abstention
    equal, rest = float(np.trace(counts)), 0.0
    if silent is not None:
        rest = float(counts[silent].sum() + counts[:, silent].sum() - 2 * counts[silent, silent])
    n = float(counts.sum())
    yield "■", colours.correct, "equal", equal / n
    yield "■", colours.false_positive, "different", (n - equal - rest) / n
    if silent is not None:
        yield "■", colours.abstention, plain(drawing.labels[silent]), rest / n


def _packed(parts: Sequence[tuple[str, str]], room: float, wide: Callable[[str], float]) -> list[str]:
    """As many parts on each line as it has room for."""
    lines: list[tuple[str, str]] = []
    for text, html in parts:
        joined = f"{lines[-1][0]} · {text}" if lines else ""
        if lines and wide(joined) <= room:
            lines[-1] = joined, f"{lines[-1][1]} · {html}"
        else:
            lines.append((text, html))
    return [html for _, html in lines]


def _below(drawing: Drawing, lines: list[str]) -> Iterator[Annotation]:
    look: dict[str, Any] = {"size": drawing.px(style.TICK), "colour": drawing.colours.text, "xanchor": "left"}
    for i, line in enumerate(lines):
        y = drawing.foot + drawing.px(8) + drawing.px(FOOT) * (i + 0.5)
        yield annotation(line, 0, y, xref="paper", xshift=SIDE - round(drawing.margin), **look)

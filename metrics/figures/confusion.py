"""The confusion matrix as a mosaic: row heights are the reference's rates, splits within a row the judge's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.prevalence.readings import share as fine
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import annotation
from metrics.figures.mosaic_parts import (
    ARROW,
    LINE,
    ROW,
    SIDE,
    TWO_LINES,
    Cell,
    Drawing,
    Tag,
    count_size,
    label_place,
    margin,
    place,
    row_cells,
    tag_width,
    tags,
    tells,
)
from metrics.figures.theme import Theme, blend, escape, fit, readable, text_width
from metrics.figures.traces import Figure, Trace, bar, drawn
from metrics.results.words import amount, halves, plain, several

Annotation = dict[str, Any]
BETWEEN = " · "
"""What keeps a label that is a number apart from the share beside it."""
FAINT = 0.4
"""How much of its colour is left to a cell that is not lit."""
ORDER = ("abstention", "error", "false positive", "false negative", "agreement")
"""What is drawn later keeps its edges: agreement its border."""


def mosaic(
    counts: ArrayLike,
    labels: Sequence[str],
    *,
    theme: Theme,
    reference: str = "human",
    judge: str = "judge",
    abstention: int | None = None,
    selected: tuple[int, int] | None = None,
    lit: Collection[tuple[int, int]] = (),
    scale: float = 1.0,
    height: float = 340,
    width: float = 340,
    unit: str = "decisions",
    true: bool = False,
    named: bool = False,
) -> Figure:
    """Return the mosaic of one table; a clicked cell returns `customdata` [reference index, judge index].

    Parameters
    ----------
    counts : array_like, shape (K, K)
        Reference in rows, judge in columns; the positive verdict first, an abstention last. Not whole where they are
        what a judge gives on average.
    abstention : int or None
        The class that stands for "no verdict".
    selected : (reference index, judge index) or None
        The outlined cell.
    lit : cells as (reference index, judge index)
        Cells that a number is made of: outlined, and the others pale; of none, all are as usual.
    scale : float
        1.4 in room view; height and type grow with it.
    width : float
        The narrowest width in px (before scaling) at which no two labels may meet.
    unit : str
        What is counted.
    true : bool
        Of two or three classes: whether areas are the shares down to a hairline, with the numbers of a thin row outside
        it, and rows that stay in place as counts move; else a row is as thick as its numbers.
    named : bool
        Whether errors are called by the judge's label also where there are two: of labels neither of which is to be found.
    """
    table, colours = np.asarray(counts, dtype=np.float64), style.tokens(theme)
    width *= scale
    side = margin(table, labels, reference, width, height * scale, scale)
    room = width, height * scale, side
    drawing = Drawing(
        colours, scale, table, tuple(labels), reference, judge, abstention, *room, frozenset(lit), unit, true, named
    )
    layout = _layout(drawing)
    if not table.sum():
        return drawn(layout, [], annotations=[marks.sentence(style.NOTHING, colours, scale)])
    head = 2
    rows = [row_cells(drawing, row) for row in range(drawing.size)]
    rows = place(drawing, rows, head, [row > 0 for row in range(drawing.size)])
    lines = [tags(drawing, row, cells) for row, cells in enumerate(rows)]
    if not true:
        head = 1 if _header_fits(drawing, lines[0]) else 2
        rows = place(drawing, rows, head, [False, *map(bool, lines[1:])])
    cells = sorted(
        (cell for row in rows for cell in row if cell.n), key=lambda cell: ORDER.index(drawing.role(cell.row, cell.column))
    )
    texts = [
        *_header(drawing),
        *_row_labels(drawing, rows),
        *(text for cell in cells for text in _inside(drawing, cell)),
        *(text for row, line in zip(rows, lines, strict=True) for text in _outside(drawing, row[0], line, head)),
        *(_none(drawing, row[0]) for row in rows if not row[0].n and not true),
    ]
    return drawn(layout, [_bars(drawing, cells)], annotations=texts, shapes=_outlines(drawing, rows, selected))


def alt(
    counts: ArrayLike,
    labels: Sequence[str],
    *,
    reference: str = "human",
    judge: str = "judge",
    abstention: int | None = None,
    unit: str = "decisions",
    true: bool = False,
) -> str:
    """Return the mosaic in a sentence, for people who do not see it; shares as it prints them where its areas are `true`."""
    table = np.asarray(counts, dtype=np.float64)
    if not table.sum():
        return f"{style.NOTHING}."
    names, rate = [plain(label) for label in labels], fine if true else halves
    parts = []
    for row, name in zip(table, names, strict=True):
        of = row.sum()
        given = ", ".join(f"{other} {amount(n)}{f' ({rate(n / of)})' if n else ''}" for other, n in zip(names, row, strict=True))
        parts.append(f"{plain(reference)} {name} {amount(of)} ({rate(of / table.sum())}), of these {plain(judge)} {given}")
    silent = "" if abstention is None else f" {names[abstention]} means that no verdict was given."
    n = several(1, unit) if table.sum() == 1 else f"{amount(table.sum())} {unit}"
    return f"Confusion matrix of {n}: {'; '.join(parts)}.{silent}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    return drawing.list_layout(drawing.height, style.hidden_axis(0, 1), left=drawing.margin, right=SIDE, barmode="overlay")


def _bars(drawing: Drawing, cells: list[Cell]) -> Trace:
    fills = [_fill(drawing, cell) for cell in cells]
    roles = [drawing.role(cell.row, cell.column) for cell in cells]
    return bar(
        x=[cell.middle for cell in cells],
        width=[cell.share for cell in cells],
        base=[cell.top for cell in cells],
        y=[cell.height for cell in cells],
        customdata=[[cell.row, cell.column] for cell in cells],
        hovertext=[_hover(drawing, cell) for cell in cells],
        cliponaxis=False,
        marker={
            "color": fills,
            "line": {
                "color": [_border(drawing, cell) for cell in cells],
                "width": [
                    0 if drawing.slim(cell) else 2 if role == "agreement" else 1 for cell, role in zip(cells, roles, strict=True)
                ],
            },
            **_hatching(drawing, roles),
        },
        **marks.undimmed(),
    )


def _hatching(drawing: Drawing, roles: Sequence[str]) -> dict[str, Any]:
    """Return the pattern of abstentions; where there are none, plotly would look at it for every cell and complain of colours."""
    if "abstention" not in roles:
        return {}
    pattern = {
        "shape": ["/" if role == "abstention" else "" for role in roles],
        "fgcolor": drawing.colours.page,
        "fgopacity": 0.3,
        "solidity": 0.25,
        "size": drawing.px(9),
        "fillmode": "overlay",
    }
    return {"pattern": pattern}


def _fill(drawing: Drawing, cell: Cell) -> str:
    full = _full(drawing, cell)
    return blend(drawing.colours.page, full, FAINT) if drawing.faint(cell.row, cell.column) else full


def _full(drawing: Drawing, cell: Cell) -> str:
    colours = drawing.colours
    match drawing.role(cell.row, cell.column):
        case "agreement":
            return colours.correct if drawing.slim(cell) else colours.correct_fill
        case "abstention":
            return colours.abstention
        case "false negative":
            return colours.false_negative
        case "false positive":
            return colours.false_positive
    errors = drawing.counts[~np.eye(drawing.size, dtype=bool)]
    return blend(colours.page, colours.muted, 0.3 + 0.7 * cell.n / errors.max())


def _border(drawing: Drawing, cell: Cell) -> str:
    if drawing.role(cell.row, cell.column) != "agreement":
        return drawing.colours.page
    colour = drawing.colours.correct
    return blend(drawing.colours.page, colour, FAINT) if drawing.faint(cell.row, cell.column) else colour


def _hover(drawing: Drawing, cell: Cell) -> str:
    who, whom = escape(drawing.reference), escape(drawing.judge)
    label, judged = escape(drawing.labels[cell.row]), escape(drawing.labels[cell.column])
    share = escape(drawing.rate(cell.n / cell.of))
    return f"<b>{amount(cell.n)}</b> {drawing.unit}<br>{who}: {label}<br>{whom}: {judged}<br>{share} of {amount(cell.of)}"


def _none(drawing: Drawing, cell: Cell) -> Annotation:
    return annotation("0", 0.5, _centre(cell), size=drawing.px(style.SMALL), colour=drawing.colours.muted)


def _centre(cell: Cell) -> float:
    return cell.top + cell.height / 2


def _header_text(drawing: Drawing) -> str:
    if drawing.binary:
        return f"{plain(drawing.judge)}: {plain(drawing.labels[0])}"
    return f"{plain(drawing.judge)}: {' · '.join(plain(label) for label in drawing.labels)}"


def _header_fits(drawing: Drawing, line: list[Tag]) -> bool:
    starts = [tag.at * drawing.span + tag.shift - tag_width(drawing, tag) * (tag.anchor == "right") for tag in line]
    return text_width(_header_text(drawing), drawing.px(style.TEXT)) + drawing.px(10) <= min(starts, default=drawing.span)


def _header(drawing: Drawing) -> list[Annotation]:
    y, size = style.TOP + drawing.px(LINE) / 2, drawing.px(style.TEXT)
    judged = whole = _header_text(drawing)
    if text_width(whole, size) > drawing.span:
        name = fit(drawing.judge, drawing.span * 0.45, size)
        judged = f"{name}: {fit(whole.removeprefix(f'{plain(drawing.judge)}: '), drawing.span * 0.5, size)}"
    who = fit(drawing.reference, drawing.margin - 10, size)
    above = escape(whole) if judged != whole else None
    beside = escape(drawing.reference) if who != plain(drawing.reference) else None
    place = {"xanchor": "right", "xshift": -8}
    return [
        annotation(escape(judged), 0, y, size=size, colour=drawing.colours.judge, xanchor="left", hovertext=above),
        annotation(escape(who), 0, y, size=size, colour=drawing.colours.reference, hovertext=beside, **place),
    ]


def _label_heights(drawing: Drawing, rows: list[list[Cell]]) -> list[float]:
    """Return the height of each row's label; that of a row goes up where the next is too near."""
    places = [_centre(row[0]) for row in rows]
    for row in reversed(range(len(rows) - 1)):
        places[row] = min(places[row], places[row + 1] - drawing.px(ROW))
    return places


def _row_labels(drawing: Drawing, rows: list[list[Cell]]) -> Iterator[Annotation]:
    heights = _label_heights(drawing, rows)
    ends = [-heights[0], *heights, 2 * drawing.height - heights[-1]]  # as far beyond an edge as the label is within it
    for row, y, above, below in zip(rows, heights, ends, ends[2:], strict=False):
        yield _row_label(drawing, row[0], y, min(y - above, below - y))


def _row_label(drawing: Drawing, cell: Cell, y: float, free: float) -> Annotation:
    """Name a row and its share, below each other where the row, or what is free around its label, is high enough."""
    label, size, room = drawing.labels[cell.row], drawing.px(style.TEXT), drawing.margin - 10
    share = drawing.rate(drawing.counts[cell.row].sum() / drawing.counts.sum())
    cut = text_width(plain(label), size, bold=True) + text_width(f" {share}", size) > room
    if cell.height >= drawing.px(TWO_LINES) or (cut and free >= drawing.px(TWO_LINES) + 4):
        lines = style.wrap(label, room, size, bold=True)
        if len(lines) > 1 and cell.height < drawing.px(54):
            lines = [fit(label, room, size, bold=True)]
        text = "<br>".join(f"<b>{escape(line)}</b>" for line in lines) + f"<br>{escape(share)}"
    else:
        between = BETWEEN if any(plain(option)[-1:].isdigit() for option in drawing.labels) else " "
        name = fit(label, room - text_width(f"{between}{share}", size), size, bold=True)
        lines, text = [name], f"<b>{escape(name)}</b>{between}{escape(share)}"
    whole = None if lines == [plain(label)] else escape(label)
    place = {"xanchor": "right", "xshift": -8, "hovertext": whole}
    return annotation(text, 0, y, size=size, colour=drawing.colours.reference, **place)


def _inside(drawing: Drawing, cell: Cell) -> list[Annotation]:
    size = count_size(drawing, cell)
    if size is None:
        return []
    role = drawing.role(cell.row, cell.column)
    fill = _fill(drawing, cell)
    colour = drawing.colours.text if role == "agreement" else readable(fill, drawing.colours)
    room = cell.share * drawing.span - 8
    fitting = [line for line in _details(drawing, cell, room) if text_width(line, drawing.px(style.TICK)) <= room]
    lines = fitting[: max(int((cell.height - size - 8) // drawing.px(18)), 0)]
    small = min(size, drawing.px(style.TICK))
    first = _sized(f"<b>{amount(cell.n)}</b>", size)
    if not lines and label_place(drawing, cell) == "beside":
        first += f" {escape(drawing.label_text(cell.column))}"
    text = "<br>".join([first, *map(escape, lines)])
    chip = {"bgcolor": fill} if role == "abstention" and cell.height > 2 * size else {}
    return [annotation(text, cell.middle, _centre(cell), size=small, colour=colour, **chip)]


def _sized(html: str, size: float) -> str:
    return f"<span style='font-size:{size:g}px'>{html}</span>"


def _details(drawing: Drawing, cell: Cell, room: float) -> list[str]:
    share = drawing.rate(cell.n / cell.of)
    label = drawing.labels[cell.column]
    role, small = drawing.role(cell.row, cell.column), drawing.px(style.TICK)
    if role == "agreement" and drawing.binary and drawing.abstention is None:
        lead = "both say "
        both = lead + fit(label, room - text_width(lead, small), small)
        return [both, _of_row(share, drawing.reference, label, room, small)] if room > drawing.px(90) else [share]
    if not drawing.binary and role != "abstention":
        wording = drawing.label_text(cell.column, room)
        return [wording, share] if tells(wording, drawing.label_text(cell.column)) else [share]
    return [share] if role in ("agreement", "abstention") else []


def _of_row(share: str, who: str, label: str, room: float, size: float) -> str:
    """Return 90 % of human MET.

    Whose label it is goes first where there is too little room, then what little is left of the label.
    """
    of = f"{share} of "
    free = room - text_width(of, size)
    for name in (plain(who), fit(who, room / 3, size)):
        if tells(name, who) and text_width(f"{name} {plain(label)}", size) <= free:
            return f"{of}{name} {plain(label)}"
    short = fit(label, free, size)
    return of + short if tells(short, label) else share


def _outside(drawing: Drawing, cell: Cell, line: list[Tag], head: int) -> list[Annotation]:
    step = drawing.px(LINE)
    y = style.TOP + (head - 0.5) * step if cell.row == 0 else cell.top + cell.height + step / 2
    small = drawing.px(style.TICK)
    return [
        annotation(_tag_html(drawing, tag), tag.at, y, size=small, colour=tag.colour, xanchor=tag.anchor, xshift=tag.shift)
        for tag in line
    ]


def _tag_html(drawing: Drawing, tag: Tag) -> str:
    arrow = [_sized(tag.arrow, drawing.px(ARROW))] if tag.arrow else []
    parts = [f"<b>{tag.number}</b>"] if tag.number else []
    parts += [escape(tag.words[0])] if tag.words[0] else []
    return " ".join([*arrow, *parts] if tag.anchor == "left" else [*parts, *arrow])


def _outlines(drawing: Drawing, rows: list[list[Cell]], selected: tuple[int, int] | None) -> list[dict[str, Any]]:
    empty = [_frame(row[0], drawing.colours.axis, 1) for row in rows if not row[0].n]
    marked = drawing.lit if selected is None else drawing.lit | {selected}
    chosen = [cell for row in rows for cell in row if cell.n and (cell.row, cell.column) in marked]
    return empty + [_chosen(drawing, cell) for cell in chosen]


def _chosen(drawing: Drawing, cell: Cell) -> dict[str, Any]:
    """Return the outline of a cell; around a slim one, which it would cover."""
    frame = _frame(cell, drawing.colours.judge, 3)
    if not drawing.slim(cell):
        return frame
    return _frame(cell, drawing.colours.judge, 1) | {"y0": cell.top - 1.5, "y1": cell.top + cell.height + 1.5}


def _frame(cell: Cell, colour: str, width: float) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": cell.left,
        "x1": cell.left + cell.share,
        "y0": cell.top,
        "y1": cell.top + cell.height,
        "line": {"color": colour, "width": width},
        "layer": "above",
    }

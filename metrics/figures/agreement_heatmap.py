"""Who thinks alike: κ of every pair of raters or judges, similar ones side by side, beside each one's κ with the reference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.agreement_heatmap_groups import by_group, group_labels, group_shapes
from metrics.figures.agreement_heatmap_parts import (
    BAR,
    EDGE,
    FOOT,
    GAP,
    MOST,
    NOTHING,
    SMALL,
    SMALLEST,
    THICK,
    WRITTEN,
    AgreementHeatmap,
    Drawing,
    Group,
    estimate_text,
    named,
    reach,
    strip_axis,
    strip_hover,
)
from metrics.figures.marks import CLEAR, Point, annotation, stacked
from metrics.figures.rows import row_name
from metrics.figures.theme import Theme, escape, fit, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn, heatmap, scatter
from metrics.results.words import HARD_SPACE, UNDEFINED, bounds, count, number, plain, several, tick


def agreement_heatmap(matrix: AgreementHeatmap, *, theme: Theme, scale: float = 1.0, width: float = 640) -> Figure:
    """Return the map; above `NAMED` raters without names, above `MOST` one row per group.

    A clicked dot of the strip returns `customdata` [index of the row].

    Parameters
    ----------
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet; on a phone see `alike_list`.
    """
    colours = style.tokens(theme)
    if len(matrix) > MOST:
        matrix = by_group(matrix)
        if not len(matrix):
            return marks.empty(f"No groups among more than {count(MOST)}", colours, scale)
    if len(matrix) < 2 and not matrix.groups:
        return marks.empty(NOTHING, colours, scale)
    drawing = Drawing(colours, scale, matrix, width * scale)
    traces = [*_map(drawing), *_strip(drawing), *_missing(drawing)]
    texts = [
        *_names(drawing),
        *_values(drawing),
        *_heads(drawing),
        *_strip_values(drawing),
        *group_labels(drawing),
        *_bar_words(drawing),
    ]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=[*_guides(drawing), *group_shapes(drawing)])


def broadest(matrix: AgreementHeatmap, *, theme: Theme, scale: float = 1.0, width: float = 640) -> int | None:
    """Return px across at which the cells of this map are as broad as they should be; None: as broad as the page."""
    most = Drawing(style.tokens(theme), scale, matrix, width * scale).broadest if len(matrix) > 1 else None
    return None if most is None else math.ceil(most)


def alt(matrix: AgreementHeatmap) -> str:
    """Return the figure in a sentence, for people who do not see it: every pair of few, the ends of many, the groups."""
    if len(matrix) < 2:
        return f"{NOTHING}."
    parts = [f"{matrix.symbol} between {several(len(matrix), matrix.who)}", _pairs_text(matrix)]
    parts += [_group_text(matrix, group) for group in matrix.groups]
    if matrix.reference is not None:
        spoken_values = "; ".join(
            f"{plain(name)} {estimate_text(with_reference)}"
            for name, with_reference in zip(matrix.names, matrix.reference, strict=True)
        )
        parts.append(f"{named(matrix)}: {spoken_values}")
    return ". ".join(part for part in parts if part) + "."


def _pairs_text(matrix: AgreementHeatmap) -> str:
    pairs = [(i, j) for i in range(len(matrix)) for j in range(i + 1, len(matrix))]
    if len(matrix) <= WRITTEN:
        return "; ".join(_pair_text(matrix, i, j) for i, j in pairs)
    there = sorted((pair for pair in pairs if not matrix.undefined[pair]), key=lambda pair: float(matrix.values[pair]))
    missing = len(pairs) - len(there)
    ends = f"from {_pair_text(matrix, *there[0])} to {_pair_text(matrix, *there[-1])}" if there else ""
    return "; ".join(
        part for part in (ends, _shared_text(matrix), f"{several(missing, 'pairs')} undefined" if missing else "") if part
    )


def _shared_text(matrix: AgreementHeatmap) -> str:
    """Return how many decisions the pairs share, where there is any."""
    there = matrix.shared[matrix.drawn]
    if not there.size:
        return ""
    low, high = int(there.min()), int(there.max())
    return f"{f'{count(low)} to ' if low < high else ''}{several(high, 'shared decisions')} per pair"


def _pair_text(matrix: AgreementHeatmap, i: int, j: int) -> str:
    value = "undefined" if matrix.undefined[i, j] else number(matrix.values[i, j])
    shared = several(int(matrix.shared[i, j]), "shared decisions")
    return f"{plain(matrix.names[i])} and {plain(matrix.names[j])} {value} on {shared}"


def _group_text(matrix: AgreementHeatmap, group: Group) -> str:
    shares = f" ({', '.join(map(plain, group.shares))})" if group.shares else ""
    ends = f"{plain(matrix.names[group.first])} to {plain(matrix.names[group.last])}"
    return f"Group of {count(group.last - group.first + 1)}{shares}, {ends}: mean {number(group.mean)}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    colours, n, (end, begin) = drawing.colours, len(drawing.data), drawing.domains
    across, upright = {"domain": [0, end]}, style.hidden_axis(n - 0.5, -0.5)
    names = {"type": "category", "categoryorder": "array", "categoryarray": _places(drawing.data)}
    axes: dict[str, Any] = {
        "xaxis": style.hidden_axis(-0.5, n - 0.5, **across),
        "yaxis": upright,
        "xaxis3": style.hidden_axis(-0.5, n - 0.5, overlaying="x", anchor="y3", **names, **across),
        "yaxis3": upright | names | {"overlaying": "y", "anchor": "x3"},
    }
    if drawing.data.reference is not None:
        axes["xaxis2"] = strip_axis(drawing, drawing.data.reference) | {"domain": [begin, 1], "anchor": "y"}
    margin = style.margin(math.ceil(drawing.left), EDGE, drawing.px(FOOT), drawing.head)
    height = drawing.head + drawing.tall + drawing.px(FOOT)
    return style.layout(colours, height=height, scale=drawing.scale, margin=margin, **axes)


def _map(drawing: Drawing) -> list[Trace]:
    """Return values; under them what has no value, which only answers the pointer; and the diagonal."""
    matrix = drawing.data
    names = _places(matrix)
    place = {"x": names, "y": names, "xaxis": "x3", "yaxis": "y3", "xgap": drawing.gap, "ygap": drawing.gap, "hoverongaps": False}
    ends = {"colorscale": drawing.colour_scale, "zmin": drawing.low, "zmax": 1}
    pair, shared = f"%{{y}}<br>%{{x}}<br><b>{escape(matrix.symbol)} ", "</b><br>%{customdata:,} shared decisions<extra></extra>"
    seen = np.where(matrix.undefined, 0.0, np.nan).astype(np.float32)
    diagonal = np.where(matrix.drawn, np.nan, 1.0).astype(np.float32)
    look = {"customdata": matrix.shared.tolist()}
    values = {"z": matrix.pairs.astype(np.float32), "hovertemplate": f"{pair}%{{z:.2f}}{shared}", "colorbar": _bar(drawing)}
    return [
        heatmap(
            z=seen, showscale=False, colorscale=_flat_colorscale(CLEAR), hovertemplate=f"{pair}undefined{shared}", **look, **place
        ),
        heatmap(
            z=diagonal,
            showscale=False,
            colorscale=_flat_colorscale(_diagonal(drawing)),
            hoverinfo="skip",
            xgap=drawing.gap,
            ygap=drawing.gap,
        ),
        _sized(drawing, names) if drawing.sized else heatmap(showscale=True, **values, **ends, **look, **place),
    ]


def _sized(drawing: Drawing, names: Sequence[str]) -> Trace:
    """Return each pair with a value as a square, as large as its decisions are many."""
    matrix = drawing.data
    rows, columns = np.nonzero(matrix.drawn & ~matrix.undefined)
    shared, values = matrix.shared[rows, columns], matrix.values[rows, columns]
    hovers = [
        f"{names[i]}<br>{names[j]}<br><b>{escape(matrix.symbol)} {number(value)}</b><br>{several(n, 'shared decisions')}"
        for i, j, value, n in zip(rows.tolist(), columns.tolist(), values.tolist(), shared.tolist(), strict=True)
    ]
    sizes = np.maximum(drawing.largest * np.sqrt(shared / shared.max()), SMALL).round(1).tolist()
    marker = {
        "symbol": "square", "opacity": 1, "size": sizes,
        "color": values.round(3).tolist(), "colorscale": drawing.colour_scale, "cmin": drawing.low, "cmax": 1,
        "showscale": True, "colorbar": _bar(drawing), "line": {"width": drawing.px(0.5), "color": drawing.colours.axis},
    }  # fmt: skip
    place = {"x": [names[j] for j in columns.tolist()], "y": [names[i] for i in rows.tolist()], "xaxis": "x3", "yaxis": "y3"}
    return scatter(**place, mode="markers", marker=marker, hovertext=hovers, **marks.undimmed())


def _places(matrix: AgreementHeatmap) -> list[str]:
    """Return the names as places of an axis, which have to differ: equal ones end in spaces."""
    seen: dict[str, int] = {}
    places = []
    for name in map(escape, matrix.names):
        seen[name] = seen.get(name, -1) + 1
        places.append(name + seen[name] * HARD_SPACE)
    return places


def _flat_colorscale(colour: str) -> list[list[Any]]:
    return [[0, colour], [1, colour]]


def _diagonal(drawing: Drawing) -> str:
    """Of many, the strongest colour, which shows the way; of few, one that stands for no value."""
    return drawing.colours.grid if drawing.written else drawing.colour


def _bar(drawing: Drawing) -> dict[str, Any]:
    ticks = [drawing.low, 0, 0.5, 1] if drawing.low < 0 else [0, 0.5, 1]
    return {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "xpad": 0,
        "y": 0,
        "yanchor": "top",
        "ypad": drawing.px(12),
        "lenmode": "pixels",
        "len": _bar_long(drawing),
        "thickness": drawing.px(THICK),
        "tickvals": ticks,
        "ticktext": [*(tick(at) for at in ticks[:-1]), f"{escape(drawing.data.symbol)} = 1"],
        "tickfont": {"size": drawing.px(style.TICK), "color": drawing.colours.muted},
        "ticklen": 3,
        "tickcolor": drawing.colours.axis,
        "outlinewidth": 1,
        "outlinecolor": drawing.colours.axis,
    }


def _bar_long(drawing: Drawing) -> float:
    return min(drawing.px(BAR), 0.6 * drawing.map_wide)


def _bar_words(drawing: Drawing) -> list[dict[str, Any]]:
    place = {"xref": "paper", "yref": "paper", "xanchor": "left", "xshift": _bar_long(drawing) + drawing.px(28)}
    size = drawing.px(style.TICK)
    room = drawing.strip_from - _bar_long(drawing) - drawing.px(36)
    text = stacked(wrap("; ".join(drawing.colour_bar_notes(drawing.shared)), room, size))
    return [annotation(text, 0, 0, size=size, colour=drawing.colours.muted, yshift=-drawing.px(12 + THICK / 2), **place)]


def _strip(drawing: Drawing) -> list[Trace]:
    matrix = drawing.data
    if matrix.reference is None:
        return []
    points = [
        Point(estimate, i, strip_hover(matrix, i, estimate, named(matrix)), [i], estimate.ends is None and bool(estimate.why))
        for i, estimate in enumerate(matrix.reference)
        if estimate.defined
    ]
    colour, symbol = style.coefficient(matrix.symbol, drawing.colours)
    look: dict[str, Any] = {} if drawing.written else {"size": min(8, (drawing.row + 1) / drawing.scale), "thick": 1.5}
    return [marks.dots(points, colour=colour, symbol=symbol, scale=drawing.scale, xaxis="x2", **look)]


def _missing(drawing: Drawing) -> list[Trace]:
    """Where rows are too close for words, a dash in the strip for each rater without a value."""
    matrix = drawing.data
    rows = [(i, with_reference) for i, with_reference in enumerate(matrix.reference or ()) if math.isnan(with_reference.value)]
    if drawing.named or not rows:
        return []
    hovers = [strip_hover(matrix, i, with_reference, named(matrix)) for i, with_reference in rows]
    look = {"symbol": "line-ew-open", "size": drawing.px(8), "color": drawing.colours.neutral}
    at = {"x": [0.0] * len(rows), "y": [i for i, _ in rows], "xaxis": "x2", "hovertext": hovers}
    return [scatter(mode="markers", marker=look, cliponaxis=False, **at)]


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    """From 0 to 1 behind every dot of the strip."""
    if drawing.data.reference is None:
        return []
    line, look = {"color": drawing.colours.grid, "width": drawing.px(1.5)}, {"xref": "x2", "layer": "below"}
    rows = [row for row, with_reference in enumerate(drawing.data.reference) if not math.isnan(with_reference.value)]
    return [{"type": "line", "x0": 0, "x1": 1, "y0": row, "y1": row, "line": line, **look} for row in rows]


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    if not drawing.named:
        return []
    texts, room = [], drawing.left - 8
    for i, (name, short) in enumerate(zip(drawing.data.names, drawing.shorts, strict=True)):
        lines = wrap(short, room, drawing.size, lines=2 if drawing.written else 1)
        texts.append(row_name(drawing, name, lines, i, size=drawing.size, gap=6))
    if drawing.written:
        y = drawing.px(9)
        look: dict[str, Any] = {"size": drawing.size, "colour": drawing.colours.text, "yref": "paper"}
        texts += [annotation(escape(text), i, 1, yshift=y, **look) for i, text in enumerate(drawing.columns)]
    return texts


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    """Of few, every value in its cell where the cell has room for it, and under it the shared decisions where they have room.

    A pair that shares none has an empty cell.
    """
    size, lead = drawing.cell_size, drawing.n_before
    if not size:
        return []
    texts = []
    for i, j in zip(*np.nonzero(drawing.data.drawn), strict=True):
        value = float(drawing.data.values[i, j])
        if math.isnan(value) and not drawing.data.shared[i, j]:
            continue
        colour = drawing.colours.muted if math.isnan(value) else drawing.ink(value)
        text = number(value)
        if lead is not None:
            shared = count(int(drawing.data.shared[i, j]))
            text = f"<span style='font-size:{size:g}px'>{text}</span><br>{lead}{shared}"
        text_size = size if lead is None else drawing.px(SMALLEST)
        texts.append(annotation(text, int(j), int(i), size=text_size, colour=colour))
    return texts


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    """Return what the strip is of, and a dash in it where a rater has no value."""
    matrix = drawing.data
    if matrix.reference is None:
        return []
    low, high = reach(matrix.reference)
    size, room = drawing.px(style.SMALL), drawing.strip
    lines = [named(matrix).removesuffix(plain(matrix.reference_name)).rstrip(), fit(matrix.reference_name, room, size)]
    if text_width(" ".join(lines), size) <= room:
        lines = [" ".join(lines)]
    place = {"xref": "x2", "yref": "paper", "yshift": drawing.px(4 + 8 * len(lines))}
    head = annotation(stacked(lines), (low + high) / 2, 1, size=size, colour=drawing.colours.muted, **place)
    look: dict[str, Any] = {"size": drawing.px(SMALLEST), "colour": drawing.colours.muted, "xref": "x2", "xanchor": "left"}
    missing = [(i, with_reference) for i, with_reference in enumerate(matrix.reference) if math.isnan(with_reference.value)]
    shown = f"{UNDEFINED} undefined"
    shown = shown if text_width(shown, drawing.px(SMALLEST)) <= 0.8 * drawing.strip else UNDEFINED
    if not drawing.named:
        return [head]
    return [
        head,
        *(
            annotation(shown, 0, i, hovertext=strip_hover(matrix, i, with_reference, named(matrix)), **look)
            for i, with_reference in missing
        ),
    ]


def _strip_values(drawing: Drawing) -> list[dict[str, Any]]:
    """Of few, the number above each dot of the strip, and under it its interval, which may be narrower than the dot."""
    matrix = drawing.data
    if matrix.reference is None or not drawing.written:
        return []
    colour, out = style.coefficient(matrix.symbol, drawing.colours)[0], []
    size, middle = drawing.px(SMALLEST), sum(reach(matrix.reference)) / 2
    look: dict[str, Any] = {"size": size, "xref": "x2", "bgcolor": drawing.colours.page}
    for i, with_reference in enumerate(matrix.reference):
        if math.isnan(with_reference.value):
            continue
        out.append(
            annotation(number(with_reference.value), with_reference.value, i, colour=colour, yshift=drawing.px(14), **look)
        )
        ends = bounds(with_reference.ends)
        if with_reference.ends and text_width(ends, size) <= drawing.strip + GAP / 2:
            out.append(annotation(ends, middle, i, colour=drawing.colours.muted, yshift=-drawing.px(14), **look))
    return out

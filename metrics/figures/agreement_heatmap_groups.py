"""Groups of raters that think alike: their frames and names beside the map, and a map of groups alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from metrics.figures import theme as style
from metrics.figures.agreement_heatmap_parts import GAP, LINE, AgreementHeatmap, Drawing, Group
from metrics.figures.fitting import spread_positions
from metrics.figures.marks import annotation
from metrics.figures.theme import escape, fit
from metrics.results.estimate import Estimate
from metrics.results.words import count, plain, several

BRACKET = 7
"""Px from the map to the line beside a group."""


def by_group(heatmap: AgreementHeatmap) -> AgreementHeatmap:
    """Return groups as rows: mean of the pairs between two groups that are defined, items shared by a pair on average.

    Raters in no group are left out. The mean within a group is the group's own; NaN where no pair between two is defined.
    """
    spans = [slice(group.first, group.last + 1) for group in heatmap.groups]
    values = np.array([[mean_of(heatmap.pairs[span, other]) for other in spans] for span in spans]).reshape(
        len(spans), len(spans)
    )
    shared = np.array([[mean_of(heatmap.shared[span, other]) for other in spans] for span in spans]).reshape(values.shape)
    reference = None
    if heatmap.reference is not None:
        kept = [np.array([with_reference.value for with_reference in heatmap.reference[span]]) for span in spans]
        reference = [Estimate(mean_of(of_group)) for of_group in kept]
    values[np.diag_indices(len(spans))] = [group.mean for group in heatmap.groups]
    rest = len(heatmap) - sum(group.last - group.first + 1 for group in heatmap.groups)
    return replace(
        heatmap,
        names=[name_of(heatmap, group) for group in heatmap.groups],
        values=values,
        shared=np.nan_to_num(shared).round().astype(np.int64),
        groups=(),
        reference=reference,
        who="groups",
        diagonal=True,
        note=f"{several(rest, heatmap.who)} in no group" if rest else "",
    )


def name_of(heatmap: AgreementHeatmap, group: Group) -> str:
    """Return what its members share, else how many they are."""
    return ", ".join(group.shares) or f"{count(group.last - group.first + 1)} {heatmap.who}"


def mean_of(values: np.ndarray[Any, Any]) -> float:
    """Of what is defined; NaN where nothing is."""
    there = values[~np.isnan(values)]
    return float(there.mean()) if there.size else float("nan")


def group_labels(drawing: Drawing) -> list[dict[str, Any]]:
    """Return mean and what they share, right of the map, pushed apart where they would meet."""
    groups, lines = fitting_labels(drawing)
    placed = _placed(drawing, groups, lines)
    place = {"xref": "paper", "xanchor": "left", "xshift": BRACKET + GAP / 2}
    size, colour, label_texts = drawing.px(style.SMALL), drawing.colours.text, []
    for group, texts, y in zip(groups, lines, placed, strict=True):
        shown = "<br>".join([f"<b>{escape(texts[0])}</b>", *map(escape, texts[1:])])
        whole = "<br>".join([drawing.mean(group), *map(escape, group.shares)])
        label_texts.append(
            annotation(shown, drawing.domains[0], y, size=size, colour=colour, **place, hovertext=whole, captureevents=False)
        )
    return label_texts


def fitting_labels(drawing: Drawing) -> tuple[list[Group], list[list[str]]]:
    """Return groups with their lines: all lines where they have room, else one line each, else the largest groups alone."""
    size, room, tall = drawing.px(style.SMALL), drawing.labels - BRACKET - GAP / 2, drawing.tall
    groups = [group for group in drawing.data.groups if group.last > group.first]
    most = int(tall // drawing.px(LINE))
    for shares in (4, 2, 1):
        lines = [[drawing.mean(group), *(fit(text, room, size) for text in _first(group, shares))] for group in groups]
        if sum(map(len, lines)) <= most:
            return groups, lines
    largest = sorted(groups, key=lambda group: group.first - group.last)[: max(most, 1)]
    groups = [group for group in groups if group in largest]
    return groups, [[fit(" ".join([drawing.mean(group), *group.shares]), room, size, bold=True)] for group in groups]


def _first(group: Group, most: int) -> list[str]:
    """At most so many of the things they share; the last line says how many more there are."""
    if len(group.shares) <= most:
        return list(map(plain, group.shares))
    rest = len(group.shares) - most + 1
    return [*map(plain, group.shares[: most - 1]), f"{count(rest)} others" if most > 1 else ", ".join(map(plain, group.shares))]


def _placed(drawing: Drawing, groups: list[Group], lines: list[list[str]]) -> list[float]:
    """Return middles of the labels in rows."""
    wanted = [_middle(group) * drawing.row + drawing.row / 2 for group in groups]
    places = spread_positions(wanted, drawing.px(LINE), drawing.tall - drawing.px(LINE), [len(texts) for texts in lines])
    return [place / drawing.row - 0.5 for place in places]


def _middle(group: Group) -> float:
    return (group.first + group.last) / 2


def group_shapes(drawing: Drawing) -> list[dict[str, Any]]:
    """Return frames on the map; beside it a line along each group, led to its label where that had to move."""
    groups, lines = fitting_labels(drawing)
    ink = {"color": drawing.colours.text, "width": drawing.px(1.5)}
    framed = [group for group in drawing.data.groups if group.last > group.first]
    shapes: list[dict[str, Any]] = [
        {"type": "rect", "x0": group.first - 0.5, "x1": group.last + 0.5, "y0": group.first - 0.5, "y1": group.last + 0.5}
        | {"line": ink, "layer": "above"}
        for group in framed
    ]
    beside = {"xref": "paper", "xsizemode": "pixel", "xanchor": drawing.domains[0], "layer": "above"}
    for group, y in zip(groups, _placed(drawing, groups, lines), strict=True):
        ends = {"y0": group.first - 0.35, "y1": group.last + 0.35}
        shapes.append({"type": "line", "x0": BRACKET, "x1": BRACKET, "line": ink, **ends, **beside})
        if not group.first - 0.5 <= y <= group.last + 0.5:
            thin = {"color": drawing.colours.axis, "width": 1}
            led = {"x0": BRACKET, "x1": BRACKET + GAP / 2, "y0": _middle(group), "y1": y}
            shapes.append({"type": "line", "line": thin, **led, **beside})
    return shapes

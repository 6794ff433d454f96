"""Pairs of raters that share most decisions, one row each: in place of a map of many raters, most of whom never met."""

from __future__ import annotations

import numpy as np

from metrics.figures import levels
from metrics.figures.agreement_heatmap_parts import NOTHING, AgreementHeatmap
from metrics.figures.levels import LevelRow, levels_dots
from metrics.figures.theme import Theme
from metrics.figures.traces import Figure
from metrics.results.estimate import Estimate
from metrics.results.words import count, plain

MOST = 16
"""Pairs drawn."""
REASON = "one label only"


def pair_list(matrix: AgreementHeatmap, *, theme: Theme, scale: float = 1.0, width: float = 340) -> Figure:
    """Return a row per pair with its coefficient and shared decisions, the most first.

    Parameters
    ----------
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    look = {"theme": theme, "scale": scale, "width": width}
    return levels_dots(_rows(matrix), symbol=matrix.symbol, **look)  # type: ignore[arg-type]


def alt(matrix: AgreementHeatmap) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    rows = _rows(matrix)
    return levels.alt(rows, symbol=f"{matrix.symbol} of pairs of {matrix.who}") if rows else f"{NOTHING}."


def n_listed(matrix: AgreementHeatmap) -> int:
    """Return how many pairs are drawn."""
    return len(_rows(matrix))


def _rows(matrix: AgreementHeatmap) -> list[LevelRow]:
    above = np.argwhere(np.triu(matrix.shared > 0, 1))
    pairs = sorted(above.tolist(), key=lambda pair: -int(matrix.shared[tuple(pair)]))[:MOST]
    return [
        LevelRow(
            f"{plain(matrix.names[i])} · {plain(matrix.names[j])}",
            Estimate(float(matrix.values[i, j]), why="" if np.isfinite(matrix.values[i, j]) else REASON),
            note=f"n {count(int(matrix.shared[i, j]))}",
        )
        for i, j in pairs
    ]

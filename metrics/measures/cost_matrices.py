"""Cost matrices over three answers (positive, negative, no verdict), and what three answers do to correlations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.asker import flag
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, as_confusion, safe_ratio
from metrics.measures.coefficients import penalties
from metrics.measures.ordered import spearman

Cost = tuple[tuple[float, ...], ...]
COSTS = ("nominal", "halfway", "as-negative", "as-positive")
PLACES = {"as-negative": 0.0, "halfway": 0.5, "as-positive": 1.0}
"""Presets on the line from "no verdict is as good as the negative label" (0) to "as good as the positive one" (1)."""
CODES = (1.0, 0.0, 0.5)
"""Positive, negative and no verdict as numbers."""
LOW_TO_HIGH = (1, 2, 0)
# Numbers that differ by rounding alone are equal.
SAME = 1e-12
EXAMPLE = "0,1,1;1,0,1;1,1,0"


def slide_cost(s: float) -> FloatArray:
    """Return cost with an abstention s of the way from "as good as negative" (0) to "as good as positive" (1), shape (3, 3)."""
    return np.array([[0.0, 1.0, 1 - s], [1.0, 0.0, s], [1 - s, s, 0.0]])


def cost_of(given: str | ArrayLike) -> Cost:
    """Return a preset by its name, nine numbers as text, or a matrix, checked.

    Parameters
    ----------
    given : {"nominal", "halfway", "as-negative", "as-positive"}, text or array_like, shape (3, 3)
        Positive, negative, no verdict; reference in rows, judge in columns.

    Raises
    ------
    InputError
        For an unknown name, and a matrix that is not 3 x 3, has a cost that is negative or not finite or one on the diagonal, or
        is all zero.
    """
    if isinstance(given, str):
        if given == "nominal":
            return as_cost(penalties(3, None))
        if given in PLACES:
            return as_cost(slide_cost(PLACES[given]))
        if ";" not in given:
            raise InputError(f"Unknown cost {given!r}. Use one of {', '.join(COSTS)}, or nine numbers such as {EXAMPLE}.")
        given = parsed(given)
    try:
        return as_cost(penalties(3, given))
    except ValueError as error:
        raise InputError(f"The cost matrix cannot be used: {error}.") from None


def parsed(text: str) -> list[list[float]]:
    """Return nine numbers, whether or not they make a cost matrix: `0,1,1;1,0,1;1,1,0`.

    Raises
    ------
    InputError
        For anything but three rows of three numbers.
    """
    refused = InputError(f"{text!r} is no 3 x 3 matrix of numbers. Write it row by row: {flag('--cost', EXAMPLE, EXAMPLE)}")
    try:
        rows = [[float(cell) for cell in row.split(",")] for row in text.split(";")]
    except ValueError:
        raise refused from None
    if [len(row) for row in rows] != [3, 3, 3]:
        raise refused
    return rows


def cost_text(cost: Cost) -> str:
    """Return a matrix on one line, as the command line and links take it: 0,1,0.5;1,0,0.5;0.5,0.5,0."""
    return ";".join(",".join(f"{cell:g}" for cell in row) for row in cost)


def preset_of(cost: Cost) -> str:
    """Return the name of the preset that weighs alike, also in another unit; empty where there is none."""
    return next((name for name in COSTS if np.allclose(_unit(cost), _unit(cost_of(name)), atol=SAME)), "")


def place_of(cost: Cost) -> float | None:
    """Return where a matrix lies between "as good as negative" (0) and "as good as positive" (1); None off that line."""
    matrix = np.asarray(cost)
    if not matrix[0, 1]:
        return None
    s = float(matrix[1, 2] / matrix[0, 1])
    return s if np.allclose(matrix / matrix[0, 1], slide_cost(s), atol=1e-9) and 0 <= s <= 1 else None


def _unit(cost: Cost) -> FloatArray:
    matrix = np.asarray(cost, np.float64)
    return np.asarray(matrix / matrix.max())


def as_cost(matrix: FloatArray) -> Cost:
    """Return a matrix as rows of numbers."""
    return tuple(tuple(float(cell) for cell in row) for row in matrix)


@dataclass(frozen=True)
class Correlations:
    """Pearson and Spearman of two lists of three answers coded 1 (positive), ½ (no verdict) and 0 (negative).

    Attributes
    ----------
    reference, judge : tuple of int
        How often each side says positive, negative, and gives no verdict.
    pearson, spearman : float
        NaN where a side gives one answer only.
    """

    reference: tuple[int, int, int]
    judge: tuple[int, int, int]
    pearson: float
    spearman: float

    @property
    def guaranteed(self) -> bool:
        """Both must be equal: on each side the ranks are an affine function of the codes."""
        return affine(self.reference) and affine(self.judge)

    @property
    def equal(self) -> bool:
        return abs(self.pearson - self.spearman) <= SAME


def affine(counts: tuple[int, int, int]) -> bool:
    """Return whether ranks follow the codes 1, 0, ½ in a straight line: positives as many as negatives, or two answers in use."""
    return counts[0] == counts[1] or sum(count > 0 for count in counts) < 3


def correlations(counts: ArrayLike) -> Correlations:
    """Return Pearson and Spearman of a table of three answers.

    Parameters
    ----------
    counts : array_like, shape (3, 3)
        Decisions in the order positive, negative, no verdict; reference in rows, judge in columns.

    Raises
    ------
    ValueError
        As `metrics.measures.arrays.as_confusion`.
    """
    table = as_confusion(counts, classes=3)
    codes, ascending = np.array(CODES), table[np.ix_(LOW_TO_HIGH, LOW_TO_HIGH)]
    reference, judge = ((int(m[0]), int(m[1]), int(m[2])) for m in (table.sum(1), table.sum(0)))
    return Correlations(reference, judge, _correlation(table, codes, codes), float(spearman(ascending)))


def _correlation(table: FloatArray, rows: FloatArray, columns: FloatArray) -> float:
    n = table.sum()
    if not n or min((table.sum(axis) > 0).sum() for axis in (0, 1)) < 2:
        return float("nan")
    x, y = rows - table.sum(1) @ rows / n, columns - table.sum(0) @ columns / n
    spread = np.sqrt((table.sum(1) @ x**2) * (table.sum(0) @ y**2))
    return float(np.clip(safe_ratio(x @ table @ y, spread), -1.0, 1.0))

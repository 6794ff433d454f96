"""Numbers in steps: exact where there are few of them, else rounded to a step that is stated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from metrics.asker import flag
from metrics.engines.engine_gaps import BLANKS, Frame, cell, collected, is_blank
from metrics.engines.planning import Plan
from metrics.errors import InputError
from metrics.readers.labelling import MOST_LABELS
from metrics.readers.measuring import numbers_of
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable

MOST_LEVELS = 1000


@dataclass(frozen=True)
class Grid:
    """A column of numbers whose cells are whole numbers of steps."""

    step: str
    cell: nw.Expr

    def texts_of(self, column: pa.ChunkedArray) -> list[str]:
        """Return the numbers, as a person would type them.

        Parameters
        ----------
        column : pa.ChunkedArray, length n
            Whole numbers of steps as text; empty where there is no number.

        Returns
        -------
        list of str, length n
            Empty where there is no number.
        """
        step = Decimal(self.step)
        return ["" if not steps else _plainly(int(steps) * step) for steps in column.to_pylist()]


def _plainly(number: Decimal) -> str:
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def grids_of(frame: Frame, plan: Plan, head: TextTable, steps: Mapping[str, float | str]) -> dict[str, Grid]:
    """Return the columns whose numbers are rounded.

    Parameters
    ----------
    frame : Frame
    plan : Plan
    head : Table
        First rows, which tell a column of numbers among those of labels.
    steps : mapping of column to step
        Of columns that are to be rounded whatever they hold.

    Raises
    ------
    InputError
        For a step that is none, or a column to be rounded that holds something else than numbers.
    """
    schema = frame.collect_schema()
    for column in steps:
        if column not in plan.values:
            refuse(
                f"‘{brief(column)}’ is no column of scores or labels of {brief(plan.name)}; {flag('--grid')} rounds only these.",
                column=column,
            )
    grids = {}
    for column in plan.values:
        if column in steps:
            step = _step(column, steps[column])
            why = f"‘{brief(column)}’ holds values that are no numbers: {flag('--grid')} cannot round it. "
            _ends(frame, column, schema[column], why)
            grids[column] = _grid(column, schema[column], step)
        elif (column in plan.scores or _measures(head, column)) and _many(frame, column, schema[column]):
            grids[column] = _grid(column, schema[column], _fitting(frame, column, schema[column]))
    return grids


def _step(column: str, given: float | str) -> str:
    try:
        step = Decimal(str(given))
    except InvalidOperation:
        step = Decimal(0)
    if not step.is_finite() or step <= 0 or not 1e-9 <= step <= 1e9:
        refuse(f"‘{brief(given, 20)}’ (for ‘{brief(column)}’) is no step of a grid: give a number above 0, such as 0.01.")
    return _plainly(step)


def _measures(head: TextTable, column: str) -> bool:
    """Return whether a column of labels holds more numbers than labels would be."""
    names = head.coded(column).names
    return len(names) > MOST_LABELS and int(np.isnan(numbers_of(names)).sum()) <= MOST_LABELS


def _many(frame: Frame, column: str, kind: Any) -> bool:
    levels = frame.select(cell(column, kind).alias("k")).group_by("k").agg(nw.len().alias("n")).head(MOST_LEVELS + 2)
    return bool(collected(levels).num_rows > MOST_LEVELS + 1)


def _number(column: str, kind: Any) -> nw.Expr:
    """Return the number in a cell, 0 where it is empty."""
    expr = nw.col(column)
    if kind == nw.String:
        trimmed = expr.str.strip_chars(BLANKS)
        expr = nw.when(trimmed == nw.lit("")).then(nw.lit("0")).otherwise(trimmed)
    return nw.when(is_blank(column, kind)).then(nw.lit(0.0)).otherwise(expr.cast(nw.Float64))


def _grid(column: str, kind: Any, step: str) -> Grid:
    steps = (_number(column, kind) / float(step) + 0.5).floor().cast(nw.Int64).cast(nw.String)
    return Grid(step, nw.when(is_blank(column, kind)).then(nw.lit("")).otherwise(steps))


def _ends(frame: Frame, column: str, kind: Any, no_numbers: str) -> tuple[float, float]:
    """Return the least and the greatest number of a column, 0 where it is empty; refused where they are none."""
    try:
        there = frame.filter(~is_blank(column, kind)).select(_number(column, kind).alias("k"))
        # engines differ in what the greatest of NaN and 1 is
        there = there.with_columns(nw.when(nw.col("k").is_nan()).then(nw.lit(1)).otherwise(nw.lit(0)).alias("none"))
        asked = nw.col("k").min().alias("a"), nw.col("k").max().alias("b"), nw.col("none").max()
        ends = collected(there.select(*asked)).to_pylist()[0]
        least, most = (0.0 if ends[name] is None else float(ends[name]) for name in ("a", "b"))
    except InputError:
        raise
    except Exception:
        # each engine has its own exception for text that spells no number
        refuse(f"{no_numbers}Leave the column out, or write its numbers with a point.", column=column)
    if ends["none"]:
        refuse(f"{no_numbers}Leave such cells empty.", column=column)
    if not math.isfinite(most - least) or max(abs(least), abs(most)) > 1e15:
        refuse(f"‘{brief(column)}’ holds numbers that are infinite or too large to be rounded.", column=column)
    return least, most


def _fitting(frame: Frame, column: str, kind: Any) -> str:
    """Return the smallest of the steps 1, 2, 5, 10, … that leaves no more than so many levels."""
    no_numbers = f"‘{brief(column)}’ holds more than {MOST_LEVELS} different values, not all of them numbers. "
    least, most = _ends(frame, column, kind, no_numbers)
    span = most - least
    power = math.floor(math.log10(span / MOST_LEVELS)) if span else 0
    for exponent in (power, power + 1):
        for lead in (1, 2, 5):
            step = Decimal(lead).scaleb(exponent)
            if span <= float(step) * (MOST_LEVELS - 1):
                return _step(column, format(step, "f"))
    raise AssertionError

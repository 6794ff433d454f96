"""Cells as every engine spells them alike: text, or a number that is never missing and never minus zero."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import narwhals as nw
import pyarrow as pa

from metrics.readers.frames import text as as_text
from metrics.readers.messages import brief, refusal

NOTHING = 1.7976931348623157e308
"""Stands for an empty cell in a column of floating-point numbers; the largest of them."""
BLANKS = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())
"""Everything that trimming takes off, so that no engine goes by a list of its own."""


def cell(column: str, kind: Any) -> nw.Expr:
    """Return a cell of a column, empty ones as "" or `NOTHING`: group-bys and joins of some engines drop what is missing.

    Raises
    ------
    InputError
        For a type that no label, name or number has.
    """
    expr = nw.col(column)
    if kind == nw.String:
        return expr.fill_null("")
    if is_coded(kind) or kind in (nw.Date, nw.Decimal):
        return expr.cast(nw.String).fill_null("")
    if kind == nw.Boolean:
        return (
            nw.when(expr)
            .then(nw.lit("true"))
            .otherwise(nw.when(expr == nw.lit(False)).then(nw.lit("false")).otherwise(nw.lit("")))
        )
    if kind.is_integer():
        return expr.cast(nw.String).fill_null("")
    if kind.is_float():
        there = nw.when(_is_nothing(expr)).then(nw.lit(NOTHING)).otherwise(expr.cast(nw.Float64))
        return nw.when(expr == 0).then(nw.lit(0.0)).otherwise(there)
    if kind == nw.Unknown:
        return expr.cast(nw.String).fill_null("")
    raise refusal(
        f"The column ‘{brief(column)}’ holds values of the type {brief(kind, 40)}, which are no labels, names or numbers. "
        "Write them as text.",
        column=column,
    )


def is_coded(kind: Any) -> bool:
    """Return whether cells are codes of texts."""
    return isinstance(kind, nw.Categorical | nw.Enum) or kind in (nw.Categorical, nw.Enum)


def _is_nothing(expr: nw.Expr) -> nw.Expr:
    return expr.is_null() | expr.is_nan()


def is_blank(column: str, kind: Any) -> nw.Expr:
    """Return whether a cell holds nothing but blanks, never missing itself."""
    expr = nw.col(column)
    if kind.is_float():
        return _is_nothing(expr)
    if kind in (nw.String, nw.Unknown) or is_coded(kind):
        text = expr.cast(nw.String).fill_null("")
        # trimming every cell takes longer than all the counting: hardly any starts with what sorts like a blank
        maybe = (text < nw.lit("!")) | (text > nw.lit("~"))
        return nw.when(maybe).then(text.str.strip_chars(BLANKS) == nw.lit("")).otherwise(nw.lit(False))
    return expr.is_null()


def texts_of(column: pa.ChunkedArray, kind: Any) -> list[str]:
    """Return what `cell` made of a column, as the reader of tables spells it.

    Parameters
    ----------
    column : pa.ChunkedArray, length n
    kind : type of Narwhals
        Of the column in the source.

    Returns
    -------
    list of str, length n
        Empty for an empty cell.
    """
    texts = ["" if value is None or value == NOTHING else as_text(value) for value in column.to_pylist()]
    # Dask spells a decimal 0 with its places as 0E-9
    return [as_text(Decimal(text)) if text else "" for text in texts] if kind == nw.Decimal else texts

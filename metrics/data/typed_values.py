"""Values and costs of options as they are typed, on the command line and on a page."""

from __future__ import annotations

from metrics.errors import InputError


def worth(text: str) -> dict[str, float] | None:
    """Return `1=0, 2=25` as what options are worth; None where nothing is written.

    Raises
    ------
    InputError
        For what is no number.
    """
    if not text.strip():
        return None
    value_by_option = {}
    for part in text.replace(";", ",").split(","):
        name, _, number = part.rpartition("=")
        try:
            value_by_option[name.strip()] = float(number)
        except ValueError:
            raise InputError(f"‘{part.strip()}’ gives no option its worth. Write it as 1=0, 2=25, 3=100.") from None
    return value_by_option


def matrix(text: str, option: str = "") -> list[list[float]] | None:
    """Return rows between semicolons, numbers between commas; None where nothing is written.

    Raises
    ------
    InputError
        For what is no table of numbers.
    """
    if not text.strip():
        return None
    try:
        rows = [[float(cell) for cell in row.split(",")] for row in text.split(";")]
    except ValueError:
        rows = []
    if not rows or len({len(row) for row in rows}) > 1:
        raise InputError(f"{option}{text!r} is no table of numbers. Write rows between semicolons, as in 0,1,4;1,0,1;4,1,0.")
    return rows

"""Parts of messages: names shortened, values on one line, never more than a reader takes in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from metrics.asker import worded
from metrics.errors import InputError


def brief(text: object, length: int = 60) -> str:
    """Return a name or value from a file as it can stand in a sentence."""
    whole = str(text)
    ends = whole if len(whole) <= 2 * length else whole[:length] + whole[-length:]
    line = "".join(c if c.isprintable() else " " for c in ends)
    if len(line) <= length:
        return line
    head = length * 2 // 3
    return f"{line[:head]}…{line[head + 1 - length :]}"


def refusal(message: str, *, row: int | None = None, column: str | None = None, about: str = "") -> InputError:
    """Return the error for input that cannot be used; `refuse` raises it.

    Parameters
    ----------
    message : str
    row : int, optional
        Record number in the file.
    column : str, optional
    about : str
        What a page can ask about; see `InputError`.
    """
    return InputError(message, row=row, column=column, about=about)


def refuse(message: str, *, row: int | None = None, column: str | None = None, about: str = "") -> NoReturn:
    """Refuse input that cannot be used.

    Parameters
    ----------
    message : str
    row : int, optional
        Record number in the file.
    column : str, optional
    about : str
        What a page can ask about; see `InputError`.

    Raises
    ------
    InputError
        Always.
    """
    raise refusal(message, row=row, column=column, about=about)


def listed(names: Iterable[object], most: int = 6) -> str:
    """Return `a, b, c and 4 more`."""
    names = list(names)
    shown = ", ".join(brief(name, 40) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def times(count: int, singular: str, many: str) -> str:
    """Return a number with its word.

    Parameters
    ----------
    count : int
    singular, many : str
        The word for one, and for any other number.
    """
    return f"{count} {singular if count == 1 else many}"


def skipping() -> str:
    """Return how bad rows are left out, as the end of a sentence."""
    return worded(" with --skip-bad-rows", " with skip_bad_rows=True", "")


def before_the_name() -> str:
    """Return how to say who is human and who a judge in a table with a column for each."""
    return worded(*(" Write human: or judge: before the name.",) * 2, "")

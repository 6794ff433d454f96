"""The one error a user can cause, and mend."""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used as it stands.

    The message is complete for a reader: it names the file, the row and column where there is one, and the mend.

    Attributes
    ----------
    row : int or None
        Record number in the file, the header being row 1.
    column : str or None
        Column name as written in the file.
    """

    def __init__(self, message: str, *, row: int | None = None, column: str | None = None) -> None:
        super().__init__(message)
        self.row = row
        self.column = column

"""The one error a user can cause, and mend."""

from __future__ import annotations

LONGEST = 1000


class InputError(ValueError):
    """Input that cannot be used as it stands.

    The message is complete for a reader: it names the file, the row and column where there is one, and the mend.

    It has at most `LONGEST` characters, whatever was quoted in it.

    Attributes
    ----------
    row : int or None
        Record number in the file, the header being row 1.
    column : str or None
        Column name as written in the file.
    about : str
        `repeats` where a page can ask which of contradicting rows counts, `rows` where it can leave out bad ones; else empty.
    """

    def __init__(self, message: str, *, row: int | None = None, column: str | None = None, about: str = "") -> None:
        super().__init__(message if len(message) <= LONGEST else message[: LONGEST - 1] + "…")
        self.row = row
        self.column = column
        self.about = about


class NothingShared(InputError):
    """Two judges that are to be compared have no decision in common, of which the reference says something."""

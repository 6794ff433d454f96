"""What pages save as JSON files of their own and load again: decisions of a review, codes of disagreements."""

from __future__ import annotations

from typing import Any

from metrics.errors import InputError
from metrics.readers.json_records import parsed


def loaded(text: str | bytes, name: str, button: str) -> Any:
    """Return the content of a file that a button wrote.

    Parameters
    ----------
    text : str or bytes
    name : str
        Of the file, for messages.
    button : str
        What it says.

    Raises
    ------
    InputError
        Where it is no JSON.
    """
    try:
        return parsed(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    except ValueError:
        raise InputError(f"{name} is not JSON. Load a file that “{button}” wrote.") from None


def written_text(value: object) -> str:
    """Return text that can be written again: JSON may hold halves of characters, which no encoding has."""
    return str(value).encode("utf-8", "replace").decode("utf-8").replace("\0", "")

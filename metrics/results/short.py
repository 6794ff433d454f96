"""Records whose `repr` has ten lines at most: in full theirs would be every number they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import fields
from typing import Any

import numpy as np

from metrics.results import words

MOST_SHOWN, BROADEST = 8, 100
"""Fields and lines that are shown, and letters of one."""


class Short:
    """A record whose `repr` names its fields with what each holds, and of one with a `summary` shows how that begins."""

    def __init_subclass__(cls) -> None:
        """Keep the `repr` of every such record: a data class would write each of its fields in full."""
        super().__init_subclass__()
        setattr(cls, "__repr__", Short.__repr__)  # noqa: B010

    def __repr__(self) -> str:
        """Return at most ten lines."""
        summary = getattr(self, "summary", None)
        if summary is not None:
            lines, end = [line for line in summary().split("\n") if line.strip()], ["  Everything: .summary()"]
        else:
            lines, end = [f"{field.name}: {contents_of(getattr(self, field.name))}" for field in fields(self)], []  # type: ignore[arg-type]
        room = MOST_SHOWN + (len(lines) == MOST_SHOWN + 1)  # the last one takes no more than to say that it is left out
        shown = [line if len(line) <= BROADEST else f"{line[: BROADEST - 1]}…" for line in lines[:room]]
        more = [] if len(lines) <= room else end or [f"  and {words.count(len(lines) - room)} more fields"]
        return "\n".join([type(self).__name__, *(f"  {line}" for line in shown), *more])


def contents_of(value: Any) -> str:
    """Return what a field holds: the value of a short one, else the names in it, or of what kind it is and how much of it."""
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}" if value.size > MOST_SHOWN else str(value.tolist())
    if isinstance(value, str):
        return value
    text = " ".join(repr(value).split()) if not isinstance(value, Sized) or len(value) <= MOST_SHOWN else ""
    if text and len(text) <= BROADEST // 2:
        return text
    if isinstance(value, Mapping):
        return f"{words.count(len(value))}: {', '.join(map(str, value))}"
    if isinstance(value, tuple | list) and value:
        named = [str(one.name) for one in value if hasattr(one, "name")]
        return ", ".join(named) or f"{words.count(len(value))} × {type(value[0]).__name__}"
    return type(value).__name__

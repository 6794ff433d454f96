"""Parts of messages: names shortened, values on one line, never more than a reader takes in."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import NoReturn

from metrics.asker import asker, flag, worded
from metrics.errors import InputError


def brief(text: object, length: int = 60) -> str:
    """A name or value from a file as it can stand in a sentence."""
    whole = str(text)
    ends = whole if len(whole) <= 2 * length else whole[:length] + whole[-length:]
    line = "".join(c if c.isprintable() else " " for c in ends)
    if len(line) <= length:
        return line
    head = length * 2 // 3
    return f"{line[:head]}…{line[head + 1 - length :]}"


def refusal(message: str, *, row: int | None = None, column: str | None = None, about: str = "") -> InputError:
    return InputError(message, row=row, column=column, about=about)


def refuse(message: str, *, row: int | None = None, column: str | None = None, about: str = "") -> NoReturn:
    raise refusal(message, row=row, column=column, about=about)


def listed(names: Iterable[object], most: int = 6) -> str:
    """`a, b, c and 4 more`."""
    names = list(names)
    shown = ", ".join(brief(name, 40) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def times(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def skipping() -> str:
    """How bad rows are left out, as the end of a sentence."""
    return worded(" with --skip-bad-rows", " with skip_bad_rows=True", "")


def before_the_name() -> str:
    """How to say who is human and who a judge in a table with a column for each."""
    return worded(*(" Write human: or judge: before the name.",) * 2, "")


def answer(name: str, mapping: Mapping[str, str], most: int = 600) -> str:
    """An answer as who asked can type it; where it would be too long its first parts, and how many more there are.

    A page has controls for it, so there it is empty.
    """
    if asker() == "page":
        return ""
    shown = dict(mapping)
    while True:
        more = len(mapping) - len(shown)
        text = _typed(name, shown) + (f" and {more} more parts" if more > 1 else " and 1 more part" if more else "")
        if len(text) <= most or not shown:
            return text if shown else f"{flag(name)} with {len(mapping)} parts"
        shown.popitem()


def _typed(name: str, mapping: Mapping[str, str]) -> str:
    if asker() == "command":
        return option(name, mapping)
    value = ", ".join(
        f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(own, ensure_ascii=False)}" for key, own in mapping.items()
    )
    return f"{flag(name)}{{{value}}}"


def option(name: str, mapping: Mapping[str, str]) -> str:
    """A command-line option as it can be typed: `--labels "yes=positive,no=negative"`."""
    value = ",".join(f"{_part(key)}={_part(answer)}" for key, answer in mapping.items())
    quoted = shlex.quote(value)
    if quoted != value and not set(value) & set('"$`!\\'):
        quoted = f'"{value}"'
    return f"{name} {quoted}"


def _part(text: str) -> str:
    return f'"{text}"' if any(mark in text for mark in ",=") or text != text.strip() else text

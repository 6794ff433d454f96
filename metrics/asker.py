"""Who asked: a refusal names its mend as an option of the command line, a keyword of Python or a control of the page."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

Asker = Literal["command", "python", "page"]
Value = str | float | Sequence[object] | Mapping[str, object]
_ASKER: ContextVar[Asker | None] = ContextVar("asker", default=None)
_USUAL: list[Asker] = ["python"]
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def usually(asker: Asker) -> None:
    """Word every refusal of this process for this asker, in callbacks and threads too, where `answering` says nothing."""
    _USUAL[:] = [asker]


@contextmanager
def answering(asker: Asker) -> Iterator[None]:
    """Word every refusal inside for this asker; also a decorator."""
    token = _ASKER.set(asker)
    try:
        yield
    finally:
        _ASKER.reset(token)


def asker() -> Asker:
    """Return who is answered now: Python, unless a command or the dashboard says otherwise."""
    return _ASKER.get() or _USUAL[0]


def worded(command: str, python: str, page: str) -> str:
    """Return the one of three wordings that fits who asked.

    Parameters
    ----------
    command, python, page : str
        Words for the command line, for Python and for a page.
    """
    return {"command": command, "python": python, "page": page}[asker()]


def flag(option: str, value: Value = "", page: str = "") -> str:
    """Return an option such as `--skip-bad-rows` as who asked can type it; the page, which has a control for it, names nothing.

    Parameters
    ----------
    value : str, number, sequence of names, or mapping
        Lists and pairs stand between commas on the command line, the rows of a matrix between semicolons; in Python in their
        brackets.
    page : str
        What a page says.
    """
    if asker() == "page":
        return page
    bare = not isinstance(value, float | int) and not value
    if asker() == "command":
        return option if bare else f"{option} {shell(value)}"
    keyword = option.removeprefix("--").replace("-", "_")
    return f"{keyword}={'' if bare else literal(list(value) if isinstance(value, tuple) else value)}"


def literal(value: object) -> str:
    """Return a value as Python writes it, texts in double quotes.

    Parameters
    ----------
    value : str, number, bool or None, or a mapping, list, tuple or set of these
    """
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{literal(name)}: {literal(own)}' for name, own in value.items())}}}"
    if isinstance(value, Set):
        return f"{{{', '.join(sorted(map(literal, value)))}}}" if value else "set()"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(literal, value))}]"
    return repr(value)


def by(option: str) -> str:
    """Return with which option or keyword, or on which page, something is said."""
    return worded(f"with {option}", f"with {flag(option)}", "on the Data page")


def answer(option: str, value: Sequence[str] | Mapping[str, str], most: int = 600) -> str:
    """Return names or pairs as who asked can type them; where they would be too long the first, and how many more there are.

    Parameters
    ----------
    option : str
        Such as `--columns`.
    value : sequence of str, or mapping of str to str
    most : int
        Letters of the longest answer.

    Returns
    -------
    str
        Empty for the page. Only the number of names where even the first one is too long.
    """
    if asker() == "page":
        return ""
    names = list(value)
    for kept in range(len(names), 0, -1):
        kept_parts = {name: value[name] for name in names[:kept]} if isinstance(value, Mapping) else names[:kept]
        more = len(names) - kept
        text = flag(option, kept_parts) + (f" and {more} more {'parts' if more > 1 else 'part'}" if more else "")
        if len(text) <= most:
            return text
    return f"{flag(option)} with {len(names)} parts"


def shell(value: Value) -> str:
    """Return a value as one word of a command line, whatever stands in it: `"yes=positive,not sure=abstention"`."""
    if isinstance(value, str | float | int):
        text = str(value)
    elif not isinstance(value, Mapping) and all(isinstance(row, list | tuple) for row in value):
        text = ";".join(",".join(map(str, row)) for row in value)  # type: ignore[call-overload]
    else:
        pairs = value.items() if isinstance(value, Mapping) else [(name,) for name in value]
        text = ",".join("=".join(map(_part, pair)) for pair in pairs)
    if _CONTROL.search(text):
        escaped = re.sub(rf"{_CONTROL.pattern}|[\\\\']", lambda match: f"\\x{ord(match.group()):02x}", text)
        return f"$'{escaped}'"
    quoted = shlex.quote(text)
    return quoted if quoted == text or set(text) & set('"$`!\\') else f'"{text}"'


def _part(name: object) -> str:
    """Return a name between commas; in double quotes, its own doubled, where a letter of it would separate."""
    text = str(name)
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if set(text) & set(',="') or text != text.strip() else text

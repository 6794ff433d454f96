"""Who asked: a refusal names its mend as an option of the command line, a keyword of Python or a control of the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

Asker = Literal["command", "python", "page"]
_ASKER: ContextVar[Asker] = ContextVar("asker", default="python")


@contextmanager
def answering(asker: Asker) -> Iterator[None]:
    """Word every refusal inside for this asker; also a decorator."""
    token = _ASKER.set(asker)
    try:
        yield
    finally:
        _ASKER.reset(token)


def asker() -> Asker:
    """Who is answered now: Python, unless a command or a page says otherwise."""
    return _ASKER.get()


def worded(command: str, python: str, page: str) -> str:
    """The one of three wordings that fits who asked."""
    return {"command": command, "python": python, "page": page}[_ASKER.get()]


def flag(option: str, value: str = "") -> str:
    """An option such as `--skip-bad-rows` as who asked writes it; the page, which has a control for it, names nothing."""
    keyword = option.removeprefix("--").replace("-", "_")
    return worded(f"{option} {value}".strip(), f"{keyword}={json.dumps(value) if value else ''}", "")


def by(option: str) -> str:
    """With which option or keyword, or on the page that asks about files."""
    return worded(f"with {option}", f"with {option.removeprefix('--').replace('-', '_')}=", "on the Data page")


def answer(name: str, value: dict[str, str]) -> str:
    """A short answer as it can be typed: an option, a keyword, or where the page asks for it."""
    text = ",".join(f"{key}={own}" for key, own in value.items())
    keyword = f"{name.removeprefix('--')}={json.dumps(value, ensure_ascii=False)}"
    return worded(f'{name} "{text}"' if " " in text or ":" in text else f"{name} {text}", keyword, "on the Data page")

"""What the server writes about itself: lines that hold nothing of anybody's file.

A line names an event, a page, a session by a random number, times and counts. An error is told by its kind and the place in the
program where it was raised, because its message may quote a file. Lines of libraries are told in the same way: what they would
say is not ours to vouch for.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import traceback
import warnings
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import streamlit.elements.exception as shown_errors
from streamlit import config
from streamlit import logger as streamlit_logs

SETTING = "KAPPASCOPE_LOGS"
"""`text`: warnings and errors as words; `json`: every event as one object a line; `whole`: nothing is held back, on a machine
where all files are one's own."""
TIMINGS = "KAPPASCOPE_TIMINGS"
"""With `1` every run is written down with its time, and every page says its own."""
NAME = "kappascope"
ROOT = Path(__file__).resolve().parents[3]
UNEXPECTED = (
    "This is a fault of the program, not of your file, and it stopped what was asked for last. What is open here stays open, and "
    "nobody else is affected. The server wrote down the kind of fault and its place in the program, and nothing of your file."
)
Value = str | int | float | bool


def whole() -> bool:
    """Return whether errors are shown and written with everything they say."""
    return os.environ.get(SETTING) == "whole"


def as_json() -> bool:
    return os.environ.get(SETTING) == "json"


def timed() -> bool:
    return os.environ.get(TIMINGS) == "1"


def begin() -> None:
    """Hold back what anybody's file may stand in, from now on and in the whole process."""
    if whole() or logging.getLogRecordFactory() is _record:
        return
    logging.setLogRecordFactory(_record)
    logging.raiseExceptions = False  # or a line that cannot be written is printed with its arguments
    sys.excepthook, threading.excepthook, sys.unraisablehook = _of_process, _of_thread, _of_nobody
    warnings.showwarning = _warned
    config.set_option("logger.enableRich", False)
    config.set_option("logger.messageFormat", "%(message)s")
    config.set_option("client.showErrorDetails", "none")
    shown_errors._GENERIC_UNCAUGHT_EXCEPTION_TEXT = UNEXPECTED  # type: ignore[misc]
    for logger in streamlit_logs._loggers.values():
        for handler in logger.handlers:
            handler.setFormatter(logging.Formatter("%(message)s"))
    streamlit_logs.set_log_level(logging.WARNING)
    streamlit_logs.get_logger(NAME).setLevel(logging.INFO if as_json() or timed() else logging.WARNING)


def log_event(event: str, level: int = logging.INFO, **fields: Value) -> None:
    """One line. Fields are names of pages, numbers and kinds, never anything that a user or a file says."""
    if not whole():
        logging.getLogger(NAME).log(level, {"event": event, **fields})


def kind_and_place(error: BaseException) -> dict[str, Value]:
    """Return what may be said of an error."""
    return {"error": type(error).__name__, "place": place_of(error.__traceback__)}


def place_of(trace: TracebackType | None) -> str:
    """Return the last place in this program, and where it was raised if that is in a library: `metrics/data/pairs.py:51,
    numpy.linalg:20`.
    """
    steps = [(frame, line) for frame, line in traceback.walk_tb(trace)]
    places = [f"{path}:{line}" for frame, line in steps if (path := _ours(frame.f_code.co_filename))]
    if not steps:
        return ""
    frame, line = steps[-1]
    raised = [] if _ours(frame.f_code.co_filename) else [f"{frame.f_globals.get('__name__', '?')}:{line}"]
    return ", ".join([*places[-1:], *raised])


def _ours(file: str) -> str:
    path = Path(file)
    inside = path.is_relative_to(ROOT) and "site-packages" not in path.relative_to(ROOT).parts
    return path.relative_to(ROOT).as_posix() if inside else ""


def _record(
    name: str, level: int, file: str, line: int, message: object, args: Any, error: Any = None, *_: Any, **__: Any
) -> logging.LogRecord:  # fmt: skip
    """Return a record of the log that says what may be said."""
    fields = message if name == NAME and isinstance(message, dict) else {"event": "library", "of": f"{name}:{line}"}
    if isinstance(error, tuple) and isinstance(error[1], BaseException) and "error" not in fields:
        fields = {**fields, **kind_and_place(error[1])}
    moment = datetime.now(UTC).isoformat(timespec="milliseconds")
    whole_line: dict[str, Value] = {"time": moment, "level": logging.getLevelName(level).lower(), **fields}
    return logging.LogRecord(name, level, file, line, _written(whole_line), None, None)


def _written(fields: dict[str, Value]) -> str:
    if as_json():
        return json.dumps(fields)
    head = ("time", "level", "event")
    return " ".join([*(str(fields[name]) for name in head), *(f"{k}={v}" for k, v in fields.items() if k not in head)])


def _of_process(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        log_event("error", logging.ERROR, **kind_and_place(error))


def _of_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        log_event("error", logging.ERROR, **kind_and_place(args.exc_value))


def _of_nobody(args: sys.UnraisableHookArgs) -> None:
    if args.exc_value is not None:
        log_event("error", logging.ERROR, **kind_and_place(args.exc_value))


def _warned(_: object, kind: type[Warning], file: str, line: int, *__: object, **___: object) -> None:
    log_event("warning", logging.WARNING, kind=kind.__name__, place=f"{_ours(file) or Path(file).stem}:{line}")

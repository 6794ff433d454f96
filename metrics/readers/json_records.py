"""JSON bytes -> records, one after the other: never more than one record's worth of text is parsed at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from metrics.readers.limits import CELL, LEFT_OUT, OBJECT
from metrics.readers.messages import brief, listed, refusal, refuse, skipping
from metrics.readers.table import BAD_ROW, CUT_OFF
from metrics.results.words import count

Record = dict[str, Any]
MOST_BRACKETS = 4_000_000
"""Lists and objects in what is parsed as a whole; each takes a hundred bytes of memory for two of the file."""
_BREAKS = re.compile(rb"[\r\n]*")
_SPACE = re.compile(r"[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")
_FILLED = re.compile(rb"\S")
_DECODER = json.JSONDecoder()


class TooMuch(ValueError):
    """JSON that would fill the memory: what it does, in words that follow its name."""


def parsed(data: bytes) -> Any:
    """Return one JSON value, parsed as a whole.

    Raises
    ------
    ValueError
        For what is no JSON, is nested too deeply, or would fill the memory.
    """
    if len(data) > OBJECT:
        raise TooMuch(f"is too large to be parsed as one JSON object: {len(data) >> 20} MB, {OBJECT >> 20} MB can be")
    if data.count(b"{") + data.count(b"[") > MOST_BRACKETS:
        raise TooMuch(f"holds more than {count(MOST_BRACKETS)} lists and objects in one")
    try:
        return json.loads(data)
    except RecursionError:
        raise TooMuch("is nested too deeply to be a table") from None


def refuse_nested(name: str) -> NoReturn:
    refuse(f"{brief(name)} is nested too deeply to be a table.")


def records_of(data: bytes, name: str, skip: bool, numbers: Any, skipped: list[tuple[int, str]]) -> Iterator[Record]:
    """Return records of a JSON array, or of one line each.

    Parameters
    ----------
    numbers : list or array of int
        Takes the line number of each record that stands on a line of its own.
    skipped : list
        Takes the lines that hold no record.
    """
    start = _FILLED.search(data)
    if start is not None and data[start.start()] == ord("["):
        return of_array(data, start.start() + 1, name)
    return of_lines(data, name, skip, numbers, skipped)


def whole_object(data: bytes, name: str) -> Record | None:
    """Return the one JSON object that a file is; None for a list of records, or one record in each line.

    Raises
    ------
    InputError
        For an object that is too large to be parsed as a whole.
    """
    start = _FILLED.search(data)
    if start is None or data[start.start()] != ord("{") or _has_lines(data):
        return None
    return _object(data, name)


def _has_lines(data: bytes) -> bool:
    """Return whether the first of several lines is a record by itself."""
    first = next(((start, end) for _, start, end in _lines(data) if _FILLED.search(data, start, end)), None)
    if first is None or first[1] - first[0] > CELL or _FILLED.search(data, first[1]) is None:
        return False
    try:
        return isinstance(parsed(data[slice(*first)]), dict)
    except ValueError:
        return False


def _lines(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield number, start and end of every line that is not empty."""
    number, end, line_feed, carriage = 1, 0, -1, -1
    while True:
        start = _BREAKS.match(data, end).end()  # type: ignore[union-attr]
        number += data.count(b"\n", end, start) + data.count(b"\r", end, start) - data.count(b"\r\n", end, start)
        if start == len(data):
            return
        line_feed = line_feed if line_feed >= start else _next(data, b"\n", start)
        carriage = carriage if carriage >= start else _next(data, b"\r", start)
        end = min(line_feed, carriage)
        yield number, start, end


def _next(data: bytes, mark: bytes, start: int) -> int:
    place = data.find(mark, start)
    return len(data) if place < 0 else place


def _object(data: bytes, name: str) -> Record | None:
    try:
        record = parsed(data)
    except TooMuch as why:
        refuse(f"{brief(name)} {why}. Send one record per line.")
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def records_within(whole: Record, name: str) -> list[Record]:
    """Return the records of `{"data": [...]}`, or the object itself where it is a record.

    Raises
    ------
    InputError
        For an object that holds others.
    """
    inner = whole.get("data")
    if isinstance(inner, list):
        return [_only_record(record, number, name) for number, record in enumerate(inner, start=1)]
    if any(isinstance(value, list | dict) for value in whole.values()):
        refuse(f"{brief(name)} is one JSON object ({listed(whole)}), not a list of records. Send one record per verdict.")
    return [whole]


def _only_record(value: Any, number: int, name: str) -> Record:
    if not isinstance(value, dict):
        refuse(f"Record {number} of {brief(name)} is no JSON object. Every record needs the same named fields.", row=number)
    return value


class _Window:
    """A part of the bytes as text, and how far it has been read; it moves on when it is used up."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data, self._start = data, start
        self._load()

    def _load(self) -> None:
        stop = min(self._start + CELL, len(self._data))
        while stop < len(self._data) and self._data[stop] & 0xC0 == 0x80:
            stop -= 1
        self.text, self.at, self._stop = self._data[self._start : stop].decode("utf-8", "replace"), 0, stop

    @property
    def last(self) -> bool:
        return self._stop >= len(self._data)

    def place(self, at: int) -> int:
        return self._start + len(self.text[:at].encode())

    def move(self) -> bool:
        """Begin where reading stands, and return whether that brought more text."""
        if self.last or not self.at:
            return False
        self._start = self.place(self.at)
        self._load()
        return True

    def plain(self) -> Iterator[Any]:
        """Yield values that stand whole in this part, each with a comma behind it; what comes next is left to be looked at
        closely.
        """
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except (ValueError, RecursionError):
                return
            comma = _COMMA.match(self.text, end)
            if comma is None:
                return
            self.at = comma.end()
            yield value

    def mark(self) -> str:
        """Return the next character that is no space; empty at the end."""
        while True:
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.move():
                return ""


def of_array(data: bytes, start: int, name: str) -> Iterator[Record]:
    """Yield records of an array whose bracket stands before `start`.

    Parameters
    ----------
    data : bytes
    start : int
        Offset in bytes.
    name : str
        Name to show in messages.

    Raises
    ------
    InputError
        For invalid JSON, an element that is no object, and a record that is too long.
    """
    window = _Window(data, start)
    if window.mark() == "]":
        window.at += 1
    else:
        number = 1
        while True:
            for value in window.plain():
                yield _only_record(value, number, name)
                number += 1
            yield _record(window, number, data, name)
            number += 1
            mark = window.mark()
            window.at += 1
            if mark == "]":
                break
            if mark != ",":
                _refuse_json("a comma or a bracket is missing", window.place(window.at - 1), data, name)
    if window.mark():
        _refuse_json("something follows the list", window.place(window.at), data, name)


def _record(window: _Window, number: int, data: bytes, name: str) -> Record:
    window.mark()
    while True:
        try:
            record, end = _DECODER.raw_decode(window.text, window.at)
        except RecursionError:
            refuse_nested(name)
        except json.JSONDecodeError as error:
            if window.move():
                continue
            cut = error.msg.startswith("Unterminated string") or error.pos >= len(window.text) - 10
            if cut and not window.last:
                refuse(f"Record {number} of {brief(name)} is longer than {CELL >> 20} MB. Shorten it, or send CSV.", row=number)
            _refuse_json(error.msg, window.place(error.pos), data, name)
        except ValueError:
            refuse(f"Record {number} of {brief(name)} holds a whole number of thousands of digits. Write it as text.", row=number)
        window.at = end
        return _only_record(record, number, name)


def _refuse_json(why: str, place: int, data: bytes, name: str) -> NoReturn:
    line = data.count(b"\n", 0, place) + 1
    refuse(f"{brief(name)} is no valid JSON: {why} in line {line}. Mend it, or send CSV.", row=line)


def of_lines(data: bytes, name: str, skip: bool, numbers: Any, skipped: list[tuple[int, str]]) -> Iterator[Record]:
    """Yield records of one line each; a last line that is cut off is left out.

    Parameters
    ----------
    data : bytes
    name : str
        Name to show in messages.
    skip : bool
        Leave out lines that hold no record, `LEFT_OUT` at most, instead of refusing the first.
    numbers : list or array of int
        Takes the line number of each record.
    skipped : list of (line number, reason)
        Takes the lines that are left out.

    Raises
    ------
    InputError
        For a line that holds no record and is not left out, and for one that is too long.
    """
    several = False
    for number, start, end in _lines(data):
        if not _FILLED.search(data, start, end):
            continue
        record = _of_line(data, start, end, number, name)
        if record is not None:
            numbers.append(number)
            yield record
        elif several and _FILLED.search(data, end) is None:
            skipped.append((number, CUT_OFF))
        elif skip and len(skipped) < LEFT_OUT:
            skipped.append((number, BAD_ROW))
        else:
            raise _no_record(number, name, skip)
        several = True


def _of_line(data: bytes, start: int, end: int, number: int, name: str) -> Record | None:
    if end - start > CELL:
        refuse(f"Line {number} of {brief(name)} is longer than {CELL >> 20} MB. Shorten it, or send CSV.", row=number)
    try:
        record = json.loads(data[start:end])
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _no_record(number: int, name: str, skip: bool) -> Exception:
    if skip:
        return refusal(f"More than {count(LEFT_OUT)} lines of {brief(name)} are no JSON records. Is it another kind of file?")
    return refusal(
        f"Line {number} of {brief(name)} is no valid JSON record. Mend the line, or leave such lines out{skipping()}.",
        about="rows",
        row=number,
    )

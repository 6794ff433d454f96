"""JSON bytes -> records, some at a time: never more than a part of the text, or one record where that is longer, is parsed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn, TypeGuard

from metrics.readers.limits import CELL, LEFT_OUT, OBJECT
from metrics.readers.messages import brief, refusal, refuse, skipping
from metrics.readers.table import BAD_ROW, CUT_OFF
from metrics.results.words import count

Record = dict[str, Any]
MOST_BRACKETS = 4_000_000
"""Lists and objects in what is parsed as a whole; each takes a hundred bytes of memory for two of the file."""
MOST_LABELS = 200_000
"""Labels in a list without records: each takes as much memory as a record would."""
_PART = 1 << 17
"""Bytes that are parsed at once, where that gives the same records as one after the other."""
_SPACE = re.compile(r"[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")
_BETWEEN = re.compile(r'\}[ \t\n\r]*,[ \t\n\r]*\{[ \t\n\r]*"[^"\\]*"')
_FILLED, _FILLED_LINE = re.compile(rb"\S"), re.compile(rb"\S[^\r\n]*")
_OF_LABELS = re.compile(rb"\[\s*[^\s\[{\]]")
"""How a list begins that holds no records."""
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


def records_of(data: bytes, name: str, skip: bool, numbers: Any, skipped: list[tuple[int, str]]) -> Iterator[list[Record]]:
    """Return records of a JSON array, or of one line each, some at a time.

    Parameters
    ----------
    numbers : list or array of int
        Takes the line number of each record that stands on a line of its own.
    skipped : list
        Takes the lines that hold no record.
    """
    start = _FILLED.search(data)
    if start is not None and data[start.start()] == ord("["):
        if _OF_LABELS.match(data, start.start()) and (labels := _labels_alone(data)):
            return iter([labels])
        return of_array(data, start.start() + 1, name)
    return of_lines(data, name, skip, numbers, skipped)


def _labels_alone(data: bytes) -> list[Record]:
    """Return a list of words or numbers as records that hold one label each; none for any other list."""
    if data.count(b",") > MOST_LABELS:
        return []
    try:
        values = parsed(data)
    except ValueError:
        return []
    labels = all(value is None or isinstance(value, str | int | float) for value in values)
    return [{"label": value} for value in values] if labels else []


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
    first = _FILLED_LINE.search(data)
    if first is None or first.end() - first.start() > CELL or _FILLED.search(data, first.end()) is None:
        return False
    try:
        return isinstance(parsed(first[0]), dict)
    except ValueError:
        return False


def _object(data: bytes, name: str) -> Record | None:
    try:
        record = parsed(data)
    except TooMuch as why:
        refuse(f"{brief(name)} {why}. Export a part of it at a time, or write one record per line.")
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def only_record(value: Any, number: int, name: str) -> Record:
    """Return a value that must be a record.

    Raises
    ------
    InputError
        For anything else, with its number.
    """
    if not isinstance(value, dict):
        refuse(f"Record {number} of {brief(name)} is no JSON object. Every record needs the same named fields.", row=number)
    return value


class _Window:
    """A part of the bytes as text, and how far it has been read; it moves on when it is used up."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data, self._start, self._size = data, start, _PART
        self._load()

    def _load(self) -> None:
        stop = min(self._start + self._size, len(self._data))
        while stop < len(self._data) and self._data[stop] & 0xC0 == 0x80:
            stop -= 1
        self.text, self.at, self._stop = self._data[self._start : stop].decode("utf-8", "replace"), 0, stop

    @property
    def last(self) -> bool:
        return self._stop >= len(self._data)

    def place(self, at: int) -> int:
        return self._start + len(self.text[:at].encode())

    def move(self) -> bool:
        """Begin where reading stands, with a larger part where it stands at the begin, and return whether that brought more."""
        if self.last or (not self.at and self._size == CELL):
            return False
        self._start, self._size = self.place(self.at), _PART if self.at else CELL
        self._load()
        return True

    def at_once(self) -> list[Record]:
        """Return the records but the last one or two, parsed as one list; none where that may part them wrongly."""
        try:
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
            _, end = _DECODER.raw_decode(self.text, self.at)
            between = _BETWEEN.match(self.text, end - 1)
            if between is None or between[0] in self.text[self.at : end]:
                return []
            last = self.text.rfind(between[0], end - 1)
            records: list[Record] = json.loads(f"[{self.text[self.at : last + 1]}]")
        except (ValueError, RecursionError):  # cut within a record, or one of them is at fault
            return []
        if set(map(type, records)) != {dict}:
            return []
        self.at = last + between[0].index("{")
        return records

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


def of_array(data: bytes, start: int, name: str) -> Iterator[list[Record]]:
    """Yield records of an array whose bracket stands before `start`, some at a time.

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
            records = window.at_once()
            yield records
            number += len(records)
            for value in window.plain():
                yield [only_record(value, number, name)]
                number += 1
            yield [_record(window, number, data, name)]
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
        return only_record(record, number, name)


def _refuse_json(why: str, place: int, data: bytes, name: str) -> NoReturn:
    line = data.count(b"\n", 0, place) + 1
    refuse(f"{brief(name)} is not valid JSON: {why} in line {line}. Correct it, or send CSV.", row=line)


def of_lines(data: bytes, name: str, skip: bool, numbers: Any, skipped: list[tuple[int, str]]) -> Iterator[list[Record]]:
    """Yield records of one line each, some at a time; a last line that is cut off is left out.

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
    number, several = 0, False
    for start, stop in _blocks(data):
        records = _at_once(data[start:stop]) if stop - start <= _PART else []
        numbers.extend(range(number + 1, number + 1 + len(records)))
        yield records
        number += len(records)
        several |= bool(records)
        lines = [] if records else data[start:stop].splitlines()
        for place, line in enumerate(lines, start=1):
            number += 1
            if not line.strip():
                continue
            record = _of_line(line, number, name)
            if record is not None:
                numbers.append(number)
                yield [record]
            elif several and not any(map(bytes.strip, lines[place:])) and _FILLED.search(data, stop) is None:
                skipped.append((number, CUT_OFF))
            elif skip and len(skipped) < LEFT_OUT:
                skipped.append((number, BAD_ROW))
            else:
                raise _no_record(number, name, skip)
            several = True


def _blocks(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and end of lines that stand together."""
    start = 0
    while start < len(data):
        stop = data.rfind(b"\n", start, start + _PART) + 1 or data.find(b"\n", start) + 1 or len(data)
        yield start, stop
        start = stop


def _at_once(lines: bytes) -> list[Record]:
    """Return the records of lines, parsed as one list; none where any line holds something else.

    Each line is a list of its own, and a break stays before the next one: so no two lines can make one record.
    """
    lines = lines.replace(b"\r\n", b"\n").removesuffix(b"\n")
    try:
        parts: list[list[Any]] = [] if b"\r" in lines else json.loads(b"[[" + lines.replace(b"\n", b"],\n[") + b"]]")
    except (ValueError, RecursionError):
        return []
    records = [part[0] for part in parts if len(part) == 1 and type(part[0]) is dict]
    return records if len(records) == len(parts) == lines.count(b"\n") + 1 else []


def _of_line(line: bytes, number: int, name: str) -> Record | None:
    if len(line) > CELL:
        refuse(f"Line {number} of {brief(name)} is longer than {CELL >> 20} MB. Shorten it, or send CSV.", row=number)
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _no_record(number: int, name: str, skip: bool) -> Exception:
    if skip:
        return refusal(f"More than {count(LEFT_OUT)} lines of {brief(name)} are no JSON records. Is it another kind of file?")
    return refusal(
        f"Line {number} of {brief(name)} is not a valid JSON record. Correct the line, or leave such lines out{skipping()}.",
        about="rows",
        row=number,
    )


Path = tuple[str, ...]
"""A field, behind those of the records that it stands in."""
DEPTH = 3
"""Records within records whose fields become columns; what lies deeper is rarely a label, and stays text."""
MOSTLY = 0.9
"""Share of records whose field is a list of ratings, from which it is one."""


def flat(record: Record, depth: int = DEPTH, before: str = "", fields: Record | None = None) -> Record:
    """Return a record whose fields of records are fields of its own, `result.label`; what is empty or deeper stays as it is."""
    fields = {} if fields is None else fields
    for name, value in record.items():
        if type(value) is not dict:
            fields[before + name] = value
        elif value and depth:
            flat(value, depth - 1, f"{before}{name}.", fields)
        else:
            fields[before + name] = value or ""
    return fields


def without(record: Record, path: Path) -> Record:
    """Return a record without what stands under a path; records that it does not lead through are the same ones."""
    name, *deeper = path
    inner = record.get(name)
    if deeper and isinstance(inner, dict) and (left := without(inner, tuple(deeper))):
        return {**record, name: left}
    return {field: value for field, value in record.items() if field != name}


def lists_in(record: Record, before: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield the lists of a record, and of the records within it, with their paths."""
    for name, value in record.items():
        if isinstance(value, list):
            yield (*before, name), value
        elif isinstance(value, dict) and len(before) < DEPTH:
            yield from lists_in(value, (*before, name))


def of_records(value: object) -> TypeGuard[list[Record]]:
    """Return whether a value is a list of records, and no empty one."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)

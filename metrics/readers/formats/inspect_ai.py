"""Inspect: logs of an evaluation, whose scorers are the judges and whose edits of scores the people."""

from __future__ import annotations

import io
import math
import re
import struct
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from metrics.data.vocabulary import Kind
from metrics.errors import InputError
from metrics.readers.formats.canonical import Rows, iso
from metrics.readers.formats.cells import dicts, number, record, riding, within, word, written
from metrics.readers.formats.record import Format, Record, having
from metrics.readers.json_records import TooMuch, parsed
from metrics.readers.limits import Limits
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable

CODE = re.compile(r"(inspect_ai/)?(answer|choice|exact|f1|includes|match|math|pattern|perplexity|target_perplexity)\d*")
"""Scorers of Inspect that call no model; a second of one kind has a number behind its name."""
UNCHANGED = "UNCHANGED"
SEVERAL_VALUES = "a list of values, no rating"
NO_VALUE = "a score without a value"
SAME_VALUE = "an edit that left the value as it was"
NOBODY = "an edit that names nobody"
_UNREAD = "Grade not found in model output"
_EDITED = "Scores that somebody edited are two ratings: the scorer’s first value is the judge’s, each edit its author’s."


@dataclass(frozen=True)
class Sample:
    """What the ratings of one sample have in common."""

    item: str
    run: str
    when: str
    more: dict[str, str]


@dataclass(frozen=True)
class Given:
    """One value of one scorer, and who gave it."""

    scorer: str
    rater: str
    role: str
    when: str
    reason: str
    answer: str
    failed: bool
    edit: str = ""


@dataclass(frozen=True)
class Reading:
    """Where ratings go, which model each scorer asks (under "" that of the role `grader`), and whether letters are grades."""

    rows: Rows
    graders: dict[str, str]
    graded: bool


def add_score(scorer: str, score: Record, sample: Sample, reading: Reading) -> None:
    """Add the value of a scorer, and each edit as the rating of its author."""
    rows, history = reading.rows, list(dicts(score.get("history")))
    added_by_hand = bool(history) and bool(history[0].get("provenance"))
    first, edits = ({}, history) if added_by_hand else (history[0], history[1:]) if history else (score, [])
    if not added_by_hand:
        code = bool(CODE.fullmatch(scorer))
        rater = scorer if code else reading.graders.get(scorer) or reading.graders[""] or "judge"
        role, reason, answer = "code" if code else "judge", word(first.get("explanation")), word(first.get("answer"))
        given = Given(scorer, rater, role, sample.when, reason, answer, _failed(first))
        _add_value(first.get("value"), given, sample, reading)
    value = None if _failed(first) else first.get("value")
    for edit in edits:
        provenance = record(edit.get("provenance"))
        new = edit.get("value", UNCHANGED)
        if not provenance:
            rows.leave(NOBODY)
        elif new == UNCHANGED or written(new) == written(value):
            rows.leave(SAME_VALUE)
        else:
            rows.note(_EDITED)
            why = word(provenance.get("reason"))
            explained = edit.get("explanation", UNCHANGED)
            reason = why if explained in (UNCHANGED, None, "") else word(explained)
            author, when = word(provenance.get("author")) or "human", word(provenance.get("timestamp"))
            _add_value(new, Given(scorer, author, "human", when, reason, "", False, why), sample, reading)
        value = value if new == UNCHANGED else new


def _failed(score: Record) -> bool:
    """Whether the grader failed, or its reply could not be read, which older versions write down as incorrect."""
    why = score.get("reason") or within(score, "metadata", "unscored_reason")
    return why in ("grader_failed", "scoring_failed") or word(score.get("explanation")).startswith(_UNREAD)


def _add_value(value: Any, given: Given, sample: Sample, reading: Reading) -> None:
    """Add a value: a grade, a truth, a number, or one of these under each key."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            if inner is None or isinstance(inner, list | dict):
                reading.rows.leave(NO_VALUE if not inner else SEVERAL_VALUES)
            else:
                _add_plain(f"{given.scorer}.{key}", inner, given, sample, reading)
    elif isinstance(value, list) and value:
        reading.rows.leave(SEVERAL_VALUES)
    elif value in (None, "", [], {}) and not given.failed:
        reading.rows.leave(NO_VALUE)
    else:
        _add_plain(given.scorer, value, given, sample, reading)


def _add_plain(criterion: str, value: Any, given: Given, sample: Sample, reading: Reading) -> None:
    none = isinstance(value, float) and math.isnan(value)
    label = word(value) if isinstance(value, str | bool) and not given.failed else ""
    score = "" if given.failed or none or isinstance(value, str | bool) else number(value)
    status = "error" if given.failed else "abstain" if none or (reading.graded and label == "N") else "ok"
    answer = given.answer if given.answer != sample.more.get("output") else ""
    more = {**sample.more, **riding({"answer": answer, "edit reason": given.edit})}
    reading.rows.add(
        sample.item, criterion, given.rater, given.role, label, score,
        timestamp=given.when, run=sample.run, reason=given.reason, status=status, more=more,
    )  # fmt: skip


GRADES: dict[str, Kind] = {"C": "positive", "I": "negative", "N": "abstention"}
PARTLY = "P"
NOT_SCORED = "a sample that ended before it was scored"
_EPOCHS = "Epochs with another answer are items of their own (‘/2’), for people rated single answers."


def read_log(whole: Record, rows: Rows) -> None:
    """Read a log, as `inspect log convert --to json` writes it."""
    samples = list(dicts(whole.get("samples")))
    log = record(whole.get("eval"))
    letters = {label for label in _labels(samples) if len(label) == 1 and label.isalpha()}
    reading = Reading(rows, _graders(log), letters <= {*GRADES, PARTLY} and bool(letters & {"C", "I", PARTLY}))
    if reading.graded:
        rows.order = ("I", PARTLY, "C") if PARTLY in letters else ()
        rows.kinds |= {grade: kind for grade, kind in GRADES.items() if PARTLY not in letters or kind == "abstention"}
    edited = any(record(score).get("history") for sample in samples for score in record(sample.get("scores")).values())
    for sample, shared in zip(samples, _samples(samples, edited, iso(word(log.get("created"))), rows), strict=True):
        scores = record(sample.get("scores"))
        if not scores:
            rows.leave(NOT_SCORED)
        for scorer, score in scores.items():
            add_score(scorer, record(score), shared, reading)


def _labels(samples: Sequence[Record]) -> Iterator[str]:
    """Yield every text that a scorer or a person gave as a value."""
    for sample in samples:
        for score in record(sample.get("scores")).values():
            for given in (record(score), *dicts(record(score).get("history"))):
                value = given.get("value")
                yield from (
                    word(cell) for cell in (value.values() if isinstance(value, dict) else [value]) if isinstance(cell, str)
                )


def _samples(samples: Sequence[Record], edited: bool, created: str, rows: Rows) -> Iterator[Sample]:
    """Yield item and run of each sample; epochs are runs."""
    epochs = [word(sample.get("epoch")) for sample in samples]
    several = len(set(epochs)) > 1
    answers: dict[str, Any] = {}
    for sample, epoch in zip(samples, epochs, strict=True):
        item, answer = word(sample.get("id")), _completion(sample)
        if edited and several and answers.setdefault(item, answer) != answer:
            rows.note(_EPOCHS)
            item = f"{item}/{epoch}"
        yield Sample(item, epoch if several else "", iso(word(sample.get("completed_at"))) or created, _beside(sample))


def _beside(sample: Record) -> dict[str, str]:
    """Return what the log says of the item; long texts stand among its attachments."""
    attached = record(sample.get("attachments"))
    said = {
        "input": sample.get("input"),
        "target": sample.get("target"),
        "output": _completion(sample),
        "metadata": sample.get("metadata"),
    }
    for name, value in said.items():
        if isinstance(value, str) and value.startswith("attachment://"):
            said[name] = attached.get(value.removeprefix("attachment://"), value)
    return riding(said)


def _completion(sample: Record) -> Any:
    """Return the answer that was scored: the text of the first choice."""
    output = record(sample.get("output"))
    first = next(dicts(output.get("choices")), None)
    content = within(first, "message", "content")
    if isinstance(content, list):
        return "\n".join(word(part.get("text")) for part in dicts(content) if part.get("text"))
    return content if first is not None else output.get("completion")


def _graders(log: Record) -> dict[str, str]:
    """Return the model that each scorer grades with, under its name, and under "" that of the role `grader`."""
    graders = {"": word(within(log, "model_roles", "grader", "model"))}
    for scorer in dicts(log.get("scorers")):
        model = within(scorer, "options", "model")
        if isinstance(model, str) and model:
            graders[word(scorer.get("name")).rpartition("/")[2]] = model
    return graders


LOG = Format(
    "Inspect", "a log of Inspect", "Run inspect log convert --to json --output-dir DIR FILE.", "object",
    having("eval", "samples"), lambda whole: isinstance(whole.get("samples"), list), read_object=read_log,
)  # fmt: skip


LARGEST = 1 << 30
"""Bytes that the samples of a log may unpack to. One is unpacked at a time, so they take time rather than memory."""
ZSTD = 93
"""Method of packing that Inspect chooses; zipfile knows it from Python 3.14 on."""
HEADER = struct.Struct("<26xHH")
"""Of the header before each file, the lengths of its name and of what follows the name."""
SAID = ("id", "epoch", "input", "target", "output", "scores", "metadata", "completed_at", "attachments")
"""Fields of a sample that are read; events and messages are let go at once."""


def is_log(data: bytes) -> bool:
    """Return whether an archive is that of a log."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except Exception:  # zipfile lets many kinds of exception out of a damaged archive
        return False
    return bool({"header.json", "_journal/start.json"} & set(names)) and any(name.startswith("samples/") for name in names)


def read_archive(data: bytes, name: str, sha256: str, limits: Limits) -> TextTable:
    """Return the ratings of a log.

    Parameters
    ----------
    data : bytes
    name, sha256 : str
        Name to show in messages, and digest of the file.
    limits : Limits

    Raises
    ------
    InputError
        For an archive that is damaged or locked, unpacks to too much, or holds no rating.
    """
    rows = Rows(name, limits)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            contents = _contents(archive, data, name)
            header = next((content for member, content in contents if not member.startswith("samples/")), {})
            read_log({**header, "samples": [content for _, content in contents]}, rows)
    except InputError:
        raise
    except TooMuch as why:
        refuse(f"A sample of {brief(name)} {why}. Send a log with fewer messages.")
    except Exception:  # zipfile and Arrow let many kinds of exception out of a damaged archive
        refuse(f"{brief(name)} is {LOG.what} that cannot be unpacked: it is cut off or damaged. {LOG.how}")
    return replace(rows.table(sha256, ()), format=LOG.what)


def _contents(archive: zipfile.ZipFile, data: bytes, name: str) -> Iterator[tuple[str, Record]]:
    """Yield the header first, then the samples in the order of their names, each with the fields that are read."""
    infos = {info.filename: info for info in archive.infolist()}
    header = next((infos[member] for member in ("header.json", "_journal/start.json") if member in infos), None)
    samples = sorted(member for member in infos if member.startswith("samples/") and member.endswith(".json"))
    room = LARGEST
    for info in ([header] if header else []) + [infos[member] for member in samples]:
        if info.flag_bits & 1:
            refuse(f"{brief(name)} is {LOG.what} that cannot be unpacked: it is locked with a password. {LOG.how}")
        text = _unpacked(archive, info, data, room + 1)
        room -= len(text)
        if room < 0:
            refuse(f"{brief(name)} unpacks to more than {LARGEST >> 20} MB. Send a log of fewer samples.")
        content = parsed(text)
        if isinstance(content, dict):
            yield info.filename, content if info is header else {field: content[field] for field in SAID if field in content}


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, data: bytes, most: int) -> bytes:
    """Return so many bytes of a file at most; an archive may state its sizes wrong."""
    if info.compress_type != ZSTD:
        with archive.open(info) as file:
            return file.read(most)
    start = info.header_offset + HEADER.size + sum(HEADER.unpack_from(data, info.header_offset))
    packed: Any = pa.BufferReader(memoryview(data)[start : start + info.compress_size])
    with pa.CompressedInputStream(packed, "zstd") as stream:
        return bytes(stream.read(most))


FORMATS: tuple[Format, ...] = (LOG,)

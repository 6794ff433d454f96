"""Inspect: logs of an evaluation, whose scorers are the judges and whose edits of scores the people."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.data.vocabulary import Kind
from metrics.readers.formats.canonical import Rows, iso
from metrics.readers.formats.nested import filled, number, record, records, within, word, written
from metrics.readers.formats.record import Format, Record, having

CODE = re.compile(r"(inspect_ai/)?(answer|choice|exact|f1|includes|match|math|pattern|perplexity|target_perplexity)\d*")
"""Scorers of Inspect that call no model; a second of one kind has a number behind its name."""
GRADES: dict[str, Kind] = {"C": "positive", "I": "negative", "N": "abstention"}
PARTLY = "P"
UNCHANGED = "UNCHANGED"
SEVERAL_VALUES = "a list of values, no rating"
NO_VALUE = "a score without a value"
NOT_SCORED = "a sample that ended before it was scored"
SAME_VALUE = "an edit that left the value as it was"
NOBODY = "an edit that names nobody"
_UNREAD = "Grade not found in model output"
_EDITED = "Scores that somebody edited are two ratings: the scorer’s first value is the judge’s, each edit its author’s."
_EPOCHS = "Epochs with another answer are items of their own (‘/2’), for people rated single answers."


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
class _Reading:
    """Where ratings go, which model each scorer asks (under "" that of the role `grader`), and whether letters are grades."""

    rows: Rows
    graders: dict[str, str]
    graded: bool


def read_log(whole: Record, rows: Rows) -> None:
    """Read a log, as `inspect log convert --to json` writes it."""
    samples = list(records(whole.get("samples")))
    log = record(whole.get("eval"))
    letters = {label for label in _labels(samples) if len(label) == 1 and label.isalpha()}
    reading = _Reading(rows, _graders(log), letters <= {*GRADES, PARTLY} and bool(letters & {"C", "I", PARTLY}))
    if reading.graded:
        rows.order = ("I", PARTLY, "C") if PARTLY in letters else ()
        rows.kinds |= {grade: kind for grade, kind in GRADES.items() if PARTLY not in letters or kind == "abstention"}
    edited = any(record(score).get("history") for sample in samples for score in record(sample.get("scores")).values())
    for sample, shared in zip(samples, _samples(samples, edited, iso(word(log.get("created"))), rows), strict=True):
        scores = record(sample.get("scores"))
        if not scores:
            rows.leave(NOT_SCORED)
        for scorer, score in scores.items():
            _add_score(scorer, record(score), shared, reading)


def _labels(samples: Sequence[Record]) -> Iterator[str]:
    """Yield every text that a scorer or a person gave as a value."""
    for sample in samples:
        for score in record(sample.get("scores")).values():
            for given in (record(score), *records(record(score).get("history"))):
                value = given.get("value")
                yield from (word(cell) for cell in (value.values() if isinstance(value, dict) else [value]) if isinstance(cell, str))


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
    return filled(said)


def _completion(sample: Record) -> Any:
    """Return the answer that was scored: the text of the first choice."""
    output = record(sample.get("output"))
    first = next(records(output.get("choices")), None)
    content = within(first, "message", "content")
    if isinstance(content, list):
        return "\n".join(word(part.get("text")) for part in records(content) if part.get("text"))
    return content if first is not None else output.get("completion")


def _graders(log: Record) -> dict[str, str]:
    """Return the model that each scorer grades with, under its name, and under "" that of the role `grader`."""
    graders = {"": word(within(log, "model_roles", "grader", "model"))}
    for scorer in records(log.get("scorers")):
        model = within(scorer, "options", "model")
        if isinstance(model, str) and model:
            graders[word(scorer.get("name")).rpartition("/")[2]] = model
    return graders


def _add_score(scorer: str, score: Record, sample: Sample, reading: _Reading) -> None:
    """Add the value of a scorer, and each edit as the rating of its author."""
    rows, history = reading.rows, list(records(score.get("history")))
    added_by_hand = bool(history) and bool(history[0].get("provenance"))
    first, edits = ({}, history) if added_by_hand else (history[0], history[1:]) if history else (score, [])
    if not added_by_hand:
        code = bool(CODE.fullmatch(scorer))
        rater = scorer if code else reading.graders.get(scorer) or reading.graders[""] or "judge"
        role, reason, answer = "code" if code else "judge", word(first.get("explanation")), word(first.get("answer"))
        given = Given(scorer, rater, role, sample.when, reason, answer, _failed(first))
        _add_value(first.get("value"), given, sample, reading)
    value = first.get("value")
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
            author, when = word(provenance.get("author")) or "human", iso(word(provenance.get("timestamp")))
            _add_value(new, Given(scorer, author, "human", when, reason, "", False, why), sample, reading)
        value = value if new == UNCHANGED else new


def _failed(score: Record) -> bool:
    """Whether the grader failed, or its reply could not be read, which older versions write down as incorrect."""
    why = score.get("reason") or within(score, "metadata", "unscored_reason")
    return why in ("grader_failed", "scoring_failed") or word(score.get("explanation")).startswith(_UNREAD)


def _add_value(value: Any, given: Given, sample: Sample, reading: _Reading) -> None:
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


def _add_plain(criterion: str, value: Any, given: Given, sample: Sample, reading: _Reading) -> None:
    none = isinstance(value, float) and math.isnan(value)
    label = word(value) if isinstance(value, str | bool) and not given.failed else ""
    score = "" if given.failed or none or isinstance(value, str | bool) else number(value)
    status = "error" if given.failed else "abstain" if none or (reading.graded and label == "N") else "ok"
    answer = given.answer if given.answer != sample.more.get("output") else ""
    more = {**sample.more, **filled({"answer": answer, "edit reason": given.edit})}
    reading.rows.add(
        sample.item, criterion, given.rater, given.role, label, score,
        timestamp=given.when, run=sample.run, reason=given.reason, status=status, more=more,
    )  # fmt: skip


LOG = Format(
    "Inspect", "a log of Inspect", "Run inspect log convert --to json --output-dir DIR FILE.", "object",
    having("eval", "samples"), lambda whole: isinstance(whole.get("samples"), list), read_object=read_log,
)  # fmt: skip
FORMATS: tuple[Format, ...] = (LOG,)

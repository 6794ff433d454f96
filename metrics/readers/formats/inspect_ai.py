"""Inspect: logs of an evaluation, whose scorers are the judges and whose edits of scores the people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from metrics.data.vocabulary import Kind
from metrics.readers.formats.canonical import Rows, iso
from metrics.readers.formats.inspect_scores import Reading, Sample, add_score
from metrics.readers.formats.nested import record, records, riding, within, word
from metrics.readers.formats.record import Format, Record, having

GRADES: dict[str, Kind] = {"C": "positive", "I": "negative", "N": "abstention"}
PARTLY = "P"
NOT_SCORED = "a sample that ended before it was scored"
_EPOCHS = "Epochs with another answer are items of their own (‘/2’), for people rated single answers."


def read_log(whole: Record, rows: Rows) -> None:
    """Read a log, as `inspect log convert --to json` writes it."""
    samples = list(records(whole.get("samples")))
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
            for given in (record(score), *records(record(score).get("history"))):
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


LOG = Format(
    "Inspect", "a log of Inspect", "Run inspect log convert --to json --output-dir DIR FILE.", "object",
    having("eval", "samples"), lambda whole: isinstance(whole.get("samples"), list), read_object=read_log,
)  # fmt: skip
FORMATS: tuple[Format, ...] = (LOG,)

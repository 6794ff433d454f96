"""RAGAS: annotations of metrics, where a person accepts the judge's output or says another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import answer_of, listed_in, riding, status_of
from metrics.readers.formats.record import Format, Record
from metrics.readers.frames import text

JUDGE, PERSON = "judge", "human"
NO_TARGET, NOT_ANNOTATED = "rejected without a target, so the person’s own answer is unknown", "neither accepted nor rejected"
_SEEN = "Who annotated in RAGAS saw the judge’s output first, so agreement is higher than of people who did not."
_PLACE = "RAGAS names no items: the place in the list of each metric stands for them."
_OPPOSITE = "A rejected output of 0 or 1 without a target stands for the opposite, as in RAGAS."


def holds(whole: Record) -> bool:
    """Return whether every field is a list of annotated outputs."""
    lists = list(whole.values())
    return (
        bool(lists)
        and all(isinstance(value, list) for value in lists)
        and any(lists)
        and all(
            isinstance(sample, dict) and {"metric_output", "is_accepted"} <= sample.keys()
            for value in lists
            for sample in value[:5]
        )
    )


def read_metrics(whole: Record, rows: Rows) -> None:
    """Add the judge's output and the person's answer for each sample of each metric."""
    for metric, samples in whole.items():
        binary = _is_binary(samples)
        for place, sample in enumerate(samples, start=1):
            if isinstance(sample, dict):
                _add(str(place), metric.strip() or "overall", sample, binary, rows)
            else:
                rows.leave("no record of a sample")
    rows.note(_SEEN)
    rows.note(_PLACE)


def _is_binary(samples: list[Any]) -> bool:
    """Return whether all outputs and targets are 0 or 1."""
    values = [sample.get(field) for sample in samples if isinstance(sample, dict) for field in ("metric_output", "target")]
    return all(isinstance(value, int | float) and value in (0, 1) for value in values if value is not None)


def _add(item: str, metric: str, sample: Record, binary: bool, rows: Rows) -> None:
    inputs = sample.get("metric_input")
    more = riding(inputs) if isinstance(inputs, dict) else {}
    label, score, why = answer_of(sample.get("metric_output"))
    reasons, edits = ("\n".join(_reasons(sample, field)) for field in ("prompt_output", "edited_output"))
    status = status_of(label) if label or score else "error"
    rows.add(item, metric, JUDGE, "judge", label, score, reason=reasons, status="error" if why else status, more=more)
    said = _target(sample, binary, rows)
    if isinstance(said, str) and said in (NO_TARGET, NOT_ANNOTATED):
        rows.leave(said)
        return
    label, score, why = answer_of(said)
    if why or not (label or score):
        rows.leave(why or NO_TARGET)
        return
    rows.add(item, metric, PERSON, "human", label, score, reason=edits, status=status_of(label), more=more)


def _target(sample: Record, binary: bool, rows: Rows) -> Any:
    """Return what the person takes for right: the output, the target, or of two numbers the other."""
    output, target, accepted = sample.get("metric_output"), sample.get("target"), sample.get("is_accepted")
    if not isinstance(accepted, bool):
        return NOT_ANNOTATED
    if accepted or target is not None:
        return output if accepted else target
    if not binary or output is None:
        return NO_TARGET
    rows.note(_OPPOSITE)
    return not output if isinstance(output, bool) else 1 - output


def _reasons(sample: Record, field: str) -> Iterator[str]:
    """Yield the reasons in the outputs of the prompts of a metric, or in what a person made of them."""
    prompts = sample.get("prompts")
    for prompt in prompts.values() if isinstance(prompts, dict) else ():
        written = prompt.get(field) if isinstance(prompt, dict) else None
        for said in [written, *listed_in(written, "statements", "verdicts")] if isinstance(written, dict) else ():
            if isinstance(said, dict) and isinstance(said.get("reason"), str):
                yield text(said["reason"]).strip()


FORMATS: tuple[Format, ...] = (
    Format(
        "RAGAS", "RAGAS’s annotated metrics", "Annotate there and download the annotated JSON.", "object", bool, holds,
        read_object=read_metrics,
    ),
)  # fmt: skip

"""All formats of known tools, and which of them a file is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from metrics.readers.formats import (
    argilla,
    azure_evaluation,
    batches,
    braintrust,
    deepeval,
    healthbench,
    inspect_ai,
    judgekeeper,
    label_studio,
    langfuse,
    langsmith,
    mlflow,
    openai_evals,
    opik,
    phoenix,
    prodigy,
    promptfoo,
    ragas,
    reviewers,
)
from metrics.readers.formats.record import SHARE, Container, Format, Record
from metrics.readers.table import TextTable

MODULES = (
    argilla, azure_evaluation, batches, braintrust, deepeval, healthbench, inspect_ai, judgekeeper, label_studio, langfuse,
    langsmith, mlflow, openai_evals, opik, phoenix, prodigy, promptfoo, ragas, reviewers,
)  # fmt: skip
FORMATS: tuple[Format, ...] = tuple(chain.from_iterable(module.FORMATS for module in MODULES))
"""Every format, usable ones and those that are named only to say what to export instead."""


def of_object(whole: Record) -> Format | None:
    """Return the format of one JSON object; None where it is that of no known tool, or of two."""
    return _only([form for form in _of("object") if form.matches(whole.keys(), whole)])


def of_records(sample: Sequence[Record]) -> Format | None:
    """Return the format whose fields nearly all of the first records of a file have."""
    enough, fields = max(SHARE * len(sample), 1), {tuple(record): record.keys() for record in sample}
    forms = [form for form in _of("records") if any(map(form.fits, fields.values()))]
    return _only([form for form in forms if sum(form.matches(record.keys(), record) for record in sample) >= enough])


def of_table(table: TextTable) -> Format | None:
    """Return the format of a table by its columns."""
    names = frozenset(table.columns)
    return _only([form for form in _of("table") if form.matches(names, table)])


def _of(container: Container) -> list[Format]:
    return [form for form in FORMATS if form.container == container]


def _only(formats: Sequence[Format]) -> Format | None:
    """Return the only format that fits; two that fit tell nothing, unless one of them can be used."""
    usable = [form for form in formats if form.usable] or formats
    return usable[0] if len(usable) == 1 else None

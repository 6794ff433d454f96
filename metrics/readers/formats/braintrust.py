"""Braintrust: rows of an experiment with a number for each score, whose names do not say who gave it."""

from __future__ import annotations

from collections.abc import Mapping, Set

import pyarrow as pa
import pyarrow.compute as pc

from metrics.readers.formats.canonical import changed, everywhere, moments, text
from metrics.readers.formats.cells import answer_of, parsed
from metrics.readers.formats.record import Format
from metrics.readers.formats.stacking import Part, stacked
from metrics.readers.frames import texts
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.names import OVERALL
from metrics.readers.table import TextTable

SCORES, PREFIX = "scores", "scores."
_ASKED = "Braintrust does not say who gave a score: each name is a rater of its own, whose role somebody must say."
_WHOLE = frozenset({"", "0", "1", "0.0", "1.0"})


def _fits(names: Set[str]) -> bool:
    inside = {name.split(".")[0] for name in names}
    return {"id", "input", "output", SCORES} <= inside and bool({"created", "expected", "span_id"} & names)


def _holds(table: TextTable) -> bool:
    """Return whether scores are records of numbers."""
    if SCORES not in table.columns:
        return True
    shown = [parsed(cell) for cell in table.raw(SCORES)[1][:20].to_pylist() if cell]
    return bool(shown) and all(isinstance(value, dict) for value in shown)


def read_experiment(table: TextTable) -> TextTable:
    """Return a rater for each score of an experiment, on one criterion.

    Raises
    ------
    InputError
        Where no row has a score.
    """
    scores = _scores(table)
    if not scores:
        refuse(f"{brief(table.name)} is Braintrust’s table of an experiment. None of its rows has a score.")
    item, when = text(table, "id"), moments(text(table, "created"))
    no_reason = everywhere("", table.n_rows)
    parts = [
        Part({
            "item": item, "criterion": OVERALL, "rater": name, "role": name, "label": label, "score": score, "timestamp": when,
        }, no_reason)
        for name, (label, score) in scores.items()
    ]  # fmt: skip
    between = [name for name, (_, score) in scores.items() if not _WHOLE.issuperset(pc.unique(score).to_pylist())]
    notes = [_ASKED, *([_averaged(between)] if between else [])]
    return stacked(table, parts, {name for name in table.columns if name.split(".")[0] == SCORES} | {"id", "created"}, notes)


def _averaged(names: list[str]) -> str:
    return (
        f"Several reviews of one row are averaged in Braintrust: where people gave {listed(names, 3)}, values between 0 and 1 "
        "may be nobody’s verdict. The single reviews are in the child spans."
    )


def _scores(table: TextTable) -> Mapping[str, tuple[pa.Array, pa.Array]]:
    """Return labels and numbers by the name of the score; those of flat JSON are columns of their own."""
    columns = {name.removeprefix(PREFIX).strip(): text(table, name) for name in table.columns if name.startswith(PREFIX)}
    if columns:
        blank = everywhere("", table.n_rows)
        return {name: (blank, cells) for name, cells in columns.items() if name}
    coded = text(table, SCORES)
    records = [parsed(cell) for cell in coded.dictionary.to_pylist()]
    records = [record if isinstance(record, dict) else {} for record in records]
    names = dict.fromkeys(name for record in records for name in record)
    answers = {
        name.strip(): zip(*(answer_of(record.get(name)) for record in records), strict=True) for name in names if name.strip()
    }
    return {name: (changed(coded, texts(label)), changed(coded, texts(score))) for name, (label, score, _) in answers.items()}


FORMATS: tuple[Format, ...] = (
    Format(
        "Braintrust", "Braintrust’s table of an experiment", "Open the experiment in Braintrust, and download it as CSV or JSON.",
        "table", _fits, _holds, read_table=read_experiment,
    ),
)  # fmt: skip

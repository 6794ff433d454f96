"""Azure AI Evaluation: rows of `evaluate()`, whose evaluators have columns of their own; people label among the inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.vocabulary import is_number
from metrics.readers.formats.canonical import chosen, everywhere, is_in, mapped, text
from metrics.readers.formats.cells import are_labels
from metrics.readers.formats.record import Format
from metrics.readers.formats.stacking import Part, stacked
from metrics.readers.messages import brief
from metrics.readers.names import CODE, ITEM, spaced
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable

INPUTS, OUTPUTS, LINE = "inputs.", "outputs.", "line_number"
_ALIAS = "gpt_"
"""Before the name under which a metric stands a second time."""
_FACET = re.compile(r"(.+)_(result|label|score|reason|threshold|model|details|applicable)")
_OUTCOME = "The label is ‘{}_result’: whether the score reaches the threshold of its metric. The score stands beside it."
_STEPS = "People gave steps of a scale on ‘{}’: the judge’s label is its score, and not whether it passed."


@dataclass(frozen=True)
class _Metric:
    """Columns of one metric of an evaluator, by what they hold: result, label, score, reason, model; "" for the plain one."""

    name: str
    columns: Mapping[str, str]

    def column(self, *facets: str) -> str | None:
        return next((self.columns[facet] for facet in facets if facet in self.columns), None)


def _fits(names: Set[str]) -> bool:
    outputs = [name for name in names if name.startswith(OUTPUTS) and name.count(".") >= 2]
    return bool(outputs) and any(name.startswith(INPUTS) for name in names) and bool(_metrics(sorted(names)))


def read_rows(table: TextTable) -> TextTable:
    """Return a judge for each metric, code where no model is asked, and the people whose labels the inputs hold."""
    metrics = _metrics(table.columns)
    people = _people(table, [metric.name for metric in metrics])
    item = _item(table)
    parts: list[Part] = []
    notes: list[str] = []
    for metric in metrics:
        graded = any(criterion == metric.name and _holds_numbers(table, column) for column, criterion in people.items())
        parts.append(_judged(table, metric, item, graded=graded))
        if "result" in metric.columns:
            notes.append((_STEPS if graded else _OUTCOME).format(brief(metric.name)))
    blank = everywhere("", table.n_rows)
    for column, criterion in people.items():
        rater = column.removeprefix(INPUTS)
        parts.append(Part(
            {"item": item, "criterion": criterion, "rater": rater, "role": "human", "label": text(table, column)}, blank
        ))  # fmt: skip
    used = {name for name in table.columns if name.startswith(OUTPUTS)} | people.keys() | {LINE}
    return stacked(table, parts, used, notes)


def _metrics(columns: Sequence[str]) -> list[_Metric]:
    """Return the metrics that have a result or a score, each under its own name, or the evaluator's too where two share one."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for column in columns:
        *evaluator, name = column.removeprefix(OUTPUTS).split(".")
        if not column.startswith(OUTPUTS) or not evaluator or name.startswith(_ALIAS):
            continue
        facet = _FACET.fullmatch(name)
        is_code = facet is not None and facet[2] == "score" and CODE.fullmatch(spaced(name))
        key, holds = (name, "") if facet is None or is_code else (facet[1], facet[2])
        found.setdefault((".".join(evaluator), key), {})[holds] = column
    given = {
        key: facets for key, facets in found.items() if {"result", "label", "score"} & facets.keys() or _is_plain(key, facets)
    }
    names = [name for _, name in given]
    return [
        _Metric(name if names.count(name) == 1 else f"{evaluator}.{name}", facets) for (evaluator, name), facets in given.items()
    ]


def _is_plain(key: tuple[str, str], facets: Mapping[str, str]) -> bool:
    """Return whether a metric has nothing but a score: its evaluator is called after it, it has a reason, or it is code."""
    evaluator, name = key
    return "" in facets and (evaluator == name or len(facets) > 1 or bool(CODE.fullmatch(spaced(name))))


def _judged(table: TextTable, metric: _Metric, item: pa.Array, *, graded: bool) -> Part:
    """Return what an evaluator found; a row without a result is a call that failed."""
    plain, result = metric.column("score", ""), metric.column("result", "label")
    if result is None:
        result, plain = metric.column("", "score"), metric.column("score", "")
    label = text(table, plain if graded and plain else result or "")
    role = "code" if CODE.fullmatch(spaced(metric.name)) else "judge"
    columns: dict[str, pa.Array | str] = {
        "item": item, "criterion": metric.name, "rater": "judge", "role": role, "label": label,
    }  # fmt: skip
    if plain and _holds_numbers(table, plain) and not graded and plain != result:
        columns["score"] = text(table, plain)
    for place, facet in (("reason", "reason"), ("rater", "model")):
        if (column := metric.column(facet)) is not None:
            columns[place] = text(table, column)
    if "model" in metric.columns:
        columns["rater"] = mapped(columns["rater"], lambda model: model or "judge")
    columns["status"] = chosen(is_in(label, ""), "error", "ok")
    return Part(columns, everywhere("", table.n_rows), np.ones(table.n_rows, bool))


def _people(table: TextTable, metrics: Sequence[str]) -> dict[str, str]:
    """Return the inputs that hold people's labels, and the metric each is about."""
    people: dict[str, str] = {}
    for column in table.columns:
        name = column.removeprefix(INPUTS)
        if not column.startswith(INPUTS) or role_of_column(name) != "human":
            continue
        values = set(table.coded(column).names)
        if not are_labels(values, table.n_rows) and not _holds_numbers(table, column):
            continue
        about = [metric for metric in metrics if spaced(metric) in spaced(name)] or list(metrics)
        if len(about) == 1:
            people[column] = about[0]
    return people


def _item(table: TextTable) -> pa.Array:
    """Return the id that the inputs hold, else the number of the line."""
    for column in table.columns:
        if column.startswith(INPUTS) and ITEM.search(spaced(column.removeprefix(INPUTS))):
            cells = text(table, column)
            if len(pc.unique(cells)) == table.n_rows and not is_in(cells, "").any():
                return cells
    return text(table, LINE) if LINE in table.columns else pa.array(map(str, range(table.n_rows)))


def _holds_numbers(table: TextTable, column: str) -> bool:
    names = table.coded(column).names
    return bool(names) and all(map(is_number, names))


FORMATS: tuple[Format, ...] = (
    Format(
        "Azure AI Evaluation", "a table of results of Azure AI Evaluation",
        "Give evaluate() an output_path, or write its ‘rows’ as JSON lines or CSV.",
        "table", _fits, read_table=read_rows,
    ),
)  # fmt: skip

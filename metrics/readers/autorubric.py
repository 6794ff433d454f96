"""A run of autorubric (its dataset, items and manifest) -> Table, one row per rating.

The human labels stand in the dataset by position of the criterion, the verdicts in the items in the order they were finished.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa

from metrics.data.vocabulary import Kind
from metrics.readers.autorubric_parts import Run
from metrics.readers.autorubric_rubric import BINARY, Criteria, Criterion, criteria_of, facts, stated_order
from metrics.readers.frames import text, texts
from metrics.readers.json_records import MOST_BRACKETS, of_lines
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.messages import brief, refuse, times
from metrics.readers.table import TextTable
from metrics.results.words import count

HUMAN, ONLY_JUDGE = "ground_truth", "judge"
FAILED = "judge call failed"
"""The label of a vote that stands in for a failed call."""
SUPERSEDED = "superseded: the criterion went on to other judges"
FAILED_ITEM = "the item failed as a whole"
REPEATED_ITEM = "repeated: a later line holds the same item"
COLUMNS = (
    "item",
    "criterion",
    "rater",
    "role",
    "label",
    "score",
    "criterion_weight",
    "description",
    "submission",
    "reason",
    "error",
)


@dataclass
class _Rows:
    """Cells by column, record numbers, and the records left out."""

    cells: dict[str, list[str]] = field(default_factory=lambda: {column: [] for column in COLUMNS})
    numbers: list[int] = field(default_factory=list)
    skipped: list[tuple[int, str]] = field(default_factory=list)
    kinds: dict[str, set[Kind]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._count = itertools.count(1)

    def add(self, **cells: str) -> None:
        self.numbers.append(next(self._count))
        for column in COLUMNS:
            self.cells[column].append(cells.get(column, ""))

    def leave(self, why: str) -> None:
        self.skipped.append((next(self._count), why))

    def means(self, label: str, kind: Kind) -> None:
        self.kinds.setdefault(label, set()).add(kind)


def read_run(run: Run, name: str, sha256: str, *, skip_bad_rows: bool, limits: Limits = LIMITS) -> TextTable:
    """Return the table of a run: the human's labels of every item, and each judge's votes.

    Parameters
    ----------
    run : Run
    name, sha256 : str
        Of the run as a whole, as messages and exports show them.
    skip_bad_rows : bool
        List lines that hold no record among the rows left out, instead of refusing the run.
    limits : Limits

    Raises
    ------
    InputError
        Where the run and the dataset do not belong together, a line cannot be read, or the table is larger than the limits.
    """
    items = run.dataset["items"]
    criteria = criteria_of(run.dataset, run.dataset_name)
    rows = _Rows()
    results = _results(run, len(items), rows, skip_bad_rows)
    judge = _only_judge(run.manifest)
    for place, item in enumerate(items):
        shared = {
            "item": str(place),
            "description": _word(item.get("description")),
            "submission": _word(item.get("submission")),
        }
        of_item = criteria.of(place)
        for criterion, label, reason in _truths(item, of_item, place, run.dataset_name):
            _add(rows, criterion, label, HUMAN, "human", shared, reason=reason)
        _verdicts(rows, results.get(place), of_item, judge, shared, run.items.name)
        limits.check_size(len(rows.numbers), len(COLUMNS), name)
    # a text that stands in many rows is one object only until they are packed
    limits.check_bytes(sum(sum(map(len, cells)) for cells in rows.cells.values()), name)
    return _table(rows, run, criteria, len(results), name, sha256)


def _table(rows: _Rows, run: Run, criteria: Criteria, n_results: int, name: str, sha256: str) -> TextTable:
    if not rows.numbers:
        refuse(f"{brief(run.dataset_name)} holds no ground truth, and {brief(run.items.name)} no verdict.")
    for label, kind in criteria.kinds():
        rows.means(label, kind)
    kinds = tuple((label, next(iter(kinds))) for label, kinds in rows.kinds.items() if len(kinds) == 1)
    return TextTable(
        name,
        sha256,
        pa.table([texts(rows.cells[column]) for column in COLUMNS], names=COLUMNS),
        1,
        np.array(rows.numbers, dtype=np.int64) if rows.skipped else None,
        tuple(sorted(rows.skipped)),
        _notes(run, n_results),
        corner=COLUMNS[0],
        kinds=kinds,
        order=stated_order(criteria),
        rubric=facts(criteria),
    )


def _notes(run: Run, n_results: int) -> tuple[str, ...]:
    n_items = len(run.dataset["items"])
    notes = [f"Read as a run of autorubric: labels from {brief(run.dataset_name)}, verdicts from {brief(run.items.name)}."]
    without = sum(item.get("ground_truth") is None for item in run.dataset["items"])
    if without:
        notes.append(f"{times(without, 'item has', 'items have')} no ground truth.")
    if n_results < n_items:
        notes.append(f"The run covers {n_results} of the dataset's {n_items} items.")
    if not run.manifest:
        notes.append("No manifest.json: nobody says how many items the run was to cover.")
    elif run.manifest.get("status", "completed") != "completed":
        notes.append(f"The run is not complete: its manifest says ‘{brief(run.manifest['status'], 30)}’.")
    return tuple(notes)


def _only_judge(manifest: dict[str, Any]) -> str:
    config = manifest.get("grader_config")
    judges = config.get("judges") if isinstance(config, dict) else None
    ids = [judge.get("judge_id") for judge in judges if isinstance(judge, dict)] if isinstance(judges, list) else []
    return str(ids[0]) if len(ids) == 1 and ids[0] else ONLY_JUDGE


def _results(run: Run, n_items: int, rows: _Rows, skip_bad_rows: bool) -> dict[int, dict[str, Any]]:
    """Return the report of each item, by its place in the dataset; of a repeated item the last."""
    expected = run.manifest.get("total_items")
    if isinstance(expected, int) and expected > n_items:
        refuse(
            f"The run was made on {expected} items, {brief(run.dataset_name)} has {n_items}: it is another dataset, or an "
            "earlier state of it. Send the one that the run was made on."
        )
    data = run.items.data
    if data.count(b"{") + data.count(b"[") > MOST_BRACKETS:
        refuse(f"{brief(run.items.name)} holds more than {count(MOST_BRACKETS)} lists and objects. Send fewer items.")
    numbers, skipped = list[int](), list[tuple[int, str]]()
    record_by_place: dict[int, dict[str, Any]] = {}
    records = itertools.chain.from_iterable(of_lines(data, run.items.name, skip_bad_rows, numbers, skipped))
    for at, record in enumerate(records):
        line = numbers[at]
        place = record.get("item_idx")
        if not isinstance(place, int) or isinstance(place, bool) or not isinstance(record.get("report"), dict):
            refuse(f"Line {line} of {brief(run.items.name)} holds no ‘item_idx’ with its ‘report’.", row=line)
        if not 0 <= place < n_items:
            refuse(
                f"Line {line} of {brief(run.items.name)} is about item {place}, {brief(run.dataset_name)} has items 0 to "
                f"{n_items - 1}. Send the dataset that the run was made on.",
                row=line,
            )
        if place in record_by_place:
            rows.leave(REPEATED_ITEM)
        record_by_place[place] = record
    for _, why in skipped:
        rows.leave(why)
    return record_by_place


def _truths(item: dict[str, Any], criteria: Sequence[Criterion], place: int, file: str) -> Iterator[tuple[Criterion, str, str]]:
    """Yield criterion, label and reason of every ground truth of an item."""
    given = item.get("ground_truth")
    if given is None:
        return
    if not isinstance(given, list) or len(given) != len(criteria):
        has = times(len(given), "label", "labels") if isinstance(given, list) else "no list of labels"
        of_rubric = times(len(criteria), "criterion", "criteria")
        refuse(f"Item {place} of {brief(file)} has {has} as ground_truth, its rubric has {of_rubric}.")
    reasons = item.get("ground_truth_reasons")
    if not isinstance(reasons, list) or len(reasons) != len(criteria):
        reasons = [None] * len(criteria)
    for criterion, value, reason in zip(criteria, given, reasons, strict=True):
        label = criterion.label(value)
        if label is None:
            _refuse_label("ground truth", value, criterion, str(place), file)
        yield criterion, str(label), _word(reason)


def _refuse_label(what: str, label: Any, criterion: Criterion, item: str, file: str) -> NoReturn:
    known = ", ".join(BINARY if criterion.binary else criterion.labels)
    refuse(
        f"Item {item} of {brief(file)}: the {what} ‘{brief(label, 40)}’ on ‘{brief(criterion.name, 40)}’ is none of "
        f"{brief(known, 200)}."
    )


def _verdicts(
    rows: _Rows,
    result: dict[str, Any] | None,
    criteria: Sequence[Criterion],
    judge: str,
    shared: dict[str, str],
    file: str,
) -> None:
    if result is None:
        return
    report = result["report"]
    reports = report.get("criterion_reports")
    failed = _word(result.get("error")) or _word(report.get("error"))
    if not isinstance(reports, list) or not reports:
        rows.leave(FAILED_ITEM)
        return
    if len(reports) != len(criteria) or not all(isinstance(entry, dict) for entry in reports):
        refuse(
            f"Item {shared['item']} of {brief(file)} was judged on "
            f"{times(len(reports), 'criterion', 'criteria')}, the dataset has "
            f"{len(criteria)} for it. Send the dataset that the run was made on."
        )
    for criterion, criterion_report in zip(criteria, reports, strict=True):
        _check_name(criterion, criterion_report, shared["item"], file)
        for vote in _votes(criterion_report, judge, shared["item"], file):
            if vote.get("superseded"):
                rows.leave(SUPERSEDED)
                continue
            error = failed or _word(vote.get("error"))
            verdict, abstains = (FAILED, False) if error else criterion.read_vote(vote)
            if error:
                rows.means(FAILED, "error")
            elif abstains:
                rows.means(verdict, "abstention")
            elif criterion.label(verdict) is None:
                _refuse_label("verdict", verdict, criterion, shared["item"], file)
            who = _word(vote.get("judge_id")) or judge
            _add(rows, criterion, verdict, who, "judge", shared, reason=_word(vote.get("reason")), error=error)


def _votes(report: dict[str, Any], judge: str, item: str, file: str) -> list[dict[str, Any]]:
    """Return votes of an ensemble; the only one of a single judge."""
    if "votes" not in report and "multi_choice_votes" not in report:
        return [{**report, "judge_id": judge}]
    lists = [report.get(key) or [] for key in ("votes", "multi_choice_votes")]
    if not all(isinstance(votes, list) for votes in lists) or not all(
        isinstance(vote, dict) for votes in lists for vote in votes
    ):
        refuse(f"Item {item} of {brief(file)} holds votes of another form: each must be an object, in a list.")
    return [vote for votes in lists for vote in votes]


def _check_name(criterion: Criterion, report: dict[str, Any], item: str, file: str) -> None:
    inner = report.get("criterion")
    theirs = (inner if isinstance(inner, dict) else report).get("requirement")
    if isinstance(theirs, str) and theirs != criterion.requirement:
        refuse(
            f"Item {item} of {brief(file)} was judged on ‘{brief(theirs, 60)}’ where the dataset has "
            f"‘{brief(criterion.requirement, 60)}’. Send the dataset that the run was made on."
        )


def _add(rows: _Rows, criterion: Criterion, label: str, who: str, role: str, shared: dict[str, str], **more: str) -> None:
    value = criterion.value(label)
    rows.add(
        criterion=criterion.name,
        rater=who,
        role=role,
        label=label,
        score="" if value is None else text(value),
        criterion_weight=text(criterion.weight),
        **shared,
        **more,
    )


def _word(value: Any) -> str:
    return "" if value is None else str(value)

"""DeepEval: test runs, whose metrics are the judges; a person's label stands there only as what a classifier should have said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import dicts, digest, number, record, riding, word
from metrics.readers.formats.record import Format, Record
from metrics.readers.messages import times
from metrics.readers.names import OVERALL

CASES = ("testCases", "test_cases", "conversationalTestCases", "conversational_test_cases", "test_results")
"""Keys of the cases: of a test run, with its names as they are written and as Python has them, and of `EvaluationResult`."""
POSITION = re.compile(r"(conversational_)?test_case_\d+")
"""Names that DeepEval gives: they say where a case stands, not which it is."""
CODE = frozenset({"Exact Match", "Pattern Match", "Tool Permission", "Agent Loop Detection"})
"""Metrics of DeepEval that ask no model."""
NO_METRIC = "a test case without any metric"
_NOTHING_CHECKED = re.compile(r"Verdicts:\s*\[\s*\]")
_THRESHOLD = "The label is ‘success’: whether the score reaches the threshold of its metric. The score stands beside it."
_BY_HASH = "The file names test cases by their position, so the item is a hash of input and output."
_EXPECTED = "The label that a classifier was expected to give (‘expectedLabel’) is taken as the human’s."
_BESIDE = (
    "name", "input", "actualOutput", "expectedOutput", "context", "retrievalContext", "turns", "scenario", "expectedOutcome",
    "tags", "comments", "metadata",
)  # fmt: skip
_IN_PYTHON = {
    name: re.sub(r"(?=[A-Z])", "_", name).lower()
    for name in (*_BESIDE, "metricsData", "evaluationModel", "verboseLogs", "expectedLabel")
}


def read_run(whole: Record, rows: Rows) -> None:
    """Read a test run (`.latest_test_run.json`), or the result of `evaluate` as JSON."""
    cases = [case for key in CASES for case in dicts(record(whole.get("testRunData") or whole).get(key))]
    empty = 0
    for case, (item, run) in zip(cases, _items(cases, rows), strict=True):
        more = riding({name: _field(case, name) for name in _BESIDE})
        metrics, labels = list(dicts(_field(case, "metricsData"))), list(dicts(case.get("classifications")))
        for metric in metrics:
            empty += _add_metric(item, run, metric, more, rows)
        for given in labels:
            _add_label(item, run, given, more, rows)
        if not metrics and not labels:
            rows.leave(NO_METRIC)
    if empty:
        rows.note(
            f"{times(empty, 'score rests', 'scores rest')} on no verdict at all (‘Verdicts: []’): nothing was there to check."
        )


def _items(cases: Sequence[Record], rows: Rows) -> Iterator[tuple[str, str]]:
    """Yield item and run of each case: its name where that tells cases apart, else a hash; the same case again is another run."""
    names = [word(case.get("name")) for case in cases]
    if len(set(names)) < len(names) or any(not name or POSITION.fullmatch(name) for name in names):
        rows.note(_BY_HASH)
        names = [digest([case.get("input"), _field(case, "actualOutput"), _turns(case)]) for case in cases]
    seen = Counter[str]()
    repeated = len(set(names)) < len(names)
    for name in names:
        seen[name] += 1
        yield name, str(seen[name]) if repeated else ""


def _turns(case: Record) -> list[list[Any]]:
    return [[turn.get("role"), turn.get("content")] for turn in dicts(case.get("turns"))]


def _field(fields: Record, name: str) -> Any:
    """Return a field under its name as it is written, `actualOutput`, or as Python has it, `actual_output`."""
    return fields[name] if name in fields else fields.get(_IN_PYTHON[name])


def _add_metric(item: str, run: str, metric: Record, more: dict[str, str], rows: Rows) -> bool:
    """Add what a metric found, and return whether it had nothing to check."""
    name, model, error = word(metric.get("name")) or OVERALL, word(_field(metric, "evaluationModel")), word(metric.get("error"))
    label, score = word(metric.get("success")), number(metric.get("score"))
    failed = bool(error) or not (label or score)
    code = not model and name in CODE
    if not failed:
        rows.note(_THRESHOLD)
    rows.add(
        item,
        name,
        name if code else model or "judge",
        "code" if code else "judge",
        "" if failed else label,
        "" if failed else score,
        run=run,
        reason=word(metric.get("reason")) or error,
        status="error" if failed else "ok",
        more={**more, "threshold": number(metric.get("threshold"))},
    )
    return not failed and bool(_NOTHING_CHECKED.search(word(_field(metric, "verboseLogs"))))


def _add_label(item: str, run: str, given: Record, more: dict[str, str], rows: Rows) -> None:
    """Add what a classifier said, and what it should have said."""
    name, label, expected = word(given.get("name")) or OVERALL, word(given.get("label")), word(_field(given, "expectedLabel"))
    failed = bool(given.get("error")) or not label
    judge = word(_field(given, "evaluationModel")) or "judge"
    reason = word(given.get("reason") or given.get("error"))
    rows.add(
        item, name, judge, "judge", "" if failed else label, run=run, reason=reason, status="error" if failed else "ok", more=more
    )
    if expected:
        rows.note(_EXPECTED)
        rows.add(item, name, "expected", "human", expected, run=run, more=more)


def _has_cases(whole: Record) -> bool:
    return any(isinstance(record(whole.get("testRunData") or whole).get(key), list) for key in CASES)


FORMATS: tuple[Format, ...] = (
    Format(
        "DeepEval", "a test run of DeepEval", "Set DEEPEVAL_RESULTS_FOLDER to a folder, and run the tests of DeepEval.", "object",
        lambda names: bool({"testCases", "testRunData", "test_results"} & names), _has_cases, read_object=read_run,
    ),
)  # fmt: skip

"""promptfoo: results of an evaluation, whose model-graded checks are the judge and whose ratings by hand the person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import dicts, digest, number, record, riding, within, word, written
from metrics.readers.formats.record import Format, Record, having
from metrics.readers.messages import brief
from metrics.readers.names import ITEM, OVERALL, spaced
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable

_GRADED = re.compile(
    r"(not-)?(agent-rubric|answer-relevance|context-(faithfulness|recall|relevance)|conversation-relevance|factuality|g-eval|"
    r"llm-rubric|model-graded-.*|pi|search-rubric|select-best|trajectory:goal-success|promptfoo:redteam:.*)"
)
_FAILED = re.compile(r"Could not extract JSON from|\S+ produced malformed response|No output$|Grading failed")


@dataclass(frozen=True)
class Check:
    """One component of a result: what was checked, by whom, and with what outcome."""

    criterion: str
    rater: str
    role: str
    value: str
    outcome: Record

    @property
    def failed(self) -> bool:
        """Whether the grader failed, which promptfoo writes down as a verdict of its own making: false, with a score of 0."""
        marked = within(self.outcome, "metadata", "graderError") is True
        return self.role == "judge" and (marked or bool(_FAILED.match(word(self.outcome.get("reason")))))


def checks_of(result: Record, grader: str) -> Iterator[Check]:
    """Yield the checks of a result; of one whose grading broke off, the model-graded checks that it should have had."""
    components = list(dicts(within(result, "gradingResult", "componentResults")))
    if not components and broke_off(result) and within(result, "response", "output") is not None:
        outcome = {"reason": result.get("error"), "metadata": {"graderError": True}}
        for assertion in _asserted(within(result, "testCase", "assert")):
            if _GRADED.fullmatch(word(assertion.get("type"))):
                yield _check(assertion, outcome, result, grader)
    for component in components:
        if word(within(component, "assertion", "type")):
            yield _check(component["assertion"], component, result, grader)


def _check(assertion: Record, outcome: Record, result: Record, grader: str) -> Check:
    kind = word(assertion.get("type"))
    role = "human" if kind == "human" else "judge" if _GRADED.fullmatch(kind) else "code"
    rater = kind
    if role == "judge":
        rater = named(assertion.get("provider")) or named(within(result, "testCase", "options", "provider")) or grader or "judge"
    return Check(word(assertion.get("metric")) or kind, rater, role, word(assertion.get("value")), outcome)


def _asserted(assertions: Any) -> Iterator[Record]:
    for assertion in dicts(assertions):
        yield from dicts(assertion.get("assert")) if assertion.get("type") == "assert-set" else (assertion,)


def named(provider: Any) -> str:
    """Return the name of a provider, which is a text or a record."""
    return word(provider.get("label") or provider.get("id")) if isinstance(provider, dict) else word(provider)


def broke_off(result: Record) -> bool:
    return result.get("failureReason") == 2 or (bool(result.get("error")) and result.get("gradingResult") is None)


def ambiguous(checks: Sequence[Sequence[Check]]) -> set[tuple[str, str]]:
    """Return criteria that one rater answers more than once in a result: two rubrics without a name of their own."""
    twice: set[tuple[str, str]] = set()
    for of_result in checks:
        counts = Counter((check.criterion, check.rater) for check in of_result if check.role != "human")
        twice.update(key for key, n in counts.items() if n > 1)
    return twice


def told_apart(check: Check, twice: set[tuple[str, str]]) -> Check:
    if (check.criterion, check.rater) not in twice or not check.value:
        return check
    return replace(check, criterion=f"{check.criterion}: {brief(check.value, 200)}")


NO_ANSWER = "the model under test gave no answer"
NO_CHECK = "a result without any check"
SUMMARY = "a summary of several checks"
NO_VERDICT = "a note or a score by hand without a verdict"
_BY_HAND = "Ratings by hand name no person (rater ‘human’) and no check: each stands under the model-graded check of its result"
_SEVERAL = f"{_BY_HAND}, and under ‘{OVERALL}’ where a result has several."
_REPEATED = "Repeats of a test with another answer are items of their own (‘/2’), for people rated single answers."
_SESSION = frozenset({"sessionId", "_conversation"})
"""Variables that promptfoo sets itself, anew for each call."""


def read_results(whole: Record, rows: Rows) -> None:
    """Read the file that `promptfoo eval -o results.json` writes."""
    grader = named(within(whole, "config", "defaultTest", "options", "provider"))
    _read(list(dicts(within(whole, "results", "results"))), rows, grader, word(within(whole, "results", "timestamp")))


def read_lines(results: Iterable[Record], rows: Rows) -> None:
    """Read results that stand one in each line."""
    _read(list(results), rows, "", "")


def _read(results: Sequence[Record], rows: Rows, grader: str, when: str) -> None:
    checks = [list(checks_of(result, grader)) for result in results]
    by_hand = any(check.role == "human" for of_result in checks for check in of_result)
    twice = ambiguous(checks)
    several = False
    for result, unnamed, (item, run) in zip(results, checks, _items(results, by_hand, rows), strict=True):
        of_result = [told_apart(check, twice) for check in unnamed]
        judged = {check.criterion for check in of_result if check.role == "judge"}
        several |= len(judged) > 1 and any(check.role == "human" for check in of_result)
        more = _beside(result)
        for check in of_result:
            criterion = check.criterion
            if check.role == "human":
                criterion = next(iter(judged)) if len(judged) == 1 else OVERALL
            _add(rows, item, criterion, check, when=when, run=run, more=more, comment=within(result, "gradingResult", "comment"))
        _count_rest(result, of_result, rows)
    if by_hand:
        rows.note(_SEVERAL if several else f"{_BY_HAND}.")


def _add(rows: Rows, item: str, criterion: str, check: Check, *, when: str, run: str, more: dict[str, str], comment: Any) -> None:
    """Add the outcome of one check; promptfoo writes the same reason for every rating by hand, so its comment is the reason."""
    outcome, failed, human = check.outcome, check.failed, check.role == "human"
    passed = outcome.get("pass")
    rows.add(
        item,
        criterion,
        check.rater,
        check.role,
        "" if failed else word(passed),
        "" if failed else number(outcome.get("score")),
        timestamp="" if human else when,
        run=run,
        reason=word(outcome.get("comment") or comment) if human else word(outcome.get("reason")),
        status="error" if failed else "ok",
        more=more,
    )


def _count_rest(result: Record, checks: Sequence[Check], rows: Rows) -> None:
    """Leave out, counted, what holds no verdict."""
    grading = record(result.get("gradingResult"))
    for component in dicts(grading.get("componentResults")):
        if not word(within(component, "assertion", "type")):
            rows.leave(SUMMARY)
    if word(grading.get("reason")).startswith("Manual result") and not any(check.role == "human" for check in checks):
        rows.leave(NO_VERDICT)
    if not checks:
        rows.leave(NO_ANSWER if broke_off(result) else NO_CHECK)


def _beside(result: Record) -> dict[str, str]:
    """Return what the file says of the item."""
    said = {
        "output": within(result, "response", "output"),
        "description": within(result, "testCase", "description"),
        "metadata": record(within(result, "testCase", "metadata")),
        "provider": named(result.get("provider")),
        "prompt": within(result, "prompt", "label"),
    }
    return {**riding(_vars(result)), **riding(said)}


def _vars(result: Record) -> Record:
    return {name: cell for name, cell in record(result.get("vars")).items() if name not in _SESSION}


def _items(results: Sequence[Record], by_hand: bool, rows: Rows) -> Iterator[tuple[str, str]]:
    """Yield item and run of each result: repeats of one test with one prompt are runs, in their order."""
    tests = [written(_vars(result) or result.get("testIdx")) for result in results]
    names = _names(results, tests)
    prompts = [word(result.get("promptIdx")) for result in results]
    outputs: dict[tuple[str, str], list[Any]] = {}
    repeated = len(set(zip(tests, prompts, strict=True))) < len(results)
    several = len(set(prompts)) > 1
    for result, test, prompt in zip(results, tests, prompts, strict=True):
        before = outputs.setdefault((test, prompt), [])
        before.append(within(result, "response", "output"))
        item = f"{names[test]}/{prompt}" if several else names[test]
        if by_hand and before[0] != before[-1]:
            rows.note(_REPEATED)
            item = f"{item}/{len(before)}"
        yield item, str(len(before)) if repeated else ""


def _names(results: Sequence[Record], tests: Sequence[str]) -> dict[str, str]:
    """Return the name of each test: an id among its variables, else its description, else a hash of its variables."""
    distinct = dict(zip(tests, results, strict=True))
    of_tests = [_vars(result) for result in distinct.values()]
    candidates = [name for name in (of_tests[0] if of_tests else ()) if ITEM.search(spaced(name))]
    columns = [[word(of_test.get(name)) for of_test in of_tests] for name in sorted(candidates, key=lambda name: name != "id")]
    columns.append([word(within(result, "testCase", "description")) for result in distinct.values()])
    for column in columns:
        if all(column) and len(set(column)) == len(column):
            return dict(zip(distinct, column, strict=True))
    return {test: digest(_vars(result) or result.get("testIdx")) for test, result in distinct.items()}


def _results_within(whole: Record) -> bool:
    return isinstance(within(whole, "results", "results"), list)


def _no_people(table: TextTable) -> bool:
    """Return whether no column of people's labels was added, which would make it a table of decisions."""
    return not any(role_of_column(column) == "human" for column in table.columns)


_OVERWRITTEN = "A rating by hand stands there in the place of the grader’s verdict, so human and judge cannot be told apart."
_JSON = "Export JSON instead: promptfoo export eval ID -o results.json."
FORMATS: tuple[Format, ...] = (
    Format(
        "promptfoo", "promptfoo’s result as CSV", _JSON, "table", having("Status", "Score", "Named Scores", "Grader Reason"),
        _no_people, why=_OVERWRITTEN,
    ),
    Format("promptfoo", "promptfoo’s result", _JSON, "object", having("results"), _results_within, read_object=read_results),
    Format(
        "promptfoo", "promptfoo’s result in lines", "Run promptfoo eval -o results.jsonl.", "records",
        having("testIdx", "promptIdx", "vars", "gradingResult"), read_records=read_lines,
    ),
)  # fmt: skip

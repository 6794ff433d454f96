"""promptfoo's checks: the components of a result, and who each of them is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from metrics.readers.formats.nested import records, within, word
from metrics.readers.formats.record import Record
from metrics.readers.messages import brief

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
    components = list(records(within(result, "gradingResult", "componentResults")))
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
    for assertion in records(assertions):
        yield from records(assertion.get("assert")) if assertion.get("type") == "assert-set" else (assertion,)


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

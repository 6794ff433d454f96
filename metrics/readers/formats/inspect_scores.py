"""Inspect's scores: a value of a scorer, with every edit of it as the rating of its author."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.nested import number, record, records, riding, within, word, written
from metrics.readers.formats.record import Record

CODE = re.compile(r"(inspect_ai/)?(answer|choice|exact|f1|includes|match|math|pattern|perplexity|target_perplexity)\d*")
"""Scorers of Inspect that call no model; a second of one kind has a number behind its name."""
UNCHANGED = "UNCHANGED"
SEVERAL_VALUES = "a list of values, no rating"
NO_VALUE = "a score without a value"
SAME_VALUE = "an edit that left the value as it was"
NOBODY = "an edit that names nobody"
_UNREAD = "Grade not found in model output"
_EDITED = "Scores that somebody edited are two ratings: the scorer’s first value is the judge’s, each edit its author’s."


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
class Reading:
    """Where ratings go, which model each scorer asks (under "" that of the role `grader`), and whether letters are grades."""

    rows: Rows
    graders: dict[str, str]
    graded: bool


def add_score(scorer: str, score: Record, sample: Sample, reading: Reading) -> None:
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
    value = None if _failed(first) else first.get("value")
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
            author, when = word(provenance.get("author")) or "human", word(provenance.get("timestamp"))
            _add_value(new, Given(scorer, author, "human", when, reason, "", False, why), sample, reading)
        value = value if new == UNCHANGED else new


def _failed(score: Record) -> bool:
    """Whether the grader failed, or its reply could not be read, which older versions write down as incorrect."""
    why = score.get("reason") or within(score, "metadata", "unscored_reason")
    return why in ("grader_failed", "scoring_failed") or word(score.get("explanation")).startswith(_UNREAD)


def _add_value(value: Any, given: Given, sample: Sample, reading: Reading) -> None:
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


def _add_plain(criterion: str, value: Any, given: Given, sample: Sample, reading: Reading) -> None:
    none = isinstance(value, float) and math.isnan(value)
    label = word(value) if isinstance(value, str | bool) and not given.failed else ""
    score = "" if given.failed or none or isinstance(value, str | bool) else number(value)
    status = "error" if given.failed else "abstain" if none or (reading.graded and label == "N") else "ok"
    answer = given.answer if given.answer != sample.more.get("output") else ""
    more = {**sample.more, **riding({"answer": answer, "edit reason": given.edit})}
    reading.rows.add(
        sample.item, criterion, given.rater, given.role, label, score,
        timestamp=given.when, run=sample.run, reason=given.reason, status=status, more=more,
    )  # fmt: skip

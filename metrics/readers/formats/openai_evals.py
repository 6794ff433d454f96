"""OpenAI evals: the log of a run, whose model-graded choices are the judge's; a meta-evaluation also tells the person's."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

from metrics.data.vocabulary import Kind
from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import number, record, riding, within, word
from metrics.readers.formats.record import Format, Record
from metrics.readers.names import OVERALL

INVALID = "__invalid__"
"""A reply of the judge that names no choice; evals gives it the lowest score, which is no verdict."""
CHOICE, META = "choice", "metascore"
OF_HUMAN = f"_{META}"
UNKNOWN = "a human’s choice that ‘metascore’ does not tell"
NO_CHOICE = "a number that the eval computed, no verdict"
_TWO = (
    "The human’s choice is inferred from ‘metascore’, which says whether the judge’s is the same, and from there being two: {}."
)
_MORE = (
    "‘metascore’ says only whether the human’s choice is the judge’s. With {} choices it does not tell which it is elsewhere, so "
    "no human label is read."
)
_EVENT = frozenset({"event_id", "sample_id", "type", "data"})


def _fits(names: Set[str]) -> bool:
    """Return whether a line is an event, the first line (`spec`) or the last (`final_report`)."""
    return names >= _EVENT or "final_report" in names or names == {"spec"}


def read_run(lines: Iterable[Record], rows: Rows) -> None:
    """Read the events of a run."""
    spec: Any = {}
    samplings: dict[str, list[Record]] = {}
    verdicts, report = list[Record](), list[str]()
    for line in lines:
        kind = line.get("type")
        if "spec" in line:
            spec = line["spec"]
        elif "final_report" in line:
            report = list(record(line["final_report"]))
        elif kind == "sampling":
            samplings.setdefault(word(line.get("sample_id")), []).append(record(line.get("data")))
        elif kind in ("metrics", "match"):
            verdicts.append(line)
    judges = within(spec, "completion_fns")
    judge = word(judges[-1]) if isinstance(judges, list) and len(judges) > 1 else "judge"
    scales = _scales(verdicts, report)
    _say_scales(scales, verdicts, rows)
    for event in verdicts:
        if event["type"] == "match":
            _add_match(event, rows)
        else:
            _add_choices(event, judge, samplings.get(word(event.get("sample_id")), []), scales, rows)


def _choices(event: Record) -> dict[str, str]:
    """Return the key of each choice that an event holds, with that of its comparison to the human's."""
    data = record(event.get("data"))
    keys = {key.removesuffix(OF_HUMAN): key for key in data if key.endswith(OF_HUMAN)}
    if CHOICE in data:
        keys[CHOICE] = keys.get(CHOICE, META)
    return {key: meta for key, meta in keys.items() if key in data}


def _scales(verdicts: Iterable[Record], report: Iterable[str]) -> dict[str, list[str]]:
    """Return the choices of each criterion, those too that only the report at the end counts."""
    scales: dict[str, list[str]] = {}
    for event in verdicts:
        for key in _choices(event):
            choice = word(record(event["data"])[key])
            if choice and choice != INVALID and choice not in scales.setdefault(key, []):
                scales[key].append(choice)
    for name in report:
        counted, _, choice = name.rpartition("/")
        key = CHOICE if counted == "counts" else counted.removeprefix("counts/")
        if counted.startswith("counts") and key in scales and choice not in (INVALID, "__missing_samples__", *scales[key]):
            scales[key].append(choice)
    return scales


def _say_scales(scales: dict[str, list[str]], verdicts: Iterable[Record], rows: Rows) -> None:
    """Say what two choices mean by their scores, and how the human's are known."""
    asked = {key for event in verdicts for key, meta in _choices(event).items() if meta in record(event["data"])}
    for key, choices in scales.items():
        if len(choices) == 2:
            rows.kinds |= _by_score(verdicts, choices) if key == CHOICE else {}
        if key in asked:
            rows.note(_TWO.format(" and ".join(map("‘{}’".format, choices))) if len(choices) == 2 else _MORE.format(len(choices)))


def _by_score(verdicts: Iterable[Record], choices: list[str]) -> dict[str, Kind]:
    """Return which of two choices is the good one: that with the higher score, where each has one of its own."""
    given = {(word(within(event, "data", CHOICE)), number(within(event, "data", "score"))) for event in verdicts}
    scores = {choice: score for choice, score in given if choice in choices and score}
    try:
        low, high = sorted(choices, key=lambda choice: float(scores[choice]))
    except (KeyError, ValueError):
        return {}
    plain = sum(choice in choices for choice, _ in given) == 2 and float(scores[low]) < float(scores[high])
    return {high: "positive", low: "negative"} if plain else {}


def _add_choices(event: Record, judge: str, samplings: list[Record], scales: dict[str, list[str]], rows: Rows) -> None:
    """Add the judge's choices of an event, and the human's where they can be told."""
    data, item = record(event.get("data")), word(event.get("sample_id"))
    keys = _choices(event)
    if not keys:
        rows.leave(NO_CHOICE)
    first = samplings[0] if samplings else {}
    more = riding({"prompt": first.get("prompt"), "sampled": first.get("sampled")})
    reason = _only(samplings[-1].get("sampled")) if len(samplings) > 1 else ""
    for key, meta in keys.items():
        criterion, choice = OVERALL if key == CHOICE else key, word(data[key])
        failed = choice in ("", INVALID)
        score = number(data.get("score")) if key == CHOICE and not failed else ""
        rows.add(
            item, criterion, judge, "judge", choice, score, timestamp=word(event.get("created_at")), reason=reason,
            status="error" if failed else "ok", more=more,
        )  # fmt: skip
        if meta in data:
            human = _human(choice, data[meta], scales.get(key, []))
            if human:
                rows.add(item, criterion, "human", "human", human, more=more)
            else:
                rows.leave(UNKNOWN)


def _human(choice: str, same: Any, choices: list[str]) -> str:
    """Return the human's choice; empty where it cannot be told."""
    if len(choices) != 2 or choice not in choices or not isinstance(same, bool | int | float):
        return ""
    return choice if same else choices[1 - choices.index(choice)]


def _only(sampled: Any) -> str:
    return word(sampled[0]) if isinstance(sampled, list) and len(sampled) == 1 else word(sampled)


def _add_match(event: Record, rows: Rows) -> None:
    """Add a comparison of texts, which asked no model."""
    data = record(event.get("data"))
    more = riding({name: data.get(name) for name in ("expected", "picked", "sampled")})
    when = word(event.get("created_at"))
    rows.add(word(event.get("sample_id")), "match", "match", "code", word(data.get("correct")), timestamp=when, more=more)


FORMATS: tuple[Format, ...] = (
    Format(
        "OpenAI evals",
        "a run of OpenAI evals",
        "Run oaieval with --record_path run.jsonl.",
        "records",
        _fits,
        read_records=read_run,
    ),
)

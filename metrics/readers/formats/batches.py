"""Replies of a batch of requests to a model, as OpenAI and Anthropic return them: the judge's verdicts are in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from metrics.data.reasons import names_reasons
from metrics.data.vocabulary import is_number
from metrics.readers.composite_cells import BRACKETED, LAST, LONGEST_LAST, UNREAD
from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import dicts, parsed, record, unfenced, within, word
from metrics.readers.formats.record import Format, Record, having
from metrics.readers.name_parts import HELD
from metrics.readers.names import CRITERION, OVERALL, spaced

JUDGE = "judge"
MOST_LABELS = 20
"""Different labels of a criterion, from which they are texts."""
LONGEST = 120
"""Letters of a reply that may be a verdict as a whole, with a few words of why."""
Verdict = tuple[str, str, str]
"""Criterion, label and reason."""


@lru_cache(1024)
def _is_reason(field: str) -> bool:
    return names_reasons(field)


@lru_cache(1024)
def _is_held(field: str) -> bool:
    return HELD.fullmatch(spaced(field)) is not None


def verdicts_in(reply: str) -> list[Verdict]:
    """Return what a reply says of each criterion: from JSON in it, else the reply itself; nothing where there is no verdict."""
    content = _parsed(reply)
    if isinstance(content, dict | list):
        return list(_of_json(content))
    text = reply.strip()
    marked = BRACKETED.findall(text)
    last = LAST.search(text[-LONGEST_LAST:])
    label = marked[-1] if marked else last[1] if last else text if len(text) <= LONGEST else ""
    return [(OVERALL, label, text if label != text else "")] if label else []


def _parsed(reply: str) -> Any:
    """Return the JSON of a reply, alone, between fences or after words; None without."""
    text = unfenced(reply)
    starts = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    return parsed(text[min(starts) : max(text.rfind("}"), text.rfind("]")) + 1]) if starts else None


def _of_json(content: Any) -> Iterator[Verdict]:
    if isinstance(content, list):
        for entry in dicts(content):
            yield from _of_entry(entry)
        return
    fields = {name: value for name, value in content.items() if not _is_reason(name)}
    reason = next((word(value) for name, value in content.items() if _is_reason(name)), "")
    nested = {name: value for name, value in fields.items() if isinstance(value, dict | list)}
    plain = {name: word(value) for name, value in fields.items() if name not in nested and len(word(value)) <= LONGEST}
    for name, value in nested.items():
        yield from (
            _of_json(value) if isinstance(value, list) else ((name, label, why) for _, label, why in _of_entry(value, name))
        )
    for name, label in plain.items():
        criterion = OVERALL if len(plain) == 1 and _is_held(name) else name
        if label:
            yield criterion, label, reason


def _of_entry(entry: Record, called: str = "") -> Iterator[Verdict]:
    """Yield the verdict of a record on one criterion, which it names itself, or which is called so."""
    name = called or next(
        (word(entry[field]) for field in entry if CRITERION.search(spaced(field)) or field in ("name", "id")), ""
    )
    reason = next((word(entry[field]) for field in entry if _is_reason(field)), "")
    label = next((word(entry[field]) for field in entry if _is_held(field)), "")
    if name and label:
        yield name, label, reason


def _without_texts(replies: Sequence[Sequence[Verdict]]) -> list[list[Verdict]]:
    """Return verdicts without those on fields that hold another text in nearly each reply, where others do not: why, analysis.

    The text is the reason of the others, which are on the only criterion where one is left that says but that it is a label.
    """
    said: dict[str, list[str]] = {}
    for verdicts in replies:
        for criterion, label, _ in verdicts:
            said.setdefault(criterion, []).append(label)
    texts = {name for name, labels in said.items() if _are_texts(labels)}
    left = [name for name in said if name not in texts]
    if not texts or not left:
        return [list(verdicts) for verdicts in replies]
    held = [name for name in left if name != OVERALL]
    only = OVERALL if len(held) < 2 and all(map(_is_held, held)) else ""
    kept = []
    for verdicts in replies:
        why = "; ".join(label for criterion, label, _ in verdicts if criterion in texts)
        kept.append([(only or criterion, label, reason or why) for criterion, label, reason in verdicts if criterion in left])
    return kept


def _are_texts(labels: Sequence[str]) -> bool:
    return len(set(labels)) > max(MOST_LABELS, len(labels) / 2) and not all(map(is_number, labels))


def _add(rows: Rows, replies: Sequence[tuple[str, str, str | None]]) -> None:
    """Add the verdicts of the replies to requests, by their ids and models.

    A request that failed, and a reply without a verdict, is one on each criterion of the others.
    """
    found = _without_texts([verdicts_in(reply) if reply is not None else [] for _, _, reply in replies])
    criteria = list(dict.fromkeys(criterion for verdicts in found for criterion, _, _ in verdicts)) or [OVERALL]
    judge = next((model for _, model, _ in replies if model), JUDGE)
    for (item, model, reply), verdicts in zip(replies, found, strict=True):
        for criterion, label, reason in verdicts:
            rows.add(item, criterion, model or judge, "judge", label, reason=reason)
        for criterion in () if verdicts else criteria:
            if reply is None:
                rows.add(item, criterion, model or judge, "judge", status="error")
            else:
                rows.add(item, criterion, model or judge, "judge", UNREAD, reason=reply.strip())


def _first_text(parts: Any) -> str | None:
    return next((part["text"] for part in dicts(parts) if isinstance(part.get("text"), str)), None)


def read_openai(lines: Iterable[Record], rows: Rows) -> None:
    """Read the output file of OpenAI’s Batch API, of chat completions or of responses."""
    replies = []
    for line in lines:
        body = record(within(line, "response", "body"))
        message = within(next(dicts(body.get("choices")), {}), "message", "content")
        texts = (message, *(_first_text(part.get("content")) for part in dicts(body.get("output"))))
        reply = next((one for one in texts if isinstance(one, str)), None)
        replies.append((word(line.get("custom_id")), word(body.get("model")), reply))
    _add(rows, replies)


def read_anthropic(lines: Iterable[Record], rows: Rows) -> None:
    """Read the results of Anthropic’s message batches."""
    messages = [(word(line.get("custom_id")), record(within(line, "result", "message"))) for line in lines]
    _add(rows, [(item, word(message.get("model")), _first_text(message.get("content"))) for item, message in messages])


def _answered(line: Record) -> bool:
    return isinstance(within(line, "response", "body"), dict) or isinstance(line.get("error"), dict)


HOW = "Join it with the people’s labels: the id of each request is the item’s."
FORMATS: tuple[Format, ...] = (
    Format(
        "OpenAI", "the output of a batch of OpenAI", f"Download the batch’s output file. {HOW}", "records",
        having("custom_id", "response", "error"), _answered, read_records=read_openai,
    ),
    Format(
        "Anthropic", "the results of a batch of Anthropic", f"Download the batch’s results. {HOW}", "records",
        having("custom_id", "result"), lambda line: isinstance(within(line, "result", "type"), str), read_records=read_anthropic,
    ),
)  # fmt: skip

"""Prodigy: the answers of a data set, as `db-out` writes them: yes or no to one label, or a choice among options."""

from __future__ import annotations

from collections.abc import Iterable

from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import Answer, answer_of, is_reason, listed_in, riding, status_of
from metrics.readers.formats.record import Format, Record, having
from metrics.readers.frames import text
from metrics.readers.names import OVERALL

MARKS, REJECTED, UNANSWERED = "marks in a text or an image, no label", "the task was rejected, not answered", "no answer"
NOBODY = "session"
"""The rater, and the role that somebody must say, where the file names neither annotator nor session."""
_SESSIONS = "Prodigy names sessions alike whether a person or a model answered: somebody must say which are judges."
_REJECTED = "Prodigy’s ‘reject’ of a choice is about the task: such choices are left out."
_OWN = frozenset({
    "answer", "accept", "label", "options", "config", "spans", "tokens", "relations", "image", "audio", "video", "versions",
    "_input_hash", "_task_hash", "_view_id", "_timestamp", "_annotator_id", "_session_id", "_is_binary",
})  # fmt: skip


def read_answers(records: Iterable[Record], rows: Rows) -> None:
    """Add the ratings of answers; each session is a rater whose role somebody must say."""
    for record in records:
        label, score, why = _answer(record)
        if why:
            rows.leave(why)
            if why == REJECTED:
                rows.note(_REJECTED)
            continue
        who = text(record.get("_annotator_id")).strip() or text(record.get("_session_id")).strip() or NOBODY
        reason = "\n".join(value for name, value in record.items() if is_reason(name) and isinstance(value, str))
        rows.add(
            text(record.get("_input_hash")) or text(record.get("_task_hash")), _criterion(record), who, who, label, score,
            timestamp=text(record.get("_timestamp")), reason=reason,
            status=status_of(label) if label or score else "abstain",
            more=riding({name: value for name, value in record.items() if name not in _OWN and not is_reason(name)}),
        )  # fmt: skip
    if rows.n:
        rows.note(_SESSIONS)


def _criterion(record: Record) -> str:
    """Return what was asked: the label that is accepted or rejected."""
    label = record.get("label")
    return label.strip() or OVERALL if isinstance(label, str) else OVERALL


def _answer(record: Record) -> Answer:
    """Return the answer; one that is all empty is the task that was passed over."""
    answer = text(record.get("answer")).strip()
    if not answer:
        return ("", "", UNANSWERED)
    if "accept" in record or "options" in record:
        if answer == "ignore":
            return ("", "", "")
        chosen = list(map(text, listed_in(record, "accept")))  # as words: an option numbered 1 is a label, no score
        return answer_of(chosen) if answer == "accept" else ("", "", REJECTED)
    view = text(record.get("_view_id"))
    if view.endswith("_manual") or view == "relations":
        return ("", "", MARKS)
    return (answer, "", "")


FORMATS: tuple[Format, ...] = (
    Format(
        "Prodigy", "a data set of Prodigy", "Write it with prodigy db-out.", "records", having("_task_hash", "answer"),
        read_records=read_answers,
    ),
)  # fmt: skip

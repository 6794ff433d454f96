"""Argilla: people's responses and models' suggestions, as nested records and as flat ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import LONGEST_LABEL, WRITTEN, answer_of, is_reason, listed_in, records_in, riding, status_of
from metrics.readers.formats.record import Format, Record, having
from metrics.readers.frames import text
from metrics.readers.table import TextTable

RESPONSES, SUGGESTION, ABOUT_ITEM = ".responses", ".suggestion", "item"
DRAFT = "a draft, not submitted"
NO_AGENT = "suggestion"
"""The judge of suggestions that name no agent."""
_NO_STATUS = (
    "Argilla’s nested JSON lacks the status of responses: drafts and discarded ones count as submitted. "
    "records.to_list(flatten=True) has it."
)
_FEW = 16
"""Numbers of a field; a list of more is a vector, no text about the item."""


def read_nested(records: Iterable[Record], rows: Rows) -> None:
    """Add the ratings of records with `responses` and `suggestions` inside."""
    for record in records:
        responses, suggestions = (_inside(record, name) for name in ("responses", "suggestions"))
        more = {**riding(_inside(record, "fields")), **riding(_inside(record, "metadata"))}
        item, rating = _item(record), _Record(rows)
        for question, given in responses.items():
            for response in given if isinstance(given, list) else ():
                if isinstance(response, dict):
                    rating.respond(question, response.get("user_id"), response.get("value"), response.get("status"))
        for question, suggestion in suggestions.items():
            if isinstance(suggestion, dict):
                rating.suggest(question, suggestion.get("agent"), suggestion.get("value"), suggestion.get("score"))
        rating.add(item, more)
        if any(responses.values()) and not rating.has_status:
            rows.note(_NO_STATUS)


def read_flat(records: Iterable[Record], rows: Rows) -> None:
    """Add the ratings of records whose questions are fields: `q.responses`, `q.responses.users`, `q.suggestion`."""
    for record in records:
        rating, more = _Record(rows), dict[str, Any]()
        for name, value in record.items():
            held = _held(name)
            if held == RESPONSES and isinstance(value, list):
                beside = (listed_in(record, f"{name}.{part}") for part in ("users", "status"))
                for said, user, status in zip(value, *(chain(known, repeat(None)) for known in beside), strict=False):
                    rating.respond(name.removesuffix(RESPONSES), user, said, status)
            elif held == SUGGESTION and value is not None:
                rating.suggest(name.removesuffix(SUGGESTION), record.get(f"{name}.agent"), value, record.get(f"{name}.score"))
            elif held == ABOUT_ITEM and not _is_vector(value):
                more[name] = value
        rating.add(_item(record), riding(more))


class _Record:
    """What people and models say of one record, with the words of each for the others of their answers."""

    def __init__(self, rows: Rows) -> None:
        self._rows, self.has_status = rows, False
        self._said: list[tuple[str, str, str, Any, Any]] = []
        self._reasons: dict[tuple[str, str], str] = {}

    def respond(self, question: str, user: Any, value: Any, status: Any) -> None:
        """Take a person's response.

        Parameters
        ----------
        question : str
        user, value, status : JSON
            As in the file; a value may be missing.
        """
        self.has_status |= status is not None
        who = text(user).strip() or "human"
        if is_reason(question) and isinstance(value, str) and status in (None, "submitted"):
            self._reasons["human", who] = value.strip()
        else:
            self._said.append((question, who, "human", value, status))

    def suggest(self, question: str, agent: Any, value: Any, score: Any) -> None:
        """Take a model's suggestion.

        Parameters
        ----------
        question : str
        agent, value : JSON
        score : JSON
            How sure the agent is, no rating.
        """
        who = text(agent).strip() or NO_AGENT
        if is_reason(question) and isinstance(value, str):
            self._reasons["judge", who] = value.strip()
        else:
            self._said.append((question, who, "judge", value, score))

    def add(self, item: str, more: Mapping[str, str]) -> None:
        """Add the ratings of the record.

        Parameters
        ----------
        item : str
        more : mapping of str to str
            Columns that ride along.
        """
        for question, who, role, value, beside in self._said:
            sure = {"suggestion.score": text(beside)} if role == "judge" and beside is not None else {}
            discarded = role == "human" and beside == "discarded"
            label, score, why = ("", "", "") if discarded else answer_of(value)
            if role == "human" and not discarded and beside not in (None, "submitted"):
                self._rows.leave(DRAFT)
            elif why or len(label) > LONGEST_LABEL:
                self._rows.leave(why or WRITTEN)
            elif label or score or discarded:
                self._rows.add(
                    item, question.strip() or "overall", who, role, label, score, reason=self._reasons.get((role, who), ""),
                    status="abstain" if discarded else status_of(label), more={**more, **sure} if sure else more,
                )  # fmt: skip


def _item(record: Record) -> str:
    return text(record.get("id")) or text(record.get("_server_id"))


def _inside(record: Record, name: str) -> Record:
    value = record.get(name)
    return value if isinstance(value, dict) else {}


@lru_cache(maxsize=4096)
def _held(name: str) -> str:
    """Return what a field of a flat record holds: responses, a suggestion, or something about the item, which is no answer and
    nothing of the server; empty for what belongs to another field."""
    if name.endswith((RESPONSES, SUGGESTION)):
        return RESPONSES if name.endswith(RESPONSES) else SUGGESTION
    stem, _, last = name.rpartition(".")
    answer = (stem.endswith(RESPONSES) and last in ("users", "status")) or (
        stem.endswith(SUGGESTION) and last in ("score", "agent")
    )
    return "" if answer or name in ("id", "status", "_server_id") else ABOUT_ITEM


def _is_vector(value: Any) -> bool:
    return isinstance(value, list) and len(value) > _FEW and isinstance(value[0], float)


def is_flat(names: Set[str]) -> bool:
    """Return whether fields are those of flat records, one that nobody answered among them."""
    if any(name.endswith((f"{RESPONSES}.users", f"{SUGGESTION}.agent")) for name in names):
        return True
    return {"id", "status", "_server_id"} <= names and "responses" not in names


def read_cells(table: TextTable) -> TextTable:
    """Return the ratings of flat records whose lists stand in cells."""
    rows = Rows(table.name)
    read_flat(_flat(table), rows)
    return rows.table(table.sha256, table.notes, table.skipped)


def _flat(table: TextTable) -> Iterator[Record]:
    packed = [name for name in table.columns if RESPONSES in name or name.endswith(SUGGESTION)]
    for cells in records_in(table, *packed):
        yield {name: cell for name, cell in cells.items() if cell != ""}


HOW = "Write Argilla’s records.to_list(flatten=True) as JSON: it has the status of each response."
FORMATS: tuple[Format, ...] = (
    Format("Argilla", "Argilla’s records as flat JSON", HOW, "records", is_flat, read_records=read_flat),
    Format(
        "Argilla", "Argilla’s records as nested JSON", HOW, "records", having("fields", "responses", "suggestions"),
        read_records=read_nested,
    ),
    Format(
        "Argilla", "Argilla’s flat records as a table", HOW, "table",
        lambda names: any(name.endswith(f"{RESPONSES}.users") for name in names), read_table=read_cells,
    ),
)  # fmt: skip

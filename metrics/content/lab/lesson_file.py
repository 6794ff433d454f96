"""A lesson that a teacher writes: a small JSON file of tables, sentences and bets, checked, and short enough for an address."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics.content.lab.lessons import Bet
from metrics.content.lab.pictures import Picture
from metrics.content.lab.scenes import Scene
from metrics.content.lab.tables import ConfusionTable
from metrics.content.lab.terms import Facts
from metrics.errors import InputError
from metrics.results.words import listed, shorten

MOST_STEPS, MOST_LETTERS, MOST_OPTIONS = 20, 600, 6
MOST_BYTES, MOST_IN_LINK = 60_000, 6_000
"""Of a file, and letters of a lesson in an address."""
FIELDS = {"title": True, "source": False, "steps": True}
STEP_FIELDS = {"title": True, "sentence": True, "table": True, "beside": False, "bet": False, "note": False}
BET_FIELDS = {"question": True, "options": True, "right": True}
FACT = re.compile(r"\{([a-z][a-z_0-9]*)\}")
"""A number of the table in a sentence: {kappa}, {accuracy_share}. Nothing else stands in braces."""
EXAMPLE = """{
  "title": "A rare label",
  "source": "Your course",
  "steps": [
    {
      "title": "They agree on {accuracy_share}",
      "sentence": "Of {n} answers the judge finds {recall_share} of those that are MET.",
      "table": [45, 5, 45, 905],
      "bet": {"question": "Is κ above 0.8?", "options": ["Yes", "No"], "right": 2}
    },
    {"title": "κ is {kappa}", "sentence": "Luck alone would give much of the {accuracy_share}.", "table": [45, 5, 45, 905]}
  ]
}
"""


@dataclass(frozen=True)
class OwnStep:
    """One table with its sentence, in which numbers of the table stand in braces."""

    title: str
    sentence: str
    table: ConfusionTable
    beside: ConfusionTable | None = None
    bet: Bet | None = None
    note: str = ""

    @property
    def scene(self) -> Scene:
        return Scene("", self.table, self.beside)

    def filled(self, text: str) -> str:
        """Return a text with the numbers of the table; plain text."""
        facts = Facts(Picture(self.table))
        return FACT.sub(lambda found: _number(facts, found[1]), text)


@dataclass(frozen=True)
class OwnLesson:
    title: str
    steps: tuple[OwnStep, ...]
    source: str = ""


def read_lesson(data: bytes | str, name: str = "lesson.json") -> OwnLesson:
    """Return the lesson of a file.

    Parameters
    ----------
    data : bytes or str
        JSON: title, source, and steps with title, sentence, table ([TP, FN, FP, TN]), beside, bet and note.
    name : str
        Of the file, for messages.

    Raises
    ------
    InputError
        Naming the file, the step and the field, and what may stand there.
    """
    if len(data) > MOST_BYTES:
        raise InputError(f"{name}: a lesson has at most {MOST_BYTES:,} bytes. Leave tables of other lessons out.")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        place = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{name}{place}: this is no JSON. Begin with the example, and keep its quotes and commas.") from None
    fields = _fields(found, FIELDS, name)
    steps = fields["steps"]
    if not isinstance(steps, list) or not 1 <= len(steps) <= MOST_STEPS:
        raise InputError(f"{name}, steps: write a list of 1 to {MOST_STEPS} steps.")
    read = tuple(_step(step, f"{name}, step {place}") for place, step in enumerate(steps, 1))
    return OwnLesson(_text(fields["title"], f"{name}, title"), read, _text(fields.get("source", ""), f"{name}, source"))


def packed(data: bytes | str) -> str:
    """Return a lesson as an address carries it.

    Raises
    ------
    InputError
        For a lesson that is none, and for one that is too long for a link.
    """
    read_lesson(data)
    small = json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":")).encode()
    text = base64.urlsafe_b64encode(zlib.compress(small, 9)).decode().rstrip("=")
    if len(text) > MOST_IN_LINK:
        raise InputError("This lesson is too long for a link. Share the file, or make two lessons of it.")
    return text


def unpacked(text: str) -> OwnLesson:
    """Return the lesson of an address.

    Raises
    ------
    InputError
        Where it holds none.
    """
    gone = "The lesson in this link cannot be read. Copy the whole link, or ask for the file."
    if len(text) > MOST_IN_LINK:
        raise InputError(gone)
    try:
        packed_bytes = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        reader = zlib.decompressobj()
        data = reader.decompress(packed_bytes, MOST_BYTES)
        if reader.unconsumed_tail:
            raise InputError(gone)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise InputError(gone) from error
    return read_lesson(data, "the lesson of the link")


def _number(facts: Facts, name: str) -> str:
    """Return one of the facts; AttributeError for what is none."""
    shown = getattr(facts, name)
    if not isinstance(shown, str):
        raise AttributeError(name)
    return shown


def _step(found: Any, where: str) -> OwnStep:
    fields = _fields(found, STEP_FIELDS, where)
    beside = _table(fields["beside"], f"{where}, beside") if "beside" in fields else None
    step = OwnStep(
        _text(fields["title"], f"{where}, title"),
        _text(fields["sentence"], f"{where}, sentence"),
        _table(fields["table"], f"{where}, table"),
        beside,
        _bet(fields["bet"], f"{where}, bet") if "bet" in fields else None,
        _text(fields.get("note", ""), f"{where}, note"),
    )
    for name in ("title", "sentence"):
        _check_facts(step, getattr(step, name), f"{where}, {name}")
    return step


def _check_facts(step: OwnStep, text: str, where: str) -> None:
    try:
        rest = step.filled(FACT.sub("", text))
        step.filled(text)
    except (AttributeError, KeyError) as error:
        name = shorten(str(error).strip("'\""), 30)
        raise InputError(f"{where}: there is no number {{{name}}}. Write {{n}}, {{kappa}} or {{accuracy_share}}.") from None
    if "{" in rest or "}" in rest:
        raise InputError(f"{where}: braces are for numbers of the table, such as {{kappa}}. Leave other braces out.")


def _table(found: Any, where: str) -> ConfusionTable:
    whole = isinstance(found, list) and len(found) == 4 and all(type(n) is int for n in found)
    if not whole or sum(found) == 0:
        raise InputError(f"{where}: write four whole numbers, TP, FN, FP, TN, such as [45, 5, 45, 905].")
    try:
        return ConfusionTable(tuple(float(n) for n in found))
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _bet(found: Any, where: str) -> Bet:
    fields = _fields(found, BET_FIELDS, where)
    options, right = fields["options"], fields["right"]
    if not isinstance(options, list) or not 2 <= len(options) <= MOST_OPTIONS:
        raise InputError(f"{where}, options: write a list of 2 to {MOST_OPTIONS} answers.")
    if type(right) is not int or not 1 <= right <= len(options):
        raise InputError(f"{where}, right: write which answer is right, from 1 to {len(options)}.")
    texts = tuple(_text(option, f"{where}, options") for option in options)
    if len(set(texts)) < len(texts):
        raise InputError(f"{where}, options: two answers are the same. Word them apart.")
    return Bet(_text(fields["question"], f"{where}, question"), texts, right - 1)


def _fields(found: Any, known: Mapping[str, bool], where: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise InputError(f"{where}: write an object with {listed(list(known))}.")
    strange = [name for name in found if name not in known]
    if strange:
        raise InputError(f"{where}: there is no field {shorten(strange[0], 30)!r}. There are {listed(list(known))}.")
    lacking = [name for name, needed in known.items() if needed and name not in found]
    if lacking:
        raise InputError(f"{where}: {lacking[0]} is missing. Write it.")
    return found


def _text(found: Any, where: str) -> str:
    if not isinstance(found, str) or len(found) > MOST_LETTERS:
        raise InputError(f"{where}: write a text of at most {MOST_LETTERS} letters.")
    return found

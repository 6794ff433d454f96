"""Codes of disagreements: kept, written to a file, read again, and put together with those of another person."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.saved import loaded, written_text
from metrics.errors import InputError
from metrics.results.words import shorten

Code = Literal["", "judge", "human", "rubric", "both", "right", "wrong", "unsure"]
CODES: dict[Code, str] = {
    "judge": "Judge wrong",
    "human": "Human wrong",
    "rubric": "Rubric unclear",
    "both": "Both defensible",
}
"""Of a disagreement, in the order of the keys 1 to 4."""
AGREED: dict[Code, str] = {"right": "Both right", "wrong": "Both wrong"}
"""Of an agreement, in the order of the keys 1 and 2."""
UNSURE: dict[Code, str] = {"unsure": "Cannot tell"}
"""Of either, by the key behind these; it counts as if nobody had coded the decision."""
ALL = CODES | AGREED | UNSURE
VERSION, KIND = 1, "coded disagreements"
MOST_LETTERS, MOST_TAGS = 2000, 20
Key = tuple[str, str, str]
"""Item, criterion and judge."""


@dataclass(frozen=True)
class Coded:
    """What somebody says of one disagreement.

    Attributes
    ----------
    code : Code
        Empty while nobody has said whose error it is.
    tags : tuple of str
        Words of one's own.
    note : str
    meeting : bool
        To be talked about in the meeting.
    own : str
        Label that the reader gave before those of people and judge were shown; empty where they were in view.
    """

    code: Code = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    meeting: bool = False
    own: str = ""

    @property
    def shown(self) -> bool:
        """Whether a blind reader has decided, so that people and judge are shown."""
        return bool(self.own or self.code)

    @property
    def empty(self) -> bool:
        return self == Coded()


@dataclass(frozen=True)
class Coding:
    """Codes by decision, and the file they were made on.

    Attributes
    ----------
    file, sha256 : str
        Name and digest of the file in view when they were made.
    codes : mapping of (item, criterion, judge) to Coded
    """

    file: str = ""
    sha256: str = ""
    codes: Mapping[Key, Coded] = field(default_factory=dict)

    def of(self, key: Key) -> Coded:
        return self.codes.get(key, Coded())

    @property
    def tags(self) -> tuple[str, ...]:
        """Tags in use, in alphabetical order."""
        return tuple(sorted({tag for coded in self.codes.values() for tag in coded.tags}))

    def to_dict(self) -> dict[str, Any]:
        """Return the codes JSON-ready, one entry per decision."""
        entries = [
            {"item": item, "criterion": criterion, "judge": judge} | _entry(coded)
            for (item, criterion, judge), coded in self.codes.items()
            if not coded.empty
        ]
        return {"version": VERSION, "kind": KIND, "file": self.file, "sha256": self.sha256, "codes": entries}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)

    def with_those_of(self, other: Coding) -> Coding:
        """Return these codes with those of another person where this one has none: nothing coded here is replaced."""
        theirs = {key: coded for key, coded in other.codes.items() if not self.of(key).code}
        kept = {key: replace(coded, code=theirs[key].code) if key in theirs else coded for key, coded in self.codes.items()}
        return replace(self, codes=theirs | kept)


def coding_of(content: Any, name: str = "The file") -> Coding:
    """Return the codes that `Coding.to_dict` describes.

    Raises
    ------
    InputError
        Where they are none, and for an unknown code.
    """
    try:
        if content["kind"] != KIND or content["version"] != VERSION:
            raise KeyError
        codes = {_key(entry): _coded(entry) for entry in content["codes"]}
        coding = Coding(written_text(content["file"]), written_text(content["sha256"]), codes)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise InputError(f"{name} holds no coded disagreements. Load a file that “Save the codes” wrote.") from None
    unknown = [coded.code for coded in codes.values() if coded.code not in ("", *ALL)]
    if unknown:
        raise InputError(f"{name}: a code is ‘{shorten(written_text(unknown[0]))}’. Codes: {', '.join(ALL)}.")
    return coding


def read_coding(text: str | bytes, name: str = "The file") -> Coding:
    """Return the codes in the text of a file; see `coding_of`.

    Raises
    ------
    InputError
        Where the text is no JSON, and as `coding_of`.
    """
    return coding_of(loaded(text, name, "Save the codes"), name)


def both_coded(first: Coding, second: Coding) -> NDArray[np.int64]:
    """Return counts of decisions that two people coded, shape (4, 4): rows the first, columns the second, as in `CODES`.

    Cohen's κ of it is their agreement; undefined where both give one code only.
    """
    places = {code: place for place, code in enumerate(CODES)}
    counts = np.zeros((len(CODES), len(CODES)), np.int64)
    for key, coded in first.codes.items():
        other = second.of(key).code
        if coded.code in places and other in places:
            counts[places[coded.code], places[other]] += 1
    return counts


def _entry(coded: Coded) -> dict[str, Any]:
    entry = asdict(coded) | {"tags": list(coded.tags)}
    return {name: value for name, value in entry.items() if name != "own" or value}


def _key(entry: Mapping[str, Any]) -> Key:
    return written_text(entry["item"]), written_text(entry["criterion"]), written_text(entry["judge"])


def _coded(entry: Mapping[str, Any]) -> Coded:
    tags = tuple(dict.fromkeys(written_text(tag)[:MOST_LETTERS] for tag in entry.get("tags") or ()))[:MOST_TAGS]
    own = written_text(entry.get("own") or "")[:MOST_LETTERS]
    return Coded(
        entry.get("code", ""), tags, written_text(entry.get("note") or "")[:MOST_LETTERS], bool(entry.get("meeting")), own
    )

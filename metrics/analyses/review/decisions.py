"""Decisions of a rubric review: kept, written to a file and read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from metrics.analyses.saved import loaded, written_text
from metrics.errors import InputError
from metrics.results.words import shorten

Action = Literal["", "keep", "sharpen", "split", "drop", "relabel", "judge"]
ACTIONS: dict[Action, str] = {
    "keep": "Keep",
    "sharpen": "Sharpen the wording",
    "split": "Split in two",
    "drop": "Drop",
    "relabel": "Label again",
    "judge": "Change the judge",
}
VERSION = 1
MOST = 5000
"""Letters of a text."""


@dataclass(frozen=True)
class Decision:
    """What becomes of one criterion.

    Attributes
    ----------
    action : Action
        Empty while undecided.
    owner, note : str
    definition : str
        The criterion's wording, where somebody typed it.
    due : str
        Until when, in one's own words.
    """

    action: Action = ""
    owner: str = ""
    note: str = ""
    definition: str = ""
    due: str = ""

    @property
    def empty(self) -> bool:
        return self == Decision()


@dataclass(frozen=True)
class Review:
    """Decisions by criterion, and the file they were made on.

    Attributes
    ----------
    file, sha256 : str
        Name and digest of the file in view when they were made.
    decisions : mapping of criterion to Decision
    """

    file: str = ""
    sha256: str = ""
    decisions: Mapping[str, Decision] = field(default_factory=dict)

    def of(self, criterion: str) -> Decision:
        return self.decisions.get(criterion, Decision())

    def to_dict(self) -> dict[str, Any]:
        made = {name: asdict(decision) for name, decision in self.decisions.items() if not decision.empty}
        return {"version": VERSION, "kind": "rubric review", "file": self.file, "sha256": self.sha256, "decisions": made}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)


def review_of(content: Any, name: str = "The review") -> Review:
    """Return the review that `Review.to_dict` describes.

    Raises
    ------
    InputError
        Where it is none, and for an unknown action.
    """
    try:
        if content["kind"] != "rubric review":
            raise KeyError
        version = content["version"]
        made = {written_text(key): _decision(entry) for key, entry in content["decisions"].items()} if version == VERSION else {}
        review = Review(written_text(content["file"]), written_text(content["sha256"]), made)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise InputError(f"{name} contains no rubric review. Load a file that “Save the decisions” wrote.") from None
    if version != VERSION:
        version_text = shorten(written_text(version))
        raise InputError(
            f"{name} is a rubric review of version {version_text}; this program reads version {VERSION}. Save it again there."
        )
    unknown = [decision.action for decision in made.values() if decision.action not in ("", *ACTIONS)]
    if unknown:
        raise InputError(f"{name}: a decision is ‘{shorten(written_text(unknown[0]))}’. Decisions: {', '.join(ACTIONS)}.")
    return review


def _decision(entry: Mapping[str, Any]) -> Decision:
    texts = {key: written_text(entry.get(key) or "")[:MOST] for key in ("owner", "due", "note", "definition")}
    return Decision(entry.get("action", ""), **texts)


def read_review(text: str | bytes, name: str = "The file") -> Review:
    """Return the review in the text of a file; see `review_of`."""
    return review_of(loaded(text, name, "Save the decisions"), name)

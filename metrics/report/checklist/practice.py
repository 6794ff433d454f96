"""One practice of the checklist: its name, its state on some data, what shows it, and what would meet it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from metrics.report.checklist.contents import SWITCHES

State = Literal["met", "not met", "not applicable"]
NAMES: dict[int, str] = {
    1: "The scale is named",
    2: "Association under one name",
    3: "Accuracy never without κ",
    4: "Which errors, not only how many",
    5: "One-sided criteria are listed",
    6: "How missing verdicts were asked for, and what they count as",
    7: "How often no verdict was given",
    8: "What was left out, beside what is left",
    9: "The cost of every confusion is stated",
    10: "What is averaged over, and what counts as independent",
    11: "One number for how judges agree, and every judge’s matrix",
}


@dataclass(frozen=True)
class Practice:
    """A practice on some data.

    Attributes
    ----------
    state : {"met", "not met", "not applicable"}
    evidence : tuple of str
        Sentences with numbers.
    action : str
        The one thing that would meet it, with the option of the command line that does it; empty where nothing is to be done.
    on_screen : str
        The same for somebody before a page.
    page : str
        Name of the page that does it; empty where there is none.
    asks : tuple of str
        Questions it asks, of `metrics.report.checklist.contents`.
    """

    number: int
    name: str
    state: State
    evidence: tuple[str, ...]
    action: str = ""
    page: str = ""
    asks: tuple[str, ...] = ()
    on_screen: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "number": self.number, "name": self.name, "state": self.state, "evidence": list(self.evidence),
            "action": self.action, "page": self.page, "asks": list(self.asks),
        }  # fmt: skip


@dataclass(frozen=True)
class Lack:
    """Something that keeps a practice from being met: what would mend it, and where."""

    action: str
    page: str = ""
    option: str = ""
    """Of the command line, where there is one."""

    @property
    def whole(self) -> str:
        """The action with its option: one sentence."""
        return f"{self.action} (command line: {self.option})." if self.option else f"{self.action}."


def judged(number: int, evidence: Sequence[str], lacks: Sequence[Lack | None] = (), asks: Sequence[str] = ()) -> Practice:
    """Return the practice: met where nothing lacks; else the first that lacks is the action.

    Parameters
    ----------
    number : int
        From 1 to 11.
    evidence : sequence of str
        Sentences; empty ones are left out.
    lacks : sequence of Lack or None
        None where that is in order.
    asks : sequence of str
        Keys of the questions it asks, of `metrics.report.checklist.contents`.
    """
    first = next((lack for lack in lacks if lack is not None), None)
    shown = tuple(_sentence(text) for text in evidence if text)
    if first is None:
        return Practice(number, NAMES[number], "met", shown, asks=tuple(asks))
    return Practice(number, NAMES[number], "not met", shown, first.whole, first.page, tuple(asks), f"{first.action}.")


def without_object(number: int, *why: str) -> Practice:
    """Return the practice as not applicable, and why."""
    return Practice(number, NAMES[number], "not applicable", tuple(_sentence(text) for text in why if text))


def put_back(part: str) -> Lack:
    """Return a part of the report that was left out."""
    return Lack(f"Put “{SWITCHES[part]}” back into the report", "report")


def _sentence(text: str) -> str:
    whole = text.strip()
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."

"""What the checklist would add to the report of each system, by rule: its scale says what applies, its facts what is met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from metrics.content.audit.practices import ASKED, DEPENDS, ENSEMBLE, ONE_JUDGE, Requirement
from metrics.content.audit.systems import CORRELATIONS, MEASURES, System
from metrics.data.scale_words import SCALE_NAMES
from metrics.report.checklist.practice import NAMES
from metrics.results import words

State = Literal["said", "otherwise", "not said", "not asked"]
STATES: dict[State, str] = {
    "said": "The table says it is met",
    "otherwise": "The table says it is not met",
    "not said": "The table does not say",
    "not asked": "Not asked of it",
}
LABELS = ("binary", "pairwise", "nominal")
"""Scales on which practices 3 and 4 ask for accuracy and counts."""


@dataclass(frozen=True)
class Addition:
    """One practice for one system.

    Attributes
    ----------
    state : {"said", "otherwise", "not said", "not asked"}
        What the table says of it.
    known : str
        What the table says that bears on it; empty where nothing.
    requirements : tuple of Requirement
        What the checklist would add, scale by scale; where nothing is asked, why.
    """

    number: int
    state: State
    known: str
    requirements: tuple[Requirement, ...]

    @property
    def name(self) -> str:
        return NAMES[self.number]

    @property
    def pages(self) -> tuple[str, ...]:
        """Addresses of the pages that do what is asked."""
        return tuple(dict.fromkeys(request.page for request in self.requirements if request.page))

    @property
    def text(self) -> str:
        """What the table says, then what would be added."""
        return " ".join(filter(None, (self.known, *(request.text for request in self.requirements))))


def additions(system: System) -> tuple[Addition, ...]:
    """Return all eleven practices for a system, in order."""
    return tuple(_addition(system, number) for number in NAMES)


def _addition(system: System, number: int) -> Addition:
    asked = _requirements(system, number)
    known = _KNOWN[number](system) if number in _KNOWN else ""
    if not any(request.page for request in asked):
        return Addition(number, "not asked", "", asked)
    state = _state(system, number)
    return Addition(number, state, known, () if state == "said" else asked)


def _requirements(system: System, number: int) -> tuple[Requirement, ...]:
    """Return what the practice asks on the scales of a system: those where it applies, or why it applies on none."""
    if number == 11:
        return (ENSEMBLE if system.category == "ENSEMBLE" else ONE_JUDGE,)
    if not system.scales:
        return (DEPENDS[number],)
    by_scale = [(scale, ASKED[number][scale]) for scale in system.scales]
    applies = [(scale, request) for scale, request in by_scale if request.page] or by_scale[:1]
    if not system.several:
        return tuple(request for _, request in applies)
    return tuple(Requirement(f"{SCALE_NAMES[scale]}: {request.text}", request.page) for scale, request in applies)


def _state(system: System, number: int) -> State:
    """Return what the table says of a practice that applies."""
    if number == 1:
        return "said" if system.by_scale else "not said"
    if number == 2:
        return "said" if system.no_second_name else "not said"
    if number == 6 and system.handling:
        return system.handling
    return "otherwise" if number == 7 and system.handling == "otherwise" else "not said"


def _scale(system: System) -> str:
    return "It picks its measure by the scale of each data set." if system.by_scale else ""


def _names(system: System) -> str:
    if system.no_second_name:
        return "The table found no two names for one correlation."
    listed = [MEASURES[measure] for measure in system.reports if measure in CORRELATIONS]
    return f"Listed: {words.listed(listed)}." + (f" {system.note}" if system.note else "") if listed else ""


def _accuracy(system: System) -> str:
    if not set(system.scales) & set(LABELS):
        return ""
    listed = [MEASURES[measure] for measure in system.reports if measure in ("accuracy", "agreement", "f1", "kappa", "win rate")]
    if not listed:
        return ""
    other = "accuracy" if "kappa" in system.reports else "κ"
    return f"Listed: {words.listed(listed)}; {other} is not."


def _counts(system: System) -> str:
    if "f1" in system.reports:
        return "Listed: F1-style agreement, one number made of precision and recall."
    return "Listed: classifier measures; which ones is not said." if "classifier" in system.reports else ""


def _handling(system: System) -> str:
    return system.nonresponse


def _rates(system: System) -> str:
    return system.nonresponse if system.handling == "otherwise" else ""


_KNOWN = {1: _scale, 2: _names, 3: _accuracy, 4: _counts, 6: _handling, 7: _rates}

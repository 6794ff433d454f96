"""The systems that a filter leaves, and which of them are of which kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrics.content.audit.adding import STATES, State, additions
from metrics.content.audit.sources import SOURCES
from metrics.content.audit.systems import CATEGORIES, MEASURES, NONE_NAMED, SEVERAL, SYSTEMS, Category, System
from metrics.data.scale_words import SCALE_NAMES
from metrics.report.checklist.practice import NAMES


@dataclass(frozen=True)
class Wanted:
    """A filter; what is empty leaves everything.

    Attributes
    ----------
    scale : str
        A scale of the package, or `SEVERAL`.
    measure : str
        A measure, or `NONE_NAMED`.
    text : str
        Words, all of which must occur in what is known of a system.
    """

    category: str = ""
    scale: str = ""
    measure: str = ""
    text: str = ""

    @property
    def empty(self) -> bool:
        return self == Wanted()


def left(wanted: Wanted, systems: Sequence[System] = SYSTEMS) -> tuple[System, ...]:
    """Return the systems that a filter leaves, in their order."""
    return tuple(
        system
        for system in systems
        if _category(system, wanted) and _scale(system, wanted) and _measure(system, wanted) and _text(system, wanted)
    )


def _category(system: System, wanted: Wanted) -> bool:
    return not wanted.category or system.category == wanted.category


def _scale(system: System, wanted: Wanted) -> bool:
    if wanted.scale == SEVERAL:
        return system.several
    return not wanted.scale or wanted.scale in system.scales


def _measure(system: System, wanted: Wanted) -> bool:
    if wanted.measure == NONE_NAMED:
        return not system.reports
    return not wanted.measure or wanted.measure in system.reports


def _text(system: System, wanted: Wanted) -> bool:
    source = SOURCES[system.key]
    whole = " ".join(
        (
            system.name, system.authors, str(system.year), system.reference, system.category, system.output, system.nonresponse,
            system.note, source.place, source.licence, source.holds,
            *(SCALE_NAMES[scale] for scale in system.scales), *(MEASURES[measure] for measure in system.reports),
        )
    ).casefold()  # fmt: skip
    return all(word in whole for word in wanted.text.casefold().split())


def categories(systems: Sequence[System]) -> dict[Category, int]:
    """Return how many are in each category that occurs, the most first as in the whole table."""
    count_by_category = {category: sum(system.category == category for system in systems) for category in CATEGORIES}
    return {category: n for category, n in count_by_category.items() if n}


def crosstab(systems: Sequence[System]) -> dict[Category, dict[str, int]]:
    """Return how many of each category report what; a system counts under each of its measures, or under `NONE_NAMED`."""
    return {
        category: {
            measure: sum(system.category == category and _measure(system, Wanted(measure=measure)) for system in systems)
            for measure in (*MEASURES, NONE_NAMED)
        }
        for category in categories(systems)
    }


def by_practice(systems: Sequence[System]) -> dict[int, Mapping[State, tuple[str, ...]]]:
    """Return for each practice of which systems, by name, the table says what."""
    states = [(system.name, {addition.number: addition.state for addition in additions(system)}) for system in systems]
    return {
        number: {state: tuple(name for name, state_of in states if state_of[number] == state) for state in STATES}
        for number in NAMES
    }

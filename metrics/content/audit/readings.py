"""What the page and the download say of the systems, in sentences and cells."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.content.audit.adding import STATES, additions
from metrics.content.audit.counting import by_practice, categories
from metrics.content.audit.sources import SOURCES, Source
from metrics.content.audit.systems import CORRELATIONS, MEASURES, SYSTEMS, Category, System
from metrics.data.scale_words import SCALE_NAMES
from metrics.report.checklist.practice import NAMES
from metrics.results.words import count, several

CATEGORY_NAMES: dict[Category, str] = {
    "GRADED": "Graded",
    "PAIRWISE": "Pairwise",
    "BINARY": "Binary",
    "ENSEMBLE": "Ensemble",
    "MULTI-CLASS": "Multi-class",
}
NONE = "None named"
DEPENDS = "Depends on the task"
_YEARS = sorted(system.year for system in SYSTEMS)
CAVEAT = (
    f"This page shows what one table says of {len(SYSTEMS)} systems. The papers were not read again: what the table does not say "
    "may well stand in a paper."
)
ORIGIN = (
    f"Rao & Callison-Burch, Table A1: {len(SYSTEMS)} papers of {_YEARS[0]}–{_YEARS[-1]}. The category and what is reported are "
    "the table’s coding; the scales are ours. Repositories and licences are what was found in public copies of them, each with "
    "what was read."
)
ADDED_HELP = "Practices of the checklist that apply and that the table does not say are met."
NOTHING = "No system is left: {}. Loosen a choice above."
NO_DATA = "No public labels of this system were found."


def headline(systems: Sequence[System]) -> str:
    """Return how many there are of which category, and what they report."""
    kinds = ", ".join(f"{count(n)} {CATEGORY_NAMES[category].lower()}" for category, n in categories(systems).items())
    correlated = sum(bool(set(system.reports) & set(CORRELATIONS)) for system in systems)
    kappa = sum("kappa" in system.reports for system in systems)
    unnamed = sum(not system.reports for system in systems)
    silent = sum(not system.nonresponse for system in systems)
    return (
        f"{several(len(systems), 'systems')}: {kinds}. By the table, {count(correlated)} with a correlation, "
        f"{count(kappa)} with Cohen’s κ, {count(unnamed)} with no measure that it names. "
        f"Of ties and answers without a verdict the table says nothing for {count(silent)}."
    )


def reading(systems: Sequence[System]) -> str:
    """Return how far the table says that the practices are met, and of which it never does."""
    tally = {number: {state: len(names) for state, names in named.items()} for number, named in by_practice(systems).items()}
    asked = sum(sum(counts.values()) - counts["not asked"] for counts in tally.values())
    met, missed = (sum(counts[state] for counts in tally.values()) for state in ("said", "otherwise"))
    never = [str(number) for number, counts in tally.items() if not counts["said"] and sum(counts.values()) > counts["not asked"]]
    of_none = f" Of practices {', '.join(never)} the table says so for no system here." if len(never) > 1 else ""
    return (
        f"put to {'these' if len(systems) > 1 else 'this'} {several(len(systems), 'systems')}, the checklist asks {count(asked)} "
        f"things. The table says of {count(met)} that they are met, of {count(missed)} that they are not, and of "
        f"{count(asked - met - missed)} nothing.{of_none}"
    )


def scales_of(system: System) -> str:
    return " and ".join(SCALE_NAMES[scale] for scale in system.scales) or DEPENDS


def reports_of(system: System) -> str:
    return ", ".join(MEASURES[measure] for measure in system.reports) or NONE


def licence_of(source: Source) -> str:
    return source.licence if source.place else ""


def rows(systems: Sequence[System]) -> dict[str, list[str | int]]:
    """Return the table as the page shows it."""
    return {
        "System": [system.name for system in systems],
        "Paper": [f"{system.authors} {system.year}" for system in systems],
        "Category": [CATEGORY_NAMES[system.category] for system in systems],
        "Scale": [", ".join(system.scales).capitalize() or "By task" for system in systems],
        "Reports": [reports_of(system) for system in systems],
        "Would be added": [
            sum(addition.state in ("not said", "otherwise") for addition in additions(system)) for system in systems
        ],
        "Its labels": [_labels(SOURCES[system.key]) for system in systems],
    }


def _labels(source: Source) -> str:
    return "can be loaded" if source.loads else "none seen" if source.place else "no place found"


def sheet(systems: Sequence[System]) -> dict[str, list[str | int]]:
    """Return the table with everything that is known, for the download."""
    sources = [SOURCES[system.key] for system in systems]
    added = [{addition.number: addition for addition in additions(system)} for system in systems]
    facts: dict[str, list[str | int]] = {
        "system": [system.name for system in systems],
        "authors": [system.authors for system in systems],
        "year": [system.year for system in systems],
        "reference": [system.reference for system in systems],
        "paper": [system.link for system in systems],
        "category": [system.category for system in systems],
        "scale": [scales_of(system) for system in systems],
        "judged output": [system.output for system in systems],
        "reports": [reports_of(system) for system in systems],
        "ties and abstentions": [system.nonresponse or STATES["not said"] for system in systems],
        "note": [system.note for system in systems],
    }
    practices: dict[str, list[str | int]] = {}
    for number, name in NAMES.items():
        practices[f"{number} {name}"] = [STATES[addition_by_number[number].state] for addition_by_number in added]
        practices[f"{number} would be added"] = [addition_by_number[number].text for addition_by_number in added]
    return (
        facts
        | practices
        | {
            "data": [source.link or NO_DATA for source in sources],
            "licence": [licence_of(source) for source in sources],
            "checked": [source.checked for source in sources],
            "holds": [source.holds for source in sources],
            "layout": [source.layout for source in sources],
            "command": [source.command for source in sources],
        }
    )

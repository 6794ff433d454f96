"""Who thinks alike: κ of every two judges, and beside it each one's κ with the reference."""

from __future__ import annotations

from metrics.analyses.ensembles.readings import alike_reading
from metrics.analyses.ensembles.tables import alike_rows
from metrics.figures.agreement_heatmap_parts import WithReference
from metrics.results.estimate import Estimate
from metrics.results.words import count
from pages.shared import parts, sheets, state
from pages.shared.ensemble import asking
from pages.shared.plain import emphasis
from pages.shared.raters import alike

NO_REFERENCE = "one label only is in their decisions with a reference, or there are none"


def _beside(kappa: Estimate) -> WithReference:
    return WithReference(kappa.value, *(kappa.ends or (None, None)), reason="" if kappa.defined else NO_REFERENCE)


def section(its: state.Dataset) -> None:
    found = asking.alike(its)
    reference = [_beside(own) for own in found.with_reference]
    if not asking.judged(its):
        reference = None
    beside = f" · right: {found.symbol} with the reference, {asking.said_reference(its)}, and its interval" if reference else ""
    framed = f"framed: groups with a mean {found.symbol} above {found.least:.2f}"
    parts.headed(
        f"Which of the {count(len(found.judges))} judges think alike?",
        f"{found.symbol} of every two judges, similar ones side by side; {framed}{beside}{asking.over(its)}",
    )
    alike.figure(found, "judges", "ensemble", reference, asking.reference_named(its))
    parts.reading(alike_reading(found, emphasis))
    if not state.in_room_view():
        sheets.download("This map (CSV)", lambda: alike_rows(found), "alike.csv", "ensemble.alike_csv")

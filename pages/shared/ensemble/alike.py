"""Who thinks alike: κ of every two judges, and beside it each one's κ with the reference."""

from __future__ import annotations

from dataclasses import replace

from metrics.analyses.ensembles.readings import alike_reading
from metrics.analyses.ensembles.tables import alike_rows
from metrics.results.words import count
from pages.shared import parts, sheets, state
from pages.shared.ensemble import asking
from pages.shared.plain import emphasis
from pages.shared.raters import alike

NO_REFERENCE = "one label only is in their decisions with a reference, or there are none"


def section(dataset: state.Dataset) -> None:
    heatmap = asking.agreement_matrix(dataset)
    reference = None
    if asking.judged(dataset):
        reference = [replace(kappa, why="" if kappa.defined else NO_REFERENCE) for kappa in heatmap.with_reference]
    beside = (
        f" · right: {heatmap.symbol} with the reference, {asking.chosen_reference_phrase(dataset)}, and its interval"
        if reference
        else ""
    )
    framed = f"; framed: groups with a mean {heatmap.symbol} above {heatmap.least:.2f}" if heatmap.groups else ""
    parts.headed(
        f"Which of the {count(len(heatmap.judges))} judges agree with each other?",
        f"{heatmap.symbol} of every two judges, similar ones side by side{framed}{beside}{asking.over(dataset)}",
    )
    alike.figure(heatmap, "judges", "ensemble", reference, asking.reference_named(dataset))
    parts.reading(alike_reading(heatmap, emphasis))
    if not state.in_room_view():
        sheets.download("This map (CSV)", lambda: alike_rows(heatmap), "alike.csv", "ensemble.alike_csv")

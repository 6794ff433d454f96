"""Table of a simulation, every metric at every point, and its terminal text."""

from __future__ import annotations

from metrics.analyses.simulation.compute import NAMES, Selection
from metrics.analyses.simulation.readings import (
    CONVENTIONS,
    ERRORS,
    FIRST,
    LOSS,
    SUCCESS,
    by_loss,
    declaration,
    loss_words,
    success_words,
)
from metrics.analyses.simulation.studies import AXIS_NAMES, Run, Study
from metrics.results import tables
from metrics.results.tables import Column, Table, selected

WIDTHS = (-20, 20, 20, 22)
"""Letters of the columns on a terminal."""
SHORT = {
    "chosen by": "", "a best judge picked": "best judge picked", "the first of the best": "first of the best",
    "mean loss": "mean loss",
}  # fmt: skip
"""Headings that fit there."""


def outcomes(run: Run) -> Table:
    """Return how often each metric picks a best judge and what is lost, the least loss first; of an axis at every point."""
    where = [] if run.study.along == "none" else [AXIS_NAMES[run.study.along]]
    rows = tuple(
        (
            *(point.name for _ in where),
            NAMES[key],
            *(success_words(selection.outcome(name, key)) for name in (SUCCESS, FIRST)),
            loss_words(selection.outcome(LOSS, key)),
        )
        for point, selection in zip(run.study.points, run.selections, strict=True)
        for key in by_loss(selection)
    )
    return Table("outcomes", "", tuple(map(Column, (*where, *SHORT))), rows)


def summary(selection: Selection) -> str:
    """Return a single simulation as text for the terminal."""
    run = Run(Study(selection.setting), (selection,))
    lines = tables.lines(selected(outcomes(run), SHORT), WIDTHS, whole=True)
    return "\n".join([declaration(run), "", *lines, "", ERRORS, CONVENTIONS])

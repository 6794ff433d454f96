"""A study of the simulation as a whole, or the part of it until somebody has seen enough."""

from __future__ import annotations

from collections.abc import Callable

from metrics.analyses.simulation.studies import Run, Study, steps


def run(study: Study, enough: Callable[[Run], bool | None] = lambda part: False) -> Run:
    """Return the last part of a study that is simulated before somebody has seen enough."""
    *_, last = until(study, enough)
    return last


def until(study: Study, enough: Callable[[Run], bool | None]):
    for part in steps(study):
        yield part
        if enough(part):
            return

"""The command `raters`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from metrics.commands.options import (
    Source,
    abstention_option,
    by_groups,
    confidence_option,
    handling_option,
    printed,
    reading_options,
    slicing_options,
)
from metrics.errors import InputError

if TYPE_CHECKING:
    from metrics.analyses.raters.result import RatersReport
    from metrics.data.ratings import Ratings


@click.command()
@reading_options
@click.option("--level", metavar="nominal|ordinal|interval|ratio", help="Level of α; default: what the confirmed scale says.")
@click.option("--role", metavar="human|judge", help="Whose labels; default humans where there are two or more, else judges.")
@abstention_option
@handling_option("tie=as_category, invalid=exclude")
@click.option("--interval", default="auto", metavar="auto|none", help="Whether intervals are found.")
@confidence_option
@click.option(
    "--gate-on",
    "on",
    default="alpha",
    metavar="alpha|kappa",
    help="What the gate judges: α, or mean κ of pairs (ordered labels: quadratic).",
)
@click.option("--floor", type=float, help="Floor of the gate; default 0.667 of α (0.8 for a gold set), 0.6 of κ.")
@click.option(
    "--margin",
    type=float,
    metavar="DIFFERENCE",
    help="How much worse than a human a judge may be; exit 1 unless shown.",
)
@slicing_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def raters(
    *,
    file: Source,
    how: dict[str, Any],
    on: Any,
    floor: float | None,
    by: tuple[str, ...],
    cuts: tuple[float, ...],
    as_json: bool,
    **choices: Any,
) -> int:
    """How far the humans, or the judges, in FILE agree with each other, and whether that is enough to go on."""
    import metrics
    from metrics.analyses.raters.gate import Bands

    bands = Bands(on=on, floor=floor)
    ratings = _read(file, how, choices["level"])
    report = by_groups(ratings, by, cuts, lambda part: metrics.raters(part, bands=bands, **choices))
    printed(report, as_json)
    whole = getattr(report, "whole", report)
    if not as_json and not by and whole.role == "human":
        for line in _next_steps(ratings, whole, choices):
            click.echo(line)
    return 0 if all(one.held.holds for one in whole.margins) else 1


def _next_steps(ratings: Ratings, report: RatersReport, choices: Mapping[str, Any]) -> Iterator[str]:
    """Yield what to do next on each criterion, which rests on the single labels behind the numbers."""
    from metrics.analyses.raters.advice import next_step
    from metrics.analyses.raters.evidence import evidence
    from metrics.data.nonverdicts import handled, handling_of
    from metrics.results import words
    from metrics.results.report import name_beside_all

    mode = report.declaration.abstention
    own = handled(ratings, handling_of(choices["handling"], ratings.scheme, mode))
    shown = evidence(own, role="human", level=choices["level"], abstention=mode, confidence=choices["confidence"])
    names = report.by_need()
    yield "\nNext"
    for name in names:
        gate, record = report.criteria[name].gate, shown.criteria[name_beside_all(name, report.criteria)]
        step = next_step(
            record, gate.verdict, gate.needed.n, would=gate.would, undefined=gate.reason, why_not=gate.needed.reason,
            rare=gate.rare,
        )  # fmt: skip
        yield f"  {f'{words.shorten(name)}: ' if len(names) > 1 else ''}{step}"


def _read(file: Source, how: dict[str, Any], level: str | None) -> Ratings:
    """Return the ratings; a level above nominal says that numbers among the labels are steps, in the order of their values."""
    import metrics

    try:
        return metrics.read(file, **how)
    except InputError as problem:
        if level not in ("ordinal", "interval", "ratio") or how["scale"] or how["order"]:
            raise
        try:
            return metrics.read(file, **{**how, "scale": "ordinal"})
        except InputError:
            raise problem from None

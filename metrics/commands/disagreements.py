"""The command `disagreements`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metrics.commands.options import choosing_options, reading_options, reported

if TYPE_CHECKING:
    from metrics.analyses.disagreements.lists import DisagreementReport
    from metrics.data.ratings import Ratings


@click.command()
@reading_options
@choosing_options
@click.option(
    "--judges", multiple=True, help="Judges whose disagreements are listed; default all. Repeat, or separate by commas."
)
@click.option(
    "--rows",
    default="",
    metavar="disagreements|no_verdict|most|people|judges|check|all",
    help="Which decisions; default those on which judge and reference differ, without a judge those on which raters differ.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="PATH", help="Write them with all texts: .csv, .parquet or .jsonl."
)
@reported
def disagreements(ratings: Ratings, *, out: Path | None, **choices: Any) -> DisagreementReport:
    """The decisions in FILE on which a judge and the human differ, with the labels and reasons of both, the clearest first."""
    from metrics.analyses.disagreements.lists import disagreement_lists
    from metrics.readers.long_form import write_rows

    report = disagreement_lists(ratings, **choices)
    if out is not None:
        write_rows(report.to_frame(), str(out))
    return report

"""The command `disagreements`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from metrics.commands.options import Source, choosing_options, chosen_judges, printed, reading_options


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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def disagreements(
    *, file: Source, how: dict[str, Any], judges: tuple[str, ...], out: Path | None, as_json: bool, **choices: Any
) -> None:
    """The decisions in FILE on which a judge and the human differ, with the labels and reasons of both, the clearest first."""
    import metrics
    from metrics.analyses.disagreements.lists import disagreement_lists
    from metrics.readers.long_form import write_rows

    ratings = metrics.read(file, **how)
    report = disagreement_lists(ratings, judges=chosen_judges(judges, ratings.judges) or None, **choices)
    if out is not None:
        write_rows(report.to_frame(), str(out))
    printed(report, as_json)

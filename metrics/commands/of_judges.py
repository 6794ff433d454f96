"""The commands `biases`, `disagreements`, `item-scores`, `roc` and `scores`: a report of the judges in FILE."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metrics.commands.options import (
    REFERENCE_HELP,
    by_groups,
    choosing_options,
    confidence_option,
    interval_options,
    judges_option,
    reading_options,
    reported,
    slicing_options,
    values_option,
    weights_option,
)
from metrics.data.typed_values import matrix

if TYPE_CHECKING:
    from metrics.analyses.disagreements.lists import DisagreementReport
    from metrics.data.ratings import Ratings

reference_option = click.option("--reference", default="auto", help=REFERENCE_HELP)
interval_option = click.option("--interval", default="auto", metavar="auto|none", help="Whether intervals are found.")


@click.command()
@reading_options
@choosing_options
@interval_options
@reported
def biases(ratings: Ratings, **choices: Any) -> Any:
    """What sways each judge in FILE where the human label is the same: length, source, and kinship with the judge."""
    import metrics

    return metrics.biases(ratings, **choices)


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


@click.command(name="item-scores")
@reading_options
@weights_option("Weights of criteria, also negative; default: those of the file, else 1.")
@values_option("What labels are worth; default: as the file says, else from 0 to 1 in their order.", "low=0,high=1")
@reference_option
@judges_option
@interval_option
@confidence_option
@reported
def item_scores(ratings: Ratings, **choices: Any) -> Any:
    """How near each judge's weighted score of an item lies to the human's in FILE."""
    import metrics

    return metrics.item_scores(ratings, **choices)


@click.command()
@reading_options
@reference_option
@judges_option
@interval_option
@click.option(
    "--unit", default="item", metavar="item|COLUMN", help="What is left out and held out as a whole: items, or groups of them."
)
@confidence_option
@click.option("--direction", default="higher", metavar="higher|lower", help="Which scores speak for the positive label.")
@click.option(
    "--holding-out", default="split", metavar="split|cross|none", help="How the best threshold is tested on held-out items."
)
@click.option("--folds", default=5, type=int, help="Parts of the items with --holding-out cross.")
@click.option("--seed", "rng", default=0, type=click.IntRange(min=0), help="Seed of the parts.")
@reported
def roc(ratings: Ratings, **choices: Any) -> Any:
    """How well each judge's score tells positive from negative in FILE, and at which cut."""
    import metrics

    return metrics.roc(ratings, **choices)


@click.command()
@reading_options
@click.option("--on", metavar="label|score", help="Compare labels in their order (default where there are some), or numbers.")
@values_option("What options are worth; default: the numbers they are, else their places from 1.", "low=0,high=5")
@click.option(
    "--abstention", default="exclude", metavar="exclude|as_unmet", help="Drop an abstention, or count it as the lowest."
)
@weights_option("With as_unmet: where the weight is negative, an abstention counts as the highest.")
@click.option("--cost", metavar="NUMBERS", help="Cost of every confusion in the order, rows apart by ;: 0,1,4;1,0,1;4,1,0.")
@reference_option
@judges_option
@click.option("--turn", multiple=True, metavar="NAME", help="Turn the scale of this rater round. Repeat.")
@interval_option
@click.option("--unit", default="item", metavar="item|COLUMN", help="What is left out: items, or groups of them.")
@confidence_option
@slicing_options
@reported
def scores(ratings: Ratings, *, cost: str | None, by: tuple[str, ...], cuts: tuple[float, ...], **choices: Any) -> Any:
    """How near each judge's ordered labels, or its numbers, lie to the human's in FILE."""
    import metrics

    costs = matrix(cost or "", "--cost: ")
    return by_groups(ratings, by, cuts, lambda part: metrics.scores(part, cost=costs, **choices))

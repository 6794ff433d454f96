"""The command `select`."""

from __future__ import annotations

import sys
from typing import Any

import click

from metrics.commands.options import printed, split
from metrics.errors import InputError


def _range(context: click.Context, option: click.Parameter, given: str) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in split(given))
    except ValueError:
        raise InputError(
            f"--{str(option.name).replace('_', '-')}: two numbers with a comma, as in .01,.5; got {given!r}."
        ) from None
    return low, high


@click.command()
@click.option("--scenarios", default=100_000, type=int, help="Worlds that are drawn.", show_default=True)
@click.option("--models", default=5, type=int, help="Models to rank in each.", show_default=True)
@click.option("--judges", default=3, type=int, help="Judges to choose from in each.", show_default=True)
@click.option("--n-eval", default=200, type=int, help="Answers of each model that a judge rates.", show_default=True)
@click.option("--n-golden", default=800, type=int, help="Answers with a known label.", show_default=True)
@click.option("--p-golden", default=".01,.5", callback=_range, metavar="LOW,HIGH", help="Prevalence of the golden set.")
@click.option("--p-model", default=".01,.5", callback=_range, metavar="LOW,HIGH", help="Prevalence of the models.")
@click.option("--tpr", default="0,1", callback=_range, metavar="LOW,HIGH", help="True positive rate of the judges.")
@click.option("--fpr", default="0,1", callback=_range, metavar="LOW,HIGH", help="False positive rate of the judges.")
@click.option("--benchmark-prevalence", type=float, help="What SNR is computed for; default the middle of --p-model.")
@click.option("--seed", default=0, type=click.IntRange(min=0), help="Seed of the draws.", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def select(*, as_json: bool, **setting: Any) -> None:
    """Which metric picks the judge that ranks models best: a simulation, no FILE."""
    import metrics

    asked = setting["scenarios"]
    with click.progressbar(length=max(asked, 1), label="Simulating", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def told(found: Any) -> None:
            bar.update(found.done - bar.pos)

        found = metrics.select_judge(**setting, progress=told)
    printed(found, as_json)

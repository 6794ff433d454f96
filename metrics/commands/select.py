"""The command `select`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from metrics.commands.options import Command, printed, split
from metrics.errors import InputError


def _range(context: click.Context, option: click.Parameter, given: str) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in split(given))
    except ValueError:
        raise InputError(
            f"--{str(option.name).replace('_', '-')}: two numbers with a comma, as in .01,.5; got {given!r}."
        ) from None
    return low, high


def _two(name: str, default: str, what: str) -> Callable[[Command], Command]:
    """Return an option for a range of values that are drawn."""
    return click.option(name, default=default, callback=_range, metavar="LOW,HIGH", help=what, show_default=True)


@click.command()
@click.option("--scenarios", default=100_000, type=int, help="Worlds that are drawn.", show_default=True)
@click.option("--models", default=5, type=int, help="Models to rank in each.", show_default=True)
@click.option("--judges", default=3, type=int, help="Judges to choose from in each.", show_default=True)
@click.option("--n-eval", default=200, type=int, help="Answers of each model that a judge rates.", show_default=True)
@click.option("--n-golden", default=800, type=int, help="Answers with a known label.", show_default=True)
@_two("--p-golden", ".01,.5", "Prevalence of the golden set.")
@_two("--p-model", ".01,.5", "Prevalence of the models.")
@_two("--tpr", "0,1", "True positive rate of the judges.")
@_two("--fpr", "0,1", "False positive rate of the judges.")
@click.option("--benchmark-prevalence", type=float, help="What SNR is computed for.", show_default="middle of --p-model")
@click.option("--seed", default=0, type=click.IntRange(min=0), help="Seed of the draws.", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def select(*, as_json: bool, **setting: Any) -> None:
    """Which metric picks the judge that ranks models best: a simulation, no FILE."""
    import metrics

    asked = setting["scenarios"]
    with click.progressbar(length=max(asked, 1), label="Simulating", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def progress_hook(run: Any) -> None:
            bar.update(run.done - bar.pos)

        selection = metrics.select_judge(**setting, progress=progress_hook)
    printed(selection, as_json)

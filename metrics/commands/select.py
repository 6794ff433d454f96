"""The commands without ratings to read: `app`, `select` and `selftest`."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from metrics.commands.options import Command, printed, split
from metrics.errors import InputError
from metrics.extras import line, missing

LAUNCHER = "kappascope.serve"
CHECKOUT = Path(__file__).resolve().parents[2] / "deploy" / "serve.py"


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


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def selftest(*, as_json: bool) -> int:
    """Are the published numbers still computed? No FILE; exit 1 when one differs."""
    from metrics.content.selftest.checking import self_test
    from metrics.content.selftest.readings import summary

    report = self_test()
    click.echo(json.dumps(report.to_dict(), ensure_ascii=False, allow_nan=False) if as_json else summary(report))
    return 0 if report.agrees else 1


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option("--port", default=8501, show_default=True, type=click.IntRange(0, 65535), help="Port of this machine; 0 is any.")
def app(*, file: str | None, port: int) -> None:
    """Open the dashboard, with FILE where one is named. It answers on this machine alone; Ctrl+C ends it."""
    launcher().serve([f"--server.port={port}"], file or "")


def launcher() -> ModuleType:
    """Return what serves the dashboard: of the installed package, else of the checkout.

    Raises
    ------
    InputError
        Where neither is there, or what it needs is not installed.
    """
    try:
        return import_module(LAUNCHER)
    except ModuleNotFoundError as error:
        if error.name not in (LAUNCHER, "kappascope"):
            raise missing(error) from error
    if not CHECKOUT.exists():
        raise InputError(f"The dashboard is not installed. Type: {line('app')}")
    spec = importlib.util.spec_from_file_location("serve", CHECKOUT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

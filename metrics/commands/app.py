"""The command `app`."""

from __future__ import annotations

import importlib.util
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click

from metrics.errors import InputError
from metrics.extras import line, missing

LAUNCHER = "kappascope.serve"
CHECKOUT = Path(__file__).resolve().parents[2] / "deploy" / "serve.py"


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

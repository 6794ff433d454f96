"""The command line: `python -m metrics COMMAND FILE [options]`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import click

from metrics.asker import answering
from metrics.commands.agreement import agreement
from metrics.commands.compare import compare
from metrics.commands.count import count
from metrics.commands.item_scores import item_scores
from metrics.commands.overview import overview
from metrics.commands.raters import raters
from metrics.commands.ratings import ratings
from metrics.commands.report import report
from metrics.commands.roc import roc
from metrics.commands.scores import scores
from metrics.commands.select import select
from metrics.commands.selftest import selftest
from metrics.errors import InputError
from metrics.version import __version__

MAX_MESSAGE = 1000


def main(args: Sequence[str] | None = None) -> None:
    """Run a command; a mistake in the input or the options is one message on stderr and exit code 2."""
    try:
        with answering("command"):
            code = commands.main(args=None if args is None else list(args), prog_name="python -m metrics", standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        sys.exit(130)
    except (InputError, click.ClickException) as error:
        message = error.format_message() if isinstance(error, click.ClickException) else str(error)
        click.echo(_short(f"Error: {message}"), err=True)
        sys.exit(2)
    sys.exit(code or 0)


def _short(message: str) -> str:
    return message if len(message) <= MAX_MESSAGE else f"{message[: MAX_MESSAGE - 1]}…"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kappascope")
def commands() -> None:
    """Agreement between LLM judges and people."""


class Whole(click.HelpFormatter):
    """Help whose examples fit on one line each, however narrow the terminal is."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write pairs in two columns, the first of at most two fifths of the line.

        Parameters
        ----------
        rows : iterable of (str, str)
        col_max : int
            Letters of the first column at most.
        col_spacing : int
            Letters between the columns.
        """
        super().write_dl(list(rows), min(col_max, self.width * 2 // 5), col_spacing)


class Context(click.Context):
    """A command's run, with the help above."""

    formatter_class = Whole


for command in (agreement, compare, count, item_scores, overview, raters, ratings, report, roc, scores, select, selftest):
    command.context_class = Context
    commands.add_command(command)

"""The command line: `kappascope FILE`, `kappascope COMMAND FILE [options]`, and the same behind `python -m metrics`."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from metrics.asker import answering
from metrics.commands.agreement import agreement
from metrics.commands.app import app
from metrics.commands.compare import compare
from metrics.commands.count import count
from metrics.commands.label_next import label_next
from metrics.commands.of_judges import biases, disagreements, item_scores, roc, scores
from metrics.commands.overview import TYPED, overview
from metrics.commands.raters import raters
from metrics.commands.ratings import ratings
from metrics.commands.report import report
from metrics.commands.select import select
from metrics.commands.selftest import selftest
from metrics.errors import InputError
from metrics.extras import missing
from metrics.version import __version__

MAX_MESSAGE = 1000
PROGRAM, MODULE = "kappascope", "python -m metrics"
ALONE = "overview"
"""The command of a FILE without one."""
EXITS = {
    0: "done, and every floor and margin that was asked for holds",
    1: "a floor or a margin does not hold, or a published number is not computed here",
    2: "a file or an option cannot be used; the message names the place and the mend",
}
"""Exit code to when a command ends with it."""


def main(args: Sequence[str] | None = None) -> None:
    """Run a command; a mistake in the input or the options is one message on stderr and exit code 2."""
    try:
        with answering("command"):
            code = commands.main(args=None if args is None else list(args), prog_name=_called(), standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        sys.exit(130)
    except (InputError, click.ClickException) as error:
        _refuse(error.format_message() if isinstance(error, click.ClickException) else str(error))
    except ModuleNotFoundError as error:
        refusal = missing(error)
        if refusal is error:
            raise
        _refuse(str(refusal))
    sys.exit(code or 0)


def _refuse(message: str) -> NoReturn:
    click.echo(_short(f"Error: {message}"), err=True)
    sys.exit(2)


def _short(message: str) -> str:
    return message if len(message) <= MAX_MESSAGE else f"{message[: MAX_MESSAGE - 1]}…"


def _called() -> str:
    """Return how the program was called, as its help and its refusals repeat it."""
    return PROGRAM if Path(sys.argv[0]).stem == PROGRAM else MODULE


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
    """A command's run, with the help above, which -h shows too.

    Every run says so of itself: click keeps a command's help option as its first run made it, whatever started that one.
    """

    formatter_class = Whole

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **{"help_option_names": ["-h", "--help"], **named})


class Commands(click.Group):
    """Commands, one of which takes a FILE that stands alone."""

    context_class = Context

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Return the words with the command that was left out before FILE; without any word the help.

        Raises
        ------
        click.UsageError
            For a word that is neither a command nor a file, and for a file alone that is called like a command.
        """
        own = {name for option in self.params for name in (*option.opts, *context.help_option_names)}
        first = args[0] if args else ""
        if first in self.commands:
            if len(args) == 1 and _takes_file(self.commands[first]) and Path(first).exists():
                raise click.UsageError(f"‘{first}’ is a command. For the overview of the file of that name write ./{first}.")
        elif first and first not in own:
            if not first.startswith("-"):
                self._refuse_unknown(first)
            args = [ALONE, *args]
        context.meta[TYPED] = args[1:]
        return super().parse_args(context, args or ["--help"])

    def _refuse_unknown(self, word: str) -> None:
        """Raise where a bare word is no file: a command that is mistyped."""
        if not word.replace("-", "").replace("_", "").isalpha() or Path(word).exists():
            return
        near = difflib.get_close_matches(word, self.commands, 1)
        hint = f"Is {near[0]} meant?" if near else f"Commands: {', '.join(sorted(self.commands))}."
        raise click.UsageError(f"‘{word}’ is no command, and no file here is called so. {hint}")


def _takes_file(command: click.Command) -> bool:
    return any(parameter.name == "file" for parameter in command.params)


@click.group(
    cls=Commands,
    subcommand_metavar="FILE | COMMAND [ARGS]...",
    epilog="FILE alone is its overview, - what is piped in. A file that is called like a command is written ./report. "
    f"Exit codes: {'; '.join(f'{code} {when}' for code, when in EXITS.items())}.",
)
@click.version_option(__version__, prog_name=PROGRAM)
def commands() -> None:
    """Agreement between LLM judges and people."""


for command in (
    agreement, app, biases, compare, count, disagreements, item_scores, label_next, overview, raters, ratings, report, roc,
    scores, select, selftest,
):  # fmt: skip
    command.context_class = Context
    commands.add_command(command)

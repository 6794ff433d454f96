"""The command line: `python -m metrics COMMAND FILE [options]`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from metrics.errors import InputError
from metrics.version import __version__

MAX_MESSAGE = 1000


def main(args: Sequence[str] | None = None) -> None:
    """Run a command; a mistake in the input or the options is one message on stderr and exit code 2."""
    try:
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


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say how a file is understood; every command that takes a file has them."""
    options = [
        click.argument("file", type=str),
        click.option("--columns", multiple=True, metavar="ROLE=NAME,…", help="Which column is what: item=id,human=gold."),
        click.option("--labels", multiple=True, metavar="LABEL=KIND,…", help="What labels mean: yes=positive,no=negative."),
        click.option("--order", metavar="LABEL,…", help="Labels from low to high."),
        click.option("--skip-bad-rows", is_flag=True, help="List rows with too many or too few cells instead of stopping."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def choosing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The choices that every number rests on."""
    options = [
        click.option(
            "--abstention", default="exclude", metavar="exclude|as_unmet|as_category", help="What an abstention counts as."
        ),
        click.option("--reference", default="majority", help="majority, unanimous, or a human's name."),
        click.option("--cost", help="nominal, halfway, as-negative, as-positive, or nine numbers: 0,1,1;1,0,1;1,1,0."),
        click.option("--item-rule", default="all", metavar="all|threshold", help="When an item counts as met."),
        click.option("--threshold", type=float, help="Weighted share an item must reach, above 0 and at most 1."),
        click.option("--weights", multiple=True, metavar="CRITERION=WEIGHT,…", help="Weights of criteria; others weigh 1."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@commands.command()
@reading_options
@choosing_options
@click.option("--judges", multiple=True, help="Judges to report; default all. Repeat, or separate by commas.")
@click.option("--interval", default="auto", metavar="auto|jackknife|dirichlet|wilson|bootstrap|bca|none", help="How it is found.")
@click.option("--unit", default="item", metavar="item|decision|criterion|hierarchical|COLUMN", help="What is left out or drawn.")
@click.option("--replicates", default=2000, type=int, help="Draws of a bootstrap.")
@click.option("--seed", "rng", type=int, help="Seed of a bootstrap; default 0.")
@click.option("--confidence", default=0.95, type=float, help="Confidence of the intervals, between 0 and 1.")
@click.option("--fail-under", multiple=True, metavar="[LEVEL.]METRIC=FLOOR", help="Exit 1 when an interval's lower end is below.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def agreement(
    *,
    file: str,
    columns: tuple[str, ...],
    labels: tuple[str, ...],
    order: str | None,
    skip_bad_rows: bool,
    judges: tuple[str, ...],
    cost: str | None,
    weights: tuple[str, ...],
    fail_under: tuple[str, ...],
    as_json: bool,
    **choices: Any,
) -> int:
    """How far each judge in FILE agrees with the human."""
    import metrics
    from metrics.floors import floor_of, missed

    floors = [floor_of(text) for text in fail_under]
    ratings = metrics.read(file, **_how(columns, labels, order, skip_bad_rows))
    report = metrics.agreement(
        ratings,
        judges=chosen_judges(judges, ratings.judges) or None,
        cost=_cost(cost),
        weights=_numbers(pairs_of(weights, "--weights"), "--weights"),
        **choices,
    )
    sentences = missed(report, floors)
    _print(report, as_json)
    for sentence in sentences:
        click.echo(sentence, err=True)
    return 1 if sentences else 0


@commands.command()
@reading_options
@click.argument("file2", required=False)
@click.option("--a", help="The judge to beat; with two files, by default the first file's.")
@click.option("--b", help="The judge that may be better; with two files, by default the second file's.")
@click.option("--baseline", metavar="JUDGE|best", help="Compare every judge with this one instead of A with B.")
@click.option("--judges", multiple=True, help="With --baseline: judges to compare; default all.")
@click.option("--metric", default="kappa", help="Metric to compare by.")
@click.option("--level", default="micro", metavar="micro|macro|item", help="What a value is taken over.")
@click.option("--criterion", help="Compare on this criterion alone.")
@choosing_options
@click.option("--confidence", default=0.95, type=float, help="Confidence of the interval.")
@click.option("--replicates", default=10_000, type=int, help="Random swaps of the permutation test.")
@click.option("--seed", default=0, type=click.IntRange(min=0), help="Seed of the random swaps.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def compare(
    *,
    file: str,
    file2: str | None,
    columns: tuple[str, ...],
    labels: tuple[str, ...],
    order: str | None,
    skip_bad_rows: bool,
    a: str | None,
    b: str | None,
    baseline: str | None,
    judges: tuple[str, ...],
    cost: str | None,
    weights: tuple[str, ...],
    seed: int,
    as_json: bool,
    **choices: Any,
) -> None:
    """Is judge B better than judge A? On the decisions both gave, in FILE or in FILE and FILE2."""
    import metrics
    from metrics.joining import join, read_second

    how = _how(columns, labels, order, skip_bad_rows)
    choices |= {"cost": _cost(cost), "weights": _numbers(pairs_of(weights, "--weights"), "--weights"), "rng": seed}
    ratings = metrics.read(file, **how)
    joined = None if file2 is None else join(ratings, read_second(file2, ratings, **how))
    ratings = ratings if joined is None else joined.ratings
    if baseline is not None:
        if a or b:
            raise InputError("--baseline compares every judge with one. Leave out --a and --b, or --baseline.")
        fixed = baseline if joined is None else joined.judge(baseline, 0)
        found: Any = metrics.compare_all(ratings, fixed, judges=chosen_judges(judges, ratings.judges) or None, **choices)
    elif judges:
        raise InputError("--judges goes with --baseline. Name two judges with --a and --b.")
    else:
        first, second = _two(ratings.judges, a, b, ratings.source.name) if joined is None else joined.pair(a, b)
        found = metrics.compare(ratings, first, second, **choices)
    _print(found, as_json, {} if joined is None else joined.unmatched_counts())


def _how(columns: Sequence[str], labels: Sequence[str], order: str | None, skip_bad_rows: bool) -> dict[str, Any]:
    """The options of `reading_options` as `metrics.read` takes them."""
    return {
        "columns": pairs_of(columns, "--columns"),
        "labels": pairs_of(labels, "--labels"),
        "order": split(order) if order else None,
        "skip_bad_rows": skip_bad_rows,
    }


def _two(judges: Sequence[str], a: str | None, b: str | None, name: str) -> tuple[str, str]:
    """The judges to compare; of two, those not named are clear."""
    rest = [judge for judge in judges if judge not in (a, b)]
    if a is not None and b is not None:
        return a, b
    if len(rest) != (a is None) + (b is None):
        raise InputError(
            f"{name} has {len(judges)} judges. Name two with --a and --b, or one with --baseline: {', '.join(judges[:12])}."
        )
    return a or rest[0], b or rest[-1]


def _print(result: Any, as_json: bool, unmatched: Mapping[str, int] | None = None) -> None:
    """A result as JSON or as text, with the rows that found no partner in the other file where there are two."""
    if as_json:
        found = result.to_dict() | ({} if not unmatched else {"unmatched_rows": dict(unmatched)})
        click.echo(json.dumps(found, ensure_ascii=False, allow_nan=False))
        return
    click.echo(result.summary())
    for file, count in (unmatched or {}).items():
        click.echo(f"{count} rows of {file} have no partner in the other file.")


def split(text: str) -> list[str]:
    """Parts between commas, trimmed; a comma inside double quotes does not separate, and the quotes fall away."""
    return [_bare(part) for part in _between_commas(text)]


def pairs_of(texts: Sequence[str], option: str) -> dict[str, str] | None:
    """`a=b,c=d` as a mapping; the last `=` outside double quotes separates name and value."""
    found: dict[str, str] = {}
    for part in (part for text in texts for part in _between_commas(text)):
        place = _last_equals(part)
        if place < 0:
            raise InputError(f"{option}: {part!r} has no “=”. Write name=value; a name that holds a comma goes in double quotes.")
        found[_bare(part[:place])] = _bare(part[place + 1 :])
    return found or None


def _between_commas(text: str) -> list[str]:
    parts, quoted = [""], False
    for letter in text:
        quoted ^= letter == '"'
        if letter == "," and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def _bare(text: str) -> str:
    return text.strip().replace('"', "")


def _last_equals(part: str) -> int:
    place, quoted = -1, False
    for here, letter in enumerate(part):
        quoted ^= letter == '"'
        if letter == "=" and not quoted:
            place = here
    return place


def chosen_judges(given: Sequence[str], known: Sequence[str]) -> list[str]:
    """Judges named one by one or between commas; a name that holds a comma is taken whole where it is known."""
    return [name for text in given for name in ([text] if text in known else split(text))]


def _cost(text: str | None) -> str | list[list[float]] | None:
    if text is None or ";" not in text:
        return text
    try:
        return [[float(cell) for cell in row.split(",")] for row in text.split(";")]
    except ValueError:
        raise InputError(f"--cost: {text!r} is no matrix of numbers. Write it as 0,1,1;1,0,1;1,1,0.") from None


def _numbers(pairs: dict[str, str] | None, option: str) -> dict[str, float] | None:
    try:
        return {name: float(number) for name, number in pairs.items()} if pairs else None
    except ValueError:
        raise InputError(f"{option}: every weight must be a number, as in c1=2,c2=-1.") from None

"""The command `compare`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from metrics.commands.options import (
    Source,
    by_groups,
    choosing_options,
    chosen_judges,
    confidence_option,
    printed,
    reading_options,
    slicing_options,
)
from metrics.errors import InputError

if TYPE_CHECKING:
    from metrics.data.ratings import Ratings


@click.command()
@reading_options
@click.argument("file2", required=False)
@click.option("--a", help="The judge to beat; with two files, by default the first file's.")
@click.option("--b", help="The judge that may be better; with two files, by default the second file's.")
@click.option("--baseline", metavar="JUDGE|best", help="Compare every judge with this one instead of A with B.")
@click.option("--judges", multiple=True, help="With --baseline: judges to compare; default all.")
@click.option(
    "--metric",
    help="Metric to compare by; default kappa_within over several criteria, else kappa. Of scores pearson, mae, auc, …",
)
@click.option("--level", metavar="micro|macro|item", help="What a value is taken over.")
@click.option("--criterion", help="Compare on this criterion alone.")
@choosing_options
@click.option("--unit", default="item", metavar="item|COLUMN", help="What is left out and swapped: items, or groups of them.")
@confidence_option
@click.option(
    "--margin",
    type=float,
    metavar="DIFFERENCE",
    help="How much worse B, or with --baseline each judge, may be; exit 1 unless shown to be no worse.",
)
@click.option("--replicates", default=10_000, type=int, help="Random swaps of the permutation test.")
@click.option("--seed", "rng", default=0, type=click.IntRange(min=0), help="Seed of the random swaps.")
@slicing_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def compare(
    *,
    file: Source,
    file2: str | None,
    how: dict[str, Any],
    a: str | None,
    b: str | None,
    baseline: str | None,
    judges: tuple[str, ...],
    by: tuple[str, ...],
    cuts: tuple[float, ...],
    as_json: bool,
    **choices: Any,
) -> int:
    """Is judge B better than judge A? On the decisions both answered, in FILE or in FILE and FILE2."""
    import metrics
    from metrics.analyses.comparison.forest import Forest
    from metrics.analyses.comparison.joining import join, read_second
    from metrics.data.filtering import only_where

    where = how.pop("where")
    ratings = metrics.read(file, **how)
    joined = None if file2 is None else join(ratings, read_second(file2, ratings, **how))
    ratings = only_where(ratings if joined is None else joined.ratings, where)
    if baseline is not None:
        if a or b:
            raise InputError("--baseline compares every judge with one. Leave out --a and --b, or --baseline.")
        fixed = baseline if joined is None else joined.judge(baseline, 0)
        named = chosen_judges(judges, ratings.judges) or None
        make: Callable[[Ratings], Any] = lambda part: metrics.compare_all(part, fixed, judges=named, **choices)  # noqa: E731
    elif judges:
        raise InputError("--judges goes with --baseline. Name two judges with --a and --b.")
    else:
        first, second = _two(ratings.judges, a, b, ratings.source.name) if joined is None else joined.pair(a, b)
        make = _of_scores(first, second, choices) or (lambda part: metrics.compare(part, first, second, **choices))
    report = by_groups(ratings, by, cuts, make)
    printed(report, as_json, {} if joined is None else joined.unmatched_counts())
    whole = getattr(report, "whole", report)
    decided = whole if isinstance(whole, Forest) else whole.held
    return 0 if decided is None or decided.holds else 1


def _of_scores(first: str, second: str, choices: dict[str, Any]) -> Callable[[Ratings], Any] | None:
    """Return the comparison of scores, where the metric is one of those; None for labels."""
    from metrics.analyses.roc.two_judges import METRICS, compare_scores

    if choices["metric"] not in METRICS:
        return None
    if choices["level"] == "item" or choices["abstention"] != "exclude" or choices["unit"] != "item":
        raise InputError(f"{choices['metric']} is one of scores: level micro or macro, no abstentions, items as the unit.")
    taken = {name: choices[name] for name in ("metric", "criterion", "reference", "confidence", "margin")}
    taken["level"] = choices["level"] or "micro"
    return lambda part: compare_scores(part, first, second, **taken)


def _two(judges: Sequence[str], a: str | None, b: str | None, name: str) -> tuple[str, str]:
    """Return the judges to compare; of two, those not named are clear."""
    rest = [judge for judge in judges if judge not in (a, b)]
    if a is not None and b is not None:
        return a, b
    if len(judges) < 2:
        there = "1 judge" if judges else "no judge"
        raise InputError(f"{name} has {there}. A comparison needs two: in one file, or in a second file of the same items.")
    if len(rest) != (a is None) + (b is None):
        names = f"Name two with --a and --b, or one with --baseline: {', '.join(judges[:12])}"
        raise InputError(f"{name} has {len(judges)} judges. {names}.")
    return a or rest[0], b or rest[-1]

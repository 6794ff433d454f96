"""The commands of one report: overview, biases, compare, disagreements, item-scores, raters, roc and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metrics.asker import shell
from metrics.commands.options import (
    REFERENCE_HELP,
    Source,
    abstention_option,
    by_groups,
    choosing_options,
    chosen_judges,
    confidence_option,
    handling_option,
    interval_options,
    judges_option,
    printed,
    reading_options,
    reported,
    slicing_options,
    values_option,
    weights_option,
)
from metrics.data.typed_values import matrix
from metrics.errors import InputError

if TYPE_CHECKING:
    from metrics.analyses.disagreements.lists import DisagreementReport
    from metrics.analyses.raters.result import RatersReport
    from metrics.data.ratings import Ratings

reference_option = click.option("--reference", default="auto", help=REFERENCE_HELP)
interval_option = click.option("--interval", default="auto", metavar="auto|none", help="Whether intervals are found.")
TYPED = "metrics.typed"
"""Under which a run keeps the words behind its command."""


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


@click.command()
@reading_options
@click.option("--level", metavar="nominal|ordinal|interval|ratio", help="Level of α; default: what the confirmed scale says.")
@click.option("--role", metavar="human|judge", help="Whose labels; default humans where there are two or more, else judges.")
@abstention_option
@handling_option("tie=as_category, invalid=exclude")
@click.option("--interval", default="auto", metavar="auto|none", help="Whether intervals are found.")
@confidence_option
@click.option(
    "--gate-on",
    "on",
    default="alpha",
    metavar="alpha|kappa",
    help="What the gate judges: α, or mean κ of pairs (ordered labels: quadratic).",
)
@click.option("--floor", type=float, help="Floor of the gate; default 0.667 of α (0.8 for a gold set), 0.6 of κ.")
@click.option(
    "--margin",
    type=float,
    metavar="DIFFERENCE",
    help="How much worse than a human a judge may be; exit 1 unless shown.",
)
@slicing_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def raters(
    *,
    file: Source,
    how: dict[str, Any],
    on: Any,
    floor: float | None,
    by: tuple[str, ...],
    cuts: tuple[float, ...],
    as_json: bool,
    **choices: Any,
) -> int:
    """How far the humans, or the judges, in FILE agree with each other, and whether that is enough to go on."""
    import metrics
    from metrics.analyses.raters.gate import Bands

    bands = Bands(on=on, floor=floor)
    ratings = _read(file, how, choices["level"])
    report = by_groups(ratings, by, cuts, lambda part: metrics.raters(part, bands=bands, **choices))
    printed(report, as_json)
    whole = getattr(report, "whole", report)
    if not as_json and not by and whole.role == "human":
        for line in _next_steps(ratings, whole, choices):
            click.echo(line)
    return 0 if all(one.held.holds for one in whole.margins) else 1


def _next_steps(ratings: Ratings, report: RatersReport, choices: Mapping[str, Any]) -> Iterator[str]:
    """Yield what to do next on each criterion, which rests on the single labels behind the numbers."""
    from metrics.analyses.raters.evidence import evidence
    from metrics.analyses.raters.readings_evidence import next_step
    from metrics.data.nonverdicts import handled, handling_of
    from metrics.results import words
    from metrics.results.report import name_beside_all

    mode = report.declaration.abstention
    own = handled(ratings, handling_of(choices["handling"], ratings.scheme, mode))
    shown = evidence(own, role="human", level=choices["level"], abstention=mode, confidence=choices["confidence"])
    names = report.by_need()
    yield "\nNext"
    for name in names:
        gate, record = report.criteria[name].gate, shown.criteria[name_beside_all(name, report.criteria)]
        step = next_step(
            record, gate.verdict, gate.needed.n, would=gate.would, undefined=gate.reason, why_not=gate.needed.reason,
            rare=gate.rare,
        )  # fmt: skip
        yield f"  {f'{words.shorten(name)}: ' if len(names) > 1 else ''}{step}"


def _read(file: Source, how: dict[str, Any], level: str | None) -> Ratings:
    """Return the ratings; a level above nominal says that numbers among the labels are steps, in the order of their values."""
    import metrics

    try:
        return metrics.read(file, **how)
    except InputError as problem:
        if level not in ("ordinal", "interval", "ratio") or how["scale"] or how["order"]:
            raise
        try:
            return metrics.read(file, **{**how, "scale": "ordinal"})
        except InputError:
            raise problem from None


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


@click.command()
@reading_options
@choosing_options
@interval_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.pass_context
def overview(
    context: click.Context, /, *, file: Source, how: dict[str, Any], judges: tuple[str, ...], as_json: bool, **choices: Any
) -> None:
    """How good the judge in FILE is, on which criteria, how sure that is, and which items to read first."""
    import metrics

    ratings = metrics.read(file, **how)
    report = metrics.overview(ratings, judges=chosen_judges(judges, ratings.judges) or None, **choices)
    if not as_json:  # JSON is that of the report, wherever the file lies
        steps = (replace(step, command=_typed(context, step.command)) if step.command else step for step in report.next)
        report = replace(report, next=tuple(steps))
    printed(report, as_json)


def _typed(context: click.Context, command: str) -> str:
    """Return a command with the file and the options that this one was given, but those it does not have or sets itself."""
    group = context.find_root().command
    assert isinstance(group, click.Group)
    given: Mapping[str, Any] = context.command.make_parser(context).parse_args(list(context.meta[TYPED]))[0]
    name, _, rest = command.partition(" FILE")
    known = {parameter.name for parameter in group.commands[name].params} - {"file", "as_json"}
    options = []
    for parameter in context.command.params:
        value, option = given.get(str(parameter.name)), parameter.opts[0]
        if value is not None and parameter.name in known and option not in rest.split():
            values = value if isinstance(value, list) else [value]
            options += [option if value is True else f"{option} {shell(value)}" for value in values]
    file = str(given["file"])
    # A name that begins like an option is written as a path.
    path = f"./{file}" if file.startswith("-") and file != "-" else file
    return " ".join(filter(None, [name, shell(path), rest.strip(), *options]))

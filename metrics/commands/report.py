"""The commands that write a file: `report`, `count`, `label-next` and `ratings`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from metrics.commands.options import (
    REFERENCE_HELP,
    Source,
    choosing_options,
    chosen_judges,
    interval_options,
    pairs_of,
    printed,
    reading_options,
    split,
)
from metrics.errors import InputError


@click.command()
@reading_options
@choosing_options
@click.option("--out", multiple=True, metavar="PATH", help="Where to write; .html .pdf .md .tex .xlsx .csv .json. Repeatable.")
@click.option("--judge", default="", help="Whose numbers stand first; default the first judge.")
@click.option("--level", default="micro", metavar="micro|macro|item", help="Level of the headline.")
@click.option("--without", multiple=True, metavar="PART,…", help="Parts to leave out: kappa, confusion, rates, criteria, …")
@click.option(
    "--association",
    "associations",
    multiple=True,
    metavar="NAME,…",
    help="phi (default), mcc, pearson, spearman, kendall_tau_b; none.",
)
@click.option("--inter-judge", multiple=True, metavar="NAME,…", help="alpha (default), fleiss_kappa, mean_pairwise_phi; none.")
@click.option(
    "--tell",
    "answers",
    multiple=True,
    metavar="QUESTION=ANSWER",
    help="What no file says: annotators=…, prompt=…, temperature=….",
)
@click.option("--review", type=str, metavar="PATH", help="Decisions of a rubric review, as the page saved them.")
@click.option("--codes", type=str, metavar="PATH", help="Codes of disagreements, as the page saved them.")
@click.option("--after", type=str, metavar="FILE2", help="The same items labelled or judged again: κ before and after.")
@interval_options
@click.option("--from", "given", metavar="REPORT.JSON", help="Check that FILE gives every number of this report; exit 1 if not.")
@click.pass_context
def report(context: click.Context, /, *, file: Source, out: tuple[str, ...], given: str | None, **options: Any) -> int:
    """A report on FILE with checklist and methods, or with --from whether an older one is what FILE gives."""
    if given is not None:
        return _verified(context, file, out, given)
    from metrics.report.writing import format_of, require_libraries

    if not out:
        raise InputError("Say where to write the report: --out report.html (also .pdf, .md, .tex, .xlsx, .csv, .json).")
    for path in out:
        require_libraries(format_of(path))
    _written(_made(file, options), out)
    return 0


def _made(file: Source, options: dict[str, Any]) -> Any:
    import metrics
    from metrics.analyses.coding.codes import read_coding
    from metrics.analyses.comparison.joining import read_second
    from metrics.analyses.review.changes import read_review
    from metrics.report.checklist.contents import Contents
    from metrics.report.making import report_of

    how, after = options.pop("how"), options.pop("after")
    ratings, unfiltered = metrics.read(file, **how), {name: said for name, said in how.items() if name != "where"}
    contents: Any = {
        "judge": options.pop("judge"),
        "level": options.pop("level"),
        "without": frozenset(_names(options.pop("without"))),
    }
    for name in ("associations", "inter_judge"):
        named = _names(options.pop(name))
        contents |= {name: tuple(choice for choice in named if choice != "none")} if named else {}
    answer_texts, review, codes = options.pop("answers"), options.pop("review"), options.pop("codes")
    options["judges"] = chosen_judges(options["judges"], ratings.judges) or None
    return report_of(
        ratings,
        contents=Contents(**contents),
        answers=_answers(answer_texts),
        review=None if review is None else read_review(_text(review), Path(review).name),
        codes=None if codes is None else read_coding(_text(codes), Path(codes).name),
        after=None if after is None else read_second(after, ratings, **unfiltered),
        **options,
    )


def _verified(context: click.Context, file: Source, out: tuple[str, ...], given: str) -> int:
    """Return whether an older report is what the file gives; its own settings count, and none may be given beside them."""
    from metrics.report.verifying import verify
    from metrics.report.writing import format_of

    allowed_options = {"file", "beside", "out", "given"}
    extra_options = [
        name
        for name in context.params
        if name not in allowed_options and context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
    ]
    if extra_options:
        names = {option.name: option.opts[-1] for option in context.command.params}
        raise InputError(
            f"--from takes every setting from the report. Leave out {names.get(extra_options[0], extra_options[0])}."
        )
    for path in out:
        format_of(path)
    verified = verify(_text(given), file, Path(given).name)
    for sentence in verified.sentences():
        click.echo(sentence)
    if verified.report is not None:
        _written(verified.report, out)
    return 0 if verified.same else 1


def _written(made: Any, out: tuple[str, ...]) -> None:
    from metrics.report.writing import format_of, today, write

    for path in out:
        data = write(made, format_of(path), today())
        try:
            Path(path).write_bytes(data)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}.") from None


def _text(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from None


def _names(texts: tuple[str, ...]) -> list[str]:
    return [name for text in texts for name in split(text) if name]


def _answers(texts: tuple[str, ...]) -> dict[str, str]:
    """Return question to answer; the first `=` separates them, and an answer may hold anything."""
    answer_by_question = {}
    for text in texts:
        key, mark, answer = text.partition("=")
        if not mark:
            raise InputError(f"--tell: {text!r} has no “=”. Write question=answer.")
        answer_by_question[key.strip()] = answer
    return answer_by_question


@click.command("label-next")
@reading_options
@click.option("-n", "n", default=100, type=int, help="Items to label.")
@click.option("--for", "purpose", default="kappa", metavar="kappa|rare|difference", help="The number to get narrower.")
@click.option("--judge", help="The judge whose number it is; default the first.")
@click.option("--other", help="With --for difference: the judge compared with.")
@click.option("--criterion", help="The criterion whose number it is; default all.")
@click.option("--reference", default="auto", help=REFERENCE_HELP)
@click.option("--seed", "rng", default=0, type=click.IntRange(min=0), help="Seed of the draw.")
@click.option("--out", type=click.Path(path_type=Path), metavar="PATH", help="Write the blind sheet: .csv, .xlsx or .html.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def label_next(*, file: Source, how: dict[str, Any], n: int, out: Path | None, as_json: bool, **choices: Any) -> None:
    """Which items of FILE to label next: drawn by strata of what judges say, with weights that make numbers unbiased."""
    import metrics

    plan = metrics.label_next(metrics.read(file, **how), n, **choices)
    if out is not None:
        from metrics.report.label_sheet import write_sheet

        write_sheet(plan, out)
    printed(plan, as_json)


@click.command()
@reading_options
@click.option("--out", required=True, metavar="PATH", help="The ratings to write: .csv, .parquet or .jsonl.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def ratings(*, file: Source, how: dict[str, Any], out: str, as_json: bool) -> None:
    """Write the ratings in FILE, one per row, whatever it looks like, and print what became of it."""
    import metrics
    from metrics.readers.import_report import import_report
    from metrics.readers.long_form import write_ratings
    from metrics.readers.read_lines import command_line, of_the_long_form, python_line
    from metrics.results.words import several

    files = [file] if isinstance(file, str) else file
    read = metrics.read(file, **how)
    n = write_ratings(read, out)
    report, again = import_report(read, files), of_the_long_form(read)
    lines = {"command": command_line([out], again), "python": python_line([out], again)}
    if as_json:
        written = {"file": out, "ratings": n, "again": lines}
        click.echo(json.dumps(report.to_dict() | {"written": written}, ensure_ascii=False, allow_nan=False))
        return
    click.echo(report.summary())
    click.echo(f"{several(n, 'ratings')} written to {out}. To read them:")
    for line in lines.values():
        click.echo(f"  {line}")


@click.command()
@click.argument("source", type=str)
@click.option("--engine", default="duckdb", metavar="duckdb|polars|dask|spark", help="What counts; default duckdb.")
@click.option("--out", required=True, metavar="PATH", help="The tally to write, a Parquet file: tally.parquet.")
@click.option("--columns", multiple=True, metavar="ROLE=NAME,…", help="Which column is what: item=id,human=gold.")
@click.option("--keep", multiple=True, metavar="COLUMN,…", help="Columns above the item to keep, for --unit: topic.")
@click.option("--grid", multiple=True, metavar="COLUMN=STEP,…", help="Steps that numbers are rounded to: score=0.01.")
@click.option("--memory", default="3GB", metavar="SIZE", help="What DuckDB may hold before it goes on on disk; default 3GB.")
@click.option("--format", "reader", metavar="NAME", help="For Spark: how it reads SOURCE: delta, orc, table.")
@click.option(
    "--cluster", metavar="ADDRESS", help="Spark's master or Dask's scheduler: spark://host:7077, yarn, tcp://host:8786."
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE,…", help="For Spark: options of that format.")
def count(
    *,
    source: str,
    engine: str,
    out: str,
    columns: Sequence[str],
    keep: Sequence[str],
    grid: Sequence[str],
    memory: str,
    reader: str | None,
    cluster: str | None,
    options: Sequence[str],
) -> None:
    """Count SOURCE where it lies: CSV or Parquet, a file, a folder or a glob, into a tally that every command reads."""
    from metrics import engines
    from metrics.engines.sources import is_source
    from metrics.readers.messages import brief, refuse
    from metrics.results import words
    from metrics.results.progress import Steps

    if is_source(out, source):
        refuse(f"{brief(out, 200)} is counted itself. Write the tally to another file.")
    with Steps("Counting") as steps:
        tally = engines.count(
            source,
            engine=engine,
            columns=pairs_of(columns, "--columns"),
            keep=[name for text in keep for name in split(text)],
            grid=pairs_of(grid, "--grid"),
            memory=memory,
            reader=reader,
            cluster=cluster,
            options=pairs_of(options, "--option"),
            progress=steps.write_step,
            watched=steps.watch,
        )
    tally.to_parquet(out)
    click.echo(
        f"{words.count(tally.n_rows)} rows, {words.count(tally.n_items)} items of {words.count(tally.n_unique)} kinds: {out}"
    )
    for why, n in tally.left_out:
        click.echo(f"{words.count(n)} left out: {why}")
    for column, step in tally.grid.items():
        click.echo(f"The numbers of {column} were rounded to steps of {step}.")
    if tally.without:
        click.echo(f"Not in the tally: {', '.join(tally.without)}.")

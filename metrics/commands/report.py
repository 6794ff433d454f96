"""The command `report`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from metrics.commands.options import Source, choosing_options, chosen_judges, interval_options, reading_options, split
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
    from metrics.analyses.review.decisions import read_review
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

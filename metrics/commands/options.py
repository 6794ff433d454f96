"""Options that several commands share, and how what they find is printed."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metrics.errors import InputError

if TYPE_CHECKING:
    from metrics.data.ratings import Ratings

Command = Callable[..., Any]
Source = str | list[str]
"""A file as `metrics.read` takes it, with what it is read with."""
PIPED = "/dev/stdin"
"""What - stands for as the name of a file."""
SCALE_HELP = "binary, pairwise, ordinal, continuous or nominal, of all criteria or by name: tone=binary,depth=ordinal."

WHERE_HELP = "Only items with this value in another column: language=de|fr, topic!=law, tokens>=100, day<2026-02-01."


def reading_options(command: Command) -> Command:
    """Add the options that say how a file is understood; every command that takes a file has them.

    The command gets them as one argument `how`, as `metrics.read` takes them.
    """

    @functools.wraps(command)
    def reading(
        *,
        file: str,
        beside: Sequence[str],
        columns: Sequence[str],
        roles: Sequence[str],
        labels: Sequence[str],
        order: str | None,
        scale: Sequence[str],
        criteria: Sequence[str],
        skip_bad_rows: bool,
        repeats: str,
        merge_spellings: bool,
        match: str,
        delimiter: str | None,
        encoding: str | None,
        sheet: str | None,
        where: Sequence[str],
        **others: Any,
    ) -> Any:
        how = {
            "columns": pairs_of(columns, "--columns"),
            "roles": pairs_of(roles, "--roles"),
            "labels": pairs_of(labels, "--labels"),
            "order": split(order) if order else None,
            "scale": _scales(scale),
            "criteria": [name for text in criteria for name in split(text)] or None,
            "skip_bad_rows": skip_bad_rows,
            "repeats": repeats,
            "merge_spellings": merge_spellings,
            "match": match,
            "delimiter": "\t" if delimiter in ("tab", "\\t") else delimiter,
            "encoding": encoding,
            "sheet": sheet,
            "where": list(where) or None,
        }
        _refuse_overwriting([file, *beside], others)
        if others.get("cuts") and not others["by"]:
            raise InputError("--cuts goes with --by: name the column whose numbers are cut.")
        files = [PIPED if name == "-" else name for name in (file, *beside)]
        if others.get("file2") == "-":
            others["file2"] = PIPED
        return command(file=files if beside else files[0], how=how, **others)

    return _with(
        reading,
        click.argument("file", type=str),
        click.option("--with", "beside", multiple=True, metavar="PATH", help="A file that FILE is joined with; or FILE’s run."),
        click.option(
            "--match",
            default="",
            metavar="exact|loose",
            help="How ids of files are compared: exactly, or ignoring case, blanks, leading zeros and the like.",
        ),
        click.option("--columns", multiple=True, metavar="ROLE=NAME,…", help="Which column is what: item=id,human=gold."),
        click.option("--roles", multiple=True, metavar="NAME=human|judge|out,…", help="Who a rater or a source is: api=judge."),
        click.option(
            "--labels",
            multiple=True,
            metavar="LABEL=KIND,…",
            help="What labels mean: yes=positive,no=negative. A judge’s numbers: '>=3=positive'.",
        ),
        click.option("--order", metavar="LABEL,…", help="Labels from low to high."),
        click.option("--scale", multiple=True, metavar="SCALE|CRITERION=SCALE,…", help=SCALE_HELP),
        click.option("--where", multiple=True, metavar="COLUMN=VALUE", help=WHERE_HELP),
        click.option("--criteria", multiple=True, metavar="CRITERION,…", help="Take these criteria only."),
        click.option("--skip-bad-rows", is_flag=True, help="List rows with too many or too few cells instead of stopping."),
        click.option("--repeats", default="refuse", metavar="refuse|last|first", help="Which row counts where two contradict."),
        click.option("--merge-spellings", is_flag=True, help="Criteria and raters that differ in case or blanks alone are one."),
        click.option("--delimiter", metavar="MARK|tab", help="What separates columns, where the file does not make it plain."),
        click.option("--encoding", metavar="NAME", help="How letters are stored: utf-8, windows-1252."),
        click.option(
            "--sheet", metavar="NAME", help="Sheet of a workbook, or * for each as a file; default the first that holds a table."
        ),
    )


REFERENCE_HELP = (
    "auto (majority for labels, low median for ordered labels, mean for numbers), majority, unanimous, median, mean, a human's "
    "name, or “majority without NAME”."
)


def naming_option(name: str, metavar: str, told: str, example: str = "") -> Callable[[Command], Command]:
    """Return an option that is given as names and what each stands for: a number, where there is an example of some."""

    def read(context: click.Context, option: click.Parameter, given: Sequence[str]) -> dict[str, Any] | None:
        pairs = pairs_of(given, name)
        return numbers(pairs, name, example) if example else pairs

    return click.option(name, multiple=True, metavar=metavar, callback=read, help=told)


def weights_option(told: str) -> Callable[[Command], Command]:
    """Return the option of what criteria weigh."""
    return naming_option("--weights", "CRITERION=WEIGHT,…", told, "c1=2,c2=-1")


def values_option(told: str, example: str) -> Callable[[Command], Command]:
    """Return the option of what labels are worth."""
    return naming_option("--values", "LABEL=NUMBER,…", told, example)


def handling_option(example: str) -> Callable[[Command], Command]:
    """Return the option of what stands for an answer that is none."""
    told = f"Ties, invalid answers, failed calls otherwise than abstentions: {example}."
    return naming_option("--handling", "KIND=HOW,…", told)


abstention_option = click.option(
    "--abstention",
    default="exclude",
    metavar="exclude|as_unmet|as_category",
    help="What an abstention counts as; as_unmet where a label says no.",
)
judges_option = click.option("--judges", multiple=True, help="Judges to report; default all. Repeat, or separate by commas.")


def reported(command: Command) -> Command:
    """Add how the report is printed that a command makes of the ratings in FILE and of the judges named."""

    @functools.wraps(command)
    def printing(*, file: Source, how: dict[str, Any], judges: Sequence[str], as_json: bool, **choices: Any) -> None:
        import metrics

        ratings = metrics.read(file, **how)
        printed(command(ratings, judges=chosen_judges(judges, ratings.judges) or None, **choices), as_json)

    return _with(printing, click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."))


def choosing_options(command: Command) -> Command:
    """Add the choices that every number rests on, each as `metrics.agreement` takes it."""
    return _with(
        command,
        abstention_option,
        handling_option("tie=exclude, invalid=as_unmet, error=as_unmet"),
        click.option("--reference", default="auto", help=REFERENCE_HELP),
        click.option("--cost", help="nominal, halfway, as-negative, as-positive, or nine numbers: 0,1,1;1,0,1;1,1,0."),
        click.option("--item-rule", default="all", metavar="all|threshold", help="When an item counts as met."),
        click.option("--threshold", type=float, help="Weighted share an item must reach, above 0 and at most 1."),
        weights_option("Weights of criteria; others weigh 1."),
    )


def slicing_options(command: Command) -> Command:
    """Add by which column the same numbers are given for every group; the command gets a tuple of names and one of cuts."""
    return _with(
        command,
        click.option(
            "--by",
            multiple=True,
            metavar="COLUMN",
            help="The same numbers for each value of a column, beside the whole; two are crossed. length(COLUMN): of its texts.",
        ),
        click.option(
            "--cuts",
            metavar="NUMBER,…",
            callback=lambda context, option, given: _cuts(given),
            help="With --by: upper ends of the bins of numbers but the last; default: as many items in each of four.",
        ),
    )


def finding_option(command: Command) -> Command:
    """Add whether all columns are searched for groups that depart from the others."""
    return _with(command, click.option("--find-slices", "find", is_flag=True, help="Search all columns for groups that depart."))


def by_groups(ratings: Ratings, by: Sequence[str], cuts: Sequence[float], make: Callable[[Ratings], Any]) -> Any:
    """Return the report that `make` makes, beside the same of every group where a column is given."""
    if not by:
        return make(ratings)
    from metrics.analyses.slices.grouping import By
    from metrics.analyses.slices.sliced import sliced

    return sliced(ratings, [By.of(name, cuts) for name in by], make)


def _cuts(given: str | None) -> tuple[float, ...]:
    named = numbers({part: part for part in split(given)}, "--cuts", "100,500") if given else None
    return tuple((named or {}).values())


class _Share(click.types.FloatParamType):
    """A number between 0 and 1, which the help shows as any number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        return number if 0 < number < 1 else self.fail(f"{value} is not between 0 and 1.", param, ctx)


confidence_option = click.option(
    "--confidence",
    default=0.95,
    type=_Share(),
    help="Confidence of the intervals, between 0 and 1.",
)


def interval_options(command: Command) -> Command:
    """Add whose numbers are reported, and how their intervals are found, as `metrics.agreement` takes them."""
    return _with(
        command,
        judges_option,
        click.option(
            "--interval", default="auto", metavar="auto|jackknife|dirichlet|wilson|bootstrap|bca|none", help="How it is found."
        ),
        click.option(
            "--unit", default="item", metavar="item|decision|criterion|hierarchical|COLUMN", help="What is left out or drawn."
        ),
        click.option("--replicates", default=2000, type=int, help="Draws of a bootstrap."),
        click.option("--seed", "rng", type=int, help="Seed of a bootstrap; default 0."),
        confidence_option,
    )


def _scales(texts: Sequence[str]) -> dict[str, str] | None:
    """Return scale by criterion; one without a criterion is that of all others."""
    parts = [part for text in texts for part in _between_commas(text)]
    named = pairs_of([part for part in parts if _last_equals(part) >= 0], "--scale") or {}
    for part in parts:
        if _last_equals(part) < 0:
            named.setdefault("all", _bare(part))
    return named or None


def _with(command: Command, *options: Callable[[Command], Command]) -> Command:
    """Return the command with these options, in this order in its help."""
    for option in reversed(options):
        command = option(command)
    return command


READ, WRITTEN = ("file2", "after", "against", "review", "codes", "given"), ("out", "summary")
"""Options that name further files that are read, and those that name files that are written."""


def _refuse_overwriting(files: Sequence[str], others: Mapping[str, Any]) -> None:
    """Refuse to write to a file that is read: labels of people would be lost.

    Raises
    ------
    InputError
    """
    read = [Path(str(name)) for name in (*files, *filter(None, map(others.get, READ)))]
    for option in WRITTEN:
        given = others.get(option) or ()
        for target in given if isinstance(given, tuple) else (given,):
            if any(_same_file(Path(str(target)), source) for source in read):
                raise InputError(f"{str(target)[:200]} is read itself. Write to another file: --{option} PATH.")


def _same_file(one: Path, other: Path) -> bool:
    """Return whether both are there and one file."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def printed(result: Any, as_json: bool, unmatched: Mapping[str, int] | None = None) -> None:
    """Print a result as JSON or as text, with the ratings that found none beside them in the other file of two.

    Parameters
    ----------
    result : Any
        A report with `to_dict` and `summary`.
    as_json : bool
    unmatched : mapping of file to number of rows, optional
    """
    if as_json:
        document = result.to_dict() | ({} if not unmatched else {"unmatched_rows": dict(unmatched)})
        click.echo(json.dumps(document, ensure_ascii=False, allow_nan=False))
        return
    click.echo(result.summary())
    for file, count in (unmatched or {}).items():
        ratings, stand = ("rating", "stands") if count == 1 else ("ratings", "stand")
        click.echo(f"{count} {ratings} of {file} {stand} on decisions without one in the other file.")


def split(text: str) -> list[str]:
    """Return parts between commas, trimmed; a comma inside double quotes does not separate, and the quotes fall away.

    A double quote within is doubled.
    """
    return [_bare(part) for part in _between_commas(text)]


def pairs_of(texts: Sequence[str], option: str) -> dict[str, str] | None:
    """Return `a=b,c=d` as a mapping; the last `=` outside double quotes separates name and value."""
    value_by_name: dict[str, str] = {}
    for part in (part for text in texts for part in _between_commas(text)):
        place = _last_equals(part)
        if place < 0:
            raise InputError(f"{option}: {part!r} has no “=”. Write name=value; a name that holds a comma goes in double quotes.")
        value_by_name[_bare(part[:place])] = _bare(part[place + 1 :])
    return value_by_name or None


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
    text = text.strip()
    whole = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1].replace('""', '"') if whole else text.replace('"', "")


def _last_equals(part: str) -> int:
    place, quoted = -1, False
    for here, letter in enumerate(part):
        quoted ^= letter == '"'
        if letter == "=" and not quoted:
            place = here
    return place


def chosen_judges(given: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return judges named one by one or between commas; a name that holds a comma is taken whole where it is known."""
    return [name for text in given for name in ([text] if text in known else split(text))]


def numbers(pairs: dict[str, str] | None, option: str, example: str) -> dict[str, float] | None:
    """Return names with their numbers.

    Parameters
    ----------
    pairs : dict of str to str, or None
    option : str
        The option that is named in a refusal.
    example : str
        How it is written.

    Raises
    ------
    InputError
        For a value that is no number.
    """
    try:
        return {name: float(number) for name, number in pairs.items()} if pairs else None
    except ValueError:
        raise InputError(f"{option}: every value must be a number, as in {example}.") from None

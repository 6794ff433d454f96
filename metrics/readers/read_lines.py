"""How to read a file the same way again, as a line for the command line and one for Python."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from metrics.asker import answering, asker, flag, shell, worded
from metrics.data.labels import NUMBER, SCORE_ALONE
from metrics.data.ratings import Ratings, Source
from metrics.data.read_options import ReadOptions
from metrics.data.vocabulary import meaning, normalise
from metrics.readers.names import exact
from metrics.readers.threshold import AS_NUMBER
from metrics.readers.workbook import EVERY_SHEET

ROLE = "role:"
STEPS = ("class",)
SETTLED = {"pairwise": ("positive", "negative", "tie"), "ordinal": STEPS, "nominal": STEPS, "continuous": STEPS}
"""Meanings of labels that a stated scale leaves no doubt about."""


def completed(ratings: Ratings) -> ReadOptions:
    """Return what was said about a file, with what was confirmed without being said: guessed columns, doubtful labels."""
    source, how = ratings.source, ratings.source.how
    named = exact(source.columns)
    made = {AS_NUMBER.format(name) for _, name in ratings.columns_of_file}
    guessed = {
        role: name
        for role, name in ratings.columns_of_file
        if not source.format and name not in named.get(role, ()) and not (role == "score" and name.rstrip(" ’") in made)
    }
    columns = {**guessed, **dict(how.columns)}
    settled = {kind for _, scale in how.scale for kind in SETTLED.get(scale, ())}
    if how.order or ratings.scheme.order:
        settled.add("class")
    stated = {normalise(label) for label, _ in how.labels}
    open_labels = [pair for pair in _unsure(ratings) if pair[1] not in settled and normalise(pair[0]) not in stated]
    return replace(how, columns=tuple(columns.items()), labels=(*how.labels, *open_labels))


def of_the_long_form(ratings: Ratings) -> ReadOptions:
    """Return what has to be said of the long form of ratings: what labels mean, their order, the scales."""
    how = completed(ratings)
    return ReadOptions(labels=how.labels, order=ratings.scheme.order, scale=how.scale)


def is_plain(label: str, kind: str) -> bool:
    """Return whether a label means this by the word itself."""
    known = meaning(label)
    return known is not None and known.certain and known.kind == kind


def _unsure(ratings: Ratings) -> list[tuple[str, str]]:
    """Return labels whose meaning is not plain from the word itself."""
    stated = {normalise(label) for label, _ in ratings.source.kinds}
    unsure: list[tuple[str, str]] = []
    for label, kind in ratings.scheme.kinds:
        plain = is_plain(label, kind)
        if label not in ("", NUMBER, SCORE_ALONE) and not plain and normalise(label) not in stated and kind != "number":
            unsure.append((label, kind))
    return [] if all(label in ratings.scheme.unused for label, _ in unsure) else unsure


def files_of(source: Source) -> tuple[str, ...]:
    """Return the name of the file, or those of the files that were joined, of workbooks where each sheet was a file."""
    if source.how.sheet == EVERY_SHEET:
        return tuple(source.name.split(" + "))
    return (source.name,) if source.join is None else tuple(file.name for file in source.join.files)


def command_line(files: Sequence[str], how: ReadOptions, command: str = "overview", options: Sequence[str] = ()) -> str:
    """Return the line that reads files and runs a command on them.

    Parameters
    ----------
    files : sequence of str
        The file, and those that are read with it.
    how : ReadOptions
    command : str
        By default the one that takes every file.
    options : sequence of str
        Of the command, ready to type.
    """
    first, *others = files
    with answering("command"):
        beside = [flag("--with", other) for other in others]
        return " ".join([f"python -m metrics {command}", shell(first), *beside, *_flags(how), *options])


def python_line(files: Sequence[str], how: ReadOptions, first: str = "") -> str:
    """Return the call that reads files, or without any the table in memory; parameters as in `command_line`.

    Parameters
    ----------
    first : str
        The variable of the ratings that they are put beside; empty where there are none.
    """
    source = json.dumps(files[0] if len(files) == 1 else list(files), ensure_ascii=False) if files else "table"
    with answering("python"):
        called = worded("", "read_second" if first else "metrics.read", "")
        return f"{called}({', '.join([source, *filter(None, [first]), *_flags(how)])})"


def _flags(how: ReadOptions) -> list[str]:
    """Return what was said as options or keywords, in the words of who asks."""
    columns = {role: name for role, name in how.columns if not role.startswith(ROLE)}
    roles = {role.removeprefix(ROLE): _out(who) for role, who in how.columns if role.startswith(ROLE)}
    labels, scales = dict(how.labels), dict(how.scale)
    scale = scales["all"] if list(scales) == ["all"] else scales
    on = worded("", "True", "")
    told: dict[str, str | Sequence[str] | Mapping[str, str]] = {
        "columns": columns, "roles": roles, "labels": labels, "order": how.order, "scale": scale,
    }  # fmt: skip
    kept = ("criteria", "repeats", "match", "delimiter", "encoding", "sheet")
    switches = {"skip-bad-rows": how.skip_bad_rows, "merge-spellings": how.merge_spellings}
    return [
        *(flag(f"--{name}", said) for name, said in told.items() if said),
        *_conditions(how.where),
        *(flag(f"--{name}", said) for name in kept if (said := getattr(how, name))),
        *(flag(f"--{name}") + on for name, is_on in switches.items() if is_on),
    ]


def _conditions(where: Sequence[str]) -> list[str]:
    """Return conditions: an option for each, or a list in Python."""
    if not where:
        return []
    return [flag("--where", condition) for condition in where] if asker() == "command" else [flag("--where", list(where))]


def _out(who: str) -> str:
    return "out" if who == "none" else who

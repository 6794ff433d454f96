"""How to read a file the same way again, as a line for the command line and one for Python."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from metrics.asker import Asker, answering, flag, shell
from metrics.data.labels import NUMBER, SCORE_ALONE
from metrics.data.ratings import Ratings
from metrics.data.read_options import ReadOptions
from metrics.data.vocabulary import meaning, normalise
from metrics.readers.names import exact

ROLE = "role:"


def completed(ratings: Ratings) -> ReadOptions:
    """Return what was said about a file, with what was confirmed without being said: guessed columns, doubtful labels."""
    source, how = ratings.source, ratings.source.how
    named = exact(source.columns)
    guessed = {role: name for role, name in ratings.columns if not source.format and name not in named.get(role, ())}
    columns = {**guessed, **dict(how.columns)}
    open_labels = () if how.labels or how.order or how.scale or ratings.scheme.order else _unsure(ratings)
    return replace(how, columns=tuple(columns.items()), labels=(*how.labels, *open_labels))


def of_the_long_form(ratings: Ratings) -> ReadOptions:
    """Return what has to be said of the long form of ratings: what labels mean, their order, the scales."""
    how = completed(ratings)
    return ReadOptions(labels=how.labels, order=ratings.scheme.order, scale=how.scale)


def _unsure(ratings: Ratings) -> list[tuple[str, str]]:
    """Return labels whose meaning is not plain from the word itself."""
    stated = {normalise(label) for label, _ in ratings.source.kinds}
    unsure: list[tuple[str, str]] = []
    for label, kind in ratings.scheme.kinds:
        known = meaning(label)
        plain = known is not None and known.certain and known.kind == kind
        if label not in ("", NUMBER, SCORE_ALONE) and not plain and normalise(label) not in stated and kind != "number":
            unsure.append((label, kind))
    return [] if all(label in ratings.scheme.unused for label, _ in unsure) else unsure


def command_line(files: Sequence[str], how: ReadOptions) -> str:
    """Return the line that reads files and counts agreement.

    Parameters
    ----------
    files : sequence of str
        The file, and those that are read with it.
    how : ReadOptions
    """
    first, *others = map(shell, files)
    beside = [f"--with {other}" for other in others]
    return " ".join(["python -m metrics agreement", first, *beside, *_flags("command", how)])


def python_line(files: Sequence[str], how: ReadOptions) -> str:
    """Return the call that reads files; parameters as in `command_line`."""
    source = json.dumps(files[0] if len(files) == 1 else list(files), ensure_ascii=False)
    return f"metrics.read({', '.join([source, *_flags('python', how)])})"


def _flags(asker: Asker, how: ReadOptions) -> list[str]:
    columns = {role: name for role, name in how.columns if not role.startswith(ROLE)}
    roles = {role.removeprefix(ROLE): _out(who) for role, who in how.columns if role.startswith(ROLE)}
    scale = dict(how.scale)
    values: dict[str, str | Sequence[str] | Mapping[str, str]] = {
        "--columns": columns, "--roles": roles, "--labels": dict(how.labels), "--order": how.order,
        "--scale": scale["all"] if list(scale) == ["all"] else scale, "--criteria": how.criteria, "--repeats": how.repeats,
        "--delimiter": how.delimiter, "--encoding": how.encoding, "--sheet": how.sheet,
    }  # fmt: skip
    switches = {"--skip-bad-rows": how.skip_bad_rows, "--merge-spellings": bool(how.merge_spellings)}
    with answering(asker):
        lines = [flag(option, value) for option, value in values.items() if value]
        return [*lines, *(flag(option) + ("True" if asker == "python" else "") for option, on in switches.items() if on)]


def _out(who: str) -> str:
    return "out" if who == "none" else who

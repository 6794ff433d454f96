"""What must be asked before several files are one, and what to say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from metrics.asker import flag, worded
from metrics.data.join import BY_ROWS, ENOUGH, SHOWN, Match
from metrics.data.ratings import Role
from metrics.readers.columns import WIDE
from metrics.readers.joining_files import FileLayout
from metrics.readers.joining_ids import Matched, first_number
from metrics.readers.messages import brief, refuse
from metrics.readers.names import spaced
from metrics.readers.proposal import MOST_WIDE, Doubt
from metrics.readers.role_doubts import grid_without_roles, guessed_sentence, read_as
from metrics.readers.table import words
from metrics.readers.wide import wide_columns
from metrics.results.words import count, listed

GUESSES = 4
"""Files whose guesses a question names."""
_REASONING = re.compile(r"\b(reasonings?|rationales?)$")


def doubts_of(files: Sequence[FileLayout]) -> tuple[Doubt, ...]:
    doubts = [
        doubt if doubt.sentence == BY_ROWS else replace(doubt, sentence=f"{brief(file.table.name, 40)}: {doubt.sentence}")
        for file in files
        for doubt in file.layout.doubts
    ]  # fmt: skip
    open_files = [file for file in files if file.layout.guessed and (not file.layout.doubts or _is_by_rows_and_more(file))]
    guesses = [f"{', '.join(read_as(file.layout))} in {brief(file.table.name, 40)}" for file in open_files]
    if guesses:
        more = [f"and in {len(guesses) - GUESSES} more files"] if len(guesses) > GUESSES else []
        sentence = guessed_sentence([*guesses[:GUESSES], *more], "; ")
        doubts.append(Doubt(sentence, "columns"))
    return tuple(doubts)


def _is_by_rows_and_more(file: FileLayout) -> bool:
    """Return whether a file whose rows are the items has guesses beside that, of which no other doubt speaks."""
    return file.layout.guessed != ["item"] and all(doubt.sentence == BY_ROWS for doubt in file.layout.doubts)


def answers_of(files: Sequence[FileLayout]) -> tuple[tuple[str, str], ...]:
    """Return what confirms the guesses: for all files at once where the column is that in all of them.

    Of a file that is one rater on several criteria, or several on many, who they are.
    """
    answers: dict[str, str] = {}
    for file in files:
        raters = _raters_on_criteria(file)
        unknown = grid_without_roles(file.layout) if len(raters) > 1 else {}
        for name, who in raters.items():
            answers[f"role:{name}"] = who or unknown.get(name) or _role_beside(files, file)
        for role in file.layout.guessed:
            if raters and role.startswith(WIDE):
                continue
            column = file.layout.columns[role]
            others = [other for other in files if not other.table.format and column in other.table.columns]
            alike = not file.table.format and all(other.layout.columns.get(role) == column for other in others)
            free = answers.get(role, column) == column
            answers[role if alike and free else f"{file.table.name}:{role}"] = column
    return tuple(answers.items())


def _raters_on_criteria(file: FileLayout) -> dict[str, Role | None]:
    """Return the raters of a file with a column for each criterion, all guessed as such, with the roles known; else none."""
    wide = wide_columns(file.layout.columns)
    raters = {column.rater: column.role for column in wide}
    if not all(column.criterion and column.key in file.layout.guessed for column in wide):
        return {}
    return raters if len(raters) == 1 or len(wide) > MOST_WIDE else {}


def _role_beside(files: Sequence[FileLayout], but: FileLayout) -> Role:
    """Return the role to propose for the rater of a file.

    Beside people it is a judge; else what the others lack, or what its own columns, or those of another, suggest; else human for
    the first of them.
    """
    others = [file for file in files if file is not but]
    if any(file.of_people for file in others) or _explains(but):
        return "judge"
    if any(file.of_judges or _explains(file) for file in others):
        return "human"
    return "judge" if files.index(but) else "human"


def _explains(file: FileLayout) -> bool:
    """Return whether nearly every row of a file says how its labels were arrived at, as judges are asked to."""
    table = file.table
    beside = [column for column in table.columns if _REASONING.search(spaced(column))]
    return any(np.count_nonzero(table.coded(column).codes >= 0) >= ENOUGH * table.n_rows for column in beside)


def missing_of(files: Sequence[FileLayout]) -> tuple[str, ...]:
    return tuple(f"{file.table.name}:{role}" for file in files for role in file.layout.missing)


def match_doubts(files: Sequence[FileLayout], exact: Matched, loose: Matched, match: Match) -> tuple[Doubt, ...]:
    """Return the question whether few matching ids are meant so, ids that are written in two ways are one, or count apart."""
    if match or (apart := _counted_apart(files, exact)) or exact.is_enough:
        return () if match else apart
    smallest = exact.smallest
    n, n_exact, n_loose = len(exact.codes[smallest]), exact.n_matched(smallest), loose.n_matched(smallest)
    if loose is exact or n_loose == n_exact:
        return (_few(files[smallest], n, n_exact),) if n_exact else ()
    of_file = f"of the {count(n)} ids of {brief(files[smallest].table.name, 40)}"
    few = f"Only {count(n_exact)} {of_file} are" if n_exact else f"None {of_file} is"
    sentence = (
        f"{few} in another file to the letter, and {count(n_loose)} if {listed(loose.loosened)} may differ "
        f"({_pair(exact, loose, smallest)})."
    )
    ways = flag("--match", "loose"), flag("--match", "exact")
    mend = f" To take those for one: {ways[0]}; to keep them apart: {ways[1]}." if all(ways) else ""
    proposed: Match = "exact" if n_exact else ""
    if loose.is_spelling and (loose.is_enough or not n_exact):
        proposed = "loose"
    return (Doubt(sentence + mend, "match", match=proposed),)


def _few(file: FileLayout, n: int, n_exact: int) -> Doubt:
    """Return the question whether the ids of a file that no other file has are meant to stay alone."""
    mend = worded("", "", " If that is right, compare the ids exactly.")
    name = brief(file.table.name, 40)
    sentence = f"Only {count(n_exact)} of the {count(n)} ids of {name} are in another file.{mend}"
    return Doubt(sentence, "match", match="exact")


def _counted_apart(files: Sequence[FileLayout], exact: Matched) -> tuple[Doubt, ...]:
    """Return the question whether ids that count as many items from 0 in one file and from 1 in another are the same items."""
    starts = [first_number(exact.names.take(pa.array(codes))) for codes in exact.codes]
    sizes = [len(codes) for codes in exact.codes]
    pairs = [(a, b) for a in range(len(files)) for b in range(len(files)) if (starts[a], starts[b], sizes[a]) == (0, 1, sizes[b])]
    if not pairs:
        return ()
    a, b = (brief(files[place].table.name, 40) for place in pairs[0])
    say = worded(
        "If equal numbers are the same item: --match exact.",
        'If equal numbers are the same item: match="exact".',
        "If equal numbers are the same item, compare the ids exactly.",
    )
    sentence = (
        f"{a} numbers its items from 0 and {b} from 1, {count(sizes[pairs[0][0]])} each. If both count the same items, each is "
        f"joined with its neighbour: write the same numbers in both files. {say}"
    )
    return (Doubt(sentence, "match"),)


def _pair(exact: Matched, loose: Matched, file: int) -> str:
    """Return an id of a file and what it is called elsewhere, where only the looser match finds it."""
    more = ~exact.shared[exact.codes[file]] & loose.shared[loose.codes[file]]
    place = int(more.argmax())
    here, wanted = int(exact.codes[file][place]), loose.codes[file][place]
    there = next(
        int(exact.codes[other][(codes == wanted).argmax()])
        for other, codes in enumerate(loose.codes)
        if other != file and (codes == wanted).any()
    )
    return " and ".join(f"‘{brief(exact.names[code].as_py(), 30)}’" for code in (here, there))


def check_shared(files: Sequence[FileLayout], matched: Matched, ids: Sequence[pa.StringArray]) -> None:
    """Refuse a file that shares no item with any other."""
    alone = next((place for place in range(len(files)) if len(files) > 1 and not matched.n_matched(place)), None)
    if alone is None:
        return
    other = next(place for place in range(len(files)) if place != alone)
    sides = [
        f"{brief(files[place].table.name, 40)} has {', '.join(f'‘{brief(name, 30)}’' for name in words(ids[place][:SHOWN]))} "
        f"in ‘{brief(files[place].layout.columns['item'], 30)}’"
        for place in (alone, other)
    ]
    mend = flag("--columns", {f"{files[place].table.name}:item": "COLUMN" for place in (alone, other)})
    refuse(
        f"No item of {brief(files[alone].table.name)} is in {'the other' if len(files) == 2 else 'another'} file: "
        f"{sides[0]}, {sides[1]}. Give both the same ids{f', or name the columns that hold them: {mend}' if mend else ''}."
    )

"""Answers about a file, proposed for the next one of the same shape; they are kept in the session alone."""

from __future__ import annotations

from dataclasses import dataclass

from metrics import InputError
from metrics.readers import Proposal, TextTable
from metrics.readers.answers import Answers, Reuse, answers_for, answers_of, shape_key
from metrics.readers.containers import is_workbook
from pages.shared import session_cache
from pages.shared.data.reading import PLAIN, Files, How
from pages.shared.watch import runs

KEPT, MOST_KEPT = "data.answers", 16


@dataclass(frozen=True)
class Kept:
    """What was answered of a file, and how it was read."""

    answers: Answers
    how: How


def keep(table: TextTable, proposal: Proposal, how: How) -> None:
    """Remember what was answered of a file that opens; the newest answers for its shape count."""
    answers = answers_of(table, proposal)
    forget(table)
    if answers is not None and (answers.any or how != PLAIN):
        session_cache.put(session_cache.held(KEPT), _key(table), Kept(answers, how), MOST_KEPT)


def forget(table: TextTable) -> None:
    """Let go of what was answered of files of this shape."""
    session_cache.held(KEPT).pop(_key(table), None)


def forget_file(name: str) -> None:
    """Let go of what was answered of a file, where no later one of its shape was answered."""
    kept: dict[str, Kept] = session_cache.held(KEPT)
    for key in [key for key, own in kept.items() if own.answers.name == name]:
        del kept[key]


def opened(files: Files, how: How) -> tuple[TextTable, How]:
    """Return the table of files, and how they were read: if nobody says how, as another file of the same shape had to be.

    Raises
    ------
    InputError
        For files that cannot be read that way, and in no way in which such a file was read.
    """
    try:
        table = runs.opened(files, **vars(how))
    except InputError:
        others = _as_others(files, None) if how == PLAIN else None
        if others is None:
            raise
        return others
    return (_as_others(files, table) if how == PLAIN else None) or (table, how)


def proposed(table: TextTable) -> tuple[str, Reuse] | None:
    """Return a file of the same shape, and what was answered of it as far as it fits; None where there is no such file."""
    kept: Kept | None = session_cache.held(KEPT).get(_key(table))
    return None if kept is None else (kept.answers.name, answers_for(table, kept.answers))


def _as_others(files: Files, table: TextTable | None) -> tuple[TextTable, How] | None:
    """Return files read as one of the same shape was; None where none had to be read in a way of its own, or it does not fit."""
    kept: dict[str, Kept] = session_cache.held(KEPT)
    known = {} if table is None else {key: own for key, own in kept.items() if key == _key(table)}
    for key, other in reversed((known or kept).items()):
        if other.how == PLAIN or not _has_such_sheets(files, other.how):
            continue
        try:
            again = runs.opened(files, **vars(other.how))
        except InputError:
            continue
        if _key(again) == key:
            return again, other.how
    return None


def _has_such_sheets(files: Files, how: How) -> bool:
    """Return whether files are workbooks wherever sheets were chosen."""
    if not how.sheets:
        return True
    return len(files) == len(how.sheets) and all(is_workbook(file[1]) for file, own in zip(files, how.sheets, strict=True) if own)


def _key(table: TextTable) -> str:
    return repr(shape_key(table))

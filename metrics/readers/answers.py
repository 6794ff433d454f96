"""What was answered of a file, for another file of the same shape: used where it fits, and never where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from metrics.data.labels import EMPTY_CELL, SCORE_ALONE
from metrics.data.read_options import DEFAULT, ReadOptions, Repeats
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.readers.joining import joined
from metrics.readers.joining_columns import addressed
from metrics.readers.merging import groups_of, merged_spellings
from metrics.readers.proposal import Proposal
from metrics.readers.proposing import propose
from metrics.readers.rater_roles import role_of_value
from metrics.readers.repeats import check_repeats
from metrics.readers.table import TextTable
from metrics.results.words import shorten

Columns = tuple[str, ...]
"""The export that a file is, if it is one of a known tool, and its columns in their order."""
ROLE, EVERYBODY = "role:", "role:*"


@dataclass(frozen=True)
class Answers:
    """What was stated or confirmed of a file.

    Attributes
    ----------
    name : str
        Of the file.
    how : ReadOptions
        Without the columns of single files; roles name everybody.
    of_files : mapping of Columns to mapping of role to column
        The columns of single files, where several were joined.
    proposal : Proposal
        What the file was taken for.
    alike : frozenset of tuple of str
        Names that are alike.
    """

    name: str
    how: ReadOptions
    of_files: Mapping[Columns, Mapping[str, str]]
    proposal: Proposal
    alike: frozenset[tuple[str, ...]]

    @property
    def any(self) -> bool:
        """Whether anything was stated or confirmed."""
        return self.how != DEFAULT or any(self.of_files.values())


@dataclass(frozen=True)
class Reuse:
    """Answers as far as they fit another file.

    Attributes
    ----------
    how : ReadOptions
    used : bool
        Whether the file is taken for something else with them than without, or has fewer questions.
    why : str
        Why answers are not used: "the label ‘maybe’ is new"; empty where all are.
    """

    how: ReadOptions
    used: bool
    why: str = ""


def shape_key(table: TextTable) -> tuple[Columns, ...]:
    """Return what tables have in common that the same answers may fit: the columns, of each file where several are joined."""
    return tuple(sorted(_columns(part) for part in table.parts or (table,)))


def answers_of(table: TextTable, proposal: Proposal) -> Answers | None:
    """Return what was answered of a table; None where files of the same columns were answered differently.

    Parameters
    ----------
    table : TextTable
    proposal : Proposal
        As it was confirmed, with the doubts that were settled by it.
    """
    how = _settled(table, proposal)
    of_files: dict[Columns, dict[str, str]] = {_columns(part): {} for part in table.parts}
    common = {}
    for key, column in how.columns:
        place, role = addressed(key, table.parts)
        if place is None:
            common[key] = column
        else:
            of_files[_columns(table.parts[place])][role] = column
    told = Answers(
        table.name, replace(how, columns=tuple(common.items())), of_files, replace(proposal, doubts=()), _alike(table, proposal)
    )
    return told if set(_for_files(told, table)) == set(how.columns) else None


def answers_for(table: TextTable, before: Answers) -> Reuse:
    """Return the answers as far as they fit a table of the same shape.

    None fits where a column would be taken for something else. Those about labels, their order and scales fit if every label
    and criterion was there before, and means the same. The role of somebody who was not there is left open.

    Parameters
    ----------
    table : TextTable
    before : Answers
    """
    stated = dict(_for_files(before, table))
    unfit = Reuse(table.how, False, "its columns may mean something else")
    of_columns = {key: column for key, column in stated.items() if not key.startswith(ROLE)}
    how = replace(before.how, columns=tuple(of_columns.items()), labels=(), order=(), scale=(), match="", merge_spellings="")
    first = _proposed(table, how)
    if first is None:
        return unfit
    if before.how.merge_spellings and (alike := _alike(table, first)) and alike <= before.alike:
        how = replace(how, merge_spellings=before.how.merge_spellings)
    names = _names(table, replace(first, how=how))
    roles = {key: who for key, who in stated.items() if key.startswith(ROLE) and (names is None or key[len(ROLE) :] in names)}
    how = replace(how, columns=(*how.columns, *roles.items()))
    known = _proposed(table, how)
    if known is None or (known.shape, dict(known.columns)) != (before.proposal.shape, dict(before.proposal.columns)):
        return unfit
    if not (before.how.labels or before.how.order or before.how.scale):
        return Reuse(how, _differs(table, known))
    scale = tuple((criterion, scale) for criterion, scale in before.how.scale if criterion in (*known.criteria, "all"))
    whole = replace(how, labels=before.how.labels, order=before.how.order, scale=scale)
    meant = _proposed(table, whole)
    why = _why_not(known if meant is None else meant, before) or ("" if meant is not None else "its labels differ")
    return Reuse(whole, _differs(table, meant)) if meant is not None and not why else Reuse(how, _differs(table, known), why)


def _columns(table: TextTable) -> Columns:
    return (table.format, *table.columns)


def _settled(table: TextTable, proposal: Proposal) -> ReadOptions:
    """Return what was said about a table, with what was confirmed as it was proposed."""
    how, scale = proposal.how, proposal.scale_answer
    scales = dict.fromkeys(proposal.criteria, scale) if isinstance(scale, str) else scale
    columns = dict(how.columns) | proposal.columns_answer
    everybody = columns.pop(EVERYBODY, None)
    if everybody is not None:
        columns = _of_each(table, proposal, everybody) | columns
    return replace(
        how,
        columns=tuple(columns.items()),
        labels=tuple((dict(how.labels) | proposal.labels_answer).items()),
        order=how.order or proposal.order_answer,
        scale=tuple((dict(how.scale) | scales).items()),
    )


def _of_each(table: TextTable, proposal: Proposal, everybody: str) -> dict[str, str]:
    """Return the role of all others, said of each of them by name: somebody who is not here was not meant."""
    names = _names(table, proposal)
    if names is None:
        return {}
    by_word = "role" in dict(proposal.columns)
    wanted = [name for name, is_word in names.items() if is_word == by_word]
    return {f"{ROLE}{name}": everybody for name in wanted if not by_word or role_of_value(name, {}) is None}


def _names(table: TextTable, proposal: Proposal) -> dict[str, bool] | None:
    """Return raters, and words for roles, of a table of raters, with whether they are such words; None of any other table."""
    if proposal.shape != "raters":
        return None
    table = joined(table, dict(proposal.how.columns), proposal.how.match).table
    columns = dict(proposal.columns)
    if proposal.how.merge_spellings:
        table = merged_spellings(table, columns)
    return {name: role == "role" for role in ("rater", "role") if role in columns for name in table.coded(columns[role]).names}


def _alike(table: TextTable, proposal: Proposal) -> frozenset[tuple[str, ...]]:
    table = joined(table, dict(proposal.how.columns), proposal.how.match).table
    return frozenset(tuple(sorted(group)) for groups in groups_of(table, dict(proposal.columns)).values() for group in groups)


def _for_files(answers: Answers, table: TextTable) -> tuple[tuple[str, str], ...]:
    """Return the columns that were stated, those of single files under the names of the files of a table."""
    of_files = [
        (f"{part.name}:{role}", column)
        for part in table.parts
        for role, column in answers.of_files.get(_columns(part), {}).items()
    ]  # fmt: skip
    return (*answers.how.columns, *of_files)


def _proposed(table: TextTable, how: ReadOptions) -> Proposal | None:
    """Return what a table is taken for; None where nothing can be proposed, or a column is still missing."""
    columns, labels, scale = (dict(pairs) or None for pairs in (how.columns, how.labels, how.scale))
    repeats: Repeats = check_repeats(how.repeats or "refuse")
    try:
        found = propose(table, columns, labels, how.order or None, scale, repeats, bool(how.merge_spellings), how.match)
    except InputError:
        return None
    return None if found.missing else found


def _why_not(proposal: Proposal, before: Answers) -> str:
    """Return what is new of criteria and labels, or means something else than before; empty where nothing is."""
    for criterion in proposal.criteria:
        if criterion not in before.proposal.criteria:
            return f"the criterion ‘{shorten(criterion)}’ is new"
    stated = [*((label, "class") for label in before.how.order), *before.how.labels]
    meant: dict[str, str] = {normalise(label): kind for label, kind in stated}
    meant |= {normalise(row.label): row.kind for row in before.proposal.labels}
    for row in proposal.labels:
        kind = meant.get(normalise(row.label))
        if kind is None and not (row.label in ("", SCORE_ALONE) and row.kind == "missing" and not row.in_doubt):
            return f"the label ‘{shorten(row.label or EMPTY_CELL)}’ is new"
        if kind not in (None, row.kind):
            return f"the label ‘{shorten(row.label or EMPTY_CELL)}’ may mean something else"
    return ""


def _differs(table: TextTable, proposal: Proposal) -> bool:
    """Return whether a table is taken for something else than without any answer, or has other questions."""
    fresh = _proposed(table, DEFAULT)
    return fresh is None or _taken(fresh) != _taken(proposal)


def _taken(proposal: Proposal) -> tuple[Any, ...]:
    kinds = {row.label: (row.kind, row.in_doubt) for row in proposal.labels}
    columns, scales, how = dict(proposal.columns), dict(proposal.scales), proposal.how
    return (
        proposal.shape, columns, proposal.roles, kinds, proposal.order, scales, proposal.doubts, how.repeats, how.merge_spellings,
    )  # fmt: skip

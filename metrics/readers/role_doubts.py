"""Whose role is stated, whose is plain, and whose must be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.asker import answer, worded
from metrics.data.ratings import Role
from metrics.readers.columns import WIDE, Layout
from metrics.readers.messages import before_the_name, brief, listed
from metrics.readers.proposal import MOST_WIDE, Doubt
from metrics.readers.rater_roles import KINDS, ON, are_initials, guess_role, rater_roles, role_of_wide, roles_of_rows
from metrics.readers.table import Coded, TextTable
from metrics.readers.unlikely import agreed
from metrics.readers.wide import wide_columns
from metrics.results import words

MOST_GUESSES = 5
"""Guessed columns that a question names."""
ROLE_WORDS = {"human": "the human’s verdict", "verdict": "the judge’s verdict", "item": "the item", "criterion": "the criterion",
              "judge": "the judge", "rater": "the rater", "label": "the verdict"}  # fmt: skip
Roles = tuple[tuple[str, str | None], ...]


def give_roles(layout: Layout, roles: Mapping[str, str], *, leave_out: bool = True) -> None:
    """Put the columns of labels under the roles that are stated of their raters, and take out those that have none.

    A column whose rater has a stated role is no guess, once that is said of all.

    Parameters
    ----------
    layout : Layout
    roles : mapping of name to role
    leave_out : bool
        Whether those that have none are taken out here, and not once the table has a row for each rating.
    """
    new_keys: dict[str, str | None] = {}
    for wide in wide_columns(layout.columns):
        role = role_of_wide(wide.rater, wide.column, wide.criterion, roles)
        if role is not None:
            known = replace(wide, role="judge" if role == "judge" else "human")
            new_keys[wide.key] = known.key if role != "none" else None if leave_out else wide.key
    layout.columns = {key: layout.columns[old] for old in layout.columns if (key := new_keys.get(old, old)) is not None}
    open_keys = any(key.startswith(WIDE) and key not in new_keys for key in layout.guessed)
    guessed = [new_keys.get(key, key) for key in layout.guessed if open_keys or key not in new_keys]
    layout.guessed = [key for key in guessed if key is not None]


def grid_without_roles(layout: Layout) -> dict[str, str]:
    """Return the raters of whom no role is known, where many columns are guessed to be those of raters on criteria, and the role
    to propose for each; none for any other columns.
    """
    wide = wide_columns(layout.columns)
    if len(wide) <= MOST_WIDE or not all(column.criterion and column.key in layout.guessed for column in wide):
        return {}
    roles = {column.rater: column.role for column in wide}
    return proposed_roles([name for name, role in roles.items() if role is None], set(filter(None, roles.values())))


def everybody(table: TextTable, layout: Layout) -> tuple[str, ...]:
    """Return everybody whose role can be stated: raters, and words of a role column."""
    if layout.shape == "wide":
        wide = wide_columns(layout.columns)
        return tuple(dict.fromkeys([*(column.rater for column in wide), *(column.column for column in wide)]))
    roles = ("judge", "rater", "role") if layout.shape == "pairs" else ("rater", "role")
    names = [name for role in roles if role in layout.columns for name in table.coded(layout.columns[role]).names]
    return tuple(dict.fromkeys(names))


def read_as(layout: Layout) -> list[str]:
    """Return what guessed columns are taken for, as parts of a sentence; the criteria of one rater are one part."""
    wide = [column for column in wide_columns(layout.columns) if column.criterion and column.key in layout.guessed]
    of_raters: dict[str, list[str]] = {}
    for column in wide:
        name = f" ‘{brief(column.rater, 30)}’"
        who = f"the {column.role}{'' if column.rater == column.role else name}" if column.role else f"{name[1:]}, human or judge,"
        of_raters.setdefault(who, []).append(f"‘{brief(column.criterion, 30)}’")
    keys = {column.key for column in wide}
    others = [role for role in layout.guessed if role not in keys]
    parts = [f"{_role_word(role)} is ‘{brief(layout.columns[role], 30)}’" for role in others[:MOST_GUESSES]]
    if len(others) > MOST_GUESSES:
        parts[-1] += f" and {len(others) - MOST_GUESSES} more"
    for who, names in of_raters.items():
        several = len(names) > 1
        parts.append(
            f"the {'criteria' if several else 'criterion'} of {who} {'are' if several else 'is'} {words.listed(names, 4)}"
        )
    return parts


def _role_word(role: str) -> str:
    """Return a role as an option names it; for a page, which names none, in words."""
    who, of_wide, name = role.partition(":")
    in_words = f"the {who} {brief(name, 30)}" if of_wide and who != "rater" else ROLE_WORDS.get(role, role)
    return worded(role, role, in_words)


def guessed_sentence(parts: Sequence[str], between: str = ", ") -> str:
    """Return the question whether guessed columns are what they are read as, from the parts of `read_as`."""
    guesses = between.join(parts)
    said = f"What the columns hold is guessed. Read as: {guesses}."
    return worded(said, said, f"Is this right? {words.capital(guesses)}.")


def roles_and_doubts(table: TextTable, layout: Layout) -> tuple[Roles, tuple[Doubt, ...]]:
    """Return roles of raters, and who must still be told apart."""
    if layout.shape == "wide":
        roles, doubts = _wide_roles(layout)
    elif layout.shape != "raters":
        return tuple(layout.roles.items()), ()
    else:
        roles, doubts = _valued_roles(table, layout) if "role" in layout.columns else _named_roles(table, layout)
    return roles, doubts or _one_sided(table, layout, roles)


def _named_roles(table: TextTable, layout: Layout) -> tuple[Roles, tuple[Doubt, ...]]:
    coded = table.coded(layout.columns["rater"])
    on_criteria = [(name, role) for name, role in layout.roles.items() if ON in name and name not in coded.names]
    stated = (*zip(coded.names, rater_roles(coded.names, layout.roles), strict=True), *on_criteria)
    unknown = _unknown(coded, roles_of_rows(table, layout.columns, layout.roles))
    if not unknown:
        return stated, ()
    return stated, (Doubt(nobody_says(unknown), "roles", blocking=False),)


def proposed_roles(names: Sequence[str], there: Set[str]) -> dict[str, str]:
    """Return the role to propose for each name: what it suggests, else judge beside others that are people, else what is missing
    where only people are known.

    What several people agreed on is left out beside them.

    Parameters
    ----------
    names : sequence of str
    there : set of str
        Roles that others have.
    """
    guessed = {name: guess_role(name) for name in names}
    guessed |= {name: None for name in names if are_initials(name, names, guessed)}
    known = {*there, *guessed.values()}
    other: Role = "judge" if "human" in there or ("human" in known and "judge" not in known) else "human"
    left_out = agreed([name for name, role in guessed.items() if role != "judge"])
    return {name: "out" if name in left_out else role or other for name, role in guessed.items()}


def nobody_says(names: Sequence[str], *, a_judge: bool = False) -> str:
    """Return that the role of these raters is not known, with what can be said of them.

    Parameters
    ----------
    names : sequence of str
    a_judge : bool
        Whether a judge must be among them: where no name suggests one, the last stands for an example.
    """
    roles = proposed_roles(names, set())
    example = a_judge and len(names) > 1 and "judge" not in roles.values()
    option = answer("--roles", roles | {names[-1]: "judge"} if example else roles, 300)
    otherwise = ", or the other way round" if example else ""
    return (
        f"No column says whether {listed(names, 4)} {'is' if len(names) == 1 else 'are'} human or judge. "
        f"Add a column ‘role’, or say it {f'of each: {option}{otherwise}' if option else 'on the Data page.'}"
    )


def _valued_roles(table: TextTable, layout: Layout) -> tuple[Roles, tuple[Doubt, ...]]:
    coded = table.coded(layout.columns["role"])
    stated: Roles = tuple(layout.roles.items())
    kinds = roles_of_rows(table, layout.columns, layout.roles)
    unknown = _unknown(coded, kinds)
    if not unknown:
        return stated, ()
    stated = (*stated, *((name, None) for name in unknown))
    there = {KINDS[kind] for kind in np.unique(kinds) if kind >= 0}
    roles = tuple(proposed_roles(unknown, there if table.join is not None else set()).items())
    if table.join is not None:
        sentence = f"No file says whether {listed(unknown, 4)} {'is' if len(unknown) == 1 else 'are'} human or judge."
        return stated, (Doubt(sentence, "roles", column=layout.columns["role"], roles=roles),)
    first = int(((coded.codes == coded.names.index(unknown[0])) & (kinds < 0)).argmax())
    row = None if table.merged is not None else table.number(first)
    where = f"in {'' if row is None else f'row {row}, '}column ‘{brief(layout.columns['role'])}’"
    sentence = f"‘{brief(unknown[0])}’ {where}, is neither human nor judge. Say which."
    return stated, (Doubt(sentence, "roles", row=row, column=layout.columns["role"], roles=roles),)


def _wide_roles(layout: Layout) -> tuple[Roles, tuple[Doubt, ...]]:
    raters = {wide.rater: wide.role for wide in wide_columns(layout.columns)}
    unknown = [name for name, role in raters.items() if role is None]
    if not unknown:
        return tuple(raters.items()), ()
    who = f"{listed(unknown, 4)} {'is' if len(unknown) == 1 else 'are'}"
    sentence = f"Nobody said whether {who} human or judge.{before_the_name()}"
    return tuple(raters.items()), (Doubt(sentence, "roles", blocking=False),)


def _unknown(coded: Coded, kinds: NDArray[np.int8]) -> list[str]:
    """Return names of rows whose role nobody says."""
    codes = np.unique(coded.codes[kinds < 0])
    return [coded.names[code] for code in codes if code >= 0]


def _one_sided(table: TextTable, layout: Layout, roles: Roles) -> tuple[Doubt, ...]:
    """Return the doubt of a file of one role: its raters can be compared with each other, but no judge with a human."""
    if layout.shape == "wide":
        present_roles = {role for _, role in roles}
    else:
        kinds = np.unique(roles_of_rows(table, layout.columns, layout.roles))
        present_roles = {KINDS[kind] for kind in kinds if kind >= 0}
    present_roles &= {"human", "judge"}
    if len(present_roles) != 1:
        return ()
    other = "judge" if present_roles == {"human"} else "human"
    return (
        Doubt(f"Every rater is a {present_roles.pop()}. Agreement needs a {other} on the same items.", "roles", blocking=False),
    )

"""Guesses for columns nobody named; every guess is a doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from metrics.asker import flag
from metrics.data.vocabulary import meaning, normalise
from metrics.readers.columns import CheckedColumns, Layout, choose_words, exact_names, free_columns, named_layout, shape_of
from metrics.readers.counting import axis_of_rows, looks_like_counts, looks_like_grid
from metrics.readers.crossing import repeats
from metrics.readers.formats import registry
from metrics.readers.guessing_columns import labels_in_columns
from metrics.readers.guessing_pairs import complete_pairs
from metrics.readers.label_columns import (
    MOST_SHARED,
    is_label,
)
from metrics.readers.measuring import numbers_of
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.names import (
    CRITERION,
    EACH_ROW,
    GIVEN_BY,
    ITEM,
    JUDGE,
    LABEL,
    PERSON,
    RATER,
    ROLE,
    fold_name,
    spaced,
)
from metrics.readers.outputs import tell_outputs_apart
from metrics.readers.rater_roles import HUMAN_VALUES, JUDGE_VALUES, called_after
from metrics.readers.table import TextTable
from metrics.readers.unlikely import (
    FORM,
    is_constant,
    is_nested,
    is_numeric,
    is_unique,
)
from metrics.readers.unnamed_columns import complete_item, doubt_side_by_side, guess_by, guess_criterion, names_raters
from metrics.readers.wide import wide_columns

UNREAD = "{} {} labels too, and {} not read beside those that have the names of roles."
AS_ROWS = " Add it as rows, or join it as a file of its own."
MOST_ROLES = 1000
"""Spellings of roles in a column that may say who is a judge."""


def layout_of(table: TextTable, stated: CheckedColumns) -> Layout:
    """Return which column is what, as stated, named exactly, or guessed."""
    named = exact_names(table)
    shape = shape_of(stated, named, table.columns)
    if shape is None:
        layout = guess_layout(table, stated, named)
    else:
        layout = named_layout(table, shape, stated, named)
        complete(table, layout)
        if "item" in layout.guessed and shape == "pairs":
            guess_criterion(table, layout, stated)
        asked = bool(stated.columns or table.format or layout.missing) or table.join is not None
        if not asked and (others := other_raters(table, named)):
            layout.notes.append(_unread(layout, others))
    if layout.missing and (raters := _columns_of_raters(table, stated)):
        return layout_of(table, replace(stated, columns=stated.columns | raters))
    if not layout.missing:
        tell_outputs_apart(table, layout, stated)
        doubt_side_by_side(table, layout, stated)
    return layout


def _unread(layout: Layout, others: Sequence[str]) -> str:
    """Return which further raters are not read, and how they are: each by its column, where an item has one row."""
    verbs = ("holds", "is") if len(others) == 1 else ("hold", "are")
    said = UNREAD.format(listed((f"‘{brief(column, 30)}’" for column in others), 4), *verbs)
    if layout.shape != "pairs" or "judge" in layout.columns:
        return said + AS_ROWS
    sides = {"human": layout.columns.get("human"), "judge": layout.columns.get("verdict")}
    raters = {f"{role}:{column}": column for role, column in sides.items() if column}
    raters |= {f"{called_after(column) or 'rater'}:{column}": column for column in others}
    how = flag("--columns", raters, "choose ‘one item, with a column for each rater’")
    return f"{said} To read every rater: {how}."


def other_raters(table: TextTable, named: Mapping[str, Sequence[str]]) -> list[str]:
    """Return columns that are called after one more rater and nothing else, and hold labels of the column that has its name.

    Parameters
    ----------
    table : TextTable
    named : mapping of role to sequence of str
        Columns that carry the name of the role.
    """
    labels = next(named[role][0] for role in ("human", "label", "verdict") if role in named)
    taken = {column for columns in named.values() for column in columns}
    said = set(map(normalise, table.coded(labels).names))
    free = [
        column for column in table.columns if column not in taken and called_after(column) and not FORM.search(spaced(column))
    ]
    free = [column for column in free if 0 < len(table.raw(column)[1]) <= MOST_SHARED + 1]
    return [column for column in free if set(map(normalise, table.coded(column).names)) & said]


def _columns_of_raters(table: TextTable, stated: CheckedColumns) -> dict[str, str]:
    """Return the columns that a role is stated for as a rater's own: nothing tells that numbers under a name are ratings."""
    raters = {name: role for name, role in stated.roles.items() if role in ("human", "judge") and name in table.columns}
    return {f"{role}:{name}": name for name, role in raters.items() if name not in stated.columns.values()}


def guess_layout(table: TextTable, stated: CheckedColumns, named: Mapping[str, list[str]]) -> Layout:
    """Return the shape that fits best, its roles in doubt.

    Parameters
    ----------
    table : Table
    stated : CheckedColumns
    named : mapping of role to list of str
        Columns that carry the name of the role.

    Raises
    ------
    InputError
        For a table that a known tool writes and that holds no decision, and for counts of raters per item.
    """
    if not stated.columns:
        form = registry.of_table(table)
        if form is not None and not form.usable:
            form.refuse(table.name)
    if not stated.columns and looks_like_grid(table):
        return _grid(table)
    counted = None if stated.columns else looks_like_counts(table)
    if counted is not None:
        return _counts(counted)
    _refuse_distribution(table)
    if is_long(table, stated, named):
        return _raters(table, stated, named)
    layout = labels_in_columns(table, stated, named)
    complete(table, layout)
    if layout.shape == "pairs":
        _guess_person(table, layout, stated)
    if all(column.criterion is None for column in wide_columns(layout.columns)):
        guess_criterion(table, layout, stated)
    return layout


def _refuse_distribution(table: TextTable) -> None:
    """Refuse counts of raters per item and label: who said what is lost."""
    heads = [column for column in table.columns if meaning(column) is not None]
    if len(heads) < 2 or len(heads) < len(table.columns) - 1 or not all(is_numeric(table, column) for column in heads):
        return
    coded = [table.coded(column) for column in heads]
    sums = np.unique(np.sum([np.append(numbers_of(coded.names), 0)[coded.codes] for coded in coded], axis=0))
    if 0 < len(sums) <= 2 and sums.max() > 1:
        refuse(
            f"{brief(table.name)} counts raters per item ({listed(heads)}): who is human and who is a judge is lost. "
            "Send one row per rating, or one column per rater."
        )


def _grid(table: TextTable) -> Layout:
    role, sure = axis_of_rows(table)
    layout = Layout("counts", {})
    if sure and role is not None:
        layout.columns["rows"] = role
        return layout
    layout.guess("rows", role or "human")
    layout.doubt("The table of counts does not say whether its rows are the human or the judge. Say which.")
    return layout


def _counts(columns: tuple[str, str, str]) -> Layout:
    a, b, n = columns
    if JUDGE.search(spaced(a)) and not JUDGE.search(spaced(b)):
        a, b = b, a
    layout = Layout("counts", {})
    for role, column in (("human", a), ("judge", b), ("n", n)):
        if fold_name(column) == role:
            layout.columns[role] = column
        else:
            layout.guess(role, column)
    return layout


def complete(table: TextTable, layout: Layout) -> None:
    """Fill the roles a shape needs and nobody named.

    Parameters
    ----------
    table : Table
    layout : Layout
        Takes the guesses, and what is missing.
    """
    if layout.shape == "pairs":
        complete_pairs(table, layout)
    elif layout.shape == "raters" and "rater" not in layout.columns:
        guess_by(table, layout, "rater", RATER)
        _guess_giver(table, layout)
    if layout.shape == "raters" and "label" not in layout.columns:
        guess_by(table, layout, "label", LABEL)
        if "label" not in layout.columns and "score" in layout.columns:
            layout.guess("label", layout.columns.pop("score"))
        if "label" not in layout.columns:
            layout.lack("label", f"No column holds the label. {choose_words(table, 'label')}")
    if layout.shape == "raters" and "rater" not in layout.columns:
        layout.lack("rater", f"No column says who gave the label. {choose_words(table, 'rater')}")
    if layout.shape == "counts" and "rows" not in layout.columns:
        for role in ("human", "judge", "n"):
            if role not in layout.columns:
                what = "the count" if role == "n" else f"the labels of the {role}"
                layout.lack(role, f"No column holds {what}. {choose_words(table, role)}")
    if layout.shape != "counts":
        complete_item(table, layout)


def _guess_giver(table: TextTable, layout: Layout) -> None:
    """Guess the column that says who gave all labels, where no other names raters."""
    givers = [c for c in free_columns(table, layout) if GIVEN_BY.search(spaced(c)) and len(table.coded(c).names) == 1]
    if "rater" not in layout.columns and givers:
        layout.guess("rater", givers[0])


def is_long(table: TextTable, stated: CheckedColumns, named: Mapping[str, list[str]]) -> bool:
    """Return whether ids repeat, a column names raters or roles, and one column holds labels.

    A column that names one rater alone does where a criterion and a label beside it are called so.
    """
    if "rater" in stated.columns or "role" in stated.columns:
        return True
    roles = {c for c in table.columns if ROLE.search(spaced(c)) and not is_label(table, c) and _holds_roles(table, c)}
    people = [c for c in table.columns if names_raters(table, c) or c in roles]
    fewest = 1 if {"criterion", "label"} <= named.keys() else 2
    people = [c for c in people if not is_nested(table, c) and len(table.coded(c).names) >= fewest]
    free = [c for c in table.columns if c not in people and not is_constant(table, c)]
    labels = [c for c in free if LABEL.search(spaced(c)) and len(table.coded(c).names) <= 50]
    labels = named.get("label", labels) if "criterion" in named else labels
    given = [*named.get("label", []), *named.get("verdict", [])]
    if len(given) == 1 and "human" not in named and any(PERSON.search(spaced(column)) for column in people):
        labels = given
    if not labels and ("rater" in named or any(PERSON.search(spaced(column)) for column in people)):
        labels = named.get("score", [])
    ids = [c for c in table.columns if (c in named.get("item", []) or ITEM.search(spaced(c))) and c not in people]
    return bool(people) and len(labels) == 1 and any(not is_unique(table, column) for column in ids or table.columns[:1])


def _holds_roles(table: TextTable, column: str) -> bool:
    names = table.coded(column).names
    words = {spaced(name) for name in names[:MOST_ROLES]}
    return bool(words) and len(names) <= MOST_ROLES and words <= HUMAN_VALUES | JUDGE_VALUES | {"code"}


def _raters(table: TextTable, stated: CheckedColumns, named: Mapping[str, list[str]]) -> Layout:
    layout = named_layout(table, "raters", stated, named)
    if "role" not in layout.columns and "role" not in stated.none:
        hit = next((c for c in free_columns(table, layout) if ROLE.search(spaced(c)) and _holds_roles(table, c)), None)
        if hit is not None:
            layout.guess("role", hit)
    for role, pattern in (("rater", RATER), ("label", LABEL), ("criterion", CRITERION)):
        if role not in layout.columns and role not in stated.none:
            guess_by(table, layout, role, pattern)
    complete(table, layout)
    return layout


def _guess_person(table: TextTable, layout: Layout, stated: CheckedColumns) -> None:
    """Guess the column that names the people, where items repeat and one is called so: it is no criterion."""
    keys = [layout.columns[role] for role in ("item", "criterion", "judge") if role in layout.columns]
    known = "rater" in layout.columns or "rater" in stated.none or "item" not in layout.columns or EACH_ROW in keys
    if not known and repeats(table, keys):
        guess_by(table, layout, "rater", PERSON)

"""Guesses for a table with a column for each rater, or for each rater on each criterion, or for a human and a judge."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.asker import worded
from metrics.data.answer_orders import other_orders, single_orders
from metrics.data.labels import NOT_READ
from metrics.data.ratings import Role
from metrics.data.vocabulary import meaning, normalise
from metrics.readers.columns import CheckedColumns, Layout, named_layout
from metrics.readers.derived import is_majority, outcomes_of_scores, totals
from metrics.readers.guessing_pairs import named_sides, predicted_sides
from metrics.readers.label_columns import (
    MOST_SHARED,
    are_grades,
    are_parts,
    are_questions,
    first_question,
    label_columns,
    labels_of_another_question,
    of_both_on_criteria,
)
from metrics.readers.messages import before_the_name, brief, listed
from metrics.readers.names import (
    AGREES,
    CODE,
    GIVEN,
    MATCHES,
    fold_name,
    spaced,
)
from metrics.readers.one_rater import are_asked, are_called_like_criteria, of_one_rater, with_asked
from metrics.readers.rater_roles import (
    are_initials,
    guess_role,
    may_be_person,
    role_of_column,
    role_of_name,
    role_of_wide,
    says_verdict,
)
from metrics.readers.raters_as_rows import constant_labels, note_of_constants
from metrics.readers.role_doubts import grid_without_roles
from metrics.readers.table import TextTable
from metrics.readers.unlikely import (
    AGREED,
    agreed,
    beside_sides,
    is_numeric,
    recoded,
)
from metrics.readers.wide import WideColumn
from metrics.readers.wide_names import crossings, split_names

SWAPPED = "‘{}’ is what ‘{}’ says with the answers in the other order, by its name, and no further judge."
ORDERS = "What one judge says of the answers in either order, by the names, is not read beside its verdict: {}."
MOST_ANSWERS = 3
"""Answers to which of two is better: either one, and a tie."""
_REFERENCE = re.compile(rf"(humans?|gold|golden|reference|ground ?truth|truth|expected)( ({GIVEN}|preference|winner))?")
"""What the only labels are called that others are held against."""
FEWEST_OF_GRID = 3
"""Columns of labels that one more makes two raters on two criteria."""


def labels_in_columns(table: TextTable, stated: CheckedColumns, named: Mapping[str, list[str]]) -> Layout:
    """Return the layout of a table that has a column for each rater, or for each on each criterion, or for a human and a judge.

    Parameters
    ----------
    table : TextTable
    stated : CheckedColumns
    named : mapping of role to list of str
        Columns that carry the name of the role.
    """
    no_labels = ("item", "score", "human_score", "timestamp", "prompt", "run", "weight", "confidence")
    taken = {*stated.columns.values(), *(column for role in no_labels for column in named.get(role, []))}
    labels = [column for column in label_columns(table) if column not in taken]
    labels, notes = _somebodys(table, [column for column in labels if not _names_judges(table, column, labels)])
    if named_sides(table, labels, [column for column in table.columns if column not in taken]):
        labels = []
    every = _as_grid(table, labels, taken)
    labels, split = _raters_of(table, every, stated, taken)
    if predicted := _predicted(table, split, [column for column in table.columns if column not in taken], stated):
        labels, split = [column.column for column in predicted], predicted
    elif flags := _beside_criteria(table, split):
        labels, split = _raters_of(table, [column for column in every if column not in flags], stated, taken)
    if len(split) > 1 and all(says_verdict(one.column) for one in split):
        split = [replace(one, role=None) for one in split]
    notes += _unread(table, {*(one.column for one in split), *taken}, every)
    if _are_of_one(split) and not stated.other_files:
        read = {*(one.column for one in split), *taken}
        notes += note_of_constants([column for column in constant_labels(table, labels) if column not in read])
    derived, by_code = [*_majorities(table, split), *_totals(table, split)], _by_code(split, joined=bool(stated.other_files))
    split = [one for one in split if one.column not in (*derived, *by_code)]
    labels = [column for column in labels if column not in by_code]
    notes += [f"‘{brief(one, 30)}’ is worked out from the others, and is not read as one more of them." for one in derived]
    notes += [f"‘{brief(one, 30)}’ is worked out by a program, and is nobody’s label." for one in by_code]
    people = [wide.rater if wide.criterion else wide.column for wide in split if wide.role != "judge"]
    notes += [AGREED.format(brief(name, 30)) for name in agreed(list(dict.fromkeys(people)))]
    split = [replace(column, role=_stated_role(column, stated) or column.role) for column in split]
    raters = {one.column: one.role for one in split}
    initials = [] if stated.roles else [name for name in raters if are_initials(name, table.columns, raters)]
    split = [replace(one, role=None) if one.column in initials else one for one in split]
    named_here = any(_stated_role(column, stated) for column in split)
    outcomes = [] if named_here else outcomes_of_scores(table, labels)
    one_question = len(labels) <= 2 and len({column.criterion for column in split}) <= 1
    if not labels or (not named_here and one_question and not _of_one_side(labels, outcomes)):
        layout = named_layout(table, "pairs", stated, named)
        if "verdict" not in layout.columns and holds_verdicts(table, layout.columns, labels):
            layout.guess("verdict", layout.columns.pop("judge"))
    else:
        split = [replace(column, role="judge") if column.column in outcomes else column for column in split]
        layout = named_layout(table, "wide", stated, named)
        _guess_raters(layout, split, both=not named_here and _both_people(labels, outcomes))
    layout.notes += notes
    return layout


def _names_judges(table: TextTable, column: str, labels: Sequence[str]) -> bool:
    """Return whether a column `judge` holds names of models, who guess models too: beside it stand what is so and a guess.

    One that says what a person says in most rows is a verdict, and so is one with a label such as a tie.
    """
    names = table.coded(column).names
    models = [name for name in names if guess_role(name) == "judge"]
    if fold_name(column) != "judge" or 2 * len(models) <= len(names) or any(map(meaning, {*names} - {*models})):
        return False
    roles = {other: role_of_column(other) for other in labels if other != column}
    own = _values(table, column)
    alike = (own == _values(table, other) for other, role in roles.items() if role == "human")
    return {"human", "judge"} <= set(roles.values()) and not any(2 * same.sum() > len(own) for same in alike)


def _values(table: TextTable, column: str) -> NDArray[np.object_]:
    coded = table.coded(column)
    return np.array([*coded.names, ""], object)[coded.codes]


def _raters_of(
    table: TextTable, every: list[str], stated: CheckedColumns, taken: Collection[str]
) -> tuple[list[str], list[WideColumn]]:
    """Return the columns of labels with their raters; of several questions without criteria those of the first one."""
    if not stated.other_files and (whole := with_asked(table, every, taken)) != every:
        split = of_one_rater(split_names(whole), table.name)
        if _are_of_one(split):
            return whole, split
    split = split_names(every, parallel=are_parts(table, every))
    if are_called_like_criteria({column.rater for column in split if column.criterion}):
        bare = [replace(column, rater=column.column, criterion=None) for column in split]
        return every, of_one_rater(bare, table.name, asked=True)
    split = split if stated.other_files else of_one_rater(split, table.name, asked=are_questions(table, every))
    if any(column.criterion is not None for column in split):
        return every, split
    labels = first_question(table, every)
    return labels, [column for column in split if column.column in labels]


def _predicted(table: TextTable, split: Sequence[WideColumn], free: Sequence[str], stated: CheckedColumns) -> list[WideColumn]:
    """Return what was predicted and what is so on each criterion, where these go before all other columns of labels.

    They do where no other column is a person's, nor that of a judge who says the same labels, or for whom another file may hold
    the person, and where not all of them are read by criterion already.
    """
    sides = predicted_sides(table, free)
    columns = {side.column for side in sides}
    others = [column for column in split if column.column not in columns]
    known = columns <= {column.column for column in split if column.criterion} and not others
    if known or not (len(sides) > 2 or others):
        return []
    said = _words(table, columns)
    for other in others:
        roles = {other.role, role_of_column(other.column)}
        judged = "judge" in roles and (stated.other_files or said & _words(table, [other.column]))
        if judged or "human" in roles:
            return []
    return sides


def _words(table: TextTable, columns: Iterable[str]) -> set[str]:
    """Return what columns say, in whatever spelling."""
    return {normalise(name) for column in columns for name in table.coded(column).names}


def _beside_criteria(table: TextTable, split: Sequence[WideColumn]) -> list[str]:
    """Return columns of no rater that share no label with those of a judge, which are called as its criteria are."""
    bare = [column for column in split if column.criterion is None]
    free = [column.column for column in bare if column.role is None]
    judged = [column.column for column in bare if column.role == "judge"]
    if len(judged) < 2 or len(free) + len(judged) < len(split) or not are_asked(judged):
        return []
    said = _words(table, judged)
    return [column for column in free if not said & _words(table, [column])]


def _are_of_one(split: Sequence[WideColumn]) -> bool:
    """Return whether all columns of labels are criteria of one rater."""
    return len({column.rater for column in split}) == 1 and all(column.criterion for column in split)


def _unread(table: TextTable, read: Collection[str], labels: Sequence[str]) -> list[str]:
    """Return the note on columns of labels that are not read."""
    unread = [f"‘{brief(c, 30)}’" for c in (*labels, *labels_of_another_question(table)) if c not in read]
    return [f"{NOT_READ[0]}: {listed(unread, 4)}."] if unread else []


def _guess_raters(layout: Layout, split: Sequence[WideColumn], *, both: bool) -> None:
    """Take columns as those of raters; who is human, and who a judge, is in doubt where no name says it.

    Of many columns on criteria it is asked of each rater, with what they are taken for.

    Parameters
    ----------
    layout : Layout
        Takes the guesses.
    split : sequence of WideColumn
    both : bool
        Whether there are two, of whom no name says that one is a judge: without criteria both are read as people.
    """
    both = both and len(split) == 2 and all(column.criterion is None for column in split)
    for column in split:
        known = replace(column, role=column.role or ("human" if both else _role_beside(column, split)))
        layout.guess(known.key, known.column)
    names = [f"‘{brief(column.column, 30)}’" for column in split if both or column.role is None]
    if both:
        layout.doubt(f"{' and '.join(names)}: are both people? If one of them is a judge, {judge_instead()}.")
    elif names and not grid_without_roles(layout):
        layout.doubt(f"{listed(names)}: human or judge?{before_the_name()}")


def _role_beside(column: WideColumn, split: Sequence[WideColumn]) -> Role | None:
    """Return the role to propose for a rater of whom no name says it: a person where a judge is known, else none.

    Beside the only column of people, which is called but human, or gold, it is a judge, unless it is called as people are.
    """
    people = [spaced(other.column) for other in split if other.role == "human"]
    if len(people) == 1 and _REFERENCE.fullmatch(people[0]) and not may_be_person(column.rater):
        return "judge"
    return "human" if any(other.role == "judge" for other in split) else None


def _as_grid(table: TextTable, labels: list[str], taken: Collection[str]) -> list[str]:
    """Return columns of labels with those that say one of their labels in every row, where only so each rater has each criterion:
    `b_tone` beside `a_tone, a_depth, b_depth`.
    """
    if len(labels) < FEWEST_OF_GRID or next(crossings(labels), None):
        return labels
    constants = {column for column in constant_labels(table, labels) if column not in taken}
    whole = [column for column in table.columns if column in labels or column in constants]
    grid = next(crossings(whole), None) if constants else None
    return labels if grid is None else whole


def _somebodys(table: TextTable, labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return columns of labels without those that repeat another one, or say what is known of an item; and what is not read."""
    orders = _orders_of_judge(labels)
    labels = [column for column in labels if column not in orders]
    swapped = {column: one for column, one in other_orders(labels).items() if _same_words(table, column, one)}
    labels = [column for column in labels if column not in swapped]
    twice, both = recoded(table, labels), of_both_on_criteria(labels)
    about = beside_sides([column for column in labels if column not in both])
    beside = listed((f"‘{brief(column, 30)}’" for column in about), 4)
    notes = [f"Not read as labels, by their names: {beside}."] if about else []
    notes += [SWAPPED.format(brief(column, 30), brief(one, 30)) for column, one in swapped.items()]
    notes += [ORDERS.format(listed(f"‘{brief(column, 30)}’" for column in orders))] if orders else []
    notes += [f"‘{brief(column, 30)}’ says what ‘{brief(one, 30)}’ says, and is not read." for column, one in twice.items()]
    return [column for column in labels if column not in twice and column not in about], notes


def _orders_of_judge(labels: Sequence[str]) -> list[str]:
    """Return columns of verdicts in one order of two answers, beside a judge's own verdict, or beside the order of the file."""
    orders = single_orders(labels)
    judged = any(role_of_column(column) == "judge" for column in labels if column not in orders)
    return [column for column in labels if column in orders and (judged or normalise(column).startswith("backward"))]


def _same_words(table: TextTable, column: str, other: str) -> bool:
    """Return whether two columns hold two or three answers of the same words, as preferences do."""
    words = [_words(table, [one]) for one in (column, other)]
    return len(words[0] | words[1]) <= MOST_ANSWERS and len(words[0] & words[1]) > 1


def _by_code(split: Sequence[WideColumn], *, joined: bool) -> list[str]:
    """Return columns that a program works out, as an exact match, beside a person and a judge, or beside one rater’s criteria.

    Beside both, so is a column that says whether they agree. Of joined files, columns of nobody may be criteria.
    """
    worked_out = [column for column in split if CODE.fullmatch(spaced(column.column))]
    if {"human", "judge"} <= {column.role for column in split}:
        free = [column for column in split if column.role is None]
        return [column.column for column in free if column in worked_out or (column.criterion and _compares(column))]
    one_rater = len({column.rater for column in split}) == 1 and all(column.criterion for column in split)
    nobodys = joined and not any(column.role for column in split)
    return [column.column for column in worked_out if (one_rater or nobodys) and len(worked_out) < len(split)]


def _compares(column: WideColumn) -> bool:
    """Return whether the rater of a column is called after whether others agree: `agree` beside `human` and `judge`."""
    return any(words.fullmatch(spaced(column.rater)) for words in (AGREES, MATCHES))


def _majorities(table: TextTable, split: Sequence[WideColumn]) -> list[str]:
    """Return columns that are what most of the people, the judges or all beside them say, or the mean of it."""
    judges = [wide.column for wide in split if wide.role == "judge" and wide.criterion is None]
    people = [wide.column for wide in split if wide.role != "judge" and wide.criterion is None]
    sides = [(column, side) for side in (people, judges, [*people, *judges]) for column in side]
    found = [column for column, side in sides if is_majority(table, column, [other for other in side if other != column])]
    derived = list(dict.fromkeys(found))
    return derived + (_majorities(table, [wide for wide in split if wide.column not in derived]) if derived else [])


def _totals(table: TextTable, split: Sequence[WideColumn]) -> list[str]:
    """Return columns that are the sum, or the mean, of what the same rater says on other criteria."""
    of_raters: dict[str, list[str]] = {}
    for column in split:
        if column.criterion is not None:
            of_raters.setdefault(column.rater, []).append(column.column)
    return [total for criteria in of_raters.values() for total in totals(table, criteria)]


def holds_verdicts(table: TextTable, columns: Mapping[str, str], labels: Sequence[str]) -> bool:
    """Return whether a column `judge` holds what the judge said, in words or numbers, and not who it was.

    Words that no other column has are verdicts where `human` stands beside them and none is the name of a model.
    """
    column = columns.get("judge")
    if column is None:
        return False
    names = table.coded(column).names
    words = "human" in columns and 2 <= len(names) <= MOST_SHARED and "judge" not in map(role_of_name, names)
    return column in labels or words or (is_numeric(table, column) and are_grades(table, column))


def _stated_role(column: WideColumn, stated: CheckedColumns) -> Role | None:
    """Return the role that is stated of a column of labels; of one that is left out, human, until it is taken out."""
    role = role_of_wide(column.rater, column.column, column.criterion, stated.roles)
    return None if role is None else "judge" if role == "judge" else "human"


def _both_people(labels: Sequence[str], outcomes: Sequence[str]) -> bool:
    """Return whether two columns of labels name no judge, and neither or both of them a human."""
    roles = ["judge" if column in outcomes else role_of_column(column) for column in labels]
    return len(roles) == 2 and "judge" not in roles and roles.count("human") != 1


def _of_one_side(labels: Sequence[str], outcomes: Sequence[str]) -> bool:
    """Return whether two columns of labels are those of two people, or of two judges."""
    return _both_people(labels, outcomes) or [role_of_column(column) for column in labels] == ["judge", "judge"]


def judge_instead() -> str:
    """Return how to say that a column is a judge's."""
    return worded("write judge: before its name", "write judge: before its name", "choose which")

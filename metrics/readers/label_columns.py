"""Columns that hold labels, by their values and their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from metrics.data.memo import memoised
from metrics.data.ratings import Role
from metrics.data.reasons import names_reasons
from metrics.data.vocabulary import (
    FIRST,
    GRADES,
    SECOND,
    THUMBS,
    TIES,
    is_number,
    is_preference,
    meaning,
    normalise,
    number_said,
    synonym,
)
from metrics.readers.measuring import numbers_in
from metrics.readers.name_parts import HELD
from metrics.readers.names import BESIDE, ITEM, MATCHES, SCORE, TIME, spaced
from metrics.readers.rater_roles import may_be_person, role_of_column
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_empty, is_numeric, is_unique, without_unlikely
from metrics.readers.wide_names import split_names

MOST_SHARED = 12
"""Different values up to which a column is guessed to hold labels."""
MOST_POINTS = 100
"""The highest number of a scale that judges are commonly given."""
MOST_ALIKE = 0.8
"""Share of lists of one length up to which they are no panel of which some are absent."""
_ZERO_ONE = {"0": "negative", "1": "positive"}
_BOTH = {"true", "false"}
"""What a program writes for 1 and 0: a person’s 0 and 1 beside it are the same labels."""
LENGTH = "length"
"""What is counted, or rated as other criteria are."""
TWO_OTHERS = 2
"""Columns of labels beside which one more of the same labels is a criterion, whatever it is called."""
_SURE = re.compile(r"\w (confidence|certainty|latency|latency ms|cost|price)$")
"""How sure a rater was, or what it took: never what it said."""
_FIRST = 50
"""Values that show whether a column holds labels: more than a scale has steps."""
_OF_ANSWER = re.compile(r"(.+) [ab]")
"""What belongs to one of two answers that are compared."""
MOST_COMPARED = 8
"""Columns of which every two are held against a flag that is not called after a comparison."""
_FOUND = ("label columns",)
FEWEST_MATCHED = 6
"""Rows in all of which a column says whether two others are alike, from which that is no accident."""


def is_label(table: TextTable, column: str) -> bool:
    """Return whether a column holds nothing but known labels and numbers."""
    names = table.head(column, _FIRST)
    return bool(names) and all(meaning(name) is not None or is_number(name) for name in names)


def are_parts(table: TextTable, columns: Sequence[str]) -> bool:
    """Return whether columns are places of lists that hold a verdict for each part of an item, and not one for each rater.

    They do where the lists of a row are as long as each other, and many are longer than others.
    """
    if not columns or not set(columns) <= set(table.lists):
        return False
    filled: dict[str, NDArray[np.int64]] = {}
    for column in columns:
        name = column.rpartition(" ")[0]
        filled[name] = filled.get(name, np.zeros(table.n_rows, np.int64)) + (table.coded(column).codes >= 0)
    lengths = np.stack(list(filled.values()))
    if (lengths != lengths[0]).any():
        return False
    filled_lengths = lengths[0][lengths[0] > 0]
    return len(filled_lengths) > 0 and bool(np.bincount(filled_lengths).max() <= MOST_ALIKE * len(filled_lengths))


def are_grades(table: TextTable, column: str) -> bool:
    """Return whether numbers can be a judge's on a scale: a year, a price and the number of a row can not."""
    numbers = numbers_in(table, column)[:-1]
    of_rows = is_unique(table, column) and not (numbers % 1).any()
    return bool((np.abs(numbers) <= MOST_POINTS).all()) and not of_rows


def are_shares(table: TextTable, column: str) -> bool:
    """Return whether a column holds numbers between 0 and 1, and not those two alone."""
    numbers = numbers_in(table, column)[:-1]
    return bool(((numbers >= 0) & (numbers <= 1)).all() and (numbers % 1 > 0).any())


def label_columns(table: TextTable) -> list[str]:
    """Return columns that share a small set of values with another one, or hold nothing but known labels."""
    return list(memoised(table, _FOUND, lambda: _label_columns(table))[0])


def labels_of_another_question(table: TextTable) -> list[str]:
    """Return columns in words nobody knows that are called after a person or a judge, beside others whose labels are known."""
    return list(memoised(table, _FOUND, lambda: _label_columns(table))[1])


def _label_columns(table: TextTable) -> tuple[list[str], list[str]]:
    small = [c for c in table.columns if 0 < len(table.raw(c)[1]) <= 3 * MOST_SHARED and not _SURE.search(spaced(c))]
    paired = {c for c in of_both_on_criteria(small) if spaced(c).endswith(LENGTH) or not BESIDE.search(spaced(c))}
    scores = _scores_of_answers(table, small)
    likely = {*without_unlikely(table, table.columns), *paired} - scores
    few = {
        c: {number_said(name) or normalise(name) for name in table.coded(c).names}
        for c in small
        if c in likely or spaced(c).endswith(LENGTH)
    }
    few = {column: names for column, names in few.items() if len(names) <= MOST_SHARED or names <= set(GRADES)}
    if any(names == _BOTH for names in few.values()):
        few = {c: _BOTH if names == set(_ZERO_ONE) and role_of_column(c) else names for c, names in few.items()}
    asked = {column for column, names in few.items() if are_others_labels(names, few.values())}
    few = {
        column: names
        for column, names in few.items()
        if (column in likely or column in asked) and (not is_id(table, column) or (column in asked and is_label(table, column)))
    }
    labels = {c: names for c, names in few.items() if c in paired or not names_reasons(c) or _are_marks(c, names, few)}
    few = labels if len(labels) > 1 else few
    shared = _sharing(list(few.values()))
    columns = []
    for (column, names), alike in zip(few.items(), shared, strict=True):
        if alike or (is_label(table, column) and not all(map(is_number, names))) or _prefers_too(column, few):
            columns.append(column)
    columns, others = _without_flags(_without_matches(table, columns, list(few)), few), list[str]()
    known = [column for column in columns if _mostly_known(few[column])]
    if len(known) > 1:
        sides = {"human", "judge"} <= set(map(role_of_column, known))
        whose = set().union(*map(_ends, known))
        of_grid = of_both_on_criteria(columns) | _of_people_on_criteria(columns)
        kept = [c for c in columns if c in known or c in of_grid or (_has_partner(c, few) and (not sides or _ends(c) & whose))]
        others = [c for c in columns if c not in kept and role_of_column(c) and not is_constant(table, c)]
        columns = kept
    others += [column for column in table.columns if column in scores]
    if len(columns) > 1:
        return _with_constants(table, columns), others
    measured = [column for column in _measured(table, columns) if column not in scores]
    alone = {"human", "judge"} <= set(map(role_of_column, measured)) and "human" not in map(role_of_column, columns)
    return measured if alone else [*columns, *measured], others


def _scores_of_answers(table: TextTable, small: Sequence[str]) -> set[str]:
    """Return numbers that are called scores of A and of B, where a column says which of the two is better."""
    found: dict[str, list[str]] = {}
    for column in table.columns:
        match = _OF_ANSWER.fullmatch(spaced(column))
        if match and SCORE.search(match[1]) and is_numeric(table, column) and not is_empty(table, column):
            found.setdefault(match[1], []).append(column)
    words = (table.coded(column).names for column in small) if found else ()
    compared = any(is_preference(names) and not any(map(is_number, names)) for names in words)
    return {column for both in found.values() if compared and len(both) > 1 for column in both}


def _are_marks(column: str, names: set[str], few: Mapping[str, set[str]]) -> bool:
    """Return whether a column that is called like a reason holds marks: thumbs, or known labels under a person's name.

    Where two other columns hold its labels it is a criterion too, if it is called after something about reasons, as
    `explanation_quality` is, or after reasoning, or if they are words and it is a rater's as well, or none is.
    """
    known = [meaning(name) for name in names]
    if all(known) and (role_of_column(column) == "human" or all(one.family == THUMBS for one in known if one)):
        return True
    about = spaced(column).endswith("reasoning") or not names_reasons(spaced(column).rpartition(" ")[2])
    whose = any(role_of_column(other) for other, others in few.items() if others == names)
    words = not any(map(is_number, names)) and (role_of_column(column) or not whose)
    return bool(about or words) and are_others_labels(names, few.values())


def are_others_labels(names: set[str], every: Iterable[set[str]]) -> bool:
    """Return whether labels, words or more numbers than two, are just those of two other columns among all."""
    words = len(names) > 1 and all(meaning(name) and not is_number(name) for name in names)
    labels = words or (len(names) > 2 and all(map(is_number, names)))
    return labels and sum(names == others for others in every) > TWO_OTHERS


def _with_constants(table: TextTable, labels: Sequence[str]) -> list[str]:
    """Return columns of labels with those between them that say one of their labels in every row: a rater may always say yes."""
    if len(labels) <= TWO_OTHERS:
        return list(labels)
    said = set[str].intersection(*({normalise(name) for name in table.coded(column).names} for column in labels))
    first, last = (place(map(table.columns.index, labels)) for place in (min, max))
    between = [c for c in table.columns[first:last] if c not in labels and is_constant(table, c) and not is_empty(table, c)]
    always = {c for c in between if {normalise(name) for name in table.coded(c).names} <= said and spaced(c).isalpha()}
    return [column for column in table.columns if column in labels or column in always]


def of_both_on_criteria(columns: Sequence[str]) -> set[str]:
    """Return columns of people and judges on the same two criteria or more by their names, whatever words either uses."""
    if not {"human", "judge"} <= set(map(role_of_column, columns)):
        return set()
    raters: dict[str, set[Role | None]] = {}
    split = [wide for wide in split_names(columns) if wide.criterion and not HELD.fullmatch(spaced(wide.criterion))]
    for wide in split:
        raters.setdefault(wide.criterion or "", set()).add(wide.role)
    both = {criterion for criterion, roles in raters.items() if {"human", "judge"} <= roles}
    return {wide.column for wide in split if wide.criterion in both} if len(both) > 1 else set()


def _of_people_on_criteria(columns: Sequence[str]) -> set[str]:
    """Return columns that are of several people on each of several criteria by their names, whatever words a criterion has."""
    raters: dict[str, set[str]] = {}
    split = split_names(columns)
    for wide in split:
        raters.setdefault(wide.criterion or "", set()).add(wide.rater)
    whole = len(set(map(frozenset, raters.values()))) == 1 and len(split) == len(columns) > len(raters) > 1
    return set(columns) if whole and "" not in raters and all(wide.role == "human" for wide in split) else set()


def _ends(column: str) -> set[str]:
    """Return what may say whose a column is: its first word, and its last one where that is a rater, as in `tone_human`."""
    words = spaced(column).split() or [""]
    return {words[0], *(word for word in words[-1:] if role_of_column(word))}


def _has_partner(column: str, few: Mapping[str, set[str]]) -> bool:
    """Return whether a column is called after people or judges, and shares a label with one of the others."""
    role = role_of_column(column)
    return role is not None and any(
        few[column] & names or (is_preference(few[column]) and is_preference(names))
        for other, names in few.items()
        if role_of_column(other) not in (role, None)
    )


def _prefers_too(column: str, few: Mapping[str, set[str]]) -> bool:
    """Return whether a column of one side says which of two is better, as one of the other side does in other words."""
    return is_preference(few[column]) and not any(map(is_number, few[column])) and _has_partner(column, few)


def _without_flags(columns: Sequence[str], few: Mapping[str, set[str]]) -> list[str]:
    """Return the columns without those that share no label with any that is called after people or judges, where both are there.

    `within_margin` beside the scores of a person and a judge is not what anybody gave.
    """
    few = {column: _said(few[column]) for column in columns}
    of_sides = [few[column] for column in columns if role_of_column(column)]
    both = {"human", "judge"} <= set(map(role_of_column, columns))
    return [column for column in columns if not both or role_of_column(column) or any(few[column] & names for names in of_sides)]


def _said(names: set[str]) -> set[str]:
    """Return what labels mean where all are known, else the labels: `Y` says what `yes` says."""
    known = [meaning(name) for name in names]
    return {one.kind for one in known if one} if all(known) else names


def first_question(table: TextTable, columns: Sequence[str]) -> list[str]:
    """Return the columns of the first of several questions that a person and a judge answer in words of its own, else all.

    `hand_discloses` and `judge_discloses` (yes, no) are no further raters of `hand_label` and `judge_label` (refuse, answer).
    """
    questions = [group for group in _sharing_labels(table, columns) if {"human", "judge"} <= set(map(role_of_column, group))]
    if len(questions) < 2:
        return list(columns)
    return min(questions, key=lambda group: min(map(columns.index, group)))


def are_questions(table: TextTable, columns: Sequence[str]) -> bool:
    """Return whether columns that are called after nobody answer several questions: each of several sets of labels is that of two
    or more, and none is that of columns which are called as people are.
    """
    groups = _sharing_labels(table, columns) if not any(map(role_of_column, columns)) else []
    return len(groups) > 1 and all(len(group) > 1 and not all(map(may_be_person, group)) for group in groups)


def _sharing_labels(table: TextTable, columns: Sequence[str]) -> list[list[str]]:
    """Return columns in groups that share labels within and none with another group."""
    groups: list[tuple[list[str], set[str]]] = []
    for column in columns:
        names = _said({normalise(name) for name in table.coded(column).names})
        alike = [group for group in groups if group[1] & names]
        groups = [group for group in groups if group not in alike]
        groups.append(([*chain.from_iterable(group[0] for group in alike), column], names.union(*(group[1] for group in alike))))
    return [group for group, _ in groups]


def _measured(table: TextTable, labels: Sequence[str]) -> list[str]:
    """Return further columns of many numbers that are called after a rater; none where there is only one."""
    columns = [
        column
        for column in without_unlikely(table, table.columns)
        if column not in labels
        and role_of_column(column)
        and not BESIDE.search(spaced(column))
        and is_numeric(table, column)
        and not is_empty(table, column)
        and not is_id(table, column)
    ]
    return columns if len(columns) > 1 else []


def _without_matches(table: TextTable, columns: list[str], every: Sequence[str]) -> list[str]:
    """Return columns of labels without those that say whether two others are alike: `is_correct` beside `gold` and `answer`.

    Where somebody else says the same words, `judge_correct` is a label too, unless a column `judge` holds what is correct or not.
    One of other words than the two that it compares may have any name.
    """
    said = {column: {synonym(name) for name in table.coded(column).names} for column in columns}
    given = [column for column in columns if role_of_column(column)]
    shared = {column for column in given if any(said[other] == said[column] for other in given if other != column)}
    names = set(map(spaced, columns))
    labels = {column for column in shared if MATCHES.sub("", spaced(column)).strip() not in names}
    matches = {column for column in columns if MATCHES.search(spaced(column)) and _is_match(table, column, every)}
    for column in columns if len(columns) > TWO_OTHERS else ():
        others = [other for other in columns if not said[column] & said[other]]
        if role_of_column(column) is None and 1 < len(others) <= MOST_COMPARED and _is_match(table, column, others):
            matches.add(column)
    return [column for column in columns if column not in matches or column in labels]


def _is_match(table: TextTable, column: str, columns: Sequence[str]) -> bool:
    said = table.coded(column)
    kinds = [
        known.kind if known else _ZERO_ONE.get(name, "") for name, known in zip(said.names, map(meaning, said.names), strict=True)
    ]
    if not (kinds.count("negative") == kinds.count("positive") == 1):
        return False
    yes, no = said.codes == kinds.index("positive"), said.codes == kinds.index("negative")
    words: dict[str, int] = {}
    others = [_words_of_rows(table, other, words) for other in columns if other != column]
    for one, another in combinations(others, 2):
        here = (yes | no) & (one >= 0) & (another >= 0)
        alike = (one == another)[here]
        if np.count_nonzero(here) >= FEWEST_MATCHED and (np.array_equal(alike, yes[here]) or np.array_equal(alike, ~yes[here])):
            return True
    return False


def _words_of_rows(table: TextTable, column: str, words: dict[str, int]) -> NDArray[np.int64]:
    """Return the place of the word of each row among all words; -1 for an empty cell."""
    coded = table.coded(column)
    places = [words.setdefault(normalise(name), len(words)) for name in coded.names]
    return np.array([*places, -1], np.int64)[coded.codes]


def _mostly_known(names: set[str]) -> bool:
    hits = sum(meaning(name) is not None or is_number(name) or name in FIRST | SECOND | TIES for name in names)
    return 2 * hits >= len(names)


def is_id(table: TextTable, column: str) -> bool:
    """Return whether a column tells rows apart, by its name (an id, a time) or its values."""
    if ITEM.search(spaced(column)) or TIME.search(spaced(column)):
        return True
    names = {normalise(name) for name in table.coded(column).names}
    return table.n_rows > 3 and is_unique(table, column) and (column == table.columns[0] or not _mostly_known(names))


def _sharing(sets: Sequence[set[str]]) -> list[bool]:
    """Return whether each set shares two names with another one; one is enough where both hold numbers only, or either nothing
    else.
    """
    held = Counter(chain.from_iterable(map(_signs, sets)))
    every = Counter(chain.from_iterable(sets))
    alone = Counter(chain.from_iterable(names for names in sets if len(names) == 1))
    return [
        any(held[sign] > 1 for sign in _signs(names))
        or (any(alone[name] for name in names) if len(names) > 1 else any(every[name] > 1 for name in names))
        for names in sets
    ]


def _signs(names: set[str]) -> set[tuple[str, ...]]:
    """Return what two sets hold in common where they are alike: two names, or one number where there are numbers only."""
    pairs = set[tuple[str, ...]](combinations(sorted(names), 2))
    return pairs | {(name,) for name in names} if all(map(is_number, names)) else pairs

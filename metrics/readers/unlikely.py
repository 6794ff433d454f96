"""Columns that are never proposed: counters, constants, ids of ratings, nested records, what is said of another label."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from metrics.data.vocabulary import is_number, meaning, normalise
from metrics.readers.names import AGREES, COUNTED, HUMAN, JUDGE, MODELS, RESULT, spaced
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable

_COUNTER = re.compile(
    r"^(total|cancelled|num|number|n|count|repetition|repeat|epoch)\b(?!$)|\b(counts?|number|by|length|tokens)$|"
    r"^(allow skip|lead time)$|\b(max|maximum|min|minimum|possible|full|top) (score|points|grade|marks?|rating)$"
)
_RATING_ID = re.compile(
    r"\b(rating|annotation|score|feedback|verdict|vote|label|labell?ing|assessment|assignment|evaluation|event|view|session|user)"
    r" ids?$"
)
_COMPARED = re.compile(r"^(model|system|generator|assistant|output|response|answer) ?[ab12]$")
_MODEL = re.compile(rf"\b({MODELS}|judge)( ?(name|identifier|version))?$")
_DIFFERENCE = re.compile(
    r"\b((diff|difference|delta|gap|deviation|écart|diferencia|diferença|differenza)s?|abweichung|differenz|差|δ)\b"
)
_ABOUT = re.compile(
    r"\b(year|page|seed|consent|attention check|check|duplicate|done|rank|position|order|batch|round|split|fold|age|flag|flagged|"
    r"completed|reviewed|finished|training|practice|test|trial|run|turn|step|index|level|version|changed|seen|skipped)$"
)
"""What is known of an item or a rating, and nobody's label beside a person's and a judge's."""
_AGREED = re.compile(r"\b(consensus|adjudicated|adjudication|final|resolved|reconciled)\b")
AGREED = "‘{}’ reads like what people agreed on, and counts as one person more: leave it out, or the others, by their roles."
FORM = re.compile(r"\b(raw|text|str|string|parsed|clean|cleaned|normali[sz]ed|original|name|num|numeric|int|value)$")
"""In what form a column says what another one says."""
_LEAST_ROWS = 6
"""Rows in all of which two columns say the same, from which that is no accident."""
_SAMPLE = 20
"""Values that show whether a column holds nested records."""
_NUMBERS = 200
"""Values that show whether a column holds numbers."""


def is_counter(column: str) -> bool:
    """Return whether a name says how many or by whom, not what was said."""
    return _COUNTER.search(spaced(column)) is not None or COUNTED.fullmatch(spaced(column)) is not None


def is_rating_id(column: str) -> bool:
    """Return whether a name is that of the rating itself, or of what holds many items."""
    return _RATING_ID.search(spaced(column)) is not None


def recoded(table: TextTable, columns: Sequence[str]) -> dict[str, str]:
    """Return columns that say what a column of nearly the same name says in other words, with that one: `label_text`, `label`.

    Parameters
    ----------
    table : TextTable
    columns : sequence of str
        Columns of labels.
    """
    called, found = {spaced(column): column for column in columns}, dict[str, str]()
    for other in columns if table.n_rows >= _LEAST_ROWS else ():
        words = spaced(other).split()
        one = next((called[name] for n in range(1, len(words)) if (name := " ".join(words[:n])) in called), None)
        if one is not None and one not in found and _says_the_same(table, one, other):
            found[other] = one
    return found


def beside_sides(columns: Sequence[str]) -> list[str]:
    """Return columns that are called after what is known of items, where others are called after a person and after a judge.

    Parameters
    ----------
    columns : sequence of str
        Columns that may hold labels.
    """
    roles = {column: role_of_column(column) for column in columns}
    if not {"human", "judge"} <= set(roles.values()):
        return []
    return [column for column, role in roles.items() if role is None and _ABOUT.search(spaced(column))]


def _says_the_same(table: TextTable, one: str, other: str) -> bool:
    """Return whether each label of a column goes with one of the other, in other words, or in the same in another form."""
    first, second = table.coded(one), table.coded(other)
    pairs = np.unique(np.column_stack([first.codes, second.codes]), axis=0)
    if not len(pairs) == len(np.unique(first.codes)) == len(np.unique(second.codes)) > 1:
        return False
    if not {*map(normalise, first.names)} & {*map(normalise, second.names)}:
        return True
    same = all(normalise(first.names[at]) == normalise(second.names[to]) for at, to in pairs.tolist() if min(at, to) >= 0)
    return same and FORM.search(spaced(other)) is not None


def agreed(people: Sequence[str]) -> list[str]:
    """Return the one of several columns of people that is called after what they agreed on; none where several are.

    Parameters
    ----------
    people : sequence of str
        Columns of labels that are called after no judge.
    """
    found = [column for column in people if _AGREED.search(spaced(column))]
    return found if len(found) == 1 and len(people) > len(found) + 1 else []


def is_constant(table: TextTable, column: str) -> bool:
    """Return whether a column says the same in every row, or nothing."""
    return table.n_rows > 1 and len(table.raw(column)[1]) < 2


def is_empty(table: TextTable, column: str) -> bool:
    """Return whether a column has no filled cell."""
    return not table.coded(column).names


def is_nested(table: TextTable, column: str) -> bool:
    """Return whether the cells of a column hold records or lists as text."""
    names = table.head(column, _SAMPLE)
    return bool(names) and all(name[:1] in "{[" and name[-1:] in "}]" for name in names)


def without_unlikely(table: TextTable, columns: Sequence[str]) -> list[str]:
    """Return the columns that may hold labels: a constant only where its name says whose label it is."""
    return [
        column
        for column in columns
        if not (is_counter(column) or is_nested(table, column) or _is_about_others(spaced(column)))
        and (not is_constant(table, column) or _is_whose(table, column))
    ]


def _is_whose(table: TextTable, column: str) -> bool:
    """Return whether a constant column is somebody's, by its name, and no name of a model, which no other column has."""
    words = spaced(column)
    if not (HUMAN.search(words) or JUDGE.search(words)):
        return False
    here = set(table.coded(column).names)
    if not _MODEL.search(words) or any(meaning(name) or is_number(name) for name in here):
        return True
    others = [other for other in table.columns if other != column and not _MODEL.search(spaced(other))]
    others = [other for other in others if len(table.raw(other)[1]) <= _SAMPLE]
    return any(here & set(table.coded(other).names) for other in others)


def _is_about_others(words: str) -> bool:
    """Return whether a name is that of one of two things that are compared, or of what is said of other labels."""
    return any(about.search(words) for about in (_COMPARED, AGREES, _DIFFERENCE, RESULT))


def is_unique(table: TextTable, column: str) -> bool:
    """Return whether no value of a column occurs twice."""
    codes, values = table.raw(column)
    return len(values) == len(codes)


def is_numeric(table: TextTable, column: str) -> bool:
    """Return whether a column holds numbers, as far as its first values say."""
    return all(is_number(name) for name in table.head(column, _NUMBERS))

"""What is so and what was predicted, by the names of columns: human and judge on a criterion, as `gold_city` and `pred_city`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from metrics.data.vocabulary import normalise
from metrics.readers.labelling import MOST_LABELS
from metrics.readers.name_parts import HELD, are_criteria, told_apart
from metrics.readers.names import spaced
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_unique
from metrics.readers.wide import WideColumn

_TRUE = re.compile(r"\b(gold|golden|true|truth|ground ?truth|gt|expected|reference|ref)\b")
_PREDICTED = re.compile(r"\b(pred|preds|predicted|prediction)\b")
_HELD = re.compile(rf" ({HELD.pattern})$")
LEAST_SHARED = 1 / 2
"""Share of the fewer labels of two columns that both have, from which they are of one question."""


def predicted_sides(table: TextTable, columns: Sequence[str]) -> list[WideColumn]:
    """Return a human and a judge on each criterion of which columns say what is so and what was predicted; else nothing.

    Beside one such pair, a column that is called but after the criterion is the other side too: `routing_decision` beside
    `true_routing`, `team` beside `team_predicted`.

    Parameters
    ----------
    table : TextTable
    columns : sequence of str
        Those without a role.
    """
    true, predicted = _called(columns, _TRUE), _called(columns, _PREDICTED)
    bare = {_HELD.sub("", spaced(column)): column for column in columns if role_of_column(column) is None}
    named = {name: (true[name], predicted[name]) for name in true.keys() & predicted.keys()}
    named = {name: sides for name, sides in named.items() if _are_alike(table, *sides)}
    others = {
        name: (true.get(name, bare[name]), predicted.get(name, bare[name]))
        for name in bare
        if (name in true) != (name in predicted)
    }
    pairs = named | {name: sides for name, sides in others.items() if named and _are_alike(table, *sides)}
    pairs = dict(sorted(pairs.items(), key=lambda pair: columns.index(pair[1][0])))
    criteria = _criteria(list(pairs))
    if not pairs or not are_criteria(criteria):
        return []
    found = zip(criteria, pairs.values(), strict=True)
    return [
        side
        for name, (truth, prediction) in found
        for side in (WideColumn(truth, "human", "human", name), WideColumn(prediction, "judge", "judge", name))
    ]


def _called(columns: Sequence[str], words: re.Pattern[str]) -> Mapping[str, str]:
    """Return columns that one of some words names, and no word of the other side, by what else their names say."""
    other = _PREDICTED if words is _TRUE else _TRUE
    names = [(column, spaced(column)) for column in columns]
    names = [(column, name) for column, name in names if words.search(name) and not other.search(name)]
    found = {" ".join(words.sub(" ", name, count=1).split()): column for column, name in names}
    return {name: column for name, column in found.items() if name}


def _are_alike(table: TextTable, *sides: str) -> bool:
    """Return whether two columns hold the labels of one question, and not each item's own words."""
    sizes = [len(table.raw(column)[1]) for column in sides]
    if max(sizes) > MOST_LABELS or any(is_unique(table, column) for column in sides):
        return False
    one, other = ({normalise(name) for name in table.coded(column).names} for column in sides)
    differ = not all(is_constant(table, column) for column in sides)
    return differ and len(one & other) >= max(1, LEAST_SHARED * min(len(one), len(other)))


def _criteria(names: Sequence[str]) -> list[str]:
    """Return what tells the names of criteria apart, as columns are written."""
    written = [name.replace(" ", "_") for name in names]
    short = told_apart(written) if len(written) > 1 else written
    return short if all(short) else written

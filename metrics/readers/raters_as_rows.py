"""Tables whose rows are raters, or raters of an item, with a column for each item, or for each criterion: turned into ratings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from metrics.data.reasons import names_reasons
from metrics.data.vocabulary import is_number, meaning, normalise
from metrics.readers.crossing import n_keys
from metrics.readers.label_columns import LENGTH, MOST_SHARED, are_grades, are_others_labels, is_id, is_label, label_columns
from metrics.readers.messages import brief, listed
from metrics.readers.names import BESIDE, COUNTED, GIVEN_BY, ITEM, PERSON, RATER, ROLE, TIME, fold_name, spaced
from metrics.readers.outputs import tells_outputs
from metrics.readers.rater_roles import HUMAN_VALUES, JUDGE_VALUES, role_of_column, role_of_name
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_numeric, is_unique, without_unlikely
from metrics.readers.unnamed_columns import MOST_RATERS, differs_on_items, names_raters
from metrics.readers.wide_names import crossings, short_names, split_names

FEWEST_ITEMS = 5
NOTE = "Each row is a rater, each column an item: every filled cell is a rating."
NOTE_OF_BOTH = "Each row is a rater, each column an item on a criterion: every filled cell is a rating."
LEAST_SHARED = 3
"""Rows for each rater, from which a column of people says who took which items."""
_ALWAYS = "Not read as a criterion, because every row says the same:"
FEWEST_ALIKE = 30
"""Further ratings of an item in all of which raters would hardly agree by themselves."""
_OUTPUT = "output"
"""Column of the outputs of an item that were in columns of their own."""
_NUMBERED_OUTPUT = re.compile(r"([a-z]+ )*[a-z]{3,} ?\d+")
_AGAIN = re.compile(rf"\b({COUNTED.pattern}|pass|wave|session|day|week)\b")
"""When a rater gave a label."""
_RESERVED = frozenset({"label", "verdict", "human", "criterion"})
"""Columns that say what a row is, beside which no other is a criterion."""
_CALLED = frozenset({"", "column_1", "name", "model", "evaluator", "who", "your_name", "full_name", "email", "email_address"})
_TURN = re.compile(r"\b(first|second|third|initial|final|before|after|original|revised|adjudicated|\d+)\b")
"""By which of several labels of one question a column is called."""
_COUNTS = re.compile(r"\b(age|batch|block|day|group|number|order|page|place|position|rank|seq|sequence|set|slot|week|year)\b")
"""What numbers beside answers are of, that nobody gave."""
_ANSWERED = re.compile(r"Answer\.|OUTPUT:")
"""How Mechanical Turk and Toloka begin the names of what was answered."""
_OF_GRID = re.compile(r"(.+) \[([^\[\]]+)\]")
"""A row of a grid of a form: the question, and what it is asked of."""


def ratings_by_row(table: TextTable) -> TextTable:
    """Return one row for each rating of a table whose rows are raters; any other table as it is.

    One column names the raters, each once, the first, or that of a form behind its times; all behind it hold words of one small
    set, and are more than the rows.

    Parameters
    ----------
    table : TextTable
        Of no known tool.
    """
    start = _place_of_raters(table)
    if start is None:
        return table
    rater, *items = table.columns[start:]
    cells = [table.coded(item) for item in items]
    row, place = np.nonzero(np.column_stack([coded.codes >= 0 for coded in cells]))
    labels = [cells[column].names[cells[column].codes[at]] for at, column in zip(row.tolist(), place.tolist(), strict=True)]
    names, asked_of = table.coded(rater), _items_and_criteria(items)
    data = {
        "rater": pa.array([names.names[names.codes[at]] for at in row.tolist()], pa.string()),
        "item": pa.array([asked_of[column][0] for column in place.tolist()], pa.string()),
        "label": pa.array(labels, pa.string()),
    }
    criteria = list(dict.fromkeys(criterion for _, criterion in asked_of))
    if len(criteria) > 1:
        data["criterion"] = pa.array([asked_of[column][1] for column in place.tolist()], pa.string())
    note = NOTE if len(criteria) < 2 else f"{NOTE_OF_BOTH} The criteria are {listed(criteria, 4)}."
    return replace(table, data=pa.table(data), numbers=table.record_numbers[row], notes=(*table.notes, note), memo={})


def ratings_by_criterion(table: TextTable, who: str | None = None) -> TextTable:
    """Return one row for each rating of a table with a row for each item and rater, a column for each criterion; others as is.

    One column names the raters, or says whether they are human, and several raters stand beside one item. Two columns of labels
    or more are called after no rater.

    Parameters
    ----------
    table : TextTable
        Of no known tool.
    who : str, optional
        Column of the raters, where it is known.
    """
    if table.merged is not None or not _RESERVED.isdisjoint(map(fold_name, table.columns)):
        return table
    who = who or _who(table)
    criteria = [] if who is None else _criteria(table, who)
    if who is None or len(criteria) < 2:
        return table
    known = _known_of_items(table, who, criteria)
    criteria = [criterion for criterion in criteria if criterion not in known]
    coded = [table.coded(criterion) for criterion in criteria]
    filled = np.column_stack([one.codes >= 0 for one in coded])
    filled[~filled.any(axis=1), 0] = True  # a row without any label is counted as such
    row, place = np.nonzero(filled)
    labels = [pa.array([*one.names, ""], pa.string()).take(pa.array(one.codes % (len(one.names) + 1))) for one in coded]
    rows = pa.array(row)
    stacked = pa.concat_arrays(labels).take(pa.array(place * table.n_rows + row))
    data = {name: table.data[name].take(rows) for name in table.columns if name not in criteria}
    roles = {spaced(name) for name in table.coded(who).names} <= HUMAN_VALUES | JUDGE_VALUES
    said = data.pop(who)
    names = list(short_names(criteria).values())
    outputs = _of_outputs(table, names)
    called = who if names_raters(table, who) and not roles else "rater"
    data |= {called: said} | ({"role": said} if roles and "role" not in data else {})
    data |= {} if not outputs else {_OUTPUT: pa.array([output for output, _ in outputs], pa.string()).take(pa.array(place))}
    asked = [criterion for _, criterion in outputs] or names
    names = list(dict.fromkeys(asked))
    data |= {"criterion": pa.array(asked, pa.string()).take(pa.array(place)), "label": stacked}
    note = f"Each row is a rater’s view of an item, by ‘{brief(who)}’; the criteria are {listed(names, 4)}."
    notes = (*table.notes, note, *_not_read(table, criteria, known))
    return replace(table, data=pa.table(data), numbers=table.record_numbers[row], notes=notes, memo={})


def _not_read(table: TextTable, criteria: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return which columns could be criteria too, and why they are none."""
    alike = listed((f"‘{brief(name, 30)}’" for name in known), 4)
    notes = [f"Not read as a criterion, because all raters of an item say the same: {alike}."] if known else []
    return notes + note_of_constants(constant_labels(table, criteria))


def constant_labels(table: TextTable, criteria: Sequence[str]) -> list[str]:
    """Return columns that hold one label of those of the criteria in every row.

    Parameters
    ----------
    table : TextTable
    criteria : sequence of str
        Columns of labels.
    """
    labels = {normalise(name) for criterion in criteria for name in table.coded(criterion).names}
    return [c for c in table.columns if is_constant(table, c) and {normalise(name) for name in table.coded(c).names} & labels]


def note_of_constants(columns: Sequence[str]) -> list[str]:
    """Return that columns are not read because they hold one label; nothing where there are none."""
    return [f"{_ALWAYS} {listed((f'‘{brief(name, 30)}’' for name in columns), 4)}."] if columns else []


def with_constant_criteria(table: TextTable, asked: Sequence[str]) -> TextTable:
    """Return ratings by criterion with those on further criteria, of which every row of the file says the same.

    Parameters
    ----------
    table : TextTable
        As `ratings_by_criterion` returns it.
    asked : sequence of str
        Names of criteria, folded.
    """
    numbers = table.numbers
    if numbers is None or not {"criterion", "label"} <= set(table.columns):
        return table
    constants = constant_labels(table, ["label"])
    more = [name for name in constants if fold_name(name) in asked]
    first = np.unique(numbers, return_index=True)[1]
    if not more or len(first) == len(numbers):
        return table
    kept = [name for name in table.columns if name not in more]
    parts, rows = [table.data.select(kept)], pa.array(first)
    for name in more:
        of_name = {"criterion": pa.repeat(name, len(first)), "label": table.data[name].take(rows)}
        parts.append(pa.table({column: of_name.get(column, table.data[column].take(rows)) for column in kept}))
    whole = pa.concat_tables([part.cast(parts[0].schema) for part in parts])
    numbers = np.concatenate([numbers, np.tile(numbers[first], len(more))])
    order = np.argsort(numbers, kind="stable")
    notes = [note for note in table.notes if not note.startswith(_ALWAYS)]
    notes += note_of_constants([name for name in constants if name not in more])
    return replace(table, data=whole.take(pa.array(order)), numbers=numbers[order], notes=tuple(notes), memo={})


def _who(table: TextTable) -> str | None:
    """Return the column of raters, or of their roles, of whom several stand beside one item, or who share the items out."""
    for column in table.columns:
        names = table.coded(column).names
        roles = {spaced(name) for name in names[:MOST_RATERS]} <= HUMAN_VALUES | JUDGE_VALUES and not is_label(table, column)
        if not (1 <= len(names) <= MOST_RATERS and (roles or names_raters(table, column))):
            continue
        several = len(names) > 1 and differs_on_items(table, column)
        if several or (PERSON.search(spaced(column)) and _shared_out(table, names)):
            return column
    return None


def _shared_out(table: TextTable, people: Sequence[str]) -> bool:
    """Return whether each of these people may have labelled some items alone, no column of labels being called after a turn."""
    called = {spaced(column) for column in label_columns(table)}
    of_turns = any(_TURN.search(words) for words in called) or called & set(map(spaced, people))
    return LEAST_SHARED * len(people) <= table.n_rows and not of_turns


def _criteria(table: TextTable, who: str) -> list[str]:
    labels = [column for column in label_columns(table) if column != who]
    known = {role_of_name(name) for name in table.coded(who).names} - {None}
    raters = any(map(role_of_column, labels)) or (
        any(wide.criterion for wide in split_names(labels)) and not _of_outputs(table, labels)
    )
    if not labels or (raters and len(known) < 2):
        return []
    said = {column: {normalise(name) for name in table.coded(column).names} for column in labels}
    scores = [said.get(column, set()) for column in table.columns if fold_name(column) == "score"]
    if not all(are_others_labels(names, said.values()) for names in scores):
        return []
    verdicts = [column for column in labels if _is_verdict(column, said) or _ANSWERED.match(column)]
    if len(verdicts) > 1:
        others = [c for c in without_unlikely(table, table.columns) if c not in (who, *labels)]
        others = [column for column in others if may_answer(table, column) or may_grade(table, column)]
        verdicts += [column for column in others if _tells_answers(table, column, who)]
    return [column for column in table.columns if column in verdicts]


def _of_outputs(table: TextTable, columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return output and criterion of columns that are each numbered output on each criterion: `summary_1_tone`; else nothing."""
    asked_of = _items_and_criteria(columns)
    outputs = {spaced(output) for output, criterion in asked_of if criterion}
    raters = any(known.search(output) for output in outputs for known in (RATER, ROLE, _AGAIN))
    whole = len(outputs) > 1 and all(_NUMBERED_OUTPUT.fullmatch(output) for output in outputs)
    return asked_of if whole and not raters and _OUTPUT not in table.columns else []


def _known_of_items(table: TextTable, who: str, criteria: Sequence[str]) -> list[str]:
    """Return columns that say the same of each item whoever rates it, where others do not: they are known of the items.

    Few items that differ from all others are agreed on by chance too, or are easy.
    """
    item = _item(table, who)
    if table.n_rows - n_keys(table, [item]) < FEWEST_ALIKE:
        return []
    alike = [
        column
        for column in criteria
        if n_keys(table, [item, column]) == n_keys(table, [item])
        and table.n_rows - np.bincount(table.coded(column).codes + 1).max() >= FEWEST_ALIKE
    ]
    return alike if len(criteria) - len(alike) > 1 else []


def _item(table: TextTable, who: str) -> str:
    return next((item for item in table.columns if item != who and ITEM.search(spaced(item))), table.columns[0])


def may_answer(table: TextTable, column: str) -> bool:
    """Return whether a column holds a few words, none known before, that a rater may have answered, by its name."""
    word, names = spaced(column), table.coded(column).names
    if not 2 <= len(names) <= MOST_SHARED or is_numeric(table, column) or is_id(table, column) or names_reasons(column):
        return False
    lists = any(mark in name for name in names for mark in ";|")
    return not (lists or any(known.search(word) for known in (RATER, GIVEN_BY, ROLE, BESIDE)) or tells_outputs(word))


def may_grade(table: TextTable, column: str) -> bool:
    """Return whether a column holds a few grades, and is not called after what rows are counted or put in order by."""
    word, names = spaced(column), table.coded(column).names
    if not 2 < len(names) <= MOST_SHARED or not is_numeric(table, column) or is_id(table, column):
        return False
    return are_grades(table, column) and not (_COUNTS.search(word) or BESIDE.search(word) or tells_outputs(word))


def _tells_answers(table: TextTable, column: str, who: str) -> bool:
    """Return whether raters of one item say different things in a column, and each not always the same.

    What is known of an item, or of a rater, is no answer.
    """
    return all(n_keys(table, [known, column]) > n_keys(table, [known]) for known in (_item(table, who), who))


def _is_verdict(column: str, said: Mapping[str, set[str]]) -> bool:
    """Return whether labels are what raters say: words of a verdict, or numbers that the last word of the name puts nowhere else.

    A run, a step or a length has numbers too; lengths are no counts where they are rated as other criteria are.
    """
    names, word = said[column], spaced(column)
    if all(meaning(name) is not None and not is_number(name) for name in names):
        return True
    if word.endswith(LENGTH) and are_others_labels(names, said.values()):
        return True
    last = word.rpartition(" ")[2] if all(map(is_number, names)) else word
    return not tells_outputs(last) and not BESIDE.search(last)


def _place_of_raters(table: TextTable) -> int | None:
    """Return the place of the column that names the raters, where all behind it are items; None where rows are no raters."""
    if table.merged is not None or not 2 <= table.n_rows <= MOST_RATERS:
        return None
    places = [place for place, column in enumerate(table.columns[:FEWEST_ITEMS]) if _names_raters(table, column)]
    for place in places:
        before = table.columns[:place]
        if all(TIME.search(spaced(column)) for column in before) and _are_items(
            table, table.columns[place + 1 :], known=place > 0
        ):
            return place
    return None


def _are_items(table: TextTable, columns: Sequence[str], *, known: bool) -> bool:
    """Return whether columns hold words of one small set, known ones where asked, and are more than the rows and the words."""
    if len(columns) <= max(table.n_rows, FEWEST_ITEMS - 1) or (known and not all(is_label(table, column) for column in columns)):
        return False
    said = [{normalise(name) for name in table.coded(item).names} for item in columns]
    shared = set[str]().union(*said)
    return all(said) and len(shared) <= MOST_SHARED and len(shared) < len(said)


def _items_and_criteria(columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the item and the criterion that each column asks about: of a grid where all ask the same its rows, on one criterion.

    Where all names are one of several parts before one of several others, the part that ends in a number is the item, else in a
    grid that of which there are more.
    """
    parts = [_OF_GRID.fullmatch(column) for column in columns]
    pairs = [(part[1].strip(), part[2].strip()) for part in parts if part]
    grid = len(pairs) == len(columns) == len(set(pairs))
    if grid and len({question for question, _ in pairs}) == 1:
        return [(row, "") for _, row in pairs]
    by_mark = next(crossings(columns), {})
    pairs = pairs if grid else [by_mark[column] for column in columns if column in by_mark]
    sides = [set(side) for side in zip(*pairs, strict=True)]
    if not sides or len(sides[0]) * len(sides[1]) != len(pairs) or min(map(len, sides)) < 2:
        return [(column, "") for column in columns]
    numbered = [all(name[-1:].isdigit() for name in side) for side in sides]
    if all(numbered) or not (grid or any(numbered)):
        return [(column, "") for column in columns]
    first = numbered[0] or (not numbered[1] and len(sides[0]) >= len(sides[1]))
    return pairs if first else [(item, criterion) for criterion, item in pairs]


def _names_raters(table: TextTable, column: str) -> bool:
    called = fold_name(column) in _CALLED or RATER.search(spaced(column)) is not None
    return called and is_unique(table, column) and len(table.coded(column).names) == table.n_rows

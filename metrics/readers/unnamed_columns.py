"""Columns that nobody named, found by their names and by what they hold: item, criterion, rater."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.vocabulary import is_preference
from metrics.readers.columns import CheckedColumns, Layout, choose_words, free_columns
from metrics.readers.crossing import AND, criterion_of, item_and_criterion_of, n_keys, with_joint
from metrics.readers.label_columns import is_label
from metrics.readers.messages import brief
from metrics.readers.names import CRITERION, EACH_ROW, ITEM, LABELLED, RATER, TIME, WHY, fold_name, spaced
from metrics.readers.outputs import INPUT, SHARED, tell_outputs_apart, tells_outputs
from metrics.readers.rater_roles import role_of_name
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_counter, is_nested, is_numeric, is_rating_id, is_unique

LONGEST_NAME = 80
"""Letters of a rater's name; what is longer is a text."""
WORDS_OF_TEXT = 4
"""Blanks from which a cell is a text."""
MOST_RATERS = 200
"""Names of a column up to which those of judges and others are looked for among them."""
MOST_NAMES = 1000
"""Names of a column that show whether they are texts."""
ABOUT_ITEM = re.compile(rf"\b({WHY})$")
"""A column of an item only where nothing else can be; a comment or a note may be what was judged."""
_REMARK = re.compile(r"\b(notes?|comments?|remarks?)$")
_OF_JUDGE = re.compile(r"\b(judge|grader|evaluator) \w")
"""What is said of a judge, or by it: who it is, where it stands in most rows."""
_OF_TEXTS = re.compile(r"source|creator")
"""Columns that name raters, or hold what was translated or summed up."""
_PARTICIPANTS = re.compile(r"participant|respondent|worker")
"""Columns of people who may be numbers; nobody calls a label so."""
_BY = re.compile(r"\bby$")
_ID = re.compile(r"\b(id|item|uuid)s? ?\d*\b")
FEWEST_IDS = 6
"""Ids from which it is no accident that two columns hold the same."""
ONE_EACH = 0.9
"""Different cells in a row, from which a column holds each item's own words."""
NO_ITEM = "No column holds the item's id. Name it ‘item’, or confirm that each row is an item of its own."


def complete_item(table: TextTable, layout: Layout) -> None:
    """Find the column of the item's id, or doubt that there is one."""
    if layout.columns.get("item") is not None:
        return
    free = [c for c in free_columns(table, layout) if not (is_constant(table, c) or is_nested(table, c) or is_rating_id(c))]
    rows_are_ratings = layout.shape == "raters" or bool(layout.missing) or bool({"criterion", "judge"} & set(layout.columns))
    others = [RATER, *([CRITERION] if "criterion" in layout.columns else [])]
    by_name = sorted(
        (c for c in free if ITEM.search(spaced(c)) and not any(other.search(spaced(c)) for other in others)),
        key=lambda c: is_unique(table, c) == rows_are_ratings,
    )
    prompt = layout.columns.get("prompt", "")
    if not by_name and fold_name(prompt) == "prompt" and is_unique(table, prompt):
        del layout.columns["prompt"]  # each row's own: what was asked, and none of several that a judge was asked with
        layout.guess("item", prompt)
        return
    if layout.shape == "raters":
        by_name = [c for c in by_name if not is_unique(table, c)] or by_name
    beside_rating = [layout.columns[role] for role in ("rater", "criterion", "judge", "run") if role in layout.columns]
    of_items = [column for column in free if not ABOUT_ITEM.search(spaced(column))] or free
    by_value = [column for column in of_items if is_unique(table, column) and not is_numeric(table, column)]
    first = [column for column in free[:1] if column in of_items and is_unique(table, column)]
    beside = beside_item(layout.columns)
    if beside and not by_value:
        by_value = [column for column in of_items[:1] if is_unique_on_each(table, column, beside)]
    only = free if layout.shape == "raters" and len(free) == 1 else []
    of_many = [
        c for c in free_columns(table, layout) if is_rating_id(c) and not is_unique(table, c) and not is_constant(table, c)
    ]
    by_rater = [column for column in of_items if layout.shape == "raters" and _is_rated_by_several(table, column, layout.columns)]
    by_rater.sort(key=lambda column: -len(table.raw(column)[1]))
    hits = by_name or first or by_value or by_rater or only or (of_many if layout.shape == "raters" else [])
    first_of_raters = free[:1] if layout.shape == "raters" else []
    hits = hits or [c for c in first_of_raters if is_unique_on_each(table, c, beside_rating, numbers=c == table.columns[0])]
    if hits:
        layout.guess("item", hits[0])
    elif layout.shape == "raters":
        layout.lack("item", f"No column holds the item's id. {choose_words(table, 'item')}")
    elif _only_labels(table, layout):
        layout.columns["item"] = EACH_ROW
        layout.notes.append("No column names the item: each row is an item of its own.")
    else:
        layout.guess("item", EACH_ROW)
        layout.doubt(NO_ITEM)


def doubt_side_by_side(table: TextTable, layout: Layout, stated: CheckedColumns) -> None:
    """Doubt that a row is one item, where a second column of ids holds the same ones in other rows."""
    item = layout.columns.get("item", "")
    if "item" in stated.columns or item not in table.columns or not is_unique(table, item):
        return
    ids = table.raw(item)[1]
    for column in free_columns(table, layout):
        others = table.raw(column)[1] if _ID.search(spaced(column)) and is_unique(table, column) else ()
        if len(others) == len(ids) >= FEWEST_IDS and _are_shuffled(ids, others):
            layout.doubt(
                f"‘{brief(item, 30)}’ and ‘{brief(column, 30)}’ hold the same ids in other rows: two tables side by side? "
                "Then the labels of one row are on two items. Save each table as a file of its own, and open both.",
                column=column,
            )


def _are_shuffled(ids: pa.StringArray, others: pa.StringArray) -> bool:
    """Return whether two columns, each without a repeated id, hold the same ids, mostly in other rows."""
    moved = pc.sum(pc.not_equal(ids, others)).as_py() or 0
    return bool(2 * moved > len(ids) and pc.all(pc.is_in(others, value_set=ids)).as_py())


def beside_item(columns: Mapping[str, str]) -> list[str]:
    """Return the columns by which an item has several rows."""
    return [columns[role] for role in ("criterion", "judge", "run") if role in columns]


def _only_labels(table: TextTable, layout: Layout) -> bool:
    return not free_columns(table, layout) and not {"criterion", "judge", "rater"} & set(layout.columns)


def is_unique_on_each(table: TextTable, column: str, beside: Sequence[str], *, numbers: bool = False) -> bool:
    """Return whether no value occurs twice beside the same criterion and judge, and values occur beside several.

    Parameters
    ----------
    table : TextTable
    column : str
    beside : sequence of str
    numbers : bool
        Whether whole numbers may be ids, as in the first column of a file.
    """
    item = table.coded(column)
    whole = numbers and all(map(str.isdigit, item.names))
    if (is_numeric(table, column) and not whole) or (item.codes < 0).any():
        return False
    keys = np.column_stack([table.coded(name).codes for name in (column, *beside)])
    return len(np.unique(keys, axis=0)) == table.n_rows > len(item.names)


def complete_rated_item(table: TextTable, layout: Layout) -> None:
    """Find what raters in a column that nobody named were asked of, where each row would be an item of its own otherwise."""
    if layout.columns.get("item") != EACH_ROW or "item" not in layout.guessed or "rater" in layout.columns:
        return
    trial = Layout("raters", {role: column for role, column in layout.columns.items() if role != "item"})
    guess_by(table, trial, "rater", RATER)
    complete_item(table, trial)
    item = trial.columns.get("item")
    if "rater" in trial.columns and item is not None and not is_unique(table, item):
        _take_item(layout, item)


def _take_item(layout: Layout, column: str) -> None:
    """Guess a column as the item in place of each row."""
    layout.guessed.remove("item")
    layout.doubts = [doubt for doubt in layout.doubts if doubt.sentence != NO_ITEM]
    layout.guess("item", column)


def _is_rated_by_several(table: TextTable, column: str, columns: Mapping[str, str]) -> bool:
    """Return whether raters give each value one label, and most values stand in several rows: those of one item."""
    beside = [columns[role] for role in ("rater", "criterion", "judge", "run") if role in columns]
    several = SHARED * len(table.raw(column)[1]) <= table.n_rows
    return several and "rater" in columns and _holds_texts(table, column) and is_unique_on_each(table, column, beside)


def _holds_texts(table: TextTable, column: str) -> bool:
    """Return whether most cells are texts: a batch or a day may be given to each rater too, and is no item."""
    names = table.head(column, MOST_NAMES)
    return 2 * sum(name.count(" ") >= WORDS_OF_TEXT for name in names) > len(names)


def guess_by(table: TextTable, layout: Layout, role: str, pattern: re.Pattern[str]) -> None:
    """Guess a role by the name of a free column."""
    free = [column for column in free_columns(table, layout) if not is_nested(table, column)]
    free.sort(key=lambda column: role == "criterion" and is_numeric(table, column))
    hits = (column for column in free if pattern is RATER or pattern.search(spaced(column)))
    hits = (column for column in hits if role not in ("rater", "label") or not is_constant(table, column))
    hits = (column for column in hits if role != "rater" or names_raters(table, column))
    hits = (column for column in hits if role != "criterion" or not _is_of_item(table, layout, column))
    hit = next((column for column in hits if role != "rater" or not is_counter(column) or _gave(table, column)), None)
    if hit is not None:
        layout.guess(role, hit)


def _is_of_item(table: TextTable, layout: Layout, column: str) -> bool:
    """Return whether each row is an item and nearly each has another cell here: its own words, on which nothing is counted."""
    item = layout.columns.get("item", "")
    each_row = item == EACH_ROW or (item in table.columns and is_unique(table, item))
    return each_row and len(table.raw(column)[1]) > ONE_EACH * table.n_rows


def names_raters(table: TextTable, column: str) -> bool:
    """Return whether a column is called after raters, or names some, and holds neither labels nor reasons nor other texts."""
    words = spaced(column)
    about = any(known.search(words) for known in (LABELLED, ABOUT_ITEM, _REMARK))
    numbered = ITEM.search(words) or _PARTICIPANTS.fullmatch(words)
    no_names = about or (is_label(table, column) and not numbered) or _says_which_is_better(table, column)
    if no_names or not (RATER.search(words) or _names_judge_beside_people(table, column)):
        return False
    if _OF_JUDGE.search(words) and 2 * int((table.coded(column).codes >= 0).sum()) < table.n_rows:
        return False
    names, of_texts = table.head(column, MOST_NAMES), _OF_TEXTS.fullmatch(words) is not None
    texts = sum(len(name) > LONGEST_NAME or name.count(" ") >= WORDS_OF_TEXT - of_texts for name in names)
    return 2 * texts <= len(names) or (2 * len(names) <= table.n_rows and not of_texts)


def _says_which_is_better(table: TextTable, column: str) -> bool:
    """Return whether cells are answers such as `model_1` and `tie`; letters may be raters too."""
    names = table.head(column, MOST_RATERS)
    return is_preference(names) and all(len(name) > 1 for name in names)


def _names_judge_beside_people(table: TextTable, column: str) -> bool:
    """Return whether cells name a judge and somebody else, both in rows of one item: who wrote an output is no rater."""
    names = table.head(column, MOST_RATERS + 1)
    if not 2 <= len(names) <= MOST_RATERS or CRITERION.search(spaced(column)) or not differs_on_items(table, column):
        return False
    if any(len(name) > LONGEST_NAME or name.count(" ") >= WORDS_OF_TEXT for name in names):
        return False
    roles = {role_of_name(name) for name in names}
    return "judge" in roles and len(roles) > 1 and ("human" in roles or not tells_outputs(column))


def _gave(table: TextTable, column: str) -> bool:
    """Return whether a column says by whom rows of one item are: of different labels, not of the item."""
    return _BY.search(spaced(column)) is not None and differs_on_items(table, column)


def differs_on_items(table: TextTable, column: str) -> bool:
    """Return whether rows of one item say different things in a column."""
    items = [item for item in table.columns if ITEM.search(spaced(item)) and not RATER.search(spaced(item))]
    beside = [item for item in (*items, *table.columns[:1]) if item != column]
    return any(n_keys(table, [item]) < n_keys(table, [item, column]) for item in beside)


def guess_criterion(table: TextTable, layout: Layout, stated: CheckedColumns) -> None:
    """Guess the column of the criterion, unless there is none; with that of the item where no name gives it away."""
    known = "criterion" in layout.columns or "criterion" in stated.none
    if not known:
        guess_by(table, layout, "criterion", CRITERION)
    tell_outputs_apart(table, layout, stated)
    table = with_joint(table, layout.columns)
    if not known or "criterion" in layout.guessed:
        _guess_by_content(table, layout, stated)


def _rank(table: TextTable, column: str) -> int:
    """Return how unlikely a column is to be the item: a text, then a number, a time, a reason."""
    words = spaced(column)
    return 3 if ABOUT_ITEM.search(words) else 2 if TIME.search(words) else int(is_numeric(table, column))


def _guess_by_content(table: TextTable, layout: Layout, stated: CheckedColumns) -> None:
    keys = [layout.columns[role] for role in ("judge", "rater") if role in layout.columns]
    free = [column for column in free_columns(table, layout) if not (is_constant(table, column) or is_nested(table, column))]
    item, criterion = (layout.columns.get(role) for role in ("item", "criterion"))
    if item == EACH_ROW and "item" in layout.guessed:
        likeliest = sorted(free, key=lambda column: _rank(table, column))
        both = item_and_criterion_of(table, keys, likeliest, free if criterion is None else [criterion])
        if both is not None and criterion is None and INPUT.search(spaced(both[1])):
            _take_item(layout, AND.join(both[::-1]))
        elif both is not None:
            _take_item(layout, both[0])
            if tells_outputs(both[1]):
                tell_outputs_apart(table, layout, stated)
            elif criterion is None:
                layout.guess("criterion", both[1])
    elif item is not None and item != EACH_ROW and criterion is None:
        free = [column for column in free if not (tells_outputs(column) or INPUT.search(spaced(column)))]
        criterion = criterion_of(table, [item, *keys], free)
        if criterion is not None:
            layout.guess("criterion", criterion)

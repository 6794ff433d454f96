"""What one of several files holds: its columns by role, and whose labels they are where no column says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from metrics.data.ratings import Role
from metrics.data.vocabulary import meaning
from metrics.readers.columns import CheckedColumns, Layout, exact_names, shape_of
from metrics.readers.counting import looks_like_counts, looks_like_grid
from metrics.readers.crossing import with_joint
from metrics.readers.formats import registry
from metrics.readers.guessing import is_long, layout_of, other_raters
from metrics.readers.guessing_columns import holds_verdicts
from metrics.readers.label_columns import MOST_SHARED, is_id, is_label, label_columns
from metrics.readers.labelling import MOST_LABELS
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.names import EACH_ROW, GIVEN_BY, HUMAN, ITEM, JUDGE, LABEL, OVERALL, RATER, spaced
from metrics.readers.outputs import MODEL, tell_judges_apart, tells_outputs
from metrics.readers.rater_roles import file_stem, role_of_column, role_of_file, role_of_giver, role_of_name, says_verdict
from metrics.readers.raters_as_rows import may_answer, may_grade, ratings_by_criterion
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_empty, without_unlikely
from metrics.readers.unnamed_columns import complete_item, complete_rated_item, differs_on_items, guess_by, guess_criterion
from metrics.readers.wide import wide_columns

SIDES: dict[str, Role | None] = {"label": None, "human": "human", "verdict": "judge"}
"""Roles of the one column of labels of a file, and whose labels it says they are."""
BESIDE = ("item", "criterion", "rater", "role", "score", "timestamp", "prompt", "run", "weight", "confidence")
"""Roles of other columns that such a file may have."""
UNNAMED = ("data", "DataFrame", "table")
"""Names of sources that are no files."""
ALL_ALIKE = "No column holds labels that differ."
_NUMBERED = re.compile(r" \(\d+\)$")


@dataclass(frozen=True, eq=False)
class FileLayout:
    """One of several files, and what its columns are taken for.

    Attributes
    ----------
    table : TextTable
    layout : Layout
        Of the shape pairs, wide or raters; the last may have its labels as `human` or `verdict`, and no column of raters.
    raters : dict of role to str
        Name of the rater of a column of labels where no column names raters, by the role of the column of labels.
    role : "human", "judge" or None
        Whose labels a file of the shape raters holds, where no column says so.
    roles : mapping of str to str
        Roles of raters, and meanings of roles, that were stated for this file.
    """

    table: TextTable
    layout: Layout
    raters: dict[str, str]
    role: Role | None
    roles: Mapping[str, str]

    @property
    def sides(self) -> tuple[str, ...]:
        """Roles of its columns of labels; none in a file with a column for each rater."""
        return tuple(side for side in SIDES if side in self.layout.columns)

    @property
    def criteria(self) -> tuple[str, ...]:
        """Criteria that the file names; that for which a tool names none is no criterion of its own."""
        column = self.layout.columns.get("criterion")
        names = () if column is None else self.table.coded(column).names
        names = () if self.table.format and names == (OVERALL,) else names
        return tuple(dict.fromkeys([*(wide.criterion for wide in wide_columns(self.layout.columns) if wide.criterion), *names]))

    @property
    def without_criterion(self) -> bool:
        """Return whether some of its labels are on no criterion that the file names."""
        wide = wide_columns(self.layout.columns)
        rows_named = "criterion" in self.layout.columns and bool(self.criteria)
        return not rows_named and (not wide or any(column.criterion is None for column in wide))

    @property
    def of_people(self) -> bool:
        """Return whether labels of the file are known as people's."""
        wide = any(column.role == "human" for column in wide_columns(self.layout.columns))
        return self.role == "human" or wide or "human" in self.layout.columns

    @property
    def of_judges(self) -> bool:
        """Return whether labels of the file are known as judges'."""
        wide = any(column.role == "judge" for column in wide_columns(self.layout.columns))
        return self.role == "judge" or wide or "verdict" in self.layout.columns

    @property
    def columns_of_file(self) -> list[str]:
        """Return its columns without the one that is made of several."""
        return [column for column in self.table.columns if column != self.layout.columns["item"]]

    def with_item_known(self) -> FileLayout:
        """Return the same, the column of the items being no guess any more; rows match always, and stay one."""
        if self.layout.columns["item"] == EACH_ROW:
            return self
        guessed = [role for role in self.layout.guessed if role != "item"]
        return replace(self, layout=replace(self.layout, guessed=guessed))

    @property
    def taken_for(self) -> str:
        """Return what the file is taken for, in words that follow "for"."""
        if self.table.format:
            return self.table.format
        wide = wide_columns(self.layout.columns)
        if wide and len({column.rater for column in wide}) == 1 and all(column.criterion for column in wide):
            return "one rater, one column per criterion"
        if wide:
            return "one column per rater"
        if self.layout.shape == "pairs":
            return "a column of the human and one of the judge"
        return "one rating per row" if "rater" in self.layout.columns else "one rater"


def file_layout(table: TextTable, stated: CheckedColumns) -> FileLayout:
    """Return what one of several files holds.

    Parameters
    ----------
    table : TextTable
    stated : CheckedColumns
        What was said about this file.

    Raises
    ------
    InputError
        For a table of counts or a tally, which have no items to join on.
    """
    if table.merged is not None:
        _refuse_without_items(table, "a tally")
    models = None if stated.columns or table.format else _column_of_judges(table, stated)
    table = with_joint(ratings_by_criterion(table, models) if models else table, stated.columns)
    table = with_rows(table) if stated.columns.get("item") == EACH_ROW else table
    layout = _one_sided(table, stated) or layout_of(table, stated)
    if layout.shape == "counts":
        _refuse_without_items(table, "a table of counts")
    if layout.shape == "pairs" and layout.missing:
        layout = _side(table, stated, next((side for side in SIDES if side in layout.columns), ""), layout)
    if layout.columns.get("item") == EACH_ROW and EACH_ROW not in table.columns:
        del layout.columns["item"]
        layout.guessed = [role for role in layout.guessed if role != "item"]
        layout.doubts = [doubt for doubt in layout.doubts if not doubt.sentence.startswith("No column holds the item")]
        layout.notes = []
        layout.lack("item", f"No column holds the item's id. Name it ‘item’, or choose one of {listed(table.columns, 8)}.")
    side = next((side for side in SIDES if side in layout.columns), "")
    table = with_joint(table, layout.columns)
    return FileLayout(table, layout, _unnamed(table, layout), _role(table, layout, side), stated.roles)


def with_rows(table: TextTable, first: int = 1) -> TextTable:
    """Return a table with a column of the places of its rows, which are the items where nothing else names them.

    Parameters
    ----------
    table : TextTable
    first : int
        The place of the first row.
    """
    numbers = np.arange(table.n_rows) if table.numbers is None else table.numbers - table.first_row
    places = pa.array((numbers + first).astype(str).tolist(), pa.string())
    others = table.data.drop_columns([EACH_ROW]) if EACH_ROW in table.columns else table.data
    return replace(table, data=others.append_column(EACH_ROW, places), memo={})


def _refuse_without_items(table: TextTable, what: str) -> None:
    refuse(f"{brief(table.name)} is {what}: it has no items to join on. Read it alone, or send the table it was counted from.")


def _one_sided(table: TextTable, stated: CheckedColumns) -> Layout | None:
    """Return the columns of a file with one column of labels, all of humans or all of judges; None for any other file."""
    named = {role: columns for role, columns in exact_names(table).items() if role not in stated.none}
    has = {**named, **stated.columns}
    if shape_of(stated, named, table.columns) in ("wide", "counts"):
        return None
    sides = [side for side in SIDES if side in has]
    if len(sides) > 1 or ("rater" in has and sides and sides != ["human"]):
        return None
    if not sides:
        return _guessed_side(table, stated, named)
    both = {role: columns[0] for role, columns in named.items() if role in ("human", "judge")}
    if sides == ["human"] and "judge" not in stated.columns and holds_verdicts(table, both, label_columns(table)):
        return None
    if sides == ["human"] and not stated.columns and not table.format and other_raters(table, named):
        return None
    if "rater" not in has and "judge" not in has and is_long(table, stated, named):
        return None
    return _side(table, stated, sides[0])


def _guessed_side(table: TextTable, stated: CheckedColumns, named: Mapping[str, list[str]]) -> Layout | None:
    """Return the columns of a file whose only column of labels is not named as such."""
    if not stated.columns and (looks_like_grid(table) or looks_like_counts(table) or _of_unusable_format(table)):
        return None
    taken = {*stated.columns.values(), *(column for role in BESIDE for column in named.get(role, []))}
    labels = [column for column in label_columns(table) if column not in taken]
    if labels and is_long(table, stated, named):
        return None
    if labels and "score" in named and all(_is_mostly_empty(table, column) for column in labels):
        labels = []
    elif not labels:
        free = [c for c in without_unlikely(table, table.columns) if c not in taken and not is_id(table, c)]
        free = [c for c in free if len(table.raw(c)[1]) <= 3 * MOST_LABELS]
        free = [c for c in free if not ("score" in named and RATER.search(spaced(c)))]
        likely = [column for column in free if any(words.search(spaced(column)) for words in (LABEL, HUMAN, JUDGE))]
        if len(likely) > 1:
            likely = [column for column in likely if not (RATER.search(spaced(column)) and is_constant(table, column))]
        labels = likely if len(likely) == 1 else free if len(free) == 1 and "score" not in named else []
        labels = _only_answer(table, free, stated.alike) or labels
    if not labels and len(named.get("score", [])) == 1:
        return _side(table, stated, "label", labels=named["score"][0])
    if len(labels) != 1:
        return None
    if _holds_keys(table):
        return _side(table, stated, "")
    column = labels[0]
    if [column] == named.get("judge") and is_label(table, column) and len(table.coded(column).names) <= MOST_SHARED:
        return _side(table, stated, "verdict", labels=column)
    side = {"human": "human", "judge": "verdict", None: "label"}[role_of_column(column)]
    layout = _side(table, stated, side, labels=column)
    layout.guessed.append(next(role for role, found in layout.columns.items() if found == column))
    return layout


def _holds_keys(table: TextTable) -> bool:
    """Return whether all columns of a table are ids, two or more, and what tells apart what was judged: nobody's labels."""
    words = list(map(spaced, table.columns))
    ids = [word for word in words if ITEM.search(word)]
    return len(ids) > 1 and all(word in ids or (tells_outputs(word) and not LABEL.search(word)) for word in words)


def _only_answer(table: TextTable, columns: Sequence[str], alike: Set[str]) -> list[str]:
    """Return the one column that raters may have answered in, where others say the same in every row of another file."""
    answers = [column for column in columns if column not in alike and (may_answer(table, column) or may_grade(table, column))]
    return answers if len(answers) == 1 and not alike.isdisjoint(columns) else []


def _is_mostly_empty(table: TextTable, column: str) -> bool:
    return bool(2 * np.count_nonzero(table.coded(column).codes >= 0) < table.n_rows)


def _of_unusable_format(table: TextTable) -> bool:
    form = registry.of_table(table)
    return form is not None and not form.usable


def _side(table: TextTable, stated: CheckedColumns, side: str, known: Layout | None = None, *, labels: str = "") -> Layout:
    """Return the columns of a file with one column of labels.

    Parameters
    ----------
    table : TextTable
    stated : CheckedColumns
    side : str
        Role of the column of labels; empty where there is none.
    known : Layout, optional
        What was found before as one of two columns of labels.
    labels : str
        The column of labels, where it neither carries the name of its role nor was stated.
    """
    named = exact_names(table)
    layout = Layout("pairs", dict(stated.columns), roles=dict(stated.roles))
    if side and side not in layout.columns:
        layout.columns[side] = labels or (known.columns if known else {}).get(side) or named[side][-1]
        if known and side in known.guessed:
            layout.guessed.append(side)
    for role in (*BESIDE, "judge"):
        free = [column for column in named.get(role, []) if column not in layout.columns.values()]
        if free and role not in layout.columns and role not in stated.none:
            layout.columns[role] = free[-1]
    if "judge" in layout.columns:
        layout.columns.setdefault("rater", layout.columns["judge"])
    judges = layout.columns.pop("judge", None)
    complete_item(table, layout)
    if "rater" not in stated.none and "item" not in stated.columns:
        complete_rated_item(table, layout)
    item = layout.columns.get("item")
    if "rater" not in layout.columns and "rater" not in stated.none and item is not None and _repeats(table, item):
        guess_by(table, layout, "rater", RATER)
        models = _column_of_judges(table, stated)
        if models and "rater" not in layout.columns and models not in layout.columns.values():
            layout.guess("rater", models)
    guess_criterion(table, layout, stated)
    if stated.other_files and layout.columns.get("item") in table.columns:
        alone = [column for column in table.columns if not any(column in other for other in stated.other_files)]
        tell_judges_apart(table, layout, stated, "rater", alone)
    _check_labels(table, layout, side)
    if judges is not None and side == "label":
        layout.columns["verdict"] = layout.columns.pop("label")
    return replace(layout, shape="raters")


def _check_labels(table: TextTable, layout: Layout, side: str) -> None:
    """Note that a file has no column of labels, or has them all empty."""
    if not side:
        if _holds_keys(table):
            layout.lack("label", "No column holds labels, only ids and what tells items apart. Leave the file out.")
            return
        choose = f"Name it ‘label’, or choose one of {listed(table.columns, 8)}."
        alike = _constant_labels(table)
        layout.lack("label", f"{ALL_ALIKE if alike else 'No column holds the label.'}{alike} {choose}")
    elif is_empty(table, layout.columns[side]):
        layout.lack("label", f"‘{brief(layout.columns[side], 30)}’ is empty in every row. Fill it in, or leave the file out.")


def _constant_labels(table: TextTable) -> str:
    """Return which columns hold one and the same verdict in every row, as a sentence; empty where none does."""
    alike = [column for column in table.columns if is_constant(table, column) and any(map(meaning, table.coded(column).names))]
    names = listed((f"‘{brief(column, 30)}’ is ‘{brief(table.coded(column).names[0], 20)}’" for column in alike), 4)
    return f" The same in every row: {names}." if alike else ""


def _column_of_judges(table: TextTable, stated: CheckedColumns) -> str | None:
    """Return the column of models that tells rows of one item apart and is in no other file: these are judges, no outputs."""
    alone = [column for column in table.columns if not any(column in other for other in stated.other_files)]
    for column in alone if stated.other_files else ():
        few = MODEL.search(spaced(column)) and 2 <= len(table.coded(column).names) <= MOST_LABELS
        if few and differs_on_items(table, column):
            return column
    return None


def _repeats(table: TextTable, column: str) -> bool:
    if column == EACH_ROW:
        return False
    codes, values = table.raw(column)
    return len(values) < len(codes)


def _unnamed(table: TextTable, layout: Layout) -> dict[str, str]:
    """Return names of raters whom no column names, by the role of their column of labels."""
    if layout.shape == "pairs":
        return {"human": "human", "verdict": "judge"}
    if layout.shape == "wide" or "rater" in layout.columns:
        return {}
    side = next((side for side in SIDES if side in layout.columns), "label")
    column = layout.columns.get(side, side)
    told_apart = _NUMBERED.sub("", table.name) in UNNAMED and column != "label"
    name = {"human": "human", "verdict": "judge"}.get(column, column) if told_apart else rater_of_file(table)[0]
    return {side: name}


def rater_of_file(table: TextTable) -> tuple[str, Role | None]:
    """Return who gave the labels of a file, where one column says it in all rows, else the file's name; and the role."""
    for column in table.columns:
        names = table.coded(column).names if GIVEN_BY.search(spaced(column)) else ()
        if len(names) == 1:
            return names[0], role_of_name(names[0]) or role_of_giver(column)
    stem = file_stem(table.name)
    return stem, role_of_file(stem)


def _role_of_raters(table: TextTable, column: str) -> Role | None:
    """Return the role that the name of a column of raters gives all of them; None where it says nothing, or a name else."""
    role = None if spaced(column) == "rater" else role_of_giver(column)
    others = {role_of_name(name) for name in table.coded(column).names} - {None, role}
    return None if others else role


def with_roles_told(files: Sequence[FileLayout]) -> list[FileLayout]:
    """Return the files of one rater each without a role where all are judges by the word ‘verdict’ alone: whoever gave them."""
    by_word = [file.role == "judge" and says_verdict(file.layout.columns.get("verdict", "")) for file in files]
    unknown = len(files) > 1 and all(by_word) and not any(rater_of_file(file.table)[1] for file in files)
    return [replace(file, role=None) for file in files] if unknown else list(files)


def _role(table: TextTable, layout: Layout, side: str) -> Role | None:
    """Return whose labels a file holds by the name of its column of labels, or of raters, else by its own name."""
    if layout.shape != "raters" or "role" in layout.columns or not side:
        return None
    if side == "verdict" and "rater" not in layout.columns and rater_of_file(table)[1] == "human":
        return "human"
    if SIDES[side] or "rater" in layout.columns:
        return SIDES[side] or _role_of_raters(table, layout.columns["rater"])
    column = layout.columns[side]
    return rater_of_file(table)[1] or (None if column == "label" else role_of_column(column))

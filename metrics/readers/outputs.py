"""Several outputs of one input, such as the answers of several models to one prompt: each output is an item of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow.compute as pc

from metrics.readers.columns import CheckedColumns, Layout, free_columns
from metrics.readers.crossing import AND, keys_of, n_keys, repeats, with_joint
from metrics.readers.messages import brief
from metrics.readers.names import EACH_ROW, ITEM, PERSON, spaced
from metrics.readers.rater_roles import role_of_name
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_nested, is_rating_id
from metrics.readers.wide import wide_columns

MODEL = re.compile(r"\b(models?|llm|engine|checkpoint)\b")
RUN = re.compile(r"\b(run|trial|seed|rep|repeat|repetition|replicate|sample|iteration|attempt|epoch)\b")
_OUTPUT = re.compile(
    r"\b(system|agent|assistant|bot|generator|provider|pipeline|variant|condition|arm|method|approach|strategy|config|"
    r"configuration|setting|version|prompt|template|temperature|turn|round|step|candidate|response|output|completion|answer|"
    r"experiment|language|lang)\b"
)
_SETTING = re.compile(
    r"\b(prompt|template|instructions?|rubric|temperature|temp|version|variant|config|configuration|setting|strategy|method|mode|"
    r"approach|effort|reasoning|thinking|shots?|persona)\b"
)
"""What a judge is asked with."""
INPUT = re.compile(
    r"\b(query|question|prompt|dialog|dialogue|conversation|session|thread|document|doc|article|file|repo|repository|patient|case)"
    r"( id)?$"
)
"""What several items are parts of, or answers to: no criterion."""
UNIT = re.compile(r"\b(claim|sentence|statement|span|segment|chunk|passage|paragraph|utterance|fact|quote|part)\b")
"""Parts of an item that are judged one by one."""
LONGEST = 80
"""Letters of a cell that may tell outputs apart; longer ones are the outputs themselves."""
LEFT = 0.05
"""Share of the repeated rows that may stay repeated: rows that were pasted twice."""
OFTEN = 0.2
"""Share of the rows that repeat an id with another label of people, from which that is no slip."""
MOST_CONDITIONS = 30
"""Different cells up to which a column without a telling name may tell outputs apart."""
SHARED = 1.5
"""Rows for each output, from which several raters rated most."""
FEWEST = 3
"""Repeated rows, from which it is no accident that people's labels are the same in all rows of an item."""


def tells_outputs(column: str) -> bool:
    """Return whether a column tells outputs of one input apart, by its name."""
    return any(words.search(spaced(column)) for words in (MODEL, RUN, _OUTPUT))


def tell_outputs_apart(table: TextTable, layout: Layout, stated: CheckedColumns) -> None:
    """Find what tells rows of one item apart, where no column says that they are of several raters or criteria.

    People's labels that differ from row to row are of different outputs: the columns that tell these apart make the item. Where
    an item has one label of people in all its rows, the rows are verdicts of several judges, or repeated runs of one.

    Parameters
    ----------
    table : TextTable
    layout : Layout
        Takes the guess.
    stated : CheckedColumns
    """
    item = layout.columns.get("item", "")
    made = bool(table.format) or table.merged is not None or table.join is not None
    if made or item not in table.columns or "item" in stated.columns:
        return
    table = with_joint(table, layout.columns)
    keys = [layout.columns[role] for role in ("criterion", "judge", "rater", "role", "run") if role in layout.columns]
    if not repeats(table, [item, *keys]):
        return
    differ = _people_differ(table, layout, [item, *(key for key in keys if key != layout.columns.get("judge"))])
    likely = [column for column in (*free_columns(table, layout), *_prompt(layout)) if _may_tell(table, column, stated)]
    named = [column for column in likely if tells_outputs(column) or ITEM.search(spaced(column))]
    others = any(columns != set(table.columns) for columns in stated.other_files)
    if differ is False and not (others and named):
        _judges_or_runs(table, layout, [item, *keys], named)
        if layout.shape == "pairs" and not {"judge", "run"} & set(layout.guessed):
            tell_judges_apart(table, layout, stated, "judge", table.columns)
        return
    parts = _output_id(table, layout, item, keys, named) or _conditions(table, item, keys, named)
    if not parts and _criteria_in_columns(layout):
        parts = _conditions(table, item, keys, [column for column in likely if len(table.raw(column)[1]) <= MOST_CONDITIONS])
    parts = parts or _rated_output(table, layout, item, keys, likely)
    parts = parts or _within_input(table, layout, item, keys) or _unit(table, layout, item, keys)
    if parts and _are_shared(table, layout, parts):
        make_item(layout, parts)
    elif differ and "item" in layout.guessed and not stated.other_files and _repeats_often(table, [item, *keys]):
        _make_rows_items(layout, item)
    elif layout.shape == "raters" and _only_judges_repeat(table, layout, [item, *keys]):
        tell_judges_apart(table, layout, stated, "rater", table.columns)


def tell_judges_apart(table: TextTable, layout: Layout, stated: CheckedColumns, role: str, columns: Sequence[str]) -> None:
    """Guess which columns together name the judge, where its settings tell the repeated rows of one item apart.

    Parameters
    ----------
    table : TextTable
    layout : Layout
        With the column of the items. It takes the guess, and that of the column of runs, where only the two together will do.
    stated : CheckedColumns
    role : "judge" or "rater"
    columns : sequence of str
        Those that may hold a judge, or a setting.
    """
    free = [column for column in (*free_columns(table, layout), *_prompt(layout)) if column in columns]
    if {role, "run"} & set(stated.columns) or role in stated.none or not any(_SETTING.search(spaced(column)) for column in free):
        return
    item, known = layout.columns["item"], layout.columns.get(role)
    keys = [layout.columns[other] for other in ("criterion", role, "role", "run") if other in layout.columns]
    if table.n_rows - n_keys(table, [item, *keys]) < FEWEST:
        return
    few = [column for column in free if 2 <= len(table.raw(column)[1]) <= MOST_CONDITIONS and _is_short(table, column)]
    models = [column for column in few if known is None and MODEL.search(spaced(column))]
    settings = [column for column in few if column not in models and _SETTING.search(spaced(column))]
    runs = [column for column in free if RUN.search(spaced(column)) and "run" not in layout.columns and column not in settings]
    for run in [], *([column] for column in runs):
        told = _conditions(table, item, [*keys, *run], [*models, *settings])[1:]
        if set(told) & set(settings):
            _make_judge(layout, role, [*filter(None, [known]), *told], run)
            return


def _prompt(layout: Layout) -> list[str]:
    """Return the column of the prompts, which may be those of the judge."""
    return [layout.columns["prompt"]] if "prompt" in layout.columns else []


def _make_judge(layout: Layout, role: str, parts: Sequence[str], run: Sequence[str]) -> None:
    """Take several columns together, or a setting alone, for what names the judge."""
    layout.guessed = [other for other in layout.guessed if other != role]
    layout.guess(role, AND.join(parts))
    if parts == _prompt(layout):
        del layout.columns["prompt"]
    for column in run:
        layout.guess("run", column)
    names = " and ".join(f"‘{brief(column, 30)}’" for column in parts)
    layout.notes.append(f"{names} {'name' if len(parts) > 1 else 'names'} the judge: each setting is a judge of its own.")


def _only_judges_repeat(table: TextTable, layout: Layout, keys: Sequence[str]) -> bool:
    """Return whether each repeated row is of a rater that is called like a judge, and somebody else has none."""
    if "rater" not in layout.columns or table.n_rows - n_keys(table, keys) < FEWEST:
        return False
    rater, (key, size) = table.coded(layout.columns["rater"]), keys_of(table, keys)
    judges = np.array([*(role_of_name(name) == "judge" for name in rater.names), False])[rater.codes]
    return not judges.all() and bool(judges[np.bincount(key, minlength=size)[key] > 1].all())


def make_item(layout: Layout, parts: Sequence[str]) -> None:
    """Guess several columns together as the item, and say what tells its rows apart.

    Parameters
    ----------
    layout : Layout
        Takes the guess.
    parts : sequence of str
        The first is the input of which there are several outputs.
    """
    if "item" in layout.guessed:
        layout.guessed.remove("item")
    layout.guess("item", AND.join(parts))
    several = "tell" if len(parts) > 2 else "tells"
    told, whole = "’, ‘".join(parts[1:]), parts[0]
    layout.notes.append(
        f"‘{told}’ {several} rows of one ‘{whole}’ apart: each output is an item of its own, and intervals of a judge leave out "
        f"whole groups by ‘{whole}’."
    )


def _repeats_often(table: TextTable, keys: Sequence[str]) -> bool:
    return table.n_rows - n_keys(table, keys) >= OFTEN * table.n_rows


def _make_rows_items(layout: Layout, item: str) -> None:
    """Take each row for an item, where people's labels of one id differ and nothing tells its rows apart."""
    layout.guessed.remove("item")
    layout.guess("item", EACH_ROW)
    layout.doubt(
        f"‘{brief(item, 30)}’ stands in several rows on which people’s labels differ, and no column tells these rows apart. Read "
        "as: each row is an item of its own."
    )


def _may_tell(table: TextTable, column: str, stated: CheckedColumns) -> bool:
    """Return whether a column may tell outputs apart, by its cells; one of joined files is in all of them."""
    here = all(column in columns for columns in stated.other_files)
    if not here or is_rating_id(column) or not _is_short(table, column):
        return False
    blank = pc.any(pc.equal(pc.utf8_trim_whitespace(table.raw(column)[1]), "")).as_py()
    return not (blank or is_constant(table, column) or is_nested(table, column))


def _is_short(table: TextTable, column: str) -> bool:
    """Return whether the cells of a column are no outputs, or prompts, themselves."""
    return bool((pc.max(pc.utf8_length(table.raw(column)[1])).as_py() or 0) <= LONGEST)


def _criteria_in_columns(layout: Layout) -> bool:
    """Return whether every column of labels is on a criterion of its own, so that no column can be that of the criterion."""
    wide = wide_columns(layout.columns)
    return bool(wide) and all(column.criterion for column in wide)


def _people_differ(table: TextTable, layout: Layout, keys: Sequence[str]) -> bool | None:
    """Return whether people's labels differ between rows of one item; None where the file has no people, or no judges."""
    if layout.shape == "pairs":
        people, judges = ([layout.columns[role]] if role in layout.columns else [] for role in ("human", "verdict"))
    else:
        wide = wide_columns(layout.columns)
        people, judges = ([one.column for one in wide if one.role == role] for role in ("human", "judge"))
    return n_keys(table, keys) < n_keys(table, [*keys, *people]) if people and judges else None


def _judges_or_runs(table: TextTable, layout: Layout, keys: Sequence[str], free: Sequence[str]) -> None:
    """Guess the column of the judges, or of the runs, where one makes every row a rating of its own."""
    if table.n_rows - n_keys(table, keys) < FEWEST:
        return
    wanted = (("judge", MODEL), ("run", RUN)) if layout.shape == "pairs" else (("run", RUN),)
    for role, words in wanted:
        hits = [column for column in free if words.search(spaced(column)) and not repeats(table, [*keys, column])]
        if role not in layout.columns and len(hits) == 1:
            layout.guess(role, hits[0])
            return


def _output_id(table: TextTable, layout: Layout, item: str, keys: Sequence[str], free: Sequence[str]) -> list[str]:
    """Return the item and the column of ids of its outputs, each of one item only; empty where there is none."""
    rows_are_outputs = layout.shape == "wide" or (layout.shape == "pairs" and not {"judge", "rater"} & set(layout.columns))
    ids = [column for column in free if ITEM.search(spaced(column)) and not PERSON.search(spaced(column))]
    ids = [column for column in ids if not repeats(table, [column, *keys])]
    ids = [column for column in ids if n_keys(table, [column]) == n_keys(table, [column, item])]
    return [item, ids[0]] if ids and rows_are_outputs else []


def _rated_output(table: TextTable, layout: Layout, item: str, keys: Sequence[str], free: Sequence[str]) -> list[str]:
    """Return the item and the column that names its outputs, which several raters rate once each; empty where there is none."""
    told = [column for column in free if layout.shape == "raters" and not repeats(table, [column, *keys])]
    told = [column for column in told if n_keys(table, [column]) == n_keys(table, [column, item])]
    told = [column for column in told if SHARED * n_keys(table, [column]) <= table.n_rows]
    return [item, told[0]] if told else []


def _within_input(table: TextTable, layout: Layout, item: str, keys: Sequence[str]) -> list[str]:
    """Return the column of what the items are parts of, such as a dialogue, and that of the items, numbered in it; else none."""
    inputs = [column for column in free_columns(table, layout) if INPUT.search(spaced(column)) and not is_constant(table, column)]
    wholes = [column for column in inputs if not repeats(table, [column, item, *keys]) and repeats(table, [column, *keys])]
    return [wholes[0], item] if wholes else []


def _unit(table: TextTable, layout: Layout, item: str, keys: Sequence[str]) -> list[str]:
    """Return the item and the column of its parts, such as its claims, that were judged one by one; empty where there is none."""
    free = [column for column in free_columns(table, layout) if UNIT.search(spaced(column)) and not is_nested(table, column)]
    units = [column for column in free if not repeats(table, [item, *keys, column])]
    return [item, units[0]] if units else []


def _are_shared(table: TextTable, layout: Layout, parts: Sequence[str]) -> bool:
    """Return whether half the outputs have several raters, where rows are ratings; runs of a judge alone have one."""
    rater = layout.columns.get("rater", "")
    if layout.shape != "raters" or not rater or is_constant(table, rater):
        return True
    outputs, size = keys_of(table, parts)
    first = np.unique(keys_of(table, [*parts, rater])[0], return_index=True)[1]
    raters = np.bincount(outputs[first], minlength=size)
    return bool(2 * np.count_nonzero(raters > 1) >= np.count_nonzero(raters))


def _conditions(table: TextTable, item: str, keys: Sequence[str], free: Sequence[str]) -> list[str]:
    """Return the item and the fewest columns beside it under which nearly no row is repeated; empty where none will do."""
    few = [column for column in free if 2 * len(table.raw(column)[1]) <= table.n_rows]
    repeated = table.n_rows - n_keys(table, [item, *keys])

    def enough(columns: Iterable[str]) -> bool:
        return table.n_rows - n_keys(table, [item, *keys, *columns]) <= LEFT * repeated

    if not few or not enough(few):
        return []
    for column in sorted(few, key=lambda column: len(table.raw(column)[1]), reverse=True):
        fewer = [other for other in few if other != column]
        if fewer and enough(fewer):
            few = fewer
    return [item, *few]

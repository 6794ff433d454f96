"""Labels that are in memory -> Ratings: two sequences, or two columns of a table, without a file in between."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from metrics.asker import literal
from metrics.data.checks import MAKES, named, ratings_within
from metrics.data.labels import AFTER_CLASSES
from metrics.data.ratings import Ratings, one_or_several
from metrics.data.vocabulary import Kind, are_letters, is_number, is_preference, meaning, normalise
from metrics.errors import InputError
from metrics.readers import build, open_table
from metrics.readers.bundles import is_table
from metrics.readers.frames import as_text, cells_sha256, series_array, text, texts
from metrics.readers.messages import brief, listed, refusal, refuse
from metrics.readers.names import EACH_ROW
from metrics.readers.proposal import LabelRow, Proposal
from metrics.readers.proposing import confirmed, propose
from metrics.readers.table import TextTable

Y_TRUE, Y_PRED, CRITERION = "y_true", "y_pred", "criterion"
SEQUENCES = f"{Y_TRUE} and {Y_PRED}"
"""What two sequences are called in messages and declarations."""
AS_TABLE = 'metrics.read(pandas.DataFrame({"human": y_true, "verdict": y_pred}), columns={"item": "#row"}, labels=…)'
"""Where their labels can be given meanings."""
Labels = Mapping[str, str]


def ratings_from(
    source: Any,
    y_pred: Any = None,
    *,
    human: str | Sequence[str] | None = None,
    judge: str | Sequence[str] | None = None,
    item: str | None = None,
    criterion: str | None = None,
    positive: Any = None,
) -> Ratings:
    """Return ratings of whatever `metrics.agreement` takes; ratings are given back as they are.

    Parameters
    ----------
    source : Ratings, table, path, or sequence of labels, length n
        A table is a pandas, Polars or PyArrow one, or a list of dicts; with `y_pred` the labels of the reference.
    y_pred : sequence of labels, length n, optional
        Those of the judge.
    human, judge : str or sequence of str, optional
        Columns of labels of a table; `metrics.read` finds them by their names where neither is given.
    item, criterion : str, optional
        Columns of a table; ``item="#row"`` says that every row is an item of its own.
    positive : label or sequence of labels, optional
        Which of the labels is the positive one.

    Raises
    ------
    InputError
        For anything else, with what may be given.
    """
    columns = {"human": human, "judge": judge, "item": item, "criterion": criterion}
    stated = [name for name, column in columns.items() if column is not None]
    if y_pred is not None:
        if stated:
            refuse(f"{stated[0]}= names a column of a table. With {SEQUENCES} leave it out.")
        if isinstance(source, Ratings):
            refuse(f"{Y_PRED} goes with {Y_TRUE}: give two sequences of labels, or ratings alone.")
        return read_sequences(source, y_pred, positive=positive)
    if isinstance(source, Ratings):
        if stated or positive is not None:
            refuse(f"{(*stated, 'positive')[0]}= is for a table. Of ratings it is said to metrics.read already.")
        return source
    if not (is_table(source) or _is_source(source)):
        refuse(_what_may_be_given(source))
    table = open_table(source)
    if human is None and judge is None:
        stated_columns = {name: str(column) for name, column in (("item", item), ("criterion", criterion)) if column is not None}
        return _built(table, stated_columns, positive, strict=True)
    if human is None or judge is None:
        refuse(f"{'human' if human is None else 'judge'}= is missing: name the column of labels of each side.")
    humans, judges = (list(map(str, one_or_several(names))) for names in (human, judge))
    return _of_columns(table, humans, judges, item, criterion, positive)


def read_sequences(y_true: Any, y_pred: Any, *, criterion: Any = None, positive: Any = None, symmetric: bool = False) -> Ratings:
    """Return ratings of two sequences of labels, each place an item of its own.

    Parameters
    ----------
    y_true, y_pred : sequence, length n
        Labels of the reference and of the judge: a list, a tuple, a NumPy array, a pandas or Polars Series, a PyArrow array.
        None and NaN are missing labels.
    criterion : sequence, length n, optional
        What each label is about.
    positive : label or sequence of labels, optional
    symmetric : bool
        Whether it does not matter which of two labels is the positive one, so that it need not be plain.

    Raises
    ------
    InputError
        For what is no sequence of labels, other lengths, and labels whose meaning is not plain.
    """
    arrays = {name: _labels(labels, name) for name, labels in ((Y_TRUE, y_true), (Y_PRED, y_pred))}
    if criterion is not None:
        arrays[CRITERION] = _labels(criterion, CRITERION)
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        sizes = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        refuse(f"{SEQUENCES} must have a label in each place: {sizes}.")
    if not lengths[Y_TRUE]:
        refuse(f"{SEQUENCES} are empty. Give at least one label on each side.")
    opened = as_text(pa.table(list(arrays.values()), names=list(arrays)), SEQUENCES, "")
    table = TextTable(SEQUENCES, cells_sha256(opened.data), opened.data, first_row=1, corner=Y_TRUE)
    columns = {"human": Y_TRUE, "verdict": Y_PRED, "item": EACH_ROW, "criterion": CRITERION if criterion is not None else ""}
    return _built(table, columns, positive, symmetric=symmetric)


def _of_columns(
    table: TextTable, humans: Sequence[str], judges: Sequence[str], item: str | None, criterion: str | None, positive: Any
) -> Ratings:
    """Return ratings of columns of labels that were named, one rater each."""
    twice = sorted(set(humans) & set(judges) & set(table.columns))
    if twice:
        refuse(f"‘{brief(twice[0])}’ is named as human= and as judge=. Name the column of labels of each side.")
    columns = {f"human:{name}": name for name in humans} | {f"judge:{name}": name for name in judges}
    columns |= {role: str(name) for role, name in (("item", item), ("criterion", criterion)) if name is not None}
    if "item" not in columns:
        columns |= _rows_as_items(table, columns)
    return _built(table, columns, positive)


def _rows_as_items(table: TextTable, columns: Labels) -> dict[str, str]:
    """Return that every row is an item of its own, where no column is called `item` and none repeats its names."""
    proposal = propose(table, columns)
    column = proposal.column("item")
    if "item" not in proposal.guessed or column is None:
        return {}
    if column == EACH_ROW or (
        "criterion" not in columns and column in table.columns and len(table.raw(column)[1]) == table.n_rows
    ):
        return {"item": EACH_ROW}
    raise refusal(
        f"{brief(table.name)}: does ‘{brief(column)}’ name the item? Say item={column!r}, or item={EACH_ROW!r} where every row "
        "is an item of its own.",
        column=column,
    )


def _built(table: TextTable, columns: Labels, positive: Any, *, symmetric: bool = False, strict: bool = False) -> Ratings:
    """Return the ratings of a table, the meaning of its labels settled as far as it is plain.

    Parameters
    ----------
    table : TextTable
    columns : mapping of role to column
    positive : label or sequence of labels, or None
    symmetric : bool
    strict : bool
        Whether what a file leaves in doubt is asked here too.
    """
    blank = {} if strict or not _has_blanks(table, columns) else {"": "missing"}
    proposal = propose(table, columns, blank or None)
    if positive is not None:
        sides = _sides(table, proposal, positive)
        two = [label for label in sides if label]
        proposal = propose(table, columns, blank | sides, scale="binary" if is_preference(two) else None)
    elif not strict and not [doubt for doubt in proposal.blocking if doubt.about != "labels"]:
        proposal = _settled(table, proposal, symmetric)
    try:
        return build(table, proposal)
    except InputError as error:
        if not proposal.blocking and error.about != "repeats":
            raise
        raise refusal(_answer_to(error, table, proposal), row=error.row, column=error.column) from None


def _answer_to(error: InputError, table: TextTable, proposal: Proposal) -> str:
    """Return the refusal with how it is answered here: which columns hold the labels; else where all can be said."""
    of_columns = any(doubt.about in ("columns", "roles") for doubt in proposal.blocking)
    if of_columns and proposal.shape in ("pairs", "wide") and not table.parts:
        columns = listed(table.columns, 12)
        return f"{brief(table.name)}: whose labels are in which column? Name them by human= and judge=. Its columns: {columns}."
    made = AS_TABLE if table.name == SEQUENCES else MAKES
    return f"{error} Say it to metrics.read: metrics.agreement({made})."


def _has_blanks(table: TextTable, columns: Labels) -> bool:
    label_columns = [column for role, column in columns.items() if ":" in role or role in ("human", "verdict")]
    return any((table.coded(column).codes < 0).any() for column in label_columns if column in table.columns)


def _settled(table: TextTable, proposal: Proposal, symmetric: bool) -> Proposal:
    """Return the proposal without the doubts that only a file raises: several classes are classes."""
    doubtful = [row for row in proposal.labels if row.in_doubt]
    sides = _classes(proposal)
    _refuse_fractions(table, doubtful)
    if doubtful and len(sides) <= 2 and all(row in sides for row in doubtful):
        if not symmetric:
            refuse(_which_is_positive(table, [row.label for row in sides]))
        kinds: tuple[Kind, ...] = ("positive", "negative")
        given = {row.label: kind for row, kind in zip(sides, kinds, strict=False)}
        rows = tuple(replace(row, kind=given.get(row.label, row.kind)) for row in proposal.labels)
        return confirmed(replace(proposal, labels=rows))
    labels = [row.label for row in sides]
    preferences = not symmetric and is_preference(labels) and not are_letters(labels)
    several = len(sides) > 2 and doubtful == sides and not preferences and not all(map(_is_verdict, labels))
    between = not BETWEEN.isdisjoint(normalise(row.label) for row in sides)
    if several and (between or all(map(_can_be_class, sides))):
        rows = tuple(replace(row, kind="class") if row in sides else row for row in proposal.labels)
        return confirmed(replace(proposal, labels=rows))
    alike = all(row.kind == "class" for row in sides) and all(row in sides and _is_name(row.label) for row in doubtful)
    return confirmed(proposal) if alike else proposal


BETWEEN = frozenset(("positive", "negative", "entailment", "contradiction"))
"""Classes between which `neutral` is one too, and no missing verdict."""


def _can_be_class(row: LabelRow) -> bool:
    """Return whether a label in doubt is a verdict in any case: a word without a known meaning, or with two of verdicts."""
    return meaning(row.label) is None or "no verdict" not in row.sentence


def _is_verdict(label: str) -> bool:
    """Return whether a label says yes or no by itself, so that several of them are two labels in several words."""
    means = meaning(label)
    return means is not None and means.certain and means.kind in ("positive", "negative")


def _is_name(label: str) -> bool:
    """Return whether a label can be nothing but a class: a number, or a word without a meaning of its own."""
    return is_number(label) or meaning(label) is None


def _classes(proposal: Proposal) -> list[LabelRow]:
    """Return the labels that may be verdicts: all but those that are abstentions and the like without a doubt."""
    return [row for row in proposal.labels if row.label and (row.in_doubt or row.kind not in AFTER_CLASSES)]


def _refuse_fractions(table: TextTable, rows: Sequence[LabelRow]) -> None:
    """Refuse numbers that are scores, for no two of them need be equal."""
    for row in rows:
        try:
            number = float(row.label)
        except ValueError:
            continue
        if not number.is_integer():
            refuse(
                f"{brief(table.name)}: numbers such as {brief(row.label, 30)} are scores, not labels. Read them by "
                'metrics.read(…, scale="continuous") and compare them by metrics.scores.'
            )


def _which_is_positive(table: TextTable, labels: Sequence[str]) -> str:
    names = " and ".join(f"‘{brief(label, 30)}’" for label in labels)
    which = f"which of {names} is the positive label is" if len(labels) > 1 else f"whether {names} is the positive label is"
    return f"{brief(table.name)}: {which} not plain. Say it, for example positive={brief(literal(labels[0]), 40)}."


def _sides(table: TextTable, proposal: Proposal, positive: Any) -> dict[str, str]:
    """Return the meaning of both sides where one is stated; abstentions and the like keep theirs.

    The positive label need not occur where at most one other does, as in a part of the data.
    """
    stated = [text(label) for label in (positive if isinstance(positive, list | tuple | set | frozenset) else [positive])]
    if not stated:
        refuse(f"{brief(table.name)}: positive= names no label. Leave it out, or name the positive one.")
    forms = {normalise(label) for label in stated}
    rest = [row for row in _classes(proposal) if normalise(row.label) not in forms]
    if len(rest) < 2 or all(row.kind == "negative" and not row.in_doubt for row in rest):
        return dict.fromkeys(stated, "positive") | {row.label: "negative" for row in rest}
    labels = listed((f"‘{row.label}’" for row in rest), 8)
    if not forms & {normalise(row.label) for row in proposal.labels}:
        refuse(f"{brief(table.name)}: no label is ‘{brief(stated[0])}’, which positive= names. Labels: {labels}.")
    raise refusal(
        f"{brief(table.name)}: {labels} are several labels beside the positive one. Leave positive= out to compare all of them, "
        "or make them two labels first."
    )


def _labels(labels: Any, name: str) -> pa.Array | pa.ChunkedArray:
    """Return a sequence of labels as an Arrow array.

    Raises
    ------
    InputError
        For what is no sequence with one dimension.
    """
    shape = getattr(labels, "shape", (0,))
    if isinstance(labels, pa.Table | pa.RecordBatch) or (isinstance(shape, tuple) and len(shape) != 1):
        refuse(f"{name} must be a sequence of labels, not {named(labels)} with {len(shape)} dimensions. Give one column of it.")
    if isinstance(labels, pa.Array | pa.ChunkedArray):
        return _plain(labels, name)
    if isinstance(labels, pd.Series):
        return _plain(series_array(labels), name)
    for protocol, make in (("__arrow_c_stream__", pa.chunked_array), ("__arrow_c_array__", pa.array)):
        if hasattr(labels, protocol):
            return _plain(make(labels), name)
    if isinstance(labels, np.ma.MaskedArray):
        hidden = np.ma.getmaskarray(labels).tolist()
        labels = [None if masked else label for label, masked in zip(labels.data.tolist(), hidden, strict=True)]
    if hasattr(labels, "__array__"):
        labels = np.asarray(labels)
        return _plain(_array(labels.tolist() if labels.dtype == object else labels), name)
    if isinstance(labels, str | bytes | Mapping) or not isinstance(labels, Sequence):
        refuse(
            f"{name} must be a sequence of labels: a list, a tuple, a NumPy array, a pandas or Polars Series or a PyArrow array, "
            f"not {named(labels)}."
        )
    return _plain(_array(labels), name)


def _array(labels: Any) -> pa.Array:
    """Return labels at once where they are of one type, else each as a person would type it."""
    try:
        return pa.array(labels, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return texts(text(label) for label in labels)


def _plain(array: pa.Array | pa.ChunkedArray, name: str) -> pa.Array | pa.ChunkedArray:
    if pa.types.is_nested(array.type):
        refuse(f"{name} must hold one label in each place, not lists or records.")
    return array


def _is_source(source: Any) -> bool:
    """Return whether a source is a file, or several files and tables; labels alone are none."""
    if isinstance(source, list | tuple):
        return all(is_table(one) or (_is_file(one) and not _is_word(one)) for one in source)
    return _is_file(source)


def _is_file(source: Any) -> bool:
    return isinstance(source, str | bytes | bytearray | memoryview) or hasattr(source, "__fspath__") or hasattr(source, "read")


def _is_word(source: Any) -> bool:
    """Return whether a text of a list is a label rather than a path: it has no ending and names nothing that exists."""
    ending = Path(source).suffix[1:] if isinstance(source, str) else ""
    return isinstance(source, str) and (not ending or ending.isdigit()) and not os.path.exists(source)  # noqa: PTH110 - of a text of any length


def _what_may_be_given(source: Any) -> str:
    if within := ratings_within(source, "agreement"):
        return f"agreement cannot take {named(source)} alone{within}"
    return (
        f"agreement cannot take {named(source)} alone. Give ratings ({MAKES}), a path, a pandas, Polars or PyArrow table or a "
        f"list of dicts, with human= and judge= where its columns have other names; or two sequences of labels, "
        f"{Y_TRUE} and {Y_PRED}."
    )

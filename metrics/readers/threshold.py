"""A judge that gives numbers where people say yes or no: the number from which its answer is positive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.asker import flag
from metrics.data.labels import AFTER_CLASSES, DEFAULT_NEGATIVE, DEFAULT_POSITIVE
from metrics.data.memo import memoised
from metrics.data.ratings import Shape
from metrics.data.threshold import Threshold, threshold_in
from metrics.data.vocabulary import ANSWERING_FAMILIES, Kind, is_inverted, is_number, meaning
from metrics.readers.labelling import check_kinds
from metrics.readers.measuring import numbers_in, numbers_of
from metrics.readers.messages import brief, listed
from metrics.readers.proposal import Doubt, Proposal
from metrics.readers.rater_roles import KINDS, Stated, roles_of_rows
from metrics.readers.table import Coded, TextTable, column_of
from metrics.readers.wide import wide_columns

AS_NUMBER = "{} (number)"
"""Name of the column of numbers that the labels were made of."""
TWO = 2
ZERO_AND_ONE = {0.0, 1.0}
FEW = 10
"""Rows below which 0 and 1 may be two steps of a longer scale, or its ends."""
Bools = NDArray[np.bool_]


def notes_on(threshold: Threshold | None, shape: Shape, columns: Mapping[str, str]) -> tuple[str, ...]:
    """Return what became of the judges' numbers; nothing without a threshold."""
    which = listed((f"‘{brief(column, 30)}’" for column in judged_columns(shape, columns)), 3)
    return () if threshold is None else (f"A judge’s number ({which}) counts as positive where it is {threshold.words}.",)


def thresholded(table: TextTable, proposal: Proposal) -> tuple[TextTable, Proposal]:
    """Return the table with labels in the place of the judges' numbers, as proposed, and the proposal of that table."""
    stated = dict(proposal.how.labels) | ({proposal.threshold: "positive"} if proposal.threshold else {})
    threshold, others = threshold_in(stated)
    table, columns = with_threshold(
        table, proposal.shape, dict(proposal.columns), dict(proposal.roles), threshold, check_kinds(others)
    )
    how = replace(proposal.how, labels=tuple(stated.items()))
    return table, replace(proposal, columns=tuple(columns.items()), how=how)


def judged_columns(shape: Shape, columns: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns that hold labels of a judge; of a table of raters the one of all labels."""
    if shape == "wide":
        return tuple(wide.column for wide in wide_columns(columns) if wide.role == "judge")
    return tuple(columns[role] for role in {"pairs": ("verdict",), "raters": ("label",)}.get(shape, ()) if role in columns)


def proposed_threshold(
    table: TextTable, shape: Shape, columns: Mapping[str, str], stated: Stated
) -> tuple[Threshold, Doubt] | None:
    """Return the middle of the judges' numbers, where people give words and judges give numbers, with the question.

    None where a number was given a meaning, where 0 and 1 alone are labels already, or where either side gives something else.

    Parameters
    ----------
    table : TextTable
    shape : "pairs", "raters", "wide" or "counts"
    columns : mapping of role to column
    stated : mapping of role to role
        Of raters, as `roles_of_rows` takes it.
    """
    judged, others = _sides(table, shape, columns, stated)
    words = [name for name in others if _decides(name)]
    numbers = numbers_of([name for name in judged if is_number(name)])
    said = [name for name in judged if not is_number(name) and _decides(name)]
    if said or len(words) != TWO or len(numbers) < TWO or set(numbers.tolist()) == ZERO_AND_ONE:
        return None
    beyond = numbers.max() > 1 or bool((numbers % 1 > 0).any())
    of_longer_scale = len(numbers) > TWO and beyond and table.n_rows >= FEW
    as_numbers = [word for word in words if is_number(word)]
    if as_numbers and not (of_longer_scale and set(numbers_of(as_numbers)) == ZERO_AND_ONE):
        return None
    low, high, bad = float(numbers.min()), float(numbers.max()), shape != "raters" and _count_faults(shape, columns, words)
    threshold = replace(Threshold.between(numbers), above=not bad)
    which = listed((f"‘{brief(column, 30)}’" for column in judged_columns(shape, columns)), 3)
    side = "By its name a high number is bad. Say up to which number" if bad else "Say from which number on"
    sentence = (
        f"The judge gives numbers from {low:g} to {high:g} ({which}) and people say {listed(words, 2)}. {side} the judge’s "
        "answer is positive. A threshold that is chosen by these labels flatters the judge."
    )
    if as_numbers:
        answer = flag("--scale", "continuous", "so under “Change columns, labels or scales”")
        sentence += f" Where both are numbers of one scale, say {answer}."
    return threshold, Doubt(sentence, "labels", column=judged_columns(shape, columns)[0])


def _count_faults(shape: Shape, columns: Mapping[str, str], words: Sequence[str]) -> bool:
    """Return whether a judge’s numbers are of something bad by their names, where a word of people says which side is good."""
    families = {known.family for known in map(meaning, words) if known is not None}
    return all(map(is_inverted, judged_columns(shape, columns))) and bool(families - ANSWERING_FAMILIES - {""})


def _decides(name: str) -> bool:
    """Return whether a label is a verdict, as far as the vocabulary knows it."""
    known = meaning(name)
    return known is None or known.kind not in AFTER_CLASSES


def _sides(table: TextTable, shape: Shape, columns: Mapping[str, str], stated: Stated) -> tuple[list[str], list[str]]:
    """Return the different labels of judges, and those of people."""
    if shape == "raters":
        coded, kinds = table.coded(columns["label"]), roles_of_rows(table, columns, stated)
        rows = [(kinds == KINDS.index(who)) & (coded.codes >= 0) for who in ("judge", "human")]
        judged, people = ([coded.names[code] for code in np.unique(coded.codes[of])] for of in rows)
        return judged, people
    human = [wide.column for wide in wide_columns(columns) if wide.role == "human"]
    human += [columns["human"]] if shape == "pairs" and "human" in columns else []
    judged, people = (
        list(dict.fromkeys(name for column in side for name in table.coded(column).names))
        for side in (judged_columns(shape, columns), human)
    )
    return judged, people


def with_threshold(
    table: TextTable,
    shape: Shape,
    columns: Mapping[str, str],
    stated: Stated,
    threshold: Threshold | None,
    given: Mapping[str, Kind],
) -> tuple[TextTable, dict[str, str]]:
    """Return the table with labels in the place of the judges' numbers, and its columns with those numbers as scores.

    Parameters
    ----------
    table : TextTable
    shape : "pairs", "raters", "wide" or "counts"
    columns : mapping of role to column
    stated : mapping of role to role
        Of raters, as `roles_of_rows` takes it.
    threshold : Threshold or None
        None changes nothing.
    given : mapping of label to kind
        Stated meanings, by which the labels of people are found.

    Returns
    -------
    table : TextTable
    columns : dict
        With `score`, where a row is a rating and no column held it. Wide tables have no scores.
    """
    judged = judged_columns(shape, columns)
    if threshold is None or not judged:
        return table, dict(columns)
    key = ("threshold", shape, tuple(columns.items()), tuple(stated.items()), threshold, tuple(given.items()))
    return memoised(table, key, lambda: _with_threshold(table, shape, columns, stated, threshold, given))


def _with_threshold(
    table: TextTable,
    shape: Shape,
    columns: Mapping[str, str],
    stated: Stated,
    threshold: Threshold,
    given: Mapping[str, Kind],
) -> tuple[TextTable, dict[str, str]]:
    names = _names(_sides(table, shape, columns, stated)[1], given)
    by_row = shape == "raters"
    rows = roles_of_rows(table, columns, stated) == KINDS.index("judge") if by_row else np.ones(table.n_rows, bool)
    data, used, score = table.data, dict(columns), columns.get("score")
    for column in judged_columns(shape, columns):
        labels = table.coded(column)
        numbers = numbers_in(table, column)[labels.codes]
        of_label = rows & ~np.isnan(numbers)
        if shape != "wide":
            beside = labels if score in (None, column) else table.coded(score or column)
            used["score"] = _free_name(AS_NUMBER.format(column), data.column_names)
            data = data.append_column(used["score"], _scores(labels, beside, of_label))
            numbers = np.where(labels.codes < 0, numbers_in(table, score or column)[beside.codes], numbers)
        positive = np.where(threshold.positive(numbers), len(labels.names), len(labels.names) + 1)
        codes = np.where(rows & ~np.isnan(numbers), positive, labels.codes)
        data = data.set_column(data.column_names.index(column), column, column_of(codes, [*labels.names, *names]))
    return replace(table, data=data, memo={}), used


def _free_name(name: str, taken: Sequence[str]) -> str:
    return name if name not in taken else _free_name(f"{name} ’", taken)


def _scores(labels: Coded, beside: Coded, of_label: Bools) -> pa.DictionaryArray:
    """Return the numbers in the place of labels, and elsewhere the column of scores; empty where that is the labels' own."""
    others = np.where((beside.codes < 0) | (beside is labels), -1, beside.codes + len(labels.names))
    return column_of(np.where(of_label, labels.codes, others), [*labels.names, *beside.names])


def _names(people: list[str], given: Mapping[str, Kind]) -> tuple[str, str]:
    """Return the labels of people that are positive and negative; the usual ones where several are, or none is known."""
    kinds = {name: given.get(name, known.kind if (known := meaning(name)) else None) for name in people}
    sides = [[name for name, kind in kinds.items() if kind == side] for side in ("positive", "negative")]
    if [len(side) for side in sides] == [1, 1]:
        return sides[0][0], sides[1][0]
    return DEFAULT_POSITIVE, DEFAULT_NEGATIVE

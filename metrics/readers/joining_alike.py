"""Files of one form that hold both sides each, batches or criteria; and a person’s labels that a second file repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from metrics.data.vocabulary import normalise
from metrics.readers.joining_files import FileLayout
from metrics.readers.label_columns import FEWEST_MATCHED
from metrics.readers.messages import brief, listed
from metrics.readers.name_parts import told_apart
from metrics.readers.names import EACH_ROW
from metrics.readers.rater_roles import file_stem
from metrics.readers.wide import wide_columns

LEAST_APART, FEWEST_APART = 0.05, 3
"""Share and number of the labels of people in which two files differ, from which these are labels of two questions, no slips."""


@dataclass(frozen=True)
class Alike:
    """How files of one form belong together.

    Attributes
    ----------
    criteria : tuple of str
        What each file is about; none where they are batches of items.
    """

    criteria: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        if self.criteria:
            return f"Each file is a criterion, called like the file: {listed(map(brief, self.criteria), 4)}."
        return "The files have the same columns and no item in common: they are read one below the other."


def how_alike(files: Sequence[FileLayout]) -> Alike | None:
    """Return how files belong together that have the same columns and hold people and judges each; None for any others.

    Where no item is in two files they are batches. Where people label the same items otherwise, and no file names a criterion,
    each is one, called like its file: beside the same labels of people they would be several judges.

    Parameters
    ----------
    files : sequence of FileLayout
        With the columns of their items known.
    """
    first = files[0].layout
    if len(files) < 2 or any(file.layout.shape != first.shape or file.layout.columns != first.columns for file in files):
        return None
    if "rater" not in first.columns and not (files[0].of_people and files[0].of_judges):
        return None
    items = [set(file.table.coded(file.layout.columns["item"]).names) for file in files]
    if not any(one & other for one, other in combinations(items, 2)):
        return Alike()
    names = told_apart([file_stem(file.table.name) for file in files])
    named = all(names) and len(set(names)) == len(names)
    return Alike(tuple(names)) if named and all(file.without_criterion for file in files) and _are_apart(files) else None


def _are_apart(files: Sequence[FileLayout]) -> bool:
    """Return whether the labels of people in every two files that share some are those of two questions."""
    layout, words = files[0].layout, dict[str, int]()
    people = [column.column for column in wide_columns(layout.columns) if column.role == "human"]
    labels = people or [layout.columns[side] for side in ("human", "label") if side in layout.columns]
    keys = [layout.columns[role] for role in ("item", "rater") if role in layout.columns]
    said = [[_places(file, [*keys, label], words) for file in files] for label in labels[:1]]
    pairs = [_shared_and_apart(one, other, len(words)) for of_label in said for one, other in combinations(of_label, 2)]
    shared = [(n, apart) for n, apart in pairs if n]
    return bool(shared) and all(apart >= max(FEWEST_APART, LEAST_APART * n) for n, apart in shared)


def _places(file: FileLayout, columns: Sequence[str], words: dict[str, int]) -> NDArray[np.int64]:
    """Return the place of each cell of the rows that are filled among all words, shape (n, n_columns)."""
    places = []
    for column in columns:
        coded = file.table.coded(column)
        of_name = [words.setdefault(normalise(name), len(words)) for name in coded.names]
        places.append(np.array([*of_name, -1], np.int64)[coded.codes])
    rows = np.column_stack(places)
    return rows[(rows >= 0).all(axis=1)]


def _shared_and_apart(one: NDArray[np.int64], other: NDArray[np.int64], n_words: int) -> tuple[int, int]:
    """Return how many labels two files give to the same, and on how many of them they differ."""
    keys = [rows[:, :-1] @ n_words ** np.arange(rows.shape[1] - 1) for rows in (one, other)]
    _, here, there = np.intersect1d(*keys, return_indices=True)
    return len(here), int(np.count_nonzero(one[here, -1] != other[there, -1]))


def labels_by_item(file: FileLayout, column: str) -> dict[str, str]:
    """Return the cells of a column by item, folded; without empty cells, and of a file without ids nothing."""
    item = file.layout.columns.get("item", EACH_ROW)
    if item in (EACH_ROW, column) or not {item, column} <= set(file.table.columns):
        return {}
    coded, items = file.table.coded(column), file.table.coded(item)
    labels, cells = [*map(normalise, coded.names)], zip(items.codes, coded.codes, strict=True)
    return {items.names[at]: labels[label] for at, label in cells if min(at, label) >= 0}


def name_copies(files: Sequence[FileLayout], names: Sequence[dict[str, str]]) -> None:
    """Give the person of a file the name that a person has elsewhere by a column of the same name and the same labels.

    Parameters
    ----------
    files : sequence of FileLayout
    names : sequence of dict of role to str
        Names of the raters whom no column names, of each file; changed where a person is another file's.
    """
    for file, of_file in zip(files, names, strict=True):
        side = next(iter(of_file), "")
        if file.layout.shape != "raters" or file.role != "human" or not side:
            continue
        column = file.layout.columns[side]
        for other, of_other in zip(files, names, strict=True):
            name = "" if other is file else _name_of_person(other, column, of_other)
            if name and _says_the_same(file, other, column):
                of_file[side] = name


def _name_of_person(file: FileLayout, column: str, names: Mapping[str, str]) -> str:
    """Return the name of the person whose labels a column of a file holds beside a judge's; empty where it holds none."""
    if file.layout.shape == "pairs":
        return names.get("human", "") if file.layout.columns.get("human") == column else ""
    people = [wide for wide in wide_columns(file.layout.columns) if wide.role == "human" and wide.criterion is None]
    return next((wide.rater for wide in people if wide.column == column and file.of_judges), "")


def _says_the_same(file: FileLayout, other: FileLayout, column: str) -> bool:
    """Return whether two files say the same of every item that both have in a column, of more than an accident would have it."""
    one, another = (labels_by_item(of, column) for of in (file, other))
    shared = one.keys() & another.keys()
    return len(shared) >= FEWEST_MATCHED and all(one[item] == another[item] for item in shared)

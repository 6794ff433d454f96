"""A person's labels that a second file repeats beside a judge's: one person, and not two who always agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics.data.vocabulary import normalise
from metrics.readers.joining_files import FileLayout
from metrics.readers.label_columns import FEWEST_MATCHED
from metrics.readers.names import EACH_ROW
from metrics.readers.wide import wide_columns


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

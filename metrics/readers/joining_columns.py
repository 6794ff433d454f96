"""What was said of columns, file by file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from metrics.readers.columns import CheckedColumns, check_columns
from metrics.readers.crossing import parts_of
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.names import EACH_ROW, fold_name
from metrics.readers.table import TextTable


def columns_by_file(parts: Sequence[TextTable], columns: Mapping[str, str]) -> tuple[list[CheckedColumns], dict[str, str]]:
    """Return what was said of the columns of each file, and what concerns all of them."""
    stated: list[dict[str, str]] = [{} for _ in parts]
    common = {}
    for key, value in columns.items():
        file, role = addressed(key, parts)
        if file is not None:
            stated[file][role] = value
        elif fold_name(role.partition(":")[0]) == "role" and ":" in role:
            common[key] = value
        else:
            for place in _having(parts, str(value)):
                stated[place].setdefault(role, value)
    checked = [check_columns(part, of_part) for part, of_part in zip(parts, stated, strict=True)]
    others = [tuple(frozenset(other.columns) for other in parts if other is not part) for part in parts]
    alike = [frozenset[str]().union(*(_alike(part, other) for other in parts if other is not part)) for part in parts]
    of_files = zip(checked, others, alike, strict=True)
    return [replace(one, other_files=of_one, alike=same) for one, of_one, same in of_files], common


def _alike(table: TextTable, other: TextTable) -> frozenset[str]:
    """Return the columns that say the same in every row of two tables."""
    if table.format or other.format or table.n_rows != other.n_rows:
        return frozenset()
    both = (column for column in table.columns if column in other.columns)
    return frozenset(column for column in both if table.data[column].equals(other.data[column]))


def addressed(key: str, parts: Sequence[TextTable]) -> tuple[int | None, str]:
    """Return the file that a key of `columns` names, and the role."""
    for place in sorted(range(len(parts)), key=lambda place: -len(parts[place].name)):
        if key.startswith(f"{parts[place].name}:"):
            return place, key[len(parts[place].name) + 1 :]
    return None, key


def _having(parts: Sequence[TextTable], column: str) -> list[int]:
    """Return the files that have a column; what the columns of a known tool mean is not said for all files alike.

    Every file has rows.
    """
    plain = [place for place, part in enumerate(parts) if not part.format]
    if column in ("", EACH_ROW):
        return plain
    having = [place for place in plain if _has(parts[place].columns, column)]
    if not having:
        known = listed(dict.fromkeys(name for part in parts for name in part.columns), 12)
        refuse(f"No file has a column ‘{brief(column)}’. They have: {known}.", column=column)
    return having


def _has(columns: Sequence[str], column: str) -> bool:
    return fold_name(column) in map(fold_name, columns) or bool(parts_of(column, columns))

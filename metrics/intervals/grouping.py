"""Columns of the file above the item, such as a prompt: several items to a value."""

from __future__ import annotations

from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.cluster import clusters_of
from metrics.intervals.methods import PLACES

GROUP_ROLES = ("", "prompt", "run", "timestamp")
"""Roles of columns that may group items; the others say what a verdict is."""


def grouping_columns(ratings: Ratings) -> dict[str, tuple[int, int]]:
    """Return column to (groups, items), of the columns with one value in each item and fewer values than items."""
    return memoised(ratings, ("grouping columns",), lambda: _grouping(ratings))


def _grouping(ratings: Ratings) -> dict[str, tuple[int, int]]:
    table = ratings.table
    if table is None or not ratings.has_items:
        return {}
    roles = {name: role for role, name in ratings.columns}
    names = [name for name in table.column_names if name not in PLACES and roles.get(name, "") in GROUP_ROLES]
    few = [name for name in names if len(table[name].unique()) < ratings.n_items]
    groups_by_name = {name: _groups(ratings, name) for name in few}
    return {name: (groups, ratings.n_items) for name, groups in groups_by_name.items() if groups}


def _groups(ratings: Ratings, name: str) -> int:
    """Return groups that a column makes of the items; 0 where it makes none, or one of each."""
    try:
        clusters = clusters_of(ratings, name)
    except InputError:
        return 0
    return 0 if clusters.single else clusters.n

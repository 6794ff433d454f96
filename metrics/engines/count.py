"""Rows to patterns of items, by group-bys that every engine has; no row of the source is ever collected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from metrics.asker import flag
from metrics.engines.engine_gaps import Frame, cell, collected, is_blank, is_coded, lazily, table_as_frame, texts_of, typed_as
from metrics.engines.grids import Grid, grids_of
from metrics.engines.planning import Plan, plan_of
from metrics.engines.repeats import Repeats
from metrics.engines.tally import ItemTally
from metrics.engines.unique_items import Combinations, UniqueItems
from metrics.readers.delimited import check_header
from metrics.readers.frames import as_text
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable
from metrics.results.words import count as counted

HEAD = 100_000
"""Rows, from the first, whose names give the names of the tally their order."""
# More of them come of free text or ids, not of names and labels.
MOST_COMBINATIONS = 1_000_000
# With more of them a tally is about as large as the table.
MOST_KINDS = 5_000_000
Told = Callable[[str], None]


def count_frame(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    grid: Mapping[str, float | str] | None = None,
    name: str = "table",
    head: TextTable | None = None,
    progress: Told | None = None,
) -> ItemTally:
    """Return the tally of a frame of any engine that Narwhals knows.

    Parameters
    ----------
    source : frame of pandas, Polars (eager or lazy), PyArrow, DuckDB, Dask or PySpark
    columns : mapping of role to column, optional
        As `metrics.read` takes it.
    keep : sequence of str
        Columns above the item that the tally keeps, such as a topic: the same in all rows of an item.
    grid : mapping of column to step, optional
        Steps that numbers are rounded to. Without one, numbers of more than 1,000 levels get the step that leaves so many.
    name : str
        What the source is called.
    head : Table, optional
        Its first rows, where they are known better than by asking for them.
    progress : callable, optional
        Gets a line after each step.

    Raises
    ------
    InputError
        Where a column is in doubt, a rating is given twice, or what is counted has too many kinds to be a tally.
    """
    frame = _trimmed(lazily(source), name)
    first = as_text(collected(frame.head(HEAD)), name, "") if head is None else replace(head, name=name)
    plan = plan_of(first, columns, keep)
    return _Counting(frame, plan, first, progress or (lambda line: None), dict(grid or {})).tally()


def _trimmed(frame: Frame, name: str) -> Frame:
    names = frame.collect_schema().names()
    given = dict(zip(names, check_header(list(names), name), strict=True))
    return frame.rename({old: new for old, new in given.items() if old != new}) if list(given) != list(given.values()) else frame


@dataclass
class _Counting:
    frame: Frame
    plan: Plan
    head: TextTable
    on_step: Told
    steps: dict[str, float | str]
    grids: dict[str, Grid] = field(default_factory=dict)

    def tally(self) -> ItemTally:
        schema = self.frame.collect_schema()
        self.grids = grids_of(self.frame, self.plan, self.head, self.steps)
        names = {column: f"k{place}" for place, column in enumerate(self.plan.used)}
        cells = [
            (self.grids[column].cell if column in self.grids else cell(column, schema[column])).alias(alias)
            for column, alias in names.items()
        ]
        rows = self.frame.select(*cells, *self._item(schema), *self._stamp())
        group_counts = collected(rows.group_by("blank", *names.values()).agg(nw.len().alias("n")).head(MOST_COMBINATIONS + 1))
        if not group_counts.num_rows:
            refuse(f"{brief(self.plan.name)} has column names but no rows.")
        if group_counts.num_rows > MOST_COMBINATIONS:
            self._refuse_many(group_counts, names)
        combinations = Combinations.of(self.plan, self.head, self._as_texts(group_counts, names, schema), group_counts)
        self.on_step(
            f"{counted(combinations.n_rows)} rows hold {counted(group_counts.num_rows)} combinations of names and labels."
        )
        left_out = combinations.left_out(self._blank_rows(schema) if combinations.nameless else 0)
        if not combinations.kept.any():
            reasons = "; ".join(f"{n} × {why}" for why, n in left_out)
            refuse(f"No row of {brief(self.plan.name)} can be used: {reasons}. Check the columns.")
        kinds, more = self._kinds(rows, combinations, group_counts.select([*names.values()]))
        self.on_step(f"{counted(kinds.n_items)} items are of {counted(len(kinds.times))} kinds.")
        return ItemTally.of(self.plan, combinations, kinds, (*left_out, *more), {c: grid.step for c, grid in self.grids.items()})

    def _item(self, schema: Any) -> list[nw.Expr]:
        item = self.plan.item
        if item is None:
            return [nw.lit(False).alias("blank")]
        kind = schema[item]
        expr = cell(item, kind) if kind.is_float() or is_coded(kind) else nw.col(item)
        return [expr.alias("item"), is_blank(item, kind).alias("blank")]

    def _stamp(self) -> list[nw.Expr]:
        return [] if self.plan.stamp is None else [nw.col(self.plan.stamp).alias("stamp")]

    def _as_texts(self, table: pa.Table, names: Mapping[str, str], schema: Any) -> pa.Table:
        texts = {
            column: self.grids[column].texts_of(table[alias]) if column in self.grids else texts_of(table[alias], schema[column])
            for column, alias in names.items()
        }
        return pa.table({column: pa.array(cells, pa.string()) for column, cells in texts.items()})

    def _refuse_many(self, table: pa.Table, names: Mapping[str, str]) -> None:
        sizes = {column: len(table[alias].unique()) for column, alias in names.items()}
        most = max(sizes, key=lambda column: sizes[column])
        refuse(
            f"The columns of {brief(self.plan.name)} have more than {counted(MOST_COMBINATIONS)} combinations of values; "
            f"‘{brief(most)}’ alone has {counted(sizes[most])}. Is it free text, or an id? Say what the columns are, with "
            f"{flag('--columns')}.",
            column=most,
        )

    def _blank_rows(self, schema: Any) -> int:
        """Return rows without an item that have nothing in any column."""
        blank = self.frame
        for column in schema.names():
            blank = blank.filter(is_blank(column, schema[column]))
        return int(collected(blank.select(nw.len().alias("n")))["n"][0].as_py())

    def _kinds(self, rows: Frame, combinations: Combinations, keys: pa.Table) -> tuple[UniqueItems, tuple[tuple[str, int], ...]]:
        """Return patterns with the number of their items, and rows left out for a later one."""
        if self.plan.item is None:
            return combinations.each_row(), ()
        lazy_frame = rows.filter(~nw.col("blank")) if combinations.nameless else rows
        # left out here are only combinations; nothing finds no partner by mistake, for no key is ever missing
        summands = combinations.summands(keys)
        joined = lazy_frame.join(table_as_frame(self.frame, typed_as(summands, lazy_frame)), on=keys.column_names, how="inner")
        per_item = combinations.per_item(joined)
        kinds = self._patterns(per_item, combinations)
        repeats = Repeats(self.plan, self.frame, joined, per_item, combinations)
        repeats.refuse_changing(kinds)
        more: tuple[tuple[str, int], ...] = ()
        if kinds.repeated(combinations.words).any():
            latest, more = repeats.latest_ratings()
            kinds = self._patterns(combinations.per_item(latest), combinations)
        if kinds.n_rows(combinations.words) + sum(n for _, n in more) != combinations.n_kept:
            raise AssertionError("rows were lost between two steps of counting")
        return kinds, more

    def _patterns(self, per_item: Frame, combinations: Combinations) -> UniqueItems:
        keys = combinations.sum_names
        pattern_counts = collected(per_item.group_by(*keys).agg(nw.len().alias("n")).head(MOST_KINDS + 1))
        if pattern_counts.num_rows > MOST_KINDS:
            refuse(
                f"{brief(self.plan.name)} has more than {counted(MOST_KINDS)} kinds of items, so a tally would be about as large "
                f"as the table. Count it on fewer criteria or raters, or round its numbers with {flag('--grid')}."
            )
        table = np.column_stack([pattern_counts[name].to_numpy().astype(np.int64) for name in keys])
        return UniqueItems.sorted(table, pattern_counts["n"].to_numpy().astype(np.int64), len(combinations.words))

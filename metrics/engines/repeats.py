"""Ratings given twice: one where they say the same, else the latest by the clock, else refused. No row is the last one here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from metrics.asker import flag
from metrics.data.vocabulary import means_nothing
from metrics.engines.engine_gaps import BLANKS, Frame, collected, is_coded
from metrics.engines.planning import Plan
from metrics.engines.unique_items import Combinations, UniqueItems
from metrics.readers.excluded_rows import REPEATED
from metrics.readers.frames import text
from metrics.readers.messages import brief, refuse

_DAY = r"(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
_LEAP = r"(?:[1-9]\d(?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[13579][26])00)-02-29"
_HOUR = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?"
ISO = rf"^(?:[1-9]\d{{3}}-{_DAY}|{_LEAP})(?:[T ]{_HOUR}(?:Z|\+00:00)?)?$"
"""Times of the calendar; the reader of rows knows no other, and takes what is none for the earliest."""
# Decimals of a digit as text: more than any has, as a slot holds at most `MOST_COMBINATIONS` different things.
DIGITS = 10
MOST_DIGITS = 10**DIGITS - 1
_TIME = nw.col("time")
SHORTER = (
    nw.when(_TIME.str.contains(".", literal=True)).then(_TIME.str.replace_all(r"\.?0+$", "")).otherwise(_TIME),
    nw.when(_TIME.str.contains(r":\d{2}:00$")).then(_TIME.str.replace_all(r":00$", "")).otherwise(_TIME),
    _TIME.str.replace_all(r" 00:00$", ""),
)
"""One spelling of each time: no zeros at the end of a fraction, no seconds that are none, no midnight.

Dask spells typed times too as each part of a frame needs it.
"""


@dataclass(frozen=True, eq=False)
class Repeats:
    """Rows of items with their summands (`joined`), and the sums of every item."""

    plan: Plan
    frame: Frame
    joined: Frame
    per_item: Frame
    combinations: Combinations

    def refuse_changing(self, kinds: UniqueItems) -> None:
        """Refuse a column to keep that is not the same on all rows of an item."""
        if not self.plan.keep:
            return
        changing = np.flatnonzero(kinds.kept[:, 0] != kinds.kept[:, 1])
        if not len(changing):
            return
        lazy_frame = self._of(kinds, int(changing[0]))
        item = collected(lazy_frame.select("item").head(1))["item"][0].as_py()
        pair = self.combinations.above[kinds.kept[changing[0]]]
        column = self.plan.keep[int(np.argmax(pair[0] != pair[1]))]
        place = self.plan.keep.index(column)
        names = (*self.combinations.names[column], "")
        values = [brief(names[code], 40) for code in pair[:, place]]
        refuse(
            f"‘{brief(column)}’ cannot be kept: item ‘{brief(text(item), 40)}’ has ‘{values[0]}’ in one row and ‘{values[1]}’ in "
            "another. Only what is the same in all rows of an item lies above it.",
            column=column,
        )

    def _of(self, kinds: UniqueItems, place: int) -> Frame:
        """Return the items of one kind."""
        lazy_frame = self.per_item
        for name, value in zip(self.combinations.sum_names, [*kinds.words[place], *kinds.kept[place]], strict=True):
            lazy_frame = lazy_frame.filter(nw.col(name) == int(value))
        return lazy_frame

    def latest_ratings(self) -> tuple[Frame, tuple[tuple[str, int], ...]]:
        """Return of every rating that was given again the latest, as rows to add up, and how many rows that leaves out.

        Raises
        ------
        InputError
            Where its times cannot be put in order, or two differ that no time tells apart.
        """
        time = nw.lit("") if self.plan.stamp is None else self._time()
        digit = (nw.col("digit") + 10**DIGITS).cast(nw.String)
        other = (nw.lit(10**DIGITS + MOST_DIGITS, nw.Int64) - nw.col("digit")).cast(nw.String)
        # A column of its own, shortened step by step: Dask looks into an expression anew wherever it is used.
        rows = self.joined.with_columns(time.alias("time"))
        for shorter in SHORTER:
            rows = rows.with_columns(shorter.alias("time"))
        # a tab is less than whatever a longer time goes on with: a blank before the hours, a colon, a point
        rows = rows.with_columns(
            nw.concat_str("time", digit, separator="\t").alias("last"),
            nw.concat_str("time", other, separator="\t").alias("least"),
        )
        gaps = ("gap",) if self.combinations.empty_words.any() else ()
        names = ("word", "unit", "place", *gaps)
        by_slot = rows.group_by("item", "slot").agg(
            nw.col("last").max(),
            nw.col("least").max(),
            nw.len().alias("n"),
            *(nw.col(name).max() for name in names),
            *([nw.col("keep").max()] if self.plan.keep else []),
        )
        lazy_frame = by_slot.with_columns(_digit("last"), (MOST_DIGITS - _digit("least")).alias("least"))
        if gaps:
            self._refuse_gaps(lazy_frame.filter((nw.col("n") > 1) & (nw.col("gap") > 0)))
        self._refuse_equal(lazy_frame.filter(nw.col("last") != nw.col("least")))
        summed = collected(lazy_frame.select(nw.col("n").sum().alias("n"), nw.len().alias("m")))
        left = int(summed["n"][0].as_py()) - int(summed["m"][0].as_py())
        rows = lazy_frame.with_columns((nw.col("unit") + nw.col("place") * nw.col("last")).alias("v"))
        return rows, ((REPEATED, left),)

    def _time(self) -> nw.Expr:
        """Return times as text whose order is theirs."""
        kind = self.frame.collect_schema()[str(self.plan.stamp)]
        expr = nw.col("stamp")
        if kind.is_integer():
            self._refuse_times(nw.col("stamp") < 0)
            # Dask has no number for one that is missing, not even where it is not asked for
            number = expr.fill_null(0).cast(nw.Int64) + 10**18
            return nw.when(expr.is_null()).then(nw.lit("")).otherwise(number.cast(nw.String))
        if kind in (nw.Date, nw.Datetime):
            time = self._universal(expr, kind).cast(nw.String).fill_null("")
        elif kind == nw.String or is_coded(kind):
            time = expr.cast(nw.String).fill_null("").str.strip_chars(BLANKS)
            self._refuse_times((time != nw.lit("")) & ~time.str.contains(ISO))
        else:
            self._refuse_times(~expr.is_null())
            return nw.lit("")
        time = time.str.replace_all("T", " ", literal=True).str.replace_all("Z", "", literal=True)
        return time.str.replace_all("+00:00", "", literal=True)

    def _universal(self, expr: nw.Expr, kind: Any) -> nw.Expr:
        """Return times of a zone as those of UTC: where clocks are set back, an hour of the day comes twice."""
        # of these two a session has one zone, and they cannot leave it
        engine = self.frame.implementation
        if kind == nw.Date or kind.time_zone is None or engine.is_duckdb() or engine.is_spark_like():
            return expr
        return expr.dt.convert_time_zone("UTC")

    def _refuse_times(self, wrong: nw.Expr) -> None:
        stamps = collected(self.joined.filter(wrong).select("stamp").head(1))
        if stamps.num_rows:
            value = brief(text(stamps["stamp"][0].as_py()), 40)
            refuse(
                f"{brief(self.plan.name)} gives ratings twice, and ‘{value}’ in ‘{brief(self.plan.stamp)}’ is no time that can "
                "be put in order. Write times as 2026-01-31T12:00:00Z, or leave out the rows that no longer hold.",
                column=self.plan.stamp,
            )

    def _refuse_gaps(self, twice: Frame) -> None:
        """Refuse a later word for no rating: it takes nothing back, and only a person can say that a word is one."""
        gap_rows = collected(twice.select("item", "gap").head(1))
        if not gap_rows.num_rows:
            return
        row, plan = gap_rows.to_pylist()[0], self.plan
        codes = self.combinations.values[int(row["gap"]) - 1]
        column_words = [
            (column, self.combinations.names[column][code])
            for column, code, is_label in zip(plan.values, codes, plan.is_label, strict=True)
            if is_label and code >= 0 and means_nothing(self.combinations.names[column][code])
        ]
        column, word = column_words[0]
        refuse(
            f"Item ‘{brief(text(row['item']), 40)}’ of {brief(plan.name)} has a rating twice, and in one of these rows "
            f"‘{brief(column, 30)}’ is ‘{brief(word, 20)}’, which means that there is none. Leave such cells empty, so that none "
            "of them is taken for the later rating.",
            column=column,
        )

    def _refuse_equal(self, differing: Frame) -> None:
        tied_rows = collected(differing.select("item", "slot", "last", "least").head(1))
        if not tied_rows.num_rows:
            return
        row = tied_rows.to_pylist()[0]
        start = np.searchsorted(self.combinations.digits[:, 0], int(row["slot"]))
        values = [int(self.combinations.digits[start + int(row[name]), 1]) for name in ("least", "last")]
        self._refuse_two(text(row["item"]), int(row["slot"]), values)

    def _refuse_two(self, item: str, slot: int, values: list[int]) -> None:
        plan, names = self.plan, self.combinations.names
        of_slot = zip(plan.keys, self.combinations.slots[slot], strict=False)
        where = "".join(f", {brief(column, 30)} ‘{brief(names[column][code], 40)}’" for column, code in of_slot if code >= 0)
        rows = self.combinations.values[values]
        place = int(np.argmax(rows[0] != rows[1]))
        column = plan.values[place]
        labels = [brief((*names[column], "")[code], 40) for code in rows[:, place]]
        when = "" if plan.stamp is None else f", both latest at the same ‘{brief(plan.stamp, 30)}’"
        mend = (
            f"Name a column of times ({flag('--columns', {'timestamp': 'COLUMN'})}) and the latest counts, leave"
            if plan.stamp is None
            else "Leave"
        )
        refuse(
            f"Item ‘{brief(item, 40)}’ of {brief(plan.name)}{where}: ‘{brief(column, 30)}’ is ‘{labels[0]}’ in one row and "
            f"‘{labels[1]}’ in another{when}. When rows are counted, none of them is "
            f"the last. {mend} out the rows that no longer "
            "hold, or say what tells them apart (judge, rater, run).",
            column=column,
        )


def _digit(name: str) -> nw.Expr:
    expr: nw.Expr = nw.col(name).str.tail(DIGITS + 1).cast(nw.Int64) - 10**DIGITS
    return expr.alias(name)

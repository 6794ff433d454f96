"""Distinct combinations of names and labels as slots and digits, and the kinds of items that come out of their sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.vocabulary import means_nothing
from metrics.engines.bit_packing import Word, packed
from metrics.engines.engine_gaps import Frame
from metrics.engines.planning import Plan
from metrics.readers.excluded_rows import BLANK, CODE_ROW, IN_ORDER, NO_CRITERION, NO_ITEM, NO_RATER, NO_ROLE, OTHER_ROLE
from metrics.readers.measuring import numbers_of
from metrics.readers.rater_roles import rater_roles, role_of_value
from metrics.readers.table import NO_LABEL, TextTable
from metrics.readers.unlabelled import LABELLED, NOTHING, NUMBER_ALONE, SCORED

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class UniqueItems:
    """Kinds of items in lexicographic order: sums of each word, the code of what is kept (least and greatest), and items."""

    words: Ints
    kept: Ints
    times: Ints

    @staticmethod
    def sorted(table: Ints, times: Ints, n_words: int) -> UniqueItems:
        """Return kinds in lexicographic order.

        Parameters
        ----------
        table : ndarray of int64, shape (n, n_words + columns kept)
            Sums of each word, then codes of what is kept; each row once.
        times : ndarray of int64, shape (n,)
            Items of each kind.
        n_words : int
        """
        order = np.lexsort(table.T[::-1])
        return UniqueItems(table[order, :n_words], table[order, n_words:], times[order])

    @property
    def n_items(self) -> int:
        return int(self.times.sum())

    def repeated(self, words: list[Word]) -> Bools:
        """Return which kinds have a slot that was filled twice."""
        mask: Bools = np.any([word.repeated(self.words[:, place]) for place, word in enumerate(words)], axis=0)
        return mask

    def n_rows(self, words: list[Word]) -> int:
        """Return rows of all items together."""
        return sum(int(self.times @ (self.words[:, place] // word.row)) for place, word in enumerate(words))


@dataclass(frozen=True, eq=False)
class Combinations:
    """The distinct rows of the columns that count, as codes.

    Attributes
    ----------
    names : mapping of column to tuple of str
        Names in the order of the file, without the empty one.
    reasons : tuple of str
        Of each combination why it is left out; empty where it counts.
    slots, values, above : ndarray of int64, shape (n, columns)
        Distinct codes of the keys with what is filled, of the values, and of the columns that are kept; -1 is an empty cell.
    slot, value, keep : ndarray of int64
        Of each combination its place among these; -1 where it is left out.
    digit : ndarray of int64
        Place of its values among those of its slot.
    """

    plan: Plan
    names: dict[str, tuple[str, ...]]
    n: Ints
    nameless_rows: Bools
    reasons: tuple[str, ...]
    slots: Ints
    values: Ints
    above: Ints
    slot: Ints
    value: Ints
    keep: Ints
    digit: Ints
    digits: Ints
    """(slot, value) of every digit, in order."""
    words: list[Word]

    @staticmethod
    def of(plan: Plan, head: TextTable, texts: pa.Table, group_counts: pa.Table) -> Combinations:
        """Return the combinations with their codes, and the words that hold their sums.

        Parameters
        ----------
        plan : Plan
        head : Table
            First rows, which give names their order.
        texts : pa.Table
            One row to a combination and one text column to each of `plan.used`.
        group_counts : pa.Table
            In the same order: rows of the source in `n`, and in `blank` whether they name no item.
        """
        table = TextTable(plan.name, "", texts)
        names, codes = {}, {}
        for column in plan.used:
            names[column], codes[column] = _in_order(table, head, column)
        nameless = np.asarray(group_counts["blank"].combine_chunks()).astype(bool)
        n = group_counts["n"].to_numpy().astype(np.int64)
        reasons = _reasons(plan, names, codes, nameless)
        kept = np.array([not why for why in reasons], bool)
        size = len(n)
        extents = _extents(plan, names, codes)
        slots, slot = _distinct([*(codes[column] for column in plan.keys), *extents], kept, size)
        values, value = _distinct([codes[column] for column in plan.values], kept, size)
        above, keep = _distinct([codes[column] for column in plan.keep], kept, size)
        pair = slot * max(len(values), 1) + value
        digits, place = np.unique(pair[kept], return_inverse=True)
        of_slot = digits // max(len(values), 1)
        first = np.searchsorted(of_slot, np.arange(len(slots)))
        digit = np.full(size, -1, np.int64)
        digit[kept] = place - first[slot[kept]]
        sizes = np.bincount(of_slot, minlength=len(slots)).astype(np.int64)
        both = np.column_stack([of_slot, digits % max(len(values), 1)])
        words = packed(sizes, int(n[kept].sum()))
        return Combinations(plan, names, n, nameless, reasons, slots, values, above, slot, value, keep, digit, both, words)

    @property
    def kept(self) -> Bools:
        return self.slot >= 0

    @property
    def n_rows(self) -> int:
        return int(self.n.sum())

    @property
    def n_kept(self) -> int:
        return int(self.n[self.kept].sum())

    @property
    def nameless(self) -> bool:
        """Whether any row names no item."""
        return bool(self.nameless_rows.any())

    def left_out(self, n_blank: int) -> tuple[tuple[str, int], ...]:
        """Return rows left out by reason, `n_blank` of those without an item being blank in every column."""
        counts: dict[str, int] = {BLANK: n_blank} if n_blank else {}
        for why, n in zip(self.reasons, self.n.tolist(), strict=True):
            if why:
                counts[why] = counts.get(why, 0) + n
        if n_blank:
            counts[NO_ITEM] -= n_blank
        return tuple((why, counts[why]) for why in IN_ORDER if counts.get(why))

    @property
    def word(self) -> Ints:
        """Word of each slot."""
        return np.repeat(np.arange(len(self.words)), [word.n_slots for word in self.words])

    def _parts(self, slot: Ints) -> tuple[Ints, Ints]:
        """Return what a row of each slot adds whatever stands in it, and what its digit is multiplied by."""
        units = np.concatenate([(np.int64(1) << np.arange(word.n_slots)) + word.row for word in self.words])
        return units[slot], np.concatenate([word.places for word in self.words])[slot]

    def summands(self, keys: pa.Table) -> pa.Table:
        """Return the keys of every combination that counts, with what its rows add to which word."""
        kept = self.kept
        slot = self.slot[kept]
        unit, place = self._parts(slot)
        numbers = {
            "slot": slot,
            "word": self.word[slot],
            "unit": unit,
            "place": place,
            "digit": self.digit[kept],
            "v": unit + place * self.digit[kept],
            "keep": self.keep[kept],
        }
        if self.empty_words.any():
            numbers["gap"] = np.where(self.empty_words, np.arange(len(self.values)) + 1, 0)[self.value[kept]]
        table = keys.filter(pa.array(kept))
        for name, values in numbers.items():
            table = table.append_column(name, pa.array(values, pa.int64()))
        return table

    @cached_property
    def empty_words(self) -> Bools:
        """Which of the values hold a word that means that there is none, so that their row may give no rating."""
        label_places = [place for place, is_label in enumerate(self.plan.is_label) if is_label]
        parts = []
        for place in label_places:
            words = [means_nothing(name) for name in self.names[self.plan.values[place]]]
            parts.append(np.array([*words, False])[self.values[:, place]])
        nothing_mask, empty = np.column_stack(parts), self.values[:, label_places] < 0
        some = np.any(nothing_mask, axis=1)
        mask: Bools = np.logical_and(some, np.all(nothing_mask | empty, axis=1)) if self.plan.shape == "wide" else some
        return mask

    @property
    def sum_names(self) -> list[str]:
        above = ["keep_from", "keep_to"] if self.plan.keep else []
        return [*(f"w{place}" for place in range(len(self.words))), *above]

    def per_item(self, rows: Frame) -> Frame:
        """Return what the rows of every item add up to."""
        names = self.sum_names[: len(self.words)]
        if len(names) > 1:
            alone = (
                nw.when(nw.col("word") == place).then(nw.col("v")).otherwise(nw.lit(0, nw.Int64)) for place in range(len(names))
            )
            rows = rows.with_columns(*(expr.alias(name) for expr, name in zip(alone, names, strict=True)))
        else:
            rows = rows.with_columns(nw.col("v").alias("w0"))
        above = [nw.col("keep").min().alias("keep_from"), nw.col("keep").max().alias("keep_to")] if self.plan.keep else []
        lazy_frame = rows.group_by("item").agg(*(nw.col(name).sum() for name in names), *above)
        # some engines add up in a wider type
        return lazy_frame.with_columns(*(nw.col(name).cast(nw.Int64) for name in names))

    def each_row(self) -> UniqueItems:
        """Return every row as an item of its own."""
        kept = self.kept
        unit, place = self._parts(self.slot[kept])
        words = np.zeros((int(kept.sum()), len(self.words)), np.int64)
        words[np.arange(len(words)), self.word[self.slot[kept]]] = unit + place * self.digit[kept]
        keep = np.repeat(self.keep[kept, None], 2 if self.plan.keep else 0, axis=1)
        distinct, which = np.unique(np.column_stack([words, keep]), axis=0, return_inverse=True)
        times = np.bincount(which.ravel(), weights=self.n[kept]).astype(np.int64)
        return UniqueItems.sorted(distinct, times, len(self.words))

    def decoded(self, kinds: UniqueItems) -> tuple[Ints, Ints, Ints]:
        """Return (kind, slot, value) of every row of one example of each kind, in this order."""
        parts = []
        start = np.searchsorted(self.digits[:, 0], np.arange(len(self.slots)))
        for place, word in enumerate(self.words):
            sums = kinds.words[:, place]
            kind, slot_in_word = np.nonzero(word.filled(sums))
            digit = word.digits(sums)[kind, slot_in_word]
            slot = slot_in_word + word.first
            parts.append(np.column_stack([kind, slot, self.digits[start[slot] + digit, 1]]))
        rows = np.concatenate(parts)
        rows = rows[np.lexsort([rows[:, 1], rows[:, 0]])]
        return rows[:, 0], rows[:, 1], rows[:, 2]


def _in_order(table: TextTable, head: TextTable, column: str) -> tuple[tuple[str, ...], Ints]:
    """Return names of a column, those of the first rows in their order and then the others by name, and codes into them."""
    coded = table.coded(column)
    there = set(coded.names)
    first = [name for name in head.coded(column).names if name in there]
    names = (*first, *sorted(there.difference(first)))
    places = {name: place for place, name in enumerate(names)}
    move = np.array([*(places[name] for name in coded.names), -1], np.int64)
    return names, move[coded.codes]


def _distinct(columns: list[Any], kept: Bools, size: int) -> tuple[Ints, Ints]:
    """Return distinct rows in lexicographic order, and the place of each row among them; -1 of those not kept."""
    table = np.column_stack([*columns, np.zeros(size)]).astype(np.int64)
    distinct, place = np.unique(table[kept], axis=0, return_inverse=True)
    row_places = np.full(size, -1, np.int64)
    row_places[kept] = place.ravel()
    return distinct[:, :-1], row_places


def _extents(plan: Plan, names: Mapping[str, tuple[str, ...]], codes: Mapping[str, Ints]) -> list[Ints]:
    """Return how much each combination says of the ratings in its row: a label, a number alone, or nothing."""
    extents = []
    for label, score in SCORED.get(plan.shape, ()):
        held, number = plan.column(label), plan.column(score)
        if held is not None:
            alone: Ints | int = NOTHING
            if number is not None:
                there = ~np.isnan(np.append(numbers_of(names[number]), np.nan))
                alone = np.where(there[codes[number]], NUMBER_ALONE, NOTHING)
            extents.append(np.where(codes[held] >= 0, LABELLED, alone))
    return extents


def _reasons(plan: Plan, names: dict[str, tuple[str, ...]], codes: dict[str, Ints], nameless: Bools) -> tuple[str, ...]:
    """Return why combinations are left out whatever their labels mean; the first reason counts, as in the reader of rows."""
    reasons = np.full(len(nameless), "", object)

    def leave(which: Bools, why: str) -> None:
        reasons[which & (reasons == "")] = why

    def empty(role: str) -> Bools:
        column = plan.column(role)
        return np.zeros(len(nameless), bool) if column is None else codes[column] < 0

    leave(nameless, NO_ITEM)
    if plan.shape != "wide" or plan.column("criterion") in plan.keys:
        leave(empty("criterion"), NO_CRITERION)
    label_masks = [codes[column] >= 0 for column, is_label in zip(plan.values, plan.is_label, strict=True) if is_label]
    silent = ~np.any([*label_masks, *_extents(plan, names, codes)], axis=0)
    # a judge's row without anything is a failed call
    judged = np.zeros(len(nameless), bool) if plan.shape != "pairs" or plan.column("judge") is None else ~empty("judge")
    if plan.shape == "raters":
        leave(empty("rater"), NO_RATER)
        leave(empty("role"), NO_ROLE)
        stated = {role[5:]: who for role, who in plan.fixed_roles if role.startswith("role:")}
        column, rater = plan.column("role"), plan.column("rater")
        if column is not None:
            roles, of = [role_of_value(name, stated) for name in names[column]], codes[column]
        elif rater is not None:
            roles, of = rater_roles(names[rater], stated), codes[rater]
        else:
            roles, of = [], np.full(len(nameless), -1)
        row_roles = np.array([*roles, None], object)[of]
        leave(silent & (row_roles == "code"), CODE_ROW)
        leave(silent & (row_roles == "none"), OTHER_ROLE)
        judged = row_roles != "human"
    leave(silent & ~judged, NO_LABEL)
    return tuple(reasons.tolist())

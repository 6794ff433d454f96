"""The weight of each item: one over the chance that it was drawn, in a column `weight`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.data.item_columns import Codes, common_value, encoded_column
from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.data.unique_items import ARE_KINDS
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.readers.measuring import numbers_of
from metrics.readers.messages import brief

METHOD = "weighted jackknife"
ROUNDING = 1e-12
"""Share of the largest cell below which a cell without its last item is one of rounding."""


def item_weights(ratings: Ratings) -> FloatArray | None:
    """Return the weight of every item, shape (n_unique,); None where `why_unused` says why.

    Raises
    ------
    InputError
        For a weight of an item that is no number above 0, with its row.
    """
    weights = _weights(ratings)
    return None if isinstance(weights, str) else weights


def why_unused(ratings: Ratings) -> str:
    """Return why every decision counts once although a column is named weight; empty where it is used, or there is none."""
    if not column_of(ratings):
        return ""
    weights = _weights(ratings)
    return weights if isinstance(weights, str) else ""


def column_of(ratings: Ratings) -> str:
    """Return the column of weights; empty without one."""
    return dict(ratings.columns).get("weight", "")


def _weights(ratings: Ratings) -> FloatArray | str:
    return memoised(ratings, ("item weights",), lambda: _read_weights(ratings))


def without_weight(ratings: Ratings) -> int:
    """Return how many items that people labelled have no weight in any of several files, and so stand for themselves alone."""
    if item_weights(ratings) is None:
        return 0
    of_item, _ = _codes(ratings, column_of(ratings))
    labelled = np.unique(ratings.item[ratings.by_role("human") & (ratings.state != ratings.scheme.state("missing"))])
    return int(ratings.weight[labelled][of_item[labelled] < 0].sum())


def _read_weights(ratings: Ratings) -> FloatArray | str:
    """Return the weights of items, or why there are none: those of criteria differ within an item."""
    column = column_of(ratings)
    by_item = ratings.has_rows or column in ratings.memo.get(ARE_KINDS, ())
    if not column or ratings.table is None or not by_item or column not in ratings.table.column_names:
        return "it is not a weight of items"
    of_item, codes = _codes(ratings, column)
    if (of_item[ratings.item] != codes)[codes >= 0].any():
        return "it differs within an item"
    distinct = encoded_column(ratings, column)[1]
    values = np.append(numbers_of(distinct), 1.0 if ratings.source.join is not None else np.nan)
    if len(np.unique(of_item)) < 2 and of_item[0] >= 0:
        return "all items weigh the same"
    given = values[of_item[ratings.item]]
    wrong = np.flatnonzero(~(np.isfinite(given) & (given > 0)))
    if len(wrong):
        row, name = int(ratings.record_numbers(ratings.row[wrong[:1]])[0]), brief(ratings.source.name)
        raise InputError(
            f"{name}, row {row}: a weight must be a number above 0, one over the chance that the item was drawn. "
            f"Mend column ‘{brief(column)}’."
        )
    return np.asarray(values[of_item])


def _codes(ratings: Ratings, column: str) -> tuple[Codes, Codes]:
    """Return the weight of every item and of every rating, as places among the values of the column; -1 where there is none.

    Of several files one may hold the weights: a rating without one has that of its item.
    """
    codes, distinct = encoded_column(ratings, column)
    given = codes[ratings.row]
    if ratings.source.join is not None:
        given = np.where(np.array([value == "" for value in distinct])[given], -1, given)
    of_item, _ = common_value(ratings.item.astype(np.int64), given, ratings.n_unique)
    return of_item, given


@dataclass(frozen=True, eq=False, kw_only=True)
class Strata:
    """Items, identical ones of a weight as one, and in which stratum each lies; or whole groups of items in one stratum.

    Attributes
    ----------
    weight, times : ndarray, shape (G,)
        Of one item, and how many are alike; of a group 1, whatever its items weigh.
    stratum : ndarray of int64, shape (G,)
    items : Strata or None
        What the groups hold, where groups are left out.
    word : str
        What is left out, one at a time.
    """

    weight: FloatArray
    times: NDArray[np.int64]
    stratum: NDArray[np.int64]
    items: Strata | None = None
    word: str = "items"

    @staticmethod
    def of(weight: FloatArray, times: NDArray[np.int64]) -> Strata:
        """Return items in the strata that their weights make."""
        return Strata(weight=weight, times=times, stratum=strata_of(weight, times))

    @property
    def n(self) -> NDArray[np.int64]:
        """Items of each stratum."""
        return np.bincount(self.stratum, weights=self.times).astype(np.int64)

    @property
    def mass(self) -> FloatArray:
        """What each unit weighs, shape (G,)."""
        return self.weight

    @property
    def df(self) -> int:
        return int(self.n.sum() - len(self.n))

    @property
    def n_items(self) -> int:
        return int((self.items or self).times.sum())

    @property
    def up(self) -> FloatArray:
        """What the others of its stratum are weighed up by where one of each is left out, shape (G,)."""
        return np.asarray((self.n / np.maximum(self.n - 1, 1))[self.stratum])

    @property
    def n_effective(self) -> float:
        held = self.items or self
        by_weight = held.weight * held.times
        return float(by_weight.sum() ** 2 / (by_weight * held.weight).sum())

    @property
    def heaviest(self) -> NDArray[np.int64]:
        """Places of the heaviest items, as few kinds as have half the weight of all."""
        order = np.argsort(-self.weight, kind="stable")
        mass = (self.weight * self.times)[order]
        return np.asarray(order[np.cumsum(mass) - mass < mass.sum() / 2])

    def error(self, values: FloatArray) -> float:
        """Return the standard error behind the values of the replicates, shape (G,); NaN where one is undefined."""
        n = self.n.astype(np.float64)
        squares = np.bincount(self.stratum, self.times * self._centred(values) ** 2)
        return float(np.sqrt(((n - 1) / n * squares).sum()))

    def parts(self, values: FloatArray) -> FloatArray:
        """Return what one item of each kind adds to a number, less the mean of its stratum, from the values of the replicates."""
        return -self._centred(values) / self.up

    def _centred(self, values: FloatArray) -> FloatArray:
        mean = np.bincount(self.stratum, values * self.times) / self.n
        return np.asarray(values - mean[self.stratum])


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightedItems(Strata):
    """Items with a decision that counts.

    Attributes
    ----------
    tables : ndarray of float64, shape (G, ..., K, K)
        Of one item.
    """

    tables: FloatArray

    @property
    def sums(self) -> FloatArray:
        return self.tables * self._each(self.weight * self.times)

    @property
    def of_one(self) -> FloatArray:
        """Tables of one item of each kind, as `of_tables` takes them."""
        return self.tables

    def _each(self, numbers: FloatArray) -> FloatArray:
        """Return a number for each kind of item, as its tables are multiplied by it."""
        return numbers.reshape(-1, *(1,) * (self.tables.ndim - 1))

    def of_tables(self, tables: FloatArray) -> WeightedItems:
        """Return the same items with other tables, in the order of these."""
        return replace(self, tables=tables)

    def heavier_half(self) -> WeightedItems:
        """Return the heaviest items, as few kinds as have half the weight of all."""
        kept = self.heaviest
        return WeightedItems(
            weight=self.weight[kept], times=self.times[kept], stratum=self.stratum[kept], tables=self.tables[kept]
        )

    def replicates(self) -> FloatArray:
        """Return the weighted table without one item of each kind, the others of its stratum weighed up, (G, ..., K, K)."""
        of_stratum = np.zeros((len(self.n), *self.tables.shape[1:]))
        np.add.at(of_stratum, self.stratum, self.sums)
        up = self._each(self.up)
        own, total = self.tables * self._each(self.weight), self.sums.sum(0)
        left = total + of_stratum[self.stratum] * (up - 1) - own * up
        return np.where(left > ROUNDING * total.max(initial=0.0), left, 0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightedGroups(WeightedItems):
    """Whole groups of items; the table of a group is the sum of those of its items, each as large as it weighs.

    Attributes
    ----------
    items : WeightedItems
    group : ndarray of int64, shape (kinds of items,)
        Of each kind of item, from 0 without gaps.
    """

    items: WeightedItems
    group: NDArray[np.int64]

    @classmethod
    def of_items(cls, items: WeightedItems, group: NDArray[np.int64], word: str) -> WeightedGroups:
        """Return the groups of items; what names them need not be without gaps."""
        used, place = np.unique(group, return_inverse=True)
        tables = np.zeros((len(used), *items.tables.shape[1:]))
        np.add.at(tables, place, items.sums)
        n = len(used)
        return cls(
            weight=np.ones(n), times=np.ones(n, np.int64), stratum=np.zeros(n, np.int64), tables=tables, items=items, word=word,
            group=place,
        )  # fmt: skip

    @property
    def mass(self) -> FloatArray:
        """What the items of each group weigh together, shape (G,)."""
        return np.bincount(self.group, self.items.weight * self.items.times).astype(np.float64)

    @property
    def of_one(self) -> FloatArray:
        return self.items.tables

    def of_tables(self, tables: FloatArray) -> WeightedGroups:
        return self.of_items(self.items.of_tables(tables), self.group, self.word)

    def heavier_half(self) -> WeightedGroups:
        """Return what the groups hold of the heaviest items."""
        return self.of_items(self.items.heavier_half(), self.group[self.items.heaviest], self.word)


@dataclass(frozen=True, eq=False)
class Behind:
    """The item behind each decision.

    Attributes
    ----------
    item : ndarray of int64, shape (n,)
        Kind of item.
    weight : ndarray, shape (n,)
        Of one such item.
    groups : str
        What is left out, in words, where that is whole groups of items; else empty.
    """

    item: NDArray[np.int64]
    weight: FloatArray
    groups: str = ""

    def at(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Behind:
        """Return the items behind some of the decisions."""
        return Behind(self.item[rows], self.weight[rows], self.groups)

    def strata(self, unit: NDArray[np.int64], alike: NDArray[np.int64]) -> Strata:
        """Return the strata of the items, or the groups that hold them.

        Parameters
        ----------
        unit : ndarray of int64, shape (n,)
            Item or group of each decision.
        alike : ndarray of int64, shape (n,)
            Items that are like that of each decision, itself included.
        """
        first = np.unique(self.item, return_index=True)[1]
        items = Strata.of(self.weight[first], alike[first])
        if not self.groups:
            return items
        n = len(np.unique(unit))
        return Strata(weight=np.ones(n), times=np.ones(n, np.int64), stratum=np.zeros(n, np.int64), items=items, word=self.groups)


def strata_of(weight: FloatArray, times: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the stratum of each kind of item: its weight, and a weight of one item together with the next."""
    values, of_value = np.unique(weight, return_inverse=True)
    n = np.bincount(of_value, weights=times)
    stratum, held, place = np.zeros(len(values), np.int64), 0.0, 0
    for value in range(len(values)):
        stratum[value] = place
        held += n[value]
        if held > 1:
            place, held = place + 1, 0.0
    if held == 1 and place:  # the last one has no next
        stratum[stratum == place] = place - 1
    return stratum[of_value]

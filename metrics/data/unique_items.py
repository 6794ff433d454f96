"""Identical items merged: one example of each kind, kinds in one order whatever the order of the file, and how many there are.

What is summed over items is summed over these, so that the rows of a file and a tally of them add the same numbers in the same
order, and cost grows with the kinds of items.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.memo import memoised
from metrics.data.part import taken
from metrics.data.patterns import dense_rank, dense_rank_of_rows
from metrics.data.ratings import Ratings

Ints = NDArray[np.int64]
ARE_KINDS = ("are kinds",)
OF_ITEMS = ("kind of items",)


class Multiset(Sized):
    """Rows of which each stands for as many as there are items of its kind: `weight`, or one each where that is None."""

    weight: Ints | None

    @cached_property
    def times(self) -> Ints:
        """What each row stands for, shape (n,)."""
        return np.ones(len(self), np.int64) if self.weight is None else self.weight

    @property
    def n(self) -> int:
        """What all rows together stand for."""
        return int(self.times.sum())


def kinds_of(ratings: Ratings, *columns: str) -> Ratings:
    """Return the ratings as kinds of items that are alike in criteria, raters, labels, scores and runs, with their
    multiplicity.

    A table of counts stays as it is.

    Parameters
    ----------
    columns : str
        Columns of the file in which the items of a kind are alike too.
    """
    if not ratings.has_items or ratings.memo.get(ARE_KINDS) == columns:
        return ratings
    kind_ratings = memoised(ratings, ("kinds", *columns), lambda: _unique_items(ratings, columns))
    # what is kept with the ratings is theirs in every handling of ties, invalid answers and failed calls
    return kind_ratings if kind_ratings.scheme == ratings.scheme else replace(kind_ratings, scheme=ratings.scheme)


def kind_of_items(ratings: Ratings) -> Ints:
    """Return the kind of every item among those of `kinds_of`, shape (n_unique,)."""
    of_item: Ints = kinds_of(ratings).memo[OF_ITEMS]
    return np.arange(ratings.n_unique) if ratings.memo.get(OF_ITEMS) is of_item else of_item


def multiples(ratings: Ratings, kind: NDArray[np.integer[Any]], *, grouped: bool) -> tuple[Ints, Ints]:
    """Return how often a row of each kind of item stands in one unit, and how many units are alike, shape (n,) each.

    Parameters
    ----------
    kind : ndarray, shape (n,)
        Kind of item of each row.
    grouped : bool
        Whether the units are groups of items, each by itself; else they are items.
    """
    ones, items = np.ones(len(kind), np.int64), ratings.weight[kind]
    return (items, ones) if grouped else (ones, items)


def _unique_items(ratings: Ratings, columns: tuple[str, ...]) -> Ratings:
    item, token = _tokens(ratings, columns)
    of_item = kind_of_each(item, token, ratings.n_unique)
    n = int(of_item.max(initial=-1)) + 1
    example = np.empty(n, np.int64)
    example[of_item] = np.arange(ratings.n_unique)
    is_example = np.zeros(ratings.n_unique, bool)
    is_example[example] = True
    kept = np.flatnonzero(is_example[ratings.item])
    rating_kinds = of_item[ratings.item[kept]]
    order = np.lexsort((ratings.rater[kept], ratings.criterion[kept], rating_kinds))
    kept = kept[order]
    times = np.bincount(of_item, weights=ratings.weight, minlength=n).astype(np.int64)
    return taken(
        ratings,
        kept,
        items=ratings.items.take(example),
        item=rating_kinds[order].astype(np.int32),
        multiplicity=times,
        runs=_runs(ratings, is_example, of_item),
        memo={ARE_KINDS: columns, OF_ITEMS: of_item},
    )


def _runs(ratings: Ratings, is_example: NDArray[np.bool_], of_item: Ints) -> Any:
    runs = ratings.runs
    if runs is None:
        return None
    kept = np.flatnonzero(is_example[runs.item])
    run_kinds = of_item[runs.item[kept]]
    order = np.lexsort((runs.run[kept], runs.rater[kept], runs.criterion[kept], run_kinds))
    return taken(runs, kept[order], item=run_kinds[order].astype(np.int32))


def _tokens(ratings: Ratings, columns: tuple[str, ...]) -> tuple[Ints, Ints]:
    """Return what each rating, and each run, says of its item, as a whole number from 1 in an order of its own."""
    slot = ratings.criterion.astype(np.int64) * len(ratings.raters) + ratings.rater
    by_text = np.argsort(np.argsort(np.array(ratings.labels, object)))
    token = _with(slot, by_text[ratings.label], len(by_text))
    if ratings.score is not None:
        known, score = np.unique(ratings.score + 0.0, return_inverse=True)
        token = _with(token, score, len(known))
    for column in columns:
        token = _with(token, *_values(ratings, column))
    runs = ratings.runs
    if runs is None:
        return ratings.item.astype(np.int64), token + 1
    slot = runs.criterion.astype(np.int64) * len(ratings.raters) + runs.rater
    again = _with(_with(slot, runs.run, max(1, len(runs.names))), by_text[runs.label], len(by_text))
    after = int(token.max(initial=0)) + 2
    return np.concatenate([ratings.item, runs.item]).astype(np.int64), np.concatenate([token + 1, again + after])


def _with(token: Ints, code: NDArray[np.integer[Any]], n: int) -> Ints:
    """Return dense rank of a code and another one below `n`."""
    return dense_rank(token * n + code, (int(token.max(initial=0)) + 1) * max(n, 1))[1]


def _values(ratings: Ratings, column: str) -> tuple[Ints, int]:
    """Return place of each rating's cell of a column among the cells in the order of their text, and how many those are."""
    assert ratings.table is not None
    coded = ratings.table[column].cast("string").combine_chunks().dictionary_encode()
    texts = [(text or "").strip() for text in coded.dictionary.to_pylist()]
    place = {text: n for n, text in enumerate(sorted({*texts, ""}))}
    lookup = np.array([*(place[text] for text in texts), place[""]], np.int64)
    codes = np.asarray(coded.indices.fill_null(len(texts)), np.int64)
    return lookup[codes[ratings.row]], len(place)


def kind_of_each(item: Ints, token: Ints, n_items: int) -> Ints:
    """Return dense rank of every item by its tokens, items with fewer ones first, then in lexicographic order, shape
    (n_items,).

    Parameters
    ----------
    item, token : ndarray, shape (n,)
        Whole numbers from 0, in any order.
    """
    most = int(token.max(initial=0)) + 1
    order = np.argsort(item * most + token, kind="stable")
    sorted_token = token[order]
    length = np.bincount(item, minlength=n_items)
    start = np.cumsum(length) - length
    kind, offset = np.empty(n_items, np.int64), 0
    for size in np.flatnonzero(np.bincount(length)).tolist():
        items = np.flatnonzero(length == size)
        rank = dense_rank_of_rows(sorted_token[start[items][:, None] + np.arange(size)], most)
        kind[items] = offset + rank
        offset += int(rank.max()) + 1
    return kind

"""Values worked out once and kept with the ratings that they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from metrics.data.ratings import Ratings

T = TypeVar("T")


def memoised(ratings: Ratings, key: tuple[object, ...], compute: Callable[[], T]) -> T:
    """Return the value of `compute()`, kept with this very ratings object.

    Parameters
    ----------
    ratings : Ratings
    key : tuple
        What the value depends on beside the ratings.
    compute : callable
        Called where the value is not kept yet.
    """
    if key not in ratings.memo:
        ratings.memo[key] = compute()
    value: T = ratings.memo[key]
    return value


def memoised_last(ratings: Ratings, slot: tuple[object, ...], key: tuple[object, ...], compute: Callable[[], T]) -> T:
    """Return the value of `compute()`, of which a slot keeps only the one of the key asked for last.

    Parameters
    ----------
    ratings : Ratings
    slot : tuple
        Where one value is kept.
    key : tuple
        What the value depends on beside the ratings.
    compute : callable
        Called where the slot is empty or holds the value of another key.
    """
    held = ratings.memo.get(slot)
    if held is None or held[0] != key:
        held = ratings.memo[slot] = key, compute()
    value: T = held[1]
    return value

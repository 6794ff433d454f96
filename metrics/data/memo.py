"""Values worked out once and kept with the ratings, or the table, that they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Keeping(Protocol):
    """What keeps values: ratings, or a table of text."""

    @property
    def memo(self) -> dict[Any, Any]:
        """Values by their keys."""


def memoised(keeper: Keeping, key: tuple[object, ...], compute: Callable[[], T]) -> T:
    """Return the value of `compute()`, kept with this very object.

    Parameters
    ----------
    keeper : Ratings or TextTable
    key : tuple
        What the value depends on beside the object.
    compute : callable
        Called where the value is not kept yet.
    """
    if key not in keeper.memo:
        keeper.memo[key] = compute()
    value: T = keeper.memo[key]
    return value


def memoised_last(keeper: Keeping, slot: tuple[object, ...], key: tuple[object, ...], compute: Callable[[], T]) -> T:
    """Return the value of `compute()`, of which a slot keeps only the one of the key asked for last.

    Parameters
    ----------
    keeper : Ratings or TextTable
    slot : tuple
        Where one value is kept.
    key : tuple
        What the value depends on beside the object.
    compute : callable
        Called where the slot is empty or holds the value of another key.
    """
    held = keeper.memo.get(slot)
    if held is None or held[0] != key:
        held = keeper.memo[slot] = key, compute()
    value: T = held[1]
    return value

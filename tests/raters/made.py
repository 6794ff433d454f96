"""Labels of several raters, made up: random ones with gaps, and a file of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrics.analyses.raters.units import Units


def labels(seed: int, n: int = 60, raters: int = 4, k: int = 3, missing: float = 0.3, knows: float = 0.6) -> np.ndarray:
    """Codes of labels, shape (n, raters), -1 where there is none; every unit has one or more."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)[:, None]
    found = np.where(rng.random((n, raters)) < knows, truth, rng.integers(0, k, (n, raters)))
    found[rng.random((n, raters)) < missing] = -1
    return found[(found >= 0).any(1)].astype(np.int16)


def units(codes: Sequence[Sequence[int]] | np.ndarray, k: int = 3, item: Sequence[int] | None = None) -> Units:
    """Units of these codes, each an item of its own unless `item` says otherwise."""
    own = np.asarray(codes, np.int16)
    items = np.arange(len(own)) if item is None else np.asarray(item)
    names = tuple(f"r{place}" for place in range(own.shape[1]))
    criterion = np.array([list(items[:place]).count(one) for place, one in enumerate(items)], np.int32)
    return Units(own, tuple(str(place + 1) for place in range(k)), names, items.astype(np.int32), criterion, "human")


def votes(codes: np.ndarray, k: int = 3) -> np.ndarray:
    """Raters per class, shape (n, k)."""
    return (np.asarray(codes)[:, :, None] == np.arange(k)).sum(1)


def rows(
    codes: np.ndarray, names: Sequence[str], item: Sequence[int] | None = None, criterion: Sequence[str] | None = None
) -> str:
    """A file of raters; columns item, criterion, rater, role, label."""
    lines = ["item,criterion,rater,role,label"]
    for u, own in enumerate(np.asarray(codes)):
        i = u if item is None else item[u]
        c = "c" if criterion is None else criterion[u]
        lines += [f"i{i},{c},r{r},human,{names[code]}" for r, code in enumerate(own) if code >= 0]
    return "\n".join(lines) + "\n"

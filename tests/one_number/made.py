"""Made-up files of every kind on which one number must have one interval, wherever it is read."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import metrics

Ints = NDArray[np.int64]
TWO, GRADES, CLASSES = ("MET", "UNMET"), ("1", "2", "3", "4"), ("blue", "green", "red")
NA = "CANNOT_ASSESS"


def drawn(seed: int, n: int, c: int, k: int, error: float, rates: Sequence[float] | None = None) -> tuple[Ints, ...]:
    """Labels of a reference and of two judges, shape (n, c) each; errors of an item hang together."""
    rng = np.random.default_rng(seed)
    share = np.full(k, 1 / k) if rates is None else np.asarray(rates)
    reference = rng.choice(k, (n, c), p=share)
    item = rng.random((n, 1))
    sides = [np.where((rng.random((n, c)) + item) / 2 < np.sqrt(wrong / 2), rng.integers(0, k, (n, c)), reference)
             for wrong in (error, error * 1.5)]  # fmt: skip
    return reference, *sides


def file_of(
    sides: Sequence[Ints],
    names: Sequence[str],
    *,
    silent: float = 0.0,
    asked: NDArray[np.bool_] | None = None,
) -> metrics.Ratings:
    """A file of pairs with the judges a and b, a column of pages of two items, and abstentions in the given share."""
    rng, rows = np.random.default_rng(9), []
    for item, criterion in np.ndindex(sides[0].shape):
        if asked is not None and not asked[item, criterion]:
            continue
        said = [NA if rng.random() < silent else names[side[item, criterion]] for side in sides]
        rows += [f"i{item},p{item // 2},c{criterion},{judge},{said[0]},{own}" for judge, own in zip("ab", said[1:], strict=True)]
    text = "item,page,criterion,judge,human,verdict\n" + "\n".join(rows)
    if names is TWO:
        return metrics.read(io.StringIO(text))
    if names is CLASSES:
        return metrics.read(io.StringIO(text), labels=dict.fromkeys(names, "class"))
    return metrics.read(io.StringIO(text), order=names)


def numbers(c: int, n: int = 30) -> metrics.Ratings:
    """Two judges' scores beside a human's."""
    rng, rows = np.random.default_rng(4), []
    for item in range(n):
        for criterion in range(c):
            truth = rng.normal()
            own = ",".join(f"{truth + rng.normal():.3f}" for _ in "ab")
            rows += [f"i{item},p{item // 2},c{criterion},{j},{truth:.3f},{v}" for j, v in zip("ab", own.split(","), strict=True)]
    return metrics.read(io.StringIO("item,page,criterion,judge,human,verdict\n" + "\n".join(rows)), scale="continuous")


def constant(sides: Sequence[Ints], criterion: int | None) -> tuple[Ints, ...]:
    """The judge a says the first label only, on one criterion or on all."""
    own = sides[1].copy()
    own[:, slice(None) if criterion is None else criterion] = 0
    return sides[0], own, *sides[2:]


def alternately(n: int, c: int) -> NDArray[np.bool_]:
    """Every item is asked on one criterion only."""
    return np.arange(n)[:, None] % c == np.arange(c)


BINARY = {
    "one criterion": lambda: file_of(drawn(1, 40, 1, 2, 0.3), TWO),
    "three criteria": lambda: file_of(drawn(2, 40, 3, 2, 0.3), TWO),
    "three criteria, some silent": lambda: file_of(drawn(3, 40, 3, 2, 0.3), TWO, silent=0.1),
    "one criterion, some silent": lambda: file_of(drawn(3, 40, 1, 2, 0.3), TWO, silent=0.1),
    "one criterion an item": lambda: file_of(drawn(4, 60, 2, 2, 0.3), TWO, asked=alternately(60, 2)),
    "rare": lambda: file_of(drawn(5, 60, 3, 2, 0.1, (0.05, 0.95)), TWO),
    "rare, one criterion": lambda: file_of(drawn(5, 60, 1, 2, 0.1, (0.05, 0.95)), TWO),
    "nearly perfect": lambda: file_of(drawn(6, 50, 4, 2, 0.02), TWO),
    "perfect": lambda: file_of(drawn(6, 30, 2, 2, 0.0), TWO),
    "no miss": lambda: file_of((r := drawn(7, 60, 2, 2, 0.4))[:1] + tuple(np.where(r[0] == 0, 0, s) for s in r[1:]), TWO),
    "constant judge": lambda: file_of(constant(drawn(8, 40, 2, 2, 0.3), None), TWO),
    "constant on one criterion": lambda: file_of(constant(drawn(8, 40, 3, 2, 0.3), 1), TWO),
    "one label on one criterion": lambda: file_of(tuple(np.where(np.arange(3) == 1, 0, s) for s in drawn(8, 40, 3, 2, 0.3)), TWO),
    "few items": lambda: file_of(drawn(10, 6, 2, 2, 0.3), TWO),
}
ORDERED = {
    "grades, one criterion": lambda: file_of(drawn(11, 40, 1, 4, 0.4), GRADES),
    "grades, three criteria": lambda: file_of(drawn(12, 30, 3, 4, 0.4), GRADES),
    "grades, best first": lambda: file_of(drawn(12, 30, 3, 4, 0.4), GRADES[::-1]),
    "grades, nearly perfect": lambda: file_of(drawn(13, 40, 3, 4, 0.03), GRADES),
    "grades, one option nearly always": lambda: file_of(drawn(14, 50, 2, 4, 0.1, (0.02, 0.02, 0.02, 0.94)), GRADES),
    "grades, constant on one criterion": lambda: file_of(constant(drawn(15, 40, 3, 4, 0.4), 1), GRADES),
    "grades, some silent": lambda: file_of(drawn(16, 40, 2, 4, 0.4), GRADES, silent=0.1),
    "grades, one criterion an item": lambda: file_of(drawn(17, 60, 2, 4, 0.4), GRADES, asked=alternately(60, 2)),
}
NOMINAL = {
    "three classes, one criterion": lambda: file_of(drawn(21, 50, 1, 3, 0.3), CLASSES),
    "three classes": lambda: file_of(drawn(22, 40, 3, 3, 0.3), CLASSES),
    "three classes, rare": lambda: file_of(drawn(23, 50, 2, 3, 0.1, (0.9, 0.06, 0.04)), CLASSES),
    "three classes, some silent": lambda: file_of(drawn(24, 40, 2, 3, 0.3), CLASSES, silent=0.1),
}
CONTINUOUS = {"scores, one criterion": lambda: numbers(1), "scores": lambda: numbers(3)}

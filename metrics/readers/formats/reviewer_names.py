"""Names of columns that join a reviewer and a label by `_`, which both may hold -> the two."""

from __future__ import annotations

from collections.abc import Sequence

Split = tuple[str, str]
"""Reviewer and label."""


def split_names(columns: Sequence[str]) -> dict[str, Split]:
    """Return reviewer and label of each column: reviewer by reviewer, the same labels in the same order.

    Where that leaves open which word belongs to which, a reviewer has as many words as all labels leave.
    """
    words = [column.split("_") for column in columns]
    if any(len(parts) < 2 for parts in words):
        return {column: _one_split(parts) for column, parts in zip(columns, words, strict=True)}
    n = len(words)
    sizes = [size for size in range(1, n + 1) if n % size == 0]
    if len({parts[0] for parts in words}) == 1:
        sizes = [n, *sizes[:-1]]
    for size in sizes:
        splits = _blocks(words, size)
        if splits is not None:
            return dict(zip(columns, splits, strict=True))
    return {column: _one_split(parts) for column, parts in zip(columns, words, strict=True)}


def _blocks(words: Sequence[list[str]], size: int) -> list[Split] | None:
    """Return the splits where every block of so many columns is one reviewer with the same labels; None where it is not."""
    blocks = [words[start : start + size] for start in range(0, len(words), size)]
    if len(words) == 1:
        return [_one_split(words[0])]
    if size == 1:
        shared = min(_alike([block[0][::-1] for block in blocks]), *(len(block[0]) - 1 for block in blocks))
        cuts = [len(block[0]) - shared for block in blocks]
        if not shared:
            return None
    else:
        cuts = [min(_alike(block), *(len(parts) - 1 for parts in block)) for block in blocks]
        if not all(cuts):
            return None
        cuts = _without_shared(blocks, cuts)
    labels = [["_".join(parts[cut:]) for parts in block] for block, cut in zip(blocks, cuts, strict=True)]
    reviewers = [" ".join(block[0][:cut]) for block, cut in zip(blocks, cuts, strict=True)]
    if any(other != labels[0] for other in labels) or len(set(reviewers)) < len(reviewers):
        return None
    return [(reviewer, label) for reviewer in reviewers for label in labels[0]]


def _without_shared(blocks: Sequence[Sequence[list[str]]], cuts: Sequence[int]) -> list[int]:
    """Return the cuts with the words that end the names of all reviewers given to the labels: is_correct, is_safe."""
    if len(blocks) == 1:
        return list(cuts)
    names = [block[0][:cut][::-1] for block, cut in zip(blocks, cuts, strict=True)]
    shared = min(_alike(names), *(len(name) - 1 for name in names))
    return [cut - shared for cut in cuts]


def _alike(lists: Sequence[Sequence[str]]) -> int:
    """Return how many words all lists begin with."""
    n = 0
    for together in zip(*lists, strict=False):
        if len(set(together)) > 1:
            break
        n += 1
    return n


def _one_split(words: Sequence[str]) -> Split:
    """Return a guess for a column that stands alone: an address, or a first and a last name, is the reviewer."""
    if len(words) == 1:
        return "human", words[0]
    cut = 1 if "@" in words[0] or len(words) == 2 else 2
    return " ".join(words[:cut]), "_".join(words[cut:])

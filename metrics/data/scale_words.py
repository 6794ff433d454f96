"""What the scales of a data set mean for what can be counted, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.data.labels import Scale
from metrics.data.scales import SCALES, TWO_SIDED, Scales
from metrics.results.words import count, named

SCALE_NAMES: dict[Scale, str] = {
    "binary": "Binary",
    "pairwise": "Pairwise preference",
    "ordinal": "Ordinal",
    "continuous": "Continuous",
    "nominal": "Nominal",
}
"""As a page and the address show them."""
SCALE_MEANS: dict[Scale, str] = {
    "binary": "two opposite labels, one of them positive",
    "pairwise": "which of two answers is better, or a tie",
    "ordinal": "labels from low to high",
    "continuous": "scores, of which every number counts",
    "nominal": "labels without an order",
}
WHERE: dict[Scale, str] = {
    "ordinal": ": see Scores", "continuous": ": see Scores", "nominal": ": choose them as Criteria in the sidebar",
}  # fmt: skip
"""Where criteria are counted that a page leaves out."""
COUNTED: dict[Scale, str] = {
    "binary": "Every page counts them.",
    "pairwise": "Every page counts them, a tie as no verdict; Preferences shows ties under each convention.",
    "ordinal": "Scores and κ with quadratic weights use their order. Other numbers treat the labels as unordered.",
    "continuous": "Scores uses them. Pages that count labels have nothing to count.",
    "nominal": "Pages take them as labels without an order. What needs a positive label is left out.",
}
MOST_NAMES = 4


def counted_on(scales: Scales) -> tuple[str, ...]:
    """Return which pages take the criteria of each scale in use, one sentence each."""
    return tuple(f"{_criteria(scales.of(scale), scale)} {COUNTED[scale]}" for scale in SCALES if scale in scales.used)


def part_words(scales: Scales, taken: Sequence[str]) -> str:
    """Return which criteria a page counts and which it leaves out, and where those are counted; empty where it takes all."""
    left = {scale: [name for name in scales.of(scale) if name not in taken] for scale in SCALES}
    out = [
        f"{named(names, MOST_NAMES)} {'is' if len(names) == 1 else 'are'} {scale}{WHERE.get(scale, '')}"
        for scale, names in left.items()
        if names
    ]
    if not out:
        return ""
    kinds = {scales.on(name).scale for name in taken}
    what = "yes/no" if kinds <= set(TWO_SIDED) else " or ".join(scale for scale in SCALES if scale in kinds)
    n, total = len(taken), len(scales.criteria)
    return f"{count(n)} of {count(total)} criteria {'is' if n == 1 else 'are'} {what} and counted here; {'; '.join(out)}."


def order_words(scales: Scales, *, weighted: bool = False) -> str:
    """Return what counting labels does to an ordinal scale; empty where all criteria are on another.

    `weighted` says that κ with quadratic weights is among the numbers.
    """
    if scales.used != ("ordinal",):
        return ""
    if weighted:
        return (
            "The labels are ordinal. κ with quadratic weights counts how far apart two labels are. "
            "The other numbers ignore their order."
        )
    return "The labels are ordinal. This page ignores their order. For weighted κ see Scores."


def _criteria(names: Sequence[str], scale: Scale) -> str:
    several = f"{count(len(names))} criteria, " if len(names) > 1 else ""
    return f"{SCALE_NAMES[scale]}, {SCALE_MEANS[scale]}: {several}{named(names, MOST_NAMES)}."

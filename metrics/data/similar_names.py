"""Names of criteria and raters that differ in case or blanks alone: probably one, and counted as two until somebody says so."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from metrics.asker import worded
from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.results.words import shorten

# Groups of names that a sentence lists.
MOST_SHOWN = 3


def folded(name: str) -> str:
    """Return form in which names that differ in case or blanks alone are equal."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def alike_names(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return groups of different names with one form, in the order of the names."""
    groups: dict[str, dict[str, None]] = {}
    for name in names:
        groups.setdefault(folded(name), {})[name] = None
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def groups_text(groups: Sequence[Sequence[str]]) -> str:
    """Return the groups in words: ‘Ana’ and ‘ana’, and how many groups more."""
    parts = [" and ".join(f"‘{shorten(name)}’" for name in group) for group in groups[:MOST_SHOWN]]
    more = f"; {len(groups) - MOST_SHOWN} more" if len(groups) > MOST_SHOWN else ""
    return "; ".join(parts) + more


def _sides(ratings: Ratings) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
    sides = [("Criteria", alike_names(ratings.criteria))]
    for role in ("human", "judge", None):
        sides.append(("Raters", alike_names([rater.name for rater in ratings.raters if rater.role == role])))
    return sides


def alike_sentences(ratings: Ratings) -> list[str]:
    """Return which criteria or raters of one role are probably the same, with the mend; empty where no names are alike."""
    sides = memoised(ratings, ("names alike",), lambda: _sides(ratings))
    way = worded("with --merge-spellings, or say so", "with merge_spellings=True, or say so", "again, and say so")
    return [
        f"{what} that differ in case or blanks alone count apart: {groups_text(groups)}. "
        f"To merge them, read the file {way} on the Data page."
        for what, groups in sides
        if groups
    ]

"""Names of columns cut into parts: what stands before and behind a mark, what all share, what tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from metrics.readers.names import LABEL, SCORE, spaced
from metrics.readers.rater_roles import called_after, role_of_column

HELD = re.compile(r"verdict|label|score|rating|grade|answer|result|judge?ment|value|decision|met|passed|pass|choice|vote|class")
"""Parts of a path within nested records that say that labels are there, and not which."""
_MARK = re.compile(r"[\s_.:/|-]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""Where a word begins in a name without any other mark: `humanTone`."""
LONGEST = 120
"""Letters of a name that may hold a rater and a criterion; every cut of it is tried."""
_COUNTED = re.compile(r"(?![ckq]\d)[a-z]?\d+|[a-z]", re.IGNORECASE)
"""Numbers and single letters tell raters apart, or runs; a criterion has a name, or is c1, k1 or q1."""
_TURN = re.compile(r"\b(pass|round|run|trial|attempt|wave|session|day|week) ?\d+\b")
"""When a rater gave a label, which is no criterion."""


def common_tail(names: Sequence[str]) -> str:
    """Return the word of a side, with its mark, in which all of several names end; empty where there is none."""
    tails = [mark + tail for _, mark, tail in cuts(names[0]) if called_after(tail)] if len(names) > 1 else []
    return next((tail for tail in tails if all(name.endswith(tail) for name in names)), "")


def common_heads(names: Sequence[str]) -> list[str]:
    """Return what all of several names begin with, up to each mark and with it, the shortest first."""
    heads = [head + mark for head, mark, _ in cuts(names[0])] if len(names) > 1 else []
    return [head for head in heads if all(name.startswith(head) for name in names)]


def told_apart(names: Sequence[str]) -> list[str]:
    """Return what tells names apart: each without the parts that all begin and end with; empty where one is but those."""
    parts = [_MARK.split(name) for name in names]
    fewest = min(map(len, parts))
    first, last = (
        next((place for place, at in enumerate(zip(*both, strict=False)) if len(set(at)) > 1), fewest)
        for both in (parts, [part[::-1] for part in parts])
    )
    return ["_".join(part[first : len(part) - last]) for part in parts]


def cuts(column: str) -> Iterator[tuple[str, str, str]]:
    """Yield what stands before a mark within a name, the mark, and what stands behind it; none within brackets."""
    marks = () if len(column) > LONGEST else (_MARK if _MARK.search(column) else _CAMEL).finditer(column)
    for mark in marks:
        before = column[: mark.start()]
        if before and mark.end() < len(column) and (column.startswith("(") or before.count("(") <= before.count(")")):
            yield column[: mark.start()], mark[0], column[mark.end() :]


def are_criteria(names: Sequence[str]) -> bool:
    """Return whether endings are criteria: none is a person or a judge, and not all count raters or say what a column holds."""
    return not any(map(role_of_column, map(_left, names))) and not only_hold(names)


def only_hold(names: Sequence[str]) -> bool:
    """Return whether names say but that labels are there, or count raters."""
    return all(not left or _COUNTED.fullmatch(left) for left in map(_left, names))


def _left(name: str) -> str:
    """Return what a name says besides that it is a label."""
    return _TURN.sub(" ", SCORE.sub(" ", LABEL.sub(" ", spaced(name)))).strip()

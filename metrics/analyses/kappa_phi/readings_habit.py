"""Whether a judge says the positive label more or less often than the reference, in sentences.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.agreement.readings import Name, opposite_words, plain_name
from metrics.analyses.kappa_phi.rows import GapRow
from metrics.measures.exact_tests import holm
from metrics.results import words


def habit_reading(
    rows: Sequence[GapRow],
    positive: str,
    what: str = "criterion",
    *,
    confidence: float = 0.95,
    pooled: GapRow | None = None,
    name: Name = plain_name,
) -> str:
    """Return on how many rows the label-rate bias is significant, and in which direction.

    Where biases of criteria cancel, that comes first.

    Parameters
    ----------
    rows : sequence of GapRow
    positive : str
        The positive label.
    what : {"criterion", "judge"}
        What a row is.
    confidence : float
        One minus the level of the tests, whose p is corrected for the number of rows.
    pooled : GapRow or None
        All the criteria together, whose biases may cancel.
    name : callable
        See the module.
    """
    named = {f"{name(row.name)}: " if what == "judge" else "": row for row in ((pooled,) if what == "criterion" else rows) if row}
    opposite = [f"{who}{sentence}" for who, row in named.items() if (sentence := opposite_words(row.block, name=name))]
    return " ".join(filter(None, (*opposite, _habit_of_rows(rows, positive, what, confidence, name))))


def _habit_of_rows(rows: Sequence[GapRow], positive: str, what: str, confidence: float, name: Name) -> str:
    settled = [row for row in rows if row.bias_sign is not None]
    if not settled:
        return ""
    text = _habit(settled, positive, what, name, 1 - confidence)
    if all(row.has_table for row in settled):
        return text
    return f"In the mean over criteria, {words.uncapital(text)}"


def _signs(settled: Sequence[GapRow], level: float) -> list[int]:
    """Return the direction of each row, their p corrected for the number of rows.

    Of means, which have no p, as their intervals say.
    """
    corrected = holm(_tested(settled))
    return [(row.bias_sign or 0) * (math.isnan(p) or p <= level) for row, p in zip(settled, corrected, strict=True)]


def _tested(settled: Sequence[GapRow]) -> list[float]:
    """Return p of each row; NaN of a mean, which has none."""
    tests = [row.block.directions and row.block.directions.label_rates for row in settled]
    return [test.p if test else math.nan for test in tests]


def _habit(settled: Sequence[GapRow], positive: str, what: str, name: Name, level: float) -> str:
    signs = _signs(settled, level)
    tested = sum(not math.isnan(p) for p in _tested(settled))
    more, less = signs.count(1), signs.count(-1)
    of = words.count(len(settled))
    plural = {"criterion": "criteria", "judge": "judges"}[what]
    if len(settled) == 1:
        if not more + less:
            return "There is no significant label-rate bias."
        verdict = "more" if more else "less"
        who = "The judge" if what == "criterion" else name(settled[0].name)
        return f"{who} says {name(positive)} {verdict} often than the reference, significantly."
    open_ = len(settled) - more - less
    counts = [(n, how) for n, how in ((more, "more often"), (less, "less often")) if n]
    if not counts:
        return f"On none of {of} {plural} is the label-rate bias significant{words.corrected(tested, plural)}."
    rest = f"{words.corrected(tested, plural)}{f'; on {words.count(open_)} the bias is not significant' if open_ else ''}"
    if what == "judge":
        clause = " and ".join(f"{words.count(n)} {how}" for n, how in counts)
        phrase = clause.replace(f" {counts[0][1]}", f" say{_s(counts)} {name(positive)} {counts[0][1]}", 1)
        return f"Of {of} judges {phrase} than the reference, significantly{rest}."
    clause = ", ".join(f"{how} on {words.count(n)}" for n, how in counts)
    return f"The judge says {name(positive)} significantly {clause} of {of} criteria{rest}."


def _s(counts: Sequence[tuple[int, str]]) -> str:
    return "s" if counts[0][0] == 1 else ""

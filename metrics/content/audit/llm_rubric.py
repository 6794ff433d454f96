"""LLM-Rubric's labels as counts: what one judge and the people said on nine questions about the same dialogues."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.compute import agreement
from metrics.analyses.records import AgreementReport
from metrics.data.labels import DEFAULT_ABSTENTION, DEFAULT_NEGATIVE, DEFAULT_POSITIVE
from metrics.data.ratings import Ratings
from metrics.readers import read

Counts = NDArray[np.int64]
NAME, JUDGE = "LLM-Rubric", "gpt-3.5-turbo-16k"
GRADES, NOT_APPLICABLE = ("1", "2", "3", "4"), "NA"
PASSES = 2
"""Place of the first grade that counts as MET: 3."""
OVERALL = "Q8"
"""Asked of people on a scale of its own, so that its grades have no counterpart among MET and UNMET."""
COUNTS: dict[str, tuple[tuple[int, ...], ...]] = {
    "Q0": ((2, 0, 4, 4), (0, 1, 25, 37), (0, 1, 29, 76), (0, 1, 16, 27), (0, 0, 0, 0)),
    "Q1": ((0, 0, 12, 0), (0, 0, 21, 0), (0, 0, 72, 0), (0, 4, 37, 0), (0, 0, 77, 0)),
    "Q2": ((0, 0, 20, 0), (0, 0, 18, 0), (0, 0, 83, 0), (1, 0, 101, 0), (0, 0, 0, 0)),
    "Q3": ((0, 3, 10, 0), (0, 3, 35, 0), (0, 6, 56, 0), (0, 4, 31, 0), (13, 50, 12, 0)),
    "Q4": ((0, 0, 17, 0), (0, 0, 26, 0), (0, 0, 61, 0), (0, 0, 42, 0), (0, 1, 76, 0)),
    "Q5": ((0, 0, 20, 0), (0, 0, 31, 0), (0, 0, 48, 0), (0, 0, 47, 0), (0, 0, 72, 5)),
    "Q6": ((0, 3, 1, 0), (0, 10, 5, 0), (0, 56, 22, 0), (0, 85, 41, 0), (0, 0, 0, 0)),
    "Q7": ((0, 2, 11, 1), (0, 0, 10, 0), (0, 3, 57, 0), (0, 10, 127, 2), (0, 0, 0, 0)),
    "Q8": ((1, 2, 3, 0), (52, 18, 109, 0), (5, 5, 28, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
}  # fmt: skip
"""By question: rows are the grades that people gave, the last one where the question did not apply; columns the judge's."""
SOURCE = (
    "Hashemi et al. 2024 (ACL:2024.acl-long.745): github.com/microsoft/LLM-Rubric, commit 70d56fc, data/real_data, licence MIT. "
    "Counted here; no dialogue, no person and no row is kept. Grades of the judge: its most probable answer. A human 0 is read "
    "as not applicable, since it occurs on questions about sources where the system gave none."
)


def two_labels() -> tuple[tuple[str, ...], Counts]:
    """Return the questions with two labels, and their tables: grades of 3 and 4 as MET, the answers of people alone.

    Returns
    -------
    names : tuple of str
    tables : array, shape (questions, 2, 2)
        People in rows, the judge in columns, MET first.
    """
    names = tuple(name for name in COUNTS if name != OVERALL)
    folded = np.array([_folded(name)[:2] for name in names])
    return names, folded


def _folded(name: str) -> Counts:
    """Return MET, UNMET and no answer of people against MET and UNMET of the judge, shape (3, 2)."""
    grades = np.array(COUNTS[name])
    rows = np.stack([grades[PASSES:4].sum(0), grades[:PASSES].sum(0), grades[4]])
    return np.stack([rows[:, PASSES:].sum(1), rows[:, :PASSES].sum(1)], axis=1)


@cache
def graded() -> Ratings:
    """Return the counts as ratings of ordered grades; every decision is an item of its own, for counts hold no items."""
    people, rows = (*GRADES, NOT_APPLICABLE), []
    for name, table in COUNTS.items():
        rows += _rows(name, table, people, GRADES)
    return read(_numbered(rows), order=list(GRADES), labels={NOT_APPLICABLE: "abstention"})


@cache
def passed() -> AgreementReport:
    """Return agreement on the questions with two labels, without intervals: what they would rest on is not in the counts."""
    people, rows = (DEFAULT_POSITIVE, DEFAULT_NEGATIVE, DEFAULT_ABSTENTION), []
    for name in COUNTS:
        if name != OVERALL:
            rows += _rows(name, _folded(name).tolist(), people, people[:2])
    return agreement(read(_numbered(rows)), interval="none")


def _rows(name: str, table: object, people: tuple[str, ...], judge: tuple[str, ...]) -> list[dict[str, str]]:
    counts = np.array(table)
    return [
        {"criterion": name, "judge": JUDGE, "human": human, "verdict": verdict}
        for i, human in enumerate(people)
        for j, verdict in enumerate(judge)
        for _ in range(int(counts[i, j]))
    ]


def _numbered(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{"item": str(place), **row} for place, row in enumerate(rows, 1)]

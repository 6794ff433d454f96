"""Rubrics made to show one thing each, as files of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

import metrics
from metrics.data.ratings import Ratings

Rows = list[dict[str, object]]


def cells(counts: Sequence[Sequence[int]], labels: Sequence[str] = ("MET", "UNMET")) -> list[tuple[str, str]]:
    """Pairs (human, judge) of a table, reference in rows."""
    return [
        (labels[row], labels[column])
        for row, line in enumerate(counts)
        for column, n in enumerate(line)
        for _ in range(n)
    ]  # fmt: skip


def rubric(criteria: Mapping[str, Sequence[tuple[str, str]]], judge: str = "bot", start: int = 0) -> pd.DataFrame:
    """One human and one judge; each criterion as pairs (human, judge), item by item."""
    rows: Rows = []
    for name, pairs in criteria.items():
        for item, (human, said) in enumerate(pairs, start=start):
            common = {"item": f"i{item}", "criterion": name}
            rows += [
                common | {"rater": "ana", "role": "human", "label": human},
                common | {"rater": judge, "role": "judge", "label": said},
            ]
    return pd.DataFrame([row for row in rows if row["label"]])


def read(criteria: Mapping[str, Sequence[tuple[str, str]]], start: int = 0, **how: Any) -> Ratings:
    return metrics.read(rubric(criteria, start=start), **how)


def drawn(seed: int, n: int = 60, criteria: Sequence[str] = ("tone", "facts"), wrong: float = 0.25) -> pd.DataFrame:
    """Labels with some abstentions and gaps on both sides."""
    rng = np.random.default_rng(seed)
    found = {}
    for name in criteria:
        human = rng.random(n) < 0.6
        judge = np.where(rng.random(n) < wrong, ~human, human)
        code = [np.where(side, "MET", "UNMET").astype(object) for side in (human, judge)]
        for side in code:
            side[rng.random(n) < 0.08] = "CANNOT_ASSESS"
            side[rng.random(n) < 0.05] = ""
        found[name] = list(zip(*code, strict=True))
    return rubric(found)

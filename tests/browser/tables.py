"""Files to drop in."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

import numpy as np

COLUMNS = ("item_id", "criterion", "judge", "human", "verdict", "answer")
HOSTILE = ("<img src=x onerror=window.hacked=1>", "=cmd|' /C calc'!A0", "**b**", "$x$")
LONG = "A name of forty letters, wide: MMMM WWWW"


def as_csv(rows: Iterable[Sequence[object]], columns: Sequence[str] = COLUMNS) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([columns, *rows])
    return text.getvalue().encode()


def verdicts(
    criteria: Sequence[str] = ("right", "polite"),
    labels: Sequence[str] = ("MET", "UNMET"),
    *,
    judge: str = "judge",
    n_items: int = 40,
    answer: str = "some text",
    seed: int = 3,
) -> bytes:
    """Made-up verdicts of a human and a judge; the later a label stands, the rarer it is."""
    rng = np.random.default_rng(seed)
    share = np.array([2.0**-place for place in range(len(labels))])
    human = rng.choice(len(labels), size=(n_items, len(criteria)), p=share / share.sum())
    given = np.where(rng.random(human.shape) < 0.8, human, rng.choice(len(labels), size=human.shape))
    return as_csv(
        (f"i{i:03d}", name, judge, labels[human[i, c]], labels[given[i, c]], answer)
        for i in range(n_items)
        for c, name in enumerate(criteria)
    )


def all_met(n_items: int = 20) -> bytes:
    """Everybody always says MET, so nothing that corrects for chance has a value."""
    return as_csv((f"i{i:03d}", name, "judge", "MET", "MET", "") for i in range(n_items) for name in ("right", "polite"))

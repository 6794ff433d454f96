"""Verdicts of every kind on two sides, and what each handling makes of them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

SAYS = {"MET": "MET", "UNMET": "UNMET", "CA": "abstention", "TIE": "tie", "BAD": "invalid", "ERR": "error"}
HOW = ("abstention", "exclude", "as_unmet", "as_category")
USUAL = {"tie": "abstention", "invalid": "abstention", "error": "exclude"}
AXIS = {"exclude": ["MET", "UNMET"], "as_unmet": ["MET", "UNMET"], "as_category": ["MET", "UNMET", "CA"]}


def every_handling(mode: str) -> list[dict[str, str]]:
    found = [dict(zip(USUAL, hows, strict=True)) for hows in product(HOW, repeat=3)]
    return [own for own in found if mode == "as_category" or "as_category" not in own.values()]


def label_of(says: str | None, mode: str, handling: dict[str, str]) -> str | None:
    """What one answer counts as, straight from the rules; None where it does not count."""
    if says in ("MET", "UNMET", None):
        return says
    kind = SAYS[says]
    own = {**USUAL, **handling}.get(kind, "abstention")
    own = mode if own == "abstention" else own
    return {"exclude": None, "as_unmet": "UNMET", "as_category": "CA"}[own]


def sides(seed: int, n: int = 60, criteria: int = 2) -> tuple[list[list[str | None]], list[list[str | None]]]:
    rng = np.random.default_rng(seed)
    human = rng.choice(["MET", "UNMET", "CA", "TIE", "BAD"], size=(n, criteria), p=[0.4, 0.3, 0.1, 0.1, 0.1])
    judge = np.where(rng.random((n, criteria)) < 0.6, human, rng.choice(list(SAYS), size=(n, criteria)))
    return human.tolist(), judge.tolist()


def counted(human: Any, judge: Any, mode: str, handling: dict[str, str]) -> list[tuple[str, str]]:
    pairs = [(label_of(h, mode, handling), label_of(j, mode, handling)) for h, j in zip(human, judge, strict=True)]
    return [(h, j) for h, j in pairs if h is not None and j is not None]
